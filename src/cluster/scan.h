/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h -- what one class would cost together with each of many points or boxes: the hot loop of every
 * clusterer. The many stand column by column, so that a vector of them is looked at at once. A number costs a
 * maximum minus a minimum. A category costs what the lowest of its ancestors costs that contains the other:
 * a step for each ancestor that does not, and the ancestors of a class are a short list. */
#ifndef KN_SCAN_H
#define KN_SCAN_H

#include "base/pool.h"
#include "cluster/space.h"

/** The ancestors of the values of one category, as intervals of ranks; nodes 0..nranks-1 are the values. */
typedef struct kn_ladder {
    uint32_t  nnodes;
    uint32_t *least, *greatest, *cost, *above; /* above: the next ancestor; KN_NO_CODE: the top */
} kn_ladder;

/** A space made ready for scans; read-only, shared by all threads. */
typedef struct kn_scanner {
    kanon_ctx      *ctx;
    const kn_space *space;
    kn_ladder      *ladders; /* [nquasi]; empty for numbers */
    size_t          deepest; /* most ancestors that a value has */
} kn_scanner;

kanon_status kn_scanner_new(kanon_ctx *ctx, const kn_space *space, kn_scanner **out);
void         kn_scanner_free(kn_scanner *scanner);

/** What one column adds to the cost of a class, depending on who joins it. */
typedef struct kn_term {
    enum { KN_TERM_OUTSIDE, KN_TERM_NUMBER, KN_TERM_PRESENT, KN_TERM_MISSING } kind;
    uint32_t side;
    uint32_t lo,
        hi; /* OUTSIDE: delta for those not within; NUMBER, PRESENT: the class's own values */
    uint32_t delta;
    uint32_t sign; /* NUMBER, PRESENT: UINT32_MAX takes away instead of adding */
} kn_term;

/** A class as the scans see it: its terms column by column, and what it costs with anybody. */
typedef struct kn_probe {
    const kn_scanner *scanner;
    uint32_t          base;
    uint32_t         *bases; /* [nquasi], which base is the sum of */
    uint32_t         *first; /* [nquasi + 1] of terms; a column has room for deepest + 1 */
    uint32_t         *count; /* [nquasi] */
    kn_term          *terms;
    kn_term          *change;           /* scratch of kn_candidates_grow() */
    uint32_t         *least, *greatest; /* [width] ranks of the box */
} kn_probe;

kanon_status kn_probe_init(kn_probe *probe, const kn_scanner *scanner);
void         kn_probe_fini(kn_probe *probe);
/** The box becomes this one. */
void kn_probe_set(kn_probe *probe, const uint32_t *least, const uint32_t *greatest);

typedef enum kn_candidate_kind { KN_CANDIDATE_POINTS, KN_CANDIDATE_BOXES } kn_candidate_kind;

/** Many points or boxes. Those of weight 0 are gone: nobody finds them. */
typedef struct kn_candidates {
    const kn_scanner *scanner;
    kn_pool          *pool; /* for large crowds; NULL: the caller's thread alone */
    kn_candidate_kind kind;
    size_t            count, gone;
    uint32_t        **lo,
        **hi; /* [nquasi][count]: ranks of categories, values of numbers; points: hi is lo */
    uint32_t *weight; /* rows of a class, or rows of a tuple that are left */
    uint32_t *id;
    uint32_t *extra; /* the caller's, one a member, kept in step; may be NULL */
    uint32_t *apart; /* [count] the last costs measured; not defined for those gone */
    uint32_t *chunk_least, *chunk_most; /* of each chunk of `apart` */
} kn_candidates;

enum { KN_CROWD_CHUNK = 1024 };

/** Room for `room` members. */
kanon_status kn_candidates_init(kn_candidates *crowd, const kn_scanner *scanner, size_t room,
                                kn_candidate_kind kind);
void         kn_candidates_fini(kn_candidates *crowd);
/** Puts a member at a place; the ranks of the box, of which a point's are the same twice. */
void kn_candidates_put(kn_candidates *crowd, size_t at, const uint32_t *least,
                       const uint32_t *greatest);
/** Forgets those gone, once they are many; the others keep their order. *place (NULL: none) follows the
 *  member that is there. @return did it? What was measured is void then. */
bool kn_candidates_compact(kn_candidates *crowd, size_t *place);
/** Rows of a member are taken; with the last of them it is gone. */
void kn_candidates_take(kn_candidates *crowd, size_t place, uint32_t rows);

/** The cost of a row of the probe's class with each member: fills apart. */
void kn_candidates_measure(kn_candidates *crowd, const kn_probe *probe);
/** The box of the probe grows to hold a member, and apart follows. */
void kn_candidates_grow(kn_candidates *crowd, kn_probe *probe, const uint32_t *ranks);
/** The first of those with the least cost; SIZE_MAX when all are gone. */
size_t kn_candidates_least(const kn_candidates *crowd);
/** The first of those with the greatest cost; SIZE_MAX when all are gone. */
size_t kn_candidates_most(const kn_candidates *crowd);

/** Places of a crowd, nearest first, ties by place. */
typedef struct kn_near {
    size_t    count, room;
    uint64_t *keys; /* cost << 32 | place */
    uint64_t  rows; /* of all of them */
} kn_near;

/** The nearest members that have `rows` rows together, or all: none could be left out. near has room for
 *  that many. */
void kn_candidates_nearest(const kn_candidates *crowd, uint64_t rows, kn_near *near);

static inline size_t
kn_near_place(const kn_near *near, size_t index)
{
    assert(index < near->count);
    return (size_t) (near->keys[index] & UINT32_MAX);
}

/* --- the loops themselves ------------------------------------------------------------------------------ */

typedef struct kn_scan_loops {
    const char *name;
    /** out[i] += what a term adds for member i of count; lo == hi for points. */
    void (*add)(const kn_term *term, const uint32_t *lo, const uint32_t *hi, size_t count,
                uint32_t *out);
    /** The least and the greatest of values whose weight is not 0; UINT32_MAX and 0 if there are none. */
    void (*span)(const uint32_t *values, const uint32_t *weights, size_t count, uint32_t *least,
                 uint32_t *most);
} kn_scan_loops;

/** The index-th set that this machine can run, fastest first. */
const kn_scan_loops *kn_scan_loops_at(size_t index);

#endif

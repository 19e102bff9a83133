/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h -- checking nodes: how many rows are outlying, in how many classes, and at what loss.
 * The one seam between searches and data. Which way of counting wins at a node (direct addressing, a hash of
 * narrow or of wide keys, a collapsed copy of the table) is decided behind it; the answers never depend on
 * that choice, on the instruction set or on the number of threads. docs/internals/engine.md has the layouts
 * and the figures. */
#ifndef KN_GROUP_ENGINE_H
#define KN_GROUP_ENGINE_H

#include "group/kernels.h"
#include "group/slab.h"

/** The table made ready for counting. Shared by threads. */
typedef struct kn_engine kn_engine;
/** Scratch memory of one thread. */
typedef struct kn_tally kn_tally;

enum {
    KN_WANT_LOST = 1u,  /* per quasi-identifier, which groups the outlying rows are in */
    KN_WANT_LABELS = 2u /* released rows off their class's most frequent label */
};

/** For tests and benchmarks: where one way of counting gives over to another. 0: what was measured to be
 *  best. The answers do not depend on it. */
typedef struct kn_engine_tuning {
    unsigned word_bits;    /* of a key's words, 1..32 */
    bool     never_direct; /* always hash */
    size_t   block_least;  /* tuples of a block, if there are runs to take together */
    size_t
        sample_least; /* tuples of a block from which on a part of its classes is counted first */
} kn_engine_tuning;

typedef struct kn_engine_options {
    const uint8_t    *floor;        /* no node below it will be asked about; NULL: all zero */
    size_t            most_classes; /* a node with more is infeasible and may be given up */
    unsigned          want;         /* what counts will ask for: KN_WANT_... */
    kn_labels         labels;       /* of the view's tuples, for KN_WANT_LABELS; data NULL: none */
    bool              repeats;      /* the view holds equal tuples, to be collapsed first */
    size_t            column_bytes; /* for columns of coarser levels; 0: KN_ENGINE_COLUMN_BYTES */
    size_t            rollup_bytes; /* for collapsed copies; 0: none are made */
    const kn_kernels *kernels;      /* NULL: the best that this machine has */
    kn_engine_tuning  tuning;
} kn_engine_options;

#define KN_ENGINE_COLUMN_BYTES ((size_t) 256 << 20)

/** What memory a problem takes, known before any is taken. */
typedef struct kn_engine_plan {
    size_t shared;  /* bytes of the engine */
    size_t scratch; /* bytes for a moment while it is made */
    size_t thread;  /* bytes of a tally */
} kn_engine_plan;

/** The view and what it points to must outlive the engine. It has at least one quasi-identifier, no weight
 *  of 0, and at most 2^31 tuples. */
kanon_status kn_engine_new(kanon_ctx *ctx, const kn_view *view, const kn_engine_options *options,
                           kn_engine **out);
void         kn_engine_free(kn_engine *engine);
/** Upper bounds; the collapsed copies' budget comes on top of them. */
kanon_status kn_engine_measure(kanon_ctx *ctx, const kn_view *view,
                               const kn_engine_options *options, kn_engine_plan *plan);

/** Bytes that a tally of this engine takes. */
size_t kn_engine_thread_bytes(const kn_engine *engine);

kanon_status kn_tally_new(const kn_engine *engine, kn_tally **out);
void         kn_tally_free(kn_tally *tally);

typedef struct kn_counted {
    bool                   complete;  /* false: given up, more than `allowed` rows are outlying */
    uint64_t               outlying;  /* rows in classes smaller than k */
    uint64_t               classes;   /* of at least k rows */
    double                 squares;   /* sum of their squared sizes */
    uint64_t               off_label; /* KN_WANT_LABELS */
    const uint64_t *const *lost; /* KN_WANT_LOST: [quasi][group at the node's level, kn_coarse's
                                    numbers]; until the next count with the same tally */
} kn_counted;

/** Counts at a node at or above the floor. Allocates nothing, cannot fail.
 *  want: no more than the engine was made for */
void kn_count(kn_tally *tally, const uint8_t *levels, uint64_t k, uint64_t allowed, unsigned want,
              kn_counted *out);

/** Tells which nodes come next (nquasi levels each), so that the table can be collapsed below all of
 *  them where that pays. Only for speed; not while a count is running. */
void kn_engine_expect(kn_engine *engine, const uint8_t *const *nodes, size_t count);
/** Adds a copy of the table that is collapsed at this node, where that merges enough: for a search that
 *  knows what its nodes will have in common. Low nodes first, a copy is made from the smallest one below
 *  it. It stays until enough nodes are expected. Only for speed; not while a count is running. */
void kn_engine_collapse(kn_engine *engine, const uint8_t *node);

/** The numbering of groups that KN_WANT_LOST speaks in. */
const kn_coarse *kn_engine_coarse(const kn_engine *engine);
/** The table at the floor. */
const kn_slab *kn_engine_slab(const kn_engine *engine);

#endif

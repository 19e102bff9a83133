/* SPDX-License-Identifier: Apache-2.0 */
/* optimal.h -- inside the search `optimal`; nobody else includes it. docs/algorithms/optimal.md has the
 * method. The rooms: optimal.c the loop and what is open, optimal_box.c one box against the data,
 * optimal_bound.c lower bounds from clauses, optimal_clauses.c the clauses, optimal_learn.c where they
 * come from, optimal_local.c good nodes early, optimal_space.c the lattice without levels that change
 * nothing. Lattices of up to a hundred million nodes go to cover.c instead of boxes. */
#ifndef KN_OPTIMAL_H
#define KN_OPTIMAL_H

#include "group/refine.h"
#include "search/cover.h"

/* --- the lattice, as small as it can be --------------------------------------------------------------- */

/** Only quasi-identifiers that can move ("axes") and only levels that change the classes ("steps"). */
typedef struct kn_opt_space {
    size_t     n;                    /* axes */
    size_t     rows;                 /* steps of all axes together */
    size_t    *quasi;                /* [n] */
    size_t    *first;                /* [n]: where an axis begins in the arrays below */
    uint8_t   *top;                  /* [n]: its highest step */
    uint8_t   *level;                /* [rows] */
    double    *term;                 /* [rows]: what the step costs */
    double    *lost;                 /* [rows]: what a suppressed row adds at least, at this step */
    double     rest_term, rest_lost; /* the same of what cannot move */
    uint8_t    still[KN_QUASI_MOST]; /* levels of the quasi-identifiers that cannot move */
    kanon_ctx *ctx;
} kn_opt_space;

kanon_status kn_opt_space_init(kn_opt_space *space, const kn_search_env *env);
void         kn_opt_space_fini(kn_opt_space *space);
/** A node of the whole lattice. */
void kn_opt_node(const kn_opt_space *space, const uint8_t *x, uint8_t *node);
/** The metric's sum at x with so many rows suppressed; the metric itself, or less. */
double kn_opt_sum(const kn_opt_space *space, const uint8_t *x, uint64_t outlying);

/* --- clauses ------------------------------------------------------------------------------------------ */

enum { KN_OPT_WORD = 64, KN_OPT_BLOCK = 8, KN_OPT_OWN = KN_OPT_BLOCK * KN_OPT_WORD };

/** Infeasible nodes a, each read as "x_d > a_d for at least one d", in slices of bits: row first[d] + l
 *  holds the clauses with a_d <= l. */
typedef struct kn_clauses {
    kanon_ctx          *ctx;
    const kn_opt_space *space;
    size_t              room, used, words;
    uint64_t           *alive;  /* [words] */
    uint64_t           *most;   /* [rows][words] */
    uint8_t            *levels; /* [room][n] */
    uint8_t            *axes;   /* [room][n]: those on which the clause can be satisfied at all */
    uint8_t            *naxes;  /* [room] */
    double             *price;  /* [room]: a good dual value, to begin with */
} kn_clauses;

/** room: a multiple of KN_OPT_OWN. */
kanon_status kn_clauses_init(kn_clauses *c, kanon_ctx *ctx, const kn_opt_space *space, size_t room);
void         kn_clauses_fini(kn_clauses *c);
void         kn_clauses_clear(kn_clauses *c);
/** Adds an infeasible node, unless a clause implies it; drops those that it implies.
 *  @return false: there is no room */
bool kn_clauses_add(kn_clauses *c, const uint8_t *a);
/** Keeps the better half: those with a price, then the newer ones. */
void kn_clauses_halve(kn_clauses *c);
/** Those that lo does not satisfy. */
void kn_clauses_open(const kn_clauses *c, const uint8_t *lo, uint64_t *open);
/** open loses those that x_d >= step satisfies. */
void kn_clauses_satisfy(const kn_clauses *c, size_t d, unsigned step, uint64_t *open);
/** Raises lo where a clause leaves only one way within [lo, hi], and takes what is satisfied out of open.
 *  Once is enough: raising lo leaves no other clause with fewer ways. @return -1: a clause has none, so the
 *  box holds no feasible node; else how many were raised */
int kn_clauses_propagate(const kn_clauses *c, uint64_t *open, uint8_t *lo, const uint8_t *hi);

/* --- boxes -------------------------------------------------------------------------------------------- */

/** All nodes between lo and hi, as one block of bytes; see kn_opt.stride. */
typedef struct kn_box {
    double   bound; /* no node in it has a smaller loss */
    uint64_t lo_outlying;
} kn_box;

typedef struct kn_opt kn_opt;

/** What one item of work gets and what it gives; filled by one worker, merged in order. */
typedef struct kn_opt_item {
    char     *box;   /* in */
    uint64_t  quota; /* looks at the data */
    uint64_t  spent;
    char     *boxes; /* out, [KN_OPT_OUT_MOST] */
    size_t    nboxes;
    uint8_t  *clauses; /* out, [KN_OPT_LEARN_MOST][n] */
    size_t    nclauses;
    uint32_t *priced; /* out, [KN_OPT_PRICED_MOST]: shared clauses that had a price, and which */
    float    *prices;
    size_t    npriced;
    bool      found;
    uint8_t   node[KN_QUASI_MOST]; /* best node of the item, if found */
    uint8_t   x[KN_QUASI_MOST];    /* the same in steps */
    kn_score  score;
} kn_opt_item;

enum { KN_OPT_LEARN_MOST = 448, KN_OPT_OUT_MOST = 512, KN_OPT_PRICED_MOST = 512 };

typedef struct kn_opt_active {
    uint32_t start, count; /* literals */
    uint32_t clause;
    uint32_t own; /* of the worker's own clauses */
} kn_opt_active;

typedef struct kn_opt_literal {
    uint16_t axis;
    uint16_t step; /* a_d */
} kn_opt_literal;

typedef struct kn_opt_scanned {
    uint32_t clause;
    uint16_t live, own; /* ways to satisfy it within the box; of the worker's own clauses */
} kn_opt_scanned;

enum { KN_OPT_ACTIVE_MOST = 8192 };

/** Scratch memory of one thread, and the box that it works on. */
typedef struct kn_opt_worker {
    kn_opt      *o;
    unsigned     number;
    kn_opt_item *item;
    kn_refiner  *refiner;
    kn_stripped *now, *next;   /* classes of `at` */
    kn_stripped *one;          /* classes of one axis */
    uint8_t     *lo, *hi, *at; /* [n] */
    uint8_t     *x, *y, *a;    /* [n] scratch; a is learn's */
    char        *box;          /* scratch */
    bool        *known;        /* [n]: hi with lo here is known to be feasible */
    uint64_t     lo_outlying;  /* lo is feasible with so many; UINT64_MAX: not known to be */
    double       bound;        /* of the box */
    double       lost_least;   /* what a suppressed row adds at least, anywhere in the box */
    double       best;         /* loss to beat */
    bool         moved_free;   /* hi has come down since it was offered */
    bool         stop;         /* quota or time is over */
    uint64_t     tests;        /* infeasible ones, for the choice of what to learn from */
    kn_rng       rng;
    /* clauses */
    kn_clauses own;
    uint64_t  *open, own_open[KN_OPT_BLOCK];
    double    *price, own_price[KN_OPT_OWN];
    double *value; /* [rows]: what a step costs, less the prices of the clauses that it satisfies */
    double *least; /* [n]: the smallest value within the box */
    double  sum;   /* the bound that they make */
    kn_opt_active  *active;
    size_t          nactive;
    kn_opt_literal *literals;
    kn_opt_scanned *scanned;
    uint32_t       *sorted; /* [as many]: places in scanned, then in active */
    size_t          nscanned;
    uint32_t       *order; /* [n] scratch */
    double         *rank;  /* [n] scratch */
} kn_opt_worker;

typedef struct kn_opt_place {
    double   bound;
    uint64_t number; /* in order of making; among equal bounds the newest goes first */
    uint32_t slot;
} kn_opt_place;

/** The boxes that are open, smallest bound first. */
typedef struct kn_opt_heap {
    kn_opt_place *places;
    char        **chunks; /* of KN_OPT_CHUNK boxes each */
    uint32_t     *unused; /* slots to be used again */
    size_t        count, places_room, nchunks, chunks_room, nunused, unused_room;
    size_t        made, most;
    uint64_t      number;
} kn_opt_heap;

enum { KN_OPT_CHUNK = 1024 };

struct kn_opt {
    kn_search_env    *env;
    kanon_ctx        *ctx;
    const kn_privacy *privacy;
    bool              monotone; /* a node above a feasible one is no better */
    bool              flat;     /* the sum says nothing about the levels */
    kn_opt_space      space;
    kn_clauses        clauses;
    size_t            stride; /* bytes of a box: kn_box, lo, hi, known */
    kn_opt_worker    *workers;
    unsigned          nworkers;
    kn_opt_item      *items;
    size_t            nitems;
    kn_opt_heap       heap;
    size_t            active_most;  /* clauses that make a bound */
    size_t            path;         /* boxes along one path */
    size_t            dives;        /* boxes that an item takes from its own leftovers */
    unsigned          passes, cuts; /* over the clauses for a bound; new clauses sought a box */
    unsigned          phase;
    size_t            at; /* within the phase */
    uint64_t          rounds, local_spent, box_spent, effort, seed;
    uint8_t          *incumbent; /* [n] */
    kn_cover          cover; /* for lattices that are small enough to have a bit for each node */
    bool              covers;
};

static inline kn_box *
kn_opt_head(char *box)
{
    return (kn_box *) (void *) box;
}
static inline uint8_t *
kn_opt_lo(char *box)
{
    return (uint8_t *) box + sizeof(kn_box);
}
static inline uint8_t *
kn_opt_hi(const kn_opt *o, char *box)
{
    return (uint8_t *) box + sizeof(kn_box) + o->space.n;
}
/** [n]: known. */
static inline uint8_t *
kn_opt_flags(const kn_opt *o, char *box)
{
    return (uint8_t *) box + sizeof(kn_box) + 2 * o->space.n;
}

/** Every node of the box has at least this step. */
void kn_opt_raise(kn_opt_worker *w, size_t d, unsigned step);
/** May there be another look at the data? Counts it. */
bool kn_opt_look(kn_opt_worker *w);
/** A feasible node with so many outlying rows: measured and kept if it may be the best. */
void kn_opt_offer(kn_opt_worker *w, const uint8_t *x, uint64_t outlying);
/** Works on the item's box until it is closed, or its quota or path ends; leaves what is open in the item.
 *  */
void kn_opt_dive(kn_opt_worker *w);

/** Raises the box's bound by the clauses' dual, in so many passes, and narrows the box to what can still
 *  beat w->best. @return false: nothing can */
bool kn_opt_bound(kn_opt_worker *w, unsigned passes);
/** A node of the box that satisfies every clause, cheap, into x. */
void kn_opt_cover(kn_opt_worker *w, uint8_t *x);
/** Raises x where that costs least to satisfy the clause a. */
void kn_opt_satisfy(const kn_opt_worker *w, const uint8_t *a, uint8_t *x);

/** Widens the infeasible node b to a maximal one and keeps it as a clause. */
void kn_opt_learn(kn_opt_worker *w, const uint8_t *b);
/** The maximal infeasible nodes of d and one other axis. */
void kn_opt_learn_pairs(kn_opt_worker *w, size_t d);

kanon_status kn_opt_heap_push(kn_opt *o, const char *box);
/** The box with the smallest bound; *box is overwritten. @return false: there is none */
bool   kn_opt_heap_pop(kn_opt *o, char *box);
double kn_opt_heap_bound(const kn_opt *o);
void   kn_opt_heap_fini(kn_opt *o);

/** Iterated local search from the best node known. */
void kn_opt_local(kn_opt_worker *w, const uint8_t *start);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* refine_state.h -- the inside of the refinement: classes as boxes of narrow lanes, and the regions that
 * threads work on.
 * A row is a vector of 16-bit ranks, eight to a block. A class keeps the least and the second least, the
 * greatest and the second greatest rank of every column: so the box that stays when any one of its rows
 * leaves is known without looking at the others. All that a move must know of a box with up to eight
 * columns is one cache line. */
#ifndef KN_REFINE_STATE_H
#define KN_REFINE_STATE_H

#include "base/rng.h"
#include "cluster/neighbours.h"
#include "cluster/refine.h"
#include "cluster/refine_rules.h"

enum {
    KN_NOWHERE = UINT16_MAX, /* the region of rows that are left as they are */
    KN_PARTS_MOST = 8,       /* classes that are rebuilt together */
    KN_CHOICE = 6            /* a new class is chosen from this many times k rows */
};

/** A part of the classes that one thread works on for an epoch. */
typedef struct kn_region {
    uint32_t  first, rows; /* of region_rows */
    uint32_t  classes;
    uint32_t *spare; /* numbers of classes that are empty */
    uint32_t  nspare;
    uint64_t  room;          /* rows that may be suppressed in addition */
    uint64_t  budget, spent; /* box costs computed */
    int64_t   change;        /* of the total cost */
    int64_t   suppressed;    /* rows more, or less */
} kn_region;

/** Scratch memory of a worker; all [desk rows] but for boxes. */
typedef struct kn_refine_scratch {
    uint32_t *rows, *to, *old, *least, *costs, *sizes, *asked;
    kn_lanes *lanes; /* [desk rows * blocks] */
    kn_lanes *boxes; /* [(KN_PARTS_MOST + 1) * 4 * blocks] */
    void     *memory, *vectors;
} kn_refine_scratch;

typedef struct kn_annealer {
    kn_cluster_env    *env;
    const kn_space    *space;
    kn_neighbours      near;
    kn_refine_rules    rules;
    size_t             blocks;  /* of lanes in a row */
    uint32_t           k, most; /* rows of a class, at least and at most */
    uint32_t           slots, rows;
    uint32_t           parts; /* classes that are rebuilt together, at most */
    bool               plain; /* k is all that is asked for */
    kn_lanes          *lanes; /* [rows * blocks] */
    kn_lanes          *boxes; /* [slots * 4 * blocks]: least, second, greatest, second greatest */
    uint32_t          *size, *cost; /* [slots] */
    uint32_t          *members;     /* [slots * most] */
    uint32_t          *place;       /* [rows] among the members */
    uint32_t          *class_of;    /* [rows]; slots and above: left alone */
    uint16_t          *region_of;   /* [rows] */
    uint32_t          *region_rows; /* [rows] */
    kn_region         *regions;
    uint32_t           nregions;
    uint32_t          *spare; /* [slots] memory of the regions' */
    kn_refine_scratch *desks; /* one a worker */
    unsigned           nworkers;
    uint64_t           allowed, suppressed; /* rows */
    uint64_t           total, fixed;        /* cost; that of rows which are left alone */
    uint64_t           seed, epoch;
    double             heat;       /* the temperature, in units of cost */
    float              logs[4096]; /* -log of evenly spread probabilities */
    void              *raw[2];     /* memory of lanes and boxes */
} kn_annealer;

/** Takes a partition over. Classes of 2k rows and more are cut, as that costs nothing and mostly gains. */
kanon_status kn_annealer_new(kn_cluster_env *env, const kn_partition *partition, kn_annealer **out);
void         kn_annealer_free(kn_annealer *s);
/** The box of a class anew from its members, and its cost. */
void kn_annealer_rebox(kn_annealer *s, uint32_t class);
/** The total cost, computed anew from the members. */
uint64_t kn_annealer_recount(kn_annealer *s);
/** The total cost as the space has it, which differs where columns are searched in bins. */
uint64_t kn_annealer_exact(const kn_annealer *s);

/** Cuts the classes into regions along a random order, deals out what is spare, and shares the budget. */
kanon_status kn_annealer_deal(kn_annealer *s, kn_rng *rng, uint64_t budget);

/** Works on one region until its budget is spent: for rows of one block, and of any number. */
void kn_refine_narrow(void *refiner, size_t region, unsigned worker);
void kn_refine_wide(void *refiner, size_t region, unsigned worker);

/** Cuts classes that are large enough in two, again and again. order[rows]: the rows by class, those without
 *  one last; ends: where each class ends, freed by the caller. */
kanon_status kn_refine_cut(kn_cluster_env *env, const kn_refine_rules *rules,
                           const kn_partition *partition, uint32_t *order, uint32_t **ends,
                           uint32_t *nends);

#endif

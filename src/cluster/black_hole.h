/* black_hole.h -- the black-hole algorithm (Hatamlou 2013) on partitions, which `kab` and `bha` share: stars
 * are partitions, the best one is the black hole, the others move towards it, and one that comes too near is
 * replaced by a new one. */
#ifndef KN_BLACK_HOLE_H
#define KN_BLACK_HOLE_H

#include "cluster/partition_blocks.h"

typedef struct kn_black_hole_options {
    size_t stars, iterations;
    enum { KN_MOVE_GROUPING, KN_MOVE_ANY, KN_MOVE_LITERAL } move; /* in the order of KN_MOVES */
    bool             horizon; /* stars that come too near are replaced */
    size_t           block;   /* tuples; 0: all in one */
    kn_block_method  star;    /* makes a star, block by block: every row in a class that may be */
    const kn_values *values;  /* for it */
} kn_black_hole_options;

/** The moves as a parameter. */
#define KN_MOVES "grouping|any|literal"
#define KN_MOVES_HELP                                                                              \
    "classes of the best star are adopted if their rows cost less there, or in any case; "         \
    "literal: "                                                                                    \
    "the paper's arithmetic on numbers of classes"

/** The best star of all. When it is late before there is one, what there is of the first. */
kanon_status kn_black_hole(kn_cluster_env *env, const kn_black_hole_options *options,
                           kn_partition *out);

#endif

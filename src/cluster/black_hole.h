/* SPDX-License-Identifier: Apache-2.0 */
/* black_hole.h -- the black-hole algorithm (Hatamlou 2013) on partitions, which `kab` and `bha` share: stars
 * are partitions, the best one is the black hole, the others move towards it, and one that comes too near is
 * replaced by a new one. */
#ifndef KN_BLACK_HOLE_H
#define KN_BLACK_HOLE_H

#include "cluster/partition_blocks.h"

/** Parameters that both have in common, in the order of their tables; own ones follow. */
enum {
    KN_HOLE_STARS,
    KN_HOLE_ITERATIONS,
    KN_HOLE_MOVE,
    KN_HOLE_HORIZON,
    KN_HOLE_BLOCK,
    KN_HOLE_PARAMS
};

/* clang-format off */
#define KN_BLACK_HOLE_PARAMS(block)                                                                \
    { "stars", "integer", 1, 1000, "3", "partitions that move" },                                  \
    { "iterations", "integer", 0, 1e6, "10", "moves of each star" },                               \
    { "move", "grouping|any|literal", 0, 0, "grouping",                                            \
      "grouping: adopt classes of the best star if their rows cost less there; any: always; "      \
      "literal: the paper's arithmetic on class numbers" },                                        \
    { "horizon", "on|off", 0, 0, "on", "replace stars too near to the best one by new ones" },     \
    KN_PARAM_BLOCK(block)
/* clang-format on */

/** Puts the rows of a star that may not stay into other classes. */
kanon_status kn_star_repair(kn_partition_block *block, kn_mending *mender);
/** The best star of all; `star` makes one, block by block: every row in a class that may be. When it is late
 *  before there is one, what there is of the first. */
kanon_status kn_black_hole(kn_cluster_env *env, const kn_values *values,
                           kn_partition_block_method star, kn_partition *out);

#endif

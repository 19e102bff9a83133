/* SPDX-License-Identifier: Apache-2.0 */
/* tabu_walk.h -- tabu walks through the lattice, as `tabu` and `ga-tabu` share them (Run, Kim and Lee,
 * Section III). Several walks go in step, so that the threads have the neighbours of all of them to
 * check at once. */
#ifndef KN_TABU_WALK_H
#define KN_TABU_WALK_H

#include "search/search.h"

/* --- the tabu list ----------------------------------------------------------------------------------- */

/** Nodes where a walk has been: at most `room` of them, the newest, each for `tenure` cycles. */
typedef struct kn_tabu {
    kanon_ctx *ctx;
    size_t     n, room, count, next;
    uint64_t   tenure;
    uint8_t   *nodes; /* [room][n], a ring */
    uint64_t  *until; /* the last cycle in which a node is tabu */
} kn_tabu;

/** Zeroed before; kn_tabu_fini() accepts a half-done init. */
kanon_status kn_tabu_init(kn_tabu *tabu, kanon_ctx *ctx, size_t n, size_t room, uint64_t tenure);
void         kn_tabu_fini(kn_tabu *tabu);
void         kn_tabu_clear(kn_tabu *tabu);
/** From the next cycle on the node is tabu; with a full list the oldest one is free again. */
void kn_tabu_add(kn_tabu *tabu, const uint8_t *node, uint64_t now);
bool kn_tabu_holds(const kn_tabu *tabu, const uint8_t *node, uint64_t now);

/* --- neighbours and candidates ----------------------------------------------------------------------- */

/** How many neighbours each node of a lattice has. */
size_t kn_neighbour_count(const kn_lattice *lattice);
/** All nodes within the bounds that differ from a node in exactly one component, by whatever many levels.
 *  out has room for kn_neighbour_count() of them. */
void kn_neighbours(const kn_lattice *lattice, const uint8_t *node, uint8_t *out);

/** Nodes to draw from, by their numbers; drawing changes the order. */
typedef struct kn_tabu_side {
    size_t *numbers;
    size_t  count;
} kn_tabu_side;

typedef struct kn_draw {
    size_t most;
    double share; /* of the feasible ones */
} kn_draw;

/** Draws up to `most` different numbers: each time from the feasible ones with probability `share`, as long
 *  as there are both, and uniformly within a side. What is drawn moves to the end of its side, which gets
 *  shorter. @return how many were drawn; chosen has room for `most` */
size_t kn_draw_candidates(const kn_draw *how, kn_rng *rng, kn_tabu_side *feasible,
                          kn_tabu_side *infeasible, size_t *chosen);

/* --- walks ------------------------------------------------------------------------------------------- */

typedef struct kn_walk_rules {
    kn_draw  draw;
    size_t   list;
    uint64_t tenure;
    bool     literal; /* all candidates are where the next cycle starts, not the best one */
} kn_walk_rules;

typedef struct kn_walks kn_walks;

kanon_status kn_walks_new(kn_search_env *env, const kn_walk_rules *rules, size_t count,
                          kn_walks **out);
void         kn_walks_free(kn_walks *walks);
/** Each walk starts anew from its node of nodes[count][n], which has been checked. */
void kn_walks_start(kn_walks *walks, const uint8_t *nodes, const kn_score *scores);
/** One cycle of each: check the neighbours, draw candidates, go there, update the tabu list. */
kanon_status kn_walks_cycle(kn_walks *walks, kn_search_env *env);
/** Where a walk stands: nodes[*count][n], more than one only where the rules are literal. */
const uint8_t *kn_walks_at(const kn_walks *w, size_t i, size_t *count);
/** The best node that a walk has seen: the least loss of the feasible ones; where there is none, the
 *  infeasible one that is nearest to feasible. */
const uint8_t *kn_walks_best(const kn_walks *w, size_t i, kn_score *score);

/* --- parameters that `tabu` and `ga-tabu` have in common, in the order of their tables ------------------ */

enum { KN_WALK_CANDIDATES, KN_WALK_FEASIBLE_SHARE, KN_WALK_LIST, KN_WALK_TENURE, KN_WALK_MOVE };

/* clang-format off */
#define KN_WALK_PARAMS                                                                             \
    { "candidates", "integer", 1, 100000, "20", "neighbours drawn in each cycle of a walk" },      \
    { "feasible-share", "number", 0, 1, "0.7", "probability of drawing a feasible neighbour" },   \
    { "tabu-list", "integer", 0, 100000, "6", "nodes that a walk remembers not to enter" },        \
    { "tenure", "integer", 0, 1e9, "7", "cycles after which such a node is free again" },          \
    { "walk", "best|literal", 0, 0, "best", "go to the best candidate; literal: to all of them" }
/* clang-format on */

/** values: from KN_WALK_CANDIDATES on. */
kn_walk_rules kn_walk_rules_of(const double *values);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* population.h -- a population of nodes as `ga` and `ga-tabu` share it: a wheel of fortune over 1/loss,
 * one-point crossover of pairs, and the children that take the place of their parents (Run, Kim and Lee,
 * "A new approach for k-anonymity based on tabu search and genetic algorithm", Section III). */
#ifndef KN_POPULATION_H
#define KN_POPULATION_H

#include "search/search.h"

typedef struct kn_population {
    kanon_ctx *ctx;
    size_t     n, count;
    uint8_t   *nodes;    /* [count + 1][n] */
    uint8_t   *children; /* [count + 1][n]: pairs, so one more where count is odd */
    kn_score  *scores;   /* of nodes */
    double    *wheel;
} kn_population;

/** Zeroed before; kn_population_fini() accepts a half-done init. */
kanon_status kn_population_init(kn_population *p, kanon_ctx *ctx, size_t n, size_t count);
void         kn_population_fini(kn_population *p);

/** Uniform nodes within the bounds, checked. */
kanon_status kn_population_first(kn_population *p, kn_search_env *env);
/** Draws parents from the wheel and fills children with `count` crossed ones, not checked yet. */
void kn_population_breed(kn_population *p, const kn_lattice *lattice, kn_rng *rng);
/** The children are the population now, and their scores have to be set. */
void kn_population_replace(kn_population *p);

/** Running sums of the members' shares. A feasible node has 1/loss, where a loss below a billionth of the
 *  greatest one counts as that: a loss of zero then takes nearly the whole wheel, and nothing beats it. An
 *  infeasible node has at most half the smallest share of a feasible one, the less the lower it lies. */
void kn_wheel_fill(const kn_population *p, const kn_lattice *lattice, double *wheel);
/** The member whose part of the wheel is hit. */
size_t kn_wheel_spin(const double *wheel, size_t count, kn_rng *rng);

/** Exchanges the components from `cut` on. */
void kn_cross_at(size_t n, size_t cut, uint8_t *a, uint8_t *b);

#endif

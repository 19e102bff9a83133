/* SPDX-License-Identifier: Apache-2.0 */
/* ga.c -- the plain genetic algorithm that Run, Kim and Lee ("A new approach for k-anonymity based on tabu
 * search and genetic algorithm") compare with: a wheel of fortune over 1/loss, one-point crossover of pairs,
 * mutation, and children that take the place of the whole population.
 * Where we depart from the paper, and why: see docs/algorithms/ga.md.
 * Cost: population * (cycles + 1) nodes at most, in one batch a cycle. */
#include "search/kgen.h"
#include "search/population.h"

enum { PARAM_POPULATION, PARAM_CYCLES, PARAM_MUTATION, PARAM_EVALUATIONS };

typedef struct state {
    kn_population population;
    uint64_t      cycles, done;
    double        mutation;
    bool          started;
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state *s = self;

    s->cycles = (uint64_t) values->number[PARAM_CYCLES];
    s->mutation = values->number[PARAM_MUTATION];
    return kn_population_init(&s->population, kn_env_ctx(env), kn_env_lattice(env)->n,
                              (size_t) values->number[PARAM_POPULATION]);
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state            *s = self;
    kn_population    *p = &s->population;
    const kn_lattice *l = kn_env_lattice(env);
    kn_rng           *rng = kn_env_rng(env);

    if (!s->started) {
        s->started = true;
        return kn_population_first(p, env);
    }
    kn_population_breed(p, l, rng);
    kn_population_replace(p);
    for (size_t i = 0; i < p->count; i++)
        if (kn_rng_unit(rng) < s->mutation)
            kn_kgen_mutate(l, rng, p->nodes + i * p->n);
    if (++s->done >= s->cycles) {
        kn_env_stopped(env, "cycles");
        *next = KN_STEP_DONE;
    }
    return kn_env_check_many(env, p->nodes, p->count, p->scores);
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    KN_UNUSED(env);
    kn_population_fini(&s->population);
}

static const kanon_param params[] = {
    { "population", "integer", 2, 100000, "20", "nodes in a population" },
    { "cycles", "integer", 1, 1e9, "300", "generations" },
    { "mutation", "number", 0, 1, "1", "probability that one level of a child is changed" },
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks; 1e15: no limit" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_ga = {
    { "ga", "a plain genetic algorithm, for comparison", "docs/algorithms/ga.md",
      KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, "dm" },
    sizeof(state),
    init,
    step,
    fini,
};

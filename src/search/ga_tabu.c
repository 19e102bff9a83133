/* SPDX-License-Identifier: Apache-2.0 */
/* ga_tabu.c -- the hybrid of Run, Kim and Lee ("A new approach for k-anonymity based on tabu search and
 * genetic algorithm"): the genetic algorithm of ga.c in which a tabu walk takes the place of mutation. Each
 * child is where a walk starts, and the best node that the walk sees is who joins the next population.
 * The walks of one generation go in step, so that the threads have work; one step of the search is one
 * cycle of all of them, so that time and cancel are looked at often.
 * Where we depart from the paper, and why: see docs/algorithms/ga-tabu.md. */
#include "search/population.h"
#include "search/tabu_walk.h"

enum { PARAM_POPULATION, PARAM_CYCLES, PARAM_TABU_CYCLES, PARAM_EVALUATIONS, PARAM_WALK };

typedef struct state {
    kn_population population;
    kn_walks     *walks;
    uint64_t      cycles, done;           /* of the genetic algorithm */
    uint64_t      tabu_cycles, tabu_done; /* of the walks; 0: they have to start */
    bool          started;
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    kanon_status  rc = KANON_OK;
    state        *s = self;
    kn_walk_rules rules = kn_walk_rules_of(values->number + PARAM_WALK);
    size_t        population = (size_t) values->number[PARAM_POPULATION];

    s->cycles = (uint64_t) values->number[PARAM_CYCLES];
    s->tabu_cycles = (uint64_t) values->number[PARAM_TABU_CYCLES];
    KN_TRY(kn_population_init(&s->population, kn_env_ctx(env), kn_env_lattice(env)->n, population));
    KN_TRY(kn_walks_new(env, &rules, population, &s->walks));
out:
    return rc;
}

/* A generation begins: the children replace their parents, and a walk starts from each. */
static kanon_status
begin(state *s, kn_search_env *env)
{
    kn_population *p = &s->population;
    kanon_status   rc;

    kn_population_breed(p, kn_env_lattice(env), kn_env_rng(env));
    kn_population_replace(p);
    rc = kn_env_check_many(env, p->nodes, p->count, p->scores);
    if (rc == KANON_OK)
        kn_walks_start(s->walks, p->nodes, p->scores);
    return rc;
}

/* The walks are over: what they found is the population. */
static void
finish(state *s)
{
    kn_population *p = &s->population;

    for (size_t i = 0; i < p->count; i++)
        memcpy(p->nodes + i * p->n, kn_walks_best(s->walks, i, &p->scores[i]), p->n);
    s->tabu_done = 0;
    s->done++;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    kanon_status rc = KANON_OK;
    state       *s = self;

    if (!s->started) {
        s->started = true;
        return kn_population_first(&s->population, env);
    }
    if (s->tabu_done == 0)
        KN_TRY(begin(s, env));
    KN_TRY(kn_walks_cycle(s->walks, env));
    if (++s->tabu_done >= s->tabu_cycles)
        finish(s);
    if (s->done >= s->cycles) {
        kn_env_stopped(env, "cycles");
        *next = KN_STEP_DONE;
    }
out:
    return rc;
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    KN_UNUSED(env);
    kn_population_fini(&s->population);
    kn_walks_free(s->walks);
}

static const kanon_param params[] = {
    { "population", "integer", 2, 10000, "20", "nodes in a population, and walks in a generation" },
    { "cycles", "integer", 1, 1e9, "20", "generations" },
    { "tabu-cycles", "integer", 1, 1e9, "20", "steps of the walk that starts from each child" },
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks; 1e15: no limit" },
    KN_WALK_PARAMS,
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_ga_tabu = {
    { "ga-tabu", "a genetic algorithm with tabu walks in place of mutation",
      "docs/algorithms/ga-tabu.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, "dm" },
    sizeof(state),
    init,
    step,
    fini,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* tabu.c -- one tabu walk from a random node (Run, Kim and Lee, "A new approach for k-anonymity based on tabu
 * search and genetic algorithm"). Where we depart from the paper, and why: see docs/algorithms/tabu.md. */
#include "search/tabu_walk.h"

enum { PARAM_CYCLES, PARAM_EVALUATIONS, PARAM_WALK };

typedef struct state {
    kn_walks *walks;
    uint64_t  cycles, done;
    bool      started;
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state        *s = self;
    kn_walk_rules rules = kn_walk_rules_of(values->number + PARAM_WALK);

    s->cycles = (uint64_t) values->number[PARAM_CYCLES];
    return kn_walks_new(env, &rules, 1, &s->walks);
}

static kanon_status
start(state *s, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    uint8_t           node[KN_QUASI_MOST];
    kn_score          score;
    kanon_status      rc;

    kn_node_random(l->n, l->floor, l->top, kn_env_rng(env), node);
    rc = kn_env_check(env, node, &score);
    kn_walks_start(s->walks, node, &score);
    s->started = true;
    return rc;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state *s = self;

    if (!s->started)
        return start(s, env);
    if (++s->done >= s->cycles) {
        kn_env_stopped(env, "cycles");
        *next = KN_STEP_DONE;
    }
    return kn_walks_cycle(s->walks, env);
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    KN_UNUSED(env);
    kn_walks_free(s->walks);
}

static const kanon_param params[] = {
    { "cycles", "integer", 1, 1e9, "300", "steps of the walk" },
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks; 1e15: no limit" },
    KN_WALK_PARAMS,
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_tabu = {
    { "tabu", "tabu search: a walk from neighbour to neighbour that does not turn back",
      "docs/algorithms/tabu.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, "dm" },
    sizeof(state),
    init,
    step,
    fini,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* random.c -- uniform random nodes within the bounds: the baseline of the KGEN paper. */
#include "search/search.h"

enum { BATCH = 100 };

typedef struct state {
    uint8_t  *nodes;
    kn_score *scores;
    uint64_t  left; /* draws, so that a lattice smaller than the budget ends too */
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state *s = self;

    s->left = (uint64_t) values->number[0];
    s->nodes = KN_NEW_ARRAY(kn_env_ctx(env), uint8_t, BATCH * kn_env_lattice(env)->n);
    s->scores = KN_NEW_ARRAY(kn_env_ctx(env), kn_score, BATCH);
    return s->nodes && s->scores ? KANON_OK : kn_fail_nomem(kn_env_ctx(env));
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state            *s = self;
    const kn_lattice *l = kn_env_lattice(env);
    size_t            count = s->left < BATCH ? (size_t) s->left : BATCH;

    for (size_t i = 0; i < count; i++)
        kn_node_random(l->n, l->floor, l->top, kn_env_rng(env), s->nodes + i * l->n);
    s->left -= count;
    if (s->left == 0) {
        kn_env_stopped(env, "max-evaluations");
        *next = KN_STEP_DONE;
    }
    return kn_env_check_many(env, s->nodes, count, s->scores);
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    kn_free(kn_env_ctx(env), s->nodes);
    kn_free(kn_env_ctx(env), s->scores);
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "5000", "number of nodes drawn" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_random = {
    { "random", "uniform random nodes: the baseline that a search must beat",
      "docs/algorithms/random.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, "log" },
    sizeof(state),
    init,
    step,
    fini,
};

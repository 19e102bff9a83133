/* SPDX-License-Identifier: Apache-2.0 */
/* datafly.c -- Datafly (Sweeney, "Datafly: a system for providing anonymity in medical data", 1998): while
 * too many rows are outlying, generalize the quasi-identifier with the most different values.
 * Where we depart from the paper (more in docs/algorithms/datafly.md):
 *  - The walk begins at the lower bounds. It ends at the paper's node or below it.
 *  - Rows may be suppressed up to the job's limit, not up to k of them.
 *  - Equal numbers of values: the first column.
 * Cost: as many checks as there are levels at most, one after the other. */
#include "search/search.h"

typedef struct state {
    uint8_t node[KN_QUASI_MOST];
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state *s = self;

    (void) values; /* the driver keeps the budget */
    memcpy(s->node, kn_env_lattice(env)->floor, kn_env_lattice(env)->n);
    return KANON_OK;
}

/* One level up where most values are left; false at the top, which may be infeasible where a privacy model is
 * not monotone. */
static bool
climb(state *s, const kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            most = SIZE_MAX;
    uint32_t          count = 0;

    for (size_t i = 0; i < l->n; i++) {
        uint32_t here = kn_env_groups(env, i, s->node[i]);

        if (s->node[i] < l->top[i] && (most == SIZE_MAX || here > count)) {
            most = i;
            count = here;
        }
    }
    if (most == SIZE_MAX)
        return false;
    s->node[most]++;
    return true;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state       *s = self;
    kanon_status rc = KANON_OK;
    kn_score     score;

    KN_TRY(kn_env_check(env, s->node, &score));
    if (score.feasible || !climb(s, env))
        *next = KN_STEP_DONE;
out:
    return rc;
}

static void
fini(void *self, kn_search_env *env)
{
    (void) self;
    (void) env;
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_datafly = {
    { "datafly",
      "Datafly: generalizes the column with the most values until the table is k-anonymous",
      "docs/algorithms/datafly.md", 0, params, "log" },
    sizeof(state),
    init,
    step,
    fini,
};

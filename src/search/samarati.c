/* SPDX-License-Identifier: Apache-2.0 */
/* samarati.c -- binary search on the height of the lattice (Samarati, "Protecting respondents' identities in
 * microdata release", 2001): where a height has a feasible node, every greater one has, too. So the least
 * such height is found by halving, and the answer is the best feasible node of that height.
 * Where we depart from the paper (more in docs/algorithms/samarati.md):
 *  - A node is checked by counting classes, not by vectors of distances between pairs of rows.
 *  - Which of the nodes of the least height is the answer, the job's metric says; and where a node that was
 *    seen on the way up or down loses less than all of them, that one is.
 *  - At the end the height above is asked whether anything there could lose less. Where the answer is no
 *    (with `height` it always is), the answer is proven.
 * Cost: the nodes of about log2(height) heights at most; those that are decided are not checked. */
#include "search/sweep.h"

enum { BATCH = 128, VISITS = 1024 };
enum { PARAM_EVALUATIONS, PARAM_MOST_NODES };

typedef enum { PHASE_HALVE, PHASE_CHOOSE, PHASE_PROVE } phase;

typedef struct state {
    kn_sweep sweep; /* first: kn_sweep_close() casts to it */
    phase    now;
    unsigned low, high; /* the least height with a feasible node is one of low..high */
    kn_scan  scan;      /* at the height that is gone through */
} state;

static void
enter(state *s, kn_search_env *env, phase next, unsigned height)
{
    const kn_lattice *l = kn_env_lattice(env);

    s->now = next;
    kn_scan_begin(&s->scan, l->floor, l->top, height);
}

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state            *s = self;
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);

    KN_TRY(kn_sweep_allow(env, "samarati", values->number[PARAM_MOST_NODES]));
    KN_TRY(kn_sweep_init(&s->sweep, env, BATCH));
    s->low = kn_node_height(l->n, l->floor);
    s->high = kn_node_height(l->n, l->top);
    enter(s, env, PHASE_HALVE, s->low + (s->high - s->low) / 2);
out:
    return rc;
}

/* Goes on through a height until one feasible node is known, or until there is none. (No node below `high` is
 * known to be feasible, so every node that the scan passes over is infeasible.) */
static kanon_status
halve(state *s, kn_search_env *env)
{
    kanon_status  rc = KANON_OK;
    size_t        visits = VISITS;
    kn_scan_state at = KN_SCAN_FOUND;
    bool          found = false;

    if (s->low == s->high) {
        enter(s, env, PHASE_CHOOSE, s->low);
        return KANON_OK;
    }
    while (s->sweep.count < BATCH && (at = kn_scan_next(&s->scan, env, &visits)) == KN_SCAN_FOUND)
        kn_sweep_add(&s->sweep, s->scan.node);
    KN_TRY(kn_sweep_check(&s->sweep, env));
    for (size_t i = 0; i < s->sweep.checked; i++)
        found = found || s->sweep.scores[i].feasible;
    if (!found && at != KN_SCAN_END)
        goto out;
    if (found)
        s->high = s->scan.height;
    else
        s->low = s->scan.height + 1;
    enter(s, env, PHASE_HALVE, s->low + (s->high - s->low) / 2);
out:
    return rc;
}

/* All nodes of the least height that could be better than what is known. */
static kanon_status
choose(state *s, kn_search_env *env)
{
    kanon_status  rc = KANON_OK;
    size_t        visits = VISITS;
    kn_scan_state at = KN_SCAN_FOUND;

    while (s->sweep.count < BATCH && (at = kn_scan_next(&s->scan, env, &visits)) == KN_SCAN_FOUND)
        if (!kn_loss_less(kn_env_best(env), kn_env_bound(env, s->scan.node)))
            kn_sweep_add(&s->sweep, s->scan.node);
    KN_TRY(kn_sweep_check(&s->sweep, env));
    if (at == KN_SCAN_END)
        enter(s, env, PHASE_PROVE, s->scan.height + 1);
out:
    return rc;
}

/* Every greater node lies above one of the next height. If none of these leaves room for less loss, or only
 * above a feasible node where loss grows with the levels, the answer is the best of all. */
static void
prove(state *s, kn_search_env *env, kn_step *next)
{
    const kn_lattice *l = kn_env_lattice(env);
    kn_scan          *w = &s->scan;

    for (size_t visits = 0; visits < VISITS; visits++) {
        w->inside = w->inside ? kn_node_next(l->n, l->floor, l->top, w->node)
                              : kn_node_first(l->n, l->floor, l->top, w->height, w->node);
        if (!w->inside) {
            kn_env_proven(env);
            *next = KN_STEP_DONE;
            return;
        }
        if (kn_loss_less(kn_env_bound(env, w->node), kn_env_best(env))
            && !(kn_env_monotone(env) && kn_env_tag(env, w->node) == KN_TAG_FEASIBLE)) {
            *next = KN_STEP_DONE;
            return;
        }
    }
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state *s = self;

    switch (s->now) {
    case PHASE_HALVE:
        return halve(s, env);
    case PHASE_CHOOSE:
        return choose(s, env);
    default:
        prove(s, env, next);
        return KANON_OK;
    }
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { "max-nodes", "number", 1, 1e15, "1e8",
      "without a limit on time or checks, refuse lattices with more nodes than this" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_samarati = {
    { "samarati", "Samarati: the minimum height with a feasible node, and the best node there",
      "docs/algorithms/samarati.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_MONOTONE, params, "log" },
    sizeof(state),
    init,
    step,
    kn_sweep_close,
};

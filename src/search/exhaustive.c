/* SPDX-License-Identifier: Apache-2.0 */
/* exhaustive.c -- every node, or every node that is not decided already. With pruning the nodes that may
 * be the best are covered by looks at few, see cover.c. Lattices with too many nodes for that, and
 * searches without pruning, count through all nodes; with pruning those are passed over that monotonicity
 * or the best loss decides. Exact. */
#include "search/cover.h"
#include "search/sweep.h"

enum { BATCH = 256, VISITS = 4096 };
enum { PARAM_PRUNE, PARAM_MOST_NODES };
enum { PRUNE_ON, PRUNE_OFF };

typedef struct state {
    bool      prune;
    bool      covers;
    kn_cover  cover;
    bool      walking; /* a greedy walk down, before the nodes are counted through */
    bool      inside;  /* node is a valid position */
    size_t   *columns; /* the one that changes first */
    uint8_t  *node;
    uint8_t  *nodes; /* [BATCH] */
    kn_score *scores;
} state;

static void
order_columns(state *s, const kn_search_env *env, const kn_lattice *l)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t at = i;

        for (; at > 0
               && kn_env_groups(env, s->columns[at - 1], l->floor[s->columns[at - 1]])
                      > kn_env_groups(env, i, l->floor[i]);
             at--)
            s->columns[at] = s->columns[at - 1];
        s->columns[at] = i;
    }
}

/* Decided without a check: infeasible, or no better than what is known. A node above a feasible one may be
 * as good and suppress fewer rows, where raising a level costs nothing (a weight of 0). */
static bool
passed_over(const state *s, kn_search_env *env)
{
    double bound = kn_env_bound(env, s->node), best = kn_env_best(env);
    kn_tag tag;

    if (!s->prune)
        return false;
    if (kn_loss_less(best, bound))
        return true;
    tag = kn_env_tag(env, s->node);
    return tag == KN_TAG_INFEASIBLE
        || (tag == KN_TAG_FEASIBLE && kn_env_monotone(env) && kn_loss_less(bound, best));
}

/* Every node, like an odometer. The columns with many values change last, so that the nodes of a batch have
 * much in common and the table can be collapsed below them. */
static bool
count_up(state *s, const kn_lattice *l)
{
    if (!s->inside) {
        memcpy(s->node, l->floor, l->n);
        return s->inside = true;
    }
    for (size_t c = 0; c < l->n; c++) {
        size_t i = s->columns[c];

        if (s->node[i] < l->top[i]) {
            s->node[i]++;
            return true;
        }
        s->node[i] = l->floor[i];
    }
    return false;
}

/* One step of a greedy walk from the top: a good answer is there long before most nodes have had their turn,
 * and what cannot be better is passed over. node is where the walk stands. */
static kanon_status
walk_down(state *s, kn_search_env *env)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    size_t            count = 0, best = SIZE_MAX;

    for (size_t i = 0; i < l->n; i++)
        if (s->node[i] > l->floor[i]) {
            memcpy(s->nodes + count * l->n, s->node, l->n);
            s->nodes[count++ * l->n + i]--;
        }
    KN_TRY(kn_env_check_many(env, s->nodes, count, s->scores));
    for (size_t i = 0; i < count; i++)
        if (s->scores[i].feasible
            && (best == SIZE_MAX || kn_loss_less(s->scores[i].loss, s->scores[best].loss)))
            best = i;
    s->walking = best != SIZE_MAX;
    if (s->walking)
        memcpy(s->node, s->nodes + best * l->n, l->n);
out:
    return rc;
}

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state            *s = self;
    const kn_lattice *l = kn_env_lattice(env);
    kanon_ctx        *ctx = kn_env_ctx(env);
    kanon_status      rc = kn_sweep_allow(env, "exhaustive", values->number[PARAM_MOST_NODES]);

    if (rc < 0)
        return rc;
    s->prune = (int) values->number[PARAM_PRUNE] == PRUNE_ON;
    s->covers = s->prune && kn_cover_fits(l);
    s->columns = KN_NEW_ARRAY(ctx, size_t, l->n);
    s->node = KN_NEW_ARRAY(ctx, uint8_t, l->n);
    s->walking = s->prune && !s->covers;
    s->nodes = KN_NEW_ARRAY(ctx, uint8_t, (BATCH > l->n ? BATCH : l->n) * l->n);
    s->scores = KN_NEW_ARRAY(ctx, kn_score, BATCH > l->n ? BATCH : l->n);
    if (!s->columns || !s->node || !s->nodes || !s->scores)
        return kn_fail_nomem(ctx);
    order_columns(s, env, l);
    memcpy(s->node, l->top, l->n);
    if (!s->prune)
        kn_env_plain(env);
    if (s->covers)
        rc = kn_cover_init(&s->cover, env);
    return rc;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state            *s = self;
    const kn_lattice *l = kn_env_lattice(env);
    size_t            count = 0, visited = 0;

    if (s->covers)
        return kn_cover_step(&s->cover, env, next);
    if (s->walking)
        return walk_down(s, env);
    while (count < BATCH
           && visited++ < VISITS) { /* few visits, so that time and cancel are looked at often */
        if (!count_up(s, l)) {
            kn_env_proven(env);
            *next = KN_STEP_DONE;
            break;
        }
        if (!passed_over(s, env))
            memcpy(s->nodes + count++ * l->n, s->node, l->n);
    }
    return kn_env_check_many(env, s->nodes, count, s->scores);
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    kn_cover_fini(&s->cover);
    kn_free(kn_env_ctx(env), s->columns);
    kn_free(kn_env_ctx(env), s->node);
    kn_free(kn_env_ctx(env), s->nodes);
    kn_free(kn_env_ctx(env), s->scores);
}

static const kanon_param params[] = {
    { "prune", "on|off", 0, 0, "on", "off: check every node, even if monotonicity decides it" },
    { "max-nodes", "number", 1, 1e15, "1e8",
      "without a limit on time or checks, refuse lattices with more nodes than this" },
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_exhaustive = {
    { "exhaustive",
      "checks every node that others do not decide: proven optimal, for small lattices",
      "docs/algorithms/exhaustive.md", KANON_TRAIT_EXACT | KANON_TRAIT_ANYTIME, params, NULL },
    sizeof(state),
    init,
    step,
    fini,
};

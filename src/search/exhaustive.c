/* exhaustive.c -- every node, or every node that is not decided already.
 * With pruning, heights are visited in the order of a bisection (middle, quarters, eighths ...), so that
 * few checks decide most of the lattice by monotonicity; a node whose bound is above the best loss is
 * passed over as well. Nodes of one height do not imply each other, so they are checked in batches.
 * Cost: O(nodes) to enumerate, checks only where nothing is known. Exact. */
#include "search/sweep.h"

enum { BATCH = 256, VISITS = 4096 };
enum { PARAM_PRUNE, PARAM_MOST_NODES };
enum { PRUNE_ON, PRUNE_OFF };

typedef struct state {
    bool      prune;
    unsigned *heights; /* in the order of visiting */
    size_t    nheights, at;
    bool      inside;  /* node is a valid position within heights[at], or in the whole lattice */
    size_t   *columns; /* without pruning: the one that changes first */
    uint8_t  *node;
    uint8_t  *nodes;
    kn_score *scores;
} state;

/* Middle first, then the middles of the halves, level by level. */
static void
bisection_order(unsigned low, unsigned high, unsigned *order)
{
    size_t   count = 0, total = high - low + 1;
    unsigned parts = 1;
    bool     done;

    for (done = false; !done; parts *= 2) {
        for (unsigned p = 0; p < parts && count < total; p++) {
            uint64_t from = low + (uint64_t) p * total / parts,
                     to = low + (uint64_t) (p + 1) * total / parts;
            unsigned middle = (unsigned) ((from + to) / 2);
            bool     seen = from >= to;

            for (size_t i = 0; !seen && i < count; i++)
                seen = order[i] == middle;
            if (!seen)
                order[count++] = middle;
        }
        done = count == total || parts > 2 * total;
    }
    for (unsigned h = low; count < total; h++) {
        bool seen = false;

        for (size_t i = 0; !seen && i < count; i++)
            seen = order[i] == h;
        if (!seen)
            order[count++] = h;
    }
}

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

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state            *s = self;
    const kn_lattice *l = kn_env_lattice(env);
    kanon_ctx        *ctx = kn_env_ctx(env);
    unsigned          low = kn_node_height(l->n, l->floor), high = kn_node_height(l->n, l->top);
    kanon_status      rc = kn_sweep_allow(env, "exhaustive", values->number[PARAM_MOST_NODES]);

    if (rc < 0)
        return rc;
    s->prune = (int) values->number[PARAM_PRUNE] == PRUNE_ON;
    s->nheights = high - low + 1;
    s->heights = KN_NEW_ARRAY(ctx, unsigned, s->nheights);
    s->columns = KN_NEW_ARRAY(ctx, size_t, l->n);
    s->node = KN_NEW_ARRAY(ctx, uint8_t, l->n);
    s->nodes = KN_NEW_ARRAY(ctx, uint8_t, BATCH * l->n);
    s->scores = KN_NEW_ARRAY(ctx, kn_score, BATCH);
    if (!s->heights || !s->columns || !s->node || !s->nodes || !s->scores)
        return kn_fail_nomem(ctx);
    bisection_order(low, high, s->heights);
    order_columns(s, env, l);
    if (!s->prune)
        kn_env_plain(env);
    return KANON_OK;
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

static bool
advance(state *s, const kn_lattice *l)
{
    if (!s->prune)
        return count_up(s, l);
    while (s->at < s->nheights) {
        if (s->inside ? kn_node_next(l->n, l->floor, l->top, s->node)
                      : kn_node_first(l->n, l->floor, l->top, s->heights[s->at], s->node)) {
            s->inside = true;
            return true;
        }
        s->inside = false;
        s->at++;
    }
    return false;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state            *s = self;
    const kn_lattice *l = kn_env_lattice(env);
    size_t            count = 0, visited = 0, height;

    while (count < BATCH
           && visited++ < VISITS) { /* few visits, so that time and cancel are looked at often */
        height = s->at;
        if (!advance(s, l)) {
            kn_env_proven(env);
            *next = KN_STEP_DONE;
            break;
        }
        if (s->at != height && s->prune && count) {
            s->inside = false; /* a new height: let what was learned decide its first node, too */
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

    kn_free(kn_env_ctx(env), s->heights);
    kn_free(kn_env_ctx(env), s->columns);
    kn_free(kn_env_ctx(env), s->node);
    kn_free(kn_env_ctx(env), s->nodes);
    kn_free(kn_env_ctx(env), s->scores);
}

static const kanon_param params[] = {
    { "prune", "on|off", 0, 0, "on", "off: check every node, even where the answer is implied" },
    { "max-nodes", "number", 1, 1e15, "1e8", "refuse lattices with more nodes than this" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_exhaustive = {
    { "exhaustive", "every node that is not decided by others: the proven best, for small lattices",
      "docs/algorithms/exhaustive.md",
      KANON_TRAIT_EXACT | KANON_TRAIT_ANYTIME | KANON_TRAIT_MONOTONE, params, NULL },
    sizeof(state),
    init,
    step,
    fini,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* incognito.c -- Incognito (LeFevre, DeWitt, Ramakrishnan, "Incognito: efficient full-domain k-anonymity",
 * 2005): breadth-first from the bottom, first for single quasi-identifiers, then for pairs, and so on. A
 * table that is not k-anonymous in a subset of its quasi-identifiers is not so in all of them, so what fails
 * for a subset prunes every larger one.
 * Where we depart from the paper (more in docs/algorithms/incognito.md):
 *  - A subset is looked at through the whole lattice: the others stand at their tops. A subset's node in
 *    which one level is the top is a node of a smaller subset; leaving these out, every node of the lattice
 *    belongs to one subset and is visited once.
 *  - The paper joins the survivors of smaller subsets into candidates and keeps them all. Here the driver's
 *    tags know which nodes have failed, and nothing is kept.
 * Cost: O(nodes) to enumerate; checked are the nodes that no subset rules out, from the bottom up to the
 * minimal feasible ones. */
#include "search/sweep.h"

enum { BATCH = 256, VISITS = 1024 };
enum { PARAM_EVALUATIONS, PARAM_MOST_NODES };

typedef struct state {
    kn_sweep sweep;                /* first: kn_sweep_close() casts to it */
    size_t   nfree;                /* quasi-identifiers with more than one level left */
    uint8_t  free[KN_QUASI_MOST];  /* which */
    size_t   size;                 /* of the subsets that are gone through */
    uint8_t  taken[KN_QUASI_MOST]; /* the subset: ascending places in free[] */
    unsigned height; /* above the subset's bottom; all subsets of a size rise together */
    bool     open;   /* a subset of this size has undecided nodes, maybe */
    uint8_t  bottom[KN_QUASI_MOST], top[KN_QUASI_MOST]; /* of the subset */
    bool     inside; /* the scan goes through this subset and height */
    kn_scan  scan;
} state;

/* The bottom and the top of a subset's own nodes: those of no smaller subset. */
static void
set_subset(state *s, const kn_lattice *l)
{
    memcpy(s->bottom, l->top, l->n);
    memcpy(s->top, l->top, l->n);
    for (size_t i = 0; i < s->size; i++) {
        size_t quasi = s->free[s->taken[i]];

        s->bottom[quasi] = l->floor[quasi];
        s->top[quasi]--;
    }
}

static void
first_subset(state *s, const kn_lattice *l)
{
    for (size_t i = 0; i < s->size; i++)
        s->taken[i] = (uint8_t) i;
    set_subset(s, l);
}

/* The next subset of the same size, in lexicographic order. */
static bool
next_subset(state *s, const kn_lattice *l)
{
    for (size_t i = s->size; i-- > 0;)
        if (s->taken[i] < s->nfree - s->size + i) {
            s->taken[i]++;
            for (size_t j = i + 1; j < s->size; j++)
                s->taken[j] = (uint8_t) (s->taken[j - 1] + 1);
            set_subset(s, l);
            return true;
        }
    return false;
}

/* Begins with this subset and height, unless the height is beyond the subset's top or the ends say that all
 * of it is decided. */
static bool
enter_subset(state *s, kn_search_env *env)
{
    size_t   n = kn_env_lattice(env)->n;
    unsigned height = kn_node_height(n, s->bottom) + s->height;

    s->inside = height <= kn_node_height(n, s->top) && kn_env_tag(env, s->bottom) != KN_TAG_FEASIBLE
             && kn_env_tag(env, s->top) != KN_TAG_INFEASIBLE;
    if (s->inside)
        kn_scan_begin(&s->scan, s->bottom, s->top, height);
    s->open = s->open || s->inside;
    return s->inside;
}

/* Gathers one height of all subsets of one size: none of these nodes implies another.
 * @return false at the end of it */
static bool
gather(state *s, kn_search_env *env)
{
    size_t visits = VISITS;

    while (visits && s->sweep.count < BATCH) {
        kn_scan_state at = KN_SCAN_END;

        if (s->inside || enter_subset(s, env))
            at = kn_scan_next(&s->scan, env, &visits);
        else
            visits--;
        if (at == KN_SCAN_FOUND) {
            kn_sweep_add(&s->sweep, s->scan.node);
        } else if (at == KN_SCAN_END) {
            s->inside = false;
            if (!next_subset(s, kn_env_lattice(env)))
                return false;
        }
    }
    return true;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state       *s = self;
    kanon_status rc = KANON_OK;
    bool         more = s->size <= s->nfree && gather(s, env);

    KN_TRY(kn_sweep_check(&s->sweep, env));
    if (more)
        goto out;
    s->height = s->open ? s->height + 1 : 0;
    s->size += !s->open;
    s->open = false;
    if (s->size <= s->nfree) {
        first_subset(s, kn_env_lattice(env));
        goto out;
    }
    /* Every node is decided, so all minimal ones were checked. Where loss grows with the levels, the best
     * is one of them. */
    if (kn_env_monotone(env))
        kn_env_proven(env);
    *next = KN_STEP_DONE;
out:
    return rc;
}

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state            *s = self;
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);

    KN_TRY(kn_sweep_allow(env, "incognito", values->number[PARAM_MOST_NODES]));
    KN_TRY(kn_sweep_init(&s->sweep, env, BATCH));
    for (size_t i = 0; i < l->n; i++)
        if (l->floor[i] < l->top[i])
            s->free[s->nfree++] = (uint8_t) i;
    s->size = 1;
    if (s->nfree)
        first_subset(s, l);
out:
    return rc;
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { "max-nodes", "number", 1, 1e15, "1e10",
      "without a limit on time or checks, refuse lattices with more nodes than this" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_incognito = {
    { "incognito", "Incognito: all minimal nodes by growing subsets, then the best of them",
      "docs/algorithms/incognito.md",
      KANON_TRAIT_EXACT | KANON_TRAIT_ANYTIME | KANON_TRAIT_MONOTONE, params, "log" },
    sizeof(state),
    init,
    step,
    kn_sweep_close,
};

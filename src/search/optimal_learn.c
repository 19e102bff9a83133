/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_learn.c -- from an infeasible node to a maximal one: the fewer ways a clause leaves, and the
 * dearer they are, the more it raises bounds. Axes go up to their tops in groups, the cheapest to satisfy
 * first, as long as the node stays infeasible; a group that does not go is halved (QuickXplain's cousin,
 * Junker 2004), a single axis goes as far as it can. */
#include "search/optimal.h"

/* What it costs the present box to satisfy the literal x_d > b_d; most where it cannot. */
static double
rank_of(const kn_opt_worker *w, size_t d, unsigned step)
{
    const kn_opt_space *s = &w->o->space;

    if (step >= w->hi[d])
        return 1e300;
    return s->term[s->first[d] + step + 1] - s->term[s->first[d] + w->lo[d]];
}

static size_t
order_axes(kn_opt_worker *w, const uint8_t *b)
{
    size_t count = 0;

    for (size_t d = 0; d < w->o->space.n; d++) {
        size_t at;

        if (b[d] == w->o->space.top[d])
            continue;
        w->rank[d] = rank_of(w, d, b[d]);
        for (at = count++; at > 0 && w->rank[w->order[at - 1]] < w->rank[d]; at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = (uint32_t) d;
    }
    return count;
}

static bool
feasible_at(kn_opt_worker *w, const uint8_t *a)
{
    uint8_t  node[KN_QUASI_MOST];
    uint64_t outlying;

    if (!kn_opt_look(w))
        return true;
    kn_opt_node(&w->o->space, a, node);
    return kn_env_feasible(w->o->env, w->number, node, &outlying);
}

static void
keep(kn_opt_worker *w)
{
    kn_opt_item *item = w->item;
    size_t       n = w->o->space.n, used = w->own.used;

    if (item->nclauses == KN_OPT_LEARN_MOST || !kn_clauses_add(&w->own, w->a)
        || w->own.used == used)
        return;
    memcpy(item->clauses + item->nclauses++ * n, w->a, n);
    w->own_price[w->own.used - 1] = 0;
    kn_clauses_open(&w->own, w->lo, w->own_open);
}

/* The highest step of d that leaves a infeasible, by bisection; at a[d] it is. */
static void
raise_axis(kn_opt_worker *w, size_t d, unsigned feasible)
{
    unsigned infeasible = w->a[d];

    while (feasible - infeasible > 1 && !w->stop) {
        unsigned middle = (feasible + infeasible) / 2;

        w->a[d] = (uint8_t) middle;
        if (feasible_at(w, w->a))
            feasible = middle;
        else
            infeasible = middle;
    }
    w->a[d] = (uint8_t) infeasible;
}

/* Takes the axes from `from` on up to `to` to their tops, as many as a stays infeasible with: all at once,
 * or half by half. */
static void
raise_axes(kn_opt_worker *w, const uint8_t *b, size_t from, size_t to)
{
    const kn_opt_space *s = &w->o->space;
    size_t              middle;

    for (size_t i = from; i < to; i++)
        w->a[w->order[i]] = s->top[w->order[i]];
    if (!feasible_at(w, w->a) || w->stop)
        return;
    for (size_t i = from; i < to; i++)
        w->a[w->order[i]] = b[w->order[i]];
    if (to - from == 1) {
        raise_axis(w, w->order[from], s->top[w->order[from]]);
        return;
    }
    middle = (from + to) / 2;
    raise_axes(w, b, middle, to);
    if (!w->stop)
        raise_axes(w, b, from, middle);
}

void
kn_opt_learn(kn_opt_worker *w, const uint8_t *b)
{
    size_t count;

    if (w->item->nclauses == KN_OPT_LEARN_MOST)
        return;
    memcpy(w->a, b, w->o->space.n);
    count = order_axes(w, b);
    for (size_t at = count, size = (count + 3) / 4; at > 0 && !w->stop; at -= size) {
        size = size < at ? size : at;
        raise_axes(w, b, at - size, at);
    }
    if (!w->stop)
        keep(w);
}

/* For each step of d the highest of e that is infeasible with it; the corners of that staircase are
 * clauses. */
static void
learn_pair(kn_opt_worker *w, size_t d, size_t e, unsigned step, uint8_t *highest)
{
    const kn_opt_space *s = &w->o->space;
    uint64_t            outlying;
    unsigned            e_step = highest[e];

    while (e_step > 0) {
        if (!kn_opt_look(w))
            return;
        if (!kn_refine_asks(w->refiner, w->one, s->quasi[e], s->level[s->first[e] + e_step - 1],
                            &outlying))
            break;
        e_step--;
    }
    if (step > 0 && e_step < highest[e]) {
        memcpy(w->a, s->top, s->n);
        w->a[d] = (uint8_t) (step - 1);
        w->a[e] = (uint8_t) (highest[e] - 1);
        keep(w);
    }
    highest[e] = (uint8_t) e_step;
}

/* highest[e]: the step of e that is feasible with d's present step. At d = 0 it is not a corner yet. */
void
kn_opt_learn_pairs(kn_opt_worker *w, size_t d)
{
    const kn_opt_space *s = &w->o->space;
    uint8_t             node[KN_QUASI_MOST];

    memset(w->lo, 0, s->n);
    memcpy(w->x, s->top, s->n);
    for (unsigned step = 0; step <= s->top[d] && !w->stop; step++) {
        memcpy(w->y, s->top, s->n);
        w->y[d] = (uint8_t) step;
        kn_opt_node(s, w->y, node);
        if (!kn_opt_look(w) || !kn_stripped_at(w->refiner, node, w->one))
            return;
        for (size_t e = d + 1; e < s->n && !w->stop; e++)
            learn_pair(w, d, e, step, w->x);
    }
}

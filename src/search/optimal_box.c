/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_box.c -- one box after the other along a path down: narrowed by clauses, bounds and the data
 * until nothing moves, then split; one half is worked on, the other one stays open. The classes of the
 * upper corner are at hand as a stripped partition, so that "may this axis stay at its lowest step?" costs
 * one look at one column. */
#include "search/optimal.h"

typedef enum { BOX_CLOSED, BOX_OPEN, BOX_STOPPED } box_state;

enum {
    LEARN_ONE_IN = 30, /* infeasible tests that become a clause */
    COVERS = 8         /* nodes looked at in a row for new clauses */
};

/* So that axes that cost nothing, or that occur in no clause, still have their turn. */
static const double RANGE_LEAST = 1e-9, RANK_LEAST = 1e-3;

void
kn_opt_raise(kn_opt_worker *w, size_t d, unsigned step)
{
    assert(d < w->o->space.n && step <= w->o->space.top[d]);
    w->lo[d] = (uint8_t) step;
    w->known[d] = false;
    w->lo_outlying = UINT64_MAX;
    kn_clauses_satisfy(&w->o->clauses, d, step, w->open);
    kn_clauses_satisfy(&w->own, d, step, w->own_open);
}

bool
kn_opt_look(kn_opt_worker *w)
{
    if (w->item->spent >= w->item->quota || kn_env_late(w->o->env, w->number))
        w->stop = true;
    else
        w->item->spent++;
    return !w->stop;
}

void
kn_opt_offer(kn_opt_worker *w, const uint8_t *x, uint64_t outlying)
{
    kn_opt_item *item = w->item;
    kn_score     score;
    uint8_t      node[KN_QUASI_MOST];

    if (!kn_loss_less(kn_opt_sum(&w->o->space, x, outlying), w->best) || !kn_opt_look(w))
        return;
    kn_opt_node(&w->o->space, x, node);
    kn_env_measure(w->o->env, w->number, node, &score);
    assert(score.feasible);
    if (!kn_loss_less(score.loss, w->best))
        return;
    w->best = score.loss;
    item->found = true;
    item->score = score;
    memcpy(item->node, node, sizeof node);
    memcpy(item->x, x, w->o->space.n);
}

static unsigned
level_of(const kn_opt_worker *w, size_t d, unsigned step)
{
    return w->o->space.level[w->o->space.first[d] + step];
}

static void
swap_partitions(kn_opt_worker *w)
{
    kn_stripped *keep = w->now;

    w->now = w->next;
    w->next = keep;
}

/* Now and then an infeasible node becomes a clause: it takes as long as a box or more. */
static void
learn_some(kn_opt_worker *w, size_t d, unsigned step)
{
    if (w->tests++ % LEARN_ONE_IN != 0)
        return;
    memcpy(w->y, w->at, w->o->space.n);
    w->y[d] = (uint8_t) step;
    kn_opt_learn(w, w->y);
}

/* Brings the classes down to hi. */
static box_state
follow(kn_opt_worker *w)
{
    bool moved = false;

    for (size_t d = 0; d < w->o->space.n; d++) {
        if (w->at[d] == w->hi[d])
            continue;
        if (!kn_opt_look(w))
            return BOX_STOPPED;
        if (!kn_refine(w->refiner, w->now, w->o->space.quasi[d], level_of(w, d, w->hi[d]),
                       w->next)) {
            learn_some(w, d, w->hi[d]);
            return BOX_CLOSED;
        }
        swap_partitions(w);
        w->at[d] = w->hi[d];
        moved = true;
    }
    if (moved)
        memset(w->known, 0, w->o->space.n * sizeof *w->known);
    if (moved || w->moved_free)
        kn_opt_offer(w, w->hi, w->now->outlying);
    w->moved_free = false;
    return BOX_OPEN;
}

/* Does bringing d down to lo split no class? Then nor does it at any node of the box: d can stay there. */
static void
try_free_move(kn_opt_worker *w, size_t d)
{
    const kn_stripped *now = w->now, *next = w->next;

    if (!kn_opt_look(w))
        return;
    kn_refine(w->refiner, w->now, w->o->space.quasi[d], level_of(w, d, w->lo[d]), w->next);
    if (next->nmembers != now->nmembers || next->nclasses != now->nclasses)
        return;
    w->hi[d] = w->at[d] = w->lo[d];
    w->moved_free = true;
}

/* Can d stay at lo? It cannot where hi with d at lo is infeasible, or suppresses so much that nothing below
 * it is better. @return false: d was raised */
static bool
try_floor(kn_opt_worker *w, size_t d)
{
    uint64_t outlying;
    double   more = 0;

    if (!kn_opt_look(w))
        return true;
    if (!kn_refine_asks(w->refiner, w->now, w->o->space.quasi[d], level_of(w, d, w->lo[d]),
                        &outlying)) {
        learn_some(w, d, w->lo[d]);
        kn_opt_raise(w, d, w->lo[d] + 1u);
        return false;
    }
    if (outlying > w->now->outlying && w->lost_least > 0)
        more = (double) (outlying - w->now->outlying) * w->lost_least;
    if (!kn_loss_less(w->bound + more, w->best)) {
        kn_opt_raise(w, d, w->lo[d] + 1u);
        return false;
    }
    w->known[d] = true;
    if (outlying == w->now->outlying)
        try_free_move(w, d);
    return true;
}

/* What a suppressed row adds at least, anywhere in the box. */
static void
set_lost_least(kn_opt_worker *w)
{
    const kn_opt_space *s = &w->o->space;

    w->lost_least = s->rest_lost;
    for (size_t d = 0; d < s->n; d++) {
        double least = s->lost[s->first[d] + w->lo[d]];

        for (unsigned step = w->lo[d] + 1u; step <= w->hi[d]; step++)
            if (s->lost[s->first[d] + step] < least)
                least = s->lost[s->first[d] + step];
        w->lost_least += least;
    }
}

/* Holds every axis against the data. @return how many were raised or came down */
static size_t
raise_floors(kn_opt_worker *w)
{
    size_t moved = 0;

    set_lost_least(w);
    for (size_t d = 0; d < w->o->space.n && !w->stop; d++) {
        uint8_t hi = w->hi[d];

        while (w->lo[d] < w->hi[d] && !w->known[d] && !w->stop)
            moved += !try_floor(w, d);
        moved += w->hi[d] != hi;
    }
    return moved;
}

static bool
has_open_clause(const kn_opt_worker *w)
{
    uint64_t all = 0;

    for (size_t i = 0; i < w->o->clauses.words; i++)
        all |= w->open[i];
    for (size_t i = 0; i < KN_OPT_BLOCK; i++)
        all |= w->own_open[i];
    return all != 0;
}

/* Looks at a node of the box: a new best one, or a new clause. *outlying is set if it is feasible. */
static bool
look_at(kn_opt_worker *w, const uint8_t *x, uint64_t *outlying)
{
    uint8_t node[KN_QUASI_MOST];

    if (!kn_opt_look(w))
        return false;
    kn_opt_node(&w->o->space, x, node);
    if (!kn_env_feasible(w->o->env, w->number, node, outlying)) {
        kn_opt_learn(w, x);
        return false;
    }
    kn_opt_offer(w, x, *outlying);
    return true;
}

/* The lower corner satisfies all clauses: is it feasible? Then it is the best of the box, unless others
 * suppress fewer rows. */
static box_state
look_at_lo(kn_opt_worker *w)
{
    uint64_t outlying;
    bool     feasible;

    memcpy(w->x, w->lo, w->o->space.n);
    feasible = look_at(w, w->x, &outlying);
    if (w->stop)
        return BOX_STOPPED;
    if (feasible)
        w->lo_outlying = outlying;
    return BOX_OPEN;
}

/* A cheap node that satisfies all clauses is infeasible, most often: that makes a new clause. Satisfied where
 * it costs least, it makes the next node. @return was there any? */
static bool
seek_clauses(kn_opt_worker *w)
{
    size_t before = w->item->nclauses;

    kn_opt_cover(w, w->x);
    for (size_t i = 0; i < COVERS; i++) {
        size_t   now = w->item->nclauses;
        uint64_t outlying;

        look_at(w, w->x, &outlying);
        if (w->stop)
            return false;
        if (w->item->nclauses == now)
            break;
        kn_opt_satisfy(w, w->a, w->x);
    }
    return w->item->nclauses != before;
}

/* What one set of clauses has raised satisfies clauses of the other one, too. */
static bool
propagate_one(kn_opt_worker *w, const kn_clauses *c, uint64_t *open)
{
    int raised;

    memcpy(w->x, w->lo, w->o->space.n);
    raised = kn_clauses_propagate(c, open, w->lo, w->hi);
    for (size_t d = 0; raised > 0 && d < w->o->space.n; d++)
        if (w->lo[d] != w->x[d])
            kn_opt_raise(w, d, w->lo[d]);
    return raised >= 0;
}

static bool
propagate(kn_opt_worker *w)
{
    return propagate_one(w, &w->o->clauses, w->open) && propagate_one(w, &w->own, w->own_open);
}

/* Narrows the box until nothing moves. */
static box_state
tighten(kn_opt_worker *w)
{
    unsigned  cuts = 0;
    box_state state;

    for (;;) {
        if (!propagate(w) || !kn_opt_bound(w, w->o->passes) || !propagate(w))
            return BOX_CLOSED;
        state = follow(w);
        if (state != BOX_OPEN)
            return state;
        if (w->stop)
            return BOX_STOPPED;
        if (raise_floors(w) > 0 && !w->stop)
            continue;
        if (w->stop)
            return BOX_STOPPED;
        if (memcmp(w->lo, w->hi, w->o->space.n) == 0)
            return BOX_CLOSED; /* hi has been offered */
        if (w->lo_outlying == UINT64_MAX && !has_open_clause(w)) {
            state = look_at_lo(w);
            if (state != BOX_OPEN)
                return state;
            if (w->lo_outlying == UINT64_MAX && has_open_clause(w))
                continue;
        } else if (w->lo_outlying == UINT64_MAX && cuts++ < w->o->cuts) {
            if (seek_clauses(w))
                continue;
            if (w->stop)
                return BOX_STOPPED;
        }
        if (w->lo_outlying != UINT64_MAX && (w->o->monotone || w->lo_outlying == w->now->outlying))
            return BOX_CLOSED;
        return kn_loss_less(w->bound, w->best) ? BOX_OPEN : BOX_CLOSED;
    }
}

/* The axis with the most to decide: what it can still cost, and how many clauses with few ways wait for
 * it. */
static size_t
choose_axis(kn_opt_worker *w)
{
    const kn_opt_space *s = &w->o->space;
    size_t              chosen = s->n;
    double              most = -1;

    memset(w->rank, 0, s->n * sizeof *w->rank);
    for (size_t i = 0; i < w->nactive; i++) {
        const kn_opt_active *c = &w->active[i];

        for (size_t j = 0; j < c->count; j++)
            w->rank[w->literals[c->start + j].axis] += 1.0
                                                     / ((double) c->count * (double) c->count);
    }
    for (size_t d = 0; d < s->n; d++) {
        double range;

        if (w->lo[d] == w->hi[d])
            continue;
        range = s->term[s->first[d] + w->hi[d]] - s->term[s->first[d] + w->lo[d]];
        range = (range + RANGE_LEAST) * (w->rank[d] + RANK_LEAST);
        if (range > most) {
            most = range;
            chosen = d;
        }
    }
    return chosen;
}

static void
put_box(kn_opt_worker *w)
{
    const kn_opt *o = w->o;
    size_t        n = o->space.n;
    char         *box;

    assert(w->item->nboxes < KN_OPT_OUT_MOST);
    box = w->item->boxes + w->item->nboxes++ * o->stride;
    kn_opt_head(box)->bound = w->bound;
    memcpy(kn_opt_lo(box), w->lo, n);
    memcpy(kn_opt_hi(o, box), w->hi, n);
    for (size_t d = 0; d < n; d++)
        kn_opt_flags(o, box)[d] = w->known[d];
    kn_opt_head(box)->lo_outlying = w->lo_outlying;
}

/* The bound of the half of the box where d is within [from, to]. */
static double
half_bound(const kn_opt_worker *w, size_t d, unsigned from, unsigned to)
{
    const double *value = w->value + w->o->space.first[d];
    double        least = 1e300, bound;

    for (unsigned step = from; step <= to; step++)
        least = value[step] < least ? value[step] : least;
    bound = w->sum - w->least[d] + least;
    return bound > w->bound ? bound : w->bound;
}

/* Leaves the half where d is above lo open, and goes on with the one where it stays there. */
static void
split(kn_opt_worker *w)
{
    size_t   d = choose_axis(w);
    uint8_t  lo = w->lo[d];
    double   bound = w->bound;
    bool     known = w->known[d];
    uint64_t lo_outlying = w->lo_outlying;

    w->lo[d] = (uint8_t) (lo + 1);
    w->known[d] = false;
    w->lo_outlying = UINT64_MAX;
    w->bound = half_bound(w, d, w->lo[d], w->hi[d]);
    if (kn_loss_less(w->bound, w->best))
        put_box(w);
    w->bound = bound;
    w->bound = half_bound(w, d, lo, lo);
    w->lo[d] = w->hi[d] = lo;
    w->known[d] = known;
    w->lo_outlying = lo_outlying;
}

/* Takes a box up. @return false: it holds no feasible node */
static bool
take_box(kn_opt_worker *w, char *box)
{
    kn_opt *o = w->o;
    size_t  n = o->space.n;
    uint8_t node[KN_QUASI_MOST];

    w->bound = kn_opt_head(box)->bound;
    w->moved_free = false;
    memcpy(w->lo, kn_opt_lo(box), n);
    memcpy(w->hi, kn_opt_hi(o, box), n);
    memcpy(w->at, w->hi, n);
    for (size_t d = 0; d < n; d++)
        w->known[d] = kn_opt_flags(o, box)[d];
    w->lo_outlying = kn_opt_head(box)->lo_outlying;
    kn_clauses_open(&o->clauses, w->lo, w->open);
    kn_clauses_open(&w->own, w->lo, w->own_open);
    kn_opt_node(&o->space, w->hi, node);
    return kn_stripped_at(w->refiner, node, w->now);
}

/* Which clauses mattered for this box: they are worth keeping, and their prices worth beginning with. */
static void
note_prices(kn_opt_worker *w)
{
    kn_opt_item *item = w->item;

    item->npriced = 0;
    for (size_t i = 0; i < w->nactive && item->npriced < KN_OPT_PRICED_MOST; i++) {
        const kn_opt_active *c = &w->active[i];

        if (c->own || w->price[c->clause] <= 0)
            continue;
        item->priced[item->npriced] = c->clause;
        item->prices[item->npriced++] = (float) w->price[c->clause];
    }
}

static void
go_down(kn_opt_worker *w, char *box)
{
    box_state state;

    if (!kn_opt_look(w)) {
        memcpy(w->item->boxes + w->item->nboxes++ * w->o->stride, box, w->o->stride);
        return;
    }
    if (!take_box(w, box))
        return;
    kn_opt_offer(w, w->hi, w->now->outlying);
    for (size_t length = 0;; length++) {
        state = tighten(w);
        if (state == BOX_CLOSED)
            return;
        if (length == 0)
            note_prices(w);
        if (state == BOX_STOPPED || length == w->o->path
            || w->item->nboxes + 2 > KN_OPT_OUT_MOST) { /* a split needs room for both halves */
            put_box(w);
            return;
        }
        split(w);
        if (!kn_loss_less(w->bound, w->best))
            return;
    }
}

void
kn_opt_dive(kn_opt_worker *w)
{
    kn_opt_item *item = w->item;
    kn_opt      *o = w->o;

    kn_clauses_clear(&w->own);
    memset(w->own_price, 0, sizeof w->own_price);
    memset(w->price, 0, o->clauses.room * sizeof *w->price);
    memset(w->known, 0, o->space.n * sizeof *w->known);
    w->tests = 0;
    go_down(w, item->box);
    for (size_t more = 0; more < o->dives && item->nboxes && !w->stop; more++) {
        memcpy(w->box, item->boxes + --item->nboxes * o->stride, o->stride);
        if (kn_loss_less(kn_opt_head(w->box)->bound, w->best))
            go_down(w, w->box);
    }
}

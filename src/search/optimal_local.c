/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_local.c -- good nodes early: iterated local search. From the best node, one to three axes go up,
 * then all come down again step by step, each time the one of a few drawn at random that gains most a
 * suppressed row. */
#include "search/optimal.h"

enum { RAISED_MOST = 3, DRAWN = 4 };

static double
objective(kn_opt_worker *w, const uint8_t *x, uint64_t outlying)
{
    uint8_t  node[KN_QUASI_MOST];
    kn_score score;

    if (!w->o->flat)
        return kn_opt_sum(&w->o->space, x, outlying);
    kn_opt_node(&w->o->space, x, node);
    kn_env_measure(w->o->env, w->number, node, &score);
    return score.feasible ? score.loss : 1e300;
}

static void
shuffle(kn_opt_worker *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t) kn_rng_below(&w->rng, i + 1);

        w->order[i] = w->order[j];
        w->order[j] = (uint32_t) i;
    }
}

/* One step down of one axis, as far as it is known. */
typedef struct move {
    size_t   place; /* in w->order */
    uint64_t outlying;
    double   value, merit;
} move;

typedef enum { MOVE_NEVER, MOVE_WORSE, MOVE_GOOD } move_state;

/* What is gained a row that it costs. */
static move_state
try_move(kn_opt_worker *w, uint8_t *x, double value, move *m)
{
    const kn_opt_space *s = &w->o->space;
    size_t              d = w->order[m->place];

    if (!kn_refine_asks(w->refiner, w->now, s->quasi[d], s->level[s->first[d] + x[d] - 1u],
                        &m->outlying))
        return MOVE_NEVER; /* nor further down */
    x[d]--;
    m->value = objective(w, x, m->outlying);
    x[d]++;
    if (!w->o->monotone && !kn_loss_less(m->value, value))
        return MOVE_WORSE;
    m->merit = (value - m->value + 1e-12) / ((double) (m->outlying - w->now->outlying) + 0.5);
    return MOVE_GOOD;
}

static void
make_move(kn_opt_worker *w, uint8_t *x, const move *m, double *value)
{
    const kn_opt_space *s = &w->o->space;
    size_t              d = w->order[m->place];
    kn_stripped        *keep = w->now;

    x[d]--;
    kn_refine(w->refiner, w->now, s->quasi[d], s->level[s->first[d] + x[d]], w->next);
    w->now = w->next;
    w->next = keep;
    *value = m->value;
}

/* Step by step, each time the best of a few axes drawn at random, until none can go further. */
static void
descend(kn_opt_worker *w, uint8_t *x, double *value)
{
    size_t left = w->o->space.n;

    shuffle(w, left);
    while (left && !w->stop) {
        move   best = { 0, 0, 0, -1 };
        size_t tries = 0;

        while (tries < DRAWN && left) {
            move       m = { (size_t) kn_rng_below(&w->rng, left), 0, 0, 0 };
            size_t     d = w->order[m.place];
            move_state state = MOVE_NEVER;

            if (x[d] > 0) {
                if (!kn_opt_look(w))
                    return;
                state = try_move(w, x, *value, &m);
            }
            if (state == MOVE_NEVER || (state == MOVE_WORSE && best.merit < 0)) {
                w->order[m.place] = w->order[--left]; /* it has had its turn */
                w->order[left] = (uint32_t) d;
                if (best.merit >= 0 && best.place == left)
                    best.place = m.place;
                continue;
            }
            tries++;
            if (state == MOVE_GOOD && m.merit > best.merit)
                best = m;
        }
        if (best.merit >= 0)
            make_move(w, x, &best, value);
    }
}

static void
kick(kn_opt_worker *w, uint8_t *x)
{
    const kn_opt_space *s = &w->o->space;
    size_t              count = 1 + (size_t) kn_rng_below(&w->rng, RAISED_MOST);

    for (size_t i = 0; i < count; i++) {
        size_t d = (size_t) kn_rng_below(&w->rng, s->n);

        if (x[d] < s->top[d])
            x[d] = (uint8_t) (x[d] + 1 + kn_rng_below(&w->rng, (uint64_t) (s->top[d] - x[d])));
    }
}

void
kn_opt_local(kn_opt_worker *w, const uint8_t *start)
{
    const kn_opt_space *s = &w->o->space;
    uint8_t             node[KN_QUASI_MOST];
    double              here = 1e300, value;

    memcpy(w->y, start, s->n);
    while (!w->stop) {
        memcpy(w->x, w->y, s->n);
        kick(w, w->x);
        if (!kn_opt_look(w))
            return;
        kn_opt_node(s, w->x, node);
        if (!kn_stripped_at(w->refiner, node, w->now))
            return;
        value = objective(w, w->x, w->now->outlying);
        descend(w, w->x, &value);
        kn_opt_offer(w, w->x, w->now->outlying);
        if (!kn_loss_less(here, value)) {
            here = value;
            memcpy(w->y, w->x, s->n);
        }
    }
}

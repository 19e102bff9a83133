/* SPDX-License-Identifier: Apache-2.0 */
/* optimal.c -- the proven optimum, anytime: best-first branch and bound over boxes of the lattice. A round
 * takes the open boxes with the smallest bounds, works on them side by side, and merges what they found in
 * their order, so that the answer does not depend on the number of threads. The smallest bound that is
 * open is what is proven; the best node is what is known. docs/algorithms/optimal.md has the method. */
#include "search/optimal.h"

enum {
    PARAM_MOST_EVALUATIONS,
    PARAM_EFFORT,
    PARAM_MOST_BOXES,
    PARAM_COVER,
};
enum { COVER_ON, COVER_OFF };
enum { PHASE_LOCAL, PHASE_PAIRS, PHASE_ROOT, PHASE_BOXES, PHASE_COVER };
enum {
    ITEMS = 16,       /* of a round */
    CLAUSES = 8192,   /* kept at most */
    LOCAL_ROUNDS = 6, /* before the first box */
    LOCAL_QUOTA = 60, /* looks at the data of one item, and as many a step: about one descent */
    LOCAL_QUOTA_STEP = 4,
    FRESH_ONE_IN = 4, /* items that start from the top, not from the best node */
    BOX_QUOTA = 2000,
    ROOT_QUOTA = 20000,
    ROOT_CUTS = 60,
    ROOT_ROUNDS = 20,
    BOX_PATH = 48, /* boxes along one path */
    BOX_ACTIVE = 1536,
    BOX_CUTS = 0,
    BOX_PASSES = 7,
    DIVES_WHEN_FULL = 4096,
    HEAP_SPARE = ITEMS * KN_OPT_OUT_MOST /* what a round may leave open */
};

/* Lattices that are covered at once: what comes before would take longer than it saves. Of larger ones those
 * whose first clauses close less than this share of the gap at the root: only long clauses are there. */
static const double COVER_AT_ONCE = 1e6, COVER_SHARE = 0.5;

static const double ROOT_GAIN = 0.01; /* share of the gap that a round at the root must close */

/* --- making it ready ------------------------------------------------------------------------------------
 * */

static kanon_status
open_worker(kn_opt *o, unsigned number)
{
    kanon_status     rc = KANON_OK;
    kn_opt_worker   *w = &o->workers[number];
    const kn_engine *engine = kn_env_engine(o->env);
    size_t           n = o->space.n + 1, rows = o->space.rows + 1;

    w->o = o;
    w->number = number;
    KN_TRY(kn_refiner_new(engine, o->privacy->k, o->privacy->allowed, &w->refiner));
    KN_TRY(kn_stripped_new(engine, &w->now));
    KN_TRY(kn_stripped_new(engine, &w->next));
    KN_TRY(kn_stripped_new(engine, &w->one));
    KN_TRY(kn_clauses_init(&w->own, o->ctx, &o->space, KN_OPT_OWN));
    w->lo = kn_alloc_array(o->ctx, 6, n);
    w->known = KN_NEW_ARRAY(o->ctx, bool, n);
    w->box = kn_alloc_array(o->ctx, 1, o->stride);
    w->open = KN_NEW_ARRAY(o->ctx, uint64_t, o->clauses.words);
    w->price = KN_NEW_ARRAY(o->ctx, double, o->clauses.room);
    w->value = KN_NEW_ARRAY(o->ctx, double, rows);
    w->least = KN_NEW_ARRAY(o->ctx, double, n);
    w->rank = KN_NEW_ARRAY(o->ctx, double, n);
    w->order = KN_NEW_ARRAY(o->ctx, uint32_t, n);
    w->active = KN_NEW_ARRAY(o->ctx, kn_opt_active, KN_OPT_ACTIVE_MOST);
    w->literals = kn_alloc_array(o->ctx, KN_OPT_ACTIVE_MOST, n * sizeof *w->literals);
    w->scanned = KN_NEW_ARRAY(o->ctx, kn_opt_scanned, o->clauses.room + KN_OPT_OWN);
    w->sorted = KN_NEW_ARRAY(o->ctx, uint32_t, o->clauses.room + KN_OPT_OWN);
    if (!w->lo || !w->known || !w->box || !w->open || !w->price || !w->value || !w->least
        || !w->rank || !w->order || !w->active || !w->literals || !w->scanned || !w->sorted)
        return KANON_E_NOMEM;
    w->hi = w->lo + n;
    w->at = w->lo + 2 * n;
    w->x = w->lo + 3 * n;
    w->y = w->lo + 4 * n;
    w->a = w->lo + 5 * n;
out:
    return rc;
}

static void
close_worker(kn_opt *o, kn_opt_worker *w)
{
    kn_refiner_free(w->refiner);
    kn_stripped_free(w->now);
    kn_stripped_free(w->next);
    kn_stripped_free(w->one);
    kn_clauses_fini(&w->own);
    kn_free(o->ctx, w->lo);
    kn_free(o->ctx, w->known);
    kn_free(o->ctx, w->box);
    kn_free(o->ctx, w->open);
    kn_free(o->ctx, w->price);
    kn_free(o->ctx, w->value);
    kn_free(o->ctx, w->least);
    kn_free(o->ctx, w->rank);
    kn_free(o->ctx, w->order);
    kn_free(o->ctx, w->active);
    kn_free(o->ctx, w->literals);
    kn_free(o->ctx, w->scanned);
    kn_free(o->ctx, w->sorted);
}

static kanon_status
open_items(kn_opt *o)
{
    o->items = KN_NEW_ARRAY(o->ctx, kn_opt_item, ITEMS);
    if (!o->items)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < ITEMS; i++) {
        kn_opt_item *item = &o->items[i];

        o->nitems = i + 1;
        item->box = kn_alloc_array(o->ctx, 1, o->stride);
        item->boxes = kn_alloc_array(o->ctx, KN_OPT_OUT_MOST, o->stride);
        item->clauses = kn_alloc_array(o->ctx, KN_OPT_LEARN_MOST, o->space.n + 1);
        item->priced = KN_NEW_ARRAY(o->ctx, uint32_t, KN_OPT_PRICED_MOST);
        item->prices = KN_NEW_ARRAY(o->ctx, float, KN_OPT_PRICED_MOST);
        if (!item->box || !item->boxes || !item->clauses || !item->priced || !item->prices)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* All nodes are in it. */
static kanon_status
push_root(kn_opt *o)
{
    char   *box = o->items[0].box;
    kn_box *head = kn_opt_head(box);

    memset(box, 0, o->stride);
    memcpy(kn_opt_hi(o, box), o->space.top, o->space.n);
    head->bound = kn_opt_sum(&o->space, kn_opt_lo(box), 0);
    head->lo_outlying = UINT64_MAX;
    return kn_opt_heap_push(o, box);
}

/* A bit for each node, where the lattice is small enough, is quicker than boxes; but nearly every node
 * must be looked at where levels say nothing about the loss. @return at once? */
static bool
choose_cover(kn_opt *o)
{
    const kn_lattice *l = kn_env_lattice(o->env);
    bool              small = kn_lattice_nodes(l->n, l->floor, l->top) <= COVER_AT_ONCE;

    o->covers = kn_cover_fits(l) && (small || !o->flat);
    if (o->covers && small)
        o->phase = PHASE_COVER;
    return o->covers && small;
}

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    kanon_status rc = KANON_OK;
    kn_opt      *o = self;

    o->env = env;
    o->ctx = kn_env_ctx(env);
    o->privacy = kn_env_privacy(env);
    o->monotone = kn_env_monotone(env);
    o->seed = kn_rng_next(kn_env_rng(env));
    o->effort = (uint64_t) values->number[PARAM_EFFORT];
    KN_TRY(kn_opt_space_init(&o->space, env));
    o->flat = true;
    for (size_t d = 0; d < o->space.n; d++)
        o->flat &= o->space.term[o->space.first[d] + o->space.top[d]]
                <= o->space.term[o->space.first[d]];
    if ((int) values->number[PARAM_COVER] == COVER_ON && choose_cover(o))
        return kn_cover_init(&o->cover, env);
    o->stride = (sizeof(kn_box) + 3 * o->space.n + 7) / 8 * 8;
    o->heap.most = (size_t) values->number[PARAM_MOST_BOXES];
    KN_TRY(kn_clauses_init(&o->clauses, o->ctx, &o->space, CLAUSES));
    o->incumbent = KN_NEW_ARRAY(o->ctx, uint8_t, o->space.n + 1);
    o->workers = KN_NEW_ARRAY(o->ctx, kn_opt_worker, kn_env_workers(env));
    if (!o->incumbent || !o->workers)
        return KANON_E_NOMEM;
    while (o->nworkers < kn_env_workers(env))
        KN_TRY(open_worker(o, o->nworkers++));
    KN_TRY(open_items(o));
    memcpy(o->incumbent, o->space.top, o->space.n);
    o->cuts = ROOT_CUTS;
    o->active_most = KN_OPT_ACTIVE_MOST;
    o->passes = BOX_PASSES;
    KN_TRY(push_root(o));
out:
    return rc;
}

static void
fini(void *self, kn_search_env *env)
{
    kn_opt *o = self;

    KN_UNUSED(env);
    if (!o->ctx)
        return;
    for (unsigned i = 0; i < o->nworkers; i++)
        close_worker(o, &o->workers[i]);
    kn_free(o->ctx, o->workers);
    for (size_t i = 0; i < o->nitems; i++) {
        kn_free(o->ctx, o->items[i].box);
        kn_free(o->ctx, o->items[i].boxes);
        kn_free(o->ctx, o->items[i].clauses);
        kn_free(o->ctx, o->items[i].priced);
        kn_free(o->ctx, o->items[i].prices);
    }
    kn_free(o->ctx, o->items);
    kn_free(o->ctx, o->incumbent);
    kn_clauses_fini(&o->clauses);
    kn_opt_heap_fini(o);
    kn_cover_fini(&o->cover);
    kn_opt_space_fini(&o->space);
}

/* --- a round --------------------------------------------------------------------------------------------
 * */

static void
begin_item(kn_opt *o, size_t item, unsigned worker)
{
    kn_opt_worker *w = &o->workers[worker];

    w->item = &o->items[item];
    w->best = kn_env_best(o->env);
    w->stop = false;
    kn_clauses_clear(&w->own);
    memset(w->own_open, 0, sizeof w->own_open);
}

static void
work_pairs(void *self, size_t item, unsigned worker)
{
    kn_opt *o = self;

    begin_item(o, item, worker);
    kn_opt_learn_pairs(&o->workers[worker], o->at + item);
}

static void
work_local(void *self, size_t item, unsigned worker)
{
    kn_opt        *o = self;
    kn_opt_worker *w = &o->workers[worker];

    begin_item(o, item, worker);
    kn_rng_init(&w->rng, o->seed, o->rounds * ITEMS + item);
    kn_opt_local(w, item % FRESH_ONE_IN == 0 ? o->space.top : o->incumbent);
}

static void
work_boxes(void *self, size_t item, unsigned worker)
{
    kn_opt *o = self;

    begin_item(o, item, worker);
    kn_opt_dive(&o->workers[worker]);
}

static kanon_status
merge_item(kn_opt *o, kn_opt_item *item)
{
    kanon_status rc = KANON_OK;
    size_t       n = o->space.n;

    kn_env_spent(o->env, item->spent);
    if (item->found) {
        if (kn_loss_less(item->score.loss, kn_env_best(o->env)))
            memcpy(o->incumbent, item->x, n);
        kn_env_offer(o->env, item->node, &item->score);
    }
    for (size_t i = 0; i < item->nclauses; i++)
        if (!kn_clauses_add(&o->clauses, item->clauses + i * n)) {
            kn_clauses_halve(&o->clauses);
            kn_clauses_add(&o->clauses, item->clauses + i * n);
        }
    for (size_t i = 0; i < item->nboxes; i++)
        KN_TRY(kn_opt_heap_push(o, item->boxes + i * o->stride));
out:
    return rc;
}

/* Shares the looks at the data that are left. @return how many items can be done */
static size_t
share_quota(kn_opt *o, size_t count, uint64_t quota)
{
    uint64_t left = kn_env_left(o->env);

    if (left < count)
        count = (size_t) left;
    for (size_t i = 0; i < count; i++) {
        kn_opt_item *item = &o->items[i];

        item->quota = left / count < quota ? left / count : quota;
        item->spent = 0;
        item->nboxes = item->nclauses = item->npriced = 0;
        item->found = false;
    }
    return count;
}

static kanon_status
run_round(kn_opt *o, size_t count, kn_work work, uint64_t *spent)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_env_run(o->env, count, work, o));
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < o->items[i].npriced; j++) {
            double *price = &o->clauses.price[o->items[i].priced[j]];

            *price += ((double) o->items[i].prices[j] - *price) / 4;
        }
    for (size_t i = 0; i < count; i++) {
        *spent += o->items[i].spent;
        KN_TRY(merge_item(o, &o->items[i]));
    }
    o->rounds++;
out:
    return rc;
}

static kanon_status
pairs_round(kn_opt *o)
{
    size_t left = o->space.n - o->at,
           count = share_quota(o, left < ITEMS ? left : ITEMS, UINT64_MAX);
    uint64_t     spent = 0;
    kanon_status rc = run_round(o, count, work_pairs, &spent);

    o->at += count;
    if (o->at >= o->space.n) {
        o->phase = PHASE_ROOT;
        o->at = 0;
    }
    return rc;
}

static kanon_status
local_round(kn_opt *o)
{
    uint64_t quota = LOCAL_QUOTA + LOCAL_QUOTA_STEP * (uint64_t) o->space.rows;
    size_t   count = share_quota(o, o->effort && o->space.n ? ITEMS / 2 : 0, quota);

    return run_round(o, count, work_local, &o->local_spent);
}

/* The boxes with the smallest bounds; those that cannot beat the best are done. */
static kanon_status
boxes_round(kn_opt *o, size_t most, uint64_t quota)
{
    kanon_status rc = KANON_OK;
    size_t       taken = 0;

    most = share_quota(o, most, quota);
    while (taken < most && kn_opt_heap_pop(o, o->items[taken].box))
        if (kn_loss_less(kn_opt_head(o->items[taken].box)->bound, kn_env_best(o->env)))
            taken++;
    taken = share_quota(o, taken, quota);
    KN_TRY(run_round(o, taken, work_boxes, &o->box_spent));
out:
    return rc;
}

/* From boxes to a bit for each node; what the clauses rule out is closed at once. A level without a step
 * of its own has the classes of the step below it. */
static kanon_status
begin_cover(kn_opt *o)
{
    kanon_status        rc = KANON_OK;
    const kn_lattice   *l = kn_env_lattice(o->env);
    const kn_opt_space *s = &o->space;

    o->phase = PHASE_COVER;
    kn_env_raise(o->env, kn_opt_heap_bound(o));
    KN_TRY(kn_cover_init(&o->cover, o->env));
    for (size_t c = 0; c < o->clauses.used; c++) {
        uint8_t node[KN_QUASI_MOST];

        if (!(o->clauses.alive[c / KN_OPT_WORD] >> (c % KN_OPT_WORD) & 1))
            continue;
        memcpy(node, l->top, l->n);
        for (size_t d = 0; d < s->n; d++) {
            unsigned step = o->clauses.levels[c * s->n + d];

            if (step < s->top[d])
                node[s->quasi[d]] = (uint8_t) (s->level[s->first[d] + step + 1] - 1);
        }
        kn_open_close_below(&o->cover.open, node, SIZE_MAX);
    }
out:
    return rc;
}

/* What is proven: the smallest bound of what is open. */
static void
conclude(kn_opt *o, kn_step *next)
{
    double best = kn_env_best(o->env);

    if (o->heap.count == 0 || !kn_loss_less(kn_opt_heap_bound(o), best)) {
        kn_env_proven(o->env);
        kn_env_raise(o->env, best);
        *next = KN_STEP_DONE;
        return;
    }
    kn_env_raise(o->env, kn_opt_heap_bound(o));
    if (o->heap.count > 2 * o->heap.most + HEAP_SPARE) {
        kn_env_stopped(o->env, "max-boxes");
        *next = KN_STEP_DONE;
    }
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    kanon_status rc = KANON_OK;
    kn_opt      *o = self;
    double       before, bound;

    switch (o->phase) {
    case PHASE_COVER:
        return kn_cover_step(&o->cover, env, next);
    case PHASE_PAIRS:
        KN_TRY(pairs_round(o));
        break;
    case PHASE_LOCAL:
        before = kn_env_best(env);
        KN_TRY(local_round(o));
        if (++o->at >= LOCAL_ROUNDS || !kn_loss_less(kn_env_best(env), before)) {
            o->phase = PHASE_PAIRS;
            o->at = 0;
        }
        break;
    case PHASE_ROOT:
        bound = kn_opt_heap_bound(o);
        KN_TRY(boxes_round(o, 1, ROOT_QUOTA));
        if (o->covers && o->heap.count
            && kn_opt_heap_bound(o) - bound < COVER_SHARE * (kn_env_best(env) - bound)) {
            KN_TRY(begin_cover(o));
            return rc;
        }
        o->covers = false;
        if (o->heap.count != 1 || ++o->at >= ROOT_ROUNDS
            || kn_opt_heap_bound(o) - bound < ROOT_GAIN * (kn_env_best(env) - bound)) {
            o->cuts = BOX_CUTS;
            o->active_most = BOX_ACTIVE;
            o->path = BOX_PATH;
            o->phase = PHASE_BOXES;
        }
        break;
    default:
        o->dives = o->heap.count > o->heap.most ? DIVES_WHEN_FULL : 0;
        if (o->local_spent * 100 < o->box_spent * o->effort)
            KN_TRY(local_round(o));
        KN_TRY(boxes_round(o, ITEMS, o->dives ? (uint64_t) BOX_QUOTA * 100 : BOX_QUOTA));
        break;
    }
    conclude(o, next);
out:
    return rc;
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { "effort", "integer", 0, 1000, "10",
      "checks spent on finding better nodes, in percent of those spent on the proof" },
    { "max-boxes", "integer", 1, 1e9, "500000",
      "open boxes above which the search goes depth first; at twice as many it ends, to bound its "
      "memory" },
    { "cover", "on|off", 0, 0, "on",
      "off: use boxes even if the lattice is small enough for one bit per node" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_optimal = {
    { "optimal",
      "branch and bound over boxes of nodes: proven optimal, or a bound on the distance from the "
      "optimum",
      "docs/algorithms/optimal.md",
      KANON_TRAIT_EXACT | KANON_TRAIT_ANYTIME | KANON_TRAIT_MONOTONE | KANON_TRAIT_RANDOM
          | KANON_TRAIT_ROWS,
      params, NULL },
    sizeof(kn_opt),
    init,
    step,
    fini,
};

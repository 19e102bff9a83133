/* SPDX-License-Identifier: Apache-2.0 */
/* neighbours.c -- the nearest points of each point.
 * The points are sorted column by column, those columns first that keep points apart most. Points that begin
 * alike then adjoin and share what their first columns cost: the sorted list is a tree that is walked without
 * building it. From its own place a point looks up and down the list, and leaves a branch as soon as that
 * costs more than the farthest neighbour known. All pairs would be quadratic; this sees a few hundredths of
 * them in tables of people. A walk that becomes too long is cut short, and if any was, the neighbours'
 * neighbours are asked in addition: near, but maybe not nearest.
 * Memory: 12 bytes for each cell of the points and 4 for each neighbour, twice where neighbours are asked. */
#include "cluster/neighbours.h"

#include <stdatomic.h>

enum {
    BLOCK = 64,          /* points per item of work */
    VISITS_LEAST = 1024, /* steps that a walk up or down the list may take, at least */
    ROUNDS = 2,          /* of asking neighbours, then */
    ASKED = 12,          /* neighbours asked for as many of theirs */
    PAIRS = 4096         /* looked at to see how far columns keep points apart */
};

/* Steps of all walks together: a few seconds, if they are needed. */
static const uint64_t VISITS_ALL = 100000000;

typedef struct tree {
    kn_cluster_env *env;
    const kn_space *space;
    size_t          each, m;
    uint64_t        visits;                 /* that a walk may take, up and down each */
    size_t          columns[KN_QUASI_MOST]; /* in the order of the tree */
    uint32_t       *sorted;                 /* [npoints] place -> point */
    uint32_t       *ranks; /* [npoints * m] by place, columns in the order of the tree */
    /* [npoints * m] the places after and before those that are alike in columns 0..c */
    uint32_t *above, *below;
    uint8_t  *alike;    /* [npoints + 1] leading columns equal to those of the place before */
    uint32_t *of, *old; /* what is found, and what the last round found */
    kn_nearest_points_fn visit; /* told of what is found if there is no `of` */
    void                *user;
    atomic_bool          missed; /* a walk was cut short */
} tree;

/* --- the tree ---------------------------------------------------------------------------------- */

/* Columns by what they cost between two points, the dearest first; ties in their own order. */
static void
order_columns(tree *t)
{
    const kn_space *s = t->space;
    uint64_t        dear[KN_QUASI_MOST] = { 0 };
    kn_rng          rng;

    kn_rng_init(&rng, 0, 0);
    for (size_t i = 0; i < PAIRS; i++) {
        const uint32_t *a = s->ranks + kn_rng_below(&rng, s->npoints) * s->width;
        const uint32_t *b = s->ranks + kn_rng_below(&rng, s->npoints) * s->width;

        for (size_t q = 0; q < t->m; q++)
            dear[q] += kn_space_side_cell(&s->sides[q], a[q] < b[q] ? a[q] : b[q],
                                          a[q] < b[q] ? b[q] : a[q]);
    }
    for (size_t q = 0; q < t->m; q++) {
        size_t at = q;

        for (; at > 0 && dear[t->columns[at - 1]] < dear[q]; at--)
            t->columns[at] = t->columns[at - 1];
        t->columns[at] = q;
    }
}

/* Stable counting sorts, the last column first. */
static kanon_status
sort_points(tree *t)
{
    const kn_space *s = t->space;
    kanon_status    rc = KANON_OK;
    uint32_t       *other = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints), *starts = NULL;

    if (!other)
        return KANON_E_NOMEM;
    for (size_t c = t->m; rc == KANON_OK && c-- > 0;) {
        size_t    q = t->columns[c];
        uint32_t *from = t->sorted, at = 0;

        starts = KN_NEW_ARRAY(s->ctx, uint32_t, s->sides[q].nranks);
        rc = starts ? KANON_OK : KANON_E_NOMEM;
        for (size_t i = 0; rc == KANON_OK && i < s->npoints; i++)
            starts[s->ranks[i * s->width + q]]++;
        for (uint32_t r = 0; rc == KANON_OK && r < s->sides[q].nranks; r++) {
            uint32_t n = starts[r];

            starts[r] = at;
            at += n;
        }
        for (size_t i = 0; rc == KANON_OK && i < s->npoints; i++)
            other[starts[s->ranks[from[i] * s->width + q]]++] = from[i];
        kn_free(s->ctx, starts);
        t->sorted = other;
        other = from;
    }
    kn_free(s->ctx, other);
    return rc;
}

static void
link_places(tree *t)
{
    const kn_space *s = t->space;
    size_t          n = s->npoints, m = t->m;

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++)
            t->ranks[i * m + c] = s->ranks[t->sorted[i] * s->width + t->columns[c]];
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;

        while (i > 0 && c < m && t->ranks[i * m + c] == t->ranks[(i - 1) * m + c])
            c++;
        t->alike[i] = (uint8_t) c;
        for (size_t d = 0; d < m; d++)
            t->below[i * m + d] = d < c ? t->below[(i - 1) * m + d] : (uint32_t) i - 1;
    }
    t->alike[n] = 0;
    for (size_t i = n; i-- > 0;)
        for (size_t d = 0; d < m; d++)
            t->above[i * m + d] = d < t->alike[i + 1] ? t->above[(i + 1) * m + d]
                                                      : (uint32_t) i + 1;
}

static kanon_status
make_tree(tree *t)
{
    const kn_space *s = t->space;
    kanon_status    rc = KANON_OK;

    t->sorted = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints);
    t->ranks = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints * t->m);
    t->above = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints * t->m);
    t->below = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints * t->m);
    t->alike = KN_NEW_ARRAY(s->ctx, uint8_t, s->npoints + 1);
    if (!t->sorted || !t->ranks || !t->above || !t->below || !t->alike)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < s->npoints; i++)
        t->sorted[i] = i;
    order_columns(t);
    KN_TRY(sort_points(t));
    link_places(t);
out:
    return rc;
}

static void
free_tree(tree *t)
{
    kanon_ctx *ctx = t->space->ctx;

    kn_free(ctx, t->sorted);
    kn_free(ctx, t->ranks);
    kn_free(ctx, t->above);
    kn_free(ctx, t->below);
    kn_free(ctx, t->alike);
    kn_free(ctx, t->old);
}

/* --- the nearest so far ---------------------------------------------------------------------------- */

enum { LIST_MOST = KN_CIRCLE_MOST };

typedef struct list {
    size_t   count, each;
    uint32_t points[LIST_MOST], apart[LIST_MOST]; /* nearest first, ties by number */
} list;

/* What a point must cost less than, to get in. */
static inline uint64_t
worst(const list *l)
{
    return l->count < l->each ? UINT64_MAX : l->apart[l->count - 1];
}

static void
insert(list *l, uint32_t point, uint32_t apart)
{
    size_t at = l->count < l->each ? l->count++ : l->each - 1;

    for (;
         at > 0
         && (l->apart[at - 1] > apart || (l->apart[at - 1] == apart && l->points[at - 1] > point));
         at--) {
        l->points[at] = l->points[at - 1];
        l->apart[at] = l->apart[at - 1];
    }
    l->points[at] = point;
    l->apart[at] = apart;
}

/* --- walks ------------------------------------------------------------------------------------------ */

typedef struct walk {
    const tree     *t;
    const uint32_t *own; /* ranks of the point that asks */
    list            best;
    uint64_t sums[2][KN_QUASI_MOST + 1]; /* up, down: cost of the leading columns at the place */
    size_t   level[2];                   /* how many of them hold for the next place */
    int64_t  next[2];
} walk;

static inline uint32_t
cell(const walk *w, size_t c, uint32_t other)
{
    uint32_t own = w->own[c];

    return own == other ? 0
                        : kn_space_side_cell(&w->t->space->sides[w->t->columns[c]],
                                             own < other ? own : other, own < other ? other : own);
}

/* Goes on in one direction (0: up, 1: down) for some steps, or to the end. Beyond the own rank of a column
 * costs only rise with the distance: where that is too far, so are all that follow with that beginning. */
static void
go(walk *w, int down, uint64_t steps)
{
    const tree *t = w->t;
    int64_t     n = (int64_t) t->space->npoints, at = w->next[down];
    size_t      m = t->m, level = w->level[down];
    uint64_t   *sums = w->sums[down];

    for (; at >= 0 && at < n && steps > 0; steps--) {
        const uint32_t *ranks = t->ranks + (size_t) at * m;
        uint64_t        limit = worst(&w->best);

        for (; level < m; level++) {
            sums[level + 1] = sums[level] + cell(w, level, ranks[level]);
            if (sums[level + 1] >= limit)
                break;
        }
        if (level == m) {
            insert(&w->best, t->sorted[at], (uint32_t) sums[m]);
            level = m - 1;
        } else if (down ? ranks[level] <= w->own[level] : ranks[level] >= w->own[level]) {
            if (level == 0) {
                at = down ? -1 : n;
                break;
            }
            level--;
        }
        if (down) {
            at = (int32_t) t->below[(size_t) at * m + level];
            level = t->alike[at + 1];
        } else {
            at = t->above[(size_t) at * m + level];
            level = t->alike[at];
        }
    }
    w->next[down] = at;
    w->level[down] = level;
}

/* @return whether no nearer point can have been missed */
static bool
ask_tree(const tree *t, size_t place, walk *w)
{
    w->t = t;
    w->own = t->ranks + place * t->m;
    w->best.count = 0;
    w->best.each = t->each;
    w->next[0] = (int64_t) place + 1;
    w->next[1] = (int64_t) place - 1;
    w->level[0] = t->alike[place + 1];
    w->level[1] = t->alike[place];
    memset(w->sums, 0, sizeof w->sums[0] + sizeof w->sums[1]);
    for (int round = 0; round < 2; round++)
        for (int down = 0; down < 2; down++)
            go(w, down, round == 0 ? 2 * t->each : t->visits);
    return (w->next[0] < 0 || w->next[0] >= (int64_t) t->space->npoints) && w->next[1] < 0;
}

static void
store(const tree *t, const list *l, uint32_t point)
{
    uint32_t *to = t->of + point * t->each;

    for (size_t i = 0; i < t->each; i++)
        to[i] = i < l->count ? l->points[i] : KN_NO_CODE;
}

static void
search_block(void *user, size_t item, unsigned worker)
{
    tree  *t = user;
    size_t end = (item + 1) * BLOCK < t->space->npoints ? (item + 1) * BLOCK : t->space->npoints;
    walk   w;

    if (worker == 0)
        kn_cluster_late(t->env, -1, -1);
    for (size_t place = item * BLOCK; place < end; place++) {
        bool complete = false;

        w.best.count = 0;
        if (!kn_cluster_over(t->env))
            complete = ask_tree(t, place, &w);
        if (!complete)
            atomic_store_explicit(&t->missed, true, memory_order_relaxed);
        if (t->of)
            store(t, &w.best, t->sorted[place]);
        else
            t->visit(t->user, t->sorted[place],
                     &(kn_nearest_points){ w.best.points, w.best.apart, w.best.count, complete },
                     worker);
    }
}

/* --- neighbours of neighbours ------------------------------------------------------------------------- */

static bool
listed(const list *l, uint32_t point)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->points[i] == point)
            return true;
    return false;
}

static void
offer(const tree *t, list *l, const uint32_t *own, uint32_t point)
{
    uint64_t apart = kn_space_apart(t->space, own, t->space->ranks + point * t->space->width);

    if (apart < worst(l) && !listed(l, point))
        insert(l, point, (uint32_t) apart);
}

static void
ask_point(const tree *t, uint32_t point, list *l)
{
    const kn_space *s = t->space;
    const uint32_t *mine = t->old + point * t->each, *own = s->ranks + point * s->width;

    l->count = 0;
    l->each = t->each;
    for (size_t i = 0; i < t->each && mine[i] != KN_NO_CODE; i++)
        insert(l, mine[i], (uint32_t) kn_space_apart(s, own, s->ranks + mine[i] * s->width));
    for (size_t i = 0; i < t->each && i < ASKED && mine[i] != KN_NO_CODE; i++) {
        const uint32_t *theirs = t->old + mine[i] * t->each;

        for (size_t j = 0; j < t->each && j < ASKED && theirs[j] != KN_NO_CODE; j++)
            if (theirs[j] != point)
                offer(t, l, own, theirs[j]);
    }
}

static void
ask_block(void *user, size_t item, unsigned worker)
{
    const tree *t = user;
    size_t end = (item + 1) * BLOCK < t->space->npoints ? (item + 1) * BLOCK : t->space->npoints;
    list   l;

    if (worker == 0)
        kn_cluster_late(t->env, -1, -1);
    for (size_t place = item * BLOCK; place < end; place++) {
        uint32_t point = t->sorted[place];

        if (kn_cluster_over(t->env)) {
            memcpy(t->of + point * t->each, t->old + point * t->each, t->each * sizeof *t->of);
            continue;
        }
        ask_point(t, point, &l);
        store(t, &l, point);
    }
}

/* --- all ------------------------------------------------------------------------------------------------ */

/* The fewer points there are, the longer each may search. */
static uint64_t
visits_of(size_t npoints)
{
    uint64_t each = npoints ? VISITS_ALL / npoints : 0;

    return each > VISITS_LEAST ? each : VISITS_LEAST;
}

kanon_status
kn_neighbours_new(kn_cluster_env *env, size_t each, kn_neighbours *out)
{
    const kn_space *s = kn_cluster_space(env);
    kanon_status    rc = KANON_OK;
    size_t          blocks = (s->npoints + BLOCK - 1) / BLOCK;
    tree           *t = KN_NEW(s->ctx, tree);

    memset(out, 0, sizeof *out);
    if (!t)
        return KANON_E_NOMEM;
    out->each = each < s->npoints ? each : s->npoints ? s->npoints - 1 : 0;
    if (out->each > LIST_MOST)
        out->each = LIST_MOST;
    *t = (tree){ .env = env, .space = s, .each = out->each, .m = s->nquasi };
    t->visits = visits_of(s->npoints);
    out->exact = true;
    if (!out->each)
        goto out;
    KN_TRY(make_tree(t));
    t->of = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints * out->each);
    KN_TRY(KN_HAVE(t->of));
    kn_pool_run(kn_cluster_pool(env), blocks, search_block, t);
    out->exact = !t->missed;
    for (int round = 0; !out->exact && round < ROUNDS; round++) {
        uint32_t *swap = t->of;

        if (!t->old)
            t->old = KN_NEW_ARRAY(s->ctx, uint32_t, s->npoints * out->each);
        KN_TRY(KN_HAVE(t->old));
        t->of = t->old;
        t->old = swap;
        kn_pool_run(kn_cluster_pool(env), blocks, ask_block, t);
    }
out:
    if (rc < 0)
        kn_free(s->ctx, t->of);
    else
        out->of = t->of;
    free_tree(t);
    kn_free(s->ctx, t);
    return rc;
}

kanon_status
kn_neighbours_visit(kn_cluster_env *env, size_t each, kn_nearest_points_fn visit, void *user)
{
    const kn_space *s = kn_cluster_space(env);
    kanon_status    rc = KANON_OK;
    tree           *t = KN_NEW(s->ctx, tree);

    if (!t)
        return KANON_E_NOMEM;
    *t = (tree){ .env = env, .space = s, .m = s->nquasi };
    t->visits = visits_of(s->npoints);
    t->each = each < LIST_MOST ? each : LIST_MOST;
    t->visit = visit;
    t->user = user;
    KN_TRY(make_tree(t));
    kn_pool_run(kn_cluster_pool(env), (s->npoints + BLOCK - 1) / BLOCK, search_block, t);
out:
    free_tree(t);
    kn_free(s->ctx, t);
    return rc;
}

void
kn_neighbours_fini(kanon_ctx *ctx, kn_neighbours *neighbours)
{
    kn_free(ctx, neighbours->of);
    memset(neighbours, 0, sizeof *neighbours);
}

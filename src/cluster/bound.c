/* SPDX-License-Identifier: Apache-2.0 */
/* bound.c -- a lower bound on the cost of every partition.
 * A row costs what its class costs, and that is at least the cheapest box that holds the row and k - 1
 * others: the sum of these over all rows is a bound. A suppressed row costs more than any box, so it
 * holds with suppression as well.
 * The (k-1)-th nearest neighbour gives a weaker one, since a box must reach each of its rows: it bounds
 * the search for the box. That goes column by column: which ancestor, or which interval around the own
 * value; what is still possible in the columns to come is bounded by the neighbours again. A
 * search that becomes too long is broken off: the least bound of what it left open stands for it then. */
#include "cluster/neighbours.h"
#include "cluster/refine.h"

/* Points beyond which it is not tried. Neighbours looked at: NEAR_TIMES * k
 * within the next two, but k at least. What is not worth another look at a list. */
enum {
    POINTS_MOST = 1 << 18,
    NEAR_TIMES = 4,
    NEAR_LEAST = 64,
    NEAR_MOST = 160,
    PRECISION = KN_COST_ONE >> 12
};

/* Looks at candidates: of all searches together at most, and of one. */
static const uint64_t LOOKS_ALL = 3000000000, LOOKS_MOST = 200000;

/* The search for the cheapest box around one point. A node of it decides about one column, and has a list of
 * the candidates that are left. */
typedef struct box_search {
    const kn_space *space;
    const uint32_t *own; /* ranks */
    uint64_t        k;
    size_t          count;
    uint32_t        points[KN_CIRCLE_MOST + 1];
    uint64_t        weight[KN_CIRCLE_MOST + 1];
    size_t          order[KN_QUASI_MOST]; /* of the columns: those that tell most first */
    uint32_t       *rest; /* [m + 1][count] what a candidate costs in columns c.. at least */
    uint32_t       *list; /* [m + 1][count] */
    uint64_t        best; /* the cheapest box found, or what stands for it */
    uint64_t        looks, looks_most;
} box_search;

typedef struct bounding {
    kn_cluster_env *env;
    const kn_space *space;
    uint64_t        k;
    size_t          each;
    box_search     *searches; /* one a worker */
    uint64_t       *sums;     /* one a worker */
} bounding;

static inline uint32_t
cell(const box_search *h, uint32_t candidate, size_t column)
{
    uint32_t a = h->own[column],
             b = h->space->ranks[h->points[candidate] * h->space->width + column];

    return a == b ? 0 : kn_space_side_cell(&h->space->sides[column], a < b ? a : b, a < b ? b : a);
}

static inline uint32_t *
list_at(const box_search *h, size_t depth)
{
    return h->list + depth * (KN_CIRCLE_MOST + 1);
}

static inline uint32_t
rest_at(const box_search *h, size_t depth, uint32_t candidate)
{
    return h->rest[depth * (KN_CIRCLE_MOST + 1) + candidate];
}

/* The least that k rows of a list cost from a column on: the weighted k-th smallest, or a little less, found
 * by halving. UINT64_MAX: there are not that many rows, or none that leave a chance of less than `most`. */
static uint64_t
reach(const box_search *h, size_t depth, size_t count, uint64_t most)
{
    const uint32_t *list = list_at(h, depth);
    uint64_t        low = 0, high = 0, rows = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t rest = rest_at(h, depth, list[i]);

        if (rest >= most)
            continue;
        rows += h->weight[list[i]];
        high = rest > high ? rest : high;
    }
    if (rows < h->k)
        return UINT64_MAX;
    while (low + PRECISION < high) {
        uint64_t middle = (low + high) / 2;

        rows = 0;
        for (size_t i = 0; i < count; i++)
            rows += rest_at(h, depth, list[i]) <= middle ? h->weight[list[i]] : 0;
        if (rows >= h->k)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void search_from(box_search *h, size_t depth, size_t count, uint64_t cost);

/* The candidates whose cell costs no more than that, in the next list. */
static size_t
keep_cheap(const box_search *h, size_t depth, size_t count, uint32_t most)
{
    const uint32_t *list = list_at(h, depth);
    uint32_t       *next = list_at(h, depth + 1);
    size_t          kept = 0;

    for (size_t i = 0; i < count; i++)
        if (cell(h, list[i], h->order[depth]) <= most)
            next[kept++] = list[i];
    return kept;
}

/* Ancestors of the own value, the cheapest first: all candidates below one cost no more than it does. The
 * same serves a missing number: alone, or with everything. */
static void
try_ancestors(box_search *h, size_t depth, size_t count, uint64_t cost)
{
    const uint32_t *list = list_at(h, depth);
    int64_t         last = -1;

    while (h->looks <= h->looks_most) {
        uint32_t next = UINT32_MAX;

        for (size_t i = 0; i < count; i++) {
            uint32_t c = cell(h, list[i], h->order[depth]);

            if ((int64_t) c > last && c < next)
                next = c;
        }
        if (next == UINT32_MAX || cost + next >= h->best)
            return;
        search_from(h, depth + 1, keep_cheap(h, depth, count, next), cost + next);
        last = next;
    }
}

/* The candidates with numbers in least..greatest, in the next list. */
static size_t
keep_between(const box_search *h, size_t depth, size_t count, uint32_t least, uint32_t greatest)
{
    const uint32_t *list = list_at(h, depth);
    uint32_t       *next = list_at(h, depth + 1);
    size_t          kept = 0, column = h->order[depth];

    for (size_t i = 0; i < count; i++) {
        uint32_t rank = h->space->ranks[h->points[list[i]] * h->space->width + column];

        if (rank >= least && rank <= greatest)
            next[kept++] = list[i];
    }
    return kept;
}

/* The next rank of a candidate away from one, down or up; KN_NO_CODE: there is none. */
static uint32_t
next_rank(const box_search *h, size_t depth, size_t count, uint32_t from, int up)
{
    const kn_space_side *side = &h->space->sides[h->order[depth]];
    const uint32_t      *list = list_at(h, depth);
    uint32_t             found = KN_NO_CODE;

    for (size_t i = 0; i < count; i++) {
        uint32_t rank = h->space->ranks[h->points[list[i]] * h->space->width + h->order[depth]];

        if (rank == side->missing)
            continue;
        if (up ? rank > from && (found == KN_NO_CODE || rank < found)
               : rank < from && (found == KN_NO_CODE || rank > found))
            found = rank;
    }
    return found;
}

/* Intervals around the own number; where the missing value is taken in, everything is. */
static void
try_intervals(box_search *h, size_t depth, size_t count, uint64_t cost)
{
    size_t               column = h->order[depth];
    const kn_space_side *side = &h->space->sides[column];
    uint32_t             own = h->own[column];
    const uint32_t      *values = side->values;

    for (uint32_t a = own; a != KN_NO_CODE && cost + values[own] - values[a] < h->best;
         a = next_rank(h, depth, count, a, 0))
        for (uint32_t b = own; b != KN_NO_CODE && cost + values[b] - values[a] < h->best;
             b = next_rank(h, depth, count, b, 1)) {
            if (h->looks > h->looks_most)
                return;
            h->looks += 2 * count;
            search_from(h, depth + 1, keep_between(h, depth, count, a, b),
                        cost + values[b] - values[a]);
        }
    if (side->missing != KN_NO_CODE && cost + side->mixed < h->best)
        search_from(h, depth + 1, keep_between(h, depth, count, 0, side->missing),
                    cost + side->mixed);
}

static void
search_from(box_search *h, size_t depth, size_t count, uint64_t cost)
{
    uint64_t             least = reach(h, depth, count, h->best - cost);
    const kn_space_side *side;

    h->looks += count;
    if (least == UINT64_MAX)
        return;
    if (depth == h->space->nquasi) {
        h->best = cost;
        return;
    }
    side = &h->space->sides[h->order[depth]];
    if (side->numeric && h->own[h->order[depth]] != side->missing)
        try_intervals(h, depth, count, cost);
    else
        try_ancestors(h, depth, count, cost);
    /* Given up: what lies behind costs at least this. */
    if (h->looks > h->looks_most && cost + least < h->best)
        h->best = cost + least;
}

/* Columns in which the candidates differ most come first. */
static void
order_columns(box_search *h)
{
    uint64_t dear[KN_QUASI_MOST];
    size_t   m = h->space->nquasi;

    for (size_t q = 0; q < m; q++) {
        size_t at = q;

        dear[q] = 0;
        for (uint32_t i = 0; i < h->count; i++)
            dear[q] += cell(h, i, q);
        for (; at > 0 && dear[h->order[at - 1]] < dear[q]; at--)
            h->order[at] = h->order[at - 1];
        h->order[at] = q;
    }
}

/* The cheapest box around a point with k rows, or a bound on it. */
static uint64_t
cheapest_box(box_search *h, size_t each)
{
    size_t m = h->space->nquasi;

    order_columns(h);
    for (uint32_t i = 0; i < h->count; i++) {
        h->rest[m * (KN_CIRCLE_MOST + 1) + i] = 0;
        for (size_t d = m; d-- > 0;)
            h->rest[d * (KN_CIRCLE_MOST + 1) + i] = rest_at(h, d + 1, i) + cell(h, i, h->order[d]);
        h->list[i] = i;
    }
    /* A box with a point that is not listed costs at least as much as the last one of the list. */
    h->best = h->count > each ? rest_at(h, 0, (uint32_t) h->count - 1) : UINT64_MAX;
    h->looks = 0;
    search_from(h, 0, h->count, 0);
    return h->best == UINT64_MAX ? h->space->whole : h->best;
}

/* A point whose neighbours are not known for certain counts as costing nothing. */
static void
bound_point(void *user, uint32_t point, const kn_nearest_points *near, unsigned worker)
{
    bounding       *b = user;
    const kn_space *s = b->space;
    box_search     *h = &b->searches[worker];
    uint64_t        rows = s->first_row[point + 1] - s->first_row[point];

    if (rows >= b->k || !near->complete)
        return;
    h->own = s->ranks + point * s->width;
    h->points[0] = point;
    h->weight[0] = rows;
    h->count = 1;
    for (size_t i = 0; i < near->count; i++) {
        h->points[h->count] = near->points[i];
        h->weight[h->count++] = s->first_row[near->points[i] + 1] - s->first_row[near->points[i]];
    }
    b->sums[worker] += rows * cheapest_box(h, b->each);
}

static kanon_status
make_searches(bounding *b, unsigned workers, uint64_t looks)
{
    size_t     lists = (b->space->nquasi + 1) * (KN_CIRCLE_MOST + 1);
    kanon_ctx *ctx = b->space->ctx;

    b->sums = KN_NEW_ARRAY(ctx, uint64_t, workers);
    b->searches = KN_NEW_ARRAY(ctx, box_search, workers);
    if (!b->sums || !b->searches)
        return KANON_E_NOMEM;
    for (unsigned i = 0; i < workers; i++) {
        b->searches[i].space = b->space;
        b->searches[i].k = b->k;
        b->searches[i].looks_most = (looks < LOOKS_ALL ? looks : LOOKS_ALL) / b->space->npoints;
        if (b->searches[i].looks_most > LOOKS_MOST)
            b->searches[i].looks_most = LOOKS_MOST;
        b->searches[i].rest = KN_NEW_ARRAY(ctx, uint32_t, 2 * lists);
        if (!b->searches[i].rest)
            return KANON_E_NOMEM;
        b->searches[i].list = b->searches[i].rest + lists;
    }
    return KANON_OK;
}

kanon_status
kn_cluster_bound(kn_cluster_env *env, uint64_t looks, uint64_t *cost)
{
    kanon_status    rc = KANON_OK;
    const kn_space *s = kn_cluster_space(env);
    unsigned        workers = kn_pool_workers(kn_cluster_pool(env));
    bounding        b = { .env = env, .space = s, .k = kn_cluster_privacy(env)->k };

    *cost = 0;
    if (b.k < 2 || s->rows < b.k || s->npoints > POINTS_MOST)
        return KANON_OK;
    b.each = NEAR_TIMES * b.k;
    b.each = b.each < NEAR_LEAST ? NEAR_LEAST : b.each > NEAR_MOST ? NEAR_MOST : b.each;
    b.each = b.each < b.k ? b.k : b.each;
    b.each = b.each < KN_CIRCLE_MOST ? b.each : KN_CIRCLE_MOST;
    KN_TRY(make_searches(&b, workers, looks));
    KN_TRY(kn_neighbours_visit(env, b.each, bound_point, &b));
    for (unsigned i = 0; i < workers; i++)
        *cost += b.sums[i];
out:
    for (unsigned i = 0; b.searches && i < workers; i++)
        kn_free(s->ctx, b.searches[i].rest);
    kn_free(s->ctx, b.searches);
    kn_free(s->ctx, b.sums);
    return rc;
}

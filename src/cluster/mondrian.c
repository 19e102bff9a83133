/* SPDX-License-Identifier: Apache-2.0 */
/* mondrian.c -- Mondrian (LeFevre, DeWitt and Ramakrishnan 2006): rows are cut into halves at the median of a
 * column, again and again, as long as both halves may be classes.
 * Strict: equal values of the column stay together. The cut goes below or above the median value, and both
 * are tried. Relaxed: a third cut goes through the median value, so that the halves are equal.
 * Categories are cut in the order of their ranks, which is depth first along the hierarchy.
 * Where the paper takes the widest column, we take the one whose cut costs least; see the doc page.
 * Cost: O(n log n) in the rows for each column. Nodes of the tree are independent: threads take them as they
 * come, and the classes are the same. */
#include "cluster/mondrian.h"

#include "cluster/partition.h"

/* Counters of a radix select. */
enum { BUCKETS = 2048 };

/* Nodes that are enough for all threads, and nodes that wait at most: the larger half does. */
enum { TASKS_ENOUGH = 64, STACK_ROOM = 64 };

typedef struct node {
    uint32_t first, end; /* of items */
} node;

/* Scratch of one worker. */
typedef struct hand {
    unsigned  number;
    uint64_t *counts;           /* [BUCKETS] */
    uint32_t *least, *greatest; /* [width] of the node */
    uint32_t *sides;            /* [4 * width] boxes of the halves */
    node     *stack;
    uint32_t *rows; /* for models that look at them; else NULL */
    uint64_t  looks;
} hand;

typedef struct mondrian {
    kn_cluster_env *env;
    const kn_space *space;
    bool            relaxed;
    bool   widest; /* the first cut of the widest column that can be made; else the cheapest one */
    size_t most;   /* blocks: a node of at most that many items is one; else 0 */
    bool   tuples; /* items are tuples with all of their rows; else rows */
    uint32_t     *items, *spare;
    kn_partition *out;
    uint32_t      base;  /* number of the first class to be made */
    hand         *hands; /* one a worker */
    unsigned      nhands;
    const node   *tasks;
    node         *halves; /* of each task: two; empty ones: it was no more to be cut */
} mondrian;

/* A cut: items whose rank is below `at` go left, and relaxed so many of those that are at it. */
typedef struct cut {
    size_t   column;
    uint32_t at;
    uint64_t also; /* relaxed: rows of rank `at` that go left */
    uint64_t cost;
} cut;

static inline const uint32_t *
ranks_of(const mondrian *m, uint32_t item)
{
    return m->tuples ? m->space->ranks + (size_t) item * m->space->width
                     : kn_space_point(m->space, item);
}

static inline uint32_t
weight_of(const mondrian *m, uint32_t item)
{
    return m->tuples ? m->space->first_row[item + 1] - m->space->first_row[item] : 1;
}

/* --- the median ----------------------------------------------------------------------------------------- */

typedef struct median {
    uint32_t rank;
    uint64_t below, at; /* rows */
} median;

/* The rank at which half of the rows are reached: counts by the high bits of what is still open, then by
 * the next ones. */
static median
find_median(const mondrian *m, hand *h, const node *n, size_t q, uint64_t rows)
{
    uint32_t low = h->least[q], high = h->greatest[q];
    median   found = { low, 0, 0 };

    for (;;) {
        unsigned shift = 0;
        uint32_t bucket = 0;

        while ((high - low) >> shift >= BUCKETS)
            shift++;
        memset(h->counts, 0, (((size_t) (high - low) >> shift) + 1) * sizeof *h->counts);
        for (uint32_t i = n->first; i < n->end; i++) {
            uint32_t rank = ranks_of(m, m->items[i])[q];

            if (rank >= low && rank <= high)
                h->counts[(rank - low) >> shift] += weight_of(m, m->items[i]);
        }
        h->looks += n->end - n->first;
        while (2 * (found.below + h->counts[bucket]) < rows)
            found.below += h->counts[bucket++];
        low += bucket << shift;
        if (shift == 0) {
            found.rank = low;
            found.at = h->counts[bucket];
            return found;
        }
        high = high - low < (1u << shift) ? high : low + (1u << shift) - 1;
    }
}

/* --- cuts -------------------------------------------------------------------------------------------- */

static uint64_t
rows_of(const mondrian *m, const node *n)
{
    uint64_t rows = 0;

    if (!m->tuples)
        return n->end - n->first;
    for (uint32_t i = n->first; i < n->end; i++)
        rows += weight_of(m, m->items[i]);
    return rows;
}

static void
find_box(const mondrian *m, hand *h, const node *n)
{
    size_t width = m->space->width;

    for (size_t q = 0; q < width; q++) {
        h->least[q] = UINT32_MAX;
        h->greatest[q] = 0;
    }
    for (uint32_t i = n->first; i < n->end; i++) {
        const uint32_t *ranks = ranks_of(m, m->items[i]);

        for (size_t q = 0; q < width; q++) {
            h->least[q] = ranks[q] < h->least[q] ? ranks[q] : h->least[q];
            h->greatest[q] = ranks[q] > h->greatest[q] ? ranks[q] : h->greatest[q];
        }
    }
}

/* Which side of a cut an item goes to; *also: rows of the median value that may still go left. */
static bool
goes_left(const mondrian *m, const cut *c, uint32_t item, uint64_t *also)
{
    uint32_t rank = ranks_of(m, item)[c->column];

    if (rank != c->at || *also == 0)
        return rank < c->at;
    (*also)--;
    return true;
}

/* The models' word on both halves. */
static bool
halves_hold(const mondrian *m, hand *h, const node *n, const cut *c)
{
    if (!h->rows)
        return true;
    for (int side = 0; side < 2; side++) {
        uint64_t also = c->also;
        size_t   count = 0;

        for (uint32_t i = n->first; i < n->end; i++) {
            uint32_t item = m->items[i];
            uint32_t first = m->tuples ? m->space->first_row[item] : item;

            if (goes_left(m, c, item, &also) == (side == 0))
                for (uint32_t row = first; row < first + weight_of(m, item); row++)
                    h->rows[count++] = row;
        }
        if (!kn_cluster_holds(m->env, h->number, h->rows, count))
            return false;
    }
    return true;
}

/* How much of a column a box takes up. What it costs is not enough for categories: where all of them have
 * but one ancestor, only the last of many cuts would be worth anything. The share of the ranks goes down with
 * each cut; the mean of both was best of several mixtures, by far. */
static uint64_t
width_of(const kn_space_side *side, uint32_t least, uint32_t greatest)
{
    uint64_t cost = kn_space_side_cell(side, least, greatest);

    if (side->numeric || least == greatest)
        return 2 * cost;
    return cost + (uint64_t) side->whole * (greatest - least) / (side->nranks - 1);
}

/* What the halves take up after a cut, for all their rows. */
static uint64_t
cost_of(const mondrian *m, hand *h, const node *n, const cut *c)
{
    size_t    width = m->space->width;
    uint64_t  rows[2] = { 0, 0 }, also = c->also, cost = 0;
    uint32_t *box = h->sides;

    for (size_t q = 0; q < width; q++) {
        box[q] = box[2 * width + q] = UINT32_MAX;
        box[width + q] = box[3 * width + q] = 0;
    }
    for (uint32_t i = n->first; i < n->end; i++) {
        const uint32_t *ranks = ranks_of(m, m->items[i]);
        int             right = !goes_left(m, c, m->items[i], &also);
        uint32_t       *least = box + (size_t) (2 * right) * width, *greatest = least + width;

        rows[right] += weight_of(m, m->items[i]);
        for (size_t q = 0; q < width; q++) {
            least[q] = ranks[q] < least[q] ? ranks[q] : least[q];
            greatest[q] = ranks[q] > greatest[q] ? ranks[q] : greatest[q];
        }
    }
    h->looks += n->end - n->first;
    for (size_t right = 0; right < 2; right++, box += 2 * width)
        for (size_t q = 0; q < m->space->nquasi; q++)
            cost += rows[right] * width_of(&m->space->sides[q], box[q], box[width + q]);
    return cost;
}

enum { CUTS_MOST = 3 };

/* The cuts of one column that both halves have enough rows for. */
static size_t
cuts_of(const mondrian *m, hand *h, const node *n, size_t q, uint64_t rows, cut *out)
{
    uint64_t k = kn_cluster_privacy(m->env)->k;
    median   middle = find_median(m, h, n, q, rows);
    size_t   count = 0;

    if (middle.below >= k && rows - middle.below >= k)
        out[count++] = (cut){ q, middle.rank, 0, 0 };
    if (middle.below + middle.at >= k && rows - middle.below - middle.at >= k)
        out[count++] = (cut){ q, middle.rank + 1, 0, 0 };
    if (m->relaxed && rows / 2 >= k)
        out[count++] = (cut){ q, middle.rank, rows / 2 - middle.below, 0 };
    return count;
}

/* The next column to try, widest first, ties by column; done: those tried already. */
static size_t
widest(const mondrian *m, const hand *h, const bool *done)
{
    size_t   best = SIZE_MAX;
    uint64_t most = 0;

    for (size_t q = 0; q < m->space->nquasi; q++)
        if (!done[q] && h->least[q] < h->greatest[q]) {
            uint64_t width = width_of(&m->space->sides[q], h->least[q], h->greatest[q]);

            if (best == SIZE_MAX || width > most) {
                best = q;
                most = width;
            }
        }
    return best;
}

/* The cheapest cut of a column that may be made, if it is cheaper than *best. */
static void
try_column(const mondrian *m, hand *h, const node *n, size_t q, uint64_t rows, cut *best)
{
    cut    cuts[CUTS_MOST];
    size_t count = cuts_of(m, h, n, q, rows, cuts);

    for (size_t i = 0; i < count; i++) {
        cuts[i].cost = cost_of(m, h, n, &cuts[i]);
        if (cuts[i].cost < best->cost && halves_hold(m, h, n, &cuts[i]))
            *best = cuts[i];
    }
}

static bool
choose(const mondrian *m, hand *h, const node *n, uint64_t rows, cut *best)
{
    bool   done[KN_QUASI_MOST] = { false };
    size_t q;

    best->cost = UINT64_MAX;
    while ((q = widest(m, h, done)) != SIZE_MAX) {
        done[q] = true;
        try_column(m, h, n, q, rows, best);
        if (m->widest && best->cost != UINT64_MAX)
            break;
    }
    return best->cost != UINT64_MAX;
}

/* Both sides keep the order of their items. */
static uint32_t
divide(const mondrian *m, const node *n, const cut *c)
{
    uint32_t left = n->first, right = left;
    uint64_t also = c->also;

    for (uint32_t i = n->first; i < n->end; i++)
        if (goes_left(m, c, m->items[i], &also))
            m->items[left++] = m->items[i];
        else
            m->spare[right++] = m->items[i];
    memcpy(m->items + left, m->spare + n->first, (right - n->first) * sizeof *m->items);
    return left;
}

/* Cuts a node in two; false: it stays whole. */
static bool
halve(const mondrian *m, hand *h, const node *n, node halves[2])
{
    uint64_t rows = rows_of(m, n);
    uint32_t middle;
    cut      c = { 0, 0, 0, 0 };

    if (n->end - n->first < 2 || rows < 2 * kn_cluster_privacy(m->env)->k
        || (m->most && n->end - n->first <= m->most))
        return false;
    find_box(m, h, n);
    if (!choose(m, h, n, rows, &c))
        return false;
    middle = divide(m, n, &c);
    halves[0] = (node){ n->first, middle };
    halves[1] = (node){ middle, n->end };
    return true;
}

/* --- the tree ------------------------------------------------------------------------------------------ */

static bool
late(const mondrian *m, unsigned worker)
{
    return worker == 0 ? kn_cluster_late(m->env, -1, -1) : kn_cluster_over(m->env);
}

/* A leaf is a class; its number is the place of its first item until all are numbered. */
static void
make_class(const mondrian *m, const node *n)
{
    for (uint32_t i = n->first; i < n->end; i++) {
        uint32_t item = m->items[i], first = m->tuples ? m->space->first_row[item] : item;

        for (uint32_t row = first; row < first + weight_of(m, item); row++)
            m->out->class_of[row] = m->base + n->first;
    }
}

static void
split_task(void *user, size_t item, unsigned worker)
{
    const mondrian *m = user;
    node           *halves = m->halves + 2 * item;

    if (late(m, worker) || !halve(m, &m->hands[worker], &m->tasks[item], halves)) {
        halves[0] = m->tasks[item];
        halves[1] = (node){ 0, 0 };
    }
}

/* A subtree as a whole, depth first. */
static void
finish_task(void *user, size_t item, unsigned worker)
{
    const mondrian *m = user;
    hand           *h = &m->hands[worker];
    size_t          depth = 0;

    h->stack[depth++] = m->tasks[item];
    while (depth) {
        node n = h->stack[--depth], halves[2];

        if (depth + 2 > STACK_ROOM || late(m, worker) || !halve(m, h, &n, halves)) {
            make_class(m, &n);
            continue;
        }
        /* the larger half waits, so that few do */
        int large = halves[1].end - halves[1].first > halves[0].end - halves[0].first;

        h->stack[depth++] = halves[large];
        h->stack[depth++] = halves[1 - large];
    }
}

/* Level by level until there is work for all, counting as done what stays whole. */
static kanon_status
spread(mondrian *m, node root, node **tasks, size_t *count)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = kn_cluster_ctx(m->env);
    kn_pool     *pool = kn_cluster_pool(m->env);
    node        *now = KN_NEW_ARRAY(ctx, node, 2 * TASKS_ENOUGH);
    bool         more = true;

    *tasks = now;
    *count = 1;
    m->halves = KN_NEW_ARRAY(ctx, node, 2 * TASKS_ENOUGH);
    if (!now || !m->halves)
        return KANON_E_NOMEM;
    now[0] = root;
    while (more && *count < TASKS_ENOUGH) {
        size_t to = 0;

        m->tasks = now;
        kn_pool_run(pool, *count, split_task, m);
        for (size_t i = 0; i < 2 * *count; i++)
            if (m->halves[i].first < m->halves[i].end)
                now[to++] = m->halves[i];
        more = to > *count;
        *count = to;
    }
    return rc;
}

/* --- a run --------------------------------------------------------------------------------------------- */

static kanon_status
open_hand(const mondrian *m, hand *h, unsigned number)
{
    kanon_ctx *ctx = kn_cluster_ctx(m->env);
    size_t     width = m->space->width;

    h->number = number;
    h->counts = KN_NEW_ARRAY(ctx, uint64_t, BUCKETS);
    h->least = KN_NEW_ARRAY(ctx, uint32_t, width);
    h->greatest = KN_NEW_ARRAY(ctx, uint32_t, width);
    h->sides = KN_NEW_ARRAY(ctx, uint32_t, 4 * width);
    h->stack = KN_NEW_ARRAY(ctx, node, STACK_ROOM);
    if (!h->counts || !h->least || !h->greatest || !h->sides || !h->stack)
        return KANON_E_NOMEM;
    if (m->most || kn_cluster_plain(m->env))
        return KANON_OK;
    h->rows = KN_NEW_ARRAY(ctx, uint32_t, m->space->rows);
    return h->rows ? KANON_OK : KANON_E_NOMEM;
}

static void
close_hands(mondrian *m)
{
    kanon_ctx *ctx = kn_cluster_ctx(m->env);

    for (unsigned i = 0; m->hands && i < m->nhands; i++) {
        hand *h = &m->hands[i];

        kn_cluster_spent(m->env, h->looks);
        kn_free(ctx, h->counts);
        kn_free(ctx, h->least);
        kn_free(ctx, h->greatest);
        kn_free(ctx, h->sides);
        kn_free(ctx, h->stack);
        kn_free(ctx, h->rows);
    }
    kn_free(ctx, m->hands);
    kn_free(ctx, m->halves);
    kn_free(ctx, m->items);
    kn_free(ctx, m->spare);
}

/* Cuts m->items, of which there are `count`. */
static kanon_status
cut_items(mondrian *m, uint32_t count)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = kn_cluster_ctx(m->env);
    node        *tasks = NULL;
    size_t       ntasks;

    m->nhands = kn_pool_workers(kn_cluster_pool(m->env));
    m->hands = KN_NEW_ARRAY(ctx, hand, m->nhands);
    m->spare = KN_NEW_ARRAY(ctx, uint32_t, count);
    if (!m->hands || !m->spare)
        return KANON_E_NOMEM;
    for (unsigned i = 0; i < m->nhands; i++)
        KN_TRY(open_hand(m, &m->hands[i], i));
    KN_TRY(spread(m, (node){ 0, count }, &tasks, &ntasks));
    m->tasks = tasks;
    kn_pool_run(kn_cluster_pool(m->env), ntasks, finish_task, m);
    m->out->nclasses = m->base + count;
out:
    kn_free(ctx, tasks);
    return rc;
}

/* Tuples as a whole where that is possible: there are fewer of them. */
static kanon_status
gather(mondrian *m, uint32_t *count)
{
    const kn_space *space = m->space;
    const uint32_t *class_of = m->out->class_of;
    uint32_t        left = 0;

    for (uint32_t row = 0; row < space->rows; row++)
        left += class_of[row] == KN_NO_CLASS;
    m->tuples = !m->relaxed && left == space->rows;
    *count = m->tuples ? (uint32_t) space->npoints : left;
    m->items = KN_NEW_ARRAY(kn_cluster_ctx(m->env), uint32_t, *count);
    if (!m->items)
        return KANON_E_NOMEM;
    left = 0;
    for (uint32_t i = 0; m->tuples && i < *count; i++)
        m->items[i] = i;
    for (uint32_t row = 0; !m->tuples && row < space->rows; row++)
        if (class_of[row] == KN_NO_CLASS)
            m->items[left++] = row;
    return KANON_OK;
}

kanon_status
kn_mondrian_cut(kn_cluster_env *env, const kn_mondrian_options *options, kn_partition *out)
{
    kanon_status rc = KANON_OK;
    uint32_t     count = 0;
    kn_part      part;
    mondrian     m = { .env = env,
                       .space = kn_cluster_space(env),
                       .relaxed = options->mode == KN_MONDRIAN_RELAXED,
                       .widest = options->choice == KN_MONDRIAN_WIDEST,
                       .most = options->most,
                       .out = out,
                       .base = out->nclasses };

    KN_TRY(gather(&m, &count));
    if (count)
        KN_TRY(cut_items(&m, count));
    part = kn_part_of(m.space, out);
    KN_TRY(kn_part_number(kn_cluster_ctx(env), &part));
    out->nclasses = part.nclasses;
out:
    close_hands(&m);
    return rc;
}

/* --- the clusterer ----------------------------------------------------------------------------------- */

enum { PARAM_MODE, PARAM_CUT };

static const kanon_param params[] = {
    { "mode", "strict|relaxed", 0, 0, "strict",
      "strict: equal values stay together; relaxed: they may be divided" },
    { "cut", "cheapest|widest", 0, 0, "cheapest",
      "cheapest: the cheapest cut at the medians of all columns; widest: the paper's choice, the "
      "widest column" },
    KN_CLUSTER_PARAMS("off"),
};

static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    double n = (double) space->npoints, depth = 1;

    KN_UNUSED(values);
    for (uint64_t rows = space->rows; rows > 2 * k; rows /= 2)
        depth++;
    return n * depth * (double) space->nquasi;
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    kn_mondrian_options options = {
        values->number[PARAM_MODE] > 0 ? KN_MONDRIAN_RELAXED : KN_MONDRIAN_STRICT,
        values->number[PARAM_CUT] > 0 ? KN_MONDRIAN_WIDEST : KN_MONDRIAN_CHEAPEST, 0
    };

    return kn_mondrian_cut(env, &options, out);
}

const kn_cluster_class kn_cluster_mondrian = {
    { "mondrian", "cuts the rows in halves as long as possible: fast, for any number of rows",
      "docs/algorithms/mondrian.md", KANON_TRAIT_LOCAL | KANON_TRAIT_ANYTIME, params, "gcp" },
    work,
    run,
};

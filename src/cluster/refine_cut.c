/* SPDX-License-Identifier: Apache-2.0 */
/* refine_cut.c -- cuts classes that are large enough into two, where that lowers the cost most: along each
 * column the rows are sorted, and every place is tried that leaves k rows on either side. The
 * refinement works with classes below 2k rows; larger ones come from other methods, or are equal rows. */
#include "cluster/refine_state.h"

typedef struct cutter {
    kn_cluster_env        *env;
    const kn_refine_rules *rules;
    kanon_ctx             *ctx;
    uint32_t               k, most; /* classes with more rows than that are cut */
    uint32_t              *order;
    uint32_t *sorted, *best;            /* [rows] a class along a column, and along the best one */
    uint32_t *left;                     /* [rows] what the first rows cost together */
    kn_lane  *least, *greatest, *lanes; /* [nquasi] */
    uint32_t *starts;                   /* [KN_LANE_MOST + 1] for sorting */
    uint32_t *ends;
    size_t    nends, room;
} cutter;

static const uint32_t *
ranks_of(const cutter *c, uint32_t row)
{
    return kn_space_point(c->rules->space, row);
}

static kn_lane
lane_at(const cutter *c, uint32_t row, size_t lane)
{
    const kn_refine_rule *rule = &c->rules->lane[lane];
    uint32_t              rank = ranks_of(c, row)[rule->quasi];

    return (kn_lane) (rule->bin_of ? rule->bin_of[rank] : rank);
}

static void
begin_box(const cutter *c)
{
    for (size_t i = 0; i < c->rules->all; i++) {
        c->least[i] = KN_LANE_MOST;
        c->greatest[i] = -1;
    }
}

/* @return what a row costs in the box with this one */
static uint32_t
extend_box(const cutter *c, uint32_t row)
{
    kn_refine_rules_lanes(c->rules, ranks_of(c, row), c->lanes);
    for (size_t i = 0; i < c->rules->all; i++) {
        c->least[i] = c->lanes[i] < c->least[i] ? c->lanes[i] : c->least[i];
        c->greatest[i] = c->lanes[i] > c->greatest[i] ? c->lanes[i] : c->greatest[i];
    }
    return kn_refine_rules_cost(c->rules, c->least, c->greatest);
}

/* A counting sort along a lane, stable. */
static void
sort_along(const cutter *c, const uint32_t *rows, uint32_t count, size_t lane)
{
    uint32_t n = c->rules->lane[lane].n, at = 0;

    memset(c->starts, 0, n * sizeof *c->starts);
    for (uint32_t i = 0; i < count; i++)
        c->starts[lane_at(c, rows[i], lane)]++;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t here = c->starts[v];

        c->starts[v] = at;
        at += here;
    }
    for (uint32_t i = 0; i < count; i++)
        c->sorted[c->starts[lane_at(c, rows[i], lane)]++] = rows[i];
}

/* The cheapest place to cut the sorted rows at; UINT64_MAX: none is cheaper than `least`. */
static uint64_t
cut_sorted(const cutter *c, uint32_t count, uint64_t least, uint32_t *at)
{
    uint64_t best = UINT64_MAX;

    begin_box(c);
    for (uint32_t i = 0; i < count - c->k; i++)
        c->left[i] = extend_box(c, c->sorted[i]);
    begin_box(c);
    for (uint32_t i = count; i-- > c->k;) {
        uint64_t right = extend_box(c, c->sorted[i]), cost;

        if (count - i < c->k)
            continue;
        cost = right * (count - i) + (uint64_t) c->left[i - 1] * i;
        if (cost < least) {
            least = best = cost;
            *at = i;
        }
    }
    return best;
}

/* Finds the best cut of a class and puts its rows into that order; 0: there is none. */
static uint32_t
cut_class(const cutter *c, uint32_t *rows, uint32_t count)
{
    uint64_t least = 0;
    uint32_t at = 0, place;

    begin_box(c);
    for (uint32_t i = 0; i < count; i++)
        least = (uint64_t) extend_box(c, rows[i]) * count;
    if (least == 0)
        return count / 2 / c->k * c->k;
    least++; /* as cheap is good enough */
    for (size_t lane = 0; lane < c->rules->all; lane++) {
        uint64_t cost;

        sort_along(c, rows, count, lane);
        cost = cut_sorted(c, count, least, &place);
        if (cost == UINT64_MAX)
            continue;
        if (!kn_cluster_holds(c->env, 0, c->sorted, place)
            || !kn_cluster_holds(c->env, 0, c->sorted + place, count - place))
            continue;
        least = cost;
        at = place;
        memcpy(c->best, c->sorted, count * sizeof *c->best);
    }
    if (at)
        memcpy(rows, c->best, count * sizeof *rows);
    return at;
}

/* A class of rows first..end-1, and what comes of it: halves wait on a stack, the largest at its bottom. */
static kanon_status
cut_all(cutter *c, uint32_t first, uint32_t end)
{
    kanon_status rc = KANON_OK;
    uint32_t    *waiting = NULL;
    size_t       room = 0, count = 0;

    KN_TRY(kn_grow(c->ctx, (void **) &waiting, &room, 1, sizeof *waiting));
    waiting[count++] = end;
    while (count) {
        uint32_t at = 0;

        end = waiting[count - 1];
        if (end - first > c->most && !kn_cluster_late(c->env, -1, -1))
            at = cut_class(c, c->order + first, end - first);
        if (at
            && (!kn_cluster_holds(c->env, 0, c->order + first, at)
                || !kn_cluster_holds(c->env, 0, c->order + first + at, end - first - at)))
            at = 0;
        if (at) {
            KN_TRY(kn_grow(c->ctx, (void **) &waiting, &room, count + 1, sizeof *waiting));
            waiting[count++] = first + at;
            continue;
        }
        KN_TRY(kn_grow(c->ctx, (void **) &c->ends, &c->room, c->nends + 1, sizeof *c->ends));
        c->ends[c->nends++] = first = end;
        count--;
    }
out:
    kn_free(c->ctx, waiting);
    return rc;
}

/* Rows by class; the first row of each class in starts[nclasses + 1]. */
static kanon_status
sort_by_class(cutter *c, const kn_partition *partition, uint32_t **starts)
{
    const kn_space *space = c->rules->space;
    uint32_t       *at = KN_NEW_ARRAY(c->ctx, uint32_t, (size_t) partition->nclasses + 2);

    *starts = at;
    if (!at)
        return KANON_E_NOMEM;
    for (uint32_t r = 0; r < space->rows; r++)
        if (partition->class_of[r] != KN_NO_CLASS)
            at[partition->class_of[r] + 2]++;
    for (uint32_t i = 2; i < partition->nclasses + 2; i++)
        at[i] += at[i - 1];
    for (uint32_t r = 0, rest = at[partition->nclasses + 1]; r < space->rows; r++)
        if (partition->class_of[r] != KN_NO_CLASS)
            c->order[at[partition->class_of[r] + 1]++] = r;
        else
            c->order[rest++] = r;
    return KANON_OK;
}

static kanon_status
make_cutter(cutter *c)
{
    uint32_t rows = c->rules->space->rows;

    c->sorted = KN_NEW_ARRAY(c->ctx, uint32_t, rows);
    c->best = KN_NEW_ARRAY(c->ctx, uint32_t, rows);
    c->left = KN_NEW_ARRAY(c->ctx, uint32_t, rows);
    c->least = KN_NEW_ARRAY(c->ctx, kn_lane, 3 * c->rules->all + 1);
    c->starts = KN_NEW_ARRAY(c->ctx, uint32_t, KN_LANE_MOST + 1);
    if (!c->sorted || !c->best || !c->left || !c->least || !c->starts)
        return KANON_E_NOMEM;
    c->greatest = c->least + c->rules->all;
    c->lanes = c->greatest + c->rules->all;
    return KANON_OK;
}

kanon_status
kn_refine_cut(kn_cluster_env *env, const kn_refine_rules *rules, const kn_partition *partition,
              uint32_t *order, uint32_t **ends, uint32_t *nends)
{
    kanon_status rc = KANON_OK;
    uint32_t     k = (uint32_t) kn_cluster_privacy(env)->k, *starts = NULL;
    cutter c = { .env = env, .rules = rules, .ctx = rules->space->ctx, .k = k, .order = order };

    /* Where models have a say, classes of some size are what they want. */
    c.most = kn_cluster_plain(env) ? 2 * k - 1 : 4 * k > 32 ? 4 * k : 32;
    KN_TRY(make_cutter(&c));
    KN_TRY(sort_by_class(&c, partition, &starts));
    for (uint32_t i = 0; i < partition->nclasses; i++)
        KN_TRY(cut_all(&c, starts[i], starts[i + 1]));
    *ends = c.ends;
    *nends = (uint32_t) c.nends;
    c.ends = NULL;
out:
    kn_free(c.ctx, c.sorted);
    kn_free(c.ctx, c.best);
    kn_free(c.ctx, c.left);
    kn_free(c.ctx, c.least);
    kn_free(c.ctx, c.starts);
    kn_free(c.ctx, c.ends);
    kn_free(c.ctx, starts);
    return rc;
}

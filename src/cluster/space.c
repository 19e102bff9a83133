/* SPDX-License-Identifier: Apache-2.0 */
/* space.c -- values as ranks, points as vectors of ranks, and what the box around some of them costs.
 * Ranks follow the hierarchy depth first, so that a set of categories has the lowest common ancestor of
 * its least and its greatest rank: a class is a box, whatever its columns are. Costs of pairs of ranks are
 * tabulated where a column has few values; elsewhere the levels are searched, which is possible in
 * halves since they nest. Memory: 4 bytes for each cell of each tuple, 8 bytes a row, 1 MiB of table for
 * each column with at most TABLE_MOST values, else 4 bytes for each group of its hierarchy. */
#include "cluster/space.h"

#include <math.h>

#include "encode/ranks.h"

/* 512 * 512 * 4 bytes: a table that still fits the second-level cache. */
enum { TABLE_MOST = 512 };

/* --- ranks ------------------------------------------------------------------------------------- */

/* One pass of a radix sort: codes in `from` become sorted by their group at a level, stably. */
static void
sort_by_level(const kn_level *level, uint32_t *starts, const uint32_t *from, uint32_t *to,
              size_t count)
{
    uint32_t at = 0;

    memset(starts, 0, level->ngroups * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[level->group_of[from[i]]]++;
    for (uint32_t g = 0; g < level->ngroups; g++) {
        uint32_t n = starts[g];

        starts[g] = at;
        at += n;
    }
    for (size_t i = 0; i < count; i++)
        to[starts[level->group_of[from[i]]]++] = from[i];
}

/* Sorted by the top level first, then by the one below, and so on: from the bottom up, stably. */
static kanon_status
rank_categories(kanon_ctx *ctx, kn_space_side *side)
{
    const kanon_hierarchy *h = side->hierarchy;
    uint32_t              *other = KN_NEW_ARRAY(ctx, uint32_t, h->ndata);
    uint32_t              *starts = KN_NEW_ARRAY(ctx, uint32_t, h->nleaves + 1);
    kanon_status           rc = other && starts ? KANON_OK : KANON_E_NOMEM;

    for (size_t l = 1; rc == KANON_OK && l < h->nlevels; l++)
        if (h->levels[l].ngroups > 1) {
            uint32_t *sorted = other;

            sort_by_level(&h->levels[l], starts, side->code_of, sorted, h->ndata);
            other = side->code_of;
            side->code_of = sorted;
        }
    kn_free(ctx, other);
    kn_free(ctx, starts);
    return rc;
}

/* In their exact order, spellings of one number by their codes: a counting sort of the shared ranks. */
static kanon_status
rank_numbers(kanon_ctx *ctx, kn_space_side *side)
{
    kanon_status           rc = KANON_OK;
    const kanon_hierarchy *h = side->hierarchy;
    uint32_t              *shared = KN_NEW_ARRAY(ctx, uint32_t, h->ndata);
    uint32_t              *next = KN_NEW_ARRAY(ctx, uint32_t, h->ndata + 1);

    KN_TRY(KN_HAVE(shared && next));
    KN_TRY(kn_number_ranks(ctx, h->levels[0].labels, h->ndata,
                           h->missing < h->ndata ? h->missing : KN_NO_CODE, shared));
    for (size_t code = 0; code < h->ndata; code++)
        next[shared[code] + 1]++;
    for (size_t r = 1; r < h->ndata; r++)
        next[r] += next[r - 1];
    for (uint32_t code = 0; code < h->ndata; code++)
        side->code_of[next[shared[code]]++] = code;
out:
    kn_free(ctx, shared);
    kn_free(ctx, next);
    return rc;
}

/* --- costs of one column ------------------------------------------------------------------------- */

static uint32_t
in_units(const kn_space_side *side, double loss)
{
    return (uint32_t) llround(loss * (double) side->whole);
}

static kanon_status
price_numbers(kanon_ctx *ctx, kn_space_side *side, kn_cell_loss loss)
{
    const kanon_hierarchy *h = side->hierarchy;
    double                 extent = h->max - h->min;

    side->values = KN_NEW_ARRAY(ctx, uint32_t, side->nranks);
    if (!side->values)
        return KANON_E_NOMEM;
    for (uint32_t r = 0; r < side->nranks; r++)
        if (r != side->missing && extent > 0) {
            side->values[r] = in_units(side, (h->levels[0].lo[side->code_of[r]] - h->min) / extent);
            if (r && side->values[r] < side->values[r - 1]) /* doubles of long numbers may swap */
                side->values[r] = side->values[r - 1];
        }
    if (side->nranks)
        side->mixed = in_units(side, loss(h, h->nlevels - 1, side->code_of[0]));
    return KANON_OK;
}

/* Each group by one of its leaves: all of them cost the same there. Only ancestors of different values are
 * ever asked for, never a group of one. */
static kanon_status
price_groups(kanon_ctx *ctx, kn_space_side *side, kn_cell_loss loss)
{
    const kanon_hierarchy *h = side->hierarchy;

    side->groups = kn_alloc_array(ctx, h->nlevels, sizeof *side->groups);
    if (!side->groups)
        return KANON_E_NOMEM;
    for (size_t l = 1; l < h->nlevels; l++) {
        const kn_level *level = &h->levels[l];

        side->groups[l] = KN_NEW_ARRAY(ctx, uint32_t, level->ngroups);
        if (!side->groups[l])
            return KANON_E_NOMEM;
        for (uint32_t leaf = 0; leaf < h->ndata; leaf++)
            if (leaf == 0 || level->group_of[leaf] != level->group_of[leaf - 1])
                side->groups[l][level->group_of[leaf]] = in_units(side, loss(h, l, leaf));
    }
    return KANON_OK;
}

/* The lowest level at which two codes are in one group. Levels nest: what is together stays together. */
static size_t
meeting(const kanon_hierarchy *h, uint32_t a, uint32_t b)
{
    size_t low = 1, high = h->nlevels - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (h->levels[middle].group_of[a] == h->levels[middle].group_of[b])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t
kn_space_side_meet(const kn_space_side *side, uint32_t least, uint32_t greatest)
{
    uint32_t code = side->code_of[least];
    size_t   level;

    assert(least <= greatest && greatest < side->nranks);
    if (least == greatest)
        return 0;
    level = meeting(side->hierarchy, code, side->code_of[greatest]);
    return side->groups[level][side->hierarchy->levels[level].group_of[code]];
}

static kanon_status
price_pairs(kanon_ctx *ctx, kn_space_side *side)
{
    uint32_t n = side->nranks;

    side->table = KN_NEW_ARRAY(ctx, uint32_t, (size_t) n * n);
    if (!side->table)
        return KANON_E_NOMEM;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            side->table[a * n + b] = side->table[b * n + a] = kn_space_side_meet(side, a, b);
    return KANON_OK;
}

/* --- one column ---------------------------------------------------------------------------------- */

static void
free_groups(kanon_ctx *ctx, kn_space_side *side)
{
    for (size_t l = 0; side->groups && l < side->hierarchy->nlevels; l++)
        kn_free(ctx, side->groups[l]);
    kn_free(ctx, side->groups);
    side->groups = NULL;
}

static kanon_status
make_side(kn_space *space, kn_space_side *side, const kanon_hierarchy *h, kn_cell_loss loss)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = space->ctx;

    side->hierarchy = h;
    side->numeric = h->type == KN_TYPE_NUMBER && h->levels[0].lo;
    side->nranks = (uint32_t) h->ndata;
    side->missing = KN_NO_CODE;
    side->rank_of = KN_NEW_ARRAY(ctx, uint32_t, h->ndata);
    side->code_of = KN_NEW_ARRAY(ctx, uint32_t, h->ndata);
    if (!side->rank_of || !side->code_of)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < side->nranks; i++)
        side->code_of[i] = i;
    KN_TRY(side->numeric ? rank_numbers(ctx, side) : rank_categories(ctx, side));
    for (uint32_t r = 0; r < side->nranks; r++) {
        side->rank_of[side->code_of[r]] = r;
        if (side->code_of[r] == h->missing)
            side->missing = r;
    }
    if (side->numeric) {
        KN_TRY(price_numbers(ctx, side, loss));
    } else {
        KN_TRY(price_groups(ctx, side, loss));
        if (side->nranks <= TABLE_MOST) {
            KN_TRY(price_pairs(ctx, side));
            free_groups(ctx, side);
        }
    }
out:
    return rc;
}

static kanon_status
make_sides(kn_space *space, const kn_scale *scale, kn_cell_loss loss)
{
    kanon_status rc = KANON_OK;
    double       sum = kn_scale_weights(scale);

    space->sides = KN_NEW_ARRAY(space->ctx, kn_space_side, space->nquasi);
    if (!space->sides)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < space->nquasi; q++) {
        double share = sum > 0 ? kn_scale_weight(scale, q) * (double) space->nquasi / sum : 0;

        space->sides[q].whole = (uint32_t) llround(share * KN_COST_ONE);
        space->whole += space->sides[q].whole;
        KN_TRY(make_side(space, &space->sides[q], scale->hierarchies[q], loss));
    }
out:
    return rc;
}

/* --- points and rows -------------------------------------------------------------------------------- */

static kanon_status
make_points(kn_space *space)
{
    const kn_table *table = space->table;

    space->ranks = KN_NEW_ARRAY(space->ctx, uint32_t, space->npoints * space->width);
    if (!space->ranks)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < space->nquasi; q++)
        for (size_t p = 0; p < space->npoints; p++)
            space->ranks[p * space->width + q] = space->sides[q]
                                                     .rank_of[kn_codes_at(&table->quasi[q], p)];
    return KANON_OK;
}

static kanon_status
make_rows(kn_space *space)
{
    const kn_table *table = space->table;
    uint32_t        row = 0;

    space->point_of = KN_NEW_ARRAY(space->ctx, uint32_t, space->rows);
    space->first_row = KN_NEW_ARRAY(space->ctx, uint32_t, space->npoints + 1);
    if (!space->point_of || !space->first_row)
        return KANON_E_NOMEM;
    if (table->nsensitive) {
        space->entry_of = KN_NEW_ARRAY(space->ctx, uint32_t, space->rows);
        if (!space->entry_of)
            return KANON_E_NOMEM;
    }
    for (size_t p = 0; p < space->npoints; p++) {
        space->first_row[p] = row;
        for (size_t e = kn_table_first(table, p); e < kn_table_first(table, p + 1); e++)
            for (uint32_t i = kn_table_entry_weight(table, e); i > 0; i--, row++) {
                space->point_of[row] = (uint32_t) p;
                if (space->entry_of)
                    space->entry_of[row] = (uint32_t) e;
            }
    }
    space->first_row[space->npoints] = row;
    assert(row == space->rows);
    return KANON_OK;
}

const kn_metric_class *const kn_space_metrics[] = { &kn_metric_gcp, &kn_metric_glm,
                                                    &kn_metric_total_il, NULL };

static kn_cell_loss
cell_loss(const kn_metric_class *metric)
{
    static const kn_cell_loss losses[KN_COUNT(kn_space_metrics)] = { kn_cell_gcp, kn_cell_glm,
                                                                     kn_cell_total_il, NULL };
    size_t                    i = 0;

    while (kn_space_metrics[i] && kn_space_metrics[i] != metric)
        i++;
    return losses[i];
}

kanon_status
kn_space_new(kanon_ctx *ctx, const kn_scale *scale, const kn_metric_class *metric, kn_space **out)
{
    kanon_status rc = KANON_OK;
    kn_cell_loss loss = cell_loss(metric);
    kn_space    *space = NULL;

    *out = NULL;
    if (!loss)
        return kn_fail(ctx, KANON_E_UNSUPPORTED,
                       "local recoding cannot minimise '%s'; use gcp, glm or total_il",
                       metric->info.name);
    if (scale->table->rows > INT32_MAX)
        return kn_fail(ctx, KANON_E_UNSUPPORTED, "%llu rows; the maximum for local recoding is %d",
                       (unsigned long long) scale->table->rows, INT32_MAX);
    space = KN_NEW(ctx, kn_space);
    if (!space)
        return KANON_E_NOMEM;
    space->ctx = ctx;
    space->table = scale->table;
    space->nquasi = scale->table->nquasi;
    space->width = (space->nquasi + KN_SPACE_PAD - 1) / KN_SPACE_PAD * KN_SPACE_PAD;
    space->npoints = scale->table->ntuples;
    space->rows = (uint32_t) scale->table->rows;
    KN_TRY(make_sides(space, scale, loss));
    KN_TRY(make_points(space));
    KN_TRY(make_rows(space));
    *out = space;
    space = NULL;
out:
    kn_space_free(space);
    return rc;
}

void
kn_space_free(kn_space *space)
{
    if (!space)
        return;
    for (size_t q = 0; space->sides && q < space->nquasi; q++) {
        kn_space_side *side = &space->sides[q];

        if (side->hierarchy)
            free_groups(space->ctx, side);
        kn_free(space->ctx, side->rank_of);
        kn_free(space->ctx, side->code_of);
        kn_free(space->ctx, side->values);
        kn_free(space->ctx, side->table);
    }
    kn_free(space->ctx, space->sides);
    kn_free(space->ctx, space->ranks);
    kn_free(space->ctx, space->point_of);
    kn_free(space->ctx, space->entry_of);
    kn_free(space->ctx, space->first_row);
    kn_free(space->ctx, space);
}

/* --- costs -------------------------------------------------------------------------------------------- */

uint64_t
kn_space_cost(const kn_space *space, const uint32_t *least, const uint32_t *greatest)
{
    uint64_t cost = 0;

    for (size_t q = 0; q < space->nquasi; q++)
        cost += kn_space_side_cell(&space->sides[q], least[q], greatest[q]);
    return cost;
}

uint64_t
kn_space_apart(const kn_space *space, const uint32_t *a, const uint32_t *b)
{
    uint64_t cost = 0;

    for (size_t q = 0; q < space->nquasi; q++)
        cost += kn_space_side_cell(&space->sides[q], a[q] < b[q] ? a[q] : b[q],
                                   a[q] < b[q] ? b[q] : a[q]);
    return cost;
}

double
kn_space_loss(const kn_space *space, uint64_t cost)
{
    double most = (double) space->whole * (double) space->rows;

    return most > 0 ? (double) cost / most : 0;
}

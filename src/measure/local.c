/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- the ruler for local recoding: all metrics from what each class releases in each column.
 * Plain, and apart from the costs that guide the clusterers: the two must agree.
 * Cost: O(tuples * columns + classes * columns * log(values)). */
#include "base/sort.h"
#include "measure/parts.h"

#include <math.h>
#include <stdlib.h>

/* The values of a number column in order, with the rows up to each: how many rows an interval holds. */
typedef struct ladder {
    uint32_t rank, code;
    uint64_t rows; /* of the table, with this value or a lesser one */
} ladder;

typedef struct column {
    const kn_scale   *scale;
    const kn_recipes *recipes;
    size_t            quasi;
    ladder           *steps;
    size_t            nsteps;
    uint64_t        **group_rows; /* [nlevels] rows of each group; NULL: not needed yet */
} column;

/* The rows of a recipe, and of the class that they are part of to whoever reads the release: there recipes
 * that read alike are one. */
typedef struct portion {
    uint64_t rows, of;
} portion;

/* What one cell of a class lost. */
typedef struct cell_loss {
    double glm, gcp, total_il, rows; /* rows: of the table, that the cell could stand for */
} cell_loss;

static inline bool
lower_rank(const ladder *a, const ladder *b, const void *context)
{
    (void) context;
    return a->rank != b->rank ? a->rank < b->rank : a->code < b->code;
}

KN_DEFINE_SORT(sort_steps, ladder, lower_rank)

static kanon_status
open_column(column *c, kanon_ctx *ctx)
{
    const kanon_hierarchy *h = c->scale->hierarchies[c->quasi];
    const uint64_t        *rows = c->scale->value_rows[c->quasi];

    c->group_rows = kn_alloc_array(ctx, h->nlevels, sizeof *c->group_rows);
    c->steps = KN_NEW_ARRAY(ctx, ladder, h->ndata);
    if (!c->group_rows || !c->steps)
        return KANON_E_NOMEM;
    if (!c->recipes->columns[c->quasi].intervals)
        return KANON_OK;
    for (uint32_t code = 0; code < h->ndata; code++)
        if (code != h->missing)
            c->steps[c->nsteps++] = (ladder){ c->recipes->columns[c->quasi].ranks[code], code,
                                              rows[code] };
    sort_steps(c->steps, c->nsteps, NULL);
    for (size_t i = 1; i < c->nsteps; i++)
        c->steps[i].rows += c->steps[i - 1].rows;
    return KANON_OK;
}

static void
close_column(column *c, kanon_ctx *ctx)
{
    for (size_t l = 0; c->group_rows && l < c->scale->hierarchies[c->quasi]->nlevels; l++)
        kn_free(ctx, c->group_rows[l]);
    kn_free(ctx, c->group_rows);
    kn_free(ctx, c->steps);
}

/* Rows with a value below an interval, or in it and below. */
static uint64_t
rows_until(const column *c, const kn_recipe *recipe, bool included)
{
    size_t low = 0, high = c->nsteps;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (kn_recipe_side(c->recipes, c->quasi, recipe, c->steps[middle].code) < included)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? c->steps[low - 1].rows : 0;
}

static kanon_status
rows_of_group(column *c, kanon_ctx *ctx, const kn_recipe *recipe, uint64_t *out)
{
    const kanon_hierarchy *h = c->scale->hierarchies[c->quasi];
    const kn_level        *level = &h->levels[recipe->level];
    uint64_t              *rows = c->group_rows[recipe->level];

    if (!rows) {
        rows = c->group_rows[recipe->level] = KN_NEW_ARRAY(ctx, uint64_t, level->ngroups);
        if (!rows)
            return KANON_E_NOMEM;
        for (size_t code = 0; code < h->ndata; code++)
            rows[level->group_of[code]] += c->scale->value_rows[c->quasi][code];
    }
    *out = rows[level->group_of[recipe->leaf]];
    return KANON_OK;
}

static kanon_status
measure_cell(column *c, kanon_ctx *ctx, const kn_recipe *recipe, cell_loss *out)
{
    const kanon_hierarchy *h = c->scale->hierarchies[c->quasi];
    kanon_status           rc;
    uint64_t               rows;
    double                 low, high;

    if (recipe->level == KN_RECIPE_INTERVAL) {
        kn_recipe_extent(c->recipes, c->quasi, recipe, &low, &high);
        out->glm = h->max > h->min ? (high - low) / (h->max - h->min) : 0;
        out->gcp = out->total_il = out->glm;
        out->rows = (double) (rows_until(c, recipe, true) - rows_until(c, recipe, false));
        return KANON_OK;
    }
    if ((rc = rows_of_group(c, ctx, recipe, &rows)) < 0)
        return rc;
    out->glm = kn_cell_glm(h, recipe->level, recipe->leaf);
    out->gcp = kn_cell_gcp(h, recipe->level, recipe->leaf);
    out->total_il = kn_cell_total_il(h, recipe->level, recipe->leaf);
    out->rows = (double) rows;
    return KANON_OK;
}

/* Entropy: every row loses log2 of how many rows its cell could stand for, less log2 of how many have its
 * own value; `*` could stand for all. */
static void
sum_entropy(const column *c, double cell_bits, const uint64_t *kept, double *bits, double *star)
{
    const kanon_hierarchy *h = c->scale->hierarchies[c->quasi];
    const uint64_t        *all = c->scale->value_rows[c->quasi];
    double                 whole = log2((double) c->scale->table->rows);

    *bits = cell_bits;
    *star = 0;
    for (size_t code = 0; code < h->ndata; code++) {
        double own = all[code] ? log2((double) all[code]) : 0;

        *bits -= (double) kept[code] * own;
        *bits += (double) (all[code] - kept[code]) * (whole - own);
        *star += (double) all[code] * (whole - own);
    }
}

static kanon_status
measure_column(column *c, const portion *shares, const uint64_t *kept, double lost,
               kn_column_loss *out, double *literal)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = c->recipes->ctx;
    bool         number = c->scale->hierarchies[c->quasi]->type == KN_TYPE_NUMBER;
    uint64_t     all = c->scale->table->rows;
    double       n = (double) (all ? all : 1), bits, star, cell_bits = 0;
    double       glm = lost, gcp = lost, total_il = lost;

    KN_TRY(open_column(c, ctx));
    for (size_t class = 0; class < c->recipes->nclasses; class ++) {
        double    rows = (double) shares[class].rows;
        cell_loss loss;

        KN_TRY(measure_cell(c, ctx, kn_recipe_at(c->recipes, class, c->quasi), &loss));
        glm += rows * loss.glm;
        gcp += rows * loss.gcp;
        total_il += rows * loss.total_il;
        cell_bits += rows * log2(loss.rows);
        *literal += (number ? rows : rows / (double) shares[class].of) * loss.total_il;
    }
    sum_entropy(c, cell_bits, kept, &bits, &star);
    *out = (kn_column_loss){ 0, kn_share(glm / n), kn_share(gcp / n), kn_share(total_il / n),
                             star > 0 ? kn_share(bits > 0 ? bits / star : 0) : 0 };
out:
    close_column(c, ctx);
    return rc;
}

static void
add_column(const kn_scale *scale, size_t quasi, const kn_column_loss *loss, kn_metrics *metrics)
{
    double share = kn_scale_weight(scale, quasi) / kn_scale_weights(scale);

    metrics->glm += loss->glm * share;
    metrics->glm_sum += loss->glm * (double) scale->table->rows;
    metrics->gcp += loss->gcp * share;
    metrics->total_il += loss->total_il * share;
    metrics->entropy += loss->entropy * share;
}

kanon_status
kn_measure_local(kanon_ctx *ctx, const kn_judged *judged, const kn_local_cells *cells,
                 kn_measured *out, kn_column_loss *columns)
{
    kanon_status       rc = KANON_OK;
    const kn_scale    *scale = judged->scale;
    const kn_grouping *grouping = judged->grouping;
    const kn_table    *table = scale->table;
    const uint32_t    *recipe_of = cells->recipe_of;
    portion           *shares = KN_NEW_ARRAY(ctx, portion, cells->recipes->nclasses);
    uint64_t          *kept = NULL, off;
    double             literal = 0;

    memset(out, 0, sizeof *out);
    if (!shares)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < table->ntuples; t++)
        if (recipe_of[t] != KN_NO_CLASS) {
            shares[recipe_of[t]].rows += table->weights[t];
            shares[recipe_of[t]].of = grouping->sizes[grouping->class_of[t]];
        }
    kn_measure_classes(judged->privacy, grouping, out);
    kn_measure_before(cells->whole, out);
    for (size_t q = 0; q < table->nquasi; q++) {
        column c = { scale, cells->recipes, q, NULL, 0, NULL };

        kept = KN_NEW_ARRAY(ctx, uint64_t, scale->hierarchies[q]->ndata);
        KN_TRY(KN_HAVE(kept));
        for (size_t t = 0; t < table->ntuples; t++)
            if (recipe_of[t] != KN_NO_CLASS)
                kept[kn_codes_at(&table->quasi[q], t)] += table->weights[t];
        KN_TRY(measure_column(&c, shares, kept, (double) out->suppressed, &columns[q], &literal));
        add_column(scale, q, &columns[q], &out->metrics);
        kn_free(ctx, kept);
        kept = NULL;
    }
    KN_TRY(kn_measure_labels(ctx, scale, judged->privacy, grouping, &off));
    kn_measure_totals(scale, judged->privacy, off, literal, out);
out:
    kn_free(ctx, kept);
    kn_free(ctx, shares);
    return rc;
}

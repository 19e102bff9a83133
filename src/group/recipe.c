/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.c -- from the rows of a class to its released values. One walk over the rows; a cell takes another
 * value in by widening its interval or by climbing to the level where the two values meet. Numbers are
 * compared as they are written: doubles would take two long ones for the same, and one would be shown for
 * both. Cost: O(rows * columns + values log(values)). */
#include "group/recipe.h"

#include "encode/ranks.h"

/* --- columns of numbers ---------------------------------------------------------------------------- */

/* Decimals, mark and sign, as the column writes its numbers. */
static kn_number_style
style_of(const kn_domain *domain)
{
    kn_number_style style = { 0, kn_mark_find(domain) != KN_MARK_POINT, false };

    for (size_t code = 0; code < domain->count; code++) {
        kn_decimal value;

        if (code == domain->missing || !kn_decimal_parse(domain->values[code], &value))
            continue;
        if (value.decimals > style.decimals)
            style.decimals = value.decimals;
        style.brackets = style.brackets || value.decimals || value.mantissa < 0;
    }
    return style;
}

/* Every value in units of the last decimal, or of one before it where the largest would not fit. */
static kanon_status
scale_values(kn_recipe_column *column, kanon_ctx *ctx, const kn_domain *domain)
{
    bool fits = false;

    column->scaled = KN_NEW_ARRAY(ctx, int64_t, domain->count);
    if (!column->scaled)
        return KANON_E_NOMEM;
    while (!fits) {
        fits = true;
        for (size_t code = 0; fits && code < domain->count; code++) {
            kn_decimal value;

            if (code != domain->missing && kn_decimal_parse(domain->values[code], &value))
                fits = kn_scale_decimal(value, column->style.decimals, &column->scaled[code]);
        }
        if (!fits && !column->style.decimals--)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s' has numbers too large for a grid or a mean",
                           domain->column);
    }
    return KANON_OK;
}

/* The widest of 1, 2, 5, 10, 20 ... that is no more than a twentieth of the column's span. */
static int64_t
usual_grid(const kn_recipe_column *column, const kn_domain *domain)
{
    static const int64_t steps[] = { 1, 2, 5 };
    int64_t              low = INT64_MAX, high = INT64_MIN, width = 1, next = 1;

    for (size_t code = 0; code < domain->count; code++)
        if (code != domain->missing) {
            low = column->scaled[code] < low ? column->scaled[code] : low;
            high = column->scaled[code] > high ? column->scaled[code] : high;
        }
    for (int64_t base = 1, i = 0; low <= high && next <= (high - low) / 20; i++) {
        width = next;
        if (i % 3 == 2)
            base *= 10;
        next = base * steps[(i + 1) % 3];
    }
    return width;
}

static kanon_status
prepare_grid(kn_recipe_column *column, kanon_ctx *ctx, const kn_recipe_options *options,
             size_t quasi)
{
    const kn_domain *domain = &options->domains[quasi];
    kn_decimal       given = options->grids[quasi];
    bool             asked = given.mantissa > 0;
    kanon_status     rc;

    if (!asked && options->snap != KN_SNAP_GRID && options->local != KN_LOCAL_MEAN)
        return KANON_OK;
    if (asked && given.decimals > column->style.decimals) {
        column->style.decimals = given.decimals;
        column->style.brackets = true;
    }
    column->open = column->style.decimals > 0; /* also where there is no room to write them */
    if ((rc = scale_values(column, ctx, domain)) < 0)
        return rc;
    for (; given.decimals > column->style.decimals && given.mantissa % 10 == 0; given.decimals--)
        given.mantissa /= 10;
    if (asked
        && (given.decimals > column->style.decimals
            || !kn_scale_decimal(given, column->style.decimals, &column->grid)))
        return kn_fail(ctx, KANON_E_INVALID,
                       "snap: the grid of column '%s' does not fit its numbers", domain->column);
    if (!asked && options->snap == KN_SNAP_GRID)
        column->grid = usual_grid(column, domain);
    return KANON_OK;
}

static kanon_status
prepare_column(kn_recipes *r, size_t quasi, const kn_recipe_options *options)
{
    const kanon_hierarchy *h = r->hierarchies[quasi];
    kn_recipe_column      *column = &r->columns[quasi];
    bool                   grid = options->grids[quasi].mantissa > 0;
    kanon_status           rc;

    column->intervals = h->type == KN_TYPE_NUMBER && h->levels[0].lo
                     && (options->snap != KN_SNAP_HIERARCHY || grid);
    if (h->type != KN_TYPE_NUMBER || !h->levels[0].lo)
        return KANON_OK;
    column->ranks = KN_NEW_ARRAY(r->ctx, uint32_t, h->ndata);
    if (!column->ranks)
        return KANON_E_NOMEM;
    rc = kn_number_ranks(r->ctx, options->domains[quasi].values, h->ndata, h->missing,
                         column->ranks);
    if (rc < 0)
        return rc;
    column->style = style_of(&options->domains[quasi]);
    return prepare_grid(column, r->ctx, options, quasi);
}

/* --- classes ----------------------------------------------------------------------------------------- */

/* A cell that no row has touched yet. */
static const kn_recipe UNTOUCHED = { 0, KN_NO_CODE, KN_NO_CODE };

static void
widen(const kn_recipes *r, size_t quasi, kn_recipe *recipe, uint32_t code)
{
    const kanon_hierarchy  *h = r->hierarchies[quasi];
    const kn_recipe_column *column = &r->columns[quasi];
    bool                    number = column->intervals && code != h->missing;

    if (recipe->leaf == KN_NO_CODE) {
        *recipe = (kn_recipe){ number ? KN_RECIPE_INTERVAL : 0, code, code };
    } else if (recipe->level == KN_RECIPE_INTERVAL && number) {
        if (column->ranks[code] < column->ranks[recipe->leaf])
            recipe->leaf = code;
        if (column->ranks[code] > column->ranks[recipe->high])
            recipe->high = code;
    } else if (column->intervals && (recipe->level == KN_RECIPE_INTERVAL || number)) {
        recipe->level = (uint32_t) h->nlevels - 1; /* a number and a missing one: anything */
    } else {
        while (h->levels[recipe->level].group_of[recipe->leaf]
               != h->levels[recipe->level].group_of[code])
            recipe->level++;
    }
}

static void
take_rows(kn_recipes *r, const kn_table *table, const uint32_t *class_of)
{
    size_t row = 0;

    for (size_t t = 0; t < table->ntuples; t++)
        for (uint32_t i = 0; i < table->weights[t]; i++, row++)
            for (size_t q = 0; class_of[row] != KN_NO_CLASS && q < r->nquasi; q++)
                widen(r, q, &r->of[class_of[row] * r->nquasi + q],
                      kn_codes_at(&table->quasi[q], t));
}

kanon_status
kn_recipes_new(kanon_ctx *ctx, const kn_table *table, const uint32_t *class_of, size_t nclasses,
               const kn_recipe_options *options, kn_recipes **out)
{
    kanon_status rc = KANON_OK;
    kn_recipes  *r = KN_NEW(ctx, kn_recipes);

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    r->ctx = ctx;
    r->hierarchies = options->hierarchies;
    r->nclasses = nclasses;
    r->nquasi = table->nquasi;
    r->columns = KN_NEW_ARRAY(ctx, kn_recipe_column, table->nquasi);
    r->of = kn_alloc_array(ctx, nclasses, table->nquasi * sizeof *r->of);
    if (!r->columns || !r->of) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t i = 0; i < nclasses * r->nquasi; i++)
        r->of[i] = UNTOUCHED;
    for (size_t q = 0; q < r->nquasi; q++)
        KN_TRY(prepare_column(r, q, options));
    take_rows(r, table, class_of);
    *out = r;
    r = NULL;
out:
    kn_recipes_free(r);
    return rc;
}

void
kn_recipes_free(kn_recipes *r)
{
    if (!r)
        return;
    for (size_t q = 0; r->columns && q < r->nquasi; q++) {
        kn_free(r->ctx, r->columns[q].ranks);
        kn_free(r->ctx, r->columns[q].scaled);
    }
    kn_free(r->ctx, r->columns);
    kn_free(r->ctx, r->of);
    kn_free(r->ctx, r);
}

/* --- what a cell says ---------------------------------------------------------------------------------- */

/* The ends on the grid; the upper one belongs to the interval where the column has whole numbers. */
static void
snapped(const kn_recipe_column *column, const kn_recipe *recipe, int64_t *low, int64_t *high)
{
    *low = kn_floor_div(column->scaled[recipe->leaf], column->grid) * column->grid;
    *high = (kn_floor_div(column->scaled[recipe->high], column->grid) + 1) * column->grid;
    if (!column->open)
        --*high;
}

bool
kn_recipe_plain(const kn_recipes *r, size_t quasi, const kn_recipe *recipe)
{
    return recipe->level == KN_RECIPE_INTERVAL
             ? recipe->leaf == recipe->high && !r->columns[quasi].grid
             : recipe->level == 0;
}

void
kn_recipe_extent(const kn_recipes *r, size_t quasi, const kn_recipe *recipe, double *low,
                 double *high)
{
    const kn_recipe_column *column = &r->columns[quasi];
    const kanon_hierarchy  *h = r->hierarchies[quasi];
    const kn_level         *level = &h->levels[0];
    int64_t                 from, to;

    *low = level->lo[level->group_of[recipe->leaf]];
    *high = level->lo[level->group_of[recipe->high]];
    if (column->grid) {
        snapped(column, recipe, &from, &to);
        *low = kn_decimal_double((kn_decimal){ from, column->style.decimals });
        *high = kn_decimal_double((kn_decimal){ to, column->style.decimals });
        *low = *low < h->min ? h->min : *low;
        *high = *high > h->max ? h->max : *high;
    }
    if (*high < *low) /* long numbers are rounded, each for itself */
        *high = *low;
}

int
kn_recipe_side(const kn_recipes *r, size_t quasi, const kn_recipe *recipe, uint32_t code)
{
    const kn_recipe_column *column = &r->columns[quasi];
    int64_t                 from, to, value;

    if (!column->grid)
        return column->ranks[code] < column->ranks[recipe->leaf]  ? -1
             : column->ranks[code] <= column->ranks[recipe->high] ? 0
                                                                  : 1;
    snapped(column, recipe, &from, &to);
    value = column->scaled[code];
    return value < from ? -1 : value < to || (value == to && !column->open) ? 0 : 1;
}

void
kn_recipe_spell(const kn_recipes *r, size_t quasi, const kn_recipe *recipe, kn_text *out)
{
    const kn_recipe_column *column = &r->columns[quasi];
    const kn_level         *level = &r->hierarchies[quasi]->levels[0];
    int64_t                 from, to;

    if (recipe->level != KN_RECIPE_INTERVAL) {
        level = &r->hierarchies[quasi]->levels[recipe->level];
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
    } else if (column->grid) {
        snapped(column, recipe, &from, &to);
        if (from == to)
            kn_text_add_scaled(out, &column->style, from);
        else
            kn_text_add_interval(out, &column->style, from, to, column->open);
    } else if (recipe->leaf == recipe->high) {
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
    } else {
        kn_text_addz(out, column->style.brackets ? "[" : "");
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
        kn_text_addz(out, !column->style.brackets ? "-" : column->style.comma ? "; " : ", ");
        kn_text_add(out, level->labels[level->group_of[recipe->high]]);
        kn_text_addz(out, column->style.brackets ? "]" : "");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.c -- from the rows of a class to its released values. One walk over the rows; a cell takes another
 * value in by widening its interval or by climbing to the level where the two values meet. Numbers are
 * compared as they are written: doubles would take two long ones for the same, and one would be shown for
 * both. Cost: O(rows * columns + values log(values)). */
#include "group/recipe.h"

#include "encode/ranks.h"

enum { DECIMALS_MOST = 15 }; /* of a kn_decimal */

/* --- columns of numbers ---------------------------------------------------------------------------- */

/* Decimals, mark and sign, as the column writes the numbers that rows hold (NULL: all of them). A suppressed
 * row would show in how the others are written. */
static kn_number_style
style_of(const kn_domain *domain, const uint64_t *rows)
{
    kn_number_style style = { .comma = kn_mark_find(domain) != KN_MARK_POINT,
                              .dash = domain->dash };

    for (size_t code = 0; code < domain->count; code++) {
        kn_decimal value;

        if (code == domain->missing || (rows && !rows[code])
            || !kn_decimal_parse(domain->values[code], &value))
            continue;
        if (value.decimals > style.decimals)
            style.decimals = value.decimals;
        style.brackets = style.brackets || value.mantissa < 0 || (value.decimals && domain->dash);
    }
    style.comma = style.comma && style.decimals; /* the mark of a suppressed row would show, too */
    return style;
}

/* Every value in units of the last decimal. */
static bool
scale_by(kn_recipe_column *column, const kn_domain *domain, unsigned decimals)
{
    for (size_t code = 0; code < domain->count; code++) {
        kn_decimal value;

        if (code != domain->missing && kn_decimal_parse(domain->values[code], &value)
            && !kn_scale_decimal(value, decimals, &column->scaled[code]))
            return false;
    }
    return true;
}

/* In units of the last decimal, or of one before it where the largest would not fit. */
static kanon_status
scale_values(kn_recipe_column *column, kanon_ctx *ctx, const kn_domain *domain, bool *fits)
{
    column->scaled = KN_NEW_ARRAY(ctx, int64_t, domain->count);
    if (!column->scaled)
        return KANON_E_NOMEM;
    while (!(*fits = scale_by(column, domain, column->style.decimals)) && column->style.decimals)
        column->style.decimals--;
    return KANON_OK;
}

/* The numbers of a column in their order, spellings of one together. */
static kanon_status
count_holders(const kn_recipe_column *column, kanon_ctx *ctx, const kn_domain *domain,
              kn_held **out, size_t *count)
{
    *count = 0;
    *out = KN_NEW_ARRAY(ctx, kn_held, domain->count);
    if (!*out)
        return KANON_E_NOMEM;
    for (size_t code = 0; code < domain->count; code++) {
        uint32_t rank = column->ranks[code];

        if (code == domain->missing)
            continue;
        assert(rank < domain->count);
        (*out)[rank].value = column->scaled[code];
        (*out)[rank].rows += domain->rows[code];
        if (rank >= *count)
            *count = (size_t) rank + 1;
    }
    return KANON_OK;
}

/* Round ends; between the units, where every unit is the value of a few rows. */
static kanon_status
choose_grid(kn_recipe_column *column, kanon_ctx *ctx, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    kn_held     *held = NULL;
    int64_t      unit = 1, from = 0, to;
    size_t       count, first = 0;
    bool         fits;

    KN_TRY(count_holders(column, ctx, domain, &held, &count));
    KN_TRY(kn_grid_choose(ctx, held, count, domain->rare, &column->grid, &fits));
    column->chosen = true;
    if (!fits && column->style.decimals < DECIMALS_MOST
        && scale_by(column, domain, column->style.decimals + 1)) {
        column->style.decimals++;
        kn_grid_between(&column->grid);
        unit = 10;
    } else if (!fits) {
        scale_by(column, domain, column->style.decimals);
        column->grid.nrare = 0; /* numbers too long for that: a grid end alone tells nothing */
    }
    while (first < count && !held[first].rows)
        first++;
    if (first < count) /* a sign, perhaps, that no value has */
        kn_grid_snap(&column->grid, held[first].value * unit, held[first].value * unit, &from, &to);
    column->style.brackets = column->style.brackets || from < 0
                          || (column->grid.open && column->style.dash);
out:
    kn_free(ctx, held);
    return rc;
}

static kanon_status
take_grid(kn_recipe_column *column, kanon_ctx *ctx, const kn_domain *domain, kn_decimal given)
{
    for (; given.decimals > column->style.decimals && given.mantissa % 10 == 0; given.decimals--)
        given.mantissa /= 10;
    if (given.decimals > column->style.decimals
        || !kn_scale_decimal(given, column->style.decimals, &column->grid.width))
        return kn_fail(ctx, KANON_E_INVALID,
                       "snap: the grid of column '%s' does not fit its numbers", domain->column);
    return KANON_OK;
}

static kanon_status
prepare_grid(kn_recipe_column *column, kanon_ctx *ctx, const kn_recipe_options *options,
             size_t quasi)
{
    const kn_domain *domain = &options->domains[quasi];
    kn_decimal       given = options->grids[quasi];
    bool             asked = given.mantissa > 0, snaps = options->snap == KN_SNAP_GRID, fits;
    kanon_status     rc;

    if (!asked && !snaps && options->local != KN_LOCAL_MEAN)
        return KANON_OK;
    if (asked && given.decimals > column->style.decimals) {
        column->style.decimals = given.decimals;
        column->style.brackets = column->style.brackets || column->style.dash;
    }
    column->grid.open = column->style.decimals > 0; /* also where there is no room to write them */
    if ((rc = scale_values(column, ctx, domain, &fits)) < 0)
        return rc;
    if (!fits && snaps && !asked) {
        column->intervals =
            false; /* the groups of the hierarchy are round, however long numbers are */
        return KANON_OK;
    }
    if (!fits)
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s' has numbers too large for a grid or a mean", domain->column);
    if (asked)
        return take_grid(column, ctx, domain, given);
    return snaps ? choose_grid(column, ctx, domain) : KANON_OK;
}

static kanon_status
prepare_column(kn_recipes *r, size_t quasi, const kn_recipe_options *options)
{
    const kanon_hierarchy *h = r->hierarchies[quasi];
    kn_recipe_column      *column = &r->columns[quasi];
    bool                   grid = options->grids[quasi].mantissa > 0;
    kanon_status           rc;

    column->low = options->low[quasi];
    column->intervals = h->type == KN_TYPE_NUMBER && h->levels[0].lo
                     && (options->snap != KN_SNAP_HIERARCHY || grid);
    if (h->type != KN_TYPE_NUMBER || !h->levels[0].lo)
        return KANON_OK;
    column->ranks = KN_NEW_ARRAY(r->ctx, uint32_t, h->ndata);
    if (!column->ranks)
        return KANON_E_NOMEM;
    rc = kn_number_ranks(r->ctx, options->domains[quasi].values, h->ndata,
                         options->domains[quasi].missing, column->ranks);
    if (rc < 0)
        return rc;
    column->style = style_of(&options->domains[quasi],
                             options->snap == KN_SNAP_GRID ? options->domains[quasi].rows : NULL);
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
        *recipe = (kn_recipe){ number ? KN_RECIPE_INTERVAL : column->low, code, code };
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

    assert(nclasses || !table->rows || class_of);
    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    *r = (kn_recipes){ .ctx = ctx,
                       .hierarchies = options->hierarchies,
                       .nclasses = nclasses,
                       .nquasi = table->nquasi };
    r->columns = KN_NEW_ARRAY(ctx, kn_recipe_column, table->nquasi);
    r->of = kn_alloc_array(ctx, nclasses, table->nquasi * sizeof *r->of);
    KN_TRY(KN_HAVE(r->columns && r->of));
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
        kn_grid_fini(r->ctx, &r->columns[q].grid);
    }
    kn_free(r->ctx, r->columns);
    kn_free(r->ctx, r->of);
    kn_free(r->ctx, r);
}

/* --- what a cell says ---------------------------------------------------------------------------------- */

/* A number that a whole class has is held by as many rows as anything must be: it needs no interval. */
static bool
is_single(const kn_recipe_column *column, const kn_recipe *recipe)
{
    return recipe->leaf == recipe->high && (!column->grid.width || column->chosen);
}

static void
snapped(const kn_recipe_column *column, const kn_recipe *recipe, int64_t *low, int64_t *high)
{
    kn_grid_snap(&column->grid, column->scaled[recipe->leaf], column->scaled[recipe->high], low,
                 high);
}

bool
kn_recipe_plain(const kn_recipes *r, size_t quasi, const kn_recipe *recipe)
{
    assert(quasi < r->nquasi);
    return recipe->level == KN_RECIPE_INTERVAL ? is_single(&r->columns[quasi], recipe)
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

    assert(quasi < r->nquasi && recipe->level == KN_RECIPE_INTERVAL);
    *low = level->lo[level->group_of[recipe->leaf]];
    *high = level->lo[level->group_of[recipe->high]];
    if (column->grid.width && !is_single(column, recipe)) {
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

    assert(quasi < r->nquasi);
    if (!column->grid.width || is_single(column, recipe))
        return column->ranks[code] < column->ranks[recipe->leaf]  ? -1
             : column->ranks[code] <= column->ranks[recipe->high] ? 0
                                                                  : 1;
    snapped(column, recipe, &from, &to);
    value = column->scaled[code];
    return value < from ? -1 : value < to || (value == to && !column->grid.open) ? 0 : 1;
}

void
kn_recipe_spell(const kn_recipes *r, size_t quasi, const kn_recipe *recipe, kn_text *out)
{
    const kn_recipe_column *column = &r->columns[quasi];
    const kn_level         *level = &r->hierarchies[quasi]->levels[0];
    int64_t                 from, to;

    assert(quasi < r->nquasi);
    if (recipe->level != KN_RECIPE_INTERVAL) {
        level = &r->hierarchies[quasi]->levels[recipe->level];
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
    } else if (is_single(column, recipe)) {
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
    } else if (column->grid.width) {
        snapped(column, recipe, &from, &to);
        if (from == to)
            kn_text_add_scaled(out, &column->style, from);
        else
            kn_text_add_interval(out, &column->style, from, to,
                                 column->grid.open ? KN_UPPER_OUTSIDE : KN_UPPER_INSIDE);
    } else {
        kn_text_addz(out, column->style.brackets ? "[" : "");
        kn_text_add(out, level->labels[level->group_of[recipe->leaf]]);
        kn_text_addz(out, kn_interval_mark(&column->style, KN_UPPER_INSIDE));
        kn_text_add(out, level->labels[level->group_of[recipe->high]]);
        kn_text_addz(out, column->style.brackets ? "]" : "");
    }
}

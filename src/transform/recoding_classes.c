/* SPDX-License-Identifier: Apache-2.0 */
/* recoding_classes.c -- local recoding: each class of the partition gets a recipe, which says what it
 * releases in each column. Recipes that read alike are one class to a reader. The table is divided among the
 * classes, so that everything is judged and measured by the code that does so for any release. */
#include <math.h>

#include "measure/loss.h"
#include "transform/recoding.h"

/* Costs are whole numbers of 2^-24 of a cell; this is what that rounds off, and no more. */
static const double CLAIM_ROUNDING = 1e-6;

typedef struct by_classes {
    kn_recoding  base; /* first: a recoding is cast to this */
    kn_recipes  *recipes;
    kn_centre   *centres; /* NULL: intervals and groups are shown */
    kn_spelling *spelling;
    kn_table    *split; /* the table, divided among the classes */
    uint32_t    *recipe_of;
    uint32_t    *class_of; /* [tuples of split] as a reader of the release sees them */
    uint64_t    *sizes;
} by_classes;

/* --- settings ---------------------------------------------------------------------------------------- */

/* A class may only be widened: up to a level, yes, but what it spans is not limited. Intervals and centres
 * have no level. */
static kanon_status
check_levels(const kn_problem *p, size_t quasi)
{
    const kn_attribute    *a = p->attributes[quasi];
    const kanon_hierarchy *h = p->hierarchies[quasi];
    kn_place               at = a->levels.at;
    bool                   numbers = h->type == KN_TYPE_NUMBER
                && (p->config->snap != KN_SNAP_HIERARCHY || a->grid.mantissa > 0);

    if (p->lattice.top[quasi] + 1u < h->nlevels)
        return kn_fail_at(p->ctx, KANON_E_INVALID, at.file, at.line,
                          "column '%s' has a highest level, which %s does not know: its classes "
                          "may span anything; use an algorithm that gives a whole column one "
                          "level, such as kgen",
                          a->name, p->config->algorithm);
    if (p->lattice.low[quasi] && p->config->local != KN_LOCAL_INTERVAL)
        return kn_fail_at(p->ctx, KANON_E_INVALID, at.file, at.line,
                          "column '%s' has a lowest level, but local %s shows no levels; use local "
                          "interval",
                          a->name, kn_local_name(p->config->local));
    if (p->lattice.low[quasi] && numbers)
        return kn_fail_at(p->ctx, KANON_E_INVALID, at.file, at.line,
                          "column '%s' has a lowest level, but intervals of numbers have none; use "
                          "snap hierarchy",
                          a->name);
    return KANON_OK;
}

/* A centre has no ends that could move, and a text no multiples. */
static kanon_status
check(const kn_problem *p)
{
    const kanon_config *config = p->config;
    const char         *local = kn_local_name(config->local);

    if (config->local != KN_LOCAL_INTERVAL && config->snap == KN_SNAP_HIERARCHY)
        return kn_fail(p->ctx, KANON_E_INVALID,
                       "snap: hierarchy widens intervals, but local %s shows none; use local "
                       "interval or snap off",
                       local);
    for (size_t i = 0; i < p->learned->nquasi; i++) {
        const kn_attribute *a = p->attributes[i];
        kanon_status        rc = check_levels(p, i);

        if (rc < 0)
            return rc;
        if (a->grid.mantissa <= 0)
            continue;
        if (config->local != KN_LOCAL_INTERVAL)
            return kn_fail(p->ctx, KANON_E_INVALID,
                           "grid: column '%s' has a grid for its intervals, but local %s shows "
                           "none; use local interval or no grid",
                           a->name, local);
        if (p->hierarchies[i]->type != KN_TYPE_NUMBER)
            return kn_fail(
                p->ctx, KANON_E_INVALID,
                "grid: column '%s' is not a column of numbers; use a hierarchy for other values",
                a->name);
    }
    return kn_privacy_allow_local(p->ctx, &p->privacy);
}

/* --- classes ----------------------------------------------------------------------------------------- */

/* A mean, a median or a mode has no ends. */
static kn_snap
snap_of(const kn_problem *p)
{
    return p->config->local == KN_LOCAL_INTERVAL ? p->config->snap : KN_SNAP_OFF;
}

/* Released rows of each value of a column. */
static void
count_released(const kn_problem *p, const uint32_t *class_of, size_t quasi, uint64_t *rows)
{
    const kn_table *table = p->learned->table;
    size_t          row = 0;

    for (size_t t = 0; t < table->ntuples; t++)
        for (uint32_t i = 0; i < table->weights[t]; i++, row++)
            rows[kn_codes_at(&table->quasi[quasi], t)] += class_of[row] != KN_NO_CLASS;
}

static kanon_status
make_recipes(by_classes *r)
{
    kanon_status        rc = KANON_OK;
    kanon_ctx          *ctx = r->base.ctx;
    const kn_problem   *p = r->base.problem;
    const kn_partition *partition = &r->base.found->partition;
    size_t              n = p->learned->nquasi;
    kn_domain          *domains = KN_NEW_ARRAY(ctx, kn_domain, n);
    kn_decimal         *grids = KN_NEW_ARRAY(ctx, kn_decimal, n);
    uint64_t          **released = kn_alloc_array(ctx, n, sizeof *released);
    kn_recipe_options   options = { p->hierarchies, snap_of(p), p->config->local,
                                    p->lattice.low, grids,      domains };

    KN_TRY(KN_HAVE(domains && grids && released));
    for (size_t i = 0; i < n; i++) {
        domains[i] = kn_problem_domain(p, i);
        grids[i] = p->attributes[i]->grid;
        released[i] = KN_NEW_ARRAY(ctx, uint64_t, domains[i].count);
        KN_TRY(KN_HAVE(released[i]));
        count_released(p, partition->class_of, i, released[i]);
        domains[i].rows = released[i];
        if (!domains[i].exact)
            KN_TRY(kn_hierarchy_relabel(p->hierarchies[i], &domains[i]));
    }
    KN_TRY(kn_recipes_new(ctx, p->learned->table, partition->class_of, partition->nclasses,
                          &options, &r->recipes));
    if (p->config->local != KN_LOCAL_INTERVAL)
        KN_TRY(kn_centres_new(r->recipes, p->learned->table, partition->class_of, p->config->local,
                              p->privacy.k, &r->centres));
    KN_TRY(kn_spelling_new(r->recipes, r->centres, &r->spelling));
out:
    for (size_t i = 0; released && i < n; i++)
        kn_free(ctx, released[i]);
    kn_free(ctx, released);
    kn_free(ctx, domains);
    kn_free(ctx, grids);
    return rc;
}

/* The classes as a reader of the release will see them; suppressed rows are one more, at the end. */
static kanon_status
group(by_classes *r)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = r->base.ctx;
    uint32_t     lost = (uint32_t) r->spelling->njoint;
    size_t       ids = (size_t) lost + 1;

    KN_TRY(kn_table_split(r->base.problem->learned->table, r->base.found->partition.class_of,
                          &r->split, &r->recipe_of));
    r->class_of = KN_NEW_ARRAY(ctx, uint32_t, r->split->ntuples);
    r->sizes = KN_NEW_ARRAY(ctx, uint64_t, ids);
    KN_TRY(KN_HAVE(r->class_of && r->sizes));
    for (size_t t = 0; t < r->split->ntuples; t++) {
        r->class_of[t] = r->recipe_of[t] == KN_NO_CLASS ? lost
                                                        : r->spelling->joint[r->recipe_of[t]];
        assert(r->class_of[t] < ids);
        r->sizes[r->class_of[t]] += r->split->weights[t];
    }
    r->base.grouping = (kn_grouping){
        .class_of = r->class_of, .sizes = r->sizes, .nids = ids, .complete = true
    };
    r->base.table = r->split;
    r->base.recipe_of = r->recipe_of;
    r->base.nrecipes = r->recipes->nclasses;
    r->base.lost = lost;
out:
    return rc;
}

static void
close_classes(kn_recoding *recoding)
{
    by_classes *r = (by_classes *) recoding;
    kanon_ctx  *ctx = recoding->ctx;

    kn_spelling_free(r->spelling);
    kn_free(ctx, r->centres);
    kn_recipes_free(r->recipes);
    kn_table_free(r->split);
    kn_free(ctx, r->recipe_of);
    kn_free(ctx, r->class_of);
    kn_free(ctx, r->sizes);
    kn_free(ctx, r);
}

static kanon_status
open_classes(const kn_problem *p, const kn_outcome *found, kn_recoding **out)
{
    kanon_status rc = KANON_OK;
    by_classes  *r = KN_NEW(p->ctx, by_classes);

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    r->base = (kn_recoding){
        .class = &kn_recoding_classes, .ctx = p->ctx, .problem = p, .found = found
    };
    KN_TRY(make_recipes(r));
    KN_TRY(group(r));
    *out = &r->base;
    r = NULL;
out:
    if (r)
        close_classes(&r->base);
    return rc;
}

/* --- loss -------------------------------------------------------------------------------------------- */

/* Can a class of numbers and missing values show less than everything? A clusterer counts it as the top, and
 * an interval has no room for a missing value; but a hierarchy file may put it into a group with numbers. */
static bool
missing_joins_numbers(const by_classes *r)
{
    const kn_recipes *recipes = r->recipes;

    for (size_t i = 0; i < recipes->nquasi; i++) {
        const kanon_hierarchy *h = recipes->hierarchies[i];

        if (recipes->columns[i].intervals || h->type != KN_TYPE_NUMBER || h->missing == KN_NO_CODE)
            continue;
        for (size_t l = 1; l + 1 < h->nlevels; l++)
            if (h->levels[l].leaves[h->levels[l].group_of[h->missing]] > 0)
                return true;
    }
    return false;
}

/* Measured from the classes' own extents, claimed from the clusterer's costs. Where intervals were widened
 * after the search, it may have claimed less; more, where a missing value is beside numbers. */
static kanon_status
compare_claims(const by_classes *r, const kn_measured *m)
{
    const kn_problem *p = r->base.problem;
    const kn_score   *score = &r->base.found->score;
    const char       *metric = r->base.found->metric->info.name;
    double            measured = *kn_metrics_find(&m->metrics, metric), claimed = score->loss;
    bool              widened = snap_of(p) != KN_SNAP_OFF;

    for (size_t i = 0; i < p->learned->nquasi; i++)
        widened = widened || p->attributes[i]->grid.mantissa > 0 || p->lattice.low[i];
    if (m->suppressed != score->outlying
        || (claimed - measured > CLAIM_ROUNDING && !missing_joins_numbers(r))
        || (!widened && measured - claimed > CLAIM_ROUNDING))
        return kn_fail(p->ctx, KANON_E_INTERNAL,
                       "the clusterer reports %s %.9g with %llu rows suppressed, but measured are "
                       "%.9g and %llu; nothing was released",
                       metric, claimed, (unsigned long long) score->outlying, measured,
                       (unsigned long long) m->suppressed);
    return KANON_OK;
}

static kanon_status
measure(kn_recoding *recoding, const kn_grouping *judged, kn_outcome *found, kn_measured *out,
        kn_column_loss *columns)
{
    kanon_status      rc = KANON_OK;
    by_classes       *r = (by_classes *) recoding;
    const kn_problem *p = recoding->problem;
    kn_scale          scale = p->scale;

    scale.table = r->split;
    KN_TRY(kn_measure_local(recoding->ctx, &(kn_judged){ &scale, &p->privacy, judged },
                            &(kn_local_cells){ p->learned->table, r->recipes, r->recipe_of }, out,
                            columns));
    KN_TRY(compare_claims(r, out));
    if (missing_joins_numbers(r)) /* the bound counts those classes as the top, too */
        found->lower_bound = 0;
    /* What counts is what is released: the loss of widened intervals. */
    found->score.loss = *kn_metrics_find(&out->metrics, found->metric->info.name);
    found->optimal = found->lower_bound > found->score.loss - CLAIM_ROUNDING / 10;
    if (found->optimal)
        found->lower_bound = found->score.loss;
    found->bounded = found->lower_bound > 0 || found->optimal;
out:
    return rc;
}

static double
cell_loss(const kn_recoding *recoding, size_t tuple, size_t quasi)
{
    const by_classes      *r = (const by_classes *) recoding;
    const kn_recipe       *recipe = kn_recipe_at(r->recipes, r->recipe_of[tuple], quasi);
    const kanon_hierarchy *h = recoding->problem->hierarchies[quasi];
    double                 low, high;

    if (recipe->level != KN_RECIPE_INTERVAL)
        return kn_cell_glm(h, recipe->level, recipe->leaf);
    kn_recipe_extent(r->recipes, quasi, recipe, &low, &high);
    return h->max > h->min ? (high - low) / (h->max - h->min) : 0;
}

/* --- what the release shows --------------------------------------------------------------------------- */

static bool
reads_star(const kn_recoding *recoding, size_t tuple)
{
    const by_classes *r = (const by_classes *) recoding;

    return r->class_of[tuple] == r->spelling->star;
}

/* The text of a class in a column, by its number. */
static uint32_t
text_of(const by_classes *r, size_t recipe, size_t quasi)
{
    return r->spelling->ids[recipe * r->spelling->nquasi + quasi];
}

/* The ends of exact intervals are values that somebody has, and so is a value that stands for a class: they
 * are in the release, but no report repeats them. */
static kanon_status
values(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi,
       kn_released_values *out)
{
    const by_classes *r = (const by_classes *) recoding;
    const kn_dict    *texts = r->spelling->texts[quasi];
    bool              exact = snap_of(recoding->problem) == KN_SNAP_OFF;

    KN_UNUSED(judged);
    *out = (kn_released_values){
        .count = kn_dict_count(texts),
        .texts = kn_dict_values(texts),
        .rows = KN_NEW_ARRAY(recoding->ctx, uint64_t, kn_dict_count(texts)),
        .several = KN_NEW_ARRAY(recoding->ctx, uint8_t, kn_dict_count(texts)),
        .missing = SIZE_MAX,
        .listed = !r->centres && !(exact && r->recipes->columns[quasi].intervals),
        .examples = !r->centres && !exact,
    };
    if (!out->rows || !out->several)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < r->split->ntuples; t++)
        if (r->recipe_of[t] != KN_NO_CLASS)
            out->rows[text_of(r, r->recipe_of[t], quasi)] += r->split->weights[t];
    for (size_t c = 0; c < r->recipes->nclasses; c++)
        if (!kn_recipe_plain(r->recipes, quasi, kn_recipe_at(r->recipes, c, quasi)))
            out->several[text_of(r, c, quasi)] = 1;
    return KANON_OK;
}

static kn_released_part
part_of(const by_classes *r, size_t class, size_t quasi)
{
    const kn_recipe *recipe = kn_recipe_at(r->recipes, class, quasi);
    kn_released_part part = { .level = recipe->level };
    const kn_level  *level;
    kn_decimal       value;

    if (r->centres) { /* only numbers are read, since a mean date does not exist */
        part.level = KN_RECIPE_INTERVAL;
        part.point = true;
        part.low = (double) NAN;
        if (kn_decimal_parse(kn_dict_value(r->spelling->texts[quasi], text_of(r, class, quasi)),
                             &value))
            part.low = kn_decimal_double(value);
        part.high = part.low;
    } else if (recipe->level == KN_RECIPE_INTERVAL) {
        kn_recipe_extent(r->recipes, quasi, recipe, &part.low, &part.high);
    } else {
        level = &r->recipes->hierarchies[quasi]->levels[recipe->level];
        part.group = level->group_of[recipe->leaf];
    }
    return part;
}

static kanon_status
parts(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi, kn_part_fn fn,
      void *user)
{
    const by_classes *r = (const by_classes *) recoding;
    uint64_t         *rows = KN_NEW_ARRAY(recoding->ctx, uint64_t, r->recipes->nclasses);

    KN_UNUSED(judged);
    if (!rows)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < r->split->ntuples; t++)
        if (r->recipe_of[t] != KN_NO_CLASS)
            rows[r->recipe_of[t]] += r->split->weights[t];
    for (size_t c = 0; c < r->recipes->nclasses; c++) {
        kn_released_part part = part_of(r, c, quasi);

        part.rows = rows[c];
        fn(user, &part);
    }
    kn_free(recoding->ctx, rows);
    return KANON_OK;
}

/* The value that stands for a class, where fewer than k released rows have it. */
static kanon_status
centre_exposure(const by_classes *r, size_t quasi, kn_end_share *out)
{
    kanon_ctx *ctx = r->base.ctx;
    size_t     n = r->recipes->nquasi;
    uint64_t  *rows = KN_NEW_ARRAY(ctx, uint64_t, kn_problem_domain(r->base.problem, quasi).count);

    if (!rows)
        return KANON_E_NOMEM;
    count_released(r->base.problem, r->base.found->partition.class_of, quasi, rows);
    for (size_t t = 0; t < r->split->ntuples; t++) {
        uint32_t class = r->recipe_of[t], code = kn_codes_at(&r->split->quasi[quasi], t);
        const kn_centre *centre;

        if (class == KN_NO_CLASS
            || kn_recipe_plain(r->recipes, quasi, kn_recipe_at(r->recipes, class, quasi)))
            continue;
        centre = &r->centres[class * n + quasi];
        out->hidden += r->split->weights[t];
        if (!centre->is_mean && centre->code == code && rows[code] < r->base.problem->privacy.k)
            out->shown += r->split->weights[t];
    }
    kn_free(ctx, rows);
    return KANON_OK;
}

/* A number of a class that is as its interval ends. */
static kanon_status
exposure(const kn_recoding *recoding, const kn_grouping *judged, size_t quasi, kn_end_share *out)
{
    const by_classes *r = (const by_classes *) recoding;
    const uint32_t   *ranks = r->recipes->columns[quasi].ranks;

    KN_UNUSED(judged);
    *out = (kn_end_share){ 0, 0 };
    if (r->centres)
        return centre_exposure(r, quasi, out);
    for (size_t t = 0; t < r->split->ntuples; t++) {
        const kn_recipe *recipe;
        uint32_t         rank;

        if (r->recipe_of[t] == KN_NO_CLASS)
            continue;
        recipe = kn_recipe_at(r->recipes, r->recipe_of[t], quasi);
        if (recipe->level != KN_RECIPE_INTERVAL || recipe->leaf == recipe->high
            || r->recipes->columns[quasi].grid.width)
            continue;
        rank = ranks[kn_codes_at(&r->split->quasi[quasi], t)];
        out->hidden += r->split->weights[t];
        if (rank == ranks[recipe->leaf] || rank == ranks[recipe->high])
            out->shown += r->split->weights[t];
    }
    return KANON_OK;
}

static kanon_status
recoder(kn_recoding *recoding, const kn_grouping *judged, const kn_rows_out *writer,
        kn_recoder **out)
{
    const by_classes *r = (const by_classes *) recoding;

    KN_UNUSED(judged); /* the lost class alone is suppressed */
    return kn_recoder_classes(writer, recoding->problem->learned,
                              recoding->found->partition.class_of, r->spelling, out);
}

const kn_recoding_class kn_recoding_classes = {
    .spares_rows = true,
    .widens = true,
    .check = check,
    .open = open_classes,
    .measure = measure,
    .cell_loss = cell_loss,
    .reads_star = reads_star,
    .values = values,
    .parts = parts,
    .recoder = recoder,
    .exposure = exposure,
    .free = close_classes,
};

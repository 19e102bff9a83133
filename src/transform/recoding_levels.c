/* SPDX-License-Identifier: Apache-2.0 */
/* recoding_levels.c -- full-domain recoding: one level per column for the whole table. The levels are all
 * that is kept of the partition; classes are numbered once, by the plain code of group/, which is the second
 * opinion on what the search counted. */
#include "transform/recoding.h"

typedef struct by_levels {
    kn_recoding   base; /* first: a recoding is cast to this */
    kn_workspace *ws;
    kn_outliers  *outliers;
} by_levels;

static kanon_status
check(const kn_problem *problem)
{
    KN_UNUSED(problem);
    return KANON_OK;
}

static void
close_levels(kn_recoding *recoding)
{
    by_levels *r = (by_levels *) recoding;

    kn_outliers_free(r->outliers);
    kn_workspace_free(r->ws);
    kn_free(recoding->ctx, r);
}

static kanon_status
open_levels(const kn_problem *p, const kn_outcome *found, kn_recoding **out)
{
    kanon_status rc = KANON_OK;
    by_levels   *r = KN_NEW(p->ctx, by_levels);

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    r->base = (kn_recoding){ .class = &kn_recoding_levels,
                             .ctx = p->ctx,
                             .problem = p,
                             .found = found,
                             .levels = found->levels,
                             .table = p->learned->table,
                             .lost = KN_NO_CLASS };
    KN_TRY(kn_workspace_new(p->ctx, &p->view, kn_privacy_most_classes(&p->privacy, p->view.rows),
                            &r->ws));
    kn_group(r->ws, found->levels, &r->base.grouping);
    if (!r->base.grouping.complete)
        KN_TRY(kn_fail(p->ctx, KANON_E_INTERNAL,
                       "the node that the search chose has too many classes"));
    r->base.recipe_of = r->base.grouping.class_of;
    r->base.nrecipes = r->base.grouping.nids;
    *out = &r->base;
    r = NULL;
out:
    if (r)
        close_levels(&r->base);
    return rc;
}

/* What the search claims and what is measured must be the same. */
static kanon_status
compare_claims(const kn_recoding *r, const kn_measured *m)
{
    const char *metric = r->found->metric->info.name;
    double      measured = *kn_metrics_find(&m->metrics, metric);
    double      claimed = r->found->score.loss, scale = claimed > 1 ? claimed : 1;

    if (m->suppressed != r->found->score.outlying || measured - claimed > 1e-9 * scale
        || claimed - measured > 1e-9 * scale)
        return kn_fail(r->ctx, KANON_E_INTERNAL,
                       "the search reports %s %.17g with %llu rows suppressed, but measured are "
                       "%.17g and %llu; nothing was released",
                       metric, claimed, (unsigned long long) r->found->score.outlying, measured,
                       (unsigned long long) m->suppressed);
    return KANON_OK;
}

static kanon_status
measure(kn_recoding *r, const kn_grouping *judged, kn_outcome *found, kn_measured *out,
        kn_column_loss *columns)
{
    const kn_problem *p = r->problem;
    kanon_status rc = kn_measure(r->ctx, &(kn_judged){ &p->scale, &p->privacy, judged }, r->levels,
                                 out, columns);

    KN_UNUSED(found); /* what was claimed is certain already */
    return rc < 0 ? rc : compare_claims(r, out);
}

static const kn_level *
level_of(const kn_recoding *r, size_t quasi)
{
    return &r->problem->hierarchies[quasi]->levels[r->levels[quasi]];
}

static double
cell_loss(const kn_recoding *r, size_t tuple, size_t quasi)
{
    return kn_cell_glm(r->problem->hierarchies[quasi], r->levels[quasi],
                       kn_codes_at(&r->table->quasi[quasi], tuple));
}

static bool
reads_star(const kn_recoding *r, size_t tuple)
{
    for (size_t i = 0; i < r->table->nquasi; i++) {
        const kn_level *level = level_of(r, i);
        uint32_t        group = level->group_of[kn_codes_at(&r->table->quasi[i], tuple)];

        if (!kn_str_equal(level->labels[group], KN_STR("*")))
            return false;
    }
    return true;
}

/* Released rows of each group of a column at a level. Over every tuple, so it looks at copies: the compiler
 * has to take it that a sum which is written may be a part of what is pointed to. */
static void
count_at(const kn_recoding *r, const kn_grouping *judged, size_t quasi, size_t level,
         uint64_t *rows)
{
    const kn_privacy  privacy = r->problem->privacy;
    const kn_grouping classes = *judged;
    const uint32_t   *group_of = r->problem->hierarchies[quasi]->levels[level].group_of;
    const uint32_t   *weights = r->table->weights;
    const kn_codes    codes = r->table->quasi[quasi];

    for (size_t t = 0, n = r->table->ntuples; t < n; t++)
        if (kn_class_holds(&privacy, &classes, classes.class_of[t]))
            rows[group_of[kn_codes_at(&codes, t)]] += weights[t];
}

static void
count_groups(const kn_recoding *r, const kn_grouping *judged, size_t quasi, uint64_t *rows)
{
    count_at(r, judged, quasi, r->levels[quasi], rows);
}

/* Only what was suppressed makes a difference to the labels that the hierarchies were made with. */
static kanon_status
label(kn_recoding *r, const kn_grouping *judged)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = r->problem;
    uint64_t         *rows = NULL;

    for (size_t i = 0; r->found->score.outlying && i < r->table->nquasi; i++) {
        kn_domain domain = kn_problem_domain(p, i);

        if (domain.exact)
            continue;
        kn_free(r->ctx, rows);
        rows = KN_NEW_ARRAY(r->ctx, uint64_t, p->hierarchies[i]->nleaves);
        if (!rows)
            return KANON_E_NOMEM;
        count_at(r, judged, i, 0, rows); /* a group of level 0 is a value */
        domain.rows = rows;
        KN_TRY(kn_hierarchy_relabel(p->hierarchies[i], &domain));
    }
out:
    kn_free(r->ctx, rows);
    return rc;
}

static kanon_status
values(const kn_recoding *r, const kn_grouping *judged, size_t quasi, kn_released_values *out)
{
    const kn_level *level = level_of(r, quasi);

    *out = (kn_released_values){ .count = level->ngroups,
                                 .texts = level->labels,
                                 .rows = KN_NEW_ARRAY(r->ctx, uint64_t, level->ngroups),
                                 .several = KN_NEW_ARRAY(r->ctx, uint8_t, level->ngroups),
                                 .value_of = level->group_of,
                                 .missing = SIZE_MAX,
                                 .listed = true,
                                 .examples = true };
    if (!out->rows || !out->several)
        return KANON_E_NOMEM;
    count_groups(r, judged, quasi, out->rows);
    for (size_t g = 0; g < level->ngroups; g++) {
        out->several[g] = level->leaves[g] > 1;
        if (!level->leaves[g])
            out->missing = g;
    }
    return KANON_OK;
}

static kanon_status
parts(const kn_recoding *r, const kn_grouping *judged, size_t quasi, kn_part_fn fn, void *user)
{
    const kn_level *level = level_of(r, quasi);
    uint64_t       *rows = KN_NEW_ARRAY(r->ctx, uint64_t, level->ngroups);

    if (!rows)
        return KANON_E_NOMEM;
    count_groups(r, judged, quasi, rows);
    for (uint32_t g = 0; g < level->ngroups; g++)
        fn(user, &(kn_released_part){ .rows = rows[g], .level = r->levels[quasi], .group = g });
    kn_free(r->ctx, rows);
    return KANON_OK;
}

static kanon_status
exposure(const kn_recoding *r, const kn_grouping *judged, size_t quasi, kn_end_share *out)
{
    kanon_status     rc = KANON_OK;
    kanon_hierarchy *h = r->problem->hierarchies[quasi];
    const kn_level  *level = level_of(r, quasi);
    kn_domain        domain = kn_problem_domain(r->problem, quasi);
    uint64_t        *rows = KN_NEW_ARRAY(r->ctx, uint64_t, h->nleaves);
    uint8_t         *marks = KN_NEW_ARRAY(r->ctx, uint8_t, h->nleaves);

    *out = (kn_end_share){ 0, 0 };
    if (!rows || !marks) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    KN_TRY(kn_hierarchy_shown(h, &domain, r->levels[quasi], marks));
    count_at(r, judged, quasi, 0, rows);
    for (uint32_t leaf = 0; leaf < h->nleaves; leaf++)
        if (level->leaves[level->group_of[leaf]] > 1) {
            out->hidden += rows[leaf];
            out->shown += marks[leaf] ? rows[leaf] : 0;
        }
out:
    kn_free(r->ctx, rows);
    kn_free(r->ctx, marks);
    return rc;
}

static kanon_status
recoder(kn_recoding *recoding, const kn_grouping *judged, const kn_rows_out *writer,
        kn_recoder **out)
{
    kanon_status      rc = KANON_OK;
    by_levels        *r = (by_levels *) recoding;
    const kn_problem *p = recoding->problem;

    KN_TRY(kn_outliers_new(recoding->ctx, &p->view, recoding->levels, judged, &p->privacy,
                           &r->outliers));
    KN_TRY(
        kn_recoder_levels(writer, p->learned, p->hierarchies, recoding->levels, r->outliers, out));
out:
    return rc;
}

const kn_recoding_class kn_recoding_levels = {
    .has_levels = true,
    .check = check,
    .open = open_levels,
    .measure = measure,
    .cell_loss = cell_loss,
    .reads_star = reads_star,
    .values = values,
    .parts = parts,
    .recoder = recoder,
    .label = label,
    .exposure = exposure,
    .free = close_levels,
};

void
kn_recoding_free(kn_recoding *recoding)
{
    if (recoding)
        recoding->class->free(recoding);
}

void
kn_released_values_fini(kanon_ctx *ctx, kn_released_values *values)
{
    kn_free(ctx, values->rows);
    kn_free(ctx, values->several);
}

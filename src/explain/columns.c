/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c -- whose fault the outlying rows are: what raising a column would save, and in which of
 * its groups they stand. Groups are named only when many rows have them. Cost: a grouping of the table for
 * each column and each of three nodes. */
#include "explain/explain.h"

kanon_status
kn_explain_group(kn_explaining *e, const uint8_t *levels, kn_grouping *out, uint64_t *outlying)
{
    kn_verdict   verdict;
    kanon_status rc = KANON_OK;

    kn_group(e->ws, levels, out);
    if (e->checker)
        rc = kn_checker_judge(e->checker, levels, out, e->holds);
    if (rc < 0)
        return rc;
    kn_privacy_judge(&e->job.problem.privacy, out, &verdict);
    *outlying = verdict.outlying;
    return KANON_OK;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Keeps the groups with most outlying rows, of equals the first. */
static kanon_status
offer_group(kn_explaining *e, kn_explained_where *w, kn_str label, uint64_t rows, uint64_t outlying)
{
    size_t at = w->ngroups;

    while (at > 0 && w->groups[at - 1].outlying < outlying)
        at--;
    if (at == KN_EXPLAINED_GROUPS)
        return KANON_OK;
    if (w->ngroups < KN_EXPLAINED_GROUPS)
        w->ngroups++;
    memmove(&w->groups[at + 1], &w->groups[at], (w->ngroups - at - 1) * sizeof w->groups[0]);
    w->groups[at] = (kn_explained_group){ kn_arena_text(&e->out->arena, label), rows, outlying };
    return w->groups[at].label ? KANON_OK : KANON_E_NOMEM;
}

/* The outlying rows of a judged grouping by the groups of one column. counts: [2 * groups] */
static kanon_status
place_rows(kn_explaining *e, const kn_grouping *grouping, size_t column, kn_explained_where *w,
           uint64_t *counts)
{
    kanon_status           rc = KANON_OK;
    const kn_view         *view = &e->job.problem.view;
    const kanon_hierarchy *h = e->job.problem.hierarchies[column];
    const kn_level        *level = &h->levels[w->level];
    uint64_t              *rows = counts, *outlying = counts + level->ngroups;

    for (size_t t = 0; t < view->ntuples; t++) {
        uint32_t g = level->group_of[kn_codes_at(&view->codes[column], t)];

        rows[g] += view->weights[t];
        if (!kn_class_holds(&e->job.problem.privacy, grouping, grouping->class_of[t]))
            outlying[g] += view->weights[t];
    }
    for (uint32_t g = 0; g < level->ngroups; g++) {
        if (rows[g] < e->out->least) {
            w->rare_rows += rows[g];
            w->rare_outlying += outlying[g];
        } else if (outlying[g]) {
            bool   missing = h->missing != KN_NO_CODE && level->group_of[h->missing] == g;
            kn_str label = missing && !level->leaves[g] ? KN_STR("(missing)") : level->labels[g];

            KN_TRY(offer_group(e, w, label, rows[g], outlying[g]));
        }
    }
out:
    return rc;
}

static kanon_status
explain_where(kn_explaining *e, const uint8_t *levels, size_t column, kn_explained_where *w)
{
    kanon_status rc = KANON_OK;
    kn_grouping  grouping;
    uint64_t    *counts;

    w->level = levels[column];
    counts =
        KN_NEW_ARRAY(e->ctx, uint64_t,
                     2 * (size_t) e->job.problem.hierarchies[column]->levels[w->level].ngroups);
    if (!counts)
        return KANON_E_NOMEM;
    KN_TRY(kn_explain_group(e, levels, &grouping, &w->outlying));
    if (w->outlying)
        KN_TRY(place_rows(e, &grouping, column, w, counts));
out:
    kn_free(e->ctx, counts);
    return rc;
}

/* --- columns ---------------------------------------------------------------------------------- */

static kanon_status
explain_column(kn_explaining *e, size_t i)
{
    kanon_status         rc = KANON_OK;
    const kn_lattice    *lattice = &e->job.problem.lattice;
    kn_explained_column *c = &e->out->columns[i];
    kn_grouping          grouping;
    uint64_t             outlying = e->out->suppressed;
    uint8_t              levels[KN_QUASI_MOST] = { 0 };

    memcpy(levels, e->job.found.levels, lattice->n);
    c->level = levels[i];
    KN_TRY(explain_where(e, levels, i, &c->at));
    if (levels[i] < lattice->top[i] && e->out->suppressed) {
        levels[i]++;
        KN_TRY(kn_explain_group(e, levels, &grouping, &outlying));
        c->saved_up = e->out->suppressed > outlying ? e->out->suppressed - outlying : 0;
    }
    if (c->level < c->height && e->out->suppressed) {
        levels[i] = (uint8_t) c->height;
        KN_TRY(kn_explain_group(e, levels, &grouping, &outlying));
        c->saved_top = e->out->suppressed > outlying ? e->out->suppressed - outlying : 0;
    }
    if (c->level > lattice->low[i] && e->job.found.feasible) {
        levels[i] = (uint8_t) (c->level - 1);
        c->has_below = true;
        KN_TRY(explain_where(e, levels, i, &c->below));
    }
out:
    return rc;
}

/* What each column lost at the solution. */
static kanon_status
measure_columns(kn_explaining *e)
{
    kanon_status    rc = KANON_OK;
    kn_problem     *p = &e->job.problem;
    kn_grouping     grouping;
    kn_measured     measured;
    kn_column_loss *losses = KN_NEW_ARRAY(e->ctx, kn_column_loss, p->lattice.n);

    if (!losses)
        return KANON_E_NOMEM;
    memset(&measured, 0, sizeof measured);
    KN_TRY(kn_explain_group(e, e->job.found.levels, &grouping, &e->out->suppressed));
    KN_TRY(kn_measure(e->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping },
                      e->job.found.levels, &measured, losses));
    for (size_t i = 0; i < p->lattice.n; i++)
        e->out->columns[i].loss = losses[i];
out:
    kn_free(e->ctx, losses);
    return rc;
}

kanon_status
kn_explain_columns(kn_explaining *e)
{
    kanon_status rc = KANON_OK;

    KN_TRY(measure_columns(e));
    for (size_t i = 0; i < e->out->ncolumns; i++)
        KN_TRY(explain_column(e, i));
out:
    return rc;
}

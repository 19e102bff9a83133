/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c -- `kanon explain`: searches with the settings as they are, looks at the outlying rows, and
 * then decides which changes are worth a run. */
#include "explain/explain.h"

#include <math.h>

#include "base/pool.h"
#include "problem/columns.h"
#include "problem/table.h"

enum { LEAST_ROWS = 10, TIME_LIMIT_S = 60 };

/* --- which changes ---------------------------------------------------------------------------- */

/* k beside it, and the nearest of those that people ask for: above it, or below. */
typedef enum { K_ABOVE, K_BELOW } k_side;

static kanon_status
change_k(kn_explaining *e, k_side side)
{
    static const uint64_t usual[] = { 2, 3, 5, 10, 11, 15, 20, 25, 50, 100 };
    kanon_status          rc = KANON_OK;
    uint64_t              k = e->config.k, below = 0, above = 0;

    for (size_t i = 0; i < KN_COUNT(usual); i++) {
        if (usual[i] + 1 < k)
            below = usual[i];
        if (usual[i] > k + 1 && !above)
            above = usual[i];
    }
    if (side == K_ABOVE)
        KN_TRY(kn_explain_k(e, k + 1, NULL));
    if (side == K_ABOVE && above && above <= e->out->rows)
        KN_TRY(kn_explain_k(e, above, NULL));
    if (side == K_BELOW && k > 2)
        KN_TRY(kn_explain_k(e, k - 1, NULL));
    if (side == K_BELOW && below)
        KN_TRY(kn_explain_k(e, below, NULL));
out:
    return rc;
}

/* Who spares rows and suppressed none does so under any limit, but one that is much greater may be worth a
 * try. */
static kanon_status
change_suppression(kn_explaining *e)
{
    static const double usual[] = { 0, 0.005, 0.01, 0.02, 0.05 };
    kanon_status        rc = KANON_OK;

    for (size_t i = 0; i < KN_COUNT(usual); i++)
        if (fabs(usual[i] - e->config.suppression) > 1e-12
            && !(e->job.asked->recoding->spares_rows && !e->out->suppressed
                 && i + 1 < KN_COUNT(usual)))
            KN_TRY(kn_explain_suppression(e, usual[i], NULL));
out:
    return rc;
}

static kanon_status
change_levels(kn_explaining *e)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *lattice = &e->job.problem.lattice;

    for (size_t i = 0; i < lattice->n; i++) {
        uint8_t level = e->job.found.levels[i];

        if (level > lattice->low[i])
            KN_TRY(kn_explain_level(e, i, (uint8_t) (level - 1)));
        if (level < lattice->top[i])
            KN_TRY(kn_explain_level(e, i, (uint8_t) (level + 1)));
    }
out:
    return rc;
}

/* One column has to stay. */
static kanon_status
drop_columns(kn_explaining *e)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && e->out->ncolumns > 1 && i < e->out->ncolumns; i++)
        rc = kn_explain_drop(e, i, NULL);
    return rc;
}

static kanon_status
drop_models(kn_explaining *e)
{
    kanon_status       rc = KANON_OK;
    kn_explained_limit limit;

    for (size_t i = 0; rc == KANON_OK && kn_explain_limit_at(&e->config, i, &limit); i++)
        if (kn_explain_limit(&e->config, limit) >= 0
            && !limit.least) /* goes with the other limit of the same model */
            rc = kn_explain_model(e, i, (double) NAN, NULL);
    return rc;
}

/* What weakens the privacy comes last, in the table as in the advice. */
kanon_status
kn_explain_changes(kn_explaining *e)
{
    kanon_status rc = KANON_OK;

    if (e->job.asked->recoding->has_levels)
        KN_TRY(change_levels(e));
    KN_TRY(drop_columns(e));
    KN_TRY(change_suppression(e));
    KN_TRY(change_k(e, K_ABOVE));
    KN_TRY(change_k(e, K_BELOW));
    KN_TRY(drop_models(e));
out:
    return rc;
}

/* --- nearest settings that work --------------------------------------------------------------- */

/* Tries a whole number as a setting. */
typedef kanon_status (*try_fn)(kn_explaining *e, size_t index, double value, kn_changed *out);

static kanon_status
try_k(kn_explaining *e, size_t index, double value, kn_changed *out)
{
    KN_UNUSED(index);
    return kn_explain_k(e, (uint64_t) value, out);
}

/* The greatest whole number below high with a release, 1 at least; the line of that one stays. What is
 * feasible stays so when less is asked for. */
static kanon_status
repair_whole(kn_explaining *e, try_fn attempt, size_t index, uint64_t high)
{
    kanon_status rc = KANON_OK;
    uint64_t     low = 1; /* everything below it works, nothing from high on does */
    kn_changed   found = { true, false };

    while (low < high && found.computed) {
        uint64_t middle = low + (high - low) / 2;

        KN_TRY(attempt(e, index, (double) middle, &found));
        if (found.feasible)
            low = middle + 1;
        else
            high = middle;
        if (found.computed)
            kn_explain_take_back(e);
    }
    if (found.computed && low > 1)
        KN_TRY(attempt(e, index, (double) (low - 1), NULL));
out:
    return rc;
}

/* No class has more rows than the table. */
static kanon_status
repair_k(kn_explaining *e)
{
    uint64_t k = e->config.k;

    return repair_whole(e, try_k, 0, k > e->out->rows + 1 ? e->out->rows + 1 : k);
}

/* A fraction with two digits that allows at least so many rows. */
static double
fraction_for(uint64_t rows, uint64_t all)
{
    double unit = 0.01;

    while (unit > 1e-9) {
        double fraction = ceil((double) rows / (double) all / unit - 1e-9) * unit;

        if (kn_privacy_allowed(fraction, all) >= rows
            && (fraction - (double) rows / (double) all) < 0.1 * fraction)
            return fraction < 1 ? fraction : 1;
        unit /= 10;
    }
    return (double) rows / (double) all;
}

/* The least limit with a release that still releases something: first those that people ask for, which models
 * may let pass earlier than the top node would. */
static kanon_status
repair_suppression(kn_explaining *e)
{
    static const double usual[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5 };
    kanon_status        rc = KANON_OK;
    bool                levels = e->job.algorithm->recoding->has_levels; /* judged at the top */
    uint64_t            top = levels ? e->out->suppressed : e->job.found.least_outlying;
    uint64_t            rows = e->out->rows;
    double              known = top < rows ? fraction_for(top, rows) : 2;
    kn_changed          found = { true, false };

    for (size_t i = 0; i < KN_COUNT(usual) && found.computed && e->job.problem.privacy.nmodels; i++)
        if (usual[i] > e->config.suppression && usual[i] < known) {
            KN_TRY(kn_explain_suppression(e, usual[i], &found));
            if (found.feasible && e->out->changes[e->out->nchanges - 1].suppressed < rows)
                return KANON_OK;
            if (found.computed)
                kn_explain_take_back(e);
        }
    if (known <= 1 && found.computed)
        KN_TRY(kn_explain_suppression(e, known, NULL));
out:
    return rc;
}

/* Limits that ask for less when they are greater: the next of those that people ask for; NaN: none. */
static double
weaker(kn_asks asks, double limit)
{
    static const double usual[] = { 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6,
                                    0.7,  0.8,  0.9,  1,   1.5,  2,   3,    5,   10,  20,  50 };

    double most = asks == KN_ASKS_SHARE || asks == KN_ASKS_RANGE ? 1 : usual[KN_COUNT(usual) - 1];

    for (size_t i = 0; i < KN_COUNT(usual); i++)
        if (usual[i] > limit + 1e-12 && usual[i] <= most)
            return usual[i];
    return (double) NAN;
}

/* The greatest of the limits below that people ask for and under which there is a release; 0 is the last. */
static kanon_status
repair_least(kn_explaining *e, size_t index, double limit)
{
    static const double usual[] = { 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01, 0 };
    kanon_status        rc = KANON_OK;
    kn_changed          found = { true, false };

    for (size_t i = 0; i < KN_COUNT(usual) && found.computed && !found.feasible; i++) {
        if (usual[i] >= limit)
            continue;
        KN_TRY(kn_explain_model(e, index, usual[i], &found));
        if (found.computed && !found.feasible)
            kn_explain_take_back(e);
    }
out:
    return rc;
}

static kanon_status
repair_model(kn_explaining *e, size_t index, kn_explained_limit which)
{
    kanon_status rc = KANON_OK;
    double       limit = kn_explain_limit(&e->config, which);
    kn_asks      asks = which.setting->asks;
    kn_changed   found = { true, false };

    if (which.least)
        return repair_least(e, index, limit);
    if (asks == KN_ASKS_COUNT || asks == KN_ASKS_DEGREE)
        return repair_whole(e, kn_explain_model, index, (uint64_t) ceil(limit));
    while (!isnan(limit = weaker(asks, limit))) {
        KN_TRY(kn_explain_model(e, index, limit, &found));
        if (found.feasible || !found.computed)
            break;
        kn_explain_take_back(e);
    }
out:
    return rc;
}

kanon_status
kn_explain_repairs(kn_explaining *e)
{
    kanon_status       rc = KANON_OK;
    kn_explained_limit limit;

    if (!e->out->rows)
        return KANON_OK;
    KN_TRY(drop_columns(e));
    KN_TRY(repair_suppression(e));
    KN_TRY(repair_k(e));
    for (size_t i = 0; kn_explain_limit_at(&e->config, i, &limit); i++)
        if (kn_explain_limit(&e->config, limit) >= 0)
            KN_TRY(repair_model(e, i, limit));
    KN_TRY(drop_models(e));
out:
    return rc;
}

/* --- sets of columns --------------------------------------------------------------------------- */

/* Nodes are counted, not seconds, so that threads and the machine do not matter; a few seconds at most. */
static kanon_status
explain_sets(kn_explaining *e)
{
    static const uint64_t work = 2000000000, least = 200;
    kanon_status          rc = KANON_OK;
    uint64_t              most = work / (e->job.problem.view.ntuples + 1);

    if (!kn_explain_has_time(e, &e->config))
        return KANON_OK;
    KN_TRY(kn_job_column_sets(&e->job, most > least ? most : least, &e->out->arena, &e->out->sets));
    for (size_t i = 0; e->out->has_local && i < e->out->sets.count; i++)
        KN_TRY(kn_explain_set(e, &e->out->sets.of[i]));
out:
    return rc;
}

/* --- the whole -------------------------------------------------------------------------------- */

static kanon_status
describe_models(kn_explaining *e)
{
    const kn_privacy  *privacy = &e->job.problem.privacy;
    kanon_explanation *x = e->out;

    x->models = kn_arena_alloc(&x->arena, (privacy->nmodels + 1) * sizeof *x->models);
    if (!x->models)
        return KANON_E_NOMEM;
    for (; x->nmodels < privacy->nmodels; x->nmodels++) {
        const kn_model     *m = privacy->models[x->nmodels];
        kn_explained_model *d = &x->models[x->nmodels];

        *d = (kn_explained_model){ m->class->name, m->class->parameter,
                                   NULL,           m->class->second,
                                   m->limit,       m->second };
        if (m->class->own
            && (!(d->name = kn_arena_text(&x->arena, kn_str_of(d->name)))
                || !(d->parameter = kn_arena_text(&x->arena, kn_str_of(d->parameter)))))
            return KANON_E_NOMEM;
        if (m->name && !(d->column = kn_arena_text(&x->arena, kn_str_of(m->name))))
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static kanon_status
describe(kn_explaining *e)
{
    kanon_explanation *x = e->out;
    const kn_problem  *p = &e->job.problem;

    x->input = kn_arena_text(&x->arena, kn_str_of(e->source->name));
    x->rows = p->learned->rows;
    x->k = e->config.k;
    x->suppression = e->config.suppression;
    x->allowed = p->privacy.allowed;
    x->least = x->k > LEAST_ROWS ? x->k : LEAST_ROWS;
    x->metric = e->job.metric->info.name;
    x->ncolumns = p->lattice.n;
    x->columns = kn_arena_alloc(&x->arena, x->ncolumns * sizeof *x->columns);
    if (!x->input || !x->columns)
        return KANON_E_NOMEM;
    memset(x->columns, 0, x->ncolumns * sizeof *x->columns);
    for (size_t i = 0; i < x->ncolumns; i++) {
        const char *name = p->learned->names[p->learned->columns[i].position];

        x->columns[i].name = kn_arena_text(&x->arena, kn_str_of(name));
        x->columns[i].height = (unsigned) (p->hierarchies[i]->nlevels - 1);
        x->columns[i].floor = p->lattice.floor[i];
        if (!x->columns[i].name)
            return KANON_E_NOMEM;
    }
    return describe_models(e);
}

static kanon_status
open_nodes(kn_explaining *e)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &e->job.problem;

    KN_TRY(kn_workspace_new(e->ctx, &p->view, SIZE_MAX, &e->ws));
    if (!p->privacy.nmodels)
        return KANON_OK;
    e->holds = KN_NEW_ARRAY(e->ctx, uint8_t, kn_workspace_ids(&p->view, SIZE_MAX));
    if (!e->holds)
        return KANON_E_NOMEM;
    KN_TRY(kn_checker_new(e->ctx, &p->privacy, p->learned->table, &e->checker));
out:
    return rc;
}

/* Whose fault the loss is, column by column: what other levels would change. */
static kanon_status
explain_levels(kn_explaining *e)
{
    kanon_status rc = KANON_OK;
    kn_outcome  *found = &e->job.found;

    KN_TRY(open_nodes(e));
    if (!found->feasible)
        memcpy(found->levels, e->job.problem.lattice.top, e->job.problem.lattice.n);
    KN_TRY(kn_explain_columns(e));
    if (found->feasible && e->out->suppressed != found->score.outlying)
        KN_TRY(kn_fail(e->ctx, KANON_E_INTERNAL,
                       "the search reports %llu rows suppressed, but counted are %llu",
                       (unsigned long long) found->score.outlying,
                       (unsigned long long) e->out->suppressed));
out:
    return rc;
}

/* The same class by class, where no level could be changed. */
static kanon_status
explain_classes(kn_explaining *e)
{
    e->out->suppressed = e->job.found.feasible ? e->job.found.score.outlying : e->out->rows;
    return e->job.found.feasible ? kn_explain_classes(e) : KANON_OK;
}

static kanon_status
run(kn_explaining *e)
{
    kanon_status       rc = KANON_OK;
    kanon_explanation *x = e->out;
    kn_outcome        *found = &e->job.found;

    e->source->keeps = true; /* for changes that look at the same columns */
    KN_TRY(kn_problem_init(&e->job.problem, e->ctx, &e->config, e->source));
    e->source->keeps = false; /* the others do not take its place */
    e->config.models.told = true;
    x->has_local = !e->job.asked->recoding->has_levels;
    KN_TRY(describe(e));
    if (!kn_explain_has_time(e, &e->config)) /* some answer there must be */
        e->config.time_limit_s = 0.001;
    KN_TRY(kn_explain_search(&e->job));
    KN_TRY(x->has_local ? explain_classes(e) : explain_levels(e));
    if (found->feasible)
        KN_TRY(explain_sets(e));
    e->config.time_limit_s = 0;
    e->config.has_time_limit = false;
    kn_explain_hear(e, found);
    x->algorithm = kn_arena_text(&x->arena, kn_str_of(e->job.algorithm->info->name));
    if (!x->algorithm)
        return KANON_E_NOMEM;
    x->stopped = found->stopped;
    x->feasible = found->feasible;
    x->optimal = found->optimal;
    if (found->feasible)
        x->loss = found->score.loss;
    x->kept = found->feasible ? 1 - e->job.measured.metrics.glm : 0;
    KN_TRY(found->feasible ? kn_explain_changes(e) : kn_explain_repairs(e));
    kn_explanation_find_best(x);
    KN_TRY(kn_explanation_judge(x));
out:
    return rc;
}

kanon_status
kanon_table_explain(kanon_ctx *ctx, const kanon_config *config, kanon_table *table,
                    kanon_explanation **out)
{
    kanon_status    rc = kn_table_given(ctx, config, table, out);
    kn_explaining   e = { .ctx = ctx, .asked = config };
    kn_rows_source *source;
    double          start = kn_seconds(), limit;
    bool            keeps;

    if (rc < 0)
        return rc;
    *out = NULL;
    source = e.source = table->rows;
    keeps = source->keeps;
    e.config = *config; /* shares its texts */
    limit = config->has_time_limit ? config->time_limit_s : TIME_LIMIT_S;
    e.config.time_limit_s = 0;
    e.config.has_time_limit = false;
    kn_run_begin(&e.run, ctx, limit);
    e.job.ctx = ctx;
    e.job.started = start;
    e.job.threads = kn_config_threads(config);
    KN_TRY(kn_job_settings(&e.job, config));
    KN_TRY(kn_explanation_new(ctx, &e.out));
    e.out->time_limit_s = limit;
    KN_TRY(run(&e));
    e.out->seconds = kn_seconds() - start;
    *out = e.out;
    e.out = NULL; /* moved: the caller owns it now */
out:
    kanon_explanation_free(e.out);
    kn_checker_free(e.checker);
    kn_workspace_free(e.ws);
    kn_free(ctx, e.holds);
    kn_job_close(&e.job);
    kn_problem_fini(&e.job.problem);
    source->keeps = keeps;
    if (!keeps) {
        kn_learned_free(source->kept);
        source->kept = NULL;
    }
    kn_job_over(ctx);
    return rc;
}

KN_JOB_ON_SOURCE(kanon_explain, kanon_table_explain, kanon_explanation)

/* SPDX-License-Identifier: Apache-2.0 */
/* advice.c -- why nothing is feasible, and the nearest setting that works. With every quasi-identifier
 * fully generalized all rows are one class: a limit that this class reaches is one under which there is
 * a release. */
#include "anonymize/job.h"

#define NEAREST "nearest setting that works: "

static void
name_model(kn_text *text, const kn_model *model)
{
    kn_text_addf(text, "%s", model->class->name);
    if (model->class->second && !model->class->both)
        kn_text_addf(text, " (%s = %.15g, %s = %.15g)", model->class->parameter, model->limit,
                     model->class->second, model->second);
    else if (model->class->both && model->second > 0)
        kn_text_addf(text, " (from %.15g to %.15g)", model->second, model->limit);
    else if (model->class->limit != KN_LIMIT_ONE)
        kn_text_addf(text, " (%s = %.15g)", model->class->parameter, model->limit);
    if (model->name)
        kn_text_addf(text, " of '%s'", model->name);
}

/* --- levels that stand fixed, or may not rise ----------------------------------------------------------- */

/* Rows in classes that do not satisfy one model, whatever their size. */
static kanon_status
count_failing(const kn_job *job, size_t model, const uint8_t *levels, kn_grouping grouping,
              uint8_t *holds, uint64_t *rows)
{
    kanon_status rc = KANON_OK;
    kn_privacy   one = job->problem.privacy;
    kn_checker  *checker = NULL;

    one.k = 1;
    one.models = &job->problem.privacy.models[model];
    one.nmodels = 1;
    *rows = 0;
    KN_TRY(kn_checker_new(job->ctx, &one, job->problem.learned->table, &checker));
    KN_TRY(kn_checker_judge(checker, levels, &grouping, holds));
    for (size_t id = 0; id < grouping.nids; id++)
        *rows += holds[id] ? 0 : grouping.sizes[id];
out:
    kn_checker_free(checker);
    return rc;
}

/* What fails at levels that were given, or above which nothing may rise. */
static kanon_status
tell_failing(const kn_job *job, const uint8_t *levels, kn_text *text)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &job->problem;
    uint8_t          *holds = NULL;
    kn_workspace     *ws = NULL;
    kn_grouping       grouping;
    uint64_t          rows = 0;

    KN_TRY(kn_workspace_new(job->ctx, &p->view, SIZE_MAX, &ws));
    kn_group(ws, levels, &grouping);
    holds = KN_NEW_ARRAY(job->ctx, uint8_t, grouping.nids);
    KN_TRY(KN_HAVE(holds));
    for (size_t id = 0; id < grouping.nids; id++)
        rows += kn_privacy_enough(&p->privacy, grouping.sizes[id]) ? 0 : grouping.sizes[id];
    if (rows)
        kn_text_addf(text, " %llu rows are in classes below k = %llu,", (unsigned long long) rows,
                     (unsigned long long) p->privacy.k);
    for (size_t i = 0; i < p->privacy.nmodels; i++) {
        KN_TRY(count_failing(job, i, levels, grouping, holds, &rows));
        if (!rows)
            continue;
        kn_text_addf(text, " %llu rows are in classes that violate ", (unsigned long long) rows);
        name_model(text, p->privacy.models[i]);
        kn_text_addz(text, ",");
    }
    kn_text_addf(text, " and at most %llu may be suppressed",
                 (unsigned long long) p->privacy.allowed);
out:
    kn_workspace_free(ws);
    kn_free(job->ctx, holds);
    return rc;
}

/* The levels are given, so other levels are no advice about a limit. */
static kanon_status
advise_pick(const kn_job *job, kn_text *text, kn_text *remedy)
{
    const kn_pick *pick = job->problem.config->pick;
    uint8_t        levels[KN_QUASI_MOST] = { 0 };

    for (size_t i = 0; i < pick->ncolumns; i++)
        levels[i] = (uint8_t) pick->columns[i].level;
    kn_text_addf(text, "no release: at the levels of point %zu of %s", pick->number, pick->file);
    kn_text_addz(remedy, "pick another point of the front, or leave out --from and --pick to "
                         "search for levels that satisfy everything");
    return tell_failing(job, levels, text);
}

/* Has somebody said that a column may not be fully generalized? */
static bool
has_lid(const kn_problem *p, size_t quasi)
{
    return p->lattice.top[quasi] + 1u < p->hierarchies[quasi]->nlevels;
}

static kanon_status
advise_limits(const kn_job *job, kn_text *text, kn_text *remedy)
{
    const kn_problem *p = &job->problem;
    size_t            named = 0;

    kn_text_addz(text, "no release: with every quasi-identifier at the highest level that level "
                       "and max-level allow,");
    kn_text_addz(remedy, "raise --level or --max-level of ");
    for (size_t i = 0; i < p->lattice.n; i++)
        if (has_lid(p, i))
            kn_text_addf(remedy, "%s'%s'", named++ ? " or " : "", p->attributes[i]->name);
    kn_text_addz(remedy, ", or allow more suppression");
    return tell_failing(job, p->lattice.top, text);
}

/* --- the rows together -------------------------------------------------------------------------------- */

static void
advise_rows(const kn_job *job, kn_text *text, kn_text *remedy)
{
    const kn_privacy *privacy = &job->problem.privacy;
    uint64_t          rows = job->problem.learned->rows;

    kn_text_addf(text,
                 "no release: even with every quasi-identifier fully generalized, %llu of %llu "
                 "rows are in classes below k = %llu, and at most %llu may be suppressed",
                 (unsigned long long) job->found.least_outlying, (unsigned long long) rows,
                 (unsigned long long) privacy->k, (unsigned long long) privacy->allowed);
    kn_text_addf(remedy, NEAREST "-k %llu%s", (unsigned long long) rows,
                 rows < 2 ? " (which protects nobody)" : "");
}

/* A table without rows satisfies everything but that nobody may be known to be absent. */
static void
advise_nobody(const kn_job *job, kn_text *text, kn_text *remedy)
{
    const kn_privacy *privacy = &job->problem.privacy;

    kn_text_addz(text, "no release: the table has no rows, so everyone in the population is known "
                       "to be absent");
    kn_text_addz(remedy, "nearest setting that works:");
    for (size_t i = 0; i < privacy->nmodels; i++)
        if (kn_model_forbids_absence(privacy->models[i]))
            kn_text_addf(remedy, " --%s 0,%.15g", privacy->models[i]->class->setting->value.name,
                         privacy->models[i]->limit);
}

/* One option speaks for every sensitive column without limits of its own: does another such column of the
 * same model need a milder limit, or as mild a one and stands before this? Then that one is named. */
static bool
outdone(const kn_privacy *privacy, const double *reached, size_t model)
{
    const kn_model *m = privacy->models[model];

    for (size_t i = 0; i < privacy->nmodels; i++) {
        bool same = i != model && privacy->models[i]->class == m->class && !m->alone
                 && !privacy->models[i]->alone
                 && !kn_model_satisfied(privacy->models[i], reached[i]);

        if (same
            && (kn_sense_worse(m->class->sense, reached[i], reached[model])
                || (i < model && !kn_sense_worse(m->class->sense, reached[model], reached[i]))))
            return true;
    }
    return false;
}

static kanon_status
advise_models(const kn_job *job, const double *reached, kn_text *text, kn_text *remedy)
{
    kanon_status      rc = KANON_OK;
    const kn_privacy *privacy = &job->problem.privacy;
    size_t            count = 0;

    kn_text_addz(text, "no release: even with every quasi-identifier fully generalized, the rows "
                       "together violate ");
    for (size_t i = 0; i < privacy->nmodels; i++)
        if (!kn_model_satisfied(privacy->models[i], reached[i])) {
            kn_text_addz(text, count++ ? " and " : "");
            name_model(text, privacy->models[i]);
        }
    if (privacy->allowed && !kn_privacy_monotone(privacy))
        kn_text_addf(text, ", and %s with at most %llu rows suppressed does",
                     job->found.none ? "no node" : "no node that was checked",
                     (unsigned long long) privacy->allowed);
    kn_text_addz(remedy, NEAREST);
    count = 0;
    for (size_t i = 0; i < privacy->nmodels; i++)
        if (!kn_model_satisfied(privacy->models[i], reached[i]) && !outdone(privacy, reached, i)) {
            kn_text_addz(remedy, count++ ? " with " : "");
            KN_TRY(kn_model_advise(privacy->models[i], reached[i], remedy));
        }
out:
    return rc;
}

kanon_status
kn_job_advise(const kn_job *job, kn_text *text, kn_text *remedy)
{
    kanon_status      rc = KANON_OK;
    const kn_privacy *privacy = &job->problem.privacy;
    kn_checker       *checker = NULL;
    double           *reached = KN_NEW_ARRAY(job->ctx, double, privacy->nmodels);
    bool              models = false, lid = false;

    if (!reached)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < job->problem.lattice.n; i++)
        lid = lid || has_lid(&job->problem, i);
    if (job->problem.config->pick) {
        KN_TRY(advise_pick(job, text, remedy));
        goto out;
    }
    if (lid && job->problem.learned->rows) {
        KN_TRY(advise_limits(job, text, remedy));
        goto out;
    }
    KN_TRY(kn_checker_new(job->ctx, privacy, job->problem.learned->table, &checker));
    kn_checker_whole(checker, reached);
    for (size_t i = 0; i < privacy->nmodels; i++)
        models = models || !kn_model_satisfied(privacy->models[i], reached[i]);
    if (job->problem.learned->rows == 0)
        advise_nobody(job, text, remedy);
    else if (models && job->problem.learned->rows >= privacy->k)
        KN_TRY(advise_models(job, reached, text, remedy));
    else
        advise_rows(job, text, remedy);
out:
    kn_checker_free(checker);
    kn_free(job->ctx, reached);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c -- the stage that makes a release of the partition and measures it: classes, their verdicts, what
 * they lose, whether suppressed rows are masked, what sensitive values tell. */
#include "anonymize/job.h"

/* An algorithm whose classes were made row by row answers for each of them. */
static kanon_status
check_classes(kn_job *job)
{
    uint32_t lost = job->recoding->lost;

    if (lost == KN_NO_CLASS)
        return KANON_OK;
    for (size_t id = 0; id < job->grouping.nids; id++)
        if (id != lost && !job->models.holds[id])
            return kn_fail(
                job->ctx, KANON_E_INTERNAL,
                "a class of the clusterer violates the requirements; nothing was released");
    job->models.holds[lost] = 0;
    return KANON_OK;
}

kanon_status
kn_job_recode(kn_job *job)
{
    kanon_status rc = KANON_OK;

    job->columns = KN_NEW_ARRAY(job->ctx, kn_column_loss, job->problem.learned->nquasi);
    if (!job->columns)
        return KANON_E_NOMEM;
    KN_TRY(job->algorithm->recoding->open(&job->problem, &job->found, &job->recoding));
    job->grouping = job->recoding->grouping;
    KN_TRY(kn_job_judge(job));
    KN_TRY(check_classes(job));
    KN_TRY(job->recoding->class->measure(job->recoding, &job->grouping, &job->found, &job->measured,
                                         job->columns));
out:
    return rc;
}

const kn_table *
kn_job_table(const kn_job *job)
{
    return job->recoding ? job->recoding->table : job->problem.learned->table;
}

static bool
hides_presence(const kn_job *job)
{
    for (size_t i = 0; i < job->problem.privacy.nmodels; i++)
        if (job->problem.privacy.models[i]->class->guards == KN_GUARDS_PRESENCE)
            return true;
    return false;
}

/* Masked rows are a class like any other: if too few of them, or too like each other for a model, would stand
 * out, they are left out. Where presence is to be hidden they are left out always: each tells that one person
 * more is in the table, which raises the chance of everybody whom no released row accounts for. */
static kanon_status
decide_masking(kn_job *job)
{
    kanon_status rc = KANON_OK;
    uint64_t     suppressed = job->measured.suppressed, k = job->problem.privacy.k;
    const char  *were = suppressed == 1 ? "row was" : "rows were";

    if (job->problem.config->suppressed != KN_SUPPRESSED_MASK || !suppressed)
        return KANON_OK;
    if (hides_presence(job)) {
        kn_warn(job->ctx, KN_FOUND_NOT_MASKED, kn_at_setting("suppressed"),
                "%llu suppressed %s dropped, not masked: masked rows would reveal how many more "
                "people are in the table, which delta-presence does not account for",
                (unsigned long long) suppressed, were);
        return KANON_OK;
    }
    job->star_rows = kn_job_star_rows(job);
    KN_TRY(kn_job_mask_holds(job, &job->masks));
    if (job->masks)
        return KANON_OK;
    if (suppressed + job->star_rows < k)
        kn_warn(job->ctx, KN_FOUND_NOT_MASKED, kn_at_setting("suppressed"),
                "%llu suppressed %s dropped, not masked: fewer than k = %llu masked rows would not "
                "be k-anonymous",
                (unsigned long long) suppressed, were, (unsigned long long) k);
    else
        kn_warn(job->ctx, KN_FOUND_NOT_MASKED, kn_at_setting("suppressed"),
                "%llu suppressed %s dropped, not masked: as an equivalence class they would "
                "violate the privacy models",
                (unsigned long long) suppressed, were);
out:
    return rc;
}

/* What a reader of the release sees of the sensitive columns: of masked rows as of any class. */
static kanon_status
measure_sensitive(kn_job *job)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &job->problem;
    kn_grouping       seen = job->grouping;
    kn_scale          scale = p->scale;
    size_t            n = p->learned->nquasi, masked = SIZE_MAX;

    scale.table = kn_job_table(job);
    KN_TRY(decide_masking(job));
    if (job->masks)
        KN_TRY(kn_job_join_masked(job, &seen, &masked));
    for (size_t s = 0; s < p->learned->nsensitive; s++)
        KN_TRY(kn_measure_diversity(job->ctx, &(kn_judged){ &scale, &p->privacy, &seen }, s,
                                    kn_dict_count(p->learned->columns[n + s].dict),
                                    &job->diversity[s]));
    KN_TRY(kn_job_reach(job, &seen, masked));
out:
    return rc;
}

kanon_status
kn_job_measure(kn_job *job)
{
    kanon_status rc = KANON_OK;

    job->diversity = KN_NEW_ARRAY(job->ctx, kn_diversity, job->problem.learned->nsensitive);
    if (!job->diversity)
        return KANON_E_NOMEM;
    KN_TRY(kn_job_recode(job));
    if (job->recoding->class->label)
        KN_TRY(job->recoding->class->label(job->recoding, &job->grouping));
    KN_TRY(measure_sensitive(job));
out:
    return rc;
}

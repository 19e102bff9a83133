/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- a job with local recoding. The clusterer's partition becomes recipes (what each class releases),
 * the table is divided among the classes, and from there on everything is measured by the code that measures
 * any release. */
#include "anonymize/local.h"

#include "anonymize/job.h"
#include "privacy/privacy.h"

/* Costs are whole numbers of 2^-24 of a cell; this is what that rounds off, and no more. */
static const double CLAIM_ROUNDING = 1e-6;

/* --- classes ----------------------------------------------------------------------------------------- */

static kanon_status
check_metric(const kn_job *job)
{
    const kn_metric_class *m = job->metric;

    if (m == &kn_metric_gcp || m == &kn_metric_glm || m == &kn_metric_total_il)
        return KANON_OK;
    return kn_fail_at(job->ctx, KANON_E_INVALID, job->problem.config->metric_at.file,
                      job->problem.config->metric_at.line,
                      "metric: %s recodes class by class, where %s cannot be minimised; expected "
                      "gcp, glm or total_il (all metrics are measured and reported)",
                      job->local.clusterer->info.name, m->info.name);
}

/* A centre has no ends that could move, and a text no multiples. Told before the long work. */
static kanon_status
check_display(const kn_job *job)
{
    const kanon_config *config = job->problem.config;
    const char         *local = kn_local_name(config->local);

    if (config->local != KN_LOCAL_INTERVAL && config->snap != KN_SNAP_OFF)
        return kn_fail(job->ctx, KANON_E_INVALID,
                       "snap: %s widens intervals, and local %s shows none; expected local "
                       "interval or snap off",
                       kn_snap_name(config->snap), local);
    for (size_t i = 0; i < job->problem.learned->nquasi; i++) {
        const kn_attribute *a = job->problem.attributes[i];

        if (a->grid.mantissa <= 0)
            continue;
        if (config->local != KN_LOCAL_INTERVAL)
            return kn_fail(
                job->ctx, KANON_E_INVALID,
                "grid: column '%s' has a grid for its intervals, and local %s shows none; expected "
                "local interval or no grid",
                a->name, local);
        if (job->problem.hierarchies[i]->type != KN_TYPE_NUMBER)
            return kn_fail(job->ctx, KANON_E_INVALID,
                           "grid: column '%s' holds no numbers, expected a column of numbers; a "
                           "hierarchy says "
                           "how other values become coarser",
                           a->name);
    }
    return KANON_OK;
}

kanon_status
kn_job_cluster(kn_job *job)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->problem.config;
    kn_cluster_outcome *found = &job->local.found;
    double              start = kn_seconds(), values[KN_PARAMS_MOST];
    kn_cluster_problem  p = { job->ctx,     &job->problem.scale, &job->problem.privacy,
                              job->metric,  config->params,      config->nparams,
                              config->seed, job->threads,        config->time_limit_s };

    job->choice = "";
    KN_TRY(check_metric(job));
    KN_TRY(check_display(job));
    KN_TRY(kn_privacy_allow_local(job->ctx, &job->problem.privacy));
    rc = kn_params_parse(job->ctx, job->algorithm, p.params, p.nparams, values);
    KN_TRY(kn_fail_place(job->ctx, rc, config->params_at.file, config->params_at.line));
    KN_TRY(kn_cluster_run(job->local.clusterer, &p, found));
    job->found.feasible = found->feasible;
    job->found.score = (kn_score){ found->feasible, found->suppressed, found->loss };
    job->found.evaluations = found->evaluations;
    job->found.lower_bound = found->lower_bound > 0 ? found->lower_bound : 0;
    job->found.stopped = found->stopped;
    job->found.curve = found->curve;
    job->found.least_outlying = job->problem.learned->rows;
    job->seconds.search = kn_seconds() - start;
out:
    return rc;
}

/* --- what they release -------------------------------------------------------------------------------- */

static kanon_status
make_recipes(kn_job *job)
{
    kanon_status        rc = KANON_OK;
    kn_job_local       *l = &job->local;
    const kn_problem   *p = &job->problem;
    const kanon_config *config = p->config;
    size_t              n = p->learned->nquasi;
    kn_domain          *domains = KN_NEW_ARRAY(job->ctx, kn_domain, n);
    kn_decimal         *grids = KN_NEW_ARRAY(job->ctx, kn_decimal, n);
    kn_recipe_options   options = { config->snap, config->local, grids, domains };

    if (!domains || !grids) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t i = 0; i < n; i++) {
        domains[i] = kn_learned_domain(p->learned, i, p->source->name);
        grids[i] = p->attributes[i]->grid;
    }
    KN_TRY(kn_recipes_new(job->ctx, p->learned->table, p->hierarchies, l->found.partition.class_of,
                          l->found.partition.nclasses, &options, &l->recipes));
    if (config->local != KN_LOCAL_INTERVAL)
        KN_TRY(kn_centres_new(l->recipes, p->learned->table, l->found.partition.class_of,
                              config->local, p->privacy.k, &l->centres));
    KN_TRY(kn_spelling_new(l->recipes, l->centres, &l->spelling));
out:
    kn_free(job->ctx, domains);
    kn_free(job->ctx, grids);
    return rc;
}

/* The classes as a reader of the release will see them; suppressed rows are one more, at the end. */
static kanon_status
group(kn_job *job)
{
    kanon_status  rc = KANON_OK;
    kn_job_local *l = &job->local;
    size_t        ids = l->spelling->njoint + 1;

    KN_TRY(kn_table_split(job->problem.learned->table, l->found.partition.class_of, &l->split,
                          &l->recipe_of));
    l->class_of = KN_NEW_ARRAY(job->ctx, uint32_t, l->split->ntuples);
    l->sizes = KN_NEW_ARRAY(job->ctx, uint64_t, ids);
    if (!l->class_of || !l->sizes) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t t = 0; t < l->split->ntuples; t++) {
        l->class_of[t] = l->recipe_of[t] == KN_NO_CLASS ? (uint32_t) l->spelling->njoint
                                                        : l->spelling->joint[l->recipe_of[t]];
        l->sizes[l->class_of[t]] += l->split->weights[t];
    }
    job->grouping = (kn_grouping){
        .class_of = l->class_of, .sizes = l->sizes, .nids = ids, .complete = true
    };
    KN_TRY(kn_job_judge(job));
    for (size_t id = 0; id + 1 < ids; id++)
        if (!job->models.holds[id]) {
            rc =
                kn_fail(job->ctx, KANON_E_INTERNAL,
                        "a class of the clusterer does not satisfy what was asked for; nothing was "
                        "released");
            goto out;
        }
    job->models.holds[ids - 1] = 0;
out:
    return rc;
}

/* Can a class of numbers and missing values show less than everything? A clusterer counts it as the top, and
 * an interval has no room for a missing value; but a hierarchy file may put it into a group with numbers. */
static bool
missing_joins_numbers(const kn_job *job)
{
    for (size_t i = 0; i < job->problem.learned->nquasi; i++) {
        const kanon_hierarchy *h = job->problem.hierarchies[i];

        if (job->problem.config->snap != KN_SNAP_HIERARCHY || h->type != KN_TYPE_NUMBER
            || h->missing == KN_NO_CODE || job->problem.attributes[i]->grid.mantissa > 0)
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
compare_claims(const kn_job *job)
{
    double measured = *kn_metrics_find(&job->measured.metrics, job->metric->info.name);
    double claimed = job->local.found.loss;
    bool   widened = job->problem.config->snap != KN_SNAP_OFF;

    for (size_t i = 0; i < job->problem.learned->nquasi; i++)
        widened = widened || job->problem.attributes[i]->grid.mantissa > 0;
    if (job->measured.suppressed != job->local.found.suppressed
        || (claimed - measured > CLAIM_ROUNDING && !missing_joins_numbers(job))
        || (!widened && measured - claimed > CLAIM_ROUNDING))
        return kn_fail(
            job->ctx, KANON_E_INTERNAL,
            "the clusterer claims %s %.9g with %llu rows suppressed, measured are %.9g and "
            "%llu; nothing was released",
            job->metric->info.name, claimed, (unsigned long long) job->local.found.suppressed,
            measured, (unsigned long long) job->measured.suppressed);
    return KANON_OK;
}

kanon_status
kn_job_measure_local(kn_job *job)
{
    kanon_status  rc = KANON_OK;
    kn_job_local *l = &job->local;
    kn_scale      scale = job->problem.scale;

    KN_TRY(make_recipes(job));
    KN_TRY(group(job));
    scale.table = l->split;
    KN_TRY(kn_measure_local(job->ctx, &scale, job->problem.learned->table, &job->problem.privacy,
                            l->recipes, l->recipe_of, &job->grouping, &job->measured,
                            job->columns));
    KN_TRY(compare_claims(job));
    if (missing_joins_numbers(job)) /* the bound counts those classes as the top, too */
        job->found.lower_bound = 0;
    /* What counts is what is released: the loss of widened intervals. */
    job->found.score.loss = *kn_metrics_find(&job->measured.metrics, job->metric->info.name);
    job->found.optimal = job->found.lower_bound > job->found.score.loss - CLAIM_ROUNDING / 10;
    if (job->found.optimal)
        job->found.lower_bound = job->found.score.loss;
out:
    return rc;
}

void
kn_job_close_local(kn_job *job)
{
    kn_job_local *l = &job->local;

    kn_partition_fini(job->ctx, &l->found.partition);
    kn_spelling_free(l->spelling);
    kn_free(job->ctx, l->centres);
    kn_recipes_free(l->recipes);
    kn_table_free(l->split);
    kn_free(job->ctx, l->recipe_of);
    kn_free(job->ctx, l->class_of);
    kn_free(job->ctx, l->sizes);
}

void
kn_job_count_texts(const kn_job *job, size_t quasi, uint64_t *rows)
{
    const kn_job_local *l = &job->local;

    for (size_t t = 0; t < l->split->ntuples; t++)
        if (l->recipe_of[t] != KN_NO_CLASS)
            rows[l->spelling->ids[l->recipe_of[t] * l->spelling->nquasi + quasi]] +=
                l->split->weights[t];
}

const kn_table *
kn_job_table(const kn_job *job)
{
    return job->local.split ? job->local.split : job->problem.learned->table;
}

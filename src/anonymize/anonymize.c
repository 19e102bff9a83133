/* SPDX-License-Identifier: Apache-2.0 */
/* anonymize.c -- the main job: the order of the stages, and nothing else. A format gives rows, the loader
 * makes tuples, hierarchies make levels (all three: problem/), an algorithm makes a partition (search.c),
 * which is recoded and measured (measure.c), transform makes released rows and verify counts them again
 * (release.c), the result says what happened (gather.c), and the sink publishes. */
#include "anonymize/job.h"
#include "base/pool.h"
#include "formats/arrow_out.h"
#include "problem/cautions.h"
#include "problem/columns.h"
#include "problem/table.h"

void
kn_job_close(kn_job *job)
{
    kn_free(job->ctx, job->columns);
    kn_free(job->ctx, job->diversity);
    kn_free(job->ctx, job->fates);
    kn_free(job->ctx, job->formulas);
    kn_free(job->ctx, job->profiled);
    kn_free(job->ctx, job->released);
    kn_job_close_models(job);
    kn_release_watch_free(job->watch);
    kn_class_sample_free(job->sample.of);
    kn_free(job->ctx, job->sample.positions);
    kn_trace_free(job->trace);
    kn_links_free(job->links);
    kn_recoding_free(job->recoding);
    kn_partition_fini(job->ctx, &job->found.partition);
}

kanon_status
kn_anonymize_rows(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source,
                  kn_rows_out *release_to, kanon_result **out)
{
    kanon_status  rc = KANON_OK;
    kanon_result *result = NULL;
    kn_job        job;

    *out = NULL;
    memset(&job, 0, sizeof job);
    job.ctx = ctx;
    job.sink_name = release_to->name;
    job.started = kn_seconds();
    job.threads = kn_config_threads(config);
    KN_TRY(kn_config_check_profile(ctx, config));
    KN_TRY(kn_job_settings(&job, config));
    KN_TRY(kn_job_order_key(&job, config));
    KN_TRY(kn_job_check_count(&job, config));
    KN_TRY(kn_pseudonyms_open(&job.pseudonyms, ctx, config,
                              job.order_key[0] || !config->order_key ? job.order_key
                                                                     : config->order_key,
                              source));
    KN_TRY(kn_problem_init(&job.problem, ctx, config, job.pseudonyms.source));
    KN_TRY(kn_job_check_roles(&job));
    KN_TRY(kn_job_doubt_roles(&job));
    KN_TRY(kn_job_open_profile(&job));
    kn_job_warn_unused(&job);
    KN_TRY(kn_job_search(&job));
    kn_job_warn_interrupted(&job);
    if (job.found.feasible) {
        KN_TRY(kn_caution_entity(&job.problem));
        KN_TRY(kn_caution_twins(&job.problem));
        KN_TRY(kn_job_measure(&job));
        KN_TRY(kn_job_release(&job, release_to));
    }
    KN_TRY(kn_job_result(&job, &result));
    KN_TRY(kn_job_refuse_profile(&job, result));
    if (job.found.feasible) /* last: whatever fails before leaves nothing */
        KN_TRY(release_to->class->commit(release_to));
    *out = result;
    result = NULL;
out:
    if (rc < 0)
        release_to->class->abandon(release_to);
    kanon_result_free(result);
    kn_job_close(&job);
    kn_problem_fini(&job.problem);
    kn_pseudonyms_close(&job.pseudonyms);
    kn_job_over(ctx);
    return rc;
}

kanon_status
kanon_table_write(kanon_ctx *ctx, const kanon_config *config, kanon_table *table, kanon_sink *sink,
                  kanon_result **out)
{
    kanon_status rc;
    kn_csv_out   release_to;

    if (!ctx || !config || !table || !sink || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, table, sink and out are required");
    *out = NULL;
    rc = kn_sink_check(ctx, sink);
    if (rc < 0)
        return rc;
    kn_csv_out_init(&release_to, ctx, sink);
    release_to.guard = config->formulas == KN_FORMULAS_QUOTE;
    rc = kn_anonymize_rows(ctx, config, table->rows, &release_to.base, out);
    kn_csv_out_fini(&release_to);
    return rc;
}

kanon_status
kanon_table_anonymize(kanon_ctx *ctx, const kanon_config *config, kanon_table *table,
                      struct ArrowArrayStream *release_to, kanon_result **out)
{
    kanon_status rc;
    kn_arrow_out arrow;

    if (release_to)
        release_to->release = NULL;
    if (out)
        *out = NULL;
    if (!ctx || !config || !table || !release_to || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, table, release and out are required");
    if (config->formulas == KN_FORMULAS_QUOTE)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("formulas"),
                "formulas: quote changes nothing in Arrow arrays, only in CSV files; remove it");
    kn_arrow_out_init(&arrow, ctx, table->rows, release_to);
    rc = kn_anonymize_rows(ctx, config, table->rows, &arrow.base, out);
    kn_arrow_out_fini(&arrow);
    return rc;
}

kanon_status
kanon_anonymize(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                kanon_sink *sink, kanon_result **out)
{
    kn_source_job job;
    kanon_status  rc = kn_source_job_init(ctx, config, source, &job);

    if (out)
        *out = NULL;
    return rc < 0 ? rc : kanon_table_write(ctx, config, &job.table, sink, out);
}

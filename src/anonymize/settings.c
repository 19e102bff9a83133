/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c -- what can be refused or warned of before any work: names that nobody knows, settings that
 * change nothing. */
#include "anonymize/job.h"
#include "base/text.h"

static kanon_status
unknown_name(kanon_ctx *ctx, const char *setting, const char *name, const char *const *known)
{
    kanon_status rc;
    const char  *nearest = kn_nearest(name, known);
    kn_text      list;

    kn_text_init(&list, ctx);
    for (size_t i = 0; known[i]; i++)
        kn_text_addf(&list, "%s%s", i ? ", " : "", known[i]);
    rc = kn_text_status(&list);
    if (rc == KANON_OK)
        rc = nearest ? kn_fail(ctx, KANON_E_INVALID, "%s: there is no '%s'; did you mean '%s'?",
                               setting, name, nearest)
                     : kn_fail(ctx, KANON_E_INVALID, "%s: there is no '%s'; expected one of %s",
                               setting, name, list.ptr);
    kn_text_fini(&list);
    return rc;
}

/* A point of a front has its levels already: they are looked at, and no other node. */
static const kn_algorithm *
picked(const kanon_config *config, const kn_algorithm *named)
{
    return config->pick ? kn_algorithm_find(kn_search_exhaustive.info.name) : named;
}

/* A release of rows that stand for many says so only if it keeps their counts. Local recoding could put the
 * rows behind one count into different classes. */
kanon_status
kn_job_check_count(const kn_job *job, const kanon_config *config)
{
    const char         *name = config->count;
    const kn_attribute *kept = name ? kn_config_attribute(config, kn_str_of(name)) : NULL;

    if (!name)
        return KANON_OK;
    if (!kept || !kept->has_role)
        return kn_fail_at(job->ctx, KANON_E_INVALID, config->count_at.file, config->count_at.line,
                          "count: the release would have to keep '%s', or nobody could tell how "
                          "many rows each of its rows stands for; give it the role insensitive to "
                          "release it with counts, or release the table that has every row",
                          name);
    if (!job->asked->recoding->has_levels)
        return kn_fail_at(job->ctx, KANON_E_INVALID, config->count_at.file, config->count_at.line,
                          "count: %s puts single rows into classes, so a row cannot stand for "
                          "many; choose an algorithm that gives a whole column one level",
                          config->algorithm);
    return KANON_OK;
}

kanon_status
kn_job_settings(kn_job *job, const kanon_config *config)
{
    const char         *names[64] = { NULL };
    const kn_algorithm *named = kn_algorithm_named(config, config->algorithm);
    kanon_ctx          *ctx = job->ctx;

    for (size_t i = 0; !named && kn_algorithm_known(config, i) && i + 1 < KN_COUNT(names); i++)
        names[i] = kn_algorithm_known(config, i)->info->name;
    if (!named)
        return kn_fail_place(ctx, unknown_name(ctx, "algorithm", config->algorithm, names),
                             config->algorithm_at.file, config->algorithm_at.line);
    job->asked = job->algorithm = picked(config, named);
    job->metric = kn_metric_find(kn_config_metric(config, named->info->metric));
    if (job->metric)
        return KANON_OK;
    for (size_t i = 0; kanon_metric_at(i) && i + 1 < KN_COUNT(names); i++)
        names[i] = kanon_metric_at(i)->name;
    return kn_fail_place(ctx, unknown_name(ctx, "metric", config->metric, names),
                         config->metric_at.file, config->metric_at.line);
}

/* A hierarchy or a weight for a column that is released as it is helps nobody: most likely the role was
 * forgotten. */
void
kn_job_warn_unused(const kn_job *job)
{
    kanon_ctx          *ctx = job->ctx;
    const kanon_config *config = job->problem.config;
    bool                local = config->local != KN_LOCAL_INTERVAL || config->snap != KN_SNAP_OFF;

    for (size_t i = 0; i < config->nattributes; i++) {
        const kn_attribute *a = &config->attributes[i];

        if (a->has_weight && a->role != KN_ROLE_QUASI)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a weight but the role %s, so the weight has no effect; should "
                    "the role be quasi?",
                    a->name, kn_role_name(a->role));
        if (a->has_hierarchy && a->role != KN_ROLE_QUASI
            && !(a->role == KN_ROLE_SENSITIVE && kn_models_need(config, KN_NEEDS_HIERARCHY)))
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a hierarchy but the role %s, so it is not generalized; should "
                    "the role be quasi?",
                    a->name, kn_role_name(a->role));
        if (a->grid.mantissa > 0 && a->role != KN_ROLE_QUASI)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a grid but the role %s, so it is released unchanged; should "
                    "the role be quasi?",
                    a->name, kn_role_name(a->role));
        local = local || a->grid.mantissa > 0;
    }
    if (local && job->asked->recoding->has_levels)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("local"),
                "local, snap and grid apply to local recoding and have no effect with %s, which "
                "gives a whole column one level; `kanon algorithms` marks the local algorithms",
                config->algorithm);
    if (job->metric == &kn_metric_cm && job->problem.scale.label == SIZE_MAX)
        kn_warn(ctx, KN_FOUND_NO_LABEL, kn_at_setting("metric"),
                "metric cm counts only suppressed rows, because there is no sensitive column "
                "and no label; name one with --label");
}

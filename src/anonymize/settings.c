/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c -- what can be refused or warned of before any work: names that nobody knows, settings that
 * change nothing. */
#include <stdio.h>

#include <sodium/utils.h>

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
    if (!kept || kept->role == KN_ROLE_NONE)
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

kanon_status
kn_job_order_key(kn_job *job, const kanon_config *config)
{
    uint8_t bytes[KN_ORDER_KEY_MOST / 2];
    int     error;

    if (config->keep_order)
        return KANON_OK;
    if (config->order_key) {
        snprintf(job->order_key, sizeof job->order_key, "%s", config->order_key);
        return KANON_OK;
    }
    error = kn_random_bytes(bytes, sizeof bytes);
    if (error)
        return kn_fail_errno(job->ctx, NULL, "random bytes for the order of the released rows",
                             error);
    kn_hash_hex(bytes, sizeof bytes, job->order_key);
    sodium_memzero(bytes, sizeof bytes);
    return KANON_OK;
}

/* "the role insensitive", or "no role" */
static const char *
the_role(const kn_attribute *a)
{
    return a->role == KN_ROLE_NONE ? "no role" : "the role ";
}

static const char *
role_word(const kn_attribute *a)
{
    return a->role == KN_ROLE_NONE ? "" : kn_role_name(a->role);
}

/* A hierarchy or a weight for a column that is released as it is helps nobody: most likely the role was
 * forgotten. */
void
kn_job_warn_unused(const kn_job *job)
{
    kanon_ctx          *ctx = job->ctx;
    const kanon_config *config = job->problem.config;
    bool local = config->local != KN_LOCAL_INTERVAL || config->snap == KN_SNAP_HIERARCHY;

    for (size_t i = 0; i < config->nattributes; i++) {
        const kn_attribute *a = &config->attributes[i];

        if (a->has_weight && a->role != KN_ROLE_QUASI)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a weight but %s%s, so the weight has no effect" KN_DO
                    "give it the role quasi, or remove the weight",
                    a->name, the_role(a), role_word(a));
        if (a->has_hierarchy && a->role != KN_ROLE_QUASI && a->role != KN_ROLE_SENSITIVE)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a hierarchy but %s%s, so it is not generalized" KN_DO
                    "give it the role quasi, or remove the hierarchy",
                    a->name, the_role(a), role_word(a));
        if (a->grid.mantissa > 0 && a->role != KN_ROLE_QUASI)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has a grid but %s%s, so it is released unchanged" KN_DO
                    "give it the role quasi, or remove the grid",
                    a->name, the_role(a), role_word(a));
        if (kn_levels_limited(&a->levels) && a->role != KN_ROLE_QUASI)
            kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_column(a->name),
                    "column '%s' has limited levels but %s%s, so it is not generalized" KN_DO
                    "give it the role quasi, or remove level, min-level and max-level",
                    a->name, the_role(a), role_word(a));
        local = local || a->grid.mantissa > 0;
    }
    if (local && job->asked->recoding->has_levels)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("local"),
                "local, snap hierarchy and grid apply to local recoding and have no effect with "
                "%s, which "
                "gives a whole column one level" KN_DO
                "use a local algorithm; `kanon algorithms` marks them",
                config->algorithm);
    if (config->keep_order && config->order_key)
        kn_warn(
            ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("order-key"),
            "order-key has no effect with keep-order: the rows stay in the order of the table" KN_DO
            "remove one of them");
    if (job->metric == &kn_metric_cm && job->problem.scale.label == SIZE_MAX)
        kn_warn(ctx, KN_FOUND_NO_LABEL, kn_at_setting("metric"),
                "metric cm counts only suppressed rows, because there is no sensitive column and "
                "no label" KN_DO "name one with --label");
}

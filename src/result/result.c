/* SPDX-License-Identifier: Apache-2.0 */
/* result.c -- a result as a program reads it: life and accessors. */
#include "result/result.h"

kanon_status
kn_result_new(kanon_ctx *ctx, kanon_result **out)
{
    kanon_result *result = KN_NEW(ctx, kanon_result);

    *out = NULL;
    if (!result)
        return KANON_E_NOMEM;
    result->ctx = ctx;
    result->tree = (kanon_tree){ ctx, &kn_shape_result, result, KN_INSIDE };
    result->external = (kanon_tree){ ctx, &kn_shape_result, result, KN_OUTSIDE };
    kn_arena_init(&result->arena, ctx);
    result->advice = result->choice = result->stopped = "";
    result->input_name = result->algorithm = result->algorithm_asked = result->metric = "";
    *out = result;
    return KANON_OK;
}

void
kanon_result_free(kanon_result *result)
{
    if (!result)
        return;
    kn_arena_fini(&result->arena);
    kn_free(result->ctx, result);
}

kanon_outcome
kanon_result_outcome(const kanon_result *result)
{
    return result->outcome;
}

const char *
kanon_result_advice(const kanon_result *result)
{
    return result->advice ? result->advice : "";
}

uint64_t
kanon_result_rows(const kanon_result *result)
{
    return result->input_rows;
}

uint64_t
kanon_result_suppressed(const kanon_result *result)
{
    return result->suppressed_rows;
}

int
kanon_result_level(const kanon_result *result, const char *column)
{
    if (result->outcome == KANON_INFEASIBLE || !result->full_domain || !column)
        return -1;
    for (size_t i = 0; i < result->nattributes; i++)
        if (result->attributes[i].role == KN_ROLE_QUASI
            && strcmp(result->attributes[i].name, column) == 0)
            return (int) result->attributes[i].level;
    return -1;
}

bool
kn_result_counts_persons(const kanon_result *result)
{
    for (size_t i = 0; i < result->nmodels; i++)
        if (result->models[i].class->guards == KN_GUARDS_PERSONS)
            return true;
    return false;
}

size_t
kn_result_count_role(const kanon_result *result, kn_role role)
{
    size_t count = 0;

    for (size_t i = 0; i < result->nattributes; i++)
        count += result->attributes[i].role == role;
    return count;
}

bool
kn_result_guards_values(const kanon_result *result)
{
    for (size_t i = 0; i < result->nmodels; i++)
        if (result->models[i].class->guards == KN_GUARDS_COUNT
            || result->models[i].class->guards == KN_GUARDS_SHARES)
            return true;
    return false;
}

bool
kn_metric_needs_levels(const char *metric)
{
    enum { LEVELS = true, NOTHING = false };
#define NEEDS(name, type, needs, text)                                                             \
    if (strcmp(metric, #name) == 0)                                                                \
        return needs;
    KN_METRIC_LIST(NEEDS)
#undef NEEDS
    return false;
}

kanon_status
kanon_result_metric(const kanon_result *result, const char *name, double *out)
{
#define METRIC_NAME(metric, type, needs, text) #metric,
    static const char *const names[] = { KN_METRIC_LIST(METRIC_NAME) NULL };
#undef METRIC_NAME
    const char   *nearest;
    const double *value;

    if (!name || !out)
        return kn_fail(result->ctx, KANON_E_INVALID, "name and out are required");
    if (result->outcome == KANON_INFEASIBLE)
        return kn_fail(result->ctx, KANON_E_INVALID, "nothing was released, so there is no %s",
                       name);
    if (!result->full_domain && kn_metric_needs_levels(name))
        return kn_fail(result->ctx, KANON_E_INVALID,
                       "local recoding has no levels, so there is no %s", name);
    value = kn_metrics_find(&result->metrics, name);
    if (value) {
        *out = *value;
        return KANON_OK;
    }
    nearest = kn_nearest(name, names);
    return kn_fail(result->ctx, KANON_E_INVALID, "unknown metric '%s'%s%s%s", name,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

const kanon_tree *
kanon_result_tree(const kanon_result *result, kanon_audience edition)
{
    if (!result)
        return NULL;
    return edition == KANON_AUDIENCE_EXTERNAL ? &result->external : &result->tree;
}

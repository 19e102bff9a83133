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
    result->verdict.opening = KN_OPENING_NONE;
    result->input_name = result->algorithm = result->algorithm_asked = result->metric = "";
    *out = result;
    return KANON_OK;
}

void
kanon_result_free(kanon_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < KN_ROWS_KINDS; i++)
        kn_free(result->ctx, result->row_classes[i].numbers);
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

kanon_status
kanon_result_classes(const kanon_result *result, kanon_rows rows, const int64_t **out,
                     size_t *count)
{
    const kn_row_classes *classes;

    if (!result || !out || !count)
        return KANON_E_INVALID;
    *out = NULL;
    *count = 0;
    if (rows != KANON_ROWS_RELEASED && rows != KANON_ROWS_ORIGINAL)
        return kn_fail(result->ctx, KANON_E_INVALID,
                       "rows is %d; use KANON_ROWS_RELEASED or KANON_ROWS_ORIGINAL", (int) rows);
    classes = &result
                   ->row_classes[rows == KANON_ROWS_ORIGINAL ? KN_ROWS_ORIGINAL : KN_ROWS_RELEASED];
    if (result->outcome != KANON_INFEASIBLE && !classes->kept)
        return kn_fail(result->ctx, KANON_E_INVALID,
                       "the classes of these rows were not kept; call kanon_config_keep_classes() "
                       "before the job");
    *out = classes->numbers;
    *count = classes->count;
    return KANON_OK;
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

static bool
guards(const kanon_result *result, kn_guards what)
{
    for (size_t i = 0; i < result->nmodels; i++)
        if (result->models[i].class->guards == what)
            return true;
    return false;
}

bool
kn_result_counts_persons(const kanon_result *result)
{
    return guards(result, KN_GUARDS_PERSONS);
}

bool
kn_result_bounds_presence(const kanon_result *result)
{
    return guards(result, KN_GUARDS_PRESENCE);
}

bool
kn_result_at_top(const kanon_result *result, const kn_result_attribute *attribute)
{
    return result->full_domain && attribute->height && attribute->level >= attribute->height;
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
    return guards(result, KN_GUARDS_COUNT) || guards(result, KN_GUARDS_SHARES);
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

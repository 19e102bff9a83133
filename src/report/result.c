/* result.c -- the public face of a result: accessors, and the way of a report into a sink. */
#include "privacy/model.h"
#include "report/report.h"

kanon_status
kn_result_new(kanon_ctx *ctx, kanon_result **out)
{
    kanon_result *result = KN_NEW(ctx, kanon_result);

    *out = NULL;
    if (!result)
        return KANON_E_NOMEM;
    result->ctx = ctx;
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
        if (strcmp(result->models[i].key, kn_model_persons.key) == 0)
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
        if (result->models[i].values)
            return true;
    return false;
}

bool
kn_metric_needs_levels(const char *metric)
{
    return strcmp(metric, "log") == 0 || strcmp(metric, "precision") == 0
        || strcmp(metric, "height") == 0;
}

kanon_status
kanon_result_metric(const kanon_result *result, const char *name, double *out)
{
#define METRIC_NAME(metric, text) #metric,
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
                   nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

kanon_status
kn_report_write(kanon_ctx *ctx, kanon_format format, const kn_report_form *forms, const void *what,
                kanon_sink *sink)
{
    kanon_status rc = KANON_OK;
    kn_text      text;

    if (!what || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "something to report and a sink are required");
    if ((unsigned) format > KANON_FORMAT_HTML)
        return kn_fail(ctx, KANON_E_INVALID, "unknown report format %d", (int) format);
    if (!forms[format])
        return kn_fail(ctx, KANON_E_UNSUPPORTED,
                       "this is not reported as HTML, expected the JSON or the text format");
    kn_text_init(&text, ctx);
    forms[format](&text, what);
    KN_TRY(kn_text_status(&text));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, text.ptr, text.len));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    kn_text_fini(&text);
    return rc;
}

static void
as_json(kn_text *text, const void *result)
{
    kn_report_json(text, result);
}

static void
as_text(kn_text *text, const void *result)
{
    kn_report_text(text, result);
}

static void
as_html(kn_text *text, const void *result)
{
    kn_report_html(text, result);
}

kanon_status
kanon_result_write(kanon_ctx *ctx, const kanon_result *result, kanon_format format,
                   kanon_sink *sink)
{
    static const kn_report_form forms[] = { as_json, as_text, as_html };

    return kn_report_write(ctx, format, forms, result, sink);
}

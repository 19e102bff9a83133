/* SPDX-License-Identifier: Apache-2.0 */
/* write.c -- the way of every report into a sink: formatted, written, committed, or nothing at all. */
#include "report/compare.h"
#include "report/explain.h"
#include "report/front.h"
#include "report/report.h"

static kanon_status
send(kanon_ctx *ctx, const kn_text *text, kanon_sink *sink)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_text_status(text));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, text->ptr, text->len));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    return rc;
}

/* Puts something into words, in one format. */
typedef void (*report_form)(kn_text *text, const void *what);

/* Fails: the format is none at all, or none of this kind of result. */
static kanon_status
refuse_format(kanon_ctx *ctx, kanon_format format, const report_form *forms)
{
    static const char *const names[KANON_FORMATS] = { [KANON_FORMAT_JSON] = "JSON",
                                                      [KANON_FORMAT_TEXT] = "text",
                                                      [KANON_FORMAT_HTML] = "HTML",
                                                      [KANON_FORMAT_CSV] = "CSV" };
    kanon_status             rc;
    kn_text                  known;
    const char              *gap = "";

    if ((unsigned) format >= KANON_FORMATS)
        return kn_fail(ctx, KANON_E_INVALID, "unknown format %d, expected a kanon_format",
                       (int) format);
    kn_text_init(&known, ctx);
    for (size_t i = 0; i < KANON_FORMATS; i++)
        if (forms[i]) {
            kn_text_addf(&known, "%s%s", gap, names[i]);
            gap = ", ";
        }
    rc = kn_text_status(&known);
    if (rc == KANON_OK)
        rc = kn_fail(ctx, KANON_E_UNSUPPORTED,
                     "this result is not written as %s, expected one of: %s", names[format],
                     known.ptr);
    kn_text_fini(&known);
    return rc;
}

/* forms[] has one entry for each kanon_format; NULL: there is none. */
static kanon_status
write_form(kanon_ctx *ctx, kanon_format format, const report_form *forms, const void *what,
           kanon_sink *sink)
{
    kanon_status rc;
    kn_text      text;

    if (!what || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "something to report and a sink are required");
    if ((unsigned) format >= KANON_FORMATS || !forms[format])
        return refuse_format(ctx, format, forms);
    kn_text_init(&text, ctx);
    forms[format](&text, what);
    rc = send(ctx, &text, sink);
    kn_text_fini(&text);
    return rc;
}

void
kn_report_json(kn_text *text, const kanon_result *result)
{
    kn_tree_json(text, kanon_result_tree(result, result->audience == KN_AUDIENCE_EXTERNAL
                                                     ? KANON_AUDIENCE_EXTERNAL
                                                     : KANON_AUDIENCE_INTERNAL));
}

static void
result_json(kn_text *text, const void *result)
{
    kn_report_json(text, result);
}

static void
result_text(kn_text *text, const void *result)
{
    kn_report_text(text, result);
}

static void
result_html(kn_text *text, const void *result)
{
    kn_report_html(text, result);
}

kanon_status
kanon_result_write(kanon_ctx *ctx, const kanon_result *result, kanon_format format,
                   kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = { [KANON_FORMAT_JSON] = result_json,
                                                      [KANON_FORMAT_TEXT] = result_text,
                                                      [KANON_FORMAT_HTML] = result_html };

    return write_form(ctx, format, forms, result, sink);
}

static void
check_json(kn_text *text, const void *check)
{
    kn_tree_json(text, kanon_check_tree(check));
}

static void
check_text(kn_text *text, const void *check)
{
    kn_check_text(text, check);
}

kanon_status
kanon_check_write(kanon_ctx *ctx, const kanon_check *check, kanon_format format, kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = {
        [KANON_FORMAT_JSON] = check_json, [KANON_FORMAT_TEXT] = check_text
    };

    return write_form(ctx, format, forms, check, sink);
}

static void
comparison_json(kn_text *text, const void *comparison)
{
    kn_tree_json(text, kanon_comparison_tree(comparison));
}

static void
comparison_text(kn_text *text, const void *comparison)
{
    kn_compare_text(text, comparison);
}

static void
comparison_html(kn_text *text, const void *comparison)
{
    kn_compare_html(text, comparison);
}

kanon_status
kanon_comparison_write(kanon_ctx *ctx, const kanon_comparison *comparison, kanon_format format,
                       kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = { [KANON_FORMAT_JSON] = comparison_json,
                                                      [KANON_FORMAT_TEXT] = comparison_text,
                                                      [KANON_FORMAT_HTML] = comparison_html };

    return write_form(ctx, format, forms, comparison, sink);
}

static void
explanation_json(kn_text *text, const void *explanation)
{
    kn_tree_json(text, kanon_explanation_tree(explanation));
}

static void
explanation_text(kn_text *text, const void *explanation)
{
    kn_explain_text(text, explanation);
}

static void
explanation_html(kn_text *text, const void *explanation)
{
    kn_explain_html(text, explanation);
}

kanon_status
kanon_explanation_write(kanon_ctx *ctx, const kanon_explanation *explanation, kanon_format format,
                        kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = { [KANON_FORMAT_JSON] = explanation_json,
                                                      [KANON_FORMAT_TEXT] = explanation_text,
                                                      [KANON_FORMAT_HTML] = explanation_html };

    return write_form(ctx, format, forms, explanation, sink);
}

kanon_status
kanon_front_write(kanon_ctx *ctx, const kanon_front *front, kanon_format format,
                  const kanon_front_options *options, kanon_sink *sink)
{
    static const kanon_front_options none = KANON_FRONT_OPTIONS_INIT;
    kanon_status                     rc;
    kn_text                          text;

    if (!front || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "a front and a sink are required");
    options = options ? options : &none;
    kn_text_init(&text, ctx);
    switch (format) {
    case KANON_FORMAT_JSON:
        kn_tree_json(&text, kanon_front_tree(front));
        break;
    case KANON_FORMAT_CSV:
        kn_front_csv(&text, front);
        break;
    case KANON_FORMAT_HTML:
        kn_front_html(&text, front, options);
        break;
    case KANON_FORMAT_TEXT:
        kn_front_text(&text, front, options->width ? options->width : 80);
        break;
    default:
        kn_text_fini(&text);
        return kn_fail(ctx, KANON_E_INVALID, "unknown format %d", (int) format);
    }
    rc = send(ctx, &text, sink);
    kn_text_fini(&text);
    return rc;
}

kanon_status
kanon_schema_write(kanon_ctx *ctx, const char *name, kanon_sink *sink)
{
    kanon_status rc;
    kn_text      text;
    size_t       at = 0;

    if (!name || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "a name and a sink are required");
    while (at < kn_ndocuments && strcmp(kn_documents[at].name, name) != 0)
        at++;
    if (at == kn_ndocuments)
        return kn_fail(ctx, KANON_E_INVALID,
                       "there is no JSON schema '%s'; expected one of kanon_schema_at()", name);
    kn_text_init(&text, ctx);
    kn_schema_put(&text, &kn_documents[at]);
    rc = send(ctx, &text, sink);
    kn_text_fini(&text);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* write.c -- the way of every report into a sink: formatted, written, committed, or nothing at all. */
#include "io/stream.h"
#include "report/compare.h"
#include "report/explain.h"
#include "report/front.h"
#include "report/report.h"

/* Puts something into words, in one format. */
typedef void (*report_form)(kn_text *text, const void *what);
#define FORM(name, put, of)                                                                        \
    static void name(kn_text *text, const void *what)                                              \
    {                                                                                              \
        put(text, of);                                                                             \
    }

/* Fails: the format is none at all, or none of this kind of result. */
static kanon_status
refuse_format(kanon_ctx *ctx, kanon_format format, const report_form *forms)
{
    static const char *const names[KANON_FORMATS] = { [KANON_FORMAT_JSON] = "JSON",
                                                      [KANON_FORMAT_TEXT] = "text",
                                                      [KANON_FORMAT_HTML] = "HTML",
                                                      [KANON_FORMAT_CSV] = "CSV",
                                                      [KANON_FORMAT_DETAILS] = "details" };
    kanon_status             rc;
    kn_text                  known;
    const char              *gap = "";

    if ((unsigned) format >= KANON_FORMATS)
        return kn_fail(ctx, KANON_E_INVALID, "unknown format %d; use a kanon_format", (int) format);
    kn_text_init(&known, ctx);
    for (size_t i = 0; i < KANON_FORMATS; i++)
        if (forms[i]) {
            kn_text_addf(&known, "%s%s", gap, names[i]);
            gap = ", ";
        }
    rc = kn_text_status(&known);
    if (rc == KANON_OK)
        rc = kn_fail(ctx, KANON_E_UNSUPPORTED, "this result is not written as %s; use one of %s",
                     names[format], known.ptr);
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
    if (format == KANON_FORMAT_DETAILS && !forms[format])
        format = KANON_FORMAT_TEXT; /* which has them */
    if ((unsigned) format >= KANON_FORMATS || !forms[format])
        return refuse_format(ctx, format, forms);
    kn_text_init(&text, ctx);
    forms[format](&text, what);
    rc = kn_sink_write(ctx, sink, &text);
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

FORM(result_json, kn_report_json, what)
FORM(result_text, kn_report_text, what)
FORM(result_details, kn_report_details, what)
FORM(result_html, kn_report_html, what)
kanon_status
kanon_result_write(kanon_ctx *ctx, const kanon_result *result, kanon_format format,
                   kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = { [KANON_FORMAT_JSON] = result_json,
                                                      [KANON_FORMAT_TEXT] = result_text,
                                                      [KANON_FORMAT_HTML] = result_html,
                                                      [KANON_FORMAT_DETAILS] = result_details };

    return write_form(ctx, format, forms, result, sink);
}

FORM(check_json, kn_tree_json, kanon_check_tree(what))
FORM(check_text, kn_check_text, what)
kanon_status
kanon_check_write(kanon_ctx *ctx, const kanon_check *check, kanon_format format, kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = {
        [KANON_FORMAT_JSON] = check_json, [KANON_FORMAT_TEXT] = check_text
    };

    return write_form(ctx, format, forms, check, sink);
}

FORM(comparison_json, kn_tree_json, kanon_comparison_tree(what))
FORM(comparison_text, kn_compare_text, what)
FORM(comparison_html, kn_compare_html, what)
kanon_status
kanon_comparison_write(kanon_ctx *ctx, const kanon_comparison *comparison, kanon_format format,
                       kanon_sink *sink)
{
    static const report_form forms[KANON_FORMATS] = { [KANON_FORMAT_JSON] = comparison_json,
                                                      [KANON_FORMAT_TEXT] = comparison_text,
                                                      [KANON_FORMAT_HTML] = comparison_html };

    return write_form(ctx, format, forms, comparison, sink);
}

FORM(explanation_json, kn_tree_json, kanon_explanation_tree(what))
FORM(explanation_text, kn_explain_text, what)
FORM(explanation_html, kn_explain_html, what)
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
    case KANON_FORMAT_DETAILS:
        kn_front_text(&text, front, options->width ? options->width : 80);
        break;
    default:
        kn_text_fini(&text);
        return kn_fail(ctx, KANON_E_INVALID, "unknown format %d", (int) format);
    }
    rc = kn_sink_write(ctx, sink, &text);
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
    rc = kn_sink_write(ctx, sink, &text);
    kn_text_fini(&text);
    return rc;
}

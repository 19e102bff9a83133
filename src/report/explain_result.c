/* explain_result.c -- the public face of an explanation: life, outcome, writing. */
#include "report/explain.h"
#include "report/report.h"

kanon_status
kn_explanation_new(kanon_ctx *ctx, kanon_explanation **out)
{
    kanon_explanation *explanation = KN_NEW(ctx, kanon_explanation);

    *out = NULL;
    if (!explanation)
        return KANON_E_NOMEM;
    explanation->ctx = ctx;
    kn_arena_init(&explanation->arena, ctx);
    explanation->input = explanation->metric = explanation->algorithm = "";
    explanation->stopped = "";
    *out = explanation;
    return KANON_OK;
}

void
kanon_explanation_free(kanon_explanation *explanation)
{
    if (!explanation)
        return;
    kn_arena_fini(&explanation->arena);
    kn_free(explanation->ctx, explanation);
}

kanon_outcome
kanon_explanation_outcome(const kanon_explanation *explanation)
{
    return !explanation->feasible ? KANON_INFEASIBLE
         : explanation->optimal   ? KANON_OPTIMAL
                                  : KANON_FEASIBLE;
}

static void
as_json(kn_text *text, const void *explanation)
{
    kn_explain_json(text, explanation);
}

static void
as_text(kn_text *text, const void *explanation)
{
    kn_explain_text(text, explanation);
}

static void
as_html(kn_text *text, const void *explanation)
{
    kn_explain_html(text, explanation);
}

kanon_status
kanon_explanation_write(kanon_ctx *ctx, const kanon_explanation *explanation, kanon_format format,
                        kanon_sink *sink)
{
    static const kn_report_form forms[] = {
        [KANON_FORMAT_JSON] = as_json, [KANON_FORMAT_TEXT] = as_text, [KANON_FORMAT_HTML] = as_html
    };

    return kn_report_write(ctx, format, forms, explanation, sink);
}

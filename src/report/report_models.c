/* SPDX-License-Identifier: Apache-2.0 */
/* report_models.c -- the privacy models of a job: what was asked for, and what the release reaches. */
#include <math.h>

#include "base/fill.h"
#include "report/report.h"

enum { WIDTH = 100, INDENT = 4 };

/* The k of each row has no limit of its own that could be told as a number. */
static bool
is_own_k(const kn_result_model *m)
{
    return m->class->limit == KN_LIMIT_ONE;
}

void
kn_report_text_models(kn_text *text, const kanon_result *r)
{
    if (r->nmodels)
        kn_text_addz(text, "\nPrivacy models beyond k\n");
    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];
        size_t                 from = text->len;

        KN_FILL(text, "  - {}", kn_as_is(m->name));
        if (m->column)
            KN_FILL(text, " of {}", kn_as_name(m->column, 0));
        if (is_own_k(m))
            kn_text_addz(text, ": required: a class of as many rows as each row's own k");
        else
            kn_text_addf(text, ": required %s %.6g", m->parameter, m->asked);
        if (m->other)
            kn_text_addf(text, ", %s %.6g", m->other, m->asked_other);
        if (!isnan(m->reached))
            kn_text_addf(text, "; the worst class reaches %.6g%s", m->reached,
                         is_own_k(m) ? " times that" : "");
        if (m->hidden)
            kn_text_addz(text,
                         " (the release does not show this column, so readers cannot check it)");
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, INDENT);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* profile_text.c -- a profile in the text of a report or a check: one line for each requirement, under the
 * headings of its outline. */
#include "base/plain.h"
#include "report/report.h"

enum { WIDTH = 100, STATUS = 18 };

void
kn_report_text_profile(kn_text *text, const kn_result_profile *p)
{
    const char *section = NULL;

    if (!p->name)
        return;
    kn_text_addf(text, "\nProfile %s: ", p->name);
    kn_report_profile_counts(text, p);
    kn_text_addf(text, "\n%s\n", p->source);
    for (size_t i = 0; i < p->count; i++) {
        const kn_required *r = &p->of[i];
        size_t             from;

        if (section != r->section)
            kn_text_addf(text, "  %s\n", section = r->section);
        from = text->len;
        kn_text_addf(text, "    %s", kn_met_names[r->status]);
        kn_plain_pad(text, STATUS);
        kn_text_addz(text, r->what);
        if (*r->found) {
            kn_text_addz(text, ": ");
            kn_plain_name(text, r->found, 0);
        }
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, STATUS);
    }
}

/* "2 met, 0 not met, 16 not found, 4 for a person" */
void
kn_report_profile_counts(kn_text *text, const kn_result_profile *p)
{
    for (size_t s = 0; kn_met_names[s]; s++)
        if (p->counts[s] || s <= KN_NOT_MET)
            kn_text_addf(text, "%s%zu %s", s ? ", " : "", p->counts[s], kn_met_names[s]);
}

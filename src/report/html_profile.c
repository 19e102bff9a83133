/* SPDX-License-Identifier: Apache-2.0 */
/* html_profile.c -- a profile in a job's HTML report: its outline, with what was found of each requirement.
 * Outside, columns that the release may not have are not named. */
#include "report/html_report.h"

static void
put_required(const kn_html *h, const kn_required *r)
{
    kn_text *t = h->text;

    kn_text_addf(t, "<tr><th scope=\"row\"%s>%s</th><td>",
                 r->status == KN_NOT_MET ? " class=\"flag\"" : "", kn_met_names[r->status]);
    kn_html_name(t, r->what, 0);
    if (!h->external && *r->found) {
        kn_text_addz(t, ": ");
        kn_html_name(t, r->found, 0);
    }
    kn_text_addz(t, "</td><td>");
    kn_html_name(t, r->source, 0);
    kn_text_addz(t, "</td></tr>\n");
}

void
kn_html_profile(const kn_html *h)
{
    const kn_result_profile *p = &h->r->profile;
    kn_text                 *t = h->text;
    const char              *section = NULL;

    kn_text_addf(t, "<section id=\"profile\"><h2>Profile %s</h2>\n<p>", p->name);
    kn_html_name(t, p->title, 0);
    kn_text_addz(t, " (");
    kn_html_name(t, p->source, 0);
    kn_text_addz(t, "): ");
    kn_report_profile_counts(t, p);
    kn_text_addz(t,
                 ". kanon counts what can be counted; whether the release may be shared is for a "
                 "person to judge.</p>\n");
    for (size_t i = 0; i < p->count; i++) {
        if (section != p->of[i].section) {
            kn_text_addf(t, "%s<h3>%s</h3>\n<table><tbody>\n", section ? "</tbody></table>\n" : "",
                         p->of[i].section);
            section = p->of[i].section;
        }
        put_required(h, &p->of[i]);
    }
    kn_text_addz(t, section ? "</tbody></table>\n</section>\n" : "</section>\n");
}

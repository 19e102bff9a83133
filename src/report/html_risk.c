/* SPDX-License-Identifier: Apache-2.0 */
/* html_risk.c -- class sizes, risk and suppression in a job's HTML report. */
#include <math.h>

#include "base/plain.h"
#include "report/html_report.h"
#include "report/svg.h"
#include "result/public.h"

/* --- classes -------------------------------------------------------------------------------------- */

static void
put_size(kn_text *t, const void *user, size_t i)
{
    const kn_class_bucket *b = &((const kn_html *) user)->r->histogram[i];

    kn_plain_count(t, b->from);
    if (!b->to)
        kn_text_addz(t, "+");
    else if (b->to > b->from)
        kn_text_addf(t, "\xe2\x80\x93%llu", (unsigned long long) b->to);
}

static void
put_size_tip(kn_text *t, const void *user, size_t i)
{
    kn_html                h = *(const kn_html *) user;
    const kn_class_bucket *b = &h.r->histogram[i];

    h.text = t;
    kn_text_addz(t, "Classes of ");
    put_size(t, user, i);
    kn_text_addz(t, " rows: ");
    kn_html_count(&h, b->classes);
    kn_text_addz(t, ", with ");
    kn_html_count(&h, b->rows);
    kn_text_addz(t, " rows");
}

static void
put_size_scale(kn_text *t, const void *user, size_t i)
{
    const kn_html *h = user;
    double         most = 0;

    KN_UNUSED(i);
    for (size_t b = 0; b < h->r->nhistogram; b++)
        most = (double) h->r->histogram[b].rows > most ? (double) h->r->histogram[b].rows : most;
    kn_text_addf(t, "%.0f %% of the rows", 100 * most / (double) h->r->released_rows);
}

static void
put_size_chart(const kn_html *h)
{
    double         values[16], most = 0;
    kn_svg_columns chart = { "Rows by the size of their class",
                             "after",
                             h->r->nhistogram,
                             values,
                             0,
                             KN_SVG_UNDER,
                             put_size,
                             put_size_tip,
                             put_size_scale,
                             NULL,
                             h };

    for (size_t i = 0; i < h->r->nhistogram && i < KN_COUNT(values); i++) {
        values[i] = (double) h->r->histogram[i].rows;
        most = values[i] > most ? values[i] : most;
    }
    chart.most = most;
    kn_svg_columns_put(h->text, &chart);
}

void
kn_html_classes(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t,
                 "<section id=\"classes\">\n<h2>Class sizes</h2>\n<div class=\"pair\">\n<div><p>");
    if (!r->classes) {
        kn_text_addz(t, "There are no classes.</p></div></div>\n</section>\n");
        return;
    }
    kn_text_addz(t, "The released rows form <b>");
    kn_plain_count(t, r->classes);
    kn_text_addz(t, "</b> ");
    kn_html_term(t, "class", r->classes == 1 ? "class" : "classes");
    kn_text_addz(t, ". The smallest has <b>");
    kn_plain_count(t, r->k_reached);
    kn_text_addz(t, "</b> rows, the largest <b>");
    kn_plain_count(t, r->risk_after.max_class);
    kn_text_addz(t, "</b>, the mean is <b>");
    kn_plain_fixed(t, (double) r->released_rows / (double) r->classes, 1);
    kn_text_addz(
        t, "</b>.</p>\n<p>The larger a row's class, the less can be inferred about it. Very large "
           "classes are safe but say little; most rows should be in classes not far above "
           "k.</p></div>\n<div><h4>Share of the rows, by the size of their class</h4>\n");
    put_size_chart(h);
    kn_text_addz(t, "</div>\n</div>\n</section>\n");
}

/* --- risk ----------------------------------------------------------------------------------------- */

static void
put_one_in(kn_text *t, double risk)
{
    if (!(risk > 0)) {
        kn_text_addz(t, "&ndash;");
        return;
    }
    kn_html_percent(t, risk);
    if (risk < 1) {
        kn_text_addz(t, " <span class=\"note\">1 in ");
        kn_plain_fixed(t, 1 / risk,
                       1 / risk < 100 && fabs(1 / risk - floor(1 / risk + 0.5)) > 0.05);
        kn_text_addz(t, "</span>");
    }
}

static void
put_verdict(kn_text *t, double risk, double threshold)
{
    bool within = risk <= threshold + 1e-9;

    if (!(risk > 0)) {
        kn_text_addz(t, "<td data-h=\"Verdict\">no row to pick</td>");
        return;
    }
    kn_text_addf(t, "<td data-h=\"Verdict\"><span class=\"%s\">%s</span></td>",
                 within ? "yes" : "no", within ? "\xe2\x9c\x93 within" : "\xe2\x96\xb2 above");
}

typedef struct attacker {
    const char *word, *title, *asks;
    double      before, after, threshold;
} attacker;

static void
put_attacker(const kn_html *h, const attacker *a)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<tr><th scope=\"row\">");
    kn_html_term(t, a->word, a->title);
    kn_text_addf(t, "<br><span class=\"note\">%s</span></th>", a->asks);
    if (!h->external) {
        kn_text_addz(t, "<td class=\"t\" data-h=\"Before\"><span>");
        put_one_in(t, a->before);
        kn_text_addz(t, "</span></td>");
    }
    if (h->released) {
        kn_text_addz(t, "<td class=\"t\" data-h=\"After\"><span>");
        put_one_in(t, a->after);
        kn_text_addz(t, "</span></td>");
    }
    kn_text_addz(t, "<td data-h=\"Common limit\">");
    kn_html_percent(t, a->threshold);
    kn_text_addz(t, "</td>");
    if (h->released)
        put_verdict(t, a->after, a->threshold);
    kn_text_addz(t, "</tr>\n");
}

/* People of a population that the smallest class stands for, where one was given. */
static double
population_class(const kanon_result *r)
{
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].class->guards == KN_GUARDS_PEOPLE && r->models[i].reached > 0)
            return r->models[i].reached;
    return 0;
}

static void
put_attackers(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    double              people = population_class(r);
    double              highest = h->external && r->crowd ? 1 / (double) kn_public_crowd(r)
                                                          : r->risk_after.prosecutor_max;
    attacker            list[] = {
                   { "prosecutor risk", "Prosecutor",
                     "knows that the person is in the release; highest risk of any row",
                     r->risk_before.prosecutor_max, highest, 0.2 },
                   { "journalist risk", "Journalist",
          people > 0 ? "does not know who is in the release; highest risk, from the population"
                                : "does not know who is in the release; at most the prosecutor risk",
                     r->risk_before.prosecutor_max, people > 0 ? 1 / people : highest, 0.2 },
                   { "marketer risk", "Marketer", "tries to re-identify everyone; mean risk",
                     r->risk_before.prosecutor_mean, r->risk_after.prosecutor_mean, 0.05 },
    };

    kn_text_addz(t, "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr><th "
                    "scope=\"col\">Attacker</th>");
    kn_text_addz(t, h->external ? "" : "<th scope=\"col\">Before</th>");
    kn_text_addz(t, h->released ? "<th scope=\"col\">After</th>" : "");
    kn_text_addz(t, "<th scope=\"col\">Common limit</th>");
    kn_text_addz(t, h->released ? "<th scope=\"col\">Verdict</th>" : "");
    kn_text_addz(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < KN_COUNT(list); i++)
        put_attacker(h, &list[i]);
    kn_text_addz(t,
                 "</tbody></table></div>\n<p class=\"note\">Common limits: 20 % for the highest "
                 "risk (classes of 5), 5 % for the mean. For public files 9 % (classes of 11) is "
                 "usual in health data. The right limit depends on who gets the release.</p>\n");
    if (kn_result_counts_persons(r))
        kn_text_addz(t, "<p class=\"note\">The highest risk of the release counts the persons of a "
                        "class. The mean, the shares below and all risks before count rows.</p>\n");
}

static void
put_exposure(const kn_html *h, const kn_exposure *e)
{
    kn_text *t = h->text;

    kn_text_addf(
        t, "<tr><th scope=\"row\">fewer than %llu rows</th><td class=\"n\" data-h=\"Risk from\">",
        (unsigned long long) e->below);
    kn_html_percent(t, 1 / (double) (e->below - 1));
    kn_text_addz(t, "</td>");
    if (!h->external) {
        kn_text_addz(t, "<td class=\"wide\">");
        kn_svg_bar(t, "before", e->before, (double) NAN);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"Before\">");
        kn_html_percent(t, e->before);
        kn_text_addz(t, "</td>");
    }
    if (h->released) {
        kn_text_addz(t, "<td class=\"wide\">");
        kn_svg_bar(t, "after", e->after, (double) NAN);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"After\">");
        kn_html_percent(t, e->after);
        kn_text_addz(t, "</td>");
    }
    kn_text_addz(t, "</tr>\n");
}

static void
put_exposures(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t,
                 "<h3>Rows in small classes</h3>\n<div class=\"scroll\"><table class=\"stack\">\n"
                 "<thead><tr><th scope=\"col\">Class of</th><th scope=\"col\" class=\"n\">Risk from"
                 "</th>");
    kn_text_addz(t, h->external ? ""
                                : "<th scope=\"col\" colspan=\"2\">Before: share of the rows</th>");
    kn_text_addz(t, h->released ? "<th scope=\"col\" class=\"w\" colspan=\"2\">After</th>" : "");
    kn_text_addz(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < KN_EXPOSURES; i++)
        if (h->r->exposures[i].below)
            put_exposure(h, &h->r->exposures[i]);
    kn_text_addz(t, "</tbody></table></div>\n");
}

void
kn_html_risk(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    if (h->external && !(h->released && r->released_rows))
        return;
    kn_text_addz(t, "<section id=\"risk\">\n<h2>Re-identification risk</h2>\n<p>The chance of "
                    "picking the right row for a person whose quasi-identifiers are known. ");
    if (!h->external && r->risk_before.rows) {
        kn_text_addz(t, "In the original table, <b>");
        kn_plain_count(t, r->risk_before.uniques);
        kn_text_addz(t, "</b> of ");
        kn_plain_count(t, r->risk_before.rows);
        kn_text_addz(t, " rows were ");
        kn_html_term(t, "unique", NULL);
        kn_text_addz(t, ": those columns were enough to identify the person.");
    }
    kn_text_addz(t, "</p>\n");
    put_attackers(h);
    put_exposures(h);
    kn_text_addz(t, "</section>\n");
}

/* --- suppression ---------------------------------------------------------------------------------- */

/* Only inside: with the rows of a group that the release shows, its share of suppressed rows tells their
 * number, and every group that is flagged or is not narrows it down. */
static void
put_flagged(const kn_html *h, const kn_result_attribute *a, const kn_bar *bar, double usual)
{
    kn_text *t = h->text;
    double   share = (double) bar->lost / (double) bar->rows;

    kn_text_addz(t, "<tr><th scope=\"row\">");
    kn_html_name(t, a->name, KN_HTML_NAME_MOST);
    kn_text_addz(t, "</th><td data-h=\"Group\">");
    kn_html_name(t, bar->label, KN_HTML_VALUE_MOST);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Suppressed\">");
    kn_plain_count(t, bar->lost);
    kn_text_addz(t, " of ");
    kn_plain_count(t, bar->rows);
    kn_text_addz(t, " (");
    kn_html_percent(t, share);
    kn_text_addz(t, ")</td><td class=\"n\" data-h=\"Times the usual share\">");
    kn_plain_fixed(t, share / usual, 1);
    kn_text_addz(t, "</td></tr>\n");
}

static size_t
count_flagged(const kn_html *h)
{
    size_t count = 0;

    for (size_t i = 0; i < h->r->nattributes; i++) {
        const kn_portrait *p = h->r->attributes[i].portrait;

        for (size_t b = 0; p && b < p->who.count; b++)
            count += p->who.of[b].flagged;
    }
    return count;
}

static void
put_flagged_table(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    double              usual = (double) r->suppressed_rows / (double) r->input_rows;

    kn_text_addz(t,
                 "<div class=\"box warn\"><h3>Suppressed far more often than others</h3>\n<p>Users "
                 "of the release see such a group less often than it occurs, so its shares and "
                 "means are biased.</p></div>\n<div class=\"scroll\"><table "
                 "class=\"stack\">\n<thead><tr><th scope=\"col\">Column</th><th "
                 "scope=\"col\">Group</th><th scope=\"col\" class=\"n\">Suppressed</th><th "
                 "scope=\"col\" class=\"n\">Times the usual share</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_portrait *p = r->attributes[i].portrait;

        for (size_t b = 0; p && b < p->who.count; b++)
            if (p->who.of[b].flagged)
                put_flagged(h, &r->attributes[i], &p->who.of[b], usual);
    }
    kn_text_addz(t, "</tbody></table></div>\n");
}

/* The same words whatever was suppressed, but for a number that is not exact. */
static void
put_suppression_outside(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t, "Rows in classes that would be too small were ");
    kn_html_term(t, "suppress", "suppressed");
    kn_text_addz(t,
                 h->r->suppressed_as == KN_SUPPRESSED_MASK
                     ? ": the release has them with * in every quasi-identifier. Their number: <b>"
                     : ": they were dropped. Their number: <b>");
    kn_html_lost(h, h->r->suppressed_rows);
    kn_text_addz(
        t, "</b>. Only the internal edition says whose they are and whether some groups lost more "
           "than others; together with the release that would reveal how many.</p>\n</section>\n");
}

void
kn_html_suppression(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addf(t, "<section id=\"suppression\">\n<h2>Suppressed rows%s</h2>\n<p>",
                 h->external ? "" : ", and whose they are");
    if (h->external) {
        put_suppression_outside(h);
        return;
    }
    if (!r->suppressed_rows) {
        kn_text_addz(t, "No row was suppressed.</p>\n</section>\n");
        return;
    }
    kn_plain_count(t, r->suppressed_rows);
    kn_text_addz(t, " rows (");
    kn_html_percent(t, (double) r->suppressed_rows / (double) r->input_rows);
    kn_text_addz(t, ") ");
    kn_text_addz(t, "would have been in classes that are too small, so they were ");
    kn_html_term(t, "suppress", "suppressed");
    kn_text_addz(t, r->masked_rows ? ": the release has them with * in every quasi-identifier."
                                   : ": they were dropped.");
    kn_text_addz(t, "</p>\n");
    if (count_flagged(h))
        put_flagged_table(h);
    else
        kn_text_addz(
            t, "<p>No group of a column lost twice the usual share of its rows, beyond what chance "
               "explains. The cards of the columns show every group.</p>\n");
    kn_text_addz(t, "</section>\n");
}

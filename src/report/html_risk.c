/* SPDX-License-Identifier: Apache-2.0 */
/* html_risk.c -- class sizes, risk and suppression in a job's HTML report. */
#include <math.h>

#include "base/fill.h"
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
    KN_FILL(t, " rows: {}, with {} rows", kn_html_as_count(&h, b->classes),
            kn_html_as_count(&h, b->rows));
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
    KN_FILL(t,
            "The released rows form <b>{}</b> {}. The smallest has <b>{}</b> rows, the largest "
            "<b>{}</b>, the mean is <b>{}</b>.</p>\n<p>The larger a row's class, the less can be "
            "inferred about it. Very large classes are safe but say little; most rows should be in "
            "classes not far above k.</p></div>\n<div><h4>Share of the rows, by the size of their "
            "class</h4>\n",
            kn_as_count(r->classes),
            kn_html_as_term("class", r->classes == 1 ? "class" : "classes"),
            kn_as_count(r->k_reached), kn_as_count(r->risk_after.max_class),
            kn_as_fixed((double) r->released_rows / (double) r->classes, 1));
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
    if (risk < 1)
        KN_FILL(t, " <span class=\"note\">1 in {}</span>",
                kn_as_fixed(1 / risk,
                            1 / risk < 100 && fabs(1 / risk - floor(1 / risk + 0.5)) > 0.05));
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

    KN_FILL(t, "<tr><th scope=\"row\">{}<br><span class=\"note\">{}</span></th>",
            kn_html_as_term(a->word, a->title), kn_as_is(a->asks));
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
    KN_FILL(t, "<td data-h=\"Common limit\">{}</td>", kn_html_as_percent(a->threshold));
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

    KN_FILL(t,
            "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr><th "
            "scope=\"col\">Attacker</th>{}{}<th scope=\"col\">Common "
            "limit</th>{}</tr></thead>\n<tbody>\n",
            kn_as_is(h->external ? "" : "<th scope=\"col\">Before</th>"),
            kn_as_is(h->released ? "<th scope=\"col\">After</th>" : ""),
            kn_as_is(h->released ? "<th scope=\"col\">Verdict</th>" : ""));
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

    KN_FILL(
        t,
        "<tr><th scope=\"row\">fewer than {} rows</th><td class=\"n\" data-h=\"Risk from\">{}</td>",
        kn_as_digits(e->below), kn_html_as_percent(1 / (double) (e->below - 1)));
    if (!h->external)
        KN_FILL(t, "<td class=\"wide\">{}</td><td class=\"n\" data-h=\"Before\">{}</td>",
                kn_svg_as_bar("before", e->before, (double) NAN), kn_html_as_percent(e->before));
    if (h->released)
        KN_FILL(t, "<td class=\"wide\">{}</td><td class=\"n\" data-h=\"After\">{}</td>",
                kn_svg_as_bar("after", e->after, (double) NAN), kn_html_as_percent(e->after));
    kn_text_addz(t, "</tr>\n");
}

static void
put_exposures(const kn_html *h)
{
    kn_text *t = h->text;

    KN_FILL(t,
            "<h3>Rows in small classes</h3>\n<div class=\"scroll\"><table "
            "class=\"stack\">\n<thead><tr><th scope=\"col\">Class of</th><th scope=\"col\" "
            "class=\"n\">Risk from</th>{}{}</tr></thead>\n<tbody>\n",
            kn_as_is(h->external
                         ? ""
                         : "<th scope=\"col\" colspan=\"2\">Before: share of the rows</th>"),
            kn_as_is(h->released ? "<th scope=\"col\" class=\"w\" colspan=\"2\">After</th>" : ""));
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

    kn_text_addz(t, "<section id=\"risk\">\n<h2>Re-identification risk</h2>\n<p>The chance of "
                    "picking the right row for a person whose quasi-identifiers are known. ");
    if (!h->external && r->risk_before.rows)
        KN_FILL(t,
                "In the original table, <b>{}</b> of {} rows were {}: those columns were enough to "
                "identify the person.",
                kn_as_count(r->risk_before.uniques), kn_as_count(r->risk_before.rows),
                kn_html_as_term("unique", NULL));
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

    KN_FILL(t,
            "<tr><th scope=\"row\">{}</th><td data-h=\"Group\">{}</td><td class=\"n\" "
            "data-h=\"Suppressed\">{} of {} ({})</td><td class=\"n\" data-h=\"Times the usual "
            "share\">{}</td></tr>\n",
            kn_html_as_name(a->name, KN_HTML_NAME_MOST),
            kn_html_as_name(bar->label, KN_HTML_VALUE_MOST), kn_as_count(bar->lost),
            kn_as_count(bar->rows), kn_html_as_percent(share), kn_as_fixed(share / usual, 1));
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

    KN_FILL(t,
            "Rows in classes that would be too small were {}{}{}</b>. Only the internal edition "
            "says whose they are and whether some groups lost more than others; together with the "
            "release that would reveal how many.</p>\n</section>\n",
            kn_html_as_term("suppress", "suppressed"),
            kn_as_is(
                h->r->suppressed_as == KN_SUPPRESSED_MASK
                    ? ": the release has them with * in every quasi-identifier. Their number: <b>"
                    : ": they were dropped. Their number: <b>"),
            kn_html_as_lost(h, h->r->suppressed_rows));
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
    KN_FILL(t,
            "{} rows ({}) would have been in classes that are too small, so they were {}{}</p>\n",
            kn_as_count(r->suppressed_rows),
            kn_html_as_percent(kn_share(r->suppressed_rows, r->input_rows)),
            kn_html_as_term("suppress", "suppressed"),
            kn_as_is(r->masked_rows ? ": the release has them with * in every quasi-identifier."
                                    : ": they were dropped."));
    if (count_flagged(h))
        put_flagged_table(h);
    else
        kn_text_addz(
            t, "<p>No group of a column lost twice the usual share of its rows, beyond what chance "
               "explains. The cards of the columns show every group.</p>\n");
    kn_text_addz(t, "</section>\n");
}

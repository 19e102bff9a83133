/* SPDX-License-Identifier: Apache-2.0 */
/* html_search.c -- how the release was found, and the record of the run, in a job's HTML report. */
#include <math.h>

#include "base/plain.h"
#include "report/html_report.h"
#include "report/svg.h"
#include "result/public.h"

/* --- search --------------------------------------------------------------------------------------- */

static void
put_curve_x(kn_text *t, const void *user, size_t i)
{
    const kn_html *h = user;

    if (!i) {
        kn_text_addz(t, "start");
        return;
    }
    kn_plain_fixed(t, h->r->seconds.search, h->r->seconds.search < 10 ? 1 : 0);
    kn_text_addz(t, " s");
}

static void
put_curve_y(kn_text *t, const void *user, size_t i)
{
    const kanon_result *r = ((const kn_html *) user)->r;

    if (i == KN_SVG_FLOOR) {
        kn_text_addz(t, "lower bound ");
        kn_plain_number(t, floor(r->lower_bound * 1e4) / 1e4);
        return;
    }
    kn_text_addf(t, "%s ", r->metric);
    kn_plain_number(t, r->curve[i == KN_SVG_FIRST ? 0 : r->ncurve - 1].loss);
}

/* The curve of a search that was over in a moment says nothing. */
static bool
has_curve(const kanon_result *r)
{
    static const double LEAST_S = 0.5;

    return r->ncurve > 2 && r->seconds.search >= LEAST_S
        && r->curve[r->ncurve - 1].seconds > LEAST_S / 10;
}

/* Of a long curve as many points as the picture can show; the best answer stays until the search ends. */
static void
put_curve(const kn_html *h)
{
    enum { POINTS = 200 };
    const kanon_result *r = h->r;
    double              x[POINTS + 1], y[POINTS + 1];
    size_t              count = r->ncurve < POINTS ? r->ncurve : POINTS;
    kn_svg_curve        curve = { "The best loss over time",
                                  count + 1,
                                  x,
                                  y,
                           r->has_bound ? r->lower_bound : (double) NAN,
                                  put_curve_x,
                                  put_curve_y,
                                  h };

    for (size_t i = 0; i < count; i++) {
        const kn_curve_point *p = &r->curve[i * (r->ncurve - 1) / (count - 1)];

        x[i] = p->seconds;
        y[i] = p->loss;
    }
    x[count] = r->seconds.search > x[count - 1] ? r->seconds.search : x[count - 1];
    y[count] = y[count - 1];
    kn_text_addz(h->text, "<div><h4>Best loss over time</h4>\n");
    kn_svg_curve_put(h->text, &curve);
    kn_text_addz(h->text, "</div>\n");
}

static void
put_ladders(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    size_t              quasi = 0;

    kn_text_addz(t, "<div><h4>The generalization level of each column, from exact to *</h4>\n"
                    "<div class=\"scroll\"><table class=\"ladders\"><tbody>\n");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];
        kn_svg_ladder              ladder = { a->level, a->height, 0 };

        if (a->role != KN_ROLE_QUASI)
            continue;
        ladder.floor = r->bounds ? r->bounds[quasi] : 0;
        ladder.level = h->released ? ladder.level : UINT32_MAX;
        quasi++;
        kn_text_addz(t, "<tr><th scope=\"row\">");
        kn_html_name(t, a->name, KN_HTML_NAME_MOST);
        kn_text_addz(t, "</th><td>");
        kn_svg_ladder_put(t, &ladder);
        kn_text_addz(t, "</td></tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n<p class=\"note\">Large: the released level. Filled: "
                    "ruled out before the search, because even with all other columns hidden too "
                    "many rows would be outlying. Ring: open to the search.</p></div>\n");
}

/* Why the search ended, in words. */
static void
put_end(kn_text *t, const char *stopped)
{
    static const struct {
        const char *word, *meaning;
    } ends[] = {
        { "complete", " and ran to completion" },
        { "time-limit", " and ended at its time limit" },
        { "interrupted", " and was stopped by the user" },
        { "max-evaluations", " and ended at its limit of checks" },
        { "stalled", " and ended when it found nothing new" },
        { "iterations", " and ended after its iterations" },
        { "cycles", " and ended after its cycles" },
        { "infeasible", " and found that nothing is feasible" },
    };

    for (size_t i = 0; i < KN_COUNT(ends); i++)
        if (strcmp(stopped, ends[i].word) == 0) {
            kn_text_addz(t, ends[i].meaning);
            return;
        }
    if (*stopped) {
        kn_text_addz(t, ", and ended: ");
        kn_html_put(t, stopped, 0);
    }
}

static void
put_tried(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addf(t, "<p>The algorithm <b>%s</b> ", r->algorithm);
    if (r->full_domain) {
        kn_text_addz(t, "checked <b>");
        kn_plain_count(t, r->evaluations);
        kn_text_addz(t, "</b> of ");
        if (isfinite(r->lattice_nodes))
            kn_plain_number(t, r->lattice_nodes);
        else
            kn_text_addz(t, "more than 1e308");
        kn_text_addz(t, " combinations of levels");
        if (r->predicted) {
            kn_text_addz(t, " and decided ");
            kn_plain_count(t, r->predicted);
            kn_text_addz(t, " more without checking");
        }
    } else {
        kn_text_addz(t, "partitioned the rows into classes (");
        kn_html_term(t, "local recoding", NULL);
        kn_text_addz(t, ") and computed ");
        kn_plain_count(t, r->evaluations);
        kn_text_addz(t, " costs for that");
    }
    kn_text_addz(t, ". It minimised <b>");
    kn_html_put(t, r->metric, 0);
    kn_text_addf(t, "</b> (%s)", kn_report_metric_text(r->metric));
    put_end(t, r->stopped ? r->stopped : "");
    kn_text_addz(t, ".");
    if (r->choice && *r->choice) {
        kn_text_addz(t, " ");
        kn_html_put(t, r->choice, 0);
        kn_text_addz(t, ".");
    }
    kn_text_addz(t, "</p>\n");
}

static void
put_proof(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<p>");
    if (r->outcome == KANON_OPTIMAL) {
        kn_text_addz(t, "The result is ");
        kn_html_term(t, "optimal", NULL);
        kn_text_addz(t, ": no release under these settings has a smaller loss than <b>");
        kn_plain_number(t, r->loss);
        kn_text_addz(t, "</b>.");
    } else if (r->has_bound) {
        kn_text_addz(t, "The loss is <b>");
        kn_plain_number(t, r->loss);
        kn_text_addz(t, "</b>; the ");
        kn_html_term(t, "lower bound", NULL);
        kn_text_addz(t, " is <b>");
        kn_plain_number(t, floor(r->lower_bound * 1e4) / 1e4);
        kn_text_addz(t, "</b>. A better release may exist in between, but none below.");
    } else {
        kn_text_addz(t, "The loss is <b>");
        kn_plain_number(t, r->loss);
        kn_text_addz(t, "</b>. It is not known how much better a release could be.");
    }
    kn_text_addz(t, "</p>\n");
}

void
kn_html_search(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<section id=\"search\">\n<h2>The search</h2>\n<div class=\"pair\">\n<div>");
    put_tried(h);
    if (h->released)
        put_proof(h);
    kn_text_addz(t, "</div>\n");
    if (h->r->full_domain)
        put_ladders(h);
    if (h->released && has_curve(h->r))
        put_curve(h);
    kn_text_addz(t, "</div>\n</section>\n");
}

/* --- record --------------------------------------------------------------------------------------- */

static void
put_hash(kn_text *t, const char *title, const char *hash)
{
    kn_html_entry(t, title);
    kn_text_addf(t, "<code>%s</code> (BLAKE2b-256)</dd>\n", hash);
}

static void
put_release(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    if (!h->released)
        return;
    kn_html_entry(t, "Release");
    kn_html_put(t, h->external ? kn_public_file(r->output_name) : r->output_name, 0);
    kn_text_addz(t, "</dd>\n");
    put_hash(t, "Hash of the release", r->output_hash);
}

static void
put_input(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_html_entry(t, "Table");
    kn_html_put(t, r->input_name, 0);
    kn_text_addz(t, ": ");
    kn_plain_counted(t, r->input_rows, "row");
    kn_text_addz(t, ", ");
    kn_plain_counted(t, r->input_columns, "column");
    kn_text_addz(t, ", ");
    kn_plain_bytes(t, r->input_bytes);
    kn_text_addz(t, "</dd>\n");
    put_hash(t, "Hash of the table", r->input_hash);
}

static void
put_requirement(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_html_entry(t, "k");
    kn_plain_count(t, r->k);
    kn_text_addz(t, "</dd>\n");
    kn_html_entry(t, "Suppression");
    if (!h->external) { /* how hard the search was pressed is no promise */
        kn_text_addz(t, "at most ");
        kn_html_percent(t, r->suppression);
        kn_text_addz(t, " of the rows; ");
    }
    kn_text_addf(t, "suppressed rows are %s</dd>\n",
                 r->suppressed_as == KN_SUPPRESSED_MASK ? "masked" : "dropped");
    for (size_t i = 0; i < r->nmodels; i++) {
        kn_html_entry(t, "Model");
        kn_html_put(t, r->models[i].name, 0);
        kn_text_addz(t, ", ");
        kn_html_put(t, r->models[i].parameter, 0);
        kn_text_addz(t, " = ");
        kn_plain_number(t, r->models[i].asked);
        if (r->models[i].column && !(h->external && kn_public_hides(r, r->models[i].column))) {
            kn_text_addz(t, ", ");
            kn_html_name(t, r->models[i].column, KN_HTML_NAME_MOST);
        }
        kn_text_addz(t, "</dd>\n");
    }
}

static void
put_weights(const kn_html *h)
{
    const double *weight = h->r->weights;
    const char   *between = "";

    if (!weight)
        return;
    kn_html_entry(h->text, "Weights");
    for (size_t i = 0; i < h->r->nattributes; i++) {
        if (h->r->attributes[i].role != KN_ROLE_QUASI)
            continue;
        kn_text_addz(h->text, between);
        kn_html_name(h->text, h->r->attributes[i].name, KN_HTML_NAME_MOST);
        kn_text_addz(h->text, " ");
        kn_plain_number(h->text, *weight++);
        between = ", ";
    }
    kn_text_addz(h->text, "</dd>\n");
}

static void
put_parameters(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_html_entry(t, "Algorithm");
    kn_html_put(t, r->algorithm, 0);
    if (strcmp(r->algorithm, r->algorithm_asked) != 0) {
        kn_text_addz(t, ", requested: ");
        kn_html_put(t, r->algorithm_asked, 0);
    }
    kn_text_addz(t, "</dd>\n");
    if (!r->full_domain) {
        kn_html_entry(t, "A class shows");
        kn_text_addf(t, "%s, ends snap to: %s</dd>\n", kn_local_name(r->local),
                     kn_snap_name(r->snap));
    }
    if (r->nparams) {
        kn_html_entry(t, "Its parameters");
        for (size_t i = 0; i < r->nparams; i++) {
            kn_text_addf(t, "%s%s = ", i ? ", " : "", r->params[i].key);
            kn_html_put(t, r->params[i].value, 0);
        }
        kn_text_addz(t, "</dd>\n");
    }
    kn_html_entry(t, "Metric");
    kn_html_put(t, r->metric, 0);
    kn_text_addz(t, "</dd>\n");
    put_weights(h);
    kn_html_entry(t, "Seed");
    kn_text_addf(t, "%llu (confidential: with the table it reveals the order of the rows)</dd>\n",
                 (unsigned long long) r->seed);
    kn_html_entry(t, "Row order");
    kn_text_addz(t, r->keep_order ? "as in the table</dd>\n" : "shuffled</dd>\n");
}

static void
put_effort(const kn_html *h)
{
    kn_text *t = h->text;

    kn_html_entry(t, "Time");
    kn_plain_fixed(t, h->r->seconds.total, 2);
    kn_text_addf(t, " s with %u thread%s", h->r->threads, h->r->threads == 1 ? "" : "s");
    if (h->r->peak_bytes) {
        kn_text_addz(t, "; memory at most ");
        kn_plain_bytes(t, h->r->peak_bytes);
    }
    kn_text_addz(t, "</dd>\n");
}

static void
put_metrics(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t,
                 "<h3>All metrics</h3>\n<div class=\"scroll\"><table class=\"stack\">\n<tbody>\n");
#define PUT_METRIC(name, type, needs, words)                                                       \
    if (r->full_domain || !kn_metric_needs_levels(#name)) {                                        \
        kn_text_addz(t, "<tr><th scope=\"row\"><code>" #name "</code></th><td>" words              \
                        "</td><td class=\"n\">");                                                  \
        kn_plain_number(t, r->metrics.name);                                                       \
        kn_text_addz(t, "</td></tr>\n");                                                           \
    }
    KN_METRIC_LIST(PUT_METRIC)
#undef PUT_METRIC
    kn_text_addz(t, "</tbody></table></div>\n");
}

void
kn_html_record(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<section id=\"record\">\n<h2>Record</h2>\n<dl class=\"record\">\n");
    if (!h->external)
        put_input(h);
    put_release(h);
    kn_html_entry(t, "Tool");
    kn_text_addf(t, "kanon %s</dd>\n", kanon_version());
    put_requirement(h);
    if (!h->external) {
        put_parameters(h);
        put_effort(h);
    }
    kn_text_addz(t, "</dl>\n");
    if (!h->external && h->released)
        put_metrics(h);
    kn_text_addz(t, "</section>\n");
}

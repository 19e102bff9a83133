/* SPDX-License-Identifier: Apache-2.0 */
/* html_search.c -- how the release was found, and the record of the run, in a job's HTML report. */
#include <math.h>

#include "base/fill.h"
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
    KN_FILL(t, "{} s", kn_as_fixed(h->r->seconds.search, h->r->seconds.search < 10 ? 1 : 0));
}

static void
put_curve_y(kn_text *t, const void *user, size_t i)
{
    const kanon_result *r = ((const kn_html *) user)->r;

    if (i == KN_SVG_FLOOR) {
        KN_FILL(t, "lower bound {}", kn_as_number(floor(r->lower_bound * 1e4) / 1e4));
        return;
    }
    KN_FILL(t, "{} {}", kn_as_is(r->metric),
            kn_as_number(r->curve[i == KN_SVG_FIRST ? 0 : r->ncurve - 1].loss));
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
                           kn_bound_tells(r->loss, r->lower_bound) ? r->lower_bound : (double) NAN,
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

/* Were levels of single columns limited? */
static bool
limits_levels(const kanon_result *r)
{
    for (size_t i = 0; i < r->ncontrol; i++)
        if (strstr(r->control[i].key, "level"))
            return true;
    return false;
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
        KN_FILL(t, "<tr><th scope=\"row\">{}</th><td>",
                kn_html_as_name(a->name, KN_HTML_NAME_MOST));
        kn_svg_ladder_put(t, &ladder);
        kn_text_addz(t, "</td></tr>\n");
    }
    KN_FILL(t,
            "</tbody></table></div>\n<p class=\"note\">Large: the released level. Filled: ruled "
            "out before the search, because even with all other columns hidden too many rows would "
            "be outlying{}. Ring: open to the search.</p></div>\n",
            kn_as_is(limits_levels(r) ? ", or by level or min-level" : ""));
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
    if (*stopped)
        KN_FILL(t, ", and ended: {}", kn_html_as_text(stopped, 0));
}

static void
put_tried(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addf(t, "<p>The algorithm <b>%s</b> ", r->algorithm);
    if (r->full_domain) {
        KN_FILL(t, "checked <b>{}</b> of ", kn_as_count(r->evaluations));
        if (isfinite(r->lattice_nodes))
            kn_plain_number(t, r->lattice_nodes);
        else
            kn_text_addz(t, "more than 1e308");
        kn_text_addz(t, " combinations of levels");
        if (r->predicted)
            KN_FILL(t, " and decided {} more without checking", kn_as_count(r->predicted));
    } else {
        KN_FILL(t, "partitioned the rows into classes ({}) and computed {} costs for that",
                kn_html_as_term("local recoding", NULL), kn_as_count(r->evaluations));
    }
    KN_FILL(t, ". It minimised <b>{}</b> ({})", kn_html_as_text(r->metric, 0),
            kn_as_is(kn_report_metric_text(r->metric)));
    put_end(t, r->stopped ? r->stopped : "");
    kn_text_addz(t, ".");
    if (r->choice && *r->choice)
        KN_FILL(t, " {}.", kn_html_as_text(r->choice, 0));
    kn_text_addz(t, "</p>\n");
}

static void
put_proof(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<p>");
    if (r->outcome == KANON_OPTIMAL)
        KN_FILL(
            t,
            "The result is {}: no release under these settings has a smaller loss than <b>{}</b>.",
            kn_html_as_term("optimal", NULL), kn_as_number(r->loss));
    else if (r->has_bound && kn_bound_tells(r->loss, r->lower_bound))
        KN_FILL(t,
                "The loss is <b>{}</b>; the {} is <b>{}</b>. A better release may exist in "
                "between, but none below.",
                kn_as_number(r->loss), kn_html_as_term("lower bound", NULL),
                kn_as_number(floor(r->lower_bound * 1e4) / 1e4));
    else
        KN_FILL(t, "The loss is <b>{}</b>. It is not known how much better a release could be.",
                kn_as_number(r->loss));
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
    kn_text_addf(t, "<dt>%s</dt><dd><code>%s</code> (BLAKE2b-256)</dd>\n", title, hash);
}

static void
put_release(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    if (!h->released)
        return;
    KN_FILL(t, "<dt>Release</dt><dd>{}</dd>\n",
            kn_html_as_text(h->external ? kn_public_file(r->output_name) : r->output_name, 0));
    put_hash(t, "Hash of the release", r->output_hash);
}

static void
put_input(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    KN_FILL(t, "<dt>Table</dt><dd>{}: {}, {}, {}</dd>\n", kn_html_as_text(r->input_name, 0),
            kn_as_counted(r->input_rows, "row"), kn_as_counted(r->input_columns, "column"),
            kn_as_bytes(r->input_bytes));
    put_hash(t, "Hash of the table", r->input_hash);
}

static void
put_requirement(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    KN_FILL(t, "<dt>k</dt><dd>{}</dd>\n<dt>Suppression</dt><dd>", kn_as_count(r->k));
    if (!h->external) /* how hard the search was pressed is no promise */
        KN_FILL(t, "at most {} of the rows; ", kn_html_as_percent(r->suppression));
    kn_text_addf(t, "suppressed rows are %s</dd>\n",
                 r->suppressed_as == KN_SUPPRESSED_MASK ? "masked" : "dropped");
    for (size_t i = 0; i < r->nmodels; i++) {
        KN_FILL(t, "<dt>Model</dt><dd>{}, {} = {}", kn_html_as_text(r->models[i].name, 0),
                kn_html_as_text(r->models[i].parameter, 0), kn_as_number(r->models[i].asked));
        if (r->models[i].column && !(h->external && kn_public_hides(r, r->models[i].column)))
            KN_FILL(t, ", {}", kn_html_as_name(r->models[i].column, KN_HTML_NAME_MOST));
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
    kn_text_addz(h->text, "<dt>Weights</dt><dd>");
    for (size_t i = 0; i < h->r->nattributes; i++) {
        if (h->r->attributes[i].role != KN_ROLE_QUASI)
            continue;
        KN_FILL(h->text, "{}{} ", kn_as_is(between),
                kn_html_as_name(h->r->attributes[i].name, KN_HTML_NAME_MOST));
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

    KN_FILL(t, "<dt>Algorithm</dt><dd>{}", kn_html_as_text(r->algorithm, 0));
    if (strcmp(r->algorithm, r->algorithm_asked) != 0)
        KN_FILL(t, ", requested: {}", kn_html_as_text(r->algorithm_asked, 0));
    kn_text_addz(t, "</dd>\n");
    if (!r->full_domain)
        KN_FILL(t, "<dt>A class shows</dt><dd>{}, ends snap to: {}</dd>\n",
                kn_as_is(kn_local_name(r->local)), kn_as_is(kn_snap_name(r->snap)));
    if (r->nparams) {
        kn_text_addz(t, "<dt>Its parameters</dt><dd>");
        for (size_t i = 0; i < r->nparams; i++)
            KN_FILL(t, "{}{} = {}", kn_as_is(i ? ", " : ""), kn_as_is(r->params[i].key),
                    kn_html_as_text(r->params[i].value, 0));
        kn_text_addz(t, "</dd>\n");
    }
    KN_FILL(t, "<dt>Metric</dt><dd>{}</dd>\n", kn_html_as_text(r->metric, 0));
    put_weights(h);
    for (size_t i = 0; i < r->ncontrol; i++)
        KN_FILL(t, "<dt>{}</dt><dd>{}</dd>\n", kn_as_is(r->control[i].key),
                kn_html_as_text(r->control[i].value, 0));
    KN_FILL(t, "<dt>Seed</dt><dd>{}</dd>\n<dt>Row order</dt><dd>", kn_as_digits(r->seed));
    if (r->keep_order)
        kn_text_addz(t, "as in the table</dd>\n");
    else
        kn_text_addf(
            t,
            "shuffled by the key <code>%s</code> (confidential: with it a guess of the table "
            "can be tested)</dd>\n",
            r->order_key);
}

static void
put_effort(const kn_html *h)
{
    kn_text *t = h->text;

    KN_FILL(t, "<dt>Time</dt><dd>{} s with {} thread{}", kn_as_fixed(h->r->seconds.total, 2),
            kn_as_digits(h->r->threads), kn_as_is(h->r->threads == 1 ? "" : "s"));
    if (h->r->peak_bytes)
        KN_FILL(t, "; memory at most {}", kn_as_bytes(h->r->peak_bytes));
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
    KN_FILL(t, "<dt>Tool</dt><dd>kanon {}</dd>\n", kn_as_is(kanon_version()));
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

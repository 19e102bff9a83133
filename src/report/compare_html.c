/* SPDX-License-Identifier: Apache-2.0 */
/* compare_html.c -- a comparison as a page for people: what was kept, column by column with its shares before
 * and after, pairs, learning and queries. One file, no script, nothing loaded (see html_page.h). */
#include <math.h>

#include "base/fill.h"
#include "report/compare.h"
#include "report/html_page.h"
#include "report/svg.h"

enum { NAME_MOST = 60, VALUE_MOST = 40, PAIRS_MOST = 20 };

static void
put_dash_or_fixed(kn_text *t, const kn_piece *piece)
{
    if (isnan(piece->number))
        kn_text_addz(t, "&ndash;");
    else
        kn_put_fixed(t, piece);
}

/* A number, where there is one. */
static kn_piece
fixed(double value, unsigned decimals)
{
    return (kn_piece){ .put = put_dash_or_fixed, .number = value, .most = decimals };
}

/* --- head ------------------------------------------------------------------------------------- */

/* A share, where there is one. */
static kn_piece
share_if(double share)
{
    return isnan(share) ? KN_HTML_NONE : kn_html_as_percent(share);
}

static void
put_tiles(kn_text *t, const kanon_comparison *c)
{
    kn_text_addz(t, "<dl class=\"tiles five\">\n");
    KN_HTML_TILE(t, "Rows lost", "{}", "{} of {}",
                 kn_html_as_percent(kn_share(c->lost, c->rows_before)), kn_as_count(c->lost),
                 kn_as_count(c->rows_before));
    KN_HTML_TILE(t, "Information lost", "{}", "general loss; 100 %: everything is lost",
                 kn_html_as_percent(c->glm));
    KN_HTML_TILE(t, "Shift", "{}", "of rows, mean over the columns", share_if(c->tvd));
    KN_HTML_TILE(t, "Count queries", "{}", "median error",
                 share_if(c->queries.queries ? c->queries.median : (double) NAN));
    if (c->learning.label)
        KN_HTML_TILE(t, "Learning", "{}", "correct; {} from the original",
                     kn_html_as_percent(c->learning.accuracy_after),
                     kn_html_as_percent(c->learning.accuracy_before));
    else
        KN_HTML_TILE(t, "Learning", "{}", "no label was named", KN_HTML_NONE);
    kn_text_addz(t, "</dl>\n");
}

static void
put_header(kn_text *t, const kanon_comparison *c)
{
    KN_FILL(t,
            "<header>\n<div class=\"brand\"><span>kanon {}</span><span>Comparison</span><span "
            "class=\"edition\">Internal: for the holder of the original</span></div>\n<h1>What the "
            "release kept</h1>\n<p class=\"lead\">{} against its original {}. Rows are not "
            "matched: everything follows from the cells. A generalized cell counts evenly for all "
            "values that it stands for.</p>\n",
            kn_as_is(kanon_version()), kn_html_as_name(c->released, NAME_MOST),
            kn_html_as_name(c->original, NAME_MOST));
    kn_html_opening(t, &c->opening);
    put_tiles(t, c);
    kn_text_addz(t, "<nav aria-label=\"Sections\"><a href=\"#columns\">Columns</a> "
                    "<a href=\"#shares\">Shares</a> <a href=\"#pairs\">Pairs</a> "
                    "<a href=\"#use\">Use</a></nav>\n</header>\n<main>\n");
}

/* --- columns ---------------------------------------------------------------------------------- */

static void
put_cell(kn_text *t, const char *head, double value, unsigned decimals)
{
    KN_FILL(t, "<td class=\"n\" data-h=\"{}\">{}</td>", kn_as_is(head), fixed(value, decimals));
}

static void
put_column_row(kn_text *t, const kn_compared_column *col, size_t index)
{
    KN_FILL(t,
            "<tr><th scope=\"row\"><a href=\"#column-{}\">{}</a></th><td "
            "data-h=\"Role\">{}</td><td class=\"n\" data-h=\"Values\"><span>{} &rarr; ",
            kn_as_digits(index + 1), kn_html_as_name(col->name, NAME_MOST),
            kn_as_is(kn_role_name(col->role)), kn_as_count(col->values_before));
    if (col->dropped)
        kn_text_addz(t, "not released");
    else
        kn_plain_count(t, col->values_after);
    KN_FILL(
        t,
        "</span></td><td class=\"wide\">{}</td><td class=\"n\" data-h=\"Information lost\">{}</td>",
        kn_svg_as_bar("lost", col->glm, 0), kn_html_as_percent(col->glm));
    put_cell(t, "Entropy", col->entropy, 3);
    put_cell(t, "Shift", col->tvd, 3);
    kn_text_addz(t, "</tr>\n");
}

static void
put_unknown(kn_text *t, const kn_compared_column *col)
{
    if (!col->cells[KN_READ_UNKNOWN])
        return;
    KN_FILL(t, "<div class=\"box warn\"><p>{}: {} were not understood and count as *",
            kn_html_as_name(col->name, NAME_MOST),
            kn_as_counted(col->cells[KN_READ_UNKNOWN], "cell"));
    if (col->unknown)
        KN_FILL(t, ", such as {}", kn_html_as_name(col->unknown, VALUE_MOST));
    kn_text_addz(t, ".</p><p class=\"todo\">name the hierarchy of the column.</p></div>\n");
}

static void
put_columns(kn_text *t, const kanon_comparison *c)
{
    kn_text_addz(
        t, "<section id=\"columns\">\n<h2>Columns</h2>\n<p>Information lost is the general loss; a "
           "lost row counts as 100 %. Shift is the share of rows that would have to change their "
           "value for the release to have the original's shares.</p>\n<div class=\"scroll\"><table "
           "class=\"stack\">\n<thead><tr><th>Column</th><th>Role</th><th "
           "class=\"n\">Values</th><th></th><th class=\"n\">Information lost</th><th "
           "class=\"n\">Entropy</th><th class=\"n\">Shift</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->ncolumns; i++)
        put_column_row(t, &c->columns[i], i);
    kn_text_addz(t, "</tbody></table></div>\n");
    for (size_t i = 0; i < c->ncolumns; i++)
        put_unknown(t, &c->columns[i]);
    kn_text_addz(t, "</section>\n");
}

/* --- shares ----------------------------------------------------------------------------------- */

static void
put_bin_name(kn_text *t, const kn_compared_bin *bin)
{
    kn_text name;

    if (bin->kind == KN_BIN_VALUE) {
        kn_html_name(t, bin->label, VALUE_MOST);
        return;
    }
    kn_text_init(&name, t->ctx);
    kn_compare_bin_name(&name, bin);
    if (name.failed)
        t->failed = true;
    else
        kn_html_put(t, name.ptr, 0);
    kn_text_fini(&name);
}

static void
put_shares(kn_text *t, const kn_compared_column *col, size_t index)
{
    double most = 0;

    for (size_t b = 0; b < col->nbins; b++)
        most = fmax(most, fmax(col->bins[b].before, col->bins[b].after));
    KN_FILL(t, "<div class=\"column\" id=\"column-{}\"><h3>{}</h3>\n", kn_as_digits(index + 1),
            kn_html_as_name(col->name, NAME_MOST));
    if (kn_compared_nothing_left(col))
        kn_text_addz(t, "<p class=\"note\">Nothing is left of this column.</p>\n");
    if (col->has_moments)
        KN_FILL(t,
                "<p class=\"facts\"><span>Mean <b>{} &rarr; {}</b></span><span>Standard deviation "
                "<b>{} &rarr; {}</b></span></p>\n",
                fixed(col->mean_before, 2), fixed(col->mean_after, 2), fixed(col->sd_before, 2),
                fixed(col->sd_after, 2));
    kn_text_addz(t, "<table class=\"bars\"><tbody>\n");
    for (size_t b = 0; b < col->nbins; b++) {
        const kn_compared_bin *bin = &col->bins[b];
        bool                   changed = fabs(bin->after - bin->before) >= KN_COMPARE_CHANGED;

        kn_text_addf(t, "<tr><th scope=\"row\"%s>",
                     b == col->biggest && changed ? " class=\"flag\"" : "");
        put_bin_name(t, bin);
        KN_FILL(t, "</th><td>{}{}</td><td class=\"n\">{}<br>{}</td></tr>\n",
                kn_svg_as_bar("before", most > 0 ? bin->before / most : 0, 0),
                kn_svg_as_bar("after", most > 0 ? bin->after / most : 0, 0),
                kn_html_as_percent(bin->before), kn_html_as_percent(bin->after));
    }
    kn_text_addz(t, "</tbody></table></div>\n");
}

static void
put_all_shares(kn_text *t, const kanon_comparison *c)
{
    KN_FILL(t,
            "<section id=\"shares\">\n<h2>Shares of values</h2>\n<p><span "
            "class=\"key\"></span>original, <span class=\"key k-after\"></span>release. The share "
            "that changed most is set in bold. Values that fewer than {} rows have are not named; "
            "many numbers share a bar.</p>\n<div class=\"pair\" style=\"align-items:start\">\n",
            kn_as_count(c->least));
    for (size_t i = 0; i < c->ncolumns; i++)
        put_shares(t, &c->columns[i], i);
    kn_text_addz(t, "</div>\n</section>\n");
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void
put_arrow_cell(kn_text *t, const char *head, double before, double after)
{
    KN_FILL(t, "<td class=\"n\" data-h=\"{}\"><span>{} &rarr; {}</span></td>", kn_as_is(head),
            fixed(before, 2), fixed(after, 2));
}

static void
put_pairs(kn_text *t, const kanon_comparison *c)
{
    size_t most = c->npairs < PAIRS_MOST ? c->npairs : PAIRS_MOST;

    KN_FILL(t,
            "<section id=\"pairs\">\n<h2>Pairs of columns</h2>\n<p>{}Shift: rows that would have "
            "to change to restore the table of both columns. Cram&eacute;r's V measures the "
            "association of two columns, from 0 to 1.</p>\n<div class=\"scroll\"><table "
            "class=\"stack\">\n<thead><tr><th>Columns</th><th></th><th class=\"n\">Shift</th><th "
            "class=\"n\">Cram&eacute;r's V</th><th "
            "class=\"n\">Correlation</th></tr></thead>\n<tbody>\n",
            kn_as_is(most < c->npairs ? "Those that changed most. " : ""));
    for (size_t i = 0; i < most; i++) {
        KN_FILL(t, "<tr><th scope=\"row\">{}, {}</th><td class=\"wide\">{}</td>",
                kn_html_as_name(c->columns[c->worst[i]->a].name, NAME_MOST),
                kn_html_as_name(c->columns[c->worst[i]->b].name, NAME_MOST),
                kn_svg_as_bar("lost", c->worst[i]->tvd, 0));
        put_cell(t, "Shift", c->worst[i]->tvd, 3);
        put_arrow_cell(t, "Cramer's V", c->worst[i]->v_before, c->worst[i]->v_after);
        if (c->worst[i]->numeric)
            put_arrow_cell(t, "Correlation", c->worst[i]->pearson_before,
                           c->worst[i]->pearson_after);
        else
            kn_text_addz(t, "<td></td>");
        kn_text_addz(t, "</tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

/* --- use -------------------------------------------------------------------------------------- */

static void
put_learning(kn_text *t, const kn_compared_learning *l)
{
    kn_text_addz(t, "<h3>Learning</h3>\n");
    if (!l->label) {
        kn_text_addz(t, "<p>No label was named (<code>--label</code>).</p>\n");
        return;
    }
    KN_FILL(t,
            "<p>A naive Bayes classifier predicts {} from {}. Trained on the release it is correct "
            "for {} of the original's rows, trained on the original for {}; always predicting the "
            "most frequent value is correct for {}. Rows without the majority label of their "
            "class, or lost (cm): {}, before {}.</p>\n",
            kn_html_as_name(l->label, NAME_MOST), kn_as_counted(l->features, "column"),
            kn_html_as_percent(l->accuracy_after), kn_html_as_percent(l->accuracy_before),
            kn_html_as_percent(l->baseline), fixed(l->cm_after, 4), fixed(l->cm_before, 4));
}

static void
put_error_row(kn_text *t, const char *what, const kn_compared_errors *e)
{
    const double errors[] = { e->median, e->mean, e->p75, e->p90, e->p95, e->max };
    const char  *heads[] = { "Median", "Mean", "75 %", "90 %", "95 %", "Worst" };

    if (!e->queries)
        return;
    kn_text_addf(t, "<tr><th scope=\"row\">%s</th>", what);
    for (size_t i = 0; i < KN_COUNT(errors); i++)
        KN_FILL(t, "<td class=\"n\" data-h=\"{}\">{}</td>", kn_as_is(heads[i]),
                kn_html_as_percent(errors[i]));
    kn_text_addz(t, "</tr>\n");
}

static void
put_queries(kn_text *t, const kanon_comparison *c)
{
    static const char *const widths[KN_QUERY_COLUMNS_MOST] = { "over one column", "over two",
                                                               "over three" };

    if (!c->queries.queries)
        return;
    KN_FILL(t,
            "<h3>Counting</h3>\n<p>{} random questions of the kind &ldquo;how many rows have a "
            "value in this range?&rdquo;, and the error of the release's answer.</p>\n<div "
            "class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Relative error</th><th "
            "class=\"n\">Median</th><th class=\"n\">Mean</th><th class=\"n\">75 % within</th><th "
            "class=\"n\">90 % within</th><th class=\"n\">95 % within</th><th "
            "class=\"n\">Worst</th></tr></thead>\n<tbody>\n",
            kn_as_count(c->queries.queries));
    put_error_row(t, "all", &c->queries);
    for (size_t i = 0; i < KN_QUERY_COLUMNS_MOST; i++)
        put_error_row(t, widths[i], &c->by_columns[i]);
    kn_text_addz(t, "</tbody></table></div>\n");
}

void
kn_compare_html(kn_text *t, const kanon_comparison *c)
{
    kn_html_begin(t, "What the release kept");
    put_header(t, c);
    if (c->findings.count)
        kn_html_findings(t, &c->findings);
    put_columns(t, c);
    put_all_shares(t, c);
    if (c->npairs)
        put_pairs(t, c);
    kn_text_addz(t, "<section id=\"use\">\n<h2>Use</h2>\n");
    put_learning(t, &c->learning);
    put_queries(t, c);
    kn_text_addf(t,
                 "</section>\n</main>\n<footer><p>Seed %llu. Definitions: docs/COMPARE.md of kanon "
                 "%s.</p></footer>\n",
                 (unsigned long long) c->seed, kanon_version());
    kn_html_end(t);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* compare_html.c -- a comparison as a page for people: what was kept, column by column with its shares before
 * and after, pairs, learning and queries. One file, no script, nothing loaded (see html_page.h). */
#include <math.h>

#include "base/plain.h"
#include "report/compare.h"
#include "report/html_page.h"
#include "report/svg.h"

enum { NAME_MOST = 60, VALUE_MOST = 40, PAIRS_MOST = 20 };

static void
put_fixed(kn_text *t, double value, unsigned decimals)
{
    if (isnan(value))
        kn_text_addz(t, "&ndash;");
    else
        kn_plain_fixed(t, value, decimals);
}

/* --- head ------------------------------------------------------------------------------------- */

static void
put_tiles(kn_text *t, const kanon_comparison *c)
{
    kn_text_addz(t, "<dl class=\"tiles five\">\n");
    kn_html_open_tile(t, "Rows lost");
    kn_html_percent(t, c->rows_before ? (double) c->lost / (double) c->rows_before : 0);
    kn_text_addz(t, "</dd><dd>");
    kn_plain_count(t, c->lost);
    kn_text_addz(t, " of ");
    kn_plain_count(t, c->rows_before);
    kn_html_close_tile(t, "");
    kn_html_open_tile(t, "Information lost");
    kn_html_percent(t, c->glm);
    kn_html_close_tile(t, "general loss; 100 %: everything is lost");
    kn_html_open_tile(t, "Shift");
    if (isnan(c->tvd))
        kn_text_addz(t, "&ndash;");
    else
        kn_html_percent(t, c->tvd);
    kn_html_close_tile(t, "of rows, mean over the columns");
    kn_html_open_tile(t, "Count queries");
    if (c->queries.queries)
        kn_html_percent(t, c->queries.median);
    else
        kn_text_addz(t, "&ndash;");
    kn_html_close_tile(t, "median error");
    kn_html_open_tile(t, "Learning");
    if (c->learning.label)
        kn_html_percent(t, c->learning.accuracy_after);
    else
        kn_text_addz(t, "&ndash;");
    if (c->learning.label) {
        kn_text_addz(t, "</dd><dd>correct; ");
        kn_html_percent(t, c->learning.accuracy_before);
        kn_html_close_tile(t, " from the original");
    } else {
        kn_html_close_tile(t, "no label was named");
    }
    kn_text_addz(t, "</dl>\n");
}

static void
put_clear(kn_text *t, const kanon_comparison *c)
{
    for (size_t i = 0; i < c->identifiers.count; i++) {
        const kn_clear_column *e = &c->identifiers.columns[i];

        if (!e->rows)
            continue;
        kn_text_addz(t, "<div class=\"box warn\"><p>");
        kn_html_name(t, e->name, NAME_MOST);
        kn_text_addz(t, ", an identifier, is in clear in ");
        kn_plain_counted(t, e->rows, "row");
        kn_text_addz(t, " of the release.</p><p class=\"todo\">do not share it: replace every cell "
                        "of the column by *, or drop the column.</p></div>\n");
    }
}

static void
put_header(kn_text *t, const kanon_comparison *c)
{
    kn_text_addf(t,
                 "<header>\n<div class=\"brand\"><span>kanon %s</span><span>Comparison</span><span "
                 "class=\"edition\">Internal: for the holder of the "
                 "original</span></div>\n<h1>What the release kept</h1>\n<p class=\"lead\">",
                 kanon_version());
    kn_html_name(t, c->released, NAME_MOST);
    kn_text_addz(t, " against its original ");
    kn_html_name(t, c->original, NAME_MOST);
    kn_text_addz(t, ". Rows are not matched: everything follows from the cells. A generalized cell "
                    "counts evenly for all values that it stands for.</p>\n");
    put_tiles(t, c);
    kn_text_addz(t, "<nav aria-label=\"Sections\"><a href=\"#columns\">Columns</a> "
                    "<a href=\"#shares\">Shares</a> <a href=\"#pairs\">Pairs</a> "
                    "<a href=\"#use\">Use</a></nav>\n</header>\n<main>\n");
}

/* --- columns ---------------------------------------------------------------------------------- */

static void
put_cell(kn_text *t, const char *head, double value, unsigned decimals)
{
    kn_text_addf(t, "<td class=\"n\" data-h=\"%s\">", head);
    put_fixed(t, value, decimals);
    kn_text_addz(t, "</td>");
}

static void
put_column_row(kn_text *t, const kn_compared_column *col, size_t index)
{
    kn_text_addf(t, "<tr><th scope=\"row\"><a href=\"#column-%zu\">", index + 1);
    kn_html_name(t, col->name, NAME_MOST);
    kn_text_addf(t, "</a></th><td data-h=\"Role\">%s</td><td class=\"n\" data-h=\"Values\"><span>",
                 kn_role_name(col->role));
    kn_plain_count(t, col->values_before);
    kn_text_addz(t, " &rarr; ");
    if (col->dropped)
        kn_text_addz(t, "not released");
    else
        kn_plain_count(t, col->values_after);
    kn_text_addz(t, "</span></td><td class=\"wide\">");
    kn_svg_bar(t, "lost", col->glm, 0);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Information lost\">");
    kn_html_percent(t, col->glm);
    kn_text_addz(t, "</td>");
    put_cell(t, "Entropy", col->entropy, 3);
    put_cell(t, "Shift", col->tvd, 3);
    kn_text_addz(t, "</tr>\n");
}

static void
put_unknown(kn_text *t, const kn_compared_column *col)
{
    if (!col->cells[KN_READ_UNKNOWN])
        return;
    kn_text_addz(t, "<div class=\"box warn\"><p>");
    kn_html_name(t, col->name, NAME_MOST);
    kn_text_addz(t, ": ");
    kn_plain_counted(t, col->cells[KN_READ_UNKNOWN], "cell");
    kn_text_addz(t, " were not understood and count as *");
    if (col->unknown) {
        kn_text_addz(t, ", such as ");
        kn_html_name(t, col->unknown, VALUE_MOST);
    }
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
    kn_text_addf(t, "<div class=\"column\" id=\"column-%zu\"><h3>", index + 1);
    kn_html_name(t, col->name, NAME_MOST);
    kn_text_addz(t, "</h3>\n");
    if (kn_compared_nothing_left(col))
        kn_text_addz(t, "<p class=\"note\">Nothing is left of this column.</p>\n");
    if (col->has_moments) {
        kn_text_addz(t, "<p class=\"facts\"><span>Mean <b>");
        put_fixed(t, col->mean_before, 2);
        kn_text_addz(t, " &rarr; ");
        put_fixed(t, col->mean_after, 2);
        kn_text_addz(t, "</b></span><span>Standard deviation <b>");
        put_fixed(t, col->sd_before, 2);
        kn_text_addz(t, " &rarr; ");
        put_fixed(t, col->sd_after, 2);
        kn_text_addz(t, "</b></span></p>\n");
    }
    kn_text_addz(t, "<table class=\"bars\"><tbody>\n");
    for (size_t b = 0; b < col->nbins; b++) {
        const kn_compared_bin *bin = &col->bins[b];
        bool                   changed = fabs(bin->after - bin->before) >= KN_COMPARE_CHANGED;

        kn_text_addf(t, "<tr><th scope=\"row\"%s>",
                     b == col->biggest && changed ? " class=\"flag\"" : "");
        put_bin_name(t, bin);
        kn_text_addz(t, "</th><td>");
        kn_svg_bar(t, "before", most > 0 ? bin->before / most : 0, 0);
        kn_svg_bar(t, "after", most > 0 ? bin->after / most : 0, 0);
        kn_text_addz(t, "</td><td class=\"n\">");
        kn_html_percent(t, bin->before);
        kn_text_addz(t, "<br>");
        kn_html_percent(t, bin->after);
        kn_text_addz(t, "</td></tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n");
}

static void
put_all_shares(kn_text *t, const kanon_comparison *c)
{
    kn_text_addz(
        t, "<section id=\"shares\">\n<h2>Shares of values</h2>\n<p><span class=\"key\"></span>"
           "original, <span class=\"key k-after\"></span>release. The share that changed most "
           "is set in bold. Values that fewer than ");
    kn_plain_count(t, c->least);
    kn_text_addz(t, " rows have are not named; many numbers share a bar.</p>\n"
                    "<div class=\"pair\" style=\"align-items:start\">\n");
    for (size_t i = 0; i < c->ncolumns; i++)
        put_shares(t, &c->columns[i], i);
    kn_text_addz(t, "</div>\n</section>\n");
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void
put_arrow_cell(kn_text *t, const char *head, double before, double after)
{
    kn_text_addf(t, "<td class=\"n\" data-h=\"%s\"><span>", head);
    put_fixed(t, before, 2);
    kn_text_addz(t, " &rarr; ");
    put_fixed(t, after, 2);
    kn_text_addz(t, "</span></td>");
}

static void
put_pairs(kn_text *t, const kanon_comparison *c)
{
    size_t most = c->npairs < PAIRS_MOST ? c->npairs : PAIRS_MOST;

    kn_text_addz(t, "<section id=\"pairs\">\n<h2>Pairs of columns</h2>\n<p>");
    kn_text_addz(t, most < c->npairs ? "Those that changed most. " : "");
    kn_text_addz(
        t, "Shift: rows that would have to change to restore the table of both columns. "
           "Cram&eacute;r's V measures the association of two columns, from 0 to 1.</p>\n<div "
           "class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Columns</th><th></th><th "
           "class=\"n\">Shift</th><th class=\"n\">Cram&eacute;r's V</th><th "
           "class=\"n\">Correlation</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < most; i++) {
        kn_text_addz(t, "<tr><th scope=\"row\">");
        kn_html_name(t, c->columns[c->worst[i]->a].name, NAME_MOST);
        kn_text_addz(t, ", ");
        kn_html_name(t, c->columns[c->worst[i]->b].name, NAME_MOST);
        kn_text_addz(t, "</th><td class=\"wide\">");
        kn_svg_bar(t, "lost", c->worst[i]->tvd, 0);
        kn_text_addz(t, "</td>");
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
    kn_text_addz(t, "<p>A naive Bayes classifier predicts ");
    kn_html_name(t, l->label, NAME_MOST);
    kn_text_addz(t, " from ");
    kn_plain_counted(t, l->features, "column");
    kn_text_addz(t, ". Trained on the release it is correct for ");
    kn_html_percent(t, l->accuracy_after);
    kn_text_addz(t, " of the original's rows, trained on the original for ");
    kn_html_percent(t, l->accuracy_before);
    kn_text_addz(t, "; always predicting the most frequent value is correct for ");
    kn_html_percent(t, l->baseline);
    kn_text_addz(t, ". Rows without the majority label of their class, or lost (cm): ");
    put_fixed(t, l->cm_after, 4);
    kn_text_addz(t, ", before ");
    put_fixed(t, l->cm_before, 4);
    kn_text_addz(t, ".</p>\n");
}

static void
put_error_row(kn_text *t, const char *what, const kn_compared_errors *e)
{
    const double errors[] = { e->median, e->mean, e->p75, e->p90, e->p95, e->max };
    const char  *heads[] = { "Median", "Mean", "75 %", "90 %", "95 %", "Worst" };

    if (!e->queries)
        return;
    kn_text_addf(t, "<tr><th scope=\"row\">%s</th>", what);
    for (size_t i = 0; i < KN_COUNT(errors); i++) {
        kn_text_addf(t, "<td class=\"n\" data-h=\"%s\">", heads[i]);
        kn_html_percent(t, errors[i]);
        kn_text_addz(t, "</td>");
    }
    kn_text_addz(t, "</tr>\n");
}

static void
put_queries(kn_text *t, const kanon_comparison *c)
{
    static const char *const widths[KN_QUERY_COLUMNS_MOST] = { "over one column", "over two",
                                                               "over three" };

    if (!c->queries.queries)
        return;
    kn_text_addz(t, "<h3>Counting</h3>\n<p>");
    kn_plain_count(t, c->queries.queries);
    kn_text_addz(
        t,
        " random questions of the kind &ldquo;how many rows have a value in this range?&rdquo;, "
        "and the error of the release's answer.</p>\n<div class=\"scroll\"><table "
        "class=\"stack\">\n<thead><tr><th>Relative error</th><th class=\"n\">Median</th><th "
        "class=\"n\">Mean</th><th class=\"n\">75 % within</th><th class=\"n\">90 % within</th><th "
        "class=\"n\">95 % within</th><th class=\"n\">Worst</th></tr></thead>\n<tbody>\n");
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
    put_clear(t, c);
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

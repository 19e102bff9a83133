/* SPDX-License-Identifier: Apache-2.0 */
/* explain_html.c -- an explanation as a page for people: what was asked for and found, whose fault the loss
 * is, and what every change of a setting would bring. One file, no script, nothing loaded: see
 * html_page.h. */
#include <math.h>

#include "base/plain.h"
#include "report/explain.h"
#include "report/html_page.h"
#include "report/svg.h"

enum { NAME_MOST = 60, VALUE_MOST = 40 };

static void
put_share(kn_text *t, uint64_t rows, uint64_t all)
{
    kn_html_percent(t, all ? (double) rows / (double) all : 0);
}

/* --- head ------------------------------------------------------------------------------------- */

static void
put_tiles(kn_text *t, const kanon_explanation *x)
{
    const kn_change *best = x->best;

    kn_text_addz(t, "<dl class=\"tiles five\">\n");
    kn_html_open_tile(t, "Loss");
    kn_explain_loss(t, x->loss);
    kn_text_addz(t, "</dd><dd>");
    kn_html_put(t, x->metric, 0);
    kn_text_addz(t, ", minimised</dd></div>\n");
    kn_html_open_tile(t, "Suppressed rows");
    kn_plain_count(t, x->suppressed);
    kn_text_addz(t, "</dd><dd>");
    put_share(t, x->suppressed, x->rows);
    kn_text_addz(t, "; at most ");
    kn_plain_count(t, x->allowed);
    kn_text_addz(t, "</dd></div>\n");
    kn_html_open_tile(t, "k");
    kn_plain_count(t, x->k);
    kn_html_close_tile(t, "required");
    kn_html_open_tile(t, "Proof");
    kn_text_addz(t, x->optimal ? "yes" : "no");
    kn_html_close_tile(t, x->optimal ? "no release loses less" : "a better one may exist");
    kn_html_open_tile(t, x->uncomputed ? "What helps most, so far" : "What helps most");
    if (best)
        kn_html_put(t, best->setting, VALUE_MOST);
    else
        kn_text_addz(t, "&ndash;");
    kn_html_close_tile(t, best            ? "<a href=\"#changes\">see the changes</a>"
                          : x->uncomputed ? "there was no time for most changes"
                                          : "none of the single changes that were tried");
    kn_text_addz(t, "</dl>\n");
}

static void
put_asked(kn_text *t, const kanon_explanation *x)
{
    kn_text_addz(t, "Settings: k = ");
    kn_plain_count(t, x->k);
    kn_text_addz(t, ", at most ");
    kn_html_percent(t, x->suppression);
    kn_text_addz(t, " of the rows ");
    kn_html_term(t, "suppress", "suppressed");
    for (size_t i = 0; i < x->nmodels; i++) {
        const kn_explained_model *m = &x->models[i];

        kn_text_addz(t, ", ");
        kn_html_put(t, m->name, 0);
        if (m->column) {
            kn_text_addz(t, " of ");
            kn_html_name(t, m->column, NAME_MOST);
        }
        kn_text_addf(t, " (%s = ", m->parameter);
        kn_plain_number(t, m->limit);
        if (m->second) {
            kn_text_addf(t, ", %s = ", m->second);
            kn_plain_number(t, m->other);
        }
        kn_text_addz(t, ")");
    }
    kn_text_addz(t, ". ");
}

static void
put_header(kn_text *t, const kanon_explanation *x)
{
    kn_text_addf(t,
                 "<header>\n<div class=\"brand\"><span>kanon "
                 "%s</span><span>Explanation</span><span class=\"edition\">Internal: for the "
                 "holder of the table</span></div>\n<h1>%s</h1>\n<p class=\"lead\">",
                 kanon_version(),
                 x->feasible ? "Why this much is lost, and what would change it"
                             : "Why there is no release, and what would allow one");
    kn_html_name(t, x->input, NAME_MOST);
    kn_text_addz(t, ", ");
    kn_plain_counted(t, x->rows, "row");
    kn_text_addz(t, ". ");
    put_asked(t, x);
    if (!x->feasible) {
        kn_text_addz(t, x->has_local ? "Even if all rows were one class, "
                                     : "Even with every quasi-identifier dropped, ");
        kn_plain_count(t, x->suppressed);
        kn_text_addz(t, " of them would have to be suppressed.");
    }
    kn_text_addz(t, "</p>\n");
    if (x->feasible)
        put_tiles(t, x);
    kn_text_addz(t, "<nav aria-label=\"Sections\">\n");
    if (x->feasible)
        kn_text_addf(t, "<a href=\"#columns\">Columns</a>\n<a href=\"#where\">%s</a>\n",
                     x->has_local ? "Classes" : "Groups");
    kn_text_addz(t, "<a href=\"#changes\">Changes</a>\n"
                    "<a href=\"#glossary\">Glossary</a>\n"
                    "</nav>\n"
                    "</header>\n"
                    "<main>\n");
}

/* --- levels ----------------------------------------------------------------------------------- */

static void
put_saved(kn_text *t, const char *head, const kn_explained_column *c, uint64_t saved)
{
    kn_text_addf(t, "<td class=\"n\" data-h=\"%s\">", head);
    if (c->level >= c->height)
        kn_text_addz(t, "&ndash;");
    else
        kn_plain_count(t, saved);
    kn_text_addz(t, "</td>");
}

static void
put_column_row(kn_text *t, const kanon_explanation *x, const kn_explained_column *c)
{
    kn_svg_ladder ladder = { c->level, c->height, c->floor };

    kn_text_addz(t, "<tr><th scope=\"row\">");
    kn_html_name(t, c->name, NAME_MOST);
    kn_text_addz(t, "</th><td data-h=\"Level\"><span>");
    kn_svg_ladder_put(t, &ladder);
    kn_text_addz(t, "</span></td><td class=\"n\" data-h=\"Information lost\">");
    kn_html_percent(t, c->loss.glm);
    kn_text_addz(t, "</td>");
    put_saved(t, "Rows kept, a level up", c, c->saved_up);
    put_saved(t, "Rows kept without it", c, c->saved_top);
    kn_text_addz(t, "<td class=\"n\" data-h=\"Outlying, a level down\">");
    if (c->has_below) {
        kn_plain_count(t, c->below.outlying);
        kn_text_addz(t, " (");
        put_share(t, c->below.outlying, x->rows);
        kn_text_addz(t, ")");
    } else {
        kn_text_addz(t, "&ndash;");
    }
    kn_text_addz(t, "</td></tr>\n");
}

static void
put_columns(kn_text *t, const kanon_explanation *x)
{
    kn_text_addz(t, "<section id=\"columns\">\n<h2>Columns</h2>\n<p>The ");
    kn_html_term(t, "level", NULL);
    kn_text_addz(t, " of each quasi-identifier, from exact to *; filled dots are ruled out for "
                    "every choice of the other columns. How many of the suppressed rows would be "
                    "kept if only this column were coarser, and how many rows would be in classes "
                    "that are too small if it were finer.</p>\n<div class=\"scroll\"><table "
                    "class=\"stack\">\n<thead><tr><th>Column</th><th>Level</th><th "
                    "class=\"n\">Information lost</th><th class=\"n\">Rows kept,<br>a level "
                    "up</th><th class=\"n\">Rows kept<br>without it</th><th "
                    "class=\"n\">Outlying,<br>a level down</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < x->ncolumns; i++)
        put_column_row(t, x, &x->columns[i]);
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

static void
put_bar(kn_text *t, const char *label, uint64_t outlying, uint64_t rows)
{
    kn_text_addf(t, "<tr%s><th scope=\"row\">", label ? "" : " class=\"pool\"");
    if (label)
        kn_html_name(t, label, VALUE_MOST);
    else
        kn_text_addz(t, "groups with few rows");
    kn_text_addz(t, "</th><td>");
    kn_svg_bar(t, label ? "lost" : "pooled", rows ? (double) outlying / (double) rows : 0,
               (double) NAN);
    kn_text_addz(t, "</td><td class=\"n\">");
    kn_plain_count(t, outlying);
    kn_text_addz(t, " of ");
    kn_plain_count(t, rows);
    kn_text_addz(t, "</td></tr>\n");
}

static void
put_where(kn_text *t, const kn_explained_column *c, const kn_explained_where *w)
{
    kn_text_addz(t, "<div><h4>");
    kn_html_name(t, c->name, NAME_MOST);
    kn_text_addf(t, ", level %u of %u</h4>\n<table class=\"bars\"><tbody>\n", w->level, c->height);
    for (size_t i = 0; i < w->ngroups; i++)
        put_bar(t, w->groups[i].label, w->groups[i].outlying, w->groups[i].rows);
    if (w->rare_outlying)
        put_bar(t, NULL, w->rare_outlying, w->rare_rows);
    kn_text_addz(t, "</tbody></table></div>\n");
}

static bool
suppresses(const kanon_explanation *x, const kn_explained_column *c)
{
    return x->suppressed && c->level < c->height;
}

static bool
blocks(const kanon_explanation *x, const kn_explained_column *c)
{
    return c->has_below && c->below.outlying > x->allowed;
}

static void
put_groups(kn_text *t, const kanon_explanation *x)
{
    size_t shown = 0;

    kn_text_addz(t, "<section id=\"where\">\n<h2>Groups</h2>\n");
    for (size_t i = 0; i < x->ncolumns; i++)
        if (suppresses(x, &x->columns[i])) {
            kn_text_addz(t, shown++ ? ""
                                    : "<h3>Where the suppressed rows are</h3>\n<p>Suppressed rows, "
                                      "of all rows of the group.</p>\n<div class=\"pair\">\n");
            put_where(t, &x->columns[i], &x->columns[i].at);
        }
    kn_text_addz(t, shown ? "</div>\n" : "<p>No row is suppressed.</p>\n");
    shown = 0;
    for (size_t i = 0; i < x->ncolumns; i++)
        if (blocks(x, &x->columns[i])) {
            kn_text_addz(t,
                         shown++
                             ? ""
                             : "<h3>What keeps a column from being finer</h3>\n<p>Rows that would "
                               "be in classes that are too small, of all rows of the group, if "
                               "this column were one level finer.</p>\n<div class=\"pair\">\n");
            put_where(t, &x->columns[i], &x->columns[i].below);
        }
    kn_text_addz(t, shown ? "</div>\n" : "");
    kn_text_addz(t, "<p class=\"note\">Groups are not named if fewer than ");
    kn_plain_count(t, x->least);
    kn_text_addz(t, " rows belong to them.</p>\n</section>\n");
}

/* --- local recoding --------------------------------------------------------------------------- */

static void
put_local_columns(kn_text *t, const kanon_explanation *x)
{
    uint64_t released = x->rows - x->suppressed;

    kn_text_addz(t, "<section id=\"columns\">\n<h2>Columns</h2>\n<p>With ");
    kn_html_term(t, "local recoding", NULL);
    kn_text_addz(t,
                 " every class is generalized separately. How much each column lost, its share of "
                 "the total loss, and how many released rows still show their exact value there, "
                 "or nothing at all: <code>*</code>, or a group or range of all values.</p>\n<div "
                 "class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Column</th><th "
                 "class=\"n\">Information lost</th><th></th><th class=\"n\">Share of the "
                 "loss</th><th class=\"n\">Rows exact</th><th class=\"n\">Rows without "
                 "information: * or a group of all values</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        kn_text_addz(t, "<tr><th scope=\"row\">");
        kn_html_name(t, c->name, NAME_MOST);
        kn_text_addz(t, "</th><td class=\"n\" data-h=\"Information lost\">");
        kn_html_percent(t, c->loss.glm);
        kn_text_addz(t, "</td><td class=\"wide\">");
        kn_svg_bar(t, "lost", c->share, (double) NAN);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"Share of the loss\">");
        kn_html_percent(t, c->share);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"Rows exact\">");
        put_share(t, c->exact, released);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"Rows without information\">");
        put_share(t, c->hidden, released);
        kn_text_addz(t, "</td></tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

static void
put_source(kn_text *t, const char *label, double share)
{
    kn_text_addf(t, "<tr><th scope=\"row\">%s</th><td>", label);
    kn_svg_bar(t, "lost", share, (double) NAN);
    kn_text_addz(t, "</td><td class=\"n\">");
    kn_html_percent(t, share);
    kn_text_addz(t, "</td></tr>\n");
}

static void
put_worst(kn_text *t, const kanon_explanation *x)
{
    kn_text_addz(
        t, "<h3>The classes that lose most</h3>\n<p>The labels of a class are not shown here, "
           "because its intervals may end at original values.</p>\n<div class=\"scroll\"><table "
           "class=\"stack\">\n<thead><tr><th>Class of</th><th class=\"n\">Loss of a cell</th><th "
           "class=\"n\">Share of the loss</th><th>Widest in</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < x->local.nworst; i++) {
        const kn_explained_class *c = &x->local.worst[i];

        kn_text_addz(t, "<tr><th scope=\"row\">");
        kn_plain_counted(t, c->rows, "row");
        kn_text_addz(t, "</th><td class=\"n\" data-h=\"Loss of a cell\">");
        kn_html_percent(t, c->loss);
        kn_text_addz(t, "</td><td class=\"n\" data-h=\"Share of the loss\">");
        kn_html_percent(t, c->share);
        kn_text_addz(t, "</td><td data-h=\"Widest in\"><span>");
        kn_html_name(t, x->columns[c->widest].name, NAME_MOST);
        kn_text_addz(t, " (");
        kn_html_percent(t, c->widest_loss);
        kn_text_addz(t, ")");
        if (c->second != c->widest) {
            kn_text_addz(t, ", ");
            kn_html_name(t, x->columns[c->second].name, NAME_MOST);
            kn_text_addz(t, " (");
            kn_html_percent(t, c->second_loss);
            kn_text_addz(t, ")");
        }
        kn_text_addz(t, "</span></td></tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n");
}

static void
put_classes(kn_text *t, const kanon_explanation *x)
{
    const kn_explained_local *l = &x->local;

    kn_text_addz(t, "<section id=\"where\">\n<h2>Where the loss comes from</h2>\n<p>The released "
                    "rows form <b>");
    kn_plain_count(t, l->classes);
    kn_text_addz(t, "</b> ");
    kn_html_term(t, "class", l->classes == 1 ? "class" : "classes");
    kn_text_addz(t, "; the smallest has ");
    kn_plain_counted(t, l->smallest, "row");
    kn_text_addz(t, ", the largest ");
    kn_plain_count(t, l->largest);
    kn_text_addz(t, ". The shares overlap: a large class may also be one of the widest.</p>\n"
                    "<table class=\"bars\"><tbody>\n");
    put_source(t, "suppressed rows", l->suppressed);
    put_source(t, "classes of 2k rows or more, which could be two", l->large);
    put_source(t, "the tenth of the classes that lose most", l->tenth);
    kn_text_addz(t, "</tbody></table>\n");
    if (l->nworst)
        put_worst(t, x);
    kn_text_addz(t, "</section>\n");
}

/* --- changes ---------------------------------------------------------------------------------- */

static void
put_what(kn_text *t, const kn_change *c)
{
    if (c->kind == KN_CHANGE_LEVEL) {
        kn_html_name(t, c->column, NAME_MOST);
        kn_text_addf(t, " one level %s", c->to > c->from ? "coarser" : "finer");
    } else if (c->kind == KN_CHANGE_DROP) {
        kn_text_addz(t, "without ");
        kn_html_name(t, c->column, NAME_MOST);
    } else {
        kn_text_addz(t, "<code>");
        kn_html_put(t, c->setting, NAME_MOST);
        kn_text_addz(t, "</code>");
    }
}

static bool
is_known(const kn_change *c)
{
    return c->computed && (c->feasible || c->kind == KN_CHANGE_LEVEL);
}

static const char *
remark(const kanon_explanation *x, const kn_change *c)
{
    return !c->computed                                              ? "no time was left"
         : !c->feasible && c->kind == KN_CHANGE_LEVEL                ? "too many suppressed"
         : !c->feasible                                              ? "no release"
         : c->kind != KN_CHANGE_LEVEL && !c->proven && !x->has_local ? "not proven"
                                                                     : "";
}

static void
put_change(kn_text *t, const kanon_explanation *x, const kn_change *c, double most)
{
    kn_text_addz(t, "<tr><th scope=\"row\">");
    put_what(t, c);
    kn_text_addz(t, "</th><td class=\"wide\">");
    if (is_known(c))
        kn_svg_bar(t, c->feasible ? "after" : "pooled", most > 0 ? c->loss_all / most : 0,
                   x->feasible && most > 0 ? x->loss / most : (double) NAN);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Loss\">");
    if (is_known(c))
        kn_explain_loss(t, c->loss_all);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Change\">");
    if (is_known(c) && x->feasible)
        kn_explain_loss_change(t, c->loss_all - x->loss);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Suppressed\">");
    if (is_known(c))
        put_share(t, c->suppressed, x->rows);
    kn_text_addf(t, "</td><td data-h=\"Note\">%s</td></tr>\n", remark(x, c));
}

static void
put_advice(kn_text *t, const kanon_explanation *x)
{
    const kn_change *best = x->best;

    if (!best)
        return;
    kn_text_addz(t, "<div class=\"box good\"><p>Of ");
    kn_explain_tried(t, x, "all changes of one setting");
    kn_text_addz(t, ", <code>");
    kn_html_put(t, best->setting, NAME_MOST);
    kn_text_addz(t, "</code> lowers the loss most: from ");
    kn_plain_number(t, x->loss);
    kn_text_addz(t, " to ");
    kn_plain_number(t, best->loss_all);
    kn_text_addz(t, best->kind == KN_CHANGE_DROP
                        ? ". You decide whether the column can be dropped.</p></div>\n"
                        : ". You decide whether the weaker promise is acceptable.</p></div>\n");
}

static void
put_changes(kn_text *t, const kanon_explanation *x)
{
    double most = x->feasible ? x->loss : 0;

    for (size_t i = 0; i < x->nchanges; i++)
        if (is_known(&x->changes[i]) && x->changes[i].loss_all > most)
            most = x->changes[i].loss_all;
    kn_text_addf(t, "<section id=\"changes\">\n<h2>%s</h2>\n",
                 x->feasible ? "One change at a time" : "The nearest settings that work");
    put_advice(t, x);
    kn_text_addz(t, x->uncomputed ? "<p>Every line with figures was computed by running it. "
                                  : "<p>Every line was computed by running it. ");
    kn_text_addz(t, x->feasible ? "The thin line marks the loss with the current settings. " : "");
    kn_text_addz(t, "A dropped column counts as lost.</p>\n");
    kn_text_addz(t, "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Change</th>"
                    "<th></th><th class=\"n\">");
    kn_html_put(t, x->metric, 0);
    kn_text_addf(t,
                 "</th><th class=\"n\">%s</th><th class=\"n\">Suppressed</th><th></th></tr>"
                 "</thead>\n<tbody>\n",
                 x->feasible ? "Change" : "");
    for (size_t i = 0; i < x->nchanges; i++)
        put_change(t, x, &x->changes[i], most);
    kn_text_addz(t, "</tbody></table></div>\n");
    if (!x->nchanges)
        kn_text_addz(t, "<p>No single change of a setting makes a release feasible.</p>\n");
    if (x->uncomputed) {
        kn_text_addz(t, "<p class=\"note\">");
        kn_plain_counted(t, x->uncomputed, "change");
        kn_text_addz(
            t,
            " not computed for lack of time; <code>--time-limit none</code> computes all.</p>\n");
    }
    kn_text_addz(t, "</section>\n");
}

void
kn_explain_html(kn_text *t, const kanon_explanation *x)
{
    kn_html_begin(t, "kanon: explanation");
    put_header(t, x);
    if (x->feasible && x->has_local) {
        put_local_columns(t, x);
        put_classes(t, x);
    } else if (x->feasible) {
        put_columns(t, x);
        put_groups(t, x);
    }
    put_changes(t, x);
    kn_html_glossary(t);
    kn_text_addf(t,
                 "</main>\n<footer>Written by kanon %s. It contains exact counts of small groups: "
                 "keep it with the table.</footer>\n",
                 kanon_version());
    kn_html_end(t);
}

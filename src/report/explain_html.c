/* SPDX-License-Identifier: Apache-2.0 */
/* explain_html.c -- an explanation as a page for people: what was asked for and found, whose fault the loss
 * is, and what every change of a setting would bring. One file, no script, nothing loaded: see
 * html_page.h. */
#include <math.h>

#include "base/fill.h"
#include "report/explain.h"
#include "report/html_page.h"
#include "report/svg.h"

enum { NAME_MOST = 60, VALUE_MOST = 40 };

/* --- head ------------------------------------------------------------------------------------- */

static void
put_tiles(kn_text *t, const kanon_explanation *x)
{
    const kn_change *best = x->best;

    kn_text_addz(t, "<dl class=\"tiles five\">\n");
    KN_HTML_TILE(t, "Information kept", "{}", "of the quasi-identifiers, minimising {}",
                 kn_html_as_percent(x->kept), kn_html_as_text(x->metric, 0));
    KN_HTML_TILE(t, "Suppressed rows", "{}", "{}; at most {}", kn_as_count(x->suppressed),
                 kn_html_as_percent(kn_share(x->suppressed, x->rows)), kn_as_count(x->allowed));
    KN_HTML_TILE(t, "k", "{}", "required", kn_as_count(x->k));
    KN_HTML_TILE(t, "Proof", "{}", "{}", kn_as_is(x->optimal ? "yes" : "no"),
                 kn_as_is(x->optimal ? "no release is better by it" : "a better one may exist"));
    KN_HTML_TILE(t, "What helps most{}", "{}", "{}", kn_as_is(x->uncomputed ? ", so far" : ""),
                 best ? kn_html_as_sentence(best->setting) : KN_HTML_NONE,
                 kn_as_is(best            ? "<a href=\"#changes\">see the changes</a>"
                          : x->uncomputed ? "there was no time for most changes"
                                          : "no single change that keeps the privacy"));
    kn_text_addz(t, "</dl>\n");
}

static void
put_asked(kn_text *t, const kanon_explanation *x)
{
    KN_FILL(t, "Settings: k = {}, at most {} of the rows {}", kn_as_count(x->k),
            kn_html_as_percent(x->suppression), kn_html_as_term("suppress", "suppressed"));
    for (size_t i = 0; i < x->nmodels; i++) {
        const kn_explained_model *m = &x->models[i];

        KN_FILL(t, ", {}", kn_html_as_text(m->name, 0));
        if (m->column)
            KN_FILL(t, " of {}", kn_html_as_name(m->column, NAME_MOST));
        KN_FILL(t, " ({} = {}", kn_as_is(m->parameter), kn_as_number(m->limit));
        if (m->second)
            KN_FILL(t, ", {} = {}", kn_as_is(m->second), kn_as_number(m->other));
        kn_text_addz(t, ")");
    }
    kn_text_addz(t, ". ");
}

static void
put_header(kn_text *t, const kanon_explanation *x)
{
    KN_FILL(t,
            "<header>\n<div class=\"brand\"><span>kanon {}</span><span>Explanation</span><span "
            "class=\"edition\">Internal: for the holder of the table</span></div>\n<h1>{}</h1>\n<p "
            "class=\"lead\">{}, {}. ",
            kn_as_is(kanon_version()),
            kn_as_is(x->feasible ? "Why this much is lost, and what would change it"
                                 : "Why there is no release, and what would allow one"),
            kn_html_as_name(x->input, NAME_MOST), kn_as_counted(x->rows, "row"));
    put_asked(t, x);
    KN_FILL(t, "{}{}", kn_html_as_sentence(x->opening.headline),
            kn_as_is(x->feasible ? "</p>\n" : ".</p>\n"));
    kn_html_opening(t, &x->opening);
    if (x->feasible)
        put_tiles(t, x);
    kn_text_addz(t, "<nav aria-label=\"Sections\">\n");
    if (x->feasible)
        kn_text_addf(t, "<a href=\"#columns\">Columns</a>\n<a href=\"#where\">%s</a>\n",
                     x->has_local ? "Classes" : "Groups");
    if (x->sets.count)
        kn_text_addz(t, "<a href=\"#sets\">Sets of columns</a>\n");
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

    KN_FILL(t, "<tr><th scope=\"row\">{}</th><td data-h=\"Level\"><span>",
            kn_html_as_name(c->name, NAME_MOST));
    kn_svg_ladder_put(t, &ladder);
    KN_FILL(t, "</span></td><td class=\"n\" data-h=\"Information kept\">{}</td>",
            kn_html_as_percent(1 - c->loss.glm));
    put_saved(t, "Rows kept, a level up", c, c->saved_up);
    put_saved(t, "Rows kept without it", c, c->saved_top);
    kn_text_addz(t, "<td class=\"n\" data-h=\"Outlying, a level down\">");
    if (c->has_below)
        KN_FILL(t, "{} ({})", kn_as_count(c->below.outlying),
                kn_html_as_percent(kn_share(c->below.outlying, x->rows)));
    else
        kn_text_addz(t, "&ndash;");
    kn_text_addz(t, "</td></tr>\n");
}

static void
put_columns(kn_text *t, const kanon_explanation *x)
{
    KN_FILL(t,
            "<section id=\"columns\">\n<h2>Columns</h2>\n<p>The {} of each quasi-identifier, from "
            "exact to *; filled dots are ruled out for every choice of the other columns. How many "
            "of the suppressed rows would be kept if only this column were coarser, and how many "
            "rows would be in classes that are too small if it were finer.</p>\n<div "
            "class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Column</th><th>Level</th><th "
            "class=\"n\">Information kept</th><th class=\"n\">Rows kept,<br>a level up</th><th "
            "class=\"n\">Rows kept<br>without it</th><th class=\"n\">Outlying,<br>a level "
            "down</th></tr></thead>\n<tbody>\n",
            kn_html_as_term("level", NULL));
    for (size_t i = 0; i < x->ncolumns; i++)
        put_column_row(t, x, &x->columns[i]);
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

static void
put_bar(kn_text *t, const char *label, uint64_t outlying, uint64_t rows)
{
    kn_html_bar bar = { label,        "groups with few rows",
                        "lost",       kn_share(outlying, rows),
                        (double) NAN, false };

    KN_HTML_BAR(t, &bar, "{} of {}", kn_as_count(outlying), kn_as_count(rows));
}

static void
put_where(kn_text *t, const kn_explained_column *c, const kn_explained_where *w)
{
    KN_FILL(t, "<div><h4>{}, level {} of {}</h4>\n<table class=\"bars\"><tbody>\n",
            kn_html_as_name(c->name, NAME_MOST), kn_as_digits(w->level), kn_as_digits(c->height));
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
    KN_FILL(t,
            "{}<p class=\"note\">Groups are not named if fewer than {} rows belong to "
            "them.</p>\n</section>\n",
            kn_as_is(shown ? "</div>\n" : ""), kn_as_count(x->least));
}

/* --- local recoding --------------------------------------------------------------------------- */

static void
put_local_columns(kn_text *t, const kanon_explanation *x)
{
    uint64_t released = x->rows - x->suppressed;

    KN_FILL(t,
            "<section id=\"columns\">\n<h2>Columns</h2>\n<p>With {} every class is generalized "
            "separately. How much each column keeps, its share of the total loss, and how many "
            "released rows still show their exact value there, or nothing at all: <code>*</code>, "
            "or a group or range of all values.</p>\n<div class=\"scroll\"><table "
            "class=\"stack\">\n<thead><tr><th>Column</th><th class=\"n\">Information "
            "kept</th><th></th><th class=\"n\">Share of the loss</th><th class=\"n\">Rows "
            "exact</th><th class=\"n\">Rows without information: * or a group of all "
            "values</th></tr></thead>\n<tbody>\n",
            kn_html_as_term("local recoding", NULL));
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        KN_FILL(t,
                "<tr><th scope=\"row\">{}</th><td class=\"n\" data-h=\"Information "
                "kept\">{}</td><td class=\"wide\">{}</td><td class=\"n\" data-h=\"Share of the "
                "loss\">{}</td><td class=\"n\" data-h=\"Rows exact\">{}</td><td class=\"n\" "
                "data-h=\"Rows without information\">{}</td></tr>\n",
                kn_html_as_name(c->name, NAME_MOST), kn_html_as_percent(1 - c->loss.glm),
                kn_svg_as_bar("lost", c->share, (double) NAN), kn_html_as_percent(c->share),
                kn_html_as_percent(kn_share(c->exact, released)),
                kn_html_as_percent(kn_share(c->hidden, released)));
    }
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

static void
put_source(kn_text *t, const char *label, double share)
{
    kn_html_bar bar = { label, NULL, "lost", share, (double) NAN, false };

    KN_HTML_BAR(t, &bar, "{}", kn_html_as_percent(share));
}

static void
put_worst(kn_text *t, const kanon_explanation *x)
{
    kn_text_addz(
        t, "<h3>The classes that lose most</h3>\n<p>The labels of a class are not shown here, "
           "because its intervals may end at original values.</p>\n<div class=\"scroll\"><table "
           "class=\"stack\">\n<thead><tr><th>Class of</th><th class=\"n\">Kept of a cell</th><th "
           "class=\"n\">Share of the loss</th><th>Widest in</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < x->local.nworst; i++) {
        const kn_explained_class *c = &x->local.worst[i];

        KN_FILL(t,
                "<tr><th scope=\"row\">{}</th><td class=\"n\" data-h=\"Kept of a cell\">{}</td><td "
                "class=\"n\" data-h=\"Share of the loss\">{}</td><td data-h=\"Widest in\"><span>{} "
                "({})",
                kn_as_counted(c->rows, "row"), kn_html_as_percent(1 - c->loss),
                kn_html_as_percent(c->share),
                kn_html_as_name(x->columns[c->widest].name, NAME_MOST),
                kn_html_as_percent(1 - c->widest_loss));
        if (c->second != c->widest)
            KN_FILL(t, ", {} ({})", kn_html_as_name(x->columns[c->second].name, NAME_MOST),
                    kn_html_as_percent(1 - c->second_loss));
        kn_text_addz(t, "</span></td></tr>\n");
    }
    kn_text_addz(t, "</tbody></table></div>\n");
}

static void
put_classes(kn_text *t, const kanon_explanation *x)
{
    const kn_explained_local *l = &x->local;

    KN_FILL(t,
            "<section id=\"where\">\n<h2>Where the loss comes from</h2>\n<p>The released rows form "
            "<b>{}</b> {}; the smallest has {}, the largest {}. The shares overlap: a large class "
            "may also be one of the widest.</p>\n<table class=\"bars\"><tbody>\n",
            kn_as_count(l->classes),
            kn_html_as_term("class", l->classes == 1 ? "class" : "classes"),
            kn_as_counted(l->smallest, "row"), kn_as_count(l->largest));
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
    if (c->kind == KN_CHANGE_LEVEL)
        KN_FILL(t, "{} one level {}", kn_html_as_name(c->column, NAME_MOST),
                kn_as_is(c->to > c->from ? "coarser" : "finer"));
    else if (c->kind == KN_CHANGE_DROP)
        KN_FILL(t, "without {}", kn_html_as_name(c->column, NAME_MOST));
    else
        KN_FILL(t, "<code>{}</code>", kn_html_as_sentence(c->setting));
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
put_change(kn_text *t, const kanon_explanation *x, const kn_change *c)
{
    kn_text_addz(t, "<tr><th scope=\"row\">");
    put_what(t, c);
    kn_text_addz(t, "</th><td class=\"wide\">");
    if (is_known(c))
        kn_svg_bar(t, c->feasible ? "after" : "pooled", c->kept,
                   x->feasible ? x->kept : (double) NAN);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Kept\">");
    if (is_known(c))
        kn_html_percent(t, c->kept);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Points\">");
    if (is_known(c) && x->feasible)
        kn_explain_points(t, c->kept - x->kept);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Suppressed\">");
    if (is_known(c))
        kn_html_percent(t, kn_share(c->suppressed, x->rows));
    kn_text_addf(t, "</td><td data-h=\"Note\">%s</td></tr>\n", remark(x, c));
}

static void
put_best(kn_text *t, const kanon_explanation *x, const kn_change *best)
{
    KN_FILL(t, "<code>{}</code> keeps most: {} of the information, now {}. ",
            kn_html_as_sentence(best->setting), kn_html_as_percent(best->kept),
            kn_html_as_percent(x->kept));
}

static void
put_advice(kn_text *t, const kanon_explanation *x)
{
    if (!x->best && !x->best_weaker)
        return;
    kn_text_addz(t, "<div class=\"box good\"><p>Of ");
    kn_explain_tried(t, x, "all changes of one setting");
    kn_text_addz(t, ", ");
    if (x->best) {
        put_best(t, x, x->best);
        kn_text_addz(t, x->best->kind == KN_CHANGE_DROP
                            ? "You decide whether the column can be dropped."
                            : "You decide whether so many rows may be lost.");
    } else {
        kn_text_addz(t, "none keeps more without weakening the privacy.");
    }
    if (x->best_weaker && (!x->best || x->best_weaker->kept > x->best->kept)) {
        kn_text_addz(t, " Of those that weaken it, ");
        put_best(t, x, x->best_weaker);
    }
    kn_text_addz(t, "</p></div>\n");
}

static void
open_changes(kn_text *t, const kanon_explanation *x)
{
    kn_text_addf(t,
                 "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Change</th>"
                 "<th></th><th class=\"n\">Kept</th><th class=\"n\">%s</th><th "
                 "class=\"n\">Suppressed</th><th></th></tr></thead>\n<tbody>\n",
                 x->feasible ? "Points" : "");
}

static void
put_changes(kn_text *t, const kanon_explanation *x)
{
    bool open = false, weaker = false;

    kn_text_addf(t, "<section id=\"changes\">\n<h2>%s</h2>\n",
                 x->feasible ? "One change at a time" : "The nearest settings that work");
    put_advice(t, x);
    KN_FILL(t,
            "{}<i>Kept</i> is the share of the information in all quasi-identifiers; a dropped "
            "column counts as lost.{}",
            kn_as_is(x->uncomputed ? "<p>Every line with figures was computed by running it. "
                                   : "<p>Every line was computed by running it. "),
            kn_as_is(x->feasible
                         ? " The thin line marks what is kept with the current settings.</p>\n"
                         : "</p>\n"));
    for (size_t i = 0; i < x->nchanges; i++) {
        bool begins = x->changes[i].weakens && !weaker;

        weaker |= x->changes[i].weakens;
        if (begins && open)
            kn_text_addz(t, "</tbody></table></div>\n");
        if (begins)
            kn_text_addz(t, "<h3>With less privacy</h3>\n");
        if (begins || !open)
            open_changes(t, x);
        open = true;
        put_change(t, x, &x->changes[i]);
    }
    kn_text_addz(t, open ? "</tbody></table></div>\n"
                         : "<p>No single change of a setting makes a release feasible.</p>\n");
    if (x->uncomputed)
        KN_FILL(t,
                "<p class=\"note\">{} not computed for lack of time; <code>--time-limit "
                "none</code> computes all.</p>\n",
                kn_as_counted(x->uncomputed, "change"));
    kn_text_addz(t, "</section>\n");
}

/* --- sets of columns -------------------------------------------------------------------------- */

static void
put_sets(kn_text *t, const kanon_explanation *x)
{
    if (!x->sets.count)
        return;
    kn_text_addz(t, "<section id=\"sets\">\n<h2>Sets of columns that could be kept</h2>\n<p>What a "
                    "release keeps of a few quasi-identifiers if the others are dropped (role "
                    "<code>identifier</code>). The first set keeps most; each of the others has a "
                    "column that those before it lack, or more detail.</p>\n<div "
                    "class=\"scroll\"><table class=\"stack\">\n<thead><tr><th>Columns (kept of "
                    "each)</th><th></th><th class=\"n\">Kept of them</th><th "
                    "class=\"n\">Suppressed</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < x->sets.count; i++) {
        const kn_kept_set *set = &x->sets.of[i];

        kn_text_addz(t, "<tr><th scope=\"row\">");
        for (size_t c = 0; c < set->ncolumns; c++)
            KN_FILL(t, "{}{} ({})", kn_as_is(c ? ", " : ""),
                    kn_html_as_name(set->columns[c].name, NAME_MOST),
                    kn_html_as_percent(set->columns[c].kept));
        KN_FILL(t,
                "</th><td class=\"wide\">{}</td><td class=\"n\" data-h=\"Kept of them\">{}</td><td "
                "class=\"n\" data-h=\"Suppressed\">{}</td></tr>\n",
                kn_svg_as_bar("after", set->kept, (double) NAN), kn_html_as_percent(set->kept),
                kn_html_as_percent(kn_share(set->suppressed, x->rows)));
    }
    kn_text_addz(t, "</tbody></table></div>\n</section>\n");
}

void
kn_explain_html(kn_text *t, const kanon_explanation *x)
{
    kn_html_begin(t, "kanon: explanation");
    put_header(t, x);
    if (x->findings.count)
        kn_html_findings(t, &x->findings);
    if (x->feasible && x->has_local) {
        put_local_columns(t, x);
        put_classes(t, x);
    } else if (x->feasible) {
        put_columns(t, x);
        put_groups(t, x);
    }
    put_sets(t, x);
    put_changes(t, x);
    kn_html_glossary(t);
    kn_text_addf(t,
                 "</main>\n<footer>Written by kanon %s. It contains exact counts of small groups: "
                 "keep it with the table.</footer>\n",
                 kanon_version());
    kn_html_end(t);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* html_report.c -- a result as one HTML file: the headline, what is promised and what is not, what an expert
 * would say, and the sections of the other files. Readable without a word of programming, and on paper. */
#include <math.h>

#include "report/html_report.h"

#include "base/plain.h"
#include "report/svg.h"
#include "result/public.h"

/* --- pieces that sections share ------------------------------------------------------------------- */

void
kn_html_count(const kn_html *h, uint64_t count)
{
    uint64_t least = kn_public_least(h->r);

    if (!h->external || !count) {
        kn_plain_count(h->text, count);
    } else if (count < least) {
        kn_text_addz(h->text, "fewer than ");
        kn_plain_count(h->text, least);
    } else {
        kn_text_addz(h->text, "about ");
        kn_plain_count(h->text, kn_public_rounded(count));
    }
}

void
kn_html_lost(const kn_html *h, uint64_t count)
{
    uint64_t about = h->external ? kn_public_lost(h->r, count) : count;

    if (h->external)
        kn_text_addz(h->text, about ? "about " : "fewer than ");
    kn_plain_count(h->text, h->external && !about ? kn_public_lost_least(h->r) : about);
}

void
kn_html_loss(const kn_html *h, double loss)
{
    if (!h->external)
        kn_html_percent(h->text, loss);
    else if (isnan(kn_public_loss(h->r, loss)))
        kn_text_addz(h->text, "&ndash;");
    else
        kn_text_addf(h->text, "%.0f %%", 100 * kn_public_loss(h->r, loss));
}

void
kn_html_entry(kn_text *text, const char *title)
{
    kn_text_addf(text, "<dt>%s</dt><dd>", title);
}

void
kn_html_bars_begin(kn_text *text, const char *what)
{
    kn_text_addf(text, "<table class=\"bars\" aria-label=\"%s\"><tbody>\n", what);
}

void
kn_html_bar_put(kn_text *text, const kn_html_bar *bar)
{
    kn_text_addf(text, "<tr%s><th scope=\"row\"%s>", bar->name ? "" : " class=\"pool\"",
                 bar->flagged ? " class=\"flag\"" : "");
    if (bar->name)
        kn_html_name(text, bar->name, KN_HTML_VALUE_MOST);
    else
        kn_text_addz(text, bar->pooled);
    kn_text_addz(text, "</th><td>");
    kn_svg_bar(text, bar->name ? bar->style : "pooled", bar->share, bar->mark);
    kn_text_addz(text, "</td><td class=\"n\">");
}

void
kn_html_bar_end(kn_text *text)
{
    kn_text_addz(text, "</td></tr>\n");
}

void
kn_html_bars_end(kn_text *text)
{
    kn_text_addz(text, "</tbody></table>\n");
}

/* "age, sex and postcode"; of many only the first, since all of them stand in the table of columns. */
static void
put_names(const kn_html *h, kn_role role)
{
    enum { NAMES = 8 };
    const kanon_result *r = h->r;
    size_t count = kn_result_count_role(r, role), shown = count > NAMES ? NAMES - 1 : count,
           named = 0;

    for (size_t i = 0; i < r->nattributes && named < shown; i++) {
        if (r->attributes[i].role != role)
            continue;
        kn_text_addz(h->text, named == 0 ? "" : named + 1 == count ? " and " : ", ");
        kn_html_name(h->text, r->attributes[i].name, KN_HTML_VALUE_MOST);
        named++;
    }
    if (shown < count)
        kn_text_addf(h->text, " and %zu more <a href=\"#columns\">columns</a>", count - shown);
}

/* --- headline ------------------------------------------------------------------------------------- */

static void
put_title(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<h1>");
    if (!h->released) {
        kn_text_addz(t, "Nothing was released");
    } else if (!r->released_rows) {
        kn_text_addz(t, r->input_rows && !h->external ? "Nothing is left: every row was suppressed"
                                                      : "A release without rows");
    } else {
        kn_plain_count(t, r->released_rows);
        if (!h->external) {
            kn_text_addz(t, " of ");
            kn_plain_count(t, r->input_rows);
        }
        kn_text_addf(t, " %s released, ", r->released_rows == 1 ? "row" : "rows");
        if (r->k_reached > 1) {
            kn_text_addz(t, "each hidden among at least ");
            kn_plain_counted(t, r->k_reached - 1, "other");
        } else {
            kn_text_addz(t, "some of them like no other");
        }
    }
    kn_text_addz(t, "</h1>\n");
}

static void
put_why(const kn_html *h)
{
    const kn_finding *why = kn_findings_find(&h->r->findings, KN_FOUND_INFEASIBLE);

    if (why) {
        kn_html_put(h->text, why->what, 0);
        kn_text_addz(h->text, *why->remedy ? "; " : "");
        kn_html_put(h->text, why->remedy, 0);
        kn_text_addz(h->text, ".");
    }
}

static void
put_lead(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<p class=\"lead\">");
    if (h->released && !h->r->released_rows && h->external) { /* not why: that is about the table */
        kn_text_addz(t, h->r->masked_rows ? "Every row of this release is masked."
                                          : "This release has no rows.");
    } else if (h->released && !h->r->released_rows) {
        kn_text_addz(t, h->r->input_rows ? "Under these settings no row of the table could be kept."
                                         : "The table has no rows, so the release has none.");
    } else if (h->released) {
        kn_text_addz(t, "In ");
        put_names(h, KN_ROLE_QUASI);
        kn_text_addz(t, ", the columns that others may know, every row of this ");
        kn_html_term(t, "release", NULL);
        kn_text_addz(t, " has the same values as the other rows of its ");
        kn_html_term(t, "class", NULL);
        kn_text_addz(t, ".");
    } else if (h->external) {
        kn_text_addz(t, "No release is feasible under these settings.");
    } else {
        put_why(h);
    }
    kn_text_addz(t, "</p>\n");
}

static void
open_tile(kn_text *t, const char *title)
{
    kn_text_addf(t, "<div class=\"tile\"><dt>%s</dt><dd class=\"big\">", title);
}

static void
close_tile(kn_text *t)
{
    kn_text_addz(t, "</dd></div>\n");
}

static void
put_row_tiles(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    double              rows = r->input_rows ? (double) r->input_rows : 1;

    open_tile(t, "Released rows");
    kn_plain_count(t, r->released_rows);
    kn_text_addz(t, "</dd><dd>");
    if (h->external) {
        kn_text_addz(t, "in ");
        kn_plain_count(t, r->classes);
        kn_text_addz(t, r->classes == 1 ? " class" : " classes");
    } else {
        kn_html_percent(t, (double) r->released_rows / rows);
        kn_text_addz(t, " of the table");
    }
    close_tile(t);
    open_tile(t, "Suppressed rows");
    kn_html_lost(h, r->suppressed_rows);
    kn_text_addz(t, "</dd><dd>");
    if (!h->external) {
        kn_html_percent(t, (double) r->suppressed_rows / rows);
        kn_text_addz(t, "; the limit is ");
        kn_plain_count(t, r->suppression_rows);
    } else {
        kn_text_addz(t, "rounded, to protect them");
    }
    close_tile(t);
}

/* Why nothing was released stands at the top. */
static bool
is_shown(const kn_finding *f, kn_severity severity)
{
    return f->severity == severity && f->code != KN_FOUND_INFEASIBLE;
}

static void
put_tiles(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    size_t              warnings = 0;

    kn_text_addf(t, "<dl class=\"tiles%s\">\n", h->external ? " five" : "");
    open_tile(t, "Smallest class");
    if (r->k_reached)
        kn_plain_counted(t, r->k_reached, "row");
    else
        kn_text_addz(t, "&ndash;");
    kn_text_addz(t, "</dd><dd>k; required: ");
    kn_plain_count(t, r->k);
    close_tile(t);
    open_tile(t, "Highest risk");
    if (r->crowd) {
        kn_text_addz(t, "1 in ");
        kn_plain_count(t, h->external ? kn_public_crowd(r) : r->crowd);
        kn_text_addz(t, "</dd><dd>chance of picking a person's row");
    } else {
        kn_text_addz(t, "none</dd><dd>there is no row to pick");
    }
    close_tile(t);
    put_row_tiles(h);
    open_tile(t, "Information lost");
    kn_html_loss(h, r->released_rows || !r->input_rows ? r->metrics.glm : 1);
    kn_text_addz(t, h->external && r->released_rows && r->suppression_rows
                        ? "</dd><dd>omitted, because rows could be suppressed"
                        : "</dd><dd>mean over the quasi-identifiers");
    close_tile(t);
    for (size_t i = 0; i < r->findings.count; i++)
        warnings += is_shown(&r->findings.of[i], KN_SERIOUS);
    if (!h->external) {
        open_tile(t, "Warnings");
        kn_plain_count(t, warnings);
        kn_text_addz(t, warnings ? "</dd><dd><a href=\"#findings\">each with a remedy</a>"
                                 : "</dd><dd>none found");
        close_tile(t);
    }
    kn_text_addz(t, "</dl>\n");
}

static void
put_nav(const kn_html *h)
{
    static const struct {
        const char *id, *name;
        bool        internal, released;
    } places[] = {
        { "promise", "Promise", false, false },   { "findings", "Warnings", true, false },
        { "columns", "Columns", false, false },   { "classes", "Classes", false, true },
        { "risk", "Risk", false, false },         { "suppression", "Suppression", false, true },
        { "search", "Search", true, false },      { "record", "Record", false, false },
        { "glossary", "Glossary", false, false },
    };

    kn_text_addz(h->text, "<nav aria-label=\"Sections\">\n");
    for (size_t i = 0; i < KN_COUNT(places); i++)
        if (!(places[i].internal && h->external) && !(places[i].released && !h->released)
            && !(strcmp(places[i].id, "risk") == 0 && h->external && !h->r->released_rows))
            kn_text_addf(h->text, "<a href=\"#%s\">%s</a>\n", places[i].id, places[i].name);
    kn_text_addz(h->text, "</nav>\n");
}

static void
put_header(const kn_html *h)
{
    kn_text_addf(h->text,
                 "<header>\n<div class=\"brand\"><span>kanon %s</span><span>Anonymization "
                 "report</span><span class=\"edition\">%s</span></div>\n",
                 kanon_version(),
                 h->external ? "External edition" : "Internal edition: keep it with the original");
    put_title(h);
    put_lead(h);
    if (h->released)
        put_tiles(h);
    put_nav(h);
    kn_text_addz(h->text, "</header>\n<main>\n");
}

/* --- promise -------------------------------------------------------------------------------------- */

static void
put_model(const kn_html *h, const kn_result_model *m)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<li><b>");
    kn_html_put(t, m->name, 0);
    kn_text_addz(t, "</b>");
    if (m->column && h->external && kn_public_hides(h->r, m->column)) {
        kn_text_addz(t, " of a column that is not in the release");
    } else if (m->column) {
        kn_text_addz(t, " of ");
        kn_html_name(t, m->column, KN_HTML_NAME_MOST);
    }
    kn_text_addf(t, ": %s", m->class->promise);
    if (m->class->limit == KN_LIMIT_ONE) {
        kn_text_addz(t, ", that is 1 times its own k");
    } else {
        kn_text_addz(t, "; required ");
        kn_html_put(t, m->parameter, 0);
        kn_text_addz(t, " = ");
        kn_plain_number(t, m->asked);
    }
    if (m->other) {
        kn_text_addz(t, ", ");
        kn_html_put(t, m->other, 0);
        kn_text_addz(t, " = ");
        kn_plain_number(t, m->asked_other);
    }
    if (h->released && !h->external) {
        kn_text_addz(t, "; the worst class reaches ");
        kn_plain_number(t, m->reached);
    }
    if (h->released && m->verified)
        kn_text_addz(t, m->hidden ? "; verified in the second pass over the table, because the "
                                    "release does not show the column"
                                  : "; verified in the release");
    kn_text_addz(t, ".</li>\n");
}

static void
put_promised(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addf(t, "<div><h3>%s</h3>\n<ul class=\"plain\">\n<li><b>",
                 h->released ? "Promised, and verified" : "Required");
    kn_html_term(t, "k-anonymous", "k-anonymity");
    kn_text_addz(t, " with k = ");
    kn_plain_count(t, r->k);
    kn_text_addz(t, "</b>: anyone who knows all of a person's ");
    kn_html_term(t, "quasi-identifier", "quasi-identifiers");
    kn_text_addz(t, " (");
    put_names(h, KN_ROLE_QUASI);
    if (h->released && !r->released_rows) {
        kn_text_addz(t, ") finds nobody: there is no row.</li>\n");
    } else {
        kn_text_addz(t, ") finds at least ");
        kn_plain_counted(t, h->released && r->k_reached ? r->k_reached : r->k, "row");
        kn_text_addz(t, " that match, and cannot tell which one is right.</li>\n");
    }
    for (size_t i = 0; i < r->nmodels; i++)
        put_model(h, &r->models[i]);
    if (kn_result_count_role(r, KN_ROLE_IDENTIFIER)
        && !(h->external && r->identifiers_as == KN_IDENTIFIERS_DROP)) {
        kn_text_addz(t, "<li>");
        kn_html_term(t, "identifier", "Identifiers");
        kn_text_addz(t, " (");
        put_names(h, KN_ROLE_IDENTIFIER);
        kn_text_addz(t, r->identifiers_as == KN_IDENTIFIERS_DROP ? ") are dropped.</li>\n"
                                                                 : ") are * in every row.</li>\n");
    }
    if (h->released)
        kn_text_addz(t, "<li>The release was read back and its classes were counted and checked "
                        "again by code that shares nothing with the search. A release that fails "
                        "this verification is never written.</li>\n");
    kn_text_addz(t, "</ul></div>\n");
}

static bool
bounds_presence(const kanon_result *r)
{
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].class->guards == KN_GUARDS_PRESENCE)
            return true;
    return false;
}

/* How far the models go for a sensitive column. */
typedef enum {
    GUARD_NONE,  /* all rows of a class may share one value */
    GUARD_COUNT, /* different values, but how often each occurs is left open */
    GUARD_SHARES /* how often a value occurs in a class is bounded */
} guard;

static guard
guard_of(const kanon_result *r, const char *column)
{
    guard most = GUARD_NONE;

    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];
        guard                  found = m->class->guards == KN_GUARDS_SHARES ? GUARD_SHARES
                                     : m->class->guards == KN_GUARDS_COUNT  ? GUARD_COUNT
                                                                            : GUARD_NONE;

        if (m->column && strcmp(m->column, column) == 0 && found > most)
            most = found;
    }
    return most;
}

/* Names of the sensitive columns that the models guard so far and no further. @return how many there are */
static size_t
put_guarded(const kn_html *h, guard wanted, const char *lead)
{
    const kanon_result *r = h->r;
    size_t              count = 0, named = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        count += r->attributes[i].role == KN_ROLE_SENSITIVE
              && guard_of(r, r->attributes[i].name) == wanted;
    for (size_t i = 0; i < r->nattributes && named < count; i++) {
        if (r->attributes[i].role != KN_ROLE_SENSITIVE
            || guard_of(r, r->attributes[i].name) != wanted)
            continue;
        kn_text_addz(h->text, named == 0 ? lead : named + 1 == count ? " and " : ", ");
        kn_html_name(h->text, r->attributes[i].name, KN_HTML_VALUE_MOST);
        named++;
    }
    return count;
}

static void
put_not_promised(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<div><h3>Not promised</h3>\n<ul class=\"plain\">\n");
    if (put_guarded(h, GUARD_COUNT, "<li>That the values of a class are evenly distributed in "))
        kn_text_addz(t, ": a class has distinct values, but one of them may be by far the most "
                        "frequent, which makes it a good guess.</li>\n");
    if (put_guarded(h, GUARD_NONE, "<li>That a class has more than one value in ")) {
        kn_text_addz(t, ": if all its rows share one value, anyone who knows a person is in that "
                        "class learns the value. ");
        kn_html_term(t, "l-diversity", NULL);
        kn_text_addz(t, " and ");
        kn_html_term(t, "t-closeness", NULL);
        kn_text_addz(t, " prevent this.</li>\n");
    }
    if (kn_result_count_role(r, KN_ROLE_INSENSITIVE)) {
        kn_text_addz(t, "<li>Anything about columns released unchanged (");
        put_names(h, KN_ROLE_INSENSITIVE);
        kn_text_addz(
            t, "): anyone who knows such a value of a person can use it to find the row.</li>\n");
    }
    kn_text_addz(
        t, "<li>Protection from an attacker who knows more about a person than the "
           "quasi-identifiers, or who knows all other people of the class.</li>\n<li>Protection "
           "together with another release about the same people: two releases, each k-anonymous, "
           "may single somebody out when they are combined.</li>\n");
    if (!bounds_presence(r))
        kn_text_addz(t, "<li>That nobody learns who is in the table.</li>\n");
    kn_text_addz(t, "</ul></div>\n");
}

static void
put_promise(const kn_html *h)
{
    kn_text_addz(h->text, "<section id=\"promise\">\n"
                          "<h2>What is promised</h2>\n"
                          "<div class=\"pair\">\n");
    put_promised(h);
    if (h->released)
        put_not_promised(h);
    kn_text_addz(h->text, "</div>\n</section>\n");
}

/* --- findings ------------------------------------------------------------------------------------- */

static void
put_box(kn_text *t, const kn_finding *f)
{
    const char *section = kn_finding_classes[f->code].section;

    kn_text_addf(t, "<div class=\"box%s\"><p>", f->severity == KN_SERIOUS ? " warn" : "");
    kn_html_put(t, f->what, 0);
    kn_text_addz(t, ".</p>\n");
    if (*f->remedy) {
        kn_text_addz(t, "<p class=\"todo\">");
        kn_html_put(t, f->remedy, 0);
        if (section)
            kn_text_addf(t, "; <a href=\"#%s\">see which ones</a>", section);
        kn_text_addz(t, ".</p>");
    }
    kn_text_addz(t, "</div>\n");
}

static void
put_line(kn_text *t, const kn_finding *f)
{
    kn_text_addz(t, "<li>");
    kn_html_put(t, f->what, 0);
    if (*f->remedy) {
        kn_text_addz(t, ". ");
        kn_html_put(t, f->remedy, 0);
        kn_text_addz(t, ".");
    }
    kn_text_addz(t, "</li>\n");
}

typedef struct heading {
    kn_severity severity;
    const char *open, *close;
    void (*put)(kn_text *text, const kn_finding *finding);
} heading;

/* @return how many there are */
static size_t
put_findings_of(const kn_html *h, const heading *group)
{
    size_t count = 0;

    for (size_t i = 0; i < h->r->findings.count; i++) {
        if (!is_shown(&h->r->findings.of[i], group->severity))
            continue;
        kn_text_addz(h->text, count++ ? "" : group->open);
        group->put(h->text, &h->r->findings.of[i]);
    }
    kn_text_addz(h->text, count ? group->close : "");
    return count;
}

void
kn_html_findings(const kn_html *h)
{
    static const heading about[] = {
        { KN_SERIOUS, "<h3>Warnings</h3>\n", "", put_box },
        { KN_NOTE, "<h3>Before you share it</h3>\n", "", put_box },
    };
    static const heading after[] = {
        { KN_ADVICE, "<h3 id=\"better\">Possible improvements</h3>\n<ul class=\"plain\">\n",
          "</ul>\n", put_line },
        { KN_WARNING, "<h3>Messages</h3>\n<ul class=\"plain\">\n", "</ul>\n", put_line },
    };
    kn_text *t = h->text;
    size_t   count = 0;

    kn_text_addz(t, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    for (size_t i = 0; i < KN_COUNT(about); i++)
        count += put_findings_of(h, &about[i]);
    if (!count)
        kn_text_addz(t, h->released ? "<p>No warnings.</p>\n"
                                    : "<p>No warnings about the table.</p>\n");
    for (size_t i = 0; i < KN_COUNT(after); i++)
        put_findings_of(h, &after[i]);
    kn_text_addz(t, "</section>\n");
}

/* --- all of it ------------------------------------------------------------------------------------ */

static void
put_footer(const kn_html *h)
{
    kn_text_addz(h->text, "</main>\n<footer>");
    kn_text_addf(h->text, "Written by kanon %s. ", kanon_version());
    kn_text_addz(h->text, h->external
                              ? "This edition omits the seed, original values, small counts, whose "
                                "rows were suppressed and how the release was found."
                              : "This edition is confidential: keep it with the original. To "
                                "publish a report, use <code>--report-audience external</code>.");
    kn_text_addz(h->text, "</footer>\n");
}

void
kn_report_html(kn_text *text, const kanon_result *r)
{
    kn_html h = { text, r, r->audience == KN_AUDIENCE_EXTERNAL, r->outcome != KANON_INFEASIBLE };

    kn_html_begin(text, "kanon: anonymization report");
    put_header(&h);
    put_promise(&h);
    if (!h.external)
        kn_html_findings(&h);
    kn_html_columns(&h);
    if (h.released)
        kn_html_classes(&h);
    kn_html_risk(&h);
    if (h.released)
        kn_html_suppression(&h);
    if (!h.external)
        kn_html_search(&h);
    kn_html_record(&h);
    kn_html_glossary(text);
    put_footer(&h);
    kn_html_end(text);
}

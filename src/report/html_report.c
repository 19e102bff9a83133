/* SPDX-License-Identifier: Apache-2.0 */
/* html_report.c -- a result as one HTML file: the headline, what is promised and what is not, what an expert
 * would say, and the sections of the other files. Readable without a word of programming, and on paper. */
#include <math.h>

#include "report/html_report.h"

#include "base/fill.h"
#include "report/svg.h"
#include "result/public.h"

/* --- pieces that sections share ------------------------------------------------------------------- */

void
kn_html_put_count(kn_text *text, const kn_piece *piece)
{
    const kn_html *h = piece->user;
    uint64_t       least = kn_public_least(h->r);

    if (!h->external || !piece->count)
        kn_plain_count(text, piece->count);
    else if (piece->count < least)
        KN_FILL(text, "fewer than {}", kn_as_count(least));
    else
        KN_FILL(text, "about {}", kn_as_count(kn_public_rounded(piece->count)));
}

void
kn_html_put_lost(kn_text *text, const kn_piece *piece)
{
    const kn_html *h = piece->user;
    uint64_t       about = h->external ? kn_public_lost(h->r, piece->count) : piece->count;

    if (h->external)
        kn_text_addz(text, about ? "about " : "fewer than ");
    kn_plain_count(text, h->external && !about ? kn_public_lost_least(h->r) : about);
}

void
kn_html_put_loss(kn_text *text, const kn_piece *piece)
{
    const kn_html *h = piece->user;
    double         outside = kn_public_loss(h->r, piece->number);

    if (!h->external)
        kn_html_percent(text, piece->number);
    else if (isnan(outside))
        kn_text_addz(text, "&ndash;");
    else
        kn_text_addf(text, "%.0f %%", 100 * outside);
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
        KN_FILL(h->text, "{}{}",
                kn_as_is(named == 0           ? ""
                         : named + 1 == count ? " and "
                                              : ", "),
                kn_html_as_name(r->attributes[i].name, KN_HTML_VALUE_MOST));
        named++;
    }
    if (shown < count)
        kn_text_addf(h->text, " and %zu more <a href=\"#columns\">columns</a>", count - shown);
}

/* --- headline ------------------------------------------------------------------------------------- */

/* The sets that could be kept are too long for a title: they follow it. */
static void
put_headline(const kn_html *h)
{
    kn_text    *t = h->text;
    const char *headline = h->r->verdict.opening.headline;
    const char *sets = h->r->verdict.sets.count ? strstr(headline, KN_COULD_KEEP) : NULL;
    kn_str      title = { headline, sets ? (size_t) (sets - headline) : strlen(headline) };

    kn_html_words(t, title);
    if (sets) {
        kn_text_addz(t, "</h1>\n<p class=\"lead\">");
        kn_html_sentence(t, sets + strlen(". "));
        kn_text_addz(t, ".</p>\n");
    } else {
        kn_text_addz(t, "</h1>\n");
    }
}

/* Outside a release is judged by what everybody can see. */
static void
put_title(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<h1>");
    if (!h->external && *r->verdict.opening.headline) {
        put_headline(h);
        return;
    }
    if (!h->released) {
        kn_text_addz(t, "Nothing was released");
    } else if (!r->released_rows) {
        kn_text_addz(t, r->masked_rows ? "Every row of this release is masked"
                                       : "A release without rows");
    } else {
        kn_plain_count(t, r->released_rows);
        if (!h->external)
            KN_FILL(t, " of {}", kn_as_count(r->input_rows));
        kn_text_addf(t, " %s released", r->released_rows == 1 ? "row" : "rows");
        if (!h->external)
            KN_FILL(t, ", {} of the information left", kn_html_as_percent(r->verdict.kept));
    }
    kn_text_addz(t, "</h1>\n");
}

/* The last lines are about the table and how it was released. */
static kn_opening
outside(const kn_opening *o)
{
    kn_opening shown = KN_OPENING_NONE;

    shown.promised = o->promised;
    shown.not_promised = o->not_promised;
    return shown;
}

static void
put_row_tiles(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    if (h->external) {
        KN_HTML_TILE(t, "Released rows", "{}", "in {}", kn_as_count(r->released_rows),
                     kn_as_counted(r->classes, "class"));
        KN_HTML_TILE(t, "Suppressed rows", "{}", "rounded, to protect them",
                     kn_html_as_lost(h, r->suppressed_rows));
    } else {
        KN_HTML_TILE(t, "Released rows", "{}", "{} of the table", kn_as_count(r->released_rows),
                     kn_html_as_percent(kn_share(r->released_rows, r->input_rows)));
        KN_HTML_TILE(t, "Suppressed rows", "{}", "{}; the limit is {}",
                     kn_html_as_lost(h, r->suppressed_rows),
                     kn_html_as_percent(kn_share(r->suppressed_rows, r->input_rows)),
                     kn_as_count(r->suppression_rows));
    }
}

static void
put_tiles(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;
    size_t              warnings = 0;

    kn_text_addf(t, "<dl class=\"tiles%s\">\n", h->external ? " five" : "");
    KN_HTML_TILE(t, "Smallest class", "{}", "k; required: {}",
                 r->k_reached ? kn_as_counted(r->k_reached, "row") : KN_HTML_NONE,
                 kn_as_count(r->k));
    if (r->crowd)
        KN_HTML_TILE(t, "Highest risk", "1 in {}", "chance of picking a person's row",
                     kn_as_count(h->external ? kn_public_crowd(r) : r->crowd));
    else
        KN_HTML_TILE(t, "Highest risk", "{}", "there is no row to pick", kn_as_is("none"));
    put_row_tiles(h);
    KN_HTML_TILE(t, "Information lost", "{}", "{}",
                 kn_html_as_loss(h, r->released_rows || !r->input_rows ? r->metrics.glm : 1),
                 kn_as_is(h->external && r->released_rows && r->suppression_rows
                              ? "omitted, because rows could be suppressed"
                              : "mean over the quasi-identifiers"));
    for (size_t i = 0; i < r->findings.count; i++)
        warnings += r->findings.of[i].severity == KN_SERIOUS;
    if (!h->external)
        KN_HTML_TILE(t, "Warnings", "{}", "{}", kn_as_count(warnings),
                     kn_as_is(warnings ? "<a href=\"#findings\">each with a remedy</a>"
                                       : "none found"));
    kn_text_addz(t, "</dl>\n");
}

static void
put_header(const kn_html *h)
{
    kn_opening shown = h->external ? outside(&h->r->verdict.opening) : h->r->verdict.opening;

    kn_text_addf(h->text,
                 "<header>\n<div class=\"brand\"><span>kanon %s</span><span>Anonymization "
                 "report</span><span class=\"edition\">%s</span></div>\n",
                 kanon_version(),
                 h->external ? "External edition" : "Internal edition: keep it with the original");
    put_title(h);
    kn_html_opening(h->text, &shown);
    if (h->released)
        put_tiles(h);
}

/* --- promise -------------------------------------------------------------------------------------- */

static void
put_model(const kn_html *h, const kn_result_model *m)
{
    kn_text *t = h->text;

    KN_FILL(t, "<li><b>{}</b>", kn_html_as_text(m->name, 0));
    if (m->column && h->external && kn_public_hides(h->r, m->column))
        kn_text_addz(t, " of a column that is not in the release");
    else if (m->column)
        KN_FILL(t, " of {}", kn_html_as_name(m->column, KN_HTML_NAME_MOST));
    kn_text_addf(t, ": %s", m->class->promise);
    if (m->class->limit == KN_LIMIT_ONE)
        kn_text_addz(t, ", that is 1 times its own k");
    else
        KN_FILL(t, "; required {} = {}", kn_html_as_text(m->parameter, 0), kn_as_number(m->asked));
    if (m->other)
        KN_FILL(t, ", {} = {}", kn_html_as_text(m->other, 0), kn_as_number(m->asked_other));
    if (h->released && !h->external)
        KN_FILL(t, "; the worst class reaches {}", kn_as_number(m->reached));
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

    KN_FILL(t,
            "<div><h3>{}</h3>\n<ul class=\"plain\">\n<li><b>{} with k = {}</b>: anyone who knows "
            "all of a person's {} (",
            kn_as_is(h->released ? "Promised, and verified" : "Required"),
            kn_html_as_term("k-anonymous", "k-anonymity"), kn_as_count(r->k),
            kn_html_as_term("quasi-identifier", "quasi-identifiers"));
    put_names(h, KN_ROLE_QUASI);
    if (h->released && !r->released_rows)
        kn_text_addz(t, ") finds nobody: there is no row.</li>\n");
    else
        KN_FILL(t, ") finds at least {} that match, and cannot tell which one is right.</li>\n",
                kn_as_counted(h->released && r->k_reached ? r->k_reached : r->k, "row"));
    for (size_t i = 0; i < r->nmodels; i++)
        put_model(h, &r->models[i]);
    if (kn_result_count_role(r, KN_ROLE_IDENTIFIER)
        && !(h->external && r->identifiers_as == KN_IDENTIFIERS_DROP)) {
        KN_FILL(t, "<li>{} (", kn_html_as_term("identifier", "Identifiers"));
        put_names(h, KN_ROLE_IDENTIFIER);
        kn_text_addz(t, r->identifiers_as == KN_IDENTIFIERS_DROP ? ") are dropped.</li>\n"
                                                                 : ") are * in every row.</li>\n");
    }
    if (r->others_as == KN_OTHERS_DROP && !h->external && kn_result_count_role(r, KN_ROLE_NONE)) {
        kn_text_addz(t, "<li>Columns without a role (");
        put_names(h, KN_ROLE_NONE);
        kn_text_addz(t, ") are dropped.</li>\n");
    }
    if (h->released)
        kn_text_addz(t, "<li>The release was read back and its classes were counted and checked "
                        "again by code that shares nothing with the search. A release that fails "
                        "this verification is never written.</li>\n");
    kn_text_addz(t, "</ul></div>\n");
}

/* Names of the columns of a kind. @return how many there are */
static size_t
put_guarded(const kn_html *h, bool (*is_one)(const kanon_result *r, const kn_result_attribute *a),
            const char    *lead)
{
    const kanon_result *r = h->r;
    size_t              count = 0, named = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        count += is_one(r, &r->attributes[i]);
    for (size_t i = 0; i < r->nattributes && named < count; i++) {
        if (!is_one(r, &r->attributes[i]))
            continue;
        KN_FILL(h->text, "{}{}",
                kn_as_is(named == 0           ? lead
                         : named + 1 == count ? " and "
                                              : ", "),
                kn_html_as_name(r->attributes[i].name, KN_HTML_VALUE_MOST));
        named++;
    }
    return count;
}

static bool
has_coding(const kanon_result *r)
{
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].coding && r->attributes[i].role == KN_ROLE_INSENSITIVE)
            return true;
    return false;
}

static void
put_unprotected(const kn_html *h, kn_role role, const char *how)
{
    if (!kn_result_count_role(h->r, role))
        return;
    kn_text_addf(h->text, "<li>Anything about columns %s (", how);
    put_names(h, role);
    kn_text_addz(h->text, "): anyone who knows such a value of a person can use it to find the "
                          "row.</li>\n");
}

static void
put_not_promised(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addz(t, "<div><h3>Not promised</h3>\n<ul class=\"plain\">\n");
    if (put_guarded(h, kn_result_lopsided,
                    "<li>That the values of a class are evenly distributed in "))
        kn_text_addz(t, ": a class has distinct values, but one of them may be by far the most "
                        "frequent, which makes it a good guess.</li>\n");
    if (put_guarded(h, kn_result_open, "<li>That a class has more than one value in "))
        KN_FILL(t,
                ": if all its rows share one value, anyone who knows a person is in that class "
                "learns the value. {} and {} prevent this.</li>\n",
                kn_html_as_term("l-diversity", NULL), kn_html_as_term("t-closeness", NULL));
    put_unprotected(h, KN_ROLE_INSENSITIVE,
                    has_coding(r) ? "released unchanged or rounded" : "released unchanged");
    if (r->others_as == KN_OTHERS_KEEP)
        put_unprotected(h, KN_ROLE_NONE, "released unchanged although nobody gave them a role");
    kn_text_addz(
        t, "<li>Protection from an attacker who knows more about a person than the "
           "quasi-identifiers, or who knows all other people of the class.</li>\n<li>Protection "
           "together with another release about the same people: two releases, each k-anonymous, "
           "may single somebody out when they are combined.</li>\n");
    if (!kn_result_bounds_presence(r))
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

/* --- all of it ------------------------------------------------------------------------------------ */

static void
put_footer(const kn_html *h)
{
    KN_FILL(h->text, "</main>\n<footer>Written by kanon {}. {}</footer>\n",
            kn_as_is(kanon_version()),
            kn_as_is(h->external
                         ? "This edition omits the seed, the order key, original values, small "
                           "counts, whose "
                           "rows were suppressed and how the release was found."
                         : "This edition is confidential: keep it with the original. To "
                           "publish a report, use <code>--report-audience external</code>."));
}

static void
put_findings(const kn_html *h)
{
    kn_html_findings(h->text, &h->r->findings);
}

static void
put_glossary(const kn_html *h)
{
    kn_html_glossary(h->text);
}

/* Is there anything in the section on risk? Outside only of released rows. */
static bool
has_risk(const kn_html *h)
{
    return !h->external || (h->released && h->r->released_rows);
}

static bool
has_profile(const kn_html *h)
{
    return h->r->profile.name != NULL;
}

static bool
has_release(const kn_html *h)
{
    return h->released;
}

/* Every section, in the order of the page. Whoever adds one says here who may see it: a section without an
 * audience is not written at all. */
enum { FOR_NOBODY, FOR_INSIDERS, FOR_EVERYBODY };
static const struct {
    int         audience;
    const char *id, *name; /* name: in the list of sections; NULL: it is not there */
    void (*put)(const kn_html *h);
    bool (*there)(const kn_html *h); /* NULL: always */
} sections[] = {
    { FOR_EVERYBODY, "promise", "Promise", put_promise, NULL },
    { FOR_INSIDERS, "findings", "Warnings", put_findings, NULL },
    { FOR_EVERYBODY, "profile", NULL, kn_html_profile, has_profile },
    { FOR_EVERYBODY, "columns", "Columns", kn_html_columns, NULL },
    { FOR_EVERYBODY, "classes", "Classes", kn_html_classes, has_release },
    { FOR_EVERYBODY, "risk", "Risk", kn_html_risk, has_risk },
    { FOR_EVERYBODY, "suppression", "Suppression", kn_html_suppression, has_release },
    { FOR_INSIDERS, "search", "Search", kn_html_search, NULL },
    { FOR_EVERYBODY, "record", "Record", kn_html_record, NULL },
    { FOR_EVERYBODY, "glossary", "Glossary", put_glossary, NULL },
};

static bool
is_shown(const kn_html *h, size_t section)
{
    return sections[section].audience >= (h->external ? FOR_EVERYBODY : FOR_INSIDERS)
        && (!sections[section].there || sections[section].there(h));
}

static void
put_nav(const kn_html *h)
{
    kn_text_addz(h->text, "<nav aria-label=\"Sections\">\n");
    for (size_t i = 0; i < KN_COUNT(sections); i++)
        if (sections[i].name && is_shown(h, i))
            kn_text_addf(h->text, "<a href=\"#%s\">%s</a>\n", sections[i].id, sections[i].name);
    kn_text_addz(h->text, "</nav>\n");
}

void
kn_report_html(kn_text *text, const kanon_result *r)
{
    kn_html h = { text, r, r->audience == KN_AUDIENCE_EXTERNAL, r->outcome != KANON_INFEASIBLE };

    kn_html_begin(text, "kanon: anonymization report");
    put_header(&h);
    put_nav(&h);
    kn_text_addz(text, "</header>\n<main>\n");
    for (size_t i = 0; i < KN_COUNT(sections); i++)
        if (is_shown(&h, i))
            sections[i].put(&h);
    put_footer(&h);
    kn_html_end(text);
}

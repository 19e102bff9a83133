/* SPDX-License-Identifier: Apache-2.0 */
/* html_columns.c -- the columns of a job's HTML report: a table of all of them, then a card for each whose
 * values were learned, with its plots. */
#include <math.h>
#include <stdio.h>

#include "base/fill.h"
#include "report/html_report.h"
#include "report/svg.h"

/* --- what happened -------------------------------------------------------------------------------- */

static void
put_what(const kn_html *h, const kn_result_attribute *a)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    if (!h->released)
        kn_text_addz(t, "not released");
    else if (h->external && !r->released_rows && !r->masked_rows)
        kn_text_addz(t, "no rows"); /* not whether there were any */
    else if (r->input_rows && !r->released_rows && !r->masked_rows)
        kn_text_addz(t, "no row is left");
    else if (a->dropped)
        kn_text_addz(t, "dropped");
    else if (a->role == KN_ROLE_IDENTIFIER && a->coding)
        kn_text_addf(t, "released %s", a->coding);
    else if (a->role == KN_ROLE_IDENTIFIER)
        kn_text_addz(t, "hidden: every cell is *");
    else if (a->role != KN_ROLE_QUASI)
        kn_text_addf(t, "released %s", a->coding ? a->coding : "unchanged");
    else if (!r->full_domain)
        kn_text_addz(t, "generalized class by class");
    else if (!a->level)
        kn_text_addz(t, "unchanged");
    else if (a->level == a->height)
        kn_text_addz(t, "hidden: all *");
    else
        kn_text_addz(t, "generalized");
    if (a->role == KN_ROLE_QUASI && h->released && a->example
        && (!r->full_domain || a->level < a->height))
        KN_FILL(t, ", e.g. {}", kn_html_as_name(a->example, KN_HTML_VALUE_MOST));
}

static void
put_values(kn_text *t, uint64_t values)
{
    if (values == KN_NOT_COUNTED)
        kn_text_addz(t, "&ndash;");
    else
        kn_plain_count(t, values);
}

/* The estimate of a sketch is told with three digits at most. */
static void
put_values_before(kn_text *t, const kn_result_attribute *a)
{
    uint64_t values = a->values_before, step = 1;

    if (a->role == KN_ROLE_QUASI || a->role == KN_ROLE_SENSITIVE || values == KN_NOT_COUNTED) {
        put_values(t, values);
        return;
    }
    while (values / step >= 1000)
        step *= 10;
    KN_FILL(t, "about {}", kn_as_count((values + step / 2) / step * step));
}

static void
put_overview_row(const kn_html *h, const kn_result_attribute *a, size_t index)
{
    kn_text *t = h->text;
    bool     quasi = a->role == KN_ROLE_QUASI;

    kn_text_addz(t, "<tr><th scope=\"row\">");
    if (a->portrait)
        kn_text_addf(t, "<a href=\"#column-%zu\">", index + 1);
    KN_FILL(t, "{}{}</th><td data-h=\"Role\">{}</td><td data-h=\"What happened\"><span>",
            kn_html_as_name(a->name, KN_HTML_NAME_MOST), kn_as_is(a->portrait ? "</a>" : ""),
            kn_as_is(kn_role_name(a->role)));
    put_what(h, a);
    kn_text_addz(t, "</span></td>");
    if (!h->external) {
        kn_text_addz(t, "<td class=\"n\" data-h=\"Values before\">");
        put_values_before(t, a);
        kn_text_addz(t, "</td>");
    }
    kn_text_addz(t, "<td class=\"n\" data-h=\"Values after\">");
    if (quasi && h->released)
        put_values(t, a->values_after);
    kn_text_addz(t, "</td><td class=\"n\" data-h=\"Information lost\">");
    if (quasi && h->released)
        KN_FILL(t, "{}", kn_html_as_loss(h, a->loss.glm));
    kn_text_addz(t, "</td></tr>\n");
}

/* --- plots ---------------------------------------------------------------------------------------- */

typedef struct picture {
    const kn_html     *h;
    const kn_portrait *p;
    bool               after;
    double             most;
} picture;

static double
bin_value(const picture *pic, size_t i)
{
    const kn_bin *bin = &pic->p->bins[i];

    return pic->after ? bin->after : (double) bin->before;
}

/* Fewer than k rows are not told exactly. */
static bool
hushed(const picture *pic, size_t i)
{
    double value = bin_value(pic, i);

    return pic->p->bins[i].rare || (value > 0 && value < (double) pic->h->r->k);
}

/* An open bin is wider than the others, and how wide is not told: it would name the least or greatest
 * value. */
static bool
open_bin(const kn_portrait *p, size_t i)
{
    return (i == 0 && p->open_low) || (i + 1 == p->nbins && p->open_high);
}

static bool
pale_bin(const void *user, size_t i)
{
    return open_bin(((const picture *) user)->p, i);
}

static void
put_bin_edge(kn_text *t, const void *user, size_t i)
{
    const picture *pic = user;

    if (i == 0 && pic->p->open_low)
        return;
    if (open_bin(pic->p, i))
        kn_text_addz(t, "&ge; ");
    kn_portrait_edge(t, pic->p, pic->p->bins[i].low);
}

static void
put_bin_tip(kn_text *t, const void *user, size_t i)
{
    const picture *pic = user;
    double         value = bin_value(pic, i);

    kn_portrait_bin(t, pic->p, i);
    kn_text_addz(t, ": ");
    if (value <= 0) {
        kn_text_addz(t, "none");
    } else if (hushed(pic, i)) {
        KN_FILL(t, "fewer than {}", kn_as_count(pic->h->r->k));
    } else {
        kn_html h = *pic->h;

        h.text = t;
        KN_FILL(t, "{} rows", kn_html_as_count(&h, (uint64_t) (value + 0.5)));
    }
}

static void
put_bin_scale(kn_text *t, const void *user, size_t i)
{
    const picture *pic = user;

    KN_UNUSED(i);
    if (pic->h->external)
        KN_FILL(t, "about {}", kn_as_count((uint64_t) (pic->most / 10 + 0.5) * 10));
    else
        kn_plain_count(t, (uint64_t) (pic->most + 0.5));
    kn_text_addz(t, " rows");
}

/* A tall pale bar is no peak: it holds what lies beyond the others. */
static void
put_open(const picture *pic)
{
    const kn_portrait *p = pic->p;
    kn_text           *t = pic->h->text;
    bool               both = p->open_low && p->open_high && p->nbins > 1, any = false, cut = false;

    for (size_t i = 0; i < p->nbins; i++)
        if (open_bin(p, i)) {
            any |= bin_value(pic, i) > 0;
            cut |= bin_value(pic, i) > pic->most;
        }
    if (!any)
        return;
    kn_text_addf(t, "<p class=\"note\">%s open, wider than the others%s: ",
                 both ? "The pale bars at the ends are" : "The pale bar is",
                 cut ? " and cut off at the top" : "");
    for (size_t i = 0; i < p->nbins; i++)
        if (open_bin(p, i)) {
            put_bin_tip(t, pic, i);
            kn_text_addz(t, both && i == 0 ? "; " : "");
        }
    kn_text_addz(t, ".</p>\n");
}

static void
put_bins(const kn_html *h, const kn_portrait *p, bool after, double most)
{
    double         values[KN_PORTRAIT_BINS + 2] = { 0 };
    picture        pic = { h, p, after, most };
    kn_svg_columns chart = { after ? "Histogram after" : "Histogram before",
                             after ? "after" : "before",
                             p->nbins,
                             values,
                             most,
                             KN_SVG_EDGES,
                             put_bin_edge,
                             put_bin_tip,
                             put_bin_scale,
                             pale_bin,
                             &pic };
    double quiet = (double) h->r->k
                 / 2; /* where the number is not told, its bar must not tell it */

    for (size_t i = 0; i < p->nbins && i < KN_COUNT(values); i++)
        values[i] = hushed(&pic, i) ? quiet : bin_value(&pic, i);
    for (size_t i = 0; i < p->nbins && i < KN_COUNT(values); i++)
        values[i] = values[i] < most ? values[i] : most;
    kn_svg_columns_put(h->text, &chart);
    put_open(&pic);
}

/* Open bins do not set the scale unless the others are next to empty: they would dwarf them. */
static double
most_in_bins(const kn_html *h, const kn_portrait *p, bool before)
{
    double most[2] = { 0, 0 }, k = (double) h->r->k;

    for (size_t i = 0; i < p->nbins; i++) {
        double *m = &most[open_bin(p, i)];

        *m = before && (double) p->bins[i].before > *m ? (double) p->bins[i].before : *m;
        *m = p->bins[i].after > *m ? p->bins[i].after : *m;
    }
    if (most[0] < k) /* nor may it tell fewer than k */
        most[0] = most[1] > k ? most[1] : k;
    return most[0];
}

/* --- bars ----------------------------------------------------------------------------------------- */

/* Pooled values do not set the scale: they would dwarf the others, and their bars may well be full. */
static uint64_t
most_in_bars(const kn_bars *bars)
{
    uint64_t most = 0;

    for (size_t i = 0; i < bars->count; i++)
        most = bars->of[i].rows > most ? bars->of[i].rows : most;
    return most ? most : bars->rare_rows;
}

static void
put_pool(const kn_html *h, const kn_bars *bars, const char *style, double most)
{
    char        words[64];
    kn_html_bar others = {
        NULL, words, style, (double) bars->other_rows / most, (double) NAN, false
    };
    kn_html_bar rare = { NULL,         "other (rare)", style, (double) bars->rare_rows / most,
                         (double) NAN, false };

    snprintf(words, sizeof words, "%llu more", (unsigned long long) bars->others);
    if (bars->others)
        KN_HTML_BAR(h->text, &others, "{}", kn_html_as_count(h, bars->other_rows));
    if (bars->rare_rows >= h->r->k)
        KN_HTML_BAR(h->text, &rare, "{}", kn_html_as_count(h, bars->rare_rows));
}

static void
put_bars(const kn_html *h, const kn_bars *bars, const char *style, const char *what)
{
    kn_text *t = h->text;
    double   most = (double) most_in_bars(bars);

    if (!bars->count && !bars->rare_rows) {
        kn_text_addz(t, "<p class=\"note\">Nothing to show.</p>\n");
        return;
    }
    kn_text_addf(t, "<table class=\"bars\" aria-label=\"%s\"><tbody>\n", what);
    for (size_t i = 0; i < bars->count; i++) {
        double      share = (double) bars->of[i].rows / most;
        kn_html_bar bar = { bars->of[i].label, NULL, style, share, (double) NAN, false };

        KN_HTML_BAR(t, &bar, "{}", kn_html_as_count(h, bars->of[i].rows));
    }
    put_pool(h, bars, style, most);
    kn_text_addz(t, "</tbody></table>\n");
    if (bars->rare && bars->rare_rows && bars->rare_rows < h->r->k)
        kn_text_addz(t, "<p class=\"note\">A few rare values are not shown.</p>\n");
}

/* Share of the rows that were suppressed, group by group, on a scale on which the usual share has its
 * place. */
static void
put_who(const kn_html *h, const kn_portrait *p)
{
    kn_text *t = h->text;
    double   usual = (double) h->r->suppressed_rows / (double) h->r->input_rows, most = 5 * usual;

    if (p->who.count < 2)
        return;
    for (size_t i = 0; i < p->who.count; i++) {
        double share = (double) p->who.of[i].lost / (double) p->who.of[i].rows;

        most = share > most ? share : most;
    }
    KN_FILL(t,
            "<h4><span class=\"key k-lost\"></span>Suppressed rows ({})</h4>\n<table "
            "class=\"bars\" aria-label=\"Share of the rows suppressed per group\"><tbody>\n",
            kn_as_is(p->who_note));
    for (size_t i = 0; i < p->who.count; i++) {
        const kn_bar *b = &p->who.of[i];
        double        share = (double) b->lost / (double) b->rows;
        kn_html_bar   bar = { b->label, NULL, "lost", share / most, usual / most, b->flagged };

        KN_HTML_BAR(t, &bar, "{} of {}", kn_html_as_percent(share), kn_as_count(b->rows));
    }
    kn_text_addz(t, "</tbody></table>\n");
}

/* --- cards ---------------------------------------------------------------------------------------- */

static void
put_facts(const kn_html *h, const kn_result_attribute *a)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<p class=\"facts\"><span>");
    put_what(h, a);
    kn_text_addz(t, "</span>");
    if (a->role == KN_ROLE_QUASI && h->released) {
        if (h->r->full_domain && !h->external)
            kn_text_addf(t, "<span>level <b>%u</b> of %u</span>", a->level, a->height);
        KN_FILL(t, "<span><b>{}</b> lost</span><span>", kn_html_as_loss(h, a->loss.glm));
        if (!h->external) {
            put_values(t, a->values_before);
            kn_text_addz(t, " values before, ");
        }
        kn_text_addz(t, "<b>");
        put_values(t, a->values_after);
        kn_text_addz(t, !h->external           ? "</b> after</span>"
                        : a->values_after == 1 ? "</b> value</span>"
                                               : "</b> values</span>");
    }
    if (a->role == KN_ROLE_QUASI && !h->external)
        kn_text_addf(t, "<span>%s, hierarchy: %s</span>", kn_type_name(a->type), a->hierarchy);
    kn_text_addz(t, "</p>\n");
}

/* Is there a row that shows where it stands? */
static bool
anything_after(const kn_portrait *p)
{
    for (size_t i = 0; i < p->nbins; i++)
        if (p->bins[i].after > 0)
            return true;
    return false;
}

static void
put_missing(const kn_html *h, const kn_portrait *p, bool after)
{
    double missing = after ? p->missing_after : (double) p->missing_before;

    if (missing < (double) h->r->k || missing < 1)
        return;
    if (after && p->after.count == 1 && !p->after.others && !p->after.rare_rows
        && !anything_after(p)) {
        KN_FILL(h->text, "<p class=\"note\">Nothing to draw: all {} rows have {}.</p>\n",
                kn_html_as_count(h, p->after.of[0].rows),
                kn_html_as_name(p->after.of[0].label, KN_HTML_VALUE_MOST));
        return;
    }
    KN_FILL(h->text, "<p class=\"note\">Not drawn: {}{}",
            kn_html_as_count(h, (uint64_t) (missing + 0.5)),
            kn_as_is(after ? " rows that are *, a group of all values, or missing.</p>\n"
                           : " rows without a value.</p>\n"));
}

static bool
has_bins(const kn_portrait *p)
{
    return p->kind == KN_SCALE_NUMBER || p->kind == KN_SCALE_MONTH;
}

static void
put_before(const kn_html *h, const kn_portrait *p)
{
    kn_text_addz(h->text, "<div><h4><span class=\"key\"></span>Before</h4>\n");
    if (has_bins(p))
        put_bins(h, p, false, most_in_bins(h, p, true));
    else
        put_bars(h, &p->before, "before", "Most frequent values before");
    put_missing(h, p, false);
    kn_text_addz(h->text, "</div>\n");
}

/* What is drawn of a released column: the bins of what was learned before only inside. */
static void
put_after(const kn_html *h, const kn_result_attribute *a)
{
    const kn_portrait *p = h->external && a->portrait->outside ? a->portrait->outside : a->portrait;
    kn_text           *t = h->text;
    bool bins = has_bins(p), listed = !bins || (h->external && a->role == KN_ROLE_QUASI);

    kn_text_addz(t, "<h4><span class=\"key k-after\"></span>After</h4>\n");
    if (listed)
        put_bars(h, &p->after, "after", "Most frequent values after");
    else if (anything_after(p))
        put_bins(h, p, true, most_in_bins(h, p, !h->external));
    if (!listed)
        put_missing(h, p, true);
}

static void
put_released_values(const kn_html *h, const kn_portrait *p)
{
    kn_text_addz(h->text, "<h4><span class=\"key k-after\"></span>Released values</h4>\n");
    put_bars(h, &p->after, "after", "Most frequent released values");
}

/* Next to a long list there is room below a short one. */
static bool
below_after(const kn_portrait *p)
{
    enum { HEADINGS = 6 };

    return !has_bins(p) && p->after.count + p->who.count <= p->before.count + HEADINGS;
}

/* Plots side by side, lists side by side below them. */
static void
put_panels(const kn_html *h, const kn_result_attribute *a)
{
    const kn_portrait *p = a->portrait;
    kn_text           *t = h->text;
    bool               who = !h->external && h->released;

    if (!h->external)
        put_before(h, p);
    if (!h->released)
        return;
    kn_text_addz(t, "<div>");
    put_after(h, a);
    if (who && below_after(p)) {
        put_who(h, p);
        kn_text_addz(t, "</div>\n");
        return;
    }
    kn_text_addz(t, "</div>\n");
    if (!h->external && has_bins(p) && a->role == KN_ROLE_QUASI && p->after.count) {
        kn_text_addz(t, "<div>");
        put_released_values(h, p);
        kn_text_addz(t, "</div>\n");
    }
    if (who && p->who.count > 1) {
        kn_text_addz(t, "<div>");
        put_who(h, p);
        kn_text_addz(t, "</div>\n");
    }
}

static void
put_card(const kn_html *h, const kn_result_attribute *a, size_t index)
{
    kn_text *t = h->text;

    KN_FILL(
        t,
        "<article class=\"column\" id=\"column-{}\">\n<h3>{} <span class=\"role\">{}</span></h3>\n",
        kn_as_digits(index + 1), kn_html_as_name(a->name, KN_HTML_NAME_MOST),
        kn_as_is(kn_role_name(a->role)));
    put_facts(h, a);
    kn_text_addz(t, "<div class=\"pair\">\n");
    put_panels(h, a);
    kn_text_addz(t, "</div>\n</article>\n");
}

static void
put_explanation(const kn_html *h)
{
    kn_text *t = h->text;

    kn_text_addz(t, "<p>");
    if (!h->external)
        kn_text_addz(t, "Original values that fewer than k rows have are never named; they are "
                        "pooled as \"other (rare)\". ");
    if (!h->external && h->released)
        kn_text_addz(t, "After, a row with 20-29 is drawn as a tenth of a row at each age, as "
                        "anyone who has only the release would draw it. ");
    if (!h->external && h->r->suppressed_rows)
        kn_text_addz(t, "If rows were suppressed, a thin line marks the usual share. ");
    kn_text_addz(t, "Information lost: 0 %: every cell is exact; 100 %: every cell is *.");
    if (h->external)
        kn_text_addz(t, h->r->released_rows && h->r->suppression_rows
                            ? " It is omitted if rows could be suppressed, because it would reveal "
                              "something about them."
                            : "");
    else if (h->r->suppressed_rows)
        kn_text_addz(t, " A suppressed row counts as 100 % lost.");
    kn_text_addz(t, "</p>\n");
}

void
kn_html_columns(const kn_html *h)
{
    const kanon_result *r = h->r;
    kn_text            *t = h->text;

    kn_text_addf(t, "<section id=\"columns\">\n<h2>Columns%s</h2>\n",
                 h->external ? "" : ", before and after");
    put_explanation(h);
    KN_FILL(t,
            "<div class=\"scroll\"><table class=\"stack\">\n<thead><tr><th "
            "scope=\"col\">Column</th><th scope=\"col\">Role</th><th scope=\"col\">What "
            "happened</th>{}<th scope=\"col\" class=\"n\">Values after</th><th scope=\"col\" "
            "class=\"n\">Information lost</th></tr></thead>\n<tbody>\n",
            kn_as_is(h->external ? "" : "<th scope=\"col\" class=\"n\">Values before</th>"));
    for (size_t i = 0; i < r->nattributes; i++)
        if (!(h->external && r->attributes[i].dropped))
            put_overview_row(h, &r->attributes[i], i);
    kn_text_addz(t, "</tbody></table></div>\n<div class=\"cards\">\n");
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].portrait)
            put_card(h, &r->attributes[i], i);
    kn_text_addz(t, "</div>\n</section>\n");
}

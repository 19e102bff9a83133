/* SPDX-License-Identifier: Apache-2.0 */
/* explain_text.c -- an explanation for people, in lines of at most 80 columns. */
#include <math.h>

#include "base/fill.h"
#include "report/explain.h"
#include "report/report.h"

enum { WIDTH = 80, NAME = 18, WHAT = 34 };

/* --- what was asked, and what came of it ------------------------------------------------------ */

static void
put_model(kn_text *text, const kn_explained_model *m)
{
    kn_text_addf(text, ", %s ", m->name);
    if (m->second)
        kn_text_addf(text, "(%s = ", m->parameter);
    kn_plain_number(text, m->limit);
    if (m->second)
        KN_FILL(text, ", {} = {})", kn_as_is(m->second), kn_as_number(m->other));
    if (m->column)
        KN_FILL(text, " ({})", kn_as_name(m->column, 30));
}

static void
put_asked(kn_text *text, const kanon_explanation *x)
{
    size_t from = text->len;

    KN_FILL(text, "Settings: k = {}, at most {} suppressed ({})", kn_as_count(x->k),
            kn_as_percent(x->suppression), kn_as_counted(x->allowed, "row"));
    for (size_t i = 0; i < x->nmodels; i++)
        put_model(text, &x->models[i]);
    kn_text_addf(text, ", minimise %s.\n", x->metric);
    kn_plain_wrap(text, from, WIDTH, 2);
}

/* --- columns ---------------------------------------------------------------------------------- */

static void
put_saved(kn_text *text, const kn_explained_column *c, uint64_t saved)
{
    if (c->level >= c->height)
        kn_text_addz(text, "-");
    else
        kn_plain_count(text, saved);
}

static void
put_columns(kn_text *text, const kanon_explanation *x)
{
    kn_text_addz(text,
                 "\n                  level   information  suppressed rows kept,   rows outlying\n"
                 "Column                    kept         a level up  without it  a level down\n");
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        kn_plain_name(text, c->name, NAME - 2);
        kn_plain_pad(text, NAME);
        kn_text_addf(text, "%u of %u", c->level, c->height);
        kn_plain_pad(text, NAME + 8);
        kn_plain_percent(text, 1 - c->loss.glm);
        kn_plain_pad(text, NAME + 21);
        put_saved(text, c, c->saved_up);
        kn_plain_pad(text, NAME + 33);
        put_saved(text, c, c->saved_top);
        kn_plain_pad(text, NAME + 45);
        if (c->has_below)
            KN_FILL(text, "{} ({})", kn_as_count(c->below.outlying),
                    kn_as_percent(kn_share(c->below.outlying, x->rows)));
        else
            kn_text_addz(text, "-");
        kn_text_addz(text, "\n");
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static void
put_group(kn_text *text, const kn_explained_group *g)
{
    KN_FILL(text, "{} ({} of {})", kn_as_name(g->label, 30), kn_as_count(g->outlying),
            kn_as_count(g->rows));
}

static void
put_where(kn_text *text, const kn_explained_column *c, const kn_explained_where *w)
{
    size_t from = text->len;

    KN_FILL(text, "  {}", kn_as_name(c->name, NAME - 3));
    kn_plain_pad(text, NAME);
    for (size_t i = 0; i < w->ngroups; i++) {
        kn_text_addz(text, i ? ", " : "");
        put_group(text, &w->groups[i]);
    }
    if (w->rare_outlying)
        KN_FILL(text, "{}groups with few rows ({} of {})", kn_as_is(w->ngroups ? ", " : ""),
                kn_as_count(w->rare_outlying), kn_as_count(w->rare_rows));
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, WIDTH, NAME);
}

/* Only columns that still tell groups apart have something to say. */
static void
put_groups(kn_text *text, const kanon_explanation *x)
{
    bool titled = false;

    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        if (!x->suppressed || c->level >= c->height)
            continue;
        if (!titled)
            kn_text_addz(text, "\nGroups with most of the suppressed rows (of the group's rows)\n");
        titled = true;
        put_where(text, c, &c->at);
    }
    titled = false;
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        if (!c->has_below || !c->below.outlying || c->below.outlying <= x->allowed)
            continue;
        if (!titled)
            kn_text_addz(text,
                         "\nWhat keeps a column from going one level down: outlying rows there\n");
        titled = true;
        put_where(text, c, &c->below);
    }
}

/* --- changes ---------------------------------------------------------------------------------- */

static void
put_what(kn_text *text, const kn_change *c)
{
    switch (c->kind) {
    case KN_CHANGE_LEVEL:
        KN_FILL(text, "{} one level {}", kn_as_name(c->column, 16),
                kn_as_is(c->to > c->from ? "up" : "down"));
        break;
    case KN_CHANGE_DROP:
        KN_FILL(text, "drop {}", kn_as_name(c->column, 26));
        break;
    default:
        kn_plain_name(text, c->setting, WHAT - 2);
    }
}

void
kn_explain_points(kn_text *text, double change)
{
    if (fabs(change) < 0.0005) { /* no sign of what is not shown */
        kn_text_addz(text, "0");
        return;
    }
    if (change > 0)
        kn_text_addz(text, "+");
    kn_plain_fixed(text, 100 * change, 1);
}

static void
put_change(kn_text *text, const kanon_explanation *x, const kn_change *c)
{
    put_what(text, c);
    kn_plain_pad(text, WHAT);
    if (!c->computed) {
        kn_text_addz(text, "no time was left\n");
        return;
    }
    if (!c->feasible && c->kind != KN_CHANGE_LEVEL) {
        kn_text_addz(text, "no release\n");
        return;
    }
    kn_plain_percent(text, c->kept);
    kn_plain_pad(text, WHAT + 10);
    if (x->feasible)
        kn_explain_points(text, c->kept - x->kept);
    kn_plain_pad(text, WHAT + 20);
    kn_plain_percent(text, kn_share(c->suppressed, x->rows));
    if (!c->feasible)
        kn_text_addz(text, "  too many");
    else if (c->kind != KN_CHANGE_LEVEL && !c->proven && !x->has_local)
        kn_text_addz(text, "  not proven"); /* with local recoding that is nearly always so */
    kn_text_addz(text, "\n");
}

/* Repairs nothing, where something has to be repaired. */
static bool
is_idle(const kanon_explanation *x, const kn_change *c)
{
    return c->computed && !c->feasible && !x->feasible;
}

static void
put_changes(kn_text *text, const kanon_explanation *x)
{
    size_t dropped = 0, useless = 0, weaker = 0, from;

    kn_text_addz(text, x->feasible ? "\nOne change at a time" : "\nNearest settings that work");
    kn_plain_pad(text, WHAT);
    kn_text_addz(text, "kept");
    kn_plain_pad(text, WHAT + 10);
    kn_text_addz(text, x->feasible ? "points" : "");
    kn_plain_pad(text, WHAT + 20);
    kn_text_addz(text, "suppressed\n");
    for (size_t i = 0; i < x->nchanges; i++) {
        const kn_change *c = &x->changes[i];
        bool             idle = is_idle(x, c);

        if (!idle && c->weakens && !weaker++)
            kn_text_addz(text, "With less privacy:\n");
        if (!idle)
            put_change(text, x, c);
        useless += idle && c->kind == KN_CHANGE_DROP;
        dropped += !idle && c->kind == KN_CHANGE_DROP;
    }
    from = text->len;
    KN_FILL(text, "(kept: of the information in all quasi-identifiers{}",
            kn_as_is(dropped ? "; a dropped column counts as lost, --id COLUMN drops it)\n"
                             : ")\n"));
    kn_plain_wrap(text, from, WIDTH, 1);
    if (useless)
        kn_text_addz(text, dropped ? "Dropping another quasi-identifier does not help.\n"
                                   : "Dropping a single quasi-identifier does not help.\n");
    if (x->uncomputed)
        KN_FILL(text, "{} not computed for lack of time; --time-limit none computes all\n",
                kn_as_counted(x->uncomputed, "change"));
}

/* --- sets of columns -------------------------------------------------------------------------- */

static void
put_sets(kn_text *text, const kanon_explanation *x)
{
    size_t from;

    if (!x->sets.count)
        return;
    kn_text_addz(text, "\nSets of columns that could be kept, the other quasi-identifiers dropped\n"
                       "kept      suppressed  columns (kept of each)\n");
    for (size_t i = 0; i < x->sets.count; i++) {
        const kn_kept_set *set = &x->sets.of[i];

        from = text->len;
        kn_plain_percent(text, set->kept);
        kn_plain_pad(text, 10);
        kn_plain_percent(text, kn_share(set->suppressed, x->rows));
        kn_plain_pad(text, 22);
        for (size_t c = 0; c < set->ncolumns; c++)
            KN_FILL(text, "{}{} ({})", kn_as_is(c ? ", " : ""),
                    kn_as_name(set->columns[c].name, 30), kn_as_percent(set->columns[c].kept));
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 22);
    }
}

void
kn_explain_tried(kn_text *text, const kanon_explanation *x, const char *all)
{
    if (!x->uncomputed) {
        kn_text_addz(text, all);
        return;
    }
    KN_FILL(text, "the {} of {} of one setting that were computed", kn_as_count(x->computed),
            kn_as_counted(x->settings, "change"));
}

/* --- local recoding --------------------------------------------------------------------------- */

static void
put_local_columns(kn_text *text, const kanon_explanation *x)
{
    kn_text_addz(
        text,
        "\n"
        "                  kept     share of  released rows that\n"
        "Column                     the loss  are exact         no information: * or all values\n");
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        kn_plain_name(text, c->name, NAME - 2);
        kn_plain_pad(text, NAME);
        kn_plain_percent(text, 1 - c->loss.glm);
        kn_plain_pad(text, NAME + 9);
        kn_plain_percent(text, c->share);
        kn_plain_pad(text, NAME + 19);
        KN_FILL(text, "{} ({})", kn_as_count(c->exact),
                kn_as_percent(kn_share(c->exact, x->rows - x->suppressed)));
        kn_plain_pad(text, NAME + 37);
        KN_FILL(text, "{} ({})\n", kn_as_count(c->hidden),
                kn_as_percent(kn_share(c->hidden, x->rows - x->suppressed)));
    }
}

static void
put_source(kn_text *text, const char *label, double share)
{
    KN_FILL(text, "  {}", kn_as_is(label));
    kn_plain_pad(text, 58);
    KN_FILL(text, "{}\n", kn_as_percent(share));
}

static void
put_sources(kn_text *text, const kanon_explanation *x)
{
    const kn_explained_local *l = &x->local;
    size_t                    from;

    kn_text_addz(text, "\nWhere the loss comes from                                 share of it\n");
    put_source(text, "suppressed rows", l->suppressed);
    put_source(text, "classes of 2k rows or more, which could be two", l->large);
    put_source(text, "the tenth of the classes that lose most", l->tenth);
    from = text->len;
    KN_FILL(text, "({}{}{}, largest {}; k is {})\n", kn_as_count(l->classes),
            kn_as_is(l->classes == 1 ? " class; smallest " : " classes; smallest "),
            kn_as_count(l->smallest), kn_as_counted(l->largest, "row"), kn_as_count(x->k));
    kn_plain_wrap(text, from, WIDTH, 2);
}

static void
put_widest(kn_text *text, const kanon_explanation *x, size_t column, double loss)
{
    KN_FILL(text, "{} ({})", kn_as_name(x->columns[column].name, 12), kn_as_percent(1 - loss));
}

static void
put_worst(kn_text *text, const kanon_explanation *x)
{
    if (!x->local.nworst)
        return;
    kn_text_addz(text, "\nWidest classes  kept of a cell  share of the loss  widest in (kept)\n");
    for (size_t i = 0; i < x->local.nworst; i++) {
        const kn_explained_class *c = &x->local.worst[i];

        KN_FILL(text, "  {}", kn_as_counted(c->rows, "row"));
        kn_plain_pad(text, 16);
        kn_plain_percent(text, 1 - c->loss);
        kn_plain_pad(text, 32);
        kn_plain_percent(text, c->share);
        kn_plain_pad(text, 51);
        put_widest(text, x, c->widest, c->widest_loss);
        if (c->second != c->widest) {
            kn_text_addz(text, ", ");
            put_widest(text, x, c->second, c->second_loss);
        }
        kn_text_addz(text, "\n");
    }
}

void
kn_explain_text(kn_text *text, const kanon_explanation *x)
{
    kn_report_opening(text, &x->opening, WIDTH);
    put_asked(text, x);
    if (x->feasible && x->has_local) {
        put_local_columns(text, x);
        put_sources(text, x);
        put_worst(text, x);
    } else if (x->feasible) {
        put_columns(text, x);
        put_groups(text, x);
    }
    put_sets(text, x);
    if (x->nchanges)
        put_changes(text, x);
    else
        kn_text_addz(text, "\nNo single change of a setting makes a release feasible.\n");
}

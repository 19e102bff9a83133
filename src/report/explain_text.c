/* SPDX-License-Identifier: Apache-2.0 */
/* explain_text.c -- an explanation for people, in lines of at most 80 columns. */
#include <math.h>

#include "base/plain.h"
#include "report/explain.h"

enum { WIDTH = 80, NAME = 18, WHAT = 34 };

/* --- what was asked, and what came of it ------------------------------------------------------ */

static void
put_share(kn_text *text, uint64_t rows, uint64_t all)
{
    kn_plain_percent(text, all ? (double) rows / (double) all : 0);
}

static void
put_model(kn_text *text, const kn_explained_model *m)
{
    kn_text_addf(text, ", %s ", m->name);
    if (m->second)
        kn_text_addf(text, "(%s = ", m->parameter);
    kn_plain_number(text, m->limit);
    if (m->second) {
        kn_text_addf(text, ", %s = ", m->second);
        kn_plain_number(text, m->other);
        kn_text_addz(text, ")");
    }
    if (m->column) {
        kn_text_addz(text, " (");
        kn_plain_name(text, m->column, 30);
        kn_text_addz(text, ")");
    }
}

static void
put_asked(kn_text *text, const kanon_explanation *x)
{
    size_t from = text->len;

    kn_text_addz(text, "Settings: k = ");
    kn_plain_count(text, x->k);
    kn_text_addz(text, ", at most ");
    kn_plain_percent(text, x->suppression);
    kn_text_addz(text, " suppressed (");
    kn_plain_counted(text, x->allowed, "row");
    kn_text_addz(text, ")");
    for (size_t i = 0; i < x->nmodels; i++)
        put_model(text, &x->models[i]);
    kn_text_addf(text, ", minimise %s.\n", x->metric);
    kn_plain_wrap(text, from, WIDTH, 2);
}

static void
put_found(kn_text *text, const kanon_explanation *x)
{
    size_t from = text->len;

    if (x->feasible) {
        kn_text_addf(text, "Found: %s ", x->metric);
        kn_plain_number(text, x->loss);
        kn_text_addz(text, x->optimal ? ", proven optimal; " : ", the best that ");
        if (!x->optimal) {
            kn_text_addf(text, "%s found", x->algorithm);
            kn_text_addz(text, strcmp(x->stopped, "time-limit") == 0
                                   ? " found within its time limit; "
                                   : "; ");
        }
        kn_plain_count(text, x->suppressed);
        kn_text_addz(text, " of ");
        kn_plain_counted(text, x->rows, "row");
        kn_text_addz(text, " suppressed (");
        put_share(text, x->suppressed, x->rows);
        kn_text_addz(text, ").\n");
    } else {
        kn_text_addz(text, x->has_local
                               ? "There is no release: even if all rows were one class, "
                               : "There is no release: even with every quasi-identifier dropped, ");
        kn_plain_count(text, x->suppressed);
        kn_text_addz(text, " of ");
        kn_plain_counted(text, x->rows, "row");
        kn_text_addz(text, x->suppressed == 1 ? " is outlying.\n" : " are outlying.\n");
    }
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
                 "\n                  level   loss   suppressed rows kept,     rows outlying\n"
                 "Column                    (glm)  a level up  without it    a level down\n");
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        kn_plain_name(text, c->name, NAME - 2);
        kn_plain_pad(text, NAME);
        kn_text_addf(text, "%u of %u", c->level, c->height);
        kn_plain_pad(text, NAME + 8);
        kn_plain_fixed(text, c->loss.glm, 3);
        kn_plain_pad(text, NAME + 15);
        put_saved(text, c, c->saved_up);
        kn_plain_pad(text, NAME + 27);
        put_saved(text, c, c->saved_top);
        kn_plain_pad(text, NAME + 41);
        if (c->has_below) {
            kn_plain_count(text, c->below.outlying);
            kn_text_addz(text, " (");
            put_share(text, c->below.outlying, x->rows);
            kn_text_addz(text, ")");
        } else {
            kn_text_addz(text, "-");
        }
        kn_text_addz(text, "\n");
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static void
put_group(kn_text *text, const kn_explained_group *g)
{
    kn_plain_name(text, g->label, 30);
    kn_text_addz(text, " (");
    kn_plain_count(text, g->outlying);
    kn_text_addz(text, " of ");
    kn_plain_count(text, g->rows);
    kn_text_addz(text, ")");
}

static void
put_where(kn_text *text, const kn_explained_column *c, const kn_explained_where *w)
{
    size_t from = text->len;

    kn_text_addz(text, "  ");
    kn_plain_name(text, c->name, NAME - 3);
    kn_plain_pad(text, NAME);
    for (size_t i = 0; i < w->ngroups; i++) {
        kn_text_addz(text, i ? ", " : "");
        put_group(text, &w->groups[i]);
    }
    if (w->rare_outlying) {
        kn_text_addz(text, w->ngroups ? ", " : "");
        kn_text_addz(text, "groups with few rows (");
        kn_plain_count(text, w->rare_outlying);
        kn_text_addz(text, " of ");
        kn_plain_count(text, w->rare_rows);
        kn_text_addz(text, ")");
    }
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
        kn_plain_name(text, c->column, 16);
        kn_text_addf(text, " one level %s", c->to > c->from ? "up" : "down");
        break;
    case KN_CHANGE_DROP:
        kn_text_addz(text, "drop ");
        kn_plain_name(text, c->column, 26);
        break;
    default:
        kn_plain_name(text, c->setting, WHAT - 2);
    }
}

/* Shares with as many decimals as it takes to line up; dm and height are whole numbers. */
void
kn_explain_loss(kn_text *text, double value)
{
    if (fabs(value) < 100 && value != floor(value))
        kn_plain_fixed(text, value, 4);
    else
        kn_plain_number(text, value);
}

void
kn_explain_loss_change(kn_text *text, double value)
{
    if (fabs(value) < 0.00005) /* no sign of what four decimals do not show */
        value = 0;
    if (value > 0)
        kn_text_addz(text, "+");
    kn_explain_loss(text, value);
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
    kn_explain_loss(text, c->loss_all);
    kn_plain_pad(text, WHAT + 10);
    if (x->feasible)
        kn_explain_loss_change(text, c->loss_all - x->loss);
    kn_plain_pad(text, WHAT + 20);
    put_share(text, c->suppressed, x->rows);
    if (!c->feasible)
        kn_text_addz(text, "  too many");
    else if (c->kind != KN_CHANGE_LEVEL && !c->proven && !x->has_local)
        kn_text_addz(text, "  not proven"); /* with local recoding that is nearly always so */
    kn_text_addz(text, "\n");
}

static void
put_changes(kn_text *text, const kanon_explanation *x)
{
    size_t dropped = 0, useless = 0;

    kn_text_addz(text, x->feasible ? "\nOne change at a time" : "\nNearest settings that work");
    kn_plain_pad(text, WHAT);
    kn_text_addf(text, "%s", x->metric);
    kn_plain_pad(text, WHAT + 10);
    kn_text_addz(text, x->feasible ? "change" : "");
    kn_plain_pad(text, WHAT + 20);
    kn_text_addz(text, "suppressed\n");
    for (size_t i = 0; i < x->nchanges; i++) {
        const kn_change *c = &x->changes[i];
        bool             idle = c->computed && !c->feasible && !x->feasible; /* repairs nothing */

        if (!idle)
            put_change(text, x, c);
        useless += idle && c->kind == KN_CHANGE_DROP;
        dropped += !idle && c->kind == KN_CHANGE_DROP;
    }
    if (dropped)
        kn_text_addz(text, "(a dropped column counts as lost; --id COLUMN drops it)\n");
    if (useless)
        kn_text_addz(text, dropped ? "Dropping another quasi-identifier does not help.\n"
                                   : "Dropping a single quasi-identifier does not help.\n");
    if (x->uncomputed) {
        kn_plain_counted(text, x->uncomputed, "change");
        kn_text_addz(text, " not computed for lack of time; --time-limit none computes all\n");
    }
}

void
kn_explain_tried(kn_text *text, const kanon_explanation *x, const char *all)
{
    if (!x->uncomputed) {
        kn_text_addz(text, all);
        return;
    }
    kn_text_addz(text, "the ");
    kn_plain_count(text, x->computed);
    kn_text_addz(text, " of ");
    kn_plain_counted(text, x->settings, "change");
    kn_text_addz(text, " of one setting that were computed");
}

/* The change of a setting that helps most, in words. */
static void
put_advice(kn_text *text, const kanon_explanation *x)
{
    const kn_change *best = x->best;
    size_t           from = text->len;

    if (!best)
        return;
    kn_text_addz(text, "\nOf ");
    kn_explain_tried(text, x, "these");
    kn_text_addz(text, ", ");
    kn_plain_name(text, best->setting, 60);
    kn_text_addf(text, " lowers %s most: from ", x->metric);
    kn_plain_number(text, x->loss);
    kn_text_addz(text, " to ");
    kn_plain_number(text, best->loss_all);
    kn_text_addz(text, best->kind == KN_CHANGE_DROP
                           ? ". You decide whether the column can be dropped.\n"
                           : ". You decide whether the weaker promise is acceptable.\n");
    kn_plain_wrap(text, from + 1, WIDTH, 0);
}

/* --- local recoding --------------------------------------------------------------------------- */

static void
put_local_columns(kn_text *text, const kanon_explanation *x)
{
    kn_text_addz(
        text,
        "\n"
        "                  loss   share of   released rows that\n"
        "Column            (glm)  the loss   are exact         no information: * or all values\n");
    for (size_t i = 0; i < x->ncolumns; i++) {
        const kn_explained_column *c = &x->columns[i];

        kn_plain_name(text, c->name, NAME - 2);
        kn_plain_pad(text, NAME);
        kn_plain_fixed(text, c->loss.glm, 3);
        kn_plain_pad(text, NAME + 7);
        kn_plain_percent(text, c->share);
        kn_plain_pad(text, NAME + 18);
        kn_plain_count(text, c->exact);
        kn_text_addz(text, " (");
        put_share(text, c->exact, x->rows - x->suppressed);
        kn_text_addz(text, ")");
        kn_plain_pad(text, NAME + 36);
        kn_plain_count(text, c->hidden);
        kn_text_addz(text, " (");
        put_share(text, c->hidden, x->rows - x->suppressed);
        kn_text_addz(text, ")\n");
    }
}

static void
put_source(kn_text *text, const char *label, double share)
{
    kn_text_addz(text, "  ");
    kn_text_addz(text, label);
    kn_plain_pad(text, 58);
    kn_plain_percent(text, share);
    kn_text_addz(text, "\n");
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
    kn_text_addz(text, "(");
    kn_plain_count(text, l->classes);
    kn_text_addz(text, l->classes == 1 ? " class; smallest " : " classes; smallest ");
    kn_plain_count(text, l->smallest);
    kn_text_addz(text, ", largest ");
    kn_plain_counted(text, l->largest, "row");
    kn_text_addz(text, "; k is ");
    kn_plain_count(text, x->k);
    kn_text_addz(text, ")\n");
    kn_plain_wrap(text, from, WIDTH, 2);
}

static void
put_worst(kn_text *text, const kanon_explanation *x)
{
    if (!x->local.nworst)
        return;
    kn_text_addz(text, "\nWidest classes  loss of a cell  share of the loss  widest in\n");
    for (size_t i = 0; i < x->local.nworst; i++) {
        const kn_explained_class *c = &x->local.worst[i];

        kn_text_addz(text, "  ");
        kn_plain_counted(text, c->rows, "row");
        kn_plain_pad(text, 16);
        kn_plain_fixed(text, c->loss, 3);
        kn_plain_pad(text, 31);
        kn_plain_percent(text, c->share);
        kn_plain_pad(text, 50);
        kn_plain_name(text, x->columns[c->widest].name, 14);
        kn_text_addz(text, " ");
        kn_plain_fixed(text, c->widest_loss, 2);
        if (c->second != c->widest) {
            kn_text_addz(text, ", ");
            kn_plain_name(text, x->columns[c->second].name, 12);
            kn_text_addz(text, " ");
            kn_plain_fixed(text, c->second_loss, 2);
        }
        kn_text_addz(text, "\n");
    }
}

void
kn_explain_text(kn_text *text, const kanon_explanation *x)
{
    put_asked(text, x);
    put_found(text, x);
    if (x->feasible && x->has_local) {
        put_local_columns(text, x);
        put_sources(text, x);
        put_worst(text, x);
    } else if (x->feasible) {
        put_columns(text, x);
        put_groups(text, x);
    }
    if (x->nchanges)
        put_changes(text, x);
    else
        kn_text_addz(text, "\nNo single change of a setting makes a release feasible.\n");
    put_advice(text, x);
}

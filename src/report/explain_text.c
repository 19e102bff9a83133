/* explain_text.c -- an explanation for people, in lines of at most 80 columns. */
#include <math.h>

#include "report/explain.h"
#include "report/plain.h"

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

    kn_text_addz(text, "Asked for: k = ");
    kn_plain_count(text, x->k);
    kn_text_addz(text, ", at most ");
    kn_plain_percent(text, x->suppression);
    kn_text_addz(text, " suppressed (");
    kn_plain_counted(text, x->allowed, "row");
    kn_text_addz(text, ")");
    for (size_t i = 0; i < x->nmodels; i++)
        put_model(text, &x->models[i]);
    kn_text_addf(text, ", least %s.\n", x->metric);
    kn_plain_wrap(text, from, WIDTH, 2);
}

static void
put_found(kn_text *text, const kanon_explanation *x)
{
    size_t from = text->len;

    if (x->feasible) {
        kn_text_addf(text, "Found: %s ", x->metric);
        kn_plain_number(text, x->loss);
        kn_text_addz(text,
                     x->optimal ? ", proven to be the least; " : ", the best that was found; ");
        kn_plain_count(text, x->suppressed);
        kn_text_addz(text, " of ");
        kn_plain_counted(text, x->rows, "row");
        kn_text_addz(text, " suppressed (");
        put_share(text, x->suppressed, x->rows);
        kn_text_addz(text, ").\n");
    } else {
        kn_text_addz(text, "There is no release: even with every quasi-identifier given up, ");
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
                         "\nWhat keeps a column from going a level down: outlying rows there\n");
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
static void
put_loss(kn_text *text, double value)
{
    if (fabs(value) < 100 && value != floor(value))
        kn_plain_fixed(text, value, 4);
    else
        kn_plain_number(text, value);
}

static void
put_signed(kn_text *text, double value)
{
    if (value > 0)
        kn_text_addz(text, "+");
    put_loss(text, value);
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
    put_loss(text, c->loss_all);
    kn_plain_pad(text, WHAT + 10);
    if (x->feasible)
        put_signed(text, c->loss_all - x->loss);
    kn_plain_pad(text, WHAT + 20);
    put_share(text, c->suppressed, x->rows);
    if (!c->feasible)
        kn_text_addz(text, "  too many");
    else if (c->kind != KN_CHANGE_LEVEL && !c->proven)
        kn_text_addz(text, "  not proven");
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
        kn_text_addz(text, "(a column that is dropped counts as lost; --id COLUMN drops it)\n");
    if (useless)
        kn_text_addz(text, dropped ? "Dropping another quasi-identifier does not help.\n"
                                   : "Dropping a single quasi-identifier does not help.\n");
    if (x->uncomputed) {
        kn_plain_counted(text, x->uncomputed, "change");
        kn_text_addz(text, " had no time; --time-limit none computes all\n");
    }
}

/* The change of a setting that helps most, in words. */
static void
put_advice(kn_text *text, const kanon_explanation *x)
{
    const kn_change *best = NULL;
    size_t           from = text->len;

    for (size_t i = 0; i < x->nchanges; i++) {
        const kn_change *c = &x->changes[i];

        if (c->computed && c->feasible && c->kind != KN_CHANGE_LEVEL
            && c->loss_all < (best ? best->loss_all : x->loss) - 1e-12)
            best = c;
    }
    if (!x->feasible || !best)
        return;
    kn_text_addz(text, "\nOf these, ");
    kn_plain_name(text, best->setting, 60);
    kn_text_addf(text, " lowers %s most: from ", x->metric);
    kn_plain_number(text, x->loss);
    kn_text_addz(text, " to ");
    kn_plain_number(text, best->loss_all);
    kn_text_addz(text, ". Whether the weaker promise is worth it is yours to decide.\n");
    kn_plain_wrap(text, from + 1, WIDTH, 0);
}

void
kn_explain_text(kn_text *text, const kanon_explanation *x)
{
    put_asked(text, x);
    put_found(text, x);
    if (x->feasible) {
        put_columns(text, x);
        put_groups(text, x);
    }
    if (x->nchanges)
        put_changes(text, x);
    else
        kn_text_addz(text, "\nNo change of a single setting was found that leads to a release.\n");
    put_advice(text, x);
}

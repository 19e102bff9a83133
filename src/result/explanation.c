/* SPDX-License-Identifier: Apache-2.0 */
/* explanation.c -- an explanation as a program reads it: life and outcome. */
#include "result/explanation.h"

#include "base/fill.h"

kanon_status
kn_explanation_new(kanon_ctx *ctx, kanon_explanation **out)
{
    kanon_explanation *explanation = KN_NEW(ctx, kanon_explanation);

    *out = NULL;
    if (!explanation)
        return KANON_E_NOMEM;
    explanation->ctx = ctx;
    explanation->tree = (kanon_tree){ ctx, &kn_shape_explanation, explanation, KN_INSIDE };
    kn_arena_init(&explanation->arena, ctx);
    explanation->input = explanation->metric = explanation->algorithm = "";
    explanation->stopped = "";
    explanation->opening = KN_OPENING_NONE;
    *out = explanation;
    return KANON_OK;
}

kanon_outcome
kanon_explanation_outcome(const kanon_explanation *explanation)
{
    return !explanation->feasible ? KANON_INFEASIBLE
         : explanation->optimal   ? KANON_OPTIMAL
                                  : KANON_FEASIBLE;
}

/* Levels are looked at without a search: they are no change of a setting. */
void
kn_explanation_find_best(kanon_explanation *x)
{
    const kn_change *best[2] = { NULL, NULL };

    x->settings = x->computed = 0;
    for (size_t i = 0; i < x->nchanges; i++) {
        const kn_change *c = &x->changes[i];

        if (c->kind == KN_CHANGE_LEVEL)
            continue;
        x->settings++;
        x->computed += c->computed;
        if (x->feasible && c->computed && c->feasible
            && c->kept > (best[c->weakens] ? best[c->weakens]->kept : x->kept) + 1e-12)
            best[c->weakens] = c;
    }
    x->best = x->computed < x->uncomputed ? NULL : best[0];
    x->best_weaker = x->computed < x->uncomputed ? NULL : best[1];
}

/* --- verdict ------------------------------------------------------------------------------------- */

static void
put_of_rows(kn_text *t, uint64_t rows, uint64_t all)
{
    KN_FILL(t, "{} of {}", kn_as_count(rows), kn_as_counted(all, "row"));
}

/* May some column not be fully generalized? Without a release the levels are the highest that may be. */
static bool
has_lid(const kanon_explanation *x)
{
    for (size_t i = 0; i < x->ncolumns && !x->feasible; i++)
        if (x->columns[i].level < x->columns[i].height)
            return true;
    return false;
}

static void
put_headline(kn_text *t, const kanon_explanation *x)
{
    if (x->feasible)
        return;
    kn_text_addz(t, x->has_local ? "There is no release: even if all rows were one class, "
                    : has_lid(x)
                        ? "There is no release: even with every quasi-identifier at the highest "
                          "level that level and max-level allow, "
                        : "There is no release: even with every quasi-identifier dropped, ");
    put_of_rows(t, x->suppressed, x->rows);
    kn_text_addz(t, x->suppressed == 1 ? " is outlying" : " are outlying");
}

static void
put_left(kn_text *t, const kanon_explanation *x)
{
    if (!x->feasible)
        return;
    KN_FILL(t, "{} of the information in the quasi-identifiers; ", kn_as_percent(x->kept));
    if (x->optimal)
        kn_text_addf(t, "no release has a lower %s; ", x->metric);
    else
        kn_text_addf(t, "the best that %s found%s; ", x->algorithm,
                     strcmp(x->stopped, "time-limit") == 0 ? " within its time limit" : "");
    put_of_rows(t, x->suppressed, x->rows);
    KN_FILL(t, " suppressed ({})", kn_as_percent(kn_share(x->suppressed, x->rows)));
}

/* Where less than this is kept of all quasi-identifiers, fewer of them are the first advice. */
static const double KEPT_WELL = 0.5;

enum { SETS_MOST = 3, SET_NAMES_MOST = 8 };

static void
put_sets(kn_opening_writer *w, const kanon_explanation *x)
{
    for (size_t i = 0; x->kept < KEPT_WELL && i < x->sets.count && i < SETS_MOST; i++) {
        kn_text_addz(&w->text, i ? ", or " : "keep only ");
        kn_kept_put(&w->text, &x->sets.of[i], SET_NAMES_MOST);
    }
}

/* "--suppression 0.02 keeps 38.0 %" */
static void
put_change(kn_opening_writer *w, const kanon_explanation *x, const kn_change *c)
{
    kn_plain_name(&w->text, c->setting, 0);
    if (!x->feasible) {
        kn_text_addz(&w->text, " allows a release");
        return;
    }
    KN_FILL(&w->text, " keeps {}", kn_as_percent(c->kept));
    if (c->kind == KN_CHANGE_DROP)
        kn_text_addz(&w->text, ", if the column can be dropped");
    else if (c->kind == KN_CHANGE_SUPPRESSION)
        kn_text_addz(&w->text, ", if so many rows may be lost");
}

/* The change that allows a release, the first with as much privacy as before. */
static const kn_change *
first_that_works(const kanon_explanation *x)
{
    const kn_change *weaker = NULL;

    for (size_t i = 0; i < x->nchanges; i++)
        if (x->changes[i].computed && x->changes[i].feasible && x->changes[i].setting) {
            if (!x->changes[i].weakens)
                return &x->changes[i];
            weaker = weaker ? weaker : &x->changes[i];
        }
    return weaker;
}

/* What helps: fewer columns, then a change that keeps the privacy, and last one that weakens it. */
static void
put_better(kn_opening_writer *w, const kanon_explanation *x)
{
    const kn_change *best = x->feasible ? x->best : first_that_works(x);

    put_sets(w, x);
    if (best) {
        kn_opening_part(w);
        if (best->weakens)
            kn_text_addz(&w->text, "only with less privacy: ");
        put_change(w, x, best);
    }
    if (x->best_weaker && (!best || x->best_weaker->kept > best->kept)) {
        kn_opening_part(w);
        kn_text_addz(&w->text, w->text.len ? "with less privacy, " : "only with less privacy: ");
        put_change(w, x, x->best_weaker);
    }
}

kanon_status
kn_explanation_judge(kanon_explanation *x)
{
    kanon_status      rc = kn_findings_add_warnings(&x->findings, &x->arena, x->ctx);
    kn_opening_writer w;

    if (rc < 0)
        return rc;
    kn_findings_sort(&x->findings);
    kn_opening_begin(&w, &x->arena, x->ctx);
    put_headline(&w.text, x);
    x->opening.headline = kn_opening_take(&w);
    put_left(&w.text, x);
    x->opening.left = kn_opening_take(&w);
    put_better(&w, x);
    x->opening.better = kn_opening_take(&w);
    return kn_opening_end(&w, &x->findings, &x->opening);
}

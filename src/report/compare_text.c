/* SPDX-License-Identifier: Apache-2.0 */
/* compare_text.c -- a comparison for people, in lines of at most 80 columns. */
#include <math.h>

#include "base/fill.h"
#include "report/compare.h"
#include "report/report.h"

enum { WIDTH = 80, LABEL = 14, NAME = 20, PAIRS_MOST = 10, LISTED_MOST = 12 };

static void
put_list(kn_text *text, const char *label, const char *const *names, size_t count)
{
    size_t from;

    if (!count)
        return;
    from = kn_plain_begin(text, LABEL, label);
    for (size_t i = 0; i < count && i <= LISTED_MOST; i++) {
        kn_text_addz(text, i ? ", " : "");
        if (i == LISTED_MOST)
            kn_text_addz(text, "...");
        else
            kn_plain_name(text, names[i], 40);
    }
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_total(kn_text *text, const kanon_comparison *c)
{
    size_t from = kn_plain_begin(text, LABEL, "Loss");

    KN_FILL(text,
            "glm {}, gcp {}, entropy {} (0: nothing is lost, 1: everything); mean over {} and all "
            "original rows; a lost row counts 1",
            kn_as_fixed(c->glm, 4), kn_as_fixed(c->gcp, 4), kn_as_fixed(c->entropy, 4),
            kn_as_counted(c->ncounted, "column"));
    kn_plain_end(text, from, WIDTH, LABEL);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Two shares with as many decimals as it takes to tell them apart. */
static void
put_shares(kn_text *text, double before, double after)
{
    unsigned decimals = 1;
    double   scale = 1000;

    for (; decimals < 4 && floor(before * scale + 0.5) == floor(after * scale + 0.5); decimals++)
        scale *= 10;
    KN_FILL(text, "{} % to {} %", kn_as_fixed(before * 100, decimals),
            kn_as_fixed(after * 100, decimals));
}

static void
put_change(kn_text *text, const kn_compared_column *col)
{
    const kn_compared_bin *b;

    if (col->dropped)
        kn_text_addz(text, "(not released) ");
    if (kn_compared_nothing_left(col)) {
        kn_text_addz(text, col->dropped ? "" : "everything is lost: every cell is *");
        return;
    }
    if (col->biggest >= col->nbins)
        return;
    b = &col->bins[col->biggest];
    if (fabs(b->after - b->before) < KN_COMPARE_CHANGED) {
        kn_text_addz(text, col->dropped ? "" : "none");
        return;
    }
    kn_compare_bin_name(text, b);
    kn_text_addz(text, ": ");
    put_shares(text, b->before, b->after);
}

/* Columns from i on that have no part in the loss and are as they were. */
static size_t
bystanders(const kanon_comparison *c, size_t i)
{
    size_t end = i;

    while (end < c->ncolumns && !c->columns[end].counted && !c->columns[end].dropped
           && c->columns[end].glm <= 0 && c->columns[end].entropy <= 0 && c->columns[end].tvd <= 0)
        end++;
    return end - i;
}

static void
put_columns(kn_text *text, const kanon_comparison *c)
{
    size_t run = 0;

    kn_text_addz(text, "\nColumn              glm    entropy  shift  largest change of a share\n");
    for (size_t i = 0; i < c->ncolumns; i++) {
        const kn_compared_column *col = &c->columns[i];
        size_t                    more = bystanders(c, i);

        run = more ? run + 1 : 0;
        if (run == KN_PLAIN_RUN_LISTED + 1 && run - 1 + more > KN_PLAIN_RUN_MOST) {
            i += more - 1;
            kn_plain_folded(text, more, c->columns[i].name, "as they were");
            continue;
        }
        KN_FILL(text, "{}{}", kn_as_name(col->name, NAME - 2), kn_as_is(col->counted ? "" : "+"));
        kn_plain_pad(text, NAME);
        kn_plain_fixed(text, col->glm, 3);
        kn_plain_pad(text, NAME + 7);
        kn_plain_fixed(text, col->entropy, 3);
        kn_plain_pad(text, NAME + 16);
        kn_plain_fixed(text, col->tvd, 3);
        kn_plain_pad(text, NAME + 23);
        put_change(text, col);
        while (!text->failed && text->len && text->ptr[text->len - 1] == ' ')
            text->ptr[--text->len] = 0;
        kn_text_addz(text, "\n");
    }
    if (c->ncounted < c->ncolumns)
        kn_text_addz(text, "+ not included in the loss above\n");
}

static void
put_unknown(kn_text *text, const kanon_comparison *c)
{
    for (size_t i = 0; i < c->ncolumns; i++) {
        const kn_compared_column *col = &c->columns[i];
        size_t                    from = text->len;

        if (!col->cells[KN_READ_UNKNOWN])
            continue;
        KN_FILL(text, "! {}: {} were not understood and count as *", kn_as_name(col->name, 40),
                kn_as_counted(col->cells[KN_READ_UNKNOWN], "cell"));
        if (col->unknown)
            KN_FILL(text, ", such as '{}'", kn_as_name(col->unknown, 40));
        kn_text_addz(text, "\n");
        kn_plain_wrap(text, from, WIDTH, 2);
    }
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void
put_arrow(kn_text *text, double before, double after)
{
    KN_FILL(text, "{} to {}", kn_as_fixed(before, 2), kn_as_fixed(after, 2));
}

static void
put_pair(kn_text *text, const kanon_comparison *c, const kn_compared_pair *p)
{
    KN_FILL(text, "{}, {}", kn_as_name(c->columns[p->a].name, 17),
            kn_as_name(c->columns[p->b].name, 17));
    kn_plain_pad(text, 38);
    kn_plain_fixed(text, p->tvd, 3);
    kn_plain_pad(text, 46);
    put_arrow(text, p->v_before, p->v_after);
    if (p->numeric) {
        kn_plain_pad(text, 62);
        put_arrow(text, p->pearson_before, p->pearson_after);
    }
    kn_text_addz(text, "\n");
}

static void
put_pairs(kn_text *text, const kanon_comparison *c)
{
    size_t most = c->npairs < PAIRS_MOST ? c->npairs : PAIRS_MOST;

    if (!c->npairs)
        return;
    kn_text_addz(text, most < c->npairs ? "\nWorst pairs of columns" : "\nPairs of columns");
    kn_plain_pad(text, 38);
    kn_text_addz(text, "shift   Cramer's V      correlation\n");
    for (size_t i = 0; i < most; i++)
        put_pair(text, c, c->worst[i]);
    KN_FILL(text, "mean of all {}", kn_as_counted(c->npairs, "pair"));
    kn_plain_pad(text, 38);
    kn_plain_fixed(text, c->pair_tvd, 3);
    kn_plain_pad(text, 46);
    KN_FILL(text, "changed by {}", kn_as_fixed(c->v_shift, 2));
    if (!isnan(c->pearson_shift)) {
        kn_plain_pad(text, 62);
        KN_FILL(text, "changed by {}", kn_as_fixed(c->pearson_shift, 2));
    }
    kn_text_addz(text, "\n");
}

/* --- learning and queries --------------------------------------------------------------------- */

static void
put_learning(kn_text *text, const kn_compared_learning *l)
{
    size_t from;

    if (!l->label) {
        from = kn_plain_begin(text, LABEL, "Learning");
        kn_text_addz(text, "no label; name one with --label COLUMN");
        kn_plain_end(text, from, WIDTH, LABEL);
        return;
    }
    from = kn_plain_begin(text, LABEL, "Learning");
    KN_FILL(text,
            "{} from {} (naive Bayes, ten folds, tested on the original): correct for {} of rows, "
            "{} when trained on the original; always predicting the most frequent value: {}",
            kn_as_name(l->label, 40), kn_as_counted(l->features, "column"),
            kn_as_percent(l->accuracy_after), kn_as_percent(l->accuracy_before),
            kn_as_percent(l->baseline));
    kn_plain_end(text, from, WIDTH, LABEL);
    from = kn_plain_begin(text, LABEL, "");
    KN_FILL(text, "cm (rows without the majority label of their class, or lost): {}, before {}",
            kn_as_fixed(l->cm_after, 4), kn_as_fixed(l->cm_before, 4));
    kn_plain_end(text, from, WIDTH, LABEL);
}

static void
put_queries(kn_text *text, const kanon_comparison *c)
{
    const kn_compared_errors *e = &c->queries;
    size_t                    from;

    if (!e->queries)
        return;
    from = kn_plain_begin(text, LABEL, "Queries");
    KN_FILL(text,
            "{} random range counts over 1 to 3 columns: median relative error {}, for 90 % of "
            "them at most {}, mean {}",
            kn_as_count(e->queries), kn_as_percent(e->median), kn_as_percent(e->p90),
            kn_as_percent(e->mean));
    kn_plain_end(text, from, WIDTH, LABEL);
}

void
kn_compare_text(kn_text *text, const kanon_comparison *c)
{
    size_t from = text->len;

    KN_FILL(text, "What {} kept of {}\n", kn_as_name(c->released, 60), kn_as_name(c->original, 60));
    kn_plain_wrap(text, from, WIDTH, 0);
    kn_report_opening(text, &c->opening, WIDTH);
    kn_text_addz(text, "\n");
    if (c->taken_from)
        put_list(text, "Settings of", &c->taken_from, 1);
    put_list(text, "Not released", c->dropped, c->ndropped);
    put_list(text, "Only released", c->added, c->nadded);
    put_list(text, "Not compared", c->left_out, c->nleft_out);
    put_total(text, c);
    put_columns(text, c);
    put_unknown(text, c);
    put_pairs(text, c);
    kn_text_addz(text, "\n");
    put_learning(text, &c->learning);
    put_queries(text, c);
}

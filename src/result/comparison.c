/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c -- a comparison as a program reads it: life, numbers by name. */
#include "result/comparison.h"

#include <math.h>

#include "base/fill.h"

kanon_status
kn_comparison_new(kanon_ctx *ctx, kanon_comparison **out)
{
    kanon_comparison *comparison = KN_NEW(ctx, kanon_comparison);

    *out = NULL;
    if (!comparison)
        return KANON_E_NOMEM;
    comparison->ctx = ctx;
    comparison->tree = (kanon_tree){ ctx, &kn_shape_comparison, comparison, KN_INSIDE };
    kn_arena_init(&comparison->arena, ctx);
    comparison->opening = KN_OPENING_NONE;
    comparison->pair_tvd = comparison->pearson_shift = comparison->v_shift = (double) NAN;
    *out = comparison;
    return KANON_OK;
}

bool
kn_compared_nothing_left(const kn_compared_column *column)
{
    uint64_t cells = 0;

    for (size_t i = 0; i < KN_READINGS; i++)
        cells += column->cells[i];
    return cells && column->cells[KN_READ_ALL] == cells;
}

/* Short names of the numbers that are asked for most. */
static const struct {
    const char *name, *part, *path; /* part: null where there is none of it */
} shorts[] = {
    { "rows_before", "", "rows.before" },
    { "rows_after", "", "rows.after" },
    { "rows_lost", "", "rows.lost" },
    { "glm", "", "total.glm" },
    { "gcp", "", "total.gcp" },
    { "entropy", "", "total.entropy" },
    { "tvd", "", "total.tvd" },
    { "pair_tvd", "", "total.pair_tvd" },
    { "cm_before", "learning", "learning.cm_before" },
    { "cm_after", "learning", "learning.cm_after" },
    { "accuracy_before", "learning", "learning.accuracy_before" },
    { "accuracy_after", "learning", "learning.accuracy_after" },
    { "query_error", "queries", "queries.median" },
};

kanon_status
kanon_comparison_number(const kanon_comparison *c, const char *path, double *out)
{
    kanon_item part;

    for (size_t i = 0; path && i < KN_COUNT(shorts); i++)
        if (strcmp(path, shorts[i].name) == 0) {
            if (kanon_tree_find(&c->tree, shorts[i].part, &part) == KANON_OK
                && part.kind == KANON_KIND_NULL)
                return kanon_tree_number(&c->tree, shorts[i].part, out);
            return kanon_tree_number(&c->tree, shorts[i].path, out);
        }
    return kanon_tree_number(&c->tree, path, out);
}

/* --- verdict ------------------------------------------------------------------------------------- */

static void
put_rows(kn_opening_writer *w, const kanon_comparison *c)
{
    kn_text *t = &w->text;

    kn_opening_part(w);
    if (c->rows_after > c->rows_before)
        KN_FILL(t, "{} more than there were", kn_as_counted(c->rows_after - c->rows_before, "row"));
    else if (c->lost)
        KN_FILL(t, "{} of {} lost ({})", kn_as_count(c->lost), kn_as_counted(c->rows_before, "row"),
                kn_as_percent(kn_share(c->lost, c->rows_before)));
    else
        kn_text_addz(t, "no row lost");
}

static void
put_left(kn_opening_writer *w, const kanon_comparison *c)
{
    enum { NAMED_MOST = 3 };
    size_t gone = 0;

    KN_FILL(&w->text, "{} of the information in {}", kn_as_percent(1 - c->glm),
            kn_as_counted(c->ncounted, "column"));
    for (size_t i = 0; i < c->ncolumns; i++) {
        if (!c->columns[i].counted || !kn_compared_nothing_left(&c->columns[i])
            || gone++ > NAMED_MOST)
            continue;
        kn_text_addz(&w->text, gone == 1 ? "; gone: " : ", ");
        if (gone > NAMED_MOST)
            kn_text_addz(&w->text, "...");
        else
            kn_plain_name(&w->text, c->columns[i].name, 0);
    }
    put_rows(w, c);
}

kanon_status
kn_comparison_judge(kanon_comparison *c)
{
    kanon_status      rc = kn_findings_add_warnings(&c->findings, &c->arena, c->ctx);
    kn_opening_writer w;

    if (rc < 0)
        return rc;
    kn_findings_sort(&c->findings);
    kn_opening_begin(&w, &c->arena, c->ctx);
    put_left(&w, c);
    c->opening.left = kn_opening_take(&w);
    return kn_opening_end(&w, &c->findings, &c->opening);
}

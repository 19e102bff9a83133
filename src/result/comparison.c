/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c -- a comparison as a program reads it: life, numbers by name. */
#include "result/comparison.h"

#include <math.h>

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
    comparison->pair_tvd = comparison->pearson_shift = comparison->v_shift = (double) NAN;
    *out = comparison;
    return KANON_OK;
}

void
kanon_comparison_free(kanon_comparison *comparison)
{
    if (!comparison)
        return;
    kn_arena_fini(&comparison->arena);
    kn_free(comparison->ctx, comparison);
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

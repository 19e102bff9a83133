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

kanon_status
kanon_comparison_number(const kanon_comparison *c, const char *name, double *out)
{
    const kn_compared_learning *l = &c->learning;
    bool                        learned = l->label != NULL;
    const struct {
        const char *name;
        double      value;
    } numbers[] = {
        { "rows_before", (double) c->rows_before },
        { "rows_after", (double) c->rows_after },
        { "rows_lost", (double) c->lost },
        { "glm", c->glm },
        { "gcp", c->gcp },
        { "entropy", c->entropy },
        { "tvd", c->tvd },
        { "pair_tvd", c->pair_tvd },
        { "cm_before", learned ? l->cm_before : (double) NAN },
        { "cm_after", learned ? l->cm_after : (double) NAN },
        { "accuracy_before", learned ? l->accuracy_before : (double) NAN },
        { "accuracy_after", learned ? l->accuracy_after : (double) NAN },
        { "query_error", c->queries.queries ? c->queries.median : (double) NAN },
    };

    for (size_t i = 0; name && i < KN_COUNT(numbers); i++)
        if (strcmp(name, numbers[i].name) == 0) {
            *out = numbers[i].value;
            return KANON_OK;
        }
    return kn_fail(c->ctx, KANON_E_INVALID, "there is no number '%s' in a comparison",
                   name ? name : "");
}

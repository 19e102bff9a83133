/* SPDX-License-Identifier: Apache-2.0 */
/* explanation.c -- an explanation as a program reads it: life and outcome. */
#include "result/explanation.h"

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
    *out = explanation;
    return KANON_OK;
}

void
kanon_explanation_free(kanon_explanation *explanation)
{
    if (!explanation)
        return;
    kn_arena_fini(&explanation->arena);
    kn_free(explanation->ctx, explanation);
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
    const kn_change *best = NULL;

    x->settings = x->computed = 0;
    for (size_t i = 0; i < x->nchanges; i++) {
        const kn_change *c = &x->changes[i];

        if (c->kind == KN_CHANGE_LEVEL)
            continue;
        x->settings++;
        x->computed += c->computed;
        if (x->feasible && c->computed && c->feasible
            && c->loss_all < (best ? best->loss_all : x->loss) - 1e-12)
            best = c;
    }
    x->best = x->computed < x->uncomputed ? NULL : best;
}

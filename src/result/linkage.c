/* SPDX-License-Identifier: Apache-2.0 */
/* linkage.c -- figures of linkage/ with the names of their columns. */
#include "result/linkage.h"

static void
name_family(kn_result_family *to, const kn_link_family *from, const char *const *further)
{
    *to = (kn_result_family){
        .count = from->count, .tried = from->tried, .exact = from->exact, .together = from->together
    };
    for (size_t i = 0; i < KN_LINKED_MOST && from->worst[i].count; i++) {
        kn_result_set *set = &to->worst[to->nworst++];

        set->count = from->worst[i].count;
        set->alone = from->worst[i].alone;
        for (size_t c = 0; c < set->count; c++)
            set->columns[c] = further[from->worst[i].columns[c]];
    }
}

kanon_status
kn_result_link(kn_result_linkage *to, kn_arena *arena, const kn_linkage *from,
               const kn_link_plan *plan, const char *const *names)
{
    const char *const *further = names + plan->nquasi;

    *to = (kn_result_linkage){ .sampled = from->sampled,
                               .large_rows = from->large_rows,
                               .exact = from->exact };
    to->columns = kn_arena_alloc(arena, plan->nfurther * sizeof *to->columns);
    to->dependencies = kn_arena_alloc(arena, from->ndependencies * sizeof *to->dependencies);
    if (!to->columns || !to->dependencies)
        return KANON_E_NOMEM;
    for (size_t f = 0; f < plan->nfurther; f++)
        to->columns[f] = (kn_result_linked){ further[f], plan->sensitive[f], from->columns[f] };
    for (size_t i = 0; i < from->ndependencies; i++) {
        const kn_dependency *d = &from->dependencies[i];

        to->dependencies[i] = (kn_result_dependency){
            further[d->column], names[d->quasi], plan->sensitive[d->column], d->kind,
            d->strength,        d->left
        };
    }
    name_family(&to->open, &from->open, further);
    name_family(&to->all, &from->all, further);
    to->rows = from->rows;
    to->ncolumns = plan->nfurther;
    to->ndependencies = from->ndependencies;
    return KANON_OK;
}

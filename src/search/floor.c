/* SPDX-License-Identifier: Apache-2.0 */
/* floor.c -- sound lower bounds per quasi-identifier.
 * The KGEN paper combines removals per attribute and doubts its own bounds once rows may be suppressed
 * (Section 7). Counted by rows they are sound: the classes of one column alone are unions of the full
 * classes, so a column that loses too many rows by itself loses at least as many together with others.
 * Cost: O(values * levels) per column. */
#include "search/search.h"

static uint64_t
outlying_alone(const kanon_hierarchy *h, size_t level, const uint64_t *rows, uint64_t *groups,
               const kn_privacy *privacy)
{
    const kn_level *l = &h->levels[level];
    uint64_t        outlying = 0;

    memset(groups, 0, l->ngroups * sizeof *groups);
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        groups[l->group_of[leaf]] += rows[leaf];
    for (size_t g = 0; g < l->ngroups; g++)
        if (!kn_privacy_enough(privacy, groups[g]))
            outlying += groups[g];
    return outlying;
}

kanon_status
kn_search_floor(kanon_ctx *ctx, const kn_scale *scale, const kn_privacy *privacy,
                kn_lattice *lattice)
{
    for (size_t i = 0; i < lattice->n; i++) {
        const kanon_hierarchy *h = scale->hierarchies[i];
        uint64_t              *groups = KN_NEW_ARRAY(ctx, uint64_t, h->nleaves ? h->nleaves : 1);
        size_t                 level = lattice->low[i];

        if (!groups)
            return KANON_E_NOMEM;
        while (level < lattice->top[i]
               && outlying_alone(h, level, scale->value_rows[i], groups, privacy)
                      > privacy->allowed)
            level++;
        lattice->floor[i] = (uint8_t) level;
        kn_free(ctx, groups);
    }
    return KANON_OK;
}

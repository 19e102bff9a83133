/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- the promises of a hierarchy: levels nest, one root, and labels tell groups apart.
 * The last one matters as much as the others: two groups of one label would be one class in the
 * released file and two in the search. Cost: a pass per level over leaves, and a hash per label. */
#include "base/hash.h"
#include "hierarchy/hierarchy.h"

static kn_str
label_of(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    return h->levels[level].labels[h->levels[level].group_of[leaf]];
}

static kanon_status
fail_nesting(kanon_ctx *ctx, const kanon_hierarchy *h, const char *column, size_t level,
             const uint32_t pair[2])
{
    return kn_fail(
        ctx, KANON_E_INVALID,
        "column '%s': '%.*s' and '%.*s' are both '%.*s' at level %zu, but '%.*s' and "
        "'%.*s' at level %zu; values that are equal at one level must stay equal above it",
        column, KN_ARG(label_of(h, 0, pair[0])), KN_ARG(label_of(h, 0, pair[1])),
        KN_ARG(label_of(h, level, pair[0])), level, KN_ARG(label_of(h, level + 1, pair[0])),
        KN_ARG(label_of(h, level + 1, pair[1])), level + 1);
}

/* first[g]: a leaf of group g, by which the others are measured. */
static kanon_status
check_nesting(kanon_ctx *ctx, const kanon_hierarchy *h, const char *column, uint32_t *first)
{
    for (size_t l = 0; l + 1 < h->nlevels; l++) {
        const kn_level *level = &h->levels[l], *above = &h->levels[l + 1];

        for (uint32_t g = 0; g < level->ngroups; g++)
            first[g] = KN_NO_CODE;
        for (uint32_t leaf = 0; leaf < h->nleaves; leaf++) {
            uint32_t *one = &first[level->group_of[leaf]];

            if (*one == KN_NO_CODE)
                *one = leaf;
            else if (above->group_of[*one] != above->group_of[leaf])
                return fail_nesting(ctx, h, column, l, (uint32_t[2]){ *one, leaf });
        }
    }
    return KANON_OK;
}

static kanon_status
fail_label(kanon_ctx *ctx, const kanon_hierarchy *h, const char *column, size_t level,
           const uint32_t pair[2])
{
    uint32_t leaves[2] = { 0, 0 };

    for (uint32_t leaf = 0; leaf < h->nleaves; leaf++)
        for (size_t i = 0; i < 2; i++)
            if (h->levels[level].group_of[leaf] == pair[i])
                leaves[i] = leaf;
    return kn_fail(
        ctx, KANON_E_INVALID,
        "column '%s': '%.*s' and '%.*s' are in different groups of level %zu that are both named "
        "'%.*s'; give the groups different names, or remove the value from --missing",
        column, KN_ARG(label_of(h, 0, leaves[0])), KN_ARG(label_of(h, 0, leaves[1])), level,
        KN_ARG(label_of(h, level, leaves[0])));
}

/* Level 0 is left out: its labels are the distinct values of a dictionary. */
static kanon_status
check_labels(kanon_ctx *ctx, const kanon_hierarchy *h, const char *column, size_t level)
{
    const kn_level *l = &h->levels[level];
    uint64_t        seed = kn_ctx_hash_seed(ctx);
    size_t          nslots = 16;
    uint32_t       *slots;
    kanon_status    rc = KANON_OK;

    while (nslots < 2 * (size_t) l->ngroups)
        nslots *= 2;
    slots = kn_realloc_array(ctx, NULL, nslots, sizeof *slots);
    if (!slots)
        return KANON_E_NOMEM;
    memset(slots, 0xff, nslots * sizeof *slots);
    for (uint32_t g = 0; g < l->ngroups && rc == KANON_OK; g++) {
        size_t at = (size_t) kn_hash_seeded(l->labels[g].ptr, l->labels[g].len, seed)
                  & (nslots - 1);

        while (slots[at] != KN_NO_CODE && !kn_str_equal(l->labels[slots[at]], l->labels[g]))
            at = (at + 1) & (nslots - 1);
        if (slots[at] == KN_NO_CODE)
            slots[at] = g;
        else
            rc = fail_label(ctx, h, column, level, (uint32_t[2]){ slots[at], g });
    }
    kn_free(ctx, slots);
    return rc;
}

kanon_status
kn_hierarchy_check(kanon_ctx *ctx, const kanon_hierarchy *hierarchy, const char *column)
{
    kanon_status    rc = KANON_OK;
    const kn_level *top = &hierarchy->levels[hierarchy->nlevels - 1];
    uint32_t       *first = KN_NEW_ARRAY(ctx, uint32_t, hierarchy->nleaves + 1);

    assert(hierarchy->nlevels > 0);
    if (!first)
        return KANON_E_NOMEM;
    KN_TRY(check_nesting(ctx, hierarchy, column, first));
    for (size_t l = 1; l < hierarchy->nlevels; l++)
        KN_TRY(check_labels(ctx, hierarchy, column, l));
    if (top->ngroups > 1)
        rc = kn_fail(ctx, KANON_E_INVALID,
                     "column '%s': the last level has '%.*s' and '%.*s', but must have one value; "
                     "add a last level '*'",
                     column, KN_ARG(top->labels[0]), KN_ARG(top->labels[1]));
out:
    kn_free(ctx, first);
    return rc;
}

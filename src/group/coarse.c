/* SPDX-License-Identifier: Apache-2.0 */
/* coarse.c -- numbering groups so that coarsening keeps the order.
 * The codes are put into an order in which the groups of every level are runs: a radix sort whose digits
 * are the groups, finest level first. The levels nest, so each pass keeps what the one before did.
 * Cost: O(codes * levels), once per quasi-identifier. */
#include "group/coarse.h"

/* Stable counting sort of codes by their group at one level. */
static void
sort_by_level(const kn_axis *axis, size_t level, const uint32_t *from, uint32_t *to, size_t *starts)
{
    const uint32_t *map = axis->maps[level];

    memset(starts, 0, ((size_t) axis->ngroups[level] + 1) * sizeof *starts);
    for (size_t c = 0; c < axis->ncodes; c++)
        starts[map[from[c]] + 1]++;
    for (size_t g = 0; g < axis->ngroups[level]; g++)
        starts[g + 1] += starts[g];
    for (size_t c = 0; c < axis->ncodes; c++)
        to[starts[map[from[c]]]++] = from[c];
}

static kanon_status
order_codes(kanon_ctx *ctx, const kn_axis *axis, uint32_t **order)
{
    kanon_status rc = KANON_E_NOMEM;
    size_t       most = 1;
    uint32_t    *a = KN_NEW_ARRAY(ctx, uint32_t, axis->ncodes + 1),
             *b = KN_NEW_ARRAY(ctx, uint32_t, axis->ncodes + 1);
    size_t *starts = NULL;

    *order = NULL;
    for (size_t level = 0; level < axis->nlevels; level++)
        most = axis->ngroups[level] > most ? axis->ngroups[level] : most;
    starts = KN_NEW_ARRAY(ctx, size_t, most + 1);
    if (!a || !b || !starts)
        goto out;
    for (uint32_t c = 0; c < axis->ncodes; c++)
        a[c] = c;
    for (size_t level = 0; level < axis->nlevels; level++) {
        uint32_t *keep = a;

        sort_by_level(axis, level, a, b, starts);
        a = b;
        b = keep;
    }
    *order = a;
    a = NULL;
    rc = KANON_OK;
out:
    kn_free(ctx, a);
    kn_free(ctx, b);
    kn_free(ctx, starts);
    return rc;
}

static kanon_status
number_groups(kanon_ctx *ctx, const kn_axis *axis, kn_coarse *c)
{
    kanon_status rc = KANON_OK;
    uint32_t    *order = NULL;

    c->axis = axis;
    c->ngroups = KN_NEW_ARRAY(ctx, uint32_t, axis->nlevels);
    c->number = kn_alloc_array(ctx, axis->nlevels, sizeof *c->number);
    if (!c->ngroups || !c->number)
        return KANON_E_NOMEM;
    KN_TRY(order_codes(ctx, axis, &order));
    for (size_t level = 0; level < axis->nlevels; level++) {
        const uint32_t *map = axis->maps[level];

        c->number[level] = KN_NEW_ARRAY(ctx, uint32_t, (size_t) axis->ngroups[level] + 1);
        KN_TRY(KN_HAVE(c->number[level]));
        for (size_t r = 0; r < axis->ncodes; r++)
            if (r == 0 || map[order[r]] != map[order[r - 1]])
                c->number[level][map[order[r]]] = c->ngroups[level]++;
    }
out:
    kn_free(ctx, order);
    return rc;
}

kanon_status
kn_coarse_new(kanon_ctx *ctx, const kn_axis *axes, size_t count, kn_coarse **out)
{
    kn_coarse   *coarse = KN_NEW_ARRAY(ctx, kn_coarse, count);
    kanon_status rc = coarse ? KANON_OK : KANON_E_NOMEM;

    *out = NULL;
    for (size_t i = 0; rc == KANON_OK && i < count; i++)
        rc = number_groups(ctx, &axes[i], &coarse[i]);
    if (rc < 0) {
        kn_coarse_free(ctx, coarse, count);
        return rc;
    }
    *out = coarse;
    return KANON_OK;
}

void
kn_coarse_free(kanon_ctx *ctx, kn_coarse *coarse, size_t count)
{
    if (!coarse)
        return;
    for (size_t i = 0; i < count; i++) {
        for (size_t level = 0; coarse[i].number && level < coarse[i].axis->nlevels; level++)
            kn_free(ctx, coarse[i].number[level]);
        kn_free(ctx, coarse[i].number);
        kn_free(ctx, coarse[i].ngroups);
    }
    kn_free(ctx, coarse);
}

void
kn_coarse_map(const kn_coarse *c, size_t from, size_t to, uint32_t *map)
{
    assert(from <= to && to < c->axis->nlevels);
    for (size_t code = 0; code < c->axis->ncodes; code++)
        map[kn_coarse_at(c, from, code)] = kn_coarse_at(c, to, code);
}

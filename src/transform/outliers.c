/* SPDX-License-Identifier: Apache-2.0 */
/* outliers.c -- a set of group vectors. Its size is bounded by the suppressed rows, not by the table. */
#include "transform/outliers.h"

#include "base/keyset.h"

struct kn_outliers {
    kanon_ctx *ctx;
    kn_keyset *classes;
};

kanon_status
kn_outliers_new(kanon_ctx *ctx, const kn_view *view, const uint8_t *levels,
                const kn_grouping *grouping, const kn_privacy *privacy, kn_outliers **out)
{
    kanon_status rc = KANON_OK;
    kn_outliers *o = KN_NEW(ctx, kn_outliers);
    uint32_t    *groups = KN_NEW_ARRAY(ctx, uint32_t, view->nquasi);
    size_t       number;

    *out = NULL;
    if (o)
        o->ctx = ctx;
    KN_TRY(KN_HAVE(o && groups));
    KN_TRY(kn_keyset_new(ctx, view->nquasi * sizeof *groups, &o->classes));
    for (size_t t = 0; t < view->ntuples; t++) {
        if (kn_class_holds(privacy, grouping, grouping->class_of[t]))
            continue;
        for (size_t i = 0; i < view->nquasi; i++)
            groups[i] = view->axes[i].maps[levels[i]][kn_codes_at(&view->codes[i], t)];
        KN_TRY(kn_keyset_add(o->classes, groups, &number));
    }
    *out = o;
    o = NULL;
out:
    kn_free(ctx, groups);
    kn_outliers_free(o);
    return rc;
}

void
kn_outliers_free(kn_outliers *o)
{
    if (!o)
        return;
    kn_keyset_free(o->classes);
    kn_free(o->ctx, o);
}

bool
kn_outliers_has(const kn_outliers *o, const uint32_t *groups)
{
    return kn_keyset_count(o->classes) && kn_keyset_find(o->classes, groups) != SIZE_MAX;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- a check as a program reads it: life and accessors. */
#include "result/check.h"

static const uint64_t bucket_starts[KN_CHECK_BUCKETS] = { 1, 2, 3, 5, 10, 20, 50, 100 };
static const uint64_t below_limits[KN_CHECK_BELOWS] = { 2, 3, 5, 10, 11, 20 };

kanon_status
kn_check_new(kanon_ctx *ctx, kanon_check **out)
{
    kanon_check *check = KN_NEW(ctx, kanon_check);

    *out = NULL;
    if (!check)
        return KANON_E_NOMEM;
    check->ctx = ctx;
    check->tree = (kanon_tree){ ctx, &kn_shape_check, check, KN_INSIDE };
    kn_arena_init(&check->arena, ctx);
    check->name = "";
    check->failure = "";
    for (size_t i = 0; i < KN_CHECK_BUCKETS; i++) {
        check->histogram[i].from = bucket_starts[i];
        check->histogram[i].to = i + 1 < KN_CHECK_BUCKETS ? bucket_starts[i + 1] - 1 : 0;
    }
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        check->below[i].limit = below_limits[i];
    *out = check;
    return KANON_OK;
}

void
kanon_check_free(kanon_check *check)
{
    if (!check)
        return;
    kn_arena_fini(&check->arena);
    kn_free(check->ctx, check);
}

uint64_t
kanon_check_k(const kanon_check *check)
{
    return check->risk.min_class;
}

const char *
kanon_check_failure(const kanon_check *check)
{
    return check->failure;
}

bool
kn_check_l(const kanon_check *check, uint64_t *l)
{
    *l = UINT64_MAX;
    for (size_t i = 0; i < check->nsensitive; i++)
        if (check->sensitive[i].l < *l)
            *l = check->sensitive[i].l;
    return check->nsensitive && check->risk.classes;
}

bool
kn_check_t(const kanon_check *check, double *t)
{
    *t = 0;
    for (size_t i = 0; i < check->nsensitive; i++)
        if (check->sensitive[i].t > *t)
            *t = check->sensitive[i].t;
    return check->nsensitive && check->risk.classes;
}

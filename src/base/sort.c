/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c -- plain numbers in order. */
#include "base/sort.h"

static inline bool
smaller_u64(const uint64_t *a, const uint64_t *b, const void *context)
{
    (void) context;
    return *a < *b;
}

static inline bool
smaller_double(const double *a, const double *b, const void *context)
{
    (void) context;
    return *a < *b;
}

KN_DEFINE_SORT(sort_u64, uint64_t, smaller_u64)
KN_DEFINE_SORT(sort_double, double, smaller_double)

void
kn_sort_u64(uint64_t *numbers, size_t count)
{
    assert(numbers || !count);
    sort_u64(numbers, count, NULL);
}

void
kn_sort_double(double *numbers, size_t count)
{
    assert(numbers || !count);
    sort_double(numbers, count, NULL);
}

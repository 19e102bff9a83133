/* SPDX-License-Identifier: Apache-2.0 */
/* public.c -- numbers as everybody may know them. */
#include "result/public.h"

#include <math.h>

uint64_t
kn_public_least(const kanon_result *r)
{
    return r->k < 5 ? 5 : r->k;
}

uint64_t
kn_public_rounded(uint64_t count)
{
    uint64_t step = count < 100 ? 5 : count < 1000 ? 10 : count < 100000 ? 100 : 1000;

    return (count + step / 2) / step * step;
}

/* A round number that is not below k and 10. */
static uint64_t
least_step(const kanon_result *r)
{
    static const uint64_t next[] = { 2, 5, 10 };
    uint64_t              power = 10, step = 10;

    for (size_t i = 0; step < r->k && step < UINT64_MAX / 100; i++) {
        step = power * next[i % 3];
        power = i % 3 == 2 ? step : power;
    }
    return step;
}

uint64_t
kn_public_lost_least(const kanon_result *r)
{
    return least_step(r) / 2 * 3;
}

/* Steps grow where one divides the next, so no number stands for fewer counts than a step. */
uint64_t
kn_public_lost(const kanon_result *r, uint64_t count)
{
    uint64_t step = least_step(r), fit = count < 1000 ? 10 : count < 100000 ? 100 : 1000;

    if (count < kn_public_lost_least(r))
        return 0;
    step = step < fit ? fit : step;
    return (count + step / 2) / step * step;
}

double
kn_public_loss(const kanon_result *r, double loss)
{
    if (!r->released_rows || r->suppression_rows)
        return (double) NAN;
    return loss > 0 ? floor(loss * 100 + 0.5) / 100 : 0;
}

uint64_t
kn_public_crowd(const kanon_result *r)
{
    return kn_result_counts_persons(r) && r->crowd > r->k ? r->k : r->crowd;
}

const char *
kn_public_file(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}

bool
kn_public_hides(const kanon_result *r, const char *column)
{
    for (size_t i = 0; i < r->nattributes; i++)
        if (strcmp(r->attributes[i].name, column) == 0)
            return r->attributes[i].dropped;
    return true;
}

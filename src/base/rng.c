/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c -- xoshiro256** with splitmix64 seeding. */
#include "base/rng.h"

static uint64_t
splitmix(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t
rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

void
kn_rng_init(kn_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed, y = stream ^ UINT64_C(0xd1b54a32d192ed03);

    for (size_t i = 0; i < KN_COUNT(rng->state); i++)
        rng->state[i] = splitmix(&x) ^ rotate(splitmix(&y), 17);
}

uint64_t
kn_rng_next(kn_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t  result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t
kn_rng_below(kn_rng *rng, uint64_t bound)
{
    uint64_t limit, draw;

    assert(bound > 0);
    limit = UINT64_MAX - UINT64_MAX % bound;
    do
        draw = kn_rng_next(rng);
    while (draw >= limit);
    return draw % bound;
}

double
kn_rng_unit(kn_rng *rng)
{
    return (double) (kn_rng_next(rng) >> 11) * 0x1.0p-53;
}

void
kn_rng_order(kn_rng *rng, uint32_t *order, uint32_t n)
{
    assert(order || !n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = (uint32_t) kn_rng_below(rng, i + 1);

        order[i] = order[other];
        order[other] = i;
    }
}

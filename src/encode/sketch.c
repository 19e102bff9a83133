/* SPDX-License-Identifier: Apache-2.0 */
/* sketch.c -- HyperLogLog (Flajolet et al. 2007) with linear counting for small numbers. 2048 registers: a
 * standard error of 2.3 %. Cost: one hash a value. */
#include "encode/sketch.h"

#include <math.h>

#include "base/hash.h"

void
kn_sketch_add(kn_sketch *sketch, kn_str value)
{
    uint64_t hash = kn_hash_bytes(value.ptr, value.len);
    size_t   place = (size_t) (hash >> (64 - KN_SKETCH_BITS));
    uint64_t rest = hash << KN_SKETCH_BITS | UINT64_C(1) << (KN_SKETCH_BITS - 1); /* never zero */
    uint8_t  rank = (uint8_t) (__builtin_clzll(rest) + 1);

    if (rank > sketch->most[place])
        sketch->most[place] = rank;
}

uint64_t
kn_sketch_count(const kn_sketch *sketch)
{
    const double m = KN_SKETCH_BYTES, alpha = 0.7213 / (1 + 1.079 / m);
    double       sum = 0, empty = 0, estimate;

    for (size_t i = 0; i < KN_SKETCH_BYTES; i++) {
        sum += ldexp(1, -sketch->most[i]);
        empty += sketch->most[i] == 0;
    }
    estimate = alpha * m * m / sum;
    if (estimate <= 2.5 * m && empty > 0)
        estimate = m * log(m / empty);
    return (uint64_t) (estimate + 0.5);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* rng.h -- seeded random numbers for searches (never for privacy: see transform/shuffle).
 * xoshiro256** by Blackman and Vigna (public domain), seeded by splitmix64; the sequence is part of
 * what "same seed, same bytes" promises, so it does not change within a major version. */
#ifndef KN_RNG_H
#define KN_RNG_H

#include "base/base.h"

typedef struct kn_rng {
    uint64_t state[4];
} kn_rng;

/** Streams with different numbers are independent for one seed. */
void     kn_rng_init(kn_rng *rng, uint64_t seed, uint64_t stream);
uint64_t kn_rng_next(kn_rng *rng);
/** Uniform in 0..bound-1 without bias; bound > 0. */
uint64_t kn_rng_below(kn_rng *rng, uint64_t bound);
/** Uniform in [0, 1). */
double kn_rng_unit(kn_rng *rng);
/** 0..n-1 in a random order. */
void kn_rng_order(kn_rng *rng, uint32_t *order, uint32_t n);

#endif

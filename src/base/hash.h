/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h -- fast hashes for tables in memory (XXH3; never for privacy, never stored). Users also compare
 * the keys: a hash alone decides nothing. */
#ifndef KN_HASH_H
#define KN_HASH_H

#include "base/base.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

/* What is kept in a table with probing is hashed with the context's seed (kn_ctx_hash_seed): without it,
 * whoever writes the input could choose values that all fall into one place, and reading n of them would
 * take n^2 steps. The seed is another one in every context; nothing that is put out may depend on it. */
static inline uint64_t
kn_hash_seeded(const void *bytes, size_t count, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, count, seed);
}

static inline uint64_t
kn_hash_bytes(const void *bytes, size_t count)
{
    return XXH3_64bits(bytes, count);
}

/** A 64-bit mix in which every input bit reaches every output bit (murmur3's finaliser). */
static inline uint64_t
kn_hash_word(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

static inline uint64_t
kn_hash_words(const uint64_t *words, size_t count, uint64_t seed)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ seed;

    for (size_t i = 0; i < count; i++)
        h = kn_hash_word(h ^ words[i]) + UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_plain.c -- the inner loops in plain C: what the others must equal, and what runs where there are
 * no others. */
#include "group/kernels.h"

#define MAD(name, code_type, key_type)                                                             \
    static void name(void *to, const void *from, uint32_t stride, size_t n, kn_mad_kind kind)      \
    {                                                                                              \
        key_type        *keys = to;                                                                \
        const code_type *codes = from;                                                             \
        for (size_t i = 0; i < n; i++)                                                             \
            keys[i] = (key_type) ((kind == KN_MAD_SET ? 0u : keys[i]) + codes[i] * stride);        \
    }
MAD(mad_8_16, uint8_t, uint16_t)
MAD(mad_16_16, uint16_t, uint16_t)
MAD(mad_8_32, uint8_t, uint32_t)
MAD(mad_16_32, uint16_t, uint32_t)
MAD(mad_32_32, uint32_t, uint32_t)

static void
scan(const uint32_t *counts, size_t n, uint32_t k, kn_scanned *out)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t size = counts[i];

        if (size >= k) {
            out->classes += size > 0;
            out->squares += size * size;
        } else {
            out->outlying += size;
        }
    }
}

/* Each word goes through a multiplication on the way, then murmur3's finaliser. */
static void
hash(const uint32_t *words, size_t nwords, size_t apart, uint32_t seed, uint32_t *hashes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t h = words[i] ^ seed;

        for (size_t w = 1; w < nwords; w++) {
            h *= KN_HASH_A;
            h = (h ^ h >> 15) + words[w * apart + i];
        }
        h = (h ^ h >> 16) * KN_HASH_B;
        h = (h ^ h >> 13) * KN_HASH_C;
        hashes[i] = h ^ h >> 16;
    }
}

static void
translate(uint8_t *to, const uint8_t *from, const uint8_t *table, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = table[from[i]];
}

static void
add(uint32_t *to, const uint32_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

const kn_kernels kn_kernels_plain = {
    "plain", { mad_8_16, mad_16_16, mad_8_32, mad_16_32, mad_32_32 }, scan, hash, translate, add
};

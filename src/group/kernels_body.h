/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_body.h -- the inner loops on vectors of KN_VECTOR bytes; included by the file of each instruction
 * set, which defines KN_VECTOR, KN_TARGET (an attribute or nothing), KN_EVENS(a, b) (the 64-bit products of
 * the even 32-bit lanes) and KN_SET (the name of the result). The tails go through the plain kernels. */
#include "group/kernels.h"

/* Widening loads, where the instruction set has better ones than the compiler finds. */
#ifndef KN_WIDEN_8_16
#define KN_WIDEN_8_16(c) __builtin_convertvector(c, shorts)
#define KN_WIDEN_8_32(c) __builtin_convertvector(c, words)
#define KN_WIDEN_16_32(c) __builtin_convertvector(c, words)
#endif
#define KN_WIDEN_16_16(c) (c)
#define KN_WIDEN_32_32(c) (c)

typedef uint8_t  bytes_half __attribute__((vector_size(KN_VECTOR / 2)));
typedef uint8_t  bytes_quarter __attribute__((vector_size(KN_VECTOR / 4)));
typedef uint16_t shorts __attribute__((vector_size(KN_VECTOR)));
typedef uint16_t shorts_half __attribute__((vector_size(KN_VECTOR / 2)));
typedef uint32_t words __attribute__((vector_size(KN_VECTOR)));
typedef uint64_t longs __attribute__((vector_size(KN_VECTOR)));

/* One loop of a multiply-add. in: the vector type of as many codes as a key vector holds. */
#define VECTOR_MAD(name, index, widen, in, out, code_type, key_type)                               \
    KN_TARGET static void name(void *to, const void *from, uint32_t stride, size_t n,              \
                               kn_mad_kind kind)                                                   \
    {                                                                                              \
        enum { LANES = KN_VECTOR / sizeof(key_type) };                                             \
        key_type        *keys = to;                                                                \
        const code_type *codes = from;                                                             \
        out              by = (out){ 0 } + (key_type) stride;                                      \
        size_t           i = 0;                                                                    \
        if (kind == KN_MAD_SET)                                                                    \
            for (; i + LANES <= n; i += LANES) {                                                   \
                in  c;                                                                             \
                out key;                                                                           \
                memcpy(&c, codes + i, sizeof c);                                                   \
                key = (out) widen(c) * by;                                                         \
                memcpy(keys + i, &key, sizeof key);                                                \
            }                                                                                      \
        else                                                                                       \
            for (; i + LANES <= n; i += LANES) {                                                   \
                in  c;                                                                             \
                out key;                                                                           \
                memcpy(&c, codes + i, sizeof c);                                                   \
                memcpy(&key, keys + i, sizeof key);                                                \
                key += (out) widen(c) * by;                                                        \
                memcpy(keys + i, &key, sizeof key);                                                \
            }                                                                                      \
        kn_kernels_plain.mad[index](keys + i, codes + i, stride, n - i, kind);                     \
    }
VECTOR_MAD(mad_8_16, KN_MAD_8_16, KN_WIDEN_8_16, bytes_half, shorts, uint8_t, uint16_t)
VECTOR_MAD(mad_16_16, KN_MAD_16_16, KN_WIDEN_16_16, shorts, shorts, uint16_t, uint16_t)
VECTOR_MAD(mad_8_32, KN_MAD_8_32, KN_WIDEN_8_32, bytes_quarter, words, uint8_t, uint32_t)
VECTOR_MAD(mad_16_32, KN_MAD_16_32, KN_WIDEN_16_32, shorts_half, words, uint16_t, uint32_t)
VECTOR_MAD(mad_32_32, KN_MAD_32_32, KN_WIDEN_32_32, words, words, uint32_t, uint32_t)

/* Rows and classes cannot overflow a 32-bit lane: their sum is below 2^32 - 1. */
KN_TARGET static void
scan(const uint32_t *counts, size_t n, uint32_t k, kn_scanned *out)
{
    enum { LANES = KN_VECTOR / sizeof(uint32_t) };
    words  least = (words){ 0 } + (k ? k : 1), outlying = { 0 }, classes = { 0 };
    longs  squares = { 0 };
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        words size, kept, odd;

        memcpy(&size, counts + i, sizeof size);
        kept = (words) (size >= least);
        classes -= kept;
        outlying += size & ~kept;
        size &= kept;
        odd = (words) ((longs) size >> 32);
        squares += (longs) KN_EVENS(size, size) + (longs) KN_EVENS(odd, odd);
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        out->outlying += outlying[lane];
        out->classes += classes[lane];
    }
    for (size_t lane = 0; lane < LANES / 2; lane++)
        out->squares += squares[lane];
    kn_kernels_plain.scan(counts + i, n - i, k, out);
}

KN_TARGET static void
hash(const uint32_t *from, size_t nwords, size_t apart, uint32_t seed, uint32_t *hashes, size_t n)
{
    enum { LANES = KN_VECTOR / sizeof(uint32_t) };
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        words h, next;

        memcpy(&h, from + i, sizeof h);
        h ^= seed;
        for (size_t w = 1; w < nwords; w++) {
            memcpy(&next, from + w * apart + i, sizeof next);
            h *= KN_HASH_A;
            h = (h ^ h >> 15) + next;
        }
        h = (h ^ h >> 16) * KN_HASH_B;
        h = (h ^ h >> 13) * KN_HASH_C;
        h ^= h >> 16;
        memcpy(hashes + i, &h, sizeof h);
    }
    kn_kernels_plain.hash(from + i, nwords, apart, seed, hashes + i, n - i);
}

#ifndef KN_TRANSLATE
/* Bytes through a table: without byte permutations of 256 nothing beats one load a byte. */
static void
translate(uint8_t *to, const uint8_t *from, const uint8_t *table, size_t n)
{
    kn_kernels_plain.translate(to, from, table, n);
}
#endif

KN_TARGET static void
add(uint32_t *to, const uint32_t *from, size_t n)
{
    enum { LANES = KN_VECTOR / sizeof(uint32_t) };
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        words a, b;

        memcpy(&a, to + i, sizeof a);
        memcpy(&b, from + i, sizeof b);
        a += b;
        memcpy(to + i, &a, sizeof a);
    }
    kn_kernels_plain.add(to + i, from + i, n - i);
}

const kn_kernels KN_SET = { KN_SET_NAME, { mad_8_16, mad_16_16, mad_8_32, mad_16_32, mad_32_32 },
                            scan,        hash,
                            translate,   add };

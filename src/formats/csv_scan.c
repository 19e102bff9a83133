/* SPDX-License-Identifier: Apache-2.0 */
/* csv_scan.c -- finding delimiters, quotes and line ends. Both versions make one 64-bit mask of 64
 * bytes and write the positions of its ones; they differ only in how they make the mask. Measured on
 * wide numeric files, where every sixth byte is a delimiter; see bench/bench_csv.c. */
#include "formats/csv_scan.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_AVX2 1
#include <immintrin.h>
#endif

enum { STRIDE = 64 };

static const uint64_t ONES = UINT64_C(0x0101010101010101);
static const uint64_t HIGHS = UINT64_C(0x8080808080808080);

/* The high bit of every byte of word that is zero, exactly (no carries between bytes). */
static inline uint64_t
zero_bytes(uint64_t word)
{
    return ~(((word & ~HIGHS) + ~HIGHS) | word) & HIGHS;
}

static inline uint64_t
load_little(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

typedef struct portable_set {
    uint64_t delimiter, quote, cr, lf;
} portable_set;

static inline uint64_t
portable_mask(const char *bytes, const portable_set *set, uint64_t *odd)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < STRIDE / 8; i++) {
        uint64_t word = load_little(bytes + 8 * i);
        uint64_t found = zero_bytes(word ^ set->delimiter) | zero_bytes(word ^ set->quote)
                       | zero_bytes(word ^ set->cr) | zero_bytes(word ^ set->lf);

        *odd |= (word & HIGHS) | zero_bytes(word);
        /* Gathers the eight high bits into one byte, the first byte lowest. */
        mask |= (((found >> 7) * UINT64_C(0x0102040810204080)) >> 56) << (8 * i);
    }
    return mask;
}

static inline uint32_t *
put_positions(uint32_t *to, uint64_t mask, uint32_t base)
{
    while (mask) {
        *to++ = base + (uint32_t) __builtin_ctzll(mask);
        mask &= mask - 1;
    }
    return to;
}

/* The last, short stride is padded with blanks, which are never looked for there: bits past the end
 * are cut off, as a blank may be the delimiter. */
static size_t
pad_tail(const kn_scan_job *job, size_t at, char padded[STRIDE])
{
    size_t left = job->count - at;

    memset(padded, ' ', STRIDE);
    if (left)
        memcpy(padded, job->bytes + at, left);
    return left;
}

void
kn_scan_portable(const kn_scan_job *job, kn_scan_hits *hits)
{
    const portable_set set = { ONES * (uint8_t) job->delimiter, ONES * (uint8_t) job->quote,
                               ONES * '\r', ONES * '\n' };
    uint32_t          *to = hits->at;
    uint64_t           odd = 0, mask;
    char               padded[STRIDE];
    size_t             at = 0, left;

    for (; at + STRIDE <= job->count; at += STRIDE) {
        mask = portable_mask(job->bytes + at, &set, &odd);
        to = put_positions(to, mask, job->base + (uint32_t) at);
    }
    left = pad_tail(job, at, padded);
    mask = portable_mask(padded, &set, &odd) & ((UINT64_C(1) << left) - 1);
    to = put_positions(to, mask, job->base + (uint32_t) at);
    hits->count = (size_t) (to - hits->at);
    hits->odd = odd != 0;
}

#ifdef HAVE_AVX2

#define WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))

typedef struct avx2_set {
    __m256i delimiter, quote, cr, lf;
} avx2_set;

/* What was seen so far: all bits together, and the smallest byte (0: there was a NUL). */
typedef struct avx2_seen {
    __m256i bits, least;
} avx2_seen;

WITH_AVX2 static inline uint32_t
avx2_half(__m256i bytes, const avx2_set *set)
{
    __m256i fields = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, set->delimiter),
                                     _mm256_cmpeq_epi8(bytes, set->quote));
    __m256i lines = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, set->cr),
                                    _mm256_cmpeq_epi8(bytes, set->lf));

    return (uint32_t) _mm256_movemask_epi8(_mm256_or_si256(fields, lines));
}

WITH_AVX2 static inline uint64_t
avx2_mask(const char *bytes, const avx2_set *set, avx2_seen *seen)
{
    __m256i low = _mm256_loadu_si256((const __m256i *) (const void *) bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *) (const void *) (bytes + 32));

    seen->bits = _mm256_or_si256(seen->bits, _mm256_or_si256(low, high));
    seen->least = _mm256_min_epu8(seen->least, _mm256_min_epu8(low, high));
    return avx2_half(low, set) | (uint64_t) avx2_half(high, set) << 32;
}

/* Writes in batches of eight, some of them for nothing: cheaper than a branch per position, which
 * would be guessed wrong once per mask. */
WITH_AVX2 static inline uint32_t *
avx2_put(uint32_t *to, uint64_t mask, uint32_t base)
{
    uint32_t *end = to + __builtin_popcountll(mask);

    do {
        for (int i = 0; i < 8; i++) {
            to[i] = base + (uint32_t) _tzcnt_u64(mask);
            mask = _blsr_u64(mask);
        }
        to += 8;
    } while (to < end);
    return end;
}

WITH_AVX2 static void
scan_avx2(const kn_scan_job *job, kn_scan_hits *hits)
{
    const avx2_set set = { _mm256_set1_epi8(job->delimiter), _mm256_set1_epi8(job->quote),
                           _mm256_set1_epi8('\r'), _mm256_set1_epi8('\n') };
    avx2_seen      seen = { _mm256_setzero_si256(), _mm256_set1_epi8(-1) };
    uint32_t      *to = hits->at;
    uint64_t       mask;
    char           padded[STRIDE];
    size_t         at = 0, left;

    for (; at + STRIDE <= job->count; at += STRIDE) {
        mask = avx2_mask(job->bytes + at, &set, &seen);
        to = avx2_put(to, mask, job->base + (uint32_t) at);
    }
    left = pad_tail(job, at, padded);
    mask = avx2_mask(padded, &set, &seen) & ((UINT64_C(1) << left) - 1);
    to = avx2_put(to, mask, job->base + (uint32_t) at);
    hits->count = (size_t) (to - hits->at);
    hits->odd = _mm256_movemask_epi8(seen.bits)
             || _mm256_movemask_epi8(_mm256_cmpeq_epi8(seen.least, _mm256_setzero_si256()));
}

kn_scan_fn
kn_scan_best(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        return scan_avx2;
    return kn_scan_portable;
}

#else

kn_scan_fn
kn_scan_best(void)
{
    return kn_scan_portable;
}

#endif

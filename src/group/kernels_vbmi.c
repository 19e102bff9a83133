/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_vbmi.c -- the inner loops on 64 bytes, with the byte permutations of AVX-512 VBMI: a table of 256
 * bytes fits four registers. */
#include "group/kernels_sets.h"

#ifdef KN_HAVE_X86
#include <immintrin.h>

#define KN_VECTOR 64
#define KN_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")))
#define KN_EVENS(a, b) _mm512_mul_epu32((__m512i) (a), (__m512i) (b))
#define KN_WIDEN_8_16(c) _mm512_cvtepu8_epi16((__m256i) (c))
#define KN_WIDEN_8_32(c) _mm512_cvtepu8_epi32((__m128i) (c))
#define KN_WIDEN_16_32(c) _mm512_cvtepu16_epi32((__m256i) (c))
#define KN_SET kn_kernels_vbmi
#define KN_SET_NAME "avx512vbmi"

KN_TARGET static void
translate(uint8_t *to, const uint8_t *from, const uint8_t *table, size_t n)
{
    __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 64);
    __m512i c = _mm512_loadu_si512(table + 128), d = _mm512_loadu_si512(table + 192);
    size_t  i = 0;

    for (; i + 64 <= n; i += 64) {
        __m512i codes = _mm512_loadu_si512(from + i);
        __m512i low = _mm512_permutex2var_epi8(a, codes, b),
                high = _mm512_permutex2var_epi8(c, codes, d);

        _mm512_storeu_si512(to + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), low, high));
    }
    kn_kernels_plain.translate(to + i, from + i, table, n - i);
}
#define KN_TRANSLATE
#include "group/kernels_body.h"
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx2.c -- the inner loops on 32 bytes. */
#include "group/kernels_sets.h"

#ifdef KN_HAVE_X86
#include <immintrin.h>

#define KN_VECTOR 32
#define KN_TARGET __attribute__((target("avx2")))
#define KN_EVENS(a, b) _mm256_mul_epu32((__m256i) (a), (__m256i) (b))
#define KN_WIDEN_8_16(c) _mm256_cvtepu8_epi16((__m128i) (c))
#define KN_WIDEN_8_32(c) _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long) (c)))
#define KN_WIDEN_16_32(c) _mm256_cvtepu16_epi32((__m128i) (c))
#define KN_SET kn_kernels_avx2
#define KN_SET_NAME "avx2"
#include "group/kernels_body.h"
#endif

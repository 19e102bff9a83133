/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx512.c -- the inner loops on 64 bytes. */
#include "group/kernels_sets.h"

#ifdef KN_HAVE_X86
#include <immintrin.h>

#define KN_VECTOR 64
#define KN_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define KN_EVENS(a, b) _mm512_mul_epu32((__m512i) (a), (__m512i) (b))
#define KN_WIDEN_8_16(c) _mm512_cvtepu8_epi16((__m256i) (c))
#define KN_WIDEN_8_32(c) _mm512_cvtepu8_epi32((__m128i) (c))
#define KN_WIDEN_16_32(c) _mm512_cvtepu16_epi32((__m256i) (c))
#define KN_SET kn_kernels_avx512
#define KN_SET_NAME "avx512"
#include "group/kernels_body.h"
#endif

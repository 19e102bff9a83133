/* kernels_sse2.c -- the inner loops on 16 bytes, which every x86-64 has. */
#include "group/kernels_sets.h"

#ifdef KN_HAVE_X86
#include <immintrin.h>

#define KN_VECTOR 16
#define KN_TARGET
#define KN_EVENS(a, b) _mm_mul_epu32((__m128i) (a), (__m128i) (b))
#define KN_SET kn_kernels_sse2
#define KN_SET_NAME "sse2"
#include "group/kernels_body.h"
#endif

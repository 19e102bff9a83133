/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_neon.c -- the inner loops on 16 bytes, which every 64-bit ARM has. */
#include "group/kernels_sets.h"

#ifdef KN_HAVE_NEON
#include <arm_neon.h>

#define KN_VECTOR 16
#define KN_TARGET
#define KN_EVENS(a, b) vmull_u32(vmovn_u64((uint64x2_t) (a)), vmovn_u64((uint64x2_t) (b)))
#define KN_SET kn_kernels_neon
#define KN_SET_NAME "neon"
#include "group/kernels_body.h"
#endif

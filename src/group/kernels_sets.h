/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_sets.h -- which sets of kernels a build has beside the plain one. */
#ifndef KN_GROUP_KERNELS_SETS_H
#define KN_GROUP_KERNELS_SETS_H

#include "group/kernels.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define KN_HAVE_X86 1
extern const kn_kernels kn_kernels_avx2, kn_kernels_avx512, kn_kernels_vbmi;
#elif defined(__GNUC__) && defined(__aarch64__)
#define KN_HAVE_NEON 1
extern const kn_kernels kn_kernels_neon;
#endif

#endif

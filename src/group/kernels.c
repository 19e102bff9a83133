/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c -- which sets of inner loops this machine can run. */
#include "group/kernels_sets.h"

static bool
runs(const kn_kernels *set)
{
#ifdef KN_HAVE_X86
    if (set == &kn_kernels_vbmi)
        return __builtin_cpu_supports("avx512vbmi") && runs(&kn_kernels_avx512);
    if (set == &kn_kernels_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (set == &kn_kernels_avx2)
        return __builtin_cpu_supports("avx2");
#endif
    return set != NULL;
}

const kn_kernels *
kn_kernels_at(size_t index)
{
    static const kn_kernels *const sets[] = {
#if defined(KN_HAVE_X86)
        &kn_kernels_vbmi,
        &kn_kernels_avx512,
        &kn_kernels_avx2,
#elif defined(KN_HAVE_NEON)
        &kn_kernels_neon,
#endif
        &kn_kernels_plain,
    };

    for (size_t i = 0; i < KN_COUNT(sets); i++)
        if (runs(sets[i]) && index-- == 0)
            return sets[i];
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* scan_loops.c -- the loops of scans for each set of instructions, and which of them this machine can run. */
#include "cluster/scan.h"

#define KN_SCAN_TARGET
#define KN_SCAN_NAME(name) plain_##name
#define KN_SCAN_SET plain_loops
#define KN_SCAN_TITLE "plain"
#include "cluster/scan_body.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define KN_SCAN_TARGET __attribute__((target("avx2")))
#define KN_SCAN_NAME(name) avx2_##name
#define KN_SCAN_SET avx2_loops
#define KN_SCAN_TITLE "avx2"
#include "cluster/scan_body.h"

#if defined(__clang__)
#define KN_SCAN_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#else
#define KN_SCAN_TARGET                                                                             \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")))
#endif
#define KN_SCAN_NAME(name) avx512_##name
#define KN_SCAN_SET avx512_loops
#define KN_SCAN_TITLE "avx512"
#include "cluster/scan_body.h"
#endif

static bool
runs(const kn_scan_loops *loops)
{
#if defined(__GNUC__) && defined(__x86_64__)
    if (loops == &avx512_loops)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (loops == &avx2_loops)
        return __builtin_cpu_supports("avx2");
#endif
    return loops != NULL;
}

const kn_scan_loops *
kn_scan_loops_at(size_t index)
{
    static const kn_scan_loops *const sets[] = {
#if defined(__GNUC__) && defined(__x86_64__)
        &avx512_loops,
        &avx2_loops,
#endif
        &plain_loops,
    };

    for (size_t i = 0; i < KN_COUNT(sets); i++)
        if (runs(sets[i]) && index-- == 0)
            return sets[i];
    return NULL;
}

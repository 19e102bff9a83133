/* SPDX-License-Identifier: Apache-2.0 */
/* refine.h -- local search on a partition: fewer losses, every class still allowed. Anytime, and the same for
 * every number of threads as long as it is bounded by iterations rather than by time. */
#ifndef KN_CLUSTER_REFINE_H
#define KN_CLUSTER_REFINE_H

#include "cluster/cluster.h"

typedef struct kn_refine_options {
    uint64_t iterations; /* box costs computed, per row; 0: what was measured to be worth it */
    uint64_t seed;
    double   from, until; /* share of the progress line that is this one's: 0..1 */
} kn_refine_options;

/** Improves a partition in place. Every class must be allowed at the start, and is at the end. */
kanon_status kn_cluster_refine(kn_cluster_env *env, const kn_refine_options *options,
                               kn_partition *partition);

/** Finds a lower bound on the cost of any partition into classes of at least k rows, of which `allowed` rows
 *  may be suppressed. 0 where none could be found in the time. looks: at candidates, for all rows together;
 *  with more of them it is closer. */
kanon_status kn_cluster_bound(kn_cluster_env *env, uint64_t looks, uint64_t *cost);

#endif

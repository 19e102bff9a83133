/* SPDX-License-Identifier: Apache-2.0 */
/* lab.h -- measures nodes for PBG-EA, each once, on several threads. */
#ifndef KN_LAB_H
#define KN_LAB_H

#include "base/keyset.h"
#include "pareto/front.h"

typedef struct kn_front_measurer {
    const kn_front_problem *problem;
    kanon_ctx              *ctx;
    size_t                  n;
    kn_gauge                gauge;
    kn_run                  run;
    kn_pool                *pool;
    kn_gauge_scratch      **dials; /* one a thread */
    unsigned                ndials;
    kn_keyset              *known; /* nodes, in the order of their points */
    kn_point              **points;
    size_t                  count, room;
    size_t                  from; /* of the batch that is measured now */
} kn_front_measurer;

kanon_status kn_front_measurer_init(kn_front_measurer *lab, const kn_front_problem *problem);
void         kn_front_measurer_fini(kn_front_measurer *lab);
/** Measures those of the nodes (n levels each) that are not known yet, on the threads, and gives the
 *  number of each one's point. When the time is over midway the rest stays unmeasured: SIZE_MAX. */
kanon_status kn_front_measurer_measure(kn_front_measurer *lab, const uint8_t *nodes, size_t count,
                                       size_t *numbers);
/** The number of a node's point, or SIZE_MAX. */
size_t kn_front_measurer_find(const kn_front_measurer *lab, const uint8_t *node);

#endif

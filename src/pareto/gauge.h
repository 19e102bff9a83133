/* SPDX-License-Identifier: Apache-2.0 */
/* gauge.h -- what a release of a node would be like: k, what is suppressed, and the facts that the
 * objectives are made of. The classes come from group.c for a single node (here), or from the fold for all
 * nodes of a lattice (fold.h). */
#ifndef KN_GAUGE_H
#define KN_GAUGE_H

#include "pareto/property.h"

/** The problem made ready: loss tables, and the sensitive values that matter. Shared by threads. */
typedef struct kn_gauge {
    kanon_ctx           *ctx;
    const kn_view       *view;
    const kn_scale      *scale;
    const kn_objectives *objectives;
    uint64_t             allowed; /* rows that may be suppressed */
    unsigned             needs;
    size_t               faces[KN_OBJECTIVES_MOST]; /* of each objective, or SIZE_MAX */
    size_t columns[KN_OBJECTIVES_MOST], domains[KN_OBJECTIVES_MOST]; /* of each face */
    size_t nfaces;
    /* The rows of a tuple, distinguished by the columns of the faces. Without faces a tuple is one spot. */
    size_t    nspots;
    uint32_t *spot_tuple, *spot_mix;
    uint64_t *spot_rows;
    size_t    nmixes;
    uint32_t *mixes; /* [nmixes * nfaces] the code of each face's column */
    /* KN_NEEDS_CELLS */
    double  **total, **plain; /* [quasi][level], weighted and not */
    double ***adds;           /* [quasi][level][code]: what suppressing a row adds, weight 1 */
} kn_gauge;

kanon_status kn_gauge_init(kn_gauge *gauge, const kn_front_problem *problem);
void         kn_gauge_fini(kn_gauge *gauge);

/** The classes of a node. Ids may have gaps (size 0). */
typedef struct kn_classes {
    size_t          nids;
    const uint64_t *sizes; /* [nids] in rows */
    const uint32_t *tuple; /* [nids] a tuple of each */
    /* With faces: spots, or several of a class and mix taken together. */
    size_t          nspots;
    const uint32_t *spot_class, *spot_mix;
    const uint64_t *spot_rows;
} kn_classes;

/** Scratch memory of one thread. */
typedef struct kn_gauge_scratch kn_gauge_scratch;

/** What it will be asked with: kn_gauge_scratch_classes() alone, or also kn_gauge_scratch_node(), which needs
 *  more memory. */
typedef enum kn_gauge_use { KN_GAUGE_CLASSES, KN_GAUGE_NODES } kn_gauge_use;

kanon_status kn_gauge_scratch_new(const kn_gauge *gauge, kn_gauge_use use, kn_gauge_scratch **out);
void         kn_gauge_scratch_free(kn_gauge_scratch *dial);
/** Bytes that a dial takes, about. */
size_t kn_gauge_scratch_bytes(const kn_gauge *gauge, kn_gauge_use use);

/** Measures a node whose classes are known; values: one for each objective. Allocates nothing. */
void kn_gauge_scratch_classes(kn_gauge_scratch *dial, const uint8_t *levels,
                              const kn_classes *classes, kn_profile *profile, double *values);
/** Groups the table at a node and measures it. Allocates nothing. */
void kn_gauge_scratch_node(kn_gauge_scratch *dial, const uint8_t *levels, kn_profile *profile,
                           double *values);

/** The general loss at a node if nothing were suppressed, weighted and not; KN_NEEDS_CELLS. */
void kn_gauge_cells(const kn_gauge *gauge, const uint8_t *levels, double *weighted, double *plain);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* guide.h -- picks the nodes to evaluate next: those near the archive that are not ruled out yet, the most
 * promising first. This is ours, not the paper's; docs/algorithms/pbg-ea.md has the reasons and figures. */
#ifndef KN_GUIDE_H
#define KN_GUIDE_H

#include "pareto/lab.h"

/** What raising one column by one level has done to an objective so far. */
typedef struct kn_step_effect {
    double sum;
    double count;
} kn_step_effect;

typedef struct kn_guide {
    kn_front_measurer *lab;
    const kn_archive  *archive;
    kn_keyset         *met;  /* nodes that were taken up as candidates once */
    uint8_t           *open; /* candidates that are neither measured nor ruled out */
    double            *score;
    size_t             nopen, open_room, score_room;
    kn_keyset         *expanded; /* archive members whose neighbours were taken up */
    size_t             learned;  /* measured nodes whose steps were taken into account */
    size_t            *first;    /* [n] where a column's steps begin */
    kn_step_effect    *effects;  /* [steps * objectives] */
    double             ranges[KN_OBJECTIVES_MOST]; /* of the archive, in the units of effects */
    uint64_t           ruled_out;
} kn_guide;

kanon_status kn_guide_init(kn_guide *guide, kn_front_measurer *lab, const kn_archive *archive);
void         kn_guide_fini(kn_guide *guide);
/** Learns from what was measured since, and takes up the neighbours of archive members that are new. */
kanon_status kn_guide_update(kn_guide *guide);
/** Takes up a node as a candidate, unless it is known or ruled out. */
kanon_status kn_guide_suggest(kn_guide *guide, const uint8_t *node);
/** Takes the most promising candidates, at most so many; n levels each. @return how many */
size_t kn_guide_take(kn_guide *guide, uint8_t *nodes, size_t most);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tags.h -- what monotonicity implies: nodes above a feasible one are feasible, nodes below an infeasible
 * one are infeasible. Keeps the minimal feasible and the maximal infeasible nodes. */
#ifndef KN_TAGS_H
#define KN_TAGS_H

#include "lattice/lattice.h"

typedef enum { KN_TAG_UNKNOWN, KN_TAG_FEASIBLE, KN_TAG_INFEASIBLE } kn_tag;

typedef struct kn_tags kn_tags;

/** top: the highest level of each component. */
kanon_status kn_tags_new(kanon_ctx *ctx, size_t n, const uint8_t *top, kn_tags **out);
void         kn_tags_free(kn_tags *tags);
/** What is known of a node. */
kn_tag kn_tags_ask(const kn_tags *tags, const uint8_t *node);
/** Records a checked node; those that it makes redundant are forgotten. */
kanon_status kn_tags_tell(kn_tags *tags, const uint8_t *node, kn_tag tag);

#endif

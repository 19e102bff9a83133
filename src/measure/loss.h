/* SPDX-License-Identifier: Apache-2.0 */
/* loss.h -- the information loss of a generalized cell, by each cell-wise metric. docs/METRICS.md has the
 * formulas. */
#ifndef KN_LOSS_H
#define KN_LOSS_H

#include "hierarchy/hierarchy.h"

/** The loss of a leaf released at a level, in [0, 1]; a suppressed cell is 1. */
typedef double (*kn_cell_loss)(const kanon_hierarchy *hierarchy, size_t level, uint32_t leaf);

double kn_cell_glm(const kanon_hierarchy *hierarchy, size_t level, uint32_t leaf);
double kn_cell_gcp(const kanon_hierarchy *hierarchy, size_t level, uint32_t leaf);
double kn_cell_total_il(const kanon_hierarchy *hierarchy, size_t level, uint32_t leaf);

/** Non-uniform entropy in bits: loss[leaf] of releasing each leaf at a level, log2(N(group)/N(leaf));
 *  rows[leaf] are the table's counts. Only the table's own leaves (ndata) are filled. The loss of `*`
 *  is that of the top level.
 *  @return KANON_E_NOMEM */
kanon_status kn_entropy_bits(const kanon_hierarchy *hierarchy, size_t level, const uint64_t *rows,
                             double *bits);

#endif

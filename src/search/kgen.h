/* SPDX-License-Identifier: Apache-2.0 */
/* kgen.h -- the operators of KGEN, apart from the search so that each can be tried by itself. */
#ifndef KN_KGEN_H
#define KN_KGEN_H

#include "lattice/lattice.h"

/** One component moves to another level within its bounds, if it has another one. */
void kn_kgen_mutate(const kn_lattice *lattice, kn_rng *rng, uint8_t *node);

/** A share of the components (at least two) is drawn anew, alternately up in [x, top] and down in
 *  [floor, x], so that the node changes its strategy path. chosen: scratch for lattice->n indexes. */
void kn_kgen_mutate_horizontally(const kn_lattice *lattice, double share, kn_rng *rng,
                                 size_t *chosen, uint8_t *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h -- every node of a lattice, each from the classes of one below it. Quasi-identifiers are settled
 * one after the other. With the first d of them at their levels and the others as they are in the table,
 * spots that agree in all of that are one; raising the level of the d-th merges some of them, and
 * settling the next one begins from what is left. A node so costs about as much as its neighbour below
 * has classes, and not as much as the table has tuples. */
#ifndef KN_FOLD_H
#define KN_FOLD_H

#include "pareto/gauge.h"

/** What folding needs to know of a table. Shared by threads. */
typedef struct kn_fold_axes {
    const kn_gauge *gauge;
    size_t          n;
    const uint8_t  *low, *top; /* levels that are walked */
    size_t         *order;     /* [n] the quasi-identifier that is settled d-th */
    uint32_t **suffix; /* [n + 1][nspots] number of what is not settled at depth d, with the mix */
    size_t    *nsuffix;
} kn_fold_axes;

kanon_status kn_fold_axes_init(kn_fold_axes *axes, const kn_gauge *gauge,
                               const kn_lattice *lattice);
void         kn_fold_axes_fini(kn_fold_axes *axes);

/** Scratch memory of one thread. */
typedef struct kn_fold kn_fold;

kanon_status kn_fold_new(const kn_fold_axes *axes, kn_fold **out);
void         kn_fold_free(kn_fold *fold);
size_t       kn_fold_bytes(const kn_fold_axes *axes);

/** Hears of every node; @return false to stop there. */
typedef bool (*kn_fold_hear)(void *user, const uint8_t *levels, const kn_classes *classes);

/** Walks all nodes with the first `depth` quasi-identifiers (in the order of the axes) at given levels,
 *  one of each in `prefix`. @return false: it was stopped */
bool kn_fold_walk(kn_fold *fold, const uint8_t *prefix, size_t depth, kn_fold_hear hear,
                  void *user);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h -- where the ends of a column's intervals may stand: on round numbers, so that an end does not give
 * away the value of a row in the class. Works on whole numbers, in units of the column's last decimal. */
#ifndef KN_GRID_H
#define KN_GRID_H

#include "encode/round.h"

typedef struct kn_grid {
    int64_t  width; /* ends move outwards to its multiples; 0: they stay */
    int64_t  shift; /* and stand so far below them */
    bool     open;  /* the upper end is outside of the interval */
    int64_t *rare;  /* numbers that are no ends, in order: too few released rows hold them */
    size_t   nrare;
} kn_grid;

/** A grid from a column's numbers: one of 1, 2, 5, 10, 20 ..., a twentieth of their span at most, but at
 *  least two units of their resolution, and no end on a number that fewer than k released rows hold. Clears
 *  *fits where the column is so dense with such numbers that an end finds no room, and all have to stand
 *  between the units (kn_grid_between).
 *  @param numbers  [count] in order, each once */
kanon_status kn_grid_choose(kanon_ctx *ctx, const kn_held *numbers, size_t count, uint64_t k,
                            kn_grid *grid, bool *fits);
/** Ends half a unit beside every number, where nobody's value is; numbers are ten times what they were. */
void kn_grid_between(kn_grid *grid);
void kn_grid_fini(kanon_ctx *ctx, kn_grid *grid);

/** The ends of an interval that holds low and high. */
void kn_grid_snap(const kn_grid *grid, int64_t low, int64_t high, int64_t *from, int64_t *to);

#endif

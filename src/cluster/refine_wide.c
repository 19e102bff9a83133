/* SPDX-License-Identifier: Apache-2.0 */
/* refine_wide.c -- the moves for rows of any number of columns. */
#include "lattice/lattice.h"
#define BLOCKS(refiner) ((refiner)->blocks > 1 ? (refiner)->blocks : 1)
#define BLOCKS_ROOM KN_BLOCKS_MOST
#define WORK kn_refine_wide
#include "cluster/refine_moves.h"

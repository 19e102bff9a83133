/* SPDX-License-Identifier: Apache-2.0 */
/* refine_narrow.c -- the moves for rows of up to eight columns. */
#define BLOCKS(refiner) ((void) (refiner), (size_t) 1)
#define BLOCKS_ROOM 1
#define WORK kn_refine_narrow
#include "cluster/refine_moves.h"

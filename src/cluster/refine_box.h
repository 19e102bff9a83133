/* SPDX-License-Identifier: Apache-2.0 */
/* refine_box.h -- lanes and boxes of the refinement, compiled once for rows of one block of lanes and once
 * for any number: BLOCKS(refiner) and BLOCKS_ROOM are defined by whoever includes it. */
#ifndef KN_REFINE_BOX_H
#define KN_REFINE_BOX_H

#include "cluster/refine_state.h"

/* --- lanes -------------------------------------------------------------------------------------- */

static inline kn_lanes
either(kn_lanes mask, kn_lanes a, kn_lanes b)
{
    return (a & mask) | (b & ~mask);
}

static inline kn_lanes
lesser(kn_lanes a, kn_lanes b)
{
    return either((kn_lanes) (a < b), a, b);
}

static inline kn_lanes
greater(kn_lanes a, kn_lanes b)
{
    return either((kn_lanes) (a > b), a, b);
}

/* The least and the greatest ranks of a set. */
typedef struct extent {
    kn_lanes least[BLOCKS_ROOM], greatest[BLOCKS_ROOM];
} extent;

static inline uint32_t
price_of(const kn_annealer *s, const extent *e)
{
    const kn_refine_rules *r = &s->rules;
    const kn_lane *least = (const kn_lane *) e->least, *greatest = (const kn_lane *) e->greatest;
    uint32_t       cost = 0;
    size_t         i = 0;

    for (; i < r->numbers; i++)
        cost += r->lane[i].costs[greatest[i]] - r->lane[i].costs[least[i]];
    for (; i < r->flats; i++)
        cost += least[i] != greatest[i] ? r->lane[i].whole : 0;
    for (; i < r->tables; i++)
        cost += r->lane[i].costs[(uint32_t) least[i] * r->lane[i].n + (uint32_t) greatest[i]];
    for (; i < r->all; i++)
        cost += kn_refine_rules_odd(r, i, (uint32_t) least[i], (uint32_t) greatest[i]);
    return cost;
}

/* --- boxes ---------------------------------------------------------------------------------------- */

static inline kn_lanes *
box_of(const kn_annealer *s, uint32_t class)
{
    return s->boxes + (size_t) class * 4 * BLOCKS(s);
}

static inline const kn_lanes *
lanes_of(const kn_annealer *s, uint32_t row)
{
    return s->lanes + (size_t) row * BLOCKS(s);
}

static inline void
box_clear(const kn_annealer *s, kn_lanes *box)
{
    kn_lanes zero = { 0 };

    for (size_t b = 0; b < 2 * BLOCKS(s); b++)
        box[b] = zero + KN_LANE_MOST;
    for (size_t b = 2 * BLOCKS(s); b < 4 * BLOCKS(s); b++)
        box[b] = zero - 1;
}

static inline void
box_add(const kn_annealer *s, kn_lanes *box, const kn_lanes *row)
{
    size_t n = BLOCKS(s);

    for (size_t b = 0; b < n; b++) {
        kn_lanes v = row[b];

        box[n + b] = lesser(box[n + b], greater(box[b], v));
        box[b] = lesser(box[b], v);
        box[3 * n + b] = greater(box[3 * n + b], lesser(box[2 * n + b], v));
        box[2 * n + b] = greater(box[2 * n + b], v);
    }
}

static inline extent
box_extent(const kn_annealer *s, const kn_lanes *box)
{
    size_t n = BLOCKS(s);
    extent e;

    for (size_t b = 0; b < n; b++) {
        e.least[b] = box[b];
        e.greatest[b] = box[2 * n + b];
    }
    /* cppcheck-suppress uninitvar ; there is at least one block, and only blocks are looked at */
    return e;
}

static inline extent
box_with(const kn_annealer *s, const kn_lanes *box, const kn_lanes *row)
{
    size_t n = BLOCKS(s);
    extent e;

    for (size_t b = 0; b < n; b++) {
        e.least[b] = lesser(box[b], row[b]);
        e.greatest[b] = greater(box[2 * n + b], row[b]);
    }
    /* cppcheck-suppress uninitvar ; there is at least one block, and only blocks are looked at */
    return e;
}

/* Where the row alone reaches the least rank, the second least takes its place. */
static inline extent
box_without(const kn_annealer *s, const kn_lanes *box, const kn_lanes *row)
{
    size_t n = BLOCKS(s);
    extent e;

    for (size_t b = 0; b < n; b++) {
        e.least[b] = either((kn_lanes) (row[b] == box[b]), box[n + b], box[b]);
        e.greatest[b] = either((kn_lanes) (row[b] == box[2 * n + b]), box[3 * n + b],
                               box[2 * n + b]);
    }
    /* cppcheck-suppress uninitvar ; there is at least one block, and only blocks are looked at */
    return e;
}

#endif

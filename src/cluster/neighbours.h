/* SPDX-License-Identifier: Apache-2.0 */
/* neighbours.h -- the nearest points of each point, by NCP, without looking at all pairs where the table is
 * large. */
#ifndef KN_NEIGHBOURS_H
#define KN_NEIGHBOURS_H

#include "cluster/cluster.h"

typedef struct kn_neighbours {
    size_t    each;  /* neighbours of a point, at most */
    uint32_t *of;    /* [npoints * each], nearest first, ties by number; KN_NO_CODE: no more */
    bool      exact; /* no nearer point was missed */
} kn_neighbours;

/** The `each` nearest other points of every point; memory npoints * each, threads used, the same answer for
 *  every number of them. Exact where that takes a few seconds at most; else near, but maybe not nearest. */
kanon_status kn_neighbours_new(kn_cluster_env *env, size_t each, kn_neighbours *out);
void         kn_neighbours_fini(kanon_ctx *ctx, kn_neighbours *neighbours);

/** The nearest of one point, nearest first, with their distances. */
typedef struct kn_nearest_points {
    const uint32_t *points, *apart;
    size_t          count;
    bool            complete; /* no nearer point was missed */
} kn_nearest_points;

enum { KN_CIRCLE_MOST = 256 };

typedef void (*kn_nearest_points_fn)(void *user, uint32_t point, const kn_nearest_points *near,
                                     unsigned worker);
/** Tells each point's nearest, at most KN_CIRCLE_MOST, to a function that workers call, without
 *  the memory. Where the search was too long, or the time is over, what is told is not complete. */
kanon_status kn_neighbours_visit(kn_cluster_env *env, size_t each, kn_nearest_points_fn visit,
                                 void *user);

#endif

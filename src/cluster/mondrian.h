/* SPDX-License-Identifier: Apache-2.0 */
/* mondrian.h -- cutting rows into halves, for the clusterer of that name, for what other clusterers leave
 * over when their time is up, and for blocks of rows that are near each other. */
#ifndef KN_MONDRIAN_H
#define KN_MONDRIAN_H

#include "cluster/cluster.h"

typedef struct kn_mondrian_options {
    enum { KN_MONDRIAN_STRICT, KN_MONDRIAN_RELAXED } mode;
    /* which column is cut: the one whose cut costs least, or the widest that can be cut */
    enum { KN_MONDRIAN_CHEAPEST, KN_MONDRIAN_WIDEST } choice;
    size_t most; /* not 0: so many items are left together, whatever the models say */
} kn_mondrian_options;

/** Cuts the rows that have no class; every class it makes may be, unless all of them together may not. The
 *  cuts stop when it is late: what is not cut yet becomes a class as it is. */
kanon_status kn_mondrian_cut(kn_cluster_env *env, const kn_mondrian_options *options,
                             kn_partition *out);

#endif

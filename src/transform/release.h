/* SPDX-License-Identifier: Apache-2.0 */
/* release.h -- the second pass: every input row becomes a released row, a masked one, or none. */
#ifndef KN_RELEASE_H
#define KN_RELEASE_H

#include "config/config.h"
#include "encode/learn.h"
#include "transform/recode.h"
#include "transform/shuffle.h"
#include "transform/watch.h"
#include "verify/witness.h"

typedef struct kn_release_plan {
    const kn_learned   *learned;
    kn_recoder         *recoder;
    const kn_cell_fate *fates; /* per table column; GENERALIZE exactly for quasi-identifiers */
    bool                mask_outlying; /* else they are left out */
    bool                keep_order;
    kn_release_watch   *watch;   /* sees every released row; NULL: nobody does */
    kn_witness         *witness; /* the same, for models of columns that are not shown */
    uint8_t             order_key[KN_ORDER_KEY_BYTES];
} kn_release_plan;

typedef struct kn_release_counts {
    uint64_t released, masked, left_out; /* rows, as the input counts them */
    uint64_t records;                    /* written: fewer, where records stand for several rows */
    double   transform_s, write_s;
} kn_release_counts;

/** Streams the second pass into a writer that was begun. Refuses an input that is not the one of the first
 *  pass. */
kanon_status kn_release_write(kn_rows *rows, const kn_release_plan *plan, kn_rows_out *out,
                              kn_release_counts *counts);

#endif

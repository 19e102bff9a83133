/* SPDX-License-Identifier: Apache-2.0 */
/* release.h -- the second pass: every input row becomes a released row, a masked one, or none. */
#ifndef KN_RELEASE_H
#define KN_RELEASE_H

#include "config/config.h"
#include "encode/learn.h"
#include "transform/recode.h"
#include "transform/shuffle.h"
#include "transform/watch.h"
#include "transform/witness.h"

/** What happens to the cells of a table column. */
typedef enum { KN_CELL_COPY, KN_CELL_STAR, KN_CELL_LEAVE_OUT, KN_CELL_GENERALIZE } kn_cell_fate;

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
    uint64_t released, masked, left_out;
    double   transform_s, write_s;
} kn_release_counts;

/** Streams the second pass into a sink that was begun. Refuses an input that is not the one of the first
 *  pass. source_name is for messages. */
kanon_status kn_release_write(kanon_ctx *ctx, kn_csv *csv, const char *source_name,
                              const kn_release_plan *plan, kanon_sink *sink,
                              kn_release_counts *counts);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* release.h -- the second pass: every input row becomes a released row, a masked one, or none. */
#ifndef KN_RELEASE_H
#define KN_RELEASE_H

#include "config/config.h"
#include "encode/learn.h"
#include "linkage/sample.h"
#include "transform/links.h"
#include "transform/recode.h"
#include "transform/shuffle.h"
#include "transform/trace.h"
#include "transform/watch.h"
#include "verify/row_audit.h"

/** Columns of the table whose cells a sample of released rows has, in its order. */
typedef struct kn_release_sample {
    kn_class_sample *of;
    size_t          *positions; /* [of->ncells] */
} kn_release_sample;

typedef struct kn_release_plan {
    const kn_learned   *learned;
    kn_recoder         *recoder;
    const kn_cell_fate *fates;         /* per table column; GENERALIZE exactly for quasi-identifiers */
    bool                mask_outlying; /* else they are left out */
    bool                keep_order;
    kn_release_watch   *watch;     /* sees every released row; NULL: nobody does */
    kn_release_sample   sample;    /* sees every row of the release; of NULL: there is none */
    uint64_t           *formulas;  /* [table columns] copied cells that a spreadsheet would run */
    kn_row_audit       *row_audit; /* as the watch, for models of columns that are not shown */
    kn_links           *links;     /* counts rows of one pseudonym; NULL: there are none */
    kn_trace           *trace;     /* learns every row's class; NULL: nobody asked */
    const char         *order_key; /* secret; not used with keep_order */
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

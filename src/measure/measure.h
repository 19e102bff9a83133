/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h -- information loss and re-identification risk of a release, measured from its partition. All
 * algorithms are measured by this code, whatever they report themselves. */
#ifndef KN_MEASURE_H
#define KN_MEASURE_H

#include "group/recipe.h"
#include "measure/metric.h"
#include "measure/metrics.h"

/** How diverse the sensitive values of a released class are, at worst. */
typedef struct kn_diversity {
    uint64_t distinct;         /* values in the table */
    uint64_t min_distinct;     /* least number of different values in a class; 0 without classes */
    double   min_entropy_l;    /* exp of the least class entropy */
    double   max_t;            /* greatest half L1 distance of a class from the whole table */
    uint64_t homogeneous_rows; /* rows in classes with a single value */
    uint64_t guessed_rows; /* rows in classes where a value has KN_GUESSED of the rows, but not in
                                * the whole table */
    double   max_ratio;    /* greatest share of a value in a class over its share in the table */
    double   top_share;    /* of the most frequent value, in the table */
    uint64_t unique_rows;  /* released rows whose value no other released row has */
} kn_diversity;

/** The certainty from which on a value counts as guessed. */
#define KN_GUESSED 0.9

enum { KN_SIZE_BUCKETS = 9 };

typedef struct kn_measured {
    kn_metrics      metrics;
    kn_risk         before, after;
    uint64_t        suppressed;
    kn_class_bucket sizes[KN_SIZE_BUCKETS];
} kn_measured;

/** The classes of a table, judged. With local recoding the scale's table is divided among them
 *  (kn_table_split), and they are those that a reader of the release sees. */
typedef struct kn_judged {
    const kn_scale    *scale;
    const kn_privacy  *privacy;
    const kn_grouping *grouping;
} kn_judged;

/** What the cells of a local recoding show. */
typedef struct kn_local_cells {
    const kn_table   *whole; /* the table before it was divided */
    const kn_recipes *recipes;
    const uint32_t   *recipe_of; /* [tuples] KN_NO_CLASS: it is suppressed */
} kn_local_cells;

/** Measures a full-domain release; columns[nquasi] is filled as well. */
kanon_status kn_measure(kanon_ctx *ctx, const kn_judged *judged, const uint8_t *levels,
                        kn_measured *out, kn_column_loss *columns);
/** The same of a local recoding. */
kanon_status kn_measure_local(kanon_ctx *ctx, const kn_judged *judged, const kn_local_cells *cells,
                              kn_measured *out, kn_column_loss *columns);
/** Measures the spread of one sensitive column over the released classes; domain: its different values. */
kanon_status kn_measure_diversity(kanon_ctx *ctx, const kn_judged *judged, size_t column,
                                  size_t domain, kn_diversity *out);

#endif

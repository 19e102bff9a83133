/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h -- the numbers of a release; every formula is in docs/METRICS.md. */
#ifndef KN_METRICS_H
#define KN_METRICS_H

#include "base/base.h"

/** name, what it is (a share, a count, an amount without an upper end), whether it is made from LEVELS, and
 *  so absent for local recoding, definition in a few words. The order is the order of reports. */
#define KN_METRIC_LIST(X)                                                                          \
    X(log, SHARE, LEVELS, "level of generalization, mean over quasi-identifiers")                  \
    X(precision, SHARE, LEVELS,                                                                    \
      "as log, with a suppressed row counted as fully generalized (ARX)")                          \
    X(los, SHARE, NOTHING, "share of suppressed rows")                                             \
    X(height, COUNT, LEVELS, "sum of the levels")                                                  \
    X(dm, AMOUNT, NOTHING, "discernibility: squared class sizes, n per suppressed row")            \
    X(glm, SHARE, NOTHING, "general loss (Iyengar), mean over all cells")                          \
    X(glm_sum, AMOUNT, NOTHING, "general loss, sum over all cells")                                \
    X(gcp, SHARE, NOTHING, "global certainty penalty (normalised NCP)")                            \
    X(total_il, SHARE, NOTHING, "total information loss (Byun)")                                   \
    X(total_il_literal, AMOUNT, NOTHING, "total information loss as printed in the KAB paper")     \
    X(cm, SHARE, NOTHING, "rows suppressed or without the majority label of their class")          \
    X(c_avg, AMOUNT, NOTHING, "rows per class, as a multiple of k")                                \
    X(entropy, SHARE, NOTHING, "non-uniform entropy loss, 1 = everything is *")

typedef struct kn_metrics {
#define KN_METRIC_FIELD(name, type, needs, text) double name;
    KN_METRIC_LIST(KN_METRIC_FIELD)
#undef KN_METRIC_FIELD
} kn_metrics;

/** A metric by its name; NULL if there is none of that name. */
static inline const double *
kn_metrics_find(const kn_metrics *metrics, const char *name)
{
#define KN_METRIC_MATCH(field, type, needs, text)                                                  \
    if (strcmp(name, #field) == 0)                                                                 \
        return &metrics->field;
    KN_METRIC_LIST(KN_METRIC_MATCH)
#undef KN_METRIC_MATCH
    return NULL;
}

/** What one column lost. */
typedef struct kn_column_loss {
    double log, glm, gcp, total_il, entropy;
} kn_column_loss;

/** How exposed the rows of a table are. */
typedef struct kn_risk {
    uint64_t rows, classes, min_class, max_class, uniques;
    double   prosecutor_max, prosecutor_mean;
    double   below_2, below_5, below_10; /* share of rows in classes smaller than that */
} kn_risk;

/** Classes of similar size. */
typedef struct kn_class_bucket {
    uint64_t from, to; /* class sizes, inclusive; to 0: no upper end */
    uint64_t classes, rows;
} kn_class_bucket;

#endif

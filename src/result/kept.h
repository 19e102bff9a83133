/* SPDX-License-Identifier: Apache-2.0 */
/* kept.h -- sets of quasi-identifiers that could be kept, and what a release of each would keep. */
#ifndef KN_RESULT_KEPT_H
#define KN_RESULT_KEPT_H

#include "base/text.h"

typedef struct kn_kept_column {
    const char *name;
    bool        has_level; /* false: local recoding */
    unsigned    level;
    double      kept; /* share of the information in it that is left in a released row, mean */
} kn_kept_column;

typedef struct kn_kept_set {
    kn_kept_column *columns; /* in the order of the table */
    size_t          ncolumns;
    double          kept;        /* share of the information in these columns, lost rows included */
    double          kept_of_all; /* ... in all quasi-identifiers */
    uint64_t        suppressed;  /* rows */
} kn_kept_set;

/** The one that keeps most first. Each brings a column that those before it lack, or more detail. */
typedef struct kn_kept_sets {
    kn_kept_set *of;
    size_t       count;
} kn_kept_sets;

/** "age, sex and zip (61.2 % of their information)"; most: names that are written */
void kn_kept_put(kn_text *text, const kn_kept_set *set, size_t most);

#endif

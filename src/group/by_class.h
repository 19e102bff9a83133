/* SPDX-License-Identifier: Apache-2.0 */
/* by_class.h -- the tuples of a grouping sorted by class, for code that looks at all sensitive values of a
 * class. */
#ifndef KN_BY_CLASS_H
#define KN_BY_CLASS_H

#include "group/group.h"

typedef struct kn_by_class {
    kanon_ctx *ctx;
    size_t     nids;
    size_t    *start; /* [nids + 1] into order */
    uint32_t  *order; /* [ntuples] */
} kn_by_class;

/** Room for groupings of a table with up to nids classes. */
kanon_status kn_by_class_init(kn_by_class *by, kanon_ctx *ctx, size_t ntuples, size_t most_ids);
void         kn_by_class_fini(kn_by_class *by);
/** Sorts the tuples by class (counting sort); allocates nothing. */
void kn_by_class_sort(kn_by_class *by, const kn_grouping *grouping, size_t ntuples);

/** Counts of the values of one sensitive column within one class, with the list of those that occur.
 *  Made once, cleared class by class. */
typedef struct kn_histogram {
    kanon_ctx *ctx;
    uint64_t  *counts; /* [domain] */
    uint32_t  *seen;   /* values with a count */
    size_t     nseen;
} kn_histogram;

kanon_status kn_histogram_init(kn_histogram *h, kanon_ctx *ctx, size_t domain);
void         kn_histogram_fini(kn_histogram *h);
/** Adds a class's rows; start from a cleared histogram. */
void kn_histogram_fill(kn_histogram *h, const kn_table *table, size_t column, const kn_by_class *by,
                       size_t id);
void kn_histogram_clear(kn_histogram *h);

#endif

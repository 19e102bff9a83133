/* SPDX-License-Identifier: Apache-2.0 */
/* tally.h -- between the parts of linkage/: numbers the distinct pairs of two columns of codes, again and
 * again, in memory that was taken once. */
#ifndef KN_LINKAGE_TALLY_H
#define KN_LINKAGE_TALLY_H

#include "linkage/linkage.h"

typedef struct kn_link_tally {
    kanon_ctx *ctx;
    uint64_t   seed;
    size_t     most;  /* rows at a time */
    uint32_t  *slots; /* rows + 1, by the hash of their pair */
    uint64_t  *sums;  /* [most] per number */
} kn_link_tally;

kanon_status kn_link_tally_init(kn_link_tally *tally, kanon_ctx *ctx, size_t most);
void         kn_link_tally_fini(kn_link_tally *tally);
/** A column of codes below `domain`; 0: of any size. */
typedef struct kn_link_codes {
    const uint32_t *of;
    uint32_t        domain;
} kn_link_codes;

/** Numbers rows from 0 by (x, y) in the order of their first rows. ids[count] may be those of x or y.
 *  @return how many different ones there are */
uint32_t kn_link_number(kn_link_tally *tally, kn_link_codes x, kn_link_codes y, size_t count,
                        uint32_t *ids);

/** The sample in the order of its classes, and what is counted of it. */
typedef struct kn_link_view {
    kanon_ctx             *ctx;
    const kn_class_sample *sample;
    const kn_link_plan    *plan;
    uint32_t              *order;  /* [rows of the sample] */
    uint32_t              *starts; /* [classes + 1] into order */
    kn_link_tally          tally;
    uint32_t              *zero, *x, *y, *ids; /* [rows of the largest class]; zero: all the same */
    uint64_t              *weights;            /* the same */
} kn_link_view;

/** The least depth at which the sample has no more rows than that, classes of more rows left out. */
unsigned kn_link_depth(const kn_link_view *view, size_t most, size_t *rows);
/** Adds the groups of a class to a count. ids[rows] below `groups`; weights in view->weights. */
void kn_link_count_groups(kn_link_view *view, const uint32_t *ids, size_t rows, uint32_t groups,
                          kn_link_count *count);
/** Fills in weights of a class's rows, and the cells of a column. */
void kn_link_gather_weights(kn_link_view *view, size_t class);
void kn_link_gather(const kn_link_view *view, size_t class, size_t cell, uint32_t *to);
/** Numbers the rows of a class by a column. @return how many different ones there are */
uint32_t kn_link_number_column(kn_link_view *view, size_t class, size_t cell, uint32_t *ids);
/** What was counted of a sample of a depth, for the whole table. */
uint64_t kn_link_scaled(const kn_link_view *view, uint64_t count, unsigned depth);

/** Finds out->dependencies. */
kanon_status kn_link_depend(kn_link_view *view, kn_linkage *out);
/** Fills in a family of further columns; columns[count], those that split classes most first. */
kanon_status kn_link_combine(kn_link_view *view, const size_t *columns, size_t count,
                             kn_link_family *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* links.h -- what rows of one person tell together where the release says which rows those are: the classes
 * of all of them, which fewer persons share than each class has. */
#ifndef KN_TRANSFORM_LINKS_H
#define KN_TRANSFORM_LINKS_H

#include "base/base.h"

typedef struct kn_links kn_links;

/** What was counted. */
typedef struct kn_link_counts {
    uint64_t persons;
    uint64_t several; /* of them with more than one released row */
    uint64_t rare; /* of them whose rows are in the same classes as those of fewer than k persons */
} kn_link_counts;

/** position: of the column that tells persons apart, in the rows */
kanon_status kn_links_new(kanon_ctx *ctx, size_t position, kn_links **out);
void         kn_links_free(kn_links *links);
/** A released row, by a hash of its class. */
kanon_status kn_links_row(kn_links *links, const kn_str *cells, uint64_t class);
/** After the last row. */
kanon_status kn_links_count(const kn_links *links, uint64_t k, kn_link_counts *out);

#endif

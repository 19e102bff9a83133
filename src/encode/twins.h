/* SPDX-License-Identifier: Apache-2.0 */
/* twins.h -- texts that mean the same to people though their bytes differ: "flu" and " Flu", 1000 and 1e3.
 * Only for warnings: everywhere else cells are compared byte by byte. */
#ifndef KN_TWINS_H
#define KN_TWINS_H

#include "encode/value.h"

/** Capitals of ASCII, Latin-1 and Latin Extended-A become small letters, which have as many bytes. */
void kn_fold_case(char *text, size_t len);

typedef enum {
    KN_FOLD_NAME, /* blanks around do not count, nor how many stand in the middle, nor case */
    KN_FOLD_VALUE /* the same; numbers are alike that are equal, dates that are the same day */
} kn_twin_fold;

/** first[count of the domain] is filled: the first value that reads like each one, often itself. What reads
 *  like a spelling of missing has the missing value there, where the column has one. Of texts longer than a
 *  thousand bytes nothing is said.
 *  @param[out] sample  only some of very many values were looked at, each of those with all its like */
kanon_status kn_twins_find(kanon_ctx *ctx, const kn_domain *domain, kn_twin_fold how,
                           uint32_t *first, bool *sample);
/** How many values read like another one of their column. */
kanon_status kn_twins_count(kanon_ctx *ctx, const kn_domain *domain, uint64_t *count, bool *sample);

#endif

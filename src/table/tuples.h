/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.h -- the distinct rows of a few coded columns, with how often each occurs.
 * This is what a full-domain job keeps of a table: memory grows with the distinct tuples, not with the
 * rows. Collapsing is exact: keys are compared, not only hashes. */
#ifndef KN_TUPLES_H
#define KN_TUPLES_H

#include "base/base.h"

typedef struct kn_tuples kn_tuples;

kanon_status kn_tuples_new(kanon_ctx *ctx, size_t ncolumns, kn_tuples **out);
void         kn_tuples_free(kn_tuples *tuples);
/** Adds a tuple of ncolumns codes that stands for `weight` rows. Not after seal. */
kanon_status kn_tuples_add(kn_tuples *tuples, const uint32_t *codes, uint64_t weight);
/** Ends the adding: the tuples stand in lexicographic order of their codes, column 0 first. */
kanon_status kn_tuples_seal(kn_tuples *tuples);

/* After seal: */
size_t   kn_tuples_count(const kn_tuples *tuples);
uint64_t kn_tuples_rows(const kn_tuples *tuples);
uint64_t kn_tuples_weight(const kn_tuples *tuples, size_t tuple);
uint32_t kn_tuples_code(const kn_tuples *tuples, size_t tuple, size_t column);
/** Are two tuples equal in columns 0..ncolumns-1? */
bool kn_tuples_same(const kn_tuples *tuples, size_t a, size_t b, size_t ncolumns);

#endif

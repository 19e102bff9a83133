/* SPDX-License-Identifier: Apache-2.0 */
/* public.h -- what the external editions share: counts that are rounded so that they do not reveal small
 * ones. */
#ifndef KN_RESULT_PUBLIC_H
#define KN_RESULT_PUBLIC_H

#include "result/result.h"

/** Counts below this are not shown: k, and at least 5. */
uint64_t kn_public_least(const kanon_result *result);
/** Two or three digits of a count, the others zero. */
uint64_t kn_public_rounded(uint64_t count);
/** Suppressed rows as everybody may know them: at least k and 10 counts, neighbours of each other, become the
 *  same number. 0: fewer than kn_public_lost_least(), or none; that is not told apart. */
uint64_t kn_public_lost(const kanon_result *result, uint64_t count);
uint64_t kn_public_lost_least(const kanon_result *result);
/** What was lost, in whole percent, as a share. NAN: it is not told. Where rows may be suppressed it would
 *  tell of them: how many, in a column that is released unchanged, and what the least and the greatest
 *  value were, since loss is measured against them. */
double kn_public_loss(const kanon_result *result, double loss);
/** What the highest risk goes by, as everybody may know it: the smallest class, which can be counted; of
 *  persons, who cannot, no more than was promised. */
uint64_t kn_public_crowd(const kanon_result *result);
/** The last part of a path: folders may tell who made the release. */
const char *kn_public_file(const char *path);

/** Is it a column that the release does not have, so that not even its name is known outside? */
bool kn_public_hides(const kanon_result *result, const char *column);

#endif

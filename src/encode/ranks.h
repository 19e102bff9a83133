/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h -- the numbers of a column in their exact order, however long they are: a double has room for some
 * 16 digits, and two numbers that differ behind those are still two. */
#ifndef KN_RANKS_H
#define KN_RANKS_H

#include "encode/value.h"

/** The order of two numbers, digit by digit: < 0, 0 (also for two spellings of one number) or > 0. Both
 *  must be texts that kn_decimal_parse reads. */
int kn_number_compare(kn_str a, kn_str b);
/** ranks[value]: 0 for the least number and so on, without gaps. Spellings of one number have one rank; the
 *  missing value (a code, or KN_NO_CODE) has the one behind the greatest.
 *  @return KANON_E_NOMEM */
kanon_status kn_number_ranks(kanon_ctx *ctx, const kn_str *values, size_t count, uint32_t missing,
                             uint32_t *ranks);

#endif

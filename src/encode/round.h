/* SPDX-License-Identifier: Apache-2.0 */
/* round.h -- round numbers, 1, 2, 5, 10, 20, 50 ..., and how finely a column is written. Works on whole
 * numbers, in units of the column's last decimal. */
#ifndef KN_ROUND_H
#define KN_ROUND_H

#include "base/base.h"

/** One number of a column and the released rows that hold it. */
typedef struct kn_held {
    int64_t  value;
    uint64_t rows; /* 0: suppressed rows alone hold it */
} kn_held;

/** The round number behind a round number, which is at most KN_SCALED_MOST. */
int64_t kn_round_next(int64_t width);
/** The greatest round number that nearly all released numbers are multiples of: incomes often come in
 *  hundreds. At most half of the span, and so small that ends some steps beyond the numbers still fit. */
int64_t kn_round_resolution(const kn_held *numbers, size_t count, int64_t span);

#endif

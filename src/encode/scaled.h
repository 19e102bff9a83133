/* SPDX-License-Identifier: Apache-2.0 */
/* scaled.h -- the numbers of a column as whole numbers, all with the same decimals: exact arithmetic, and the
 * way back to text as the column itself writes numbers. */
#ifndef KN_SCALED_H
#define KN_SCALED_H

#include "base/text.h"
#include "encode/value.h"

/** Scaled values stay below this, so that the bounds of an interval fit as well. */
#define KN_SCALED_MOST INT64_C(1000000000000000000)

/** How the numbers of a column are written. */
typedef struct kn_number_style {
    unsigned decimals;
    bool     comma;    /* marks the decimals */
    bool     brackets; /* an interval needs them: an end has a sign, or a comma that splits it */
    bool     dash;     /* 20-29 and [1.5, 2.0) instead of 20 to 29 and 1.5 to under 2.0 */
} kn_number_style;

/** value * 10^decimals; decimals beyond those are cut off downwards. False if it does not fit. */
bool kn_scale_decimal(kn_decimal value, unsigned decimals, int64_t *out);
/** Rounds down, also below zero. */
int64_t kn_floor_div(int64_t value, int64_t width);
/** Appends a scaled value as a number of the column. */
void kn_text_add_scaled(kn_text *out, const kn_number_style *style, int64_t value);
/** Does the upper end of an interval belong to it? A dash cannot say that it does not. */
typedef enum kn_upper_end { KN_UPPER_INSIDE, KN_UPPER_OUTSIDE } kn_upper_end;

/** What stands between the ends of an interval. */
const char *kn_interval_mark(const kn_number_style *style, kn_upper_end end);
/** Appends an interval of scaled values: 20 to 29, [-5, 4], 1.5 to under 2.0. */
void kn_text_add_interval(kn_text *out, const kn_number_style *style, int64_t low, int64_t high,
                          kn_upper_end end);

#endif

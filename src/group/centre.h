/* SPDX-License-Identifier: Apache-2.0 */
/* centre.h -- microaggregation: a class shows one value (mean, median or mode) instead of an interval or a
 * group. */
#ifndef KN_CENTRE_H
#define KN_CENTRE_H

#include "group/recipe.h"

typedef struct kn_centre {
    bool     is_mean, negative; /* negative: the mean is below zero */
    uint32_t code; /* of an original value, unless is_mean; KN_NO_CODE: nothing can be said */
    uint64_t mean; /* without its sign, scaled to one decimal more than the column has */
} kn_centre;

/** Finds the centres of every class, [class * nquasi + column]. Numbers: mean, (lower) median or most
 *  frequent value; everything else: the most frequent value, of equals the one with the lowest code. Missing
 *  numbers are left aside where at least k others are there: a mean of fewer would tell each of them about
 *  the rest. The caller frees *out. */
kanon_status kn_centres_new(const kn_recipes *recipes, const kn_table *table,
                            const uint32_t *class_of, kn_local local, uint64_t k, kn_centre **out);
/** The text of a released cell; empty out first. */
void kn_centre_spell(const kn_recipes *recipes, size_t quasi, const kn_centre *centre,
                     kn_text *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h -- what measuring by levels and measuring class by class have in common. */
#ifndef KN_MEASURE_PARTS_H
#define KN_MEASURE_PARTS_H

#include "measure/measure.h"

/** Sums of many doubles may pass 1 by a rounding; a share does not. */
double kn_share(double value);
/** Sizes, suppressed rows, risk after, and what of dm the classes make up. */
void kn_measure_classes(const kn_privacy *privacy, const kn_grouping *grouping, kn_measured *out);
/** Risk before: as if the table were released as it is. */
void kn_measure_before(const kn_table *table, kn_measured *out);
/** Released rows off their class's most frequent label; 0 without a label. */
kanon_status kn_measure_labels(kanon_ctx *ctx, const kn_scale *scale, const kn_privacy *privacy,
                               const kn_grouping *grouping, uint64_t *off);
/** The metrics that follow from the sums over columns and classes. */
void kn_measure_totals(const kn_scale *scale, const kn_privacy *privacy, uint64_t off_label,
                       double literal, kn_measured *out);

#endif

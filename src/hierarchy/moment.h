/* SPDX-License-Identifier: Apache-2.0 */
/* moment.h -- the units that days and times of day become: behind the kinds `date` and `time`. Every unit
 * has a number that is the same for all moments of one group. */
#ifndef KN_HIER_MOMENT_H
#define KN_HIER_MOMENT_H

#include "hierarchy/build.h"

typedef enum {
    KN_UNIT_MINUTE,
    KN_UNIT_QUARTER_HOUR,
    KN_UNIT_HOUR,
    KN_UNIT_PART, /* of the day */
    KN_UNIT_DAY,
    KN_UNIT_WEEK,
    KN_UNIT_MONTH,
    KN_UNIT_QUARTER,
    KN_UNIT_YEAR,
    KN_UNIT_DECADE,
    KN_UNIT_CENTURY,
    KN_UNIT_WEEKDAY, /* from here on the groups come again: every Monday, every winter */
    KN_UNIT_WEEKEND,
    KN_UNIT_SEASON,
    KN_UNITS
} kn_unit;

const char *kn_unit_name(kn_unit unit);
/** units has room for KN_UNITS. No items: *count is 0, and the kind chooses. */
kanon_status kn_units_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec,
                            kn_unit *units, size_t *count);
/** Those that fit moments from first to last, in days; timed: with times of day. */
typedef enum { KN_DAYS_ONLY, KN_DAYS_AND_TIMES } kn_times;
size_t kn_units_fit(int64_t days, kn_times times, kn_unit *units);

int64_t kn_unit_number(kn_moment moment, kn_unit unit);
/** The label of the group that a moment is in. format: how the column writes days; KN_DATE_FORMATS: the
 *  day is not shown. */
void kn_unit_label(kn_text *out, kn_moment moment, kn_unit unit, kn_date_format format);

#endif

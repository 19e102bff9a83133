/* SPDX-License-Identifier: Apache-2.0 */
/* portrait_bars.h -- picks the bars of a portrait out of many. */
#ifndef KN_ANONYMIZE_PORTRAIT_BARS_H
#define KN_ANONYMIZE_PORTRAIT_BARS_H

#include "anonymize/portrait.h"

typedef struct kn_bar_source {
    size_t   index;
    uint64_t rows, lost;
    double   axis;
    bool     flagged;
} kn_bar_source;

/** What bars are picked from. */
typedef struct kn_bars_source {
    size_t          count;
    const uint64_t *rows, *lost; /* [count]; lost may be NULL */
    const double   *axis;        /* [count] where they stand on the axis; NULL: nowhere */
    size_t          most;        /* filled in */
    bool            by_axis;     /* shown in the order of the axis */
    bool by_share; /* those that lost the largest share come first, flagged ones above all */
    kn_str (*label)(const void *user, size_t index);
    const void *user;
} kn_bars_source;

/** The KN_PORTRAIT_BARS with the most rows; values of fewer than k rows are only counted. */
kanon_status kn_bars_pick(kn_portrayed *s, kn_bars_source *source, kn_bars *out);

#endif

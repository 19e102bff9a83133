/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h -- numbers far from all others in columns that are copied as they are. Fed row by row during the
 * second pass, since only then it is known which rows are released; a few kilobytes for each column. */
#ifndef KN_WATCH_H
#define KN_WATCH_H

#include "base/base.h"

enum { KN_WATCH_COLUMNS = 256, KN_WATCH_FAR = 16 };

typedef struct kn_release_watch kn_release_watch;

/** What was seen of one column. */
typedef struct kn_watched {
    size_t   position;          /* in the table */
    bool     numbers;           /* nearly all cells are numbers */
    uint32_t far_high, far_low; /* rows far above and below all others, KN_WATCH_FAR at most */
} kn_watched;

/** Watches columns by their position; no more than KN_WATCH_COLUMNS of them. */
kanon_status kn_release_watch_new(kanon_ctx *ctx, const size_t *positions, size_t count,
                                  kn_release_watch **out);
void         kn_release_watch_free(kn_release_watch *watch);
/** All cells of a released row. */
void       kn_release_watch_row(kn_release_watch *watch, const kn_str *cells);
size_t     kn_release_watch_count(const kn_release_watch *watch);
kn_watched kn_release_watch_at(const kn_release_watch *watch, size_t index);

/** Where a number is far out: beyond 10 times the middle half's width from it, or of the middle nine tenths
 *  when half of all are the same. sorted[count]. @return false: there is no such place */
bool kn_release_watch_fences(const double *sorted, size_t count, double *low, double *high);

#endif

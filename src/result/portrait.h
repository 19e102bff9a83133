/* SPDX-License-Identifier: Apache-2.0 */
/* portrait.h -- the columns of a table before and after, as a report draws them: a few bars each, however
 * many values there are. No value that fewer than k rows hold is named in it, and no count of such a value
 * stands in it: they are pooled. Everything lives in the arena of the result. */
#ifndef KN_RESULT_PORTRAIT_H
#define KN_RESULT_PORTRAIT_H

#include "base/text.h"

/* Bars of values; of groups along an axis, where a gap would puzzle, up to twice as many. */
enum { KN_PORTRAIT_BARS = 12, KN_PORTRAIT_AXIS = 24, KN_PORTRAIT_BINS = 48, KN_EXPOSURES = 6 };

/** Rows that share a value, a released value, or a group. */
typedef struct kn_bar {
    const char *label;
    uint64_t    rows; /* see the list that it stands in */
    uint64_t    lost; /* suppressed rows */
    bool        flagged;
} kn_bar;

/** The most frequent bars, and what the others are together. */
typedef struct kn_bars {
    kn_bar  *of;
    size_t   count;
    uint64_t others, other_rows,
        other_lost;           /* values that are not listed because others are more frequent */
    uint64_t rare, rare_rows; /* values that are not named because fewer than k rows hold them */
} kn_bars;

/** Rows within a range of numbers: low <= x < high. */
typedef struct kn_bin {
    double   low, high;
    uint64_t before, lost;
    double   after; /* rows of the release, each spread evenly over the range that it shows */
    bool     rare;  /* held by fewer than k rows, which are not shown */
} kn_bin;

typedef enum {
    KN_SCALE_NONE,   /* nothing was learned of the column */
    KN_SCALE_VALUES, /* categories: bars */
    KN_SCALE_NUMBER, /* bins of numbers */
    KN_SCALE_MONTH   /* bins of dates: months since the year 0 */
} kn_scale_kind;

typedef struct kn_portrait {
    kn_scale_kind kind;
    kn_bin       *bins; /* the first and the last may stand for everything below and above */
    size_t        nbins;
    bool          open_low, open_high;
    uint64_t      missing_before; /* rows without a value; 0 where fewer than k */
    double        missing_after;  /* released rows whose value says nothing about the range */
    kn_bars       before;         /* original values, the most frequent ones: rows of the table */
    kn_bars       after;          /* released values: rows of the release */
    kn_bars       who;      /* groups, rows of the table, and how many of them were suppressed */
    const char   *who_note; /* what kind of groups these are */
    /* Bins made from the released rows alone, since the ends of the others tell of suppressed ones; NULL:
     * there are no bins, or the column is listed outside. */
    struct kn_portrait *outside;
} kn_portrait;

/** The low end of a bin as people write it: "18,000", "1950", "1950-03". */
void kn_portrait_edge(kn_text *text, const kn_portrait *portrait, double edge);
/** "under 20", "20 to under 30", "90 and more". */
void kn_portrait_bin(kn_text *text, const kn_portrait *portrait, size_t bin);

/** Share of rows in classes smaller than a size. */
typedef struct kn_exposure {
    uint64_t below;
    double   before, after;
} kn_exposure;

#endif

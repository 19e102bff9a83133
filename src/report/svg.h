/* SPDX-License-Identifier: Apache-2.0 */
/* svg.h -- small plots as inline SVG, drawn when the report is written: no library, no script. Colours come
 * from classes of the page's style sheet, so that light, dark and print need no other picture. */
#ifndef KN_SVG_H
#define KN_SVG_H

#include "base/fill.h"

/** Writes a text for the index-th bar; it must be escaped already. */
typedef void (*kn_svg_label)(kn_text *text, const void *user, size_t index);

typedef enum { KN_SVG_UNDER, KN_SVG_EDGES } kn_svg_labels; /* under each bar, or where it begins */

/** Upright bars. */
typedef struct kn_svg_columns {
    const char   *title; /* what it shows, for those who do not see it; escaped already */
    const char   *style; /* class of the bars */
    size_t        count;
    const double *values;
    double        most; /* value of the full height */
    kn_svg_labels labels;
    kn_svg_label  label;                          /* on the axis */
    kn_svg_label  tip;                            /* tooltip of a bar */
    kn_svg_label  scale;                          /* what the full height means; NULL: not told */
    bool (*pale)(const void *user, size_t index); /* bars that are unlike the others; NULL: none */
    const void *user;
} kn_svg_columns;

void kn_svg_columns_put(kn_text *text, const kn_svg_columns *chart);

/** A bar within a row of a table: share of the width; a thin line at `mark`, unless that is NAN. */
void kn_svg_bar(kn_text *text, const char *style, double share, double mark);

/** The same as a piece of KN_FILL(). */
void kn_svg_put_bar(kn_text *text, const kn_piece *piece);
static inline kn_piece
kn_svg_as_bar(const char *style, double share, double mark)
{
    return (kn_piece){ .put = kn_svg_put_bar, .words = style, .number = share, .second = mark };
}

/** What a label of a curve stands at. */
enum { KN_SVG_LAST, KN_SVG_FIRST, KN_SVG_FLOOR };

/** A line that only falls: x grows from 0 at the left. */
typedef struct kn_svg_curve {
    const char   *title;
    size_t        count;
    const double *x, *y;
    double        floor;   /* a line that y cannot go below; NAN: none */
    kn_svg_label  x_label; /* index 0: at the left, 1: at the right */
    kn_svg_label  y_label; /* index: KN_SVG_LAST, KN_SVG_FIRST, KN_SVG_FLOOR */
    const void   *user;
} kn_svg_curve;

void kn_svg_curve_put(kn_text *text, const kn_svg_curve *curve);

/** The levels of each quasi-identifier as a ladder of dots: the one that was taken, and those ruled out. */
typedef struct kn_svg_ladder {
    unsigned level, height, floor;
} kn_svg_ladder;

void kn_svg_ladder_put(kn_text *text, const kn_svg_ladder *ladder);

#endif

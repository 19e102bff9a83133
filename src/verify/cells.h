/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h -- how much a released cell may show, by its text alone: no more than a year, an age of at most 89,
 * the first three digits of a ZIP code of a large area. Shares nothing with the hierarchies that make such
 * cells, and is strict: what it cannot read it does not allow. */
#ifndef KN_VERIFY_CELLS_H
#define KN_VERIFY_CELLS_H

#include "base/base.h"

/** What a cell may show at most. `*` is always allowed; missing values are the caller's. */
typedef enum {
    KN_CELL_ANY,
    KN_CELL_NOTHING,
    KN_CELL_YEAR,  /* years, ranges and sets of years */
    KN_CELL_BIRTH, /* the same, and no year in which somebody was born who may be over 89 now */
    KN_CELL_AGE,   /* ages up to 89; all above are one group that begins at 90 or below */
    KN_CELL_ZIP3,  /* at most three digits of a ZIP code, of areas with more than 20,000 people */
    KN_CELL_STATE  /* states of the United States and larger areas */
} kn_cell_rule;

/** @param year  the current one, for KN_CELL_BIRTH */
bool kn_cell_allowed(kn_cell_rule rule, kn_str cell, int year);

/** A column of a release that has a rule. */
typedef struct kn_ruled {
    size_t       place; /* of the column in the release */
    kn_cell_rule rule;
    int          year;
} kn_ruled;

/** The index-th three-digit prefix that KN_CELL_ZIP3 does not allow; NULL past the last. */
const char *kn_zip3_restricted(size_t index);

#endif

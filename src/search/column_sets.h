/* SPDX-License-Identifier: Apache-2.0 */
/* column_sets.h -- which quasi-identifiers could be kept together, and how much of them: for a table that has
 * more of them than its rows can hide. */
#ifndef KN_SEARCH_COLUMN_SETS_H
#define KN_SEARCH_COLUMN_SETS_H

#include "search/search.h"

enum { KN_COLUMN_SETS_MOST = 6 };

/** Quasi-identifiers that are kept, all others being `*` or left out, and the best release of them found. */
typedef struct kn_column_set {
    uint8_t  levels[KN_QUASI_MOST]; /* the top: the column is not kept */
    size_t   ncolumns;              /* that are kept */
    double   kept;                  /* share of the information in its own columns (1 - glm) */
    double   kept_of_all;           /* ... in all quasi-identifiers */
    uint64_t suppressed;            /* rows */
    double   detail[KN_QUASI_MOST]; /* share of the information in a column that its level keeps */
} kn_column_set;

typedef struct kn_column_sets {
    kn_column_set sets[KN_COLUMN_SETS_MOST]; /* the one that keeps most of all columns first */
    size_t        count;
    uint64_t      evaluations;
    bool          complete; /* false: the budget or the time ended first */
} kn_column_sets;

/** Looks for sets of columns that keep much information, and that differ: each brings a column that those
 *  before it lack, or keeps its columns in clearly more detail. Every set has a release that satisfies the
 *  problem's requirement. The problem's metric and parameters are not looked at: information is 1 - glm.
 *  @param known  levels of a release whose columns are a set to begin with; NULL: there is none
 *  @param most_evaluations  nodes that may be checked; the answer depends on it, not on time or threads
 *  @param[out] out  no set: nothing worth keeping was found */
kanon_status kn_column_sets_find(const kn_search_problem *problem, const uint8_t *known,
                                 uint64_t most_evaluations, kn_column_sets *out);

#endif

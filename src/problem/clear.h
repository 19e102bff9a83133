/* SPDX-License-Identifier: Apache-2.0 */
/* clear.h -- identifiers that are still in clear in a table to be shared: for each column that the config
 * calls an identifier, the rows with anything other than `*` or a missing value. */
#ifndef KN_PROBLEM_CLEAR_H
#define KN_PROBLEM_CLEAR_H

#include "base/arena.h"
#include "config/config.h"

typedef struct kn_clear_column {
    const char *name;
    size_t      place; /* in the table */
    uint64_t    rows;  /* that hold it in clear */
} kn_clear_column;

typedef struct kn_clear {
    kn_clear_column *columns; /* in the arena, as the texts; in the order of the table */
    size_t           count;
} kn_clear;

/** The identifiers that a table has; no row is counted yet. */
kanon_status kn_clear_find(kn_arena *arena, const kanon_config *config, const kn_rows *rows,
                           kn_clear *out);
/** Counts a row of that table, which stands for `weight` rows. */
void kn_clear_count(kn_clear *identifiers, const kanon_config *config, const kn_str *cells,
                    uint64_t weight);

#endif

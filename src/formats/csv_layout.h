/* SPDX-License-Identifier: Apache-2.0 */
/* csv_layout.h -- what stands around a table in its file: titles above the header, totals and notes below the
 * last row. */
#ifndef KN_CSV_LAYOUT_H
#define KN_CSV_LAYOUT_H

#include "formats/csv_header.h"

typedef struct kn_layout {
    uint64_t titles; /* lines above the header */
    bool usual; /* rows that look like totals or notes stand among the others, so they are rows */
} kn_layout;

/** @param file from its first line on */
kn_layout kn_layout_find(const kn_rest *file);

/** What one record looks like. */
typedef enum { KN_LOOKS_LIKE_ROW, KN_LOOKS_UNCLEAR, KN_LOOKS_LIKE_FOOTER } kn_looks;
/** @param record one, without its line end
 *  @param fields that a row has */
kn_looks kn_layout_looks(kn_str record, char delimiter, char quote, size_t fields);

/** Does the first line of a file have each of these names? */
bool kn_layout_names(const kn_rest *file, const kn_str *names, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.h -- a table seen through functions of single cells. Whatever reads it sees what the functions make
 * of the cells; names, lines, bytes and the hash are those of the table behind it. */
#ifndef KN_TABLE_MAPPED_H
#define KN_TABLE_MAPPED_H

#include "base/text.h"
#include "table/rows.h"

typedef struct kn_cell_map kn_cell_map;

/** Replaces a cell, perhaps by a text in `room`, which was emptied and is valid until the next row. rows: for
 *  messages. The same cell must become the same in every pass. */
typedef kanon_status kn_cell_fn(const kn_cell_map *map, const kn_rows *rows, kn_str *cell,
                                kn_text *room);

struct kn_cell_map {
    const char *column; /* by name; a table that does not have it is not changed */
    kn_cell_fn *map;
    const void *what, *config; /* the function's own, borrowed */
};

/** @param[out] out  for kn_mapped_free(); the table itself where there are no functions. maps are copied,
 *  what they point to is borrowed, and so is the table */
kanon_status kn_mapped_new(kanon_ctx *ctx, kn_rows_source *of, const kn_cell_map *maps,
                           size_t count, kn_rows_source **out);
/** of: what it was made of */
void kn_mapped_free(kanon_ctx *ctx, kn_rows_source *source, const kn_rows_source *of);

#endif

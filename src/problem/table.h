/* SPDX-License-Identifier: Apache-2.0 */
/* table.h -- the public table: the rows of a format, and who releases them. */
#ifndef KN_PROBLEM_TABLE_H
#define KN_PROBLEM_TABLE_H

#include "kanon/table.h"
#include "table/rows.h"

struct kanon_table {
    kanon_ctx      *ctx;
    kn_rows_source *rows;
    void (*release)(kanon_ctx *ctx, kn_rows_source *rows);
};

/** Takes the rows over, also on failure. release may be NULL. */
kanon_status kn_public_table_new(kanon_ctx *ctx, kn_rows_source *rows,
                                 void (*release)(kanon_ctx *ctx, kn_rows_source *rows),
                                 kanon_table **out);

#endif

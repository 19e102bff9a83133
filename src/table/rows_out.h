/* SPDX-License-Identifier: Apache-2.0 */
/* rows_out.h -- the mirror image of rows.h: released rows leave through it, in any format. A row is first
 * made into a *record*, a string of bytes that only its format understands, so that records can be shuffled
 * outside memory; then the records are written in their final order, read back as rows for the verifier, and
 * published. Nothing is visible before commit. */
#ifndef KN_TABLE_ROWS_OUT_H
#define KN_TABLE_ROWS_OUT_H

#include "base/text.h"
#include "table/rows.h"

/** What happens to the cells of a table column. */
typedef enum {
    KN_CELL_COPY,
    KN_CELL_CODE, /* as the rows have it, which is not how the table stores it */
    KN_CELL_STAR,
    KN_CELL_LEAVE_OUT,
    KN_CELL_GENERALIZE
} kn_cell_fate;

/** Does the release show the cells of the rows as they are? */
static inline bool
kn_cell_shown(kn_cell_fate fate)
{
    return fate == KN_CELL_COPY || fate == KN_CELL_CODE;
}

/** A column of the release. */
typedef struct kn_rows_out_column {
    kn_str       name;
    size_t       position; /* in the original table */
    kn_cell_fate fate;     /* never LEAVE_OUT */
    size_t       label;    /* GENERALIZE: which of a row's labels it shows */
} kn_rows_out_column;

/** A row on its way out. */
typedef struct kn_rows_out_row {
    uint64_t      number; /* of the original row, from 0 */
    const kn_str *cells;  /* of the original row, by position */
    const kn_str *labels; /* as `label` formatted them */
} kn_rows_out_row;

typedef struct kn_rows_out kn_rows_out;

typedef struct kn_rows_out_class {
    /** Once, before anything else. `like`: how the original is written. The columns outlive the release. */
    kanon_status (*begin)(kn_rows_out *out, const kn_dialect *like,
                          const kn_rows_out_column *columns, size_t count);
    /** Appends a released value in the form in which rows show it, so that each is formatted once. Different
     *  values get different forms: the order of the rows follows from them. */
    void (*label)(const kn_rows_out *out, kn_str value, kn_text *to);
    /** Makes a record of a row; what was in it before is replaced. */
    kanon_status (*row)(kn_rows_out *out, const kn_rows_out_row *row, kn_text *record);
    /** Appends a finished record to the release. */
    kanon_status (*write)(kn_rows_out *out, const void *record, size_t bytes);
    /** After the last record: *back reads the release from its beginning, until commit or abandon. */
    kanon_status (*read_back)(kn_rows_out *out, kn_rows_source **back);
    kanon_status (*commit)(kn_rows_out *out);
    /** Discards everything since begin; also safe before begin, after commit, and twice. */
    void (*abandon)(kn_rows_out *out);
} kn_rows_out_class;

/** First member of every format's own writer. */
struct kn_rows_out {
    const kn_rows_out_class *class;
    kanon_ctx  *ctx;
    const char *name; /* of the target, for messages and the report */
};

#endif

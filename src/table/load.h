/* SPDX-License-Identifier: Apache-2.0 */
/* load.h -- the one loop that reads tables: it turns cells into codes and rows into distinct tuples with
 * counts, and handles progress and cancelling. Every job that looks at all rows says which columns it
 * wants coded and what else it needs of a row. Only the second pass, the independent verifier and the
 * readers of hierarchies read rows without it. */
#ifndef KN_TABLE_LOAD_H
#define KN_TABLE_LOAD_H

#include "table/dict.h"
#include "table/rows.h"
#include "table/tuples.h"

typedef enum {
    KN_MISSING_ONE,  /* all spellings of a missing value are one value */
    KN_MISSING_APART /* each spelling is a value of its own, and so is a null */
} kn_missing_kind;

typedef struct kn_load_column {
    size_t          position; /* in the table; SIZE_MAX: it is not there, every row reads `*` */
    kn_missing_kind kind;
    kn_dict        *dict; /* borrowed; new values join it */
    uint32_t  missing;    /* ONE: code of the missing value, or KN_NO_CODE: there was none so far */
    uint64_t *spelled;    /* ONE: [nmissing] rows per token; NULL: nobody asks */
} kn_load_column;

typedef struct kn_loader {
    const char     *stage;   /* what the progress calls it */
    const kn_str   *missing; /* tokens */
    size_t          nmissing;
    kn_load_column *columns;
    size_t          ncolumns;
    kn_tuples      *tuples; /* sealed in the end; NULL: rows are seen, not kept */
    size_t count; /* column that says for how many rows each stands; SIZE_MAX: for itself */
    /** Sees every row; NULL: nobody wants to. */
    kanon_status (*see)(void *user, const kn_str *cells, uint64_t weight);
    void    *user;
    uint64_t rows;    /* out: that the table stands for */
    uint64_t records; /* out: that it has */
} kn_loader;

/** Reads a table to its end. Rows with a count of 0 stand for nothing and are passed over. */
kanon_status kn_load(kn_loader *loader, kn_rows *rows);

/** Is a cell a null or one of the missing tokens? */
bool kn_is_missing(const kn_str *tokens, size_t ntokens, kn_str cell);

/** Is a value of a KN_MISSING_APART column the one that stands for nulls? */
bool kn_load_is_null(kn_str value);

/** For how many rows a row stands. Fails at its place where the cell is no whole number. */
kanon_status kn_row_weight(const kn_rows *rows, const kn_str *cells, size_t count, uint64_t *out);

/** More rows than this are refused, whatever they stand for: beyond it doubles cannot count them. */
#define KN_ROWS_MOST (UINT64_C(1) << 53)

#endif

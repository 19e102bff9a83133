/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h -- CSV tables: a streaming reader in bounded memory, and what a writer needs to use the same
 * dialect. */
#ifndef KN_CSV_H
#define KN_CSV_H

#include "kanon/io.h"
#include "table/rows_out.h"

typedef enum { KN_HEADER_AUTO, KN_HEADER_YES, KN_HEADER_NO } kn_header;

/** What the user asked for; zero means: find out. */
typedef struct kn_csv_options {
    char          delimiter; /* 0: sniffed among , ; tab | */
    char          quote;     /* 0: '"' */
    kn_header     header;
    kn_encoding   encoding;
    uint64_t      skip;     /* lines above the header, which are no part of the table */
    bool          has_skip; /* otherwise titles above the header are noticed and refused */
    uint64_t      footer;   /* lines below the last row, empty ones aside */
    bool          has_footer;
    uint64_t      end_line; /* where the footer begins, once that is known; 0: it is not */
    bool          propose;  /* leave out titles and footers that are noticed, and rename columns */
    kn_duplicates duplicates;
    /** Column names that the job refers to (may be NULL): when the first record holds all of them, it is
     *  a header whatever it looks like. */
    const kn_str *expected;
    size_t        nexpected;
    /** A file without any line is a table of so many columns and no row; 0: it is refused. */
    size_t empty_columns;
    bool   guarded; /* a release in which formulas have an apostrophe: they are read without it */
} kn_csv_options;

/** Opens a pass over a source: gzip is undone, the dialect found, the header read. Names are "column1",
 *  "column2" ... without a header. All-empty last lines are skipped with a warning.
 *  Failures: "FILE:LINE: what, what was expected". The source must outlive the rows. */
kanon_status kn_csv_open(kanon_ctx *ctx, const kanon_source *source, const kn_csv_options *options,
                         kn_rows **out);

/** A table in CSV. */
typedef struct kn_csv_table {
    kn_rows_source      base; /* first: a source is cast to this */
    const kanon_source *bytes;
    kn_csv_options      options;
    bool                delimiter_given;
} kn_csv_table;

/** The options as given for the first pass; then the dialect that it found. source and what the options point
 *  to outlive the table. */
void kn_csv_table_init(kn_csv_table *table, const kanon_source *source,
                       const kn_csv_options *options);

/** Before a release of a table is read: it has a header if the table has one, whatever names are expected.
 *  Changes nothing for releases in other formats. */
void kn_csv_table_like(kn_rows_source *release, const kn_rows *original);
/** The next pass finds the delimiter out, if one was given. @return false: there is nothing to find out */
bool kn_csv_table_sniff(kn_rows_source *table);

/** A release in CSV. */
typedef struct kn_csv_out {
    kn_rows_out               base; /* first: a writer is cast to this */
    kanon_sink               *sink;
    bool                      guard; /* put an apostrophe before formulas; set before it begins */
    kn_dialect                dialect;
    const kn_rows_out_column *columns;
    size_t                    ncolumns;
    kn_text                   star; /* as a field */
    kanon_source              back;
    kn_csv_table              back_table;
} kn_csv_out;

void kn_csv_out_init(kn_csv_out *out, kanon_ctx *ctx, kanon_sink *sink);
void kn_csv_out_fini(kn_csv_out *out);

/* --- writing: put_start once, then for every record put_field for each cell and put_end ----------- */

/** Appends what comes before the first record: a byte order mark, if the dialect has one. */
void kn_csv_put_start(kn_text *text, const kn_dialect *dialect);
/** Appends one field and a delimiter, which put_end takes away again after the last one. Quoted only
 *  when it must be (or always, with quote_all). The bytes stay UTF-8; kn_csv_encode turns a finished
 *  piece into the dialect's encoding. */
void kn_csv_put_field(kn_text *text, const kn_dialect *dialect, kn_str field);
/** Ends a record. One whose fields are all empty gets its first field quoted (""), so that a reader
 *  does not take it for a blank or all-empty last line; for that the whole record must be in text. */
void kn_csv_put_end(kn_text *text, const kn_dialect *dialect);
/** UTF-8 to Latin-1 or Windows-1252 in place when the dialect asks for it. @return false if a character has
 *  no place there */
bool kn_csv_encode(kn_text *text, const kn_dialect *dialect);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h -- the interface that every table comes through: names, then row after row of texts. A format
 * (src/formats/) implements one kn_rows_class; no other code knows the format of a table.
 *
 * A *source* is a table that can be read from its beginning more than once; *rows* are one pass over it.
 * Both are used by one thread at a time, with one context. */
#ifndef KN_TABLE_ROWS_H
#define KN_TABLE_ROWS_H

#include "io/hash.h"
#include "table/names.h"

typedef enum {
    KN_ENCODING_AUTO, /* to be found out */
    KN_ENCODING_UTF8,
    KN_ENCODING_UTF16,
    KN_ENCODING_WINDOWS1252,
    KN_ENCODING_LATIN1
} kn_encoding;

/** What becomes of columns with one and the same name. */
typedef enum { KN_DUPLICATES_REFUSE, KN_DUPLICATES_RENAME } kn_duplicates;

/** How a table is written as text, as found; a release as text is written the same way. */
typedef struct kn_dialect {
    char        delimiter;
    char        quote;
    bool        header;
    bool        crlf;
    bool        bom;
    bool        quote_all; /* every field of the first record was quoted */
    kn_encoding encoding;
    bool        encoding_guessed; /* nobody named it, and no byte-order mark says so */
    bool        header_doubtful;  /* the first record was taken as names without evidence */
    uint64_t    skip;             /* lines above the header that are no part of the table */
    uint64_t    footer;  /* lines below the last row that are none either, empty ones aside */
    bool        renamed; /* columns had the same name */
    bool        guard;   /* a release: cells that a spreadsheet would run have an apostrophe */
} kn_dialect;

/** That of a table which is not text. */
#define KN_DIALECT_USUAL                                                                           \
    ((kn_dialect){ .delimiter = ',', .quote = '"', .header = true, .encoding = KN_ENCODING_UTF8 })

struct kn_learned;
typedef struct kn_rows        kn_rows;
typedef struct kn_rows_source kn_rows_source;

typedef struct kn_rows_class {
    /** Starts a pass at the first row. It sees the table as the first pass saw it: what had to be guessed
     *  is guessed once. The source must outlive the pass. */
    kanon_status (*open)(kn_rows_source *source, kanon_ctx *ctx, kn_rows **out);
    /** See kn_rows_next. */
    kanon_status (*next)(kn_rows *rows, const kn_str **cells);
    /** Line of the row last returned, from 1; 0: rows have numbers, but no lines. */
    uint64_t (*line)(const kn_rows *rows);
    /** Bytes read so far: stored ones or, where nothing is stored as bytes, about what the texts take. */
    uint64_t (*bytes)(const kn_rows *rows);
    /** How much of the table was read, 0 to 1; below 0: not known. */
    double (*fraction)(const kn_rows *rows);
    /** After the last row: a hash of the whole table, still open, from which its digest follows. A
     *  table of bytes hashes those as they are stored, any other one goes through kn_table_digest (digest.h).
     *  NULL before the end. */
    const kn_hash *(*hash)(const kn_rows *rows);
    void (*close)(kn_rows *rows);
} kn_rows_class;

/** First member of every format's own source. */
struct kn_rows_source {
    const kn_rows_class *class;
    const char        *name;  /* for messages and reports */
    bool               keeps; /* what a job learns of it is kept for the next */
    struct kn_learned *kept;  /* encode/learn.h; NULL: nothing yet */
};

/** First member of every format's own pass. */
struct kn_rows {
    const kn_rows_class *class;
    kanon_ctx  *ctx;
    const char *name; /* of the source */
    kn_names    names;
    kn_dialect  dialect;
    uint64_t    number; /* of the row last returned, from 1 */
};

/** @param[out] out  the caller's, who ends the pass with kn_rows_close() */
static inline kanon_status
kn_rows_open(kn_rows_source *source, kanon_ctx *ctx, kn_rows **out)
{
    return source->class->open(source, ctx, out);
}

/** The next row. *cells (kn_rows_columns of them, UTF-8) stays valid until the next call; NULL at the end. A
 *  cell whose ptr is NULL is a null: a missing value, whatever the missing tokens are. */
static inline kanon_status
kn_rows_next(kn_rows *rows, const kn_str **cells)
{
    rows->number++;
    return rows->class->next(rows, cells);
}

void kn_rows_close(kn_rows *rows);

static inline size_t
kn_rows_columns(const kn_rows *rows)
{
    return rows->names.count;
}

/** Column names, UTF-8, unique, borrowed until close. */
static inline const kn_str *
kn_rows_names(const kn_rows *rows)
{
    return rows->names.names;
}

/** Index of a name, or SIZE_MAX. */
static inline size_t
kn_rows_find(const kn_rows *rows, kn_str name)
{
    return kn_names_find(&rows->names, name);
}

static inline const kn_dialect *
kn_rows_dialect(const kn_rows *rows)
{
    return &rows->dialect;
}

static inline uint64_t
kn_rows_line(const kn_rows *rows)
{
    return rows->class->line(rows);
}

static inline uint64_t
kn_rows_bytes(const kn_rows *rows)
{
    return rows->class->bytes(rows);
}

/** BLAKE2b-256 of the table: of its bytes where it is stored (`b2sum -l 256`). Only after the end. */
void kn_rows_digest(const kn_rows *rows, uint8_t digest[KN_HASH_BYTES]);

/** Fails at the row last returned: "FILE:LINE: what", or "NAME: row N: what" where there are no lines. */
kanon_status kn_rows_fail(const kn_rows *rows, kanon_status status, const char *format, ...)
    KN_PRINTF(3, 4);

#endif

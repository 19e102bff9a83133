/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h -- tables as text: a streaming reader in bounded memory, and what a writer must know to
 * answer in the same dialect. */
#ifndef KN_CSV_H
#define KN_CSV_H

#include "base/base.h"
#include "kanon/io.h"

typedef enum { KN_HEADER_AUTO, KN_HEADER_YES, KN_HEADER_NO } kn_header;
typedef enum { KN_ENCODING_UTF8, KN_ENCODING_LATIN1 } kn_encoding;

/** What the user asked for; zero means: find out. */
typedef struct kn_csv_options {
    char        delimiter; /* 0: sniffed among , ; tab | */
    char        quote;     /* 0: '"' */
    kn_header   header;
    kn_encoding encoding;
    /** Column names that the job refers to (may be NULL): when the first record holds all of them, it is
     *  a header whatever it looks like. */
    const kn_str *expected;
    size_t        nexpected;
} kn_csv_options;

/** How the file is written, as found; the release is written the same way. */
typedef struct kn_dialect {
    char        delimiter;
    char        quote;
    bool        header;
    bool        crlf;
    bool        bom;
    bool        quote_all; /* every field of the first record was quoted */
    kn_encoding encoding;
    bool        header_doubtful; /* the first record was taken as names without evidence */
} kn_dialect;

enum { KN_HASH_BYTES = 32 };

typedef struct kn_csv kn_csv;

/** Opens a pass over a source: gzip is undone, the dialect found, the header read.
 *  Failures: "FILE:LINE: what, what was expected". The source must outlive the reader. */
kanon_status kn_csv_open(kanon_ctx *ctx, const kanon_source *source, const kn_csv_options *options,
                         kn_csv **out);
void         kn_csv_close(kn_csv *csv);

const kn_dialect *kn_csv_dialect(const kn_csv *csv);
size_t            kn_csv_columns(const kn_csv *csv);
/** Column names, UTF-8, unique, borrowed until close; "column1", "column2" ... without a header. */
const kn_str *kn_csv_names(const kn_csv *csv);
/** Index of a name, or SIZE_MAX. */
size_t kn_csv_find(const kn_csv *csv, kn_str name);

/** The next record. *cells (kn_csv_columns of them, UTF-8, unquoted) stays valid until the next call;
 *  NULL at the end. All-empty last lines are skipped with a warning. */
kanon_status kn_csv_next(kn_csv *csv, const kn_str **cells);

/** Line of the record last returned, 1-based. */
uint64_t kn_csv_line(const kn_csv *csv);
/** Bytes of the source read so far (compressed ones, where it is), for progress. */
uint64_t kn_csv_bytes(const kn_csv *csv);
/** BLAKE2b-256 of the source's bytes as they are stored (`b2sum -l 256`); only after the end. */
void kn_csv_hash(const kn_csv *csv, uint8_t hash[KN_HASH_BYTES]);
/** A key that follows from the source but not from its published hash: BLAKE2b-256 of the source's bytes,
 *  then the purpose with its NUL, then the number as 8 bytes, lowest first; only after the end. */
void kn_csv_secret(const kn_csv *csv, const char *purpose, uint64_t number,
                   uint8_t key[KN_HASH_BYTES]);

/* --- writing: put_start once, then for every record put_field for each cell and put_end ----------- */

struct kn_text;
/** Appends what comes before the first record: a byte order mark, if the dialect has one. */
void kn_csv_put_start(struct kn_text *text, const kn_dialect *dialect);
/** Appends one field and a delimiter, which put_end takes away again after the last one. Quoted only
 *  when it must be (or always, with quote_all). The bytes stay UTF-8; kn_csv_encode turns a finished
 *  piece into the dialect's encoding. */
void kn_csv_put_field(struct kn_text *text, const kn_dialect *dialect, kn_str field);
/** Ends a record. One whose fields are all empty gets its first field quoted (""), so that a reader
 *  does not take it for a blank or all-empty last line; for that the whole record must be in text. */
void kn_csv_put_end(struct kn_text *text, const kn_dialect *dialect);
/** UTF-8 to Latin-1 in place when the dialect asks for it. @return false if a character has no place
 *  there */
bool kn_csv_encode(struct kn_text *text, const kn_dialect *dialect);

#endif

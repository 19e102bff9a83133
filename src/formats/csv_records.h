/* SPDX-License-Identifier: Apache-2.0 */
/* csv_records.h -- the records of CSV text, one after the other, in memory for the longest of them. */
#ifndef KN_CSV_RECORDS_H
#define KN_CSV_RECORDS_H

#include "formats/csv_scan.h"
#include "formats/csv_tune.h"
#include "formats/encoding.h"

enum { KN_COLUMNS_MOST = 65535 };

typedef struct kn_records {
    kanon_ctx  *ctx;
    const char *name; /* of the source */
    kn_input   *input;
    kn_scan_fn  scan;
    kn_decoder  decoder;
    char        delimiter;
    char        quote;
    size_t      step;
    size_t      record_most;
    /* the text: records start..visible are being parsed, visible..len are not shown yet */
    char  *text;
    size_t capacity;
    size_t start;
    size_t visible;
    size_t len;
    bool   input_ended;
    /* where the bytes that matter are, in start..scanned */
    kn_scan_hits hits;
    size_t       hit; /* the next one */
    size_t       scanned;
    size_t       odd_end; /* end of the last window with a NUL or a byte past ASCII */
    /* the record found last */
    kn_str  *cells;
    size_t   cells_capacity;
    bool     columns_known; /* further fields are counted, not kept */
    size_t   fields;
    size_t   quoted;    /* how many of them were quoted */
    size_t   length;    /* in bytes, without its line end */
    bool     crlf;      /* that line end */
    uint64_t line;      /* where it starts */
    uint64_t next_line; /* where the next one starts */
    /* the last one that is not empty, while it is in memory */
    size_t   last;
    size_t   last_length; /* 0: it is not, or its quotes were undone */
    uint64_t last_line;
} kn_records;

/** delimiter and quote are set by the caller before the first kn_records_next. The input becomes the
 *  records' own, also on failure. */
kanon_status kn_records_init(kanon_ctx *ctx, kn_records *records, kn_input *input,
                             const kn_csv_tuning *tuning);
void         kn_records_fini(kn_records *records);
/** Reads the first bytes as they are stored, so that the caller can look at text[0..len). */
kanon_status kn_records_fill(kn_records *records);
/** Makes UTF-8 of them, without a byte-order mark, and of all that follow. Then the caller can look at
 *  text[start..len) before parsing begins. */
kanon_status kn_records_decode(kn_records *records, const kn_encoding_found *found);
/** Leaves out the next bytes, which hold so many line ends, before anything is parsed. */
void kn_records_skip(kn_records *records, size_t count, uint64_t lines);
/** Leaves out lines, whatever is in them, until one has this number. @return KANON_E_PARSE if none has */
kanon_status kn_records_skip_to(kn_records *records, uint64_t line);
/** Parses the next record; *found is false at the end. */
kanon_status kn_records_next(kn_records *records, bool *found);
/** The record found last has only empty fields, none of them quoted. */
static inline bool
kn_records_all_empty(const kn_records *records)
{
    return records->length + 1 == records->fields;
}

#endif

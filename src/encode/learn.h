/* SPDX-License-Identifier: Apache-2.0 */
/* learn.h -- the first pass: what a job keeps of a table. Dictionaries, distinct tuples with counts, the
 * dialect and the hash, but never the rows themselves. */
#ifndef KN_LEARN_H
#define KN_LEARN_H

#include "encode/sample.h"
#include "encode/sketch.h"
#include "encode/value.h"
#include "table/load.h"
#include "table/table.h"

/** One column that is learned. */
typedef struct kn_learned_column {
    size_t    position; /* in the table */
    kn_dict  *dict;
    uint32_t  missing; /* code of the missing value, or KN_NO_CODE */
    uint64_t *spelled; /* rows per missing token */
    uint64_t *rows;    /* rows per code; quasi-identifiers only */
} kn_learned_column;

typedef struct kn_learned {
    kanon_ctx         *ctx;
    unsigned           others; /* other owners; nobody changes it while there are any */
    kn_dialect         dialect;
    size_t             ncolumns; /* of the table */
    char             **names;    /* [ncolumns] */
    uint64_t           rows;     /* that the table stands for */
    uint64_t           records;  /* that it has: as many, unless there are counts */
    size_t             count;    /* column of the counts; SIZE_MAX: none */
    uint64_t           bytes;
    uint8_t            hash[KN_HASH_BYTES];
    size_t             nquasi, nsensitive;
    kn_learned_column *columns;        /* quasi-identifiers first, then sensitive ones */
    uint64_t           distinct_quasi; /* distinct quasi-identifier tuples */
    kn_table          *table;
    kn_sketch         *sketches; /* [ncolumns - learned ones], in the order of the table */
    size_t            *sketched; /* their positions */
    kn_sample          sample;   /* of their cells, in the same order */
    size_t     *places; /* [ncolumns] which of columns or, behind those, which of sketches it is */
    size_t      nsketched;
    const char *joined;  /* a second table whose values joined the dictionaries, or NULL */
    kn_str     *missing; /* tokens, its own */
    size_t      nmissing;
    double      read_s, encode_s;
} kn_learned;

typedef struct kn_learn_options {
    const kn_str *missing; /* tokens */
    size_t        nmissing;
    /** Which columns to learn, decided when the header is known: fills positions with the quasi-identifiers
     *  first (*nquasi of them) and then the sensitive ones; room for all columns. */
    kanon_status (*choose)(void *user, const kn_rows *rows, size_t *positions, size_t *nquasi,
                           size_t *nsensitive);
    void  *user;
    size_t count; /* column that says for how many rows each stands; SIZE_MAX: for itself */
} kn_learn_options;

/** Reads a table to its end. @param[out] out owned by the caller, release with kn_learned_free() */
kanon_status kn_learn(kanon_ctx *ctx, kn_rows *rows, const kn_learn_options *options,
                      kn_learned **out);
void         kn_learned_free(kn_learned *learned);
/** One holder more: each frees it. */
kn_learned *kn_learned_share(kn_learned *learned);
/** Was it learned with the same columns, tokens and counts as these would be? */
bool kn_learned_fits(const kn_learned *learned, const kn_learn_options *options,
                     const size_t *positions, size_t nquasi, size_t nsensitive);
/** The domain of a learned column; source names the table in messages, rare is for the domain. */
kn_domain kn_learned_domain(const kn_learned *learned, size_t column, const char *source,
                            uint64_t rare);
/** Different values of a table column: exact for a learned one, else estimated within a few percent;
 *  UINT64_MAX for that of the counts. */
uint64_t kn_learned_values(const kn_learned *learned, size_t position);
#endif

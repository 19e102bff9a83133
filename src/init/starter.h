/* SPDX-License-Identifier: Apache-2.0 */
/* starter.h -- between the parts of `kanon init`: what was seen of a column, and what it is taken for. */
#ifndef KN_INIT_STARTER_H
#define KN_INIT_STARTER_H

#include "base/arena.h"
#include "base/text.h"
#include "encode/sketch.h"
#include "init/recognise.h"
#include "table/dict.h"
#include "table/rows.h"

enum { KN_ABSENT_MOST = 32 };

/* Stands where a person has to decide. */
#define KN_STARTER_MARK "DECIDE"

/** The different values of a column, each with its rows. */
typedef struct kn_tallied {
    kn_str   *texts;
    uint64_t *rows;
    size_t    count;
} kn_tallied;

/** The numbers of a column that no code for "no value" is written like, and how often they occur. */
typedef struct kn_number_span {
    double   lo, hi; /* lo > hi: there are none */
    uint64_t values, rows;
} kn_number_span;

/** A value that may stand for "no value". */
typedef struct kn_absent {
    const char *text;
    uint64_t    rows;
    bool        taken; /* by a regular value of another column, so it cannot be declared */
} kn_absent;

enum { KN_COLUMN_ABSENT = 6 };

/** What was seen of one column. */
typedef struct kn_seen {
    kn_evidence is;
    kn_dict    *dict;           /* distinct values without the missing ones */
    uint64_t   *rows;           /* of each value */
    size_t      room, counted;  /* for rows, and those in use */
    kn_sketch  *more;           /* all values, once the dictionary is full */
    bool        full;           /* it is, and is.distinct is an estimate */
    uint64_t    odd;            /* different values that are not of its type */
    bool        whole;          /* numbers: without decimals */
    double      low, high;      /* between which nine in ten rows are; dates: in days since 1970 */
    double      min, max, mean; /* of the different numbers */
    const char *pack;           /* code system that its values follow, or NULL */
    bool        pack_partly;    /* but not all of them */
    kn_absent   absent[KN_COLUMN_ABSENT];
    size_t      nabsent;
} kn_seen;

typedef struct kn_starter {
    kanon_ctx          *ctx;
    const kanon_config *config; /* dialect that was asked for */
    const char         *input, *output;
    uint64_t            rows;
    bool                header;   /* the names come from the first line */
    kn_dialect          dialect;  /* as found */
    bool                doubtful; /* ... but nothing proves that they are names */
    kn_seen            *columns;
    size_t              ncolumns;
    const char         *absent[KN_ABSENT_MOST]; /* texts to propose for `missing` */
    size_t              nabsent;
    const kn_seen      *entity;   /* persons or households that have several rows, or NULL */
    double              latitude; /* mean of a column of latitudes, for the grid of longitudes */
} kn_starter;

/* --- what was seen (inspect.c, sentinels.c) --------------------------------------------------------- */

/** Finds out everything about a column whose dictionary is complete. Absent texts are the arena's. */
kanon_status kn_inspect(kanon_ctx *ctx, const char *source, kn_arena *arena, kn_seen *seen);
/** Does a text of so many rows say that there is no value? */
bool           kn_says_missing(kn_str value, uint64_t rows);
kn_number_span kn_span_of_numbers(const kn_tallied *values);
/** Does a number stand for no value, by its place and its rows? */
bool kn_is_sentinel(const kn_tallied *values, const kn_number_span *span, size_t i);
/** Finds the code system of the candidates that the values follow. */
kanon_status kn_find_pack(kanon_ctx *ctx, const kn_tallied *values, const char *candidates,
                          kn_seen *seen);

/* --- what is written (format.c, format_column.c) ---------------------------------------------------- */

/** Adds a name as YAML, and as the key of a column. */
void kn_starter_name(kn_text *out, kn_str name);
void kn_starter_quoted(kn_text *out, kn_str name);
void kn_starter_key(kn_text *out, kn_str name);
/** 12,345 */
void kn_starter_count(kn_text *out, uint64_t count);
/** One column with its comments. */
void kn_starter_column(const kn_starter *starter, const kn_seen *seen, kn_text *out);

/** Would a job with this proposal stop at values that are not of the column's type? */
bool kn_stops_at_odd(const kn_seen *seen);

/** What a config would say of the column, as one line; its reason begins behind so many characters. */
void kn_starter_line(const kn_evidence *evidence, size_t width, kn_text *out);

/** The whole config file. */
void kn_starter_format(const kn_starter *starter, kn_text *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h -- compares an original with a release of it, made by any tool. Rows are not matched:
 * everything follows from the cells of one column or of a few. The release's cells are understood as sets
 * of the original's values; a reader who knows no better takes all of them as equally likely.
 * docs/COMPARE.md has the definitions. Values and tuples stand in an order that follows from their texts,
 * so that neither the order of rows nor that of the release's columns changes a number. Memory:
 * dictionaries and distinct tuples of both tables. */
#ifndef KN_COMPARE_H
#define KN_COMPARE_H

#include "base/text.h"
#include "result/comparison.h"
#include "table/dict.h"
#include "table/rows.h"
#include "table/table.h"

enum { KN_COMPARE_BINS = 20, KN_COMPARE_FOLDS = 10 };

/** What a released text stands for: count values of the column, as positions in its order. */
typedef struct kn_meaning {
    kn_reading      reading;
    uint32_t        from;      /* the first position, when list is NULL: they are neighbours */
    size_t          count;     /* at least 1 */
    const uint32_t *list;      /* ascending */
    double          low, high; /* numbers: extent within the original's */
    double          middle;    /* of the cell as a number; NaN: it is none, or could be anything */
    double          glm, gcp, bits;
} kn_meaning;

/** A released text falls into a bin with a probability. */
typedef struct kn_spread {
    uint32_t bin;
    double   share;
} kn_spread;

/** How many rows have which values in the columns: distinct rows, in order of their codes. */
typedef struct kn_compare_side {
    uint64_t  rows;
    size_t    ntuples;
    kn_codes *codes; /* [columns] */
    uint64_t *weights;
} kn_compare_side;

/** A text dictionary with an order of its own. */
typedef struct kn_compare_dict {
    kn_dict  *dict;
    uint32_t  missing;  /* code of the missing value, or KN_NO_CODE */
    uint32_t *position; /* [codes] */
} kn_compare_dict;

typedef struct kn_compare_column {
    const char         *name;
    const kn_attribute *attribute; /* NULL: nobody named it */
    kn_role             role;
    size_t              place[2]; /* in the original and in the release; SIZE_MAX: not there */
    kn_compare_dict     dicts[2];

    /* the original: values in the order of numbers, dates or texts, the missing one last */
    kn_type          type;  /* NUMBER, DATE or STRING: how loss is counted */
    kn_type          order; /* what its values are ordered as, and its cells read as */
    size_t           nvalues;
    kn_str          *values;
    uint64_t        *rows;    /* [nvalues] */
    double          *numbers; /* [nvalues] numbers and dates (days); NULL for texts */
    uint32_t         missing; /* position, or KN_NO_CODE */
    size_t           domain;  /* values without the missing one */
    double           min, max;
    kn_mark          mark;
    kn_date_format   date;
    kanon_hierarchy *hierarchy;   /* its leaves are the positions; or NULL */
    uint64_t        *rows_before; /* [nvalues + 1] */
    double          *bits_before; /* [nvalues + 1] of rows * log2(rows) */
    double           all_bits;    /* entropy of the whole column */

    /* the release */
    size_t      ntexts;
    kn_str     *texts;
    uint64_t   *text_rows;
    uint32_t    text_missing; /* the text that means missing, or KN_NO_CODE */
    kn_meaning *meanings;     /* [ntexts] */

    /* bins */
    size_t     nbins;
    uint32_t  *bin_of;       /* [nvalues] */
    size_t    *spread_first; /* [ntexts + 1] */
    kn_spread *spread;
} kn_compare_column;

typedef struct kn_compare {
    kanon_ctx          *ctx;
    const kanon_config *config;
    const kn_str       *missing; /* tokens */
    const char         *source;  /* name of the original, for messages */
    kn_arena            arena;
    kn_compare_column  *columns;
    size_t              ncolumns;
    kn_compare_side     sides[2];
    uint64_t            least;   /* see kanon_comparison */
    uint64_t            queries; /* to ask */
    uint64_t            lost;    /* rows that the release has less */
    size_t              label;   /* column to learn, or SIZE_MAX */
    kn_clear *identifiers;       /* identifiers of the release, to be counted; NULL: nobody asks */
} kn_compare;

/** Array in the comparison's arena, zeroed. NULL after the failure was recorded. */
void *kn_compare_array(kn_compare *compare, size_t count, size_t size);

/** Reads one side (0: original, 1: release) to its end. */
kanon_status kn_compare_read(kn_compare *compare, size_t side, kn_rows *rows);
/** Puts the values of the original into order and makes the hierarchies; then the tuples of both. */
kanon_status kn_compare_order(kn_compare *compare);
/** Finds what the released texts mean. */
kanon_status kn_compare_understand(kn_compare *compare);
/** Divides the values into bins. */
kanon_status kn_compare_bin(kn_compare *compare);
/** Names the bin of a column's positions from first to end - 1 by where it lies: "31 to 34", "before about
 *  1950-03". False: no good name, and nothing written. */
bool kn_compare_bounds(const kn_compare_column *c, size_t first, size_t end, kn_text *out);
void kn_compare_fini(kn_compare *compare);

/** A cell of the column as a number, or as the day of a date. */
bool kn_compare_number(const kn_compare_column *column, kn_str text, double *out);
/** Values of a meaning among positions from .. to - 1. */
size_t kn_meaning_within(const kn_meaning *meaning, uint32_t from, uint32_t to);

/* --- what is measured: each fills its part of out --------------------------------------------- */

kanon_status kn_compare_columns(kn_compare *compare, kanon_comparison *out);
kanon_status kn_compare_pairs(kn_compare *compare, kanon_comparison *out);
kanon_status kn_compare_learning(kn_compare *compare, kanon_comparison *out);
kanon_status kn_compare_queries(kn_compare *compare, kanon_comparison *out);

#endif

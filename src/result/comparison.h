/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h -- the result of `kanon compare` as plain data: src/compare fills it, the report formats
 * it. It holds column names and values that many rows share, and nothing else of the tables. */
#ifndef KN_RESULT_COMPARISON_H
#define KN_RESULT_COMPARISON_H

#include "base/arena.h"
#include "config/config.h"
#include "kanon/compare.h"
#include "problem/clear.h"
#include "result/opening.h"
#include "result/tree.h"

/** How a released cell was understood. The order is the order of reports. */
#define KN_READING_LIST(X)                                                                         \
    X(VALUE, "value", "a value of the original")                                                   \
    X(NUMBER, "number", "a number that is not a value of the original: the nearest one")           \
    X(GROUP, "group", "a group of the hierarchy")                                                  \
    X(INTERVAL, "interval", "an interval")                                                         \
    X(SET, "set", "a set of values")                                                               \
    X(PATTERN, "pattern", "a text with hidden characters")                                         \
    X(MISSING, "missing", "a missing value")                                                       \
    X(ALL, "all", "any value: *, or a missing value if the original has none")                     \
    X(UNKNOWN, "unknown", "not understood: treated as *")

typedef enum {
#define KN_READING_ENUM(name, key, text) KN_READ_##name,
    KN_READING_LIST(KN_READING_ENUM)
#undef KN_READING_ENUM
        KN_READINGS
} kn_reading;

/** Which rows of the original a bin of a column holds. */
typedef enum {
    KN_BIN_VALUE, /* one value, that enough rows have */
    KN_BIN_RANKS, /* numbers or dates between two ranks */
    KN_BIN_OTHER, /* all values that are less frequent than those with a bin */
    KN_BIN_RARE,  /* values that few rows have, together */
    KN_BIN_MISSING
} kn_bin_kind;

typedef struct kn_compared_bin {
    kn_bin_kind kind;
    const char *label; /* VALUE; RANKS: where it lies, in the column's unit, or NULL */
    double from, to;   /* RANKS only: shares of the original's rows below it, and up to its end */
    double before, after; /* shares of rows */
} kn_compared_bin;

typedef struct kn_compared_column {
    const char      *name;
    kn_role          role;
    kn_type          type;
    const char      *hierarchy;                   /* its kind; NULL: there is none */
    bool             dropped;                     /* not in the release: every cell counts as `*` */
    bool             counted;                     /* in the total */
    uint64_t         values_before, values_after; /* different cells */
    uint64_t         cells[KN_READINGS];
    const char      *unknown; /* a cell that was not understood, if enough rows have it; or NULL */
    double           glm, gcp, entropy;
    double           tvd; /* NaN: no rows to compare */
    bool             has_moments;
    double           mean_before, mean_after, sd_before, sd_after;
    kn_compared_bin *bins;
    size_t           nbins;
    size_t           biggest; /* of the bins; nbins: none changed */
} kn_compared_column;

typedef struct kn_compared_pair {
    size_t a, b; /* columns */
    double tvd;
    double v_before, v_after; /* Cramer's V; NaN: a column is constant */
    bool   numeric;
    double pearson_before, pearson_after, spearman_before, spearman_after; /* NaN likewise */
} kn_compared_pair;

typedef struct kn_compared_learning {
    const char *label; /* NULL: no column to learn */
    size_t      classes, features;
    double      cm_before, cm_after;
    double      baseline; /* share of the most frequent label */
    double      accuracy_before, accuracy_after;
    double      balanced_before, balanced_after;
} kn_compared_learning;

enum { KN_QUERY_COLUMNS_MOST = 3 };

/** Relative errors of counts. */
typedef struct kn_compared_errors {
    uint64_t queries;
    double   mean, median, p75, p90, p95, max;
} kn_compared_errors;

struct kanon_comparison {
    kanon_ctx               *ctx;
    kanon_tree               tree;
    kn_arena                 arena;
    const char              *original, *released; /* names of the files */
    const char              *taken_from; /* report that the settings came from; NULL: none */
    uint64_t                 rows_before, rows_after, lost;
    uint64_t                 seed, least; /* no value that fewer rows have is named */
    kn_compared_column      *columns;
    size_t                   ncolumns;
    const char             **dropped; /* columns that are not in the release and not compared */
    size_t                   ndropped;
    const char             **added; /* columns that only the release has */
    size_t                   nadded;
    const char             **left_out; /* identifiers: they are not compared, released or not */
    size_t                   nleft_out;
    kn_clear                 identifiers; /* those that the release has */
    size_t                   ncounted;
    double                   glm, gcp, entropy, tvd; /* means over the counted columns */
    kn_compared_pair        *pairs;
    size_t                   npairs;
    const kn_compared_pair **worst;    /* the pairs, those that changed most first */
    double                   pair_tvd; /* mean; NaN: no pair */
    double pearson_shift; /* mean absolute change, over pairs that have one; NaN: none */
    double v_shift;
    kn_compared_learning learning;
    kn_compared_errors   queries,
        by_columns[KN_QUERY_COLUMNS_MOST]; /* by_columns[i]: i + 1 columns */
    double      seconds;
    kn_opening  opening;
    kn_findings findings;
};

/** Is every released cell of a column `*`? Then no share can be concluded from it. */
bool kn_compared_nothing_left(const kn_compared_column *column);

/** Adds its findings and makes its opening, once everything else is there. */
kanon_status kn_comparison_judge(kanon_comparison *comparison);

kanon_status kn_comparison_new(kanon_ctx *ctx, kanon_comparison **out);

#endif

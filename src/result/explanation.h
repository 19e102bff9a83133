/* SPDX-License-Identifier: Apache-2.0 */
/* explanation.h -- the result of `kanon explain` as plain data: the job fills it, the report formats it.
 * It holds column names and labels that many rows share, and nothing else of the table. */
#ifndef KN_RESULT_EXPLANATION_H
#define KN_RESULT_EXPLANATION_H

#include "base/arena.h"
#include "config/config.h"
#include "kanon/explain.h"
#include "measure/metrics.h"
#include "result/kept.h"
#include "result/opening.h"
#include "result/tree.h"

enum { KN_EXPLAINED_GROUPS = 3, KN_EXPLAINED_CLASSES = 5, KN_NO_LEVEL = 255 };

/** A group of a column at a level, and how many of its rows are outlying. */
typedef struct kn_explained_group {
    const char *label; /* NULL: all groups that few rows have, together */
    uint64_t    rows, outlying;
} kn_explained_group;

/** Where the outlying rows of a node stand in one column: the groups with most of them. */
typedef struct kn_explained_where {
    uint64_t           outlying; /* rows at that node */
    unsigned           level;    /* of the column */
    kn_explained_group groups[KN_EXPLAINED_GROUPS];
    size_t             ngroups;
    uint64_t rare_rows, rare_outlying; /* in groups with few rows, whose labels are not shown */
} kn_explained_where;

typedef struct kn_explained_column {
    const char *name;
    unsigned    level, height, floor; /* level: of the solution, or the top where there is none */
    kn_column_loss     loss;
    uint64_t           saved_up;  /* outlying rows that one level more would save */
    uint64_t           saved_top; /* ... that all levels more would save: the column given up */
    kn_explained_where at;        /* at the solution */
    bool               has_below; /* there is a level below */
    kn_explained_where below;     /* at the solution with this column one level lower */
    /* local recoding, which has no levels */
    double   share; /* of the whole loss (glm) */
    uint64_t exact,
        hidden; /* released rows that show their value, and that tell nothing: * or all values */
} kn_explained_column;

/** One of the classes of a local recoding that lose most. Its labels are not reported. */
typedef struct kn_explained_class {
    uint64_t rows;
    double   loss;           /* of a cell, mean (glm) */
    double   share;          /* of the whole loss */
    size_t   widest, second; /* columns that lose most in it; equal: there is one */
    double   widest_loss, second_loss;
} kn_explained_class;

/** Where the loss of a local recoding comes from: shares of it (glm). */
typedef struct kn_explained_local {
    uint64_t           classes, smallest, largest;
    double             suppressed; /* rows that are not released */
    double             large;      /* rows of classes that could be two: 2k rows or more */
    uint64_t           large_rows;
    double             tenth; /* the tenth of the classes that lose most */
    kn_explained_class worst[KN_EXPLAINED_CLASSES];
    size_t             nworst;
} kn_explained_local;

typedef enum {
    KN_CHANGE_LEVEL,
    KN_CHANGE_K,
    KN_CHANGE_SUPPRESSION,
    KN_CHANGE_DROP,
    KN_CHANGE_MODEL
} kn_change_kind;

/** One setting changed, and what comes of it. */
typedef struct kn_change {
    kn_change_kind kind;
    const char    *column;   /* LEVEL, DROP */
    const char    *model;    /* MODEL: its setting, such as "l-diversity" */
    const char    *setting;  /* how to ask for it; NULL: no setting does (LEVEL) */
    double         from, to; /* NaN: without it */
    bool           computed; /* there was time */
    bool           feasible, proven;
    uint64_t       suppressed; /* rows; feasible or LEVEL only */
    double         loss;       /* as a job would report it; feasible or LEVEL only */
    double loss_all; /* DROP: the column that is gone counts as lost; otherwise the same as loss */
    double kept;    /* share of the information in all quasi-identifiers; where loss_all is known */
    bool   weakens; /* it asks for less privacy */
    kn_kept_set *set;    /* whose figures it is to fill in; NULL: none */
    uint8_t     *levels; /* [columns]; KN_NO_LEVEL: the column is gone. NULL: not feasible */
} kn_change;

typedef struct kn_explained_model {
    const char *name, *parameter, *column; /* column NULL: none */
    const char *second;                    /* the other parameter; NULL: there is none */
    double      limit, other;
} kn_explained_model;

struct kanon_explanation {
    kanon_ctx          *ctx;
    kanon_tree          tree;
    kn_arena            arena;
    const char         *input;
    uint64_t            rows;
    uint64_t            k, allowed, least; /* no group is named that fewer rows have */
    double              suppression;
    const char         *metric, *algorithm, *stopped;
    kn_explained_model *models;
    size_t              nmodels;
    bool                feasible, optimal;
    uint64_t            suppressed; /* at the solution; at the top where there is none */
    double              loss;
    double              kept; /* share of the information in the quasi-identifiers; feasible only */
    kn_kept_sets        sets; /* of columns that could be kept without the others */
    kn_explained_column *columns;
    size_t               ncolumns;
    bool                 has_local; /* local recoding: no levels, but classes */
    kn_explained_local   local;
    kn_change           *changes;
    size_t               nchanges, uncomputed;
    size_t settings, computed; /* changes of a setting (not of a level), and those computed */
    /* Of them, those that keep most: with the same privacy, and with less. NULL: none keeps more, there is no
     * release, or most had no time, so that nothing can be said of the best. */
    const kn_change *best, *best_weaker;
    double           time_limit_s; /* 0: none */
    double           seconds;
    kn_opening       opening;
    kn_findings      findings;
};

/** Finds the best of the changes, and counts them. */
void kn_explanation_find_best(kanon_explanation *explanation);

/** Adds its findings and makes its opening, once everything else is there. */
kanon_status kn_explanation_judge(kanon_explanation *explanation);

kanon_status kn_explanation_new(kanon_ctx *ctx, kanon_explanation **out);

#endif

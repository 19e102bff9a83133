/* SPDX-License-Identifier: Apache-2.0 */
/* result.h -- the result of a job as plain data: the job fills it, the report formats it. It holds no cell
 * of the table; the example of a column is one of its released values. */
#ifndef KN_RESULT_RESULT_H
#define KN_RESULT_RESULT_H

#include "base/arena.h"
#include "base/run.h"
#include "config/config.h"
#include "kanon/job.h"
#include "measure/metrics.h"
#include "result/classes.h"
#include "result/finding.h"
#include "result/linkage.h"
#include "result/portrait.h"
#include "result/profile.h"
#include "result/tree.h"
#include "result/verdict.h"

typedef struct kn_result_attribute {
    const char    *name;
    kn_role        role;
    bool           dropped;   /* the release does not have it as a column */
    const char    *coding;    /* what became of its numbers: "rounded to 1000"; NULL: nothing */
    kn_type        type;      /* quasi only */
    const char    *hierarchy; /* quasi only: its kind */
    unsigned       level, height;
    uint64_t       values_before; /* distinct, in the table; estimated unless quasi or sensitive */
    uint64_t       values_after;  /* in the release, or KN_NOT_COUNTED */
    const char    *example;       /* quasi only: a released value, such as "20-29" */
    kn_column_loss loss;
    kn_portrait   *portrait;    /* NULL: nothing is known of the column's values */
    uint64_t       hidden_rows; /* quasi only: released rows that show `*` */
    uint64_t       formulas;    /* released cells that a spreadsheet would run */
} kn_result_attribute;

typedef struct kn_result_seconds {
    double read, encode, search, transform, write, verify, total;
} kn_result_seconds;

typedef struct kn_sensitive_result {
    const char *name;
    uint64_t    distinct;         /* in the table */
    uint64_t    min_distinct;     /* l: least number of distinct values in a released class */
    double      min_entropy_l;    /* exp of the least class entropy */
    double      max_t;            /* greatest distance of a class from the table (equal distance) */
    uint64_t    homogeneous_rows; /* rows in classes with a single value */
    uint64_t    guessed_rows; /* rows in classes where a value is nearly certain, see measure.h */
    double      max_ratio;    /* greatest share of a value in a class over that in the table */
    uint64_t    unique_rows;  /* released rows whose value no other released row has */
    double      top_share;    /* of the most frequent value, in the table */
} kn_sensitive_result;

/** A privacy model beyond k, as it was asked for and as it was reached. */
typedef struct kn_result_model {
    const kn_model_class *class;
    const char *key, *name;        /* of the class, as are the parameters */
    const char *column;            /* NULL: concerns no column */
    const char *parameter, *other; /* names of what was asked for; other may be NULL */
    double      asked, asked_other;
    double      reached;  /* by the worst released class; NAN: nothing was released */
    bool        monotone; /* under the settings of the job */
    bool        verified; /* checked again by the second implementation */
    bool hidden; /* from the rows on their way out, since the release does not show the column */
} kn_result_model;

struct kanon_result {
    kanon_ctx     *ctx;
    kanon_tree     tree, external; /* its two editions */
    kn_arena       arena;          /* all texts */
    kanon_outcome  outcome;
    kn_row_classes row_classes[KN_ROWS_KINDS]; /* the caller asked for them; in no report */
    const char    *advice; /* infeasible: why, and what would work; "" otherwise */

    /* input */
    const char *input_name, *output_name;
    uint64_t    input_rows, input_bytes;
    size_t      input_columns;
    uint64_t    distinct_tuples;
    char        input_hash[KN_HASH_TEXT], output_hash[KN_HASH_TEXT]; /* hexadecimal */

    /* parameters, as used */
    uint64_t          k;
    double            suppression;
    uint64_t          suppression_rows; /* floor(suppression * rows) */
    kn_suppressed     suppressed_as;
    kn_identifiers    identifiers_as;
    kn_others         others_as;
    kn_formulas       formulas_as;
    const char       *algorithm, *metric;
    const char       *algorithm_asked; /* "auto" where auto chose */
    const char       *choice;          /* one line: what auto chose and why; "" otherwise */
    uint64_t          seed;
    char              order_key[KN_ORDER_KEY_MOST + 1]; /* "": the order of the table was kept */
    unsigned          threads;
    bool              keep_order;
    const kn_setting *settings; /* those of kn_reported_settings, in the form of the command line */
    size_t            nsettings;
    const kn_setting *control; /* settings of single columns, in the form of the command line */
    size_t            ncontrol;
    const double     *weights; /* of the quasi-identifiers, in their order; NULL: none was given */
    const kn_setting *params;  /* all of the algorithm's, with their values as used */
    size_t            nparams;

    /* solution */
    uint64_t released_rows, suppressed_rows; /* add up to input_rows */
    uint64_t masked_rows;                    /* suppressed rows that stand in the release as `*` */
    uint64_t classes;
    uint64_t k_reached; /* size of the smallest class */
    uint64_t
        crowd; /* what the risk goes by: that size, or the persons of the class with fewest of them */
    bool         full_domain;
    kn_local     local;     /* without full_domain: what a class shows */
    kn_snap      snap;      /* where intervals and labels end */
    kn_intervals intervals; /* how they are written */

    kn_metrics           metrics;
    kn_result_attribute *attributes; /* all columns, in the order of the table */
    size_t               nattributes;
    kn_sensitive_result *sensitive;
    size_t               nsensitive;
    kn_result_model     *models;
    size_t               nmodels;
    kn_risk              risk_before, risk_after;
    kn_class_bucket     *histogram; /* released classes */
    size_t               nhistogram;

    /* search */
    uint64_t    evaluations;    /* nodes checked against the table */
    uint64_t    predicted;      /* nodes decided by monotonicity alone */
    double      lattice_nodes;  /* in all */
    double      searched_nodes; /* within the lower bounds */
    const char *stopped;        /* "complete", "time-limit", "interrupted", "stalled" ... */
    bool        has_bound;
    double      lower_bound, gap; /* of the metric that was minimised */
    double      loss;             /* the metric that was minimised */
    const unsigned
        *bounds; /* lowest level per quasi-identifier that can be feasible; NULL: no levels */
    const kn_curve_point *curve; /* how the loss fell */
    size_t                ncurve;

    kn_result_seconds seconds;
    uint64_t          peak_bytes; /* 0: unknown */

    kn_audience       audience;                /* whom the reports are for */
    kn_exposure       exposures[KN_EXPOSURES]; /* rows in small classes, before and after */
    kn_result_linkage linkage;  /* what the released columns tell together; no rows: nothing */
    kn_result_profile profile;  /* what it requires, and what was found of that */
    kn_findings       findings; /* the most severe first */
    kn_result_verdict verdict;
};

/** Zeroed, with empty texts and its arena ready: whatever the job hangs into it lives in that arena. */
kanon_status kn_result_new(kanon_ctx *ctx, kanon_result **out);
/** Columns with a role. */
size_t kn_result_count_role(const kanon_result *result, kn_role role);
/** Does k count persons? Then the greatest risk goes by them, and all else about risk by rows. */
bool kn_result_counts_persons(const kanon_result *result);
/** Was one asked for that bounds what is learned about who is in the table? */
bool kn_result_bounds_presence(const kanon_result *result);
/** Was a model asked for that looks at sensitive values? */
bool kn_result_guards_values(const kanon_result *result);
/** Is a sensitive column without a model that keeps a class from sharing one value, or with one that keeps it
 *  from that alone and lets a value be frequent? */
bool kn_result_open(const kanon_result *result, const kn_result_attribute *attribute);
bool kn_result_lopsided(const kanon_result *result, const kn_result_attribute *attribute);
/** Is a quasi-identifier released at the top of its hierarchy? */
bool kn_result_at_top(const kanon_result *result, const kn_result_attribute *attribute);
/** Does no released cell of a quasi-identifier tell anything? */
bool kn_result_gone(const kanon_result *result, const kn_result_attribute *attribute);
/** Share of the cells of quasi-identifiers that tell nothing: `*`, or in a suppressed row. NaN: no release */
double kn_result_hidden(const kanon_result *result);
/** Makes the verdict, once everything else is there. */
kanon_status kn_result_judge(kanon_result *result);
/** Is it made from levels, and so absent for local recoding? */
bool kn_metric_needs_levels(const char *metric);

#endif

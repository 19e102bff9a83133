/* SPDX-License-Identifier: Apache-2.0 */
/* check.h -- the result of `kanon check` as plain data: the job fills it, the report formats it. It holds
 * no value of the table. */
#ifndef KN_RESULT_CHECK_H
#define KN_RESULT_CHECK_H

#include "kanon/check.h"
#include "problem/clear.h"
#include "result/linkage.h"
#include "result/result.h"

/** Rows in classes smaller than a limit. */
typedef struct kn_check_below {
    uint64_t limit, classes, rows;
} kn_check_below;

typedef struct kn_check_sensitive {
    const char *name;
    uint64_t    distinct;  /* in the table; a missing value is one value */
    uint64_t    l;         /* least number of distinct values in a class */
    double      entropy_l; /* exp of the least class entropy */
    double      t;         /* greatest distance of a class from the table (equal distance) */
    uint64_t    homogeneous_classes; /* classes with a single value, and their rows */
    uint64_t    homogeneous_rows;
    uint64_t    guessed_rows; /* rows in classes where a value is nearly certain, see measure.h */
    double      max_ratio;    /* greatest share of a value in a class over that in the table */
    uint64_t    unique_rows;  /* rows whose value no other row has */
    double      alpha;        /* greatest share of a value in a class */
    double      recursive_c;  /* recursive (c,l)-diversity holds for every c above it, */
    uint64_t    recursive_l;  /* with this l */
    double      beta;         /* greatest relative gain of a value, basic */
    double
        delta_disclosure; /* greatest log of a relative change; infinite: a class lacks a value */
    double t_ordered, t_hierarchical; /* t by other ground distances; NAN: not measured */
} kn_check_sensitive;

/** A privacy model that was asked for. */
typedef struct kn_check_model {
    const char *key, *name;
    const char *column;            /* NULL: none */
    const char *parameter, *other; /* names; other may be NULL */
    double      asked, asked_other;
    double      reached; /* by the worst class; NAN without rows */
    bool        at_most; /* classes overlap, so that what is reached is known as a bound */
    bool        holds;
    uint64_t    failing_classes, failing_rows;
    size_t      rule; /* for whoever fills it */
} kn_check_model;

/** The reading in which a missing value matches anything. */
typedef struct kn_check_wildcard {
    bool     asked;
    uint64_t k;            /* the least number of rows that a row matches, itself included */
    uint64_t uniques;      /* rows that match no other */
    uint64_t missing_rows; /* rows with a missing quasi-identifier */
    size_t   patterns;     /* different sets of missing quasi-identifiers */
} kn_check_wildcard;

enum { KN_CHECK_BUCKETS = 8, KN_CHECK_BELOWS = 6 };

struct kanon_check {
    kanon_ctx          *ctx;
    kanon_tree          tree;
    kn_arena            arena; /* all texts and arrays */
    const char         *name;  /* of the table */
    size_t              columns;
    const char        **quasi;
    size_t              nquasi;
    kn_risk             risk; /* rows and classes of the table too */
    kn_class_bucket     histogram[KN_CHECK_BUCKETS];
    kn_check_below      below[KN_CHECK_BELOWS];
    kn_check_sensitive *sensitive;
    size_t              nsensitive;
    kn_result_linkage   linkage;     /* what the other columns tell; no rows: nothing */
    kn_clear            identifiers; /* that the table has */
    kn_check_wildcard   wildcard;
    double              persons;    /* least number of persons in a class; 0: not asked for */
    const char         *no_persons; /* asked for, and why they cannot be counted; NULL: they can */
    kn_check_model     *models;
    size_t              nmodels;
    const char        **columns_of_models; /* behind the quasi-identifiers */
    const char         *failure;           /* what was asked for and does not hold; "": all does */
    kn_result_profile   profile;           /* what it requires, and what was found of that */
    kn_opening          opening;
    kn_findings         findings; /* the most severe first */
};

/** Zeroed, with its arena, buckets and limits ready. */
kanon_status kn_check_new(kanon_ctx *ctx, kanon_check **out);
/** Adds its findings and makes its opening, once everything else is there. */
kanon_status kn_check_judge(kanon_check *check);
/** l and t over all sensitive columns: the smallest and the largest. False where there is none (no
 *  sensitive column, or no rows). */
bool kn_check_l(const kanon_check *check, uint64_t *l);
bool kn_check_t(const kanon_check *check, double *t);

#endif

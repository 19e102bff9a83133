/* check.h -- everything `kanon check` can tell about a table, as plain data: the job fills it, the
 * report formats it. Holds no value of the table. */
#ifndef KN_CHECK_H
#define KN_CHECK_H

#include "kanon/check.h"
#include "report/result.h"

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
} kn_check_sensitive;

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
    kn_check_wildcard   wildcard;
};

/** Zeroed, with its arena, buckets and limits ready. */
kanon_status kn_check_new(kanon_ctx *ctx, kanon_check **out);
/** l and t over all sensitive columns: the smallest and the largest. False where there is none (no
 *  sensitive column, or no rows). */
bool kn_check_l(const kanon_check *check, uint64_t *l);
bool kn_check_t(const kanon_check *check, double *t);

#endif

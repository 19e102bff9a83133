/* SPDX-License-Identifier: Apache-2.0 */
/* audit.h -- the privacy models once more, for tables that are read back: a release by the verifier, any
 * table by `kanon check`. The formulas are other code and other methods than those of src/privacy/, so that
 * each is a second opinion on the other. What a formula is told is not: for a release the original table's
 * values and their frequencies, the order of a column and its hierarchy are those that the job has learned
 * from its input. docs/PRIVACY.md has the definitions that both follow. */
#ifndef KN_TRANSFORM_AUDIT_H
#define KN_TRANSFORM_AUDIT_H

#include "hierarchy/hierarchy.h"

typedef enum {
    KN_RULE_DISTINCT, /* at least `limit` values */
    KN_RULE_ENTROPY,  /* exp of the entropy at least `limit` */
    KN_RULE_RECURSIVE, /* most frequent value over all but the `other` - 1 most frequent: below `limit` */
    KN_RULE_ALPHA,        /* share of the most frequent value at most `limit` */
    KN_RULE_EQUAL,        /* distance from the table at most `limit` */
    KN_RULE_ORDERED,      /* the same along the order of the values */
    KN_RULE_HIERARCHICAL, /* the same in their hierarchy */
    KN_RULE_BETA,         /* relative gain of a value at most `limit` */
    KN_RULE_BETA_ENHANCED,
    KN_RULE_DISCLOSURE, /* log of the relative change of a value below `limit`, either way */
    KN_RULE_OWN_K,      /* rows over the largest k that one of them asks for: at least 1 */
    KN_RULE_K_MAP,      /* people of the population at least `limit` */
    KN_RULE_PRESENCE    /* rows over people from `other` to `limit` */
} kn_audit_rule_kind;

/** What the original table says of a column that rules look at. */
typedef struct kn_audit_rule_column {
    size_t                 place; /* in the table that is read back; for whoever reads it */
    size_t                 nvalues;
    const kn_str          *values;
    const uint64_t        *rows;      /* [nvalues] of the original table */
    uint32_t               missing;   /* the value that all missing tokens mean, or KN_NO_CODE */
    const uint32_t        *order;     /* ORDERED: [nvalues] from the least to the greatest */
    const kanon_hierarchy *hierarchy; /* HIERARCHICAL: leaf v is value v */
    const double          *asks;      /* OWN_K: [nvalues] */
} kn_audit_rule_column;

typedef struct kn_audit_rule {
    kn_audit_rule_kind kind;
    size_t             column; /* of kn_audit_rules; any for K_MAP and PRESENCE */
    double             limit, other;
    const char *model, *name; /* of the model and the column, for messages; name may be NULL */
} kn_audit_rule;

typedef struct kn_audit_rules {
    const kn_audit_rule_column *columns;
    size_t                      ncolumns;
    const kn_audit_rule        *rules;
    size_t                      nrules;
    uint64_t                    rows; /* of the original table */
    const kn_str               *missing;
    size_t                      nmissing;
    /** The people of a population as they would read in the release: fills the cells of the
     *  quasi-identifiers and how many there are; false past the end. NULL: there is no population. */
    bool (*person)(void *user, size_t index, kn_str *cells, uint64_t *people);
    void *user;
} kn_audit_rules;

/** Gathers the values of classes and judges them. */
typedef struct kn_audit kn_audit;

/** The rules must outlive it. */
kanon_status kn_audit_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_audit **out);
void         kn_audit_free(kn_audit *audit);
/** Which of the original values a cell is; KN_NO_CODE: none of them. */
uint32_t kn_audit_value(const kn_audit *audit, size_t column, kn_str cell);
/** Adds rows of a class that hold these values, one per column of the rules. */
kanon_status kn_audit_add(kn_audit *audit, uint32_t class, const uint32_t *values, uint64_t rows);
/** A class is complete but for its values: judges it by every rule.
 *  reached[nrules]: what it reaches; fails[nrules]: whether that is not enough. Values that were added before
 *  must have been added for classes below nclasses. */
void kn_audit_judge(kn_audit *audit, uint32_t class, uint64_t rows, uint64_t people,
                    double *reached, bool *fails);
/** Ends the adding. nclasses: all of them, numbered from 0. */
kanon_status kn_audit_seal(kn_audit *audit, size_t nclasses);
/** The limit that a reached value is held against: of two the one that it breaks. */
double kn_audit_rule_bound(const kn_audit_rule *rule, double reached);
/** Is reaching a less than reaching b, by this rule? */
bool kn_audit_rule_worse(const kn_audit_rule *rule, double a, double b);

#endif

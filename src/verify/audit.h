/* SPDX-License-Identifier: Apache-2.0 */
/* audit.h -- the privacy models once more, for tables that are read back: a release by the verifier, any
 * table by `kanon check`. Values of classes are gathered here, and judged by the second implementation of
 * each model (privacy/audit.h). */
#ifndef KN_TRANSFORM_AUDIT_H
#define KN_TRANSFORM_AUDIT_H

#include "privacy/model.h"

/** A model that is checked again. */
typedef struct kn_audit_rule {
    const kn_model_class *class;
    size_t      column; /* of kn_audit_rules; any where the model looks at a population */
    double      limit, second;
    const char *name; /* of the column, for messages; may be NULL */
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
/** May nobody be known to be absent? */
bool kn_audit_forbids_absence(const kn_audit_rule *rule);

#endif

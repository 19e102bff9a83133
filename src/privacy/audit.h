/* SPDX-License-Identifier: Apache-2.0 */
/* audit.h -- the second implementation of each privacy model, for tables that are read back: a release by
 * the verifier, any table by `kanon check` (verify/audit.h gathers what is needed here and judges).
 * The formulas are other code and other methods than those that judge classes during a search, so that
 * each is a second opinion on the other: audit_models.c includes nothing of this folder but this
 * header, and tools/layers checks that. What a formula is told is not independent: for a release the
 * original table's values and their frequencies, the order of a column and its hierarchy are those that the
 * job has learned from its input. docs/PRIVACY.md has the definitions that both follow. */
#ifndef KN_PRIVACY_AUDIT_H
#define KN_PRIVACY_AUDIT_H

#include "hierarchy/hierarchy.h"
#include "kanon/plugin.h"

/** What the original table says of a column that rules look at. */
typedef struct kn_audit_rule_column {
    size_t                 place; /* in the table that is read back; set by its reader */
    size_t                 nvalues;
    const kn_str          *values;
    const uint64_t        *rows;      /* [nvalues] of the original table */
    uint32_t               missing;   /* the value that all missing tokens mean, or KN_NO_CODE */
    const uint32_t        *order;     /* [nvalues] from the least to the greatest; NULL: unknown */
    const kanon_hierarchy *hierarchy; /* leaf v is value v; NULL: there is none */
    const double          *numbers;   /* [nvalues] that the values are; NULL: unknown */
} kn_audit_rule_column;

/** Rows of a class that hold a value. */
typedef struct kn_audit_pair {
    uint64_t rows;
    uint32_t class, value;
} kn_audit_pair;

/** What is looked up in a column; NULL where there is no order or no hierarchy. */
typedef struct kn_audit_index {
    uint32_t *place;  /* [nvalues] where a value stands in the order */
    uint64_t *before; /* [nvalues + 1] rows of the table at places before this one */
    double   *moment; /* [nvalues + 1] sum of their places */
    double   *shares; /* of the table, per group, level by level */
} kn_audit_index;

/** One class, with the values of the column that a rule looks at. */
typedef struct kn_audit_class {
    const kn_audit_rule_column *known;
    const kn_audit_index       *index;
    const kn_audit_pair        *list; /* [count] its values */
    size_t                      count;
    const uint64_t             *counts; /* [nvalues] */
    double                      rows, table;
    uint64_t                    people;
    double                      second;  /* the model's second parameter */
    double                     *scratch; /* [4][width], the last of the four all 0 */
    size_t                      width;   /* groups of the widest level of a hierarchy */
    uint64_t                   *numbers; /* [values of the widest column] */
    const kanon_model_class    *own;     /* that a program brings along, or NULL */
} kn_audit_class;

/** What a class reaches. */
typedef double kn_audit_fn(const kn_audit_class *c);

kn_audit_fn kn_audit_distinct; /* how many values there are */
kn_audit_fn kn_audit_entropy;  /* exp of the entropy */
kn_audit_fn
    kn_audit_recursive;     /* most frequent value over all but the `second` - 1 most frequent */
kn_audit_fn kn_audit_alpha; /* share of the most frequent value */
kn_audit_fn kn_audit_beta;  /* greatest relative gain of a value */
kn_audit_fn kn_audit_beta_enhanced; /* the same; infinite above -ln of a value's share */
kn_audit_fn kn_audit_disclosure;    /* greatest log of the relative change of a value, either way */
kn_audit_fn kn_audit_equal;         /* half the L1 distance from the table */
kn_audit_fn kn_audit_ordered;       /* the distance along the order of the values */
kn_audit_fn kn_audit_hierarchical;  /* the distance in their hierarchy */
kn_audit_fn kn_audit_own_k;         /* rows over the largest number that one of them holds */
kn_audit_fn kn_audit_people;        /* people of the population */
kn_audit_fn kn_audit_presence;      /* rows over people */
kn_audit_fn kn_audit_own;           /* what the audit of an own model says */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* model.h -- the plug-in interface of privacy models: what a class must satisfy beyond having k rows.
 * A model looks at one class at a time, through the values that its column has there or through the people
 * of a population that the class may stand for, and says how far it goes; a limit says how far it must go.
 * A new one: its function and its kn_model_class in one of the files here, a setting in src/config/, its
 * making in src/job/models.c, its rule in src/job/requirement.c, and its second implementation in
 * src/transform/audit.c.
 * docs/PRIVACY.md has the definitions, and the proofs of what is said here about rising levels. */
#ifndef KN_PRIVACY_MODEL_H
#define KN_PRIVACY_MODEL_H

#include "privacy/privacy.h"

/** What happens when classes are merged, as raising a level does. */
typedef enum {
    KN_MERGE_GOOD, /* two classes that satisfy it make one that does: without suppression it is monotone */
    KN_MERGE_ANY /* a class that satisfies it does so together with any other: always monotone */
} kn_merge;

/** How what a class reaches compares with the limit. */
typedef enum {
    KN_AT_LEAST, /* reached >= limit */
    KN_AT_MOST,  /* reached <= limit */
    KN_BELOW     /* reached < limit */
} kn_sense;

/** A class as a model sees it. */
typedef struct kn_class_values {
    uint64_t        rows;
    const uint64_t *counts; /* [values of the model's column] rows that hold each */
    const uint32_t *seen;   /* [nseen] values that occur, in no order */
    size_t          nseen;
    uint64_t        people;  /* of the population that the class may stand for */
    uint64_t       *numbers; /* scratch: as many as the column has values */
} kn_class_values;

typedef struct kn_model_class {
    const char *name;      /* "distinct l-diversity" */
    const char *key;       /* the same in reports: "distinct-l-diversity" */
    const char *parameter; /* what the limit is called: "l" */
    const char *second;    /* what the other parameter is called; NULL: there is none */
    const char *option;    /* the setting of the limit: "l-diversity" */
    kn_merge    merge;
    kn_sense    sense;
    bool        whole; /* the limit is a whole number */
    bool people;       /* asks about a population, so a class must be one of full-domain recoding */
    bool both;         /* the other parameter is a limit from below */
    /** How far a class goes, compared with the limit as `sense` says. */
    double (*reached)(const kn_model *model, const kn_class_values *values);
} kn_model_class;

struct kn_model {
    kanon_ctx *ctx;
    const kn_model_class *class;
    const char *name;   /* of the column, borrowed; NULL: none */
    size_t      column; /* of the table's sensitive columns, or KN_NO_COLUMN */
    double      limit;
    double      second; /* the other parameter, where there is one */
    size_t      domain; /* values of the column */
    double     *share;  /* [domain] of the whole table's rows that hold each value; or NULL */
    double     *weight; /* [domain] what the class makes of it: see there; or NULL */
    uint32_t   *order;  /* [domain] values from the least to the greatest; or NULL */
    uint32_t   *place;  /* [domain] where each value stands in it; or NULL */
    double     *upto;   /* [domain] share of the rows that stand there or before; or NULL */
    const kanon_hierarchy *hierarchy; /* of the column, borrowed; or NULL */
};

#define KN_NO_COLUMN SIZE_MAX

extern const kn_model_class kn_model_distinct, kn_model_entropy, kn_model_recursive;
extern const kn_model_class kn_model_p_sensitive, kn_model_alpha;
extern const kn_model_class kn_model_t_equal, kn_model_t_ordered, kn_model_t_hierarchical;
extern const kn_model_class kn_model_beta, kn_model_beta_enhanced, kn_model_disclosure;
extern const kn_model_class kn_model_persons, kn_model_own_k;
extern const kn_model_class kn_model_presence, kn_model_k_map;

/** What a model is made of; texts and the hierarchy are borrowed. */
typedef struct kn_model_spec {
    const kn_model_class *class;
    const char            *name;
    size_t                 column;
    size_t                 domain;
    double                 limit, second;
    const uint32_t        *order;     /* ordered t-closeness: copied */
    const double          *numbers;   /* k per record: what each value says; copied */
    const kanon_hierarchy *hierarchy; /* hierarchical t-closeness */
} kn_model_spec;

/** A model ready for a table: the shares of its column's values are counted there. */
kanon_status kn_model_new(kanon_ctx *ctx, const kn_model_spec *spec, const kn_table *table,
                          kn_model **out);
void         kn_model_free(kn_model *model);

/** Does a value satisfy the limit? Equal is equal up to 1e-9, so that rounding decides nothing. */
bool kn_sense_holds(kn_sense sense, double reached, double limit);
/** Is one value further from satisfying a limit than another? */
bool kn_sense_worse(kn_sense sense, double a, double b);
/** Does a class satisfy a model? *reached may be NULL. */
bool kn_model_holds(const kn_model *model, const kn_class_values *values, double *reached);

/** What a table reaches in a model: the worst of the classes that may be released. NAN without any.
 *  anybody: a class that may stand for everybody of a population, as masked rows do; SIZE_MAX: none */
kanon_status kn_jury_reached(kn_jury *jury, const uint8_t *levels, const kn_grouping *grouping,
                             size_t anybody, double *reached);
/** The same for all rows in one class, released or not. */
void kn_jury_whole(kn_jury *jury, double *reached);

#endif

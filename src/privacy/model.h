/* SPDX-License-Identifier: Apache-2.0 */
/* model.h -- the plug-in interface of privacy models: what a class must satisfy beyond having k rows.
 * A model looks at one class at a time, through the values that its column has there or through the people
 * of a population that the class may stand for, and says how far it goes; a limit says how far it must go.
 * A new one is a source here that ends with its kn_model_class and, where no setting asks for it yet, its
 * kn_model_setting, and a line in the list of registry.h. Options, config keys, help, jobs, the verifier,
 * `kanon check`, advice and reports follow from that row.
 * docs/PRIVACY.md has the definitions, and the proofs of what is said here about rising levels. */
#ifndef KN_PRIVACY_MODEL_H
#define KN_PRIVACY_MODEL_H

#include "base/text.h"
#include "kanon/config.h"
#include "privacy/audit.h"
#include "privacy/privacy.h"

/** What happens when classes are merged, as raising a level does. */
typedef enum {
    KN_MERGE_GOOD, /* two classes that satisfy it make one that does: without suppression it is monotone */
    KN_MERGE_ANY, /* a class that satisfies it does so together with any other: always monotone */
    KN_MERGE_OPEN /* nothing is known: not monotone */
} kn_merge;

/** How what a class reaches compares with the limit. */
typedef enum {
    KN_AT_LEAST, /* reached >= limit */
    KN_AT_MOST,  /* reached <= limit */
    KN_BELOW     /* reached < limit */
} kn_sense;

/** What a model looks at. */
typedef enum {
    KN_OF_SENSITIVE, /* each sensitive column, one after the other */
    KN_OF_NAMED,     /* the column that its setting names */
    KN_OF_POPULATION /* the people of a population that a class may stand for */
} kn_scope;

/** What a model must know of the values of its column. */
typedef enum {
    KN_NEEDS_NOTHING,
    KN_NEEDS_ORDER,     /* which of two is less */
    KN_NEEDS_HIERARCHY, /* groups of them */
    KN_NEEDS_NUMBERS    /* the number that each is */
} kn_needs;

/** What a model keeps people from learning; reports and the risk of a release depend on it. */
typedef enum {
    KN_GUARDS_ROWS,    /* which row is whose, by the number of rows */
    KN_GUARDS_PERSONS, /* the same by the number of persons: what is reached counts them */
    KN_GUARDS_PEOPLE,  /* the same by the people of a population: what is reached counts them */
    KN_GUARDS_COUNT,   /* a value that all rows of a class have, but not how often each occurs */
    KN_GUARDS_SHARES,  /* how often a value occurs in a class */
    KN_GUARDS_OPEN,    /* what its author says: nothing is concluded from it */
    KN_GUARDS_PRESENCE /* who is in the table: what is reached is the chance of that */
} kn_guards;

/** Where the limit of a model comes from. */
typedef enum {
    KN_LIMIT_SETTING, /* the value of its setting */
    KN_LIMIT_OTHER,   /* the other parameter of its setting, whose value is the second parameter */
    KN_LIMIT_K,       /* k: what is counted takes the place of rows */
    KN_LIMIT_FIXED,   /* the class itself */
    KN_LIMIT_ONE      /* 1: what is reached is told in multiples of what rows ask for */
} kn_limit_source;

/** What values a setting of a model takes, beside "off". */
typedef enum {
    KN_ASKS_COUNT,    /* a whole number; a greater one asks for more, 1 for nothing */
    KN_ASKS_DEGREE,   /* the same, but some kinds take decimal numbers */
    KN_ASKS_SHARE,    /* from 0 to 1; a greater one asks for less, 1 for nothing */
    KN_ASKS_NUMBER,   /* from 0 on; a greater one asks for less */
    KN_ASKS_POSITIVE, /* above 0; a greater one asks for less */
    KN_ASKS_RANGE,    /* MAX or MIN,MAX, both as a share; the MIN is the second parameter */
    KN_ASKS_COLUMN    /* the name of a column */
} kn_asks;

#define KN_ASKS_WHOLE_MOST 4294967295.0 /* more than any table has rows, and exact as a double */
#define KN_ASKS_NUMBER_MOST 1e9

/* The type and bounds of such values, as a setting tells them. */
#define KN_BOUNDS_COUNT .type = KANON_VALUE_INTEGER, .min = 1, .max = KN_ASKS_WHOLE_MOST
#define KN_BOUNDS_DEGREE .type = KANON_VALUE_NUMBER, .min = 1, .max = KN_ASKS_WHOLE_MOST
#define KN_BOUNDS_SHARE .type = KANON_VALUE_NUMBER, .max = 1
#define KN_BOUNDS_NUMBER .type = KANON_VALUE_NUMBER, .max = KN_ASKS_NUMBER_MOST
#define KN_BOUNDS_POSITIVE .type = KANON_VALUE_NUMBER, .max = KN_ASKS_NUMBER_MOST, .above_min = 1
#define KN_BOUNDS_RANGE .type = KANON_VALUE_TEXT
#define KN_BOUNDS_COLUMN .type = KANON_VALUE_COLUMN
/* The value of a model's setting: KN_VALUE(SHARE, "alpha", "F", "help"). */
#define KN_VALUE(what, title, word, text)                                                          \
    .asks = KN_ASKS_##what,                                                                        \
    .value = { .name = title, .argument = word, .help = text, KN_BOUNDS_##what }

/** How one model, or several kinds of one, are asked for. */
typedef struct kn_model_setting {
    kanon_setting value; /* "l-diversity" */
    kanon_setting kind;  /* which kind, words with | between them; name NULL: there is one */
    kanon_setting other; /* another parameter, above 0; name NULL: there is none */
    kn_asks       asks;
    kn_scope      scope;
    const char   *idle; /* why a value asks for nothing, as a warning says it; NULL: all ask */
} kn_model_setting;

/** A class as a model sees it. */
typedef struct kn_class_values {
    uint64_t        rows;
    const uint64_t *counts; /* [values of the model's column] rows that hold each */
    const uint32_t *seen;   /* [nseen] values that occur, in no order */
    size_t          nseen;
    uint64_t        people;  /* of the population that the class may stand for */
    uint64_t       *numbers; /* scratch: as many as the column has values */
} kn_class_values;

/** A row of the list of models. */
typedef struct kn_model_class {
    const char             *name;      /* "distinct l-diversity" */
    const char             *key;       /* the same in reports: "distinct-l-diversity" */
    const char             *promise;   /* what holds, for people: "every class has ..." */
    const char             *leaves;    /* how far a value may still be inferred, the limit follows;
                                          NULL: nothing is known beyond what it guards */
    const char             *parameter; /* what the limit is called: "l" */
    const char             *second;    /* what the other parameter is called; NULL: there is none */
    const kn_model_setting *setting;
    const char     *kind; /* which word of the setting's kinds means it; NULL: it has no kinds */
    kn_needs        needs;
    kn_guards       guards;
    kn_merge        merge;
    kn_sense        sense;
    kn_limit_source limit;
    bool            whole; /* the setting's value is a whole number */
    bool   one_asks;       /* 1 asks for something, though it is the least value of the setting */
    bool   both;           /* the second parameter is a limit from below */
    double fixed;          /* KN_LIMIT_FIXED: the limit */
    const kanon_model_class *own; /* that a program brings along; NULL: it comes with kanon */
    /** How far a class goes, compared with the limit as `sense` says. */
    double (*reached)(const kn_model *model, const kn_class_values *values);
    /** The same by other code, for the verifier and `kanon check`. */
    kn_audit_fn *audit;
    /** The nearest setting that all rows together satisfy, which reach so much: appended to the text.
     *  NULL: the option with the limit that is just reached. */
    kanon_status (*advise)(const kn_model *model, double reached, kn_text *text);
} kn_model_class;

/* The part of a row that models share which count the distinct values of a class. */
#define KN_COUNTS_VALUES(what)                                                                     \
    .guards = what, .merge = KN_MERGE_ANY, .sense = KN_AT_LEAST, .whole = true,                    \
    .reached = kn_model_count_values, .audit = kn_audit_distinct

struct kn_model {
    kanon_ctx *ctx;
    const kn_model_class *class;
    const char *name;   /* of the column, borrowed; NULL: none */
    size_t      column; /* of the table's sensitive columns, or KN_NO_COLUMN */
    double      limit;
    double      second; /* the other parameter, where there is one */
    bool        alone;  /* they were given for this column alone */
    size_t      domain; /* values of the column */
    double     *share;  /* [domain] of the whole table's rows that hold each value; or NULL */
    double     *weight; /* [domain] what the class makes of it: see there; or NULL */
    uint32_t   *order;  /* [domain] values from the least to the greatest; or NULL */
    uint32_t   *place;  /* [domain] where each value stands in it; or NULL */
    double     *upto;   /* [domain] share of the rows that stand there or before; or NULL */
    const kanon_hierarchy *hierarchy; /* of the column, borrowed; or NULL */
    uint64_t               table_rows;
    uint64_t *
        table_counts; /* [domain] rows of the table that hold each value, for own models; or NULL */
};

#define KN_NO_COLUMN SIZE_MAX

/** What a model is made of; texts and the hierarchy are borrowed. */
typedef struct kn_model_spec {
    const kn_model_class *class;
    const char            *name;
    size_t                 column;
    size_t                 domain;
    double                 limit, second;
    bool                   alone;
    const uint32_t        *order;     /* KN_NEEDS_ORDER: copied */
    const double          *numbers;   /* KN_NEEDS_NUMBERS: copied */
    const kanon_hierarchy *hierarchy; /* KN_NEEDS_HIERARCHY */
} kn_model_spec;

/** A model ready for a table: the shares of its column's values are counted there. */
kanon_status kn_model_new(kanon_ctx *ctx, const kn_model_spec *spec, const kn_table *table,
                          kn_model **out);
void         kn_model_free(kn_model *model);

/** Does a value satisfy the limit? Equal is equal up to 1e-9, so that rounding decides nothing. */
bool kn_sense_holds(kn_sense sense, double reached, double limit);
/** Is one value further from satisfying a limit than another? */
bool kn_sense_worse(kn_sense sense, double a, double b);
/** Is it monotone where so many rows may be suppressed? */
bool kn_model_monotone(const kn_model_class *class, uint64_t allowed);
/** Does a value satisfy the limit of a model, or both of them? */
bool kn_model_satisfied(const kn_model *model, double reached);
/** Does a class satisfy a model? */
bool kn_model_holds(const kn_model *model, const kn_class_values *values);
/** Does a model bound the chance that somebody is in the table from below, too? Then nobody may be known
 *  to be absent, and no row suppressed. */
bool kn_model_forbids_absence(const kn_model *model);
/** The limit that is just reached, rounded to four digits on the safe side. */
double kn_model_nearest(const kn_model_class *class, double reached);
/** Appends "--NAME VALUE", or "--NAME COLUMN=VALUE" where the model's column has limits of its own. */
void kn_model_option(const kn_model *model, const char *name, double value, kn_text *text);
/** Appends the nearest setting that all rows together satisfy, which reach so much. */
kanon_status kn_model_advise(const kn_model *model, double reached, kn_text *text);
/** How many values a class has: what several models count. */
double kn_model_count_values(const kn_model *model, const kn_class_values *values);

/** What a table reaches in a model: the worst of the classes that may be released. NAN without any.
 *  anybody: a class that may stand for everybody of a population, as masked rows do; SIZE_MAX: none */
kanon_status kn_checker_reached(kn_checker *checker, const uint8_t *levels,
                                const kn_grouping *grouping, size_t anybody, double *reached);
/** The same for all rows in one class, released or not. */
void kn_checker_whole(kn_checker *checker, double *reached);

#endif

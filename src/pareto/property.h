/* SPDX-License-Identifier: Apache-2.0 */
/* property.h -- the properties of a release that can be objectives of a front. A property is a line of the
 * table in property.c: its direction, its kind, the side of its boxes, and how its value follows from what
 * the gauge found out about a node. docs/PARETO.md has the definitions. */
#ifndef KN_PROPERTY_H
#define KN_PROPERTY_H

#include "kanon/pareto.h"
#include "lattice/lattice.h"
#include "measure/metric.h"

enum { KN_OBJECTIVES_MOST = 8 };

enum {
    KN_NEEDS_CELLS = 1u,     /* the general loss of all cells */
    KN_NEEDS_SENSITIVE = 2u, /* the values of a sensitive column in each class */
    KN_NEEDS_LABEL = 4u      /* those of the class label */
};

/** What the values of one column look like in the released classes. */
typedef struct kn_value_counts {
    uint64_t least;     /* different values in a class, at least */
    uint64_t off;       /* rows whose value is not the most frequent one of their class */
    double   own_value; /* sum over rows of the rows of their class with the same value */
} kn_value_counts;

/** A measured node. Rows in classes smaller than k are suppressed. */
typedef struct kn_profile {
    uint64_t k;          /* size of the smallest released class; 0: a table without rows */
    uint64_t suppressed; /* rows */
    uint64_t classes;    /* released */
    double   squares;    /* sum of their squared sizes */
    double   cells; /* KN_NEEDS_CELLS: general loss of all cells, weighted as in the metric glm */
    double   plain; /* KN_NEEDS_CELLS: the same with all weights 1 */
    kn_value_counts faces[KN_OBJECTIVES_MOST]; /* of the columns that the objectives look at */
} kn_profile;

/** A node about which a property is asked. */
typedef struct kn_subject {
    const kn_scale   *scale;
    const uint8_t    *levels;
    const kn_profile *profile;
} kn_subject;

/** What raising levels does to a property: certain for k, and for all of them where nothing is
 *  suppressed; else nearly always so, since other rows may be suppressed then. Good enough to order
 *  candidates by. */
typedef enum { KN_TREND_NONE, KN_TREND_UP, KN_TREND_DOWN } kn_trend;

typedef struct kn_property_class {
    kanon_property info;
    unsigned       needs;
    /** face: of the column that it looks at, if it does */
    double (*value)(const kn_subject *subject, const kn_value_counts *face);
    /** No value is greater. */
    double (*most)(const kn_scale *scale, size_t domain);
    kn_trend trend;
    bool
        from_levels; /* its value without suppressed rows, which is the best, follows from the levels */
} kn_property_class;

/** One objective of a front. */
typedef struct kn_objective {
    const kn_property_class *property;
    const char              *name; /* "l", "l:disease"; borrowed */
    size_t column;                 /* sensitive column of the table that it looks at, or SIZE_MAX */
    size_t domain;                 /* its different values */
    double box;                    /* side of the boxes; 0: values are compared as they are */
} kn_objective;

typedef struct kn_objectives {
    kn_objective items[KN_OBJECTIVES_MOST];
    size_t       count;
} kn_objectives;

/** What a front is looked for in; all borrowed. */
typedef struct kn_front_problem {
    kanon_ctx           *ctx;
    const kn_view       *view;
    const kn_scale      *scale;
    const kn_lattice    *lattice; /* its top; floors do not count here */
    const kn_objectives *objectives;
    uint64_t             allowed; /* rows that may be suppressed */
    const double *params; /* values of the algorithm's parameters, in the order of its table */
    uint64_t      seed;
    unsigned      threads;
    double        time_limit_s; /* 0: none */
} kn_front_problem;

/** NULL if there is none of that name. */
const kn_property_class *kn_property_find(kn_str name);

/** Is more of it better? */
static inline bool
kn_property_rises(const kn_property_class *property)
{
    return property->info.direction[1] == 'a';
}

/** The values of a node in all objectives. faces: which face of the profile each one looks at. Real numbers
 *  are rounded to where sums of doubles are sure, so that equal releases compare equal. */
void kn_objectives_value(const kn_objectives *objectives, const kn_subject *subject,
                         const size_t *faces, double *values);
/** Theorem 2 of the paper: no archive can hold more points. */
double kn_objectives_bound(const kn_objectives *objectives, const kn_scale *scale);

#endif

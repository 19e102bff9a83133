/* SPDX-License-Identifier: Apache-2.0 */
/* privacy.h -- when a class may be released, and how many rows may be lost to those that may not.
 * Every class needs k rows; models beside that are those of model.h. */
#ifndef KN_PRIVACY_H
#define KN_PRIVACY_H

#include "group/by_class.h"
#include "group/group.h"

/** A model beyond k rows, ready for one table; model.h has the inside. */
typedef struct kn_model kn_model;

/** A population that models ask about: people with the same quasi-identifiers, generalized likewise. */
typedef struct kn_people {
    kn_view  view;   /* the table's tuples first, then those of the population */
    size_t   ntable; /* tuples of the table in it */
    uint64_t people; /* of the population */
} kn_people;

typedef struct kn_privacy {
    uint64_t               k;
    uint64_t               allowed; /* rows that may be suppressed: floor(suppression * rows) */
    const kn_model *const *models;  /* every one of them must hold for a class */
    size_t                 nmodels;
    const kn_people       *people; /* NULL: no model asks about a population */
} kn_privacy;

/** floor(fraction * rows), with room for the rounding of decimal fractions alone: 0.29 of 100 rows is 29. */
uint64_t kn_privacy_allowed(double fraction, uint64_t rows);

/** Has a class of this size enough rows? That is all there is to ask where there are no models. */
static inline bool
kn_privacy_enough(const kn_privacy *privacy, uint64_t size)
{
    return size >= privacy->k;
}

/** May a class of a judged grouping be released? */
static inline bool
kn_class_holds(const kn_privacy *privacy, const kn_grouping *grouping, size_t id)
{
    return grouping->holds ? grouping->holds[id] : kn_privacy_enough(privacy, grouping->sizes[id]);
}

/** No feasible node has more classes than this: each released class has at least k rows, and at
 *  most `allowed` rows stand in others. A grouping that finds more can stop at once. */
size_t kn_privacy_most_classes(const kn_privacy *privacy, uint64_t rows);

/** What a grouping means under the requirement. */
typedef struct kn_verdict {
    uint64_t outlying; /* rows in classes that may not be released */
    uint64_t classes;  /* that may be released */
    double   squares;  /* sum of their squared sizes */
} kn_verdict;

/** Sums a grouping up, judged or not. */
void kn_privacy_judge(const kn_privacy *privacy, const kn_grouping *grouping, kn_verdict *out);

/** Is a node above a feasible one feasible, and a node below an infeasible one infeasible? Always so for k
 *  rows; for models as they say, which may depend on whether rows may be suppressed. */
bool kn_privacy_monotone(const kn_privacy *privacy);
/** The first model because of which it is not; NULL if there is none. */
const kn_model *kn_privacy_unsteady(const kn_privacy *privacy);
/** Can any set of rows be judged, as local recoding needs? Refuses otherwise, with the reason. */
kanon_status kn_privacy_allow_local(kanon_ctx *ctx, const kn_privacy *privacy);

/** Judges any set of rows of a table, one set after the other. Scratch memory of one thread. */
typedef struct kn_checker kn_checker;

kanon_status kn_checker_new(kanon_ctx *ctx, const kn_privacy *privacy, const kn_table *table,
                            kn_checker **out);
void         kn_checker_free(kn_checker *checker);
/** May these rows be a class? Each is given by its entry of the table; an entry stands there as often as it
 *  has rows in the class. To a model of a population the class may be anybody, as one that reads `*` in every
 *  quasi-identifier. Allocates nothing. */
bool kn_checker_holds(kn_checker *checker, const uint32_t *entries, size_t count);
/** Makes room for groupings with up to so many ids, so that judging them allocates nothing. */
kanon_status kn_checker_reserve(kn_checker *checker, size_t nids);
/** Judges every class of a grouping of the table's tuples: holds[nids] is filled and hung into it.
 *  levels: the node, which only models of a population look at; NULL for local recoding */
kanon_status kn_checker_judge(kn_checker *checker, const uint8_t *levels, kn_grouping *grouping,
                              uint8_t *holds);
/** The same, but it may end as soon as more than the allowed rows are outlying, and nothing is hung in then.
 *  Needs kn_checker_reserve(); allocates nothing. @return false: there are too many */
bool kn_checker_judge_within(kn_checker *checker, const uint8_t *levels, kn_grouping *grouping,
                             uint8_t *holds);
/** The tuples class by class, as the last judgement found them. */
const kn_by_class *kn_checker_classes(const kn_checker *checker);

#endif

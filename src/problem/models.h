/* SPDX-License-Identifier: Apache-2.0 */
/* models.h -- makes the privacy models of a job from its settings and the learned table. */
#ifndef KN_PROBLEM_MODELS_H
#define KN_PROBLEM_MODELS_H

#include "config/config.h"
#include "encode/learn.h"
#include "privacy/registry.h"

/** A population, read and coded like the table. */
typedef struct kn_population_table {
    kn_table *table;
    kn_codes *codes; /* [nquasi] of the table's tuples, then of the population's */
    uint32_t *weights;
} kn_population_table;

/** Values of a column that differ from another one in their spelling alone. */
typedef struct kn_spellings {
    uint64_t values;
    bool     sample; /* there may be more */
} kn_spellings;

/** The models of a job, and what they are made of. */
typedef struct kn_models {
    kn_model **list;
    size_t     count, room;
    kanon_hierarchy   *
        *hierarchies; /* [sensitive columns] for t-closeness; NULL where there is none */
    size_t nhierarchies;
    kn_population_table population;
    kn_people           people;
    kn_spellings       *spellings; /* [sensitive columns]; 0 where no model counts values */
} kn_models;

/** Which columns models need beside the sensitive ones: the k of each record and the persons. */
bool kn_models_learn(const kanon_config *config, kn_str column);
/** Which of a setting's models is meant; a kind that leaves it open is chosen by the column, whose
 *  attribute may be NULL. */
const kn_model_class *kn_models_choose(const kanon_config *config, const kn_model_setting *setting,
                                       const kn_attribute *attribute);

/** What a config asks of a model. */
typedef struct kn_model_limits {
    double limit, second;
} kn_model_limits;

/** attribute: of the model's column, may be NULL */
kn_model_limits kn_models_limits(const kanon_config *config, const kn_model_class *class,
                                 const kn_attribute *attribute);
/** Refuses settings that contradict each other and warns of those that change nothing, before any work.
 *  A check measures: it tells distances that no limit asks for. */
typedef enum kn_models_use { KN_MODELS_REQUIRED, KN_MODELS_MEASURED } kn_models_use;
kanon_status kn_models_check(kanon_ctx *ctx, const kanon_config *config, kn_models_use use);

typedef struct kn_problem kn_problem;

/** Reads the population, whose values join the dictionaries: before the hierarchies are made. */
kanon_status kn_models_read_population(kn_problem *problem);
/** Warns when rows, or persons where those are counted, have nobody left in the population to be. */
kanon_status kn_models_warn_unmatched(const kn_problem *problem);
/** Makes the models of a problem whose hierarchies and view are there, and hangs them into its privacy. */
kanon_status kn_models_make(kn_problem *problem);
/** Tells the requirement and its models the config's k and suppression limit: persons count to k, and a least
 *  presence above 0 allows no suppressed row. */
void kn_models_limit(kn_problem *problem);
void kn_models_fini(kanon_ctx *ctx, kn_models *models);

/** The order of a column's values for the ordered distance: numbers or dates, the missing one last.
 *  order[count of the domain] is filled. @return KANON_E_INVALID: there is no such order */
kanon_status kn_values_order(kanon_ctx *ctx, const kn_domain *domain, uint32_t *order);
/** What the values of a column of k ask for: numbers[count of the domain] is filled. */
kanon_status kn_values_k(kanon_ctx *ctx, const kn_domain *domain, kn_place at, double *numbers);
/** Fails: the column has no hierarchy, which the distance of its values needs. */
kanon_status kn_models_no_tree(kanon_ctx *ctx, const char *column);

#endif

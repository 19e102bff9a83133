/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm.h -- the list of all algorithms, searches and clusterers: how to run each, what it can
 * minimise, and which recoding releases its answer. */
#ifndef KN_ALGORITHM_H
#define KN_ALGORITHM_H

#include "cluster/cluster.h"
#include "transform/recoding.h"

typedef struct kn_algorithm kn_algorithm;

struct kn_algorithm {
    const kanon_algorithm        *info;
    const kn_recoding_class      *recoding;
    const kn_metric_class *const *metrics; /* that it can minimise, NULL at the end; NULL: any */
    kanon_status (*run)(const kn_algorithm *self, const kn_search_problem *problem,
                        kn_outcome *out); /* NULL: kn_algorithm_choose() finds another one */
    const void *method;                   /* its kn_search_class or kn_cluster_class */
};

/** NULL past the end. */
const kn_algorithm *kn_algorithm_at(size_t index);
/** NULL if there is none of that name. */
const kn_algorithm *kn_algorithm_find(const char *name);
/** The same two with the searches that were added to a config, which come last. */
const kn_algorithm *kn_algorithm_known(const kanon_config *config, size_t index);
const kn_algorithm *kn_algorithm_named(const kanon_config *config, const char *name);
/** The row of a search. */
kn_algorithm kn_algorithm_of_search(const kn_search_class *search);
/** Can it minimise this metric? Refuses it otherwise, naming those that it can. */
kanon_status kn_algorithm_allow(kanon_ctx *ctx, const kn_algorithm *algorithm,
                                const kn_metric_class *metric);

/** What is run in the end; the texts are static. */
typedef struct kn_algorithm_choice {
    const kn_algorithm *algorithm;
    uint64_t            most_evaluations; /* for a job that has no limit of its own; 0: none */
    const kn_algorithm *then;             /* runs if that was not enough; NULL: the answer stands */
    const char         *why;      /* one line: what, and the reason; "": it was asked for by name */
    const char         *why_late; /* in its place when that was not enough */
} kn_algorithm_choice;

/** The algorithm itself; in place of `auto`, one that suits the problem. */
kn_algorithm_choice kn_algorithm_choose(const kn_algorithm      *asked,
                                        const kn_search_problem *problem);

#endif

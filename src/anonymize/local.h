/* SPDX-License-Identifier: Apache-2.0 */
/* local.h -- the stages of a job that recodes class by class, where they differ from those that choose a
 * level per column: search, measure, and what a row becomes. */
#ifndef KN_ANONYMIZE_LOCAL_H
#define KN_ANONYMIZE_LOCAL_H

#include "cluster/cluster.h"
#include "measure/measure.h"
#include "transform/recode.h"

typedef struct kn_job kn_job;

/** What the stages found; all empty in a job with levels. */
typedef struct kn_job_local {
    const kn_cluster_class *clusterer; /* NULL: not this kind of job */
    kn_cluster_outcome      found;
    kn_recipes             *recipes;
    kn_centre              *centres; /* NULL: intervals and groups are shown */
    kn_spelling            *spelling;
    kn_table               *split;     /* the table, divided among the classes */
    uint32_t               *recipe_of; /* [tuples of split] */
    uint32_t               *class_of;  /* [tuples of split] as a reader of the release sees them */
    uint64_t               *sizes;
} kn_job_local;

/** Puts the rows into classes. */
kanon_status kn_job_cluster(kn_job *job);
/** Finds what each class releases, and what that cost. */
kanon_status kn_job_measure_local(kn_job *job);
void         kn_job_close_local(kn_job *job);
/** The table as the classes are told from: divided among them with local recoding. */
const kn_table *kn_job_table(const kn_job *job);
/** Rows of each released value of a column: rows[values of the column's spelling]. */
void kn_job_count_texts(const kn_job *job, size_t quasi, uint64_t *rows);

#endif

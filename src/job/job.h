/* job.h -- a job while it runs: what each stage found, for the next one and for the result. */
#ifndef KN_JOB_H
#define KN_JOB_H

#include "job/problem.h"
#include "measure/measure.h"
#include "report/result.h"
#include "transform/release.h"

typedef struct kn_job {
    kanon_ctx             *ctx;
    const char            *sink_name;
    double                 started;
    unsigned               threads;
    const kn_metric_class *metric;
    kn_problem             problem;
    const kn_search_class *search;
    const char            *choice; /* what auto chose and why, or "" */
    kn_search_outcome      found;
    kn_workspace          *ws;
    kn_grouping            grouping; /* at the chosen node */
    kn_measured            measured;
    kn_column_loss        *columns;   /* per quasi-identifier */
    kn_diversity          *diversity; /* per sensitive column */
    kn_outliers           *outliers;
    kn_cell_fate          *fates; /* per table column */
    kn_release_counts      counts;
    uint64_t               star_rows; /* of a released class that masked rows join */
    uint8_t                output_hash[KN_HASH_BYTES];
    kn_result_seconds      seconds;
} kn_job;

/** Gathers the result of a job that ended well or found nothing feasible. */
kanon_status kn_job_result(kn_job *job, kanon_result **out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- a job while it runs: what each stage found, for the next one and for the result. */
#ifndef KN_JOB_H
#define KN_JOB_H

#include "anonymize/local.h"
#include "anonymize/requirement.h"
#include "measure/measure.h"
#include "problem/problem.h"
#include "result/result.h"
#include "transform/release.h"

struct kn_job {
    kanon_ctx             *ctx;
    const char            *sink_name;
    double                 started;
    unsigned               threads;
    const kn_metric_class *metric;
    kn_problem             problem;
    const kanon_algorithm *algorithm; /* that was taken */
    const kn_search_class *search;    /* NULL: a clusterer */
    kn_job_local           local;
    const char            *choice; /* what auto chose and why, or "" */
    kn_search_outcome      found;
    kn_workspace          *ws;
    kn_grouping            grouping; /* at the chosen node */
    kn_measured            measured;
    kn_job_models          models;
    kn_column_loss        *columns;   /* per quasi-identifier */
    kn_diversity          *diversity; /* per sensitive column */
    kn_outliers           *outliers;
    kn_cell_fate          *fates;    /* per table column */
    kn_rows_out_column    *released; /* columns of the release */
    kn_release_counts      counts;
    kn_release_watch      *watch; /* columns that are copied though nobody chose a role for them */
    uint64_t               star_rows; /* of a released class that masked rows join */
    bool                   masks;     /* suppressed rows are masked, not left out */
    bool                   told;      /* settings that change nothing were warned of before */
    uint8_t                output_hash[KN_HASH_BYTES];
    kn_result_seconds      seconds;
};

/** Refuses an unknown algorithm or metric; fills in what was found of both. */
kanon_status kn_job_settings(kn_job *job, const kanon_config *config);
/** Searches the lattice of the job's problem, as its config says. */
kanon_status kn_job_search(kn_job *job);
/** Anonymizes any table into any release: first pass, search, second pass, verification, commit. On failure
 *  the release is abandoned; where nothing is feasible it is not begun.
 *  @param[out] out  owned by the caller; NULL on failure */
kanon_status kn_anonymize_rows(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source,
                               kn_rows_out *release, kanon_result **out);
/** Gathers the result of a job that ended well or found nothing feasible. */
kanon_status kn_job_result(kn_job *job, kanon_result **out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- a job while it runs: what each stage found, for the next one and for the result. */
#ifndef KN_JOB_H
#define KN_JOB_H

#include "algorithm/algorithm.h"
#include "anonymize/requirement.h"
#include "result/result.h"
#include "transform/release.h"

struct kn_job {
    kanon_ctx             *ctx;
    const char            *sink_name;
    double                 started;
    unsigned               threads;
    const kn_metric_class *metric;
    kn_problem             problem;
    const kn_algorithm    *asked;     /* `auto` perhaps */
    const kn_algorithm    *algorithm; /* that was run */
    const char            *choice;    /* what auto chose and why, or "" */
    kn_outcome             found;
    kn_recoding           *recoding; /* NULL: there is nothing to release */
    kn_grouping            grouping; /* its classes, judged */
    kn_measured            measured;
    kn_job_models          models;
    kn_column_loss        *columns;   /* per quasi-identifier */
    kn_diversity          *diversity; /* per sensitive column */
    kn_cell_fate          *fates;     /* per table column */
    kn_rows_out_column    *released;  /* columns of the release */
    kn_release_counts      counts;
    kn_release_watch      *watch; /* columns that are copied though nobody chose a role for them */
    uint64_t               star_rows; /* of a released class that masked rows join */
    bool                   masks;     /* suppressed rows are masked, not left out */
    bool                   told;      /* settings that change nothing were warned of before */
    uint8_t                output_hash[KN_HASH_BYTES];
    kn_result_seconds      seconds;
};

/** Anonymizes any table into any release: first pass, search, second pass, verification, commit. On failure
 *  the release is abandoned; where nothing is feasible it is not begun.
 *  @param[out] out  owned by the caller; NULL on failure */
kanon_status kn_anonymize_rows(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source,
                               kn_rows_out *release, kanon_result **out);

/** Refuses an unknown algorithm or metric; fills in what was found of both. */
kanon_status kn_job_settings(kn_job *job, const kanon_config *config);
/** Refuses a table with counts that the release could not keep. */
kanon_status kn_job_check_count(const kn_job *job, const kanon_config *config);
/** Warns of settings that change nothing with the algorithm that was asked for. */
void kn_job_warn_unused(const kn_job *job);

/* --- the stages, in their order ---------------------------------------------------------------------- */

/** Runs the algorithm that the config names, or that auto chooses, on the job's problem. */
kanon_status kn_job_search(kn_job *job);
void         kn_job_warn_interrupted(const kn_job *job);
/** Makes the classes of the release, judges them, and finds what they lose. */
kanon_status kn_job_recode(kn_job *job);
/** The same, and all that can be told of the release: masked rows, sensitive values, models. */
kanon_status kn_job_measure(kn_job *job);
/** Writes the release (second pass), and has it counted again by code that shares nothing with the rest. */
kanon_status kn_job_release(kn_job *job, kn_rows_out *out);
/** Gathers the result of a job that ended well or found nothing feasible. */
kanon_status kn_job_result(kn_job *job, kanon_result **out);
/** Frees what the stages found; the problem stays. */
void kn_job_close(kn_job *job);

/** The table as the classes divide it. */
const kn_table *kn_job_table(const kn_job *job);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- the state of a running job: what each stage found, for later stages and for the result. */
#ifndef KN_JOB_H
#define KN_JOB_H

#include "algorithm/algorithm.h"
#include "anonymize/requirement.h"
#include "problem/pseudonym.h"
#include "profile/profile.h"
#include "result/result.h"
#include "transform/release.h"
#include "verify/verify.h"

struct kn_job {
    kanon_ctx             *ctx;
    const char            *sink_name;
    double                 started;
    unsigned               threads;
    const kn_metric_class *metric;
    kn_problem             problem;
    kn_pseudonyms          pseudonyms;
    kn_links              *links;     /* of rows with one pseudonym; NULL: there are none */
    const kn_algorithm    *asked;     /* `auto` perhaps */
    const kn_algorithm    *algorithm; /* that was run */
    const kn_algorithm    *next;      /* that runs if it is not enough; NULL: none */
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
    kn_release_watch      *watch;     /* numbers of columns that are copied */
    kn_trace              *trace;     /* NULL: nobody asked for the classes of rows */
    kn_release_sample      sample;    /* of the release, for what all its columns tell together */
    uint64_t              *formulas;  /* per table column: released cells that a spreadsheet runs */
    uint64_t               star_rows; /* of a released class that masked rows join */
    kn_profile_column     *profiled;  /* per table column; NULL: there is no profile */
    int                    profile_year;
    bool                   masks; /* suppressed rows are masked, not left out */
    bool                   told;  /* settings that change nothing were warned of before */
    char              order_key[KN_ORDER_KEY_MOST + 1]; /* "": the order of the table is kept */
    uint8_t           output_hash[KN_HASH_BYTES];
    kn_result_seconds seconds;
};

/** Anonymizes any table into any release: first pass, search, second pass, verification, commit. On failure
 *  the release is abandoned; where nothing is feasible it is not begun.
 *  @param[out] out  owned by the caller; NULL on failure */
kanon_status kn_anonymize_rows(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source,
                               kn_rows_out *release, kanon_result **out);

/** Refuses an unknown algorithm or metric; fills in what was found of both. */
kanon_status kn_job_settings(kn_job *job, const kanon_config *config);
/** The key of the order of released rows: the one given, or a fresh one. Fails where there is no chance to be
 *  had, before any work. */
kanon_status kn_job_order_key(kn_job *job, const kanon_config *config);
/** Refuses a table with counts that the release could not keep. */
kanon_status kn_job_check_count(const kn_job *job, const kanon_config *config);
/** Refuses a table with columns that nobody gave a role, with what `kanon init` would propose for each,
 *  unless the config says what becomes of them. */
kanon_status kn_job_check_roles(const kn_job *job);
/** Warns of columns whose role is not what they look like: a name that is called insensitive. */
kanon_status kn_job_doubt_roles(const kn_job *job);
/** Warns of settings that change nothing with the algorithm that was asked for. */
void kn_job_warn_unused(const kn_job *job);

/* --- the stages, in their order ---------------------------------------------------------------------- */

/** What a search is asked: the job's problem, settings and threads. */
kn_search_problem kn_job_search_problem(const kn_job *job);
/** Runs the algorithm that the config names, or that auto chooses, on the job's problem. */
kanon_status kn_job_search(kn_job *job);
void         kn_job_warn_interrupted(const kn_job *job);
/** Makes the classes of the release, judges them, and finds what they lose. */
kanon_status kn_job_recode(kn_job *job);
/** The same, and everything the result reports about the release: masked rows, sensitive values, models. */
kanon_status kn_job_measure(kn_job *job);
/** Writes the release (second pass), and has it counted again by code that shares nothing with the rest. */
kanon_status kn_job_release(kn_job *job, kn_rows_out *out);
/** Looks at the columns as the profile does: rules out levels that show more than it allows, and refuses
 *  columns that are copied and do. */
kanon_status kn_job_open_profile(kn_job *job);
/** What the verifier is to look at in single cells; free it behind the verification. */
kanon_status kn_job_claim_cells(const kn_job *job, kn_claim *claim, kn_ruled **out);
/** Fills the profile of a result in which everything else is gathered. */
kanon_status kn_job_judge_profile(const kn_job *job, kanon_result *r);
/** Refuses a release that does not meet its profile. */
kanon_status kn_job_refuse_profile(const kn_job *job, const kanon_result *r);
/** Gathers the result of a job that ended well or found nothing feasible. */
kanon_status kn_job_result(kn_job *job, kanon_result **out);
/** Opens the sample of a release that is about to be written; there is none without further columns. */
kanon_status kn_job_open_sample(kn_job *job);
/** What the released columns tell together, into the result. */
kanon_status kn_job_link(const kn_job *job, kanon_result *r);
/** Sets of quasi-identifiers that could be kept, the others being dropped; texts are kept in the arena.
 *  most_evaluations: nodes that may be checked. */
kanon_status kn_job_column_sets(const kn_job *job, uint64_t most_evaluations, kn_arena *arena,
                                kn_kept_sets *out);
/** Frees what the stages found; the problem stays. */
void kn_job_close(kn_job *job);

/** The table as the classes divide it. */
const kn_table *kn_job_table(const kn_job *job);

#endif

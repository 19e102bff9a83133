/* SPDX-License-Identifier: Apache-2.0 */
/* requirement.h -- the privacy models of a job, stage by stage: judging the classes that were found,
 * telling what they reach, saying why nothing is feasible, and putting the requirement into rules that
 * the verifier checks. */
#ifndef KN_ANONYMIZE_REQUIREMENT_H
#define KN_ANONYMIZE_REQUIREMENT_H

#include "base/text.h"
#include "problem/problem.h"
#include "result/result.h"
#include "verify/row_audit.h"

typedef struct kn_job kn_job;

/** Models as rules that are checked again. */
typedef struct kn_job_rules {
    kn_audit_rule        *rules;
    kn_audit_rule_column *columns;
    uint64_t            **rows; /* [columns] */
    size_t                nrows;
    kn_audit_rules        all;
} kn_job_rules;

/** What a job knows of its models. */
typedef struct kn_job_models {
    uint8_t      *holds;         /* [classes of the grouping] */
    double       *reached;       /* [models] by the release; NAN: nothing was released */
    uint32_t     *seen_class_of; /* of kn_job_join_masked() */
    uint64_t     *seen_sizes;
    uint8_t      *seen_holds;
    kn_job_rules  shown;  /* for the verifier: models of what the release shows */
    kn_job_rules  hidden; /* for the audit of rows: models of columns that it does not show */
    kn_row_audit *row_audit;
} kn_job_models;

/** Judges the classes of the chosen node: hangs the verdicts into the job's grouping. */
kanon_status kn_job_judge(kn_job *job);
/** Finds what the classes of a release reach; masked: the one of masked rows, SIZE_MAX: there is none. */
kanon_status kn_job_reach(kn_job *job, const kn_grouping *seen, size_t masked);
/** Released rows that read `*` in every quasi-identifier, which masked rows would join; most often none. */
uint64_t kn_job_star_rows(const kn_job *job);
/** May the suppressed rows, together with those of a class that reads `*` everywhere, be a class? */
kanon_status kn_job_mask_holds(kn_job *job, bool *holds);
/** The classes as a reader of the release sees them when suppressed rows are masked: *seen is the job's
 *  grouping, and becomes one in which they are class *masked, together with rows that read `*` anyway. */
kanon_status kn_job_join_masked(kn_job *job, kn_grouping *seen, size_t *masked);
/** The models as rules for the verifier, and for the audit of rows in the second pass. places[columns of the
 *  table]: where each stands in the release; SIZE_MAX: it does not, or not in the clear. */
kanon_status kn_job_make_rules(kn_job *job, const size_t *places);
/** Why nothing is feasible, and the nearest setting that works. Failures to grow stay in the texts. */
kanon_status kn_job_advise(const kn_job *job, kn_text *text, kn_text *remedy);
void         kn_job_close_models(kn_job *job);

#endif

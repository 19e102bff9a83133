/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h -- shared by the parts of `kanon explain`. */
#ifndef KN_EXPLAIN_EXPLAIN_H
#define KN_EXPLAIN_EXPLAIN_H

#include "anonymize/job.h"
#include "result/explanation.h"

typedef struct kn_explaining {
    kanon_ctx          *ctx;
    const kanon_config *asked;  /* as the caller has it */
    kanon_config        config; /* the same without a time limit of its own */
    kn_rows_source     *source;
    kn_job              job;     /* with the settings as they are, searched */
    kn_workspace       *ws;      /* for any node of it */
    kn_checker         *checker; /* NULL: rows decide alone */
    uint8_t            *holds;   /* [ids of a grouping] */
    kn_run              run;     /* the whole of it: every search gets what is left of its time */
    kanon_explanation  *out;
    size_t              changes_capacity;
} kn_explaining;

/** Classes at a node of the job's lattice, judged. Valid until the next call. */
kanon_status kn_explain_group(kn_explaining *e, const uint8_t *levels, kn_grouping *out,
                              uint64_t *outlying);
/** Fills out->columns: losses, rows that would be saved, groups with outlying rows. */
kanon_status kn_explain_columns(kn_explaining *e);

/** Searches as anonymize does, up to the loss of what would be released; kn_job_close() is due. */
kanon_status kn_explain_search(kn_job *job);
/** Fills out->local and its part of out->columns from the classes of the job. */
kanon_status kn_explain_classes(kn_explaining *e);

/** The table of changes of settings under which a release exists. */
kanon_status kn_explain_changes(kn_explaining *e);
/** The nearest settings that work, where none exists. */
kanon_status kn_explain_repairs(kn_explaining *e);

/* --- one change (explain_run.c): each adds a line to the explanation -------------------------- */

/** Is there time for one more search? Scarce time becomes the search's own limit. */
bool kn_explain_has_time(const kn_explaining *e, kanon_config *config);
/** Whoever stops one of the searches stops the whole. */
void kn_explain_hear(kn_explaining *e, const kn_outcome *found);

/** What the calls below return, for a search for the first feasible change. */
typedef struct kn_changed {
    bool computed, feasible;
} kn_changed;

kanon_status kn_explain_level(kn_explaining *e, size_t column, uint8_t to);
kanon_status kn_explain_k(kn_explaining *e, uint64_t k, kn_changed *out);
kanon_status kn_explain_suppression(kn_explaining *e, double suppression, kn_changed *out);
kanon_status kn_explain_drop(kn_explaining *e, size_t column, kn_changed *out);
/** A privacy model with another limit, or (NaN) without it. index: of kn_explain_limit_at() */
kanon_status kn_explain_model(kn_explaining *e, size_t index, double limit, kn_changed *out);
/** What a set of columns keeps with the algorithm that was asked for, the others dropped. It stays as it is
 *  where there is no time, or no release. */
kanon_status kn_explain_set(kn_explaining *e, kn_kept_set *set);
/** Removes the last line: of several tries only the last one is reported. */
void kn_explain_take_back(kn_explaining *e);

/** A limit of a privacy model that a config may set: the index-th of them. */
typedef struct kn_explained_limit {
    const kn_model_setting *setting;
    size_t column; /* attribute of the config for which it holds alone; SIZE_MAX: all others */
    bool   least;  /* the lower one of two: a smaller one asks for less, 0 for nothing */
} kn_explained_limit;

/** False past the end. */
bool kn_explain_limit_at(const kanon_config *config, size_t index, kn_explained_limit *out);
/** What the config says; below 0: the model is off, or that limit of it. */
double kn_explain_limit(const kanon_config *config, kn_explained_limit limit);

#endif

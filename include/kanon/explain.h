/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h -- why a release loses so much, or why there is none: who the outlying rows are, and what other
 * settings would bring. Every number is found by running the changed settings. */
#ifndef KANON_EXPLAIN_H
#define KANON_EXPLAIN_H

#include "kanon/job.h"

KANON_BEGIN_DECLS

typedef struct kanon_explanation kanon_explanation;

/** Searches as kanon_anonymize() would, without releasing anything, and then again with one setting changed
 *  at a time: k, the suppression limit, a quasi-identifier or a privacy model less, one level up or down.
 *  With an algorithm that recodes class by class it tells which columns and classes lose most.
 *  Uses of config: those of a job; time-limit is for the whole (60 seconds unless given): changes that it
 *  leaves no time for are listed without numbers.
 *  @param[out] out  owned by the caller; release with kanon_explanation_free() */
KANON_API kanon_status kanon_explain(kanon_ctx *ctx, const kanon_config *config,
                                     const kanon_source *source, kanon_explanation **out);
KANON_API void         kanon_explanation_free(kanon_explanation *explanation);

/** As of the job with the settings as they are; KANON_OPTIMAL if it is proven. */
KANON_API kanon_outcome kanon_explanation_outcome(const kanon_explanation *explanation);
/** Writes and commits: text, JSON or a page. JSON: docs/explain.schema.json. */
KANON_API kanon_status kanon_explanation_write(kanon_ctx *ctx, const kanon_explanation *explanation,
                                               kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h -- explains why a release loses so much, or why there is none: which rows are outlying, and what
 * other settings would change. Every figure comes from a run with the changed settings.
 *
 *     const char *better;
 *     if (kanon_explain(ctx, config, source, &explanation) < 0)
 *         return 1;
 *     if (kanon_explanation_text(explanation, "verdict.better", &better) == KANON_OK)
 *         printf("%s\n", better);
 *     kanon_explanation_free(explanation);
 *
 * Its texts are borrowed and live until kanon_explanation_free(). Threads may read one explanation together,
 * as a result. It has exact counts of small groups: it is for people who may see the table. */
#ifndef KANON_EXPLAIN_H
#define KANON_EXPLAIN_H

#include "kanon/job.h"

KANON_BEGIN_DECLS

typedef struct kanon_explanation kanon_explanation;

/** Searches as kanon_anonymize() would, without releasing anything, and then again with one setting changed
 *  at a time: k, the suppression limit, one quasi-identifier or privacy model fewer, one level up or down.
 *  For local recoding it reports which columns and classes lose most. Uses the settings of a job; time-limit
 *  covers all runs together (60 seconds by default). Changes that there was no time for have no figures.
 *  @param[out] out  owned by the caller; release with kanon_explanation_free(); NULL on failure
 *  @return as kanon_anonymize(); that nothing is feasible is no failure */
KANON_API kanon_status kanon_explain(kanon_ctx *ctx, const kanon_config *config,
                                     const kanon_source *source, kanon_explanation **out);
KANON_API void         kanon_explanation_free(kanon_explanation *explanation);

/** The outcome with the settings as given; KANON_OPTIMAL if it is proven. */
KANON_API kanon_outcome kanon_explanation_outcome(const kanon_explanation *explanation);
/** Writes and commits text, JSON or HTML. JSON: docs/explain.schema.json. */
KANON_API kanon_status kanon_explanation_write(kanon_ctx *ctx, const kanon_explanation *explanation,
                                               kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

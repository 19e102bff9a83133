/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- the main job: a table goes in, a verified release comes out, and a result that tells
 * what was done and what it cost. */
#ifndef KANON_JOB_H
#define KANON_JOB_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

typedef struct kanon_result kanon_result;

typedef enum kanon_outcome {
    KANON_OPTIMAL,   /**< released; no better answer exists under these settings (proven) */
    KANON_FEASIBLE,  /**< released; valid, not proven to be the best */
    KANON_INFEASIBLE /**< nothing was released; kanon_result_advice() says why and what would work */
} kanon_outcome;

/** Reads source twice, searches, writes the release to sink, reads it back, verifies it, commits it.
 *  On failure the sink is abandoned, and when nothing is feasible it is not begun: no release, nothing
 *  half-written.
 *  @param[out] out  owned by the caller; release with kanon_result_free(); NULL on failure */
KANON_API kanon_status kanon_anonymize(kanon_ctx *ctx, const kanon_config *config,
                                       const kanon_source *source, kanon_sink *sink,
                                       kanon_result **out);
KANON_API void         kanon_result_free(kanon_result *result);

KANON_API kanon_outcome kanon_result_outcome(const kanon_result *result);
/** One line: why nothing is feasible and the nearest setting that works. Empty when released. */
KANON_API const char *kanon_result_advice(const kanon_result *result);
/** Rows that were read; those released are the rows less the suppressed ones. */
KANON_API uint64_t kanon_result_rows(const kanon_result *result);
KANON_API uint64_t kanon_result_suppressed(const kanon_result *result);
/** The level of a quasi-identifier, by column name; -1 if there is none. */
KANON_API int kanon_result_level(const kanon_result *result, const char *column);
/** A metric by its name ("log", "glm" ...). @return KANON_E_INVALID for an unknown name */
KANON_API kanon_status kanon_result_metric(const kanon_result *result, const char *name,
                                           double *out);
/** Writes and commits the report. */
KANON_API kanon_status kanon_result_write(kanon_ctx *ctx, const kanon_result *result,
                                          kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

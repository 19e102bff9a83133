/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- the main job: makes a verified release of a table, and a result that describes it.
 *
 *     kanon_sink *page;
 *     if (kanon_anonymize(ctx, config, source, sink, &result) < 0)
 *         return 1;
 *     if (kanon_result_outcome(result) == KANON_INFEASIBLE)
 *         fprintf(stderr, "%s\n", kanon_result_advice(result));
 *     kanon_sink_file(ctx, "report.html", &page);
 *     kanon_result_write(ctx, result, KANON_FORMAT_HTML, page);
 *     kanon_sink_free(page);
 *     kanon_result_free(result);
 *
 * Threads: a job runs in the thread that calls it, and starts helpers of its own (setting "threads") that are
 * gone when it returns.
 * Ownership: texts of a result are borrowed and live until kanon_result_free(). A result needs its context,
 * but neither config, source nor sink. */
#ifndef KANON_JOB_H
#define KANON_JOB_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

typedef struct kanon_result kanon_result;

typedef enum kanon_outcome {
    KANON_OPTIMAL,   /**< released; provably the best under these settings */
    KANON_FEASIBLE,  /**< released; not proven to be the best */
    KANON_INFEASIBLE /**< nothing was released; kanon_result_advice() says why and what would work */
} kanon_outcome;

/** Reads source twice, searches, writes the release to sink, reads it back, verifies it and commits it. On
 *  failure the sink is abandoned; if nothing is feasible it is never begun. There is no partial release.
 *  @param[out] out  owned by the caller; release with kanon_result_free(); NULL on failure
 *  @return KANON_E_INVALID for settings that do not fit the table, KANON_E_PARSE for a malformed table,
 *          KANON_E_IO, KANON_E_NOMEM, KANON_E_CANCELLED (ctx.h), KANON_E_VERIFY if the release fails */
KANON_API kanon_status kanon_anonymize(kanon_ctx *ctx, const kanon_config *config,
                                       const kanon_source *source, kanon_sink *sink,
                                       kanon_result **out);
KANON_API void         kanon_result_free(kanon_result *result);

KANON_API kanon_outcome kanon_result_outcome(const kanon_result *result);
/** One line: why nothing is feasible, and the nearest setting that works. Empty if there is a release. */
KANON_API const char *kanon_result_advice(const kanon_result *result);
/** Number of rows read; released rows are these minus the suppressed ones. */
KANON_API uint64_t kanon_result_rows(const kanon_result *result);
KANON_API uint64_t kanon_result_suppressed(const kanon_result *result);
/** The rows whose classes a result can keep; the values are flags. The classes of original rows are internal:
 *  they join the original to the release, class by class. Show them only to people who may see both. */
typedef enum kanon_rows {
    KANON_ROWS_RELEASED = 1, /**< of the release, in its order */
    KANON_ROWS_ORIGINAL = 2  /**< of the original table, in its order */
} kanon_rows;

/** Asks jobs that use this config to keep the class of each row in their results, for
 *  kanon_result_classes(). Nothing is kept unless you ask. This is no setting: neither a config file nor the
 *  command line can turn it on, and nothing of it is ever written to a file or a report.
 *  Costs 8 bytes a row for each kind of rows, 4 more while the release is put in order, and time in the
 *  second pass.
 *  @param rows  KANON_ROWS_RELEASED, KANON_ROWS_ORIGINAL, both (with |), or 0 to keep nothing
 *  @return KANON_E_INVALID for other flags */
KANON_API kanon_status kanon_config_keep_classes(kanon_config *config, unsigned rows);
/** The equivalence class of each row: a flat array of int64, which a binding can wrap as an array of its own
 *  (NumPy, Arrow int64) without copying. Classes are numbered from 0 in the order in which the release shows
 *  them first; rows have the same number exactly if the release shows the same in all quasi-identifiers.
 *  Rows that are masked instead of dropped are one class (together with a released class that shows `*` in
 *  all quasi-identifiers, if there is one). -1: the row is not in the release.
 *
 *  An item of the array is a record: one row of the table as it was given. With a count column each stands
 *  for as many rows as it says, and a record that stands for none is -1. Headers are no records; the records
 *  of an Arrow table are numbered through all its batches.
 *
 *      const int64_t *classes;
 *      size_t         count = 0;
 *      kanon_config_keep_classes(config, KANON_ROWS_RELEASED | KANON_ROWS_ORIGINAL);
 *      kanon_anonymize(ctx, config, source, sink, &result);
 *      if (kanon_result_classes(result, KANON_ROWS_ORIGINAL, &classes, &count) < 0)
 *          fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *      for (size_t row = 0; row < count; row++)
 *          printf("%zu: class %lld\n", row, (long long) classes[row]);
 *
 *  Reading changes nothing, so threads may share the array; a failure leaves its message in the context of
 *  the job.
 *  @param rows  one of the two
 *  @param[out] out  borrowed; valid until kanon_result_free(). NULL, and *count = 0, where nothing was
 *                   feasible, since then there is no release
 *  @return KANON_E_INVALID if the config of the job did not ask for it */
KANON_API kanon_status kanon_result_classes(const kanon_result *result, kanon_rows rows,
                                            const int64_t **out, size_t *count);
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

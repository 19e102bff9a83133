/* SPDX-License-Identifier: Apache-2.0 */
/* table.h -- a table that several jobs work on.
 *
 * kanon_anonymize(), kanon_check_run() and the others take a source of CSV. A kanon_table is for programs
 * that run more than one job on the same table, or whose table is not CSV. What one job has learned of it is
 * kept for the next: with the same roles, missing values and counts, another k, model, algorithm or limit
 * does not read it again, but for the second pass of a release. Not kept is what was learned with a
 * population, and by kanon_table_check() and kanon_table_compare(), which tell more cells apart.
 *
 *     kanon_table_csv(ctx, source, config, &table);
 *     kanon_table_check(ctx, config, table, &check);
 *     kanon_config_set(config, "k", "10");
 *     kanon_table_write(ctx, config, table, sink, &result);
 *     kanon_table_free(table);
 *
 * examples/several_jobs.c is a complete program.
 *
 * A table belongs to one context and is used by one thread at a time. Jobs never change it. */
#ifndef KANON_TABLE_H
#define KANON_TABLE_H

#include "kanon/arrow.h"
#include "kanon/check.h"
#include "kanon/compare.h"
#include "kanon/explain.h"
#include "kanon/pareto.h"

KANON_BEGIN_DECLS

typedef struct kanon_table kanon_table;

/** A table in CSV. Reads the beginning, so that a file that cannot be read is refused here.
 *  @param source  outlives the table
 *  @param config  how the table is written (delimiter, quote, header, encoding) and which columns it is
 *                 expected to have; only used during this call
 *  @param[out] out  owned by the caller; release with kanon_table_free() */
KANON_API kanon_status kanon_table_csv(kanon_ctx *ctx, const kanon_source *source,
                                       const kanon_config *config, kanon_table **out);
/** A table in memory, from Arrow arrays. The stream is read to its end; its arrays are kept as they are, and
 *  released with the table. Supported are bool, integers, floats, decimal128, utf8, large_utf8, utf8_view,
 *  dates, times and timestamps, and dictionaries of any of these; nulls are missing values. The same rows in
 *  CSV get the same release: docs/FORMATS.md says what each type reads as.
 *
 *      struct ArrowArrayStream stream;
 *      fill_in(&stream); // a library of yours
 *      if (kanon_table_arrow(ctx, "people", &stream, &table) < 0)
 *          fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *
 *  @param name  for messages and the report; copied
 *  @param in    taken over: it is released before the call returns, also when it fails
 *  @param[out] out  owned by the caller; release with kanon_table_free()
 *  @return KANON_E_UNSUPPORTED for a column of another type (the message names both), KANON_E_PARSE for
 *          arrays that are not what their schema says and for two columns of one name, KANON_E_IO when the
 *          stream fails (the message is the stream's) */
KANON_API kanon_status kanon_table_arrow(kanon_ctx *ctx, const char *name,
                                         struct ArrowArrayStream *in, kanon_table **out);
/** NULL is fine. */
KANON_API void kanon_table_free(kanon_table *table);

/** kanon_anonymize() of a table: the release is written as CSV, the way the table is. */
KANON_API kanon_status kanon_table_write(kanon_ctx *ctx, const kanon_config *config,
                                         kanon_table *table, kanon_sink *sink, kanon_result **out);
/** kanon_anonymize() of a table, in memory: the release is an Arrow stream. A column that stays unchanged
 *  keeps its Arrow type; a generalized one is a dictionary of utf8, a masked identifier is utf8. Columns of a
 *  table in CSV are utf8. Dictionaries contain only values that are released. As with files, the release is
 *  read back and verified before you get it.
 *
 *      struct ArrowArrayStream release;
 *      if (kanon_table_anonymize(ctx, config, table, &release, &result) == KANON_OK && release.release)
 *          release.release(&release); // or hand it on: whoever has it releases it
 *
 *  @param[out] release  owned by the caller, who calls its release callback, from any thread and at any
 *              time: it needs neither table nor context. (An allocator that was given to the context must
 *              live that long, and be safe to call from that thread.) Its `release` is NULL when the call
 *              fails and when nothing is feasible.
 *  @param[out] out  owned by the caller; release with kanon_result_free(); NULL on failure */
KANON_API kanon_status kanon_table_anonymize(kanon_ctx *ctx, const kanon_config *config,
                                             kanon_table *table, struct ArrowArrayStream *release,
                                             kanon_result **out);
/** kanon_check_run() of a table. */
KANON_API kanon_status kanon_table_check(kanon_ctx *ctx, const kanon_config *config,
                                         kanon_table *table, kanon_check **out);
/** kanon_compare() of two tables. */
KANON_API kanon_status kanon_table_compare(kanon_ctx *ctx, const kanon_config *config,
                                           kanon_table *original, kanon_table *released,
                                           const kanon_compare_options *options,
                                           kanon_comparison           **out);
/** kanon_explain() of a table. */
KANON_API kanon_status kanon_table_explain(kanon_ctx *ctx, const kanon_config *config,
                                           kanon_table *table, kanon_explanation **out);
/** kanon_pareto() of a table. */
KANON_API kanon_status kanon_table_pareto(kanon_ctx *ctx, const kanon_config *config,
                                          kanon_table *table, kanon_front **out);

KANON_END_DECLS
#endif

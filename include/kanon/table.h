/* SPDX-License-Identifier: Apache-2.0 */
/* table.h -- a table that several jobs work on.
 *
 * kanon_anonymize(), kanon_check_run() and the others take a source of CSV. A kanon_table is for programs
 * that run more than one job on the same table, or whose table is not CSV.
 *
 *     kanon_table *table;
 *     kanon_table_csv(ctx, source, config, &table);
 *     kanon_table_check(ctx, config, table, &check);
 *     kanon_config_set(config, "k", "10");
 *     kanon_table_write(ctx, config, table, sink, &result);
 *     kanon_table_free(table);
 *
 * A table belongs to one context and is used by one thread at a time. Jobs never change it. */
#ifndef KANON_TABLE_H
#define KANON_TABLE_H

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
/** NULL is fine. */
KANON_API void kanon_table_free(kanon_table *table);

/** kanon_anonymize() of a table: the release is written as CSV, the way the table is. */
KANON_API kanon_status kanon_table_write(kanon_ctx *ctx, const kanon_config *config,
                                         kanon_table *table, kanon_sink *sink, kanon_result **out);
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

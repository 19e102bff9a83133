/* SPDX-License-Identifier: Apache-2.0 */
/* check.h -- measures a table, no matter which tool released it: k, class sizes, l, t, risk.
 *
 *     kanon_config_set(config, "k", "5");
 *     if (kanon_check_run(ctx, config, released, &check) == KANON_OK && *kanon_check_failure(check))
 *         fprintf(stderr, "%s\n", kanon_check_failure(check)); // what it violates
 *     kanon_check_free(check);
 *
 * Its texts are borrowed and live until kanon_check_free(); kanon/result.h reads all figures by path. Threads
 * may read one check together, as a result. */
#ifndef KANON_CHECK_H
#define KANON_CHECK_H

#include "kanon/job.h"

KANON_BEGIN_DECLS

typedef struct kanon_check kanon_check;

/** Uses these settings of config: qi, sensitive, id, missing, wildcard and the CSV dialect. If k or privacy
 *  models (l-diversity and so on) are set, the table is checked against them.
 *  @param[out] out  owned by the caller; release with kanon_check_free(); NULL on failure
 *  @return KANON_E_INVALID (no quasi-identifier, or one that the table does not have), KANON_E_PARSE,
 *          KANON_E_IO, KANON_E_NOMEM, KANON_E_CANCELLED. A table that violates config is no failure */
KANON_API kanon_status kanon_check_run(kanon_ctx *ctx, const kanon_config *config,
                                       const kanon_source *source, kanon_check **out);
KANON_API void         kanon_check_free(kanon_check *check);
/** The size of the smallest class; 0 for a table without rows. */
KANON_API uint64_t kanon_check_k(const kanon_check *check);
/** One line: which requirement of config the table violates. Empty if it satisfies them all: k if set, every
 *  privacy model and, with either of them, that no identifier is in clear. */
KANON_API const char *kanon_check_failure(const kanon_check *check);
/** Writes and commits text or JSON. JSON: docs/check.schema.json.
 *  @return KANON_E_UNSUPPORTED for another format, KANON_E_IO, KANON_E_NOMEM */
KANON_API kanon_status kanon_check_write(kanon_ctx *ctx, const kanon_check *check,
                                         kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

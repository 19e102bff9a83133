/* SPDX-License-Identifier: Apache-2.0 */
/* check.h -- measure any table, released by whatever tool: k, class sizes, l, t, risk. */
#ifndef KANON_CHECK_H
#define KANON_CHECK_H

#include "kanon/job.h"

KANON_BEGIN_DECLS

typedef struct kanon_check kanon_check;

/** Uses of config: qi, sensitive, id, missing, wildcard, the CSV dialect, k where somebody set it, and the
 *  privacy models: l-diversity and so on. Those two are judged.
 *  @param[out] out  owned by the caller; release with kanon_check_free() */
KANON_API kanon_status kanon_check_run(kanon_ctx *ctx, const kanon_config *config,
                                       const kanon_source *source, kanon_check **out);
KANON_API void         kanon_check_free(kanon_check *check);
/** The size of the smallest class; 0 for a table without rows. */
KANON_API uint64_t kanon_check_k(const kanon_check *check);
/** One line: what config asks for and the table does not satisfy. Empty when it satisfies all of it: k where
 *  somebody set it, every privacy model and, with either of them, that no identifier is in clear. */
KANON_API const char  *kanon_check_failure(const kanon_check *check);
KANON_API kanon_status kanon_check_write(kanon_ctx *ctx, const kanon_check *check,
                                         kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

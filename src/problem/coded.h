/* SPDX-License-Identifier: Apache-2.0 */
/* coded.h -- a table whose numbers are coded on their way in: rounded, top- and bottom-coded. Everything
 * behind it sees the values that a release shows: models count them, and findings speak of them. */
#ifndef KN_PROBLEM_CODED_H
#define KN_PROBLEM_CODED_H

#include "config/config.h"
#include "table/rows.h"

/** Refuses codings that contradict a role or each other, before any work. */
kanon_status kn_coded_check(kanon_ctx *ctx, const kanon_config *config);
/** @param[out] out  for kn_mapped_free() of table/mapped.h; the table itself where nothing is coded. All
 *  borrowed. */
kanon_status kn_coded_new(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *of,
                          kn_rows_source **out);

#endif

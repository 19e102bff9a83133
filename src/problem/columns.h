/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h -- from the names in a config to columns of a table. */
#ifndef KN_COLUMNS_H
#define KN_COLUMNS_H

#include "config/config.h"

/** Where a configured column stands in the table. @return KANON_E_INVALID with the nearest name, or the
 *  names there are */
kanon_status kn_column_position(kanon_ctx *ctx, const kn_csv *csv, const kanon_source *source,
                                const kn_attribute *attribute, size_t *out);

struct kn_problem;

/** Refuses a name that a setting gives and the learned table does not have, with the nearest name or the
 *  names there are. */
kanon_status kn_column_unknown(const struct kn_problem *problem, const char *setting,
                               const char *name, kn_place at);

/** The missing tokens of a config as texts; the caller frees *out. */
kanon_status kn_missing_tokens(kanon_ctx *ctx, const kanon_config *config, kn_str **out);

/** Refuses a source or a sink that somebody filled in badly. */
kanon_status kn_source_check(kanon_ctx *ctx, const kanon_source *source);
kanon_status kn_sink_check(kanon_ctx *ctx, const kanon_sink *sink);

/** Bytes of a source, or 0. */
uint64_t kn_source_length(const kanon_source *source);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h -- finds the columns that a config names. */
#ifndef KN_COLUMNS_H
#define KN_COLUMNS_H

#include "config/config.h"

/** Where a configured column stands in the table. @return KANON_E_INVALID with the nearest name, or the
 *  names there are */
kanon_status kn_column_position(const kn_rows *rows, const kn_attribute *attribute, size_t *out);

/** Where the column stands that says how many rows each row is for; SIZE_MAX: there is none. */
size_t kn_count_column(const kanon_config *config, const kn_rows *rows);
/** Refuses a count that is no column of the table, or one that is something else as well. */
kanon_status kn_count_check(const kanon_config *config, const kn_rows *rows);

struct kn_problem;

/** Refuses a name that a setting gives and the learned table does not have, with the nearest name or the
 *  names there are. */
kanon_status kn_column_unknown(const struct kn_problem *problem, const char *setting,
                               const char *name, kn_place at);

/** The missing tokens of a config as texts; the caller frees *out. */
kanon_status kn_missing_tokens(kanon_ctx *ctx, const kanon_config *config, kn_str **out);

/** The table that a source holds in CSV, written as the config says. Refuses a source that somebody filled
 *  in badly. Source and config outlive the table. */
kanon_status kn_source_table(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                             kn_csv_table *out);
/** Refuses a sink that somebody filled in badly. */
kanon_status kn_sink_check(kanon_ctx *ctx, const kanon_sink *sink);

#endif

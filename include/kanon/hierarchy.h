/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.h -- how the values of one column become coarser, level by level.
 * Read-only after creation. Level 0 is the value itself, the last level is one value for all. */
#ifndef KANON_HIERARCHY_H
#define KANON_HIERARCHY_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

typedef struct kanon_hierarchy kanon_hierarchy;

/** Makes the hierarchy that a job would use for one column of a table.
 *  @param config  its entry for the column (type, hierarchy) and the CSV dialect are used
 *  @param[out] out  owned by the caller; release with kanon_hierarchy_free()
 *  @return KANON_E_PARSE or KANON_E_INVALID; the message names the value, the line and the fix */
KANON_API kanon_status kanon_hierarchy_build(kanon_ctx *ctx, const kanon_config *config,
                                             const kanon_source *source, const char *column,
                                             kanon_hierarchy **out);
/** Reads and checks a hierarchy file (one line per value, levels separated by ';', ',' or tab). */
KANON_API kanon_status kanon_hierarchy_read(kanon_ctx *ctx, const kanon_source *source,
                                            kanon_hierarchy **out);
KANON_API void         kanon_hierarchy_free(kanon_hierarchy *hierarchy);

/** Number of levels, level 0 included. */
KANON_API size_t kanon_hierarchy_levels(const kanon_hierarchy *hierarchy);
/** Number of different values at a level. */
KANON_API size_t kanon_hierarchy_groups(const kanon_hierarchy *hierarchy, size_t level);
/** Number of original values. */
KANON_API size_t kanon_hierarchy_values(const kanon_hierarchy *hierarchy);
/** What an original value reads at a level; borrowed, not terminated: *length has its length. */
KANON_API const char *kanon_hierarchy_label(const kanon_hierarchy *hierarchy, size_t value,
                                            size_t level, size_t *length);
/** Writes and commits it as a file that kanon and ARX read. */
KANON_API kanon_status kanon_hierarchy_write(kanon_ctx *ctx, const kanon_hierarchy *hierarchy,
                                             kanon_sink *sink);

KANON_END_DECLS
#endif

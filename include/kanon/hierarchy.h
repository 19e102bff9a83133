/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.h -- generalization hierarchies: how the values of a column become coarser, level by level.
 * Level 0 holds the values themselves; the last level has one value for all.
 *
 *     size_t      length;
 *     const char *label;
 *     if (kanon_hierarchy_build(ctx, config, source, "age", &hierarchy) < 0)
 *         return 1;
 *     for (size_t level = 0; level < kanon_hierarchy_levels(hierarchy); level++) {
 *         label = kanon_hierarchy_label(hierarchy, 0, level, &length);
 *         printf("%.*s\n", (int) length, label); // 24, 20-29, *
 *     }
 *     kanon_hierarchy_free(hierarchy);
 *
 * Read-only once made, so threads may read one together. Labels are borrowed and live until it is freed;
 * packs are static. */
#ifndef KANON_HIERARCHY_H
#define KANON_HIERARCHY_H

#include "kanon/config.h"

KANON_BEGIN_DECLS

typedef struct kanon_hierarchy kanon_hierarchy;

/** A code system that comes with the library: --hierarchy COLUMN=pack:NAME. */
typedef struct kanon_pack {
    const char *name;
    const char *version; /* of the code system */
    const char *summary;
    const char *levels; /* from fine to coarse, separated by ", " */
    const char *origin;
    const char *licence;
} kanon_pack;

/** The index-th pack in the order of their names, or NULL past the last. */
KANON_API const kanon_pack *kanon_pack_at(size_t index);

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
/** Number of distinct values at a level. */
KANON_API size_t kanon_hierarchy_groups(const kanon_hierarchy *hierarchy, size_t level);
/** Number of original values. */
KANON_API size_t kanon_hierarchy_values(const kanon_hierarchy *hierarchy);
/** The label of an original value at a level. Borrowed and not terminated; *length is its length. */
KANON_API const char *kanon_hierarchy_label(const kanon_hierarchy *hierarchy, size_t value,
                                            size_t level, size_t *length);
/** Writes and commits it as a file that kanon and ARX read. */
KANON_API kanon_status kanon_hierarchy_write(kanon_ctx *ctx, const kanon_hierarchy *hierarchy,
                                             kanon_sink *sink);

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h -- compares an original with a release of it, no matter which tool made it: what was lost.
 *
 *     double lost;
 *     if (kanon_compare(ctx, config, source, released, NULL, &comparison) < 0)
 *         return 1;
 *     if (kanon_comparison_number(comparison, "glm", &lost) == KANON_OK)
 *         printf("%.1f %% of the information is lost\n", 100 * lost);
 *     kanon_comparison_free(comparison);
 *
 * Its texts are borrowed and live until kanon_comparison_free(). Threads may read one comparison together, as
 * a result. It names values of the original: it is for people who may see that. */
#ifndef KANON_COMPARE_H
#define KANON_COMPARE_H

#include "kanon/job.h"

KANON_BEGIN_DECLS

typedef struct kanon_comparison kanon_comparison;

/** Zero means default for every field; start from KANON_COMPARE_OPTIONS_INIT. */
typedef struct kanon_compare_options {
    uint32_t size;
    uint64_t queries;    /**< random range counts to answer; 0: 1000 */
    int      no_queries; /**< not 0: ask none */
} kanon_compare_options;
#define KANON_COMPARE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(kanon_compare_options), 0, 0                                                        \
    }

/** Reads both tables once. Columns are matched by name; rows are not matched. Uses these settings of config:
 *  roles, types, hierarchies, weights, label, k (values that fewer than k rows, or fewer than 10, have are
 *  never named), seed, missing and the CSV dialect.
 *  @param options  may be NULL
 *  @param[out] out  owned by the caller; release with kanon_comparison_free(); NULL on failure
 *  @return KANON_E_INVALID (no column in common), KANON_E_PARSE, KANON_E_IO, KANON_E_NOMEM,
 *          KANON_E_CANCELLED */
KANON_API kanon_status kanon_compare(kanon_ctx *ctx, const kanon_config *config,
                                     const kanon_source *original, const kanon_source *released,
                                     const kanon_compare_options *options, kanon_comparison **out);
KANON_API void         kanon_comparison_free(kanon_comparison *comparison);
/** A number by its path in the JSON (see kanon/result.h), or by a short name: rows_before, rows_after,
 *  rows_lost, glm, gcp, entropy, tvd, pair_tvd, cm_before, cm_after, accuracy_before, accuracy_after,
 *  query_error. NaN where there is none (no label, no rows).
 *  @return KANON_E_INVALID for an unknown one */
KANON_API kanon_status kanon_comparison_number(const kanon_comparison *comparison, const char *path,
                                               double *out);
/** Writes and commits. JSON: docs/compare.schema.json. */
KANON_API kanon_status kanon_comparison_write(kanon_ctx *ctx, const kanon_comparison *comparison,
                                              kanon_format format, kanon_sink *sink);

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* result.h -- what a job found, read by path: every key of its JSON report, with the same value.
 *
 * A path names members from the root, separated by dots; an item of a list is picked by its number from 0:
 * "risk.prosecutor_max", "attributes[0].glm", "solution.levels.age". A name that holds a dot, a bracket or
 * a quote stands in brackets and quotes, its own quotes doubled: solution.levels["marital.status"],
 * solution.levels["6"" pipe"]. The empty path is the root.
 *
 * Everything that is handed out is borrowed and lives as long as the result. Reading changes nothing, but a
 * failure leaves its message in the context of the job: threads that share a result need a lock around
 * reading by paths that may be wrong.
 *
 *     double risk;
 *     size_t columns = kanon_result_count(result, "attributes");
 *     if (kanon_result_number(result, "risk.prosecutor_max", &risk) < 0)
 *         fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *     else
 *         printf("%zu columns, highest risk %g\n", columns, risk);
 *
 * A binding turns a whole result into its own dictionaries with kanon_tree_item(): it starts at the path ""
 * and goes down where an item is an object or a list. */
#ifndef KANON_RESULT_H
#define KANON_RESULT_H

#include "kanon/check.h"
#include "kanon/compare.h"
#include "kanon/explain.h"
#include "kanon/job.h"
#include "kanon/pareto.h"

KANON_BEGIN_DECLS

/** A result as a described tree: a view, which is never freed. */
typedef struct kanon_tree kanon_tree;

/** Who may see something. A report for outsiders holds nothing that is internal. */
typedef enum kanon_audience {
    KANON_AUDIENCE_INTERNAL, /**< those who may see the original table */
    KANON_AUDIENCE_EXTERNAL  /**< everybody who gets the release */
} kanon_audience;

typedef enum kanon_kind {
    KANON_KIND_NULL,   /**< there is no such value here; the meaning says when */
    KANON_KIND_TRUTH,  /**< integer and number are 0 or 1 */
    KANON_KIND_COUNT,  /**< a whole number: integer is exact, number may be rounded */
    KANON_KIND_NUMBER, /**< number */
    KANON_KIND_TEXT,   /**< text */
    KANON_KIND_OBJECT, /**< count members, each with a name */
    KANON_KIND_LIST    /**< count items */
} kanon_kind;

/** A place in a tree. */
typedef struct kanon_item {
    const char *name; /**< of a member of an object; NULL for an item of a list, and for the root */
    kanon_kind  kind;
    uint64_t    integer;
    double      number; /**< NaN where the value is no number */
    const char *text;   /**< NULL where the value is no text */
    size_t      count;
    const char *meaning;     /**< a line; "" for an item of a list */
    kanon_audience audience; /**< external: everybody may see it as it is here */
} kanon_item;

/** The result of kanon_anonymize() in one of its two editions. */
KANON_API const kanon_tree *kanon_result_tree(const kanon_result *result, kanon_audience edition);
KANON_API const kanon_tree *kanon_check_tree(const kanon_check *check);
KANON_API const kanon_tree *kanon_comparison_tree(const kanon_comparison *comparison);
KANON_API const kanon_tree *kanon_explanation_tree(const kanon_explanation *explanation);
KANON_API const kanon_tree *kanon_front_tree(const kanon_front *front);

/** A number, a count or a truth (0 or 1). NaN where the value is null.
 *  @return KANON_E_INVALID if there is none at that path; the message names the nearest path */
KANON_API kanon_status kanon_tree_number(const kanon_tree *tree, const char *path, double *out);
/** A text; NULL where the value is null. @return KANON_E_INVALID, as above */
KANON_API kanon_status kanon_tree_text(const kanon_tree *tree, const char *path, const char **out);
/** Items of a list, or members of an object. 0, and a message in the context, for anything else. */
KANON_API size_t kanon_tree_count(const kanon_tree *tree, const char *path);
/** What stands at a path. @return KANON_E_INVALID if nothing does */
KANON_API kanon_status kanon_tree_find(const kanon_tree *tree, const char *path, kanon_item *out);
/** The index-th item of the list, or member of the object, at a path.
 *  @return KANON_E_INVALID past the end */
KANON_API kanon_status kanon_tree_item(const kanon_tree *tree, const char *path, size_t index,
                                       kanon_item *out);

/* The same for each kind of result, of its internal edition. Comparisons have kanon_comparison_number(); the
 * count of a front is kanon_tree_count(kanon_front_tree(front), path). */
KANON_API kanon_status kanon_result_number(const kanon_result *result, const char *path,
                                           double *out);
KANON_API kanon_status kanon_result_text(const kanon_result *result, const char *path,
                                         const char **out);
KANON_API size_t       kanon_result_count(const kanon_result *result, const char *path);
KANON_API kanon_status kanon_check_number(const kanon_check *check, const char *path, double *out);
KANON_API kanon_status kanon_check_text(const kanon_check *check, const char *path,
                                        const char **out);
KANON_API size_t       kanon_check_count(const kanon_check *check, const char *path);
KANON_API kanon_status kanon_comparison_text(const kanon_comparison *comparison, const char *path,
                                             const char **out);
KANON_API size_t       kanon_comparison_count(const kanon_comparison *comparison, const char *path);
KANON_API kanon_status kanon_explanation_number(const kanon_explanation *explanation,
                                                const char *path, double *out);
KANON_API kanon_status kanon_explanation_text(const kanon_explanation *explanation,
                                              const char *path, const char **out);
KANON_API size_t kanon_explanation_count(const kanon_explanation *explanation, const char *path);
KANON_API kanon_status kanon_front_number(const kanon_front *front, const char *path, double *out);
KANON_API kanon_status kanon_front_text(const kanon_front *front, const char *path,
                                        const char **out);

/** The name of the index-th kind of JSON that results are written as: "report", "report-external", "check",
 *  "compare", "explain", "front"; NULL past the end. */
KANON_API const char *kanon_schema_at(size_t index);
/** Writes and commits the JSON Schema of one of them, made from the description that the results are written
 *  from. @return KANON_E_INVALID for an unknown name */
KANON_API kanon_status kanon_schema_write(kanon_ctx *ctx, const char *name, kanon_sink *sink);

KANON_END_DECLS
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* describe.h -- what the descriptions of the results share: the first members of each, risk, class sizes. */
#ifndef KN_RESULT_DESCRIBE_H
#define KN_RESULT_DESCRIBE_H

#include "config/config.h"
#include "measure/metrics.h"
#include "problem/clear.h"
#include "result/opening.h"
#include "result/tree.h"

/** Versions of the descriptions: 2 has one list of findings. */
enum {
    KN_SCHEMA_CHECK = 2,
    KN_SCHEMA_COMPARISON = 2,
    KN_SCHEMA_EXPLANATION = 2,
    KN_SCHEMA_FRONT = 2,
    KN_SCHEMA_REPORT = 2,
    KN_SCHEMA_EXTERNAL = 1
};

/** The last row of every table. */
#define KN_FIELDS_END                                                                              \
    {                                                                                              \
        .name = NULL                                                                               \
    }
/** The rows that every result begins with. */
#define KN_FIELD_KANON                                                                             \
    {                                                                                              \
        "kanon", KN_AS_VERSION, KN_BOTH, "version of the library that wrote it",                   \
            .get = kn_get_version                                                                  \
    }
#define KN_FIELD_SCHEMA(seen, version)                                                             \
    {                                                                                              \
        "schema", KN_AS_FIXED, seen,                                                               \
            "version of this description; it changes only when a key changes its meaning or goes", \
            .fixed = version                                                                       \
    }
#define KN_FIELDS_HEADER(version) KN_FIELD_KANON, KN_FIELD_SCHEMA(KN_BOTH, version)

/** A kn_risk as members of an object: all but the greatest risk, which editions tell differently. The last
 *  argument goes into every row. */
#define KN_FIELDS_RISK(type, risk, seen, ...)                                                          \
    { "prosecutor_mean",                                                                               \
      KN_AS_SHARE,                                                                                     \
      seen,                                                                                            \
      "classes over rows: the mean over the rows of the chance of picking the right row",              \
      KN_OF(type, risk.prosecutor_mean),                                                               \
      __VA_ARGS__ },                                                                                   \
        { "uniques",                                                                                   \
          KN_AS_COUNT,                                                                                 \
          seen,                                                                                        \
          "rows that are alone in their class",                                                        \
          KN_OF(type, risk.uniques),                                                                   \
          __VA_ARGS__ },                                                                               \
        { "rows", KN_AS_COUNT, seen, "rows in all classes", KN_OF(type, risk.rows), __VA_ARGS__ },     \
        { "classes",  KN_AS_COUNT, seen, "equivalence classes", KN_OF(type, risk.classes),             \
          __VA_ARGS__ },                                                                               \
        { "smallest_class", KN_AS_COUNT, seen, "its rows", KN_OF(type, risk.min_class), __VA_ARGS__ }, \
        { "largest_class", KN_AS_COUNT, seen, "its rows", KN_OF(type, risk.max_class), __VA_ARGS__ },  \
        { "below_2",                                                                                   \
          KN_AS_SHARE,                                                                                 \
          seen,                                                                                        \
          "share of rows in classes smaller than 2",                                                   \
          KN_OF(type, risk.below_2),                                                                   \
          __VA_ARGS__ },                                                                               \
        { "below_5",                                                                                   \
          KN_AS_SHARE,                                                                                 \
          seen,                                                                                        \
          "share of rows in classes smaller than 5",                                                   \
          KN_OF(type, risk.below_5),                                                                   \
          __VA_ARGS__ },                                                                               \
    {                                                                                                  \
        "below_10", KN_AS_SHARE, seen, "share of rows in classes smaller than 10",                     \
            KN_OF(type, risk.below_10), __VA_ARGS__                                                    \
    }
/** The lines that a report opens with: members of a kn_opening, or with a prefix such as `opening.` those of
 *  one within a struct. */
#define KN_FIELDS_OPENING(type, prefix)                                                            \
    { "headline", KN_AS_TEXT, KN_INSIDE, "what outweighs everything else; empty: nothing does",    \
      KN_OF(type, prefix headline) },                                                              \
        { "left", KN_AS_TEXT, KN_INSIDE, "what is left of the data", KN_OF(type, prefix left) },   \
        { "promised", KN_AS_TEXT, KN_BOTH, "what the release promises",                            \
          KN_OF(type, prefix promised) },                                                          \
        { "not_promised", KN_AS_TEXT, KN_BOTH, "what it does not promise",                         \
          KN_OF(type, prefix not_promised) },                                                      \
        { "look_at", KN_AS_TEXT, KN_INSIDE, "the most serious findings",                           \
          KN_OF(type, prefix look_at) },                                                           \
    {                                                                                              \
        "better", KN_AS_TEXT, KN_INSIDE, "what to do next", KN_OF(type, prefix better)             \
    }
/** The rows of a result that opens so and has findings. */
#define KN_FIELD_VERDICT(type)                                                                     \
    {                                                                                              \
        "verdict", KN_AS_OBJECT, KN_INSIDE,                                                        \
            "what a reader must know first, in sentences; an empty one says nothing",              \
            KN_WITHIN(type, opening, kn_shape_opening)                                             \
    }
#define KN_FIELD_FINDINGS(type)                                                                    \
    {                                                                                              \
        "findings", KN_AS_LIST, KN_INSIDE,                                                         \
            "all that there is to say about it, the most severe first",                            \
            KN_ROWS(type, findings.of, findings.count), .shape = &kn_shape_finding                 \
    }

#define KN_MEANS_GREATEST_RISK                                                                     \
    "1 over the smallest class: the maximum chance of picking the right row"

/** The rows that name what a model was asked for: { parameter: asked, other: asked_other }. */
bool kn_entry_asked(const char *const names[2], const double values[2], size_t index,
                    const char **name, kn_node *value);

/** The index-th of some settings: { key: value }. */
bool kn_entry_setting(const kn_setting *settings, size_t count, size_t index, const char **name,
                      kn_node *value);

kn_node kn_get_version(const kn_where *where);

extern const kn_described kn_shape_opening;    /* kn_opening */
extern const kn_described kn_shape_finding;    /* kn_finding */
extern const kn_described kn_shape_kept_set;   /* kn_kept_set */
extern const kn_described kn_shape_linkage;    /* kn_result_linkage */
extern const kn_described kn_shape_bucket;     /* kn_class_bucket */
extern const kn_described kn_shape_identifier; /* kn_clear_column */

#endif

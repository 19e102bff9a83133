/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.h -- the trade-off front: the releases of a table of which none is better than another in every
 * property that was asked for. */
#ifndef KANON_PARETO_H
#define KANON_PARETO_H

#include "kanon/algorithm.h"
#include "kanon/config.h"

KANON_BEGIN_DECLS

/** Something that a release has more or less of, to be an objective. */
typedef struct kanon_property {
    const char *name;      /**< "k", "glm" ... */
    const char *direction; /**< "max" or "min": which way is better */
    const char *type;      /**< "integer" or "number" */
    const char *scale;     /**< "log" or "linear": how its values are best shown */
    double      box;       /**< side of its boxes, unless another is asked for */
    const char *column;    /**< "sensitive" or "label": a column that it looks at; NULL: none */
    const char *summary;
} kanon_property;

/** The index-th property; NULL past the end. */
KANON_API const kanon_property *kanon_property_at(size_t index);
/** The index-th way to find a front; NULL past the end. */
KANON_API const kanon_algorithm *kanon_front_algorithm_at(size_t index);

typedef struct kanon_front kanon_front;

/** How a front is written. Zero means default for every field; start from KANON_FRONT_OPTIONS_INIT. */
typedef struct kanon_front_options {
    uint32_t    size;
    unsigned    width; /**< TEXT: columns of the terminal; 0: 80 */
    const char *file;  /**< HTML: where the JSON of this front is or will be; NULL: front.json */
    const char *input; /**< HTML: how the table is called in commands; NULL: as the source was */
} kanon_front_options;
#define KANON_FRONT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(kanon_front_options), 0, NULL, NULL                                                 \
    }

/** Reads the table once and finds the front. Uses of config: the roles, hierarchies and dialect of a job,
 *  suppression, objectives, boxes, algorithm (auto, exact, pbg-ea), param, seed, threads, time-limit.
 *  @param[out] out  owned by the caller; release with kanon_front_free(); NULL on failure */
KANON_API kanon_status kanon_pareto(kanon_ctx *ctx, const kanon_config *config,
                                    const kanon_source *source, kanon_front **out);
KANON_API void         kanon_front_free(kanon_front *front);

/** Points of the front. */
KANON_API size_t kanon_front_count(const kanon_front *front);
/** Is it the whole front, proven? */
KANON_API int kanon_front_exact(const kanon_front *front);
/** The value of a point (0 ..) in an objective, by its name. @return KANON_E_INVALID if there is none */
KANON_API kanon_status kanon_front_value(const kanon_front *front, size_t point,
                                         const char *objective, double *out);
/** The level of a quasi-identifier at a point, by column name; -1 if there is none. */
KANON_API int kanon_front_level(const kanon_front *front, size_t point, const char *column);
/** Writes and commits. options may be NULL. */
KANON_API kanon_status kanon_front_write(kanon_ctx *ctx, const kanon_front *front,
                                         kanon_format format, const kanon_front_options *options,
                                         kanon_sink *sink);

/** Makes a config ask for the release of one point of a front, as its JSON tells it: the settings that the
 *  front was found with, k, and fixed levels. What is set afterwards wins. kanon_anonymize() then refuses a
 *  table, quasi-identifiers or hierarchies other than those of the front.
 *  @param pick  1 is the first point */
KANON_API kanon_status kanon_config_pick(kanon_config *config, const kanon_source *front,
                                         size_t pick);

KANON_END_DECLS
#endif

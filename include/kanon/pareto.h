/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.h -- the Pareto front of a table: its non-dominated releases with respect to chosen objectives.
 *
 *     double k, loss;
 *     kanon_config_set(config, "objectives", "k,glm");
 *     if (kanon_pareto(ctx, config, source, &front) < 0)
 *         return 1;
 *     for (size_t i = 0; i < kanon_front_count(front); i++)
 *         if (kanon_front_value(front, i, "k", &k) == KANON_OK
 *             && kanon_front_value(front, i, "glm", &loss) == KANON_OK)
 *             printf("k %g: %g\n", k, loss);
 *     kanon_front_free(front);
 *
 * Its texts are borrowed and live until kanon_front_free(); properties and algorithms are static. Threads may
 * read one front together, as a result. */
#ifndef KANON_PARETO_H
#define KANON_PARETO_H

#include "kanon/algorithm.h"
#include "kanon/config.h"

KANON_BEGIN_DECLS

/** A property of releases that can be an objective. */
typedef struct kanon_property {
    const char *name;      /**< "k", "glm" ... */
    const char *direction; /**< "max" or "min": whether more or less is better */
    const char *type;      /**< "integer" or "number" */
    const char *scale;     /**< "log" or "linear": how its values are best shown */
    double      box;       /**< default side of its boxes */
    const char *column;    /**< "sensitive" or "label": the column it depends on; NULL: none */
    const char *summary;
} kanon_property;

/** The index-th property; NULL past the end. */
KANON_API const kanon_property *kanon_property_at(size_t index);
/** The index-th algorithm for fronts; NULL past the end. */
KANON_API const kanon_algorithm *kanon_front_algorithm_at(size_t index);

typedef struct kanon_front kanon_front;

/** Options for writing a front. Zero means default for every field; start from KANON_FRONT_OPTIONS_INIT. */
typedef struct kanon_front_options {
    uint32_t    size;
    unsigned    width; /**< TEXT: columns of the terminal; 0: 80 */
    const char *file;  /**< HTML: path of this front's JSON; NULL: front.json */
    const char *input; /**< HTML: path of the table; NULL: the name of the source */
} kanon_front_options;
#define KANON_FRONT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(kanon_front_options), 0, NULL, NULL                                                 \
    }

/** Reads the table once and finds the front. Uses of config the roles, hierarchies and dialect of a job,
 *  suppression, objectives, boxes, algorithm (auto, exact, pbg-ea), param, seed, threads, time-limit.
 *  @param[out] out  owned by the caller; release with kanon_front_free(); NULL on failure
 *  @return KANON_E_INVALID, KANON_E_PARSE, KANON_E_IO, KANON_E_NOMEM, KANON_E_CANCELLED */
KANON_API kanon_status kanon_pareto(kanon_ctx *ctx, const kanon_config *config,
                                    const kanon_source *source, kanon_front **out);
KANON_API void         kanon_front_free(kanon_front *front);

/** Number of points. */
KANON_API size_t kanon_front_count(const kanon_front *front);
/** 1 if this is provably the whole front, else 0. */
KANON_API int kanon_front_exact(const kanon_front *front);
/** The value of an objective, by name, at a point (from 0). @return KANON_E_INVALID if there is none */
KANON_API kanon_status kanon_front_value(const kanon_front *front, size_t point,
                                         const char *objective, double *out);
/** The level of a quasi-identifier at a point, by column name; -1 if there is none. */
KANON_API int kanon_front_level(const kanon_front *front, size_t point, const char *column);
/** Writes and commits. options may be NULL. */
KANON_API kanon_status kanon_front_write(kanon_ctx *ctx, const kanon_front *front,
                                         kanon_format format, const kanon_front_options *options,
                                         kanon_sink *sink);

/** Configures the release of one point of a front, read from its JSON: the front's settings, k, and fixed
 *  levels. Later settings override them. kanon_anonymize() then refuses a table, quasi-identifiers or
 *  hierarchies that differ from those of the front.
 *  @param pick  1 is the first point
 *  @return KANON_E_PARSE if the JSON is no front, KANON_E_INVALID if it has no such point */
KANON_API kanon_status kanon_config_pick(kanon_config *config, const kanon_source *front,
                                         size_t pick);

KANON_END_DECLS
#endif

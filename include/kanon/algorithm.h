/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm.h -- what there is to choose from, for help texts, man pages and front ends.
 *
 *     const kanon_algorithm *a;
 *     for (size_t i = 0; (a = kanon_algorithm_at(i)) != NULL; i++)
 *         printf("%s%s: %s\n", a->name, a->traits & KANON_TRAIT_EXACT ? " (exact)" : "", a->summary);
 *
 * All of it is static: valid for ever, from any thread. */
#ifndef KANON_ALGORITHM_H
#define KANON_ALGORITHM_H

#include "kanon/ctx.h"

KANON_BEGIN_DECLS

typedef struct kanon_param {
    const char *name;
    const char *type;     /**< "integer", "number", or the choices as "on|off" */
    double      min, max; /**< bounds of a number; 0, 0 for a choice */
    const char *fallback; /**< the default, as text */
    const char *help;
} kanon_param;

enum {
    KANON_TRAIT_EXACT = 1u,    /**< proves its answer when it runs to its end */
    KANON_TRAIT_ANYTIME = 2u,  /**< has a valid answer early and improves it */
    KANON_TRAIT_RANDOM = 4u,   /**< draws from the seed */
    KANON_TRAIT_MONOTONE = 8u, /**< needs a privacy model that is monotone */
    KANON_TRAIT_LOCAL = 16u,   /**< local recoding: each class has values of its own */
    KANON_TRAIT_ROWS = 32u     /**< only counts rows: cannot check privacy models beyond k */
};

typedef struct kanon_algorithm {
    const char        *name;
    const char        *summary;
    const char        *reference;
    uint32_t           traits;
    const kanon_param *params; /**< ends with a NULL name */
    const char
        *metric; /**< what it minimises when no metric is chosen; NULL: that of the setting, glm */
} kanon_algorithm;

/** The index-th algorithm; NULL past the end. */
KANON_API const kanon_algorithm *kanon_algorithm_at(size_t index);

typedef struct kanon_metric {
    const char *name;
    const char *summary;
} kanon_metric;

/** The index-th metric that a search can minimise; NULL past the end. */
KANON_API const kanon_metric *kanon_metric_at(size_t index);

KANON_END_DECLS
#endif

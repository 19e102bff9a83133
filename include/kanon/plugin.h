/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.h -- own search algorithms and own privacy models.
 *
 * A ring of its own around kanon.h, which does not include it: stable within a minor version, while kanon.h
 * is stable within a major one. A class says for which version it was written; a library of another one
 * refuses it.
 *
 * There is no global registry. A class is added to a config, and jobs with that config know it by its name:
 *
 *     static kanon_status
 *     step(void *state, kanon_search_env *env, kanon_step *next)
 *     {
 *         kanon_score score = KANON_SCORE_INIT;
 *         uint8_t     levels[KANON_COLUMNS_MOST];
 *
 *         for (size_t i = 0; i < kanon_search_columns(env); i++)
 *             levels[i] = (uint8_t) kanon_search_random(env, kanon_search_top(env)[i] + 1u);
 *         if (kanon_search_evaluations(env) > 1000)
 *             *next = KANON_STEP_DONE;
 *         return kanon_search_check(env, levels, &score);
 *     }
 *
 *     kanon_search_class mine = KANON_SEARCH_CLASS_INIT;
 *
 *     mine.name = "mine";
 *     mine.summary = "a thousand random nodes";
 *     mine.step = step;
 *     kanon_config_add_algorithm(config, &mine);
 *     kanon_config_set(config, "algorithm", "mine");
 *
 * A privacy model is added with its limit, and then every class of the job must satisfy it:
 *
 *     kanon_model_class simpson = KANON_MODEL_CLASS_INIT;
 *
 *     simpson.key = "simpson-diversity";
 *     simpson.promise = "the values of every class are as varied as D equally frequent ones";
 *     simpson.reached = by_shares;
 *     simpson.audit = by_pairs;
 *     kanon_config_add_model(config, &simpson, 2);
 *
 * What a plug-in cannot do: release anything. The library evaluates every node itself, keeps the best one,
 * and has the release read back and counted again before it gets its name. A plug-in that is wrong finds a
 * worse release, or none.
 *
 * Ownership: classes and all texts in them are copied. What `user` points to, and the functions, must stay
 * until the config is freed. Threads: see each function. Errors: every call returns a status, and the
 * context has the message. examples/plugin/ has whole programs. */
#ifndef KANON_PLUGIN_H
#define KANON_PLUGIN_H

#include "kanon/algorithm.h"
#include "kanon/config.h"

KANON_BEGIN_DECLS

/** Rises when a struct of this header, or what is asked of a plug-in, changes. */
#define KANON_PLUGIN_VERSION 1u

/** No table has more quasi-identifiers. */
#define KANON_COLUMNS_MOST 255

/* --- searches ---------------------------------------------------------------------------------------- */

/** The lattice of generalization levels, and the questions that a search may ask. A node is an array with
 *  a level per quasi-identifier, in the order of the config; level 0 is the original. It belongs to the
 *  library, and to the thread that calls init, step and fini. */
typedef struct kanon_search_env kanon_search_env;

/** What is known of a node. */
typedef struct kanon_score {
    uint32_t size;     /**< set by the library: sizeof(kanon_score) */
    int      feasible; /**< 1: satisfies k, all models and the suppression limit; 0: it does not */
    uint64_t suppressed; /**< rows to suppress; UINT64_MAX: not counted */
    double   loss;       /**< of a feasible node, by the metric of the job; infinite otherwise */
} kanon_score;
#define KANON_SCORE_INIT                                                                           \
    {                                                                                              \
        sizeof(kanon_score), 0, 0, 0                                                               \
    }

typedef enum kanon_step { KANON_STEP_MORE = 0, KANON_STEP_DONE = 1 } kanon_step;

/** A search. Zero, or NULL, means "none" for what is not marked as required. */
typedef struct kanon_search_class {
    uint32_t           size;    /**< sizeof(kanon_search_class) */
    uint32_t           version; /**< KANON_PLUGIN_VERSION */
    const char        *name;    /**< required: letters a to z, digits, - and _; as in "algorithm" */
    const char        *summary; /**< one line for people */
    uint32_t           traits;  /**< KANON_TRAIT_ANYTIME, _RANDOM and _MONOTONE, added up */
    const kanon_param *params;  /**< ends with a NULL name; "max-evaluations" is the budget */
    size_t             state_size; /**< bytes; zeroed by the library and aligned for any type */
    void              *user;       /**< see kanon_search_user() */
    /** Before the first step. values: of the parameters in the order of the table, numbers as numbers and
     *  choices as the index of the word. */
    kanon_status (*init)(void *state, kanon_search_env *env, const double *values);
    /** Required: one move or one generation, milliseconds. Between two steps the library looks at the time,
     *  the budget and whether somebody cancels. *next is KANON_STEP_MORE before. A failure ends the job. */
    kanon_status (*step)(void *state, kanon_search_env *env, kanon_step *next);
    /** After the last step, also when init or step failed. */
    void (*fini)(void *state, kanon_search_env *env);
} kanon_search_class;
#define KANON_SEARCH_CLASS_INIT                                                                    \
    {                                                                                              \
        sizeof(kanon_search_class), KANON_PLUGIN_VERSION, NULL, NULL, 0, NULL, 0, NULL, NULL,      \
            NULL, NULL                                                                             \
    }

/** Adds a search to a config. It is run when "algorithm" names it, and otherwise never.
 *  @return KANON_E_INVALID for a class that cannot be used: no name or no step, a name that is taken, bad
 *          parameters; KANON_E_UNSUPPORTED for a size or version that this library does not know */
KANON_API kanon_status kanon_config_add_algorithm(kanon_config             *config,
                                                  const kanon_search_class *algorithm);

/** Quasi-identifiers: as many levels has a node. */
KANON_API size_t kanon_search_columns(const kanon_search_env *env);
/** The greatest level of each. */
KANON_API const uint8_t *kanon_search_top(const kanon_search_env *env);
/** No node with a level below these is feasible. */
KANON_API const uint8_t *kanon_search_floor(const kanon_search_env *env);
/** Evaluates a node. The answer is remembered, and the best node is kept: there is nothing to hand over.
 *  When time or budget end meanwhile, the node is answered as infeasible.
 *  @return KANON_E_INVALID for a level above the top; KANON_E_CANCELLED; KANON_E_NOMEM. The job fails after
 *          any of these, whatever the search does next */
KANON_API kanon_status kanon_search_check(kanon_search_env *env, const uint8_t *levels,
                                          kanon_score *score);
/** The same for count nodes, one after the other in the array, on all threads of the job. */
KANON_API kanon_status kanon_search_check_many(kanon_search_env *env, const uint8_t *levels,
                                               size_t count, kanon_score *scores);
/** No node at or above this one has a smaller loss. The levels must not be above the top. */
KANON_API double kanon_search_bound(const kanon_search_env *env, const uint8_t *levels);
/** The best feasible node so far; levels may be NULL. At first that is the top, unless it is infeasible.
 *  @return its loss; infinite, and levels are left alone: there is none */
KANON_API double kanon_search_best(const kanon_search_env *env, uint8_t *levels);
/** Nodes that were evaluated so far. */
KANON_API uint64_t kanon_search_evaluations(const kanon_search_env *env);
/** A number from 0 to below - 1, from the seed of the job; 0 where below is 0. A search that draws from
 *  here alone gives the same release for the same seed. */
KANON_API uint64_t kanon_search_random(kanon_search_env *env, uint64_t below);
/** Zeroed memory from the context, freed by the library after fini. NULL: there is none; the job fails. */
KANON_API void *kanon_search_alloc(kanon_search_env *env, size_t bytes);
/** The `user` of the class. */
KANON_API void *kanon_search_user(const kanon_search_env *env);
/** Says why the search fails; text is copied. @return the status, which must be a failure */
KANON_API kanon_status kanon_search_fail(kanon_search_env *env, kanon_status status,
                                         const char *text);

/* --- privacy models ---------------------------------------------------------------------------------- */

/** An equivalence class, and the values that one sensitive column has in it. Values are numbered from 0;
 *  their texts are not told. */
typedef struct kanon_class_view {
    uint32_t        size;    /**< set by the library: sizeof(kanon_class_view) */
    uint64_t        rows;    /**< of the class, at least 1 */
    size_t          nvalues; /**< of the column in the whole table */
    const uint64_t *counts;  /**< [nvalues] rows of the class that hold each value */
    const uint32_t *seen;    /**< [nseen] values that occur in the class, in no order */
    size_t          nseen;
    uint64_t        table_rows;   /**< of the original table */
    const uint64_t *table_counts; /**< [nvalues] rows of the original table that hold each value */
} kanon_class_view;

/** How what a class reaches compares with the limit; equal is equal up to 1e-9. */
typedef enum kanon_sense {
    KANON_AT_LEAST = 0, /**< reached >= limit */
    KANON_AT_MOST = 1,  /**< reached <= limit */
    KANON_BELOW = 2     /**< reached < limit */
} kanon_sense;

/** What happens when classes are merged, as raising a level does. Searches skip nodes by it. Claiming too
 *  much costs better releases, and never releases a class that fails. */
typedef enum kanon_merge {
    KANON_MERGE_OPEN = 0, /**< nothing is known: not monotone */
    KANON_MERGE_GOOD = 1, /**< two classes that satisfy it make one that does */
    KANON_MERGE_ANY = 2   /**< a class that satisfies it does so together with any other class */
} kanon_merge;

/** What reports may say that a model protects. */
typedef enum kanon_guards {
    KANON_GUARDS_NOTHING = 0, /**< they conclude nothing */
    KANON_GUARDS_COUNT = 1,   /**< no class has one value alone */
    KANON_GUARDS_SHARES = 2   /**< how often a value occurs in a class is bounded */
} kanon_guards;

/** A privacy model, applied to every sensitive column. */
typedef struct kanon_model_class {
    uint32_t     size;      /**< sizeof(kanon_model_class) */
    uint32_t     version;   /**< KANON_PLUGIN_VERSION */
    const char  *key;       /**< required: letters a to z, digits, - and _; as in reports */
    const char  *name;      /**< for people; NULL: the key */
    const char  *promise;   /**< required: what holds, for people: "every class has ..." */
    const char  *parameter; /**< what the limit is called; NULL: "limit" */
    kanon_sense  sense;
    kanon_merge  merge;
    kanon_guards guards;
    void        *user; /**< handed to both functions */
    /** Required: how far a class goes. Called by several threads at once, for every class of every node
     *  that has k rows per class, so it must be quick and change nothing. NaN: it does not satisfy it. */
    double (*reached)(void *user, const kanon_class_view *view);
    /** Required, and another function: the same by other means. The verifier calls it with what it has
     *  itself counted in the release, and so does a check. The release is discarded where it disagrees. */
    double (*audit)(void *user, const kanon_class_view *view);
} kanon_model_class;
#define KANON_MODEL_CLASS_INIT                                                                     \
    {                                                                                              \
        sizeof(kanon_model_class), KANON_PLUGIN_VERSION, NULL, NULL, NULL, NULL, KANON_AT_LEAST,   \
            KANON_MERGE_OPEN, KANON_GUARDS_NOTHING, NULL, NULL, NULL                               \
    }

/** Adds a privacy model to a config: jobs and checks with it ask for it, besides k and other models. Fronts
 *  (kanon/pareto.h) refuse it, since their files could not name it.
 *  @return KANON_E_INVALID for a class that cannot be used: no key, promise, reached or audit, a key that is
 *          taken, a limit that is not finite; KANON_E_UNSUPPORTED for a size or version that this library
 *          does not know */
KANON_API kanon_status kanon_config_add_model(kanon_config *config, const kanon_model_class *model,
                                              double limit);

KANON_END_DECLS
#endif

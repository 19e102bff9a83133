/* SPDX-License-Identifier: Apache-2.0 */
/* config.h -- the settings of a job: every option of the command line, and the role, type and hierarchy of
 * each column. Values are text, as in config files and on the command line; one table of settings serves all
 * three.
 *
 *     const char *columns;
 *     kanon_config_new(ctx, &config);
 *     kanon_config_set(config, "qi", "age,postcode");
 *     kanon_config_set(config, "hierarchy", "age=range:5,10,20");
 *     if (kanon_config_set(config, "suppresion", "0.05") < 0) // ... did you mean 'suppression'?
 *         fprintf(stderr, "%s\n", kanon_ctx_message(ctx));
 *     if (kanon_config_get(config, "qi", 0, &columns) == KANON_OK && columns)
 *         printf("quasi-identifiers: %s\n", columns);
 *
 * Ownership: a config copies what it is given. Jobs only read it, so that one config may serve many jobs, one
 * after the other.
 * Threads: as its context, one at a time.
 * Errors: KANON_E_INVALID for what a setting does not take, KANON_E_PARSE for a malformed file (the message
 * names its line), KANON_E_NOMEM. */
#ifndef KANON_CONFIG_H
#define KANON_CONFIG_H

#include "kanon/io.h"

KANON_BEGIN_DECLS

typedef struct kanon_config kanon_config;

/** Later calls for this config report failures through ctx. */
KANON_API kanon_status kanon_config_new(kanon_ctx *ctx, kanon_config **out);
KANON_API void         kanon_config_free(kanon_config *config);

/** Sets one option by its long name ("k", "suppression", "qi", "hierarchy", "param" ...). Lists are
 *  separated by commas; "hierarchy" takes COLUMN=SPEC and "param" takes KEY=VALUE.
 *  @return KANON_E_INVALID for an unknown name (the message suggests the nearest) or a bad value */
KANON_API kanon_status kanon_config_set(kanon_config *config, const char *name, const char *value);

/** Reads a YAML (or JSON) document. Relative file names in it are resolved against folder (NULL: the current
 *  one). Later settings override those of the document. */
KANON_API kanon_status kanon_config_read(kanon_config *config, const kanon_source *source,
                                         const char *folder);

/** The current value of a setting in the form that kanon_config_set() takes: the index-th one (0 for settings
 *  with one value), or *out = NULL past the last one and if the setting is off. Defaults count as values.
 *  "qi", "id" and "sensitive" list all columns with that role, in the order in which they were first named.
 *  The metric has no value until you set it, because its default depends on the algorithm.
 *  @param[out] out  borrowed; valid until the next call for this config, or until it is freed
 *  @return KANON_E_INVALID for an unknown name */
KANON_API kanon_status kanon_config_get(kanon_config *config, const char *name, size_t index,
                                        const char **out);

/** Takes the settings that a release was made with, as far as its labels follow from them (roles, types,
 *  hierarchies ...), from the internal JSON report of the job. Later settings override them.
 *  @param release  name of the released file, which the report must be about; NULL: any
 *  @return KANON_E_INVALID, and nothing is taken, if it is another file, or no internal report */
KANON_API kanon_status kanon_config_take_report(kanon_config *config, const kanon_source *report,
                                                const char *release);

/** The index-th report file in the settings; NULL past the end. The caller writes it. */
KANON_API const char *kanon_config_report(const kanon_config *config, size_t index);

/** The index-th input file that the settings name (hierarchy files, place tables), as it will be opened; NULL
 *  past the end. For callers that must not overwrite them. */
KANON_API const char *kanon_config_file(const kanon_config *config, size_t index);

/** What one value of a setting is. */
typedef enum kanon_value {
    KANON_VALUE_TEXT,    /**< any text; the help says what it means */
    KANON_VALUE_INTEGER, /**< a whole number from min to max */
    KANON_VALUE_NUMBER,  /**< a number from min to max */
    KANON_VALUE_CHOICE,  /**< one of the words in argument, which stand there with | between them */
    KANON_VALUE_SWITCH,  /**< true or false */
    KANON_VALUE_COLUMN,  /**< the name of a column */
    KANON_VALUE_FILE,    /**< the name of a file */
    KANON_VALUE_NAME     /**< of an algorithm, a metric or a property of fronts */
} kanon_value;

/** How many values a setting has. */
typedef enum kanon_shape {
    KANON_SHAPE_VALUE,  /**< one; setting it again replaces it */
    KANON_SHAPE_SWITCH, /**< one, true or false; the option takes no argument */
    KANON_SHAPE_LIST, /**< several, separated by commas; a name that holds a comma stands in double quotes.
                         *   Columns are added to those given before; other lists replace them */
    KANON_SHAPE_ITEM, /**< several, each set by a call of its own */
    KANON_SHAPE_PAIR /**< several KEY=VALUE, each set by a call of its own; the value is of that type */
} kanon_shape;

/** One line of the table behind kanon_config_set(): options, config keys, help and completion are
 *  all made from it. Static: valid for ever, from any thread. */
typedef struct kanon_setting {
    const char *name;     /**< "time-limit" */
    const char *argument; /**< "SECONDS"; NULL for a switch (value "true" or "false") */
    const char *fallback; /**< the default as text, or NULL: off, or found out from the table */
    const char *help;
    kanon_value type;
    /** Bounds of an integer or number; both 0 for other types. Models also take "off", and values below min
     *  that ask for nothing, with a warning. */
    double      min, max;
    int         above_min; /**< 1: min itself is not allowed */
    kanon_shape shape;
} kanon_setting;
/** The index-th setting; NULL past the end. */
KANON_API const kanon_setting *kanon_setting_at(size_t index);
/** 1 if the setting belongs to the privacy models beyond k, else 0. */
KANON_API int kanon_setting_is_model(const kanon_setting *setting);

/** For "did you mean": the name nearest to a misspelt word by edit distance, ignoring case; NULL if none is
 *  near. Borrowed from names. */
KANON_API const char *kanon_nearest(const char *word, const char *const *names, size_t count);

KANON_END_DECLS
#endif

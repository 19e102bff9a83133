/* SPDX-License-Identifier: Apache-2.0 */
/* config.h -- what a job shall do: every option of the command line, and the role, type and
 * hierarchy of each column. Values are text, as in the config file and on the command line, so that
 * one table of settings serves all three. */
#ifndef KANON_CONFIG_H
#define KANON_CONFIG_H

#include "kanon/io.h"

KANON_BEGIN_DECLS

typedef struct kanon_config kanon_config;

/** Failures of the calls below are told by ctx. */
KANON_API kanon_status kanon_config_new(kanon_ctx *ctx, kanon_config **out);
KANON_API void         kanon_config_free(kanon_config *config);

/** Sets one option by its long name ("k", "suppression", "qi", "hierarchy", "param" ...). Lists are
 *  separated by commas; "hierarchy" takes COLUMN=SPEC and "param" takes KEY=VALUE.
 *  @return KANON_E_INVALID for an unknown name (the message suggests the nearest) or a bad value */
KANON_API kanon_status kanon_config_set(kanon_config *config, const char *name, const char *value);

/** Reads a YAML (or JSON) document. Relative file names in it are taken from folder (NULL: the
 *  current one). What is set afterwards wins over what the document says. */
KANON_API kanon_status kanon_config_read(kanon_config *config, const kanon_source *source,
                                         const char *folder);

/** What a setting is at the moment, in the form that kanon_config_set() takes: its index-th value (0 for a
 *  setting that has one), or *out = NULL past the last one and where the setting is off. A default counts
 *  as a value. Columns are told by role, whichever way they got it: "qi" lists the quasi-identifiers in the
 *  order of their first mention.
 *  The metric has no value until one is set, because its default depends on the algorithm.
 *  @param[out] out  borrowed; valid until the next call for this config, or until it is freed
 *  @return KANON_E_INVALID for an unknown name */
KANON_API kanon_status kanon_config_get(kanon_config *config, const char *name, size_t index,
                                        const char **out);

/** The index-th report file that was asked for; NULL past the end. Writing it is the caller's. */
KANON_API const char *kanon_config_report(const kanon_config *config, size_t index);

/** The index-th file that the settings name, as it will be opened: hierarchy files and place tables;
 *  NULL past the end. For callers that must not write over them. */
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
    double      min,
        max; /**< bounds of an integer or number, of which a few settings exclude the lower one (the
                           *   message says so); both 0 for other types. Models also take "off", and values
                           *   below min that ask for nothing, with a warning */
    kanon_shape shape;
} kanon_setting;
/** The index-th setting; NULL past the end. */
KANON_API const kanon_setting *kanon_setting_at(size_t index);
/** Does it belong to the privacy models beyond k? @return 1 or 0 */
KANON_API int kanon_setting_is_model(const kanon_setting *setting);

/** The name that a misspelt word most likely means, for a "did you mean": of count names the nearest by
 *  edit distance, case aside; NULL if none is near. Borrowed from names. */
KANON_API const char *kanon_nearest(const char *word, const char *const *names, size_t count);

KANON_END_DECLS
#endif

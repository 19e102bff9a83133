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

/** The index-th report file that was asked for; NULL past the end. Writing it is the caller's. */
KANON_API const char *kanon_config_report(const kanon_config *config, size_t index);

/** The index-th file that the settings name, as it will be opened: hierarchy files and place tables;
 *  NULL past the end. For callers that must not write over them. */
KANON_API const char *kanon_config_file(const kanon_config *config, size_t index);

/** One line of the table behind kanon_config_set(): options, config keys, help and completion are
 *  all made from it. */
typedef struct kanon_setting {
    const char *name;     /**< "time-limit" */
    const char *argument; /**< "SECONDS"; NULL for a switch (value "true" or "false") */
    const char *fallback; /**< the default as text, or NULL */
    const char *help;
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

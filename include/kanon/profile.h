/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h -- what laws and guidelines ask of a release, as far as it can be counted: --profile NAME. A
 * profile sets thresholds and lists requirements; each is met, not met, or for a person to judge. That every
 * requirement is met does not mean that a release fulfils the law.
 *
 *     const kanon_profile *p;
 *     for (size_t i = 0; (p = kanon_profile_at(i)) != NULL; i++)
 *         printf("%s: %s (%s)\n", p->name, p->title, p->source);
 *
 * All of it is static: valid for ever, from any thread. */
#ifndef KANON_PROFILE_H
#define KANON_PROFILE_H

#include "kanon/ctx.h"

KANON_BEGIN_DECLS

typedef struct kanon_profile {
    const char *name;   /**< "ema-0070" */
    const char *title;  /**< what it is */
    const char *source; /**< where it is published */
    const char *number; /**< where its thresholds are from; "": it has none */
} kanon_profile;

/** A setting that a profile makes, or does not let be weakened. */
typedef struct kanon_profile_setting {
    const char *name;
    const char *value; /**< at least this, or what is not allowed */
    int         least; /**< 1: at least value; 0: anything but value */
} kanon_profile_setting;

typedef struct kanon_requirement {
    const char *section; /**< of the report's outline */
    const char *what;    /**< is required */
    const char *source;  /**< where it is said */
} kanon_requirement;

/** The index-th profile; NULL past the end. */
KANON_API const kanon_profile *kanon_profile_at(size_t index);
/** The setting-th setting of the index-th profile; NULL past the end of either. */
KANON_API const kanon_profile_setting *kanon_profile_setting_at(size_t index, size_t setting);
/** The requirement-th requirement of the index-th profile; NULL past the end of either. */
KANON_API const kanon_requirement *kanon_requirement_at(size_t index, size_t requirement);

KANON_END_DECLS
#endif

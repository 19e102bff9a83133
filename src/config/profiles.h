/* SPDX-License-Identifier: Apache-2.0 */
/* profiles.h -- the one table of profiles: settings, requirements and their sources, as plain data. How a
 * requirement is counted is told by its kind; src/profile/ has a function for each kind. */
#ifndef KN_CONFIG_PROFILES_H
#define KN_CONFIG_PROFILES_H

#include "config/config.h"
#include "kanon/profile.h"

/** How a requirement is counted. */
typedef enum {
    KN_REQUIRES_A_PERSON,    /* not at all */
    KN_REQUIRES_HIPAA,       /* one of the identifiers of safe harbor, by its letter */
    KN_REQUIRES_FREE_TEXT,   /* no free text is released */
    KN_REQUIRES_IDENTIFIERS, /* nothing is released that is taken for a direct identifier */
    KN_REQUIRES_QUASI,       /* there are quasi-identifiers */
    KN_REQUIRES_K,           /* rows, or persons, of the smallest class: at least limit */
    KN_REQUIRES_RISK,        /* 1 over the same: at most limit */
    KN_REQUIRES_ORDER,       /* released rows are shuffled */
    KN_REQUIRES_GUARDS,      /* every sensitive column has a model that protects its values */
    KN_REQUIRES_SINGLES,     /* further columns single out nobody within a class */
    KN_REQUIRES_KINDS
} kn_requires;

typedef struct kn_requirement {
    kanon_requirement about;
    kn_requires       kind;
    double            limit;
    char              letter;
} kn_requirement;

typedef struct kn_profile_table {
    kanon_profile                about;
    const kanon_profile_setting *settings;     /* ends with a NULL name */
    const kn_requirement        *requirements; /* ends with a NULL section */
} kn_profile_table;

/** The chosen one; NULL: none was chosen. */
const kn_profile_table *kn_config_profile(const kanon_config *config);
/** Refuses settings that are weaker than the profile's. */
kanon_status kn_config_check_profile(kanon_ctx *ctx, const kanon_config *config);

#endif

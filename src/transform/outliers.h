/* SPDX-License-Identifier: Apache-2.0 */
/* outliers.h -- the classes that must not be released, so that the second pass can decide on a row from
 * its generalized values alone. */
#ifndef KN_OUTLIERS_H
#define KN_OUTLIERS_H

#include "privacy/privacy.h"

typedef struct kn_outliers kn_outliers;

/** Collects the outlying classes of a grouping at a node. */
kanon_status kn_outliers_new(kanon_ctx *ctx, const kn_view *view, const uint8_t *levels,
                             const kn_grouping *grouping, const kn_privacy *privacy,
                             kn_outliers **out);
void         kn_outliers_free(kn_outliers *outliers);
/** Is the class with these groups (one per quasi-identifier) outlying? */
bool kn_outliers_has(const kn_outliers *outliers, const uint32_t *groups);

#endif

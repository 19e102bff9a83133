/* SPDX-License-Identifier: Apache-2.0 */
/* p_sensitive.c -- p-sensitive k-anonymity (Truta and Vinay, "Privacy protection: p-sensitive k-anonymity
 * property", 2006): distinct l-diversity under the name that its users know. Cost: O(1). */
#include "privacy/registry.h"

static const kn_model_setting p_sensitive = {
    KN_VALUE(COUNT, "p-sensitive", "N",
             "p-sensitive k-anonymity: minimum number of sensitive values in a class"),
    .scope = KN_OF_SENSITIVE,
    .idle = "every class has at least one value; use 2 or more",
};

const kn_model_class kn_model_p_sensitive = {
    .name = "p-sensitive k-anonymity",
    .key = "p-sensitive",
    .promise = "every class has at least p distinct values",
    .parameter = "p",
    .setting = &p_sensitive,
    KN_COUNTS_VALUES(KN_GUARDS_COUNT),
};

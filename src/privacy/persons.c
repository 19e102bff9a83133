/* SPDX-License-Identifier: Apache-2.0 */
/* persons.c -- persons in place of rows: k-anonymity of a table in which a person may have several rows.
 * Cost: O(1). */
#include "privacy/registry.h"

const kn_model_setting kn_entity_setting = {
    KN_VALUE(COLUMN, "entity", "COL",
             "count persons, not rows: the column that identifies the person"),
    .scope = KN_OF_NAMED,
};

const kn_model_class kn_model_persons = {
    .name = "k persons",
    .key = "persons",
    .promise = "every class has rows of at least k distinct persons",
    .parameter = "k",
    .setting = &kn_entity_setting,
    .limit = KN_LIMIT_K,
    KN_COUNTS_VALUES(KN_GUARDS_PERSONS),
};

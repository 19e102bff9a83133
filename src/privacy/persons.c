/* SPDX-License-Identifier: Apache-2.0 */
/* persons.c -- persons in place of rows: k-anonymity of a table in which a person may have several rows.
 * Cost: O(1). */
#include "privacy/registry.h"

const kn_model_setting kn_entity_setting = {
    .value = { .name = "entity",
               .argument = "COL",
               .type = KANON_VALUE_COLUMN,
               .help = "count persons, not rows: the column that identifies the person" },
    .asks = KN_ASKS_COLUMN,
    .scope = KN_OF_NAMED,
};

const kn_model_class kn_model_persons = {
    .name = "k persons",
    .key = "persons",
    .promise = "every class has rows of at least k distinct persons",
    .parameter = "k",
    .setting = &kn_entity_setting,
    .guards = KN_GUARDS_PERSONS,
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .limit = KN_LIMIT_K,
    .whole = true,
    .reached = kn_model_count_values,
    .audit = kn_audit_distinct,
};

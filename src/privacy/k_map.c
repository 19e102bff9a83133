/* SPDX-License-Identifier: Apache-2.0 */
/* k_map.c -- k-map (Sweeney 2001): people of a population that a class may stand for. Cost: O(1). */
#include "privacy/registry.h"

static double
people(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return (double) c->people;
}

static const kn_model_setting k_map = {
    KN_VALUE(COUNT, "k-map", "N", "minimum number of people of the population that match a class"),
    .scope = KN_OF_POPULATION,
    .idle = "every class matches at least one person; use 2 or more",
};

const kn_model_class kn_model_k_map = {
    .name = "k-map",
    .key = "k-map",
    .promise = "every class matches at least k people of the population",
    .parameter = "k",
    .setting = &k_map,
    .guards = KN_GUARDS_PEOPLE,
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .whole = true,
    .reached = people,
    .audit = kn_audit_people,
};

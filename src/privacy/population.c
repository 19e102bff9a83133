/* SPDX-License-Identifier: Apache-2.0 */
/* population.c -- models that ask whom of a population a class may stand for: k-map (Sweeney 2001) and
 * delta-presence (Nergiz, Atzori and Clifton, "Hiding the presence of individuals from shared
 * databases", 2007). Cost: a division. */
#include <math.h>

#include "privacy/model.h"

static double
people(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return (double) c->people;
}

/* The chance that somebody of the population who fits the class is in the table. */
static double
presence(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return c->people ? (double) c->rows / (double) c->people : c->rows ? (double) INFINITY : 0;
}

const kn_model_class kn_model_k_map = {
    .name = "k-map",
    .key = "k-map",
    .parameter = "k",
    .option = "k-map",
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .whole = true,
    .people = true,
    .reached = people,
};
const kn_model_class kn_model_presence = {
    .name = "delta-presence",
    .key = "delta-presence",
    .parameter = "max",
    .second = "min",
    .option = "delta-presence",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .people = true,
    .both = true,
    .reached = presence,
};

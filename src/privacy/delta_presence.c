/* SPDX-License-Identifier: Apache-2.0 */
/* delta_presence.c -- delta-presence (Nergiz, Atzori and Clifton, "Hiding the presence of individuals from
 * shared databases", 2007): how likely somebody of a population is in the table. Cost: a division. */
#include <math.h>

#include "privacy/registry.h"

/* The chance that somebody of the population who fits the class is in the table. */
static double
presence(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return c->people ? (double) c->rows / (double) c->people : c->rows ? (double) INFINITY : 0;
}

static kanon_status
advise(const kn_model *m, double reached, kn_text *text)
{
    if (isinf(reached))
        kn_text_addz(text, "another --population, because this one is empty");
    else
        kn_text_addf(text, "--delta-presence %.15g,%.15g",
                     m->second > reached ? floor(reached * 1e4) / 1e4 : m->second,
                     m->limit < reached ? kn_model_nearest(m->class, reached) : m->limit);
    return KANON_OK;
}

static const kn_model_setting delta_presence = {
    KN_VALUE(RANGE, "delta-presence", "[MIN,]MAX",
             "bounds on the probability that a person of the population is in the table"),
    .scope = KN_OF_POPULATION,
    .idle = "no probability is greater than that; use less than 1",
};

const kn_model_class kn_model_presence = {
    .name = "delta-presence",
    .key = "delta-presence",
    .promise =
        "the probability that a person of the population is in the table is between min and max",
    .parameter = "max",
    .second = "min",
    .setting = &delta_presence,
    .guards = KN_GUARDS_PRESENCE,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .both = true,
    .reached = presence,
    .audit = kn_audit_presence,
    .advise = advise,
};

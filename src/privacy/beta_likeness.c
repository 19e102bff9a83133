/* SPDX-License-Identifier: Apache-2.0 */
/* beta_likeness.c -- beta-likeness, basic and enhanced (Cao and Karras, "Publishing microdata with a robust
 * privacy guarantee", 2012): how much more frequent a value is in a class than in the whole table.
 * Cost: O(values of the class). */
#include <math.h>

#include "privacy/registry.h"

/* A value may be more frequent by this factor even where doubles are rounded. */
static const double SLACK = 1e-9;

static double
gain(const kn_model *m, const kn_class_values *c, uint32_t value)
{
    double p = m->share[value], q = (double) c->counts[value] / (double) c->rows;

    return q > p ? (q - p) / p : 0;
}

static double
basic_beta(const kn_model *m, const kn_class_values *c)
{
    double most = 0;

    for (size_t i = 0; i < c->nseen; i++) {
        double d = gain(m, c, c->seen[i]);

        most = d > most ? d : most;
    }
    return most;
}

/* A gain above -ln(share) is too much whatever beta is: the value would be all but certain. */
static double
enhanced_beta(const kn_model *m, const kn_class_values *c)
{
    double most = 0;

    for (size_t i = 0; i < c->nseen; i++) {
        double d = gain(m, c, c->seen[i]);

        if (d > -log(m->share[c->seen[i]]) + SLACK)
            return (double) INFINITY;
        most = d > most ? d : most;
    }
    return most;
}

static const kn_model_setting beta_likeness = {
    KN_VALUE(NUMBER, "beta-likeness", "F",
             "maximum relative gain of a value's share in a class over its share in the "
             "table"),
    .kind = { .name = "beta-kind",
              .argument = "basic|enhanced",
              .type = KANON_VALUE_CHOICE,
              .fallback = "basic",
              .help = "enhanced: also at most -ln of the share" },
    .scope = KN_OF_SENSITIVE,
};

#define BETA_LEAVES                                                                                \
    "where a value is more frequent in a class than in the table, by a factor of up to 1 +"

const kn_model_class kn_model_beta = {
    .name = "beta-likeness",
    .key = "beta-likeness",
    .promise = "no value's share in a class is more than 1 + beta times its share in the table",
    .leaves = BETA_LEAVES,
    .parameter = "beta",
    .setting = &beta_likeness,
    .kind = "basic",
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = basic_beta,
    .audit = kn_audit_beta,
};
const kn_model_class kn_model_beta_enhanced = {
    .name = "enhanced beta-likeness",
    .key = "enhanced-beta-likeness",
    .promise = "no value's share in a class is more than 1 + beta times its share in the table, "
               "and less for frequent values",
    .leaves = BETA_LEAVES,
    .parameter = "beta",
    .setting = &beta_likeness,
    .kind = "enhanced",
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = enhanced_beta,
    .audit = kn_audit_beta_enhanced,
};

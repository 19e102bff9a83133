/* SPDX-License-Identifier: Apache-2.0 */
/* likeness.c -- how much more (or less) frequent a value is in a class than in the whole table:
 * beta-likeness, basic and enhanced (Cao and Karras, "Publishing microdata with a robust privacy
 * guarantee", 2012), and delta-disclosure privacy (Brickell and Shmatikov, "The cost of privacy", 2008).
 * Cost: O(values of the class). */
#include <math.h>

#include "privacy/model.h"

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

/* A value that the class lacks has been ruled out: no delta allows that. */
static double
disclosure(const kn_model *m, const kn_class_values *c)
{
    double most = 0;

    if (c->nseen < (size_t) m->second)
        return (double) INFINITY;
    for (size_t i = 0; i < c->nseen; i++) {
        double q = (double) c->counts[c->seen[i]] / (double) c->rows;
        double d = fabs(log(q / m->share[c->seen[i]]));

        most = d > most ? d : most;
    }
    return most < 1e-12 ? 0 : most;
}

const kn_model_class kn_model_beta = {
    .name = "beta-likeness",
    .key = "beta-likeness",
    .parameter = "beta",
    .option = "beta-likeness",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = basic_beta,
};
const kn_model_class kn_model_beta_enhanced = {
    .name = "enhanced beta-likeness",
    .key = "enhanced-beta-likeness",
    .parameter = "beta",
    .option = "beta-likeness",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = enhanced_beta,
};
const kn_model_class kn_model_disclosure = {
    .name = "delta-disclosure privacy",
    .key = "delta-disclosure",
    .parameter = "delta",
    .option = "delta-disclosure",
    .merge = KN_MERGE_GOOD,
    .sense = KN_BELOW,
    .reached = disclosure,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* delta_disclosure.c -- delta-disclosure privacy (Brickell and Shmatikov, "The cost of privacy", 2008): how
 * much more or less frequent a value is in a class than in the whole table.
 * Cost: O(values of the class). */
#include <math.h>

#include "privacy/registry.h"

/* A value that the class lacks has been ruled out: no delta allows that. */
static double
change(const kn_model *m, const kn_class_values *c)
{
    double most = 0;

    if (c->nseen < m->domain)
        return (double) INFINITY;
    for (size_t i = 0; i < c->nseen; i++) {
        double q = (double) c->counts[c->seen[i]] / (double) c->rows;
        double d = fabs(log(q / m->share[c->seen[i]]));

        most = d > most ? d : most;
    }
    return most < 1e-12 ? 0 : most;
}

static const kn_model_setting delta_disclosure = {
    KN_VALUE(POSITIVE, "delta-disclosure", "F",
             "every value has the same share in a class as in the table, up to a factor "
             "below exp(F)"),
    .scope = KN_OF_SENSITIVE,
};

const kn_model_class kn_model_disclosure = {
    .name = "delta-disclosure privacy",
    .key = "delta-disclosure",
    .promise = "every value has the same share in a class as in the table, up to a factor below "
               "exp(delta)",
    .parameter = "delta",
    .setting = &delta_disclosure,
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_BELOW,
    .reached = change,
    .audit = kn_audit_disclosure,
};

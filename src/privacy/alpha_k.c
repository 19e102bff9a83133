/* SPDX-License-Identifier: Apache-2.0 */
/* alpha_k.c -- (alpha,k)-anonymity (Wong et al., "(alpha, k)-anonymity: an enhanced k-anonymity model for
 * privacy-preserving data publishing", 2006): the share of the most frequent value of a class.
 * Cost: O(values of the class). */
#include "privacy/registry.h"

static double
largest_share(const kn_model *model, const kn_class_values *c)
{
    uint64_t most = 0;

    KN_UNUSED(model);
    for (size_t i = 0; i < c->nseen; i++)
        most = c->counts[c->seen[i]] > most ? c->counts[c->seen[i]] : most;
    return c->rows ? (double) most / (double) c->rows : 0;
}

static const kn_model_setting alpha = {
    KN_VALUE(SHARE, "alpha", "F", "(alpha,k)-anonymity: maximum share of one value in a class"),
    .scope = KN_OF_SENSITIVE,
    .idle = "no share is greater than that; use less than 1",
};

const kn_model_class kn_model_alpha = {
    .name = "(alpha,k)-anonymity",
    .key = "alpha-k",
    .promise = "no value has more than a share alpha of the rows of a class",
    .leaves = "with a certainty of up to",
    .parameter = "alpha",
    .setting = &alpha,
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = largest_share,
    .audit = kn_audit_alpha,
};

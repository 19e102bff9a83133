/* SPDX-License-Identifier: Apache-2.0 */
/* own_k.c -- a k for each record: the personalised privacy that the paper of KGEN leaves open.
 * Cost: O(values of the class). */
#include "privacy/registry.h"

/* Rows over the largest k that a row of the class asks for; weight[] holds what each value says. */
static double
rows_per_k(const kn_model *model, const kn_class_values *c)
{
    double most = 1;

    for (size_t i = 0; i < c->nseen; i++)
        most = model->weight[c->seen[i]] > most ? model->weight[c->seen[i]] : most;
    return (double) c->rows / most;
}

static kanon_status
advise(const kn_model *model, double reached, kn_text *text)
{
    KN_UNUSED(model);
    KN_UNUSED(reached);
    kn_text_addz(text, "a k-column without a k above the number of rows");
    return KANON_OK;
}

static const kn_model_setting k_column = {
    KN_VALUE(COLUMN, "k-column", "COL", "k per row: a column with the k that each row requires"),
    .scope = KN_OF_NAMED,
};

const kn_model_class kn_model_own_k = {
    .name = "k per record",
    .key = "k-column",
    .promise = "every class has as many rows as each of its rows requires",
    .parameter = "rows per k asked for",
    .setting = &k_column,
    .needs = KN_NEEDS_NUMBERS,
    .guards = KN_GUARDS_ROWS,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_LEAST,
    .limit = KN_LIMIT_ONE,
    .reached = rows_per_k,
    .audit = kn_audit_own_k,
    .advise = advise,
};

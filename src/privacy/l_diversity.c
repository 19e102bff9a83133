/* SPDX-License-Identifier: Apache-2.0 */
/* l_diversity.c -- how many values a class has, and how evenly: distinct, entropy and recursive
 * (c,l)-diversity (Machanavajjhala et al., "l-Diversity: privacy beyond k-anonymity", 2006), p-sensitive
 * k-anonymity (Truta and Vinay 2006) and (alpha,k)-anonymity (Wong et al. 2006); and, by the same counting,
 * persons in place of rows and a k for each record.
 * Cost: O(values of the class), recursive O(values * l) at worst. */
#include <math.h>

#include "privacy/model.h"

static double
count_values(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return (double) c->nseen;
}

/* exp of the entropy: as many equally frequent values would be as hard to guess. */
static double
entropy_l(const kn_model *model, const kn_class_values *c)
{
    double entropy = 0;

    KN_UNUSED(model);
    for (size_t i = 0; i < c->nseen; i++) {
        double p = (double) c->counts[c->seen[i]] / (double) c->rows;

        entropy -= p * log(p);
    }
    return exp(entropy);
}

/* The l - 1 most frequent values kept sorted; all others make the tail. What is reached is the least c that
 * would not do: the most frequent value over the tail. */
static double
recursive_c(const kn_model *model, const kn_class_values *c)
{
    size_t    room = (size_t) model->second - 1, kept = 0;
    uint64_t *top = c->numbers, most = 0, head = 0;

    if (c->nseen <= room)
        return (double) INFINITY;
    for (size_t i = 0; i < c->nseen; i++) {
        uint64_t count = c->counts[c->seen[i]];
        size_t   at = kept;

        most = count > most ? count : most;
        if (kept == room && (!room || top[room - 1] >= count))
            continue;
        if (kept < room)
            kept++;
        else
            at--;
        for (; at > 0 && top[at - 1] < count; at--)
            top[at] = top[at - 1];
        top[at] = count;
    }
    for (size_t i = 0; i < kept; i++)
        head += top[i];
    return (double) most / (double) (c->rows - head);
}

static double
largest_share(const kn_model *model, const kn_class_values *c)
{
    uint64_t most = 0;

    KN_UNUSED(model);
    for (size_t i = 0; i < c->nseen; i++)
        most = c->counts[c->seen[i]] > most ? c->counts[c->seen[i]] : most;
    return c->rows ? (double) most / (double) c->rows : 0;
}

/* Rows over the largest k that a row of the class asks for; weight[] holds what each value says. */
static double
own_k(const kn_model *model, const kn_class_values *c)
{
    double most = 1;

    for (size_t i = 0; i < c->nseen; i++)
        most = model->weight[c->seen[i]] > most ? model->weight[c->seen[i]] : most;
    return (double) c->rows / most;
}

const kn_model_class kn_model_distinct = {
    .name = "distinct l-diversity",
    .key = "distinct-l-diversity",
    .parameter = "l",
    .option = "l-diversity",
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .whole = true,
    .reached = count_values,
};
const kn_model_class kn_model_entropy = {
    .name = "entropy l-diversity",
    .key = "entropy-l-diversity",
    .parameter = "l",
    .option = "l-diversity",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_LEAST,
    .reached = entropy_l,
};
const kn_model_class kn_model_recursive = {
    .name = "recursive (c,l)-diversity",
    .key = "recursive-cl-diversity",
    .parameter = "c",
    .second = "l",
    .option = "l-c",
    .merge = KN_MERGE_GOOD,
    .sense = KN_BELOW,
    .reached = recursive_c,
};
const kn_model_class kn_model_p_sensitive = {
    .name = "p-sensitive k-anonymity",
    .key = "p-sensitive",
    .parameter = "p",
    .option = "p-sensitive",
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .whole = true,
    .reached = count_values,
};
const kn_model_class kn_model_alpha = {
    .name = "(alpha,k)-anonymity",
    .key = "alpha-k",
    .parameter = "alpha",
    .option = "alpha",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_MOST,
    .reached = largest_share,
};
const kn_model_class kn_model_persons = {
    .name = "k persons",
    .key = "persons",
    .parameter = "k",
    .option = "k",
    .merge = KN_MERGE_ANY,
    .sense = KN_AT_LEAST,
    .whole = true,
    .reached = count_values,
};
const kn_model_class kn_model_own_k = {
    .name = "k per record",
    .key = "k-column",
    .parameter = "rows per k asked for",
    .option = "k-column",
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_LEAST,
    .reached = own_k,
};

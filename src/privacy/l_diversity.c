/* SPDX-License-Identifier: Apache-2.0 */
/* l_diversity.c -- how many values a class has, and how evenly: distinct, entropy and recursive
 * (c,l)-diversity (Machanavajjhala et al., "l-Diversity: privacy beyond k-anonymity", 2006).
 * Cost: O(values of the class), recursive O(values * l) at worst. */
#include <math.h>

#include "base/sort.h"
#include "privacy/registry.h"

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

/* The largest l for which the rows together satisfy the c that was given; 0: none.
 * most: share of the most frequent value. */
static kanon_status
largest_l(const kn_model *model, double *largest, double *most)
{
    double rest = 1, *share = KN_NEW_ARRAY(model->ctx, double, model->domain + 1);

    if (!share)
        return KANON_E_NOMEM;
    for (size_t v = 0; v < model->domain; v++) /* negative, so that the most frequent comes first */
        share[v] = -model->share[v];
    kn_sort_double(share, model->domain);
    for (size_t v = 0; v < model->domain; v++)
        share[v] = -share[v];
    *largest = 0;
    *most = share[0];
    for (size_t l = 1; l <= model->domain && share[l - 1] > 0; l++) {
        if (!kn_sense_holds(KN_BELOW, *most / rest, model->limit))
            break;
        *largest = (double) l;
        rest -= share[l - 1]; /* the l-th most frequent value leaves the tail */
    }
    kn_free(model->ctx, share);
    return KANON_OK;
}

/* Fewer than l values: a smaller l, and where no l goes with the c that was given, the c that 1 needs. */
static kanon_status
advise_recursive(const kn_model *model, double reached, kn_text *text)
{
    double       l, most;
    kanon_status rc;

    if (!isinf(reached)) {
        kn_model_option(model, "l-c", kn_model_nearest(model->class, reached), text);
        return KANON_OK;
    }
    rc = largest_l(model, &l, &most);
    if (rc < 0)
        return rc;
    kn_model_option(model, "l-diversity", l > 0 ? l : 1, text);
    if (!(l > 0)) {
        kn_text_addz(text, " ");
        kn_model_option(model, "l-c", kn_model_nearest(model->class, most), text);
    }
    return KANON_OK;
}

static const kn_model_setting l_diversity = {
    KN_VALUE(DEGREE, "l-diversity", "N", "minimum diversity of the sensitive values in a class"),
    .kind = { .name = "l-kind",
              .argument = "distinct|entropy|recursive",
              .type = KANON_VALUE_CHOICE,
              .fallback = "distinct",
              .help = "kind of l-diversity" },
    .other = { .name = "l-c",
               .argument = "F",
               .fallback = "3",
               KN_BOUNDS_POSITIVE,
               .help = "c of recursive (c,l)-diversity" },
    .scope = KN_OF_SENSITIVE,
    .idle = "every class has at least one value; use 2 or more",
};

const kn_model_class kn_model_distinct = {
    .name = "distinct l-diversity",
    .key = "distinct-l-diversity",
    .promise = "every class has at least l distinct values",
    .parameter = "l",
    .setting = &l_diversity,
    .kind = "distinct",
    KN_COUNTS_VALUES(KN_GUARDS_COUNT),
};
const kn_model_class kn_model_entropy = {
    .name = "entropy l-diversity",
    .key = "entropy-l-diversity",
    .promise = "the values of every class are as varied as l equally frequent ones",
    .parameter = "l",
    .setting = &l_diversity,
    .kind = "entropy",
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_AT_LEAST,
    .reached = entropy_l,
    .audit = kn_audit_entropy,
};
const kn_model_class kn_model_recursive = {
    .name = "recursive (c,l)-diversity",
    .key = "recursive-cl-diversity",
    .promise =
        "the most frequent value of a class is less than c times as frequent as the l-th and "
        "all after it together",
    .parameter = "c",
    .second = "l",
    .setting = &l_diversity,
    .kind = "recursive",
    .guards = KN_GUARDS_SHARES,
    .merge = KN_MERGE_GOOD,
    .sense = KN_BELOW,
    .limit = KN_LIMIT_OTHER,
    .whole = true,
    .one_asks = true,
    .reached = recursive_c,
    .audit = kn_audit_recursive,
    .advise = advise_recursive,
};

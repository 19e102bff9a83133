/* SPDX-License-Identifier: Apache-2.0 */
/* defaults.c -- what a job leaves to the tool: the metric, and the key of the order of rows. */
#include <string.h>

#include "soak.h"

/* What an algorithm minimises where nobody says. */
static const char *
own_metric(const char *algorithm, bool local)
{
    static const char *const proven[] = { "auto", "exhaustive", "optimal" };

    if (local)
        return "gcp";
    for (size_t i = 0; i < sizeof proven / sizeof *proven; i++)
        if (same(algorithm, proven[i]))
            return "glm";
    return same(algorithm, "ga") || same(algorithm, "tabu") || same(algorithm, "ga-tabu") ? "dm"
                                                                                          : "log";
}

/* Draws of their own, so that the jobs of before stay as they were. */
void
some_defaults(job *j)
{
    chance c = chance_of(j->seed, j->index, 4);

    if (maybe(&c, 0.1))
        j->metric = own_metric(j->algorithm, j->local);
    j->says_metric = !same(j->metric, own_metric(j->algorithm, j->local)) || maybe(&c, 0.3);
    if (maybe(&c, 0.4))
        j->order_key = ONE_OF(&c, "00000000000000000000000000000000",
                              "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                              "fedcba9876543210fedcba9876543210f");
}

/* What was not said is told: the metric, and the key of an order that is not the table's. */
void
judge_defaults(const job *j, const outcome *o)
{
    const json *told = get(o->report, "parameters"), *key = find(told, "order_key");

    EXPECT(same(get(told, "metric")->text, j->metric), "minimised %s, expected %s",
           get(told, "metric")->text, j->metric);
    EXPECT(!key == j->keep_order, "parameters.order_key is %s", key ? "there" : "not there");
    if (!key)
        return;
    EXPECT(key->type == J_TEXT
               && (j->order_key ? same(key->text, j->order_key)
                                : strspn(key->text, "0123456789abcdef") == 64 && !key->text[64]),
           "parameters.order_key is another one than was given, or no key");
}

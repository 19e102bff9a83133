/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_algorithms.c -- what there is to choose from, straight from the library's registry. */
#include "cli.h"

#include <string.h>

static const struct {
    uint32_t    bit;
    const char *name;
} traits[] = {
    { KANON_TRAIT_EXACT, "exact" },   { KANON_TRAIT_ANYTIME, "anytime" },
    { KANON_TRAIT_RANDOM, "random" }, { KANON_TRAIT_MONOTONE, "monotone" },
    { KANON_TRAIT_LOCAL, "local" },
};
enum { TRAITS = sizeof traits / sizeof traits[0] };

/* --- for people -------------------------------------------------------------------------------- */

static void
print_params(const kanon_param *param)
{
    for (; param && param->name; param++) {
        printf("  %-12s   %s=%s", "", param->name, param->fallback ? param->fallback : "");
        if (param->min < param->max)
            printf(" (%s, %g to %g)", param->type, param->min, param->max);
        else
            printf(" (%s)", param->type);
        printf("  %s\n", param->help);
    }
}

static void
print_algorithm(const kanon_algorithm *algorithm)
{
    bool first = true;

    printf("  %-12s %s", algorithm->name, algorithm->summary);
    for (size_t t = 0; t < TRAITS; t++)
        if (algorithm->traits & traits[t].bit) {
            printf("%s%s", first ? " [" : ", ", traits[t].name);
            first = false;
        }
    printf("%s", first ? "" : "]");
    if (algorithm->metric)
        printf(" (default metric: %s)", algorithm->metric);
    printf("\n");
    print_params(algorithm->params);
}

static void
print_text(void)
{
    const kanon_algorithm *algorithm;
    const kanon_metric    *metric;
    const kanon_property  *property;

    cli_heading("Algorithms (--algorithm NAME; indented: --param KEY=VALUE with its default)");
    for (size_t i = 0; (algorithm = kanon_algorithm_at(i)); i++)
        print_algorithm(algorithm);
    printf("\n");
    cli_heading("Metrics (--metric NAME: the information loss to minimise)");
    for (size_t i = 0; (metric = kanon_metric_at(i)); i++)
        printf("  %-12s %s\n", metric->name, metric->summary);
    printf("\n");
    cli_heading("Pareto fronts (kanon pareto --algorithm NAME)");
    for (size_t i = 0; (algorithm = kanon_front_algorithm_at(i)); i++)
        print_algorithm(algorithm);
    printf("\n");
    cli_heading("Objectives (kanon pareto --objectives LIST)");
    for (size_t i = 0; (property = kanon_property_at(i)); i++)
        printf("  %-12s %s [%s]\n", property->name, property->summary, property->direction);
}

/* --- for programs ------------------------------------------------------------------------------ */

static void
print_json_text(const char *text)
{
    cli_json_text(text, text ? strlen(text) : 0);
}

static void
print_json_member(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    print_json_text(text);
    printf(", ");
}

static void
print_json_algorithm(const kanon_algorithm *algorithm)
{
    bool first = true;

    printf("    {");
    print_json_member("name", algorithm->name);
    print_json_member("summary", algorithm->summary);
    print_json_member("reference", algorithm->reference);
    if (algorithm->metric)
        print_json_member("metric", algorithm->metric);
    else
        printf("\"metric\": null, ");
    printf("\"traits\": [");
    for (size_t t = 0; t < TRAITS; t++)
        if (algorithm->traits & traits[t].bit) {
            printf("%s\"%s\"", first ? "" : ", ", traits[t].name);
            first = false;
        }
    printf("], \"params\": [");
    for (const kanon_param *param = algorithm->params; param && param->name; param++) {
        printf("%s{", param == algorithm->params ? "" : ", ");
        print_json_member("name", param->name);
        print_json_member("type", param->type);
        print_json_member("default", param->fallback);
        if (param->min < param->max)
            printf("\"min\": %.17g, \"max\": %.17g, ", param->min, param->max);
        printf("\"help\": ");
        print_json_text(param->help);
        printf("}");
    }
    printf("]}");
}

static void
print_json(void)
{
    const kanon_algorithm *algorithm;
    const kanon_metric    *metric;
    const kanon_property  *property;

    printf("{\n  \"algorithms\": [\n");
    for (size_t i = 0; (algorithm = kanon_algorithm_at(i)); i++) {
        printf("%s", i ? ",\n" : "");
        print_json_algorithm(algorithm);
    }
    printf("\n  ],\n  \"metrics\": [\n");
    for (size_t i = 0; (metric = kanon_metric_at(i)); i++) {
        printf("%s    {", i ? ",\n" : "");
        print_json_member("name", metric->name);
        printf("\"summary\": ");
        print_json_text(metric->summary);
        printf("}");
    }
    printf("\n  ],\n  \"fronts\": [\n");
    for (size_t i = 0; (algorithm = kanon_front_algorithm_at(i)); i++) {
        printf("%s", i ? ",\n" : "");
        print_json_algorithm(algorithm);
    }
    printf("\n  ],\n  \"properties\": [\n");
    for (size_t i = 0; (property = kanon_property_at(i)); i++) {
        printf("%s    {", i ? ",\n" : "");
        print_json_member("name", property->name);
        print_json_member("direction", property->direction);
        print_json_member("type", property->type);
        printf("\"box\": %.17g, \"summary\": ", property->box);
        print_json_text(property->summary);
        printf("}");
    }
    printf("\n  ]\n}\n");
}

static int
run(const cli_args *args)
{
    if (cli_value(args, "json"))
        print_json();
    else
        print_text();
    return cli_flush(CLI_DONE);
}

static const cli_option output[] = {
    { "json", 0, NULL, "print JSON" },
    { NULL, 0, NULL, NULL },
};
static const cli_group   groups[] = { { "Output", output }, { NULL, NULL } };
static const char *const examples[] = { "kanon algorithms", "kanon algorithms --json", NULL };

const cli_command cli_algorithms = {
    "algorithms",
    "[--json]",
    "list the algorithms, their parameters and the metrics",
    "Lists the values of --algorithm, --param and --metric. exact: proves its result; anytime: has "
    "a valid result early and improves it; random: draws from the seed; monotone: needs a privacy "
    "model that stays satisfied when levels rise. The default metric is glm, or the one given with "
    "the algorithm.",
    groups,
    0,
    0,
    "",
    examples,
    run,
};

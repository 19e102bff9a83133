/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_profiles.c -- the profiles, their settings and requirements, straight from the library's table. */
#include "cli.h"

#include <string.h>

/* --- for people -------------------------------------------------------------------------------- */

static void
print_profile(size_t index, const kanon_profile *profile)
{
    const kanon_profile_setting *setting;
    const kanon_requirement     *required;
    const char                  *section = "";

    printf("%s", index ? "\n" : "");
    cli_heading(profile->name);
    printf("  %s\n  source: %s\n", profile->title, profile->source);
    if (*profile->number)
        printf("  number: %s\n", profile->number);
    printf("  settings:");
    for (size_t i = 0; (setting = kanon_profile_setting_at(index, i)); i++)
        printf("%s %s%s %s", i ? "," : "", setting->name, setting->least ? " at least" : " not",
               setting->value);
    printf("\n");
    for (size_t i = 0; (required = kanon_requirement_at(index, i)); i++) {
        if (strcmp(section, required->section) != 0)
            printf("  %s\n", section = required->section);
        printf("    %s [%s]\n", required->what, required->source);
    }
}

static void
print_text(void)
{
    const kanon_profile *profile;

    for (size_t i = 0; (profile = kanon_profile_at(i)); i++)
        print_profile(i, profile);
}

/* --- for programs ------------------------------------------------------------------------------ */

static void
print_member(const char *before, const char *key, const char *text)
{
    printf("%s\"%s\": ", before, key);
    cli_json_text(text, strlen(text));
}

static void
print_json_profile(size_t index, const kanon_profile *profile)
{
    const kanon_profile_setting *setting;
    const kanon_requirement     *required;

    print_member("    {", "name", profile->name);
    print_member(", ", "title", profile->title);
    print_member(", ", "source", profile->source);
    print_member(", ", "number", profile->number);
    printf(", \"settings\": [");
    for (size_t i = 0; (setting = kanon_profile_setting_at(index, i)); i++) {
        print_member(i ? ", {" : "{", "name", setting->name);
        print_member(", ", setting->least ? "at_least" : "not", setting->value);
        printf("}");
    }
    printf("], \"requirements\": [");
    for (size_t i = 0; (required = kanon_requirement_at(index, i)); i++) {
        print_member(i ? ", {" : "{", "section", required->section);
        print_member(", ", "requirement", required->what);
        print_member(", ", "source", required->source);
        printf("}");
    }
    printf("]}");
}

static void
print_json(void)
{
    const kanon_profile *profile;

    printf("{\n  \"profiles\": [\n");
    for (size_t i = 0; (profile = kanon_profile_at(i)); i++) {
        printf("%s", i ? ",\n" : "");
        print_json_profile(i, profile);
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
static const char *const examples[] = { "kanon profiles", "kanon profiles --json", NULL };

const cli_command cli_profiles = {
    "profiles",
    "[--json]",
    "list the profiles: what laws and guidelines require, as far as it can be counted",
    "Lists the values of --profile with their settings, their requirements and the source of each. "
    "With a profile, `kanon anonymize` releases nothing that violates a requirement that can be "
    "counted, and `kanon check` exits with 1. Both list what a person must judge: a profile does "
    "not tell whether a release fulfils the law.",
    groups,
    0,
    0,
    "",
    examples,
    run,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* help.c -- help texts, made from the tables of options; plain but for bold headings on a terminal. */
#include "cli.h"

#include <string.h>

enum { WIDTH = 79, NAME_WIDTH = 28 };

/* Prints a text from a column on, broken at blanks. */
static void
print_wrapped(const char *text, int indent)
{
    int column = indent;

    while (*text) {
        int length = (int) strcspn(text, " ");

        if (column > indent && column + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            printf(" ");
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        while (*text == ' ')
            text++;
    }
    printf("\n");
}

static void
print_option(const cli_option *option)
{
    const kanon_setting *setting = option->help ? NULL : cli_setting(option->name);
    const char          *argument = setting ? setting->argument : option->argument;
    const char          *help = setting ? setting->help : option->help;
    char                 name[80], text[400];
    int                  used = 0;

    if (option->name[1] == 0)
        used = snprintf(name, sizeof name, "  -%s", option->name);
    else if (option->letter)
        used = snprintf(name, sizeof name, "  -%c, --%s", option->letter, option->name);
    else
        used = snprintf(name, sizeof name, "      --%s", option->name);
    if (argument)
        used += snprintf(name + used, sizeof name - (size_t) used, " %s", argument);
    if (setting && setting->fallback && argument)
        snprintf(text, sizeof text, "%s [%s]", help, setting->fallback);
    else
        snprintf(text, sizeof text, "%s", help ? help : "");
    printf("%s", name);
    if (used > NAME_WIDTH - 2)
        printf("\n%*s", NAME_WIDTH, "");
    else
        printf("%*s", NAME_WIDTH - used, "");
    print_wrapped(text, NAME_WIDTH);
}

void
cli_help(const cli_command *command)
{
    cli_options list;

    cli_list_options(command, &list);
    print_wrapped(command->about, 0);
    printf("\n");
    cli_heading("Usage");
    printf("  kanon %s %s\n", command->name, command->usage);
    for (size_t i = 0; i < list.count; i++) {
        if (i == 0 || list.titles[i] != list.titles[i - 1]) {
            printf("\n");
            cli_heading(list.titles[i]);
        }
        print_option(&list.of[i]);
    }
    printf("\n");
    cli_heading("Examples");
    for (const char *const *example = command->examples; *example; example++)
        printf("  %s\n", *example);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* opt.c -- the option parser of all commands, driven by their tables: --name value, --name=value, -k 5,
 * -k5, -qv, -- ends the options, - is an operand. */
#include "cli.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_common_options[] = {
    { "progress", 0, "auto|always|never", "show a progress line; auto: only on a terminal [auto]" },
    { "quiet", 'q', NULL, "print only errors" },
    { "verbose", 'v', NULL, "print every stage and its time, and all figures" },
    { "help", 'h', NULL, "print this help" },
    { NULL, 0, NULL, NULL },
};

const cli_option cli_column_options[] = {
    { "qi", 0, NULL, NULL },        { "id", 0, NULL, NULL },
    { "pseudonym", 0, NULL, NULL }, { "pseudonym-key", 0, NULL, NULL },
    { "sensitive", 0, NULL, NULL }, { "insensitive", 0, NULL, NULL },
    { "others", 0, NULL, NULL },    { "hierarchy", 0, NULL, NULL },
    { "type", 0, NULL, NULL },      { "level", 0, NULL, NULL },
    { "min-level", 0, NULL, NULL }, { "max-level", 0, NULL, NULL },
    { "weight", 0, NULL, NULL },    { "importance", 0, NULL, NULL },
    { "round", 0, NULL, NULL },     { "top", 0, NULL, NULL },
    { "bottom", 0, NULL, NULL },    { "label", 0, NULL, NULL },
    { "count", 0, NULL, NULL },     { NULL, 0, NULL, NULL },
};
const cli_option cli_search_options[] = {
    { "algorithm", 0, NULL, NULL }, { "metric", 0, NULL, NULL },  { "param", 0, NULL, NULL },
    { "seed", 0, NULL, NULL },      { "threads", 0, NULL, NULL }, { "time-limit", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
const cli_option cli_local_options[] = {
    { "local", 0, NULL, NULL },
    { "snap", 0, NULL, NULL },
    { "grid", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
const cli_option cli_table_options[] = {
    { "delimiter", 0, NULL, NULL },   { "quote", 0, NULL, NULL },
    { "header", 0, NULL, NULL },      { "no-header", 0, NULL, NULL },
    { "encoding", 0, NULL, NULL },    { "skip", 0, NULL, NULL },
    { "skip-footer", 0, NULL, NULL }, { "duplicate-names", 0, NULL, NULL },
    { "missing", 0, NULL, NULL },     { NULL, 0, NULL, NULL },
};

enum { WORD_MOST = 40, SHOWN_MOST = 100 };

const kanon_setting *
cli_setting(const char *name)
{
    const kanon_setting *setting;

    for (size_t i = 0; (setting = kanon_setting_at(i)); i++)
        if (strcmp(setting->name, name) == 0)
            return setting;
    return NULL;
}

static const char *
argument_of(const cli_option *option)
{
    const kanon_setting *setting;

    if (option->help)
        return option->argument;
    setting = cli_setting(option->name);
    return setting ? setting->argument : NULL;
}

const char *
cli_spelling(const cli_option *option, char buffer[64])
{
    if (option->name[1] == 0)
        snprintf(buffer, 64, "-%s", option->name);
    else
        snprintf(buffer, 64, "--%s", option->name);
    return buffer;
}

/* --- names ------------------------------------------------------------------------------------- */

static void
list_option(cli_options *list, const char *title, const cli_option *option)
{
    assert(list->count < CLI_OPTIONS_MOST);
    list->titles[list->count] = title;
    list->of[list->count++] = *option;
}

static void
list_group(cli_options *list, const cli_group *group)
{
    const kanon_setting *setting;

    if (group->options)
        for (const cli_option *option = group->options; option->name; option++)
            list_option(list, group->title, option);
    else
        for (size_t i = 0; (setting = kanon_setting_at(i)); i++)
            if (kanon_setting_is_model(setting))
                list_option(list, group->title, &(cli_option){ setting->name, 0, NULL, NULL });
}

void
cli_list_options(const cli_command *command, cli_options *list)
{
    list->count = 0;
    for (const cli_group *group = command->groups; group->title; group++)
        list_group(list, group);
    list_group(list, &(cli_group){ "Other", cli_common_options });
}

static const cli_option *
find_long(const cli_options *list, const char *word, size_t length)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->of[i].name;
        size_t      at = 0;

        while (at < length && name[at] == (word[at] == '_' ? '-' : word[at]))
            at++;
        if (at == length && name[length] == 0)
            return &list->of[i];
    }
    return NULL;
}

static const cli_option *
find_letter(const cli_options *list, char letter)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].letter == letter)
            return &list->of[i];
    return NULL;
}

static int
unknown_option(const cli_args *args, const char *word, size_t length)
{
    const cli_options *list = args->options;
    const char        *names[CLI_OPTIONS_MOST], *nearest = NULL;
    char               name[WORD_MOST + 1], spelling[64];

    for (size_t i = 0; i < list->count; i++)
        names[i] = list->of[i].name;
    if (length <= WORD_MOST) {
        memcpy(name, word, length);
        name[length] = 0;
        nearest = kanon_nearest(name, names, list->count);
    }
    if (length > SHOWN_MOST)
        length = SHOWN_MOST;
    if (nearest)
        return cli_say(CLI_BAD, "unknown option '--%.*s'; did you mean '%s'?", (int) length, word,
                       cli_spelling(find_long(list, nearest, strlen(nearest)), spelling));
    return cli_say(CLI_BAD, "unknown option '--%.*s'; `kanon %s --help` lists them", (int) length,
                   word, args->command->name);
}

/* --- the command line -------------------------------------------------------------------------- */

/* Words that are left. */
typedef struct words {
    int    left;
    char **next;
} words;

static int
add_given(cli_args *args, const cli_option *option, const char *value, words *rest)
{
    const char *argument = argument_of(option);
    char        spelling[64];

    if (!value && argument) {
        if (!rest->left)
            return cli_say(CLI_BAD, "option '%s' needs a value: %s", cli_spelling(option, spelling),
                           argument);
        value = *rest->next++;
        rest->left--;
    }
    if (value && !argument && option->help)
        return cli_say(CLI_BAD, "option '%s' takes no value; remove '%.100s'",
                       cli_spelling(option, spelling), value);
    args->given[args->ngiven].option = option;
    args->given[args->ngiven++].value = value ? value : "true";
    return CLI_DONE;
}

static int
take_long(cli_args *args, const char *word, words *rest)
{
    const char       *equals = strchr(word, '=');
    size_t            length = equals ? (size_t) (equals - word) : strlen(word);
    const cli_option *option = find_long(args->options, word, length);

    if (!option)
        return unknown_option(args, word, length);
    return add_given(args, option, equals ? equals + 1 : NULL, rest);
}

/* -q, -qv, -k5, -k 5 */
static int
take_letters(cli_args *args, const char *letters, words *rest)
{
    for (; *letters; letters++) {
        const cli_option *option = find_letter(args->options, *letters);
        const char       *value = NULL;
        int               code;

        if (!option)
            return cli_say(CLI_BAD, "unknown option '-%c'; `kanon %s --help` lists them", *letters,
                           args->command->name);
        if (argument_of(option) && letters[1])
            value = letters[1] == '=' ? letters + 2 : letters + 1;
        code = add_given(args, option, value, rest);
        if (code != CLI_DONE || value)
            return code;
    }
    return CLI_DONE;
}

static int
take_words(cli_args *args, words *rest)
{
    bool options = true;
    int  code = CLI_DONE;

    while (rest->left && code == CLI_DONE) {
        const char *word = *rest->next++;

        rest->left--;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            code = take_long(args, word + 2, rest);
        else if (options && word[0] == '-' && word[1])
            code = take_letters(args, word + 1, rest);
        else
            args->operands[args->noperands++] = word;
    }
    return code;
}

static int
check_operands(const cli_args *args)
{
    const cli_command *command = args->command;

    if (args->noperands < command->least)
        return cli_say(CLI_BAD, "%s is missing; usage: kanon %s %s", command->operand,
                       command->name, command->usage);
    if (args->noperands > command->most)
        return cli_say(CLI_BAD, "unexpected argument '%.200s'; usage: kanon %s %s",
                       args->operands[command->most], command->name, command->usage);
    return CLI_DONE;
}

/* A later number may replace an earlier one, but a file that is named and then left aside is a mistake: the
 * roles in a config would be lost without a word. pareto writes several files. */
static int
check_files(const cli_args *args)
{
    static const char *const once[] = { "config", "from",       "output",
                                        "html",   "population", "pseudonym-key" };

    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        size_t count = 0;

        for (size_t g = 0; g < args->ngiven; g++)
            count += strcmp(args->given[g].option->name, once[i]) == 0;
        if (count > 1
            && (strcmp(once[i], "output") != 0 || strcmp(args->command->name, "pareto") != 0))
            return cli_say(CLI_BAD, "--%s is given %zu times; give one file", once[i], count);
    }
    return CLI_DONE;
}

const char *
cli_value(const cli_args *args, const char *name)
{
    for (size_t i = args->ngiven; i > 0; i--)
        if (strcmp(args->given[i - 1].option->name, name) == 0)
            return args->given[i - 1].value;
    return NULL;
}

/* Help is given even when the rest of the line is wrong. */
static bool
wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int
cli_run(const cli_command *command, int argc, char **argv)
{
    cli_options options;
    cli_args    args = { .command = command, .options = &options };
    words       rest = { argc, argv };
    size_t      letters = 1;
    int         code;

    if (wants_help(argc, argv)) {
        cli_help(command);
        return cli_flush(CLI_DONE);
    }
    cli_list_options(command, &options);
    for (int i = 0; i < argc; i++) /* a word gives at most as many options as it has letters */
        letters += strlen(argv[i]) + 1;
    args.operands = calloc((size_t) argc + 1, sizeof *args.operands);
    args.given = calloc(letters, sizeof *args.given);
    if (!args.operands || !args.given)
        code = cli_say(CLI_NOMEM, "out of memory");
    else
        code = take_words(&args, &rest);
    if (code == CLI_DONE)
        code = check_operands(&args);
    if (code == CLI_DONE)
        code = check_files(&args);
    if (code == CLI_DONE)
        code = command->run(&args);
    free(args.operands);
    free(args.given);
    return code;
}

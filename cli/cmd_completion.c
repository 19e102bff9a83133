/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_completion.c -- `kanon completion SHELL`: a script made from the tables of commands, options, settings,
 * algorithms and metrics, so that it cannot lag behind them. */
#include "cli.h"

#include <string.h>

/* What may follow an option. */
typedef enum { KIND_SWITCH, KIND_TEXT, KIND_FILE, KIND_WORDS } kind;

/* One option of one command, looked up in whichever table describes it. */
typedef struct entry {
    const cli_command *command;
    const cli_option  *option;
    const char        *argument, *help;
    kind               kind;
} entry;

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool
names_algorithm(const entry *e)
{
    return strcmp(e->option->name, "algorithm") == 0;
}

static bool
names_metric(const entry *e)
{
    return strcmp(e->option->name, "metric") == 0;
}

static entry
describe(const cli_command *command, const cli_option *option)
{
    const kanon_setting *setting = option->help ? NULL : cli_setting(option->name);
    entry                e = { command, option, setting ? setting->argument : option->argument,
                setting ? setting->help : option->help, KIND_TEXT };

    if (!e.argument)
        e.kind = KIND_SWITCH;
    else if (strchr(e.argument, '|') || names_algorithm(&e) || names_metric(&e))
        e.kind = KIND_WORDS;
    else if (strcmp(e.argument, "FILE") == 0 || strcmp(e.argument, "OUTPUT") == 0
             || strcmp(e.argument, "CONFIG") == 0 || ends_with(e.argument, ".json"))
        e.kind = KIND_FILE;
    return e;
}

static void
print_words(const entry *e)
{
    const kanon_algorithm *a;
    const kanon_metric    *m;
    const char            *gap = "";

    if (names_algorithm(e) && e->command == &cli_pareto)
        printf("auto ");
    if (names_algorithm(e))
        for (size_t i = 0;
             (a = e->command == &cli_pareto ? kanon_front_algorithm_at(i) : kanon_algorithm_at(i));
             i++, gap = " ")
            printf("%s%s", gap, a->name);
    else if (names_metric(e))
        for (size_t i = 0; (m = kanon_metric_at(i)); i++, gap = " ")
            printf("%s%s", gap, m->name);
    else
        for (const char *c = e->argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
}

typedef void visitor(const entry *e);

static void
each_option(const cli_command *command, visitor *visit)
{
    cli_options list;

    cli_list_options(command, &list);
    for (size_t i = 0; i < list.count; i++) {
        entry e = describe(command, &list.of[i]);

        visit(&e);
    }
}

/* "hierarchy build" is two words on the command line: the first, or the second where there is one. */
static const char *
second_word(const cli_command *command)
{
    const char *blank = strchr(command->name, ' ');

    return blank ? blank + 1 : NULL;
}

static int
first_length(const cli_command *command)
{
    return (int) strcspn(command->name, " ");
}

/* The first command of several that begin with the same word stands for it. */
static bool
is_first(size_t at)
{
    const cli_command *command = cli_command_at(at);

    for (size_t i = 0; i < at; i++)
        if (first_length(cli_command_at(i)) == first_length(command)
            && strncmp(cli_command_at(i)->name, command->name, (size_t) first_length(command)) == 0)
            return false;
    return true;
}

/* --- bash ------------------------------------------------------------------------------------------- */

static void
bash_spelling(const entry *e)
{
    if (e->option->letter)
        printf(" -%c", e->option->letter);
    if (e->option->name[1])
        printf(" --%s", e->option->name);
}

static void
bash_argument(const entry *e)
{
    const char *gap = "";

    if (e->kind == KIND_SWITCH)
        return;
    printf("        ");
    if (e->option->letter) {
        printf("'%s -%c'", e->command->name, e->option->letter);
        gap = " | ";
    }
    if (e->option->name[1])
        printf("%s'%s --%s'", gap, e->command->name, e->option->name);
    printf(") ");
    if (e->kind == KIND_WORDS) {
        printf("COMPREPLY=($(compgen -W '");
        print_words(e);
        printf("' -- \"$cur\")); ");
    } else if (e->kind == KIND_FILE) {
        printf("COMPREPLY=($(compgen -f -- \"$cur\")); ");
    }
    printf("return ;;\n");
}

static void
bash(void)
{
    const cli_command *command;

    printf("# Completion of kanon(1) for bash, made by `kanon completion bash`.\n"
           "_kanon()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]}\n\n"
           "    if ((COMP_CWORD == 1)); then\n"
           "        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (is_first(i))
            printf("%.*s ", first_length(command), command->name);
    printf("--help --version' -- \"$cur\"))\n        return\n    fi\n");
    printf("    if [[ $command == hierarchy ]]; then\n"
           "        if ((COMP_CWORD == 2)); then\n"
           "            COMPREPLY=($(compgen -W '");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (second_word(command))
            printf("%s ", second_word(command));
    printf("' -- \"$cur\"))\n            return\n        fi\n"
           "        command=\"hierarchy ${COMP_WORDS[2]}\"\n    fi\n"
           "    case \"$command $prev\" in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        each_option(command, bash_argument);
    printf("    esac\n"
           "    if [[ $cur != -* ]]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$cur\"))\n        return\n    fi\n"
           "    case $command in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        printf("        '%s') COMPREPLY=($(compgen -W '", command->name);
        each_option(command, bash_spelling);
        printf("' -- \"$cur\")) ;;\n");
    }
    printf("    esac\n}\ncomplete -o filenames -F _kanon kanon\n");
}

/* --- zsh -------------------------------------------------------------------------------------------- */

/* A text within single quotes and, in zsh, within the brackets of a description. */
static void
print_quoted(const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\'");
        else if (strchr(escaped, *text))
            putchar('\\');
        putchar(*text);
    }
}

static void
zsh_action(const entry *e)
{
    if (e->kind == KIND_SWITCH)
        return;
    printf(":");
    print_quoted(e->argument, ":[]\\");
    printf(":");
    if (e->kind == KIND_FILE)
        printf("_files");
    if (e->kind == KIND_WORDS) {
        printf("(");
        print_words(e);
        printf(")");
    }
}

static void
zsh_option(const entry *e)
{
    const char *name = e->option->name;

    for (int spelling = 0; spelling < 2; spelling++) {
        if (spelling == 0 ? !e->option->letter : !name[1])
            continue;
        printf("            '*");
        if (spelling == 0)
            printf("-%c[", e->option->letter);
        else
            printf("--%s[", name);
        print_quoted(e->help, ":[]\\");
        printf("]");
        zsh_action(e);
        printf("' \\\n");
    }
}

static void
zsh(void)
{
    const cli_command *command;

    printf("#compdef kanon\n# Completion of kanon(1) for zsh, made by `kanon completion zsh`.\n\n"
           "_kanon() {\n    local command=$words[2]\n    local -a commands\n\n"
           "    if ((CURRENT == 2)); then\n        commands=(\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (is_first(i)) {
            printf("            '%.*s:", first_length(command), command->name);
            print_quoted(command->summary, ":\\");
            printf("'\n");
        }
    printf("        )\n        _describe command commands\n        return\n    fi\n"
           "    if [[ $command == hierarchy ]]; then\n        if ((CURRENT == 3)); then\n"
           "            compadd");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (second_word(command))
            printf(" %s", second_word(command));
    printf("\n            return\n        fi\n        command=\"hierarchy $words[3]\"\n    fi\n"
           "    case $command in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        printf("        '%s')\n            _arguments -s -S \\\n", command->name);
        each_option(command, zsh_option);
        printf("            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n\n_kanon \"$@\"\n");
}

/* --- fish ------------------------------------------------------------------------------------------- */

static void
fish_condition(const cli_command *command)
{
    printf(" -n '__fish_seen_subcommand_from %.*s", first_length(command), command->name);
    if (second_word(command))
        printf("; and __fish_seen_subcommand_from %s", second_word(command));
    printf("'");
}

static void
fish_option(const entry *e)
{
    printf("complete -c kanon");
    fish_condition(e->command);
    if (e->option->letter)
        printf(" -s %c", e->option->letter);
    if (e->option->name[1])
        printf(" -l %s", e->option->name);
    if (e->kind == KIND_FILE)
        printf(" -r");
    if (e->kind == KIND_TEXT || e->kind == KIND_WORDS)
        printf(" -x");
    if (e->kind == KIND_WORDS) {
        printf(" -a '");
        print_words(e);
        printf("'");
    }
    printf(" -d '");
    print_quoted(e->help, "\\");
    printf("'\n");
}

static void
fish(void)
{
    const cli_command *command;

    printf("# Completion of kanon(1) for fish, made by `kanon completion fish`.\n"
           "complete -c kanon -n __fish_use_subcommand -l version -d 'print the version'\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (is_first(i)) {
            printf("complete -c kanon -n __fish_use_subcommand -f -a %.*s -d '",
                   first_length(command), command->name);
            print_quoted(command->summary, "\\");
            printf("'\n");
        }
        if (second_word(command))
            printf("complete -c kanon -n '__fish_seen_subcommand_from %.*s; and not "
                   "__fish_seen_subcommand_from build show validate' -f -a %s\n",
                   first_length(command), command->name, second_word(command));
        each_option(command, fish_option);
    }
}

/* --- the command ------------------------------------------------------------------------------------- */

static int
run(const cli_args *args)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(args->operands[0], shells[i].name) == 0) {
            shells[i].print();
            return cli_flush(CLI_DONE);
        }
    return cli_say(CLI_BAD, "completion: '%.40s' is not valid; expected bash, zsh or fish",
                   args->operands[0]);
}

static const cli_group   groups[] = { { NULL, NULL } };
static const char *const examples[] = {
    "kanon completion bash > ~/.local/share/bash-completion/completions/kanon",
    "kanon completion zsh > ~/.zfunc/_kanon",
    "kanon completion fish > ~/.config/fish/completions/kanon.fish",
    NULL,
};

const cli_command cli_completion = {
    "completion",
    "bash|zsh|fish",
    "print a completion script for a shell",
    "Prints a script that lets the shell complete commands, options and their values. `make "
    "install` installs it for all three shells.",
    groups,
    1,
    1,
    "a shell",
    examples,
    run,
};

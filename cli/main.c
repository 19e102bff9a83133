/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- finds the command and runs it. */
#include "cli.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const cli_command *const commands[] = {
    &cli_init,
    &cli_anonymize,
    &cli_check,
    &cli_compare,
    &cli_explain,
    &cli_hierarchy_build,
    &cli_hierarchy_show,
    &cli_hierarchy_validate,
    &cli_hierarchy_packs,
    &cli_algorithms,
    &cli_profiles,
    &cli_pareto,
    &cli_completion,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const cli_command *
cli_command_at(size_t index)
{
    return index < COMMANDS ? commands[index] : NULL;
}

static void
print_commands(FILE *stream)
{
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-20s %s\n", commands[i]->name, commands[i]->summary);
}

static int
help(void)
{
    printf("kanon anonymizes tables: every released row shares its quasi-identifiers with at\n"
           "least k - 1 others (k-anonymity), and further privacy models can be enforced.\n\n");
    cli_heading("Commands");
    print_commands(stdout);
    printf("  COMMAND --help       options and examples of a command\n"
           "  --version            print the version\n\n");
    cli_heading("Start here");
    printf("  kanon init data.csv -o kanon.yaml\n"
           "  kanon anonymize data.csv -c kanon.yaml -o release.csv --report release.html\n\n");
    cli_heading("Exit codes");
    printf("  0 success; 1 bad usage or bad input; 2 no feasible release;\n"
           "  3 reading or writing failed; 4 out of memory; 130 interrupted\n");
    return cli_flush(CLI_DONE);
}

static int
no_command(void)
{
    fputs("kanon anonymizes tables. To start with your own table, run\n\n"
          "  kanon init data.csv -o kanon.yaml\n\n"
          "check the roles that kanon.yaml proposes, and run\n\n"
          "  kanon anonymize data.csv -c kanon.yaml -o release.csv\n\n"
          "`kanon --help` lists all commands.\n",
          stderr);
    return CLI_BAD;
}

static int
unknown_command(const char *word)
{
    const char *names[COMMANDS], *nearest;

    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = strncmp(commands[i]->name, "hierarchy", 9) ? commands[i]->name : "hierarchy";
    nearest = kanon_nearest(word, names, COMMANDS);
    if (word[0] == '-')
        return cli_say(CLI_BAD,
                       "unknown option '%.100s'; give a command first (`kanon --help` lists them)",
                       word);
    if (nearest)
        return cli_say(CLI_BAD, "unknown command '%.100s'; did you mean '%s'?", word, nearest);
    return cli_say(CLI_BAD, "unknown command '%.100s'; `kanon --help` lists them", word);
}

/* `kanon hierarchy` alone, or with a word that is none of its own. */
static int
hierarchy(int argc, char **argv)
{
    static const char *const verbs[] = { "build", "show", "validate", "packs" };
    const char              *nearest = argc > 0 ? kanon_nearest(argv[0], verbs, 4) : NULL;

    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        cli_heading("Commands");
        for (size_t i = 0; i < COMMANDS; i++)
            if (strncmp(commands[i]->name, "hierarchy", 9) == 0)
                printf("  kanon %s %s\n      %s\n", commands[i]->name, commands[i]->usage,
                       commands[i]->summary);
        return cli_flush(CLI_DONE);
    }
    if (nearest)
        return cli_say(CLI_BAD, "hierarchy: unknown command '%s'; did you mean '%s'?", argv[0],
                       nearest);
    return cli_say(CLI_BAD, "hierarchy: %s%s%s; use build, show, validate or packs",
                   argc > 0 ? "'" : "nothing", argc > 0 ? argv[0] : "",
                   argc > 0 ? "' given" : " given");
}

/* Runs the command whose one or two words begin the line. */
static int
dispatch(int argc, char **argv)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *name = commands[i]->name, *second = strchr(name, ' ');
        size_t      length = second ? (size_t) (second - name) : strlen(name);

        if (strncmp(argv[0], name, length) != 0 || argv[0][length] != 0)
            continue;
        if (!second)
            return cli_run(commands[i], argc - 1, argv + 1);
        if (argc > 1 && strcmp(argv[1], second + 1) == 0)
            return cli_run(commands[i], argc - 2, argv + 2);
    }
    if (strcmp(argv[0], "hierarchy") == 0)
        return hierarchy(argc - 1, argv + 1);
    return unknown_command(argv[0]);
}

/* A crash must not write somebody's table to a core file. The limit keeps the kernel from writing one; a
 * process that is not dumpable is not handed to a crash collector either, and other programs of the same user
 * cannot look into its memory. Should either be refused, there is nothing better to do than to go on. */
static void
keep_memory_private(void)
{
    const struct rlimit none = { 0, 0 };

    setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/* Whoever starts us with a standard stream closed must not have a file take its number, or messages would
 * go into a release. What takes it instead can be neither read as input nor written to. */
static void
occupy_streams(void)
{
    static const int useless[] = { O_WRONLY, O_RDONLY, O_RDONLY };

    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", useless[fd]) != fd)
            _exit(CLI_IO);
}

int
main(int argc, char **argv)
{
    occupy_streams();
    keep_memory_private();
    cli_signals();
    if (argc < 2)
        return no_command();
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("kanon %s\n", kanon_version());
        return cli_flush(CLI_DONE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    if (strcmp(argv[1], "help") == 0 && argc == 2)
        return help();
    if (strcmp(argv[1], "help") == 0) { /* kanon help anonymize */
        char *swapped[] = { argv[2], argc > 3 ? argv[3] : "--help", "--help" };

        return dispatch(argc > 3 ? 3 : 2, swapped);
    }
    return dispatch(argc - 1, argv + 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_init.c -- a first config for a table. Never writes over a config that somebody may have edited. */
#include "cli.h"

static int
check_files(const cli_args *args, const char *input, const char *output)
{
    int code;

    if (cli_is_input(output, input))
        return cli_say(CLI_BAD, "%s: CONFIG is the same file as INPUT; choose another name",
                       output);
    code = cli_check_fresh(args, output);
    return code == CLI_DONE ? cli_check_target(output) : code;
}

/* The config gets its name when everything has been said. */
static int
propose(cli_session *session, const char *input, const char *output)
{
    cli_deferred  out = { 0 };
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;
    bool          quiet = session->quiet;
    kanon_status  rc = cli_source(session, input, &source);
    int           code = CLI_DONE;

    if (rc == KANON_OK)
        rc = cli_sink(session, output, &sink);
    if (rc == KANON_OK) {
        cli_defer(&out, sink);
        rc = kanon_starter_write(session->ctx, session->config, source, &out.sink);
    }
    if (rc == KANON_OK)
        cli_warnings(session);
    if (rc == KANON_OK && !quiet && !cli_is_stream(output)) {
        printf("The proposal is in ");
        cli_print_name(output, stdout);
        printf(": check the role of every column, then run\n  kanon anonymize ");
        cli_print_word(input, stdout);
        printf(" -c ");
        cli_print_word(output, stdout);
        printf(" -o release.csv\n");
        code = cli_flush(code);
    }
    if (rc == KANON_OK && code == CLI_DONE)
        rc = cli_deferred_commit(&out, session->ctx);
    if (rc < 0)
        code = cli_fail(session, rc);
    cli_deferred_end(&out);
    kanon_source_free(source);
    return code;
}

static int
run(const cli_args *args)
{
    const char *input = args->operands[0], *output = cli_value(args, "output");
    cli_session session;
    int         code = cli_begin(&session, args);

    if (!output)
        output = "-";
    if (code == CLI_DONE)
        code = check_files(args, input, output);
    if (code == CLI_DONE)
        code = propose(&session, input, output);
    cli_end(&session);
    return cli_flush(code);
}

static const cli_option files[] = {
    { "output", 'o', "CONFIG", "output file [standard output]" },
    { "force", 0, NULL, "replace an existing file" },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Files", files },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon init data.csv -o kanon.yaml",
    "kanon init data.csv --delimiter ';' --encoding latin-1 -o kanon.yaml",
    NULL,
};

const cli_command cli_init = {
    "init",
    "INPUT [-o CONFIG] [options]",
    "write a commented starter config from the data",
    "Inspects a table and proposes a config: what every column holds, its role with the reason and "
    "a confidence, and a hierarchy for each quasi-identifier. The config contains no cell of the "
    "table but frequent words and numbers that may mean \"missing\". Check it before you use it.",
    groups,
    1,
    1,
    "INPUT",
    examples,
    run,
};

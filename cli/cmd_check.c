/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c -- measures a table, whoever made it, and gates a pipeline with -k and privacy models. */
#include "cli.h"

static int
print_check(cli_session *session, const kanon_check *check)
{
    kanon_format format = cli_value(session->args, "json") ? KANON_FORMAT_JSON : KANON_FORMAT_TEXT;
    kanon_sink  *memory = NULL;
    kanon_status rc = kanon_sink_memory(session->ctx, &memory);
    int          code;

    if (rc == KANON_OK)
        rc = kanon_check_write(session->ctx, check, format, memory);
    code = rc == KANON_OK ? cli_print(memory, stdout) : cli_fail(session, rc);
    kanon_sink_free(memory);
    return code;
}

static int
run(const cli_args *args)
{
    cli_session   session;
    kanon_source *source = NULL;
    kanon_check  *check = NULL;
    kanon_status  rc;
    int           code = cli_begin(&session, args);

    if (code == CLI_DONE && cli_value(args, "k")) { /* wins over the config's */
        rc = kanon_config_set(session.config, "k", cli_value(args, "k"));
        if (rc < 0)
            code = cli_fail(&session, rc);
    }
    if (code == CLI_DONE) {
        rc = cli_source(&session, args->operands[0], &source);
        if (rc == KANON_OK)
            rc = kanon_check_run(session.ctx, session.config, source, &check);
        if (rc < 0) {
            code = cli_fail(&session, rc);
        } else {
            bool quiet = session.quiet && !cli_value(args, "json");

            cli_warnings(&session);
            code = quiet ? CLI_DONE : print_check(&session, check);
        }
        if (code == CLI_DONE)
            code = cli_flush(code);
        if (code == CLI_DONE && kanon_check_failure(check)[0])
            code = cli_say(CLI_BAD, "%s", kanon_check_failure(check));
    }
    kanon_check_free(check);
    kanon_source_free(source);
    cli_end(&session);
    return code;
}

static const cli_option measure[] = {
    { "qi", 0, NULL, NULL },
    { "sensitive", 0, NULL, NULL },
    { "type", 0, NULL, NULL },
    { "hierarchy", 0, NULL, NULL },
    { "count", 0, NULL, NULL },
    { "k", 'k', "N", "exit with 1 if k is less than N" },
    { "profile", 0, NULL, NULL },
    { "wildcard", 0, NULL, NULL },
    { "json", 0, NULL, "print JSON" },
    { "config", 'c', "FILE", "take roles, k and models from a config; options override it" },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "What to measure", measure },
    { "Privacy models (exit with 1 if the table violates one)", NULL },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon check release.csv --qi age,sex,postcode --sensitive diagnosis",
    "kanon check release.csv -c kanon.yaml -k 5 -q && publish release.csv",
    "kanon check release.csv --qi age,sex --sensitive diagnosis --l-diversity 3 --t-closeness 0.2",
    NULL,
};

const cli_command cli_check = {
    "check",
    "FILE --qi LIST [--sensitive LIST] [-k N] [options]",
    "measure any table: k, equivalence classes, l, t, risk",
    "Measures how anonymous a table is, whichever tool made it: the size of the smallest "
    "equivalence class (k), all class sizes, the re-identification risk, and l and t of the "
    "sensitive columns. With -k, or k in the config, it exits with 1 if the table is not "
    "k-anonymous; with a privacy model, if the table violates it. In both cases it also exits with "
    "1 if an identifier of the config is in clear.",
    groups,
    1,
    1,
    "FILE",
    examples,
    run,
};

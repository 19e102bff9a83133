/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_explain.c -- why a release loses so much, or why there is none, and what would help. */
#include "cli.h"

#include <string.h>

static kanon_status
write_found(kanon_ctx *ctx, const void *found, kanon_format format, kanon_sink *sink)
{
    return kanon_explanation_write(ctx, found, format, sink);
}

static int
explain(cli_session *session)
{
    const cli_args    *args = session->args;
    kanon_source      *source = NULL;
    kanon_explanation *explanation = NULL;
    kanon_status       rc = cli_source(session, args->operands[0], &source);
    int                code;

    if (rc == KANON_OK)
        rc = kanon_explain(session->ctx, session->config, source, &explanation);
    if (rc < 0) {
        code = cli_fail(session, rc);
    } else {
        cli_warnings(session);
        code = cli_tell(session, write_found, explanation);
        if (code == CLI_DONE && kanon_explanation_outcome(explanation) == KANON_INFEASIBLE)
            code = CLI_INFEASIBLE;
    }
    kanon_explanation_free(explanation);
    kanon_source_free(source);
    return code;
}

static int
run(const cli_args *args)
{
    const char *config = cli_value(args, "config");
    cli_session session;
    int         code;

    if (strcmp(args->operands[0], "-") == 0 && config && strcmp(config, "-") == 0)
        return cli_say(CLI_BAD,
                       "INPUT and CONFIG are both standard input; give one of them as a file");
    code = cli_begin(&session, args);
    if (code == CLI_DONE)
        code = cli_check_page(&session);
    if (code == CLI_DONE)
        code = explain(&session);
    cli_end(&session);
    return cli_flush(code);
}

static const cli_option files[] = {
    { "config", 'c', "FILE", "config file, YAML or JSON; the command line overrides it" },
    { "json", 0, NULL, "print JSON" },
    { "html", 0, "FILE", "also write a page: a single file that loads nothing" },
    { NULL, 0, NULL, NULL },
};
static const cli_option privacy[] = {
    { "k", 'k', NULL, NULL },
    { "suppression", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Files", files },
    { "Columns", cli_column_options },
    { "Privacy", privacy },
    { "Privacy models", NULL },
    { "Search (the time limit applies to the whole command; default: 60 seconds)",
      cli_search_options },
    { "Local recoding (mondrian, k-members, oka, ika, bha, kab)", cli_local_options },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon explain data.csv -c kanon.yaml",
    "kanon explain data.csv --qi age,sex,postcode -k 10 --json",
    "kanon explain data.csv -c kanon.yaml --algorithm mondrian --html why.html",
    NULL,
};

const cli_command cli_explain = {
    "explain",
    "INPUT [-c CONFIG] [options]",
    "explain why so much is lost, or why there is no release",
    "Searches as anonymize would, without releasing anything, and shows which quasi-identifiers "
    "and groups cause the suppressed rows or, with local recoding, which classes lose most. Then "
    "changes one setting at a time and searches again: k, the suppression limit, one "
    "quasi-identifier or privacy model fewer, a level up or down. If nothing is feasible, it looks "
    "for the nearest settings that work and exits with 2.",
    groups,
    1,
    1,
    "INPUT",
    examples,
    run,
};

/* cmd_explain.c -- why a release loses so much, or why there is none, and what would help. */
#include "cli.h"

#include <string.h>

static int
print(cli_session *session, const kanon_explanation *explanation)
{
    kanon_format format = cli_value(session->args, "json") ? KANON_FORMAT_JSON : KANON_FORMAT_TEXT;
    kanon_sink  *memory = NULL;
    kanon_status rc = kanon_sink_memory(session->ctx, &memory);
    int          code;

    if (rc == KANON_OK)
        rc = kanon_explanation_write(session->ctx, explanation, format, memory);
    code = rc == KANON_OK ? cli_print(memory, stdout) : cli_fail(session, rc);
    kanon_sink_free(memory);
    return code;
}

/* The page must not take the place of a file that is read, and its name says that it is one. */
static int
check_page(const cli_session *session)
{
    const char *page = cli_value(session->args, "html"), *input = session->args->operands[0];
    int         code = page ? cli_check_target(page) : CLI_DONE;

    if (page && code == CLI_DONE && cli_same_file(page, input))
        code = cli_say(CLI_BAD, "%s: the page is the same file as INPUT, expected another name",
                       page);
    if (page && code == CLI_DONE)
        code = cli_check_settings(session, page, "the page");
    if (page && code == CLI_DONE)
        code = cli_check_page(session, page);
    return code;
}

/* The page gets its name when everything is written and said. */
static int
tell(cli_session *session, const kanon_explanation *explanation, bool quiet)
{
    const char  *page = cli_value(session->args, "html");
    cli_deferred out = { 0 };
    kanon_sink  *sink = NULL;
    kanon_status rc = page ? cli_sink(session, page, &sink) : KANON_OK;
    int          code = CLI_DONE;

    if (page && rc == KANON_OK) {
        cli_defer(&out, sink);
        rc = kanon_explanation_write(session->ctx, explanation, KANON_FORMAT_HTML, &out.sink);
    }
    if (rc == KANON_OK && !quiet)
        code = cli_flush(print(session, explanation));
    if (rc == KANON_OK && code == CLI_DONE)
        rc = cli_deferred_commit(&out, session->ctx);
    if (rc < 0)
        code = cli_fail(session, rc);
    cli_deferred_end(&out);
    return code;
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
        const char *page = cli_value(args, "html");
        bool        quiet = (session->quiet && !cli_value(args, "json"))
                  || (page && cli_is_stream(page)); /* it stays clean */

        cli_warnings(session);
        code = tell(session, explanation, quiet);
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
                       "INPUT and CONFIG are both standard input, expected one of them in a file");
    code = cli_begin(&session, args);
    if (code == CLI_DONE)
        code = check_page(&session);
    if (code == CLI_DONE)
        code = explain(&session);
    cli_end(&session);
    return cli_flush(code);
}

static const cli_option files[] = {
    { "config", 'c', "FILE", "YAML or JSON; options on the command line win" },
    { "json", 0, NULL, "print JSON" },
    { "html", 0, "FILE", "write a page, too: one file that loads nothing" },
    { NULL, 0, NULL, NULL },
};
static const cli_option columns[] = {
    { "qi", 0, NULL, NULL },        { "id", 0, NULL, NULL },   { "sensitive", 0, NULL, NULL },
    { "hierarchy", 0, NULL, NULL }, { "type", 0, NULL, NULL }, { "weight", 0, NULL, NULL },
    { "label", 0, NULL, NULL },     { NULL, 0, NULL, NULL },
};
static const cli_option privacy[] = {
    { "k", 'k', NULL, NULL },
    { "suppression", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_option search[] = {
    { "algorithm", 0, NULL, NULL }, { "metric", 0, NULL, NULL },  { "param", 0, NULL, NULL },
    { "seed", 0, NULL, NULL },      { "threads", 0, NULL, NULL }, { "time-limit", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_option local[] = {
    { "local", 0, NULL, NULL },
    { "snap", 0, NULL, NULL },
    { "grid", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Files", files },
    { "Columns (a column not named is insensitive)", columns },
    { "Privacy", privacy },
    { "Privacy models", cli_model_options },
    { "Search (the time limit is for the whole, 60 seconds unless given)", search },
    { "Local recoding (mondrian, k-members, oka, ika, bha, kab)", local },
    { "The table (found out when not given)", cli_table_options },
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
    "why so much is lost, or why there is no release",
    "Searches as anonymize would, releases nothing, and tells which quasi-identifiers and groups "
    "the suppressed rows are owed to, or with local recoding which classes lose most. Then changes "
    "one setting at a time and searches again: k, "
    "the suppression limit, a quasi-identifier or a privacy model less, a level up or down. Where "
    "nothing is feasible it looks for the nearest settings that work, and exits with 2.",
    groups,
    1,
    1,
    "INPUT",
    examples,
    run,
};

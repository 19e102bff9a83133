/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_anonymize.c -- the main job: what can be refused is refused before any work, then the library does
 * the rest, and only when all of it is done do the files get their names. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Everything that is written waits here until the job, the reports and the summary are done. */
typedef struct outputs {
    cli_deferred  release;
    cli_deferred *reports;
    size_t        nreports;
} outputs;

/* --- before the job ---------------------------------------------------------------------------- */

static int
check_report(const cli_session *session, size_t number, const char *input, const char *output)
{
    const char *report = kanon_config_report(session->config, number);
    int         code = cli_check_target(report);

    if (code != CLI_DONE)
        return code;
    if (cli_same_file(report, output) || cli_is_input(report, input))
        return cli_say(CLI_BAD,
                       "%s: the report is the same file as INPUT or OUTPUT; choose another name",
                       report);
    for (size_t i = 0; i < number; i++)
        if (cli_same_file(report, kanon_config_report(session->config, i)))
            return cli_say(CLI_BAD, "%s: given twice; choose different files", report);
    return cli_check_settings(session, report, "the report");
}

/* Nothing that is there already may be lost: the release and the reports are other files than the table,
 * the config and the files that it names, and than each other. */
static int
check_files(const cli_session *session, const char *input, const char *output)
{
    int code;

    if (!output)
        return cli_say(CLI_BAD, "OUTPUT is missing; use -o FILE (-o - for standard output)");
    if (cli_value(session->args, "json") && cli_is_stream(output))
        return cli_say(CLI_BAD,
                       "--json and the release (-o %s) both go to standard output; write one of "
                       "them to a file: --report FILE.json",
                       output);
    if (cli_is_input(output, input))
        return cli_say(CLI_BAD,
                       "%s: OUTPUT is the same file as INPUT, which would destroy the original; "
                       "choose another name",
                       output);
    code = cli_check_settings(session, output, "OUTPUT");
    if (code == CLI_DONE)
        code = cli_check_target(output);
    for (size_t i = 0; code == CLI_DONE && kanon_config_report(session->config, i); i++)
        code = check_report(session, i, input, output);
    return code;
}

static kanon_status
open_outputs(cli_session *session, const char *output, outputs *out)
{
    kanon_sink  *sink = NULL;
    kanon_status rc = cli_sink(session, output, &sink);
    size_t       count = 0;

    if (rc < 0)
        return rc;
    cli_defer(&out->release, sink);
    while (kanon_config_report(session->config, count))
        count++;
    out->reports = calloc(count + 1, sizeof *out->reports);
    if (!out->reports)
        return KANON_E_NOMEM;
    for (; out->nreports < count; out->nreports++) {
        rc = cli_sink(session, kanon_config_report(session->config, out->nreports), &sink);
        if (rc < 0)
            return rc;
        cli_defer(&out->reports[out->nreports], sink);
    }
    return KANON_OK;
}

static void
close_outputs(outputs *out)
{
    for (size_t i = 0; i < out->nreports; i++)
        cli_deferred_end(&out->reports[i]);
    free(out->reports);
    cli_deferred_end(&out->release);
}

/* --- after it ---------------------------------------------------------------------------------- */

/* A release or a report on a stream, which may well be standard output, stays clean. */
static FILE *
summary_stream(const cli_session *session)
{
    const char *report;

    if (cli_is_stream(cli_value(session->args, "output")))
        return stderr;
    for (size_t i = 0; (report = kanon_config_report(session->config, i)); i++)
        if (cli_is_stream(report))
            return stderr;
    return stdout;
}

/* The summary for people, with -v all of it; or with --json the report for programs. */
static int
tell(cli_session *session, const kanon_result *result, FILE *stream)
{
    kanon_sink  *memory = NULL;
    kanon_status rc = kanon_sink_memory(session->ctx, &memory);
    int          code;

    if (rc == KANON_OK)
        rc = kanon_result_write(session->ctx, result,
                                cli_value(session->args, "json")      ? KANON_FORMAT_JSON
                                : cli_value(session->args, "verbose") ? KANON_FORMAT_DETAILS
                                                                      : KANON_FORMAT_TEXT,
                                memory);
    code = rc == KANON_OK ? cli_print(memory, stream) : cli_fail(session, rc);
    kanon_sink_free(memory);
    return cli_flush(code);
}

/* The config has accepted the name: it ends in .html or .json. */
static kanon_format
report_format(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".html") == 0 ? KANON_FORMAT_HTML
                                                                 : KANON_FORMAT_JSON;
}

/* Does one of the reports replace that of another release of the same table? To be asked before they do. */
static const char *
find_earlier(cli_session *session, const kanon_result *result)
{
    const char *report;

    for (size_t i = 0; (report = kanon_config_report(session->config, i)); i++)
        if (report_format(report) == KANON_FORMAT_JSON && cli_same_table(session, result, report))
            return report;
    return NULL;
}

/* Where everything is, once it is there. */
static void
tell_places(const cli_session *session, const char *output, bool replaced, FILE *stream)
{
    const char *report, *gap = "\n"; /* after the summary, before the first line */

    if (!cli_is_stream(output)) {
        fprintf(stream, "%sThe release is in ", gap);
        cli_print_name(output, stream);
        fprintf(stream, "\n%s", replaced ? "  It replaced an existing file.\n" : "");
        gap = "";
    }
    for (size_t i = 0; (report = kanon_config_report(session->config, i)); i++)
        if (!cli_is_stream(report)) {
            fprintf(stream, "%sThe report is in ", gap);
            cli_print_name(report, stream);
            fputc('\n', stream);
            gap = "";
        }
}

static void
tell_earlier(const char *report)
{
    fputs("kanon: ", stderr);
    cli_styled(stderr, CLI_WARN, "warning:", 8);
    fputc(' ', stderr);
    cli_print_name(report, stderr);
    fputs(" describes another release of the same table; if you have shared that one, do not share "
          "this one too: together they protect less than each alone\n",
          stderr);
}

/* The release gets its name as the very last step. Streams are the exception: they can fail at any byte,
 * a rename hardly can, so they go first, no report is left of a release that nobody got, and no summary
 * describes it. */
static kanon_status
commit_streams(cli_session *session, const char *output, outputs *out)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && i < out->nreports; i++)
        if (cli_is_stream(kanon_config_report(session->config, i)))
            rc = cli_deferred_commit(&out->reports[i], session->ctx);
    if (rc == KANON_OK && cli_is_stream(output))
        rc = cli_deferred_commit(&out->release, session->ctx);
    return rc;
}

/* What is still waiting. */
static kanon_status
commit_files(cli_session *session, outputs *out)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && i < out->nreports; i++)
        rc = cli_deferred_commit(&out->reports[i], session->ctx);
    if (rc == KANON_OK)
        rc = cli_deferred_commit(&out->release, session->ctx);
    return rc;
}

static int
finish(cli_session *session, const kanon_result *result, outputs *out)
{
    const char  *output = cli_value(session->args, "output");
    bool         quiet = session->quiet, json = cli_value(session->args, "json") != NULL;
    FILE        *stream = summary_stream(session);
    kanon_status rc = KANON_OK;
    int          code = CLI_DONE;

    cli_warnings(session);
    if (kanon_result_outcome(result) == KANON_INFEASIBLE) {
        if (json)
            code = tell(session, result, stream);
        return code == CLI_DONE ? cli_say(CLI_INFEASIBLE, "%s", kanon_result_advice(result)) : code;
    }
    for (size_t i = 0; rc == KANON_OK && i < out->nreports; i++)
        rc = kanon_result_write(session->ctx, result,
                                report_format(kanon_config_report(session->config, i)),
                                &out->reports[i].sink);
    if (rc == KANON_OK && cli_interrupted())
        return cli_say(CLI_INTERRUPTED, "interrupted");
    if (rc == KANON_OK)
        rc = commit_streams(session, output, out);
    if (rc == KANON_OK && (json || !quiet))
        code = tell(session, result, stream);
    if (rc == KANON_OK && code == CLI_DONE && cli_interrupted())
        return cli_say(CLI_INTERRUPTED, "interrupted");
    if (rc == KANON_OK && code == CLI_DONE) {
        const char *earlier = quiet ? NULL : find_earlier(session, result);
        bool        replaces = cli_replaces(output);

        rc = commit_files(session, out);
        cli_warnings(session);
        if (rc == KANON_OK && !quiet && !json)
            tell_places(session, output, replaces, stream);
        if (rc == KANON_OK && earlier)
            tell_earlier(earlier);
    }
    return rc < 0 ? cli_fail(session, rc) : code;
}

static int
run(const cli_args *args)
{
    const char   *input = args->operands[0], *output = cli_value(args, "output");
    const char   *config = cli_value(args, "config");
    outputs       out = { 0 };
    cli_session   session;
    kanon_source *source = NULL;
    kanon_result *result = NULL;
    kanon_status  rc = KANON_OK;
    int           code;

    if (strcmp(input, "-") == 0 && config && strcmp(config, "-") == 0)
        return cli_say(CLI_BAD,
                       "INPUT and CONFIG are both standard input; give one of them as a file");
    code = cli_begin(&session, args);
    if (code == CLI_DONE)
        code = check_files(&session, input, output);
    if (code == CLI_DONE) {
        rc = cli_source(&session, input, &source);
        if (rc == KANON_OK)
            rc = open_outputs(&session, output, &out);
        if (rc == KANON_OK)
            rc = kanon_anonymize(session.ctx, session.config, source, &out.release.sink, &result);
        code = rc == KANON_OK ? finish(&session, result, &out) : cli_fail(&session, rc);
    }
    kanon_result_free(result);
    close_outputs(&out);
    kanon_source_free(source);
    cli_end(&session);
    return code; /* what counts was flushed; the last lines are for whoever still listens */
}

static const cli_option files[] = {
    { "output", 'o', "OUTPUT", "the release; - means standard output" },
    { "config", 'c', "FILE", "config file, YAML or JSON; the command line overrides it" },
    { "from", 0, "FRONT.json",
      "release a point of a Pareto front from `kanon pareto`, with its settings; its page, .html, "
      "will do as well" },
    { "pick", 0, "N", "the number of the point, from 1" },
    { "report", 0, NULL, NULL },
    { "report-audience", 0, NULL, NULL },
    { "json", 0, NULL, "print the JSON report instead of the summary" },
    { "keep-order", 0, NULL, NULL },
    { "order-key", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_option privacy[] = {
    { "k", 'k', NULL, NULL },         { "profile", 0, NULL, NULL },
    { "suppression", 0, NULL, NULL }, { "suppressed", 0, NULL, NULL },
    { "identifiers", 0, NULL, NULL }, { "formulas", 0, NULL, NULL },
    { "intervals", 0, NULL, NULL },   { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Files", files },
    { "Columns (every column needs a role)", cli_column_options },
    { "Privacy", privacy },
    { "Privacy models beyond k (for every sensitive column, or COL=VALUE for one)", NULL },
    { "Search", cli_search_options },
    { "Local recoding (mondrian, k-members, oka, ika, bha, kab)", cli_local_options },
    { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon anonymize data.csv -c kanon.yaml -o release.csv --report release.html",
    "kanon anonymize data.csv -o release.csv -k 10 --qi age,sex,postcode --id name --others drop",
    NULL,
};

const cli_command cli_anonymize = {
    "anonymize",
    "INPUT -o OUTPUT [-c CONFIG] [options]",
    "make a k-anonymous release of a table",
    "Reads a table, finds the generalization with the least information loss such that every "
    "released row shares its quasi-identifiers with at least k - 1 others, writes the release, "
    "reads it back and verifies it. If anything fails, nothing is written.",
    groups,
    1,
    1,
    "INPUT",
    examples,
    run,
};

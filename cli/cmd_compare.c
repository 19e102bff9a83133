/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c -- what a release lost, whoever made it. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --queries: 0 asks none. */
static int
read_queries(const cli_args *args, kanon_compare_options *options)
{
    const char        *value = cli_value(args, "queries");
    char              *end = NULL;
    unsigned long long count;

    if (!value)
        return CLI_DONE;
    errno = 0;
    count = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || errno || count > 10000000)
        return cli_say(CLI_BAD, "queries: '%s' is not valid; expected a number from 0 to 10000000",
                       value);
    options->queries = count;
    options->no_queries = count == 0;
    return CLI_DONE;
}

static kanon_status
write_found(kanon_ctx *ctx, const void *found, kanon_format format, kanon_sink *sink)
{
    return kanon_comparison_write(ctx, found, format, sink);
}

static bool
one_standard_input(const cli_args *args)
{
    const char *config = cli_value(args, "config"), *report = cli_value(args, "report");

    return (strcmp(args->operands[0], "-") == 0) + (strcmp(args->operands[1], "-") == 0)
             + (config && strcmp(config, "-") == 0) + (report && strcmp(report, "-") == 0)
        <= 1;
}

static bool
look_at(const char *path, struct stat *there)
{
    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, there) : stat(path, there)) == 0;
}

/* A pipe or a device gives its bytes once: whoever reads it again waits for a writer that is gone. */
static bool
is_same_stream(const char *a, const char *b)
{
    struct stat one, other;

    return a && b && look_at(a, &one) && look_at(b, &other) && one.st_dev == other.st_dev
        && one.st_ino == other.st_ino && !S_ISREG(one.st_mode) && !S_ISDIR(one.st_mode);
}

static int
refuse_streams(const cli_args *args)
{
    const char *names[] = { args->operands[0], args->operands[1], cli_value(args, "config"),
                            cli_value(args, "report") };

    if (!one_standard_input(args))
        return cli_say(CLI_BAD,
                       "standard input is given more than once; read at most one file from it");
    for (size_t i = 0; i < 4; i++)
        for (size_t n = i + 1; n < 4; n++)
            if (is_same_stream(names[i], names[n]))
                return cli_say(CLI_BAD,
                               "%s: is given more than once but can be read only once; use a file, "
                               "or one pipe for each",
                               names[n]);
    return CLI_DONE;
}

static kanon_status
take_report(cli_session *session, const char *path)
{
    kanon_source *source = NULL;
    kanon_status  rc = cli_source(session, path, &source);

    if (rc == KANON_OK)
        rc = kanon_config_take_report(session->config, source, session->args->operands[1]);
    cli_await_end();
    kanon_source_free(source);
    return rc;
}

/* release.json beside release.csv, if it is there. */
static char *
report_beside(const char *release)
{
    const char *slash = strrchr(release, '/'), *dot = strrchr(release, '.');
    size_t      stem = dot && (!slash || dot > slash) ? (size_t) (dot - release) : strlen(release);
    char       *path = malloc(stem + sizeof ".json");
    struct stat there;

    if (path) {
        memcpy(path, release, stem);
        memcpy(path + stem, ".json", sizeof ".json");
    }
    if (path && stat(path, &there) == 0 && S_ISREG(there.st_mode))
        return path;
    free(path);
    return NULL;
}

/* Settings of the release: from the report that is named, or from one that lies beside it. What the config
 * says was true of other releases, too, so the report counts for more. */
static int
prepare(cli_session *session)
{
    const char  *named = cli_value(session->args, "report");
    const char  *release = session->args->operands[1];
    char        *beside = named || strcmp(release, "-") == 0 ? NULL : report_beside(release);
    kanon_status rc = KANON_OK;

    if (named)
        rc = take_report(session, named);
    else if (beside)
        (void) take_report(session, beside); /* some other file of that name */
    free(beside);
    return rc == KANON_OK ? CLI_DONE : cli_fail(session, rc);
}

static int
compare(cli_session *session, const kanon_compare_options *options)
{
    const cli_args   *args = session->args;
    kanon_source     *original = NULL, *released = NULL;
    kanon_comparison *comparison = NULL;
    kanon_status      rc = cli_source(session, args->operands[0], &original);
    int               code;

    if (rc == KANON_OK)
        rc = cli_source(session, args->operands[1], &released);
    if (rc == KANON_OK)
        rc = kanon_compare(session->ctx, session->config, original, released, options, &comparison);
    if (rc < 0) {
        code = cli_fail(session, rc);
    } else {
        cli_warnings(session);
        code = cli_tell(session, write_found, comparison);
    }
    kanon_comparison_free(comparison);
    kanon_source_free(original);
    kanon_source_free(released);
    return code;
}

static int
run(const cli_args *args)
{
    kanon_compare_options options = KANON_COMPARE_OPTIONS_INIT;
    cli_session           session;
    kanon_status          rc;
    int                   code;

    code = refuse_streams(args);
    if (code != CLI_DONE)
        return code;
    code = cli_begin_with(&session, args, prepare);
    if (code == CLI_DONE)
        code = read_queries(args, &options);
    if (code == CLI_DONE && cli_value(args, "k")
        && (rc = kanon_config_set(session.config, "k", cli_value(args, "k"))) < 0)
        code = cli_fail(&session, rc);
    if (code == CLI_DONE)
        code = cli_check_page(&session);
    if (code == CLI_DONE)
        code = compare(&session, &options);
    cli_end(&session);
    return cli_flush(code);
}

static const cli_option columns[] = {
    { "config", 'c', "FILE", "config file as for anonymize; the command line overrides it" },
    { "report", 0, "FILE",
      "JSON report of the release, which tells its roles and hierarchies [RELEASED with .json]" },
    { "qi", 0, NULL, NULL },
    { "id", 0, NULL, NULL },
    { "sensitive", 0, NULL, NULL },
    { "label", 0, NULL, NULL },
    { "count", 0, NULL, NULL },
    { "hierarchy", 0, NULL, NULL },
    { "type", 0, NULL, NULL },
    { "weight", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_option how[] = {
    { "json", 0, NULL, "print JSON" },
    { "html", 0, "FILE", "also write a page with plots: a single file that loads nothing" },
    { "queries", 0, "N", "number of random range counts; 0: none [1000]" },
    { "k", 'k', "N", "name no value that fewer than N rows (or fewer than 10) have" },
    { "seed", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Columns", columns },
    { "Output", how },
    { "The tables (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon compare data.csv release.csv --report release.json",
    "kanon compare data.csv other-tool.csv --qi age,sex,postcode --label income --html lost.html",
    NULL,
};

const cli_command cli_compare = {
    "compare",
    "ORIGINAL RELEASED [-c CONFIG] [options]",
    "measure what a release lost, whichever tool made it",
    "Measures what a release lost: information loss per column and in total, changes in "
    "distributions, pairs of columns and correlations, the accuracy of a model trained on the "
    "release, and the error of counts. Columns are matched by name; rows are not matched. Released "
    "cells may be values, intervals, sets, texts with hidden characters, * or labels of a "
    "hierarchy.",
    groups,
    2,
    2,
    "ORIGINAL or RELEASED",
    examples,
    run,
};

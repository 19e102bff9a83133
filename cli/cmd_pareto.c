/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_pareto.c -- the trade-off front of a table: on the terminal, as JSON, CSV, or a page to look at. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* --- before the job ---------------------------------------------------------------------------- */

typedef struct target {
    const char  *path;
    kanon_format format;
} target;

static bool
ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);

    return length > tail && strcmp(path + length - tail, end) == 0;
}

/* The format of a file follows from its name; standard output gets JSON. */
static int
find_format(target *out)
{
    if (strcmp(out->path, "-") == 0 || ends_in(out->path, ".json"))
        out->format = KANON_FORMAT_JSON;
    else if (ends_in(out->path, ".csv"))
        out->format = KANON_FORMAT_CSV;
    else if (ends_in(out->path, ".html") || ends_in(out->path, ".htm"))
        out->format = KANON_FORMAT_HTML;
    else
        return cli_say(CLI_BAD, "%s: unknown format; use a name that ends in .json, .csv or .html",
                       out->path);
    return CLI_DONE;
}

static int
check_targets(const cli_session *session, target *targets, size_t count)
{
    const char *input = session->args->operands[0];
    int         code = CLI_DONE;

    for (size_t i = 0; code == CLI_DONE && i < count; i++) {
        code = find_format(&targets[i]);
        if (code == CLI_DONE && cli_is_input(targets[i].path, input))
            code = cli_say(CLI_BAD, "%s: the front is the same file as INPUT; choose another name",
                           targets[i].path);
        for (size_t j = 0; code == CLI_DONE && j < i; j++)
            if (cli_same_file(targets[i].path, targets[j].path))
                code = cli_say(CLI_BAD, "%s: given twice; choose different files", targets[i].path);
        if (code == CLI_DONE)
            code = cli_check_settings(session, targets[i].path, "the front");
        if (code == CLI_DONE)
            code = cli_check_target(targets[i].path);
    }
    return code;
}

/* --- after it ---------------------------------------------------------------------------------- */

static unsigned
terminal_width(void)
{
    struct winsize size;
    const char    *columns = getenv("COLUMNS");
    unsigned long  given = columns ? strtoul(columns, NULL, 10) : 0;

    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return given >= 20 && given <= 1000 ? (unsigned) given : 80;
}

/* The file that commands on the page and on the terminal name: the JSON, else the page, which holds it. */
static const char *
front_file(const target *targets, size_t count)
{
    static const kanon_format read[] = { KANON_FORMAT_JSON, KANON_FORMAT_HTML };

    for (size_t f = 0; f < sizeof read / sizeof read[0]; f++)
        for (size_t i = 0; i < count; i++)
            if (targets[i].format == read[f] && strcmp(targets[i].path, "-") != 0)
                return targets[i].path;
    return NULL;
}

static int
print_front(cli_session *session, const kanon_front *front, kanon_format format)
{
    kanon_front_options options = KANON_FRONT_OPTIONS_INIT;
    kanon_sink         *memory = NULL;
    kanon_status        rc = kanon_sink_memory(session->ctx, &memory);
    int                 code;

    options.width = terminal_width();
    if (rc == KANON_OK)
        rc = kanon_front_write(session->ctx, front, format, &options, memory);
    code = rc == KANON_OK ? cli_flush(cli_print(memory, stdout)) : cli_fail(session, rc);
    kanon_sink_free(memory);
    return code;
}

static kanon_status
write_targets(cli_session *session, const kanon_front *front, const target *targets, size_t count,
              cli_deferred *deferred)
{
    kanon_front_options options = KANON_FRONT_OPTIONS_INIT;
    kanon_status        rc = KANON_OK;

    options.file = front_file(targets, count);
    options.input = session->args->operands[0];
    for (size_t i = 0; rc == KANON_OK && i < count; i++) {
        kanon_sink *sink = NULL;

        rc = cli_sink(session, targets[i].path, &sink);
        if (rc < 0)
            break;
        cli_defer(&deferred[i], sink);
        rc = kanon_front_write(session->ctx, front, targets[i].format, &options, &deferred[i].sink);
    }
    for (size_t i = 0; rc == KANON_OK && i < count; i++)
        rc = cli_deferred_commit(&deferred[i], session->ctx);
    return rc;
}

/* Where everything is, and what comes next. */
static void
tell_places(const cli_session *session, const target *targets, size_t count)
{
    const char *json = front_file(targets, count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(targets[i].path, "-") != 0) {
            printf("%sThe front is in ", i ? "" : "\n");
            cli_print_name(targets[i].path, stdout);
            printf("\n");
        }
    printf("%sTo release a point: kanon anonymize ", count ? "" : "\n");
    cli_print_word(session->args->operands[0], stdout);
    printf(" --from ");
    cli_print_word(json ? json : "FRONT.json", stdout);
    printf(" --pick N -o release.csv%s\n", json ? "" : " (-o FRONT.json writes it)");
}

static int
finish(cli_session *session, const kanon_front *front, const target *targets, size_t count)
{
    cli_deferred *deferred = calloc(count + 1, sizeof *deferred);
    bool          json = cli_value(session->args, "json") != NULL, quiet = session->quiet;
    bool          stream = json;
    kanon_status  rc = deferred ? KANON_OK : KANON_E_NOMEM;
    int           code = CLI_DONE;

    cli_warnings(session);
    for (size_t i = 0; i < count; i++)
        stream |= cli_is_stream(targets[i].path);
    if (cli_interrupted()) {
        code = cli_say(CLI_INTERRUPTED, "interrupted");
    } else {
        if (rc == KANON_OK && json)
            code = print_front(session, front, KANON_FORMAT_JSON);
        if (rc == KANON_OK && !quiet && !stream)
            code = print_front(session, front, KANON_FORMAT_TEXT);
        if (rc == KANON_OK && code == CLI_DONE)
            rc = write_targets(session, front, targets, count, deferred);
        if (rc == KANON_OK && code == CLI_DONE && !quiet && !stream)
            tell_places(session, targets, count);
        if (rc < 0)
            code = cli_fail(session, rc);
    }
    for (size_t i = 0; deferred && i < count; i++)
        if (deferred[i].target)
            cli_deferred_end(&deferred[i]);
    free(deferred);
    return code;
}

/* Settings that mean something of their own here, and have a help text of their own for it. */
static int
apply_own(cli_session *session)
{
    static const char *const names[] = { "algorithm", "time-limit" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char  *value = cli_value(session->args, names[i]);
        kanon_status rc = value ? kanon_config_set(session->config, names[i], value) : KANON_OK;

        if (rc < 0)
            return cli_fail(session, rc);
    }
    return CLI_DONE;
}

static int
run(const cli_args *args)
{
    target       *targets = calloc(args->ngiven + 1, sizeof *targets);
    size_t        count = 0;
    cli_session   session;
    kanon_source *source = NULL;
    kanon_front  *front = NULL;
    kanon_status  rc;
    int           code;

    if (!targets)
        return cli_say(CLI_NOMEM, "out of memory");
    for (size_t i = 0; i < args->ngiven; i++)
        if (strcmp(args->given[i].option->name, "output") == 0)
            targets[count++].path = args->given[i].value;
    code = cli_begin(&session, args);
    if (code == CLI_DONE)
        code = apply_own(&session);
    if (code == CLI_DONE)
        code = check_targets(&session, targets, count);
    if (code == CLI_DONE) {
        rc = cli_source(&session, args->operands[0], &source);
        if (rc == KANON_OK)
            rc = kanon_pareto(session.ctx, session.config, source, &front);
        code = rc == KANON_OK ? finish(&session, front, targets, count) : cli_fail(&session, rc);
    }
    kanon_front_free(front);
    kanon_source_free(source);
    cli_end(&session);
    free(targets);
    return count ? code : cli_flush(code); /* once files have their names, nothing more may fail */
}

static const cli_option files[] = {
    { "output", 'o', "FILE", "write the front: .json, .csv or .html (repeatable)" },
    { "config", 'c', "FILE", "config file, YAML or JSON; the command line overrides it" },
    { "json", 0, NULL, "print JSON" },
    { NULL, 0, NULL, NULL },
};
static const cli_option trade[] = {
    { "objectives", 0, NULL, NULL },  { "boxes", 0, NULL, NULL }, { "knee-k", 0, NULL, NULL },
    { "suppression", 0, NULL, NULL }, { NULL, 0, NULL, NULL },
};
static const cli_option search[] = {
    { "algorithm", 0, "auto|exact|pbg-ea",
      "exact: the complete front; pbg-ea: an evolutionary search; auto: exact if that is fast "
      "[auto]" },
    { "param", 0, NULL, NULL },
    { "seed", 0, NULL, NULL },
    { "threads", 0, NULL, NULL },
    { "time-limit", 0, "SECONDS", "end the search after this time, with the front found so far" },
    { NULL, 0, NULL, NULL },
};
static const cli_group groups[] = {
    { "Files", files },     { "Columns", cli_column_options },
    { "The trade", trade }, { "Privacy models of the release of a point", NULL },
    { "Search", search },   { "The table (detected by default)", cli_table_options },
    { NULL, NULL },
};
static const char *const examples[] = {
    "kanon pareto data.csv -c kanon.yaml -o front.json -o front.html",
    "kanon pareto data.csv --qi age,sex,postcode --objectives k,log",
    "kanon anonymize data.csv --from front.json --pick 3 -o release.csv",
    NULL,
};

const cli_command cli_pareto = {
    "pareto",
    "INPUT [-o FRONT.json] [options]",
    "find the Pareto front: the non-dominated releases",
    "Finds the Pareto front of a table: the releases that cannot be improved in one objective "
    "without getting worse in another, such as k against information loss. Nothing is released: "
    "`kanon anonymize --from FRONT.json --pick N` makes the release of a point.",
    groups,
    1,
    1,
    "INPUT",
    examples,
    run,
};

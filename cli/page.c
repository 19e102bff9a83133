/* SPDX-License-Identifier: Apache-2.0 */
/* page.c -- how explain and compare tell what they found: printed, and as the page that --html asks for. */
#include "cli.h"

#include <string.h>

/* May --html have this value? Its name says that it is a page, and it does not go where --json prints. */
static int
check_name(const cli_session *session, const char *path)
{
    static const char *const ends[] = { ".html", ".htm" };
    size_t                   length = strlen(path);
    bool                     page = cli_is_stream(path);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t tail = strlen(ends[i]);

        page |= length > tail && strcmp(path + length - tail, ends[i]) == 0;
    }
    if (!page)
        return cli_say(CLI_BAD, "html: '%s' is not an HTML file; use a name that ends in .html",
                       path);
    if (cli_is_stream(path) && cli_value(session->args, "json"))
        return cli_say(CLI_BAD,
                       "--json and the page (--html %s) both go to standard output; write one of "
                       "them to a file",
                       path);
    return CLI_DONE;
}

int
cli_check_page(const cli_session *session)
{
    const cli_args *args = session->args;
    const char     *page = cli_value(args, "html");
    int             code = page ? cli_check_target(page) : CLI_DONE;

    for (size_t i = 0; page && code == CLI_DONE && i < args->noperands; i++)
        if (cli_is_input(page, args->operands[i]))
            code = cli_say(CLI_BAD, "%s: the page is the same file as %s; choose another name",
                           page, args->command->operand);
    if (page && code == CLI_DONE)
        code = cli_check_settings(session, page, "the page");
    if (page && code == CLI_DONE)
        code = check_name(session, page);
    return code;
}

static int
print(cli_session *session, cli_writer *writer, const void *found)
{
    kanon_format format = cli_value(session->args, "json") ? KANON_FORMAT_JSON : KANON_FORMAT_TEXT;
    kanon_sink  *memory = NULL;
    kanon_status rc = kanon_sink_memory(session->ctx, &memory);
    int          code;

    if (rc == KANON_OK)
        rc = writer(session->ctx, found, format, memory);
    code = rc == KANON_OK ? cli_print(memory, stdout) : cli_fail(session, rc);
    kanon_sink_free(memory);
    return code;
}

int
cli_tell(cli_session *session, cli_writer *writer, const void *found)
{
    const char *page = cli_value(session->args, "html");
    bool        quiet = (session->quiet && !cli_value(session->args, "json"))
              || (page && cli_is_stream(page)); /* it stays clean */
    cli_deferred out = { 0 };
    kanon_sink  *sink = NULL;
    kanon_status rc = page ? cli_sink(session, page, &sink) : KANON_OK;
    int          code = CLI_DONE;

    if (page && rc == KANON_OK) {
        cli_defer(&out, sink);
        rc = writer(session->ctx, found, KANON_FORMAT_HTML, &out.sink);
    }
    if (rc == KANON_OK && !quiet)
        code = cli_flush(print(session, writer, found));
    if (rc == KANON_OK && code == CLI_DONE)
        rc = cli_deferred_commit(&out, session->ctx);
    if (rc < 0)
        code = cli_fail(session, rc);
    cli_deferred_end(&out);
    return code;
}

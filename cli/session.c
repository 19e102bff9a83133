/* SPDX-License-Identifier: Apache-2.0 */
/* session.c -- what every command does around its own work: a context, the config, files by name,
 * errors and warnings in words. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAID_MOST = 8192 };

static void
tame(char *message)
{
    char  *to = message;
    size_t step;

    for (const char *at = message; *at; at += step) {
        bool shown;

        step = cli_character(at, &shown);
        if (shown)
            memmove(to, at, step);
        else
            *to = '?';
        to += shown ? step : 1;
    }
    *to = 0;
}

int
cli_say(int code, const char *format, ...)
{
    char    text[SAID_MOST];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tame(text);
    cli_styled(stderr, CLI_ERROR, "kanon:", 6);
    fputc(' ', stderr);
    fputs(text, stderr);
    fputc('\n', stderr);
    return code;
}

static int
exit_code(kanon_status status)
{
    switch (status) {
    case KANON_OK:
        return CLI_DONE;
    case KANON_E_INVALID:
    case KANON_E_PARSE:
    case KANON_E_UNSUPPORTED:
        return CLI_BAD;
    case KANON_E_IO:
    case KANON_E_VERIFY:
    case KANON_E_INTERNAL:
        return CLI_IO;
    case KANON_E_NOMEM:
        return CLI_NOMEM;
    case KANON_E_CANCELLED:
        return CLI_INTERRUPTED;
    }
    return CLI_IO;
}

int
cli_fail_hint(cli_session *session, kanon_status status, const char *hint)
{
    const char *message = session->ctx ? kanon_ctx_message(session->ctx) : "";
    bool        helps = exit_code(status) == CLI_BAD;
    int         code;

    cli_progress_end(&session->progress);
    cli_warnings(session);
    code = cli_say(exit_code(status), "%s%s", message[0] ? message : kanon_status_text(status),
                   helps ? hint : "");
    for (size_t i = 0; session->ctx && kanon_ctx_detail(session->ctx, i); i++)
        fprintf(stderr, "  %s\n", kanon_ctx_detail(session->ctx, i));
    return code;
}

int
cli_fail(cli_session *session, kanon_status status)
{
    return cli_fail_hint(session, status, "");
}

void
cli_warnings(cli_session *session)
{
    cli_progress_end(&session->progress);
    for (; !session->quiet && session->ctx && session->told < kanon_ctx_warning_count(session->ctx);
         session->told++) {
        fputs("kanon: ", stderr);
        cli_styled(stderr, CLI_WARN, "warning:", 8);
        fprintf(stderr, " %s\n", kanon_ctx_warning(session->ctx, session->told));
    }
}

/* --- begin and end ----------------------------------------------------------------------------- */

static int
read_config(cli_session *session, const char *path)
{
    kanon_source *source = NULL;
    kanon_status  rc = cli_source(session, path, &source);
    char         *copy = strdup(path);

    if (!copy)
        rc = KANON_E_NOMEM;
    if (rc == KANON_OK)
        rc = kanon_config_read(session->config, source, strchr(path, '/') ? dirname(copy) : NULL);
    cli_await_end();
    free(copy);
    kanon_source_free(source);
    return rc == KANON_OK ? CLI_DONE : cli_fail(session, rc);
}

/* --from FRONT.json --pick N: first of all, so that whatever else is given wins. */
static int
read_front(cli_session *session)
{
    const char   *from = cli_value(session->args, "from"), *pick = cli_value(session->args, "pick");
    kanon_source *source = NULL;
    char         *end = NULL;
    unsigned long number = pick ? strtoul(pick, &end, 10) : 0;
    kanon_status  rc;

    if (!from && !pick)
        return CLI_DONE;
    if (!from || !pick)
        return cli_say(CLI_BAD, "%s; use both: --from FRONT.json --pick N",
                       from ? "--from without --pick" : "--pick without --from");
    if (number == 0 || number == ULONG_MAX || *end || pick[0] < '0' || pick[0] > '9')
        return cli_say(CLI_BAD, "pick: '%s' is not valid; expected the number of a point, from 1",
                       pick);
    rc = cli_source(session, from, &source);
    if (rc == KANON_OK)
        rc = kanon_config_pick(session->config, source, number);
    cli_await_end();
    kanon_source_free(source);
    return rc == KANON_OK ? CLI_DONE : cli_fail(session, rc);
}

static int
apply_options(cli_session *session, cli_prepare_fn prepare)
{
    const cli_args *args = session->args;
    const char     *config = cli_value(args, "config");
    int             code = read_front(session);

    if (code == CLI_DONE && config)
        code = read_config(session, config);
    if (code == CLI_DONE && prepare)
        code = prepare(session);
    for (size_t i = 0; i < args->ngiven && code == CLI_DONE; i++) {
        const cli_option *option = args->given[i].option;
        kanon_status      rc = KANON_OK;

        if (!option->help)
            rc = kanon_config_set(session->config, option->name, args->given[i].value);
        if (rc < 0)
            code = cli_fail(session, rc);
    }
    return code;
}

/* What is at path: something (0), nothing that could ever be opened (ENOENT), or nobody knows whether it is
 * another file than one that is about to be replaced. @return an errno */
static int
look_up(const char *path, struct stat *out)
{
    if (stat(path, out) == 0)
        return 0;
    return errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG ? ENOENT : errno;
}

/* Looks a file up that is to be read or written. Tells if that cannot be done. @return an exit code */
static int
check_name(const char *path, struct stat *there, bool *found)
{
    int error = strcmp(path, "-") == 0 ? ENOENT : look_up(path, there);

    *found = !error;
    if (error && error != ENOENT)
        return cli_say(CLI_IO, "%s: cannot be resolved: %s", path, strerror(error));
    return CLI_DONE;
}

/* Files to read and to write are compared with each other later on, which they cannot be where one of them
 * may not even be looked up. */
static int
check_names(const cli_args *args)
{
    static const char *const written[] = { "output", "html", "report" };
    struct stat              there;
    bool                     found;
    int                      code = CLI_DONE;

    for (size_t i = 0; code == CLI_DONE && i < args->noperands; i++)
        code = check_name(args->operands[i], &there, &found);
    for (size_t i = 0; code == CLI_DONE && i < args->ngiven; i++)
        for (size_t j = 0; code == CLI_DONE && j < sizeof written / sizeof written[0]; j++)
            if (strcmp(args->given[i].option->name, written[j]) == 0)
                code = check_name(args->given[i].value, &there, &found);
    return code;
}

int
cli_begin(cli_session *session, const cli_args *args)
{
    return cli_begin_with(session, args, NULL);
}

int
cli_begin_with(cli_session *session, const cli_args *args, cli_prepare_fn prepare)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    const char       *mode = cli_value(args, "progress"), *folder = getenv("TMPDIR");
    kanon_status      rc;
    int               code;

    memset(session, 0, sizeof *session);
    session->args = args;
    session->quiet = cli_value(args, "quiet") != NULL;
    session->progress.verbose = cli_value(args, "verbose") != NULL;
    if (!cli_progress_begin(&session->progress, mode ? mode : "auto", session->quiet))
        return cli_say(CLI_BAD, "progress: '%s' is not valid; expected auto, always or never",
                       mode);
    options.temp_dir = folder && folder[0] ? folder : NULL;
    options.text_width = cli_width(stdout);
    options.progress = cli_progress_step;
    options.progress_user = &session->progress;
    rc = kanon_ctx_new(&options, &session->ctx);
    if (rc == KANON_OK)
        rc = kanon_config_new(session->ctx, &session->config);
    if (rc < 0)
        return cli_say(exit_code(rc), "%s", kanon_status_text(rc));
    code = check_names(args);
    return code == CLI_DONE ? apply_options(session, prepare) : code;
}

void
cli_end(cli_session *session)
{
    kanon_config_free(session->config);
    kanon_ctx_free(session->ctx);
    session->config = NULL;
    session->ctx = NULL;
}

/* --- files ------------------------------------------------------------------------------------- */

kanon_status
cli_source(cli_session *session, const char *path, kanon_source **out)
{
    struct stat there;
    bool        standard = strcmp(path, "-") == 0;

    if (standard || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
        cli_await_input();
    if (standard)
        return kanon_source_fd(session->ctx, "standard input", STDIN_FILENO, out);
    return kanon_source_file(session->ctx, path, out);
}

kanon_status
cli_sink(cli_session *session, const char *path, kanon_sink **out)
{
    struct stat there;

    if (strcmp(path, "-") == 0)
        return kanon_sink_fd(session->ctx, "standard output", STDOUT_FILENO, out);
    if (stat(path, &there) == 0 && (S_ISCHR(there.st_mode) || S_ISFIFO(there.st_mode))) {
        int fd = open(path, O_WRONLY | O_CLOEXEC); /* stays open until the process ends */

        if (fd >= 0)
            return kanon_sink_fd(session->ctx, path, fd, out);
    }
    return kanon_sink_file(session->ctx, path, out);
}

bool
cli_is_stream(const char *path)
{
    struct stat there;

    return strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode));
}

bool
cli_replaces(const char *path)
{
    struct stat there;

    return strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

static bool
same_inode(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static const char *
last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool
stat_folder(const char *path, struct stat *out)
{
    char *copy = strdup(path);
    bool  found = copy && stat(dirname(copy), out) == 0;

    free(copy);
    return found;
}

/* A path, or what a standard stream comes from or goes to if that is a file. */
static int
look_at(const char *path, int stream, struct stat *out)
{
    if (strcmp(path, "-") != 0)
        return look_up(path, out);
    return fstat(stream, out) == 0 && S_ISREG(out->st_mode) ? 0 : ENOENT;
}

/* "-" is the stream. @return 0, or the errno that tells why it cannot be known */
static int
compare_files(const char *a, int a_stream, const char *b, int b_stream, bool *same)
{
    struct stat one, other;
    bool        streams = strcmp(a, "-") == 0 || strcmp(b, "-") == 0;
    int         error, other_error;

    *same = strcmp(a, b) == 0 && !streams;
    if (*same || (strcmp(a, b) == 0 && a_stream == b_stream))
        return 0;
    error = look_at(a, a_stream, &one);
    other_error = look_at(b, b_stream, &other);
    if (error && error != ENOENT)
        return error;
    if (other_error && other_error != ENOENT)
        return other_error;
    if (!error || !other_error)
        *same = !error && !other_error && S_ISREG(one.st_mode) && same_inode(&one, &other);
    else
        *same = !streams && strcmp(last_part(a), last_part(b)) == 0 && stat_folder(a, &one)
             && stat_folder(b, &other) && same_inode(&one, &other);
    return 0;
}

bool
cli_same_file(const char *a, const char *b)
{
    bool same;

    return compare_files(a, STDOUT_FILENO, b, STDOUT_FILENO, &same) != 0 || same;
}

bool
cli_is_input(const char *output, const char *input)
{
    bool same;

    return compare_files(output, STDOUT_FILENO, input, STDIN_FILENO, &same) != 0 || same;
}

/* Is path, about to be written, the file that the settings name? */
static int
check_setting(const char *file, const char *path, const char *what, const char *which)
{
    bool same;
    int  error = compare_files(file, STDIN_FILENO, path, STDOUT_FILENO, &same);

    if (error)
        return cli_say(CLI_IO, "%s: cannot be compared with %s (%s): %s", path, file, which,
                       strerror(error));
    if (same)
        return cli_say(CLI_BAD, "%s: %s is the same file as %s; choose another name", path, what,
                       which);
    return CLI_DONE;
}

int
cli_check_settings(const cli_session *session, const char *path, const char *what)
{
    const char *config = cli_value(session->args, "config"), *file;
    const char *from = cli_value(session->args, "from");
    int         code = from ? check_setting(from, path, what, "the front") : CLI_DONE;

    if (code == CLI_DONE && config)
        code = check_setting(config, path, what, "CONFIG");
    for (size_t i = 0; code == CLI_DONE && (file = kanon_config_file(session->config, i)); i++)
        code = check_setting(file, path, what,
                             "a hierarchy, place table or population of this job");
    return code;
}

int
cli_check_fresh(const cli_args *args, const char *path)
{
    struct stat there;

    if (cli_value(args, "force") || strcmp(path, "-") == 0 || stat(path, &there) != 0
        || !S_ISREG(there.st_mode) || there.st_size == 0)
        return CLI_DONE;
    return cli_say(CLI_BAD,
                   "%s: exists and may contain your changes; choose another name, or use --force "
                   "to replace it",
                   path);
}

static int
check_folder(const char *path, const char *folder)
{
    struct stat there;

    if (stat(folder, &there) != 0 && errno == ENOENT)
        return cli_say(CLI_IO, "%s: there is no folder '%s'; create it with mkdir", path, folder);
    if (stat(folder, &there) == 0 && !S_ISDIR(there.st_mode))
        return cli_say(CLI_IO, "%s: '%s' is a file, not a folder", path, folder);
    if (access(folder, W_OK | X_OK) != 0)
        return cli_say(CLI_IO, "%s: cannot write to folder '%s': %s", path, folder,
                       strerror(errno));
    return CLI_DONE;
}

int
cli_check_target(const char *path)
{
    struct stat there;
    char       *copy;
    bool        found;
    int         code;

    if (strcmp(path, "-") == 0)
        return CLI_DONE;
    if (path[0] == 0)
        return cli_say(CLI_BAD, "the file name is empty; name the file to write");
    code = check_name(path, &there, &found);
    if (code != CLI_DONE)
        return code;
    if (found && S_ISDIR(there.st_mode))
        return cli_say(CLI_BAD, "%s: is a folder; name a file to write", path);
    copy = strdup(path);
    if (!copy)
        return cli_say(CLI_NOMEM, "out of memory");
    code = check_folder(path, dirname(copy));
    free(copy);
    if (code == CLI_DONE && found && S_ISREG(there.st_mode)
        && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        code = cli_say(CLI_IO, "%s: exists and is not writable: %s", path, strerror(errno));
    return code;
}

/* --- standard output --------------------------------------------------------------------------- */

int
cli_print(const kanon_sink *memory, FILE *stream)
{
    size_t      count = 0;
    const void *bytes = kanon_sink_bytes(memory, &count);

    if (count && cli_colour(stream) && ((const char *) bytes)[0] != '{')
        cli_print_report(bytes, count, stream);
    else if (count && fwrite(bytes, 1, count, stream) != count)
        return cli_say(CLI_IO, "standard %s: cannot be written: %s",
                       stream == stderr ? "error" : "output", strerror(errno));
    return CLI_DONE;
}

int
cli_flush(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        int error = errno;

        if (code == CLI_DONE)
            return cli_say(CLI_IO, "standard output: cannot be written: %s", strerror(error));
    }
    return code;
}

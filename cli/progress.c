/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c -- a line on the terminal that tells how far a job is, and the signals that end one early.
 * The line goes to stderr, so that a release on stdout stays clean, and is gone when the job ends. */
#include "cli.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted; /* the job is given up */
static volatile sig_atomic_t enough; /* the search ends, the job goes on with what it has found */
static volatile sig_atomic_t searching; /* the stage that was told last is the search */
/* A pipe may never bring anything: as long as it is read, nothing has been begun that must be undone. */
static volatile sig_atomic_t awaiting_input;

static void
interrupt(int number)
{
    static const char text[] = "kanon: interrupted\n";
    ssize_t           written;

    if (number == SIGINT && searching && !enough && !interrupted) {
        enough = 1;
        return;
    }
    interrupted = 1;
    signal(number, SIG_DFL);
    if (awaiting_input) {
        written = write(STDERR_FILENO, text, sizeof text - 1);
        (void) written; /* stderr may be closed: no reason to wait on */
        _exit(CLI_INTERRUPTED);
    }
}

void
cli_await_input(void)
{
    awaiting_input = 1;
    if (interrupted) /* it came too early to be seen there */
        interrupt(SIGINT);
}

void
cli_await_end(void)
{
    awaiting_input = 0;
}

/* Ctrl-C while the job searches ends the search. Otherwise, and the second time, it asks the job to stop,
 * which removes what it has begun, as the other signals do; one more of the kind, if something hangs, ends
 * the process at once. What whoever started us has chosen to ignore stays ignored (nohup, the
 * background jobs of a script). Writing to a closed pipe or past a limit on file sizes is an error like
 * others. */
void
cli_signals(void)
{
    static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
    struct sigaction action, inherited;

    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = interrupt;
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        if (sigaction(stops[i], NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
            sigaction(stops[i], &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

bool
cli_interrupted(void)
{
    return interrupted != 0;
}

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

bool
cli_progress_begin(cli_progress *progress, const char *mode, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO) == 1;

    progress->quiet = quiet;
    progress->start = progress->stage_start = seconds();
    progress->last = 0;
    if (strcmp(mode, "never") == 0)
        progress->mode = CLI_PROGRESS_NEVER;
    else if (strcmp(mode, "always") == 0)
        progress->mode = terminal ? CLI_PROGRESS_LINE : CLI_PROGRESS_LOG;
    else if (strcmp(mode, "auto") == 0)
        progress->mode = terminal && !quiet ? CLI_PROGRESS_LINE : CLI_PROGRESS_NEVER;
    else
        return false;
    return true;
}

static void
clear(cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

/* 1234567 -> 1,234,567 */
static const char *
grouped(uint64_t number, char buffer[32])
{
    char  *at = buffer + 31;
    size_t digits = 0;

    *at = 0;
    do {
        if (digits && digits % 3 == 0)
            *--at = ',';
        *--at = (char) ('0' + number % 10);
        number /= 10;
        digits++;
    } while (number);
    return at;
}

static void
end_stage(cli_progress *progress, double now)
{
    if (!progress->stage[0] || !progress->verbose)
        return;
    clear(progress);
    fprintf(stderr, "kanon: %s took %.2f s\n", progress->stage, now - progress->stage_start);
}

/* Appends to a line of fixed room; what does not fit is cut. */
static void CLI_PRINTF(3, 4) append(char *line, size_t room, const char *format, ...)
{
    size_t  used = strlen(line);
    va_list args;

    va_start(args, format);
    vsnprintf(line + used, room - used, format, args);
    va_end(args);
}

static void
print_state(const cli_progress *progress, const kanon_progress *now, double time)
{
    char     number[32], line[256] = "";
    unsigned width = cli_width(stderr);

    append(line, sizeof line, "kanon: %s", now->stage);
    if (now->fraction >= 0)
        append(line, sizeof line, " %.0f%%", 100 * (now->fraction > 1 ? 1 : now->fraction));
    if (now->rows)
        append(line, sizeof line, ", %s rows", grouped(now->rows, number));
    if (now->evaluations)
        append(line, sizeof line, ", %s evaluations", grouped(now->evaluations, number));
    if (now->best >= 0)
        append(line, sizeof line, ", best loss %.4f", now->best);
    if (now->best > 0 && now->bound > 0)
        append(line, sizeof line, ", proven to within %.1f %%",
               100 * (now->best - now->bound) / now->best);
    append(line, sizeof line, ", %.1f s", time - progress->start);
    if (progress->mode == CLI_PROGRESS_LINE && width) /* a line that wraps could not be cleared */
        fprintf(stderr, "%.*s", (int) width - 1, line);
    else
        fputs(line, stderr);
}

/* What the signals make of a stage. */
static int
answer(cli_progress *progress)
{
    if (interrupted)
        return KANON_PROGRESS_CANCEL;
    if (!enough || !searching)
        return KANON_PROGRESS_GO_ON;
    if (!progress->quiet && !progress->told_enough) {
        clear(progress);
        fputs("kanon: search stopped, continuing with the best result so far; Ctrl-C again cancels "
              "the job\n",
              stderr);
    }
    progress->told_enough = true;
    return KANON_PROGRESS_ENOUGH;
}

int
cli_progress_step(void *user, const kanon_progress *now)
{
    cli_progress *progress = user;
    double        time = seconds();
    bool          fresh = strncmp(progress->stage, now->stage, sizeof progress->stage - 1) != 0;

    if (strcmp(now->stage, "read") != 0)
        cli_await_end();
    searching = strcmp(now->stage, "search") == 0;
    if (fresh) {
        end_stage(progress, time);
        snprintf(progress->stage, sizeof progress->stage, "%s", now->stage);
        progress->stage_start = time;
    }
    if (progress->mode == CLI_PROGRESS_LINE) {
        fputs("\r", stderr);
        print_state(progress, now, time);
        fputs("\033[K", stderr);
        progress->shown = true;
    } else if (progress->mode == CLI_PROGRESS_LOG && (fresh || time - progress->last >= 1)) {
        print_state(progress, now, time);
        fputc('\n', stderr);
        progress->last = time;
    }
    return answer(progress);
}

void
cli_progress_end(cli_progress *progress)
{
    end_stage(progress, seconds());
    progress->stage[0] = 0;
    clear(progress);
}

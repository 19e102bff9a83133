/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h -- what the commands of the tool share: exit codes, options, a session with the library, the
 * terminal. The tool uses the library's public header and nothing else of it. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kanon/kanon.h"

enum {
    CLI_DONE = 0,
    CLI_BAD = 1,        /* usage, settings, input; also a check that fails */
    CLI_INFEASIBLE = 2, /* no release under these settings */
    CLI_IO = 3,
    CLI_NOMEM = 4,
    CLI_INTERRUPTED = 130
};

#if defined(__GNUC__)
#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CLI_PRINTF(fmt, args)
#endif

/* --- options (opt.c, help.c) ------------------------------------------------------------------- */

/** One option. help NULL: a setting of the library, which knows its argument, default and help. */
typedef struct cli_option {
    const char *name;
    char        letter;   /* 0: none */
    const char *argument; /* NULL: a switch */
    const char *help;
} cli_option;

/** Options under one heading; they end with a NULL name. options NULL: those of the privacy models, which the
 *  library lists. */
typedef struct cli_group {
    const char       *title;
    const cli_option *options;
} cli_group;

struct cli_args;

typedef struct cli_command {
    const char        *name;        /* "anonymize", "hierarchy build" */
    const char        *usage;       /* what follows the name */
    const char        *summary;     /* one line for the list of commands */
    const char        *about;       /* what it does, for its help */
    const cli_group   *groups;      /* end with a NULL title */
    size_t             least, most; /* operands */
    const char        *operand;     /* how the first one is called in messages */
    const char *const *examples;    /* end with NULL */
    int (*run)(const struct cli_args *args);
} cli_command;

enum { CLI_OPTIONS_MOST = 128 };

/** All options of a command in the order of its help, each with its heading. */
typedef struct cli_options {
    size_t      count;
    const char *titles[CLI_OPTIONS_MOST];
    cli_option  of[CLI_OPTIONS_MOST];
} cli_options;

typedef struct cli_given {
    const cli_option *option;
    const char       *value; /* "true" for a switch */
} cli_given;

/** A command line, taken apart. All texts are argv's. */
typedef struct cli_args {
    const cli_command *command;
    const cli_options *options; /* what given points into */
    const char       **operands;
    size_t             noperands;
    cli_given         *given; /* in the order of the command line */
    size_t             ngiven;
} cli_args;

/** The options that every command has, and those of the commands that read a table. */
extern const cli_option cli_common_options[], cli_column_options[], cli_table_options[],
    cli_search_options[], cli_local_options[];

/** Takes the words after the command's name apart and runs it. @return the exit code */
int cli_run(const cli_command *command, int argc, char **argv);
/** Lists the options of a command, the common ones last. */
void cli_list_options(const cli_command *command, cli_options *list);
/** The last value of an option, NULL if it was not given. */
const char *cli_value(const cli_args *args, const char *name);
/** The option as people write it: "-k" or "--time-limit". */
const char *cli_spelling(const cli_option *option, char buffer[64]);

void cli_help(const cli_command *command);
/** The library's entry of a name, or NULL. */
const kanon_setting *cli_setting(const char *name);

/* --- a session (session.c) --------------------------------------------------------------------- */

typedef enum cli_progress_mode {
    CLI_PROGRESS_NEVER,
    CLI_PROGRESS_LINE,
    CLI_PROGRESS_LOG
} cli_progress_mode;

typedef struct cli_progress {
    cli_progress_mode mode;
    bool              verbose; /* tell each stage when it ends */
    bool              quiet;
    bool              shown;       /* there is a line to clear */
    bool              told_enough; /* that the search was stopped */
    char              stage[32];
    double            start, stage_start, last;
} cli_progress;

/** One run of a command: a context, a config, how much to say. */
typedef struct cli_session {
    const cli_args *args;
    kanon_ctx      *ctx;
    kanon_config   *config;
    bool            quiet;
    size_t          told; /* warnings */
    cli_progress    progress;
} cli_session;

/** Settings that come after the config and before the options. @return an exit code */
typedef int (*cli_prepare_fn)(cli_session *session);

/** Makes the context and the config, reads --config and applies the options.
 *  @return an exit code; cli_end() is due in any case */
int cli_begin(cli_session *session, const cli_args *args);
/** The same, with settings of its own in between. */
int  cli_begin_with(cli_session *session, const cli_args *args, cli_prepare_fn prepare);
void cli_end(cli_session *session);
/** Tells the context's failure in one line and turns it into an exit code. */
int cli_fail(cli_session *session, kanon_status status);
/** The same, with a hint at the end of the line when the input is to blame. */
int cli_fail_hint(cli_session *session, kanon_status status, const char *hint);
/** Tells the warnings that have come up since the last time, unless -q. */
void cli_warnings(cli_session *session);
/** "kanon: ..." on stderr. @return code */
int cli_say(int code, const char *format, ...) CLI_PRINTF(2, 3);

/** "-" is standard input. It, a pipe or a device may let us wait: a signal ends that at once. */
kanon_status cli_source(cli_session *session, const char *path, kanon_source **out);
/** "-" is standard output; a device or pipe is written to, a file is replaced when all is well. */
kanon_status cli_sink(cli_session *session, const char *path, kanon_sink **out);
/** Standard output, a device, a pipe: what is written there cannot be taken back. */
bool cli_is_stream(const char *path);
/** Is there a file of that name, which is going to be replaced? */
bool cli_replaces(const char *path);
/** Is path a place where a new file can be made? Tells if not. @return an exit code */
int cli_check_target(const char *path);
/** Is path, which is about to be written, the config or a file that the settings name? Tells if so.
 *  @param what  how it is called in the message  @return an exit code */
int cli_check_settings(const cli_session *session, const char *path, const char *what);
/** Is there something at path that somebody may have edited, and no --force? Tells if so.
 *  @return an exit code */
int cli_check_fresh(const cli_args *args, const char *path);
/** Do both names lead to the same file, or will they, once it is there? */
bool cli_same_file(const char *a, const char *b);
/** The same for an input; standard streams count as the files they come from and go to. */
bool cli_is_input(const char *output, const char *input);
/** Writes what a memory sink holds. @return an exit code */
int cli_print(const kanon_sink *memory, FILE *stream);
/** Flushes standard output. @return code, or CLI_IO when it could not be written */
int cli_flush(int code);

/* --- earlier releases (earlier.c) --------------------------------------------------------------- */

/** Is there a report at path, about to be replaced, that describes another release of the same table? */
bool cli_same_table(cli_session *session, const kanon_result *result, const char *path);

/* --- files that wait for their name (deferred.c) ------------------------------------------------- */

/** Hand &sink to the library: its commit only remembers. Stays where it is until cli_deferred_end(). */
typedef struct cli_deferred {
    kanon_sink  sink;
    kanon_sink *target;
    bool        ready; /* all is written, to be committed */
} cli_deferred;

/** Takes target over. */
void cli_defer(cli_deferred *deferred, kanon_sink *target);
/** Commits what is ready; once. */
kanon_status cli_deferred_commit(cli_deferred *deferred, kanon_ctx *ctx);
/** Frees the target; what was not committed is gone. */
void cli_deferred_end(cli_deferred *deferred);

/* --- what was found, printed and as a page (page.c) --------------------------------------------- */

/** Writes what a command found. */
typedef kanon_status cli_writer(kanon_ctx *ctx, const void *found, kanon_format format,
                                kanon_sink *sink);

/** May --html, if given, have its value? Its name says that it is a page, it does not replace a file that
 *  is read, and does not go where --json prints. Tells if not. @return an exit code */
int cli_check_page(const cli_session *session);
/** Prints what was found, unless that is not wanted, and writes the page of --html, which gets its name when
 *  everything is written and said. @return an exit code */
int cli_tell(cli_session *session, cli_writer *writer, const void *found);

/* --- progress and signals (progress.c) --------------------------------------------------------- */

void cli_signals(void);
/** Has a signal asked to give the job up? (Ctrl-C during a search has not: it only ends the search.) */
bool cli_interrupted(void);
/** From now on, and until a stage other than "read" begins or cli_await_end(), a signal ends the process
 *  at once. */
void cli_await_input(void);
/** Before anything is begun that a signal must not leave behind. */
void cli_await_end(void);
/** mode: auto, always or never. @return false for another word */
bool cli_progress_begin(cli_progress *progress, const char *mode, bool quiet);
/** A kanon_progress_fn; user is a cli_progress. */
int  cli_progress_step(void *user, const kanon_progress *now);
void cli_progress_end(cli_progress *progress);

/* --- terminal (terminal.c) ---------------------------------------------------------------------- */

typedef enum { CLI_BOLD, CLI_WARN, CLI_ERROR } cli_style;

/** Is it a terminal that shows colours, and nobody said NO_COLOR? */
bool cli_colour(FILE *stream);
/** Columns of a terminal; 0: it is none. */
unsigned cli_width(FILE *stream);
/** Prints a text, with a style on a terminal. */
void cli_styled(FILE *stream, cli_style style, const char *text, size_t length);
/** Prints a heading, bold on a terminal. */
void cli_heading(const char *text);
/** Prints a text report, its headings bold on a terminal. */
void cli_print_report(const char *text, size_t count, FILE *stream);
/** Names of files and columns are anybody's: what a terminal would obey instead of showing it becomes '?',
 *  and so do bytes that are no UTF-8. The controls beyond ASCII are U+0080 to U+009F.
 *  @return bytes of the character that begins here, at least 1 */
size_t cli_character(const char *text, bool *shown);
void   cli_print_name(const char *name, FILE *stream);
/** Prints a word of a command that the user may copy: in quotes where a shell would act on it. */
void cli_print_word(const char *word, FILE *stream);
/** Prints a JSON string on standard output. */
void cli_json_text(const char *text, size_t length);

/* --- commands ---------------------------------------------------------------------------------- */

extern const cli_command cli_init, cli_anonymize, cli_check, cli_compare, cli_explain,
    cli_hierarchy_build, cli_hierarchy_show, cli_hierarchy_validate, cli_hierarchy_packs,
    cli_algorithms, cli_profiles, cli_pareto, cli_completion;
/** The index-th command, in the order of `kanon --help`; NULL past the end. */
const cli_command *cli_command_at(size_t index);

#endif

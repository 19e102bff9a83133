/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_cli.c -- the words of a command line, one a line of the input: the tool's option parser refuses them
 * in a sentence, or takes them all apart: every word is an operand, an option, or the value of one, no word
 * is used twice, and what the help lists is what is found. Nothing is run. */
#include "fuzz_help.h"

#include <stdarg.h>

#include "../../cli/opt.c"

enum { WORDS_MOST = 64 };

static char *given_words[WORDS_MOST];
static int   given_count;
static int   said, ran, helped;

/* --- the rest of the tool, as far as the parser needs it ------------------------------------------ */

int
cli_say(int code, const char *format, ...)
{
    char    text[8192];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    REQUIRE(text[0]);
    said++;
    return code;
}

int
cli_flush(int code)
{
    return code;
}

void
cli_help(const cli_command *command)
{
    REQUIRE(command->name[0]);
    helped++;
}

/* --- a command with the options of all ------------------------------------------------------------- */

static const cli_option own_options[] = {
    { "config", 'c', "FILE", "read settings" },
    { "output", 'o', "FILE", "where to" },
    { "force", 'f', NULL, "overwrite" },
    { "k", 'k', NULL, NULL },
    { "qi", 0, NULL, NULL },
    { "keep-order", 0, NULL, NULL },
    { NULL, 0, NULL, NULL },
};

static const cli_group groups[] = {
    { "Own", own_options },
    { "Table", cli_table_options },
    { "Models", NULL },
    { NULL, NULL },
};

/* Does a text lie within one of the words? */
static bool
is_part(const char *text)
{
    for (int i = 0; i < given_count; i++)
        if (text >= given_words[i] && text <= given_words[i] + strlen(given_words[i]))
            return true;
    return false;
}

static int
run_it(const struct cli_args *args)
{
    ran++;
    REQUIRE(args->noperands >= 1 && args->noperands <= 2);
    for (size_t i = 0; i < args->noperands; i++)
        REQUIRE(is_part(args->operands[i]));
    for (size_t i = 0; i < args->ngiven; i++) {
        const cli_given *one = &args->given[i];
        char             spelling[64];

        REQUIRE(one->option && one->value && cli_spelling(one->option, spelling)[0] == '-');
        REQUIRE(strcmp(one->value, "true") == 0 || is_part(one->value));
        REQUIRE(cli_value(args, one->option->name));
    }
    return CLI_DONE;
}

static const cli_command command = { .name = "fuzz",
                                     .usage = "INPUT [OUTPUT]",
                                     .summary = "nothing",
                                     .about = "nothing",
                                     .groups = groups,
                                     .least = 1,
                                     .most = 2,
                                     .operand = "INPUT",
                                     .examples = NULL,
                                     .run = run_it };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    int   code;

    REQUIRE(text);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    given_count = 0;
    for (char *at = text; at < text + size && given_count < WORDS_MOST;) {
        char *end = memchr(at, '\n', (size_t) (text + size - at));

        given_words[given_count++] = at;
        if (!end)
            break;
        *end = 0;
        at = end + 1;
    }
    said = ran = helped = 0;
    code = cli_run(&command, given_count, given_words);
    REQUIRE(code == CLI_DONE || code == CLI_BAD);
    REQUIRE(said == (code == CLI_BAD) && ran + helped == (code == CLI_DONE));
    free(text);
    return 0;
}

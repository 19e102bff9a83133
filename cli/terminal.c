/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.c -- what depends on where the output goes: colour and width on a terminal, none of both
 * elsewhere. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 60, WIDTH_MOST = 200 };

bool
cli_colour(FILE *stream)
{
    const char *plain = getenv("NO_COLOR"), *kind = getenv("TERM");

    return isatty(fileno(stream)) == 1 && !(plain && plain[0])
        && !(kind && strcmp(kind, "dumb") == 0);
}

unsigned
cli_width(FILE *stream)
{
    struct winsize size;

    if (isatty(fileno(stream)) != 1 || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0
        || size.ws_col == 0)
        return 0;
    return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST
         : size.ws_col > WIDTH_MOST  ? WIDTH_MOST
                                     : size.ws_col;
}

static const char *
style_code(cli_style style)
{
    switch (style) {
    case CLI_BOLD:
        return "1";
    case CLI_WARN:
        return "1;33";
    case CLI_ERROR:
        return "1;31";
    }
    return "0";
}

void
cli_styled(FILE *stream, cli_style style, const char *text, size_t length)
{
    bool colour = cli_colour(stream);

    if (colour)
        fprintf(stream, "\033[%sm", style_code(style));
    fwrite(text, 1, length, stream);
    if (colour)
        fputs("\033[0m", stream);
}

void
cli_heading(const char *text)
{
    cli_styled(stdout, CLI_BOLD, text, strlen(text));
    putchar('\n');
}

static bool
begins(const char *text, size_t length, const char *word)
{
    return length >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Reports are plain text. They open with a verdict, up to the first empty line: a headline, and lines with a
 * label before them. @return bytes of the line that are such a headline or label */
static size_t
opening_bytes(const char *line, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            return i;
    return length;
}

/* A line after an empty one with a list below it is a heading, and so are the names of columns. */
static bool
is_heading(const char *line, size_t length, const char *rest, size_t left)
{
    return length && line[0] != ' '
        && (begins(rest, left, "  - ") || begins(line, length, "Column "));
}

void
cli_print_report(const char *text, size_t count, FILE *stream)
{
    bool fresh = true, opening = true, labelled = false;

    while (count) {
        const char *end = memchr(text, '\n', count);
        size_t      length = end ? (size_t) (end - text) : count, step = length + (end != NULL);
        bool        heading = fresh && is_heading(text, length, text + step, count - step);
        size_t      bold = heading ? length : 0;

        opening = opening && length;
        if (opening && !heading)
            bold = opening_bytes(text, length);
        labelled = labelled
                || bold < length; /* then a line without a label goes on with the last */
        if (bold == length && opening && labelled)
            bold = 0;
        if (bold)
            cli_styled(stream,
                       begins(text, length, "Warnings") || begins(text, length, "Look at ")
                           ? CLI_WARN
                           : CLI_BOLD,
                       text, bold);
        fwrite(text + bold, 1, length - bold, stream);
        if (end)
            fputc('\n', stream);
        fresh = length == 0;
        text += step;
        count -= step;
    }
}

/* How many bytes the UTF-8 character has that begins here; 0: it is none. */
static size_t
character_bytes(const unsigned char *text)
{
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;

    if ((text[0] >= 0x80 && text[0] < 0xc2) || text[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) /* the end of the text, too */
            return 0;
    return length;
}

size_t
cli_character(const char *text, bool *shown)
{
    const unsigned char *c = (const unsigned char *) text;
    size_t               length = character_bytes(c);

    *shown = length && *c >= 0x20 && *c != 0x7f && (*c != 0xc2 || c[1] >= 0xa0);
    return length ? length : 1;
}

void
cli_print_name(const char *name, FILE *stream)
{
    size_t step;

    for (; *name; name += step) {
        bool shown;

        step = cli_character(name, &shown);
        if (shown)
            fwrite(name, 1, step, stream);
        else
            fputc('?', stream);
    }
}

/* As the library quotes in the texts that it writes; the tool sees only its public headers. */
void
cli_print_word(const char *word, FILE *stream)
{
    bool plain = word[0] != 0;

    for (const char *c = word; *c; c++)
        plain = plain
             && (strchr("_-./,+=@:%", *c) || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z')
                 || (*c >= 'A' && *c <= 'Z') || (unsigned char) *c >= 0x80);
    if (!plain)
        fputc('\'', stream);
    for (size_t step; *word; word += step) {
        bool shown;

        step = cli_character(word, &shown);
        if (*word == '\'')
            fputs("'\\''", stream);
        else if (shown)
            fwrite(word, 1, step, stream);
        else
            fputc('?', stream);
    }
    if (!plain)
        fputc('\'', stream);
}

void
cli_json_text(const char *text, size_t length)
{
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char) text[i];

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

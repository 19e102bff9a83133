/* SPDX-License-Identifier: Apache-2.0 */
/* earlier.c -- is a report that is about to be replaced one of the same table? Then there may be an earlier
 * release of it out in the world, and two releases of the same people protect less than each of them. Only
 * the hash of the table is looked at, where reports of this tool have it; what else is in the file is
 * nobody's business here. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 64 << 10, HASH_TEXT = 64 };

/* The hash of the part "input" or "output" of a report: 64 hexadecimal digits. NULL: there is none, as in
 * external reports. The keys are known by their indentation: no text of a report has a line break in it, so
 * a column that is called "output" or "hex" is not taken for one. */
static const char *
find_hash(const char *report, const char *part)
{
    static const char hash[] = "\n    \"hash\": {", hex[] = "\n      \"hex\": \"";
    const char *at = strncmp(report, "{\n  \"kanon\":", 12) == 0 ? strstr(report, part) : NULL,
               *end = at ? strstr(at, "\n  }") : NULL;

    at = at ? strstr(at, hash) : NULL;
    at = at ? strstr(at, hex) : NULL;
    if (!at || !end || at > end)
        return NULL;
    at += sizeof hex - 1;
    return strspn(at, "0123456789abcdef") == HASH_TEXT ? at : NULL;
}

/* The head of a file as a text, to be freed; NULL: it cannot be read. */
static char *
read_head(const char *path)
{
    FILE  *file = cli_replaces(path) ? fopen(path, "rb") : NULL;
    char  *text = file ? malloc(HEAD_BYTES + 1) : NULL;
    size_t got = text ? fread(text, 1, HEAD_BYTES, file) : 0;

    if (file)
        fclose(file);
    if (text)
        text[got] = 0;
    return text;
}

bool
cli_same_table(cli_session *session, const kanon_result *result, const char *path)
{
    static const char input[] = "\n  \"input\": {", output[] = "\n  \"output\": {";
    kanon_sink       *memory = NULL;
    char             *old = read_head(path), *new = NULL;
    const char       *before[2] = { NULL, NULL }, *now[2] = { NULL, NULL };
    const void       *bytes = NULL;
    size_t            count = 0;
    bool              same;

    if (old && kanon_sink_memory(session->ctx, &memory) == KANON_OK
        && kanon_result_write(session->ctx, result, KANON_FORMAT_JSON, memory) == KANON_OK)
        bytes = kanon_sink_bytes(memory, &count);
    new = bytes ? malloc(count + 1) : NULL;
    if (new) {
        memcpy(new, bytes, count);
        new[count] = 0;
        before[0] = find_hash(old, input);
        before[1] = find_hash(old, output);
        now[0] = find_hash(new, input);
        now[1] = find_hash(new, output);
    }
    same = before[0] && before[1] && now[0] && now[1] && strncmp(before[0], now[0], HASH_TEXT) == 0
        && strncmp(before[1], now[1], HASH_TEXT) != 0;
    free(old);
    free(new);
    kanon_sink_free(memory);
    return same;
}

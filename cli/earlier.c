/* SPDX-License-Identifier: Apache-2.0 */
/* earlier.c -- is a report that is about to be replaced one of another release of the same table? Then that
 * may be out in the world, and two releases of the same people protect less than each of them. The same rows
 * in another order are no other release. Only the hash of the table, the solution and what it lost are looked
 * at, where reports of this tool have them; what else is in the file is nobody's business here. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 64 << 10, HASH_TEXT = 64 };

/* A part of a report, and its length; NULL: there is none, as in external reports. The keys are known by
 * their indentation: no text of a report has a line break in it, so a column that is called "input" or "hex"
 * is not taken for one. */
static const char *
find_part(const char *report, const char *part, size_t *length)
{
    const char *at = strncmp(report, "{\n  \"kanon\":", 12) == 0 ? strstr(report, part) : NULL,
               *end = at ? strstr(at, "\n  }") : NULL;

    *length = end ? (size_t) (end - at) : 0;
    return end ? at : NULL;
}

static bool
same_part(const char *old, const char *new, const char *part)
{
    size_t      before = 0, now = 0;
    const char *a = find_part(old, part, &before), *b = find_part(new, part, &now);

    return a && b && before == now && memcmp(a, b, now) == 0;
}

/* The hash of the table: 64 hexadecimal digits. */
static const char *
find_hash(const char *report)
{
    static const char hash[] = "\n    \"hash\": {", hex[] = "\n      \"hex\": \"";
    size_t            length = 0;
    const char       *part = find_part(report, "\n  \"input\": {", &length), *at = part;

    at = at ? strstr(at, hash) : NULL;
    at = at ? strstr(at, hex) : NULL;
    if (!at || at > part + length)
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
    kanon_sink *memory = NULL;
    char       *old = read_head(path), *new = NULL;
    const char *before = NULL, *now = NULL;
    const void *bytes = NULL;
    size_t      count = 0;
    bool        same;

    if (old && kanon_sink_memory(session->ctx, &memory) == KANON_OK
        && kanon_result_write(session->ctx, result, KANON_FORMAT_JSON, memory) == KANON_OK)
        bytes = kanon_sink_bytes(memory, &count);
    new = bytes ? malloc(count + 1) : NULL;
    if (new) {
        memcpy(new, bytes, count);
        new[count] = 0;
        before = find_hash(old);
        now = find_hash(new);
    }
    same = before && now && strncmp(before, now, HASH_TEXT) == 0
        && !(same_part(old, new, "\n  \"solution\": {")
             && same_part(old, new, "\n  \"metrics\": {"));
    free(old);
    free(new);
    kanon_sink_free(memory);
    return same;
}

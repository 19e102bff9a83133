/* SPDX-License-Identifier: Apache-2.0 */
/* read.c -- reads files as any other program would: CSV as in RFC 4180, JSON as in RFC 8259. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
slurp(const char *path, size_t *bytes)
{
    FILE  *file = fopen(path, "rb");
    size_t room = 1 << 14, used = 0, got;
    char  *to;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    room = (size_t) ftell(file) + 1;
    rewind(file);
    to = take(room + 1);
    while (used < room && (got = fread(to + used, 1, room - used, file)) > 0)
        used += got;
    fclose(file);
    to[used] = 0;
    *bytes = used;
    return to;
}

char *
from_latin1(const char *text, size_t *bytes)
{
    char  *to = take(2 * *bytes + 1);
    size_t used = 0;

    for (size_t i = 0; i < *bytes; i++)
        used += put_utf8(to + used, (unsigned char) text[i]);
    *bytes = used;
    return to;
}

/* --- CSV ---------------------------------------------------------------------------------------- */

typedef struct csv {
    const char *at, *end;
    char        delimiter, quote;
    char       *cell;
    size_t      used;
} csv;

/* One cell into c->cell. @return what ends it: the delimiter, '\n', or 0 at the end of the file */
static int
next_cell(csv *c)
{
    c->used = 0;
    if (c->at < c->end && c->quote && *c->at == c->quote) {
        for (c->at++;; c->at++) {
            EXPECT(c->at < c->end, "the released file ends within quotes");
            if (*c->at == c->quote) {
                if (c->at + 1 < c->end && c->at[1] == c->quote)
                    c->at++;
                else
                    break;
            }
            c->cell[c->used++] = *c->at;
        }
        c->at++;
    }
    while (c->at < c->end && *c->at != c->delimiter && *c->at != '\n') {
        if (*c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n')
            break;
        c->cell[c->used++] = *c->at++;
    }
    c->cell[c->used] = 0;
    if (c->at == c->end)
        return 0;
    if (*c->at == '\r')
        c->at++;
    return *c->at++ == '\n' ? '\n' : c->delimiter;
}

records
read_csv(const char *text, size_t bytes, char delimiter, char quote)
{
    csv     c = { text, text + bytes, delimiter, quote, NULL, 0 };
    records found = { 0 };
    int     room = 2, width = 0;
    char   *cells[4 * COLS_MOST];

    c.cell = take(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        room += text[i] == '\n';
    found.rows = take((size_t) room * sizeof *found.rows);
    found.widths = take((size_t) room * sizeof *found.widths);
    while (c.at < c.end) {
        int ended = next_cell(&c);

        EXPECT(width < 4 * COLS_MOST, "a row has too many cells");
        cells[width++] = copy(c.cell);
        if (ended == (unsigned char) delimiter || ended == delimiter) {
            if (c.at < c.end)
                continue;
            cells[width++] = copy("");
        }
        found.rows[found.count] = memcpy(take((size_t) width * sizeof *cells), cells,
                                         (size_t) width * sizeof *cells);
        found.widths[found.count++] = width;
        width = 0;
    }
    return found;
}

/* --- JSON --------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *at, *end;
} reader;

static void
blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static unsigned
hex4(reader *r)
{
    unsigned value = 0;

    for (int i = 0; i < 4; i++) {
        char c = r->at < r->end ? *r->at++ : 'x';

        EXPECT((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'),
               "JSON: bad \\u");
        value = value * 16 + (unsigned) (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
}

static char *
json_text(reader *r)
{
    const char *quote = r->at + 1;
    size_t      used = 0;
    char       *to;

    EXPECT(r->at < r->end && *r->at == '"', "JSON: a text was expected");
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
        if (*r->at == '\\')
            r->at++;
    to = take((size_t) (r->at - quote) + 4);
    for (r->at = quote; r->at < r->end && *r->at != '"';) {
        char c = *r->at++;

        EXPECT((unsigned char) c >= 32, "JSON: a control character in a text");
        if (c != '\\') {
            to[used++] = c;
            continue;
        }
        c = *r->at++;
        if (c == 'u') {
            unsigned code = hex4(r);

            if (code >= 0xd800 && code < 0xdc00) {
                EXPECT(r->at + 1 < r->end && r->at[0] == '\\' && r->at[1] == 'u',
                       "JSON: half a pair");
                r->at += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + (hex4(r) - 0xdc00);
            }
            used += put_utf8(to + used, code);
        } else {
            const char *from = "\"\\/bfnrt", *where = strchr(from, c);

            EXPECT(c && where, "JSON: unknown escape");
            to[used++] = "\"\\/\b\f\n\r\t"[where - from];
        }
    }
    EXPECT(r->at < r->end, "JSON: a text does not end");
    r->at++;
    return to;
}

static json *json_value(reader *r, int depth);

static void
json_members(reader *r, json *of, char close, int depth)
{
    json **tail = &of->first;

    r->at++;
    blanks(r);
    if (r->at < r->end && *r->at == close) {
        r->at++;
        return;
    }
    for (;;) {
        char *key = NULL;

        blanks(r);
        if (of->type == J_MAP) {
            key = json_text(r);
            blanks(r);
            EXPECT(r->at < r->end && *r->at == ':', "JSON: no colon");
            r->at++;
        }
        *tail = json_value(r, depth + 1);
        (*tail)->key = key;
        tail = &(*tail)->next;
        blanks(r);
        EXPECT(r->at < r->end && (*r->at == ',' || *r->at == close), "JSON: neither comma nor end");
        if (*r->at++ == close)
            return;
    }
}

static json *
json_value(reader *r, int depth)
{
    json *v = take(sizeof *v);

    EXPECT(depth < 40, "JSON: too deep");
    blanks(r);
    EXPECT(r->at < r->end, "JSON: ends early");
    if (*r->at == '{' || *r->at == '[') {
        v->type = *r->at == '{' ? J_MAP : J_LIST;
        json_members(r, v, *r->at == '{' ? '}' : ']', depth);
    } else if (*r->at == '"') {
        v->type = J_TEXT;
        v->text = json_text(r);
    } else if (strncmp(r->at, "null", 4) == 0) {
        r->at += 4;
    } else if (strncmp(r->at, "true", 4) == 0) {
        v->type = J_TRUE;
        r->at += 4;
    } else if (strncmp(r->at, "false", 5) == 0) {
        v->type = J_FALSE;
        r->at += 5;
    } else {
        char *end;

        v->type = J_NUMBER;
        EXPECT(*r->at == '-' || (*r->at >= '0' && *r->at <= '9'), "JSON: no value at '%.10s'",
               r->at);
        v->number = strtod(r->at, &end); /* a reader sees the nearest double */
        r->at = end;
    }
    return v;
}

json *
read_json(const char *text, size_t bytes)
{
    reader r = { text, text + bytes };
    json  *v = json_value(&r, 0);

    blanks(&r);
    EXPECT(r.at == r.end, "JSON: something behind the end");
    return v;
}

json *
find(const json *map, const char *key)
{
    for (json *v = map ? map->first : NULL; v; v = v->next)
        if (v->key && same(v->key, key))
            return v;
    return NULL;
}

json *
get(const json *map, const char *key)
{
    json *v = find(map, key);

    EXPECT(v, "the report has no %s", key);
    return v;
}

void
expect_number(const json *of, const char *key, long double value, const char *what)
{
    const json *found = get(of, key);

    EXPECT(found->type == J_NUMBER && near(found->number, value),
           "%s.%s is %.15Lg, expected %.15Lg", what, key, found->number, value);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* json.c -- the JSON emitter. */
#include "base/json.h"

#include <math.h>

#include "base/shortest.h"

/* --- strings ----------------------------------------------------------------------------------- */

static void
put_escaped(kn_text *text, unsigned char c)
{
    switch (c) {
    case '"':
        kn_text_addz(text, "\\\"");
        break;
    case '\\':
        kn_text_addz(text, "\\\\");
        break;
    case '\n':
        kn_text_addz(text, "\\n");
        break;
    case '\r':
        kn_text_addz(text, "\\r");
        break;
    case '\t':
        kn_text_addz(text, "\\t");
        break;
    default:
        kn_text_addf(text, "\\u%04x", c);
    }
}

static bool
must_escape(unsigned char c)
{
    return c < 0x20 || c == 0x7f || c == '"' || c == '\\';
}

/* A run of valid UTF-8. */
static void
put_run(kn_text *text, kn_str run)
{
    size_t from = 0;

    for (size_t i = 0; i < run.len; i++) {
        if (!must_escape((unsigned char) run.ptr[i]))
            continue;
        kn_text_add(text, (kn_str){ run.ptr + from, i - from });
        put_escaped(text, (unsigned char) run.ptr[i]);
        from = i + 1;
    }
    kn_text_add(text, (kn_str){ run.ptr + from, run.len - from });
}

static void
put_string(kn_text *text, kn_str value)
{
    kn_text_addz(text, "\"");
    while (value.len) {
        size_t good = kn_utf8_check(value.ptr, value.len);

        put_run(text, (kn_str){ value.ptr, good });
        value.ptr += good;
        value.len -= good;
        if (value.len) {
            kn_text_addz(text, "\xef\xbf\xbd");
            value.ptr++;
            value.len--;
        }
    }
    kn_text_addz(text, "\"");
}

/* --- numbers ----------------------------------------------------------------------------------- */

void
kn_json_put_double(kn_text *text, double value)
{
    char room[KN_SHORTEST_ROOM];

    if (!isfinite(value))
        kn_text_addz(text, "null");
    else /* JSON has one zero */
        kn_text_add(text, (kn_str){ room, kn_shortest(room, value == 0 ? 0 : value, KN_FLOAT_64) });
}

/* --- structure --------------------------------------------------------------------------------- */

static void
new_line(kn_json *json)
{
    kn_text_addf(json->text, "\n%*s", (int) json->depth * 2, "");
}

/* What stands before every value: the comma, the line, the key. */
static void
begin_value(kn_json *json, const char *key)
{
    if (json->depth) {
        unsigned top = json->depth - 1;

        assert(json->array[top] == !key);
        if (json->filled[top])
            kn_text_addz(json->text, ",");
        json->filled[top] = true;
        new_line(json);
    }
    if (key) {
        put_string(json->text, kn_str_of(key));
        kn_text_addz(json->text, ": ");
    }
}

static void
push(kn_json *json, const char *key, const char *bracket)
{
    begin_value(json, key);
    kn_text_addz(json->text, bracket);
    assert(json->depth < KN_JSON_DEPTH_MOST);
    json->array[json->depth] = *bracket == '[';
    json->filled[json->depth] = false;
    json->depth++;
}

void
kn_json_init(kn_json *json, kn_text *text)
{
    memset(json, 0, sizeof *json);
    json->text = text;
}

void
kn_json_object(kn_json *json, const char *key)
{
    push(json, key, "{");
}

void
kn_json_array(kn_json *json, const char *key)
{
    push(json, key, "[");
}

void
kn_json_end(kn_json *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->filled[json->depth])
        new_line(json);
    kn_text_addz(json->text, json->array[json->depth] ? "]" : "}");
    if (!json->depth)
        kn_text_addz(json->text, "\n");
}

void
kn_json_string(kn_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        put_string(json->text, kn_str_of(value));
    else
        kn_text_addz(json->text, "null");
}

void
kn_json_count(kn_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    kn_text_addf(json->text, "%llu", (unsigned long long) value);
}

void
kn_json_number(kn_json *json, const char *key, double value)
{
    begin_value(json, key);
    kn_json_put_double(json->text, value);
}

void
kn_json_truth(kn_json *json, const char *key, bool value)
{
    begin_value(json, key);
    kn_text_addz(json->text, value ? "true" : "false");
}

void
kn_json_null(kn_json *json, const char *key)
{
    begin_value(json, key);
    kn_text_addz(json->text, "null");
}

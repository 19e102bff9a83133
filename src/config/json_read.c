/* SPDX-License-Identifier: Apache-2.0 */
/* json_read.c -- a small reader of JSON (RFC 8259): strict, bounded in depth, nothing recurses. */
#include "config/json_read.h"

#include <stdio.h>

void
kn_json_in_init(kn_json_in *in, kanon_ctx *ctx, const char *name, kn_str text)
{
    memset(in, 0, sizeof *in);
    in->ctx = ctx;
    in->name = name;
    in->text = text;
}

uint64_t
kn_json_in_line(const kn_json_in *in, size_t at)
{
    uint64_t line = 1;

    for (size_t i = 0; i < at && i < in->text.len; i++)
        line += in->text.ptr[i] == '\n';
    return line;
}

kanon_status
kn_json_in_fail(const kn_json_in *in, const char *format, ...)
{
    char    message[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return kn_fail_at(in->ctx, KANON_E_PARSE, in->name, kn_json_in_line(in, in->at),
                      "%s; expected the complete, unchanged output of `%s`", message,
                      in->made ? in->made : "kanon pareto -o FRONT.json");
}

/* --- characters ---------------------------------------------------------------------------------- */

static int
peek(kn_json_in *in)
{
    while (in->at < in->text.len && strchr(" \t\r\n", in->text.ptr[in->at]) && in->text.ptr[in->at])
        in->at++;
    return in->at < in->text.len ? (unsigned char) in->text.ptr[in->at] : -1;
}

static kanon_status
take(kn_json_in *in, char expected)
{
    if (peek(in) != expected)
        return kn_json_in_fail(in, "no '%c' here", expected);
    in->at++;
    return KANON_OK;
}

/* Four hexadecimal digits. */
static bool
take_hex(kn_json_in *in, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        int c = in->at < in->text.len ? (unsigned char) in->text.ptr[in->at] : 0;

        if (kn_is_digit((char) c))
            *out = *out * 16 + (uint32_t) (c - '0');
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            *out = *out * 16 + (uint32_t) ((c | 32) - 'a' + 10);
        else
            return false;
    }
    return true;
}

static void
put_utf8(kn_text *out, uint32_t c)
{
    char   bytes[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char) (0x80 | (c & 0x3f));
    bytes[0] = (char) (n == 1 ? c : (0xf00u >> n & 0xffu) | c);
    kn_text_add(out, (kn_str){ bytes, n });
}

/* After "\u": one code unit, or the two of a surrogate pair. */
static bool
take_unicode(kn_json_in *in, kn_text *out)
{
    uint32_t c, low;

    if (!take_hex(in, &c) || c == 0 || (c >= 0xdc00 && c <= 0xdfff))
        return false;
    if (c >= 0xd800 && c <= 0xdbff) {
        if (in->at + 2 > in->text.len || memcmp(in->text.ptr + in->at, "\\u", 2) != 0)
            return false;
        in->at += 2;
        if (!take_hex(in, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    put_utf8(out, c);
    return true;
}

static bool
take_escape(kn_json_in *in, kn_text *out)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char              c = in->at < in->text.len ? in->text.ptr[in->at++] : 0;
    const char       *found = c ? strchr(names, c) : NULL;

    if (c == 'u')
        return take_unicode(in, out);
    if (!found)
        return false;
    kn_text_add(out, (kn_str){ meant + (found - names), 1 });
    return true;
}

kanon_status
kn_json_in_string(kn_json_in *in, kn_text *out)
{
    kanon_status rc = take(in, '"');

    out->len = 0;
    kn_text_addz(out, "");
    while (rc == KANON_OK) {
        size_t from = in->at;

        while (in->at < in->text.len && in->text.ptr[in->at] != '"' && in->text.ptr[in->at] != '\\'
               && (unsigned char) in->text.ptr[in->at] >= 0x20)
            in->at++;
        kn_text_add(out, (kn_str){ in->text.ptr + from, in->at - from });
        if (in->at >= in->text.len || (unsigned char) in->text.ptr[in->at] < 0x20)
            return kn_json_in_fail(in, "an unterminated string");
        if (in->text.ptr[in->at++] == '"')
            return kn_text_status(out);
        if (!take_escape(in, out))
            return kn_json_in_fail(in, "an invalid JSON escape");
    }
    return rc;
}

kanon_status
kn_json_in_count(kn_json_in *in, uint64_t *out)
{
    size_t from;

    peek(in);
    from = in->at;
    *out = 0;
    while (in->at < in->text.len && kn_is_digit(in->text.ptr[in->at])) {
        uint64_t digit = (uint64_t) (in->text.ptr[in->at++] - '0');

        if (*out > (UINT64_MAX - digit) / 10)
            return kn_json_in_fail(in, "a number that is too large");
        *out = *out * 10 + digit;
    }
    if (in->at == from
        || (in->at < in->text.len && in->text.ptr[in->at] && strchr(".eE+-", in->text.ptr[in->at])))
        return kn_json_in_fail(in, "a whole number is missing");
    return KANON_OK;
}

/* --- structure ------------------------------------------------------------------------------------- */

static kanon_status
open(kn_json_in *in, char bracket)
{
    kanon_status rc = take(in, bracket);

    if (rc < 0)
        return rc;
    if (in->depth == KN_JSON_NEST_MOST)
        return kn_json_in_fail(in, "nested too deeply (more than %d levels)", KN_JSON_NEST_MOST);
    in->filled[in->depth++] = false;
    return KANON_OK;
}

kanon_status
kn_json_in_object(kn_json_in *in)
{
    return open(in, '{');
}

kanon_status
kn_json_in_array(kn_json_in *in)
{
    return open(in, '[');
}

/* Passes the comma, or the end. */
static kanon_status
go_on(kn_json_in *in, char end, bool *more)
{
    *more = peek(in) != end;
    if (!*more) {
        in->at++;
        in->depth--;
        return KANON_OK;
    }
    if (in->filled[in->depth - 1])
        return take(in, ',');
    in->filled[in->depth - 1] = true;
    return KANON_OK;
}

kanon_status
kn_json_in_item(kn_json_in *in, bool *more)
{
    return go_on(in, ']', more);
}

kanon_status
kn_json_in_key(kn_json_in *in, kn_text *key, bool *more)
{
    kanon_status rc = go_on(in, '}', more);

    if (rc < 0 || !*more)
        return rc;
    rc = kn_json_in_string(in, key);
    return rc < 0 ? rc : take(in, ':');
}

kanon_status
kn_json_in_end(kn_json_in *in)
{
    return peek(in) < 0 ? KANON_OK : kn_json_in_fail(in, "unexpected data after the end");
}

/* A number or one of the three words. */
static kanon_status
skip_plain(kn_json_in *in)
{
    size_t from = in->at;

    while (in->at < in->text.len && in->text.ptr[in->at]
           && (strchr("+-.", in->text.ptr[in->at]) || kn_is_digit(in->text.ptr[in->at])
               || ((in->text.ptr[in->at] | 32) >= 'a' && (in->text.ptr[in->at] | 32) <= 'z')))
        in->at++;
    return in->at > from ? KANON_OK : kn_json_in_fail(in, "a value is missing");
}

kanon_status
kn_json_in_skip(kn_json_in *in, kn_str *span)
{
    kanon_status rc = KANON_OK;
    unsigned     base = in->depth;
    size_t       from;
    kn_text      scrap;
    bool         more = true, objects[KN_JSON_NEST_MOST] = { false };

    kn_text_init(&scrap, in->ctx);
    peek(in);
    from = in->at;
    do {
        int c = peek(in);

        if (c == '{' || c == '[') {
            KN_TRY(open(in, (char) c));
            objects[in->depth - 1] = c == '{';
        } else if (c == '"') {
            KN_TRY(kn_json_in_string(in, &scrap));
        } else {
            KN_TRY(skip_plain(in));
        }
        for (more = false; in->depth > base && !more;)
            KN_TRY(objects[in->depth - 1] ? kn_json_in_key(in, &scrap, &more)
                                          : kn_json_in_item(in, &more));
    } while (in->depth > base);
    if (span)
        *span = (kn_str){ in->text.ptr + from, in->at - from };
out:
    kn_text_fini(&scrap);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* json.c -- the JSON emitter. Numbers go through snprintf for their digits only: the decimal point is
 * set here, because a host program may have chosen a locale with another one. */
#include "base/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

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

enum { DIGITS_MOST = 17, POWER_MOST = 22, PLAIN_MOST = 17, PLAIN_LEAST = -5 };

typedef struct digits {
    uint64_t mantissa; /* the digits as one integer */
    int      count;
    int      exponent; /* of the first digit: value = d.ddd * 10^exponent */
} digits;

static digits
digits_of(double value, int count)
{
    char   buffer[40];
    digits result = { 0, count, 0 };
    int    sign = 1, at = 0;

    snprintf(buffer, sizeof buffer, "%.*e", count - 1, value);
    for (; buffer[at] && buffer[at] != 'e'; at++)
        if (kn_is_digit(buffer[at]))
            result.mantissa = result.mantissa * 10 + (uint64_t) (buffer[at] - '0');
    for (; buffer[at]; at++) {
        if (buffer[at] == '-')
            sign = -1;
        if (kn_is_digit(buffer[at]))
            result.exponent = result.exponent * 10 + (buffer[at] - '0');
    }
    result.exponent *= sign;
    return result;
}

/* Whether these digits certainly read back as value. An exact integer times or over an exact power of
 * ten is one correctly rounded operation (Clinger), which is what every reader of JSON computes too;
 * 10^22 is the last power that a double holds. Anything else is left to all 17 digits. */
static bool
reads_back(digits d, double value)
{
    static const double powers[POWER_MOST + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    int                 shift = d.exponent - (d.count - 1);
    double              whole = (double) d.mantissa;

    if (FLT_EVAL_METHOD != 0 || (uint64_t) whole != d.mantissa || shift < -POWER_MOST
        || shift > POWER_MOST)
        return false;
    return (shift < 0 ? whole / powers[-shift] : whole * powers[shift]) == value;
}

static void
put_digits(kn_text *text, digits d)
{
    char all[24];
    int  point = d.exponent + 1; /* digits before the decimal point */

    for (; d.count > 1 && d.mantissa % 10 == 0; d.count--)
        d.mantissa /= 10;
    snprintf(all, sizeof all, "%llu", (unsigned long long) d.mantissa);
    if (d.exponent < PLAIN_LEAST || d.exponent >= PLAIN_MOST) {
        kn_text_add(text, (kn_str){ all, 1 });
        if (d.count > 1)
            kn_text_addf(text, ".%s", all + 1);
        kn_text_addf(text, "e%+d", d.exponent);
    } else if (point <= 0) {
        kn_text_addz(text, "0.");
        for (int i = point; i < 0; i++)
            kn_text_addz(text, "0");
        kn_text_addz(text, all);
    } else {
        for (int i = 0; i < point; i++)
            kn_text_add(text, (kn_str){ i < d.count ? all + i : "0", 1 });
        if (d.count > point)
            kn_text_addf(text, ".%s", all + point);
    }
}

void
kn_json_put_double(kn_text *text, double value)
{
    digits d = { 0, 1, 0 };

    if (!isfinite(value)) {
        kn_text_addz(text, "null");
        return;
    }
    if (value == 0) {
        kn_text_addz(text, "0");
        return;
    }
    if (value < 0)
        kn_text_addz(text, "-");
    value = fabs(value);
    for (int count = 1; count <= DIGITS_MOST; count++) {
        d = digits_of(value, count);
        if (reads_back(d, value))
            break;
    }
    put_digits(text, d);
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

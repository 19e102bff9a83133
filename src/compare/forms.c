/* SPDX-License-Identifier: Apache-2.0 */
/* forms.c -- texts of generalized values taken apart. A text is an interval only when both ends can be read
 * as values of the column, so that 1990-01-05 is no interval of a column of dates. */
#include "compare/forms.h"

#include <math.h>

#include "base/text.h"

/* --- intervals -------------------------------------------------------------------------------- */

static bool
begins(kn_str text, kn_str with)
{
    return text.len >= with.len && kn_bytes_equal(text.ptr, with.ptr, with.len);
}

static bool
ends(kn_str text, kn_str with)
{
    return text.len >= with.len
        && kn_bytes_equal(text.ptr + text.len - with.len, with.ptr, with.len);
}

static kn_str
after(kn_str text, size_t bytes)
{
    return kn_str_trim((kn_str){ text.ptr + bytes, text.len - bytes });
}

static kn_str
until(kn_str text, size_t bytes)
{
    return kn_str_trim((kn_str){ text.ptr, bytes });
}

/* One end; an infinite one only on its own side. */
static bool
read_end(kn_str text, kn_end_reader read, const void *user, double infinite, double *out)
{
    static const kn_str words[] = { { "inf", 3 }, { "Inf", 3 }, { "\xe2\x88\x9e", 3 } };

    if (text.len && read(user, text, out))
        return true;
    if (text.len && text.ptr[0] == (infinite < 0 ? '-' : '+'))
        text = after(text, 1);
    else if (infinite < 0)
        return false;
    for (size_t i = 0; i < KN_COUNT(words); i++)
        if (kn_str_equal(text, words[i])) {
            *out = infinite;
            return true;
        }
    return false;
}

static bool
split_at(kn_str text, kn_str separator, kn_end_reader read, const void *user, kn_interval *out)
{
    for (size_t at = 1; at + separator.len < text.len; at++) {
        kn_str rest = { text.ptr + at, text.len - at };

        if (begins(rest, separator)
            && read_end(until(text, at), read, user, (double) -INFINITY, &out->low)
            && read_end(after(rest, separator.len), read, user, (double) INFINITY, &out->high)
            && out->low <= out->high)
            return true;
    }
    return false;
}

/* "20 to under 25": the upper end is outside. */
static bool
split_under(kn_str text, kn_end_reader read, const void *user, kn_interval *out)
{
    out->high_open = split_at(text, KN_STR(" to under "), read, user, out)
                  || split_at(text, KN_STR(" to before "), read, user, out);
    return out->high_open;
}

static bool
split(kn_str text, kn_end_reader read, const void *user, kn_interval *out)
{
    static const kn_str separators[] = {
        { ";", 1 },
        { ",", 1 },
        { "..", 2 },
        { "\xe2\x80\x93", 3 },
        { "\xe2\x80\x94", 3 },
        { "~", 1 },
        { " to ", 4 },
        { "-", 1 },
        { ":", 1 },
    };

    for (size_t i = 0; i < KN_COUNT(separators); i++)
        if (split_at(text, separators[i], read, user, out))
            return true;
    return false;
}

/* Words and signs that leave one end open. */
typedef struct one_sided {
    kn_str sign;
    bool   behind; /* stands behind the number */
    bool   upwards, open;
} one_sided;

static const one_sided signs[] = {
    { { ">=", 2 }, false, true, false },
    { { "=>", 2 }, false, true, false },
    { { "\xe2\x89\xa5", 3 }, false, true, false },
    { { ">", 1 }, false, true, true },
    { { "<=", 2 }, false, false, false },
    { { "=<", 2 }, false, false, false },
    { { "\xe2\x89\xa4", 3 }, false, false, false },
    { { "<", 1 }, false, false, true },
    { { "over ", 5 }, false, true, true },
    { { "under ", 6 }, false, false, true },
    { { "before ", 7 }, false, false, true },
    { { "+", 1 }, true, true, false },
    { { " or more", 8 }, true, true, false },
    { { " and more", 9 }, true, true, false },
    { { " or over", 8 }, true, true, false },
    { { " or later", 9 }, true, true, false },
    { { " and over", 9 }, true, true, false },
    { { " and above", 10 }, true, true, false },
    { { " or less", 8 }, true, false, false },
    { { " and less", 9 }, true, false, false },
    { { " and under", 10 }, true, false, false },
    { { " and below", 10 }, true, false, false },
};

static bool
read_one_sided(kn_str text, kn_end_reader read, const void *user, kn_interval *out)
{
    for (size_t i = 0; i < KN_COUNT(signs); i++) {
        const one_sided *s = &signs[i];
        double           end;

        if (s->behind ? !ends(text, s->sign) : !begins(text, s->sign))
            continue;
        if (!read(user, s->behind ? until(text, text.len - s->sign.len) : after(text, s->sign.len),
                  &end))
            continue;
        *out = (kn_interval){ s->upwards ? end : (double) -INFINITY,
                              s->upwards ? (double) INFINITY : end, s->upwards && s->open,
                              !s->upwards && s->open };
        return true;
    }
    return false;
}

bool
kn_form_interval(kn_str text, kn_end_reader read, const void *user, kn_interval *out)
{
    char first, last;

    text = kn_str_trim(text);
    *out = (kn_interval){ 0, 0, false, false };
    if (text.len < 2)
        return false;
    first = text.ptr[0];
    last = text.ptr[text.len - 1];
    if ((first == '[' || first == '(' || first == ']')
        && (last == ']' || last == ')' || last == '[')) {
        kn_str inside = kn_str_trim((kn_str){ text.ptr + 1, text.len - 2 });

        if (!split(inside, read, user, out))
            return false;
        out->low_open = first != '[';
        out->high_open = last != ']';
        return out->low < out->high || (!out->low_open && !out->high_open);
    }
    return read_one_sided(text, read, user, out) || split_under(text, read, user, out)
        || split(text, read, user, out);
}

/* --- sets ------------------------------------------------------------------------------------- */

static bool
bracketed(kn_str text)
{
    char first, last;

    if (text.len < 3)
        return false;
    first = text.ptr[0];
    last = text.ptr[text.len - 1];
    return (first == '{' && last == '}') || (first == '[' && last == ']')
        || (first == '(' && last == ')');
}

bool
kn_form_set(kn_str text, kn_str *inside, char *separator)
{
    static const char bare[] = "|~;", within[] = ",;|~";
    bool              brackets = bracketed(kn_str_trim(text));
    const char       *tried = brackets ? within : bare;

    text = kn_str_trim(text);
    *inside = brackets ? kn_str_trim((kn_str){ text.ptr + 1, text.len - 2 }) : text;
    for (; *tried; tried++)
        if (memchr(inside->ptr, *tried, inside->len)) {
            *separator = *tried;
            return true;
        }
    *separator = ',';
    return brackets && inside->len > 0;
}

/* --- hidden characters ------------------------------------------------------------------------ */

bool
kn_form_hidden(kn_str text)
{
    size_t stars = 0;

    for (size_t i = 0; i < text.len; i++)
        stars += text.ptr[i] == '*';
    return stars > 0 && stars < text.len;
}

bool
kn_hidden_fits(kn_str pattern, kn_str value)
{
    size_t p = 0, v = 0;

    while (p < pattern.len && v < value.len) {
        size_t step = kn_utf8_step(value, v);

        if (pattern.ptr[p] == '*')
            p++;
        else if (pattern.len - p < step || memcmp(pattern.ptr + p, value.ptr + v, step) != 0)
            return false;
        else
            p += step;
        v += step;
    }
    return p == pattern.len && v == value.len;
}

/* The usual walk with one place to come back to: linear for all but unlikely texts. */
bool
kn_hidden_fits_any(kn_str pattern, kn_str value)
{
    size_t p = 0, v = 0, star = SIZE_MAX, from = 0;

    while (v < value.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            from = v;
        } else if (p < pattern.len && pattern.ptr[p] == value.ptr[v]) {
            p++;
            v++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            v = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* number_forms.c -- numbers as people write them: $117,577.00, 1.234,50 EUR, 12 %, (5.00). What a mark means
 * follows from the cell alone, or the cell is no number here: of two kinds of marks the last one marks
 * decimals; one before exactly three digits marks thousands if it is not the only one, or beside a currency,
 * whose amounts have no three decimals. Whether the cells of a column agree is for types.c. */
#include "encode/value.h"

#include "base/text.h"

enum { GROUP_DIGITS = 3, MARKS_MOST = 8 };

/* Longer ones before those that they begin with. */
static const char *const units[] = {
    "%",
    "US$",
    "R$",
    "$",
    "\xe2\x82\xac",
    "\xc2\xa3",
    "\xc2\xa5",
    "\xe2\x82\xb9",
    "\xe2\x82\xbd",
    "\xe2\x82\xba",
    "z\xc5\x82",
    "kr.",
    "kr",
    "SFr.",
    "Fr.",
    "CHF",
    "EUR",
    "USD",
    "GBP",
    "JPY",
    "CNY",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "HUF",
    "RON",
    "TRY",
    "INR",
    "BRL",
    "MXN",
    "ZAR",
    "CAD",
    "AUD",
    "NZD",
};
enum { PERCENT = 1 }; /* a unit is its place, from 1 */

/* What may stand between digits: a point, a comma, or a kind of blank or apostrophe. */
static const struct {
    const char *text;
    char        mark;
} marks[] = {
    { ".", '.' }, { ",", ',' },        { "'", '\'' },           { "\xe2\x80\x99", '\'' },
    { " ", ' ' }, { "\xc2\xa0", ' ' }, { "\xe2\x80\xaf", ' ' }, { "\xe2\x80\x89", ' ' },
};

static bool
take(kn_str *text, const char *word)
{
    size_t length = strlen(word);

    if (text->len < length || memcmp(text->ptr, word, length) != 0)
        return false;
    text->ptr += length;
    text->len -= length;
    return true;
}

static char
take_mark(kn_str *text)
{
    for (size_t i = 0; i < KN_COUNT(marks); i++)
        if (take(text, marks[i].text))
            return marks[i].mark;
    return 0;
}

static void
take_blanks(kn_str *text)
{
    kn_str rest = *text;

    while (take_mark(&rest) == ' ')
        *text = rest;
}

static bool
take_sign(kn_str *text, bool *negative)
{
    bool minus = take(text, "-") || take(text, "\xe2\x88\x92");

    *negative = *negative || minus;
    return minus || take(text, "+");
}

static unsigned
take_unit(kn_str *text)
{
    for (unsigned i = 0; i < KN_COUNT(units); i++)
        if (take(text, units[i]))
            return i + 1;
    return 0;
}

/* The digits, and the marks between them. */
typedef struct core {
    kn_str   parts[MARKS_MOST + 1];
    char     marks[MARKS_MOST]; /* [i]: between parts i and i + 1 */
    unsigned nmarks;
} core;

static bool
take_core(kn_str *text, core *c)
{
    *c = (core){ .nmarks = 0 };
    for (;;) {
        kn_str *part = &c->parts[c->nmarks], rest;
        char    mark;

        *part = (kn_str){ text->ptr, 0 };
        for (; text->len && kn_is_digit(*text->ptr); text->ptr++, text->len--)
            part->len++;
        if (!part->len)
            return false;
        rest = *text;
        mark = take_mark(&rest);
        if (!mark || !rest.len || !kn_is_digit(*rest.ptr))
            return true;
        if (c->nmarks == MARKS_MOST)
            return false;
        c->marks[c->nmarks++] = mark;
        *text = rest;
    }
}

static bool
marks_decimals(char mark)
{
    return mark == '.' || mark == ',';
}

/* Does the last mark stand before decimals? */
static bool
has_decimals(const core *c, unsigned unit)
{
    char last = c->nmarks ? c->marks[c->nmarks - 1] : 0;

    if (!marks_decimals(last))
        return false;
    if (c->nmarks > 1)
        return c->marks[c->nmarks - 2] != last;
    return !unit || unit == PERCENT || c->parts[1].len != GROUP_DIGITS
        || c->parts[0].len > GROUP_DIGITS || *c->parts[0].ptr == '0';
}

/* 1 234 567: one kind of mark, three digits behind each. Points alone may as well separate the parts of an
 * address. */
static bool
groups_fit(const core *c, unsigned groups, unsigned unit)
{
    if (c->parts[0].len > 1 && *c->parts[0].ptr == '0')
        return false;
    if (!groups)
        return true;
    if (c->parts[0].len > GROUP_DIGITS || *c->parts[0].ptr == '0')
        return false;
    for (unsigned i = 0; i < groups; i++)
        if (c->marks[i] != c->marks[0] || c->parts[i + 1].len != GROUP_DIGITS)
            return false;
    return c->marks[0] != '.' || groups < c->nmarks || (unit && unit != PERCENT);
}

static bool
write_bare(const core *c, bool negative, kn_number_form *out)
{
    size_t at = 0;

    if (negative)
        out->bare[at++] = '-';
    for (unsigned i = 0; i <= c->nmarks; i++) {
        if (at + c->parts[i].len + 1 > sizeof out->bare)
            return false;
        if (i && i == c->nmarks && out->decimal)
            out->bare[at++] = '.';
        memcpy(out->bare + at, c->parts[i].ptr, c->parts[i].len);
        at += c->parts[i].len;
    }
    out->length = at;
    return true;
}

bool
kn_number_parse_form(kn_str text, kn_number_form *out)
{
    bool     brackets = false, negative = false, sign;
    unsigned groups;
    core     c;

    *out = (kn_number_form){ .length = 0 };
    text = kn_str_trim(text);
    if (text.len > 2 && text.ptr[0] == '(' && text.ptr[text.len - 1] == ')') {
        text = (kn_str){ text.ptr + 1, text.len - 2 };
        brackets = true;
    }
    sign = take_sign(&text, &negative);
    take_blanks(&text);
    out->unit = take_unit(&text);
    take_blanks(&text);
    sign = sign || take_sign(&text, &negative);
    if (!text.len || !kn_is_digit(*text.ptr) || !take_core(&text, &c))
        return false;
    take_blanks(&text);
    if (!out->unit)
        out->unit = take_unit(&text);
    groups = c.nmarks;
    if (has_decimals(&c, out->unit)) {
        out->decimal = c.marks[c.nmarks - 1];
        groups--;
    }
    out->group = groups ? c.marks[0] : 0;
    if (brackets && (sign || !(out->unit || c.nmarks)))
        return false; /* (5) may be anything */
    return !text.len && groups_fit(&c, groups, out->unit)
        && write_bare(&c, negative || brackets, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* csv_header.c -- names or values? A line of names taken for data spoils a table, but a line of data taken
 * for names releases a person in clear, so text alone proves nothing. For names: a column of numbers or
 * dates that starts with something else. For values: a number or a date, or a text that its column holds
 * again further down. */
#include "formats/csv_header.h"

#include "base/text.h"

typedef struct column {
    bool any;     /* a value that is not missing */
    bool numbers; /* none of those is anything else */
    bool dates;
    bool again; /* the first cell was met again */
} column;

/* --- cells ------------------------------------------------------------------------------------- */

static size_t
skip_digits(kn_str text, size_t at)
{
    while (at < text.len && kn_is_digit(text.ptr[at]))
        at++;
    return at;
}

/* A sign, digits with points or commas among them, an exponent, a percent sign. */
static bool
is_number(kn_str text)
{
    size_t at = 0, digits = 0;

    if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
        at++;
    for (; at < text.len; at++) {
        if (kn_is_digit(text.ptr[at]))
            digits++;
        else if (text.ptr[at] != '.' && text.ptr[at] != ',')
            break;
    }
    if (!digits)
        return false;
    if (at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
        size_t exponent = at + 1;

        if (exponent < text.len && (text.ptr[exponent] == '-' || text.ptr[exponent] == '+'))
            exponent++;
        at = skip_digits(text, exponent);
        if (at == exponent)
            return false;
    }
    if (at < text.len && text.ptr[at] == '%')
        at++;
    return at == text.len;
}

/* Three groups of one to four digits with - / or . between them; a time may follow. */
static bool
is_date(kn_str text)
{
    size_t at = 0;
    char   separator = 0;

    for (int group = 0; group < 3; group++) {
        size_t end = skip_digits(text, at);

        if (end == at || end - at > 4)
            return false;
        at = end;
        if (group == 2)
            break;
        if (at == text.len || !strchr("-/.", text.ptr[at]) || !text.ptr[at]
            || (separator && text.ptr[at] != separator))
            return false;
        separator = text.ptr[at++];
    }
    if (at == text.len)
        return true;
    if (text.ptr[at] != 'T' && text.ptr[at] != ' ')
        return false;
    for (at++; at < text.len; at++)
        if (!kn_is_digit(text.ptr[at]) && !strchr(":.+-Z", text.ptr[at]))
            return false;
    return true;
}

bool
kn_header_is_value(kn_str cell)
{
    cell = kn_str_trim(cell);
    return is_number(cell) || is_date(cell);
}

/* What a table that says nothing about it writes for a missing value. */
static bool
is_missing(kn_str cell)
{
    return !cell.len || kn_str_equal(cell, KN_STR("?")) || kn_str_equal(cell, KN_STR("NA"));
}

/* --- the records after the first --------------------------------------------------------------- */

/* A field without its quotes and outer blanks; quotes inside stay doubled. */
static kn_str
content(kn_str field, char quote)
{
    if (field.len && field.ptr[0] == quote) {
        field.ptr++;
        field.len--;
        if (field.len && field.ptr[field.len - 1] == quote)
            field.len--;
    }
    return kn_str_trim(field);
}

static bool
same(kn_str value, kn_str cell, char quote)
{
    size_t at = 0;

    if (value.len < cell.len)
        return false;
    for (size_t i = 0; i < cell.len; i++, at++) {
        if (at == value.len || value.ptr[at] != cell.ptr[i])
            return false;
        if (value.ptr[at] == quote && at + 1 < value.len && value.ptr[at + 1] == quote)
            at++;
    }
    return at == value.len;
}

static void
add_value(column *c, kn_str cell, kn_str value, char quote)
{
    if (cell.len && !c->again)
        c->again = same(value, cell, quote);
    if (is_missing(value))
        return;
    if (!c->any)
        c->any = c->numbers = c->dates = true;
    c->numbers = c->numbers && is_number(value);
    c->dates = c->dates && is_date(value);
}

static void
look_through(const kn_rest *rest, const kn_str *cells, size_t count, column *columns)
{
    kn_str text = rest->text;
    size_t field = 0;

    for (size_t at = 0, end; at < text.len; at = end + 1) {
        kn_str value = { text.ptr + at, 0 };
        bool   last;

        end = kn_sniff_field_end(text, at, rest->delimiter, rest->quote);
        if (end == text.len && rest->is == KN_SAMPLE_PART)
            return;
        last = end == text.len || text.ptr[end] == '\n';
        value.len = end - at;
        if (last && value.len && value.ptr[value.len - 1] == '\r')
            value.len--;
        if (field < count)
            add_value(&columns[field], kn_str_trim(cells[field]), content(value, rest->quote),
                      rest->quote);
        field = last ? 0 : field + 1;
    }
}

/* --- the guess --------------------------------------------------------------------------------- */

static bool
speaks_for_names(const column *c, kn_str cell)
{
    return c->any && (c->numbers || c->dates) && !is_missing(kn_str_trim(cell));
}

static kn_first
weigh(const kn_str *cells, size_t count, const column *columns)
{
    size_t names = 0, values = 0;

    for (size_t i = 0; i < count; i++) {
        names += speaks_for_names(&columns[i], cells[i]);
        values += columns[i].again;
    }
    if (!names && !values)
        return KN_FIRST_UNSURE;
    return names && values < count - values ? KN_FIRST_NAMES : KN_FIRST_DATA;
}

kanon_status
kn_header_guess(kanon_ctx *ctx, const kn_str *cells, size_t count, const kn_rest *rest,
                kn_first *out)
{
    column *columns;
    size_t  empty = 0;

    *out = KN_FIRST_DATA;
    for (size_t i = 0; i < count; i++) {
        if (kn_header_is_value(cells[i]))
            return KANON_OK;
        empty += kn_str_trim(cells[i]).len == 0;
    }
    if (empty == count)
        return KANON_OK;
    columns = KN_NEW_ARRAY(ctx, column, count);
    if (!columns)
        return KANON_E_NOMEM;
    look_through(rest, cells, count, columns);
    *out = weigh(cells, count, columns);
    kn_free(ctx, columns);
    return KANON_OK;
}

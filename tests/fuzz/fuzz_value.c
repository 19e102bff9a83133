/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_value.c -- any text as a number and as a date, and any lines as a column. A number that is taken is
 * what the C library makes of it; a date that is taken is a day that exists, and days count on without a
 * gap; a column is a number (a date) only if each of its cells is. */
#include "fuzz_help.h"

#include <ctype.h>
#include <math.h>

#include "base/text.h"
#include "encode/scaled.h"
#include "encode/value.h"
#include "table/dict.h"

static bool
is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int
days_of_month(int year, int month)
{
    return month == 2 ? 28 + is_leap(year) : 30 + ((month + (month > 7)) & 1);
}

/* Counted year by year and month by month. */
static int64_t
days_by_hand(kn_date date)
{
    int64_t days = 0;

    for (int y = 1970; y < date.year; y++)
        days += 365 + is_leap(y);
    for (int y = date.year; y < 1970; y++)
        days -= 365 + is_leap(y);
    for (int m = 1; m < date.month; m++)
        days += days_of_month(date.year, m);
    return days + date.day - 1;
}

static void
check_date(kn_str text)
{
    for (int f = 0; f < KN_DATE_FORMATS; f++) {
        kn_date date = { 0, 0, 0 };

        if (!kn_date_parse(text, (kn_date_format) f, &date))
            continue;
        REQUIRE(date.year >= 0 && date.month >= 1 && date.month <= 12 && date.day >= 1);
        REQUIRE(date.day <= days_of_month(date.year, date.month));
        REQUIRE(kn_date_days(date) == days_by_hand(date));
    }
}

/* Such a number has the digits of the cell in their order, and a point before as many as it says. */
static void
check_form(kn_str text, kn_decimal value)
{
    kn_number_form form;
    size_t         at = 0;
    double         there;
    char           bare[80];

    REQUIRE(kn_number_parse_form(text, &form) && form.length < sizeof bare);
    for (size_t i = 0; i < form.length; i++) {
        if (!isdigit((unsigned char) form.bare[i]))
            continue;
        while (at < text.len && !isdigit((unsigned char) text.ptr[at]))
            at++;
        REQUIRE(at < text.len && text.ptr[at++] == form.bare[i]);
    }
    for (; at < text.len; at++)
        REQUIRE(!isdigit((unsigned char) text.ptr[at]));
    memcpy(bare, form.bare, form.length);
    bare[form.length] = 0;
    there = strtod(bare, NULL);
    REQUIRE(fabs(kn_decimal_double(value) - there)
            <= fabs(there) * 1e-14 + 0.6 * pow(10, -(double) value.decimals));
}

/* The same number for strtod: a point, no blanks. */
static bool
plain_number(kn_str text, char *out, size_t room)
{
    size_t n = 0;

    text = kn_str_trim(text);
    if (text.len >= room)
        return false;
    for (size_t i = 0; i < text.len; i++)
        out[n++] = text.ptr[i] == ',' ? '.' : text.ptr[i];
    out[n] = 0;
    return true;
}

static void
check_number(kn_str text)
{
    kn_decimal value = { 0, 0 }, strict = { 0, 0 }, plainly;
    bool       taken = kn_decimal_parse(text, &value);
    bool       strictly = kn_decimal_parse_strict(text, &strict);
    char       plain[400], *end;
    double     there, here;

    if (strictly)
        REQUIRE(taken && strict.mantissa == value.mantissa && strict.decimals == value.decimals);
    if (taken && !kn_decimal_parse_plain(text, &plainly)) {
        check_form(text, value);
        return;
    }
    if (taken && !strictly)
        REQUIRE(memchr(text.ptr, ',', text.len));
    if (!taken)
        return;
    REQUIRE(value.decimals <= 15);
    here = kn_decimal_double(value);
    REQUIRE(plain_number(text, plain, sizeof plain));
    there = strtod(plain, &end);
    REQUIRE(*end == 0);
    /* Digits that do not fit are rounded off. */
    REQUIRE(fabs(here - there) <= fabs(there) * 1e-14 + 0.6 * pow(10, -(double) value.decimals));
    for (unsigned d = 0; d <= 18; d += 3) {
        int64_t scaled;

        if (kn_scale_decimal(value, d, &scaled))
            REQUIRE(fabs((double) scaled - here * pow(10, d)) <= 1 + fabs((double) scaled) * 1e-14);
    }
}

/* A scaled number is written so that it reads as itself. */
static void
check_written(kanon_ctx *ctx, int64_t scaled, unsigned decimals, bool comma)
{
    kn_number_style style = { .decimals = decimals, .comma = comma };
    kn_text         text;
    kn_decimal      back;
    int64_t         again;

    scaled %= KN_SCALED_MOST;
    kn_text_init(&text, ctx);
    kn_text_add_scaled(&text, &style, scaled);
    REQUIRE(text.ptr && kn_decimal_parse((kn_str){ text.ptr, text.len }, &back));
    REQUIRE(kn_scale_decimal(back, decimals, &again) && again == scaled);
    kn_text_fini(&text);
}

static void
check_column(kanon_ctx *ctx, kn_str lines)
{
    kn_dict       *dict = NULL;
    kn_str         line;
    uint32_t       code;
    kn_domain      domain = { .column = "col", .source = "fuzz", .missing = KN_NO_CODE };
    kn_date_format format;
    kn_decimal     value;
    kn_type        type;
    bool           ambiguous;
    uint64_t       odd;

    REQUIRE(kn_dict_new(ctx, &dict) == KANON_OK);
    while (kn_str_split(&lines, '\n', &line)) {
        REQUIRE(kn_dict_add(dict, line, &code) == KANON_OK);
        if (line.len == 0)
            domain.missing = code;
    }
    domain.count = kn_dict_count(dict);
    domain.values = kn_dict_values(dict);
    type = kn_type_infer(&domain);
    REQUIRE(type == KN_TYPE_NUMBER || type == KN_TYPE_DATE || type == KN_TYPE_STRING);
    for (size_t i = 0; i < domain.count && type == KN_TYPE_NUMBER; i++)
        REQUIRE(i == domain.missing || kn_decimal_parse(domain.values[i], &value));
    if (type == KN_TYPE_DATE)
        REQUIRE(kn_date_infer(&domain, &format, &ambiguous));
    if (kn_type_guess(&domain, &odd) != type)
        REQUIRE(type == KN_TYPE_STRING && odd > 0);
    (void) kn_mark_find(&domain);
    kn_warn_short_years(ctx, &domain);
    kn_dict_free(dict);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kn_str     text = { size ? (const char *) data : "", size }, rest = text, line;
    kanon_ctx *ctx = NULL;
    int64_t    scaled = 0;

    if (size > 2048)
        return 0;
    REQUIRE(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    while (kn_str_split(&rest, '\n', &line)) {
        check_number(line);
        check_date(line);
    }
    if (size >= 9) {
        memcpy(&scaled, data, 8);
        check_written(ctx, scaled, data[8] & 15, data[8] & 16);
    }
    check_column(ctx, text);
    kanon_ctx_free(ctx);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* types.c -- what a column is taken for when nobody says: numbers, dates or texts.
 * One pass counts how many of the distinct values each reading fits; the answers are read off the
 * counts. */
#include "encode/value.h"

#include "base/text.h"

enum { PLAUSIBLE_FIRST = 1850, PLAUSIBLE_LAST = 2100 };
/* A type is guessed from so many values, and this share of them. */
enum { GUESS_LEAST = 10, GUESS_PERCENT = 95 };

/* Distinct non-missing values, by what they can be read as. */
typedef struct tally {
    uint64_t count;
    uint64_t dates[KN_DATE_FORMATS];
    uint64_t plausible; /* YMD_PLAIN dates that are likely to be meant as dates */
    uint64_t numbers;   /* of which: */
    uint64_t points, commas, thousands;
    uint64_t codes; /* numbers with leading zeros */
    uint64_t with_unit;
    unsigned unit; /* of those, the first */
    bool     other_unit;
    bool     grouped_by_point, grouped_by_comma;
    bool     swap_differs;
} tally;

/* --- numbers ----------------------------------------------------------------------------------- */

static kn_str
without_sign(kn_str text)
{
    text = kn_str_trim(text);
    if (text.len && (*text.ptr == '-' || *text.ptr == '+')) {
        text.ptr++;
        text.len--;
    }
    return text;
}

/* "007" is a code: as a number it would lose its zeros. */
static bool
has_leading_zero(kn_str text)
{
    text = without_sign(text);
    return text.len > 1 && text.ptr[0] == '0' && kn_is_digit(text.ptr[1]);
}

/* "0,125" and "12,50" cannot. */
bool
kn_maybe_thousands(kn_str number)
{
    kn_str text = without_sign(number);
    size_t comma = text.len < 4 ? 0 : text.len - 4;

    if (comma < 1 || comma > 3 || text.ptr[comma] != ',' || text.ptr[0] == '0')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (i != comma && !kn_is_digit(text.ptr[i]))
            return false;
    return true;
}

static void
count_form(tally *t, kn_str text)
{
    kn_decimal     value;
    kn_number_form form;

    if (!kn_number_parse_form(text, &form)
        || !kn_decimal_parse_plain((kn_str){ form.bare, form.length }, &value))
        return;
    t->numbers++;
    t->points += form.decimal == '.';
    t->commas += form.decimal == ',';
    t->grouped_by_point = t->grouped_by_point || form.group == '.';
    t->grouped_by_comma = t->grouped_by_comma || form.group == ',';
    if (!form.unit)
        return;
    t->other_unit = t->other_unit || (t->unit && t->unit != form.unit);
    t->unit = form.unit;
    t->with_unit++;
}

static void
count_number(tally *t, kn_str text)
{
    kn_decimal value;

    if (!kn_decimal_parse_plain(text, &value)) {
        count_form(t, text);
        return;
    }
    t->numbers++;
    t->codes += has_leading_zero(text);
    if (memchr(text.ptr, '.', text.len))
        t->points++;
    if (!memchr(text.ptr, ',', text.len))
        return;
    t->commas++;
    t->thousands += kn_maybe_thousands(text);
}

static kn_mark
mark_of(const tally *t)
{
    if (t->other_unit || (t->with_unit && t->with_unit < t->numbers))
        return KN_MARK_UNITS;
    if ((t->commas || t->grouped_by_point) && (t->points || t->grouped_by_comma)
        && (t->commas || t->points))
        return KN_MARK_MIXED;
    if (t->commas)
        return t->thousands == t->commas ? KN_MARK_THOUSANDS : KN_MARK_COMMA;
    return KN_MARK_POINT;
}

kn_mark
kn_mark_find(const kn_domain *domain)
{
    tally t = { 0 };

    for (size_t i = 0; i < domain->count; i++)
        if (i != domain->missing) {
            t.count++;
            count_number(&t, domain->values[i]);
        }
    return t.numbers == t.count ? mark_of(&t) : KN_MARK_POINT;
}

/* --- dates ------------------------------------------------------------------------------------- */

/* Formats that are not in *alive are not tried; one that does not fit leaves it. */
static void
count_date(tally *t, kn_str text, unsigned *alive)
{
    text = kn_str_trim(text);
    if (!text.len || !kn_is_digit(*text.ptr))
        *alive = 0; /* most texts end here */
    for (unsigned f = 0; f < KN_DATE_FORMATS; f++) {
        kn_date date;

        if (!(*alive & 1U << f))
            continue;
        if (!kn_date_parse(text, (kn_date_format) f, &date)) {
            *alive &= ~(1U << f);
            continue;
        }
        t->dates[f]++;
        if (f == KN_DATE_YMD_PLAIN)
            t->plausible += date.year >= PLAUSIBLE_FIRST && date.year <= PLAUSIBLE_LAST;
        if (f == KN_DATE_DMY_SLASH && date.day != date.month)
            t->swap_differs = true;
    }
}

enum { ALL_FORMATS = (1 << KN_DATE_FORMATS) - 1 };

bool
kn_date_infer(const kn_domain *domain, kn_date_format *format, bool *ambiguous)
{
    unsigned alive = ALL_FORMATS;
    tally    t = { 0 };

    *ambiguous = false;
    for (size_t i = 0; i < domain->count && alive; i++)
        if (i != domain->missing) {
            t.count++;
            count_date(&t, domain->values[i], &alive);
        }
    if (!t.count || !alive)
        return false;
    for (unsigned f = KN_DATE_FORMATS; f-- > 0;)
        if (alive & 1U << f)
            *format = (kn_date_format) f;
    *ambiguous = *format == KN_DATE_DMY_SLASH && (alive & 1U << KN_DATE_MDY_SLASH)
              && t.swap_differs;
    return true;
}

/* One or two digits; 0 if there are none. */
static unsigned
take_part(kn_str *text)
{
    unsigned value = 0;

    for (size_t n = 0; n < 2 && text->len && kn_is_digit(*text->ptr); n++) {
        value = value * 10 + (unsigned) (*text->ptr - '0');
        text->ptr++;
        text->len--;
    }
    return value;
}

static bool
is_date_mark(char c)
{
    return c == '.' || c == '/' || c == '-';
}

/* 17.06.19, 6/17/19, 19-06-17: neither the position of the year nor its century is certain. */
static bool
has_short_year(kn_str text)
{
    unsigned parts[3];
    char     separator = 0;

    text = kn_str_trim(text);
    if (text.len < 6 || text.len > 8 || !kn_is_digit(text.ptr[text.len - 2])
        || !kn_is_digit(*text.ptr))
        return false;
    for (size_t i = 0; i < 3; i++) {
        parts[i] = take_part(&text);
        if (i == 2)
            break;
        if (!text.len || !is_date_mark(*text.ptr) || (i && *text.ptr != separator))
            return false;
        separator = *text.ptr++;
        text.len--;
    }
    if (text.len || !parts[1] || parts[1] > 31)
        return false;
    if (parts[1] > 12) /* month first */
        return parts[0] >= 1 && parts[0] <= 12;
    return (parts[0] >= 1 && parts[0] <= 31) || (parts[2] >= 1 && parts[2] <= 31);
}

void
kn_warn_short_years(kanon_ctx *ctx, const kn_domain *domain)
{
    uint64_t count = 0, fit = 0;

    for (size_t i = 0; i < domain->count; i++)
        if (i != domain->missing) {
            count++;
            fit += has_short_year(domain->values[i]);
        }
    if (!fit || (fit < count && (fit < GUESS_LEAST || fit * 100 < count * GUESS_PERCENT)))
        return;
    kn_warn(ctx, KN_FOUND_SHORT_YEARS, kn_at_column(domain->column),
            "column '%s' looks like dates with two-digit years, which are read as text" KN_DO
            "write years with four digits",
            domain->column);
}

/* --- what a column is -------------------------------------------------------------------------- */

static void
count_values(const kn_domain *domain, tally *t)
{
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < domain->count; i++) {
        unsigned alive = ALL_FORMATS;

        if (i == domain->missing)
            continue;
        t->count++;
        count_date(t, domain->values[i], &alive);
        count_number(t, domain->values[i]);
    }
}

/* How many values are dates in one and the same way. */
static uint64_t
fitting_dates(const tally *t)
{
    uint64_t most = 0;

    for (unsigned f = 0; f < KN_DATE_FORMATS; f++) {
        uint64_t fit = f == KN_DATE_YMD_PLAIN ? t->plausible : t->dates[f];

        most = fit > most ? fit : most;
    }
    return most;
}

/* How many values are numbers. One code makes the column codes: the others only begin with no zero. */
static uint64_t
fitting_numbers(const tally *t)
{
    kn_mark mark = mark_of(t);

    if (t->codes || mark == KN_MARK_THOUSANDS || mark == KN_MARK_UNITS)
        return 0;
    if (mark == KN_MARK_MIXED && (t->grouped_by_point || t->grouped_by_comma))
        return 0;
    if (mark == KN_MARK_MIXED)
        return t->numbers - (t->points < t->commas ? t->points : t->commas);
    return t->numbers;
}

static kn_type
strict_type(const tally *t)
{
    if (t->count && fitting_dates(t) == t->count)
        return KN_TYPE_DATE;
    return t->count && fitting_numbers(t) == t->count ? KN_TYPE_NUMBER : KN_TYPE_STRING;
}

kn_type
kn_type_infer(const kn_domain *domain)
{
    tally t;

    count_values(domain, &t);
    return strict_type(&t);
}

kn_type
kn_type_guess(const kn_domain *domain, uint64_t *odd)
{
    tally    t;
    kn_type  type;
    uint64_t dates, numbers, fit;

    *odd = 0;
    count_values(domain, &t);
    type = strict_type(&t);
    if (type != KN_TYPE_STRING)
        return type;
    dates = fitting_dates(&t);
    numbers = fitting_numbers(&t);
    fit = dates >= numbers ? dates : numbers;
    if (fit < GUESS_LEAST || fit * 100 < t.count * GUESS_PERCENT)
        return KN_TYPE_STRING;
    *odd = t.count - fit;
    return dates >= numbers ? KN_TYPE_DATE : KN_TYPE_NUMBER;
}

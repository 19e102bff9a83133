/* SPDX-License-Identifier: Apache-2.0 */
/* value.c -- what a cell's text means. Numbers are exact decimals, because a double cannot tell
 * whether 0.3 is the end of a range of width 0.1; dates are calendar days. Nothing here asks the
 * locale. */
#include "encode/value.h"

#include "base/text.h"

enum { DECIMALS_MOST = 15, EXPONENT_MOST = 1000 };

const char *const kn_type_names[] = {
    [KN_TYPE_AUTO] = "auto",     [KN_TYPE_NUMBER] = "number", [KN_TYPE_DATE] = "date",
    [KN_TYPE_STRING] = "string", [KN_TYPE_PLACE] = "place",   NULL
};

const char *
kn_type_name(kn_type type)
{
    return (size_t) type < KN_COUNT(kn_type_names) - 1 ? kn_type_names[type] : "unknown";
}

/* --- numbers ----------------------------------------------------------------------------------- */

/* A number while it is read. */
typedef struct number {
    uint64_t digits;
    unsigned zeros; /* zeros not yet multiplied in: most of them may never be needed */
    unsigned next;  /* the first digit that was left out, for rounding */
    bool     full;  /* no further digit fits; those behind the mark are left out */
    bool     any;
} number;

static bool
push_digit(number *n, unsigned digit)
{
    n->any = true;
    if (digit == 0 && n->digits) {
        n->zeros++;
        return true;
    }
    for (; digit && n->zeros; n->zeros--) {
        if (n->digits > UINT64_MAX / 10)
            return false;
        n->digits *= 10;
    }
    if (n->digits > (UINT64_MAX - digit) / 10)
        return false;
    n->digits = n->digits * 10 + digit;
    return true;
}

/* Reads "12.50" up to the exponent. *decimals counts the digits taken from behind the mark. */
static bool
read_digits(kn_str *text, const char *marks, number *n, unsigned *decimals)
{
    bool fraction = false;

    for (; text->len; text->ptr++, text->len--) {
        if (*text->ptr && strchr(marks, *text->ptr) && !fraction) {
            fraction = true;
            continue;
        }
        if (!kn_is_digit(*text->ptr))
            break;
        if (n->full)
            continue;
        n->full = !push_digit(n, (unsigned) (*text->ptr - '0'));
        if (n->full && !fraction)
            return false;
        if (n->full)
            n->next = n->zeros ? 0 : (unsigned) (*text->ptr - '0');
        else if (fraction)
            ++*decimals;
    }
    return n->any;
}

static bool
read_exponent(kn_str *text, int *exponent)
{
    int  value = 0;
    bool negative = false;

    *exponent = 0;
    if (!text->len || (*text->ptr != 'e' && *text->ptr != 'E'))
        return true;
    text->ptr++;
    text->len--;
    if (text->len && (*text->ptr == '-' || *text->ptr == '+')) {
        negative = *text->ptr == '-';
        text->ptr++;
        text->len--;
    }
    if (!text->len)
        return false;
    for (; text->len && kn_is_digit(*text->ptr); text->ptr++, text->len--)
        if (value < EXPONENT_MOST)
            value = value * 10 + (*text->ptr - '0');
    *exponent = negative ? -value : value;
    return true;
}

/* Takes digits off the end until a mantissa fits; rounds half away from zero by the last one that went,
 * so digits that were cut off before it do not matter. */
static bool
round_off(uint64_t *mantissa, int *decimals, unsigned next)
{
    while (*decimals > 0
           && (*decimals > DECIMALS_MOST || *mantissa > (uint64_t) INT64_MAX - (next >= 5))) {
        next = (unsigned) (*mantissa % 10);
        *mantissa /= 10;
        --*decimals;
    }
    if (*mantissa > (uint64_t) INT64_MAX - (next >= 5))
        return false;
    *mantissa += next >= 5;
    return true;
}

/* digits * 10^exponent as a decimal with the decimals that were written, as far as they fit. */
static bool
settle(const number *n, int exponent, unsigned written, kn_decimal *out)
{
    uint64_t mantissa = n->digits;
    int      decimals = -exponent;

    if (mantissa == 0) {
        out->mantissa = 0;
        out->decimals = written > DECIMALS_MOST ? DECIMALS_MOST : written;
        return true;
    }
    for (; decimals < 0; decimals++) {
        if (mantissa > (uint64_t) INT64_MAX / 10)
            return false;
        mantissa *= 10;
    }
    for (; decimals < (int) written && decimals < DECIMALS_MOST; decimals++) {
        if (mantissa > (uint64_t) INT64_MAX / 10)
            break;
        mantissa *= 10;
    }
    if (!round_off(&mantissa, &decimals, n->next))
        return false;
    out->mantissa = (int64_t) mantissa;
    out->decimals = (unsigned) decimals;
    return true;
}

static bool
parse(kn_str text, const char *marks, kn_decimal *out)
{
    number   n = { 0 };
    unsigned written = 0;
    bool     negative = false;
    int      exponent;

    text = kn_str_trim(text);
    if (text.len > EXPONENT_MOST)
        return false;
    if (text.len && (*text.ptr == '-' || *text.ptr == '+')) {
        negative = *text.ptr == '-';
        text.ptr++;
        text.len--;
    }
    if (!read_digits(&text, marks, &n, &written) || !read_exponent(&text, &exponent) || text.len)
        return false;
    if (!settle(&n, exponent + (int) n.zeros - (int) written, exponent ? 0 : written, out))
        return false;
    if (negative)
        out->mantissa = -out->mantissa;
    return true;
}

bool
kn_decimal_parse_plain(kn_str text, kn_decimal *out)
{
    return parse(text, ".,", out);
}

bool
kn_decimal_parse(kn_str text, kn_decimal *out)
{
    kn_number_form form;

    return parse(text, ".,", out)
        || (kn_number_parse_form(text, &form)
            && parse((kn_str){ form.bare, form.length }, ".", out));
}

bool
kn_decimal_parse_strict(kn_str text, kn_decimal *out)
{
    return parse(text, ".", out);
}

double
kn_decimal_double(kn_decimal value)
{
    double power = 1;

    for (unsigned i = 0; i < value.decimals; i++)
        power *= 10; /* exact up to 10^22 */
    return (double) value.mantissa / power;
}

/* --- dates ------------------------------------------------------------------------------------- */

static unsigned
days_in_month(int year, unsigned month)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        return 29;
    assert(month >= 1 && month <= 12);
    return days[month - 1];
}

/* Takes least..most digits. */
static bool
take_number(kn_str *text, size_t least, size_t most, unsigned *value)
{
    size_t n = 0;

    *value = 0;
    while (n < most && n < text->len && kn_is_digit(text->ptr[n]))
        *value = *value * 10 + (unsigned) (text->ptr[n++] - '0');
    text->ptr += n;
    text->len -= n;
    return n >= least;
}

static bool
take_char(kn_str *text, char c)
{
    if (!text->len || *text->ptr != c)
        return false;
    text->ptr++;
    text->len--;
    return true;
}

/* "+02:00", "-0530", "Z" or nothing. */
static bool
take_zone(kn_str *text)
{
    unsigned ignored;

    if (!text->len || take_char(text, 'Z'))
        return true;
    if (!take_char(text, '+') && !take_char(text, '-'))
        return true;
    if (!take_number(text, 2, 2, &ignored))
        return false;
    if (take_char(text, ':') || text->len)
        return take_number(text, 2, 2, &ignored);
    return true;
}

/* A time of day, to the second; a second that the clock of most does not have counts as the one before. */
static bool
take_clock(kn_str text, int32_t *second)
{
    unsigned hour, minute, seconds = 0, ignored;

    if (!take_number(&text, 1, 2, &hour) || !take_char(&text, ':')
        || !take_number(&text, 2, 2, &minute))
        return false;
    if (take_char(&text, ':') && !take_number(&text, 2, 2, &seconds))
        return false;
    if (take_char(&text, '.') && !take_number(&text, 1, 9, &ignored))
        return false;
    if (hour > 24 || minute > 59 || seconds > 60)
        return false;
    text = kn_str_trim(text);
    if (text.len == 2 && (*text.ptr == 'A' || *text.ptr == 'P') && text.ptr[1] == 'M') {
        if (hour < 1 || hour > 12)
            return false;
        hour = hour % 12 + (*text.ptr == 'P' ? 12 : 0);
        text.len = 0;
    }
    *second = (int32_t) (hour * 3600 + minute * 60 + (seconds < 60 ? seconds : 59));
    if (*second >= 24 * 3600)
        *second = 24 * 3600 - 1;
    return take_zone(&text) && !text.len;
}

bool
kn_clock_parse(kn_str text, int32_t *second)
{
    return take_clock(kn_str_trim(text), second);
}

/* What may stand behind a day: nothing, or a time of day. */
static bool
take_time(kn_str text, int32_t *second)
{
    *second = -1;
    if (!text.len)
        return true;
    if (!take_char(&text, 'T') && !take_char(&text, ' '))
        return false;
    return take_clock(kn_str_trim(text), second);
}

typedef struct layout {
    char order[4]; /* "ymd" */
    char separator;
} layout;

static const layout layouts[KN_DATE_FORMATS] = {
    [KN_DATE_YMD_DASH] = { "ymd", '-' },  [KN_DATE_YMD_SLASH] = { "ymd", '/' },
    [KN_DATE_DMY_SLASH] = { "dmy", '/' }, [KN_DATE_MDY_SLASH] = { "mdy", '/' },
    [KN_DATE_DMY_DOT] = { "dmy", '.' },   [KN_DATE_DMY_DASH] = { "dmy", '-' },
    [KN_DATE_YMD_PLAIN] = { "ymd", 0 },
};

bool
kn_moment_parse(kn_str text, kn_date_format format, kn_moment *out)
{
    const layout *how = &layouts[format];
    unsigned      year = 0, month = 0, day = 0;

    text = kn_str_trim(text);
    for (size_t i = 0; i < 3; i++) {
        unsigned *part = how->order[i] == 'y' ? &year : how->order[i] == 'm' ? &month : &day;
        size_t    digits = part == &year ? 4 : 2;

        if (i && how->separator && !take_char(&text, how->separator))
            return false;
        if (!take_number(&text, how->separator && digits == 2 ? 1 : digits, digits, part))
            return false;
    }
    out->second = -1;
    if (how->separator ? !take_time(text, &out->second) : text.len != 0)
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month((int) year, month))
        return false;
    out->date = (kn_date){ (int16_t) year, (uint8_t) month, (uint8_t) day };
    return true;
}

bool
kn_date_parse(kn_str text, kn_date_format format, kn_date *out)
{
    kn_moment moment;

    if (!kn_moment_parse(text, format, &moment))
        return false;
    *out = moment.date;
    return true;
}

const char *
kn_date_example(kn_date_format format)
{
    static const char *const examples[KN_DATE_FORMATS] = {
        [KN_DATE_YMD_DASH] = "1970-01-31",  [KN_DATE_YMD_SLASH] = "1970/01/31",
        [KN_DATE_DMY_SLASH] = "31/01/1970", [KN_DATE_MDY_SLASH] = "01/31/1970",
        [KN_DATE_DMY_DOT] = "31.01.1970",   [KN_DATE_DMY_DASH] = "31-01-1970",
        [KN_DATE_YMD_PLAIN] = "19700131",
    };

    assert((size_t) format < KN_COUNT(examples));
    return examples[format];
}

/* Howard Hinnant's days_from_civil: years begin in March, so that the leap day comes last. */
int64_t
kn_date_days(kn_date date)
{
    int64_t year = (int64_t) date.year - (date.month <= 2);
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;
    int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;

    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year
         - 719468;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_text.c -- the canonical text of Arrow values. It must be one to one: a class of equal texts in a
 * release that keeps its type is a class of equal values. Therefore -0 is not 0; NaNs, which have no
 * bits of their own in a text, are written with the same bits wherever they are released
 * (arrow_build.c). */
#include <math.h>

#include "base/shortest.h"
#include "formats/arrow_type.h"

enum { DAY_SECONDS = 86400, LIMBS = 4, LIMB_DIGITS = 9 };
static const uint32_t LIMB_POWER = 1000000000;

/* --- numbers --------------------------------------------------------------------------------------- */

/* Decimal digits with leading zeros up to least of them. */
static size_t
put_unsigned(char *room, uint64_t value, unsigned least)
{
    char     digits[20];
    unsigned count = 0;
    size_t   at = 0;

    for (; value; value /= 10)
        digits[count++] = (char) ('0' + value % 10);
    for (; least > count; least--)
        room[at++] = '0';
    while (count)
        room[at++] = digits[--count];
    return at;
}

static size_t
put_signed(char *room, int64_t value)
{
    if (value >= 0)
        return put_unsigned(room, (uint64_t) value, 1);
    room[0] = '-';
    return 1 + put_unsigned(room + 1, 0 - (uint64_t) value, 1);
}

static double
half_value(uint16_t bits)
{
    int    exponent = bits >> 10 & 31;
    double fraction = bits & 1023, value;

    if (exponent == 31)
        value = fraction != 0 ? (double) NAN : (double) INFINITY;
    else
        value = exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

static size_t
put_float(char *room, const uint8_t *data, unsigned width)
{
    kn_float_size size = KN_FLOAT_64;
    uint16_t      half;
    float         single;
    double        value;

    if (width == 2) {
        memcpy(&half, data, sizeof half);
        value = half_value(half);
        size = KN_FLOAT_16;
    } else if (width == 4) {
        memcpy(&single, data, sizeof single);
        value = (double) single;
        size = KN_FLOAT_32;
    } else {
        memcpy(&value, data, sizeof value);
    }
    return kn_shortest(room, value == 0 ? 0 : value, size); /* 0 and -0 are one number */
}

/* The 128 bits as limbs of 32, highest first, without their sign. */
static bool
take_decimal(const uint8_t *data, uint32_t limbs[LIMBS])
{
    bool     negative;
    uint64_t carry = 1;

    memcpy(limbs, data, LIMBS * sizeof *limbs);
#if !defined __BYTE_ORDER__ || __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < LIMBS / 2; i++) {
        uint32_t keep = limbs[i];

        limbs[i] = limbs[LIMBS - 1 - i];
        limbs[LIMBS - 1 - i] = keep;
    }
#endif
    negative = limbs[0] >> 31;
    for (size_t i = LIMBS; negative && i-- > 0; carry >>= 32) {
        carry += (uint32_t) ~limbs[i];
        limbs[i] = (uint32_t) carry;
    }
    return negative;
}

/* All digits of limbs, highest first, without leading zeros; none for 0. Uses the limbs up. */
static size_t
put_limbs(char *room, uint32_t limbs[LIMBS])
{
    char   digits[LIMBS * 10 + LIMB_DIGITS];
    size_t count = 0, at = 0;
    bool   more = true;

    while (more) {
        uint64_t rest = 0;

        more = false;
        for (size_t i = 0; i < LIMBS; i++) {
            rest = rest << 32 | limbs[i];
            limbs[i] = (uint32_t) (rest / LIMB_POWER);
            rest %= LIMB_POWER;
            more |= limbs[i] != 0;
        }
        for (size_t i = 0; i < LIMB_DIGITS; i++, rest /= 10)
            digits[count++] = (char) ('0' + rest % 10);
    }
    while (count && digits[count - 1] == '0')
        count--;
    while (count)
        room[at++] = digits[--count];
    return at;
}

/* 1234 with scale 2 is 12.34, with scale -2 it is 123400. */
static size_t
put_decimal(char *room, const uint8_t *data, int scale)
{
    uint32_t limbs[LIMBS];
    char     digits[LIMBS * 10];
    size_t   at = 0, count, behind = scale > 0 ? (size_t) scale : 0;

    if (take_decimal(data, limbs))
        room[at++] = '-';
    count = put_limbs(digits, limbs);
    if (count <= behind)
        room[at++] = '0';
    for (size_t i = 0; i + behind < count; i++)
        room[at++] = digits[i];
    for (int i = scale; i < 0 && count; i++)
        room[at++] = '0';
    if (behind)
        room[at++] = '.';
    for (size_t i = behind; i > 0; i--)
        room[at++] = i <= count ? digits[count - i] : '0';
    return at;
}

/* --- days and times -------------------------------------------------------------------------------- */

static int64_t
divide_down(int64_t value, int64_t by, int64_t *rest)
{
    int64_t quotient = value / by;

    *rest = value % by;
    if (*rest < 0) {
        *rest += by;
        quotient--;
    }
    return quotient;
}

/* Howard Hinnant's civil_from_days: years begin in March, so that the leap day comes last. */
static size_t
put_day(char *room, int64_t days)
{
    int64_t day_of_era;
    int64_t era = divide_down(days + 719468, 146097, &day_of_era);
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524
                           - day_of_era / 146096)
                        / 365;
    int64_t  day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t  month = (5 * day_of_year + 2) / 153;
    unsigned day = (unsigned) (day_of_year - (153 * month + 2) / 5 + 1);
    int64_t  year = year_of_era + era * 400 + (month >= 10);
    size_t   at = 0;

    if (year < 0)
        room[at++] = '-';
    at += put_unsigned(room + at, (uint64_t) (year < 0 ? -year : year), 4);
    room[at++] = '-';
    at += put_unsigned(room + at, (uint64_t) (month < 10 ? month + 3 : month - 9), 2);
    room[at++] = '-';
    return at + put_unsigned(room + at, day, 2);
}

/* HH:MM:SS, and the fraction in groups of three digits as far as there is something. */
static size_t
put_clock(char *room, uint64_t seconds, uint64_t fraction, int scale)
{
    size_t at = put_unsigned(room, seconds / 3600, 2);

    room[at++] = ':';
    at += put_unsigned(room + at, seconds / 60 % 60, 2);
    room[at++] = ':';
    at += put_unsigned(room + at, seconds % 60, 2);
    if (!fraction)
        return at;
    for (; fraction % 1000 == 0; scale -= 3)
        fraction /= 1000;
    room[at++] = '.';
    return at + put_unsigned(room + at, fraction, (unsigned) scale);
}

static int64_t
units(int scale)
{
    return scale == 0 ? 1 : scale == 3 ? 1000 : scale == 6 ? 1000000 : 1000000000;
}

static size_t
put_timestamp(char *room, int64_t value, const kn_arrow_type *type)
{
    int64_t fraction, second, days, zone_days;
    int64_t seconds = divide_down(value, units(type->scale), &fraction);
    size_t  at;

    days = divide_down(seconds, DAY_SECONDS, &second);
    zone_days = divide_down(second + (int64_t) type->zone_minutes * 60, DAY_SECONDS, &second);
    at = put_day(room, days + zone_days);
    room[at++] = ' ';
    at += put_clock(room + at, (uint64_t) second, (uint64_t) fraction, type->scale);
    for (const char *zone = type->zone; *zone; zone++)
        room[at++] = *zone;
    return at;
}

/* Times lie within a day; what does not is written all the same, as nobody else's. */
static size_t
put_time(char *room, int64_t value, int scale)
{
    uint64_t all = value < 0 ? 0 - (uint64_t) value : (uint64_t) value;
    uint64_t unit = (uint64_t) units(scale);
    size_t   at = 0;

    if (value < 0)
        room[at++] = '-';
    return at + put_clock(room + at, all / unit, all % unit, scale);
}

/* --- cells ----------------------------------------------------------------------------------------- */

static kn_str
utf8_cell(const kn_arrow_values *values, size_t at)
{
    int64_t from, to;

    if (values->type->width == 4) {
        int32_t ends[2];

        memcpy(ends, values->data + at * sizeof *ends, sizeof ends);
        from = ends[0];
        to = ends[1];
    } else {
        int64_t ends[2];

        memcpy(ends, values->data + at * sizeof *ends, sizeof ends);
        from = ends[0];
        to = ends[1];
    }
    return (kn_str){ from == to ? "" : values->text + from, (size_t) (to - from) };
}

static kn_str
view_cell(const kn_arrow_values *values, size_t at)
{
    const uint8_t *where = values->data + at * KN_ARROW_VIEW_BYTES;
    kn_arrow_view  view;

    memcpy(&view, where, sizeof view);
    if (view.length <= KN_ARROW_VIEW_INLINE)
        return (kn_str){ (const char *) where + sizeof view.length, (size_t) view.length };
    return (kn_str){ (const char *) values->pieces[view.piece] + view.offset,
                     (size_t) view.length };
}

int64_t
kn_arrow_integer(const kn_arrow_values *values, size_t index)
{
    const uint8_t *data = values->data + (values->first + index) * values->type->width;
    bool           is_signed = values->type->kind != KN_ARROW_UINT;
    uint16_t       two;
    uint32_t       four;
    int64_t        eight;

    assert(index < values->length);
    switch (values->type->width) {
    case 1:
        return is_signed ? (int8_t) *data : *data;
    case 2:
        memcpy(&two, data, sizeof two);
        return is_signed ? (int16_t) two : two;
    case 4:
        memcpy(&four, data, sizeof four);
        return is_signed ? (int64_t) (int32_t) four : (int64_t) four;
    default:
        memcpy(&eight, data, sizeof eight);
        return eight;
    }
}

kn_str
kn_arrow_cell(const kn_arrow_values *values, size_t index, char room[KN_ARROW_ROOM])
{
    const kn_arrow_type *type = values->type;
    size_t               at = values->first + index, length = 0;

    assert(index < values->length);
    if (kn_arrow_is_null(values, index))
        return (kn_str){ NULL, 0 };
    switch (type->kind) {
    case KN_ARROW_UTF8:
        return utf8_cell(values, at);
    case KN_ARROW_VIEW:
        return view_cell(values, at);
    case KN_ARROW_BOOL:
        return kn_arrow_bit(values->data, at) ? KN_STR("true") : KN_STR("false");
    case KN_ARROW_INT:
        length = put_signed(room, kn_arrow_integer(values, index));
        break;
    case KN_ARROW_UINT:
        length = put_unsigned(room, (uint64_t) kn_arrow_integer(values, index), 1);
        break;
    case KN_ARROW_FLOAT:
        length = put_float(room, values->data + at * type->width, type->width);
        break;
    case KN_ARROW_DECIMAL:
        length = put_decimal(room, values->data + at * type->width, type->scale);
        break;
    case KN_ARROW_DATE:
        length = put_day(room, kn_arrow_integer(values, index)
                                   / (type->scale ? (int64_t) DAY_SECONDS * 1000 : 1));
        break;
    case KN_ARROW_TIME:
        length = put_time(room, kn_arrow_integer(values, index), type->scale);
        break;
    case KN_ARROW_TIMESTAMP:
        length = put_timestamp(room, kn_arrow_integer(values, index), type);
        break;
    }
    assert(length && length <= KN_ARROW_ROOM);
    return (kn_str){ room, length };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* shortest.c -- the fewest digits that read back as the same number. Digits are tried one more at a
 * time, and taken when they certainly read back: an exact integer times or over an exact power of ten is
 * one correctly rounded operation (Clinger), and 10^22 is the last power that a double holds. Where that
 * proves nothing, all digits that can be needed are taken. Numbers with few decimals, which is most of
 * them, need no printf: hundredths and the like are found by multiplying. */
#include "base/shortest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { POWER_MOST = 22, PLAIN_MOST = 17, PLAIN_LEAST = -5, QUICK_DECIMALS = 4 };

static const double powers[POWER_MOST + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

typedef struct digits {
    uint64_t mantissa; /* the digits as one integer */
    int      count;
    int      exponent; /* of the first digit: value = d.ddd * 10^exponent */
} digits;

/* What reads back as a number: the number itself, and whatever lies nearer to it than to its neighbours. */
typedef struct target {
    double value, low, high; /* low == high: nothing else */
    int    digits_most;      /* as many always read back */
} target;

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

/* The middle between two floats is a double, and rounding never crosses one: what is strictly between the
 * middles as a double is between them. */
static bool
hits(double read, const target *to)
{
    return read == to->value || (read > to->low && read < to->high);
}

static bool
reads_back(digits d, const target *to)
{
    int    shift = d.exponent - (d.count - 1);
    double whole = (double) d.mantissa;

    if (FLT_EVAL_METHOD != 0 || (uint64_t) whole != d.mantissa || shift < -POWER_MOST
        || shift > POWER_MOST)
        return false;
    return hits(shift < 0 ? whole / powers[-shift] : whole * powers[shift], to);
}

/* Whole numbers and those with a few decimals, below 10^15, where no two texts of the same length read
 * back as one double. */
static bool
quick(const target *to, digits *d)
{
    if (FLT_EVAL_METHOD != 0 || to->low != to->high || to->value >= 1e15 / powers[QUICK_DECIMALS]
        || to->value < 1e-4)
        return false;
    for (int decimals = 0; decimals <= QUICK_DECIMALS; decimals++) {
        double whole = nearbyint(to->value * powers[decimals]);

        if (whole / powers[decimals] == to->value) {
            d->mantissa = (uint64_t) whole;
            d->count = 0;
            for (uint64_t rest = d->mantissa; rest; rest /= 10)
                d->count++;
            d->exponent = d->count - 1 - decimals;
            return true;
        }
    }
    return false;
}

static size_t
put_digits(char *room, digits d)
{
    char   all[24] = "";
    int    point = d.exponent + 1; /* digits before the decimal point */
    size_t at = 0;

    for (; d.count > 1 && d.mantissa % 10 == 0; d.count--)
        d.mantissa /= 10;
    for (int i = d.count; i-- > 0; d.mantissa /= 10)
        all[i] = (char) ('0' + d.mantissa % 10);
    if (d.exponent < PLAIN_LEAST || d.exponent >= PLAIN_MOST) {
        room[at++] = all[0];
        if (d.count > 1) {
            room[at++] = '.';
            memcpy(room + at, all + 1, (size_t) d.count - 1);
            at += (size_t) d.count - 1;
        }
        return at + (size_t) snprintf(room + at, KN_SHORTEST_ROOM - 1 - at, "e%+d", d.exponent);
    }
    if (point <= 0) {
        room[at++] = '0';
        room[at++] = '.';
    }
    for (int i = point; i < 0; i++)
        room[at++] = '0';
    for (int i = 0; i < d.count || i < point; i++) {
        if (i && i == point)
            room[at++] = '.';
        room[at++] = i < d.count ? all[i] : '0';
    }
    return at;
}

/* The neighbours of a positive number that has this many bits of precision, and subnormals below 2^least. */
static target
target_of(double value, kn_float_size size)
{
    static const struct {
        int bits, least, digits;
    } formats[] = { [KN_FLOAT_16] = { 11, -14, 5 }, [KN_FLOAT_32] = { 24, -126, 9 } };
    int    exponent;
    double half; /* of the distance to the next number above */

    if (size == KN_FLOAT_64)
        return (target){ value, value, value, 17 };
    assert((size_t) size < KN_COUNT(formats));
    exponent = ilogb(value) < formats[size].least ? formats[size].least : ilogb(value);
    half = ldexp(1, exponent - formats[size].bits);
    return (target){
        value,
        value - (value == ldexp(1, exponent) && exponent > formats[size].least ? half / 2 : half),
        value + half, formats[size].digits
    };
}

size_t
kn_shortest(char room[KN_SHORTEST_ROOM], double value, kn_float_size size)
{
    digits d = { 0, 1, 0 };
    target to;
    size_t at = 0;

    if (isnan(value)) {
        memcpy(room, "NaN", 3);
        return 3;
    }
    if (signbit(value))
        room[at++] = '-';
    if (isinf(value)) {
        memcpy(room + at, "inf", 3);
        return at + 3;
    }
    if (value == 0) {
        room[at++] = '0';
        return at;
    }
    to = target_of(fabs(value), size);
    if (!quick(&to, &d))
        for (int count = 1; count <= to.digits_most; count++) {
            d = digits_of(to.value, count);
            if (reads_back(d, &to))
                break;
        }
    return at + put_digits(room + at, d);
}

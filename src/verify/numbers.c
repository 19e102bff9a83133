/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c -- whether a released number is rounded and within its bounds. It is read by other code than the
 * one that rounds: digit by digit, as a double. A number with more than 15 digits is judged up to their
 * precision. */
#include <math.h>

#include "base/text.h"
#include "table/load.h"
#include "verify/verify.h"

/* Equal up to this share is equal. */
static const double SAME = 1e-9;

/* A sign, digits, a point or comma among them, and perhaps an exponent. */
static bool
read_number(kn_str cell, double *out)
{
    double value = 0, scale = 1;
    bool   minus = false, behind = false;
    size_t digits = 0;

    cell = kn_str_trim(cell);
    for (size_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];

        if (i == 0 && (c == '-' || c == '+')) {
            minus = c == '-';
        } else if (!behind && (c == '.' || c == ',')) {
            behind = true;
        } else if (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            scale *= behind ? 10 : 1;
            digits++;
        } else if (digits && (c == 'e' || c == 'E')) {
            double power;

            if (!read_number((kn_str){ cell.ptr + i + 1, cell.len - i - 1 }, &power))
                return false;
            value *= pow(10, power);
            break;
        } else {
            return false;
        }
    }
    *out = (minus ? -value : value) / scale;
    return digits > 0;
}

static bool
same(double a, double b, double unit)
{
    return fabs(a - b) <= SAME * fmax(unit, fmax(fabs(a), fabs(b)));
}

bool
kn_verify_number(const kn_claim *claim, const kn_shown_numbers *numbers, kn_str cell)
{
    double value, unit = numbers->round;

    if (kn_is_missing(claim->missing, claim->nmissing, cell))
        return true;
    if (!read_number(cell, &value))
        return false;
    if (same(value, numbers->top, 0) || same(value, numbers->bottom, 0))
        return true;
    if (value > numbers->top || value < numbers->bottom)
        return false;
    return unit <= 0 || same(value, nearbyint(value / unit) * unit, unit);
}

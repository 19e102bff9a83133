/* SPDX-License-Identifier: Apache-2.0 */
/* round.c -- round numbers. */
#include "encode/round.h"

#include "encode/scaled.h"

int64_t
kn_round_next(int64_t width)
{
    int64_t power = 1;

    assert(width > 0 && width <= KN_SCALED_MOST);
    while (width / 10 >= power)
        power *= 10;
    return width / power == 2 ? width / 2 * 5 : width * 2;
}

/* Released numbers, not 0, that are multiples of a unit. */
static size_t
count_multiples(const kn_held *numbers, size_t count, int64_t unit)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += numbers[i].rows && numbers[i].value && numbers[i].value % unit == 0;
    return n;
}

int64_t
kn_round_resolution(const kn_held *numbers, size_t count, int64_t span)
{
    size_t  others = count_multiples(numbers, count, 1); /* 0 is a multiple of everything */
    int64_t best = 1, power = 10;

    for (int64_t unit = 2; unit <= span / 2 && unit <= KN_SCALED_MOST / 10;
         unit = kn_round_next(unit)) {
        size_t n = count_multiples(numbers, count, unit);

        if (n && n >= others - others / 10) /* a typing error does not make a column finer */
            best = unit;
        else if (unit == power)
            break; /* no multiples of 10, hence none of 20, 50, 100 ... */
        power *= unit == power ? 10 : 1;
    }
    return best;
}

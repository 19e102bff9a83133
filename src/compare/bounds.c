/* SPDX-License-Identifier: Apache-2.0 */
/* bounds.c -- names for bins of many numbers or dates, in the column's own unit. Where a bin begins is told
 * as a round number between its first value and the value before it, no finer than a tenth of what it parts;
 * where there is none, as one nearby ("about"). The lowest and the highest bin are open. So no name
 * gives away what one row holds more exactly than its bin does. */
#include <math.h>
#include <stdlib.h>

#include "compare/compare.h"

enum { DECIMALS_MOST = 6, DIGITS_MOST = 15 };

/* Where a bin begins. */
typedef struct bound {
    bool   open; /* nowhere */
    bool   about;
    double value; /* numbers; dates: months */
    int    decimals;
} bound;

static bool
is_whole(const kn_compare_column *c)
{
    for (size_t p = 0; p < c->domain; p++)
        if (c->numbers[p] != floor(c->numbers[p]))
            return false;
    return true;
}

/* The bins before and from a position on: how far they reach together. */
static double
span_around(const kn_compare_column *c, size_t at)
{
    size_t first = at - 1, last = at;

    while (first > 0 && c->bin_of[first - 1] == c->bin_of[at - 1])
        first--;
    while (last + 1 < c->domain && c->bin_of[last + 1] == c->bin_of[at])
        last++;
    return c->numbers[last] - c->numbers[first];
}

/* The greatest multiple of 10^power up to a number, or the nearest one. */
static double
multiple(double number, int power, bool nearest)
{
    double unit = pow(10, abs(power)), count = power < 0 ? number * unit : number / unit;

    count = nearest ? floor(count + 0.5) : floor(count);
    return power < 0 ? count / unit : count * unit;
}

static bool
number_bound(const kn_compare_column *c, size_t at, bound *out)
{
    double before = c->numbers[at - 1], first = c->numbers[at], span = span_around(c, at);
    int    finest, power;

    if (!(span > 0) || !isfinite(span))
        return false;
    finest = (int) floor(log10(span / 10));
    power = (int) ceil(log10(fmax(fabs(first), span))) + 1;
    if (finest < -DECIMALS_MOST || power - (finest < 0 ? finest : 0) > DIGITS_MOST)
        return false;
    for (; power >= finest; power--) {
        out->value = multiple(first, power, false);
        out->decimals = power < 0 ? -power : 0;
        if (out->value > before)
            return true;
    }
    out->value = multiple(before + (first - before) / 2, finest, true);
    out->decimals = finest < 0 ? -finest : 0;
    out->about = true;
    return true;
}

static bool
date_bound(const kn_compare_column *c, size_t at, bound *out)
{
    kn_date date;

    if (!kn_date_parse(c->values[at], c->date, &date))
        return false;
    out->value = date.year * 12.0 + date.month - 1;
    out->about = true;
    return true;
}

static bool
find_bound(const kn_compare_column *c, size_t at, bound *out)
{
    *out = (bound){ .open = at == 0 || at == c->domain };
    return out->open || (c->order == KN_TYPE_DATE ? date_bound : number_bound)(c, at, out);
}

/* The same in every locale. */
static void
put_bound(const kn_compare_column *c, const bound *b, double less, kn_text *out)
{
    long long unit = (long long) pow(10, b->decimals);
    long long count = llround((b->value - less) * (double) unit), month = llround(b->value);

    if (c->order == KN_TYPE_DATE) {
        kn_text_addf(out, "%04lld-%02lld", month / 12, month % 12 + 1);
        return;
    }
    kn_text_addf(out, "%s%lld", count < 0 ? "-" : "", llabs(count) / unit);
    if (b->decimals)
        kn_text_addf(out, ".%0*lld", b->decimals, llabs(count) % unit);
}

bool
kn_compare_bounds(const kn_compare_column *c, size_t first, size_t end, kn_text *out)
{
    assert(first < end);
    bound low, high;
    bool  whole;

    if (!find_bound(c, first, &low) || !find_bound(c, end, &high) || (low.open && high.open)
        || (!low.open && !high.open && low.value >= high.value))
        return false;
    whole = c->order == KN_TYPE_NUMBER && !low.about && !high.about && is_whole(c);
    if (low.open)
        kn_text_addz(out, c->order == KN_TYPE_DATE ? "before " : "below ");
    if (low.about || high.about)
        kn_text_addz(out, "about ");
    if (low.open) {
        put_bound(c, &high, 0, out);
    } else if (high.open) {
        put_bound(c, &low, 0, out);
        kn_text_addz(out, c->order == KN_TYPE_DATE ? " and later" : " and more");
    } else {
        put_bound(c, &low, 0, out);
        if (!whole || low.value < high.value - 1) {
            kn_text_addz(out, " to ");
            put_bound(c, &high, whole ? 1 : 0, out);
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c -- numbers in order. Doubles decide where they are clearly apart, which is nearly always; the
 * digits themselves where they are not. Cost: O(n log n); memory 16 bytes a value while it sorts. */
#include "encode/ranks.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/text.h"

/* Doubles of numbers that differ by more than this share of them are in the order of the numbers: reading a
 * number and making a double of it rounds three times, each by less than 2^-52. */
static const double APART = 1e-14;

/* --- digit by digit ---------------------------------------------------------------------------------- */

/* A number as its digits from the first that is not 0. */
typedef struct spelled {
    kn_str  rest;  /* digits, and a mark among them perhaps */
    int64_t place; /* of the first digit: the power of ten that it counts; 0 if there is none */
    int     sign;  /* of the number; 0 for zero */
} spelled;

/* The power behind an e; kn_decimal_parse has seen that it is one. */
static int64_t
take_exponent(kn_str *text)
{
    enum { POWER_MOST = 1000000 };
    size_t  at = 0;
    int64_t power = 0;
    bool    negative = false;

    while (at < text->len && text->ptr[at] != 'e' && text->ptr[at] != 'E')
        at++;
    for (size_t i = at + 1; i < text->len; i++) {
        negative = negative || text->ptr[i] == '-';
        if (kn_is_digit(text->ptr[i]) && power < POWER_MOST)
            power = power * 10 + (text->ptr[i] - '0');
    }
    text->len = at;
    return negative ? -power : power;
}

static spelled
spell(kn_str text)
{
    spelled n = { kn_str_trim(text), 0, 1 };
    size_t  whole = 0, at = 0;

    if (n.rest.len && (*n.rest.ptr == '-' || *n.rest.ptr == '+')) {
        n.sign = *n.rest.ptr == '-' ? -1 : 1;
        n.rest.ptr++;
        n.rest.len--;
    }
    n.place = take_exponent(&n.rest);
    while (whole < n.rest.len && kn_is_digit(n.rest.ptr[whole]))
        whole++;
    while (at < n.rest.len && (n.rest.ptr[at] == '0' || !kn_is_digit(n.rest.ptr[at])))
        at++;
    n.place += at < whole ? (int64_t) (whole - at) - 1 : (int64_t) whole - (int64_t) at;
    n.rest.ptr += at;
    n.rest.len -= at;
    if (!n.rest.len)
        n.place = n.sign = 0;
    return n;
}

/* Behind the last digit there are zeros. */
static int
next_digit(kn_str *rest)
{
    int digit = 0;

    if (rest->len && !kn_is_digit(*rest->ptr)) {
        rest->ptr++;
        rest->len--;
    }
    if (rest->len) {
        digit = *rest->ptr - '0';
        rest->ptr++;
        rest->len--;
    }
    return digit;
}

/* Only digits, marks, signs and the e of an exponent: as it stands. */
static kn_str
bare_number(kn_str text, kn_number_form *room)
{
    kn_decimal value;

    if (kn_decimal_parse_plain(text, &value) || !kn_number_parse_form(text, room))
        return text;
    return (kn_str){ room->bare, room->length };
}

int
kn_number_compare(kn_str a, kn_str b)
{
    kn_number_form rooms[2];
    spelled        x = spell(bare_number(a, &rooms[0])), y = spell(bare_number(b, &rooms[1]));

    if (x.sign != y.sign)
        return x.sign < y.sign ? -1 : 1;
    if (x.place != y.place)
        return x.place < y.place ? -x.sign : x.sign;
    while (x.rest.len || y.rest.len) {
        int left = next_digit(&x.rest), right = next_digit(&y.rest);

        if (left != right)
            return left < right ? -x.sign : x.sign;
    }
    return 0;
}

/* --- a column ---------------------------------------------------------------------------------------- */

typedef struct ranked {
    double        near;
    const kn_str *text;
} ranked;

static int
by_number(const ranked *x, const ranked *y)
{
    double size = fmax(fabs(x->near), fabs(y->near));

    if (fabs(x->near - y->near) > size * APART)
        return x->near < y->near ? -1 : 1;
    return kn_number_compare(*x->text, *y->text);
}

static inline bool
smaller(const ranked *x, const ranked *y, const void *context)
{
    (void) context;
    return by_number(x, y) < 0;
}

KN_DEFINE_SORT(sort_numbers, ranked, smaller)

kanon_status
kn_number_ranks(kanon_ctx *ctx, const kn_str *values, size_t count, uint32_t missing,
                uint32_t *ranks)
{
    ranked  *items = KN_NEW_ARRAY(ctx, ranked, count);
    size_t   n = 0;
    uint32_t rank = 0;

    assert(missing == KN_NO_CODE || missing < count);
    if (!items)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        kn_decimal value = { 0, 0 };

        if (i == missing)
            continue;
        kn_decimal_parse(values[i], &value);
        items[n++] = (ranked){ kn_decimal_double(value), &values[i] };
    }
    sort_numbers(items, n, NULL);
    for (size_t i = 0; i < n; i++) {
        if (i && by_number(&items[i - 1], &items[i]) != 0)
            rank++;
        ranks[items[i].text - values] = rank;
    }
    if (missing < count)
        ranks[missing] = n ? rank + 1 : 0;
    kn_free(ctx, items);
    return KANON_OK;
}

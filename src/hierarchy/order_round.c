/* SPDX-License-Identifier: Apache-2.0 */
/* order_round.c -- labels for buckets of numbers and dates that end between the values: 20 to under 25,
 * under 20, 80 or more.
 * A border is the roundest number or date after the last value of a bucket, up to the first of the
 * next one; that one itself only if enough rows hold it. A border that is as fine as the column's numbers
 * would name the value before it, so it is taken only where enough rows hold the values on both sides.
 * Where there is no room for a rounder one, the ends of the two buckets move apart to round numbers and
 * overlap. The ends of the column stay open, and a single value that enough rows hold is its own label. */
#include "encode/round.h"
#include "encode/scaled.h"
#include "hierarchy/moment.h"
#include "hierarchy/order.h"

/* Ends that move apart leave so many units between them that neither names a value. */
enum { APART = 10 };

typedef enum { LOWER, UPPER } side;

static kn_str
member(const kn_buckets *b, size_t place)
{
    return b->domain->values[b->items[place].code];
}

/* Do enough rows hold the number or day of a place, in whatever spelling? */
static bool
is_common(const kn_buckets *b, size_t place)
{
    size_t first = place, end = place + 1;

    while (first && b->items[first - 1].key == b->items[place].key)
        first--;
    while (end < b->count && b->items[end].key == b->items[place].key)
        end++;
    return b->sums[end] - b->sums[first] >= b->domain->rare;
}

/* --- numbers ------------------------------------------------------------------------------------------- */

static void
add_number(const kn_buckets *b, kn_text *out, int64_t value, unsigned decimals)
{
    kn_number_style style = { decimals, b->comma, false, false };

    for (; style.decimals && value % 10 == 0; style.decimals--)
        value /= 10;
    kn_text_add_scaled(out, &style, value);
}

/* The first of 10^n that is above a number; the next ones down are a half, a fifth and a tenth of it. */
static int64_t
unit_above(int64_t value)
{
    int64_t unit = 1;

    while (unit < KN_SCALED_MOST && (value >= unit || -value >= unit))
        unit *= 10;
    return unit;
}

static bool
read_number(const kn_buckets *b, size_t place, int64_t *out)
{
    kn_decimal value;

    return kn_decimal_parse(member(b, place), &value) && kn_scale_decimal(value, b->decimals, out);
}

kanon_status
kn_order_resolve(kn_buckets *b)
{
    kn_held *held;
    size_t   n = 0;

    b->unit = 1;
    if (b->h->type != KN_TYPE_NUMBER || b->domain->exact || !b->count)
        return KANON_OK;
    held = KN_NEW_ARRAY(b->h->ctx, kn_held, b->count);
    if (!held)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < b->count; i++)
        if ((!i || b->items[i].key != b->items[i - 1].key) && read_number(b, i, &held[n].value))
            held[n++].rows = 1;
    if (n)
        b->unit = kn_round_resolution(held, n, held[n - 1].value - held[0].value);
    kn_free(b->h->ctx, held);
    return KANON_OK;
}

/* Is a number the value of too few rows? */
static bool
is_rare_number(const kn_buckets *b, int64_t number)
{
    size_t  low = 0, high = b->count;
    int64_t value = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (read_number(b, middle, &value) && value < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->count && read_number(b, low, &value) && value == number && !is_common(b, low);
}

/* The roundest number above between[0] and below between[1]: of powers of ten, their halves and fifths. */
static bool
find_between(const int64_t between[2], int64_t least, int64_t *out)
{
    int64_t x = between[0], y = between[1];

    for (int64_t power = unit_above(y > -x ? y : x); power; power /= 10)
        for (int64_t part = 1; part <= 5 && power / part >= least;
             part = part == 2 ? 5 : part + 1) {
            int64_t unit = power / part;

            *out = (kn_floor_div(x, unit) + 1) * unit;
            if (*out < y)
                return true;
        }
    return false;
}

/* The first place from least to most whose number is not below a border; the last one if none is. */
static size_t
first_from(const kn_buckets *b, int64_t border, size_t least, size_t most)
{
    int64_t value;

    while (least < most) {
        size_t middle = least + (most - least) / 2;

        if (read_number(b, middle, &value) && value < border)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

/* The coarsest unit with a multiple above range[0] and up to range[1]. */
static int64_t
roundest_unit(const int64_t range[2])
{
    for (int64_t power = unit_above(range[1] > -range[0] ? range[1] : range[0]); power; power /= 10)
        for (int64_t part = 1; part <= 5 && power / part > 0; part = part == 2 ? 5 : part + 1)
            if (kn_floor_div(range[1], power / part) > kn_floor_div(range[0], power / part))
                return power / part;
    return 1;
}

size_t
kn_order_round_place(const kn_buckets *b, size_t nearest, size_t least, size_t most)
{
    int64_t range[2], unit, border, wanted;

    assert(least && least <= nearest && nearest <= most && most < b->count);
    if (!read_number(b, least - 1, &range[0]) || !read_number(b, most, &range[1])
        || !read_number(b, nearest, &wanted) || range[0] >= range[1])
        return nearest;
    unit = roundest_unit(range);
    border = kn_floor_div(wanted, unit) * unit;
    if (border <= range[0])
        border += unit;
    else if (wanted - border > unit / 2 && border + unit <= range[1])
        border += unit;
    return first_from(b, border, least, most);
}

/* An end that is so far out that it names no value. */
static bool
find_apart(const kn_buckets *b, const int64_t between[2], side end, int64_t *out)
{
    for (int64_t unit = APART * b->unit; unit <= KN_SCALED_MOST; unit = kn_round_next(unit)) {
        *out = end == LOWER ? kn_floor_div(between[0], unit) * unit
                            : (kn_floor_div(between[1], unit) + 1) * unit;
        if (!is_rare_number(b, *out))
            return true;
    }
    return false;
}

static bool
add_number_border(const kn_buckets *b, kn_text *out, size_t place, side end)
{
    int64_t between[2], border;
    bool    common = is_common(b, place);
    bool    known = common && is_common(b, place - 1); /* both values are no secret */

    if (!read_number(b, place - 1, &between[0]) || !read_number(b, place, &between[1])
        || between[0] >= between[1])
        return false;
    between[1] += common; /* it may be the border */
    if (!find_between(between, known ? 1 : 2 * b->unit, &border)
        && !find_apart(b, between, end, &border))
        return false;
    add_number(b, out, border, b->decimals);
    return true;
}

/* --- dates --------------------------------------------------------------------------------------------- */

/* Is a day the value of too few rows? */
static bool
is_rare_day(const kn_buckets *b, int64_t day)
{
    uint64_t key = kn_key_signed(day);
    size_t   low = 0, high = b->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->count && b->items[low].key == key && !is_common(b, low);
}

/* The first of some days that is after `after`, at most `until`, and not a rare value. */
static bool
add_first(const kn_buckets *b, kn_text *out, const kn_date *days, size_t count,
          const int64_t between[2])
{
    for (size_t i = 0; i < count; i++) {
        int64_t day = kn_date_days(days[i]);

        if (days[i].year < 1 || days[i].year > 9999 || day <= between[0] || day > between[1]
            || is_rare_day(b, day))
            continue;
        kn_unit_label(out, (kn_moment){ .date = days[i] }, KN_UNIT_DAY, b->format);
        return true;
    }
    return false;
}

/* Where days of few rows adjoin, the ends of their buckets move apart to round days and overlap. */
static bool
add_date_border(const kn_buckets *b, kn_text *out, size_t place, side end)
{
    kn_date x, y;
    bool    known = is_common(b, place - 1) && is_common(b, place);
    int64_t between[2], wide[2] = { INT64_MIN, INT64_MAX };

    if (!kn_date_parse(member(b, place - 1), b->format, &x)
        || !kn_date_parse(member(b, place), b->format, &y))
        return false;
    between[0] = kn_date_days(x);
    between[1] = kn_date_days(y);
    {
        const kn_date month = { (int16_t) (x.year + (x.month == 12)), (uint8_t) (x.month % 12 + 1),
                                1 };
        const kn_date next = { x.year, x.month, (uint8_t) (x.day + 1) };
        const size_t  exact = 2; /* the last of those near: they name x or y */
        const kn_date near[] = {
            { (int16_t) (y.year / 10 * 10), 1, 1 },
            { y.year, 1, 1 },
            { y.year, y.month, 1 },
            { x.year, x.month, 16 },
            { x.year, x.month, 11 },
            { x.year, x.month, 21 },
            kn_date_days(next) < kn_date_days(month) ? next : month,
            y,
        };
        const kn_date before[] = { near[2], near[1], near[0] };
        const kn_date behind[] = {
            month,
            { (int16_t) (x.year + 1), 1, 1 },
            { (int16_t) (x.year / 10 * 10 + 10), 1, 1 },
        };

        return add_first(b, out, near, KN_COUNT(near) - (known ? 0 : exact), between)
            || add_first(b, out, end == LOWER ? before : behind, KN_COUNT(before), wide);
    }
}

/* --- labels -------------------------------------------------------------------------------------------- */

static bool
add_border(const kn_buckets *b, kn_text *out, size_t place, side end)
{
    return b->h->type == KN_TYPE_DATE ? add_date_border(b, out, place, end)
                                      : add_number_border(b, out, place, end);
}

/* How an interval is written around its ends: whether the column's lowest or highest values are in it. */
typedef struct interval_words {
    const char *before, *between, *behind;
} interval_words;

enum { MIDDLE, LOWEST, HIGHEST };

static interval_words
words_of(const kn_buckets *b, int where)
{
    static const interval_words words[] = { [MIDDLE] = { "", " to under ", "" },
                                            [LOWEST] = { "under ", "", "" },
                                            [HIGHEST] = { "", "", " or more" } };
    static const interval_words signs[] = {
        [MIDDLE] = { "[", ", ", ")" }, [LOWEST] = { "<", "", "" }, [HIGHEST] = { ">=", "", "" }
    };
    interval_words found = (b->domain->dash || b->negative ? signs : words)[where];

    if (b->h->type == KN_TYPE_DATE && !b->domain->dash)
        found = (interval_words[]){ { "", " to before ", "" },
                                    { "before ", "", "" },
                                    { "", "", " or later" } }[where];
    if (b->comma && found.between[0] == ',')
        found.between = "; ";
    return found;
}

bool
kn_order_round(const kn_buckets *b, kn_text *out, size_t first, size_t last)
{
    bool           lowest = b->items[first].key == b->items[0].key;
    bool           highest = b->items[last].key == b->items[b->count - 1].key;
    interval_words words;

    if (first == last && is_common(b, first)) {
        kn_text_add(out, member(b, first));
        return true;
    }
    if (lowest && highest) {
        kn_text_addz(out, "any"); /* one number in several spellings */
        return true;
    }
    words = words_of(b, lowest ? LOWEST : highest ? HIGHEST : MIDDLE);
    kn_text_addz(out, words.before);
    if (!lowest && !add_border(b, out, first, LOWER))
        return false;
    kn_text_addz(out, words.between);
    if (!highest && !add_border(b, out, last + 1, UPPER))
        return false;
    kn_text_addz(out, words.behind);
    return true;
}

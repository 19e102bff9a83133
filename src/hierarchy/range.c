/* SPDX-License-Identifier: Apache-2.0 */
/* range.c -- numbers become intervals: 24 -> 20-24 -> 20-29 -> 0-49 -> *.
 * All arithmetic is on integers, scaled to the most decimals of the column and of the widths, and
 * intervals begin at multiples of the width (floor division, so that -1 is not with 1). Widths are
 * given, powers of a factor, or chosen from the data. */
#include "encode/scaled.h"
#include "hierarchy/build.h"

enum { CHOSEN_MOST = 6, SMALL_SPAN = 20 };
/* A first width shall hold this many distinct values on average: fewer hardly hide anything. */
static const double DISTINCT_PER_INTERVAL = 2.5;

typedef struct ranges {
    kanon_hierarchy *h;
    const kn_domain *domain;
    kn_item         *items;  /* non-missing values in order */
    int64_t         *values; /* scaled, in the same order */
    size_t           count;
    unsigned         decimals;
    bool             comma;                  /* marks the decimals, as in the column */
    int64_t          widths[KN_LEVELS_MOST]; /* of levels 1.. */
    size_t           nwidths;
} ranges;

/* --- the widths as they were asked for -------------------------------------------------------- */

static kanon_status
parse_factor(kanon_ctx *ctx, const char *column, const char *text, uint64_t *factor)
{
    kn_decimal value;

    if (!kn_decimal_parse_strict(kn_str_of(text + 1), &value) || value.decimals != 0
        || value.mantissa < 2 || value.mantissa > 1000000000)
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s': range:%.100s is not a valid factor; expected a whole number "
                       "from 2, as in range:x10",
                       column, text);
    *factor = (uint64_t) value.mantissa;
    return KANON_OK;
}

/* "5.0" is as good as "5": zeros behind the point would make a whole-number column a decimal one. */
static kn_decimal
without_zeros(kn_decimal value)
{
    while (value.decimals && value.mantissa % 10 == 0) {
        value.mantissa /= 10;
        value.decimals--;
    }
    return value;
}

static bool
is_multiple(kn_decimal larger, kn_decimal smaller)
{
    unsigned decimals = larger.decimals > smaller.decimals ? larger.decimals : smaller.decimals;
    int64_t  a, b;

    return kn_scale_decimal(larger, decimals, &a) && kn_scale_decimal(smaller, decimals, &b)
        && a > b && a % b == 0;
}

kanon_status
kn_widths_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, kn_widths *out)
{
    *out = (kn_widths){ NULL, 0, 0 };
    if (spec->nitems == 0)
        return KANON_OK;
    if (spec->nitems == 1 && spec->items[0][0] == 'x')
        return parse_factor(ctx, column, spec->items[0], &out->factor);
    if (spec->nitems > KN_LEVELS_MOST - 2)
        return kn_fail(ctx, KANON_E_INVALID, "column '%s': %zu range widths; the maximum is %d",
                       column, spec->nitems, KN_LEVELS_MOST - 2);
    out->widths = KN_NEW_ARRAY(ctx, kn_decimal, spec->nitems);
    if (!out->widths)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < spec->nitems; i++) {
        kn_decimal width;

        if (!kn_decimal_parse_strict(kn_str_of(spec->items[i]), &width) || width.mantissa <= 0
            || width.mantissa > KN_SCALED_MOST)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': range width '%.100s' is not a positive number of at most "
                           "18 digits; write widths as in range:5,10,50",
                           column, spec->items[i]);
        out->widths[i] = without_zeros(width);
        if (i && !is_multiple(out->widths[i], out->widths[i - 1]))
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': range width %.100s is not a multiple of the previous "
                           "width, %.100s; ranges must nest, as in range:5,10,50",
                           column, spec->items[i], spec->items[i - 1]);
        out->count++;
    }
    return KANON_OK;
}

/* --- the column as sorted scaled numbers ------------------------------------------------------ */

static void
make_fit(ranges *r, kn_decimal value, unsigned least)
{
    int64_t ignored;

    while (r->decimals > least && !kn_scale_decimal(value, r->decimals, &ignored))
        r->decimals--;
}

/* The most decimals of the column, but so few that all values fit. The widths need theirs, and one is
 * left: ranges of whole numbers are written in another way. */
static kanon_status
find_decimals(ranges *r, const kn_widths *asked)
{
    unsigned least = 1;

    for (size_t i = 0; i < asked->count; i++)
        if (asked->widths[i].decimals > r->decimals)
            r->decimals = asked->widths[i].decimals;
    if (r->decimals > least)
        least = r->decimals;
    for (size_t i = 0; i < r->count; i++) {
        kn_str     text = r->domain->values[r->items[i].code];
        kn_decimal value;

        if (!kn_decimal_parse(text, &value))
            return kn_fail_number(r->h->ctx, r->domain, text);
        if (value.decimals > r->decimals)
            r->decimals = value.decimals;
    }
    for (size_t i = 0; i < asked->count; i++)
        make_fit(r, asked->widths[i], least);
    for (size_t i = 0; i < r->count; i++) {
        kn_decimal value;

        if (kn_decimal_parse(r->domain->values[r->items[i].code], &value))
            make_fit(r, value, least);
    }
    return KANON_OK;
}

static kanon_status
read_values(ranges *r, const kn_widths *asked)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_build_items(r->h, r->domain, &r->items, &r->count));
    KN_TRY(find_decimals(r, asked));
    r->comma = kn_mark_find(r->domain) != KN_MARK_POINT;
    for (size_t i = 0; i < r->count; i++) {
        kn_str     text = r->domain->values[r->items[i].code];
        kn_decimal value;
        int64_t    scaled;

        if (!kn_decimal_parse(text, &value) || !kn_scale_decimal(value, r->decimals, &scaled))
            return kn_fail_number(r->h->ctx, r->domain, text);
        r->items[i].key = kn_key_signed(scaled);
    }
    kn_items_sort(r->items, r->count, kn_tie_text, r->domain);
    r->values = KN_NEW_ARRAY(r->h->ctx, int64_t, r->count);
    if (!r->values)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < r->count; i++)
        r->values[i] = (int64_t) kn_key_signed((int64_t) r->items[i].key);
out:
    return rc;
}

/* --- choosing widths -------------------------------------------------------------------------- */

static size_t
count_intervals(const ranges *r, int64_t width)
{
    size_t n = r->count != 0;

    for (size_t i = 1; i < r->count; i++)
        n += kn_floor_div(r->values[i], width) != kn_floor_div(r->values[i - 1], width);
    return n;
}

/* Can a wider interval still bring values together? Not when all are in one, nor when those below
 * zero and the others are the last two. */
static bool
is_last(const ranges *r, int64_t width)
{
    int64_t low, high;

    if (!r->count)
        return true;
    low = kn_floor_div(r->values[0], width);
    high = kn_floor_div(r->values[r->count - 1], width);
    return low == high || (low == -1 && high == 0);
}

static bool
holds_all(const ranges *r, int64_t width)
{
    return !r->count
        || kn_floor_div(r->values[0], width) == kn_floor_div(r->values[r->count - 1], width);
}

/* factor, factor^2 ... as long as they are not beyond the largest value, so that x10 makes as many levels
 * as that value has digits (the last one is `*`), whatever the others are. A column with decimals begins
 * at the first power that brings any two values together. */
static void
choose_powers(ranges *r, uint64_t factor)
{
    int64_t step = (int64_t) factor, width = step, largest = 0;

    if (r->count) {
        int64_t low = r->values[0], high = r->values[r->count - 1];

        largest = -low > high ? -low : high;
    }

    while (r->decimals && !is_last(r, width) && width <= KN_SCALED_MOST / step
           && count_intervals(r, width) == r->count)
        width *= step;
    for (;; width *= step) {
        if (width > largest)
            break;
        r->widths[r->nwidths++] = width;
        if (width > KN_SCALED_MOST / step) /* NOLINT(clang-analyzer-core.DivideZero): 2 or more */
            break;
    }
}

static size_t
count_distinct(const ranges *r)
{
    return count_intervals(r, 1);
}

/* The first width: 2 for a handful of numbers, else the first of 5, 10, 50, 100 ... that really
 * groups them. */
static int64_t
first_width(const ranges *r)
{
    size_t  distinct = count_distinct(r), n;
    int64_t width = 5, fallback = 0;

    if (r->values[r->count - 1] - r->values[0] < SMALL_SPAN)
        return 2;
    for (int64_t step = 2;; width *= step, step = 7 - step) {
        n = count_intervals(r, width);
        if (n > 1 && (double) distinct >= DISTINCT_PER_INTERVAL * (double) n)
            return width;
        if (!fallback && n > 1 && n < distinct)
            fallback = width;
        if (is_last(r, width) || width > KN_SCALED_MOST / 5)
            return fallback ? fallback : width;
    }
}

/* Alternately times 2 and times 5 from the first width, as people count; widths that change nothing
 * are left out. When that gives too many, every second one goes: the rest still nest. */
static void
choose_from_data(ranges *r)
{
    size_t  last, n;
    int64_t width, step;

    if (!r->count)
        return;
    last = count_distinct(r);
    width = step = first_width(r);
    while (step >= 10)
        step /= 10;
    step = step == 5 ? 2 : 5;
    for (; !holds_all(r, width); width *= step, step = 7 - step) {
        n = count_intervals(r, width);
        if (n < last)
            r->widths[r->nwidths++] = width;
        last = n;
        if (is_last(r, width) || width > KN_SCALED_MOST / 5)
            break;
    }
    while (r->nwidths > CHOSEN_MOST) {
        for (n = 0; 2 * n < r->nwidths; n++)
            r->widths[n] = r->widths[2 * n];
        r->nwidths = n;
    }
}

static kanon_status
choose_widths(ranges *r, const kn_widths *asked)
{
    if (asked->factor)
        choose_powers(r, asked->factor);
    else if (!asked->count)
        choose_from_data(r);
    for (size_t i = 0; i < asked->count; i++)
        if (!kn_scale_decimal(asked->widths[i], r->decimals, &r->widths[r->nwidths++]))
            return kn_fail(r->h->ctx, KANON_E_INVALID,
                           "column '%s': range width number %zu is too large for a column with %u "
                           "decimal%s; use a smaller one",
                           r->domain->column, i + 1, r->decimals, r->decimals == 1 ? "" : "s");
    return KANON_OK;
}

/* --- levels ----------------------------------------------------------------------------------- */

static bool
cut(const void *user, size_t level, size_t i)
{
    const ranges *r = user;
    int64_t       width = r->widths[level - 1];

    return kn_floor_div(r->values[i], width) != kn_floor_div(r->values[i - 1], width);
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const ranges   *r = user;
    int64_t         width = r->widths[level - 1];
    int64_t         low = kn_floor_div(r->values[first], width) * width;
    bool            brackets = r->decimals || r->values[0] < 0;
    kn_number_style style = { r->decimals, r->comma, brackets };

    KN_UNUSED(last);
    if (brackets || width > 1)
        kn_text_add_interval(out, &style, low, r->decimals ? low + width : low + width - 1,
                             r->decimals > 0);
    else
        kn_text_add_scaled(out, &style, low);
}

/* The bounds of the interval, whatever values lie in it, but never beyond the column's own. */
static void
set_extents(const ranges *r, size_t level)
{
    kn_level *l = &r->h->levels[level];
    int64_t   width = r->widths[level - 1];

    for (size_t i = 0; i < r->count; i++) {
        uint32_t g = l->group_of[r->items[i].code];
        int64_t  low = kn_floor_div(r->values[i], width) * width;
        int64_t  high = r->decimals ? low + width : low + width - 1;
        int64_t  least = r->values[0], most = r->values[r->count - 1];

        l->lo[g] = kn_decimal_double((kn_decimal){ low < least ? least : low, r->decimals });
        l->hi[g] = kn_decimal_double((kn_decimal){ high > most ? most : high, r->decimals });
    }
}

static kanon_status
fill_range(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    kn_widths    asked = { NULL, 0, 0 };
    kn_runs      runs = { .cut = cut, .label = label };
    ranges      *r = KN_NEW(h->ctx, ranges);

    if (!r)
        return KANON_E_NOMEM;
    r->h = h;
    r->domain = domain;
    KN_TRY(kn_widths_parse(h->ctx, domain->column, spec, &asked));
    KN_TRY(read_values(r, &asked));
    KN_TRY(choose_widths(r, &asked));
    KN_TRY(kn_build_begin(h, domain, r->nwidths + 2));
    runs.items = r->items;
    runs.count = r->count;
    runs.user = r;
    for (size_t level = 1; level <= r->nwidths; level++) {
        KN_TRY(kn_build_runs(h, &runs, level));
        set_extents(r, level);
    }
    KN_TRY(kn_build_root(h, r->nwidths + 1, KN_STR("*")));
out:
    kn_free(h->ctx, asked.widths);
    kn_free(h->ctx, r->items);
    kn_free(h->ctx, r->values);
    kn_free(h->ctx, r);
    return rc;
}

const kn_hier_class kn_hier_range = { KN_HIER_RANGE, "range",
                                      "numbers in intervals: range, range:5,10,50 or range:x10",
                                      fill_range };

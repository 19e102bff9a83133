/* SPDX-License-Identifier: Apache-2.0 */
/* range.c -- numbers become intervals: 24 -> 20 to 24 -> 20 to 29 -> 0 to 49 -> *.
 * All arithmetic is on integers, scaled to the most decimals of the column and of the widths, and
 * intervals begin at multiples of the width (floor division, so that -1 is not with 1). Widths are
 * given, powers of a factor, or chosen from the data. With top and bottom coding, whatever is beyond is one
 * group of every level, and the intervals next to it end there. */
#include "encode/scaled.h"
#include "hierarchy/build.h"

enum { CHOSEN_MOST = 6, SMALL_SPAN = 20 };
/* The first width should hold this many distinct values on average; fewer hardly hide anything. */
static const double DISTINCT_PER_INTERVAL = 2.5;

/* Where the intervals of every level end; what labels are made from, once more for a release. Scaled. */
typedef struct plan {
    unsigned decimals;
    int64_t bottom, top; /* below, and from here on, all is one group; INT64_MIN, INT64_MAX: none */
    bool    as_is;       /* level 1 has the numbers between as they are */
    size_t  nwidths;
    int64_t widths[KN_LEVELS_MOST]; /* of levels 1.. */
} plan;

typedef struct ranges {
    kanon_hierarchy *h;
    const kn_domain *domain;
    kn_item         *items;  /* non-missing values in order */
    int64_t         *values; /* scaled, in the same order */
    size_t           count;
    size_t           first, end; /* places of the values that widths are chosen from */
    plan             plan;
    kn_number_style  style; /* of labels; decimals as released rows have them */
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

/* "top=90" or "bottom=15". @return false: something else */
static bool
parse_code(const char *text, kn_widths *out, bool *valid)
{
    bool        top = strncmp(text, "top=", 4) == 0, bottom = strncmp(text, "bottom=", 7) == 0;
    kn_decimal *code = top ? &out->top : &out->bottom;
    bool       *has = top ? &out->has_top : &out->has_bottom;

    if (!top && !bottom)
        return false;
    *valid = !*has && kn_decimal_parse_strict(kn_str_of(text + (top ? 4 : 7)), code);
    *code = without_zeros(*code);
    *has = true;
    return true;
}

/* Takes top and bottom coding out of the items; the first *count of words are the rest. */
static kanon_status
take_codes(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, const char **words,
           kn_widths *out)
{
    size_t  count = 0;
    int64_t bottom, top;

    for (size_t i = 0; i < spec->nitems; i++) {
        bool valid = true;

        if (!parse_code(spec->items[i], out, &valid))
            words[count++] = spec->items[i];
        if (!valid)
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': '%.100s' is not valid in range; expected one number, as in "
                "range:5,10,top=90,bottom=15",
                column, spec->items[i]);
    }
    out->count = count;
    if (out->has_top && out->has_bottom) {
        unsigned decimals = out->top.decimals > out->bottom.decimals ? out->top.decimals
                                                                     : out->bottom.decimals;

        if (!kn_scale_decimal(out->bottom, decimals, &bottom)
            || !kn_scale_decimal(out->top, decimals, &top) || bottom >= top)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': bottom of a range is not below its top; write both as in "
                           "range:5,10,top=90,bottom=15",
                           column);
    }
    return KANON_OK;
}

static kanon_status
parse_widths(kanon_ctx *ctx, const char *column, const char *const *words, kn_widths *out)
{
    for (size_t i = 0; i < out->count; i++) {
        kn_decimal width;

        if (!kn_decimal_parse_strict(kn_str_of(words[i]), &width) || width.mantissa <= 0
            || width.mantissa > KN_SCALED_MOST)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': range width '%.100s' is not a positive number of at most "
                           "18 digits; write widths as in range:5,10,50",
                           column, words[i]);
        out->widths[i] = without_zeros(width);
        if (i && !is_multiple(out->widths[i], out->widths[i - 1]))
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': range width %.100s is not a multiple of the previous "
                           "width, %.100s; ranges must nest, as in range:5,10,50",
                           column, words[i], words[i - 1]);
    }
    return KANON_OK;
}

kanon_status
kn_widths_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, kn_widths *out)
{
    kanon_status rc = KANON_OK;
    const char **words = NULL;

    *out = (kn_widths){ .widths = NULL };
    if (spec->nitems == 0)
        return KANON_OK;
    if (spec->nitems > KN_LEVELS_MOST - 2)
        return kn_fail(ctx, KANON_E_INVALID, "column '%s': %zu range widths; the maximum is %d",
                       column, spec->nitems, KN_LEVELS_MOST - 2);
    words = kn_alloc_array(ctx, spec->nitems, sizeof *words);
    out->widths = KN_NEW_ARRAY(ctx, kn_decimal, spec->nitems);
    KN_TRY(KN_HAVE(words && out->widths));
    KN_TRY(take_codes(ctx, column, spec, words, out));
    if (out->count == 1 && words[0][0] == 'x') {
        out->count = 0;
        KN_TRY(parse_factor(ctx, column, words[0], &out->factor));
    }
    KN_TRY(parse_widths(ctx, column, words, out));
out:
    kn_free(ctx, words);
    return rc;
}

/* --- the column as sorted scaled numbers ------------------------------------------------------ */

static void
make_fit(ranges *r, kn_decimal value, unsigned least)
{
    int64_t ignored;

    while (r->plan.decimals > least && !kn_scale_decimal(value, r->plan.decimals, &ignored))
        r->plan.decimals--;
}

/* The most decimals of the column, but so few that all values fit. The widths need theirs, and one is
 * left: ranges of whole numbers are written in another way. */
static kanon_status
find_decimals(ranges *r, const kn_widths *asked)
{
    unsigned  least = 1;
    unsigned *decimals = &r->plan.decimals;

    for (size_t i = 0; i < asked->count; i++)
        if (asked->widths[i].decimals > *decimals)
            *decimals = asked->widths[i].decimals;
    if (asked->has_top && asked->top.decimals > *decimals)
        *decimals = asked->top.decimals;
    if (asked->has_bottom && asked->bottom.decimals > *decimals)
        *decimals = asked->bottom.decimals;
    if (*decimals > least)
        least = *decimals;
    for (size_t i = 0; i < r->count; i++) {
        kn_str     text = r->domain->values[r->items[i].code];
        kn_decimal value;

        if (!kn_decimal_parse(text, &value))
            return kn_fail_number(r->h->ctx, r->domain, text);
        if (value.decimals > *decimals)
            *decimals = value.decimals;
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
take_ends(ranges *r, const kn_widths *asked)
{
    r->plan.bottom = INT64_MIN;
    r->plan.top = INT64_MAX;
    if ((asked->has_top && !kn_scale_decimal(asked->top, r->plan.decimals, &r->plan.top))
        || (asked->has_bottom
            && !kn_scale_decimal(asked->bottom, r->plan.decimals, &r->plan.bottom)))
        return kn_fail(r->h->ctx, KANON_E_INVALID,
                       "column '%s': top or bottom of a range is too large for a column with %u "
                       "decimal%s; use a smaller one",
                       r->domain->column, r->plan.decimals, r->plan.decimals == 1 ? "" : "s");
    return KANON_OK;
}

/* The values in order, in units of the last decimal of the plan. */
static kanon_status
sort_values(ranges *r)
{
    for (size_t i = 0; i < r->count; i++) {
        kn_str     text = r->domain->values[r->items[i].code];
        kn_decimal value;
        int64_t    scaled;

        if (!kn_decimal_parse(text, &value) || !kn_scale_decimal(value, r->plan.decimals, &scaled))
            return kn_fail_number(r->h->ctx, r->domain, text);
        r->items[i].key = kn_key_signed(scaled);
    }
    kn_items_sort(r->items, r->count, kn_tie_text, r->domain);
    r->values = KN_NEW_ARRAY(r->h->ctx, int64_t, r->count);
    if (!r->values)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < r->count; i++)
        r->values[i] = (int64_t) kn_key_signed((int64_t) r->items[i].key);
    return KANON_OK;
}

/* --- how labels are written ---------------------------------------------------------------------- */

/* Can all ends of intervals be written with so many decimals? */
static bool
is_enough(const plan *p, unsigned decimals)
{
    int64_t power = 1;

    for (unsigned d = decimals; d < p->decimals; d++)
        power *= 10;
    for (size_t i = 0; i < p->nwidths; i++)
        if (p->widths[i] % power)
            return false;
    return (p->top == INT64_MAX || p->top % power == 0)
        && (p->bottom == INT64_MIN || p->bottom % power == 0);
}

/* Decimals, their mark and signs as released rows have them: one that is suppressed would show in the
 * labels of the others. Where labels follow the values exactly, all rows have a say, as ever. */
static void
find_style(ranges *r)
{
    const kn_domain *domain = r->domain;
    unsigned         most = 0;
    bool             negative = false;

    for (size_t i = 0; i < r->count; i++) {
        uint32_t   code = r->items[i].code;
        kn_decimal value;

        if (!domain->exact && domain->rows && !domain->rows[code])
            continue;
        negative |= r->values[i] < 0;
        if (kn_decimal_parse(domain->values[code], &value) && value.decimals > most)
            most = value.decimals;
    }
    if (most > r->plan.decimals || domain->exact)
        most = r->plan.decimals;
    while (!is_enough(&r->plan, most))
        most++;
    r->style = (kn_number_style){ .decimals = most,
                                  .comma = most && kn_mark_find(domain) != KN_MARK_POINT,
                                  .brackets = negative || (most && domain->dash),
                                  .dash = domain->dash };
}

/* --- choosing widths -------------------------------------------------------------------------- */

/* Of the values that widths are chosen from. */
static size_t
count_intervals(const ranges *r, int64_t width)
{
    size_t n = r->end > r->first;

    for (size_t i = r->first + 1; i < r->end; i++)
        n += kn_floor_div(r->values[i], width) != kn_floor_div(r->values[i - 1], width);
    return n;
}

/* Can a wider interval still bring values together? Not when all are in one, nor when those below
 * zero and the others are the last two. */
static bool
is_last(const ranges *r, int64_t width)
{
    int64_t low, high;

    if (r->end <= r->first)
        return true;
    low = kn_floor_div(r->values[r->first], width);
    high = kn_floor_div(r->values[r->end - 1], width);
    return low == high || (low == -1 && high == 0);
}

static bool
holds_all(const ranges *r, int64_t width)
{
    return r->end <= r->first
        || kn_floor_div(r->values[r->first], width) == kn_floor_div(r->values[r->end - 1], width);
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

    while (r->plan.decimals && !is_last(r, width) && width <= KN_SCALED_MOST / step
           && count_intervals(r, width) == r->count)
        width *= step;
    for (;; width *= step) {
        if (width > largest)
            break;
        r->plan.widths[r->plan.nwidths++] = width;
        if (width > KN_SCALED_MOST / step) /* NOLINT(clang-analyzer-core.DivideZero): 2 or more */
            break;
    }
}

/* What nearly all values are written in, a power of ten: fewer rows than labels may show need more
 * decimals. */
static int64_t
usual_unit(const ranges *r)
{
    const kn_domain *domain = r->domain;
    int64_t          unit = 1;
    uint64_t         few;

    if (domain->exact || !domain->rows)
        return unit;
    few = kn_build_few(domain, r->items, r->count);
    for (unsigned d = r->plan.decimals; d > 0; d--, unit *= 10) {
        uint64_t finer = 0;

        for (size_t i = 0; i < r->count; i++)
            if (r->values[i] / unit % 10)
                finer += domain->rows[r->items[i].code];
        if (finer > few)
            break;
    }
    return unit;
}

/* The first width: 2 for a handful of numbers, else the first of 5, 10, 50, 100 ... that really
 * groups them. */
static int64_t
first_width(const ranges *r, int64_t unit)
{
    size_t  distinct = count_intervals(r, unit), n;
    int64_t width = 5 * unit, fallback = 0;

    if ((r->values[r->end - 1] - r->values[r->first]) / unit < SMALL_SPAN)
        return 2 * unit;
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

/* Where outer rows have no say, nobody may look whether the width that holds the others holds them as well:
 * it is a level, even if it turns out to hold everything. */
static bool
keeps_holder(const ranges *r)
{
    return !r->domain->exact && r->domain->rows && kn_build_few(r->domain, r->items, r->count);
}

/* Alternately times 2 and times 5 from the first width, as people count, up to the one that holds all values
 * they are chosen from; widths that change nothing are left out. When that gives too many, every second one
 * goes: the rest still nest. */
static void
choose_from_data(ranges *r)
{
    size_t  last, n, begin = r->plan.nwidths;
    int64_t width, step, unit = usual_unit(r);

    if (r->end <= r->first)
        return;
    last = count_intervals(r, unit);
    width = step = first_width(r, unit);
    while (step >= 10)
        step /= 10;
    step = step == 5 ? 2 : 5;
    for (; !holds_all(r, width); width *= step, step = 7 - step) {
        n = count_intervals(r, width);
        if (n < last)
            r->plan.widths[r->plan.nwidths++] = width;
        last = n;
        if (is_last(r, width) || width > KN_SCALED_MOST / 5)
            break;
    }
    while (r->plan.nwidths - begin > CHOSEN_MOST) {
        for (n = 0; 2 * n < r->plan.nwidths - begin; n++)
            r->plan.widths[begin + n] = r->plan.widths[begin + 2 * n];
        r->plan.nwidths = begin + n;
    }
    if (last > 1 && holds_all(r, width) && keeps_holder(r))
        r->plan.widths[r->plan.nwidths++] = width;
}

/* Top or bottom coding alone is a level of its own, with the other values as they are. */
static kanon_status
choose_widths(ranges *r, const kn_widths *asked)
{
    if (!asked->count && !asked->factor && (asked->has_top || asked->has_bottom)) {
        r->plan.as_is = true;
        r->plan.widths[r->plan.nwidths++] = usual_unit(r);
    }
    if (asked->factor)
        choose_powers(r, asked->factor);
    else if (!asked->count)
        choose_from_data(r);
    for (size_t i = 0; i < asked->count; i++)
        if (!kn_scale_decimal(asked->widths[i], r->plan.decimals,
                              &r->plan.widths[r->plan.nwidths++]))
            return kn_fail(r->h->ctx, KANON_E_INVALID,
                           "column '%s': range width number %zu is too large for a column with %u "
                           "decimal%s; use a smaller one",
                           r->domain->column, i + 1, r->plan.decimals,
                           r->plan.decimals == 1 ? "" : "s");
    return KANON_OK;
}

/* --- levels ----------------------------------------------------------------------------------- */

/* The interval of a value: low, and the first number behind it. INT64_MIN and INT64_MAX: open. */
static void
interval_of(const plan *p, size_t level, int64_t value, int64_t ends[2])
{
    int64_t width = p->widths[level - 1];

    ends[0] = kn_floor_div(value, width) * width;
    ends[1] = ends[0] + width;
    if (value < p->bottom)
        ends[0] = INT64_MIN;
    else if (ends[0] < p->bottom)
        ends[0] = p->bottom;
    if (value < p->bottom || ends[1] > p->top)
        ends[1] = value < p->bottom ? p->bottom : p->top;
    if (value >= p->top) {
        ends[0] = p->top;
        ends[1] = INT64_MAX;
    }
}

static bool
cut(const void *user, size_t level, size_t i)
{
    const ranges *r = user;
    int64_t       a[2], b[2];

    interval_of(&r->plan, level, r->values[i - 1], a);
    interval_of(&r->plan, level, r->values[i], b);
    return a[0] != b[0];
}

/* A number of the plan with the decimals of labels. */
static int64_t
rescaled(const ranges *r, int64_t number)
{
    for (unsigned d = r->style.decimals; d < r->plan.decimals; d++)
        number = kn_floor_div(number, 10);
    return number;
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const ranges   *r = user;
    kn_number_style style = r->style;
    int64_t         ends[2], low, high;

    KN_UNUSED(last);
    interval_of(&r->plan, level, r->values[first], ends);
    low = ends[0] == INT64_MIN ? 0 : rescaled(r, ends[0]);
    high = ends[1] == INT64_MAX ? 0 : rescaled(r, ends[1]);
    if (ends[0] == INT64_MIN) {
        kn_text_addz(out, "under ");
        kn_text_add_scaled(out, &style, high);
    } else if (ends[1] == INT64_MAX) {
        kn_text_add_scaled(out, &style, low);
        kn_text_addz(out, " or more");
    } else if (high - low == 1
               && ((!style.brackets && !style.decimals) || (r->plan.as_is && level == 1)))
        kn_text_add_scaled(out, &style, low);
    else
        kn_text_add_interval(out, &style, low, style.decimals ? high : high - 1,
                             style.decimals ? KN_UPPER_OUTSIDE : KN_UPPER_INSIDE);
}

/* The bounds of the interval, whatever values lie in it, but never beyond the column's own. */
static void
set_extents(const ranges *r, size_t level)
{
    kn_level *l = &r->h->levels[level];

    for (size_t i = 0; i < r->count; i++) {
        uint32_t g = l->group_of[r->items[i].code];
        int64_t  ends[2], least = r->values[0], most = r->values[r->count - 1];

        interval_of(&r->plan, level, r->values[i], ends);
        if (ends[1] != INT64_MAX && !r->plan.decimals)
            ends[1]--;
        l->lo[g] = kn_decimal_double(
            (kn_decimal){ ends[0] < least ? least : ends[0], r->plan.decimals });
        l->hi[g] = kn_decimal_double(
            (kn_decimal){ ends[1] > most ? most : ends[1], r->plan.decimals });
    }
}

static kanon_status
open_ranges(kanon_hierarchy *h, const kn_domain *domain, ranges **out)
{
    ranges *r = *out = KN_NEW(h->ctx, ranges);

    if (!r)
        return KANON_E_NOMEM;
    r->h = h;
    r->domain = domain;
    return kn_build_items(h, domain, &r->items, &r->count);
}

static void
close_ranges(ranges *r)
{
    if (!r)
        return;
    kn_free(r->h->ctx, r->items);
    kn_free(r->h->ctx, r->values);
    kn_free(r->h->ctx, r);
}

static kanon_status
keep_plan(ranges *r)
{
    plan *copy = kn_arena_alloc(&r->h->arena, sizeof *copy);

    if (!copy)
        return KANON_E_NOMEM;
    *copy = r->plan;
    r->h->own = copy;
    return KANON_OK;
}

static kn_runs
runs_of(const ranges *r)
{
    return (kn_runs){ .items = r->items, .count = r->count, .cut = cut, .label = label, .user = r };
}

static kanon_status
fill_range(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    kn_widths    asked = { .widths = NULL };
    ranges      *r = NULL;
    kn_runs      runs;

    KN_TRY(kn_widths_parse(h->ctx, domain->column, spec, &asked));
    KN_TRY(open_ranges(h, domain, &r));
    KN_TRY(find_decimals(r, &asked));
    KN_TRY(take_ends(r, &asked));
    KN_TRY(sort_values(r));
    kn_build_usual(domain, r->items, r->count, &r->first, &r->end);
    KN_TRY(choose_widths(r, &asked));
    find_style(r);
    KN_TRY(keep_plan(r));
    KN_TRY(kn_build_begin(h, domain, r->plan.nwidths + 2));
    runs = runs_of(r);
    for (size_t level = 1; level <= r->plan.nwidths; level++) {
        KN_TRY(kn_build_runs(h, &runs, level));
        set_extents(r, level);
    }
    KN_TRY(kn_build_root(h, r->plan.nwidths + 1, KN_STR("*")));
out:
    kn_free(h->ctx, asked.widths);
    close_ranges(r);
    return rc;
}

static kanon_status
relabel_range(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    ranges      *r = NULL;
    kn_runs      runs;

    KN_TRY(open_ranges(h, domain, &r));
    r->plan = *(const plan *) h->own;
    KN_TRY(sort_values(r));
    find_style(r);
    runs = runs_of(r);
    for (size_t level = 1; level + 1 < h->nlevels; level++)
        KN_TRY(kn_build_labels(h, &runs, level));
out:
    close_ranges(r);
    return rc;
}

const kn_hier_class kn_hier_range = {
    .kind = KN_HIER_RANGE,
    .name = "range",
    .summary = "numbers in intervals: range, range:5,10,50, range:x10 or range:5,10,top=90",
    .fill = fill_range,
    .relabel = relabel_range,
};

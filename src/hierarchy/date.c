/* SPDX-License-Identifier: Apache-2.0 */
/* date.c -- days become months, years, decades: 01/01/1970 -> 01/1970 -> 1970 -> 1970-1979 -> *.
 * Every unit has a number that grows with time (months since year 0, say); equal numbers make a
 * group. Labels follow the way the column writes its dates. */
#include "hierarchy/build.h"

static const char *const unit_names[] = { "day",  "week",   "month",   "quarter",
                                          "year", "decade", "century", NULL };

typedef struct dates {
    const kn_domain *domain;
    kn_item         *items; /* sorted by day */
    kn_date         *days;  /* in the same order */
    size_t           count;
    kn_date_format   format;
    kn_unit          units[KN_UNITS];
    size_t           nunits;
} dates;

static kanon_status
parse_unit(kanon_ctx *ctx, const char *column, const char *text, kn_unit *out)
{
    const char *near;

    for (size_t u = 0; u < KN_UNITS; u++)
        if (strcmp(text, unit_names[u]) == 0) {
            *out = (kn_unit) u;
            return KANON_OK;
        }
    near = kn_nearest(text, unit_names);
    return kn_fail(ctx, KANON_E_INVALID,
                   "column '%s': '%.100s' is not a date unit%s%s%s; expected day, week, month, "
                   "quarter, year, decade or century",
                   column, text, near ? " (did you mean '" : "", near ? near : "",
                   near ? "'?)" : "");
}

kanon_status
kn_units_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, kn_unit *units,
               size_t *count)
{
    kanon_status rc = KANON_OK;

    *count = 0;
    if (!spec->nitems) {
        units[(*count)++] = KN_UNIT_MONTH;
        units[(*count)++] = KN_UNIT_YEAR;
        units[(*count)++] = KN_UNIT_DECADE;
    }
    for (size_t i = 0; i < spec->nitems; i++) {
        kn_unit unit = KN_UNIT_DAY;

        KN_TRY(parse_unit(ctx, column, spec->items[i], &unit));
        if (*count && unit <= units[*count - 1])
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': date units must go from fine to coarse, but '%s' comes after '%s'",
                column, unit_names[unit], unit_names[units[*count - 1]]);
        if (*count && units[*count - 1] == KN_UNIT_WEEK)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': '%s' cannot follow 'week', because a week can span two of "
                           "them; remove one of the two",
                           column, unit_names[unit]);
        units[(*count)++] = unit;
    }
out:
    return rc;
}

/* --- one unit --------------------------------------------------------------------------------- */

static int64_t
week_number(kn_date date)
{
    int64_t monday_based = kn_date_days(date) + 3; /* 1970-01-01 was a Thursday */

    return monday_based / 7 - (monday_based % 7 < 0);
}

static int64_t
unit_number(kn_date date, kn_unit unit)
{
    switch (unit) {
    case KN_UNIT_DAY:
        return kn_date_days(date);
    case KN_UNIT_WEEK:
        return week_number(date);
    case KN_UNIT_MONTH:
        return (int64_t) date.year * 12 + date.month;
    case KN_UNIT_QUARTER:
        return (int64_t) date.year * 4 + (date.month - 1) / 3;
    case KN_UNIT_YEAR:
        return date.year;
    case KN_UNIT_DECADE:
        return date.year / 10;
    default:
        return date.year / 100;
    }
}

/* ISO 8601: a week belongs to the year of its Thursday. */
static void
add_week(kn_text *out, kn_date date)
{
    int64_t thursday = week_number(date) * 7;
    int     year = date.year;

    if (thursday < kn_date_days((kn_date){ (int16_t) year, 1, 1 }))
        year--;
    else if (thursday > kn_date_days((kn_date){ (int16_t) year, 12, 31 }))
        year++;
    kn_text_addf(out, "%04d-W%02d", year,
                 (int) ((thursday - kn_date_days((kn_date){ (int16_t) year, 1, 1 })) / 7 + 1));
}

/* How the column writes a day and a month. */
static void
add_day(kn_text *out, kn_date date, kn_date_format format)
{
    static const char separators[KN_DATE_FORMATS] = {
        [KN_DATE_YMD_DASH] = '-',  [KN_DATE_YMD_SLASH] = '/', [KN_DATE_DMY_SLASH] = '/',
        [KN_DATE_MDY_SLASH] = '/', [KN_DATE_DMY_DOT] = '.',   [KN_DATE_DMY_DASH] = '-',
    };
    char c = separators[format];

    if (format == KN_DATE_YMD_PLAIN)
        kn_text_addf(out, "%04d%02d%02d", date.year, date.month, date.day);
    else if (format == KN_DATE_YMD_DASH || format == KN_DATE_YMD_SLASH)
        kn_text_addf(out, "%04d%c%02d%c%02d", date.year, c, date.month, c, date.day);
    else if (format == KN_DATE_MDY_SLASH)
        kn_text_addf(out, "%02d%c%02d%c%04d", date.month, c, date.day, c, date.year);
    else
        kn_text_addf(out, "%02d%c%02d%c%04d", date.day, c, date.month, c, date.year);
}

static void
add_month(kn_text *out, kn_date date, kn_date_format format)
{
    switch (format) {
    case KN_DATE_DMY_SLASH:
    case KN_DATE_MDY_SLASH:
        kn_text_addf(out, "%02d/%04d", date.month, date.year);
        break;
    case KN_DATE_DMY_DOT:
        kn_text_addf(out, "%02d.%04d", date.month, date.year);
        break;
    case KN_DATE_DMY_DASH:
        kn_text_addf(out, "%02d-%04d", date.month, date.year);
        break;
    case KN_DATE_YMD_SLASH:
        kn_text_addf(out, "%04d/%02d", date.year, date.month);
        break;
    case KN_DATE_YMD_PLAIN:
        kn_text_addf(out, "%04d%02d", date.year, date.month);
        break;
    default:
        kn_text_addf(out, "%04d-%02d", date.year, date.month);
        break;
    }
}

/* --- levels ----------------------------------------------------------------------------------- */

static bool
cut(const void *user, size_t level, size_t i)
{
    const dates *d = user;
    kn_unit      unit = d->units[level - 1];

    return unit_number(d->days[i], unit) != unit_number(d->days[i - 1], unit);
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const dates *d = user;
    kn_date      date = d->days[first];

    KN_UNUSED(last);
    switch (d->units[level - 1]) {
    case KN_UNIT_DAY:
        add_day(out, date, d->format);
        break;
    case KN_UNIT_WEEK:
        add_week(out, date);
        break;
    case KN_UNIT_MONTH:
        add_month(out, date, d->format);
        break;
    case KN_UNIT_QUARTER:
        kn_text_addf(out, "%04d-Q%d", date.year, (date.month - 1) / 3 + 1);
        break;
    case KN_UNIT_YEAR:
        kn_text_addf(out, "%04d", date.year);
        break;
    case KN_UNIT_DECADE:
        kn_text_addf(out, "%04d-%04d", date.year / 10 * 10, date.year / 10 * 10 + 9);
        break;
    default:
        kn_text_addf(out, "%04d-%04d", date.year / 100 * 100, date.year / 100 * 100 + 99);
        break;
    }
}

/* How a domain writes its dates. With a population there are two tables in it, and maybe two ways. */
typedef struct writing {
    size_t         values, fit; /* values there are, and those that the format reads */
    kn_date_format format;      /* of most */
    size_t         odd;         /* the first that it does not read */
} writing;

typedef enum { OF_ALL, OF_TABLE, OF_JOINED } part;

static bool
is_of(const kn_domain *domain, part which, size_t value)
{
    if (value == domain->missing)
        return false;
    return which == OF_ALL || (domain->rows[value] > 0) == (which == OF_TABLE);
}

static writing
look_at(const kn_domain *domain, part which)
{
    writing w = { 0, 0, KN_DATE_YMD_DASH, SIZE_MAX };
    size_t  counts[KN_DATE_FORMATS] = { 0 };
    kn_date date;

    for (size_t i = 0; i < domain->count; i++) {
        if (!is_of(domain, which, i))
            continue;
        w.values++;
        for (unsigned f = 0; f < KN_DATE_FORMATS; f++)
            counts[f] += kn_date_parse(domain->values[i], (kn_date_format) f, &date);
    }
    for (unsigned f = 1; f < KN_DATE_FORMATS; f++)
        if (counts[f] > counts[w.format])
            w.format = (kn_date_format) f;
    w.fit = counts[w.format];
    for (size_t i = domain->count; i-- > 0;)
        if (is_of(domain, which, i) && !kn_date_parse(domain->values[i], w.format, &date))
            w.odd = i;
    return w;
}

/* Which value is to blame: the first one that the format of most others does not read. */
static kanon_status
fail_value(kanon_ctx *ctx, const kn_domain *domain, const char *source, const writing *w)
{
    kn_str value = domain->values[w->odd];

    if (w->fit)
        return kn_fail_at(ctx, KANON_E_INVALID, source, 0,
                          "column '%s': '%.*s%s' is not a date in the format of the others, such "
                          "as %s; correct it, declare type string, or add the value to --missing",
                          domain->column, KN_BRIEF(value), kn_date_example(w->format));
    return kn_fail_at(ctx, KANON_E_INVALID, source, 0,
                      "column '%s': '%.*s%s' is not a date; use one format for all dates: "
                      "1970-01-31, 1970/01/31, 31/01/1970, 01/31/1970, 31.01.1970, 31-01-1970 or "
                      "19700131; or declare type string, or add the value to --missing",
                      domain->column, KN_BRIEF(value));
}

static kanon_status
fail_format(kanon_ctx *ctx, const kn_domain *domain)
{
    writing all, own, joined;

    if (domain->joined) {
        own = look_at(domain, OF_TABLE);
        joined = look_at(domain, OF_JOINED);
        if (own.odd != SIZE_MAX)
            return fail_value(ctx, domain, domain->source, &own);
        if (joined.fit && own.values && joined.format != own.format)
            return kn_fail_at(ctx, KANON_E_INVALID, domain->joined, 0,
                              "column '%s': most dates of this population are written like %s, but "
                              "those of %s like %s; use one format for both",
                              domain->column, kn_date_example(joined.format), domain->source,
                              kn_date_example(own.format));
        if (own.fit) {
            joined.format = own.format;
            joined.fit = own.fit;
        }
        if (joined.odd != SIZE_MAX)
            return fail_value(ctx, domain, domain->joined, &joined);
    }
    all = look_at(domain, OF_ALL);
    return all.odd == SIZE_MAX ? KANON_OK /* nothing but missing values */
                               : fail_value(ctx, domain, domain->source, &all);
}

kanon_status
kn_dates_infer(kanon_ctx *ctx, const kn_domain *domain, kn_date_format *format)
{
    bool ambiguous;

    *format = KN_DATE_YMD_DASH;
    if (!kn_date_infer(domain, format, &ambiguous))
        return fail_format(ctx, domain);
    if (ambiguous)
        kn_warn(ctx, KN_FOUND_DAY_FIRST, kn_at_column(domain->column),
                "column '%s': the dates could be day first or month first; they are read day first "
                "(31/01/1970)",
                domain->column);
    return KANON_OK;
}

static kanon_status
read_days(kanon_ctx *ctx, dates *d)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_dates_infer(ctx, d->domain, &d->format));
    for (size_t i = 0; i < d->count; i++) {
        kn_date date = { 0, 0, 0 };

        kn_date_parse(d->domain->values[d->items[i].code], d->format, &date);
        d->items[i].key = kn_key_signed(kn_date_days(date));
    }
    kn_items_sort(d->items, d->count, kn_tie_text, d->domain);
    d->days = KN_NEW_ARRAY(ctx, kn_date, d->count);
    if (!d->days)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < d->count; i++)
        kn_date_parse(d->domain->values[d->items[i].code], d->format, &d->days[i]);
out:
    return rc;
}

static void
warn_of_days(kanon_ctx *ctx, const dates *d)
{
    if (d->units[0] != KN_UNIT_DAY)
        return;
    for (size_t i = 1; i < d->count; i++)
        if (!cut(d, 1, i))
            return;
    kn_warn(ctx, KN_FOUND_IDLE_UNIT, kn_at_column(d->domain->column),
            "column '%s': the unit 'day' changes nothing: no two values share a day",
            d->domain->column);
}

static kanon_status
fill_date(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    dates        d = { .domain = domain };
    kn_runs      runs = { .cut = cut, .label = label, .user = &d };

    KN_TRY(kn_units_parse(h->ctx, domain->column, spec, d.units, &d.nunits));
    KN_TRY(kn_build_items(h, domain, &d.items, &d.count));
    KN_TRY(read_days(h->ctx, &d));
    warn_of_days(h->ctx, &d);
    runs.items = d.items;
    runs.count = d.count;
    KN_TRY(kn_build_begin(h, domain, d.nunits + 2));
    for (size_t level = 1; level <= d.nunits; level++)
        KN_TRY(kn_build_runs(h, &runs, level));
    KN_TRY(kn_build_root(h, d.nunits + 1, KN_STR("*")));
out:
    kn_free(h->ctx, d.items);
    kn_free(h->ctx, d.days);
    return rc;
}

const kn_hier_class kn_hier_date = { KN_HIER_DATE, "date",
                                     "days in months, years ...: date or date:month,year,decade",
                                     fill_date };

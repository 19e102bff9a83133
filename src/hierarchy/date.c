/* SPDX-License-Identifier: Apache-2.0 */
/* date.c -- days become months, years, decades: 01/01/1970 -> 01/1970 -> 1970 -> 1970-1979 -> *; time
 * stamps become hours and parts of the day before; days become weekdays or seasons instead. Units that
 * nobody names are chosen to fit the span of the values. Labels follow the way the column writes its
 * dates. */
#include "hierarchy/moment.h"

typedef struct dates {
    const kn_domain *domain;
    kn_item         *items;   /* sorted so that every group of every unit is a run */
    kn_moment       *moments; /* in the same order */
    size_t           count;
    kn_date_format   format;
    kn_unit          units[KN_UNITS];
    size_t           nunits;
} dates;

static bool
cut(const void *user, size_t level, size_t i)
{
    const dates *d = user;
    kn_unit      unit = d->units[level - 1];

    return kn_unit_number(d->moments[i], unit) != kn_unit_number(d->moments[i - 1], unit);
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const dates *d = user;

    KN_UNUSED(last);
    kn_unit_label(out, d->moments[first], d->units[level - 1], d->format);
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
                "column '%s': the dates could be day first or month first, and are read day first "
                "(31/01/1970)" KN_DO "write them year first (1970-01-31) if they are not",
                domain->column);
    return KANON_OK;
}

/* In the order of time; where a unit comes again and again (weekdays, seasons), by its groups first. */
static kanon_status
sort_moments(kanon_ctx *ctx, dates *d)
{
    enum { DAY_S = 24 * 3600, BEFORE_1970 = 1000000, TIME_BITS = 40 }; /* days; years 1 to 9999 */
    kn_moment moment = { { 0, 0, 0 }, -1 };
    size_t    again = 0;

    while (again < d->nunits && d->units[again] < KN_UNIT_WEEKDAY)
        again++;
    for (size_t i = 0; i < d->count; i++) {
        int64_t time, group = 0;

        kn_moment_parse(d->domain->values[d->items[i].code], d->format, &moment);
        time = (kn_date_days(moment.date) + BEFORE_1970) * DAY_S + moment.second + 1;
        assert(time >= 0 && time >> TIME_BITS == 0);
        if (again < d->nunits)
            group = kn_unit_number(moment, d->units[again]);
        d->items[i].key = (uint64_t) group << TIME_BITS | (uint64_t) time;
    }
    kn_items_sort(d->items, d->count, kn_tie_text, d->domain);
    d->moments = KN_NEW_ARRAY(ctx, kn_moment, d->count);
    if (!d->moments)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < d->count; i++)
        kn_moment_parse(d->domain->values[d->items[i].code], d->format, &d->moments[i]);
    return KANON_OK;
}

/* Units below the day need a time of day in every value; without units those that fit are taken. */
static kanon_status
settle_units(kanon_ctx *ctx, dates *d)
{
    size_t   plain = 0;
    kn_times times;

    while (plain < d->count && d->moments[plain].second >= 0)
        plain++;
    times = plain == d->count && d->count ? KN_DAYS_AND_TIMES : KN_DAYS_ONLY;
    if (!d->nunits) {
        size_t first, end;

        kn_build_usual(d->domain, d->items, d->count, &first, &end);
        d->nunits = kn_units_fit(end > first ? kn_date_days(d->moments[end - 1].date)
                                                   - kn_date_days(d->moments[first].date)
                                             : 0,
                                 times, d->units);
        return KANON_OK;
    }
    if (d->units[0] < KN_UNIT_DAY && plain < d->count) {
        kn_str value = d->domain->values[d->items[plain].code];

        return kn_fail_at(
            ctx, KANON_E_INVALID, kn_domain_source(d->domain, value), 0,
            "column '%s': '%.*s%s' has no time of day; remove the units below day, or "
            "add the value to --missing",
            d->domain->column, KN_BRIEF(value));
    }
    return KANON_OK;
}

static void
warn_of_days(kanon_ctx *ctx, const dates *d)
{
    if (!d->nunits || d->units[0] != KN_UNIT_DAY)
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
    KN_TRY(kn_dates_infer(h->ctx, domain, &d.format));
    KN_TRY(sort_moments(h->ctx, &d));
    KN_TRY(settle_units(h->ctx, &d));
    warn_of_days(h->ctx, &d);
    runs.items = d.items;
    runs.count = d.count;
    KN_TRY(kn_build_begin(h, domain, d.nunits + 2));
    for (size_t level = 1; level <= d.nunits; level++)
        KN_TRY(kn_build_runs(h, &runs, level));
    KN_TRY(kn_build_root(h, d.nunits + 1, KN_STR("*")));
out:
    kn_free(h->ctx, d.items);
    kn_free(h->ctx, d.moments);
    return rc;
}

const kn_hier_class kn_hier_date = {
    .kind = KN_HIER_DATE,
    .name = "date",
    .summary = "days in months, years ...: date or date:month,year,decade",
    .fill = fill_date,
};

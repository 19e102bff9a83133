/* SPDX-License-Identifier: Apache-2.0 */
/* moment.c -- the units of dates and times: their names, which may follow which, their numbers and labels.
 * Zones are not converted: what people mean by nine o'clock is what the clock on their wall says. */
#include "hierarchy/moment.h"

#include "encode/scaled.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, PART_S = 6 * HOUR_S };

static const char *const unit_names[] = { "minute",  "quarter-hour", "hour",    "part-of-day",
                                          "day",     "week",         "month",   "quarter",
                                          "year",    "decade",       "century", "weekday",
                                          "weekend", "season",       NULL };

const char *
kn_unit_name(kn_unit unit)
{
    return unit_names[unit];
}

#define TO(unit) ((1u << (KN_UNIT_##unit + 1)) - 1) /* this unit and all finer ones */
#define ONE(unit) (1u << KN_UNIT_##unit)

/* What may stand directly before a unit: those whose groups it never cuts. */
static const unsigned before[KN_UNITS] = {
    [KN_UNIT_MINUTE] = 0,
    [KN_UNIT_QUARTER_HOUR] = TO(MINUTE),
    [KN_UNIT_HOUR] = TO(QUARTER_HOUR),
    [KN_UNIT_PART] = TO(HOUR),
    [KN_UNIT_DAY] = TO(PART),
    [KN_UNIT_WEEK] = TO(DAY),
    [KN_UNIT_MONTH] = TO(DAY),
    [KN_UNIT_QUARTER] = TO(DAY) | ONE(MONTH),
    [KN_UNIT_YEAR] = TO(DAY) | ONE(MONTH) | ONE(QUARTER),
    [KN_UNIT_DECADE] = TO(DAY) | ONE(MONTH) | ONE(QUARTER) | ONE(YEAR),
    [KN_UNIT_CENTURY] = TO(DAY) | ONE(MONTH) | ONE(QUARTER) | ONE(YEAR) | ONE(DECADE),
    [KN_UNIT_WEEKDAY] = TO(DAY),
    [KN_UNIT_WEEKEND] = TO(DAY) | ONE(WEEKDAY),
    [KN_UNIT_SEASON] = TO(DAY) | ONE(MONTH),
};

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
                   "column '%s': '%.100s' is not a date unit%s%s%s; expected minute, quarter-hour, "
                   "hour, part-of-day, day, week, month, quarter, year, decade, century, weekday, "
                   "weekend or season",
                   column, text, near ? " (did you mean '" : "", near ? near : "",
                   near ? "'?)" : "");
}

kanon_status
kn_units_parse(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, kn_unit *units,
               size_t *count)
{
    kanon_status rc = KANON_OK;

    *count = 0;
    for (size_t i = 0; i < spec->nitems; i++) {
        kn_unit unit = KN_UNIT_DAY;

        KN_TRY(parse_unit(ctx, column, spec->items[i], &unit));
        if (spec->kind == KN_HIER_TIME && unit > KN_UNIT_PART)
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': '%s' is not a unit of a time of day; expected minute, "
                           "quarter-hour, hour or part-of-day",
                           column, unit_names[unit]);
        if (*count && unit <= units[*count - 1])
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': date units must go from fine to coarse, but '%s' comes after '%s'",
                column, unit_names[unit], unit_names[units[*count - 1]]);
        if (*count && !(before[unit] & 1u << units[*count - 1]))
            return kn_fail(ctx, KANON_E_INVALID,
                           "column '%s': '%s' cannot follow '%s', because a %s can span two of "
                           "them; remove one of the two",
                           column, unit_names[unit], unit_names[units[*count - 1]],
                           unit_names[units[*count - 1]]);
        units[(*count)++] = unit;
    }
out:
    return rc;
}

size_t
kn_units_fit(int64_t days, kn_times times, kn_unit *units)
{
    static const struct {
        int64_t days;     /* that are at least spanned */
        kn_unit timed;    /* the first unit where there are times of day */
        kn_unit units[4]; /* from the first on where there are none; DAY: no more */
    } choices[] = {
        { 10 * 365, KN_UNIT_DAY, { KN_UNIT_MONTH, KN_UNIT_YEAR, KN_UNIT_DECADE, KN_UNIT_DAY } },
        { 2 * 365, KN_UNIT_DAY, { KN_UNIT_MONTH, KN_UNIT_QUARTER, KN_UNIT_YEAR, KN_UNIT_DAY } },
        { 62, KN_UNIT_DAY, { KN_UNIT_MONTH, KN_UNIT_QUARTER, KN_UNIT_DAY } },
        { 3, KN_UNIT_HOUR, { KN_UNIT_WEEK, KN_UNIT_DAY } },
        { INT64_MIN, KN_UNIT_QUARTER_HOUR, { KN_UNIT_DAY } },
    };
    size_t c = 0, count = 0;

    while (days < choices[c].days)
        c++;
    for (unsigned u = choices[c].timed; times == KN_DAYS_AND_TIMES && u <= KN_UNIT_DAY; u++)
        units[count++] = (kn_unit) u;
    for (size_t i = 0; choices[c].units[i] != KN_UNIT_DAY; i++)
        units[count++] = choices[c].units[i];
    return count;
}

/* --- numbers ------------------------------------------------------------------------------------ */

/* 1970-01-01 was a Thursday; weeks begin on Monday. */
static int64_t
week_number(kn_date date)
{
    return kn_floor_div(kn_date_days(date) + 3, 7);
}

static int64_t
weekday(kn_date date)
{
    return kn_date_days(date) + 3 - week_number(date) * 7;
}

static int64_t
clock_number(kn_moment moment, int64_t seconds)
{
    return kn_date_days(moment.date) * (DAY_S / seconds) + moment.second / seconds;
}

int64_t
kn_unit_number(kn_moment moment, kn_unit unit)
{
    kn_date date = moment.date;

    switch (unit) {
    case KN_UNIT_MINUTE:
        return clock_number(moment, 60);
    case KN_UNIT_QUARTER_HOUR:
        return clock_number(moment, HOUR_S / 4);
    case KN_UNIT_HOUR:
        return clock_number(moment, HOUR_S);
    case KN_UNIT_PART:
        return clock_number(moment, PART_S);
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
    case KN_UNIT_CENTURY:
        return date.year / 100;
    case KN_UNIT_WEEKDAY:
        return weekday(date);
    case KN_UNIT_WEEKEND:
        return weekday(date) >= 5;
    default:
        return date.month % 12 / 3; /* December begins the winter of the north */
    }
}

/* --- labels ------------------------------------------------------------------------------------- */

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

static void
add_clock(kn_text *out, int32_t second, kn_unit unit)
{
    static const char *const parts[] = { "night", "morning", "afternoon", "evening" };
    static const int32_t     widths[] = {
            [KN_UNIT_MINUTE] = 60, [KN_UNIT_QUARTER_HOUR] = HOUR_S / 4, [KN_UNIT_HOUR] = HOUR_S
    };
    int32_t from, to;

    if (unit == KN_UNIT_PART) {
        kn_text_addz(out, parts[second / PART_S]);
        return;
    }
    from = second / widths[unit] * widths[unit] / 60;
    to = from + widths[unit] / 60 - 1;
    kn_text_addf(out, "%02d:%02d", from / 60, from % 60);
    if (to > from)
        kn_text_addf(out, "-%02d:%02d", to / 60, to % 60);
}

static void
add_years(kn_text *out, int year, int count)
{
    kn_text_addf(out, "%04d-%04d", year / count * count, year / count * count + count - 1);
}

void
kn_unit_label(kn_text *out, kn_moment moment, kn_unit unit, kn_date_format format)
{
    static const char *const days[] = { "Monday", "Tuesday",  "Wednesday", "Thursday",
                                        "Friday", "Saturday", "Sunday" };
    static const char *const seasons[] = { "December to February", "March to May", "June to August",
                                           "September to November" };
    kn_date                  date = moment.date;
    int64_t                  number = kn_unit_number(moment, unit);

    if (unit <= KN_UNIT_DAY && format != KN_DATE_FORMATS)
        add_day(out, date, format);
    if (unit < KN_UNIT_DAY && format != KN_DATE_FORMATS)
        kn_text_addz(out, " ");
    if (unit < KN_UNIT_DAY)
        add_clock(out, moment.second, unit);
    else if (unit == KN_UNIT_WEEK)
        add_week(out, date);
    else if (unit == KN_UNIT_MONTH)
        add_month(out, date, format);
    else if (unit == KN_UNIT_QUARTER)
        kn_text_addf(out, "%04d-Q%d", date.year, (date.month - 1) / 3 + 1);
    else if (unit == KN_UNIT_YEAR)
        kn_text_addf(out, "%04d", date.year);
    else if (unit == KN_UNIT_DECADE)
        add_years(out, date.year, 10);
    else if (unit == KN_UNIT_CENTURY)
        add_years(out, date.year, 100);
    else if (unit == KN_UNIT_WEEKDAY)
        kn_text_addz(out, days[number]);
    else if (unit == KN_UNIT_WEEKEND)
        kn_text_addz(out, number ? "Saturday and Sunday" : "Monday to Friday");
    else if (unit == KN_UNIT_SEASON)
        kn_text_addz(out, seasons[number]);
}

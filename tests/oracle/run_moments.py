#!/usr/bin/env python3
"""run_moments.py -- dates, time stamps and times of day become coarser, a second time with Python's calendar.

Columns of every accepted way to write a date, with and without times, zones and AM/PM, over spans from hours to
centuries; chains of units are drawn, or left to the tool, and every label must be the one that is expected here.
"""
import datetime
import random

from common import Folder, Suite, either, expect, expect_equal, kanon, need_tool

FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y")
MONTHS = ("%Y-%m", "%Y/%m", "%m/%Y", "%m/%Y", "%m.%Y", "%m-%Y")
CLOCKS = (" %H:%M", " %H:%M:%S", "T%H:%M:%SZ", " %H:%M:%S.25", " %H:%M+02:00", "T%H:%M:%S-0530", " %I:%M %p", "   %H:%M:%S")
CLOCK = ("minute", "quarter-hour", "hour", "part-of-day")
CALENDAR = ("month", "quarter", "year", "decade", "century")
# after any of the units of the clock and the day
ENDS = (["week"], ["weekday"], ["weekend"], ["weekday", "weekend"], ["season"], ["month", "season"])
SEASONS = {12: "December to February", 3: "March to May", 6: "June to August", 9: "September to November"}


def clock_label(time, unit):
    if unit == "minute":
        return "%02d:%02d" % (time.hour, time.minute)
    if unit == "quarter-hour":
        first = time.minute // 15 * 15
        return "%02d:%02d-%02d:%02d" % (time.hour, first, time.hour, first + 14)
    if unit == "hour":
        return "%02d:00-%02d:59" % (time.hour, time.hour)
    return "night morning afternoon evening".split()[time.hour // 6]


def label(moment, unit, form):
    if unit in CLOCK:
        return day_text(moment, FORMATS[form]) + " " + clock_label(moment.time(), unit)
    if unit == "day":
        return day_text(moment, FORMATS[form])
    if unit == "week":
        return "%04d-W%02d" % tuple(moment.isocalendar())[:2]
    if unit == "month":
        return day_text(moment, MONTHS[form])
    if unit == "quarter":
        return "%04d-Q%d" % (moment.year, (moment.month + 2) // 3)
    if unit == "year":
        return "%04d" % moment.year
    if unit in ("decade", "century"):
        years = {"decade": 10, "century": 100}[unit]
        return "%04d-%04d" % (moment.year - moment.year % years, moment.year - moment.year % years + years - 1)
    if unit == "weekday":
        return ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[moment.weekday()]
    if unit == "weekend":
        return "Saturday and Sunday" if moment.isoweekday() > 5 else "Monday to Friday"
    return SEASONS[(moment.month // 3 * 3) or 12]


def day_text(moment, form):
    """strftime pads no years below 1000."""
    return form.replace("%Y", "%04d" % moment.year).replace("%m", "%02d" % moment.month).replace("%d", "%02d" % moment.day)


def fitting(moments, timed):
    """The units where none are named; a twentieth of the rows at either end is left out."""
    days = [moment.date() for moment in sorted(moments)]
    few = len(days) // 20
    days = (days[-1 - few] - days[few]).days
    if days >= 3650:
        return ["day"] * timed + ["month", "year", "decade"]
    if days >= 730:
        return ["day"] * timed + ["month", "quarter", "year"]
    if days >= 62:
        return ["day"] * timed + ["month", "quarter"]
    if days >= 3:
        return ["hour", "part-of-day", "day"] * timed + ["week"]
    return ["quarter-hour", "hour", "part-of-day", "day"] * timed


def draw_units(rng, timed):
    units = [unit for unit in CLOCK if timed and rng.random() < 0.4]
    if timed and rng.random() < 0.5 or rng.random() < 0.2:
        units.append("day")
    if rng.random() < 0.5:
        return units + rng.choice(ENDS)
    return units + [unit for unit in CALENDAR if rng.random() < 0.5]


def paths_of(folder, values, spec):
    table = folder.write("t.csv", "id;c\n" + "".join("1;%s\n" % value for value in values))
    done = kanon("hierarchy", "build", table, "--column", "c", "--hierarchy", spec, "--delimiter", ";")
    expect_equal(done.code, 0, spec + ": " + done.line())
    lines = [line.split(";") for line in done.out.decode("utf-8").splitlines()]
    return {line[0]: line[1:] for line in lines}


def draw_column(rng):
    """(values -> moments, number of the format, whether there are times)."""
    form, timed = rng.randrange(len(FORMATS)), rng.random() < 0.6
    clock = rng.choice(CLOCKS)
    seconds = rng.choice((7200, 3 * 86400, 20 * 86400, 200 * 86400, 1500 * 86400, 9000 * 86400, 60000 * 86400))
    start = datetime.datetime(rng.choice((1899, 1970, 1999, 2023)), rng.randint(1, 12), rng.randint(1, 28), rng.randrange(24))
    column = {}
    for _ in range(rng.randint(2, 60)):
        moment = start + datetime.timedelta(seconds=rng.randrange(seconds))
        text = day_text(moment, FORMATS[form])
        if timed:
            text += moment.strftime(clock)
        column[text] = moment
    # a day above 12 in either half keeps day and month apart
    last = datetime.datetime(start.year, 12, 31, 23, 59)
    column[day_text(last, FORMATS[form]) + (last.strftime(clock) if timed else "")] = last
    return column, form, timed


def dates(suite, cases):
    need_tool()
    rng = random.Random("moments")
    fitted = labels = 0
    for case in range(cases):
        column, form, timed = draw_column(rng)
        units = draw_units(rng, timed) if rng.random() < 0.7 else []
        spec = "date:" + ",".join(units) if units else "date"
        with Folder() as folder:
            found = paths_of(folder, list(column), spec)
        expected = units or fitting(list(column.values()), timed)
        fitted += not units
        for value, moment in column.items():
            expect_equal(found[value], [label(moment, unit, form) for unit in expected] + ["*"],
                         "case %d, %s of %s" % (case, value, spec))
            labels += len(expected)
    suite.say("# %d columns, %d of them with fitted units, %d labels" % (cases, fitted, labels))


def times(suite, cases):
    """Times of day, with a date before them and without."""
    need_tool()
    rng = random.Random("times of day")
    for case in range(cases):
        units = [unit for unit in CLOCK if rng.random() < 0.5]
        dated = rng.random() < 0.4
        spec = "time:" + ",".join(units) if units else rng.choice(("time",) if dated else ("time", "auto"))
        column = {}
        for _ in range(rng.randint(5, 50)):
            moment = datetime.datetime(2024, 3, rng.randint(1, 31), rng.randrange(24), rng.randrange(60), rng.randrange(60))
            text = moment.strftime(rng.choice(("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")))
            column[moment.strftime("%d.%m.%Y ") + text if dated else text] = moment.time()
        with Folder() as folder:
            found = paths_of(folder, list(column), spec)
        for value, time in column.items():
            expect_equal(found[value], [clock_label(time, unit) for unit in units or CLOCK[1:]] + ["*"],
                         "case %d, %s of %s" % (case, value, spec))
    suite.say("# %d columns" % cases)


def refused():
    need_tool()
    for spec, values, words in (
            ("date:hour,day", ["2024-01-31 10:00", "2024-01-31"], "'2024-01-31' has no time of day"),
            ("date:week,month", ["2024-01-31"], "'month' cannot follow 'week'"),
            ("date:month,weekday", ["2024-01-31"], "'weekday' cannot follow 'month'"),
            ("date:season,month", ["2024-01-31"], "from fine to coarse"),
            ("date:quarter,season", ["2024-01-31"], "'season' cannot follow 'quarter'"),
            ("time:day", ["10:00"], "'day' is not a unit of a time of day"),
            ("time", ["10:00", "25:00"], "'25:00' is not a time of day"),
            ("time", ["10:00", "2024-01-31"], "'2024-01-31' is not a time of day"),
            ("time", ["13:00 PM"], "'13:00 PM' is not a time of day")):
        with Folder() as folder:
            table = folder.write("t.csv", "id;c\n" + "".join("1;%s\n" % value for value in values))
            done = kanon("hierarchy", "build", table, "--column", "c", "--hierarchy", spec, "--delimiter", ";")
        expect_equal(done.code, 1, spec)
        expect(words in done.err.decode("utf-8"), done.line() + " -- expected: " + words)


def main():
    suite = Suite()
    suite.check("moments-dates", dates, suite, either(150, 2000))
    suite.check("moments-times", times, suite, either(50, 500))
    suite.check("moments-refused", refused)
    suite.end()


if __name__ == "__main__":
    main()

/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy.c -- the kinds that need no file: what they make, what they refuse, in which words. */
#include "hierarchy_fixture.h"

/* --- range --------------------------------------------------------------------------------------- */

TEST(range_of_the_specification)
{
    check_first("24|99", "range:5,10,50,100", "24|20 to 24|20 to 29|0 to 49|0 to 99|*");
}

/* The support map of the KGEN paper, Table 4. */
TEST(ages_and_postcodes_of_the_paper)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "24|28|42|49");
    CHECK_OK(f.ctx, fixture_make(&f, "range:5,10,50"));
    CHECK_EQ_U64(kanon_hierarchy_levels(f.h), 5);
    check_groups(f.h, 0, "0,1,2,3");
    check_groups(f.h, 1, "0,1,2,3");
    check_groups(f.h, 2, "0,0,1,1");
    check_groups(f.h, 3, "0,0,0,0");
    check_groups(f.h, 4, "0,0,0,0");
    CHECK_STR(fixture_path(f.h, 1, shown), "28|25 to 29|20 to 29|0 to 49|*");
    fixture_close(&f);

    fixture_open(&f, "80015|80019|85073|85071");
    CHECK_OK(f.ctx, fixture_make(&f, "mask:right"));
    CHECK_EQ_U64(kanon_hierarchy_levels(f.h), 6);
    for (size_t level = 1; level <= 3; level++)
        check_groups(f.h, level, "0,0,1,1");
    check_groups(f.h, 4, "0,0,0,0");
    check_groups(f.h, 5, "0,0,0,0");
    CHECK_STR(fixture_path(f.h, 3, shown), "85071|8507*|850**|85***|8****|*");
    fixture_close(&f);
}

TEST(range_labels)
{
    check_first("24|-3", "range:5", "24|[20, 24]|*");
    check_first("-6|3", "range:5", "-6|[-10, -6]|*");
    check_first("-5|3", "range:5", "-5|[-5, -1]|*");
    check_first("0.7|1.0", "range:0.5", "0.7|0.5 to under 1.0|*");
    check_first("7|1.25", "range:5", "7|5.00 to under 10.00|*");
    check_first("7|12", "range:2.5", "7|5.0 to under 7.5|*");
    check_first("-0.05|1", "range:0.1", "-0.05|[-0.10, 0.00)|*");
    check_first("7|12", "range:5.0", "7|5 to 9|*");
    check_first("7|12", "range:1,5", "7|7|5 to 9|*");
}

/* What is beyond the ends is one group of every level; intervals next to it end there. */
TEST(range_top_and_bottom)
{
    check_first("93|24", "range:5,10,50,top=90", "93|90 or more|90 or more|90 or more|*");
    check_first("88|24", "range:5,10,50,top=90", "88|85 to 89|80 to 89|50 to 89|*");
    check_first("17|24", "range:5,10,50,bottom=15,top=90", "17|15 to 19|15 to 19|15 to 49|*");
    check_first("14|24|90", "range:50,bottom=15", "14|under 15|*");
    check_first("99|0", "range:x10,top=95", "99|95 or more|*");
    check_first("2.5|0.7", "range:0.5,top=2.5", "2.5|2.5 or more|*");
    check_first("-3|4", "range:5,bottom=-2", "-3|under -2|*");
    check_first("91|3|55", "range:top=90", "91|90 or more|90 or more|*"); /* others as they are */
    check_first("3|91|55", "range:top=90", "3|3|0 to 49|*");
    check_first("3.25|91|55", "range:top=90", "3.25|3.25|0.00 to under 50.00|*");
    check_refused("3|91", "range:5,top=x", "is not valid in range");
    check_refused("3|91", "range:5,top=90,top=95", "is not valid in range");
    check_refused("3|91", "range:5,top=90,bottom=90", "is not below its top");
}

TEST(range_keeps_the_missing_value_apart)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "24|?|28");
    CHECK_OK(f.ctx, fixture_make(&f, "range:5,50"));
    CHECK_STR(fixture_path(f.h, 1, shown), "?|?|?|*");
    check_groups(f.h, 2, "0,1,0");
    CHECK_EQ_U64(f.h->domain, 2);
    CHECK_EQ_U64(f.h->levels[2].leaves[f.h->levels[2].group_of[1]], 0);
    CHECK_EQ_U64(f.h->levels[2].leaves[f.h->levels[2].group_of[0]], 2);
    CHECK_EQ_U64(f.h->levels[3].leaves[0], 2);
    CHECK_NEAR(f.h->levels[2].lo[f.h->levels[2].group_of[1]], 0, 0);
    CHECK_NEAR(f.h->levels[2].hi[f.h->levels[2].group_of[1]], 0, 0);
    fixture_close(&f);
}

/* Intervals as they are written, but never beyond the column's own values. */
TEST(range_extents)
{
    fixture f;

    fixture_open(&f, "3|12|18|?");
    CHECK_OK(f.ctx, fixture_make(&f, "range:5,10"));
    CHECK(f.h->type == KN_TYPE_NUMBER && f.h->kind == KN_HIER_RANGE);
    CHECK_NEAR(f.h->min, 3, 0);
    CHECK_NEAR(f.h->max, 18, 0);
    CHECK_NEAR(f.h->levels[0].lo[1], 12, 0);
    CHECK_NEAR(f.h->levels[0].hi[1], 12, 0);
    CHECK_NEAR(f.h->levels[1].lo[0], 3, 0);
    CHECK_NEAR(f.h->levels[1].hi[0], 4, 0);
    CHECK_NEAR(f.h->levels[1].lo[1], 10, 0);
    CHECK_NEAR(f.h->levels[1].hi[1], 14, 0);
    CHECK_NEAR(f.h->levels[2].hi[f.h->levels[2].group_of[2]], 18, 0);
    CHECK_NEAR(f.h->levels[3].lo[0], 3, 0);
    CHECK_NEAR(f.h->levels[3].hi[0], 18, 0);
    fixture_close(&f);

    fixture_open(&f, "0.5|1.5|9.0");
    CHECK_OK(f.ctx, fixture_make(&f, "range:1"));
    CHECK_NEAR(f.h->levels[1].lo[1], 1.0, 0);
    CHECK_NEAR(f.h->levels[1].hi[1], 2.0, 0);
    fixture_close(&f);
}

TEST(range_of_powers)
{
    CHECK_EQ_U64(height_of("0|9999", "range:x10"), 4);
    CHECK_EQ_U64(height_of("0|609", "range:x10"), 3);
    CHECK_EQ_U64(height_of("0|1000", "range:x10"), 4);
    CHECK_EQ_U64(height_of("5", "range:x10"), 1);
    CHECK_EQ_U64(height_of("?", "range:x10"), 1);
    CHECK_EQ_U64(height_of("-50|50", "range:x10"), 2);
    CHECK_EQ_U64(height_of("100|150", "range:x10"), 3);
    CHECK_EQ_U64(height_of("0|7", "range:x2"), 3);
    check_first("1234|0|9999", "range:x10", "1234|1230 to 1239|1200 to 1299|1000 to 1999|*");
    check_first("1.25|1.31|7.00", "range:x10", "1.25|1.00 to under 2.00|*");
}

TEST(range_chosen_from_the_data)
{
    char   ages[FIXTURE_TEXT] = "17";
    size_t used = 2;

    for (int age = 18; age <= 90; age++)
        used += (size_t) snprintf(ages + used, sizeof ages - used, "|%d", age);
    check_first(ages, "range", "17|15 to 19|10 to 19|0 to 49|0 to 99|*");
    check_first("1|2|3|4|5|6|7|8|9", "range", "1|0 to 1|*");
    check_first("2019|1990|1991|1992|1995|1999|2000|2003|2004|2010|2013|2014|2015|2018", "range",
                "2019|2015 to 2019|2010 to 2019|2000 to 2049|*");
    check_first("1|1000|1000000|1000000000", "range", "1|0 to 4999|0 to 4999999|*");
    check_first("7", "range", "7|*");
    check_first("?", "range", "?|*");
    check_first("-1|1|2|3", "range", "-1|[-2, -1]|[-10, -1]|*");
}

/* As many decimals as leave room for the largest number; no value changes its interval by that. */
TEST(range_of_long_decimals)
{
    check_first("1000000000|0.000000000000001", "range:5",
                "1000000000|1000000000.000000000 to under 1000000005.000000000|*");
    check_first("-0.000000000000001|1000000000", "range:5",
                "-0.000000000000001|[-5.000000000, 0.000000000)|*");
    check_first("48.1234567890123456|2.5", "range:50000",
                "48.1234567890123456|0.0000000000000 to under 50000.0000000000000|*");
}

TEST(range_refusals)
{
    check_refused(
        "1|two", "range:5",
        "column 'col': 'two' is not a number; declare type string, or add the value to --missing");
    check_refused("1", "range:5,12",
                  "range width 12 is not a multiple of the previous width, 5; ranges must nest");
    check_refused("1", "range:5,5", "range width 5 is not a multiple of the previous width, 5");
    check_refused("1", "range:10,5", "range width 5 is not a multiple of the previous width, 10");
    check_refused("1", "range:0", "range width '0' is not a positive number");
    check_refused("1", "range:-5", "range width '-5' is not a positive number");
    check_refused("1", "range:", "range width '' is not a positive number");
    check_refused("1", "range:a", "range width 'a' is not a positive number");
    check_refused("1", "range:x1",
                  "range:x1 is not a valid factor; expected a whole number from 2");
    check_refused("1", "range:x2.5", "range:x2.5 is not a valid factor");
    check_refused("1", "range:x", "range:x is not a valid factor");
    check_refused("9000000000000000000|1", "range:5", "has too many digits for a range");
    check_refused("900000000000000000000.5|1", "range:5", "has too many digits");
    check_refused("1", "range:0.000000000000001,100,10000", "range width number 3 is too large");
}

/* --- mask ---------------------------------------------------------------------------------------- */

TEST(mask_pads_the_end_that_is_masked)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "80015|800|?|80019");
    CHECK_OK(f.ctx, fixture_make(&f, "mask"));
    CHECK_STR(fixture_path(f.h, 0, shown), "80015|8001*|800**|80***|8****|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "800|800*|800**|80***|8****|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "?|?|?|?|?|*");
    check_groups(f.h, 1, "0,1,2,0");
    check_groups(f.h, 2, "0,0,1,0");
    CHECK_OK(f.ctx, fixture_make(&f, "mask:left"));
    CHECK_STR(fixture_path(f.h, 0, shown), "80015|*0015|**015|***15|****5|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "800|*800|**800|***00|****0|*");
    CHECK(f.h->type == KN_TYPE_STRING);
    fixture_close(&f);
}

TEST(mask_counts_characters_not_bytes)
{
    check_first("a\xc3\xa9\xe2\x82\xacz|a\xc3\xa8xy", "mask",
                "a\xc3\xa9\xe2\x82\xacz|a\xc3\xa9\xe2\x82\xac*|a\xc3\xa9**|a***|*");
    check_first("z\xe2\x82\xac|y\xe2\x82\xad", "mask:left", "z\xe2\x82\xac|*\xe2\x82\xac|*");
}

/* Characters that share their first byte only are different characters. */
TEST(mask_never_splits_a_character)
{
    fixture f;

    fixture_open(&f, "\xc3\xa9x|\xc3\xa8x|\xc3\xa9y");
    CHECK_OK(f.ctx, fixture_make(&f, "mask"));
    check_groups(f.h, 1, "0,1,0");
    fixture_close(&f);
}

TEST(mask_of_short_and_long_values)
{
    char long_value[400], spec_path[FIXTURE_TEXT];

    CHECK_EQ_U64(height_of("", "mask"), 1);
    CHECK_EQ_U64(height_of("?", "mask"), 1);
    CHECK_EQ_U64(height_of("a|b", "mask"), 1);
    CHECK_EQ_U64(height_of("ab|b", "mask"), 2);
    memset(long_value, 'a', sizeof long_value - 1);
    long_value[sizeof long_value - 1] = 0;
    snprintf(spec_path, sizeof spec_path, "%s|b", long_value);
    CHECK_EQ_U64(height_of(spec_path, "mask"), 255);
    CHECK_EQ_U64(height_of(spec_path, "mask:left"), 255);
    check_refused("a", "mask:up", "mask:up is not valid; expected mask:right or mask:left");
}

/* A number column may be masked: its groups then span their values. */
TEST(mask_of_numbers)
{
    fixture f;

    fixture_open(&f, "21|25|90");
    f.type = KN_TYPE_NUMBER;
    CHECK_OK(f.ctx, fixture_make(&f, "mask"));
    CHECK_NEAR(f.h->levels[1].lo[f.h->levels[1].group_of[0]], 21, 0);
    CHECK_NEAR(f.h->levels[1].hi[f.h->levels[1].group_of[0]], 25, 0);
    fixture_close(&f);
}

/* --- date ---------------------------------------------------------------------------------------- */

TEST(date_of_the_specification)
{
    check_first("01/01/1970|31/12/1980", "date", "01/01/1970|01/1970|1970|1970-1979|*");
}

TEST(date_labels_follow_the_column)
{
    const char *all = "date:month,quarter,year,decade,century";

    check_first("1970-01-31", all, "1970-01-31|1970-01|1970-Q1|1970|1970-1979|1900-1999|*");
    check_first("1970/01/31", "date:month", "1970/01/31|1970/01|*");
    check_first("31.12.1970", "date:month,quarter", "31.12.1970|12.1970|1970-Q4|*");
    check_first("31-01-1970", "date:month", "31-01-1970|01-1970|*");
    check_first("01/31/1970", "date:month", "01/31/1970|01/1970|*");
    check_first("19700131", "date:month", "19700131|197001|*");
    check_first("2000-01-01", "date:decade,century", "2000-01-01|2000-2009|2000-2099|*");
}

TEST(date_weeks_are_iso_weeks)
{
    check_first("1970-01-01", "date:week", "1970-01-01|1970-W01|*");
    check_first("2021-01-03", "date:week", "2021-01-03|2020-W53|*");
    check_first("2018-12-31", "date:week", "2018-12-31|2019-W01|*");
    check_first("1969-12-29|1970-01-04", "date:week", "1969-12-29|1970-W01|*");
    check_first("1960-02-29", "date:week", "1960-02-29|1960-W09|*");
}

TEST(date_days_join_times)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "1970-01-31 10:00|1970-01-31T12:00|?|1970-02-01");
    CHECK_OK(f.ctx, fixture_make(&f, "date:day,month"));
    CHECK_STR(fixture_path(f.h, 0, shown), "1970-01-31 10:00|1970-01-31|1970-01|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "?|?|?|*");
    check_groups(f.h, 1, "0,0,1,2");
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    fixture_close(&f);
    check_first("1/2/1970 9:00|01/02/1970|31/01/1970", "date:day", "1/2/1970 9:00|01/02/1970|*");
    check_first("1/31/1970|01/31/1970", "date:day", "1/31/1970|01/31/1970|*");
    check_first("5.6.1970|7.6.1970 10:00", "date:day", "5.6.1970|05.06.1970|*");
    check_first("1970/2/3", "date:day", "1970/2/3|1970/02/03|*");
    check_first("19700203", "date:day", "19700203|19700203|*");

    fixture_open(&f, "1970-01-31|1970-02-01");
    CHECK_OK(f.ctx, fixture_make(&f, "date:day,month"));
    check_warned(&f, "column 'col': the unit 'day' changes nothing");
    fixture_close(&f);
}

TEST(date_that_could_be_swapped)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "01/02/1970|03/06/1970");
    CHECK_OK(f.ctx, fixture_make(&f, "date"));
    CHECK_STR(fixture_path(f.h, 0, shown), "01/02/1970|02/1970|1970-Q1|*");
    check_warned(&f, "column 'col': the dates could be day first or month first");
    fixture_close(&f);
}

TEST(date_units_of_the_clock)
{
    check_first("2024-03-05T14:35:20+01:00", "date:minute,quarter-hour,hour,part-of-day,day",
                "2024-03-05T14:35:20+01:00|2024-03-05 14:35|2024-03-05 14:30-14:44|"
                "2024-03-05 14:00-14:59|2024-03-05 afternoon|2024-03-05|*");
    check_first("31.12.2023 12:05 AM", "date:hour,part-of-day",
                "31.12.2023 12:05 AM|31.12.2023 00:00-00:59|31.12.2023 night|*");
    check_first("2024-03-05 24:00", "date:hour", "2024-03-05 24:00|2024-03-05 23:00-23:59|*");
    check_refused("2024-03-05 10:00|2024-03-05", "date:hour", "'2024-03-05' has no time of day");
}

TEST(date_units_that_come_again)
{
    fixture f;

    check_first("2024-03-05", "date:weekday,weekend", "2024-03-05|Tuesday|Monday to Friday|*");
    check_first("1969-12-28", "date:day,weekend", "1969-12-28|1969-12-28|Saturday and Sunday|*");
    check_first("2023-12-31", "date:month,season", "2023-12-31|2023-12|December to February|*");
    fixture_open(&f, "2024-01-01|2024-01-02|2024-01-06|2024-01-07|2024-01-08|?|2024-12-30");
    CHECK_OK(f.ctx, fixture_make(&f, "date:weekday,weekend"));
    check_groups(f.h, 1, "0,1,2,3,0,4,0");
    check_groups(f.h, 2, "0,0,1,1,0,2,0");
    fixture_close(&f);
    check_refused("2024-01-01", "date:year,weekday", "'weekday' cannot follow 'year'");
    check_refused("2024-01-01", "date:quarter,season", "'season' cannot follow 'quarter'");
}

TEST(date_units_fit_the_span)
{
    check_first("2024-03-05|2024-03-07", "date", "2024-03-05|*");
    check_first("2024-03-05|2024-03-08", "date", "2024-03-05|2024-W10|*");
    check_first("2024-03-05|2024-05-06", "date", "2024-03-05|2024-03|2024-Q1|*");
    check_first("2020-03-05|2024-05-06", "date", "2020-03-05|2020-03|2020-Q1|2020|*");
    check_first("2010-03-05|2024-05-06", "auto", "2010-03-05|2010-03|2010|2010-2019|*");
    check_first("2024-03-05 9:10|2024-03-20 9:00", "date",
                "2024-03-05 9:10|2024-03-05 09:00-09:59|2024-03-05 morning|2024-03-05|2024-W10|*");
}

TEST(times_of_day)
{
    check_first("14:35|9:05", "time", "14:35|14:30-14:44|14:00-14:59|afternoon|*");
    check_first("11:59:59 PM", "time:minute,part-of-day", "11:59:59 PM|23:59|evening|*");
    check_first("05.03.2024 05:59", "time:part-of-day", "05.03.2024 05:59|night|*");
    check_first("?|14:35", "time:hour", "?|?|*");
    check_refused("14:35|noon", "time", "'noon' is not a time of day, such as 14:35");
    check_refused("14:35", "time:day", "'day' is not a unit of a time of day");
}

TEST(date_refusals)
{
    check_refused(
        "1970-01-01", "date:week,month",
        "column 'col': 'month' cannot follow 'week', because a week can span two of them");
    check_refused("1970-01-01", "date:week,year", "'year' cannot follow 'week'");
    check_refused("1970-01-01", "date:year,month",
                  "date units must go from fine to coarse, but 'month' comes after 'year'");
    check_refused("1970-01-01", "date:year,year", "date units must go from fine to coarse");
    check_refused("1970-01-01", "date:mnth", "'mnth' is not a date unit (did you mean 'month'?)");
    check_refused("1970-01-01", "date:xyzzy", "'xyzzy' is not a date unit; expected minute");
    check_refused("1970-01-01|soon", "date",
                  "table.csv: column 'col': 'soon' is not a date in the format of the others, "
                  "such as 1970-01-31");
    check_refused("soon", "date",
                  "column 'col': 'soon' is not a date; use one format for all dates: 1970-01-31");
    check_refused("1970-01-01|1970-01-02|3/4/1970", "date",
                  "'3/4/1970' is not a date in the format of the others");
    CHECK_EQ_U64(height_of("?", "date:month,year,decade"), 4);
}

/* --- auto ---------------------------------------------------------------------------------------- */

static kn_hier_kind
kind_of(const char *values)
{
    fixture      f;
    kn_hier_kind kind;

    fixture_open(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    kind = f.h->kind;
    fixture_close(&f);
    return kind;
}

TEST(auto_chooses_by_type_and_data)
{
    CHECK(kind_of("17|18|19|20|21|22") == KN_HIER_RANGE);
    CHECK(kind_of("1970-01-01|1980-01-01") == KN_HIER_DATE);
    CHECK(kind_of("14:35|9:05|10:10|11:11") == KN_HIER_TIME);
    CHECK(kind_of("1234AB|5678CD|9999ZZ|0000XX") == KN_HIER_MASK);
    CHECK(kind_of("01234|56789|99999|00000|?") == KN_HIER_MASK);
    CHECK(kind_of("Private|Self-emp|Local-gov|State-gov|Never") == KN_HIER_ORDER);
    CHECK(kind_of("NL|BE|DE|FR|LU") == KN_HIER_ORDER);
    CHECK(kind_of("A1|B2|a long name with 3 digits|C4") == KN_HIER_ORDER);
    check_first("M|F|?", "auto", "M|*");
    check_first("1|2|3|?", "auto", "1|*");
    CHECK_EQ_U64(height_of("", "auto"), 1);
    CHECK_EQ_U64(height_of("a|b|c|d|e|f|g", "auto"), 2);
}

TEST(auto_respects_a_declared_type)
{
    fixture f;

    fixture_open(&f, "12345|67890|11111|22222");
    f.type = KN_TYPE_STRING;
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK(f.h->kind == KN_HIER_MASK);
    f.type = KN_TYPE_PLACE;
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK(f.h->kind == KN_HIER_ORDER && f.h->type == KN_TYPE_PLACE);
    fixture_close(&f);

    fixture_open(&f, "1|b|3|4");
    f.type = KN_TYPE_NUMBER;
    CHECK_STATUS(f.ctx, fixture_make(&f, "auto"), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(f.ctx), "'b' is not a number"));
    CHECK_STATUS(f.ctx, fixture_make(&f, "order"), KANON_E_INVALID);
    CHECK_STATUS(f.ctx, fixture_make(&f, "mask"), KANON_E_INVALID);
    f.type = KN_TYPE_DATE;
    CHECK_STATUS(f.ctx, fixture_make(&f, "order"), KANON_E_INVALID);
    f.type = KN_TYPE_STRING;
    CHECK_STATUS(f.ctx, fixture_make(&f, "range:5"), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(f.ctx),
              "column 'col': hierarchy 'range' needs type number, but the column has type string");
    fixture_close(&f);
}

/* One odd cell makes a column text, but not silently. */
TEST(auto_warns_of_odd_cells)
{
    fixture f;
    char    values[FIXTURE_TEXT] = "31.02.2001";
    size_t  used = 10;

    for (int day = 1; day <= 28; day++)
        used += (size_t) snprintf(values + used, sizeof values - used, "|%02d.01.1970", day);
    fixture_open(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK(f.h->type == KN_TYPE_STRING);
    check_warned(&f, "column 'col': all but 1 value are dates; correct them, list them in "
                     "--missing, or declare a type");
    fixture_close(&f);

    fixture_open(&f, values);
    f.type = KN_TYPE_STRING;
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    fixture_close(&f);

    snprintf(values, sizeof values, "unknown|none");
    used = strlen(values);
    for (int n = 1; n <= 60; n++)
        used += (size_t) snprintf(values + used, sizeof values - used, "|%d", n);
    fixture_open(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, "order"));
    check_warned(&f, "column 'col': all but 2 values are numbers; correct them");
    fixture_close(&f);
}

/* The order of the rows decides codes, never groups. */
TEST(auto_warns_of_short_years)
{
    static const char *const columns[] = { "17.06.19|23.01.16|01.12.99", "6/17/19|1/2/20",
                                           "17-06-19|17-06-20", "99-06-17|98-01-31|?" };
    static const char *const others[] = { "17.06.1919|23.01.1916|1.1.20", "20-00-00|40-47-84",
                                          "1.2.3|4.5.6", "17.06-19|23.01-16", "a|b" };
    fixture                  f;

    for (size_t i = 0; i < KN_COUNT(columns); i++) {
        fixture_open(&f, columns[i]);
        CHECK_OK(f.ctx, fixture_make(&f, i % 2 ? "order" : "auto"));
        CHECK(f.h->type == KN_TYPE_STRING);
        check_warned(&f, "column 'col' looks like dates with two-digit years, which are read as "
                         "text; write years with four digits");
        fixture_close(&f);
    }
    for (size_t i = 0; i < KN_COUNT(others); i++) {
        fixture_open(&f, others[i]);
        CHECK_OK(f.ctx, fixture_make(&f, "auto"));
        CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
        fixture_close(&f);
    }
    fixture_open(&f, columns[0]);
    f.type = KN_TYPE_STRING;
    CHECK_OK(f.ctx, fixture_make(&f, "order"));
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    fixture_close(&f);
}

TEST(auto_does_not_depend_on_the_order_of_rows)
{
    fixture a, b;
    char    x[FIXTURE_TEXT], y[FIXTURE_TEXT];

    fixture_open(&a, "Private|Self|Local|State|Never|Federal|Other");
    fixture_open(&b, "Other|Federal|Never|State|Local|Self|Private");
    CHECK_OK(a.ctx, fixture_make(&a, "auto"));
    CHECK_OK(b.ctx, fixture_make(&b, "auto"));
    for (size_t i = 0; i < 7; i++)
        CHECK_STR(fixture_path(a.h, i, x), fixture_path(b.h, 6 - i, y));
    fixture_close(&a);
    fixture_close(&b);
}

/* --- spec ---------------------------------------------------------------------------------------- */

static void
check_spec(const char *text, kn_hier_kind kind, const char *file, size_t nitems)
{
    kanon_ctx   *ctx;
    kn_arena     arena;
    kn_hier_spec spec;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_arena_init(&arena, ctx);
    CHECK_OK(ctx, kn_hier_spec_parse(ctx, &arena, "col", kn_str_of(text), "dir", &spec));
    CHECK_EQ_U64(spec.kind, kind);
    CHECK_STR(spec.file, file);
    CHECK_EQ_U64(spec.nitems, nitems);
    kn_arena_fini(&arena);
    kanon_ctx_free(ctx);
}

TEST(specs)
{
    check_spec("auto", KN_HIER_AUTO, NULL, 0);
    check_spec("range", KN_HIER_RANGE, NULL, 0);
    check_spec(" range: 5, 10 ", KN_HIER_RANGE, NULL, 2);
    check_spec("range:x10", KN_HIER_RANGE, NULL, 1);
    check_spec("mask:left", KN_HIER_MASK, NULL, 0);
    check_spec("date:month,year", KN_HIER_DATE, NULL, 2);
    check_spec("order:8", KN_HIER_ORDER, NULL, 1);
    check_spec("file:job.csv", KN_HIER_FILE, "dir/job.csv", 0);
    check_spec("job.csv", KN_HIER_FILE, "dir/job.csv", 0);
    check_spec("/abs/job.csv", KN_HIER_FILE, "/abs/job.csv", 0);
    check_spec("sub/job", KN_HIER_FILE, "dir/sub/job", 0);
    check_spec("file:job", KN_HIER_FILE, "dir/job", 0);
    check_spec("range.csv", KN_HIER_FILE, "dir/range.csv", 0);
    check_spec("place:p.csv", KN_HIER_PLACE, "dir/p.csv", 0);
    check_spec("place:p.csv:CITY,PROVINCE", KN_HIER_PLACE, "dir/p.csv", 2);
    check_spec("place:/a:b/p.csv", KN_HIER_PLACE, "/a:b/p.csv", 0);
}

TEST(spec_refusals)
{
    check_refused("1", "rnage:5", "column 'col': unknown hierarchy 'rnage'; did you mean 'range'?");
    check_refused("1", "xyzzyxyzzy",
                  "unknown hierarchy 'xyzzyxyzzy'; expected a file, or one of auto");
    check_refused("1", "", "unknown hierarchy ''");
    check_refused("1", "file:", "hierarchy 'file' needs a file, as in file:values.csv");
    check_refused("1", "place", "hierarchy 'place' needs a file, as in place:places.csv");
    check_refused("1", "auto:5", "hierarchy 'auto' takes no '5'");
}

TEST(kinds_have_names)
{
    for (unsigned kind = KN_HIER_AUTO; kind <= KN_HIER_GRID; kind++) {
        const kn_hier_class *class = kn_hier_class_of((kn_hier_kind) kind);

        CHECK(class && class->kind == (kn_hier_kind) kind && class->fill && class->summary);
        CHECK_STR(kn_hier_kind_name((kn_hier_kind) kind), class->name);
    }
    CHECK(!kn_hier_class_of((kn_hier_kind) 99));
}

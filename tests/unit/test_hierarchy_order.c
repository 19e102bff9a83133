/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_order.c -- the kind `order` and what its labels give away; labels with decimal commas. */
#include "hierarchy_fixture.h"

/* --- order --------------------------------------------------------------------------------------- */

TEST(order_of_strings)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "d|b|a|c|?|f|e|g");
    CHECK_OK(f.ctx, fixture_make(&f, "order"));
    CHECK_EQ_U64(kanon_hierarchy_levels(f.h), 3);
    CHECK_STR(fixture_path(f.h, 2, shown), "a|{a, b}|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "?|?|*");
    CHECK_STR(fixture_path(f.h, 7, shown), "g|{e, f, g}|*");
    fixture_close(&f);
    check_first("a|bcdefghijklmnopqrstuvwxyzbcd|c|d|e|f", "order:3", "a|a..b|*");
    check_first("a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p", "order:4", "a|a..d|*");
}

TEST(order_of_numbers_and_dates)
{
    check_first("9|100|2|30", "order:2", "9|<=9|*");
    check_first("100|9|2|30", "order:2", "100|>=30|*");
    check_first("9|-100|2|30", "order:2", "9|>=9|*");
    check_first("1.5|0.25|7|30", "order:2", "1.5|<=1.5|*");
    check_first("4|1|2|3|5|6|7|8|9", "order:3", "4|4-6|*");
    check_first("4|-1|2|3|5|6|7|8|9", "order:3", "4|[4, 6]|*");
    check_first("02/01/1970|31/12/1969|01/02/1971|01/01/1972", "order:2",
                "02/01/1970|<=02/01/1970|*");
    check_first("3/1/1970|1/1/1970|2/1/1970|4/1/1970|5/1/1970|6/1/1970|17/1/1970", "order:3",
                "3/1/1970|3/1/1970 - 4/1/1970|*");
    check_refused("1970-01-01", "order:1",
                  "order:1 is not a valid fan-out; expected one whole number from 2 to 64");
    check_refused("1970-01-01", "order:65", "order:65 is not a valid fan-out");
    check_refused("1970-01-01", "order:4,5", "is not a valid fan-out");
    check_refused("1970-01-01", "order:a", "order:a is not a valid fan-out");
}

/* Rows, not values, are shared out: the frequent value stays alone. */
TEST(order_by_frequency)
{
    fixture f;

    fixture_open(&f, "a|b|c|d|e|f|g");
    f.rows[0] = 1000;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    check_groups(f.h, 1, "0,1,1,1,2,2,2");
    fixture_close(&f);
}

TEST(order_heights)
{
    CHECK_EQ_U64(height_of("?", "order"), 1);
    CHECK_EQ_U64(height_of("a", "order"), 1);
    CHECK_EQ_U64(height_of("a|b|c|d", "order"), 1);
    CHECK_EQ_U64(height_of("a|b|c|d|e", "order"), 2);
    CHECK_EQ_U64(height_of("a|b|c|d|e", "order:2"), 3);
}

/* Values that read like the label of a bucket: no two groups of a level are called the same. */
TEST(order_labels_are_told_apart)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "a|b|{a, b}");
    f.rows[2] = 10;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 2, shown), "{a, b}|{a, b}|*");
    CHECK_STR(fixture_path(f.h, 0, shown), "a|{a, b} (2)|*");
    fixture_close(&f);
}

/* A bucket goes into the rows of everybody in it: it does not tell the values of single persons. */
TEST(order_spells_out_no_rare_text)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "baker|clerk|farmer|miner|nurse|zz Bishop of Trier");
    for (size_t i = 0; i < 5; i++)
        f.rows[i] = 10;
    f.domain.rare = 5;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "baker|{baker, clerk}|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "nurse|m..z|*");
    CHECK_STR(fixture_path(f.h, 5, shown), "zz Bishop of Trier|m..z|*");
    f.rows[0] = 4;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 1, shown), "clerk|b..c|*");
    fixture_close(&f);
}

/* As much of the values as tells the buckets apart, in whole characters. */
TEST(order_labels_are_prefixes)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "nail|nest|nun|nurse|nut|nut case|ox|\xc3\xa9t\xc3\xa8|\xc3\xa9t\xc3\xa9");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "nail|n..nu|*");
    CHECK_STR(fixture_path(f.h, 3, shown), "nurse|nur..|*");
    CHECK_STR(fixture_path(f.h, 6, shown), "ox|o..\xc3\xa9|*");
    fixture_close(&f);

    fixture_open(&f, "b1|b2|b3|b4|b5|b6|b7|b8|b9");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "b1|b..|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "b5|b.. (2)|*");
    CHECK_STR(fixture_path(f.h, 8, shown), "b9|b.. (3)|*");
    fixture_close(&f);

    fixture_open(&f, "\xc3\xa8|\xc3\xa9|\xc3\xaa|\xc3\xab");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "\xc3\xa8|\xe2\x80\xa6|*");
    fixture_close(&f);
}

/* Where the next bucket goes on with the last value of this one. */
TEST(order_parts_a_text_and_its_continuation)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "miner|nurse|nurse aide|oboist");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 1, shown), "nurse|m..nurs|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "nurse aide|nurs..o|*");
    f.rows[1] = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 1, shown), "nurse|m..nurse|*");
    fixture_close(&f);
}

/* What parts two buckets may be all of a rare value. */
TEST(order_cuts_prefixes_that_are_rare_values)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "Emil|Hans|Hansi|Ida");
    f.rows[0] = f.rows[1] = f.rows[3] = 5;
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 2, shown), "Hansi|Hans..I|*");
    f.rows[1] = 1;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Emil|E..Han|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "Hansi|Han..I|*");
    fixture_close(&f);

    fixture_open(&f, "a|b|c|m|n|zz");
    f.rows[3] = f.rows[4] = 9;
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "a|\xe2\x80\xa6|*");
    fixture_close(&f);

    /* a blank at the end of a value or of a prefix is not seen */
    fixture_open(&f, "Ann|Hans |Hansi|Ida");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Ann|A..Han|*");
    fixture_close(&f);
}

/* Numbers that are one double are in the order of their digits. */
TEST(order_keeps_long_numbers_apart)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "-100000000000000001|-100000000000000002|-100000000000000003|"
                     "-100000000000000004|-100000000000000005|-100000000000000006");
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    check_groups(f.h, 1, "0,0,1,1,2,2");
    CHECK_STR(fixture_path(f.h, 2, shown),
              "-100000000000000003|[-100000000000000004, -100000000000000003]|*");
    CHECK_STR(fixture_path(f.h, 5, shown), "-100000000000000006|<=-100000000000000005|*");
    fixture_close(&f);
}

/* Single values at the ends, and numbers in several spellings. */
TEST(order_names_no_extreme)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "1|2|3|9999");
    f.rows[3] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    check_groups(f.h, 1, "0,0,1,1");
    CHECK_STR(fixture_path(f.h, 3, shown), "9999|>=3|*");
    fixture_close(&f);

    fixture_open(&f, "1|2|9999");
    f.rows[2] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "1|<=2|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "9999|>2|*");
    f.rows[0] = 1000;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "1|<2|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "2|>=2|*");
    fixture_close(&f);

    fixture_open(&f, "5|5.0|9");
    f.rows[2] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 1, shown), "5.0|lowest|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "9|highest|*");
    fixture_close(&f);

    fixture_open(&f, "5|5.0|5.00");
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "5|any|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "5.00|any (2)|*");
    fixture_close(&f);
}

/* --- decimal commas ------------------------------------------------------------------------------ */

TEST(labels_keep_decimal_commas)
{
    check_first("71,5|80", "range:5,10", "71,5|[70,0; 75,0)|[70,0; 80,0)|*");
    check_first("71,5|80", "range:2.5", "71,5|[70,0; 72,5)|*");
    check_first("-0,5|80", "range:1", "-0,5|[-1,0; 0,0)|*");
    check_first("4,5|-1,5|2|3|5|6|7|8|9", "order:3", "4,5|[4,5; 6]|*");
    check_first("4,5|1,5|2|3|5|6|7|8|9", "order:3", "4,5|4,5-6|*");
    check_first("1,5|2,5|3,5|4,5", "order:2", "1,5|<=2,5|*");
    check_refused("1", "range:2,5", "range width 5 is not a multiple of the previous width, 2");
    check_refused("1,5|2.5", "range:5",
                  "column 'col': some numbers have a decimal point and others a decimal comma");
}

TEST(commas_that_could_be_thousands)
{
    fixture f;

    fixture_open(&f, "1,234|5,678|9|12,000");
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK(f.h->type == KN_TYPE_STRING);
    check_warned(&f,
                 "column 'col': numbers like 1,234 could be thousands or decimals; declare type: "
                 "number to read them as decimals");
    fixture_close(&f);

    fixture_open(&f, "1,234|5,678|9|12,000");
    f.type = KN_TYPE_NUMBER;
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK(f.h->kind == KN_HIER_RANGE);
    CHECK_NEAR(f.h->max, 12, 0);
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    f.type = KN_TYPE_AUTO;
    CHECK_OK(f.ctx, fixture_make(&f, "range"));
    check_warned(&f, "column 'col': numbers like 1,234 are read as decimals");
    fixture_close(&f);

    fixture_open(&f, "1,234|tall|9|12,000");
    CHECK_OK(f.ctx, fixture_make(&f, "auto"));
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    fixture_close(&f);
}

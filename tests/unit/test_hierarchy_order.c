/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_order.c -- the kind `order` and what its labels give away; labels with decimal commas. */
#include "hierarchy_fixture.h"

/* Labels that end at values: with snap off. */
static void
open_exact(fixture *f, const char *values)
{
    fixture_open(f, values);
    f->domain.exact = true;
}

static void
check_exact(const char *values, const char *spec, const char *path)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    open_exact(&f, values);
    CHECK_OK(f.ctx, fixture_make(&f, spec));
    CHECK_STR(fixture_path(f.h, 0, shown), path);
    fixture_close(&f);
}

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
    check_exact("9|100|2|30", "order:2", "9|<=9|*");
    check_exact("100|9|2|30", "order:2", "100|>=30|*");
    check_exact("9|-100|2|30", "order:2", "9|>=9|*");
    check_exact("1.5|0.25|7|30", "order:2", "1.5|<=1.5|*");
    check_exact("4|1|2|3|5|6|7|8|9", "order:3", "4|4 to 6|*");
    check_exact("4|-1|2|3|5|6|7|8|9", "order:3", "4|[4, 6]|*");
    check_exact("02/01/1970|31/12/1969|01/02/1971|01/01/1972", "order:2",
                "02/01/1970|<=02/01/1970|*");
    check_exact("3/1/1970|1/1/1970|2/1/1970|4/1/1970|5/1/1970|6/1/1970|17/1/1970", "order:3",
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

    open_exact(&f, "baker|clerk|farmer|miner|nurse|zz Bishop of Trier");
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

    open_exact(&f, "nail|nest|nun|nurse|nut|nut case|ox|\xc3\xa9t\xc3\xa8|\xc3\xa9t\xc3\xa9");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "nail|n..nu|*");
    CHECK_STR(fixture_path(f.h, 3, shown), "nurse|nur..|*");
    CHECK_STR(fixture_path(f.h, 6, shown), "ox|o..\xc3\xa9|*");
    fixture_close(&f);

    open_exact(&f, "b1|b2|b3|b4|b5|b6|b7|b8|b9");
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "b1|b..|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "b5|b.. (2)|*");
    CHECK_STR(fixture_path(f.h, 8, shown), "b9|b.. (3)|*");
    fixture_close(&f);

    open_exact(&f, "\xc3\xa8|\xc3\xa9|\xc3\xaa|\xc3\xab");
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

    open_exact(&f, "miner|nurse|nurse aide|oboist");
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

    open_exact(&f, "Emil|Hans|Hansi|Ida");
    f.rows[0] = f.rows[1] = f.rows[3] = 5;
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 2, shown), "Hansi|Hans..I|*");
    f.rows[1] = 1;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Emil|E..Han|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "Hansi|Han..I|*");
    fixture_close(&f);

    open_exact(&f, "a|b|c|m|n|zz");
    f.rows[3] = f.rows[4] = 9;
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "a|\xe2\x80\xa6|*");
    fixture_close(&f);

    /* a blank at the end of a value or of a prefix is not seen */
    open_exact(&f, "Ann|Hans |Hansi|Ida");
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

    open_exact(&f, "-100000000000000001|-100000000000000002|-100000000000000003|"
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

    open_exact(&f, "1|2|3|9999");
    f.rows[3] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    check_groups(f.h, 1, "0,0,1,1");
    CHECK_STR(fixture_path(f.h, 3, shown), "9999|>=3|*");
    fixture_close(&f);

    open_exact(&f, "1|2|9999");
    f.rows[2] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "1|<=2|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "9999|>2|*");
    f.rows[0] = 1000;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "1|<2|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "2|>=2|*");
    fixture_close(&f);

    open_exact(&f, "5|5.0|9");
    f.rows[2] = 100;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 1, shown), "5.0|lowest|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "9|highest|*");
    fixture_close(&f);

    open_exact(&f, "5|5.0|5.00");
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "5|any|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "5.00|any (2)|*");
    fixture_close(&f);
}

/* --- labels that end between the values --------------------------------------------------------------- */

/* The label of a value of the first level, when every value is rare. */
static void
check_rare(const char *values, const char *spec, const char *path)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, values);
    f.domain.rare = 2;
    CHECK_OK(f.ctx, fixture_make(&f, spec));
    CHECK_STR(fixture_path(f.h, 0, shown), path);
    fixture_close(&f);
}

TEST(borders_are_round_and_between_the_values)
{
    check_rare("9|100|2|30", "order:2", "9|under 20|*");
    check_rare("100|9|2|30", "order:2", "100|20 or more|*");
    check_rare("-3|-100|2|30|7|8", "order:3", "-3|<0|*");
    check_rare("1.5|0.25|7|30", "order:2", "1.5|under 5|*");
    check_rare("1234|1999|2101|2200|2999|3001", "order:3", "1234|under 2000|*");
    check_rare("2101|1999|1234|2200|2999|3001", "order:3", "2101|2000 to under 2500|*");
    check_rare("4|1|2|3|5|6|7|8|9", "order:3",
               "4|0 to under 10|*"); /* no whole number is nobody's */
    check_rare("4|1|2|3|6|7|8|9|10|11|12|15", "order:4", "4|0 to under 20|*"); /* 10 is one row's */
    /* 37 would say that 36 and 38 are there: the ends move apart to tens, and overlap */
    check_rare("36|38|39|11|14|17|60|65|71", "order:3", "36|20 to under 50|*");
    check_rare("38|36|35|11|14|17|60|65|71", "order:3", "38|20 to under 50|*");
    /* incomes in hundreds: 1150 would tell as much */
    check_rare("1100|1200|1300|1400", "order:2", "1100|under 2000|*");
    check_rare("1400|1200|1300|1100", "order:2", "1400|1000 or more|*");
    check_rare("4,5|1,5|2|3|5|6|7|8|9", "order:3", "4,5|4 to under 10|*");
    check_rare("02/01/1970|31/12/1969|01/02/1971|01/01/1972", "order:2",
               "02/01/1970|before 01/01/1971|*");
    check_rare("14/05/1970|02/01/1970|08/05/1970|30/05/1970|01/08/1971|03/03/1972", "order:3",
               "14/05/1970|11/05/1970 to before 01/01/1971|*");
    /* the day after the last of a month */
    check_rare("30/01/2019|31/01/2019|01/03/2019|02/03/2019", "order:2",
               "30/01/2019|before 01/02/2019|*");
    /* adjoining days: the ends move apart */
    check_rare("08/05/1970|02/01/1970|07/05/1970|30/05/1970|31/05/1970|03/03/1972", "order:3",
               "08/05/1970|01/05/1970 to before 01/06/1970|*");
}

/* A value of enough rows may be an end, and one that is alone in its bucket is its own label. */
TEST(common_values_may_be_ends)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "17|18|19|20|21");
    f.domain.rare = 2;
    for (size_t i = 0; i < 5; i++)
        f.rows[i] = 2;
    CHECK_OK(f.ctx, fixture_make(&f, "order:2"));
    CHECK_STR(fixture_path(f.h, 0, shown), "17|17|under 20|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "21|21|20 or more|*");
    fixture_close(&f);
}

/* For a release the labels follow from its rows; groups stay. */
TEST(labels_for_a_release)
{
    static const uint64_t released[] = { 9, 1, 9, 0, 9, 9 };
    fixture               f;
    char                  shown[FIXTURE_TEXT];

    fixture_open(&f, "Hahn|Hofmann, Anna M|Huber|Ott|Otto|Pohl");
    f.domain.rare = 5;
    for (size_t i = 0; i < 6; i++)
        f.rows[i] = 9;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Hahn|{Hahn, Hofmann, Anna M}|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "Huber|{Huber, Ott}|*");
    f.domain.rows = released;
    CHECK_OK(f.ctx, kn_hierarchy_relabel(f.h, &f.domain));
    CHECK_STR(fixture_path(f.h, 0, shown), "Hahn|H..|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "Huber|Huber|*");
    CHECK_STR(fixture_path(f.h, 4, shown), "Otto|{Otto, Pohl}|*");
    check_groups(f.h, 1, "0,0,1,1,2,2");
    fixture_close(&f);
}

/* What no released row holds has no say: not in borders, decimals or marks, nor in who is called "(2)". */
TEST(labels_follow_released_values)
{
    static const uint64_t numbers[] = { 9, 0, 9, 9, 9, 9, 0, 9, 9 };
    static const uint64_t texts[] = { 0, 9, 9, 0, 0, 1, 1, 1, 1 };
    fixture               f;
    char                  shown[FIXTURE_TEXT];

    fixture_open(&f, "5|9,75|12|21|24|27|40|41|44");
    f.domain.rare = 5;
    for (size_t i = 0; i < 9; i++)
        f.rows[i] = 9;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    CHECK_STR(fixture_path(f.h, 0, shown), "5|under 20|*");
    CHECK_STR(fixture_path(f.h, 3, shown), "21|20 to under 40|*");
    f.domain.rows = numbers;
    CHECK_OK(f.ctx, kn_hierarchy_relabel(f.h, &f.domain));
    CHECK_STR(fixture_path(f.h, 3, shown), "21|20 to under 40|*");
    CHECK_STR(fixture_path(f.h, 7, shown), "41|40 or more|*");
    fixture_close(&f);

    fixture_open(&f, "Aal|Berta|Bertram|X1|X2|Yak|Yeti|Yoga|Zoo");
    f.domain.rare = 5;
    for (size_t i = 0; i < 9; i++)
        f.rows[i] = 9;
    CHECK_OK(f.ctx, fixture_make(&f, "order:3"));
    check_groups(f.h, 1, "0,0,0,1,1,1,2,2,2");
    f.domain.rows = texts;
    CHECK_OK(f.ctx, kn_hierarchy_relabel(f.h, &f.domain));
    CHECK_STR(fixture_path(f.h, 1, shown), "Berta|{Berta, Bertram}|*");
    CHECK_STR(fixture_path(f.h, 5, shown), "Yak|\xe2\x80\xa6|*");
    CHECK_STR(fixture_path(f.h, 6, shown), "Yeti|\xe2\x80\xa6 (2)|*");
    fixture_close(&f);
}

/* The width of a mask is one that enough rows have, and never nothing. */
TEST(masks_for_a_release)
{
    static const uint64_t released[] = { 9, 9, 9, 0 };
    fixture               f;
    char                  shown[FIXTURE_TEXT];

    fixture_open(&f, "80015|80016|4711|123456789");
    f.domain.rare = 5;
    for (size_t i = 0; i < 4; i++)
        f.rows[i] = 9;
    CHECK_OK(f.ctx, fixture_make(&f, "mask:right"));
    CHECK_STR(fixture_path(f.h, 0, shown),
              "80015|80015*|80015**|80015***|80015****|8001*****|800******|80*******|8********|*");
    f.domain.rows = released;
    CHECK_OK(f.ctx, kn_hierarchy_relabel(f.h, &f.domain));
    CHECK_STR(fixture_path(f.h, 0, shown),
              "80015|80015*|80015*|80015*|80015*|8001*|800**|80***|8****|*");
    CHECK_STR(fixture_path(f.h, 2, shown),
              "4711|4711*|4711*|4711*|4711*|4711*|471**|47***|4****|*");
    CHECK_OK(f.ctx, fixture_make(&f, "mask:left"));
    CHECK_STR(fixture_path(f.h, 0, shown),
              "80015|*80015|*80015|*80015|*80015|*0015|**015|***15|****5|*");
    fixture_close(&f);
}

/* --- decimal commas ------------------------------------------------------------------------------ */

TEST(labels_keep_decimal_commas)
{
    check_first("71,5|80", "range:5,10", "71,5|70,0 to under 75,0|70,0 to under 80,0|*");
    check_first("71,5|80", "range:2.5", "71,5|70,0 to under 72,5|*");
    check_first("-0,5|80", "range:1", "-0,5|[-1,0; 0,0)|*");
    check_exact("4,5|-1,5|2|3|5|6|7|8|9", "order:3", "4,5|[4,5; 6]|*");
    check_exact("4,5|1,5|2|3|5|6|7|8|9", "order:3", "4,5|4,5 to 6|*");
    check_exact("1,5|2,5|3,5|4,5", "order:2", "1,5|<=2,5|*");
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

/* SPDX-License-Identifier: Apache-2.0 */
/* test_value.c -- numbers, dates and what a column is taken for. */
#include "encode/value.h"

#include "test.h"

/* --- numbers ----------------------------------------------------------------------------------- */

static void
check_number(const char *text, int64_t mantissa, unsigned decimals)
{
    kn_decimal value;

    if (!kn_decimal_parse(kn_str_of(text), &value))
        FAIL("'%s' is refused", text);
    if (value.mantissa != mantissa || value.decimals != decimals)
        FAIL("'%s' is %" PRId64 " with %u decimals", text, value.mantissa, value.decimals);
}

static void
check_no_number(const char *text)
{
    kn_decimal value;

    if (kn_decimal_parse(kn_str_of(text), &value))
        FAIL("'%s' is %" PRId64 " with %u decimals", text, value.mantissa, value.decimals);
}

TEST(numbers_are_exact)
{
    check_number("0", 0, 0);
    check_number("-0", 0, 0);
    check_number("42", 42, 0);
    check_number("+3", 3, 0);
    check_number("-12.50", -1250, 2);
    check_number("10.0", 100, 1);
    check_number("100", 100, 0);
    check_number("1000000", 1000000, 0);
    check_number(".5", 5, 1);
    check_number("5.", 5, 0);
    check_number("0.30", 30, 2);
    check_number("007", 7, 0);
    check_number("  7\t", 7, 0);
    check_number("0.000", 0, 3);
    check_number("0.000000000000001", 1, 15);
    check_number("9223372036854775807", INT64_MAX, 0);
    check_number("-9223372036854775807", -INT64_MAX, 0);
}

TEST(exponents)
{
    check_number("1e3", 1000, 0);
    check_number("1E+3", 1000, 0);
    check_number("1.50e3", 1500, 0);
    check_number("1.5e-1", 15, 2);
    check_number("25e-2", 25, 2);
    check_number("0e999999", 0, 0);
    check_number("100e-2", 1, 0);
    check_number("1e18", INT64_C(1000000000000000000), 0);
}

/* Zeros behind the point cost nothing; digits do. */
TEST(long_numbers)
{
    check_number("1.0000000000000000000000", INT64_C(1000000000000000), 15);
    check_number("12345.000000000000000", INT64_C(1234500000000000000), 14);
    check_number("0.1234567890123456", INT64_C(123456789012346), 15);
    check_number("0.30000000000000004", INT64_C(300000000000000), 15);
    check_number("48.1234567890123456", INT64_C(48123456789012346), 15);
    check_number("-48.1234567890123455", -INT64_C(48123456789012346), 15);
    check_number("48.12345678901234549999999999999", INT64_C(48123456789012345), 15);
    check_number("123456.12345678901234567890", INT64_C(1234561234567890123), 13);
    check_number("9.999999999999999999999999", INT64_C(10000000000000000), 15);
    check_number("922337203685477580.75", INT64_C(922337203685477581), 0);
    check_number("922337203685477580.65", INT64_C(9223372036854775807), 1);
    check_number("0.1000000000000000000000000001", INT64_C(100000000000000), 15);
    check_number("1.2345678901234567e-5", INT64_C(12345678901), 15);
    check_number("5.551115123125783e-17", 0, 15);
    check_number("9223372036854775806.5", INT64_MAX, 0);
    check_no_number("9223372036854775807.5");
    check_no_number("100000000000000000000.5");
    check_no_number("1.234567890123456789012e25");
    check_no_number("9223372036854775808");
    check_no_number("18446744073709551616");
    check_no_number("99999999999999999999999");
    check_no_number("1e19");
    check_number("1e-16", 0, 15);
    check_number("5e-16", 1, 15);
    check_number("1e-999999999999", 0, 15);
    check_no_number("1e999999999999");
}

TEST(no_numbers)
{
    static const char *const texts[] = { "",    " ",   ".",     "-",   "+",     "e3",
                                         "1e",  "1e+", "1,5,",  "1 2", "0x1",   "--",
                                         "+-1", "abc", "1.2.3", "12a", "nan",   "inf",
                                         "-.",  "1-",  "?",     "NA",  "1_000", "\xe2\x82\xac" };

    for (size_t i = 0; i < KN_COUNT(texts); i++)
        check_no_number(texts[i]);
}

TEST(decimal_commas)
{
    kn_decimal value;

    check_number("71,5", 715, 1);
    check_number("-1,234", -1234, 3);
    check_number(",5", 5, 1);
    check_number("1,5e1", 15, 0);
    check_no_number("1,2,3");
    check_no_number("1,23.5");
    check_no_number("1.23,5");
    check_no_number(",");
    CHECK(!kn_decimal_parse_strict(KN_STR("71,5"), &value));
    CHECK(kn_decimal_parse_strict(KN_STR("71.5"), &value));
    CHECK_EQ_I64(value.mantissa, 715);
}

TEST(numbers_as_people_write_them)
{
    static const char *const no[] = { "(5)",     "12 34",    "1.234.567", "10.100.200.111",
                                      "030 123", "5 kg",     "$",         "EUR",
                                      "(-5.00)", "1,23,456", "1e3 EUR",   "1,234.5.6",
                                      "$1 EUR",  "1  234",   "5 $ 5",     "- -5 EUR" };

    check_number("$117,577.00", 11757700, 2);
    check_number("\xe2\x82\xac 12,50", 1250, 2);
    check_number("12 EUR", 12, 0);
    check_number("3.5 %", 35, 1);
    check_number("3.500 %", 3500, 3);
    check_number("(123.00)", -12300, 2);
    check_number("($5)", -5, 0);
    check_number("1,234.50", 123450, 2);
    check_number("1.234,50", 123450, 2);
    check_number("1\xc2\xa0"
                 "234,50",
                 123450, 2);
    check_number("1'234.50", 123450, 2);
    check_number("12 345", 12345, 0);
    check_number("$1,234", 1234, 0);
    check_number("1.234 EUR", 1234, 0);
    check_number("0,500 EUR", 500, 3);
    check_number("1,234,567", 1234567, 0);
    check_number("-$5.00", -500, 2);
    check_number("$-5.00", -500, 2);
    check_number("\xe2\x88\x92"
                 "5,50",
                 -550, 2);
    for (size_t i = 0; i < KN_COUNT(no); i++)
        check_no_number(no[i]);
}

TEST(numbers_as_doubles)
{
    CHECK_NEAR(kn_decimal_double((kn_decimal){ 1250, 2 }), 12.5, 0);
    CHECK_NEAR(kn_decimal_double((kn_decimal){ -1, 15 }), -1e-15, 0);
    CHECK_NEAR(kn_decimal_double((kn_decimal){ 3, 1 }), 0.3, 0);
}

/* --- dates ------------------------------------------------------------------------------------- */

static void
check_date(const char *text, kn_date_format format, kn_date expected)
{
    kn_date date;

    if (!kn_date_parse(kn_str_of(text), format, &date))
        FAIL("'%s' is refused", text);
    if (date.year != expected.year || date.month != expected.month || date.day != expected.day)
        FAIL("'%s' is %d-%d-%d", text, date.year, date.month, date.day);
}

static void
check_no_date(const char *text, kn_date_format format)
{
    kn_date date;

    if (kn_date_parse(kn_str_of(text), format, &date))
        FAIL("'%s' is %d-%d-%d", text, date.year, date.month, date.day);
}

TEST(date_formats)
{
    const kn_date day = { 1970, 1, 31 };

    check_date("1970-01-31", KN_DATE_YMD_DASH, day);
    check_date("1970/01/31", KN_DATE_YMD_SLASH, day);
    check_date("31/01/1970", KN_DATE_DMY_SLASH, day);
    check_date("01/31/1970", KN_DATE_MDY_SLASH, day);
    check_date("31.01.1970", KN_DATE_DMY_DOT, day);
    check_date("31-01-1970", KN_DATE_DMY_DASH, day);
    check_date("19700131", KN_DATE_YMD_PLAIN, day);
    check_date(" 31/1/1970 ", KN_DATE_DMY_SLASH, day);
}

TEST(dates_with_a_time)
{
    const kn_date day = { 1970, 1, 31 };

    check_date("1970-01-31T23:59:59Z", KN_DATE_YMD_DASH, day);
    check_date("1970-01-31 23:59", KN_DATE_YMD_DASH, day);
    check_date("1970-01-31 23:59:59.123456", KN_DATE_YMD_DASH, day);
    check_date("1970-01-31T00:00:00+02:00", KN_DATE_YMD_DASH, day);
    check_date("1970-01-31T00:00:00-0530", KN_DATE_YMD_DASH, day);
    check_date("1970-01-31T00:00:00+02", KN_DATE_YMD_DASH, day);
    check_date("1/31/1970 4:05 PM", KN_DATE_MDY_SLASH, day);
    check_no_date("1970-01-31 25:00", KN_DATE_YMD_DASH);
    check_no_date("1970-01-31 12:60", KN_DATE_YMD_DASH);
    check_no_date("1970-01-31 12", KN_DATE_YMD_DASH);
    check_no_date("1970-01-31x", KN_DATE_YMD_DASH);
    check_no_date("1970-01-31T12:00:00+2", KN_DATE_YMD_DASH);
    check_no_date("1970-01-31T12:00:00 later", KN_DATE_YMD_DASH);
    check_no_date("1/31/1970 14:05 PM", KN_DATE_MDY_SLASH);
    check_no_date("19700131 12:00", KN_DATE_YMD_PLAIN);
}

TEST(days_that_do_not_exist)
{
    check_no_date("1970-02-29", KN_DATE_YMD_DASH);
    check_no_date("1900-02-29", KN_DATE_YMD_DASH);
    check_no_date("1970-04-31", KN_DATE_YMD_DASH);
    check_no_date("1970-13-01", KN_DATE_YMD_DASH);
    check_no_date("1970-00-01", KN_DATE_YMD_DASH);
    check_no_date("1970-01-00", KN_DATE_YMD_DASH);
    check_no_date("0000-01-01", KN_DATE_YMD_DASH);
    check_no_date("70-01-01", KN_DATE_YMD_DASH);
    check_no_date("1970-01", KN_DATE_YMD_DASH);
    check_no_date("", KN_DATE_YMD_DASH);
    check_date("2000-02-29", KN_DATE_YMD_DASH, (kn_date){ 2000, 2, 29 });
    check_date("2024-02-29", KN_DATE_YMD_DASH, (kn_date){ 2024, 2, 29 });
}

TEST(days_since_1970)
{
    CHECK_EQ_I64(kn_date_days((kn_date){ 1970, 1, 1 }), 0);
    CHECK_EQ_I64(kn_date_days((kn_date){ 1969, 12, 31 }), -1);
    CHECK_EQ_I64(kn_date_days((kn_date){ 2000, 3, 1 }), 11017);
    CHECK_EQ_I64(kn_date_days((kn_date){ 1, 1, 1 }), -719162);
    CHECK_EQ_I64(kn_date_days((kn_date){ 9999, 12, 31 }), 2932896);
}

/* Every day of 400 years follows the day before it. */
TEST(days_follow_each_other)
{
    int64_t last = kn_date_days((kn_date){ 1599, 12, 31 });

    for (int year = 1600; year < 2000; year++)
        for (unsigned month = 1; month <= 12; month++)
            for (unsigned day = 1; day <= 31; day++) {
                char    text[32];
                kn_date date;

                snprintf(text, sizeof text, "%04d-%02u-%02u", year, month, day);
                if (!kn_date_parse(kn_str_of(text), KN_DATE_YMD_DASH, &date))
                    continue;
                CHECK_EQ_I64(kn_date_days(date), last + 1);
                last++;
            }
    CHECK_EQ_I64(last, kn_date_days((kn_date){ 1999, 12, 31 }));
}

/* --- columns ----------------------------------------------------------------------------------- */

enum { VALUES_MOST = 220 };

/* A domain of texts that ends with NULL; missing is the text of the missing value, or NULL. */
typedef struct fixture {
    kn_str    values[VALUES_MOST];
    uint64_t  rows[VALUES_MOST];
    kn_domain domain;
} fixture;

static const kn_domain *
domain_of(fixture *f, const char *const *texts, const char *missing)
{
    memset(f, 0, sizeof *f);
    f->domain.missing = KN_NO_CODE;
    f->domain.values = f->values;
    f->domain.rows = f->rows;
    for (size_t i = 0; i < VALUES_MOST && texts[i]; i++) {
        f->values[i] = kn_str_of(texts[i]);
        f->rows[i] = 1;
        f->domain.count++;
        if (missing && strcmp(missing, texts[i]) == 0)
            f->domain.missing = (uint32_t) i;
    }
    return &f->domain;
}

#define TEXTS(...) ((const char *const[VALUES_MOST + 1]){ __VA_ARGS__ })

static kn_type
infer(const char *const *texts)
{
    fixture f;

    return kn_type_infer(domain_of(&f, texts, "?"));
}

TEST(types)
{
    CHECK(infer(TEXTS("1", "22", "-3.5", "?")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("1", "x")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("0123", "4567")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("-01", "4567")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("0", "0.5", "10")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("?")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS(NULL)) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("1970-01-01", "?", "1980-02-03 10:00")) == KN_TYPE_DATE);
    CHECK(infer(TEXTS("1970-01-01", "03/02/1980")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("19700101", "20211231")) == KN_TYPE_DATE);
    CHECK(infer(TEXTS("19700101", "99991231")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("19700101", "20211232")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("1970", "1980")) == KN_TYPE_NUMBER);
}

TEST(types_with_commas)
{
    CHECK(infer(TEXTS("71,5", "80", "?")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("1,234", "71,5")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("1,234", "71")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("-1,234", "+123,456")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("0,125", "0,250")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("1234,567")) == KN_TYPE_NUMBER);
    CHECK(infer(TEXTS("71,5", "71.5")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("1,2,3", "71,5")) == KN_TYPE_STRING);
    CHECK(infer(TEXTS("01,5", "71,5")) == KN_TYPE_STRING);
}

static kn_mark
mark_of(const char *const *texts)
{
    fixture f;

    return kn_mark_find(domain_of(&f, texts, "?"));
}

TEST(decimal_marks)
{
    CHECK(mark_of(TEXTS("1", "2.5", "?")) == KN_MARK_POINT);
    CHECK(mark_of(TEXTS("1", "2,5")) == KN_MARK_COMMA);
    CHECK(mark_of(TEXTS("1", "2,500")) == KN_MARK_THOUSANDS);
    CHECK(mark_of(TEXTS("1", "2,500", "1,0")) == KN_MARK_COMMA);
    CHECK(mark_of(TEXTS("2.5", "2,5")) == KN_MARK_MIXED);
    CHECK(mark_of(TEXTS("x", "2,5")) == KN_MARK_POINT);
    CHECK(mark_of(TEXTS(NULL)) == KN_MARK_POINT);
}

/* `fit` values of a form, then those odd ones. */
static kn_type
guess(const char *form, size_t fit, const char *const *odd_ones, uint64_t *odd)
{
    static char texts[VALUES_MOST][32];
    const char *all[VALUES_MOST + 1] = { NULL };
    fixture     f;
    size_t      n = 0;

    for (; n < fit; n++) {
        snprintf(texts[n], sizeof texts[n], form, (int) n + 1);
        all[n] = texts[n];
    }
    while (*odd_ones)
        all[n++] = *odd_ones++;
    return kn_type_guess(domain_of(&f, all, "?"), odd);
}

TEST(guessed_types)
{
    uint64_t odd = 7;

    CHECK(guess("%d", 30, TEXTS("?"), &odd) == KN_TYPE_NUMBER && odd == 0);
    CHECK(guess("%d", 30, TEXTS("n/a", "?"), &odd) == KN_TYPE_NUMBER && odd == 1);
    CHECK(guess("%d", 19, TEXTS("n/a"), &odd) == KN_TYPE_NUMBER && odd == 1);
    CHECK(guess("%d", 18, TEXTS("n/a"), &odd) == KN_TYPE_STRING && odd == 0);
    CHECK(guess("%02d.01.1970", 28, TEXTS("31.02.2001"), &odd) == KN_TYPE_DATE && odd == 1);
    CHECK(guess("%02d.01.1970", 28, TEXTS("1970-01-01"), &odd) == KN_TYPE_DATE && odd == 1);
    CHECK(guess("197001%02d", 28, TEXTS("x"), &odd) == KN_TYPE_DATE && odd == 1);
    CHECK(guess("999901%02d", 28, TEXTS("x"), &odd) == KN_TYPE_NUMBER && odd == 1);
    CHECK(guess("%d,5", 40, TEXTS("1.5", "2.5"), &odd) == KN_TYPE_NUMBER && odd == 2);
    CHECK(guess("%d,500", 40, TEXTS("x"), &odd) == KN_TYPE_STRING && odd == 0);
    CHECK(guess("%d", 100, TEXTS("007"), &odd) == KN_TYPE_STRING && odd == 0);
    CHECK(guess("a%d", 30, TEXTS("1"), &odd) == KN_TYPE_STRING && odd == 0);
    CHECK(guess("%d", 5, TEXTS(NULL), &odd) == KN_TYPE_NUMBER && odd == 0);
    CHECK(guess("%d", 0, TEXTS(NULL), &odd) == KN_TYPE_STRING && odd == 0);
    CHECK(guess("%d", 200, TEXTS("x", "y", "z"), &odd) == KN_TYPE_NUMBER && odd == 3);
}

TEST(type_names)
{
    CHECK_STR(kn_type_name(KN_TYPE_AUTO), "auto");
    CHECK_STR(kn_type_name(KN_TYPE_NUMBER), "number");
    CHECK_STR(kn_type_name(KN_TYPE_DATE), "date");
    CHECK_STR(kn_type_name(KN_TYPE_STRING), "string");
    CHECK_STR(kn_type_name(KN_TYPE_PLACE), "place");
}

static void
check_format(const char *const *texts, kn_date_format format, bool ambiguous)
{
    fixture        f;
    kn_date_format found = KN_DATE_FORMATS;
    bool           swap;

    CHECK(kn_date_infer(domain_of(&f, texts, "?"), &found, &swap));
    CHECK_EQ_U64(found, format);
    CHECK_EQ_U64(swap, ambiguous);
}

TEST(day_or_month_first)
{
    fixture        f;
    kn_date_format format;
    bool           swap;

    check_format(TEXTS("31/01/1970", "?"), KN_DATE_DMY_SLASH, false);
    check_format(TEXTS("01/02/1970", "01/31/1970"), KN_DATE_MDY_SLASH, false);
    check_format(TEXTS("01/02/1970", "03/04/1970"), KN_DATE_DMY_SLASH, true);
    check_format(TEXTS("01/01/1970", "02/02/1970"), KN_DATE_DMY_SLASH, false);
    check_format(TEXTS("01.02.1970"), KN_DATE_DMY_DOT, false);
    CHECK(!kn_date_infer(domain_of(&f, TEXTS("31/01/1970", "01/31/1970"), NULL), &format, &swap));
    CHECK(!kn_date_infer(domain_of(&f, TEXTS("?"), "?"), &format, &swap));
    CHECK(!kn_date_infer(domain_of(&f, TEXTS(NULL), NULL), &format, &swap));
}

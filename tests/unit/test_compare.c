/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare.c -- kanon compare: the forms of generalized values, a release made by hand with numbers
 * worked out by hand, memory, and what is refused. The oracle of random tables is
 * tests/oracle/run_compare.py. */
#include <unistd.h>

#include "compare/compare.h"
#include "compare/forms.h"
#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "test.h"

/* --- forms ------------------------------------------------------------------------------------ */

static bool
read_number(const void *user, kn_str text, double *out)
{
    kn_decimal decimal;

    if (user ? !kn_decimal_parse(text, &decimal) : !kn_decimal_parse_strict(text, &decimal))
        return false;
    *out = kn_decimal_double(decimal);
    return true;
}

static void
check_interval(const char *text, double low, double high, const char *open)
{
    kn_interval i;

    if (!kn_form_interval(kn_str_of(text), read_number, NULL, &i))
        FAIL("'%s' is an interval", text);
    CHECK(i.low == low && i.high == high);
    CHECK(i.low_open == (strchr(open, 'l') != NULL) && i.high_open == (strchr(open, 'h') != NULL));
}

TEST(intervals_are_read_in_the_forms_of_many_tools)
{
    const double endless = (double) INFINITY;

    check_interval("20-29", 20, 29, "");
    check_interval(" 20 - 29 ", 20, 29, "");
    check_interval("-5-10", -5, 10, "");
    check_interval("-10--5", -10, -5, "");
    check_interval("-10 to -5", -10, -5, "");
    check_interval("20 to 29", 20, 29, "");
    check_interval("1.5 to under 3", 1.5, 3, "h");
    check_interval("20 or later", 20, endless, "");
    check_interval("before 20", -endless, 20, "h");
    check_interval("20..29", 20, 29, "");
    check_interval("20~29", 20, 29, "");
    check_interval("20\xe2\x80\x93"
                   "29",
                   20, 29, "");
    check_interval("17,25", 17, 25, "");
    check_interval("[1.5, 3)", 1.5, 3, "h");
    check_interval("[20, 30[", 20, 30, "h");
    check_interval("]20;30]", 20, 30, "l");
    check_interval("(20,30)", 20, 30, "lh");
    check_interval("[7, 7]", 7, 7, "");
    check_interval("[-inf, 3)", -endless, 3, "h");
    check_interval("(3, inf)", 3, endless, "lh");
    check_interval(">=50", 50, endless, "");
    check_interval("> 50", 50, endless, "l");
    check_interval("<50", -endless, 50, "h");
    check_interval("\xe2\x89\xa4 50", -endless, 50, "");
    check_interval("90+", 90, endless, "");
    check_interval("90 or more", 90, endless, "");
    check_interval("under 18", -endless, 18, "h");
}

TEST(other_texts_are_no_intervals)
{
    static const char *const others[] = { "",         "-",      "20",       "30-20", "[30, 20]",
                                          "(7, 7)",   "a-b",    "20-",      "-20",   "[20]",
                                          "20-29-39", ">= ten", "{20, 30}", "inf-3" };
    kn_interval              i;

    for (size_t n = 0; n < KN_COUNT(others); n++)
        if (kn_form_interval(kn_str_of(others[n]), read_number, NULL, &i))
            FAIL("'%s' is no interval", others[n]);
}

TEST(decimal_commas_part_ends_only_with_a_semicolon_or_blank)
{
    kn_interval i;

    CHECK(kn_form_interval(KN_STR("[1,5; 2,5)"), read_number, "comma", &i));
    CHECK(i.low == 1.5 && i.high == 2.5 && i.high_open);
    CHECK(kn_form_interval(KN_STR("1,5-2,5"), read_number, "comma", &i));
    CHECK(i.low == 1.5 && i.high == 2.5);
}

TEST(sets_and_hidden_characters)
{
    kn_str inside;
    char   separator;

    CHECK(kn_form_set(KN_STR("{a, b}"), &inside, &separator) && separator == ',');
    CHECK_PIECE(inside, "a, b");
    CHECK(kn_form_set(KN_STR("a|b"), &inside, &separator) && separator == '|');
    CHECK(kn_form_set(KN_STR("[x]"), &inside, &separator));
    CHECK_PIECE(inside, "x");
    CHECK(!kn_form_set(KN_STR("a b"), &inside, &separator));
    CHECK(kn_form_hidden(KN_STR("8001*")) && !kn_form_hidden(KN_STR("***")));
    CHECK(kn_hidden_fits(KN_STR("8*0*"), KN_STR("8001")));
    CHECK(!kn_hidden_fits(KN_STR("8*"), KN_STR("8001")));
    CHECK(kn_hidden_fits(KN_STR("M*nchen"), KN_STR("M\xc3\xbcnchen")));
    CHECK(kn_hidden_fits_any(KN_STR("8*"), KN_STR("8001")));
    CHECK(kn_hidden_fits_any(KN_STR("*a*b"), KN_STR("xaxxab")));
    CHECK(!kn_hidden_fits_any(KN_STR("*a*b"), KN_STR("xaxxba")));
}

/* --- a release made by hand ------------------------------------------------------------------- */

typedef struct request {
    const char *original, *released;
    const char *settings[12]; /* name, value ...; NULL ends */
} request;

static kanon_status
compare(kanon_ctx *ctx, const request *asked, kanon_comparison **out)
{
    kanon_status          rc = KANON_OK;
    kanon_config         *config = NULL;
    kanon_source         *a = NULL, *b = NULL;
    kanon_compare_options options = KANON_COMPARE_OPTIONS_INIT;

    *out = NULL;
    options.queries = 50;
    KN_TRY(kanon_config_new(ctx, &config));
    for (size_t i = 0; asked->settings[i]; i += 2)
        KN_TRY(kanon_config_set(config, asked->settings[i], asked->settings[i + 1]));
    KN_TRY(kanon_source_memory(ctx, "a.csv", asked->original, strlen(asked->original), &a));
    KN_TRY(kanon_source_memory(ctx, "b.csv", asked->released, strlen(asked->released), &b));
    KN_TRY(kanon_compare(ctx, config, a, b, &options, out));
out:
    kanon_source_free(a);
    kanon_source_free(b);
    kanon_config_free(config);
    return rc;
}

/* The table of docs/METRICS.md, its release with columns and rows in another order, and one row less. */
static const char original[] = "age,postcode,sex,crime\n24,80015,F,assault\n28,80019,M,kidnapping\n"
                               "42,85073,F,homicide\n49,85071,M,rape\n";
static const char by_hand[] =
    "sex;crime;postcode;age\n*;rape;8507*;40 to 49\n*;assault;8001*;20 to 29\n"
    "*;kidnapping;8001*;20 to 29\n*;homicide;8507*;40 to 49\n";
static const char shorter[] = "postcode;age\n8001*;[20, 30)\n8507*;>=40\n8507*;42\n";

static void
compare_ok(kanon_ctx *ctx, const request *asked, kanon_comparison **out)
{
    CHECK_OK(ctx, compare(ctx, asked, out));
}

static double
number(const kanon_comparison *c, const char *name)
{
    double value = 0;

    CHECK(kanon_comparison_number(c, name, &value) == KANON_OK);
    return value;
}

TEST(a_release_made_by_hand)
{
    static const request asked = { original,
                                   by_hand,
                                   { "qi", "age,postcode,sex", "label", "crime", "hierarchy",
                                     "age=range:5,10,50", "hierarchy", "postcode=mask:right" } };
    failing_alloc        state = { 0 };
    kanon_ctx           *ctx = failing_alloc_ctx(&state);
    kanon_comparison    *c;

    compare_ok(ctx, &asked, &c);
    CHECK_NEAR(number(c, "glm"), (0.28 + 1 / 3.0 + 1) / 3, 1e-12); /* as METRICS.md works it out */
    CHECK_NEAR(number(c, "gcp"), (0.28 + 0.5 + 1) / 3, 1e-12);
    CHECK_NEAR(number(c, "entropy"), (0.5 + 0.5 + 1) / 3, 1e-12);
    CHECK_NEAR(number(c, "tvd"), 0, 1e-12); /* every value once, and spread evenly */
    CHECK_NEAR(number(c, "cm_before"), 0, 1e-12);
    CHECK_NEAR(number(c, "cm_after"), 0.5, 1e-12);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_GROUP], 4);
    CHECK_EQ_U64(c->columns[2].cells[KN_READ_ALL], 4);
    CHECK_EQ_U64(c->npairs, 6);
    CHECK_NEAR(c->pairs[0].tvd, 0.5, 1e-12); /* 4 cells of a quarter became 8 of an eighth */
    CHECK_NEAR(c->pairs[0].v_after, 1 / sqrt(3.0),
               1e-12); /* of 1, since halves are all that is told */
    CHECK_NEAR(c->pairs[0].v_before, 1, 1e-12);
    CHECK(kanon_comparison_number(c, "nothing", &(double){ 0 }) == KANON_E_INVALID);
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(rows_and_columns_less)
{
    static const request asked = { original, shorter, { "qi", "age,sex" } };
    failing_alloc        state = { 0 };
    kanon_ctx           *ctx = failing_alloc_ctx(&state);
    kanon_comparison    *c;

    compare_ok(ctx, &asked, &c);
    CHECK_EQ_U64(c->lost, 1);
    CHECK_EQ_U64(c->ncolumns, 3);
    CHECK_EQ_U64(c->ndropped, 1);
    CHECK_STR(c->dropped[0], "crime");
    CHECK_STR(c->columns[0].name, "age");
    CHECK_NEAR(c->columns[0].glm,
               ((30 - 24) / 25.0 + (49 - 42) / 25.0 * 0 + (49 - 40) / 25.0 + 1) / 4, 1e-12);
    CHECK(c->columns[2].dropped);
    CHECK_NEAR(c->columns[2].glm, 1, 1e-12);
    CHECK_EQ_U64(c->columns[1].cells[KN_READ_PATTERN], 3);
    CHECK(c->learning.label == NULL);
    CHECK(isnan(number(c, "accuracy_after")));
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(a_label_of_several_levels_is_of_the_one_that_explains_the_column)
{
    /* "b" is a value, and the name of a group at level 1 */
    static const char table[] = "x,y\na,1\nb,2\nc,3\n";
    static const char by_level[] = "x,y\nb,1\nb,2\nd,3\n", mixed[] = "x,y\nb,1\nb,2\nc,3\n";
    char              path[] = "/tmp/kanon-test-compareXXXXXX", spec[80];
    int               fd = mkstemp(path);
    request           asked = { table, by_level, { "hierarchy", spec } };
    failing_alloc     state = { 0 };
    kanon_ctx        *ctx = failing_alloc_ctx(&state);
    kanon_comparison *c;

    CHECK(fd >= 0 && write(fd, "a;b;*\nb;b;*\nc;d;*\n", 18) == 18 && close(fd) == 0);
    snprintf(spec, sizeof spec, "x=%s", path);
    compare_ok(ctx, &asked, &c);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_GROUP], 3);
    CHECK_NEAR(c->columns[0].glm, (0.5 + 0.5 + 0) / 3, 1e-12);
    kanon_comparison_free(c);
    asked.released = mixed;
    compare_ok(ctx, &asked, &c);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_VALUE], 3);
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    unlink(path);
    CHECK_EQ_U64(state.live, 0);
}

TEST(missing_cells_of_a_release)
{
    static const request filled = { "x\n1\n2\n3\n4\n", "x\n1\nNA\n3\nNA\n", { "qi", "x" } };
    static const request holes = { "x\n1\n?\n3\n4\n", "x\n1\nNA\n3\nNA\n", { "qi", "x" } };
    failing_alloc        state = { 0 };
    kanon_ctx           *ctx = failing_alloc_ctx(&state);
    kanon_comparison    *c;

    compare_ok(ctx, &filled, &c); /* nobody had none: it is suppressed */
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_ALL], 2);
    CHECK_NEAR(c->glm, 0.5, 1e-12);
    kanon_comparison_free(c);
    compare_ok(ctx, &holes, &c);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_MISSING], 2);
    CHECK_NEAR(c->glm, 0, 1e-12);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 1); /* one cell more is missing than was */
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(dates_and_numbers_that_nobody_had)
{
    static const request asked = {
        "born,size\n1970-01-05,10\n1970-03-01,20\n1981-01-02,40\n",
        "born,size\n1970,14.9\n1970-1979,15\n1980-01-01 - 1982-01-01,99\n",
        { NULL }
    };
    failing_alloc     state = { 0 };
    kanon_ctx        *ctx = failing_alloc_ctx(&state);
    kanon_comparison *c;

    compare_ok(ctx, &asked, &c);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_GROUP], 2);
    CHECK_EQ_U64(c->columns[0].cells[KN_READ_INTERVAL], 1);
    CHECK_EQ_U64(c->columns[1].cells[KN_READ_NUMBER], 3);
    CHECK_NEAR(c->columns[1].glm, 0, 1e-12);
    CHECK_NEAR(c->columns[1].mean_after, (14.9 + 15 + 99) / 3, 1e-9);
    CHECK_NEAR(c->columns[1].tvd, 1 / 3.0, 1e-12); /* 10, 10, 40 instead of 10, 20, 40 */
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(empty_tables)
{
    static const request nothing = { "a,b\n", "a,b\n", { "label", "b" } };
    static const request none_released = { "a,b\n1,x\n2,y\n",
                                           "a,b\n",
                                           { "qi", "a", "label", "b" } };
    static const request none_there = { "a,b\n", "a,b\n1,x\n", { "qi", "a", "label", "b" } };
    const request       *all[] = { &nothing, &none_released, &none_there };
    failing_alloc        state = { 0 };
    kanon_ctx           *ctx = failing_alloc_ctx(&state);

    for (size_t i = 0; i < KN_COUNT(all); i++)
        for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
            kanon_comparison *c;
            kanon_sink       *sink = NULL;
            size_t            count = 0;

            compare_ok(ctx, all[i], &c);
            CHECK_NEAR(number(c, "glm"), i == 1, 1e-12);
            CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
            CHECK_OK(ctx, kanon_comparison_write(ctx, c, (kanon_format) format, sink));
            CHECK(kanon_sink_bytes(sink, &count) && count > 100);
            kanon_sink_free(sink);
            kanon_comparison_free(c);
        }
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(foreign_text_on_a_page_is_harmless)
{
    /* values that enough rows have are named; they must not become markup */
    static const char row[] = "<script>x</script>,\"a&b\"\n";
    char              table[1000] = "<b>x</b>,y\n";
    request           asked = { table, table, { NULL } };
    failing_alloc     state = { 0 };
    kanon_ctx        *ctx = failing_alloc_ctx(&state);
    kanon_comparison *c;
    kanon_sink       *sink = NULL;
    size_t            count = 0;
    const char       *page;

    for (size_t i = 0; i < 12; i++)
        strncat(table, row, sizeof table - strlen(table) - 1);
    compare_ok(ctx, &asked, &c);
    CHECK_STR(c->columns[0].bins[0].label, "<script>x</script>");
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_comparison_write(ctx, c, KANON_FORMAT_HTML, sink));
    page = kanon_sink_bytes(sink, &count);
    CHECK(count > 1000 && !memmem(page, count, "<script", 7) && !memmem(page, count, "<b>x", 4));
    CHECK(memmem(page, count, "&lt;script&gt;", 14) && memmem(page, count, "a&amp;b", 7));
    kanon_sink_free(sink);
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

/* Identifiers are not compared. What a release shows of them is counted and told, without a value. */
TEST(identifiers_in_clear_are_told)
{
    static const char table[] = "name,mail,age\nAnn,a@x,20\nBob,b@x,30\nCy,c@x,40\n";
    const request     leak = { table,
                               "age,name\n20-30,Ann\n20-30,*\n40,?\n",
                               { "id", "name,mail", "qi", "age", NULL } };
    const request     clean = { table,
                                "age,name\n20-30,\n20-30,*\n40,NA\n",
                                { "id", "name,mail", NULL } };
    kanon_ctx        *ctx = NULL;
    kanon_comparison *c = NULL;
    kanon_sink       *sink = NULL;
    size_t            count;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, compare(ctx, &clean, &c));
    CHECK_EQ_U64(c->nleft_out, 2);
    CHECK_EQ_U64(c->identifiers.count, 1);
    CHECK_EQ_U64(c->identifiers.columns[0].rows, 0);
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 0);
    kanon_comparison_free(c);
    CHECK_OK(ctx, compare(ctx, &leak, &c));
    CHECK_EQ_U64(c->nleft_out, 2);
    CHECK_EQ_U64(c->identifiers.count, 1); /* mail was not released */
    CHECK_STR(c->identifiers.columns[0].name, "name");
    CHECK_EQ_U64(c->identifiers.columns[0].rows, 1);
    CHECK_STR(kanon_ctx_warning(ctx, 0),
              "b.csv: the identifier 'name' is in clear in 1 row; do not share this release");
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
        const char *words[] = { "\"clear-identifier\"",
                                "Look at       name: an identifier is in clear",
                                "is in clear in 1 row.</p>" };
        const char *text;

        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_comparison_write(ctx, c, (kanon_format) format, sink));
        text = kanon_sink_bytes(sink, &count);
        CHECK(memmem(text, count, words[format], strlen(words[format])));
        CHECK(!memmem(text, count, "Ann", 3));
        kanon_sink_free(sink);
    }
    kanon_comparison_free(c);
    kanon_ctx_free(ctx);
}

TEST(bins_of_many_numbers_are_called_by_round_bounds)
{
    /* 400 rows, value number i of a column being low + i * step; where the 20 bins begin, third and last */
    static const struct {
        const char *format;
        double      low, step;
        const char *first, *third, *last;
    } cases[] = {
        { "%.0f", 0, 1, "below 20", "40 to 59", "380 and more" },
        { "%.0f", -200, 1, "below -180", "-160 to -141", "180 and more" },
        { "%.0f", 10007, 37, "below about 10700", "about 11500 to 12200", "about 24000 and more" },
        { "%.2f", 0.05, 0.25, "below 5", "10 to 15", "95 and more" },
        { "%.4f", 7, 0.0001, "below 7.002", "7.004 to 7.006", "7.038 and more" },
        { "%.9f", 7, 1e-9, NULL, NULL, NULL }, /* too fine to tell: by rank */
        { "%.0f", 1e17, 1e3, NULL, NULL, NULL },
    };
    static char       table[16000];
    request           asked = { table, table, { NULL } };
    failing_alloc     state = { 0 };
    kanon_ctx        *ctx = failing_alloc_ctx(&state);
    kanon_comparison *c;

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        const char *const wanted[] = { cases[i].first, cases[i].third, cases[i].last };
        const size_t      which[] = { 0, 2, 19 };
        size_t            length = (size_t) snprintf(table, sizeof table, "x,y\n");

        for (size_t row = 0; row < 400; row++) {
            length += (size_t) snprintf(table + length, sizeof table - length, cases[i].format,
                                        cases[i].low + (double) row * cases[i].step);
            length += (size_t) snprintf(table + length, sizeof table - length, ",%zu\n", row % 2);
        }
        compare_ok(ctx, &asked, &c);
        CHECK_EQ_U64(c->columns[0].nbins, 20);
        for (size_t b = 0; b < 3; b++) {
            const char *label = c->columns[0].bins[which[b]].label;

            CHECK(!label == !wanted[b]);
            if (label && wanted[b])
                CHECK_STR(label, wanted[b]);
        }
        kanon_comparison_free(c);
    }
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

TEST(what_is_refused)
{
    static const struct {
        request     asked;
        const char *message;
    } cases[] = {
        { { original, "x,y\n1,2\n", { NULL } }, "has no column of a.csv" },
        { { original, by_hand, { "qi", "agge" } }, "did you mean 'age'?" },
        { { original, by_hand, { "label", "nobody" } }, "label: 'nobody'" },
        { { original, "sex\n*\n", { "id", "sex" } }, "is an identifier" },
    };
    kanon_ctx        *ctx = NULL;
    kanon_comparison *c;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        CHECK(compare(ctx, &cases[i].asked, &c) == KANON_E_INVALID);
        CHECK(c == NULL);
        if (!strstr(kanon_ctx_message(ctx), cases[i].message))
            FAIL("message '%s', expected '%s' in it", kanon_ctx_message(ctx), cases[i].message);
    }
    kanon_ctx_free(ctx);
}

/* --- memory ----------------------------------------------------------------------------------- */

static kanon_status
compare_and_write(kanon_ctx *ctx, void *user)
{
    kanon_status      rc = KANON_OK;
    kanon_comparison *c = NULL;
    kanon_sink       *sink = NULL;

    KN_TRY(compare(ctx, user, &c));
    for (int format = KANON_FORMAT_JSON; format <= KANON_FORMAT_HTML; format++) {
        KN_TRY(kanon_sink_memory(ctx, &sink));
        KN_TRY(kanon_comparison_write(ctx, c, (kanon_format) format, sink));
        kanon_sink_free(sink);
        sink = NULL;
    }
out:
    kanon_sink_free(sink);
    kanon_comparison_free(c);
    return rc;
}

TEST(every_allocation_may_fail)
{
    request asked = { "age,town,sick\n20,Bonn,y\n30,Jena,n\n,Kiel,y\n45,Bonn,n\n",
                      "town,age,sick\n\"{Bonn,Jena}\",20-30,y\nB*,[20; 30[,n\n*,?,y\nwhere,>1,n\n",
                      { "qi", "age", "label", "sick" } };

    CHECK(failing_alloc_sweep(compare_and_write, &asked) > 50);
}

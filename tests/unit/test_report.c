/* SPDX-License-Identifier: Apache-2.0 */
/* test_report.c -- src/report: the JSON emitter, numbers for people, the reports of a result filled by
 * hand against tests/golden/report (KANON_UPDATE_GOLDEN=1 writes them anew), sinks and memory. */
#include <locale.h>

#include "anonymize/findings.h"
#include "base/plain.h"
#include "base/rng.h"
#include "failing_alloc.h"
#include "golden.h"
#include "report/report.h"
#include "test.h"

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* --- JSON -------------------------------------------------------------------------------------- */

#define CHECK_MADE(make, expected)                                                                 \
    do {                                                                                           \
        kn_text made_;                                                                             \
        kn_text_init(&made_, ctx);                                                                 \
        make;                                                                                      \
        CHECK_OK(ctx, kn_text_status(&made_));                                                     \
        CHECK_STR(made_.ptr ? made_.ptr : "", expected);                                           \
        kn_text_fini(&made_);                                                                      \
    } while (0)

TEST(json_structure)
{
    kanon_ctx *ctx = plain_ctx();
    kn_json    json;
    kn_text    text;

    kn_text_init(&text, ctx);
    kn_json_init(&json, &text);
    kn_json_object(&json, NULL);
    kn_json_object(&json, "empty");
    kn_json_end(&json);
    kn_json_array(&json, "list");
    kn_json_count(&json, NULL, 18446744073709551615u);
    kn_json_truth(&json, NULL, true);
    kn_json_array(&json, NULL);
    kn_json_end(&json);
    kn_json_end(&json);
    kn_json_null(&json, "none");
    kn_json_string(&json, "absent", NULL);
    kn_json_end(&json);
    CHECK_OK(ctx, kn_text_status(&text));
    CHECK_STR(text.ptr, "{\n  \"empty\": {},\n  \"list\": [\n    18446744073709551615,\n    true,\n"
                        "    []\n  ],\n  \"none\": null,\n  \"absent\": null\n}\n");
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

static void
put_json_string(kn_text *text, const char *value)
{
    kn_json json;

    kn_json_init(&json, text);
    kn_json_string(&json, NULL, value);
}

TEST(json_strings_are_escaped)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_MADE(put_json_string(&made_, "plain"), "\"plain\"");
    CHECK_MADE(put_json_string(&made_, ""), "\"\"");
    CHECK_MADE(put_json_string(&made_, "a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
    CHECK_MADE(put_json_string(&made_, "\n\r\t\x01\x1f\x7f"), "\"\\n\\r\\t\\u0001\\u001f\\u007f\"");
    CHECK_MADE(put_json_string(&made_, "M\xc3\xbcnchen \xf0\x9f\x98\x80"),
               "\"M\xc3\xbcnchen \xf0\x9f\x98\x80\"");
    CHECK_MADE(put_json_string(&made_, "a\xff\xc3"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
    CHECK_MADE(put_json_string(&made_, "\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    kanon_ctx_free(ctx);
}

TEST(json_numbers_are_short)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_MADE(kn_json_put_double(&made_, 0.0), "0");
    CHECK_MADE(kn_json_put_double(&made_, -0.0), "0");
    CHECK_MADE(kn_json_put_double(&made_, 5), "5");
    CHECK_MADE(kn_json_put_double(&made_, 0.01), "0.01");
    CHECK_MADE(kn_json_put_double(&made_, -12.5), "-12.5");
    CHECK_MADE(kn_json_put_double(&made_, 1.0 / 3), "0.3333333333333333");
    CHECK_MADE(kn_json_put_double(&made_, 0.1 + 0.2), "0.30000000000000004");
    CHECK_MADE(kn_json_put_double(&made_, 123456789012.0), "123456789012");
    CHECK_MADE(kn_json_put_double(&made_, 1e16), "10000000000000000");
    CHECK_MADE(kn_json_put_double(&made_, 1e17), "1e+17");
    CHECK_MADE(kn_json_put_double(&made_, 2.5e-5), "0.000025");
    CHECK_MADE(kn_json_put_double(&made_, 2.5e-7), "2.5e-7");
    CHECK_MADE(kn_json_put_double(&made_, (double) NAN), "null");
    CHECK_MADE(kn_json_put_double(&made_, (double) INFINITY), "null");
    CHECK_MADE(kn_json_put_double(&made_, -(double) INFINITY), "null");
    kanon_ctx_free(ctx);
}

static void
check_reads_back(kanon_ctx *ctx, double value)
{
    kn_text text;
    char    longest[40];

    kn_text_init(&text, ctx);
    kn_json_put_double(&text, value);
    snprintf(longest, sizeof longest, "%.17g", value);
    if (strtod(text.ptr, NULL) != value)
        FAIL("%s reads back as %s", longest, text.ptr);
    kn_text_fini(&text);
}

TEST(json_numbers_read_back)
{
    kanon_ctx *ctx = plain_ctx();
    kn_rng     rng;

    kn_rng_init(&rng, 1, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = kn_rng_next(&rng);
        double   any;

        memcpy(&any, &bits, sizeof any);
        if (isfinite(any))
            check_reads_back(ctx, any);
        check_reads_back(ctx, kn_rng_unit(&rng));
        check_reads_back(ctx, (double) kn_rng_below(&rng, 1000)
                                  / (double) (1 + kn_rng_below(&rng, 1000)));
        check_reads_back(ctx, (double) (kn_rng_next(&rng) >> kn_rng_below(&rng, 64)));
    }
    check_reads_back(ctx, 4.9406564584124654e-324);
    check_reads_back(ctx, 1.7976931348623157e308);
    kanon_ctx_free(ctx);
}

TEST(numbers_ignore_the_locale)
{
    kanon_ctx  *ctx = plain_ctx();
    const char *names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8" };

    for (size_t i = 0; i < KN_COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]))
            break;
    CHECK_MADE(kn_json_put_double(&made_, 0.25), "0.25");
    CHECK_MADE(kn_plain_fixed(&made_, 1234.25, 2), "1,234.25");
    setlocale(LC_ALL, "C");
    kanon_ctx_free(ctx);
}

/* --- for people -------------------------------------------------------------------------------- */

static void
put_items(kn_text *text, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++)
        if (kn_plain_item(text, i, count, most))
            kn_text_addf(text, "%c", (char) ('a' + i));
}

TEST(plain_numbers)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_MADE(kn_plain_count(&made_, 0), "0");
    CHECK_MADE(put_items(&made_, 1, 3), "a");
    CHECK_MADE(put_items(&made_, 2, 3), "a and b");
    CHECK_MADE(put_items(&made_, 3, 3), "a, b and c");
    CHECK_MADE(put_items(&made_, 4, 3), "a, b and 2 more");
    CHECK_MADE(put_items(&made_, 9, 2), "a and 8 more");
    CHECK_MADE(kn_plain_count(&made_, 999), "999");
    CHECK_MADE(kn_plain_count(&made_, 1000), "1,000");
    CHECK_MADE(kn_plain_count(&made_, UINT64_MAX), "18,446,744,073,709,551,615");
    CHECK_MADE(kn_plain_counted(&made_, 1, "row"), "1 row");
    CHECK_MADE(kn_plain_counted(&made_, 0, "row"), "0 rows");
    CHECK_MADE(kn_plain_fixed(&made_, 0.05, 1), "0.1");
    CHECK_MADE(kn_plain_fixed(&made_, -0.01, 1), "0.0");
    CHECK_MADE(kn_plain_fixed(&made_, -12.25, 1), "-12.3");
    CHECK_MADE(kn_plain_fixed(&made_, (double) NAN, 1), "-");
    CHECK_MADE(kn_plain_fixed(&made_, 1e30, 1), "1e+30");
    CHECK_MADE(kn_plain_number(&made_, 0.3125), "0.3125");
    CHECK_MADE(kn_plain_number(&made_, 0.04), "0.04");
    CHECK_MADE(kn_plain_number(&made_, 999.99999), "1,000");
    CHECK_MADE(kn_plain_number(&made_, 12960), "12,960");
    CHECK_MADE(kn_plain_number(&made_, 1.234e20), "1.23e+20");
    CHECK_MADE(kn_plain_number(&made_, 1.5e-9), "1.50e-9");
    CHECK_MADE(kn_plain_percent(&made_, 0), "0.0 %");
    CHECK_MADE(kn_plain_percent(&made_, 0.0001), "<0.1 %");
    CHECK_MADE(kn_plain_percent(&made_, 0.99999), ">99.9 %");
    CHECK_MADE(kn_plain_percent(&made_, 1), "100.0 %");
    CHECK_MADE(kn_plain_bytes(&made_, 999), "999 bytes");
    CHECK_MADE(kn_plain_bytes(&made_, 85400000), "85.4 MB");
    kanon_ctx_free(ctx);
}

TEST(plain_names_do_not_steer_a_terminal)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_MADE(kn_plain_name(&made_, "age", 0), "age");
    CHECK_MADE(kn_plain_name(&made_, "a\x1b[31mb\n", 0), "a?[31mb?");
    CHECK_MADE(kn_plain_name(&made_,
                             "a\xc2\x9b"
                             "31m",
                             0),
               "a?31m");
    CHECK_MADE(kn_plain_name(&made_, "caf\xc3\xa9\xff", 0), "caf\xc3\xa9?");
    CHECK_MADE(kn_plain_name(&made_, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5),
               "\xc3\xa9\xc3\xa9...");
    CHECK_MADE(kn_plain_name(&made_, NULL, 0), "");
    kanon_ctx_free(ctx);
}

static void
wrapped(kn_text *text, const char *line)
{
    kn_text_addz(text, line);
    kn_plain_wrap(text, 0, 12, 3);
}

TEST(plain_lines_are_broken)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_MADE(wrapped(&made_, "short\n"), "short\n");
    CHECK_MADE(wrapped(&made_, "one two three four\n"), "one two\n   three\n   four\n");
    CHECK_MADE(wrapped(&made_, "a averyveryverylongword b\n"), "a averyveryverylongword\n   b\n");
    CHECK_MADE(wrapped(&made_, "one two thre\nx\n"), "one two thre\nx\n");
    kanon_ctx_free(ctx);
}

/* --- a result made by hand ----------------------------------------------------------------------- */

static const kn_setting params[] = { { "population", "100" }, { "max-evaluations", "5000" } };
static const unsigned   bounds[] = { 1, 0, 0 };

static void
fill_hash(char text[KN_HASH_TEXT], unsigned start)
{
    uint8_t hash[KN_HASH_BYTES];

    for (unsigned i = 0; i < KN_HASH_BYTES; i++)
        hash[i] = (uint8_t) (start + i * 7);
    kn_hash_hex(hash, KN_HASH_BYTES, text);
}

static void
fill_input(kanon_result *r)
{
    r->input_name = "people.csv";
    r->output_name = "release.csv";
    r->input_rows = 5000;
    r->input_bytes = 412345;
    r->input_columns = 6;
    r->distinct_tuples = 4210;
    fill_hash(r->input_hash, 3);
    fill_hash(r->output_hash, 90);
    r->k = 5;
    r->suppression = 0.01;
    r->suppression_rows = 50;
    r->algorithm = "kgen";
    r->algorithm_asked = "auto";
    r->choice = "auto chose kgen: 12,960 combinations are too many to try them all at once";
    r->metric = "log";
    r->seed = 1;
    strcpy(r->order_key, TEST_KEY);
    r->threads = 2;
    r->params = params;
    r->nparams = KN_COUNT(params);
    r->risk_before = (kn_risk){ 5000, 4210, 1, 9, 3201, 1, 0.842, 0.6402, 0.97, 1 };
}

enum { POSTCODE = 2 }; /* * in every released row */
static kn_result_attribute attributes[] = {
    { .name = "name", .role = KN_ROLE_IDENTIFIER, .values_before = 4980, .values_after = 1 },
    { .name = "age",
      .role = KN_ROLE_QUASI,
      .type = KN_TYPE_NUMBER,
      .hierarchy = "range",
      .level = 2,
      .height = 4,
      .values_before = 71,
      .values_after = 8,
      .example = "20-29",
      .loss = { 0.5, 0.135, 0.135, 0.135, 0.41 } },
    { .name = "postcode",
      .role = KN_ROLE_QUASI,
      .type = KN_TYPE_STRING,
      .hierarchy = "mask",
      .level = 5,
      .height = 5,
      .values_before = 800,
      .values_after = 1,
      .example = "*",
      .loss = { 1, 1, 1, 1, 1 } },
    { .name = "sex",
      .role = KN_ROLE_QUASI,
      .type = KN_TYPE_STRING,
      .hierarchy = "auto",
      .height = 1,
      .values_before = 3,
      .values_after = 3,
      .example = "F",
      .loss = { 0, 0.01, 0.01, 0.01, 0.01 } },
    { .name = "diagnosis",
      .role = KN_ROLE_SENSITIVE,
      .values_before = 40,
      .values_after = KN_NOT_COUNTED },
    { .name = "record",
      .role = KN_ROLE_INSENSITIVE,
      .values_before = 4978,
      .values_after = KN_NOT_COUNTED,
      .formulas = 3 },
};
static kn_sensitive_result sensitive[] = { { "diagnosis", 40, 1, 1, 0.83, 12, 30, 4.5, 2, 0.4 } };
static kn_class_bucket     histogram[] = { { 5, 9, 40, 280 },
                                           { 10, 19, 60, 840 },
                                           { 20, 49, 15, 450 },
                                           { 50, 99, 10, 700 },
                                           { 100, 0, 9, 2680 } };

static void
fill_solution(kanon_result *r)
{
    r->released_rows = 4950;
    r->suppressed_rows = 50;
    r->classes = 134;
    r->k_reached = r->crowd = 5;
    r->full_domain = true;
    r->metrics = (kn_metrics){ 0.5,  0.505,  0.01,   7,    812345, 0.3816,
                               5725, 0.3816, 0.3816, 0.37, 0.42,   7.462686567164179,
                               0.47 };
    r->attributes = attributes;
    attributes[0].dropped = false;
    attributes[POSTCODE].hidden_rows = r->released_rows;
    r->nattributes = KN_COUNT(attributes);
    r->sensitive = sensitive;
    r->nsensitive = KN_COUNT(sensitive);
    r->risk_after = (kn_risk){ 4950, 134, 5, 1200, 0, 0.2, 134.0 / 4950, 0, 0, 280.0 / 4950 };
    r->histogram = histogram;
    r->nhistogram = KN_COUNT(histogram);
    r->evaluations = 5000;
    r->predicted = 1024;
    r->lattice_nodes = 12960;
    r->searched_nodes = 9072;
    r->stopped = "max-evaluations";
    r->loss = 0.5;
    r->bounds = bounds;
    r->seconds = (kn_result_seconds){ 0.101, 0.02, 0.35, 0.05, 0.08, 0.06, 0.661 };
    r->peak_bytes = 85400000;
}

typedef void (*variant)(kanon_result *r);

static void
make_feasible(kanon_result *r)
{
    r->outcome = KANON_FEASIBLE;
    r->has_bound = true;
    r->lower_bound = 0.46;
    r->gap = 0.04;
}

static void
make_optimal(kanon_result *r)
{
    r->outcome = KANON_OPTIMAL;
    r->algorithm = r->algorithm_asked = "exhaustive";
    r->choice = "";
    r->params = NULL;
    r->nparams = 0;
    r->stopped = "complete";
    r->has_bound = true;
    r->lower_bound = 0.5;
    r->gap = 0;
    r->nsensitive = 0;
    r->suppressed_as = KN_SUPPRESSED_MASK;
    r->identifiers_as = KN_IDENTIFIERS_DROP;
    attributes[0].dropped = true;
    r->released_rows = attributes[POSTCODE].hidden_rows = 4990;
    r->suppressed_rows = r->masked_rows = 10;
    r->k_reached = r->crowd = 7;
    r->risk_after.min_class = 7;
    r->risk_after.prosecutor_max = 1.0 / 7;
}

static void
make_local(kanon_result *r)
{
    r->outcome = KANON_FEASIBLE;
    r->full_domain = false;
    r->algorithm = r->algorithm_asked = "mondrian";
    r->metric = "gcp";
    r->loss = 0.3816;
    r->choice = "";
    r->bounds = NULL;
    r->evaluations = 1;
    r->predicted = 0;
    r->lattice_nodes = r->searched_nodes = 0;
    r->stopped = "complete";
    r->peak_bytes = 0;
}

static void
make_infeasible(kanon_result *r)
{
    r->outcome = KANON_INFEASIBLE;
    r->advice =
        "k = 6000 is more than the 5000 rows; the largest k that works here is 5000 with every "
        "quasi-identifier at its top level";
    r->stopped = "complete";
}

/* After all else is filled in. */
static kanon_status
fill_findings(kanon_result *r)
{
    kanon_status     rc = KANON_OK;
    const kn_finding skipped = { .code = KN_FOUND_EMPTY_LINES,
                                 .place = kn_at_line("people.csv", 5001),
                                 .what = "people.csv:5001: skipped an empty last line",
                                 .figure = (double) NAN };
    const kn_finding nothing = { .code = KN_FOUND_INFEASIBLE,
                                 .what = "k = 6000 is more than the 5000 rows",
                                 .remedy = "the largest k that works here is 5000 with every "
                                           "quasi-identifier at its top level",
                                 .figure = 6000 };

    if (r->outcome != KANON_OPTIMAL)
        KN_TRY(kn_findings_add(&r->findings, &r->arena, skipped));
    if (r->outcome == KANON_INFEASIBLE)
        KN_TRY(kn_findings_add(&r->findings, &r->arena, nothing));
    KN_TRY(kn_job_hint(r));
    kn_findings_sort(&r->findings);
    KN_TRY(kn_result_judge(r));
out:
    return rc;
}

/* Advice anew, as the figures are now. */
static void
advise(kanon_result *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->findings.count; i++)
        if (r->findings.of[i].severity != KN_ADVICE)
            r->findings.of[kept++] = r->findings.of[i];
    r->findings.count = kept;
    CHECK_OK(r->ctx, kn_job_hint(r));
    kn_findings_sort(&r->findings);
    CHECK_OK(r->ctx, kn_result_judge(r));
}

static kanon_result *
make_result(kanon_ctx *ctx, variant make)
{
    kanon_result *r = NULL;

    CHECK_OK(ctx, kn_result_new(ctx, &r));
    fill_input(r);
    fill_solution(r);
    make(r);
    CHECK_OK(ctx, fill_findings(r));
    return r;
}

/* --- golden files -------------------------------------------------------------------------------- */

static void
check_width(const kn_text *text)
{
    size_t columns = 0;

    for (size_t i = 0; i < text->len; i++) {
        if (text->ptr[i] == '\n')
            columns = 0;
        else
            columns += ((unsigned char) text->ptr[i] & 0xc0) != 0x80;
        CHECK(columns <= 100);
    }
}

static void
check_reports(const char *name, variant make)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make);
    char          file[100];
    kn_text       text;

    kn_text_init(&text, ctx);
    kn_report_details(&text, r);
    CHECK_OK(ctx, kn_text_status(&text));
    check_width(&text);
    snprintf(file, sizeof file, "%s.txt", name);
    check_golden(file, text.ptr, text.len);
    kn_text_fini(&text);
    kn_text_init(&text, ctx);
    kn_report_json(&text, r);
    CHECK_OK(ctx, kn_text_status(&text));
    snprintf(file, sizeof file, "%s.json", name);
    check_golden(file, text.ptr, text.len);
    kn_text_fini(&text);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(report_feasible)
{
    check_reports("feasible", make_feasible);
}

TEST(report_optimal)
{
    check_reports("optimal", make_optimal);
}

TEST(report_local)
{
    check_reports("local", make_local);
}

TEST(report_infeasible)
{
    check_reports("infeasible", make_infeasible);
}

/* --- edges --------------------------------------------------------------------------------------- */

static char *
text_of(kanon_ctx *ctx, kanon_result *r)
{
    kn_text text;
    char   *taken;

    advise(r);
    kn_text_init(&text, ctx);
    kn_report_details(&text, r);
    check_width(&text);
    taken = kn_text_take(&text);
    CHECK(taken);
    return taken;
}

TEST(report_of_nothing)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = NULL;
    kn_text       text;
    char         *said;

    CHECK_OK(ctx, kn_result_new(ctx, &r));
    said = text_of(ctx, r);
    CHECK(strstr(said, "no rows"));
    CHECK(!strstr(said, "nan") && !strstr(said, "inf"));
    kn_free(ctx, said);
    kn_text_init(&text, ctx);
    kn_report_json(&text, r);
    CHECK_OK(ctx, kn_text_status(&text));
    kn_text_fini(&text);
    kanon_result_free(r);
    kanon_result_free(NULL);
    kanon_ctx_free(ctx);
}

TEST(report_of_one_row)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_optimal);
    char         *said;

    r->input_rows = r->released_rows = r->k = r->k_reached = r->crowd = r->classes = 1;
    r->suppressed_rows = r->masked_rows = r->suppression_rows = 0;
    r->risk_after.uniques = 1;
    r->nmodels = 0;
    said = text_of(ctx, r);
    CHECK(strstr(said, "k = 1: some rows are like no other; verified."));
    CHECK(strstr(said, "Nobody is protected: 1 of 1 released row is like no other."));
    kn_free(ctx, said);
    r->released_rows = r->k_reached = r->crowd = r->classes = 0;
    said = text_of(ctx, r);
    CHECK(strstr(said, "Nothing is left: every row was suppressed."));
    kn_free(ctx, said);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(report_keeps_its_width)
{
    kanon_ctx          *ctx = plain_ctx();
    kanon_result       *r = make_result(ctx, make_feasible);
    kn_result_attribute wide[] = {
        { .name = "a column with a very long name that nobody wanted to type",
          .role = KN_ROLE_QUASI,
          .hierarchy = "file",
          .level = 120,
          .height = 255,
          .example = "an example as long as its column's name is",
          .loss = { 1, 0.5, 1, 1, 1 } },
        { .name = "evil\x1b[2Jname", .role = KN_ROLE_INSENSITIVE },
    };
    char *said;

    r->attributes = wide;
    r->nattributes = KN_COUNT(wide);
    r->lattice_nodes = (double) INFINITY;
    r->input_rows = r->released_rows = UINT64_MAX / 2;
    r->loss = 1e300;
    said = text_of(ctx, r);
    CHECK(!strchr(said, 0x1b));
    CHECK(strstr(said, "more than 1e308"));
    kn_free(ctx, said);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(report_hints_come_and_go)
{
    kanon_ctx          *ctx = plain_ctx();
    kanon_result       *r = make_result(ctx, make_feasible);
    char               *said = text_of(ctx, r);
    kn_result_attribute own[2];

    CHECK(strstr(said, "postcode is lost completely"));
    CHECK(strstr(said, "Suppressed rows: 50 of at most 50; a higher"));
    CHECK(strstr(said, "max-evaluations=N"));
    CHECK(strstr(said, "at most 0.04 better is possible"));
    kn_free(ctx, said);
    r->nattributes = 2;
    sensitive[0].homogeneous_rows = 0;
    r->suppressed_rows = 30;
    r->stopped = "complete";
    said = text_of(ctx, r);
    sensitive[0].homogeneous_rows = 12;
    CHECK(!strstr(said, "Possible improvements"));
    CHECK(strstr(said, "count as lost."));
    kn_free(ctx, said);
    r->suppressed_rows = 0; /* an allowance that was not needed costs nothing */
    said = text_of(ctx, r);
    CHECK(!strstr(said, "Possible improvements"));
    CHECK(!strstr(said, "count as lost."));
    kn_free(ctx, said);
    memcpy(own, r->attributes,
           sizeof own); /* one group for all below the top is no better than * */
    CHECK(own[1].role == KN_ROLE_QUASI && own[1].level < own[1].height);
    own[1].loss.glm = 1;
    r->attributes = own;
    said = text_of(ctx, r);
    CHECK(strstr(said, "is lost completely"));
    kn_free(ctx, said);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(findings_are_told_with_what_to_do)
{
    kanon_ctx       *ctx = plain_ctx();
    kanon_result    *r = make_result(ctx, make_feasible);
    const kn_finding three[] = {
        { .code = KN_FOUND_OTHER_RELEASES, .what = "Once is enough", .figure = (double) NAN },
        { .code = KN_FOUND_NEARLY_UNIQUE,
          .place = kn_at_column("evil\x1b[2J"),
          .what = "evil\x1b[2J tells all",
          .remedy = "hide it",
          .figure = 0.25 },
        { .code = KN_FOUND_UNEVEN_SUPPRESSION,
          .what = "Some are gone",
          .remedy = "keep them",
          .figure = (double) NAN },
    };
    char       *said;
    const char *text;
    double      figure;
    kn_text     json;

    r->findings.count = 0;
    for (size_t i = 0; i < KN_COUNT(three); i++)
        CHECK_OK(ctx, kn_findings_add(&r->findings, &r->arena, three[i]));
    said = text_of(ctx, r);
    CHECK(strstr(said,
                 "\nWarnings\n  - evil?[2J tells all. What to do: hide it.\n"
                 "  - Some are gone. What to do: keep them; the HTML report (--report FILE.html) "
                 "shows which.\n"));
    CHECK(strstr(said, "\nBefore you share it\n  - Once is enough. What to do: release"));
    kn_free(ctx, said);
    kn_text_init(&json, ctx);
    kn_report_json(&json, r);
    CHECK(strstr(json.ptr, "\"code\": \"nearly-unique\",\n      \"severity\": \"serious\""));
    CHECK(strstr(json.ptr, "\"severity\": \"note\",\n      \"place\": null"));
    kn_text_fini(&json);
    CHECK_OK(ctx, kanon_result_text(r, "findings[0].place.kind", &text));
    CHECK_STR(text, "column");
    CHECK_OK(ctx, kanon_result_number(r, "findings[0].figure", &figure));
    CHECK(figure > 0.24 && figure < 0.26);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* Whoever adds a code says what it means here and in the documentation. */
TEST(every_code_of_a_finding_is_described)
{
    kanon_ctx  *ctx = plain_ctx();
    kn_text     row;
    static char docs[200000];
    FILE       *file = fopen(KANON_SOURCE_DIR "/docs/FORMATS.md", "rb");

    CHECK(file && fread(docs, 1, sizeof docs - 1, file) > 0 && feof(file));
    fclose(file);

    kn_text_init(&row, ctx);
    for (size_t i = 0; i < KN_FOUND_COUNT; i++) {
        const kn_finding_class *c = &kn_finding_classes[i];

        CHECK(c->code && c->code[0]
              && strspn(c->code, "abcdefghijklmnopqrstuvwxyz-") == strlen(c->code));
        CHECK(c->severity < KN_SEVERITIES && kn_severity_names[c->severity]);
        CHECK(c->meaning && c->meaning[0] && c->meaning[strlen(c->meaning) - 1] != '.');
        CHECK(c->remedy && c->remedy[0] && c->remedy[strlen(c->remedy) - 1] != '.');
        for (size_t other = 0; other < i; other++)
            CHECK(strcmp(c->code, kn_finding_classes[other].code) != 0);
        row.len = 0;
        kn_text_addf(&row, "| `%s` | %s | %s |", c->code, kn_severity_names[c->severity],
                     c->meaning);
        if (!strstr(docs, row.ptr))
            FAIL("docs/FORMATS.md lacks the row %s", row.ptr);
    }
    kn_text_fini(&row);
    kanon_ctx_free(ctx);
}

TEST(a_warning_is_listed_unless_a_finding_says_it)
{
    kanon_ctx  *ctx = plain_ctx();
    kn_arena    arena;
    kn_findings list = { NULL, 0, 0 };

    kn_arena_init(&arena, ctx);
    CHECK_OK(ctx, kn_findings_add(&list, &arena,
                                  (kn_finding){ .code = KN_FOUND_SPELLINGS,
                                                .place = kn_at_column("ill"),
                                                .what = "ill: 2 values differ" }));
    kn_warn(ctx, KN_FOUND_SPELLINGS, kn_at_column("ill"), "said before");
    kn_warn(ctx, KN_FOUND_SPELLINGS, kn_at_column("who"), "another column");
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, kn_at_line("a.csv", 7), "a line");
    kn_warn(ctx, KN_FOUND_EMPTY_LINES, kn_at_line("a.csv", 9), "another line");
    CHECK_OK(ctx, kn_findings_add_warnings(&list, &arena, ctx));
    kn_findings_sort(&list);
    CHECK_EQ_U64(list.count, 4);
    CHECK_STR(list.of[0].what, "ill: 2 values differ");
    CHECK_STR(list.of[1].place.name, "who");
    CHECK(list.of[1].severity == KN_SERIOUS && list.of[2].severity == KN_WARNING);
    CHECK_EQ_U64(list.of[2].place.line, 7);
    CHECK_STR(list.of[3].what, "another line");
    for (unsigned i = 0; i < 40; i++) /* it grows, and keeps what it has */
        CHECK_OK(ctx, kn_findings_add(&list, &arena,
                                      (kn_finding){ .code = KN_FOUND_SLOW, .what = "slow" }));
    CHECK_STR(list.of[3].what, "another line");
    CHECK_EQ_U64(list.count, 44);
    kn_arena_fini(&arena);
    kanon_ctx_free(ctx);
}

TEST(masked_rows_are_told_at_once)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_optimal);
    char         *said = text_of(ctx, r);

    CHECK(strstr(said, "rows lost (0.2 %), in the file with *"));
    kn_free(ctx, said);
    r->masked_rows = 1;
    said = text_of(ctx, r);
    CHECK(strstr(said, "lost (0.2 %), in the file with *"));
    kn_free(ctx, said);
    r->masked_rows = 0;
    said = text_of(ctx, r);
    CHECK(!strstr(said, "in the file with"));
    kn_free(ctx, said);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(what_was_not_counted_is_null)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_feasible);
    kn_text       text;

    kn_text_init(&text, ctx);
    kn_report_json(&text, r);
    CHECK(strstr(text.ptr, "\"values_before\": 4978,\n      \"values_after\": null"));
    CHECK(!strstr(text.ptr, "18446744073709551615"));
    kn_text_fini(&text);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

TEST(level_0_shows_no_example)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_feasible);
    kn_text       text;

    kn_text_init(&text, ctx);
    kn_report_json(&text, r);
    CHECK(strstr(text.ptr, "\"example\": \"20-29\""));
    CHECK(!strstr(text.ptr, "\"F\""));
    kn_text_fini(&text);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* --- accessors ----------------------------------------------------------------------------------- */

TEST(result_accessors)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_feasible);
    double        value = -1;

    CHECK(kanon_result_outcome(r) == KANON_FEASIBLE);
    CHECK_STR(kanon_result_advice(r), "");
    CHECK_EQ_U64(kanon_result_rows(r), 5000);
    CHECK_EQ_U64(kanon_result_suppressed(r), 50);
    CHECK_EQ_I64(kanon_result_level(r, "age"), 2);
    CHECK_EQ_I64(kanon_result_level(r, "sex"), 0);
    CHECK_EQ_I64(kanon_result_level(r, "diagnosis"), -1);
    CHECK_EQ_I64(kanon_result_level(r, "nobody"), -1);
    CHECK_EQ_I64(kanon_result_level(r, NULL), -1);
    CHECK_OK(ctx, kanon_result_metric(r, "log", &value));
    CHECK_NEAR(value, 0.5, 0);
    CHECK_OK(ctx, kanon_result_metric(r, "entropy", &value));
    CHECK_NEAR(value, 0.47, 0);
    CHECK_STATUS(ctx, kanon_result_metric(r, "entropi", &value), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(ctx), "unknown metric 'entropi'; did you mean 'entropy'?");
    CHECK_STATUS(ctx, kanon_result_metric(r, NULL, &value), KANON_E_INVALID);
    make_local(r);
    CHECK_EQ_I64(kanon_result_level(r, "age"), -1);
    CHECK_STATUS(ctx, kanon_result_metric(r, "log", &value), KANON_E_INVALID);
    CHECK_OK(ctx, kanon_result_metric(r, "glm", &value));
    make_infeasible(r);
    CHECK_STATUS(ctx, kanon_result_metric(r, "glm", &value), KANON_E_INVALID);
    CHECK(*kanon_result_advice(r));
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

/* --- sinks --------------------------------------------------------------------------------------- */

typedef struct probe {
    int          begun, written, committed, abandoned;
    kanon_status begin, write, commit; /* what each answers */
} probe;

static kanon_status
probe_begin(void *user, kanon_ctx *ctx)
{
    KN_UNUSED(ctx);
    ((probe *) user)->begun++;
    return ((probe *) user)->begin;
}

static kanon_status
probe_write(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    KN_UNUSED(ctx);
    KN_UNUSED(bytes);
    CHECK(count > 0);
    ((probe *) user)->written++;
    return ((probe *) user)->write;
}

static kanon_status
probe_commit(void *user, kanon_ctx *ctx)
{
    KN_UNUSED(ctx);
    ((probe *) user)->committed++;
    return ((probe *) user)->commit;
}

static void
probe_abandon(void *user)
{
    ((probe *) user)->abandoned++;
}

static kanon_sink
probe_sink(probe *p)
{
    return (kanon_sink){ sizeof(kanon_sink), "probe",       p,   probe_begin, probe_write, NULL,
                         probe_commit,       probe_abandon, NULL };
}

TEST(reports_are_committed_or_abandoned)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *r = make_result(ctx, make_feasible);
    const probe   answers[] = { { .begin = KANON_E_IO },
                                { .write = KANON_E_IO },
                                { .commit = KANON_E_IO } };
    probe         p = { 0 };
    kanon_sink    sink = probe_sink(&p);

    CHECK_OK(ctx, kanon_result_write(ctx, r, KANON_FORMAT_TEXT, &sink));
    CHECK(p.begun == 1 && p.committed == 1 && !p.abandoned);
    for (size_t i = 0; i < KN_COUNT(answers); i++) {
        p = answers[i];
        CHECK(kanon_result_write(ctx, r, KANON_FORMAT_JSON, &sink) == KANON_E_IO);
        CHECK(p.abandoned == 1);
    }
    p = (probe){ 0 };
    CHECK(kanon_result_write(ctx, r, (kanon_format) 77, &sink) == KANON_E_INVALID);
    CHECK(!p.begun);
    CHECK(kanon_result_write(ctx, r, KANON_FORMAT_TEXT, NULL) == KANON_E_INVALID);
    kanon_result_free(r);
    kanon_ctx_free(ctx);
}

static kanon_status
write_both(kanon_ctx *ctx, void *user)
{
    kanon_status  rc = KANON_OK;
    kanon_result *r = NULL;
    probe         p = { 0 };
    kanon_sink    sink = probe_sink(&p);

    KN_TRY(kn_result_new(ctx, &r));
    fill_input(r);
    fill_solution(r);
    ((variant) (uintptr_t) user)(r);
    KN_TRY(fill_findings(r));
    KN_TRY(kanon_result_write(ctx, r, KANON_FORMAT_TEXT, &sink));
    KN_TRY(kanon_result_write(ctx, r, KANON_FORMAT_JSON, &sink));
    CHECK(p.committed == 2 && !p.abandoned);
out:
    kanon_result_free(r);
    return rc;
}

TEST(every_allocation_of_a_report_may_fail)
{
    CHECK(failing_alloc_sweep(write_both, (void *) (uintptr_t) make_feasible) > 3);
    CHECK(failing_alloc_sweep(write_both, (void *) (uintptr_t) make_infeasible) > 3);
}

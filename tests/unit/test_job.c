/* SPDX-License-Identifier: Apache-2.0 */
/* test_job.c -- whole jobs through the public interface: small tables whose release is known byte by byte,
 * dialects, order, settings that cannot work, and random jobs counted by hand. */
#include "base/rng.h"
#include "job_fixture.h"

static void
check_bytes(const kanon_sink *sink, const char *expected)
{
    size_t      count;
    const char *bytes = kanon_sink_bytes(sink, &count);

    if (count != strlen(expected) || (count && memcmp(bytes, expected, count) != 0))
        FAIL("the release is \"%.*s\", expected \"%s\"", (int) count, count ? bytes : "", expected);
}

static bool
warned(const kanon_ctx *ctx, const char *text)
{
    for (size_t i = 0; i < kanon_ctx_warning_count(ctx); i++)
        if (strstr(kanon_ctx_warning(ctx, i), text))
            return true;
    return false;
}

/* Runs a job whose release is known byte by byte. */
static void
check_job(const job *j, const char *expected)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink;
    kanon_result *result;

    CHECK_OK(ctx, run_job(ctx, j, &sink, &result));
    CHECK(kanon_result_outcome(result) != KANON_INFEASIBLE);
    CHECK_STR(kanon_result_advice(result), "");
    check_bytes(sink, expected);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

/* --- releases that are known ------------------------------------------------------------------ */

/* The example of the KGEN paper: its Table 1 becomes its Table 2. */
TEST(the_table_of_the_paper)
{
    static const char folder[] = KANON_SOURCE_DIR "/examples/paper";
    kanon_ctx        *ctx = plain_ctx();
    kanon_config     *config = NULL;
    kanon_source     *source = NULL, *yaml = NULL;
    kanon_sink       *sink = NULL;
    kanon_result     *result = NULL;
    double            value;

    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_OK(ctx, kanon_source_file(ctx, KANON_SOURCE_DIR "/examples/paper/crimes.yaml", &yaml));
    CHECK_OK(ctx, kanon_config_read(config, yaml, folder));
    CHECK_OK(ctx, kanon_config_set(config, "keep-order", "true"));
    CHECK_OK(ctx, kanon_source_file(ctx, KANON_SOURCE_DIR "/examples/paper/crimes.csv", &source));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_anonymize(ctx, config, source, sink, &result));
    check_bytes(sink, "Name,Age,Gender,Postcode,Crime\n"
                      "*,20-29,P,8001*,Assault\n"
                      "*,20-29,P,8001*,Kidnapping\n"
                      "*,40-49,P,8507*,Homicide\n"
                      "*,40-49,P,8507*,Rape\n");
    CHECK_EQ_I64(kanon_result_level(result, "Age"), 2);
    CHECK_EQ_I64(kanon_result_level(result, "Postcode"), 1);
    CHECK_EQ_I64(kanon_result_level(result, "Gender"), 1);
    CHECK_EQ_I64(kanon_result_level(result, "Crime"), -1);
    CHECK_EQ_I64(kanon_result_level(result, "nothing"), -1);
    CHECK_EQ_U64(kanon_result_rows(result), 4);
    CHECK_EQ_U64(kanon_result_suppressed(result), 0);
    CHECK_OK(ctx, kanon_result_metric(result, "log", &value));
    CHECK_NEAR(value, (2.0 / 3 + 1.0 / 4 + 1) / 3, 1e-12);
    CHECK_OK(ctx, kanon_result_metric(result, "dm", &value));
    CHECK_NEAR(value, 8, 0);
    CHECK(kanon_result_metric(result, "beauty", &value) == KANON_E_INVALID);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_source_free(yaml);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
}

TEST(an_empty_table)
{
    check_job(&(job){ "a,b\n", { "qi", "a", "header", "yes" } }, "a,b\n");
    check_job(&(job){ "a,b", { "qi", "a,b", "header", "yes" } }, "a,b\n");
}

TEST(rows_that_are_all_alike_stay_as_they_are)
{
    check_job(&(job){ "a,b\n1,x\n1,x\n1,x\n", { "qi", "a,b", "k", "3" } }, "a,b\n1,x\n1,x\n1,x\n");
}

TEST(k_of_one_changes_nothing)
{
    check_job(&(job){ "a,b\n1,x\n2,y\n", { "qi", "a,b", "k", "1", "keep-order", "true" } },
              "a,b\n1,x\n2,y\n");
}

TEST(identifiers_become_stars_or_go)
{
    static const char csv[] = "id,a,note\nMax,1,\"x, y\"\n*,1,\"say \"\"hi\"\"\"\n";

    check_job(&(job){ csv, { "qi", "a", "id", "id", "k", "2", "keep-order", "true" } },
              "id,a,note\n*,1,\"x, y\"\n*,1,\"say \"\"hi\"\"\"\n");
    check_job(&(job){ csv,
                      { "qi", "a", "id", "id", "k", "2", "identifiers", "drop", "keep-order",
                        "true" } },
              "a,note\n1,\"x, y\"\n1,\"say \"\"hi\"\"\"\n");
}

/* An odd cell that was declared missing must not stand in for the others; of equals the first in the list
 * of tokens is taken. */
TEST(the_usual_spelling_of_a_missing_value_is_released)
{
    check_job(&(job){ "a,b\nborn 1911,1\nNA,2\nNA,3\n7,4\n7,5\n7,6\n",
                      { "qi", "a", "k", "3", "keep-order", "true", "missing", ",NA,born 1911" } },
              "a,b\nNA,1\nNA,2\nNA,3\n7,4\n7,5\n7,6\n");
    check_job(&(job){ "a,b\nNA,1\n?,2\n,3\n7,4\n7,5\n7,6\n",
                      { "qi", "a", "k", "3", "keep-order", "true" } },
              "a,b\n,1\n,2\n,3\n7,4\n7,5\n7,6\n");
    check_job(&(job){ "a\n\"\"\nNA\n", { "qi", "a", "k", "2", "header", "yes" } },
              "a\n\"\"\n\"\"\n");
}

TEST(suppressed_rows_are_left_out)
{
    check_job(&(job){ "a,b\n1,x\n1,y\n7,z\n",
                      { "qi", "a", "k", "2", "suppression", "0.34", "keep-order", "true",
                        "hierarchy", "a=range:2" } },
              "a,b\n1,x\n1,y\n");
}

TEST(suppressed_rows_are_masked)
{
    check_job(&(job){ "a,b\n1,x\n1,y\n7,z\n1,v\n9,w\n",
                      { "qi", "a", "k", "2", "suppression", "0.4", "suppressed", "mask",
                        "keep-order", "true", "hierarchy", "a=range:2" } },
              "a,b\n1,x\n1,y\n*,z\n1,v\n*,w\n");
}

TEST(too_few_masked_rows_are_left_out)
{
    job           j = { "a,b\n1,x\n1,y\n7,z\n",
                        { "qi", "a", "k", "2", "suppression", "0.34", "suppressed", "mask", "keep-order",
                          "true", "hierarchy", "a=range:2" } };
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink;
    kanon_result *result;

    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    check_bytes(sink, "a,b\n1,x\n1,y\n");
    CHECK_EQ_U64(kanon_result_suppressed(result), 1);
    CHECK(warned(ctx, "dropped, not masked"));
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

/* A table that was anonymized before has stars of its own: masked rows join them. */
TEST(masked_rows_join_rows_of_stars)
{
    check_job(&(job){ "a,b\n*,1\n*,2\nx,3\ny,4\nz,5\n*,6\n",
                      { "qi", "a", "k", "2", "suppression", "0.5", "suppressed", "mask",
                        "keep-order", "true", "hierarchy", "a=mask:right", "type", "a=string" } },
              "a,b\n*,1\n*,2\n*,3\n*,4\n*,5\n*,6\n");
    check_job(&(job){ "a,b\n*,1\n*,2\nx,3\n*,4\n",
                      { "qi", "a", "k", "3", "suppression", "0.25", "suppressed", "mask",
                        "keep-order", "true", "hierarchy", "a=mask:right", "type", "a=string" } },
              "a,b\n*,1\n*,2\n*,3\n*,4\n");
}

TEST(everything_may_go)
{
    check_job(&(job){ "a,b\n1,x\n2,y\n", { "qi", "a", "k", "5", "suppression", "1" } }, "a,b\n");
    check_job(&(job){ "1,x\n2,y\n",
                      { "qi", "column1", "k", "5", "suppression", "1", "header", "no" } },
              "");
    check_job(&(job){ "\xef\xbb\xbf"
                      "1,x\n2,y\n",
                      { "qi", "column1", "k", "5", "suppression", "1", "header", "no" } },
              "\xef\xbb\xbf");
}

/* --- dialects --------------------------------------------------------------------------------- */

TEST(the_release_is_written_as_the_table_was)
{
    check_job(&(job){ "a;b\r\n12;\"x;y\"\r\n13;z\r\n",
                      { "qi", "a", "k", "2", "hierarchy", "a=range:10", "keep-order", "true" } },
              "a;b\r\n10 to 19;\"x;y\"\r\n10 to 19;z\r\n");
    check_job(&(job){ "a\tb\n12\tx\n13\ty\n",
                      { "qi", "a", "k", "2", "hierarchy", "a=range:10", "keep-order", "true" } },
              "a\tb\n10 to 19\tx\n10 to 19\ty\n");
    check_job(&(job){ "\"a\",\"b\"\n\"12\",\"x\"\n\"13\",\"y\"\n",
                      { "qi", "a", "k", "2", "hierarchy", "a=range:10", "keep-order", "true" } },
              "\"a\",\"b\"\n\"10 to 19\",\"x\"\n\"10 to 19\",\"y\"\n");
    check_job(&(job){ "12,x\n13,y\n",
                      { "qi", "column1", "k", "2", "header", "no", "hierarchy", "column1=range:10",
                        "keep-order", "true" } },
              "10 to 19,x\n10 to 19,y\n");
    check_job(&(job){ "\xef\xbb\xbf"
                      "a,b\n12,x\n13,y\n",
                      { "qi", "a", "k", "2", "hierarchy", "a=range:10", "keep-order", "true" } },
              "\xef\xbb\xbf"
              "a,b\n10 to 19,x\n10 to 19,y\n");
    check_job(&(job){ "a,b\n12,x\n13,y",
                      { "qi", "a", "k", "2", "hierarchy", "a=range:10", "keep-order", "true" } },
              "a,b\n10 to 19,x\n10 to 19,y\n");
}

TEST(latin1_comes_back_as_latin1)
{
    check_job(&(job){ "stra\xdf"
                      "e,note\ncaf\xe9,\xfc\ncaf\xe8,\xf6\n",
                      { "qi",
                        "stra\xc3\x9f"
                        "e",
                        "k", "2", "encoding", "latin-1", "hierarchy",
                        "stra\xc3\x9f"
                        "e=mask:right",
                        "keep-order", "true" } },
              "stra\xdf"
              "e,note\ncaf*,\xfc\ncaf*,\xf6\n");
}

TEST(utf8_is_masked_by_characters)
{
    check_job(&(job){ "a,b\ncaf\xc3\xa9,1\ncaf\xc3\xa8,2\n",
                      { "qi", "a", "k", "2", "hierarchy", "a=mask:right", "keep-order", "true" } },
              "a,b\ncaf*,1\ncaf*,2\n");
}

/* --- order ------------------------------------------------------------------------------------ */

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* The lines of a release, sorted, as one text; the caller frees it. */
static char *
sorted_lines(const kanon_sink *sink)
{
    const char *lines[2000];
    size_t      count, n = 0;
    const char *bytes = kanon_sink_bytes(sink, &count);
    char       *copy = calloc(count + 1, 1), *out = calloc(count + 2001, 1);

    CHECK(copy && out);
    memcpy(copy, bytes, count);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, compare_lines);
    for (size_t i = 0; i < n; i++)
        strcat(strcat(out, lines[i]), "\n");
    free(copy);
    return out;
}

/* Without a key no two runs give the rows in the same order; with one they do, and as many threads as you
 * like change nothing. The seed has no part in the order. */
TEST(the_order_comes_from_the_key)
{
    static const char other_key[] = "000102030405060708090A0B0C0D0E0F";
    static const job  jobs[] = {
         { NULL, { "qi", "a", "k", "2", "order-key", TEST_KEY, "threads", "1" } },
         { NULL, { "qi", "a", "k", "2", "order-key", TEST_KEY, "threads", "3", "seed", "2" } },
         { NULL, { "qi", "a", "k", "2", "order-key", other_key } },
         { NULL, { "qi", "a", "k", "2" } },
         { NULL, { "qi", "a", "k", "2" } },
    };
    kanon_ctx  *ctx = plain_ctx();
    kn_text     text;
    char       *lines[KN_COUNT(jobs)];
    kanon_sink *sinks[KN_COUNT(jobs)];

    kn_text_init(&text, ctx);
    add_plain_rows(&text, 300);
    for (size_t i = 0; i < KN_COUNT(jobs); i++) {
        job           j = jobs[i];
        kanon_result *result;
        const char   *key = NULL;

        j.csv = text.ptr;
        CHECK_OK(ctx, run_job(ctx, &j, &sinks[i], &result));
        CHECK_OK(ctx, kanon_result_text(result, "parameters.order_key", &key));
        CHECK_EQ_U64(strlen(key), i == 2 ? 32 : 64);
        CHECK(i > 1 || strcmp(key, TEST_KEY) == 0);
        kanon_result_free(result);
        lines[i] = sorted_lines(sinks[i]);
        CHECK_EQ_U64(committed(sinks[i]), text.len);
        CHECK(memcmp(kanon_sink_bytes(sinks[i], &(size_t){ 0 }), text.ptr, text.len) != 0);
    }
    for (size_t i = 0; i < KN_COUNT(jobs); i++) {
        CHECK_STR(lines[i], lines[0]);
        for (size_t j = 0; j < i; j++)
            CHECK((memcmp(kanon_sink_bytes(sinks[i], &(size_t){ 0 }),
                          kanon_sink_bytes(sinks[j], &(size_t){ 0 }), text.len)
                   == 0)
                  == (i == 1));
    }
    for (size_t i = 0; i < KN_COUNT(jobs); i++) {
        free(lines[i]);
        kanon_sink_free(sinks[i]);
    }
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* A table that comes back with one row more, under the same key, stands in an order of its own: otherwise the
 * rows before the new one would keep their ranks. */
TEST(another_table_has_another_order_under_the_same_key)
{
    kanon_ctx  *ctx = plain_ctx();
    kanon_sink *sinks[2];
    kn_text     text;
    size_t      same = 0, lengths[2];
    const char *at[2];

    kn_text_init(&text, ctx);
    add_plain_rows(&text, 300);
    for (size_t i = 0; i < 2; i++) {
        job           j = { text.ptr, { "qi", "a", "k", "1", "order-key", TEST_KEY } };
        kanon_result *result;

        CHECK_OK(ctx, run_job(ctx, &j, &sinks[i], &result));
        kanon_result_free(result);
        at[i] = kanon_sink_bytes(sinks[i], &lengths[i]);
        kn_text_addz(&text, "1,again\n");
    }
    for (size_t row = 0; row < 300; row++) {
        size_t length = (size_t) (strchr(at[0], '\n') + 1 - at[0]);

        same += strncmp(at[0], at[1], length) == 0;
        at[0] += length;
        at[1] = strchr(at[1], '\n') + 1;
    }
    CHECK(same < 15); /* the header, and what chance brings */
    for (size_t i = 0; i < 2; i++)
        kanon_sink_free(sinks[i]);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* --- what cannot be done ---------------------------------------------------------------------- */

TEST(an_infeasible_job_releases_nothing_and_says_what_would_work)
{
    job           j = { "a,b\n1,x\n", { "qi", "a", "k", "2" } };
    job           works = { "a,b\n1,x\n", { "qi", "a", "k", "1" } };
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink, *report = NULL;
    kanon_result *result;

    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    CHECK(kanon_result_outcome(result) == KANON_INFEASIBLE);
    CHECK(strstr(kanon_result_advice(result), "-k 1")
          && !strchr(kanon_result_advice(result), '\n'));
    CHECK_EQ_U64(committed(sink), 0);
    CHECK_EQ_U64(kanon_result_rows(result), 1); /* rows read */
    CHECK_OK(ctx, kanon_sink_memory(ctx, &report));
    CHECK_OK(ctx, kanon_result_write(ctx, result, KANON_FORMAT_JSON, report));
    CHECK(committed(report) > 0);
    kanon_sink_free(report);
    kanon_result_free(result);
    kanon_sink_free(sink);
    CHECK_OK(ctx, run_job(ctx, &works, &sink, &result));
    CHECK(committed(sink) > 0);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

static void
check_refused(const job *j, kanon_status expected, const char *message)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink;
    kanon_result *result;

    if (run_job(ctx, j, &sink, &result) != expected)
        FAIL("expected %d and \"%s\", the message is \"%s\"", expected, message,
             kanon_ctx_message(ctx));
    if (!strstr(kanon_ctx_message(ctx), message))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), message);
    CHECK(!strchr(kanon_ctx_message(ctx), '\n'));
    CHECK(result == NULL);
    CHECK_EQ_U64(committed(sink), 0);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(wrong_settings_are_refused_in_one_line)
{
    static const char csv[] = "age,zip\n1,x\n2,y\n";

    check_refused(&(job){ csv, { "qi", "agee" } }, KANON_E_INVALID, "did you mean 'age'?");
    check_refused(&(job){ csv, { "qi", "nothing" } }, KANON_E_INVALID, "age, zip");
    check_refused(&(job){ csv, { "sensitive", "zip" } }, KANON_E_INVALID, "--qi");
    check_refused(&(job){ csv, { "qi", "age", "metric", "lgo" } }, KANON_E_INVALID, "log");
    check_refused(&(job){ csv, { "qi", "age", "algorithm", "kgem" } }, KANON_E_INVALID,
                  "did you mean 'kgen'?");
    check_refused(&(job){ csv, { "qi", "age", "algorithm", "kgen", "param", "populaton=3" } },
                  KANON_E_INVALID, "did you mean 'population'?");
    check_refused(&(job){ csv, { "qi", "age", "label", "agee" } }, KANON_E_INVALID,
                  "no column 'agee'; did you mean 'age'?");
    check_refused(&(job){ csv, { "qi", "age", "l-diversity", "2" } }, KANON_E_INVALID,
                  "l-diversity needs a sensitive column");
    check_refused(&(job){ csv, { "qi", "age", "t-closeness", "0.2" } }, KANON_E_INVALID,
                  "t-closeness needs a sensitive column");
    check_refused(&(job){ csv, { "qi", "zip", "hierarchy", "zip=range:5" } }, KANON_E_INVALID,
                  "is not a number");
    check_refused(&(job){ "age,zip\n1\n", { "qi", "age" } }, KANON_E_PARSE, "table.csv:2");
    check_refused(&(job){ "", { "qi", "age" } }, KANON_E_PARSE, "table.csv");
}

TEST(arguments_are_required)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_result *result;

    CHECK(kanon_anonymize(NULL, NULL, NULL, NULL, &result) == KANON_E_INVALID);
    CHECK(kanon_anonymize(ctx, NULL, NULL, NULL, &result) == KANON_E_INVALID);
    kanon_result_free(NULL);
    kanon_ctx_free(ctx);
}

/* --- random jobs, counted by hand ------------------------------------------------------------- */

/* Smallest number of equal lines when the last cell is cut off; rows: how many lines after the header. */
static size_t
smallest_class(const kanon_sink *sink, size_t *rows)
{
    const char *bytes, *lines[400];
    size_t      count, lengths[400], smallest = SIZE_MAX;

    bytes = kanon_sink_bytes(sink, &count);
    *rows = 0;
    for (const char *line = bytes + strlen("a,b,c,s\n"), *end; line < bytes + count;
         line = end + 1) {
        end = memchr(line, '\n', (size_t) (bytes + count - line));
        lines[*rows] = line;
        lengths[*rows] = (size_t) ((const char *) memrchr(line, ',', (size_t) (end - line)) - line);
        ++*rows;
    }
    for (size_t i = 0; i < *rows; i++) {
        size_t same = 0;

        for (size_t j = 0; j < *rows; j++)
            same += lengths[i] == lengths[j] && memcmp(lines[i], lines[j], lengths[i]) == 0;
        smallest = same < smallest ? same : smallest;
    }
    return smallest;
}

TEST(random_jobs_are_k_anonymous)
{
    static const char *const algorithms[] = { "auto", "kgen",      "random",   "exhaustive",
                                              "ola",  "incognito", "samarati", "datafly" };
    static const char *const suppressions[] = { "0", "0.1", "0.3", "1" };
    kn_rng                   rng;

    kn_rng_init(&rng, 81, 0);
    for (size_t round = 0; round < 60; round++) {
        kanon_ctx    *ctx = plain_ctx();
        kanon_sink   *sink;
        kanon_result *result;
        kn_text       text;
        size_t        rows = 5 + (size_t) kn_rng_below(&rng, 80), released, smallest;
        char          k[16];
        job           j = { NULL, { "qi",          "a,b,c",
                                    "sensitive",   "s",
                                    "k",           k,
                                    "suppression", suppressions[round % 4],
                                    "suppressed",  round % 3 ? "drop" : "mask",
                                    "algorithm",   algorithms[round / 4 % 8],
                                    "metric",      kanon_metric_at(round % 9)->name,
                                    "header",      "yes",
                                    "hierarchy",   "b=mask:left",
                                    "type",        "b=string" } };

        snprintf(k, sizeof k, "%d", 2 + (int) kn_rng_below(&rng, 4));
        kn_text_init(&text, ctx);
        kn_text_addz(&text, "a,b,c,s\n");
        for (size_t r = 0; r < rows; r++)
            kn_text_addf(&text, "%d,%c%c,%s,%d\n", (int) kn_rng_below(&rng, 40),
                         (char) ('a' + kn_rng_below(&rng, 3)), (char) ('a' + kn_rng_below(&rng, 3)),
                         kn_rng_below(&rng, 2) ? "x" : "?", (int) kn_rng_below(&rng, 5));
        j.csv = text.ptr;
        CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
        smallest = smallest_class(sink, &released);
        CHECK(smallest >= strtoul(k, NULL, 10));
        CHECK_EQ_U64(kanon_result_rows(result), rows);
        CHECK(released == rows || released + kanon_result_suppressed(result) == rows);
        kanon_result_free(result);
        kanon_sink_free(sink);
        kn_text_fini(&text);
        kanon_ctx_free(ctx);
    }
}

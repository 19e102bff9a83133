/* SPDX-License-Identifier: Apache-2.0 */
/* test_row_classes.c -- the class of each row, as kanon_result_classes() tells it, against a naive count: the
 * release is read as texts, and a column of row numbers, released unchanged, says which row became which. */
#include "arrow_fixture.h"
#include "base/base.h"
#include "failing_alloc.h"
#include "formats/arrow.h"
#include "formats/csv.h"
#include "job_fixture.h"

enum { ROWS = 96, COLUMNS = 4, TEXT = 40 }; /* age, town, number, count */

/* A release as texts. */
typedef struct released {
    char   cells[ROWS][COLUMNS][TEXT];
    size_t count;
} released;

static void
read_release(kanon_ctx *ctx, kn_rows_source *source, released *out)
{
    kn_rows      *rows = NULL;
    const kn_str *cells;

    memset(out, 0, sizeof *out);
    CHECK_OK(ctx, kn_rows_open(source, ctx, &rows));
    while (kn_rows_next(rows, &cells) == KANON_OK && cells) {
        CHECK(out->count < ROWS && kn_rows_columns(rows) <= COLUMNS);
        for (size_t c = 0; c < kn_rows_columns(rows); c++) {
            CHECK(cells[c].len < TEXT);
            memcpy(out->cells[out->count][c], cells[c].ptr, cells[c].len);
        }
        out->count++;
    }
    kn_rows_close(rows);
}

static bool
same_class(const released *r, size_t a, size_t b)
{
    return strcmp(r->cells[a][0], r->cells[b][0]) == 0
        && strcmp(r->cells[a][1], r->cells[b][1]) == 0;
}

/* Numbers by first appearance, found by comparing every row with every one before it. */
static void
naive_classes(const released *r, int64_t *numbers)
{
    int64_t next = 0;

    for (size_t i = 0; i < r->count; i++) {
        size_t first = 0;

        while (!same_class(r, first, i))
            first++;
        numbers[i] = first < i ? numbers[first] : next++;
    }
}

/* @param rows  of the original. @return rows that are not in the release */
static size_t
check_classes(const kanon_result *result, const released *r, size_t rows)
{
    const int64_t *classes = NULL;
    int64_t        expected[ROWS], original[ROWS];
    size_t         count = 0, left_out = 0;

    naive_classes(r, expected);
    CHECK(kanon_result_classes(result, KANON_ROWS_RELEASED, &classes, &count) == KANON_OK);
    CHECK_EQ_U64(count, r->count);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ_I64(classes[i], expected[i]);
    for (size_t i = 0; i < rows; i++)
        original[i] = -1;
    for (size_t i = 0; i < r->count; i++)
        original[atoi(r->cells[i][2])] = expected[i];
    CHECK(kanon_result_classes(result, KANON_ROWS_ORIGINAL, &classes, &count) == KANON_OK);
    CHECK_EQ_U64(count, rows);
    for (size_t i = 0; i < count; i++) {
        CHECK_EQ_I64(classes[i], original[i]);
        left_out += classes[i] < 0;
    }
    return left_out;
}

/* --- tables ----------------------------------------------------------------------------------------- */

static void
make_rows(int32_t *ages, int32_t *numbers)
{
    uint32_t state = 12345;

    for (int32_t i = 0; i < ROWS; i++) {
        state = state * 1664525u + 1013904223u;
        ages[i] = 20 + (int32_t) (state >> 16) % 50;
        numbers[i] = i;
    }
}

static void
add_csv(kn_text *csv)
{
    int32_t ages[ROWS], numbers[ROWS];

    make_rows(ages, numbers);
    kn_text_addz(csv, "age,town,number,count\n");
    for (int i = 0; i < ROWS; i++) /* some rows stand for none */
        kn_text_addf(csv, "%d,%s,%d,%d\n", (int) ages[i], i % 3 ? "Ashford" : "Barton",
                     (int) numbers[i], i % 4);
}

static kanon_config *
make_config(kanon_ctx *ctx, const char *const *settings)
{
    static const char roles[] = "attributes: {count: {role: insensitive}}\n";
    kanon_config     *config = NULL;
    kanon_source     *source = NULL;

    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_OK(ctx, kanon_source_memory(ctx, "roles.yaml", roles, sizeof roles - 1, &source));
    CHECK_OK(ctx, kanon_config_read(config, source, NULL));
    kanon_source_free(source);
    CHECK_OK(ctx, kanon_config_set(config, "qi", "age,town"));
    CHECK_OK(ctx, kanon_config_set(config, "sensitive", "number"));
    for (size_t i = 0; settings[i]; i += 2)
        CHECK_OK(ctx, kanon_config_set(config, settings[i], settings[i + 1]));
    CHECK_OK(ctx, kanon_config_keep_classes(config, KANON_ROWS_RELEASED | KANON_ROWS_ORIGINAL));
    return config;
}

/* A job on the table in CSV, whose release is CSV and then Arrow. @return rows that were left out */
static size_t
check_job(const char *const *settings)
{
    kanon_ctx              *ctx = plain_ctx();
    kanon_config           *config = make_config(ctx, settings);
    kanon_source           *source = NULL, *back = NULL;
    kanon_sink             *sink = NULL;
    kanon_table            *table = NULL;
    kanon_result           *result = NULL;
    kn_csv_options          options = { .header = KN_HEADER_YES };
    kn_csv_table            csv;
    kn_arrow_table         *arrow = NULL;
    struct ArrowArrayStream stream;
    kn_text                 text;
    released               *r = calloc(1, sizeof *r);
    const void             *bytes;
    size_t                  count, left_out;

    kn_text_init(&text, ctx);
    add_csv(&text);
    CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", text.ptr, text.len, &source));
    CHECK_OK(ctx, kanon_table_csv(ctx, source, config, &table));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_table_write(ctx, config, table, sink, &result));
    CHECK(kanon_result_outcome(result) != KANON_INFEASIBLE);
    bytes = kanon_sink_bytes(sink, &count);
    CHECK_OK(ctx, kanon_source_memory(ctx, "release.csv", bytes, count, &back));
    kn_csv_table_init(&csv, back, &options);
    read_release(ctx, &csv.base, r);
    left_out = check_classes(result, r, ROWS);
    kanon_result_free(result);

    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &stream, &result));
    CHECK_OK(ctx, kn_arrow_table_read(ctx, "release", &stream, &arrow));
    read_release(ctx, &arrow->base, r);
    CHECK_EQ_U64(check_classes(result, r, ROWS), left_out);
    kn_arrow_table_free(arrow);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_source_free(back);
    kanon_source_free(source);
    kanon_sink_free(sink);
    kanon_config_free(config);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
    free(r);
    return left_out;
}

TEST(global_recoding)
{
    CHECK_EQ_U64(check_job((const char *[]){ "k", "3", "suppression", "0", NULL }), 0);
    CHECK(check_job((const char *[]){ "k", "6", "suppression", "0.3", "algorithm", "optimal",
                                      "hierarchy", "age=range:5,10", NULL })
          > 0);
    CHECK_EQ_U64(check_job((const char *[]){ "k", "3", "keep-order", "true", NULL }), 0);
}

TEST(masked_rows_are_one_class)
{
    CHECK_EQ_U64(check_job((const char *[]){ "k", "6", "suppression", "0.3", "suppressed", "mask",
                                             "algorithm", "optimal", "hierarchy", "age=range:5,10",
                                             NULL }),
                 0);
}

TEST(local_recoding)
{
    static const char *const algorithms[] = { "mondrian", "k-members", "kab" };

    for (size_t i = 0; i < 3; i++)
        check_job((const char *[]){ "k", "4", "algorithm", algorithms[i], NULL });
}

TEST(counted_records)
{
    CHECK_EQ_U64(check_job(
                     (const char *[]){ "k", "4", "count", "count", "suppression", "0", NULL }),
                 ROWS / 4);
}

enum { HALF = ROWS / 2 };

#define INTEGERS(title, values)                                                                    \
    {                                                                                              \
        .name = (title), .format = "i", .length = HALF, BUFFERS(NULL, values)                      \
    }

TEST(arrow_tables)
{
    static int32_t       ages[ROWS], numbers[ROWS], towns[ROWS], counts[ROWS];
    const fixture_column first[] = { INTEGERS("age", ages), INTEGERS("town", towns),
                                     INTEGERS("number", numbers), INTEGERS("count", counts) };
    const fixture_column second[] = { INTEGERS("age", ages + HALF), INTEGERS("town", towns + HALF),
                                      INTEGERS("number", numbers + HALF),
                                      INTEGERS("count", counts + HALF) };
    fixture              f = TABLE(4, first, second);
    kanon_ctx           *ctx = plain_ctx();
    kanon_config        *config = make_config(ctx, (const char *[]){ "k", "4", NULL });
    kanon_table         *table = NULL;
    kanon_result        *result = NULL;
    kn_arrow_table      *back = NULL;
    struct ArrowArrayStream in, release;
    released               *r = calloc(1, sizeof *r);

    make_rows(ages, numbers);
    for (size_t i = 0; i < ROWS; i++)
        towns[i] = i % 3 == 0;
    fixture_open(&f, &in);
    CHECK_OK(ctx, kanon_table_arrow(ctx, "people", &in, &table));
    for (int local = 0; local < 2; local++) {
        CHECK_OK(ctx, kanon_config_set(config, "algorithm", local ? "mondrian" : "optimal"));
        CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
        CHECK_OK(ctx, kn_arrow_table_read(ctx, "release", &release, &back));
        read_release(ctx, &back->base, r);
        check_classes(result, r, ROWS);
        kn_arrow_table_free(back);
        kanon_result_free(result);
    }
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(&f);
    free(r);
}

/* --- asking ----------------------------------------------------------------------------------------- */

TEST(nothing_is_kept_unless_asked_for)
{
    static const job j = { "age,number\n30,1\n30,2\n31,3\n", { "qi", "age", "k", "2" } };
    kanon_ctx       *ctx = plain_ctx();
    kanon_config    *config = NULL;
    kanon_sink      *sink = NULL;
    kanon_result    *result = NULL;
    const int64_t   *classes = (const int64_t *) &j;
    size_t           count = 7;

    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    CHECK_STATUS(ctx, kanon_result_classes(result, KANON_ROWS_RELEASED, &classes, &count),
                 KANON_E_INVALID);
    CHECK(!classes && !count);
    CHECK(strstr(kanon_ctx_message(ctx), "kanon_config_keep_classes"));
    CHECK_STATUS(ctx, kanon_result_classes(result, (kanon_rows) 3, &classes, &count),
                 KANON_E_INVALID);
    CHECK(kanon_result_classes(NULL, KANON_ROWS_RELEASED, &classes, &count) == KANON_E_INVALID);
    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_STATUS(ctx, kanon_config_keep_classes(config, 4), KANON_E_INVALID);
    CHECK(kanon_config_keep_classes(NULL, 0) == KANON_E_INVALID);
    CHECK_STATUS(ctx, kanon_config_set(config, "keep-classes", "1"), KANON_E_INVALID);
    kanon_config_free(config);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

/* A job that keeps one kind of rows, or, where nothing is feasible, none. */
static kanon_status
keep_some(kanon_ctx *ctx, void *user)
{
    static const char csv[] = "age\n30\n30\n31\n31\n40\n";
    kanon_status      rc = KANON_OK;
    const char       *k = user;
    kanon_config     *config = NULL;
    kanon_source     *source = NULL;
    kanon_sink       *sink = NULL;
    kanon_result     *result = NULL;
    const int64_t    *classes = NULL;
    size_t            count = 1;

    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_set(config, "qi", "age"));
    KN_TRY(kanon_config_set(config, "k", k));
    KN_TRY(kanon_config_set(config, "threads", "1"));
    KN_TRY(kanon_config_keep_classes(config, KANON_ROWS_ORIGINAL));
    KN_TRY(kanon_source_memory(ctx, "table.csv", csv, sizeof csv - 1, &source));
    KN_TRY(kanon_sink_memory(ctx, &sink));
    KN_TRY(kanon_anonymize(ctx, config, source, sink, &result));
    KN_TRY(kanon_result_classes(result, KANON_ROWS_ORIGINAL, &classes, &count));
    CHECK_EQ_U64(count, kanon_result_outcome(result) == KANON_INFEASIBLE ? 0 : 5);
    CHECK(!count == !classes);
    CHECK(kanon_result_outcome(result) == KANON_INFEASIBLE
          || kanon_result_classes(result, KANON_ROWS_RELEASED, &classes, &count)
                 == KANON_E_INVALID);
out:
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
    return rc;
}

TEST(nothing_feasible_has_no_classes)
{
    kanon_ctx *ctx = plain_ctx();

    CHECK_OK(ctx, keep_some(ctx, (void *) "6"));
    kanon_ctx_free(ctx);
}

TEST(memory_may_fail)
{
    CHECK(failing_alloc_sweep(keep_some, (void *) "2") > 50);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow_job.c -- whole jobs on Arrow tables: the same rows as from CSV, in types that stay; several
 * jobs on one table; failures that hand out nothing. */
#include "arrow_fixture.h"
#include "base/sort.h"
#include "failing_alloc.h"
#include "formats/arrow.h"
#include "formats/csv.h"
#include "kanon/kanon.h"
#include "test.h"

/* --- tables of text as rows ------------------------------------------------------------------------ */

/* Rows as lines "a|b|c", a null as an empty cell: what two releases have in common whatever their format. */
typedef struct lines {
    kanon_ctx *ctx;
    char     **all;
    size_t     count, capacity;
} lines;

static void
lines_read(lines *l, kanon_ctx *ctx, kn_rows_source *source)
{
    kn_rows      *rows = NULL;
    const kn_str *cells;
    kn_text       text;

    *l = (lines){ .ctx = ctx };
    CHECK_OK(ctx, kn_rows_open(source, ctx, &rows));
    for (;;) {
        void *all = l->all;

        CHECK_OK(ctx, kn_rows_next(rows, &cells));
        if (!cells)
            break;
        kn_text_init(&text, ctx);
        for (size_t c = 0; c < kn_rows_columns(rows); c++) {
            kn_text_addz(&text, c ? "|" : "");
            kn_text_add(&text, cells[c]);
        }
        CHECK_OK(ctx, kn_grow(ctx, &all, &l->capacity, l->count + 1, sizeof *l->all));
        l->all = all;
        l->all[l->count++] = kn_text_take(&text);
        kn_text_fini(&text);
    }
    kn_rows_close(rows);
}

static void
lines_free(lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        kn_free(l->ctx, l->all[i]);
    kn_free(l->ctx, (void *) l->all);
}

static void
check_same_lines(const lines *a, const lines *b)
{
    CHECK_EQ_U64(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        CHECK_STR(a->all[i], b->all[i]);
}

/* --- jobs ------------------------------------------------------------------------------------------ */

/* With a key: the order of the rows does not depend on the format that they come or go in. */
static kanon_config *
configure(kanon_ctx *ctx, const char *const *settings)
{
    kanon_config *config = NULL;

    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_OK(ctx, kanon_config_set(config, "order-key", TEST_KEY));
    CHECK_OK(ctx, kanon_config_set(config, "others", "keep"));
    for (size_t i = 0; settings[i]; i += 2)
        CHECK_OK(ctx, kanon_config_set(config, settings[i], settings[i + 1]));
    return config;
}

/* The rows of a release in Arrow; the stream is used up. */
static void
arrow_lines(kanon_ctx *ctx, struct ArrowArrayStream *stream, lines *out)
{
    kn_arrow_table *table = NULL;

    CHECK(stream->release);
    CHECK_OK(ctx, kn_arrow_table_read(ctx, "release", stream, &table));
    lines_read(out, ctx, &table->base);
    kn_arrow_table_free(table);
}

/* The rows of the release that the job on the same table in CSV makes. */
static void
csv_lines(kanon_ctx *ctx, const kanon_config *config, const char *csv, size_t bytes, lines *out)
{
    kanon_source  *source = NULL, *back = NULL;
    kanon_sink    *sink = NULL;
    kanon_result  *result = NULL;
    kn_csv_options options = { .header = KN_HEADER_YES };
    kn_csv_table   table;
    const void    *released;
    size_t         count;

    CHECK_OK(ctx, kanon_source_memory(ctx, "table.csv", csv, bytes, &source));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_anonymize(ctx, config, source, sink, &result));
    CHECK(kanon_result_outcome(result) != KANON_INFEASIBLE);
    released = kanon_sink_bytes(sink, &count);
    CHECK_OK(ctx, kanon_source_memory(ctx, "release.csv", released, count, &back));
    kn_csv_table_init(&table, back, &options);
    lines_read(out, ctx, &table.base);
    kanon_source_free(back);
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
}

/* --- people ---------------------------------------------------------------------------------------- */

static const char people_csv[] = "name,age,town,weight,born,ill,member\n"
                                 "Ann,31,Ash,61.5,1993-02-28,flu,true\n"
                                 "Bob,34,Ash,72.25,1990-12-31,,false\n"
                                 "Cem,36,Bar,80,1988-01-01,cold,true\n"
                                 "Dan,38,Bar,,1986-07-04,flu,true\n"
                                 "Eva,42,Ash,55.1,1982-03-15,cold,false\n"
                                 "Fay,,Ash,60,1979-11-11,flu,false\n"
                                 "Gus,47,Bar,90.5,1977-05-05,cold,true\n"
                                 "Hal,49,Bar,77,1975-10-10,flu,true\n";

static const uint8_t but_4th = 0xf7, but_6th = 0xdf;

static const fixture_column towns = { .format = "u",
                                      .length = 4,
                                      .nbuffers = 3,
                                      BUFFERS(NULL, VALUES(int32_t, 0, 3, 6, 9, 12),
                                              "BarUseAshHid") };
static const fixture_column people[] = {
    { .name = "name",
      .format = "u",
      .length = 8,
      .nbuffers = 3,
      BUFFERS(NULL, VALUES(int32_t, 0, 3, 6, 9, 12, 15, 18, 21, 24), "AnnBobCemDanEvaFayGusHal") },
    { .name = "age",
      .format = "C",
      .length = 8,
      BUFFERS(&but_6th, VALUES(uint8_t, 31, 34, 36, 38, 42, 0, 47, 49)) },
    { .name = "town",
      .format = "c",
      .length = 8,
      BUFFERS(NULL, VALUES(int8_t, 2, 2, 0, 0, 2, 2, 0, 0)),
      .dictionary = &towns },
    { .name = "weight",
      .format = "g",
      .length = 8,
      BUFFERS(&but_4th, VALUES(double, 61.5, 72.25, 80, 1, 55.1, 60, 90.5, 77)) },
    { .name = "born",
      .format = "tdD",
      .length = 8,
      BUFFERS(NULL, VALUES(int32_t, 8459, 7669, 6574, 6028, 4456, 3601, 2681, 2108)) },
    { .name = "ill",
      .format = "u",
      .length = 8,
      .nbuffers = 3,
      BUFFERS(&all_but_second, VALUES(int32_t, 0, 3, 6, 10, 13, 17, 20, 24, 27),
              "fluXXXcoldflucoldflucoldflu") },
    { .name = "member", .format = "b", .length = 8, BUFFERS(NULL, VALUES(uint8_t, 0xcd)) },
};

static void
open_people(fixture *f, kanon_ctx *ctx, kanon_table **out)
{
    struct ArrowArrayStream stream;

    fixture_open(f, &stream);
    CHECK_OK(ctx, kanon_table_arrow(ctx, "people", &stream, out));
    CHECK(!stream.release);
}

/* Formats of the release's columns, separated by blanks. */
static const char *
formats_of(struct ArrowArrayStream *stream)
{
    static char        shown[200];
    struct ArrowSchema schema;
    size_t             at = 0;

    CHECK_EQ_I64(stream->get_schema(stream, &schema), 0);
    for (int64_t c = 0; c < schema.n_children; c++)
        at += (size_t) snprintf(shown + at, sizeof shown - at, "%s%s:%s%s%s", c ? " " : "",
                                schema.children[c]->name, schema.children[c]->format,
                                schema.children[c]->dictionary ? "/" : "",
                                schema.children[c]->dictionary
                                    ? schema.children[c]->dictionary->format
                                    : "");
    schema.release(&schema);
    return shown;
}

static void
check_same_release(const char *const *settings, const char *formats)
{
    fixture                 f = TABLE(7, people);
    kanon_ctx              *ctx = NULL;
    kanon_config           *config;
    kanon_table            *table = NULL;
    kanon_result           *result = NULL;
    struct ArrowArrayStream release;
    lines                   arrow, csv;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, settings);
    open_people(&f, ctx, &table);
    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    CHECK(kanon_result_outcome(result) != KANON_INFEASIBLE);
    CHECK_STR(formats_of(&release), formats);
    arrow_lines(ctx, &release, &arrow);
    csv_lines(ctx, config, people_csv, sizeof people_csv - 1, &csv);
    check_same_lines(&arrow, &csv);
    lines_free(&arrow);
    lines_free(&csv);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(&f);
}

TEST(levels)
{
    check_same_release((const char *const[]){ "id", "name", "qi", "age,town", "sensitive", "ill",
                                              "k", "2", "seed", "1", NULL },
                       "name:u age:i/u town:c/u weight:g born:tdD ill:u member:b");
}

TEST(quasi_identifiers_that_stay_keep_their_types)
{
    check_same_release((const char *const[]){ "qi", "town", "k", "2", "seed", "1", NULL },
                       "name:u age:C town:c/u weight:g born:tdD ill:u member:b");
    check_same_release((const char *const[]){ "qi", "member", "k", "2", "seed", "1", NULL },
                       "name:u age:C town:c/u weight:g born:tdD ill:u member:b");
    check_same_release((const char *const[]){ "qi", "ill", "k", "1", "seed", "1", NULL },
                       "name:u age:C town:c/u weight:g born:tdD ill:u member:b");
}

TEST(dates_are_dates)
{
    check_same_release((const char *const[]){ "id", "name", "identifiers", "drop", "qi", "born",
                                              "k", "3", "seed", "1", NULL },
                       "age:C town:c/u weight:g born:i/u ill:u member:b");
}

TEST(masked_rows)
{
    check_same_release((const char *const[]){ "qi", "age,weight,town", "k", "2", "suppression",
                                              "0.6", "suppressed", "mask", "seed", "3", NULL },
                       "name:u age:i/u town:i/u weight:i/u born:tdD ill:u member:b");
}

TEST(local_recoding)
{
    check_same_release((const char *const[]){ "id", "name", "qi", "age,weight,town", "k", "2",
                                              "algorithm", "mondrian", "seed", "3", NULL },
                       "name:u age:i/u town:c/u weight:i/u born:tdD ill:u member:b");
}

TEST(models_see_nulls_as_missing)
{
    check_same_release((const char *const[]){ "id", "name", "qi", "age,town", "sensitive", "ill",
                                              "k", "2", "l-diversity", "2", "suppression", "0.5",
                                              "seed", "1", NULL },
                       "name:u age:i/u town:c/u weight:g born:tdD ill:u member:b");
}

/* Nulls are missing whatever the words for missing values are. */
TEST(nulls_need_no_word)
{
    static const char *const settings[] = { "qi",      "age",         "sensitive", "ill",  "k",
                                            "2",       "l-diversity", "2",         "seed", "1",
                                            "missing", "NA",          NULL };
    fixture                  f = TABLE(7, people);
    kanon_ctx               *ctx = NULL;
    kanon_config            *config;
    kanon_table             *table = NULL;
    kanon_result            *result = NULL;
    struct ArrowArrayStream  release;
    lines                    rows;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, settings);
    open_people(&f, ctx, &table);
    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    arrow_lines(ctx, &release, &rows);
    CHECK_EQ_U64(rows.count, 8);
    lines_free(&rows);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
}

/* --- order ----------------------------------------------------------------------------------------- */

/* The names of a release in its order, one letter each. */
static const char *
order_of(kanon_ctx *ctx, const kanon_config *config, kanon_table *table)
{
    static char             order[9];
    kanon_result           *result = NULL;
    struct ArrowArrayStream release;
    struct ArrowArray       batch;

    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    CHECK_EQ_I64(release.get_next(&release, &batch), 0);
    CHECK_EQ_I64(batch.length, 8);
    for (int i = 0; i < 8; i++)
        order[i] = ((const char *) batch.children[0]->buffers[2])[i * 3];
    batch.release(&batch);
    CHECK_EQ_I64(release.get_next(&release, &batch), 0);
    CHECK(!batch.release);
    release.release(&release);
    kanon_result_free(result);
    return order;
}

TEST(the_order_follows_from_the_key)
{
    static const char *const settings[] = { "qi", "town", "k", "2", "seed", "1", NULL };
    fixture                  f = TABLE(7, people);
    kanon_ctx               *ctx = NULL;
    kanon_config            *config;
    kanon_table             *table = NULL;
    char                     first[9];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, settings);
    open_people(&f, ctx, &table);
    memcpy(first, order_of(ctx, config, table), sizeof first);
    CHECK(strcmp(first, "ABCDEFGH") != 0);
    CHECK_STR(order_of(ctx, config, table), first);
    CHECK_OK(ctx, kanon_config_set(config, "order-key", "0123456789abcdef0123456789abcdef"));
    CHECK(strcmp(order_of(ctx, config, table), first) != 0);
    CHECK_OK(ctx, kanon_config_set(config, "keep-order", "true"));
    CHECK_STR(order_of(ctx, config, table), "ABCDEFGH");
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(&f);
}

/* --- tables in CSV --------------------------------------------------------------------------------- */

TEST(columns_of_a_table_in_csv_are_texts)
{
    static const char *const settings[] = { "id", "name", "qi",   "age,town", "sensitive", "ill",
                                            "k",  "2",    "seed", "1",        NULL };
    kanon_ctx               *ctx = NULL;
    kanon_config            *config;
    kanon_source            *source = NULL;
    kanon_table             *table = NULL;
    kanon_result            *result = NULL;
    struct ArrowArrayStream  release;
    lines                    arrow, csv;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, settings);
    CHECK_OK(ctx,
             kanon_source_memory(ctx, "people.csv", people_csv, sizeof people_csv - 1, &source));
    CHECK_OK(ctx, kanon_table_csv(ctx, source, config, &table));
    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    CHECK_STR(formats_of(&release), "name:u age:i/u town:u weight:u born:u ill:u member:u");
    arrow_lines(ctx, &release, &arrow);
    csv_lines(ctx, config, people_csv, sizeof people_csv - 1, &csv);
    check_same_lines(&arrow, &csv);
    lines_free(&arrow);
    lines_free(&csv);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_source_free(source);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
}

/* --- nothing to hand out --------------------------------------------------------------------------- */

TEST(infeasible_jobs_and_failures_hand_out_nothing)
{
    fixture                 f = TABLE(7, people);
    kanon_ctx              *ctx = NULL;
    kanon_config           *config;
    kanon_table            *table = NULL;
    kanon_result           *result = NULL;
    struct ArrowArrayStream release = { .release = fixture_release_stream };

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, (const char *const[]){ "qi", "age", "k", "9", NULL });
    open_people(&f, ctx, &table);
    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    CHECK_EQ_I64(kanon_result_outcome(result), KANON_INFEASIBLE);
    CHECK(!release.release);
    kanon_result_free(result);
    CHECK_OK(ctx, kanon_config_set(config, "qi", "nothing"));
    release.release = fixture_release_stream;
    CHECK_STATUS(ctx, kanon_table_anonymize(ctx, config, table, &release, &result),
                 KANON_E_INVALID);
    CHECK(!release.release && !result);
    CHECK(strncmp(kanon_ctx_message(ctx), "people: ", 8) == 0);
    release.release = fixture_release_stream;
    CHECK_STATUS(ctx, kanon_table_anonymize(ctx, NULL, table, &release, &result), KANON_E_INVALID);
    CHECK(!release.release);
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(&f);
}

TEST(streams_are_taken_even_when_arguments_are_missing)
{
    fixture                 f = TABLE(7, people);
    kanon_ctx              *ctx = NULL;
    kanon_table            *table = NULL;
    struct ArrowArrayStream stream;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    fixture_open(&f, &stream);
    CHECK_STATUS(ctx, kanon_table_arrow(ctx, NULL, &stream, &table), KANON_E_INVALID);
    CHECK_RETURNED(&f);
    CHECK_STATUS(ctx, kanon_table_arrow(ctx, "people", &stream, &table),
                 KANON_E_INVALID); /* released */
    CHECK_STATUS(ctx, kanon_table_arrow(ctx, "people", NULL, &table), KANON_E_INVALID);
    fixture_open(&f, &stream);
    stream.get_next = NULL;
    CHECK_STATUS(ctx, kanon_table_arrow(ctx, "people", &stream, &table), KANON_E_INVALID);
    CHECK_RETURNED(&f);
    kanon_ctx_free(ctx);
}

/* --- other jobs ------------------------------------------------------------------------------------ */

TEST(other_jobs_take_arrow_tables)
{
    static const char *const settings[] = { "id", "name", "qi", "age,town", "k",
                                            "2",  "seed", "1",  NULL };
    fixture                  f = TABLE(7, people);
    kanon_ctx               *ctx = NULL;
    kanon_config            *config;
    kanon_table             *table = NULL, *released = NULL;
    kanon_result            *result = NULL;
    kanon_check             *check = NULL;
    kanon_comparison        *comparison = NULL;
    kanon_sink              *sink = NULL;
    struct ArrowArrayStream  release;
    double                   k = 0;
    size_t                   bytes;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    config = configure(ctx, settings);
    open_people(&f, ctx, &table);
    CHECK_OK(ctx, kanon_table_check(ctx, config, table, &check));
    CHECK_OK(ctx, kanon_check_number(check, "k", &k));
    CHECK_EQ_U64(k, 1);
    kanon_check_free(check);
    CHECK_OK(ctx, kanon_table_anonymize(ctx, config, table, &release, &result));
    CHECK_OK(ctx, kanon_table_arrow(ctx, "release", &release, &released));
    CHECK_OK(ctx, kanon_table_check(ctx, config, released, &check));
    CHECK_OK(ctx, kanon_check_number(check, "k", &k));
    CHECK(k >= 2);
    CHECK_OK(ctx, kanon_table_compare(ctx, config, table, released, NULL, &comparison));
    kanon_comparison_free(comparison);
    kanon_check_free(check);
    kanon_result_free(result);
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_table_write(ctx, config, table, sink, &result)); /* the release as CSV */
    CHECK(strncmp(kanon_sink_bytes(sink, &bytes), "name,age,town,weight,born,ill,member\n*,", 39)
          == 0);
    kanon_sink_free(sink);
    kanon_result_free(result);
    kanon_table_free(released);
    kanon_table_free(table);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(&f);
}

/* --- memory ---------------------------------------------------------------------------------------- */

static kanon_status
job_sweep(kanon_ctx *ctx, void *user)
{
    kanon_status            rc = KANON_OK;
    kanon_config           *config = NULL;
    kanon_table            *table = NULL;
    kanon_result           *result = NULL;
    struct ArrowArrayStream stream, release = { .release = NULL };

    fixture_open(user, &stream);
    KN_TRY(kanon_table_arrow(ctx, "people", &stream, &table));
    KN_TRY(kanon_config_new(ctx, &config));
    KN_TRY(kanon_config_set(config, "others", "keep"));
    KN_TRY(kanon_config_set(config, "qi", "age,town"));
    KN_TRY(kanon_config_set(config, "k", "2"));
    KN_TRY(kanon_config_set(config, "threads", "1"));
    KN_TRY(kanon_table_anonymize(ctx, config, table, &release, &result));
out:
    CHECK(!release.release == (rc < 0));
    if (release.release)
        release.release(&release);
    kanon_result_free(result);
    kanon_table_free(table);
    kanon_config_free(config);
    CHECK_RETURNED((fixture *) user);
    return rc;
}

TEST(every_allocation_may_fail)
{
    fixture f = TABLE(7, people);

    CHECK(failing_alloc_sweep(job_sweep, &f) > 200);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow_out.c -- releases as Arrow streams: types that stay, dictionaries that shrink, nothing of
 * the original behind them, and memory that outlives everything. */
#include "arrow_fixture.h"
#include "failing_alloc.h"
#include "formats/arrow_out.h"
#include "test.h"

#define VALUES(type, ...)                                                                          \
    (const type[])                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define BUFFERS(...) .buffers = { __VA_ARGS__ }

/* --- a job without a job --------------------------------------------------------------------------- */

/* Releases rows of a table in a given order. labels: per released row and generalized column; "~": null. */
typedef struct releasing {
    const kn_rows_out_column *columns;
    size_t                    ncolumns, nlabels;
    const uint64_t           *order; /* rows of the original */
    size_t                    nrows;
    const char *const        *labels;
    size_t                    text_most; /* 0: as ever */
} releasing;

/* The cells of one row, read by a pass of its own. */
static kanon_status
cells_of(kanon_ctx *ctx, kn_rows_source *source, uint64_t number, kn_rows **rows,
         const kn_str **cells)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_rows_open(source, ctx, rows));
    for (uint64_t i = 0; i <= number; i++)
        KN_TRY(kn_rows_next(*rows, cells));
out:
    return rc;
}

static kanon_status
release_row(kn_rows_out *out, kn_rows_source *source, const releasing *r, size_t i)
{
    kanon_status    rc = KANON_OK;
    kn_text         forms[4], record;
    kn_str          labels[4];
    kn_rows        *rows = NULL;
    kn_rows_out_row row = { r->order[i], NULL, labels };

    CHECK(r->nlabels <= 4);
    kn_text_init(&record, out->ctx);
    for (size_t l = 0; l < 4; l++)
        kn_text_init(&forms[l], out->ctx);
    for (size_t l = 0; l < r->nlabels; l++) {
        const char *text = r->labels[i * r->nlabels + l];

        out->class->label(out, strcmp(text, "~") ? kn_str_of(text) : (kn_str){ NULL, 0 },
                          &forms[l]);
        KN_TRY(kn_text_status(&forms[l]));
        labels[l] = (kn_str){ forms[l].ptr, forms[l].len };
    }
    KN_TRY(cells_of(out->ctx, source, row.number, &rows, &row.cells));
    KN_TRY(out->class->row(out, &row, &record));
    KN_TRY(out->class->write(out, record.ptr, record.len));
out:
    kn_rows_close(rows);
    for (size_t l = 0; l < 4; l++)
        kn_text_fini(&forms[l]);
    kn_text_fini(&record);
    return rc;
}

static kanon_status
release_all(kanon_ctx *ctx, kn_rows_source *source, const releasing *r,
            struct ArrowArrayStream *stream)
{
    kanon_status    rc = KANON_OK;
    kn_arrow_out    out;
    kn_rows_source *back = NULL;
    kn_dialect      usual = KN_DIALECT_USUAL;
    kn_rows        *rows = NULL;
    const kn_str   *cells;

    kn_arrow_out_init(&out, ctx, source, stream);
    if (r->text_most)
        out.text_most = r->text_most;
    KN_TRY(out.base.class->begin(&out.base, &usual, r->columns, r->ncolumns));
    for (size_t i = 0; i < r->nrows; i++)
        KN_TRY(release_row(&out.base, source, r, i));
    KN_TRY(out.base.class->read_back(&out.base, &back));
    KN_TRY(kn_rows_open(back, ctx, &rows));
    for (size_t i = 0; i <= r->nrows; i++) {
        KN_TRY(kn_rows_next(rows, &cells));
        CHECK(!cells == (i == r->nrows));
    }
    kn_rows_close(rows);
    rows = NULL;
    CHECK(!stream->release); /* not before it is committed */
    KN_TRY(out.base.class->commit(&out.base));
out:
    kn_rows_close(rows);
    kn_arrow_out_fini(&out);
    return rc;
}

static kanon_status
release_fixture(kanon_ctx *ctx, fixture *f, const releasing *r, struct ArrowArrayStream *stream)
{
    kanon_status            rc = KANON_OK;
    struct ArrowArrayStream in;
    kn_arrow_table         *table = NULL;

    memset(stream, 0, sizeof *stream);
    fixture_open(f, &in);
    KN_TRY(kn_arrow_table_read(ctx, "people", &in, &table));
    KN_TRY(release_all(ctx, &table->base, r, stream));
out:
    kn_arrow_table_free(table);
    return rc;
}

/* --- what came out --------------------------------------------------------------------------------- */

/* "name:format/dictionary ..." and all rows, as whoever gets the stream reads them. */
static char *
show_stream(struct ArrowArrayStream *stream)
{
    static char        shown[4096];
    kanon_ctx         *ctx = NULL;
    kn_arrow_table    *table = NULL;
    kn_rows           *rows = NULL;
    const kn_str      *cells;
    struct ArrowSchema schema;
    size_t             at = 0;

    CHECK_EQ_I64(stream->get_schema(stream, &schema), 0);
    for (int64_t c = 0; c < schema.n_children; c++) {
        const struct ArrowSchema *child = schema.children[c];

        at += (size_t) snprintf(shown + at, sizeof shown - at, "%s%s:%s%s%s", c ? " " : "",
                                child->name, child->format, child->dictionary ? "/" : "",
                                child->dictionary ? child->dictionary->format : "");
    }
    at += (size_t) snprintf(shown + at, sizeof shown - at, "\n");
    schema.release(&schema);
    CHECK(!schema.release);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_arrow_table_read(ctx, "release", stream, &table));
    CHECK(!stream->release);
    CHECK_OK(ctx, kn_rows_open(&table->base, ctx, &rows));
    for (;;) {
        CHECK_OK(ctx, kn_rows_next(rows, &cells));
        if (!cells)
            break;
        for (size_t c = 0; c < kn_rows_columns(rows); c++)
            at += (size_t) snprintf(shown + at, sizeof shown - at, "%s%.*s", c ? "|" : "",
                                    cells[c].ptr ? (int) cells[c].len : 1,
                                    cells[c].ptr ? cells[c].ptr : "~");
        at += (size_t) snprintf(shown + at, sizeof shown - at, "\n");
    }
    kn_rows_close(rows);
    kn_arrow_table_free(table);
    kanon_ctx_free(ctx);
    return shown;
}

#define CHECK_RELEASES(f, r, expected)                                                             \
    do {                                                                                           \
        kanon_ctx              *ctx_ = NULL;                                                       \
        struct ArrowArrayStream stream_;                                                           \
        CHECK(kanon_ctx_new(NULL, &ctx_) == KANON_OK);                                             \
        CHECK_OK(ctx_, release_fixture(ctx_, (f), (r), &stream_));                                 \
        kanon_ctx_free(ctx_); /* the stream needs neither context nor table */                     \
        CHECK_RETURNED(f);                                                                         \
        CHECK_STR(show_stream(&stream_), expected);                                                \
    } while (0)

/* A release of which one batch is looked at; to be released by the caller. */
static void
take_batch(fixture *f, const releasing *r, struct ArrowArray *batch)
{
    kanon_ctx              *ctx = NULL;
    struct ArrowArrayStream stream;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, release_fixture(ctx, f, r, &stream));
    kanon_ctx_free(ctx);
    CHECK_EQ_I64(stream.get_next(&stream, batch), 0);
    stream.release(&stream);
    CHECK(!stream.release && batch->release);
}

/* --- types ----------------------------------------------------------------------------------------- */

/* One column of every type, two values and a null each, in two batches. */
static const fixture_column decades = { .format = "tdD",
                                        .length = 3,
                                        BUFFERS(NULL, VALUES(int32_t, 0, 3653, 7305)) };
static const fixture_column every[] = {
    { .name = "b", .format = "b", .length = 3, BUFFERS(&all_but_second, VALUES(uint8_t, 6)) },
    { .name = "c",
      .format = "c",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int8_t, -1, 77, 1)) },
    { .name = "S",
      .format = "S",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(uint16_t, 9, 77, 8)) },
    { .name = "l",
      .format = "l",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int64_t, -5, 77, 5)) },
    { .name = "e",
      .format = "e",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(uint16_t, 0x3c00, 77, 0x4000)) },
    { .name = "f",
      .format = "f",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(float, 0.1f, 77, -0.0f)) },
    { .name = "g",
      .format = "g",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(double, 0.1, 77, 1e20)) },
    { .name = "d",
      .format = "d:9,2",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(uint64_t, 150, 0, 77, 0, 1, 0)) },
    { .name = "u",
      .format = "u",
      .length = 3,
      .nbuffers = 3,
      BUFFERS(&all_but_second, VALUES(int32_t, 0, 2, 5, 5), "abXXX") },
    { .name = "U",
      .format = "U",
      .length = 3,
      .nbuffers = 3,
      BUFFERS(&all_but_second, VALUES(int64_t, 0, 2, 5, 6), "abXXXc") },
    { .name = "v",
      .format = "vu",
      .length = 3,
      .nbuffers = 4,
      BUFFERS(&all_but_second,
              VALUES(int32_t, 2, 0x6261, 0, 0, 88, 88, 88, 88, 14, 0x70706168, 0, 1),
              "?happy together", VALUES(int64_t, 15)) },
    { .name = "D",
      .format = "tdD",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int32_t, 1, 77, 2)) },
    { .name = "m",
      .format = "tdm",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int64_t, 86400000, 86400000, 0)) },
    { .name = "t",
      .format = "ttm",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int32_t, 1, 77, 2)) },
    { .name = "T",
      .format = "tsu:UTC",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int64_t, 1, 77, 2)) },
    { .name = "k",
      .format = "s",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int16_t, 2, 1, 0)),
      .dictionary = &decades },
};

TEST(unchanged_columns_keep_their_types)
{
    kn_rows_out_column columns[16];
    const uint64_t     order[] = { 5, 1, 3, 0 };
    releasing          r = { columns, 16, 0, order, 4, NULL, 0 };
    fixture            f = TABLE(16, every, every);

    for (size_t c = 0; c < 16; c++)
        columns[c] = (kn_rows_out_column){ kn_str_of(every[c].name), c, KN_CELL_COPY, 0 };
    CHECK_RELEASES(
        &f, &r,
        "b:b c:c S:S l:l e:e f:f g:g d:d:9,2 u:u U:U v:vu D:tdD m:tdm t:ttm T:tsu:UTC k:s/tdD\n"
        "true|1|8|5|2|0|1e+20|0.01||c|happy together|1970-01-03|1970-01-01|00:00:00.002|"
        "1970-01-01 00:00:00.000002Z|1970-01-01\n"
        "~|~|~|~|~|~|~|~|~|~|~|~|~|~|~|~\n"
        "false|-1|9|-5|1|0.1|0.1|1.50|ab|ab|ab|1970-01-02|1970-01-02|00:00:00.001|"
        "1970-01-01 00:00:00.000001Z|1990-01-01\n"
        "false|-1|9|-5|1|0.1|0.1|1.50|ab|ab|ab|1970-01-02|1970-01-02|00:00:00.001|"
        "1970-01-01 00:00:00.000001Z|1990-01-01\n");
}

/* What lies under a null, in unused values and in the rest of a text buffer stays behind. */
TEST(nothing_of_the_original_is_left_in_buffers)
{
    kn_rows_out_column   columns[16];
    const uint64_t       order[] = { 1, 0 };
    releasing            r = { columns, 16, 0, order, 2, NULL, 0 };
    fixture              f = TABLE(16, every);
    struct ArrowArray    batch;
    static const uint8_t nothing[16];

    for (size_t c = 0; c < 16; c++)
        columns[c] = (kn_rows_out_column){ kn_str_of(every[c].name), c, KN_CELL_COPY, 0 };
    take_batch(&f, &r, &batch);
    CHECK_EQ_I64(batch.length, 2);
    for (int64_t c = 0; c < 16; c++) {
        const struct ArrowArray *column = batch.children[c];
        size_t                   width = c == 7 || c == 10                      ? 16
                                       : c == 3 || c == 6 || c == 12 || c == 14 ? 8
                                       : c == 2 || c == 4 || c == 15            ? 2
                                       : c == 0 || c == 1                       ? 1
                                                                                : 4;

        CHECK_EQ_I64(column->null_count, 1);
        CHECK_EQ_U64(*(const uint8_t *) column->buffers[0], 2);
        if (c != 0)
            CHECK(memcmp(column->buffers[1], nothing, width) == 0);
    }
    CHECK_EQ_I64(((const int32_t *) batch.children[8]->buffers[1])[2], 2); /* "ab" alone */
    CHECK_EQ_I64(batch.children[15]->dictionary->length, 1);
    CHECK_EQ_I64(((const int32_t *) batch.children[15]->dictionary->buffers[1])[0], 7305);
    batch.release(&batch);
}

TEST(nans_lose_what_distinguishes_them)
{
    const uint64_t       nans[] = { 0x7ff8000000000001, 0xfff8123400000000 };
    const uint32_t       singles[] = { 0x7fc00001, 0xffc12340 };
    const uint16_t       halves[] = { 0x7e01, 0xfe34 };
    const fixture_column columns[] = {
        { .name = "g", .format = "g", .length = 2, BUFFERS(NULL, nans) },
        { .name = "f", .format = "f", .length = 2, BUFFERS(NULL, singles) },
        { .name = "e", .format = "e", .length = 2, BUFFERS(NULL, halves) }
    };
    const kn_rows_out_column out[] = { { KN_STR("g"), 0, KN_CELL_COPY, 0 },
                                       { KN_STR("f"), 1, KN_CELL_COPY, 0 },
                                       { KN_STR("e"), 2, KN_CELL_COPY, 0 } };
    const uint64_t           order[] = { 0, 1 };
    releasing                r = { out, 3, 0, order, 2, NULL, 0 };
    fixture                  f = TABLE(3, columns);
    struct ArrowArray        batch;

    take_batch(&f, &r, &batch);
    CHECK(memcmp(batch.children[0]->buffers[1], (const char *) batch.children[0]->buffers[1] + 8, 8)
          == 0);
    CHECK(memcmp(batch.children[1]->buffers[1], (const char *) batch.children[1]->buffers[1] + 4, 4)
          == 0);
    CHECK(memcmp(batch.children[2]->buffers[1], (const char *) batch.children[2]->buffers[1] + 2, 2)
          == 0);
    batch.release(&batch);
}

/* --- labels ---------------------------------------------------------------------------------------- */

static const fixture_column ages[] = {
    { .name = "name",
      .format = "u",
      .length = 3,
      .nbuffers = 3,
      BUFFERS(NULL, VALUES(int32_t, 0, 3, 6, 9), "AnnBobCid") },
    { .name = "age",
      .format = "i",
      .length = 3,
      BUFFERS(&all_but_second, VALUES(int32_t, 31, 0, 35)) },
};

TEST(generalized_columns_are_dictionaries_of_labels)
{
    const kn_rows_out_column columns[] = { { KN_STR("name"), 0, KN_CELL_STAR, 0 },
                                           { KN_STR("age"), 1, KN_CELL_GENERALIZE, 0 } };
    const uint64_t           order[] = { 2, 1, 0 };
    const char *const        labels[] = { "30-39", "~", "30-39" };
    releasing                r = { columns, 2, 1, order, 3, labels, 0 };
    fixture                  f = TABLE(2, ages);
    struct ArrowArray        batch;

    CHECK_RELEASES(&f, &r, "name:u age:i/u\n*|30-39\n*|~\n*|30-39\n");
    take_batch(&f, &r, &batch);
    CHECK_EQ_I64(batch.children[1]->dictionary->length, 1);
    CHECK_EQ_I64(batch.children[1]->null_count, 1);
    batch.release(&batch);
}

TEST(labels_that_change_nothing_keep_the_type)
{
    const kn_rows_out_column columns[] = { { KN_STR("age"), 1, KN_CELL_GENERALIZE, 0 } };
    const uint64_t           order[] = { 2, 1, 0 };
    const char *const same[] = { "35", "~", "31" }, *const masked[] = { "35", "~", "*" };
    const char *const missing[] = { "35", "NA", "31" };
    releasing         r = { columns, 1, 1, order, 3, same, 0 };
    fixture           f = TABLE(2, ages);

    CHECK_RELEASES(&f, &r, "age:i\n35\n~\n31\n");
    r.labels = masked;
    CHECK_RELEASES(&f, &r, "age:i/u\n35\n~\n*\n");
    r.labels = missing;
    CHECK_RELEASES(&f, &r, "age:i/u\n35\nNA\n31\n");
    r.nrows = 0;
    CHECK_RELEASES(&f, &r, "age:i\n");
}

/* An empty label is a null where nulls are behind it, and never both in one column. */
TEST(empty_labels_are_nulls_where_cells_are)
{
    const fixture_column mixed[] = {
        { .name = "x",
          .format = "u",
          .length = 3,
          .nbuffers = 3,
          BUFFERS(&all_but_second, VALUES(int32_t, 0, 0, 0, 1), "a") },
    };
    const kn_rows_out_column columns[] = { { KN_STR("x"), 0, KN_CELL_GENERALIZE, 0 } };
    const uint64_t           order[] = { 2, 1, 0 };
    const char *const same[] = { "a", "", "" }, *const other[] = { "b", "", "" };
    releasing r = { columns, 1, 1, order, 2, same, 0 };
    fixture   f = TABLE(1, mixed);

    CHECK_RELEASES(&f, &r, "x:u\na\n~\n");
    r.labels = other;
    CHECK_RELEASES(&f, &r, "x:i/u\nb\n~\n");
    r.labels = same;
    r.nrows = 3;
    CHECK_RELEASES(&f, &r, "x:i/u\na\n~\n~\n");
    r.order = VALUES(uint64_t, 2, 0);
    r.nrows = 2;
    CHECK_RELEASES(&f, &r, "x:u\na\n\n");
}

/* --- dictionaries ---------------------------------------------------------------------------------- */

static const fixture_column colours_1 = { .format = "u",
                                          .length = 3,
                                          .nbuffers = 3,
                                          BUFFERS(NULL, VALUES(int32_t, 0, 3, 5, 8), "redmypin") };
static const fixture_column colours_2 = {
    .format = "u", .length = 2, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 3, 6), "pintan")
};

TEST(dictionaries_of_batches_become_one)
{
    const fixture_column     first[] = { { .name = "x",
                                           .format = "C",
                                           .length = 2,
                                           BUFFERS(NULL, VALUES(uint8_t, 2, 0)),
                                           .dictionary = &colours_1 } };
    const fixture_column     second[] = { { .name = "x",
                                            .format = "C",
                                            .length = 2,
                                            BUFFERS(NULL, VALUES(uint8_t, 1, 0)),
                                            .dictionary = &colours_2 } };
    const kn_rows_out_column columns[] = { { KN_STR("x"), 0, KN_CELL_COPY, 0 } };
    const uint64_t           order[] = { 2, 3, 0 };
    releasing                r = { columns, 1, 0, order, 3, NULL, 0 };
    fixture                  f = TABLE(1, first, second);
    struct ArrowArray        batch;

    CHECK_RELEASES(&f, &r, "x:C/u\ntan\npin\npin\n");
    take_batch(&f, &r, &batch);
    CHECK_EQ_I64(batch.children[0]->dictionary->length, 2);
    CHECK(memcmp(batch.children[0]->dictionary->buffers[2], "tanpin", 6) == 0);
    batch.release(&batch);
}

TEST(ordered_dictionaries_keep_their_order)
{
    const fixture_column     first[] = { { .name = "x",
                                           .format = "C",
                                           .length = 3,
                                           BUFFERS(NULL, VALUES(uint8_t, 2, 0, 1)),
                                           .dictionary = &colours_1,
                                           .flags = ARROW_FLAG_DICTIONARY_ORDERED } };
    const kn_rows_out_column columns[] = { { KN_STR("x"), 0, KN_CELL_COPY, 0 } };
    const uint64_t           order[] = { 0, 1 };
    releasing                r = { columns, 1, 0, order, 2, NULL, 0 };
    fixture                  f = TABLE(1, first);
    struct ArrowArray        batch;

    CHECK_RELEASES(&f, &r, "x:C/u\npin\nred\n");
    take_batch(&f, &r, &batch);
    CHECK(memcmp(batch.children[0]->dictionary->buffers[2], "redpin", 6) == 0);
    batch.release(&batch);
}

/* Two batches whose indices fit one byte each, with 100 values of their own each. */
TEST(indices_grow_when_they_must)
{
    int16_t              numbers[2][100];
    int8_t               indices[100];
    uint64_t             order[200];
    const fixture_column values[] = { { .format = "s", .length = 100, BUFFERS(NULL, numbers[0]) },
                                      { .format = "s", .length = 100, BUFFERS(NULL, numbers[1]) } };
    const fixture_column first[] = { { .name = "x",
                                       .format = "c",
                                       .length = 100,
                                       BUFFERS(NULL, indices),
                                       .dictionary = &values[0] } };
    const fixture_column second[] = { { .name = "x",
                                        .format = "c",
                                        .length = 100,
                                        BUFFERS(NULL, indices),
                                        .dictionary = &values[1] } };
    const kn_rows_out_column columns[] = { { KN_STR("x"), 0, KN_CELL_COPY, 0 } };
    releasing                r = { columns, 1, 0, order, 200, NULL, 0 };
    fixture                  f = TABLE(1, first, second);
    char                     expected[1024];
    size_t                   at = (size_t) snprintf(expected, sizeof expected, "x:i/s\n");

    for (size_t i = 0; i < 200; i++) {
        numbers[i / 100][i % 100] = (int16_t) i;
        indices[i % 100] = (int8_t) (i % 100);
        order[i] = i;
        at += (size_t) snprintf(expected + at, sizeof expected - at, "%zu\n", i);
    }
    CHECK_RELEASES(&f, &r, expected);
    r.nrows = 128;
    expected[0] = 0;
    at = (size_t) snprintf(expected, sizeof expected, "x:c/s\n");
    for (size_t i = 0; i < 128; i++)
        at += (size_t) snprintf(expected + at, sizeof expected - at, "%zu\n", i);
    CHECK_RELEASES(&f, &r, expected);
}

/* --- batches, memory ------------------------------------------------------------------------------- */

TEST(text_beyond_the_reach_of_offsets_starts_a_batch)
{
    const kn_rows_out_column columns[] = { { KN_STR("name"), 0, KN_CELL_COPY, 0 },
                                           { KN_STR("age"), 1, KN_CELL_GENERALIZE, 0 } };
    const uint64_t           order[] = { 2, 1, 0 };
    const char *const        labels[] = { "30-39", "~", "30-39" };
    releasing                r = { columns, 2, 1, order, 3, labels, 7 };
    fixture                  f = TABLE(2, ages);
    struct ArrowArray        batch;
    kanon_ctx               *ctx = NULL;
    struct ArrowArrayStream  stream;

    CHECK_RELEASES(&f, &r, "name:u age:i/u\nCid|30-39\nBob|~\nAnn|30-39\n");
    take_batch(&f, &r, &batch);
    CHECK_EQ_I64(batch.length, 2);
    batch.release(&batch);
    r.text_most = 2;
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_STATUS(ctx, release_fixture(ctx, &f, &r, &stream), KANON_E_UNSUPPORTED);
    CHECK(!stream.release);
    kanon_ctx_free(ctx);
}

/* Children may be moved out of their parent, and live longer. */
TEST(columns_may_be_taken_out_of_a_batch)
{
    const kn_rows_out_column columns[] = { { KN_STR("name"), 0, KN_CELL_COPY, 0 },
                                           { KN_STR("age"), 1, KN_CELL_COPY, 0 } };
    const uint64_t           order[] = { 2, 0 };
    releasing                r = { columns, 2, 0, order, 2, NULL, 0 };
    fixture                  f = TABLE(2, ages);
    struct ArrowArray        batch, age;

    take_batch(&f, &r, &batch);
    age = *batch.children[1];
    batch.children[1]->release = NULL;
    batch.release(&batch);
    CHECK_EQ_I64(((const int32_t *) age.buffers[1])[0], 35);
    age.release(&age);
    CHECK(!age.release);
}

static kanon_status
release_sweep(kanon_ctx *ctx, void *user)
{
    kn_rows_out_column      columns[17];
    const uint64_t          order[] = { 5, 1, 3, 0 };
    const char *const       labels[] = { "a", "~", "b", "a" };
    releasing               r = { columns, 17, 1, order, 4, labels, 0 };
    struct ArrowArrayStream stream;
    struct ArrowSchema      schema;
    kanon_status            rc;

    for (size_t c = 0; c < 16; c++)
        columns[c] = (kn_rows_out_column){ kn_str_of(every[c].name), c, KN_CELL_COPY, 0 };
    columns[16] = (kn_rows_out_column){ KN_STR("label"), 0, KN_CELL_GENERALIZE, 0 };
    rc = release_fixture(ctx, user, &r, &stream);
    CHECK_RETURNED((fixture *) user);
    CHECK(!stream.release == (rc < 0));
    if (rc < 0)
        return rc;
    if (stream.get_schema(&stream, &schema) == 0) {
        schema.release(&schema);
    } else {
        CHECK_STR(stream.get_last_error(&stream), "out of memory");
        rc = KANON_E_NOMEM;
    }
    stream.release(&stream);
    return rc;
}

TEST(every_allocation_may_fail)
{
    fixture f = TABLE(16, every, every);

    CHECK(failing_alloc_sweep(release_sweep, &f) > 100);
}

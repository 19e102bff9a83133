/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow.c -- reading Arrow arrays: what each type reads as, nulls, slices and batches, and arrays
 * that are not what they say. */
#include "arrow_fixture.h"
#include "base/text.h"
#include "encode/value.h"
#include "failing_alloc.h"
#include "formats/arrow.h"
#include "test.h"

/* --- helpers --------------------------------------------------------------------------------------- */

/* All rows as text: "a|~|c\n...", a null as "~". */
static kanon_status
read_rows(kanon_ctx *ctx, kn_arrow_table *table, kn_text *to)
{
    kanon_status  rc = KANON_OK;
    kn_rows      *rows = NULL;
    const kn_str *cells;

    KN_TRY(kn_rows_open(&table->base, ctx, &rows));
    for (;;) {
        KN_TRY(kn_rows_next(rows, &cells));
        if (!cells)
            break;
        for (size_t c = 0; c < kn_rows_columns(rows); c++) {
            kn_text_addz(to, c ? "|" : "");
            kn_text_add(to, cells[c].ptr ? cells[c] : KN_STR("~"));
        }
        kn_text_addz(to, "\n");
    }
    KN_TRY(kn_text_status(to));
out:
    kn_rows_close(rows);
    return rc;
}

static kanon_status
read_fixture(kanon_ctx *ctx, fixture *f, kn_text *to)
{
    kanon_status            rc = KANON_OK;
    struct ArrowArrayStream stream;
    kn_arrow_table         *table = NULL;

    fixture_open(f, &stream);
    KN_TRY(kn_arrow_table_read(ctx, "people", &stream, &table));
    KN_TRY(read_rows(ctx, table, to));
out:
    kn_arrow_table_free(table);
    return rc;
}

#define CHECK_READS(f, expected)                                                                   \
    do {                                                                                           \
        kanon_ctx *ctx_ = NULL;                                                                    \
        kn_text    text_;                                                                          \
        CHECK(kanon_ctx_new(NULL, &ctx_) == KANON_OK);                                             \
        kn_text_init(&text_, ctx_);                                                                \
        CHECK_OK(ctx_, read_fixture(ctx_, (f), &text_));                                           \
        CHECK_STR(text_.len ? text_.ptr : "", expected);                                           \
        CHECK_RETURNED(f);                                                                         \
        kn_text_fini(&text_);                                                                      \
        kanon_ctx_free(ctx_);                                                                      \
    } while (0)

#define CHECK_REFUSES(f, status, expected)                                                         \
    do {                                                                                           \
        kanon_ctx *ctx_ = NULL;                                                                    \
        kn_text    text_;                                                                          \
        CHECK(kanon_ctx_new(NULL, &ctx_) == KANON_OK);                                             \
        kn_text_init(&text_, ctx_);                                                                \
        CHECK_STATUS(ctx_, read_fixture(ctx_, (f), &text_), status);                               \
        CHECK_STR(kanon_ctx_message(ctx_), expected);                                              \
        CHECK_RETURNED(f);                                                                         \
        kn_text_fini(&text_);                                                                      \
        kanon_ctx_free(ctx_);                                                                      \
    } while (0)

/* One batch of one column. */
#define ONE(...) ((fixture) TABLE(1, COLUMN(__VA_ARGS__)))
#define VALUES(type, ...)                                                                          \
    (const type[])                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define BUFFERS(...) .buffers = { __VA_ARGS__ }

/* --- types ----------------------------------------------------------------------------------------- */

TEST(booleans)
{
    fixture f = ONE(.format = "b", .length = 3, BUFFERS(&all_but_second, VALUES(uint8_t, 5)));

    CHECK_READS(&f, "true\n~\ntrue\n");
}

TEST(integers_of_every_width)
{
    const fixture_column columns[] = {
        { .name = "a", .format = "c", .length = 2, BUFFERS(NULL, VALUES(int8_t, -128, 127)) },
        { .name = "b", .format = "C", .length = 2, BUFFERS(NULL, VALUES(uint8_t, 0, 255)) },
        { .name = "c", .format = "s", .length = 2, BUFFERS(NULL, VALUES(int16_t, -32768, 32767)) },
        { .name = "d", .format = "S", .length = 2, BUFFERS(NULL, VALUES(uint16_t, 0, 65535)) },
        { .name = "e",
          .format = "i",
          .length = 2,
          BUFFERS(NULL, VALUES(int32_t, INT32_MIN, INT32_MAX)) },
        { .name = "f", .format = "I", .length = 2, BUFFERS(NULL, VALUES(uint32_t, 0, UINT32_MAX)) },
        { .name = "g",
          .format = "l",
          .length = 2,
          BUFFERS(NULL, VALUES(int64_t, INT64_MIN, INT64_MAX)) },
        { .name = "h", .format = "L", .length = 2, BUFFERS(NULL, VALUES(uint64_t, 0, UINT64_MAX)) },
    };
    fixture f = TABLE(8, columns);

    CHECK_READS(&f, "-128|0|-32768|0|-2147483648|0|-9223372036854775808|0\n"
                    "127|255|32767|65535|2147483647|4294967295|9223372036854775807|"
                    "18446744073709551615\n");
}

TEST(floats_have_the_fewest_digits_of_their_size)
{
    const fixture_column columns[] = {
        { .name = "a",
          .format = "g",
          .length = 9,
          BUFFERS(NULL, VALUES(double, 0.1, -0.0, 1e22, 12.5, 1.0 / 3, 5e-324, 38, (double) NAN,
                               -(double) INFINITY)) },
        { .name = "b",
          .format = "f",
          .length = 9,
          BUFFERS(NULL, VALUES(float, 0.1f, -0.0f, 1e22f, 12.5f, 1.0f / 3, 1e-45f, 16777216, NAN,
                               3.4028235e38f)) },
        { .name = "c",
          .format = "e",
          .length = 9,
          BUFFERS(NULL, VALUES(uint16_t, 0x2e66, 0x8000, 0x7bff, 0x4a40, 0x3555, 1, 0x6800, 0x7e01,
                               0xfc00)) },
    };
    fixture f = TABLE(3, columns);

    CHECK_READS(&f,
                "0.1|0.1|0.1\n0|0|0\n1e+22|1e+22|65500\n12.5|12.5|12.5\n"
                "0.3333333333333333|0.33333334|0.3333\n4.9406564584124654e-324|"
                "1.40129846e-45|6e-8\n38|16777216|2048\nNaN|NaN|NaN\n-inf|3.40282347e+38|-inf\n");
}

TEST(decimals_show_their_scale)
{
    const uint64_t values[] = {
        1234567, 0, (uint64_t) -5, UINT64_MAX, 0, 0, UINT64_MAX, INT64_MAX
    };
    const fixture_column columns[] = {
        { .name = "a", .format = "d:19,2", .length = 4, BUFFERS(NULL, values) },
        { .name = "b", .format = "d:38,38,128", .length = 4, BUFFERS(NULL, values) },
        { .name = "c", .format = "d:38,-3", .length = 4, BUFFERS(NULL, values) },
        { .name = "d", .format = "d:38,0", .length = 4, BUFFERS(NULL, values) },
    };
    fixture f = TABLE(4, columns);

    CHECK_READS(&f, "12345.67|0.00000000000000000000000000000001234567|1234567000|1234567\n"
                    "-0.05|-0.00000000000000000000000000000000000005|-5000|-5\n"
                    "0.00|0.00000000000000000000000000000000000000|0|0\n"
                    "1701411834604692317316873037158841057.27|"
                    "1.70141183460469231731687303715884105727|"
                    "170141183460469231731687303715884105727000|"
                    "170141183460469231731687303715884105727\n");
}

TEST(dates)
{
    const fixture_column columns[] = {
        { .name = "a",
          .format = "tdD",
          .length = 4,
          BUFFERS(NULL, VALUES(int32_t, 0, -1, 19782, -719529)) },
        { .name = "b",
          .format = "tdm",
          .length = 4,
          BUFFERS(NULL,
                  VALUES(int64_t, 0, -86400000, 86400000LL * 2932896, 86400000LL * -719893)) },
    };
    fixture f = TABLE(2, columns);

    CHECK_READS(&f, "1970-01-01|1970-01-01\n1969-12-31|1969-12-31\n2024-02-29|9999-12-31\n"
                    "-0001-12-31|-0001-01-01\n");
}

TEST(days_agree_with_the_calendar_of_cells)
{
    kn_arrow_type   type;
    int32_t         day;
    kn_arrow_values values = { &type, NULL, (const uint8_t *) &day, NULL, NULL, 0, 1 };
    char            room[KN_ARROW_ROOM];
    kn_date         date;

    CHECK(kn_arrow_type_parse("tdD", &type));
    for (day = -719162; day <= 2932896; day += 37) {
        CHECK(kn_date_parse(kn_arrow_cell(&values, 0, room), KN_DATE_YMD_DASH, &date));
        CHECK_EQ_I64(kn_date_days(date), day);
    }
}

TEST(timestamps_and_zones)
{
    const fixture_column columns[] = {
        { .name = "a",
          .format = "tss:",
          .length = 3,
          BUFFERS(NULL, VALUES(int64_t, 0, -1, INT64_MIN)) },
        { .name = "b",
          .format = "tsm:UTC",
          .length = 3,
          BUFFERS(NULL, VALUES(int64_t, 1500, -1, 86400000)) },
        { .name = "c",
          .format = "tsu:+02:30",
          .length = 3,
          BUFFERS(NULL, VALUES(int64_t, 1000000, 1, INT64_MAX)) },
        { .name = "d",
          .format = "tsn:-0100",
          .length = 3,
          BUFFERS(NULL, VALUES(int64_t, 1, 1000, 1000000)) },
        { .name = "e",
          .format = "tsn:Europe/Berlin",
          .length = 3,
          BUFFERS(NULL, VALUES(int64_t, 0, 10, 20)) },
    };
    fixture f = TABLE(5, columns);

    CHECK_READS(&f, "1970-01-01 00:00:00|1970-01-01 00:00:01.500Z|1970-01-01 02:30:01+02:30|"
                    "1969-12-31 23:00:00.000000001-01:00|1970-01-01 00:00:00Z\n"
                    "1969-12-31 23:59:59|1969-12-31 23:59:59.999Z|1970-01-01 02:30:00.000001+02:30|"
                    "1969-12-31 23:00:00.000001-01:00|1970-01-01 00:00:00.000000010Z\n"
                    "-292277022657-01-27 08:29:52|1970-01-02 00:00:00Z|"
                    "294247-01-10 06:30:54.775807+02:30|1969-12-31 23:00:00.001-01:00|"
                    "1970-01-01 00:00:00.000000020Z\n");
}

TEST(times_of_day)
{
    const fixture_column columns[] = {
        { .name = "a", .format = "tts", .length = 2, BUFFERS(NULL, VALUES(int32_t, 86399, -1)) },
        { .name = "b", .format = "ttm", .length = 2, BUFFERS(NULL, VALUES(int32_t, 1, 3600000)) },
        { .name = "c", .format = "ttu", .length = 2, BUFFERS(NULL, VALUES(int64_t, 1, 60000000)) },
        { .name = "d", .format = "ttn", .length = 2, BUFFERS(NULL, VALUES(int64_t, 1, INT64_MIN)) },
    };
    fixture f = TABLE(4, columns);

    CHECK_READS(&f, "23:59:59|00:00:00.001|00:00:00.000001|00:00:00.000000001\n"
                    "-00:00:01|01:00:00|00:01:00|-2562047:47:16.854775808\n");
}

TEST(texts)
{
    const struct {
        int32_t length;
        char    rest[12];
    } views[] = { { 3, "abc" }, { 99, "" }, { 14, "" } };
    int32_t where[] = { 0, 1 };
    int64_t sizes[] = { 15 };
    struct {
        int32_t length;
        char    rest[12];
    } placed[3];
    memcpy(placed, views, sizeof placed);
    memcpy(placed[2].rest + 4, where, sizeof where);
    const fixture_column columns[] = {
        { .name = "a",
          .format = "u",
          .length = 3,
          .nbuffers = 3,
          BUFFERS(&all_but_second, VALUES(int32_t, 1, 3, 3, 6), "?ab\xc3\xa4g") },
        { .name = "b",
          .format = "U",
          .length = 3,
          .nbuffers = 3,
          BUFFERS(NULL, VALUES(int64_t, 0, 0, 2, 2), "ab") },
        { .name = "c",
          .format = "vu",
          .length = 3,
          .nbuffers = 4,
          BUFFERS(&all_but_second, placed, "?a longer text!", sizes) },
    };
    fixture f = TABLE(3, columns);

    CHECK_READS(&f, "ab||abc\n~|ab|~\n\xc3\xa4g||a longer text!\n");
}

TEST(dictionaries_of_any_index_and_value)
{
    const fixture_column names = {
        .format = "u", .length = 2, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 3, 5), "redmy")
    };
    const fixture_column numbers = { .format = "g",
                                     .length = 3,
                                     BUFFERS(&all_but_second, VALUES(double, 0.5, 9, 2)) };
    const fixture_column columns[] = {
        { .name = "a",
          .format = "c",
          .length = 3,
          BUFFERS(NULL, VALUES(int8_t, 1, 0, 1)),
          .dictionary = &names },
        { .name = "b",
          .format = "L",
          .length = 3,
          BUFFERS(&all_but_second, VALUES(uint64_t, 1, 77, 0)),
          .dictionary = &names },
        { .name = "c",
          .format = "S",
          .length = 3,
          BUFFERS(NULL, VALUES(uint16_t, 2, 1, 0)),
          .dictionary = &numbers },
    };
    fixture f = TABLE(3, columns);

    CHECK_READS(&f, "my|my|2\nred|~|~\nmy|red|0.5\n");
}

TEST(other_types_are_named)
{
    static const char *const other[][2] = {
        { "n", "null" },
        { "z", "binary" },
        { "w:4", "fixed-size binary" },
        { "vz", "binary_view" },
        { "tDs", "duration" },
        { "tin", "interval" },
        { "+l", "list" },
        { "+s", "struct" },
        { "+ud:1,2", "union" },
        { "+r", "run-end encoded" },
        { "q", "unknown" },
        { "d:9,2,64", "decimal of other than 128 bits or with more than 38 digits" },
        { "d:39,2", "decimal of other than 128 bits or with more than 38 digits" },
        { "tsx:", "unknown" },
        { "", "unknown" }
    };

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        fixture f = ONE(.format = other[i][0], .length = 1, BUFFERS(NULL, "12345678"));
        char    expected[200];

        snprintf(expected, sizeof expected,
                 "people: column 'x' has the Arrow type %s ('%s'), which is not supported; cast it "
                 "to text, numbers, dates or times",
                 other[i][1], other[i][0]);
        CHECK_REFUSES(&f, KANON_E_UNSUPPORTED, expected);
    }
}

TEST(dictionaries_of_other_types_are_refused)
{
    const fixture_column lists = { .format = "+l" }, plain = { .format = "i" };
    const fixture_column nested = { .format = "i", .dictionary = &plain };
    fixture              f = ONE(.format = "i", .length = 1, BUFFERS(NULL, VALUES(int32_t, 0)),
                                 .dictionary = &lists);

    CHECK_REFUSES(
        &f, KANON_E_UNSUPPORTED,
        "people: column 'x' has the Arrow type list ('+l') in its dictionary, which is not "
        "supported; cast it to text, numbers, dates or times");
    f = ONE(.format = "i", .length = 1, BUFFERS(NULL, VALUES(int32_t, 0)), .dictionary = &nested);
    CHECK_REFUSES(
        &f, KANON_E_UNSUPPORTED,
        "people: column 'x' has the Arrow type int32 ('i'), a dictionary in a dictionary, "
        "which is not supported; cast it to text, numbers, dates or times");
    f = ONE(.format = "g", .length = 1, BUFFERS(NULL, VALUES(double, 0)), .dictionary = &plain);
    CHECK_REFUSES(
        &f, KANON_E_UNSUPPORTED,
        "people: column 'x' has the Arrow type double ('g') as the index of a dictionary, "
        "which is not supported; cast it to text, numbers, dates or times");
}

/* --- frames ---------------------------------------------------------------------------------------- */

TEST(slices_of_columns_and_of_batches)
{
    const uint8_t        valid[] = { 0xff, 0xfd };
    const fixture_column columns[] = {
        { .name = "a",
          .format = "i",
          .length = 5,
          .offset = 7,
          .nulls = -1,
          BUFFERS(valid, VALUES(int32_t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)) },
        { .name = "b",
          .format = "u",
          .length = 5,
          .offset = 1,
          .nbuffers = 3,
          BUFFERS(NULL, VALUES(int32_t, 0, 1, 2, 3, 4, 5, 6), "abcdef") },
        { .name = "c",
          .format = "b",
          .length = 5,
          .offset = 6,
          BUFFERS(NULL, VALUES(uint8_t, 0x40, 0x05)) },
    };
    fixture f = TABLE(3, columns);

    CHECK_READS(&f, "7|b|true\n8|c|false\n~|d|true\n10|e|false\n11|f|true\n");
    f.batch_offset = 2;
    CHECK_READS(&f, "~|d|true\n10|e|false\n11|f|true\n");
    f.batch_length = 1;
    CHECK_READS(&f, "~|d|true\n");
}

TEST(many_batches_and_empty_ones)
{
    const fixture_column one[] = {
        { .name = "a", .format = "i", .length = 2, BUFFERS(NULL, VALUES(int32_t, 1, 2)) }
    };
    const fixture_column none[] = { { .name = "a", .format = "i" } };
    fixture              f = TABLE(1, none, one, none, one, none);

    CHECK_READS(&f, "1\n2\n1\n2\n");
    f.nbatches = 0;
    CHECK_READS(&f, "");
}

TEST(names)
{
    fixture_column columns[] = {
        { .name = NULL, .format = "i", .length = 1, BUFFERS(NULL, VALUES(int32_t, 1)) },
        { .name = " age ", .format = "i", .length = 1, BUFFERS(NULL, VALUES(int32_t, 1)) },
        { .name = "", .format = "i", .length = 1, BUFFERS(NULL, VALUES(int32_t, 1)) },
    };
    fixture                 f = TABLE(3, columns);
    struct ArrowArrayStream stream;
    kn_arrow_table         *table = NULL;
    kanon_ctx              *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    fixture_open(&f, &stream);
    CHECK_OK(ctx, kn_arrow_table_read(ctx, "people", &stream, &table));
    CHECK_PIECE(table->names.names[0], "column1");
    CHECK_PIECE(table->names.names[1], "age");
    CHECK_PIECE(table->names.names[2], "column3");
    kn_arrow_table_free(table);
    kanon_ctx_free(ctx);
    columns[2].name = "age";
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: columns 2 and 3 are both named 'age'; give them different names");
    columns[2].name = "\xff";
    CHECK_REFUSES(&f, KANON_E_PARSE, "people: the name of column 3 is not UTF-8");
}

/* The digest is that of names, types and cells: neither batches, slices nor dictionaries show in it. */
static void
digest_of(fixture *f, uint8_t digest[KN_HASH_BYTES])
{
    struct ArrowArrayStream stream;
    kn_arrow_table         *table = NULL;
    kanon_ctx              *ctx = NULL;
    kn_rows                *rows = NULL;
    const kn_str           *cells;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    fixture_open(f, &stream);
    CHECK_OK(ctx, kn_arrow_table_read(ctx, "people", &stream, &table));
    for (int pass = 0; pass < 3; pass++) { /* the first one ends early */
        CHECK_OK(ctx, kn_rows_open(&table->base, ctx, &rows));
        do
            CHECK_OK(ctx, kn_rows_next(rows, &cells));
        while (cells && pass);
        if (pass)
            kn_rows_digest(rows, digest);
        kn_rows_close(rows);
    }
    kn_arrow_table_free(table);
    kanon_ctx_free(ctx);
    CHECK_RETURNED(f);
}

TEST(the_digest_is_of_the_cells)
{
    const fixture_column names = {
        .format = "u", .length = 2, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 1, 2), "ba")
    };
    const fixture_column plain[] = { { .name = "x",
                                       .format = "u",
                                       .length = 3,
                                       .nbuffers = 3,
                                       BUFFERS(NULL, VALUES(int32_t, 0, 1, 2, 3), "aba") } };
    const fixture_column coded[] = { { .name = "x",
                                       .format = "i",
                                       .length = 3,
                                       BUFFERS(NULL, VALUES(int32_t, 1, 0, 1)),
                                       .dictionary = &names } };
    const fixture_column first[] = { { .name = "x",
                                       .format = "u",
                                       .length = 1,
                                       .nbuffers = 3,
                                       BUFFERS(NULL, VALUES(int32_t, 0, 1), "a") } };
    const fixture_column rest[] = { { .name = "x",
                                      .format = "u",
                                      .length = 2,
                                      .offset = 1,
                                      .nbuffers = 3,
                                      BUFFERS(NULL, VALUES(int32_t, 0, 1, 2, 3), "?ba") } };
    const fixture_column null[] = { { .name = "x",
                                      .format = "u",
                                      .length = 3,
                                      .nbuffers = 3,
                                      BUFFERS(&all_but_second, VALUES(int32_t, 0, 1, 2, 3),
                                              "aba") } };
    const fixture_column large[] = { { .name = "x",
                                       .format = "U",
                                       .length = 3,
                                       .nbuffers = 3,
                                       BUFFERS(NULL, VALUES(int64_t, 0, 1, 2, 3), "aba") } };
    fixture f[] = { TABLE(1, plain), TABLE(1, coded), TABLE(1, first, rest), TABLE(1, null),
                    TABLE(1, large) };
    uint8_t digests[5][KN_HASH_BYTES];

    for (size_t i = 0; i < 5; i++)
        digest_of(&f[i], digests[i]);
    CHECK(memcmp(digests[0], digests[1], KN_HASH_BYTES) == 0);
    CHECK(memcmp(digests[0], digests[2], KN_HASH_BYTES) == 0);
    CHECK(memcmp(digests[0], digests[3], KN_HASH_BYTES) != 0);
    CHECK(memcmp(digests[0], digests[4], KN_HASH_BYTES) != 0);
}

/* --- arrays that are not what they say ------------------------------------------------------------- */

TEST(broken_frames)
{
    static const struct {
        fixture_column column;
        const char    *why;
    } broken[] = {
        { { .format = "i", .length = -1 }, "(int32): a length of -1 and an offset of 0" },
        { { .format = "i", .length = 1, .offset = -4 },
          "(int32): a length of 1 and an offset of -4" },
        { { .format = "i", .length = INT64_MAX },
          "(int32): a length of 9223372036854775807 and an offset of 0" },
        { { .format = "i", .length = 1, .nulls = -2, BUFFERS(NULL, "1234") },
          "(int32): -2 nulls among 1 values" },
        { { .format = "i", .length = 1, .nulls = 2, BUFFERS(NULL, "1234") },
          "(int32): 2 nulls among 1 values" },
        { { .format = "i", .length = 1, .nulls = 1, BUFFERS(NULL, "1234") },
          "(int32): 1 nulls, but no bitmap that says which" },
        { { .format = "i", .length = 1, .nbuffers = 3, BUFFERS(NULL, "1234") },
          "(int32): 3 buffers; expected 2" },
        { { .format = "u", .length = 1, BUFFERS(NULL, "12345678") },
          "(utf8): 2 buffers; expected 3" },
        { { .format = "vu", .length = 1, BUFFERS(NULL, "12345678") },
          "(utf8_view): 2 buffers; expected 3 or more" },
        { { .format = "i", .length = 1 }, "(int32): there is no buffer with the values" },
        { { .format = "i", .length = 1, .nchildren = 1, BUFFERS(NULL, "1234") },
          "(int32): 1 children; expected none" },
        { { .format = "tdm", .length = 1, BUFFERS(NULL, "\1\0\0\0\0\0\0") },
          "(date64), row 1: a time of day where a whole day is expected; cast it to a timestamp" },
    };

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        fixture_column column = broken[i].column;
        fixture        f = { .batches = (const fixture_column *const[]){ &column },
                             .nbatches = 1,
                             .ncolumns = 1,
                             .batch_length = 1 };
        char           expected[200];

        column.name = "x";
        snprintf(expected, sizeof expected, "people: column 'x' %s", broken[i].why);
        CHECK_REFUSES(&f, KANON_E_PARSE, expected);
    }
}

TEST(broken_texts)
{
    fixture f = ONE(.format = "u", .length = 2, .nbuffers = 3,
                    BUFFERS(NULL, VALUES(int32_t, 0, 3, 2), "abc"));

    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8), row 2: its text ends at 2, before it starts at 3");
    f = ONE(.format = "U", .length = 1, .nbuffers = 3,
            BUFFERS(NULL, VALUES(int64_t, -1, 3), "abc"));
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (large_utf8), row 1: its text starts at -1; expected an "
                  "offset of 0 or more");
    f = ONE(.format = "u", .length = 1, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 3)));
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8): there is no buffer with the texts");
    f = ONE(.format = "u", .length = 2, .nbuffers = 3,
            BUFFERS(NULL, VALUES(int32_t, 0, 1, 2), "a\xff"));
    CHECK_REFUSES(&f, KANON_E_PARSE, "people: column 'x' (utf8), row 2: the text is not UTF-8");
    f = ONE(.format = "u", .length = 2, .nbuffers = 3,
            BUFFERS(NULL, VALUES(int32_t, 0, 1, 2), "\xc3\xa4"));
    CHECK_REFUSES(&f, KANON_E_PARSE, "people: column 'x' (utf8), row 1: the text is not UTF-8");
    f = ONE(.format = "u", .length = 1, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 2), "a\0"));
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8), row 1: a NUL character; remove it");
}

TEST(broken_views)
{
    const int64_t sizes[] = { 20 };
    int32_t       view[4] = { -1, 0, 0, 0 };
    fixture       f = ONE(.format = "vu", .length = 1, .nbuffers = 4,
                          BUFFERS(NULL, view, "01234567890123456789", sizes));

    CHECK_REFUSES(&f, KANON_E_PARSE, "people: column 'x' (utf8_view), row 1: a text of length -1");
    memcpy(view, VALUES(int32_t, 13, 0, 1, 0), sizeof view);
    CHECK_REFUSES(
        &f, KANON_E_PARSE,
        "people: column 'x' (utf8_view), row 1: its text is in buffer 1, but there are 1");
    memcpy(view, VALUES(int32_t, 13, 0, 0, 8), sizeof view);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8_view), row 1: its text lies outside its buffer");
    memcpy(view, VALUES(int32_t, 13, 0, 0, -1), sizeof view);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8_view), row 1: its text lies outside its buffer");
    memcpy(view, VALUES(int32_t, INT32_MAX, 0, 0, INT32_MAX), sizeof view);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8_view), row 1: its text lies outside its buffer");
    f = ONE(.format = "vu", .length = 1, .nbuffers = 4,
            BUFFERS(NULL, view, "01234567890123456789"));
    CHECK_REFUSES(
        &f, KANON_E_PARSE,
        "people: column 'x' (utf8_view): there is no buffer with the sizes of the others");
}

TEST(broken_dictionaries)
{
    const fixture_column names = {
        .format = "u", .length = 2, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 0, 3, 5), "redmy")
    };
    const fixture_column reversed = {
        .format = "u", .length = 2, .nbuffers = 3, BUFFERS(NULL, VALUES(int32_t, 5, 3, 5), "redmy")
    };
    fixture f = ONE(.format = "c", .length = 2, BUFFERS(NULL, VALUES(int8_t, 0, -1)),
                    .dictionary = &names);

    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (int8), row 2: index -1 into a dictionary of 2 values");
    f = ONE(.format = "C", .length = 2, BUFFERS(NULL, VALUES(uint8_t, 2, 0)), .dictionary = &names);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (uint8), row 1: index 2 into a dictionary of 2 values");
    f = ONE(.format = "L", .length = 1, BUFFERS(NULL, VALUES(uint64_t, UINT64_MAX)),
            .dictionary = &names);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (uint64), row 1: index -1 into a dictionary of 2 values");
    f = ONE(.format = "C", .length = 1, BUFFERS(NULL, VALUES(uint8_t, 0)), .dictionary = &reversed);
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'x' (utf8), row 1: its text ends at 3, before it starts at 5");
}

TEST(broken_batches)
{
    const fixture_column good[] = {
        { .name = "a", .format = "i", .length = 2, BUFFERS(NULL, VALUES(int32_t, 1, 2)) }
    };
    const fixture_column coded[] = { { .name = "a",
                                       .format = "i",
                                       .length = 2,
                                       BUFFERS(NULL, VALUES(int32_t, 1, 2)),
                                       .dictionary = good } };
    fixture              f = TABLE(1, good, coded);

    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'a' (int32): there is a dictionary; expected none");
    f.batches = (const fixture_column *const[]){ coded, good };
    f.nbatches = 1;
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'a' (int32), row 2: index 2 into a dictionary of 2 values");
    f.batches = (const fixture_column *const[]){ good };
    f.batch_length = 3;
    CHECK_REFUSES(&f, KANON_E_PARSE,
                  "people: column 'a' (int32): 2 values; expected 3, as in the batch");
    f.batch_length = -1;
    CHECK_REFUSES(&f, KANON_E_PARSE, "people: a batch has a length of -1 and an offset of 0");
    f.batch_length = 1;
    f.format = "i";
    CHECK_REFUSES(&f, KANON_E_UNSUPPORTED,
                  "people: the Arrow stream has the type int32 ('i'); expected a struct, whose "
                  "fields are the columns");
    f.format = NULL;
    f.ncolumns = 0;
    CHECK_REFUSES(&f, KANON_E_PARSE, "people: the Arrow stream has 0 columns; expected 1 to 65535");
}

TEST(streams_that_fail)
{
    fixture f = ONE(.format = "i", .length = 2, BUFFERS(NULL, VALUES(int32_t, 1, 2)));

    f.fail_at = 2;
    CHECK_REFUSES(&f, KANON_E_IO, "people: the Arrow stream failed: Input/output error");
    f.error = "the disk\nis gone";
    CHECK_REFUSES(&f, KANON_E_IO, "people: the Arrow stream failed: the disk?is gone");
}

/* --- memory ---------------------------------------------------------------------------------------- */

static kanon_status
read_sweep(kanon_ctx *ctx, void *user)
{
    kn_text      text;
    kanon_status rc;

    kn_text_init(&text, ctx);
    rc = read_fixture(ctx, user, &text);
    if (rc == KANON_OK)
        CHECK_STR(text.ptr, "2|a\n~|b\n");
    kn_text_fini(&text);
    CHECK_RETURNED((fixture *) user);
    return rc;
}

TEST(every_allocation_may_fail)
{
    const fixture_column numbers = { .format = "g",
                                     .length = 3,
                                     BUFFERS(&all_but_second, VALUES(double, 0.5, 9, 2)) };
    const fixture_column columns[] = {
        { .name = "a",
          .format = "C",
          .length = 2,
          BUFFERS(NULL, VALUES(uint8_t, 2, 1)),
          .dictionary = &numbers },
        { .name = "b",
          .format = "u",
          .length = 2,
          .nbuffers = 3,
          BUFFERS(NULL, VALUES(int32_t, 0, 1, 2), "ab") },
    };
    fixture f = TABLE(2, columns);

    CHECK(failing_alloc_sweep(read_sweep, &f) > 10);
}

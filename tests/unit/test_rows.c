/* SPDX-License-Identifier: Apache-2.0 */
/* test_rows.c -- the seam of tables: what every format owes, with CSV and a table in memory behind it. */
#include "formats/csv.h"
#include "table/digest.h"
#include "test.h"

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

static void
hex(const uint8_t *bytes, char *text)
{
    for (size_t i = 0; i < KN_HASH_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* --- a pass ------------------------------------------------------------------------------------- */

static size_t
drain(kanon_ctx *ctx, kn_rows *rows)
{
    const kn_str *cells;
    size_t        count = 0;

    for (;; count++) {
        CHECK_OK(ctx, kn_rows_next(rows, &cells));
        if (!cells)
            return count;
        CHECK_EQ_U64(rows->number, count + 1);
    }
}

/* The names that a job expects decide that the first line is a header. A later pass, for which nobody
 * expects anything, must not decide again: the second pass of a job reads the same table as the first. */
TEST(a_later_pass_guesses_nothing_anew)
{
    static const char text[] = "1;2\n3;4,5\n6;7,8\n";
    kanon_ctx        *ctx = plain_ctx();
    kanon_source     *source = NULL;
    kn_str            expected[] = { KN_STR("1"), KN_STR("2") };
    kn_csv_options    options = { .expected = expected, .nexpected = 2 };
    kn_csv_table      table;
    kn_rows          *rows = NULL;
    uint8_t           first[KN_HASH_BYTES], second[KN_HASH_BYTES];

    CHECK_OK(ctx, kanon_source_memory(ctx, "t.csv", text, strlen(text), &source));
    kn_csv_table_init(&table, source, &options);
    CHECK_STR(table.base.name, "t.csv");
    CHECK_OK(ctx, kn_rows_open(&table.base, ctx, &rows));
    CHECK(rows->dialect.header && rows->dialect.delimiter == ';');
    CHECK_EQ_U64(kn_rows_find(rows, KN_STR("2")), 1);
    CHECK(rows->class->fraction(rows) >= 0);
    CHECK_EQ_U64(drain(ctx, rows), 2);
    CHECK(rows->class->fraction(rows) == 1);
    kn_rows_digest(rows, first);
    kn_rows_close(rows);

    CHECK_EQ_U64(table.options.nexpected, 0);
    CHECK_OK(ctx, kn_rows_open(&table.base, ctx, &rows));
    CHECK(rows->dialect.header && rows->dialect.delimiter == ';');
    CHECK_EQ_U64(drain(ctx, rows), 2);
    kn_rows_digest(rows, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    kn_rows_close(rows);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

static uint64_t
no_line(const kn_rows *rows)
{
    KN_UNUSED(rows);
    return 0;
}

/* A failure names the line, or the number of the row where the table has no lines. */
TEST(failures_have_a_place)
{
    kanon_ctx    *ctx = plain_ctx();
    kanon_source *source = NULL;
    kn_rows      *rows = NULL;
    kn_rows_class without_lines;
    const kn_str *cells;

    CHECK_OK(ctx, kanon_source_memory(ctx, "t.csv", "a\n1\n\"2\n3\"\n4\n", 13, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &rows));
    for (size_t i = 0; i < 3; i++)
        CHECK_OK(ctx, kn_rows_next(rows, &cells));
    CHECK_STATUS(ctx, kn_rows_fail(rows, KANON_E_PARSE, "'%s' is odd", "x"), KANON_E_PARSE);
    CHECK_STR(kanon_ctx_message(ctx), "t.csv:5: 'x' is odd");
    without_lines = *rows->class;
    without_lines.line = no_line;
    rows->class = &without_lines;
    CHECK_STATUS(ctx, kn_rows_fail(rows, KANON_E_PARSE, "'%s' is odd", "x"), KANON_E_PARSE);
    CHECK_STR(kanon_ctx_message(ctx), "t.csv: row 3: 'x' is odd");
    kn_rows_close(rows);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

/* --- tables that are not bytes -------------------------------------------------------------------- */

static void
digest_of(kanon_ctx *ctx, const kn_str *names, const kn_str *types, size_t ncolumns,
          const kn_str *cells, size_t rows, char *text)
{
    kn_table_digest digest;
    uint8_t         bytes[KN_HASH_BYTES];

    CHECK_OK(ctx, kn_table_digest_init(ctx, &digest, names, types, ncolumns));
    for (size_t r = 0; r < rows; r++)
        kn_table_digest_row(&digest, cells + r * ncolumns);
    kn_table_digest_end(&digest);
    kn_hash_end(&digest.hash, bytes);
    hex(bytes, text);
}

/* The layout is a promise (docs/FORMATS.md): these bytes were laid out by hand and hashed apart. */
TEST(the_digest_of_a_table_is_as_documented)
{
    kanon_ctx   *ctx = plain_ctx();
    const kn_str names[] = { KN_STR("a"), KN_STR("bc") };
    const kn_str types[] = { KN_STR("utf8"), KN_STR("int64") };
    const kn_str cells[] = { KN_STR("x"), KN_STR("1"), { NULL, 0 }, KN_STR("") };
    char         text[2 * KN_HASH_BYTES + 1];

    digest_of(ctx, names, types, 2, cells, 2, text);
    CHECK_STR(text, "7f4f63e694ed47d9060fd086dcefd9326edaccd200f8029de63c5b2e77371bc2");
    kanon_ctx_free(ctx);
}

/* Texts that run together, nulls and empty texts, rows and columns: all are told apart. */
TEST(different_tables_have_different_digests)
{
    kanon_ctx   *ctx = plain_ctx();
    const kn_str names[] = { KN_STR("a"), KN_STR("b") }, types[] = { KN_STR("u"), KN_STR("u") };
    const kn_str cells[][2] = { { KN_STR("ab"), KN_STR("c") },
                                { KN_STR("a"), KN_STR("bc") },
                                { KN_STR(""), KN_STR("abc") },
                                { { NULL, 0 }, KN_STR("abc") },
                                { KN_STR("abc"), { NULL, 0 } } };
    char         texts[KN_COUNT(cells) + 3][2 * KN_HASH_BYTES + 1];
    size_t       count = 0;

    for (size_t i = 0; i < KN_COUNT(cells); i++)
        digest_of(ctx, names, types, 2, cells[i], 1, texts[count++]);
    digest_of(ctx, names, types, 2, NULL, 0, texts[count++]);
    digest_of(ctx, names, types, 1, cells[0], 2, texts[count++]);
    digest_of(ctx, types, names, 2, cells[0], 1, texts[count++]);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(texts[i], texts[j]) != 0);
    kanon_ctx_free(ctx);
}

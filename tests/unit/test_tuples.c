/* SPDX-License-Identifier: Apache-2.0 */
/* test_tuples.c -- src/table: dictionaries, distinct tuples with counts, and the learned table made of
 * them, against sorting and counting by hand. */
#include "base/hash.h"
#include "base/rng.h"
#include "failing_alloc.h"
#include "table/dict.h"
#include "table/table.h"
#include "test.h"

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* --- dictionaries -------------------------------------------------------------------------------- */

TEST(codes_come_in_order_of_arrival)
{
    kanon_ctx *ctx = plain_ctx();
    kn_dict   *dict = NULL;
    char       text[32];
    uint32_t   code;

    CHECK_OK(ctx, kn_dict_new(ctx, &dict));
    CHECK_EQ_U64(kn_dict_find(dict, KN_STR("v0")), KN_NO_CODE);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(text, sizeof text, "v%u", i);
            CHECK_OK(ctx, kn_dict_add(dict, kn_str_of(text), &code));
            CHECK_EQ_U64(code, i);
        }
    CHECK_EQ_U64(kn_dict_count(dict), 5000);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "v%u", i);
        CHECK_EQ_U64(kn_dict_find(dict, kn_str_of(text)), i);
        CHECK_PIECE(kn_dict_value(dict, i), text);
        CHECK_PIECE(kn_dict_values(dict)[i], text);
    }
    CHECK_EQ_U64(kn_dict_find(dict, KN_STR("v5000")), KN_NO_CODE);
    kn_dict_free(dict);
    kanon_ctx_free(ctx);
}

TEST(any_bytes_are_a_value)
{
    static const kn_str values[] = { { "", 0 },   { "a", 1 },    { "a\0", 2 },
                                     { "\0", 1 }, { "\0\0", 2 }, { "\xff", 1 } };
    kanon_ctx          *ctx = plain_ctx();
    kn_dict            *dict = NULL;
    uint32_t            code;
    char               *large = calloc(1, 300000);

    CHECK(large != NULL);
    CHECK_OK(ctx, kn_dict_new(ctx, &dict));
    for (uint32_t i = 0; i < KN_COUNT(values); i++) {
        CHECK_OK(ctx, kn_dict_add(dict, values[i], &code));
        CHECK_EQ_U64(code, i);
    }
    CHECK_OK(ctx, kn_dict_add(dict, (kn_str){ large, 300000 }, &code));
    CHECK_EQ_U64(code, KN_COUNT(values));
    for (uint32_t i = 0; i < KN_COUNT(values); i++)
        CHECK_EQ_U64(kn_dict_find(dict, values[i]), i);
    CHECK_EQ_U64(kn_dict_find(dict, (kn_str){ large, 299999 }), KN_NO_CODE);
    kn_dict_free(dict);
    free(large);
    kanon_ctx_free(ctx);
}

/* A file whose values were chosen so that a hash without a seed puts them all next to each other; n of them
 * would take n^2 steps. */
TEST(chosen_values_find_no_common_place)
{
    enum { COUNT = 8000, PLACES = 16384, WINDOW = 64 };
    kanon_ctx *ctx = plain_ctx();
    kn_dict   *dict = NULL;
    char       text[16];
    uint32_t   code, count = 0;

    CHECK_OK(ctx, kn_dict_new(ctx, &dict));
    for (uint32_t i = 0; count < COUNT; i++) {
        int length = snprintf(text, sizeof text, "%08u", i);

        if ((kn_hash_bytes(text, (size_t) length) & (PLACES - 1)) >= WINDOW)
            continue;
        CHECK_OK(ctx, kn_dict_add(dict, kn_str_of(text), &code));
        count++;
    }
    CHECK(kn_dict_reach(dict) < 1000); /* some 40; without a seed about COUNT */
    kn_dict_free(dict);
    kanon_ctx_free(ctx);
}

TEST(contexts_hash_differently_and_tables_come_out_alike)
{
    kanon_ctx *one = plain_ctx(), *other = plain_ctx();
    kn_tuples *a = NULL, *b = NULL;
    uint32_t   codes[2];

    CHECK(kn_ctx_hash_seed(one) != kn_ctx_hash_seed(other));
    CHECK_OK(one, kn_tuples_new(one, 2, &a));
    CHECK_OK(other, kn_tuples_new(other, 2, &b));
    for (uint32_t i = 0; i < 3000; i++) {
        codes[0] = i * 7 % 101;
        codes[1] = i * i % 53;
        CHECK_OK(one, kn_tuples_add(a, codes, 1));
        CHECK_OK(other, kn_tuples_add(b, codes, 1));
    }
    CHECK_OK(one, kn_tuples_seal(a));
    CHECK_OK(other, kn_tuples_seal(b));
    CHECK_EQ_U64(kn_tuples_count(a), kn_tuples_count(b));
    for (size_t i = 0; i < kn_tuples_count(a); i++) {
        CHECK_EQ_U64(kn_tuples_weight(a, i), kn_tuples_weight(b, i));
        CHECK_EQ_U64(kn_tuples_code(a, i, 0), kn_tuples_code(b, i, 0));
        CHECK_EQ_U64(kn_tuples_code(a, i, 1), kn_tuples_code(b, i, 1));
    }
    kn_tuples_free(a);
    kn_tuples_free(b);
    kanon_ctx_free(one);
    kanon_ctx_free(other);
}

/* --- rows and their naive count ------------------------------------------------------------------- */

typedef struct rows {
    size_t    count, columns;
    uint32_t *cells; /* count rows of columns codes */
} rows;

static size_t compared_columns; /* qsort has no argument of its own */

static int
compare_rows(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    for (size_t i = 0; i < compared_columns; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static rows
rows_new(size_t count, size_t columns)
{
    rows r = { count, columns, calloc(count * columns + 1, sizeof(uint32_t)) };

    CHECK(r.cells != NULL);
    return r;
}

static void
rows_sort(rows *r)
{
    compared_columns = r->columns;
    if (r->columns)
        qsort(r->cells, r->count, r->columns * sizeof *r->cells, compare_rows);
}

static kn_tuples *
collapse(kanon_ctx *ctx, const rows *r)
{
    kn_tuples *tuples = NULL;

    CHECK_OK(ctx, kn_tuples_new(ctx, r->columns, &tuples));
    for (size_t i = 0; i < r->count; i++)
        CHECK_OK(ctx, kn_tuples_add(tuples, r->cells + i * r->columns, 1));
    CHECK_OK(ctx, kn_tuples_seal(tuples));
    return tuples;
}

/* Length of the run of rows equal to row `from` in the first `columns` columns; rows are sorted. */
static size_t
run_length(const rows *r, size_t from, size_t columns)
{
    size_t to = from + 1;

    compared_columns = columns;
    while (to < r->count
           && compare_rows(r->cells + from * r->columns, r->cells + to * r->columns) == 0)
        to++;
    return to - from;
}

/* Collapses rows and compares with the sorted rows; sorts them. */
static void
check_rows(rows *r)
{
    kanon_ctx *ctx = plain_ctx();
    kn_tuples *tuples = collapse(ctx, r);
    size_t     tuple = 0;

    rows_sort(r);
    CHECK_EQ_U64(kn_tuples_rows(tuples), r->count);
    for (size_t i = 0; i < r->count; tuple++) {
        size_t run = run_length(r, i, r->columns);

        CHECK(tuple < kn_tuples_count(tuples));
        CHECK_EQ_U64(kn_tuples_weight(tuples, tuple), run);
        for (size_t c = 0; c < r->columns; c++)
            CHECK_EQ_U64(kn_tuples_code(tuples, tuple, c), r->cells[i * r->columns + c]);
        if (tuple > 0 && r->columns) {
            CHECK(!kn_tuples_same(tuples, tuple - 1, tuple, r->columns));
            CHECK(kn_tuples_same(tuples, tuple - 1, tuple, 0));
        }
        i += run;
    }
    CHECK_EQ_U64(kn_tuples_count(tuples), tuple);
    kn_tuples_free(tuples);
    kanon_ctx_free(ctx);
    free(r->cells);
}

TEST(random_rows_are_counted)
{
    kn_rng rng;

    kn_rng_init(&rng, 11, 0);
    for (int round = 0; round < 60; round++) {
        size_t   columns = 1 + (size_t) kn_rng_below(&rng, 8);
        rows     r = rows_new((size_t) kn_rng_below(&rng, 3000), columns);
        uint64_t values = 1 + kn_rng_below(&rng, round % 2 ? 5 : 300);

        for (size_t i = 0; i < r.count * columns; i++)
            r.cells[i] = (uint32_t) kn_rng_below(&rng, values);
        check_rows(&r);
    }
}

TEST(no_rows_and_no_columns)
{
    rows none = rows_new(0, 3), bare = rows_new(1000, 0);

    check_rows(&none);
    check_rows(&bare);
}

/* Codes grow as dictionaries do, so that fields are widened again and again in the midst of the rows. */
TEST(fields_are_widened_on_the_way)
{
    for (size_t columns = 1; columns <= 20; columns += columns < 4 ? 1 : 5) {
        rows   r = rows_new(6000, columns);
        kn_rng rng;

        kn_rng_init(&rng, 12, columns);
        for (size_t i = 0; i < r.count; i++)
            for (size_t c = 0; c < columns; c++)
                r.cells[i * columns + c] = (uint32_t) kn_rng_below(&rng, c % 3 == 0   ? i + 1
                                                                         : c % 3 == 1 ? i / 500 + 1
                                                                                      : 3);
        check_rows(&r);
    }
}

/* The largest codes there are, next to small ones, in every place of a word. */
TEST(codes_of_32_bits)
{
    static const uint32_t largest[] = {
        0, 1, 15, 16, 255, 65535, 65536, 1u << 30, (1u << 31) - 1, 1u << 31, UINT32_MAX - 1
    };
    kn_rng rng;

    kn_rng_init(&rng, 13, 0);
    for (size_t columns = 1; columns <= 9; columns++) {
        rows r = rows_new(1500, columns);

        for (size_t i = 0; i < r.count; i++)
            for (size_t c = 0; c < columns; c++) {
                size_t most = i < 400 ? 3 : KN_COUNT(largest);

                r.cells[i * columns + c] = largest[kn_rng_below(&rng, most)];
            }
        check_rows(&r);
    }
}

/* Keys of many words whose rows differ in one late column only: sorting must go all the way. */
TEST(ninety_columns)
{
    rows   r = rows_new(3000, 90), few = rows_new(3000, 90);
    kn_rng rng;

    kn_rng_init(&rng, 14, 0);
    for (size_t i = 0; i < r.count * r.columns; i++)
        r.cells[i] = (uint32_t) kn_rng_below(&rng, i % 90 == 7 ? 3000 : 40);
    for (size_t i = 0; i < few.count; i++) {
        few.cells[i * 90 + 89] = (uint32_t) kn_rng_below(&rng, 700);
        few.cells[i * 90 + 45] = (uint32_t) kn_rng_below(&rng, 2);
    }
    check_rows(&r);
    check_rows(&few);
}

/* --- tables ---------------------------------------------------------------------------------------- */

/* The naive table: walk the sorted rows by quasi-identifiers, then by all columns. */
static void
check_table(kanon_ctx *ctx, rows *r, size_t nquasi, const uint32_t *domains)
{
    kn_tuples *tuples = collapse(ctx, r);
    kn_table  *table = NULL;
    size_t     tuple = 0, nsensitive = r->columns - nquasi;

    rows_sort(r);
    CHECK_OK(ctx, kn_table_new(ctx, tuples, nquasi, nsensitive, domains, &table));
    kn_tuples_free(tuples);
    CHECK_EQ_U64(table->rows, r->count);
    for (size_t i = 0; i < r->count; tuple++) {
        size_t run = run_length(r, i, nquasi), end = i + run, entry = kn_table_first(table, tuple);

        CHECK(tuple < table->ntuples);
        CHECK_EQ_U64(table->weights[tuple], run);
        for (size_t c = 0; c < nquasi; c++)
            CHECK_EQ_U64(kn_codes_at(&table->quasi[c], tuple), r->cells[i * r->columns + c]);
        while (nsensitive && i < end) {
            size_t alike = run_length(r, i, r->columns);

            CHECK(entry < kn_table_first(table, tuple + 1));
            CHECK_EQ_U64(kn_table_entry_weight(table, entry), alike);
            for (size_t s = 0; s < nsensitive; s++)
                CHECK_EQ_U64(kn_codes_at(&table->sensitive[s], entry),
                             r->cells[i * r->columns + nquasi + s]);
            entry++;
            i += alike;
        }
        if (nsensitive)
            CHECK_EQ_U64(entry, kn_table_first(table, tuple + 1));
        i = end;
    }
    CHECK_EQ_U64(table->ntuples, tuple);
    kn_table_free(table);
}

TEST(tables_keep_sensitive_values_behind_their_tuples)
{
    kanon_ctx *ctx = plain_ctx();
    kn_rng     rng;

    kn_rng_init(&rng, 15, 0);
    for (int round = 0; round < 60; round++) {
        size_t nquasi = 1 + (size_t) kn_rng_below(&rng, 4),
               nsensitive = (size_t) kn_rng_below(&rng, 3);
        rows     r = rows_new((size_t) kn_rng_below(&rng, 800), nquasi + nsensitive);
        uint32_t domains[8];

        for (size_t c = 0; c < r.columns; c++) {
            domains[c] = 1 + (uint32_t) kn_rng_below(&rng, round % 3 == 0 ? 400 : 6);
            for (size_t i = 0; i < r.count; i++)
                r.cells[i * r.columns + c] = (uint32_t) kn_rng_below(&rng, domains[c]);
        }
        check_table(ctx, &r, nquasi, domains);
        free(r.cells);
    }
    kanon_ctx_free(ctx);
}

/* Two sensitive values of one tuple, the second with many rows: weights take as few bytes as they need. */
TEST(weights_of_entries_are_as_wide_as_the_largest)
{
    static const uint32_t domains[] = { 1, 2 };
    static const struct {
        size_t   rows;
        unsigned bytes;
    } cases[] = { { 1, 1 }, { 255, 1 }, { 256, 2 }, { 65535, 2 }, { 65536, 4 } };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        kanon_ctx *ctx = plain_ctx();
        rows       r = rows_new(cases[i].rows + 1, 2);
        kn_tuples *tuples;
        kn_table  *table = NULL;

        for (size_t row = 0; row <= cases[i].rows; row++) {
            r.cells[2 * row] = 0;
            r.cells[2 * row + 1] = row > 0;
        }
        tuples = collapse(ctx, &r);
        CHECK_OK(ctx, kn_table_new(ctx, tuples, 1, 1, domains, &table));
        CHECK_EQ_U64(table->entry_weights.bytes, cases[i].bytes);
        CHECK_EQ_U64(kn_table_entry_weight(table, 0), 1);
        CHECK_EQ_U64(kn_table_entry_weight(table, 1), cases[i].rows);
        kn_tuples_free(tuples);
        kn_table_free(table);
        free(r.cells);
        kanon_ctx_free(ctx);
    }
}

/* One sensitive value per tuple: the entries are the tuples, nothing else is kept. */
TEST(one_entry_per_tuple_needs_no_index)
{
    static const uint32_t domains[] = { 50, 2 };
    kanon_ctx            *ctx = plain_ctx();
    rows                  r = rows_new(200, 2);
    kn_tuples            *tuples;
    kn_table             *table = NULL;

    for (uint32_t i = 0; i < 200; i++) {
        r.cells[2 * i] = i % 50;
        r.cells[2 * i + 1] = i % 50 % 2;
    }
    tuples = collapse(ctx, &r);
    CHECK_OK(ctx, kn_table_new(ctx, tuples, 1, 1, domains, &table));
    CHECK(table->first == NULL && table->entry_weights.data == NULL);
    kn_tuples_free(tuples);
    kn_table_free(table);
    check_table(ctx, &r, 1, domains);
    free(r.cells);
    kanon_ctx_free(ctx);
}

TEST(codes_are_as_narrow_as_their_domain)
{
    static const struct {
        uint32_t domain;
        unsigned bytes;
    } cases[] = {
        { 1, 1 }, { 256, 1 }, { 257, 2 }, { 65536, 2 }, { 65537, 4 }, { UINT32_MAX, 4 },
    };
    kanon_ctx *ctx = plain_ctx();

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        rows       r = rows_new(2, 2);
        uint32_t   domains[2] = { cases[i].domain, cases[i].domain };
        kn_tuples *tuples;
        kn_table  *table = NULL;

        r.cells[0] = r.cells[1] = cases[i].domain - 1;
        tuples = collapse(ctx, &r);
        CHECK_OK(ctx, kn_table_new(ctx, tuples, 1, 1, domains, &table));
        CHECK_EQ_U64(table->quasi[0].bytes, cases[i].bytes);
        CHECK_EQ_U64(table->sensitive[0].bytes, cases[i].bytes);
        kn_tuples_free(tuples);
        kn_table_free(table);
        check_table(ctx, &r, 1, domains);
        free(r.cells);
    }
    kanon_ctx_free(ctx);
}

TEST(rows_per_value)
{
    static const uint32_t cells[] = { 0, 1, 1, 2, 1, 0 }, domains[] = { 4 };
    static const uint64_t expected[] = { 2, 3, 1, 0 };
    kanon_ctx            *ctx = plain_ctx();
    rows                  r = rows_new(6, 1);
    kn_tuples            *tuples;
    kn_table             *table = NULL;
    uint64_t              counts[4] = { 9, 9, 9, 9 };

    memcpy(r.cells, cells, sizeof cells);
    tuples = collapse(ctx, &r);
    CHECK_OK(ctx, kn_table_new(ctx, tuples, 1, 0, domains, &table));
    kn_table_count(table, 0, counts, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_EQ_U64(counts[i], expected[i]);
    kn_tuples_free(tuples);
    kn_table_free(table);
    free(r.cells);
    kanon_ctx_free(ctx);
}

/* --- memory ---------------------------------------------------------------------------------------- */

static kanon_status
use_all(kanon_ctx *ctx, void *user)
{
    kanon_status rc = KANON_OK;
    kn_dict     *dict = NULL;
    kn_tuples   *tuples = NULL;
    kn_table    *table = NULL;
    uint32_t     domains[] = { 3000, 7, 4 }, codes[3];
    char         text[32];

    KN_UNUSED(user);
    KN_TRY(kn_dict_new(ctx, &dict));
    KN_TRY(kn_tuples_new(ctx, 3, &tuples));
    for (uint32_t i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "v%u", i);
        KN_TRY(kn_dict_add(dict, kn_str_of(text), &codes[0]));
        codes[1] = i % 7;
        codes[2] = i % 4;
        KN_TRY(kn_tuples_add(tuples, codes, 1));
        codes[2] = (i + 1) % 4;
        KN_TRY(kn_tuples_add(tuples, codes, 1));
    }
    KN_TRY(kn_tuples_seal(tuples));
    KN_TRY(kn_table_new(ctx, tuples, 2, 1, domains, &table));
out:
    kn_table_free(table);
    kn_tuples_free(tuples);
    kn_dict_free(dict);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(use_all, NULL) > 20);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_load.c -- the one loader: codes, missing values, counts, progress and cancelling; CSV and a table with
 * nulls behind the seam. */
#include "failing_alloc.h"
#include "formats/csv.h"
#include "table/load.h"
#include "test.h"

static const kn_str tokens[] = { { "", 0 }, { "?", 1 } };

/* A table in memory that has nulls, which CSV cannot have. */
typedef struct cells_rows {
    kn_rows       base;
    const kn_str *cells;
    size_t        left;
} cells_rows;

static kanon_status
next_cells(kn_rows *rows, const kn_str **cells)
{
    cells_rows *r = (cells_rows *) rows;

    *cells = r->left ? r->cells : NULL;
    r->cells += r->left ? rows->names.count : 0;
    r->left -= r->left > 0;
    return KANON_OK;
}

static uint64_t
no_number(const kn_rows *rows)
{
    KN_UNUSED(rows);
    return 0;
}

static double
no_fraction(const kn_rows *rows)
{
    KN_UNUSED(rows);
    return -1;
}

static const kn_rows_class cells_class = {
    .next = next_cells, .line = no_number, .bytes = no_number, .fraction = no_fraction
};

typedef struct loaded {
    kanon_ctx     *ctx;
    kn_load_column columns[3];
    uint64_t       spelled[3];
    kn_loader      loader;
} loaded;

static void
begin(loaded *l, size_t ncolumns)
{
    memset(l, 0, sizeof *l);
    CHECK(kanon_ctx_new(NULL, &l->ctx) == KANON_OK);
    for (size_t i = 0; i < ncolumns; i++) {
        l->columns[i] = (kn_load_column){ .position = i, .missing = KN_NO_CODE };
        CHECK_OK(l->ctx, kn_dict_new(l->ctx, &l->columns[i].dict));
    }
    l->columns[0].spelled = l->spelled;
    l->loader = (kn_loader){ .stage = "read",
                             .missing = tokens,
                             .nmissing = KN_COUNT(tokens),
                             .columns = l->columns,
                             .ncolumns = ncolumns,
                             .count = SIZE_MAX };
    CHECK_OK(l->ctx, kn_tuples_new(l->ctx, ncolumns, &l->loader.tuples));
}

static void
end(loaded *l)
{
    for (size_t i = 0; i < l->loader.ncolumns; i++)
        kn_dict_free(l->columns[i].dict);
    kn_tuples_free(l->loader.tuples);
    kanon_ctx_free(l->ctx);
}

static kanon_status
load_csv(loaded *l, const char *text)
{
    kanon_status  rc = KANON_OK;
    kanon_source *source = NULL;
    kn_rows      *rows = NULL;

    KN_TRY(kanon_source_memory(l->ctx, "t.csv", text, strlen(text), &source));
    KN_TRY(kn_csv_open(l->ctx, source, &(kn_csv_options){ .header = KN_HEADER_YES }, &rows));
    KN_TRY(kn_load(&l->loader, rows));
out:
    kn_rows_close(rows);
    kanon_source_free(source);
    return rc;
}

static kanon_status
count_seen(void *user, const kn_str *cells, uint64_t weight)
{
    KN_UNUSED(cells);
    *(uint64_t *) user += weight;
    return KANON_OK;
}

TEST(rows_become_tuples_with_counts)
{
    loaded   l;
    uint64_t seen = 0;

    begin(&l, 2);
    l.columns[1].position = 2;
    l.loader.see = count_seen;
    l.loader.user = &seen;
    CHECK_OK(l.ctx, load_csv(&l, "a,b,c\nx,1,u\ny,2,u\nx,3,u\n?,4,u\n,5,u\n"));
    CHECK_EQ_U64(l.loader.rows, 5);
    CHECK_EQ_U64(l.loader.records, 5);
    CHECK_EQ_U64(seen, 5);
    CHECK_EQ_U64(kn_tuples_count(l.loader.tuples), 3);
    CHECK_EQ_U64(kn_tuples_weight(l.loader.tuples, 0), 2); /* x,u */
    CHECK_EQ_U64(kn_tuples_weight(l.loader.tuples, 2), 2); /* both missing ones */
    CHECK_EQ_U64(l.columns[0].missing, 2);
    CHECK_EQ_U64(l.spelled[0], 1);
    CHECK_EQ_U64(l.spelled[1], 1);
    end(&l);
}

TEST(spellings_may_stay_apart_and_columns_may_lack)
{
    loaded l;

    begin(&l, 2);
    l.columns[0].kind = KN_MISSING_APART;
    l.columns[1].position = SIZE_MAX;
    CHECK_OK(l.ctx, load_csv(&l, "a\n?\n?\n\"\"\nx\n"));
    CHECK_EQ_U64(kn_dict_count(l.columns[0].dict), 3);
    CHECK_EQ_U64(l.columns[0].missing, KN_NO_CODE);
    CHECK_PIECE(kn_dict_value(l.columns[1].dict, 0), "*");
    CHECK_EQ_U64(kn_dict_count(l.columns[1].dict), 1);
    end(&l);
}

/* A null is missing whatever the tokens are, and differs from every text where spellings are told apart. */
TEST(nulls_are_missing_values)
{
    const kn_str cells[] = { { NULL, 0 }, { NULL, 0 }, KN_STR(""),  KN_STR(""),
                             KN_STR("x"), KN_STR("x"), KN_STR("?"), KN_STR("?") };
    const kn_str names[] = { KN_STR("a"), KN_STR("b") };
    cells_rows   rows = { .base = { .class = &cells_class, .name = "cells" } };
    loaded       l;

    begin(&l, 2);
    rows.base.ctx = l.ctx;
    kn_names_init(l.ctx, &rows.base.names);
    CHECK_OK(l.ctx, kn_names_copy(l.ctx, &rows.base.names, names, 2));
    rows.cells = cells;
    rows.left = 4;
    l.columns[1].kind = KN_MISSING_APART;
    CHECK_OK(l.ctx, kn_load(&l.loader, &rows.base));
    CHECK_EQ_U64(kn_dict_count(l.columns[0].dict), 2);
    CHECK_EQ_U64(l.columns[0].missing, 0);
    CHECK_EQ_U64(l.spelled[0], 2); /* a null is as good as the empty token */
    CHECK_EQ_U64(l.spelled[1], 1);
    CHECK_EQ_U64(kn_dict_count(l.columns[1].dict), 4);
    CHECK(kn_load_is_null(kn_dict_value(l.columns[1].dict, 0)));
    CHECK(!kn_load_is_null(kn_dict_value(l.columns[1].dict, 1)));
    CHECK(kn_is_missing(tokens, 0, cells[0]) && !kn_is_missing(tokens, 0, cells[2]));
    kn_names_fini(&rows.base.names);
    end(&l);
}

/* --- counts ------------------------------------------------------------------------------------------- */

TEST(a_row_may_stand_for_many)
{
    loaded l;

    begin(&l, 1);
    l.loader.count = 1;
    CHECK_OK(l.ctx, load_csv(&l, "a,n\nx,3\ny,5000000000\nx, 4 \nz,0\n?,007\n"));
    CHECK_EQ_U64(l.loader.rows, UINT64_C(5000000014));
    CHECK_EQ_U64(l.loader.records, 5);
    CHECK_EQ_U64(kn_tuples_rows(l.loader.tuples), UINT64_C(5000000014));
    CHECK_EQ_U64(kn_tuples_count(l.loader.tuples),
                 3); /* z stands for nothing: no value, no tuple */
    CHECK_EQ_U64(kn_dict_find(l.columns[0].dict, KN_STR("z")), KN_NO_CODE);
    CHECK_EQ_U64(kn_tuples_weight(l.loader.tuples, 0), 7);
    CHECK_EQ_U64(kn_tuples_weight(l.loader.tuples, 1), UINT64_C(5000000000));
    CHECK_EQ_U64(l.spelled[1], 7);
    end(&l);
}

static void
check_count(const char *cell, const char *refusal)
{
    loaded l;
    char   text[200];

    begin(&l, 1);
    l.loader.count = 1;
    snprintf(text, sizeof text, "a,n\nx,1\nx,%s\n", cell);
    CHECK_STATUS(l.ctx, load_csv(&l, text), KANON_E_PARSE);
    CHECK_STR(kanon_ctx_message(l.ctx), refusal);
    end(&l);
}

TEST(counts_that_are_none_are_refused)
{
    check_count("-1", "t.csv:3: the count in column 'n' reads '-1', expected a whole number up to "
                      "2^53");
    check_count("1.5",
                "t.csv:3: the count in column 'n' reads '1.5', expected a whole number up to "
                "2^53");
    check_count("\"\"", "t.csv:3: the count in column 'n' reads '', expected a whole number up to "
                        "2^53");
    check_count("9007199254740993", "t.csv:3: the count in column 'n' reads '9007199254740993', "
                                    "expected a whole number up to 2^53");
    check_count("99999999999999999999", "t.csv:3: the count in column 'n' reads "
                                        "'99999999999999999999', expected a whole number up to "
                                        "2^53");
}

TEST(counts_do_not_overflow)
{
    loaded l;

    begin(&l, 1);
    l.loader.count = 1;
    CHECK_STATUS(l.ctx, load_csv(&l, "a,n\nx,9007199254740992\nx,1\n"), KANON_E_UNSUPPORTED);
    CHECK_STR(kanon_ctx_message(l.ctx),
              "t.csv:3: the table stands for more than 2^53 rows up to here");
    end(&l);
}

/* --- failures ------------------------------------------------------------------------------------------- */

static kanon_status
load_some(kanon_ctx *ctx, void *user)
{
    static const char text[] = "a,n\nx,3\ny,5\n?,4\n";
    kanon_status      rc = KANON_OK;
    kanon_source     *source = NULL;
    kn_rows          *rows = NULL;
    kn_load_column    column = { .position = 0, .missing = KN_NO_CODE };
    kn_loader         loader = { .stage = "read",
                                 .missing = tokens,
                                 .nmissing = KN_COUNT(tokens),
                                 .columns = &column,
                                 .ncolumns = 1,
                                 .count = 1 };

    KN_UNUSED(user);
    KN_TRY(kn_dict_new(ctx, &column.dict));
    KN_TRY(kn_tuples_new(ctx, 1, &loader.tuples));
    KN_TRY(kanon_source_memory(ctx, "t.csv", text, strlen(text), &source));
    KN_TRY(kn_csv_open(ctx, source, NULL, &rows));
    KN_TRY(kn_load(&loader, rows));
    CHECK_EQ_U64(loader.rows, 12);
out:
    kn_rows_close(rows);
    kanon_source_free(source);
    kn_tuples_free(loader.tuples);
    kn_dict_free(column.dict);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(load_some, NULL) > 10);
}

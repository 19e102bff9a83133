/* SPDX-License-Identifier: Apache-2.0 */
/* load.c -- see load.h. Cells go straight from the reader's buffer to dictionary codes. Cost: one dictionary
 * look-up per coded cell. */
#include "table/load.h"

#include "base/text.h"

enum { PROGRESS_ROWS = 4096 };

/* Not UTF-8, so no cell reads like it. */
static const kn_str null_value = { "\xff", 1 };

/* Which of the tokens a cell is; ntokens if none. */
static inline size_t
token_of(const kn_str *tokens, size_t ntokens, kn_str cell)
{
    for (size_t i = 0; i < ntokens; i++)
        if (kn_str_equal(tokens[i], cell))
            return i;
    return ntokens;
}

bool
kn_is_missing(const kn_str *tokens, size_t ntokens, kn_str cell)
{
    return !cell.ptr || token_of(tokens, ntokens, cell) < ntokens;
}

bool
kn_load_is_null(kn_str value)
{
    return kn_str_equal(value, null_value);
}

/* All spellings of a missing value get one code, under the first that came. */
static kanon_status
code_missing(kn_load_column *column, kn_str text, uint32_t *code)
{
    if (column->missing == KN_NO_CODE) {
        kanon_status rc = kn_dict_add(column->dict, text, &column->missing);

        if (rc < 0)
            return rc;
    }
    *code = column->missing;
    return KANON_OK;
}

/* A null is the empty token or, where that is none, the first: it is missing whatever the tokens are. */
static inline kanon_status
code_of(kn_load_column *column, const kn_loader *loader, const kn_str *cells, uint64_t weight,
        uint32_t *code)
{
    kn_str cell = KN_LIKELY(column->position != SIZE_MAX) ? cells[column->position] : KN_STR("*");
    size_t token;

    if (column->kind == KN_MISSING_APART)
        return kn_dict_add(column->dict, cell.ptr ? cell : null_value, code);
    token = token_of(loader->missing, loader->nmissing, cell);
    if (KN_LIKELY(token == loader->nmissing && cell.ptr))
        return kn_dict_add(column->dict, cell, code);
    if (!loader->nmissing)
        return code_missing(column, KN_STR(""), code);
    if (token == loader->nmissing)
        token = 0;
    if (column->spelled)
        column->spelled[token] += weight;
    return code_missing(column, loader->missing[token], code);
}

kanon_status
kn_row_weight(const kn_rows *rows, const kn_str *cells, size_t count, uint64_t *out)
{
    kn_str   text = cells[count].ptr ? kn_str_trim(cells[count]) : KN_STR("");
    uint64_t number = 0;
    size_t   i = 0;

    assert(count < kn_rows_columns(rows));
    for (; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9' && number <= KN_ROWS_MOST; i++)
        number = number * 10 + (uint64_t) (text.ptr[i] - '0');
    *out = number;
    if (text.len && i == text.len && number <= KN_ROWS_MOST)
        return KANON_OK;
    return kn_rows_fail(rows, KANON_E_PARSE,
                        "the count in column '%.*s' reads '%.*s%s', expected a whole number up to "
                        "2^53",
                        KN_ARG(rows->names.names[count]), KN_BRIEF(text));
}

static inline kanon_status
take_row(kn_loader *loader, const kn_str *cells, uint64_t weight, uint32_t *codes)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < loader->ncolumns; i++)
        KN_TRY(code_of(&loader->columns[i], loader, cells, weight, &codes[i]));
    if (loader->see)
        KN_TRY(loader->see(loader->user, cells, weight));
    if (loader->tuples)
        KN_TRY(kn_tuples_add(loader->tuples, codes, weight));
    loader->rows += weight;
out:
    return rc;
}

kanon_status
kn_load(kn_loader *loader, kn_rows *rows)
{
    kanon_status   rc = KANON_OK;
    uint32_t      *codes = KN_NEW_ARRAY(rows->ctx, uint32_t, loader->ncolumns);
    kanon_progress progress = { sizeof progress, loader->stage, -1, 0, 0, -1, -1 };
    const kn_str  *cells;
    uint64_t       weight = 1;

    if (!codes)
        return KANON_E_NOMEM;
    loader->rows = loader->records = 0;
    for (;;) {
        KN_TRY(kn_rows_next(rows, &cells));
        if (!cells)
            break;
        if (loader->count != SIZE_MAX)
            KN_TRY(kn_row_weight(rows, cells, loader->count, &weight));
        if (weight > KN_ROWS_MOST - loader->rows) {
            rc = kn_rows_fail(rows, KANON_E_UNSUPPORTED,
                              "the table stands for more than 2^53 rows up to here");
            goto out;
        }
        if (KN_LIKELY(weight))
            KN_TRY(take_row(loader, cells, weight, codes));
        if (++loader->records % PROGRESS_ROWS == 0) {
            progress.rows = loader->records;
            progress.fraction = rows->class->fraction(rows);
            KN_TRY(kn_progress(rows->ctx, &progress));
        }
    }
    if (loader->tuples)
        KN_TRY(kn_tuples_seal(loader->tuples));
out:
    kn_free(rows->ctx, codes);
    return rc;
}

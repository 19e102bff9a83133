/* SPDX-License-Identifier: Apache-2.0 */
/* learn.c -- the first pass over a table: cells to codes, rows to distinct tuples.
 * The missing value of a column gets the spelling that most rows have: an odd cell that somebody declared
 * missing must not stand in for all the empty ones. */
#include "encode/learn.h"

static kanon_status
copy_names(kn_learned *learned, const kn_rows *rows)
{
    learned->ncolumns = kn_rows_columns(rows);
    learned->names = KN_NEW_ARRAY(learned->ctx, char *, learned->ncolumns);
    if (!learned->names)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < learned->ncolumns; i++) {
        learned->names[i] = kn_strndup(learned->ctx, kn_rows_names(rows)[i]);
        if (!learned->names[i])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static kanon_status
copy_tokens(kn_learned *learned, const kn_learn_options *options)
{
    learned->missing = KN_NEW_ARRAY(learned->ctx, kn_str, options->nmissing);
    if (!learned->missing)
        return KANON_E_NOMEM;
    for (; learned->nmissing < options->nmissing; learned->nmissing++) {
        kn_str token = options->missing[learned->nmissing];
        char  *copy = kn_strndup(learned->ctx, token);

        if (!copy)
            return KANON_E_NOMEM;
        learned->missing[learned->nmissing] = (kn_str){ copy, token.len };
    }
    return KANON_OK;
}

static kanon_status
choose_columns(kn_learned *learned, const kn_rows *rows, const kn_learn_options *options)
{
    kanon_status rc = KANON_OK;
    size_t       ncolumns = kn_rows_columns(rows), count;
    size_t      *positions = KN_NEW_ARRAY(learned->ctx, size_t, ncolumns);

    if (!positions)
        return KANON_E_NOMEM;
    KN_TRY(options->choose(options->user, rows, positions, &learned->nquasi, &learned->nsensitive));
    count = learned->nquasi + learned->nsensitive;
    learned->columns = KN_NEW_ARRAY(learned->ctx, kn_learned_column, count);
    KN_TRY(KN_HAVE(learned->columns));
    for (size_t i = 0; i < count; i++) {
        learned->columns[i].position = positions[i];
        learned->columns[i].missing = KN_NO_CODE;
        KN_TRY(kn_dict_new(learned->ctx, &learned->columns[i].dict));
        learned->columns[i].spelled = KN_NEW_ARRAY(learned->ctx, uint64_t, options->nmissing);
        KN_TRY(KN_HAVE(learned->columns[i].spelled));
    }
out:
    kn_free(learned->ctx, positions);
    return rc;
}

/* The other columns are sketched, but for the counts, which are no property of anybody. */
static kanon_status
choose_sketches(kn_learned *learned)
{
    size_t count = learned->nquasi + learned->nsensitive;

    learned->sketches = KN_NEW_ARRAY(learned->ctx, kn_sketch, learned->ncolumns - count);
    learned->sketched = KN_NEW_ARRAY(learned->ctx, size_t, learned->ncolumns - count);
    learned->places = KN_NEW_ARRAY(learned->ctx, size_t, learned->ncolumns);
    if (!learned->sketches || !learned->sketched || !learned->places)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < learned->ncolumns; c++)
        learned->places[c] = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        learned->places[learned->columns[i].position] = i;
    for (size_t c = 0; c < learned->ncolumns; c++)
        if (learned->places[c] == SIZE_MAX && c != learned->count) {
            learned->places[c] = count + learned->nsketched;
            learned->sketched[learned->nsketched++] = c;
        }
    return kn_sample_init(learned->ctx, learned->nsketched, &learned->sample);
}

/* The missing value gets the spelling that most rows have; of equals, the first in the list of tokens. */
static kanon_status
spell_missing(kn_learned *learned, const kn_learn_options *options)
{
    for (size_t i = 0; i < learned->nquasi + learned->nsensitive; i++) {
        kn_learned_column *column = &learned->columns[i];
        size_t             most = 0;

        if (column->missing == KN_NO_CODE || !options->nmissing)
            continue;
        for (size_t t = 1; t < options->nmissing; t++)
            if (column->spelled[t] > column->spelled[most])
                most = t;
        if (kn_dict_rename(column->dict, column->missing, options->missing[most]) < 0)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static kanon_status
see_row(void *user, const kn_str *cells, uint64_t weight)
{
    kn_learned *learned = user;

    KN_UNUSED(weight);
    for (size_t i = 0; i < learned->nsketched; i++)
        kn_sketch_add(&learned->sketches[i], cells[learned->sketched[i]]);
    kn_sample_see(&learned->sample, cells, learned->sketched);
    return KANON_OK;
}

static kanon_status
load(kn_learned *learned, kn_rows *rows, const kn_learn_options *options, kn_tuples *tuples)
{
    kanon_status    rc = KANON_OK;
    size_t          count = learned->nquasi + learned->nsensitive;
    kn_load_column *columns = KN_NEW_ARRAY(learned->ctx, kn_load_column, count);
    kn_loader       loader = { .stage = "read",
                               .missing = options->missing,
                               .nmissing = options->nmissing,
                               .columns = columns,
                               .ncolumns = count,
                               .tuples = tuples,
                               .count = learned->count,
                               .see = see_row,
                               .user = learned };

    if (!columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        columns[i] = (kn_load_column){ .position = learned->columns[i].position,
                                       .dict = learned->columns[i].dict,
                                       .missing = KN_NO_CODE,
                                       .spelled = learned->columns[i].spelled };
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < count; i++)
        learned->columns[i].missing = columns[i].missing;
    learned->rows = loader.rows;
    learned->records = loader.records;
    learned->dialect = *kn_rows_dialect(rows);
    learned->bytes = kn_rows_bytes(rows);
    kn_rows_digest(rows, learned->hash);
out:
    kn_free(learned->ctx, columns);
    return rc;
}

/* Sorts and packs the tuples, and counts the rows of each quasi-identifier value. */
static kanon_status
make_table(kn_learned *learned, kn_tuples *tuples)
{
    kanon_status rc = KANON_OK;
    size_t       count = learned->nquasi + learned->nsensitive;
    uint32_t    *domains = KN_NEW_ARRAY(learned->ctx, uint32_t, count);

    if (!domains)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        domains[i] = kn_dict_count(learned->columns[i].dict);
    KN_TRY(kn_table_new(learned->ctx, tuples, learned->nquasi, learned->nsensitive, domains,
                        &learned->table));
    learned->distinct_quasi = learned->table->distinct;
    for (size_t i = 0; i < learned->nquasi; i++) {
        learned->columns[i].rows = KN_NEW_ARRAY(learned->ctx, uint64_t, domains[i]);
        KN_TRY(KN_HAVE(learned->columns[i].rows));
        kn_table_count(learned->table, i, learned->columns[i].rows, domains[i]);
    }
out:
    kn_free(learned->ctx, domains);
    return rc;
}

kanon_status
kn_learn(kanon_ctx *ctx, kn_rows *rows, const kn_learn_options *options, kn_learned **out)
{
    kanon_status rc = KANON_OK;
    kn_learned  *learned = KN_NEW(ctx, kn_learned);
    kn_tuples   *tuples = NULL;
    double       start = kn_seconds(), read;

    *out = NULL;
    if (!learned)
        return KANON_E_NOMEM;
    *learned = (kn_learned){ .ctx = ctx, .count = options->count };
    KN_TRY(copy_names(learned, rows));
    KN_TRY(copy_tokens(learned, options));
    KN_TRY(choose_columns(learned, rows, options));
    KN_TRY(choose_sketches(learned));
    KN_TRY(kn_tuples_new(ctx, learned->nquasi + learned->nsensitive, &tuples));
    KN_TRY(load(learned, rows, options, tuples));
    KN_TRY(spell_missing(learned, options));
    read = kn_seconds();
    learned->read_s = read - start;
    KN_TRY(make_table(learned, tuples));
    learned->encode_s = kn_seconds() - read;
    *out = learned;
    learned = NULL; /* moved: the caller owns it now */
out:
    kn_tuples_free(tuples);
    kn_learned_free(learned);
    return rc;
}

void
kn_learned_free(kn_learned *learned)
{
    if (!learned)
        return;
    if (learned->others) {
        learned->others--;
        return;
    }
    for (size_t i = 0; i < learned->nmissing; i++)
        kn_free(learned->ctx, (char *) learned->missing[i].ptr);
    kn_free(learned->ctx, learned->missing);
    for (size_t i = 0; learned->names && i < learned->ncolumns; i++)
        kn_free(learned->ctx, learned->names[i]);
    for (size_t i = 0; learned->columns && i < learned->nquasi + learned->nsensitive; i++) {
        kn_dict_free(learned->columns[i].dict);
        kn_free(learned->ctx, learned->columns[i].rows);
        kn_free(learned->ctx, learned->columns[i].spelled);
    }
    kn_free(learned->ctx, learned->sketches);
    kn_free(learned->ctx, learned->sketched);
    kn_sample_fini(learned->ctx, &learned->sample);
    kn_free(learned->ctx, learned->places);
    kn_free(learned->ctx, learned->names);
    kn_free(learned->ctx, learned->columns);
    kn_table_free(learned->table);
    kn_free(learned->ctx, learned);
}

kn_learned *
kn_learned_share(kn_learned *learned)
{
    learned->others++;
    return learned;
}

bool
kn_learned_fits(const kn_learned *learned, const kn_learn_options *options, const size_t *positions,
                size_t nquasi, size_t nsensitive)
{
    if (learned->nquasi != nquasi || learned->nsensitive != nsensitive
        || learned->count != options->count || learned->nmissing != options->nmissing)
        return false;
    for (size_t i = 0; i < nquasi + nsensitive; i++)
        if (learned->columns[i].position != positions[i])
            return false;
    for (size_t i = 0; i < options->nmissing; i++)
        if (!kn_str_equal(learned->missing[i], options->missing[i]))
            return false;
    return true;
}

kn_domain
kn_learned_domain(const kn_learned *learned, size_t column, const char *source, uint64_t rare)
{
    const kn_learned_column *c = &learned->columns[column];

    assert(column < learned->nquasi + learned->nsensitive);
    return (kn_domain){ .column = learned->names[c->position],
                        .source = source,
                        .joined = learned->joined,
                        .count = kn_dict_count(c->dict),
                        .values = kn_dict_values(c->dict),
                        .rows = c->rows,
                        .missing = c->missing,
                        .tokens = learned->missing,
                        .ntokens = learned->nmissing,
                        .rare = rare };
}

uint64_t
kn_learned_values(const kn_learned *learned, size_t position)
{
    size_t   count = learned->nquasi + learned->nsensitive, place = learned->places[position];
    uint64_t values;

    assert(position < learned->ncolumns);
    if (place == SIZE_MAX)
        return UINT64_MAX;
    if (place < count)
        return kn_dict_count(learned->columns[place].dict);
    values = kn_sketch_count(&learned->sketches[place - count]);
    return values < learned->rows ? values : learned->rows;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_out.c -- released rows become columns. A record is the number of the row in the original, a code
 * for each label and, where the original is not Arrow, the texts of the columns that are copied. A
 * column whose every label is the text of its cell is unchanged and keeps its type. */
#include "formats/arrow_out.h"

/* How a column is made. */
typedef enum {
    FORM_COPY,   /* values of the original */
    FORM_MERGED, /* the same through a dictionary */
    FORM_TEXT,   /* texts as utf8 */
    FORM_LABELS  /* a dictionary of utf8 */
} form;

struct kn_arrow_out_column {
    form          form;
    kn_arrow_copy copy;
    uint64_t      bytes; /* of its texts in the whole release */
    /* labels */
    bool      changed;     /* some label is not the text of its cell */
    bool      empty_null;  /* the empty label stands for nulls */
    bool      empty_empty; /* the empty label stands for empty texts */
    kn_dict  *labels;
    uint32_t *number; /* [code] among the labels of the release, or KN_NO_CODE */
    size_t    nnumber, number_capacity;
    uint32_t *shown; /* [number] code */
    size_t    nshown, shown_capacity;
    uint32_t *codes; /* [row] number of its label; KN_NO_CODE: null */
    size_t    codes_capacity;
    /* copied texts */
    kn_text  text;
    size_t  *ends; /* [row] in text */
    size_t   ends_capacity;
    uint8_t *nulls; /* [row] */
    size_t   nulls_capacity;
    /* when it is made */
    kn_arrow_merged *merged;
    kn_arrow_texts   texts;
};

/* --- records --------------------------------------------------------------------------------------- */

static kanon_status
begin(kn_rows_out *base, const kn_dialect *like, const kn_rows_out_column *columns, size_t count)
{
    kn_arrow_out *out = (kn_arrow_out *) base;

    KN_UNUSED(like);
    assert(!out->state);
    out->state = KN_NEW_ARRAY(base->ctx, kn_arrow_out_column, count);
    if (!out->state)
        return KANON_E_NOMEM;
    out->columns = columns;
    out->ncolumns = count;
    for (size_t c = 0; c < count; c++) {
        kn_text_init(&out->state[c].text, base->ctx);
        if (columns[c].fate == KN_CELL_GENERALIZE
            && kn_dict_new(base->ctx, &out->state[c].labels) < 0)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* No text has a NUL in it, so one alone is the null. */
static const kn_str null_form = { "", 1 };

static void
label(const kn_rows_out *base, kn_str value, kn_text *to)
{
    KN_UNUSED(base);
    kn_text_add(to, value.ptr ? value : null_form);
}

/* The empty label is how tables of text spell a null. */
static kanon_status
add_label(kn_arrow_out_column *column, kn_str text, kn_str cell, kn_text *record)
{
    bool         null = kn_str_equal(text, null_form);
    uint32_t     code = KN_NO_CODE;
    kanon_status rc = null ? KANON_OK : kn_dict_add(column->labels, text, &code);

    column->empty_null |= !text.len && !cell.ptr;
    column->empty_empty |= !text.len && cell.ptr && !cell.len;
    column->changed |= cell.ptr ? !kn_str_equal(text, cell) : !null && text.len;
    kn_text_add(record, (kn_str){ (const char *) &code, sizeof code });
    return rc;
}

/* Are the cells of a column kept as texts, not by the number of their row? */
static bool
is_text(const kn_arrow_out *out, const kn_rows_out_column *column)
{
    return column->fate == KN_CELL_CODE || (column->fate == KN_CELL_COPY && !out->from);
}

static kanon_status
make_record(kn_rows_out *base, const kn_rows_out_row *row, kn_text *record)
{
    kanon_status  rc = KANON_OK;
    kn_arrow_out *out = (kn_arrow_out *) base;

    record->len = 0;
    kn_text_add(record, (kn_str){ (const char *) &row->number, sizeof row->number });
    for (size_t c = 0; c < out->ncolumns; c++) {
        const kn_rows_out_column *column = &out->columns[c];
        kn_str                    cell = row->cells[column->position];
        size_t                    length = cell.ptr ? cell.len + 1 : 0;

        out->state[c].bytes += kn_cell_shown(column->fate)        ? cell.len
                             : column->fate == KN_CELL_GENERALIZE ? row->labels[column->label].len
                                                                  : 1;
        if (column->fate == KN_CELL_GENERALIZE) {
            KN_TRY(add_label(&out->state[c], row->labels[column->label], cell, record));
        } else if (is_text(out, column)) {
            kn_text_add(record, (kn_str){ (const char *) &length, sizeof length });
            kn_text_add(record, cell);
        }
    }
    rc = kn_text_status(record);
out:
    return rc;
}

/* Room for one more element of an array. */
#define MORE(ctx, array, capacity, count)                                                          \
    more((ctx), &(array), sizeof *(array), &(capacity), (count))

static kanon_status
more(kanon_ctx *ctx, void *array, size_t size, size_t *capacity, size_t count)
{
    void        *block;
    kanon_status rc;

    memcpy(&block, array, sizeof block);
    rc = kn_grow(ctx, &block, capacity, count + 1, size);
    memcpy(array, &block, sizeof block);
    return rc;
}

/* Labels are numbered as they appear in the release: their old order is the input's. */
static kanon_status
write_label(kn_arrow_out *out, kn_arrow_out_column *column, uint32_t code)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = out->base.ctx;

    KN_TRY(MORE(ctx, column->codes, column->codes_capacity, out->nrows));
    column->codes[out->nrows] = KN_NO_CODE;
    if (code == KN_NO_CODE)
        goto out;
    while (column->nnumber <= code) {
        KN_TRY(MORE(ctx, column->number, column->number_capacity, column->nnumber));
        column->number[column->nnumber++] = KN_NO_CODE;
    }
    if (column->number[code] == KN_NO_CODE) {
        KN_TRY(MORE(ctx, column->shown, column->shown_capacity, column->nshown));
        column->shown[column->nshown] = code;
        column->number[code] = (uint32_t) column->nshown++;
    }
    column->codes[out->nrows] = column->number[code];
out:
    return rc;
}

static kanon_status
write_text(kn_arrow_out *out, kn_arrow_out_column *column, kn_str cell)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = out->base.ctx;

    KN_TRY(MORE(ctx, column->ends, column->ends_capacity, out->nrows));
    KN_TRY(MORE(ctx, column->nulls, column->nulls_capacity, out->nrows));
    kn_text_add(&column->text, cell);
    KN_TRY(kn_text_status(&column->text));
    column->ends[out->nrows] = column->text.len;
    column->nulls[out->nrows] = !cell.ptr;
out:
    return rc;
}

static kanon_status
write_record(kn_rows_out *base, const void *record, size_t bytes)
{
    kanon_status  rc = KANON_OK;
    kn_arrow_out *out = (kn_arrow_out *) base;
    const char   *at = record;

    KN_TRY(MORE(base->ctx, out->rows, out->capacity, out->nrows));
    memcpy(&out->rows[out->nrows], at, sizeof *out->rows);
    at += sizeof *out->rows;
    for (size_t c = 0; c < out->ncolumns; c++)
        if (out->columns[c].fate == KN_CELL_GENERALIZE) {
            uint32_t code;

            memcpy(&code, at, sizeof code);
            at += sizeof code;
            KN_TRY(write_label(out, &out->state[c], code));
        } else if (is_text(out, &out->columns[c])) {
            size_t length;

            memcpy(&length, at, sizeof length);
            at += sizeof length;
            KN_TRY(write_text(out, &out->state[c],
                              (kn_str){ length ? at : NULL, length ? length - 1 : 0 }));
            at += length ? length - 1 : 0;
        }
    assert(at == (const char *) record + bytes);
    KN_UNUSED(bytes);
    out->nrows++;
out:
    return rc;
}

/* --- columns --------------------------------------------------------------------------------------- */

static kn_str
star_text(const void *user, size_t row)
{
    KN_UNUSED(user);
    KN_UNUSED(row);
    return KN_STR("*");
}

static kn_str
copied_text(const void *user, size_t row)
{
    const kn_arrow_out_column *column = user;
    size_t                     start = row ? column->ends[row - 1] : 0;

    if (column->nulls[row])
        return (kn_str){ NULL, 0 };
    return (kn_str){ column->text.len ? column->text.ptr + start : "", column->ends[row] - start };
}

static kn_str
shown_label(const void *user, size_t number)
{
    const kn_arrow_out_column *column = user;

    return kn_dict_value(column->labels, column->shown[number]);
}

static kn_str
row_label(const void *user, size_t row)
{
    const kn_arrow_out_column *column = user;

    return column->codes[row] == KN_NO_CODE ? (kn_str){ NULL, 0 }
                                            : shown_label(column, column->codes[row]);
}

/* Rows that show the empty label become null. */
static void
drop_empty_label(kn_arrow_out_column *column, size_t rows)
{
    uint32_t empty = 0;

    while (empty < column->nshown && shown_label(column, empty).len)
        empty++;
    if (empty == column->nshown)
        return;
    memmove(&column->shown[empty], &column->shown[empty + 1],
            (--column->nshown - empty) * sizeof *column->shown);
    for (size_t i = 0; i < rows; i++)
        if (column->codes[i] == empty)
            column->codes[i] = KN_NO_CODE;
        else if (column->codes[i] != KN_NO_CODE)
            column->codes[i] -= column->codes[i] > empty;
}

/* Decides how a column is made, and what the schema says of it. The name is for the caller to free. */
static kanon_status
plan_column(kn_arrow_out *out, size_t c, kn_arrow_field *field)
{
    kanon_status              rc = KANON_OK;
    kn_arrow_out_column      *state = &out->state[c];
    const kn_rows_out_column *column = &out->columns[c];
    bool                      labels = column->fate == KN_CELL_GENERALIZE;

    field->name = kn_strndup(out->base.ctx, column->name);
    if (!field->name)
        return KANON_E_NOMEM;
    field->flags = column->fate == KN_CELL_STAR ? 0 : ARROW_FLAG_NULLABLE;
    /* A class shows one value: where both kinds of empty cells are in it, it shows null. */
    if (labels && (state->changed || (state->empty_null && state->empty_empty))) {
        if (state->empty_null)
            drop_empty_label(state, out->nrows);
        state->form = FORM_LABELS;
        state->texts = (kn_arrow_texts){ shown_label, state };
        field->format = "i";
        field->dictionary = "u";
    } else if (!out->from || column->fate == KN_CELL_STAR || column->fate == KN_CELL_CODE) {
        state->form = FORM_TEXT;
        state->texts = (kn_arrow_texts){ labels                         ? row_label
                                         : column->fate == KN_CELL_STAR ? star_text
                                                                        : copied_text,
                                         state };
        field->format = "u";
    } else {
        const kn_arrow_column *old = &out->from->columns[column->position];

        state->form = old->dictionary ? FORM_MERGED : FORM_COPY;
        state->copy = (kn_arrow_copy){ out->from, column->position, out->rows };
        state->texts = kn_arrow_copy_texts(&state->copy);
        if (old->dictionary)
            KN_TRY(kn_arrow_merged_new(out->base.ctx, &state->copy, out->nrows, &state->merged));
        field->format = state->merged ? kn_arrow_merged_format(state->merged) : old->format;
        field->dictionary = old->dictionary;
        field->flags = old->flags;
    }
out:
    return rc;
}

/* Is it a column whose texts are counted with four bytes? */
static bool
has_limit(const kn_arrow_out *out, size_t c)
{
    const kn_arrow_out_column *state = &out->state[c];
    const kn_arrow_type       *type;

    if (state->form != FORM_COPY)
        return state->form == FORM_TEXT;
    type = &out->from->columns[state->copy.column].type;
    return kn_arrow_type_is_text(type) && type->width != 8;
}

/* How many rows from `first` on fit into a batch: all, unless a column has too much text. */
static kanon_status
fit_batch(const kn_arrow_out *out, size_t first, size_t *rows)
{
    *rows = out->nrows - first;
    for (size_t c = 0; c < out->ncolumns; c++) {
        kn_arrow_texts texts = out->state[c].texts;
        size_t         bytes = 0;

        if (out->state[c].bytes <= out->text_most || !has_limit(out, c))
            continue;
        for (size_t i = 0; i < *rows; i++) {
            bytes += texts.at(texts.user, first + i).len;
            if (bytes > out->text_most)
                *rows = i;
        }
    }
    if (*rows == 0 && first < out->nrows)
        return kn_fail(out->base.ctx, KANON_E_UNSUPPORTED,
                       "a cell has more than 2 GiB of text; the maximum is 2 GiB");
    return KANON_OK;
}

static kanon_status
make_column(kn_arrow_out *out, size_t c, kn_arrow_span span, struct ArrowArray *array)
{
    const kn_arrow_out_column *state = &out->state[c];
    kn_arrow_labels            labels = { state->codes, state->texts, state->nshown };
    kanon_ctx                 *ctx = out->base.ctx;

    switch (state->form) {
    case FORM_COPY:
        return kn_arrow_put_copy(ctx, &state->copy, span, array);
    case FORM_MERGED:
        return kn_arrow_put_merged(ctx, state->merged, span, array);
    case FORM_LABELS:
        return kn_arrow_put_labels(ctx, &labels, span, array);
    default:
        return kn_arrow_put_texts(ctx, state->texts, span, 4, array);
    }
}

static kanon_status
make_batches(kn_arrow_out *out)
{
    kanon_status      rc = KANON_OK;
    kn_arrow_span     span = { 0, 0 };
    struct ArrowArray batch = { .release = NULL };

    for (; span.first < out->nrows; span.first += span.count) {
        KN_TRY(fit_batch(out, span.first, &span.count));
        KN_TRY(kn_arrow_struct_new(out->base.ctx, out->ncolumns, span.count, &batch));
        for (size_t c = 0; c < out->ncolumns; c++)
            KN_TRY(make_column(out, c, span, batch.children[c]));
        KN_TRY(kn_arrow_export_add(out->base.ctx, out->export, &batch));
    }
out:
    if (batch.release)
        batch.release(&batch);
    return rc;
}

static void
free_state(kn_arrow_out *out)
{
    kanon_ctx *ctx = out->base.ctx;

    for (size_t c = 0; out->state && c < out->ncolumns; c++) {
        kn_arrow_out_column *state = &out->state[c];

        kn_dict_free(state->labels);
        kn_free(ctx, state->number);
        kn_free(ctx, state->shown);
        kn_free(ctx, state->codes);
        kn_text_fini(&state->text);
        kn_free(ctx, state->ends);
        kn_free(ctx, state->nulls);
        kn_arrow_merged_free(state->merged);
    }
    kn_free(ctx, out->state);
    kn_free(ctx, out->rows);
    out->state = NULL;
    out->rows = NULL;
}

static kanon_status
read_back(kn_rows_out *base, kn_rows_source **back)
{
    kanon_status    rc = KANON_OK;
    kn_arrow_out   *out = (kn_arrow_out *) base;
    kn_arrow_field *fields = KN_NEW_ARRAY(base->ctx, kn_arrow_field, out->ncolumns);

    assert(!out->export);
    if (!fields)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < out->ncolumns; c++)
        KN_TRY(plan_column(out, c, &fields[c]));
    KN_TRY(kn_arrow_export_new(base->ctx, fields, out->ncolumns, &out->export));
    KN_TRY(make_batches(out));
    free_state(out);
    KN_TRY(kn_arrow_export_read(base->ctx, out->export, base->name, &out->back));
    *back = &out->back->base;
out:
    for (size_t c = 0; c < out->ncolumns; c++)
        kn_free(base->ctx, fields[c].name);
    kn_free(base->ctx, fields);
    return rc;
}

static kanon_status
commit(kn_rows_out *base)
{
    kn_arrow_out *out = (kn_arrow_out *) base;

    assert(out->export);
    kn_arrow_table_free(out->back);
    out->back = NULL;
    kn_arrow_export_start(out->export, out->release);
    out->export = NULL;
    return KANON_OK;
}

static void
abandon(kn_rows_out *base)
{
    kn_arrow_out *out = (kn_arrow_out *) base;

    kn_arrow_table_free(out->back);
    out->back = NULL;
    kn_arrow_export_free(out->export);
    out->export = NULL;
}

static const kn_rows_out_class arrow_out_class = {
    .begin = begin,
    .label = label,
    .row = make_record,
    .write = write_record,
    .read_back = read_back,
    .commit = commit,
    .abandon = abandon,
};

void
kn_arrow_out_init(kn_arrow_out *out, kanon_ctx *ctx, const kn_rows_source *original,
                  struct ArrowArrayStream *release)
{
    memset(release, 0, sizeof *release);
    *out = (kn_arrow_out){ .base = { &arrow_out_class, ctx, "release" },
                           .from = kn_arrow_table_of(original),
                           .release = release,
                           .text_most = INT32_MAX };
}

void
kn_arrow_out_fini(kn_arrow_out *out)
{
    abandon(&out->base);
    free_state(out);
}

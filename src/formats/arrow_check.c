/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_check.c -- nothing of a foreign array is believed that can be checked: counts of buffers and
 * children, lengths, offsets of texts, views, indices of dictionaries, UTF-8. The sizes of buffers are
 * not part of the interface, so that they are as long as the array says is the one thing taken on trust.
 * Cost: one pass over texts and indices; other buffers are not touched. */
#include <stdio.h>

#include "base/text.h"
#include "formats/arrow.h"

enum { COLUMNS_MOST = 65535, DAY_MS = 86400000 };
static const int64_t LENGTH_MOST = INT64_MAX / 32; /* bytes of a buffer stay countable */

/* One array of a column while it is checked. */
typedef struct subject {
    const kn_arrow_table    *table;
    size_t                   column;
    const char              *format;
    const struct ArrowArray *array;
    uint64_t                 start; /* rows of the table before it, for messages */
} subject;

#define REFUSE(s, ...) refuse((s), KN_NO_ROW, __VA_ARGS__)
#define KN_NO_ROW UINT64_MAX

static kanon_status refuse(const subject *s, uint64_t row, const char *format, ...) KN_PRINTF(3, 4);

/* "people: column 'age' (int32), row 7: what". */
static kanon_status
refuse(const subject *s, uint64_t row, const char *format, ...)
{
    kanon_ctx *ctx = s->table->ctx;
    kn_text    what;
    va_list    args;
    char       said[200];

    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    kn_text_init(&what, ctx);
    kn_text_addf(&what, "column '%.*s' (%s)", KN_ARG(s->table->names.names[s->column]),
                 kn_arrow_type_words(s->format));
    if (row != KN_NO_ROW)
        kn_text_addf(&what, ", row %llu", (unsigned long long) (s->start + row + 1));
    if (kn_text_status(&what) == KANON_OK)
        kn_fail_at(ctx, KANON_E_PARSE, s->table->base.name, 0, "%s: %s", what.ptr, said);
    kn_text_fini(&what);
    return KANON_E_PARSE;
}

/* --- the schema ------------------------------------------------------------------------------------ */

static kanon_status
unsupported(kn_arrow_table *table, size_t column, const char *format, const char *where)
{
    return kn_fail_at(
        table->ctx, KANON_E_UNSUPPORTED, table->base.name, 0,
        "column '%.*s' has the Arrow type %s ('%.40s')%s, which is not supported; cast "
        "it to text, numbers, dates or times",
        KN_ARG(table->names.names[column]), kn_arrow_type_words(format), format, where);
}

static kanon_status
take_names(kn_arrow_table *table, const struct ArrowSchema *schema)
{
    kanon_status rc = KANON_OK;
    kn_str      *names = KN_NEW_ARRAY(table->ctx, kn_str, table->ncolumns);
    size_t       one, other;

    if (!names)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < table->ncolumns; i++) {
        names[i] = kn_str_of(schema->children[i]->name);
        if (kn_utf8_check(names[i].ptr, names[i].len) != names[i].len) {
            rc = kn_fail_at(table->ctx, KANON_E_PARSE, table->base.name, 0,
                            "the name of column %zu is not UTF-8", i + 1);
            goto out;
        }
    }
    KN_TRY(kn_names_copy(table->ctx, &table->names, names, table->ncolumns));
    if (kn_names_double(&table->names, &one, &other))
        rc = kn_fail_at(table->ctx, KANON_E_PARSE, table->base.name, 0,
                        "columns %zu and %zu are both named '%.*s'; give them different names",
                        one + 1, other + 1, KN_ARG(table->names.names[one]));
out:
    kn_free(table->ctx, names);
    return rc;
}

static kanon_status
take_column(kn_arrow_table *table, size_t i, const struct ArrowSchema *schema)
{
    kn_arrow_column          *column = &table->columns[i];
    const struct ArrowSchema *dictionary = schema->dictionary;

    column->flags = schema->flags & (ARROW_FLAG_DICTIONARY_ORDERED | ARROW_FLAG_NULLABLE);
    column->name = kn_arena_text(&table->arena, kn_str_of(schema->name));
    column->format = kn_arena_text(&table->arena, kn_str_of(schema->format));
    if (!column->name || !column->format)
        return KANON_E_NOMEM;
    if (!kn_arrow_type_parse(column->format, &column->type))
        return unsupported(table, i, column->format, "");
    if (!dictionary)
        return KANON_OK;
    column->index = column->type;
    if (!kn_arrow_type_is_index(&column->index))
        return unsupported(table, i, column->format, " as the index of a dictionary");
    if (!dictionary->format || !dictionary->release)
        return kn_fail_at(table->ctx, KANON_E_PARSE, table->base.name, 0,
                          "column '%.*s': the schema of its dictionary has no format",
                          KN_ARG(table->names.names[i]));
    column->dictionary = kn_arena_text(&table->arena, kn_str_of(dictionary->format));
    if (!column->dictionary)
        return KANON_E_NOMEM;
    if (dictionary->dictionary || !kn_arrow_type_parse(column->dictionary, &column->type))
        return unsupported(table, i, column->dictionary,
                           dictionary->dictionary ? ", a dictionary in a dictionary"
                                                  : " in its dictionary");
    return KANON_OK;
}

kanon_status
kn_arrow_check_schema(kn_arrow_table *table, const struct ArrowSchema *schema)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = table->ctx;
    const char  *name = table->base.name;

    if (!schema->release || !schema->format || schema->n_children < 0
        || (schema->n_children && !schema->children))
        return kn_fail_at(ctx, KANON_E_PARSE, name, 0, "the Arrow stream has a malformed schema");
    if (strcmp(schema->format, "+s") != 0)
        return kn_fail_at(ctx, KANON_E_UNSUPPORTED, name, 0,
                          "the Arrow stream has the type %s ('%.40s'); expected a struct, whose "
                          "fields are the columns",
                          kn_arrow_type_words(schema->format), schema->format);
    if (schema->n_children < 1 || schema->n_children > COLUMNS_MOST)
        return kn_fail_at(ctx, KANON_E_PARSE, name, 0,
                          "the Arrow stream has %lld columns; expected 1 to %d",
                          (long long) schema->n_children, COLUMNS_MOST);
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema->children[i] || !schema->children[i]->release || !schema->children[i]->format)
            return kn_fail_at(ctx, KANON_E_PARSE, name, 0,
                              "the schema of column %lld is missing or has no format",
                              (long long) i + 1);
    table->ncolumns = (size_t) schema->n_children;
    table->columns = KN_NEW_ARRAY(ctx, kn_arrow_column, table->ncolumns);
    if (!table->columns)
        return KANON_E_NOMEM;
    KN_TRY(take_names(table, schema));
    for (size_t i = 0; i < table->ncolumns; i++)
        KN_TRY(take_column(table, i, schema->children[i]));
out:
    return rc;
}

/* --- arrays ---------------------------------------------------------------------------------------- */

/* Texts that are there must be text. */
static kanon_status
check_texts(const subject *s, const kn_arrow_values *v)
{
    char room[KN_ARROW_ROOM];

    for (size_t i = 0; i < v->length; i++) {
        kn_str cell = kn_arrow_cell(v, i, room);

        if (!cell.len)
            continue;
        if (memchr(cell.ptr, 0, cell.len))
            return refuse(s, i, "a NUL character; remove it");
        if (kn_utf8_check(cell.ptr, cell.len) != cell.len)
            return refuse(s, i, "the text is not UTF-8");
    }
    return KANON_OK;
}

static int64_t
text_offset(const kn_arrow_values *v, size_t at)
{
    int32_t four;
    int64_t eight;

    if (v->type->width == 8) {
        memcpy(&eight, v->data + at * 8, 8);
        return eight;
    }
    memcpy(&four, v->data + at * 4, 4);
    return four;
}

static kanon_status
check_offsets(const subject *s, const kn_arrow_values *v)
{
    int64_t before = text_offset(v, v->first), next;

    if (before < 0)
        return refuse(s, 0, "its text starts at %lld; expected an offset of 0 or more",
                      (long long) before);
    for (size_t i = 0; i < v->length; i++, before = next) {
        next = text_offset(v, v->first + i + 1);
        if (next < before)
            return refuse(s, i, "its text ends at %lld, before it starts at %lld", (long long) next,
                          (long long) before);
    }
    if (before > 0 && !v->text && before != text_offset(v, v->first))
        return REFUSE(s, "there is no buffer with the texts");
    return KANON_OK;
}

/* The buffers for longer texts are followed by one that holds their lengths. */
static kanon_status
check_views(const subject *s, const kn_arrow_values *v)
{
    int64_t        pieces = s->array->n_buffers - 3;
    const uint8_t *sizes = s->array->buffers[s->array->n_buffers - 1];

    if (pieces && !sizes)
        return REFUSE(s, "there is no buffer with the sizes of the others");
    for (size_t i = 0; i < v->length; i++) {
        kn_arrow_view view;
        int64_t       size;

        if (kn_arrow_is_null(v, i))
            continue;
        memcpy(&view, v->data + (v->first + i) * sizeof view, sizeof view);
        if (view.length < 0)
            return refuse(s, i, "a text of length %d", (int) view.length);
        if (view.length <= KN_ARROW_VIEW_INLINE)
            continue;
        if (view.piece < 0 || view.piece >= pieces || !v->pieces[view.piece])
            return refuse(s, i, "its text is in buffer %d, but there are %lld", (int) view.piece,
                          (long long) pieces);
        memcpy(&size, sizes + (size_t) view.piece * sizeof size, sizeof size);
        if (size < view.length || view.offset < 0 || view.offset > size - view.length)
            return refuse(s, i, "its text lies outside its buffer");
    }
    return KANON_OK;
}

/* What all types share. */
static kanon_status
check_frame(const subject *s, const kn_arrow_type *type, kn_arrow_values *v)
{
    const struct ArrowArray *a = s->array;
    bool                     view = type->kind == KN_ARROW_VIEW;
    int64_t                  expected = view || type->kind == KN_ARROW_UTF8 ? 3 : 2;

    if (a->length < 0 || a->offset < 0 || a->length > LENGTH_MOST
        || a->offset > LENGTH_MOST - a->length)
        return REFUSE(s, "a length of %lld and an offset of %lld", (long long) a->length,
                      (long long) a->offset);
    if (a->null_count < -1 || a->null_count > a->length)
        return REFUSE(s, "%lld nulls among %lld values", (long long) a->null_count,
                      (long long) a->length);
    if (a->n_children != 0)
        return REFUSE(s, "%lld children; expected none", (long long) a->n_children);
    if (view ? a->n_buffers < expected : a->n_buffers != expected)
        return REFUSE(s, "%lld buffers; expected %d%s", (long long) a->n_buffers, (int) expected,
                      view ? " or more" : "");
    if (!a->buffers)
        return REFUSE(s, "there are no buffers");
    if (a->null_count > 0 && !a->buffers[0])
        return REFUSE(s, "%lld nulls, but no bitmap that says which", (long long) a->null_count);
    if (a->length && !a->buffers[1])
        return REFUSE(s, "there is no buffer with the values");
    *v = (kn_arrow_values){ .type = type,
                            .valid = a->buffers[0],
                            .data = a->buffers[1],
                            .text = expected == 3 && !view ? a->buffers[2] : NULL,
                            .pieces = view ? (const void *const *) a->buffers + 2 : NULL,
                            .first = (size_t) a->offset,
                            .length = (size_t) a->length };
    return KANON_OK;
}

static kanon_status
check_values(const subject *s, const kn_arrow_values *v)
{
    kanon_status rc = KANON_OK;

    if (!v->length)
        return KANON_OK;
    if (kn_arrow_type_is_text(v->type)) {
        KN_TRY(v->type->kind == KN_ARROW_UTF8 ? check_offsets(s, v) : check_views(s, v));
        KN_TRY(check_texts(s, v));
    } else if (v->type->kind == KN_ARROW_DATE && v->type->scale) {
        for (size_t i = 0; i < v->length; i++)
            if (!kn_arrow_is_null(v, i) && kn_arrow_integer(v, i) % DAY_MS != 0) {
                rc = refuse(s, i,
                            "a time of day where a whole day is expected; cast it to a timestamp");
                goto out;
            }
    }
out:
    return rc;
}

static kanon_status
check_indices(const subject *s, const kn_arrow_part *part)
{
    for (size_t i = 0; i < part->indices.length; i++) {
        int64_t index;

        if (kn_arrow_is_null(&part->indices, i))
            continue;
        index = kn_arrow_integer(&part->indices, i);
        if (index < 0 || (uint64_t) index >= part->values.length)
            return refuse(s, i, "index %lld into a dictionary of %zu values", (long long) index,
                          part->values.length);
    }
    return KANON_OK;
}

static kanon_status
format_dictionary(kn_arrow_table *table, kn_arrow_part *part)
{
    char    room[KN_ARROW_ROOM];
    kn_str *texts = kn_arena_alloc(&table->arena, part->values.length * sizeof *texts);

    if (!texts)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < part->values.length; i++) {
        texts[i] = kn_arrow_cell(&part->values, i, room);
        if (texts[i].ptr)
            texts[i].ptr = kn_arena_text(&table->arena, texts[i]);
        if (!texts[i].ptr && texts[i].len)
            return KANON_E_NOMEM;
    }
    part->texts = texts;
    return KANON_OK;
}

bool
kn_arrow_same_dictionary(const kn_arrow_part *a, const kn_arrow_part *b)
{
    return a->values.data == b->values.data && a->values.text == b->values.text
        && a->values.valid == b->values.valid && a->values.pieces == b->values.pieces
        && a->values.first == b->values.first && a->values.length == b->values.length;
}

static kanon_status
check_dictionary(kn_arrow_table *table, const subject *s, const kn_arrow_batch *batch)
{
    kanon_status           rc = KANON_OK;
    const kn_arrow_column *column = &table->columns[s->column];
    kn_arrow_part         *part = &batch->parts[s->column];
    const kn_arrow_part   *before = batch > table->batches ? &batch[-1].parts[s->column]
                                                           : NULL; /* often the same */
    subject                inner = *s;

    inner.array = s->array->dictionary;
    inner.format = column->dictionary;
    inner.start = 0;
    if (!inner.array->release || inner.array->dictionary)
        return REFUSE(s, "the dictionary was released or has a dictionary itself");
    KN_TRY(check_frame(&inner, &column->type, &part->values));
    if (before && kn_arrow_same_dictionary(part, before)) {
        part->texts = before->texts;
    } else {
        KN_TRY(check_values(&inner, &part->values));
        if (!kn_arrow_type_is_text(&column->type))
            KN_TRY(format_dictionary(table, part));
    }
    KN_TRY(check_indices(s, part));
out:
    return rc;
}

/* The rows of a batch start at value `offset` of each column. */
static kanon_status
check_column(kn_arrow_table *table, const subject *s, const kn_arrow_batch *batch, size_t offset)
{
    kanon_status           rc = KANON_OK;
    const kn_arrow_column *column = &table->columns[s->column];
    kn_arrow_part         *part = &batch->parts[s->column];
    kn_arrow_values       *rows = column->dictionary ? &part->indices : &part->values;

    if (!s->array || !s->array->release)
        return REFUSE(s, "the array is missing or was released");
    if (!s->array->dictionary != !column->dictionary)
        return REFUSE(s, column->dictionary ? "the dictionary is missing"
                                            : "there is a dictionary; expected none");
    KN_TRY(check_frame(s, column->dictionary ? &column->index : &column->type, rows));
    if (rows->length < offset || rows->length - offset < batch->rows) {
        rc = REFUSE(s, "%zu values; expected %zu, as in the batch", rows->length,
                    offset + batch->rows);
        goto out;
    }
    rows->first += offset;
    rows->length = batch->rows;
    KN_TRY(column->dictionary ? check_dictionary(table, s, batch) : check_values(s, rows));
out:
    return rc;
}

/* A row of which everything is null is no row of a table. */
static bool
has_null_rows(const struct ArrowArray *a)
{
    const uint8_t *valid = a->n_buffers == 1 && a->buffers ? a->buffers[0] : NULL;

    for (int64_t i = 0; valid && a->null_count != 0 && i < a->length; i++)
        if (!kn_arrow_bit(valid, (size_t) (a->offset + i)))
            return true;
    return a->null_count > 0;
}

kanon_status
kn_arrow_check_batch(kn_arrow_table *table, kn_arrow_batch *batch)
{
    kanon_status             rc = KANON_OK;
    const struct ArrowArray *a = &batch->array;
    const char              *name = table->base.name;

    if (a->length < 0 || a->offset < 0 || a->length > LENGTH_MOST
        || a->offset > LENGTH_MOST - a->length)
        return kn_fail_at(table->ctx, KANON_E_PARSE, name, 0,
                          "a batch has a length of %lld and an offset of %lld",
                          (long long) a->length, (long long) a->offset);
    if (a->n_children != (int64_t) table->ncolumns || !a->children)
        return kn_fail_at(table->ctx, KANON_E_PARSE, name, 0,
                          "a batch has %lld columns; expected %zu", (long long) a->n_children,
                          table->ncolumns);
    if (has_null_rows(a))
        return kn_fail_at(table->ctx, KANON_E_PARSE, name, 0,
                          "whole rows of a batch are null; put the nulls into the columns");
    batch->rows = (size_t) a->length;
    batch->start = table->rows;
    batch->parts = KN_NEW_ARRAY(table->ctx, kn_arrow_part, table->ncolumns);
    if (!batch->parts)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < table->ncolumns; i++) {
        subject s = { table, i, table->columns[i].format, a->children[i], table->rows };

        KN_TRY(check_column(table, &s, batch, (size_t) a->offset));
    }
out:
    return rc;
}

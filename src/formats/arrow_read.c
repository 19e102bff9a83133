/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_read.c -- Arrow arrays as a table: the stream is drained once, its arrays are kept as they are,
 * and a pass writes each cell's text into room of its own column. Dictionaries cost nothing per row but
 * a look. */
#include <errno.h>

#include "base/text.h"
#include "formats/arrow.h"

enum { PROGRESS_BATCHES = 16 };

typedef struct pass {
    kn_rows         base;
    kn_arrow_table *table;
    size_t          batch, row; /* of the next row */
    kn_str         *cells;
    char (*rooms)[KN_ARROW_ROOM]; /* per column */
    uint64_t bytes;
} pass;

/* --- one pass -------------------------------------------------------------------------------------- */

kn_str
kn_arrow_part_cell(const kn_arrow_part *part, size_t index, char room[KN_ARROW_ROOM])
{
    if (part->indices.type) {
        if (kn_arrow_is_null(&part->indices, index))
            return (kn_str){ NULL, 0 };
        index = (size_t) kn_arrow_integer(&part->indices, index);
        if (part->texts)
            return part->texts[index];
    }
    return kn_arrow_cell(&part->values, index, room);
}

static void
close_pass(kn_rows *rows)
{
    pass *p = (pass *) rows;

    if (p->table->digesting == rows)
        p->table->digesting = NULL;
    kn_free(rows->ctx, p->cells);
    kn_free(rows->ctx, p->rooms);
    kn_free(rows->ctx, p);
}

/* The digest names the type of a column by that of its values: a dictionary is a way to store them. */
static kanon_status
start_digest(pass *p)
{
    const kn_arrow_table *t = p->table;
    kn_str               *types = KN_NEW_ARRAY(p->base.ctx, kn_str, t->ncolumns);
    kanon_status          rc;

    if (!types)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < t->ncolumns; i++)
        types[i] = kn_str_of(t->columns[i].dictionary ? t->columns[i].dictionary
                                                      : t->columns[i].format);
    rc = kn_table_digest_init(p->base.ctx, &p->table->digest, t->names.names, types, t->ncolumns);
    if (rc == KANON_OK)
        p->table->digesting = &p->base;
    kn_free(p->base.ctx, types);
    return rc;
}

static kanon_status
open_pass(kn_rows_source *source, kanon_ctx *ctx, kn_rows **out)
{
    kanon_status    rc = KANON_OK;
    kn_arrow_table *table = (kn_arrow_table *) source;
    pass           *p = KN_NEW(ctx, pass);

    *out = NULL;
    if (!p)
        return KANON_E_NOMEM;
    *p = (pass){ .base = (kn_rows){ source->class, ctx, source->name, table->names,
                                    KN_DIALECT_USUAL, 0 },
                 .table = table };
    p->cells = KN_NEW_ARRAY(ctx, kn_str, table->ncolumns);
    p->rooms = kn_alloc_array(ctx, table->ncolumns, sizeof *p->rooms);
    KN_TRY(KN_HAVE(p->cells && p->rooms));
    if (!table->digested && !table->digesting)
        KN_TRY(start_digest(p));
    *out = &p->base;
    p = NULL;
out:
    if (p)
        close_pass(&p->base);
    return rc;
}

static kanon_status
next_row(kn_rows *rows, const kn_str **cells)
{
    pass           *p = (pass *) rows;
    kn_arrow_table *t = p->table;

    while (p->batch < t->nbatches && p->row == t->batches[p->batch].rows) {
        p->batch++;
        p->row = 0;
    }
    *cells = NULL;
    if (p->batch == t->nbatches) {
        if (t->digesting == rows) {
            kn_table_digest_end(&t->digest);
            t->digesting = NULL;
            t->digested = true;
        }
        return KANON_OK;
    }
    for (size_t i = 0; i < t->ncolumns; i++) {
        p->cells[i] = kn_arrow_part_cell(&t->batches[p->batch].parts[i], p->row, p->rooms[i]);
        p->bytes += p->cells[i].len + 1;
    }
    p->row++;
    if (t->digesting == rows)
        kn_table_digest_row(&t->digest, p->cells);
    *cells = p->cells;
    return KANON_OK;
}

static uint64_t
no_line(const kn_rows *rows)
{
    KN_UNUSED(rows);
    return 0;
}

static uint64_t
text_bytes(const kn_rows *rows)
{
    return ((const pass *) rows)->bytes;
}

static double
fraction(const kn_rows *rows)
{
    const kn_arrow_table *t = ((const pass *) rows)->table;

    return t->rows ? (double) rows->number / (double) t->rows : -1;
}

static const kn_hash *
hash_of(const kn_rows *rows)
{
    const kn_arrow_table *t = ((const pass *) rows)->table;

    return t->digested ? &t->digest.hash : NULL;
}

static const kn_rows_class arrow_class = {
    .open = open_pass,
    .next = next_row,
    .line = no_line,
    .bytes = text_bytes,
    .fraction = fraction,
    .hash = hash_of,
    .close = close_pass,
};

/* --- the table ------------------------------------------------------------------------------------- */

static kanon_status
new_table(kanon_ctx *ctx, const char *name, kn_arrow_owner owner, kn_arrow_table **out)
{
    kn_arrow_table *table = KN_NEW(ctx, kn_arrow_table);

    *out = NULL;
    if (!table)
        return KANON_E_NOMEM;
    *table = (kn_arrow_table){ .ctx = ctx, .owner = owner };
    kn_arena_init(&table->arena, ctx);
    kn_names_init(ctx, &table->names);
    table->base = (kn_rows_source){ .class = &arrow_class,
                                    .name = kn_arena_text(&table->arena, kn_str_of(name)) };
    *out = table;
    return table->base.name ? KANON_OK : KANON_E_NOMEM;
}

void
kn_arrow_table_free(kn_arrow_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->nbatches; i++) {
        kn_arrow_batch *batch = &table->batches[i];

        kn_free(table->ctx, batch->parts);
        if (table->owner == KN_ARROW_OWNED && batch->array.release)
            batch->array.release(&batch->array);
    }
    kn_free(table->ctx, table->batches);
    kn_free(table->ctx, table->columns);
    kn_names_fini(&table->names);
    kn_arena_fini(&table->arena);
    kn_free(table->ctx, table);
}

/* Moves an array into the table, which has it from here on, even when it fails its checks. */
static kanon_status
add_batch(kn_arrow_table *table, struct ArrowArray *array)
{
    void           *batches = table->batches;
    kn_arrow_batch *batch;
    kanon_status    rc = kn_grow(table->ctx, &batches, &table->capacity, table->nbatches + 1,
                                 sizeof *table->batches);

    table->batches = batches;
    if (rc < 0)
        return rc;
    batch = &table->batches[table->nbatches++];
    *batch = (kn_arrow_batch){ .array = *array };
    array->release = NULL;
    rc = kn_arrow_check_batch(table, batch);
    table->rows += batch->rows;
    return rc;
}

static kanon_status
stream_failed(kn_arrow_table *table, struct ArrowArrayStream *stream, int error)
{
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;

    if (error == ENOMEM)
        return kn_fail_nomem(table->ctx);
    if (!why || !*why)
        return kn_fail_errno(table->ctx, table->base.name, "the Arrow stream failed", error);
    return kn_fail_at(table->ctx, KANON_E_IO, table->base.name, 0, "the Arrow stream failed: %s",
                      why);
}

static kanon_status
drain(kn_arrow_table *table, struct ArrowArrayStream *stream)
{
    kanon_status       rc = KANON_OK;
    struct ArrowSchema schema = { .release = NULL };
    struct ArrowArray  array = { .release = NULL };
    kanon_progress     progress = { sizeof progress, "read", -1, 0, 0, -1, -1 };
    int                error = stream->get_schema(stream, &schema);

    if (error) {
        rc = stream_failed(table, stream, error);
        schema.release = NULL; /* of a failed call nothing is ours */
        goto out;
    }
    KN_TRY(kn_arrow_check_schema(table, &schema));
    for (;;) {
        error = stream->get_next(stream, &array);
        if (error) {
            array.release = NULL;
            rc = stream_failed(table, stream, error);
            goto out;
        }
        if (!array.release)
            break;
        KN_TRY(add_batch(table, &array));
        progress.rows = table->rows;
        if (table->nbatches % PROGRESS_BATCHES == 0)
            KN_TRY(kn_progress(table->ctx, &progress));
    }
out:
    if (array.release)
        array.release(&array);
    if (schema.release)
        schema.release(&schema);
    return rc;
}

kanon_status
kn_arrow_table_read(kanon_ctx *ctx, const char *name, struct ArrowArrayStream *stream,
                    kn_arrow_table **out)
{
    kanon_status    rc = KANON_OK;
    kn_arrow_table *table = NULL;

    *out = NULL;
    KN_TRY(new_table(ctx, name, KN_ARROW_OWNED, &table));
    KN_TRY(drain(table, stream));
    *out = table;
    table = NULL;
out:
    stream->release(stream);
    stream->release = NULL;
    kn_arrow_table_free(table);
    return rc;
}

kanon_status
kn_arrow_table_over(kanon_ctx *ctx, const char *name, const struct ArrowSchema *schema,
                    const struct ArrowArray *batches, size_t count, kn_arrow_table **out)
{
    kanon_status      rc = KANON_OK;
    kn_arrow_table   *table = NULL;
    struct ArrowArray array;

    *out = NULL;
    KN_TRY(new_table(ctx, name, KN_ARROW_BORROWED, &table));
    KN_TRY(kn_arrow_check_schema(table, schema));
    for (size_t i = 0; i < count; i++) {
        array = batches[i];
        KN_TRY(add_batch(table, &array));
    }
    *out = table;
    table = NULL;
out:
    kn_arrow_table_free(table);
    return rc;
}

const kn_arrow_table *
kn_arrow_table_of(const kn_rows_source *source)
{
    return source->class == &arrow_class ? (const kn_arrow_table *) source : NULL;
}

const kn_arrow_batch *
kn_arrow_table_locate(const kn_arrow_table *table, uint64_t number, size_t *index)
{
    size_t low = 0, high = table->nbatches;

    assert(number < table->rows);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (table->batches[middle].start <= number)
            low = middle;
        else
            high = middle;
    }
    *index = (size_t) (number - table->batches[low].start);
    return &table->batches[low];
}

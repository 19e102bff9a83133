/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_fixture.h -- Arrow streams made by hand from C arrays, and what was released of them. Shares
 * nothing with the library but the structs. */
#ifndef KN_ARROW_FIXTURE_H
#define KN_ARROW_FIXTURE_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kanon/arrow.h"

enum { FIXTURE_BUFFERS = 6 };

/* A column in a batch. The buffers must outlive it. */
typedef struct fixture_column {
    const char                  *name, *format;
    int64_t                      length;
    const void                  *buffers[FIXTURE_BUFFERS];
    int64_t                      nbuffers; /* 0: two */
    int64_t                      offset, nulls, flags;
    const struct fixture_column *dictionary;
    int64_t                      nchildren;
} fixture_column;

/* A stream over batches of columns; the first batch also says what the schema is. */
typedef struct fixture {
    const fixture_column *const *batches;
    size_t                       nbatches, ncolumns;
    int64_t                      batch_offset; /* of the struct itself */
    int64_t                      batch_length; /* 0: the first column's, less the offset */
    const char                  *format;       /* NULL: a struct */
    int                          fail_at;      /* this call of get_next fails, from 1 */
    const char                  *error;        /* what it says then */
    /* counted */
    int    arrays, schemas, streams; /* alive */
    size_t next;
    int    calls;
} fixture;

typedef struct fixture_array {
    fixture            *owner;
    const void         *buffers[FIXTURE_BUFFERS];
    struct ArrowArray   dictionary;
    struct ArrowArray  *children;
    struct ArrowArray **pointers;
} fixture_array;

static void
fixture_release_array(struct ArrowArray *array)
{
    fixture_array *own = array->private_data;

    for (int64_t i = 0; own->pointers && i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    own->owner->arrays--;
    free(own->children);
    free(own->pointers);
    free(own);
    array->release = NULL;
}

static void
fixture_array_from(fixture *f, const fixture_column *column, struct ArrowArray *out)
{
    fixture_array *own = calloc(1, sizeof *own);

    own->owner = f;
    f->arrays++;
    memcpy(own->buffers, column->buffers, sizeof own->buffers);
    *out = (struct ArrowArray){ .length = column->length,
                                .null_count = column->nulls,
                                .offset = column->offset,
                                .n_buffers = column->nbuffers ? column->nbuffers : 2,
                                .n_children = column->nchildren,
                                .buffers = own->buffers,
                                .release = fixture_release_array,
                                .private_data = own };
    if (column->dictionary) {
        fixture_array_from(f, column->dictionary, &own->dictionary);
        out->dictionary = &own->dictionary;
    }
}

static int
fixture_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    fixture       *f = stream->private_data;
    fixture_array *own;

    if (++f->calls == f->fail_at)
        return EIO;
    memset(out, 0, sizeof *out);
    if (f->next == f->nbatches)
        return 0;
    own = calloc(1, sizeof *own);
    own->owner = f;
    own->children = calloc(f->ncolumns, sizeof *own->children);
    own->pointers = calloc(f->ncolumns, sizeof *own->pointers);
    f->arrays++;
    for (size_t c = 0; c < f->ncolumns; c++) {
        own->pointers[c] = &own->children[c];
        fixture_array_from(f, &f->batches[f->next][c], &own->children[c]);
    }
    *out = (struct ArrowArray){ .length = f->batch_length
                                            ? f->batch_length
                                            : f->batches[f->next][0].length - f->batch_offset,
                                .offset = f->batch_offset,
                                .n_buffers = 1,
                                .n_children = (int64_t) f->ncolumns,
                                .buffers = own->buffers,
                                .children = own->pointers,
                                .release = fixture_release_array,
                                .private_data = own };
    f->next++;
    return 0;
}

typedef struct fixture_schema {
    fixture             *owner;
    struct ArrowSchema   dictionary;
    struct ArrowSchema  *children;
    struct ArrowSchema **pointers;
} fixture_schema;

static void
fixture_release_schema(struct ArrowSchema *schema)
{
    fixture_schema *own = schema->private_data;

    for (int64_t i = 0; own->pointers && i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    own->owner->schemas--;
    free(own->children);
    free(own->pointers);
    free(own);
    schema->release = NULL;
}

static void
fixture_schema_from(fixture *f, const fixture_column *column, struct ArrowSchema *out)
{
    fixture_schema *own = calloc(1, sizeof *own);

    own->owner = f;
    f->schemas++;
    *out = (struct ArrowSchema){ .format = column->format,
                                 .name = column->name,
                                 .flags = column->flags | ARROW_FLAG_NULLABLE,
                                 .release = fixture_release_schema,
                                 .private_data = own };
    if (column->dictionary) {
        fixture_schema_from(f, column->dictionary, &own->dictionary);
        out->dictionary = &own->dictionary;
    }
}

static int
fixture_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    fixture             *f = stream->private_data;
    const fixture_column table = { .format = f->format ? f->format : "+s" };
    fixture_schema      *own;

    fixture_schema_from(f, &table, out);
    own = out->private_data;
    own->children = calloc(f->ncolumns, sizeof *own->children);
    own->pointers = calloc(f->ncolumns, sizeof *own->pointers);
    for (size_t c = 0; c < f->ncolumns; c++) {
        own->pointers[c] = &own->children[c];
        fixture_schema_from(f, &f->batches[0][c], &own->children[c]);
    }
    out->n_children = (int64_t) f->ncolumns;
    out->children = own->pointers;
    return 0;
}

static const char *
fixture_error(struct ArrowArrayStream *stream)
{
    return ((const fixture *) stream->private_data)->error;
}

static void
fixture_release_stream(struct ArrowArrayStream *stream)
{
    ((fixture *) stream->private_data)->streams--;
    stream->release = NULL;
}

static void
fixture_open(fixture *f, struct ArrowArrayStream *out)
{
    f->next = 0;
    f->calls = 0;
    f->streams++;
    *out = (struct ArrowArrayStream){ fixture_get_schema, fixture_next, fixture_error,
                                      fixture_release_stream, f };
}

/* Columns in these batches. */
#define TABLE(columns, ...)                                                                        \
    {                                                                                              \
        .batches = (const fixture_column *const[]){ __VA_ARGS__ },                                 \
        .nbatches = sizeof((const fixture_column *const[]){ __VA_ARGS__ }) / sizeof(void *),       \
        .ncolumns = (columns)                                                                      \
    }
#define COLUMN(...) ((const fixture_column[]){ { .name = "x", __VA_ARGS__ } })
#define VALUES(type, ...)                                                                          \
    (const type[])                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define BUFFERS(...) .buffers = { __VA_ARGS__ }

__attribute__((unused)) static const uint8_t all_but_second = 0xfd;

/* Everything that was handed out came back. */
#define CHECK_RETURNED(f)                                                                          \
    do {                                                                                           \
        CHECK_EQ_I64((f)->arrays, 0);                                                              \
        CHECK_EQ_I64((f)->schemas, 0);                                                             \
        CHECK_EQ_I64((f)->streams, 0);                                                             \
    } while (0)

#endif

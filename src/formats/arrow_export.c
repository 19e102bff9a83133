/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_export.c -- arrays, schemas and streams that others release, when and in which thread they like.
 * Their memory comes from the context's allocator, of which each keeps a copy; the context itself may be
 * gone by then. */
#include <errno.h>

#include "formats/arrow_out.h"

enum { BUFFERS_MOST = 4 };

/* --- arrays ---------------------------------------------------------------------------------------- */

typedef struct array_owner {
    kanon_allocator     allocator;
    const void         *buffers[BUFFERS_MOST];
    struct ArrowArray   dictionary;
    struct ArrowArray **children; /* pointers, then what they point to */
} array_owner;

static void
release_array(struct ArrowArray *array)
{
    array_owner    *owner = array->private_data;
    kanon_allocator allocator = owner->allocator;

    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    for (size_t i = 0; i < BUFFERS_MOST; i++)
        if (owner->buffers[i])
            allocator.release(allocator.user, (void *) owner->buffers[i]);
    if (owner->children)
        allocator.release(allocator.user, (void *) owner->children);
    allocator.release(allocator.user, owner);
    array->release = NULL;
}

kanon_status
kn_arrow_array_new(kanon_ctx *ctx, size_t nbuffers, kn_arrow_shape shape, struct ArrowArray *out)
{
    array_owner *owner = KN_NEW(ctx, array_owner);

    assert(nbuffers <= BUFFERS_MOST);
    if (!owner)
        return KANON_E_NOMEM;
    owner->allocator = kn_ctx_allocator(ctx);
    *out = (struct ArrowArray){ .n_buffers = (int64_t) nbuffers,
                                .buffers = owner->buffers,
                                .release = release_array,
                                .private_data = owner };
    if (shape == KN_ARROW_WITH_DICTIONARY)
        out->dictionary = &owner->dictionary;
    return KANON_OK;
}

kanon_status
kn_arrow_struct_new(kanon_ctx *ctx, size_t ncolumns, size_t rows, struct ArrowArray *out)
{
    struct ArrowArray   array;
    struct ArrowArray **children;
    struct ArrowArray  *all;

    if (kn_arrow_array_new(ctx, 1, KN_ARROW_PLAIN, &array) < 0)
        return KANON_E_NOMEM;
    children = kn_alloc_array(ctx, ncolumns, sizeof *children + sizeof **children);
    if (!children) {
        array.release(&array);
        return KANON_E_NOMEM;
    }
    all = (struct ArrowArray *) (void *) (children + ncolumns);
    for (size_t i = 0; i < ncolumns; i++)
        children[i] = &all[i];
    ((array_owner *) array.private_data)->children = children;
    array.n_children = (int64_t) ncolumns;
    array.children = children;
    array.length = (int64_t) rows;
    *out = array;
    return KANON_OK;
}

/* --- the schema ------------------------------------------------------------------------------------ */

typedef struct schema_owner {
    kanon_allocator      allocator;
    struct ArrowSchema   dictionary;
    struct ArrowSchema **children; /* pointers, then what they point to */
    char                 text[];   /* format, name, format of the dictionary */
} schema_owner;

static void
release_schema(struct ArrowSchema *schema)
{
    schema_owner   *owner = schema->private_data;
    kanon_allocator allocator = owner->allocator;

    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    if (owner->children)
        allocator.release(allocator.user, (void *) owner->children);
    allocator.release(allocator.user, owner);
    schema->release = NULL;
}

static bool
make_field(const kanon_allocator *allocator, const kn_arrow_field *field, struct ArrowSchema *out)
{
    size_t        format = strlen(field->format) + 1, name = strlen(field->name) + 1;
    schema_owner *owner = allocator->allocate(allocator->user,
                                              sizeof(schema_owner) + format + name);

    if (!owner)
        return false;
    memset(owner, 0, sizeof *owner);
    owner->allocator = *allocator;
    memcpy(owner->text, field->format, format);
    memcpy(owner->text + format, field->name, name);
    *out = (struct ArrowSchema){ .format = owner->text,
                                 .name = owner->text + format,
                                 .flags = field->flags,
                                 .release = release_schema,
                                 .private_data = owner };
    if (field->dictionary) {
        kn_arrow_field values = { .name = (char[]){ "" },
                                  .format = field->dictionary,
                                  .flags = ARROW_FLAG_NULLABLE };

        if (!make_field(allocator, &values, &owner->dictionary)) {
            release_schema(out);
            return false;
        }
        out->dictionary = &owner->dictionary;
    }
    return true;
}

static bool
make_schema(const kanon_allocator *allocator, const kn_arrow_field *fields, size_t count,
            struct ArrowSchema *out)
{
    kn_arrow_field       table = { .name = (char[]){ "" }, .format = "+s" };
    struct ArrowSchema **children;

    if (!make_field(allocator, &table, out))
        return false;
    children = allocator->allocate(allocator->user,
                                   count * (sizeof *children + sizeof **children) + 1);
    if (!children) {
        release_schema(out);
        return false;
    }
    memset(children, 0, count * (sizeof *children + sizeof **children));
    ((schema_owner *) out->private_data)->children = children;
    out->children = children;
    for (size_t i = 0; i < count; i++)
        children[i] = (struct ArrowSchema *) (void *) (children + count) + i;
    out->n_children = (int64_t) count;
    for (size_t i = 0; i < count; i++)
        if (!make_field(allocator, &fields[i], children[i])) {
            release_schema(out);
            return false;
        }
    return true;
}

/* --- the stream ------------------------------------------------------------------------------------ */

struct kn_arrow_export {
    kanon_allocator    allocator;
    kn_arrow_field    *fields;
    size_t             nfields;
    struct ArrowArray *batches;
    size_t             nbatches, capacity;
    size_t             next;
    const char        *error;
};

void
kn_arrow_export_free(kn_arrow_export *export)
{
    kanon_allocator allocator;

    if (!export)
        return;
    allocator = export->allocator;
    for (size_t i = 0; i < export->nbatches; i++)
        if (export->batches[i].release)
            export->batches[i].release(&export->batches[i]);
    for (size_t i = 0; export->fields && i < export->nfields; i++)
        if (export->fields[i].name)
            allocator.release(allocator.user, export->fields[i].name);
    if (export->fields)
        allocator.release(allocator.user, export->fields);
    if (export->batches)
        allocator.release(allocator.user, export->batches);
    allocator.release(allocator.user, export);
}

/* A field's texts lie in one block, which its name begins. */
static bool
copy_field(kanon_ctx *ctx, const kn_arrow_field *from, kn_arrow_field *to)
{
    size_t name = strlen(from->name) + 1, format = strlen(from->format) + 1;
    size_t values = from->dictionary ? strlen(from->dictionary) + 1 : 0;
    char  *text = kn_alloc(ctx, name + format + values);

    if (!text)
        return false;
    memcpy(text, from->name, name);
    memcpy(text + name, from->format, format);
    if (values)
        memcpy(text + name + format, from->dictionary, values);
    *to = (kn_arrow_field){ text, text + name, values ? text + name + format : NULL, from->flags };
    return true;
}

kanon_status
kn_arrow_export_new(kanon_ctx *ctx, const kn_arrow_field *fields, size_t count,
                    kn_arrow_export **out)
{
    kn_arrow_export *export = KN_NEW(ctx, kn_arrow_export);

    *out = NULL;
    if (!export)
        return KANON_E_NOMEM;
    export->allocator = kn_ctx_allocator(ctx);
    export->nfields = count;
    export->fields = KN_NEW_ARRAY(ctx, kn_arrow_field, count);
    for (size_t i = 0; i < count; i++)
        if (!export->fields || !copy_field(ctx, &fields[i], &export->fields[i])) {
            kn_arrow_export_free(export);
            return KANON_E_NOMEM;
        }
    *out = export;
    return KANON_OK;
}

kanon_status
kn_arrow_export_add(kanon_ctx *ctx, kn_arrow_export *export, struct ArrowArray *batch)
{
    void        *batches = export->batches;
    kanon_status rc = kn_grow(ctx, &batches, &export->capacity, export->nbatches + 1,
                              sizeof *export->batches);

    export->batches = batches;
    if (rc < 0)
        batch->release(batch);
    else
        export->batches[export->nbatches++] = *batch;
    batch->release = NULL;
    return rc;
}

kanon_status
kn_arrow_export_read(kanon_ctx *ctx, kn_arrow_export *export, const char *name,
                     kn_arrow_table **out)
{
    struct ArrowSchema schema;
    kanon_status       rc;

    *out = NULL;
    if (!make_schema(&export->allocator, export->fields, export->nfields, &schema))
        return kn_fail_nomem(ctx);
    rc = kn_arrow_table_over(ctx, name, &schema, export->batches, export->nbatches, out);
    schema.release(&schema);
    return rc;
}

static int
get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    kn_arrow_export *export = stream->private_data;
    bool made = make_schema(&export->allocator, export->fields, export->nfields, out);

    export->error = made ? NULL : "out of memory";
    return made ? 0 : ENOMEM;
}

static int
get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    kn_arrow_export *export = stream->private_data;

    export->error = NULL;
    if (export->next == export->nbatches) {
        memset(out, 0, sizeof *out);
        return 0;
    }
    *out = export->batches[export->next];
    export->batches[export->next++].release = NULL; /* moved */
    return 0;
}

static const char *
get_last_error(struct ArrowArrayStream *stream)
{
    return ((const kn_arrow_export *) stream->private_data)->error;
}

static void
release_stream(struct ArrowArrayStream *stream)
{
    kn_arrow_export_free(stream->private_data);
    stream->release = NULL;
}

void
kn_arrow_export_start(kn_arrow_export *export, struct ArrowArrayStream *stream)
{
    *stream = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release_stream,
                                         export };
}

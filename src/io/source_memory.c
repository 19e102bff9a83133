/* SPDX-License-Identifier: Apache-2.0 */
/* source_memory.c -- bytes in memory as a source. */
#include "io/stream.h"

typedef struct memory_source {
    kanon_source base;
    kanon_ctx   *ctx;
    char        *name;
    const char  *bytes;
    size_t       count;
} memory_source;

static int
memory_pull(kn_stream *stream, void *buffer, size_t capacity, size_t *got, kn_fault *fault)
{
    const memory_source *memory = stream->owner;
    size_t               left = memory->count - (size_t) stream->offset;

    KN_UNUSED(fault);
    *got = left < capacity ? left : capacity;
    if (*got)
        memcpy(buffer, memory->bytes + stream->offset, *got);
    stream->offset += *got;
    return 0;
}

static kanon_status
memory_open(void *user, kanon_ctx *ctx, void **stream)
{
    return kn_stream_open(ctx, user, memory_pull, stream);
}

static uint64_t
memory_length(void *user)
{
    const memory_source *memory = user;

    return memory->count;
}

static void
memory_release(void *user)
{
    memory_source *memory = user;

    kn_free(memory->ctx, memory->name);
    kn_free(memory->ctx, memory);
}

kanon_status
kanon_source_memory(kanon_ctx *ctx, const char *name, const void *bytes, size_t count,
                    kanon_source **out)
{
    memory_source *memory;
    char          *copy;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    if (count && !bytes)
        return kn_fail(ctx, KANON_E_INVALID, "bytes are required");
    memory = KN_NEW(ctx, memory_source);
    copy = kn_strdup(ctx, name ? name : "memory");
    if (!memory || !copy) {
        kn_free(ctx, memory);
        kn_free(ctx, copy);
        return KANON_E_NOMEM;
    }
    memory->ctx = ctx;
    memory->name = copy;
    memory->bytes = bytes;
    memory->count = count;
    memory->base = (kanon_source){ .size = sizeof memory->base,
                                   .name = copy,
                                   .user = memory,
                                   .open = memory_open,
                                   .read = kn_stream_read,
                                   .close = kn_stream_close,
                                   .length = memory_length,
                                   .release = memory_release };
    *out = &memory->base;
    return KANON_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* sink_memory.c -- memory as a sink. */
#include "base/text.h"
#include "io/stream.h"

typedef struct memory_sink {
    kanon_sink    base;
    kanon_ctx    *ctx;
    kn_text       bytes;
    bool          begun;
    bool          committed;
    kanon_source *back; /* what read_back handed out */
} memory_sink;

static void
discard(memory_sink *sink)
{
    kanon_source_free(sink->back);
    sink->back = NULL;
    kn_text_fini(&sink->bytes);
    kn_text_init(&sink->bytes, sink->ctx);
    sink->begun = sink->committed = false;
}

static void
memory_abandon(void *user)
{
    memory_sink *sink = user;

    if (!sink->committed)
        discard(sink);
}

static kanon_status
memory_begin(void *user, kanon_ctx *ctx)
{
    memory_sink *sink = user;

    KN_UNUSED(ctx);
    discard(sink);
    sink->begun = true;
    return KANON_OK;
}

static kanon_status
memory_write(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    memory_sink *sink = user;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->base.name);
    kn_text_add(&sink->bytes, (kn_str){ bytes, count });
    return kn_text_status(&sink->bytes);
}

static kanon_status
memory_read_back(void *user, kanon_ctx *ctx, kanon_source *back)
{
    memory_sink *sink = user;
    kanon_status rc;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->base.name);
    kanon_source_free(sink->back);
    sink->back = NULL;
    rc = kanon_source_memory(sink->ctx, sink->base.name, sink->bytes.ptr, sink->bytes.len,
                             &sink->back);
    if (rc != KANON_OK)
        return rc;
    *back = *sink->back;
    back->release = NULL; /* the sink's */
    return KANON_OK;
}

static kanon_status
memory_commit(void *user, kanon_ctx *ctx)
{
    memory_sink *sink = user;

    if (!sink->begun)
        return kn_sink_not_begun(ctx, sink->base.name);
    sink->begun = false;
    sink->committed = true;
    return KANON_OK;
}

static void
memory_release(void *user)
{
    memory_sink *sink = user;

    discard(sink);
    kn_free(sink->ctx, sink);
}

kanon_status
kanon_sink_memory(kanon_ctx *ctx, kanon_sink **out)
{
    memory_sink *sink;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    sink = KN_NEW(ctx, memory_sink);
    if (!sink)
        return KANON_E_NOMEM;
    sink->ctx = ctx;
    kn_text_init(&sink->bytes, ctx);
    sink->base = (kanon_sink){ .size = sizeof sink->base,
                               .name = "memory",
                               .user = sink,
                               .begin = memory_begin,
                               .write = memory_write,
                               .read_back = memory_read_back,
                               .commit = memory_commit,
                               .abandon = memory_abandon,
                               .release = memory_release };
    *out = &sink->base;
    return KANON_OK;
}

const void *
kanon_sink_bytes(const kanon_sink *sink, size_t *count)
{
    const memory_sink *memory = NULL;

    if (sink && sink->begin == memory_begin)
        memory = sink->user;
    if (count)
        *count = memory && memory->committed ? memory->bytes.len : 0;
    return memory && memory->committed && memory->bytes.ptr ? memory->bytes.ptr : "";
}

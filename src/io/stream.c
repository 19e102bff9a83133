/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c -- what the library's own sources have in common, and reading back what a sink wrote. */
#include "io/stream.h"

#include "io/spool_raw.h"

kanon_status
kn_stream_new(kanon_ctx *ctx, void *owner, kn_stream **out)
{
    kn_stream *stream = KN_NEW(ctx, kn_stream);

    *out = stream;
    if (!stream)
        return KANON_E_NOMEM;
    stream->ctx = ctx;
    stream->owner = owner;
    return KANON_OK;
}

kanon_status
kn_stream_read(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity, size_t *got)
{
    kn_stream *own = stream;
    kn_fault   fault = { 0, NULL, NULL };

    if (own->pull(own, buffer, capacity, got, &fault))
        return kn_fault_report(&fault, ctx);
    return KANON_OK;
}

void
kn_stream_close(void *stream)
{
    kn_stream *own = stream;

    if (own)
        kn_free(own->ctx, own);
}

void
kanon_source_free(kanon_source *source)
{
    if (source && source->release)
        source->release(source->user);
}

void
kanon_sink_free(kanon_sink *sink)
{
    if (!sink)
        return;
    if (sink->abandon)
        sink->abandon(sink->user);
    if (sink->release)
        sink->release(sink->user);
}

/* --- reading back ------------------------------------------------------------------------------ */

static int
back_pull(kn_stream *stream, void *buffer, size_t capacity, size_t *got, kn_fault *fault)
{
    const kn_back *back = stream->owner;
    int            error;

    if (back->fd >= 0)
        error = kn_fd_read_at(back->fd, stream->offset, buffer, capacity, got);
    else
        error = kn_spool_read_raw(back->spool, stream->offset, buffer, capacity, got);
    if (error)
        return kn_fault_set(fault, error, back->name, "reading back what was written");
    stream->offset += *got;
    return 0;
}

static kanon_status
back_open(void *user, kanon_ctx *ctx, void **stream)
{
    kn_stream   *own;
    kanon_status rc = kn_stream_new(ctx, user, &own);

    *stream = own;
    if (rc == KANON_OK)
        own->pull = back_pull;
    return rc;
}

static uint64_t
back_length(void *user)
{
    const kn_back *back = user;

    return back->length;
}

void
kn_back_source(kn_back *back, kanon_source *source)
{
    *source = (kanon_source){ .size = sizeof *source,
                              .name = back->name,
                              .user = back,
                              .open = back_open,
                              .read = kn_stream_read,
                              .close = kn_stream_close,
                              .length = back_length,
                              .release = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c -- what the library's own sources have in common, and reading back what a sink wrote. */
#include "io/stream.h"

#include "io/spool_raw.h"

kanon_status
kn_stream_open(kanon_ctx *ctx, void *owner, kn_stream_pull pull, void **out)
{
    kn_stream *stream = KN_NEW(ctx, kn_stream);

    *out = stream;
    if (stream)
        *stream = (kn_stream){ .ctx = ctx, .owner = owner, .pull = pull };
    return stream ? KANON_OK : KANON_E_NOMEM;
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

kanon_status
kn_sink_not_begun(kanon_ctx *ctx, const char *name)
{
    return kn_fail_at(ctx, KANON_E_INVALID, name, 0, "begin must be called first");
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
    return kn_stream_open(ctx, user, back_pull, stream);
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

kanon_status
kn_sink_write(kanon_ctx *ctx, kanon_sink *sink, const kn_text *text)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_text_status(text));
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(sink->write(sink->user, ctx, text->ptr, text->len));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    return rc;
}

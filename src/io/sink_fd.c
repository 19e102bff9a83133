/* SPDX-License-Identifier: Apache-2.0 */
/* sink_fd.c -- an open descriptor, such as standard output, as a sink: everything waits in a spool
 * until commit, so that a release which is not good never gets out. */
#include "io/stream.h"

enum { COPY_BYTES = 1 << 20 };

typedef struct fd_sink {
    kanon_sink base;
    kanon_ctx *ctx;
    char      *name;
    int        fd;
    kn_spool  *spool; /* between begin and commit */
    kn_back    back;
} fd_sink;

kanon_status
kn_spool_copy_out(kanon_ctx *ctx, const kn_spool *spool, int fd, const char *name)
{
    kanon_status rc = KANON_OK;
    char        *buffer = kn_alloc(ctx, COPY_BYTES);
    uint64_t     size = kn_spool_size(spool);

    if (!buffer)
        return KANON_E_NOMEM;
    for (uint64_t at = 0; at < size;) {
        size_t count = size - at < COPY_BYTES ? (size_t) (size - at) : COPY_BYTES;
        int    error;

        KN_TRY(kn_spool_read(spool, at, buffer, count));
        error = kn_fd_write_all_pipe(fd, buffer, count);
        if (error) {
            rc = kn_fail_errno(ctx, name, "writing", error);
            goto out;
        }
        at += count;
    }
out:
    kn_free(ctx, buffer);
    return rc;
}

static void
fd_abandon(void *user)
{
    fd_sink *sink = user;

    kn_spool_free(sink->spool);
    sink->spool = NULL;
}

static kanon_status
fd_begin(void *user, kanon_ctx *ctx)
{
    fd_sink *sink = user;

    KN_UNUSED(ctx);
    fd_abandon(sink);
    return kn_spool_new(sink->ctx, NULL, &sink->spool);
}

static kanon_status
fd_write(void *user, kanon_ctx *ctx, const void *bytes, size_t count)
{
    fd_sink *sink = user;

    if (!sink->spool)
        return kn_sink_not_begun(ctx, sink->name);
    return kn_spool_append(sink->spool, bytes, count, NULL);
}

static kanon_status
fd_read_back(void *user, kanon_ctx *ctx, kanon_source *back)
{
    fd_sink *sink = user;

    if (!sink->spool)
        return kn_sink_not_begun(ctx, sink->name);
    sink->back = (kn_back){
        .name = sink->name, .fd = -1, .spool = sink->spool, .length = kn_spool_size(sink->spool)
    };
    kn_back_source(&sink->back, back);
    return KANON_OK;
}

static kanon_status
fd_commit(void *user, kanon_ctx *ctx)
{
    fd_sink     *sink = user;
    kanon_status rc;

    if (!sink->spool)
        return kn_sink_not_begun(ctx, sink->name);
    rc = kn_spool_copy_out(ctx, sink->spool, sink->fd, sink->name);
    fd_abandon(sink);
    return rc;
}

static void
fd_release(void *user)
{
    fd_sink *sink = user;

    fd_abandon(sink);
    kn_free(sink->ctx, sink->name);
    kn_free(sink->ctx, sink);
}

kanon_status
kanon_sink_fd(kanon_ctx *ctx, const char *name, int fd, kanon_sink **out)
{
    fd_sink *sink;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    if (fd < 0)
        return kn_fail(ctx, KANON_E_INVALID, "%d is not a descriptor; expected 0 or more", fd);
    sink = KN_NEW(ctx, fd_sink);
    if (!sink)
        return KANON_E_NOMEM;
    sink->ctx = ctx;
    sink->fd = fd;
    sink->name = kn_strdup(ctx, name ? name : "standard output");
    if (!sink->name) {
        fd_release(sink);
        return KANON_E_NOMEM;
    }
    sink->base = (kanon_sink){ .size = sizeof sink->base,
                               .name = sink->name,
                               .user = sink,
                               .begin = fd_begin,
                               .write = fd_write,
                               .read_back = fd_read_back,
                               .commit = fd_commit,
                               .abandon = fd_abandon,
                               .release = fd_release };
    *out = &sink->base;
    return KANON_OK;
}

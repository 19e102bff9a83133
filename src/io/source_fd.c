/* SPDX-License-Identifier: Apache-2.0 */
/* source_fd.c -- an open descriptor, such as standard input, as a source. What is read from it goes
 * into a spool as well; a pass reads the spool as far as it reaches and the descriptor from there on.
 * So a pass that stops early costs nothing, and the next one finds every byte. A lock keeps passes
 * that overlap (one of them perhaps read ahead by a thread) from taking each other's bytes. */
#include <pthread.h>
#include <unistd.h>

#include "io/spool_raw.h"
#include "io/stream.h"

typedef struct fd_source {
    kanon_source    base;
    kanon_ctx      *ctx;
    char           *name;
    int             fd;
    int             owned_fd; /* the same where release closes it, else -1 */
    kn_spool       *spool;
    pthread_mutex_t lock;
    bool            complete; /* the descriptor's end was seen */
    kn_fault        fault;    /* it failed: no pass can be whole any more */
} fd_source;

/* The next bytes of the descriptor: to the caller and to the spool. */
static int
pull_new(fd_source *source, void *buffer, size_t capacity, size_t *got)
{
    int error = kn_fd_read(source->fd, buffer, capacity, got);

    if (error)
        return kn_fault_set(&source->fault, error, source->name, "reading");
    if (*got)
        return kn_spool_append_raw(source->spool, buffer, *got, &source->fault);
    source->complete = true;
    return 0;
}

static int
fd_pull(kn_stream *stream, void *buffer, size_t capacity, size_t *got, kn_fault *fault)
{
    fd_source *source = stream->owner;
    int        error;

    *got = 0;
    pthread_mutex_lock(&source->lock);
    if (stream->offset < kn_spool_size(source->spool)) {
        error = kn_spool_read_raw(source->spool, stream->offset, buffer, capacity, got);
        if (error)
            kn_fault_set(fault, error, kn_spool_folder(source->spool),
                         "reading a temporary file in this folder");
    } else {
        if (!source->fault.error && !source->complete)
            pull_new(source, buffer, capacity, got);
        *fault = source->fault;
        error = fault->error;
    }
    pthread_mutex_unlock(&source->lock);
    stream->offset += *got;
    return error;
}

static int
fd_waits_on(kn_stream *stream)
{
    fd_source *source = stream->owner;
    bool       waits;

    pthread_mutex_lock(&source->lock);
    waits = stream->offset == kn_spool_size(source->spool) && !source->complete
         && !source->fault.error;
    pthread_mutex_unlock(&source->lock);
    return waits ? source->fd : -1;
}

static kanon_status
fd_open(void *user, kanon_ctx *ctx, void **stream)
{
    fd_source   *source = user;
    kanon_status rc = KANON_OK;

    *stream = NULL;
    if (!source->spool)
        KN_TRY(kn_spool_new(source->ctx, NULL, &source->spool));
    KN_TRY(kn_stream_open(ctx, source, fd_pull, stream));
    ((kn_stream *) *stream)->waits_on = fd_waits_on;
out:
    return rc;
}

static uint64_t
fd_length(void *user)
{
    fd_source *source = user;
    uint64_t   length;

    pthread_mutex_lock(&source->lock);
    length = source->complete ? kn_spool_size(source->spool) : 0;
    pthread_mutex_unlock(&source->lock);
    return length;
}

static void
fd_release(void *user)
{
    fd_source *source = user;

    if (source->owned_fd >= 0)
        close(source->owned_fd);
    kn_spool_free(source->spool);
    pthread_mutex_destroy(&source->lock);
    kn_free(source->ctx, source->name);
    kn_free(source->ctx, source);
}

static kanon_status
make_source(kanon_ctx *ctx, const char *name, int fd, fd_source **out)
{
    fd_source *source = KN_NEW(ctx, fd_source);
    char      *copy = kn_strdup(ctx, name);

    *out = NULL;
    if (!source || !copy || pthread_mutex_init(&source->lock, NULL)) {
        kn_free(ctx, source);
        kn_free(ctx, copy);
        return kn_fail_nomem(ctx);
    }
    source->ctx = ctx;
    source->name = copy;
    source->fd = fd;
    source->owned_fd = -1;
    source->base = (kanon_source){ .size = sizeof source->base,
                                   .name = copy,
                                   .user = source,
                                   .open = fd_open,
                                   .read = kn_stream_read,
                                   .close = kn_stream_close,
                                   .length = fd_length,
                                   .release = fd_release };
    *out = source;
    return KANON_OK;
}

kanon_status
kn_source_fd_adopt(kanon_ctx *ctx, const char *name, int fd, kanon_source **out)
{
    fd_source   *source;
    kanon_status rc = make_source(ctx, name, fd, &source);

    if (rc != KANON_OK) {
        close(fd);
        return rc;
    }
    source->owned_fd = fd;
    *out = &source->base;
    return KANON_OK;
}

kanon_status
kanon_source_fd(kanon_ctx *ctx, const char *name, int fd, kanon_source **out)
{
    fd_source   *source;
    kanon_status rc;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "out is required");
    *out = NULL;
    if (fd < 0)
        return kn_fail(ctx, KANON_E_INVALID, "%d is not a descriptor; expected 0 or more", fd);
    rc = make_source(ctx, name ? name : "standard input", fd, &source);
    if (rc == KANON_OK)
        *out = &source->base;
    return rc;
}

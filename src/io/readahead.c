/* SPDX-License-Identifier: Apache-2.0 */
/* readahead.c -- reading and hashing ahead. A ring of three blocks: one is parsed, one is ready, one
 * is filled. Everything shared is behind one lock, taken twice per block of 1 MiB. */
#include "io/readahead.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BLOCKS = 3, BLOCK_BYTES = 1 << 20 };

typedef struct block {
    char  *bytes;
    size_t count;
} block;

struct kn_readahead {
    kanon_ctx      *ctx;
    kn_stream      *stream;
    kn_hash        *hash;
    block           blocks[BLOCKS];
    int             wake; /* an eventfd: ends a wait for a slow descriptor */
    pthread_t       thread;
    bool            started;
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    /* behind the lock: */
    uint64_t filled; /* blocks that the thread has finished */
    uint64_t taken;  /* blocks handed out; the last of them is still in use */
    bool     ended;  /* the thread will not fill another one */
    bool     stop;
    kn_fault fault;
};

/* Waits until a pull would not block; false if the thread must stop. */
static bool
wait_for_stream(kn_readahead *ahead)
{
    struct pollfd wait[2] = { { ahead->wake, POLLIN, 0 }, { -1, POLLIN, 0 } };

    if (!ahead->stream->waits_on)
        return true;
    wait[1].fd = ahead->stream->waits_on(ahead->stream);
    if (wait[1].fd < 0)
        return true;
    while (poll(wait, 2, -1) < 0)
        if (errno != EINTR)
            return true; /* the pull itself will tell */
    return !(wait[0].revents & POLLIN);
}

/* Fills a block as far as the stream goes; false at the end, on a fault or when asked to stop. */
static bool
fill(kn_readahead *ahead, block *to, kn_fault *fault)
{
    to->count = 0;
    while (to->count < BLOCK_BYTES) {
        size_t got = 0;

        if (!wait_for_stream(ahead))
            return false;
        if (ahead->stream->pull(ahead->stream, to->bytes + to->count, BLOCK_BYTES - to->count, &got,
                                fault))
            return false;
        if (!got)
            return false;
        kn_hash_add(ahead->hash, to->bytes + to->count, got);
        to->count += got;
    }
    return true;
}

static void *
work(void *user)
{
    kn_readahead *ahead = user;
    bool          more = true;

    pthread_mutex_lock(&ahead->lock);
    while (more && !ahead->stop) {
        block   *to = &ahead->blocks[ahead->filled % BLOCKS];
        kn_fault fault = { 0, NULL, NULL };

        /* The block taken last is still being parsed: it may not be filled again. */
        if (ahead->filled >= ahead->taken + BLOCKS - (ahead->taken ? 1 : 0)) {
            pthread_cond_wait(&ahead->changed, &ahead->lock);
            continue;
        }
        pthread_mutex_unlock(&ahead->lock);
        more = fill(ahead, to, &fault);
        pthread_mutex_lock(&ahead->lock);
        if (to->count)
            ahead->filled++;
        ahead->fault = fault;
        ahead->ended = !more;
        pthread_cond_signal(&ahead->changed);
    }
    ahead->ended = true;
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

/* Signals are for the program's threads, not for this one. */
static void
start_thread(kn_readahead *ahead)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ahead->started = pthread_create(&ahead->thread, NULL, work, ahead) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

kanon_status
kn_readahead_start(kanon_ctx *ctx, kn_stream *stream, kn_hash *hash, kn_readahead **out)
{
    kanon_status  rc = KANON_E_NOMEM;
    kn_readahead *ahead = KN_NEW(ctx, kn_readahead);

    *out = NULL;
    if (!ahead)
        return rc;
    *ahead = (kn_readahead){ .ctx = ctx, .stream = stream, .hash = hash };
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->wake = eventfd(0, EFD_CLOEXEC);
    for (size_t i = 0; i < BLOCKS; i++) {
        ahead->blocks[i].bytes = kn_alloc(ctx, BLOCK_BYTES);
        if (!ahead->blocks[i].bytes)
            goto out;
    }
    rc = KANON_OK;
    if (ahead->wake >= 0)
        start_thread(ahead);
    if (ahead->started) {
        *out = ahead;
        ahead = NULL; /* moved */
    }
out:
    kn_readahead_stop(ahead);
    return rc;
}

kanon_status
kn_readahead_next(kn_readahead *ahead, const void **bytes, size_t *count)
{
    kn_fault fault = { 0, NULL, NULL };

    *bytes = NULL;
    *count = 0;
    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled == ahead->taken && !ahead->ended)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (ahead->filled > ahead->taken) {
        const block *next = &ahead->blocks[ahead->taken % BLOCKS];

        *bytes = next->bytes;
        *count = next->count;
        ahead->taken++;
        pthread_cond_signal(&ahead->changed);
    } else {
        fault = ahead->fault;
    }
    pthread_mutex_unlock(&ahead->lock);
    return fault.error ? kn_fault_report(&fault, ahead->ctx) : KANON_OK;
}

static void
end_thread(kn_readahead *ahead)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&ahead->lock);
    ahead->stop = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    kn_fd_write_all(ahead->wake, &one, sizeof one);
    pthread_join(ahead->thread, NULL);
}

void
kn_readahead_stop(kn_readahead *ahead)
{
    if (!ahead)
        return;
    if (ahead->started)
        end_thread(ahead);
    if (ahead->wake >= 0)
        close(ahead->wake);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    for (size_t i = 0; i < BLOCKS; i++)
        kn_free(ahead->ctx, ahead->blocks[i].bytes);
    kn_free(ahead->ctx, ahead);
}

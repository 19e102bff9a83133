/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c -- worker threads that take items from a shared counter.
 * The caller works too, so a pool of one has no thread at all. Threads sleep on a condition between
 * runs. Shaped for batches of tens to hundreds of items of 10 microseconds and more. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static const long IDLE_NS = 50 * 1000 * 1000;

typedef struct worker {
    kn_pool  *pool;
    pthread_t thread;
    unsigned  number;
} worker;

struct kn_pool {
    kanon_ctx      *ctx;
    worker         *workers; /* without the caller */
    unsigned        count;   /* with the caller */
    pthread_mutex_t lock;
    pthread_cond_t  wake, done;
    uint64_t        run; /* number of the current run, under lock */
    unsigned        busy;
    bool            stop;
    size_t          items;
    atomic_size_t   next;
    kn_work         work;
    void           *user;
    void (*idle)(void *user); /* NULL: the caller just waits */
    void *idle_user;
};

static void
take_items(kn_pool *pool, unsigned number)
{
    size_t item;

    while ((item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < pool->items)
        pool->work(pool->user, item, number);
}

static void *
live(void *argument)
{
    worker  *self = argument;
    kn_pool *pool = self->pool;
    uint64_t seen = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->run == seen && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->run;
        pthread_mutex_unlock(&pool->lock);
        take_items(pool, self->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Deadlines must not jump with the wall clock. */
static void
init_done(pthread_cond_t *done)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(done, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Signals are the program's business: none is delivered to a thread of ours. */
static void
start_workers(kn_pool *pool, unsigned workers)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 1; i < workers; i++) {
        worker *w = &pool->workers[pool->count - 1];

        *w = (worker){ pool, 0, pool->count };
        if (pthread_create(&w->thread, NULL, live, w) != 0)
            break;
        pool->count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

kanon_status
kn_pool_new(kanon_ctx *ctx, unsigned workers, kn_pool **out)
{
    kn_pool *pool = KN_NEW(ctx, kn_pool);

    *out = NULL;
    if (!pool)
        return KANON_E_NOMEM;
    *pool = (kn_pool){ .ctx = ctx, .count = 1 };
    pool->workers = KN_NEW_ARRAY(ctx, worker, workers);
    if (!pool->workers) {
        kn_free(ctx, pool);
        return KANON_E_NOMEM;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    init_done(&pool->done);
    start_workers(pool, workers);
    *out = pool;
    return KANON_OK;
}

void
kn_pool_free(kn_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i + 1 < pool->count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    kn_free(pool->ctx, pool->workers);
    kn_free(pool->ctx, pool);
}

unsigned
kn_pool_workers(const kn_pool *pool)
{
    return pool->count;
}

void
kn_pool_idle(kn_pool *pool, void (*idle)(void *user), void *user)
{
    pool->idle = idle;
    pool->idle_user = user;
}

/* Under the lock, which is free while idle is called. */
static void
wait_for_others(kn_pool *pool)
{
    while (pool->busy) {
        struct timespec until;

        if (!pool->idle) {
            pthread_cond_wait(&pool->done, &pool->lock);
            continue;
        }
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += IDLE_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&pool->done, &pool->lock, &until);
        if (!pool->busy)
            return;
        pthread_mutex_unlock(&pool->lock);
        pool->idle(pool->idle_user);
        pthread_mutex_lock(&pool->lock);
    }
}

void
kn_pool_run(kn_pool *pool, size_t count, kn_work work, void *user)
{
    assert(work || !count);
    pool->work = work;
    pool->user = user;
    if (count < 2 || pool->count == 1) {
        for (size_t item = 0; item < count; item++)
            work(user, item, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->items = count;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->count - 1;
    pool->run++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    take_items(pool, 0);
    pthread_mutex_lock(&pool->lock);
    wait_for_others(pool);
    pthread_mutex_unlock(&pool->lock);
}

unsigned
kn_cores(void)
{
    cpu_set_t set;
    int       cores;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    cores = CPU_COUNT(&set);
    return cores > 0 ? (unsigned) cores : 1;
}

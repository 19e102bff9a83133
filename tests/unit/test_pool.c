/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool.c -- threads that share work: every item once, by a worker that exists, run after run. And two
 * small tools: sets of keys, and sketches of how many values there are. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/keyset.h"
#include "base/pool.h"
#include "base/rng.h"
#include "encode/sketch.h"
#include "test.h"

enum { ITEMS = 1000 };

typedef struct tally {
    atomic_uint times[ITEMS];
    atomic_uint workers;
    unsigned    most;
    double      results[ITEMS];
} tally;

static void
mark(void *user, size_t item, unsigned worker)
{
    tally *t = user;

    atomic_fetch_add(&t->times[item], 1);
    if (worker >= t->most)
        atomic_fetch_add(&t->workers, 1000);
    atomic_fetch_or(&t->workers, 1u << worker);
    t->results[item] = (double) item * 0.5;
}

TEST(every_item_is_done_once)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (unsigned workers = 1; workers <= 8; workers++) {
        kn_pool *pool = NULL;

        CHECK_OK(ctx, kn_pool_new(ctx, workers, &pool));
        CHECK(kn_pool_workers(pool) >= 1 && kn_pool_workers(pool) <= workers);
        for (size_t count = 0; count <= ITEMS; count += count < 4 ? 1 : 249) {
            static tally t;

            memset(&t, 0, sizeof t);
            t.most = workers;
            kn_pool_run(pool, count, mark, &t);
            CHECK(atomic_load(&t.workers) < 1000);
            for (size_t i = 0; i < ITEMS; i++)
                CHECK_EQ_U64(atomic_load(&t.times[i]), i < count);
            for (size_t i = 0; i < count; i++)
                CHECK(t.results[i] == (double) i * 0.5);
        }
        kn_pool_free(pool);
    }
    CHECK(kn_cores() >= 1);
    kanon_ctx_free(ctx);
}

typedef struct patience {
    pthread_t   caller;
    atomic_bool heard;
    size_t      calls;
    bool        astray;
} patience;

/* The caller of the pool gets nothing to do but to listen; everybody else waits for it to be heard. */
static void
wait_to_be_heard(void *user, size_t item, unsigned worker)
{
    patience             *p = user;
    const struct timespec pause = { 0, 1000000 };

    KN_UNUSED(item);
    while (worker > 0 && !atomic_load(&p->heard))
        nanosleep(&pause, NULL);
}

static void
hear(void *user)
{
    patience *p = user;

    p->astray |= !pthread_equal(pthread_self(), p->caller);
    if (++p->calls == 3)
        atomic_store(&p->heard, true);
}

TEST(the_caller_listens_while_it_waits)
{
    kanon_ctx *ctx = NULL;
    kn_pool   *pool = NULL;
    patience   p = { .caller = pthread_self() };
    size_t     runs = 0;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_pool_new(ctx, 2, &pool));
    kn_pool_idle(pool, hear, &p);
    while (p.calls < 3 && runs++ < 100000 && kn_pool_workers(pool) == 2)
        kn_pool_run(pool, 2, wait_to_be_heard, &p); /* until the other one takes an item, too */
    CHECK(kn_pool_workers(pool) < 2 || p.calls == 3);
    CHECK(!p.astray);
    kn_pool_free(pool);
    kanon_ctx_free(ctx);
}

TEST(a_keyset_numbers_its_keys)
{
    kanon_ctx *ctx = NULL;
    kn_keyset *set = NULL;
    size_t     number;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_keyset_new(ctx, 3, &set));
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 5000; i++) {
            uint8_t key[3] = { (uint8_t) i, (uint8_t) (i >> 8), 7 };

            CHECK(kn_keyset_find(set, key) == (round ? i : SIZE_MAX));
            CHECK_OK(ctx, kn_keyset_add(set, key, &number));
            CHECK_EQ_U64(number, i);
        }
    CHECK_EQ_U64(kn_keyset_count(set), 5000);
    kn_keyset_clear(set);
    CHECK_EQ_U64(kn_keyset_count(set), 0);
    CHECK(kn_keyset_find(set, "\1\0\7") == SIZE_MAX);
    CHECK_OK(ctx, kn_keyset_add(set, "\1\0\7", &number));
    CHECK_EQ_U64(number, 0);
    kn_keyset_free(set);
    kanon_ctx_free(ctx);
}

/* Three standard errors of 2.3 % at every size, each value added several times. */
TEST(a_sketch_counts_different_values)
{
    static const unsigned sizes[] = { 0, 1, 2, 10, 100, 1000, 4000, 10000, 100000 };

    for (size_t s = 0; s < KN_COUNT(sizes); s++) {
        kn_sketch sketch = { { 0 } };
        double    found, real = sizes[s];

        for (unsigned i = 0; i < 2 * sizes[s]; i++) {
            char text[16];
            int  length = snprintf(text, sizeof text, "v%u", i % sizes[s]);

            kn_sketch_add(&sketch, (kn_str){ text, (size_t) length });
        }
        found = (double) kn_sketch_count(&sketch);
        if (found > real * 1.07 + 0.5 || found < real * 0.93 - 0.5)
            FAIL("%u values are counted as %g", sizes[s], found);
    }
}

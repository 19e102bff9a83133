/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h -- a few threads that share independent items of work. Results never depend on which thread did
 * an item, because each item writes to its own place. */
#ifndef KN_POOL_H
#define KN_POOL_H

#include "base/base.h"

typedef struct kn_pool kn_pool;
/** Does item `item` as worker 0..workers-1; worker 0 is the calling thread. */
typedef void (*kn_work)(void *user, size_t item, unsigned worker);

/** workers >= 1 counts the calling thread; threads that cannot be started are done without. */
kanon_status kn_pool_new(kanon_ctx *ctx, unsigned workers, kn_pool **out);
void         kn_pool_free(kn_pool *pool);
unsigned     kn_pool_workers(const kn_pool *pool);
/** Does items 0..count-1, in any order, and returns when all are done. */
void kn_pool_run(kn_pool *pool, size_t count, kn_work work, void *user);
/** Has idle(user) called about twenty times a second by the thread that called kn_pool_run(), while that
 *  one has nothing left to do and waits for the others. */
void kn_pool_idle(kn_pool *pool, void (*idle)(void *user), void *user);
/** Cores that this process may use, at least 1. */
unsigned kn_cores(void);

#endif

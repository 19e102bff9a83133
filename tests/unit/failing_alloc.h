/* SPDX-License-Identifier: Apache-2.0 */
/* failing_alloc.h -- an allocator that fails at the n-th request and knows how many blocks live:
 * with it a test makes every allocation of a call fail in turn and sees whether anything leaks. */
#ifndef KN_FAILING_ALLOC_H
#define KN_FAILING_ALLOC_H

#include <stdatomic.h>
#include <stdlib.h>

#include "kanon/ctx.h"
#include "test.h"

typedef struct failing_alloc {
    atomic_size_t requests; /* allocations and reallocations so far */
    atomic_size_t live;     /* blocks not released yet */
    size_t        fail_at;  /* this request fails, 1-based; 0: none does */
    size_t        fail_all; /* not 0: this request and every later one fails */
} failing_alloc;

static bool
failing_alloc_refuses(failing_alloc *state)
{
    size_t now = atomic_fetch_add(&state->requests, 1) + 1;

    return now == state->fail_at || (state->fail_all && now >= state->fail_all);
}

static void *
failing_alloc_allocate(void *user, size_t bytes)
{
    failing_alloc *state = user;
    void          *block = failing_alloc_refuses(state) ? NULL : malloc(bytes);

    if (block)
        atomic_fetch_add(&state->live, 1);
    return block;
}

static void *
failing_alloc_reallocate(void *user, void *block, size_t bytes)
{
    failing_alloc *state = user;
    void          *moved = failing_alloc_refuses(state) ? NULL : realloc(block, bytes);

    if (moved && !block)
        atomic_fetch_add(&state->live, 1);
    return moved;
}

static void
failing_alloc_release(void *user, void *block)
{
    failing_alloc *state = user;

    if (block)
        atomic_fetch_sub(&state->live, 1);
    free(block);
}

/** For kanon_ctx_options.allocator; state must live as long as the context. */
__attribute__((unused)) static kanon_allocator
failing_alloc_allocator(failing_alloc *state)
{
    return (kanon_allocator){ state, failing_alloc_allocate, failing_alloc_reallocate,
                              failing_alloc_release };
}

/** A context over a failing allocator; CHECKs that it could be made. */
__attribute__((unused)) static kanon_ctx *
failing_alloc_ctx(failing_alloc *state)
{
    kanon_allocator   allocator = failing_alloc_allocator(state);
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kanon_ctx        *ctx = NULL;

    options.allocator = &allocator;
    CHECK(kanon_ctx_new(&options, &ctx) == KANON_OK);
    return ctx;
}

/** Runs body with a fresh context again and again, the 1st, 2nd, 3rd ... request failing, until it
 *  succeeds. Each failed run must answer KANON_E_NOMEM; no run may leave a block behind. body frees
 *  all that it made, but not the context.
 *  @return the number of requests of the successful run */
__attribute__((unused)) static size_t
failing_alloc_sweep(kanon_status (*body)(kanon_ctx *ctx, void *user), void *user)
{
    for (size_t n = 1;; n++) {
        failing_alloc     state = { .fail_at = n };
        kanon_allocator   allocator = failing_alloc_allocator(&state);
        kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
        kanon_ctx        *ctx = NULL;
        kanon_status      rc;

        options.allocator = &allocator;
        rc = kanon_ctx_new(&options, &ctx);
        if (rc == KANON_OK)
            rc = body(ctx, user);
        if (rc != KANON_OK && rc != KANON_E_NOMEM)
            FAIL("request %zu failed: status %d (%s), expected KANON_E_NOMEM", n, (int) rc,
                 ctx ? kanon_ctx_message(ctx) : "");
        kanon_ctx_free(ctx);
        if (state.live)
            FAIL("request %zu failed: %zu blocks left behind", n, (size_t) state.live);
        if (rc == KANON_OK && state.requests < n)
            return state.requests;
    }
}

#endif

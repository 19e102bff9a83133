/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h -- many small pieces of memory that are all released at once. */
#ifndef KN_ARENA_H
#define KN_ARENA_H

#include "base/base.h"

typedef struct kn_arena_block kn_arena_block;
typedef struct kn_arena {
    kanon_ctx      *ctx;
    kn_arena_block *blocks;
    size_t          used; /* of the newest block */
} kn_arena;

void kn_arena_init(kn_arena *arena, kanon_ctx *ctx);
/** Also fine after a failed init or twice. */
void kn_arena_fini(kn_arena *arena);
/** Aligned to 16 bytes, not zeroed; NULL after the failure was recorded. */
void *kn_arena_alloc(kn_arena *arena, size_t bytes);
/** A terminated copy without alignment: strings are packed tightly. */
char *kn_arena_text(kn_arena *arena, kn_str text);
/** Bytes held from the context. */
size_t kn_arena_bytes(const kn_arena *arena);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c -- block-wise memory released at once. Blocks double from 4 KiB up to 1 MiB, so that a
 * small arena stays small and a large one wastes little; a piece larger than that gets its own. */
#include "base/arena.h"

enum { BLOCK_LEAST = 4096, BLOCK_MOST = 1 << 20, ALIGNMENT = 16 };

struct kn_arena_block {
    kn_arena_block *next;
    size_t          capacity;
};

/* Rounded up, so that the bytes after the header stay aligned. */
#define HEADER_BYTES ((sizeof(kn_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

void
kn_arena_init(kn_arena *arena, kanon_ctx *ctx)
{
    arena->ctx = ctx;
    arena->blocks = NULL;
    arena->used = 0;
}

void
kn_arena_fini(kn_arena *arena)
{
    kn_arena_block *block = arena->blocks;

    while (block) {
        kn_arena_block *next = block->next;

        kn_free(arena->ctx, block);
        block = next;
    }
    arena->blocks = NULL;
    arena->used = 0;
}

static void *
take(kn_arena *arena, size_t bytes, size_t alignment)
{
    size_t          start = (arena->used + alignment - 1) / alignment * alignment;
    size_t          capacity;
    kn_arena_block *block = arena->blocks;

    if (!block || start > block->capacity || bytes > block->capacity - start) {
        capacity = block ? block->capacity * 2 : BLOCK_LEAST;
        if (capacity > BLOCK_MOST)
            capacity = BLOCK_MOST;
        if (capacity < bytes)
            capacity = bytes;
        if (capacity > SIZE_MAX - HEADER_BYTES) {
            kn_fail_nomem(arena->ctx);
            return NULL;
        }
        block = kn_alloc(arena->ctx, HEADER_BYTES + capacity);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        block->capacity = capacity;
        arena->blocks = block;
        start = 0;
    }
    arena->used = start + bytes;
    return (char *) block + HEADER_BYTES + start;
}

void *
kn_arena_alloc(kn_arena *arena, size_t bytes)
{
    assert(arena->ctx);
    return take(arena, bytes ? bytes : 1, ALIGNMENT);
}

char *
kn_arena_text(kn_arena *arena, kn_str text)
{
    char *copy;

    assert(arena->ctx && (text.ptr || !text.len));
    if (text.len == SIZE_MAX) {
        kn_fail_nomem(arena->ctx);
        return NULL;
    }
    copy = take(arena, text.len + 1, 1);
    if (copy) {
        if (text.len)
            memcpy(copy, text.ptr, text.len);
        copy[text.len] = 0;
    }
    return copy;
}

size_t
kn_arena_bytes(const kn_arena *arena)
{
    size_t bytes = 0;

    for (const kn_arena_block *block = arena->blocks; block; block = block->next)
        bytes += HEADER_BYTES + block->capacity;
    return bytes;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h -- BLAKE2b-256 of a byte stream (`b2sum -l 256`). */
#ifndef KN_IO_HASH_H
#define KN_IO_HASH_H

#include <sodium/crypto_generichash.h>

#include "base/base.h"

enum { KN_HASH_BYTES = 32, KN_HASH_TEXT = 2 * KN_HASH_BYTES + 1 };

/** May lie anywhere: libsodium wants its state aligned to 64 bytes, which allocators do not promise. */
typedef struct kn_hash {
    unsigned char room[sizeof(crypto_generichash_state) + 63];
} kn_hash;

kanon_status kn_hash_init(kanon_ctx *ctx, kn_hash *hash);
/** Needs no context; any thread. */
void kn_hash_add(kn_hash *hash, const void *bytes, size_t count);
/** Of all that was added; the state stays as it is. */
void kn_hash_end(const kn_hash *hash, uint8_t digest[KN_HASH_BYTES]);
/** Hexadecimal digits, terminated: 2 * count + 1 bytes. */
void kn_hash_hex(const uint8_t *bytes, size_t count, char *out);

#endif

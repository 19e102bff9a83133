/* SPDX-License-Identifier: Apache-2.0 */
/* shuffle.h -- rows leave in an order that only the holder of a key can reproduce, also when they do not fit
 * into memory. */
#ifndef KN_SHUFFLE_H
#define KN_SHUFFLE_H

#include "io/hash.h"

enum { KN_ORDER_KEY_BYTES = KN_HASH_BYTES };

typedef struct kn_shuffle kn_shuffle;
typedef kanon_status (*kn_emit)(void *user, const void *bytes, size_t count);

/** @param key             a secret: who knows it can work out from which row of the input each record comes
 *  @param expected_bytes  about how much will be added, if that is known: decides how much goes through a
 *                         private temporary file. Neither the order nor the bound of memory depends on it. */
kanon_status kn_shuffle_new(kanon_ctx *ctx, const uint8_t key[KN_ORDER_KEY_BYTES],
                            uint64_t expected_bytes, kn_shuffle **out);
void         kn_shuffle_free(kn_shuffle *shuffle);
/** How many bytes are sorted in memory at a time, at most (64 MiB unless said). The order does not
 *  depend on it. */
void kn_shuffle_limit(kn_shuffle *shuffle, size_t bytes);
/** Adds the record of an input row; rows must come with growing numbers, some may be left out. */
kanon_status kn_shuffle_add(kn_shuffle *shuffle, uint64_t row, kn_str record);
/** Hands all records out in the new order. */
kanon_status kn_shuffle_finish(kn_shuffle *shuffle, kn_emit emit, void *user);

#endif

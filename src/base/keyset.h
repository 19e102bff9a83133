/* SPDX-License-Identifier: Apache-2.0 */
/* keyset.h -- a set of keys of one fixed length, each with a dense number in order of arrival. Exact: keys
 * are compared in full. */
#ifndef KN_KEYSET_H
#define KN_KEYSET_H

#include "base/base.h"

typedef struct kn_keyset kn_keyset;

/** bytes > 0: the length of every key. */
kanon_status kn_keyset_new(kanon_ctx *ctx, size_t bytes, kn_keyset **out);
void         kn_keyset_free(kn_keyset *set);
size_t       kn_keyset_count(const kn_keyset *set);
/** Forgets all keys and keeps the room. */
void kn_keyset_clear(kn_keyset *set);
/** The number of a key, or SIZE_MAX. */
size_t kn_keyset_find(const kn_keyset *set, const void *key);
/** The number of a key, which is added if it was not there. */
kanon_status kn_keyset_add(kn_keyset *set, const void *key, size_t *number);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* keyset.c -- open addressing over 32-bit slots in front of an array of keys. Cost: O(1) a look-up. */
#include "base/keyset.h"

#include "base/hash.h"

enum { SLOTS_LEAST = 64 };

struct kn_keyset {
    kanon_ctx *ctx;
    size_t     bytes, count, capacity, mask;
    char      *keys;
    uint32_t  *slots; /* number + 1, 0: free */
};

kanon_status
kn_keyset_new(kanon_ctx *ctx, size_t bytes, kn_keyset **out)
{
    kn_keyset *set = KN_NEW(ctx, kn_keyset);

    assert(bytes > 0);
    *out = NULL;
    if (!set)
        return KANON_E_NOMEM;
    *set = (kn_keyset){ .ctx = ctx, .bytes = bytes, .mask = SLOTS_LEAST - 1 };
    set->slots = KN_NEW_ARRAY(ctx, uint32_t, SLOTS_LEAST);
    if (!set->slots) {
        kn_keyset_free(set);
        return KANON_E_NOMEM;
    }
    *out = set;
    return KANON_OK;
}

void
kn_keyset_free(kn_keyset *set)
{
    if (!set)
        return;
    kn_free(set->ctx, set->keys);
    kn_free(set->ctx, set->slots);
    kn_free(set->ctx, set);
}

size_t
kn_keyset_count(const kn_keyset *set)
{
    return set->count;
}

void
kn_keyset_clear(kn_keyset *set)
{
    memset(set->slots, 0, (set->mask + 1) * sizeof *set->slots);
    set->count = 0;
}

static size_t
probe(const kn_keyset *set, const void *key)
{
    size_t at = (size_t) kn_hash_seeded(key, set->bytes, kn_ctx_hash_seed(set->ctx)) & set->mask;

    while (set->slots[at]
           && memcmp(set->keys + (set->slots[at] - 1) * set->bytes, key, set->bytes) != 0)
        at = (at + 1) & set->mask;
    return at;
}

size_t
kn_keyset_find(const kn_keyset *set, const void *key)
{
    uint32_t slot = set->slots[probe(set, key)];

    assert(key);
    return slot ? slot - 1 : SIZE_MAX;
}

static kanon_status
grow(kn_keyset *set)
{
    size_t    nslots = (set->mask + 1) * 2;
    uint32_t *slots = KN_NEW_ARRAY(set->ctx, uint32_t, nslots);

    if (!slots)
        return KANON_E_NOMEM;
    kn_free(set->ctx, set->slots);
    set->slots = slots;
    set->mask = nslots - 1;
    for (size_t i = 0; i < set->count; i++)
        set->slots[probe(set, set->keys + i * set->bytes)] = (uint32_t) i + 1;
    return KANON_OK;
}

kanon_status
kn_keyset_add(kn_keyset *set, const void *key, size_t *number)
{
    kanon_status rc = KANON_OK;
    size_t       at = probe(set, key);
    void        *keys = set->keys;

    assert(key && set->count <= set->capacity);
    if (set->slots[at]) {
        *number = set->slots[at] - 1;
        return KANON_OK;
    }
    if (set->count == UINT32_MAX - 1)
        return kn_fail(set->ctx, KANON_E_UNSUPPORTED, "more than 2^32 - 2 keys");
    KN_TRY(kn_grow(set->ctx, &keys, &set->capacity, set->count + 1, set->bytes));
    set->keys = keys;
    if ((set->count + 1) * 2 > set->mask + 1) {
        KN_TRY(grow(set));
        at = probe(set, key);
    }
    memcpy(set->keys + set->count * set->bytes, key, set->bytes);
    *number = set->count++;
    set->slots[at] = (uint32_t) set->count;
out:
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dict.c -- the distinct values of one column.
 * Open addressing with linear probing over 8-byte slots (half of the hash, the code), so that a miss
 * is almost always decided without touching the text. Texts lie packed in an arena, each once.
 * Shaped for: a lookup per cell of a million-row table. Cost: O(1) a lookup, about 24 bytes a value
 * beside its text. */
#include "table/dict.h"

#include "base/arena.h"
#include "base/hash.h"

typedef struct slot {
    uint32_t tag;  /* upper half of the hash */
    uint32_t code; /* KN_NO_CODE: free */
} slot;

struct kn_dict {
    kanon_ctx *ctx;
    kn_arena   texts;
    kn_str    *values;
    size_t     capacity;
    uint32_t   count;
    slot      *slots;
    size_t     mask; /* number of slots - 1, a power of two less one */
    uint64_t   seed; /* of the hash: values of a hostile file cannot aim at one place */
};

enum { SLOTS_LEAST = 64 };

static uint64_t
hash_of(const kn_dict *dict, kn_str value)
{
    return kn_hash_seeded(value.ptr, value.len, dict->seed);
}

static kanon_status
resize(kn_dict *dict, size_t nslots)
{
    slot *slots = kn_realloc_array(dict->ctx, NULL, nslots, sizeof *slots);

    if (!slots)
        return KANON_E_NOMEM;
    memset(slots, 0xff, nslots * sizeof *slots);
    for (uint32_t code = 0; code < dict->count; code++) {
        uint64_t hash = hash_of(dict, dict->values[code]);
        size_t   at = (size_t) hash & (nslots - 1);

        while (slots[at].code != KN_NO_CODE)
            at = (at + 1) & (nslots - 1);
        slots[at] = (slot){ (uint32_t) (hash >> 32), code };
    }
    kn_free(dict->ctx, dict->slots);
    dict->slots = slots;
    dict->mask = nslots - 1;
    return KANON_OK;
}

kanon_status
kn_dict_new(kanon_ctx *ctx, kn_dict **out)
{
    kn_dict *dict = KN_NEW(ctx, kn_dict);

    *out = NULL;
    if (!dict)
        return KANON_E_NOMEM;
    *dict = (kn_dict){ .ctx = ctx, .seed = kn_ctx_hash_seed(ctx) };
    kn_arena_init(&dict->texts, ctx);
    if (resize(dict, SLOTS_LEAST) < 0) {
        kn_dict_free(dict);
        return KANON_E_NOMEM;
    }
    *out = dict;
    return KANON_OK;
}

void
kn_dict_free(kn_dict *dict)
{
    if (!dict)
        return;
    kn_arena_fini(&dict->texts);
    kn_free(dict->ctx, dict->values);
    kn_free(dict->ctx, dict->slots);
    kn_free(dict->ctx, dict);
}

/* The slot that holds the value, or the free one where it belongs. */
static size_t
probe(const kn_dict *dict, kn_str value, uint64_t hash)
{
    uint32_t tag = (uint32_t) (hash >> 32);
    size_t   at = (size_t) hash & dict->mask;

    for (;; at = (at + 1) & dict->mask) {
        slot s = dict->slots[at];

        if (s.code == KN_NO_CODE || (s.tag == tag && kn_str_equal(dict->values[s.code], value)))
            return at;
    }
}

uint32_t
kn_dict_find(const kn_dict *dict, kn_str value)
{
    return dict->slots[probe(dict, value, hash_of(dict, value))].code;
}

static kanon_status
insert(kn_dict *dict, kn_str value, uint64_t hash, uint32_t *code)
{
    void *values = dict->values;
    char *copy;

    if (dict->count == KN_NO_CODE - 1)
        return kn_fail(dict->ctx, KANON_E_UNSUPPORTED, "a column has more than 2^32 - 2 values");
    if (kn_grow(dict->ctx, &values, &dict->capacity, (size_t) dict->count + 1, sizeof(kn_str)) < 0)
        return KANON_E_NOMEM;
    dict->values = values;
    if (((size_t) dict->count + 1) * 3 > (dict->mask + 1) * 2
        && resize(dict, (dict->mask + 1) * 2) < 0)
        return KANON_E_NOMEM;
    copy = kn_arena_text(&dict->texts, value);
    if (!copy)
        return KANON_E_NOMEM;
    dict->values[dict->count] = (kn_str){ copy, value.len };
    dict->slots[probe(dict, value, hash)] = (slot){ (uint32_t) (hash >> 32), dict->count };
    *code = dict->count++;
    return KANON_OK;
}

kanon_status
kn_dict_add(kn_dict *dict, kn_str value, uint32_t *code)
{
    uint64_t hash = hash_of(dict, value);
    uint32_t known = dict->slots[probe(dict, value, hash)].code;

    if (known == KN_NO_CODE)
        return insert(dict, value, hash, code);
    *code = known;
    return KANON_OK;
}

kanon_status
kn_dict_rename(kn_dict *dict, uint32_t code, kn_str value)
{
    char *copy = kn_arena_text(&dict->texts, value);

    assert(code < dict->count);
    if (!copy)
        return KANON_E_NOMEM;
    dict->values[code] = (kn_str){ copy, value.len };
    return KANON_OK;
}

uint32_t
kn_dict_count(const kn_dict *dict)
{
    return dict->count;
}

kn_str
kn_dict_value(const kn_dict *dict, uint32_t code)
{
    assert(code < dict->count);
    return dict->values[code];
}

const kn_str *
kn_dict_values(const kn_dict *dict)
{
    return dict->values;
}

size_t
kn_dict_reach(const kn_dict *dict)
{
    size_t reach = 0;

    for (size_t at = 0; at <= dict->mask; at++) {
        size_t home, way;

        if (dict->slots[at].code == KN_NO_CODE)
            continue;
        home = (size_t) hash_of(dict, dict->values[dict->slots[at].code]) & dict->mask;
        way = (at - home) & dict->mask;
        reach = way > reach ? way : reach;
    }
    return reach;
}

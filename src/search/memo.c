/* SPDX-License-Identifier: Apache-2.0 */
/* memo.c -- a set of level vectors with a score behind each. */
#include "search/memo.h"

#include "base/keyset.h"

enum { ENTRIES_MOST = 1 << 20 };

typedef struct entry {
    kn_score      score;
    kn_memo_state state;
} entry;

struct kn_memo {
    kanon_ctx *ctx;
    kn_keyset *nodes;
    entry     *entries;
    size_t     capacity;
};

kanon_status
kn_memo_new(kanon_ctx *ctx, size_t n, kn_memo **out)
{
    kn_memo *memo = KN_NEW(ctx, kn_memo);

    *out = NULL;
    if (!memo)
        return KANON_E_NOMEM;
    memo->ctx = ctx;
    if (kn_keyset_new(ctx, n, &memo->nodes) < 0) {
        kn_memo_free(memo);
        return KANON_E_NOMEM;
    }
    *out = memo;
    return KANON_OK;
}

void
kn_memo_free(kn_memo *memo)
{
    if (!memo)
        return;
    kn_keyset_free(memo->nodes);
    kn_free(memo->ctx, memo->entries);
    kn_free(memo->ctx, memo);
}

kn_memo_state
kn_memo_get(const kn_memo *memo, const uint8_t *node, kn_score *score)
{
    size_t number = kn_keyset_find(memo->nodes, node);

    if (number == SIZE_MAX)
        return KN_MEMO_NONE;
    *score = memo->entries[number].score;
    return memo->entries[number].state;
}

static kanon_status
set(kn_memo *memo, const uint8_t *node, entry e)
{
    kanon_status rc = KANON_OK;
    void        *entries = memo->entries;
    size_t       number;

    if (kn_keyset_count(memo->nodes) >= ENTRIES_MOST
        && kn_keyset_find(memo->nodes, node) == SIZE_MAX)
        return KANON_OK;
    KN_TRY(
        kn_grow(memo->ctx, &entries, &memo->capacity, kn_keyset_count(memo->nodes) + 1, sizeof e));
    memo->entries = entries;
    KN_TRY(kn_keyset_add(memo->nodes, node, &number));
    memo->entries[number] = e;
out:
    return rc;
}

kanon_status
kn_memo_expect(kn_memo *memo, const uint8_t *node)
{
    return set(memo, node, (entry){ { false, UINT64_MAX, 0 }, KN_MEMO_PENDING });
}

kanon_status
kn_memo_put(kn_memo *memo, const uint8_t *node, const kn_score *score)
{
    return set(memo, node, (entry){ *score, KN_MEMO_KNOWN });
}

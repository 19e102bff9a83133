/* SPDX-License-Identifier: Apache-2.0 */
/* tags.c -- two antichains of nodes, sliced into bits.
 * For each component i and level l a row of bits says which stored nodes have at most level l there. "Is a
 * stored node below x" is then the AND of one row per component, 512 nodes at a time, most often zero after a
 * few components; "is one above x" is the same with the complements. A node that another one makes redundant
 * loses its bit in `alive`, and its place is used again.
 * Shaped for tens of thousands of nodes. Cost: O(nodes * n / 64) word operations a query at worst. */
#include "lattice/tags.h"

enum {
    WORD_BITS = 64,
    BLOCK = 8, /* words that are looked at together: one cache line */
    PLACES_FIRST = BLOCK * WORD_BITS
};

typedef struct chain {
    uint64_t *alive; /* [words] */
    uint64_t *most;  /* [rows][words]: row first[i] + l: nodes with level <= l in component i */
    size_t    words;
    size_t    used;    /* places given out so far, dead ones included */
    size_t    free_at; /* where to look for a dead place next */
    size_t    dead;
} chain;

struct kn_tags {
    kanon_ctx *ctx;
    size_t     n, rows;
    size_t    *first; /* [n]: the row of level 0 of each component */
    chain      feasible, infeasible;
};

kanon_status
kn_tags_new(kanon_ctx *ctx, size_t n, const uint8_t *top, kn_tags **out)
{
    kn_tags *tags = KN_NEW(ctx, kn_tags);

    assert(n <= KN_QUASI_MOST);
    *out = NULL;
    if (!tags)
        return KANON_E_NOMEM;
    *tags = (kn_tags){ .ctx = ctx, .n = n };
    tags->first = KN_NEW_ARRAY(ctx, size_t, n);
    if (!tags->first) {
        kn_tags_free(tags);
        return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        tags->first[i] = tags->rows;
        tags->rows += (size_t) top[i] + 1;
    }
    *out = tags;
    return KANON_OK;
}

static void
chain_fini(kanon_ctx *ctx, chain *c)
{
    kn_free(ctx, c->alive);
    kn_free(ctx, c->most);
}

void
kn_tags_free(kn_tags *tags)
{
    if (!tags)
        return;
    chain_fini(tags->ctx, &tags->feasible);
    chain_fini(tags->ctx, &tags->infeasible);
    kn_free(tags->ctx, tags->first);
    kn_free(tags->ctx, tags);
}

/* --- questions --------------------------------------------------------------------------------------- */

typedef enum { BELOW, ABOVE } side;

/* Which nodes of a block are below (above) a node; false if none. */
static bool
match_block(const kn_tags *tags, const chain *c, const uint8_t *node, side where, size_t at,
            uint64_t found[BLOCK])
{
    uint64_t any = 0;

    memcpy(found, c->alive + at, BLOCK * sizeof *found);
    for (size_t i = 0; i < tags->n; i++) {
        const uint64_t *row;

        if (where == ABOVE && node[i] == 0)
            continue; /* everything is above level 0 */
        row = c->most + (tags->first[i] + node[i] - (where == ABOVE)) * c->words + at;
        any = 0;
        for (size_t w = 0; w < BLOCK; w++)
            any |= found[w] &= where == ABOVE ? ~row[w] : row[w];
        if (!any)
            return false;
    }
    for (size_t w = 0; w < BLOCK; w++)
        any |= found[w];
    return any != 0;
}

static bool
match_any(const kn_tags *tags, const chain *c, const uint8_t *node, side where)
{
    uint64_t found[BLOCK];

    for (size_t at = 0; at * WORD_BITS < c->used; at += BLOCK)
        if (match_block(tags, c, node, where, at, found))
            return true;
    return false;
}

kn_tag
kn_tags_ask(const kn_tags *tags, const uint8_t *node)
{
    if (match_any(tags, &tags->feasible, node, BELOW))
        return KN_TAG_FEASIBLE;
    if (match_any(tags, &tags->infeasible, node, ABOVE))
        return KN_TAG_INFEASIBLE;
    return KN_TAG_UNKNOWN;
}

/* --- telling ----------------------------------------------------------------------------------------- */

/* Forgets the nodes that a new one implies. */
static void
forget(const kn_tags *tags, chain *c, const uint8_t *node, side where)
{
    uint64_t found[BLOCK];

    for (size_t at = 0; at * WORD_BITS < c->used; at += BLOCK) {
        if (!match_block(tags, c, node, where, at, found))
            continue;
        for (size_t w = 0; w < BLOCK; w++) {
            c->alive[at + w] &= ~found[w];
            c->dead += (size_t) __builtin_popcountll(found[w]);
        }
    }
}

/* Twice the places; the rows are laid out anew. */
static kanon_status
widen(const kn_tags *tags, chain *c)
{
    size_t    words = c->words ? c->words * 2 : PLACES_FIRST / WORD_BITS;
    uint64_t *alive = KN_NEW_ARRAY(tags->ctx, uint64_t, words);
    uint64_t *most = kn_alloc_array(tags->ctx, words, tags->rows * sizeof *most);

    if (!alive || !most) {
        kn_free(tags->ctx, alive);
        kn_free(tags->ctx, most);
        return KANON_E_NOMEM;
    }
    if (c->words) {
        memcpy(alive, c->alive, c->words * sizeof *alive);
        for (size_t row = 0; row < tags->rows; row++)
            memcpy(most + row * words, c->most + row * c->words, c->words * sizeof *most);
    }
    chain_fini(tags->ctx, c);
    c->alive = alive;
    c->most = most;
    c->words = words;
    return KANON_OK;
}

/* A dead place, if at least an eighth of them are (so that the search for one is short), else a new one. */
static kanon_status
find_place(const kn_tags *tags, chain *c, size_t *place)
{
    if (c->dead * 8 > c->used) {
        while (c->alive[c->free_at / WORD_BITS] >> (c->free_at % WORD_BITS) & 1)
            c->free_at = c->free_at + 1 < c->used ? c->free_at + 1 : 0;
        *place = c->free_at;
        c->dead--;
        return KANON_OK;
    }
    if (c->used == c->words * WORD_BITS && widen(tags, c) < 0)
        return KANON_E_NOMEM;
    *place = c->used++;
    return KANON_OK;
}

kanon_status
kn_tags_tell(kn_tags *tags, const uint8_t *node, kn_tag tag)
{
    chain   *c = tag == KN_TAG_FEASIBLE ? &tags->feasible : &tags->infeasible;
    side     implies = tag == KN_TAG_FEASIBLE ? BELOW : ABOVE;
    size_t   place, word;
    uint64_t bit;

    assert(tag != KN_TAG_UNKNOWN);
    if (match_any(tags, c, node, implies))
        return KANON_OK; /* implied already */
    forget(tags, c, node, implies == BELOW ? ABOVE : BELOW);
    if (find_place(tags, c, &place) < 0)
        return KANON_E_NOMEM;
    word = place / WORD_BITS;
    bit = UINT64_C(1) << (place % WORD_BITS);
    c->alive[word] |= bit;
    for (size_t i = 0; i < tags->n; i++) {
        size_t end = i + 1 < tags->n ? tags->first[i + 1] : tags->rows;

        for (size_t row = tags->first[i]; row < end; row++) {
            uint64_t *bits = &c->most[row * c->words + word];

            *bits = row - tags->first[i] >= node[i] ? *bits | bit : *bits & ~bit;
        }
    }
    return KANON_OK;
}

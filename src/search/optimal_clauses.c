/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_clauses.c -- infeasible nodes as clauses, sliced into bits so that a box is held against
 * hundreds of them at a time. Cost: O(clauses * n / 64) word operations a question. */
#include "search/optimal.h"

kanon_status
kn_clauses_init(kn_clauses *c, kanon_ctx *ctx, const kn_opt_space *space, size_t room)
{
    c->ctx = ctx;
    c->space = space;
    c->room = room;
    c->words = room / KN_OPT_WORD;
    c->alive = KN_NEW_ARRAY(ctx, uint64_t, c->words);
    c->most = kn_alloc_array(ctx, c->words, (space->rows + 1) * sizeof *c->most);
    c->levels = kn_alloc_array(ctx, room, space->n + 1);
    c->axes = kn_alloc_array(ctx, room, space->n + 1);
    c->naxes = KN_NEW_ARRAY(ctx, uint8_t, room);
    c->price = KN_NEW_ARRAY(ctx, double, room);
    return c->alive && c->most && c->levels && c->axes && c->naxes && c->price ? KANON_OK
                                                                               : KANON_E_NOMEM;
}

void
kn_clauses_fini(kn_clauses *c)
{
    if (!c->ctx)
        return;
    kn_free(c->ctx, c->alive);
    kn_free(c->ctx, c->most);
    kn_free(c->ctx, c->levels);
    kn_free(c->ctx, c->axes);
    kn_free(c->ctx, c->naxes);
    kn_free(c->ctx, c->price);
}

void
kn_clauses_clear(kn_clauses *c)
{
    memset(c->alive, 0, c->words * sizeof *c->alive);
    c->used = 0;
}

/* Words in use, in whole blocks. */
static size_t
used_words(const kn_clauses *c)
{
    return (c->used + KN_OPT_OWN - 1) / KN_OPT_OWN * KN_OPT_BLOCK;
}

static const uint64_t *
row_of(const kn_clauses *c, size_t d, unsigned step)
{
    return c->most + (c->space->first[d] + step) * c->words;
}

static bool
any(const uint64_t *block)
{
    uint64_t all = 0;

    for (size_t w = 0; w < KN_OPT_BLOCK; w++)
        all |= block[w];
    return all != 0;
}

void
kn_clauses_open(const kn_clauses *c, const uint8_t *lo, uint64_t *open)
{
    size_t words = used_words(c);

    memcpy(open, c->alive, c->words * sizeof *open);
    for (size_t at = 0; at < words; at += KN_OPT_BLOCK)
        for (size_t d = 0; d < c->space->n && any(open + at); d++) {
            const uint64_t *row;

            if (lo[d] == 0)
                continue;
            row = row_of(c, d, lo[d] - 1u) + at;
            for (size_t w = 0; w < KN_OPT_BLOCK; w++)
                open[at + w] &= ~row[w];
        }
}

void
kn_clauses_satisfy(const kn_clauses *c, size_t d, unsigned step, uint64_t *open)
{
    const uint64_t *row = row_of(c, d, step - 1);
    size_t          words = used_words(c);

    assert(d < c->space->n && step <= c->space->top[d]);
    for (size_t w = 0; w < words; w++)
        open[w] &= ~row[w];
}

/* Which axis is the only one on which a clause can be satisfied? */
static size_t
only_way(const kn_clauses *c, size_t clause, const uint8_t *lo, const uint8_t *hi)
{
    const uint8_t *a = c->levels + clause * c->space->n;
    size_t         d = 0;

    while (lo[d] == hi[d] || a[d] >= hi[d])
        d++;
    return d;
}

int
kn_clauses_propagate(const kn_clauses *c, uint64_t *open, uint8_t *lo, const uint8_t *hi)
{
    size_t words = used_words(c);
    int    raised = 0;

    for (size_t at = 0; at < words; at += KN_OPT_BLOCK) {
        uint64_t one[KN_OPT_BLOCK] = { 0 }, two[KN_OPT_BLOCK] = { 0 };

        if (!any(open + at))
            continue;
        for (size_t d = 0; d < c->space->n; d++) {
            const uint64_t *row;

            if (lo[d] == hi[d])
                continue;
            row = row_of(c, d, hi[d] - 1u) + at;
            for (size_t w = 0; w < KN_OPT_BLOCK; w++) {
                uint64_t live = open[at + w] & row[w];

                two[w] |= one[w] & live;
                one[w] |= live;
            }
        }
        for (size_t w = 0; w < KN_OPT_BLOCK; w++) {
            if (open[at + w] & ~one[w])
                return -1;
            for (uint64_t units; (units = open[at + w] & ~two[w]) != 0;) {
                size_t clause = (at + w) * KN_OPT_WORD + (size_t) __builtin_ctzll(units);
                size_t d = only_way(c, clause, lo, hi);

                lo[d] = (uint8_t) (c->levels[clause * c->space->n + d] + 1);
                kn_clauses_satisfy(c, d, lo[d], open);
                raised++;
            }
        }
    }
    return raised;
}

static void
put(kn_clauses *c, size_t place, const uint8_t *a)
{
    const kn_opt_space *s = c->space;
    size_t              word = place / KN_OPT_WORD;
    uint64_t            bit = UINT64_C(1) << (place % KN_OPT_WORD);

    c->alive[word] |= bit;
    memcpy(c->levels + place * s->n, a, s->n);
    c->naxes[place] = 0;
    for (size_t d = 0; d < s->n; d++) {
        if (a[d] < s->top[d])
            c->axes[place * s->n + c->naxes[place]++] = (uint8_t) d;
        for (unsigned step = 0; step <= s->top[d]; step++) {
            uint64_t *bits = &c->most[(s->first[d] + step) * c->words + word];

            *bits = step >= a[d] ? *bits | bit : *bits & ~bit;
        }
    }
}

/* Is a below a clause's node, block by block; those below a are dropped on the way. */
static bool
implied(kn_clauses *c, const uint8_t *a)
{
    size_t words = used_words(c);

    for (size_t at = 0; at < words; at += KN_OPT_BLOCK) {
        uint64_t above[KN_OPT_BLOCK], below[KN_OPT_BLOCK];

        memcpy(above, c->alive + at, sizeof above);
        memcpy(below, c->alive + at, sizeof below);
        for (size_t d = 0; d < c->space->n && (any(above) || any(below)); d++) {
            const uint64_t *row = row_of(c, d, a[d]) + at;
            const uint64_t *under = a[d] ? row_of(c, d, a[d] - 1u) + at : NULL;

            for (size_t w = 0; w < KN_OPT_BLOCK; w++) {
                below[w] &= row[w];
                above[w] &= under ? ~under[w] : ~UINT64_C(0);
            }
        }
        if (any(above))
            return true;
        for (size_t w = 0; w < KN_OPT_BLOCK; w++)
            c->alive[at + w] &= ~below[w];
    }
    return false;
}

bool
kn_clauses_add(kn_clauses *c, const uint8_t *a)
{
    assert(c->used <= c->room);
    if (implied(c, a))
        return true;
    if (c->used == c->room)
        return false;
    c->price[c->used] = 0;
    put(c, c->used++, a);
    return true;
}

static const double LEAST_PRICE = 1e-6; /* what a clause is forgotten for, after some halvings */

/* Moves the clauses that stay to the front, in their order. */
void
kn_clauses_halve(kn_clauses *c)
{
    size_t n = c->space->n, kept = 0, from = c->used / 2;

    for (size_t i = 0; i < c->used; i++) {
        bool alive = c->alive[i / KN_OPT_WORD] >> (i % KN_OPT_WORD) & 1;

        if (!alive || (i < from && c->price[i] <= 0))
            continue;
        memmove(c->levels + kept * n, c->levels + i * n, n);
        c->price[kept] = c->price[i] / 4 > LEAST_PRICE ? c->price[i] / 4 : 0;
        kept++;
    }
    if (kept > c->room / 4 * 3)
        kept = c->room / 4 * 3;
    memset(c->alive, 0, c->words * sizeof *c->alive);
    for (size_t i = 0; i < kept; i++) {
        uint8_t a[KN_QUASI_MOST];

        memcpy(a, c->levels + i * n, n);
        put(c, i, a);
    }
    c->used = kept;
}

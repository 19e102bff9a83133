/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c -- two small sketches a column. Pairs of class and value are sampled by their hash (Gibbons
 * 2001): a pair is in the sample or not, whenever it comes, so the sample knows exactly which of its pairs
 * came once. Numbers: a reservoir for the quartiles, and the largest and smallest ones. Deterministic: the
 * same rows give the same answers. */
#include "transform/watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/sort.h"
#include "encode/value.h"

enum {
    SLOTS_LEAST =
        512, /* of a column, powers of two; half of them are used: with the most of them */
    SLOTS_MOST = 8192, /* shares are off by two or three percent of themselves, one time in three */
    SLOTS_ALL = 65536, /* of all columns together, as far as the least allows: a megabyte */
    RESERVOIR = 512,   /* numbers */
    TRIAL = 256,       /* cells after which a column is numbers or not */
    LEAST = 20         /* numbers below which nothing is far out */
};

typedef struct slot {
    uint64_t pair;  /* 0: free */
    uint64_t count; /* 1 or more than 1 */
} slot;

typedef struct column {
    size_t   position;
    slot    *slots;       /* [nslots of the watch] */
    unsigned used, depth; /* depth: low bits of a sampled pair's hash that are 0 */
    uint64_t cells, read; /* cells with something in them, and those that are numbers */
    double   sample[RESERVOIR];
    double   high[KN_WATCH_FAR], low[KN_WATCH_FAR]; /* from the most extreme one on */
    size_t   nfar;
} column;

struct kn_release_watch {
    kanon_ctx *ctx;
    uint64_t   rows;
    size_t     count, nslots;
    uint64_t   seed; /* of places in the tables, so that values cannot be chosen to share one */
    column    *columns;
    slot      *slots; /* of all columns, and as many as one has for moving */
};

kanon_status
kn_release_watch_new(kanon_ctx *ctx, const size_t *positions, size_t count, kn_release_watch **out)
{
    kn_release_watch *watch = KN_NEW(ctx, kn_release_watch);

    *out = NULL;
    if (!watch)
        return KANON_E_NOMEM;
    watch->ctx = ctx;
    watch->count = count < KN_WATCH_COLUMNS ? count : KN_WATCH_COLUMNS;
    watch->nslots = SLOTS_MOST;
    while (watch->nslots > SLOTS_LEAST && watch->nslots * watch->count > SLOTS_ALL)
        watch->nslots /= 2;
    watch->columns = KN_NEW_ARRAY(ctx, column, watch->count);
    watch->seed = kn_ctx_hash_seed(ctx);
    watch->slots = KN_NEW_ARRAY(ctx, slot, watch->nslots * (watch->count + 1));
    if (!watch->columns || !watch->slots) {
        kn_release_watch_free(watch);
        return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < watch->count; i++) {
        watch->columns[i].position = positions[i];
        watch->columns[i].slots = watch->slots + i * watch->nslots;
    }
    *out = watch;
    return KANON_OK;
}

void
kn_release_watch_free(kn_release_watch *watch)
{
    if (!watch)
        return;
    kn_free(watch->ctx, watch->columns);
    kn_free(watch->ctx, watch->slots);
    kn_free(watch->ctx, watch);
}

/* --- who is alone with a value -------------------------------------------------------------------- */

static slot *
find(const kn_release_watch *watch, const column *c, uint64_t pair)
{
    size_t at = (size_t) (kn_hash_word(pair ^ watch->seed) % watch->nslots);

    while (c->slots[at].pair && c->slots[at].pair != pair)
        at = (at + 1) % watch->nslots;
    return &c->slots[at];
}

/* Half of the pairs leave the sample. */
static void
thin_out(const kn_release_watch *watch, column *c)
{
    slot  *old = watch->slots + watch->count * watch->nslots;
    size_t bytes = watch->nslots * sizeof *old;

    memcpy(old, c->slots, bytes);
    memset(c->slots, 0, bytes);
    c->depth++;
    c->used = 0;
    for (size_t i = 0; i < watch->nslots; i++)
        if (old[i].pair && !(old[i].pair & ((UINT64_C(1) << c->depth) - 1))) {
            *find(watch, c, old[i].pair) = old[i];
            c->used++;
        }
}

static void
add_pair(const kn_release_watch *watch, column *c, uint64_t pair, uint64_t weight)
{
    slot *s;

    if ((pair & ((UINT64_C(1) << c->depth) - 1)) || !pair)
        return;
    s = find(watch, c, pair);
    c->used += !s->pair;
    s->pair = pair;
    s->count += weight;
    while (c->used > watch->nslots / 2)
        thin_out(watch, c);
}

static double
alone(const kn_release_watch *watch, const column *c)
{
    double once = 0;

    for (size_t i = 0; i < watch->nslots; i++)
        once += c->slots[i].pair && c->slots[i].count == 1;
    return ldexp(once, (int) c->depth);
}

/* --- numbers -------------------------------------------------------------------------------------- */

/* Keeps the most extreme ones, sorted; sign 1: the largest. */
static void
keep_extreme(double *list, size_t have, double x, double sign)
{
    size_t at = have < KN_WATCH_FAR ? have : KN_WATCH_FAR;

    if (at == KN_WATCH_FAR && sign * x <= sign * list[at - 1])
        return;
    at -= at == KN_WATCH_FAR;
    for (; at > 0 && sign * x > sign * list[at - 1]; at--)
        list[at] = list[at - 1];
    list[at] = x;
}

static bool
looks_numeric(const column *c)
{
    return c->cells < TRIAL || c->read >= c->cells - c->cells / 20;
}

static void
add_number(column *c, kn_str cell)
{
    kn_decimal value;
    double     x;
    uint64_t   place;

    if (!cell.len || !looks_numeric(c))
        return;
    c->cells++;
    if (!kn_decimal_parse(cell, &value))
        return;
    x = kn_decimal_double(value);
    place = c->read < RESERVOIR ? c->read : kn_hash_word(c->read) % (c->read + 1);
    if (place < RESERVOIR)
        c->sample[place] = x;
    keep_extreme(c->high, c->nfar, x, 1);
    keep_extreme(c->low, c->nfar, x, -1);
    c->nfar += c->nfar < KN_WATCH_FAR;
    c->read++;
}

bool
kn_release_watch_fences(const double *sorted, size_t count, double *low, double *high)
{
    const double reach = 10;
    double       from, to;

    if (count < LEAST)
        return false;
    from = sorted[count / 4];
    to = sorted[count - 1 - count / 4];
    if (!(from < to)) {
        from = sorted[count / 20];
        to = sorted[count - 1 - count / 20];
    }
    if (!(from < to))
        return false;
    *low = from - reach * (to - from);
    *high = to + reach * (to - from);
    return true;
}

static void
find_far(const column *c, kn_watched *out)
{
    double sorted[RESERVOIR], low, high;
    size_t count = c->read < RESERVOIR ? (size_t) c->read : RESERVOIR;

    memcpy(sorted, c->sample, count * sizeof *sorted);
    kn_sort_double(sorted, count);
    if (!kn_release_watch_fences(sorted, count, &low, &high))
        return;
    for (size_t i = 0; i < c->nfar; i++) {
        out->far_high += c->high[i] > high;
        out->far_low += c->low[i] < low;
    }
}

/* --- rows and answers ----------------------------------------------------------------------------- */

void
kn_release_watch_row(kn_release_watch *watch, const kn_str *quasi, size_t nquasi,
                     const kn_str *cells, uint64_t weight)
{
    uint64_t class = nquasi;

    watch->rows += weight;
    for (size_t i = 0; i < nquasi; i++)
        class = kn_hash_word(class ^ kn_hash_bytes(quasi[i].ptr, quasi[i].len));
    for (size_t i = 0; i < watch->count; i++) {
        column *c = &watch->columns[i];
        kn_str  cell = cells[c->position];

        add_pair(watch, c, kn_hash_word(class ^ kn_hash_bytes(cell.ptr, cell.len)), weight);
        add_number(c, cell);
    }
}

size_t
kn_release_watch_count(const kn_release_watch *watch)
{
    return watch ? watch->count : 0;
}

kn_watched
kn_release_watch_at(const kn_release_watch *watch, size_t index)
{
    const column *c = &watch->columns[index];
    kn_watched    seen = { .position = c->position,
                           .rows = watch->rows,
                           .alone = alone(watch, c),
                           .exact = c->depth == 0,
                           .numbers = c->read > 0 && looks_numeric(c) };

    if (seen.alone > (double) watch->rows)
        seen.alone = (double) watch->rows;
    if (seen.numbers)
        find_far(c, &seen);
    return seen;
}

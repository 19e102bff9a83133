/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c -- a small sketch a column: a reservoir of numbers for the quartiles, and the largest and smallest
 * ones. Deterministic: the same rows give the same answers. */
#include "transform/watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/sort.h"
#include "encode/value.h"

enum {
    RESERVOIR = 512, /* numbers */
    TRIAL = 256,     /* cells after which a column is numbers or not */
    LEAST = 20       /* numbers below which nothing is far out */
};

typedef struct column {
    size_t   position;
    uint64_t cells, read; /* cells with something in them, and those that are numbers */
    double   sample[RESERVOIR];
    double   high[KN_WATCH_FAR], low[KN_WATCH_FAR]; /* from the most extreme one on */
    size_t   nfar;
} column;

struct kn_release_watch {
    kanon_ctx *ctx;
    size_t     count;
    column    *columns;
};

kanon_status
kn_release_watch_new(kanon_ctx *ctx, const size_t *positions, size_t count, kn_release_watch **out)
{
    kn_release_watch *watch = KN_NEW(ctx, kn_release_watch);

    *out = NULL;
    if (!watch)
        return KANON_E_NOMEM;
    *watch = (kn_release_watch){ .ctx = ctx,
                                 .count = count < KN_WATCH_COLUMNS ? count : KN_WATCH_COLUMNS };
    watch->columns = KN_NEW_ARRAY(ctx, column, watch->count);
    if (!watch->columns) {
        kn_release_watch_free(watch);
        return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < watch->count; i++)
        watch->columns[i].position = positions[i];
    *out = watch;
    return KANON_OK;
}

void
kn_release_watch_free(kn_release_watch *watch)
{
    if (!watch)
        return;
    kn_free(watch->ctx, watch->columns);
    kn_free(watch->ctx, watch);
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

    assert(count > 0);
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
kn_release_watch_row(kn_release_watch *watch, const kn_str *cells)
{
    for (size_t i = 0; i < watch->count; i++)
        add_number(&watch->columns[i], cells[watch->columns[i].position]);
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
    kn_watched    seen = { .position = c->position, .numbers = c->read > 0 && looks_numeric(c) };

    assert(index < watch->count);
    if (seen.numbers)
        find_far(c, &seen);
    return seen;
}

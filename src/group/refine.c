/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c -- splitting classes by one column.
 * A class is counted by the column's group numbers in an array of its own, with the list of the groups that
 * occur; then its tuples are dealt out to those groups that are large enough, in the order in which they
 * came. Cost: O(tuples of the partition) a step, most often less, since an infeasible node shows early. */
#include "group/refine.h"

typedef struct cell {
    uint64_t rows;
    uint32_t tuples; /* then: where the next one goes */
    uint32_t unused;
} cell;

struct kn_refiner {
    kanon_ctx       *ctx;
    const kn_engine *engine;
    uint64_t         k, allowed;
    cell            *cells;   /* [most groups of a quasi-identifier], all zero between classes */
    uint32_t        *touched; /* the numbers of those in use, and room for one more */
    kn_stripped     *spare[2];
};

kanon_status
kn_stripped_new(const kn_engine *engine, kn_stripped **out)
{
    const kn_slab *slab = kn_engine_slab(engine);
    kn_stripped   *p = KN_NEW(slab->ctx, kn_stripped);

    *out = NULL;
    if (!p)
        return KANON_E_NOMEM;
    p->ctx = slab->ctx;
    p->members = kn_realloc_array(p->ctx, NULL, slab->ntuples + 1, sizeof *p->members);
    p->starts = kn_realloc_array(p->ctx, NULL, slab->ntuples + 2, sizeof *p->starts);
    if (!p->members || !p->starts) {
        kn_stripped_free(p);
        return KANON_E_NOMEM;
    }
    p->starts[0] = 0;
    *out = p;
    return KANON_OK;
}

void
kn_stripped_free(kn_stripped *p)
{
    if (!p)
        return;
    kn_free(p->ctx, p->members);
    kn_free(p->ctx, p->starts);
    kn_free(p->ctx, p);
}

void
kn_stripped_copy(kn_stripped *to, const kn_stripped *from)
{
    memcpy(to->members, from->members, from->nmembers * sizeof *to->members);
    memcpy(to->starts, from->starts, (from->nclasses + 1) * sizeof *to->starts);
    to->nmembers = from->nmembers;
    to->nclasses = from->nclasses;
    to->outlying = from->outlying;
}

kanon_status
kn_refiner_new(const kn_engine *engine, uint64_t k, uint64_t allowed, kn_refiner **out)
{
    kanon_status   rc = KANON_OK;
    const kn_slab *slab = kn_engine_slab(engine);
    kn_refiner    *r = KN_NEW(slab->ctx, kn_refiner);
    size_t         most = 1;

    *out = NULL;
    if (!r)
        return KANON_E_NOMEM;
    r->ctx = slab->ctx;
    r->engine = engine;
    r->k = k;
    r->allowed = allowed;
    for (size_t i = 0; i < slab->nquasi; i++)
        most = slab->strips[i][0].groups > most ? slab->strips[i][0].groups : most;
    r->cells = KN_NEW_ARRAY(r->ctx, cell, most);
    r->touched = KN_NEW_ARRAY(r->ctx, uint32_t, most + 1);
    KN_TRY(KN_HAVE(r->cells && r->touched));
    KN_TRY(kn_stripped_new(engine, &r->spare[0]));
    KN_TRY(kn_stripped_new(engine, &r->spare[1]));
    *out = r;
    r = NULL;
out:
    kn_refiner_free(r);
    return rc;
}

void
kn_refiner_free(kn_refiner *r)
{
    if (!r)
        return;
    kn_free(r->ctx, r->cells);
    kn_free(r->ctx, r->touched);
    kn_stripped_free(r->spare[0]);
    kn_stripped_free(r->spare[1]);
    kn_free(r->ctx, r);
}

/* Counts the tuples of a class by group. @return how many groups occur */
#define COUNT_MEMBERS(name, group_of, weight)                                                      \
    static size_t name(kn_refiner *r, const kn_strip *strip, const uint32_t *members, size_t n)    \
    {                                                                                              \
        const void *weights = kn_engine_slab(r->engine)->weights.data;                             \
        size_t      touched = 0;                                                                   \
        KN_UNUSED(weights);                                                                        \
        for (size_t i = 0; i < n; i++) {                                                           \
            uint32_t g = group_of(strip, members[i]);                                              \
            r->touched[touched] = g;                                                               \
            touched += r->cells[g].tuples == 0;                                                    \
            r->cells[g].tuples++;                                                                  \
            r->cells[g].rows += weight(members[i]);                                                \
        }                                                                                          \
        return touched;                                                                            \
    }
#define GROUP_8(strip, t) ((const uint8_t *) (strip)->codes.data)[t]
#define GROUP_16(strip, t) ((const uint16_t *) (strip)->codes.data)[t]
#define WEIGHT_ONE(t) 1u
#define WEIGHT_8(t) ((const uint8_t *) weights)[t]
#define WEIGHT_16(t) ((const uint16_t *) weights)[t]
#define WEIGHT_32(t) ((const uint32_t *) weights)[t]
#define COUNT_WITH(weight)                                                                         \
    COUNT_MEMBERS(count_8_##weight, GROUP_8, WEIGHT_##weight)                                      \
    COUNT_MEMBERS(count_16_##weight, GROUP_16, WEIGHT_##weight)                                    \
    COUNT_MEMBERS(count_any_##weight, kn_strip_at, WEIGHT_##weight)
COUNT_WITH(ONE)
COUNT_WITH(8)
COUNT_WITH(16)
COUNT_WITH(32)

static size_t
count_members(kn_refiner *r, const kn_strip *strip, const uint32_t *members, size_t n)
{
    /* [bytes of a weight, 0: all are 1][bytes of a group, 0: any] */
    static size_t (*const count[5][3])(kn_refiner *, const kn_strip *, const uint32_t *, size_t) = {
        [0] = { count_any_ONE, count_8_ONE, count_16_ONE },
        [1] = { count_any_8, count_8_8, count_16_8 },
        [2] = { count_any_16, count_8_16, count_16_16 },
        [4] = { count_any_32, count_8_32, count_16_32 }
    };
    const kn_codes *weights = &kn_engine_slab(r->engine)->weights;
    unsigned        group = strip->map || strip->codes.bytes == 4 ? 0 : strip->codes.bytes;

    assert(weights->bytes <= 4 && weights->bytes != 3 && group <= 2);
    return count[weights->data ? weights->bytes : 0][group](r, strip, members, n);
}

/* Rows of the groups that are too small. Clears what was counted where nobody looks at it again. */
static uint64_t
judge(kn_refiner *r, size_t touched, bool clear)
{
    uint64_t outlying = 0;

    for (size_t i = 0; i < touched; i++) {
        cell *c = &r->cells[r->touched[i]];

        outlying += c->rows < r->k ? c->rows : 0;
        if (clear)
            *c = (cell){ 0, 0, 0 };
    }
    return outlying;
}

/* Gives every group that stays its place behind the classes that are there already. */
static void
place_groups(kn_refiner *r, size_t touched, kn_stripped *to)
{
    for (size_t i = 0; i < touched; i++) {
        cell *c = &r->cells[r->touched[i]];

        if (c->rows < r->k || c->tuples == 1) {
            c->tuples = UINT32_MAX;
            continue;
        }
        to->nmembers += c->tuples;
        c->tuples = to->starts[to->nclasses++];
        to->starts[to->nclasses] = (uint32_t) to->nmembers;
    }
}

static void
deal_out(kn_refiner *r, const kn_strip *strip, const uint32_t *members, size_t n, kn_stripped *to)
{
    for (size_t i = 0; i < n; i++) {
        cell *c = &r->cells[kn_strip_at(strip, members[i])];

        if (c->tuples != UINT32_MAX)
            to->members[c->tuples++] = members[i];
    }
}

static void
keep_class(const uint32_t *members, size_t n, kn_stripped *to)
{
    memcpy(to->members + to->nmembers, members, n * sizeof *members);
    to->nmembers += n;
    to->starts[++to->nclasses] = (uint32_t) to->nmembers;
}

bool
kn_refine(kn_refiner *r, const kn_stripped *from, size_t quasi, unsigned level, kn_stripped *to)
{
    const kn_strip *strip = kn_slab_strip(kn_engine_slab(r->engine), quasi, level);

    assert(from != to);
    to->nmembers = to->nclasses = 0;
    to->starts[0] = 0;
    to->outlying = from->outlying;
    for (size_t c = 0; c < from->nclasses; c++) {
        const uint32_t *members = from->members + from->starts[c];
        size_t          n = from->starts[c + 1] - from->starts[c];
        size_t          touched = count_members(r, strip, members, n);

        to->outlying += judge(r, touched, false);
        if (to->outlying <= r->allowed) {
            if (touched == 1) {
                keep_class(members, n, to);
            } else {
                place_groups(r, touched, to);
                deal_out(r, strip, members, n, to);
            }
        }
        for (size_t i = 0; i < touched; i++)
            r->cells[r->touched[i]] = (cell){ 0, 0, 0 };
        if (to->outlying > r->allowed)
            return false;
    }
    return true;
}

bool
kn_refine_asks(kn_refiner *r, const kn_stripped *from, size_t quasi, unsigned level,
               uint64_t *outlying)
{
    const kn_strip *strip = kn_slab_strip(kn_engine_slab(r->engine), quasi, level);
    uint64_t        sum = from->outlying;

    for (size_t c = 0; c < from->nclasses && sum <= r->allowed; c++)
        sum += judge(r,
                     count_members(r, strip, from->members + from->starts[c],
                                   from->starts[c + 1] - from->starts[c]),
                     true);
    *outlying = sum;
    return sum <= r->allowed;
}

/* One class with everything in it. */
static bool
whole_table(const kn_refiner *r, kn_stripped *to)
{
    const kn_slab *slab = kn_engine_slab(r->engine);

    to->nmembers = to->nclasses = 0;
    to->starts[0] = 0;
    to->outlying = slab->rows < r->k ? slab->rows : 0;
    if (to->outlying || slab->ntuples <= 1)
        return to->outlying <= r->allowed;
    for (size_t t = 0; t < slab->ntuples; t++)
        to->members[t] = (uint32_t) t;
    to->nmembers = to->starts[1] = (uint32_t) slab->ntuples;
    to->nclasses = 1;
    return true;
}

bool
kn_stripped_at(kn_refiner *r, const uint8_t *levels, kn_stripped *to)
{
    const kn_slab *slab = kn_engine_slab(r->engine);
    kn_stripped   *now = r->spare[0], *next = r->spare[1], *keep;

    if (!whole_table(r, now))
        return false;
    for (size_t o = 0; o < slab->nquasi; o++) {
        size_t quasi = slab->order[o];

        if (kn_slab_strip(slab, quasi, levels[quasi])->groups <= 1)
            continue;
        if (!kn_refine(r, now, quasi, levels[quasi], next))
            return false;
        keep = now;
        now = next;
        next = keep;
    }
    kn_stripped_copy(to, now);
    return true;
}

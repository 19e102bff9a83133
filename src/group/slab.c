/* SPDX-License-Identifier: Apache-2.0 */
/* slab.c -- sorting, collapsing and laying out tuples.
 * Tuples are put into runs of the lead column by a counting sort; within a run they are radix-sorted by
 * their other columns where equal ones have to be found. Equal neighbours become one tuple. Then each
 * column is written once for the floor, and for each higher level that the budget pays. A slab made from the
 * classes of another one needs no sorting: they come in its order.
 * Cost: O(tuples * columns), once; scratch: 5 bytes per tuple and 4 per group of the lead while the floor's
 * columns are written, before that 24 bytes per tuple of the longest run, then 4 per tuple. All of it is
 * freed before the coarser columns come. */
#include "group/slab.h"

enum { WORDS_MOST = 255, SMALL_RUN = 24 };

typedef struct builder {
    kanon_ctx            *ctx;
    const kn_slab_source *source;
    kn_slab              *slab;
    uint32_t             *order; /* [source tuples] */
    uint8_t  *fresh;   /* [source tuples], by place in order: not equal to the one before */
    uint32_t *starts;  /* [lead groups + 1] into order */
    uint32_t *weights; /* [kept tuples] */
    /* words of a sort key: columns order[from..to) each */
    size_t    word_from[WORDS_MOST], word_to[WORDS_MOST], nwords;
    uint64_t  word_space[WORDS_MOST];
    uint64_t *keys[2];
    uint32_t *places[2];
} builder;

/* --- which column leads ------------------------------------------------------------------------------ */

/* Groups just below the top: many of them make many runs at most nodes. */
static uint32_t
runs_of(const kn_slab_source *s, size_t quasi)
{
    const kn_coarse *c = &s->coarse[quasi];
    size_t           top = c->axis->nlevels - 1;

    while (top > s->floor[quasi] && c->ngroups[top] <= 1)
        top--;
    return c->ngroups[top];
}

static void
order_columns(const kn_slab_source *s, size_t *order)
{
    for (size_t i = 0; i < s->nquasi; i++) {
        size_t at = i;

        while (at > 0 && runs_of(s, order[at - 1]) < runs_of(s, i)) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

/* --- sorting ------------------------------------------------------------------------------------------- */

static void
make_words(builder *b)
{
    const kn_slab_source *s = b->source;

    for (size_t o = s->nquasi; o-- > 1;) {
        uint64_t groups = s->columns[b->slab->order[o]].groups;
        size_t   w = b->nwords - 1;

        if (b->nwords == 0 || b->word_space[w] > (UINT64_C(1) << 63) / (groups ? groups : 1)) {
            w = b->nwords++;
            b->word_space[w] = 1;
            b->word_to[w] = o + 1;
        }
        b->word_space[w] *= groups ? groups : 1;
        b->word_from[w] = o;
    }
}

static void
fill_word(const builder *b, size_t word, const uint32_t *places, size_t n, uint64_t *keys)
{
    for (size_t i = 0; i < n; i++)
        keys[i] = 0;
    for (size_t o = b->word_from[word]; o < b->word_to[word]; o++) {
        const kn_strip *strip = &b->source->columns[b->slab->order[o]];

        for (size_t i = 0; i < n; i++)
            keys[i] = keys[i] * strip->groups + kn_strip_at(strip, places[i]);
    }
}

static void
sort_small(uint64_t *keys, uint32_t *places, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        uint32_t place = places[i];
        size_t   at = i;

        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            places[at] = places[at - 1];
        }
        keys[at] = key;
        places[at] = place;
    }
}

/* Stable, by bytes, the least significant first; bytes that are all equal are passed over. */
static void
sort_word(builder *b, size_t n, uint64_t space)
{
    for (unsigned shift = 0; shift < 64 && (space - 1) >> shift; shift += 8) {
        size_t    starts[257] = { 0 };
        uint64_t *keys = b->keys[0], *to = b->keys[1];
        uint32_t *places = b->places[0], *places_to = b->places[1];

        for (size_t i = 0; i < n; i++)
            starts[(keys[i] >> shift & 255) + 1]++;
        if (starts[(keys[0] >> shift & 255) + 1] == n)
            continue;
        for (size_t d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (size_t i = 0; i < n; i++) {
            size_t at = starts[keys[i] >> shift & 255]++;

            to[at] = keys[i];
            places_to[at] = places[i];
        }
        b->keys[0] = to;
        b->keys[1] = keys;
        b->places[0] = places_to;
        b->places[1] = places;
    }
}

static bool
same_tuple(const kn_slab_source *s, size_t one, size_t other)
{
    for (size_t i = 0; i < s->nquasi; i++)
        if (kn_strip_at(&s->columns[i], one) != kn_strip_at(&s->columns[i], other))
            return false;
    return true;
}

static void
sort_run(builder *b, size_t from, size_t to)
{
    size_t n = to - from;

    memcpy(b->places[0], b->order + from, n * sizeof *b->order);
    for (size_t w = 0; w < b->nwords; w++) {
        fill_word(b, w, b->places[0], n, b->keys[0]);
        if (n <= SMALL_RUN)
            sort_small(b->keys[0], b->places[0], n);
        else
            sort_word(b, n, b->word_space[w]);
    }
    memcpy(b->order + from, b->places[0], n * sizeof *b->order);
    for (size_t i = 0; i < n; i++)
        b->fresh[from + i] = i == 0
                          || (b->nwords == 1
                                  ? b->keys[0][i] != b->keys[0][i - 1]
                                  : !same_tuple(b->source, b->places[0][i], b->places[0][i - 1]));
}

static kanon_status
sort_runs(builder *b, uint32_t lead_groups)
{
    size_t longest = 1;

    for (size_t g = 0; g < lead_groups; g++)
        if (b->starts[g + 1] - b->starts[g] > longest)
            longest = b->starts[g + 1] - b->starts[g];
    for (size_t i = 0; i < 2; i++) {
        b->keys[i] = kn_realloc_array(b->ctx, NULL, longest, sizeof *b->keys[i]);
        b->places[i] = kn_realloc_array(b->ctx, NULL, longest, sizeof *b->places[i]);
        if (!b->keys[i] || !b->places[i])
            return KANON_E_NOMEM;
    }
    make_words(b);
    for (size_t g = 0; g < lead_groups; g++)
        if (b->starts[g + 1] > b->starts[g])
            sort_run(b, b->starts[g], b->starts[g + 1]);
    return KANON_OK;
}

/* Counting sort by the lead column, then each run by the others. */
static kanon_status
sort_tuples(builder *b)
{
    const kn_slab_source *s = b->source;
    const kn_strip       *lead = &s->columns[b->slab->order[0]];
    size_t                n = s->ntuples;

    b->order = kn_realloc_array(b->ctx, NULL, n + 1, sizeof *b->order);
    b->fresh = kn_realloc_array(b->ctx, NULL, n + 1, sizeof *b->fresh);
    b->starts = KN_NEW_ARRAY(b->ctx, uint32_t, (size_t) lead->groups + 2);
    if (!b->order || !b->fresh || !b->starts)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < n; t++)
        b->starts[kn_strip_at(lead, t) + 2]++;
    for (size_t g = 0; g < lead->groups; g++)
        b->starts[g + 2] += b->starts[g + 1];
    for (size_t t = 0; t < n; t++)
        b->order[b->starts[kn_strip_at(lead, t) + 1]++] = (uint32_t) t;
    memset(b->fresh, 1, n + 1);
    return s->distinct ? KANON_OK : sort_runs(b, lead->groups);
}

/* Equal tuples become the first of them, as far as their weights fit; order then holds the kept ones. */
static kanon_status
collapse(builder *b)
{
    const kn_slab_source *s = b->source;
    kn_slab              *slab = b->slab;
    size_t                kept = 0;

    b->weights = kn_realloc_array(b->ctx, NULL, s->ntuples + 1, sizeof *b->weights);
    if (!b->weights)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < s->ntuples; i++) {
        uint32_t weight = s->weights[b->order[i]];

        if (!b->fresh[i] && b->weights[kept - 1] <= UINT32_MAX - weight) {
            b->weights[kept - 1] += weight;
            continue;
        }
        b->fresh[i] = 1; /* also where the sum would not fit */
        b->weights[kept] = weight;
        kept++;
    }
    slab->ntuples = kept;
    return KANON_OK;
}

/* --- laying out ---------------------------------------------------------------------------------------- */

static void *
take(kn_slab *slab, size_t count, size_t size)
{
    void *block = kn_realloc_array(slab->ctx, NULL, count ? count : 1, size);

    if (block)
        slab->bytes += count * size;
    return block;
}

static void
drop_map(kn_slab *slab, kn_strip *strip)
{
    kn_free(slab->ctx, (void *) (uintptr_t) strip->map);
    kn_free(slab->ctx, (void *) (uintptr_t) strip->table);
    strip->map = NULL;
    strip->table = NULL;
    strip->mapper = false;
}

static inline void
put(kn_codes *codes, size_t at, uint32_t value)
{
    if (codes->bytes == 1)
        ((uint8_t *) codes->data)[at] = (uint8_t) value;
    else if (codes->bytes == 2)
        ((uint16_t *) codes->data)[at] = (uint16_t) value;
    else
        ((uint32_t *) codes->data)[at] = value;
}

/* Most tuples stand for a few rows, so that a byte is enough. */
static kanon_status
lay_weights(kn_slab *slab, const uint32_t *weights)
{
    uint32_t most = 0, least = UINT32_MAX;

    for (size_t t = 0; t < slab->ntuples; t++) {
        most = weights[t] > most ? weights[t] : most;
        least = weights[t] < least ? weights[t] : least;
    }
    slab->weights.bytes = kn_bytes_for((uint64_t) most + 1);
    if (least == 1 && most == 1)
        return KANON_OK;
    slab->weights.data = take(slab, slab->ntuples, slab->weights.bytes);
    if (!slab->weights.data)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < slab->ntuples; t++)
        put(&slab->weights, t, weights[t]);
    return KANON_OK;
}

/* The column at the floor. */
static kanon_status
lay_floor(builder *b, size_t quasi)
{
    const kn_strip *from = &b->source->columns[quasi];
    kn_strip       *to = &b->slab->strips[quasi][0];
    size_t          at = 0;

    to->groups = to->ncodes = from->groups;
    to->owner = true;
    to->codes.bytes = kn_bytes_for(from->groups);
    to->codes.data = take(b->slab, b->slab->ntuples, to->codes.bytes);
    if (!to->codes.data)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < b->source->ntuples; i++)
        if (b->fresh[i])
            put(&to->codes, at++, kn_strip_at(from, b->order[i]));
    return KANON_OK;
}

/* Which coarser columns are written, within a budget: first those that would else be read from wider
 * codes, then the others; from bytes to bytes is a look-up that costs little. */
static void
choose_levels(const kn_slab *slab, const kn_coarse *coarse, size_t n, size_t budget, uint8_t **keep)
{
    for (int wide = 1; wide >= 0; wide--)
        for (size_t i = 0; i < slab->nquasi; i++)
            for (size_t step = 1; step < slab->nstrips[i]; step++) {
                uint32_t groups = coarse[i].ngroups[slab->floor[i] + step];
                uint32_t below = coarse[i].ngroups[slab->floor[i] + step - 1];
                size_t   bytes = n * kn_bytes_for(groups);

                if (groups == below || groups <= 1 || (kn_bytes_for(below) > 1) != (wide == 1)
                    || bytes > budget)
                    continue;
                keep[i][step] = 1;
                budget -= bytes;
            }
}

/* A column that is seen through the one of a lower level. */
static kanon_status
map_level(kn_slab *slab, const kn_coarse *coarse, const kn_strip *kept, size_t from, size_t level,
          kn_strip *to)
{
    uint32_t *map = take(slab, coarse->ngroups[from] + 1, sizeof *map);
    uint8_t  *table = kept->codes.bytes == 1 ? take(slab, 256, 1) : NULL;

    *to = (kn_strip){ .codes = kept->codes,
                      .map = map,
                      .table = table,
                      .groups = coarse->ngroups[level],
                      .ncodes = kept->ncodes,
                      .mapper = true };
    if (!map || (kept->codes.bytes == 1 && !table))
        return KANON_E_NOMEM;
    kn_coarse_map(coarse, from, level, map);
    for (size_t g = 0; table && g < 256; g++)
        table[g] = g < coarse->ngroups[from] ? (uint8_t) map[g] : 0;
    return KANON_OK;
}

static void
write_mapped(const kn_strip *from, const uint32_t *map, size_t n, kn_codes *to)
{
    if (from->codes.bytes == 1 && to->bytes == 1)
        for (size_t t = 0; t < n; t++)
            ((uint8_t *) to->data)[t] = (uint8_t) map[((const uint8_t *) from->codes.data)[t]];
    else
        for (size_t t = 0; t < n; t++)
            put(to, t, map[kn_codes_at(&from->codes, t)]);
}

/* The coarser columns of a quasi-identifier: shared where nothing merges, else written or mapped. */
static kanon_status
lay_levels(kn_slab *slab, const kn_coarse *coarse, size_t quasi, const uint8_t *keep)
{
    kn_strip *strips = slab->strips[quasi];
    size_t    floor = slab->floor[quasi], kept = 0;

    for (size_t step = 1; step < slab->nstrips[quasi]; step++) {
        kn_strip *to = &strips[step];

        if (coarse->ngroups[floor + step] == strips[step - 1].groups) {
            *to = strips[step - 1];
            to->owner = to->mapper = false;
            continue;
        }
        if (map_level(slab, coarse, &strips[kept], floor + kept, floor + step, to) < 0)
            return KANON_E_NOMEM;
        if (!keep[step])
            continue;
        to->codes.bytes = kn_bytes_for(to->groups);
        to->codes.data = take(slab, slab->ntuples, to->codes.bytes);
        to->owner = true;
        if (!to->codes.data)
            return KANON_E_NOMEM;
        write_mapped(&strips[kept], to->map, slab->ntuples, &to->codes);
        drop_map(slab, to);
        to->ncodes = to->groups;
        kept = step;
    }
    return KANON_OK;
}

static kanon_status
lay_coarser(kn_slab *slab, const kn_coarse *coarse, size_t budget)
{
    kanon_status rc = KANON_OK;
    uint8_t    **keep = kn_alloc_array(slab->ctx, slab->nquasi, sizeof *keep);

    if (!keep)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < slab->nquasi; i++)
        if (!(keep[i] = KN_NEW_ARRAY(slab->ctx, uint8_t, slab->nstrips[i]))) {
            rc = KANON_E_NOMEM;
            goto out;
        }
    choose_levels(slab, coarse, slab->ntuples, budget, keep);
    for (size_t i = 0; i < slab->nquasi; i++)
        KN_TRY(lay_levels(slab, &coarse[i], i, keep[i]));
out:
    for (size_t i = 0; i < slab->nquasi; i++)
        kn_free(slab->ctx, keep[i]);
    kn_free(slab->ctx, keep);
    return rc;
}

/* The columns at the floor. */
static kanon_status
lay_columns(builder *b)
{
    kanon_status          rc = KANON_OK;
    const kn_slab_source *s = b->source;
    kn_slab              *slab = b->slab;

    for (size_t i = 0; i < s->nquasi; i++) {
        slab->nstrips[i] = (uint32_t) (s->coarse[i].axis->nlevels - s->floor[i]);
        slab->strips[i] = KN_NEW_ARRAY(b->ctx, kn_strip, slab->nstrips[i]);
        if (!slab->strips[i])
            return KANON_E_NOMEM;
        KN_TRY(lay_floor(b, i));
    }
out:
    return rc;
}

/* Where the runs of the lead column begin, at each of its levels. */
static kanon_status
lay_starts(kn_slab *slab)
{
    size_t lead = slab->order[0];

    slab->starts = kn_alloc_array(slab->ctx, slab->nstrips[lead], sizeof *slab->starts);
    if (!slab->starts)
        return KANON_E_NOMEM;
    for (size_t step = 0; step < slab->nstrips[lead]; step++) {
        const kn_strip *strip = &slab->strips[lead][step];
        uint32_t       *starts;

        if (step && strip->groups == slab->strips[lead][step - 1].groups) {
            slab->starts[step] = slab->starts[step - 1];
            continue;
        }
        starts = take(slab, (size_t) strip->groups + 1, sizeof *starts);
        slab->starts[step] = starts;
        if (!starts)
            return KANON_E_NOMEM;
        memset(starts, 0, ((size_t) strip->groups + 1) * sizeof *starts);
        if (strip->groups <= 1) {
            starts[strip->groups] = (uint32_t) slab->ntuples;
            continue;
        }
        for (size_t t = 0; t < slab->ntuples; t++)
            starts[kn_strip_at(strip, t) + 1] = (uint32_t) t + 1;
        for (size_t g = 0; g < strip->groups; g++) /* a group that no tuple has is an empty run */
            if (starts[g + 1] < starts[g])
                starts[g + 1] = starts[g];
    }
    return KANON_OK;
}

static kanon_status
lay_labels(builder *b)
{
    const kn_labels *from = &b->source->labels;
    kn_slab         *slab = b->slab;
    size_t    n = b->source->ntuples, entries = from->first ? from->first[n] : n, at = 0, tuple = 0;
    uint32_t *first, *weights, *owner;

    if (!from->codes.data)
        return KANON_OK;
    slab->labels.domain = from->domain;
    slab->labels.weights.bytes = sizeof *weights;
    slab->labels.codes.bytes = from->codes.bytes;
    slab->labels.first = first = take(slab, slab->ntuples + 1, sizeof *first);
    slab->labels.weights.data = weights = take(slab, entries, sizeof *weights);
    slab->labels.owner = owner = take(slab, entries, sizeof *owner);
    slab->labels.codes.data = take(slab, entries, from->codes.bytes);
    if (!first || !weights || !owner || !slab->labels.codes.data)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        size_t t = b->order[i], begin = from->first ? from->first[t] : t,
               end = from->first ? from->first[t + 1] : t + 1;

        if (b->fresh[i])
            first[tuple++] = (uint32_t) at;
        for (size_t e = begin; e < end; e++, at++) {
            put(&slab->labels.codes, at, kn_codes_at(&from->codes, e));
            weights[at] = kn_codes_at(&from->weights, e);
            owner[at] = (uint32_t) tuple - 1;
        }
    }
    first[tuple] = (uint32_t) at;
    return KANON_OK;
}

/* --- classes become tuples ------------------------------------------------------------------------ */

#define GATHER(name, code_type)                                                                    \
    static void name(void *to, const void *from, const uint32_t *places, size_t n)                 \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            ((code_type *) to)[i] = ((const code_type *) from)[places[i]];                         \
    }
GATHER(gather_8, uint8_t)
GATHER(gather_16, uint16_t)
GATHER(gather_32, uint32_t)

/* A column of the classes from the same column of the slab that they are of. */
static kanon_status
gather_strip(kn_slab *slab, const kn_slab_classes *c, const kn_strip *from, kn_strip *to)
{
    to->groups = to->ncodes = from->groups;
    to->owner = true;
    to->codes.bytes = kn_bytes_for(from->groups);
    to->codes.data = take(slab, c->count, to->codes.bytes);
    if (!to->codes.data)
        return KANON_E_NOMEM;
    if (from->map)
        for (size_t i = 0; i < c->count; i++)
            put(&to->codes, i, kn_strip_at(from, c->first[i]));
    else if (to->codes.bytes == 1)
        gather_8(to->codes.data, from->codes.data, c->first, c->count);
    else if (to->codes.bytes == 2)
        gather_16(to->codes.data, from->codes.data, c->first, c->count);
    else
        gather_32(to->codes.data, from->codes.data, c->first, c->count);
    return KANON_OK;
}

static kanon_status
gather_labels(kn_slab *slab, const kn_slab_classes *c)
{
    uint32_t *first, *weights, *owner;

    if (!c->labels)
        return KANON_OK;
    slab->labels.domain = c->slab->labels.domain;
    slab->labels.weights.bytes = sizeof *weights;
    slab->labels.codes.bytes = c->slab->labels.codes.bytes;
    slab->labels.first = first = take(slab, c->count + 1, sizeof *first);
    slab->labels.weights.data = weights = take(slab, c->nentries, sizeof *weights);
    slab->labels.owner = owner = take(slab, c->nentries, sizeof *owner);
    slab->labels.codes.data = take(slab, c->nentries, slab->labels.codes.bytes);
    if (!first || !weights || !owner || !slab->labels.codes.data)
        return KANON_E_NOMEM;
    memcpy(weights, c->label_weights, c->nentries * sizeof *weights);
    memcpy(owner, c->owners, c->nentries * sizeof *owner);
    for (size_t e = 0, tuple = 0; e < c->nentries; e++) {
        put(&slab->labels.codes, e, c->labels[e]);
        while (tuple <= owner[e])
            first[tuple++] = (uint32_t) e;
    }
    first[c->count] = (uint32_t) c->nentries;
    return KANON_OK;
}

static kanon_status
gather_columns(kn_slab *slab, const kn_slab_classes *c)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < slab->nquasi; i++) {
        slab->nstrips[i] = (uint32_t) (c->coarse[i].axis->nlevels - slab->floor[i]);
        slab->strips[i] = KN_NEW_ARRAY(slab->ctx, kn_strip, slab->nstrips[i]);
        if (!slab->strips[i])
            return KANON_E_NOMEM;
        KN_TRY(
            gather_strip(slab, c, kn_slab_strip(c->slab, i, slab->floor[i]), &slab->strips[i][0]));
    }
    KN_TRY(lay_coarser(slab, c->coarse, c->budget));
out:
    return rc;
}

/* --- in and out ---------------------------------------------------------------------------------------- */

size_t
kn_slab_plan(const kn_coarse *coarse, size_t nquasi, size_t ntuples, const uint8_t *floor)
{
    size_t bytes = ntuples * 2 * sizeof(uint32_t); /* weights, and where labels begin */

    for (size_t i = 0; i < nquasi; i++) {
        size_t groups = coarse[i].ngroups[floor[i]];

        bytes += ntuples * kn_bytes_for(groups);
        bytes += (coarse[i].axis->nlevels - floor[i])
               * ((groups + 1) * 3 * sizeof(uint32_t) + 256 + sizeof(kn_strip));
    }
    return bytes;
}

static kanon_status
open_slab(kanon_ctx *ctx, size_t nquasi, uint64_t rows, const uint8_t *floor, kn_slab **out)
{
    kn_slab *slab = KN_NEW(ctx, kn_slab);

    *out = slab;
    if (!slab)
        return KANON_E_NOMEM;
    *slab = (kn_slab){ .ctx = ctx, .nquasi = nquasi, .rows = rows };
    memcpy(slab->floor, floor, nquasi);
    slab->order = KN_NEW_ARRAY(ctx, size_t, nquasi);
    slab->strips = kn_alloc_array(ctx, nquasi, sizeof *slab->strips);
    slab->nstrips = KN_NEW_ARRAY(ctx, uint32_t, nquasi);
    return slab->order && slab->strips && slab->nstrips ? KANON_OK : KANON_E_NOMEM;
}

static void
free_sort_keys(builder *b)
{
    for (size_t i = 0; i < 2; i++) {
        kn_free(b->ctx, b->keys[i]);
        kn_free(b->ctx, b->places[i]);
        b->keys[i] = NULL;
        b->places[i] = NULL;
    }
}

static void
free_weights(builder *b)
{
    kn_free(b->ctx, b->weights);
    b->weights = NULL;
}

static void
free_order(builder *b)
{
    kn_free(b->ctx, b->order);
    kn_free(b->ctx, b->fresh);
    kn_free(b->ctx, b->starts);
    b->order = NULL;
    b->fresh = NULL;
    b->starts = NULL;
}

/* Scratch goes as soon as nobody looks at it: with millions of tuples this is the job's largest moment. */
kanon_status
kn_slab_new(kanon_ctx *ctx, const kn_slab_source *source, kn_slab **out)
{
    kanon_status rc = KANON_OK;
    kn_slab     *slab = NULL;
    builder      b = { .ctx = ctx, .source = source };

    *out = NULL;
    KN_TRY(open_slab(ctx, source->nquasi, source->rows, source->floor, &slab));
    b.slab = slab;
    order_columns(source, slab->order);
    KN_TRY(sort_tuples(&b));
    free_sort_keys(&b);
    KN_TRY(collapse(&b));
    KN_TRY(lay_weights(slab, b.weights));
    free_weights(&b);
    KN_TRY(lay_columns(&b));
    KN_TRY(lay_labels(&b));
    free_order(&b);
    KN_TRY(lay_coarser(slab, source->coarse, source->budget));
    KN_TRY(lay_starts(slab));
    *out = slab;
    slab = NULL;
out:
    free_sort_keys(&b);
    free_weights(&b);
    free_order(&b);
    kn_slab_free(slab);
    return rc;
}

kanon_status
kn_slab_collapsed(kanon_ctx *ctx, const kn_slab_classes *c, kn_slab **out)
{
    kanon_status rc = KANON_OK;
    kn_slab     *slab = NULL;
    uint32_t    *weights = kn_realloc_array(ctx, NULL, c->count + 1, sizeof *weights);

    *out = NULL;
    if (!weights)
        return KANON_E_NOMEM;
    KN_TRY(open_slab(ctx, c->slab->nquasi, c->slab->rows, c->levels, &slab));
    memcpy(slab->order, c->slab->order, slab->nquasi * sizeof *slab->order);
    slab->ntuples = c->count;
    for (size_t i = 0; i < c->count; i++)
        weights[i] = (uint32_t) c->rows[i];
    KN_TRY(lay_weights(slab, weights));
    KN_TRY(gather_columns(slab, c));
    KN_TRY(lay_starts(slab));
    KN_TRY(gather_labels(slab, c));
    *out = slab;
    slab = NULL;
out:
    kn_free(ctx, weights);
    kn_slab_free(slab);
    return rc;
}

static void
free_strips(kn_slab *slab, size_t quasi)
{
    kn_strip *strips = slab->strips[quasi];

    for (size_t step = 0; strips && step < slab->nstrips[quasi]; step++) {
        if (strips[step].mapper)
            drop_map(slab, &strips[step]);
        if (strips[step].owner)
            kn_free(slab->ctx, strips[step].codes.data);
    }
    kn_free(slab->ctx, strips);
}

void
kn_slab_free(kn_slab *slab)
{
    if (!slab)
        return;
    for (size_t step = slab->starts ? slab->nstrips[slab->order[0]] : 0; step-- > 0;)
        if (step == 0 || slab->starts[step] != slab->starts[step - 1])
            kn_free(slab->ctx, slab->starts[step]);
    for (size_t i = 0; slab->strips && slab->nstrips && i < slab->nquasi; i++)
        free_strips(slab, i);
    kn_free(slab->ctx, slab->starts);
    kn_free(slab->ctx, slab->strips);
    kn_free(slab->ctx, slab->nstrips);
    kn_free(slab->ctx, slab->order);
    kn_free(slab->ctx, slab->weights.data);
    kn_free(slab->ctx, (void *) (uintptr_t) slab->labels.first);
    kn_free(slab->ctx, slab->labels.weights.data);
    kn_free(slab->ctx, (void *) (uintptr_t) slab->labels.owner);
    kn_free(slab->ctx, slab->labels.codes.data);
    kn_free(slab->ctx, slab);
}

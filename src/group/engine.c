/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c -- the table made ready for counting, and what memory that takes.
 * One slab is made at the floor and serves every node. Where a search tells in advance which nodes it will
 * ask about, another is made at their greatest common lower bound, and from that one a few more for
 * neighbours among them, where that merges enough tuples; a node is counted on the smallest slab below it. */
#include "group/tally.h"

enum {
    PIECE = 16, /* neighbouring nodes that may get a copy of their own, taken from that of all */
    PIECE_LEAST = 8,
    PIECES = 4, /* that share one before */
    TUPLES_LEAST = 1024,
    SCRATCH_PER_TUPLE = 32, /* bytes for a moment while a copy is made */
    MISSES_MOST = 3,
    REST = 8 /* expectations to pass over after one that did not pay */
};

static kn_engine_tuning
tune(kn_engine_tuning t)
{
    t.word_bits = t.word_bits ? t.word_bits : 32;
    t.block_least = t.block_least ? t.block_least : KN_BLOCK_LEAST;
    t.sample_least = t.sample_least ? t.sample_least : KN_SAMPLE_LEAST;
    return t;
}

static void
size_tallies(kn_engine *e, const uint8_t *floor, const kn_engine_options *options)
{
    const kn_labels *labels = &options->labels;
    const kn_view   *view = e->view;
    size_t           n = view->ntuples, room = (size_t) KN_WAYS * KN_WAYS_MOST;
    size_t           classes = (e->most_classes < n ? e->most_classes + KN_CHUNK : n) + 1;

    while (room < KN_SPARSE_PER_TUPLE * n && room < KN_COUNTERS_MOST)
        room *= 2;
    e->size = (kn_tally_size){
        .nquasi = view->nquasi,
        .ntuples = n,
        .nwords = kn_words_of(e->coarse, view->nquasi, floor, e->tuning.word_bits),
        .nslots = kn_slots_for(classes),
        .ncounters = room,
        .big = view->rows >= UINT32_MAX,
        .nlabels = options->want & KN_WANT_LABELS && labels->codes.data ? labels->domain : 0,
        .lost = options->want & KN_WANT_LOST,
        .nentries = labels->first ? labels->first[n] : n
    };
    for (size_t i = 0; i < view->nquasi; i++)
        e->size.ngroups += e->coarse[i].ngroups[floor[i]];
}

/* The table's own columns, seen at the floor. */
static kanon_status
make_base(kn_engine *e, const kn_engine_options *options, const uint8_t *floor)
{
    kanon_status   rc = KANON_OK;
    const kn_view *view = e->view;
    kn_strip      *columns = KN_NEW_ARRAY(e->ctx, kn_strip, view->nquasi);
    kn_slab_source source = { .coarse = e->coarse,
                              .nquasi = view->nquasi,
                              .ntuples = view->ntuples,
                              .rows = view->rows,
                              .floor = floor,
                              .columns = columns,
                              .weights = view->weights,
                              .distinct = !options->repeats,
                              .budget = options->column_bytes ? options->column_bytes
                                                              : KN_ENGINE_COLUMN_BYTES };

    if (!columns)
        return KANON_E_NOMEM;
    if (e->size.nlabels)
        source.labels = options->labels;
    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_axis *axis = &view->axes[i];
        uint32_t      *map = KN_NEW_ARRAY(e->ctx, uint32_t, axis->ncodes + 1);

        columns[i] = (kn_strip){ .codes = view->codes[i],
                                 .map = map,
                                 .groups = e->coarse[i].ngroups[floor[i]],
                                 .ncodes = (uint32_t) axis->ncodes };
        KN_TRY(KN_HAVE(map));
        for (size_t code = 0; code < axis->ncodes; code++)
            map[code] = kn_coarse_at(&e->coarse[i], floor[i], code);
        source.distinct = source.distinct && e->coarse[i].ngroups[floor[i]] == axis->ncodes;
    }
    KN_TRY(kn_slab_new(e->ctx, &source, &e->base));
out:
    for (size_t i = 0; i < view->nquasi; i++)
        kn_free(e->ctx, (void *) (uintptr_t) columns[i].map);
    kn_free(e->ctx, columns);
    return rc;
}

/* Rows of each group at each level: what is outlying follows from what is not. */
static kanon_status
count_totals(kn_engine *e)
{
    const kn_slab *base = e->base;

    e->totals = kn_alloc_array(e->ctx, base->nquasi, sizeof *e->totals);
    if (!e->totals)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < base->nquasi; i++) {
        e->totals[i] = kn_alloc_array(e->ctx, base->nstrips[i], sizeof *e->totals[i]);
        if (!e->totals[i])
            return KANON_E_NOMEM;
        for (size_t step = 0; step < base->nstrips[i]; step++) {
            const kn_strip *strip = &base->strips[i][step];

            e->totals[i][step] = KN_NEW_ARRAY(e->ctx, uint64_t, (size_t) strip->groups + 1);
            if (!e->totals[i][step])
                return KANON_E_NOMEM;
            for (size_t t = 0; t < base->ntuples; t++)
                e->totals[i][step][kn_strip_at(strip, t)] += kn_slab_weight(base, t);
        }
    }
    return KANON_OK;
}

static void
free_totals(kn_engine *e)
{
    for (size_t i = 0; e->totals && i < e->base->nquasi; i++) {
        for (size_t step = 0; e->totals[i] && step < e->base->nstrips[i]; step++)
            kn_free(e->ctx, e->totals[i][step]);
        kn_free(e->ctx, e->totals[i]);
    }
    kn_free(e->ctx, e->totals);
}

/* Will there be collapsed copies? Where 32-bit weights suffice, labels are few, and there is room. */
static bool
may_collapse(const kn_engine *e)
{
    return e->rollup_bytes && !e->size.big && e->size.ntuples >= TUPLES_LEAST
        && (!e->size.nlabels || kn_few_labels(&e->size))
        && e->size.ntuples * SCRATCH_PER_TUPLE <= e->rollup_bytes;
}

static kanon_status
open_collapser(kn_engine *e)
{
    kanon_status rc = KANON_OK;
    size_t       entries = e->size.nentries + 1;

    e->columns = KN_NEW_ARRAY(e->ctx, size_t, e->size.nquasi);
    if (!e->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < e->size.nquasi; i++) {
        size_t at = i;

        for (; at > 0 && e->base->strips[e->columns[at - 1]]->groups < e->base->strips[i]->groups;
             at--)
            e->columns[at] = e->columns[at - 1];
        e->columns[at] = i;
    }
    KN_TRY(kn_tally_make(e, KN_WANT_LOST, &e->collapser));
    if (e->size.nlabels) {
        e->entries.labels = KN_NEW_ARRAY(e->ctx, uint32_t, entries);
        e->entries.weights = KN_NEW_ARRAY(e->ctx, uint32_t, entries);
        e->entries.owners = KN_NEW_ARRAY(e->ctx, uint32_t, entries);
        if (!e->entries.labels || !e->entries.weights || !e->entries.owners)
            rc = KANON_E_NOMEM;
    }
out:
    return rc;
}

kanon_status
kn_engine_new(kanon_ctx *ctx, const kn_view *view, const kn_engine_options *options,
              kn_engine **out)
{
    static const uint8_t bottom[KN_STRIPS_MOST] = { 0 };
    const uint8_t       *floor = options->floor ? options->floor : bottom;
    kanon_status         rc = KANON_OK;
    kn_engine           *e = KN_NEW(ctx, kn_engine);

    assert(view->nquasi > 0 && view->ntuples <= (size_t) 1 << 31);
    *out = NULL;
    if (!e)
        return KANON_E_NOMEM;
    *e = (kn_engine){ .ctx = ctx,
                      .view = view,
                      .most_classes = options->most_classes,
                      .rollup_bytes = options->rollup_bytes,
                      .tuning = tune(options->tuning),
                      .seed = kn_ctx_hash_seed(ctx),
                      .kernels = options->kernels ? options->kernels : kn_kernels_at(0) };
    KN_TRY(kn_coarse_new(ctx, view->axes, view->nquasi, &e->coarse));
    size_tallies(e, floor, options);
    KN_TRY(make_base(e, options, floor));
    if (e->size.lost)
        KN_TRY(count_totals(e));
    if (may_collapse(e))
        KN_TRY(open_collapser(e));
    *out = e;
    e = NULL;
out:
    kn_engine_free(e);
    return rc;
}

static void
drop_rollups(kn_engine *e)
{
    while (e->nrollups)
        kn_slab_free(e->rollups[--e->nrollups]);
}

void
kn_engine_free(kn_engine *e)
{
    if (!e)
        return;
    drop_rollups(e);
    kn_tally_free(e->collapser);
    kn_free(e->ctx, e->columns);
    kn_free(e->ctx, e->entries.labels);
    kn_free(e->ctx, e->entries.weights);
    kn_free(e->ctx, e->entries.owners);
    free_totals(e);
    kn_slab_free(e->base);
    kn_coarse_free(e->ctx, e->coarse, e->view->nquasi);
    kn_free(e->ctx, e);
}

const kn_coarse *
kn_engine_coarse(const kn_engine *e)
{
    return e->coarse;
}

const kn_slab *
kn_engine_slab(const kn_engine *e)
{
    return e->base;
}

size_t
kn_engine_thread_bytes(const kn_engine *e)
{
    return kn_tally_bytes(&e->size);
}

kanon_status
kn_engine_measure(kanon_ctx *ctx, const kn_view *view, const kn_engine_options *options,
                  kn_engine_plan *plan)
{
    static const uint8_t bottom[KN_STRIPS_MOST] = { 0 };
    const uint8_t       *floor = options->floor ? options->floor : bottom;
    kn_engine            e = { .ctx = ctx,
                               .view = view,
                               .most_classes = options->most_classes,
                               .rollup_bytes = options->rollup_bytes,
                               .tuning = tune(options->tuning) };
    kanon_status         rc = kn_coarse_new(ctx, view->axes, view->nquasi, &e.coarse);
    size_t               columns = 0;

    if (rc < 0)
        return rc;
    size_tallies(&e, floor, options);
    plan->shared = kn_slab_plan(e.coarse, view->nquasi, view->ntuples, floor);
    for (size_t i = 0; i < view->nquasi; i++)
        for (size_t level = floor[i] + 1; level < view->axes[i].nlevels; level++)
            columns += view->ntuples * kn_bytes_for(e.coarse[i].ngroups[level]);
    if (columns > (options->column_bytes ? options->column_bytes : KN_ENGINE_COLUMN_BYTES))
        columns = options->column_bytes ? options->column_bytes : KN_ENGINE_COLUMN_BYTES;
    plan->shared += columns;
    if (e.size.nlabels)
        plan->shared += (e.size.nentries * 3 + view->ntuples + 1) * sizeof(uint32_t);
    for (size_t i = 0; e.size.lost && i < view->nquasi; i++)
        for (size_t level = floor[i]; level < view->axes[i].nlevels; level++)
            plan->shared += e.coarse[i].ngroups[level] * sizeof(uint64_t);
    plan->scratch = view->ntuples * (4 + 1 + 24);
    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_axis *axis = &view->axes[i];

        plan->scratch += (axis->ncodes * 2 + axis->nlevels + 2) * sizeof(uint32_t);
        for (size_t level = 0; level < axis->nlevels; level++)
            plan->shared += ((size_t) axis->ngroups[level] + 4) * sizeof(uint32_t);
    }
    plan->thread = kn_tally_bytes(&e.size);
    if (may_collapse(&e))
        plan->shared += plan->thread + (e.size.nentries + 1 + view->ntuples) * 3 * sizeof(uint32_t);
    kn_coarse_free(ctx, e.coarse, view->nquasi);
    return KANON_OK;
}

/* --- collapsing below what comes ---------------------------------------------------------------------- */

const kn_slab *
kn_engine_slab_for(const kn_engine *e, const uint8_t *levels)
{
    for (size_t i = 0; i < e->nrollups; i++)
        if (kn_levels_below(e->size.nquasi, e->rollups[i]->floor, levels))
            return e->rollups[i];
    return e->base;
}

static void
lowest_of(const uint8_t *const *nodes, size_t count, size_t n, uint8_t *low)
{
    memcpy(low, nodes[0], n);
    for (size_t j = 1; j < count; j++)
        for (size_t i = 0; i < n; i++)
            if (nodes[j][i] < low[i])
                low[i] = nodes[j][i];
}

/* What the copies take already. */
static size_t
rollup_bytes(const kn_engine *e)
{
    size_t bytes = 0;

    for (size_t i = 0; i < e->nrollups; i++)
        bytes += e->rollups[i]->bytes;
    return bytes < e->rollup_bytes ? bytes : e->rollup_bytes;
}

/* A copy of a slab, collapsed at a node above its floor; none where it would not be much smaller. */
static kn_slab *
collapse(kn_engine *e, const kn_slab *from, const uint8_t *low)
{
    kn_tally       *t = e->collapser;
    bool            labels = e->entries.labels != NULL;
    kn_slab        *slab = NULL;
    size_t          bytes;
    kn_slab_classes classes = { .coarse = e->coarse,
                                .slab = from,
                                .levels = low,
                                .first = t->first,
                                .rows = t->sizes,
                                .labels = e->entries.labels,
                                .label_weights = e->entries.weights,
                                .owners = e->entries.owners,
                                .budget = e->rollup_bytes - rollup_bytes(e) };

    e->entries.count = 0;
    if (!kn_tally_collapse(t, from, low, labels ? &e->entries : NULL))
        return NULL;
    classes.count = t->nbefore;
    classes.nentries = e->entries.count;
    bytes = kn_slab_plan(e->coarse, from->nquasi, classes.count, low)
          + classes.nentries * 4 * sizeof(uint32_t);
    if (classes.count > from->ntuples / 4 * 3 || bytes > classes.budget)
        return NULL;
    classes.budget -= bytes;
    if (kn_slab_collapsed(e->ctx, &classes, &slab) < 0)
        return NULL; /* what is there serves */
    return slab;
}

/* Collapses below some nodes, if they have much in common and that merges enough tuples.
 * @return false: it did not pay */
static bool
add_rollup(kn_engine *e, const uint8_t *const *nodes, size_t count)
{
    uint8_t        low[KN_STRIPS_MOST];
    const kn_slab *from;
    kn_slab       *slab;
    size_t         at;

    lowest_of(nodes, count, e->size.nquasi, low);
    from = kn_engine_slab_for(e, low);
    if (from->ntuples < TUPLES_LEAST || kn_levels_below(e->size.nquasi, low, from->floor))
        return true; /* there is no need of one */
    slab = e->nrollups < KN_ROLLUPS_MOST ? collapse(e, from, low) : NULL;
    if (!slab)
        return false;
    for (at = e->nrollups++; at > 0 && e->rollups[at - 1]->ntuples > slab->ntuples; at--)
        e->rollups[at] = e->rollups[at - 1];
    e->rollups[at] = slab;
    return true;
}

/* Neighbours get copies of their own: many of them first, then the few among those. */
static void
add_rollups(kn_engine *e, const uint8_t *const *nodes, size_t count)
{
    unsigned missed = 0; /* in a row */

    for (size_t from = 0; from < count && missed < MISSES_MOST; from += PIECES * PIECE) {
        size_t to = count - from < PIECES * PIECE ? count : from + PIECES * PIECE;

        if (to - from < count && to - from > PIECE)
            missed = add_rollup(e, nodes + from, to - from) ? 0 : missed + 1;
        for (size_t at = from; at + PIECE_LEAST <= to && missed < MISSES_MOST; at += PIECE)
            missed = add_rollup(e, nodes + at, to - at < PIECE ? to - at : PIECE) ? 0 : missed + 1;
    }
}

static bool
node_before(const kn_engine *e, const uint8_t *a, const uint8_t *b)
{
    for (size_t c = 0; c < e->size.nquasi; c++)
        if (a[e->columns[c]] != b[e->columns[c]])
            return a[e->columns[c]] < b[e->columns[c]];
    return false;
}

/* Neighbours have the same levels in the columns with the most groups: what they have in common then
 * collapses most. Merge sort. */
static const uint8_t **
sort_nodes(kn_engine *e, const uint8_t *const *nodes, size_t count)
{
    const uint8_t **from = e->expected[0], **to = e->expected[1], **keep;

    memcpy(from, nodes, count * sizeof *from);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count, a = start, b = middle;

            for (size_t at = start; at < end; at++)
                to[at] = b < end && (a == middle || node_before(e, from[b], from[a])) ? from[b++]
                                                                                      : from[a++];
        }
        keep = from;
        from = to;
        to = keep;
    }
    return from;
}

void
kn_engine_expect(kn_engine *e, const uint8_t *const *nodes, size_t count)
{
    const uint8_t **sorted;

    if (count < PIECE_LEAST || !e->collapser)
        return;
    if (e->rollup_rest) {
        e->rollup_rest--;
        return;
    }
    drop_rollups(e);
    count = count < KN_EXPECTED_MOST ? count : KN_EXPECTED_MOST;
    sorted = sort_nodes(e, nodes, count);
    add_rollup(e, sorted, count);
    add_rollups(e, sorted, count);
    if (e->nrollups == 0)
        e->rollup_rest = REST;
}

void
kn_engine_collapse(kn_engine *e, const uint8_t *node)
{
    if (e->collapser)
        add_rollup(e, &node, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c -- counting the classes of a node.
 * The tuples stand in runs of the lead column's groups, and no class crosses a run; so they are counted block
 * by block, a block being one run or a few short ones. The outlying rows of the blocks done so far are final:
 * when they pass the limit the node is infeasible, whatever comes. A block's keys are built a chunk at a time
 * from narrow columns (keys.c) and counted in one of three ways: in an array addressed by the key, all of
 * which is looked at in the end or only what is in use (direct.c), or in a hash table (hashing.c).
 * Cost: O(tuples seen * columns below their top). */
#include "group/tally.h"

/* --- room ----------------------------------------------------------------------------------------------- */

size_t
kn_slots_for(size_t entries)
{
    size_t slots = 64;

    while (slots < entries + entries / 2)
        slots *= 2;
    return slots;
}

/* Two neighbouring words of a key together hold more than one could; so there are at most two for each
 * word's bits, and one more. */
size_t
kn_words_of(const kn_coarse *coarse, size_t nquasi, const uint8_t *floor, unsigned word_bits)
{
    size_t bits = 0, words;

    for (size_t i = 0; i < nquasi; i++)
        for (uint64_t groups = coarse[i].ngroups[floor[i]]; groups > 1; groups = (groups + 1) / 2)
            bits++;
    words = bits / word_bits * 2 + 1;
    return words < nquasi ? words : nquasi ? nquasi : 1;
}

static size_t
most_ids(const kn_tally_size *size)
{
    return size->nslots > size->ncounters ? size->nslots : size->ncounters;
}

bool
kn_few_labels(const kn_tally_size *size)
{
    return size->nlabels <= KN_LABELS_DIRECT && !size->big
        && size->nslots * size->nlabels <= KN_LABELS_ROOM;
}

/* Room for the numbers of the counters or slots that one block uses. */
static size_t
most_touched(const kn_tally_size *size)
{
    return (size->ntuples < most_ids(size) ? size->ntuples : most_ids(size)) + 1;
}

/* All classes of a node where they must be remembered, else those of a block. */
static size_t
most_classes(const kn_tally_size *size, bool lost)
{
    return lost ? size->ntuples + 1 : most_touched(size);
}

size_t
kn_tally_bytes(const kn_tally_size *size)
{
    size_t bytes = size->ncounters * sizeof(uint32_t)
                 + size->nslots * (size->nwords * sizeof(uint32_t) + (size->big ? 8 : 4))
                 + (most_touched(size) + most_classes(size, size->lost)) * sizeof(uint32_t)
                 + (size->lost ? most_classes(size, true) * sizeof(uint64_t) : 0)
                 + size->ngroups * (sizeof(uint64_t) + sizeof(uint32_t))
                 + KN_CHUNK * (3 + 4 * size->nwords + 4 * 4)
                 + size->nquasi * 2 * sizeof(kn_key_step);

    if (size->nlabels)
        bytes += (kn_few_labels(size) ? size->nslots * size->nlabels * sizeof(uint32_t)
                                      : (most_touched(size) + 2) * sizeof(uint64_t)
                                            + kn_slots_for(size->nentries) * sizeof(kn_slot));
    return bytes;
}

static void
lay_groups(kn_tally *t)
{
    size_t at = 0;

    for (size_t i = 0; i < t->engine->size.nquasi; i++) {
        t->scaled_at[i] = at;
        t->lost[i] = t->lost_data + at;
        at += t->engine->coarse[i].ngroups[t->engine->base->floor[i]];
    }
}

static bool
open_labels(kn_tally *t)
{
    kanon_ctx           *ctx = t->engine->ctx;
    const kn_tally_size *size = &t->engine->size;

    if (kn_few_labels(size)) {
        t->label_counts = KN_NEW_ARRAY(ctx, uint32_t, size->nslots * size->nlabels);
        return t->label_counts != NULL;
    }
    t->label_most = KN_NEW_ARRAY(ctx, uint64_t, most_touched(size) + 2);
    t->label_slots = KN_NEW_ARRAY(ctx, kn_slot, kn_slots_for(size->nentries));
    return t->label_most && t->label_slots;
}

kanon_status
kn_tally_make(const kn_engine *engine, unsigned want, kn_tally **out)
{
    kanon_ctx           *ctx = engine->ctx;
    const kn_tally_size *size = &engine->size;
    kn_tally            *t = KN_NEW(ctx, kn_tally);
    bool                 whole;

    *out = NULL;
    if (!t)
        return KANON_E_NOMEM;
    t->engine = engine;
    t->steps = KN_NEW_ARRAY(ctx, kn_key_step, 2 * size->nquasi + 1);
    t->sub = KN_NEW_ARRAY(ctx, uint16_t, KN_CHUNK);
    t->bytes = KN_NEW_ARRAY(ctx, uint8_t, KN_CHUNK);
    t->words = KN_NEW_ARRAY(ctx, uint32_t, size->nwords * KN_CHUNK);
    t->hashes = KN_NEW_ARRAY(ctx, uint32_t, KN_CHUNK);
    t->ids = KN_NEW_ARRAY(ctx, uint32_t, KN_CHUNK);
    t->weights = KN_NEW_ARRAY(ctx, uint32_t, KN_CHUNK);
    t->sifted = KN_NEW_ARRAY(ctx, uint32_t, KN_CHUNK);
    t->counters = KN_NEW_ARRAY(ctx, uint32_t, size->ncounters);
    t->touched = KN_NEW_ARRAY(ctx, uint32_t, most_touched(size));
    t->first = KN_NEW_ARRAY(ctx, uint32_t, most_classes(size, want & KN_WANT_LOST));
    t->keys = KN_NEW_ARRAY(ctx, uint32_t, size->nslots * size->nwords);
    t->scaled = KN_NEW_ARRAY(ctx, uint32_t, size->ngroups + 1);
    t->scaled_at = KN_NEW_ARRAY(ctx, size_t, size->nquasi + 1);
    t->lost = kn_alloc_array(ctx, size->nquasi + 1, sizeof *t->lost);
    t->lost_data = KN_NEW_ARRAY(ctx, uint64_t, size->ngroups + 1);
    whole = t->steps && t->sub && t->bytes && t->words && t->hashes && t->ids && t->weights
         && t->sifted && t->counters && t->touched && t->first && t->keys && t->scaled
         && t->scaled_at && t->lost && t->lost_data;
    if (whole && size->big)
        whole = (t->rows_big = KN_NEW_ARRAY(ctx, uint64_t, size->nslots)) != NULL;
    else if (whole)
        whole = (t->rows = KN_NEW_ARRAY(ctx, uint32_t, size->nslots)) != NULL;
    if (whole && (want & KN_WANT_LOST))
        whole = (t->sizes = KN_NEW_ARRAY(ctx, uint64_t, most_classes(size, true))) != NULL;
    if (whole && size->nlabels)
        whole = open_labels(t);
    if (!whole) {
        kn_tally_free(t);
        return kn_fail_nomem(ctx);
    }
    lay_groups(t);
    *out = t;
    return KANON_OK;
}

kanon_status
kn_tally_new(const kn_engine *engine, kn_tally **out)
{
    return kn_tally_make(engine, engine->size.lost ? KN_WANT_LOST : 0, out);
}

void
kn_tally_free(kn_tally *t)
{
    kanon_ctx *ctx;

    if (!t)
        return;
    ctx = t->engine->ctx;
    kn_free(ctx, t->steps);
    kn_free(ctx, t->sub);
    kn_free(ctx, t->bytes);
    kn_free(ctx, t->words);
    kn_free(ctx, t->hashes);
    kn_free(ctx, t->ids);
    kn_free(ctx, t->weights);
    kn_free(ctx, t->sifted);
    kn_free(ctx, t->counters);
    kn_free(ctx, t->rows);
    kn_free(ctx, t->rows_big);
    kn_free(ctx, t->keys);
    kn_free(ctx, t->touched);
    kn_free(ctx, t->first);
    kn_free(ctx, t->sizes);
    kn_free(ctx, t->scaled);
    kn_free(ctx, t->scaled_at);
    kn_free(ctx, t->lost);
    kn_free(ctx, t->lost_data);
    kn_free(ctx, t->label_counts);
    kn_free(ctx, t->label_slots);
    kn_free(ctx, t->label_most);
    kn_free(ctx, t);
}

/* --- blocks --------------------------------------------------------------------------------------- */

static void
choose_way(const kn_tally *t, kn_tally_block *b)
{
    size_t tuples = b->to - b->from;

    if (!t->space || t->engine->tuning.never_direct || t->engine->size.big
        || b->ids * t->stride > t->engine->size.ncounters)
        b->how = KN_HASHED;
    else if (b->ids <= KN_DENSE_PER_TUPLE * tuples
             && !(t->want & (KN_WANT_LABELS | KN_WANT_CLASSES)))
        b->how = KN_DENSE;
    else
        b->how = b->ids <= KN_SPARSE_PER_TUPLE * tuples ? KN_SPARSE : KN_HASHED;
    if (b->how == KN_HASHED) {
        size_t most = t->engine->most_classes;

        b->ids = kn_slots_for((tuples < most ? tuples : most + KN_CHUNK) + 1);
        if (b->ids > t->engine->size.nslots)
            b->ids = t->engine->size.nslots;
    }
}

static void
clear_block(kn_tally *t, const kn_tally_block *b)
{
    if (b->how == KN_DENSE)
        memset(t->counters, 0, b->ids * sizeof *t->counters);
    else if (b->how == KN_SPARSE)
        for (size_t i = 0; i < t->ntouched; i++)
            for (size_t s = 0; s < t->stride; s++)
                t->counters[t->touched[i] + s] = 0;
    else
        kn_clear_slots(t);
}

/* @return false: the node is infeasible */
static bool
count_block(kn_tally *t, const kn_tally_block *b, kn_sums *out)
{
    uint64_t before = out->outlying;
    bool     fits = true;

    if (b->how == KN_DENSE) {
        kn_count_dense(t, b, out);
    } else if (b->how == KN_SPARSE) {
        kn_count_sparse(t, b, out);
    } else {
        if (b->to - b->from >= t->engine->tuning.sample_least && t->allowed < t->slab->rows
            && kn_sample_decides(t, b, t->allowed - out->outlying))
            return false;
        fits = kn_count_hashed(t, b, KN_HASH_ALL, t->engine->most_classes);
        if (fits)
            kn_add_slots(t, out);
    }
    fits = fits && out->outlying <= t->allowed;
    if (fits && t->want & KN_WANT_LOST) {
        if (b->how != KN_DENSE)
            kn_keep_classes(t, b);
        else if (out->outlying > before)
            kn_fold_lost(t, b);
        t->folded = t->folded || b->how == KN_DENSE; /* those that stay are not all remembered */
    }
    if (fits && t->want & KN_WANT_LABELS)
        kn_add_off_label(t, b, out);
    clear_block(t, b);
    return fits;
}

/* The next block from group *g of the lead on: a run, or short ones together. */
static kn_tally_block
next_block(const kn_tally *t, const uint32_t *starts, size_t groups, size_t *g)
{
    kn_tally_block b = { starts[*g], starts[*g + 1], 0, 0, KN_HASHED };
    size_t         first = (*g)++;

    while (*g < groups && b.to - b.from < t->engine->tuning.block_least
           && (!t->space || (*g + 1 - first) * t->within * t->stride <= t->engine->size.ncounters))
        b.to = starts[++*g];
    if (t->space) {
        b.ids = (*g - first) * (size_t) t->within;
        b.base = (uint32_t) (first * t->within);
    }
    choose_way(t, &b);
    return b;
}

static void
clear_lost(kn_tally *t)
{
    for (size_t q = 0; q < t->slab->nquasi; q++)
        memset(t->lost[q], 0, kn_slab_strip(t->slab, q, t->levels[q])->groups * sizeof *t->lost[q]);
}

typedef struct question {
    const kn_slab *slab;
    const uint8_t *levels;
    uint64_t       k, allowed;
    unsigned       want;
} question;

static void
begin(kn_tally *t, const question *q)
{
    t->slab = q->slab;
    t->levels = q->levels;
    t->k = q->k;
    t->allowed = q->allowed;
    t->want = t->engine->size.nlabels ? q->want : q->want & ~(unsigned) KN_WANT_LABELS;
    t->stride = t->want & KN_WANT_LABELS && kn_few_labels(&t->engine->size)
                  ? t->engine->size.nlabels + 1
                  : 1;
    t->nbefore = 0;
    t->folded = false;
    for (size_t i = 0; !t->slab->weights.data && i < KN_CHUNK; i++)
        t->weights[i] = 1;
    kn_plan_keys(t, q->levels);
}

const uint32_t *
kn_chunk_weights(const kn_tally *t, size_t at, size_t n)
{
    const kn_codes *weights = &t->slab->weights;
    kn_mad widen = t->engine->kernels->mad[weights->bytes == 1 ? KN_MAD_8_32 : KN_MAD_16_32];

    if (!weights->data)
        return t->weights;
    if (weights->bytes == 4)
        return (const uint32_t *) weights->data + at;
    widen(t->weights, (const uint8_t *) weights->data + at * weights->bytes, 1, n, KN_MAD_SET);
    return t->weights;
}

/* The lead column's groups at the node, and where their runs begin. */
static size_t
lead_runs(const kn_tally *t, const uint32_t **starts)
{
    size_t lead = t->slab->order[0];

    *starts = t->slab->starts[t->levels[lead] - t->slab->floor[lead]];
    return kn_slab_strip(t->slab, lead, t->levels[lead])->groups;
}

void
kn_count(kn_tally *t, const uint8_t *levels, uint64_t k, uint64_t allowed, unsigned want,
         kn_counted *out)
{
    kn_sums         sum = { 0, 0, 0, 0 };
    const uint32_t *starts;
    size_t          groups, g = 0;

    assert(kn_view_has(t->engine->view, levels));
    *out = (kn_counted){ .complete = false };
    begin(t, &(question){ kn_engine_slab_for(t->engine, levels), levels, k, allowed, want });
    if (want & KN_WANT_LOST)
        clear_lost(t);
    groups = lead_runs(t, &starts);
    while (g < groups) {
        kn_tally_block b = next_block(t, starts, groups, &g);

        if (!count_block(t, &b, &sum))
            return;
    }
    if (want & KN_WANT_LOST)
        kn_find_lost(t);
    *out = (kn_counted){
        true,          sum.outlying,
        sum.classes,   (double) sum.squares,
        sum.off_label, want & KN_WANT_LOST ? (const uint64_t *const *) t->lost : NULL
    };
}

bool
kn_tally_collapse(kn_tally *t, const kn_slab *slab, const uint8_t *levels, kn_entries *entries)
{
    kn_sums         sum = { 0, 0, 0, 0 };
    const uint32_t *starts;
    size_t          groups, g = 0;

    begin(t, &(question){ slab, levels, 1, UINT64_MAX,
                          KN_WANT_CLASSES | (entries ? KN_WANT_LABELS : 0) });
    groups = lead_runs(t, &starts);
    while (g < groups) {
        kn_tally_block b = next_block(t, starts, groups, &g);
        size_t         owner = t->nbefore;

        bool fits = true;

        if (b.how == KN_SPARSE)
            kn_count_sparse(t, &b, &sum);
        else
            fits = kn_count_hashed(t, &b, KN_HASH_ALL, t->engine->most_classes);
        kn_keep_classes(t, &b);
        if (fits && entries)
            kn_gather_labels(t, &b, owner, entries);
        clear_block(t, &b);
        if (!fits)
            return false;
    }
    return true;
}

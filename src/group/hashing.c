/* SPDX-License-Identifier: Apache-2.0 */
/* hashing.c -- counting a block in a hash table with linear probing: keys of any number of words, compared
 * as a whole. Rows, keys and the list of slots in use stand apart, so that the table is small and is
 * cleared by its list. Slots of a chunk are fetched ahead where the table is larger than the second cache. */
#include "group/tally.h"

void
kn_hash_chunk(kn_tally *t, size_t n)
{
    const kn_kernels *kernels = t->engine->kernels;

    if (t->narrow)
        kernels->mad[KN_MAD_16_32](t->words, t->sub, 1, n, KN_MAD_SET);
    kernels->hash(t->words, t->nwords, KN_CHUNK, (uint32_t) t->engine->seed, t->hashes, n);
}

static void
occupy(kn_tally *t, size_t slot, size_t at, size_t i)
{
    for (size_t w = 0; w < t->nwords; w++)
        t->keys[slot * t->nwords + w] = t->words[w * KN_CHUNK + i];
    t->first[t->nbefore + t->ntouched] = (uint32_t) (at + i);
    t->touched[t->ntouched++] = (uint32_t) slot;
}

/* Keys of one word, and fewer than 2^32 - 1 rows: the case that has to be fast. */
static void
add_short(kn_tally *t, const uint32_t *weights, size_t at, size_t n, size_t mask)
{
    uint32_t *first = t->first + t->nbefore;
    size_t    touched = t->ntouched;

    for (size_t i = 0; i < n; i++) {
        uint32_t key = t->words[i];
        size_t   s = t->hashes[i] & mask;

        while (t->rows[s] && t->keys[s] != key)
            s = (s + 1) & mask;
        t->touched[touched] = (uint32_t) s;
        first[touched] = (uint32_t) (at + i);
        touched += t->rows[s] == 0;
        t->keys[s] = key;
        t->rows[s] += weights[i];
        t->ids[i] = (uint32_t) s;
    }
    t->ntouched = touched;
}

static void
add_any(kn_tally *t, const uint32_t *weights, size_t at, size_t n, size_t mask)
{
    for (size_t i = 0; i < n; i++) {
        size_t s = kn_probe(t, i, mask);

        if (!kn_slot_rows(t, s))
            occupy(t, s, at, i);
        if (t->rows)
            t->rows[s] += weights[i];
        else
            t->rows_big[s] += weights[i];
        t->ids[i] = (uint32_t) s;
    }
}

/* The labels of a chunk whose slots are in ids. */
static void
add_labels(kn_tally *t, size_t at, size_t n)
{
    const kn_labels *labels = &t->slab->labels;
    const uint32_t  *weights = kn_slab_label_weights(t->slab);
    size_t           domain = t->engine->size.nlabels;

    for (size_t e = labels->first[at]; e < labels->first[at + n]; e++)
        t->label_counts[t->ids[labels->owner[e] - at] * domain + kn_codes_at(&labels->codes, e)] +=
            weights[e];
}

/* Leaves one class in KN_SAMPLE_SHARE of the chunk, by their hashes. @return how many tuples are left */
static size_t
sift(kn_tally *t, size_t n, const uint32_t *weights, uint32_t *kept_weights)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (t->hashes[i] >> 16 & (KN_SAMPLE_SHARE - 1))
            continue;
        for (size_t w = 0; w < t->nwords; w++)
            t->words[w * KN_CHUNK + kept] = t->words[w * KN_CHUNK + i];
        t->hashes[kept] = t->hashes[i] >> 20 | t->hashes[i] << 12; /* what all share goes up */
        kept_weights[kept++] = weights[i];
    }
    return kept;
}

static void
fetch_slots(const kn_tally *t, size_t n, size_t mask)
{
    for (size_t i = 0; i < n; i++) {
        size_t s = t->hashes[i] & mask;

        __builtin_prefetch(t->rows ? (const void *) &t->rows[s] : &t->rows_big[s], 1);
        __builtin_prefetch(&t->keys[s * t->nwords], 1);
    }
}

bool
kn_count_hashed(kn_tally *t, const kn_tally_block *b, kn_hash_share share, size_t most)
{
    enum { FAR = 1 << 16 }; /* slots that do not fit into the second cache */
    size_t mask = b->ids - 1;

    t->ntouched = 0;
    for (size_t at = b->from; at < b->to; at += KN_CHUNK) {
        size_t          n = b->to - at < KN_CHUNK ? b->to - at : KN_CHUNK;
        const uint32_t *weights = kn_chunk_weights(t, at, n);

        kn_build_keys(t, at, n);
        kn_hash_chunk(t, n);
        if (share == KN_HASH_SAMPLE) {
            n = sift(t, n, weights, t->sifted);
            weights = t->sifted;
        }
        if (b->ids > FAR)
            fetch_slots(t, n, mask);
        if (t->nwords == 1 && t->rows)
            add_short(t, weights, at, n, mask);
        else
            add_any(t, weights, at, n, mask);
        if (share == KN_HASH_ALL && t->stride > 1)
            add_labels(t, at, n);
        if (t->ntouched > most)
            return false;
    }
    return true;
}

void
kn_add_slots(const kn_tally *t, kn_sums *out)
{
    for (size_t i = 0; i < t->ntouched; i++)
        kn_add_class(t, kn_slot_rows(t, t->touched[i]), out);
}

void
kn_clear_slots(kn_tally *t)
{
    size_t domain = t->engine->size.nlabels;

    for (size_t i = 0; i < t->ntouched; i++) {
        if (t->rows)
            t->rows[t->touched[i]] = 0;
        else
            t->rows_big[t->touched[i]] = 0;
        if (t->stride > 1)
            memset(t->label_counts + t->touched[i] * domain, 0, domain * sizeof *t->label_counts);
    }
}

/* A part of the classes often shows already that too many rows are outlying. The outlying rows of a part
 * are outlying rows of the whole, so a "yes" is exact. */
bool
kn_sample_decides(kn_tally *t, const kn_tally_block *b, uint64_t left)
{
    kn_tally_block sample = *b;
    kn_sums        found = { 0, 0, 0, 0 };
    size_t         most = (b->to - b->from) / (KN_SAMPLE_SHARE / 2);

    sample.ids = kn_slots_for(most + KN_CHUNK);
    if (sample.ids > b->ids) {
        sample.ids = b->ids;
        most = b->ids / 2;
    }
    if (kn_count_hashed(t, &sample, KN_HASH_SAMPLE, most))
        kn_add_slots(t, &found);
    kn_clear_slots(t);
    return found.outlying > left;
}

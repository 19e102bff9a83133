/* SPDX-License-Identifier: Apache-2.0 */
/* beyond.c -- what a metric wants to know beyond counts: the groups that outlying rows are in, and how
 * many released rows are off their class's most frequent label. */
#include "base/hash.h"
#include "group/tally.h"

static void
add_lost_column(kn_tally *t, size_t quasi, const uint32_t *tuples, const uint64_t *sizes, size_t n)
{
    const kn_strip *strip = kn_slab_strip(t->slab, quasi, t->levels[quasi]);
    uint64_t       *lost = t->lost[quasi];

    if (strip->groups <= 1)
        for (size_t i = 0; i < n; i++)
            lost[0] += sizes[i];
    else if (strip->map || strip->codes.bytes == 4)
        for (size_t i = 0; i < n; i++)
            lost[kn_strip_at(strip, tuples[i])] += sizes[i];
    else if (strip->codes.bytes == 1)
        for (size_t i = 0; i < n; i++)
            lost[((const uint8_t *) strip->codes.data)[tuples[i]]] += sizes[i];
    else
        for (size_t i = 0; i < n; i++)
            lost[((const uint16_t *) strip->codes.data)[tuples[i]]] += sizes[i];
}

/* The outlying rows of each group are the marginal sums of the counters that are too small: the least
 * significant digit is summed away, column after column. */
void
kn_fold_lost(kn_tally *t, const kn_tally_block *b)
{
    const kn_slab *slab = t->slab;
    uint32_t      *left = t->counters;
    size_t         n = b->ids;
    uint64_t       total = 0;

    for (size_t i = 0; i < n; i++) {
        left[i] = left[i] < t->k ? left[i] : 0;
        total += left[i];
    }
    for (size_t o = slab->nquasi; o-- > 0;) {
        size_t    quasi = slab->order[o];
        size_t    groups = kn_slab_strip(slab, quasi, t->levels[quasi])->groups;
        uint64_t *lost = t->lost[quasi];

        if (groups <= 1) {
            lost[0] += total;
            continue;
        }
        if (o == 0) { /* the block has some of its groups */
            for (size_t g = 0; g < n; g++)
                lost[b->base / t->within + g] += left[g];
            continue;
        }
        n /= groups;
        for (size_t i = 0; i < n; i++) {
            uint32_t sum = 0;

            for (size_t g = 0; g < groups; g++) {
                lost[g] += left[i * groups + g];
                sum += left[i * groups + g];
            }
            left[i] = sum;
        }
    }
}

/* Keeps the classes of a block for the end, when it is known which are fewer: outlying or not. */
void
kn_keep_classes(kn_tally *t, const kn_tally_block *b)
{
    for (size_t class = 0; class < t->ntouched; class ++)
        t->sizes[t->nbefore + class] = kn_class_rows(t, b, class);
    t->nbefore += t->ntouched;
}

/* What was counted in `lost` is what stays: the rest of each group is lost. */
static void
turn_round(kn_tally *t)
{
    for (size_t q = 0; q < t->slab->nquasi; q++) {
        unsigned        level = t->levels[q];
        const uint64_t *totals = t->engine->totals[q][level - t->engine->base->floor[q]];

        for (size_t g = 0; g < t->engine->coarse[q].ngroups[level]; g++)
            t->lost[q][g] = totals[g] - t->lost[q][g];
    }
}

/* Are there fewer classes that stay than such that do not? */
static bool
few_stay(const kn_tally *t)
{
    size_t stay = 0;

    for (size_t class = 0; class < t->nbefore; class ++)
        stay += t->sizes[class] >= t->k;
    return stay < t->nbefore - stay;
}

void
kn_find_lost(kn_tally *t)
{
    enum { PIECE = 256 };
    bool     stays = !t->folded && few_stay(t); /* the fewer of the two are looked at */
    uint32_t tuples[PIECE];
    uint64_t sizes[PIECE];

    for (size_t class = 0; class < t->nbefore;) {
        size_t n = 0;

        for (; class < t->nbefore && n < PIECE; class ++) {
            sizes[n] = t->sizes[class];
            tuples[n] = t->first[class];
            n += (sizes[n] >= t->k) == stays;
        }
        for (size_t q = 0; n && q < t->slab->nquasi; q++)
            add_lost_column(t, q, tuples, sizes, n);
    }
    if (stays)
        turn_round(t);
}

/* From now on a counter or slot holds the number of its class, from 2 on, or 1 where it is outlying.
 * @return the rows of the others */
static uint64_t
number_classes(kn_tally *t, const kn_tally_block *b)
{
    uint64_t rows = 0;

    for (size_t class = 0; class < t->ntouched; class ++) {
        uint64_t size = kn_class_rows(t, b, class);
        uint32_t number = size >= t->k ? (uint32_t) class + 2 : 1;

        rows += size >= t->k ? size : 0;
        if (b->how != KN_HASHED)
            t->counters[t->touched[class]] = number;
        else if (t->rows)
            t->rows[t->touched[class]] = number;
        else
            t->rows_big[t->touched[class]] = number;
    }
    return rows;
}

/* The numbers of a chunk's classes. */
static void
locate(kn_tally *t, const kn_tally_block *b, size_t at, size_t n)
{
    kn_build_keys(t, at, n);
    if (b->how == KN_HASHED) {
        kn_hash_chunk(t, n);
        for (size_t i = 0; i < n; i++)
            t->ids[i] = (uint32_t) kn_slot_rows(t, kn_probe(t, i, b->ids - 1));
    } else {
        for (size_t i = 0; i < n; i++)
            t->ids[i] = t->counters[(t->narrow ? t->sub[i] : t->words[i]) - b->base];
    }
}

/* The labels of a chunk whose classes are in ids: rows of each one so far, and the most of a class as it
 * grows. @return by how much the classes' most frequent labels grew */
static uint64_t
count_many_labels(kn_tally *t, size_t at, size_t from, size_t to, size_t mask)
{
    const kn_labels *labels = &t->slab->labels;
    const uint32_t  *weights = kn_slab_label_weights(t->slab);
    uint64_t         grown = 0;

    for (size_t e = from; e < to; e++) {
        size_t class = t->ids[labels->owner[e] - at];
        uint64_t key = (uint64_t) class * t->engine->size.nlabels + kn_codes_at(&labels->codes, e);
        size_t   s = (size_t) kn_hash_word(key ^ t->engine->seed) & mask;

        if (class == 1)
            continue;
        while (t->label_slots[s].rows && t->label_slots[s].key != key)
            s = (s + 1) & mask;
        t->label_slots[s].key = key;
        t->label_slots[s].rows += weights[e];
        if (t->label_slots[s].rows > t->label_most[class]) {
            grown += t->label_slots[s].rows - t->label_most[class];
            t->label_most[class] = t->label_slots[s].rows;
        }
    }
    return grown;
}

/* With many labels: the classes are numbered, and their labels are counted in a hash table. */
static uint64_t
off_many_labels(kn_tally *t, const kn_tally_block *b)
{
    const kn_labels *labels = &t->slab->labels;
    uint64_t         rows = number_classes(t, b), most = 0;
    size_t           slots = kn_slots_for(labels->first[b->to] - labels->first[b->from]);

    memset(t->label_most, 0, (t->ntouched + 2) * sizeof *t->label_most);
    memset(t->label_slots, 0, slots * sizeof *t->label_slots);
    for (size_t at = b->from; at < b->to; at += KN_CHUNK) {
        size_t n = b->to - at < KN_CHUNK ? b->to - at : KN_CHUNK;

        locate(t, b, at, n);
        most += count_many_labels(t, at, labels->first[at], labels->first[at + n], slots - 1);
    }
    return rows - most;
}

/* The label counts of a class, where there are few labels. */
static const uint32_t *
labels_of(const kn_tally *t, const kn_tally_block *b, size_t class)
{
    return b->how == KN_HASHED ? t->label_counts + t->touched[class] * t->engine->size.nlabels
                               : t->counters + t->touched[class] + 1;
}

/* Each released class costs the rows that have not its most frequent label. */
void
kn_add_off_label(kn_tally *t, const kn_tally_block *b, kn_sums *out)
{
    size_t domain = t->engine->size.nlabels;

    if (t->stride == 1) {
        out->off_label += off_many_labels(t, b);
        return;
    }
    for (size_t class = 0; class < t->ntouched; class ++) {
        const uint32_t *counts = labels_of(t, b, class);
        uint64_t        rows = kn_class_rows(t, b, class);
        uint32_t        most = 0;

        for (size_t label = 0; label < domain; label++)
            most = counts[label] > most ? counts[label] : most;
        out->off_label += rows >= t->k ? rows - most : 0;
    }
}

void
kn_gather_labels(kn_tally *t, const kn_tally_block *b, size_t owner, kn_entries *out)
{
    size_t domain = t->engine->size.nlabels;

    for (size_t class = 0; class < t->ntouched; class ++) {
        const uint32_t *counts = labels_of(t, b, class);

        for (size_t label = 0; label < domain; label++) {
            out->labels[out->count] = (uint32_t) label;
            out->weights[out->count] = counts[label];
            out->owners[out->count] = (uint32_t) (owner + class);
            out->count += counts[label] > 0;
        }
    }
}

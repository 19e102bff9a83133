/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c -- counting a block in an array that is addressed by the key.
 * Dense: all counters are looked at in the end. Sparse: those in use are listed as they come, so that a large
 * array costs no more than the tuples. */
#include "group/tally.h"

/* One tuple in four goes to each copy of the counters (or all to the only one). */
#define COUNT_LOOP(name, key_type, weight)                                                         \
    static void name(uint32_t *counters, size_t apart, const key_type *keys, uint32_t base,        \
                     const void *weights, size_t n)                                                \
    {                                                                                              \
        uint32_t *c0 = counters, *c1 = c0 + apart, *c2 = c1 + apart, *c3 = c2 + apart;             \
        size_t    i = 0;                                                                           \
        KN_UNUSED(weights);                                                                        \
        for (; i + 4 <= n; i += 4) {                                                               \
            c0[keys[i] - base] += weight(i);                                                       \
            c1[keys[i + 1] - base] += weight(i + 1);                                               \
            c2[keys[i + 2] - base] += weight(i + 2);                                               \
            c3[keys[i + 3] - base] += weight(i + 3);                                               \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            c0[keys[i] - base] += weight(i);                                                       \
    }
#define WEIGHT_ONE(i) 1u
#define WEIGHT_8(i) ((const uint8_t *) weights)[i]
#define WEIGHT_16(i) ((const uint16_t *) weights)[i]
#define WEIGHT_32(i) ((const uint32_t *) weights)[i]
COUNT_LOOP(count_16_one, uint16_t, WEIGHT_ONE)
COUNT_LOOP(count_16_8, uint16_t, WEIGHT_8)
COUNT_LOOP(count_16_16, uint16_t, WEIGHT_16)
COUNT_LOOP(count_16_32, uint16_t, WEIGHT_32)
COUNT_LOOP(count_32_one, uint32_t, WEIGHT_ONE)
COUNT_LOOP(count_32_8, uint32_t, WEIGHT_8)
COUNT_LOOP(count_32_16, uint32_t, WEIGHT_16)
COUNT_LOOP(count_32_32, uint32_t, WEIGHT_32)

/* NULL: all are 1. */
static const void *
weights_at(const kn_tally *t, size_t at)
{
    const kn_codes *weights = &t->slab->weights;

    return weights->data ? (const uint8_t *) weights->data + at * weights->bytes : NULL;
}

static void
count_chunk(kn_tally *t, const kn_tally_block *b, size_t apart, size_t from, size_t n)
{
    const void *weights = weights_at(t, from);
    unsigned    bytes = t->slab->weights.bytes;
    uint32_t   *c = t->counters;

    if (t->narrow) {
        if (!weights)
            count_16_one(c, apart, t->sub, b->base, weights, n);
        else if (bytes == 1)
            count_16_8(c, apart, t->sub, b->base, weights, n);
        else if (bytes == 2)
            count_16_16(c, apart, t->sub, b->base, weights, n);
        else
            count_16_32(c, apart, t->sub, b->base, weights, n);
    } else if (!weights) {
        count_32_one(c, apart, t->words, b->base, weights, n);
    } else if (bytes == 1) {
        count_32_8(c, apart, t->words, b->base, weights, n);
    } else if (bytes == 2) {
        count_32_16(c, apart, t->words, b->base, weights, n);
    } else {
        count_32_32(c, apart, t->words, b->base, weights, n);
    }
}

/* The tuples of a chunk in the order in which they are counted: neighbours are often of one class, and
 * would wait for each other's store, so four are taken that stand far apart; where the order of the
 * classes matters, as they come. */
#define SPREAD(n, one)                                                                             \
    do {                                                                                           \
        size_t apart_ = spread ? (n) / 4 : 0, i_ = 0;                                              \
        for (; i_ < apart_; i_++) {                                                                \
            one(i_);                                                                               \
            one(i_ + apart_);                                                                      \
            one(i_ + 2 * apart_);                                                                  \
            one(i_ + 3 * apart_);                                                                  \
        }                                                                                          \
        for (i_ = 4 * apart_; i_ < (n); i_++)                                                      \
            one(i_);                                                                               \
    } while (0)

#define COUNT_KEYS(name, count_one)                                                                \
    static void name(kn_tally *t, size_t at, size_t n, bool spread)                                \
    {                                                                                              \
        const void     *weights = weights_at(t, at);                                               \
        const uint32_t *ids = t->ids;                                                              \
        uint32_t       *counters = t->counters, *touched = t->touched + t->ntouched;               \
        uint32_t       *first = t->first + t->nbefore + t->ntouched;                               \
        size_t new = 0;                                                                            \
        KN_UNUSED(weights);                                                                        \
        SPREAD(n, count_one);                                                                      \
        t->ntouched += new;                                                                        \
    }
#define COUNT_ONE(i, weight)                                                                       \
    do {                                                                                           \
        uint32_t id_ = ids[i], rows_ = counters[id_];                                              \
        touched[new] = id_;                                                                        \
        first[new] = (uint32_t) (at + (i));                                                        \
        new += rows_ == 0;                                                                         \
        counters[id_] = rows_ + weight(i);                                                         \
    } while (0)
#define KEY_ONE(i) COUNT_ONE(i, WEIGHT_ONE)
#define KEY_8(i) COUNT_ONE(i, WEIGHT_8)
#define KEY_16(i) COUNT_ONE(i, WEIGHT_16)
#define KEY_32(i) COUNT_ONE(i, WEIGHT_32)
COUNT_KEYS(count_keys_one, KEY_ONE)
COUNT_KEYS(count_keys_8, KEY_8)
COUNT_KEYS(count_keys_16, KEY_16)
COUNT_KEYS(count_keys_32, KEY_32)

static void
count_keys(kn_tally *t, size_t at, size_t n, bool spread)
{
    if (!t->slab->weights.data)
        count_keys_one(t, at, n, spread);
    else if (t->slab->weights.bytes == 1)
        count_keys_8(t, at, n, spread);
    else if (t->slab->weights.bytes == 2)
        count_keys_16(t, at, n, spread);
    else
        count_keys_32(t, at, n, spread);
}

/* The same with the rows of each label behind the rows of the class. */
#define COUNT_LABELLED(name, code_type)                                                            \
    static void name(kn_tally *t, size_t at, size_t n, bool spread)                                \
    {                                                                                              \
        const kn_labels *labels = &t->slab->labels;                                                \
        size_t           from = labels->first[at], count = labels->first[at + n] - from;           \
        const code_type *codes = (const code_type *) labels->codes.data + from;                    \
        const uint32_t  *weights = kn_slab_label_weights(t->slab) + from;                          \
        const uint32_t  *owner = labels->owner + from;                                             \
        const uint32_t  *ids = t->ids;                                                             \
        uint32_t        *counters = t->counters, *touched = t->touched + t->ntouched;              \
        uint32_t        *first = t->first + t->nbefore + t->ntouched;                              \
        size_t new = 0;                                                                            \
        SPREAD(count, COUNT_ENTRY);                                                                \
        t->ntouched += new;                                                                        \
    }
#define COUNT_ENTRY(e)                                                                             \
    do {                                                                                           \
        uint32_t id_ = ids[owner[e] - at], rows_ = counters[id_];                                  \
        touched[new] = id_;                                                                        \
        first[new] = owner[e];                                                                     \
        new += rows_ == 0;                                                                         \
        counters[id_] = rows_ + weights[e];                                                        \
        counters[id_ + 1 + codes[e]] += weights[e];                                                \
    } while (0)
COUNT_LABELLED(count_labelled_8, uint8_t)
COUNT_LABELLED(count_labelled_16, uint16_t)
COUNT_LABELLED(count_labelled_32, uint32_t)

/* Few of the counters are in use: they are listed as they come. */
void
kn_count_sparse(kn_tally *t, const kn_tally_block *b, kn_sums *out)
{
    uint32_t stride = (uint32_t) t->stride;
    bool     spread = !(t->want & KN_WANT_CLASSES);

    t->ntouched = 0;
    for (size_t at = b->from; at < b->to; at += KN_CHUNK) {
        size_t n = b->to - at < KN_CHUNK ? b->to - at : KN_CHUNK;

        kn_build_keys(t, at, n);
        if (t->narrow)
            for (size_t i = 0; i < n; i++)
                t->ids[i] = (t->sub[i] - b->base) * stride;
        else
            for (size_t i = 0; i < n; i++)
                t->ids[i] = (t->words[i] - b->base) * stride;
        if (stride == 1)
            count_keys(t, at, n, spread);
        else if (t->slab->labels.codes.bytes == 1)
            count_labelled_8(t, at, n, spread);
        else if (t->slab->labels.codes.bytes == 2)
            count_labelled_16(t, at, n, spread);
        else
            count_labelled_32(t, at, n, spread);
    }
    for (size_t i = 0; i < t->ntouched; i++)
        kn_add_class(t, t->counters[t->touched[i]], out);
}

void
kn_count_dense(kn_tally *t, const kn_tally_block *b, kn_sums *out)
{
    const kn_kernels *kernels = t->engine->kernels;
    size_t            ways = b->ids <= KN_WAYS_MOST && b->to - b->from >= 2 * b->ids ? KN_WAYS : 1;
    kn_scanned        scanned = { 0, 0, 0 };

    for (size_t at = b->from; at < b->to; at += KN_CHUNK) {
        size_t n = b->to - at < KN_CHUNK ? b->to - at : KN_CHUNK;

        kn_build_keys(t, at, n);
        count_chunk(t, b, ways > 1 ? b->ids : 0, at, n);
    }
    for (size_t way = 1; way < ways; way++)
        kernels->add(t->counters, t->counters + way * b->ids, b->ids);
    if (ways > 1)
        memset(t->counters + b->ids, 0, (ways - 1) * b->ids * sizeof *t->counters);
    kernels->scan(t->counters, b->ids, t->k < UINT32_MAX ? (uint32_t) t->k : UINT32_MAX, &scanned);
    out->outlying += scanned.outlying;
    out->classes += scanned.classes;
    out->squares += scanned.squares;
}

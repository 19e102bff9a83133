/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.c -- distinct code tuples with counts.
 * A tuple is packed into as few 64-bit words as the dictionaries need so far; when one of them outgrows
 * its bits, all tuples are packed anew with wider fields (a handful of times in a job). Tuples stand in
 * one array behind an index of 32-bit slots; rows are added in batches, so that the two cache
 * misses of a look-up overlap with those of its neighbours.
 * Shaped for: 20 million distinct six-column tuples in about 460 MB (16 bytes each, plus the index).
 * Cost: O(1) a row; sealing sorts in place by radix, O(tuples * key bytes). */
#include "table/tuples.h"

#include "base/hash.h"

enum {
    BATCH = 256,
    BITS_FIRST = 4,
    SLOTS_LEAST = 1024,
    WORD_BITS = 64,
    RADIX = 256,
    SMALL_SORT = 24 /* below this, insertion beats another radix pass */
};

typedef struct field {
    size_t   word;
    unsigned shift, bits;
} field;

struct kn_tuples {
    kanon_ctx *ctx;
    size_t     ncolumns;
    field     *fields;
    uint32_t  *widest; /* largest code seen per column */
    size_t     words;  /* of a key; a record is the key and one word of count */
    uint64_t  *records;
    size_t     count, capacity;
    uint64_t   rows;
    uint32_t  *slots; /* index + 1, 0: free */
    size_t     mask;
    uint32_t  *batch; /* BATCH rows of codes */
    uint64_t   weights[BATCH];
    size_t     batched;
    uint64_t  *keys; /* BATCH packed keys */
    uint64_t   seed; /* of the hash of the keys */
};

static size_t
stride(const kn_tuples *t)
{
    return t->words + 1;
}

static uint64_t *
record(const kn_tuples *t, size_t index)
{
    return t->records + index * stride(t);
}

/* Lays the fields out from the top bit of word 0 downwards; none crosses a word. */
static size_t
layout(field *fields, size_t count)
{
    size_t   word = 0;
    unsigned left = WORD_BITS;

    for (size_t i = 0; i < count; i++) {
        if (fields[i].bits > left) {
            word++;
            left = WORD_BITS;
        }
        left -= fields[i].bits;
        fields[i].word = word;
        fields[i].shift = left;
    }
    return word + 1;
}

static unsigned
bits_of(uint32_t code)
{
    unsigned bits = 1;

    while (bits < 32 && code >> bits)
        bits++;
    return bits;
}

kanon_status
kn_tuples_new(kanon_ctx *ctx, size_t ncolumns, kn_tuples **out)
{
    kn_tuples *t = KN_NEW(ctx, kn_tuples);

    *out = NULL;
    if (!t)
        return KANON_E_NOMEM;
    *t = (kn_tuples){
        .ctx = ctx, .seed = kn_ctx_hash_seed(ctx), .ncolumns = ncolumns, .mask = SLOTS_LEAST - 1
    };
    t->fields = KN_NEW_ARRAY(ctx, field, ncolumns);
    t->widest = KN_NEW_ARRAY(ctx, uint32_t, ncolumns);
    t->slots = KN_NEW_ARRAY(ctx, uint32_t, SLOTS_LEAST);
    t->batch = ncolumns < SIZE_MAX / BATCH ? KN_NEW_ARRAY(ctx, uint32_t, BATCH * ncolumns) : NULL;
    if (t->fields) {
        for (size_t i = 0; i < ncolumns; i++)
            t->fields[i].bits = BITS_FIRST;
        t->words = layout(t->fields, ncolumns);
        t->keys = KN_NEW_ARRAY(ctx, uint64_t, BATCH * t->words);
    }
    if (!t->fields || !t->widest || !t->slots || !t->batch || !t->keys) {
        kn_tuples_free(t);
        return kn_fail_nomem(ctx);
    }
    *out = t;
    return KANON_OK;
}

void
kn_tuples_free(kn_tuples *t)
{
    if (!t)
        return;
    kn_free(t->ctx, t->fields);
    kn_free(t->ctx, t->widest);
    kn_free(t->ctx, t->records);
    kn_free(t->ctx, t->slots);
    kn_free(t->ctx, t->batch);
    kn_free(t->ctx, t->keys);
    kn_free(t->ctx, t);
}

/* --- index ------------------------------------------------------------------------------------- */

static uint64_t
key_hash(const kn_tuples *t, const uint64_t *key)
{
    return t->words == 1 ? kn_hash_word(key[0] ^ t->seed) : kn_hash_words(key, t->words, t->seed);
}

static bool
key_equal(const kn_tuples *t, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < t->words; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static void
index_all(kn_tuples *t)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t at = (size_t) key_hash(t, record(t, i)) & t->mask;

        while (t->slots[at])
            at = (at + 1) & t->mask;
        t->slots[at] = (uint32_t) i + 1;
    }
}

/* The index can be made from the records, so the old one goes before the new one comes. */
static kanon_status
grow_index(kn_tuples *t)
{
    size_t nslots = (t->mask + 1) * 2;

    kn_free(t->ctx, t->slots);
    t->slots = KN_NEW_ARRAY(t->ctx, uint32_t, nslots);
    if (!t->slots)
        return KANON_E_NOMEM;
    t->mask = nslots - 1;
    index_all(t);
    return KANON_OK;
}

/* --- packing ----------------------------------------------------------------------------------- */

static void
pack(const kn_tuples *t, const uint32_t *codes, uint64_t *key)
{
    for (size_t w = 0; w < t->words; w++)
        key[w] = 0;
    for (size_t i = 0; i < t->ncolumns; i++)
        key[t->fields[i].word] |= (uint64_t) codes[i] << t->fields[i].shift;
}

static uint32_t
unpack(const field *f, const uint64_t *key)
{
    return (uint32_t) (key[f->word] >> f->shift & ((UINT64_C(1) << f->bits) - 1));
}

/* Bits for the codes seen: two spare ones for those to come where a code has outgrown its field, unless
 * that costs another word. */
static size_t
wider_layout(const kn_tuples *t, field *fields)
{
    size_t tight, roomy;

    for (size_t i = 0; i < t->ncolumns; i++)
        fields[i].bits = bits_of(t->widest[i]);
    tight = layout(fields, t->ncolumns);
    for (size_t i = 0; i < t->ncolumns; i++) {
        unsigned need = bits_of(t->widest[i]), have = t->fields[i].bits;

        fields[i].bits = need <= have ? have : need > 30 ? 32 : need + 2;
    }
    roomy = layout(fields, t->ncolumns);
    if (roomy == tight)
        return roomy;
    for (size_t i = 0; i < t->ncolumns; i++)
        fields[i].bits = bits_of(t->widest[i]);
    return layout(fields, t->ncolumns);
}

static kanon_status
widen(kn_tuples *t)
{
    kanon_status rc = KANON_E_NOMEM;
    kn_tuples    wide = *t;
    uint32_t    *codes = KN_NEW_ARRAY(t->ctx, uint32_t, t->ncolumns);

    wide.fields = KN_NEW_ARRAY(t->ctx, field, t->ncolumns);
    wide.keys = NULL;
    wide.records = NULL;
    if (!codes || !wide.fields)
        goto out;
    wide.words = wider_layout(t, wide.fields);
    wide.keys = KN_NEW_ARRAY(t->ctx, uint64_t, BATCH * wide.words);
    if (!wide.keys)
        goto out;
    if (wide.words == t->words) {
        wide.records = t->records;
    } else {
        wide.capacity = t->count + t->count / 2 + BATCH;
        wide.records = kn_realloc_array(t->ctx, NULL, wide.capacity,
                                        stride(&wide) * sizeof(uint64_t));
        if (!wide.records)
            goto out;
    }
    for (size_t r = 0; r < t->count; r++) {
        const uint64_t *from = record(t, r);
        uint64_t       *to = record(&wide, r), weight = from[t->words];

        for (size_t i = 0; i < t->ncolumns; i++)
            codes[i] = unpack(&t->fields[i], from);
        pack(&wide, codes, to);
        to[wide.words] = weight;
    }
    if (wide.records != t->records)
        kn_free(t->ctx, t->records);
    kn_free(t->ctx, t->fields);
    kn_free(t->ctx, t->keys);
    *t = wide;
    wide.fields = NULL;
    wide.keys = NULL;
    memset(t->slots, 0, (t->mask + 1) * sizeof *t->slots);
    index_all(t);
    rc = KANON_OK;
out:
    kn_free(t->ctx, codes);
    kn_free(t->ctx, wide.fields);
    kn_free(t->ctx, wide.keys);
    return rc;
}

/* --- adding ------------------------------------------------------------------------------------ */

static kanon_status
fit_codes(kn_tuples *t)
{
    bool fits = true;

    for (size_t r = 0; r < t->batched; r++)
        for (size_t i = 0; i < t->ncolumns; i++) {
            uint32_t code = t->batch[r * t->ncolumns + i];

            if (code > t->widest[i]) {
                t->widest[i] = code;
                fits = fits && bits_of(code) <= t->fields[i].bits;
            }
        }
    return fits ? KANON_OK : widen(t);
}

static kanon_status
flush(kn_tuples *t)
{
    uint64_t hashes[BATCH];
    void    *records = t->records;
    size_t   n = t->batched;

    if (!n)
        return KANON_OK;
    if (fit_codes(t) < 0)
        return KANON_E_NOMEM;
    records = t->records;
    if (t->count + n > UINT32_MAX - 1)
        return kn_fail(t->ctx, KANON_E_UNSUPPORTED, "more than 2^32 - 2 distinct rows");
    if (kn_grow(t->ctx, &records, &t->capacity, t->count + n, stride(t) * sizeof(uint64_t)) < 0)
        return KANON_E_NOMEM;
    t->records = records;
    while ((t->count + n) * 3 > (t->mask + 1) * 2)
        if (grow_index(t) < 0)
            return KANON_E_NOMEM;
    for (size_t r = 0; r < n; r++) {
        uint64_t *key = t->keys + r * t->words;

        pack(t, t->batch + r * t->ncolumns, key);
        hashes[r] = key_hash(t, key);
        __builtin_prefetch(&t->slots[(size_t) hashes[r] & t->mask]);
    }
    for (size_t r = 0; r < n; r++) {
        uint32_t slot = t->slots[(size_t) hashes[r] & t->mask];

        if (slot)
            __builtin_prefetch(record(t, slot - 1));
    }
    for (size_t r = 0; r < n; r++) {
        const uint64_t *key = t->keys + r * t->words;
        size_t          at = (size_t) hashes[r] & t->mask;

        while (t->slots[at] && !key_equal(t, record(t, t->slots[at] - 1), key))
            at = (at + 1) & t->mask;
        if (!t->slots[at]) {
            memcpy(record(t, t->count), key, t->words * sizeof *key);
            record(t, t->count)[t->words] = 0;
            t->slots[at] = (uint32_t) ++t->count;
        }
        record(t, t->slots[at] - 1)[t->words] += t->weights[r];
    }
    t->batched = 0;
    return KANON_OK;
}

kanon_status
kn_tuples_add(kn_tuples *t, const uint32_t *codes, uint64_t weight)
{
    assert(weight > 0);
    if (t->ncolumns)
        memcpy(t->batch + t->batched * t->ncolumns, codes, t->ncolumns * sizeof *codes);
    t->weights[t->batched] = weight;
    t->rows += weight;
    return ++t->batched == BATCH ? flush(t) : KANON_OK;
}

/* --- sealing ----------------------------------------------------------------------------------- */

static int
key_compare(const kn_tuples *t, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < t->words; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void
swap_records(const kn_tuples *t, uint64_t *a, uint64_t *b)
{
    for (size_t i = 0; i <= t->words; i++) {
        uint64_t keep = a[i];

        a[i] = b[i];
        b[i] = keep;
    }
}

static unsigned
byte_at(const uint64_t *key, size_t digit)
{
    return (unsigned) (key[digit / 8] >> (56 - 8 * (digit % 8)) & 0xff);
}

static void
insertion_sort(const kn_tuples *t, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        for (size_t j = i; j > from && key_compare(t, record(t, j), record(t, j - 1)) < 0; j--)
            swap_records(t, record(t, j), record(t, j - 1));
}

/* Puts records from..to-1 into the order of one byte; ends[b] is then where byte b's records end.
 * @return the byte with the most records */
static size_t
sort_by_byte(const kn_tuples *t, size_t from, size_t to, size_t digit, size_t *ends)
{
    size_t next[RADIX], start = from, largest = 0, most = 0;

    memset(ends, 0, RADIX * sizeof *ends);
    for (size_t i = from; i < to; i++)
        ends[byte_at(record(t, i), digit)]++;
    for (size_t b = 0; b < RADIX; b++) {
        if (ends[b] > most) {
            most = ends[b];
            largest = b;
        }
        next[b] = start;
        start += ends[b];
        ends[b] = start;
    }
    if (most == to - from)
        return largest; /* all equal in this byte */
    for (size_t b = 0; b < RADIX; b++)
        while (next[b] < ends[b]) {
            unsigned belongs = byte_at(record(t, next[b]), digit);

            if (belongs == b)
                next[b]++;
            else
                swap_records(t, record(t, next[b]), record(t, next[belongs]++));
        }
    return largest;
}

/* American-flag sort: in place, most significant byte first. It calls itself for all buckets but the
 * largest, so each call has at most half the records of the one above, and the stack stays small
 * however long the keys are. */
static void
radix_sort(const kn_tuples *t, size_t from, size_t to, size_t digit)
{
    size_t ends[RADIX];

    while (to - from > SMALL_SORT && digit < t->words * 8) {
        size_t largest = sort_by_byte(t, from, to, digit, ends), start = from;

        digit++;
        for (size_t b = 0; b < RADIX; b++) {
            if (b != largest && ends[b] - start > 1)
                radix_sort(t, start, ends[b], digit);
            start = ends[b];
        }
        to = ends[largest];
        from = largest ? ends[largest - 1] : from;
    }
    insertion_sort(t, from, to);
}

kanon_status
kn_tuples_seal(kn_tuples *t)
{
    kanon_status rc = flush(t);

    if (rc < 0)
        return rc;
    kn_free(t->ctx, t->slots);
    kn_free(t->ctx, t->batch);
    kn_free(t->ctx, t->keys);
    t->slots = NULL;
    t->batch = NULL;
    t->keys = NULL;
    if (t->count > 1)
        radix_sort(t, 0, t->count, 0);
    return KANON_OK;
}

size_t
kn_tuples_count(const kn_tuples *t)
{
    return t->count;
}

uint64_t
kn_tuples_rows(const kn_tuples *t)
{
    return t->rows;
}

uint64_t
kn_tuples_weight(const kn_tuples *t, size_t tuple)
{
    assert(tuple < t->count);
    return record(t, tuple)[t->words];
}

uint32_t
kn_tuples_code(const kn_tuples *t, size_t tuple, size_t column)
{
    assert(tuple < t->count && column < t->ncolumns);
    return unpack(&t->fields[column], record(t, tuple));
}

bool
kn_tuples_same(const kn_tuples *t, size_t a, size_t b, size_t ncolumns)
{
    const uint64_t *x = record(t, a), *y = record(t, b);

    assert(a < t->count && b < t->count && ncolumns <= t->ncolumns);
    for (size_t i = 0; i < ncolumns; i++)
        if (unpack(&t->fields[i], x) != unpack(&t->fields[i], y))
            return false;
    return true;
}

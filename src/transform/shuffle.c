/* SPDX-License-Identifier: Apache-2.0 */
/* shuffle.c -- an external shuffle.
 * Row r gets the r-th 64-bit word of a ChaCha20 key stream as its rank; the order is that of the ranks. The
 * upper bits of a rank choose a bucket; buckets are written to one private temporary file in pieces, and
 * each is small enough to be sorted in memory at the end. What was expected to be small and is not gets
 * buckets when it outgrows memory, and a bucket that is too large at the end is shuffled by itself, by the
 * next bits of its ranks. Ranks depend on nothing but key and row, so the number of buckets never shows.
 * Cost: O(rows), two passes over the data (a third for buckets that outgrew memory), memory bounded. */
#include "transform/shuffle.h"

#include <sodium.h>

#include "io/spool.h"

enum {
    STREAM_WORDS = 512,
    BUCKET_BYTES = 16 << 20, /* sorted in memory at a time */
    MEMORY_BYTES = 64 << 20, /* below this, one bucket and no file */
    BITS_MOST = 12,
    BITS_UNFORESEEN = 8,      /* where more came than was expected */
    RANK_BITS_MOST = 48,      /* so many bits tell any number of rows apart */
    BUFFERS_BYTES = 32 << 20, /* all buckets' buffers together */
    BUFFER_LEAST = 16 << 10
};

typedef struct extent {
    uint64_t offset;
    size_t   bytes;
} extent;

typedef struct bucket {
    char   *buffer;
    size_t  used, capacity;
    extent *extents;
    size_t  nextents, extents_capacity;
    size_t  spooled; /* bytes in extents */
    size_t  records;
} bucket;

/* A record in a bucket: its head, then its bytes. */
typedef struct head {
    uint64_t rank;
    uint64_t bytes;
} head;

typedef struct ranked {
    uint64_t rank;
    size_t   offset;
} ranked;

struct kn_shuffle {
    kanon_ctx *ctx;
    uint8_t    key[KN_ORDER_KEY_BYTES];
    uint64_t   stream[STREAM_WORDS];
    uint64_t   stream_block; /* which block of words is in stream, + 1; 0: none */
    unsigned   shift; /* leading bits that all ranks have in common: a bucket of another shuffle */
    unsigned   bits;
    size_t     buffer_bytes, memory_bytes;
    bucket    *buckets;
    kn_spool  *spool; /* made when first needed */
};

static kanon_status
make_buckets(kn_shuffle *s, unsigned bits)
{
    size_t  count = (size_t) 1 << bits;
    bucket *buckets = KN_NEW_ARRAY(s->ctx, bucket, count);

    if (!buckets)
        return KANON_E_NOMEM;
    s->bits = bits;
    s->buckets = buckets;
    s->buffer_bytes = bits == 0 ? SIZE_MAX : BUFFERS_BYTES / count;
    if (s->buffer_bytes < BUFFER_LEAST)
        s->buffer_bytes = BUFFER_LEAST;
    return KANON_OK;
}

static kanon_status
new_shuffle(kanon_ctx *ctx, unsigned shift, unsigned bits, kn_shuffle **out)
{
    kn_shuffle *s = KN_NEW(ctx, kn_shuffle);

    *out = NULL;
    if (!s)
        return KANON_E_NOMEM;
    *s = (kn_shuffle){ .ctx = ctx, .shift = shift, .memory_bytes = MEMORY_BYTES };
    if (make_buckets(s, bits) < 0) {
        kn_free(ctx, s);
        return KANON_E_NOMEM;
    }
    *out = s;
    return KANON_OK;
}

kanon_status
kn_shuffle_new(kanon_ctx *ctx, const uint8_t key[KN_ORDER_KEY_BYTES], uint64_t expected_bytes,
               kn_shuffle **out)
{
    kanon_status rc;
    unsigned     bits = 0;

    if (expected_bytes > MEMORY_BYTES)
        while (bits < BITS_MOST && expected_bytes >> bits > BUCKET_BYTES)
            bits++;
    rc = new_shuffle(ctx, 0, bits, out);
    if (rc == KANON_OK)
        memcpy((*out)->key, key, sizeof(*out)->key);
    return rc;
}

void
kn_shuffle_limit(kn_shuffle *s, size_t bytes)
{
    s->memory_bytes = bytes;
}

void
kn_shuffle_free(kn_shuffle *s)
{
    if (!s)
        return;
    for (size_t b = 0; s->buckets && b < (size_t) 1 << s->bits; b++) {
        kn_free(s->ctx, s->buckets[b].buffer);
        kn_free(s->ctx, s->buckets[b].extents);
    }
    kn_free(s->ctx, s->buckets);
    kn_spool_free(s->spool);
    sodium_memzero(s->key, sizeof s->key);
    kn_free(s->ctx, s);
}

static uint64_t
rank_of(kn_shuffle *s, uint64_t row)
{
    static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES] = { 0 };
    uint64_t             block = row / STREAM_WORDS;

    if (s->stream_block != block + 1) {
        memset(s->stream, 0, sizeof s->stream);
        crypto_stream_chacha20_xor_ic((unsigned char *) s->stream,
                                      (const unsigned char *) s->stream, sizeof s->stream, nonce,
                                      block * (sizeof s->stream / 64), s->key);
        s->stream_block = block + 1;
    }
    return s->stream[row % STREAM_WORDS];
}

static kanon_status
spill(kn_shuffle *s, bucket *b)
{
    kanon_status rc = KANON_OK;
    void        *extents = b->extents;

    if (!s->spool)
        KN_TRY(kn_spool_new(s->ctx, NULL, &s->spool));
    KN_TRY(kn_grow(s->ctx, &extents, &b->extents_capacity, b->nextents + 1, sizeof *b->extents));
    b->extents = extents;
    b->extents[b->nextents].bytes = b->used;
    KN_TRY(kn_spool_append(s->spool, b->buffer, b->used, &b->extents[b->nextents].offset));
    b->nextents++;
    b->spooled += b->used;
    b->used = 0;
out:
    return rc;
}

static kanon_status widen(kn_shuffle *s);

static kanon_status
put(kn_shuffle *s, head h, const char *record)
{
    kanon_status rc = KANON_OK;
    size_t       bytes = sizeof h + (size_t) h.bytes;
    bucket      *b = s->buckets;
    void        *buffer;

    if (s->bits == 0 && b->used && b->used + bytes > s->memory_bytes)
        KN_TRY(widen(s));
    b = &s->buckets[s->bits ? (size_t) (h.rank << s->shift >> (64 - s->bits)) : 0];
    if (b->used && b->used + bytes > s->buffer_bytes)
        KN_TRY(spill(s, b));
    buffer = b->buffer;
    KN_TRY(kn_grow(s->ctx, &buffer, &b->capacity, b->used + bytes, 1));
    b->buffer = buffer;
    memcpy(b->buffer + b->used, &h, sizeof h);
    if (h.bytes)
        memcpy(b->buffer + b->used + sizeof h, record, (size_t) h.bytes);
    b->used += bytes;
    b->records++;
out:
    return rc;
}

/* Records as they stand in a bucket. */
static kanon_status
put_all(kn_shuffle *s, const char *bytes, size_t count)
{
    kanon_status rc = KANON_OK;
    head         h;

    for (size_t at = 0; at < count; at += sizeof h + (size_t) h.bytes) {
        memcpy(&h, bytes + at, sizeof h);
        KN_TRY(put(s, h, bytes + at + sizeof h));
    }
out:
    return rc;
}

/* Many buckets instead of one. */
static kanon_status
widen(kn_shuffle *s)
{
    bucket      *old = s->buckets;
    kanon_status rc = make_buckets(s, BITS_UNFORESEEN);

    if (rc < 0)
        return rc;
    rc = put_all(s, old->buffer, old->used);
    kn_free(s->ctx, old->buffer);
    kn_free(s->ctx, old);
    return rc;
}

kanon_status
kn_shuffle_add(kn_shuffle *s, uint64_t row, kn_str record)
{
    return put(s, (head){ rank_of(s, row), record.len }, record.ptr);
}

/* Stable byte-wise radix sort on the rank; the result is in `items` again (an even number of passes). */
static void
sort_ranked(ranked *items, ranked *spare, size_t count)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t  starts[257] = { 0 };
        ranked *keep = items;

        for (size_t i = 0; i < count; i++)
            starts[(items[i].rank >> shift & 0xff) + 1]++;
        for (size_t d = 1; d < 257; d++)
            starts[d] += starts[d - 1];
        for (size_t i = 0; i < count; i++)
            spare[starts[items[i].rank >> shift & 0xff]++] = items[i];
        items = spare;
        spare = keep;
    }
}

/* The whole bucket in one block: spooled pieces, then what is still in the buffer. */
static kanon_status
load(kn_shuffle *s, bucket *b, char **out)
{
    kanon_status rc = KANON_OK;
    char        *bytes = kn_alloc(s->ctx, b->spooled + b->used);
    size_t       at = 0;

    if (!bytes)
        return KANON_E_NOMEM;
    for (size_t e = 0; e < b->nextents; e++) {
        KN_TRY(kn_spool_read(s->spool, b->extents[e].offset, bytes + at, b->extents[e].bytes));
        at += b->extents[e].bytes;
    }
    if (b->used)
        memcpy(bytes + at, b->buffer, b->used);
    *out = bytes;
    bytes = NULL;
    kn_free(s->ctx, b->buffer);
    b->buffer = NULL;
out:
    kn_free(s->ctx, bytes);
    return rc;
}

/* A bucket that is too large, by a shuffle of its own. */
static kanon_status
emit_apart(kn_shuffle *s, bucket *b, kn_emit emit, void *user)
{
    kanon_status rc = KANON_OK;
    kn_shuffle  *part = NULL;
    void        *piece = NULL;
    size_t       capacity = 0;

    KN_TRY(new_shuffle(s->ctx, s->shift + s->bits, BITS_UNFORESEEN, &part));
    part->memory_bytes = s->memory_bytes;
    for (size_t e = 0; e < b->nextents; e++) {
        KN_TRY(kn_grow(s->ctx, &piece, &capacity, b->extents[e].bytes, 1));
        KN_TRY(kn_spool_read(s->spool, b->extents[e].offset, piece, b->extents[e].bytes));
        KN_TRY(put_all(part, piece, b->extents[e].bytes));
    }
    KN_TRY(put_all(part, b->buffer, b->used));
    kn_free(s->ctx, b->buffer);
    b->buffer = NULL;
    KN_TRY(kn_shuffle_finish(part, emit, user));
out:
    kn_free(s->ctx, piece);
    kn_shuffle_free(part);
    return rc;
}

static kanon_status
emit_bucket(kn_shuffle *s, bucket *b, kn_emit emit, void *user)
{
    kanon_status rc = KANON_OK;
    char        *bytes = NULL;
    ranked      *items;
    head         h;

    if (b->spooled + b->used > s->memory_bytes && b->records > 1
        && s->shift + s->bits <= RANK_BITS_MOST)
        return emit_apart(s, b, emit, user);
    items = kn_realloc_array(s->ctx, NULL, b->records * 2, sizeof *items);
    if (!items)
        return KANON_E_NOMEM;
    KN_TRY(load(s, b, &bytes));
    for (size_t i = 0, at = 0; i < b->records; i++) {
        memcpy(&h, bytes + at, sizeof h);
        items[i] = (ranked){ h.rank, at };
        at += sizeof h + (size_t) h.bytes;
    }
    sort_ranked(items, items + b->records, b->records);
    for (size_t i = 0; i < b->records; i++) {
        memcpy(&h, bytes + items[i].offset, sizeof h);
        KN_TRY(emit(user, bytes + items[i].offset + sizeof h, (size_t) h.bytes));
    }
out:
    kn_free(s->ctx, bytes);
    kn_free(s->ctx, items);
    return rc;
}

kanon_status
kn_shuffle_finish(kn_shuffle *s, kn_emit emit, void *user)
{
    kanon_status rc = KANON_OK;

    for (size_t b = 0; b < (size_t) 1 << s->bits; b++)
        if (s->buckets[b].records)
            KN_TRY(emit_bucket(s, &s->buckets[b], emit, user));
out:
    return rc;
}

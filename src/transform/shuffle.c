/* shuffle.c -- an external shuffle.
 * Row r gets the r-th 64-bit word of a ChaCha20 key stream as its rank; the order is that of the ranks. The
 * upper bits of a rank choose a bucket; buckets are written to one private temporary file in pieces, and
 * each is small enough to be sorted in memory at the end. Ranks depend on nothing but key and row, so the
 * number of buckets never shows. Cost: O(rows), two passes over the data, memory bounded. */
#include "transform/shuffle.h"

#include <sodium.h>

#include "io/spool.h"

enum {
    STREAM_WORDS = 512,
    BUCKET_BYTES = 16 << 20, /* sorted in memory at a time */
    MEMORY_BYTES = 64 << 20, /* below this, one bucket and no file */
    BITS_MOST = 12,
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
    unsigned   bits;
    size_t     buffer_bytes;
    bucket    *buckets;
    kn_spool  *spool; /* made when first needed */
};

kanon_status
kn_shuffle_new(kanon_ctx *ctx, const uint8_t key[KN_ORDER_KEY_BYTES], uint64_t expected_bytes,
               kn_shuffle **out)
{
    kn_shuffle *s = KN_NEW(ctx, kn_shuffle);
    size_t      count;

    *out = NULL;
    if (!s)
        return KANON_E_NOMEM;
    s->ctx = ctx;
    memcpy(s->key, key, sizeof s->key);
    if (expected_bytes > MEMORY_BYTES)
        while (s->bits < BITS_MOST && expected_bytes >> s->bits > BUCKET_BYTES)
            s->bits++;
    count = (size_t) 1 << s->bits;
    s->buffer_bytes = s->bits == 0 ? SIZE_MAX : BUFFERS_BYTES / count;
    if (s->buffer_bytes < BUFFER_LEAST)
        s->buffer_bytes = BUFFER_LEAST;
    s->buckets = KN_NEW_ARRAY(ctx, bucket, count);
    if (!s->buckets) {
        kn_free(ctx, s);
        return KANON_E_NOMEM;
    }
    *out = s;
    return KANON_OK;
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

kanon_status
kn_shuffle_add(kn_shuffle *s, uint64_t row, kn_str record)
{
    kanon_status rc = KANON_OK;
    head         h = { rank_of(s, row), record.len };
    bucket      *b = &s->buckets[s->bits ? (size_t) (h.rank >> (64 - s->bits)) : 0];
    void        *buffer;

    if (b->used && b->used + sizeof h + record.len > s->buffer_bytes)
        KN_TRY(spill(s, b));
    buffer = b->buffer;
    KN_TRY(kn_grow(s->ctx, &buffer, &b->capacity, b->used + sizeof h + record.len, 1));
    b->buffer = buffer;
    memcpy(b->buffer + b->used, &h, sizeof h);
    memcpy(b->buffer + b->used + sizeof h, record.ptr, record.len);
    b->used += sizeof h + record.len;
    b->records++;
out:
    return rc;
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

static kanon_status
emit_bucket(kn_shuffle *s, bucket *b, kn_emit emit, void *user)
{
    kanon_status rc = KANON_OK;
    char        *bytes = NULL;
    ranked      *items = kn_realloc_array(s->ctx, NULL, b->records * 2, sizeof *items);
    head         h;

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

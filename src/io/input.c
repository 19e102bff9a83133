/* SPDX-License-Identifier: Apache-2.0 */
/* input.c -- the plain bytes of a source. Blocks come from the thread that reads ahead or, for small
 * sources and those of the user, from reads in place; from there on both are the same. */
#include "io/input.h"

#include "io/gzip.h"
#include "io/hash.h"
#include "io/readahead.h"
#include "io/stream.h"

enum { BLOCK_BYTES = 1 << 20 };

struct kn_input {
    kanon_ctx          *ctx;
    const kanon_source *source;
    void               *stream;
    bool                opened;
    kn_readahead       *ahead; /* or: */
    char               *block; /* for reads in place */
    size_t              block_bytes;
    kn_hash             hash;
    bool                started; /* the first block was seen */
    bool                ended;
    uint64_t            bytes;
    const char         *now; /* what is left of the current block */
    size_t              left;
    kn_gzip            *gzip; /* NULL: not compressed */
};

/* One read in place. Sources of the user cannot say more than a status: the message is made here. */
static kanon_status
read_some(kn_input *input, char *buffer, size_t capacity, size_t *got)
{
    const kanon_source *source = input->source;
    kanon_status        rc = source->read(input->stream, input->ctx, buffer, capacity, got);

    if (rc < 0 && !kn_source_is_own(source))
        return kn_fail_at(input->ctx, rc, source->name, 0, "its read function failed: %s",
                          kanon_status_text(rc));
    if (rc >= 0 && *got > capacity)
        return kn_fail_at(input->ctx, KANON_E_INVALID, source->name, 0,
                          "its read function returned %zu bytes; the maximum is %zu", *got,
                          capacity);
    return rc;
}

static kanon_status
read_block(kn_input *input)
{
    size_t count = 0, got;

    do {
        kanon_status rc;

        got = 0;
        rc = read_some(input, input->block + count, input->block_bytes - count, &got);
        if (rc < 0)
            return rc;
        count += got;
    } while (got && count < input->block_bytes);
    kn_hash_add(&input->hash, input->block, count);
    input->now = input->block;
    input->left = count;
    return KANON_OK;
}

/* The next block of the source; at the end left stays 0. */
static kanon_status
next_block(kn_input *input)
{
    kanon_status rc;
    const void  *bytes = NULL;

    if (input->ended)
        return KANON_OK;
    if (input->ahead) {
        rc = kn_readahead_next(input->ahead, &bytes, &input->left);
        input->now = bytes;
    } else {
        rc = read_block(input);
    }
    if (rc < 0)
        return rc;
    input->ended = !input->left;
    input->bytes += input->left;
    return KANON_OK;
}

static kanon_status
start(kn_input *input)
{
    kanon_status rc = next_block(input);

    input->started = true;
    if (rc == KANON_OK && kn_gzip_recognise(input->now, input->left)) {
        rc = kn_gzip_new(input->ctx, input->source->name, &input->gzip);
        if (rc == KANON_OK)
            kn_gzip_feed(input->gzip, input->now, input->left);
    }
    return rc;
}

static kanon_status
read_plain(kn_input *input, char *buffer, size_t capacity, size_t *got)
{
    while (*got < capacity) {
        size_t count = capacity - *got;

        if (!input->left) {
            kanon_status rc = next_block(input);

            if (rc < 0)
                return rc;
            if (input->ended)
                return KANON_OK;
        }
        if (count > input->left)
            count = input->left;
        memcpy(buffer + *got, input->now, count);
        input->now += count;
        input->left -= count;
        *got += count;
    }
    return KANON_OK;
}

static kanon_status
read_gzip(kn_input *input, char *buffer, size_t capacity, size_t *got)
{
    kanon_status rc = KANON_OK;

    for (;;) {
        size_t some = 0;

        KN_TRY(kn_gzip_take(input->gzip, buffer + *got, capacity - *got, &some));
        *got += some;
        if (*got == capacity)
            break;
        KN_TRY(next_block(input));
        if (input->ended)
            return kn_gzip_end(input->gzip);
        kn_gzip_feed(input->gzip, input->now, input->left);
    }
out:
    return rc;
}

kanon_status
kn_input_read(kn_input *input, char *buffer, size_t capacity, size_t *got)
{
    kanon_status rc = input->started ? KANON_OK : start(input);

    assert(capacity > 0);
    *got = 0;
    if (rc < 0)
        return rc;
    return input->gzip ? read_gzip(input, buffer, capacity, got)
                       : read_plain(input, buffer, capacity, got);
}

/* Reads in place need no more room than a source that knows its length has bytes (and one, to see the
 * end without growing): many small files are read in a job. */
static size_t
block_size(uint64_t length)
{
    return length && length < BLOCK_BYTES ? (size_t) length + 1 : BLOCK_BYTES;
}

static kanon_status
prepare(kn_input *input, kn_ahead ahead)
{
    const kanon_source *source = input->source;
    uint64_t            length = source->length ? source->length(source->user) : 0;
    bool                small = length && length <= BLOCK_BYTES;
    kanon_status        rc;

    rc = kn_hash_init(input->ctx, &input->hash);
    if (rc < 0)
        return rc;
    rc = source->open(source->user, input->ctx, &input->stream);
    if (rc < 0) {
        if (!kn_source_is_own(source))
            rc = kn_fail_at(input->ctx, rc, source->name, 0, "its open function failed: %s",
                            kanon_status_text(rc));
        return rc;
    }
    input->opened = true;
    if (kn_source_is_own(source) && ahead != KN_AHEAD_NEVER && (!small || ahead == KN_AHEAD_ALWAYS))
        rc = kn_readahead_start(input->ctx, input->stream, &input->hash, &input->ahead);
    if (rc < 0 || input->ahead)
        return rc;
    input->block_bytes = block_size(length);
    input->block = kn_alloc(input->ctx, input->block_bytes);
    return input->block ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_input_open(kanon_ctx *ctx, const kanon_source *source, kn_ahead ahead, kn_input **out)
{
    kanon_status rc;
    kn_input    *input = KN_NEW(ctx, kn_input);

    *out = NULL;
    if (!input)
        return KANON_E_NOMEM;
    *input = (kn_input){ .ctx = ctx, .source = source };
    rc = prepare(input, ahead);
    if (rc < 0)
        kn_input_close(input);
    else
        *out = input;
    return rc;
}

void
kn_input_close(kn_input *input)
{
    if (!input)
        return;
    kn_readahead_stop(input->ahead);
    if (input->opened)
        input->source->close(input->stream);
    kn_gzip_free(input->gzip);
    kn_free(input->ctx, input->block);
    kn_free(input->ctx, input);
}

uint64_t
kn_input_bytes(const kn_input *input)
{
    return input->bytes - (input->gzip ? 0 : input->left);
}

const kn_hash *
kn_input_hash(const kn_input *input)
{
    return input->ended ? &input->hash : NULL;
}

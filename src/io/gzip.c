/* SPDX-License-Identifier: Apache-2.0 */
/* gzip.c -- undoing gzip while it streams by: any number of members one after the other, each with its
 * checksum; a file that ends early or goes on with something else is refused, not read halfway. */
#include "io/gzip.h"

bool
kn_gzip_recognise(const void *bytes, size_t count)
{
    return count >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

#ifdef KANON_WITH_ZLIB

#include <limits.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 }; /* added to the window bits: a gzip header is required */

struct kn_gzip {
    kanon_ctx  *ctx;
    const char *name;
    z_stream    z;
    bool        begun;  /* inflateInit2 worked */
    bool        inside; /* a member has started and not ended */
    bool        first;  /* it is the first one */
    const char *fed;
    size_t      left;
};

static void *
allocate(void *user, unsigned count, unsigned size)
{
    return kn_alloc_array(user, count, size);
}

static void
release(void *user, void *block)
{
    kn_free(user, block);
}

kanon_status
kn_gzip_new(kanon_ctx *ctx, const char *name, kn_gzip **out)
{
    kn_gzip *gzip = KN_NEW(ctx, kn_gzip);

    *out = NULL;
    if (!gzip)
        return KANON_E_NOMEM;
    *gzip = (kn_gzip){ .ctx = ctx, .name = name, .first = true };
    gzip->z.zalloc = allocate;
    gzip->z.zfree = release;
    gzip->z.opaque = ctx;
    gzip->begun = inflateInit2(&gzip->z, MAX_WBITS + GZIP_ONLY) == Z_OK;
    if (!gzip->begun) {
        kn_gzip_free(gzip);
        return kn_fail_nomem(ctx);
    }
    *out = gzip;
    return KANON_OK;
}

void
kn_gzip_free(kn_gzip *gzip)
{
    if (!gzip)
        return;
    if (gzip->begun)
        inflateEnd(&gzip->z);
    kn_free(gzip->ctx, gzip);
}

void
kn_gzip_feed(kn_gzip *gzip, const void *bytes, size_t count)
{
    assert(gzip->left == 0);
    gzip->fed = bytes;
    gzip->left = count;
}

static kanon_status
damaged(const kn_gzip *gzip)
{
    if (!gzip->first && gzip->z.total_out == 0)
        return kn_fail_at(gzip->ctx, KANON_E_PARSE, gzip->name, 0,
                          "bytes that are not gzip follow the gzip data; remove them");
    return kn_fail_at(gzip->ctx, KANON_E_PARSE, gzip->name, 0,
                      "the gzip data is damaged (%s); fetch or create the file again",
                      gzip->z.msg ? gzip->z.msg : "unexpected content");
}

static unsigned
bounded(size_t count)
{
    return count < UINT_MAX ? (unsigned) count : UINT_MAX;
}

/* One call of inflate: some bytes of what was fed, some room of the buffer. */
static kanon_status
inflate_some(kn_gzip *gzip, char *buffer, size_t capacity, size_t *got)
{
    unsigned offered = bounded(gzip->left), room = bounded(capacity);
    int      answer;

    gzip->inside = true;
    gzip->z.next_in = (z_const Bytef *) gzip->fed;
    gzip->z.avail_in = offered;
    gzip->z.next_out = (Bytef *) buffer;
    gzip->z.avail_out = room;
    answer = inflate(&gzip->z, Z_NO_FLUSH);
    gzip->fed += offered - gzip->z.avail_in;
    gzip->left -= offered - gzip->z.avail_in;
    *got = room - gzip->z.avail_out;
    if (answer == Z_MEM_ERROR)
        return kn_fail_nomem(gzip->ctx);
    if (answer == Z_STREAM_END) {
        gzip->inside = gzip->first = false;
        inflateReset(&gzip->z);
    } else if (answer != Z_OK && answer != Z_BUF_ERROR) {
        return damaged(gzip);
    }
    return KANON_OK;
}

kanon_status
kn_gzip_take(kn_gzip *gzip, void *buffer, size_t capacity, size_t *got)
{
    char *at = buffer;

    assert(capacity > 0);
    *got = 0;
    /* A full window of output may wait inside zlib when the input is used up: the call that finds
     * nothing to do tells that it does not. */
    while (*got < capacity && (gzip->left || gzip->inside)) {
        size_t       some = 0, before = gzip->left;
        kanon_status rc = inflate_some(gzip, at + *got, capacity - *got, &some);

        if (rc != KANON_OK)
            return rc;
        *got += some;
        if (!some && gzip->left == before)
            break;
    }
    return KANON_OK;
}

kanon_status
kn_gzip_end(kn_gzip *gzip)
{
    if (!gzip->inside)
        return KANON_OK;
    return kn_fail_at(gzip->ctx, KANON_E_PARSE, gzip->name, 0,
                      "the gzip data is truncated; fetch or create the file again");
}

#else

kanon_status
kn_gzip_new(kanon_ctx *ctx, const char *name, kn_gzip **out)
{
    *out = NULL;
    return kn_fail_at(ctx, KANON_E_UNSUPPORTED, name, 0,
                      "is compressed with gzip, which this build cannot read; decompress it first");
}

void
kn_gzip_free(kn_gzip *gzip)
{
    KN_UNUSED(gzip);
}

void
kn_gzip_feed(kn_gzip *gzip, const void *bytes, size_t count)
{
    KN_UNUSED(gzip);
    KN_UNUSED(bytes);
    KN_UNUSED(count);
}

kanon_status
kn_gzip_take(kn_gzip *gzip, void *buffer, size_t capacity, size_t *got)
{
    assert(capacity > 0);
    KN_UNUSED(gzip);
    KN_UNUSED(buffer);
    KN_UNUSED(capacity);
    *got = 0;
    return KANON_E_UNSUPPORTED;
}

kanon_status
kn_gzip_end(kn_gzip *gzip)
{
    KN_UNUSED(gzip);
    return KANON_E_UNSUPPORTED;
}

#endif

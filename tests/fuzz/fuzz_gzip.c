/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_gzip.c -- gzip as a source of bytes. The first byte chooses what the rest is: a gzip stream as it
 * stands, or plain bytes that are compressed here in one or more members and then damaged a little.
 * It survives; bytes that come singly give the same as all at once; what was not damaged comes back the
 * same; and nothing is ever taken for whole that is not. */
#include "fuzz_help.h"

#include "../unit/csv_help.h"
#include "io/gzip.h"
#include "io/input.h"

#ifdef KANON_WITH_ZLIB
#include <zlib.h>
#endif

enum { PLAIN_MOST = 1 << 20, PACKED_MOST = 1 << 16 };

/* Plain bytes of a source, or the failure; false when it failed. */
static bool
read_all(const kanon_source *source, size_t step, char **out, size_t *count, char message[256])
{
    kanon_ctx   *ctx = NULL;
    kn_input    *input = NULL;
    size_t       got;
    kanon_status rc;

    *out = malloc(PLAIN_MOST + 1);
    *count = 0;
    message[0] = 0;
    REQUIRE(*out && kanon_ctx_new(NULL, &ctx) == KANON_OK);
    rc = kn_input_open(ctx, source, KN_AHEAD_NEVER, &input);
    while (rc == KANON_OK && *count < PLAIN_MOST) {
        size_t room = PLAIN_MOST - *count < step ? PLAIN_MOST - *count : step;

        rc = kn_input_read(input, *out + *count, room, &got);
        if (rc < 0 || !got)
            break;
        *count += got;
    }
    if (rc < 0) {
        fuzz_require_refusal(ctx, rc);
        snprintf(message, 256, "%s", kanon_ctx_message(ctx));
    }
    kn_input_close(input);
    kanon_ctx_free(ctx);
    return rc == KANON_OK;
}

/* All at once and byte by byte; what the first one gave is handed out. */
static bool
read_both_ways(const uint8_t *bytes, size_t size, char **out, size_t *count)
{
    kn_str text = { (const char *) bytes, size };
    drip   all, single;
    char   one[256], other[256], *again;
    size_t again_count;
    bool   good, again_good;

    drip_init(&all, text, SIZE_MAX);
    drip_init(&single, text, 1);
    good = read_all(&all.source, 65536, out, count, one);
    again_good = read_all(&single.source, 7, &again, &again_count, other);
    REQUIRE(good == again_good && strcmp(one, other) == 0);
    /* How much stands before the damage may differ by what a buffer holds; what both have is the same. */
    if (good)
        REQUIRE(*count == again_count);
    REQUIRE(memcmp(*out, again, *count < again_count ? *count : again_count) == 0);
    free(again);
    return good;
}

#ifdef KANON_WITH_ZLIB

static size_t
compress_member(const uint8_t *plain, size_t size, int level, uint8_t *out, size_t room)
{
    z_stream z = { 0 };

    REQUIRE(deflateInit2(&z, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (z_const Bytef *) plain;
    z.avail_in = (uInt) size;
    z.next_out = out;
    z.avail_out = (uInt) room;
    REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
    REQUIRE(deflateEnd(&z) == Z_OK);
    return room - z.avail_out;
}

/* Bytes 0 to 3: number of members, level, where and how the result is damaged. */
static void
pack_and_read(const uint8_t *choice, const uint8_t *plain, size_t size)
{
    static uint8_t packed[PACKED_MOST];
    size_t         members = 1 + choice[0] % 3, length = 0, count, at;
    bool           damaged = choice[3] != 0;
    char          *back;

    for (size_t m = 0; m < members; m++) {
        size_t from = size * m / members, to = size * (m + 1) / members;

        length += compress_member(plain + from, to - from, choice[1] % 10, packed + length,
                                  sizeof packed - length);
    }
    at = 2 + (length - 2) * choice[2] / 256;
    if (damaged && choice[3] & 1)
        packed[at] ^= choice[3];
    else if (damaged)
        length = at; /* cut off */
    if (read_both_ways(packed, length, &back, &count)) {
        /* Name, time and system in a member's header may be anything; a member that is gone as a whole
         * cannot be missed. Else what comes back is what went in. */
        REQUIRE(count <= size && memcmp(back, plain, count) == 0);
        if (!damaged)
            REQUIRE(count == size);
    }
    free(back);
}

#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char  *plain;
    size_t count;

    if (size < 5 || size > 8192)
        return 0;
#ifdef KANON_WITH_ZLIB
    if (data[0] & 1) {
        pack_and_read(data + 1, data + 5, size - 5);
        return 0;
    }
#endif
    read_both_ways(data + 1, size - 1, &plain, &count);
    free(plain);
    return 0;
}

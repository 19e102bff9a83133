/* SPDX-License-Identifier: Apache-2.0 */
/* hash.c -- BLAKE2b-256 of a byte stream. */
#include "io/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium/core.h>
#include <sodium/utils.h>
#include <sys/random.h>
#include <unistd.h>

static crypto_generichash_state *
state_of(kn_hash *hash)
{
    /* cppcheck-suppress ctuuninitvar ; where the room lies counts here, not what is in it */
    size_t past = (size_t) ((uintptr_t) hash->room % 64);

    return (crypto_generichash_state *) (void *) (hash->room + (past ? 64 - past : 0));
}

static const void *
const_state_of(const kn_hash *hash)
{
    size_t past = (size_t) ((uintptr_t) hash->room % 64);

    return hash->room + (past ? 64 - past : 0);
}

/* libsodium takes some when it starts, and ends the process where there are none. */
static bool
has_random_bytes(void)
{
    char    byte;
    ssize_t count;
    int     fd;

    do
        count = getrandom(&byte, sizeof byte, 0);
    while (count < 0 && errno == EINTR);
    if (count > 0)
        return true;
    fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

kanon_status
kn_hash_init(kanon_ctx *ctx, kn_hash *hash)
{
    if (!has_random_bytes())
        return kn_fail(ctx, KANON_E_IO,
                       "the system provides no random bytes; getrandom or /dev/urandom must work");
    /* sodium_init picks the fast implementation for this processor; twice is fine. */
    if (sodium_init() < 0)
        return kn_fail(ctx, KANON_E_INTERNAL, "libsodium cannot be initialised");
    crypto_generichash_init(state_of(hash), NULL, 0, KN_HASH_BYTES);
    return KANON_OK;
}

void
kn_hash_add(kn_hash *hash, const void *bytes, size_t count)
{
    crypto_generichash_update(state_of(hash), bytes, count);
}

void
kn_hash_end(const kn_hash *hash, uint8_t digest[KN_HASH_BYTES])
{
    kn_hash copy;

    /* Not by assignment: where the state lies in its room depends on where the room lies. */
    memcpy(state_of(&copy), const_state_of(hash), sizeof(crypto_generichash_state));
    crypto_generichash_final(state_of(&copy), digest, KN_HASH_BYTES);
    sodium_memzero(&copy, sizeof copy);
}

void
kn_hash_hex(const uint8_t *bytes, size_t count, char *out)
{
    static const char digits[] = "0123456789abcdef";

    assert(bytes && out);
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c -- for builds with the memory sanitizer only: libsodium, libyaml and zlib are the system's and were
 * not built with it, so it does not see what they write. Each call of theirs that writes goes through a
 * function here (the linker's --wrap), which says so. What they read is checked for the hash of a stream, for
 * SipHash and for inflate; what the others read (keys, what is parsed, deflated, encrypted) by nobody. */
#include <sanitizer/msan_interface.h>
#include <sodium.h>
#include <string.h>
#include <yaml.h>
#ifdef KANON_WITH_ZLIB
#include <zlib.h>
#endif

/* The linker's names for the function that is wrapped and for its wrapper. */
#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__); /* NOLINT(bugprone-reserved-identifier) */                    \
    type __wrap_##name(__VA_ARGS__); /* NOLINT(bugprone-reserved-identifier) */                    \
    type __wrap_##name(__VA_ARGS__)  /* NOLINT(bugprone-reserved-identifier) */

/* --- libsodium ---------------------------------------------------------------------------------- */

WRAPPED(int, crypto_generichash, unsigned char *out, size_t size, const unsigned char *in,
        unsigned long long count, const unsigned char *key, size_t key_size)
{
    int rc = __real_crypto_generichash(out, size, in, count, key, key_size);

    __msan_unpoison(out, size);
    return rc;
}

WRAPPED(int, crypto_generichash_init, crypto_generichash_state *state, const unsigned char *key,
        size_t key_size, size_t size)
{
    int rc = __real_crypto_generichash_init(state, key, key_size, size);

    __msan_unpoison(state, sizeof *state);
    return rc;
}

WRAPPED(int, crypto_generichash_update, crypto_generichash_state *state, const unsigned char *in,
        unsigned long long count)
{
    __msan_check_mem_is_initialized(in, (size_t) count);
    return __real_crypto_generichash_update(state, in, count);
}

WRAPPED(int, crypto_generichash_final, crypto_generichash_state *state, unsigned char *out,
        size_t size)
{
    int rc = __real_crypto_generichash_final(state, out, size);

    __msan_unpoison(out, size);
    return rc;
}

WRAPPED(int, crypto_shorthash_siphashx24, unsigned char *out, const unsigned char *in,
        unsigned long long count, const unsigned char *key)
{
    int rc;

    __msan_check_mem_is_initialized(in, (size_t) count);
    rc = __real_crypto_shorthash_siphashx24(out, in, count, key);
    __msan_unpoison(out, crypto_shorthash_siphashx24_BYTES);
    return rc;
}

WRAPPED(int, crypto_stream_chacha20_xor_ic, unsigned char *out, const unsigned char *in,
        unsigned long long count, const unsigned char *nonce, uint64_t ic, const unsigned char *key)
{
    int rc = __real_crypto_stream_chacha20_xor_ic(out, in, count, nonce, ic, key);

    __msan_unpoison(out, (size_t) count);
    return rc;
}

WRAPPED(void, randombytes_buf, void *const out, const size_t size)
{
    __real_randombytes_buf(out, size);
    __msan_unpoison(out, size);
}

/* --- libyaml ------------------------------------------------------------------------------------ */

static void
show_text(const yaml_char_t *text)
{
    if (text)
        __msan_unpoison_string((const char *) text);
}

WRAPPED(int, yaml_parser_initialize, yaml_parser_t *parser)
{
    int rc = __real_yaml_parser_initialize(parser);

    __msan_unpoison(parser, sizeof *parser);
    return rc;
}

WRAPPED(int, yaml_parser_parse, yaml_parser_t *parser, yaml_event_t *event)
{
    int rc;

    /* It calls strlen and the like on its own texts, of which the sanitizer knows nothing. */
    __msan_scoped_disable_interceptor_checks();
    rc = __real_yaml_parser_parse(parser, event);
    __msan_scoped_enable_interceptor_checks();
    __msan_unpoison(parser, sizeof *parser);
    __msan_unpoison(event, sizeof *event);
    if (parser->problem)
        __msan_unpoison_string(parser->problem);
    if (parser->context)
        __msan_unpoison_string(parser->context);
    if (!rc)
        return rc;
    if (event->type == YAML_SCALAR_EVENT) {
        __msan_unpoison(event->data.scalar.value, event->data.scalar.length + 1);
        show_text(event->data.scalar.anchor);
        show_text(event->data.scalar.tag);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        show_text(event->data.sequence_start.anchor);
        show_text(event->data.sequence_start.tag);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        show_text(event->data.mapping_start.anchor);
        show_text(event->data.mapping_start.tag);
    } else if (event->type == YAML_ALIAS_EVENT) {
        show_text(event->data.alias.anchor);
    }
    return rc;
}

/* --- zlib --------------------------------------------------------------------------------------- */

#ifdef KANON_WITH_ZLIB

WRAPPED(int, inflateInit2_, z_streamp z, int bits, const char *version, int size)
{
    int rc = __real_inflateInit2_(z, bits, version, size);

    __msan_unpoison(z, sizeof *z);
    return rc;
}

WRAPPED(int, inflate, z_streamp z, int flush)
{
    unsigned char *out = z->next_out;
    int            rc;

    __msan_check_mem_is_initialized(z->next_in, z->avail_in);
    rc = __real_inflate(z, flush);
    __msan_unpoison(z, sizeof *z);
    __msan_unpoison(out, (size_t) (z->next_out - out));
    if (z->msg)
        __msan_unpoison_string(z->msg);
    return rc;
}

/* The tests compress, too. */
WRAPPED(int, deflate, z_streamp z, int flush)
{
    unsigned char *out = z->next_out;
    int            rc = __real_deflate(z, flush);

    __msan_unpoison(z, sizeof *z);
    __msan_unpoison(out, (size_t) (z->next_out - out));
    return rc;
}

WRAPPED(int, inflateReset, z_streamp z)
{
    int rc = __real_inflateReset(z);

    __msan_unpoison(z, sizeof *z);
    return rc;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* pseudonym.c -- see pseudonym.h. 125 bits of the hash are shown: among 2^32 cells two have one pseudonym
 * with a chance of 2^-62, and then nothing is released. Cost: a hash a cell, 32 bytes a different one. */
#include "problem/pseudonym.h"

#include <sodium.h>

#include "io/private.h"
#include "table/mapped.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";

bool
kn_config_pseudonym(const kanon_config *config, kn_str name)
{
    const kn_attribute *attribute = kn_config_attribute(config, name);

    return attribute && attribute->pseudonym && attribute->role == KN_ROLE_IDENTIFIER;
}

bool
kn_pseudonym_shaped(kn_str text)
{
    if (text.len != KN_PSEUDONYM_LETTERS || text.ptr[0] != 'p')
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (!text.ptr[i] || !strchr(letters, text.ptr[i]))
            return false;
    return true;
}

static kanon_status
note(const kn_pseudonyms *p, kn_keyset *set, kn_str text)
{
    uint8_t print[KN_PSEUDONYM_PRINT];
    size_t  number;

    crypto_shorthash_siphashx24(print, (const unsigned char *) text.ptr, text.len, p->print_key);
    return kn_keyset_add(set, print, &number);
}

/* The room is filled twice: with what is hashed, then with the pseudonym. */
static kanon_status
replace(const kn_cell_map *map, const kn_rows *rows, kn_str *cell, kn_text *room)
{
    kanon_status               rc = KANON_OK;
    const kn_pseudonym_column *c = map->what;
    uint8_t                    hash[KN_PSEUDONYM_PRINT];
    char                       text[KN_PSEUDONYM_LETTERS] = { 'p' };

    KN_UNUSED(rows);
    if (kn_config_missing(map->config, *cell))
        return KANON_OK;
    KN_TRY(note(c->all, c->read, *cell));
    kn_text_add_framed(room, kn_str_of(c->name));
    kn_text_add_framed(room, *cell);
    KN_TRY(kn_text_status(room));
    crypto_generichash(hash, sizeof hash, (const unsigned char *) room->ptr, room->len, c->all->key,
                       sizeof c->all->key);
    for (size_t i = 1; i < sizeof text; i++) {
        size_t   bit = (i - 1) * 5;
        unsigned next = bit / 8 + 1 < sizeof hash ? hash[bit / 8 + 1] : 0;
        unsigned two = (unsigned) hash[bit / 8] << 8 | next;

        text[i] = letters[two >> (11 - bit % 8) & 31];
    }
    room->len = 0;
    kn_text_add(room, (kn_str){ text, sizeof text });
    KN_TRY(kn_text_status(room));
    *cell = (kn_str){ room->ptr, room->len };
    rc = note(c->all, c->made, *cell);
out:
    return rc;
}

/* --- keys ---------------------------------------------------------------------------------------- */

static kanon_status
read_key(kanon_ctx *ctx, const kanon_config *config, char secret[KN_ORDER_KEY_MOST + 1])
{
    char         text[KN_ORDER_KEY_MOST + 8];
    size_t       length;
    kanon_status rc = kn_private_read(ctx, config->pseudonym_key, text, sizeof text, &length);
    kn_str       key = kn_str_trim((kn_str){ text, rc < 0 ? 0 : length });
    bool         fits;

    if (rc < 0)
        return rc;
    while (key.len && (key.ptr[key.len - 1] == '\n' || key.ptr[key.len - 1] == '\r'))
        key.len--;
    fits = key.len >= KN_ORDER_KEY_LEAST && key.len <= KN_ORDER_KEY_MOST;
    for (size_t i = 0; fits && i < key.len; i++) {
        fits = key.ptr[i] && strchr("0123456789abcdefABCDEF", key.ptr[i]);
        secret[i] = key.ptr[i];
        secret[i + 1] = 0;
    }
    sodium_memzero(text, sizeof text);
    if (!fits)
        return kn_fail_at(ctx, KANON_E_INVALID, config->pseudonym_key, 0,
                          "expected 32 to 64 hexadecimal digits; make a key with `(umask 077; "
                          "openssl rand -hex 32 > FILE)`");
    return KANON_OK;
}

static kanon_status
choose_keys(kn_pseudonyms *p, const kanon_config *config, const char *given)
{
    static const char purpose[] = "kanon pseudonyms 1";
    kanon_status      rc = KANON_OK;
    char              secret[KN_ORDER_KEY_MOST + 1] = "";
    int               error = kn_random_bytes(p->print_key, sizeof p->print_key);
    kn_hash           hash;

    if (!error)
        error = kn_random_bytes(p->key, sizeof p->key);
    if (error)
        return kn_fail_errno(p->ctx, NULL, "random bytes for pseudonyms", error);
    if (config->pseudonym_key)
        KN_TRY(read_key(p->ctx, config, secret));
    else if (given[0])
        memcpy(secret, given, strlen(given) + 1);
    else
        return KANON_OK;
    for (char *c = secret; *c; c++)
        *c = (char) (*c >= 'A' && *c <= 'F' ? *c - 'A' + 'a' : *c);
    KN_TRY(kn_hash_init(p->ctx, &hash));
    kn_hash_add(&hash, purpose, sizeof purpose);
    kn_hash_add(&hash, secret, strlen(secret));
    kn_hash_end(&hash, p->key);
    sodium_memzero(&hash, sizeof hash);
out:
    sodium_memzero(secret, sizeof secret);
    return rc;
}

/* --- all of them --------------------------------------------------------------------------------- */

static kanon_status
add_column(kn_pseudonyms *p, const char *name)
{
    kn_pseudonym_column *c = &p->columns[p->count++];
    kanon_status         rc;

    *c = (kn_pseudonym_column){ .all = p, .name = name };
    rc = kn_keyset_new(p->ctx, KN_PSEUDONYM_PRINT, &c->read);
    return rc < 0 ? rc : kn_keyset_new(p->ctx, KN_PSEUDONYM_PRINT, &c->made);
}

kanon_status
kn_pseudonyms_open(kn_pseudonyms *p, kanon_ctx *ctx, const kanon_config *config, const char *secret,
                   kn_rows_source *of)
{
    kanon_status rc = KANON_OK;
    kn_cell_map *maps = KN_NEW_ARRAY(ctx, kn_cell_map, config->nattributes);

    *p = (kn_pseudonyms){ .ctx = ctx, .of = of, .source = of };
    p->columns = KN_NEW_ARRAY(ctx, kn_pseudonym_column, config->nattributes);
    KN_TRY(KN_HAVE(maps && p->columns));
    for (size_t i = 0; i < config->nattributes; i++)
        if (kn_config_pseudonym(config, kn_str_of(config->attributes[i].name))) {
            KN_TRY(add_column(p, config->attributes[i].name));
            maps[p->count - 1] = (kn_cell_map){ config->attributes[i].name, replace,
                                                &p->columns[p->count - 1], config };
        }
    if (p->count)
        KN_TRY(choose_keys(p, config, secret));
    else if (config->pseudonym_key)
        kn_warn(ctx, KN_FOUND_IDLE_SETTING, kn_at_setting("pseudonym-key"),
                "pseudonym-key: has no effect, because no column has pseudonyms" KN_DO
                "use it with --pseudonym COLUMN");
    KN_TRY(kn_mapped_new(ctx, of, maps, p->count, &p->source));
out:
    kn_free(ctx, maps);
    return rc;
}

kanon_status
kn_pseudonyms_check(const kn_pseudonyms *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (kn_keyset_count(p->columns[i].read) != kn_keyset_count(p->columns[i].made))
            return kn_fail(p->ctx, KANON_E_VERIFY,
                           "column '%s' has not as many pseudonyms as cells; nothing was released, "
                           "run the job again with another key",
                           p->columns[i].name);
    return KANON_OK;
}

void
kn_pseudonyms_close(kn_pseudonyms *p)
{
    if (!p->ctx)
        return;
    kn_mapped_free(p->ctx, p->source, p->of);
    for (size_t i = 0; i < p->count; i++) {
        kn_keyset_free(p->columns[i].read);
        kn_keyset_free(p->columns[i].made);
    }
    kn_free(p->ctx, p->columns);
    sodium_memzero(p->key, sizeof p->key);
}

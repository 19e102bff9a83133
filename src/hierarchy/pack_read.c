/* SPDX-License-Identifier: Apache-2.0 */
/* pack_read.c -- the file of a code system, understood, and codes looked up in it. The files are part of the
 * library and a test reads all of them, so that a mistake in one is a mistake of the program: an assert.
 * Cost: a sort of the keys, then a few forms and a binary search a value. */
#include "base/sort.h"
#include "encode/value.h"
#include "hierarchy/pack.h"

const kanon_pack *
kanon_pack_at(size_t index)
{
    return index < kn_pack_file_count ? &kn_pack_files[index].about : NULL;
}

const kn_pack_file *
kn_pack_named(const char *name)
{
    for (size_t i = 0; i < kn_pack_file_count; i++)
        if (strcmp(kn_pack_files[i].about.name, name) == 0)
            return &kn_pack_files[i];
    return NULL;
}

/* --- the head ----------------------------------------------------------------------------------- */

static bool
is_separator(char c)
{
    return c == '|' || c == '.' || c == '-' || c == ' ';
}

static size_t
count_pieces(kn_str form)
{
    size_t pieces = 1;

    for (size_t i = 0; i < form.len; i++) {
        if (form.ptr[i] == '~')
            i++;
        else
            pieces += is_separator(form.ptr[i]);
    }
    return pieces;
}

static size_t
read_count(kn_str value)
{
    kn_decimal number = { 0, 0 };

    kn_decimal_parse_strict(value, &number);
    return (size_t) number.mantissa;
}

/* A separator of a list may not be one of a form, so both are commas. */
static size_t
read_list(kn_str value, kn_str *list, size_t room)
{
    size_t count = 0;
    kn_str piece;

    while (kn_str_split(&value, ',', &piece)) {
        assert(count < room && piece.len);
        list[count++] = piece;
    }
    KN_UNUSED(room);
    return count;
}

static void
read_head(kn_pack *pack, kn_str key, kn_str value)
{
    if (kn_str_equal(key, KN_STR("levels")))
        pack->nlevels = read_list(value, pack->levels, KN_COUNT(pack->levels));
    else if (kn_str_equal(key, KN_STR("forms")))
        pack->nforms = read_list(value, pack->forms, KN_COUNT(pack->forms));
    else if (kn_str_equal(key, KN_STR("key")))
        pack->key_pieces = read_count(value);
    else if (kn_str_equal(key, KN_STR("zeros")))
        pack->zeros = read_count(value);
    else if (kn_str_equal(key, KN_STR("fill")))
        pack->fill = read_count(value);
    else if (kn_str_equal(key, KN_STR("endings")))
        pack->endings = value;
    for (size_t f = 0; f < pack->nforms; f++)
        if (count_pieces(pack->forms[f]) > pack->npieces)
            pack->npieces = count_pieces(pack->forms[f]);
}

/* --- the table ---------------------------------------------------------------------------------- */

static kanon_status
add_key(kanon_ctx *ctx, kn_pack *pack, kn_str range, const kn_str *labels)
{
    void        *block = pack->keys;
    const char  *dash = memchr(range.ptr, '-', range.len);
    size_t       length = dash ? (size_t) (dash - range.ptr) : range.len;
    kanon_status rc = kn_grow(ctx, &block, &pack->keys_capacity, pack->nkeys + 1,
                              sizeof *pack->keys);

    pack->keys = block;
    if (rc < 0)
        return rc;
    pack->keys[pack->nkeys++] = (kn_pack_key){ { range.ptr, length },
                                               { range.ptr + (dash ? length + 1 : 0), length },
                                               labels };
    return KANON_OK;
}

static kanon_status
read_line(kanon_ctx *ctx, kn_pack *pack, kn_str line)
{
    kanon_status rc = KANON_OK;
    size_t       nlabels = pack->nlevels - pack->npieces, n = 0;
    kn_str      *labels = kn_arena_alloc(&pack->arena, (nlabels + 1) * sizeof *labels);
    kn_str       keys, range;

    if (!labels)
        return KANON_E_NOMEM;
    kn_str_split(&line, ';', &keys);
    while (n < nlabels && kn_str_split(&line, ';', &labels[n]))
        n++;
    assert(n == nlabels);
    while (kn_str_split(&keys, ' ', &range))
        KN_TRY(add_key(ctx, pack, range, labels));
out:
    return rc;
}

static bool
key_before(const kn_pack_key *a, const kn_pack_key *b, const void *context)
{
    KN_UNUSED(context);
    return a->first.len != b->first.len ? a->first.len < b->first.len
                                        : kn_str_compare(a->first, b->first) < 0;
}

KN_DEFINE_SORT(sort_keys, kn_pack_key, key_before)

kanon_status
kn_pack_open(kanon_ctx *ctx, const kn_pack_file *file, kn_pack *pack)
{
    kanon_status rc = KANON_OK;
    kn_str       rest = { (const char *) file->bytes, file->count }, line, key;

    memset(pack, 0, sizeof *pack);
    kn_arena_init(&pack->arena, ctx);
    pack->about = &file->about;
    pack->key_pieces = 1;
    while (kn_str_split(&rest, '\n', &line)) {
        if (line.len && *line.ptr == '#') {
            line = kn_str_trim((kn_str){ line.ptr + 1, line.len - 1 });
            kn_str_split(&line, ':', &key);
            read_head(pack, key, kn_str_trim(line));
        } else if (line.len) {
            assert(pack->npieces && pack->npieces <= pack->nlevels);
            KN_TRY(read_line(ctx, pack, line));
        }
    }
    sort_keys(pack->keys, pack->nkeys, NULL);
out:
    return rc;
}

void
kn_pack_fini(kn_pack *pack)
{
    if (!pack->arena.ctx)
        return;
    kn_free(pack->arena.ctx, pack->keys);
    kn_arena_fini(&pack->arena);
    memset(pack, 0, sizeof *pack);
}

size_t
kn_pack_level(const kn_pack *pack, const char *name)
{
    for (size_t l = 0; l < pack->nlevels; l++)
        if (kn_str_equal(pack->levels[l], kn_str_of(name)))
            return l;
    return SIZE_MAX;
}

/* --- codes -------------------------------------------------------------------------------------- */

static bool
is_large(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool
fits(char class, char c)
{
    switch (class) {
    case 'a':
        return is_large(c);
    case '#':
        return kn_is_digit(c);
    case '?':
        return is_large(c) || kn_is_digit(c);
    default:
        return class == c;
    }
}

/* Is the cell, in large letters, of the form? */
static bool
match(kn_str form, kn_str cell, kn_pack_code *code)
{
    size_t at = 0, length = 0;

    code->npieces = 0;
    code->before[0] = 0;
    for (size_t i = 0; i < form.len; i++) {
        char c = form.ptr[i];

        if (is_separator(c)) {
            while (c != '|' && at < cell.len && cell.ptr[at] == c)
                at++;
            code->ends[code->npieces++] = length;
            code->before[code->npieces] = c == '|' ? 0 : c;
            continue;
        }
        if (c == '~')
            i++;
        if (at == cell.len || !fits(form.ptr[i], cell.ptr[at]))
            return false;
        if (c != '~')
            code->text[length++] = cell.ptr[at];
        at++;
    }
    code->ends[code->npieces++] = length;
    return at == cell.len;
}

static const kn_pack_key *
look_up(const kn_pack *pack, kn_str text)
{
    kn_pack_key wanted = { text, text, NULL };
    size_t      low = 0, high = pack->nkeys;

    while (low < high) { /* the first key that begins behind the text */
        size_t middle = low + (high - low) / 2;

        if (key_before(&wanted, &pack->keys[middle], NULL))
            high = middle;
        else
            low = middle + 1;
    }
    if (!low || pack->keys[low - 1].first.len != text.len
        || kn_str_compare(text, pack->keys[low - 1].last) > 0)
        return NULL;
    return &pack->keys[low - 1];
}

static bool
find_in_forms(const kn_pack *pack, kn_str cell, kn_pack_code *code)
{
    for (size_t f = 0; f < pack->nforms; f++) {
        size_t pieces;

        if (!match(pack->forms[f], cell, code))
            continue;
        pieces = code->npieces < pack->key_pieces ? code->npieces : pack->key_pieces;
        code->key = look_up(pack, (kn_str){ code->text, code->ends[pieces - 1] });
        if (code->key)
            return true;
    }
    return false;
}

bool
kn_pack_find(const kn_pack *pack, kn_str cell, kn_pack_code *code)
{
    char   large[KN_PACK_CODE];
    size_t room = sizeof large - pack->zeros;

    cell = kn_str_trim(cell);
    while (cell.len && pack->endings.len
           && memchr(pack->endings.ptr, cell.ptr[cell.len - 1], pack->endings.len))
        cell.len--;
    if (!cell.len || cell.len > room)
        return false;
    memset(large, '0', pack->zeros);
    for (size_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];

        large[pack->zeros + i] = c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
    }
    for (size_t zeros = 0; zeros <= (kn_is_digit(*cell.ptr) ? pack->zeros : 0); zeros++)
        if (find_in_forms(pack, (kn_str){ large + pack->zeros - zeros, cell.len + zeros }, code))
            return true;
    return false;
}

kn_str
kn_pack_label(const kn_pack *pack, const kn_pack_code *code, size_t level,
              char room[2 * KN_PACK_CODE])
{
    size_t keep, length = 0, from = 0;
    kn_str label = { NULL, 0 };

    assert(level < pack->nlevels);
    if (level >= pack->npieces)
        label = code->key->labels[level - pack->npieces];
    if (label.ptr && !kn_str_equal(label, KN_STR("=")))
        return label;
    keep = label.ptr ? pack->key_pieces : pack->npieces - level;
    for (size_t p = 0; p < keep && p < code->npieces; from = code->ends[p++]) {
        if (code->before[p])
            room[length++] = code->before[p];
        memcpy(room + length, code->text + from, code->ends[p] - from);
        length += code->ends[p] - from;
    }
    while (length < pack->fill && keep < code->npieces)
        room[length++] = '*';
    return (kn_str){ room, length };
}

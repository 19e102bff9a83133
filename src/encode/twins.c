/* SPDX-License-Identifier: Apache-2.0 */
/* twins.c -- which texts read alike. Each is folded to a key, and equal keys are found in a dictionary,
 * which is exact. Cost: a hash a value, and for a moment as much memory as a dictionary of the values. */
#include "encode/twins.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/text.h"
#include "table/dict.h"

enum {
    LENGTH_MOST = 1000,    /* bytes; longer texts are nobody's diagnosis or number */
    VALUES_MOST = 1 << 20, /* that are looked at */
    EXPONENT_DIGITS = 3    /* what has more is rather a code with an e in it */
};

/* --- letters ----------------------------------------------------------------------------------- */

/* The small letter of a capital of Latin-1 or Latin Extended-A; other characters stay. A Turkish dotted
 * capital I has none of its own. */
static unsigned
small_letter(unsigned c)
{
    bool even = (c >= 0x100 && c <= 0x137 && c != 0x130) || (c >= 0x14a && c <= 0x177);
    bool odd = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e);

    if (c >= 0xc0 && c <= 0xde && c != 0xd7)
        return c + 0x20;
    if (c == 0x178)
        return 0xff;
    return (even && c % 2 == 0) || (odd && c % 2 == 1) ? c + 1 : c;
}

void
kn_fold_case(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char *at = (unsigned char *) text + i;

        if (*at >= 'A' && *at <= 'Z')
            *at = (unsigned char) (*at + ('a' - 'A'));
        if (*at >= 0xc3 && *at <= 0xc5 && i + 1 < len && (at[1] & 0xc0) == 0x80) {
            unsigned c = small_letter((*at & 0x1fU) << 6 | (at[1] & 0x3fU));

            at[0] = (unsigned char) (0xc0 | c >> 6);
            at[1] = (unsigned char) (0x80 | (c & 0x3f));
            i++;
        }
    }
}

/* --- blanks ------------------------------------------------------------------------------------ */

/* Characters that show nothing: of ASCII, and the others of Unicode that turn up in tables. */
static const struct {
    const char *bytes;
    bool        gap; /* it takes room, as a blank does */
} blanks[] = {
    { " ", true },
    { "\t", true },
    { "\r", true },
    { "\n", true },
    { "\v", true },
    { "\f", true },
    { "\xc2\xa0", true },      /* no-break space */
    { "\xe2\x80\x87", true },  /* figure space */
    { "\xe2\x80\x89", true },  /* thin space */
    { "\xe2\x80\xaf", true },  /* narrow no-break space */
    { "\xe3\x80\x80", true },  /* ideographic space */
    { "\xc2\xad", false },     /* soft hyphen */
    { "\xe2\x80\x8b", false }, /* zero width space */
    { "\xe2\x80\x8c", false }, /* zero width non-joiner */
    { "\xe2\x80\x8d", false }, /* zero width joiner */
    { "\xe2\x81\xa0", false }, /* word joiner */
    { "\xef\xbb\xbf", false }, /* byte-order mark */
};

/* The blank at the beginning or the end of a text: how many bytes it has; 0: there is none. */
static size_t
blank_of(kn_str text, bool at_end, bool *gap)
{
    unsigned char c;

    if (!text.len)
        return 0;
    c = (unsigned char) text.ptr[at_end ? text.len - 1 : 0];
    if (c > ' ' && c < 0x80)
        return 0; /* most end here */
    for (size_t i = 0; i < KN_COUNT(blanks); i++) {
        size_t len = strlen(blanks[i].bytes);

        if (len > text.len
            || memcmp(text.ptr + (at_end ? text.len - len : 0), blanks[i].bytes, len) != 0)
            continue;
        *gap = blanks[i].gap;
        return len;
    }
    return 0;
}

static kn_str
advance(kn_str text, size_t bytes)
{
    return (kn_str){ text.ptr + bytes, text.len - bytes };
}

static kn_str
trim(kn_str text)
{
    bool   gap;
    size_t bytes;

    while ((bytes = blank_of(text, false, &gap)))
        text = advance(text, bytes);
    while ((bytes = blank_of(text, true, &gap)))
        text.len -= bytes;
    return text;
}

/* --- keys -------------------------------------------------------------------------------------- */

/* "e3", "E-02" or nothing: what is behind the digits of a number, to its end. */
static bool
read_exponent(kn_str text, int64_t *exponent)
{
    int64_t value = 0;
    bool    negative;

    if (!text.len)
        return true;
    if (*text.ptr != 'e' && *text.ptr != 'E')
        return false;
    text = advance(text, 1);
    negative = text.len && *text.ptr == '-';
    if (text.len && (*text.ptr == '-' || *text.ptr == '+'))
        text = advance(text, 1);
    if (!text.len || text.len > EXPONENT_DIGITS)
        return false;
    for (; text.len && kn_is_digit(*text.ptr); text = advance(text, 1))
        value = value * 10 + (*text.ptr - '0');
    *exponent += negative ? -value : value;
    return !text.len;
}

/* A number of any length, exactly: its digits without zeros before and behind them, and where they stand. */
static bool
add_number(kn_text *key, kn_str text)
{
    int64_t exponent = 0;
    bool    digits = false, marked = false, negative = text.len && *text.ptr == '-';
    size_t  from;

    if (kn_maybe_thousands(text))
        return false; /* nobody can tell which number that is */
    if (text.len && (*text.ptr == '-' || *text.ptr == '+'))
        text = advance(text, 1);
    kn_text_addz(key, negative ? "-" : "+");
    from = key->len;
    for (; text.len; text = advance(text, 1)) {
        if (!marked && (*text.ptr == '.' || *text.ptr == ',')) {
            marked = true;
            continue;
        }
        if (!kn_is_digit(*text.ptr))
            break;
        digits = true;
        exponent -= marked;
        if (*text.ptr != '0' || key->len > from)
            kn_text_add(key, (kn_str){ text.ptr, 1 });
    }
    if (!digits || !read_exponent(text, &exponent)) {
        key->len = 0;
        return false;
    }
    for (; key->len > from && key->ptr[key->len - 1] == '0'; key->len--)
        exponent++;
    if (key->len > from)
        kn_text_add(key, (kn_str){ (const char *) &exponent, sizeof exponent });
    else
        key->len = 0; /* zero has no sign, and a key that nothing else has */
    return true;
}

/* Two moments of a day are different values; midnight is how some programs write a day. */
static bool
is_midnight(kn_str text)
{
    size_t i = 0;

    while (i < text.len && text.ptr[i] != ' ' && text.ptr[i] != 'T')
        i++;
    for (; i < text.len; i++)
        if (kn_is_digit(text.ptr[i]) && text.ptr[i] != '0')
            return false;
    return true;
}

/* A day is alike however it is written, 19700131 among the ways. Of day and month the day comes first, where
 * both could. */
static bool
add_date(kn_text *key, kn_str text)
{
    kn_date date;
    char    day[32];

    for (unsigned f = 0; f < KN_DATE_YMD_PLAIN; f++) {
        if (!kn_date_parse(text, (kn_date_format) f, &date))
            continue;
        if (!is_midnight(text))
            return false;
        snprintf(day, sizeof day, "%04d%02u%02u", (int) date.year, (unsigned) date.month,
                 (unsigned) date.day);
        return add_number(key, kn_str_of(day));
    }
    return false;
}

/* The letter before it keeps it apart from numbers. */
static void
add_text(kn_text *key, kn_str text)
{
    kn_text_addz(key, "t");
    while (text.len) {
        size_t run = 0, bytes;
        bool   gap = false, wide = false;

        while (run < text.len && !blank_of(advance(text, run), false, &gap))
            run++;
        kn_text_add(key, (kn_str){ text.ptr, run });
        for (text = advance(text, run); (bytes = blank_of(text, false, &gap));
             text = advance(text, bytes))
            wide |= gap;
        if (wide)
            kn_text_addz(key, " ");
    }
    if (!key->failed)
        kn_fold_case(key->ptr, key->len);
}

static void
fold(kn_text *key, kn_str text, kn_twin_fold how)
{
    bool number;

    key->len = 0;
    text = trim(text);
    number = text.len && (kn_is_digit(*text.ptr) || strchr("+-.,", *text.ptr));
    if (how == KN_FOLD_VALUE && number && (add_number(key, text) || add_date(key, text)))
        return;
    key->len = 0;
    add_text(key, text);
}

/* --- twins ------------------------------------------------------------------------------------- */

typedef struct finder {
    kn_twin_fold how;
    uint64_t     skip; /* keys with one of these bits in their hash are left out */
    kn_text      key;
    kn_dict     *keys;
    uint32_t    *owner; /* of each key: the value that had it first */
} finder;

/* Which value had the key first; it itself, if none had. The choice of a sample must not differ from run to
 * run, so its hash has no seed. */
static kanon_status
find_first(finder *f, kn_str text, uint32_t self, uint32_t *first)
{
    uint32_t     code, before = kn_dict_count(f->keys);
    kanon_status rc;

    *first = self;
    fold(&f->key, text, f->how);
    rc = kn_text_status(&f->key);
    if (rc < 0 || (f->skip && (kn_hash_bytes(f->key.ptr, f->key.len) & f->skip)))
        return rc;
    rc = kn_dict_add(f->keys, (kn_str){ f->key.ptr, f->key.len }, &code);
    if (rc < 0)
        return rc;
    if (code == before)
        f->owner[code] = self;
    *first = f->owner[code];
    return KANON_OK;
}

kanon_status
kn_twins_find(kanon_ctx *ctx, const kn_domain *domain, kn_twin_fold how, uint32_t *first,
              bool *sample)
{
    kanon_status rc = KANON_OK;
    finder       f = { .how = how };
    uint32_t     ignored;

    assert(domain->missing == KN_NO_CODE || domain->missing < domain->count);
    kn_text_init(&f.key, ctx);
    while (domain->count / (f.skip + 1) > VALUES_MOST)
        f.skip = 2 * f.skip + 1;
    *sample = f.skip > 0;
    f.owner = KN_NEW_ARRAY(ctx, uint32_t, domain->count + domain->ntokens);
    KN_TRY(KN_HAVE(f.owner));
    KN_TRY(kn_dict_new(ctx, &f.keys));
    for (size_t i = 0; domain->missing != KN_NO_CODE && i < domain->ntokens; i++)
        KN_TRY(find_first(&f, domain->tokens[i], domain->missing, &ignored));
    for (uint32_t v = 0; v < domain->count; v++) {
        first[v] = v;
        if (v != domain->missing && domain->values[v].len <= LENGTH_MOST)
            KN_TRY(find_first(&f, domain->values[v], v, &first[v]));
    }
out:
    kn_dict_free(f.keys);
    kn_free(ctx, f.owner);
    kn_text_fini(&f.key);
    return rc;
}

kanon_status
kn_twins_count(kanon_ctx *ctx, const kn_domain *domain, uint64_t *count, bool *sample)
{
    kanon_status rc = KANON_OK;
    uint32_t    *first = KN_NEW_ARRAY(ctx, uint32_t, domain->count);

    *count = 0;
    if (!first)
        return KANON_E_NOMEM;
    KN_TRY(kn_twins_find(ctx, domain, KN_FOLD_VALUE, first, sample));
    for (uint32_t v = 0; v < domain->count; v++) {
        uint32_t other = first[v];

        if (other == v || other == KN_NO_CODE)
            continue;
        ++*count;
        if (first[other] == other) { /* it counts, too, and once */
            first[other] = KN_NO_CODE;
            ++*count;
        }
    }
out:
    kn_free(ctx, first);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* encoding.c -- encodings other than UTF-8. Windows-1252 is Latin-1 but for 32 bytes, five of which it has no
 * character for. Guesses look at the first bytes of a file alone, and only at what one encoding has and
 * the others practically never do. */
#include "formats/encoding.h"

const char *const kn_encoding_names[] = {
    [KN_ENCODING_AUTO] = "auto",      [KN_ENCODING_UTF8] = "utf-8",
    [KN_ENCODING_UTF16] = "utf-16",   [KN_ENCODING_WINDOWS1252] = "windows-1252",
    [KN_ENCODING_LATIN1] = "latin-1", NULL
};

/* Of the bytes 80 to 9F; 0: there is none. */
static const uint16_t windows1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, /* 80 */
    0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,      /* 88 */
    0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, /* 90 */
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178, /* 98 */
};

/* --- finding out ------------------------------------------------------------------------------------- */

typedef struct mark {
    const char *bytes;
    size_t      count;
    kn_encoding says;
    bool        big;
} mark;

static const mark marks[] = {
    { "\xef\xbb\xbf", 3, KN_ENCODING_UTF8, false },
    { "\xff\xfe", 2, KN_ENCODING_UTF16, false },
    { "\xfe\xff", 2, KN_ENCODING_UTF16, true },
};

static void
look_for_mark(kn_str bytes, kn_encoding_found *found)
{
    for (size_t i = 0; i < KN_COUNT(marks); i++)
        if (bytes.len >= marks[i].count && memcmp(bytes.ptr, marks[i].bytes, marks[i].count) == 0) {
            found->mark = marks[i].says;
            found->mark_bytes = marks[i].count;
            found->big = marks[i].big;
        }
}

/* NULs at even and at odd places, and two bytes that make a control character: a text has none but line ends
 * and tabs. */
typedef struct nuls {
    size_t at[2];
    bool   controls;
} nuls;

static nuls
count_nuls(kn_str bytes)
{
    enum { LOOKED_AT = 4096 };
    nuls n = { { 0, 0 }, false };

    for (size_t i = 0; i + 1 < bytes.len && i < LOOKED_AT; i += 2) {
        unsigned char one = (unsigned char) bytes.ptr[i], two = (unsigned char) bytes.ptr[i + 1];
        unsigned char low = one ? one : two;

        n.at[0] += !one;
        n.at[1] += !two;
        n.controls = n.controls || (!one && !two);
        if ((!one || !two) && low < 0x20 && low != '\n' && low != '\r' && low != '\t')
            n.controls = true;
    }
    return n;
}

static bool
is_utf16(kn_str bytes, bool *big)
{
    enum { LEAST = 4 };
    nuls   n = count_nuls(bytes);
    size_t pairs = bytes.len / 2 < 2048 ? bytes.len / 2 : 2048;

    *big = n.at[0] > n.at[1];
    return bytes.len >= LEAST && !n.controls && (!n.at[0] || !n.at[1])
        && (n.at[0] + n.at[1]) * 2 > pairs;
}

static bool
is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_high_letter(unsigned char c)
{
    return c >= 0xc0 && c != 0xd7 && c != 0xf7;
}

/* Beside a letter, as in a word. */
static bool
in_a_word(kn_str bytes, size_t at)
{
    return (at && is_ascii_letter(bytes.ptr[at - 1]))
        || (at + 1 < bytes.len && is_ascii_letter(bytes.ptr[at + 1]));
}

/* UTF-8 that the end cuts off: nothing follows but what may be the rest of a character. */
static bool
is_cut_off(kn_str rest)
{
    for (size_t i = 1; i < rest.len; i++)
        if (((unsigned char) rest.ptr[i] & 0xc0) != 0x80)
            return false;
    return (unsigned char) rest.ptr[0] >= 0xc0 && rest.len < 4;
}

/* No character beyond ASCII is UTF-8, each is one of Windows-1252, and one is a letter in a word. */
static bool
looks_like_windows1252(kn_str bytes)
{
    bool word = false;

    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char) bytes.ptr[i];
        kn_str        rest = { bytes.ptr + i, bytes.len - i };

        if (c < 0x80)
            continue;
        if (is_cut_off(rest))
            break;
        if ((c < 0xa0 && !windows1252[c - 0x80])
            || kn_utf8_check(rest.ptr, rest.len < 4 ? rest.len : 4) > 0)
            return false;
        word = word || (is_high_letter(c) && in_a_word(bytes, i));
    }
    return word;
}

kn_encoding_found
kn_encoding_find(kn_str bytes, kn_encoding asked)
{
    kn_encoding_found found = { .encoding = asked };
    bool              big = false;

    look_for_mark(bytes, &found);
    if (found.mark && (asked == KN_ENCODING_AUTO || asked == KN_ENCODING_UTF16))
        found.encoding = found.mark;
    if (found.mark)
        return found;
    if ((asked == KN_ENCODING_AUTO || asked == KN_ENCODING_UTF16) && is_utf16(bytes, &big))
        found.encoding = KN_ENCODING_UTF16;
    found.big = big;
    if (asked != KN_ENCODING_AUTO)
        return found;
    if (found.encoding == KN_ENCODING_AUTO)
        found.encoding = looks_like_windows1252(bytes) ? KN_ENCODING_WINDOWS1252 : KN_ENCODING_UTF8;
    found.guessed = found.encoding != KN_ENCODING_UTF8;
    return found;
}

/* --- to UTF-8 ---------------------------------------------------------------------------------------- */

/* A half character (D800 to DFFF) becomes three bytes that are no UTF-8. */
static char *
put(char *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (char) point;
    } else if (point < 0x800) {
        *to++ = (char) (0xc0 | point >> 6);
        *to++ = (char) (0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        *to++ = (char) (0xe0 | point >> 12);
        *to++ = (char) (0x80 | (point >> 6 & 0x3f));
        *to++ = (char) (0x80 | (point & 0x3f));
    } else {
        *to++ = (char) (0xf0 | point >> 18);
        *to++ = (char) (0x80 | (point >> 12 & 0x3f));
        *to++ = (char) (0x80 | (point >> 6 & 0x3f));
        *to++ = (char) (0x80 | (point & 0x3f));
    }
    return to;
}

static char *
decode_unit(kn_decoder *d, uint16_t unit, char *to)
{
    if (d->high && unit >= 0xdc00 && unit <= 0xdfff) {
        to = put(to, 0x10000 + ((uint32_t) (d->high - 0xd800) << 10) + (unit - 0xdc00));
        d->high = 0;
        return to;
    }
    if (d->high)
        to = put(to, d->high);
    d->high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
    return d->high ? to : put(to, unit);
}

static char *
decode_utf16(kn_decoder *d, const char *from, size_t count, kn_piece piece, char *to)
{
    for (size_t i = 0; i + 1 < count; i += 2) {
        unsigned first = (unsigned char) from[i], second = (unsigned char) from[i + 1];

        to = decode_unit(d, (uint16_t) (d->big ? first << 8 | second : second << 8 | first), to);
    }
    if (piece == KN_LAST_PIECE && d->high)
        to = put(to, d->high);
    if (piece == KN_LAST_PIECE && count % 2)
        *to++ = (char) 0xff;
    return to;
}

size_t
kn_decode(kn_decoder *decoder, const char *from, size_t count, kn_piece piece, char *to)
{
    char *start = to;

    assert(count % 2 == 0 || piece == KN_LAST_PIECE);
    if (decoder->encoding == KN_ENCODING_UTF16)
        return (size_t) (decode_utf16(decoder, from, count, piece, to) - start);
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char) from[i];
        uint32_t      point = c;

        if (c >= 0x80 && c < 0xa0 && decoder->encoding == KN_ENCODING_WINDOWS1252)
            point = windows1252[c - 0x80];
        if (c && !point)
            *to++ = (char) c;
        else
            to = put(to, point);
    }
    return (size_t) (to - start);
}

/* --- from UTF-8 -------------------------------------------------------------------------------------- */

/* The character at a place of UTF-8, and its bytes. Only what has at most three of them can be meant. */
static uint32_t
point_at(const kn_text *text, size_t at, size_t *bytes)
{
    const unsigned char *s = (const unsigned char *) text->ptr + at;

    *bytes = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (*bytes > text->len - at || *bytes == 4)
        return UINT32_MAX;
    return *bytes == 1 ? s[0]
         : *bytes == 2 ? (s[0] & 0x1fU) << 6 | (s[1] & 0x3fU)
                       : (s[0] & 0x0fU) << 12 | (s[1] & 0x3fU) << 6 | (s[2] & 0x3fU);
}

/* The byte of a character beyond ASCII; 0: there is none. */
static unsigned char
byte_of(uint32_t point, kn_encoding encoding)
{
    if (point >= (encoding == KN_ENCODING_LATIN1 ? 0x80 : 0xa0) && point <= 0xff)
        return (unsigned char) point;
    for (unsigned i = 0; i < KN_COUNT(windows1252) && encoding == KN_ENCODING_WINDOWS1252; i++)
        if (windows1252[i] == point)
            return (unsigned char) (0x80 + i);
    return 0;
}

bool
kn_encode(kn_text *text, kn_encoding encoding)
{
    size_t to = 0, step;

    if ((encoding != KN_ENCODING_LATIN1 && encoding != KN_ENCODING_WINDOWS1252) || text->failed)
        return true;
    for (size_t at = 0; at < text->len; at += step) {
        uint32_t      point = point_at(text, at, &step);
        unsigned char byte = point < 0x80 ? (unsigned char) point : byte_of(point, encoding);

        if (point && !byte)
            return false;
        text->ptr[to++] = (char) byte;
    }
    text->len = to;
    if (text->ptr)
        text->ptr[to] = 0;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* text.c -- growing text buffers, UTF-8, nearest names. */
#include "base/text.h"

#include <stdio.h>

#include "kanon/config.h"

enum { BRIEF = 40 };

void
kn_text_init(kn_text *text, kanon_ctx *ctx)
{
    memset(text, 0, sizeof *text);
    text->ctx = ctx;
}

void
kn_text_fini(kn_text *text)
{
    if (text->ctx)
        kn_free(text->ctx, text->ptr);
    text->ptr = NULL;
    text->len = text->capacity = 0;
}

static bool
reserve(kn_text *text, size_t more)
{
    void *block = text->ptr;

    if (KN_LIKELY(!text->failed && more < text->capacity - text->len))
        return true; /* len < capacity as soon as there is a block */
    if (text->failed || more > SIZE_MAX - text->len - 1
        || kn_grow(text->ctx, &block, &text->capacity, text->len + more + 1, 1) < 0) {
        text->failed = true;
        return false;
    }
    text->ptr = block;
    return true;
}

void
kn_text_add(kn_text *text, kn_str piece)
{
    assert(piece.ptr || !piece.len);
    if (!reserve(text, piece.len))
        return;
    if (piece.len)
        memcpy(text->ptr + text->len, piece.ptr, piece.len);
    text->len += piece.len;
    text->ptr[text->len] = 0;
}

void
kn_text_addz(kn_text *text, const char *piece)
{
    kn_text_add(text, kn_str_of(piece));
}

void
kn_text_add_framed(kn_text *text, kn_str piece)
{
    uint64_t length = piece.ptr ? piece.len : UINT64_MAX;

    kn_text_add(text, (kn_str){ (const char *) &length, sizeof length });
    kn_text_add(text, piece);
}

void
kn_text_addf(kn_text *text, const char *format, ...)
{
    va_list args;
    int     need;

    va_start(args, format);
    need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || !reserve(text, (size_t) need))
        return;
    va_start(args, format);
    vsnprintf(text->ptr + text->len, (size_t) need + 1, format, args);
    va_end(args);
    text->len += (size_t) need;
}

kanon_status
kn_text_status(const kn_text *text)
{
    return text->failed ? kn_fail_nomem(text->ctx) : KANON_OK;
}

char *
kn_text_take(kn_text *text)
{
    char *taken = NULL;

    if (!text->failed && reserve(text, 0)) {
        text->ptr[text->len] = 0;
        taken = text->ptr;
        text->ptr = NULL;
        text->len = text->capacity = 0;
    }
    return taken;
}

/* --- UTF-8 ------------------------------------------------------------------------------------- */

static size_t
sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    if (lead >= 0xf0 && lead <= 0xf4)
        return 4;
    return 0;
}

static bool
sequence_valid(const unsigned char *s, size_t length)
{
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return false;
    if (s[0] == 0xe0 && s[1] < 0xa0)
        return false; /* overlong */
    if (s[0] == 0xed && s[1] > 0x9f)
        return false; /* surrogate */
    if (s[0] == 0xf0 && s[1] < 0x90)
        return false; /* overlong */
    if (s[0] == 0xf4 && s[1] > 0x8f)
        return false; /* past U+10FFFF */
    return true;
}

size_t
kn_utf8_check(const char *bytes, size_t len)
{
    const unsigned char *s = (const unsigned char *) bytes;
    size_t               at = 0;

    while (at < len) {
        uint64_t eight;
        size_t   step;

        if (len - at >= sizeof eight) {
            memcpy(&eight, s + at, sizeof eight);
            if (!(eight & UINT64_C(0x8080808080808080))) {
                at += sizeof eight;
                continue;
            }
        }
        step = sequence_length(s[at]);
        if (!step || step > len - at || !sequence_valid(s + at, step))
            return at;
        at += step;
    }
    return len;
}

void
kn_utf8_trim_tail(char *text, size_t len)
{
    size_t start = len;

    while (start > 0 && len - start < 3 && ((unsigned char) text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && (unsigned char) text[start - 1] >= 0xc0) {
        size_t need = sequence_length((unsigned char) text[start - 1]);

        if (need > len - start + 1)
            text[start - 1] = 0;
    }
}

size_t
kn_utf8_step(kn_str text, size_t at)
{
    size_t step = sequence_length((unsigned char) text.ptr[at]);

    assert(at < text.len);
    if (!step || step > text.len - at)
        return 1;
    return step;
}

size_t
kn_utf8_count(kn_str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char) text.ptr[i] & 0xc0) != 0x80;
    return count;
}

/* --- names ------------------------------------------------------------------------------------- */

enum { NAME_MOST = 63 };

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with transpositions counted as one (restricted Damerau). */
static size_t
distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][NAME_MOST + 2];

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t       *now = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

/* Equal but for upper and lower case (ASCII). */
static bool
same_letters(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        bool letter = (*a | 0x20) >= 'a' && (*a | 0x20) <= 'z';

        if (*a != *b && !(letter && (*a ^ *b) == 0x20))
            return false;
    }
    return *a == *b;
}

const char *
kanon_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t      length = strlen(word), best_distance = length < 6 ? 2 : length / 3 + 1;

    if (length > NAME_MOST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]), apart;

        if (same_letters(word, names[i]))
            return names[i];
        if (other > NAME_MOST)
            continue;
        apart = distance(word, length, names[i], other);
        if (apart < best_distance && (apart < length || apart < other)) {
            best = names[i];
            best_distance = apart;
        }
    }
    return best;
}

const char *
kn_nearest(const char *word, const char *const *candidates)
{
    size_t count = 0;

    while (candidates[count])
        count++;
    return kanon_nearest(word, candidates, count);
}

size_t
kn_str_brief(kn_str text)
{
    size_t n = text.len < BRIEF ? text.len : BRIEF;

    while (n > 0 && n < text.len && ((unsigned char) text.ptr[n] & 0xC0) == 0x80)
        n--; /* not within a character */
    return n;
}

kn_str
kn_str_trim(kn_str text)
{
    while (text.len && (*text.ptr == ' ' || *text.ptr == '\t')) {
        text.ptr++;
        text.len--;
    }
    while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

bool
kn_str_split(kn_str *rest, char separator, kn_str *piece)
{
    const char *end;

    if (!rest->ptr)
        return false;
    end = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    if (end) {
        *piece = kn_str_trim((kn_str){ rest->ptr, (size_t) (end - rest->ptr) });
        rest->len -= (size_t) (end - rest->ptr) + 1;
        rest->ptr = end + 1;
    } else {
        *piece = kn_str_trim(*rest);
        rest->ptr = NULL;
        rest->len = 0;
    }
    return true;
}

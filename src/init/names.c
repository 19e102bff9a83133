/* SPDX-License-Identifier: Apache-2.0 */
/* names.c -- names of columns: words without case, accents and digits, and the patterns that they match. */
#include "init/recognise.h"

/* Latin-1's letters from U+00C0 on without their accents. */
static const char folded[] = "aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy y";

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool
is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

void
kn_fold_words(kn_str name, char out[KN_FOLDED_ROOM])
{
    size_t len = 0;

    out[len++] = ' ';
    for (size_t i = 0; i < name.len && len < KN_FOLDED_MOST; i++) {
        char          c = name.ptr[i];
        unsigned char next = i + 1 < name.len ? (unsigned char) name.ptr[i + 1] : 0;

        if ((unsigned char) c == 0xc3 && next >= 0x80 && next <= 0xbf) {
            c = folded[next - 0x80];
            i++;
        } else if (is_upper(c)) {
            if (i && is_lower(name.ptr[i - 1]))
                out[len++] = ' ';
            c = (char) (c - 'A' + 'a');
        }
        if (is_lower(c))
            out[len++] = c;
        else if (out[len - 1] != ' ' && (unsigned char) c < 0x80)
            out[len++] = ' ';
    }
    if (out[len - 1] != ' ')
        out[len++] = ' ';
    out[len] = 0;
}

static size_t
longest_match(const char *name, const char *patterns)
{
    kn_str rest = kn_str_of(patterns), pattern;
    size_t longest = 0;

    while (kn_str_split(&rest, ' ', &pattern)) {
        size_t len = pattern.len - 1;

        if (pattern.len < 2 || len <= longest)
            continue;
        for (const char *at = name + 1; *at; at++) /* the first character is a blank */
            if (strncmp(at, pattern.ptr + 1, len) == 0
                && (strchr("~$", pattern.ptr[0]) || at[-1] == ' ')
                && (strchr("~^", pattern.ptr[0]) || at[len] == ' '))
                longest = len;
    }
    return longest;
}

static void
join(const char *name, char joined[KN_FOLDED_ROOM])
{
    size_t len = 0;

    joined[len++] = ' ';
    for (const char *c = name; *c; c++)
        if (*c != ' ')
            joined[len++] = *c;
    joined[len++] = ' ';
    joined[len] = 0;
}

kn_folded
kn_fold(kn_str name)
{
    kn_folded of;

    kn_fold_words(name, of.name);
    join(of.name, of.joined);
    return of;
}

size_t
kn_name_matches(const kn_folded *name, const char *patterns)
{
    size_t words = patterns ? longest_match(name->name, patterns) : 0;
    size_t joined = patterns ? longest_match(name->joined, patterns) : 0;

    return words > joined ? words : joined;
}

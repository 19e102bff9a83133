/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h -- sentences with places to fill in. A sentence stands in the source in one piece, so that it can be
 * read; what goes into it keeps its type. */
#ifndef KN_FILL_H
#define KN_FILL_H

#include "base/plain.h"

typedef struct kn_piece kn_piece;

/** What goes into one place. Other folders add kinds of their own with a `put` of their own. */
struct kn_piece {
    void (*put)(kn_text *text, const kn_piece *piece);
    const char *words;
    const void *user;
    uint64_t    count;
    double      number, second;
    size_t      most;
};

/** Writes a sentence; each "{}" in it stands for the next piece. Write KN_FILL(text, "{} of {} rows",
 *  kn_as_count(some), kn_as_count(all)); tools/checksrc counts the places. */
void kn_fill(kn_text *text, const char *sentence, const kn_piece *pieces, size_t count);
#define KN_FILL(text, sentence, ...)                                                               \
    kn_fill(text, sentence, (const kn_piece[]){ __VA_ARGS__ },                                     \
            sizeof((const kn_piece[]){ __VA_ARGS__ }) / sizeof(kn_piece))

void kn_put_words(kn_text *text, const kn_piece *piece);
void kn_put_digits(kn_text *text, const kn_piece *piece);
void kn_put_count(kn_text *text, const kn_piece *piece);
void kn_put_counted(kn_text *text, const kn_piece *piece);
void kn_put_bytes(kn_text *text, const kn_piece *piece);
void kn_put_number(kn_text *text, const kn_piece *piece);
void kn_put_fixed(kn_text *text, const kn_piece *piece);
void kn_put_percent(kn_text *text, const kn_piece *piece);
void kn_put_name(kn_text *text, const kn_piece *piece);

/** Words of ours, as they are. */
static inline kn_piece
kn_as_is(const char *words)
{
    return (kn_piece){ .put = kn_put_words, .words = words };
}

/** 1234567 */
static inline kn_piece
kn_as_digits(uint64_t value)
{
    return (kn_piece){ .put = kn_put_digits, .count = value };
}

/* As the functions of plain.h of these names write them. */

static inline kn_piece
kn_as_count(uint64_t value)
{
    return (kn_piece){ .put = kn_put_count, .count = value };
}

static inline kn_piece
kn_as_counted(uint64_t count, const char *word)
{
    return (kn_piece){ .put = kn_put_counted, .count = count, .words = word };
}

static inline kn_piece
kn_as_bytes(uint64_t bytes)
{
    return (kn_piece){ .put = kn_put_bytes, .count = bytes };
}

static inline kn_piece
kn_as_number(double value)
{
    return (kn_piece){ .put = kn_put_number, .number = value };
}

static inline kn_piece
kn_as_fixed(double value, unsigned decimals)
{
    return (kn_piece){ .put = kn_put_fixed, .number = value, .most = decimals };
}

static inline kn_piece
kn_as_percent(double share)
{
    return (kn_piece){ .put = kn_put_percent, .number = share };
}

static inline kn_piece
kn_as_name(const char *name, size_t most)
{
    return (kn_piece){ .put = kn_put_name, .words = name, .most = most };
}

#endif

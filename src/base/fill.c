/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c -- sentences with places to fill in. */
#include "base/fill.h"

void
kn_fill(kn_text *text, const char *sentence, const kn_piece *pieces, size_t count)
{
    const char *place;
    size_t      next = 0;

    for (; next < count && (place = strstr(sentence, "{}")); sentence = place + 2, next++) {
        kn_text_add(text, (kn_str){ sentence, (size_t) (place - sentence) });
        pieces[next].put(text, &pieces[next]);
    }
    assert(next == count && !strstr(sentence, "{}"));
    kn_text_addz(text, sentence);
}

void
kn_put_words(kn_text *text, const kn_piece *piece)
{
    kn_text_addz(text, piece->words);
}

void
kn_put_digits(kn_text *text, const kn_piece *piece)
{
    kn_text_addf(text, "%llu", (unsigned long long) piece->count);
}

void
kn_put_count(kn_text *text, const kn_piece *piece)
{
    kn_plain_count(text, piece->count);
}

void
kn_put_counted(kn_text *text, const kn_piece *piece)
{
    kn_plain_counted(text, piece->count, piece->words);
}

void
kn_put_bytes(kn_text *text, const kn_piece *piece)
{
    kn_plain_bytes(text, piece->count);
}

void
kn_put_number(kn_text *text, const kn_piece *piece)
{
    kn_plain_number(text, piece->number);
}

void
kn_put_fixed(kn_text *text, const kn_piece *piece)
{
    kn_plain_fixed(text, piece->number, (unsigned) piece->most);
}

void
kn_put_percent(kn_text *text, const kn_piece *piece)
{
    kn_plain_percent(text, piece->number);
}

void
kn_put_name(kn_text *text, const kn_piece *piece)
{
    kn_plain_name(text, piece->words, piece->most);
}

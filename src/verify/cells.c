/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c -- see cells.h. */
#include "verify/cells.h"

#include <string.h>

#include "base/text.h"

enum { YEAR_LEAST = 1800, YEAR_MOST = 2199, AGE_MOST = 89, NUMBER_MOST = 1000000 };

/* --- what a cell consists of ---------------------------------------------------------------------- */

/* A piece of a cell: digits, letters, or one other byte. */
typedef struct piece {
    kn_str   text;
    bool     digits, letters;
    unsigned number; /* of digits, at most NUMBER_MOST */
} piece;

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
next_piece(kn_str *rest, piece *out)
{
    size_t len = 0;

    if (!rest->len)
        return false;
    *out = (piece){ .digits = kn_is_digit(rest->ptr[0]), .letters = is_letter(rest->ptr[0]) };
    while (len < rest->len
           && (len == 0 || (out->digits && kn_is_digit(rest->ptr[len]))
               || (out->letters && is_letter(rest->ptr[len])))) {
        if (out->digits && out->number < NUMBER_MOST)
            out->number = out->number * 10 + (unsigned) (rest->ptr[len] - '0');
        len++;
    }
    out->text = (kn_str){ rest->ptr, len };
    *rest = (kn_str){ rest->ptr + len, rest->len - len };
    return true;
}

static bool
same_word(kn_str text, const char *word)
{
    if (text.len != strlen(word))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if ((c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c) != word[i])
            return false;
    }
    return true;
}

static bool
is_one_of(kn_str text, const char *const *words)
{
    for (; *words; words++)
        if (same_word(text, *words))
            return true;
    return false;
}

/* Words of labels that tell nothing by themselves. A month or a weekday is none of them. */
static const char *const plain_words[] = { "to",    "and",   "or",    "before",  "after", "from",
                                           "until", "since", "later", "earlier", "more",  "less",
                                           "other", "under", "over",  "older",   "than",  NULL };

/* --- years ---------------------------------------------------------------------------------------- */

static bool
shows_years(kn_str cell, int least)
{
    piece p;

    while (next_piece(&cell, &p)) {
        if (p.letters && !is_one_of(p.text, plain_words))
            return false;
        if (p.digits
            && (p.text.len != 4 || p.number < YEAR_LEAST || p.number > YEAR_MOST
                || (int) p.number < least))
            return false;
        if (!p.letters && !p.digits && strchr("/:.", *p.text.ptr))
            return false;
    }
    return true;
}

/* --- ages ----------------------------------------------------------------------------------------- */

static bool
has_text(kn_str cell, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= cell.len; i++)
        if (memcmp(cell.ptr + i, text, len) == 0)
            return true;
    return false;
}

/* "90 or more", "90+": a group without an end; "[80; 90)" ends before 90. */
static bool
allows_ninety(kn_str cell)
{
    static const char *const open[] = { "or more",  "+", "\xe2\x89\xa5", ">=", "or older",
                                        "and over", NULL };

    for (size_t i = 0; open[i]; i++)
        if (has_text(cell, open[i]))
            return true;
    return cell.len > 4 && cell.ptr[0] == '[' && memcmp(cell.ptr + cell.len - 3, "90)", 3) == 0;
}

static bool
shows_age(kn_str cell)
{
    kn_str rest = cell;
    piece  p;

    while (next_piece(&rest, &p))
        if (p.digits && p.number > AGE_MOST && !(p.number == AGE_MOST + 1 && allows_ninety(cell)))
            return false;
    return true;
}

/* --- places --------------------------------------------------------------------------------------- */

/* Areas of 20,000 people or fewer in the census of 2000 or of 2010, and military ones, which no census
 * counts. data/hierarchies/postcode-us-hipaa.csv says where that is from. */
static const char *const restricted[] = {
    "036", "059", "063", "090", "091", "092", "093", "094", "095", "096", "097", "098",
    "099", "102", "203", "205", "340", "369", "556", "692", "790", "821", "823", "830",
    "831", "878", "879", "884", "890", "893", "962", "963", "964", "965", "966", NULL,
};

const char *
kn_zip3_restricted(size_t index)
{
    return index + 1 < KN_COUNT(restricted) ? restricted[index] : NULL;
}

static bool
shows_zip3(kn_str cell)
{
    piece p;

    while (next_piece(&cell, &p))
        if (p.digits && (p.text.len > 3 || is_one_of(p.text, restricted)))
            return false;
    return true;
}

static const char *const states[] = {
    "al",
    "ak",
    "az",
    "ar",
    "ca",
    "co",
    "ct",
    "de",
    "fl",
    "ga",
    "hi",
    "id",
    "il",
    "in",
    "ia",
    "ks",
    "ky",
    "la",
    "me",
    "md",
    "ma",
    "mi",
    "mn",
    "ms",
    "mo",
    "mt",
    "ne",
    "nv",
    "nh",
    "nj",
    "nm",
    "ny",
    "nc",
    "nd",
    "oh",
    "ok",
    "or",
    "pa",
    "ri",
    "sc",
    "sd",
    "tn",
    "tx",
    "ut",
    "vt",
    "va",
    "wa",
    "wv",
    "wi",
    "wy",
    "dc",
    "as",
    "gu",
    "mp",
    "pr",
    "vi",
    "us",
    "usa",
    "alabama",
    "alaska",
    "arizona",
    "arkansas",
    "california",
    "colorado",
    "connecticut",
    "delaware",
    "florida",
    "georgia",
    "hawaii",
    "idaho",
    "illinois",
    "indiana",
    "iowa",
    "kansas",
    "kentucky",
    "louisiana",
    "maine",
    "maryland",
    "massachusetts",
    "michigan",
    "minnesota",
    "mississippi",
    "missouri",
    "montana",
    "nebraska",
    "nevada",
    "new hampshire",
    "new jersey",
    "new mexico",
    "new york",
    "north carolina",
    "north dakota",
    "ohio",
    "oklahoma",
    "oregon",
    "pennsylvania",
    "rhode island",
    "south carolina",
    "south dakota",
    "tennessee",
    "texas",
    "utah",
    "vermont",
    "virginia",
    "washington",
    "west virginia",
    "wisconsin",
    "wyoming",
    "district of columbia",
    "puerto rico",
    "guam",
    "united states",
    "northeast",
    "midwest",
    "south",
    "west",
    "new england",
    "middle atlantic",
    "mid-atlantic",
    "east north central",
    "west north central",
    "south atlantic",
    "east south central",
    "west south central",
    "mountain",
    "pacific",
    "territories",
    "000",
    "(other)",
    NULL,
};

/* One of them, or several: "{CA, OR}" */
static bool
shows_states(kn_str cell)
{
    kn_str one;

    if (cell.len > 1 && cell.ptr[0] == '{' && cell.ptr[cell.len - 1] == '}')
        cell = (kn_str){ cell.ptr + 1, cell.len - 2 };
    while (kn_str_split(&cell, ',', &one))
        if (!is_one_of(one, states))
            return false;
    return true;
}

bool
kn_cell_allowed(kn_cell_rule rule, kn_str cell, int year)
{
    cell = kn_str_trim(cell);
    if (!cell.len || kn_str_equal(cell, KN_STR("*")))
        return true;
    switch (rule) {
    case KN_CELL_NOTHING:
        return false;
    case KN_CELL_YEAR:
        return shows_years(cell, YEAR_LEAST);
    case KN_CELL_BIRTH:
        return shows_years(cell, year - AGE_MOST);
    case KN_CELL_AGE:
        return shows_age(cell);
    case KN_CELL_ZIP3:
        return shows_zip3(cell);
    case KN_CELL_STATE:
        return shows_states(cell);
    case KN_CELL_ANY:
        break;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* sentinels.c -- values that stand for "no value" without being listed as such: words that say so, and
 * numbers such as 9999 or -8 that stand apart from all others and occur more often than chance would have
 * it. */
#include "init/starter.h"

#include <math.h>

/* A sentinel stands in at least so many rows, and this much above the others: of their span, and in units. */
enum { ROWS_LEAST = 5, GAP_LEAST = 2, CODES_MOST = 20 };
static const double GAP_SHARE = 0.1, ROWS_FACTOR = 2;
/* Rows with a word that says it outright. */
enum { WORD_ROWS_LEAST = 2, WORD_BYTES_MOST = 24 };

/* Whole texts, folded and without blanks. Short ones count only with a dot, slash or dash: "nd" may be a
 * state, "n.d." is not. */
static const char words[] =
    "=unknown =notknown =missing =notstated =notavailable =notanswered =noanswer =unspecified "
    "=unbekannt =keineangabe =keineangaben =fehlt =fehlend =nichtbekannt =inconnu =inconnue "
    "=nonrenseigne =nonprecise =desconocido =desconocida =sindato =sindatos =noconsta =sconosciuto "
    "=sconosciuta =nonnoto =nondisponibile =nonspecificato =onbekend =nietbekend =geenopgave "
    "=nietingevuld";
static const char abbreviations[] = "=na =ka =nd =sd =nc =nr =ns =nsnc =nvt =nb";

/* As programs write them; otherwise they may be names of people. */
static const char *const computed[] = { "NULL", "null", "NaN", "nan", "NAN", "<NA>", "None" };

static bool
is_missing_word(kn_str value)
{
    kn_folded of;
    bool      marked = false;

    if (value.len > WORD_BYTES_MOST)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        if (kn_is_digit(value.ptr[i]))
            return false;
        marked |= value.ptr[i] == '.' || value.ptr[i] == '/' || value.ptr[i] == '#';
    }
    for (size_t i = 0; i < KN_COUNT(computed); i++)
        if (kn_str_equal(value, kn_str_of(computed[i])))
            return true;
    of = kn_fold(value);
    memcpy(of.name, of.joined, sizeof of.name);
    return kn_name_matches(&of, words) || (marked && kn_name_matches(&of, abbreviations));
}

bool
kn_says_missing(kn_str value, uint64_t rows)
{
    return rows >= WORD_ROWS_LEAST && is_missing_word(value);
}

/* --- numbers ---------------------------------------------------------------------------------------- */

/* 9, 99, 999 ..., the codes before them (96 to 98, 996 to 998 ...), and 88, 77, 888, 777 ... */
static bool
is_high_shape(int64_t number)
{
    int64_t nines = 9;

    while (nines < number && nines < INT64_MAX / 10 - 9)
        nines = nines * 10 + 9;
    if (number == nines || (number > 9 && nines - number <= 3))
        return true;
    return number > 9 && (number == nines / 9 * 8 || number == nines / 9 * 7);
}

static bool
is_low_shape(int64_t number)
{
    return number < 0 && (number >= -9 || is_high_shape(-number));
}

static bool
read_whole(kn_str text, int64_t *out)
{
    kn_decimal value;

    if (!kn_decimal_parse(text, &value) || value.decimals)
        return false;
    *out = value.mantissa;
    return true;
}

kn_number_span
kn_span_of_numbers(const kn_tallied *values)
{
    kn_number_span r = { INFINITY, -INFINITY, 0, 0 };

    for (size_t i = 0; i < values->count; i++) {
        kn_decimal value;
        int64_t    whole;
        double     number;

        if (!kn_decimal_parse(values->texts[i], &value))
            continue;
        number = kn_decimal_double(value);
        r.values++;
        r.rows += values->rows[i];
        if (read_whole(values->texts[i], &whole) && (is_high_shape(whole) || is_low_shape(whole)))
            continue;
        r.lo = number < r.lo ? number : r.lo;
        r.hi = number > r.hi ? number : r.hi;
    }
    return r;
}

bool
kn_is_sentinel(const kn_tallied *values, const kn_number_span *span, size_t i)
{
    double  gap, usual = span->values ? (double) span->rows / (double) span->values : 0;
    int64_t number;

    if (!read_whole(values->texts[i], &number) || values->rows[i] < ROWS_LEAST
        || !(span->lo <= span->hi))
        return false;
    if (span->values > CODES_MOST && (double) values->rows[i] < ROWS_FACTOR * usual)
        return false;
    if (is_low_shape(number))
        return span->lo >= 0;
    gap = (double) number - span->hi;
    return is_high_shape(number) && gap >= GAP_LEAST && gap >= GAP_SHARE * (span->hi - span->lo);
}

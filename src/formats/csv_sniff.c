/* SPDX-License-Identifier: Apache-2.0 */
/* csv_sniff.c -- guesses about a file. The delimiter is the one that gives the most records the same
 * number of fields, at least two; among equals the one whose fields look least like they held another
 * delimiter ("1,5;2,5" and "[0, 5[;*" are two fields, not three), then the one with more fields. */
#include "formats/csv_sniff.h"

#include "base/text.h"

static const char CANDIDATES[] = ",;\t|";
enum { COUNT_MOST = 1024 }; /* field counts above share the last slot */

typedef struct tally {
    char     delimiter;
    size_t   records;
    size_t   fields;
    size_t   dirty; /* fields that look wrong */
    uint32_t counts[COUNT_MOST + 1];
    /* of those with two fields or more: */
    uint32_t even; /* records with the most common number of fields */
    size_t   each; /* that number */
} tally;

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A comma within a number ("1,5") or a sentence ("Paris, France") says nothing. */
static bool
harmless_comma(const char *field, size_t length, size_t at)
{
    if (at == 0 || at + 1 == length)
        return false;
    return field[at + 1] == ' ' || (kn_is_digit(field[at - 1]) && kn_is_digit(field[at + 1]));
}

/* Blanks at an end, or another candidate inside. */
static bool
looks_dirty(const char *field, size_t length, char delimiter)
{
    if (length && (is_blank(field[0]) || is_blank(field[length - 1])))
        return true;
    for (size_t i = 0; i < length; i++) {
        char c = field[i];

        if (c == delimiter || !c || !strchr(CANDIDATES, c))
            continue;
        if (c != ',' || !harmless_comma(field, length, i))
            return true;
    }
    return false;
}

size_t
kn_sniff_field_end(kn_str sample, size_t at, char delimiter, char quote)
{
    assert(at <= sample.len);
    if (at < sample.len && sample.ptr[at] == quote) {
        for (at++; at < sample.len; at++) {
            if (sample.ptr[at] != quote)
                continue;
            if (at + 1 < sample.len && sample.ptr[at + 1] == quote)
                at++;
            else
                break;
        }
    }
    while (at < sample.len && sample.ptr[at] != delimiter && sample.ptr[at] != '\n')
        at++;
    return at;
}

static void
count_record(tally *t, size_t fields)
{
    t->records++;
    t->counts[fields < COUNT_MOST ? fields : COUNT_MOST]++;
}

/* Splits the sample with one delimiter; blank lines do not count. */
static void
count_fields(tally *t, kn_str sample, char quote, kn_sample sample_is)
{
    size_t at = 0, fields = 0, record = 0;

    while (at < sample.len || fields) {
        size_t end = kn_sniff_field_end(sample, at, t->delimiter, quote);
        size_t length = end - at;

        if (length && sample.ptr[end - 1] == '\r')
            length--;
        fields++;
        t->fields++;
        if (length && sample.ptr[at] != quote)
            t->dirty += looks_dirty(sample.ptr + at, length, t->delimiter);
        if (end < sample.len && sample.ptr[end] == t->delimiter) {
            at = end + 1;
            continue;
        }
        if (end == sample.len && sample_is == KN_SAMPLE_PART && t->records)
            return; /* cut off: says nothing */
        if (fields > 1 || length || end - record > 1)
            count_record(t, fields);
        fields = 0;
        at = record = end + 1;
        if (end == sample.len)
            return;
    }
}

static void
find_most_common(tally *t)
{
    for (size_t i = 2; i <= COUNT_MOST; i++)
        if (t->counts[i] > t->even) {
            t->even = t->counts[i];
            t->each = i;
        }
}

/* Shares are compared by cross multiplication: no rounding decides. */
static bool
better(const tally *a, const tally *b)
{
    uint64_t a_even = (uint64_t) a->even * b->records, b_even = (uint64_t) b->even * a->records;
    uint64_t a_dirty = (uint64_t) a->dirty * b->fields, b_dirty = (uint64_t) b->dirty * a->fields;

    if (a_even != b_even)
        return a_even > b_even;
    if (a_dirty != b_dirty)
        return a_dirty < b_dirty;
    return a->each > b->each;
}

char
kn_sniff_delimiter(kn_str sample, char quote, kn_sample sample_is)
{
    tally best = { .delimiter = ',' };

    if (sample.len > KN_SNIFF_BYTES) {
        sample.len = KN_SNIFF_BYTES;
        sample_is = KN_SAMPLE_PART;
    }
    for (const char *c = CANDIDATES; *c; c++) {
        tally t = { .delimiter = *c };

        if (*c == quote)
            continue;
        count_fields(&t, sample, quote, sample_is);
        find_most_common(&t);
        if (t.each > 1 && (!best.records || better(&t, &best)))
            best = t;
    }
    return best.delimiter;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* csv_layout.c -- titles and footers. A title fills at most half of the cells of its line, often only the
 * first, and the first line that fills more of them has names, no values. A footer says that it is a total,
 * or it is one remark and nothing else. */
#include "formats/csv_layout.h"

#include "base/text.h"

enum { TITLES_MOST = 30, FIELDS_MOST = 1024, REMARK_BYTES = 12 };

/* One record as it is looked at here. */
typedef struct line {
    size_t fields, filled, values;
    kn_str first; /* cell that is not empty; its place: */
    size_t at;
    size_t end; /* of the record in the text, without its line end */
} line;

static kn_str
content(kn_str field, char quote)
{
    if (field.len && field.ptr[field.len - 1] == '\r')
        field.len--;
    if (field.len > 1 && field.ptr[0] == quote && field.ptr[field.len - 1] == quote) {
        field.ptr++;
        field.len -= 2;
    }
    return kn_str_trim(field);
}

static line
look_at(kn_str text, size_t at, char delimiter, char quote)
{
    line l = { 0 };

    for (;;) {
        size_t end = kn_sniff_field_end(text, at, delimiter, quote);
        kn_str cell = content((kn_str){ text.ptr + at, end - at }, quote);

        if (cell.len && !l.filled++) {
            l.first = cell;
            l.at = l.fields;
        }
        l.values += cell.len && kn_header_is_value(cell);
        l.fields++;
        l.end = end;
        if (end == text.len || text.ptr[end] == '\n')
            return l;
        at = end + 1;
    }
}

/* --- titles ------------------------------------------------------------------------------------------ */

static uint64_t
count_lines(kn_str text)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

static size_t
usual_fields(const kn_rest *file)
{
    uint32_t counts[FIELDS_MOST + 1] = { 0 };
    size_t   best = 1;

    for (size_t at = 0; at < file->text.len;) {
        line l = look_at(file->text, at, file->delimiter, file->quote);

        if (l.filled && (l.end < file->text.len || file->is == KN_SAMPLE_WHOLE))
            counts[l.fields < FIELDS_MOST ? l.fields : FIELDS_MOST]++;
        at = l.end + 1;
    }
    for (size_t i = 2; i < FIELDS_MOST; i++)
        if (counts[i] > counts[best])
            best = i;
    return counts[best] > 1 ? best : 1;
}

static bool
may_be_title(const line *l, size_t fields)
{
    return !l->filled || (l->filled * 2 <= fields && (l->fields == 1 || fields > 2));
}

/* Names are not told twice; a line that begins like one above it is one more row. */
static bool
is_repeated(const kn_rest *file, size_t until, kn_str first)
{
    for (size_t at = 0; at < until;) {
        line l = look_at(file->text, at, file->delimiter, file->quote);

        if (l.filled && kn_str_equal(l.first, first))
            return true;
        at = l.end + 1;
    }
    return false;
}

/* Lines before the first that names columns; 0 as well where something else comes first. */
static uint64_t
count_titles(const kn_rest *file, size_t fields)
{
    size_t at = 0, filled = 0;

    for (size_t n = 0; at < file->text.len && n < TITLES_MOST; n++) {
        line l = look_at(file->text, at, file->delimiter, file->quote);

        if (!may_be_title(&l, fields)) {
            bool names = l.fields == fields && !l.values && !is_repeated(file, at, l.first);

            return names && filled ? count_lines((kn_str){ file->text.ptr, at }) : 0;
        }
        filled += l.filled;
        at = l.end + 1;
    }
    return 0;
}

bool
kn_layout_names(const kn_rest *file, const kn_str *names, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        bool found = false;

        for (size_t at = 0, end; !found && at < file->text.len; at = end + 1) {
            end = kn_sniff_field_end(file->text, at, file->delimiter, file->quote);
            found = kn_str_equal(content((kn_str){ file->text.ptr + at, end - at }, file->quote),
                                 names[n]);
            if (end == file->text.len || file->text.ptr[end] == '\n')
                break;
        }
        if (!found)
            return false;
    }
    return count > 0;
}

/* --- footers ----------------------------------------------------------------------------------------- */

/* In small letters; what follows one is no letter. */
static const char *const total_words[] = {
    "total",       "totals",        "grand total", "subtotal",   "sub-total", "sum",
    "overall",     "summe",         "gesamt",      "insgesamt",  "somme",     "ensemble",
    "gesamtsumme", "zwischensumme", "zusammen",    "mittelwert", "suma",      "totale",
    "somma",       "totaal",        "average",     "mean",       "\xce\xa3",
};

static char
small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static bool
begins_with_word(kn_str cell, const char *word)
{
    size_t length = strlen(word);

    if (cell.len < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (small(cell.ptr[i]) != word[i])
            return false;
    if (cell.len == length)
        return true;
    return cell.ptr[length] == ':' || cell.ptr[length] == ' ' || cell.ptr[length] == '=';
}

static bool
is_total(kn_str cell)
{
    for (size_t i = 0; i < KN_COUNT(total_words); i++)
        if (begins_with_word(cell, total_words[i]))
            return true;
    return false;
}

static bool
is_remark(kn_str cell)
{
    if (kn_header_is_value(cell))
        return false;
    return cell.len >= REMARK_BYTES || memchr(cell.ptr, ' ', cell.len)
        || memchr(cell.ptr, ':', cell.len) || strchr("*([#", cell.ptr[0]);
}

static kn_looks
looks(const line *l, size_t fields)
{
    if (!l->filled)
        return KN_LOOKS_UNCLEAR;
    if (is_total(l->first) && fields > 1)
        return KN_LOOKS_LIKE_FOOTER;
    if (l->at == 0 && l->filled * 2 <= fields && (l->filled == 1 || l->fields < fields)
        && fields > 2 && is_remark(l->first))
        return KN_LOOKS_LIKE_FOOTER;
    return l->fields == fields && l->filled * 2 > fields && l->at == 0 ? KN_LOOKS_LIKE_ROW
                                                                       : KN_LOOKS_UNCLEAR;
}

kn_looks
kn_layout_looks(kn_str record, char delimiter, char quote, size_t fields)
{
    line l = look_at(record, 0, delimiter, quote);

    return looks(&l, fields);
}

/* A footer has nothing below it that is none. */
static bool
has_footers_inside(const kn_rest *file, size_t fields)
{
    bool footer = false;

    for (size_t at = 0; at < file->text.len;) {
        line     l = look_at(file->text, at, file->delimiter, file->quote);
        kn_looks like = looks(&l, fields);

        if (footer && like == KN_LOOKS_LIKE_ROW)
            return true;
        footer = footer || (like == KN_LOOKS_LIKE_FOOTER && at > 0);
        at = l.end + 1;
    }
    return false;
}

kn_layout
kn_layout_find(const kn_rest *file)
{
    size_t fields = usual_fields(file);

    if (fields < 2)
        return (kn_layout){ 0, true };
    return (kn_layout){ count_titles(file, fields), has_footers_inside(file, fields) };
}

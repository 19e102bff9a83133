/* SPDX-License-Identifier: Apache-2.0 */
/* csv_write.c -- answering in the dialect that a file was read in. */
#include "formats/csv.h"
#include "formats/csv_kind.h"
#include "formats/encoding.h"
#include "formats/formula.h"

static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

void
kn_csv_put_start(kn_text *text, const kn_dialect *dialect)
{
    if (dialect->bom)
        kn_text_addz(text, BYTE_ORDER_MARK);
}

/* Bytes at the very beginning of a file that would be taken for a mark of its kind: those of UTF-8,
 * of UTF-16 (in Latin-1) and of gzip, and "sep=" with a delimiter in the field or after it. */
static bool
starts_like_a_mark(kn_str field)
{
    static const kn_str separator = { "sep=", 4 };
    static const kn_str marks[] = { { "\xef\xbb\xbf", 3 },
                                    { "\xc3\xbf", 2 },
                                    { "\xc3\xbe", 2 },
                                    { "\xc3\xaf", 2 },
                                    { "\x1f", 1 } };

    for (size_t i = 0; i < KN_COUNT(marks); i++)
        if (field.len >= marks[i].len && memcmp(field.ptr, marks[i].ptr, marks[i].len) == 0)
            return true;
    return (field.len == separator.len || field.len == separator.len + 1)
        && memcmp(field.ptr, separator.ptr, separator.len) == 0;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* As the file will have its beginning: of a character up to U+00FF one byte, in encodings that do that. */
static bool
begins_like_another_kind(const kn_dialect *dialect, kn_str field)
{
    char   bytes[32];
    size_t count = 0;

    if (dialect->encoding != KN_ENCODING_LATIN1 && dialect->encoding != KN_ENCODING_WINDOWS1252)
        return kn_csv_other_kind(field);
    for (size_t at = 0; at < field.len && count < sizeof bytes; at++) {
        unsigned char c = (unsigned char) field.ptr[at];

        if (c >= 0x80 && ((c != 0xc2 && c != 0xc3) || at + 1 == field.len))
            break;
        bytes[count++] = (char) (c < 0x80 ? c : (c & 3) << 6 | (field.ptr[++at] & 0x3f));
    }
    return kn_csv_other_kind((kn_str){ bytes, count });
}

/* What files of other kinds begin with; a name that does would be taken for one at the very beginning. */
static bool
may_be_another_kind(unsigned char first)
{
    switch (first) {
    case '$':
    case '%':
    case '(':
    case '7':
    case '<':
    case 'A':
    case 'B':
    case 'H':
    case 'P':
    case 'S':
    case '[':
    case '{':
        return true;
    default:
        return first >= 0xc2 || first < 0x20;
    }
}

static bool
must_quote(const kn_dialect *dialect, kn_str field)
{
    unsigned char first;

    if (!field.len)
        return false;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.ptr[i];

        if (c == dialect->delimiter || c == dialect->quote || c == '\n' || c == '\r')
            return true;
    }
    if (is_blank(field.ptr[0]) || is_blank(field.ptr[field.len - 1]))
        return true;
    first = (unsigned char) field.ptr[0];
    return ((first >= 0xc3 || first < 0x20 || first == 's') && starts_like_a_mark(field))
        || (may_be_another_kind(first) && begins_like_another_kind(dialect, field));
}

/* Between quotes a quote is doubled. */
static void
put_inside(kn_text *text, char quote, kn_str field)
{
    const kn_str mark = { &quote, 1 };

    while (field.len) {
        const char *found = memchr(field.ptr, quote, field.len);
        size_t      count = found ? (size_t) (found - field.ptr) + 1 : field.len;

        kn_text_add(text, (kn_str){ field.ptr, count });
        if (found)
            kn_text_add(text, mark);
        field.ptr += count;
        field.len -= count;
    }
}

static void
put_quoted(kn_text *text, const kn_dialect *dialect, kn_str field, const char *before)
{
    const kn_str mark = { &dialect->quote, 1 };

    kn_text_add(text, mark);
    put_inside(text, dialect->quote, kn_str_of(before));
    put_inside(text, dialect->quote, field);
    kn_text_add(text, mark);
}

void
kn_csv_put_field(kn_text *text, const kn_dialect *dialect, kn_str field)
{
    if (dialect->guard && kn_formula_guards(field)) {
        put_quoted(text, dialect, field, "'");
    } else if (dialect->quote_all || must_quote(dialect, field)) {
        put_quoted(text, dialect, field, "");
    } else if (text->capacity - text->len > field.len + 2) {
        /* The usual case, in place: a release has as many fields as the table has cells. */
        if (field.len)
            memcpy(text->ptr + text->len, field.ptr, field.len);
        text->len += field.len;
        text->ptr[text->len++] = dialect->delimiter;
        text->ptr[text->len] = 0;
        return;
    } else {
        kn_text_add(text, field);
    }
    kn_text_add(text, (kn_str){ &dialect->delimiter, 1 });
}

/* Where the record starts if it holds nothing but delimiters, else SIZE_MAX. A line end that is inside
 * quotes is never met: the closing quote comes before it. */
static size_t
all_empty_from(const kn_text *text, const kn_dialect *dialect)
{
    size_t at = text->len;

    while (at > 0 && text->ptr[at - 1] == dialect->delimiter)
        at--;
    if (at == 0 || text->ptr[at - 1] == '\n')
        return at;
    if (at == 3 && dialect->bom && memcmp(text->ptr, BYTE_ORDER_MARK, 3) == 0)
        return at;
    return SIZE_MAX;
}

void
kn_csv_put_end(kn_text *text, const kn_dialect *dialect)
{
    size_t start;

    if (text->failed || !text->len)
        return;
    text->len--; /* the delimiter after the last field */
    start = all_empty_from(text, dialect);
    if (start != SIZE_MAX) {
        const char quotes[2] = { dialect->quote, dialect->quote };

        kn_text_add(text, (kn_str){ quotes, sizeof quotes });
        if (text->failed)
            return;
        memmove(text->ptr + start + 2, text->ptr + start, text->len - 2 - start);
        memcpy(text->ptr + start, quotes, sizeof quotes);
    }
    kn_text_addz(text, dialect->crlf ? "\r\n" : "\n");
}

bool
kn_csv_encode(kn_text *text, const kn_dialect *dialect)
{
    return kn_encode(text, dialect->encoding);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c -- numbers and names for people. No printf of a double: its decimal point depends on the
 * locale. */
#include "base/plain.h"

#include <math.h>

#include "base/json.h"

void
kn_plain_count(kn_text *text, uint64_t value)
{
    char   buffer[32];
    size_t at = sizeof buffer, digits = 0;

    do {
        if (digits && digits % 3 == 0)
            buffer[--at] = ',';
        buffer[--at] = (char) ('0' + value % 10);
        value /= 10;
        digits++;
    } while (value);
    kn_text_add(text, (kn_str){ buffer + at, sizeof buffer - at });
}

void
kn_plain_counted(kn_text *text, uint64_t count, const char *word)
{
    size_t length = strlen(word);

    kn_plain_count(text, count);
    kn_text_addf(text, " %s%s", word,
                 count == 1                          ? ""
                 : length && word[length - 1] == 's' ? "es"
                                                     : "s");
}

void
kn_plain_fixed(kn_text *text, double value, unsigned decimals)
{
    uint64_t scale = 1, scaled;

    assert(decimals <= 20);
    assert(decimals <= 6);
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    if (!isfinite(value)) {
        kn_text_addz(text, "-");
        return;
    }
    if (fabs(value) * (double) scale >= 1e18) { /* past what an integer holds exactly */
        kn_json_put_double(text, value);
        return;
    }
    scaled = (uint64_t) (fabs(value) * (double) scale + 0.5);
    if (value < 0 && scaled)
        kn_text_addz(text, "-");
    kn_plain_count(text, scaled / scale);
    if (decimals)
        kn_text_addf(text, ".%0*llu", (int) decimals, (unsigned long long) (scaled % scale));
}

void
kn_plain_number(kn_text *text, double value)
{
    double size = fabs(value);
    size_t from = text->len;

    if (!isfinite(value))
        kn_text_addz(text, "-");
    else if (value == floor(value) && size < 1e15)
        kn_plain_fixed(text, value, 0);
    else if (size >= 1000 && size < 1e12)
        kn_plain_fixed(text, value, 1);
    else if (size >= 0.00005 && size < 1000) {
        kn_plain_fixed(text, value, 4);
        while (!text->failed && text->len > from + 1 && text->ptr[text->len - 1] == '0')
            text->ptr[--text->len] = 0;
        if (!text->failed && text->ptr[text->len - 1] == '.')
            text->ptr[--text->len] = 0;
    } else {
        int exponent = (int) floor(log10(size));

        kn_plain_fixed(text, value / pow(10, exponent), 2);
        kn_text_addf(text, "e%+d", exponent);
    }
}

void
kn_plain_percent(kn_text *text, double share)
{
    double percent = share * 100;

    if (percent > 0 && percent < 0.05)
        kn_text_addz(text, "<0.1");
    else if (percent < 100 && percent >= 99.95)
        kn_text_addz(text, ">99.9");
    else
        kn_plain_fixed(text, percent, 1);
    kn_text_addz(text, " %");
}

void
kn_plain_bytes(kn_text *text, uint64_t bytes)
{
    static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
    double                   value = (double) bytes;
    size_t                   unit = 0;

    for (; value >= 999.95 && unit + 1 < KN_COUNT(units); unit++)
        value /= 1000;
    kn_plain_fixed(text, value, unit ? 1 : 0);
    kn_text_addf(text, " %s", units[unit]);
}

/* One character of a name; what a terminal might obey becomes '?'. */
static kn_str
tame(kn_str name, size_t at)
{
    unsigned char lead = (unsigned char) name.ptr[at];
    size_t        step = kn_utf8_step(name, at);

    if (lead < 0x20 || lead == 0x7f || kn_utf8_check(name.ptr + at, step) != step)
        return (kn_str){ "?", 1 };
    if (lead == 0xc2 && (unsigned char) name.ptr[at + 1] < 0xa0) /* the C1 controls */
        return (kn_str){ "?", 1 };
    return (kn_str){ name.ptr + at, step };
}

void
kn_plain_name(kn_text *text, const char *name, size_t most)
{
    kn_str whole = kn_str_of(name);
    size_t length = 0, kept;

    for (size_t at = 0; at < whole.len; at += kn_utf8_step(whole, at))
        length++;
    kept = most && length > most && most > 3 ? most - 3 : length;
    for (size_t at = 0, n = 0; at < whole.len && n < kept; at += kn_utf8_step(whole, at), n++)
        kn_text_add(text, tame(whole, at));
    if (kept < length)
        kn_text_addz(text, "...");
}

bool
kn_plain_item(kn_text *text, size_t at, size_t count, size_t most)
{
    size_t shown = count > most ? most - 1 : count;

    assert(most > 1);
    if (at == shown)
        kn_text_addf(text, " and %zu more", count - shown);
    else if (at < shown)
        kn_text_addz(text, at == 0 ? "" : at + 1 == count ? " and " : ", ");
    return at < shown;
}

void
kn_plain_word(kn_text *text, const char *word)
{
    bool plain = word[0] != 0;

    for (const char *c = word; *c; c++)
        plain = plain
             && (strchr("_-./,+=@:%", *c) || kn_is_digit(*c) || (*c >= 'a' && *c <= 'z')
                 || (*c >= 'A' && *c <= 'Z') || (unsigned char) *c >= 0x80);
    kn_text_addz(text, plain ? "" : "'");
    for (const char *c = word; *c; c++)
        if ((unsigned char) *c < 0x20 || *c == 0x7f)
            kn_text_addz(text, "?");
        else if (*c == '\'')
            kn_text_addz(text, "'\\''");
        else
            kn_text_add(text, (kn_str){ c, 1 });
    kn_text_addz(text, plain ? "" : "'");
}

void
kn_plain_column(kn_text *text, const char *name, const char *rest)
{
    kn_text word;
    bool    quotes = !name[0] || strpbrk(name, ",=\"") || name[0] == ' '
               || name[strlen(name) - 1] == ' ';

    kn_text_init(&word, text->ctx);
    kn_text_addz(&word, quotes ? "\"" : "");
    for (const char *c = name; *c; c++)
        kn_text_add(&word, quotes && *c == '"' ? KN_STR("\"\"") : (kn_str){ c, 1 });
    kn_text_addf(&word, "%s%s", quotes ? "\"" : "", rest);
    if (kn_text_status(&word) == KANON_OK)
        kn_plain_word(text, word.ptr);
    else
        text->failed = true;
    kn_text_fini(&word);
}

static size_t
line_start(const kn_text *text, size_t end)
{
    while (end > 0 && text->ptr[end - 1] != '\n')
        end--;
    return end;
}

void
kn_plain_pad(kn_text *text, size_t column)
{
    size_t start, width;

    if (text->failed)
        return;
    start = line_start(text, text->len);
    width = kn_utf8_count((kn_str){ text->ptr + start, text->len - start });
    if (width < column)
        kn_text_addf(text, "%*s", (int) (column - width), "");
    else if (width > column)
        kn_text_addz(text, " ");
}

/* Where a line that starts at `from` must end: the last blank within width, or SIZE_MAX if it fits. */
static size_t
break_at(const kn_text *text, size_t from, size_t width, size_t indent)
{
    size_t columns = 0, blank = SIZE_MAX;

    for (size_t i = from; i < text->len && text->ptr[i] != '\n'; i++) {
        if (text->ptr[i] == ' ' && i >= from + indent && text->ptr[i + 1] != '%')
            blank = i; /* no line begins with a percent sign */
        columns += ((unsigned char) text->ptr[i] & 0xc0) != 0x80;
        if (columns > width && blank != SIZE_MAX)
            return blank;
    }
    return SIZE_MAX;
}

size_t
kn_plain_width(const kn_text *text, size_t most)
{
    enum { LEAST = 60 };
    size_t allowed = text->ctx ? kn_ctx_text_width(text->ctx) : 0;

    if (!allowed || allowed > most)
        return most;
    return allowed < LEAST ? LEAST : allowed;
}

void
kn_plain_wrap(kn_text *text, size_t from, size_t width, size_t indent)
{
    assert(from <= text->len && indent < width);
    width = kn_plain_width(text, width);
    while (!text->failed && from < text->len) {
        size_t at = break_at(text, from, width, indent), tail;

        if (at == SIZE_MAX) {
            while (from < text->len && text->ptr[from] != '\n')
                from++;
            from++;
            continue;
        }
        tail = text->len - at - 1;
        kn_text_addf(text, "%*s", (int) indent, ""); /* room for the indent */
        if (text->failed)
            return;
        memmove(text->ptr + at + 1 + indent, text->ptr + at + 1, tail);
        text->ptr[at] = '\n';
        memset(text->ptr + at + 1, ' ', indent);
        from = at + 1;
    }
}

size_t
kn_plain_begin(kn_text *text, size_t indent, const char *label)
{
    size_t from = text->len;

    kn_text_addz(text, label);
    kn_plain_pad(text, indent);
    return from;
}

void
kn_plain_end(kn_text *text, size_t from, size_t width, size_t indent)
{
    assert(from <= text->len);
    kn_text_addz(text, "\n");
    kn_plain_wrap(text, from, width, indent);
}

void
kn_plain_folded(kn_text *text, size_t columns, const char *last, const char *what)
{
    size_t from = text->len;

    kn_text_addz(text, "... ");
    kn_plain_count(text, columns);
    kn_text_addz(text, " more columns, up to ");
    kn_plain_name(text, last, 30);
    kn_text_addf(text, ": %s\n", what);
    kn_plain_wrap(text, from, 80, 4);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* csv_records.c -- the records of CSV text.
 * Shaped for wide tables: the scanner lists the bytes that matter of 16 KiB at a time, the parser hops
 * over them and makes a cell of every two; between delimiters it looks at nothing. Cells point into the
 * text, quotes are undone in place once a record is whole. A record that reaches the end of what is in
 * memory is parsed again when more is there; the buffer doubles while one record fills half of it. */
#include "formats/csv_records.h"

#include "base/text.h"

enum { TEXT_BYTES = 1 << 18, RECORD_MOST = 1 << 26, LINE_END_MOST = 2, CELLS_LEAST = 16 };

typedef enum { FIELD, RECORD, END, MORE, BAD } outcome;

/* A record under way. */
typedef struct cursor {
    size_t       begin; /* of the current field */
    size_t       fields;
    size_t       quoted;
    size_t       next;  /* after the record, once its end is found */
    uint64_t     lines; /* line ends inside quotes so far */
    bool         escaped;
    kanon_status rc;
} cursor;

kanon_status
kn_records_init(kanon_ctx *ctx, kn_records *records, kn_input *input, const kn_csv_tuning *tuning)
{
    memset(records, 0, sizeof *records);
    records->ctx = ctx;
    records->input = input;
    records->scan = tuning->scan == KN_SCAN_PORTABLE ? kn_scan_portable : kn_scan_best();
    records->step = tuning->step ? tuning->step : SIZE_MAX;
    records->record_most = tuning->record_most ? tuning->record_most : RECORD_MOST;
    records->next_line = 1;
    records->capacity = TEXT_BYTES;
    records->text = kn_alloc(ctx, records->capacity);
    records->hits.at = kn_alloc(ctx, KN_SCAN_ROOM * sizeof *records->hits.at);
    return records->text && records->hits.at ? KANON_OK : KANON_E_NOMEM;
}

void
kn_records_fini(kn_records *records)
{
    if (!records->ctx)
        return;
    kn_input_close(records->input);
    kn_free(records->ctx, records->text);
    kn_free(records->ctx, records->hits.at);
    kn_free(records->ctx, records->cells);
    memset(records, 0, sizeof *records);
}

/* --- text -------------------------------------------------------------------------------------- */

/* Other encodings grow: as many bytes as will fit are read into the far end of the room and decoded towards
 * it, which they never overtake. */
static kanon_status
fill_decoded(kn_records *r, size_t room)
{
    size_t       part = (room / KN_DECODED_MOST - 1) & ~(size_t) 1, got = 0;
    char        *from = r->text + r->capacity - part;
    kanon_status rc = kn_input_read(r->input, from, part, &got);

    if (rc < 0)
        return rc;
    r->input_ended = got < part;
    r->len += kn_decode(&r->decoder, from, got, r->input_ended ? KN_LAST_PIECE : KN_PIECE,
                        r->text + r->len);
    return KANON_OK;
}

static kanon_status
fill_rest(kn_records *r)
{
    size_t       room = r->capacity - r->len, got = 0;
    kanon_status rc;

    if (r->decoder.encoding != KN_ENCODING_UTF8)
        return fill_decoded(r, room);
    rc = kn_input_read(r->input, r->text + r->len, room, &got);
    if (rc < 0)
        return rc;
    r->input_ended = got < room;
    r->len += got;
    return KANON_OK;
}

static void
show_more(kn_records *r)
{
    size_t hidden = r->len - r->visible;

    r->visible += hidden < r->step ? hidden : r->step;
}

/* A part of the room, so that all of it has room once it is decoded. */
kanon_status
kn_records_fill(kn_records *records)
{
    size_t       part = (records->capacity / KN_DECODED_MOST - 1) & ~(size_t) 1;
    kanon_status rc = kn_input_read(records->input, records->text, part, &records->len);

    records->input_ended = records->len < part;
    return rc;
}

kanon_status
kn_records_decode(kn_records *records, const kn_encoding_found *found)
{
    size_t count = records->len - found->mark_bytes;
    char  *from = records->text + records->capacity - count;

    records->decoder = (kn_decoder){ .encoding = found->encoding, .big = found->big };
    if (found->encoding == KN_ENCODING_UTF8) {
        kn_records_skip(records, found->mark_bytes, 0);
        return records->input_ended ? KANON_OK : fill_rest(records);
    }
    memmove(from, records->text + found->mark_bytes, count);
    records->len = kn_decode(&records->decoder, from, count,
                             records->input_ended ? KN_LAST_PIECE : KN_PIECE, records->text);
    return KANON_OK;
}

void
kn_records_skip(kn_records *records, size_t count, uint64_t lines)
{
    assert(records->start + count <= records->len);
    records->start += count;
    records->visible = records->scanned = records->start;
    records->next_line += lines;
}

/* Reads on so that there is as much to look at as at the beginning of a file; there may be enough. */
static kanon_status
refill(kn_records *r)
{
    if (r->len - r->start > r->capacity / 2)
        return KANON_OK;
    memmove(r->text, r->text + r->start, r->len - r->start);
    r->len -= r->start;
    r->start = r->visible = r->scanned = 0;
    return r->input_ended ? KANON_OK : fill_rest(r);
}

kanon_status
kn_records_skip_to(kn_records *records, uint64_t line)
{
    kanon_status rc = KANON_OK;

    while (records->next_line < line) {
        size_t      left = records->len - records->start;
        const char *found = left ? memchr(records->text + records->start, '\n', left) : NULL;

        if (found) {
            kn_records_skip(records, (size_t) (found - records->text) + 1 - records->start, 1);
            continue;
        }
        records->start = records->len;
        if (records->input_ended)
            return kn_fail_at(records->ctx, KANON_E_PARSE, records->name, 0,
                              "has %llu lines; skip %llu leaves nothing of it",
                              (unsigned long long) (records->next_line - 1 + (left > 0)),
                              (unsigned long long) (line - 1));
        KN_TRY(refill(records));
    }
    rc = refill(records);
out:
    return rc;
}

static kanon_status
too_long(const kn_records *r)
{
    return kn_fail_at(
        r->ctx, KANON_E_PARSE, r->name, r->next_line,
        "the row that starts here is longer than %zu bytes, the maximum; is a quote not closed?",
        r->record_most);
}

/* Shows the parser more of the text, reading on if all of it was shown. */
static kanon_status
more_text(kn_records *r)
{
    kanon_status rc;

    if (r->visible == r->len) {
        size_t from = r->start;

        if (r->len - r->start > r->record_most + LINE_END_MOST)
            return too_long(r);
        if (r->last_length && r->start - r->last < r->capacity / 4)
            from = r->last;
        else
            r->last_length = 0;
        memmove(r->text, r->text + from, r->len - from);
        r->last = 0;
        r->start -= from;
        r->len = r->visible = r->len - from;
        if (r->len > r->capacity / 2) {
            void *text = r->text;

            rc = kn_grow(r->ctx, &text, &r->capacity, 2 * r->capacity, 1);
            r->text = text;
            if (rc < 0)
                return rc;
        }
        rc = fill_rest(r);
        if (rc < 0)
            return rc;
    }
    show_more(r);
    /* Positions have moved, and the record is parsed again from its start. */
    r->scanned = r->start;
    r->hits.count = r->hit = 0;
    r->odd_end = 0;
    return KANON_OK;
}

static bool
all_shown(const kn_records *r)
{
    return r->input_ended && r->visible == r->len;
}

/* Looks for hits in the next window; false when all visible text has been looked through. */
static bool
scan_window(kn_records *r)
{
    kn_scan_job job = { .bytes = r->text + r->scanned,
                        .count = r->visible - r->scanned,
                        .base = (uint32_t) r->scanned,
                        .delimiter = r->delimiter,
                        .quote = r->quote };

    if (!job.count)
        return false;
    if (job.count > KN_SCAN_WINDOW)
        job.count = KN_SCAN_WINDOW;
    r->scan(&job, &r->hits);
    r->hit = 0;
    r->scanned += job.count;
    if (r->hits.odd)
        r->odd_end = r->scanned;
    return true;
}

static bool
next_hit(kn_records *r, size_t *at)
{
    while (r->hit == r->hits.count)
        if (!scan_window(r))
            return false;
    *at = r->hits.at[r->hit++];
    return true;
}

/* --- fields ------------------------------------------------------------------------------------ */

static outcome
bad(const kn_records *r, cursor *c, uint64_t line, const char *what)
{
    c->rc = kn_fail_at(r->ctx, KANON_E_PARSE, r->name, line, "%s", what);
    return BAD;
}

/* Room for more cells of the first record; later ones have as many as that or are refused. */
static bool
more_cells(kn_records *r, cursor *c)
{
    size_t bigger = r->cells_capacity ? 2 * r->cells_capacity : CELLS_LEAST;
    void  *cells;

    if (r->cells_capacity == KN_COLUMNS_MOST) {
        c->rc = kn_fail_at(r->ctx, KANON_E_UNSUPPORTED, r->name, r->next_line,
                           "more than %d columns, the maximum", KN_COLUMNS_MOST);
        return false;
    }
    if (bigger > KN_COLUMNS_MOST)
        bigger = KN_COLUMNS_MOST;
    cells = kn_realloc_array(r->ctx, r->cells, bigger, sizeof *r->cells);
    if (!cells) {
        c->rc = KANON_E_NOMEM;
        return false;
    }
    r->cells = cells;
    r->cells_capacity = bigger;
    return true;
}

static inline bool
add_cell(kn_records *r, cursor *c, size_t from, size_t to)
{
    if (KN_UNLIKELY(c->fields >= r->cells_capacity)) {
        if (r->columns_known) {
            c->fields++;
            return true;
        }
        if (!more_cells(r, c))
            return false;
    }
    r->cells[c->fields].ptr = r->text + from;
    r->cells[c->fields].len = to - from;
    c->fields++;
    return true;
}

static outcome
end_record(kn_records *r, cursor *c, size_t end, size_t next)
{
    c->next = next;
    r->fields = c->fields;
    r->quoted = c->quoted;
    r->length = end - r->start;
    r->line = r->next_line;
    r->next_line += c->lines + (next > end);
    r->crlf = next == end + 2;
    return RECORD;
}

/* A field ends at `at`, before a delimiter or line end that the scanner has found. */
static outcome
end_field(kn_records *r, cursor *c, size_t at)
{
    char   byte = r->text[at];
    size_t lf;

    if (byte == r->delimiter) {
        c->begin = at + 1;
        return FIELD;
    }
    if (byte == '\n')
        return end_record(r, c, at, at + 1);
    if (at + 1 == r->visible && !all_shown(r))
        return MORE;
    if (at + 1 == r->visible || r->text[at + 1] != '\n')
        return bad(
            r, c, r->next_line + c->lines,
            "a carriage return without a line feed; use line ends LF or CRLF, or quote the field");
    next_hit(r, &lf);
    return end_record(r, c, at, at + 2);
}

/* The quote that opens a field was just found at c->begin. */
static outcome
quoted_field(kn_records *r, cursor *c)
{
    uint64_t opened = r->next_line + c->lines;
    size_t   at, from = c->begin + 1;
    char     after;

    for (;;) {
        if (!next_hit(r, &at))
            return all_shown(r)
                     ? bad(r, c, opened,
                           "a quote opens here and is never closed; close it after the field")
                     : MORE;
        if (r->text[at] == '\n')
            c->lines++;
        if (r->text[at] != r->quote)
            continue;
        if (at + 1 == r->visible || r->text[at + 1] != r->quote)
            break;
        next_hit(r, &at); /* doubled: one quote of the text */
        c->escaped = true;
    }
    if (at + 1 == r->visible && !all_shown(r))
        return MORE;
    c->quoted++;
    if (!add_cell(r, c, from, at))
        return BAD;
    if (at + 1 == r->visible)
        return end_record(r, c, r->visible, r->visible);
    after = r->text[at + 1];
    if (after != r->delimiter && after != '\n' && after != '\r')
        return bad(r, c, r->next_line + c->lines,
                   "text after a closing quote; expected a delimiter or the end of the line "
                   "(double a quote inside quotes)");
    next_hit(r, &at);
    return end_field(r, c, at);
}

/* The hot loop: a cell for every delimiter, as long as nothing else comes. */
static bool
plain_fields(kn_records *r, cursor *c)
{
    const uint32_t *hits = r->hits.at;
    const char     *text = r->text;
    const char      delimiter = r->delimiter;
    size_t          hit = r->hit, count = r->hits.count, begin = c->begin, fields = c->fields;
    size_t          room = r->cells_capacity;
    kn_str         *cells = r->cells;

    for (; hit < count && fields < room; hit++) {
        size_t at = hits[hit];

        if (text[at] != delimiter)
            break;
        cells[fields].ptr = text + begin;
        cells[fields].len = at - begin;
        fields++;
        begin = at + 1;
    }
    c->begin = begin;
    c->fields = fields;
    r->hit = hit;
    if (hit < count && fields == room && text[hits[hit]] == delimiter) {
        if (!add_cell(r, c, begin, hits[hit]))
            return false;
        c->begin = hits[hit] + 1;
        r->hit++;
    }
    return true;
}

static outcome
parse_record(kn_records *r, cursor *c)
{
    outcome answer = FIELD;

    while (answer == FIELD) {
        size_t at;

        if (!plain_fields(r, c))
            return BAD;
        if (!next_hit(r, &at)) {
            if (!all_shown(r))
                return MORE;
            if (c->begin == r->visible && c->fields == 0)
                return END;
            if (!add_cell(r, c, c->begin, r->visible))
                return BAD;
            return end_record(r, c, r->visible, r->visible);
        }
        if (r->text[at] == r->quote) {
            if (at == c->begin)
                answer = quoted_field(r, c);
            continue; /* else: a quote inside a plain field is text */
        }
        if (!add_cell(r, c, c->begin, at))
            return BAD;
        answer = end_field(r, c, at);
    }
    return answer;
}

/* --- records ----------------------------------------------------------------------------------- */

static uint64_t
line_of(const kn_records *r, size_t within)
{
    uint64_t line = r->line;

    for (size_t i = 0; i < within; i++)
        line += r->text[r->start + i] == '\n';
    return line;
}

/* What is wrong with bytes that have no character; see kn_decode. */
static const char *
not_valid(kn_encoding encoding)
{
    switch (encoding) {
    case KN_ENCODING_UTF16:
        return "not valid UTF-16: half a character; is the file damaged?";
    case KN_ENCODING_WINDOWS1252:
        return "a byte that Windows-1252 has no character for; convert the table to UTF-8";
    case KN_ENCODING_AUTO:
    case KN_ENCODING_UTF8:
    case KN_ENCODING_LATIN1:
        break;
    }
    return "not valid UTF-8; if the file is in Windows-1252 or Latin-1, use --encoding "
           "windows-1252";
}

static kanon_status
check_bytes(const kn_records *r)
{
    const char *text = r->text + r->start;
    const char *nul = memchr(text, 0, r->length);
    size_t      good = kn_utf8_check(text, r->length);

    if (nul && (size_t) (nul - text) < good)
        return kn_fail_at(r->ctx, KANON_E_PARSE, r->name, line_of(r, (size_t) (nul - text)),
                          "a NUL byte; is this a table as text? If so, remove the byte");
    if (good < r->length)
        return kn_fail_at(r->ctx, KANON_E_PARSE, r->name, line_of(r, good), "%s",
                          not_valid(r->decoder.encoding));
    return KANON_OK;
}

/* Doubled quotes become single ones. A quoted cell is one that follows a quote: a plain one follows a
 * delimiter or starts the record. */
static void
undouble(kn_records *r)
{
    size_t count = r->fields < r->cells_capacity ? r->fields : r->cells_capacity;

    for (size_t i = 0; i < count; i++) {
        kn_str *cell = &r->cells[i];
        char   *from = r->text + (cell->ptr - r->text), *end = from + cell->len, *to;

        if (from == r->text + r->start || from[-1] != r->quote)
            continue;
        from = memchr(from, r->quote, cell->len);
        if (!from)
            continue;
        for (to = from; from < end; from++) {
            *to++ = *from;
            if (*from == r->quote)
                from++;
        }
        cell->len = (size_t) (to - cell->ptr);
    }
}

static kanon_status
finish_record(kn_records *r, const cursor *c)
{
    kanon_status rc = KANON_OK;

    if (r->length > r->record_most) {
        r->next_line = r->line;
        return too_long(r);
    }
    if (r->odd_end > r->start)
        rc = check_bytes(r);
    if (!kn_records_all_empty(r)) {
        r->last = r->start;
        r->last_length = c->escaped ? 0 : r->length;
        r->last_line = r->line;
    }
    if (rc == KANON_OK && c->escaped)
        undouble(r);
    r->start = c->next;
    return rc;
}

kanon_status
kn_records_next(kn_records *records, bool *found)
{
    *found = false;
    for (;;) {
        cursor  c = { .begin = records->start };
        outcome answer = parse_record(records, &c);

        switch (answer) {
        case RECORD:
            *found = true;
            return finish_record(records, &c);
        case END:
            return KANON_OK;
        case MORE:
            c.rc = more_text(records);
            if (c.rc < 0)
                return c.rc;
            break;
        case FIELD:
        case BAD:
            return c.rc;
        }
    }
}

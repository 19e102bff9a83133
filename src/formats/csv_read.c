/* SPDX-License-Identifier: Apache-2.0 */
/* csv_read.c -- tables as text: dialect, header, and which records are rows.
 * Records come from csv_records.c. What is decided here: every row has as many fields as the first
 * record; lines at the end that hold nothing (spreadsheets leave them) are no rows, so empty records
 * are only counted until something follows them. */
#include "base/text.h"
#include "formats/csv_header.h"
#include "formats/csv_kind.h"
#include "formats/csv_records.h"

typedef struct csv_rows {
    kn_rows    base; /* first: rows are cast to this */
    kn_records records;
    uint64_t   total_bytes; /* of the source; 0: unknown */
    bool       ready;       /* records holds one that was not handed out yet */
    bool       ended;
    uint64_t   line; /* of the record handed out last */
    /* Empty records in a row: first counted, then, if anything follows, handed out. */
    kn_str  *empty_cells;
    uint64_t empties;      /* counted so far */
    uint64_t empty_line;   /* the first of them */
    uint64_t blank_line;   /* the first that is not even delimiters; 0: none */
    uint64_t empties_left; /* to be handed out */
} csv_rows;

/* --- opening ----------------------------------------------------------------------------------- */

static bool
usable(char byte)
{
    unsigned char c = (unsigned char) byte;

    return c < 0x80 && c != 0 && c != '\n' && c != '\r';
}

static kanon_status
check_options(kanon_ctx *ctx, const kn_csv_options *options)
{
    char quote = options->quote ? options->quote : '"';

    if (options->delimiter && !usable(options->delimiter))
        return kn_fail(ctx, KANON_E_INVALID,
                       "the delimiter must be one ASCII character other than a line end");
    if (!usable(quote))
        return kn_fail(ctx, KANON_E_INVALID,
                       "the quote must be one ASCII character other than a line end");
    if (options->delimiter == quote)
        return kn_fail(ctx, KANON_E_INVALID,
                       "delimiter and quote are both '%c'; use two different characters", quote);
    return KANON_OK;
}

static bool
starts_with(kn_str text, const char *mark)
{
    size_t length = strlen(mark);

    return text.len >= length && memcmp(text.ptr, mark, length) == 0;
}

/* A byte order mark says what the file is. In Latin-1 the text is UTF-8 by now, and so are the marks. */
static kanon_status
look_at_mark(csv_rows *csv, kn_str text)
{
    bool        latin1 = csv->base.dialect.encoding == KN_ENCODING_LATIN1;
    const char *kind = kn_csv_other_kind(text);

    if (starts_with(text, latin1 ? "\u00ff\u00fe" : "\xff\xfe")
        || starts_with(text, latin1 ? "\u00fe\u00ff" : "\xfe\xff"))
        return kn_fail_at(csv->base.ctx, KANON_E_UNSUPPORTED, csv->base.name, 1,
                          "is in UTF-16, not UTF-8; convert it with iconv -f UTF-16 -t UTF-8");
    if (latin1 && starts_with(text, "\u00ef\u00bb\u00bf"))
        return kn_fail_at(csv->base.ctx, KANON_E_INVALID, csv->base.name, 1,
                          "starts with a UTF-8 byte-order mark, but the encoding is latin-1; "
                          "remove the encoding setting");
    if (kind)
        return kn_fail_at(csv->base.ctx, KANON_E_UNSUPPORTED, csv->base.name, 0, "%s", kind);
    if (starts_with(text, "\xef\xbb\xbf")) {
        csv->base.dialect.bom = true;
        kn_records_skip(&csv->records, 3, 0);
    }
    return KANON_OK;
}

static kn_str
not_parsed(const kn_records *records)
{
    return (kn_str){ records->text + records->start, records->len - records->start };
}

/* Excel writes "sep=;" as a line of its own before the table. When a byte of "sep=" is itself delimiter
 * or quote, such a line may be a record, and the writer could not tell them apart. */
static void
look_at_separator(csv_rows *csv)
{
    kn_dialect *dialect = &csv->base.dialect;
    kn_str      text = not_parsed(&csv->records);
    size_t      length = 5;
    char        separator;

    if (text.len <= length || !starts_with(text, "sep="))
        return;
    separator = text.ptr[4];
    length += text.ptr[length] == '\r';
    if (length == text.len || text.ptr[length] != '\n')
        return;
    if (!usable(separator) || separator == dialect->quote || strchr("sep=", separator)
        || strchr("sep=", dialect->quote)
        || (dialect->delimiter && strchr("sep=", dialect->delimiter)))
        return;
    if (!dialect->delimiter)
        dialect->delimiter = separator;
    kn_records_skip(&csv->records, length + 1, 1);
}

static kanon_status
find_dialect(csv_rows *csv, const kn_csv_options *options)
{
    kanon_status rc;
    kn_records  *records = &csv->records;

    csv->base.dialect.encoding = records->encoding = options->encoding;
    csv->base.dialect.quote = records->quote = options->quote ? options->quote : '"';
    rc = kn_records_fill(records);
    if (rc < 0)
        return rc;
    rc = look_at_mark(csv, (kn_str){ records->text, records->len });
    if (rc < 0)
        return rc;
    csv->base.dialect.delimiter = options->delimiter;
    look_at_separator(csv);
    if (!csv->base.dialect.delimiter)
        csv->base.dialect.delimiter = kn_sniff_delimiter(not_parsed(records),
                                                         csv->base.dialect.quote,
                                                         records->input_ended ? KN_SAMPLE_WHOLE
                                                                              : KN_SAMPLE_PART);
    records->delimiter = csv->base.dialect.delimiter;
    return KANON_OK;
}

/* Of the first record, while that is the one found last. */
static bool
is_nameless(const csv_rows *csv, size_t column)
{
    return kn_str_trim(csv->records.cells[column]).len == 0;
}

/* Names that were made up for empty cells count, but not alone: then a row of a table without a header
 * would do. */
static bool
all_expected_are_there(const csv_rows *csv, const kn_csv_options *options)
{
    size_t written = 0;

    for (size_t i = 0; i < options->nexpected; i++) {
        size_t column = kn_names_find(&csv->base.names, options->expected[i]);

        if (column == SIZE_MAX)
            return false;
        written += !is_nameless(csv, column);
    }
    return written > 0;
}

static bool
has_double_cells(const csv_rows *csv)
{
    size_t one, other;

    return kn_names_double(&csv->base.names, &one, &other) && !is_nameless(csv, one)
        && !is_nameless(csv, other);
}

static kanon_status
guess_first(const csv_rows *csv, kn_first *first)
{
    const kn_records *records = &csv->records;
    kn_rest           rest = { .text = not_parsed(records),
                               .is = records->input_ended ? KN_SAMPLE_WHOLE : KN_SAMPLE_PART,
                               .delimiter = csv->base.dialect.delimiter,
                               .quote = csv->base.dialect.quote };
    kanon_status      rc;

    if (rest.text.len > KN_SNIFF_BYTES) {
        rest.text.len = KN_SNIFF_BYTES;
        rest.is = KN_SAMPLE_PART;
    }
    rc = kn_header_guess(csv->base.ctx, records->cells, records->fields, &rest, first);
    if (rc == KANON_OK && *first == KN_FIRST_UNSURE && has_double_cells(csv))
        *first = KN_FIRST_DATA;
    return rc;
}

static kanon_status
judge_first(const csv_rows *csv, const kn_csv_options *options, kn_first *first)
{
    *first = options->header == KN_HEADER_NO ? KN_FIRST_DATA : KN_FIRST_NAMES;
    if (options->header != KN_HEADER_AUTO || all_expected_are_there(csv, options))
        return KANON_OK;
    return guess_first(csv, first);
}

static kanon_status
check_header(const csv_rows *csv)
{
    size_t one, other;

    if (kn_names_double(&csv->base.names, &one, &other))
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->records.line,
                          "columns %zu and %zu are both named '%.*s'; give them different names",
                          one + 1, other + 1, KN_ARG(csv->base.names.names[one]));
    return KANON_OK;
}

static kanon_status
check_fields(const csv_rows *csv)
{
    size_t      fields = csv->records.fields, expected = csv->base.names.count;
    const char *tab = csv->base.dialect.delimiter == '\t' ? "tab" : NULL;
    char        mark[2] = { csv->base.dialect.delimiter, 0 };

    if (KN_LIKELY(fields == expected))
        return KANON_OK;
    return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->records.line,
                      "%zu field%s; expected %zu as in the first line (delimiter %s)", fields,
                      fields == 1 ? "" : "s", expected, tab ? tab : mark);
}

/* An empty record is only counted: what follows decides whether it is a row. */
static kanon_status
count_empty(csv_rows *csv)
{
    bool blank = csv->records.length == 0 && csv->base.names.count > 1;

    if (!csv->empties++)
        csv->empty_line = csv->records.line;
    if (!blank)
        return check_fields(csv);
    if (!csv->blank_line)
        csv->blank_line = csv->records.line;
    return KANON_OK;
}

static void
warn_of_guess(const csv_rows *csv)
{
    kn_warn(csv->base.ctx, KN_FOUND_HEADER_GUESSED, kn_at_line(csv->base.name, csv->records.line),
            "%s:%llu: the first line was read as column names; if it is data, use --no-header "
            "(--header yes silences this)",
            csv->base.name, (unsigned long long) csv->records.line);
}

/* A file without any line that is known to be a table. */
static kanon_status
begin_empty(csv_rows *csv, size_t columns)
{
    kn_str      *cells = KN_NEW_ARRAY(csv->base.ctx, kn_str, columns);
    kanon_status rc = KANON_E_NOMEM;

    csv->ended = true;
    if (cells)
        rc = kn_names_copy(csv->base.ctx, &csv->base.names, cells, columns);
    kn_free(csv->base.ctx, cells);
    return rc;
}

/* The first record is the header or, left ready, the first row. */
static kanon_status
read_first(csv_rows *csv, const kn_csv_options *options)
{
    kanon_status rc = KANON_OK;
    kn_records  *records = &csv->records;
    kn_first     first;
    bool         found;

    KN_TRY(kn_records_next(records, &found));
    if (!found && options->empty_columns)
        return begin_empty(csv, options->empty_columns);
    if (!found)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, 0,
                          options->header == KN_HEADER_NO ? "is empty; expected at least one line"
                                                          : "is empty; expected a header line");
    if (!records->length && options->header != KN_HEADER_NO)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, records->line,
                          "a blank line; expected a header line");
    records->columns_known = true;
    csv->base.dialect.crlf = records->crlf;
    csv->base.dialect.quote_all = records->quoted == records->fields;
    KN_TRY(kn_names_copy(csv->base.ctx, &csv->base.names, records->cells, records->fields));
    KN_TRY(judge_first(csv, options, &first));
    csv->base.dialect.header = first != KN_FIRST_DATA;
    if (csv->base.dialect.header) {
        KN_TRY(check_header(csv));
        csv->base.dialect.header_doubtful = first == KN_FIRST_UNSURE && !options->nexpected;
        if (csv->base.dialect.header_doubtful)
            warn_of_guess(csv);
    } else {
        KN_TRY(kn_names_number(csv->base.ctx, &csv->base.names));
        csv->ready = !kn_records_all_empty(records);
        if (!csv->ready)
            KN_TRY(count_empty(csv));
    }
    csv->empty_cells = KN_NEW_ARRAY(csv->base.ctx, kn_str, csv->base.names.count);
    if (!csv->empty_cells)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < csv->base.names.count; i++)
        csv->empty_cells[i] = KN_STR("");
out:
    return rc;
}

/* --- rows -------------------------------------------------------------------------------------- */

/* Something follows the empty records: they are rows, except that a blank line is none. */
static kanon_status
release_empties(csv_rows *csv)
{
    if (csv->blank_line)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->blank_line,
                          "a blank line; expected %zu fields", csv->base.names.count);
    csv->empties_left = csv->empties;
    csv->empties = 0;
    return KANON_OK;
}

static void
reach_end(csv_rows *csv)
{
    csv->ended = true;
    if (csv->empties == 1)
        kn_warn(csv->base.ctx, KN_FOUND_EMPTY_LINES, kn_at_line(csv->base.name, csv->empty_line),
                "%s:%llu: skipped an empty last line", csv->base.name,
                (unsigned long long) csv->empty_line);
    else if (csv->empties)
        kn_warn(csv->base.ctx, KN_FOUND_EMPTY_LINES, kn_at_line(csv->base.name, csv->empty_line),
                "%s:%llu: skipped %llu empty last lines", csv->base.name,
                (unsigned long long) csv->empty_line, (unsigned long long) csv->empties);
}

/* Goes on to the next record that is not empty; it is ready then, unless the end was reached. */
static kanon_status
make_ready(csv_rows *csv)
{
    kanon_status rc = KANON_OK;
    bool         found = true;

    while (!csv->ready && !csv->ended) {
        KN_TRY(kn_records_next(&csv->records, &found));
        csv->ready = found && !kn_records_all_empty(&csv->records);
        if (csv->ready)
            KN_TRY(check_fields(csv));
        else if (found)
            KN_TRY(count_empty(csv));
        else
            reach_end(csv);
    }
    if (csv->ready && KN_UNLIKELY(csv->empties))
        rc = release_empties(csv);
out:
    return rc;
}

static kanon_status
next(kn_rows *rows, const kn_str **cells)
{
    csv_rows    *csv = (csv_rows *) rows;
    kanon_status rc;

    *cells = NULL;
    if (KN_LIKELY(!csv->empties_left)) {
        rc = make_ready(csv);
        if (rc < 0)
            return rc;
    }
    if (KN_UNLIKELY(csv->empties_left)) {
        csv->empties_left--;
        csv->line = csv->empty_line++;
        *cells = csv->empty_cells;
    } else if (csv->ready) {
        csv->ready = false;
        csv->line = csv->records.line;
        *cells = csv->records.cells;
    }
    return KANON_OK;
}

static uint64_t
line(const kn_rows *rows)
{
    return ((const csv_rows *) rows)->line;
}

static uint64_t
bytes(const kn_rows *rows)
{
    return kn_input_bytes(((const csv_rows *) rows)->records.input);
}

static double
fraction(const kn_rows *rows)
{
    uint64_t total = ((const csv_rows *) rows)->total_bytes;

    return total ? (double) bytes(rows) / (double) total : -1;
}

static const kn_hash *
hash(const kn_rows *rows)
{
    return kn_input_hash(((const csv_rows *) rows)->records.input);
}

static void
close_rows(kn_rows *rows)
{
    csv_rows *csv = (csv_rows *) rows;

    kn_records_fini(&csv->records);
    kn_names_fini(&rows->names);
    kn_free(rows->ctx, csv->empty_cells);
    kn_free(rows->ctx, csv);
}

/* --- a table ----------------------------------------------------------------------------------- */

static kanon_status open_table(kn_rows_source *source, kanon_ctx *ctx, kn_rows **out);

static const kn_rows_class csv_class = {
    .open = open_table,
    .next = next,
    .line = line,
    .bytes = bytes,
    .fraction = fraction,
    .hash = hash,
    .close = close_rows,
};

kanon_status
kn_csv_open_tuned(kanon_ctx *ctx, const kanon_source *source, const kn_csv_options *options,
                  const kn_csv_tuning *tuning, kn_rows **out)
{
    static const kn_csv_options usual = { 0 };
    kanon_status                rc = KANON_OK;
    csv_rows                   *csv = NULL;
    kn_input                   *input = NULL;

    *out = NULL;
    if (!options)
        options = &usual;
    KN_TRY(check_options(ctx, options));
    csv = KN_NEW(ctx, csv_rows);
    if (!csv)
        return KANON_E_NOMEM;
    csv->base.class = &csv_class;
    csv->base.ctx = ctx;
    csv->base.name = source->name ? source->name : "input";
    csv->total_bytes = source->length ? source->length(source->user) : 0;
    kn_names_init(ctx, &csv->base.names);
    KN_TRY(kn_input_open(ctx, source, tuning->ahead, &input));
    KN_TRY(kn_records_init(ctx, &csv->records, input, tuning));
    csv->records.name = csv->base.name;
    KN_TRY(find_dialect(csv, options));
    KN_TRY(read_first(csv, options));
    *out = &csv->base;
    csv = NULL; /* moved */
out:
    if (csv)
        close_rows(&csv->base);
    return rc;
}

kanon_status
kn_csv_open(kanon_ctx *ctx, const kanon_source *source, const kn_csv_options *options,
            kn_rows **out)
{
    static const kn_csv_tuning usual = { 0 };

    return kn_csv_open_tuned(ctx, source, options, &usual, out);
}

/* What the first pass found holds for all that follow. */
static kanon_status
open_table(kn_rows_source *source, kanon_ctx *ctx, kn_rows **out)
{
    kn_csv_table *table = (kn_csv_table *) source;
    kanon_status  rc = kn_csv_open(ctx, table->bytes, &table->options, out);

    if (rc == KANON_OK) {
        const kn_dialect *found = kn_rows_dialect(*out);

        table->options.delimiter = found->delimiter;
        table->options.header = found->header ? KN_HEADER_YES : KN_HEADER_NO;
        table->options.expected = NULL;
        table->options.nexpected = 0;
    }
    return rc;
}

void
kn_csv_table_init(kn_csv_table *table, const kanon_source *source, const kn_csv_options *options)
{
    *table = (kn_csv_table){ .base = { .class = &csv_class, .name = source->name },
                             .bytes = source,
                             .options = *options,
                             .delimiter_given = options->delimiter };
}

void
kn_csv_table_like(kn_rows_source *release, const kn_rows *original)
{
    kn_csv_table *table = (kn_csv_table *) release;

    if (release->class != &csv_class)
        return;
    table->options.header = original->dialect.header ? KN_HEADER_YES : KN_HEADER_NO;
    table->options.expected = NULL;
    table->options.nexpected = 0;
}

bool
kn_csv_table_sniff(kn_rows_source *source)
{
    kn_csv_table *table = (kn_csv_table *) source;

    if (source->class != &csv_class || !table->delimiter_given)
        return false;
    table->options.delimiter = 0;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* csv_read.c -- tables as text: dialect, header, and which records are rows.
 * Records come from csv_records.c. What is decided here: every row has as many fields as the first
 * record; lines at the end that hold nothing (spreadsheets leave them) are no rows, so empty records
 * are only counted until something follows them. */
#include "base/text.h"
#include "formats/csv_end.h"
#include "formats/csv_header.h"
#include "formats/csv_kind.h"
#include "formats/csv_layout.h"
#include "formats/csv_records.h"
#include "formats/formula.h"

typedef struct csv_rows {
    kn_rows    base; /* first: rows are cast to this */
    kn_records records;
    uint64_t   total_bytes; /* of the source; 0: unknown */
    bool       ready;       /* records holds one that was not handed out yet */
    bool       ended;
    bool       guarded;
    /* titles above the table and what stands below it */
    const kanon_source *source;
    bool                look_for_footer; /* nobody said whether there is one */
    bool                propose;
    uint64_t            end_line;    /* the footer begins there; 0: there is none */
    uint64_t            header_line; /* 0: none */
    uint64_t            line;        /* of the record handed out last */
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

static void
warn_of_encoding(const csv_rows *csv)
{
    kn_warn(csv->base.ctx, KN_FOUND_ENCODING_GUESSED, kn_at_line(csv->base.name, 0),
            "%s: was read as %s, by what its bytes look like" KN_DO
            "check letters beyond ASCII; --encoding names the encoding and silences this",
            csv->base.name,
            csv->base.dialect.encoding == KN_ENCODING_UTF16 ? "UTF-16" : "Windows-1252");
}

/* Which encoding the file is in, or that it is no text; a byte-order mark says it. */
static kanon_status
find_encoding(csv_rows *csv, kn_encoding asked)
{
    kn_str            bytes = { csv->records.text, csv->records.len };
    kn_encoding_found found = kn_encoding_find(bytes, asked);
    const char       *kind = kn_csv_other_kind(bytes);

    if (found.mark && found.mark != found.encoding)
        return kn_fail_at(csv->base.ctx, KANON_E_INVALID, csv->base.name, 1,
                          "starts with a %s byte-order mark, but the encoding is %s; remove the "
                          "encoding setting",
                          found.mark == KN_ENCODING_UTF8 ? "UTF-8" : "UTF-16",
                          kn_encoding_names[found.encoding]);
    if (!kind && found.encoding != KN_ENCODING_UTF16 && kn_csv_is_binary(bytes))
        kind = "is a binary file, not text; name a table in CSV";
    if (kind)
        return kn_fail_at(csv->base.ctx, KANON_E_UNSUPPORTED, csv->base.name, 0, "%s", kind);
    csv->base.dialect.encoding = found.encoding;
    csv->base.dialect.bom = found.mark == KN_ENCODING_UTF8;
    csv->base.dialect.encoding_guessed = found.guessed;
    if (found.guessed)
        warn_of_encoding(csv);
    return kn_records_decode(&csv->records, &found);
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

static kn_rest
rest_of(const csv_rows *csv)
{
    kn_rest rest = { .text = not_parsed(&csv->records),
                     .is = csv->records.input_ended ? KN_SAMPLE_WHOLE : KN_SAMPLE_PART,
                     .delimiter = csv->base.dialect.delimiter,
                     .quote = csv->base.dialect.quote };

    if (rest.text.len > KN_SNIFF_BYTES) {
        rest.text.len = KN_SNIFF_BYTES;
        rest.is = KN_SAMPLE_PART;
    }
    return rest;
}

static void
find_delimiter(csv_rows *csv, const kn_csv_options *options)
{
    kn_dialect *dialect = &csv->base.dialect;

    dialect->delimiter = options->delimiter;
    look_at_separator(csv);
    if (!dialect->delimiter)
        dialect->delimiter = kn_sniff_delimiter(not_parsed(&csv->records), dialect->quote,
                                                csv->records.input_ended ? KN_SAMPLE_WHOLE
                                                                         : KN_SAMPLE_PART);
}

static kanon_status
skip_lines(csv_rows *csv, const kn_csv_options *options, uint64_t lines)
{
    kanon_status rc = kn_records_skip_to(&csv->records, lines + 1);

    csv->base.dialect.skip = lines;
    if (rc == KANON_OK && lines)
        find_delimiter(csv, options);
    return rc;
}

/* Titles that nobody spoke of. */
static kanon_status
notice_titles(csv_rows *csv, const kn_csv_options *options, uint64_t titles)
{
    uint64_t    lines = csv->records.next_line - 1 + titles;
    const char *name = csv->base.name;

    if (!options->propose)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, name, csv->records.next_line,
                          "looks like a title above the table; if the header is line %llu, use "
                          "--skip %llu; if it is this line, use --skip 0",
                          (unsigned long long) lines + 1, (unsigned long long) lines);
    kn_warn(csv->base.ctx, KN_FOUND_TITLES, kn_at_line(name, csv->records.next_line),
            "%s:%llu: looks like a title above the table; the header is read from line %llu" KN_DO
            "check `skip` in the config",
            name, (unsigned long long) csv->records.next_line, (unsigned long long) lines + 1);
    return skip_lines(csv, options, lines);
}

/* Goes to the header. A file whose first line already has the names that the job refers to, such as a release
 * of the table, has no titles, and no footer either. */
static kanon_status
skip_titles(csv_rows *csv, const kn_csv_options *options)
{
    kn_rest   rest = rest_of(csv);
    kn_layout layout;

    if (options->has_skip && !options->skip)
        return KANON_OK;
    if (kn_layout_names(&rest, options->expected, options->nexpected)) {
        if (options->skip && !options->end_line)
            csv->base.dialect.footer = 0;
        return KANON_OK;
    }
    if (options->has_skip)
        return skip_lines(csv, options, options->skip);
    if (options->header == KN_HEADER_NO)
        return KANON_OK;
    layout = kn_layout_find(&rest);
    return layout.titles ? notice_titles(csv, options, layout.titles) : KANON_OK;
}

static kanon_status
find_dialect(csv_rows *csv, const kn_csv_options *options)
{
    kanon_status rc;
    kn_records  *records = &csv->records;

    csv->base.dialect.quote = records->quote = options->quote ? options->quote : '"';
    rc = kn_records_fill(records);
    if (rc < 0)
        return rc;
    rc = find_encoding(csv, options->encoding);
    if (rc < 0)
        return rc;
    csv->base.dialect.footer = options->footer;
    find_delimiter(csv, options);
    rc = skip_titles(csv, options);
    records->delimiter = csv->base.dialect.delimiter;
    if (rc == KANON_OK && csv->look_for_footer) {
        kn_rest rest = rest_of(csv);

        csv->look_for_footer = !kn_layout_find(&rest).usual;
    }
    return rc;
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
    kn_rest           rest = rest_of(csv);
    kanon_status      rc;

    rc = kn_header_guess(csv->base.ctx, records->cells, records->fields, &rest, first);
    if (rc == KANON_OK && *first == KN_FIRST_UNSURE && has_double_cells(csv)
        && !csv->base.dialect.renamed)
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
check_header(csv_rows *csv)
{
    size_t one, other;

    if (!kn_names_double(&csv->base.names, &one, &other)) {
        csv->base.dialect.renamed = false;
        return KANON_OK;
    }
    if (!csv->base.dialect.renamed)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->records.line,
                          "columns %zu and %zu are both named '%.*s'; give them different names, "
                          "or use --duplicate-names rename",
                          one + 1, other + 1, KN_ARG(csv->base.names.names[one]));
    kn_warn(csv->base.ctx, KN_FOUND_RENAMED, kn_at_line(csv->base.name, csv->records.line),
            "%s:%llu: columns with the same name were renamed, the second one to NAME_2 and so "
            "on" KN_DO "give them different names in the table",
            csv->base.name, (unsigned long long) csv->records.line);
    return kn_names_rename(&csv->base.names);
}

/* Lines at the end of the file that look like totals or notes. */
static kanon_status
scan_end(const csv_rows *csv, uint64_t footer, kn_csv_end *out)
{
    kn_end_job job = { .source = csv->source,
                       .dialect = &csv->base.dialect,
                       .fields = csv->base.names.count,
                       .header_line = csv->header_line,
                       .footer = footer };

    return kn_csv_end_find(csv->base.ctx, &job, out);
}

static kanon_status
refuse_footer(const csv_rows *csv, uint64_t line)
{
    kn_csv_end   end;
    kanon_status rc = scan_end(csv, 0, &end);

    if (rc < 0)
        return rc;
    return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, line,
                      "looks like a total or a note below the table; use --skip-footer %llu to "
                      "leave the last %s out, or --skip-footer 0 if all lines are rows",
                      (unsigned long long) (end.footers ? end.footers : 1),
                      end.footers > 1 ? "lines" : "line");
}

/* Is a line one of those? */
static bool
below_rows(const csv_rows *csv, uint64_t line)
{
    kn_csv_end end;

    return scan_end(csv, 0, &end) == KANON_OK && end.footers && line >= end.footer_line;
}

static kanon_status
refuse_fields(const csv_rows *csv)
{
    size_t      fields = csv->records.fields, expected = csv->base.names.count;
    const char *tab = csv->base.dialect.delimiter == '\t' ? "tab" : NULL;
    char        mark[2] = { csv->base.dialect.delimiter, 0 };

    if (csv->look_for_footer && below_rows(csv, csv->records.line))
        return refuse_footer(csv, csv->records.line);
    return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->records.line,
                      "%zu field%s; expected %zu as in the first line (delimiter %s)", fields,
                      fields == 1 ? "" : "s", expected, tab ? tab : mark);
}

static inline kanon_status
check_fields(const csv_rows *csv)
{
    return KN_LIKELY(csv->records.fields == csv->base.names.count) ? KANON_OK : refuse_fields(csv);
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
            "%s:%llu: the first line was read as column names" KN_DO
            "if it is data, use --no-header (--header yes silences this)",
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
    csv->header_line = found ? records->line : 0;
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
        csv->base.dialect.renamed = false;
        csv->header_line = 0;
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
    if (csv->blank_line && csv->look_for_footer && below_rows(csv, csv->records.line))
        return refuse_footer(csv, csv->records.line);
    if (csv->blank_line)
        return kn_fail_at(csv->base.ctx, KANON_E_PARSE, csv->base.name, csv->blank_line,
                          "a blank line; expected %zu fields", csv->base.names.count);
    csv->empties_left = csv->empties;
    csv->empties = 0;
    return KANON_OK;
}

/* The last record, if it looks like no row: a total must not become a person. */
static kanon_status
judge_last(const csv_rows *csv)
{
    const kn_records *r = &csv->records;
    kn_str            last = { r->text + r->last, r->last_length };

    if (!csv->look_for_footer || !last.len || r->last_line <= csv->header_line
        || kn_layout_looks(last, r->delimiter, r->quote, csv->base.names.count)
               != KN_LOOKS_LIKE_FOOTER)
        return KANON_OK;
    return refuse_footer(csv, r->last_line);
}

/* Goes on to the end of the file, so that all of it is hashed. */
static kanon_status
pass_footer(csv_rows *csv)
{
    kanon_status rc = KANON_OK;
    bool         found = true;

    while (rc == KANON_OK && found)
        rc = kn_records_next(&csv->records, &found);
    return rc;
}

static inline bool
is_past_rows(const csv_rows *csv)
{
    return KN_UNLIKELY(csv->end_line) && csv->records.line >= csv->end_line;
}

static kanon_status
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
    return csv->end_line ? pass_footer(csv) : judge_last(csv);
}

/* Goes on to the next record that is not empty; it is ready then, unless the end was reached. */
static kanon_status
make_ready(csv_rows *csv)
{
    kanon_status rc = KANON_OK;
    bool         found = true;

    while (!csv->ready && !csv->ended) {
        KN_TRY(kn_records_next(&csv->records, &found));
        csv->ready = found && !kn_records_all_empty(&csv->records) && !is_past_rows(csv);
        if (csv->ready)
            KN_TRY(check_fields(csv));
        else if (found && !is_past_rows(csv))
            KN_TRY(count_empty(csv));
        else
            KN_TRY(reach_end(csv));
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
        if (csv->guarded)
            for (size_t i = 0; i < kn_rows_columns(rows); i++)
                csv->records.cells[i] = kn_formula_unguarded(csv->records.cells[i]);
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

/* Where the rows end, if something stands below them: asked for, or noticed when that is wanted. */
static kanon_status
find_end(csv_rows *csv, const kn_csv_options *options)
{
    uint64_t     footer = csv->base.dialect.footer;
    kn_csv_end   end;
    kanon_status rc;

    csv->end_line = options->end_line;
    if (csv->end_line || csv->ended || (!footer && !(csv->propose && csv->look_for_footer)))
        return KANON_OK;
    rc = scan_end(csv, footer, &end);
    if (rc < 0)
        return rc;
    if (footer && end.row_line)
        return kn_fail_at(csv->base.ctx, KANON_E_INVALID, csv->base.name, end.row_line,
                          "looks like a row, but skip-footer %llu would leave it out; use "
                          "--skip-footer 0, or delete the lines below the table",
                          (unsigned long long) footer);
    csv->base.dialect.footer = footer ? footer : end.footers;
    csv->end_line = end.footer_line;
    if (csv->end_line)
        kn_warn(csv->base.ctx, KN_FOUND_FOOTER, kn_at_line(csv->base.name, csv->end_line),
                "%s:%llu: %s below the last row %s left out" KN_DO
                "check that no row is among them",
                csv->base.name, (unsigned long long) csv->end_line,
                csv->base.dialect.footer == 1 ? "a line" : "lines",
                csv->base.dialect.footer == 1 ? "was" : "were");
    return KANON_OK;
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
    csv->guarded = options->guarded;
    csv->source = source;
    csv->propose = options->propose;
    csv->look_for_footer = !options->has_footer && !options->empty_columns;
    csv->base.dialect.renamed = options->duplicates == KN_DUPLICATES_RENAME || options->propose;
    KN_TRY(find_dialect(csv, options));
    KN_TRY(read_first(csv, options));
    KN_TRY(find_end(csv, options));
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
        table->options.encoding = found->encoding;
        table->options.header = found->header ? KN_HEADER_YES : KN_HEADER_NO;
        table->options.skip = found->skip;
        table->options.has_skip = table->options.has_footer = true;
        table->options.footer = found->footer;
        table->options.end_line = ((const csv_rows *) *out)->end_line;
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
    table->options.skip = table->options.footer = 0;
    table->options.has_skip = table->options.has_footer = true;
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

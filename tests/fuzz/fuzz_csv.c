/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c -- the CSV reader on any bytes. The first byte chooses settings, the rest is the file. Three
 * things must hold: it survives; single bytes and the portable scanner give the same rows, warnings and
 * failure as everything at once; and rows written in the file's dialect are read back the same. */
#include <stdlib.h>

#include "../unit/csv_help.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

static kn_csv_options
choose_options(uint8_t byte)
{
    static const kn_encoding encodings[] = { KN_ENCODING_UTF8, KN_ENCODING_AUTO, KN_ENCODING_UTF16,
                                             KN_ENCODING_AUTO };
    kn_csv_options           options = { .header = (kn_header) (byte & 3 ? (byte & 3) - 1 : 0),
                                         .encoding = encodings[byte >> 5 & 3],
                                         .has_skip = !(byte & 128),
                                         .has_footer = !(byte & 128) };

    if (byte & 4)
        options.encoding = byte & 32 ? KN_ENCODING_WINDOWS1252 : KN_ENCODING_LATIN1;
    if (byte & 8)
        options.delimiter = ';';
    if (byte & 16)
        options.quote = '\'';
    return options;
}

/* How a file reads, with a fresh context so that warnings are its own. */
static char *
read_as_text(const kanon_source *source, const kn_csv_options *options, const kn_csv_tuning *tuning)
{
    kanon_ctx *ctx = NULL;
    kn_text    text;
    char      *copy;

    MUST(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    help_read(&text, source, options, tuning);
    copy = malloc(text.len + 1);
    MUST(copy && text.ptr && !text.failed);
    memcpy(copy, text.ptr, text.len + 1);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
    return copy;
}

typedef struct rewritten {
    kn_text    text;
    kn_text    rows;    /* the cells, for comparing */
    kn_dialect dialect; /* delimiter 0: the file's own */
} rewritten;

/* Writes header and rows of a readable file as a release would be. False if it is not readable. */
static bool
rewrite(rewritten *to, const kanon_source *source, const kn_csv_options *options)
{
    kn_rows      *csv = NULL;
    const kn_str *cells = NULL;
    bool          good = kn_csv_open(to->text.ctx, source, options, &csv) == KANON_OK;

    if (!good)
        return false;
    if (!to->dialect.delimiter)
        to->dialect = *kn_rows_dialect(csv);
    if (to->dialect.encoding == KN_ENCODING_UTF16) /* as the writer does */
        to->dialect.encoding = KN_ENCODING_UTF8;
    kn_csv_put_start(&to->text, &to->dialect);
    cells = to->dialect.header ? kn_rows_names(csv) : NULL;
    do {
        if (cells) {
            help_put_cells(&to->rows, cells, kn_rows_columns(csv));
            for (size_t i = 0; i < kn_rows_columns(csv); i++)
                kn_csv_put_field(&to->text, &to->dialect, cells[i]);
            kn_csv_put_end(&to->text, &to->dialect);
        }
        good = kn_rows_next(csv, &cells) == KANON_OK;
    } while (good && cells);
    kn_rows_close(csv);
    MUST(kn_csv_encode(&to->text, &to->dialect));
    return good;
}

static void
rewritten_init(rewritten *r, kanon_ctx *ctx)
{
    memset(r, 0, sizeof *r);
    kn_text_init(&r->text, ctx);
    kn_text_init(&r->rows, ctx);
}

static bool
same_text(const kn_text *a, const kn_text *b)
{
    return kn_str_equal((kn_str){ a->ptr, a->len }, (kn_str){ b->ptr, b->len });
}

static void
check_same_again(rewritten *once, rewritten *twice)
{
    const kn_dialect    *dialect = &once->dialect;
    const kn_csv_options options = { .delimiter = dialect->delimiter,
                                     .quote = dialect->quote,
                                     .header = dialect->header ? KN_HEADER_YES : KN_HEADER_NO,
                                     .encoding = dialect->encoding,
                                     .has_skip = true,
                                     .has_footer = true };
    kanon_source        *source;

    MUST(kanon_source_memory(once->text.ctx, "t.csv", once->text.ptr, once->text.len, &source)
         == KANON_OK);
    twice->dialect = *dialect;
    MUST(rewrite(twice, source, &options));
    MUST(same_text(&once->rows, &twice->rows));
    MUST(same_text(&once->text, &twice->text));
    kanon_source_free(source);
}

static void
check_round_trip(kn_str bytes, const kn_csv_options *options)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    rewritten     once, twice;

    MUST(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    rewritten_init(&once, ctx);
    rewritten_init(&twice, ctx);
    MUST(kanon_source_memory(ctx, "t.csv", bytes.ptr, bytes.len, &source) == KANON_OK);
    if (rewrite(&once, source, options) && once.rows.len)
        check_same_again(&once, &twice);
    kanon_source_free(source);
    kn_text_fini(&once.text);
    kn_text_fini(&once.rows);
    kn_text_fini(&twice.text);
    kn_text_fini(&twice.rows);
    kanon_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const kn_csv_tuning whole = { .ahead = KN_AHEAD_NEVER };
    static const kn_csv_tuning pieces = { .scan = KN_SCAN_PORTABLE, .step = 1 };
    kn_csv_options             options;
    kn_str                     bytes;
    drip                       all, single;
    char                      *one, *other;

    if (!size)
        return 0;
    options = choose_options(data[0]);
    bytes = (kn_str){ (const char *) data + 1, size - 1 };
    drip_init(&all, bytes, SIZE_MAX);
    drip_init(&single, bytes, 1);
    one = read_as_text(&all.source, &options, &whole);
    other = read_as_text(&single.source, &options, &pieces);
    MUST(strcmp(one, other) == 0);
    free(one);
    free(other);
    check_round_trip(bytes, &options);
    return 0;
}

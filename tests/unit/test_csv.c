/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv.c -- the CSV reader and writer: every rule of the format, every refusal, and that neither
 * the scanner nor the size of the pieces changes what is read. */
#include <sodium.h>
#ifdef KANON_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/rng.h"
#include "csv_checks.h"
#include "failing_alloc.h"
#include "formats/csv_scan.h"
#include "test.h"

static const kn_csv_tuning USUAL = { 0 };

/* --- the format -------------------------------------------------------------------------------- */

TEST(plain_rows)
{
    check_rows("a,b\n1,2\n3,4\n", "#a|b\n2: 1|2\n3: 3|4\n");
    check_rows("a,b\n1,2", "#a|b\n2: 1|2\n");
    check_rows("a,b\n1,", "#a|b\n2: 1|\n");
    check_rows("a,b\n", "#a|b\n");
    check_rows("a,b", "#a|b\n");
    check_rows("a\nx", "#a\n2: x\n");
}

TEST(line_ends)
{
    check_rows("a,b\r\n1,2\r\n", "#a|b\n2: 1|2\n");
    check_rows("a,b\r\n1,2\n3,4\r\n", "#a|b\n2: 1|2\n3: 3|4\n");
    check_rows("a,b\n1\r,2\n", "#a|b\n!-2 t.csv:2: a carriage return without a line feed; use line "
                               "ends LF or CRLF, or quote the field\n");
    check_rows("a,b\r1,2\r", "!-2 t.csv:1: a carriage return without a line feed; use line ends LF "
                             "or CRLF, or quote the field\n");
    check_rows("a,b\n1,2\r", "#a|b\n!-2 t.csv:2: a carriage return without a line feed; use line "
                             "ends LF or CRLF, or quote the field\n");
    check_rows("a,b\n\"1\r\",2\n", "#a|b\n2: 1\r|2\n");
}

TEST(quotes)
{
    check_rows("a,b\n\"1\",\"2\"\n", "#a|b\n2: 1|2\n");
    check_rows("a,b\n\"x,y\",\"p\nq\"\n3,4\n", "#a|b\n2: x,y|p\nq\n4: 3|4\n");
    check_rows("a,b\n\"x\r\ny\",2\r\n3,4\n", "#a|b\n2: x\r\ny|2\n4: 3|4\n");
    check_rows("a,b\n\"say \"\"hi\"\"\",2\n", "#a|b\n2: say \"hi\"|2\n");
    check_rows("a,b\n\"\"\"\",\"\"\n", "#a|b\n2: \"|\n");
    check_rows("a,b\n\"\"\"\"\"\",\"x\"\"\"\n", "#a|b\n2: \"\"|x\"\n");
    check_rows("a,b\nit\"s,5\"\n", "#a|b\n2: it\"s|5\"\n");
    check_rows("a,b\n \"x\",2\n", "#a|b\n2:  \"x\"|2\n");
    check_rows("a,b\n1,\"x\"", "#a|b\n2: 1|x\n");
    check_rows(
        "a\n\"\"\"",
        "#a\n!-2 t.csv:2: a quote opens here and is never closed; close it after the field\n");
}

TEST(bad_quotes)
{
    static const char after[] = "text after a closing quote; expected a delimiter or the end of "
                                "the line (double a quote inside quotes)\n";
    char              expected[400];

    snprintf(expected, sizeof expected, "#a|b\n2: 1|2\n!-2 t.csv:3: %s", after);
    check_rows("a,b\n1,2\n\"x\"y,2\n", expected);
    snprintf(expected, sizeof expected, "#a|b\n!-2 t.csv:4: %s", after);
    check_rows("a,b\n\"x\n\ny\" ,2\n", expected);
    check_rows("a,b\n1,2\n\"p\nq\",\"x\n5,6\n7,8\n",
               "#a|b\n2: 1|2\n!-2 t.csv:4: a quote opens here and is never closed; close it after "
               "the field\n");
    check_rows("\"a",
               "!-2 t.csv:1: a quote opens here and is never closed; close it after the field\n");
}

TEST(ragged_rows)
{
    check_rows(
        "a,b,c\n1,2,3\n1,2,3,4\n",
        "#a|b|c\n2: 1|2|3\n!-2 t.csv:3: 4 fields; expected 3 as in the first line (delimiter ,)\n");
    check_rows("a,b,c\n1\n",
               "#a|b|c\n!-2 t.csv:2: 1 field; expected 3 as in the first line (delimiter ,)\n");
    check_rows(
        "a,b\n\"x\ny\",2\n\"x\ny\",2,3\n",
        "#a|b\n2: x\ny|2\n!-2 t.csv:4: 3 fields; expected 2 as in the first line (delimiter ,)\n");
    check_rows("a,b\n1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,x\n",
               "#a|b\n!-2 t.csv:2: 31 fields; expected 2 as in the first line (delimiter ,)\n");
    check_rows("a,b\n,,\n",
               "#a|b\n!-2 t.csv:2: 3 fields; expected 2 as in the first line (delimiter ,)\n");
}

TEST(empty_lines)
{
    check_rows("a,b\n1,2\n\n", "#a|b\n2: 1|2\n~t.csv:3: skipped an empty last line\n");
    check_rows("a,b\n1,2\n\n,\n\r\n,", "#a|b\n2: 1|2\n~t.csv:3: skipped 4 empty last lines\n");
    check_rows("a,b\n1,2\n\n3,4\n", "#a|b\n2: 1|2\n!-2 t.csv:3: a blank line; expected 2 fields\n");
    check_rows("a,b\n1,2\n,\n\n3,4\n",
               "#a|b\n2: 1|2\n!-2 t.csv:4: a blank line; expected 2 fields\n");
    check_rows("a,b\n,\n,\n3,4\n", "#a|b\n2: |\n3: |\n4: 3|4\n");
    check_rows("a,b\n1,2\n\"\",\n", "#a|b\n2: 1|2\n3: |\n");
    check_rows("a\n\nx\n\n\n", "#a\n2: \n3: x\n~t.csv:4: skipped 2 empty last lines\n");
    check_rows("a\nx\n\"\"\n", "#a\n2: x\n3: \n");
    check_reads(",\n,\n1,2\n", "-column1|column2\n1: |\n2: |\n3: 1|2\n");
    check_reads(",,\n", "-column1|column2|column3\n~t.csv:1: skipped an empty last line\n");
}

TEST(empty_files)
{
    check_reads("", "!-2 t.csv: is empty; expected a header line\n");
    check_reads("\xef\xbb\xbf", "!-2 t.csv: is empty; expected a header line\n");
    check_reads("\na,b\n", "!-2 t.csv:1: a blank line; expected a header line\n");
    check_reads_with("\nx\n", &(kn_csv_options){ .header = KN_HEADER_NO }, "-column1\n1: \n2: x\n");
}

/* --- bytes ------------------------------------------------------------------------------------- */

TEST(encodings)
{
    const kn_csv_options latin1 = { .encoding = KN_ENCODING_LATIN1, .header = KN_HEADER_YES };

    check_rows("\xef\xbb\xbfo\xc3\xa9,b\n1,\xf0\x9f\x98\x80\n",
               "#o\xc3\xa9|b\n2: 1|\xf0\x9f\x98\x80\n");
    check_rows("a,b\n1,2\n\"x\n\xe9\",2\n",
               "#a|b\n2: 1|2\n!-2 t.csv:4: not valid UTF-8; if the file is in Windows-1252 or "
               "Latin-1, use --encoding windows-1252\n");
    check_rows("a\nx\xc3", "#a\n!-2 t.csv:2: not valid UTF-8; if the file is in Windows-1252 or "
                           "Latin-1, use --encoding windows-1252\n");
    check_reads_with("\xe9t\xe9,\xff\n\xa0,x\n", &latin1,
                     "#\xc3\xa9t\xc3\xa9|\xc3\xbf\n2: \xc2\xa0|x\n");
    check_reads_with("\xff\xfe"
                     "a",
                     &latin1,
                     "!-1 t.csv:1: starts with a UTF-16 byte-order mark, but the encoding is "
                     "latin-1; remove the encoding setting\n");
    check_reads_with("\xef\xbb\xbf"
                     "a",
                     &latin1,
                     "!-1 t.csv:1: starts with a UTF-8 byte-order mark, but the encoding is "
                     "latin-1; remove the encoding setting\n");
}

#define GUESSED(as)                                                                                \
    "~t.csv: was read as " as ", by what its bytes look like; check letters beyond ASCII; "        \
    "--encoding names the encoding and silences this\n"

static void
check_bytes_with(kn_str bytes, kn_encoding encoding, const char *expected)
{
    const kn_csv_options options = { .encoding = encoding, .header = KN_HEADER_YES };
    char                *got = reads(bytes, &options, &USUAL);

    CHECK_STR(got, expected);
    free(got);
}
#define CHECK_BYTES(bytes, encoding, expected)                                                     \
    check_bytes_with((kn_str){ bytes, sizeof(bytes) - 1 }, encoding, expected)

TEST(windows_1252)
{
    CHECK_BYTES("pre\xe7o\n5 \x80\n", KN_ENCODING_AUTO,
                "#pre\xc3\xa7o\n2: 5 \xe2\x82\xac\n" GUESSED("Windows-1252"));
    CHECK_BYTES("a\n\x80\x9f\xff\n", KN_ENCODING_WINDOWS1252,
                "#a\n2: \xe2\x82\xac\xc5\xb8\xc3\xbf\n");
    CHECK_BYTES("a\nx\n\x81\n", KN_ENCODING_WINDOWS1252,
                "#a\n2: x\n!-2 t.csv:3: a byte that Windows-1252 has no character for; convert "
                "the table to UTF-8\n");
    CHECK_BYTES("a\n\x81\n", KN_ENCODING_LATIN1, "#a\n2: \xc2\x81\n");
    /* Some of it is UTF-8, so all of it was meant to be. */
    CHECK_BYTES("caf\xc3\xa9\nMalm\xf6\n", KN_ENCODING_AUTO,
                "#caf\xc3\xa9\n!-2 t.csv:2: not valid UTF-8; if the file is in Windows-1252 or "
                "Latin-1, use --encoding windows-1252\n");
    /* Nobody guesses against what was asked. */
    CHECK_BYTES("a\nMalm\xf6\n", KN_ENCODING_UTF8,
                "#a\n!-2 t.csv:2: not valid UTF-8; if the file is in Windows-1252 or Latin-1, use "
                "--encoding windows-1252\n");
}

TEST(utf_16)
{
    CHECK_BYTES("\xff\xfe"
                "a\0;\0\xe9\0\n\0\x3d\xd8\0\xde;\0\x34\x12\n\0",
                KN_ENCODING_AUTO, "#a|\xc3\xa9\n2: \xf0\x9f\x98\x80|\xe1\x88\xb4\n");
    CHECK_BYTES("\xfe\xff\0a\0\n\0x", KN_ENCODING_AUTO, "#a\n2: x\n");
    CHECK_BYTES("\xfe\xff\0a\0\n\0x", KN_ENCODING_UTF16, "#a\n2: x\n");
    CHECK_BYTES("a\0\n\0x\0\n\0", KN_ENCODING_AUTO, "#a\n2: x\n" GUESSED("UTF-16"));
    CHECK_BYTES("\0a\0\n\0x\0\n", KN_ENCODING_UTF16, "#a\n2: x\n");
    CHECK_BYTES("\xef\xbb\xbf"
                "a\nx\n",
                KN_ENCODING_UTF16, "#a\n2: x\n");
    CHECK_BYTES("\xff\xfe"
                "a\0\n\0\x3d\xd8\n\0",
                KN_ENCODING_AUTO,
                "#a\n!-2 t.csv:2: not valid UTF-16: half a character; is the file damaged?\n");
    CHECK_BYTES("\xff\xfe"
                "a\0\n\0x\0\n\0y",
                KN_ENCODING_AUTO,
                "#a\n2: x\n!-2 t.csv:3: not valid UTF-16: half a character; is the file "
                "damaged?\n");
    CHECK_BYTES("\xff\xfe"
                "a\0\n\0x\0\0\0\n\0",
                KN_ENCODING_AUTO,
                "#a\n!-2 t.csv:2: a NUL byte; is this a table as text? If so, remove the byte\n");
    CHECK_BYTES("\xff\xfe\0\0a\0\0\0", KN_ENCODING_AUTO,
                "!-6 t.csv: is in UTF-32; convert it with iconv -f UTF-32 -t UTF-8\n");
    CHECK_BYTES("\xff\xfe"
                "a\0",
                KN_ENCODING_UTF8,
                "!-1 t.csv:1: starts with a UTF-16 byte-order mark, but the encoding is utf-8; "
                "remove the encoding setting\n");
}

/* Every piece that is read ends inside a pair of surrogates somewhere. */
TEST(long_utf_16_is_decoded_across_refills)
{
    enum { ROWS = 50000 };
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv;
    const kn_str *cells;
    kn_text       text;
    size_t        rows = 0;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    kn_text_add(&text, (kn_str){ "\xff\xfe"
                                 "a\0\n\0",
                                 6 });
    for (size_t i = 0; i < ROWS; i++)
        for (size_t n = 0; n <= i % 3; n++)
            kn_text_add(&text,
                        n < i % 3 ? (kn_str){ "\x3d\xd8\0\xde", 4 } : (kn_str){ "y\0\n\0", 4 });
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
    for (;; rows++) {
        CHECK_OK(ctx, kn_rows_next(csv, &cells));
        if (!cells)
            break;
        CHECK(cells[0].len == 4 * (rows % 3) + 1);
    }
    CHECK(rows == ROWS);
    kn_rows_close(csv);
    kanon_source_free(source);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

TEST(nul_bytes)
{
    char *got = reads((kn_str){ "a,b\n1,\0\n", 8 }, NULL, &USUAL);

    CHECK_STR(got,
              "#a|b\n!-2 t.csv:2: a NUL byte; is this a table as text? If so, remove the byte\n");
    free(got);
}

TEST(long_latin1_text_is_widened_across_refills)
{
    enum { ROWS = 60000 };
    const kn_csv_options latin1 = { .encoding = KN_ENCODING_LATIN1 };
    kanon_ctx           *ctx = NULL;
    kanon_source        *source;
    kn_rows             *csv;
    const kn_str        *cells;
    kn_text              text;
    size_t               rows = 0;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    kn_text_addz(&text, "a,b\n");
    for (size_t i = 0; i < ROWS; i++)
        kn_text_addf(&text, "\xe9\xe8%zu,\xff\n", i);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, &latin1, &csv));
    for (;; rows++) {
        char expected[32];

        CHECK_OK(ctx, kn_rows_next(csv, &cells));
        if (!cells)
            break;
        snprintf(expected, sizeof expected, "\xc3\xa9\xc3\xa8%zu", rows);
        CHECK_PIECE(cells[0], expected);
        CHECK_PIECE(cells[1], "\xc3\xbf");
    }
    CHECK_EQ_U64(rows, ROWS);
    kn_rows_close(csv);
    kanon_source_free(source);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* --- limits ------------------------------------------------------------------------------------ */

TEST(long_records_are_refused)
{
    const kn_csv_tuning small = { .record_most = 10 };
    char               *got = reads(KN_STR("a,b\n12345,6789\n12345,67890\n"), NULL, &small);

    CHECK_STR(got, "#a|b\n2: 12345|6789\n!-2 t.csv:3: the row that starts here is longer than 10 "
                   "bytes, the maximum; is a quote not closed?\n");
    free(got);
}

TEST(an_unclosed_quote_does_not_eat_memory)
{
    enum { BYTES = 20 << 20, MOST = 1 << 20 };
    const kn_csv_tuning tuning = { .record_most = MOST };
    kanon_ctx          *ctx = NULL;
    char               *text = malloc(BYTES);
    kanon_source       *source;
    kn_rows            *csv;
    const kn_str       *cells;

    CHECK(text);
    memset(text, 'x', BYTES);
    memcpy(text, "a,b\n1,2\n\"", 9);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text, BYTES, &source));
    CHECK_OK(ctx, kn_csv_open_tuned(ctx, source, NULL, &tuning, &csv));
    CHECK_OK(ctx, kn_rows_next(csv, &cells));
    CHECK_STATUS(ctx, kn_rows_next(csv, &cells), KANON_E_PARSE);
    CHECK_STR(kanon_ctx_message(ctx), "t:3: the row that starts here is longer than 1048576 bytes, "
                                      "the maximum; is a quote not closed?");
    CHECK(kn_rows_bytes(csv) < 8 * (uint64_t) MOST);
    kn_rows_close(csv);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
    free(text);
}

TEST(too_many_columns_are_refused)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv = NULL;
    kn_text       text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    for (int i = 1; i <= 65535; i++)
        kn_text_addf(&text, "c%d%s", i, i < 65535 ? "," : "");
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
    CHECK_EQ_U64(kn_rows_columns(csv), 65535);
    CHECK_EQ_U64(kn_rows_find(csv, KN_STR("c65535")), 65534);
    kn_rows_close(csv);
    kanon_source_free(source);
    kn_text_addz(&text, ",x\n");
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
    CHECK_STATUS(ctx, kn_csv_open(ctx, source, NULL, &csv), KANON_E_UNSUPPORTED);
    CHECK_STR(kanon_ctx_message(ctx), "t:1: more than 65535 columns, the maximum");
    kanon_source_free(source);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* --- the scanner and the pieces do not matter -------------------------------------------------- */

static void
random_bytes(kn_rng *rng, char *bytes, size_t count)
{
    static const char letters[] = ",,,;\"\"\n\n\r\tab1 \xc3\xa9";

    for (size_t i = 0; i < count; i++)
        bytes[i] = letters[kn_rng_below(rng, sizeof letters - 1)];
}

TEST(scanners_agree_with_looking_at_every_byte)
{
    static uint32_t at[KN_SCAN_ROOM], other[KN_SCAN_ROOM];
    static char     bytes[KN_SCAN_WINDOW];
    kn_rng          rng;

    kn_rng_init(&rng, 7, 0);
    for (int round = 0; round < 600; round++) {
        size_t       count = kn_rng_below(&rng, round % 50 ? 300 : KN_SCAN_WINDOW + 1);
        kn_scan_job  job = { bytes, count, 1000, ',', '"' };
        kn_scan_hits hits = { .at = at }, portable = { .at = other };
        size_t       expected = 0;
        bool         odd = false;

        random_bytes(&rng, bytes, count);
        if (round % 3 == 0)
            for (size_t i = 0; i < count; i++)
                bytes[i] = (char) (kn_rng_next(&rng) & (round % 2 ? 0x7f : 0xff));
        else if (round % 3 == 1)
            memset(bytes, round % 2 ? ',' : 'x', count);
        kn_scan_best()(&job, &hits);
        kn_scan_portable(&job, &portable);
        for (size_t i = 0; i < count; i++) {
            odd |= bytes[i] == 0 || (bytes[i] & 0x80);
            if (bytes[i] && strchr(",\"\r\n", bytes[i])) {
                CHECK_EQ_U64(at[expected], 1000 + i);
                CHECK_EQ_U64(other[expected], 1000 + i);
                expected++;
            }
        }
        CHECK_EQ_U64(hits.count, expected);
        CHECK_EQ_U64(portable.count, expected);
        CHECK_EQ_U64(hits.odd, odd);
        CHECK_EQ_U64(portable.odd, odd);
    }
}

TEST(a_blank_delimiter_is_not_found_past_the_end)
{
    static uint32_t at[KN_SCAN_ROOM];
    kn_scan_job     job = { "a b", 3, 0, ' ', '"' };
    kn_scan_hits    hits = { .at = at };

    kn_scan_best()(&job, &hits);
    CHECK_EQ_U64(hits.count, 1);
    kn_scan_portable(&job, &hits);
    CHECK_EQ_U64(hits.count, 1);
}

/* The same text through a dripping source. */
static char *
reads_dripping(kn_str bytes, const kn_csv_tuning *tuning, uint32_t seed)
{
    kanon_ctx *ctx = NULL;
    kn_text    text;
    drip       d;
    char      *copy;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    drip_init(&d, bytes, 7);
    d.state = seed;
    help_read(&text, &d.source, NULL, tuning);
    copy = malloc(text.len + 1);
    CHECK(copy && text.ptr);
    memcpy(copy, text.ptr, text.len + 1);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
    return copy;
}

/* Rows of two columns, with all that may be in them; now and then something that is refused. */
static void
random_table(kn_text *text, kn_rng *rng)
{
    static const char *const cells[] = {
        "1",        "x",     "\"a,b\"", "\"p\nq\"",         "\"\"\"\"", "",
        "\xc3\xa9", "it\"s", "\"\"",    "longer text here", "\"\r\n\"", "\"say \"\"x\"\" and y\""
    };
    size_t rows = kn_rng_below(rng, 12);

    kn_text_addz(text, kn_rng_below(rng, 2) ? "a,b\n" : "a,b\r\n");
    for (size_t i = 0; i < rows; i++) {
        kn_text_addz(text, cells[kn_rng_below(rng, KN_COUNT(cells))]);
        kn_text_addz(text, ",");
        kn_text_addz(text, cells[kn_rng_below(rng, KN_COUNT(cells))]);
        kn_text_addz(text, kn_rng_below(rng, 3) ? "\n" : "\r\n");
    }
    if (kn_rng_below(rng, 4) == 0) {
        static const char *const bad[] = { "\"x\"y,1\n", "1,2,3\n",  "\n1,2\n",
                                           "\"open",     "\xff,1\n", "a\rb,1\n" };

        kn_text_addz(text, bad[kn_rng_below(rng, KN_COUNT(bad))]);
    }
}

TEST(pieces_do_not_matter)
{
    kanon_ctx *ctx = NULL;
    kn_rng     rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 11, 0);
    for (int round = 0; round < 1500; round++) {
        kn_csv_tuning tuning = { .ahead = round % 10 ? KN_AHEAD_NEVER : KN_AHEAD_ALWAYS,
                                 .scan = round % 2 ? KN_SCAN_BEST : KN_SCAN_PORTABLE,
                                 .step = 1 + kn_rng_below(&rng, 9) };
        kn_text       text;
        kn_str        bytes;
        char         *whole, *other, *dripping;

        kn_text_init(&text, ctx);
        random_table(&text, &rng);
        bytes = (kn_str){ text.ptr, text.len };
        whole = reads(bytes, NULL, &USUAL);
        other = reads(bytes, NULL, &tuning);
        dripping = reads_dripping(bytes, &tuning, (uint32_t) round);
        CHECK_STR(other, whole);
        CHECK_STR(dripping, whole);
        free(whole);
        free(other);
        free(dripping);
        kn_text_fini(&text);
    }
    kanon_ctx_free(ctx);
}

TEST(long_files_cross_buffers_and_windows)
{
    enum { ROWS = 40000 };
    kanon_ctx *ctx = NULL;
    kn_text    text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    kn_text_addz(&text, "id,text,more\n");
    for (size_t i = 0; i < ROWS; i++)
        kn_text_addf(&text, "%zu,\"say \"\"%zu\"\",\nand on\",%0*zu\n", i, i, (int) (i % 97), i);
    for (size_t way = 0; way < 3; way++) {
        const kn_csv_tuning tuning = { .ahead = way ? KN_AHEAD_ALWAYS : KN_AHEAD_NEVER,
                                       .scan = way == 2 ? KN_SCAN_PORTABLE : KN_SCAN_BEST };
        kanon_source       *source;
        kn_rows            *csv;
        const kn_str       *cells;
        size_t              rows = 0;

        CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
        CHECK_OK(ctx, kn_csv_open_tuned(ctx, source, NULL, &tuning, &csv));
        for (;; rows++) {
            char expected[200];

            CHECK_OK(ctx, kn_rows_next(csv, &cells));
            if (!cells)
                break;
            snprintf(expected, sizeof expected, "say \"%zu\",\nand on", rows);
            CHECK_PIECE(cells[1], expected);
            snprintf(expected, sizeof expected, "%0*zu", (int) (rows % 97), rows);
            CHECK_PIECE(cells[2], expected);
            CHECK_EQ_U64(kn_rows_line(csv), 2 + 2 * rows);
        }
        CHECK_EQ_U64(rows, ROWS);
        CHECK_EQ_U64(kn_rows_bytes(csv), text.len);
        kn_rows_close(csv);
        kanon_source_free(source);
    }
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

TEST(one_record_may_be_longer_than_the_buffer)
{
    enum { BYTES = 3 << 20 };
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv;
    const kn_str *cells;
    char         *text = malloc(BYTES + 10);

    CHECK(text);
    memset(text, 'x', BYTES);
    memcpy(text, "a,b\n1,", 6);
    memcpy(text + BYTES, "\n2,3\n", 5);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", text, BYTES + 5, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
    CHECK_OK(ctx, kn_rows_next(csv, &cells));
    CHECK_EQ_U64(cells[1].len, BYTES - 6);
    CHECK_OK(ctx, kn_rows_next(csv, &cells));
    CHECK_PIECE(cells[1], "3");
    kn_rows_close(csv);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
    free(text);
}

/* --- hash, gzip, sources ----------------------------------------------------------------------- */

static void
check_hash(kn_str bytes, const kn_csv_tuning *tuning)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv;
    const kn_str *cells;
    uint8_t       got[KN_HASH_BYTES], expected[KN_HASH_BYTES];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", bytes.ptr, bytes.len, &source));
    CHECK_OK(ctx, kn_csv_open_tuned(ctx, source, NULL, tuning, &csv));
    do
        CHECK_OK(ctx, kn_rows_next(csv, &cells));
    while (cells);
    CHECK_OK(ctx, kn_rows_next(csv, &cells));
    CHECK(!cells);
    CHECK_EQ_U64(kn_rows_bytes(csv), bytes.len);
    kn_rows_digest(csv, got);
    crypto_generichash(expected, sizeof expected, (const unsigned char *) bytes.ptr, bytes.len,
                       NULL, 0);
    CHECK(memcmp(got, expected, sizeof got) == 0);
    kn_rows_close(csv);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

TEST(hash_is_of_the_stored_bytes)
{
    const kn_csv_tuning always = { .ahead = KN_AHEAD_ALWAYS };
    const kn_str        text = KN_STR("\xef\xbb\xbf"
                                             "a,b\r\n1,2\r\n\r\n");

    check_hash(text, &USUAL);
    check_hash(text, &always);
}

TEST(closing_early_stops_the_thread)
{
    enum { BYTES = 8 << 20 };
    const kn_csv_tuning always = { .ahead = KN_AHEAD_ALWAYS };
    char               *text = malloc(BYTES);

    CHECK(text);
    memset(text, '\n', BYTES);
    memcpy(text, "a\nb\n", 4);
    for (int rows = 0; rows < 3; rows++) {
        kanon_ctx    *ctx = NULL;
        kanon_source *source;
        kn_rows      *csv;
        const kn_str *cells;

        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kanon_source_memory(ctx, "t", text, BYTES, &source));
        CHECK_OK(ctx, kn_csv_open_tuned(ctx, source, NULL, &always, &csv));
        for (int i = 0; i < rows; i++)
            CHECK_OK(ctx, kn_rows_next(csv, &cells));
        kn_rows_close(csv);
        kanon_source_free(source);
        kanon_ctx_free(ctx);
    }
    free(text);
}

TEST(a_source_that_fails_is_named)
{
    kanon_ctx *ctx = NULL;
    kn_rows   *csv = NULL;
    drip       d;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    drip_init(&d, KN_STR("a,b\n1,2\n3,4\n"), 3);
    d.fail_after = 6;
    CHECK_STATUS(ctx, kn_csv_open(ctx, &d.source, NULL, &csv), KANON_E_IO);
    CHECK_STR(kanon_ctx_message(ctx), "t.csv: its read function failed: reading or writing failed");
    kanon_ctx_free(ctx);
}

#ifdef KANON_WITH_ZLIB

static size_t
gzip_member(const char *text, size_t count, char *to, size_t room)
{
    z_stream z;

    memset(&z, 0, sizeof z);
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (z_const Bytef *) (uintptr_t) text;
    z.avail_in = (uInt) count;
    z.next_out = (Bytef *) to;
    z.avail_out = (uInt) room;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void
check_gzip(const char *bytes, size_t count, const char *expected)
{
    char *got = reads((kn_str){ bytes, count }, NULL, &USUAL);
    char *dripping = reads_dripping((kn_str){ bytes, count }, &USUAL, 3);

    CHECK_STR(got, expected);
    CHECK_STR(dripping, expected);
    free(got);
    free(dripping);
}

TEST(gzip)
{
    char   bytes[1000];
    size_t first = gzip_member("a,b\n1,2\n3", 9, bytes, sizeof bytes);
    size_t count = first + gzip_member(",4\n", 3, bytes + first, sizeof bytes - first);
    char   changed;

    check_gzip(bytes, count, "#a|b\n2: 1|2\n3: 3|4\n");
    check_hash((kn_str){ bytes, count }, &USUAL);
    check_gzip(bytes, count - 3,
               "!-2 t.csv: the gzip data is truncated; fetch or create the file again\n");
    check_gzip(bytes, 12,
               "!-2 t.csv: the gzip data is truncated; fetch or create the file again\n");
    memcpy(bytes + count, "junk", 4);
    check_gzip(bytes, count + 4,
               "!-2 t.csv: bytes that are not gzip follow the gzip data; remove them\n");
    changed = bytes[first - 6];
    bytes[first - 6] = (char) (changed ^ 1);
    check_gzip(bytes, count,
               "!-2 t.csv: the gzip data is damaged (incorrect data check); fetch or create the "
               "file again\n");
}

TEST(long_gzip)
{
    enum { BYTES = 5 << 20 };
    char         *text = malloc(BYTES), *packed = malloc(BYTES);
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv;
    const kn_str *cells;
    size_t        count = 4, rows = 0;
    kn_rng        rng;

    CHECK(text && packed);
    kn_rng_init(&rng, 3, 0);
    memcpy(text, "a,b\n", 4);
    while (count < BYTES - 40)
        count += (size_t) snprintf(text + count, BYTES - count, "%llu,x\n",
                                   (unsigned long long) kn_rng_next(&rng));
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", packed, gzip_member(text, count, packed, BYTES),
                                      &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
    for (const char *at = text + 4; at < text + count; rows++) {
        CHECK_OK(ctx, kn_rows_next(csv, &cells));
        CHECK(cells && memcmp(cells[0].ptr, at, cells[0].len) == 0);
        at += cells[0].len + 3;
    }
    CHECK_OK(ctx, kn_rows_next(csv, &cells));
    CHECK(!cells && rows > 100000);
    kn_rows_close(csv);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
    free(text);
    free(packed);
}

#endif

/* --- writing ----------------------------------------------------------------------------------- */

static void
check_writes(const kn_dialect *dialect, const kn_str *cells, size_t count, const char *expected)
{
    kanon_ctx *ctx = NULL;
    kn_text    text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    kn_csv_put_start(&text, dialect);
    for (size_t i = 0; i < count; i++)
        kn_csv_put_field(&text, dialect, cells[i]);
    kn_csv_put_end(&text, dialect);
    CHECK(kn_csv_encode(&text, dialect));
    CHECK_STR(text.ptr, expected);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

TEST(writing)
{
    const kn_dialect plain = { .delimiter = ',', .quote = '"' };
    const kn_dialect other = { .delimiter = ';', .quote = '\'', .crlf = true, .quote_all = true };
    const kn_dialect marked = { .delimiter = ',', .quote = '"', .bom = true };
    const kn_str     cells[] = { KN_STR("a"),    KN_STR("b,c"), KN_STR("say \"x\""),
                                 KN_STR("p\nq"), KN_STR(" y"),  KN_STR("z\t"),
                                 KN_STR(""),     KN_STR("\r"),  KN_STR("in it") };
    const kn_str     empty[3] = { KN_STR(""), KN_STR(""), KN_STR("") };
    const kn_str     mark[] = { KN_STR("\xef\xbb\xbfx"), KN_STR("'") };
    const kn_str     kinds[] = { KN_STR("<stata_dta> 1"), KN_STR("PAR1"), KN_STR("%PDF-"),
                                 KN_STR("<b>") };
    const kn_str separators[] = { KN_STR("sep="), KN_STR(""), KN_STR("sep=;"), KN_STR("sep=ab") };

    check_writes(&plain, cells, KN_COUNT(cells),
                 "a,\"b,c\",\"say \"\"x\"\"\",\"p\nq\",\" y\",\"z\t\",,\"\r\",in it\n");
    check_writes(&plain, empty, 1, "\"\"\n");
    check_writes(&plain, empty, 3, "\"\",,\n");
    check_writes(&marked, empty, 2, "\xef\xbb\xbf\"\",\n");
    check_writes(&other, empty, 2, "'';''\r\n");
    check_writes(&other, mark, 2, "'\xef\xbb\xbfx';''''\r\n");
    check_writes(&plain, mark, 1, "\"\xef\xbb\xbfx\"\n");
    check_writes(&plain, separators, 2, "\"sep=\",\n");
    check_writes(&plain, kinds, 4, "\"<stata_dta> 1\",PAR1,\"%PDF-\",<b>\n");
    check_writes(&plain, separators + 2, 2, "\"sep=;\",sep=ab\n");
}

TEST(writing_latin1)
{
    const kn_dialect windows = { .delimiter = ',',
                                 .quote = '"',
                                 .encoding = KN_ENCODING_WINDOWS1252 };
    const kn_str     signs[] = { KN_STR("\xe2\x82\xac"), KN_STR("\xe2\x80\xa6"),
                                 KN_STR("(\xc2\xb5/\xc3\xbd") }; /* as zstd begins */
    const kn_dialect latin1 = { .delimiter = ',', .quote = '"', .encoding = KN_ENCODING_LATIN1 };
    const kn_str     cells[] = { KN_STR("\xc3\xa9"), KN_STR("x\xc3\xbf"), KN_STR("\xc2\x80") };
    kanon_ctx       *ctx = NULL;
    kn_text          text;

    check_writes(&latin1, cells, 3, "\xe9,x\xff,\x80\n");
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&text, ctx);
    check_writes(&windows, signs, 3, "\x80,\x85,\"(\xb5/\xfd\"\n");
    kn_csv_put_field(&text, &latin1, KN_STR("\xe2\x82\xac"));
    kn_csv_put_end(&text, &latin1);
    CHECK(!kn_csv_encode(&text, &latin1));
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

/* Random cells, written and read back: the same cells, and written again the same bytes. */
TEST(what_is_written_is_read)
{
    static const char letters[] = "ab1,;\"' \t\n\r\xc3\xa9";
    kanon_ctx        *ctx = NULL;
    kn_rng            rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 5, 0);
    for (int round = 0; round < 500; round++) {
        const kn_dialect     dialect = { .delimiter = ",;\t|"[round % 4],
                                         .quote = round % 3 ? '"' : '\'',
                                         .crlf = round % 2,
                                         .bom = round % 5 == 0,
                                         .quote_all = round % 7 == 0 };
        const kn_csv_options options = { .delimiter = dialect.delimiter,
                                         .quote = dialect.quote,
                                         .header = KN_HEADER_NO };
        size_t               columns = 1 + kn_rng_below(&rng, 3), rows = 1 + kn_rng_below(&rng, 6);
        char                 store[6][3][8];
        kn_text              text;
        kanon_source        *source;
        kn_rows             *csv;
        const kn_str        *cells;

        kn_text_init(&text, ctx);
        kn_csv_put_start(&text, &dialect);
        for (size_t row = 0; row < rows; row++) {
            for (size_t i = 0; i < columns; i++) {
                size_t length = kn_rng_below(&rng, 6), at = 0;

                while (at < length) {
                    char c = letters[kn_rng_below(&rng, sizeof letters - 2)];

                    store[row][i][at++] = c;
                    if (c == '\xc3')
                        store[row][i][at++] = '\xa9';
                }
                store[row][i][at] = 0;
                kn_csv_put_field(&text, &dialect, kn_str_of(store[row][i]));
            }
            kn_csv_put_end(&text, &dialect);
        }
        CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
        CHECK_OK(ctx, kn_csv_open(ctx, source, &options, &csv));
        CHECK_EQ_U64(kn_rows_columns(csv), columns);
        for (size_t row = 0; row < rows; row++) {
            CHECK_OK(ctx, kn_rows_next(csv, &cells));
            CHECK(cells);
            for (size_t i = 0; i < columns; i++)
                CHECK_PIECE(cells[i], store[row][i]);
        }
        CHECK_OK(ctx, kn_rows_next(csv, &cells));
        CHECK(!cells);
        kn_rows_close(csv);
        kanon_source_free(source);
        kn_text_fini(&text);
    }
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 0);
    kanon_ctx_free(ctx);
}

/* --- memory ------------------------------------------------------------------------------------ */

static kanon_status
read_all(kanon_ctx *ctx, void *user)
{
    const kn_str *bytes = user;
    kanon_source *source = NULL;
    kn_rows      *csv = NULL;
    const kn_str *cells = NULL;
    kanon_status  rc;

    KN_TRY(kanon_source_memory(ctx, "t", bytes->ptr, bytes->len, &source));
    KN_TRY(
        kn_csv_open_tuned(ctx, source, NULL, &(kn_csv_tuning){ .ahead = KN_AHEAD_ALWAYS }, &csv));
    do
        KN_TRY(kn_rows_next(csv, &cells));
    while (cells);
out:
    kn_rows_close(csv);
    kanon_source_free(source);
    return rc;
}

TEST(every_allocation_may_fail)
{
    enum { BYTES = 700000 };
    char  *text = malloc(BYTES);
    kn_str bytes = { text, BYTES };

    CHECK(text);
    memset(text, 'x', BYTES);
    memcpy(text, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r\n1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8", 71);
    failing_alloc_sweep(read_all, &bytes);
    bytes = KN_STR("1,\"2\"\n3,4\n\n");
    failing_alloc_sweep(read_all, &bytes);
#ifdef KANON_WITH_ZLIB
    {
        char packed[200];

        bytes = (kn_str){ packed, gzip_member("a,b\n1,2\n", 8, packed, sizeof packed) };
        failing_alloc_sweep(read_all, &bytes);
    }
#endif
    free(text);
}

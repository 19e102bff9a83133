/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv_header.c -- how the dialect of a table is found: delimiter, header, column names. */
#include "csv_checks.h"
#include "formats/csv_header.h"

/* --- dialect and header ------------------------------------------------------------------------ */

TEST(delimiters)
{
    static const struct {
        const char *text;
        char        delimiter;
    } cases[] = { { "a,b\n1,2\n", ',' },
                  { "a;b\n1,5;2,5\n", ';' },
                  { "1,5;2,5\n3,5;4,5\n", ';' },
                  { "[0, 5[;[0, 10[;*\n[5, 10[;[0, 10[;*\n", ';' },
                  { "a\tb\n1\t2\n", '\t' },
                  { "a|b|c\n1|2|3\n", '|' },
                  { "a;b,c\n1;2,3\n1;2\n", ';' },
                  { "name,text\n1,\"a;b;c;d\"\n2,\"x;y;z;w\"\n", ',' },
                  { "word\nother\n", ',' },
                  { "a;b\r\n\r\n", ';' },
                  { "x", ',' } };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        char found = kn_sniff_delimiter(kn_str_of(cases[i].text), '"', KN_SAMPLE_WHOLE);

        if (found != cases[i].delimiter)
            FAIL("\"%s\": delimiter '%c', expected '%c'", cases[i].text, found, cases[i].delimiter);
    }
    check_reads_with("a;b,c\n1;2,3\n", &(kn_csv_options){ .delimiter = ',' }, "#a;b|c\n2: 1;2|3\n");
    check_reads_with("a b\n'1 ' x\n", &(kn_csv_options){ .delimiter = ' ', .quote = '\'' },
                     "#a|b\n2: 1 |x\n");
}

TEST(bad_options)
{
    check_reads_with("a", &(kn_csv_options){ .delimiter = '"' },
                     "!-1 delimiter and quote are both '\"'; use two different characters\n");
    check_reads_with("a", &(kn_csv_options){ .delimiter = '\n' },
                     "!-1 the delimiter must be one ASCII character other than a line end\n");
    check_reads_with("a", &(kn_csv_options){ .quote = (char) 0xe9 },
                     "!-1 the quote must be one ASCII character other than a line end\n");
}

TEST(values_and_names)
{
    static const char *const values[] = { " 1 ",        "007",    "1",
                                          "-1.5",       "+3",     "1,5",
                                          "1e-3",       "45%",    "2020-01-31",
                                          "31.12.2020", "1/2/99", "2020-01-31T10:11:12Z" };
    static const char *const names[] = { "",        " ", "age", "x1", "1st", "a-b",
                                         "2020-q1", "-", ".",   "e5", "1e" };

    for (size_t i = 0; i < KN_COUNT(values); i++)
        if (!kn_header_is_value(kn_str_of(values[i])))
            FAIL("'%s' is a value", values[i]);
    for (size_t i = 0; i < KN_COUNT(names); i++)
        if (kn_header_is_value(kn_str_of(names[i])))
            FAIL("'%s' is no value", names[i]);
}

#define UNSURE                                                                                     \
    "~t.csv:1: the first line was read as column names; if it is data, use --no-header "           \
    "(--header "                                                                                   \
    "yes silences this)\n"

TEST(headers)
{
    const kn_str         expected[] = { KN_STR("2019"), KN_STR("x") };
    const kn_csv_options known = { .expected = expected, .nexpected = 2 };

    check_reads("anna,5\n", "-column1|column2\n1: anna|5\n");
    check_reads("anna,anna\n", "-column1|column2\n1: anna|anna\n");
    check_reads("anna,2020-01-02\n", "-column1|column2\n1: anna|2020-01-02\n");
    check_reads_with("2019,x\n1,2\n", &known, "#2019|x\n2: 1|2\n");
    check_reads_with(" 2019,x \n1,2\n", &known, "#2019|x\n2: 1|2\n");
    check_reads_with("2019,y\n1,2\n", &known, "-column1|column2\n1: 2019|y\n2: 1|2\n");
    check_reads_with("a,b\n", &(kn_csv_options){ .header = KN_HEADER_NO },
                     "-column1|column2\n1: a|b\n");
    check_rows("1,2\n", "#1|2\n");
    check_rows("a,b,x,d,e,f,x\n", "!-2 t.csv:1: columns 3 and 7 are both named 'x'; give them "
                                  "different names, or use --duplicate-names rename\n");
}

/* Text alone is no header: what follows in its columns decides. */
TEST(headers_are_guessed_from_the_rows)
{
    check_reads("name,age\nanna,5\nbert,\ncleo,?\ndora,NA\n",
                "#name|age\n2: anna|5\n3: bert|\n4: cleo|?\n5: dora|NA\n");
    check_reads("name,born\nanna,2020-01-02\nbert,\"2020-01-03\"\n",
                "#name|born\n2: anna|2020-01-02\n3: bert|2020-01-03\n");
    check_reads("f,x\nm,y\nf,z\n", "-column1|column2\n1: f|x\n2: m|y\n3: f|z\n");
    /* a column of both numbers and dates is of neither */
    check_reads("x,y\np,5\nq,1/2/2020\n", "#x|y\n2: p|5\n3: q|1/2/2020\n" UNSURE);
    check_reads("anna,rome\nbert,oslo\n", "#anna|rome\n2: bert|oslo\n" UNSURE);
    check_reads("anna,bert\n", "#anna|bert\n" UNSURE);
    check_reads("x", "#x\n" UNSURE);
    /* a missing value is no name of a column of numbers */
    check_reads("?,anna\n5,bert\n", "#?|anna\n2: 5|bert\n" UNSURE);
    check_reads("NA,anna\n5,bert\nNA,cleo\n",
                "-column1|column2\n1: NA|anna\n2: 5|bert\n3: NA|cleo\n");
    /* names of the job that are not there say nothing, and its failure tells more than the warning */
    check_reads_with("anna,rome\nbert,oslo\n",
                     &(kn_csv_options){ .expected = &KN_STR("city"), .nexpected = 1 },
                     "#anna|rome\n2: bert|oslo\n");
}

TEST(evidence_for_and_against_a_header)
{
    /* one of three columns against, one for: a header */
    check_reads("city,kind,age\noslo,x,5\ncity,y,6\n",
                "#city|kind|age\n2: oslo|x|5\n3: city|y|6\n");
    /* two of four against: none */
    check_reads("city,kind,t,age\noslo,kind,u,5\ncity,y,w,6\n",
                "-column1|column2|column3|column4\n1: city|kind|t|age\n2: oslo|kind|u|5\n"
                "3: city|y|w|6\n");
    /* the same text in another column says nothing */
    check_reads("a,b\nb,a\n", "#a|b\n2: b|a\n" UNSURE);
    /* quotes and outer blanks do not hide it */
    check_reads("\"say \"\"x\"\"\",p\n\"say \"\"x\"\"\",q\n",
                "-column1|column2\n1: say \"x\"|p\n2: say \"x\"|q\n");
    check_reads("\"say \"\"x\",p\n\"say \"\"x\"\"\",q\n", "#say \"x|p\n2: say \"x\"|q\n" UNSURE);
    check_reads("\"p\nq\",a\nx,b\n\" p\nq\",c\n",
                "-column1|column2\n1: p\nq|a\n3: x|b\n4:  p\nq|c\n");
    /* rows of another length are refused later, not misread here */
    check_reads("a,b\nx,y,5\nz\n",
                "#a|b\n" UNSURE
                "!-2 t.csv:2: 3 fields; expected 2 as in the first line (delimiter ,)\n");
    /* doubled names with numbers below are a bad header, not a row */
    check_reads("age,age\n1,2\n", "!-2 t.csv:1: columns 1 and 2 are both named 'age'; give them "
                                  "different names, or use --duplicate-names rename\n");
}

/* Only the first 64 KiB after the first record are looked at, and what they cut off is not. */
TEST(the_sample_for_a_header_is_bounded)
{
    kanon_ctx *ctx = NULL;
    kn_text    text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (int way = 0; way < 2; way++) {
        kanon_source *source;
        kn_rows      *csv;

        kn_text_init(&text, ctx);
        kn_text_addz(&text, "name,id\n");
        for (size_t i = 0; i < (way ? 8000 : 7000); i++)
            kn_text_addf(&text, "x%05zu,y\n", i % 7);
        kn_text_addz(&text, "name,id\n");
        CHECK_OK(ctx, kanon_source_memory(ctx, "t", text.ptr, text.len, &source));
        CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
        CHECK_EQ_U64(kn_rows_dialect(csv)->header, way == 1);
        kn_rows_close(csv);
        kanon_source_free(source);
        kn_text_fini(&text);
    }
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 1);
    kanon_ctx_free(ctx);
}

/* What pandas and R write for the index. */
TEST(columns_without_a_name)
{
    const kn_str         expected[] = { KN_STR("column1"), KN_STR("name") };
    const kn_csv_options known = { .expected = expected, .nexpected = 2 };
    const kn_csv_options made_up = { .expected = expected, .nexpected = 1 };

    check_reads(",name,age\n0,anna,5\n", "#column1|name|age\n2: 0|anna|5\n");
    check_reads("\"\",\"name\",\"age\"\n\"1\",\"anna\",5\n", "#column1|name|age\n2: 1|anna|5\n");
    check_reads(",name\n0,anna\n", "#column1|name\n2: 0|anna\n" UNSURE);
    check_reads("f,\nm,\nf,x\n", "-column1|column2\n1: f|\n2: m|\n3: f|x\n");
    check_reads(" ,\n1,2\n", "-column1|column2\n1:  |\n2: 1|2\n");
    check_reads(",column1,age\nx,y,5\n",
                "!-2 t.csv:1: columns 1 and 2 are both named 'column1'; give them "
                "different names, or use --duplicate-names rename\n");
    check_reads(",column1\nx,y\n",
                "!-2 t.csv:1: columns 1 and 2 are both named 'column1'; give them "
                "different names, or use --duplicate-names rename\n");
    check_rows("a,,c, \n1,2,3,4\n", "#a|column2|c|column4\n2: 1|2|3|4\n");
    check_rows(",\n", "#column1|column2\n");
    check_reads_with(",name\nx,anna\n", &known, "#column1|name\n2: x|anna\n");
    /* names that are only made up make no header */
    check_reads_with(",f\nx,m\ny,f\n", &made_up, "-column1|column2\n1: |f\n2: x|m\n3: y|f\n");
}

TEST(names_are_trimmed)
{
    check_reads("a, b\t,\" c \"\n1,2, 3\n", "#a|b|c\n2: 1|2| 3\n");
    check_rows("a, a\n", "!-2 t.csv:1: columns 1 and 2 are both named 'a'; give them "
                         "different names, or use --duplicate-names rename\n");
}

/* Excel's own line before the table. */
TEST(a_line_may_name_the_delimiter)
{
    const kn_csv_options none = { .header = KN_HEADER_NO };

    check_reads("sep=;\na;b\n1,5;2\n", "#a|b\n3: 1,5|2\n");
    check_reads("\xef\xbb\xbfsep=^\r\na^b\r\n1^2\r\n", "#a|b\n3: 1|2\n");
    check_reads("sep=;\nx;y\n", "#x|y\n~t.csv:2: the first line was read as column names; if it is "
                                "data, use --no-header (--header yes silences this)\n");
    check_reads_with("sep=;\n1;2,3\n", &(kn_csv_options){ .delimiter = ',' },
                     "-column1|column2\n2: 1;2|3\n");
    check_reads_with("sep=,\n1,2\n", &none, "-column1|column2\n2: 1|2\n");
    check_reads("sep=,\n", "!-2 t.csv: is empty; expected a header line\n");
    check_reads("sep=,\n\n", "!-2 t.csv:2: a blank line; expected a header line\n");
    check_reads("sep=,\na,b\n1\n",
                "#a|b\n!-2 t.csv:3: 1 field; expected 2 as in the first line (delimiter ,)\n");
    /* and what is no such line */
    check_reads_with("sep=,", &none, "-column1|column2\n1: sep=|\n");
    check_reads_with("sep=;;\n1;2\n", &none,
                     "-column1|column2|column3\n1: sep=||\n!-2 t.csv:2: 2 fields; expected 3 as in "
                     "the first line (delimiter ;)\n");
    check_reads_with("sep=\n1\n", &none, "-column1\n1: sep=\n2: 1\n");
    check_reads_with("sep=\r\n1\n", &none, "-column1\n1: sep=\n2: 1\n");
    check_reads_with("sep=\"\n1\n", &none, "-column1\n1: sep=\"\n2: 1\n");
    check_reads_with("\"sep=;\"\n1\n", &none, "-column1\n1: sep=;\n2: 1\n");
    check_reads_with("SEP=;\n1;2\n", &none, "-column1|column2\n1: SEP=|\n2: 1|2\n");
    check_reads_with("sep=;\n1s2\n", &(kn_csv_options){ .delimiter = 's', .header = KN_HEADER_NO },
                     "-column1|column2\n1: |ep=;\n2: 1|2\n");
}

TEST(dialect_is_remembered)
{
    static const struct {
        const char *text;
        kn_dialect  dialect;
    } cases[] = {
        { "a,b\n", { .delimiter = ',', .quote = '"', .header = true } },
        { "a,b\n1,2\n", { .delimiter = ',', .quote = '"', .header = true } },
        { "\xef\xbb\xbf\"a\";\"b\"\r\n",
          { .delimiter = ';',
            .quote = '"',
            .header = true,
            .crlf = true,
            .bom = true,
            .quote_all = true } },
        { "1\t\"b\"\n", { .delimiter = '\t', .quote = '"' } },
    };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        kanon_ctx        *ctx = NULL;
        kanon_source     *source;
        kn_rows          *csv;
        const kn_dialect *found, *wanted = &cases[i].dialect;

        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kanon_source_memory(ctx, "t", cases[i].text, strlen(cases[i].text), &source));
        CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
        found = kn_rows_dialect(csv);
        CHECK_EQ_U64(found->delimiter, wanted->delimiter);
        CHECK_EQ_U64(found->quote, wanted->quote);
        CHECK_EQ_U64(found->header, wanted->header);
        CHECK_EQ_U64(found->crlf, wanted->crlf);
        CHECK_EQ_U64(found->bom, wanted->bom);
        CHECK_EQ_U64(found->quote_all, wanted->quote_all);
        CHECK_EQ_U64(found->encoding, KN_ENCODING_UTF8);
        kn_rows_close(csv);
        kanon_source_free(source);
        kanon_ctx_free(ctx);
    }
}

TEST(titles_and_footers)
{
    const kn_csv_options propose = { .propose = true };
    const kn_csv_options asked = { .skip = 2, .has_skip = true, .footer = 1, .has_footer = true };
    const kn_csv_options given = { .has_skip = true, .has_footer = true, .header = KN_HEADER_YES };
    const kn_csv_options rename = { .duplicates = KN_DUPLICATES_RENAME };

#define ROWS "a;b;c\nann;1;x\nbob;2;y\n"
    check_reads("Title;;\n;;\n" ROWS,
                "!-2 t.csv:1: looks like a title above the table; if the header is line 3, use "
                "--skip 2; if it is this line, use --skip 0\n");
    check_reads_with("Title;;\n;;\n" ROWS "Total;3;\n;;\n", &asked,
                     "#a|b|c\n4: ann|1|x\n5: bob|2|y\n~t.csv:6: a line below the last row was "
                     "left out; check that no row is among them\n");
    check_reads_with("Title;;\n;;\n" ROWS "Total;3;\n", &propose,
                     "#a|b|c\n4: ann|1|x\n5: bob|2|y\n~t.csv:1: looks like a title above the "
                     "table; the header is read from line 3; check `skip` in the config\n"
                     "~t.csv:6: a line below the last row was left out; check that no row is "
                     "among them\n");
    check_reads_with("Title;;\n" ROWS "Total;3;\n", &given,
                     "#Title|column2|column3\n2: a|b|c\n3: ann|1|x\n4: bob|2|y\n5: Total|3|\n");
    /* Rows that look like it stand among the others. */
    check_reads("a;b;c\ntotal;1;x\nann;2;y\ntotal;3;z\n",
                "#a|b|c\n2: total|1|x\n3: ann|2|y\n4: total|3|z\n");
    check_reads(";b;c\nann;1;x\n", "#column1|b|c\n2: ann|1|x\n");
    check_reads_with("a,a,a_2,a\n1,2,3,4\n", &rename,
                     "#a|a_3|a_2|a_4\n2: 1|2|3|4\n~t.csv:1: columns with the same name were "
                     "renamed, the second one to NAME_2 and so on; give them different names in "
                     "the table\n");
#undef ROWS
}

/* Longer than what is held in memory, in two encodings, so that the end is looked for across refills. */
TEST(footers_of_long_files)
{
    enum { ROWS = 60000 };

    for (size_t wide = 0; wide < 2; wide++) {
        const kn_csv_options options = { .propose = true };
        kanon_ctx           *ctx = NULL;
        kanon_source        *source;
        kn_rows             *csv;
        const kn_str        *cells;
        kn_text              text, bytes;
        size_t               rows = 0;

        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        kn_text_init(&text, ctx);
        kn_text_init(&bytes, ctx);
        kn_text_addz(&text, "Title;;\na;b;c\n");
        for (size_t i = 0; i < ROWS; i++)
            kn_text_addf(&text, "%zu;x;y\n", i);
        kn_text_addz(&text, "Total;9;\n;;\nSource: there;;\n");
        for (size_t i = 0; i < text.len; i++)
            kn_text_add(&bytes, (kn_str){ wide ? (const char[]){ text.ptr[i], 0 } : &text.ptr[i],
                                          1 + wide });
        CHECK_OK(ctx, kanon_source_memory(ctx, "t", bytes.ptr, bytes.len, &source));
        CHECK_OK(ctx, kn_csv_open(ctx, source, &options, &csv));
        CHECK_EQ_U64(kn_rows_dialect(csv)->skip, 1);
        CHECK_EQ_U64(kn_rows_dialect(csv)->footer, 2);
        for (;; rows++) {
            CHECK_OK(ctx, kn_rows_next(csv, &cells));
            if (!cells)
                break;
        }
        CHECK_EQ_U64(rows, ROWS);
        kn_rows_close(csv);
        kanon_source_free(source);
        kn_text_fini(&text);
        kn_text_fini(&bytes);
        kanon_ctx_free(ctx);
    }
}

TEST(names_are_found_and_terminated)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source;
    kn_rows      *csv;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t", "zoe,age,b\n1,2,3\n", 16, &source));
    CHECK_OK(ctx, kn_csv_open(ctx, source, NULL, &csv));
    CHECK_STR(kn_rows_names(csv)[0].ptr, "zoe");
    CHECK_STR(kn_rows_names(csv)[2].ptr, "b");
    CHECK_EQ_U64(kn_rows_find(csv, KN_STR("zoe")), 0);
    CHECK_EQ_U64(kn_rows_find(csv, KN_STR("b")), 2);
    CHECK_EQ_U64(kn_rows_find(csv, KN_STR("ag")), SIZE_MAX);
    CHECK_EQ_U64(kn_rows_find(csv, KN_STR("zz")), SIZE_MAX);
    kn_rows_close(csv);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

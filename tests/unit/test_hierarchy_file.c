/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_file.c -- the kinds that read a file: hierarchy files and tables of places, and
 * writing a hierarchy as such a file. */
#include "hierarchy_fixture.h"

/* Makes a hierarchy from the bytes of a file. prefix is "file:" or "place:", suffix chosen columns. */
static kanon_status
make_from(fixture *f, const char *prefix, const char *bytes, const char *suffix)
{
    char         spec[128];
    const char  *name = temp_file(0, bytes);
    kanon_status rc;

    snprintf(spec, sizeof spec, "%s%s%s", prefix, name, suffix);
    rc = fixture_make(f, spec);
    CHECK(unlink(name) == 0);
    return rc;
}

/* The message of a refusal without the file's name, which changes: what follows the last '/'. */
static void
check_message(const fixture *f, const char *text)
{
    if (!strstr(kanon_ctx_message(f->ctx), text))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(f->ctx), text);
}

static void
check_file_refused(const char *values, const char *bytes, const char *message)
{
    fixture f;

    fixture_open(&f, values);
    if (make_from(&f, "file:", bytes, "") >= 0)
        FAIL("was made: %s", bytes);
    check_message(&f, message);
    fixture_close(&f);
}

static void
check_file(const char *values, const char *bytes, const char *path)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, values);
    CHECK_OK(f.ctx, make_from(&f, "file:", bytes, ""));
    CHECK_STR(fixture_path(f.h, 0, shown), path);
    fixture_close(&f);
}

/* --- files --------------------------------------------------------------------------------------- */

TEST(file_as_arx_writes_it)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "11th|Bachelors");
    CHECK_OK(f.ctx, make_from(&f, "file:",
                              "Bachelors;Undergraduate;Higher education;*\n"
                              "Some-college;Undergraduate;Higher education;*\n"
                              "11th;High School;Secondary education;*",
                              ""));
    CHECK_EQ_U64(kanon_hierarchy_levels(f.h), 4);
    CHECK_EQ_U64(kanon_hierarchy_values(f.h), 3);
    CHECK_EQ_U64(f.h->ndata, 2);
    CHECK_EQ_U64(f.h->domain, 3);
    CHECK(f.h->kind == KN_HIER_FILE && f.h->type == KN_TYPE_STRING);
    CHECK_STR(fixture_path(f.h, 0, shown), "11th|High School|Secondary education|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "Some-college|Undergraduate|Higher education|*");
    check_groups(f.h, 1, "0,1,1");
    CHECK_EQ_U64(f.h->levels[1].leaves[f.h->levels[1].group_of[1]], 2);
    CHECK_EQ_U64(kanon_hierarchy_groups(f.h, 2), 2);
    CHECK_EQ_U64(kanon_hierarchy_groups(f.h, 9), 0);
    CHECK(kanon_hierarchy_label(f.h, 0, 9, NULL) == NULL);
    CHECK(kanon_hierarchy_label(f.h, 9, 0, NULL) == NULL);
    fixture_close(&f);
}

TEST(file_separators)
{
    check_file("a", "a;x;*\nb;x;*\n", "a|x|*");
    check_file("a", "a,x,*\nb,x,*\n", "a|x|*");
    check_file("a", "a\tx\t*\nb\tx\t*\n", "a|x|*");
    check_file("1", "1;[0,5);[0,10);*\n7;[5,10);[0,10);*\n", "1|[0,5)|[0,10)|*");
    check_file("a;b", "\"a;b\",x,*\nc,x,*\n", "a;b|x|*");
    check_file("a;b", "a;b,x,*\nc,x,*\n", "a;b|x|*");
    check_file("a",
               "\xef\xbb\xbf"
               "a;x;*\r\nb;x;*\r\n",
               "a|x|*");
    check_file("say \"hi\"", "\"say \"\"hi\"\"\";x;*\n", "say \"hi\"|x|*");
    check_file("only", "only\n", "only");
    check_file("x", "x;7\ny;7\n", "x|7");
}

TEST(file_with_numbers)
{
    fixture f;

    fixture_open(&f, "3|20");
    CHECK_OK(f.ctx,
             make_from(&f, "file:", "1;low;*\n3;low;*\nmany;high;*\n20;high;*\n99;high;*\n", ""));
    CHECK(f.h->type == KN_TYPE_NUMBER);
    CHECK_NEAR(f.h->min, 3, 0);
    CHECK_NEAR(f.h->max, 20, 0);
    CHECK_NEAR(f.h->levels[1].lo[0], 3, 0); /* 1 is not in the table: clipped */
    CHECK_NEAR(f.h->levels[1].hi[0], 3, 0);
    CHECK_NEAR(f.h->levels[1].hi[1], 20, 0);
    CHECK_NEAR(f.h->levels[2].lo[0], 3, 0);
    CHECK_NEAR(f.h->levels[2].hi[0], 20, 0);
    fixture_close(&f);
}

TEST(file_and_missing_values)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "a|?");
    CHECK_OK(f.ctx, make_from(&f, "file:", "a;x;all\nb;x;all\n", ""));
    CHECK_STR(fixture_path(f.h, 1, shown), "?|?|all");
    CHECK_EQ_U64(f.h->domain, 2);
    CHECK_EQ_U64(f.h->levels[1].leaves[f.h->levels[1].group_of[1]], 0);
    fixture_close(&f);

    fixture_open(&f, "a|?");
    CHECK_OK(f.ctx, make_from(&f, "file:", "a;x;*\n?;x;*\n", ""));
    CHECK_STR(fixture_path(f.h, 1, shown), "?|x|*");
    CHECK_EQ_U64(f.h->domain, 1);
    CHECK_EQ_U64(f.h->levels[1].leaves[0], 1);
    fixture_close(&f);

    check_file_refused("a|?", "a;?;*\n",
                       "'a' and '?' are in different groups of level 1 that are both named '?'");
    check_file_refused("a|?", "a\n", "value '?' has no line (1 such value); add '?'");
}

/* The spellings are one value: of lines that contradict each other one is taken, and that is said. */
TEST(file_that_contradicts_itself_about_missing_values)
{
    static const kn_str tokens[] = { { "", 0 }, { "?", 1 }, { "NA", 2 } };
    fixture             f;
    char                shown[FIXTURE_TEXT];

    fixture_open(&f, "a|?");
    f.domain.tokens = tokens;
    f.domain.ntokens = KN_COUNT(tokens);
    CHECK_OK(f.ctx, make_from(&f, "file:", "a;food;*\n?;food;*\nNA;care;*\n;care;*\n", ""));
    CHECK_STR(fixture_path(f.h, 1, shown), "?|care|*");
    check_warned(&f, ":2: the missing values '?' and '' (line 4) have different levels; line 4 is "
                     "used for both");
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 1);
    fixture_close(&f);
}

TEST(file_duplicates)
{
    check_file("a", "a;x;*\na;x;*\n", "a|x|*");
    check_file_refused("a", "a;x;*\nb;x;*\na;y;*\n",
                       ":3: 'a' has other levels in line 1; give each value one line");
    check_file_refused("a", "a;x;p;*\na;x;q;*\n", ":2: 'a' has other levels in line 1");
}

TEST(file_that_does_not_nest)
{
    check_file_refused(
        "a", "a;x;p;*\nb;x;q;*\n",
        ":2: 'b' and 'a' (line 1) are both 'x' at level 1, but 'q' and 'p' at level 2; "
        "values that are equal at one level must stay equal above it");
}

TEST(file_without_a_single_root)
{
    check_file_refused("a", "a;x\nb;y\n",
                       ":2: the last column has 'y' here and 'x' in line 1, but must have one "
                       "value; add a last column '*' to every line");
    check_file_refused("a", "a\nb\n", "add a last column '*'");
}

TEST(file_that_is_malformed)
{
    check_file_refused("a", "", "");
    check_file_refused("a", "a;x;*\nb;*\n", ":2:");
    check_file_refused("a", "a,x,*\nb,*\n", ":2:");
    check_file_refused("a", "a;\"x;*\n", "");
    check_file_refused("a", "a;\xff;*\n", ":1:");
    check_refused("a", "file:/nonexistent/values.csv", "/nonexistent/values.csv");
}

TEST(file_with_too_many_levels)
{
    char bytes[1024] = "a";

    for (size_t i = 0; i < 256; i++)
        strcat(bytes, ";*");
    check_file_refused("a", bytes, "257 levels; the maximum is 256");
}

TEST(file_that_lacks_a_value)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    check_file_refused(
        "a|z|y", "a;x;w;*\n",
        "column 'col': value 'z' has no line (2 such values); add 'z;GROUP1;GROUP2;*', or "
        "set 'unknown: other'");
    fixture_open(&f, "a|z|?|y");
    f.unknown_other = 1;
    CHECK_OK(f.ctx, make_from(&f, "file:", "a;x;w;*\n", ""));
    CHECK_STR(fixture_path(f.h, 1, shown), "z|(other)|(other)|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "?|?|?|*");
    check_groups(f.h, 1, "0,1,2,1");
    CHECK_EQ_U64(f.h->domain, 3);
    CHECK_OK(f.ctx, make_from(&f, "file:", "a;(other);(other);*\n", ""));
    check_groups(f.h, 1, "0,0,1,0");
    CHECK_STATUS(f.ctx, make_from(&f, "file:", "a;(other);w;*\n", ""), KANON_E_INVALID);
    check_message(&f, "are both '(other)' at level 1, but 'w' and '(other)' at level 2");
    fixture_close(&f);
}

TEST(file_with_a_header)
{
    fixture f;

    fixture_open(&f, "a");
    CHECK_OK(f.ctx, make_from(&f, "file:", "col;level1;level2\na;x;*\n", ""));
    check_warned(&f, ":1: skipped, because it looks like a header ('col')");
    CHECK_EQ_U64(f.h->nleaves, 1);
    fixture_close(&f);

    fixture_open(&f, "col|a");
    CHECK_OK(f.ctx, make_from(&f, "file:", "col;x;*\na;x;*\n", ""));
    CHECK_EQ_U64(kanon_ctx_warning_count(f.ctx), 0);
    fixture_close(&f);
}

/* --- places -------------------------------------------------------------------------------------- */

static const char *const PLACES = "code;city;province;country\n"
                                  "5211;Den Bosch;Noord Brabant;Netherlands\n"
                                  "5212;Den Bosch;Noord Brabant;Netherlands\n"
                                  "5611;Eindhoven;Noord Brabant;Netherlands\n"
                                  "3511;Utrecht;Utrecht;Netherlands\n"
                                  "2000;Antwerpen;Antwerpen;Belgium\n";

TEST(place_of_the_specification)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "Den Bosch|utrecht |EINDHOVEN|?|Antwerpen");
    CHECK_OK(f.ctx, make_from(&f, "place:", PLACES, ":city,province,country"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Den Bosch|Noord Brabant|Netherlands|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "utrecht |Utrecht|Netherlands|*");
    CHECK_STR(fixture_path(f.h, 3, shown), "?|?|?|*");
    check_groups(f.h, 1, "0,1,0,2,3");
    check_groups(f.h, 2, "0,0,0,1,2");
    CHECK(f.h->type == KN_TYPE_PLACE && f.h->kind == KN_HIER_PLACE);
    CHECK_EQ_U64(f.h->nleaves, 5);
    CHECK_EQ_U64(f.h->domain, 4);
    CHECK_OK(f.ctx, make_from(&f, "place:", PLACES, ":city"));
    CHECK_STR(fixture_path(f.h, 0, shown), "Den Bosch|*");
    fixture_close(&f);

    fixture_open(&f, "5211|2000");
    CHECK_OK(f.ctx, make_from(&f, "place:", PLACES, ""));
    CHECK_STR(fixture_path(f.h, 0, shown), "5211|Den Bosch|Noord Brabant|Netherlands|*");
    fixture_close(&f);
}

/* One country for all is still a level of its own; a column of stars is the top already. */
TEST(place_in_other_case)
{
    static const char table[] = "city;land\nZ\xc3\xbcrich;CH\n\xc5\x81\xc3\xb3"
                                "d\xc5\xba;PL\n"
                                "\xc3\xbfy;FR\n\xc3\xb7;X\n\xc5\x80;Y\n";
    fixture           f;
    char              shown[FIXTURE_TEXT];

    fixture_open(&f, "Z\xc3\x9cRICH|\xc5\x82\xc3\x93"
                     "D\xc5\xb9|\xc5\xb8Y|\xc4\xbf");
    CHECK_OK(f.ctx, make_from(&f, "place:", table, ""));
    CHECK_STR(fixture_path(f.h, 0, shown), "Z\xc3\x9cRICH|CH|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "\xc5\x82\xc3\x93"
                                           "D\xc5\xb9|PL|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "\xc5\xb8Y|FR|*");
    CHECK_STR(fixture_path(f.h, 3, shown), "\xc4\xbf|Y|*");
    fixture_close(&f);

    fixture_open(&f, "\xc3\x97"); /* a times sign is no capital division sign */
    CHECK(make_from(&f, "place:", table, "") < 0);
    fixture_close(&f);
}

TEST(place_with_a_root_of_its_own)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "Delft|?");
    CHECK_OK(f.ctx,
             make_from(&f, "place:", "city,country\nDelft,Netherlands\nBreda,Netherlands\n", ""));
    CHECK_STR(fixture_path(f.h, 0, shown), "Delft|Netherlands|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "?|?|*");
    CHECK_OK(f.ctx, make_from(&f, "place:", "city,all\nDelft,*\nBreda,*\n", ""));
    CHECK_STR(fixture_path(f.h, 0, shown), "Delft|*");
    fixture_close(&f);
}

TEST(place_in_two_regions)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "Beek");
    CHECK_OK(f.ctx,
             make_from(&f, "place:",
                       "city;province\nBeek;Limburg\nbeek;Gelderland\nEde;Gelderland\n", ""));
    CHECK_STR(fixture_path(f.h, 0, shown), "Beek|Limburg|*");
    check_warned(&f, ":3: place 'beek' disagrees with line 2; line 2 is used");
    CHECK_STATUS(f.ctx,
                 make_from(&f, "place:",
                           "city;town;province\nBeek;Bergen;Limburg\nOost;Bergen;Holland\n", ""),
                 KANON_E_PARSE);
    check_message(&f,
                  ":3: 'Oost' and 'Beek' (line 2) are both 'Bergen' at level 1, but 'Holland' and "
                  "'Limburg' at level 2");
    fixture_close(&f);
}

TEST(place_that_is_unknown)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    fixture_open(&f, "Delft|Atlantis|Utopia|?");
    CHECK_STATUS(f.ctx,
                 make_from(&f, "place:", "city;province\nDelft;Holland\nGent;Vlaanderen\n", ""),
                 KANON_E_INVALID);
    check_message(
        &f, "column 'col': 2 values are missing from the place table, the first is 'Atlantis'");
    f.unknown_other = 1;
    CHECK_OK(f.ctx, make_from(&f, "place:", "city;province\nDelft;Holland\nGent;Vlaanderen\n", ""));
    CHECK_STR(fixture_path(f.h, 2, shown), "Utopia|(other)|*");
    check_groups(f.h, 1, "0,1,1,2");
    fixture_close(&f);
}

TEST(place_table_that_is_wrong)
{
    fixture f;

    fixture_open(&f, "Delft");
    CHECK_STATUS(f.ctx, make_from(&f, "place:", PLACES, ":city,state"), KANON_E_INVALID);
    check_message(&f, "no column 'state'; expected one of code, city, province, country");
    CHECK_STATUS(f.ctx, make_from(&f, "place:", "city;province\n", ""), KANON_E_PARSE);
    check_message(&f, "the place table has no line below its header");
    fixture_close(&f);
}

/* --- reading and writing ------------------------------------------------------------------------- */

static kanon_hierarchy *
read_bytes(kanon_ctx *ctx, const void *bytes, size_t count)
{
    kanon_source    *source = NULL;
    kanon_hierarchy *h = NULL;

    CHECK_OK(ctx, kanon_source_memory(ctx, "memory.csv", bytes, count, &source));
    CHECK_OK(ctx, kanon_hierarchy_read(ctx, source, &h));
    kanon_source_free(source);
    return h;
}

TEST(read_and_write_a_file)
{
    static const char bytes[] = "a;x;*\n\"b;c\";\"say \"\"x\"\"\";*\n;x;*\n";
    kanon_ctx        *ctx;
    kanon_hierarchy  *h;
    kanon_sink       *sink = NULL;
    size_t            count;
    const void       *written;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    h = read_bytes(ctx, bytes, sizeof bytes - 1);
    CHECK_EQ_U64(h->ndata, 3);
    CHECK_EQ_U64(h->nleaves, 3);
    CHECK(h->missing == KN_NO_CODE && h->type == KN_TYPE_STRING);
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_hierarchy_write(ctx, h, sink));
    written = kanon_sink_bytes(sink, &count);
    CHECK_EQ_U64(count, sizeof bytes - 1);
    CHECK(memcmp(written, bytes, count) == 0);
    kanon_sink_free(sink);
    kanon_hierarchy_free(h);
    kanon_ctx_free(ctx);
}

TEST(read_infers_numbers)
{
    static const char bytes[] = "1;low;*\n2;low;*\n10;high;*\n";
    kanon_ctx        *ctx;
    kanon_hierarchy  *h;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    h = read_bytes(ctx, bytes, sizeof bytes - 1);
    CHECK(h->type == KN_TYPE_NUMBER);
    CHECK_NEAR(h->levels[1].hi[0], 2, 0);
    CHECK_NEAR(h->max, 10, 0);
    kanon_hierarchy_free(h);
    kanon_hierarchy_free(NULL);
    CHECK(kanon_hierarchy_read(ctx, NULL, &h) == KANON_E_INVALID);
    CHECK(kanon_hierarchy_write(ctx, NULL, NULL) == KANON_E_INVALID);
    kanon_ctx_free(ctx);
}

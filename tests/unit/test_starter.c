/* SPDX-License-Identifier: Apache-2.0 */
/* test_starter.c -- src/init/starter.c and what it calls: roles proposed from names and counts, and YAML
 * that can be read back whatever the columns are called. */
#include "config/config.h"
#include "failing_alloc.h"
#include "init/starter.h"
#include "kanon/kanon.h"
#include "test.h"

/* Text of the starter for a table whose first line holds the names; the caller frees it. */
static kanon_status
make(kanon_ctx *ctx, const char *table, size_t count, char **out)
{
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;
    kanon_config *config = NULL;
    kanon_status  rc = kanon_source_memory(ctx, "my data.csv", table, count, &source);

    *out = NULL;
    if (rc == KANON_OK)
        rc = kanon_sink_memory(ctx, &sink);
    if (rc == KANON_OK)
        rc = kanon_config_new(ctx, &config);
    if (rc == KANON_OK)
        rc = kanon_config_set(config, "header", "yes");
    if (rc == KANON_OK)
        rc = kanon_starter_write(ctx, config, source, sink);
    if (rc == KANON_OK) {
        size_t      length;
        const void *bytes = kanon_sink_bytes(sink, &length);

        *out = calloc(length + 1, 1);
        CHECK(*out != NULL);
        memcpy(*out, bytes, length);
    }
    kanon_config_free(config);
    kanon_sink_free(sink);
    kanon_source_free(source);
    return rc;
}

static kanon_config *
read_back(kanon_ctx *ctx, const char *text)
{
    kanon_source *source = NULL;
    kanon_config *config = NULL;

    CHECK_OK(ctx, kanon_source_memory(ctx, "starter", text, strlen(text), &source));
    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_OK(ctx, kanon_config_read(config, source, NULL));
    kanon_source_free(source);
    return config;
}

static kn_role
role_of(const char *name, kn_type type, uint64_t distinct, uint64_t rows)
{
    kn_evidence column = {
        .name = { name, strlen(name) }, .filled = rows, .distinct = distinct, .type = type
    };

    return kn_propose(&column).role;
}

TEST(names_are_understood_in_several_languages)
{
    static const char *const identifiers[] = {
        "Name",         "last_name",   "Achternaam", "Nachname",     "prénom",    "e-mail",
        "emailAddress", "PhoneNumber", "IBAN",       "passport_no",  "bsn",       "SSN",
        "patient_id",   "Straße",      "customerNr", "home address", "Anschrift", "calle"
    };
    static const char *const quasi[] = { "age",
                                         "Leeftijd",
                                         "Alter",
                                         "âge",
                                         "sex",
                                         "Geschlecht",
                                         "gender",
                                         "zip code",
                                         "ZIPCode",
                                         "postcode4",
                                         "PLZ",
                                         "code_postal",
                                         "city",
                                         "woonplaats",
                                         "date_of_birth",
                                         "birthDate",
                                         "Geburtsdatum",
                                         "dob",
                                         "job",
                                         "occupation",
                                         "Beruf",
                                         "race",
                                         "marital-status",
                                         "education",
                                         "Nationality",
                                         "native-country",
                                         "yob",
                                         "year of birth",
                                         "Geburtsjahr",
                                         "Weight",
                                         "height_cm",
                                         "Größe",
                                         "lat",
                                         "lon",
                                         "latitude",
                                         "Longitude",
                                         "coordinates",
                                         "admission_date",
                                         "Discharge",
                                         "visit",
                                         "Aufnahme",
                                         "Entlassungsdatum",
                                         "Datum",
                                         "datum_opname",
                                         "fecha",
                                         "Ort",
                                         "peso",
                                         "taille",
                                         "altezza" };
    static const char *const sensitive[] = {
        "diagnosis", "Diagnose",           "salary", "income", "inkomen", "religion",
        "crime",     "sexual orientation", "HIV"
    };

    for (size_t i = 0; i < KN_COUNT(identifiers); i++)
        if (role_of(identifiers[i], KN_TYPE_STRING, 60, 100) != KN_ROLE_IDENTIFIER)
            FAIL("%s", identifiers[i]);
    for (size_t i = 0; i < KN_COUNT(quasi); i++)
        if (role_of(quasi[i], KN_TYPE_STRING, 30, 100) != KN_ROLE_QUASI)
            FAIL("%s", quasi[i]);
    for (size_t i = 0; i < KN_COUNT(sensitive); i++)
        if (role_of(sensitive[i], KN_TYPE_STRING, 30, 100) != KN_ROLE_SENSITIVE)
            FAIL("%s", sensitive[i]);
}

TEST(without_a_telling_name_the_values_decide)
{
    CHECK(role_of("x", KN_TYPE_STRING, 95, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("x", KN_TYPE_STRING, 50, 100) == KN_ROLE_QUASI);
    CHECK(role_of("x", KN_TYPE_NUMBER, 100, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("x", KN_TYPE_NUMBER, 95, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("x", KN_TYPE_NUMBER, 89, 100) == KN_ROLE_QUASI);
    CHECK(role_of("x", KN_TYPE_NUMBER, 9, 9) == KN_ROLE_QUASI);
    CHECK(role_of("salary", KN_TYPE_NUMBER, 100, 100) == KN_ROLE_SENSITIVE);
    CHECK(role_of("weight", KN_TYPE_NUMBER, 100, 100) == KN_ROLE_QUASI);
    CHECK(role_of("remarks", KN_TYPE_STRING, 60, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("x", KN_TYPE_DATE, 100, 100) == KN_ROLE_QUASI);
    CHECK(role_of("number", KN_TYPE_NUMBER, 4, 100) == KN_ROLE_QUASI);
    CHECK(role_of("number", KN_TYPE_NUMBER, 60, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("", KN_TYPE_STRING, 2, 100) == KN_ROLE_QUASI);
    CHECK(role_of("x", KN_TYPE_STRING, 1, 100) == KN_ROLE_QUASI);
    CHECK(role_of("diagnosis", KN_TYPE_STRING, 0, 0) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("x", KN_TYPE_STRING, 0, 0) == KN_ROLE_IDENTIFIER);
    /* a text that differs from row to row has no groups, whatever its name says */
    CHECK(role_of("city", KN_TYPE_STRING, 95, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("birth date", KN_TYPE_DATE, 100, 100) == KN_ROLE_QUASI);
    CHECK(role_of("zip", KN_TYPE_STRING, 100, 100) == KN_ROLE_QUASI);
}

TEST(free_text_by_its_name_is_an_identifier_however_often_it_repeats)
{
    static const char *const names[] = {
        "comment",     "Comments",       "remark",        "remarks",        "note",
        "Notes",       "Bemerkung",      "Anmerkungen",   "Kommentar",      "Freitext",
        "opmerking",   "commentaire",    "Observaciones", "osservazioni",   "Beschreibung",
        "description", "patientComment", "Arztkommentar", "diagnosis notes"
    };

    for (size_t i = 0; i < KN_COUNT(names); i++)
        if (role_of(names[i], KN_TYPE_STRING, 3, 100) != KN_ROLE_IDENTIFIER)
            FAIL("%s", names[i]);
    CHECK(role_of("diagnosis description", KN_TYPE_STRING, 3, 100) == KN_ROLE_SENSITIVE);
    CHECK(role_of("notebooks", KN_TYPE_STRING, 3, 100) == KN_ROLE_QUASI);
}

TEST(words_within_words_are_not_names)
{
    static const char *const names[] = { "name",    "full name",   "fullName",  "FULLNAME",
                                         "name_1",  "Kundenname",  "Names",     "Naam",
                                         "bijnaam", "Geburtsname", "birth name" };

    for (size_t i = 0; i < KN_COUNT(names); i++)
        if (role_of(names[i], KN_TYPE_STRING, 3, 100) != KN_ROLE_IDENTIFIER)
            FAIL("%s", names[i]);
    CHECK(role_of("Unnamed: 0", KN_TYPE_NUMBER, 3, 100) == KN_ROLE_QUASI);
    CHECK(role_of("Unnamed: 0", KN_TYPE_NUMBER, 100, 100) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("renamed", KN_TYPE_STRING, 3, 100) == KN_ROLE_QUASI);
    CHECK(role_of("guidance", KN_TYPE_STRING, 3, 100) == KN_ROLE_QUASI);
}

TEST(long_free_text_is_no_ordinary_column)
{
    kn_evidence seen = {
        .name = KN_STR("x"), .filled = 100, .distinct = 60, .type = KN_TYPE_STRING, .length = 41
    };

    CHECK(kn_propose(&seen).role == KN_ROLE_IDENTIFIER);
    seen.length = 39;
    CHECK(kn_propose(&seen).role == KN_ROLE_QUASI);
    seen.length = 41;
    seen.distinct = 40;
    CHECK(kn_propose(&seen).role == KN_ROLE_QUASI);
}

TEST(long_names_are_no_danger)
{
    char long_name[3000];

    memset(long_name, 'A', sizeof long_name - 1);
    for (size_t i = 1; i < sizeof long_name; i += 2)
        long_name[i] = 'b';
    long_name[sizeof long_name - 1] = 0;
    CHECK(role_of(long_name, KN_TYPE_STRING, 2, 100) == KN_ROLE_QUASI);
}

TEST(hierarchies_fit_the_type)
{
    static const char table[] =
        "age,birth,zip,score,sex\n"
        "17,1970-01-31,01234,0.15,1\n30,1981-02-28,01235,0.35,2\n41,1990-12-24,01240,0.50,1\n"
        "52,1959-03-01,02234,0.95,2\n63,1985-07-15,02235,0.11,1\n74,1972-08-08,02240,0.22,2\n"
        "25,1988-09-19,03234,0.44,1\n36,1994-10-10,03235,0.66,2\n47,1977-11-11,03240,0.77,1\n"
        "58,1966-05-05,04234,0.88,2\n89,1999-01-01,04235,0.01,1\n";
    kanon_ctx    *ctx = NULL;
    kanon_config *config;
    char         *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, make(ctx, table, sizeof table - 1, &text));
    CHECK(strstr(text, "age: {role: quasi, type: number, hierarchy: {range: [5, 10, 50]}}"));
    CHECK(
        strstr(text, "birth: {role: quasi, type: date, hierarchy: {date: [month, year, decade]}}"));
    CHECK(strstr(text, "zip: {role: quasi, type: string, hierarchy: {pack: postcode-us}}"));
    CHECK(strstr(text, "sex: {role: quasi, type: string, hierarchy: auto}"));
    CHECK(strstr(text, "kanon anonymize 'my data.csv' -c kanon.yaml"));
    CHECK(!strstr(text, "1970-01-31") && !strstr(text, "01234") && !strstr(text, "0.35"));
    config = read_back(ctx, text);
    CHECK_EQ_U64(config->nattributes, 5);
    kanon_config_free(config);
    free(text);
    kanon_ctx_free(ctx);
}

static void
fill_table(kn_text *table, const char *names, unsigned rows)
{
    kn_text_addf(table, "%s\n", names);
    for (unsigned i = 0; i < rows; i++)
        kn_text_addf(table, "19%02u-01-31,%u.5,%u,%s\n", i, i, i % 3,
                     i % 2 ? "the patient came alone and was sent home early"
                           : "seen by the doctor of the ward and nothing more to tell");
}

TEST(a_few_odd_values_do_not_change_a_type)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config;
    kn_text       table;
    char         *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&table, ctx);
    fill_table(&table, "visit,v,x,y", 60);
    kn_text_addz(&table, "soon,n.a.,1,z\nlater,70.5,1,z\n");
    CHECK_OK(ctx, make(ctx, table.ptr, table.len, &text));
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 2);
    CHECK_STR(kanon_ctx_warning(ctx, 1), "my data.csv: 3 of 4 columns need your decision, marked "
                                         "DECIDE in the config: v, x and y");
    CHECK_STR(kanon_ctx_warning(ctx, 0),
              "my data.csv: column 'visit': all distinct values but 2 are dates; a job stops at "
              "them until you correct them, add them to `missing` or declare another type");
    CHECK(strstr(text, "# All distinct values but 2 are dates; correct them or add them to "
                       "`missing`.\n  visit: {role: quasi, type: date, "));
    CHECK(strstr(text,
                 "# number, 62 distinct values. DECIDE. identifier, confidence low: nearly every "
                 "row has its own value: 62 in 62 rows\n  v: {role: identifier}"));
    CHECK(!strstr(text, "soon") && !strstr(text, "n.a.") && !strstr(text, "later"));
    config = read_back(ctx, text);
    CHECK_EQ_U64(config->nattributes, 4);
    kanon_config_free(config);
    free(text);
    kn_text_fini(&table);
    kanon_ctx_free(ctx);
}

TEST(widths_are_written_digit_by_digit)
{
    kanon_ctx *ctx = NULL;
    kn_text    table;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&table, ctx);
    kn_text_addz(&table, "bmi,height,age\n");
    for (unsigned i = 0; i < 40; i++)
        kn_text_addf(&table, "0.%02u,%u.5,%u00000\n", i, i, i + 1);
    CHECK_OK(ctx, make(ctx, table.ptr, table.len, &text));
    CHECK(strstr(text, "bmi: {role: quasi, type: number, hierarchy: {range: [0.05, 0.1]}}"));
    CHECK(strstr(text, "height: {role: quasi, type: number, hierarchy: {range: [5, 10]}}"));
    CHECK(strstr(text, "age: {role: quasi, type: number, hierarchy: {range: [500000, 1000000]}}"));
    free(text);
    kn_text_fini(&table);
    kanon_ctx_free(ctx);
}

TEST(doubtful_names_are_told_in_the_config)
{
    static const char *const tables[] = { "x,y\na,b\nc,d\n", "x,y\n1,b\n2,d\n" };

    for (size_t i = 0; i < KN_COUNT(tables); i++) {
        kanon_ctx    *ctx = NULL;
        kanon_source *source = NULL;
        kanon_sink   *sink = NULL;
        kanon_config *config;
        char         *text = calloc(8192, 1);
        size_t        count;

        CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
        CHECK_OK(ctx, kanon_source_memory(ctx, "t.csv", tables[i], strlen(tables[i]), &source));
        CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
        CHECK_OK(ctx, kanon_starter_write(ctx, NULL, source, sink));
        CHECK(text != NULL && kanon_sink_bytes(sink, &count) != NULL && count < 8192);
        memcpy(text, kanon_sink_bytes(sink, &count), count);
        CHECK(!strstr(text, "\nheader: yes   # the first line was read as column names; if it "
                            "contains data about a person, write no\n")
              == (i == 1));
        config = read_back(ctx, text);
        CHECK((config->header == KN_HEADER_YES) == (i == 0));
        kanon_config_free(config);
        kanon_sink_free(sink);
        kanon_source_free(source);
        kanon_ctx_free(ctx);
        free(text);
    }
}

TEST(the_head_tells_where_the_names_come_from)
{
    kanon_ctx    *ctx = NULL;
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;
    kanon_config *config = NULL;
    char         *text;
    size_t        count;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, make(ctx, "x,y\n1,a\n", 8, &text));
    CHECK(strstr(text, "(1 row, 2 columns).\n# The column names are those of its first line.\n"));
    free(text);
    CHECK_OK(ctx, kanon_source_memory(ctx, "t.csv", "x,y\n1,a\n", 8, &source));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &sink));
    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    CHECK_OK(ctx, kanon_config_set(config, "header", "no"));
    CHECK_OK(ctx, kanon_starter_write(ctx, config, source, sink));
    text = calloc(8192, 1);
    CHECK(text != NULL && kanon_sink_bytes(sink, &count) != NULL && count < 8192);
    memcpy(text, kanon_sink_bytes(sink, &count), count);
    CHECK(strstr(text, "# Its first line was read as data"));
    CHECK(strstr(text, "column1:") && strstr(text, "header: no"));
    free(text);
    kanon_config_free(config);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_ctx_free(ctx);
}

/* A number of a person in several rows asks for `entity`; a name, or a number in one row each, does not. */
TEST(numbers_of_persons_that_repeat_are_told)
{
    kanon_ctx *ctx = NULL;
    kn_text    csv;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_text_init(&csv, ctx);
    kn_text_addz(&csv, "patient no.,id,surname,cost\n");
    for (unsigned i = 0; i < 60; i++)
        kn_text_addf(&csv, "p%u,i%u,n%c,%u\n", i / 2, i, 'a' + (char) (i / 3), i * 7 + 1);
    CHECK_OK(ctx, make(ctx, csv.ptr, csv.len, &text));
    CHECK(strstr(text, "\nentity: \"patient no.\"  # k counts persons, since one has 2.0 rows on "
                       "average\n"));
    CHECK(!strstr(text, "rows for each value"));
    free(text);
    kn_text_fini(&csv);
    kanon_ctx_free(ctx);
}

/* The config is kept for next month's table, in which the column may be filled. */
TEST(columns_without_a_value_are_hidden_until_somebody_decides)
{
    static const char *const tables[] = { "age,field7\n3,\n4,NA\n3,\n", "age,field7\n" };
    kanon_ctx               *ctx = NULL;
    char                    *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < KN_COUNT(tables); i++) {
        CHECK_OK(ctx, make(ctx, tables[i], strlen(tables[i]), &text));
        CHECK(strstr(text, "DECIDE. identifier, confidence low: it has no value yet, so nothing is "
                           "known of it; please decide\n  field7: {role: identifier}"));
        free(text);
    }
    kanon_ctx_free(ctx);
}

TEST(any_column_name_can_be_read_back)
{
    static const char *const names[] = { "yes",
                                         "No",
                                         "null",
                                         "~",
                                         "a: b",
                                         "- x",
                                         "#h",
                                         "{",
                                         "[a]",
                                         "it's",
                                         "a\\b",
                                         "a\"b",
                                         "*a",
                                         "&a",
                                         "!a",
                                         "%a",
                                         "@a",
                                         " lead",
                                         "trail ",
                                         "12",
                                         "1e3",
                                         "caf\xc3\xa9",
                                         "\xe6\x97\xa5\xe6\x9c\xac",
                                         "nbsp\xc2\xa0x",
                                         "ls\xe2\x80\xa8x",
                                         "bom\xef\xbb\xbfx",
                                         "emoji\xf0\x9f\x98\x80",
                                         "tab\tx",
                                         "line\nbreak",
                                         "del\x7f",
                                         "c1\xc2\x85x",
                                         "<<",
                                         "?",
                                         "k",
                                         "attributes" };
    kanon_ctx               *ctx = NULL;
    kanon_config            *config;
    kn_text                  table;
    char                    *text, *long_name = calloc(5001, 1);

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK(long_name != NULL);
    memset(long_name, 'x', 5000);
    kn_text_init(&table, ctx);
    kn_text_addz(&table, long_name);
    for (size_t i = 0; i < KN_COUNT(names); i++) {
        kn_text_addz(&table, ",\"");
        for (const char *c = names[i]; *c; c++)
            kn_text_addf(&table, *c == '"' ? "\"\"" : "%c", *c);
        kn_text_addz(&table, "\"");
    }
    for (size_t row = 0; row < 3; row++) {
        kn_text_addz(&table, "\n1");
        for (size_t i = 0; i < KN_COUNT(names); i++)
            kn_text_addf(&table, ",%zu", row);
    }
    CHECK_OK(ctx, make(ctx, table.ptr, table.len, &text));
    config = read_back(ctx, text);
    CHECK(kn_config_attribute(config, kn_str_of(long_name)) != NULL);
    for (size_t i = 0; i < KN_COUNT(names); i++)
        if (!kn_config_attribute(config, kn_str_of(names[i]))
            && !kn_config_attribute(config, kn_str_trim(kn_str_of(names[i]))))
            FAIL("'%s' is lost", names[i]);
    kanon_config_free(config);
    kn_text_fini(&table);
    free(text);
    free(long_name);
    kanon_ctx_free(ctx);
}

/* Rows "i,i" with words in the place of every so many ages. */
static void
add_words(kn_text *table, const char *word, unsigned every)
{
    kn_text_addz(table, "age,n\n");
    for (unsigned i = 0; i < 400; i++)
        if (i % every == 0)
            kn_text_addf(table, "%s,%u\n", word, i % 7);
        else
            kn_text_addf(table, "%u,%u\n", 1 + i % 90, i % 7);
}

TEST(frequent_words_among_numbers_are_proposed_as_missing)
{
    static const struct {
        const char *word;
        unsigned    every;
        bool        proposed;
    } cases[] = { { "k.A.", 10, true },
                  { "k.A.", 400, false },
                  { "keine Ahnung", 10, true },
                  { "not told, not known", 10, false } };
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        kanon_config *config;
        kn_text       table;
        char         *text;

        kn_text_init(&table, ctx);
        add_words(&table, cases[i].word, cases[i].every);
        if (strchr(cases[i].word, ',')) { /* longer than such words are, and quoted */
            table.len = 0;
            add_words(&table, "\"not told, not known\"", cases[i].every);
        }
        CHECK_OK(ctx, make(ctx, table.ptr, table.len, &text));
        config = read_back(ctx, text);
        CHECK(kn_config_missing(config, kn_str_of(cases[i].word)) == cases[i].proposed);
        CHECK(kn_config_missing(config, kn_str_of("NA")));
        CHECK(!!strstr(text, "40 missing. quasi") == cases[i].proposed);
        CHECK(!!strstr(text, "but 1 are numbers") == !cases[i].proposed);
        kanon_config_free(config);
        kn_text_fini(&table);
        free(text);
    }
    kanon_ctx_free(ctx);
}

/* A table of so many rows whose cells a function writes, as a starter config. */
static char *
made_of(kanon_ctx *ctx, const char *names, unsigned rows,
        void (*write_row)(kn_text *table, unsigned row))
{
    kn_text table;
    char   *text;

    kn_text_init(&table, ctx);
    kn_text_addf(&table, "%s\n", names);
    for (unsigned i = 0; i < rows; i++)
        write_row(&table, i);
    CHECK_OK(ctx, make(ctx, table.ptr, table.len, &text));
    kn_text_fini(&table);
    return text;
}

/* Does the config have this line, and does the comment before it begin like that? */
static void
check_column(const char *text, const char *comment, const char *line)
{
    const char *at = strstr(text, line), *before;

    if (!at)
        FAIL("there is no line '%s' in:\n%s", line, text);
    for (before = at; before > text && strncmp(before, "\n\n", 2) != 0;)
        before--;
    if (strncmp(before + 2, comment, strlen(comment)) != 0)
        FAIL("'%s' is described by%.*s", line, (int) (at - before - 1), before + 1);
}

static void
write_hospital(kn_text *table, unsigned row)
{
    static const char *const codes[] = { "K80.20", "M16.1", "M17.1", "I10", "E11.9" };

    kn_text_addf(table, "%u,%u,%s,%s,%u.%02u,%u,%u\n", 10000 + row, 500 + row / 3, codes[row % 5],
                 codes[row / 7 % 5], 900 + row * 31 % 7000, row % 100,
                 row % 20 == 3 ? 9999 : 150 + row * 7 % 50, 1 + row % 4);
}

TEST(a_hospital_table_is_understood)
{
    kanon_ctx *ctx = NULL;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    text = made_of(ctx, "Employee ID,Pat.-Nr.,HD,Nebendiagnose 1,Kosten,Größe,Familienstand", 400,
                   write_hospital);
    check_column(text, "  # pseudonymous key, 400 distinct values. identifier, confidence ",
                 "  \"Employee ID\": {role: identifier}\n");
    CHECK(strstr(text, "\nentity: Pat.-Nr.  # k counts persons, since one has 3.0 rows"));
    check_column(text, "  # code (icd-10), 5 distinct values. sensitive, confidence medium: ",
                 "  HD: {role: sensitive, hierarchy: {pack: icd-10}}\n");
    check_column(text, "  # code (icd-10), 5 distinct values. sensitive, confidence high: ",
                 "  \"Nebendiagnose 1\": {role: sensitive, hierarchy: {pack: icd-10}}\n");
    check_column(text, "  # number, ",
                 "  # Exact numbers tell rows apart; consider round: 100\n  Kosten: {role: "
                 "sensitive}\n");
    CHECK(strstr(text, "missing: [\"\", \"?\", \"NA\", \"9999\"]  # the last one seems"));
    check_column(text, "  # number, 50 distinct values, 20 missing. quasi, ",
                 "{role: quasi, type: number, hierarchy: {range: [5, 10]}}\n");
    check_column(text, "  # category, 4 distinct values. quasi, confidence high: ",
                 "  Familienstand: {role: quasi, type: string, hierarchy: auto}\n");
    free(text);
    kanon_ctx_free(ctx);
}

static void
write_census(kn_text *table, unsigned row)
{
    kn_text_addf(table, "%u,%u.%04u,%u,%u,%u,%u,%u\n", 70000 + row / 3, 300 + row % 211,
                 row * 37 % 10000, 1 + row % 2, row % 25 == 1 ? 9 : 1 + row % 5,
                 row % 25 == 2 ? 99 : 18 + row % 60, 30 + row % 70, row % 4);
}

TEST(a_census_table_is_understood)
{
    kanon_ctx *ctx = NULL;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    text = made_of(ctx, "HHID,WEIGHT,SEX,MARSTAT,AGE,HOURS,NCHILD", 600, write_census);
    check_column(text, "  # pseudonymous key, 200 distinct values. identifier, confidence ",
                 "  HHID: {role: identifier}\n");
    CHECK(strstr(text, "\nentity: HHID  # k counts households, since a class of k rows may be one "
                       "family: 3.0 rows on average\n"));
    check_column(text,
                 "  # number, 600 distinct values. DECIDE. identifier, confidence low: a "
                 "sampling weight ",
                 "  # If your readers need it: {role: insensitive, round: 10}\n  WEIGHT: {role: "
                 "identifier}\n");
    check_column(text, "  # category, 2 ", "  SEX: {role: quasi, type: string, hierarchy: auto}\n");
    check_column(text, "  # category, 5 distinct values, 24 missing. quasi, ",
                 "  MARSTAT: {role: quasi, type: string, hierarchy: auto}\n");
    /* 99 is a number of hours, so it cannot be declared for the whole table */
    CHECK(strstr(text, "  # 99, in 24 rows, seems to mean \"no value\", but other columns have it "
                       "as a value: recode it.\n  AGE: "));
    CHECK(strstr(text, "missing: [\"\", \"?\", \"NA\", \"9\"]"));
    check_column(text, "  # number, 4 ", "  NCHILD: {role: quasi, type: number, hierarchy: ");
    free(text);
    kanon_ctx_free(ctx);
}

static void
write_trips(kn_text *table, unsigned row)
{
    kn_text_addf(table, "2023-03-%02u %02u:%02u:00,%u.%06u,-%u.%06u,%02u:%02u,Q%c,%u kg\n",
                 1 + row % 21, row % 24, row % 60, 60 + row % 2, row * 7919 % 1000000, 3 + row % 2,
                 row * 104729 % 1000000, row % 24, row * 7 % 60, 'A' + (char) (row % 3), row);
}

TEST(a_mobility_table_is_understood)
{
    kanon_ctx *ctx = NULL;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    text = made_of(ctx, "start,lat,lon,arrival_time,v1,v2", 500, write_trips);
    check_column(text, "  # timestamp, ",
                 "  start: {role: quasi, type: date, hierarchy: {date: [hour, part-of-day, day, "
                 "week]}}\n");
    check_column(text, "  # coordinate, 500 distinct values. quasi, confidence ",
                 "  lat: {role: quasi, type: number, hierarchy: {grid: [lat, 1000, 10000]}}\n");
    check_column(text, "  # coordinate, 500 distinct values. quasi, confidence ",
                 "  lon: {role: quasi, type: number, hierarchy: {grid: [lon@60, 1000, 10000]}}\n");
    check_column(text, "  # time of day, ", "  arrival_time: {role: quasi, type: string, ");
    check_column(text, "  # category, 3 distinct values. DECIDE. quasi, confidence low: not ",
                 "  v1: {role: quasi, type: string, hierarchy: auto}\n");
    check_column(text, "  # pseudonymous key, 500 distinct values. DECIDE. identifier, ",
                 "  v2: {role: identifier}\n");
    kanon_config_free(read_back(ctx, text));
    free(text);
    kanon_ctx_free(ctx);
}

static void
write_sentinels(kn_text *table, unsigned row)
{
    static const char *const words[] = { "red", "green", "unbekannt", "blue", "n/a" };
    bool                     odd = row % 20 == 7;

    kn_text_addf(table, "%u,%d,%s,%u,%u\n", odd ? 999 : row % 97, odd ? -8 : (int) (row % 7),
                 words[row % 5], row == 7 ? 99999 : 1000 + row * 7 % 3000, row % 100);
}

TEST(sentinels_are_noticed_by_place_and_frequency)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config;
    char         *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    text = made_of(ctx, "age,x,colour,cost,percentile", 1000, write_sentinels);
    config = read_back(ctx, text);
    CHECK(kn_config_missing(config, KN_STR("999")) && kn_config_missing(config, KN_STR("-8")));
    CHECK(kn_config_missing(config, KN_STR("unbekannt")));
    CHECK(kn_config_missing(config, KN_STR("n/a")));
    CHECK(!kn_config_missing(config, KN_STR("99999"))); /* one person earns a lot */
    CHECK(!kn_config_missing(config, KN_STR("99")));    /* the last of a hundred */
    CHECK(!kn_config_missing(config, KN_STR("blue")));
    kanon_config_free(config);
    free(text);
    kanon_ctx_free(ctx);
}

static void
write_pairs(kn_text *table, unsigned row)
{
    kn_text_addf(table, "%u,%u\n", 1000000 + row / 2, 7000000 + row / 2);
}

/* Columns with more values than are kept were taken for unique. */
TEST(values_beyond_those_that_are_kept_are_counted)
{
    kanon_ctx *ctx = NULL;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    text = made_of(ctx, "pid,x", 440000, write_pairs);
    CHECK(strstr(text, "\nentity: pid  # k counts persons, since one has "));
    check_column(text, "  # number, about 2", "  x: {role: quasi, type: number, hierarchy: ");
    free(text);
    kanon_ctx_free(ctx);
}

TEST(numbers_are_no_street)
{
    CHECK(role_of("Straße & Größe (cm)", KN_TYPE_NUMBER, 90, 1000) == KN_ROLE_QUASI);
    CHECK(role_of("Straße & Größe (cm)", KN_TYPE_STRING, 90, 1000) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("street", KN_TYPE_NUMBER, 90, 1000) == KN_ROLE_IDENTIFIER);
    CHECK(role_of("Hausnummer", KN_TYPE_NUMBER, 90, 1000) == KN_ROLE_IDENTIFIER);
}

TEST(a_table_without_quasi_identifiers_is_told)
{
    kanon_ctx *ctx = NULL;
    char      *text;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, make(ctx, "x,y\n1,a\n2,b\n1,a\n", 16, &text));
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 1);
    free(text);
    CHECK(make(ctx, "x,y\n1\n", 6, &text) == KANON_E_PARSE);
    kanon_ctx_free(ctx);
}

static kanon_status
make_once(kanon_ctx *ctx, void *user)
{
    char        *text;
    kanon_status rc = make(ctx, user, strlen(user), &text);

    free(text);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(make_once, "name,age,birth\nA,3,1970-01-01\nB,4,1971-01-01\n") > 5);
    CHECK(failing_alloc_sweep(make_once, "diagnosis,x\nK80.20,unknown\nI10,unknown\nI10,3\n") > 5);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_recognise.c -- what cells look like, what follows for a column, and which roles look wrong. */
#include "init/recognise.h"
#include "test.h"

typedef bool cell_test(kn_str cell);

static void
check_cells(cell_test *test, const char *const *yes, const char *const *no)
{
    for (; *yes; yes++)
        if (!test(kn_str_of(*yes)))
            FAIL("'%s' is not recognised", *yes);
    for (; *no; no++)
        if (test(kn_str_of(*no)))
            FAIL("'%s' is taken for one", *no);
}

TEST(contact_data_are_recognised)
{
    static const char *const mails[] = { "a@b.de",
                                         "anna.m+x@post.example.org",
                                         "Jürgen Schmidt, juergen.schmidt784@web.de",
                                         "Anna <a@b.de>",
                                         "call a@b.de;",
                                         NULL };
    static const char *const no_mails[] = { "",         "@",        "a@b",   "a@.de",
                                            "a @ b.de", "a@b@c.de", "@b.de", "a.de",
                                            "a@b.c",    "a, b@",    NULL };
    static const char *const phones[] = { "+49 30 1234567", "030/1234567",     "(030) 123 45 67",
                                          "0301234567",     "+1-202-555-0143", NULL };
    static const char *const no_phones[] = {
        "",         "12345",      "1234567890",  "0.123456789", "01.02.1990", "01/02/1990",
        "05315000", "1990-01-31", "0a301234567", "10000-19999", NULL
    };
    static const char *const pages[] = { "https://a.b/c", "www.example.org", NULL };
    static const char *const no_pages[] = { "http", "192.168.0.1", "", NULL };
    static const char *const machines[] = { "192.168.0.1", "2001:db8::1", "::1",
                                            "2001:db8:0:0:0:0:0:1", NULL };
    static const char *const no_machines[] = { "1.2.3", "1.2.3.4.5", "300.1.1.1", "1..2.3", "",
                                               "12:30", "a:b",       "12:30:15",  NULL };

    check_cells(kn_cell_is_email, mails, no_mails);
    check_cells(kn_cell_is_phone, phones, no_phones);
    check_cells(kn_cell_is_url, pages, no_pages);
    check_cells(kn_cell_is_ip, machines, no_machines);
}

TEST(numbers_with_check_digits_are_recognised)
{
    static const char *const numbers[] = { "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432",
                                           "4111 1111 1111 1111", NULL };
    static const char *const uuids[] = { "123e4567-e89b-12d3-a456-426614174000", NULL };
    static const char *const others[] = { "DE88 3704 0044 0532 0130 00",
                                          "4111111111111112",
                                          "123e4567-e89b-12d3-a456-42661417400",
                                          "12345",
                                          "",
                                          "123e4567xe89b-12d3-a456-426614174000",
                                          NULL };

    check_cells(kn_cell_is_account, numbers, others);
    check_cells(kn_cell_is_uuid, uuids, others);
}

TEST(addresses_and_texts_are_recognised)
{
    static const char *const streets[] = { "Hauptstr. 12",   "Lindenstraße 4a",
                                           "12 Main Street", "5 rue de la Paix",
                                           "Via Roma 3",     "Dorpsstraat 7",
                                           "Kirchgasse 99",  NULL };
    static const char *const no_streets[] = {
        "Berlin", "12", "strong 12345678", "stress level 3", "", "Hauptstrasse", NULL
    };
    static const char *const texts[] = { "asked her to come back within a week", NULL };
    static const char *const no_texts[] = { "a b c d e", "congestive heart failure, unspecified",
                                            "", NULL };

    check_cells(kn_cell_is_street, streets, no_streets);
    check_cells(kn_cell_is_prose, texts, no_texts);
}

TEST(names_of_persons_are_recognised)
{
    static const char *const persons[] = {
        "Anna Schmidt",    "Schmidt, Anna", "MARIA",    "jean-pierre dupont",
        "Dr. Peter Jones", "Müller",        "José",     "MÜLLER",
        "MUELLER",         "Juergen",       "SCHAEFER", NULL
    };
    static const char *const others[] = {
        "New York", "Never married", "Lung cancer", "retired",
        "",         "Protestant",    "Christian",   "May",
        "Anna 2",   "Baker",         "public",      "the patient knows Anna and her brother",
        NULL
    };

    check_cells(kn_cell_is_person, persons, others);
}

TEST(years_come_from_dates_of_any_form)
{
    CHECK(kn_cell_year(KN_STR("1970-01-31")) == 1970);
    CHECK(kn_cell_year(KN_STR("31.12.1999")) == 1999);
    CHECK(kn_cell_year(KN_STR("12/31/2001")) == 2001);
    CHECK(kn_cell_year(KN_STR("19650603")) == 1965 && kn_cell_year(KN_STR("19651303")) == 0);
    CHECK(kn_cell_year(KN_STR("10650603")) == 0 && kn_cell_year(KN_STR("196506030")) == 0);
    CHECK(kn_cell_year(KN_STR("1970")) == 0 && kn_cell_year(KN_STR("")) == 0);
}

TEST(moments_are_dates_with_a_time)
{
    static const char *const moments[] = { "2026-01-31 08:15", "2026-01-31T08:15:30",
                                           "31.01.2026 23:59", NULL };
    static const char *const others[] = { "2026-01-31", "2026-01-31 00:00:00", "08:15",
                                          "20260131",   "2026-01-31 25:00",    "",
                                          NULL };

    check_cells(kn_cell_is_moment, moments, others);
}

/* A column of that name with these cells, again and again until there are enough. */
static kn_evidence
column(const char *name, const char *const *cells, kn_type type, uint64_t distinct)
{
    kn_evidence made = {
        .name = kn_str_of(name), .filled = 100, .distinct = distinct, .type = type
    };

    for (size_t i = 0, n = 0; i < 40; i++, n++) {
        n = cells[n] ? n : 0;
        kn_looks_add(&made.looks, kn_str_of(cells[n]));
    }
    return made;
}

TEST(cells_count_more_than_a_name_that_tells_nothing)
{
    static const char *const names[] = { "Anna Kaltova", "Peter Zzyx", "Jana Umber", "Ulf Quist",
                                         NULL };
    static const char *const mails[] = { "a@b.de", "c@d.org", "unknown", NULL };
    static const char *const born[] = { "1931-02-03", "1980-02-03", "2001-02-03", NULL };
    static const char *const visits[] = { "2019-02-03", "2020-02-03", "2021-02-03", NULL };
    static const char *const words[] = { "red", "green", "blue", NULL };
    kn_evidence              of = column("x7", names, KN_TYPE_STRING, 40);

    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER && kn_propose(&of).why == KN_REASON_CELLS);
    of = column("city", names, KN_TYPE_STRING, 40);
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER);
    of = column("x7", mails, KN_TYPE_STRING, 40);
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER);
    of = column("x7", born, KN_TYPE_DATE, 90);
    CHECK(kn_propose(&of).role == KN_ROLE_QUASI && kn_propose(&of).why == KN_REASON_CELLS);
    of = column("x7", visits, KN_TYPE_DATE, 90);
    CHECK(kn_propose(&of).role == KN_ROLE_QUASI && kn_propose(&of).why == KN_REASON_TEXT);
    of = column("x7", words, KN_TYPE_STRING, 3);
    CHECK(kn_propose(&of).role == KN_ROLE_QUASI && kn_propose(&of).confidence == KN_LOW);
    of = column("sex", words, KN_TYPE_STRING, 3);
    CHECK(kn_propose(&of).role == KN_ROLE_QUASI && kn_propose(&of).confidence != KN_LOW);
}

TEST(few_cells_tell_nothing)
{
    kn_evidence of = { .name = KN_STR("x"), .filled = 4, .distinct = 4, .type = KN_TYPE_STRING };

    for (size_t i = 0; i < 4; i++)
        kn_looks_add(&of.looks, KN_STR("Anna Schmidt"));
    CHECK(kn_propose(&of).role == KN_ROLE_QUASI);
    kn_looks_add(&of.looks, KN_STR("Anna Schmidt"));
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER);
}

TEST(roles_that_look_wrong_are_contradicted)
{
    static const char *const names[] = { "Anna Schmidt", "Peter Jones", NULL };
    static const char *const born[] = { "1931-02-03", "1980-02-03", "2001-02-03", NULL };
    static const char *const words[] = { "red", "green", "blue", NULL };
    static const kn_role     released[] = { KN_ROLE_NONE, KN_ROLE_QUASI, KN_ROLE_SENSITIVE,
                                            KN_ROLE_INSENSITIVE };
    kn_proposal              why;
    kn_evidence              of = column("x", names, KN_TYPE_STRING, 40);

    for (size_t i = 0; i < KN_COUNT(released); i++)
        CHECK(kn_contradicts(&of, released[i], &why) && why.role == KN_ROLE_IDENTIFIER);
    CHECK(!kn_contradicts(&of, KN_ROLE_IDENTIFIER, &why));
    of = column("when", born, KN_TYPE_DATE, 90);
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why) && why.role == KN_ROLE_QUASI);
    CHECK(kn_contradicts(&of, KN_ROLE_SENSITIVE, &why));
    CHECK(!kn_contradicts(&of, KN_ROLE_QUASI, &why));
    of = column("sex", words, KN_TYPE_STRING, 3);
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    CHECK(!kn_contradicts(&of, KN_ROLE_SENSITIVE, &why));
    of = column("x", words, KN_TYPE_STRING, 95); /* unique */
    CHECK(kn_contradicts(&of, KN_ROLE_QUASI, &why));
    of.type = KN_TYPE_NUMBER; /* an amount may be generalized */
    CHECK(!kn_contradicts(&of, KN_ROLE_QUASI, &why));
    of = column("name", words, KN_TYPE_STRING, 3); /* of one of three products */
    CHECK(!kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    of.distinct = 30;
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
}

TEST(telling_names_contradict_where_values_are_few)
{
    static const char *const streets[] = { "Lindenweg", "Am Markt", "Kirchplatz", NULL };
    static const char *const numbers[] = { "1", "2", "3", NULL };
    kn_proposal              why;
    kn_evidence              of = column("Strasse", streets, KN_TYPE_STRING, 3);

    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why) && why.role == KN_ROLE_IDENTIFIER);
    CHECK(kn_contradicts(&of, KN_ROLE_SENSITIVE, &why));
    CHECK(!kn_contradicts(&of, KN_ROLE_QUASI, &why)); /* three streets may be generalized */
    of.distinct = 2;                                  /* whether it is known */
    CHECK(!kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    of = column("HausNr", numbers, KN_TYPE_NUMBER, 3);
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    CHECK(kn_contradicts(&of, KN_ROLE_NONE, &why) && !kn_contradicts(&of, KN_ROLE_QUASI, &why));
}

TEST(moments_contradict_whatever_the_name_says)
{
    static const char *const moments[] = { "2026-01-31 08:15", "2026-02-01 13:02", NULL };
    static const char *const days[] = { "2026-01-31 00:00", "2026-02-01 00:00", NULL };
    static const char *const names[] = { "admission_time", "diagnosis date", "x" };
    kn_proposal              why;

    for (size_t i = 0; i < KN_COUNT(names); i++) {
        kn_evidence of = column(names[i], moments, KN_TYPE_DATE, 90);

        CHECK(kn_contradicts(&of, KN_ROLE_SENSITIVE, &why) && why.role == KN_ROLE_QUASI);
        CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
        CHECK(!kn_contradicts(&of, KN_ROLE_QUASI, &why));
        of.distinct = 5; /* shifts */
        CHECK(!kn_contradicts(&of, KN_ROLE_SENSITIVE, &why));
        of = column(names[i], days, KN_TYPE_DATE, 90);
        CHECK(!kn_contradicts(&of, KN_ROLE_SENSITIVE, &why));
    }
}

TEST(fillers_hide_nothing)
{
    static const char *const found[] = { "Schmidt", "WEBER", "Jansen", "Nowak", "Rossi", "Koch" };
    kanon_ctx               *ctx = NULL;
    kn_evidence              of = { .name = KN_STR("x"), .filled = 100, .distinct = 7 }, few = of;
    kn_proposal              why;
    kn_str                   values[100];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < KN_COUNT(values); i++)
        values[i] = i % 15 ? KN_STR("unknown") : kn_str_of(found[i / 15 % KN_COUNT(found)]);
    CHECK_OK(ctx, kn_evidence_look(ctx, values, KN_COUNT(values), &of));
    CHECK_EQ_U64(of.looks.cells, 7);
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why) && why.why == KN_REASON_CELLS);
    /* three doctors: too few values, but not too few rows */
    for (size_t i = 0; i < KN_COUNT(values); i++)
        values[i] = kn_str_of(found[i % 3]);
    CHECK_OK(ctx, kn_evidence_look(ctx, values, KN_COUNT(values), &few));
    CHECK_EQ_U64(few.looks.cells, 100);
    CHECK(kn_contradicts(&few, KN_ROLE_INSENSITIVE, &why));
    kanon_ctx_free(ctx);
}

/* What a column of that name with these cells holds. */
static kn_form
form_of(const char *name, const char *const *cells, kn_type type, uint64_t distinct)
{
    kn_evidence of = column(name, cells, type, distinct);

    return kn_propose(&of).form;
}

TEST(columns_have_forms)
{
    static const char *const amounts[] = { "$117,577.00", "$98.10", "-$1,204,990.5", NULL };
    static const char *const euros[] = { "1.204,50 €", "17,00 €", "1 204 €", NULL };
    static const char *const shares[] = { "7.5 %", "12%", "0.3%", NULL };
    static const char *const codes[] = { "1", "2", "3", NULL };
    static const char *const bands[] = { "20-29", "30-39", "65+", "<5", NULL };
    static const char *const scale[] = { "agree", "strongly disagree", "neutral", NULL };
    static const char *const clocks[] = { "08:15", "23:59", NULL };
    static const char *const moments[] = { "2026-01-31T08:15:30+02:00", "2026-02-01T10:00:00Z",
                                           NULL };
    static const char *const keys[] = { "F-21-004711", "F-22-000815", NULL };
    static const char *const places[] = { "DE111", "DE212", NULL };
    static const char *const zeros[] = { "05315000", "09162000", NULL };
    static const char *const words[] = { "red", "green", NULL };
    static const char *const years[] = { "1999", "2004", NULL };

    CHECK(form_of("x", amounts, KN_TYPE_STRING, 50) == KN_FORM_NUMBER);
    CHECK(form_of("x", euros, KN_TYPE_STRING, 50) == KN_FORM_NUMBER);
    CHECK(form_of("x", shares, KN_TYPE_STRING, 50) == KN_FORM_NUMBER);
    CHECK(form_of("x", codes, KN_TYPE_NUMBER, 3) == KN_FORM_CATEGORY);
    CHECK(form_of("children", codes, KN_TYPE_NUMBER, 3) == KN_FORM_NUMBER);
    CHECK(form_of("education", codes, KN_TYPE_NUMBER, 3) == KN_FORM_ORDERED);
    CHECK(form_of("x", bands, KN_TYPE_STRING, 4) == KN_FORM_ORDERED);
    CHECK(form_of("x", scale, KN_TYPE_STRING, 3) == KN_FORM_ORDERED);
    CHECK(form_of("x", clocks, KN_TYPE_STRING, 80) == KN_FORM_TIME);
    CHECK(form_of("x", moments, KN_TYPE_DATE, 95) == KN_FORM_TIMESTAMP);
    CHECK(form_of("x", keys, KN_TYPE_STRING, 100) == KN_FORM_KEY);
    CHECK(form_of("x", places, KN_TYPE_STRING, 8) == KN_FORM_CODE);
    CHECK(form_of("x", zeros, KN_TYPE_STRING, 8) == KN_FORM_CODE);
    CHECK(form_of("x", words, KN_TYPE_STRING, 2) == KN_FORM_CATEGORY);
    CHECK(form_of("x", years, KN_TYPE_NUMBER, 5) == KN_FORM_NUMBER);
    CHECK(form_of("remarks", words, KN_TYPE_STRING, 40) == KN_FORM_TEXT);
    CHECK(form_of("PLZ", zeros, KN_TYPE_STRING, 40) == KN_FORM_POSTCODE);
    for (unsigned f = 0; f < KN_FORMS; f++)
        CHECK(kn_form_name((kn_form) f)[0]);
}

TEST(weights_are_of_bodies_or_of_samples)
{
    static const char *const kilograms[] = { "71.5", "103.2", "54.0", NULL };
    static const char *const factors[] = { "812.1133", "97.0021", "1204.5500", NULL };
    static const char *const ones[] = { "0.83", "1.21", "0.97", NULL };
    kn_proposal              why;
    kn_evidence              of = column("Weight", kilograms, KN_TYPE_NUMBER, 80);

    CHECK(kn_propose(&of).role == KN_ROLE_QUASI);
    of = column("WEIGHT", factors, KN_TYPE_NUMBER, 80);
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER && kn_propose(&of).confidence == KN_LOW);
    CHECK(kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    of.distinct = 9; /* rounded */
    CHECK(!kn_contradicts(&of, KN_ROLE_INSENSITIVE, &why));
    of = column("Gewicht", ones, KN_TYPE_NUMBER, 80);
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER);
    of = column("Hochrechnungsfaktor", kilograms, KN_TYPE_NUMBER, 80);
    CHECK(kn_propose(&of).role == KN_ROLE_IDENTIFIER);
}

TEST(registers_have_their_own_abbreviations)
{
    static const char *const codes[] = { "1", "2", "3", NULL };
    static const char *const quasi[] = { "MARSTAT", "COB",  "ISCO", "NUTS2",  "PLZ",
                                         "geb.",    "sexo", "EDUC", "RELATE", NULL };
    static const char *const many[] = { "100", "20000", "3000", "41", NULL };
    static const char *const keys[] = { "HHID", "KV-Nr", "PatID", "BSN", NULL };
    kn_evidence              of;

    for (size_t i = 0; quasi[i]; i++) {
        of = column(quasi[i], codes, KN_TYPE_NUMBER, 3);
        if (kn_propose(&of).role != KN_ROLE_QUASI || kn_propose(&of).confidence == KN_LOW)
            FAIL("%s", quasi[i]);
    }
    for (size_t i = 0; keys[i]; i++) {
        of = column(keys[i], many, KN_TYPE_NUMBER, 40);
        if (kn_propose(&of).role != KN_ROLE_IDENTIFIER)
            FAIL("%s", keys[i]);
    }
}

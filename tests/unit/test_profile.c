/* SPDX-License-Identifier: Apache-2.0 */
/* test_profile.c -- profiles: the table and its settings, which identifiers a column is taken for, and what a
 * released cell may show. */
#include "config/profiles.h"
#include "config/setter.h"
#include "hierarchy/pack.h"
#include "init/hipaa.h"
#include "test.h"

enum { YEAR = 2026 };

static void
check_rule(kn_cell_rule rule, const char *const *yes, const char *const *no)
{
    for (; *yes; yes++)
        if (!kn_cell_allowed(rule, kn_str_of(*yes), YEAR))
            FAIL("'%s' is not allowed", *yes);
    for (; *no; no++)
        if (kn_cell_allowed(rule, kn_str_of(*no), YEAR))
            FAIL("'%s' is allowed", *no);
}

TEST(a_cell_shows_no_more_than_a_year)
{
    static const char *const yes[] = {
        "2019", "2010-2019",   "2010 to 2019", "[2010; 2020)",  "*",
        "",     "before 1950", "{2019, 2020}", "2030 or later", NULL
    };
    static const char *const no[] = { "2019-05",
                                      "2019-05-02",
                                      "05/2019",
                                      "20190502",
                                      "May 2019",
                                      "Monday",
                                      "3",
                                      "Q1 2019",
                                      "12:30",
                                      "2019.05",
                                      "2019-05-02 to 2019-06-01",
                                      "2019-0502",
                                      "2019W03",
                                      NULL };

    check_rule(KN_CELL_YEAR, yes, no);
}

TEST(a_year_of_birth_tells_no_age_over_89)
{
    static const char *const yes[] = { "1937", "1990", "1937 to 1949", "before 1937", NULL };
    static const char *const no[] = { "1936", "1930-1939", "1937-01", "before 1936", NULL };

    check_rule(KN_CELL_BIRTH, yes, no);
}

TEST(ages_over_89_are_one_group)
{
    static const char *const yes[] = { "0",          "89",       "80-89",
                                       "90 or more", "90+",      "\xe2\x89\xa5 90",
                                       "85 or more", "[80; 90)", "under 15",
                                       "*",          NULL };
    static const char *const no[] = { "90",        "91",  "85-90",       "90-99", "[80; 90]",
                                      "[80; 100)", "95+", "100 or more", "90.5",  NULL };

    check_rule(KN_CELL_AGE, yes, no);
}

TEST(a_zip_code_shows_three_digits_of_a_large_area)
{
    static const char *const yes[] = { "021",         "021**",      "000", "02***", "MA",
                                       "New England", "021 to 023", "*",   NULL };
    static const char *const no[] = { "02139", "2139",       "036",        "036**", "893",
                                      "0213*", "02139-4307", "021 to 036", "340",   NULL };

    check_rule(KN_CELL_ZIP3, yes, no);
}

TEST(a_place_is_no_smaller_than_a_state)
{
    static const char *const yes[] = { "CA", "ca", "New York", "{CA, OR}", "Midwest", "USA", NULL };
    static const char *const no[] = { "Boston", "Cook County", "{CA, Salem}", "XX", NULL };

    check_rule(KN_CELL_STATE, yes, no);
    check_rule(KN_CELL_NOTHING, (const char *const[]){ "*", "", NULL },
               (const char *const[]){ "x", "0", NULL });
}

/* The list of the verifier is its own, and says the same as the pack. */
TEST(small_areas_are_000_in_the_pack)
{
    kanon_ctx   *ctx;
    kn_pack      pack;
    kn_pack_code code;
    char         room[2 * KN_PACK_CODE];
    size_t       known = 0, level;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_pack_open(ctx, kn_pack_named("postcode-us-hipaa"), &pack));
    level = kn_pack_level(&pack, "safe-zip-3");
    for (unsigned prefix = 0; prefix < 1000; prefix++) {
        char   zip[16];
        kn_str label;
        bool   allowed;

        snprintf(zip, sizeof zip, "%03u", prefix);
        allowed = kn_cell_allowed(KN_CELL_ZIP3, kn_str_of(zip), YEAR);
        snprintf(zip, sizeof zip, "%03u01", prefix);
        if (!kn_pack_find(&pack, kn_str_of(zip), &code))
            continue;
        label = kn_pack_label(&pack, &code, level, room);
        CHECK_EQ_I64(kn_str_equal(label, KN_STR("000")), !allowed);
        CHECK(allowed ? memcmp(label.ptr, zip, 3) == 0 && label.len == 3 : true);
        known += !allowed;
    }
    while (kn_zip3_restricted(known))
        known++;
    CHECK(kn_zip3_restricted(known - 1) && !kn_zip3_restricted(known));
    CHECK_EQ_I64(known, 35);
    kn_pack_fini(&pack);
    kanon_ctx_free(ctx);
}

/* --- recognition ---------------------------------------------------------------------------------- */

static kn_hipaa
found(const char *name, kn_type type, uint64_t distinct)
{
    return kn_hipaa_find(&(kn_evidence){
        .name = kn_str_of(name), .type = type, .filled = 1000, .distinct = distinct });
}

TEST(identifiers_are_recognised_by_name)
{
    static const struct {
        const char  *name;
        uint64_t     distinct;
        char         letter;
        kn_cell_rule rule;
    } cases[] = {
        { "patient_name", 900, 'A', KN_CELL_NOTHING },
        { "Street", 400, 'B', KN_CELL_NOTHING },
        { "city", 40, 'B', KN_CELL_STATE },
        { "ZIP", 40, 'B', KN_CELL_ZIP3 },
        { "dob", 900, 'C', KN_CELL_BIRTH },
        { "age_at_admission", 80, 'C', KN_CELL_AGE },
        { "admission_date", 300, 'C', KN_CELL_YEAR },
        { "weekday", 7, 'C', KN_CELL_YEAR },
        { "phone", 900, 'D', KN_CELL_NOTHING },
        { "fax", 900, 'E', KN_CELL_NOTHING },
        { "e-mail", 900, 'F', KN_CELL_NOTHING },
        { "SSN", 900, 'G', KN_CELL_NOTHING },
        { "MRN", 900, 'H', KN_CELL_NOTHING },
        { "member_id", 900, 'I', KN_CELL_NOTHING },
        { "account_no", 900, 'J', KN_CELL_NOTHING },
        { "license_no", 900, 'K', KN_CELL_NOTHING },
        { "VIN", 900, 'L', KN_CELL_NOTHING },
        { "device_serial", 900, 'M', KN_CELL_NOTHING },
        { "url", 900, 'N', KN_CELL_NOTHING },
        { "ip", 900, 'O', KN_CELL_NOTHING },
        { "fingerprint", 900, 'P', KN_CELL_NOTHING },
        { "photo", 900, 'Q', KN_CELL_NOTHING },
        { "study_id", 500, 'R', KN_CELL_NOTHING },
        { "token", 990, 'R', KN_CELL_NOTHING },
        { "state", 40, 0, KN_CELL_ANY },
        { "sex", 2, 0, KN_CELL_ANY },
        { "diagnosis", 300, 0, KN_CELL_ANY },
        { "icd code", 300, 0, KN_CELL_ANY },
        { "device_type", 4, 0, KN_CELL_ANY },
        { "platelets", 200, 0, KN_CELL_ANY },
        { "hospital_name", 4, 'A', KN_CELL_ANY },
    };

    for (size_t i = 0; i < KN_COUNT(cases); i++) {
        kn_hipaa is = found(cases[i].name, KN_TYPE_STRING, cases[i].distinct);

        if (is.letter != cases[i].letter || is.rule != cases[i].rule)
            FAIL("%s is (%c) with rule %d", cases[i].name, is.letter ? is.letter : '-',
                 (int) is.rule);
    }
    CHECK(found("cost", KN_TYPE_NUMBER, 1000).doubt);
    CHECK_EQ_I64(found("visits", KN_TYPE_NUMBER, 9).letter, 0);
}

/* --- the table ------------------------------------------------------------------------------------- */

TEST(the_setting_has_the_words_of_the_table)
{
    kn_setting_entry entry;
    size_t           index;
    kn_str           rest, word;

    CHECK(kn_setting_find(KN_STR("profile"), &entry, &index));
    rest = kn_str_of(entry.setting.argument);
    CHECK(kn_str_split(&rest, '|', &word) && kn_str_equal(word, KN_STR("none")));
    for (size_t i = 0; kanon_profile_at(i); i++) {
        CHECK(kn_str_split(&rest, '|', &word));
        CHECK(kn_str_equal(word, kn_str_of(kanon_profile_at(i)->name)));
        CHECK(*kanon_profile_at(i)->title && *kanon_profile_at(i)->source);
        for (size_t r = 0; kanon_requirement_at(i, r); r++) {
            const kanon_requirement *required = kanon_requirement_at(i, r);

            CHECK(*required->section && *required->what && *required->source);
            CHECK(!strstr(required->what, "complian"));
        }
        CHECK(kanon_requirement_at(i, 0) && kanon_profile_setting_at(i, 0));
        CHECK(!kanon_requirement_at(i, 1000) && !kanon_profile_setting_at(i, 1000));
    }
    CHECK(!kn_str_split(&rest, '|', &word));
    CHECK(!kanon_profile_at(1000) && !kanon_requirement_at(1000, 0)
          && !kanon_profile_setting_at(1000, 0));
}

static void
set(kanon_config *config, const char *name, const char *value)
{
    CHECK_OK(config->ctx, kanon_config_set(config, name, value));
}

TEST(a_profile_sets_what_nobody_chose)
{
    kanon_ctx    *ctx;
    kanon_config *config;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kanon_config_new(ctx, &config));
    set(config, "profile", "ema-0070");
    CHECK_EQ_I64(config->k, 12);
    CHECK(!config->has_k);
    set(config, "profile", "suf");
    CHECK_EQ_I64(config->k, 5);
    set(config, "profile", "puf");
    CHECK_EQ_I64(config->k, 11);
    set(config, "profile", "none");
    CHECK_EQ_I64(config->k, 5);
    set(config, "k", "20");
    set(config, "profile", "puf");
    CHECK_EQ_I64(config->k, 20);
    CHECK_EQ_I64(kn_config_check_profile(ctx, config), KANON_OK);
    set(config, "k", "10");
    CHECK_EQ_I64(kn_config_check_profile(ctx, config), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(ctx), "at least 11"));
    set(config, "k", "11");
    set(config, "keep-order", "true");
    CHECK_EQ_I64(kn_config_check_profile(ctx, config), KANON_E_INVALID);
    set(config, "keep-order", "false");
    set(config, "others", "keep");
    CHECK_EQ_I64(kn_config_check_profile(ctx, config), KANON_E_INVALID);
    set(config, "others", "drop");
    CHECK_EQ_I64(kn_config_check_profile(ctx, config), KANON_OK);
    CHECK_EQ_I64(kanon_config_set(config, "profile", "hipaa"), KANON_E_INVALID);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
}

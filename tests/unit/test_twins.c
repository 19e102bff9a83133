/* SPDX-License-Identifier: Apache-2.0 */
/* test_twins.c -- src/encode/twins.c: which texts read alike. */
#include "encode/twins.h"

#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "test.h"

enum { VALUES_MOST = 16 };

typedef struct fixture {
    kanon_ctx *ctx;
    kn_str     values[VALUES_MOST], tokens[3];
    kn_domain  domain;
    uint32_t   first[VALUES_MOST];
} fixture;

/* The values end with NULL; missing: the position of the missing value, or KN_NO_CODE. */
static void
open_values(fixture *f, const char *const *values, uint32_t missing)
{
    memset(f, 0, sizeof *f);
    CHECK(kanon_ctx_new(NULL, &f->ctx) == KANON_OK);
    f->tokens[0] = kn_str_of("");
    f->tokens[1] = kn_str_of("?");
    f->tokens[2] = kn_str_of("NA");
    f->domain = (kn_domain){
        .values = f->values, .missing = missing, .tokens = f->tokens, .ntokens = KN_COUNT(f->tokens)
    };
    for (; values[f->domain.count]; f->domain.count++)
        f->values[f->domain.count] = kn_str_of(values[f->domain.count]);
}

static bool
alike_as(kn_twin_fold how, const char *a, const char *b)
{
    fixture           f;
    const char *const values[] = { a, b, NULL };
    bool              sample, alike;

    open_values(&f, values, KN_NO_CODE);
    CHECK_OK(f.ctx, kn_twins_find(f.ctx, &f.domain, how, f.first, &sample));
    alike = f.first[1] == 0;
    CHECK(f.first[0] == 0 && !sample);
    kanon_ctx_free(f.ctx);
    return alike;
}

static void
check_alike(const char *a, const char *b)
{
    if (!alike_as(KN_FOLD_VALUE, a, b))
        FAIL("'%s' and '%s' are told apart", a, b);
}

static void
check_unlike(const char *a, const char *b)
{
    if (alike_as(KN_FOLD_VALUE, a, b))
        FAIL("'%s' and '%s' are alike", a, b);
}

static uint64_t
count(const char *const *values, uint32_t missing)
{
    fixture  f;
    uint64_t found;
    bool     sample;

    open_values(&f, values, missing);
    CHECK_OK(f.ctx, kn_twins_count(f.ctx, &f.domain, &found, &sample));
    kanon_ctx_free(f.ctx);
    return found;
}

TEST(numbers_are_alike_by_value)
{
    check_alike("1000", "1000.0");
    check_alike("1000", "01000");
    check_alike("1000", "1e3");
    check_alike("1000", "+1000");
    check_alike("1000", "10.0E+02");
    check_alike("1000", "100000e-2");
    check_alike("1,5", "1.50");
    check_alike(".5", "0.5");
    check_alike("5.", "5");
    check_alike("-7", " -07 ");
    check_alike("0", "-0");
    check_alike("0.0", "-0");
    check_alike("0e5", "00");
    check_alike("123456789012345678901234567890", "123456789012345678901234567890.0");
    check_unlike("123456789012345678901234567890", "123456789012345678901234567891");
    check_unlike("0.12345678901234567", "0.12345678901234568");
    check_unlike("1", "10");
    check_unlike("1", "-1");
    check_unlike("0", "");
    check_unlike("1,000", "1"); /* or 1000: nobody can tell */
    check_unlike("1,000", "1000");
    check_unlike("0e1234", "0e5678"); /* codes */
    check_unlike("1e", "1");
    check_unlike("1.2.3", "1.2.30");
    check_unlike("-", "+");
    check_unlike(".", ",");
}

TEST(dates_are_alike_by_day)
{
    check_alike("1970-01-31", "1970/01/31");
    check_alike("1970-01-31", "31.01.1970");
    check_alike("1970-01-31", "1970-1-31");
    check_alike("31/01/1970", "01/31/1970");
    check_alike("1970-01-31", "31-01-1970");
    check_alike("1970-01-31", "19700131");
    check_alike("1970-01-31", "1970-01-31T00:00:00");
    check_alike("1970-01-31", "1970-01-31 00:00");
    check_unlike("1970-01-31 10:00", "1970-01-31 11:00");
    check_unlike("1970-01-31", "1970-01-31 11:00");
    check_unlike("1970-01-31", "1970-01-30");
    check_unlike("1970-02-30", "1970-2-30"); /* no date */
}

TEST(texts_are_alike_but_for_blanks_and_case)
{
    check_alike("flu", " flu");
    check_alike("flu", "flu \t");
    check_alike("flu", "Flu");
    check_alike("flu", "flu\xc2\xa0");
    check_alike("flu", "\xe2\x80\xaf\xef\xbb\xbf"
                       "flu\r\n");
    check_alike("bird flu", "Bird\xc2\xa0  FLU");
    check_alike("bird flu", "bird\xe2\x80\x8b flu");
    check_alike("flu", "f\xc2\xadlu");
    check_alike("", " \xc2\xa0");
    check_alike("\xc3\x84rger", "\xc3\xa4rger");
    check_alike("\xc5\x81\xc3\xb3"
                "d\xc5\xba",
                "\xc5\x82\xc3\x93"
                "D\xc5\xb9");
    check_unlike("flu", "flue");
    check_unlike("bird flu", "birdflu");
    check_unlike("\xc3\x84", "A");
    check_unlike("t", "");
    check_unlike("+", "\x01");
}

TEST(names_are_no_numbers)
{
    CHECK(alike_as(KN_FOLD_NAME, "Age", " age"));
    CHECK(!alike_as(KN_FOLD_NAME, "01", "1"));
}

TEST(all_that_are_alike_count)
{
    CHECK_EQ_U64(count((const char *[]){ "a", "b", "c", NULL }, KN_NO_CODE), 0);
    CHECK_EQ_U64(count((const char *[]){ "a", "b", "A", NULL }, KN_NO_CODE), 2);
    CHECK_EQ_U64(count((const char *[]){ "1", "1.0", "2", "01", "x", "2.0", NULL }, KN_NO_CODE), 5);
    CHECK_EQ_U64(count((const char *[]){ NULL }, KN_NO_CODE), 0);
}

/* " na" is a spelling of what is missing, where something is. */
TEST(spellings_of_missing_count)
{
    CHECK_EQ_U64(count((const char *[]){ " na", "flu", "", NULL }, 2), 2);
    CHECK_EQ_U64(count((const char *[]){ "", "flu", "na", " ", "Na", NULL }, 0), 4);
    CHECK_EQ_U64(count((const char *[]){ "flu", "na", NULL }, KN_NO_CODE), 0);
}

/* Free text is not looked at. */
TEST(long_texts_are_left_alone)
{
    char long_text[1200], other[1200];

    memset(long_text, 'a', sizeof long_text);
    memset(other, 'A', sizeof other);
    long_text[1000] = other[1000] = 0;
    check_alike(long_text, other);
    long_text[1000] = other[1000] = 'x';
    long_text[1001] = other[1001] = 0;
    check_unlike(long_text, other);
}

/* Of very many values a sample is looked at, in which each stands with all its like; it does not depend on
 * the run. */
TEST(very_many_values_are_sampled)
{
    enum { PAIRS = 700000 };
    kanon_ctx *ctx = NULL;
    char      *texts = malloc((size_t) PAIRS * 2 * 16);
    kn_str    *values = malloc((size_t) PAIRS * 2 * sizeof *values);
    kn_domain  domain = { .count = (size_t) PAIRS * 2, .values = values, .missing = KN_NO_CODE };
    uint64_t   found, again;
    bool       sample;

    CHECK(texts && values);
    for (size_t i = 0; i < domain.count; i++) {
        snprintf(texts + i * 16, 16, "%c%zu", i < PAIRS ? 'p' : 'P', i % PAIRS);
        values[i] = kn_str_of(texts + i * 16);
    }
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_twins_count(ctx, &domain, &found, &sample));
    CHECK(sample && found > PAIRS * 9 / 10 && found < PAIRS * 11 / 10);
    kanon_ctx_free(ctx);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_twins_count(ctx, &domain, &again, &sample));
    CHECK_EQ_U64(again, found);
    domain.count = 1 << 20;
    CHECK_OK(ctx, kn_twins_count(ctx, &domain, &found, &sample));
    CHECK(!sample);
    CHECK_EQ_U64(found, 2 * ((1 << 20) - PAIRS));
    kanon_ctx_free(ctx);
    free(texts);
    free(values);
}

static kanon_status
count_with(kanon_ctx *ctx, void *user)
{
    static const kn_str values[] = { { "1", 1 }, { "1.0", 3 }, { "Flu", 3 }, { "flu", 3 } };
    kn_domain           domain = { .values = values, .count = 4, .missing = KN_NO_CODE };
    uint64_t            found;
    bool                sample;

    KN_UNUSED(user);
    return kn_twins_count(ctx, &domain, &found, &sample);
}

TEST(refused_memory)
{
    CHECK(failing_alloc_sweep(count_with, NULL) > 3);
}

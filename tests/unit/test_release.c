/* SPDX-License-Identifier: Apache-2.0 */
/* test_release.c -- src/transform: the order of released rows, the set of outlying classes, and the
 * verifier, which must refuse every release that is not what it claims to be. */
#include <sodium.h>

#include "base/rng.h"
#include "base/text.h"
#include "failing_alloc.h"
#include "kanon/kanon.h"
#include "problem_fixture.h"
#include "transform/outliers.h"
#include "transform/shuffle.h"
#include "verify/verify.h"

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* --- shuffle ----------------------------------------------------------------------------------------- */

enum { ROWS_MOST = 4000, PADDING = 100 };
static const uint64_t MANY_BUCKETS = UINT64_C(1) << 40;

/* Rows as they come out: each record starts with its row as text. */
typedef struct order {
    size_t   count;
    uint64_t rows[ROWS_MOST];
} order;

static kanon_status
collect(void *user, const void *bytes, size_t count)
{
    order   *o = user;
    kn_str   text = { bytes, count };
    uint64_t row = 0;

    CHECK(o->count < ROWS_MOST && count > 0);
    for (size_t i = 0; i < text.len && text.ptr[i] != ' '; i++)
        row = 10 * row + (uint64_t) (text.ptr[i] - '0');
    CHECK_EQ_U64(text.len, 1 + PADDING + row % 50 + (size_t) snprintf(NULL, 0, "%" PRIu64, row));
    for (size_t i = text.len - PADDING; i < text.len; i++)
        CHECK(text.ptr[i] == 'x');
    o->rows[o->count++] = row;
    return KANON_OK;
}

/* Shuffles rows 0, step, 2 * step ... of records with different lengths. */
static kanon_status
shuffle_in(kanon_ctx *ctx, uint8_t first, uint64_t expected, size_t memory, uint64_t rows,
           uint64_t step, order *o)
{
    kanon_status rc = KANON_OK;
    kn_shuffle  *s = NULL;
    uint8_t      key[KN_ORDER_KEY_BYTES] = { first };
    char         text[64 + PADDING + 50];

    o->count = 0;
    KN_TRY(kn_shuffle_new(ctx, key, expected, &s));
    if (memory)
        kn_shuffle_limit(s, memory);
    for (uint64_t row = 0; row < rows; row += step) {
        size_t length = (size_t) snprintf(text, sizeof text, "%" PRIu64 " ", row);

        memset(text + length, 'x', PADDING + row % 50);
        KN_TRY(kn_shuffle_add(s, row, (kn_str){ text, length + PADDING + row % 50 }));
    }
    KN_TRY(kn_shuffle_finish(s, collect, o));
out:
    kn_shuffle_free(s);
    return rc;
}

static kanon_status
shuffle(kanon_ctx *ctx, uint8_t first, uint64_t expected, uint64_t rows, uint64_t step, order *o)
{
    return shuffle_in(ctx, first, expected, 0, rows, step, o);
}

static void
check_permutation(const order *o, uint64_t rows, uint64_t step)
{
    static uint8_t seen[ROWS_MOST];

    memset(seen, 0, sizeof seen);
    CHECK_EQ_U64(o->count, (rows + step - 1) / step);
    for (size_t i = 0; i < o->count; i++) {
        CHECK(o->rows[i] < rows && o->rows[i] % step == 0 && !seen[o->rows[i]]);
        seen[o->rows[i]] = 1;
    }
}

TEST(every_row_comes_out_once)
{
    static const uint64_t counts[] = { 0, 1, 2, 511, 512, 513, 4000 };
    static order          o;
    kanon_ctx            *ctx = plain_ctx();

    for (size_t i = 0; i < KN_COUNT(counts); i++)
        for (int spooled = 0; spooled < 2; spooled++) {
            CHECK_OK(ctx, shuffle(ctx, 1, spooled ? MANY_BUCKETS : 0, counts[i], 1, &o));
            check_permutation(&o, counts[i], 1);
            CHECK_OK(ctx, shuffle(ctx, 1, spooled ? MANY_BUCKETS : 0, counts[i], 3, &o));
            check_permutation(&o, counts[i], 3);
        }
    kanon_ctx_free(ctx);
}

TEST(the_order_depends_on_the_key_alone)
{
    static const uint64_t expected[] = {
        1, 100 << 20, 300 << 20, UINT64_C(5) << 30, MANY_BUCKETS, UINT64_MAX
    };
    static order one, other;
    kanon_ctx   *ctx = plain_ctx();
    size_t       same = 0;

    CHECK_OK(ctx, shuffle(ctx, 1, 0, 3000, 1, &one));
    for (size_t i = 0; i < KN_COUNT(expected); i++) {
        CHECK_OK(ctx, shuffle(ctx, 1, expected[i], 3000, 1, &other));
        CHECK(memcmp(one.rows, other.rows, 3000 * sizeof one.rows[0]) == 0);
    }
    CHECK_OK(ctx, shuffle(ctx, 2, 0, 3000, 1, &other));
    for (size_t i = 0; i < 3000; i++)
        same += one.rows[i] == other.rows[i];
    CHECK(same < 12); /* about one is to be expected */
    kanon_ctx_free(ctx);
}

/* More than was expected: buckets are made on the way, and those that outgrow memory are parted again. */
TEST(the_order_does_not_depend_on_memory)
{
    static const size_t   memory[] = { 1, 3000, 40000, 1 << 20 };
    static const uint64_t expected[] = { 0, 100 << 20, MANY_BUCKETS };
    static order          one, other;
    kanon_ctx            *ctx = plain_ctx();

    CHECK_OK(ctx, shuffle(ctx, 1, 0, 3000, 1, &one));
    for (size_t i = 0; i < KN_COUNT(expected); i++)
        for (size_t m = 0; m < KN_COUNT(memory); m++) {
            CHECK_OK(ctx, shuffle_in(ctx, 1, expected[i], memory[m], 3000, 1, &other));
            CHECK(other.count == 3000
                  && memcmp(one.rows, other.rows, 3000 * sizeof one.rows[0]) == 0);
        }
    kanon_ctx_free(ctx);
}

/* Rows left out (suppressed ones) do not move the others. */
TEST(left_out_rows_do_not_show_in_the_order)
{
    static order all, some;
    kanon_ctx   *ctx = plain_ctx();
    size_t       at = 0;

    CHECK_OK(ctx, shuffle(ctx, 1, 0, 3000, 1, &all));
    CHECK_OK(ctx, shuffle(ctx, 1, 0, 3000, 5, &some));
    for (size_t i = 0; i < all.count; i++)
        if (all.rows[i] % 5 == 0)
            CHECK_EQ_U64(all.rows[i], some.rows[at++]);
    CHECK_EQ_U64(at, some.count);
    kanon_ctx_free(ctx);
}

/* All orders of four rows are about equally frequent over the keys. */
TEST(every_order_is_as_likely)
{
    static order o;
    kanon_ctx   *ctx = plain_ctx();
    size_t       counts[256] = { 0 };
    double       chi = 0;
    enum { KEYS = 4800 };

    for (unsigned key = 0; key < KEYS; key++) {
        kn_shuffle *s = NULL;
        uint8_t     bytes[KN_ORDER_KEY_BYTES] = { (uint8_t) key, (uint8_t) (key >> 8), 77 };
        size_t      name = 0;

        CHECK_OK(ctx, kn_shuffle_new(ctx, bytes, 0, &s));
        for (uint64_t row = 0; row < 4; row++) {
            char text[8 + PADDING + 4];

            memset(text, 'x', sizeof text);
            text[0] = (char) ('0' + row);
            text[1] = ' ';
            CHECK_OK(ctx, kn_shuffle_add(s, row, (kn_str){ text, 2 + PADDING + row }));
        }
        o.count = 0;
        CHECK_OK(ctx, kn_shuffle_finish(s, collect, &o));
        kn_shuffle_free(s);
        for (size_t i = 0; i < 4; i++)
            name = name * 4 + (size_t) o.rows[i];
        counts[name]++;
    }
    for (size_t name = 0; name < 256; name++)
        if (counts[name])
            chi += pow((double) counts[name] - KEYS / 24.0, 2) / (KEYS / 24.0);
    CHECK(chi < 60); /* 23 degrees of freedom; beyond 60 once in 30000 */
    kanon_ctx_free(ctx);
}

static kanon_status
refuse(void *user, const void *bytes, size_t count)
{
    KN_UNUSED(user);
    KN_UNUSED(bytes);
    KN_UNUSED(count);
    return KANON_E_IO;
}

TEST(a_refused_record_ends_it)
{
    kanon_ctx  *ctx = plain_ctx();
    kn_shuffle *s = NULL;
    uint8_t     key[KN_ORDER_KEY_BYTES] = { 0 };

    CHECK_OK(ctx, kn_shuffle_new(ctx, key, 0, &s));
    CHECK_OK(ctx, kn_shuffle_add(s, 0, KN_STR("a")));
    CHECK(kn_shuffle_finish(s, refuse, NULL) == KANON_E_IO);
    kn_shuffle_free(s);
    kanon_ctx_free(ctx);
}

typedef struct attempt {
    uint64_t expected;
    size_t   memory;
} attempt;

static kanon_status
shuffle_once(kanon_ctx *ctx, void *user)
{
    static order   o;
    const attempt *a = user;

    return shuffle_in(ctx, 3, a->expected, a->memory, 300, 1, &o);
}

TEST(a_shuffle_survives_failing_memory)
{
    attempt attempts[] = {
        { 0, 0 }, { UINT64_C(1) << 28, 0 }, { 0, 8000 }, { UINT64_C(1) << 28, 8000 }
    };

    CHECK(failing_alloc_sweep(shuffle_once, &attempts[0]) > 3);
    for (size_t i = 1; i < KN_COUNT(attempts); i++)
        CHECK(failing_alloc_sweep(shuffle_once, &attempts[i]) > 10);
}

/* --- outliers ---------------------------------------------------------------------------------------- */

static kanon_status
collect_outliers(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    kanon_status           rc = KANON_OK;
    kn_workspace          *ws = NULL;
    kn_outliers           *outliers = NULL;
    kn_grouping            g;
    uint8_t                levels[KN_QUASI_MOST] = { 0 };

    KN_TRY(kn_workspace_new(ctx, &f->p.view, SIZE_MAX, &ws));
    kn_group(ws, levels, &g);
    KN_TRY(kn_outliers_new(ctx, &f->p.view, levels, &g, &f->p.privacy, &outliers));
out:
    kn_outliers_free(outliers);
    kn_workspace_free(ws);
    return rc;
}

TEST(outlying_classes_are_known_by_their_groups)
{
    kn_rng rng;

    kn_rng_init(&rng, 71, 0);
    for (size_t round = 0; round < 10; round++) {
        problem_shape   shape = { 60 + 40 * round, 1 + round % 4, 5 + 3 * round, "3", "1" };
        problem_fixture f;
        kn_workspace   *ws = NULL;

        problem_random(&f, &shape, &rng);
        CHECK_OK(f.ctx, kn_workspace_new(f.ctx, &f.p.view, SIZE_MAX, &ws));
        for (size_t node = 0; node < 6; node++) {
            uint8_t      levels[KN_QUASI_MOST], zero[KN_QUASI_MOST] = { 0 };
            uint32_t     groups[KN_QUASI_MOST];
            kn_outliers *outliers = NULL;
            kn_grouping  g;

            kn_node_random(f.p.lattice.n, zero, f.p.lattice.top, &rng, levels);
            kn_group(ws, levels, &g);
            CHECK_OK(f.ctx, kn_outliers_new(f.ctx, &f.p.view, levels, &g, &f.p.privacy, &outliers));
            for (size_t t = 0; t < f.p.view.ntuples; t++) {
                for (size_t i = 0; i < f.p.lattice.n; i++)
                    groups[i] = f.p.axes[i].maps[levels[i]][kn_codes_at(&f.p.view.codes[i], t)];
                CHECK(kn_outliers_has(outliers, groups) == (g.sizes[g.class_of[t]] < 3));
            }
            groups[0] = UINT32_MAX;
            CHECK(!kn_outliers_has(outliers, groups));
            kn_outliers_free(outliers);
        }
        kn_workspace_free(ws);
        if (round == 3)
            CHECK(failing_alloc_sweep(collect_outliers, &f) > 5);
        problem_close(&f);
    }
}

/* --- verify ------------------------------------------------------------------------------------------ */

static const size_t quasi[] = { 1, 2 }, starred[] = { 0 };

static kn_claim
claim_of(uint64_t k, uint64_t rows, uint64_t classes)
{
    return (kn_claim){ .ncolumns = 4,
                       .quasi = quasi,
                       .nquasi = 2,
                       .starred = starred,
                       .nstarred = 1,
                       .k = k,
                       .rows = rows,
                       .records = rows,
                       .count = SIZE_MAX,
                       .classes = classes };
}

static kanon_status
verify_as(kanon_ctx *ctx, const char *release, const kn_csv_options *options, const kn_claim *claim)
{
    kanon_source *back = NULL;
    kn_csv_table  table;
    uint8_t       hash[KN_HASH_BYTES], zero[KN_HASH_BYTES] = { 0 };
    kanon_status  rc = KANON_OK;

    memset(hash, 0, sizeof hash);
    KN_TRY(kanon_source_memory(ctx, "release", release, strlen(release), &back));
    kn_csv_table_init(&table, back, options);
    KN_TRY(kn_verify(ctx, &table.base, claim, hash));
    CHECK(memcmp(hash, zero, sizeof hash) != 0);
out:
    kanon_source_free(back);
    return rc;
}

static kanon_status
verify_with(kanon_ctx *ctx, const char *release, const kn_claim *claim)
{
    const kn_csv_options options = { .delimiter = ',', .header = KN_HEADER_YES };

    return verify_as(ctx, release, &options, claim);
}

static void
check_release_as(const char *release, const kn_csv_options *options, kn_claim claim,
                 const char *refusal)
{
    kanon_ctx   *ctx = plain_ctx();
    kanon_status rc = verify_as(ctx, release, options, &claim);

    if (!refusal)
        CHECK_STATUS(ctx, rc, KANON_OK);
    else {
        CHECK_STATUS(ctx, rc, KANON_E_VERIFY);
        if (!strstr(kanon_ctx_message(ctx), refusal))
            FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), refusal);
    }
    kanon_ctx_free(ctx);
}

static void
check_release(const char *release, kn_claim claim, const char *refusal)
{
    const kn_csv_options options = { .delimiter = ',', .header = KN_HEADER_YES };

    check_release_as(release, &options, claim, refusal);
}

#define HEAD "name,age,zip,ill\n"
#define PAIRS "*,20-29,80*,flu\n*,30-39,80*,flu\n*,30-39,80*,cold\n*,20-29,80*,flu\n"

TEST(a_right_release_is_accepted)
{
    check_release(HEAD PAIRS, claim_of(2, 4, 2), NULL);
    check_release(HEAD PAIRS, claim_of(1, 4, 2), NULL);
    check_release(HEAD, claim_of(2, 0, 0), NULL);
}

TEST(a_wrong_release_is_refused)
{
    check_release(HEAD PAIRS, claim_of(3, 4, 2), "a class has rows 2, expected 3");
    check_release(HEAD PAIRS, claim_of(2, 5, 2), "rows 4, expected 5");
    check_release(HEAD PAIRS, claim_of(2, 3, 2), "rows 4, expected 3");
    check_release(HEAD PAIRS, claim_of(2, 4, 3), "classes 2, expected 3");
    check_release(HEAD PAIRS, claim_of(2, 4, 1), "classes 2, expected 1");
    check_release(HEAD PAIRS "*,20-29,81*,flu\n", claim_of(2, 5, 3),
                  "a class has rows 1, expected 2");
    check_release(HEAD PAIRS "*,20-2,980*,flu\n*,20-29,80,*flu\n", claim_of(2, 6, 4),
                  "a class has rows 1");
    check_release(HEAD PAIRS "Max,20-29,80*,flu\n", claim_of(2, 5, 2),
                  "an identifier is not masked");
    check_release(HEAD PAIRS ",20-29,80*,flu\n", claim_of(2, 5, 2), "an identifier is not masked");
    check_release(HEAD PAIRS "**,20-29,80*,flu\n", claim_of(2, 5, 2),
                  "an identifier is not masked");
    check_release(HEAD, claim_of(2, 4, 2), "rows 0, expected 4");
    check_release("name,age,zip\n*,20-29,80*\n*,20-29,80*\n", claim_of(2, 2, 1),
                  "columns 3, expected 4");
}

/* A column whose levels are limited shows labels of these levels and nothing else, but for masked rows. */
TEST(labels_are_at_an_allowed_level)
{
    kn_str ages[] = { KN_STR("20-29"), KN_STR("30-39"), KN_STR("20-39") },
           zips[] = { KN_STR("80*") };
    kn_shown shown[] = { { 1, ages, 3 }, { 2, zips, 1 } };
    kn_claim claim = claim_of(2, 4, 2);

    claim.shown = shown;
    claim.nshown = 2;
    check_release(HEAD PAIRS, claim, NULL);
    shown[0].count = 1;
    check_release(HEAD PAIRS, claim, "column 2 shows a value that is at no allowed level");
    shown[0].count = 3;
    shown[1].count = 0;
    check_release(HEAD PAIRS, claim, "column 3 shows a value that is at no allowed level");
    shown[1].count = 1;
    claim = claim_of(2, 6, 3);
    claim.shown = shown;
    claim.nshown = 2;
    check_release(HEAD PAIRS "*,80*,80*,flu\n*,80*,80*,flu\n", claim, "column 2 shows");
    check_release(HEAD PAIRS "*,*,*,flu\n*,*,*,flu\n", claim, "column 2 shows");
    claim.masked = true;
    check_release(HEAD PAIRS "*,*,*,flu\n*,*,*,flu\n", claim, NULL);
    check_release(HEAD PAIRS "*,*,80*,flu\n*,*,80*,flu\n", claim, "column 2 shows");
}

/* A column of numbers that are rounded or have bounds shows multiples, bounds and missing cells. */
TEST(numbers_are_rounded_and_within_their_bounds)
{
    kn_str           missing[] = { KN_STR(""), KN_STR("NA") };
    kn_shown_numbers wage = { 3, 1000, 9500, -2000 };
    kn_claim         claim = { .missing = missing, .nmissing = 2 };
    static const struct {
        const char *cell;
        bool        good;
    } cases[] = { { "4000", true },   { "-1000", true },  { "0", true },       { "9500", true },
                  { "-2000", true },  { "4000.0", true }, { "4000,00", true }, { "NA", true },
                  { "", true },       { "4e3", true },    { "4001", false },   { "4000.5", false },
                  { "10000", false }, { "-3000", false }, { "9499", false },   { "?", false },
                  { "4k", false },    { "-", false },     { "*", false } };

    for (size_t i = 0; i < KN_COUNT(cases); i++)
        if (kn_verify_number(&claim, &wage, kn_str_of(cases[i].cell)) != cases[i].good)
            FAIL("'%s' is %s", cases[i].cell, cases[i].good ? "refused" : "accepted");
    wage.round = 0;
    CHECK(kn_verify_number(&claim, &wage, KN_STR("1234.5")));
    CHECK(!kn_verify_number(&claim, &wage, KN_STR("9500.5")));
    wage = (kn_shown_numbers){ 3, 0.1, 1e9, -1e9 };
    CHECK(kn_verify_number(&claim, &wage, KN_STR("0.3")));
    CHECK(!kn_verify_number(&claim, &wage, KN_STR("0.35")));
    claim = claim_of(2, 4, 2);
    claim.numbers = &(kn_shown_numbers){ 3, 1000, 1e9, 0 };
    claim.nnumbers = 1;
    check_release(HEAD PAIRS, claim, "column 4 shows a number that is not rounded");
}

/* A column of pseudonyms shows what was made, and never what was read. */
TEST(no_identifier_leaves_beside_its_pseudonym)
{
    static const uint8_t key[crypto_shorthash_siphashx24_KEYBYTES] = { 7 };
    static const char made[] = "pabcdefghijklmnopqrstuvwxy", read[] = "pzzzzzzzzzzzzzzzzzzzzzzzzz";
    kanon_ctx        *ctx = NULL;
    kn_str            missing[] = { KN_STR("") };
    kn_claim          claim = { .missing = missing, .nmissing = 1 };
    kn_keyset        *sets[2];
    kn_shown_pseudonyms shown = { .key = key };
    uint8_t             print[crypto_shorthash_siphashx24_BYTES];
    size_t              number;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t i = 0; i < 2; i++) {
        const char *text = i ? made : read;

        CHECK_OK(ctx, kn_keyset_new(ctx, sizeof print, &sets[i]));
        crypto_shorthash_siphashx24(print, (const unsigned char *) text, strlen(text), key);
        CHECK_OK(ctx, kn_keyset_add(sets[i], print, &number));
    }
    shown.read = sets[0];
    shown.made = sets[1];
    CHECK(kn_verify_pseudonym(&claim, &shown, kn_str_of(made)));
    CHECK(kn_verify_pseudonym(&claim, &shown, KN_STR("")));
    CHECK(!kn_verify_pseudonym(&claim, &shown, kn_str_of(read))); /* has the shape, but was read */
    CHECK(
        !kn_verify_pseudonym(&claim, &shown, KN_STR("pabcdefghijklmnopqrstuvwxz"))); /* not made */
    CHECK(!kn_verify_pseudonym(&claim, &shown, KN_STR("Ann")));
    CHECK(!kn_verify_pseudonym(&claim, &shown, KN_STR("PABCDEFGHIJKLMNOPQRSTUVWXY")));
    kn_keyset_free(sets[0]);
    kn_keyset_free(sets[1]);
    kanon_ctx_free(ctx);
}

/* Classes are judged by the rows that their records stand for, and a count that is none is refused. */
TEST(a_release_of_rows_that_stand_for_many)
{
    kn_claim claim = claim_of(3, 9, 2);

    claim.records = 4;
    claim.count = 3;
    check_release("name,age,zip,n\n*,20,80,2\n*,30,80,5\n*,20,80,1\n*,30,80,1\n", claim, NULL);
    check_release("name,age,zip,n\n*,20,80,2\n*,30,80,5\n*,20,80, 1 \n*,30,80,1\n", claim, NULL);
    check_release("name,age,zip,n\n*,20,80,1\n*,30,80,6\n*,20,80,1\n*,30,80,1\n", claim,
                  "a class has rows 2, expected 3");
    check_release("name,age,zip,n\n*,20,80,2\n*,30,80,5\n*,20,80,1\n*,30,80,2\n", claim,
                  "rows 10, expected 9");
    check_release("name,age,zip,n\n*,20,80,3\n*,30,80,5\n*,20,80,0\n*,30,80,1\n", claim,
                  "a row stands for rows 0, expected 1");
    check_release("name,age,zip,n\n*,20,80,2\n*,30,80,5\n*,20,80,\n*,30,80,1\n", claim,
                  "a row stands for rows 0, expected 1");
    check_release("name,age,zip,n\n*,20,80,2\n*,30,80,5\n*,20,80,1.0\n*,30,80,1\n", claim,
                  "a count is no whole number");
    check_release("name,age,zip,n\n*,20,80,3\n*,30,80,6\n", claim, "rows 2, expected 4");
    claim.rows = 2;
    claim.records = 2;
    check_release("name,age,zip,n\n*,20,80,18446744073709551615\n*,20,80,3\n", claim, "rows above");
}

/* Without header and rows there is nothing to read; anything that stands there all the same is refused. */
TEST(an_empty_release)
{
    const kn_csv_options options = { .delimiter = ',', .header = KN_HEADER_NO, .empty_columns = 4 };
    kn_claim             claim = claim_of(2, 0, 0);

    check_release_as("", &options, claim, NULL);
    check_release_as("\xef\xbb\xbf", &options, claim, NULL);
    check_release_as("*,20-29,80*,flu\n", &options, claim, "rows 1, expected 0");
    check_release_as("\xef\xbb\xbfx", &options, claim, "columns 1, expected 4");
    claim.rows = claim.records = 2;
    check_release_as("", &options, claim, "rows 0, expected 2");
}

TEST(a_broken_release_is_refused)
{
    kanon_ctx *ctx = plain_ctx();
    kn_claim   claim = claim_of(2, 4, 2);

    CHECK(verify_with(ctx, HEAD "*,20-29,80*\n", &claim) < 0);
    CHECK(verify_with(ctx, HEAD PAIRS "*,\"20-29,80*,flu\n", &claim) < 0);
    CHECK(verify_with(ctx, HEAD PAIRS "*,\xff,80*,flu\n", &claim) < 0);
    kanon_ctx_free(ctx);
}

/* As many classes as make the counter grow. */
TEST(many_classes_are_counted)
{
    kanon_ctx *ctx = plain_ctx();
    kn_text    text;
    kn_claim   claim = claim_of(2, 6000, 3000);

    kn_text_init(&text, ctx);
    kn_text_addz(&text, HEAD);
    for (unsigned i = 0; i < 6000; i++)
        kn_text_addf(&text, "*,%u,%u,x\n", i % 3000 % 100, i % 3000 / 100);
    CHECK_OK(ctx, verify_with(ctx, text.ptr, &claim));
    kn_text_addz(&text, "*,1,77,x\n");
    claim.rows = 6001;
    claim.classes = 3001;
    CHECK_STATUS(ctx, verify_with(ctx, text.ptr, &claim), KANON_E_VERIFY);
    kn_text_fini(&text);
    kanon_ctx_free(ctx);
}

static kanon_status
verify_once(kanon_ctx *ctx, void *user)
{
    kn_claim claim = claim_of(2, 4, 2);

    KN_UNUSED(user);
    return verify_with(ctx, HEAD PAIRS, &claim);
}

TEST(verifying_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(verify_once, NULL) > 3);
}

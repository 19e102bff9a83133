/* SPDX-License-Identifier: Apache-2.0 */
/* test_hierarchy_pack.c -- code systems: what is asked for, levels that are left out, what is no code.
 * tests/oracle/run_packs.py compares the systems with a second implementation. */
#include "failing_alloc.h"
#include "hierarchy/pack.h"
#include "hierarchy_fixture.h"

TEST(codes_go_the_way_of_their_system)
{
    check_first("I25.11|K80", "pack:icd-10", "I25.11|I25.1|I25|I20-I25|I00-I99|*");
    check_first("i2511|I25.11", "pack:icd-10", "i2511|I25.11|I25.1|I25|I20-I25|I00-I99|*");
    check_first("02139", "pack:postcode-us", "02139|021**|MA|New England|Northeast|*");
    check_first("SW1A1AA", "pack:postcode-uk", "SW1A1AA|SW1A 1AA|SW1A 1|SW1A|SW|*");
}

TEST(levels_can_be_chosen)
{
    check_first("I25.11|K80", "pack:icd-10,category,chapter", "I25.11|I25|I00-I99|*");
    check_first("I25.11|K80", "pack:icd-10,chapter", "I25.11|I00-I99|*");
    check_refused("I25", "pack:icd-10,chapter,category",
                  "'category' is not a level of pack icd-10 in this place");
    check_refused("I25", "pack:icd-10,chapter,chapter", "in this place");
    check_refused("I25", "pack:icd-10,town",
                  "'town' is not a level of pack icd-10; expected levels");
}

TEST(levels_that_change_nothing_are_left_out)
{
    CHECK_EQ_U64(height_of("I25|K80", "pack:icd-10"), 3);
    CHECK_EQ_U64(height_of("I25|K80.1", "pack:icd-10"), 4);
    CHECK_EQ_U64(height_of("I25|K80.11", "pack:icd-10"), 5);
    CHECK_EQ_U64(height_of("?|I25", "pack:icd-10"), 3);
    CHECK_EQ_U64(height_of("?", "pack:icd-10"), 1);
    CHECK_EQ_U64(height_of("", "pack:icd-10"), 1);
}

TEST(there_must_be_such_a_pack)
{
    check_refused("I25", "pack:icd-9", "there is no pack 'icd-9'; expected one of atc, icd-10,");
    check_refused("I25", "pack", "there is no pack ''");
    check_refused("I25", "pack:", "there is no pack ''");
}

TEST(what_is_no_code_is_counted)
{
    fixture f;
    char    shown[FIXTURE_TEXT];

    check_refused("I25.1|?|foo|bar|K80", "pack:icd-10",
                  "2 of 5 values (2 rows) are not codes of pack icd-10, the first is 'foo'");
    check_refused("I25.1|foo", "pack:icd-10",
                  "1 of 2 values (1 row) is not a code of pack icd-10, the first is 'foo'");
    fixture_open(&f, "foo|I25.1|?|bar");
    f.unknown_other = 1;
    f.rows[3] = 40;
    CHECK_OK(f.ctx, fixture_make(&f, "pack:icd-10"));
    CHECK_STR(fixture_path(f.h, 0, shown), "foo|(other)|(other)|(other)|(other)|*");
    CHECK_STR(fixture_path(f.h, 1, shown), "I25.1|I25.1|I25|I20-I25|I00-I99|*");
    CHECK_STR(fixture_path(f.h, 2, shown), "?|?|?|?|?|*");
    check_groups(f.h, 1, "0,1,2,0");
    check_warned(&f, "2 of 4 values (41 rows) are not codes of pack icd-10");
    fixture_close(&f);
}

/* Every file of data/hierarchies is understood, and the list has them in order. */
TEST(every_pack_can_be_opened)
{
    kanon_ctx        *ctx;
    const kanon_pack *about;
    size_t            count = 0;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (; (about = kanon_pack_at(count)); count++) {
        const kn_pack_file *file = kn_pack_named(about->name);
        kn_pack             pack;

        CHECK(file && &file->about == about);
        CHECK(count == 0 || strcmp(kanon_pack_at(count - 1)->name, about->name) < 0);
        CHECK_OK(ctx, kn_pack_open(ctx, file, &pack));
        CHECK(pack.nkeys && pack.nforms && pack.npieces >= 1 && pack.npieces <= pack.nlevels);
        CHECK(pack.key_pieces >= 1 && pack.key_pieces <= pack.npieces);
        for (size_t f = 0; f < pack.nforms; f++)
            CHECK(pack.forms[f].len + pack.zeros < KN_PACK_CODE);
        for (size_t i = 0; i < pack.nkeys; i++)
            CHECK(pack.keys[i].first.len == pack.keys[i].last.len
                  && kn_str_compare(pack.keys[i].first, pack.keys[i].last) <= 0);
        kn_pack_fini(&pack);
    }
    CHECK(count >= 11);
    CHECK(!kn_pack_named("icd-9"));
    kanon_ctx_free(ctx);
}

/* Cells of any length, and those that end in nothing but what is ignored. */
TEST(long_and_strange_cells)
{
    char    values[300];
    fixture f;

    memset(values, 'A', sizeof values - 1);
    values[sizeof values - 1] = 0;
    check_refused(values, "pack:icd-10", "is not a code");
    check_refused("...---", "pack:icd-10", "is not a code");
    check_refused("\xc3\x84", "pack:iso-3166", "is not a code");
    check_refused("00000000000000000000000000000", "pack:postcode-us", "is not a code");
    fixture_open(&f, " K80 ");
    CHECK_OK(f.ctx, fixture_make(&f, "pack:icd-10"));
    fixture_close(&f);
}

static kanon_status
make_in(kanon_ctx *ctx, void *user)
{
    kanon_status     rc;
    kn_arena         arena;
    kn_hier_spec     spec;
    kanon_hierarchy *h = NULL;
    fixture          f;

    fixture_open(&f, "I25.11|foo|?|K80");
    kn_arena_init(&arena, ctx);
    KN_TRY(kn_hier_spec_parse(ctx, &arena, "col", kn_str_of(user), NULL, &spec));
    spec.unknown_other = true;
    KN_TRY(kn_hierarchy_make(ctx, &spec, KN_TYPE_AUTO, &f.domain, &h));
out:
    kanon_hierarchy_free(h);
    kn_arena_fini(&arena);
    fixture_close(&f);
    return rc;
}

TEST(memory_runs_out)
{
    char all[] = "pack:icd-10", some[] = "pack:icd-10,category,chapter";

    CHECK(failing_alloc_sweep(make_in, all) > 5);
    CHECK(failing_alloc_sweep(make_in, some) > 5);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_local_exact.c -- what classes release of numbers that no double tells apart: every value must be in
 * the interval that stands for it, and no value of one person may stand for another one. */
#include "measure/measure.h"
#include "problem_fixture.h"
#include "transform/spelling.h"

enum { VALUES_MOST = 24 };

/* A column of different values, their classes, and what those release. */
typedef struct exact {
    problem_fixture f;
    uint32_t        class_of[VALUES_MOST];
    size_t          count, nclasses;
    kn_domain       domain;
    kn_recipes     *recipes;
    kn_centre      *centres;
    kn_spelling    *spelling;
} exact;

/* values: with bars between them; classes: a digit for each of them. */
static void
open_exact(exact *e, const char *values, const char *classes)
{
    memset(e, 0, sizeof *e);
    problem_begin(&e->f, NULL);
    problem_set(&e->f, "qi", "q");
    problem_set(&e->f, "type", "q=number");
    problem_set(&e->f, "hierarchy", "q=order");
    problem_set(&e->f, "k", "2");
    kn_text_addz(&e->f.csv, "q\n\"");
    for (const char *at = values; *at; at++)
        kn_text_add(&e->f.csv, *at == '|' ? KN_STR("\"\n\"") : (kn_str){ at, 1 });
    kn_text_addz(&e->f.csv, "\"\n");
    problem_open(&e->f);
    e->count = strlen(classes);
    CHECK_EQ_U64(e->f.p.learned->table->rows, e->count);
    CHECK_EQ_U64(e->f.p.learned->table->ntuples, e->count);
    for (size_t t = 0; t < e->count; t++) {
        uint32_t code = kn_codes_at(&e->f.p.learned->table->quasi[0], t);

        e->class_of[t] = (uint32_t) (classes[code] - '0'); /* codes are in the order of the table */
        e->nclasses = e->class_of[t] >= e->nclasses ? e->class_of[t] + 1 : e->nclasses;
    }
    e->domain = kn_learned_domain(e->f.p.learned, 0, "table", e->f.config->k);
}

static kanon_status
make_exact(exact *e, kn_snap snap, kn_decimal grid, kn_local local)
{
    kanon_status      rc = KANON_OK;
    kanon_ctx        *ctx = e->f.ctx;
    const kn_table   *table = e->f.p.learned->table;
    kn_recipe_options options = { e->f.p.hierarchies, snap,  local,
                                  e->f.p.lattice.low, &grid, &e->domain };

    KN_TRY(kn_recipes_new(ctx, table, e->class_of, e->nclasses, &options, &e->recipes));
    if (local != KN_LOCAL_INTERVAL)
        KN_TRY(kn_centres_new(e->recipes, table, e->class_of, local, 2, &e->centres));
    KN_TRY(kn_spelling_new(e->recipes, e->centres, &e->spelling));
out:
    return rc;
}

static void
close_exact(exact *e)
{
    kn_spelling_free(e->spelling);
    kn_free(e->f.ctx, e->centres);
    kn_recipes_free(e->recipes);
    problem_close(&e->f);
}

static kn_str
shown(const exact *e, size_t class)
{
    return kn_dict_value(e->spelling->texts[0], e->spelling->ids[class]);
}

/* expected: the texts of the classes, with bars between them. */
static void
check_exact(const char *values, const char *classes, kn_snap snap, kn_decimal grid, kn_local local,
            const char *expected)
{
    exact e;

    open_exact(&e, values, classes);
    CHECK_OK(e.f.ctx, make_exact(&e, snap, grid, local));
    for (size_t c = 0; c < e.nclasses; c++) {
        char text[128];

        CHECK(expected != NULL);
        snprintf(text, sizeof text, "%.*s", (int) strcspn(expected, "|"), expected);
        CHECK_PIECE(shown(&e, c), text);
        expected = strchr(expected, '|') ? strchr(expected, '|') + 1 : NULL;
    }
    CHECK(expected == NULL);
    close_exact(&e);
}

#define LONG_NUMBERS                                                                               \
    "100000000000000002|100000000000000001|100000000000000004|100000000000000012|"                 \
    "100000000000000010|100000000000000009"
#define LONG_DECIMALS "90071992547409.001|90071992547409.000|90071992547409.004|90071992547409.9"

static const kn_decimal NONE = { 0, 0 };

TEST(intervals_hold_long_numbers)
{
    check_exact(
        LONG_NUMBERS, "000111", KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL,
        "100000000000000001 to 100000000000000004|100000000000000009 to 100000000000000012");
    check_exact(LONG_DECIMALS, "0001", KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL,
                "90071992547409.000 to 90071992547409.004|90071992547409.9");
    check_exact("-100000000000000001|-100000000000000003|-100000000000000002", "000", KN_SNAP_OFF,
                NONE, KN_LOCAL_INTERVAL, "[-100000000000000003, -100000000000000001]");
    /* More digits than are read: still two numbers. */
    check_exact("0.12345678901234567891|0.12345678901234567890|9223372036854775806|"
                "9223372036854775807",
                "0011", KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL,
                "0.12345678901234567890 to 0.12345678901234567891|"
                "9223372036854775806 to 9223372036854775807");
    /* Doubles of these are in the other order. */
    check_exact("90071992547409.931|90071992547409.93", "00", KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL,
                "90071992547409.93 to 90071992547409.931");
}

TEST(spellings_of_a_number_are_one)
{
    check_exact("5|5.0|5.00|7", "0001", KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL, "5|7");
}

TEST(grids_hold_long_numbers)
{
    check_exact(
        LONG_NUMBERS, "000111", KN_SNAP_OFF, (kn_decimal){ 10, 0 }, KN_LOCAL_INTERVAL,
        "100000000000000000 to 100000000000000009|100000000000000000 to 100000000000000019");
    check_exact(
        LONG_NUMBERS, "000111", KN_SNAP_GRID, NONE, KN_LOCAL_INTERVAL,
        "100000000000000000 to 100000000000000005|100000000000000008 to 100000000000000013");
    /* Halves, though not multiples of 20 hundredths: two of them wide. */
    check_exact("6.0|2.50|1.50|9.50", "0011", KN_SNAP_GRID, NONE, KN_LOCAL_INTERVAL,
                "2.00 to under 7.00|1.00 to under 10.00");
    check_exact(LONG_DECIMALS, "0001", KN_SNAP_OFF, (kn_decimal){ 2, 3 }, KN_LOCAL_INTERVAL,
                "90071992547409.000 to under 90071992547409.006|90071992547409.900 to under "
                "90071992547409.902");
    /* No room for the decimals: 9.5 is not in 0-9. */
    check_exact("999999999999999999|9.5|1|2", "1000", KN_SNAP_OFF, (kn_decimal){ 10, 0 },
                KN_LOCAL_INTERVAL, "0 to under 10|999999999999999990 to under 1000000000000000000");
}

/* As far apart as numbers can be, and as coarse: nothing overflows (a debug build would say so). */
TEST(grids_hold_the_largest_numbers)
{
    check_exact("1000000000000000000|-1000000000000000000|0", "000", KN_SNAP_GRID, NONE,
                KN_LOCAL_INTERVAL, "[-1200000000000000000, 1199999999999999999]");
}

/* Nor for those of a grid, whose multiples the ends would not be. */
TEST(a_grid_without_room_is_refused)
{
    exact e;

    open_exact(&e, "999999999999999999|9.5|1|2", "1000");
    CHECK_STATUS(e.f.ctx, make_exact(&e, KN_SNAP_OFF, (kn_decimal){ 25, 1 }, KN_LOCAL_INTERVAL),
                 KANON_E_INVALID);
    close_exact(&e);
    check_exact("999999999999999999|9.5|1|2", "1000", KN_SNAP_OFF, (kn_decimal){ 100, 1 },
                KN_LOCAL_INTERVAL, "0 to under 10|999999999999999990 to under 1000000000000000000");
}

TEST(centres_of_long_numbers)
{
    check_exact("950000000000000000|950000000000000001|1|2", "0011", KN_SNAP_OFF, NONE,
                KN_LOCAL_MEAN, "950000000000000000.5|1.5");
    check_exact("-950000000000000000|-950000000000000001|-1|2|-3|3", "001122", KN_SNAP_OFF, NONE,
                KN_LOCAL_MEAN, "-950000000000000000.5|0.5|0");
    check_exact("9500000000000.00001|9500000000000.00003|-0.00001|0", "0011", KN_SNAP_OFF, NONE,
                KN_LOCAL_MEAN, "9500000000000.00002|-0.000005");
    check_exact("999999999999999999|999999999999999998|1000000000000000000|5|5,0|6", "000111",
                KN_SNAP_OFF, NONE, KN_LOCAL_MEAN, "999999999999999999|5,3");
    check_exact("-211|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20", "000000000000000000000",
                KN_SNAP_OFF, NONE, KN_LOCAL_MEAN, "0"); /* no minus before it */
    check_exact(LONG_NUMBERS, "000111", KN_SNAP_OFF, NONE, KN_LOCAL_MEDIAN,
                "100000000000000002|100000000000000010");
    check_exact("9223372036854775807|9223372036854775805|9223372036854775806", "000", KN_SNAP_OFF,
                NONE, KN_LOCAL_MEDIAN, "9223372036854775806");
}

/* Which values an interval stands for, and so the entropy of a release, is exact as well. */
TEST(values_are_inside_or_outside)
{
    static const int plain[] = { -1, -1, -1, 1, 0, 0 }, grid[] = { 0, 0, 0, 1, 1, 0 };
    exact            e;

    open_exact(&e, LONG_NUMBERS, "111100"); /* class 0: ...10 and ...09 */
    CHECK_OK(e.f.ctx, make_exact(&e, KN_SNAP_OFF, NONE, KN_LOCAL_INTERVAL));
    for (uint32_t code = 0; code < 6; code++)
        CHECK_EQ_I64(kn_recipe_side(e.recipes, 0, kn_recipe_at(e.recipes, 0, 0), code),
                     plain[code]);
    close_exact(&e);
    open_exact(&e, LONG_NUMBERS, "000111");
    CHECK_OK(e.f.ctx, make_exact(&e, KN_SNAP_OFF, (kn_decimal){ 10, 0 }, KN_LOCAL_INTERVAL));
    for (uint32_t code = 0; code < 6; code++)
        CHECK_EQ_I64(kn_recipe_side(e.recipes, 0, kn_recipe_at(e.recipes, 0, 0), code), grid[code]);
    close_exact(&e);
}

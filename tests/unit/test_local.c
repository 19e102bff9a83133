/* SPDX-License-Identifier: Apache-2.0 */
/* test_local.c -- local recoding behind the clusterers: a table divided among classes, what a class releases,
 * what that costs and how it is written, on a table that is counted by hand below. */
#include "failing_alloc.h"
#include "measure/measure.h"
#include "problem_fixture.h"
#include "transform/recode.h"

#include <unistd.h>

/* age: 20..40; colour: four leaves, one of them not in the table. In order of the table's entries the rows
 * are 0 (20,red) 1 (25,red) 2 (25,orange) 3 (30,blue,flu) 4 (30,blue,cold) 5 (40,blue) 6 and 7 missing. */
static const char colours[] = "red;warm;*\norange;warm;*\nblue;blue;*\ngrey;grey;*\n";
static const char small[] = "age,colour,ill\n"
                            "30,blue,cold\n"
                            "20,red,flu\n"
                            "25,red,flu\n"
                            "?,?,cold\n"
                            "25,orange,cold\n"
                            "30,blue,flu\n"
                            "40,blue,flu\n"
                            "NA,,cold\n";
/* Codes are given in order of arrival (age 30, 20, 25, missing, 40), so the entries stand as 30 blue flu or
 * cold, 20 red, 25 red, 25 orange, missing, 40: rows_of[] says which row of the list above each is. */
static const size_t rows_of[] = { 4, 3, 0, 1, 2, 6, 7, 5 };

enum { ROWS = 8 };

typedef struct local {
    problem_fixture f;
    uint32_t        class_of[ROWS];
    size_t          nclasses;
    kn_decimal      grids[2];
    kn_domain       domains[2];
    kn_recipes     *recipes;
    kn_centre      *centres;
    kn_spelling    *spelling;
    kn_table       *split;
    uint32_t       *recipe_of;
} local;

static void
open_local(local *s, const uint32_t *classes, size_t nclasses)
{
    char spec[96], file[64] = "/tmp/kanon-test-XXXXXX";
    int  fd = mkstemp(file);

    memset(s, 0, sizeof *s);
    CHECK(fd >= 0 && write(fd, colours, strlen(colours)) == (ssize_t) strlen(colours));
    close(fd);
    problem_begin(&s->f, NULL);
    snprintf(spec, sizeof spec, "colour=file:%s", file);
    problem_set(&s->f, "qi", "age,colour");
    problem_set(&s->f, "hierarchy", "age=range:10");
    problem_set(&s->f, "hierarchy", spec);
    problem_set(&s->f, "sensitive", "ill");
    problem_set(&s->f, "k", "2");
    kn_text_addz(&s->f.csv, small);
    problem_open(&s->f);
    unlink(file);
    for (size_t r = 0; r < ROWS; r++)
        s->class_of[r] = classes[rows_of[r]];
    s->nclasses = nclasses;
    for (size_t i = 0; i < 2; i++)
        s->domains[i] = kn_learned_domain(s->f.p.learned, i, "table", s->f.config->k);
}

static void
make_recipes(local *s, kn_snap snap, kn_local kind)
{
    kn_recipe_options options = { s->f.p.hierarchies, snap,     kind,
                                  s->f.p.lattice.low, s->grids, s->domains };
    kanon_ctx        *ctx = s->f.ctx;

    CHECK_OK(ctx, kn_recipes_new(ctx, s->f.p.learned->table, s->class_of, s->nclasses, &options,
                                 &s->recipes));
    if (kind != KN_LOCAL_INTERVAL)
        CHECK_OK(ctx, kn_centres_new(s->recipes, s->f.p.learned->table, s->class_of, kind, 2,
                                     &s->centres));
    CHECK_OK(ctx, kn_spelling_new(s->recipes, s->centres, &s->spelling));
}

static void
drop_recipes(local *s)
{
    kn_spelling_free(s->spelling);
    kn_free(s->f.ctx, s->centres);
    kn_recipes_free(s->recipes);
    s->spelling = NULL;
    s->centres = NULL;
    s->recipes = NULL;
}

static void
close_local(local *s)
{
    drop_recipes(s);
    kn_table_free(s->split);
    kn_free(s->f.ctx, s->recipe_of);
    problem_close(&s->f);
}

static kn_str
text_of(const local *s, size_t class, size_t quasi)
{
    return kn_dict_value(s->spelling->texts[quasi], s->spelling->ids[class * 2 + quasi]);
}

static const uint32_t four[ROWS] = { 0, 0, 1, 1, 2, 2, 3, 3 };

TEST(a_class_shows_its_interval_and_its_ancestor)
{
    static const char *const expected[][2] = {
        { "20 to 25", "red" }, { "25 to 30", "*" }, { "30 to 40", "blue" }, { "?", "" }
    };
    local s;

    open_local(&s, four, 4);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    for (size_t c = 0; c < 4; c++)
        for (size_t q = 0; q < 2; q++)
            CHECK_PIECE(text_of(&s, c, q), expected[c][q]);
    CHECK_EQ_U64(s.spelling->njoint, 4);
    CHECK(s.spelling->star == KN_NO_CLASS);
    close_local(&s);
}

TEST(numbers_with_missing_ones_are_anything)
{
    static const uint32_t classes[ROWS] = { 0, 0, 0, 0, 1, 1, 1, 1 };
    local                 s;

    open_local(&s, classes, 2);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    CHECK_PIECE(text_of(&s, 0, 0), "20 to 30");
    CHECK_PIECE(text_of(&s, 1, 0), "*");
    CHECK_PIECE(text_of(&s, 1, 1), "*");
    CHECK_EQ_U64(s.spelling->star, 1);
    close_local(&s);
}

TEST(intervals_snap_to_a_grid_or_to_the_hierarchy)
{
    static const char *const on_grid[] = { "20 to 29", "20 to 39", "30 to 49", "?" };
    static const char *const on_tree[] = { "20 to 29", "*", "*", "?" };
    local                    s;
    double                   low, high;

    open_local(&s, four, 4);
    s.grids[0] = (kn_decimal){ 10, 0 };
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    for (size_t c = 0; c < 4; c++)
        CHECK_PIECE(text_of(&s, c, 0), on_grid[c]);
    kn_recipe_extent(s.recipes, 0, kn_recipe_at(s.recipes, 2, 0), &low, &high);
    CHECK_NEAR(low, 30, 0);
    CHECK_NEAR(high, 40, 0); /* no further than the table goes */
    drop_recipes(&s);
    s.grids[0] = (kn_decimal){ 25, 1 };
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    CHECK_PIECE(text_of(&s, 0, 0), "20.0 to under 27.5");
    drop_recipes(&s);
    s.grids[0] = (kn_decimal){ 0, 0 };
    make_recipes(&s, KN_SNAP_HIERARCHY, KN_LOCAL_INTERVAL);
    for (size_t c = 0; c < 4; c++)
        CHECK_PIECE(text_of(&s, c, 0), on_tree[c]);
    drop_recipes(&s);
    make_recipes(&s, KN_SNAP_GRID, KN_LOCAL_INTERVAL); /* tens; 20 is one row's, so 10 is the end */
    CHECK_PIECE(text_of(&s, 0, 0), "10 to 29");
    CHECK_PIECE(text_of(&s, 2, 0), "30 to 49");
    close_local(&s);
}

TEST(a_centre_stands_for_a_class)
{
    static const char *const mean[] = { "22.5", "27.5", "35", "?" };
    static const char *const median[] = { "20", "25", "30", "?" };
    static const char *const colour[] = { "red", "blue", "blue", "" };
    local                    s;

    open_local(&s, four, 4);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_MEAN);
    for (size_t c = 0; c < 4; c++) {
        CHECK_PIECE(text_of(&s, c, 0), mean[c]);
        CHECK_PIECE(text_of(&s, c, 1), colour[c]);
    }
    drop_recipes(&s);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_MEDIAN);
    for (size_t c = 0; c < 4; c++)
        CHECK_PIECE(text_of(&s, c, 0), median[c]);
    drop_recipes(&s);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_MODE);
    CHECK_PIECE(text_of(&s, 1, 0), "30"); /* of equals the value that came first in the input */
    close_local(&s);
}

/* The mean of fewer than k numbers would be somebody's own: with missing ones beside them it is not told. */
TEST(a_centre_of_few_numbers_is_not_told)
{
    static const uint32_t classes[ROWS] = { 0, 0, 0, 0, 1, 2, 2, 1 };
    local                 s;

    open_local(&s, classes, 3);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_MEAN);
    CHECK_PIECE(text_of(&s, 0, 0), "25"); /* 20, 25, 25, 30 */
    CHECK_PIECE(text_of(&s, 1, 0), "*");  /* 30 and a missing one */
    CHECK_PIECE(text_of(&s, 2, 0), "*");  /* 40 and a missing one */
    close_local(&s);
}

TEST(classes_that_read_alike_are_one)
{
    static const uint32_t classes[ROWS] = { 0, 0, 1, 1, 2, 2, 3, 4 };
    local                 s;

    open_local(&s, classes, 5);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    CHECK_EQ_U64(s.spelling->njoint, 4);
    CHECK_EQ_U64(s.spelling->joint[3], s.spelling->joint[4]);
    close_local(&s);
}

TEST(every_metric_of_a_local_recoding_by_hand)
{
    local             s;
    uint32_t         *class_of;
    uint64_t          sizes[5] = { 0 };
    uint8_t           holds[] = { 1, 1, 1, 1, 0 };
    kn_grouping       g = { .sizes = sizes, .nids = 5, .holds = holds, .complete = true };
    kn_measured       m;
    kn_column_loss    columns[2];
    kn_scale          scale;
    const kn_metrics *found = &m.metrics;
    double            three = log2(3), age, colour;

    open_local(&s, four, 4);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    CHECK_OK(s.f.ctx, kn_table_split(s.f.p.learned->table, s.class_of, &s.split, &s.recipe_of));
    CHECK_EQ_U64(s.split->ntuples, 7); /* the two of (30, blue) go apart */
    class_of = s.recipe_of;
    for (size_t t = 0; t < s.split->ntuples; t++)
        sizes[class_of[t]] += s.split->weights[t];
    g.class_of = class_of;
    scale = s.f.p.scale;
    scale.table = s.split;
    CHECK_OK(s.f.ctx,
             kn_measure_local(s.f.ctx, &(kn_judged){ &scale, &s.f.p.privacy, &g },
                              &(kn_local_cells){ s.f.p.learned->table, s.recipes, s.recipe_of }, &m,
                              columns));
    CHECK_NEAR(columns[0].gcp, 2.0 / 8, 1e-12);
    CHECK_NEAR(columns[1].gcp, 2.0 / 8, 1e-12);
    CHECK_NEAR(found->gcp, 0.25, 1e-12);
    CHECK_NEAR(found->glm, 0.25, 1e-12);
    CHECK_NEAR(found->total_il, 0.25, 1e-12);
    CHECK_NEAR(found->total_il_literal, 3.0 / 16, 1e-12);
    CHECK_NEAR(found->dm, 16, 0);
    CHECK_NEAR(found->c_avg, 1, 0);
    CHECK_NEAR(found->cm, 2.0 / 8, 1e-12);
    CHECK_NEAR(found->los, 0, 0);
    age = 4 * three / 18;
    colour = (6 - three) / (20 - 3 * three);
    CHECK_NEAR(columns[0].entropy, age, 1e-12);
    CHECK_NEAR(columns[1].entropy, colour, 1e-12);
    CHECK_EQ_U64(m.before.classes, 6);
    CHECK_EQ_U64(m.after.classes, 4);
    CHECK_EQ_U64(m.after.min_class, 2);
    close_local(&s);
}

/* One that only formats labels: nothing is written. */
static void
csv_writer(kn_csv_out *writer, kanon_ctx *ctx)
{
    static kanon_sink nowhere = { .name = "nowhere" };

    kn_csv_out_init(writer, ctx, &nowhere);
    writer->dialect = KN_DIALECT_USUAL;
}

/* Rows in the order of the input find their classes; a row too many has not been there before. */
TEST(rows_are_dealt_out_to_their_classes)
{
    static const char *const cells[][3] = {
        { "30", "blue", "cold" }, { "20", "red", "flu" },     { "25", "red", "flu" },
        { "?", "?", "cold" },     { "25", "orange", "cold" }, { "30", "blue", "flu" },
        { "40", "blue", "flu" },  { "NA", "", "cold" },
    };
    static const char *const expected[] = { "30 to 40,", "20 to 25,", "20 to 25,", "?,",
                                            "25 to 30,", "25 to 30,", "30 to 40,", "?," };
    local                    s;
    kn_csv_out               writer;
    kn_recoder              *recoder = NULL;
    kn_str                   row[3], texts[2];

    open_local(&s, four, 4);
    make_recipes(&s, KN_SNAP_OFF, KN_LOCAL_INTERVAL);
    csv_writer(&writer, s.f.ctx);
    CHECK_OK(s.f.ctx,
             kn_recoder_classes(&writer.base, s.f.p.learned, s.class_of, s.spelling, &recoder));
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < 3; c++)
            row[c] = kn_str_of(cells[r][c]);
        CHECK(recoder->recode(recoder, row, texts) == KN_ROW_RELEASED);
        CHECK_PIECE(texts[0], expected[r]);
    }
    CHECK(recoder->recode(recoder, row, texts) == KN_ROW_UNKNOWN);
    row[0] = KN_STR("99");
    CHECK(recoder->recode(recoder, row, texts) == KN_ROW_UNKNOWN);
    recoder->free(recoder);
    kn_csv_out_fini(&writer);
    close_local(&s);
}

/* --- random tables ------------------------------------------------------------------------------------ */

/* Divided or not, a table holds the same rows. */
TEST(a_divided_table_keeps_every_row)
{
    kn_rng rng;

    kn_rng_init(&rng, 5, 0);
    for (size_t round = 0; round < 20; round++) {
        problem_shape   shape = { 20 + 30 * round, 1 + round % 4, 3 + round % 5, "2", "0" };
        problem_fixture f;
        kn_table       *split = NULL;
        const kn_table *table;
        uint32_t       *class_of, *of_tuple = NULL;
        uint64_t        rows = 0, entries = 0, before[3] = { 0 }, after[3] = { 0 };

        problem_random(&f, &shape, &rng);
        table = f.p.learned->table;
        class_of = KN_NEW_ARRAY(f.ctx, uint32_t, (size_t) table->rows);
        for (size_t r = 0; r < table->rows; r++) {
            class_of[r] = (uint32_t) kn_rng_below(&rng, 3);
            before[class_of[r]]++;
        }
        CHECK_OK(f.ctx, kn_table_split(table, class_of, &split, &of_tuple));
        for (size_t t = 0; t < split->ntuples; t++) {
            uint64_t weight = 0;

            for (size_t e = kn_table_first(split, t); e < kn_table_first(split, t + 1); e++)
                weight += kn_table_entry_weight(split, e);
            CHECK_EQ_U64(weight, split->weights[t]);
            rows += split->weights[t];
            entries += weight;
            after[of_tuple[t]] += weight;
        }
        CHECK_EQ_U64(rows, table->rows);
        CHECK_EQ_U64(entries, table->rows);
        for (size_t c = 0; c < 3; c++)
            CHECK_EQ_U64(after[c], before[c]);
        kn_free(f.ctx, class_of);
        kn_free(f.ctx, of_tuple);
        kn_table_free(split);
        problem_close(&f);
    }
}

/* --- failing memory ------------------------------------------------------------------------------------- */

static kanon_status
all_stages(kanon_ctx *ctx, void *user)
{
    local            *s = user;
    kanon_status      rc = KANON_OK;
    kn_recipe_options options = { s->f.p.hierarchies, KN_SNAP_GRID, KN_LOCAL_MEDIAN,
                                  s->f.p.lattice.low, s->grids,     s->domains };
    kn_recipes       *recipes = NULL;
    kn_centre        *centres = NULL;
    kn_spelling      *spelling = NULL;
    kn_recoder       *recoder = NULL;
    kn_csv_out        writer;
    kn_table         *split = NULL;
    kn_table          table = *s->f.p.learned->table;
    uint32_t         *of_tuple = NULL;

    csv_writer(&writer, ctx);
    table.ctx = ctx;
    KN_TRY(kn_recipes_new(ctx, &table, s->class_of, s->nclasses, &options, &recipes));
    KN_TRY(kn_centres_new(recipes, &table, s->class_of, KN_LOCAL_MEDIAN, 2, &centres));
    KN_TRY(kn_spelling_new(recipes, centres, &spelling));
    KN_TRY(kn_recoder_classes(&writer.base, s->f.p.learned, s->class_of, spelling, &recoder));
    KN_TRY(kn_table_split(&table, s->class_of, &split, &of_tuple));
out:
    if (recoder)
        recoder->free(recoder);
    kn_spelling_free(spelling);
    kn_free(ctx, centres);
    kn_recipes_free(recipes);
    kn_free(ctx, of_tuple);
    kn_table_free(split);
    kn_csv_out_fini(&writer);
    return rc;
}

TEST(every_stage_survives_failing_memory)
{
    local s;

    open_local(&s, four, 4);
    CHECK(failing_alloc_sweep(all_stages, &s) > 20);
    close_local(&s);
}

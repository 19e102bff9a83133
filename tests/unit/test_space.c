/* SPDX-License-Identifier: Apache-2.0 */
/* test_space.c -- ranks and box costs against the definitions: the lowest common ancestor found by walking,
 * the extent of numbers, and the cell losses of measure/. */
#include "cluster/space.h"
#include "failing_alloc.h"
#include "problem_fixture.h"

static const struct {
    const kn_metric_class *metric;
    kn_cell_loss           loss;
} METRICS[] = { { &kn_metric_gcp, kn_cell_gcp },
                { &kn_metric_glm, kn_cell_glm },
                { &kn_metric_total_il, kn_cell_total_il } };

/* The loss of a cell that stands for all codes at ranks least..greatest, by the book. */
static double
naive_cell(const kn_space_side *side, kn_cell_loss loss, uint32_t least, uint32_t greatest)
{
    const kanon_hierarchy *h = side->hierarchy;
    uint32_t               a = side->code_of[least], b = side->code_of[greatest];
    size_t                 level = 0;

    if (side->numeric && a != h->missing && b != h->missing)
        return h->max > h->min ? (h->levels[0].lo[b] - h->levels[0].lo[a]) / (h->max - h->min) : 0;
    if (side->numeric && a != b)
        return loss(h, h->nlevels - 1, a);
    while (h->levels[level].group_of[a] != h->levels[level].group_of[b])
        level++;
    return loss(h, level, a);
}

/* Every group of every level must be an interval of ranks. */
static void
check_intervals(const kn_space_side *side)
{
    const kanon_hierarchy *h = side->hierarchy;

    for (size_t l = 0; !side->numeric && l < h->nlevels; l++) {
        uint32_t changes = 0;
        bool     seen[4096] = { false };

        CHECK(h->levels[l].ngroups <= KN_COUNT(seen));
        for (uint32_t r = 0; r < side->nranks; r++) {
            uint32_t g = h->levels[l].group_of[side->code_of[r]];

            if (r == 0 || g != h->levels[l].group_of[side->code_of[r - 1]]) {
                changes++;
                CHECK(!seen[g]);
            }
            seen[g] = true;
        }
        CHECK(changes <= h->levels[l].ngroups);
    }
}

static void
check_ranks(const kn_space_side *side)
{
    const kanon_hierarchy *h = side->hierarchy;

    CHECK_EQ_U64(side->nranks, h->ndata);
    for (uint32_t r = 0; r < side->nranks; r++) {
        CHECK_EQ_U64(side->rank_of[side->code_of[r]], r);
        if (side->numeric && r > 0 && side->code_of[r] != h->missing)
            CHECK(h->levels[0].lo[side->code_of[r - 1]] <= h->levels[0].lo[side->code_of[r]]);
    }
    if (h->missing == KN_NO_CODE)
        CHECK(side->missing == KN_NO_CODE);
    else
        CHECK_EQ_U64(side->code_of[side->missing], h->missing);
    if (side->numeric && h->missing != KN_NO_CODE)
        CHECK_EQ_U64(side->missing, side->nranks - 1);
    check_intervals(side);
}

static void
check_cells(const kn_space *space, kn_cell_loss loss)
{
    for (size_t q = 0; q < space->nquasi; q++) {
        const kn_space_side *side = &space->sides[q];
        uint32_t             step = side->nranks > 200 ? side->nranks / 97 : 1;

        for (uint32_t a = 0; a < side->nranks; a += step)
            for (uint32_t b = a; b < side->nranks; b += step) {
                double expected = naive_cell(side, loss, a, b) * (double) side->whole;

                CHECK_NEAR((double) kn_space_side_cell(&space->sides[q], a, b), expected, 2);
            }
    }
}

/* A box around any rows costs at least as much as one around fewer of them. */
static void
check_monotone(const kn_space *space, kn_rng *rng)
{
    for (int trial = 0; trial < 200 && space->rows; trial++) {
        uint32_t least[64], greatest[64];
        uint64_t before = 0;

        memset(least, 0xff, sizeof least);
        memset(greatest, 0, sizeof greatest);
        for (int i = 0; i < 6; i++) {
            const uint32_t *p = kn_space_point(space, (uint32_t) kn_rng_below(rng, space->rows));
            uint64_t        cost, sum = 0;

            for (size_t q = 0; q < space->nquasi; q++) {
                least[q] = p[q] < least[q] ? p[q] : least[q];
                greatest[q] = p[q] > greatest[q] ? p[q] : greatest[q];
                sum += kn_space_side_cell(&space->sides[q], least[q], greatest[q]);
            }
            cost = kn_space_cost(space, least, greatest);
            CHECK(cost >= before && cost <= space->whole);
            CHECK_EQ_U64(cost, sum);
            before = cost;
        }
    }
}

static void
check_points(const kn_space *space)
{
    const kn_table *table = space->table;
    uint32_t        row = 0;

    CHECK_EQ_U64(space->rows, table->rows);
    CHECK_EQ_U64(space->npoints, table->ntuples);
    for (uint32_t p = 0; p < space->npoints; p++) {
        CHECK_EQ_U64(space->first_row[p], row);
        for (uint32_t i = 0; i < table->weights[p]; i++, row++) {
            CHECK_EQ_U64(space->point_of[row], p);
            if (space->entry_of) {
                CHECK(space->entry_of[row] >= kn_table_first(table, p));
                CHECK(space->entry_of[row] < kn_table_first(table, p + 1));
            }
        }
        for (size_t q = 0; q < space->width; q++) {
            uint32_t rank = space->ranks[p * space->width + q];

            if (q < space->nquasi)
                CHECK_EQ_U64(space->sides[q].code_of[rank], kn_codes_at(&table->quasi[q], p));
            else
                CHECK_EQ_U64(rank, 0);
        }
    }
    CHECK_EQ_U64(space->first_row[space->npoints], space->rows);
}

static void
check_apart(const kn_space *space, kn_rng *rng)
{
    for (int trial = 0; trial < 500; trial++) {
        const uint32_t *a = kn_space_point(space, (uint32_t) kn_rng_below(rng, space->rows));
        const uint32_t *b = kn_space_point(space, (uint32_t) kn_rng_below(rng, space->rows));
        uint32_t        least[64], greatest[64];

        for (size_t q = 0; q < space->nquasi; q++) {
            least[q] = a[q] < b[q] ? a[q] : b[q];
            greatest[q] = a[q] < b[q] ? b[q] : a[q];
        }
        CHECK_EQ_U64(kn_space_apart(space, a, b), kn_space_cost(space, least, greatest));
        CHECK_EQ_U64(kn_space_apart(space, a, b), kn_space_apart(space, b, a));
        CHECK_EQ_U64(kn_space_apart(space, a, a), 0);
    }
}

static void
check_space(const problem_fixture *f, size_t metric, kn_rng *rng)
{
    kn_space *space;

    CHECK_OK(f->ctx, kn_space_new(f->ctx, &f->p.scale, METRICS[metric].metric, &space));
    for (size_t q = 0; q < space->nquasi; q++)
        check_ranks(&space->sides[q]);
    check_points(space);
    check_cells(space, METRICS[metric].loss);
    check_monotone(space, rng);
    check_apart(space, rng);
    CHECK_NEAR(kn_space_loss(space, space->whole * space->rows), 1, 0);
    kn_space_free(space);
}

TEST(random_tables_cost_what_the_metrics_say)
{
    kn_rng rng;

    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem_shape   shape = { 40 + 30 * (size_t) seed, 1 + (size_t) seed % 9,
                                seed % 3 ? 4 * seed : 900, "2", "0" };
        problem_fixture f;

        kn_rng_init(&rng, seed, 7);
        problem_random(&f, &shape, &rng);
        for (size_t m = 0; m < KN_COUNT(METRICS); m++)
            check_space(&f, m, &rng);
        problem_close(&f);
    }
}

/* More values than are tabulated: the levels are searched. */
TEST(large_columns_are_priced_by_their_levels)
{
    problem_shape   shape = { 3000, 6, 4000, "2", "0" };
    problem_fixture f;
    kn_rng          rng;
    kn_space       *space;
    size_t          large = 0;

    kn_rng_init(&rng, 3, 7);
    problem_random(&f, &shape, &rng);
    for (size_t m = 0; m < KN_COUNT(METRICS); m++)
        check_space(&f, m, &rng);
    CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
    for (size_t q = 0; q < space->nquasi; q++)
        large += !space->sides[q].numeric && !space->sides[q].table;
    CHECK(large > 0);
    kn_space_free(space);
    problem_close(&f);
}

TEST(a_lone_number_and_the_missing_value)
{
    problem_fixture f;
    kn_space       *space;

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "n,m\n5,?\n5,1\n?,2\n?,9\n");
    problem_set(&f, "qi", "n,m");
    problem_set(&f, "hierarchy", "n=range:10");
    problem_set(&f, "hierarchy", "m=range:2,4");
    problem_set(&f, "type", "n=number");
    problem_set(&f, "type", "m=number");
    problem_set(&f, "k", "2");
    problem_open(&f);
    CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
    CHECK(space->sides[0].numeric && space->sides[1].numeric);
    /* One number only: its `*` leaves nothing open. */
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[0], 0, 1), 0);
    CHECK_EQ_U64(space->sides[1].missing, 3);
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[1], 0, 2), KN_COST_ONE);
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[1], 0, 1), KN_COST_ONE / 8);
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[1], 1, 3), KN_COST_ONE);
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[1], 3, 3), 0);
    CHECK_EQ_U64(space->whole, 2 * KN_COST_ONE);
    kn_space_free(space);
    problem_close(&f);
}

TEST(weights_scale_the_columns)
{
    problem_fixture f;
    kn_space       *space;

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "n,m,w\n1,1,a\n2,5,b\n3,9,c\n");
    problem_set(&f, "qi", "n,m,w");
    problem_set(&f, "k", "2");
    problem_set(&f, "weight", "n=3");
    problem_set(&f, "weight", "w=0");
    problem_open(&f);
    CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
    CHECK_EQ_U64(space->sides[0].whole, 3 * KN_COST_ONE / 4 * 3);
    CHECK_EQ_U64(space->sides[1].whole, KN_COST_ONE / 4 * 3);
    CHECK_EQ_U64(space->sides[2].whole, 0);
    CHECK_EQ_U64(space->whole, 3 * KN_COST_ONE);
    CHECK_EQ_U64(kn_space_side_cell(&space->sides[2], 0, 2), 0);
    kn_space_free(space);
    problem_close(&f);
}

/* Numbers beyond what a double holds are ranked by their digits, and no cost is below zero. */
TEST(long_numbers_are_ranked_exactly)
{
    static const char *const expected[] = { "90071992547409.93", "90071992547409.931",
                                            "100000000000000001", "100000000000000002",
                                            "100000000000000003" };
    problem_fixture          f;
    kn_space                *space;
    const kn_space_side     *side;

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "n\n100000000000000003\n90071992547409.931\n100000000000000001\n?\n"
                         "90071992547409.93\n100000000000000002\n");
    problem_set(&f, "qi", "n");
    problem_set(&f, "hierarchy", "n=order");
    problem_set(&f, "type", "n=number");
    problem_set(&f, "k", "2");
    problem_open(&f);
    CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
    side = &space->sides[0];
    CHECK_EQ_U64(side->nranks, 6);
    CHECK_EQ_U64(side->missing, 5);
    for (uint32_t r = 0; r < 5; r++) {
        CHECK_PIECE(side->hierarchy->levels[0].labels[side->code_of[r]], expected[r]);
        for (uint32_t higher = r; higher < 5; higher++)
            CHECK(kn_space_side_cell(&space->sides[0], r, higher) <= KN_COST_ONE);
    }
    kn_space_free(space);
    problem_close(&f);
}

TEST(other_metrics_are_refused)
{
    problem_shape   shape = { 20, 2, 5, "2", "0" };
    problem_fixture f;
    kn_rng          rng;
    kn_space       *space;

    kn_rng_init(&rng, 1, 1);
    problem_random(&f, &shape, &rng);
    CHECK_STATUS(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_dm, &space),
                 KANON_E_UNSUPPORTED);
    CHECK(space == NULL);
    problem_close(&f);
}

static kanon_status
make_space(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    kn_space              *space = NULL;
    kanon_status           rc = kn_space_new(ctx, &f->p.scale, &kn_metric_gcp, &space);

    kn_space_free(space);
    return rc;
}

TEST(every_allocation_may_fail)
{
    problem_shape   shape = { 700, 3, 3000, "2", "0" };
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 1, 1);
    problem_random(&f, &shape, &rng);
    CHECK(failing_alloc_sweep(make_space, &f) > 10);
    problem_close(&f);
}

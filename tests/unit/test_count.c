/* test_count.c -- counting the outlying rows of a node: the same as telling all classes apart, or a right
 * "too many". */
#include "failing_alloc.h"
#include "group/count.h"
#include "problem_fixture.h"

/* All nodes of a random table, or a random choice of them. */
static void
try_table(const problem_shape *shape, kn_rng *rng)
{
    problem_fixture f;
    kn_counter     *counter = NULL;
    kn_tally       *tally = NULL;
    kn_workspace   *ws = NULL;
    size_t          most;

    problem_random(&f, shape, rng);
    most = kn_privacy_most_classes(&f.p.privacy, f.p.view.rows);
    CHECK(kn_counter_fits(&f.p.view, (const uint8_t[KN_QUASI_MOST]){ 0 }));
    CHECK_OK(f.ctx, kn_counter_new(f.ctx, &f.p.view, &counter));
    CHECK_OK(f.ctx, kn_tally_new(counter, most, &tally));
    CHECK_OK(f.ctx, kn_workspace_new(f.ctx, &f.p.view, SIZE_MAX, &ws));
    for (int round = 0; round < 60; round++) {
        uint8_t     low[KN_QUASI_MOST] = { 0 }, node[KN_QUASI_MOST];
        kn_grouping grouping;
        kn_verdict  verdict;
        kn_counted  counted;

        kn_node_random(f.p.lattice.n, low, f.p.lattice.top, rng, node);
        kn_group(ws, node, &grouping);
        kn_privacy_judge(&f.p.privacy, &grouping, &verdict);
        kn_count(tally, node, f.p.privacy.k, f.p.privacy.allowed, &counted);
        CHECK(counted.complete == (verdict.outlying <= f.p.privacy.allowed));
        if (!counted.complete)
            continue;
        CHECK_EQ_U64(counted.outlying, verdict.outlying);
        CHECK_EQ_U64(counted.classes, verdict.classes);
        CHECK_NEAR(counted.squares, verdict.squares, 0);
    }
    kn_workspace_free(ws);
    kn_tally_free(tally);
    kn_counter_free(counter);
    problem_close(&f);
}

TEST(counts_are_those_of_the_classes)
{
    static const char *const ks[] = { "1", "2", "5", "40" }, *const limits[] = { "0", "0.1", "0.6",
                                                                                 "1" };
    kn_rng rng;

    kn_rng_init(&rng, 33, 0);
    for (size_t round = 0; round < 120; round++) {
        problem_shape shape = { kn_rng_below(&rng, 400), 1 + kn_rng_below(&rng, 6),
                                1 + kn_rng_below(&rng, round % 3 ? 6 : 300), ks[round % 4],
                                limits[round / 4 % 4] };

        try_table(&shape, &rng);
    }
}

TEST(large_tables_cross_chunks_and_blocks)
{
    kn_rng rng;

    kn_rng_init(&rng, 34, 0);
    try_table(&(problem_shape){ 6000, 4, 30, "3", "0.2" }, &rng);
    try_table(&(problem_shape){ 6000, 2, 5000, "2", "0.9" }, &rng);
    try_table(&(problem_shape){ 5000, 3, 1, "2", "0" }, &rng);
}

/* Forty columns of a hundred values do not fit 63 bits: such problems are grouped, not counted. */
TEST(keys_that_are_too_wide_are_told)
{
    problem_fixture f;
    kn_rng          rng;
    uint8_t         floor[KN_QUASI_MOST] = { 0 };

    kn_rng_init(&rng, 35, 0);
    problem_random(&f, &(problem_shape){ 400, 40, 100, "2", "0.1" }, &rng);
    CHECK(!kn_counter_fits(&f.p.view, floor));
    CHECK(kn_counter_fits(&f.p.view, f.p.lattice.top));
    problem_close(&f);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_cluster_methods.c -- each clusterer on tables that were worked out by hand. */
#include "cluster_fixture.h"

enum { SEEDS = 12 };

/* Runs a method for some seeds; every run must end with these classes (one letter a row). */
static void
expect_classes(const problem_fixture *f, const cluster_request *request, const char *classes)
{
    cluster_request r = *request;

    for (r.seed = 1; r.seed <= SEEDS; r.seed++) {
        kn_outcome out;
        char       text[64] = "";
        size_t     rows = f->p.scale.table->rows;

        CHECK_OK(f->ctx, cluster(f, &r, &out));
        check_outcome(f, &out);
        CHECK(rows < sizeof text);
        for (size_t row = 0; row < rows; row++)
            text[row] = out.partition.class_of[row] == KN_NO_CLASS
                          ? '-'
                          : (char) ('a' + out.partition.class_of[row]);
        CHECK_STR(text, classes);
        kn_partition_fini(f->ctx, &out.partition);
    }
}

static double
loss_of(const problem_fixture *f, const cluster_request *r)
{
    kn_outcome out;

    CHECK_OK(f->ctx, cluster(f, r, &out));
    check_outcome(f, &out);
    kn_partition_fini(f->ctx, &out.partition);
    return out.score.loss;
}

/* Rows stand in the order of codes, which is that of first appearance; here these are in ascending order. */
static const char *const FIVE = "1\n2\n4\n8\n9\n";

/* The median of 1 2 4 8 9 is 4. Below it: {1 2} {4 8 9}, 2 * 1 + 3 * 5 = 17; above it: {1 2 4} {8 9}, 3 * 3 +
 * 2 * 1 = 11. */
TEST(mondrian_tries_both_cuts)
{
    static const cluster_request strict = { "mondrian", { { NULL, NULL } }, 1, 1, 0 };
    static const cluster_request relaxed = {
        "mondrian", { { "mode", "relaxed" }, { NULL, NULL } }, 1, 1, 0
    };
    problem_fixture f;

    open_numbers(&f, FIVE, "2");
    expect_classes(&f, &strict, "aaabb");
    CHECK_NEAR(loss_of(&f, &strict), 11.0 / 8 / 5, 1e-6);
    problem_close(&f);

    /* 1 3 3 3 3 9: strict cannot cut through the 3s, and has {1} or {9} alone beside them. Relaxed cuts in
     * the middle of them: {1 3 3} {3 3 9}. */
    open_numbers(&f, "1\n3\n3\n3\n3\n9\n", "2");
    expect_classes(&f, &strict, "aaaaaa");
    expect_classes(&f, &relaxed, "aaabbb");
    problem_close(&f);
}

/* Of two columns the cut of the second one is better: it leaves two clumps. */
TEST(mondrian_cuts_where_it_costs_least)
{
    static const cluster_request r = { "mondrian", { { NULL, NULL } }, 1, 1, 0 };
    problem_fixture              f;

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "a,b\n1,1\n4,1\n7,100\n10,100\n");
    problem_set(&f, "qi", "a,b");
    problem_set(&f, "type", "a=number");
    problem_set(&f, "type", "b=number");
    problem_set(&f, "k", "2");
    problem_set(&f, "suppression", "0");
    problem_open(&f);
    expect_classes(&f, &r, "aabb");
    problem_close(&f);
}

/* Whoever is first, the furthest from it is 1 or 9. From 9: {9 8}, then furthest 1: {1 2}; from 1 the other
 * way round. 4 is left over: with 1 2 the class costs 3 * 3 - 2 * 1 = 7 more, with 8 9 it is 3 * 5 - 2 * 1 =
 * 13. */
TEST(k_members_begins_at_the_ends)
{
    static const cluster_request r = { "k-members", { { NULL, NULL } }, 1, 1, 0 };
    cluster_request plain = { "k-members", { { "natural", "off" }, { NULL, NULL } }, 1, 1, 0 };
    problem_fixture f;

    open_numbers(&f, FIVE, "2");
    expect_classes(&f, &r, "aaabb");
    problem_close(&f);

    /* Three 5s are a class of their own first, so that 1 and 9 have only each other, which costs 2 * 8.
     * Otherwise each takes a 5, and the third joins them: 5 * 4. */
    open_numbers(&f, "1\n5\n5\n5\n9\n", "2");
    expect_classes(&f, &r, "abbba");
    CHECK_NEAR(loss_of(&f, &r), 2.0 / 5, 1e-6);
    for (plain.seed = 1; plain.seed <= SEEDS; plain.seed++)
        CHECK_NEAR(loss_of(&f, &plain), 5 * 0.5 / 5, 1e-6);
    problem_close(&f);
}

/* Any centroid ends with the same: 4 takes 2 first, then 9 is furthest and takes 8, and 1 is left for 2 4. */
TEST(ika_takes_the_furthest_centroid)
{
    static const cluster_request r = { "ika", { { NULL, NULL } }, 1, 1, 0 };
    problem_fixture              f;

    open_numbers(&f, FIVE, "2");
    expect_classes(&f, &r, "aaabb");
    problem_close(&f);
}

static const char *const CLUMPS = "1\n2\n3\n101\n102\n103\n";

/* Any record takes its own clump. */
TEST(kab_finds_clumps)
{
    static const char *const moves[] = { "grouping", "any", "literal" };
    problem_fixture          f;

    open_numbers(&f, CLUMPS, "3");
    for (size_t i = 0; i < KN_COUNT(moves); i++) {
        cluster_request r = { "kab", { { "move", moves[i] }, { NULL, NULL } }, 1, 1, 0 };

        expect_classes(&f, &r, "aaabbb");
    }
    problem_close(&f);
}

/* Seeds in both clumps find them. Seeds in one clump do not: the second stage fills up the class that got
 * too few with what the other one gives away, across the gap. Both happen within a few seeds. */
TEST(oka_depends_on_its_seeds)
{
    cluster_request r = { "oka", { { NULL, NULL } }, 1, 1, 0 };
    bool            good = false, bad = false;
    problem_fixture f;

    open_numbers(&f, CLUMPS, "3");
    for (r.seed = 1; r.seed <= SEEDS; r.seed++) {
        kn_outcome out;

        CHECK_OK(f.ctx, cluster(&f, &r, &out));
        check_outcome(&f, &out);
        CHECK_EQ_U64(out.partition.nclasses, 2);
        good |= fabs(out.score.loss - 2.0 / 102) < 1e-6;
        bad |= out.score.loss > 0.9;
        kn_partition_fini(f.ctx, &out.partition);
    }
    CHECK(good && bad);
    problem_close(&f);
}

/* The black hole is the best star that ever was: moves never make the answer worse, and with enough of them
 * the grouping one makes it better. The first stars are the same with and without moves. */
TEST(moves_never_lose_the_best_star)
{
    static const char *const   names[] = { "kab", "bha" };
    static const char *const   moves[] = { "grouping", "any", "literal" };
    static const problem_shape shape = { 400, 4, 12, "4", "0" };
    problem_fixture            f;
    kn_rng                     rng;
    size_t                     better = 0;

    kn_rng_init(&rng, 101, 0);
    problem_random(&f, &shape, &rng);
    for (size_t n = 0; n < KN_COUNT(names); n++)
        for (size_t i = 0; i < KN_COUNT(moves); i++) {
            cluster_request still = {
                names[n], { { "refine", "off" }, { "iterations", "0" }, { NULL, NULL } }, 5, 1, 0
            };
            cluster_request moving = {
                names[n],
                { { "refine", "off" }, { "move", moves[i] }, { "horizon", "off" }, { NULL, NULL } },
                5,
                1,
                0
            };

            CHECK(loss_of(&f, &moving) <= loss_of(&f, &still));
            better += i == 0 && loss_of(&f, &moving) < loss_of(&f, &still);
        }
    CHECK_EQ_U64(better, KN_COUNT(names));
    problem_close(&f);
}

/* 1 and 2 are a class; 50 is left over. With them the three would cost 3 * 49 - 2 * 1 units of 49 more, alone
 * it costs one whole row: it is suppressed where that is allowed. */
TEST(rows_left_over_are_suppressed_where_that_is_cheaper)
{
    static const cluster_request r = { "ika", { { "natural", "on" }, { NULL, NULL } }, 1, 1, 0 };
    problem_fixture              f;

    open_numbers(&f, "1\n1\n50\n", "2");
    expect_classes(&f, &r, "aaa");
    f.p.privacy.allowed = 1;
    expect_classes(&f, &r, "aa-");
    problem_close(&f);
}

/* Missing values stand apart: mixed with numbers, the cell is lost. */
TEST(missing_values_find_each_other)
{
    static const cluster_request r = { "k-members", { { NULL, NULL } }, 1, 1, 0 };
    problem_fixture              f;

    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "a,b\n1,x\n3,x\n?,x\n?,y\n");
    problem_set(&f, "qi", "a,b");
    problem_set(&f, "type", "a=number");
    problem_set(&f, "hierarchy", "b=order:2");
    problem_set(&f, "k", "2");
    problem_set(&f, "suppression", "0");
    problem_open(&f);
    expect_classes(&f, &r, "aabb");
    problem_close(&f);
}

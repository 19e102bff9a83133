/* SPDX-License-Identifier: Apache-2.0 */
/* test_lattice.c -- src/lattice: arithmetic on nodes, random nodes, and what monotonicity decides,
 * against looking at every node that was told. */
#include "failing_alloc.h"
#include "lattice/tags.h"
#include "test.h"

TEST(nodes_are_counted)
{
    static const uint8_t low[] = { 0, 1, 2 }, high[] = { 3, 1, 5 };
    uint8_t              zeros[KN_QUASI_MOST] = { 0 }, tops[KN_QUASI_MOST];

    memset(tops, KN_LEVEL_MOST, sizeof tops);
    CHECK_NEAR(kn_lattice_nodes(3, low, high), 16, 0);
    CHECK_NEAR(kn_lattice_nodes(3, high, high), 1, 0);
    CHECK_NEAR(kn_lattice_nodes(0, low, high), 1, 0);
    CHECK_NEAR(kn_lattice_nodes(1, zeros, tops), 256, 0);
    CHECK_NEAR(log2(kn_lattice_nodes(100, zeros, tops)), 800, 1e-9);
    CHECK(kn_lattice_nodes(KN_QUASI_MOST, zeros, tops) > 1e300);
}

TEST(node_arithmetic)
{
    static const uint8_t a[] = { 0, 5, 255, 3 }, b[] = { 1, 5, 0, 2 };
    static const uint8_t least[] = { 0, 5, 0, 2 }, most[] = { 1, 5, 255, 3 };
    uint8_t              out[4], tops[KN_QUASI_MOST];

    memset(tops, KN_LEVEL_MOST, sizeof tops);
    CHECK_EQ_U64(kn_node_height(4, a), 263);
    CHECK_EQ_U64(kn_node_height(KN_QUASI_MOST, tops), 255 * 255);
    CHECK(!kn_node_below(4, a, b) && !kn_node_below(4, b, a));
    CHECK(kn_node_below(4, a, a) && kn_node_below(2, a, b));
    kn_node_min(4, a, b, out);
    CHECK(memcmp(out, least, 4) == 0 && kn_node_below(4, out, a) && kn_node_below(4, out, b));
    kn_node_max(4, a, b, out);
    CHECK(memcmp(out, most, 4) == 0 && kn_node_below(4, a, out) && kn_node_below(4, b, out));
    memcpy(out, a, 4);
    kn_node_min(4, out, b, out);
    CHECK(memcmp(out, least, 4) == 0);
}

/* All nodes of all heights: as many as there are, each height's in lexicographic order, so none twice. */
TEST(nodes_of_a_height_come_in_order)
{
    static const uint8_t low[] = { 0, 2, 1, 7, 0 }, high[] = { 3, 2, 4, 8, 1 };
    uint8_t              node[5], before[5];
    double               count = 0;

    for (unsigned height = 0; height <= 25; height++) {
        bool more = kn_node_first(5, low, high, height, node);

        CHECK(more == (height >= 10 && height <= 18));
        while (more) {
            CHECK_EQ_U64(kn_node_height(5, node), height);
            CHECK(kn_node_below(5, low, node) && kn_node_below(5, node, high));
            count++;
            memcpy(before, node, 5);
            more = kn_node_next(5, low, high, node);
            CHECK(!more || memcmp(before, node, 5) < 0);
        }
    }
    CHECK_NEAR(count, kn_lattice_nodes(5, low, high), 0);
    CHECK(kn_node_first(5, low, low, 10, node) && memcmp(node, low, 5) == 0);
    CHECK(!kn_node_next(5, low, low, node) && !kn_node_first(5, low, low, 11, node));
}

TEST(random_nodes_are_uniform_and_within_bounds)
{
    static const uint8_t low[] = { 0, 2, 7, 0 }, high[] = { 4, 2, 9, 255 };
    size_t               counts[4][256] = { { 0 } };
    kn_rng               rng;
    uint8_t              node[4];
    enum { DRAWS = 60000 };

    kn_rng_init(&rng, 21, 0);
    for (size_t d = 0; d < DRAWS; d++) {
        kn_node_random(4, low, high, &rng, node);
        CHECK(kn_node_below(4, low, node) && kn_node_below(4, node, high));
        for (size_t i = 0; i < 4; i++)
            counts[i][node[i]]++;
    }
    for (size_t i = 0; i < 4; i++) {
        double expected = (double) DRAWS / (high[i] - low[i] + 1), chi = 0;
        double freedom = high[i] - low[i];

        for (size_t level = low[i]; level <= high[i]; level++)
            chi += pow((double) counts[i][level] - expected, 2) / expected;
        if (chi > freedom + 5 * sqrt(2 * freedom) + 1e-9)
            FAIL("component %zu: chi square %g for %g degrees of freedom", i, chi, freedom);
    }
    memcpy(node, low, 4);
    kn_node_random(4, node, high, &rng, node);
    CHECK(kn_node_below(4, low, node) && kn_node_below(4, node, high));
}

/* --- tags ------------------------------------------------------------------------------------------ */

enum { TOLD = 1600, TOLD_WIDE = 300 }; /* several times the places that tags begin with */

typedef struct told {
    size_t  n, count;
    uint8_t nodes[TOLD][KN_QUASI_MOST];
    kn_tag  tags[TOLD];
} told;

static kn_tag
ask_all(const told *all, const uint8_t *node)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->tags[i] == KN_TAG_FEASIBLE ? kn_node_below(all->n, all->nodes[i], node)
                                            : kn_node_below(all->n, node, all->nodes[i]))
            return all->tags[i];
    return KN_TAG_UNKNOWN;
}

/* A monotone truth: feasible is a weighted height above a threshold. */
static bool
feasible(size_t n, const uint8_t *node, uint64_t threshold)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += node[i] * (1 + i % 3);
    return sum >= threshold;
}

static void
try_tags(size_t n, uint8_t top, kn_rng *rng)
{
    static told   all;
    uint8_t       low[KN_QUASI_MOST] = { 0 }, high[KN_QUASI_MOST], node[KN_QUASI_MOST];
    failing_alloc state = { .fail_at = 0 };
    kanon_ctx    *ctx = failing_alloc_ctx(&state);
    kn_tags      *tags = NULL;
    uint64_t      threshold;

    memset(high, top, sizeof high);
    kn_node_random(n, low, high, rng, node);
    for (threshold = 1; feasible(n, node, threshold + 1); threshold++)
        ;
    memset(&all, 0, sizeof all);
    all.n = n;
    CHECK_OK(ctx, kn_tags_new(ctx, n, high, &tags));
    for (size_t step = 0; step < (n > 17 ? TOLD_WIDE : TOLD); step++) {
        kn_node_random(n, low, high, rng, node);
        if (all.count && kn_rng_below(rng, 2)) { /* near one that was told */
            memcpy(node, all.nodes[kn_rng_below(rng, all.count)], n);
            node[kn_rng_below(rng, n)] = (uint8_t) kn_rng_below(rng, (uint64_t) top + 1);
        }
        if (kn_tags_ask(tags, node) != ask_all(&all, node))
            FAIL("n %zu, top %u, step %zu: another answer", n, top, step);
        memcpy(all.nodes[all.count], node, n);
        all.tags[all.count++] = feasible(n, node, threshold) ? KN_TAG_FEASIBLE : KN_TAG_INFEASIBLE;
        CHECK_OK(ctx, kn_tags_tell(tags, node, all.tags[all.count - 1]));
        CHECK(kn_tags_ask(tags, node) == all.tags[all.count - 1]);
    }
    kn_tags_free(tags);
    kanon_ctx_free(ctx);
    CHECK_EQ_U64(state.live, 0);
}

/* The whole middle of a lattice of 18 two-level columns is one antichain of 48,620 nodes. */
TEST(tags_hold_large_antichains)
{
    uint8_t    node[18], top[18];
    kanon_ctx *ctx = NULL;
    kn_tags   *tags = NULL;
    size_t     told_nodes = 0;

    memset(top, 1, sizeof top);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_tags_new(ctx, 18, top, &tags));
    for (unsigned bits = 0; bits < 1u << 18; bits++) {
        for (size_t i = 0; i < 18; i++)
            node[i] = bits >> i & 1;
        if (kn_node_height(18, node) != 9)
            continue;
        told_nodes++;
        CHECK_OK(ctx, kn_tags_tell(tags, node, bits % 3 ? KN_TAG_FEASIBLE : KN_TAG_INFEASIBLE));
    }
    CHECK_EQ_U64(told_nodes, 48620);
    for (unsigned bits = 0; bits < 1u << 18; bits += 37) {
        unsigned height;

        for (size_t i = 0; i < 18; i++)
            node[i] = bits >> i & 1;
        height = kn_node_height(18, node);
        if (height == 9)
            CHECK(kn_tags_ask(tags, node) == (bits % 3 ? KN_TAG_FEASIBLE : KN_TAG_INFEASIBLE));
        else if (height > 12)
            CHECK(kn_tags_ask(tags, node) == KN_TAG_FEASIBLE);
        else if (height < 6)
            CHECK(kn_tags_ask(tags, node) == KN_TAG_INFEASIBLE);
    }
    kn_tags_free(tags);
    kanon_ctx_free(ctx);
}

TEST(tags_answer_as_all_nodes_together)
{
    static const uint8_t tops[] = { 1, 3, 9, 127, 128, 255 };
    kn_rng               rng;

    kn_rng_init(&rng, 22, 0);
    for (size_t n = 1; n <= 17; n++)
        for (size_t t = 0; t < KN_COUNT(tops); t++)
            try_tags(n, tops[t], &rng);
    try_tags(254, 255, &rng);
    try_tags(KN_QUASI_MOST, KN_LEVEL_MOST, &rng);
}

/* Random pairs hardly ever compare in many dimensions: neighbours do. */
TEST(every_byte_of_a_node_counts)
{
    kanon_ctx *ctx = NULL;
    uint8_t    node[KN_QUASI_MOST], other[KN_QUASI_MOST], top[KN_QUASI_MOST];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    memset(top, 255, sizeof top);
    for (size_t i = 0; i < KN_QUASI_MOST; i += i < 20 ? 1 : 47)
        for (unsigned level = 0;
             level<256; level += level % 128> 125 || level % 128 == 0 ? 1 : 25) {
            kn_tags *tags = NULL;

            memset(node, 100, sizeof node);
            node[i] = (uint8_t) level;
            memcpy(other, node, sizeof node);
            CHECK_OK(ctx, kn_tags_new(ctx, sizeof node, top, &tags));
            CHECK_OK(ctx, kn_tags_tell(tags, node, KN_TAG_FEASIBLE));
            CHECK(kn_tags_ask(tags, node) == KN_TAG_FEASIBLE);
            other[i] = (uint8_t) (level + 1);
            CHECK(kn_tags_ask(tags, other) == (level < 255 ? KN_TAG_FEASIBLE : KN_TAG_UNKNOWN));
            other[i] = (uint8_t) (level - 1);
            CHECK(kn_tags_ask(tags, other) == (level > 0 ? KN_TAG_UNKNOWN : KN_TAG_FEASIBLE));
            if (level > 0) {
                CHECK_OK(ctx, kn_tags_tell(tags, other, KN_TAG_INFEASIBLE));
                CHECK(kn_tags_ask(tags, other) == KN_TAG_INFEASIBLE);
                CHECK(kn_tags_ask(tags, node) == KN_TAG_FEASIBLE);
            }
            kn_tags_free(tags);
        }
    kanon_ctx_free(ctx);
}

static kanon_status
use_tags(kanon_ctx *ctx, void *user)
{
    kanon_status rc = KANON_OK;
    kn_tags     *tags = NULL;

    KN_UNUSED(user);
    KN_TRY(kn_tags_new(ctx, 3, (const uint8_t[]){ 255, 255, 255 }, &tags));
    for (uint8_t i = 0; i < 40; i++) {
        uint8_t high[3] = { (uint8_t) (100 + i), (uint8_t) (200 - i), 100 },
                low[3] = { i, (uint8_t) (50 - i), 0 };

        KN_TRY(kn_tags_tell(tags, high, KN_TAG_FEASIBLE));
        KN_TRY(kn_tags_tell(tags, low, KN_TAG_INFEASIBLE));
    }
out:
    kn_tags_free(tags);
    return rc;
}

TEST(every_allocation_may_fail)
{
    CHECK(failing_alloc_sweep(use_tags, NULL) > 4);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_linkage.c -- linkage/: what the sample keeps, and how far its estimates are from the truth. What is
 * counted of whole tables is compared with a naive count by tests/oracle/run_linkage.py. */
#include "base/rng.h"
#include "failing_alloc.h"
#include "linkage/linkage.h"
#include "test.h"

enum { COLUMNS = 4 };

/* A made-up table: classes of 5 to 20 rows, a column with few values, one with many, one that follows from
 * the quasi-identifier and one that copies it. */
typedef struct maker {
    uint64_t seed;
    size_t   classes;
    uint32_t large; /* rows of the first class, where that is not as the others */
} maker;

static kanon_status
fill(kn_class_sample *sample, const maker *m)
{
    kn_rng rng;

    kn_rng_init(&rng, m->seed, 1);
    for (size_t c = 0; c < m->classes; c++) {
        uint64_t rows = !c && m->large ? m->large : 5 + kn_rng_below(&rng, 16);

        for (uint64_t i = 0; i < rows; i++) {
            uint32_t     quasi = (uint32_t) (c * 3 + kn_rng_below(&rng, 3));
            uint32_t     few = (uint32_t) kn_rng_below(&rng, 8);
            uint32_t     many = (uint32_t) kn_rng_below(&rng, 100);
            kanon_status rc;
            uint32_t    *cells = kn_class_sample_row(sample, kn_hash_word(c + 1), 1, &rc);

            if (rc < 0)
                return rc;
            if (cells)
                memcpy(cells, (uint32_t[]){ quasi, few, many, quasi / 2, quasi ^ 77 },
                       (COLUMNS + 1) * sizeof *cells);
        }
    }
    return KANON_OK;
}

static const uint8_t      insensitive[COLUMNS] = { 0 };
static const kn_link_plan plan = { 1, COLUMNS, insensitive, 5 };

static kanon_status
measure(kanon_ctx *ctx, const maker *m, size_t budget, uint64_t seed, kn_linkage *out)
{
    kanon_status     rc = KANON_OK;
    kn_class_sample *sample = NULL;

    memset(out, 0, sizeof *out);
    KN_TRY(kn_class_sample_new(ctx, COLUMNS + 1, budget, seed, &sample));
    KN_TRY(fill(sample, m));
    KN_TRY(kn_linkage_measure(sample, &plan, out));
out:
    kn_class_sample_free(sample);
    return rc;
}

static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

/* Over many seeds the mean of the estimates is the true count, and single ones are near. */
TEST(estimates_are_unbiased)
{
    kanon_ctx *ctx = plain_ctx();
    maker      m = { 3, 4000, 0 };
    kn_linkage whole, part;
    size_t     seeds = test_either(60, 400);
    double     sums[6] = { 0 }, squares[6] = { 0 }, truths[6];

    CHECK_OK(ctx, measure(ctx, &m, KN_CLASS_SAMPLE_BYTES, 1, &whole));
    CHECK(whole.exact && whole.open.exact && whole.sampled == whole.rows);
    CHECK(whole.columns[0].alone > 1000 && whole.open.worst[2].alone > 1000);
    for (size_t s = 0; s < seeds; s++) {
        CHECK_OK(ctx, measure(ctx, &m, 120000, s, &part));
        CHECK(!part.exact && !part.open.exact && !part.large_rows);
        CHECK_EQ_U64(part.rows, whole.rows);
        CHECK(part.sampled < whole.rows / 8 && part.sampled > whole.rows / 64);
        CHECK_EQ_U64(part.ndependencies, whole.ndependencies);
        for (size_t i = 0; i < 6; i++) {
            double truth = i < COLUMNS ? (double) whole.columns[i].alone
                         : i == 4      ? (double) whole.open.together.alone
                                       : (double) whole.open.worst[1].alone;
            double found = i < COLUMNS ? (double) part.columns[i].alone
                         : i == 4      ? (double) part.open.together.alone
                                       : (double) part.open.worst[1].alone;
            double error = found / truth - 1;

            CHECK(truth > 0);
            truths[i] = truth;
            sums[i] += error;
            squares[i] += error * error;
        }
        kn_linkage_fini(ctx, &part);
    }
    for (size_t i = 0; i < 6; i++) {
        double mean = sums[i] / (double) seeds, spread = sqrt(squares[i] / (double) seeds);

        /* Nearly all rows are unique by all columns together, and no estimate is above the rows there are: a
         * little below. The worst of several sets is chosen by the same sample: a little above. */
        CHECK(i == 5 || mean <= 4 * spread / sqrt((double) seeds) + 1e-12);
        CHECK(mean >= (i >= 4 ? -0.05 : -4 * spread / sqrt((double) seeds) - 1e-12));
        CHECK(mean < 0.1);
        CHECK(spread < 2 * sqrt(64 / truths[i])); /* one class in 64 at the least, and clusters */
    }
    kn_linkage_fini(ctx, &whole);
    kanon_ctx_free(ctx);
}

/* The same seed gives the same figures, in any context; another one others. */
TEST(samples_follow_the_seed)
{
    maker      m = { 4, 3000, 0 };
    kn_linkage found[3];

    for (size_t i = 0; i < 3; i++) {
        kanon_ctx *ctx = plain_ctx();

        CHECK_OK(ctx, measure(ctx, &m, 100000, i == 2 ? 9 : 8, &found[i]));
        kn_linkage_fini(ctx, &found[i]);
        kanon_ctx_free(ctx);
    }
    CHECK_EQ_U64(found[0].sampled, found[1].sampled);
    CHECK_EQ_U64(found[0].open.together.alone, found[1].open.together.alone);
    CHECK(found[0].sampled != found[2].sampled);
}

/* A class that would drive out all others leaves, and the rest is still counted; its rows are told. */
TEST(a_large_class_leaves_the_others_in_peace)
{
    kanon_ctx *ctx = plain_ctx();
    maker      m = { 5, 200, 50000 };
    kn_linkage found;

    CHECK_OK(ctx, measure(ctx, &m, 400000, 1, &found));
    CHECK(!found.exact && !found.open.exact);
    CHECK_EQ_U64(found.large_rows, 50000);
    CHECK_EQ_U64(found.sampled, found.rows - 50000);
    CHECK(found.columns[1].alone > 1000);
    kn_linkage_fini(ctx, &found);
    kanon_ctx_free(ctx);
}

/* Memory stays within the budget, whatever the classes are: here each row is one. */
TEST(memory_is_bounded)
{
    kanon_ctx       *ctx = plain_ctx();
    kn_class_sample *sample = NULL;

    CHECK_OK(ctx, kn_class_sample_new(ctx, 1, 200000, 1, &sample));
    for (uint32_t i = 0; i < 300000; i++) {
        kanon_status rc;
        uint32_t    *cells = kn_class_sample_row(sample, kn_hash_word(i), 1, &rc);

        CHECK(rc == KANON_OK);
        if (cells)
            *cells = i;
        CHECK(sample->nclasses * sizeof *sample->classes + sample->nrows * sample->width * 4
              < 210000);
    }
    CHECK(sample->depth > 4 && sample->nrows > 500);
    CHECK_EQ_U64(sample->rows, 300000);
    kn_class_sample_free(sample);
    kanon_ctx_free(ctx);
}

/* A row that stands for several is not alone. */
TEST(weights_count)
{
    kanon_ctx       *ctx = plain_ctx();
    kn_class_sample *sample = NULL;
    kn_link_plan     one = { 0, 1, insensitive, 5 };
    kn_linkage       found;

    CHECK_OK(ctx, kn_class_sample_new(ctx, 1, KN_CLASS_SAMPLE_BYTES, 1, &sample));
    for (uint32_t i = 0; i < 10; i++) {
        kanon_status rc;
        uint32_t    *cells = kn_class_sample_row(sample, 1, i < 3 ? 1 : UINT64_C(5000000000), &rc);

        CHECK(rc == KANON_OK && cells);
        *cells = i;
    }
    CHECK_OK(ctx, kn_linkage_measure(sample, &one, &found));
    CHECK_EQ_U64(found.rows, UINT64_C(35000000003));
    CHECK_EQ_U64(found.columns[0].alone, 3);
    CHECK_EQ_U64(found.columns[0].below, 3);
    CHECK_EQ_U64(found.columns[0].smallest, 1);
    kn_linkage_fini(ctx, &found);
    kn_class_sample_free(sample);
    kanon_ctx_free(ctx);
}

static kanon_status
use_all(kanon_ctx *ctx, void *user)
{
    kn_linkage   found;
    kanon_status rc = measure(ctx, user, 60000, 1, &found);

    kn_linkage_fini(ctx, &found);
    return rc;
}

TEST(every_allocation_may_fail)
{
    maker m = { 6, 600, 0 };

    CHECK(failing_alloc_sweep(use_all, &m) > 20);
}

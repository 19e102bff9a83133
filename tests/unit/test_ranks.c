/* SPDX-License-Identifier: Apache-2.0 */
/* test_ranks.c -- numbers in their exact order, also those that are the same double. */
#include "encode/ranks.h"
#include "failing_alloc.h"
#include "test.h"

#include "base/rng.h"

/* From the least to the greatest; spellings of one number stand in one line, with bars between them. */
static const char *const ladder[] = {
    "-9223372036854775807",
    "-100000000000000002|-100000000000000002.0|-1000000000000000.02e2",
    "-100000000000000001",
    "-1.5|-1,50| -15e-1 ",
    "-1e-20",
    "0|-0|0.000|0e5|-0,0",
    "1e-21",
    ".00000000000000000001|1e-20|0.1E-19",
    "0.12345678901234567890123",
    "0.12345678901234567890124",
    "0.9|.9|9e-1",
    "1|+1|1.|001",
    "9.99",
    "10|1e1|1.0e+1",
    "90071992547409.0009",
    "90071992547409.001|90071992547409.0010",
    "90071992547409.0011",
    "90071992547409.93",
    "90071992547409.931",
    "9007199254740992",
    "9007199254740993",
    "100000000000000001",
    "100000000000000002|10000000000000000.2e1",
    "9223372036854775806",
    "9223372036854775807",
};

enum { SPELLINGS_MOST = 64 };

/* All spellings with their line. */
static size_t
all_spellings(kn_str *texts, size_t *lines)
{
    size_t count = 0;

    for (size_t line = 0; line < sizeof ladder / sizeof *ladder; line++)
        for (const char *at = ladder[line]; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
            CHECK(count < SPELLINGS_MOST);
            texts[count] = (kn_str){ at, strcspn(at, "|") };
            lines[count++] = line;
        }
    return count;
}

TEST(numbers_compare_digit_by_digit)
{
    kn_str texts[SPELLINGS_MOST];
    size_t lines[SPELLINGS_MOST], count = all_spellings(texts, lines);

    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            int        order = kn_number_compare(texts[a], texts[b]);
            kn_decimal ignored;

            CHECK(kn_decimal_parse(texts[a], &ignored));
            if ((order > 0) - (order < 0) != (lines[a] > lines[b]) - (lines[a] < lines[b]))
                FAIL("%.*s against %.*s is %d", (int) texts[a].len, texts[a].ptr,
                     (int) texts[b].len, texts[b].ptr, order);
        }
}

/* Whatever order they come in, spellings of a number share a rank and there are no gaps. */
TEST(columns_are_ranked_exactly)
{
    kanon_ctx *ctx;
    kn_rng     rng;
    kn_str     texts[SPELLINGS_MOST + 1];
    size_t     lines[SPELLINGS_MOST + 1], count = all_spellings(texts, lines);
    uint32_t   ranks[SPELLINGS_MOST + 1];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 3, 0);
    texts[count] = KN_STR("?");
    lines[count] = sizeof ladder / sizeof *ladder; /* the missing one comes last */
    for (int round = 0; round < 50; round++) {
        uint32_t missing = KN_NO_CODE;

        for (size_t i = count; i > 0; i--) {
            size_t at = (size_t) kn_rng_below(&rng, i + 1), line = lines[i];
            kn_str text = texts[i];

            texts[i] = texts[at];
            lines[i] = lines[at];
            texts[at] = text;
            lines[at] = line;
        }
        for (uint32_t i = 0; i <= count; i++)
            if (kn_str_equal(texts[i], KN_STR("?")))
                missing = i;
        CHECK_OK(ctx, kn_number_ranks(ctx, texts, count + 1, missing, ranks));
        for (size_t i = 0; i <= count; i++)
            CHECK_EQ_U64(ranks[i], lines[i]);
    }
    texts[0] = KN_STR("?");
    CHECK_OK(ctx, kn_number_ranks(ctx, texts, 1, 0, ranks));
    CHECK_EQ_U64(ranks[0], 0);
    CHECK_OK(ctx, kn_number_ranks(ctx, texts, 0, KN_NO_CODE, ranks));
    kanon_ctx_free(ctx);
}

static kanon_status
rank_some(kanon_ctx *ctx, void *user)
{
    static const kn_str texts[] = { { "2", 1 }, { "1", 1 }, { "3", 1 } };
    uint32_t            ranks[3];

    KN_UNUSED(user);
    return kn_number_ranks(ctx, texts, 3, KN_NO_CODE, ranks);
}

TEST(ranking_survives_failing_memory)
{
    CHECK(failing_alloc_sweep(rank_some, NULL) > 0);
}

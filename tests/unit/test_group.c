/* SPDX-License-Identifier: Apache-2.0 */
/* test_group.c -- src/group and src/privacy: classes of a node against comparing every generalized
 * vector, on the direct path, on the hashed one, and where keys are wider than 64 bits. */
#include "base/rng.h"
#include "failing_alloc.h"
#include "privacy/privacy.h"
#include "test.h"

enum { COLUMNS_MOST = 48, LEVELS = 4 };

/* Codes, weights and nested levels, all random and owned. */
typedef struct random_view {
    kn_view         view;
    kn_axis         axes[COLUMNS_MOST];
    const uint32_t *maps[COLUMNS_MOST][LEVELS];
    uint32_t        ngroups[COLUMNS_MOST][LEVELS];
    kn_codes        codes[COLUMNS_MOST];
    uint32_t       *weights;
} random_view;

static void *
zeroed(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);

    if (!block)
        FAIL("out of memory");
    return block;
}

/* Level 0 is the code itself, the last level one group; between, each group keeps its members. */
static void
fill_axis(random_view *v, size_t column, size_t ncodes, kn_rng *rng)
{
    uint32_t *below = NULL;

    v->axes[column] = (kn_axis){ LEVELS, ncodes, v->maps[column], v->ngroups[column] };
    v->ngroups[column][0] = (uint32_t) ncodes;
    for (size_t level = 0; level < LEVELS; level++) {
        uint32_t *map = zeroed(ncodes, sizeof *map);
        uint32_t  groups = level + 1 == LEVELS ? 1
                         : level == 0          ? (uint32_t) ncodes
                                               : v->ngroups[column][level - 1] / 3 + 1;
        uint32_t *merge = zeroed(ncodes, sizeof *merge);

        for (size_t g = 0; g < ncodes; g++)
            merge[g] = g < groups ? (uint32_t) g : (uint32_t) kn_rng_below(rng, groups);
        for (size_t c = 0; c < ncodes; c++)
            map[c] = level == 0 ? (uint32_t) c : merge[below[c]];
        free(merge);
        below = map;
        v->maps[column][level] = map;
        v->ngroups[column][level] = groups;
    }
}

static void
fill_codes(random_view *v, size_t column, size_t ncodes, kn_rng *rng)
{
    kn_codes *codes = &v->codes[column];

    codes->bytes = ncodes <= 256 ? 1 : ncodes <= 65536 ? 2 : 4;
    codes->data = zeroed(v->view.ntuples, codes->bytes);
    for (size_t t = 0; t < v->view.ntuples; t++) {
        uint32_t code = (uint32_t) kn_rng_below(rng, ncodes);

        if (codes->bytes == 1)
            ((uint8_t *) codes->data)[t] = (uint8_t) code;
        else if (codes->bytes == 2)
            ((uint16_t *) codes->data)[t] = (uint16_t) code;
        else
            ((uint32_t *) codes->data)[t] = code;
    }
}

static void
open_view(random_view *v, size_t columns, size_t ntuples, size_t most_codes, kn_rng *rng)
{
    memset(v, 0, sizeof *v);
    v->weights = zeroed(ntuples, sizeof *v->weights);
    v->view = (kn_view){ columns, ntuples, 0, v->axes, v->codes, v->weights };
    for (size_t t = 0; t < ntuples; t++)
        v->view.rows += v->weights[t] = 1 + (uint32_t) kn_rng_below(rng, 5);
    for (size_t i = 0; i < columns; i++) {
        size_t ncodes = i == 0 ? most_codes : 1 + (size_t) kn_rng_below(rng, most_codes);

        fill_axis(v, i, ncodes, rng);
        fill_codes(v, i, ncodes, rng);
    }
}

static void
close_view(random_view *v)
{
    for (size_t i = 0; i < v->view.nquasi; i++) {
        for (size_t level = 0; level < LEVELS; level++)
            free((void *) (uintptr_t) v->maps[i][level]);
        free(v->codes[i].data);
    }
    free(v->weights);
}

/* --- the naive way --------------------------------------------------------------------------------- */

typedef struct named {
    uint32_t name[COLUMNS_MOST]; /* groups; all of it is compared, unused places are 0 */
    size_t   tuple;
} named;

static int
compare_named(const void *a, const void *b)
{
    return memcmp(((const named *) a)->name, ((const named *) b)->name,
                  sizeof((const named *) a)->name);
}

static named *
name_tuples(const random_view *v, const uint8_t *levels)
{
    named *all = zeroed(v->view.ntuples, sizeof *all);

    for (size_t t = 0; t < v->view.ntuples; t++) {
        all[t].tuple = t;
        for (size_t i = 0; i < v->view.nquasi; i++)
            all[t].name[i] = v->maps[i][levels[i]][kn_codes_at(&v->codes[i], t)];
    }
    qsort(all, v->view.ntuples, sizeof *all, compare_named);
    return all;
}

static size_t
count_classes(const random_view *v, const uint8_t *levels)
{
    named *all = name_tuples(v, levels);
    size_t classes = v->view.ntuples > 0;

    for (size_t i = 1; i < v->view.ntuples; i++)
        classes += compare_named(&all[i - 1], &all[i]) != 0;
    free(all);
    return classes;
}

static void
check_grouping(const random_view *v, const uint8_t *levels, const kn_grouping *g)
{
    named   *all = name_tuples(v, levels);
    uint8_t *used = zeroed(g->nids, 1);
    uint64_t rows = 0;

    CHECK(g->complete);
    for (size_t from = 0, to; from < v->view.ntuples; from = to) {
        uint32_t id = g->class_of[all[from].tuple];
        uint64_t size = 0;

        CHECK(id < g->nids && !used[id]);
        used[id] = 1;
        for (to = from; to < v->view.ntuples && compare_named(&all[from], &all[to]) == 0; to++) {
            CHECK_EQ_U64(g->class_of[all[to].tuple], id);
            size += v->weights[all[to].tuple];
        }
        CHECK_EQ_U64(g->sizes[id], size);
        rows += size;
    }
    for (size_t id = 0; id < g->nids; id++)
        if (!used[id])
            CHECK_EQ_U64(g->sizes[id], 0);
    CHECK_EQ_U64(rows, v->view.rows);
    free(used);
    free(all);
}

/* Groups at random nodes with one workspace: nothing may be left over from the node before. */
static void
try_view(const random_view *v, size_t nodes, kn_rng *rng)
{
    kanon_ctx    *ctx = NULL;
    kn_workspace *ws = NULL;
    kn_grouping   g;
    uint8_t       levels[COLUMNS_MOST];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_workspace_new(ctx, &v->view, SIZE_MAX, &ws));
    for (size_t node = 0; node < nodes; node++) {
        for (size_t i = 0; i < v->view.nquasi; i++)
            levels[i] = (uint8_t) (node == 0   ? 0
                                   : node == 1 ? LEVELS - 1
                                               : kn_rng_below(rng, LEVELS));
        kn_group(ws, levels, &g);
        check_grouping(v, levels, &g);
    }
    kn_workspace_free(ws);
    kanon_ctx_free(ctx);
}

TEST(small_key_spaces)
{
    random_view v;
    kn_rng      rng;

    kn_rng_init(&rng, 31, 0);
    for (size_t round = 0; round < 30; round++) {
        open_view(&v, 1 + round % 4, (size_t) kn_rng_below(&rng, 300), 1 + round % 9, &rng);
        try_view(&v, 12, &rng);
        close_view(&v);
    }
}

TEST(large_key_spaces_are_hashed)
{
    random_view v;
    kn_rng      rng;

    kn_rng_init(&rng, 32, 0);
    for (size_t round = 0; round < 12; round++) {
        open_view(&v, 2 + round % 5, 1000,
                  round % 3 == 0   ? 300
                  : round % 3 == 1 ? 60
                                   : 70000,
                  &rng);
        try_view(&v, 8, &rng);
        close_view(&v);
    }
}

/* Forty columns of 2^8 values: keys of 320 bits, made dense several times on the way. */
TEST(keys_wider_than_a_word)
{
    random_view v;
    kn_rng      rng;

    kn_rng_init(&rng, 33, 0);
    for (size_t round = 0; round < 6; round++) {
        open_view(&v, 40, 600, round < 3 ? 256 : 2, &rng);
        for (size_t i = 0; i < 40 && round % 3; i++) { /* copies: most columns decide nothing */
            uint8_t *codes = v.codes[i].data;

            for (size_t t = 1; t < 600; t++)
                if (t % 5 && (i != 39 || t % 2))
                    codes[t] = codes[t - 1];
        }
        try_view(&v, 8, &rng);
        close_view(&v);
    }
}

/* --- the cap --------------------------------------------------------------------------------------- */

/* Where classes are hashed, the cap strikes exactly when it is passed. */
TEST(grouping_stops_at_too_many_classes)
{
    random_view v;
    kn_rng      rng;
    uint8_t     levels[COLUMNS_MOST] = { 0 };
    kanon_ctx  *ctx = NULL;

    kn_rng_init(&rng, 34, 0);
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    for (size_t columns = 3; columns <= 40; columns += 37) {
        size_t classes, caps[6];

        open_view(&v, columns, 500, 200, &rng);
        for (size_t i = 3; i < columns; i++)
            levels[i] = i % 2;
        classes = count_classes(&v, levels);
        memcpy(caps, (size_t[]){ 0, 1, classes - 1, classes, classes + 1, SIZE_MAX }, sizeof caps);
        for (size_t c = 0; c < KN_COUNT(caps); c++) {
            kn_workspace *ws = NULL;
            kn_grouping   g;

            CHECK_OK(ctx, kn_workspace_new(ctx, &v.view, caps[c], &ws));
            for (int again = 0; again < 3; again++) {
                kn_group(ws, levels, &g);
                if (g.complete != (classes <= caps[c]))
                    FAIL("%zu classes, cap %zu: complete is %d", classes, caps[c], g.complete);
                if (g.complete)
                    check_grouping(&v, levels, &g);
            }
            kn_workspace_free(ws);
        }
        close_view(&v);
    }
    kanon_ctx_free(ctx);
}

/* No feasible node is ever cut off: counted by hand on random tables and requirements. */
TEST(the_cap_never_hides_a_feasible_node)
{
    kanon_ctx *ctx = NULL;
    kn_rng     rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 35, 0);
    for (size_t round = 0; round < 60; round++) {
        random_view   v;
        kn_privacy    privacy = { .k = 1 + kn_rng_below(&rng, 6) };
        kn_workspace *capped = NULL, *open = NULL;

        open_view(&v, 1 + round % 5, 1 + (size_t) kn_rng_below(&rng, 200), 60, &rng);
        privacy.allowed = kn_rng_below(&rng, v.view.rows + 1);
        CHECK_OK(ctx, kn_workspace_new(ctx, &v.view, kn_privacy_most_classes(&privacy, v.view.rows),
                                       &capped));
        CHECK_OK(ctx, kn_workspace_new(ctx, &v.view, SIZE_MAX, &open));
        for (size_t node = 0; node < 20; node++) {
            uint8_t     levels[COLUMNS_MOST];
            kn_grouping a, b;
            kn_verdict  verdict, same;

            for (size_t i = 0; i < v.view.nquasi; i++)
                levels[i] = (uint8_t) kn_rng_below(&rng, LEVELS);
            kn_group(open, levels, &a);
            kn_privacy_judge(&privacy, &a, &verdict);
            kn_group(capped, levels, &b);
            if (verdict.outlying <= privacy.allowed)
                CHECK(b.complete);
            if (!b.complete)
                continue;
            kn_privacy_judge(&privacy, &b, &same);
            CHECK_EQ_U64(same.outlying, verdict.outlying);
            CHECK_EQ_U64(same.classes, verdict.classes);
            CHECK_NEAR(same.squares, verdict.squares, 0);
        }
        kn_workspace_free(capped);
        kn_workspace_free(open);
        close_view(&v);
    }
    kanon_ctx_free(ctx);
}

/* --- privacy --------------------------------------------------------------------------------------- */

TEST(classes_are_judged)
{
    static const uint64_t sizes[] = { 0, 1, 2, 3, 0, 7, 2 };
    kn_grouping           g = { .sizes = sizes, .nids = KN_COUNT(sizes), .complete = true };
    kn_privacy            privacy = { .k = 3 };
    kn_verdict            verdict;

    kn_privacy_judge(&privacy, &g, &verdict);
    CHECK_EQ_U64(verdict.outlying, 5);
    CHECK_EQ_U64(verdict.classes, 2);
    CHECK_NEAR(verdict.squares, 58, 0);
    privacy.k = 1;
    kn_privacy_judge(&privacy, &g, &verdict);
    CHECK_EQ_U64(verdict.outlying, 0);
    CHECK_EQ_U64(verdict.classes, 5);
}

/* Every fraction with two decimals of every number of rows is what paper and pencil say. */
TEST(allowed_rows_are_rounded_as_decimals)
{
    for (uint64_t percent = 0; percent <= 100; percent++) {
        char text[8];

        snprintf(text, sizeof text, "%" PRIu64 ".%02" PRIu64, percent / 100, percent % 100);
        for (uint64_t rows = 0; rows < 3000; rows++)
            CHECK_EQ_U64(kn_privacy_allowed(strtod(text, NULL), rows), rows * percent / 100);
        CHECK_EQ_U64(kn_privacy_allowed(strtod(text, NULL), 100000000), 1000000 * percent);
    }
    CHECK_EQ_U64(kn_privacy_allowed(0.35, 3), 1);
    CHECK_EQ_U64(kn_privacy_allowed(0.001, 999), 0);
    CHECK_EQ_U64(kn_privacy_allowed(0.001, 1000), 1);
    CHECK_EQ_U64(kn_privacy_allowed(1, UINT64_C(1) << 53), UINT64_C(1) << 53);
}

static kanon_status
use_workspace(kanon_ctx *ctx, void *user)
{
    kn_workspace *ws = NULL;
    kanon_status  rc = kn_workspace_new(ctx, user, SIZE_MAX, &ws);

    kn_workspace_free(ws);
    return rc;
}

TEST(every_allocation_may_fail)
{
    random_view v;
    kn_rng      rng;

    kn_rng_init(&rng, 36, 0);
    open_view(&v, 3, 50, 20, &rng);
    CHECK(failing_alloc_sweep(use_workspace, &v.view) > 4);
    close_view(&v);
}

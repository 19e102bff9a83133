/* SPDX-License-Identifier: Apache-2.0 */
/* test_cluster_scan.c -- scans against plain sums of cells, for points and boxes, with each set of loops. */
#include "cluster_fixture.h"

typedef struct scan_fixture {
    problem_fixture f;
    kn_space       *space;
    kn_scanner     *scanner;
    kn_rng          rng;
} scan_fixture;

static void
open_scan(scan_fixture *x, const problem_shape *shape, uint64_t seed)
{
    kn_rng_init(&x->rng, seed, 0);
    problem_random(&x->f, shape, &x->rng);
    CHECK_OK(x->f.ctx, kn_space_new(x->f.ctx, &x->f.p.scale, &kn_metric_gcp, &x->space));
    CHECK_OK(x->f.ctx, kn_scanner_new(x->f.ctx, x->space, &x->scanner));
}

static void
close_scan(scan_fixture *x)
{
    kn_scanner_free(x->scanner);
    kn_space_free(x->space);
    problem_close(&x->f);
}

/* A box around a few random points. */
static void
random_box(scan_fixture *x, uint32_t *least, uint32_t *greatest)
{
    uint64_t points = kn_rng_below(&x->rng, 4) + 1;

    for (size_t q = 0; q < x->space->width; q++) {
        least[q] = UINT32_MAX;
        greatest[q] = 0;
    }
    for (; points > 0; points--) {
        const uint32_t *ranks = x->space->ranks
                              + kn_rng_below(&x->rng, x->space->npoints) * x->space->width;

        for (size_t q = 0; q < x->space->width; q++) {
            least[q] = ranks[q] < least[q] ? ranks[q] : least[q];
            greatest[q] = ranks[q] > greatest[q] ? ranks[q] : greatest[q];
        }
    }
}

static uint64_t
together(const kn_space *space, const uint32_t *least, const uint32_t *greatest,
         const uint32_t *other_least, const uint32_t *other_greatest)
{
    uint64_t sum = 0;

    for (size_t q = 0; q < space->nquasi; q++)
        sum += kn_space_side_cell(&space->sides[q],
                                  least[q] < other_least[q] ? least[q] : other_least[q],
                                  greatest[q] > other_greatest[q] ? greatest[q]
                                                                  : other_greatest[q]);
    return sum;
}

enum { WIDTH_MOST = 32, BOXES = 3000 };

static const problem_shape SHAPES[] = {
    { 3000, 3, 40, "2", "0" },
    { 400, 13, 6, "2", "0" },
    { 2500, 1, 4000, "2", "0" },
    { 30, 2, 1, "2", "0" },
};

TEST(scans_of_points_are_sums_of_cells)
{
    for (size_t s = 0; s < KN_COUNT(SHAPES); s++) {
        scan_fixture  x;
        kn_candidates crowd;
        kn_probe      probe;

        open_scan(&x, &SHAPES[s], 71 + s);
        CHECK_OK(x.f.ctx,
                 kn_candidates_init(&crowd, x.scanner, x.space->npoints, KN_CANDIDATE_POINTS));
        CHECK_OK(x.f.ctx, kn_probe_init(&probe, x.scanner));
        crowd.count = x.space->npoints;
        for (size_t p = 0; p < crowd.count; p++) {
            kn_candidates_put(&crowd, p, x.space->ranks + p * x.space->width, NULL);
            crowd.weight[p] = 1;
        }
        for (int turn = 0; turn < 60; turn++) {
            uint32_t least[WIDTH_MOST], greatest[WIDTH_MOST];
            size_t   nearest = 0, furthest = 0;

            random_box(&x, least, greatest);
            kn_probe_set(&probe, least, greatest);
            kn_candidates_measure(&crowd, &probe);
            for (int grown = 0; grown < 3; grown++) {
                for (size_t p = 0; p < crowd.count; p++) {
                    const uint32_t *ranks = x.space->ranks + p * x.space->width;

                    CHECK_EQ_U64(crowd.apart[p],
                                 together(x.space, probe.least, probe.greatest, ranks, ranks));
                    nearest = crowd.apart[p] < crowd.apart[nearest] ? p : nearest;
                    furthest = crowd.apart[p] > crowd.apart[furthest] ? p : furthest;
                }
                CHECK(crowd.apart[kn_candidates_least(&crowd)] == crowd.apart[nearest]);
                CHECK(crowd.apart[kn_candidates_most(&crowd)] == crowd.apart[furthest]);
                kn_candidates_grow(&crowd, &probe,
                                   x.space->ranks
                                       + kn_rng_below(&x.rng, crowd.count) * x.space->width);
                nearest = furthest = 0;
            }
        }
        kn_candidates_fini(&crowd);
        kn_probe_fini(&probe);
        close_scan(&x);
    }
}

TEST(scans_of_boxes_are_sums_of_cells)
{
    for (size_t s = 0; s < KN_COUNT(SHAPES); s++) {
        scan_fixture  x;
        kn_candidates crowd;
        kn_probe      probe;
        uint32_t     *boxes = calloc((size_t) BOXES * 2 * WIDTH_MOST, sizeof *boxes);

        CHECK(boxes);
        open_scan(&x, &SHAPES[s], 81 + s);
        CHECK_OK(x.f.ctx, kn_candidates_init(&crowd, x.scanner, BOXES, KN_CANDIDATE_BOXES));
        CHECK_OK(x.f.ctx, kn_probe_init(&probe, x.scanner));
        crowd.count = BOXES;
        for (size_t b = 0; b < BOXES; b++) {
            random_box(&x, boxes + 2 * b * WIDTH_MOST, boxes + (2 * b + 1) * WIDTH_MOST);
            kn_candidates_put(&crowd, b, boxes + 2 * b * WIDTH_MOST,
                              boxes + (2 * b + 1) * WIDTH_MOST);
            crowd.weight[b] = 1;
        }
        for (int turn = 0; turn < 40; turn++) {
            uint32_t least[WIDTH_MOST], greatest[WIDTH_MOST];

            random_box(&x, least, greatest);
            kn_probe_set(&probe, least, greatest);
            kn_candidates_measure(&crowd, &probe);
            for (size_t b = 0; b < BOXES; b++)
                CHECK_EQ_U64(crowd.apart[b],
                             together(x.space, least, greatest, boxes + 2 * b * WIDTH_MOST,
                                      boxes + (2 * b + 1) * WIDTH_MOST));
        }
        free(boxes);
        kn_candidates_fini(&crowd);
        kn_probe_fini(&probe);
        close_scan(&x);
    }
}

/* Values at the edges: zero, the greatest, missing, and lengths that are no multiple of a vector. */
TEST(all_sets_of_loops_agree)
{
    static const uint32_t edges[] = { 0, 1, 2, 255, 1u << 24, UINT32_MAX - 1, UINT32_MAX };
    const kn_scan_loops  *plain = NULL;
    uint32_t              lo[77], hi[77], weights[77], out[77], expected[77], ends[4];
    kn_rng                rng;

    for (size_t i = 0; kn_scan_loops_at(i); i++)
        plain = kn_scan_loops_at(i);
    CHECK_STR(plain->name, "plain");
    kn_rng_init(&rng, 91, 0);
    for (int turn = 0; turn < 4000; turn++) {
        kn_term term = { (unsigned) kn_rng_below(&rng, 4), 0,
                         edges[kn_rng_below(&rng, 6)],     0,
                         (uint32_t) kn_rng_next(&rng),     kn_rng_below(&rng, 2) ? UINT32_MAX : 0 };
        size_t  count = kn_rng_below(&rng, KN_COUNT(lo) + 1);

        term.hi = edges[kn_rng_below(&rng, 6)];
        if (term.hi < term.lo)
            term.hi = term.lo;
        for (size_t i = 0; i < KN_COUNT(lo); i++) {
            lo[i] = edges[kn_rng_below(&rng, KN_COUNT(edges))];
            hi[i] = edges[kn_rng_below(&rng, KN_COUNT(edges))];
            hi[i] = hi[i] < lo[i] ? lo[i] : hi[i];
            weights[i] = (uint32_t) kn_rng_below(&rng, 3);
        }
        for (size_t s = 0; kn_scan_loops_at(s); s++)
            for (int boxes = 0; boxes < 2; boxes++) {
                memset(out, 7, sizeof out);
                memset(expected, 7, sizeof expected);
                kn_scan_loops_at(s)->add(&term, lo, boxes ? hi : lo, count, out);
                plain->add(&term, lo, boxes ? hi : lo, count, expected);
                CHECK(memcmp(out, expected, sizeof out) == 0);
                kn_scan_loops_at(s)->span(lo, weights, count, &ends[0], &ends[1]);
                plain->span(lo, weights, count, &ends[2], &ends[3]);
                CHECK(ends[0] == ends[2] && ends[1] == ends[3]);
            }
    }
}

/* Those that are taken are found no more, and the rest stay in order. */
TEST(crowds_forget_who_is_gone)
{
    static const problem_shape shape = { 2500, 2, 900, "2", "0" };
    scan_fixture               x;
    kn_candidates              crowd;
    kn_probe                   probe;
    uint64_t                   keys[16];
    kn_near                    near = { 0, 0, keys, 0 };
    size_t                     left, from = 0;

    open_scan(&x, &shape, 97);
    CHECK_OK(x.f.ctx, kn_candidates_init(&crowd, x.scanner, x.space->npoints, KN_CANDIDATE_POINTS));
    CHECK_OK(x.f.ctx, kn_probe_init(&probe, x.scanner));
    left = crowd.count = x.space->npoints;
    for (size_t p = 0; p < crowd.count; p++) {
        kn_candidates_put(&crowd, p, x.space->ranks + p * x.space->width, NULL);
        crowd.weight[p] = 1 + (uint32_t) p % 2;
        crowd.id[p] = (uint32_t) p;
    }
    for (; left > 20; left -= near.count) {
        const uint32_t *ranks = x.space->ranks + from * x.space->width;
        size_t          most;
        uint32_t        id;

        kn_probe_set(&probe, ranks, ranks);
        kn_candidates_measure(&crowd, &probe);
        kn_candidates_nearest(&crowd, 15, &near);
        CHECK(near.rows >= 15 && near.rows <= 16 && near.count <= 15);
        for (size_t i = 0; i < near.count; i++) {
            CHECK(i == 0 || near.keys[i] > near.keys[i - 1]);
            kn_candidates_take(&crowd, kn_near_place(&near, i),
                               crowd.weight[kn_near_place(&near, i)]);
        }
        for (size_t p = 0; p < crowd.count; p++) /* nobody left was nearer */
            CHECK(!crowd.weight[p]
                  || ((uint64_t) crowd.apart[p] << 32 | p) > near.keys[near.count - 1]);
        CHECK(crowd.weight[kn_candidates_least(&crowd)] > 0);
        most = kn_candidates_most(&crowd);
        id = crowd.id[most];
        kn_candidates_compact(&crowd, &most);
        CHECK_EQ_U64(crowd.id[most], id);
        CHECK_EQ_U64(crowd.count - crowd.gone, left - near.count);
        for (size_t p = 1; p < crowd.count; p++)
            CHECK(crowd.id[p] > crowd.id[p - 1]);
        from = id;
    }
    kn_candidates_fini(&crowd);
    kn_probe_fini(&probe);
    close_scan(&x);
}

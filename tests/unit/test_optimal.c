/* SPDX-License-Identifier: Apache-2.0 */
/* test_optimal.c -- src/search/optimal*: what it claims to have proven, held against looking at every node of
 * thousands of small random lattices, whole and cut short at every budget; threads, memory, time. */
#include "search_fixture.h"

static const char *const suppressions[] = { "0", "0.05", "0.2", "0.1", "0.02", "0.4" };
static const char *const ks[] = { "2", "3", "5", "4", "8" };

static void
open_round(problem_fixture *f, size_t round, size_t columns, kn_rng *rng)
{
    problem_shape shape = { 12 + round % 13 * 9, columns, 2 + round % 17, ks[round / 3 % 5],
                            suppressions[round % 6] };

    problem_random(f, &shape, rng);
}

/* What is claimed must be true: bound <= optimum <= best, and equal where it says so. */
static void
check_claims(const kn_outcome *out, const best_losses *t, size_t metric, const char *budget)
{
    double best = t->best[metric], slack = 1e-9 * (best > 1 ? best : 1);

    CHECK(out->feasible == t->feasible);
    if (!out->feasible)
        return;
    if (out->lower_bound > best + slack)
        FAIL("%s, %s looks: bound %.17g, but the best is %.17g", kn_metric_at(metric)->info.name,
             budget, out->lower_bound, best);
    if (out->score.loss < best - slack)
        FAIL("%s, %s looks: loss %.17g, below the best %.17g", kn_metric_at(metric)->info.name,
             budget, out->score.loss, best);
    if (out->optimal && out->score.loss > best + slack)
        FAIL("%s, %s looks: %.17g is claimed to be the best, which is %.17g",
             kn_metric_at(metric)->info.name, budget, out->score.loss, best);
}

static void
check_whole(const problem_fixture *f, const best_losses *t, size_t metric, uint64_t seed,
            const char *cover)
{
    static const char *const efforts[] = { "0", "10" };
    request                  r = { &kn_search_optimal,
                                   kn_metric_at(metric),
                                   { { "effort", efforts[seed % 2] }, { "cover", cover } },
                                   2,
                                   seed,
                                   1 + (unsigned) seed % 2,
                                   0 };
    kn_outcome               out;

    CHECK_OK(f->ctx, run(f, &r, &out));
    check_claims(&out, t, metric, "all");
    if (!out.feasible)
        return;
    CHECK(out.optimal);
    CHECK_STR(out.stopped, "complete");
    CHECK_NEAR(out.lower_bound, out.score.loss, 0);
}

TEST(what_is_proven_is_true)
{
    kn_rng rng;

    kn_rng_init(&rng, 71, 0);
    for (size_t round = 0; round < test_either(100, 400); round++) {
        problem_fixture f;
        best_losses     t;

        open_round(&f, round, 2 + round % 3, &rng);
        t = find_best_losses(&f);
        for (size_t i = 0; kn_metric_at(i); i++)
            for (int cover = 0; cover < 2; cover++)
                check_whole(&f, &t, i, round + i, cover ? "on" : "off");
        problem_close(&f);
    }
}

TEST(a_bound_is_true_wherever_it_is_cut)
{
    static const char *const budgets[] = { "1",  "2",  "3",   "5",   "9",   "14",  "22",  "40",
                                           "75", "99", "150", "240", "410", "700", "1200" };
    kn_rng                   rng;

    kn_rng_init(&rng, 72, 0);
    for (size_t round = 0; round < test_either(20, 60); round++) {
        problem_fixture f;
        best_losses     t;

        open_round(&f, round * 7, 3 + round % 2, &rng);
        t = find_best_losses(&f);
        for (size_t i = 0; kn_metric_at(i); i++)
            for (size_t b = 0; b < KN_COUNT(budgets); b++) {
                request    r = { &kn_search_optimal,
                                 kn_metric_at(i),
                                 { { "max-evaluations", budgets[b] },
                                   { "effort", b % 2 ? "0" : "10" },
                                   { "cover", (b + round) % 3 ? "off" : "on" } },
                                 3,
                                 round,
                                 1,
                                 0 };
                kn_outcome out;

                CHECK_OK(f.ctx, run(&f, &r, &out));
                check_claims(&out, &t, i, budgets[b]);
                CHECK(!out.feasible || out.evaluations <= strtoull(budgets[b], NULL, 10));
            }
        problem_close(&f);
    }
}

/* Boxes that are taken from a full heap go down instead of being kept. */
TEST(few_open_boxes_are_enough)
{
    kn_rng rng;

    kn_rng_init(&rng, 73, 0);
    for (size_t round = 0; round < 60; round++) {
        problem_fixture f;
        best_losses     t;

        open_round(&f, round * 5 + 1, 4, &rng);
        t = find_best_losses(&f);
        for (size_t i = 0; kn_metric_at(i); i++) {
            request    r = { &kn_search_optimal,
                             kn_metric_at(i),
                             { { "max-boxes", "1" }, { "effort", "0" }, { "cover", "off" } },
                             3,
                             round,
                             1,
                             0 };
            kn_outcome out;

            CHECK_OK(f.ctx, run(&f, &r, &out));
            check_claims(&out, &t, i, "all");
            CHECK(!out.feasible || out.optimal);
        }
        problem_close(&f);
    }
}

/* The sum over quasi-identifiers is a lower bound of every metric at every feasible node, and rises. */
TEST(the_terms_of_a_metric_are_below_it)
{
    kn_rng rng;

    kn_rng_init(&rng, 74, 0);
    for (size_t round = 0; round < 40; round++) {
        problem_fixture f;
        kn_workspace   *ws = NULL;
        kn_engine      *engine = NULL;

        open_round(&f, round * 11, 3, &rng);
        CHECK_OK(f.ctx, kn_workspace_new(f.ctx, &f.p.view, SIZE_MAX, &ws));
        CHECK_OK(f.ctx, kn_engine_new(f.ctx, &f.p.view,
                                      &(kn_engine_options){ .most_classes = SIZE_MAX }, &engine));
        for (size_t i = 0; kn_metric_at(i); i++) {
            const char *name = kn_metric_at(i)->info.name;
            uint8_t     node[KN_QUASI_MOST] = { 0 };
            kn_meter   *meter = NULL;

            CHECK_OK(f.ctx, kn_meter_new(f.ctx, kn_metric_at(i), &f.p.scale, &f.p.privacy,
                                         kn_engine_coarse(engine), &meter));
            do {
                kn_grouping    grouping;
                kn_measured    m;
                kn_column_loss columns[16];
                double         sum = 0, value;

                kn_group(ws, node, &grouping);
                CHECK_OK(f.ctx,
                         kn_measure(f.ctx, &(kn_judged){ &f.p.scale, &f.p.privacy, &grouping },
                                    node, &m, columns));
                if (m.suppressed > f.p.privacy.allowed)
                    continue;
                value = *kn_metrics_find(&m.metrics, name);
                for (size_t q = 0; q < f.p.lattice.n; q++) {
                    sum += kn_meter_term(meter, q, node[q])
                         + (double) m.suppressed * kn_meter_lost(meter, q, node[q]);
                    CHECK(kn_meter_lost(meter, q, node[q]) >= -1e-15);
                }
                if (sum > value + 1e-9 * (value > 1 ? value : 1))
                    FAIL("%s: the terms make %.17g, the metric is %.17g", name, sum, value);
                if (strcmp(name, "log") == 0 || strcmp(name, "height") == 0
                    || strcmp(name, "precision") == 0)
                    CHECK_NEAR(sum, value, 1e-9 * (value > 1 ? value : 1));
            } while (problem_next_node(&f, node));
            kn_meter_free(meter);
        }
        kn_engine_free(engine);
        kn_workspace_free(ws);
        problem_close(&f);
    }
}

/* --- larger lattices ----------------------------------------------------------------------------------- */

static void
open_large(problem_fixture *f, uint64_t seed)
{
    problem_shape shape = { 400, 9, 12, "3", "0.1" };
    kn_rng        rng;

    kn_rng_init(&rng, seed, 0);
    problem_random(f, &shape, &rng);
}

/* Two exact searches that share no more than the check of a node: boxes, and a bit for each node. */
TEST(the_same_as_exhaustive)
{
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_height, &kn_metric_precision };

    for (uint64_t seed = 75; seed < 78; seed++) {
        problem_fixture f;

        open_large(&f, seed);
        for (size_t m = 0; m < KN_COUNT(metrics); m++) {
            request r = { &kn_search_optimal, metrics[m], { { "cover", "off" } }, 1, seed, 2, 0 };
            request plain = { &kn_search_exhaustive, metrics[m], { { NULL, NULL } }, 0, 1, 2, 0 };
            kn_outcome out, expected;

            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK_OK(f.ctx, run(&f, &plain, &expected));
            CHECK(out.optimal && expected.optimal);
            CHECK_NEAR(out.score.loss, expected.score.loss, 1e-9);
            r.nparams = 0;
            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK(out.optimal);
            CHECK_NEAR(out.score.loss, expected.score.loss, 1e-9);
        }
        problem_close(&f);
    }
}

/* Above a million nodes the search begins with boxes, and goes over to a bit for each node where the first
 * clauses are of little help: many rows, few values. */
TEST(the_same_from_boxes_to_bits)
{
    problem_shape          shape = { 1500, 11, 12, "3", "0.02" };
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_precision };
    problem_fixture        f;
    kn_rng                 rng;

    kn_rng_init(&rng, 83, 0);
    problem_random(&f, &shape, &rng);
    CHECK(kn_lattice_nodes(f.p.lattice.n, f.p.lattice.floor, f.p.lattice.top) > 1e6);
    for (size_t m = 0; m < KN_COUNT(metrics); m++) {
        request    r = { &kn_search_optimal, metrics[m], { { "cover", "off" } }, 1, 5, 2, 0 };
        kn_outcome boxes, bits;

        CHECK_OK(f.ctx, run(&f, &r, &boxes));
        r.nparams = 0;
        CHECK_OK(f.ctx, run(&f, &r, &bits));
        CHECK(boxes.optimal && bits.optimal);
        CHECK(boxes.evaluations != bits.evaluations); /* they did go different ways */
        CHECK_NEAR(boxes.score.loss, bits.score.loss, 1e-9);
    }
    problem_close(&f);
}

TEST(threads_do_not_show)
{
    static const char *const budgets[] = { "500", "3000", "20000", "1e15" };
    const kn_metric_class   *metrics[] = { &kn_metric_log, &kn_metric_precision, &kn_metric_glm };
    problem_fixture          f;

    open_large(&f, 79);
    for (size_t m = 0; m < KN_COUNT(metrics); m++)
        for (size_t b = 0; b < KN_COUNT(budgets) - (m == 2); b++) {
            for (int cover = 0; cover < 2; cover++) {
                request    r = { &kn_search_optimal,
                                 metrics[m],
                                 { { "max-evaluations", budgets[b] },
                                   { "cover", cover ? "on" : "off" } },
                                 2,
                                 5,
                                 1,
                                 0 };
                kn_outcome one, more;

                CHECK_OK(f.ctx, run(&f, &r, &one));
                for (r.threads = 2; r.threads <= 3; r.threads++) {
                    CHECK_OK(f.ctx, run(&f, &r, &more));
                    check_same(&one, &more, f.p.lattice.n);
                }
            }
        }
    problem_close(&f);
}

TEST(the_time_limit_is_kept)
{
    problem_shape          shape = { 1500, 24, 40, "3", "0.1" };
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_dm, &kn_metric_entropy };
    problem_fixture        f;
    kn_rng                 rng;
    size_t                 cut = 0;

    kn_rng_init(&rng, 80, 0);
    problem_random(&f, &shape, &rng);
    for (size_t m = 0; m < KN_COUNT(metrics); m++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            request r = { &kn_search_optimal, metrics[m], { { NULL, NULL } }, 0, 1, threads, 0.2 };
            double  start = kn_seconds();
            kn_outcome out;

            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK(out.feasible);
            CHECK(kn_seconds() - start < 5);
            if (out.optimal) /* a fast machine */
                continue;
            cut++;
            CHECK(out.lower_bound < out.score.loss);
            CHECK_STR(out.stopped, "time-limit");
        }
    CHECK(cut >= 2); /* dm has a bound too weak for any machine */
    problem_close(&f);
}

/* --- memory --------------------------------------------------------------------------------------------- */

static kanon_status
search_once(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_glm, &kn_metric_cm };
    const kn_setting       off = { "cover", "off" };
    kanon_status           rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && i < 2 * KN_COUNT(metrics); i++) {
        kn_search_problem p = { .ctx = ctx,
                                .view = &f->p.view,
                                .scale = &f->p.scale,
                                .privacy = &f->p.privacy,
                                .metric = metrics[i / 2],
                                .lattice = &f->p.lattice,
                                .params = &off,
                                .nparams = i % 2,
                                .seed = 1,
                                .threads = 2 };
        kn_outcome        out;

        rc = kn_search_run(&kn_search_optimal, &p, &out);
        CHECK(rc != KANON_OK || out.optimal);
    }
    return rc;
}

TEST(every_allocation_may_fail)
{
    check_allocations((problem_shape){ 40, 3, 6, "2", "0.1" }, 81, search_once, 100);
}

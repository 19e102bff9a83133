/* SPDX-License-Identifier: Apache-2.0 */
/* test_weights.c -- weights of quasi-identifiers, from the settings to the release: what a search finds under
 * weights is held against looking at every node, and a job tells and refuses what it should. */
#include "job_fixture.h"
#include "search_fixture.h"

enum { QUASI_MOST = 4 };

/* --- searches ----------------------------------------------------------------------------------------- */

/* A few heavy ones, some light ones, some that do not count; never all of them. */
static void
draw_weights(kn_rng *rng, size_t n, double *weights)
{
    static const double choices[] = { 0, 0.25, 1, 1, 3, 40 };

    for (size_t i = 0; i < n; i++)
        weights[i] = choices[kn_rng_below(rng, KN_COUNT(choices))];
    weights[kn_rng_below(rng, n)] = 2;
}

/* The exact ones must find the best node of every metric; nobody may claim more than is true. */
static void
check_searches(const problem_fixture *f, const double *best)
{
    for (size_t s = 0; search_at(s); s++)
        for (size_t i = 0; kn_metric_at(i); i++) {
            request    r = { .search = search_at(s), .metric = kn_metric_at(i), .seed = s + i };
            double     slack = 1e-9 * (best[i] > 1 ? best[i] : 1);
            kn_outcome out;

            r.threads = 1;
            CHECK_OK(f->ctx, run(f, &r, &out));
            CHECK(out.feasible && out.score.loss >= best[i] - slack
                  && out.lower_bound <= best[i] + slack);
            if (r.search == &kn_search_exhaustive || r.search == &kn_search_optimal)
                CHECK(out.optimal);
            if (out.optimal && out.score.loss > best[i] + slack)
                FAIL("%s: %s %.17g is no optimum, %.17g is", r.search->info.name,
                     r.metric->info.name, out.score.loss, best[i]);
        }
}

TEST(searches_minimise_the_weighted_loss)
{
    static const char *const suppressions[] = { "0", "0.1", "0.3" };
    static const char *const ks[] = { "2", "3", "5" };
    kn_rng                   rng;
    size_t                   feasible = 0, rounds = test_either(18, 60);

    kn_rng_init(&rng, 91, 0);
    for (size_t round = 0; round < rounds; round++) {
        problem_shape shape = { 12 + round % 9 * 8, 2 + round % 3, 3 + round % 9, ks[round / 3 % 3],
                                suppressions[round % 3] };
        double        weights[QUASI_MOST];
        best_losses   t;
        problem_fixture f;

        problem_random(&f, &shape, &rng);
        draw_weights(&rng, f.p.lattice.n, weights);
        f.p.scale.weights = weights;
        t = find_best_losses(&f);
        if (t.feasible)
            check_searches(&f, t.best);
        feasible += t.feasible;
        problem_close(&f);
    }
    CHECK(feasible > rounds * 2 / 3);
}

/* The terms that a search may add up: at most the metric, and the metric itself where that is promised. */
TEST(terms_add_up_to_the_weighted_loss)
{
    kn_rng rng;

    kn_rng_init(&rng, 92, 0);
    for (size_t round = 0; round < 12; round++) {
        problem_shape   shape = { 30 + round * 5, 2 + round % 3, 5, "3", round % 2 ? "0.3" : "0" };
        double          weights[QUASI_MOST];
        problem_fixture f;
        kn_engine      *engine = NULL;
        kn_tally       *tally = NULL;
        kn_engine_options options = { .most_classes = SIZE_MAX, .want = KN_WANT_LOST };

        problem_random(&f, &shape, &rng);
        draw_weights(&rng, f.p.lattice.n, weights);
        f.p.scale.weights = weights;
        CHECK_OK(f.ctx, kn_engine_new(f.ctx, &f.p.view, &options, &engine));
        CHECK_OK(f.ctx, kn_tally_new(engine, &tally));
        for (size_t i = 0; kn_metric_at(i); i++) {
            const kn_metric_class *metric = kn_metric_at(i);
            kn_meter              *meter = NULL;
            uint8_t                node[KN_QUASI_MOST] = { 0 };

            CHECK_OK(f.ctx, kn_meter_new(f.ctx, metric, &f.p.scale, &f.p.privacy,
                                         kn_engine_coarse(engine), &meter));
            do {
                kn_counted counted;
                double     score, sum = 0;

                kn_count(tally, node, f.p.privacy.k, f.p.privacy.allowed, KN_WANT_LOST, &counted);
                if (!counted.complete)
                    continue;
                score = kn_meter_score(meter, node, &counted);
                for (size_t q = 0; q < f.p.lattice.n; q++)
                    sum += kn_meter_term(meter, q, node[q])
                         + (double) counted.outlying * kn_meter_lost(meter, q, node[q]);
                CHECK(!kn_loss_less(score, sum));
                if (metric == &kn_metric_log || metric == &kn_metric_precision
                    || ((metric->needs & KN_METRIC_CELLS) && !counted.outlying))
                    CHECK_NEAR(sum, score, 1e-9);
            } while (problem_next_node(&f, node));
            kn_meter_free(meter);
        }
        kn_tally_free(tally);
        kn_engine_free(engine);
        problem_close(&f);
    }
}

/* --- jobs --------------------------------------------------------------------------------------------- */

/* Either column alone can be made coarser to reach k: the one that counts less is. */
static const char either[] = "a,b,c\n1,1,x\n1,2,x\n2,1,y\n2,2,y\n";

static void
report_of(const job *j, kn_text *report)
{
    static const kanon_format formats[] = { KANON_FORMAT_JSON, KANON_FORMAT_DETAILS };

    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink, *json = NULL;
    kanon_result *result;
    size_t        length;
    const void   *bytes;

    CHECK_OK(ctx, run_job(ctx, j, &sink, &result));
    for (size_t i = 0; i < KN_COUNT(formats); i++) {
        CHECK_OK(ctx, kanon_sink_memory(ctx, &json));
        CHECK_OK(ctx, kanon_result_write(ctx, result, formats[i], json));
        bytes = kanon_sink_bytes(json, &length);
        kn_text_add(report, (kn_str){ bytes, length });
        kanon_sink_free(json);
    }
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

static void
check_report(const char *weight, const char *more, const char *const *expected)
{
    kanon_ctx *ctx = plain_ctx();
    job        j = { either,
                     { "qi", "a,b", "k", "2", "suppression", "0", "header", "yes", "weight", weight,
                       "weight", more } };
    kn_text    report;

    kn_text_init(&report, ctx);
    report_of(&j, &report);
    for (; *expected; expected++)
        if (!strstr(report.ptr, *expected))
            FAIL("'%s' is not in the report:\n%s", *expected, report.ptr);
    kn_text_fini(&report);
    kanon_ctx_free(ctx);
}

TEST(what_counts_less_is_given_up_first)
{
    static const char *const heavy_a[] = { "\"levels\": {\n      \"a\": 0,\n      \"b\": 1\n",
                                           "\"weights\": {\n      \"a\": 3,\n      \"b\": 1\n",
                                           "\"log\": 0.25,", "; weights: a 3, else 1", NULL };
    static const char *const heavy_b[] = { "\"levels\": {\n      \"a\": 1,\n      \"b\": 0\n",
                                           "\"log\": 0.2,", "; weights: a 0.5, b 2, else 1", NULL };

    check_report("a=3", "a=3", heavy_a);
    check_report("a=0.5", "b=2", heavy_b);
}

TEST(without_weights_there_is_no_word_of_them)
{
    kanon_ctx *ctx = plain_ctx();
    job        j = { either, { "qi", "a,b", "k", "2", "header", "yes" } };
    kn_text    report;

    kn_text_init(&report, ctx);
    report_of(&j, &report);
    CHECK(!strstr(report.ptr, "weights"));
    kn_text_fini(&report);
    kanon_ctx_free(ctx);
}

TEST(something_has_to_count)
{
    static const char *const bad[] = { "a=0", "b=0.0000000000000000000001" };
    kanon_ctx               *ctx = plain_ctx();
    job                      j = { either, { "qi", "a,b", "weight", bad[0], "weight", bad[1] } };
    kanon_sink              *sink;
    kanon_result            *result;

    CHECK_STATUS(ctx, run_job(ctx, &j, &sink, &result), KANON_E_INVALID);
    CHECK_STR(kanon_ctx_message(ctx),
              "weight: every quasi-identifier has weight 0; at least one must be above 0");
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

TEST(a_weight_without_the_role_is_warned_of)
{
    kanon_ctx    *ctx = plain_ctx();
    job           j = { either, { "qi", "a", "weight", "c=0", "weight", "a=2", "header", "yes" } };
    kanon_sink   *sink;
    kanon_result *result;

    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    CHECK_EQ_U64(kanon_ctx_warning_count(ctx), 1);
    CHECK_STR(kanon_ctx_warning(ctx, 0),
              "column 'c' has a weight but no role, so the weight has no effect; "
              "give it the role quasi, or remove the weight");
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_ctx_free(ctx);
}

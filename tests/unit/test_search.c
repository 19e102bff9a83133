/* SPDX-License-Identifier: Apache-2.0 */
/* test_search.c -- src/search: floors, exhaustive, random and kgen against looking at every node of random
 * lattices; budget, time, cancel, threads, failing memory. */
#include "privacy/registry.h"
#include "search_fixture.h"

/* --- every node, by hand ----------------------------------------------------------------------------- */

typedef struct truth {
    uint64_t feasible, nodes;
    uint8_t  best[KN_QUASI_MOST];
    double   loss;
    uint64_t outlying;
} truth;

/* Loss, then suppressed rows, then levels. */
static bool
better(const truth *t, size_t n, const uint8_t *node, double loss, uint64_t outlying)
{
    if (!t->feasible || kn_loss_less(loss, t->loss))
        return true;
    if (kn_loss_less(t->loss, loss))
        return false;
    return outlying != t->outlying ? outlying < t->outlying : memcmp(node, t->best, n) < 0;
}

/* Looks at all nodes of the whole lattice, those below the floors too. */
static truth
look_at_all(const problem_fixture *f, const kn_metric_class *metric)
{
    const kn_problem *p = &f->p;
    size_t            n = p->lattice.n;
    kn_workspace     *ws = NULL;
    uint8_t           node[KN_QUASI_MOST] = { 0 };
    truth             t;

    memset(&t, 0, sizeof t);
    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &p->view, SIZE_MAX, &ws));
    do {
        kn_grouping    grouping;
        kn_measured    m;
        kn_column_loss columns[16];
        double         loss;

        t.nodes++;
        kn_group(ws, node, &grouping);
        CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping }, node,
                                    &m, columns));
        if (m.suppressed > p->privacy.allowed)
            continue;
        if (!kn_node_below(n, p->lattice.floor, node))
            FAIL("a feasible node below the floor");
        loss = *kn_metrics_find(&m.metrics, metric->info.name);
        if (better(&t, n, node, loss, m.suppressed)) {
            memcpy(t.best, node, n);
            t.loss = loss;
            t.outlying = m.suppressed;
        }
        t.feasible++;
    } while (problem_next_node(f, node));
    kn_workspace_free(ws);
    return t;
}

static const char *const suppressions[] = { "0", "0.05", "0.2", "0.5", "1" };
static const char *const ks[] = { "2", "3", "5", "1", "90" };

static void
open_round(problem_fixture *f, size_t round, kn_rng *rng)
{
    problem_shape shape = { 10 + round % 7 * 12, 1 + round % 3, 3 + round % 11, ks[round / 2 % 5],
                            suppressions[round % 5] };

    problem_random(f, &shape, rng);
}

TEST(no_feasible_node_lies_below_a_floor)
{
    kn_rng rng;

    kn_rng_init(&rng, 51, 0);
    for (size_t round = 0; round < 40; round++) {
        problem_fixture f;
        truth           t;

        open_round(&f, round, &rng);
        t = look_at_all(&f, &kn_metric_log); /* fails at such a node */
        for (size_t i = 0; t.feasible && i < f.p.lattice.n; i++)
            CHECK(f.p.lattice.floor[i] <= t.best[i]);
        problem_close(&f);
    }
}

/* The KGEN paper's Table 8: three rows, k = 2, one of them may go; the spec's bounds are 2, 1, 0. */
TEST(floors_of_the_paper)
{
    problem_fixture f;

    problem_begin(&f, NULL);
    problem_set(&f, "qi", "age,zip,sex");
    problem_set(&f, "hierarchy", "age=range:5,10");
    problem_set(&f, "hierarchy", "zip=mask:right");
    problem_set(&f, "type", "zip=string");
    problem_set(&f, "k", "2");
    problem_set(&f, "suppression", "0.35");
    kn_text_addz(&f.csv, "age,zip,sex\n24,80015,F\n28,80019,M\n42,85073,F\n");
    problem_open(&f);
    CHECK_EQ_U64(f.p.privacy.allowed, 1);
    CHECK_EQ_U64(f.p.lattice.floor[0], 2);
    CHECK_EQ_U64(f.p.lattice.floor[1], 1);
    CHECK_EQ_U64(f.p.lattice.floor[2], 0);
    look_at_all(&f, &kn_metric_log);
    problem_close(&f);
}

static void
check_exact(const problem_fixture *f, const kn_metric_class *metric, const char *prune)
{
    request    r = { &kn_search_exhaustive, metric, { { "prune", prune } }, 1, 1, 1, 0 };
    truth      t = look_at_all(f, metric);
    kn_outcome out;
    double     box = kn_lattice_nodes(f->p.lattice.n, f->p.lattice.floor, f->p.lattice.top);

    CHECK_OK(f->ctx, run(f, &r, &out));
    CHECK(out.feasible == (t.feasible > 0));
    if (!out.feasible)
        return;
    if (memcmp(out.levels, t.best, f->p.lattice.n) != 0)
        FAIL("%s, prune %s: another node (loss %.17g, best %.17g)", metric->info.name, prune,
             out.score.loss, t.loss);
    CHECK_NEAR(out.score.loss, t.loss, 1e-9 * (t.loss > 1 ? t.loss : 1));
    CHECK_EQ_U64(out.score.outlying, t.outlying);
    CHECK(out.optimal);
    CHECK_NEAR(out.lower_bound, out.score.loss, 0);
    CHECK_STR(out.stopped, "complete");
    CHECK((double) out.evaluations <= box);
    if (strcmp(prune, "off") == 0)
        CHECK_EQ_U64(out.evaluations, box);
}

TEST(exhaustive_finds_the_best_node)
{
    kn_rng rng;

    kn_rng_init(&rng, 52, 0);
    for (size_t round = 0; round < 30; round++) {
        problem_fixture f;

        open_round(&f, round, &rng);
        for (size_t i = 0; kn_metric_at(i); i++) {
            check_exact(&f, kn_metric_at(i), "on");
            check_exact(&f, kn_metric_at(i), "off");
        }
        problem_close(&f);
    }
}

TEST(other_searches_are_feasible_and_never_better)
{
    kn_rng rng;

    kn_rng_init(&rng, 53, 0);
    for (size_t round = 0; round < 20; round++) {
        problem_fixture f;

        open_round(&f, round, &rng);
        for (size_t i = 0; kn_metric_at(i); i++) {
            truth   t = look_at_all(&f, kn_metric_at(i));
            request requests[] = {
                { &kn_search_kgen,
                  kn_metric_at(i),
                  { { "max-evaluations", "60" }, { "population", "10" } },
                  2,
                  7,
                  1,
                  0 },
                { &kn_search_kgen,
                  kn_metric_at(i),
                  { { "selection", "literal" }, { "population", "20" } },
                  2,
                  7,
                  1,
                  0 },
                { &kn_search_random, kn_metric_at(i), { { "max-evaluations", "40" } }, 1, 7, 1, 0 },
            };

            for (size_t q = 0; q < KN_COUNT(requests); q++) {
                kn_outcome out;

                CHECK_OK(f.ctx, run(&f, &requests[q], &out));
                CHECK(out.feasible == (t.feasible > 0));
                if (!out.feasible)
                    continue;
                CHECK(out.score.feasible && out.score.outlying <= f.p.privacy.allowed);
                CHECK(!kn_loss_less(out.score.loss, t.loss));
                CHECK(!kn_loss_less(t.loss, out.lower_bound));
                CHECK(!out.optimal || !kn_loss_less(t.loss, out.score.loss));
                CHECK(kn_node_below(f.p.lattice.n, f.p.lattice.floor, out.levels));
                CHECK(kn_node_below(f.p.lattice.n, out.levels, f.p.lattice.top));
            }
        }
        problem_close(&f);
    }
}

/* --- a larger lattice ---------------------------------------------------------------------------------- */

static void
open_large(problem_fixture *f)
{
    problem_shape shape = { 300, 8, 30, "2", "0.4" };
    kn_rng        rng;

    kn_rng_init(&rng, 54, 0);
    problem_random(f, &shape, &rng);
}

TEST(threads_do_not_show)
{
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_entropy, &kn_metric_cm };
    problem_fixture        f;

    open_large(&f);
    for (size_t m = 0; m < KN_COUNT(metrics); m++) {
        request requests[] = {
            { &kn_search_kgen,
              metrics[m],
              { { "max-evaluations", "300" }, { "population", "30" } },
              2,
              3,
              1,
              0 },
            { &kn_search_random, metrics[m], { { "max-evaluations", "250" } }, 1, 3, 1, 0 },
        };

        for (size_t q = 0; q < KN_COUNT(requests); q++) {
            kn_outcome one, more;

            CHECK_OK(f.ctx, run(&f, &requests[q], &one));
            for (unsigned threads = 2; threads <= 5; threads += 3) {
                requests[q].threads = threads;
                CHECK_OK(f.ctx, run(&f, &requests[q], &more));
                check_same(&one, &more, f.p.lattice.n);
            }
            requests[q].threads = 1;
            requests[q].seed = 4;
            CHECK_OK(f.ctx, run(&f, &requests[q], &more));
            if (requests[q].search == &kn_search_random)
                CHECK(memcmp(one.levels, more.levels, f.p.lattice.n) != 0
                      || one.predicted != more.predicted);
        }
    }
    problem_close(&f);
}

TEST(exhaustive_with_threads)
{
    problem_shape   shape = { 150, 3, 20, "3", "0.1" };
    problem_fixture f;
    kn_outcome      one, more;
    kn_rng          rng;

    kn_rng_init(&rng, 55, 0);
    problem_random(&f, &shape, &rng);
    for (unsigned threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
        request r = {
            &kn_search_exhaustive, &kn_metric_glm, { { "prune", "off" } }, 1, 1, threads, 0
        };

        CHECK_OK(f.ctx, run(&f, &r, threads == 1 ? &one : &more));
        if (threads > 1)
            check_same(&one, &more, f.p.lattice.n);
    }
    problem_close(&f);
}

TEST(the_budget_is_kept_exactly)
{
    static const char *const budgets[] = { "1", "2", "3", "50", "101", "333" };
    problem_fixture          f;

    open_large(&f);
    for (size_t b = 0; b < KN_COUNT(budgets); b++) {
        request requests[] = {
            { &kn_search_kgen, &kn_metric_glm, { { "max-evaluations", budgets[b] } }, 1, 5, 1, 0 },
            { &kn_search_kgen,
              &kn_metric_glm,
              { { "max-evaluations", budgets[b] }, { "population", "7" } },
              2,
              5,
              3,
              0 },
        };
        request r = {
            &kn_search_random, &kn_metric_log, { { "max-evaluations", budgets[b] } }, 1, 5, 1, 0
        };
        kn_outcome out;

        for (size_t q = 0; q < KN_COUNT(requests); q++) {
            CHECK_OK(f.ctx, run(&f, &requests[q], &out));
            CHECK(out.feasible);
            CHECK_EQ_U64(out.evaluations, strtoull(budgets[b], NULL, 10));
            CHECK_STR(out.stopped, "max-evaluations");
        }
        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(out.feasible && out.evaluations <= strtoull(budgets[b], NULL, 10));
        CHECK_STR(out.stopped, "max-evaluations");
    }
    problem_close(&f);
}

TEST(a_small_lattice_ends_before_the_budget)
{
    problem_shape   shape = { 30, 2, 8, "3", "0" };
    request         r = { &kn_search_kgen, &kn_metric_log, { { "stall", "5" } }, 1, 1, 1, 0 };
    kn_outcome      out;
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 56, 0);
    problem_random(&f, &shape, &rng);
    CHECK_OK(f.ctx, run(&f, &r, &out));
    CHECK_STR(out.stopped, "stalled");
    problem_close(&f);
}

TEST(the_time_limit_is_kept)
{
    const kn_search_class *searches[] = { &kn_search_kgen, &kn_search_random,
                                          &kn_search_exhaustive };
    problem_fixture        f;

    open_large(&f);
    for (size_t s = 0; s < KN_COUNT(searches); s++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            request    r = { searches[s], &kn_metric_glm, { { NULL, NULL } }, 0, 1, threads, 1e-9 };
            double     start = kn_seconds();
            kn_outcome out;

            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK(out.feasible
                  && out.score.outlying <= f.p.privacy.allowed); /* the top, at least */
            CHECK_STR(out.stopped, "time-limit");
            CHECK(!out.optimal || !kn_loss_less(out.lower_bound, out.score.loss));
            r.time_limit_s = 0.05;
            r.params[0] = (kn_setting){ searches[s] == &kn_search_exhaustive ? "max-nodes"
                                                                             : "max-evaluations",
                                        "1e15" };
            r.params[1] = searches[s] == &kn_search_kgen ? (kn_setting){ "stall", "1e9" }
                                                         : (kn_setting){ "prune", "off" };
            r.nparams = searches[s] == &kn_search_random ? 1 : 2;
            CHECK_OK(f.ctx, run(&f, &r, &out));
            CHECK_STR(out.stopped, "time-limit");
            CHECK(kn_seconds() - start < 5);
        }
    problem_close(&f);
}

TEST(a_search_can_be_cancelled)
{
    check_cancelled(&kn_search_kgen);
    check_cancelled(&kn_search_random);
    check_cancelled(&kn_search_exhaustive);
}

TEST(nothing_feasible_is_said_so)
{
    problem_shape   shape = { 10, 2, 4, "90", "0.5" };
    problem_fixture f;
    kn_rng          rng;
    kn_outcome      out;

    kn_rng_init(&rng, 57, 0);
    problem_random(&f, &shape, &rng);
    for (size_t i = 0; search_at(i); i++) {
        request r = { search_at(i), &kn_metric_log, { { NULL, NULL } }, 0, 1, 1, 0 };

        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(!out.feasible && !out.optimal);
        CHECK_EQ_U64(out.least_outlying, 10);
        CHECK_STR(out.stopped, "infeasible");
    }
    problem_close(&f);
}

TEST(too_many_nodes_are_refused)
{
    problem_fixture f;
    request    r = { &kn_search_exhaustive, &kn_metric_log, { { "max-nodes", "10" } }, 1, 1, 1, 0 };
    kn_outcome out;

    open_large(&f);
    CHECK(run(&f, &r, &out) == KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(f.ctx), "max-nodes"));
    r.params[1] = (kn_setting){ "max-evaluations", "40" }; /* unless something ends the search */
    r.nparams = 2;
    CHECK_OK(f.ctx, run(&f, &r, &out));
    CHECK(out.feasible && out.evaluations <= 40);
    problem_close(&f);
}

/* A lattice of n columns with so many levels each, and so many tuples: all that auto looks at. */
static kn_search_choice
choose(size_t n, uint8_t levels, size_t tuples, const kn_metric_class *metric,
       const kn_privacy *privacy)
{
    kn_view           view = { .ntuples = tuples };
    kn_lattice        lattice = { .n = n };
    kn_search_problem p = {
        .view = &view, .lattice = &lattice, .metric = metric, .privacy = privacy
    };

    memset(lattice.top, levels - 1, n);
    return kn_search_auto(&p);
}

static bool
names_itself(const kn_search_choice *choice)
{
    return strstr(choice->why, choice->search->info.name) != NULL
        && (!choice->then || strstr(choice->why_late, choice->then->info.name));
}

TEST(auto_proves_where_that_is_quick)
{
    static const kn_privacy plain = { .k = 2 };
    kn_search_choice        choice = choose(3, 10, 1000, &kn_metric_log, &plain);

    CHECK(choice.search == &kn_search_exhaustive && !choice.most_evaluations && !choice.then);
    CHECK(names_itself(&choice));
    for (size_t i = 0; kn_metric_at(i); i++) {
        const char *name = kn_metric_at(i)->info.name;
        bool        flat = strcmp(name, "dm") == 0 || strcmp(name, "cm") == 0;

        choice = choose(20, 10, 1000, kn_metric_at(i), &plain);
        CHECK(choice.search == (flat ? &kn_search_kgen : &kn_search_optimal) && !choice.then);
        CHECK(flat ? !choice.most_evaluations : choice.most_evaluations == 4000000);
        CHECK(names_itself(&choice));
    }
    choice = choose(20, 10, 3000000, &kn_metric_glm, &plain);
    CHECK(choice.search == &kn_search_kgen && strstr(choice.why, "rows"));
    CHECK(choose(20, 1, 3000000, &kn_metric_glm, &plain).search == &kn_search_exhaustive);
    /* a table with many rows and few nodes: what kgen would take is enough to look at most of them */
    choice = choose(6, 6, 3000000, &kn_metric_glm, &plain);
    CHECK(choice.search == &kn_search_exhaustive && choice.then == &kn_search_kgen);
    CHECK(choice.most_evaluations == 5000 && names_itself(&choice));
}

TEST(auto_proves_with_models_too)
{
    static const kn_model diverse = { .class = &kn_model_distinct },
                          close = { .class = &kn_model_t_equal };
    static const kn_model *const models[] = { &diverse, &close };
    kn_privacy                   steady = { .k = 2, .models = models, .nmodels = 1, .allowed = 0 };
    kn_privacy       unsteady = { .k = 2, .models = models + 1, .nmodels = 1, .allowed = 100 };
    kn_search_choice choice;

    CHECK(kn_privacy_monotone(&steady) && !kn_privacy_monotone(&unsteady));
    /* 4,096 nodes of 20,000 tuples: no more looks than kgen takes, whatever the models decide */
    choice = choose(6, 4, 20000, &kn_metric_entropy, &unsteady);
    CHECK(choice.search == &kn_search_exhaustive && !choice.then && !choice.most_evaluations);
    /* 15,625: one after the other too many, but if bounds decide half of them it is enough */
    choice = choose(6, 5, 20000, &kn_metric_entropy, &unsteady);
    CHECK(choice.search == &kn_search_exhaustive && choice.then == &kn_search_kgen);
    CHECK(choice.most_evaluations == 10000 && names_itself(&choice));
    /* 262,144: only where one look decides many of them */
    CHECK(choose(9, 4, 20000, &kn_metric_entropy, &unsteady).search == &kn_search_kgen);
    choice = choose(9, 4, 20000, &kn_metric_entropy, &steady);
    CHECK(choice.search == &kn_search_exhaustive && choice.then == &kn_search_kgen);
    choice = choose(20, 4, 20000, &kn_metric_entropy, &steady);
    CHECK(choice.search == &kn_search_kgen && strstr(choice.why, "privacy models"));
}

/* --- memory --------------------------------------------------------------------------------------------- */

static kanon_status
search_once(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    const kn_metric_class *metrics[] = { &kn_metric_glm, &kn_metric_cm };
    kanon_status           rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && search_at(i); i++) {
        kn_setting        params[] = { { "max-evaluations", "30" } };
        kn_search_problem p = { ctx,
                                &f->p.view,
                                &f->p.scale,
                                &f->p.privacy,
                                metrics[i % 2],
                                &f->p.lattice,
                                params,
                                1,
                                1,
                                2,
                                0,
                                0 };
        kn_outcome        out;

        rc = kn_search_run(search_at(i), &p, &out);
    }
    return rc;
}

TEST(every_allocation_may_fail)
{
    check_allocations((problem_shape){ 25, 2, 6, "2", "0.1" }, 61, search_once, 40);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_kgen.c -- KGEN's operators one by one, its switches, and the parameters of all searches. */
#include "search/kgen.h"

#include "search/search.h"
#include "search_fixture.h"

/* --- KGEN's operators ---------------------------------------------------------------------------------- */

/* The paper's example: minimum 00000, actual 22222, maximum 44444, half of the components. */
TEST(horizontal_mutation_of_the_paper)
{
    kn_lattice l = { .n = 5, .top = { 4, 4, 4, 4, 4 } };
    size_t     chosen[5], up[5] = { 0 }, down[5] = { 0 }, moved[5] = { 0 };
    kn_rng     rng;

    kn_rng_init(&rng, 58, 0);
    for (int draw = 0; draw < 9000; draw++) {
        uint8_t node[5] = { 2, 2, 2, 2, 2 };
        size_t  changed = 0;

        kn_kgen_mutate_horizontally(&l, 0.5, &rng, chosen, node);
        for (size_t i = 0; i < 5; i++) {
            CHECK(node[i] <= 4);
            changed += node[i] != 2;
            if (i != chosen[0] && i != chosen[1])
                CHECK_EQ_U64(node[i], 2);
            else
                moved[i]++;
        }
        CHECK(changed <= 2 && chosen[0] != chosen[1]);
        CHECK(node[chosen[0]] >= 2 && node[chosen[1]] <= 2);
        up[node[chosen[0]]]++;
        down[node[chosen[1]]]++;
    }
    for (size_t level = 2; level <= 4; level++) {
        CHECK_NEAR((double) up[level], 3000, 250);
        CHECK_NEAR((double) down[4 - level], 3000, 250);
    }
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR((double) moved[i], 3600, 250);
}

TEST(horizontal_mutation_stays_within_bounds)
{
    kn_rng rng;

    kn_rng_init(&rng, 59, 0);
    for (size_t n = 1; n <= KN_QUASI_MOST; n += n < 8 ? 1 : 60)
        for (int draw = 0; draw < 200; draw++) {
            kn_lattice l = { .n = n };
            size_t     chosen[KN_QUASI_MOST], changed = 0;
            uint8_t    node[KN_QUASI_MOST], before[KN_QUASI_MOST];
            double     share = kn_rng_unit(&rng);

            for (size_t i = 0; i < n; i++) {
                l.top[i] = (uint8_t) kn_rng_below(&rng, 256);
                l.floor[i] = (uint8_t) kn_rng_below(&rng, (uint64_t) l.top[i] + 1);
            }
            kn_node_random(n, l.floor, l.top, &rng, node);
            memcpy(before, node, n);
            kn_kgen_mutate_horizontally(&l, share, &rng, chosen, node);
            CHECK(kn_node_below(n, l.floor, node) && kn_node_below(n, node, l.top));
            for (size_t i = 0; i < n; i++)
                changed += node[i] != before[i];
            CHECK(changed <= (share * (double) n > 2 ? (size_t) (share * (double) n) : 2));
        }
}

TEST(mutation_moves_one_component_to_another_level)
{
    kn_lattice l = { .n = 4, .floor = { 0, 1, 3, 0 }, .top = { 2, 5, 3, 255 } };
    size_t     counts[4][256] = { { 0 } }, still = 0;
    kn_rng     rng;

    kn_rng_init(&rng, 60, 0);
    for (int draw = 0; draw < 12000; draw++) {
        uint8_t node[4] = { 1, 5, 3, 0 }, before[4] = { 1, 5, 3, 0 };
        size_t  changed = 0;

        kn_kgen_mutate(&l, &rng, node);
        CHECK(kn_node_below(4, l.floor, node) && kn_node_below(4, node, l.top));
        for (size_t i = 0; i < 4; i++)
            if (node[i] != before[i]) {
                changed++;
                counts[i][node[i]]++;
            }
        CHECK(changed <= 1);
        still += changed == 0;
    }
    CHECK_NEAR((double) still, 3000, 300); /* the component without another level */
    CHECK_EQ_U64(counts[2][3], 0);
    for (size_t level = 0; level <= 2; level += 2)
        CHECK_NEAR((double) counts[0][level], 1500, 200);
    for (size_t level = 1; level <= 4; level++)
        CHECK_NEAR((double) counts[1][level], 750, 150);
    CHECK_EQ_U64(counts[1][5] + counts[0][1] + counts[3][0], 0);
}

/* --- KGEN's switches ---------------------------------------------------------------------------------- */

static const kn_setting switches[] = { { "tags", "off" }, { "elite", "off" }, { "local", "on" } };

static void
open_random(problem_fixture *f, const char *suppression, uint64_t seed)
{
    problem_shape shape = { 70, 5, 9, "2", suppression };
    kn_rng        rng;

    kn_rng_init(&rng, seed, 0);
    problem_random(f, &shape, &rng);
}

TEST(switches_do_not_show_the_threads)
{
    const kn_metric_class *metrics[] = { &kn_metric_log, &kn_metric_glm };
    problem_fixture        f;

    open_random(&f, "0.05", 62);
    for (size_t i = 0; i < KN_COUNT(switches) * KN_COUNT(metrics); i++) {
        request    r = { &kn_search_kgen,
                         metrics[i % KN_COUNT(metrics)],
                         { { "max-evaluations", "250" }, { "population", "30" } },
                         3,
                         3,
                         1,
                         0 };
        kn_outcome one, more;

        r.params[2] = switches[i / KN_COUNT(metrics)];
        CHECK_OK(f.ctx, run(&f, &r, &one));
        CHECK(one.feasible && one.evaluations <= 250);
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            r.threads = threads;
            CHECK_OK(f.ctx, run(&f, &r, &more));
            check_same(&one, &more, f.p.lattice.n);
        }
    }
    problem_close(&f);
}

TEST(switches_stand_where_the_default_says)
{
    request         plain = { &kn_search_kgen,
                              &kn_metric_log,
                              { { "population", "10" }, { "max-evaluations", "100" } },
                              2,
                              5,
                              1,
                              0 };
    request         said = { &kn_search_kgen,
                             &kn_metric_log,
                             { { "tags", "on" }, { "elite", "on" }, { "local", "off" } },
                             3,
                             5,
                             1,
                             0 };
    kn_outcome      a, b;
    problem_fixture f;

    open_random(&f, "0.05", 63);
    for (size_t i = 0; i < KN_COUNT(switches); i++) { /* each does something */
        CHECK_OK(f.ctx, run(&f, &plain, &a));
        plain.params[2] = switches[i];
        plain.nparams = 3;
        CHECK_OK(f.ctx, run(&f, &plain, &b));
        plain.nparams = 2;
        CHECK(a.predicted > 0 && a.predicted != b.predicted);
        CHECK((b.predicted == 0) == (strcmp(switches[i].key, "tags") == 0));
    }
    plain.nparams = 0;
    CHECK_OK(f.ctx, run(&f, &plain, &a));
    CHECK_OK(f.ctx, run(&f, &said, &b));
    check_same(&a, &b, f.p.lattice.n);
    problem_close(&f);
}

/* May a node be released? Looked up in the table, without the search. */
static bool
allowed(const problem_fixture *f, kn_workspace *ws, const uint8_t *node)
{
    kn_grouping    grouping;
    kn_measured    m;
    kn_column_loss columns[16];

    kn_group(ws, node, &grouping);
    CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &f->p.scale, &f->p.privacy, &grouping }, node,
                                &m, columns));
    return m.suppressed <= f->p.privacy.allowed;
}

/* Under LOG a lower node is always better, so a local search that had time enough ends where no component
 * can go down; and it is no worse than the same run without. */
TEST(local_search_ends_at_a_minimal_node)
{
    static const char *const suppressions[] = { "0", "0.05", "0.2" };
    size_t                   gained = 0;

    for (uint64_t round = 0; round < 12; round++) {
        request         r = { &kn_search_kgen,
                              &kn_metric_log,
                              { { "population", "6" }, { "stall", "1" }, { "local", "off" } },
                              3,
                              round,
                              1,
                              0 };
        kn_outcome      off, on;
        kn_workspace   *ws = NULL;
        problem_fixture f;

        open_random(&f, suppressions[round % 3], 70 + round);
        CHECK_OK(f.ctx, run(&f, &r, &off));
        r.params[2].value = "on";
        CHECK_OK(f.ctx, run(&f, &r, &on));
        CHECK(!kn_loss_less(off.score.loss, on.score.loss));
        gained += kn_loss_less(on.score.loss, off.score.loss);
        CHECK_OK(f.ctx, kn_workspace_new(f.ctx, &f.p.view, SIZE_MAX, &ws));
        CHECK(allowed(&f, ws, on.levels));
        for (size_t i = 0; i < f.p.lattice.n; i++)
            if (on.levels[i] > 0) {
                on.levels[i]--;
                CHECK(!allowed(&f, ws, on.levels));
                on.levels[i]++;
            }
        kn_workspace_free(ws);
        problem_close(&f);
    }
    CHECK(gained > 0);
}

static kanon_status
search_once(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    kn_setting             params[] = { { "max-evaluations", "60" },
                                        { "population", "8" },
                                        { "tags", "off" },
                                        { "elite", "off" },
                                        { "local", "on" } };
    kn_search_problem      p = { ctx,
                                 &f->p.view,
                                 &f->p.scale,
                                 &f->p.privacy,
                                 &kn_metric_glm,
                                 &f->p.lattice,
                                 params,
                                 KN_COUNT(params),
                                 1,
                                 2,
                                 0,
                                 0 };
    kn_outcome             out;

    return kn_search_run(&kn_search_kgen, &p, &out);
}

TEST(every_allocation_with_switches_may_fail)
{
    problem_fixture f;

    open_random(&f, "0.1", 64);
    CHECK(failing_alloc_sweep(search_once, &f) > 20);
    problem_close(&f);
}

/* --- parameters ----------------------------------------------------------------------------------------- */

static void
check_refused(const kn_search_class *search, const char *key, const char *value,
              const char *message)
{
    kanon_ctx *ctx = NULL;
    kn_setting one = { key, value };
    double     values[32];

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK(kn_params_parse(ctx, &search->info, &one, 1, values) == KANON_E_INVALID);
    if (!strstr(kanon_ctx_message(ctx), message))
        FAIL("the message is \"%s\", expected \"%s\"", kanon_ctx_message(ctx), message);
    kanon_ctx_free(ctx);
}

TEST(parameters_are_checked)
{
    kanon_ctx *ctx = NULL;
    kn_setting two[] = { { "population", "12" }, { "selection", "literal" } };
    double     values[32];

    check_refused(&kn_search_kgen, "populaton", "5", "did you mean 'population'?");
    check_refused(&kn_search_kgen, "max-evaluation", "5", "did you mean 'max-evaluations'?");
    check_refused(&kn_search_kgen, "zzzzzzzz", "5", "kanon algorithms");
    check_refused(&kn_search_kgen, "population", "1", "expected 2 to 100000");
    check_refused(&kn_search_kgen, "population", "2.5", "is not a whole number");
    check_refused(&kn_search_kgen, "population", "", "is not a whole number");
    check_refused(&kn_search_kgen, "crossover", "1.01", "out of bounds");
    check_refused(&kn_search_kgen, "crossover", "much", "is not a number");
    check_refused(&kn_search_kgen, "selection", "roulette", "corrected|literal");
    check_refused(&kn_search_exhaustive, "prune", "yes", "on|off");
    check_refused(&kn_search_random, "population", "5", "random has no such parameter");
    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    CHECK_OK(ctx, kn_params_parse(ctx, &kn_search_kgen.info, two, 2, values));
    CHECK_NEAR(values[0], 12, 0);
    CHECK_NEAR(values[1], 5000, 0);
    CHECK_NEAR(values[2], 0.9, 1e-12);
    CHECK_NEAR(values[6], 1, 0);
    for (size_t i = 0; search_at(i); i++) /* every default is within its own bounds */
        CHECK_OK(ctx, kn_params_parse(ctx, &search_at(i)->info, NULL, 0, values));
    kanon_ctx_free(ctx);
}

TEST(searches_and_algorithms_have_the_same_names)
{
    CHECK_STR(kanon_algorithm_at(0)->name, "auto");
    for (size_t i = 0; search_at(i); i++) {
        CHECK(kn_algorithm_find(search_at(i)->info.name)->method == search_at(i));
        CHECK_STR(kanon_algorithm_at(i + 1)->name, search_at(i)->info.name);
    }
    CHECK(kn_algorithm_find("auto")->run == NULL && kn_algorithm_find("") == NULL);
    for (size_t i = 0; kn_metric_at(i); i++) {
        CHECK(kn_metric_find(kn_metric_at(i)->info.name) == kn_metric_at(i));
        CHECK_STR(kanon_metric_at(i)->name, kn_metric_at(i)->info.name);
    }
    CHECK(kn_metric_find("nothing") == NULL);
}

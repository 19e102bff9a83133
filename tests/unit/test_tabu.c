/* SPDX-License-Identifier: Apache-2.0 */
/* test_tabu.c -- ga, tabu and ga-tabu: the operators one by one, the rules of a walk watched from inside a
 * search, the searches against exhaustive on random tables, threads, budgets, failing memory, and the
 * metric that a job takes when none is chosen. */
#include "job_fixture.h"
#include "search/population.h"
#include "search/tabu_walk.h"
#include "search_fixture.h"

static const kn_search_class *const searches[] = { &kn_search_ga, &kn_search_tabu,
                                                   &kn_search_ga_tabu };

/* --- crossover ------------------------------------------------------------------------------------------ */

TEST(crossing_exchanges_the_tails)
{
    for (size_t cut = 0; cut <= 5; cut++) {
        uint8_t a[5] = { 0, 1, 2, 3, 4 }, b[5] = { 10, 11, 12, 13, 14 };

        kn_cross_at(5, cut, a, b);
        for (size_t i = 0; i < 5; i++) {
            CHECK_EQ_U64(a[i], i < cut ? i : i + 10);
            CHECK_EQ_U64(b[i], i < cut ? i + 10 : i);
        }
    }
}

static void
open_population(kn_population *p, kanon_ctx *ctx, size_t n, size_t count)
{
    memset(p, 0, sizeof *p);
    CHECK_OK(ctx, kn_population_init(p, ctx, n, count));
    for (size_t i = 0; i < count; i++) {
        memset(p->nodes + i * n, (int) i, n); /* member i has level i everywhere */
        p->scores[i] = (kn_score){ true, 0, 1 };
    }
}

/* Head of one parent, tail of the other, every cut equally often; the sibling has the rest. */
TEST(children_are_one_point_crossings)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_lattice    l = { .n = 5, .top = { 9, 9, 9, 9, 9 } };
    kn_population p;
    size_t        cuts[5] = { 0 }, crossed = 0;
    kn_rng        rng;

    kn_rng_init(&rng, 71, 0);
    open_population(&p, ctx, 5, 9); /* odd: the last pair has one child */
    for (int round = 0; round < 1000; round++) {
        kn_population_breed(&p, &l, &rng);
        for (size_t i = 0; i + 1 < 9; i += 2) {
            const uint8_t *a = p.children + i * 5, *b = a + 5;
            size_t         cut = 1;

            CHECK(a[0] < 9 && b[0] < 9);
            while (cut < 5 && a[cut] == a[0])
                cut++;
            for (size_t c = 0; c < 5; c++) {
                CHECK_EQ_U64(a[c], c < cut ? a[0] : b[0]);
                CHECK_EQ_U64(b[c], c < cut ? b[0] : a[0]);
            }
            if (a[0] == b[0])
                continue; /* a parent with itself */
            CHECK(cut < 5);
            cuts[cut]++;
            crossed++;
        }
    }
    for (size_t cut = 1; cut < 5; cut++)
        CHECK_NEAR((double) cuts[cut], (double) crossed / 4, 150);
    kn_population_replace(&p);
    CHECK(p.nodes != p.children);
    kn_population_fini(&p);
    kanon_ctx_free(ctx);
}

/* --- the wheel ------------------------------------------------------------------------------------------ */

static void
spin(const kn_population *p, const kn_lattice *l, size_t *hits, int spins)
{
    double wheel[8];
    kn_rng rng;

    kn_rng_init(&rng, 72, 0);
    memset(hits, 0, 8 * sizeof *hits);
    kn_wheel_fill(p, l, wheel);
    for (int i = 0; i < spins; i++)
        hits[kn_wheel_spin(wheel, p->count, &rng)]++;
}

TEST(the_wheel_favours_small_losses)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_lattice    l = { .n = 2, .top = { 4, 4 } };
    size_t        hits[8];
    kn_population p;

    open_population(&p, ctx, 2, 3);
    for (size_t i = 0; i < 3; i++)
        p.scores[i].loss = 1u << i; /* 1, 2, 4: shares 4/7, 2/7, 1/7 */
    spin(&p, &l, hits, 7000);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR((double) hits[i], 4000.0 / (1u << i), 250);
    p.scores[0].loss = 0; /* nothing beats it */
    spin(&p, &l, hits, 1000);
    CHECK_EQ_U64(hits[0], 1000);
    for (size_t i = 0; i < 3; i++)
        p.scores[i].loss = 0;
    spin(&p, &l, hits, 3000);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR((double) hits[i], 1000, 150);
    kn_population_fini(&p);
    kanon_ctx_free(ctx);
}

TEST(infeasible_nodes_have_less_than_any_feasible_one)
{
    kanon_ctx    *ctx = plain_ctx();
    kn_lattice    l = { .n = 2, .top = { 4, 4 }, .floor = { 0, 1 } };
    double        wheel[5];
    size_t        hits[8];
    kn_population p;

    open_population(&p, ctx, 2, 5);
    p.nodes[1] = 1; /* member 0 is the floor */
    for (size_t i = 0; i < 5; i++)
        p.scores[i] = (kn_score){ i == 2, UINT64_MAX, 8 };
    kn_wheel_fill(&p, &l, wheel);
    CHECK_NEAR(wheel[2] - wheel[1], 1.0 / 8, 1e-12);
    for (size_t i = 0; i < 5; i++) {
        double share = wheel[i] - (i ? wheel[i - 1] : 0);

        CHECK(share > 0);
        if (i != 2)
            CHECK(share <= 1.0 / 16 + 1e-12);
    }
    CHECK_NEAR(wheel[0], 1.0 / 16 / 8, 1e-12);        /* height 0 of 7 */
    CHECK_NEAR(wheel[4] - wheel[3], 1.0 / 16, 1e-12); /* the top */
    CHECK(wheel[3] - wheel[2] > wheel[1] - wheel[0]); /* the higher, the more */
    p.scores[2].feasible = false;                     /* and when there is nobody else */
    spin(&p, &l, hits, 1000);
    for (size_t i = 1; i < 5; i++)
        CHECK(hits[i] > hits[i - 1]);
    kn_population_fini(&p);
    kanon_ctx_free(ctx);
}

/* --- neighbours ----------------------------------------------------------------------------------------- */

static size_t
differences(size_t n, const uint8_t *a, const uint8_t *b)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += a[i] != b[i];
    return count;
}

/* As many as there are, all of them different, within the bounds, one component away: so it is all. */
TEST(neighbours_differ_in_one_component)
{
    kn_rng rng;

    kn_rng_init(&rng, 73, 0);
    for (int round = 0; round < 300; round++) {
        kn_lattice l = { .n = 1 + (size_t) kn_rng_below(&rng, 6) };
        uint8_t    node[6], out[30 * 6];
        size_t     count = 0, expected = 0;

        for (size_t i = 0; i < l.n; i++) {
            l.top[i] = (uint8_t) kn_rng_below(&rng, 6);
            l.floor[i] = (uint8_t) kn_rng_below(&rng, (uint64_t) l.top[i] + 1);
            expected += (size_t) l.top[i] - l.floor[i];
        }
        kn_node_random(l.n, l.floor, l.top, &rng, node);
        CHECK_EQ_U64(kn_neighbour_count(&l), expected);
        kn_neighbours(&l, node, out);
        for (; count < expected; count++) {
            const uint8_t *one = out + count * l.n;

            CHECK(kn_node_below(l.n, l.floor, one) && kn_node_below(l.n, one, l.top));
            CHECK_EQ_U64(differences(l.n, node, one), 1);
            for (size_t other = 0; other < count; other++)
                CHECK(memcmp(one, out + other * l.n, l.n) != 0);
        }
    }
}

/* --- the tabu list -------------------------------------------------------------------------------------- */

TEST(a_tabu_node_is_free_after_its_tenure)
{
    kanon_ctx *ctx = plain_ctx();
    uint8_t    a[2] = { 1, 2 }, b[2] = { 2, 1 };
    kn_tabu    tabu;

    memset(&tabu, 0, sizeof tabu);
    CHECK_OK(ctx, kn_tabu_init(&tabu, ctx, 2, 6, 7));
    CHECK(!kn_tabu_holds(&tabu, a, 0));
    kn_tabu_add(&tabu, a, 10);
    for (uint64_t now = 11; now <= 17; now++)
        CHECK(kn_tabu_holds(&tabu, a, now) && !kn_tabu_holds(&tabu, b, now));
    CHECK(!kn_tabu_holds(&tabu, a, 18));
    kn_tabu_add(&tabu, b, 18);
    kn_tabu_clear(&tabu);
    CHECK(!kn_tabu_holds(&tabu, b, 19));
    kn_tabu_fini(&tabu);
    kanon_ctx_free(ctx);
}

TEST(the_newest_push_out_the_oldest)
{
    kanon_ctx *ctx = plain_ctx();
    kn_tabu    tabu, none;

    memset(&tabu, 0, sizeof tabu);
    memset(&none, 0, sizeof none);
    CHECK_OK(ctx, kn_tabu_init(&tabu, ctx, 1, 3, 100));
    CHECK_OK(ctx, kn_tabu_init(&none, ctx, 1, 0, 100));
    for (uint8_t now = 1; now <= 20; now++) {
        kn_tabu_add(&tabu, &now, now);
        kn_tabu_add(&none, &now, now);
        for (uint8_t node = 1; node <= 20; node++) {
            CHECK(kn_tabu_holds(&tabu, &node, now + 1u) == (node <= now && node + 3 > now));
            CHECK(!kn_tabu_holds(&none, &node, now + 1u));
        }
    }
    kn_tabu_fini(&tabu);
    kn_tabu_fini(&none);
    kanon_ctx_free(ctx);
}

/* --- candidates ----------------------------------------------------------------------------------------- */

enum { FEASIBLE = 12, INFEASIBLE = 30, BOTH = FEASIBLE + INFEASIBLE };

static size_t
draw(kn_rng *rng, const kn_draw *how, size_t nfeasible, size_t ninfeasible, size_t *chosen)
{
    size_t       numbers[BOTH];
    kn_tabu_side feasible = { numbers, nfeasible },
                 infeasible = { numbers + nfeasible, ninfeasible };

    for (size_t i = 0; i < nfeasible + ninfeasible; i++)
        numbers[i] = i;
    return kn_draw_candidates(how, rng, &feasible, &infeasible, chosen);
}

/* 0.7 of the mass on 12 feasible nodes, 0.3 on 30 infeasible ones, uniform inside each. */
TEST(candidates_share_the_mass)
{
    kn_draw how = { 1, 0.7 };
    size_t  hits[BOTH] = { 0 }, feasible = 0, chosen[BOTH];
    kn_rng  rng;

    kn_rng_init(&rng, 74, 0);
    for (int round = 0; round < 60000; round++) {
        CHECK_EQ_U64(draw(&rng, &how, FEASIBLE, INFEASIBLE, chosen), 1);
        hits[chosen[0]]++;
        feasible += chosen[0] < FEASIBLE;
    }
    CHECK_NEAR((double) feasible, 42000, 500);
    for (size_t i = 0; i < BOTH; i++)
        CHECK_NEAR((double) hits[i], i < FEASIBLE ? 3500 : 600, i < FEASIBLE ? 290 : 130);
}

TEST(candidates_are_different_and_as_many_as_there_are)
{
    static const size_t sizes[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 }, { 10, 9 }, { FEASIBLE, 30 } };
    static const double shares[] = { 0, 0.7, 1 };
    kn_rng              rng;

    kn_rng_init(&rng, 75, 0);
    for (size_t s = 0; s < KN_COUNT(sizes); s++)
        for (size_t p = 0; p < KN_COUNT(shares); p++) {
            kn_draw how = { 20, shares[p] };
            size_t  all = sizes[s][0] + sizes[s][1], chosen[20], count, feasible = 0;
            bool    seen[BOTH] = { false };

            count = draw(&rng, &how, sizes[s][0], sizes[s][1], chosen);
            CHECK_EQ_U64(count, all < 20 ? all : 20);
            for (size_t i = 0; i < count; i++) {
                CHECK(chosen[i] < all && !seen[chosen[i]]);
                seen[chosen[i]] = true;
                feasible += chosen[i] < sizes[s][0];
            }
            if (shares[p] == 1) /* the other side only where this one is used up */
                CHECK_EQ_U64(feasible, sizes[s][0] < 20 ? sizes[s][0] : 20);
            if (shares[p] == 0)
                CHECK_EQ_U64(count - feasible, sizes[s][1] < 20 ? sizes[s][1] : 20);
        }
}

/* --- a walk, watched from inside a search --------------------------------------------------------- */

enum { CYCLES = 40, LIST = 4 };

typedef struct watcher {
    kn_walks *walks;
    uint64_t  cycle;
    uint8_t   trail[2][CYCLES + 1][KN_QUASI_MOST]; /* where each of two walks has been */
} watcher;

static kanon_status
watch_init(void *self, kn_search_env *env, const kn_values *values)
{
    watcher      *w = self;
    kn_walk_rules rules = { { 1000, 0.7 }, LIST, 1000, false }; /* every neighbour is a candidate */

    KN_UNUSED(values);
    return kn_walks_new(env, &rules, 2, &w->walks);
}

static bool
on_trail(const watcher *w, size_t walk, size_t n, const uint8_t *node)
{
    for (uint64_t c = w->cycle < LIST ? 0 : w->cycle - LIST; c < w->cycle; c++)
        if (memcmp(w->trail[walk][c], node, n) == 0)
            return true;
    return false;
}

/* One component away from before, not where it has just been, and no neighbour that may be entered is
 * better. */
static void
check_move(const watcher *w, kn_search_env *env, size_t walk)
{
    const kn_lattice *l = kn_env_lattice(env);
    const uint8_t    *before = w->trail[walk][w->cycle - 1], *now = w->trail[walk][w->cycle];
    uint8_t           around[100 * 16];
    size_t            degree = kn_neighbour_count(l);
    kn_score          here, there;

    CHECK(degree <= 100 && l->n <= 16);
    CHECK_EQ_U64(differences(l->n, before, now), 1);
    CHECK(!on_trail(w, walk, l->n, now));
    CHECK_OK(kn_env_ctx(env), kn_env_check(env, now, &here));
    kn_neighbours(l, before, around);
    for (size_t i = 0; i < degree; i++) {
        const uint8_t *node = around + i * l->n;

        if (on_trail(w, walk, l->n, node))
            continue;
        CHECK_OK(kn_env_ctx(env), kn_env_check(env, node, &there));
        CHECK(here.feasible || !there.feasible);
        if (here.feasible && there.feasible)
            CHECK(here.loss <= there.loss);
        if (!here.feasible)
            CHECK(kn_node_height(l->n, now) >= kn_node_height(l->n, node));
    }
}

static kanon_status
watch_step(void *self, kn_search_env *env, kn_step *next)
{
    watcher          *w = self;
    const kn_lattice *l = kn_env_lattice(env);
    uint8_t           starts[2 * 16];
    kn_score          scores[2], best;
    size_t            count;

    if (w->cycle == 0) {
        memcpy(starts, l->top, l->n);
        kn_node_random(l->n, l->floor, l->top, kn_env_rng(env), starts + l->n);
        CHECK_OK(kn_env_ctx(env), kn_env_check_many(env, starts, 2, scores));
        kn_walks_start(w->walks, starts, scores);
        for (size_t walk = 0; walk < 2; walk++)
            memcpy(w->trail[walk][0], starts + walk * l->n, l->n);
    }
    w->cycle++;
    CHECK_OK(kn_env_ctx(env), kn_walks_cycle(w->walks, env));
    for (size_t walk = 0; walk < 2; walk++) {
        memcpy(w->trail[walk][w->cycle], kn_walks_at(w->walks, walk, &count), l->n);
        CHECK_EQ_U64(count, 1);
        check_move(w, env, walk);
        kn_walks_best(w->walks, walk, &best);
        CHECK(walk || best.feasible); /* the first one started at the top */
        CHECK(!best.feasible || best.loss >= kn_env_best(env));
    }
    *next = w->cycle == CYCLES ? KN_STEP_DONE : KN_STEP_MORE;
    return KANON_OK;
}

static void
watch_fini(void *self, kn_search_env *env)
{
    KN_UNUSED(env);
    kn_walks_free(((watcher *) self)->walks);
}

static const kanon_param     no_params[] = { { NULL, NULL, 0, 0, NULL, NULL } };
static const kn_search_class watch = {
    { "watch", "", "", 0, no_params, NULL }, sizeof(watcher), watch_init, watch_step, watch_fini
};

TEST(a_walk_goes_to_the_best_node_that_is_not_tabu)
{
    kn_rng rng;

    kn_rng_init(&rng, 76, 0);
    for (uint64_t round = 0; round < 12; round++) {
        problem_shape   shape = { 60, 3 + round % 3, 12, round % 2 ? "3" : "2",
                                round % 4 < 2 ? "0.1" : "0.3" };
        request         r = { &watch, &kn_metric_dm, { { NULL, NULL } }, 0, round, 2, 0 };
        kn_outcome      out;
        problem_fixture f;

        problem_random(&f, &shape, &rng);
        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK_STR(out.stopped, "complete");
        problem_close(&f);
    }
}

/* Literal: it stands on all candidates, which are different and each one component away from some node
 * where it stood before. */
static kanon_status
literal_init(void *self, kn_search_env *env, const kn_values *values)
{
    watcher      *w = self;
    kn_walk_rules rules = { { 8, 0.7 }, LIST, 1000, true };

    KN_UNUSED(values);
    return kn_walks_new(env, &rules, 1, &w->walks);
}

static kanon_status
literal_step(void *self, kn_search_env *env, kn_step *next)
{
    watcher          *w = self;
    const kn_lattice *l = kn_env_lattice(env);
    const uint8_t    *now;
    uint8_t           before[8 * 16];
    size_t            nbefore, count;
    kn_score          score;

    if (w->cycle == 0) {
        CHECK_OK(kn_env_ctx(env), kn_env_check(env, l->top, &score));
        kn_walks_start(w->walks, l->top, &score);
    }
    now = kn_walks_at(w->walks, 0, &nbefore);
    memcpy(before, now, nbefore * l->n);
    CHECK_OK(kn_env_ctx(env), kn_walks_cycle(w->walks, env));
    now = kn_walks_at(w->walks, 0, &count);
    CHECK_EQ_U64(count, 8);
    for (size_t i = 0; i < count; i++) {
        bool near = false;

        for (size_t j = 0; j < nbefore; j++)
            near = near || differences(l->n, now + i * l->n, before + j * l->n) == 1;
        CHECK(near);
        for (size_t j = 0; j < i; j++)
            CHECK(memcmp(now + i * l->n, now + j * l->n, l->n) != 0);
        for (size_t j = nbefore < LIST ? 0 : nbefore - LIST; j < nbefore; j++)
            CHECK(memcmp(now + i * l->n, before + j * l->n, l->n)
                  != 0); /* the last ones are tabu */
    }
    *next = ++w->cycle == CYCLES ? KN_STEP_DONE : KN_STEP_MORE;
    return KANON_OK;
}

static const kn_search_class literal = { { "literal", "", "", 0, no_params, NULL },
                                         sizeof(watcher),
                                         literal_init,
                                         literal_step,
                                         watch_fini };

TEST(a_literal_walk_stands_on_all_candidates)
{
    problem_shape   shape = { 60, 5, 12, "2", "0.2" };
    request         r = { &literal, &kn_metric_dm, { { NULL, NULL } }, 0, 1, 1, 0 };
    kn_outcome      out;
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 77, 0);
    problem_random(&f, &shape, &rng);
    CHECK_OK(f.ctx, run(&f, &r, &out));
    problem_close(&f);
}

/* --- the searches --------------------------------------------------------------------------------------- */

static const char *const suppressions[] = { "0", "0.05", "0.2", "0.5", "1" };
static const char *const ks[] = { "2", "3", "5", "1", "90" };

TEST(the_answer_is_feasible_and_never_better_than_the_best)
{
    kn_rng rng;

    kn_rng_init(&rng, 78, 0);
    for (size_t round = 0; round < test_either(5, 10); round++) {
        problem_shape   shape = { 10 + round % 7 * 12, 1 + round % 4, 3 + round % 11,
                                  ks[round / 2 % 5], suppressions[round % 5] };
        problem_fixture f;

        problem_random(&f, &shape, &rng);
        for (size_t i = 0; kn_metric_at(i); i++) {
            request exact = {
                &kn_search_exhaustive, kn_metric_at(i), { { NULL, NULL } }, 0, 1, 1, 0
            };
            kn_outcome best, out;

            CHECK_OK(f.ctx, run(&f, &exact, &best));
            for (size_t s = 0; s < 2 * KN_COUNT(searches); s++) {
                request r = { searches[s / 2],
                              kn_metric_at(i),
                              { { "cycles", "8" }, { s / 2 ? "walk" : "mutation", "1" } },
                              s % 2 ? 2 : 1,
                              round,
                              1,
                              0 };

                if (s / 2)
                    r.params[1].value = "literal";
                CHECK_OK(f.ctx, run(&f, &r, &out));
                CHECK(out.feasible == best.feasible);
                if (!out.feasible)
                    continue;
                CHECK(out.score.feasible && out.score.outlying <= f.p.privacy.allowed);
                CHECK(!kn_loss_less(out.score.loss, best.score.loss));
                CHECK(!out.optimal || !kn_loss_less(best.score.loss, out.score.loss));
                CHECK(kn_node_below(f.p.lattice.n, f.p.lattice.floor, out.levels));
                CHECK(kn_node_below(f.p.lattice.n, out.levels, f.p.lattice.top));
                CHECK_STR(out.stopped, "cycles");
            }
        }
        problem_close(&f);
    }
}

/* How many of 120 runs (12 tables of some thousand nodes, 10 seeds) end at the proven optimum. */
static size_t
hits_of(const kn_search_class *search, const char *key, const char *value)
{
    size_t hits = 0;
    kn_rng rng;

    kn_rng_init(&rng, 79, 0);
    for (size_t round = 0; round < 12; round++) {
        problem_shape shape = { 150, 5, 14, round % 2 ? "3" : "2", round % 4 < 2 ? "0.1" : "0.3" };
        request    exact = { &kn_search_exhaustive, &kn_metric_dm, { { NULL, NULL } }, 0, 1, 1, 0 };
        kn_outcome best, out;
        problem_fixture f;

        problem_random(&f, &shape, &rng);
        CHECK_OK(f.ctx, run(&f, &exact, &best));
        CHECK(best.optimal);
        for (uint64_t seed = 1; seed <= 10; seed++) {
            request r = { search, &kn_metric_dm, { { key, value } }, key != NULL, seed, 1, 0 };

            CHECK_OK(f.ctx, run(&f, &r, &out));
            hits += !kn_loss_less(best.score.loss, out.score.loss);
        }
        problem_close(&f);
    }
    return hits;
}

TEST(most_seeds_find_the_optimum_of_a_small_lattice)
{
    size_t ga = hits_of(&kn_search_ga, NULL, NULL), tabu = hits_of(&kn_search_tabu, NULL, NULL);
    size_t hybrid = hits_of(&kn_search_ga_tabu, NULL, NULL);
    size_t dice = hits_of(&kn_search_random, "max-evaluations", "150");

    if (ga < 112 || tabu < 65 || hybrid < 112)
        FAIL("the optimum in %zu runs by ga, %zu by tabu, %zu by ga-tabu", ga, tabu, hybrid);
    CHECK(dice < 40); /* so it is not for want of other nodes */
}

static void
open_large(problem_fixture *f)
{
    problem_shape shape = { 300, 8, 30, "2", "0.4" };
    kn_rng        rng;

    kn_rng_init(&rng, 80, 0);
    problem_random(f, &shape, &rng);
}

TEST(threads_do_not_show)
{
    static const kn_setting few[] = { { "cycles", "12" }, { "walk", "literal" } };
    problem_fixture         f;

    open_large(&f);
    for (size_t s = 0; s < 5; s++) { /* ga, tabu, ga-tabu; then literal walks of the last two */
        request r = {
            searches[s % 3 + s / 3], &kn_metric_dm, { few[0], few[1] }, 1 + s / 3, 3, 1, 0
        };
        kn_outcome one, more, other;

        CHECK_OK(f.ctx, run(&f, &r, &one));
        CHECK(one.evaluations > 100);
        for (r.threads = 2; r.threads <= 3; r.threads++) {
            CHECK_OK(f.ctx, run(&f, &r, &more));
            check_same(&one, &more, f.p.lattice.n);
        }
        r.seed = 4;
        CHECK_OK(f.ctx, run(&f, &r, &other));
        CHECK(other.evaluations != one.evaluations || other.predicted != one.predicted);
    }
    problem_close(&f);
}

TEST(the_budget_is_kept_and_does_not_bind_by_default)
{
    static const char *const budgets[] = { "1", "2", "50", "201" };
    problem_fixture          f;
    kn_outcome               out;

    open_large(&f);
    for (size_t s = 0; s < KN_COUNT(searches); s++) {
        request r = { searches[s], &kn_metric_dm, { { "cycles", "40" } }, 1, 5, 1, 0 };

        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(out.evaluations > 201);
        CHECK_STR(out.stopped, "cycles");
        for (size_t b = 0; b < KN_COUNT(budgets); b++)
            for (r.threads = 1; r.threads <= 3; r.threads += 2) {
                r.params[1] = (kn_setting){ "max-evaluations", budgets[b] };
                r.nparams = 2;
                CHECK_OK(f.ctx, run(&f, &r, &out));
                CHECK(out.feasible);
                CHECK_EQ_U64(out.evaluations, strtoull(budgets[b], NULL, 10));
                CHECK_STR(out.stopped, "max-evaluations");
            }
    }
    problem_close(&f);
}

/* The work that the parameters promise: nodes looked at are checked, implied or known already. */
TEST(cycles_bound_the_work)
{
    problem_fixture f;
    kn_outcome      out;
    size_t          degree;

    open_large(&f);
    degree = kn_neighbour_count(&f.p.lattice);
    for (size_t s = 0; s < KN_COUNT(searches); s++) {
        request r = { searches[s], &kn_metric_dm, { { "cycles", "3" } }, 1, 6, 1, 0 };
        size_t  most = searches[s] == &kn_search_ga   ? 20 * 4
                     : searches[s] == &kn_search_tabu ? 1 + 3 * degree
                                                      : 20 + 3 * (20 + 20 * 20 * degree);

        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(out.evaluations > 3 && out.evaluations + out.predicted <= most + 1); /* and the top */
    }
    problem_close(&f);
}

/* What the walks found is what the next generation is bred from: without that, eight generations of walks
 * of two steps end 15 % above the optimum. */
TEST(generations_build_on_their_walks)
{
    request    exact = { &kn_search_exhaustive, &kn_metric_dm, { { NULL, NULL } }, 0, 1, 2, 0 };
    kn_outcome best, out;
    problem_fixture f;
    double          sum = 0;

    open_large(&f);
    CHECK_OK(f.ctx, run(&f, &exact, &best));
    for (uint64_t seed = 1; seed <= 10; seed++) {
        request r = { &kn_search_ga_tabu,
                      &kn_metric_dm,
                      { { "tabu-cycles", "2" }, { "cycles", "8" } },
                      2,
                      seed,
                      1,
                      0 };

        CHECK_OK(f.ctx, run(&f, &r, &out));
        sum += out.score.loss;
    }
    if (sum / 10 > 1.05 * best.score.loss)
        FAIL("mean %g, the optimum is %g", sum / 10, best.score.loss);
    problem_close(&f);
}

TEST(the_time_limit_is_kept)
{
    problem_fixture f;

    open_large(&f);
    for (size_t s = 0; s < KN_COUNT(searches); s++) {
        request    r = { searches[s], &kn_metric_dm, { { "cycles", "1e9" } }, 1, 1, 2, 1e-9 };
        double     start = kn_seconds();
        kn_outcome out;

        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(out.feasible && out.score.outlying <= f.p.privacy.allowed); /* the top, at least */
        CHECK_STR(out.stopped, "time-limit");
        r.time_limit_s = 0.05;
        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK_STR(out.stopped, "time-limit");
        CHECK(kn_seconds() - start < 5);
    }
    problem_close(&f);
}

/* A lattice of one node has no neighbours, and none to cross. */
TEST(a_single_node_is_enough)
{
    for (size_t s = 0; s < 2 * KN_COUNT(searches); s++) {
        request         r = { searches[s / 2],
                              &kn_metric_dm,
                              { { "cycles", "5" }, { "walk", "literal" } },
                      s / 2 ? 1 + s % 2 : 1,
                              1,
                              1,
                              0 };
        kn_outcome      out;
        problem_fixture f;

        problem_begin(&f, NULL);
        problem_set(&f, "qi", "a");
        problem_set(&f, "k", "4");
        problem_set(&f, "suppression", "0");
        kn_text_addz(&f.csv, "a\nx\ny\nz\nx\n");
        problem_open(&f);
        CHECK_EQ_U64(kn_neighbour_count(&f.p.lattice), 0);
        CHECK_OK(f.ctx, run(&f, &r, &out));
        CHECK(out.feasible);
        CHECK_EQ_U64(out.evaluations, 1);
        CHECK_NEAR(out.score.loss, 16, 0);
        problem_close(&f);
    }
}

/* --- memory --------------------------------------------------------------------------------------------- */

typedef struct sweep {
    const problem_fixture *f;
    const kn_search_class *search;
    kn_setting             params[2];
    size_t                 nparams;
} sweep;

static kanon_status
search_once(kanon_ctx *ctx, void *user)
{
    const sweep      *s = user;
    kn_search_problem p = { .ctx = ctx,
                            .view = &s->f->p.view,
                            .scale = &s->f->p.scale,
                            .privacy = &s->f->p.privacy,
                            .metric = &kn_metric_dm,
                            .lattice = &s->f->p.lattice,
                            .params = s->params,
                            .nparams = s->nparams,
                            .seed = 1,
                            .threads = 2 };
    kn_outcome        out;

    return kn_search_run(s->search, &p, &out);
}

TEST(every_allocation_may_fail)
{
    problem_shape   shape = { 25, 3, 6, "2", "0.1" };
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 81, 0);
    problem_random(&f, &shape, &rng);
    for (size_t s = 0; s < 5; s++) {
        sweep one = {
            &f, searches[s % 3 + s / 3], { { "cycles", "4" }, { "walk", "literal" } }, 1 + s / 3
        };

        CHECK(failing_alloc_sweep(search_once, &one) > 20);
    }
    problem_close(&f);
}

/* --- the metric of a job -------------------------------------------------------------------------------- */

static void
check_metric(const char *algorithm, const char *metric, const char *expected)
{
    job           j = { "age,zip\n21,801\n22,802\n23,801\n41,901\n42,902\n43,901\n",
                        { "qi", "age,zip", "k", "2", "algorithm", algorithm, metric ? "metric" : NULL,
                          metric } };
    kanon_ctx    *ctx = plain_ctx();
    kanon_sink   *sink, *report;
    kanon_result *result;
    size_t        count;
    const char   *json;
    char          line[64];

    CHECK_OK(ctx, run_job(ctx, &j, &sink, &result));
    CHECK_OK(ctx, kanon_sink_memory(ctx, &report));
    CHECK_OK(ctx, kanon_result_write(ctx, result, KANON_FORMAT_JSON, report));
    json = kanon_sink_bytes(report, &count);
    snprintf(line, sizeof line, "\"metric\": \"%s\"", expected);
    if (!memmem(json, count, line, strlen(line)))
        FAIL("%s without %s: the report does not say %s", algorithm, metric ? metric : "a metric",
             line);
    kanon_sink_free(report);
    kanon_sink_free(sink);
    kanon_result_free(result);
    kanon_ctx_free(ctx);
}

TEST(a_search_may_have_its_own_metric)
{
    static const char *const papers[] = { "kgen",      "random",   "ola",
                                          "incognito", "samarati", "datafly" };
    static const char *const own[] = { "auto", "exhaustive", "optimal" };

    for (size_t s = 0; s < KN_COUNT(searches); s++) {
        CHECK_STR(searches[s]->info.metric, "dm");
        check_metric(searches[s]->info.name, NULL, "dm");
        check_metric(searches[s]->info.name, "log", "log");
        check_metric(searches[s]->info.name, "glm", "glm");
    }
    for (size_t i = 0; i < KN_COUNT(papers);
         i++) /* as their papers, or what comes nearest to them */
        check_metric(papers[i], NULL, "log");
    check_metric("kgen", "dm", "dm");
    for (size_t i = 0; i < KN_COUNT(own); i++)
        check_metric(own[i], NULL, "glm");
    for (size_t i = 0; kanon_algorithm_at(i); i++)
        CHECK(!kanon_algorithm_at(i)->metric || kn_metric_find(kanon_algorithm_at(i)->metric));
}

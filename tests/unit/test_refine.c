/* SPDX-License-Identifier: Apache-2.0 */
/* test_refine.c -- neighbours against all pairs, the bound against every partition of small tables, and the
 * refinement: never worse, never a class that is not allowed, the same for any number of threads. */
#include "cluster/refine.h"

#include "cluster/neighbours.h"
#include "cluster_fixture.h"
#include "failing_alloc.h"

/* --- asking from within ------------------------------------------------------------------------------ */

/* What a test wants of a run: it stands in for a clusterer, and so gets at the driver's inside. The parameter
 * carries nothing; tests run one after the other. */
static struct {
    void (*check)(kn_cluster_env *env);
    kanon_status (*act)(kn_cluster_env *env, kn_partition *out);
    uint64_t     iterations;
    uint64_t     bound;
    uint64_t     optimum;
    kn_partition start;
} probe;

static double
no_work(const kn_space *space, uint64_t k, const kn_values *values)
{
    KN_UNUSED(space);
    KN_UNUSED(k);
    KN_UNUSED(values);
    return 0;
}

static kanon_status
run_probe(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    KN_UNUSED(values);
    if (probe.check)
        probe.check(env);
    return probe.act ? probe.act(env, out) : KANON_OK;
}

static const kn_cluster_class PROBE = {
    .info = { .name = "probe", .summary = "", .params = (const kanon_param[]){ { 0 } } },
    .work = no_work,
    .run = run_probe,
};

static kanon_status
run_on(const problem_fixture *f, unsigned threads, double limit_s, kn_outcome *out)
{
    kn_search_problem p = { .ctx = f->ctx,
                            .scale = &f->p.scale,
                            .privacy = &f->p.privacy,
                            .metric = &kn_metric_gcp,
                            .seed = 11,
                            .threads = threads,
                            .time_limit_s = limit_s };

    return kn_cluster_run(&PROBE, &p, out);
}

static void
check_on(const problem_fixture *f, unsigned threads)
{
    kn_outcome out;

    CHECK_OK(f->ctx, run_on(f, threads, 0, &out));
    kn_partition_fini(f->ctx, &out.partition);
}

/* A partition into classes of k rows in the order of the table, the rest with the last: poor, but allowed
 * where k is all that is asked for. */
static kanon_status
start_in_order(kn_cluster_env *env, kn_partition *out)
{
    uint32_t rows = kn_cluster_space(env)->rows, k = (uint32_t) kn_cluster_privacy(env)->k;

    out->nclasses = rows / k ? rows / k : 1;
    for (uint32_t i = 0; i < rows; i++)
        out->class_of[i] = i / k < out->nclasses ? i / k : out->nclasses - 1;
    return KANON_OK;
}

static kanon_status
start_as_one(kn_cluster_env *env, kn_partition *out)
{
    KN_UNUSED(env);
    out->nclasses = 1;
    for (uint32_t i = 0; i < kn_cluster_space(env)->rows; i++)
        out->class_of[i] = 0;
    return KANON_OK;
}

static kanon_status
refine_probe(kn_cluster_env *env, kn_partition *out)
{
    kn_refine_options options = { probe.iterations, kn_cluster_seed(env), 0, 1 };

    return kn_cluster_refine(env, &options, out);
}

static kanon_status
order_and_refine(kn_cluster_env *env, kn_partition *out)
{
    kanon_status rc = start_in_order(env, out);

    return rc < 0 ? rc : refine_probe(env, out);
}

static kanon_status
one_and_refine(kn_cluster_env *env, kn_partition *out)
{
    kanon_status rc = start_as_one(env, out);

    return rc < 0 ? rc : refine_probe(env, out);
}

/* Runs an act and returns the loss. */
static double
loss_of(const problem_fixture *f, kanon_status (*act)(kn_cluster_env *, kn_partition *))
{
    kn_outcome out;
    double     loss;

    probe.check = NULL;
    probe.act = act;
    CHECK_OK(f->ctx, run_on(f, 1, 0, &out));
    check_outcome(f, &out);
    loss = out.score.loss;
    kn_partition_fini(f->ctx, &out.partition);
    return loss;
}

/* --- neighbours -------------------------------------------------------------------------------------- */

static void
check_neighbours(kn_cluster_env *env)
{
    const kn_space *s = kn_cluster_space(env);
    kn_neighbours   near;
    uint64_t       *apart = calloc(s->npoints, sizeof *apart);

    CHECK(kn_neighbours_new(env, 7, &near) == KANON_OK);
    CHECK(near.exact && near.each == (s->npoints > 7 ? 7 : s->npoints - 1));
    for (size_t p = 0; p < s->npoints; p++) {
        uint64_t last = 0;

        for (size_t q = 0; q < s->npoints; q++)
            apart[q] = q == p ? UINT64_MAX
                              : kn_space_apart(s, s->ranks + p * s->width, s->ranks + q * s->width);
        for (size_t i = 0; i < near.each; i++) {
            uint32_t got = near.of[p * near.each + i];
            uint64_t least = UINT64_MAX;

            CHECK(got < s->npoints && got != p && apart[got] != UINT64_MAX);
            for (size_t q = 0; q < s->npoints; q++)
                least = apart[q] < least ? apart[q] : least;
            CHECK_EQ_U64(apart[got], least);
            CHECK(least >= last);
            last = least;
            apart[got] = UINT64_MAX;
        }
    }
    free(apart);
    kn_neighbours_fini(s->ctx, &near);
}

TEST(neighbours_are_the_nearest_of_all_pairs)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        problem_shape   shape = { 30 * (size_t) seed, 1 + (size_t) seed % 5, 3 + 10 * seed, "2",
                                  "0" };
        problem_fixture f;
        kn_rng          rng;

        kn_rng_init(&rng, seed, 3);
        problem_random(&f, &shape, &rng);
        probe.check = check_neighbours;
        probe.act = NULL;
        check_on(&f, 1 + (unsigned) seed % 3);
        problem_close(&f);
    }
}

static uint64_t
hash_near(kn_cluster_env *env)
{
    kn_neighbours near;
    uint64_t      hash = 7;

    CHECK(kn_neighbours_new(env, 9, &near) == KANON_OK);
    for (size_t i = 0; i < kn_cluster_space(env)->npoints * near.each; i++)
        hash = (hash ^ near.of[i]) * UINT64_C(0x100000001b3);
    probe.optimum = near.exact;
    kn_neighbours_fini(kn_cluster_ctx(env), &near);
    return hash;
}

static void
check_many_neighbours(kn_cluster_env *env)
{
    uint64_t hash = hash_near(env);

    CHECK(!probe.optimum); /* not exact: too many points */
    CHECK(probe.bound == 0 || probe.bound == hash);
    probe.bound = hash;
}

/* More points than are searched exactly: still near, and the same for every number of threads. */
TEST(neighbours_of_many_points_do_not_depend_on_threads)
{
    problem_shape   shape = { 10500, 4, 900, "1", "0" };
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 5, 3);
    problem_random(&f, &shape, &rng);
    probe.check = check_many_neighbours;
    probe.act = start_in_order;
    probe.bound = 0;
    for (unsigned threads = 1; threads <= 2; threads++)
        check_on(&f, threads);
    problem_close(&f);
}

/* --- the bound --------------------------------------------------------------------------------------- */

static uint64_t
class_total(const kn_space *s, const uint8_t *of, size_t class)
{
    uint32_t least[16], greatest[16], size = 0;

    memset(least, 0xff, sizeof least);
    memset(greatest, 0, sizeof greatest);
    for (uint32_t r = 0; r < s->rows; r++)
        if (of[r] == class) {
            const uint32_t *p = kn_space_point(s, r);

            for (size_t q = 0; q < s->nquasi; q++) {
                least[q] = p[q] < least[q] ? p[q] : least[q];
                greatest[q] = p[q] > greatest[q] ? p[q] : greatest[q];
            }
            size++;
        }
    return size ? size * kn_space_cost(s, least, greatest) : 0;
}

/* Every partition of the rows, class numbers in the order of first rows; class 0 is the suppressed. */
static void
try_all(const kn_space *s, const kn_privacy *privacy, uint8_t *of, uint32_t row, uint8_t classes)
{
    if (row == s->rows) {
        uint64_t cost = 0, sizes[16] = { 0 };

        for (uint32_t r = 0; r < s->rows; r++)
            sizes[of[r]]++;
        if (sizes[0] > privacy->allowed)
            return;
        cost = sizes[0] * s->whole;
        for (size_t c = 1; c <= classes; c++) {
            if (sizes[c] < privacy->k)
                return;
            cost += class_total(s, of, c);
        }
        probe.optimum = cost < probe.optimum ? cost : probe.optimum;
        return;
    }
    for (uint8_t c = 0; c <= classes + 1; c++) {
        of[row] = c;
        try_all(s, privacy, of, row + 1, c > classes ? c : classes);
    }
}

static void
check_bound(kn_cluster_env *env)
{
    uint8_t of[16];

    probe.optimum = UINT64_MAX;
    try_all(kn_cluster_space(env), kn_cluster_privacy(env), of, 0, 0);
    CHECK(kn_cluster_bound(env, UINT64_MAX, &probe.bound) == KANON_OK);
    CHECK(probe.bound <= probe.optimum);
}

TEST(no_partition_is_below_the_bound_and_small_tables_are_solved)
{
    size_t solved = 0, tables = 0, tight = 0;

    for (uint64_t seed = 1; seed <= 40; seed++) {
        problem_shape   shape = { 5 + (size_t) seed % 4, 1 + (size_t) seed % 4, 2 + seed % 7,
                                seed % 2 ? "2" : "3", seed % 5 ? "0" : "0.3" };
        problem_fixture f;
        kn_rng          rng;
        double          loss, best;
        kn_space       *space;

        kn_rng_init(&rng, seed, 4);
        problem_random(&f, &shape, &rng);
        probe.check = check_bound;
        probe.act = NULL;
        check_on(&f, 1);
        CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
        best = kn_space_loss(space, probe.optimum);
        probe.iterations = 3000;
        loss = loss_of(&f, one_and_refine);
        CHECK(loss >= best - 1e-12);
        tables++;
        solved += loss <= best + 1e-12;
        tight += probe.bound > 0;
        kn_space_free(space);
        problem_close(&f);
    }
    CHECK(tight > tables / 2);
    if (solved < tables - 2)
        FAIL("%zu of %zu tables solved", solved, tables);
}

/* The (k-1)-th smallest distance of every row, duplicates counted. */
static uint64_t
plain_bound(const kn_space *s, uint64_t k)
{
    uint64_t sum = 0, *apart = calloc(s->rows, sizeof *apart);

    for (uint32_t r = 0; r < s->rows; r++) {
        uint64_t least = 0;

        for (uint32_t o = 0; o < s->rows; o++)
            apart[o] = o == r ? UINT64_MAX
                              : kn_space_apart(s, kn_space_point(s, r), kn_space_point(s, o));
        for (uint64_t i = 1; i < k; i++) {
            uint32_t at = 0;

            for (uint32_t o = 1; o < s->rows; o++)
                at = apart[o] < apart[at] ? o : at;
            least = apart[at];
            apart[at] = UINT64_MAX;
        }
        sum += least;
    }
    free(apart);
    return sum;
}

static void
compare_bounds(kn_cluster_env *env)
{
    CHECK(kn_cluster_bound(env, UINT64_MAX, &probe.bound) == KANON_OK);
    probe.optimum = plain_bound(kn_cluster_space(env), kn_cluster_privacy(env)->k);
    CHECK(probe.bound >= probe.optimum);
}

TEST(the_bound_is_above_that_of_the_neighbours)
{
    size_t above = 0;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        problem_shape   shape = { 400, 2 + (size_t) seed % 4, 12, "6", "0" };
        problem_fixture f;
        kn_rng          rng;

        kn_rng_init(&rng, seed, 6);
        problem_random(&f, &shape, &rng);
        probe.check = compare_bounds;
        probe.act = NULL;
        check_on(&f, 2);
        above += probe.bound > probe.optimum;
        problem_close(&f);
    }
    CHECK(above >= 4);
}

/* --- refinement -------------------------------------------------------------------------------------- */

static void
check_threads(const problem_fixture *f)
{
    kn_outcome first, other;

    CHECK_OK(f->ctx, run_on(f, 1, 0, &first));
    check_outcome(f, &first);
    for (unsigned threads = 2; threads <= 3; threads++) {
        CHECK_OK(f->ctx, run_on(f, threads, 0, &other));
        CHECK(same_partition(&first.partition, &other.partition, f->p.scale.table->rows));
        CHECK_EQ_U64(first.evaluations, other.evaluations);
        kn_partition_fini(f->ctx, &other.partition);
    }
    kn_partition_fini(f->ctx, &first.partition);
}

TEST(refined_tables_are_better_allowed_and_the_same_for_any_threads)
{
    static const char *const ks[] = { "2", "3", "5", "12" };

    for (uint64_t seed = 1; seed <= test_either(6, 16); seed++) {
        problem_shape   shape = { 300 + 40 * (size_t) seed, 1 + (size_t) seed % 11, 4 + 5 * seed,
                                  ks[seed % 4], seed % 3 ? "0" : "0.05" };
        problem_fixture f;
        kn_rng          rng;
        double          before, after;

        kn_rng_init(&rng, seed, 5);
        problem_random(&f, &shape, &rng);
        probe.iterations = 60;
        before = loss_of(&f, start_in_order);
        after = loss_of(&f, order_and_refine);
        CHECK(after < before);
        probe.act = order_and_refine;
        check_threads(&f);
        problem_close(&f);
    }
}

/* Several regions: more rows than one of them has. */
TEST(regions_do_not_depend_on_threads)
{
    problem_shape   shape = { 16000, 4, 9, "4", "0.01" };
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 9, 5);
    problem_random(&f, &shape, &rng);
    probe.iterations = 8;
    probe.check = NULL;
    probe.act = order_and_refine;
    check_threads(&f);
    problem_close(&f);
}

TEST(models_hold_for_every_class)
{
    static const char *const models[][2] = { { "l-diversity", "2" },
                                             { "l-diversity", "3" },
                                             { "t-closeness", "0.5" } };

    for (size_t i = 0; i < KN_COUNT(models); i++) {
        problem_fixture f;
        kn_rng          rng;
        double          before, after;

        kn_rng_init(&rng, i, 8);
        problem_begin(&f, NULL);
        kn_text_addz(&f.csv, "a,b,c,s\n");
        for (int r = 0; r < 600; r++)
            kn_text_addf(&f.csv, "%d,w%d,%d,s%d\n", (int) kn_rng_below(&rng, 50),
                         (int) kn_rng_below(&rng, 6), (int) kn_rng_below(&rng, 9),
                         (int) kn_rng_below(&rng, 4));
        problem_set(&f, "qi", "a,b,c");
        problem_set(&f, "sensitive", "s");
        problem_set(&f, "k", "3");
        problem_set(&f, "suppression", "0.02");
        problem_set(&f, models[i][0], models[i][1]);
        problem_open(&f);
        probe.iterations = 300;
        before = loss_of(&f, start_as_one);
        after = loss_of(&f, one_and_refine);
        CHECK(after < before);
        probe.act = one_and_refine;
        check_threads(&f);
        problem_close(&f);
    }
}

/* Rows that may be suppressed are those that cost the others much. */
TEST(outliers_are_suppressed)
{
    problem_fixture f;
    double          without = 0, with = 1;

    for (int allowed = 0; allowed < 2; allowed++) {
        double loss;

        problem_begin(&f, NULL);
        kn_text_addz(&f.csv, "a\n");
        for (int i = 0; i < 60; i++)
            kn_text_addf(&f.csv, "%d\n", i);
        kn_text_addz(&f.csv, "9000\n");
        problem_set(&f, "qi", "a");
        problem_set(&f, "type", "a=number");
        problem_set(&f, "k", "4");
        problem_set(&f, "suppression", allowed ? "0.02" : "0");
        problem_open(&f);
        probe.iterations = 500;
        loss = loss_of(&f, order_and_refine);
        *(allowed ? &with : &without) = loss;
        problem_close(&f);
    }
    CHECK(without > 0.05);
    CHECK(with < 0.02);
}

TEST(tables_without_a_choice)
{
    static const char *const tables[] = { "5\n5\n5\n5\n5\n5\n5\n", "1\n2\n3\n", "1\n2\n3\n4\n5\n",
                                          "7\n7\n7\n8\n8\n8\n" };
    static const double      losses[] = { 0, 1, 1, 0 };

    for (size_t i = 0; i < KN_COUNT(tables); i++) {
        problem_fixture f;

        open_numbers(&f, tables[i], "3");
        probe.iterations = 100;
        CHECK_NEAR(loss_of(&f, one_and_refine), losses[i], 1e-9);
        problem_close(&f);
    }
}

/* More values than a lane can count: searched in bins, measured exactly. */
TEST(columns_of_many_values_are_searched_in_bins)
{
    problem_fixture f;
    kn_rng          rng;
    double          before, after;

    kn_rng_init(&rng, 1, 9);
    problem_begin(&f, NULL);
    kn_text_addz(&f.csv, "n,w\n");
    for (int i = 0; i < 36000; i++)
        kn_text_addf(&f.csv, "%llu,x%05d\n",
                     (unsigned long long) i * 20000
                         + (unsigned long long) kn_rng_below(&rng, 20000),
                     i * 2);
    kn_text_addz(&f.csv, "?,x00001\n?,?\n");
    problem_set(&f, "qi", "n,w");
    problem_set(&f, "hierarchy", "w=mask:right");
    problem_set(&f, "k", "8");
    problem_set(&f, "suppression", "0");
    problem_open(&f);
    probe.iterations = 5;
    before = loss_of(&f, start_in_order);
    after = loss_of(&f, order_and_refine);
    CHECK(after < before);
    problem_close(&f);
}

/* --- being stopped ----------------------------------------------------------------------------------- */

TEST(a_time_limit_ends_with_an_allowed_partition)
{
    static const double limits[] = { 1e-6, 0.02, 0.3 };
    problem_shape       shape = { 3000, 5, 20, "5", "0" };
    problem_fixture     f;
    kn_rng              rng;
    double              before;

    kn_rng_init(&rng, 2, 5);
    problem_random(&f, &shape, &rng);
    before = loss_of(&f, start_in_order);
    for (size_t i = 0; i < KN_COUNT(limits); i++) {
        kn_outcome out;

        probe.iterations = 0;
        probe.act = order_and_refine;
        CHECK_OK(f.ctx, run_on(&f, 2, limits[i], &out));
        check_outcome(&f, &out);
        CHECK(out.score.loss <= before);
        kn_partition_fini(f.ctx, &out.partition);
    }
    problem_close(&f);
}

typedef struct stopper {
    int          calls, until;
    kanon_status answer;
} stopper;

static int
stop_after(void *user, const kanon_progress *now)
{
    stopper *s = user;

    KN_UNUSED(now);
    return ++s->calls > s->until;
}

TEST(a_cancelled_refinement_leaves_nothing_behind)
{
    stopper           s = { 0, 3, KANON_OK };
    failing_alloc     state = { 0 };
    kanon_allocator   allocator = failing_alloc_allocator(&state);
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    problem_fixture   f;

    options.allocator = &allocator;
    options.progress = stop_after;
    options.progress_user = &s;
    problem_begin(&f, &options);
    s.until = 1 << 30;
    kn_text_addz(&f.csv, "a,b\n");
    for (int i = 0; i < 4000; i++)
        kn_text_addf(&f.csv, "%d,w%d\n", i * 7919 % 5000, i % 11);
    problem_set(&f, "qi", "a,b");
    problem_set(&f, "k", "4");
    problem_open(&f);
    probe.check = NULL;
    probe.act = order_and_refine;
    probe.iterations = 0;
    s.until = s.calls + 3;
    {
        kn_outcome out;

        CHECK_STATUS(f.ctx, run_on(&f, 2, 0, &out), KANON_E_CANCELLED);
    }
    problem_close(&f);
    CHECK_EQ_U64(state.live, 0);
}

static kanon_status
refine_within(kanon_ctx *ctx, void *user)
{
    const problem_fixture *f = user;
    kn_search_problem      p = { .ctx = ctx,
                                 .scale = &f->p.scale,
                                 .privacy = &f->p.privacy,
                                 .metric = &kn_metric_gcp,
                                 .seed = 1,
                                 .threads = 2 };
    kn_outcome             out;
    kanon_status           rc = kn_cluster_run(&PROBE, &p, &out);

    if (rc == KANON_OK)
        kn_partition_fini(ctx, &out.partition);
    return rc;
}

TEST(every_allocation_may_fail)
{
    problem_shape   shape = { 120, 3, 8, "3", "0.1" };
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 2, 5);
    problem_random(&f, &shape, &rng);
    probe.check = NULL;
    probe.act = one_and_refine;
    probe.iterations = 4;
    CHECK(failing_alloc_sweep(refine_within, &f) > 30);
    problem_close(&f);
}

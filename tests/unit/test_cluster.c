/* SPDX-License-Identifier: Apache-2.0 */
/* test_cluster.c -- the driver of clusterers, and what holds for every one of them: classes that are
 * allowed, the same ones for any number of threads, time limits, cancelling, failing allocations. */
#include "cluster_fixture.h"
#include "failing_alloc.h"

/* Every method, and the settings that make it another one. */
static const cluster_request METHODS[] = {
    { "mondrian", { { NULL, NULL } }, 1, 1, 0 },
    { "mondrian", { { "mode", "relaxed" }, { NULL, NULL } }, 1, 1, 0 },
    { "mondrian", { { "cut", "widest" }, { NULL, NULL } }, 1, 1, 0 },
    { "mondrian", { { "refine", "on" }, { "refine-iterations", "20" }, { NULL, NULL } }, 1, 1, 0 },
    { "k-members", { { NULL, NULL } }, 1, 1, 0 },
    { "k-members", { { "natural", "off" }, { "block", "40" }, { NULL, NULL } }, 1, 1, 0 },
    { "oka", { { NULL, NULL } }, 1, 1, 0 },
    { "oka", { { "block", "40" }, { NULL, NULL } }, 1, 1, 0 },
    { "ika", { { NULL, NULL } }, 1, 1, 0 },
    { "ika", { { "natural", "off" }, { "block", "40" }, { NULL, NULL } }, 1, 1, 0 },
    { "bha", { { NULL, NULL } }, 1, 1, 0 },
    { "bha", { { "move", "literal" }, { "block", "40" }, { NULL, NULL } }, 1, 1, 0 },
    { "kab", { { "refine", "off" }, { NULL, NULL } }, 1, 1, 0 },
    { "kab", { { "refine", "off" }, { "move", "literal" }, { NULL, NULL } }, 1, 1, 0 },
    { "kab",
      { { "refine", "off" }, { "move", "any" }, { "block", "40" }, { NULL, NULL } },
      1,
      1,
      0 },
    { "kab", { { "refine-iterations", "20" }, { NULL, NULL } }, 1, 1, 0 },
};

static const problem_shape SHAPES[] = {
    { 200, 4, 9, "3", "0" },     { 120, 1, 40, "4", "0.1" }, { 150, 3, 2, "7", "0" },
    { 90, 20, 12, "5", "0.05" }, { 60, 2, 500, "1", "0" },
};

/* --- what holds for all of them ---------------------------------------------------------------------- */

TEST(classes_are_allowed_on_random_tables)
{
    for (size_t s = 0; s < KN_COUNT(SHAPES); s++)
        for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
            kn_outcome      out;
            problem_fixture f;
            kn_rng          rng;

            kn_rng_init(&rng, 31 + s, 0);
            problem_random(&f, &SHAPES[s], &rng);
            CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
            check_outcome(&f, &out);
            CHECK_STR(out.stopped, "complete");
            kn_partition_fini(f.ctx, &out.partition);
            problem_close(&f);
        }
}

TEST(threads_do_not_change_anything)
{
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 41, 0);
    problem_random(&f, &SHAPES[0], &rng);
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        cluster_request r = METHODS[m];
        kn_outcome      one, other;

        CHECK_OK(f.ctx, cluster(&f, &r, &one));
        for (r.threads = 2; r.threads <= 3; r.threads++) {
            CHECK_OK(f.ctx, cluster(&f, &r, &other));
            CHECK(same_partition(&one.partition, &other.partition, f.p.scale.table->rows));
            CHECK(one.score.loss == other.score.loss && one.lower_bound == other.lower_bound);
            CHECK_EQ_U64(one.evaluations, other.evaluations);
            kn_partition_fini(f.ctx, &other.partition);
        }
        kn_partition_fini(f.ctx, &one.partition);
    }
    problem_close(&f);
}

TEST(seeds_repeat_and_differ)
{
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, 43, 0);
    problem_random(&f, &SHAPES[0], &rng);
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        cluster_request r = METHODS[m];
        kn_outcome      first, again, other;
        bool            same = true;

        CHECK_OK(f.ctx, cluster(&f, &r, &first));
        CHECK_OK(f.ctx, cluster(&f, &r, &again));
        CHECK(same_partition(&first.partition, &again.partition, f.p.scale.table->rows));
        for (r.seed = 2; r.seed < 12; r.seed++) {
            CHECK_OK(f.ctx, cluster(&f, &r, &other));
            same &= same_partition(&first.partition, &other.partition, f.p.scale.table->rows);
            kn_partition_fini(f.ctx, &other.partition);
        }
        if (kn_algorithm_find(r.name)->info->traits & KANON_TRAIT_RANDOM)
            CHECK(!same);
        else if (!r.params[0].key || strcmp(r.params[0].key, "refine") != 0)
            CHECK(same);
        kn_partition_fini(f.ctx, &first.partition);
        kn_partition_fini(f.ctx, &again.partition);
    }
    problem_close(&f);
}

TEST(tiny_tables)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        kn_outcome      out;
        problem_fixture f;

        open_numbers(&f, "1\n2\n", "3");
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        CHECK(!out.feasible);
        CHECK_STR(out.stopped, "infeasible");
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);

        open_numbers(&f, "1\n2\n3\n50\n51\n", "3");
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        check_outcome(&f, &out);
        CHECK_EQ_U64(out.partition.nclasses, 1);
        CHECK_NEAR(out.score.loss, 1, 1e-6);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

TEST(equal_rows_cost_nothing)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        kn_outcome      out;
        problem_fixture f;

        open_numbers(&f, "7\n7\n7\n7\n7\n7\n7\n", "2");
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        check_outcome(&f, &out);
        CHECK(out.score.loss == 0);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

/* Everything may be suppressed, so a table that is too small has a release: an empty one. */
TEST(all_rows_may_be_suppressed)
{
    kn_outcome      out;
    problem_fixture f;

    open_numbers(&f, "1\n2\n", "3");
    f.p.privacy.allowed = 2;
    CHECK_OK(f.ctx, cluster(&f, &METHODS[0], &out));
    CHECK(out.feasible);
    CHECK_EQ_U64(out.score.outlying, 2);
    CHECK_EQ_U64(out.partition.nclasses, 0);
    CHECK_NEAR(out.score.loss, 1, 1e-12);
    kn_partition_fini(f.ctx, &out.partition);
    problem_close(&f);
}

/* --- models beyond k rows ---------------------------------------------------------------------------- */

static void
open_diverse(problem_fixture *f, const char *l)
{
    kn_rng rng;

    problem_begin(f, NULL);
    kn_text_addz(&f->csv, "a,b,s\n");
    kn_rng_init(&rng, 47, 0);
    for (size_t r = 0; r < 150; r++) {
        unsigned a = (unsigned) kn_rng_below(&rng, 30);

        kn_text_addf(&f->csv, "%u,w%u,s%u\n", a, (unsigned) kn_rng_below(&rng, 5),
                     kn_rng_below(&rng, 4) ? a / 6 : (unsigned) kn_rng_below(&rng, 5));
    }
    problem_set(f, "qi", "a,b");
    problem_set(f, "type", "a=number");
    problem_set(f, "sensitive", "s");
    problem_set(f, "k", "3");
    problem_set(f, "suppression", "0");
    problem_set(f, "l-diversity", l);
    problem_open(f);
}

TEST(every_class_satisfies_every_model)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        kn_outcome      out;
        problem_fixture f;

        open_diverse(&f, "3");
        CHECK(f.p.privacy.nmodels > 0);
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        check_outcome(&f, &out);
        CHECK(out.partition.nclasses > 1);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

TEST(a_model_that_all_rows_fail_is_infeasible)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        kn_outcome      out;
        problem_fixture f;

        open_diverse(&f, "5"); /* there are five values, in all rows together */
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        check_outcome(&f, &out);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);

        open_diverse(&f, "6");
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        CHECK(!out.feasible);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

/* --- time -------------------------------------------------------------------------------------------- */

typedef struct listener {
    int answer, calls;
} listener;

static int
listen(void *user, const kanon_progress *progress)
{
    listener *l = user;

    if (strcmp(progress->stage, "search") != 0)
        return KANON_PROGRESS_GO_ON;
    l->calls++;
    return l->answer;
}

/* Six columns of many values: the quadratic methods take seconds for it. */
static void
open_long(problem_fixture *f, listener *l, size_t rows)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    kn_rng            rng;

    options.progress = listen;
    options.progress_user = l;
    problem_begin(f, &options);
    kn_text_addz(&f->csv, "a,b,c,d,e,f\n");
    kn_rng_init(&rng, 53, 0);
    for (size_t r = 0; r < rows; r++) {
        for (int c = 0; c < 6; c++)
            kn_text_addf(&f->csv, "%u%s", (unsigned) kn_rng_below(&rng, 900), c < 5 ? "," : "\n");
    }
    problem_set(f, "qi", "a,b,c,d,e,f");
    problem_set(f, "k", "2");
    problem_set(f, "suppression", "0");
    problem_open(f);
}

TEST(a_time_limit_is_kept_and_leaves_an_answer)
{
    listener        l = { KANON_PROGRESS_GO_ON, 0 };
    problem_fixture f;

    open_long(&f, &l, 20000);
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        cluster_request r = METHODS[m];
        kn_outcome      out;
        double          begin = kn_seconds();

        r.threads = 1 + (unsigned) m % 2;
        r.time_limit_s = 0.05;
        CHECK_OK(f.ctx, cluster(&f, &r, &out));
        CHECK(kn_seconds() - begin < 10); /* sanitizers and busy machines are slow */
        CHECK(out.feasible && out.score.loss <= 1);
        if (strcmp(r.name, "k-members") == 0 && !r.params[0].key)
            CHECK_STR(out.stopped, "time-limit");
        kn_partition_fini(f.ctx, &out.partition);
    }
    problem_close(&f);
}

TEST(a_time_limit_may_fall_anywhere)
{
    listener        l = { KANON_PROGRESS_GO_ON, 0 };
    problem_fixture f;

    open_long(&f, &l, 600);
    for (size_t m = 0; m < KN_COUNT(METHODS); m++)
        for (size_t step = 1; step <= 12; step += test_either(3, 1)) {
            cluster_request r = METHODS[m];
            kn_outcome      out;

            r.threads = 1 + (unsigned) (step / 3) % 3;
            r.time_limit_s = 0.001 * (double) (step * step);
            CHECK_OK(f.ctx, cluster(&f, &r, &out));
            check_outcome(&f, &out);
            kn_partition_fini(f.ctx, &out.partition);
        }
    problem_close(&f);
}

/* A context for each: callbacks come at most ten times a second, but at once for a new stage. */
TEST(a_cancelled_run_leaves_nothing)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        listener        l = { KANON_PROGRESS_CANCEL, 0 };
        kn_outcome      out;
        problem_fixture f;

        open_long(&f, &l, 1000);
        CHECK_STATUS(f.ctx, cluster(&f, &METHODS[m], &out), KANON_E_CANCELLED);
        CHECK(!out.partition.class_of && l.calls == 1);
        problem_close(&f);
    }
}

/* Whoever stops a clusterer before it has anything gets the classes of mondrian, not one large class. */
TEST(a_run_that_is_stopped_is_no_worse_than_its_start)
{
    static const cluster_request halves = { .name = "mondrian", .threads = 1, .seed = 1 };
    listener                     patient = { KANON_PROGRESS_GO_ON, 0 };
    kn_outcome                   start, out;
    problem_fixture              f;

    open_long(&f, &patient, 1000);
    CHECK_OK(f.ctx, cluster(&f, &halves, &start));
    CHECK_STR(start.stopped, "complete");
    kn_partition_fini(f.ctx, &start.partition);
    problem_close(&f);
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        listener        hasty = { KANON_PROGRESS_ENOUGH, 0 };
        cluster_request r = METHODS[m];

        if (strcmp(r.name, "mondrian") == 0)
            continue;
        open_long(&f, &hasty, 1000);
        CHECK_OK(f.ctx, cluster(&f, &r, &out));
        check_outcome(&f, &out);
        CHECK_STR(out.stopped, "interrupted");
        CHECK(out.score.loss <= start.score.loss + 1e-9);
        CHECK(out.curve.count && out.curve.points[0].loss <= start.score.loss + 1e-9);
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

TEST(enough_means_what_there_is)
{
    for (size_t m = 0; m < KN_COUNT(METHODS); m++) {
        listener        l = { KANON_PROGRESS_ENOUGH, 0 };
        kn_outcome      out;
        problem_fixture f;

        open_long(&f, &l, 1000);
        CHECK_OK(f.ctx, cluster(&f, &METHODS[m], &out));
        check_outcome(&f, &out);
        CHECK_STR(out.stopped, "interrupted");
        kn_partition_fini(f.ctx, &out.partition);
        problem_close(&f);
    }
}

TEST(long_runs_are_announced)
{
    static const kn_setting blocks = { "block", "1000" };
    problem_fixture         f;
    kn_rng                  rng;
    double                  values[KN_PARAMS_MOST];
    kn_space               *space = NULL;

    kn_rng_init(&rng, 59, 0);
    problem_random(&f, &SHAPES[0], &rng);
    CHECK_OK(f.ctx, kn_space_new(f.ctx, &f.p.scale, &kn_metric_gcp, &space));
    space->npoints = space->rows = 1000000; /* as large a table would be asked about */
    for (size_t i = 0; kn_algorithm_at(i); i++) {
        const kn_cluster_class *c = kn_algorithm_at(i)->method;
        kn_values               v = { values };
        double                  all;

        if (kn_algorithm_at(i)->recoding != &kn_recoding_classes)
            continue;
        CHECK_OK(f.ctx, kn_params_parse(f.ctx, &c->info, NULL, 0, values));
        all = c->work(space, 2, &v);
        CHECK(all > 0);
        if (strcmp(c->info.name, "mondrian") == 0) {
            CHECK(all < 1e9);
            continue;
        }
        CHECK_OK(f.ctx, kn_params_parse(f.ctx, &c->info, &blocks, 1, values));
        CHECK(c->work(space, 2, &v) < all);
    }
    space->npoints = 200;
    space->rows = 200;
    kn_space_free(space);
    problem_close(&f);
}

/* --- failures ------------------------------------------------------------------------------------------- */

typedef struct failure {
    const problem_fixture *f;
    const cluster_request *r;
} failure;

/* The problem is borrowed from another context; all that the run makes comes from the failing one. */
static kanon_status
run_failing(kanon_ctx *ctx, void *user)
{
    const failure  *x = user;
    kn_outcome      out;
    problem_fixture f = *x->f;
    kanon_status    rc;

    f.ctx = ctx;
    rc = cluster(&f, x->r, &out);
    kn_partition_fini(ctx, &out.partition);
    return rc;
}

/* Short runs: as many are made as there are allocations in them. */
TEST(failing_allocations_leave_nothing_behind)
{
    static const cluster_request runs[] = {
        { "mondrian", { { "mode", "relaxed" }, { NULL, NULL } }, 1, 1, 0 },
        { "mondrian",
          { { "refine", "on" }, { "refine-iterations", "1" }, { NULL, NULL } },
          1,
          1,
          0 },
        { "k-members", { { "block", "20" }, { NULL, NULL } }, 1, 2, 0 },
        { "oka", { { "block", "20" }, { NULL, NULL } }, 1, 1, 0 },
        { "ika", { { "block", "20" }, { NULL, NULL } }, 1, 2, 0 },
        { "bha", { { "iterations", "1" }, { "stars", "2" }, { NULL, NULL } }, 1, 1, 0 },
        { "kab",
          { { "iterations", "2" }, { "stars", "2" }, { "refine", "off" }, { NULL, NULL } },
          1,
          2,
          0 },
    };
    static const problem_shape shape = { 60, 3, 6, "3", "0.05" };
    problem_fixture            f;
    kn_rng                     rng;

    kn_rng_init(&rng, 61, 0);
    problem_random(&f, &shape, &rng);
    for (size_t m = 0; m < KN_COUNT(runs); m++) {
        failure x = { &f, &runs[m] };

        CHECK(failing_alloc_sweep(run_failing, &x) > 10);
    }
    problem_close(&f);
}

TEST(unknown_settings_are_refused)
{
    static const cluster_request wrong = { "kab", { { "star", "3" }, { NULL, NULL } }, 1, 1, 0 };
    kn_outcome                   out;
    problem_fixture              f;

    open_numbers(&f, "1\n2\n3\n", "2");
    CHECK_STATUS(f.ctx, cluster(&f, &wrong, &out), KANON_E_INVALID);
    CHECK(strstr(kanon_ctx_message(f.ctx), "stars"));
    problem_close(&f);
}

TEST(the_list_has_searches_and_clusterers)
{
    size_t local = 0, count = 0;

    CHECK_STR(kanon_algorithm_at(0)->name, "auto");
    for (; kanon_algorithm_at(count); count++)
        local += (kanon_algorithm_at(count)->traits & KANON_TRAIT_LOCAL) != 0;
    CHECK_EQ_U64(local, 6);
    CHECK(count > 12);
    for (size_t i = 0; i < count; i++) { /* what it says of itself is how it is released */
        const kn_algorithm *a = kn_algorithm_at(i);

        CHECK(a->info == kanon_algorithm_at(i) && kn_algorithm_find(a->info->name) == a);
        CHECK(a->recoding->has_levels == !(a->info->traits & KANON_TRAIT_LOCAL));
        CHECK(!a->run == (i == 0));
    }
    CHECK(!kn_algorithm_find("") && !kn_algorithm_at(count));
}

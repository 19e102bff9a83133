/* SPDX-License-Identifier: Apache-2.0 */
/* test_pareto.c -- fronts: the archive against the paper's Algorithm 1 and Theorem 2, the gauge against the
 * measures of a release, the fold and the climb against plain enumeration, PBG-EA against itself. */
#include "measure/measure.h"
#include "pareto/fold.h"
#include "pareto/lab.h"
#include "problem_fixture.h"
#include "search/search.h"

/* --- objectives as data ----------------------------------------------------------------------------- */

/* "k,glm": column 0 for those that look at one; box: of all of them, negative: the usual ones. */
static void
ask_for(kn_objectives *o, const char *names, double box)
{
    kn_str rest = kn_str_of(names), piece;

    memset(o, 0, sizeof *o);
    while (kn_str_split(&rest, ',', &piece)) {
        kn_objective *one = &o->items[o->count++];

        one->property = kn_property_find(piece);
        CHECK(one->property != NULL);
        one->name = one->property->info.name;
        one->column = one->property->info.column ? 0 : SIZE_MAX;
        one->domain = one->property->info.column ? 4 : 0;
        one->box = box < 0 ? one->property->info.box : box;
    }
}

static kn_front_problem
problem_of(const problem_fixture *f, const kn_objectives *o, const double *params)
{
    return (kn_front_problem){ .ctx = f->ctx,
                               .view = &f->p.view,
                               .scale = &f->p.scale,
                               .lattice = &f->p.lattice,
                               .objectives = o,
                               .allowed = f->p.privacy.allowed,
                               .params = params,
                               .seed = 1,
                               .threads = 1 };
}

/* --- the archive ------------------------------------------------------------------------------------ */

static void
random_point(const kn_objectives *o, kn_rng *rng, unsigned most, kn_point *p)
{
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < o->count; i++)
        p->values[i] = 1 + (double) kn_rng_below(rng, most);
    for (size_t i = 0; i < 3; i++)
        p->levels[i] = (uint8_t) kn_rng_below(rng, 200);
    kn_point_place(o, p);
}

/* Algorithm 1, line by line. */
static void
algorithm_1(const kn_objectives *o, kn_point *archive, size_t *count, const kn_point *t)
{
    size_t kept = 0;
    bool   dominated = false, same_box = false;

    for (size_t i = 0; i < *count; i++)
        if (!kn_point_boxes(o, t, &archive[i]))
            archive[kept++] = archive[i];
    *count = kept;
    for (size_t i = 0; i < kept; i++) {
        bool equal = true;

        for (size_t j = 0; j < o->count; j++)
            equal &= archive[i].box[j] == t->box[j];
        dominated |= kn_point_boxes(o, &archive[i], t);
        same_box |= equal;
    }
    if (!dominated && !same_box)
        archive[(*count)++] = *t;
}

static void
check_archive(const kn_archive *a, double bound)
{
    const kn_objectives *o = a->objectives;

    CHECK((double) a->count <= bound);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < a->count; j++) {
            bool same = true;

            if (i == j)
                continue;
            for (size_t c = 0; c < o->count; c++)
                same &= a->points[i]->box[c] == a->points[j]->box[c];
            CHECK(!same);
            CHECK(!kn_point_boxes(o, a->points[i], a->points[j]));
        }
}

TEST(the_archive_is_algorithm_1_and_keeps_within_theorem_2)
{
    static const char *const sets[] = { "k,dm", "k,l,dm", "s_k,l,dm,glm_sum", "k,s_k" };
    kanon_ctx               *ctx = NULL;
    kn_rng                   rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 11, 0);
    for (size_t round = 0; round < 60; round++) {
        unsigned      most = (unsigned) (2 + kn_rng_below(&rng, 30));
        kn_objectives o;
        kn_archive    a;
        kn_point      p, plain[512];
        size_t        nplain = 0;
        double        side = (double) (1 + kn_rng_below(&rng, 4)), bound = 1;

        ask_for(&o, sets[round % KN_COUNT(sets)], side);
        for (size_t i = 1; i < o.count; i++) /* all sides are equal: the least is any of them */
            bound *= floor(most / side) - floor(1 / side) + 1;
        kn_archive_init(&a, ctx, &o, 3, KN_KEEP_FIRST);
        for (size_t i = 0; i < 400; i++) {
            bool taken;

            random_point(&o, &rng, most, &p);
            algorithm_1(&o, plain, &nplain, &p);
            CHECK_OK(ctx, kn_archive_offer(&a, &p, &taken));
            check_archive(&a, bound);
            CHECK_EQ_U64(a.count, nplain);
        }
        for (size_t i = 0; i < nplain; i++) {
            bool found = false;

            for (size_t j = 0; j < a.count; j++)
                found |= memcmp(a.points[j]->values, plain[i].values, sizeof p.values) == 0;
            CHECK(found);
        }
        kn_archive_fini(&a);
    }
    kanon_ctx_free(ctx);
}

TEST(what_is_kept_does_not_depend_on_the_order_of_offers)
{
    kanon_ctx    *ctx = NULL;
    kn_objectives o;
    kn_point      points[200];
    kn_rng        rng;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    kn_rng_init(&rng, 5, 0);
    ask_for(&o, "k,l,dm", 3);
    for (size_t i = 0; i < KN_COUNT(points); i++)
        random_point(&o, &rng, 12, &points[i]);
    for (size_t round = 0; round < 30; round++) {
        kn_archive a, b;

        kn_archive_init(&a, ctx, &o, 3, KN_KEEP_LEAST);
        kn_archive_init(&b, ctx, &o, 3, KN_KEEP_LEAST);
        for (size_t i = 0; i < KN_COUNT(points); i++)
            CHECK_OK(ctx, kn_archive_offer(&a, &points[i], NULL));
        for (size_t i = KN_COUNT(points); i > 1; i--) { /* shuffle */
            size_t   at = (size_t) kn_rng_below(&rng, i);
            kn_point moved = points[at];

            points[at] = points[i - 1];
            points[i - 1] = moved;
        }
        for (size_t i = 0; i < KN_COUNT(points); i++)
            CHECK_OK(ctx, kn_archive_offer(&b, &points[i], NULL));
        kn_archive_sort(&a);
        kn_archive_sort(&b);
        CHECK_EQ_U64(a.count, b.count);
        for (size_t i = 0; i < a.count; i++)
            CHECK(memcmp(a.points[i], b.points[i], sizeof *a.points[i]) == 0);
        kn_archive_fini(&a);
        kn_archive_fini(&b);
    }
    kanon_ctx_free(ctx);
}

TEST(a_box_begins_at_its_multiple_and_better_boxes_are_smaller)
{
    kn_objectives o;
    kn_point      p = { .values = { 10, 0.3 } };

    ask_for(&o, "k,glm", -1);
    o.items[0].box = 5;
    kn_point_place(&o, &p);
    CHECK(p.box[0] == -2 && p.box[1] == 300); /* 0.3 / 0.001 is a little less than 300 in doubles */
    p.values[0] = 9;
    p.values[1] = 0.2999;
    kn_point_place(&o, &p);
    CHECK(p.box[0] == -1 && p.box[1] == 299);
    o.items[1].box = 0;
    kn_point_place(&o, &p);
    CHECK(p.box[1] == 0.2999);
}

/* --- the gauge, the fold, the measures ------------------------------------------------------------ */

typedef struct fold_check {
    kn_gauge_scratch *dial, *alone;
    size_t            nodes, count;
} fold_check;

static bool
compare_node(void *user, const uint8_t *levels, const kn_classes *classes)
{
    fold_check *c = user;
    kn_profile  a, b;
    double      x[KN_OBJECTIVES_MOST], y[KN_OBJECTIVES_MOST];

    kn_gauge_scratch_classes(c->dial, levels, classes, &a, x);
    kn_gauge_scratch_node(c->alone, levels, &b, y);
    for (size_t i = 0; i < c->count; i++)
        if (x[i] != y[i])
            FAIL("objective %zu is %.17g by folding, %.17g by grouping", i, x[i], y[i]);
    CHECK_EQ_U64(a.suppressed, b.suppressed);
    CHECK_EQ_U64(a.classes, b.classes);
    c->nodes++;
    return true;
}

static const char ALL[] = "k,l,glm,cm,dm,log,s_k,s_l";

TEST(folding_gives_every_node_once_and_as_grouping_does)
{
    static const problem_shape shapes[] = {
        { 60, 3, 5, "2", "0.05" }, { 200, 4, 9, "3", "0" },  { 40, 1, 9, "2", "0.2" },
        { 25, 5, 3, "2", "0.1" },  { 300, 2, 40, "2", "1" }, { 1, 2, 3, "1", "0.5" },
    };
    kn_rng rng;

    kn_rng_init(&rng, 3, 0);
    for (size_t s = 0; s < KN_COUNT(shapes); s++) {
        problem_fixture  f;
        kn_objectives    o;
        kn_front_problem p;
        kn_gauge         gauge;
        kn_fold_axes     axes;
        kn_fold         *fold = NULL;
        fold_check       check = { NULL, NULL, 0, 0 };
        uint8_t          none[1] = { 0 }, bottom[KN_QUASI_MOST] = { 0 };

        problem_random(&f, &shapes[s], &rng);
        ask_for(&o, ALL, -1);
        p = problem_of(&f, &o, NULL);
        CHECK_OK(f.ctx, kn_gauge_init(&gauge, &p));
        CHECK_OK(f.ctx, kn_fold_axes_init(&axes, &gauge, &f.p.lattice));
        CHECK_OK(f.ctx, kn_fold_new(&axes, &fold));
        CHECK_OK(f.ctx, kn_gauge_scratch_new(&gauge, KN_GAUGE_CLASSES, &check.dial));
        CHECK_OK(f.ctx, kn_gauge_scratch_new(&gauge, KN_GAUGE_NODES, &check.alone));
        check.count = o.count;
        CHECK(kn_fold_walk(fold, none, 0, compare_node, &check));
        CHECK_EQ_U64(check.nodes,
                     (uint64_t) kn_lattice_nodes(f.p.lattice.n, bottom, f.p.lattice.top));
        kn_gauge_scratch_free(check.dial);
        kn_gauge_scratch_free(check.alone);
        kn_fold_free(fold);
        kn_fold_axes_fini(&axes);
        kn_gauge_fini(&gauge);
        problem_close(&f);
    }
}

/* What is measured of a release with that k, by code that the gauge does not use. */
static void
check_measures(problem_fixture *f, const uint8_t *node, const kn_profile *profile,
               const double *values)
{
    kn_privacy     privacy = { .k = profile->k, .allowed = f->p.privacy.allowed };
    kn_workspace  *ws = NULL;
    kn_grouping    grouping;
    kn_measured    m;
    kn_column_loss columns[8];
    kn_diversity   d;

    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &f->p.view, SIZE_MAX, &ws));
    kn_group(ws, node, &grouping);
    CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &f->p.scale, &privacy, &grouping }, node, &m,
                                columns));
    CHECK_OK(f->ctx, kn_measure_diversity(f->ctx, &(kn_judged){ &f->p.scale, &privacy, &grouping },
                                          0, 4, &d));
    CHECK_EQ_U64(m.suppressed, profile->suppressed);
    CHECK(m.suppressed <= f->p.privacy.allowed);
    CHECK_EQ_U64(m.after.classes, profile->classes);
    CHECK_EQ_U64(m.after.min_class, profile->k);
    CHECK_EQ_U64(d.min_distinct, (uint64_t) values[1]);
    CHECK_NEAR(values[2], m.metrics.glm, 1e-9);
    CHECK_NEAR(values[3], m.metrics.cm, 1e-9);
    CHECK_NEAR(values[4], m.metrics.dm, 1e-6);
    CHECK_NEAR(values[5], m.metrics.log, 1e-9);
    privacy.k++; /* one more would cost too many rows */
    CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &f->p.scale, &privacy, &grouping }, node, &m,
                                columns));
    CHECK(m.suppressed > f->p.privacy.allowed || f->p.privacy.allowed >= f->p.learned->rows);
    kn_workspace_free(ws);
}

TEST(properties_are_those_of_a_release_with_the_largest_k)
{
    static const problem_shape shape = { 150, 3, 7, "2", "0.06" };
    problem_fixture            f;
    kn_objectives              o;
    kn_front_problem           p;
    kn_gauge                   gauge;
    kn_gauge_scratch          *dial = NULL;
    kn_rng                     rng;
    uint8_t                    node[KN_QUASI_MOST] = { 0 };

    kn_rng_init(&rng, 9, 0);
    problem_random(&f, &shape, &rng);
    ask_for(&o, ALL, -1);
    p = problem_of(&f, &o, NULL);
    CHECK_OK(f.ctx, kn_gauge_init(&gauge, &p));
    CHECK_OK(f.ctx, kn_gauge_scratch_new(&gauge, KN_GAUGE_NODES, &dial));
    do {
        kn_profile profile;
        double     values[KN_OBJECTIVES_MOST];

        kn_gauge_scratch_node(dial, node, &profile, values);
        check_measures(&f, node, &profile, values);
    } while (problem_next_node(&f, node));
    kn_gauge_scratch_free(dial);
    kn_gauge_fini(&gauge);
    problem_close(&f);
}

/* --- whole fronts --------------------------------------------------------------------------------- */

static void
check_same_front(const kn_front_outcome *a, const kn_front_outcome *b, size_t count)
{
    CHECK_EQ_U64(a->archive.count, b->archive.count);
    for (size_t i = 0; i < a->archive.count; i++)
        for (size_t c = 0; c < count; c++)
            CHECK(a->archive.points[i]->values[c] == b->archive.points[i]->values[c]);
}

/* Every node, one after the other. */
static void
plain_front(const problem_fixture *f, const kn_front_problem *p, kn_front_outcome *out)
{
    kn_gauge          gauge;
    kn_gauge_scratch *dial = NULL;
    uint8_t           node[KN_QUASI_MOST] = { 0 };

    memset(out, 0, sizeof *out);
    kn_archive_init(&out->archive, f->ctx, p->objectives, p->lattice->n, KN_KEEP_LEAST);
    CHECK_OK(f->ctx, kn_gauge_init(&gauge, p));
    CHECK_OK(f->ctx, kn_gauge_scratch_new(&gauge, KN_GAUGE_NODES, &dial));
    do {
        kn_profile profile;
        kn_point   point = { 0 };

        kn_gauge_scratch_node(dial, node, &profile, point.values);
        kn_point_fill(p, node, &profile, &point);
        CHECK_OK(f->ctx, kn_archive_offer(&out->archive, &point, NULL));
    } while (problem_next_node(f, node));
    kn_archive_sort(&out->archive);
    kn_gauge_scratch_free(dial);
    kn_gauge_fini(&gauge);
}

TEST(exact_fronts_are_those_of_all_nodes_with_any_number_of_threads)
{
    static const char *const sets[] = { "k,glm", "k,log", "log,k", "s_k,s_l,dm", "l,cm,los,risk" };
    static const problem_shape shapes[] = { { 120, 3, 6, "2", "0.04" }, { 90, 4, 4, "2", "0" } };
    kn_rng                     rng;

    kn_rng_init(&rng, 21, 0);
    for (size_t round = 0; round < 12; round++)
        for (size_t s = 0; s < KN_COUNT(sets); s++) {
            problem_fixture  f;
            kn_objectives    o;
            kn_front_problem p;
            kn_front_outcome plain, found;

            if (round % 4 != s % 4)
                continue;
            problem_random(&f, &shapes[round % KN_COUNT(shapes)], &rng);
            ask_for(&o, sets[s], round % 3 ? -1 : 0);
            p = problem_of(&f, &o, NULL);
            plain_front(&f, &p, &plain);
            for (unsigned threads = 1; threads <= 3; threads++) {
                memset(&found, 0, sizeof found);
                p.threads = threads;
                CHECK_OK(f.ctx, kn_front_exact.run(&p, &found));
                CHECK(found.exact);
                CHECK_STR(found.stopped, "complete");
                check_same_front(&plain, &found, o.count);
                kn_archive_fini(&found.archive);
            }
            kn_archive_fini(&plain.archive);
            problem_close(&f);
        }
}

static void
evolve(const problem_fixture *f, const kn_front_problem *p, const char *guide,
       kn_front_outcome *out)
{
    kn_setting       settings[] = { { "guide", guide }, { "iterations", "12" } };
    double           values[KN_PARAMS_MOST];
    kn_front_problem mine = *p;

    memset(out, 0, sizeof *out);
    CHECK_OK(f->ctx, kn_params_parse(f->ctx, &kn_front_pbg_ea.info, settings, 2, values));
    mine.params = values;
    CHECK_OK(f->ctx, kn_front_pbg_ea.run(&mine, out));
    CHECK(!out->exact);
}

TEST(pbg_ea_repeats_itself_and_holds_only_what_nothing_found_dominates)
{
    static const problem_shape shape = { 300, 5, 8, "2", "0.02" };
    static const char *const   guides[] = { "off", "on" };
    problem_fixture            f;
    kn_objectives              o;
    kn_front_problem           p;
    kn_rng                     rng;

    kn_rng_init(&rng, 2, 0);
    problem_random(&f, &shape, &rng);
    ask_for(&o, "k,l,glm", -1);
    p = problem_of(&f, &o, NULL);
    for (size_t g = 0; g < KN_COUNT(guides); g++) {
        kn_front_outcome one, other, seeded;

        p.threads = 1;
        p.seed = 1;
        evolve(&f, &p, guides[g], &one);
        p.threads = 3;
        evolve(&f, &p, guides[g], &other);
        p.seed = 2;
        evolve(&f, &p, guides[g], &seeded);
        check_archive(&one.archive, kn_objectives_bound(&o, &f.p.scale));
        check_same_front(&one, &other, o.count);
        CHECK_EQ_U64(one.evaluations, other.evaluations);
        CHECK(one.evaluations <= 13 * 25);
        /* the bottom and the top belong to every front of k, l and glm */
        CHECK(one.archive.points[one.archive.count - 1]->values[0] == 300);
        CHECK(seeded.archive.points[seeded.archive.count - 1]->values[0] == 300);
        kn_archive_fini(&one.archive);
        kn_archive_fini(&other.archive);
        kn_archive_fini(&seeded.archive);
    }
    problem_close(&f);
}

TEST(the_guide_finds_most_of_a_front_with_a_part_of_the_nodes)
{
    static const problem_shape shape = { 400, 4, 30, "2", "0.02" };
    problem_fixture            f;
    kn_objectives              o;
    kn_front_problem           p;
    kn_front_outcome           exact, found;
    kn_rng                     rng;
    size_t                     held = 0;
    uint8_t                    bottom[KN_QUASI_MOST] = { 0 };

    kn_rng_init(&rng, 6, 0);
    problem_random(&f, &shape, &rng);
    ask_for(&o, "k,glm", -1);
    p = problem_of(&f, &o, NULL);
    plain_front(&f, &p, &exact);
    evolve(&f, &p, "on", &found);
    for (size_t i = 0; i < exact.archive.count; i++)
        for (size_t j = 0; j < found.archive.count; j++)
            held += memcmp(exact.archive.points[i]->box, found.archive.points[j]->box,
                           o.count * sizeof(double))
                 == 0;
    CHECK(held * 100 >= exact.archive.count * 95);
    CHECK((double) found.evaluations
          < 0.9 * kn_lattice_nodes(f.p.lattice.n, bottom, f.p.lattice.top));
    kn_archive_fini(&exact.archive);
    kn_archive_fini(&found.archive);
    problem_close(&f);
}

/* --- being stopped -------------------------------------------------------------------------------- */

static int
answer(void *user, const kanon_progress *progress)
{
    const int *what = user;

    return strcmp(progress->stage, "search") == 0 ? *what : KANON_PROGRESS_GO_ON;
}

TEST(a_search_that_is_stopped_has_a_front_and_a_cancelled_one_none)
{
    static const kn_front_class *const all[] = { &kn_front_exact, &kn_front_pbg_ea };
    static const int                   answers[] = { KANON_PROGRESS_ENOUGH, KANON_PROGRESS_CANCEL };

    for (size_t c = 0; c < KN_COUNT(all) * KN_COUNT(answers); c++) {
        const kn_front_class *way = all[c / 2];
        int                   say = answers[c % 2];
        kanon_ctx_options     options = KANON_CTX_OPTIONS_INIT;
        problem_fixture       f;
        kn_objectives         o;
        kn_front_problem      p;
        kn_front_outcome      out = { 0 };
        double                values[KN_PARAMS_MOST];
        kanon_status          rc;

        options.progress = answer;
        options.progress_user = &say;
        problem_begin(&f, &options);
        kn_text_addz(&f.csv, "a,b,c\n");
        for (int i = 0; i < 90; i++)
            kn_text_addf(&f.csv, "%d,%d,%d\n", i % 7, i % 5, i % 11);
        problem_set(&f, "qi", "a,b,c");
        problem_open(&f);
        ask_for(&o, "k,glm", -1);
        CHECK_OK(f.ctx, kn_params_parse(f.ctx, &way->info, NULL, 0, values));
        p = problem_of(&f, &o, values);
        rc = way->run(&p, &out);
        if (say == KANON_PROGRESS_CANCEL) {
            CHECK_EQ_I64(rc, KANON_E_CANCELLED);
        } else {
            CHECK_OK(f.ctx, rc);
            CHECK(out.archive.count >= 1 && !out.exact);
            CHECK_STR(out.stopped, "interrupted");
        }
        kn_archive_fini(&out.archive);
        problem_close(&f);
    }
}

TEST(no_time_at_all_still_gives_the_ends)
{
    static const problem_shape shape = { 200, 4, 20, "2", "0.02" };
    static const char *const   sets[] = { "k,glm", "k,log" };

    for (size_t s = 0; s < KN_COUNT(sets); s++) {
        problem_fixture  f;
        kn_objectives    o;
        kn_front_problem p;
        kn_front_outcome out = { 0 };
        kn_rng           rng;

        kn_rng_init(&rng, 4, 0);
        problem_random(&f, &shape, &rng);
        ask_for(&o, sets[s], -1);
        p = problem_of(&f, &o, NULL);
        p.time_limit_s = 1e-9;
        CHECK_OK(f.ctx, kn_front_exact.run(&p, &out));
        CHECK(out.archive.count >= 1);
        kn_archive_fini(&out.archive);
        problem_close(&f);
    }
}

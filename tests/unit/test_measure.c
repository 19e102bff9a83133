/* SPDX-License-Identifier: Apache-2.0 */
/* test_measure.c -- src/measure: every metric on a table that is counted by hand below, and on random
 * tables the meters of a search against the measuring of a release. */
#include "failing_alloc.h"
#include "measure/measure.h"
#include "problem_fixture.h"

#include <unistd.h>

/* --- a small table, by hand -------------------------------------------------------------------------
 * age:    range:10 over 20..40, so an interval of ten costs 9 of 20, and 40-49 is clipped to 40 alone.
 * colour: four leaves, one of them not in the table; blue and grey are padded (their own parent).
 * Level 1 of both, k = 2, one row may go: classes {1,2,3}, {4,5}, {7,8}; row 6 is suppressed. */

static const char colours[] = "red;warm;*\norange;warm;*\nblue;blue;*\ngrey;grey;*\n";
static const char small[] = "age,colour,ill\n"
                            "20,red,flu\n"
                            "25,red,flu\n"
                            "25,orange,cold\n"
                            "30,blue,flu\n"
                            "30,blue,cold\n"
                            "40,blue,flu\n"
                            "?,?,cold\n"
                            "NA,,cold\n";

typedef struct measured {
    problem_fixture f;
    char            file[64];
    kn_workspace   *ws;
    kn_grouping     grouping;
    kn_measured     m;
    kn_column_loss  columns[16];
} measured;

static void
write_file(char name[64], const char *text)
{
    int fd;

    snprintf(name, 64, "/tmp/kanon-test-XXXXXX");
    fd = mkstemp(name);
    CHECK(fd >= 0);
    CHECK(write(fd, text, strlen(text)) == (ssize_t) strlen(text));
    close(fd);
}

static void
open_small(measured *s, const char *k, const char *suppression)
{
    char spec[96];

    memset(s, 0, sizeof *s);
    problem_begin(&s->f, NULL);
    write_file(s->file, colours);
    snprintf(spec, sizeof spec, "colour=file:%s", s->file);
    problem_set(&s->f, "qi", "age,colour");
    problem_set(&s->f, "hierarchy", "age=range:10");
    problem_set(&s->f, "hierarchy", spec);
    problem_set(&s->f, "sensitive", "ill");
    problem_set(&s->f, "k", k);
    problem_set(&s->f, "suppression", suppression);
    kn_text_addz(&s->f.csv, small);
    problem_open(&s->f);
    unlink(s->file);
    CHECK_OK(s->f.ctx, kn_workspace_new(s->f.ctx, &s->f.p.view, SIZE_MAX, &s->ws));
}

static void
measure_at(measured *s, const uint8_t *levels)
{
    kn_group(s->ws, levels, &s->grouping);
    CHECK_OK(s->f.ctx,
             kn_measure(s->f.ctx, &(kn_judged){ &s->f.p.scale, &s->f.p.privacy, &s->grouping },
                        levels, &s->m, s->columns));
}

static void
close_small(measured *s)
{
    kn_workspace_free(s->ws);
    problem_close(&s->f);
}

TEST(every_metric_by_hand)
{
    static const uint8_t levels[] = { 1, 1 };
    measured             s;
    const kn_metrics    *m = &s.m.metrics;
    double               age, colour;

    open_small(&s, "2", "0.125");
    CHECK_EQ_U64(s.f.p.privacy.allowed, 1);
    measure_at(&s, levels);
    CHECK_EQ_U64(s.m.suppressed, 1);
    CHECK_NEAR(m->log, 0.5, 1e-12);
    CHECK_NEAR(m->precision, (7 * 0.5 + 1) / 8, 1e-12);
    CHECK_NEAR(m->los, 0.125, 1e-12);
    CHECK_NEAR(m->height, 2, 0);
    CHECK_NEAR(m->dm, 9 + 4 + 4 + 8, 1e-12);
    CHECK_NEAR(m->c_avg, 8.0 / (3 * 2), 1e-12);
    CHECK_NEAR(m->cm, (1 + 1 + 1) / 8.0, 1e-12);
    /* age: five rows in an interval of ten, one suppressed, two missing; colour: three of two leaves
     * in four, blue is still itself. */
    CHECK_NEAR(m->glm_sum, 5 * 0.45 + 1 + 3 * (1.0 / 3) + 1, 1e-12);
    CHECK_NEAR(m->glm, m->glm_sum / 16, 1e-12);
    CHECK_NEAR(m->gcp, (5 * 0.45 + 1 + 3 * 0.5 + 1) / 16, 1e-12);
    CHECK_NEAR(m->total_il, (5 * 0.45 + 1 + 3 * 0.5 + 1) / 16, 1e-12);
    CHECK_NEAR(m->total_il_literal, (3 * 0.45 + 0.5 + 2 * 0.45 + 2) / 16, 1e-12);
    age = (log2(3) + 2 * log2(1.5) + 3) / 18;
    colour = (2 * log2(1.5) + log2(3) + log2(8.0 / 3)) / (4 + 3 + 4 + 3 * log2(8.0 / 3));
    CHECK_NEAR(m->entropy, (age + colour) / 2, 1e-12);
    CHECK_NEAR(s.columns[0].entropy, age, 1e-12);
    CHECK_NEAR(s.columns[0].glm, 3.25 / 8, 1e-12);
    CHECK_NEAR(s.columns[1].glm, 2.0 / 8, 1e-12);
    CHECK_NEAR(s.columns[1].gcp, 2.5 / 8, 1e-12);
    CHECK_NEAR(s.columns[1].log, 0.5, 1e-12);
    close_small(&s);
}

/* The table above; age counts three times as much as colour. */
TEST(weighted_means_by_hand)
{
    static const uint8_t levels[] = { 1, 0 };
    static const double  weights[] = { 1.5, 0.5 };
    measured             s;
    const kn_metrics    *m = &s.m.metrics;
    double               glm_sum, literal, age, colour;

    open_small(&s, "1", "0");
    measure_at(&s, levels);
    glm_sum = m->glm_sum;
    literal = m->total_il_literal;
    age = s.columns[0].entropy;
    colour = s.columns[1].entropy;
    s.f.p.scale.weights = weights;
    measure_at(&s, levels);
    CHECK_NEAR(m->log, 0.75 * 0.5, 1e-12);
    CHECK_NEAR(m->precision, 0.75 * 0.5, 1e-12);
    CHECK_NEAR(m->glm, 0.75 * 5 * 0.45 / 8, 1e-12);
    CHECK_NEAR(m->gcp, 0.75 * 5 * 0.45 / 8, 1e-12);
    CHECK_NEAR(m->total_il, 0.75 * 5 * 0.45 / 8, 1e-12);
    CHECK_NEAR(m->entropy, 0.75 * age + 0.25 * colour, 1e-12);
    /* what is no mean over the columns, and what is said of one of them, stays as it was */
    CHECK_NEAR(m->height, 1, 0);
    CHECK_NEAR(m->glm_sum, glm_sum, 0);
    CHECK_NEAR(m->total_il_literal, literal, 0);
    CHECK_NEAR(s.columns[0].glm, 5 * 0.45 / 8, 1e-12);
    CHECK_NEAR(s.columns[0].entropy, age, 0);
    close_small(&s);
    open_small(&s, "2", "0.125");
    s.f.p.scale.weights = weights;
    measure_at(&s, levels);
    CHECK_EQ_U64(s.m.suppressed, 2); /* orange and the row of 40 */
    CHECK_NEAR(m->precision, 0.75 * (6 * 0.5 + 2) / 8 + 0.25 * 2 / 8, 1e-12);
    close_small(&s);
}

TEST(the_ends_of_every_metric)
{
    static const uint8_t low[] = { 0, 0 }, top[] = { 2, 2 };
    measured             s;
    const kn_metrics    *m = &s.m.metrics;

    open_small(&s, "1", "0");
    measure_at(&s, low);
    CHECK_NEAR(m->log + m->precision + m->los + m->glm + m->gcp + m->total_il + m->entropy, 0, 0);
    CHECK_NEAR(m->total_il_literal, 0, 0);
    CHECK_NEAR(m->dm, 6 * 1 + 4 - 2 + 4, 0); /* 20r 25r 25o 40b alone, two pairs */
    CHECK_NEAR(m->cm, 1 / 8.0, 1e-12);       /* 30 blue: flu and cold */
    measure_at(&s, top);
    CHECK_NEAR(m->log, 1, 1e-12);
    CHECK_NEAR(m->glm, 1, 1e-12);
    CHECK_NEAR(m->gcp, 1, 1e-12);
    CHECK_NEAR(m->total_il, 1, 1e-12);
    CHECK_NEAR(m->entropy, 1, 1e-12);
    CHECK_NEAR(m->dm, 64, 0);
    CHECK_NEAR(m->c_avg, 8, 0);
    CHECK_NEAR(m->cm, 0.5, 1e-12);
    close_small(&s);
    open_small(&s, "9", "1"); /* everything may go, and must */
    measure_at(&s, top);
    CHECK_EQ_U64(s.m.suppressed, 8);
    CHECK_NEAR(m->los, 1, 0);
    CHECK_NEAR(m->glm, 1, 1e-12);
    CHECK_NEAR(m->entropy, 1, 1e-12);
    CHECK_NEAR(m->total_il_literal, 1, 1e-12);
    CHECK_NEAR(m->c_avg, 0, 0);
    CHECK_NEAR(m->dm, 64, 0);
    CHECK_EQ_U64(s.m.after.min_class, 0);
    close_small(&s);
}

TEST(risk_and_class_sizes)
{
    static const uint8_t levels[] = { 1, 1 };
    measured             s;

    open_small(&s, "2", "0.125");
    measure_at(&s, levels);
    CHECK_EQ_U64(s.m.before.rows, 8);
    CHECK_EQ_U64(s.m.before.classes, 6);
    CHECK_EQ_U64(s.m.before.uniques, 4);
    CHECK_NEAR(s.m.before.prosecutor_max, 1, 0);
    CHECK_NEAR(s.m.before.prosecutor_mean, 0.75, 1e-12);
    CHECK_NEAR(s.m.before.below_2, 0.5, 1e-12);
    CHECK_EQ_U64(s.m.after.rows, 7);
    CHECK_EQ_U64(s.m.after.classes, 3);
    CHECK_EQ_U64(s.m.after.min_class, 2);
    CHECK_EQ_U64(s.m.after.max_class, 3);
    CHECK_NEAR(s.m.after.prosecutor_max, 0.5, 0);
    CHECK_NEAR(s.m.after.prosecutor_mean, 3.0 / 7, 1e-12);
    CHECK_NEAR(s.m.after.below_2, 0, 0);
    CHECK_NEAR(s.m.after.below_5, 1, 0);
    CHECK_EQ_U64(s.m.sizes[1].classes, 2);
    CHECK_EQ_U64(s.m.sizes[1].rows, 4);
    CHECK_EQ_U64(s.m.sizes[2].classes, 1);
    CHECK_EQ_U64(s.m.sizes[2].rows, 3);
    close_small(&s);
}

TEST(sensitive_values_by_hand)
{
    static const uint8_t levels[] = { 1, 1 };
    measured             s;
    kn_diversity         d;

    open_small(&s, "2", "0.125");
    measure_at(&s, levels);
    CHECK_OK(s.f.ctx,
             kn_measure_diversity(s.f.ctx,
                                  &(kn_judged){ &s.f.p.scale, &s.f.p.privacy, &s.grouping }, 0, 2,
                                  &d));
    CHECK_EQ_U64(d.distinct, 2);
    CHECK_EQ_U64(d.min_distinct, 1); /* the missing pair: both cold */
    CHECK_NEAR(d.min_entropy_l, 1, 1e-12);
    CHECK_NEAR(d.max_t, 0.5, 1e-12);
    CHECK_EQ_U64(d.homogeneous_rows, 2);
    close_small(&s);
}

/* --- odd columns ----------------------------------------------------------------------------------- */

static void
check_odd(const char *csv, const char *hierarchy)
{
    measured s;

    memset(&s, 0, sizeof s);
    problem_begin(&s.f, NULL);
    problem_set(&s.f, "qi", "a");
    problem_set(&s.f, "hierarchy", hierarchy);
    problem_set(&s.f, "k", "1");
    kn_text_addz(&s.f.csv, csv);
    problem_open(&s.f);
    CHECK_OK(s.f.ctx, kn_workspace_new(s.f.ctx, &s.f.p.view, SIZE_MAX, &s.ws));
    for (uint8_t level = 0; level <= s.f.p.lattice.top[0]; level++) {
        measure_at(&s, &level);
        CHECK(s.m.metrics.glm >= 0 && s.m.metrics.glm <= 1);
        CHECK(s.m.metrics.gcp >= 0 && s.m.metrics.gcp <= 1);
        CHECK(s.m.metrics.total_il >= 0 && s.m.metrics.total_il <= 1);
        CHECK(s.m.metrics.entropy >= 0 && s.m.metrics.entropy <= 1);
        CHECK(s.m.metrics.cm == 0); /* no label */
    }
    close_small(&s);
}

TEST(columns_without_much_in_them)
{
    static const char *const kinds[] = { "a=range:5", "a=mask:right", "a=order:2", "a=auto" };

    for (size_t i = 0; i < KN_COUNT(kinds); i++) {
        check_odd("a,b\n", kinds[i]);           /* no rows */
        check_odd("a,b\n7,x\n7,y\n", kinds[i]); /* one value */
        check_odd("a,b\n?,x\n?,y\n", kinds[i]); /* nothing but missing */
        check_odd("a,b\n7,x\n?,y\n7,z\n", kinds[i]);
        check_odd("a,b\n7,x\n?,y\n8,z\n", kinds[i]);
    }
}

/* --- meters against the ruler ------------------------------------------------------------------------ */

static void
open_engine(kanon_ctx *ctx, const kn_problem *p, kn_engine **engine)
{
    const kn_table   *table = p->scale.table;
    kn_engine_options options = { .most_classes = SIZE_MAX,
                                  .want = KN_WANT_LOST | KN_WANT_LABELS,
                                  .labels = { table->first, table->sensitive[p->scale.label],
                                              kn_table_entry_weights(table), NULL,
                                              (uint32_t) p->scale.label_domain } };

    CHECK_OK(ctx, kn_engine_new(ctx, &p->view, &options, engine));
}

/* Scores every node with one metric; the bound of any node below must not be greater, as long as no more
 * rows are suppressed than may be. */
static void
check_meter(measured *s, const kn_metric_class *metric, kn_rng *rng)
{
    const kn_problem *p = &s->f.p;
    kn_meter         *meter = NULL;
    kn_engine        *engine = NULL;
    kn_tally         *tally = NULL;
    kn_counted        counted;
    uint8_t node[KN_QUASI_MOST] = { 0 }, zero[KN_QUASI_MOST] = { 0 }, below[KN_QUASI_MOST];

    open_engine(s->f.ctx, p, &engine);
    CHECK_OK(s->f.ctx, kn_tally_new(engine, &tally));
    CHECK_OK(s->f.ctx, kn_meter_new(s->f.ctx, metric, &p->scale, &p->privacy,
                                    kn_engine_coarse(engine), &meter));
    do {
        kn_verdict verdict;
        double     score, expected;

        measure_at(s, node);
        kn_privacy_judge(&p->privacy, &s->grouping, &verdict);
        CHECK_EQ_U64(verdict.outlying, s->m.suppressed);
        kn_count(tally, node, p->privacy.k, p->view.rows, KN_WANT_LOST | KN_WANT_LABELS, &counted);
        CHECK(counted.complete);
        score = kn_meter_score(meter, node, &counted);
        expected = *kn_metrics_find(&s->m.metrics, metric->info.name);
        if (fabs(score - expected) > 1e-9 * (expected > 1 ? expected : 1))
            FAIL("%s: the meter says %.17g, the measure %.17g", metric->info.name, score, expected);
        if (kn_meter_by_levels(meter))
            CHECK_NEAR(kn_meter_levels(meter, node), score, 1e-12);
        if (verdict.outlying > p->privacy.allowed)
            continue;
        kn_node_random(p->lattice.n, zero, node, rng, below);
        if (kn_loss_less(score, kn_meter_bound(meter, below))
            || kn_loss_less(score, kn_meter_bound(meter, node)))
            FAIL("%s: a bound above the score %.17g", metric->info.name, score);
    } while (problem_next_node(&s->f, node));
    kn_meter_free(meter);
    kn_tally_free(tally);
    kn_engine_free(engine);
}

TEST(meters_agree_with_the_measure)
{
    static const char *const suppressions[] = { "0", "0.1", "0.4", "1" };
    static const char *const ks[] = { "2", "3", "1", "200" };
    static const double      weights[][3] = { { 2, 0.5, 0 }, { 1, 0, 7 }, { 0.1, 100, 3 } };
    kn_rng                   rng;

    kn_rng_init(&rng, 41, 0);
    for (size_t round = 0; round < 24; round++) {
        measured      s;
        problem_shape shape = { round % 12 == 11 ? 0 : 20 + 6 * (round % 12), 1 + round % 3,
                                4 + round % 12, ks[round / 4 % 3], suppressions[round % 4] };

        if (round % 12 == 7)
            shape.k = ks[3];
        memset(&s, 0, sizeof s);
        problem_random(&s.f, &shape, &rng);
        s.f.p.scale.weights = round < 12 ? NULL : weights[round / 3 % 3];
        CHECK_OK(s.f.ctx, kn_workspace_new(s.f.ctx, &s.f.p.view, SIZE_MAX, &s.ws));
        for (size_t i = 0; kn_metric_at(i); i++)
            check_meter(&s, kn_metric_at(i), &rng);
        close_small(&s);
    }
}

/* Where a metric is said to be monotone, no node is better than a feasible one below it. */
TEST(monotone_metrics_are)
{
    kn_rng rng;

    kn_rng_init(&rng, 42, 0);
    for (size_t round = 0; round < 6; round++) {
        measured      s;
        problem_shape shape = { 40, 2, 8, "3", round % 2 ? "0.2" : "0" };

        memset(&s, 0, sizeof s);
        problem_random(&s.f, &shape, &rng);
        CHECK_OK(s.f.ctx, kn_workspace_new(s.f.ctx, &s.f.p.view, SIZE_MAX, &s.ws));
        for (size_t i = 0; kn_metric_at(i); i++) {
            kn_meter  *meter = NULL;
            kn_coarse *coarse = NULL;
            uint8_t    node[KN_QUASI_MOST] = { 0 };

            CHECK_OK(s.f.ctx, kn_coarse_new(s.f.ctx, s.f.p.axes, s.f.p.view.nquasi, &coarse));
            CHECK_OK(s.f.ctx, kn_meter_new(s.f.ctx, kn_metric_at(i), &s.f.p.scale, &s.f.p.privacy,
                                           coarse, &meter));
            kn_coarse_free(s.f.ctx, coarse, s.f.p.view.nquasi);
            do {
                uint8_t above[KN_QUASI_MOST];
                double  low;

                measure_at(&s, node);
                if (!kn_meter_monotone(meter) || s.m.suppressed > s.f.p.privacy.allowed)
                    continue;
                low = *kn_metrics_find(&s.m.metrics, kn_metric_at(i)->info.name);
                kn_node_random(s.f.p.lattice.n, node, s.f.p.lattice.top, &rng, above);
                measure_at(&s, above);
                CHECK(
                    !kn_loss_less(*kn_metrics_find(&s.m.metrics, kn_metric_at(i)->info.name), low));
            } while (problem_next_node(&s.f, node));
            kn_meter_free(meter);
        }
        close_small(&s);
    }
}

static kanon_status
make_meters(kanon_ctx *ctx, void *user)
{
    const measured *s = user;
    kanon_status    rc = KANON_OK;
    kn_meter       *meter = NULL;
    kn_coarse      *coarse = NULL;
    kn_measured     m;
    kn_column_loss  columns[16];
    uint8_t         levels[KN_QUASI_MOST] = { 1, 1 };

    KN_TRY(kn_coarse_new(ctx, s->f.p.axes, s->f.p.view.nquasi, &coarse));
    for (size_t i = 0; kn_metric_at(i); i++) {
        KN_TRY(kn_meter_new(ctx, kn_metric_at(i), &s->f.p.scale, &s->f.p.privacy, coarse, &meter));
        kn_meter_free(meter);
        meter = NULL;
    }
    KN_TRY(kn_measure(ctx, &(kn_judged){ &s->f.p.scale, &s->f.p.privacy, &s->grouping }, levels, &m,
                      columns));
out:
    kn_coarse_free(ctx, coarse, s->f.p.view.nquasi);
    kn_meter_free(meter);
    return rc;
}

TEST(every_allocation_may_fail)
{
    static const uint8_t levels[] = { 1, 1 };
    measured             s;

    open_small(&s, "2", "0.125");
    kn_group(s.ws, levels, &s.grouping);
    CHECK(failing_alloc_sweep(make_meters, &s) > 10);
    close_small(&s);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_fixture.h -- a clusterer as data, run on a problem of problem_fixture.h, and a plain judge of what
 * it hands over. */
#ifndef KN_CLUSTER_FIXTURE_H
#define KN_CLUSTER_FIXTURE_H

#include "algorithm/algorithm.h"
#include "problem_fixture.h"

enum { CLUSTER_PARAMS_MOST = 6 };

typedef struct cluster_request {
    const char *name;
    kn_setting  params[CLUSTER_PARAMS_MOST]; /* ends with a NULL key */
    uint64_t    seed;
    unsigned    threads;
    double      time_limit_s;
} cluster_request;

__attribute__((unused)) static kanon_status
cluster(const problem_fixture *f, const cluster_request *r, kn_outcome *out)
{
    const kn_algorithm *a = kn_algorithm_find(r->name);
    kn_search_problem   p = { .ctx = f->ctx,
                              .scale = &f->p.scale,
                              .privacy = &f->p.privacy,
                              .metric = &kn_metric_gcp,
                              .params = r->params,
                              .seed = r->seed,
                              .threads = r->threads,
                              .time_limit_s = r->time_limit_s };

    while (p.nparams < CLUSTER_PARAMS_MOST && r->params[p.nparams].key)
        p.nparams++;
    CHECK(a && a->recoding == &kn_recoding_classes);
    return a->run(a, &p, out);
}

/* The loss of a partition, cell by cell from the ranks of its rows. */
__attribute__((unused)) static double
plain_loss(const kn_space *space, const kn_partition *p)
{
    double sum = 0;

    for (uint32_t c = 0; c < p->nclasses; c++)
        for (size_t q = 0; q < space->nquasi; q++) {
            uint32_t least = UINT32_MAX, greatest = 0, size = 0;

            for (uint32_t row = 0; row < space->rows; row++)
                if (p->class_of[row] == c) {
                    uint32_t rank = kn_space_point(space, row)[q];

                    least = rank < least ? rank : least;
                    greatest = rank > greatest ? rank : greatest;
                    size++;
                }
            sum += (double) size * kn_space_side_cell(&space->sides[q], least, greatest);
        }
    for (uint32_t row = 0; row < space->rows; row++)
        if (p->class_of[row] == KN_NO_CLASS)
            sum += (double) space->whole;
    return sum / ((double) space->whole * space->rows);
}

/* Every class is allowed, every row is somewhere, the numbers are canonical, and the figures are right. */
__attribute__((unused)) static void
check_outcome(const problem_fixture *f, const kn_outcome *out)
{
    const kn_privacy *privacy = &f->p.privacy;
    uint32_t          rows = (uint32_t) f->p.scale.table->rows, next = 0;
    uint64_t          suppressed = 0;
    kn_space         *space = NULL;
    kn_checker       *checker = NULL;
    uint32_t         *entries = calloc(rows + 1, sizeof *entries);

    CHECK(out->feasible && entries);
    CHECK_OK(f->ctx, kn_space_new(f->ctx, &f->p.scale, &kn_metric_gcp, &space));
    CHECK_OK(f->ctx, kn_checker_new(f->ctx, privacy, f->p.scale.table, &checker));
    for (uint32_t row = 0; row < rows; row++) {
        suppressed += out->partition.class_of[row] == KN_NO_CLASS;
        if (out->partition.class_of[row] == KN_NO_CLASS)
            continue;
        CHECK(out->partition.class_of[row] <= next);
        next += out->partition.class_of[row] == next;
    }
    CHECK_EQ_U64(out->partition.nclasses, next);
    CHECK_EQ_U64(out->score.outlying, suppressed);
    CHECK(suppressed <= privacy->allowed);
    for (uint32_t c = 0; c < out->partition.nclasses; c++) {
        size_t size = 0;

        for (uint32_t row = 0; row < rows; row++)
            if (out->partition.class_of[row] == c)
                entries[size++] = space->entry_of ? space->entry_of[row] : space->point_of[row];
        CHECK(size >= privacy->k);
        CHECK(kn_checker_holds(checker, entries, size));
    }
    CHECK_NEAR(out->score.loss, plain_loss(space, &out->partition), 1e-9);
    CHECK(out->lower_bound <= out->score.loss);
    CHECK(out->curve.count > 0 && out->curve.count <= KN_CURVE_MOST);
    CHECK_NEAR(out->curve.points[out->curve.count - 1].loss, out->score.loss, 1e-9);
    for (size_t i = 1; i < out->curve.count; i++)
        CHECK(out->curve.points[i].loss < out->curve.points[i - 1].loss
              && out->curve.points[i].seconds >= out->curve.points[i - 1].seconds);
    free(entries);
    kn_checker_free(checker);
    kn_space_free(space);
}

__attribute__((unused)) static bool
same_partition(const kn_partition *a, const kn_partition *b, uint64_t rows)
{
    return a->nclasses == b->nclasses
        && memcmp(a->class_of, b->class_of, rows * sizeof *a->class_of) == 0;
}

/** A table of one numeric column without suppression. */
__attribute__((unused)) static void
open_numbers(problem_fixture *f, const char *numbers, const char *k)
{
    problem_begin(f, NULL);
    kn_text_addz(&f->csv, "a\n");
    kn_text_addz(&f->csv, numbers);
    problem_set(f, "qi", "a");
    problem_set(f, "type", "a=number");
    problem_set(f, "k", k);
    problem_set(f, "suppression", "0");
    problem_open(f);
}

#endif

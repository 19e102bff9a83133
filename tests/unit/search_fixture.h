/* SPDX-License-Identifier: Apache-2.0 */
/* search_fixture.h -- a search as data, run on a problem of problem_fixture.h. */
#ifndef KN_SEARCH_FIXTURE_H
#define KN_SEARCH_FIXTURE_H

#include "algorithm/algorithm.h"
#include "failing_alloc.h"
#include "problem_fixture.h"

/* The searches of the list of algorithms; NULL past the end. */
static inline const kn_search_class *
search_at(size_t index)
{
    const kn_algorithm *a;

    for (size_t i = 0; (a = kn_algorithm_at(i)); i++)
        if (a->recoding == &kn_recoding_levels && a->method && index-- == 0)
            return a->method;
    return NULL;
}

enum { PARAMS_MOST = 4 };

typedef struct request {
    const kn_search_class *search;
    const kn_metric_class *metric;
    kn_setting             params[PARAMS_MOST];
    size_t                 nparams;
    uint64_t               seed;
    unsigned               threads;
    double                 time_limit_s;
} request;

__attribute__((unused)) static kanon_status
run(const problem_fixture *f, const request *r, kn_outcome *out)
{
    kn_search_problem p = { f->ctx,    &f->p.view,    &f->p.scale,     &f->p.privacy,
                            r->metric, &f->p.lattice, r->params,       r->nparams,
                            r->seed,   r->threads,    r->time_limit_s, 0 };

    return kn_search_run(r->search, &p, out);
}

/** What a search may claim: the best loss of every metric, by looking at all of them. */
enum { BEST_METRICS = 16 };

typedef struct best_losses {
    bool     feasible;
    double   best[BEST_METRICS];
    uint64_t nodes;
} best_losses;

__attribute__((unused)) static best_losses
find_best_losses(const problem_fixture *f)
{
    const kn_problem *p = &f->p;
    kn_workspace     *ws = NULL;
    uint8_t           node[KN_QUASI_MOST] = { 0 };
    best_losses       t = { false, { 0 }, 0 };

    CHECK_OK(f->ctx, kn_workspace_new(f->ctx, &p->view, SIZE_MAX, &ws));
    do {
        kn_grouping    grouping;
        kn_measured    m;
        kn_column_loss columns[16];

        t.nodes++;
        kn_group(ws, node, &grouping);
        CHECK_OK(f->ctx, kn_measure(f->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping }, node,
                                    &m, columns));
        if (m.suppressed > p->privacy.allowed)
            continue;
        for (size_t i = 0; kn_metric_at(i); i++) {
            double loss = *kn_metrics_find(&m.metrics, kn_metric_at(i)->info.name);

            if (!t.feasible || loss < t.best[i])
                t.best[i] = loss;
        }
        t.feasible = true;
    } while (problem_next_node(f, node));
    kn_workspace_free(ws);
    return t;
}

static int
stop_the_search(void *user, const kanon_progress *progress)
{
    int *calls = user;

    return strcmp(progress->stage, "search") == 0 && ++*calls > 0;
}

/** A search ends at once when a callback says so. */
__attribute__((unused)) static void
check_cancelled(const kn_search_class *search)
{
    kanon_ctx_options options = KANON_CTX_OPTIONS_INIT;
    int               calls = 0;
    request           r = { .search = search, .metric = &kn_metric_log, .seed = 1, .threads = 2 };
    kn_outcome        out;
    problem_fixture   f;

    options.progress = stop_the_search;
    options.progress_user = &calls;
    problem_begin(&f, &options);
    problem_set(&f, "qi", "a,b");
    kn_text_addz(&f.csv, "a,b\n1,x\n2,y\n3,z\n4,x\n5,y\n");
    problem_open(&f);
    CHECK(run(&f, &r, &out) == KANON_E_CANCELLED);
    CHECK(calls == 1);
    problem_close(&f);
}

/** A search of a drawn table, in which every allocation fails once. body is given the fixture. */
__attribute__((unused)) static void
check_allocations(problem_shape shape, uint64_t                            seed,
                  kanon_status (*body)(kanon_ctx *ctx, void *user), size_t more_than)
{
    problem_fixture f;
    kn_rng          rng;

    kn_rng_init(&rng, seed, 0);
    problem_random(&f, &shape, &rng);
    CHECK(failing_alloc_sweep(body, &f) > more_than);
    problem_close(&f);
}

/** Equal in all that a caller sees. */
__attribute__((unused)) static void
check_same(const kn_outcome *a, const kn_outcome *b, size_t n)
{
    CHECK(memcmp(a->levels, b->levels, n) == 0);
    CHECK_EQ_U64(a->evaluations, b->evaluations);
    CHECK_EQ_U64(a->predicted, b->predicted);
    CHECK_EQ_U64(a->score.outlying, b->score.outlying);
    CHECK(a->score.loss == b->score.loss && a->lower_bound == b->lower_bound);
    CHECK(a->optimal == b->optimal);
    CHECK_STR(a->stopped, b->stopped);
}

#endif

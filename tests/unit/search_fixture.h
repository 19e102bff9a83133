/* SPDX-License-Identifier: Apache-2.0 */
/* search_fixture.h -- a search as data, run on a problem of problem_fixture.h. */
#ifndef KN_SEARCH_FIXTURE_H
#define KN_SEARCH_FIXTURE_H

#include "algorithm/algorithm.h"
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
    kn_search_problem p = { f->ctx,    &f->p.view,    &f->p.scale,    &f->p.privacy,
                            r->metric, &f->p.lattice, r->params,      r->nparams,
                            r->seed,   r->threads,    r->time_limit_s };

    return kn_search_run(r->search, &p, out);
}

/** A metric by its name. */
__attribute__((unused)) static double
measured_value(const kn_metrics *metrics, const char *name)
{
#define VALUE_OF(field, type, needs, text)                                                         \
    if (strcmp(name, #field) == 0)                                                                 \
        return metrics->field;
    KN_METRIC_LIST(VALUE_OF)
#undef VALUE_OF
    FAIL("%s is not measured", name);
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

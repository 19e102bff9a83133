/* SPDX-License-Identifier: Apache-2.0 */
/* climb.c -- the exact front of k against log, without a look at most of the lattice. Both only rise with
 * the levels, so the least log at which some k is reached is one search for a proven optimum (`optimal`).
 * Its node reaches k' >= k; nothing with more than k' has less log, so the next search asks for k' + 1,
 * and so on up to the table's size. Each point of the front is one proof; boxes only choose among them. A
 * search that cannot prove its answer within its budget still gives a point, and the front is not called
 * exact then. */
#include "pareto/front.h"

#include "search/search.h"

/* Looks at the data for one proof; beyond that the lattice is too much for it. */
static const char *const LOOKS_MOST = "1000000";

/* Where every row may go, k is no question of suppression any more. */
bool
kn_climb_fits(const kn_front_problem *problem)
{
    const kn_objectives     *objectives = problem->objectives;
    const kn_property_class *k = kn_property_find(KN_STR("k"));
    const kn_property_class *log = kn_property_find(KN_STR("log"));

    if (objectives->count != 2 || problem->allowed >= problem->view->rows)
        return false;
    return (objectives->items[0].property == k && objectives->items[1].property == log)
        || (objectives->items[0].property == log && objectives->items[1].property == k);
}

typedef struct climb {
    const kn_front_problem *problem;
    kn_gauge                gauge;
    kn_gauge_scratch       *dial;
    kn_run                  run;
    uint64_t                k;
    bool                    proven, done;
} climb;

static kanon_status
look_for(climb *c, kn_outcome *found)
{
    const kn_front_problem *p = c->problem;
    kn_privacy              privacy = { .k = c->k, .allowed = p->allowed };
    kn_lattice              lattice = *p->lattice;
    kn_setting              budget = { "max-evaluations", LOOKS_MOST };
    kn_search_problem       sp = { .ctx = p->ctx,
                                   .view = p->view,
                                   .scale = p->scale,
                                   .privacy = &privacy,
                                   .metric = &kn_metric_log,
                                   .lattice = &lattice,
                                   .params = &budget,
                                   .nparams = 1,
                                   .seed = p->seed,
                                   .threads = p->threads };
    double                  left = kn_run_left(&c->run);
    kanon_status            rc;

    if (left >= 0)
        sp.time_limit_s = left > 1e-3 ? left : 1e-3;
    rc = kn_search_floor(p->ctx, p->scale, &privacy, &lattice);
    return rc < 0 ? rc : kn_search_run(&kn_search_optimal, &sp, found);
}

static kanon_status
step(climb *c, kn_front_outcome *out)
{
    kanon_status rc = KANON_OK;
    kn_outcome   found;
    kn_profile   profile;
    kn_point     point;

    KN_TRY(look_for(c, &found));
    out->evaluations += found.evaluations;
    out->predicted += found.predicted;
    if (!found.feasible) {
        c->done = true;
        return KANON_OK;
    }
    kn_gauge_scratch_node(c->dial, found.levels, &profile, point.values);
    kn_point_fill(c->problem, found.levels, &profile, &point);
    KN_TRY(kn_archive_offer(&out->archive, &point, NULL));
    c->proven &= found.optimal;
    c->k = (profile.k > c->k ? profile.k : c->k) + 1;
    if (!found.optimal
        && (strcmp(found.stopped, "time-limit") == 0
            || strcmp(found.stopped, "interrupted") == 0)) {
        out->stopped = found.stopped;
        c->done = true;
    }
out:
    return rc;
}

/* However short the time: the top is always a point. */
static kanon_status
add_top(climb *c, kn_front_outcome *out)
{
    kn_profile profile;
    kn_point   point;

    kn_gauge_scratch_node(c->dial, c->problem->lattice->top, &profile, point.values);
    kn_point_fill(c->problem, c->problem->lattice->top, &profile, &point);
    return kn_archive_offer(&out->archive, &point, NULL);
}

kanon_status
kn_climb_run(const kn_front_problem *problem, kn_front_outcome *out)
{
    kanon_status rc = KANON_OK;
    climb        c = { .problem = problem, .k = 1, .proven = true };

    kn_archive_init(&out->archive, problem->ctx, problem->objectives, problem->lattice->n,
                    KN_KEEP_LEAST);
    kn_run_begin(&c.run, problem->ctx, problem->time_limit_s);
    out->stopped = "complete";
    KN_TRY(kn_gauge_init(&c.gauge, problem));
    KN_TRY(kn_gauge_scratch_new(&c.gauge, KN_GAUGE_NODES, &c.dial));
    while (!c.done && c.k <= problem->view->rows)
        KN_TRY(step(&c, out));
    if (!problem->view->rows || !c.proven)
        KN_TRY(add_top(&c, out));
    kn_archive_sort(&out->archive);
    out->exact = c.proven;
    out->method = "each point is a proven optimum of log for its k";
out:
    kn_gauge_scratch_free(c.dial);
    kn_gauge_fini(&c.gauge);
    return rc;
}

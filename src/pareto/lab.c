/* SPDX-License-Identifier: Apache-2.0 */
/* lab.c -- measuring batches of nodes on the threads. New nodes are numbered in the order of the batch
 * before any thread begins, so nothing depends on which of them ends first. */
#include "pareto/lab.h"

/* Memory that the dials of all threads may take before fewer are used. */
static const size_t DIALS_BYTES = (size_t) 1 << 30;

kanon_status
kn_front_measurer_init(kn_front_measurer *lab, const kn_front_problem *problem)
{
    kanon_status rc = KANON_OK;
    unsigned     threads = problem->threads ? problem->threads : 1;
    size_t       fit;

    memset(lab, 0, sizeof *lab);
    lab->problem = problem;
    lab->ctx = problem->ctx;
    lab->n = problem->lattice->n;
    kn_run_begin(&lab->run, problem->ctx, problem->time_limit_s);
    KN_TRY(kn_gauge_init(&lab->gauge, problem));
    KN_TRY(kn_keyset_new(lab->ctx, lab->n, &lab->known));
    fit = DIALS_BYTES / kn_gauge_scratch_bytes(&lab->gauge, KN_GAUGE_NODES);
    if (threads > fit)
        threads = fit ? (unsigned) fit : 1;
    lab->dials = kn_alloc_array(lab->ctx, threads, sizeof *lab->dials);
    if (!lab->dials)
        return KANON_E_NOMEM;
    for (; lab->ndials < threads; lab->ndials++)
        KN_TRY(kn_gauge_scratch_new(&lab->gauge, KN_GAUGE_NODES, &lab->dials[lab->ndials]));
    KN_TRY(kn_pool_new(lab->ctx, threads, &lab->pool));
out:
    return rc;
}

void
kn_front_measurer_fini(kn_front_measurer *lab)
{
    if (!lab->ctx)
        return;
    kn_pool_free(lab->pool);
    for (unsigned i = 0; i < lab->ndials; i++)
        kn_gauge_scratch_free(lab->dials[i]);
    kn_free(lab->ctx, lab->dials);
    for (size_t i = 0; i < lab->count; i++)
        kn_free(lab->ctx, lab->points[i]);
    kn_free(lab->ctx, lab->points);
    kn_keyset_free(lab->known);
    kn_gauge_fini(&lab->gauge);
}

size_t
kn_front_measurer_find(const kn_front_measurer *lab, const uint8_t *node)
{
    return kn_keyset_find(lab->known, node);
}

static void
measure(void *user, size_t item, unsigned worker)
{
    kn_front_measurer *lab = user;
    kn_point          *point = lab->points[lab->from + item];
    kn_profile         profile;

    if (worker == 0)
        kn_run_tell(&lab->run, lab->from + item);
    kn_gauge_scratch_node(lab->dials[worker], point->levels, &profile, point->values);
    kn_point_fill(lab->problem, point->levels, &profile, point);
}

static kanon_status
add(kn_front_measurer *lab, const uint8_t *node)
{
    kanon_status rc = KANON_OK;
    void        *points = lab->points;
    kn_point    *point;

    KN_TRY(kn_grow(lab->ctx, &points, &lab->room, lab->count + 1, sizeof *lab->points));
    lab->points = points;
    point = KN_NEW(lab->ctx, kn_point);
    if (!point)
        return KANON_E_NOMEM;
    memcpy(point->levels, node, lab->n);
    lab->points[lab->count++] = point;
out:
    return rc;
}

kanon_status
kn_front_measurer_measure(kn_front_measurer *lab, const uint8_t *nodes, size_t count,
                          size_t *numbers)
{
    kanon_status rc = KANON_OK;
    bool         over = lab->count > 0 && kn_run_over(&lab->run);

    lab->from = lab->count;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = kn_keyset_find(lab->known, nodes + i * lab->n);
        if (numbers[i] != SIZE_MAX || over)
            continue;
        KN_TRY(kn_keyset_add(lab->known, nodes + i * lab->n, &numbers[i]));
        KN_TRY(add(lab, nodes + i * lab->n));
    }
    kn_pool_run(lab->pool, lab->count - lab->from, measure, lab);
    rc = kn_run_status(&lab->run);
out:
    return rc;
}

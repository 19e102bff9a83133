/* SPDX-License-Identifier: Apache-2.0 */
/* exact.c -- the whole front: every node of the lattice is measured, or, where k stands against log alone,
 * k is climbed by proofs (climb.c). The lattice is cut into parts by the levels of the quasi-identifiers
 * that are settled first; each part has its own archive, and since what an archive keeps does not depend on
 * the order of offers, neither does the front on the number of threads. */
#include "pareto/fold.h"
#include "pareto/front.h"

/* Memory that the folds of all threads may take before fewer are used; parts for each thread. */
static const size_t FOLDS_BYTES = (size_t) 1 << 30;
enum { PARTS_LEAST = 64 };

typedef struct worker {
    struct sweep     *sweep;
    kn_fold          *fold;
    kn_gauge_scratch *dial;
    kn_archive        archive;
    kanon_status      status;
    uint64_t          nodes;
    unsigned          number;
} worker;

typedef struct sweep {
    const kn_front_problem *problem;
    kn_gauge                gauge;
    kn_fold_axes            axes;
    kn_run                  run;
    kn_pool                *pool;
    worker                 *workers;
    unsigned                nworkers;
    size_t                  depth, parts; /* quasi-identifiers whose levels make a part */
    double                  nodes;
    atomic_uint_fast64_t    done;
    atomic_flag memory; /* held by who asks for some: a context serves one thread a time */
} sweep;

/* Most nodes are turned away, which takes no memory. */
static kanon_status
offer(worker *w, const kn_point *point)
{
    kanon_status rc;

    if (kn_archive_refuses(&w->archive, point))
        return KANON_OK;
    while (atomic_flag_test_and_set_explicit(&w->sweep->memory, memory_order_acquire))
        ;
    rc = kn_archive_offer(&w->archive, point, NULL);
    atomic_flag_clear_explicit(&w->sweep->memory, memory_order_release);
    return rc;
}

static void
tell(sweep *s, uint64_t done)
{
    s->run.fraction = (double) done / s->nodes;
    kn_run_tell(&s->run, done);
}

static bool
hear(void *user, const uint8_t *levels, const kn_classes *classes)
{
    worker    *w = user;
    sweep     *s = w->sweep;
    kn_profile profile;
    kn_point   point;
    uint64_t   done;

    kn_gauge_scratch_classes(w->dial, levels, classes, &profile, point.values);
    kn_point_fill(s->problem, levels, &profile, &point);
    w->status = offer(w, &point);
    w->nodes++;
    done = atomic_fetch_add_explicit(&s->done, 1, memory_order_relaxed) + 1;
    if (w->number == 0)
        tell(s, done);
    return w->status == KANON_OK && !kn_run_over(&s->run);
}

static void
walk_part(void *user, size_t item, unsigned number)
{
    sweep  *s = user;
    worker *w = &s->workers[number];
    uint8_t prefix[KN_QUASI_MOST];
    size_t  rest = item;

    if (w->status < 0 || kn_run_over(&s->run))
        return;
    for (size_t d = 0; d < s->depth; d++) {
        size_t quasi = s->axes.order[d], low = s->axes.low[quasi];
        size_t levels = (size_t) s->axes.top[quasi] - low + 1;

        prefix[d] = (uint8_t) (low + rest % levels);
        rest /= levels;
    }
    kn_fold_walk(w->fold, prefix, s->depth, hear, w);
}

/* Worker 0 waits for the others, who rely on it to hear of a wish to stop. */
static void
listen(void *user)
{
    sweep *s = user;

    tell(s, atomic_load(&s->done));
}

static void
cut(sweep *s)
{
    const kn_lattice *l = s->problem->lattice;

    s->parts = 1;
    for (s->depth = 0; s->parts < PARTS_LEAST && s->depth + 1 < l->n; s->depth++)
        s->parts *= (size_t) l->top[s->axes.order[s->depth]] - l->low[s->axes.order[s->depth]] + 1;
}

static kanon_status
open_workers(sweep *s)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = s->problem->ctx;
    size_t       each = kn_fold_bytes(&s->axes)
                + kn_gauge_scratch_bytes(&s->gauge, KN_GAUGE_CLASSES);
    size_t       fit = FOLDS_BYTES / each;
    unsigned     threads = s->problem->threads ? s->problem->threads : 1;

    if (threads > fit)
        threads = fit ? (unsigned) fit : 1;
    s->workers = KN_NEW_ARRAY(ctx, worker, threads);
    if (!s->workers)
        return KANON_E_NOMEM;
    for (; s->nworkers < threads; s->nworkers++) {
        worker *w = &s->workers[s->nworkers];

        w->sweep = s;
        w->number = s->nworkers;
        kn_archive_init(&w->archive, ctx, s->problem->objectives, s->problem->lattice->n,
                        KN_KEEP_LEAST);
        KN_TRY(kn_fold_new(&s->axes, &w->fold));
        KN_TRY(kn_gauge_scratch_new(&s->gauge, KN_GAUGE_CLASSES, &w->dial));
    }
    KN_TRY(kn_pool_new(ctx, threads, &s->pool));
    kn_pool_idle(s->pool, listen, s);
out:
    return rc;
}

static void
close_sweep(sweep *s)
{
    kn_pool_free(s->pool);
    for (unsigned i = 0; s->workers && i < (s->problem->threads ? s->problem->threads : 1); i++) {
        if (!s->workers[i].sweep)
            break;
        kn_fold_free(s->workers[i].fold);
        kn_gauge_scratch_free(s->workers[i].dial);
        kn_archive_fini(&s->workers[i].archive);
    }
    kn_free(s->problem->ctx, s->workers);
    kn_fold_axes_fini(&s->axes);
    kn_gauge_fini(&s->gauge);
}

/* What the workers found becomes one archive. */
static kanon_status
gather(sweep *s, kn_front_outcome *out)
{
    kanon_status rc = KANON_OK;

    for (unsigned i = 0; i < s->nworkers; i++) {
        worker *w = &s->workers[i];

        KN_TRY(w->status);
        out->evaluations += w->nodes;
        for (size_t p = 0; p < w->archive.count; p++)
            KN_TRY(kn_archive_offer(&out->archive, w->archive.points[p], NULL));
    }
out:
    return rc;
}

/* However short the time: the bottom and the top are always there. */
static kanon_status
add_ends(sweep *s, kn_front_outcome *out)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *lattice = s->problem->lattice;
    kn_gauge_scratch *dial = NULL;
    kn_profile        profile;
    kn_point          point;

    KN_TRY(kn_gauge_scratch_new(&s->gauge, KN_GAUGE_NODES, &dial));
    for (int end = 0; end < 2; end++) {
        const uint8_t *levels = end ? lattice->top : lattice->low;

        kn_gauge_scratch_node(dial, levels, &profile, point.values);
        kn_point_fill(s->problem, levels, &profile, &point);
        KN_TRY(kn_archive_offer(&out->archive, &point, NULL));
    }
out:
    kn_gauge_scratch_free(dial);
    return rc;
}

static kanon_status
run(const kn_front_problem *problem, kn_front_outcome *out)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *lattice = problem->lattice;
    sweep             s;

    if (kn_climb_fits(problem))
        return kn_climb_run(problem, out);
    memset(&s, 0, sizeof s);
    s.problem = problem;
    atomic_init(&s.done, 0);
    atomic_flag_clear(&s.memory);
    s.nodes = kn_lattice_nodes(lattice->n, lattice->low, lattice->top);
    kn_archive_init(&out->archive, problem->ctx, problem->objectives, lattice->n, KN_KEEP_LEAST);
    kn_run_begin(&s.run, problem->ctx, problem->time_limit_s);
    KN_TRY(kn_gauge_init(&s.gauge, problem));
    KN_TRY(kn_fold_axes_init(&s.axes, &s.gauge, lattice));
    cut(&s);
    KN_TRY(open_workers(&s));
    kn_pool_run(s.pool, s.parts, walk_part, &s);
    KN_TRY(kn_run_status(&s.run));
    KN_TRY(gather(&s, out));
    if (kn_run_reason(&s.run))
        KN_TRY(add_ends(&s, out));
    kn_archive_sort(&out->archive);
    out->exact = !kn_run_reason(&s.run) || (double) out->evaluations >= s.nodes;
    out->stopped = out->exact ? "complete" : kn_run_reason(&s.run);
    out->method = "every node of the lattice was measured";
out:
    close_sweep(&s);
    return rc;
}

static const kanon_param params[] = { { NULL, NULL, 0, 0, NULL, NULL } };

const kn_front_class kn_front_exact = {
    { "exact",
      "the complete front: measures every node, or proves an optimum for each k if k is traded off "
      "against log",
      "docs/PARETO.md", KANON_TRAIT_EXACT, params, NULL },
    run,
};

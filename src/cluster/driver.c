/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- runs a clusterer: an answer to begin with, time, cancel, progress, what it leaves over, models
 * that refuse a class, refinement, the bound, and the curve of losses. What comes out satisfies the whole
 * requirement, whatever the clusterer did, and is numbered by first rows: it does not depend on the number of
 * threads. */
#include "cluster/mondrian.h"
#include "cluster/partition.h"
#include "cluster/refine.h"

/* Where a refinement follows, the clusterer has that share of a time limit, and the refinement what comes up
 * to the second one; the rest is for the bound. */
static const double CLUSTERER_SHARE = 0.5, REFINE_SHARE = 0.85;

/* The first answer is cut by the cheapest cuts if they are estimated to take less than that share of a time
 * limit; seconds for each row, level of the tree, column to cut and column of the boxes. */
static const double START_SHARE = 0.25, START_S = 2e-9;

/* What a clusterer has not placed when it is late is cut in halves. Seconds that this takes a row, which are
 * taken from the clusterer's time, but not more than that share of it; and seconds that it may have
 * in any case. */
static const double CUT_S = 2e-6, CUT_SHARE = 0.25, GRACE_S = 0.1;

/* Costs that a core computes in a second, and seconds that are announced. */
static const double COSTS_A_SECOND = 3e8, LONG_S = 60;

/* Tuples up to which every clusterer gets a bound, and looks that it may take in any case; else as many as
 * the costs that the clusterer has computed, so that nobody waits for the bound alone. */
static const double   BOUND_FREE = 4096;
static const uint64_t BOUND_LOOKS = 3000000;

struct kn_cluster_env {
    const kn_search_problem *problem;
    kanon_ctx               *ctx;
    kn_space                *space;
    kn_scanner              *scanner;
    kn_pool                 *pool;
    kn_checker             **checkers; /* one a worker */
    uint32_t               **entries;  /* [rows] one a worker; NULL: nobody asks for them */
    unsigned                 nworkers;
    kn_run                   run;
    double                   from, until; /* share of the progress line of what runs now */
    atomic_uint_fast64_t     evaluations;
    kn_outcome              *out;
};

/* --- small questions ------------------------------------------------------------------------------- */

kanon_ctx *
kn_cluster_ctx(const kn_cluster_env *env)
{
    return env->ctx;
}

const kn_space *
kn_cluster_space(const kn_cluster_env *env)
{
    return env->space;
}

const kn_scanner *
kn_cluster_scanner(const kn_cluster_env *env)
{
    return env->scanner;
}

const kn_privacy *
kn_cluster_privacy(const kn_cluster_env *env)
{
    return env->problem->privacy;
}

uint64_t
kn_cluster_seed(const kn_cluster_env *env)
{
    return env->problem->seed;
}

kn_pool *
kn_cluster_pool(const kn_cluster_env *env)
{
    return env->pool;
}

bool
kn_cluster_plain(const kn_cluster_env *env)
{
    return env->problem->privacy->nmodels == 0;
}

bool
kn_cluster_holds(const kn_cluster_env *env, unsigned worker, const uint32_t *rows, size_t count)
{
    uint32_t       *entries;
    const uint32_t *entry_of = env->space->entry_of ? env->space->entry_of : env->space->point_of;

    assert(rows || !count); /* a table may be empty */
    if (!kn_privacy_enough(env->problem->privacy, count))
        return false;
    if (kn_cluster_plain(env))
        return true;
    entries = env->entries[worker];
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_of[rows[i]];
    return kn_checker_holds(env->checkers[worker], entries, count);
}

void
kn_cluster_spent(kn_cluster_env *env, uint64_t evaluations)
{
    atomic_fetch_add_explicit(&env->evaluations, evaluations, memory_order_relaxed);
}

/* --- time and progress ------------------------------------------------------------------------------ */

static uint64_t
evaluations(const kn_cluster_env *env)
{
    return atomic_load_explicit(&env->evaluations, memory_order_relaxed);
}

bool
kn_cluster_late(kn_cluster_env *env, double fraction, double loss)
{
    kn_run *run = &env->run;

    if (fraction >= 0)
        run->fraction = env->from + (env->until - env->from) * (fraction > 1 ? 1 : fraction);
    if (loss >= 0 && (run->best < 0 || loss < run->best))
        run->best = loss;
    kn_run_tell(run, evaluations(env));
    return kn_run_cut(run);
}

bool
kn_cluster_over(const kn_cluster_env *env)
{
    return kn_run_ended(&env->run);
}

double
kn_cluster_left(const kn_cluster_env *env)
{
    return kn_run_left(&env->run);
}

/* Worker 0 waits for the others, who rely on it to hear of that. */
static void
listen_while_waiting(void *user)
{
    kn_cluster_env *env = user;

    kn_run_tell(&env->run, evaluations(env));
    kn_run_over(&env->run);
}

/* A share of the time for what comes next; the whole of it may be over already. */
static void
allot(kn_cluster_env *env, double share)
{
    double limit = env->problem->time_limit_s;

    kn_run_until(&env->run, limit > 0 ? env->run.started + limit * share : 0);
}

void
kn_cluster_note(kn_cluster_env *env, double loss)
{
    if (env->run.best < 0 || loss < env->run.best)
        env->run.best = loss;
    kn_run_note(&env->run, evaluations(env), loss);
}

/* --- the stages ---------------------------------------------------------------------------------------- */

static const double *
value_of(const kn_cluster_class *clusterer, const double *values, const char *name)
{
    for (size_t i = 0; clusterer->info.params[i].name; i++)
        if (strcmp(clusterer->info.params[i].name, name) == 0)
            return &values[i];
    return NULL;
}

/* "on" is the first of the words. */
static bool
refines(const kn_cluster_class *clusterer, const double *values)
{
    const double *refine = value_of(clusterer, values, "refine");

    return refine && *refine < 1;
}

static void
warn_of_length(kn_cluster_env *env, const kn_cluster_class *clusterer, const double *values)
{
    kn_values v = { values };
    double    costs = clusterer->work(env->space, env->problem->privacy->k, &v);
    double seconds = costs / (COSTS_A_SECOND * env->nworkers), limit = env->problem->time_limit_s;
    bool   blocks = value_of(clusterer, values, "block") != NULL;

    if (seconds < LONG_S || (limit > 0 && limit < LONG_S))
        return;
    kn_warn(env->ctx, KN_FOUND_SLOW, kn_at_setting("algorithm"),
            "%s examines pairs of rows, about %.2g here, which takes about %.0f minutes" KN_DO
            "use a faster one: %s",
            clusterer->info.name, costs, seconds / 60 < 1 ? 1 : seconds / 60,
            blocks ? "--param block=32768, or --algorithm mondrian --param refine=on"
                   : "--algorithm mondrian --param refine=on");
}

/* --- the answer to begin with ---------------------------------------------------------------------- */

/* Another partition with what it costs. */
typedef struct rival {
    kn_partition partition;
    uint64_t     cost;
} rival;

/* Trying all columns gives far better classes than the widest one, and takes longer. */
static bool
has_time_for_cheapest(const kn_cluster_env *env)
{
    double columns = (double) env->space->nquasi, limit = env->problem->time_limit_s, depth = 1;

    for (uint64_t rows = env->space->rows; rows > 2 * env->problem->privacy->k; rows /= 2)
        depth++;
    return limit <= 0
        || START_S * env->space->rows * depth * columns * columns < START_SHARE * limit;
}

/* Whoever must end before the clusterer has anything gets this partition, which is there in a moment: rows
 * cut into halves. It is no part of the clusterer's work and not counted as such. */
static kanon_status
make_start(kn_cluster_env *env, rival *start)
{
    kanon_status        rc = KANON_OK;
    kn_mondrian_options options = { KN_MONDRIAN_STRICT, KN_MONDRIAN_CHEAPEST, 0 };
    uint64_t            spent = evaluations(env);
    kn_part             part;

    if (!has_time_for_cheapest(env))
        options.choice = KN_MONDRIAN_WIDEST;
    KN_TRY(kn_partition_init(env->ctx, env->space->rows, &start->partition));
    env->run.deaf = true; /* there is nothing yet to be content with */
    rc = kn_mondrian_cut(env, &options, &start->partition);
    env->run.deaf = false;
    KN_TRY(rc);
    KN_TRY(kn_run_status(&env->run));
    part = kn_part_of(env->space, &start->partition);
    KN_TRY(kn_part_cost(env->space, &part, &start->cost));
    atomic_store(&env->evaluations, spent);
    kn_cluster_note(env, kn_space_loss(env->space, start->cost));
out:
    return rc;
}

/* The clusterer was cut short: the better of what it made and what was there before. If it came to its end,
 * its own partition stands, better or not: that is what was asked for. */
static kanon_status
keep_better(kn_cluster_env *env, const kn_cluster_class *clusterer, rival *start)
{
    kanon_status rc = KANON_OK;
    kn_part      part = kn_part_of(env->space, &env->out->partition);
    uint64_t     cost;

    KN_TRY(kn_part_cost(env->space, &part, &cost));
    if (start->partition.class_of && atomic_load(&env->run.cut) && start->cost < cost) {
        rival made = { env->out->partition, cost };

        env->out->partition = start->partition;
        cost = start->cost;
        *start = made;
        kn_warn(env->ctx, KN_FOUND_STOPPED, kn_at_setting("algorithm"),
                "%s had no time to find better classes than those of mondrian, with which it "
                "begins" KN_DO
                "give it more time (--time-limit), or use --algorithm mondrian --param refine=on",
                clusterer->info.name);
    }
    env->run.best = kn_space_loss(env->space, cost);
    kn_run_note(&env->run, evaluations(env), env->run.best);
out:
    return rc;
}

/* What a clusterer had no time for is cut into halves: that is quick, and better than one large class. */
static kanon_status
cut_rest(kn_cluster_env *env, kn_partition *partition)
{
    kanon_status        rc = KANON_OK;
    kn_mondrian_options options = { KN_MONDRIAN_STRICT, KN_MONDRIAN_WIDEST, 0 };
    double              deadline = env->run.deadline, limit = env->problem->time_limit_s, most;

    most = kn_seconds() + GRACE_S + (limit > 0 ? 0 : CUT_S * env->space->rows);
    if (limit > 0 && most < env->run.started + limit)
        most = env->run.started + limit;
    kn_run_until(&env->run, most);
    env->run.deaf = true; /* "enough" is what has led here */
    rc = kn_mondrian_cut(env, &options, partition);
    env->run.deaf = false;
    KN_TRY(rc);
    KN_TRY(kn_run_status(&env->run));
    kn_run_until(&env->run, deadline);
out:
    return rc;
}

/* Every row gets a class that may be, or is suppressed. */
static kanon_status
complete(kn_cluster_env *env, kn_partition *partition)
{
    kanon_status rc = KANON_OK;
    kn_mending   mender = { env, env->pool, 0, env->problem->privacy->allowed, false };
    kn_part      part = kn_part_of(env->space, partition);
    uint32_t     rest;
    bool         left = false;

    KN_TRY(kn_part_number(env->ctx, &part));
    if (kn_cluster_over(
            env)) /* no time for one merge after the other: they are cut with the rest */
        KN_TRY(kn_part_dissolve(&mender, &part));
    rest = kn_part_left(&part);
    if (rest && (part.nclasses == 0 || rest >= 2 * env->problem->privacy->k)) {
        partition->nclasses = part.nclasses;
        KN_TRY(cut_rest(env, partition));
        part = kn_part_of(env->space, partition);
        rest = kn_part_left(&part);
    }
    if (rest)
        KN_TRY(kn_part_place(&mender, &part));
    KN_TRY(kn_part_repair(&mender, &part, &left));
    partition->nclasses = part.nclasses;
    if (left) { /* one class, which suppressed rows have made worse than all rows together */
        memset(partition->class_of, 0, env->space->rows * sizeof *partition->class_of);
        partition->nclasses = 1;
    }
out:
    return rc;
}

/* The bound looks at pairs of tuples. Where the clusterer does not, or only at those within blocks, it would
 * take most of the time of a large table. */
static bool
worth_bounding(const kn_cluster_env *env, const kn_cluster_class *clusterer, const double *values)
{
    double        n = (double) env->space->npoints;
    const double *block = value_of(clusterer, values, "block");

    return n <= BOUND_FREE || refines(clusterer, values) || (block && (*block < 1 || *block >= n));
}

static kanon_status
refine(kn_cluster_env *env, const kn_cluster_class *clusterer, const double *values)
{
    kanon_status      rc = KANON_OK;
    const double     *iterations = value_of(clusterer, values, "refine-iterations");
    kn_refine_options options = { iterations ? (uint64_t) *iterations : 0, env->problem->seed, 0,
                                  1 };
    kn_part           part;

    allot(env, REFINE_SHARE);
    env->from = env->run.fraction > 0 ? env->run.fraction : 0;
    env->until = 1;
    KN_TRY(kn_cluster_refine(env, &options, &env->out->partition));
    KN_TRY(kn_run_status(&env->run));
    part = kn_part_of(env->space, &env->out->partition);
    KN_TRY(kn_part_number(env->ctx, &part));
    env->out->partition.nclasses = part.nclasses;
out:
    return rc;
}

/* The bound comes last, since nothing of the release depends on it: whoever has heard enough does not wait
 * for it, and a partition that was complete is so without it, too. */
static kanon_status
bound(kn_cluster_env *env, const kn_cluster_class *clusterer, const double *values)
{
    kanon_status rc = KANON_OK;
    bool         cut = atomic_load(&env->run.cut);
    uint64_t     cost = 0, looks = evaluations(env);

    allot(env, 1);
    if (worth_bounding(env, clusterer, values) && !kn_cluster_over(env))
        KN_TRY(kn_cluster_bound(env, looks < BOUND_LOOKS ? BOUND_LOOKS : looks, &cost));
    KN_TRY(kn_run_status(&env->run));
    atomic_store(&env->run.cut, cut);
    env->out->lower_bound = kn_space_loss(env->space, cost);
out:
    return rc;
}

/* May the rows be one class, all of them? If not, no partition is certain to exist. */
static kanon_status
judge_all(const kn_cluster_env *env, bool *holds)
{
    uint32_t *rows = KN_NEW_ARRAY(env->ctx, uint32_t, env->space->rows);

    if (!rows)
        return KANON_E_NOMEM;
    for (uint32_t row = 0; row < env->space->rows; row++)
        rows[row] = row;
    *holds = kn_cluster_holds(env, 0, rows, env->space->rows);
    kn_free(env->ctx, rows);
    return KANON_OK;
}

/* Nothing can be released, or nothing has to be: all rows may be suppressed. */
static void
give_up(kn_cluster_env *env)
{
    kn_outcome *out = env->out;

    for (uint32_t row = 0; row < env->space->rows; row++)
        out->partition.class_of[row] = KN_NO_CLASS;
    out->partition.nclasses = 0;
    out->feasible = out->score.feasible = env->space->rows <= env->problem->privacy->allowed;
    out->stopped = out->feasible ? "complete" : "infeasible";
}

static double
clusterer_share(const kn_cluster_env *env, bool refine)
{
    double limit = env->problem->time_limit_s, share = refine ? CLUSTERER_SHARE : 1;
    double cut = limit > 0 ? CUT_S * env->space->rows / limit : 0;

    return share - (cut < CUT_SHARE * share ? cut : CUT_SHARE * share);
}

static kanon_status
run_stages(kn_cluster_env *env, const kn_cluster_class *clusterer, const double *values)
{
    kanon_status rc = KANON_OK;
    kn_outcome  *out = env->out;
    kn_values    v = { values };
    rival        start = { { NULL, 0 }, 0 };
    bool         holds;

    KN_TRY(kn_partition_init(env->ctx, env->space->rows, &out->partition));
    KN_TRY(judge_all(env, &holds));
    if (!holds) {
        give_up(env);
        return KANON_OK;
    }
    warn_of_length(env, clusterer, values);
    allot(env, clusterer_share(env, refines(clusterer, values)));
    env->until = refines(clusterer, values) ? CLUSTERER_SHARE : 1;
    if (clusterer != &kn_cluster_mondrian)
        KN_TRY(make_start(env, &start));
    KN_TRY(clusterer->run(env, &v, &out->partition));
    KN_TRY(kn_run_status(&env->run));
    if (kn_cluster_over(env)) /* workers who only heard of it have left work undone as well */
        atomic_store(&env->run.cut, true);
    KN_TRY(complete(env, &out->partition));
    KN_TRY(keep_better(env, clusterer, &start));
    if (refines(clusterer, values)) {
        KN_TRY(refine(env, clusterer, values));
        KN_TRY(keep_better(env, clusterer, &start)); /* it may have been cut short before that */
    }
    out->stopped = atomic_load(&env->run.cut) ? kn_run_reason(&env->run) : "complete";
    KN_TRY(bound(env, clusterer, values));
    out->feasible = out->score.feasible = true;
out:
    kn_partition_fini(env->ctx, &start.partition);
    return rc;
}

/* --- the run ------------------------------------------------------------------------------------------- */

static kanon_status
open_juries(kn_cluster_env *env)
{
    kanon_status rc = KANON_OK;

    env->nworkers = kn_pool_workers(env->pool);
    env->checkers = kn_alloc_array(env->ctx, env->nworkers, sizeof *env->checkers);
    env->entries = kn_alloc_array(env->ctx, env->nworkers, sizeof *env->entries);
    if (!env->checkers || !env->entries)
        return KANON_E_NOMEM;
    for (unsigned i = 0; i < env->nworkers && !kn_cluster_plain(env); i++) {
        KN_TRY(kn_checker_new(env->ctx, env->problem->privacy, env->space->table,
                              &env->checkers[i]));
        env->entries[i] = KN_NEW_ARRAY(env->ctx, uint32_t, env->space->rows);
        if (!env->entries[i])
            return KANON_E_NOMEM;
    }
out:
    return rc;
}

static kanon_status
open_env(kn_cluster_env *env, const kn_search_problem *problem)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_space_new(env->ctx, problem->scale, problem->metric, &env->space));
    KN_TRY(kn_scanner_new(env->ctx, env->space, &env->scanner));
    KN_TRY(kn_pool_new(env->ctx, problem->threads ? problem->threads : 1, &env->pool));
    kn_pool_idle(env->pool, listen_while_waiting, env);
    KN_TRY(open_juries(env));
out:
    return rc;
}

static void
close_env(kn_cluster_env *env)
{
    for (unsigned i = 0; i < env->nworkers; i++) {
        if (env->checkers)
            kn_checker_free(env->checkers[i]);
        if (env->entries)
            kn_free(env->ctx, env->entries[i]);
    }
    kn_free(env->ctx, env->checkers);
    kn_free(env->ctx, env->entries);
    kn_pool_free(env->pool);
    kn_scanner_free(env->scanner);
    kn_space_free(env->space);
}

/* The figures of the outcome follow from the partition. */
static kanon_status
conclude(kn_cluster_env *env)
{
    kanon_status rc = KANON_OK;
    kn_outcome  *out = env->out;
    kn_part      part = kn_part_of(env->space, &out->partition);
    kn_curve    *curve = &env->run.curve;
    uint64_t     cost;

    out->score.outlying = kn_part_left(&part);
    out->least_outlying = env->space->rows; /* one class: all or nothing */
    out->evaluations = evaluations(env);
    if (!out->feasible)
        return KANON_OK;
    KN_TRY(kn_part_cost(env->space, &part, &cost));
    out->score.loss = kn_space_loss(env->space, cost);
    /* What was noted of a partition in which a model did not hold yet was no answer. */
    while (curve->count && curve->points[curve->count - 1].loss < out->score.loss)
        curve->count--;
    kn_cluster_note(env, out->score.loss);
    out->curve = *curve;
    if (out->lower_bound > out->score.loss)
        out->lower_bound = out->score.loss;
    out->bounded = out->lower_bound > 0;
out:
    return rc;
}

kanon_status
kn_cluster_run(const kn_cluster_class *clusterer, const kn_search_problem *problem, kn_outcome *out)
{
    kanon_status   rc = KANON_OK;
    kn_cluster_env env;
    double         values[KN_PARAMS_MOST];

    memset(&env, 0, sizeof env);
    memset(out, 0, sizeof *out);
    out->metric = problem->metric;
    env.problem = problem;
    env.ctx = problem->ctx;
    env.out = out;
    kn_run_begin(&env.run, problem->ctx, problem->time_limit_s);
    KN_TRY(
        kn_params_parse(problem->ctx, &clusterer->info, problem->params, problem->nparams, values));
    KN_TRY(open_env(&env, problem));
    KN_TRY(run_stages(&env, clusterer, values));
    KN_TRY(conclude(&env));
out:
    close_env(&env);
    if (rc < 0)
        kn_partition_fini(problem->ctx, &out->partition);
    return rc;
}

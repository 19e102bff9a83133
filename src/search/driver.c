/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- runs a search: budget, time, cancel, progress, the best answer, statistics.
 * All scores come from here, so every search is judged by the same ruler. A batch is first sorted out in
 * order (known? implied? twice?), then checked by the threads, then recorded in order: the result does
 * not depend on how many threads there are. */
#include <float.h>

#include "base/pool.h"
#include "base/run.h"
#include "group/engine.h"
#include "search/node_check.h"
#include "search/memo.h"
#include "search/search.h"

/* Memory that the scratch of all threads may take before fewer are used, and that a collapsed copy of the
 * table may take for its coarser columns. */
static const size_t TALLIES_BYTES = (size_t) 512 << 20, ROLLUP_BYTES = (size_t) 64 << 20;

static const kn_score UNANSWERED = { false, UINT64_MAX, 0 };

struct kn_search_env {
    const kn_search_class   *search;
    const kn_search_problem *problem;
    kanon_ctx               *ctx;
    kn_meter                *meter;
    kn_tags                 *tags;
    kn_memo                 *memo;
    kn_pool                 *pool;
    kn_engine               *engine;
    kn_tally               **tallies; /* one a thread */
    kn_node_check          **checks;  /* one a thread, where there are models; else NULL */
    unsigned                 ntallies;
    unsigned                 want;     /* that the metric has to know of a node */
    bool                     unsteady; /* the models are not monotone: only k decides other nodes */
    kn_rng                   rng;
    uint64_t                 most_evaluations;
    kn_run                   run;
    bool                     has_best, proven, plain;
    double                   bound; /* no node has a smaller loss */
    uint8_t                  best[KN_QUASI_MOST];
    kn_score                 best_score;
    uint64_t                 evaluations, predicted;
    const char              *stopped;
    /* the batch that the threads work on */
    const uint8_t **batch;
    kn_score       *batch_scores;
    size_t         *batch_places; /* where each goes in the caller's array */
    uint8_t        *batch_done;   /* an outcome; 0: the time was over first */
    size_t          batch_room, scores_room, places_room, done_room;
};

/* --- small questions ------------------------------------------------------------------------------- */

kanon_ctx *
kn_env_ctx(const kn_search_env *env)
{
    return env->ctx;
}

const kn_search_class *
kn_env_class(const kn_search_env *env)
{
    return env->search;
}

const kn_lattice *
kn_env_lattice(const kn_search_env *env)
{
    return env->problem->lattice;
}

kn_rng *
kn_env_rng(kn_search_env *env)
{
    return &env->rng;
}

kn_tag
kn_env_tag(kn_search_env *env, const uint8_t *node)
{
    assert(kn_node_below(env->problem->lattice->n, node, env->problem->lattice->top));
    return kn_tags_ask(env->tags, node);
}

/* A hierarchy may know groups that the table does not hold; they do not count. */
uint32_t
kn_env_groups(const kn_search_env *env, size_t quasi, unsigned level)
{
    assert(quasi < env->problem->lattice->n && level <= env->problem->lattice->top[quasi]);
    return kn_engine_coarse(env->engine)[quasi].ngroups[level];
}

double
kn_env_bound(const kn_search_env *env, const uint8_t *node)
{
    assert(kn_node_below(env->problem->lattice->n, node, env->problem->lattice->top));
    return kn_meter_bound(env->meter, node);
}

bool
kn_env_monotone(const kn_search_env *env)
{
    return kn_meter_monotone(env->meter);
}

double
kn_env_best(const kn_search_env *env)
{
    return env->best_score.loss;
}

const uint8_t *
kn_env_best_node(const kn_search_env *env)
{
    return env->has_best ? env->best : NULL;
}

uint64_t
kn_env_evaluations(const kn_search_env *env)
{
    return env->evaluations;
}

bool
kn_env_limited(const kn_search_env *env)
{
    return env->run.deadline > 0 || env->most_evaluations != UINT64_MAX;
}

void
kn_env_stopped(kn_search_env *env, const char *reason)
{
    env->stopped = reason;
}

void
kn_env_proven(kn_search_env *env)
{
    env->proven = true;
}

void
kn_env_plain(kn_search_env *env)
{
    env->plain = true;
}

/* --- one node ---------------------------------------------------------------------------------------- */

/* How a look at the data ended: undone, feasible, too many rows in classes smaller than k, or too many in
 * classes that a model refuses. */
typedef enum { LOOK_NONE, LOOK_FEASIBLE, LOOK_FEW, LOOK_REFUSED } look;

/* Rows are counted first: that is quick, and most nodes fall by it. What is left is judged by the models. */
static look
evaluate(const kn_search_env *env, const uint8_t *node, unsigned worker, kn_score *score)
{
    const kn_privacy *privacy = env->problem->privacy;
    kn_counted        counted;

    *score = UNANSWERED;
    kn_count(env->tallies[worker], node, privacy->k, privacy->allowed, env->checks ? 0 : env->want,
             &counted);
    if (!counted.complete)
        return LOOK_FEW;
    if (env->checks)
        kn_node_check_run(env->checks[worker], node, &counted);
    if (!counted.complete)
        return LOOK_REFUSED;
    score->outlying = counted.outlying;
    score->feasible = true;
    score->loss = kn_meter_score(env->meter, node, &counted);
    return LOOK_FEASIBLE;
}

/* Smaller loss, then fewer suppressed rows, then the lexicographically smaller node. */
static bool
better(const kn_search_env *env, const uint8_t *node, const kn_score *score)
{
    if (!env->has_best)
        return true;
    if (kn_loss_less(score->loss, env->best_score.loss))
        return true;
    if (kn_loss_less(env->best_score.loss, score->loss))
        return false;
    if (score->outlying != env->best_score.outlying)
        return score->outlying < env->best_score.outlying;
    return memcmp(node, env->best, env->problem->lattice->n) < 0;
}

void
kn_env_offer(kn_search_env *env, const uint8_t *node, const kn_score *score)
{
    assert(kn_node_below(env->problem->lattice->n, node, env->problem->lattice->top));
    if (!score->feasible || !better(env, node, score))
        return;
    kn_run_note(&env->run, env->evaluations, score->loss);
    memcpy(env->best, node, env->problem->lattice->n);
    env->best_score = *score;
    env->has_best = true;
    env->run.deaf = false;
}

/* Where the models are not monotone, only too few rows say something about other nodes: those below have too
 * few as well. */
static kanon_status
record(kn_search_env *env, const uint8_t *node, look ended, const kn_score *score)
{
    kanon_status rc = KANON_OK;

    env->evaluations++;
    kn_env_offer(env, node, score);
    KN_TRY(kn_memo_put(env->memo, node, score));
    if (!env->unsteady || ended == LOOK_FEW)
        KN_TRY(
            kn_tags_tell(env->tags, node, score->feasible ? KN_TAG_FEASIBLE : KN_TAG_INFEASIBLE));
out:
    return rc;
}

typedef enum { NODE_OPEN, NODE_TWICE, NODE_ANSWERED } node_state;

/* Known without looking at the data? A feasible node whose loss needs the data is looked at all the
 * same; one whose loss is known from its levels can be no better than the node that implies it. What was
 * implied is remembered, so that it is counted once. */
static kanon_status
look_up(kn_search_env *env, const uint8_t *node, kn_score *score, node_state *state)
{
    kn_memo_state memo = kn_memo_get(env->memo, node, score);

    *state = memo == KN_MEMO_KNOWN   ? NODE_ANSWERED
           : memo == KN_MEMO_PENDING ? NODE_TWICE
                                     : NODE_OPEN;
    if (memo != KN_MEMO_NONE)
        return KANON_OK;
    if (!kn_node_below(env->problem->lattice->n, env->problem->lattice->floor, node)) {
        *score = UNANSWERED; /* below a floor: infeasible */
        *state = NODE_ANSWERED;
        env->predicted++;
        return kn_memo_put(env->memo, node, score);
    }
    if (env->plain)
        return KANON_OK;
    switch (kn_tags_ask(env->tags, node)) {
    case KN_TAG_INFEASIBLE:
        *score = (kn_score){ false, UINT64_MAX, 0 };
        break;
    case KN_TAG_FEASIBLE:
        if (!kn_meter_by_levels(env->meter))
            return KANON_OK;
        *score = (kn_score){ true, UINT64_MAX, kn_meter_levels(env->meter, node) };
        if (!kn_loss_less(env->best_score.loss, score->loss))
            return KANON_OK; /* as good as the best: it may suppress fewer rows */
        break;
    default:
        return KANON_OK;
    }
    *state = NODE_ANSWERED;
    env->predicted++;
    return kn_memo_put(env->memo, node, score);
}

/* --- many nodes -------------------------------------------------------------------------------------- */

/* Worker 0 tells how far the search is. */
static void
tell_progress(kn_search_env *env, uint64_t evaluations)
{
    kn_run *run = &env->run;

    if (env->most_evaluations != UINT64_MAX)
        run->fraction = (double) evaluations / (double) env->most_evaluations;
    if (env->has_best) {
        run->best = env->best_score.loss;
        run->bound = env->bound < run->best ? env->bound : run->best;
    }
    kn_run_tell(run, evaluations);
}

/* Is the time over, or has somebody asked to stop? If so, something stays undone. */
static bool
must_stop(kn_search_env *env, uint64_t evaluations, unsigned worker)
{
    if (worker == 0)
        tell_progress(env, evaluations);
    return kn_run_cut(&env->run);
}

/* Worker 0 waits for the others, who rely on it to hear of that. */
static void
listen_while_waiting(void *user)
{
    kn_search_env *env = user;

    tell_progress(env, env->evaluations);
    kn_run_over(&env->run);
}

static void
work(void *user, size_t item, unsigned worker)
{
    kn_search_env *env = user;

    if (must_stop(env, env->evaluations + item, worker))
        return;
    env->batch_done[item] = (uint8_t) evaluate(env, env->batch[item], worker,
                                               &env->batch_scores[item]);
}

static kanon_status
reserve_batch(kn_search_env *env, size_t count)
{
    kanon_status rc = KANON_OK;
    void        *batch = env->batch, *scores = env->batch_scores, *places = env->batch_places;
    void        *done = env->batch_done;

    KN_TRY(kn_grow(env->ctx, &batch, &env->batch_room, count, sizeof *env->batch));
    env->batch = batch;
    KN_TRY(kn_grow(env->ctx, &scores, &env->scores_room, count, sizeof *env->batch_scores));
    env->batch_scores = scores;
    KN_TRY(kn_grow(env->ctx, &places, &env->places_room, count, sizeof *env->batch_places));
    env->batch_places = places;
    KN_TRY(kn_grow(env->ctx, &done, &env->done_room, count, sizeof *env->batch_done));
    env->batch_done = done;
out:
    return rc;
}

kanon_status
kn_env_check_many(kn_search_env *env, const uint8_t *nodes, size_t count, kn_score *scores)
{
    kanon_status rc = KANON_OK;
    size_t       n = env->problem->lattice->n, todo = 0, twice = 0;

    KN_TRY(reserve_batch(env, count));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *node = nodes + i * n;
        node_state     state;

        scores[i] = UNANSWERED;
        KN_TRY(look_up(env, node, &scores[i], &state));
        twice += state == NODE_TWICE;
        if (state != NODE_OPEN || env->evaluations + todo >= env->most_evaluations)
            continue;
        KN_TRY(kn_memo_expect(env->memo, node));
        env->batch[todo] = node;
        env->batch_places[todo] = i;
        env->batch_scores[todo] = UNANSWERED;
        env->batch_done[todo++] = LOOK_NONE;
    }
    kn_engine_expect(env->engine, env->batch, todo);
    kn_pool_run(env->pool, todo, work, env);
    KN_TRY(kn_run_status(&env->run));
    for (size_t j = 0; j < todo; j++) {
        scores[env->batch_places[j]] = env->batch_scores[j];
        if (env->batch_done[j])
            KN_TRY(record(env, env->batch[j], (look) env->batch_done[j], &env->batch_scores[j]));
    }
    for (size_t i = 0; i < count && twice; i++)
        kn_memo_get(env->memo, nodes + i * n, &scores[i]);
out:
    return rc;
}

kanon_status
kn_env_check(kn_search_env *env, const uint8_t *node, kn_score *score)
{
    return kn_env_check_many(env, node, 1, score);
}

void
kn_env_collapse(kn_search_env *env, const uint8_t *node)
{
    kn_engine_collapse(env->engine, node);
}

/* --- searches that look at the data themselves -------------------------------------------------------- */

const kn_engine *
kn_env_engine(const kn_search_env *env)
{
    return env->engine;
}

const kn_privacy *
kn_env_privacy(const kn_search_env *env)
{
    return env->problem->privacy;
}

const kn_meter *
kn_env_meter(const kn_search_env *env)
{
    return env->meter;
}

unsigned
kn_env_workers(const kn_search_env *env)
{
    return env->ntallies;
}

kanon_status
kn_env_run(kn_search_env *env, size_t count, kn_work item, void *user)
{
    kn_pool_run(env->pool, count, item, user);
    return kn_run_status(&env->run);
}

bool
kn_env_late(kn_search_env *env, unsigned worker)
{
    return must_stop(env, env->evaluations, worker);
}

void
kn_env_measure(const kn_search_env *env, unsigned worker, const uint8_t *node, kn_score *score)
{
    assert(worker < env->ntallies);
    evaluate(env, node, worker, score);
}

bool
kn_env_feasible(const kn_search_env *env, unsigned worker, const uint8_t *node, uint64_t *outlying)
{
    const kn_privacy *privacy = env->problem->privacy;
    kn_counted        counted;

    assert(worker < env->ntallies);
    kn_count(env->tallies[worker], node, privacy->k, privacy->allowed, 0, &counted);
    if (counted.complete && env->checks)
        kn_node_check_run(env->checks[worker], node, &counted);
    *outlying = counted.outlying;
    return counted.complete;
}

void
kn_env_spent(kn_search_env *env, uint64_t evaluations)
{
    env->evaluations += evaluations;
}

uint64_t
kn_env_left(const kn_search_env *env)
{
    return env->most_evaluations > env->evaluations ? env->most_evaluations - env->evaluations : 0;
}

void
kn_env_raise(kn_search_env *env, double bound)
{
    if (bound > env->bound)
        env->bound = bound;
}

/* --- the run ----------------------------------------------------------------------------------------- */

/* The labels of cm, where the metric looks at them. */
static kn_labels
labels_of(const kn_search_problem *p)
{
    const kn_table *table = p->scale->table;

    if (!(p->metric->needs & KN_METRIC_LABELS) || p->scale->label == SIZE_MAX)
        return (kn_labels){ .domain = 0 };
    return (kn_labels){ table->first, table->sensitive[p->scale->label],
                        kn_table_entry_weights(table), NULL, (uint32_t) p->scale->label_domain };
}

/* A check for each thread. */
static kanon_status
open_checks(kn_search_env *env, const kn_node_problem *problem)
{
    kanon_status rc = KANON_OK;

    env->checks = kn_alloc_array(env->ctx, env->ntallies, sizeof *env->checks);
    if (!env->checks)
        return KANON_E_NOMEM;
    for (unsigned i = 0; i < env->ntallies; i++)
        KN_TRY(kn_node_check_new(env->ctx, problem, &env->checks[i]));
out:
    return rc;
}

static kanon_status
open_engine(kn_search_env *env)
{
    kanon_status             rc = KANON_OK;
    const kn_search_problem *p = env->problem;
    kn_engine_options        options = { .floor = p->lattice->floor,
                                         .most_classes = kn_privacy_most_classes(p->privacy,
                                                                                 p->view->rows),
                                         .want = p->privacy->nmodels ? 0 : env->want,
                                         .labels = labels_of(p),
                                         .rollup_bytes = ROLLUP_BYTES };
    kn_node_problem          judged = { p->view, p->scale, p->privacy, NULL, env->want };
    unsigned                 threads = p->threads ? p->threads : 1;
    size_t                   fit;

    KN_TRY(kn_engine_new(env->ctx, p->view, &options, &env->engine));
    judged.coarse = kn_engine_coarse(env->engine);
    fit = TALLIES_BYTES
        / (kn_engine_thread_bytes(env->engine)
           + (p->privacy->nmodels ? kn_node_check_bytes(&judged) : 0));
    if (threads > fit)
        threads = fit ? (unsigned) fit : 1;
    env->tallies = kn_alloc_array(env->ctx, threads, sizeof *env->tallies);
    if (!env->tallies)
        return KANON_E_NOMEM;
    while (env->ntallies < threads)
        KN_TRY(kn_tally_new(env->engine, &env->tallies[env->ntallies++]));
    if (p->privacy->nmodels)
        KN_TRY(open_checks(env, &judged));
    KN_TRY(kn_pool_new(env->ctx, threads, &env->pool));
    kn_pool_idle(env->pool, listen_while_waiting, env);
out:
    return rc;
}

static void
close_env(kn_search_env *env)
{
    kn_pool_free(env->pool);
    for (unsigned i = 0; i < env->ntallies; i++)
        kn_tally_free(env->tallies[i]);
    for (unsigned i = 0; env->checks && i < env->ntallies; i++)
        kn_node_check_free(env->checks[i]);
    kn_free(env->ctx, env->tallies);
    kn_free(env->ctx, env->checks);
    kn_engine_free(env->engine);
    kn_free(env->ctx, env->batch);
    kn_free(env->ctx, env->batch_scores);
    kn_free(env->ctx, env->batch_places);
    kn_free(env->ctx, env->batch_done);
    kn_meter_free(env->meter);
    kn_tags_free(env->tags);
    kn_memo_free(env->memo);
}

/* More than anybody can check: a budget of that many is none. */
static const double UNLIMITED = 1e15;

/* The budget is the parameter "max-evaluations", where a search has one, and that of the problem. */
static uint64_t
budget(const kn_search_class *search, const kn_search_problem *problem, const double *values)
{
    uint64_t most = problem->most_evaluations ? problem->most_evaluations : UINT64_MAX;

    for (size_t i = 0; search->info.params[i].name; i++)
        if (strcmp(search->info.params[i].name, "max-evaluations") == 0 && values[i] < UNLIMITED
            && values[i] < (double) most)
            most = (uint64_t) values[i];
    return most;
}

static kanon_status
loop(kn_search_env *env, const kn_search_class *search, const double *values)
{
    kanon_status rc = KANON_OK;
    kn_values    v = { values };
    kn_step      next = KN_STEP_MORE;
    void        *state = kn_alloc_array(env->ctx, 1, search->state_size);

    if (!state)
        return KANON_E_NOMEM;
    env->stopped = "complete";
    KN_TRY(search->init(state, env, &v));
    while (next == KN_STEP_MORE) {
        const char *reason = kn_run_reason(&env->run);

        if (!reason && env->evaluations >= env->most_evaluations)
            reason = "max-evaluations";
        if (reason) {
            env->stopped = reason;
            break;
        }
        tell_progress(env, env->evaluations);
        KN_TRY(kn_run_status(&env->run));
        KN_TRY(search->step(state, env, &next));
        kn_run_over(&env->run);
    }
    if (next == KN_STEP_MORE || atomic_load(&env->run.cut))
        env->proven = false;
    if (atomic_load(&env->run.cut))
        env->stopped = kn_run_reason(&env->run);
out:
    search->fini(state, env);
    kn_free(env->ctx, state);
    return rc;
}

static kanon_status
open_env(kn_search_env *env, const kn_search_problem *problem)
{
    kanon_status rc = KANON_OK;

    env->problem = problem;
    env->ctx = problem->ctx;
    kn_run_begin(&env->run, env->ctx, problem->time_limit_s);
    env->run.deaf = true; /* it is never enough before there is an answer */
    env->want = kn_metric_wants(problem->metric, problem->scale, problem->privacy);
    env->unsteady = !kn_privacy_monotone(problem->privacy);
    env->best_score.loss = DBL_MAX; /* of no node */
    kn_rng_init(&env->rng, problem->seed, 1);
    KN_TRY(open_engine(env));
    KN_TRY(kn_meter_new(env->ctx, problem->metric, problem->scale, problem->privacy,
                        kn_engine_coarse(env->engine), &env->meter));
    env->bound = kn_meter_bound(env->meter, problem->lattice->floor);
    KN_TRY(kn_tags_new(env->ctx, problem->lattice->n, problem->lattice->top, &env->tags));
    KN_TRY(kn_memo_new(env->ctx, problem->lattice->n, &env->memo));
out:
    return rc;
}

static void
conclude(const kn_search_env *env, kn_outcome *out)
{
    out->evaluations = env->evaluations;
    out->predicted = env->predicted;
    out->stopped = env->stopped;
    out->feasible = env->has_best;
    out->none = !env->has_best && env->proven;
    if (!env->has_best)
        return;
    memcpy(out->levels, env->best, env->problem->lattice->n);
    out->curve = env->run.curve;
    out->score = env->best_score;
    out->bounded = true;
    out->lower_bound = env->bound;
    if (env->proven || !kn_loss_less(out->lower_bound, env->best_score.loss)) {
        out->optimal = true;
        out->lower_bound = env->best_score.loss;
    }
}

void
kn_partition_fini(kanon_ctx *ctx, kn_partition *partition)
{
    kn_free(ctx, partition->class_of);
    *partition = (kn_partition){ NULL, 0 };
}

kanon_status
kn_search_run(const kn_search_class *search, const kn_search_problem *problem, kn_outcome *out)
{
    kanon_status  rc = KANON_OK;
    kn_search_env env;
    double        values[KN_PARAMS_MOST];
    kn_score      top = { false, UINT64_MAX, 0 }, bottom;
    double        deadline;

    assert(problem->lattice->n == problem->view->nquasi);
    assert(kn_node_below(problem->lattice->n, problem->lattice->floor, problem->lattice->top));
    memset(&env, 0, sizeof env);
    memset(out, 0, sizeof *out);
    out->metric = problem->metric;
    env.search = search;
    env.ctx = problem->ctx;
    env.most_evaluations = UINT64_MAX;
    KN_TRY(kn_params_parse(problem->ctx, &search->info, problem->params, problem->nparams, values));
    KN_TRY(kn_search_allow(search, problem));
    KN_TRY(open_env(&env, problem));
    deadline = env.run.deadline;
    env.run.deadline = 0; /* an answer there must be, however short the time */
    KN_TRY(kn_env_check(&env, problem->lattice->top, &top));
    if (problem->view->rows == 0) /* nobody to hide: no level rises, also where none is cheaper */
        KN_TRY(kn_env_check(&env, problem->lattice->floor, &bottom));
    env.run.deadline = deadline;
    env.most_evaluations = budget(search, problem, values);
    if (top.feasible || env.unsteady) /* else nothing below the top is feasible either */
        KN_TRY(loop(&env, search, values));
    if (!env.has_best && (!env.unsteady || env.proven))
        env.stopped = "infeasible";
    conclude(&env, out);
    out->none = out->none || (!top.feasible && !env.unsteady);
    out->least_outlying = problem->view->rows; /* one class: all or nothing */
out:
    close_env(&env);
    return rc;
}

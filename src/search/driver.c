/* driver.c -- runs a search: budget, time, cancel, progress, the best answer, statistics.
 * All scores come from here, so every search is judged by the same ruler. A batch is first sorted out in
 * order (known? implied? twice?), then checked by the threads, then recorded in order: the result does
 * not depend on how many threads there are. */
#include <stdatomic.h>

#include "base/pool.h"
#include "group/count.h"
#include "search/memo.h"
#include "search/search.h"

/* Memory that all scratch spaces together may take before fewer threads are used. */
static const size_t WORKSPACES_BYTES = (size_t) 512 << 20;

static const kn_score UNANSWERED = { false, UINT64_MAX, 0 };

typedef struct scratch {
    kn_tally     *tally; /* NULL where keys are too wide for counting */
    kn_workspace *ws;    /* where classes must be told apart; NULL where counting is enough */
    kn_by_class   by_class;
    kn_histogram  histogram;
} scratch;

struct kn_search_env {
    const kn_search_problem *problem;
    kanon_ctx               *ctx;
    kn_meter                *meter;
    kn_tags                 *tags;
    kn_memo                 *memo;
    kn_pool                 *pool;
    kn_counter              *counter;
    scratch                 *scratches;
    unsigned                 nscratches;
    kn_rng                   rng;
    uint64_t                 most_evaluations;
    double                   deadline;           /* 0: none */
    atomic_bool              expired, cancelled; /* no time left; asked to stop */
    atomic_bool              cut;                /* a node stayed unanswered for want of time */
    bool                     has_best, proven, plain;
    uint8_t                  best[KN_QUASI_MOST];
    kn_score                 best_score;
    uint64_t                 evaluations, predicted;
    const char              *stopped;
    /* the batch that the threads work on */
    const uint8_t **batch;
    kn_score       *batch_scores;
    size_t         *batch_places; /* where each goes in the caller's array */
    bool           *batch_done;   /* false: the time was over first */
    size_t          batch_room, scores_room, places_room, done_room;
};

/* --- small questions ------------------------------------------------------------------------------- */

kanon_ctx *
kn_env_ctx(const kn_search_env *env)
{
    return env->ctx;
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
    return kn_tags_ask(env->tags, node);
}

double
kn_env_bound(const kn_search_env *env, const uint8_t *node)
{
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

uint64_t
kn_env_evaluations(const kn_search_env *env)
{
    return env->evaluations;
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

bool
kn_loss_less(double a, double b)
{
    double scale = b < 0 ? -b : b;

    return a < b - 1e-12 * (scale > 1 ? scale : 1);
}

/* --- one node ---------------------------------------------------------------------------------------- */

/* Counts first, which gives up early on most infeasible nodes; tells the classes apart only where the
 * metric has to know which rows are outlying. */
static void
evaluate(kn_search_env *env, const uint8_t *node, scratch *s, kn_score *score)
{
    const kn_privacy *privacy = env->problem->privacy;
    kn_grouping       grouping = { NULL, NULL, 0, false };
    kn_verdict        verdict;

    *score = (kn_score){ false, UINT64_MAX, 0 };
    if (s->tally) {
        kn_counted counted;

        kn_count(s->tally, node, privacy->k, privacy->allowed, &counted);
        if (!counted.complete)
            return;
        verdict = (kn_verdict){ counted.outlying, counted.classes, counted.squares };
    }
    if (!s->tally || kn_meter_needs_classes(env->meter, &verdict)) {
        kn_group(s->ws, node, &grouping);
        if (!grouping.complete)
            return; /* more classes than any feasible node has */
        kn_privacy_judge(privacy, &grouping, &verdict);
    }
    score->outlying = verdict.outlying;
    score->feasible = verdict.outlying <= privacy->allowed;
    if (score->feasible)
        score->loss = kn_meter_score(env->meter, node, &grouping, &verdict, &s->by_class,
                                     &s->histogram);
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

static kanon_status
record(kn_search_env *env, const uint8_t *node, const kn_score *score)
{
    kanon_status rc = KANON_OK;

    env->evaluations++;
    if (score->feasible && better(env, node, score)) {
        memcpy(env->best, node, env->problem->lattice->n);
        env->best_score = *score;
        env->has_best = true;
    }
    KN_TRY(kn_memo_put(env->memo, node, score));
    KN_TRY(kn_tags_tell(env->tags, node, score->feasible ? KN_TAG_FEASIBLE : KN_TAG_INFEASIBLE));
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
    if (memo != KN_MEMO_NONE || env->plain)
        return KANON_OK;
    switch (kn_tags_ask(env->tags, node)) {
    case KN_TAG_INFEASIBLE:
        *score = (kn_score){ false, UINT64_MAX, 0 };
        break;
    case KN_TAG_FEASIBLE:
        if (!kn_meter_by_levels(env->meter))
            return KANON_OK;
        *score = (kn_score){ true, UINT64_MAX, kn_meter_levels(env->meter, node) };
        break;
    default:
        return KANON_OK;
    }
    *state = NODE_ANSWERED;
    env->predicted++;
    return kn_memo_put(env->memo, node, score);
}

/* --- many nodes -------------------------------------------------------------------------------------- */

static kanon_status
tell_progress(kn_search_env *env, uint64_t evaluations)
{
    kanon_progress progress = { sizeof progress, "search", -1, 0, evaluations, -1 };

    if (env->most_evaluations != UINT64_MAX)
        progress.fraction = (double) evaluations / (double) env->most_evaluations;
    if (env->has_best)
        progress.best = env->best_score.loss;
    return kn_progress(env->ctx, &progress);
}

static void
work(void *user, size_t item, unsigned worker)
{
    kn_search_env *env = user;

    if (env->deadline > 0 && kn_seconds() >= env->deadline)
        atomic_store_explicit(&env->expired, true, memory_order_relaxed);
    if (worker == 0 && tell_progress(env, env->evaluations + item) < 0)
        atomic_store_explicit(&env->cancelled, true, memory_order_relaxed);
    if (atomic_load_explicit(&env->expired, memory_order_relaxed)
        || atomic_load_explicit(&env->cancelled, memory_order_relaxed)) {
        atomic_store_explicit(&env->cut, true, memory_order_relaxed);
        return;
    }
    evaluate(env, env->batch[item], &env->scratches[worker], &env->batch_scores[item]);
    env->batch_done[item] = true;
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
        env->batch_done[todo++] = false;
    }
    kn_pool_run(env->pool, todo, work, env);
    if (atomic_load(&env->cancelled)) {
        rc = KANON_E_CANCELLED;
        goto out;
    }
    for (size_t j = 0; j < todo; j++) {
        scores[env->batch_places[j]] = env->batch_scores[j];
        if (env->batch_done[j])
            KN_TRY(record(env, env->batch[j], &env->batch_scores[j]));
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

/* --- the run ----------------------------------------------------------------------------------------- */

static kanon_status
open_scratch(kn_search_env *env, scratch *s, size_t most, bool classes)
{
    kanon_status   rc = KANON_OK;
    const kn_view *view = env->problem->view;

    if (env->counter)
        KN_TRY(kn_tally_new(env->counter, most, &s->tally));
    if (classes) {
        KN_TRY(kn_meter_scratch(env->meter, kn_workspace_bytes(view, most) / sizeof(uint64_t),
                                &s->by_class, &s->histogram));
        KN_TRY(kn_workspace_new(env->ctx, view, most, &s->ws));
    }
out:
    return rc;
}

static kanon_status
open_scratches(kn_search_env *env)
{
    kanon_status             rc = KANON_OK;
    const kn_search_problem *p = env->problem;
    size_t   most = kn_privacy_most_classes(p->privacy, p->view->rows), bytes = 1, fit;
    bool     counts = kn_counter_fits(p->view, p->lattice->floor);
    bool     classes = !counts || kn_meter_may_need_classes(env->meter);
    unsigned threads = p->threads ? p->threads : 1;

    if (counts) {
        bytes += kn_tally_bytes(p->view, most);
        KN_TRY(kn_counter_new(env->ctx, p->view, &env->counter));
    }
    if (classes)
        bytes += kn_workspace_bytes(p->view, most);
    fit = WORKSPACES_BYTES / bytes;
    if (threads > fit)
        threads = fit ? (unsigned) fit : 1;
    env->scratches = KN_NEW_ARRAY(env->ctx, scratch, threads);
    if (!env->scratches)
        return KANON_E_NOMEM;
    while (env->nscratches < threads)
        KN_TRY(open_scratch(env, &env->scratches[env->nscratches++], most, classes));
    KN_TRY(kn_pool_new(env->ctx, threads, &env->pool));
out:
    return rc;
}

static void
close_env(kn_search_env *env)
{
    kn_pool_free(env->pool);
    for (unsigned i = 0; i < env->nscratches; i++) {
        kn_tally_free(env->scratches[i].tally);
        kn_workspace_free(env->scratches[i].ws);
        kn_by_class_fini(&env->scratches[i].by_class);
        kn_histogram_fini(&env->scratches[i].histogram);
    }
    kn_counter_free(env->counter);
    kn_free(env->ctx, env->scratches);
    kn_free(env->ctx, env->batch);
    kn_free(env->ctx, env->batch_scores);
    kn_free(env->ctx, env->batch_places);
    kn_free(env->ctx, env->batch_done);
    kn_meter_free(env->meter);
    kn_tags_free(env->tags);
    kn_memo_free(env->memo);
}

/* The budget is the parameter "max-evaluations", where a search has one. */
static uint64_t
budget(const kn_search_class *search, const double *values)
{
    for (size_t i = 0; search->info.params[i].name; i++)
        if (strcmp(search->info.params[i].name, "max-evaluations") == 0)
            return (uint64_t) values[i];
    return UINT64_MAX;
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
        if (atomic_load(&env->expired)) {
            env->stopped = "time-limit";
            break;
        }
        if (env->evaluations >= env->most_evaluations) {
            env->stopped = "max-evaluations";
            break;
        }
        KN_TRY(tell_progress(env, env->evaluations));
        KN_TRY(search->step(state, env, &next));
        if (env->deadline > 0 && kn_seconds() >= env->deadline)
            atomic_store(&env->expired, true);
    }
    if (next == KN_STEP_MORE || atomic_load(&env->cut))
        env->proven = false;
    if (atomic_load(&env->cut))
        env->stopped = "time-limit";
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
    env->deadline = problem->time_limit_s > 0 ? kn_seconds() + problem->time_limit_s : 0;
    kn_rng_init(&env->rng, problem->seed, 1);
    KN_TRY(kn_meter_new(env->ctx, problem->metric, problem->scale, problem->privacy, &env->meter));
    KN_TRY(kn_tags_new(env->ctx, problem->lattice->n, problem->lattice->top, &env->tags));
    KN_TRY(kn_memo_new(env->ctx, problem->lattice->n, &env->memo));
    KN_TRY(open_scratches(env));
out:
    return rc;
}

static void
conclude(const kn_search_env *env, kn_search_outcome *out)
{
    out->evaluations = env->evaluations;
    out->predicted = env->predicted;
    out->stopped = env->stopped;
    out->feasible = env->has_best;
    if (!env->has_best)
        return;
    memcpy(out->levels, env->best, env->problem->lattice->n);
    out->score = env->best_score;
    out->lower_bound = kn_meter_bound(env->meter, env->problem->lattice->floor);
    if (env->proven || !kn_loss_less(out->lower_bound, env->best_score.loss)) {
        out->optimal = true;
        out->lower_bound = env->best_score.loss;
    }
}

kanon_status
kn_search_run(const kn_search_class *search, const kn_search_problem *problem,
              kn_search_outcome *out)
{
    kanon_status  rc = KANON_OK;
    kn_search_env env;
    double        values[KN_PARAMS_MOST];
    kn_score      top = { false, UINT64_MAX, 0 };
    double        deadline;

    memset(&env, 0, sizeof env);
    memset(out, 0, sizeof *out);
    env.ctx = problem->ctx;
    env.most_evaluations = UINT64_MAX;
    KN_TRY(kn_params_parse(problem->ctx, search, problem->params, problem->nparams, values));
    KN_TRY(open_env(&env, problem));
    deadline = env.deadline;
    env.deadline = 0; /* an answer there must be, however short the time */
    KN_TRY(kn_env_check(&env, problem->lattice->top, &top));
    env.deadline = deadline;
    env.most_evaluations = budget(search, values);
    if (top.feasible)
        KN_TRY(loop(&env, search, values));
    else
        env.stopped = "infeasible";
    conclude(&env, out);
    out->least_outlying = problem->view->rows; /* the top has one class: all or nothing */
out:
    close_env(&env);
    return rc;
}

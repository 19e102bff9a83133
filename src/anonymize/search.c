/* SPDX-License-Identifier: Apache-2.0 */
/* search.c -- the stage that finds the partition: which algorithm, its parameters, its run. */
#include "anonymize/job.h"
#include "problem/pick.h"

/* Under `auto` nobody has named an algorithm that could be asked for its settings, so all of them are. */
static kanon_status
refuse_param(kanon_ctx *ctx, const char *name)
{
    const char            *names[256] = { NULL }, *nearest;
    const kanon_algorithm *a;
    size_t                 count = 0;

    for (size_t i = 0; (a = kanon_algorithm_at(i)); i++)
        for (const kanon_param *p = a->params; p && p->name; p++) {
            if (strcmp(p->name, name) == 0)
                return kn_fail(
                    ctx, KANON_E_INVALID,
                    "param %s: belongs to %s, which auto never chooses; use --algorithm %s", name,
                    a->name, a->name);
            if (count + 1 < KN_COUNT(names))
                names[count++] = p->name;
        }
    nearest = kn_nearest(name, names);
    if (nearest)
        return kn_fail(ctx, KANON_E_INVALID,
                       "param %s: no algorithm has this parameter; did you mean '%s'?", name,
                       nearest);
    return kn_fail(ctx, KANON_E_INVALID,
                   "param %s: no algorithm has this parameter; `kanon algorithms` lists them",
                   name);
}

/* The first algorithm of the list with a parameter of that name, of those that auto may choose. */
static const kn_algorithm *
owner_of(const kn_job *job, const char *param)
{
    const kn_algorithm *a;

    for (size_t i = 0; (a = kn_algorithm_at(i)); i++)
        if (a->recoding == job->algorithm->recoding && kn_params_know(a->info->params, param))
            return a;
    return NULL;
}

/* Under `auto`, a parameter of an algorithm that was not chosen is checked and left aside, so that the same
 * command works on small and large tables. One that nobody knows is refused. */
static kanon_status
keep_known_params(const kn_job *job, kn_search_problem *p, kn_setting **kept)
{
    double values[KN_PARAMS_MOST];
    size_t count = 0;

    *kept = KN_NEW_ARRAY(job->ctx, kn_setting, p->nparams);
    if (!*kept)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < p->nparams; i++) {
        const kn_setting   *param = &p->params[i];
        const kn_algorithm *owner = owner_of(job, param->key);

        if (!owner)
            return refuse_param(job->ctx, param->key);
        if (kn_params_know(job->algorithm->info->params, param->key)) {
            (*kept)[count++] = *param;
        } else {
            kanon_status rc = kn_params_parse(job->ctx, owner->info, param, 1, values);

            if (rc < 0)
                return rc;
            if (!job->problem.config->pick && !job->told
                && !(job->next && kn_params_know(job->next->info->params, param->key)))
                kn_warn(
                    job->ctx, KN_FOUND_IDLE_SETTING, kn_at_setting(param->key),
                    "param %s: has no effect, because auto chose %s, which does not have it" KN_DO
                    "use it with --algorithm %s",
                    param->key, job->algorithm->info->name, owner->info->name);
        }
    }
    p->params = *kept;
    p->nparams = count;
    return KANON_OK;
}

/* The budget that was asked for, which has been checked to be a number; 0: none. */
static uint64_t
asked_budget(const kanon_config *config)
{
    double     budget = 0;
    kn_decimal number;

    for (size_t i = 0; i < config->nparams; i++)
        if (strcmp(config->params[i].key, "max-evaluations") == 0
            && kn_decimal_parse_strict(kn_str_of(config->params[i].value), &number))
            budget = kn_decimal_double(number);
    return budget >= 1 && budget <= 1e15 ? (uint64_t) budget : 0;
}

/* Has somebody said how much a search may take? Then auto adds no limit of its own, unless another search
 * follows, which needs its share of the time. */
static bool
limited(const kanon_config *config, const kn_algorithm_choice *choice)
{
    return (asked_budget(config) && !choice->then)
        || (config->has_time_limit && (!choice->then || config->time_limit_s <= 0));
}

/* Can the algorithm do what is asked for, and are its parameters sound? Told before the long work. */
static kanon_status
check_settings(const kn_job *job, kn_search_problem *p, kn_setting **kept)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->problem.config;
    const kn_algorithm *a = job->algorithm;
    double              values[KN_PARAMS_MOST];

    KN_TRY(kn_fail_place(job->ctx, kn_algorithm_allow(job->ctx, a, job->metric),
                         config->metric_at.file, config->metric_at.line));
    KN_TRY(a->recoding->check(&job->problem));
    if (job->choice[0])
        rc = keep_known_params(job, p, kept);
    if (rc == KANON_OK)
        rc = kn_params_parse(job->ctx, a->info, p->params, p->nparams, values);
    KN_TRY(kn_fail_place(job->ctx, rc, config->params_at.file, config->params_at.line));
out:
    return rc;
}

kn_search_problem
kn_job_search_problem(const kn_job *job)
{
    const kanon_config *config = job->problem.config;

    return (kn_search_problem){ .ctx = job->ctx,
                                .view = &job->problem.view,
                                .scale = &job->problem.scale,
                                .privacy = &job->problem.privacy,
                                .metric = job->metric,
                                .lattice = &job->problem.lattice,
                                .params = config->params,
                                .nparams = config->nparams,
                                .seed = config->seed,
                                .threads = job->threads };
}

static kanon_status
run_algorithm(kn_job *job, kn_search_problem *p)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->problem.config;
    kn_setting         *kept = NULL;

    p->params = config->params;
    p->nparams = config->nparams;
    KN_TRY(check_settings(job, p, &kept));
    KN_TRY(job->algorithm->run(job->algorithm, p, &job->found));
out:
    kn_free(job->ctx, kept);
    return rc;
}

/* The better of two answers to one problem, with what both of them know and took. */
static void
join(kn_outcome *found, const kn_outcome *before)
{
    uint64_t evaluations = found->evaluations + before->evaluations;
    uint64_t predicted = found->predicted + before->predicted;
    double   bound = found->lower_bound;

    if (before->bounded && (!found->bounded || before->lower_bound > bound))
        bound = before->lower_bound;
    if (before->feasible
        && (!found->feasible || !kn_loss_less(found->score.loss, before->score.loss))) {
        const char *stopped = found->stopped;

        *found = *before;
        found->stopped = stopped;
    }
    found->evaluations = evaluations;
    found->predicted = predicted;
    found->bounded = found->feasible && (found->bounded || before->bounded);
    found->lower_bound = bound < found->score.loss ? bound : found->score.loss;
    found->optimal |= found->bounded && !kn_loss_less(bound, found->score.loss);
}

/* The choice had no proof within its budget: another search has what is left of the time and of the budget
 * that was asked for. */
static kanon_status
go_on(kn_job *job, kn_search_problem *p, const kn_algorithm_choice *choice, double start)
{
    kanon_status rc = KANON_OK;
    kn_outcome   before = job->found;
    uint64_t     asked = asked_budget(job->problem.config);

    if (asked && before.evaluations >= asked)
        return KANON_OK;
    p->most_evaluations = asked ? asked - before.evaluations : 0;
    if (p->time_limit_s > 0)
        p->time_limit_s = p->time_limit_s > kn_seconds() - start
                            ? p->time_limit_s - (kn_seconds() - start)
                            : 1e-3;
    job->algorithm = choice->then;
    job->choice = choice->why_late;
    job->next = NULL;
    KN_TRY(run_algorithm(job, p));
    join(&job->found, &before);
out:
    return rc;
}

kanon_status
kn_job_search(kn_job *job)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->problem.config;
    kn_lattice          lattice = job->problem.lattice;
    kn_search_problem   p = kn_job_search_problem(job);
    double              start = kn_seconds();
    kn_algorithm_choice choice = kn_algorithm_choose(job->asked, &p);

    p.lattice = &lattice;
    p.time_limit_s = config->time_limit_s;
    if (config->pick) { /* a single node, which a front has chosen */
        KN_TRY(kn_pick_levels(&job->problem, lattice.top));
        kn_pick_warn_changed(&job->problem);
        kn_pick_warn_unused(&job->problem);
        memcpy(lattice.floor, lattice.top, sizeof lattice.floor);
        choice.why = "levels of a point of a front";
        choice.then = NULL;
    }
    if (!limited(config, &choice))
        p.most_evaluations = choice.most_evaluations;
    job->algorithm = choice.algorithm;
    job->choice = choice.why;
    job->next = choice.then;
    KN_TRY(run_algorithm(job, &p));
    if (p.most_evaluations && strcmp(job->found.stopped, "max-evaluations") == 0) {
        job->choice = choice.why_late;
        if (choice.then)
            KN_TRY(go_on(job, &p, &choice, start));
    }
    job->found.optimal &= !config->pick;
    if (config->pick && job->found.feasible)
        kn_pick_warn_rows(&job->problem, job->found.score.outlying);
    job->seconds.search = kn_seconds() - start;
out:
    return rc;
}

/* Said loudly: the release is sound, but a longer search might have found a better one. */
void
kn_job_warn_interrupted(const kn_job *job)
{
    const kn_outcome *found = &job->found;
    const char       *metric = job->metric->info.name;

    if (!found->feasible || strcmp(found->stopped, "interrupted") != 0)
        return;
    if (found->optimal)
        kn_warn(job->ctx, KN_FOUND_STOPPED, KN_AT_JOB,
                "you stopped the search, but its result is proven optimal: no release under these "
                "settings has a lower %s than %.6g",
                metric, found->score.loss);
    else if (found->bounded && kn_bound_tells(found->score.loss, found->lower_bound))
        kn_warn(job->ctx, KN_FOUND_STOPPED, KN_AT_JOB,
                "you stopped the search: this release is the best found so far, with %s %.6g; none "
                "can have less than %.6g",
                metric, found->score.loss, found->lower_bound);
    else
        kn_warn(job->ctx, KN_FOUND_STOPPED, KN_AT_JOB,
                "you stopped the search: this release is the best found so far, with %s %.6g",
                metric, found->score.loss);
}

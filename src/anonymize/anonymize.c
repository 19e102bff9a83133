/* SPDX-License-Identifier: Apache-2.0 */
/* anonymize.c -- the main job, and the one place that knows the order of the stages:
 * learn (first pass), hierarchies, search, measure, release (second pass), verify, result, commit. */
#include "anonymize/job.h"
#include "base/pool.h"
#include "base/text.h"
#include "problem/cautions.h"
#include "problem/columns.h"
#include "problem/pick.h"
#include "problem/problem.h"
#include "problem/table.h"
#include "transform/verify.h"

/* --- settings that can be refused before any work --------------------------------------------------- */

static kanon_status
unknown_name(kanon_ctx *ctx, const char *setting, const char *name, const char *const *known)
{
    kanon_status rc;
    const char  *nearest = kn_nearest(name, known);
    kn_text      list;

    kn_text_init(&list, ctx);
    for (size_t i = 0; known[i]; i++)
        kn_text_addf(&list, "%s%s", i ? ", " : "", known[i]);
    rc = kn_text_status(&list);
    if (rc == KANON_OK)
        rc = nearest ? kn_fail(ctx, KANON_E_INVALID, "%s: there is no '%s'; did you mean '%s'?",
                               setting, name, nearest)
                     : kn_fail(ctx, KANON_E_INVALID, "%s: there is no '%s', expected one of %s",
                               setting, name, list.ptr);
    kn_text_fini(&list);
    return rc;
}

kanon_status
kn_job_settings(kn_job *job, const kanon_config *config)
{
    const char            *names[64] = { NULL };
    const kanon_algorithm *known = NULL;
    kanon_ctx             *ctx = job->ctx;

    for (size_t i = 0; kanon_algorithm_at(i) && i + 1 < KN_COUNT(names); i++) {
        names[i] = kanon_algorithm_at(i)->name;
        if (strcmp(names[i], config->algorithm) == 0)
            known = kanon_algorithm_at(i);
    }
    if (!known)
        return kn_fail_place(ctx, unknown_name(ctx, "algorithm", config->algorithm, names),
                             config->algorithm_at.file, config->algorithm_at.line);
    job->algorithm = known;
    job->local.clusterer = config->pick ? NULL : kn_cluster_find(known->name);
    job->metric = kn_metric_find(kn_config_metric(config, known->metric));
    if (job->metric)
        return KANON_OK;
    memset(names, 0, sizeof names);
    for (size_t i = 0; kanon_metric_at(i) && i + 1 < KN_COUNT(names); i++)
        names[i] = kanon_metric_at(i)->name;
    return kn_fail_place(ctx, unknown_name(ctx, "metric", config->metric, names),
                         config->metric_at.file, config->metric_at.line);
}

/* A hierarchy or a weight for a column that is released as it is helps nobody: most likely the role was
 * forgotten. */
static void
warn_unused(const kn_job *job, const kanon_config *config)
{
    kanon_ctx *ctx = job->ctx;
    bool       local = config->local != KN_LOCAL_INTERVAL || config->snap != KN_SNAP_OFF;

    for (size_t i = 0; i < config->nattributes; i++) {
        const kn_attribute *a = &config->attributes[i];

        if (a->has_weight && a->role != KN_ROLE_QUASI)
            kn_warn(
                ctx,
                "column '%s' has a weight but the role %s, so it counts in no loss; is it a quasi?",
                a->name, kn_role_name(a->role));
        if (a->has_hierarchy && a->role != KN_ROLE_QUASI
            && !(a->role == KN_ROLE_SENSITIVE && kn_models_need(config, KN_NEEDS_HIERARCHY)))
            kn_warn(ctx,
                    "column '%s' has a hierarchy but the role %s, so it is not generalized; is it "
                    "a quasi?",
                    a->name, kn_role_name(a->role));
        if (a->grid.mantissa > 0 && a->role != KN_ROLE_QUASI)
            kn_warn(ctx,
                    "column '%s' has a grid but the role %s, so it is released as it is; is it a "
                    "quasi?",
                    a->name, kn_role_name(a->role));
        local = local || a->grid.mantissa > 0;
    }
    if (local && !job->local.clusterer)
        kn_warn(ctx,
                "local, snap and grid say how local recoding shows its classes; %s gives a whole "
                "column one level, "
                "so they change nothing; `kanon algorithms` tells which methods are local",
                config->algorithm);
}

/* --- search ------------------------------------------------------------------------------------------ */

static bool
knows_param(const kn_search_class *search, const char *name)
{
    for (const kanon_param *p = search->info.params; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return true;
    return false;
}

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
                    "param %s: it belongs to %s, which auto never chooses; say --algorithm %s",
                    name, a->name, a->name);
            if (count + 1 < KN_COUNT(names))
                names[count++] = p->name;
        }
    nearest = kn_nearest(name, names);
    if (nearest)
        return kn_fail(ctx, KANON_E_INVALID,
                       "param %s: no algorithm has such a setting; did you mean '%s'?", name,
                       nearest);
    return kn_fail(
        ctx, KANON_E_INVALID,
        "param %s: no algorithm has such a setting; 'kanon algorithms' lists what there is", name);
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
        const kn_search_class *other = NULL;

        for (size_t s = 0; !other && kn_search_at(s); s++)
            if (knows_param(kn_search_at(s), p->params[i].key))
                other = kn_search_at(s);
        if (!other)
            return refuse_param(job->ctx, p->params[i].key);
        if (knows_param(job->search, p->params[i].key)) {
            (*kept)[count++] = p->params[i];
        } else {
            kanon_status rc = kn_params_parse(job->ctx, &other->info, &p->params[i], 1, values);

            if (rc < 0)
                return rc;
            if (!job->problem.config->pick && !job->told)
                kn_warn(job->ctx,
                        "param %s: %s was chosen, which has no such setting, so it changes "
                        "nothing; it belongs to %s",
                        p->params[i].key, job->search->info.name, other->info.name);
        }
    }
    p->params = *kept;
    p->nparams = count;
    return KANON_OK;
}

/* Has somebody said how much a search may take? Then auto adds no limit of its own. */
static bool
limited(const kanon_config *config)
{
    bool budget = false;

    for (size_t i = 0; i < config->nparams; i++)
        budget |= strcmp(config->params[i].key, "max-evaluations") == 0;
    return budget || config->has_time_limit;
}

/* Said loudly: the release is sound, but a longer search might have found a better one. */
static void
warn_interrupted(const kn_job *job)
{
    const kn_search_outcome *found = &job->found;
    const char              *metric = job->metric->info.name;

    if (!found->feasible || strcmp(found->stopped, "interrupted") != 0)
        return;
    if (found->optimal)
        kn_warn(
            job->ctx,
            "the search was stopped by the user, yet its answer is proven: no release under these "
            "settings has a lower %s than %.6g",
            metric, found->score.loss);
    else
        kn_warn(job->ctx,
                "the search was stopped by the user: this release is the best found so far, with "
                "%s %.6g; "
                "none can have less than %.6g",
                metric, found->score.loss, found->lower_bound);
}

kanon_status
kn_job_search(kn_job *job)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->problem.config;
    kn_search_problem   p = {
          job->ctx,     &job->problem.view,    &job->problem.scale, &job->problem.privacy,
          job->metric,  &job->problem.lattice, config->params,      config->nparams,
          config->seed, job->threads,          config->time_limit_s
    };
    double           start = kn_seconds(), values[KN_PARAMS_MOST];
    kn_setting      *kept = NULL;
    kn_search_choice choice = { kn_search_find(config->algorithm), 0, "", "" };
    kn_lattice       picked = job->problem.lattice; /* a single node, where a front has chosen it */

    if (config->pick) {
        KN_TRY(kn_pick_levels(&job->problem, picked.top));
        kn_pick_warn_unused(&job->problem);
        memcpy(picked.floor, picked.top, sizeof picked.floor);
        p.lattice = &picked;
        choice = (kn_search_choice){ &kn_search_exhaustive, 0, "levels of a point of a front", "" };
    } else if (!choice.search) {
        choice = kn_search_auto(&p);
        if (!limited(config))
            p.time_limit_s = choice.time_limit_s;
    }
    job->search = choice.search;
    job->algorithm = &choice.search->info;
    job->choice = choice.why;
    if (job->choice[0])
        rc = keep_known_params(job, &p, &kept);
    if (rc == KANON_OK)
        rc = kn_params_parse(job->ctx, &job->search->info, p.params, p.nparams, values);
    KN_TRY(kn_fail_place(job->ctx, rc, config->params_at.file, config->params_at.line));
    KN_TRY(kn_search_run(job->search, &p, &job->found));
    job->found.optimal &= !config->pick;
    if (!limited(config) && strcmp(job->found.stopped, "time-limit") == 0)
        job->choice = choice.why_late;
    job->seconds.search = kn_seconds() - start;
out:
    kn_free(job->ctx, kept);
    return rc;
}

/* --- measure ----------------------------------------------------------------------------------------- */

/* What the search claims and what is measured must be the same. */
static kanon_status
compare_claims(const kn_job *job)
{
    double measured = *kn_metrics_find(&job->measured.metrics, job->metric->info.name);
    double claimed = job->found.score.loss, scale = claimed > 1 ? claimed : 1;

    if (job->measured.suppressed != job->found.score.outlying || measured - claimed > 1e-9 * scale
        || claimed - measured > 1e-9 * scale)
        return kn_fail(job->ctx, KANON_E_INTERNAL,
                       "the search claims %s %.17g with %llu rows suppressed, measured are %.17g "
                       "and %llu; nothing "
                       "was released",
                       job->metric->info.name, claimed,
                       (unsigned long long) job->found.score.outlying, measured,
                       (unsigned long long) job->measured.suppressed);
    return KANON_OK;
}

static kanon_status
measure_levels(kn_job *job)
{
    kanon_status rc = KANON_OK;
    kn_problem  *p = &job->problem;

    KN_TRY(kn_workspace_new(job->ctx, &p->view, kn_privacy_most_classes(&p->privacy, p->view.rows),
                            &job->ws));
    kn_group(job->ws, job->found.levels, &job->grouping);
    if (!job->grouping.complete)
        return kn_fail(job->ctx, KANON_E_INTERNAL,
                       "the node that the search chose has too many classes");
    KN_TRY(kn_job_judge(job));
    KN_TRY(kn_measure(job->ctx, &p->scale, &p->privacy, job->found.levels, &job->grouping,
                      &job->measured, job->columns));
    KN_TRY(compare_claims(job));
    KN_TRY(kn_outliers_new(job->ctx, &p->view, job->found.levels, &job->grouping, &p->privacy,
                           &job->outliers));
out:
    return rc;
}

static bool
hides_presence(const kn_job *job)
{
    for (size_t i = 0; i < job->problem.privacy.nmodels; i++)
        if (job->problem.privacy.models[i]->class->guards == KN_GUARDS_PRESENCE)
            return true;
    return false;
}

/* Masked rows are a class like any other: if too few of them, or too like each other for a model, would stand
 * out, they are left out. Where presence is to be hidden they are left out always: each tells that one person
 * more is in the table, which raises the chance of everybody whom no released row accounts for. */
static kanon_status
decide_masking(kn_job *job)
{
    kanon_status rc = KANON_OK;
    uint64_t     suppressed = job->measured.suppressed, k = job->problem.privacy.k;
    const char  *were = suppressed == 1 ? "row was" : "rows were";

    if (job->problem.config->suppressed != KN_SUPPRESSED_MASK || !suppressed)
        return KANON_OK;
    if (hides_presence(job)) {
        kn_warn(job->ctx,
                "%llu suppressed %s left out, not masked: masked rows would tell how many more are "
                "in the table, which delta-presence does not reckon with",
                (unsigned long long) suppressed, were);
        return KANON_OK;
    }
    job->star_rows = kn_job_star_rows(job);
    KN_TRY(kn_job_mask_holds(job, &job->masks));
    if (job->masks)
        return KANON_OK;
    if (suppressed + job->star_rows < k)
        kn_warn(job->ctx,
                "%llu suppressed %s left out, not masked: fewer than k = %llu masked rows would "
                "stand out",
                (unsigned long long) suppressed, were, (unsigned long long) k);
    else
        kn_warn(job->ctx,
                "%llu suppressed %s left out, not masked: as a class of their own they would not "
                "satisfy the privacy models",
                (unsigned long long) suppressed, were);
out:
    return rc;
}

/* What a reader of the release sees of the sensitive columns: of masked rows as of any class. */
static kanon_status
measure_sensitive(kn_job *job)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &job->problem;
    kn_grouping       seen = job->grouping;
    size_t            n = p->learned->nquasi, masked = SIZE_MAX;

    KN_TRY(decide_masking(job));
    if (job->masks)
        KN_TRY(kn_job_join_masked(job, &seen, &masked));
    for (size_t s = 0; s < p->learned->nsensitive; s++)
        KN_TRY(kn_measure_diversity(job->ctx, kn_job_table(job), &p->privacy, &seen, s,
                                    kn_dict_count(p->learned->columns[n + s].dict),
                                    &job->diversity[s]));
    KN_TRY(kn_job_reach(job, &seen, masked));
out:
    return rc;
}

static kanon_status
measure(kn_job *job)
{
    kanon_status rc = KANON_OK;
    kn_problem  *p = &job->problem;
    size_t       n = p->learned->nquasi, nsensitive = p->learned->nsensitive;

    job->columns = KN_NEW_ARRAY(job->ctx, kn_column_loss, n);
    job->diversity = KN_NEW_ARRAY(job->ctx, kn_diversity, nsensitive);
    if (!job->columns || !job->diversity)
        return KANON_E_NOMEM;
    KN_TRY(job->local.clusterer ? kn_job_measure_local(job) : measure_levels(job));
    KN_TRY(measure_sensitive(job));
out:
    return rc;
}

/* --- release ----------------------------------------------------------------------------------------- */

/* What happens to each column, and where the verifier finds the quasi-identifiers and the masked ones. */
static void
plan_columns(kn_job *job, kn_claim *claim, size_t *quasi, size_t *starred)
{
    const kn_learned *learned = job->problem.learned;

    for (size_t c = 0; c < learned->ncolumns; c++) {
        switch (kn_config_role(job->problem.config, kn_str_of(learned->names[c]))) {
        case KN_ROLE_QUASI:
            job->fates[c] = KN_CELL_GENERALIZE;
            quasi[claim->nquasi++] = claim->ncolumns;
            break;
        case KN_ROLE_IDENTIFIER:
            if (job->problem.config->identifiers == KN_IDENTIFIERS_DROP) {
                job->fates[c] = KN_CELL_LEAVE_OUT;
                continue;
            }
            job->fates[c] = KN_CELL_STAR;
            starred[claim->nstarred++] = claim->ncolumns;
            break;
        default:
            job->fates[c] = KN_CELL_COPY;
        }
        claim->ncolumns++;
    }
    claim->quasi = quasi;
    claim->starred = starred;
}

/* Columns of which only a sketch is known and that are copied: what they give away is watched. */
static kanon_status
watch_columns(kn_job *job, kn_release_plan *plan)
{
    const kn_learned *learned = job->problem.learned;
    size_t           *positions = KN_NEW_ARRAY(job->ctx, size_t, learned->nsketched), count = 0;
    kanon_status      rc = KANON_OK;

    if (!positions)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < learned->nsketched; i++)
        if (job->fates[learned->sketched[i]] == KN_CELL_COPY)
            positions[count++] = learned->sketched[i];
    if (count)
        rc = kn_release_watch_new(job->ctx, positions, count, &job->watch);
    plan->watch = job->watch;
    kn_free(job->ctx, positions);
    return rc;
}

static kanon_status
begin_release(kn_job *job, kn_rows_out *out)
{
    const kn_learned *learned = job->problem.learned;
    size_t            count = 0;

    job->released = KN_NEW_ARRAY(job->ctx, kn_rows_out_column, learned->ncolumns);
    if (!job->released)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < learned->ncolumns; c++)
        if (job->fates[c] != KN_CELL_LEAVE_OUT)
            job->released[count++] = (kn_rows_out_column){ kn_str_of(learned->names[c]), c,
                                                           job->fates[c], learned->places[c] };
    return out->class->begin(out, &learned->dialect, job->released, count);
}

static kanon_status
second_pass(kn_job *job, kn_rows_out *out)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &job->problem;
    kn_rows          *rows = NULL;
    kn_recoder       *recoder = NULL;
    kn_release_plan   plan = { .learned = p->learned,
                               .fates = job->fates,
                               .keep_order = p->config->keep_order };

    kn_hash_secret(&p->learned->secret, "kanon row order 1", p->config->seed, plan.order_key);
    KN_TRY(watch_columns(job, &plan));
    plan.mask_outlying = job->masks;
    KN_TRY(begin_release(job, out));
    KN_TRY(job->local.clusterer
               ? kn_recoder_classes(out, p->learned, job->local.found.partition.class_of,
                                    job->local.spelling, &recoder)
               : kn_recoder_levels(out, p->learned, p->hierarchies, job->found.levels,
                                   job->outliers, &recoder));
    plan.recoder = recoder;
    plan.witness = job->models.witness;
    KN_TRY(kn_rows_open(p->source, job->ctx, &rows));
    KN_TRY(kn_release_write(rows, &plan, out, &job->counts));
    job->seconds.transform = job->counts.transform_s;
    job->seconds.write = job->counts.write_s;
out:
    if (recoder)
        recoder->free(recoder);
    kn_rows_close(rows);
    return rc;
}

/* The models in terms of the release's columns. places: scratch, one per column. */
static kanon_status
claim_models(kn_job *job, kn_claim *claim, size_t *places)
{
    size_t       place = 0;
    kanon_status rc;

    if (!job->problem.privacy.nmodels)
        return KANON_OK;
    for (size_t c = 0; c < job->problem.learned->ncolumns; c++) {
        places[c] = job->fates[c] == KN_CELL_COPY ? place : SIZE_MAX;
        place += job->fates[c] != KN_CELL_LEAVE_OUT;
    }
    rc = kn_job_make_rules(job, places);
    claim->rules = &job->models.shown.all;
    return rc;
}

static kanon_status
release(kn_job *job, kn_rows_out *out)
{
    kanon_status    rc = KANON_OK;
    kn_claim        claim = { 0 };
    size_t          ncolumns = job->problem.learned->ncolumns;
    size_t         *places = KN_NEW_ARRAY(job->ctx, size_t, 3 * ncolumns);
    kn_rows_source *back;
    double          start;

    job->fates = KN_NEW_ARRAY(job->ctx, kn_cell_fate, ncolumns);
    if (!places || !job->fates) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    plan_columns(job, &claim, places, places + ncolumns);
    KN_TRY(claim_models(job, &claim, places + 2 * ncolumns));
    KN_TRY(second_pass(job, out));
    start = kn_seconds();
    if (job->models.witness)
        KN_TRY(kn_witness_judge(job->models.witness));
    claim.k = job->problem.privacy.k;
    claim.masked = job->counts.masked > 0;
    claim.rows = job->counts.released + job->counts.masked;
    claim.classes = job->measured.after.classes + (job->counts.masked && !job->star_rows);
    KN_TRY(out->class->read_back(out, &back));
    KN_TRY(kn_verify(job->ctx, back, &claim, job->output_hash));
    if (job->counts.released + job->measured.suppressed != job->problem.learned->rows) {
        rc = kn_fail(job->ctx, KANON_E_VERIFY,
                     "rows released and suppressed do not add up to the rows read");
        goto out;
    }
    job->seconds.verify = kn_seconds() - start;
out:
    kn_free(job->ctx, places);
    return rc;
}

/* --- the job ----------------------------------------------------------------------------------------- */

static void
close_job(kn_job *job)
{
    kn_outliers_free(job->outliers);
    kn_workspace_free(job->ws);
    kn_free(job->ctx, job->columns);
    kn_free(job->ctx, job->diversity);
    kn_free(job->ctx, job->fates);
    kn_free(job->ctx, job->released);
    kn_job_close_models(job);
    kn_release_watch_free(job->watch);
    kn_job_close_local(job);
    kn_problem_fini(&job->problem);
}

kanon_status
kn_anonymize_rows(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *source,
                  kn_rows_out *release_to, kanon_result **out)
{
    kanon_status  rc = KANON_OK;
    kanon_result *result = NULL;
    kn_job        job;

    *out = NULL;
    memset(&job, 0, sizeof job);
    job.ctx = ctx;
    job.sink_name = release_to->name;
    job.started = kn_seconds();
    job.threads = config->threads ? config->threads : kn_cores();
    KN_TRY(kn_job_settings(&job, config));
    KN_TRY(kn_problem_init(&job.problem, ctx, config, source));
    warn_unused(&job, config);
    if (job.metric == &kn_metric_cm && job.problem.scale.label == SIZE_MAX)
        kn_warn(ctx, "metric cm without a sensitive column or a label only counts suppressed rows");
    KN_TRY(job.local.clusterer ? kn_job_cluster(&job) : kn_job_search(&job));
    warn_interrupted(&job);
    if (job.found.feasible) {
        KN_TRY(kn_caution_entity(&job.problem));
        KN_TRY(kn_caution_twins(&job.problem));
        KN_TRY(measure(&job));
        KN_TRY(release(&job, release_to));
    }
    KN_TRY(kn_job_result(&job, &result));
    if (job.found.feasible) /* last: whatever fails before leaves nothing */
        KN_TRY(release_to->class->commit(release_to));
    *out = result;
    result = NULL;
out:
    if (rc < 0)
        release_to->class->abandon(release_to);
    kanon_result_free(result);
    close_job(&job);
    return rc;
}

kanon_status
kanon_table_write(kanon_ctx *ctx, const kanon_config *config, kanon_table *table, kanon_sink *sink,
                  kanon_result **out)
{
    kanon_status rc;
    kn_csv_out   release_to;

    if (!ctx)
        return KANON_E_INVALID;
    if (!config || !table || !sink || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, table, sink and out are required");
    *out = NULL;
    rc = kn_sink_check(ctx, sink);
    if (rc < 0)
        return rc;
    kn_csv_out_init(&release_to, ctx, sink);
    rc = kn_anonymize_rows(ctx, config, table->rows, &release_to.base, out);
    kn_csv_out_fini(&release_to);
    return rc;
}

kanon_status
kanon_anonymize(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                kanon_sink *sink, kanon_result **out)
{
    kanon_status rc;
    kn_csv_table csv;
    kanon_table  table = { ctx, &csv.base, NULL };

    if (!ctx)
        return KANON_E_INVALID;
    if (!config || !source || !sink || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, source, sink and out are required");
    *out = NULL;
    rc = kn_source_table(ctx, config, source, &csv);
    return rc < 0 ? rc : kanon_table_write(ctx, config, &table, sink, out);
}

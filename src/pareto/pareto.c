/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.c -- from a table to its front: learn, hierarchies, search, knee, and everything that can be
 * told of it as plain data. Nothing is released here. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "io/hash.h"
#include "pareto/front.h"
#include "problem/columns.h"
#include "problem/pick.h"
#include "problem/problem.h"
#include "problem/table.h"
#include "result/front.h"

typedef struct front_job {
    kanon_ctx            *ctx;
    const kanon_config   *config;
    double                started;
    kn_problem            problem;
    kn_objectives         objectives;
    const kn_front_class *algorithm;
    const char           *choice;
    double                params[KN_PARAMS_MOST];
    kn_front_problem      p;
    kn_front_outcome      found;
    double                search_s;
} front_job;

/* --- what is asked for ---------------------------------------------------------------------------- */

static kanon_status
unknown_property(const front_job *job, kn_str name)
{
    const char *names[32] = { NULL }, *nearest;
    char        word[32] = { 0 };
    size_t      count = 0;
    kn_text     list;

    kn_text_init(&list, job->ctx);
    for (; kanon_property_at(count) && count + 1 < KN_COUNT(names); count++) {
        names[count] = kanon_property_at(count)->name;
        kn_text_addf(&list, "%s%s", count ? ", " : "", names[count]);
    }
    memcpy(word, name.ptr, name.len < sizeof word - 1 ? name.len : sizeof word - 1);
    nearest = kn_nearest(word, names);
    if (kn_text_status(&list) == KANON_OK)
        kn_fail_at(job->ctx, KANON_E_INVALID, job->config->objectives_at.file,
                   job->config->objectives_at.line,
                   nearest ? "objectives: there is no '%.*s'; did you mean '%s'?"
                           : "objectives: there is no '%.*s'; expected some of %s",
                   KN_ARG(name), nearest ? nearest : list.ptr);
    kn_text_fini(&list);
    return KANON_E_INVALID;
}

/* The objectives by name; columns are found when the table is known. */
static kanon_status
name_objectives(front_job *job)
{
    static const char *const usual[] = { "k", "glm" };
    const kanon_config      *config = job->config;
    const char *const       *names = config->nobjectives ? config->objectives : usual;

    job->objectives.count = config->nobjectives ? config->nobjectives : KN_COUNT(usual);
    if (job->objectives.count < 2)
        return kn_fail_at(job->ctx, KANON_E_INVALID, config->objectives_at.file,
                          config->objectives_at.line,
                          "objectives: only '%s' is given; a front needs at least two", names[0]);
    for (size_t i = 0; i < job->objectives.count; i++) {
        kn_objective *o = &job->objectives.items[i];
        const char   *colon = strchr(names[i], ':');
        kn_str        name = { names[i], colon ? (size_t) (colon - names[i]) : strlen(names[i]) };

        o->property = kn_property_find(name);
        if (!o->property)
            return unknown_property(job, name);
        if (colon && !o->property->info.column)
            return kn_fail_at(job->ctx, KANON_E_INVALID, config->objectives_at.file,
                              config->objectives_at.line,
                              "objectives: '%s' is not valid, because %s uses no column", names[i],
                              o->property->info.name);
        o->name = names[i];
        o->column = SIZE_MAX;
        o->box = o->property->info.box;
    }
    return KANON_OK;
}

static kanon_status
take_boxes(front_job *job)
{
    const kanon_config *config = job->config;

    for (size_t b = 0; b < config->nboxes; b++) {
        bool found = false;

        for (size_t i = 0; i < job->objectives.count; i++) {
            kn_objective *o = &job->objectives.items[i];

            if (strcmp(config->boxes[b].name, o->name) != 0
                && strcmp(config->boxes[b].name, o->property->info.name) != 0)
                continue;
            o->box = config->boxes[b].side;
            found = true;
        }
        if (!found)
            return kn_fail_at(job->ctx, KANON_E_INVALID, config->boxes_at.file,
                              config->boxes_at.line, "boxes: '%s' is not one of the objectives",
                              config->boxes[b].name);
    }
    return KANON_OK;
}

/* The file of a front records what its points promise; the release of a point asks for that again. */
static kanon_status
refuse_own_models(const front_job *job)
{
    const kanon_config *config = job->config;

    if (!config->nown_models)
        return KANON_OK;
    return kn_fail(job->ctx, KANON_E_INVALID,
                   "model '%s': a front cannot promise a model that does not come with kanon",
                   config->own_models[0]->key);
}

/* An algorithm of a config that is meant for releases as well says nothing about fronts. */
static kanon_status
find_algorithm(front_job *job)
{
    const kanon_config *config = job->config;
    const char         *names[8] = { NULL };
    const char         *nearest;

    job->algorithm = kn_front_find(config->algorithm);
    if (job->algorithm || strcmp(config->algorithm, "auto") == 0 || config->algorithm_at.file)
        return KANON_OK;
    for (size_t i = 0; kanon_front_algorithm_at(i) && i + 1 < KN_COUNT(names); i++)
        names[i] = kanon_front_algorithm_at(i)->name;
    nearest = kn_nearest(config->algorithm, names);
    return kn_fail(job->ctx, KANON_E_INVALID,
                   "algorithm: there is no '%s' for fronts; expected auto, exact or pbg-ea%s%s%s",
                   config->algorithm, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                   nearest ? "'?" : "");
}

static bool
is_column(const kn_learned *learned, const char *name)
{
    size_t i = 0;

    while (i < learned->ncolumns && strcmp(learned->names[i], name) != 0)
        i++;
    return i < learned->ncolumns;
}

/* A column by the name in an objective, or the one that the property would take by itself. */
static kanon_status
find_column(front_job *job, kn_objective *o)
{
    const kn_learned *learned = job->problem.learned;
    const char       *colon = strchr(o->name, ':');
    size_t            n = learned->nquasi;

    if (!o->property->info.column)
        return KANON_OK;
    if (!colon && (o->property->needs & KN_NEEDS_LABEL))
        o->column = job->problem.scale.label;
    for (size_t s = 0; s < learned->nsensitive && o->column == SIZE_MAX; s++) {
        const char *name = learned->names[learned->columns[n + s].position];

        if (colon ? strcmp(colon + 1, name) == 0
                  : kn_config_role(job->config, kn_str_of(name)) == KN_ROLE_SENSITIVE)
            o->column = s;
    }
    if (o->column == SIZE_MAX && colon && !is_column(learned, colon + 1))
        return kn_column_unknown(&job->problem, "objectives", colon + 1,
                                 job->config->objectives_at);
    if (o->column == SIZE_MAX)
        return kn_fail_at(
            job->ctx, KANON_E_INVALID, job->config->objectives_at.file,
            job->config->objectives_at.line,
            colon ? "objectives: '%s' does not name a sensitive column; name one with --sensitive "
                    "COLUMN"
                  : "objectives: '%s' needs a column; name it with --sensitive or --label",
            o->name);
    o->domain = kn_dict_count(learned->columns[n + o->column].dict);
    return KANON_OK;
}

/* --- the search ----------------------------------------------------------------------------------- */

/* Parameters of other algorithms, here or among the searches, are left aside: one config serves all. */
static kanon_status
take_params(front_job *job)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->config;
    const kanon_param  *own = job->algorithm->info.params;
    kn_setting         *kept = KN_NEW_ARRAY(job->ctx, kn_setting, config->nparams + 1);
    size_t              count = 0;

    if (!kept)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < config->nparams; i++) {
        const char *key = config->params[i].key;
        bool        other = false;

        for (size_t a = 0; kn_front_at(a); a++)
            other |= kn_params_know(kn_front_at(a)->info.params, key);
        for (size_t a = 0; kanon_algorithm_at(a) && config->params_at.file; a++)
            other |= kn_params_know(kanon_algorithm_at(a)->params, key);
        if (!other || kn_params_know(own, key))
            kept[count++] = config->params[i];
    }
    KN_TRY(kn_fail_place(job->ctx,
                         kn_params_parse(job->ctx, &job->algorithm->info, kept, count, job->params),
                         config->params_at.file, config->params_at.line));
out:
    kn_free(job->ctx, kept);
    return rc;
}

static kanon_status
search(front_job *job)
{
    kanon_status        rc = KANON_OK;
    const kanon_config *config = job->config;
    double              start = kn_seconds();

    for (size_t i = 0; i < job->objectives.count; i++)
        KN_TRY(find_column(job, &job->objectives.items[i]));
    job->p = (kn_front_problem){ .ctx = job->ctx,
                                 .view = &job->problem.view,
                                 .scale = &job->problem.scale,
                                 .lattice = &job->problem.lattice,
                                 .objectives = &job->objectives,
                                 .allowed = kn_privacy_allowed(config->suppression,
                                                               job->problem.learned->rows),
                                 .params = job->params,
                                 .seed = config->seed,
                                 .threads = kn_config_threads(config),
                                 .time_limit_s = config->time_limit_s };
    job->choice = "";
    if (!job->algorithm)
        job->algorithm = kn_front_auto(&job->p, &job->choice);
    KN_TRY(take_params(job));
    KN_TRY(job->algorithm->run(&job->p, &job->found));
    job->search_s = kn_seconds() - start;
    if (strcmp(job->found.stopped, "interrupted") == 0)
        kn_warn(job->ctx, KN_FOUND_STOPPED, KN_AT_JOB,
                "you stopped the search: the front is what was found so far");
out:
    return rc;
}

/* Models beside k hold for releases; a front of them would be another one. */
static void
warn_models(const front_job *job)
{
    if (job->problem.privacy.nmodels)
        kn_warn(job->ctx, KN_FOUND_FRONT_ONLY_K, KN_AT_JOB,
                "the front considers only k; the other privacy models apply to the "
                "release of a point, which may be refused because of them");
}

/* --- the front as plain data ---------------------------------------------------------------------- */

static const char *
keep(kanon_front *f, const char *text)
{
    return kn_arena_text(&f->arena, kn_str_of(text ? text : ""));
}

static void *
keep_array(kanon_front *f, size_t count, size_t size)
{
    void *array;

    if (size && count > SIZE_MAX / size) {
        kn_fail_nomem(f->ctx);
        return NULL;
    }
    array = kn_arena_alloc(&f->arena, count * size + 1);
    if (array)
        memset(array, 0, count * size);
    return array;
}

static kanon_status
gather_columns(const front_job *job, kanon_front *f)
{
    const kn_problem *p = &job->problem;

    f->ncolumns = p->learned->nquasi;
    f->columns = keep_array(f, f->ncolumns, sizeof *f->columns);
    if (!f->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < f->ncolumns; i++) {
        char         print[KN_PRINT_TEXT];
        kanon_status rc = kn_pick_print(p, i, print);

        if (rc < 0)
            return rc;
        f->columns[i] = (kn_front_column){
            keep(f, p->learned->names[p->learned->columns[i].position]),
            (unsigned) (p->hierarchies[i]->nlevels - 1), kn_hier_kind_name(p->hierarchies[i]->kind),
            keep(f, print)
        };
        if (!f->columns[i].name || !f->columns[i].print)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static kanon_status
gather_points(const front_job *job, kanon_front *f)
{
    const kn_archive *a = &job->found.archive;

    f->nobjectives = job->objectives.count;
    f->objectives = keep_array(f, f->nobjectives, sizeof *f->objectives);
    f->npoints = a->count;
    f->points = keep_array(f, f->npoints, sizeof *f->points);
    if (!f->objectives || !f->points)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < f->nobjectives; i++) {
        const kn_objective *o = &job->objectives.items[i];

        f->objectives[i] = (kn_front_objective){ keep(f, o->name), o->property->info, o->box };
        if (!f->objectives[i].name)
            return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < f->npoints; i++) {
        uint8_t *levels = keep_array(f, f->ncolumns, 1);
        double  *values = keep_array(f, f->nobjectives, sizeof *values);

        if (!levels || !values)
            return KANON_E_NOMEM;
        memcpy(levels, a->points[i]->levels, f->ncolumns);
        memcpy(values, a->points[i]->values, f->nobjectives * sizeof *values);
        f->points[i] = (kn_front_point){ levels, values, a->points[i]->k, a->points[i]->suppressed,
                                         a->points[i]->classes };
    }
    return KANON_OK;
}

/* May a point be proposed? Not one with a k that hardly anybody would choose, nor one that tells nothing. */
static bool
is_proposable(const kanon_front *f, const kn_front_point *point)
{
    size_t i = 0;

    while (i < f->ncolumns && point->levels[i] == f->columns[i].height)
        i++;
    return i < f->ncolumns && point->k >= f->knee_k[0] && point->k <= f->knee_k[1]
        && point->suppressed < f->rows;
}

/* Where a value lies between the best (0) and the worst (1) of the points that may be proposed. */
static double
between(const kanon_front *f, size_t objective, double value)
{
    const kanon_property *p = &f->objectives[objective].property;
    double                least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < f->npoints; i++) {
        double other = f->points[i].values[objective];

        if (!is_proposable(f, &f->points[i]))
            continue;
        least = other < least ? other : least;
        most = other > most ? other : most;
    }
    if (p->scale[1] == 'o' && least > 0) {
        least = log(least);
        most = log(most);
        value = log(value);
    }
    if (most <= least)
        return 0;
    value = (value - least) / (most - least);
    return p->direction[1] == 'a' ? 1 - value : value;
}

/* The point nearest to the best of all objectives together, which no point reaches; of equals that with the
 * greater k. */
static void
find_knee(kanon_front *f)
{
    double best = INFINITY;

    f->knee = SIZE_MAX;
    for (size_t i = 0; f->npoints >= 3 && i < f->npoints; i++) {
        double sum = 0;

        if (!is_proposable(f, &f->points[i]))
            continue;
        for (size_t o = 0; o < f->nobjectives; o++) {
            double far = between(f, o, f->points[i].values[o]);

            sum += far * far;
        }
        if (sum < best - 1e-12 || (sum < best + 1e-12 && f->points[i].k > f->points[f->knee].k)) {
            best = sum;
            f->knee = i;
        }
    }
}

static kanon_status
gather_spec(kanon_front *f, kn_hier_spec *spec)
{
    const char **items = keep_array(f, spec->nitems, sizeof *items);

    if (!items)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < spec->nitems; i++)
        if (!(items[i] = keep(f, spec->items[i])))
            return KANON_E_NOMEM;
    spec->items = items;
    if (spec->file && !(spec->file = keep(f, spec->file)))
        return KANON_E_NOMEM;
    return KANON_OK;
}

/* A character of the dialect as a setting; NULL: it is not known, which is no failure. */
static kanon_status
gather_mark(kanon_front *f, char mark, const char **out)
{
    if (mark && !(*out = keep(f, mark == '\t' ? "tab" : (char[2]){ mark, 0 })))
        return KANON_E_NOMEM;
    return KANON_OK;
}

static kanon_status
gather_models(const front_job *job, kanon_front *f)
{
    f->models = job->config->models;
    if (f->models.population && !(f->models.population = keep(f, f->models.population)))
        return KANON_E_NOMEM;
    for (size_t i = 0; kn_model_setting_at(i); i++) {
        kn_asked *asked = &f->models.asked[i];
        char      range[64];

        asked->at = (kn_place){ NULL, 0 }; /* the file's name is the config's */
        if (asked->column && !(asked->column = keep(f, asked->column)))
            return KANON_E_NOMEM;
        if (kn_model_setting_at(i)->asks != KN_ASKS_RANGE)
            continue;
        snprintf(range, sizeof range, "%.15g,%.15g", asked->other > 0 ? asked->other : 0,
                 asked->value);
        if (!(f->ranges[i] = keep(f, range)))
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

/* What is asked of models for one column. */
static kanon_status
gather_asked(kanon_front *f, kn_attribute *attribute)
{
    kn_asked *asked;

    if (!attribute->asked)
        return KANON_OK;
    asked = keep_array(f, KN_MODEL_COUNT, sizeof *asked);
    if (!asked)
        return KANON_E_NOMEM;
    memcpy(asked, attribute->asked, KN_MODEL_COUNT * sizeof *asked);
    for (size_t i = 0; i < KN_MODEL_COUNT; i++)
        asked[i].at = (kn_place){ NULL, 0 };
    attribute->asked = asked;
    return KANON_OK;
}

/* The settings that a release of a point needs. */
static kanon_status
gather_settings(const front_job *job, kanon_front *f)
{
    const kanon_config *config = job->config;

    f->nattributes = config->nattributes;
    f->attributes = keep_array(f, f->nattributes, sizeof *f->attributes);
    f->nmissing = config->nmissing;
    f->missing = keep_array(f, f->nmissing, sizeof *f->missing);
    if (!f->attributes || !f->missing)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < f->nattributes; i++) {
        f->attributes[i] = config->attributes[i];
        f->attributes[i].name = keep(f, config->attributes[i].name);
        f->attributes[i].file = NULL;
        if (!f->attributes[i].name || gather_spec(f, &f->attributes[i].hierarchy) < 0
            || gather_asked(f, &f->attributes[i]) < 0)
            return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < f->nmissing; i++)
        if (!(f->missing[i] = keep(f, config->missing[i])))
            return KANON_E_NOMEM;
    f->suppressed_as = config->suppressed;
    f->identifiers_as = config->identifiers;
    f->others_as = config->others;
    f->formulas_as = config->formulas;
    f->snap = config->snap;
    f->intervals = config->intervals;
    f->dialect = job->problem.learned->dialect;
    if ((config->label && !(f->label = keep(f, config->label)))
        || (config->count && !(f->count = keep(f, config->count)))
        || gather_mark(f, f->dialect.delimiter, &f->delimiter) < 0
        || gather_mark(f, f->dialect.quote, &f->quote) < 0)
        return KANON_E_NOMEM;
    return gather_models(job, f);
}

static kanon_status
gather_params(const front_job *job, kanon_front *f)
{
    const kanon_param  *table = job->algorithm->info.params;
    const kanon_config *config = job->config;
    kn_setting         *params;

    while (table[f->nparams].name)
        f->nparams++;
    params = keep_array(f, f->nparams, sizeof *params);
    if (!params)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < f->nparams; i++) {
        params[i] = (kn_setting){ table[i].name, table[i].fallback };
        for (size_t p = 0; p < config->nparams; p++)
            if (strcmp(config->params[p].key, table[i].name) == 0)
                params[i].value = keep(f, config->params[p].value);
        if (!params[i].value)
            return KANON_E_NOMEM;
    }
    f->params = params;
    return KANON_OK;
}

static kanon_status
gather_facts(const front_job *job, kanon_front *f)
{
    const kn_learned *learned = job->problem.learned;
    const kn_lattice *lattice = &job->problem.lattice;

    f->input_name = keep(f, job->problem.source->name);
    f->distinct_tuples = learned->distinct_quasi;
    kn_hash_hex(learned->hash, KN_HASH_BYTES, f->input_hash);
    f->algorithm = job->algorithm->info.name;
    f->algorithm_asked = keep(f, job->config->algorithm);
    f->choice = job->choice;
    f->method = job->found.method;
    f->stopped = job->found.stopped;
    f->exact = job->found.exact;
    f->evaluations = job->found.evaluations;
    f->predicted = job->found.predicted;
    f->nodes = kn_lattice_nodes(f->ncolumns, lattice->low, lattice->top);
    f->bound = kn_objectives_bound(&job->objectives, &job->problem.scale);
    f->suppression = job->config->suppression;
    f->suppression_rows = job->p.allowed;
    f->seed = job->config->seed;
    f->threads = job->p.threads;
    f->read_s = learned->read_s + learned->encode_s;
    f->search_s = job->search_s;
    return f->input_name && f->algorithm_asked ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
gather(const front_job *job, kanon_front **out)
{
    kanon_status rc = KANON_OK;
    kanon_front *f = KN_NEW(job->ctx, kanon_front);

    if (!f)
        return KANON_E_NOMEM;
    f->ctx = job->ctx;
    f->tree = (kanon_tree){ job->ctx, &kn_shape_front, f, KN_INSIDE };
    kn_arena_init(&f->arena, job->ctx);
    KN_TRY(gather_columns(job, f));
    KN_TRY(gather_points(job, f));
    f->rows = job->problem.learned->rows;
    memcpy(f->knee_k, job->config->knee_k, sizeof f->knee_k);
    find_knee(f);
    KN_TRY(gather_settings(job, f));
    KN_TRY(gather_params(job, f));
    KN_TRY(gather_facts(job, f));
    KN_TRY(kn_findings_add_warnings(&f->findings, &f->arena, f->ctx));
    kn_findings_sort(&f->findings);
    f->total_s = kn_seconds() - job->started;
    *out = f;
    f = NULL;
out:
    kanon_front_free(f);
    return rc;
}

kanon_status
kanon_table_pareto(kanon_ctx *ctx, const kanon_config *config, kanon_table *table,
                   kanon_front **out)
{
    kanon_status rc = kn_table_given(ctx, config, table, out);
    front_job    job;

    if (rc < 0)
        return rc;
    *out = NULL;
    memset(&job, 0, sizeof job);
    job.ctx = ctx;
    job.config = config;
    job.started = kn_seconds();
    KN_TRY(name_objectives(&job));
    KN_TRY(take_boxes(&job));
    KN_TRY(refuse_own_models(&job));
    KN_TRY(find_algorithm(&job));
    KN_TRY(kn_problem_init(&job.problem, ctx, config, table->rows));
    warn_models(&job);
    KN_TRY(search(&job));
    KN_TRY(gather(&job, out));
out:
    kn_archive_fini(&job.found.archive);
    kn_problem_fini(&job.problem);
    kn_job_over(ctx);
    return rc;
}

KN_JOB_ON_SOURCE(kanon_pareto, kanon_table_pareto, kanon_front)

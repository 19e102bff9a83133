/* SPDX-License-Identifier: Apache-2.0 */
/* run.c -- one setting changed, and the search run again, by the same code that anonymizes. What does
 * not change is kept: with another k or suppression limit the table is not read again. */
#include "explain/explain.h"

#include <math.h>

#include "base/plain.h"

/* Below so much time left, a search gets a limit instead of the one that auto would choose. */
static const double SCARCE_S = 10;

/* --- models ----------------------------------------------------------------------------------- */

/* The attributes that have a limit of their own. */
static bool
has_own(const kanon_config *config, size_t attribute, const kn_model_setting *setting)
{
    const kn_asked *own = kn_attribute_asked(&config->attributes[attribute], setting);

    return own && own->has_value;
}

bool
kn_explain_limit_at(const kanon_config *config, size_t index, kn_explained_limit *out)
{
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        size_t limits = setting->asks == KN_ASKS_COLUMN ? 0
                      : setting->asks == KN_ASKS_RANGE  ? 2
                                                        : 1;

        if (index < limits) {
            *out = (kn_explained_limit){ setting, SIZE_MAX, index == 1 };
            return true;
        }
        index -= limits;
        for (size_t a = 0; a < config->nattributes; a++)
            if (has_own(config, a, setting) && index-- == 0) {
                *out = (kn_explained_limit){ setting, a, false };
                return true;
            }
    }
    return false;
}

/* Does any column follow what is asked for all of them? */
static bool
is_followed(const kanon_config *config, const kn_model_setting *setting)
{
    if (setting->scope != KN_OF_SENSITIVE)
        return true;
    for (size_t a = 0; a < config->nattributes; a++)
        if (config->attributes[a].role == KN_ROLE_SENSITIVE && !has_own(config, a, setting))
            return true;
    return false;
}

double
kn_explain_limit(const kanon_config *config, kn_explained_limit limit)
{
    kn_asked asked = kn_config_asked_of(config, limit.setting,
                                        limit.column == SIZE_MAX
                                            ? NULL
                                            : &config->attributes[limit.column]);

    if (limit.column == SIZE_MAX && !is_followed(config, limit.setting))
        return -1;
    if (!limit.least || asked.value < 0)
        return asked.value;
    return asked.other > 0 ? asked.other : -1;
}

/* --- lines of the table ----------------------------------------------------------------------- */

static kanon_status
add_line(kn_explaining *e, kn_change_kind kind, kn_change **out)
{
    kanon_explanation *x = e->out;

    if (x->nchanges == e->changes_capacity) {
        size_t     more = e->changes_capacity ? 2 * e->changes_capacity : 32;
        kn_change *grown = kn_arena_alloc(&x->arena, more * sizeof *grown);

        if (!grown)
            return KANON_E_NOMEM;
        if (x->nchanges)
            memcpy(grown, x->changes, x->nchanges * sizeof *grown);
        x->changes = grown;
        e->changes_capacity = more;
    }
    *out = &x->changes[x->nchanges++];
    memset(*out, 0, sizeof **out);
    (*out)->kind = kind;
    return KANON_OK;
}

void
kn_explain_take_back(kn_explaining *e)
{
    e->out->nchanges--;
    e->out->uncomputed -= !e->out->changes[e->out->nchanges].computed;
}

static kanon_status
set_text(kn_explaining *e, const char **out, kn_text *text)
{
    kanon_status rc = kn_text_status(text);

    if (rc == KANON_OK && !(*out = kn_arena_text(&e->out->arena, (kn_str){ text->ptr, text->len })))
        rc = KANON_E_NOMEM;
    kn_text_fini(text);
    return rc;
}

/* --- searching -------------------------------------------------------------------------------- */

bool
kn_explain_has_time(const kn_explaining *e, kanon_config *config)
{
    double left = kn_run_left(&e->run);

    if (kn_run_ended(&e->run))
        return false;
    if (left < 0) /* no limit */
        return true;
    if (left < SCARCE_S || strcmp(config->algorithm, "auto") != 0) {
        config->time_limit_s = left;
        config->has_time_limit = true;
    }
    return left > 0;
}

void
kn_explain_hear(kn_explaining *e, const kn_outcome *found)
{
    if (strcmp(found->stopped, "interrupted") == 0)
        atomic_store(&e->run.enough, true);
}

kanon_status
kn_explain_search(kn_job *job)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_job_search(job));
    if (job->found.feasible)
        KN_TRY(kn_job_recode(job));
out:
    return rc;
}

static kanon_status
tell_progress(const kn_explaining *e)
{
    kanon_progress now = { sizeof now, "explain", -1, 0, 0, -1, -1 };

    KN_UNUSED(e);
    return kn_progress(e->ctx, &now);
}

/* Takes over what a search found. quasi: which column of ours each of the searched ones is. */
static kanon_status
take_outcome(kn_explaining *e, const kn_job *job, const size_t *quasi, kn_change *line)
{
    line->computed = true;
    line->feasible = job->found.feasible;
    line->proven = job->found.optimal;
    kn_explain_hear(e, &job->found);
    if (!line->feasible)
        return KANON_OK;
    line->suppressed = job->found.score.outlying;
    line->loss = line->loss_all = job->found.score.loss;
    line->kept = 1 - job->measured.metrics.glm;
    for (size_t i = 0; line->set && i < line->set->ncolumns; i++) {
        line->set->columns[i].kept = 1 - job->columns[i].glm;
        line->set->columns[i].has_level = job->algorithm->recoding->has_levels;
    }
    if (!job->algorithm->recoding->has_levels)
        return KANON_OK;
    line->levels = kn_arena_alloc(&e->out->arena, e->out->ncolumns);
    if (!line->levels)
        return KANON_E_NOMEM;
    memset(line->levels, KN_NO_LEVEL, e->out->ncolumns);
    for (size_t i = 0; i < job->problem.lattice.n; i++)
        line->levels[quasi ? quasi[i] : i] = job->found.levels[i];
    return KANON_OK;
}

/* The problem as it is, with another k or limit. */
static kanon_status
search_again(kn_explaining *e, kanon_config *config, kn_change *line)
{
    kanon_status rc = KANON_OK;
    kn_job       job = { .ctx = e->ctx,
                         .threads = e->job.threads,
                         .asked = e->job.asked,
                         .metric = e->job.metric,
                         .problem = e->job.problem, /* borrowed, not freed here */
                         .told = true };

    if (!kn_explain_has_time(e, config)) {
        e->out->uncomputed++;
        return KANON_OK;
    }
    KN_TRY(tell_progress(e));
    job.problem.config = config;
    kn_models_limit(&job.problem); /* the models are shared: put right again below */
    KN_TRY(kn_search_floor(e->ctx, &job.problem.scale, &job.problem.privacy, &job.problem.lattice));
    KN_TRY(kn_explain_search(&job));
    KN_TRY(take_outcome(e, &job, NULL, line));
out:
    kn_job_close(&job);
    kn_models_limit(&e->job.problem);
    return rc;
}

/* Everything from the beginning: the table is read again. */
static kanon_status
search_anew(kn_explaining *e, kanon_config *config, const size_t *quasi, kn_change *line)
{
    kanon_status rc = KANON_OK;
    kn_job       job = { .ctx = e->ctx,
                         .threads = e->job.threads,
                         .asked = e->job.asked,
                         .metric = e->job.metric,
                         .told = true };

    if (!kn_explain_has_time(e, config)) {
        e->out->uncomputed++;
        return KANON_OK;
    }
    KN_TRY(tell_progress(e));
    KN_TRY(kn_problem_init(&job.problem, e->ctx, config, e->source));
    KN_TRY(kn_explain_search(&job));
    KN_TRY(take_outcome(e, &job, quasi, line));
out:
    kn_job_close(&job);
    kn_problem_fini(&job.problem);
    return rc;
}

static void
answer(const kn_change *line, kn_changed *out)
{
    if (out)
        *out = (kn_changed){ line->computed, line->computed && line->feasible };
}

/* --- the changes ------------------------------------------------------------------------------ */

kanon_status
kn_explain_level(kn_explaining *e, size_t column, uint8_t to)
{
    kanon_status    rc = KANON_OK;
    kn_problem     *p = &e->job.problem;
    kn_change      *line;
    kn_grouping     grouping;
    kn_measured     measured;
    kn_column_loss *columns = KN_NEW_ARRAY(e->ctx, kn_column_loss, p->lattice.n);

    assert(column < e->job.problem.learned->nquasi);
    if (!columns)
        return KANON_E_NOMEM;
    KN_TRY(add_line(e, KN_CHANGE_LEVEL, &line));
    line->column = e->out->columns[column].name;
    line->from = e->job.found.levels[column];
    line->to = to;
    line->levels = kn_arena_alloc(&e->out->arena, p->lattice.n);
    KN_TRY(KN_HAVE(line->levels));
    memcpy(line->levels, e->job.found.levels, p->lattice.n);
    line->levels[column] = to;
    memset(&measured, 0, sizeof measured);
    KN_TRY(kn_explain_group(e, line->levels, &grouping, &line->suppressed));
    KN_TRY(kn_measure(e->ctx, &(kn_judged){ &p->scale, &p->privacy, &grouping }, line->levels,
                      &measured, columns));
    line->loss = line->loss_all = *kn_metrics_find(&measured.metrics, e->job.metric->info.name);
    line->kept = 1 - measured.metrics.glm;
    line->computed = true;
    line->feasible = line->suppressed <= p->privacy.allowed;
out:
    kn_free(e->ctx, columns);
    return rc;
}

kanon_status
kn_explain_k(kn_explaining *e, uint64_t k, kn_changed *out)
{
    kanon_status rc = KANON_OK;
    kanon_config config = e->config;
    kn_change   *line;
    kn_text      text;

    KN_TRY(add_line(e, KN_CHANGE_K, &line));
    line->from = (double) config.k;
    line->to = (double) k;
    line->weakens = k < config.k;
    config.k = k;
    kn_text_init(&text, e->ctx);
    kn_text_addf(&text, "-k %llu", (unsigned long long) k);
    KN_TRY(set_text(e, &line->setting, &text));
    KN_TRY(search_again(e, &config, line));
    answer(line, out);
out:
    return rc;
}

/* A fraction with no more digits than it needs; as the command line reads it. */
static void
put_fraction(kn_text *text, double value)
{
    char   digits[32];
    size_t count = 0;
    double rest = value - floor(value);

    kn_text_addf(text, "%.0f", floor(value));
    while (count < 15 && fabs(rest - nearbyint(rest)) > 1e-9) {
        rest *= 10;
        digits[count++] = (char) ('0' + (int) floor(rest + 1e-9) % 10);
        rest -= floor(rest + 1e-9);
    }
    if (count)
        kn_text_addf(text, ".%.*s", (int) count, digits);
}

kanon_status
kn_explain_suppression(kn_explaining *e, double suppression, kn_changed *out)
{
    kanon_status rc = KANON_OK;
    kanon_config config = e->config;
    kn_change   *line;
    kn_text      text;

    KN_TRY(add_line(e, KN_CHANGE_SUPPRESSION, &line));
    line->from = config.suppression;
    line->to = suppression;
    config.suppression = suppression;
    kn_text_init(&text, e->ctx);
    kn_text_addz(&text, "--suppression ");
    put_fraction(&text, suppression);
    KN_TRY(set_text(e, &line->setting, &text));
    KN_TRY(search_again(e, &config, line));
    answer(line, out);
out:
    return rc;
}

/* The share of a column in means over the quasi-identifiers. */
static double
share_of(const kn_explaining *e, size_t column)
{
    const kn_scale *scale = &e->job.problem.scale;
    double          all = kn_scale_weights(scale);

    return all > 0 ? kn_scale_weight(scale, column) / all : 0;
}

/* Means over the quasi-identifiers as if the column that is gone were one of them, fully lost. */
static double
with_column(const kn_explaining *e, size_t column, double loss)
{
    const kn_scale *scale = &e->job.problem.scale;
    const char     *metric = e->job.metric->info.name;
    double          all = kn_scale_weights(scale), own = kn_scale_weight(scale, column);

    if (strcmp(metric, "height") == 0)
        return loss + e->out->columns[column].height;
    if (strcmp(metric, "dm") == 0 || strcmp(metric, "cm") == 0 || all <= 0)
        return loss;
    return (loss * (all - own) + own) / all;
}

/* Columns become identifiers: not released, and nobody can be found by them. gone: [columns] */
static kanon_status
search_without(kn_explaining *e, const bool *gone, kn_change *line)
{
    kanon_status  rc = KANON_OK;
    kanon_config  config = e->config;
    size_t        n = e->out->ncolumns, kept = 0;
    size_t       *quasi = KN_NEW_ARRAY(e->ctx, size_t, n);
    kn_attribute *attributes = KN_NEW_ARRAY(e->ctx, kn_attribute, config.nattributes);

    KN_TRY(KN_HAVE(quasi && attributes));
    memcpy(attributes, config.attributes, config.nattributes * sizeof *attributes);
    config.attributes = attributes;
    for (size_t i = 0; i < n; i++) {
        if (!gone[i])
            quasi[kept++] = i;
        for (size_t a = 0; gone[i] && a < config.nattributes; a++)
            if (strcmp(attributes[a].name, e->out->columns[i].name) == 0)
                attributes[a].role = KN_ROLE_IDENTIFIER;
    }
    KN_TRY(search_anew(e, &config, quasi, line));
out:
    kn_free(e->ctx, quasi);
    kn_free(e->ctx, attributes);
    return rc;
}

kanon_status
kn_explain_drop(kn_explaining *e, size_t column, kn_changed *out)
{
    kanon_status rc = KANON_OK;
    bool         gone[KN_QUASI_MOST] = { false };
    kn_change   *line;
    kn_text      text;

    assert(column < e->job.problem.learned->nquasi);
    gone[column] = true;
    KN_TRY(add_line(e, KN_CHANGE_DROP, &line));
    line->column = e->out->columns[column].name;
    kn_text_init(&text, e->ctx);
    kn_text_addz(&text, "--id ");
    kn_plain_column(&text, line->column, "");
    KN_TRY(set_text(e, &line->setting, &text));
    KN_TRY(search_without(e, gone, line));
    if (line->feasible) {
        line->loss_all = with_column(e, column, line->loss);
        line->kept *= 1 - share_of(e, column);
    }
    answer(line, out);
out:
    return rc;
}

kanon_status
kn_explain_set(kn_explaining *e, kn_kept_set *set)
{
    kanon_status rc = KANON_OK;
    bool         gone[KN_QUASI_MOST] = { false };
    kn_change    line = { .kind = KN_CHANGE_DROP, .set = set };
    size_t       uncomputed = e->out->uncomputed, next = 0;
    double       share = 0;

    for (size_t i = 0; i < e->out->ncolumns; i++) {
        gone[i] = next == set->ncolumns
               || strcmp(set->columns[next].name, e->out->columns[i].name) != 0;
        next += !gone[i];
        share += gone[i] ? 0 : share_of(e, i);
    }
    KN_TRY(search_without(e, gone, &line));
    if (line.feasible) {
        set->kept = line.kept;
        set->kept_of_all = line.kept * share;
        set->suppressed = line.suppressed;
    }
out:
    e->out->uncomputed = uncomputed; /* it is no change of the table */
    return rc;
}

/* What is asked for one column, in copies that can be changed; freed by the caller. */
typedef struct own_models {
    kn_attribute *attributes;
    kn_asked     *asked;
} own_models;

static kanon_status
copy_asked(kn_explaining *e, kanon_config *config, kn_explained_limit which, own_models *own,
           kn_asked **out)
{
    size_t index = kn_model_setting_index(which.setting);

    *out = &config->models.asked[index];
    if (which.column == SIZE_MAX)
        return KANON_OK;
    own->attributes = KN_NEW_ARRAY(e->ctx, kn_attribute, config->nattributes);
    own->asked = KN_NEW_ARRAY(e->ctx, kn_asked, KN_MODEL_COUNT);
    if (!own->attributes || !own->asked)
        return KANON_E_NOMEM;
    memcpy(own->attributes, config->attributes, config->nattributes * sizeof *own->attributes);
    memcpy(own->asked, config->attributes[which.column].asked, KN_MODEL_COUNT * sizeof *own->asked);
    own->attributes[which.column].asked = own->asked;
    config->attributes = own->attributes;
    *out = &own->asked[index];
    return KANON_OK;
}

/* "--l-diversity 3", "--l-diversity illness=3", "without --l-diversity", "--l-diversity illness=off" */
static kanon_status
put_model(const kanon_config *config, kn_explained_limit which, const kn_asked *asked,
          kn_text *text)
{
    kanon_status rc;
    bool         off = asked->given < 0, alone = which.column != SIZE_MAX;
    kn_text      value;

    kn_text_init(&value, config->ctx);
    kn_text_addz(&value, alone ? "=" : "");
    if (off)
        kn_text_addz(&value, "off");
    else if (which.setting->asks == KN_ASKS_RANGE && asked->other > 0) {
        put_fraction(&value, asked->other);
        kn_text_addz(&value, ",");
    }
    if (!off)
        put_fraction(&value, asked->given);
    kn_text_addf(text, off && !alone ? "without --%s" : "--%s ", which.setting->value.name);
    rc = kn_text_status(&value);
    if (rc == KANON_OK && alone)
        kn_plain_column(text, config->attributes[which.column].name, value.ptr);
    else if (rc == KANON_OK && !off)
        kn_text_add(text, (kn_str){ value.ptr, value.len });
    kn_text_fini(&value);
    return rc;
}

kanon_status
kn_explain_model(kn_explaining *e, size_t index, double limit, kn_changed *out)
{
    kanon_status       rc = KANON_OK;
    kanon_config       config = e->config;
    kn_explained_limit which = { NULL, SIZE_MAX, false };
    own_models         own = { NULL, NULL };
    kn_asked          *asked;
    kn_change         *line;
    kn_text            text;

    if (!kn_explain_limit_at(&config, index, &which))
        return kn_fail(e->ctx, KANON_E_INTERNAL, "no privacy model has limit %zu", index);
    KN_TRY(copy_asked(e, &config, which, &own, &asked));
    KN_TRY(add_line(e, KN_CHANGE_MODEL, &line));
    line->model = which.setting->value.name;
    line->from = kn_explain_limit(&config, which);
    line->to = limit;
    line->weakens = true;
    if (which.least)
        asked->other = isnan(limit) ? -1 : limit;
    else
        asked->given = asked->value = isnan(limit) ? -1 : limit;
    if (isnan(limit) && !kn_config_asks(&config, KN_OF_POPULATION))
        config.models.population = NULL;
    kn_text_init(&text, e->ctx);
    rc = put_model(&config, which, asked, &text);
    if (rc == KANON_OK)
        rc = set_text(e, &line->setting, &text);
    else
        kn_text_fini(&text);
    KN_TRY(rc);
    KN_TRY(search_anew(e, &config, NULL, line));
    answer(line, out);
out:
    kn_free(e->ctx, own.attributes);
    kn_free(e->ctx, own.asked);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c -- what the stages of a job found becomes its result: plain data, no original value. */
#include <math.h>
#include <sys/resource.h>

#include "anonymize/findings.h"
#include "anonymize/job.h"
#include "anonymize/portrait.h"
#include "base/text.h"
#include "config/setter.h"
#include "formats/formula.h"
#include "problem/pseudonym.h"

/* Tuples that the search for sets of columns may look at, a second or two; with fewer nodes than that nothing
 * sensible can be said. */
static const uint64_t SETS_WORK = 400000000, SETS_EVALUATIONS_LEAST = 50;

/* Text that outlives the job. */
static const char *
keep(kanon_result *r, const char *text)
{
    return kn_arena_text(&r->arena, kn_str_of(text ? text : ""));
}

static void *
keep_array(kanon_result *r, size_t count, size_t size)
{
    void *array;

    if (size && count > SIZE_MAX / size) {
        kn_fail_nomem(r->ctx);
        return NULL;
    }
    array = kn_arena_alloc(&r->arena, count * size);
    if (array)
        memset(array, 0, count * size);
    return array;
}

/* --- columns ----------------------------------------------------------------------------------------- */

/* Does a value make a better example than the best so far? `*` says least, however frequent it is. */
static bool
shows_more(const kn_released_values *values, size_t value, size_t best)
{
    bool star = kn_str_equal(values->texts[value], KN_STR("*"));
    bool best_star = best != SIZE_MAX && kn_str_equal(values->texts[best], KN_STR("*"));

    if (best == SIZE_MAX || star != best_star)
        return best == SIZE_MAX || best_star;
    return values->rows[value] > values->rows[best];
}

/* The most frequent released value that stands for several originals; none shows an original itself. */
static kanon_status
describe_values(const kn_job *job, kanon_result *r, size_t quasi, kn_result_attribute *a)
{
    kanon_status       rc = KANON_OK;
    kn_released_values values = { 0 };
    size_t             best = SIZE_MAX;

    KN_TRY(job->recoding->class->values(job->recoding, &job->grouping, quasi, &values));
    a->values_after = 0;
    for (size_t i = 0; i < values.count; i++) {
        a->values_after += values.rows[i] > 0;
        a->formulas += kn_is_formula(values.texts[i]) ? values.rows[i] : 0;
        if (kn_str_equal(values.texts[i], KN_STR("*")))
            a->hidden_rows += values.rows[i];
        if (values.examples && values.several[i] && values.rows[i] && shows_more(&values, i, best))
            best = i;
    }
    if (best != SIZE_MAX && !(a->example = kn_arena_text(&r->arena, values.texts[best])))
        rc = KANON_E_NOMEM;
out:
    kn_released_values_fini(r->ctx, &values);
    return rc;
}

static kanon_status
describe_quasi(const kn_job *job, kanon_result *r, size_t quasi, kn_result_attribute *a)
{
    const kanon_hierarchy *h = job->problem.hierarchies[quasi];

    a->type = h->type;
    a->hierarchy = keep(r, kn_hier_kind_name(h->kind));
    a->height = (unsigned) (h->nlevels - 1);
    if (!a->hierarchy)
        return KANON_E_NOMEM;
    if (!job->found.feasible)
        return KANON_OK;
    a->loss = job->columns[quasi];
    if (job->recoding->levels)
        a->level = job->recoding->levels[quasi];
    return describe_values(job, r, quasi, a);
}

/* "rounded to 1000, at most 200000" */
static kanon_status
describe_coding(const kn_job *job, kanon_result *r, const kn_attribute *a, const char **out)
{
    static const struct {
        const char *word;
        bool (*tell)(const kn_attribute *attribute, kn_text *text);
    } parts[] = { { "rounded to ", kn_tell_round },
                  { "at most ", kn_tell_top },
                  { "at least ", kn_tell_bottom } };
    kanon_status rc;
    kn_text      text;

    if (a && a->pseudonym)
        *out = "as pseudonyms";
    if (!a || !kn_attribute_coded(a))
        return KANON_OK;
    kn_text_init(&text, job->ctx);
    for (size_t i = 0; i < KN_COUNT(parts); i++) {
        size_t before = text.len;

        kn_text_addf(&text, "%s%s", before ? ", " : "", parts[i].word);
        if (!parts[i].tell(a, &text))
            text.len = before;
    }
    rc = kn_text_status(&text);
    if (rc == KANON_OK && !(*out = keep(r, text.ptr)))
        rc = KANON_E_NOMEM;
    kn_text_fini(&text);
    return rc;
}

static kanon_status
gather_columns(const kn_job *job, kanon_result *r)
{
    const kn_learned   *learned = job->problem.learned;
    const kanon_config *config = job->problem.config;
    kanon_status        rc = KANON_OK;

    r->nattributes = learned->ncolumns;
    r->attributes = keep_array(r, learned->ncolumns, sizeof *r->attributes);
    if (!r->attributes)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < learned->ncolumns; c++) {
        r->attributes[c].name = keep(r, learned->names[c]);
        r->attributes[c].role = kn_config_role(config, kn_str_of(learned->names[c]));
        r->attributes[c].dropped = kn_config_hides(config, kn_str_of(learned->names[c]))
                                && !kn_config_pseudonym(config, kn_str_of(learned->names[c]))
                                && (r->attributes[c].role == KN_ROLE_NONE
                                    || config->identifiers == KN_IDENTIFIERS_DROP);
        r->attributes[c].values_before = kn_learned_values(learned, c);
        r->attributes[c].formulas = job->formulas ? job->formulas[c] : 0;
        r->attributes[c].values_after = UINT64_MAX; /* not counted */
        if (!r->attributes[c].name)
            return KANON_E_NOMEM;
        KN_TRY(describe_coding(job, r, kn_config_attribute(config, kn_str_of(learned->names[c])),
                               &r->attributes[c].coding));
    }
    for (size_t i = 0; i < learned->nquasi; i++)
        KN_TRY(describe_quasi(job, r, i, &r->attributes[learned->columns[i].position]));
out:
    return rc;
}

static kanon_status
gather_sensitive(const kn_job *job, kanon_result *r)
{
    const kn_learned *learned = job->problem.learned;
    size_t            count = job->diversity ? learned->nsensitive : 0;

    r->sensitive = keep_array(r, count, sizeof *r->sensitive);
    if (!r->sensitive)
        return KANON_E_NOMEM;
    for (size_t s = 0; s < count; s++) {
        const kn_diversity  *d = &job->diversity[s];
        kn_result_attribute *a = &r->attributes[learned->columns[learned->nquasi + s].position];

        if (a->role == KN_ROLE_SENSITIVE) /* a class label may be learned without being sensitive */
            r->sensitive[r->nsensitive++] = (kn_sensitive_result){
                a->name,        d->distinct,         d->min_distinct, d->min_entropy_l,
                d->max_t,       d->homogeneous_rows, d->guessed_rows, d->max_ratio,
                d->unique_rows, d->top_share
            };
    }
    return KANON_OK;
}

/* --- parameters and search --------------------------------------------------------------------------- */

/* Every parameter of the algorithm with the value that was used. */
static kanon_status
gather_params(const kn_job *job, kanon_result *r)
{
    const kanon_param  *table = job->algorithm->info->params;
    const kanon_config *config = job->problem.config;
    kn_setting         *params;
    size_t              count = 0;

    while (table[count].name)
        count++;
    params = keep_array(r, count, sizeof *params);
    if (!params)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        params[i] = (kn_setting){ keep(r, table[i].name), keep(r, table[i].fallback) };
        for (size_t p = 0; p < config->nparams; p++)
            if (strcmp(config->params[p].key, table[i].name) == 0)
                params[i].value = keep(r, config->params[p].value);
        if (!params[i].key || !params[i].value)
            return KANON_E_NOMEM;
    }
    r->params = params;
    r->nparams = count;
    return KANON_OK;
}

static kanon_status
gather_weights(const kn_job *job, kanon_result *r)
{
    size_t  n = job->problem.learned->nquasi;
    double *weights;

    if (!job->problem.weights)
        return KANON_OK;
    weights = keep_array(r, n, sizeof *weights);
    if (!weights)
        return KANON_E_NOMEM;
    memcpy(weights, job->problem.weights, n * sizeof *weights);
    r->weights = weights;
    return KANON_OK;
}

/* Settings of single columns that were given. */
static kanon_status
gather_control(const kn_job *job, kanon_result *r)
{
    static const char *const names[] = { "level", "min-level", "max-level", "importance",
                                         "round", "top",       "bottom",    "pseudonym" };
    kanon_status             rc = KANON_OK;
    kn_setting              *control = keep_array(r, KN_COUNT(names), sizeof *control);
    kn_text                  told;

    kn_text_init(&told, job->ctx);
    KN_TRY(KN_HAVE(control));
    for (size_t i = 0; i < KN_COUNT(names); i++) {
        told.len = 0;
        kn_setting_tell(job->problem.config, names[i], &told);
        KN_TRY(kn_text_status(&told));
        if (!told.len)
            continue;
        control[r->ncontrol] = (kn_setting){ names[i], keep(r, told.ptr) };
        KN_TRY(KN_HAVE(control[r->ncontrol].value));
        r->ncontrol++;
    }
    r->control = control;
out:
    kn_text_fini(&told);
    return rc;
}

/* Values of all reported settings; to NULL: only counts them. */
static kanon_status
list_settings(const kn_job *job, kanon_result *r, kn_setting *to)
{
    kanon_status rc = KANON_OK;
    kn_text      told;

    kn_text_init(&told, job->ctx);
    r->nsettings = 0;
    for (size_t i = 0, index = 0; kn_reported_settings[i];) {
        const char *name = kn_reported_settings[i];

        told.len = 0;
        if (!kn_setting_tell_at(job->problem.config, name, index++, &told)) {
            index = 0;
            i++;
            continue;
        }
        KN_TRY(kn_text_status(&told));
        if (to) {
            to[r->nsettings] = (kn_setting){ name, keep(r, told.len ? told.ptr : "") };
            KN_TRY(KN_HAVE(to[r->nsettings].value));
        }
        r->nsettings++;
    }
out:
    kn_text_fini(&told);
    return rc;
}

/* Whatever is needed to make the same hierarchies again: `kanon compare` reads it. */
static kanon_status
gather_settings(const kn_job *job, kanon_result *r)
{
    kanon_status rc = KANON_OK;
    kn_setting  *settings;

    KN_TRY(list_settings(job, r, NULL));
    settings = keep_array(r, r->nsettings + 1, sizeof *settings);
    KN_TRY(KN_HAVE(settings));
    KN_TRY(list_settings(job, r, settings));
    r->settings = settings;
out:
    return rc;
}

static kanon_status
gather_lattice(const kn_job *job, kanon_result *r)
{
    const kn_lattice *l = &job->problem.lattice;
    unsigned         *bounds = keep_array(r, l->n, sizeof *bounds);

    if (!bounds)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < l->n; i++)
        bounds[i] = l->floor[i];
    r->bounds = bounds;
    r->predicted = job->found.predicted;
    r->lattice_nodes = kn_lattice_nodes(l->n, l->low, l->top);
    r->searched_nodes = kn_lattice_nodes(l->n, l->floor, l->top);
    return KANON_OK;
}

static kanon_status
gather_curve(const kn_job *job, kanon_result *r)
{
    const kn_curve *found = &job->found.curve;
    kn_curve_point *curve = keep_array(r, found->count, sizeof *curve);

    if (!curve)
        return KANON_E_NOMEM;
    memcpy(curve, found->points, found->count * sizeof *curve);
    r->curve = curve;
    r->ncurve = found->count;
    return KANON_OK;
}

static kanon_status
gather_search(const kn_job *job, kanon_result *r)
{
    r->evaluations = job->found.evaluations;
    r->stopped = job->found.stopped;
    r->has_bound = job->found.bounded;
    r->lower_bound = job->found.lower_bound;
    r->loss = job->found.score.loss;
    r->gap = r->loss - r->lower_bound;
    if (gather_curve(job, r) < 0)
        return KANON_E_NOMEM;
    return r->full_domain ? gather_lattice(job, r) : KANON_OK;
}

/* --- classes and risk ---------------------------------------------------------------------------------- */

static kanon_status
gather_classes(const kn_job *job, kanon_result *r)
{
    const kn_measured *m = &job->measured;

    r->released_rows = job->counts.released;
    r->suppressed_rows = r->input_rows - r->released_rows;
    r->masked_rows = job->counts.masked;
    assert(r->suppressed_rows == m->suppressed && r->masked_rows <= r->suppressed_rows);
    r->classes = m->after.classes;
    r->k_reached = m->after.min_class;
    if (r->masked_rows && r->masked_rows + job->star_rows < r->k_reached)
        r->k_reached = r->masked_rows; /* the masked rows are a class of the file, too */
    r->metrics = m->metrics;
    r->risk_before = m->before;
    r->risk_after = m->after;
    r->crowd = r->k_reached;
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].class->guards == KN_GUARDS_PERSONS
            && r->models[i].reached < (double) r->crowd)
            r->crowd = (uint64_t) r->models[i].reached;
    if (r->crowd)
        r->risk_after.prosecutor_max = 1 / (double) r->crowd;
    r->histogram = keep_array(r, KN_SIZE_BUCKETS, sizeof *r->histogram);
    if (!r->histogram)
        return KANON_E_NOMEM;
    for (size_t b = 0; b < KN_SIZE_BUCKETS; b++)
        if (m->sizes[b].classes)
            r->histogram[r->nhistogram++] = m->sizes[b];
    return KANON_OK;
}

/* Why nothing is feasible, as a finding and as one line. */
static kanon_status
gather_advice(const kn_job *job, kanon_result *r)
{
    kanon_status rc = KANON_OK;
    kn_text      what, remedy;

    kn_text_init(&what, r->ctx);
    kn_text_init(&remedy, r->ctx);
    KN_TRY(kn_job_advise(job, &what, &remedy));
    KN_TRY(kn_text_status(&what));
    KN_TRY(kn_text_status(&remedy));
    KN_TRY(kn_findings_add(&r->findings, &r->arena,
                           (kn_finding){ .code = KN_FOUND_INFEASIBLE,
                                         .place = KN_AT_JOB,
                                         .what = what.ptr,
                                         .remedy = remedy.ptr,
                                         .figure = (double) NAN }));
    kn_text_addf(&what, "; %s", remedy.ptr);
    KN_TRY(kn_text_status(&what));
    r->advice = keep(r, what.ptr);
    rc = r->advice ? KANON_OK : KANON_E_NOMEM;
out:
    kn_text_fini(&what);
    kn_text_fini(&remedy);
    return rc;
}

/* An own model is the config's, which the result may outlive. */
static const kn_model_class *
keep_class(kanon_result *r, const kn_model_class *class)
{
    kn_model_class *copy = class->own ? keep_array(r, 1, sizeof *copy) : NULL;

    if (!copy)
        return class->own ? NULL : class;
    *copy = *class;
    copy->own = NULL;
    copy->setting = NULL;
    copy->key = keep(r, class->key);
    copy->name = keep(r, class->name);
    copy->promise = keep(r, class->promise);
    copy->parameter = keep(r, class->parameter);
    return copy->key && copy->name && copy->promise && copy->parameter ? copy : NULL;
}

/* The models as they were asked for, and what was reached. */
static kanon_status
gather_models(const kn_job *job, kanon_result *r)
{
    const kn_privacy *privacy = &job->problem.privacy;
    kn_result_model  *models = keep_array(r, privacy->nmodels, sizeof *models);

    if (!models)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < privacy->nmodels; i++) {
        const kn_model *m = privacy->models[i];
        const kn_model_class *class = keep_class(r, m->class);

        if (!class)
            return KANON_E_NOMEM;
        models[i] = (kn_result_model){ .class = class,
                                       .key = class->key,
                                       .name = class->name,
                                       .column = m->name ? keep(r, m->name) : NULL,
                                       .parameter = class->parameter,
                                       .other = class->second,
                                       .asked = m->limit,
                                       .asked_other = m->second,
                                       .monotone = kn_model_monotone(class, privacy->allowed),
                                       .verified = job->found.feasible };
        models[i].reached = job->models.reached ? job->models.reached[i] : (double) NAN;
        for (size_t h = 0; h < job->models.hidden.all.nrules; h++)
            if (job->models.hidden.rules[h].name == m->name)
                models[i].hidden = true;
        if (m->name && !models[i].column)
            return KANON_E_NOMEM;
    }
    r->models = models;
    r->nmodels = privacy->nmodels;
    return KANON_OK;
}

static uint64_t
peak_bytes(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t) usage.ru_maxrss * 1024 : 0;
}

static kanon_status
gather_facts(const kn_job *job, kanon_result *r)
{
    const kn_learned   *learned = job->problem.learned;
    const kanon_config *config = job->problem.config;

    r->input_name = keep(r, job->problem.source->name);
    r->output_name = keep(r, job->sink_name);
    r->input_rows = learned->rows;
    r->input_bytes = learned->bytes;
    r->input_columns = learned->ncolumns;
    r->distinct_tuples = learned->distinct_quasi;
    kn_hash_hex(learned->hash, KN_HASH_BYTES, r->input_hash);
    kn_hash_hex(job->output_hash, KN_HASH_BYTES, r->output_hash);
    r->k = config->k;
    r->suppression = config->suppression;
    r->suppression_rows = job->problem.privacy.allowed;
    r->suppressed_as = config->suppressed;
    r->identifiers_as = config->identifiers;
    r->others_as = config->others;
    r->formulas_as = config->formulas;
    r->algorithm = keep(r, job->algorithm->info->name);
    r->algorithm_asked = keep(r, config->algorithm);
    r->metric = job->metric->info.name;
    r->choice = job->choice;
    r->seed = config->seed;
    memcpy(r->order_key, job->order_key, sizeof r->order_key);
    r->threads = job->threads;
    r->keep_order = config->keep_order;
    r->audience = config->audience;
    r->full_domain = job->algorithm->recoding->has_levels;
    r->local = config->local;
    r->snap = config->snap;
    r->intervals = config->intervals;
    r->seconds = job->seconds;
    r->seconds.read = learned->read_s;
    r->seconds.encode = learned->encode_s;
    r->peak_bytes = peak_bytes();
    r->advice = "";
    return r->input_name && r->output_name && r->algorithm && r->algorithm_asked ? KANON_OK
                                                                                 : KANON_E_NOMEM;
}

/* Where little is left: what else could be kept. Nodes are counted, not seconds, so that threads and the
 * machine do not matter; on large tables it is a tenth of what the search itself looked at. */
static kanon_status
gather_sets(const kn_job *job, kanon_result *r)
{
    uint64_t tuples = job->problem.view.ntuples + 1, most = SETS_WORK / tuples;

    if (!r->released_rows || !(kn_result_hidden(r) > KN_WORTHLESS))
        return KANON_OK;
    if (most < job->found.evaluations / 10)
        most = job->found.evaluations / 10;
    if (most < SETS_EVALUATIONS_LEAST)
        return KANON_OK;
    return kn_job_column_sets(job, most, &r->arena, &r->verdict.sets);
}

kanon_status
kn_job_result(kn_job *job, kanon_result **out)
{
    kanon_status  rc = KANON_OK;
    kanon_result *r = NULL;

    *out = NULL;
    KN_TRY(kn_result_new(job->ctx, &r));
    r->outcome = !job->found.feasible ? KANON_INFEASIBLE
               : job->found.optimal   ? KANON_OPTIMAL
                                      : KANON_FEASIBLE;
    KN_TRY(gather_facts(job, r));
    KN_TRY(gather_params(job, r));
    KN_TRY(gather_weights(job, r));
    KN_TRY(gather_control(job, r));
    KN_TRY(gather_settings(job, r));
    KN_TRY(gather_columns(job, r));
    KN_TRY(gather_sensitive(job, r));
    KN_TRY(gather_models(job, r));
    KN_TRY(gather_search(job, r));
    if (job->found.feasible)
        KN_TRY(gather_classes(job, r));
    else
        KN_TRY(gather_advice(job, r));
    KN_TRY(kn_job_portray(job, r));
    KN_TRY(kn_job_link(job, r));
    KN_TRY(kn_job_judge_profile(job, r));
    KN_TRY(gather_sets(job, r));
    KN_TRY(kn_job_find(job, r));
    KN_TRY(kn_job_find_disclosures(job, r));
    KN_TRY(kn_job_hint(r));
    KN_TRY(kn_findings_add_warnings(&r->findings, &r->arena, r->ctx));
    kn_findings_sort(&r->findings);
    KN_TRY(kn_result_judge(r));
    if (job->trace)
        kn_trace_take(job->trace, r->row_classes);
    r->seconds.total = kn_seconds() - job->started;
    *out = r;
    r = NULL;
out:
    kanon_result_free(r);
    return rc;
}

/* gather.c -- what the stages of a job found becomes its result: plain data, no original value. */
#include <sys/resource.h>

#include "base/text.h"
#include "job/job.h"

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

/* Rows of each released group of a quasi-identifier. */
static void
count_groups(const kn_job *job, size_t quasi, uint64_t *rows)
{
    const kn_table *table = job->problem.learned->table;
    const kn_level *level = &job->problem.hierarchies[quasi]->levels[job->found.levels[quasi]];

    for (size_t t = 0; t < table->ntuples; t++)
        if (kn_privacy_holds(&job->problem.privacy, job->grouping.sizes[job->grouping.class_of[t]]))
            rows[level->group_of[kn_codes_at(&table->quasi[quasi], t)]] += table->weights[t];
}

/* The most frequent released value that stands for several originals; none shows an original itself. */
static kanon_status
describe_quasi(const kn_job *job, kanon_result *r, size_t quasi, kn_result_attribute *a)
{
    const kanon_hierarchy *h = job->problem.hierarchies[quasi];
    size_t                 best = SIZE_MAX;
    const kn_level        *level;
    uint64_t              *rows;

    a->type = h->type;
    a->hierarchy = keep(r, kn_hier_kind_name(h->kind));
    a->height = (unsigned) (h->nlevels - 1);
    if (!job->found.feasible)
        return a->hierarchy ? KANON_OK : KANON_E_NOMEM;
    a->level = job->found.levels[quasi];
    a->loss = job->columns[quasi];
    a->values_after = 0;
    level = &h->levels[a->level];
    rows = KN_NEW_ARRAY(r->ctx, uint64_t, level->ngroups);
    if (!rows)
        return KANON_E_NOMEM;
    count_groups(job, quasi, rows);
    for (size_t g = 0; g < level->ngroups; g++) {
        a->values_after += rows[g] > 0;
        if (rows[g] && level->leaves[g] > 1 && (best == SIZE_MAX || rows[g] > rows[best]))
            best = g;
    }
    if (a->level > 0 && best != SIZE_MAX)
        a->example = kn_arena_text(&r->arena, level->labels[best]);
    kn_free(r->ctx, rows);
    return a->hierarchy && (a->example || a->level == 0 || best == SIZE_MAX) ? KANON_OK
                                                                             : KANON_E_NOMEM;
}

static kanon_status
gather_columns(const kn_job *job, kanon_result *r)
{
    const kn_learned *learned = job->problem.learned;
    kanon_status      rc = KANON_OK;

    r->nattributes = learned->ncolumns;
    r->attributes = keep_array(r, learned->ncolumns, sizeof *r->attributes);
    if (!r->attributes)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < learned->ncolumns; c++) {
        r->attributes[c].name = keep(r, learned->names[c]);
        r->attributes[c].role = kn_config_role(job->problem.config, kn_str_of(learned->names[c]));
        r->attributes[c].values_before = kn_learned_values(learned, c);
        r->attributes[c].values_after = UINT64_MAX; /* not counted */
        if (!r->attributes[c].name)
            return KANON_E_NOMEM;
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
                a->name,          d->distinct, d->min_distinct,
                d->min_entropy_l, d->max_t,    d->homogeneous_rows
            };
    }
    return KANON_OK;
}

/* --- parameters and search --------------------------------------------------------------------------- */

/* Every parameter of the algorithm with the value that was used. */
static kanon_status
gather_params(const kn_job *job, kanon_result *r)
{
    const kanon_param  *table = job->search->info.params;
    const kanon_config *config = job->problem.config;
    kn_setting         *params;
    size_t              count = 0;

    while (table[count].name)
        count++;
    params = keep_array(r, count, sizeof *params);
    if (!params)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        params[i] = (kn_setting){ table[i].name, table[i].fallback };
        for (size_t p = 0; p < config->nparams; p++)
            if (strcmp(config->params[p].key, table[i].name) == 0)
                params[i].value = keep(r, config->params[p].value);
        if (!params[i].value)
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

static kanon_status
gather_search(const kn_job *job, kanon_result *r)
{
    static const uint8_t bottom[KN_QUASI_MOST] = { 0 };
    const kn_lattice    *l = &job->problem.lattice;
    unsigned            *bounds = keep_array(r, l->n, sizeof *bounds);

    if (!bounds)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < l->n; i++)
        bounds[i] = l->floor[i];
    r->bounds = bounds;
    r->evaluations = job->found.evaluations;
    r->predicted = job->found.predicted;
    r->stopped = job->found.stopped;
    r->lattice_nodes = kn_lattice_nodes(l->n, bottom, l->top);
    r->searched_nodes = kn_lattice_nodes(l->n, l->floor, l->top);
    r->has_bound = job->found.feasible;
    r->lower_bound = job->found.lower_bound;
    r->loss = job->found.score.loss;
    r->gap = r->loss - r->lower_bound;
    return KANON_OK;
}

/* --- classes and risk ---------------------------------------------------------------------------------- */

static kanon_status
gather_classes(const kn_job *job, kanon_result *r)
{
    const kn_measured *m = &job->measured;

    r->released_rows = job->counts.released;
    r->suppressed_rows = r->input_rows - r->released_rows;
    r->masked_rows = job->counts.masked;
    r->classes = m->after.classes;
    r->k_reached = m->after.min_class;
    if (r->masked_rows && r->masked_rows + job->star_rows < r->k_reached)
        r->k_reached = r->masked_rows; /* the masked rows are a class of the file, too */
    r->metrics = m->metrics;
    r->risk_before = m->before;
    r->risk_after = m->after;
    if (r->k_reached)
        r->risk_after.prosecutor_max = 1 / (double) r->k_reached;
    r->histogram = keep_array(r, KN_SIZE_BUCKETS, sizeof *r->histogram);
    if (!r->histogram)
        return KANON_E_NOMEM;
    for (size_t b = 0; b < KN_SIZE_BUCKETS; b++)
        if (m->sizes[b].classes)
            r->histogram[r->nhistogram++] = m->sizes[b];
    return KANON_OK;
}

/* Without a row in a class of k, raising levels does not help: only fewer rows asked for, or more allowed to
 * go. */
static const char *
advise(const kn_job *job, kanon_result *r)
{
    const kn_privacy *privacy = &job->problem.privacy;
    kn_text           text;
    const char       *kept;

    kn_text_init(&text, r->ctx);
    kn_text_addf(
        &text,
        "no release: even with every quasi-identifier fully generalized %llu of %llu rows are in "
        "classes below k = %llu, and %llu may be suppressed; nearest setting that works: -k %llu%s",
        (unsigned long long) job->found.least_outlying, (unsigned long long) r->input_rows,
        (unsigned long long) privacy->k, (unsigned long long) privacy->allowed,
        (unsigned long long) r->input_rows, r->input_rows < 2 ? " (which protects nobody)" : "");
    kept = kn_text_status(&text) < 0 ? NULL : keep(r, text.ptr);
    kn_text_fini(&text);
    return kept;
}

static kanon_status
gather_warnings(kanon_result *r)
{
    size_t       count = kanon_ctx_warning_count(r->ctx);
    const char **warnings = keep_array(r, count, sizeof *warnings);

    if (!warnings)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        if (!(warnings[i] = keep(r, kanon_ctx_warning(r->ctx, i))))
            return KANON_E_NOMEM;
    r->warnings = warnings;
    r->nwarnings = count;
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
    memcpy(r->input_hash, learned->hash, sizeof r->input_hash);
    memcpy(r->output_hash, job->output_hash, sizeof r->output_hash);
    r->k = config->k;
    r->suppression = config->suppression;
    r->suppression_rows = job->problem.privacy.allowed;
    r->suppressed_as = config->suppressed;
    r->identifiers_as = config->identifiers;
    r->algorithm = job->search->info.name;
    r->algorithm_asked = keep(r, config->algorithm);
    r->metric = job->metric->info.name;
    r->choice = job->choice;
    r->seed = config->seed;
    r->threads = job->threads;
    r->keep_order = config->keep_order;
    r->full_domain = true;
    r->seconds = job->seconds;
    r->seconds.read = learned->read_s;
    r->seconds.encode = learned->encode_s;
    r->peak_bytes = peak_bytes();
    r->advice = "";
    return r->input_name && r->output_name && r->algorithm_asked ? KANON_OK : KANON_E_NOMEM;
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
    KN_TRY(gather_columns(job, r));
    KN_TRY(gather_sensitive(job, r));
    KN_TRY(gather_search(job, r));
    if (job->found.feasible)
        KN_TRY(gather_classes(job, r));
    else if (!(r->advice = advise(job, r)))
        rc = KANON_E_NOMEM;
    KN_TRY(rc);
    KN_TRY(gather_warnings(r));
    r->seconds.total = kn_seconds() - job->started;
    *out = r;
    r = NULL;
out:
    kanon_result_free(r);
    return rc;
}

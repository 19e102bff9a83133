/* SPDX-License-Identifier: Apache-2.0 */
/* report_json.c -- a result as JSON; docs/report.schema.json describes every key.
 * Nothing of a level exists for local recoding, so those keys are left out there; after an infeasible
 * job whatever belongs to a release is null. */
#include <math.h>

#include "report/report.h"
#include "report/report_public.h"

static const char *
outcome_name(kanon_outcome outcome)
{
    switch (outcome) {
    case KANON_OPTIMAL:
        return "optimal";
    case KANON_FEASIBLE:
        return "feasible";
    case KANON_INFEASIBLE:
        break;
    }
    return "infeasible";
}

static bool
released(const kanon_result *result)
{
    return result->outcome != KANON_INFEASIBLE;
}

void
kn_report_json_hash(kn_json *json, const uint8_t hash[KN_HASH_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    char              hex[2 * KN_HASH_BYTES + 1];

    for (size_t i = 0; i < KN_HASH_BYTES; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[2 * KN_HASH_BYTES] = 0;
    kn_json_object(json, "hash");
    kn_json_string(json, "algorithm", "blake2b-256");
    kn_json_string(json, "hex", hex);
    kn_json_end(json);
}

static void
put_input(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "input");
    kn_json_string(json, "file", r->input_name);
    kn_json_count(json, "bytes", r->input_bytes);
    kn_json_count(json, "rows", r->input_rows);
    kn_json_count(json, "columns", r->input_columns);
    kn_json_array(json, "quasi");
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI)
            kn_json_string(json, NULL, r->attributes[i].name);
    kn_json_end(json);
    kn_json_count(json, "distinct_tuples", r->distinct_tuples);
    kn_report_json_hash(json, r->input_hash);
    kn_json_end(json);
}

static void
put_output(kn_json *json, const kanon_result *r)
{
    if (!released(r)) {
        kn_json_null(json, "output");
        return;
    }
    kn_json_object(json, "output");
    kn_json_string(json, "file", r->output_name);
    kn_report_json_hash(json, r->output_hash);
    kn_json_end(json);
}

static void
put_weights(kn_json *json, const kanon_result *r)
{
    const double *weight = r->weights;

    kn_json_object(json, "weights");
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI)
            kn_json_number(json, r->attributes[i].name, *weight++);
    kn_json_end(json);
}

static void
put_parameters(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "parameters");
    kn_json_count(json, "k", r->k);
    kn_json_number(json, "suppression", r->suppression);
    kn_json_count(json, "suppression_rows", r->suppression_rows);
    kn_json_string(json, "suppressed", r->suppressed_as == KN_SUPPRESSED_MASK ? "mask" : "drop");
    kn_json_string(json, "identifiers", r->identifiers_as == KN_IDENTIFIERS_DROP ? "drop" : "mask");
    kn_json_string(json, "algorithm", r->algorithm);
    kn_json_string(json, "algorithm_asked", r->algorithm_asked);
    kn_json_string(json, "choice", r->choice);
    kn_json_string(json, "metric", r->metric);
    kn_json_count(json, "seed", r->seed);
    kn_json_count(json, "threads", r->threads);
    kn_json_truth(json, "keep_order", r->keep_order);
    if (r->weights)
        put_weights(json, r);
    if (!r->full_domain) {
        kn_json_string(json, "local", kn_local_name(r->local));
        kn_json_string(json, "snap", kn_snap_name(r->snap));
    }
    kn_report_json_models(json, r);
    kn_json_object(json, "params");
    for (size_t i = 0; i < r->nparams; i++)
        kn_json_string(json, r->params[i].key, r->params[i].value);
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_solution(kn_json *json, const kanon_result *r)
{
    if (!released(r)) {
        kn_json_null(json, "solution");
        return;
    }
    kn_json_object(json, "solution");
    if (r->full_domain) {
        kn_json_object(json, "levels");
        for (size_t i = 0; i < r->nattributes; i++)
            if (r->attributes[i].role == KN_ROLE_QUASI)
                kn_json_count(json, r->attributes[i].name, r->attributes[i].level);
        kn_json_end(json);
    }
    kn_json_object(json, "heights");
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI)
            kn_json_count(json, r->attributes[i].name, r->attributes[i].height);
    kn_json_end(json);
    kn_json_truth(json, "full_domain", r->full_domain);
    kn_json_count(json, "k", r->k_reached);
    kn_json_count(json, "classes", r->classes);
    kn_json_count(json, "released_rows", r->released_rows);
    kn_json_count(json, "suppressed_rows", r->suppressed_rows);
    kn_json_count(json, "masked_rows", r->masked_rows);
    kn_json_end(json);
}

static void
put_metrics(kn_json *json, const kanon_result *r)
{
    if (!released(r)) {
        kn_json_null(json, "metrics");
        return;
    }
    kn_json_object(json, "metrics");
#define PUT_METRIC(name, text)                                                                     \
    if (r->full_domain || !kn_metric_needs_levels(#name))                                          \
        kn_json_number(json, #name, r->metrics.name);
    KN_METRIC_LIST(PUT_METRIC)
#undef PUT_METRIC
    kn_json_end(json);
}

/* NaN, which is written as null, where there is no release to measure. */
static double
if_released(const kanon_result *result, double value)
{
    return released(result) ? value : (double) NAN;
}

static void
put_loss(kn_json *json, const kanon_result *r, const kn_result_attribute *a)
{
    if (r->full_domain)
        kn_json_number(json, "log", if_released(r, a->loss.log));
    kn_json_number(json, "glm", if_released(r, a->loss.glm));
    kn_json_number(json, "gcp", if_released(r, a->loss.gcp));
    kn_json_number(json, "total_il", if_released(r, a->loss.total_il));
    kn_json_number(json, "entropy", if_released(r, a->loss.entropy));
}

/* The quasi-identifiers, each with what it lost. An example of level 0 would be an original value, so there
 * is none. */
static void
put_attributes(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "attributes");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];
        bool                       shown = released(r) && (!r->full_domain || a->level);

        if (a->role != KN_ROLE_QUASI)
            continue;
        kn_json_object(json, NULL);
        kn_json_string(json, "name", a->name);
        kn_json_string(json, "type", kn_type_name(a->type));
        kn_json_string(json, "hierarchy", a->hierarchy);
        if (r->full_domain)
            kn_json_number(json, "level", if_released(r, a->level));
        kn_json_count(json, "height", a->height);
        kn_json_string(json, "example", shown ? a->example : NULL);
        put_loss(json, r, a);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_values(kn_json *json, const char *key, uint64_t values)
{
    if (values == KN_NOT_COUNTED)
        kn_json_null(json, key);
    else
        kn_json_count(json, key, values);
}

static void
put_columns(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "columns");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "name", a->name);
        kn_json_string(json, "role", kn_role_name(a->role));
        put_values(json, "values_before", a->values_before);
        put_values(json, "values_after", a->values_after);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_sensitive(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "sensitive");
    for (size_t i = 0; released(r) && i < r->nsensitive; i++) {
        const kn_sensitive_result *s = &r->sensitive[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "name", s->name);
        kn_json_count(json, "distinct", s->distinct);
        kn_json_count(json, "l", s->min_distinct);
        kn_json_number(json, "entropy_l", s->min_entropy_l);
        kn_json_number(json, "t", s->max_t);
        kn_json_count(json, "homogeneous_rows", s->homogeneous_rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

void
kn_report_json_risk(kn_json *json, const kn_risk *risk)
{
    kn_json_number(json, "prosecutor_max", risk->prosecutor_max);
    kn_json_number(json, "prosecutor_mean", risk->prosecutor_mean);
    kn_json_count(json, "uniques", risk->uniques);
    kn_json_count(json, "rows", risk->rows);
    kn_json_count(json, "classes", risk->classes);
    kn_json_count(json, "smallest_class", risk->min_class);
    kn_json_count(json, "largest_class", risk->max_class);
    kn_json_number(json, "below_2", risk->below_2);
    kn_json_number(json, "below_5", risk->below_5);
    kn_json_number(json, "below_10", risk->below_10);
}

static void
put_no_risk(kn_json *json)
{
    static const char *const keys[] = { "prosecutor_max", "prosecutor_mean", "uniques",
                                        "rows",           "classes",         "smallest_class",
                                        "largest_class",  "below_2",         "below_5",
                                        "below_10" };

    for (size_t i = 0; i < KN_COUNT(keys); i++)
        kn_json_null(json, keys[i]);
}

static void
put_risk(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "risk");
    if (released(r))
        kn_report_json_risk(json, &r->risk_after);
    else
        put_no_risk(json);
    kn_json_object(json, "before");
    kn_report_json_risk(json, &r->risk_before);
    kn_json_end(json);
    kn_json_end(json);
}

void
kn_report_json_histogram(kn_json *json, const kn_class_bucket *buckets, size_t count)
{
    kn_json_array(json, "class_sizes");
    for (size_t i = 0; i < count; i++) {
        kn_json_object(json, NULL);
        kn_json_count(json, "from", buckets[i].from);
        if (buckets[i].to)
            kn_json_count(json, "to", buckets[i].to);
        else
            kn_json_null(json, "to");
        kn_json_count(json, "classes", buckets[i].classes);
        kn_json_count(json, "rows", buckets[i].rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_bounds(kn_json *json, const kanon_result *r)
{
    size_t quasi = 0;

    if (!r->bounds) {
        kn_json_null(json, "bounds");
        return;
    }
    kn_json_object(json, "bounds");
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI)
            kn_json_count(json, r->attributes[i].name, r->bounds[quasi++]);
    kn_json_end(json);
}

/* How the loss fell: the anytime curve. */
static void
put_curve(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "curve");
    for (size_t i = 0; i < r->ncurve; i++) {
        kn_json_object(json, NULL);
        kn_json_number(json, "seconds", r->curve[i].seconds);
        kn_json_count(json, "evaluations", r->curve[i].evaluations);
        kn_json_number(json, "loss", r->curve[i].loss);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_search(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "search");
    kn_json_count(json, "evaluations", r->evaluations);
    if (r->full_domain)
        kn_json_count(json, "predicted", r->predicted);
    kn_json_truth(json, "optimal", r->outcome == KANON_OPTIMAL);
    kn_json_number(json, "loss", if_released(r, r->loss));
    kn_json_number(json, "lower_bound", r->has_bound ? r->lower_bound : (double) NAN);
    kn_json_number(json, "gap", r->has_bound ? r->gap : (double) NAN);
    kn_json_string(json, "stopped", r->stopped);
    if (r->full_domain) {
        kn_json_number(json, "lattice_nodes", r->lattice_nodes);
        kn_json_number(json, "searched_nodes", r->searched_nodes);
        put_bounds(json, r);
    }
    put_curve(json, r);
    kn_json_end(json);
}

static void
put_seconds(kn_json *json, const kn_result_seconds *s)
{
    kn_json_object(json, "seconds");
    kn_json_number(json, "read", s->read);
    kn_json_number(json, "encode", s->encode);
    kn_json_number(json, "search", s->search);
    kn_json_number(json, "transform", s->transform);
    kn_json_number(json, "write", s->write);
    kn_json_number(json, "verify", s->verify);
    kn_json_number(json, "total", s->total);
    kn_json_end(json);
}

static void
put_findings(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "findings");
    for (size_t i = 0; i < r->nfindings; i++) {
        const kn_finding *f = &r->findings[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "id", f->id);
        kn_json_string(json, "weight", f->weight == KN_FINDING_WARNING ? "warning" : "note");
        kn_json_string(json, "column", f->column);
        kn_json_string(json, "what", f->what);
        kn_json_string(json, "todo", f->todo);
        kn_json_end(json);
    }
    kn_json_end(json);
}

void
kn_report_json(kn_text *text, const kanon_result *r)
{
    kn_json json;

    if (r->audience == KN_AUDIENCE_EXTERNAL) {
        kn_report_json_external(text, r);
        return;
    }
    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_REPORT_SCHEMA);
    kn_json_string(&json, "audience", "internal");
    kn_json_string(&json, "outcome", outcome_name(r->outcome));
    kn_json_string(&json, "advice", r->advice);
    put_input(&json, r);
    put_output(&json, r);
    put_parameters(&json, r);
    put_solution(&json, r);
    put_metrics(&json, r);
    put_attributes(&json, r);
    put_columns(&json, r);
    put_sensitive(&json, r);
    put_risk(&json, r);
    kn_report_json_histogram(&json, r->histogram, released(r) ? r->nhistogram : 0);
    put_search(&json, r);
    put_seconds(&json, &r->seconds);
    if (r->peak_bytes)
        kn_json_count(&json, "peak_bytes", r->peak_bytes);
    else
        kn_json_null(&json, "peak_bytes");
    put_findings(&json, r);
    kn_report_json_hints(&json, r);
    kn_json_array(&json, "warnings");
    for (size_t i = 0; i < r->nwarnings; i++)
        kn_json_string(&json, NULL, r->warnings[i]);
    kn_json_end(&json);
    kn_json_end(&json);
}

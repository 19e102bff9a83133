/* SPDX-License-Identifier: Apache-2.0 */
/* report_public.c -- the external edition of the JSON report: what whoever has the release could count
 * himself, what he must know to use it, and nothing else. No seed, no table, no hash of the table (which
 * would confirm a guess of it), no search, no finding, and no count from which the suppressed rows could
 * be told. */
#include "report/report_public.h"

#include <math.h>

uint64_t
kn_public_least(const kanon_result *r)
{
    return r->k < 5 ? 5 : r->k;
}

uint64_t
kn_public_rounded(uint64_t count)
{
    uint64_t step = count < 100 ? 5 : count < 1000 ? 10 : count < 100000 ? 100 : 1000;

    return (count + step / 2) / step * step;
}

/* A round number that is not below k and 10. */
static uint64_t
least_step(const kanon_result *r)
{
    static const uint64_t next[] = { 2, 5, 10 };
    uint64_t              power = 10, step = 10;

    for (size_t i = 0; step < r->k && step < UINT64_MAX / 100; i++) {
        step = power * next[i % 3];
        power = i % 3 == 2 ? step : power;
    }
    return step;
}

uint64_t
kn_public_lost_least(const kanon_result *r)
{
    return least_step(r) / 2 * 3;
}

/* Steps grow where one divides the next, so no number stands for fewer counts than a step. */
uint64_t
kn_public_lost(const kanon_result *r, uint64_t count)
{
    uint64_t step = least_step(r), fit = count < 1000 ? 10 : count < 100000 ? 100 : 1000;

    if (count < kn_public_lost_least(r))
        return 0;
    step = step < fit ? fit : step;
    return (count + step / 2) / step * step;
}

double
kn_public_loss(const kanon_result *r, double loss)
{
    if (!r->released_rows || r->suppression_rows)
        return (double) NAN;
    return loss > 0 ? floor(loss * 100 + 0.5) / 100 : 0;
}

uint64_t
kn_public_crowd(const kanon_result *r)
{
    return kn_result_counts_persons(r) && r->crowd > r->k ? r->k : r->crowd;
}

const char *
kn_public_file(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}

bool
kn_public_hides(const kanon_result *r, const char *column)
{
    for (size_t i = 0; i < r->nattributes; i++)
        if (strcmp(r->attributes[i].name, column) == 0)
            return r->attributes[i].role == KN_ROLE_IDENTIFIER
                && r->identifiers_as == KN_IDENTIFIERS_DROP;
    return true;
}

/* A count that is not told exactly: {"about": 140} or {"fewer_than": 5}. */
static void
put_about(kn_json *json, const kanon_result *r, const char *key, uint64_t count)
{
    kn_json_object(json, key);
    if (count && count < kn_public_least(r))
        kn_json_count(json, "fewer_than", kn_public_least(r));
    else
        kn_json_count(json, "about", kn_public_rounded(count));
    kn_json_end(json);
}

static void
put_lost(kn_json *json, const kanon_result *r, const char *key, uint64_t count)
{
    uint64_t about = kn_public_lost(r, count);

    kn_json_object(json, key);
    kn_json_count(json, about ? "about" : "fewer_than", about ? about : kn_public_lost_least(r));
    kn_json_end(json);
}

/* What is promised: k and the models. The suppression limit, the metric and the algorithm are none, and
 * would tell how close to its limits the release was made. */
static void
put_parameters(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "parameters");
    kn_json_count(json, "k", r->k);
    kn_json_string(json, "suppressed", r->suppressed_as == KN_SUPPRESSED_MASK ? "mask" : "drop");
    kn_json_array(json, "models");
    for (size_t i = 0; i < r->nmodels; i++) {
        const kn_result_model *m = &r->models[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "model", m->key);
        kn_json_string(json, "column",
                       m->column && kn_public_hides(r, m->column) ? NULL : m->column);
        kn_json_number(json, m->parameter, m->asked);
        if (m->other)
            kn_json_number(json, m->other, m->asked_other);
        kn_json_end(json);
    }
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_solution(kn_json *json, const kanon_result *r)
{
    kn_json_object(json, "solution");
    kn_json_count(json, "k", r->k_reached);
    kn_json_count(json, "classes", r->classes);
    kn_json_count(json, "released_rows", r->released_rows);
    put_lost(json, r, "suppressed_rows", r->suppressed_rows);
    kn_json_number(json, "information_lost", kn_public_loss(r, r->metrics.glm));
    kn_json_end(json);
}

/* Columns that are not in the release are not told. */
static void
put_columns(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "columns");
    for (size_t i = 0; i < r->nattributes; i++) {
        const kn_result_attribute *a = &r->attributes[i];

        if (a->role == KN_ROLE_IDENTIFIER && r->identifiers_as == KN_IDENTIFIERS_DROP)
            continue;
        kn_json_object(json, NULL);
        kn_json_string(json, "name", a->name);
        kn_json_string(json, "role", kn_role_name(a->role));
        if (a->role == KN_ROLE_QUASI) {
            kn_json_count(json, "values", a->values_after);
            kn_json_number(json, "information_lost", kn_public_loss(r, a->loss.glm));
        }
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_classes(kn_json *json, const kanon_result *r)
{
    kn_json_array(json, "class_sizes");
    for (size_t i = 0; i < r->nhistogram; i++) {
        const kn_class_bucket *b = &r->histogram[i];

        kn_json_object(json, NULL);
        kn_json_count(json, "from", b->from);
        if (b->to)
            kn_json_count(json, "to", b->to);
        else
            kn_json_null(json, "to");
        put_about(json, r, "rows", b->rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

void
kn_report_json_external(kn_text *text, const kanon_result *r)
{
    kn_json json;
    bool    released = r->outcome != KANON_INFEASIBLE;
    kn_risk risk = r->risk_after;

    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_REPORT_SCHEMA);
    kn_json_string(&json, "audience", "external");
    kn_json_truth(&json, "released", released);
    if (released) {
        kn_json_object(&json, "output");
        kn_json_string(&json, "file", kn_public_file(r->output_name));
        kn_report_json_hash(&json, r->output_hash);
        kn_json_end(&json);
    }
    put_parameters(&json, r);
    if (released) {
        put_solution(&json, r);
        put_columns(&json, r);
        kn_json_object(&json, "risk");
        if (r->crowd)
            risk.prosecutor_max = 1 / (double) kn_public_crowd(r);
        kn_report_json_risk(&json, &risk);
        kn_json_end(&json);
        put_classes(&json, r);
    }
    kn_json_end(&json);
}

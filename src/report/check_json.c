/* SPDX-License-Identifier: Apache-2.0 */
/* check_json.c -- a check as JSON; docs/check.schema.json describes every key. */
#include <math.h>

#include "report/report.h"

static void
put_input(kn_json *json, const kanon_check *c)
{
    kn_json_object(json, "input");
    kn_json_string(json, "file", c->name);
    kn_json_count(json, "columns", c->columns);
    kn_json_array(json, "quasi");
    for (size_t i = 0; i < c->nquasi; i++)
        kn_json_string(json, NULL, c->quasi[i]);
    kn_json_end(json);
    kn_json_end(json);
}

void
kn_report_json_clear(kn_json *json, const kn_clear *identifiers)
{
    kn_json_array(json, "identifiers");
    for (size_t i = 0; i < identifiers->count; i++) {
        kn_json_object(json, NULL);
        kn_json_string(json, "name", identifiers->columns[i].name);
        kn_json_count(json, "rows", identifiers->columns[i].rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_below(kn_json *json, const kanon_check *c)
{
    kn_json_array(json, "below");
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++) {
        kn_json_object(json, NULL);
        kn_json_count(json, "size", c->below[i].limit);
        kn_json_count(json, "classes", c->below[i].classes);
        kn_json_count(json, "rows", c->below[i].rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

/* What the other models would measure. An infinite value is null: no limit would do. */
static void
put_measures(kn_json *json, const kn_check_sensitive *s, bool rows)
{
    double none = (double) NAN;

    kn_json_number(json, "alpha", rows ? s->alpha : none);
    kn_json_object(json, "recursive");
    kn_json_count(json, "l", s->recursive_l);
    kn_json_number(json, "c", rows ? s->recursive_c : none);
    kn_json_end(json);
    kn_json_number(json, "beta", rows ? s->beta : none);
    kn_json_number(json, "delta_disclosure", rows ? s->delta_disclosure : none);
    if (!isnan(s->t_ordered))
        kn_json_number(json, "t_ordered", s->t_ordered);
    if (!isnan(s->t_hierarchical))
        kn_json_number(json, "t_hierarchical", s->t_hierarchical);
}

static void
put_models(kn_json *json, const kanon_check *c)
{
    if (!c->nmodels)
        return;
    kn_json_array(json, "models");
    for (size_t i = 0; i < c->nmodels; i++) {
        const kn_check_model *m = &c->models[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "model", m->key);
        kn_json_string(json, "column", m->column);
        kn_json_object(json, "asked");
        kn_json_number(json, m->parameter, m->asked);
        if (m->other)
            kn_json_number(json, m->other, m->asked_other);
        kn_json_end(json);
        kn_json_number(json, "reached", m->reached);
        if (m->at_most)
            kn_json_truth(json, "at_most", true);
        kn_json_truth(json, "holds", m->holds);
        kn_json_count(json, "failing_classes", m->failing_classes);
        kn_json_count(json, "failing_rows", m->failing_rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_sensitive(kn_json *json, const kanon_check *c)
{
    bool rows = c->risk.classes > 0;

    kn_json_array(json, "sensitive");
    for (size_t i = 0; i < c->nsensitive; i++) {
        const kn_check_sensitive *s = &c->sensitive[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "name", s->name);
        kn_json_count(json, "distinct", s->distinct);
        if (rows)
            kn_json_count(json, "l", s->l);
        else
            kn_json_null(json, "l");
        kn_json_number(json, "entropy_l", rows ? s->entropy_l : (double) NAN);
        kn_json_number(json, "t", rows ? s->t : (double) NAN);
        kn_json_count(json, "homogeneous_classes", s->homogeneous_classes);
        kn_json_count(json, "homogeneous_rows", s->homogeneous_rows);
        put_measures(json, s, rows);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_wildcard(kn_json *json, const kn_check_wildcard *w)
{
    if (!w->asked) {
        kn_json_null(json, "wildcard");
        return;
    }
    kn_json_object(json, "wildcard");
    kn_json_count(json, "k", w->k);
    kn_json_count(json, "uniques", w->uniques);
    kn_json_count(json, "missing_rows", w->missing_rows);
    kn_json_count(json, "patterns", w->patterns);
    kn_json_end(json);
}

void
kn_check_json(kn_text *text, const kanon_check *c)
{
    kn_json  json;
    uint64_t l;
    double   t;

    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_REPORT_SCHEMA);
    put_input(&json, c);
    kn_json_count(&json, "rows", c->risk.rows);
    kn_json_count(&json, "classes", c->risk.classes);
    kn_json_count(&json, "k", c->risk.min_class);
    if (kn_check_l(c, &l))
        kn_json_count(&json, "l", l);
    else
        kn_json_null(&json, "l");
    kn_json_number(&json, "t", kn_check_t(c, &t) ? t : (double) NAN);
    kn_report_json_clear(&json, &c->identifiers);
    kn_json_object(&json, "risk");
    kn_report_json_risk(&json, &c->risk);
    put_below(&json, c);
    kn_json_end(&json);
    kn_report_json_histogram(&json, c->histogram, KN_CHECK_BUCKETS);
    put_sensitive(&json, c);
    if (c->persons > 0)
        kn_json_number(&json, "persons", c->persons);
    else if (c->no_persons)
        kn_json_null(&json, "persons");
    put_models(&json, c);
    put_wildcard(&json, &c->wildcard);
    kn_json_end(&json);
}

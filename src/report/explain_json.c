/* SPDX-License-Identifier: Apache-2.0 */
/* explain_json.c -- an explanation as JSON; docs/explain.schema.json describes every key. */
#include <math.h>

#include "base/json.h"
#include "report/explain.h"
#include "report/report.h"

static void
put_settings(kn_json *json, const kanon_explanation *x)
{
    kn_json_object(json, "settings");
    kn_json_count(json, "k", x->k);
    kn_json_number(json, "suppression", x->suppression);
    kn_json_count(json, "suppression_rows", x->allowed);
    kn_json_string(json, "metric", x->metric);
    kn_json_string(json, "algorithm", x->algorithm);
    kn_json_array(json, "models");
    for (size_t i = 0; i < x->nmodels; i++) {
        kn_json_object(json, NULL);
        kn_json_string(json, "name", x->models[i].name);
        kn_json_string(json, "parameter", x->models[i].parameter);
        kn_json_string(json, "column", x->models[i].column);
        kn_json_number(json, "limit", x->models[i].limit);
        if (x->models[i].second) {
            kn_json_string(json, "second_parameter", x->models[i].second);
            kn_json_number(json, "second_limit", x->models[i].other);
        }
        kn_json_end(json);
    }
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_levels(kn_json *json, const kanon_explanation *x, const uint8_t *levels)
{
    kn_json_object(json, "levels");
    for (size_t i = 0; i < x->ncolumns; i++)
        if (levels[i] != KN_NO_LEVEL)
            kn_json_count(json, x->columns[i].name, levels[i]);
    kn_json_end(json);
}

static void
put_solution(kn_json *json, const kanon_explanation *x)
{
    if (!x->feasible) {
        kn_json_null(json, "solution");
        return;
    }
    kn_json_object(json, "solution");
    kn_json_number(json, "loss", x->loss);
    kn_json_count(json, "suppressed_rows", x->suppressed);
    kn_json_truth(json, "optimal", x->optimal);
    if (!x->has_local) {
        kn_json_object(json, "levels");
        for (size_t i = 0; i < x->ncolumns; i++)
            kn_json_count(json, x->columns[i].name, x->columns[i].level);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_local_column(kn_json *json, const kanon_explanation *x, const kn_explained_column *c)
{
    double none = (double) NAN;

    kn_json_object(json, NULL);
    kn_json_string(json, "name", c->name);
    kn_json_number(json, "glm", x->feasible ? c->loss.glm : none);
    kn_json_number(json, "gcp", x->feasible ? c->loss.gcp : none);
    kn_json_number(json, "share_of_loss", x->feasible ? c->share : none);
    kn_json_count(json, "exact_rows", c->exact);
    kn_json_count(json, "hidden_rows", c->hidden);
    kn_json_end(json);
}

/* Where the loss of a local recoding comes from. */
static void
put_classes(kn_json *json, const kanon_explanation *x)
{
    const kn_explained_local *l = &x->local;

    kn_json_object(json, "classes");
    kn_json_count(json, "count", l->classes);
    kn_json_count(json, "smallest", l->smallest);
    kn_json_count(json, "largest", l->largest);
    kn_json_number(json, "loss_of_suppressed_rows", l->suppressed);
    kn_json_number(json, "loss_of_large_classes", l->large);
    kn_json_count(json, "rows_in_large_classes", l->large_rows);
    kn_json_number(json, "loss_of_widest_tenth", l->tenth);
    kn_json_array(json, "widest");
    for (size_t i = 0; i < l->nworst; i++) {
        const kn_explained_class *c = &l->worst[i];

        kn_json_object(json, NULL);
        kn_json_count(json, "rows", c->rows);
        kn_json_number(json, "loss", c->loss);
        kn_json_number(json, "share_of_loss", c->share);
        kn_json_object(json, "columns");
        kn_json_number(json, x->columns[c->widest].name, c->widest_loss);
        if (c->second != c->widest)
            kn_json_number(json, x->columns[c->second].name, c->second_loss);
        kn_json_end(json);
        kn_json_end(json);
    }
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_where(kn_json *json, const char *key, const kn_explained_where *w)
{
    kn_json_object(json, key);
    kn_json_count(json, "level", w->level);
    kn_json_count(json, "outlying_rows", w->outlying);
    kn_json_array(json, "groups");
    for (size_t i = 0; i < w->ngroups; i++) {
        kn_json_object(json, NULL);
        kn_json_string(json, "label", w->groups[i].label);
        kn_json_count(json, "rows", w->groups[i].rows);
        kn_json_count(json, "outlying_rows", w->groups[i].outlying);
        kn_json_end(json);
    }
    kn_json_end(json);
    kn_json_object(json, "rare");
    kn_json_count(json, "rows", w->rare_rows);
    kn_json_count(json, "outlying_rows", w->rare_outlying);
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_column(kn_json *json, const kn_explained_column *c)
{
    kn_json_object(json, NULL);
    kn_json_string(json, "name", c->name);
    kn_json_count(json, "level", c->level);
    kn_json_count(json, "height", c->height);
    kn_json_count(json, "floor", c->floor);
    kn_json_number(json, "log", c->loss.log);
    kn_json_number(json, "glm", c->loss.glm);
    kn_json_count(json, "saved_one_level_up", c->saved_up);
    kn_json_count(json, "saved_without_it", c->saved_top);
    put_where(json, "here", &c->at);
    if (c->has_below)
        put_where(json, "one_level_down", &c->below);
    else
        kn_json_null(json, "one_level_down");
    kn_json_end(json);
}

static void
put_change(kn_json *json, const kanon_explanation *x, const kn_change *c)
{
    static const char *const kinds[] = { "level", "k", "suppression", "drop", "model" };
    bool                     known = c->computed && (c->feasible || c->kind == KN_CHANGE_LEVEL);

    kn_json_object(json, NULL);
    kn_json_string(json, "change", kinds[c->kind]);
    if (c->column)
        kn_json_string(json, "column", c->column);
    if (c->model)
        kn_json_string(json, "model", c->model);
    if (c->kind != KN_CHANGE_DROP) {
        kn_json_number(json, "from", c->from);
        kn_json_number(json, "to", c->to);
    }
    kn_json_string(json, "setting", c->setting);
    kn_json_truth(json, "computed", c->computed);
    if (c->computed) {
        kn_json_truth(json, "feasible", c->feasible);
        if (c->kind != KN_CHANGE_LEVEL)
            kn_json_truth(json, "proven", c->proven);
    }
    if (known) {
        kn_json_count(json, "suppressed_rows", c->suppressed);
        kn_json_number(json, "loss", c->loss);
        if (c->kind == KN_CHANGE_DROP)
            kn_json_number(json, "loss_with_column", c->loss_all);
        if (x->feasible)
            kn_json_number(json, "loss_change", c->loss_all - x->loss);
        if (c->levels)
            put_levels(json, x, c->levels);
    }
    kn_json_end(json);
}

void
kn_explain_json(kn_text *text, const kanon_explanation *x)
{
    kn_json json;

    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_REPORT_SCHEMA);
    kn_json_string(&json, "input", x->input);
    kn_json_count(&json, "rows", x->rows);
    kn_json_count(&json, "least_rows", x->least);
    put_settings(&json, x);
    kn_json_truth(&json, "feasible", x->feasible);
    put_solution(&json, x);
    kn_json_array(&json, "columns");
    for (size_t i = 0; i < x->ncolumns; i++)
        if (x->has_local)
            put_local_column(&json, x, &x->columns[i]);
        else
            put_column(&json, &x->columns[i]);
    kn_json_end(&json);
    if (x->has_local && x->feasible)
        put_classes(&json, x);
    kn_json_array(&json, "changes");
    for (size_t i = 0; i < x->nchanges; i++)
        put_change(&json, x, &x->changes[i]);
    kn_json_end(&json);
    kn_json_count(&json, "not_computed", x->uncomputed);
    kn_json_number(&json, "time_limit", x->time_limit_s > 0 ? x->time_limit_s : (double) NAN);
    kn_json_number(&json, "seconds", x->seconds);
    kn_json_end(&json);
}

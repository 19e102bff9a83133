/* SPDX-License-Identifier: Apache-2.0 */
/* compare_json.c -- a comparison as JSON; docs/compare.schema.json describes every key. */
#include <math.h>

#include "base/json.h"
#include "report/compare.h"
#include "report/report.h"

static const char *const readings[] = {
#define READING_KEY(name, key, text) key,
    KN_READING_LIST(READING_KEY)
#undef READING_KEY
};
static const char *const bin_kinds[] = { "value", "ranks", "other", "rare", "missing" };

static void
put_names(kn_json *json, const char *key, const char *const *names, size_t count)
{
    kn_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        kn_json_string(json, NULL, names[i]);
    kn_json_end(json);
}

static void
put_identifiers(kn_json *json, const kn_clear *identifiers)
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
put_bins(kn_json *json, const kn_compared_column *col)
{
    kn_json_array(json, "bins");
    for (size_t i = 0; i < col->nbins; i++) {
        const kn_compared_bin *b = &col->bins[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "kind", bin_kinds[b->kind]);
        if (b->kind == KN_BIN_VALUE)
            kn_json_string(json, "value", b->label);
        if (b->kind == KN_BIN_RANKS) {
            kn_json_number(json, "from", b->from);
            kn_json_number(json, "to", b->to);
            kn_json_string(json, "name", b->label);
        }
        kn_json_number(json, "before", b->before);
        kn_json_number(json, "after", b->after);
        kn_json_end(json);
    }
    kn_json_end(json);
    if (col->biggest < col->nbins)
        kn_json_count(json, "biggest_change", col->biggest);
    else
        kn_json_null(json, "biggest_change");
}

static void
put_column(kn_json *json, const kn_compared_column *col)
{
    kn_json_object(json, NULL);
    kn_json_string(json, "name", col->name);
    kn_json_string(json, "role", kn_role_name(col->role));
    kn_json_string(json, "type", kn_type_name(col->type));
    kn_json_string(json, "hierarchy", col->hierarchy);
    kn_json_truth(json, "dropped", col->dropped);
    kn_json_truth(json, "counted", col->counted);
    kn_json_count(json, "values_before", col->values_before);
    kn_json_count(json, "values_after", col->values_after);
    kn_json_object(json, "cells");
    for (size_t r = 0; r < KN_READINGS; r++)
        kn_json_count(json, readings[r], col->cells[r]);
    kn_json_end(json);
    kn_json_number(json, "glm", col->glm);
    kn_json_number(json, "gcp", col->gcp);
    kn_json_number(json, "entropy", col->entropy);
    kn_json_number(json, "tvd", col->tvd);
    if (col->has_moments) {
        kn_json_number(json, "mean_before", col->mean_before);
        kn_json_number(json, "mean_after", col->mean_after);
        kn_json_number(json, "sd_before", col->sd_before);
        kn_json_number(json, "sd_after", col->sd_after);
    }
    put_bins(json, col);
    kn_json_end(json);
}

static void
put_pairs(kn_json *json, const kanon_comparison *c)
{
    kn_json_array(json, "pairs");
    for (size_t i = 0; i < c->npairs; i++) {
        const kn_compared_pair *p = &c->pairs[i];

        kn_json_object(json, NULL);
        kn_json_string(json, "a", c->columns[p->a].name);
        kn_json_string(json, "b", c->columns[p->b].name);
        kn_json_number(json, "tvd", p->tvd);
        kn_json_number(json, "v_before", p->v_before);
        kn_json_number(json, "v_after", p->v_after);
        if (p->numeric) {
            kn_json_number(json, "pearson_before", p->pearson_before);
            kn_json_number(json, "pearson_after", p->pearson_after);
            kn_json_number(json, "spearman_before", p->spearman_before);
            kn_json_number(json, "spearman_after", p->spearman_after);
        }
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_learning(kn_json *json, const kn_compared_learning *l)
{
    if (!l->label) {
        kn_json_null(json, "learning");
        return;
    }
    kn_json_object(json, "learning");
    kn_json_string(json, "label", l->label);
    kn_json_count(json, "classes", l->classes);
    kn_json_count(json, "features", l->features);
    kn_json_number(json, "cm_before", l->cm_before);
    kn_json_number(json, "cm_after", l->cm_after);
    kn_json_number(json, "baseline", l->baseline);
    kn_json_number(json, "accuracy_before", l->accuracy_before);
    kn_json_number(json, "accuracy_after", l->accuracy_after);
    kn_json_number(json, "balanced_before", l->balanced_before);
    kn_json_number(json, "balanced_after", l->balanced_after);
    kn_json_end(json);
}

static void
put_errors(kn_json *json, const kn_compared_errors *e)
{
    kn_json_count(json, "count", e->queries);
    if (!e->queries)
        return;
    kn_json_number(json, "mean", e->mean);
    kn_json_number(json, "median", e->median);
    kn_json_number(json, "p75", e->p75);
    kn_json_number(json, "p90", e->p90);
    kn_json_number(json, "p95", e->p95);
    kn_json_number(json, "max", e->max);
}

static void
put_queries(kn_json *json, const kanon_comparison *c)
{
    if (!c->queries.queries) {
        kn_json_null(json, "queries");
        return;
    }
    kn_json_object(json, "queries");
    put_errors(json, &c->queries);
    kn_json_array(json, "by_columns");
    for (size_t i = 0; i < KN_QUERY_COLUMNS_MOST; i++)
        if (c->by_columns[i].queries) {
            kn_json_object(json, NULL);
            kn_json_count(json, "columns", i + 1);
            put_errors(json, &c->by_columns[i]);
            kn_json_end(json);
        }
    kn_json_end(json);
    kn_json_end(json);
}

void
kn_compare_json(kn_text *text, const kanon_comparison *c)
{
    kn_json json;

    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_REPORT_SCHEMA);
    kn_json_string(&json, "original", c->original);
    kn_json_string(&json, "released", c->released);
    kn_json_object(&json, "rows");
    kn_json_count(&json, "before", c->rows_before);
    kn_json_count(&json, "after", c->rows_after);
    kn_json_count(&json, "lost", c->lost);
    kn_json_end(&json);
    kn_json_count(&json, "seed", c->seed);
    kn_json_count(&json, "least_rows", c->least);
    put_names(&json, "dropped", c->dropped, c->ndropped);
    put_names(&json, "added", c->added, c->nadded);
    put_names(&json, "left_out", c->left_out, c->nleft_out);
    put_identifiers(&json, &c->identifiers);
    kn_json_object(&json, "total");
    kn_json_count(&json, "columns", c->ncounted);
    kn_json_number(&json, "glm", c->glm);
    kn_json_number(&json, "gcp", c->gcp);
    kn_json_number(&json, "entropy", c->entropy);
    kn_json_number(&json, "tvd", c->tvd);
    kn_json_number(&json, "pair_tvd", c->pair_tvd);
    kn_json_number(&json, "v_change", c->v_shift);
    kn_json_number(&json, "pearson_change", c->pearson_shift);
    kn_json_end(&json);
    kn_json_array(&json, "columns");
    for (size_t i = 0; i < c->ncolumns; i++)
        put_column(&json, &c->columns[i]);
    kn_json_end(&json);
    put_pairs(&json, c);
    put_learning(&json, &c->learning);
    put_queries(&json, c);
    kn_json_number(&json, "seconds", c->seconds);
    kn_json_end(&json);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* pareto_json.c -- a front as JSON (docs/front.schema.json): for programs, for the page, and for
 * kanon_config_pick(), which makes a release of one of its points. */
#include "report/front.h"

#include <stdio.h>

#include "report/report.h"

/* --- settings ----------------------------------------------------------------------------------- */

static void
put_items(kn_json *json, const char *key, const char *const *items, size_t count)
{
    kn_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        kn_json_string(json, NULL, items[i]);
    kn_json_end(json);
}

/* In the forms of the config file; what is not given there stays auto. */
static void
put_hierarchy(kn_json *json, const kn_hier_spec *spec)
{
    const char *kind = kn_hier_kind_name(spec->kind);

    kn_json_object(json, "hierarchy");
    if (spec->kind == KN_HIER_PLACE || spec->kind == KN_HIER_FILE) {
        kn_json_string(json, kind, spec->file);
        if (spec->nitems)
            put_items(json, "columns", spec->items, spec->nitems);
        if (spec->unknown_other)
            kn_json_string(json, "unknown", "other");
    } else if (spec->kind == KN_HIER_MASK) {
        kn_json_string(json, kind, spec->from_left ? "left" : "right");
    } else if (spec->nitems) {
        put_items(json, kind, spec->items, spec->nitems);
    } else {
        kn_json_truth(json, kind, true);
    }
    kn_json_end(json);
}

static void
put_attribute(kn_json *json, const kn_attribute *a)
{
    static const char *const types[] = { [KN_TYPE_NUMBER] = "number",
                                         [KN_TYPE_DATE] = "date",
                                         [KN_TYPE_STRING] = "string",
                                         [KN_TYPE_PLACE] = "place" };

    kn_json_object(json, a->name);
    kn_json_string(json, "role", kn_role_name(a->role));
    if (a->type != KN_TYPE_AUTO)
        kn_json_string(json, "type", types[a->type]);
    if (a->has_weight)
        kn_json_number(json, "weight", a->weight);
    if (a->has_hierarchy)
        put_hierarchy(json, &a->hierarchy);
    kn_json_end(json);
}

static void
put_mark(kn_json *json, const char *key, char mark)
{
    char text[2] = { mark, 0 };

    if (mark)
        kn_json_string(json, key, mark == '\t' ? "tab" : text);
}

/* One setting of models as it would be given again. */
static void
put_asked(kn_json *json, const kn_model_setting *setting, const kn_asked *asked)
{
    const kn_model_class *class = kn_model_of_kind(setting, asked->kind);
    char range[64];

    if (setting->asks == KN_ASKS_RANGE) {
        snprintf(range, sizeof range, "%.15g,%.15g", asked->other > 0 ? asked->other : 0,
                 asked->value);
        kn_json_string(json, setting->value.name, range);
    } else if (asked->column) {
        kn_json_string(json, setting->value.name, asked->column);
    } else {
        kn_json_number(json, setting->value.name, asked->value);
    }
    if (setting->kind.name) /* the usual kind is the one that leaves the choice to the column */
        kn_json_string(json, setting->kind.name, class ? class->kind : setting->kind.fallback);
    if (class && class->limit == KN_LIMIT_OTHER)
        kn_json_number(json, setting->other.name, asked->other);
}

/* The models beyond k do not bound the front, but they hold for the release of any of its points. */
static void
put_models(kn_json *json, const kn_model_settings *m)
{
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        if (kn_asked_on(&m->asked[i]))
            put_asked(json, setting, &m->asked[i]);
    if (m->population)
        kn_json_string(json, "population", m->population);
}

void
kn_front_settings(kn_json *json, const char *key, const kanon_front *f)
{
    kn_json_object(json, key);
    kn_json_number(json, "suppression", f->suppression);
    kn_json_string(json, "suppressed", f->suppressed_as == KN_SUPPRESSED_MASK ? "mask" : "drop");
    kn_json_string(json, "identifiers", f->identifiers_as == KN_IDENTIFIERS_DROP ? "drop" : "mask");
    kn_json_count(json, "seed", f->seed);
    put_mark(json, "delimiter", f->dialect.delimiter);
    put_mark(json, "quote", f->dialect.quote);
    kn_json_string(json, "header", f->dialect.header ? "yes" : "no");
    kn_json_string(json, "encoding",
                   f->dialect.encoding == KN_ENCODING_LATIN1 ? "latin-1" : "utf-8");
    put_items(json, "missing", f->missing, f->nmissing);
    if (f->label)
        kn_json_string(json, "label", f->label);
    put_models(json, &f->models);
    kn_json_object(json, "attributes");
    for (size_t i = 0; i < f->nattributes; i++)
        put_attribute(json, &f->attributes[i]);
    kn_json_end(json);
    kn_json_end(json);
}

/* --- the parts ------------------------------------------------------------------------------------ */

static void
put_input(kn_json *json, const kanon_front *f)
{
    static const char digits[] = "0123456789abcdef";
    char              hex[2 * KN_HASH_BYTES + 1] = { 0 };

    for (size_t i = 0; i < KN_HASH_BYTES; i++) {
        hex[2 * i] = digits[f->input_hash[i] >> 4];
        hex[2 * i + 1] = digits[f->input_hash[i] & 15];
    }
    kn_json_object(json, "input");
    kn_json_string(json, "file", f->input_name);
    kn_json_count(json, "rows", f->rows);
    kn_json_array(json, "quasi");
    for (size_t i = 0; i < f->ncolumns; i++)
        kn_json_string(json, NULL, f->columns[i].name);
    kn_json_end(json);
    kn_json_count(json, "distinct_tuples", f->distinct_tuples);
    kn_json_string(json, "blake2b", hex);
    kn_json_end(json);
}

static void
put_parameters(kn_json *json, const kanon_front *f)
{
    kn_json_object(json, "parameters");
    kn_json_string(json, "algorithm", f->algorithm);
    kn_json_string(json, "algorithm_asked", f->algorithm_asked);
    kn_json_number(json, "suppression", f->suppression);
    kn_json_count(json, "suppression_rows", f->suppression_rows);
    kn_json_count(json, "seed", f->seed);
    kn_json_count(json, "threads", f->threads);
    kn_json_object(json, "params");
    for (size_t i = 0; i < f->nparams; i++)
        kn_json_string(json, f->params[i].key, f->params[i].value);
    kn_json_end(json);
    kn_json_end(json);
}

static void
put_properties(kn_json *json, const kanon_front *f)
{
    kn_json_array(json, "objectives");
    for (size_t i = 0; i < f->nobjectives; i++)
        kn_json_string(json, NULL, f->objectives[i].name);
    kn_json_end(json);
    kn_json_array(json, "properties");
    for (size_t i = 0; i < f->nobjectives; i++) {
        const kanon_property *p = f->objectives[i].property;

        kn_json_object(json, NULL);
        kn_json_string(json, "name", f->objectives[i].name);
        kn_json_string(json, "direction", p->direction);
        kn_json_string(json, "type", p->type);
        kn_json_string(json, "scale", p->scale);
        kn_json_number(json, "box", f->objectives[i].box);
        kn_json_string(json, "summary", p->summary);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_hierarchies(kn_json *json, const kanon_front *f)
{
    kn_json_array(json, "hierarchies");
    for (size_t i = 0; i < f->ncolumns; i++) {
        kn_json_object(json, NULL);
        kn_json_string(json, "name", f->columns[i].name);
        kn_json_count(json, "height", f->columns[i].height);
        kn_json_string(json, "kind", f->columns[i].kind);
        kn_json_string(json, "print", f->columns[i].print);
        kn_json_end(json);
    }
    kn_json_end(json);
}

static void
put_point(kn_json *json, const kanon_front *f, size_t at)
{
    const kn_front_point *p = &f->points[at];

    kn_json_object(json, NULL);
    kn_json_count(json, "pick", at + 1);
    kn_json_object(json, "values");
    for (size_t i = 0; i < f->nobjectives; i++)
        kn_json_number(json, f->objectives[i].name, p->values[i]);
    kn_json_end(json);
    kn_json_object(json, "levels");
    for (size_t i = 0; i < f->ncolumns; i++)
        kn_json_count(json, f->columns[i].name, p->levels[i]);
    kn_json_end(json);
    kn_json_count(json, "k", p->k);
    kn_json_count(json, "classes", p->classes);
    kn_json_count(json, "suppressed_rows", p->suppressed);
    kn_json_end(json);
}

static void
put_search(kn_json *json, const kanon_front *f)
{
    kn_json_object(json, "search");
    kn_json_string(json, "stopped", f->stopped);
    kn_json_string(json, "method", f->method);
    if (f->choice[0])
        kn_json_string(json, "choice", f->choice);
    kn_json_number(json, "lattice_nodes", f->nodes);
    kn_json_count(json, "predicted", f->predicted);
    kn_json_number(json, "archive_bound", f->bound);
    kn_json_end(json);
    kn_json_object(json, "seconds");
    kn_json_number(json, "read", f->read_s);
    kn_json_number(json, "search", f->search_s);
    kn_json_number(json, "total", f->total_s);
    kn_json_end(json);
    kn_json_array(json, "warnings");
    for (size_t i = 0; i < f->nwarnings; i++)
        kn_json_string(json, NULL, f->warnings[i]);
    kn_json_end(json);
}

/* The hierarchies stand before the front: whoever reads it piece by piece knows them then. */
void
kn_front_json(kn_text *text, const kanon_front *f)
{
    kn_json json;

    kn_json_init(&json, text);
    kn_json_object(&json, NULL);
    kn_json_string(&json, "kanon", kanon_version());
    kn_json_count(&json, "schema", KN_FRONT_SCHEMA);
    put_input(&json, f);
    put_parameters(&json, f);
    put_properties(&json, f);
    put_hierarchies(&json, f);
    kn_json_truth(&json, "exact", f->exact);
    kn_json_count(&json, "evaluations", f->evaluations);
    if (f->knee < f->npoints)
        kn_json_count(&json, "knee", f->knee + 1);
    else
        kn_json_null(&json, "knee");
    kn_json_array(&json, "front");
    for (size_t i = 0; i < f->npoints; i++)
        put_point(&json, f, i);
    kn_json_end(&json);
    put_search(&json, f);
    kn_front_settings(&json, "settings", f);
    kn_json_end(&json);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* describe_front.c -- what `kanon pareto` found: names, types, meaning. A front is for those who have the
 * table, so all of it is internal. kanon_config_pick() reads it back piece by piece: the hierarchies stand
 * before the front, so that they are known then. */
#include "formats/encoding.h"
#include "result/describe.h"
#include "result/front.h"

/* --- settings --------------------------------------------------------------------------------------- */

static const kn_condition delimiter = { KN_IF_ROOT(kanon_front, delimiter),
                                        .otherwise = "if no row shows it" };
static const kn_condition quote = { KN_IF_ROOT(kanon_front, quote),
                                    .otherwise = "where there is none" };
static const kn_condition label = { KN_IF_ROOT(kanon_front, label),
                                    .otherwise = "where none was named" };
static const kn_condition row_count = { KN_IF_ROOT(kanon_front, count),
                                        .otherwise = "where none was named" };

static bool
has_role(const kn_where *where)
{
    return ((const kn_attribute *) where->at)->role != KN_ROLE_NONE;
}
static const kn_condition with_role = { .holds = has_role, .otherwise = "where it was not given" };

static bool
has_type(const kn_where *where)
{
    return ((const kn_attribute *) where->at)->type != KN_TYPE_AUTO;
}
static const kn_condition typed = { .holds = has_type, .otherwise = "where it was not given" };

static const kn_condition weighted = { KN_IF(kn_attribute, has_weight),
                                       .otherwise = "where it was not given" };
static const kn_condition with_hierarchy = { KN_IF(kn_attribute, has_hierarchy),
                                             .otherwise = "where it was not given" };

static bool
has_level(const kn_where *where)
{
    return ((const kn_attribute *) where->at)->levels.fixed < KN_ANY_LEVEL;
}
static const kn_condition fixed = { .holds = has_level, .otherwise = "where it was not given" };

static bool
has_min_level(const kn_where *where)
{
    return ((const kn_attribute *) where->at)->levels.min < KN_ANY_LEVEL;
}
static const kn_condition raised = { .holds = has_min_level,
                                     .otherwise = "where it was not given" };

static bool
has_max_level(const kn_where *where)
{
    return ((const kn_attribute *) where->at)->levels.max < KN_ANY_LEVEL;
}
static const kn_condition limited = { .holds = has_max_level,
                                      .otherwise = "where it was not given" };

static const kn_field spec_items = { "items",
                                     KN_AS_LIST,
                                     KN_INSIDE,
                                     "widths, units or columns, as written",
                                     KN_ROWS(kn_hier_spec, items, nitems),
                                     .item = KN_AS_TEXT };

/* In the forms of the config file: {"place": FILE, "columns": [...], "unknown": "other"}, {"mask": "left"},
 * {"range": [...]}, {"auto": true}. */
static bool
hierarchy_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kn_hier_spec *spec = &((const kn_attribute *) where->at)->hierarchy;
    const kn_node       items = { .kind = KANON_KIND_LIST, .field = &spec_items, .at = spec };
    bool                file = spec->kind == KN_HIER_PLACE || spec->kind == KN_HIER_FILE;

    switch (index) {
    case 0:
        *name = kn_hier_kind_name(spec->kind);
        *value = file                       ? kn_node_text(spec->file)
               : spec->kind == KN_HIER_MASK ? kn_node_text(spec->from_left ? "left" : "right")
               : spec->nitems               ? items
                                            : kn_node_truth(true);
        return true;
    case 1:
        *name = file && spec->nitems ? "columns" : NULL;
        *value = items;
        return true;
    case 2:
        *name = spec->unknown_other ? "unknown" : NULL;
        *value = kn_node_text("other");
        return true;
    default:
        return false;
    }
}

enum { CODINGS = 4 };

/* What its numbers become. */
static bool
coding_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kn_attribute     *attribute = where->at;
    const kn_number_coding *coding = &attribute->coding;
    const struct {
        const char *name;
        bool        has;
        kn_decimal  number;
    } parts[CODINGS - 1] = { { "round", coding->has_round, coding->round },
                             { "top", coding->has_top, coding->top },
                             { "bottom", coding->has_bottom, coding->bottom } };

    *name = NULL;
    if (index == CODINGS - 1 && attribute->pseudonym) {
        *name = "pseudonym";
        *value = kn_node_text("true");
    } else if (index < CODINGS - 1 && parts[index].has) {
        *name = parts[index].name;
        *value = kn_node_number(kn_decimal_double(parts[index].number));
    }
    return true;
}

/* What is asked of models for this column alone: value, kind and other parameter of each setting. */
static bool
own_model_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kn_attribute     *attribute = where->at;
    const kn_model_setting *setting = kn_model_setting_at(index / 3);
    const kn_asked         *own = setting ? kn_attribute_asked(attribute, setting) : NULL;
    const kn_model_class *class;

    *name = NULL;
    if (!setting)
        return false;
    if (!own)
        return true;
    class = kn_model_of_kind(setting, own->kind);
    if (index % 3 == 0 && own->has_value) {
        *name = setting->value.name;
        *value = own->given < 0 ? kn_node_text("off") : kn_node_number(own->given);
    } else if (index % 3 == 1 && own->has_kind) {
        *name = setting->kind.name;
        *value = kn_node_text(class ? class->kind : setting->kind.fallback);
    } else if (index % 3 == 2 && own->has_other) {
        *name = setting->other.name;
        *value = kn_node_number(own->other);
    }
    return true;
}

static bool
own_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    return index < CODINGS ? coding_entry(where, index, name, value)
                           : own_model_entry(where, index - CODINGS, name, value);
}

static const kn_field attribute_fields[] = {
    { "role", KN_AS_CHOICE, KN_INSIDE, "its role", KN_OF(kn_attribute, role),
      .words = kn_role_names, .given = &with_role },
    { "type", KN_AS_CHOICE, KN_INSIDE, "its type", KN_OF(kn_attribute, type),
      .words = kn_type_names, .given = &typed },
    { "weight", KN_AS_AMOUNT, KN_INSIDE, "in means over the quasi-identifiers",
      KN_OF(kn_attribute, weight), .given = &weighted },
    { "level", KN_AS_LEVEL, KN_INSIDE, "that is fixed", KN_OF(kn_attribute, levels.fixed),
      .given = &fixed },
    { "min_level", KN_AS_LEVEL, KN_INSIDE, "lowest level", KN_OF(kn_attribute, levels.min),
      .given = &raised },
    { "max_level", KN_AS_LEVEL, KN_INSIDE, "highest level", KN_OF(kn_attribute, levels.max),
      .given = &limited },
    { "hierarchy", KN_AS_MAP, KN_INSIDE, "as in a config file", .entry = hierarchy_entry,
      .item = KN_AS_SPEC, .given = &with_hierarchy },
    { NULL, KN_AS_SPREAD, KN_INSIDE,
      "limits of privacy models for this column alone, and round, top and bottom",
      .entry = own_entry, .item = KN_AS_SETTING },
    KN_FIELDS_END,
};
static const kn_described attribute_shape = { "attribute", attribute_fields };

static bool
attribute_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_front *f = where->root;

    if (index >= f->nattributes)
        return false;
    *name = f->attributes[index].name;
    *value = kn_node_object(&attribute_shape, &f->attributes[index]);
    return true;
}

/* The models beyond k do not bound the front, but they hold for the release of any of its points. Three
 * entries for each setting of models: what is asked for, the kind, the other parameter. */
static bool
model_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_front      *f = where->root;
    const kn_model_setting *setting = kn_model_setting_at(index / 3);
    const kn_model_class *class;
    const kn_asked *asked;

    *name = NULL;
    if (!setting)
        return false;
    asked = &f->models.asked[index / 3];
    if (!kn_asked_on(asked))
        return true;
    class = kn_model_of_kind(setting, asked->kind);
    if (index % 3 == 0) {
        *name = setting->value.name;
        *value = f->ranges[index / 3] ? kn_node_text(f->ranges[index / 3])
               : asked->column        ? kn_node_text(asked->column)
                                      : kn_node_number(asked->value);
    } else if (index % 3
               == 1) { /* the usual kind is the one that leaves the choice to the column */
        *name = setting->kind.name;
        *value = kn_node_text(class ? class->kind : setting->kind.fallback);
    } else if (class && class->limit == KN_LIMIT_OTHER) {
        *name = setting->other.name;
        *value = kn_node_number(asked->other);
    }
    return true;
}

static const kn_condition population = { KN_IF_ROOT(kanon_front, models.population),
                                         .otherwise = "where none was given" };

static const char *const header_words[] = { "no", "yes", NULL };

static bool
has_skip(const kn_where *where)
{
    return ((const kanon_front *) where->root)->dialect.skip > 0;
}
static const kn_condition skip = { .holds = has_skip, .otherwise = "unless lines were skipped" };

static bool
has_footer(const kn_where *where)
{
    return ((const kanon_front *) where->root)->dialect.footer > 0;
}
static const kn_condition footer = { .holds = has_footer,
                                     .otherwise = "unless lines were left out" };

static bool
is_renamed(const kn_where *where)
{
    return ((const kanon_front *) where->root)->dialect.renamed;
}
static const kn_condition renamed = { .holds = is_renamed,
                                      .otherwise = "unless columns were renamed" };
static const char *const  duplicates_words[] = { "refuse", "rename", NULL };

static const kn_field settings_fields[] = {
    { "suppression", KN_AS_SHARE, KN_INSIDE, "maximum share of rows to suppress",
      KN_OF(kanon_front, suppression) },
    { "suppressed", KN_AS_CHOICE, KN_INSIDE, "what happens to suppressed rows",
      KN_OF(kanon_front, suppressed_as), .words = kn_suppressed_names },
    { "identifiers", KN_AS_CHOICE, KN_INSIDE, "what happens to identifiers",
      KN_OF(kanon_front, identifiers_as), .words = kn_identifiers_names },
    { "others", KN_AS_CHOICE, KN_INSIDE, "what happens to columns without a role",
      KN_OF(kanon_front, others_as), .words = kn_others_names },
    { "formulas", KN_AS_CHOICE, KN_INSIDE, "what happens to cells that a spreadsheet would run",
      KN_OF(kanon_front, formulas_as), .words = kn_formulas_names },
    { "snap", KN_AS_CHOICE, KN_INSIDE, "where intervals and labels end", KN_OF(kanon_front, snap),
      .words = kn_snap_names },
    { "intervals", KN_AS_CHOICE, KN_INSIDE, "how intervals of numbers are written",
      KN_OF(kanon_front, intervals), .words = kn_intervals_names },
    { "seed", KN_AS_COUNT, KN_INSIDE, "seed of the random choices", KN_OF(kanon_front, seed) },
    { "delimiter", KN_AS_TEXT, KN_INSIDE, "of the table; tab has its name",
      KN_OF(kanon_front, delimiter), .given = &delimiter },
    { "quote", KN_AS_TEXT, KN_INSIDE, "quote character of the table", KN_OF(kanon_front, quote),
      .given = &quote },
    { "header", KN_AS_CHOICE, KN_INSIDE, "whether the table has one",
      KN_OF(kanon_front, dialect.header), .words = header_words },
    { "encoding", KN_AS_CHOICE, KN_INSIDE, "encoding of the table",
      KN_OF(kanon_front, dialect.encoding), .words = kn_encoding_names },
    { "skip", KN_AS_COUNT, KN_INSIDE, "lines above the header that were skipped",
      KN_OF(kanon_front, dialect.skip), .given = &skip },
    { "skip-footer", KN_AS_COUNT, KN_INSIDE, "lines below the last row that were left out",
      KN_OF(kanon_front, dialect.footer), .given = &footer },
    { "duplicate-names", KN_AS_CHOICE, KN_INSIDE, "what was done with equal names",
      KN_OF(kanon_front, dialect.renamed), .words = duplicates_words, .given = &renamed },
    { "missing", KN_AS_LIST, KN_INSIDE, "cells that mean \"no value\"",
      KN_ROWS(kanon_front, missing, nmissing), .item = KN_AS_TEXT },
    { "label", KN_AS_TEXT, KN_INSIDE, "column to learn", KN_OF(kanon_front, label),
      .given = &label },
    { "count", KN_AS_TEXT, KN_INSIDE, "column that says how many rows each row stands for",
      KN_OF(kanon_front, count), .given = &row_count },
    { NULL, KN_AS_SPREAD, KN_INSIDE, "privacy models, as in a config file", .entry = model_entry,
      .item = KN_AS_SETTING },
    { "population", KN_AS_TEXT, KN_INSIDE, "file of the population",
      KN_OF(kanon_front, models.population), .given = &population },
    { "attributes", KN_AS_MAP, KN_INSIDE, "by column name", .entry = attribute_entry,
      .shape = &attribute_shape },
    KN_FIELDS_END,
};
static const kn_described settings_shape = { "settings", settings_fields };

/* --- the front ------------------------------------------------------------------------------------ */

static bool
has_choice(const kn_where *where)
{
    return ((const kanon_front *) where->root)->choice[0];
}
static const kn_condition choice = { .holds = has_choice, .otherwise = "unless auto chose" };

static bool
param_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_front *f = where->root;

    return kn_entry_setting(f->params, f->nparams, index, name, value);
}

static bool
value_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_front *f = where->root;

    if (index >= f->nobjectives)
        return false;
    *name = f->objectives[index].name;
    *value = kn_node_number(((const kn_front_point *) where->at)->values[index]);
    return true;
}

static bool
level_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_front *f = where->root;

    if (index >= f->ncolumns)
        return false;
    *name = f->columns[index].name;
    *value = kn_node_count(((const kn_front_point *) where->at)->levels[index]);
    return true;
}

static kn_node
get_pick(const kn_where *where)
{
    const kanon_front *f = where->root;

    return kn_node_count((uint64_t) ((const kn_front_point *) where->at - f->points) + 1);
}

static kn_node
get_knee(const kn_where *where)
{
    const kanon_front *f = where->root;

    return kn_node_count(f->knee < f->npoints ? f->knee + 1 : KN_NOT_COUNTED);
}

/* Lists of names: a text at the start of each item. */
_Static_assert(offsetof(kn_front_column, name) == 0, "names of columns");
_Static_assert(offsetof(kn_front_objective, name) == 0, "names of objectives");

static const kn_field input_fields[] = {
    { "file", KN_AS_TEXT, KN_INSIDE, "name of the table", KN_OF(kanon_front, input_name) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows of the table", KN_OF(kanon_front, rows) },
    { "quasi", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers, in the order of the table",
      KN_ROWS(kanon_front, columns, ncolumns), .item = KN_AS_TEXT, .flags = KN_NOT_EMPTY },
    { "distinct_tuples", KN_AS_COUNT, KN_INSIDE, "distinct combinations of quasi-identifier values",
      KN_OF(kanon_front, distinct_tuples) },
    { "blake2b", KN_AS_HASH, KN_INSIDE, "BLAKE2b-256 of the table's bytes",
      KN_OF(kanon_front, input_hash) },
    KN_FIELDS_END,
};
static const kn_described input_shape = { "input", input_fields };

static const kn_field parameters_fields[] = {
    { "algorithm", KN_AS_TEXT, KN_INSIDE, "the one that ran", KN_OF(kanon_front, algorithm) },
    { "algorithm_asked", KN_AS_TEXT, KN_INSIDE, "auto, where auto chose",
      KN_OF(kanon_front, algorithm_asked) },
    { "suppression", KN_AS_SHARE, KN_INSIDE, "maximum share of rows to suppress",
      KN_OF(kanon_front, suppression) },
    { "suppression_rows", KN_AS_COUNT, KN_INSIDE, "the same in rows",
      KN_OF(kanon_front, suppression_rows) },
    { "seed", KN_AS_COUNT, KN_INSIDE, "seed of the random choices", KN_OF(kanon_front, seed) },
    { "threads", KN_AS_SIZE, KN_INSIDE, "that worked", KN_OF(kanon_front, threads) },
    { "params", KN_AS_MAP, KN_INSIDE, "the algorithm's own settings as used", .entry = param_entry,
      .item = KN_AS_TEXT },
    { "knee_k_min", KN_AS_COUNT, KN_INSIDE, "least k that the knee may have",
      KN_OF(kanon_front, knee_k[0]) },
    { "knee_k_max", KN_AS_COUNT, KN_INSIDE, "greatest k that the knee may have",
      KN_OF(kanon_front, knee_k[1]) },
    KN_FIELDS_END,
};
static const kn_described parameters_shape = { "parameters", parameters_fields };

static const kn_field property_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the objective", KN_OF(kn_front_objective, name) },
    { "direction", KN_AS_TEXT, KN_INSIDE, "max or min: which way is better",
      KN_OF(kn_front_objective, property.direction) },
    { "type", KN_AS_TEXT, KN_INSIDE, "integer or number",
      KN_OF(kn_front_objective, property.type) },
    { "scale", KN_AS_TEXT, KN_INSIDE, "log or linear: how its values are best shown",
      KN_OF(kn_front_objective, property.scale) },
    { "box", KN_AS_AMOUNT, KN_INSIDE, "side of its boxes; 0: values are compared as they are",
      KN_OF(kn_front_objective, box) },
    { "summary", KN_AS_TEXT, KN_INSIDE, "what it measures",
      KN_OF(kn_front_objective, property.summary) },
    KN_FIELDS_END,
};
static const kn_described property_shape = { "property", property_fields };

static const kn_field hierarchy_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_front_column, name) },
    { "height", KN_AS_LEVEL, KN_INSIDE, "its top level", KN_OF(kn_front_column, height) },
    { "kind", KN_AS_TEXT, KN_INSIDE, "kind of the hierarchy", KN_OF(kn_front_column, kind) },
    { "print", KN_AS_PRINT, KN_INSIDE, "changes if a level groups the table's values differently",
      KN_OF(kn_front_column, print) },
    KN_FIELDS_END,
};
static const kn_described hierarchy_shape = { "hierarchy", hierarchy_fields };

static const kn_field point_fields[] = {
    { "pick", KN_AS_SIZE, KN_INSIDE, "its number, as --pick takes it", .get = get_pick },
    { "values", KN_AS_MAP, KN_INSIDE, "in the objectives, by their names", .entry = value_entry,
      .item = KN_AS_NUMBER },
    { "levels", KN_AS_MAP, KN_INSIDE, "by column name", .entry = level_entry, .item = KN_AS_LEVEL },
    { "k", KN_AS_COUNT, KN_INSIDE, "size of the smallest class", KN_OF(kn_front_point, k) },
    { "classes", KN_AS_COUNT, KN_INSIDE, "equivalence classes", KN_OF(kn_front_point, classes) },
    { "suppressed_rows", KN_AS_COUNT, KN_INSIDE, "rows that it suppresses",
      KN_OF(kn_front_point, suppressed) },
    KN_FIELDS_END,
};
static const kn_described point_shape = { "point", point_fields };

static const kn_field search_fields[] = {
    { "stopped", KN_AS_TEXT, KN_INSIDE, "complete, iterations, stalled, time-limit or interrupted",
      KN_OF(kanon_front, stopped) },
    { "method", KN_AS_TEXT, KN_INSIDE, "how it was found", KN_OF(kanon_front, method) },
    { "choice", KN_AS_TEXT, KN_INSIDE, "what auto chose and why", KN_OF(kanon_front, choice),
      .given = &choice },
    { "lattice_nodes", KN_AS_AMOUNT, KN_INSIDE, "null: more than a double holds",
      KN_OF(kanon_front, nodes), .flags = KN_OR_NULL },
    { "predicted", KN_AS_COUNT, KN_INSIDE, "nodes that were decided without measuring them",
      KN_OF(kanon_front, predicted) },
    { "archive_bound", KN_AS_NUMBER, KN_INSIDE, "no archive can have more points; null: no boxes",
      KN_OF(kanon_front, bound), .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described search_shape = { "search", search_fields };

static const kn_field seconds_fields[] = {
    { "read", KN_AS_AMOUNT, KN_INSIDE, "to read the table", KN_OF(kanon_front, read_s) },
    { "search", KN_AS_AMOUNT, KN_INSIDE, "to find the front", KN_OF(kanon_front, search_s) },
    { "total", KN_AS_AMOUNT, KN_INSIDE, "in all", KN_OF(kanon_front, total_s) },
    KN_FIELDS_END,
};
static const kn_described seconds_shape = { "seconds", seconds_fields };

static const kn_field front_fields[] = {
    KN_FIELDS_HEADER(KN_SCHEMA_FRONT),
    { "input", KN_AS_OBJECT, KN_INSIDE, "the table", .shape = &input_shape },
    { "parameters", KN_AS_OBJECT, KN_INSIDE, "as used", .shape = &parameters_shape },
    { "objectives", KN_AS_LIST, KN_INSIDE, "their names",
      KN_ROWS(kanon_front, objectives, nobjectives), .item = KN_AS_TEXT, .flags = KN_NOT_EMPTY },
    { "properties", KN_AS_LIST, KN_INSIDE, "the objectives",
      KN_ROWS(kanon_front, objectives, nobjectives), .shape = &property_shape,
      .flags = KN_NOT_EMPTY },
    { "hierarchies", KN_AS_LIST, KN_INSIDE, "of the quasi-identifiers, in the order of the table",
      KN_ROWS(kanon_front, columns, ncolumns), .shape = &hierarchy_shape, .flags = KN_NOT_EMPTY },
    { "exact", KN_AS_TRUTH, KN_INSIDE, "the whole front, proven", KN_OF(kanon_front, exact) },
    { "evaluations", KN_AS_COUNT, KN_INSIDE,
      "nodes that were measured, or checks if there was one proof per k",
      KN_OF(kanon_front, evaluations) },
    { "knee", KN_AS_SIZE, KN_INSIDE,
      "a pick; null: fewer than three points, or none with such a k that shows anything",
      .get = get_knee, .flags = KN_OR_NULL },
    { "front", KN_AS_LIST, KN_INSIDE, "the non-dominated releases",
      KN_ROWS(kanon_front, points, npoints), .shape = &point_shape },
    { "search", KN_AS_OBJECT, KN_INSIDE, "how it was found", .shape = &search_shape },
    { "seconds", KN_AS_OBJECT, KN_INSIDE, "elapsed time", .shape = &seconds_shape },
    KN_FIELD_FINDINGS(kanon_front),
    { "settings", KN_AS_OBJECT, KN_INSIDE, "a config document that makes the same problem again",
      .shape = &settings_shape },
    KN_FIELDS_END,
};
const kn_described kn_shape_front = { "pareto", front_fields };

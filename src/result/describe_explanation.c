/* SPDX-License-Identifier: Apache-2.0 */
/* describe_explanation.c -- what `kanon explain` found: names, types, meaning. An explanation is for those
 * who have the table, so all of it is internal. */
#include "result/describe.h"
#include "result/explanation.h"

/* --- conditions, and values concluded from several members ---------------------------------------- */

static bool
is_feasible(const kn_where *where)
{
    return ((const kanon_explanation *) where->root)->feasible;
}
static const kn_condition feasible = { .holds = is_feasible,
                                       .otherwise = "where nothing is feasible",
                                       .member = "feasible" };

static bool
has_levels(const kn_where *where)
{
    return !((const kanon_explanation *) where->root)->has_local;
}
static const kn_condition levels = { .holds = has_levels, .otherwise = "for local recoding" };

static bool
is_local(const kn_where *where)
{
    return ((const kanon_explanation *) where->root)->has_local;
}
static const kn_condition local = { .holds = is_local, .otherwise = "but for local recoding" };

static bool
has_classes(const kn_where *where)
{
    return is_local(where) && is_feasible(where);
}
static const kn_condition classes = { .holds = has_classes,
                                      .otherwise = "but for feasible local recoding" };

static bool
column_is_measured(const kn_where *where)
{
    return has_levels(where) || is_feasible(where);
}
static const kn_condition measured = { .holds = column_is_measured,
                                       .otherwise = "for local recoding without a release" };

static const kn_condition second = { KN_IF(kn_explained_model, second),
                                     .otherwise = "for a model with one parameter" };
static const kn_condition below = { KN_IF(kn_explained_column, has_below),
                                    .otherwise = "at level 0" };
static const kn_condition limited = { KN_IF_ROOT(kanon_explanation, time_limit_s),
                                      .otherwise = "without one" };
static const kn_condition of_column = { KN_IF(kn_change, column),
                                        .otherwise = "unless it concerns one" };
static const kn_condition of_model = { KN_IF(kn_change, model),
                                       .otherwise = "unless it concerns one" };

static bool
change_has_range(const kn_where *where)
{
    return ((const kn_change *) where->at)->kind != KN_CHANGE_DROP;
}
static const kn_condition ranged = {
    .holds = change_has_range, .otherwise = "for drop", .member = "change", .value = "drop"
};

static bool
change_is_computed(const kn_where *where)
{
    return ((const kn_change *) where->at)->computed;
}
static const kn_condition computed = { .holds = change_is_computed,
                                       .otherwise = "where there was no time",
                                       .member = "computed" };

static bool
change_has_proof(const kn_where *where)
{
    return change_is_computed(where) && ((const kn_change *) where->at)->kind != KN_CHANGE_LEVEL;
}
static const kn_condition provable = { .holds = change_has_proof,
                                       .otherwise = "for level, or where there was no time" };

static bool
change_has_loss(const kn_where *where)
{
    const kn_change *c = where->at;

    return c->computed && (c->feasible || c->kind == KN_CHANGE_LEVEL);
}
static const kn_condition with_loss = { .holds = change_has_loss,
                                        .otherwise = "where it brings no release" };

static bool
change_loses_column(const kn_where *where)
{
    return change_has_loss(where) && ((const kn_change *) where->at)->kind == KN_CHANGE_DROP;
}
static const kn_condition dropped = { .holds = change_loses_column,
                                      .otherwise = "but for a feasible drop" };

static bool
change_is_compared(const kn_where *where)
{
    return change_has_loss(where) && is_feasible(where);
}
static const kn_condition compared = { .holds = change_is_compared,
                                       .otherwise = "without a solution to compare it with" };

static bool
change_has_levels(const kn_where *where)
{
    return change_has_loss(where) && ((const kn_change *) where->at)->levels;
}
static const kn_condition with_levels = { .holds = change_has_levels,
                                          .otherwise = "where it brings no release with levels" };

static kn_node
get_loss_change(const kn_where *where)
{
    return kn_node_number(((const kn_change *) where->at)->loss_all
                          - ((const kanon_explanation *) where->root)->loss);
}

static bool
solution_level(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_explanation *x = where->root;

    if (index >= x->ncolumns)
        return false;
    *name = x->columns[index].name;
    *value = kn_node_count(x->columns[index].level);
    return true;
}

static bool
change_level(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_explanation *x = where->root;
    const kn_change         *c = where->at;

    if (index >= x->ncolumns)
        return false;
    *name = c->levels[index] == KN_NO_LEVEL ? NULL : x->columns[index].name;
    *value = kn_node_count(c->levels[index]);
    return true;
}

static bool
class_column(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_explanation  *x = where->root;
    const kn_explained_class *c = where->at;

    if (index > 1 || (index == 1 && c->second == c->widest))
        return false;
    *name = x->columns[index ? c->second : c->widest].name;
    *value = kn_node_number(index ? c->second_loss : c->widest_loss);
    return true;
}

/* --- the tables ----------------------------------------------------------------------------------- */

static const kn_field model_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the model", KN_OF(kn_explained_model, name) },
    { "parameter", KN_AS_TEXT, KN_INSIDE, "its parameter", KN_OF(kn_explained_model, parameter) },
    { "column", KN_AS_TEXT, KN_INSIDE, "the column that it uses; null: none",
      KN_OF(kn_explained_model, column), .flags = KN_OR_NULL },
    { "limit", KN_AS_NUMBER, KN_INSIDE, "what was asked for", KN_OF(kn_explained_model, limit) },
    { "second_parameter", KN_AS_TEXT, KN_INSIDE,
      "of a model with two: the l of recursive l-diversity, the min of delta-presence",
      KN_OF(kn_explained_model, second), .given = &second },
    { "second_limit", KN_AS_NUMBER, KN_INSIDE, "what was asked for",
      KN_OF(kn_explained_model, other), .given = &second },
    KN_FIELDS_END,
};
static const kn_described model_shape = { "model", model_fields };

static const kn_field settings_fields[] = {
    { "k", KN_AS_SIZE, KN_INSIDE, "minimum size of an equivalence class",
      KN_OF(kanon_explanation, k) },
    { "suppression", KN_AS_SHARE, KN_INSIDE, "maximum share of rows to suppress",
      KN_OF(kanon_explanation, suppression) },
    { "suppression_rows", KN_AS_COUNT, KN_INSIDE, "the same in rows",
      KN_OF(kanon_explanation, allowed) },
    { "metric", KN_AS_TEXT, KN_INSIDE, "the metric that is minimised",
      KN_OF(kanon_explanation, metric) },
    { "algorithm", KN_AS_TEXT, KN_INSIDE, "the algorithm that ran",
      KN_OF(kanon_explanation, algorithm) },
    { "models", KN_AS_LIST, KN_INSIDE, "the privacy models beyond k",
      KN_ROWS(kanon_explanation, models, nmodels), .shape = &model_shape },
    KN_FIELDS_END,
};
static const kn_described settings_shape = { "settings", settings_fields };

static const kn_field solution_fields[] = {
    { "loss", KN_AS_NUMBER, KN_INSIDE, "the metric that is minimised",
      KN_OF(kanon_explanation, loss) },
    { "kept", KN_AS_SHARE, KN_INSIDE,
      "share of the information in the quasi-identifiers that is left: 1 - glm",
      KN_OF(kanon_explanation, kept) },
    { "suppressed_rows", KN_AS_COUNT, KN_INSIDE, "rows that it suppresses",
      KN_OF(kanon_explanation, suppressed) },
    { "optimal", KN_AS_TRUTH, KN_INSIDE, "whether it is proven optimal",
      KN_OF(kanon_explanation, optimal) },
    { "levels", KN_AS_MAP, KN_INSIDE, "by column name", .entry = solution_level,
      .item = KN_AS_LEVEL, .given = &levels },
    KN_FIELDS_END,
};
static const kn_described solution_shape = { "solution", solution_fields };

static const kn_field group_fields[] = {
    { "label", KN_AS_TEXT, KN_INSIDE, "of the group", KN_OF(kn_explained_group, label) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows that have it", KN_OF(kn_explained_group, rows) },
    { "outlying_rows", KN_AS_COUNT, KN_INSIDE, "those of them that would be suppressed",
      KN_OF(kn_explained_group, outlying) },
    KN_FIELDS_END,
};
static const kn_described group_shape = { "group", group_fields };

static const kn_field rare_fields[] = {
    { "rows", KN_AS_COUNT, KN_INSIDE, "their rows", KN_OF(kn_explained_where, rare_rows) },
    { "outlying_rows", KN_AS_COUNT, KN_INSIDE, "those of them that would be suppressed",
      KN_OF(kn_explained_where, rare_outlying) },
    KN_FIELDS_END,
};
static const kn_described rare_shape = { "rare", rare_fields };

static const kn_field where_fields[] = {
    { "level", KN_AS_LEVEL, KN_INSIDE, "of the column", KN_OF(kn_explained_where, level) },
    { "outlying_rows", KN_AS_COUNT, KN_INSIDE, "of the whole table, at that node",
      KN_OF(kn_explained_where, outlying) },
    { "groups", KN_AS_LIST, KN_INSIDE,
      "those with most outlying rows, as far as least_rows have them",
      KN_SOME(kn_explained_where, groups, ngroups), .shape = &group_shape },
    { "rare", KN_AS_OBJECT, KN_INSIDE, "all groups that fewer rows have, together",
      .shape = &rare_shape },
    KN_FIELDS_END,
};
static const kn_described where_shape = { "where", where_fields };

static const kn_field column_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_explained_column, name) },
    { "level", KN_AS_LEVEL, KN_INSIDE, "of the solution; the top where there is none",
      KN_OF(kn_explained_column, level), .given = &levels },
    { "height", KN_AS_LEVEL, KN_INSIDE, "the top level", KN_OF(kn_explained_column, height),
      .given = &levels },
    { "floor", KN_AS_LEVEL, KN_INSIDE, "no release has a lower level",
      KN_OF(kn_explained_column, floor), .given = &levels },
    { "log", KN_AS_NUMBER, KN_INSIDE, "level over height", KN_OF(kn_explained_column, loss.log),
      .given = &levels },
    { "glm", KN_AS_NUMBER, KN_INSIDE, "general loss", KN_OF(kn_explained_column, loss.glm),
      .known = &measured },
    { "gcp", KN_AS_NUMBER, KN_INSIDE, "global certainty penalty",
      KN_OF(kn_explained_column, loss.gcp), .given = &local, .known = &feasible },
    { "share_of_loss", KN_AS_NUMBER, KN_INSIDE, "of the general loss of the whole release",
      KN_OF(kn_explained_column, share), .given = &local, .known = &feasible },
    { "exact_rows", KN_AS_COUNT, KN_INSIDE, "released rows that show their value",
      KN_OF(kn_explained_column, exact), .given = &local },
    { "hidden_rows", KN_AS_COUNT, KN_INSIDE,
      "released rows without information: *, or a group or range of all values",
      KN_OF(kn_explained_column, hidden), .given = &local },
    { "saved_one_level_up", KN_AS_COUNT, KN_INSIDE, "outlying rows that would be kept",
      KN_OF(kn_explained_column, saved_up), .given = &levels },
    { "saved_without_it", KN_AS_COUNT, KN_INSIDE, "outlying rows that would be kept",
      KN_OF(kn_explained_column, saved_top), .given = &levels },
    { "here", KN_AS_OBJECT, KN_INSIDE, "where the outlying rows of the solution are",
      KN_WITHIN(kn_explained_column, at, where_shape), .given = &levels },
    { "one_level_down", KN_AS_OBJECT, KN_INSIDE, "the same with this column one level lower",
      KN_WITHIN(kn_explained_column, below, where_shape), .given = &levels, .known = &below },
    KN_FIELDS_END,
};
static const kn_described column_shape = { "column", column_fields };

static const kn_field class_fields[] = {
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows of the class", KN_OF(kn_explained_class, rows) },
    { "loss", KN_AS_AMOUNT, KN_INSIDE, "of a cell, mean", KN_OF(kn_explained_class, loss) },
    { "share_of_loss", KN_AS_AMOUNT, KN_INSIDE, "of the general loss of the whole release",
      KN_OF(kn_explained_class, share) },
    { "columns", KN_AS_MAP, KN_INSIDE, "the one or two columns that lose most in it",
      .entry = class_column, .item = KN_AS_NUMBER },
    KN_FIELDS_END,
};
static const kn_described class_shape = { "class", class_fields };

static const kn_field classes_fields[] = {
    { "count", KN_AS_COUNT, KN_INSIDE, "classes", KN_OF(kn_explained_local, classes) },
    { "smallest", KN_AS_COUNT, KN_INSIDE, "rows of the smallest",
      KN_OF(kn_explained_local, smallest) },
    { "largest", KN_AS_COUNT, KN_INSIDE, "rows of the largest",
      KN_OF(kn_explained_local, largest) },
    { "loss_of_suppressed_rows", KN_AS_AMOUNT, KN_INSIDE, "share of rows that are not released",
      KN_OF(kn_explained_local, suppressed) },
    { "loss_of_large_classes", KN_AS_AMOUNT, KN_INSIDE, "share of classes of 2k rows or more",
      KN_OF(kn_explained_local, large) },
    { "rows_in_large_classes", KN_AS_COUNT, KN_INSIDE, "rows in classes of 2k rows or more",
      KN_OF(kn_explained_local, large_rows) },
    { "loss_of_widest_tenth", KN_AS_AMOUNT, KN_INSIDE,
      "share of the tenth of the classes that lose most", KN_OF(kn_explained_local, tenth) },
    { "widest", KN_AS_LIST, KN_INSIDE, "the classes that lose most; their labels are not shown",
      KN_SOME(kn_explained_local, worst, nworst), .shape = &class_shape },
    KN_FIELDS_END,
};
static const kn_described classes_shape = { "classes", classes_fields };

static const char *const change_kinds[] = { [KN_CHANGE_LEVEL] = "level",
                                            [KN_CHANGE_K] = "k",
                                            [KN_CHANGE_SUPPRESSION] = "suppression",
                                            [KN_CHANGE_DROP] = "drop",
                                            [KN_CHANGE_MODEL] = "model",
                                            NULL };

static const kn_field change_fields[] = {
    { "change", KN_AS_CHOICE, KN_INSIDE, "the setting that is changed", KN_OF(kn_change, kind),
      .words = change_kinds },
    { "column", KN_AS_TEXT, KN_INSIDE, "the column that it concerns", KN_OF(kn_change, column),
      .given = &of_column },
    { "model", KN_AS_TEXT, KN_INSIDE, "the privacy model that it concerns", KN_OF(kn_change, model),
      .given = &of_model },
    { "from", KN_AS_NUMBER, KN_INSIDE, "its value now", KN_OF(kn_change, from), .given = &ranged,
      .flags = KN_OR_NULL },
    { "to", KN_AS_NUMBER, KN_INSIDE, "its value then; null: without it", KN_OF(kn_change, to),
      .given = &ranged, .flags = KN_OR_NULL },
    { "setting", KN_AS_TEXT, KN_INSIDE, "how to ask for it; null: no setting does",
      KN_OF(kn_change, setting), .flags = KN_OR_NULL },
    { "weakens_privacy", KN_AS_TRUTH, KN_INSIDE, "whether it asks for less privacy",
      KN_OF(kn_change, weakens) },
    { "computed", KN_AS_TRUTH, KN_INSIDE, "false: there was no time", KN_OF(kn_change, computed) },
    { "feasible", KN_AS_TRUTH, KN_INSIDE, "whether it makes a release feasible",
      KN_OF(kn_change, feasible), .given = &computed },
    { "proven", KN_AS_TRUTH, KN_INSIDE, "whether that is proven", KN_OF(kn_change, proven),
      .given = &provable },
    { "suppressed_rows", KN_AS_COUNT, KN_INSIDE, "rows that it suppresses",
      KN_OF(kn_change, suppressed), .given = &with_loss },
    { "loss", KN_AS_NUMBER, KN_INSIDE, "as anonymize would report it", KN_OF(kn_change, loss),
      .given = &with_loss },
    { "kept", KN_AS_SHARE, KN_INSIDE,
      "share of the information in all quasi-identifiers that is left; a dropped column counts as "
      "lost",
      KN_OF(kn_change, kept), .given = &with_loss },
    { "loss_with_column", KN_AS_NUMBER, KN_INSIDE, "with the dropped column counted as lost",
      KN_OF(kn_change, loss_all), .given = &dropped },
    { "loss_change", KN_AS_NUMBER, KN_INSIDE,
      "against the solution; of drop: with the column counted as lost", .get = get_loss_change,
      .given = &compared },
    { "levels", KN_AS_MAP, KN_INSIDE, "by column name", .entry = change_level, .item = KN_AS_LEVEL,
      .given = &with_levels },
    KN_FIELDS_END,
};
static const kn_described change_shape = { "change", change_fields };

static const kn_field explanation_fields[] = {
    KN_FIELDS_HEADER(KN_SCHEMA_EXPLANATION),
    KN_FIELD_VERDICT(kanon_explanation),
    { "input", KN_AS_TEXT, KN_INSIDE, "file name", KN_OF(kanon_explanation, input) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows of the table", KN_OF(kanon_explanation, rows) },
    { "least_rows", KN_AS_COUNT, KN_INSIDE, "no group is named that fewer rows have",
      KN_OF(kanon_explanation, least) },
    { "settings", KN_AS_OBJECT, KN_INSIDE, "as they are", .shape = &settings_shape },
    { "feasible", KN_AS_TRUTH, KN_INSIDE, "whether there is a release with these settings",
      KN_OF(kanon_explanation, feasible) },
    { "solution", KN_AS_OBJECT, KN_INSIDE, "the release with these settings",
      .shape = &solution_shape, .known = &feasible },
    { "columns", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers",
      KN_ROWS(kanon_explanation, columns, ncolumns), .shape = &column_shape },
    { "classes", KN_AS_OBJECT, KN_INSIDE,
      "where the loss comes from; shares are of the general loss",
      KN_WITHIN(kanon_explanation, local, classes_shape), .given = &classes },
    { "sets", KN_AS_LIST, KN_INSIDE,
      "sets of columns that could be kept, the other quasi-identifiers dropped, the one that keeps "
      "most first; each of the others adds a column or more detail",
      KN_ROWS(kanon_explanation, sets.of, sets.count), .shape = &kn_shape_kept_set },
    { "changes", KN_AS_LIST, KN_INSIDE,
      "one setting changed at a time; where nothing is feasible, the nearest settings that were "
      "tried",
      KN_ROWS(kanon_explanation, changes, nchanges), .shape = &change_shape },
    { "not_computed", KN_AS_COUNT, KN_INSIDE, "changes not computed for lack of time",
      KN_OF(kanon_explanation, uncomputed) },
    { "time_limit", KN_AS_AMOUNT, KN_INSIDE, "seconds for the whole",
      KN_OF(kanon_explanation, time_limit_s), .known = &limited },
    { "seconds", KN_AS_AMOUNT, KN_INSIDE, "elapsed time", KN_OF(kanon_explanation, seconds) },
    KN_FIELD_FINDINGS(kanon_explanation),
    KN_FIELDS_END,
};
const kn_described kn_shape_explanation = { "explanation", explanation_fields };

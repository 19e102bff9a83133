/* SPDX-License-Identifier: Apache-2.0 */
/* describe_check.c -- what `kanon check` measured: names, types, meaning. A check is for those who have the
 * table, so all of it is internal. */
#include <math.h>

#include "result/check.h"
#include "result/describe.h"

/* --- conditions, and values concluded from several members ---------------------------------------- */

static const kn_condition rows = { KN_IF_ROOT(kanon_check, risk.classes),
                                   .otherwise = "without rows" };

static bool
measured_ordered(const kn_where *where)
{
    return !isnan(((const kn_check_sensitive *) where->at)->t_ordered);
}
static const kn_condition ordered = { .holds = measured_ordered,
                                      .otherwise = "unless the type of the column was declared" };

static bool
measured_hierarchical(const kn_where *where)
{
    return !isnan(((const kn_check_sensitive *) where->at)->t_hierarchical);
}
static const kn_condition hierarchical = { .holds = measured_hierarchical,
                                           .otherwise = "unless the column has a hierarchy" };

static bool
asks_for_persons(const kn_where *where)
{
    const kanon_check *c = where->root;

    return c->persons > 0 || c->no_persons;
}
static const kn_condition persons = { .holds = asks_for_persons, .otherwise = "without --entity" };

static const kn_condition countable = { KN_IF_ROOT(kanon_check, persons),
                                        .otherwise = "if the column is * or missing" };
static const kn_condition models = { KN_IF_ROOT(kanon_check, nmodels), .otherwise = "without any" };
static const kn_condition bound = { KN_IF(kn_check_model, at_most),
                                    .otherwise = "where reached is exact" };
static const kn_condition profiled = { KN_IF_ROOT(kanon_check, profile.count),
                                       .otherwise = "without --profile" };
static const kn_condition linked = { KN_IF_ROOT(kanon_check, linkage.rows),
                                     .otherwise = "without such columns or rows" };
static const kn_condition wildcard = { KN_IF_ROOT(kanon_check, wildcard.asked),
                                       .otherwise = "without --wildcard" };

static kn_node
get_l(const kn_where *where)
{
    uint64_t l;

    return kn_check_l(where->root, &l) ? kn_node_count(l) : kn_node_text(NULL);
}

static kn_node
get_t(const kn_where *where)
{
    double t;

    return kn_check_t(where->root, &t) ? kn_node_number(t) : kn_node_text(NULL);
}

static bool
asked_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kn_check_model *m = where->at;

    return kn_entry_asked((const char *[]){ m->parameter, m->other },
                          (double[]){ m->asked, m->asked_other }, index, name, value);
}

/* --- the tables ---------------------------------------------------------------------------------- */

static const kn_field input_fields[] = {
    { "file", KN_AS_TEXT, KN_INSIDE, "name of the table", KN_OF(kanon_check, name) },
    { "columns", KN_AS_SIZE, KN_INSIDE, "columns of the table", KN_OF(kanon_check, columns) },
    { "quasi", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers", KN_ROWS(kanon_check, quasi, nquasi),
      .item = KN_AS_TEXT, .flags = KN_NOT_EMPTY | KN_DISTINCT },
    KN_FIELDS_END,
};
static const kn_described input_shape = { "input", input_fields };

static const kn_field below_fields[] = {
    { "size", KN_AS_SIZE, KN_INSIDE, "classes smaller than this", KN_OF(kn_check_below, limit) },
    { "classes", KN_AS_COUNT, KN_INSIDE, "how many there are", KN_OF(kn_check_below, classes) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "their rows", KN_OF(kn_check_below, rows) },
    KN_FIELDS_END,
};
static const kn_described below_shape = { "below", below_fields };

static const kn_field risk_fields[] = {
    { "prosecutor_max", KN_AS_SHARE, KN_INSIDE, KN_MEANS_GREATEST_RISK,
      KN_OF(kanon_check, risk.prosecutor_max) },
    KN_FIELDS_RISK(kanon_check, risk, KN_INSIDE, .known = NULL),
    { "below", KN_AS_LIST, KN_INSIDE, "classes smaller than some sizes",
      KN_ARRAY(kanon_check, below), .shape = &below_shape, .flags = KN_NOT_EMPTY },
    KN_FIELDS_END,
};
static const kn_described risk_shape = { "risk", risk_fields };

static const kn_field recursive_fields[] = {
    { "l", KN_AS_COUNT, KN_INSIDE, "l of recursive (c,l)-diversity",
      KN_OF(kn_check_sensitive, recursive_l) },
    { "c", KN_AS_NUMBER, KN_INSIDE, "it holds with this l for every greater c; null: for none",
      KN_OF(kn_check_sensitive, recursive_c), .known = &rows, .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described recursive_shape = { "recursive", recursive_fields };

static const kn_field sensitive_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_check_sensitive, name) },
    { "distinct", KN_AS_COUNT, KN_INSIDE, "distinct values in the table",
      KN_OF(kn_check_sensitive, distinct) },
    { "l", KN_AS_SIZE, KN_INSIDE, "minimum number of distinct values in a class",
      KN_OF(kn_check_sensitive, l), .known = &rows },
    { "entropy_l", KN_AS_AMOUNT, KN_INSIDE, "exp of the minimum class entropy",
      KN_OF(kn_check_sensitive, entropy_l), .known = &rows },
    { "t", KN_AS_SHARE, KN_INSIDE, "maximum distance of a class from the table (equal distance)",
      KN_OF(kn_check_sensitive, t), .known = &rows },
    { "homogeneous_classes", KN_AS_COUNT, KN_INSIDE, "classes with a single value",
      KN_OF(kn_check_sensitive, homogeneous_classes) },
    { "homogeneous_rows", KN_AS_COUNT, KN_INSIDE, "their rows",
      KN_OF(kn_check_sensitive, homogeneous_rows) },
    { "guessed_rows", KN_AS_COUNT, KN_INSIDE,
      "rows in classes where one value has at least 90 % of the rows, but less than that of the "
      "table",
      KN_OF(kn_check_sensitive, guessed_rows) },
    { "max_ratio", KN_AS_AMOUNT, KN_INSIDE,
      "greatest share of a value in a class over its share in the table",
      KN_OF(kn_check_sensitive, max_ratio), .known = &rows },
    { "unique_rows", KN_AS_COUNT, KN_INSIDE, "rows whose value no other row has",
      KN_OF(kn_check_sensitive, unique_rows) },
    { "alpha", KN_AS_NUMBER, KN_INSIDE, "maximum share of one value in a class",
      KN_OF(kn_check_sensitive, alpha), .known = &rows },
    { "recursive", KN_AS_OBJECT, KN_INSIDE, "recursive (c,l)-diversity",
      .shape = &recursive_shape },
    { "beta", KN_AS_NUMBER, KN_INSIDE, "maximum relative gain of a value (basic beta-likeness)",
      KN_OF(kn_check_sensitive, beta), .known = &rows, .flags = KN_OR_NULL },
    { "delta_disclosure", KN_AS_NUMBER, KN_INSIDE,
      "maximum log of the relative change of a value; null: a class lacks one",
      KN_OF(kn_check_sensitive, delta_disclosure), .known = &rows, .flags = KN_OR_NULL },
    { "t_ordered", KN_AS_NUMBER, KN_INSIDE, "t by the ordered distance",
      KN_OF(kn_check_sensitive, t_ordered), .given = &ordered },
    { "t_hierarchical", KN_AS_NUMBER, KN_INSIDE, "t by the hierarchical distance",
      KN_OF(kn_check_sensitive, t_hierarchical), .given = &hierarchical },
    KN_FIELDS_END,
};
static const kn_described sensitive_shape = { "sensitive", sensitive_fields };

static const kn_field model_fields[] = {
    { "model", KN_AS_TEXT, KN_INSIDE, "its key", KN_OF(kn_check_model, key) },
    { "column", KN_AS_TEXT, KN_INSIDE, "the column that it uses; null: none",
      KN_OF(kn_check_model, column), .flags = KN_OR_NULL },
    { "asked", KN_AS_MAP, KN_INSIDE, "its parameters", .entry = asked_entry, .item = KN_AS_NUMBER },
    { "reached", KN_AS_NUMBER, KN_INSIDE,
      "by the worst class; null: no limit suffices, or there are no rows",
      KN_OF(kn_check_model, reached), .flags = KN_OR_NULL },
    { "at_most", KN_AS_TRUTH, KN_INSIDE,
      "reached is a bound: people may be in several classes, and their shares were added up",
      KN_OF(kn_check_model, at_most), .given = &bound },
    { "holds", KN_AS_TRUTH, KN_INSIDE, "whether every class satisfies it",
      KN_OF(kn_check_model, holds) },
    { "failing_classes", KN_AS_COUNT, KN_INSIDE, "classes that violate it",
      KN_OF(kn_check_model, failing_classes) },
    { "failing_rows", KN_AS_COUNT, KN_INSIDE, "their rows", KN_OF(kn_check_model, failing_rows) },
    KN_FIELDS_END,
};
static const kn_described model_shape = { "model", model_fields };

static const kn_field wildcard_fields[] = {
    { "k", KN_AS_COUNT, KN_INSIDE, "the minimum number of rows that a row matches, itself included",
      KN_OF(kn_check_wildcard, k) },
    { "uniques", KN_AS_COUNT, KN_INSIDE, "rows that match no other",
      KN_OF(kn_check_wildcard, uniques) },
    { "missing_rows", KN_AS_COUNT, KN_INSIDE, "rows with a missing quasi-identifier",
      KN_OF(kn_check_wildcard, missing_rows) },
    { "patterns", KN_AS_COUNT, KN_INSIDE, "distinct sets of missing quasi-identifiers",
      KN_OF(kn_check_wildcard, patterns) },
    KN_FIELDS_END,
};
static const kn_described wildcard_shape = { "wildcard", wildcard_fields };

static const kn_field check_fields[] = {
    KN_FIELDS_HEADER(KN_SCHEMA_CHECK),
    KN_FIELD_VERDICT(kanon_check),
    { "input", KN_AS_OBJECT, KN_INSIDE, "the table", .shape = &input_shape },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows of the table", KN_OF(kanon_check, risk.rows) },
    { "classes", KN_AS_COUNT, KN_INSIDE, "equivalence classes", KN_OF(kanon_check, risk.classes) },
    { "k", KN_AS_COUNT, KN_INSIDE, "size of the smallest class; 0 for a table without rows",
      KN_OF(kanon_check, risk.min_class) },
    { "l", KN_AS_SIZE, KN_INSIDE,
      "the smallest over the sensitive columns; null without one, or without rows", .get = get_l,
      .flags = KN_OR_NULL },
    { "t", KN_AS_SHARE, KN_INSIDE,
      "the largest over the sensitive columns; null without one, or without rows", .get = get_t,
      .flags = KN_OR_NULL },
    { "identifiers", KN_AS_LIST, KN_INSIDE,
      "columns of the table that the config calls identifiers, and the rows that have them in "
      "clear",
      KN_ROWS(kanon_check, identifiers.columns, identifiers.count), .shape = &kn_shape_identifier },
    { "risk", KN_AS_OBJECT, KN_INSIDE, "the re-identification risk of the rows",
      .shape = &risk_shape },
    { "class_sizes", KN_AS_LIST, KN_INSIDE, "the equivalence classes by size",
      KN_ARRAY(kanon_check, histogram), .shape = &kn_shape_bucket, .flags = KN_NOT_EMPTY },
    { "sensitive", KN_AS_LIST, KN_INSIDE, "the sensitive columns",
      KN_ROWS(kanon_check, sensitive, nsensitive), .shape = &sensitive_shape },
    { "linkage", KN_AS_OBJECT, KN_INSIDE,
      "rows that can be told from all others of their class by columns that are neither "
      "quasi-identifiers nor identifiers",
      KN_WITHIN(kanon_check, linkage, kn_shape_linkage), .known = &linked },
    { "persons", KN_AS_NUMBER, KN_INSIDE, "minimum number of persons in a class",
      KN_OF(kanon_check, persons), .given = &persons, .known = &countable },
    { "models", KN_AS_LIST, KN_INSIDE, "the required privacy models",
      KN_ROWS(kanon_check, models, nmodels), .shape = &model_shape, .given = &models },
    { "wildcard", KN_AS_OBJECT, KN_INSIDE,
      "the interpretation in which a missing value matches anything",
      KN_WITHIN(kanon_check, wildcard, wildcard_shape), .known = &wildcard },
    { "profile", KN_AS_OBJECT, KN_INSIDE,
      "what a law or guideline requires, as far as it is counted",
      KN_WITHIN(kanon_check, profile, kn_shape_profile), .given = &profiled },
    KN_FIELD_FINDINGS(kanon_check),
    KN_FIELDS_END,
};
const kn_described kn_shape_check = { "check", check_fields };

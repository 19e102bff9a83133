/* SPDX-License-Identifier: Apache-2.0 */
/* describe_comparison.c -- what `kanon compare` found: names, types, meaning. A comparison is for those who
 * have the original, so all of it is internal. */
#include "result/comparison.h"
#include "result/describe.h"

/* --- conditions, and values concluded from several members ---------------------------------------- */

static const kn_condition moments = { KN_IF(kn_compared_column, has_moments),
                                      .otherwise = "unless both columns hold numbers" };
static const kn_condition numeric = { KN_IF(kn_compared_pair, numeric),
                                      .otherwise = "unless both columns hold numbers" };

static bool
is_value(const kn_where *where)
{
    return ((const kn_compared_bin *) where->at)->kind == KN_BIN_VALUE;
}
static const kn_condition of_value = { .holds = is_value, .otherwise = "but of kind value" };

static bool
is_ranks(const kn_where *where)
{
    return ((const kn_compared_bin *) where->at)->kind == KN_BIN_RANKS;
}
static const kn_condition of_ranks = { .holds = is_ranks, .otherwise = "but of kind ranks" };

static const kn_condition label = { KN_IF_ROOT(kanon_comparison, learning.label),
                                    .otherwise = "without a label" };
static const kn_condition asked = { KN_IF_ROOT(kanon_comparison, queries.queries),
                                    .otherwise = "where none was asked" };

static bool
asked_these(const kn_where *where)
{
    return ((const kn_compared_errors *) where->at)->queries > 0;
}

static kn_node
get_biggest(const kn_where *where)
{
    const kn_compared_column *c = where->at;

    return kn_node_count(c->biggest < c->nbins ? c->biggest : KN_NOT_COUNTED);
}

static kn_node
get_a(const kn_where *where)
{
    const kanon_comparison *c = where->root;

    return kn_node_text(c->columns[((const kn_compared_pair *) where->at)->a].name);
}

static kn_node
get_b(const kn_where *where)
{
    const kanon_comparison *c = where->root;

    return kn_node_text(c->columns[((const kn_compared_pair *) where->at)->b].name);
}

static kn_node
get_query_columns(const kn_where *where)
{
    const kanon_comparison *c = where->root;

    return kn_node_count((uint64_t) ((const kn_compared_errors *) where->at - c->by_columns) + 1);
}

/* --- the tables ----------------------------------------------------------------------------------- */

static const kn_field rows_fields[] = {
    { "before", KN_AS_COUNT, KN_INSIDE, "rows of the original",
      KN_OF(kanon_comparison, rows_before) },
    { "after", KN_AS_COUNT, KN_INSIDE, "rows of the release", KN_OF(kanon_comparison, rows_after) },
    { "lost", KN_AS_COUNT, KN_INSIDE, "before minus after, at least 0",
      KN_OF(kanon_comparison, lost) },
    KN_FIELDS_END,
};
static const kn_described rows_shape = { "rows", rows_fields };

static const kn_field total_fields[] = {
    { "columns", KN_AS_COUNT, KN_INSIDE, "columns that the means are over",
      KN_OF(kanon_comparison, ncounted) },
    { "glm", KN_AS_SUMMED_SHARE, KN_INSIDE, "general loss", KN_OF(kanon_comparison, glm) },
    { "gcp", KN_AS_SUMMED_SHARE, KN_INSIDE, "global certainty penalty",
      KN_OF(kanon_comparison, gcp) },
    { "entropy", KN_AS_SUMMED_SHARE, KN_INSIDE, "non-uniform entropy loss",
      KN_OF(kanon_comparison, entropy) },
    { "tvd", KN_AS_AMOUNT, KN_INSIDE, "mean shift of the columns' shares; null without rows",
      KN_OF(kanon_comparison, tvd), .flags = KN_OR_NULL },
    { "pair_tvd", KN_AS_AMOUNT, KN_INSIDE, "mean over all pairs of columns; null: no pair",
      KN_OF(kanon_comparison, pair_tvd), .flags = KN_OR_NULL },
    { "v_change", KN_AS_AMOUNT, KN_INSIDE,
      "mean absolute change of Cramer's V over the pairs that have one in both tables",
      KN_OF(kanon_comparison, v_shift), .flags = KN_OR_NULL },
    { "pearson_change", KN_AS_AMOUNT, KN_INSIDE, "the same for the correlation of numbers",
      KN_OF(kanon_comparison, pearson_shift), .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described total_shape = { "total", total_fields };

static const kn_field cells_fields[] = {
#define READING(name, key, text)                                                                   \
    { key, KN_AS_COUNT, KN_INSIDE, text, KN_OF(kn_compared_column, cells[KN_READ_##name]) },
    KN_READING_LIST(READING)
#undef READING
        KN_FIELDS_END,
};
static const kn_described cells_shape = { "cells", cells_fields };

static const char *const bin_kinds[] = {
    [KN_BIN_VALUE] = "value", [KN_BIN_RANKS] = "ranks",     [KN_BIN_OTHER] = "other",
    [KN_BIN_RARE] = "rare",   [KN_BIN_MISSING] = "missing", NULL
};

static const kn_field bin_fields[] = {
    { "kind", KN_AS_CHOICE, KN_INSIDE,
      "value: one value; ranks: numbers or dates between two ranks; other: all less frequent "
      "values; "
      "rare: values that few rows have; missing",
      KN_OF(kn_compared_bin, kind), .words = bin_kinds },
    { "value", KN_AS_TEXT, KN_INSIDE, "the value", KN_OF(kn_compared_bin, label),
      .given = &of_value },
    { "from", KN_AS_SUMMED_SHARE, KN_INSIDE, "share of the original's rows below it",
      KN_OF(kn_compared_bin, from), .given = &of_ranks },
    { "to", KN_AS_SUMMED_SHARE, KN_INSIDE, "share of the original's rows up to its end",
      KN_OF(kn_compared_bin, to), .given = &of_ranks },
    { "name", KN_AS_TEXT, KN_INSIDE,
      "where numbers or dates lie, in the column's unit; bounds are rounded",
      KN_OF(kn_compared_bin, label), .given = &of_ranks, .flags = KN_OR_NULL },
    { "before", KN_AS_AMOUNT, KN_INSIDE, "share of the original's rows",
      KN_OF(kn_compared_bin, before) },
    { "after", KN_AS_AMOUNT, KN_INSIDE, "share of the release's rows",
      KN_OF(kn_compared_bin, after) },
    KN_FIELDS_END,
};
static const kn_described bin_shape = { "bin", bin_fields };

static const kn_field column_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_compared_column, name) },
    { "role", KN_AS_CHOICE, KN_INSIDE, "its role", KN_OF(kn_compared_column, role),
      .words = kn_role_names },
    { "type", KN_AS_CHOICE, KN_INSIDE, "its type", KN_OF(kn_compared_column, type),
      .words = kn_type_names },
    { "hierarchy", KN_AS_TEXT, KN_INSIDE, "kind of its hierarchy; null: there is none",
      KN_OF(kn_compared_column, hierarchy), .flags = KN_OR_NULL },
    { "dropped", KN_AS_TRUTH, KN_INSIDE, "the release lacks it: every cell counts as *",
      KN_OF(kn_compared_column, dropped) },
    { "counted", KN_AS_TRUTH, KN_INSIDE, "whether it is in the total",
      KN_OF(kn_compared_column, counted) },
    { "values_before", KN_AS_COUNT, KN_INSIDE, "distinct cells of the original",
      KN_OF(kn_compared_column, values_before) },
    { "values_after", KN_AS_COUNT, KN_INSIDE, "distinct cells of the release",
      KN_OF(kn_compared_column, values_after) },
    { "cells", KN_AS_OBJECT, KN_INSIDE, "released cells by how they were understood",
      .shape = &cells_shape },
    { "glm", KN_AS_SUMMED_SHARE, KN_INSIDE, "general loss", KN_OF(kn_compared_column, glm) },
    { "gcp", KN_AS_SUMMED_SHARE, KN_INSIDE, "global certainty penalty",
      KN_OF(kn_compared_column, gcp) },
    { "entropy", KN_AS_SUMMED_SHARE, KN_INSIDE, "non-uniform entropy loss",
      KN_OF(kn_compared_column, entropy) },
    { "tvd", KN_AS_AMOUNT, KN_INSIDE, "shift of its shares; null without rows",
      KN_OF(kn_compared_column, tvd), .flags = KN_OR_NULL },
    { "mean_before", KN_AS_NUMBER, KN_INSIDE, "mean of the original",
      KN_OF(kn_compared_column, mean_before), .given = &moments, .flags = KN_OR_NULL },
    { "mean_after", KN_AS_NUMBER, KN_INSIDE, "mean of the release",
      KN_OF(kn_compared_column, mean_after), .given = &moments, .flags = KN_OR_NULL },
    { "sd_before", KN_AS_AMOUNT, KN_INSIDE, "standard deviation of the original",
      KN_OF(kn_compared_column, sd_before), .given = &moments, .flags = KN_OR_NULL },
    { "sd_after", KN_AS_AMOUNT, KN_INSIDE, "standard deviation of the release",
      KN_OF(kn_compared_column, sd_after), .given = &moments, .flags = KN_OR_NULL },
    { "bins", KN_AS_LIST, KN_INSIDE, "shares of rows before and after",
      KN_ROWS(kn_compared_column, bins, nbins), .shape = &bin_shape },
    { "biggest_change", KN_AS_COUNT, KN_INSIDE,
      "index of a bin that is a value, a range or the missing ones; null: none changed",
      .get = get_biggest, .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described column_shape = { "column", column_fields };

static const kn_field pair_fields[] = {
    { "a", KN_AS_TEXT, KN_INSIDE, "a column", .get = get_a },
    { "b", KN_AS_TEXT, KN_INSIDE, "another column", .get = get_b },
    { "tvd", KN_AS_SUMMED_SHARE, KN_INSIDE, "shift of the shares of their pairs of values",
      KN_OF(kn_compared_pair, tvd) },
    { "v_before", KN_AS_AMOUNT, KN_INSIDE, "Cramer's V of the original; null: a column is constant",
      KN_OF(kn_compared_pair, v_before), .flags = KN_OR_NULL },
    { "v_after", KN_AS_AMOUNT, KN_INSIDE, "Cramer's V of the release; null: a column is constant",
      KN_OF(kn_compared_pair, v_after), .flags = KN_OR_NULL },
    { "pearson_before", KN_AS_CORRELATION, KN_INSIDE, "Pearson's correlation in the original",
      KN_OF(kn_compared_pair, pearson_before), .given = &numeric, .flags = KN_OR_NULL },
    { "pearson_after", KN_AS_CORRELATION, KN_INSIDE, "Pearson's correlation in the release",
      KN_OF(kn_compared_pair, pearson_after), .given = &numeric, .flags = KN_OR_NULL },
    { "spearman_before", KN_AS_CORRELATION, KN_INSIDE, "Spearman's correlation in the original",
      KN_OF(kn_compared_pair, spearman_before), .given = &numeric, .flags = KN_OR_NULL },
    { "spearman_after", KN_AS_CORRELATION, KN_INSIDE, "Spearman's correlation in the release",
      KN_OF(kn_compared_pair, spearman_after), .given = &numeric, .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described pair_shape = { "pair", pair_fields };

static const kn_field learning_fields[] = {
    { "label", KN_AS_TEXT, KN_INSIDE, "the column to predict", KN_OF(kn_compared_learning, label) },
    { "classes", KN_AS_COUNT, KN_INSIDE, "distinct labels", KN_OF(kn_compared_learning, classes) },
    { "features", KN_AS_COUNT, KN_INSIDE, "columns that it is predicted from",
      KN_OF(kn_compared_learning, features) },
    { "cm_before", KN_AS_SUMMED_SHARE, KN_INSIDE, "classification metric of the original",
      KN_OF(kn_compared_learning, cm_before) },
    { "cm_after", KN_AS_SUMMED_SHARE, KN_INSIDE, "classification metric of the release",
      KN_OF(kn_compared_learning, cm_after) },
    { "baseline", KN_AS_SUMMED_SHARE, KN_INSIDE, "share of the most frequent label",
      KN_OF(kn_compared_learning, baseline) },
    { "accuracy_before", KN_AS_SUMMED_SHARE, KN_INSIDE,
      "accuracy of a classifier trained on the original",
      KN_OF(kn_compared_learning, accuracy_before) },
    { "accuracy_after", KN_AS_SUMMED_SHARE, KN_INSIDE,
      "accuracy of a classifier trained on the release",
      KN_OF(kn_compared_learning, accuracy_after) },
    { "balanced_before", KN_AS_SUMMED_SHARE, KN_INSIDE,
      "the same, with equal weight for each label", KN_OF(kn_compared_learning, balanced_before) },
    { "balanced_after", KN_AS_SUMMED_SHARE, KN_INSIDE, "the same, with equal weight for each label",
      KN_OF(kn_compared_learning, balanced_after) },
    KN_FIELDS_END,
};
static const kn_described learning_shape = { "learning", learning_fields };

#define ERROR_FIELDS(type, errors)                                                                 \
    { "count", KN_AS_COUNT, KN_INSIDE, "queries that were asked", KN_OF(type, errors queries) },   \
        { "mean", KN_AS_AMOUNT, KN_INSIDE, "mean relative error of a count",                       \
          KN_OF(type, errors mean) },                                                              \
        { "median", KN_AS_AMOUNT, KN_INSIDE, "median of the errors", KN_OF(type, errors median) }, \
        { "p75", KN_AS_AMOUNT, KN_INSIDE, "75 % of the errors are at most this",                   \
          KN_OF(type, errors p75) },                                                               \
        { "p90", KN_AS_AMOUNT, KN_INSIDE, "90 % of the errors are at most this",                   \
          KN_OF(type, errors p90) },                                                               \
        { "p95", KN_AS_AMOUNT, KN_INSIDE, "95 % of the errors are at most this",                   \
          KN_OF(type, errors p95) },                                                               \
    {                                                                                              \
        "max", KN_AS_AMOUNT, KN_INSIDE, "the maximum error", KN_OF(type, errors max)               \
    }

static const kn_field by_columns_fields[] = {
    { "columns", KN_AS_SIZE, KN_INSIDE, "columns that the queries use", .get = get_query_columns },
    ERROR_FIELDS(kn_compared_errors, ),
    KN_FIELDS_END,
};
static const kn_described by_columns_shape = { "by_columns", by_columns_fields };

static const kn_field queries_fields[] = {
    ERROR_FIELDS(kanon_comparison, queries.),
    { "by_columns", KN_AS_LIST, KN_INSIDE, "the same by the number of columns of a query",
      KN_ARRAY(kanon_comparison, by_columns), .shape = &by_columns_shape, .keeps = asked_these },
    KN_FIELDS_END,
};
static const kn_described queries_shape = { "queries", queries_fields };

static const kn_field comparison_fields[] = {
    KN_FIELDS_HEADER(KN_SCHEMA_COMPARISON),
    KN_FIELD_VERDICT(kanon_comparison),
    { "original", KN_AS_TEXT, KN_INSIDE, "file name", KN_OF(kanon_comparison, original) },
    { "released", KN_AS_TEXT, KN_INSIDE, "file name", KN_OF(kanon_comparison, released) },
    { "settings_from", KN_AS_TEXT, KN_INSIDE,
      "report of the release that roles and hierarchies were taken from; null: none",
      KN_OF(kanon_comparison, taken_from), .flags = KN_OR_NULL },
    { "rows", KN_AS_OBJECT, KN_INSIDE, "rows of the two tables", .shape = &rows_shape },
    { "seed", KN_AS_COUNT, KN_INSIDE, "seed of the random choices", KN_OF(kanon_comparison, seed) },
    { "least_rows", KN_AS_COUNT, KN_INSIDE,
      "no value is named that fewer rows of the original have", KN_OF(kanon_comparison, least) },
    { "dropped", KN_AS_LIST, KN_INSIDE,
      "columns of the original that the release lacks and that are not compared",
      KN_ROWS(kanon_comparison, dropped, ndropped), .item = KN_AS_TEXT, .flags = KN_DISTINCT },
    { "added", KN_AS_LIST, KN_INSIDE, "columns that only the release has",
      KN_ROWS(kanon_comparison, added, nadded), .item = KN_AS_TEXT, .flags = KN_DISTINCT },
    { "left_out", KN_AS_LIST, KN_INSIDE,
      "identifiers: they are not compared, whether they were released or not",
      KN_ROWS(kanon_comparison, left_out, nleft_out), .item = KN_AS_TEXT, .flags = KN_DISTINCT },
    { "identifiers", KN_AS_LIST, KN_INSIDE,
      "identifiers that the release has as columns, and its rows that have them in clear",
      KN_ROWS(kanon_comparison, identifiers.columns, identifiers.count),
      .shape = &kn_shape_identifier },
    { "total", KN_AS_OBJECT, KN_INSIDE, "means over the columns", .shape = &total_shape },
    { "columns", KN_AS_LIST, KN_INSIDE, "the columns that are compared",
      KN_ROWS(kanon_comparison, columns, ncolumns), .shape = &column_shape, .flags = KN_NOT_EMPTY },
    { "pairs", KN_AS_LIST, KN_INSIDE, "the pairs of columns",
      KN_ROWS(kanon_comparison, pairs, npairs), .shape = &pair_shape },
    { "learning", KN_AS_OBJECT, KN_INSIDE, "how well a label is predicted from the other columns",
      KN_WITHIN(kanon_comparison, learning, learning_shape), .known = &label },
    { "queries", KN_AS_OBJECT, KN_INSIDE, "relative errors of random range counts",
      .shape = &queries_shape, .known = &asked },
    { "seconds", KN_AS_AMOUNT, KN_INSIDE, "elapsed time", KN_OF(kanon_comparison, seconds) },
    KN_FIELD_FINDINGS(kanon_comparison),
    KN_FIELDS_END,
};
const kn_described kn_shape_comparison = { "comparison", comparison_fields };

/* SPDX-License-Identifier: Apache-2.0 */
/* describe_linkage.c -- what released columns say about the rows of a class: names, types, meaning. For
 * insiders: an outsider who has the release could count it, and needs no help. */
#include "result/describe.h"
#include "result/linkage.h"

#define COUNT_FIELDS(type, member)                                                                 \
    { "alone", KN_AS_COUNT, KN_INSIDE, "rows that share their group with no other row",            \
      KN_OF(type, member.alone) },                                                                 \
        { "below_k", KN_AS_COUNT, KN_INSIDE, "rows in groups of fewer than k rows",                \
          KN_OF(type, member.below) },                                                             \
    {                                                                                              \
        "smallest", KN_AS_COUNT, KN_INSIDE, "rows of the smallest group that was seen",            \
            KN_OF(type, member.smallest)                                                           \
    }

static const kn_field linked_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_result_linked, name) },
    { "sensitive", KN_AS_TRUTH, KN_INSIDE, "whether its role is sensitive",
      KN_OF(kn_result_linked, sensitive) },
    COUNT_FIELDS(kn_result_linked, count),
    KN_FIELDS_END,
};
static const kn_described linked_shape = { "linked_column", linked_fields };

static const kn_field set_fields[] = {
    { "columns", KN_AS_LIST, KN_INSIDE, "their names, in the order of the table",
      KN_SOME(kn_result_set, columns, count), .item = KN_AS_TEXT, .flags = KN_DISTINCT },
    { "alone", KN_AS_COUNT, KN_INSIDE, "rows that share their group with no other row",
      KN_OF(kn_result_set, alone) },
    KN_FIELDS_END,
};
static const kn_described set_shape = { "linked_set", set_fields };

static const kn_field family_fields[] = {
    { "count", KN_AS_COUNT, KN_INSIDE, "how many columns there are",
      KN_OF(kn_result_family, count) },
    { "tried", KN_AS_COUNT, KN_INSIDE,
      "how many of them were combined: those that split classes most",
      KN_OF(kn_result_family, tried) },
    { "exact", KN_AS_TRUTH, KN_INSIDE, "false: `worst` is estimated from a part of the classes",
      KN_OF(kn_result_family, exact) },
    COUNT_FIELDS(kn_result_family, together),
    { "worst", KN_AS_LIST, KN_INSIDE,
      "of one, two and three columns, those with the most rows alone",
      KN_SOME(kn_result_family, worst, nworst), .shape = &set_shape },
    KN_FIELDS_END,
};
static const kn_described family_shape = { "linked_family", family_fields };

static const char *const kinds[] = {
    [KN_COPIES] = "copies", [KN_REFINES] = "refines", [KN_FOLLOWS] = "follows", NULL
};

static const kn_field dependency_fields[] = {
    { "column", KN_AS_TEXT, KN_INSIDE, "a column that is no quasi-identifier",
      KN_OF(kn_result_dependency, column) },
    { "quasi", KN_AS_TEXT, KN_INSIDE, "the original quasi-identifier that it depends on",
      KN_OF(kn_result_dependency, quasi) },
    { "sensitive", KN_AS_TRUTH, KN_INSIDE, "whether the role of the column is sensitive",
      KN_OF(kn_result_dependency, sensitive) },
    { "kind", KN_AS_CHOICE, KN_INSIDE,
      "copies: each tells the other; refines: the column tells the quasi-identifier; follows: the "
      "quasi-identifier tells the column",
      KN_OF(kn_result_dependency, kind), .words = kinds },
    { "strength", KN_AS_NUMBER, KN_INSIDE, "1: without exception; 0: as if they were independent",
      KN_OF(kn_result_dependency, strength) },
    COUNT_FIELDS(kn_result_dependency, left),
    KN_FIELDS_END,
};
static const kn_described dependency_shape = { "dependency", dependency_fields };

static const kn_field linkage_fields[] = {
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows that the figures are about",
      KN_OF(kn_result_linkage, rows) },
    { "exact", KN_AS_TRUTH, KN_INSIDE, "false: they are estimated from a sample of classes",
      KN_OF(kn_result_linkage, exact) },
    { "sampled_rows", KN_AS_COUNT, KN_INSIDE, "rows of the classes that were looked at",
      KN_OF(kn_result_linkage, sampled) },
    { "large_class_rows", KN_AS_COUNT, KN_INSIDE,
      "rows of classes that were too large to look at, and in which rows are hardly alone",
      KN_OF(kn_result_linkage, large_rows) },
    { "columns", KN_AS_LIST, KN_INSIDE,
      "groups that agree in the quasi-identifiers and in one column more",
      KN_ROWS(kn_result_linkage, columns, ncolumns), .shape = &linked_shape },
    { "insensitive", KN_AS_OBJECT, KN_INSIDE,
      "groups that agree in the quasi-identifiers and in all columns without the role sensitive",
      KN_WITHIN(kn_result_linkage, open, family_shape) },
    { "all", KN_AS_OBJECT, KN_INSIDE, "groups that agree in all columns",
      KN_WITHIN(kn_result_linkage, all, family_shape) },
    { "dependencies", KN_AS_LIST, KN_INSIDE,
      "columns that are a quasi-identifier in another form, and the classes that are left when "
      "they are used",
      KN_ROWS(kn_result_linkage, dependencies, ndependencies), .shape = &dependency_shape },
    KN_FIELDS_END,
};
const kn_described kn_shape_linkage = { "linkage", linkage_fields };

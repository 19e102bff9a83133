/* SPDX-License-Identifier: Apache-2.0 */
/* describe_result.c -- what `kanon anonymize` did: names, types, meaning, and who may see it. Outsiders get
 * what they could count themselves in the release, what they must know to use it, and nothing else: no seed,
 * no key, no table, no hash of the table (which would confirm a guess of it), no search, no finding, and no
 * count from which the suppressed rows could be told. The suppression limit, the metric and the algorithm are
 * no promise, and would tell how close to its limits the release was made. */
#include "result/describe.h"
#include "result/public.h"
#include "result/result.h"

/* --- conditions ------------------------------------------------------------------------------------- */

static bool
is_released(const kn_where *where)
{
    return ((const kanon_result *) where->root)->outcome != KANON_INFEASIBLE;
}
/* What belongs to a release is null inside, and is not there outside. */
static const kn_condition released = { .holds = is_released,
                                       .otherwise = "when nothing was released",
                                       .member = "outcome",
                                       .value = "infeasible" };
static const kn_condition published = { .holds = is_released,
                                        .otherwise = "when nothing was released",
                                        .member = "released" };

#define OF_A_RELEASE                                                                               \
    .known = &released, .given = &published, .flags = KN_KNOWN_OUTSIDE | KN_GIVEN_INSIDE

static bool
has_levels(const kn_where *where)
{
    return ((const kanon_result *) where->root)->full_domain;
}
static const kn_condition levels = { .holds = has_levels,
                                     .otherwise = "for local recoding",
                                     .member = "full_domain" };

static bool
is_local(const kn_where *where)
{
    return !has_levels(where);
}
static const kn_condition local = { .holds = is_local,
                                    .otherwise = "for full-domain generalization" };

static bool
is_shuffled(const kn_where *where)
{
    return !((const kanon_result *) where->root)->keep_order;
}
static const kn_condition shuffled = { .holds = is_shuffled,
                                       .otherwise = "where the order of the table was kept" };

static const kn_condition weighted = { KN_IF_ROOT(kanon_result, weights),
                                       .otherwise = "where none was given: all count alike" };
static const kn_condition controlled = { KN_IF_ROOT(kanon_result, ncontrol),
                                         .otherwise = "where none was given" };
static const kn_condition models = { KN_IF_ROOT(kanon_result, nmodels),
                                     .otherwise = "without any" };
static const kn_condition profiled = { KN_IF_ROOT(kanon_result, profile.count),
                                       .otherwise = "without --profile" };
static const kn_condition linked = { KN_IF_ROOT(kanon_result, linkage.rows),
                                     .otherwise = "without such columns or released rows" };
static const kn_condition bounded = { KN_IF_ROOT(kanon_result, has_bound),
                                      .otherwise = "where it is not known" };
static const kn_condition with_bounds = { KN_IF_ROOT(kanon_result, bounds),
                                          .otherwise = "where they are not known" };

static bool
is_quasi(const kn_where *where)
{
    return ((const kn_result_attribute *) where->at)->role == KN_ROLE_QUASI;
}
static const kn_condition quasi = { .holds = is_quasi, .otherwise = "but for quasi-identifiers" };

static bool
is_public_column(const kn_where *where)
{
    return !kn_public_hides(where->root, ((const kn_result_attribute *) where->at)->name);
}

static bool
is_few(const kn_where *where)
{
    uint64_t rows = *(const uint64_t *) where->at;

    return rows && rows < kn_public_least(where->root);
}
static const kn_condition few = { .holds = is_few, .otherwise = "for more rows, or none" };

static bool
is_not_few(const kn_where *where)
{
    return !is_few(where);
}
static const kn_condition not_few = { .holds = is_not_few, .otherwise = "for few rows" };

static bool
lost_many(const kn_where *where)
{
    return kn_public_lost(where->root, *(const uint64_t *) where->at) > 0;
}
static const kn_condition many_lost = { .holds = lost_many, .otherwise = "for few rows, or none" };

static bool
lost_few(const kn_where *where)
{
    return !lost_many(where);
}
static const kn_condition few_lost = { .holds = lost_few, .otherwise = "for more rows" };

/* --- values concluded from several members ---------------------------------------------------------- */

static const kn_result_attribute *
quasi_at(const kanon_result *r, size_t index)
{
    for (size_t i = 0; i < r->nattributes; i++)
        if (r->attributes[i].role == KN_ROLE_QUASI && index-- == 0)
            return &r->attributes[i];
    return NULL;
}

/* Maps by the name of a quasi-identifier. */
#define QUASI_ENTRY(what, node)                                                                    \
    static bool what##_entry(const kn_where *where, size_t index, const char **name,               \
                             kn_node *value)                                                       \
    {                                                                                              \
        const kanon_result        *r = where->root;                                                \
        const kn_result_attribute *a = quasi_at(r, index);                                         \
                                                                                                   \
        if (!a)                                                                                    \
            return false;                                                                          \
        *name = a->name;                                                                           \
        *value = node;                                                                             \
        return true;                                                                               \
    }
QUASI_ENTRY(weight, kn_node_number(r->weights[index]))
QUASI_ENTRY(level, kn_node_count(a->level))
QUASI_ENTRY(height, kn_node_count(a->height))
QUASI_ENTRY(bound, kn_node_count(r->bounds[index]))

static bool
param_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_result *r = where->root;

    return kn_entry_setting(r->params, r->nparams, index, name, value);
}

static bool
control_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kanon_result *r = where->root;

    return kn_entry_setting(r->control, r->ncontrol, index, name, value);
}

static bool
asked_entry(const kn_where *where, size_t index, const char **name, kn_node *value)
{
    const kn_result_model *m = where->at;

    return kn_entry_asked((const char *[]){ m->parameter, m->other },
                          (double[]){ m->asked, m->asked_other }, index, name, value);
}

static kn_node
get_internal(const kn_where *where)
{
    (void) where;
    return kn_node_text("internal");
}

static kn_node
get_external(const kn_where *where)
{
    (void) where;
    return kn_node_text("external");
}

static kn_node
get_released(const kn_where *where)
{
    return kn_node_truth(is_released(where));
}

static kn_node
get_order_key(const kn_where *where)
{
    return kn_node_text(((const kanon_result *) where->root)->order_key);
}

static kn_node
get_hash_kind(const kn_where *where)
{
    (void) where;
    return kn_node_text("blake2b-256");
}

static kn_node
get_public_file(const kn_where *where)
{
    return kn_node_text(kn_public_file(((const kanon_result *) where->root)->output_name));
}

static kn_node
get_public_column(const kn_where *where)
{
    const char *column = ((const kn_result_model *) where->at)->column;

    return kn_node_text(column && kn_public_hides(where->root, column) ? NULL : column);
}

static kn_node
get_verified(const kn_where *where)
{
    const kn_result_model *m = where->at;

    return kn_node_text(!m->verified ? "no" : m->hidden ? "in the second pass" : "in the release");
}

/* An example of level 0 would be an original value, so there is none. */
static kn_node
get_example(const kn_where *where)
{
    const kn_result_attribute *a = where->at;
    bool                       shown = is_released(where) && (is_local(where) || a->level);

    return kn_node_text(shown ? a->example : NULL);
}

static kn_node
get_optimal(const kn_where *where)
{
    return kn_node_truth(((const kanon_result *) where->root)->outcome == KANON_OPTIMAL);
}

static kn_node
get_public_loss(const kn_where *where)
{
    const kanon_result *r = where->root;

    return kn_node_number(kn_public_loss(r, r->metrics.glm));
}

static kn_node
get_public_column_loss(const kn_where *where)
{
    return kn_node_number(
        kn_public_loss(where->root, ((const kn_result_attribute *) where->at)->loss.glm));
}

static kn_node
get_public_risk(const kn_where *where)
{
    const kanon_result *r = where->root;

    return kn_node_number(r->crowd ? 1 / (double) kn_public_crowd(r)
                                   : r->risk_after.prosecutor_max);
}

static kn_node
get_public_rows(const kn_where *where)
{
    return kn_node_count(kn_public_rounded(*(const uint64_t *) where->at));
}

static kn_node
get_public_least(const kn_where *where)
{
    return kn_node_count(kn_public_least(where->root));
}

static kn_node
get_public_lost(const kn_where *where)
{
    return kn_node_count(kn_public_lost(where->root, *(const uint64_t *) where->at));
}

static kn_node
get_public_lost_least(const kn_where *where)
{
    return kn_node_count(kn_public_lost_least(where->root));
}

/* --- counts that are not told exactly: of uint64_t -------------------------------------------------- */

static const kn_field about_fields[] = {
    { "fewer_than", KN_AS_SIZE, KN_OUTSIDE, "there are some, but fewer", .get = get_public_least,
      .given = &few },
    { "about", KN_AS_COUNT, KN_OUTSIDE, "rounded to two or three digits", .get = get_public_rows,
      .given = &not_few },
    KN_FIELDS_END,
};
static const kn_described about_shape = { "about", about_fields };

static const kn_field about_lost_fields[] = {
    { "about", KN_AS_COUNT, KN_OUTSIDE, "in steps of at least k and 10", .get = get_public_lost,
      .given = &many_lost },
    { "fewer_than", KN_AS_SIZE, KN_OUTSIDE, "there are fewer, or none",
      .get = get_public_lost_least, .given = &few_lost },
    KN_FIELDS_END,
};
static const kn_described about_lost_shape = { "about_lost", about_lost_fields };

/* --- the tables --------------------------------------------------------------------------------------- */

#define HASH_FIELDS(member)                                                                        \
    { "algorithm", KN_AS_CHOICE, KN_BOTH, "its name", .get = get_hash_kind, .words = hash_kinds }, \
    {                                                                                              \
        "hex", KN_AS_HASH, KN_BOTH, "its digits", KN_OF(kanon_result, member)                      \
    }
static const char *const hash_kinds[] = { "blake2b-256", NULL };

static const kn_field     input_hash_fields[] = { HASH_FIELDS(input_hash), KN_FIELDS_END };
static const kn_described input_hash_shape = { "input_hash", input_hash_fields };
static const kn_field     output_hash_fields[] = { HASH_FIELDS(output_hash), KN_FIELDS_END };
static const kn_described output_hash_shape = { "output_hash", output_hash_fields };

/* Lists of names: a text at the start of each item. */
_Static_assert(offsetof(kn_result_attribute, name) == 0, "names of columns");

static const kn_field input_fields[] = {
    { "file", KN_AS_TEXT, KN_INSIDE, "name of the table", KN_OF(kanon_result, input_name) },
    { "bytes", KN_AS_COUNT, KN_INSIDE, "as it is stored", KN_OF(kanon_result, input_bytes) },
    { "rows", KN_AS_COUNT, KN_INSIDE, "rows of the table", KN_OF(kanon_result, input_rows) },
    { "columns", KN_AS_SIZE, KN_INSIDE, "columns of the table",
      KN_OF(kanon_result, input_columns) },
    { "quasi", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers, in the order of the table",
      KN_ROWS(kanon_result, attributes, nattributes), .item = KN_AS_TEXT, .keeps = is_quasi,
      .flags = KN_DISTINCT },
    { "distinct_tuples", KN_AS_COUNT, KN_INSIDE, "distinct combinations of quasi-identifier values",
      KN_OF(kanon_result, distinct_tuples) },
    { "hash", KN_AS_OBJECT, KN_INSIDE,
      "of the bytes as they are stored (b2sum -l 256), or of the cells of a table in memory",
      .shape = &input_hash_shape },
    KN_FIELDS_END,
};
static const kn_described input_shape = { "input", input_fields };

static const kn_field output_fields[] = {
    { "file", KN_AS_TEXT, KN_INSIDE, "name of the release; null: it has none",
      KN_OF(kanon_result, output_name), .flags = KN_OR_NULL },
    { "file", KN_AS_TEXT, KN_OUTSIDE,
      "name of the release without folders, which may reveal who made it; null: it has none",
      .get = get_public_file, .flags = KN_OR_NULL },
    { "hash", KN_AS_OBJECT, KN_BOTH,
      "of the bytes as they are stored (b2sum -l 256), or of the cells of a table in memory",
      .shape = &output_hash_shape },
    KN_FIELDS_END,
};
static const kn_described output_shape = { "output", output_fields };

static const char *const verified_words[] = { "in the release", "in the second pass", "no", NULL };

static const kn_field model_fields[] = {
    { "model", KN_AS_TEXT, KN_BOTH, "its key", KN_OF(kn_result_model, key) },
    { "column", KN_AS_TEXT, KN_INSIDE, "the column that it uses; null: none",
      KN_OF(kn_result_model, column), .flags = KN_OR_NULL },
    { "column", KN_AS_TEXT, KN_OUTSIDE,
      "the column that it uses; null: none, or one that the release does not have",
      .get = get_public_column, .flags = KN_OR_NULL },
    { "asked", KN_AS_MAP, KN_INSIDE, "its parameters", .entry = asked_entry, .item = KN_AS_NUMBER },
    { NULL, KN_AS_SPREAD, KN_OUTSIDE, "its parameters", .entry = asked_entry,
      .item = KN_AS_NUMBER },
    { "reached", KN_AS_NUMBER, KN_INSIDE, "by the worst released class; null: nothing was released",
      KN_OF(kn_result_model, reached), .flags = KN_OR_NULL },
    { "monotone", KN_AS_TRUTH, KN_INSIDE,
      "stays satisfied when levels rise, under the settings of this job",
      KN_OF(kn_result_model, monotone) },
    { "verified", KN_AS_CHOICE, KN_INSIDE,
      "where the second implementation verified it: in the bytes of the release or, for a column "
      "that the release does not show, in the rows of the second pass; no: nothing was released",
      .get = get_verified, .words = verified_words },
    KN_FIELDS_END,
};
static const kn_described model_shape = { "model", model_fields };

static const kn_field parameters_fields[] = {
    { "k", KN_AS_SIZE, KN_BOTH, "minimum size of an equivalence class", KN_OF(kanon_result, k) },
    { "suppression", KN_AS_SHARE, KN_INSIDE, "maximum share of rows to suppress",
      KN_OF(kanon_result, suppression) },
    { "suppression_rows", KN_AS_COUNT, KN_INSIDE, "the same in rows: floor(suppression * rows)",
      KN_OF(kanon_result, suppression_rows) },
    { "suppressed", KN_AS_CHOICE, KN_BOTH, "what happens to suppressed rows",
      KN_OF(kanon_result, suppressed_as), .words = kn_suppressed_names },
    { "identifiers", KN_AS_CHOICE, KN_INSIDE, "what happens to identifiers",
      KN_OF(kanon_result, identifiers_as), .words = kn_identifiers_names },
    { "others", KN_AS_CHOICE, KN_INSIDE, "what happens to columns without a role",
      KN_OF(kanon_result, others_as), .words = kn_others_names },
    { "algorithm", KN_AS_TEXT, KN_INSIDE, "the one that ran", KN_OF(kanon_result, algorithm) },
    { "algorithm_asked", KN_AS_TEXT, KN_INSIDE, "auto, where auto chose",
      KN_OF(kanon_result, algorithm_asked) },
    { "choice", KN_AS_TEXT, KN_INSIDE, "what auto chose and why; else empty",
      KN_OF(kanon_result, choice) },
    { "metric", KN_AS_TEXT, KN_INSIDE, "what was minimised", KN_OF(kanon_result, metric) },
    { "seed", KN_AS_COUNT, KN_INSIDE, "seed of the searches", KN_OF(kanon_result, seed) },
    { "order_key", KN_AS_TEXT, KN_INSIDE,
      "key of the order of released rows: the same input, settings, seed and key give the same "
      "bytes",
      .get = get_order_key, .given = &shuffled },
    { "threads", KN_AS_SIZE, KN_INSIDE, "that worked", KN_OF(kanon_result, threads) },
    { "keep_order", KN_AS_TRUTH, KN_INSIDE, "whether released rows are in the order of the table",
      KN_OF(kanon_result, keep_order) },
    { "weights", KN_AS_MAP, KN_INSIDE, "of each quasi-identifier in means over them",
      .entry = weight_entry, .item = KN_AS_AMOUNT, .given = &weighted },
    { "control", KN_AS_MAP, KN_INSIDE,
      "settings of single columns that were given, as on the command line: COLUMN=VALUE",
      .entry = control_entry, .item = KN_AS_TEXT, .given = &controlled },
    { "local", KN_AS_CHOICE, KN_INSIDE, "what a class shows", KN_OF(kanon_result, local),
      .words = kn_local_names, .given = &local },
    { "snap", KN_AS_CHOICE, KN_INSIDE, "where intervals and labels end", KN_OF(kanon_result, snap),
      .words = kn_snap_names },
    { "intervals", KN_AS_CHOICE, KN_INSIDE, "how intervals of numbers are written",
      KN_OF(kanon_result, intervals), .words = kn_intervals_names },
    { "formulas", KN_AS_CHOICE, KN_INSIDE, "what happens to cells that a spreadsheet would run",
      KN_OF(kanon_result, formulas_as), .words = kn_formulas_names },
    { "models", KN_AS_LIST, KN_BOTH, "the required privacy models beyond k",
      KN_ROWS(kanon_result, models, nmodels), .shape = &model_shape, .given = &models,
      .flags = KN_GIVEN_OUTSIDE },
    { "params", KN_AS_MAP, KN_INSIDE, "the algorithm's own settings as used", .entry = param_entry,
      .item = KN_AS_TEXT },
    KN_FIELDS_END,
};
static const kn_described parameters_shape = { "parameters", parameters_fields };

static const kn_field solution_fields[] = {
    { "levels", KN_AS_MAP, KN_INSIDE, "by column name", .entry = level_entry, .item = KN_AS_LEVEL,
      .given = &levels },
    { "heights", KN_AS_MAP, KN_INSIDE, "the top level of each hierarchy", .entry = height_entry,
      .item = KN_AS_LEVEL },
    { "full_domain", KN_AS_TRUTH, KN_INSIDE, "false: local recoding",
      KN_OF(kanon_result, full_domain) },
    { "k", KN_AS_COUNT, KN_BOTH, "size of the smallest released class; 0 without one",
      KN_OF(kanon_result, k_reached) },
    { "classes", KN_AS_COUNT, KN_BOTH, "released equivalence classes",
      KN_OF(kanon_result, classes) },
    { "released_rows", KN_AS_COUNT, KN_BOTH, "rows of the classes",
      KN_OF(kanon_result, released_rows) },
    { "suppressed_rows", KN_AS_COUNT, KN_INSIDE,
      "with released_rows it adds up to the rows of the input",
      KN_OF(kanon_result, suppressed_rows) },
    { "suppressed_rows", KN_AS_OBJECT, KN_OUTSIDE, "which the release does not show",
      KN_WITHIN(kanon_result, suppressed_rows, about_lost_shape) },
    { "masked_rows", KN_AS_COUNT, KN_INSIDE,
      "suppressed rows that the release has with * in every quasi-identifier",
      KN_OF(kanon_result, masked_rows) },
    { "information_lost", KN_AS_SHARE, KN_OUTSIDE,
      "general loss; null: omitted, because rows could be suppressed, or there are none",
      .get = get_public_loss, .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described solution_shape = { "solution", solution_fields };

static const kn_field metrics_fields[] = {
#define NEEDS_LEVELS &levels
#define NEEDS_NOTHING NULL
#define METRIC(name, type, needs, text)                                                            \
    { #name,                                                                                       \
      KN_AS_##type,                                                                                \
      KN_INSIDE,                                                                                   \
      text,                                                                                        \
      KN_OF(kanon_result, metrics.name),                                                           \
      .given = NEEDS_##needs },
    KN_METRIC_LIST(METRIC)
#undef METRIC
        KN_FIELDS_END,
};
static const kn_described metrics_shape = { "metrics", metrics_fields };

static const kn_field attribute_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_result_attribute, name) },
    { "type", KN_AS_CHOICE, KN_INSIDE, "its type", KN_OF(kn_result_attribute, type),
      .words = kn_type_names },
    { "hierarchy", KN_AS_TEXT, KN_INSIDE, "kind of its hierarchy",
      KN_OF(kn_result_attribute, hierarchy) },
    { "level", KN_AS_LEVEL, KN_INSIDE, "at which it was released",
      KN_OF(kn_result_attribute, level), .given = &levels, .known = &released },
    { "height", KN_AS_LEVEL, KN_INSIDE, "the top level", KN_OF(kn_result_attribute, height) },
    { "example", KN_AS_TEXT, KN_INSIDE,
      "one of the released values, where they are generalized; null at level 0, and for local "
      "recoding where no interval was widened: an exact end is an original value",
      .get = get_example, .flags = KN_OR_NULL },
    { "log", KN_AS_SHARE, KN_INSIDE, "level over height", KN_OF(kn_result_attribute, loss.log),
      .given = &levels, .known = &released },
    { "glm", KN_AS_SHARE, KN_INSIDE, "general loss", KN_OF(kn_result_attribute, loss.glm),
      .known = &released },
    { "gcp", KN_AS_SHARE, KN_INSIDE, "global certainty penalty",
      KN_OF(kn_result_attribute, loss.gcp), .known = &released },
    { "total_il", KN_AS_SHARE, KN_INSIDE, "total information loss (Byun)",
      KN_OF(kn_result_attribute, loss.total_il), .known = &released },
    { "entropy", KN_AS_SHARE, KN_INSIDE, "non-uniform entropy loss",
      KN_OF(kn_result_attribute, loss.entropy), .known = &released },
    KN_FIELDS_END,
};
static const kn_described attribute_shape = { "attribute", attribute_fields };

static const kn_field setting_fields[] = {
    { "setting", KN_AS_TEXT, KN_INSIDE, "its name on the command line", KN_OF(kn_setting, key) },
    { "value", KN_AS_TEXT, KN_INSIDE, "a value of it", KN_OF(kn_setting, value) },
    KN_FIELDS_END,
};
static const kn_described setting_shape = { "setting", setting_fields };

static const kn_field column_fields[] = {
    { "name", KN_AS_TEXT, KN_BOTH, "name of the column", KN_OF(kn_result_attribute, name) },
    { "role", KN_AS_CHOICE, KN_BOTH, "its role", KN_OF(kn_result_attribute, role),
      .words = kn_role_names },
    { "values_before", KN_AS_COUNT, KN_INSIDE,
      "distinct values in the input: exact for quasi and sensitive columns, estimated within a few "
      "percent otherwise; null: not counted",
      KN_OF(kn_result_attribute, values_before), .flags = KN_OR_NULL },
    { "values_after", KN_AS_COUNT, KN_INSIDE, "distinct values in the release; null: not counted",
      KN_OF(kn_result_attribute, values_after), .flags = KN_OR_NULL },
    { "formulas", KN_AS_COUNT, KN_INSIDE,
      "released cells that a spreadsheet would run as a formula, before they are quoted",
      KN_OF(kn_result_attribute, formulas) },
    { "values", KN_AS_COUNT, KN_OUTSIDE, "distinct released values",
      KN_OF(kn_result_attribute, values_after), .given = &quasi },
    { "information_lost", KN_AS_SHARE, KN_OUTSIDE,
      "general loss; null: omitted, because rows could be suppressed, or there are none",
      .get = get_public_column_loss, .given = &quasi, .flags = KN_OR_NULL },
    KN_FIELDS_END,
};
static const kn_described column_shape = { "column", column_fields };

static const kn_field sensitive_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_sensitive_result, name) },
    { "distinct", KN_AS_COUNT, KN_INSIDE, "distinct values in the input",
      KN_OF(kn_sensitive_result, distinct) },
    { "l", KN_AS_COUNT, KN_INSIDE, "minimum number of distinct values in a released class",
      KN_OF(kn_sensitive_result, min_distinct) },
    { "entropy_l", KN_AS_AMOUNT, KN_INSIDE, "exp of the minimum class entropy",
      KN_OF(kn_sensitive_result, min_entropy_l) },
    { "t", KN_AS_SHARE, KN_INSIDE, "maximum distance of a class from the table (equal distance)",
      KN_OF(kn_sensitive_result, max_t) },
    { "homogeneous_rows", KN_AS_COUNT, KN_INSIDE, "rows in classes with a single value",
      KN_OF(kn_sensitive_result, homogeneous_rows) },
    { "guessed_rows", KN_AS_COUNT, KN_INSIDE,
      "rows in classes where one value has at least 90 % of the rows, but less than that of the "
      "input",
      KN_OF(kn_sensitive_result, guessed_rows) },
    { "max_ratio", KN_AS_AMOUNT, KN_INSIDE,
      "greatest share of a value in a class over its share in the input",
      KN_OF(kn_sensitive_result, max_ratio) },
    { "unique_rows", KN_AS_COUNT, KN_INSIDE, "released rows whose value no other released row has",
      KN_OF(kn_sensitive_result, unique_rows) },
    { "top_share", KN_AS_SHARE, KN_INSIDE, "of the most frequent value, in the input",
      KN_OF(kn_sensitive_result, top_share) },
    KN_FIELDS_END,
};
static const kn_described sensitive_shape = { "sensitive", sensitive_fields };

static const kn_field before_fields[] = {
    { "prosecutor_max", KN_AS_SHARE, KN_INSIDE, KN_MEANS_GREATEST_RISK,
      KN_OF(kanon_result, risk_before.prosecutor_max) },
    KN_FIELDS_RISK(kanon_result, risk_before, KN_INSIDE, .known = NULL),
    KN_FIELDS_END,
};
static const kn_described before_shape = { "before", before_fields };

static const kn_field risk_fields[] = {
    { "prosecutor_max", KN_AS_SHARE, KN_INSIDE,
      KN_MEANS_GREATEST_RISK
      "; with entity 1 over the fewest persons of a class, while everything else here counts rows",
      KN_OF(kanon_result, risk_after.prosecutor_max), .known = &released },
    { "prosecutor_max", KN_AS_SHARE, KN_OUTSIDE,
      KN_MEANS_GREATEST_RISK "; with entity by no more persons than were promised",
      .get = get_public_risk },
    KN_FIELDS_RISK(kanon_result, risk_after, KN_BOTH, .known = &released,
                   .flags = KN_KNOWN_OUTSIDE),
    { "before", KN_AS_OBJECT, KN_INSIDE, "the same of the input", .shape = &before_shape },
    KN_FIELDS_END,
};
static const kn_described risk_shape = { "risk", risk_fields };

static const kn_field class_size_fields[] = {
    { "from", KN_AS_SIZE, KN_OUTSIDE, "smallest class size of the bucket",
      KN_OF(kn_class_bucket, from) },
    { "to", KN_AS_COUNT, KN_OUTSIDE, "largest one; null: no upper end", KN_OF(kn_class_bucket, to),
      .flags = KN_ZERO_IS_NULL },
    { "rows", KN_AS_OBJECT, KN_OUTSIDE, "rows of these classes",
      KN_WITHIN(kn_class_bucket, rows, about_shape) },
    KN_FIELDS_END,
};
static const kn_described class_size_shape = { "class_size", class_size_fields };

static const kn_field curve_fields[] = {
    { "seconds", KN_AS_AMOUNT, KN_INSIDE, "since the search began",
      KN_OF(kn_curve_point, seconds) },
    { "evaluations", KN_AS_COUNT, KN_INSIDE, "until then", KN_OF(kn_curve_point, evaluations) },
    { "loss", KN_AS_AMOUNT, KN_INSIDE, "the metric that is minimised, of the best result so far",
      KN_OF(kn_curve_point, loss) },
    KN_FIELDS_END,
};
static const kn_described curve_shape = { "point", curve_fields };

static const kn_field search_fields[] = {
    { "evaluations", KN_AS_COUNT, KN_INSIDE,
      "nodes checked against the table; local recoding: costs of rows and classes computed",
      KN_OF(kanon_result, evaluations) },
    { "predicted", KN_AS_COUNT, KN_INSIDE, "further nodes, decided by monotonicity alone",
      KN_OF(kanon_result, predicted), .given = &levels },
    { "optimal", KN_AS_TRUTH, KN_INSIDE, "true only with a proof", .get = get_optimal },
    { "loss", KN_AS_NUMBER, KN_INSIDE, "the metric that was minimised", KN_OF(kanon_result, loss),
      .known = &released },
    { "lower_bound", KN_AS_NUMBER, KN_INSIDE, "no release loses less",
      KN_OF(kanon_result, lower_bound), .known = &bounded, .flags = KN_OR_NULL },
    { "gap", KN_AS_AMOUNT, KN_INSIDE, "loss - lower_bound", KN_OF(kanon_result, gap),
      .known = &bounded, .flags = KN_OR_NULL },
    { "stopped", KN_AS_TEXT, KN_INSIDE,
      "complete, max-evaluations, time-limit, interrupted (the user stopped the search), stalled, "
      "cycles, ...",
      KN_OF(kanon_result, stopped) },
    { "lattice_nodes", KN_AS_AMOUNT, KN_INSIDE, "in all; null: more than a double holds",
      KN_OF(kanon_result, lattice_nodes), .given = &levels, .flags = KN_OR_NULL },
    { "searched_nodes", KN_AS_AMOUNT, KN_INSIDE, "those within the lower bounds",
      KN_OF(kanon_result, searched_nodes), .given = &levels, .flags = KN_OR_NULL },
    { "bounds", KN_AS_MAP, KN_INSIDE, "lowest level per quasi-identifier that can be feasible",
      .entry = bound_entry, .item = KN_AS_LEVEL, .given = &levels, .known = &with_bounds },
    { "curve", KN_AS_LIST, KN_INSIDE, "the best loss over time",
      KN_ROWS(kanon_result, curve, ncurve), .shape = &curve_shape },
    KN_FIELDS_END,
};
static const kn_described search_shape = { "search", search_fields };

static const kn_field seconds_fields[] = {
    { "read", KN_AS_AMOUNT, KN_INSIDE, "to read the table", KN_OF(kn_result_seconds, read) },
    { "encode", KN_AS_AMOUNT, KN_INSIDE, "to learn its values", KN_OF(kn_result_seconds, encode) },
    { "search", KN_AS_AMOUNT, KN_INSIDE, "to find the release", KN_OF(kn_result_seconds, search) },
    { "transform", KN_AS_AMOUNT, KN_INSIDE, "to prepare and measure it",
      KN_OF(kn_result_seconds, transform) },
    { "write", KN_AS_AMOUNT, KN_INSIDE, "to write it", KN_OF(kn_result_seconds, write) },
    { "verify", KN_AS_AMOUNT, KN_INSIDE, "to verify what was written",
      KN_OF(kn_result_seconds, verify) },
    { "total", KN_AS_AMOUNT, KN_INSIDE, "in all", KN_OF(kn_result_seconds, total) },
    KN_FIELDS_END,
};
static const kn_described seconds_shape = { "seconds", seconds_fields };

static const kn_field verdict_fields[] = {
    KN_FIELDS_OPENING(kn_result_verdict, opening.),
    { "kept", KN_AS_SHARE, KN_INSIDE,
      "share of the information in the quasi-identifiers that is left: 1 - glm; null: no release",
      KN_OF(kn_result_verdict, kept), .flags = KN_OR_NULL },
    { "hidden", KN_AS_SHARE, KN_INSIDE,
      "share of the cells of quasi-identifiers that are * or in a suppressed row; null: no release",
      KN_OF(kn_result_verdict, hidden), .flags = KN_OR_NULL },
    { "worthless", KN_AS_TRUTH, KN_INSIDE, "hidden is above 0.75: most of the data is gone",
      KN_OF(kn_result_verdict, worthless) },
    { "gone", KN_AS_LIST, KN_INSIDE, "quasi-identifiers that became * or one single value",
      KN_ROWS(kn_result_verdict, gone, ngone), .item = KN_AS_TEXT, .flags = KN_DISTINCT },
    { "could_keep", KN_AS_LIST, KN_INSIDE,
      "of a worthless release: sets of quasi-identifiers that could be kept instead, the others "
      "dropped, and what a full-domain release of each keeps at least",
      KN_ROWS(kn_result_verdict, sets.of, sets.count), .shape = &kn_shape_kept_set },
    KN_FIELDS_END,
};
static const kn_described verdict_shape = { "verdict", verdict_fields };

static const char *const outcome_words[] = { [KANON_OPTIMAL] = "optimal",
                                             [KANON_FEASIBLE] = "feasible",
                                             [KANON_INFEASIBLE] = "infeasible",
                                             NULL };
static const char *const internal_word[] = { "internal", NULL };
static const char *const external_word[] = { "external", NULL };

static const kn_field result_fields[] = {
    KN_FIELD_KANON,
    KN_FIELD_SCHEMA(KN_INSIDE, KN_SCHEMA_REPORT),
    KN_FIELD_SCHEMA(KN_OUTSIDE, KN_SCHEMA_EXTERNAL),
    { "audience", KN_AS_CHOICE, KN_INSIDE,
      "the external edition is described in report-external.schema.json", .get = get_internal,
      .words = internal_word },
    { "audience", KN_AS_CHOICE, KN_OUTSIDE, "this edition may be published with the release",
      .get = get_external, .words = external_word },
    { "outcome", KN_AS_CHOICE, KN_INSIDE,
      "optimal: released and proven optimal; feasible: released; infeasible: nothing was released",
      KN_OF(kanon_result, outcome), .words = outcome_words },
    { "released", KN_AS_TRUTH, KN_OUTSIDE,
      "false: nothing was, and the keys about a release are not there", .get = get_released },
    { "verdict", KN_AS_OBJECT, KN_BOTH, "what a reader must know first, in sentences",
      KN_WITHIN(kanon_result, verdict, verdict_shape) },
    { "input", KN_AS_OBJECT, KN_INSIDE, "the table", .shape = &input_shape },
    { "output", KN_AS_OBJECT, KN_BOTH, "the release", .shape = &output_shape, OF_A_RELEASE },
    { "parameters", KN_AS_OBJECT, KN_BOTH, "as used", .shape = &parameters_shape },
    { "solution", KN_AS_OBJECT, KN_BOTH, "how the table was released", .shape = &solution_shape,
      OF_A_RELEASE },
    { "metrics", KN_AS_OBJECT, KN_INSIDE, "what it lost", .shape = &metrics_shape,
      .known = &released },
    { "attributes", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers, in the order of the table",
      KN_ROWS(kanon_result, attributes, nattributes), .shape = &attribute_shape,
      .keeps = is_quasi },
    { "columns", KN_AS_LIST, KN_INSIDE, "all columns, in the order of the table",
      KN_ROWS(kanon_result, attributes, nattributes), .shape = &column_shape },
    { "columns", KN_AS_LIST, KN_OUTSIDE, "columns of the release",
      KN_ROWS(kanon_result, attributes, nattributes), .shape = &column_shape,
      .keeps = is_public_column, .given = &published },
    { "sensitive", KN_AS_LIST, KN_INSIDE, "the sensitive columns; none when nothing was released",
      KN_ROWS(kanon_result, sensitive, nsensitive), .shape = &sensitive_shape,
      .keeps = is_released },
    { "risk", KN_AS_OBJECT, KN_BOTH, "of the released rows", .shape = &risk_shape,
      .given = &published, .flags = KN_GIVEN_INSIDE },
    { "linkage", KN_AS_OBJECT, KN_INSIDE,
      "rows that can be told from all others of their class by released columns that are no "
      "quasi-identifiers",
      KN_WITHIN(kanon_result, linkage, kn_shape_linkage), .known = &linked },
    { "class_sizes", KN_AS_LIST, KN_INSIDE, "the released classes by size",
      KN_ROWS(kanon_result, histogram, nhistogram), .shape = &kn_shape_bucket,
      .keeps = is_released },
    { "class_sizes", KN_AS_LIST, KN_OUTSIDE, "the released classes by size",
      KN_ROWS(kanon_result, histogram, nhistogram), .shape = &class_size_shape,
      .given = &published },
    { "search", KN_AS_OBJECT, KN_INSIDE, "how the release was found", .shape = &search_shape },
    { "seconds", KN_AS_OBJECT, KN_INSIDE, "elapsed time",
      KN_WITHIN(kanon_result, seconds, seconds_shape) },
    { "peak_bytes", KN_AS_SIZE, KN_INSIDE, "peak memory of the process; null: unknown",
      KN_OF(kanon_result, peak_bytes), .flags = KN_ZERO_IS_NULL },
    { "settings", KN_AS_LIST, KN_INSIDE,
      "what the labels of the release follow from, as on the command line; `kanon compare` reads "
      "it",
      KN_ROWS(kanon_result, settings, nsettings), .shape = &setting_shape },
    { "profile", KN_AS_OBJECT, KN_BOTH, "what a law or guideline requires, as far as it is counted",
      KN_WITHIN(kanon_result, profile, kn_shape_profile), .given = &profiled },
    KN_FIELD_FINDINGS(kanon_result),
    KN_FIELDS_END,
};
const kn_described kn_shape_result = { "report", result_fields };

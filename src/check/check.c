/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- measures any table: reads it once, groups its rows by the quasi-identifiers, counts.
 * Memory: the dictionaries of the columns that take part and their distinct tuples, not the rows. Rows look
 * alike only when their quasi-identifiers are written alike: a missing value is a value, each spelling of it
 * another one, since whoever reads the table can tell them apart; a cell `*` is an ordinary value. In a
 * sensitive column all spellings are one value: they say the same of a person. */
#include "check/checked.h"

#include "problem/columns.h"
#include "problem/models.h"
#include "problem/table.h"

/* --- columns ----------------------------------------------------------------------------------- */

static kanon_status
add_column(kn_check_table *table, const kn_rows *rows, const kn_attribute *attribute)
{
    kn_check_column *column = &table->columns[table->ncolumns];
    kanon_status     rc = kn_column_position(rows, attribute, &column->index);

    if (rc < 0)
        return rc;
    column->name = attribute->name;
    column->missing = KN_NO_CODE;
    table->ncolumns++;
    return kn_dict_new(table->ctx, &column->dict);
}

/* Appends the columns of a role, in the order in which the config names them. */
static kanon_status
select_role(kn_check_table *table, const kanon_config *config, const kn_rows *rows, kn_role role)
{
    for (size_t i = 0; i < config->nattributes; i++) {
        kanon_status rc = config->attributes[i].role == role
                            ? add_column(table, rows, &config->attributes[i])
                            : KANON_OK;

        if (rc < 0)
            return rc;
    }
    return KANON_OK;
}

/* A column that only a model looks at: where it stands behind the quasi-identifiers. It may be a
 * sensitive one as well. */
static kanon_status
select_other(kn_check_table *table, const kn_rows *rows, const char *name, size_t *place)
{
    kn_attribute attribute = { .name = name };

    *place = SIZE_MAX;
    if (!name)
        return KANON_OK;
    for (*place = 0; table->nquasi + *place < table->ncolumns; ++*place)
        if (strcmp(table->columns[table->nquasi + *place].name, name) == 0)
            return KANON_OK;
    return add_column(table, rows, &attribute);
}

static bool
has_column(const kn_rows *rows, const char *name)
{
    for (size_t i = 0; i < kn_rows_columns(rows); i++)
        if (kn_str_equal(kn_rows_names(rows)[i], kn_str_of(name)))
            return true;
    return false;
}

/* The columns that settings of models name. A release often does not have the one that tells persons apart:
 * an identifier may be left out. Any other name that is not there is most likely misspelt. */
static kanon_status
select_named(kn_check_table *table, const kanon_config *config, const kn_rows *rows)
{
    kanon_status rc = KANON_OK;
    const char  *entity = kn_config_entity(config);

    table->no_entity = entity && kn_config_hides(config, kn_str_of(entity))
                    && !has_column(rows, entity);
    for (size_t i = 0; i < KN_MODEL_COUNT; i++) {
        const char *name = config->models.asked[i].column;

        KN_TRY(select_other(table, rows, name == entity && table->no_entity ? NULL : name,
                            &table->named[i]));
    }
out:
    return rc;
}

static kanon_status
select_columns(kn_check_table *table, const kanon_config *config, const kn_rows *rows)
{
    kanon_status rc = KANON_OK;

    table->columns = KN_NEW_ARRAY(table->ctx, kn_check_column,
                                  config->nattributes + KN_MODEL_COUNT);
    if (!table->columns)
        return KANON_E_NOMEM;
    KN_TRY(kn_count_check(config, rows));
    KN_TRY(select_role(table, config, rows, KN_ROLE_QUASI));
    table->nquasi = table->ncolumns;
    if (!table->nquasi)
        KN_TRY(kn_fail(table->ctx, KANON_E_INVALID,
                       "no quasi-identifier is named; use --qi COLUMN,COLUMN"));
    KN_TRY(select_role(table, config, rows, KN_ROLE_SENSITIVE));
    table->nsensitive = table->ncolumns - table->nquasi;
    KN_TRY(select_named(table, config, rows));
    KN_TRY(kn_tuples_new(table->ctx, table->ncolumns, &table->tuples));
out:
    return rc;
}

/* --- reading ----------------------------------------------------------------------------------- */

/* Which values of the quasi-identifiers are missing ones. Who merges their spellings loses nothing. */
static kanon_status
find_absent(kn_check_table *table, const kanon_config *config)
{
    for (size_t i = 0; i < table->nquasi; i++) {
        kn_check_column *column = &table->columns[i];
        uint32_t         count = kn_dict_count(column->dict), spellings = 0;

        column->absent = KN_NEW_ARRAY(table->ctx, bool, count);
        if (!column->absent)
            return KANON_E_NOMEM;
        for (uint32_t v = 0; v < count; v++) {
            column->absent[v] = kn_load_is_null(kn_dict_value(column->dict, v))
                             || kn_config_missing(config, kn_dict_value(column->dict, v));
            spellings += column->absent[v];
        }
        if (spellings > 1)
            kn_warn(table->ctx, KN_FOUND_MISSING_SPELLINGS, kn_at_column(column->name),
                    "'%s' has %u spellings of a missing value, which readers of the table can tell "
                    "apart, so rows that differ in them are in different classes" KN_DO
                    "use one spelling",
                    column->name, spellings);
    }
    return KANON_OK;
}

typedef struct row_view {
    kn_clear           *identifiers;
    const kanon_config *config;
    kn_check_table     *table;
    kn_profile_watch   *profile;
} row_view;

static kanon_status
see_row(void *user, const kn_str *cells, uint64_t weight)
{
    const row_view *view = user;

    kn_clear_count(view->identifiers, view->config, cells, weight);
    kn_profile_watch_row(view->profile, cells, weight);
    return kn_check_sample_row(view->table, cells, weight);
}

static kanon_status
load(kn_check_table *table, const kanon_config *config, kn_rows *rows, row_view *view)
{
    kanon_status    rc = KANON_OK;
    kn_load_column *columns = KN_NEW_ARRAY(table->ctx, kn_load_column, table->ncolumns);
    kn_str         *missing = NULL;
    kn_loader       loader = { .stage = "read",
                               .nmissing = config->nmissing,
                               .columns = columns,
                               .ncolumns = table->ncolumns,
                               .tuples = table->tuples,
                               .count = kn_count_column(config, rows),
                               .see = see_row,
                               .user = view };

    if (!columns)
        return KANON_E_NOMEM;
    KN_TRY(kn_missing_tokens(table->ctx, config, &missing));
    loader.missing = missing;
    for (size_t i = 0; i < table->ncolumns; i++)
        columns[i] = (kn_load_column){ .position = table->columns[i].index,
                                       .kind = i < table->nquasi ? KN_MISSING_APART
                                                                 : KN_MISSING_ONE,
                                       .dict = table->columns[i].dict,
                                       .missing = KN_NO_CODE };
    KN_TRY(kn_load(&loader, rows));
    for (size_t i = 0; i < table->ncolumns; i++)
        table->columns[i].missing = columns[i].missing;
    KN_TRY(find_absent(table, config));
out:
    kn_free(table->ctx, missing);
    kn_free(table->ctx, columns);
    return rc;
}

/* --- classes ----------------------------------------------------------------------------------- */

static kanon_status
find_classes(kn_check_table *table)
{
    for (size_t i = 0; i < kn_tuples_count(table->tuples); i++) {
        void *classes = table->classes;

        if (!i || !kn_tuples_same(table->tuples, i - 1, i, table->nquasi)) {
            if (kn_grow(table->ctx, &classes, &table->classes_capacity, table->nclasses + 1,
                        sizeof *table->classes)
                < 0)
                return KANON_E_NOMEM;
            table->classes = classes;
            table->classes[table->nclasses++] = (kn_check_class){ i, 0 };
        }
        table->classes[table->nclasses - 1].rows += kn_tuples_weight(table->tuples, i);
    }
    return KANON_OK;
}

static void
count_class(kanon_check *check, uint64_t rows)
{
    size_t bucket = KN_CHECK_BUCKETS - 1;

    while (check->histogram[bucket].from > rows)
        bucket--;
    check->histogram[bucket].classes++;
    check->histogram[bucket].rows += rows;
    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        if (rows < check->below[i].limit) {
            check->below[i].classes++;
            check->below[i].rows += rows;
        }
    if (rows == 1)
        check->risk.uniques++;
    if (rows > check->risk.max_class)
        check->risk.max_class = rows;
    if (!check->risk.min_class || rows < check->risk.min_class)
        check->risk.min_class = rows;
}

/* Of the limits that the risk tells; all of them are counted in check->below. */
static double
share_below(const kanon_check *check, uint64_t limit)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < KN_CHECK_BELOWS; i++)
        if (check->below[i].limit == limit)
            rows = check->below[i].rows;
    return (double) rows / (double) check->risk.rows;
}

static void
measure_classes(const kn_check_table *table, kanon_check *check)
{
    kn_risk *risk = &check->risk;

    risk->rows = kn_tuples_rows(table->tuples);
    risk->classes = table->nclasses;
    for (size_t i = 0; i < table->nclasses; i++)
        count_class(check, table->classes[i].rows);
    if (!risk->rows)
        return;
    risk->prosecutor_max = 1 / (double) risk->min_class;
    risk->prosecutor_mean = (double) risk->classes / (double) risk->rows;
    risk->below_2 = share_below(check, 2);
    risk->below_5 = share_below(check, 5);
    risk->below_10 = share_below(check, 10);
}

/* --- the whole --------------------------------------------------------------------------------- */

static kanon_status
name_columns(const kn_check_table *table, const kn_rows *rows, kanon_check *check)
{
    check->nquasi = table->nquasi;
    check->quasi = kn_arena_alloc(&check->arena, table->nquasi * sizeof *check->quasi);
    check->name = kn_arena_text(&check->arena, kn_str_of(rows->name));
    if (!check->quasi || !check->name)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < table->nquasi; i++) {
        check->quasi[i] = kn_arena_text(&check->arena, kn_str_of(table->columns[i].name));
        if (!check->quasi[i])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static void
table_fini(kn_check_table *table)
{
    for (size_t i = 0; i < table->ncolumns; i++) {
        kn_dict_free(table->columns[i].dict);
        kn_free(table->ctx, table->columns[i].absent);
    }
    kn_free(table->ctx, table->columns);
    kn_free(table->ctx, table->classes);
    kn_class_sample_free(table->sample);
    kn_sample_fini(table->ctx, &table->cells);
    kn_free(table->ctx, table->sketches);
    kn_free(table->ctx, table->further);
    kn_free(table->ctx, table->key);
    kn_tuples_free(table->tuples);
}

kanon_status
kanon_table_check(kanon_ctx *ctx, const kanon_config *config, kanon_table *given, kanon_check **out)
{
    kanon_status   rc = kn_table_given(ctx, config, given, out);
    kn_check_table table = { .ctx = ctx };
    kn_rows       *rows = NULL;
    kanon_check   *check = NULL;
    row_view       view = { .config = config, .table = &table };

    if (rc < 0)
        return rc;
    *out = NULL;
    KN_TRY(kn_models_check(ctx, config, KN_MODELS_MEASURED));
    KN_TRY(kn_rows_open(given->rows, ctx, &rows));
    KN_TRY(select_columns(&table, config, rows));
    KN_TRY(kn_check_new(ctx, &check));
    check->columns = kn_rows_columns(rows);
    KN_TRY(name_columns(&table, rows, check));
    KN_TRY(kn_clear_find(&check->arena, config, rows, &check->identifiers));
    KN_TRY(kn_check_open_sample(&table, config, rows));
    KN_TRY(kn_profile_watch_new(ctx, config, rows, &view.profile));
    view.identifiers = &check->identifiers;
    KN_TRY(load(&table, config, rows, &view));
    KN_TRY(kn_check_link(&table, config, rows, check));
    KN_TRY(kn_check_doubt_roles(&table, config, rows, check));
    KN_TRY(find_classes(&table));
    measure_classes(&table, check);
    KN_TRY(kn_check_measure_sensitive(&table, check));
    KN_TRY(kn_check_judge_models(&table, config, given->rows, check));
    KN_TRY(kn_check_profile(view.profile, config, rows, check));
    if (config->wildcard)
        KN_TRY(kn_check_match_wildcards(&table, check));
    KN_TRY(kn_check_judge(check));
    *out = check;
    check = NULL; /* moved: the caller owns it now */
out:
    kanon_check_free(check);
    kn_profile_watch_free(view.profile);
    kn_rows_close(rows);
    table_fini(&table);
    kn_job_over(ctx);
    return rc;
}

KN_JOB_ON_SOURCE(kanon_check_run, kanon_table_check, kanon_check)

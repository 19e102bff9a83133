/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c -- `kanon compare`: opens both tables, decides which columns take part, and knows the order
 * of the stages; what is measured, and how, is in src/compare. */
#include "compare/compare.h"
#include "base/text.h"
#include "problem/columns.h"
#include "problem/table.h"

enum { QUERIES = 1000, LEAST_ROWS = 10, COLUMNS_MOST = 1000 };

/* --- the two files ---------------------------------------------------------------------------- */

typedef struct files {
    kn_rows_source *sources[2];
    kn_rows        *rows[2];
} files;

static bool
share_a_column(const kn_rows *a, const kn_rows *b)
{
    for (size_t i = 0; i < kn_rows_columns(a); i++)
        if (kn_rows_find(b, kn_rows_names(a)[i]) != SIZE_MAX)
            return true;
    return false;
}

/* The release may be written in another dialect than the one that was given for the original. */
static kanon_status
open_files(kanon_ctx *ctx, files *f)
{
    kanon_status rc = KANON_OK;

    KN_TRY(kn_rows_open(f->sources[0], ctx, &f->rows[0]));
    kn_csv_table_like(f->sources[1], f->rows[0]);
    KN_TRY(kn_rows_open(f->sources[1], ctx, &f->rows[1]));
    if (!share_a_column(f->rows[0], f->rows[1]) && kn_csv_table_sniff(f->sources[1])) {
        kn_rows_close(f->rows[1]);
        f->rows[1] = NULL;
        KN_TRY(kn_rows_open(f->sources[1], ctx, &f->rows[1]));
    }
    if (!share_a_column(f->rows[0], f->rows[1]))
        rc = kn_fail_at(ctx, KANON_E_INVALID, f->sources[1]->name, 0,
                        "has no column of %s; expected a release of it with the same column names",
                        f->sources[0]->name);
out:
    return rc;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Every configured name must be a column of the original. */
static kanon_status
check_names(const kanon_config *config, const files *f)
{
    kanon_status rc = KANON_OK;
    size_t       place;

    for (size_t i = 0; rc == KANON_OK && i < config->nattributes; i++)
        rc = kn_column_position(f->rows[0], &config->attributes[i], &place);
    return rc == KANON_OK ? kn_count_check(config, f->rows[0]) : rc;
}

/* Adds a name to one of the lists of columns that are not compared. */
static kanon_status
list_name(kanon_comparison *out, kn_str name, const char **list, size_t *count)
{
    list[*count] = kn_arena_text(&out->arena, name);
    if (!list[*count])
        return KANON_E_NOMEM;
    ++*count;
    return KANON_OK;
}

static kanon_status
take_column(kn_compare *compare, kn_str name, size_t place, size_t released)
{
    kn_compare_column *c = &compare->columns[compare->ncolumns++];

    c->attribute = kn_config_attribute(compare->config, name);
    c->role = kn_config_role(compare->config, name);
    c->place[0] = place;
    c->place[1] = released;
    c->name = kn_arena_text(&compare->arena, name);
    return c->name ? KANON_OK : KANON_E_NOMEM;
}

/* Identifiers stay outside. A column that the release lacks counts only if it is a quasi-identifier. */
static kanon_status
choose_columns(kn_compare *compare, const files *f, kanon_comparison *out)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < kn_rows_columns(f->rows[0]); i++) {
        kn_str  name = kn_rows_names(f->rows[0])[i];
        size_t  released = kn_rows_find(f->rows[1], name);
        kn_role role = kn_config_role(compare->config, name);

        if (i == kn_count_column(compare->config, f->rows[0]))
            continue;
        if (role == KN_ROLE_IDENTIFIER)
            KN_TRY(list_name(out, name, out->left_out, &out->nleft_out));
        else if (released == SIZE_MAX && role != KN_ROLE_QUASI)
            KN_TRY(list_name(out, name, out->dropped, &out->ndropped));
        else
            KN_TRY(take_column(compare, name, i, released));
    }
    for (size_t i = 0; i < kn_rows_columns(f->rows[1]); i++)
        if (kn_rows_find(f->rows[0], kn_rows_names(f->rows[1])[i]) == SIZE_MAX)
            KN_TRY(list_name(out, kn_rows_names(f->rows[1])[i], out->added, &out->nadded));
    if (!compare->ncolumns)
        rc = kn_fail(
            compare->ctx, KANON_E_INVALID,
            "every column that both tables have is an identifier; give at least one another role");
    else if (compare->ncolumns > COLUMNS_MOST)
        rc = kn_fail(compare->ctx, KANON_E_UNSUPPORTED,
                     "%zu columns to compare; the maximum is %d, because every pair is examined; "
                     "remove columns from both tables, or give them the role identifier",
                     compare->ncolumns, COLUMNS_MOST);
out:
    return rc;
}

static kanon_status
refuse_label(const kn_compare *compare)
{
    const kanon_config *config = compare->config;
    const char        **names = KN_NEW_ARRAY(compare->ctx, const char *, compare->ncolumns + 1);
    const char         *nearest;
    kanon_status        rc;

    if (!names)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < compare->ncolumns; i++)
        names[i] = compare->columns[i].name;
    nearest = kn_nearest(config->label, names);
    rc = kn_fail_at(compare->ctx, KANON_E_INVALID, config->label_at.file, config->label_at.line,
                    "label: '%s' is not a compared column; name one that both tables have and that "
                    "is not an identifier%s%s%s",
                    config->label, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                    nearest ? "'?" : "");
    kn_free(compare->ctx, (void *) names);
    return rc;
}

/* The one named, else the first sensitive one, as for the metric cm. */
static kanon_status
find_label(kn_compare *compare)
{
    const kanon_config *config = compare->config;

    compare->label = SIZE_MAX;
    for (size_t i = compare->ncolumns; i-- > 0;) {
        const kn_compare_column *c = &compare->columns[i];

        if (config->label ? strcmp(c->name, config->label) == 0 : c->role == KN_ROLE_SENSITIVE)
            compare->label = c->place[1] == SIZE_MAX ? SIZE_MAX : i;
    }
    return config->label && compare->label == SIZE_MAX ? refuse_label(compare) : KANON_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void
warn_clear(const kn_compare *compare, const kanon_comparison *out)
{
    for (size_t i = 0; i < out->identifiers.count; i++) {
        const kn_clear_column *e = &out->identifiers.columns[i];

        if (e->rows)
            kn_warn(compare->ctx, KN_FOUND_CLEAR_IDENTIFIER, kn_at_column(e->name),
                    "%s: the identifier '%s' is in clear in %llu %s" KN_DO
                    "do not share this release",
                    out->released, e->name, (unsigned long long) e->rows,
                    e->rows == 1 ? "row" : "rows");
    }
}

static kanon_status
begin(kn_compare *compare, const files *f, kanon_comparison *out)
{
    size_t before = kn_rows_columns(f->rows[0]), after = kn_rows_columns(f->rows[1]);

    compare->columns = kn_compare_array(compare, before, sizeof *compare->columns);
    out->dropped = kn_arena_alloc(&out->arena, (before + 1) * sizeof *out->dropped);
    out->left_out = kn_arena_alloc(&out->arena, (before + 1) * sizeof *out->left_out);
    out->added = kn_arena_alloc(&out->arena, (after + 1) * sizeof *out->added);
    out->original = kn_arena_text(&out->arena, kn_str_of(f->sources[0]->name));
    out->released = kn_arena_text(&out->arena, kn_str_of(f->sources[1]->name));
    if (compare->config->taken_from
        && !(out->taken_from = kn_arena_text(&out->arena, kn_str_of(compare->config->taken_from))))
        return KANON_E_NOMEM;
    out->seed = compare->config->seed;
    out->least = compare->least;
    return compare->columns && out->dropped && out->left_out && out->added && out->original
                && out->released
             ? KANON_OK
             : KANON_E_NOMEM;
}

static kanon_status
run(kn_compare *compare, const files *f, kanon_comparison *out)
{
    kanon_status rc = KANON_OK;

    KN_TRY(begin(compare, f, out));
    KN_TRY(kn_clear_find(&out->arena, compare->config, f->rows[1], &out->identifiers));
    compare->identifiers = &out->identifiers;
    KN_TRY(check_names(compare->config, f));
    KN_TRY(choose_columns(compare, f, out));
    KN_TRY(find_label(compare));
    for (size_t side = 0; side < 2; side++)
        KN_TRY(kn_compare_read(compare, side, f->rows[side]));
    warn_clear(compare, out);
    KN_TRY(kn_compare_order(compare));
    KN_TRY(kn_compare_understand(compare));
    KN_TRY(kn_compare_bin(compare));
    KN_TRY(kn_compare_columns(compare, out));
    KN_TRY(kn_compare_pairs(compare, out));
    KN_TRY(kn_compare_learning(compare, out));
    KN_TRY(kn_compare_queries(compare, out));
out:
    return rc;
}

kanon_status
kanon_table_compare(kanon_ctx *ctx, const kanon_config *config, kanon_table *original,
                    kanon_table *released, const kanon_compare_options *options,
                    kanon_comparison **out)
{
    kanon_status      rc = KANON_OK;
    kn_compare        compare = { .ctx = ctx, .config = config };
    files             f = { { NULL, NULL }, { NULL, NULL } };
    kanon_comparison *comparison = NULL;
    kn_str           *missing = NULL;
    double            start = kn_seconds();

    if (!ctx || !config || !original || !released || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, original, released and out are required");
    *out = NULL;
    f.sources[0] = original->rows;
    f.sources[1] = released->rows;
    kn_arena_init(&compare.arena, ctx);
    compare.source = original->rows->name;
    compare.least = config->k > LEAST_ROWS ? config->k : LEAST_ROWS;
    compare.queries = !options            ? QUERIES
                    : options->no_queries ? 0
                    : options->queries    ? options->queries
                                          : QUERIES;
    KN_TRY(kn_comparison_new(ctx, &comparison));
    KN_TRY(kn_missing_tokens(ctx, config, &missing));
    compare.missing = missing;
    KN_TRY(open_files(ctx, &f));
    KN_TRY(run(&compare, &f, comparison));
    KN_TRY(kn_comparison_judge(comparison));
    comparison->seconds = kn_seconds() - start;
    *out = comparison;
    comparison = NULL; /* moved: the caller owns it now */
out:
    kanon_comparison_free(comparison);
    kn_rows_close(f.rows[0]);
    kn_rows_close(f.rows[1]);
    kn_free(ctx, missing);
    kn_compare_fini(&compare);
    kn_job_over(ctx);
    return rc;
}

kanon_status
kanon_compare(kanon_ctx *ctx, const kanon_config *config, const kanon_source *original,
              const kanon_source *released, const kanon_compare_options *options,
              kanon_comparison **out)
{
    kanon_status  rc = KANON_OK;
    kn_source_job before, after;

    if (out)
        *out = NULL;
    KN_TRY(kn_source_job_init(ctx, config, original, &before));
    KN_TRY(kn_source_job_init(ctx, config, released, &after));
    KN_TRY(kanon_table_compare(ctx, config, &before.table, &after.table, options, out));
out:
    return rc;
}

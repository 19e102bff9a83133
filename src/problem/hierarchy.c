/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.c -- the hierarchy that a job would use for one column, made from a table. */
#include "encode/learn.h"
#include "problem/columns.h"

static kanon_status
choose(void *user, const kn_rows *rows, size_t *positions, size_t *nquasi, size_t *nsensitive)
{
    *nquasi = 1;
    *nsensitive = 0;
    return kn_column_position(rows, user, &positions[0]);
}

kanon_status
kanon_hierarchy_build(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                      const char *column, kanon_hierarchy **out)
{
    kanon_status        rc = KANON_OK;
    const kn_attribute *known;
    kn_attribute        attribute = { 0 };
    kn_str             *missing = NULL;
    kn_csv_table        table;
    kn_rows            *rows = NULL;
    kn_learned         *learned = NULL;
    kn_learn_options    how = { 0 };
    kn_domain           domain;

    if (!ctx || !config || !source || !column || !out)
        return kn_fail(ctx, KANON_E_INVALID, "config, source, column and out are required");
    *out = NULL;
    KN_TRY(kn_source_table(ctx, config, source, &table));
    known = kn_config_attribute(config, kn_str_of(column));
    if (known)
        attribute = *known;
    attribute.name = column;
    KN_TRY(kn_missing_tokens(ctx, config, &missing));
    how = (kn_learn_options){
        .missing = missing, .nmissing = config->nmissing, .choose = choose, .user = &attribute
    };
    KN_TRY(kn_rows_open(&table.base, ctx, &rows));
    how.count = kn_count_column(config, rows);
    KN_TRY(kn_learn(ctx, rows, &how, &learned));
    domain = kn_learned_domain(learned, 0, source->name, config->k);
    kn_config_style(config, &domain);
    KN_TRY(kn_hierarchy_make(ctx, &attribute.hierarchy, attribute.type, &domain, out));
out:
    kn_learned_free(learned);
    kn_rows_close(rows);
    kn_free(ctx, missing);
    return rc;
}

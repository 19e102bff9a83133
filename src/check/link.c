/* SPDX-License-Identifier: Apache-2.0 */
/* link.c -- what the columns of a checked table tell beside its quasi-identifiers: all but identifiers. The
 * quasi-identifiers stand in the table as they are, so no column can tell more of them. */
#include "check/checked.h"
#include "problem/columns.h"

enum { FURTHER_MOST = 256 };

kanon_status
kn_check_open_sample(kn_check_table *table, const kanon_config *config, const kn_rows *rows)
{
    size_t n = kn_rows_columns(rows), count = kn_count_column(config, rows);

    table->further = KN_NEW_ARRAY(table->ctx, size_t, n);
    table->key = KN_NEW_ARRAY(table->ctx, kn_str, table->nquasi);
    if (!table->further || !table->key)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < n && table->nfurther < FURTHER_MOST; c++) {
        kn_role role = kn_config_role(config, kn_rows_names(rows)[c]);

        if (c != count && role != KN_ROLE_QUASI && role != KN_ROLE_IDENTIFIER)
            table->further[table->nfurther++] = c;
    }
    table->sketches = KN_NEW_ARRAY(table->ctx, kn_sketch, table->nfurther);
    if (!table->sketches || kn_sample_init(table->ctx, table->nfurther, &table->cells) < 0)
        return KANON_E_NOMEM;
    return table->nfurther ? kn_class_sample_new(table->ctx, table->nfurther, KN_CLASS_SAMPLE_BYTES,
                                                 config->seed, &table->sample)
                           : KANON_OK;
}

kanon_status
kn_check_sample_row(kn_check_table *table, const kn_str *cells, uint64_t weight)
{
    kanon_status rc;
    uint32_t    *prints;

    if (!table->sample)
        return KANON_OK;
    for (size_t i = 0; i < table->nfurther; i++)
        kn_sketch_add(&table->sketches[i], cells[table->further[i]]);
    kn_sample_see(&table->cells, cells, table->further);
    for (size_t q = 0; q < table->nquasi; q++)
        table->key[q] = cells[table->columns[q].index];
    prints = kn_class_sample_row(table->sample, kn_class_hash(table->key, table->nquasi), weight,
                                 &rc);
    for (size_t i = 0; prints && i < table->nfurther; i++)
        prints[i] = kn_cell_print(cells[table->further[i]]);
    return rc;
}

kanon_status
kn_check_link(const kn_check_table *table, const kanon_config *config, const kn_rows *rows,
              kanon_check *check)
{
    kanon_status rc = KANON_OK;
    kn_linkage   found = { 0 };
    kn_link_plan plan = { .nfurther = table->nfurther, .k = config->k };
    uint8_t     *sensitive = NULL;
    const char **names = NULL;

    if (!table->sample || !table->sample->rows)
        return KANON_OK;
    sensitive = KN_NEW_ARRAY(table->ctx, uint8_t, plan.nfurther);
    names = kn_alloc_array(table->ctx, plan.nfurther, sizeof *names);
    KN_TRY(KN_HAVE(sensitive && names));
    for (size_t i = 0; i < plan.nfurther; i++) {
        kn_str name = kn_rows_names(rows)[table->further[i]];

        sensitive[i] = kn_config_role(config, name) == KN_ROLE_SENSITIVE;
        names[i] = kn_arena_text(&check->arena, name);
        KN_TRY(KN_HAVE(names[i]));
    }
    plan.sensitive = sensitive;
    KN_TRY(kn_linkage_measure(table->sample, &plan, &found));
    KN_TRY(kn_result_link(&check->linkage, &check->arena, &found, &plan, names));
out:
    kn_linkage_fini(table->ctx, &found);
    kn_free(table->ctx, sensitive);
    kn_free(table->ctx, (void *) names);
    return rc;
}

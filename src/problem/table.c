/* SPDX-License-Identifier: Apache-2.0 */
/* table.c -- the public table; what each verb does with one stands with the verb. */
#include "problem/table.h"

#include "encode/learn.h"
#include "formats/arrow.h"
#include "problem/columns.h"

kanon_status
kn_table_given(kanon_ctx *ctx, const kanon_config *config, const kanon_table *table,
               const void *out)
{
    return ctx && config && table && out
             ? KANON_OK
             : kn_fail(ctx, KANON_E_INVALID, "config, table and out are required");
}

kanon_status
kn_source_job_init(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                   kn_source_job *out)
{
    if (!ctx || !config || !source)
        return kn_fail(ctx, KANON_E_INVALID, "config and source are required");
    out->table = (kanon_table){ ctx, &out->csv.base, NULL };
    return kn_source_table(ctx, config, source, &out->csv);
}

/* Takes the rows over, also on failure. */
static kanon_status
new_table(kanon_ctx *ctx, kn_rows_source                                      *rows,
          void (*release)(kanon_ctx *ctx, kn_rows_source *rows), kanon_table **out)
{
    kanon_table *table = KN_NEW(ctx, kanon_table);

    *out = table;
    rows->keeps = true;
    if (table)
        *table = (kanon_table){ ctx, rows, release };
    else
        release(ctx, rows);
    return table ? KANON_OK : KANON_E_NOMEM;
}

void
kanon_table_free(kanon_table *table)
{
    if (!table)
        return;
    kn_learned_free(table->rows->kept);
    if (table->release)
        table->release(table->ctx, table->rows);
    kn_free(table->ctx, table);
}

static void
release_arrow(kanon_ctx *ctx, kn_rows_source *rows)
{
    KN_UNUSED(ctx);
    kn_arrow_table_free((kn_arrow_table *) rows);
}

kanon_status
kanon_table_arrow(kanon_ctx *ctx, const char *name, struct ArrowArrayStream *in, kanon_table **out)
{
    kanon_status    rc;
    kn_arrow_table *table = NULL;

    if (out)
        *out = NULL;
    if (!ctx || !name || !out || !in || !in->release || !in->get_schema || !in->get_next) {
        if (in && in->release)
            in->release(in);
        return kn_fail(ctx, KANON_E_INVALID,
                       "name, a stream with its callbacks, and out are required");
    }
    rc = kn_arrow_table_read(ctx, name, in, &table);
    return rc < 0 ? rc : new_table(ctx, &table->base, release_arrow, out);
}

static void
release_csv(kanon_ctx *ctx, kn_rows_source *rows)
{
    kn_free(ctx, rows);
}

kanon_status
kanon_table_csv(kanon_ctx *ctx, const kanon_source *source, const kanon_config *config,
                kanon_table **out)
{
    kanon_status  rc = KANON_OK;
    kn_csv_table *csv = NULL;
    kn_rows      *rows = NULL;

    if (!ctx || !source || !config || !out)
        return kn_fail(ctx, KANON_E_INVALID, "source, config and out are required");
    *out = NULL;
    csv = KN_NEW(ctx, kn_csv_table);
    if (!csv)
        return KANON_E_NOMEM;
    KN_TRY(kn_source_table(ctx, config, source, csv));
    KN_TRY(kn_rows_open(&csv->base, ctx, &rows)); /* finds the dialect, once and for all */
    rc = new_table(ctx, &csv->base, release_csv, out);
    csv = NULL; /* moved */
out:
    kn_rows_close(rows);
    kn_free(ctx, csv);
    return rc;
}

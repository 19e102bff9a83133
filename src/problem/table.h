/* SPDX-License-Identifier: Apache-2.0 */
/* table.h -- the inside of a kanon_table: its rows and how to release them. */
#ifndef KN_PROBLEM_TABLE_H
#define KN_PROBLEM_TABLE_H

#include "formats/csv.h"
#include "kanon/table.h"

struct kanon_table {
    kanon_ctx      *ctx;
    kn_rows_source *rows;
    void (*release)(kanon_ctx *ctx, kn_rows_source *rows);
};

/** Refuses a call of a job on a table that lacks one of these. */
kanon_status kn_table_given(kanon_ctx *ctx, const kanon_config *config, const kanon_table *table,
                            const void *out);

/** A table for one job: a source of CSV, as long as the call lasts. Never freed. */
typedef struct kn_source_job {
    kanon_table  table;
    kn_csv_table csv;
} kn_source_job;

/** Refuses a call that lacks config or source. Both outlive the job. */
kanon_status kn_source_job_init(kanon_ctx *ctx, const kanon_config *config,
                                const kanon_source *source, kn_source_job *out);

/** The call of a job on a source of CSV, which is its job on a table. */
#define KN_JOB_ON_SOURCE(verb, on_table, type)                                                     \
    kanon_status verb(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,      \
                      type **out)                                                                  \
    {                                                                                              \
        kn_source_job job;                                                                         \
        kanon_status  rc = kn_source_job_init(ctx, config, source, &job);                          \
                                                                                                   \
        if (out)                                                                                   \
            *out = NULL;                                                                           \
        return rc < 0 ? rc : on_table(ctx, config, &job.table, out);                               \
    }

#endif

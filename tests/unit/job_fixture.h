/* SPDX-License-Identifier: Apache-2.0 */
/* job_fixture.h -- whole jobs for tests, as data: a table and its settings, from memory to memory. */
#ifndef KN_JOB_FIXTURE_H
#define KN_JOB_FIXTURE_H

#include "base/text.h"
#include "kanon/kanon.h"
#include "test.h"

enum { SETTINGS_MOST = 24 };

/* A job as data: settings are NAME, VALUE, NAME, VALUE ... */
typedef struct job {
    const char *csv;
    const char *settings[2 * SETTINGS_MOST];
} job;

__attribute__((unused)) static kanon_ctx *
plain_ctx(void)
{
    kanon_ctx *ctx = NULL;

    CHECK(kanon_ctx_new(NULL, &ctx) == KANON_OK);
    return ctx;
}

__attribute__((unused)) static kanon_status
configure(kanon_ctx *ctx, const job *j, kanon_config **out)
{
    kanon_status rc = kanon_config_new(ctx, out);

    if (rc == KANON_OK) /* few of the tables have a role for every column */
        rc = kanon_config_set(*out, "others", "keep");
    for (size_t i = 0; rc == KANON_OK && j->settings[i]; i += 2)
        rc = kanon_config_set(*out, j->settings[i], j->settings[i + 1]);
    return rc;
}

__attribute__((unused)) static kanon_status
run_between(kanon_ctx *ctx, const job *j, const kanon_source *source, kanon_sink *sink,
            kanon_result **result)
{
    kanon_config *config = NULL;
    kanon_status  rc = configure(ctx, j, &config);

    *result = NULL;
    if (rc == KANON_OK)
        rc = kanon_anonymize(ctx, config, source, sink, result);
    kanon_config_free(config);
    return rc;
}

__attribute__((unused)) static kanon_status
run_job(kanon_ctx *ctx, const job *j, kanon_sink **sink, kanon_result **result)
{
    kanon_status  rc = KANON_OK;
    kanon_source *source = NULL;

    *sink = NULL;
    *result = NULL;
    KN_TRY(kanon_source_memory(ctx, "table.csv", j->csv, strlen(j->csv), &source));
    KN_TRY(kanon_sink_memory(ctx, sink));
    KN_TRY(run_between(ctx, j, source, *sink, result));
out:
    kanon_source_free(source);
    return rc;
}

__attribute__((unused)) static size_t
committed(const kanon_sink *sink)
{
    size_t count = 0;

    if (sink)
        kanon_sink_bytes(sink, &count);
    return count;
}

/* A table of few values and many notes. */
__attribute__((unused)) static void
add_plain_rows(kn_text *text, size_t rows)
{
    kn_text_addz(text, "a,b\n");
    for (size_t i = 0; i < rows; i++)
        kn_text_addf(text, "%zu,row%zu\n", i % 3, i);
}

#endif

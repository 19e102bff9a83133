/* SPDX-License-Identifier: Apache-2.0 */
/* several_jobs.c -- several jobs on one table: how risky is it, which releases are there to choose from, and
 * two releases of it with different k. What the first job learns of the table is kept for the next ones.
 *
 *     cc several_jobs.c $(pkg-config --cflags --libs kanon) -o several_jobs
 *     ./several_jobs register.csv register.yaml     (in their folder: the config names other files there) */
#include <kanon/kanon.h>
#include <stdio.h>

/* Each step returns 1 if it worked, and frees what it made. */

static int
check(kanon_ctx *ctx, const kanon_config *config, kanon_table *table)
{
    kanon_check *result = NULL;
    double       unique = 0;
    int          ok = kanon_table_check(ctx, config, table, &result) == KANON_OK
          && kanon_check_number(result, "risk.uniques", &unique) == KANON_OK;

    if (ok)
        printf("original: k %.0f, %.0f rows are unique\n", (double) kanon_check_k(result), unique);
    kanon_check_free(result);
    return ok;
}

static int
pareto(kanon_ctx *ctx, const kanon_config *config, kanon_table *table)
{
    kanon_front *front = NULL;
    int          ok = kanon_table_pareto(ctx, config, table, &front) == KANON_OK;

    if (ok)
        printf("Pareto front: %zu releases to choose from\n", kanon_front_count(front));
    kanon_front_free(front);
    return ok;
}

/* Releases the table with another k. In a program of yours the sink is a file or a socket. */
static int
anonymize(kanon_ctx *ctx, kanon_config *config, kanon_table *table, const char *k)
{
    kanon_sink   *release = NULL;
    kanon_result *result = NULL;
    double        loss = 0;
    int           ok = kanon_config_set(config, "k", k) == KANON_OK
          && kanon_sink_memory(ctx, &release) == KANON_OK
          && kanon_table_write(ctx, config, table, release, &result) == KANON_OK;

    if (ok && kanon_result_outcome(result) == KANON_INFEASIBLE)
        printf("release with k %s: %s\n", k, kanon_result_advice(result));
    else if (ok && (ok = kanon_result_metric(result, "glm", &loss) == KANON_OK))
        printf("release with k %s: loss %.3f, %.0f rows suppressed\n", k, loss,
               (double) kanon_result_suppressed(result));
    kanon_result_free(result);
    kanon_sink_free(release);
    return ok;
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *settings = NULL, *csv = NULL;
    kanon_table  *table = NULL;

    int ok = argc == 3 && kanon_ctx_new(NULL, &ctx) == KANON_OK
          && kanon_config_new(ctx, &config) == KANON_OK
          && kanon_source_file(ctx, argv[2], &settings) == KANON_OK
          && kanon_config_read(config, settings, NULL) == KANON_OK
          && kanon_source_file(ctx, argv[1], &csv) == KANON_OK
          && kanon_table_csv(ctx, csv, config, &table) == KANON_OK /* the source outlives it */
          && check(ctx, config, table) && pareto(ctx, config, table)
          && anonymize(ctx, config, table, "5") && anonymize(ctx, config, table, "20");

    if (!ok)
        fprintf(stderr, "several_jobs: %s\n", ctx ? kanon_ctx_message(ctx) : "INPUT CONFIG");
    kanon_table_free(table);
    kanon_source_free(csv);
    kanon_source_free(settings);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return !ok;
}

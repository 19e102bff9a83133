/* SPDX-License-Identifier: Apache-2.0 */
/* bench_linkage.c -- what it costs a job to look at all released columns together (linkage/): the same job
 * with and without it, one after the other, each in a process of its own.
 *
 *     bench_linkage REPEATS TABLE SETTING=VALUE...
 *
 * Prints the median of processor time, wall time and peak memory of both sides, and their ratio; the last
 * line is JSON. Exit 1 when processor time or memory is more than a tenth above. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "config/config.h"
#include "kanon/kanon.h"

enum { REPEATS_MOST = 99, FIGURES = 3 };

static const double LIMIT = 1.1;

static void
need(kanon_ctx *ctx, kanon_status rc)
{
    if (rc >= 0)
        return;
    fprintf(stderr, "bench_linkage: %s\n", kanon_ctx_message(ctx));
    _exit(2);
}

/* One job, in this process. */
static void
run_job(char **words, int linked)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *source = NULL;
    kanon_sink   *sink = NULL;
    kanon_result *result = NULL;

    if (kanon_ctx_new(NULL, &ctx) < 0)
        _exit(2);
    need(ctx, kanon_config_new(ctx, &config));
    for (char **word = words + 1; *word; word++) {
        char *value = strchr(*word, '=');

        if (!value)
            _exit(2);
        *value++ = 0;
        need(ctx, kanon_config_set(config, *word, value));
    }
    config->unlinked = !linked;
    need(ctx, kanon_source_file(ctx, words[0], &source));
    need(ctx, kanon_sink_file(ctx, "bench_linkage.out", &sink));
    need(ctx, kanon_anonymize(ctx, config, source, sink, &result));
    kanon_result_free(result);
    kanon_sink_free(sink);
    kanon_source_free(source);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    _exit(0);
}

static double
seconds(struct timeval t)
{
    return (double) t.tv_sec + (double) t.tv_usec / 1e6;
}

/* Processor seconds, wall seconds, megabytes. */
static void
measure(char **words, int linked, double *out)
{
    struct timespec from, to;
    struct rusage   usage;
    int             status;
    pid_t           child;

    clock_gettime(CLOCK_MONOTONIC, &from);
    child = fork();
    if (child == 0)
        run_job(words, linked);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status) {
        fprintf(stderr, "bench_linkage: the job failed\n");
        exit(2);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    out[0] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    out[1] = (double) (to.tv_sec - from.tv_sec) + (double) (to.tv_nsec - from.tv_nsec) / 1e9;
    out[2] = (double) usage.ru_maxrss * 1024 / 1e6;
}

static double
median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t at = i; at > 0 && values[at - 1] > values[at]; at--) {
            double held = values[at];

            values[at] = values[at - 1];
            values[at - 1] = held;
        }
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int
main(int argc, char **argv)
{
    static const char *const names[FIGURES] = { "processor s", "wall s", "peak MB" };
    static const char *const keys[FIGURES] = { "cpu_s", "wall_s", "peak_mb" };
    static double            found[2][FIGURES][REPEATS_MOST];
    double                   middle[2][FIGURES];
    size_t                   repeats = argc > 2 ? (size_t) strtoul(argv[1], NULL, 10) : 0;

    if (!repeats || repeats > REPEATS_MOST) {
        fprintf(stderr, "usage: bench_linkage REPEATS TABLE SETTING=VALUE...\n");
        return 2;
    }
    for (size_t r = 0; r < repeats; r++)
        for (int side = 0; side < 2; side++) {
            double figures[FIGURES];
            int    linked = side ^ (int) (r % 2); /* who goes first takes turns */

            measure(argv + 2, linked, figures);
            for (size_t i = 0; i < FIGURES; i++)
                found[linked][i][r] = figures[i];
        }
    remove("bench_linkage.out");
    for (size_t i = 0; i < FIGURES; i++) {
        for (int side = 0; side < 2; side++)
            middle[side][i] = median(found[side][i], repeats);
        printf("%-12s without %9.2f, with %9.2f: %.3f\n", names[i], middle[0][i], middle[1][i],
               middle[1][i] / middle[0][i]);
    }
    printf("{\"bench\": \"linkage\", \"repeats\": %zu", repeats);
    for (size_t i = 0; i < FIGURES; i++)
        printf(", \"%s\": [%.2f, %.2f]", keys[i], middle[0][i], middle[1][i]);
    printf("}\n");
    return middle[1][0] > LIMIT * middle[0][0] || middle[1][2] > LIMIT * middle[0][2];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bench_engine.c -- how fast lattice nodes are checked (group/engine.h), beside a straightforward hash loop
 * over the same nodes and the speed of the memory itself.
 *
 *     bench_engine [--full] [--json FILE] [--adult FOLDER]
 *     bench_engine --count WORKLOAD [KERNELS]     one fixed workload, for counting instructions
 *     bench_engine --list                         names of the workloads
 *     bench_engine --make-adult FOLDER            a made-up table of Adult's shape
 *     bench_engine --run PROGRAM ...              seconds, processor seconds and peak kB of a process
 *
 * Without --full: a minute, up to 3 million rows; with it: minutes, 30 million rows, less than 6 GB.
 * The sides of a comparison take turns; figures are medians (engine_measure.h). Whoever answers differently
 * from the straightforward loop ends the program. */
#include "engine_count.h"
#include "engine_growth.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

typedef struct request {
    bool        full;
    const char *json, *adult;
} request;

/* --- the machine --------------------------------------------------------------------------------------- */

static void
read_cpu_name(char *name, size_t room)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char  line[512];

    snprintf(name, room, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n\"\\")] = '\0';
            snprintf(name, room, "%s", colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

typedef struct stretch {
    read_vector *from;
    size_t       bytes, times;
    uint64_t     sum;
} stretch;

static void
stretch_turn(void *user)
{
    stretch *s = user;

    for (size_t i = 0; i < s->times; i++)
        s->sum += read_memory(s->from, s->bytes);
}

/* Bytes per nanosecond of a plain sum, from memory and from the second cache. */
static void
section_memory(results *all, kanon_ctx *ctx)
{
    enum { NEAR = 512 << 10 };
    static const size_t FAR = (size_t) 512 << 20;
    stretch             s[2] = { { NULL, FAR, 1, 0 }, { NULL, NEAR, 1024, 0 } };
    side                sides[2] = { { .turn = stretch_turn, .user = &s[0] },
                                     { .turn = stretch_turn, .user = &s[1] } };
    void               *block = NULL;

    print_head("memory", "the sum of an array, which nothing that reads as many bytes can beat");
    if (posix_memalign(&block, sizeof(read_vector), FAR))
        die(ctx, "out of memory");
    memset(block, 1, FAR);
    s[0].from = s[1].from = block;
    take_turns(sides, 2, 1, 5);
    for (size_t i = 0; i < 2; i++) {
        figure f = { .section = "memory",
                     .table = i ? "512 KiB" : "512 MiB",
                     .layout = "-",
                     .kernels = "-",
                     .stop = "-",
                     .unit = "ns/byte",
                     .threads = 1 };

        snprintf(f.way, sizeof f.way, "%s", i ? "second cache" : "memory");
        keep_figure(all, f, &sides[i], (double) s[i].bytes * (double) s[i].times);
        printf("   %-14s %8.1f GB/s\n", f.way, 1 / all->figures[all->nfigures - 1].value);
    }
    free(block);
}

/* --- the whole run ------------------------------------------------------------------------------------- */

static void
run_tables(results *all, kanon_ctx *ctx, const request *r, kn_pool *pools[THREADS_MOST])
{
    static const effort quick[] = {
        { 64, 64, 32, 128, 8, 8, 3, 0.4, true, true },
        { 6, 6, 3, 8, 2, 1, 3, 1, false, false },
    };
    static const effort full[] = {
        { 128, 128, 64, 256, 16, 16, 5, 1.5, true, true },
        { 16, 16, 6, 24, 4, 3, 3, 4, true, true },
        { 8, GROWTH_NODES, 2, 12, 1, 0, 3, 0, false, false },
    };
    const effort *efforts = r->full ? full : quick;
    adult        *a = open_adult(ctx, r->adult);
    table        *small = table_of_adult(ctx, a), *people, *part;

    if (a->made[0])
        printf("\nAdult is not here (--adult FOLDER): a made-up table of its shape stands in.\n");
    section_table(all, small, &efforts[0], pools);
    section_metrics(all, ctx, a, &efforts[0]);
    table_free(small);
    close_adult(ctx, a);
    growth_of_columns(all, ctx, r->full ? 1 : 0.3);
    growth_of_levels(all, ctx, r->full ? 1 : 0.3);
    people = make_register(ctx, "30M", r->full ? 30000000 : 3000000);
    growth_of_rows(all, people, r->full ? 10000000 : 1000000, r->full ? 1.5 : 0.5);
    part = table_prefix(people, "3M", 3000000);
    section_table(all, part, &efforts[1], pools);
    table_free(part);
    if (r->full) {
        section_table(all, people, &efforts[2], pools);
        copy_points(all, people);
    }
    table_free(people);
}

static void
finish(const results *all, kanon_ctx *ctx, const request *r, const char *about)
{
    struct rusage usage;
    char          text[1024];
    FILE         *file;

    if (!r->json) /* whoever reads the JSON tells them together with its own */
        print_head("aims", NULL);
    for (size_t i = 0; !r->json && i < all->nratios; i++)
        if (all->ratios[i].aim > 0)
            print_ratio(&all->ratios[i]);
    getrusage(RUSAGE_SELF, &usage);
    printf("\npeak memory of this program: %.2f GB\n", (double) usage.ru_maxrss * 1024 / 1e9);
    if (!r->json)
        return;
    snprintf(text, sizeof text, "%s, \"bench_peak_gb\": %.2f", about,
             (double) usage.ru_maxrss * 1024 / 1e9);
    file = fopen(r->json, "w");
    if (!file)
        die(ctx, "cannot write the JSON file");
    write_json(all, file, text);
    if (fclose(file))
        die(ctx, "cannot write the JSON file");
}

static int
run_all(kanon_ctx *ctx, const request *r)
{
    results *all = need(ctx, 1, sizeof *all);
    kn_pool *pools[THREADS_MOST];
    char     cpu[128], about[512], sets[128] = "";
    double   load[1] = { 0 };
    size_t   used = 0;

    for (unsigned i = 0; i < THREADS_MOST; i++)
        if (kn_pool_new(ctx, i + 1, &pools[i]) < 0)
            die(ctx, "threads");
    read_cpu_name(cpu, sizeof cpu);
    for (size_t i = 0; kn_kernels_at(i); i++)
        used += (size_t) snprintf(sets + used, sizeof sets - used, "%s%s", i ? " " : "",
                                  kn_kernels_at(i)->name);
    if (getloadavg(load, 1) != 1)
        load[0] = -1;
    snprintf(
        about, sizeof about,
        "\"bench\": \"engine\", \"full\": %s, \"cpu\": \"%s\", \"cores\": %u, \"kernels\": \"%s\", "
        "\"load_before\": %.2f",
        r->full ? "true" : "false", cpu, kn_cores(), sets, load[0]);
    printf("%s, %u cores, kernels: %s; load %.2f before the start\n", cpu, kn_cores(), sets,
           load[0]);
    printf("One thread: processor time; more: the clock. Medians of n turns, sides interleaved. "
           "ns/row: per "
           "row of the raw table and node.\n");
    section_memory(all, ctx);
    run_tables(all, ctx, r, pools);
    finish(all, ctx, r, about);
    for (unsigned i = 0; i < THREADS_MOST; i++)
        kn_pool_free(pools[i]);
    kn_free(ctx, all);
    return 0;
}

/* A process's peak includes what its parent held when it was started, so that a parent as small as this one
 * is needed. */
static int
run_process(char **command)
{
    double        start = kn_seconds();
    pid_t         child = fork();
    struct rusage usage;
    double        processor;
    int           status;

    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);

        if (nowhere >= 0)
            dup2(nowhere, STDOUT_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    processor = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
              + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    printf("%.6f %.6f %ld\n", kn_seconds() - start, processor, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int
main(int argc, char **argv)
{
    request    r = { .adult = "../shared/data/adult" };
    kanon_ctx *ctx = NULL;
    int        rc = -1;

    if (kanon_ctx_new(NULL, &ctx) < 0)
        die(NULL, "out of memory");
    for (int i = 1; i < argc && rc < 0; i++) {
        if (strcmp(argv[i], "--full") == 0) {
            r.full = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            r.full = false;
        } else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            r.json = argv[++i];
        } else if (strcmp(argv[i], "--adult") == 0 && i + 1 < argc) {
            r.adult = argv[++i];
        } else if (strcmp(argv[i], "--list") == 0) {
            list_workloads();
            rc = 0;
        } else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
            rc = count_workload(ctx, argv[i + 1], i + 2 < argc ? argv[i + 2] : "plain");
        } else if (strcmp(argv[i], "--run") == 0 && i + 1 < argc) {
            rc = run_process(argv + i + 1);
        } else if (strcmp(argv[i], "--make-adult") == 0 && i + 1 < argc) {
            write_adult_like(ctx, argv[i + 1]);
            rc = 0;
        } else {
            fprintf(stderr,
                    "usage: bench_engine [--full|--quick] [--json FILE] [--adult FOLDER]\n"
                    "       bench_engine --count WORKLOAD [KERNELS] | --list | --make-adult "
                    "FOLDER | --run PROGRAM ...\n");
            rc = 2;
        }
    }
    if (rc < 0)
        rc = run_all(ctx, &r);
    kanon_ctx_free(ctx);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bench_local.c -- every method of local recoding on one table: loss, sizes of classes, time.
 *
 *     bench_local [--data FOLDER [--hier NAME] | --rows N] [--k LIST] [--methods LIST] [--threads N]
 *                 [--seed N] [--time-limit S] [--curve]
 *
 * FOLDER has adult.csv and a folder of hierarchies, one file a category (NAME: hier_q). Without it a register
 * of N persons is made up. A method is NAME or NAME:PARAM=VALUE:PARAM=VALUE; LIST has commas. The figures
 * come from the classes alone; beside them stand, where the table is Adult with hier_q, those of plain
 * implementations of the same methods (GCP in percent). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "algorithm/algorithm.h"
#include "base/text.h"
#include "cluster/partition.h"
#include "kanon/kanon.h"
#include "problem/columns.h"
#include "problem/problem.h"

typedef struct options {
    const char *data, *hier, *ks, *methods;
    uint64_t    rows, seed;
    unsigned    threads;
    double      time_limit_s;
    bool        curve;
} options;

typedef struct bench {
    kanon_ctx    *ctx;
    kanon_config *config;
    kanon_source *source;
    kn_csv_table  table;
    kn_text       csv;
    kn_problem    p;
    options       o;
} bench;

typedef struct anchor {
    const char *method;
    double      gcp[5]; /* k = 2, 5, 10, 20, 40 */
} anchor;

static const int    ANCHOR_KS[] = { 2, 5, 10, 20, 40 };
static const anchor ANCHORS[] = {
    { "mondrian", { 4.92, 12.37, 18.42, 25.14, 32.80 } },
    { "mondrian:mode=relaxed", { 6.96, 17.85, 24.93, 33.26, 41.99 } },
    { "oka", { 4.00, 11.59, 22.04, 31.97, 42.97 } },
    { "ika", { 2.07, 7.17, 13.98, 23.44, 36.09 } },
    { "k-members", { 2.00, 6.11, 11.13, 18.59, 27.89 } },
    { "kab:refine=off", { 2.06, 6.71, 11.74, 18.42, 27.64 } },
    { "kab", { 1.42, 3.84, 6.15, 9.09, 12.88 } },
};

__attribute__((noreturn)) static void
die(const bench *b, const char *what)
{
    fprintf(stderr, "bench_local: %s: %s\n", what, b->ctx ? kanon_ctx_message(b->ctx) : "");
    exit(1);
}

static void
must(const bench *b, kanon_status rc, const char *what)
{
    if (rc < 0)
        die(b, what);
}

static void
set(bench *b, const char *name, const char *value)
{
    must(b, kanon_config_set(b->config, name, value), name);
}

/* --- tables ------------------------------------------------------------------------------------------- */

static void
open_adult(bench *b)
{
    static const char *const categories[] = { "workclass", "marital-status", "occupation", "race",
                                              "sex",       "native-country" };
    char                     text[4096];

    snprintf(text, sizeof text, "%s/adult.csv", b->o.data);
    must(b, kanon_source_file(b->ctx, text, &b->source), text);
    set(b, "qi", "age,workclass,education-num,marital-status,occupation,race,sex,native-country");
    set(b, "sensitive", "salary-class");
    set(b, "type", "age=number");
    set(b, "type", "education-num=number");
    for (size_t i = 0; i < KN_COUNT(categories); i++) {
        snprintf(text, sizeof text, "%s=file:%s/%s/%s.csv", categories[i], b->o.data, b->o.hier,
                 categories[i]);
        set(b, "hierarchy", text);
    }
}

/* Ages and incomes as numbers, postcodes that fill up towns, a few categories of uneven size. */
static void
open_register(bench *b)
{
    kn_rng rng;

    kn_rng_init(&rng, 7, 0x62656e63);
    kn_text_addz(&b->csv, "age,postcode,sex,job,income,status\n");
    for (uint64_t i = 0; i < b->o.rows; i++) {
        unsigned age = 18 + (unsigned) ((kn_rng_unit(&rng) + kn_rng_unit(&rng)) * 36);
        unsigned town = (unsigned) (kn_rng_unit(&rng) * kn_rng_unit(&rng) * 90);
        unsigned street = (unsigned) kn_rng_below(&rng, 40);
        unsigned job = (unsigned) (kn_rng_unit(&rng) * kn_rng_unit(&rng) * 30);

        kn_text_addf(&b->csv, "%u,%04u,%c,j%02u,%u,s%u\n", age, 1000 + town * 100 + street,
                     kn_rng_below(&rng, 2) ? 'm' : 'f', job,
                     1000 + 100 * (unsigned) (kn_rng_unit(&rng) * (10 + age)),
                     (unsigned) kn_rng_below(&rng, 5));
    }
    must(b, kn_text_status(&b->csv), "register");
    must(b, kanon_source_memory(b->ctx, "register", b->csv.ptr, b->csv.len, &b->source),
         "register");
    set(b, "qi", "age,postcode,sex,job,income");
    set(b, "sensitive", "status");
    set(b, "type", "age=number");
    set(b, "type", "income=number");
    set(b, "type", "postcode=string");
    set(b, "hierarchy", "postcode=mask:right");
    set(b, "hierarchy", "job=order:5");
}

/* --- one run ------------------------------------------------------------------------------------------- */

typedef struct figures {
    double total_il, c_avg, cm, dm;
} figures;

static double
cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Rows off the majority label of their class; label_of: per row. */
static uint64_t
off_label(const bench *b, const kn_space *space, const kn_partition *p)
{
    size_t    domain = b->p.scale.label_domain;
    uint32_t *counts = calloc((size_t) p->nclasses * domain + 1, sizeof *counts);
    uint64_t  off = 0;

    if (b->p.scale.label == SIZE_MAX || !space->entry_of || !counts) {
        free(counts);
        return 0;
    }
    for (uint32_t row = 0; row < space->rows; row++)
        if (p->class_of[row] != KN_NO_CLASS)
            counts[p->class_of[row] * domain
                   + kn_codes_at(&b->p.scale.table->sensitive[b->p.scale.label],
                                 space->entry_of[row])]++;
    for (size_t c = 0; c < p->nclasses; c++) {
        uint32_t most = 0, all = 0;

        for (size_t d = 0; d < domain; d++) {
            all += counts[c * domain + d];
            most = counts[c * domain + d] > most ? counts[c * domain + d] : most;
        }
        off += all - most;
    }
    free(counts);
    return off;
}

static figures
measure(bench *b, const kn_outcome *out)
{
    kn_space *space = NULL;
    kn_boxes  boxes;
    kn_part   part;
    uint64_t  cost;
    figures   f = { 0, 0, 0, 0 };
    double    n = (double) b->p.scale.table->rows;

    must(b, kn_space_new(b->ctx, &b->p.scale, &kn_metric_total_il, &space), "space");
    part = kn_part_of(space, &out->partition);
    must(b, kn_part_cost(space, &part, &cost), "cost");
    must(b, kn_boxes_init(&boxes, space, &part), "boxes");
    f.total_il = kn_space_loss(space, cost);
    f.c_avg = n / ((double) out->partition.nclasses * (double) b->p.privacy.k);
    f.cm = (double) (off_label(b, space, &out->partition) + out->score.outlying) / n;
    f.dm = (double) out->score.outlying * n;
    for (size_t c = 0; c < boxes.count; c++)
        f.dm += (double) boxes.size[c] * boxes.size[c];
    kn_boxes_fini(&boxes, b->ctx);
    kn_space_free(space);
    return f;
}

static void
show_anchor(const bench *b, const char *method)
{
    if (!b->o.data || strcmp(b->o.hier, "hier_q") != 0)
        return;
    for (size_t i = 0; i < KN_COUNT(ANCHORS); i++)
        for (size_t j = 0; j < KN_COUNT(ANCHOR_KS); j++)
            if (strcmp(ANCHORS[i].method, method) == 0 && b->p.privacy.k == (uint64_t) ANCHOR_KS[j])
                printf("  (%.2f)", ANCHORS[i].gcp[j]);
}

/* "NAME:PARAM=VALUE:..." becomes a clusterer and its parameters; text is cut up. */
static const kn_algorithm *
parse_method(char *text, kn_setting *params, size_t *nparams)
{
    char *rest = strchr(text, ':');

    *nparams = 0;
    while (rest && *nparams < KN_PARAMS_MOST) {
        char *value;

        *rest++ = '\0';
        params[*nparams].key = rest;
        value = strchr(rest, '=');
        rest = strchr(rest, ':');
        if (value)
            *value++ = '\0';
        params[(*nparams)++].value = value ? value : "";
    }
    return kn_algorithm_find(text);
}

static void
run_method(bench *b, const char *method)
{
    kn_setting          params[KN_PARAMS_MOST];
    size_t              nparams;
    char                text[256];
    const kn_algorithm *clusterer;
    kn_outcome          out;
    kn_search_problem   problem = { .ctx = b->ctx,
                                    .scale = &b->p.scale,
                                    .privacy = &b->p.privacy,
                                    .metric = &kn_metric_gcp,
                                    .params = params,
                                    .seed = b->o.seed,
                                    .threads = b->o.threads,
                                    .time_limit_s = b->o.time_limit_s };
    double              cpu = cpu_seconds(), wall = kn_seconds();
    figures             f;

    snprintf(text, sizeof text, "%s", method);
    clusterer = parse_method(text, params, &nparams);
    problem.nparams = nparams;
    if (!clusterer) {
        fprintf(stderr, "bench_local: there is no method '%s'\n", text);
        exit(1);
    }
    must(b, clusterer->run(clusterer, &problem, &out), method);
    cpu = cpu_seconds() - cpu;
    wall = kn_seconds() - wall;
    f = measure(b, &out);
    printf("%-34s %5" PRIu64 " %8.3f %8.3f %7.3f %7.3f %9.3g %7.3f %7.2f %7.2f %9.3g %s", method,
           b->p.privacy.k, 100 * out.score.loss, 100 * f.total_il, f.c_avg, f.cm, f.dm,
           100 * out.lower_bound, wall, cpu, (double) out.evaluations, out.stopped);
    show_anchor(b, method);
    printf("\n");
    for (size_t i = 0; b->o.curve && i < out.curve.count; i++)
        printf("    %8.2f s  %8.3f %%\n", out.curve.points[i].seconds,
               100 * out.curve.points[i].loss);
    fflush(stdout);
    kn_partition_fini(b->ctx, &out.partition);
}

/* Calls for each piece of a list with commas. */
static void
each(bench *b, const char *list, void (*call)(bench *, const char *))
{
    char text[256];

    while (*list) {
        size_t length = strcspn(list, ",");

        snprintf(text, sizeof text, "%.*s", (int) length, list);
        call(b, text);
        list += length + (list[length] == ',');
    }
}

static void
run_k(bench *b, const char *k)
{
    b->p.privacy.k = strtoull(k, NULL, 10);
    each(b, b->o.methods, run_method);
}

static options
parse_options(int argc, char **argv)
{
    options o = {
        NULL,           "hier_q",
        "2,5,10,20,40", "mondrian,mondrian:mode=relaxed,oka,ika,k-members,bha,kab:refine=off,kab",
        10000,          1,
        kn_cores(),     0,
        false
    };

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--curve") == 0) {
            o.curve = true;
            continue;
        }
        if (strcmp(argv[i], "--data") == 0)
            o.data = value;
        else if (strcmp(argv[i], "--hier") == 0)
            o.hier = value;
        else if (strcmp(argv[i], "--k") == 0)
            o.ks = value;
        else if (strcmp(argv[i], "--methods") == 0)
            o.methods = value;
        else if (strcmp(argv[i], "--rows") == 0)
            o.rows = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            o.seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--threads") == 0)
            o.threads = (unsigned) strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--time-limit") == 0)
            o.time_limit_s = strtod(value, NULL);
        else {
            fprintf(stderr, "bench_local: '%s' is no option\n", argv[i]);
            exit(2);
        }
        i++;
    }
    return o;
}

int
main(int argc, char **argv)
{
    bench b;

    memset(&b, 0, sizeof b);
    b.o = parse_options(argc, argv);
    must(&b, kanon_ctx_new(NULL, &b.ctx), "context");
    must(&b, kanon_config_new(b.ctx, &b.config), "config");
    kn_text_init(&b.csv, b.ctx);
    set(&b, "header", "yes");
    set(&b, "delimiter", ",");
    set(&b, "suppression", "0");
    if (b.o.data)
        open_adult(&b);
    else
        open_register(&b);
    must(&b, kn_source_table(b.ctx, b.config, b.source, &b.table), "table");
    must(&b, kn_problem_init(&b.p, b.ctx, b.config, &b.table.base), "table");
    printf("%" PRIu64 " rows, %zu tuples, %zu quasi-identifiers, %u threads, seed %" PRIu64 "\n",
           b.p.scale.table->rows, b.p.scale.table->ntuples, b.p.scale.table->nquasi, b.o.threads,
           b.o.seed);
    printf("%-34s %5s %8s %8s %7s %7s %9s %7s %7s %7s %9s\n", "method", "k", "GCP %", "t_il %",
           "C_AVG", "CM", "DM", "bound %", "wall s", "cpu s", "costs");
    each(&b, b.o.ks, run_k);
    for (size_t i = 0; i < kanon_ctx_warning_count(b.ctx); i++)
        fprintf(stderr, "warning: %s\n", kanon_ctx_warning(b.ctx, i));
    kn_problem_fini(&b.p);
    kanon_source_free(b.source);
    kanon_config_free(b.config);
    kn_text_fini(&b.csv);
    kanon_ctx_free(b.ctx);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* node_dump.c -- every node of a job's lattice with all its numbers, for the oracle to compare.
 * Usage: node_dump CONFIG TABLE. A line a node, tab-separated, a header line first. Beside the measured
 * numbers, what the engine and the meters that guide a search say is computed as well, with every set of
 * kernels and every way of counting: a difference ends the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kanon/kanon.h"
#include "measure/measure.h"
#include "problem/columns.h"
#include "problem/problem.h"

static void
print_header(void)
{
    printf("levels\toutlying\tclasses\tfeasible");
#define PRINT_NAME(name, type, needs, text) printf("\t%s", #name);
    KN_METRIC_LIST(PRINT_NAME)
#undef PRINT_NAME
    printf("\n");
}

/* --- every way of counting --------------------------------------------------------------------------- */

enum { WAYS_MOST = 64, METRICS_MOST = 16 };

typedef struct way {
    const char *kernels;
    kn_engine  *engine;
    kn_tally   *tally;
} way;

typedef struct ways {
    way       all[WAYS_MOST];
    size_t    count;
    kn_meter *meters[METRICS_MOST];
} ways;

static kanon_status
open_way(kanon_ctx *ctx, const kn_problem *p, const kn_engine_options *options, way *w)
{
    kanon_status rc = kn_engine_new(ctx, &p->view, options, &w->engine);

    w->kernels = options->kernels->name;
    return rc < 0 ? rc : kn_tally_new(w->engine, &w->tally);
}

static kanon_status
open_ways(kanon_ctx *ctx, const kn_problem *p, ways *w)
{
    static const kn_engine_tuning tunings[] = {
        { 0, false, 0, 0 }, /* as a search has it */
        { 0, false, 1, 0 }, /* a block for each run */
        { 0, true, 0, 0 },  /* always hashed */
        { 0, true, 2, 1 },  /* always sampled first */
        { 20, true, 1, 1 }, /* keys of two words and more */
        { 4, false, 0, 0 }, /* keys of many words */
        { 1, false, 3, 1 }, /* keys of as many words as can be */
    };
    const kn_table   *table = p->scale.table;
    kanon_status      rc = KANON_OK;
    kn_engine_options options = { .most_classes = SIZE_MAX, .want = KN_WANT_LOST | KN_WANT_LABELS };

    if (p->scale.label != SIZE_MAX)
        options.labels = (kn_labels){ table->first, table->sensitive[p->scale.label],
                                      kn_table_entry_weights(table), NULL,
                                      (uint32_t) p->scale.label_domain };
    for (size_t k = 0; kn_kernels_at(k); k++)
        for (size_t i = 0; i < KN_COUNT(tunings); i++) {
            options.kernels = kn_kernels_at(k);
            options.tuning = tunings[i];
            options.column_bytes = i % 2 ? 1 : 0; /* every other without columns of its own */
            KN_TRY(open_way(ctx, p, &options, &w->all[w->count]));
            w->count++;
        }
    for (size_t i = 0; kn_metric_at(i); i++)
        KN_TRY(kn_meter_new(ctx, kn_metric_at(i), &p->scale, &p->privacy,
                            kn_engine_coarse(w->all[0].engine), &w->meters[i]));
out:
    return rc;
}

static void
close_ways(ways *w)
{
    for (size_t i = 0; i < WAYS_MOST; i++) {
        kn_tally_free(w->all[i].tally);
        kn_engine_free(w->all[i].engine);
    }
    for (size_t i = 0; i < METRICS_MOST; i++)
        kn_meter_free(w->meters[i]);
}

static int
meters_agree(const kn_problem *p, const ways *w, const uint8_t *levels, const kn_counted *counted,
             const kn_metrics *measured)
{
    for (size_t i = 0; kn_metric_at(i); i++) {
        const char *name = kn_metric_at(i)->info.name;
        double      said = kn_meter_score(w->meters[i], levels, counted);
        double      measure = *kn_metrics_find(measured, name),
               bound = kn_meter_bound(w->meters[i], levels);

        if (bound > said + 1e-9 * (said > 1 ? said : 1)
            && counted->outlying <= p->privacy.allowed) {
            fprintf(stderr, "%s: the bound %.17g is above %.17g\n", name, bound, said);
            return 0;
        }
        if (fabs(said - measure) > 1e-9 * (fabs(measure) > 1 ? fabs(measure) : 1)) {
            fprintf(stderr, "%s: the meter says %.17g, measured is %.17g\n", name, said, measure);
            return 0;
        }
    }
    return 1;
}

static int
ways_agree(const kn_problem *p, const ways *w, const uint8_t *levels, const kn_measured *m)
{
    for (size_t i = 0; i < w->count; i++) {
        const way *one = &w->all[i];
        kn_counted all, part;

        kn_count(one->tally, levels, p->privacy.k, p->privacy.allowed, 0, &part);
        kn_count(one->tally, levels, p->privacy.k, p->view.rows, KN_WANT_LOST | KN_WANT_LABELS,
                 &all);
        if (part.complete != (m->suppressed <= p->privacy.allowed)
            || (part.complete && (part.outlying != all.outlying || part.classes != all.classes))
            || !all.complete || all.outlying != m->suppressed || all.classes != m->after.classes) {
            fprintf(stderr, "way %zu with %s: %llu outlying rows in %llu classes\n", i,
                    one->kernels, (unsigned long long) all.outlying,
                    (unsigned long long) all.classes);
            return 0;
        }
        if (!meters_agree(p, w, levels, &all, &m->metrics)) {
            fprintf(stderr, "way %zu with %s\n", i, one->kernels);
            return 0;
        }
    }
    return 1;
}

static int
dump_node(kanon_ctx *ctx, const kn_problem *p, kn_workspace *ws, const ways *w,
          const uint8_t *levels)
{
    kn_column_loss columns[KN_QUASI_MOST];
    kn_measured    m;
    kn_grouping    g;

    kn_group(ws, levels, &g);
    if (kn_measure(ctx, &(kn_judged){ &p->scale, &p->privacy, &g }, levels, &m, columns) < 0
        || !ways_agree(p, w, levels, &m))
        return 0;
    for (size_t i = 0; i < p->lattice.n; i++)
        printf("%s%u", i ? "," : "", levels[i]);
    printf("\t%llu\t%llu\t%d", (unsigned long long) m.suppressed,
           (unsigned long long) m.after.classes, m.suppressed <= p->privacy.allowed);
#define PRINT_VALUE(name, type, needs, text) printf("\t%.17g", m.metrics.name);
    KN_METRIC_LIST(PRINT_VALUE)
#undef PRINT_VALUE
    printf("\n");
    return 1;
}

/* Counts up like an odometer; false after the top. */
static int
next_node(const kn_lattice *l, uint8_t *levels)
{
    for (size_t i = l->n; i-- > 0;) {
        if (levels[i] < l->top[i]) {
            levels[i]++;
            return 1;
        }
        levels[i] = l->low[i];
    }
    return 0;
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *settings = NULL, *table = NULL;
    kn_csv_table  csv;
    kn_problem    p = { 0 };
    kn_workspace *ws = NULL;
    ways          w = { .count = 0 };
    uint8_t       levels[KN_QUASI_MOST] = { 0 };
    int           fine = 0;

    if (argc != 3 || kanon_ctx_new(NULL, &ctx) < 0)
        return 1;
    if (kanon_config_new(ctx, &config) == KANON_OK
        && kanon_source_file(ctx, argv[1], &settings) == KANON_OK
        && kanon_config_read(config, settings, ".") == KANON_OK
        && kanon_source_file(ctx, argv[2], &table) == KANON_OK
        && kn_source_table(ctx, config, table, &csv) == KANON_OK
        && kn_problem_init(&p, ctx, config, &csv.base) == KANON_OK
        && kn_workspace_new(ctx, &p.view, SIZE_MAX, &ws) == KANON_OK
        && open_ways(ctx, &p, &w) == KANON_OK) {
        print_header();
        memcpy(levels, p.lattice.low, p.lattice.n);
        do
            fine = dump_node(ctx, &p, ws, &w, levels);
        while (fine && next_node(&p.lattice, levels));
    }
    if (!fine)
        fprintf(stderr, "node_dump: %s\n", kanon_ctx_message(ctx));
    close_ways(&w);
    kn_workspace_free(ws);
    kn_problem_fini(&p);
    kanon_source_free(table);
    kanon_source_free(settings);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return fine ? 0 : 1;
}

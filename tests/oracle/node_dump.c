/* node_dump.c -- every node of a job's lattice with all its numbers, for the oracle to compare.
 * Usage: node_dump CONFIG TABLE. A line a node, tab-separated, a header line first. Beside the measured
 * numbers, what the meters that guide a search say is computed as well: a difference ends the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "job/problem.h"
#include "kanon/kanon.h"
#include "measure/measure.h"

static void
print_header(void)
{
    printf("levels\toutlying\tclasses\tfeasible");
#define PRINT_NAME(name, text) printf("\t%s", #name);
    KN_METRIC_LIST(PRINT_NAME)
#undef PRINT_NAME
    printf("\n");
}

static double
value(const kn_metrics *metrics, const char *name)
{
#define VALUE_CASE(field, text)                                                                    \
    if (strcmp(name, #field) == 0)                                                                 \
        return metrics->field;
    KN_METRIC_LIST(VALUE_CASE)
#undef VALUE_CASE
    return NAN;
}

static int
meters_agree(kanon_ctx *ctx, const kn_problem *p, const uint8_t *levels, const kn_grouping *g,
             const kn_metrics *measured)
{
    kn_verdict verdict;

    kn_privacy_judge(&p->privacy, g, &verdict);
    for (size_t i = 0; kn_metric_at(i); i++) {
        const kn_metric_class *metric = kn_metric_at(i);
        kn_meter              *meter;
        kn_by_class            by;
        kn_histogram           h;
        double                 said, measure = value(measured, metric->info.name);

        if (kn_meter_new(ctx, metric, &p->scale, &p->privacy, &meter) < 0
            || kn_meter_scratch(meter, g->nids, &by, &h) < 0)
            return 0;
        said = kn_meter_score(meter, levels, g, &verdict, &by, &h);
        if (kn_meter_bound(meter, levels) > said + 1e-9 * (said > 1 ? said : 1)
            && verdict.outlying <= p->privacy.allowed) {
            fprintf(stderr, "%s: the bound %.17g is above %.17g\n", metric->info.name,
                    kn_meter_bound(meter, levels), said);
            return 0;
        }
        kn_by_class_fini(&by);
        kn_histogram_fini(&h);
        kn_meter_free(meter);
        if (fabs(said - measure) > 1e-9 * (fabs(measure) > 1 ? fabs(measure) : 1)) {
            fprintf(stderr, "%s: the meter says %.17g, measured is %.17g\n", metric->info.name,
                    said, measure);
            return 0;
        }
    }
    return 1;
}

static int
dump_node(kanon_ctx *ctx, const kn_problem *p, kn_workspace *ws, const uint8_t *levels)
{
    kn_column_loss columns[KN_QUASI_MOST];
    kn_measured    m;
    kn_grouping    g;

    kn_group(ws, levels, &g);
    if (kn_measure(ctx, &p->scale, &p->privacy, levels, &g, &m, columns) < 0
        || !meters_agree(ctx, p, levels, &g, &m.metrics))
        return 0;
    for (size_t i = 0; i < p->lattice.n; i++)
        printf("%s%u", i ? "," : "", levels[i]);
    printf("\t%llu\t%llu\t%d", (unsigned long long) m.suppressed,
           (unsigned long long) m.after.classes, m.suppressed <= p->privacy.allowed);
#define PRINT_VALUE(name, text) printf("\t%.17g", m.metrics.name);
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
        levels[i] = 0;
    }
    return 0;
}

int
main(int argc, char **argv)
{
    kanon_ctx    *ctx = NULL;
    kanon_config *config = NULL;
    kanon_source *settings = NULL, *table = NULL;
    kn_problem    p = { 0 };
    kn_workspace *ws = NULL;
    uint8_t       levels[KN_QUASI_MOST] = { 0 };
    int           fine = 0;

    if (argc != 3 || kanon_ctx_new(NULL, &ctx) < 0)
        return 1;
    if (kanon_config_new(ctx, &config) == KANON_OK
        && kanon_source_file(ctx, argv[1], &settings) == KANON_OK
        && kanon_config_read(config, settings, ".") == KANON_OK
        && kanon_source_file(ctx, argv[2], &table) == KANON_OK
        && kn_problem_init(&p, ctx, config, table) == KANON_OK
        && kn_workspace_new(ctx, &p.view, SIZE_MAX, &ws) == KANON_OK) {
        print_header();
        do
            fine = dump_node(ctx, &p, ws, levels);
        while (fine && next_node(&p.lattice, levels));
    }
    if (!fine)
        fprintf(stderr, "node_dump: %s\n", kanon_ctx_message(ctx));
    kn_workspace_free(ws);
    kn_problem_fini(&p);
    kanon_source_free(table);
    kanon_source_free(settings);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return fine ? 0 : 1;
}

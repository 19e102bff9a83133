/* SPDX-License-Identifier: Apache-2.0 */
/* meter.c -- a metric made ready for a search.
 * Cell-wise losses: the loss of the whole table at each (column, level) is summed once, and what suppressing
 * a row adds is kept per group; a node then needs only the outlying rows of each group. Cost a node:
 * O(groups) for cells, O(columns) otherwise. */
#include "lattice/lattice.h"
#include "measure/metric.h"

struct kn_meter {
    kanon_ctx             *ctx;
    const kn_metric_class *metric;
    kn_scale               scale;
    kn_privacy             privacy;
    double               **total;  /* [column][level] over all rows */
    double              ***adds;   /* [column][level][group]: a row's cell, when it is suppressed */
    uint32_t             **groups; /* [column][level] */
};

/* The sum over one column at a level, and what suppressing adds in each group; both weighted. */
static void
build_level(kn_meter *meter, const kn_coarse *coarse, size_t column, size_t level,
            const double *loss, const double *star)
{
    const uint64_t *rows = meter->scale.value_rows[column];
    double         *adds = meter->adds[column][level];
    double          weight = kn_scale_weight(&meter->scale, column);

    for (size_t leaf = coarse->axis->ncodes; leaf-- > 0;) {
        adds[kn_coarse_at(coarse, level, leaf)] = (star[leaf] - loss[leaf]) * weight;
        meter->total[column][level] += loss[leaf] * (double) rows[leaf] * weight;
    }
}

static kanon_status
build_column(kn_meter *meter, const kn_coarse *coarse, size_t column)
{
    kanon_status           rc = KANON_OK;
    kanon_ctx             *ctx = meter->ctx;
    const kanon_hierarchy *h = meter->scale.hierarchies[column];
    double                *loss = KN_NEW_ARRAY(ctx, double, h->ndata);
    double                *star = KN_NEW_ARRAY(ctx, double, h->ndata);

    meter->total[column] = KN_NEW_ARRAY(ctx, double, h->nlevels);
    meter->groups[column] = KN_NEW_ARRAY(ctx, uint32_t, h->nlevels);
    meter->adds[column] = kn_alloc_array(ctx, h->nlevels, sizeof(double *));
    KN_TRY(KN_HAVE(loss && star && meter->total[column] && meter->groups[column]
                   && meter->adds[column]));
    KN_TRY(meter->metric->cells(&meter->scale, column, SIZE_MAX, star));
    for (size_t level = 0; level < h->nlevels; level++) {
        meter->groups[column][level] = coarse->ngroups[level];
        meter->adds[column][level] = KN_NEW_ARRAY(ctx, double, (size_t) coarse->ngroups[level] + 1);
        KN_TRY(KN_HAVE(meter->adds[column][level]));
        KN_TRY(meter->metric->cells(&meter->scale, column, level, loss));
        build_level(meter, coarse, column, level, loss, star);
    }
out:
    kn_free(ctx, loss);
    kn_free(ctx, star);
    return rc;
}

kanon_status
kn_meter_new(kanon_ctx *ctx, const kn_metric_class *metric, const kn_scale *scale,
             const kn_privacy *privacy, const kn_coarse *coarse, kn_meter **out)
{
    kanon_status rc = KANON_OK;
    kn_meter    *meter = KN_NEW(ctx, kn_meter);
    size_t       n = scale->table->nquasi;

    *out = NULL;
    if (!meter)
        return KANON_E_NOMEM;
    *meter = (kn_meter){ .ctx = ctx, .metric = metric, .scale = *scale, .privacy = *privacy };
    if (metric->needs & KN_METRIC_CELLS) {
        meter->total = kn_alloc_array(ctx, n, sizeof *meter->total);
        meter->adds = kn_alloc_array(ctx, n, sizeof *meter->adds);
        meter->groups = kn_alloc_array(ctx, n, sizeof *meter->groups);
        if (!meter->total || !meter->adds || !meter->groups)
            rc = KANON_E_NOMEM;
        for (size_t i = 0; rc == KANON_OK && i < n; i++)
            rc = build_column(meter, &coarse[i], i);
    }
    if (rc < 0) {
        kn_meter_free(meter);
        return rc;
    }
    *out = meter;
    return KANON_OK;
}

void
kn_meter_free(kn_meter *meter)
{
    if (!meter)
        return;
    for (size_t i = 0; i < meter->scale.table->nquasi; i++) {
        for (size_t level = 0;
             meter->adds && meter->adds[i] && level < meter->scale.hierarchies[i]->nlevels; level++)
            kn_free(meter->ctx, meter->adds[i][level]);
        if (meter->adds)
            kn_free(meter->ctx, meter->adds[i]);
        if (meter->groups)
            kn_free(meter->ctx, meter->groups[i]);
        if (meter->total)
            kn_free(meter->ctx, meter->total[i]);
    }
    kn_free(meter->ctx, meter->adds);
    kn_free(meter->ctx, meter->groups);
    kn_free(meter->ctx, meter->total);
    kn_free(meter->ctx, meter);
}

/* lost NULL: nothing is suppressed. */
static double
sum_cells(const kn_meter *meter, const uint8_t *levels, const uint64_t *const *lost)
{
    double sum = 0;

    for (size_t i = 0; i < meter->scale.table->nquasi; i++) {
        const double *adds = meter->adds[i][levels[i]];

        sum += meter->total[i][levels[i]];
        for (size_t g = 0; lost && g < meter->groups[i][levels[i]]; g++)
            sum += (double) lost[i][g] * adds[g];
    }
    return sum;
}

double
kn_meter_score(const kn_meter *meter, const uint8_t *levels, const kn_counted *counted)
{
    kn_facts facts = { levels, { counted->outlying, counted->classes, counted->squares }, 0, 0 };

    assert(counted->complete);
    if (meter->metric->needs & KN_METRIC_CELLS)
        facts.cells = sum_cells(meter, levels, counted->outlying ? counted->lost : NULL);
    if (meter->metric->needs & KN_METRIC_LABELS)
        facts.off_label = counted->off_label;
    return meter->metric->score(&meter->scale, &facts);
}

double
kn_meter_levels(const kn_meter *meter, const uint8_t *levels)
{
    kn_facts facts = { levels, { 0, 0, 0 }, 0, 0 };

    return meter->metric->score(&meter->scale, &facts);
}

/* A suppressed row costs at least as much as a released one in every metric here, and raising a level
 * never lowers a released row's cost; so the floor with nothing suppressed is a lower bound. For dm a
 * released row counts at least k times, a suppressed one n times (which is less where k > n); for cm
 * nothing is known: 0. */
double
kn_meter_bound(const kn_meter *meter, const uint8_t *floor)
{
    uint64_t rows = meter->scale.table->rows, k = meter->privacy.k;

    if (meter->metric->needs & KN_METRIC_CELLS) {
        kn_facts facts = { floor, { 0, 0, 0 }, sum_cells(meter, floor, NULL), 0 };

        return meter->metric->score(&meter->scale, &facts);
    }
    if (meter->metric == &kn_metric_dm)
        return (double) rows * (double) (k < rows ? k : rows);
    if (meter->metric->needs & KN_METRIC_LABELS)
        return 0;
    return kn_meter_levels(meter, floor);
}

/* The least that suppressing a row adds to its cell of this column at this level, in units of cells. */
static double
least_add(const kn_meter *meter, size_t quasi, unsigned level)
{
    const double *adds = meter->adds[quasi][level];
    double        least = adds[0];

    for (size_t g = 1; g < meter->groups[quasi][level]; g++)
        least = adds[g] < least ? adds[g] : least;
    return least;
}

static double
cells_share(const kn_meter *meter, const uint8_t *levels, double cells)
{
    kn_facts facts = { levels, { 0, 0, 0 }, cells, 0 };

    return meter->metric->score(&meter->scale, &facts);
}

double
kn_meter_term(const kn_meter *meter, size_t quasi, unsigned level)
{
    uint8_t  levels[KN_QUASI_MOST] = { 0 };
    uint64_t rows = meter->scale.table->rows, k = meter->privacy.k;

    assert(quasi < meter->scale.table->nquasi);
    if (meter->metric->needs & KN_METRIC_CELLS) {
        double add = least_add(meter, quasi, level);

        /* a suppressed cell may be the cheaper one, where a group reaches beyond the table's range */
        return cells_share(meter, levels,
                           meter->total[quasi][level]
                               + (add < 0 ? add * (double) meter->privacy.allowed : 0));
    }
    if (meter->metric == &kn_metric_dm)
        return (double) rows * (double) (k < rows ? k : rows) / (double) meter->scale.table->nquasi;
    if (meter->metric->needs & KN_METRIC_LABELS)
        return 0;
    levels[quasi] = (uint8_t) level;
    return kn_meter_levels(meter, levels);
}

double
kn_meter_lost(const kn_meter *meter, size_t quasi, unsigned level)
{
    uint8_t  levels[KN_QUASI_MOST] = { 0 };
    uint64_t k = meter->privacy.k;
    double   rows = (double) meter->scale.table->rows, n = (double) meter->scale.table->nquasi;

    assert(quasi < meter->scale.table->nquasi);
    if (rows <= 0 || (meter->metric->needs & KN_METRIC_LEVELS))
        return 0;
    if (meter->metric->needs & KN_METRIC_CELLS) {
        double add = least_add(meter, quasi, level);

        return add > 0 ? cells_share(meter, levels, add) : 0;
    }
    if (meter->metric == &kn_metric_dm)
        return (double) k < rows ? (rows - (double) k) / n : 0;
    if (meter->metric->needs & KN_METRIC_LABELS)
        return 1 / (rows * n);
    return (kn_scale_weight(&meter->scale, quasi) / kn_scale_weights(&meter->scale)
            - kn_meter_term(meter, quasi, level))
         / rows;
}

/* Without suppression every feasible node releases every row, and each metric grows with the levels. */
bool
kn_meter_monotone(const kn_meter *meter)
{
    return (meter->metric->needs & KN_METRIC_LEVELS) || meter->privacy.allowed == 0;
}

bool
kn_meter_by_levels(const kn_meter *meter)
{
    return meter->metric->needs & KN_METRIC_LEVELS;
}

unsigned
kn_metric_wants(const kn_metric_class *metric, const kn_scale *scale, const kn_privacy *privacy)
{
    unsigned want = 0;

    if ((metric->needs & KN_METRIC_CELLS) && privacy->allowed > 0)
        want |= KN_WANT_LOST;
    if ((metric->needs & KN_METRIC_LABELS) && scale->label != SIZE_MAX)
        want |= KN_WANT_LABELS;
    return want;
}

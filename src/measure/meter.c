/* meter.c -- a metric made ready for a search.
 * Cell-wise losses: the loss of the whole table at each (column, level) is summed once; at a node only
 * the outlying tuples are visited to replace their cells by `*`. Cost a node: O(columns + outlying
 * tuples * columns) for cells, O(tuples) for labels, O(1) otherwise. */
#include "measure/metric.h"

struct kn_meter {
    kanon_ctx             *ctx;
    const kn_metric_class *metric;
    kn_scale               scale;
    kn_privacy             privacy;
    double ***loss;  /* [column][level][leaf]; the last level + 1 is `*` of a suppressed cell */
    double  **total; /* [column][level] over all rows */
};

static kanon_status
build_column(kn_meter *meter, size_t column)
{
    const kanon_hierarchy *h = meter->scale.hierarchies[column];
    const uint64_t        *rows = meter->scale.value_rows[column];

    meter->loss[column] = kn_alloc_array(meter->ctx, h->nlevels + 1, sizeof(double *));
    meter->total[column] = kn_alloc_array(meter->ctx, h->nlevels + 1, sizeof(double));
    if (!meter->loss[column] || !meter->total[column])
        return KANON_E_NOMEM;
    for (size_t level = 0; level <= h->nlevels; level++) {
        double      *loss = KN_NEW_ARRAY(meter->ctx, double, h->ndata);
        kanon_status rc;

        meter->loss[column][level] = loss;
        if (!loss)
            return KANON_E_NOMEM;
        rc = meter->metric->cells(&meter->scale, column, level == h->nlevels ? SIZE_MAX : level,
                                  loss);
        if (rc < 0)
            return rc;
        for (size_t leaf = 0; leaf < h->ndata; leaf++)
            meter->total[column][level] += loss[leaf] * (double) rows[leaf];
    }
    return KANON_OK;
}

kanon_status
kn_meter_new(kanon_ctx *ctx, const kn_metric_class *metric, const kn_scale *scale,
             const kn_privacy *privacy, kn_meter **out)
{
    kanon_status rc = KANON_OK;
    kn_meter    *meter = KN_NEW(ctx, kn_meter);
    size_t       n = scale->table->nquasi;

    *out = NULL;
    if (!meter)
        return KANON_E_NOMEM;
    meter->ctx = ctx;
    meter->metric = metric;
    meter->scale = *scale;
    meter->privacy = *privacy;
    if (metric->needs & KN_METRIC_CELLS) {
        meter->loss = kn_alloc_array(ctx, n, sizeof *meter->loss);
        meter->total = kn_alloc_array(ctx, n, sizeof *meter->total);
        if (!meter->loss || !meter->total)
            rc = KANON_E_NOMEM;
        for (size_t i = 0; rc == KANON_OK && i < n; i++)
            rc = build_column(meter, i);
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
             meter->loss && meter->loss[i] && level <= meter->scale.hierarchies[i]->nlevels;
             level++)
            kn_free(meter->ctx, meter->loss[i][level]);
        if (meter->loss)
            kn_free(meter->ctx, meter->loss[i]);
        if (meter->total)
            kn_free(meter->ctx, meter->total[i]);
    }
    kn_free(meter->ctx, meter->loss);
    kn_free(meter->ctx, meter->total);
    kn_free(meter->ctx, meter);
}

static double
sum_cells(const kn_meter *meter, const uint8_t *levels, const kn_grouping *grouping)
{
    const kn_table *table = meter->scale.table;
    double          sum = 0;

    for (size_t i = 0; i < table->nquasi; i++)
        sum += meter->total[i][levels[i]];
    if (!grouping)
        return sum;
    for (size_t t = 0; t < table->ntuples; t++) {
        double change = 0;

        if (kn_privacy_holds(&meter->privacy, grouping->sizes[grouping->class_of[t]]))
            continue;
        for (size_t i = 0; i < table->nquasi; i++) {
            uint32_t leaf = kn_codes_at(&table->quasi[i], t);

            change += meter->loss[i][meter->scale.hierarchies[i]->nlevels][leaf]
                    - meter->loss[i][levels[i]][leaf];
        }
        sum += change * (double) table->weights[t];
    }
    return sum;
}

static uint64_t
count_off_label(const kn_meter *meter, const kn_grouping *grouping, kn_by_class *by,
                kn_histogram *h)
{
    const kn_table *table = meter->scale.table;
    uint64_t        off = 0;

    if (meter->scale.label == SIZE_MAX)
        return 0;
    kn_by_class_sort(by, grouping, table->ntuples);
    for (size_t id = 0; id < grouping->nids; id++) {
        uint64_t most = 0;

        if (!grouping->sizes[id] || !kn_privacy_holds(&meter->privacy, grouping->sizes[id]))
            continue;
        kn_histogram_fill(h, table, meter->scale.label, by, id);
        for (size_t i = 0; i < h->nseen; i++)
            if (h->counts[h->seen[i]] > most)
                most = h->counts[h->seen[i]];
        kn_histogram_clear(h);
        off += grouping->sizes[id] - most;
    }
    return off;
}

double
kn_meter_score(const kn_meter *meter, const uint8_t *levels, const kn_grouping *grouping,
               const kn_verdict *verdict, kn_by_class *scratch, kn_histogram *histogram)
{
    kn_facts facts = { levels, *verdict, 0, 0 };

    if (meter->metric->needs & KN_METRIC_CELLS)
        facts.cells = sum_cells(meter, levels, verdict->outlying ? grouping : NULL);
    if (meter->metric->needs & KN_METRIC_LABELS)
        facts.off_label = count_off_label(meter, grouping, scratch, histogram);
    return meter->metric->score(&meter->scale, &facts);
}

double
kn_meter_levels(const kn_meter *meter, const uint8_t *levels)
{
    kn_facts facts = { levels, { 0, 0, 0 }, 0, 0 };

    return meter->metric->score(&meter->scale, &facts);
}

kanon_status
kn_meter_scratch(const kn_meter *meter, size_t most_ids, kn_by_class *scratch,
                 kn_histogram *histogram)
{
    kanon_status rc;

    memset(scratch, 0, sizeof *scratch);
    memset(histogram, 0, sizeof *histogram);
    if (!(meter->metric->needs & KN_METRIC_LABELS) || meter->scale.label == SIZE_MAX)
        return KANON_OK;
    rc = kn_by_class_init(scratch, meter->ctx, meter->scale.table->ntuples, most_ids);
    return rc < 0 ? rc : kn_histogram_init(histogram, meter->ctx, meter->scale.label_domain);
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

bool
kn_meter_needs_classes(const kn_meter *meter, const kn_verdict *verdict)
{
    if (verdict->outlying > meter->privacy.allowed)
        return false; /* infeasible: it gets no score */
    if (meter->metric->needs & KN_METRIC_LABELS)
        return meter->scale.label != SIZE_MAX;
    return (meter->metric->needs & KN_METRIC_CELLS) && verdict->outlying > 0;
}

bool
kn_meter_may_need_classes(const kn_meter *meter)
{
    if (meter->metric->needs & KN_METRIC_LABELS)
        return meter->scale.label != SIZE_MAX;
    return (meter->metric->needs & KN_METRIC_CELLS) && meter->privacy.allowed > 0;
}

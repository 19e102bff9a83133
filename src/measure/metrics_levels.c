/* SPDX-License-Identifier: Apache-2.0 */
/* metrics_levels.c -- losses that look at the levels: log, precision, height. */
#include "measure/metric.h"

static double
mean_level(const kn_scale *scale, const uint8_t *levels)
{
    double sum = 0, weights = kn_scale_weights(scale);

    for (size_t i = 0; i < scale->table->nquasi; i++) {
        size_t height = scale->hierarchies[i]->nlevels - 1;

        if (height)
            sum += (double) levels[i] / (double) height * kn_scale_weight(scale, i);
    }
    return weights > 0 ? sum / weights : 0;
}

static double
score_log(const kn_scale *scale, const kn_facts *facts)
{
    return mean_level(scale, facts->levels);
}

static double
score_precision(const kn_scale *scale, const kn_facts *facts)
{
    double n = (double) scale->table->rows, lost = (double) facts->verdict.outlying;

    return n > 0 ? ((n - lost) * mean_level(scale, facts->levels) + lost) / n : 0;
}

static double
score_height(const kn_scale *scale, const kn_facts *facts)
{
    double sum = 0;

    for (size_t i = 0; i < scale->table->nquasi; i++)
        sum += facts->levels[i];
    return sum;
}

const kn_metric_class kn_metric_log = {
    { "log", "level of generalization: mean of level / height over the quasi-identifiers" },
    KN_METRIC_LEVELS,
    NULL,
    score_log,
};
const kn_metric_class kn_metric_precision = {
    { "precision", "as log, but a suppressed row counts as fully generalized (as in ARX)" },
    0,
    NULL,
    score_precision,
};
const kn_metric_class kn_metric_height = {
    { "height", "sum of the levels" },
    KN_METRIC_LEVELS,
    NULL,
    score_height,
};

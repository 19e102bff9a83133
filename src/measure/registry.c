/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c -- the metrics that a search can minimise. A new one: one definition, one line here. */
#include "measure/metric.h"

static const kn_metric_class *const metrics[] = {
    &kn_metric_log, &kn_metric_precision, &kn_metric_height,  &kn_metric_dm, &kn_metric_glm,
    &kn_metric_gcp, &kn_metric_total_il,  &kn_metric_entropy, &kn_metric_cm,
};

const kanon_metric *
kanon_metric_at(size_t index)
{
    return index < KN_COUNT(metrics) ? &metrics[index]->info : NULL;
}

const kn_metric_class *
kn_metric_at(size_t index)
{
    return index < KN_COUNT(metrics) ? metrics[index] : NULL;
}

bool
kn_metric_additive(const kn_metric_class *metric)
{
    return metric != &kn_metric_dm && !(metric->needs & KN_METRIC_LABELS);
}

const kn_metric_class *
kn_metric_find(const char *name)
{
    for (size_t i = 0; i < KN_COUNT(metrics); i++)
        if (strcmp(metrics[i]->info.name, name) == 0)
            return metrics[i];
    return NULL;
}

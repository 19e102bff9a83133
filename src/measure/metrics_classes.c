/* SPDX-License-Identifier: Apache-2.0 */
/* metrics_classes.c -- losses that look at the classes: discernibility (Bayardo and Agrawal 2005) and
 * the classification metric (Iyengar 2002). */
#include "measure/metric.h"

static double
score_dm(const kn_scale *scale, const kn_facts *facts)
{
    return facts->verdict.squares + (double) facts->verdict.outlying * (double) scale->table->rows;
}

static double
score_cm(const kn_scale *scale, const kn_facts *facts)
{
    double n = (double) scale->table->rows;

    return n > 0 ? ((double) facts->verdict.outlying + (double) facts->off_label) / n : 0;
}

const kn_metric_class kn_metric_dm = {
    { "dm", "discernibility: squared class sizes, plus n per suppressed row" },
    0,
    NULL,
    score_dm,
};
const kn_metric_class kn_metric_cm = {
    { "cm", "share of rows suppressed or without the majority label of their class" },
    KN_METRIC_LABELS,
    NULL,
    score_cm,
};

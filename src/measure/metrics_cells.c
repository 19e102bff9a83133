/* SPDX-License-Identifier: Apache-2.0 */
/* metrics_cells.c -- losses that are sums over cells: glm, gcp, total_il, entropy. */
#include "measure/metric.h"

static kanon_status
fill(const kanon_hierarchy *h, size_t level, kn_cell_loss cell, double *loss)
{
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        loss[leaf] = level == SIZE_MAX ? 1 : cell(h, level, (uint32_t) leaf);
    return KANON_OK;
}

static kanon_status
cells_glm(const kn_scale *scale, size_t column, size_t level, double *loss)
{
    return fill(scale->hierarchies[column], level, kn_cell_glm, loss);
}

static kanon_status
cells_gcp(const kn_scale *scale, size_t column, size_t level, double *loss)
{
    return fill(scale->hierarchies[column], level, kn_cell_gcp, loss);
}

static kanon_status
cells_total_il(const kn_scale *scale, size_t column, size_t level, double *loss)
{
    return fill(scale->hierarchies[column], level, kn_cell_total_il, loss);
}

/* In units of the column's own `*`, so that the mean over cells is the mean over columns. */
static kanon_status
cells_entropy(const kn_scale *scale, size_t column, size_t level, double *loss)
{
    const kanon_hierarchy *h = scale->hierarchies[column];
    const uint64_t        *rows = scale->value_rows[column];
    double                 star = 0;
    kanon_status           rc = kn_entropy_bits(h, h->nlevels - 1, rows, loss);

    if (rc < 0)
        return rc;
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        star += loss[leaf] * (double) rows[leaf];
    if (level != SIZE_MAX)
        rc = kn_entropy_bits(h, level, rows, loss);
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        loss[leaf] = star > 0 ? loss[leaf] * (double) scale->table->rows / star : 0;
    return rc;
}

static double
score_cells(const kn_scale *scale, const kn_facts *facts)
{
    double cells = (double) scale->table->rows * kn_scale_weights(scale);

    return cells > 0 ? facts->cells / cells : 0;
}

const kn_metric_class kn_metric_glm = {
    { "glm", "general loss (Iyengar): share of the domain that a released value leaves open" },
    KN_METRIC_CELLS,
    cells_glm,
    score_cells,
};
const kn_metric_class kn_metric_gcp = {
    { "gcp", "global certainty penalty: normalised NCP, mean over cells" },
    KN_METRIC_CELLS,
    cells_gcp,
    score_cells,
};
const kn_metric_class kn_metric_total_il = {
    { "total_il", "total information loss (Byun): interval width or height in the hierarchy" },
    KN_METRIC_CELLS,
    cells_total_il,
    score_cells,
};
const kn_metric_class kn_metric_entropy = {
    { "entropy", "non-uniform entropy: bits lost, as a share of what `*` would lose" },
    KN_METRIC_CELLS,
    cells_entropy,
    score_cells,
};

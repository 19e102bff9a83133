/* SPDX-License-Identifier: Apache-2.0 */
/* loss.c -- the cell-wise losses: general loss (Iyengar 2002), NCP, Byun's total information loss,
 * non-uniform entropy (Gionis and Tassa). */
#include "measure/loss.h"

#include <math.h>

/* The missing value alone in its group: released as what it is. */
static bool
missing_only(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    return leaf == h->missing && h->levels[level].leaves[h->levels[level].group_of[leaf]] == 0;
}

static bool
numeric_loss(const kanon_hierarchy *h, size_t level, uint32_t leaf, double *loss)
{
    uint32_t group;

    if (h->type != KN_TYPE_NUMBER || !h->levels[level].lo)
        return false;
    group = h->levels[level].group_of[leaf];
    *loss = h->max > h->min
              ? (h->levels[level].hi[group] - h->levels[level].lo[group]) / (h->max - h->min)
              : 0;
    return true;
}

/* The leaves that a category may stand for; 0 where they do not matter and *loss is the answer: intact cells
 * and ranges of numbers. */
static uint32_t
cell_leaves(const kanon_hierarchy *h, size_t level, uint32_t leaf, double *loss)
{
    *loss = 0;
    if (level == 0 || missing_only(h, level, leaf) || numeric_loss(h, level, leaf, loss))
        return 0;
    return h->levels[level].leaves[h->levels[level].group_of[leaf]];
}

double
kn_cell_glm(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    double   loss;
    uint32_t leaves = cell_leaves(h, level, leaf, &loss);

    assert(level < h->nlevels && leaf < h->nleaves);
    if (leaves)
        loss = leaves <= 1 || h->domain <= 1 ? 0 : (double) (leaves - 1) / (double) (h->domain - 1);
    return loss;
}

double
kn_cell_gcp(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    double   loss;
    uint32_t leaves = cell_leaves(h, level, leaf, &loss);

    assert(level < h->nlevels && leaf < h->nleaves);
    if (leaves)
        loss = leaves <= 1 ? 0 : (double) leaves / (double) h->domain;
    return loss;
}

/* The same set of leaves at two levels? Levels nest, so equal numbers of leaves mean equal sets, but
 * for the missing value, which is not counted among them. */
static bool
same_set(const kanon_hierarchy *h, size_t low, size_t high, uint32_t leaf)
{
    const kn_level *a = &h->levels[low], *b = &h->levels[high];
    uint32_t        ga = a->group_of[leaf], gb = b->group_of[leaf];
    bool            missing_a, missing_b;

    if (a->leaves[ga] != b->leaves[gb])
        return false;
    missing_a = h->missing != KN_NO_CODE && a->group_of[h->missing] == ga;
    missing_b = h->missing != KN_NO_CODE && b->group_of[h->missing] == gb;
    return missing_a == missing_b;
}

double
kn_cell_total_il(const kanon_hierarchy *h, size_t level, uint32_t leaf)
{
    double loss;
    size_t lowest = level;

    assert(level < h->nlevels && leaf < h->nleaves);
    if (level == 0 || missing_only(h, level, leaf))
        return 0;
    if (numeric_loss(h, level, leaf, &loss))
        return loss;
    while (lowest > 0 && same_set(h, lowest - 1, level, leaf))
        lowest--;
    return (double) lowest / (double) (h->nlevels - 1);
}

kanon_status
kn_entropy_bits(const kanon_hierarchy *h, size_t level, const uint64_t *rows, double *bits)
{
    const kn_level *l = &h->levels[level];
    uint64_t       *in_group = KN_NEW_ARRAY(h->ctx, uint64_t, l->ngroups);

    assert(level < h->nlevels);
    if (!in_group)
        return KANON_E_NOMEM;
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        in_group[l->group_of[leaf]] += rows[leaf];
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        bits[leaf] = rows[leaf] ? log2((double) in_group[l->group_of[leaf]] / (double) rows[leaf])
                                : 0;
    kn_free(h->ctx, in_group);
    return KANON_OK;
}

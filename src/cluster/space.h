/* SPDX-License-Identifier: Apache-2.0 */
/* space.h -- the rows of a table as points, and what it costs to release a set of them as one class.
 * The values of each quasi-identifier are ranked: numbers by value, categories depth first along their
 * hierarchy, so that every group of every level is an interval of ranks. What a class releases in a column
 * then follows from its least and its greatest rank alone: the interval of a number, the lowest common
 * ancestor of categories. A class is a box of ranks, and joining two classes is a minimum and a maximum. */
#ifndef KN_SPACE_H
#define KN_SPACE_H

#include "measure/metric.h"

/** What a cell costs that is lost altogether, if its column has weight 1. Costs are whole
 *  numbers: sums are exact, whatever their order and the number of threads. */
enum { KN_COST_ONE = 1 << 24 };

/** The rank of every padding column, and the multiple that points are padded to. */
enum { KN_SPACE_PAD = 8 };

/** One quasi-identifier. */
typedef struct kn_space_side {
    bool      numeric;
    uint32_t  nranks;  /* different values in the table, the missing one with them */
    uint32_t *rank_of; /* [code of the table] -> rank */
    uint32_t *code_of; /* [rank] -> code */
    uint32_t  missing; /* rank of the missing value (the last one, if numeric), or KN_NO_CODE */
    /* What a lost cell costs: KN_COST_ONE times the column's weight, scaled so that the mean over the
     * columns is KN_COST_ONE. */
    uint32_t whole;
    /* Numbers: what one of them and the missing value together cost. That is the whole, but for a column
     * of a single number, whose `*` says as much as the number. */
    uint32_t  mixed;
    uint32_t *values; /* numbers: [nranks] in units of cost, from the column's minimum */
    /* Categories: cost of [least * nranks + greatest] where that is small enough, else NULL and
     * groups: [level][group] -> cost, level 0 left out. */
    uint32_t              *table;
    uint32_t             **groups;
    const kanon_hierarchy *hierarchy;
} kn_space_side;

typedef struct kn_space {
    kanon_ctx      *ctx;
    const kn_table *table;
    size_t          nquasi, width; /* width: nquasi rounded up to a multiple of KN_SPACE_PAD */
    size_t          npoints;       /* the table's tuples */
    uint32_t        rows;     /* in the order of the table's entries: those of a tuple adjoin */
    kn_space_side  *sides;    /* [nquasi] */
    uint32_t       *ranks;    /* [npoints * width]; padding is 0 */
    uint32_t       *point_of; /* [rows] */
    uint32_t *entry_of;  /* [rows] for models that look at sensitive values; NULL: there are none */
    uint32_t *first_row; /* [npoints + 1] */
    uint64_t  whole;     /* cost of a suppressed row: every cell lost */
} kn_space;

/** The metrics that are a sum over the cells of classes, whatever the classes; NULL at the end. */
extern const kn_metric_class *const kn_space_metrics[];

/** metric: one of kn_space_metrics, which differ in what an ancestor costs. At most 2^31 rows. */
kanon_status kn_space_new(kanon_ctx *ctx, const kn_scale *scale, const kn_metric_class *metric,
                          kn_space **out);
void         kn_space_free(kn_space *space);

static inline const uint32_t *
kn_space_point(const kn_space *space, uint32_t row)
{
    assert(row < space->rows);
    return space->ranks + (size_t) space->point_of[row] * space->width;
}

/** The cost of the lowest common ancestor of two ranks of a column of categories without a table. */
uint32_t kn_space_side_meet(const kn_space_side *side, uint32_t least, uint32_t greatest);

/** The cost of one cell. */
static inline uint32_t
kn_space_side_cell(const kn_space_side *side, uint32_t least, uint32_t greatest)
{
    assert(least <= greatest && greatest < side->nranks);
    if (side->numeric) {
        if (greatest == side->missing)
            return least == greatest ? 0 : side->mixed;
        return side->values[greatest] - side->values[least];
    }
    if (side->table)
        return side->table[(size_t) least * side->nranks + greatest];
    return kn_space_side_meet(side, least, greatest);
}

/** What one row costs in a class with these least and greatest ranks (width each). */
uint64_t kn_space_cost(const kn_space *space, const uint32_t *least, const uint32_t *greatest);
/** The cost of a class of just these two points: the NCP distance. */
uint64_t kn_space_apart(const kn_space *space, const uint32_t *a, const uint32_t *b);
/** A sum of costs over all rows as the metric itself, in [0, 1]. */
double kn_space_loss(const kn_space *space, uint64_t cost);

#endif

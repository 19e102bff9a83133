/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h -- classes of rows: boxes around them, costs, numbers without gaps, and how rows that have no
 * class and classes that may not be are dealt with. */
#ifndef KN_PARTITION_H
#define KN_PARTITION_H

#include "cluster/cluster.h"

/** Some rows with classes of their own; those of a tuple adjoin. */
typedef struct kn_part {
    const uint32_t *rows; /* [nrows] of the space; NULL: all, in their order */
    uint32_t        nrows;
    uint32_t       *class_of; /* [nrows]; KN_NO_CLASS: none */
    uint32_t        nclasses; /* upper bound of the numbers; after kn_part_number() none is empty */
} kn_part;

static inline uint32_t
kn_part_row(const kn_part *part, uint32_t index)
{
    assert(index < part->nrows);
    return part->rows ? part->rows[index] : index;
}

/** All rows of a partition, whose arrays it borrows. */
kn_part kn_part_of(const kn_space *space, const kn_partition *partition);

/** All rows without a class. */
kanon_status kn_partition_init(kanon_ctx *ctx, uint32_t rows, kn_partition *out);
/** Numbers the classes by their first rows. */
kanon_status kn_part_number(kanon_ctx *ctx, kn_part *part);
/** Rows without a class. */
uint32_t kn_part_left(const kn_part *part);

/** The classes of a part. */
typedef struct kn_boxes {
    size_t    count, width;
    uint32_t *least, *greatest; /* [count * width] */
    uint32_t *size;
    uint32_t *cost; /* of a row */
} kn_boxes;

kanon_status kn_boxes_init(kn_boxes *boxes, const kn_space *space, const kn_part *part);
void         kn_boxes_fini(kn_boxes *boxes, kanon_ctx *ctx);

/** What the rows cost; those without a class are lost altogether. */
kanon_status kn_part_cost(const kn_space *space, const kn_part *part, uint64_t *cost);

/** Who mends, and what he may do. */
typedef struct kn_mending {
    kn_cluster_env *env;
    kn_pool        *pool; /* NULL: inside of pool work */
    unsigned        worker;
    uint64_t        allowance; /* rows that may still be suppressed */
    bool            hurried;   /* it may end when it is late, with *left true */
} kn_mending;

/** Puts the rows without a class where the cost grows least. There must be a class. Rows of a tuple go
 *  together. They stay without one where that is allowed and costs less. */
kanon_status kn_part_place(kn_mending *mender, kn_part *part);
/** Merges classes that may not be with the one whose cost grows least, again and again, or suppresses them
 *  where that is allowed and costs less; numbers what is there then. *left: one class, which has all the
 *  rows that are not suppressed, may not be. */
kanon_status kn_part_repair(kn_mending *mender, kn_part *part, bool *left);
/** Takes their rows from classes that may not be. */
kanon_status kn_part_dissolve(kn_mending *mender, kn_part *part);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* partition_blocks.h -- methods that look at pairs of rows, kept within blocks of rows that are near each
 * other. A block is a table of its own to them, so that blocks can be done side by side and their work grows
 * with the number of blocks. One block of all rows is the plain method. */
#ifndef KN_PARTITION_BLOCKS_H
#define KN_PARTITION_BLOCKS_H

#include "base/rng.h"
#include "cluster/partition.h"

/** All tuples, those of a block together. */
typedef struct kn_blocks {
    size_t    count;
    uint32_t *first;  /* [count + 1] of points */
    uint32_t *points; /* [npoints] in ascending order within a block */
    uint32_t *start;  /* [npoints + 1] of rows: those of each point */
    uint32_t *rows;   /* [rows] */
} kn_blocks;

/** Blocks of about `most` tuples at most, with at least k rows each (0: one block of all). */
kanon_status kn_blocks_init(kn_cluster_env *env, size_t most, kn_blocks *out);
void         kn_blocks_fini(kn_blocks *blocks, kanon_ctx *ctx);

/** One block as a method sees it. */
typedef struct kn_partition_block {
    kn_cluster_env  *env;
    kn_pool         *pool; /* NULL: others work on other blocks meanwhile */
    unsigned         worker;
    const uint32_t  *points; /* [npoints] */
    const uint32_t  *start;  /* [npoints + 1] less start[0]: indices of part */
    size_t           npoints;
    kn_part          part;      /* classes numbered from 0 within the block */
    const kn_values *values;    /* of the parameters */
    const void      *user;      /* the method's own */
    uint64_t         number;    /* of the block in its run, for random streams */
    uint64_t         distances; /* counted by the method */
    double           fraction; /* share of the progress before it; only reported if it runs alone */
} kn_partition_block;

typedef kanon_status (*kn_partition_block_method)(kn_partition_block *block);

/** Must the method end with what it has? */
bool kn_partition_block_late(kn_partition_block *block, double done);
/** What a method looks for near rows with: the tuples of a block with those of their rows that have no class,
 *  rarest first (ids are indices of points), a probe, and room for a class of k rows. */
typedef struct kn_block_scan {
    kn_candidates crowd;
    kn_probe      probe;
    kn_near       near;
} kn_block_scan;

/** natural: see KN_PARAM_NATURAL. Close it also after a failure. */
kanon_status kn_block_scan_open(kn_partition_block *block, size_t natural, kn_block_scan *scan);
void         kn_block_scan_close(kn_block_scan *scan);
/** Gives some rows of a tuple that have no class to one. */
void kn_partition_block_give(kn_partition_block *block, uint32_t index, uint32_t rows,
                             uint32_t class);
/** A class of k rows around a centroid, taken from the crowd (which has at least so many); the rows. */
uint32_t kn_partition_block_class(kn_partition_block *block, kn_block_scan *scan,
                                  const uint32_t *centroid);

/* Parameters that several methods have. */
/* clang-format off */
#define KN_PARAM_NATURAL                                                                           \
    { "natural", "on|off", 0, 0, "on", "tuples with k rows first become classes of their own" }
#define KN_PARAM_BLOCK(most)                                                                       \
    { "block", "integer", 0, 1e9, most,                                                            \
      "tuples examined together; larger tables are cut into blocks of neighbours; 0: all together" }
/* clang-format on */

/** What is run: methods on all blocks for each of some partitions. */
typedef struct kn_partition_block_run {
    kn_cluster_env           *env;
    const kn_blocks          *blocks;
    kn_partition_block_method method;
    const kn_values          *values;
    const void               *user;
    uint64_t number; /* of the first block of the first partition; the next ones count on */
    kn_part *parts;  /* [count] in the order of blocks->rows */
    size_t   count;
} kn_partition_block_run;

/** Each part gets classes numbered block by block, without gaps. KANON_OK also when it was late. */
kanon_status kn_blocks_run(const kn_partition_block_run *run);
/** Runs a method once on blocks of `most` tuples, for a clusterer that is no more than that. */
kanon_status kn_blocks_cluster(kn_cluster_env *env, size_t most, kn_partition_block_method method,
                               const kn_values *values, kn_partition *out);

/** Costs that a method of pairs computes: so many scans of all tuples for each class, in blocks. */
double kn_blocks_work(const kn_space *space, double most, double scans);

#endif

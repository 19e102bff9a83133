/* SPDX-License-Identifier: Apache-2.0 */
/* kab.c -- KAB, k-anonymity based on the black-hole algorithm (Kacha, Zitouni and Djoudi 2021). A star is
 * made by taking a random record with the k - 1 records nearest to it, again and again (the paper's
 * algorithm 1); black_hole.c does the rest (algorithm 2), and the driver refines the best star.
 * Departures, beside those of the move: tuples that have k rows are classes of their own first; records left
 * over join the class whose cost grows least, where the paper takes the nearest centroid; beyond a size
 * stars are made in blocks of neighbours. Ties go to the rarest tuple.
 * Cost of a star: one scan of the tuples that are left for each class. */
#include "cluster/black_hole.h"

enum { PARAM_NATURAL = KN_HOLE_PARAMS };

static const kanon_param params[] = {
    KN_BLACK_HOLE_PARAMS("32768"),
    KN_PARAM_NATURAL,
    KN_CLUSTER_PARAMS("on"),
};

/* A random order of the rows; centroids are taken from it. */
static uint32_t *
shuffled(const kn_partition_block *block)
{
    uint32_t  n = block->part.nrows;
    uint32_t *order = KN_NEW_ARRAY(kn_cluster_ctx(block->env), uint32_t, n);
    kn_rng    rng;

    if (!order)
        return NULL;
    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x6b6162) << 40 | block->number);
    kn_rng_order(&rng, order, n);
    return order;
}

static void
make_classes(kn_partition_block *block, kn_block_scan *scan, const uint32_t *order)
{
    const kn_space *space = scan->crowd.scanner->space;
    uint64_t        k = kn_cluster_privacy(block->env)->k;
    uint32_t        left = kn_part_left(&block->part), total = left, next = 0;

    while (left >= k && !kn_partition_block_late(block, 1 - (double) left / total)) {
        while (block->part.class_of[order[next]] != KN_NO_CLASS)
            next = next + 1 < block->part.nrows ? next + 1 : 0;
        left -= kn_partition_block_class(block, scan,
                                         kn_space_point(space,
                                                        kn_part_row(&block->part, order[next])));
        kn_candidates_compact(&scan->crowd, NULL);
    }
}

/* Every row gets a class that may be, as far as that is possible within the block. */
static kanon_status
complete(kn_partition_block *block)
{
    kanon_status rc = KANON_OK;
    kn_mending   mender = { block->env, block->pool, block->worker, 0, true };

    if (block->part.nclasses == 0
        || kn_part_left(&block->part) >= kn_cluster_privacy(block->env)->k)
        return KANON_OK; /* cut short; or too few rows for one class */
    KN_TRY(kn_part_place(&mender, &block->part));
    KN_TRY(kn_star_repair(block, &mender));
out:
    return rc;
}

static kanon_status
make_star(kn_partition_block *block)
{
    kanon_status  rc = KANON_OK;
    kn_block_scan scan;
    uint32_t     *order = shuffled(block);

    KN_TRY(kn_block_scan_open(block, PARAM_NATURAL, &scan));
    KN_TRY(KN_HAVE(order));
    make_classes(block, &scan, order);
    KN_TRY(complete(block));
out:
    kn_free(kn_cluster_ctx(block->env), order);
    kn_block_scan_close(&scan);
    return rc;
}

/* Of the stars that move, some are replaced: about one in three. A move costs less than a new star. */
static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    double stars = values->number[KN_HOLE_STARS],
           moves = values->number[KN_HOLE_ITERATIONS] * (stars - 1);

    return kn_blocks_work(space, values->number[KN_HOLE_BLOCK],
                          (stars + moves) * (double) space->rows / (double) k);
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    return kn_black_hole(env, values, make_star, out);
}

const kn_cluster_class kn_cluster_kab = {
    { "kab", "the best of a few clusterings, moved by the black-hole rule, then refined",
      "docs/algorithms/kab.md", KANON_TRAIT_LOCAL | KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM,
      params, "gcp" },
    work,
    run,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* bha.c -- k-anonymity by the black-hole algorithm alone, the baseline of the KAB paper: stars are random
 * partitions, and nothing but the moves makes them better. A star has a random number of classes, from one to
 * n/k, and the rows are dealt to them in a random order, so that each gets k.
 * Cost: that of the moves, see black_hole.c; where they tear classes, a merge for each. */
#include "cluster/black_hole.h"

static const kanon_param params[] = {
    KN_BLACK_HOLE_PARAMS("0"),
    KN_CLUSTER_PARAMS("off"),
};

static kanon_status
make_star(kn_partition_block *block)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = kn_cluster_ctx(block->env);
    uint64_t     k = kn_cluster_privacy(block->env)->k;
    uint32_t     n = block->part.nrows, most = (uint32_t) (n / k);
    uint32_t    *order = KN_NEW_ARRAY(ctx, uint32_t, n);
    kn_mending   mender = { block->env, block->pool, block->worker, 0, true };
    kn_rng       rng;

    if (!order)
        return KANON_E_NOMEM;
    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x626861) << 40 | block->number);
    block->part.nclasses = most ? 1 + (uint32_t) kn_rng_below(&rng, most) : 1;
    kn_rng_order(&rng, order, n);
    for (uint32_t i = 0; i < n; i++)
        block->part.class_of[order[i]] = i % block->part.nclasses;
    KN_TRY(kn_star_repair(block, &mender));
out:
    kn_free(ctx, order);
    return rc;
}

static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    double n = (double) space->npoints, most = values->number[KN_HOLE_BLOCK];
    double classes = (double) space->rows / (double) k;
    double moves = values->number[KN_HOLE_ITERATIONS] * (values->number[KN_HOLE_STARS] - 1);

    return moves * classes * (most > 0 && most < n ? classes * most / n : classes) / 4;
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    return kn_black_hole(env, values, make_star, out);
}

const kn_cluster_class kn_cluster_bha = {
    { "bha", "random classes moved by the black-hole rule alone: a baseline",
      "docs/algorithms/bha.md", KANON_TRAIT_LOCAL | KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM,
      params, "gcp" },
    work,
    run,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* ika.c -- the improved k-anonymity clustering (Zheng, Wang, Lv, Ma and Jia 2018): a class is a centroid
 * with the k - 1 records nearest to it; the next centroid is the record whose nearest centroid is furthest
 * away. Departures: equal records count as one centroid; records left over join the class whose cost grows
 * least, where the paper takes the nearest centroid. Ties go to the rarest tuple.
 * Cost: one scan of the tuples that are left for each class. */
#include "cluster/partition_blocks.h"

enum { PARAM_NATURAL, PARAM_BLOCK };

static const kanon_param params[] = {
    KN_PARAM_NATURAL,
    KN_PARAM_BLOCK("0"),
    KN_CLUSTER_PARAMS("off"),
};

/* The first of those that are furthest from all centroids; the last one is counted in on the way. */
static size_t
next_centroid(kn_candidates *c)
{
    size_t   best = SIZE_MAX;
    uint32_t most = 0;

    for (size_t i = 0; i < c->count; i++) {
        c->extra[i] = c->apart[i] < c->extra[i] ? c->apart[i] : c->extra[i];
        if (c->weight[i] && (best == SIZE_MAX || c->extra[i] > most)) {
            most = c->extra[i];
            best = i;
        }
    }
    return best;
}

static void
make_classes(kn_partition_block *block, kn_block_scan *scan, size_t centroid)
{
    const kn_space *space = scan->crowd.scanner->space;
    uint64_t        k = kn_cluster_privacy(block->env)->k;
    uint32_t        left = kn_part_left(&block->part), total = left;

    while (left >= k && !kn_partition_block_late(block, 1 - (double) left / total)) {
        uint32_t point = block->points[scan->crowd.id[centroid]];

        left -= kn_partition_block_class(block, scan, space->ranks + (size_t) point * space->width);
        if (!left)
            break;
        centroid = next_centroid(&scan->crowd);
        kn_candidates_compact(&scan->crowd, &centroid);
    }
}

static kanon_status
method(kn_partition_block *block)
{
    kanon_status   rc = KANON_OK;
    kanon_ctx     *ctx = kn_cluster_ctx(block->env);
    kn_block_scan  scan;
    kn_candidates *crowd = &scan.crowd;
    kn_rng         rng;

    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x696b61) << 40 | block->number);
    KN_TRY(kn_block_scan_open(block, PARAM_NATURAL, &scan));
    if (!crowd->count)
        goto out;
    crowd->extra = KN_NEW_ARRAY(ctx, uint32_t, crowd->count);
    KN_TRY(KN_HAVE(crowd->extra));
    for (size_t i = 0; i < crowd->count; i++)
        crowd->extra[i] = UINT32_MAX;
    make_classes(block, &scan, kn_rng_below(&rng, crowd->count));
out:
    kn_free(ctx, crowd->extra);
    kn_block_scan_close(&scan);
    return rc;
}

static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    return kn_blocks_work(space, values->number[PARAM_BLOCK], (double) space->rows / (double) k);
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    return kn_blocks_cluster(env, (size_t) values->number[PARAM_BLOCK], method, values, out);
}

const kn_cluster_class kn_cluster_ika = {
    { "ika", "centroids far from each other with their nearest rows: good for small k, quadratic",
      "docs/algorithms/ika.md", KANON_TRAIT_LOCAL | KANON_TRAIT_RANDOM, params, "gcp" },
    work,
    run,
};

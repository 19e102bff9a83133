/* SPDX-License-Identifier: Apache-2.0 */
/* ika.c -- the improved k-anonymity clustering (Zheng, Wang, Lv, Ma and Jia 2018): a class is a centroid
 * with the k - 1 records nearest to it; the next centroid is the record whose nearest centroid is furthest
 * away. Departures: equal records count as one centroid; records left over join the class whose cost grows
 * least, where the paper takes the nearest centroid. Ties go to the rarest tuple.
 * Cost: one scan of the tuples that are left for each class. */
#include "cluster/partition_blocks.h"

enum { PARAM_NATURAL, PARAM_BLOCK };

static const kanon_param params[] = {
    { "natural", "on|off", 0, 0, "on", "tuples with k rows first become classes of their own" },
    { "block", "integer", 0, 1e9, "0",
      "tuples examined together; larger tables are cut into blocks of neighbours; 0: all "
      "together" },
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
make_classes(kn_partition_block *block, kn_candidates *c, kn_probe *probe, kn_near *near,
             size_t centroid)
{
    const kn_space *space = c->scanner->space;
    uint64_t        k = kn_cluster_privacy(block->env)->k;
    uint32_t        left = kn_part_left(&block->part), total = left;

    while (left >= k && !kn_partition_block_late(block, 1 - (double) left / total)) {
        left -= kn_partition_block_class(block, c, probe, near,
                                         space->ranks
                                             + (size_t) block->points[c->id[centroid]]
                                                   * space->width);
        if (!left)
            break;
        centroid = next_centroid(c);
        kn_candidates_compact(c, &centroid);
    }
}

static kanon_status
method(kn_partition_block *block)
{
    kanon_status  rc = KANON_OK;
    uint64_t      k = kn_cluster_privacy(block->env)->k;
    kanon_ctx    *ctx = kn_cluster_ctx(block->env);
    kn_candidates crowd;
    kn_probe      probe;
    kn_near       near = { 0, 0, NULL, 0 };
    uint32_t     *apart = NULL;
    kn_rng        rng;

    memset(&crowd, 0, sizeof crowd);
    memset(&probe, 0, sizeof probe);
    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x696b61) << 40 | block->number);
    if (block->values->number[PARAM_NATURAL] < 1)
        kn_partition_block_natural(block);
    KN_TRY(kn_partition_block_crowd(block, &crowd));
    KN_TRY(kn_probe_init(&probe, crowd.scanner));
    if (!crowd.count)
        goto out;
    apart = KN_NEW_ARRAY(ctx, uint32_t, crowd.count);
    near.keys = KN_NEW_ARRAY(ctx, uint64_t, k + 1);
    if (!apart || !near.keys) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t i = 0; i < crowd.count; i++)
        apart[i] = UINT32_MAX;
    crowd.extra = apart;
    make_classes(block, &crowd, &probe, &near, kn_rng_below(&rng, crowd.count));
out:
    kn_free(ctx, apart);
    kn_free(ctx, near.keys);
    kn_candidates_fini(&crowd);
    kn_probe_fini(&probe);
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

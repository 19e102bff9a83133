/* SPDX-License-Identifier: Apache-2.0 */
/* k_members.c -- greedy k-member clustering (Byun, Kamra, Bertino and Li 2007): a class begins with the
 * record that is furthest from the one before began with, and takes in the record that makes it cost least
 * until it has k. Records left over join the class whose cost grows least.
 * Departures: equal records are taken together, and the next class begins furthest from the last one's first
 * record, not from its last one (that saves a scan, and makes no difference that we could measure). Ties go
 * to the rarest tuple. Cost: a scan of the tuples that are left for each one taken, in the columns that
 * change. */
#include "cluster/partition_blocks.h"

enum { PARAM_NATURAL, PARAM_BLOCK };

static const kanon_param params[] = {
    KN_PARAM_NATURAL,
    KN_PARAM_BLOCK("0"),
    KN_CLUSTER_PARAMS("off"),
};

typedef struct growth {
    kn_partition_block *block;
    kn_block_scan       scan;
    uint32_t            left; /* rows without a class */
} growth;

static const uint32_t *
ranks_at(const growth *g, size_t place)
{
    const kn_space *space = g->scan.crowd.scanner->space;

    return space->ranks + (size_t) g->block->points[g->scan.crowd.id[place]] * space->width;
}

static void
measure_from(growth *g, const uint32_t *ranks)
{
    kn_probe_set(&g->scan.probe, ranks, ranks);
    kn_candidates_measure(&g->scan.crowd, &g->scan.probe);
    g->block->distances += g->scan.crowd.count;
}

static uint64_t
take(growth *g, size_t place, uint64_t most, uint32_t class)
{
    uint32_t rows = g->scan.crowd.weight[place];

    rows = rows < most ? rows : (uint32_t) most;
    kn_partition_block_give(g->block, g->scan.crowd.id[place], rows, class);
    kn_candidates_take(&g->scan.crowd, place, rows);
    g->left -= rows;
    return rows;
}

/* One class, begun at a place; answers where the next one begins. */
static size_t
make_class(growth *g, size_t seed, uint64_t k)
{
    const uint32_t *ranks = ranks_at(g, seed);
    uint32_t class = g->block->part.nclasses++;
    size_t   far;
    uint64_t need = k;

    measure_from(g, ranks);
    far = kn_candidates_most(&g->scan.crowd);
    for (size_t place = seed; need > 0; place = kn_candidates_least(&g->scan.crowd)) {
        if (place != seed) {
            kn_candidates_grow(&g->scan.crowd, &g->scan.probe, ranks_at(g, place));
            g->block->distances += g->scan.crowd.count;
        }
        need -= take(g, place, need, class);
        if (need == 0)
            break;
    }
    if (!g->scan.crowd.weight[far] && g->left) {
        measure_from(g, ranks);
        far = kn_candidates_most(&g->scan.crowd);
    }
    return far;
}

static kanon_status
method(kn_partition_block *block)
{
    kanon_status rc = KANON_OK;
    uint64_t     k = kn_cluster_privacy(block->env)->k;
    growth       g = { .block = block };
    kn_rng       rng;
    size_t       seed;
    uint32_t     total;

    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x6b6d) << 40 | block->number);
    KN_TRY(kn_block_scan_open(block, PARAM_NATURAL, &g.scan));
    total = g.left = kn_part_left(&block->part);
    if (g.left < k)
        goto out;
    measure_from(&g, ranks_at(&g, kn_rng_below(&rng, g.scan.crowd.count)));
    seed = kn_candidates_most(&g.scan.crowd);
    while (g.left >= k && !kn_partition_block_late(block, 1 - (double) g.left / total)) {
        seed = make_class(&g, seed, k);
        kn_candidates_compact(&g.scan.crowd, &seed);
    }
out:
    kn_block_scan_close(&g.scan);
    return rc;
}

static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    double scans = (double) space->npoints + (double) space->rows / (double) k;

    return kn_blocks_work(space, values->number[PARAM_BLOCK], scans);
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    return kn_blocks_cluster(env, (size_t) values->number[PARAM_BLOCK], method, values, out);
}

const kn_cluster_class kn_cluster_k_members = {
    { "k-members", "grows classes row by row, each next class far away: good, quadratic",
      "docs/algorithms/k-members.md", KANON_TRAIT_LOCAL | KANON_TRAIT_RANDOM, params, "gcp" },
    work,
    run,
};

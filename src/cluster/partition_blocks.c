/* SPDX-License-Identifier: Apache-2.0 */
/* partition_blocks.c -- tables cut into blocks, and methods run on all of them by the threads. Each block has
 * its own random stream and writes to its own places: who does it does not show. */
#include "cluster/partition_blocks.h"

#include "cluster/mondrian.h"

/* --- blocks ------------------------------------------------------------------------------------------- */

/* Sorts the points by block, and their rows with them. */
static void
fill_blocks(const kn_space *space, const uint32_t *block_of, kn_blocks *out)
{
    uint32_t row = 0;

    for (size_t p = 0; p < space->npoints; p++)
        out->first[(block_of ? block_of[space->first_row[p]] : 0) + 2]++;
    for (size_t b = 2; b < out->count + 2; b++)
        out->first[b] += out->first[b - 1];
    for (uint32_t p = 0; p < space->npoints; p++)
        out->points[out->first[(block_of ? block_of[space->first_row[p]] : 0) + 1]++] = p;
    for (size_t i = 0; i < space->npoints; i++) {
        uint32_t p = out->points[i];

        out->start[i] = row;
        for (uint32_t r = space->first_row[p]; r < space->first_row[p + 1]; r++)
            out->rows[row++] = r;
    }
    out->start[space->npoints] = row;
}

kanon_status
kn_blocks_init(kn_cluster_env *env, size_t most, kn_blocks *out)
{
    kanon_status        rc = KANON_OK;
    const kn_space     *space = kn_cluster_space(env);
    kanon_ctx          *ctx = kn_cluster_ctx(env);
    kn_partition        parts = { NULL, 1 };
    kn_mondrian_options options = { KN_MONDRIAN_STRICT, KN_MONDRIAN_WIDEST, most };

    memset(out, 0, sizeof *out);
    if (most && most < space->npoints) {
        KN_TRY(kn_partition_init(ctx, space->rows, &parts));
        KN_TRY(kn_mondrian_cut(env, &options, &parts));
    }
    out->count = parts.nclasses;
    out->first = KN_NEW_ARRAY(ctx, uint32_t, out->count + 2);
    out->points = KN_NEW_ARRAY(ctx, uint32_t, space->npoints);
    out->start = KN_NEW_ARRAY(ctx, uint32_t, space->npoints + 1);
    out->rows = KN_NEW_ARRAY(ctx, uint32_t, space->rows);
    KN_TRY(KN_HAVE(out->first && out->points && out->start && out->rows));
    fill_blocks(space, parts.class_of, out);
out:
    kn_partition_fini(ctx, &parts);
    return rc;
}

void
kn_blocks_fini(kn_blocks *blocks, kanon_ctx *ctx)
{
    kn_free(ctx, blocks->first);
    kn_free(ctx, blocks->points);
    kn_free(ctx, blocks->start);
    kn_free(ctx, blocks->rows);
    memset(blocks, 0, sizeof *blocks);
}

/* --- what a method may do ---------------------------------------------------------------------------- */

bool
kn_partition_block_late(kn_partition_block *block, double done)
{
    if (block->worker != 0)
        return kn_cluster_over(block->env);
    return kn_cluster_late(block->env, block->pool ? block->fraction + done : -1, -1);
}

enum { RARITIES = 256 };

static uint32_t
left_of(const kn_partition_block *block, size_t index)
{
    uint32_t left = 0;

    for (uint32_t r = block->start[index]; r < block->start[index + 1]; r++)
        left += block->part.class_of[r - block->start[0]] == KN_NO_CLASS;
    return left;
}

/* The rarest tuples first, so that ties go to them: they are the ones that will cost most if they are left
 * over. */
static kanon_status
open_crowd(const kn_partition_block *block, kn_candidates *crowd)
{
    kanon_status      rc = KANON_OK;
    const kn_scanner *scanner = kn_cluster_scanner(block->env);
    const kn_space   *space = scanner->space;
    size_t            first[RARITIES + 1] = { 0 };

    KN_TRY(kn_candidates_init(crowd, scanner, block->npoints, KN_CANDIDATE_POINTS));
    crowd->pool = block->pool;
    for (size_t i = 0; i < block->npoints; i++) {
        uint32_t left = left_of(block, i);

        first[left < RARITIES ? left : RARITIES]++;
    }
    crowd->count = block->npoints - first[0];
    for (size_t r = 1, at = 0; r <= RARITIES; r++) {
        size_t count = first[r];

        first[r] = at;
        at += count;
    }
    for (size_t i = 0; i < block->npoints; i++) {
        const uint32_t *ranks = space->ranks + (size_t) block->points[i] * space->width;
        uint32_t        left = left_of(block, i);
        size_t          place;

        if (!left)
            continue;
        place = first[left < RARITIES ? left : RARITIES]++;
        kn_candidates_put(crowd, place, ranks, ranks);
        crowd->id[place] = (uint32_t) i;
        crowd->weight[place] = left;
    }
out:
    return rc;
}

void
kn_partition_block_give(kn_partition_block *block, uint32_t index, uint32_t rows, uint32_t class)
{
    assert(index < block->npoints);
    for (uint32_t r = block->start[index]; rows > 0; r++) {
        uint32_t *class_of = &block->part.class_of[r - block->start[0]];

        if (*class_of == KN_NO_CLASS) {
            *class_of = class;
            rows--;
        }
    }
}

uint32_t
kn_partition_block_class(kn_partition_block *block, kn_block_scan *scan, const uint32_t *centroid)
{
    kn_candidates *crowd = &scan->crowd;
    kn_near       *near = &scan->near;
    uint64_t       k = kn_cluster_privacy(block->env)->k;
    uint32_t class = block->part.nclasses++, taken = 0;

    kn_probe_set(&scan->probe, centroid, centroid);
    kn_candidates_measure(crowd, &scan->probe);
    block->distances += crowd->count;
    kn_candidates_nearest(crowd, k, near); /* the centroid is the first of them: nobody is nearer */
    for (size_t i = 0; i < near->count; i++) {
        size_t   place = kn_near_place(near, i);
        uint64_t need = k - taken;
        uint32_t rows = crowd->weight[place] < need ? crowd->weight[place] : (uint32_t) need;

        kn_partition_block_give(block, crowd->id[place], rows, class);
        kn_candidates_take(crowd, place, rows);
        taken += rows;
    }
    return taken;
}

static void
make_natural(kn_partition_block *block)
{
    uint64_t k = kn_cluster_privacy(block->env)->k;

    for (uint32_t i = 0; i < block->npoints; i++) {
        uint32_t rows = block->start[i + 1] - block->start[i];

        if (rows >= k)
            kn_partition_block_give(block, i, rows, block->part.nclasses++);
    }
}

kanon_status
kn_block_scan_open(kn_partition_block *block, size_t natural, kn_block_scan *scan)
{
    kanon_status rc = KANON_OK;
    uint64_t     k = kn_cluster_privacy(block->env)->k;

    memset(scan, 0, sizeof *scan);
    if (block->values->number[natural] < 1)
        make_natural(block);
    KN_TRY(open_crowd(block, &scan->crowd));
    KN_TRY(kn_probe_init(&scan->probe, scan->crowd.scanner));
    scan->near.keys = KN_NEW_ARRAY(scan->crowd.scanner->ctx, uint64_t,
                                   (k < block->npoints ? (size_t) k : block->npoints) + 1);
    KN_TRY(KN_HAVE(scan->near.keys));
out:
    return rc;
}

void
kn_block_scan_close(kn_block_scan *scan)
{
    if (scan->crowd.scanner)
        kn_free(scan->crowd.scanner->ctx, scan->near.keys);
    kn_candidates_fini(&scan->crowd);
    kn_probe_fini(&scan->probe);
}

/* --- runs -------------------------------------------------------------------------------------------- */

typedef struct round_of_blocks {
    const kn_partition_block_run *run;
    kn_partition_block           *blocks; /* [count * blocks->count] */
    kanon_status                 *rcs;
} round_of_blocks;

static void
do_block(void *user, size_t item, unsigned worker)
{
    round_of_blocks    *r = user;
    kn_partition_block *block = &r->blocks[item];

    if (kn_cluster_over(r->run->env)) { /* what it may have had before does not count, either */
        for (uint32_t i = 0; i < block->part.nrows; i++)
            block->part.class_of[i] = KN_NO_CLASS;
        return;
    }
    block->worker = worker;
    r->rcs[item] = r->run->method(block);
}

static void
open_block(const kn_partition_block_run *run, size_t item, kn_partition_block *block)
{
    const kn_blocks *all = run->blocks;
    size_t           b = item % all->count;
    const kn_part   *part = &run->parts[item / all->count];
    const uint32_t  *start = all->start + all->first[b];
    uint32_t         first = start[0], end = all->start[all->first[b + 1]];

    *block = (kn_partition_block){ .env = run->env,
                                   .points = all->points + all->first[b],
                                   .start = start,
                                   .npoints = all->first[b + 1] - all->first[b],
                                   .part = { all->rows + first, end - first, part->class_of + first,
                                             0 },
                                   .values = run->values,
                                   .user = run->user,
                                   .number = run->number + item };
}

/* The classes of a block come after those of the blocks before it. */
static void
number_blocks(const kn_partition_block_run *run, const kn_partition_block *blocks)
{
    for (size_t p = 0; p < run->count; p++) {
        uint32_t base = 0;

        for (size_t b = 0; b < run->blocks->count; b++) {
            const kn_part *part = &blocks[p * run->blocks->count + b].part;

            for (uint32_t i = 0; base && i < part->nrows; i++)
                if (part->class_of[i] != KN_NO_CLASS)
                    part->class_of[i] += base;
            base += part->nclasses;
        }
        run->parts[p].nclasses = base;
    }
}

kanon_status
kn_blocks_run(const kn_partition_block_run *run)
{
    kanon_status    rc = KANON_OK;
    kanon_ctx      *ctx = kn_cluster_ctx(run->env);
    size_t          items = run->count * run->blocks->count;
    round_of_blocks r = { run, KN_NEW_ARRAY(ctx, kn_partition_block, items),
                          KN_NEW_ARRAY(ctx, kanon_status, items) };

    assert(run->method);
    KN_TRY(KN_HAVE(r.blocks && r.rcs));
    for (size_t i = 0; i < items; i++) {
        open_block(run, i, &r.blocks[i]);
        r.blocks[i].pool = items == 1 ? kn_cluster_pool(run->env) : NULL;
    }
    kn_pool_run(kn_cluster_pool(run->env), items, do_block, &r);
    for (size_t i = 0; i < items; i++) {
        kn_cluster_spent(run->env, r.blocks[i].distances);
        KN_TRY(r.rcs[i]);
    }
    number_blocks(run, r.blocks);
out:
    kn_free(ctx, r.blocks);
    kn_free(ctx, r.rcs);
    return rc;
}

kanon_status
kn_blocks_cluster(kn_cluster_env *env, size_t most, kn_partition_block_method method,
                  const kn_values *values, kn_partition *out)
{
    kanon_status           rc = KANON_OK;
    const kn_space        *space = kn_cluster_space(env);
    kanon_ctx             *ctx = kn_cluster_ctx(env);
    kn_blocks              blocks;
    kn_partition           found = { NULL, 0 };
    kn_part                part;
    kn_partition_block_run run = { env, &blocks, method, values, NULL, 0, &part, 1 };

    KN_TRY(kn_blocks_init(env, most, &blocks));
    KN_TRY(kn_partition_init(ctx, space->rows, &found));
    part = (kn_part){ blocks.rows, space->rows, found.class_of, 0 };
    KN_TRY(kn_blocks_run(&run));
    for (uint32_t i = 0; i < space->rows; i++)
        out->class_of[blocks.rows[i]] = part.class_of[i];
    out->nclasses = part.nclasses;
out:
    kn_partition_fini(ctx, &found);
    kn_blocks_fini(&blocks, ctx);
    return rc;
}

double
kn_blocks_work(const kn_space *space, double most, double scans)
{
    double n = (double) space->npoints, block = most > 0 && most < n ? most : n;

    return scans * block / 2;
}

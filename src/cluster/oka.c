/* SPDX-License-Identifier: Apache-2.0 */
/* oka.c -- the one-pass k-means algorithm (Lin and Wei 2008). Stage one: n/k random records are the seeds of
 * classes, and each other record joins the nearest class, which changes at once. Stage two: classes of more
 * than k records give away those furthest from their seeds, classes of fewer take in the nearest of these,
 * and what is left then goes where it adds least.
 * Departures: the paper's centroid is a mean of numbers and a common ancestor of categories; ours is the box
 * around the class, whose cost with the record is the distance, so that both kinds are measured in NCP.
 * Equal records are assigned together in stage one. Ties go to the first.
 * Cost: a scan of all classes for each tuple. */
#include "cluster/partition_blocks.h"

enum { PARAM_BLOCK };

static const kanon_param params[] = {
    KN_PARAM_BLOCK("0"),
    KN_CLUSTER_PARAMS("off"),
};

typedef struct pass {
    kn_partition_block *block;
    kanon_ctx          *ctx;
    uint64_t            k;
    uint32_t            nclasses;
    uint32_t           *seeds;            /* [nclasses] rows of the part */
    uint32_t           *order;            /* [rows] a random order, then the rows class by class */
    uint32_t           *ends;             /* [nclasses + 1] of order */
    uint32_t           *least, *greatest; /* [nclasses * width] */
    uint32_t           *spare;            /* [rows] given away */
    uint32_t            nspare;
    kn_candidates       crowd; /* of the classes */
    kn_probe            probe;
} pass;

static kanon_status
open_pass(pass *p, kn_partition_block *block)
{
    kanon_status      rc = KANON_OK;
    const kn_scanner *scanner = kn_cluster_scanner(block->env);
    kanon_ctx        *ctx = scanner->ctx;
    uint32_t          n = block->part.nrows;
    size_t            width = scanner->space->width;

    memset(p, 0, sizeof *p);
    p->block = block;
    p->ctx = ctx;
    p->k = kn_cluster_privacy(block->env)->k;
    p->nclasses = (uint32_t) (n / p->k);
    p->seeds = KN_NEW_ARRAY(ctx, uint32_t, p->nclasses);
    p->order = KN_NEW_ARRAY(ctx, uint32_t, n);
    p->spare = KN_NEW_ARRAY(ctx, uint32_t, n);
    p->ends = KN_NEW_ARRAY(ctx, uint32_t, p->nclasses + 1);
    p->least = KN_NEW_ARRAY(ctx, uint32_t, p->nclasses * width);
    p->greatest = KN_NEW_ARRAY(ctx, uint32_t, p->nclasses * width);
    if (!p->seeds || !p->order || !p->spare || !p->ends || !p->least || !p->greatest)
        return KANON_E_NOMEM;
    KN_TRY(kn_candidates_init(&p->crowd, scanner, p->nclasses, KN_CANDIDATE_BOXES));
    KN_TRY(kn_probe_init(&p->probe, scanner));
    p->crowd.pool = block->pool;
out:
    return rc;
}

static void
close_pass(pass *p)
{
    kn_free(p->ctx, p->seeds);
    kn_free(p->ctx, p->order);
    kn_free(p->ctx, p->spare);
    kn_free(p->ctx, p->ends);
    kn_free(p->ctx, p->least);
    kn_free(p->ctx, p->greatest);
    kn_candidates_fini(&p->crowd);
    kn_probe_fini(&p->probe);
}

static const uint32_t *
ranks_of(const pass *p, uint32_t index)
{
    return kn_space_point(p->crowd.scanner->space, kn_part_row(&p->block->part, index));
}

/* --- stage one ------------------------------------------------------------------------------------------ */

static void
sow(pass *p)
{
    size_t   width = p->crowd.scanner->space->width;
    uint32_t n = p->block->part.nrows;
    kn_rng   rng;

    kn_rng_init(&rng, kn_cluster_seed(p->block->env), UINT64_C(0x6f6b61) << 40 | p->block->number);
    for (uint32_t i = 0; i < n; i++)
        p->order[i] = i;
    p->crowd.count = p->nclasses;
    for (uint32_t c = 0; c < p->nclasses; c++) {
        uint32_t        other = c + (uint32_t) kn_rng_below(&rng, n - c), seed = p->order[other];
        const uint32_t *ranks = ranks_of(p, seed);

        p->order[other] = p->order[c];
        p->order[c] = p->seeds[c] = seed;
        p->block->part.class_of[seed] = c;
        memcpy(p->least + c * width, ranks, width * sizeof *ranks);
        memcpy(p->greatest + c * width, ranks, width * sizeof *ranks);
        kn_candidates_put(&p->crowd, c, ranks, ranks);
        p->crowd.id[c] = c;
        p->crowd.weight[c] = 1;
    }
    p->block->part.nclasses = p->nclasses;
}

static void
widen(pass *p, uint32_t class, const uint32_t *ranks)
{
    size_t    width = p->crowd.scanner->space->width;
    uint32_t *least = p->least + class * width, *greatest = p->greatest + class * width;

    for (size_t q = 0; q < width; q++) {
        least[q] = ranks[q] < least[q] ? ranks[q] : least[q];
        greatest[q] = ranks[q] > greatest[q] ? ranks[q] : greatest[q];
    }
    kn_candidates_put(&p->crowd, class, least, greatest);
}

static size_t
nearest(pass *p, const uint32_t *ranks)
{
    kn_probe_set(&p->probe, ranks, ranks);
    kn_candidates_measure(&p->crowd, &p->probe);
    p->block->distances += p->crowd.count;
    return kn_candidates_least(&p->crowd);
}

static bool
assign(pass *p)
{
    const kn_partition_block *b = p->block;
    uint32_t                  base = b->start[0];

    for (uint32_t i = 0; i < b->npoints; i++) {
        uint32_t rows = 0, class;

        for (uint32_t r = b->start[i]; r < b->start[i + 1]; r++)
            rows += b->part.class_of[r - base] == KN_NO_CLASS;
        if (!rows)
            continue;
        if (kn_partition_block_late(p->block, (double) i / (double) b->npoints))
            return false;
        class = (uint32_t) nearest(p, ranks_of(p, b->start[i] - base));
        kn_partition_block_give(p->block, i, rows, class);
        p->crowd.weight[class] += rows;
        widen(p, class, ranks_of(p, b->start[i] - base));
    }
    return true;
}

/* --- stage two ------------------------------------------------------------------------------------------ */

/* The rows class by class, in p->order. */
static void
sort_rows(pass *p)
{
    const uint32_t *class_of = p->block->part.class_of;
    uint32_t        at = 0;

    for (uint32_t c = 0; c < p->nclasses; c++) {
        p->ends[c] = at;
        at += p->crowd.weight[c];
    }
    for (uint32_t i = 0; i < p->block->part.nrows; i++)
        p->order[p->ends[class_of[i]]++] = i;
}

/* The furthest from the seed first; of equals, the last one. */
static bool
goes_before(const pass *p, uint32_t class, uint32_t a, uint32_t b)
{
    const kn_space *space = p->crowd.scanner->space;
    const uint32_t *seed = ranks_of(p, p->seeds[class]);
    uint64_t        to_a = kn_space_apart(space, seed, ranks_of(p, a));
    uint64_t        to_b = kn_space_apart(space, seed, ranks_of(p, b));

    return to_a > to_b || (to_a == to_b && a > b);
}

/* A heap of the rows of a class with the one to go on top. */
static void
sift(const pass *p, uint32_t class, uint32_t *rows, uint32_t count)
{
    uint32_t at = 0, row = rows[0];

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= count)
            break;
        child += child + 1 < count && goes_before(p, class, rows[child + 1], rows[child]);
        if (!goes_before(p, class, rows[child], row))
            break;
        rows[at] = rows[child];
        at = child;
    }
    rows[at] = row;
}

static void
give_away(pass *p, uint32_t class)
{
    uint32_t *rows = p->order + (p->ends[class] - p->crowd.weight[class]);
    uint32_t  count = p->crowd.weight[class];

    for (uint32_t i = 1; i < count; i++) { /* each row rises to its place in the heap */
        uint32_t at = i, row = rows[i];

        for (; at > 0 && goes_before(p, class, row, rows[(at - 1) / 2]); at = (at - 1) / 2)
            rows[at] = rows[(at - 1) / 2];
        rows[at] = row;
    }
    while (count > p->k) {
        p->block->part.class_of[rows[0]] = KN_NO_CLASS;
        p->spare[p->nspare++] = rows[0];
        rows[0] = rows[--count];
        sift(p, class, rows, count);
    }
}

/* Boxes of what the classes have kept; in the crowd only those that need more. */
static void
count_again(pass *p)
{
    const kn_part *part = &p->block->part;
    size_t         width = p->crowd.scanner->space->width;

    memset(p->crowd.weight, 0, p->nclasses * sizeof *p->crowd.weight);
    for (size_t i = 0; i < p->nclasses * width; i++) {
        p->least[i] = UINT32_MAX;
        p->greatest[i] = 0;
    }
    for (uint32_t i = 0; i < part->nrows; i++)
        if (part->class_of[i] != KN_NO_CLASS) {
            p->crowd.weight[part->class_of[i]]++;
            widen(p, part->class_of[i], ranks_of(p, i));
        }
    p->crowd.gone = 0;
    for (uint32_t c = 0; c < p->nclasses; c++) {
        p->crowd.weight[c] = p->crowd.weight[c] < p->k ? (uint32_t) p->k - p->crowd.weight[c] : 0;
        p->crowd.gone += p->crowd.weight[c] == 0;
    }
}

static void
fill_up(pass *p)
{
    for (uint32_t i = 0; i < p->nspare && p->crowd.gone < p->crowd.count; i++) {
        size_t class;

        if (kn_partition_block_late(p->block, 1))
            return;
        class = nearest(p, ranks_of(p, p->spare[i]));
        p->block->part.class_of[p->spare[i]] = (uint32_t) class;
        widen(p, (uint32_t) class, ranks_of(p, p->spare[i]));
        kn_candidates_take(&p->crowd, class, 1);
    }
}

static kanon_status
method(kn_partition_block *block)
{
    kanon_status rc = KANON_OK;
    kn_mending   mender = { block->env, block->pool, block->worker, 0, false };
    pass         p;

    KN_TRY(open_pass(&p, block));
    if (!p.nclasses)
        goto out;
    sow(&p);
    if (!assign(&p))
        goto out;
    sort_rows(&p);
    for (uint32_t c = 0; c < p.nclasses; c++)
        give_away(&p, c);
    count_again(&p);
    fill_up(&p);
    KN_TRY(kn_part_place(&mender, &block->part));
out:
    close_pass(&p);
    return rc;
}

static double
work(const kn_space *space, uint64_t k, const kn_values *values)
{
    double n = (double) space->npoints, most = values->number[PARAM_BLOCK];
    double classes = (double) space->rows / (double) k;

    return n * (most > 0 && most < n ? classes * most / n : classes);
}

static kanon_status
run(kn_cluster_env *env, const kn_values *values, kn_partition *out)
{
    return kn_blocks_cluster(env, (size_t) values->number[PARAM_BLOCK], method, values, out);
}

const kn_cluster_class kn_cluster_oka = {
    { "oka", "random seeds, one pass, then balanced sizes: a baseline, quadratic for small k",
      "docs/algorithms/oka.md", KANON_TRAIT_LOCAL | KANON_TRAIT_RANDOM, params, "gcp" },
    work,
    run,
};

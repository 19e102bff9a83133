/* SPDX-License-Identifier: Apache-2.0 */
/* black_hole.c -- stars, moves and the event horizon.
 * The paper's equation 10, X + rand (BH - X), moves a star by arithmetic on the numbers of classes, which are
 * labels. `literal` does just that. `grouping` keeps what is meant: with probability rand a class of the
 * black hole is adopted, that is, all of its rows leave the classes that they have in the star and form one
 * there, if they cost less so; what is left of the others stays as it is. `any` adopts whether they cost less
 * or not. After each of them, classes that may not be are merged with the cheapest others, so that privacy
 * (equation 5) is always 0 and fitness (equation 4) orders stars as their cost does.
 * A star is swallowed when it is nearer to the black hole than R (equation 11), the black hole's share of all
 * fitness. The distance is the share of the black hole's cost that lies in classes which the star has not,
 * and for `literal` that of the vectors of numbers.
 * Cost of an iteration: for each star a merge for each class that was torn, within its block. */
#include "cluster/black_hole.h"

#include <math.h>

typedef struct hole_options {
    size_t stars, iterations;
    enum { MOVE_GROUPING, MOVE_ANY, MOVE_LITERAL } move; /* in the order of the parameter */
    bool                      horizon;                   /* stars that come too near are replaced */
    size_t                    block;                     /* tuples; 0: all in one */
    kn_partition_block_method star;
} hole_options;

typedef struct universe {
    kn_cluster_env     *env;
    const kn_values    *values;
    const hole_options *options;
    kanon_ctx          *ctx;
    kn_blocks           blocks;
    kn_part            *stars;    /* [options->stars] */
    kn_part            *moving;   /* [options->stars] those that a run works on */
    uint64_t           *cost;     /* [options->stars] */
    double             *pull;     /* [options->stars] rand of each that moves, in their order */
    bool               *complete; /* [options->stars] made to the end */
    size_t              hole;
    uint64_t            number; /* of the next block that draws: never the same twice */
    kn_rng              rng;
} universe;

/* What a move knows beside the star's block. */
typedef struct journey {
    const universe *u;
    const kn_part  *hole;
    uint64_t        number; /* of the run's first block */
} journey;

/* --- moves ------------------------------------------------------------------------------------------- */

/* Numbers within the block, of which there are so many. */
static uint32_t
local_numbers(const uint32_t *class_of, uint32_t rows, uint32_t *base)
{
    uint32_t least = UINT32_MAX, most = 0;

    for (uint32_t i = 0; i < rows; i++) {
        least = class_of[i] < least ? class_of[i] : least;
        most = class_of[i] > most ? class_of[i] : most;
    }
    *base = least;
    return rows ? most - least + 1 : 0;
}

/* The block's classes, those of the black hole, and what rows cost in both. */
typedef struct meeting {
    kn_part   star, hole;
    kn_boxes  star_boxes, hole_boxes;
    uint64_t *here; /* [classes of the hole] what their rows cost in the star */
} meeting;

static kanon_status
open_meeting(meeting *m, const kn_partition_block *block, const uint32_t *hole)
{
    kanon_status    rc = KANON_OK;
    const kn_space *space = kn_cluster_space(block->env);
    uint32_t        base;

    memset(m, 0, sizeof *m);
    m->star = m->hole = block->part;
    m->star.nclasses = local_numbers(block->part.class_of, block->part.nrows, &base);
    for (uint32_t i = 0; i < block->part.nrows; i++)
        m->star.class_of[i] -= base;
    m->hole.nclasses = local_numbers(hole, block->part.nrows, &base);
    m->hole.class_of = KN_NEW_ARRAY(space->ctx, uint32_t, block->part.nrows);
    m->here = KN_NEW_ARRAY(space->ctx, uint64_t, m->hole.nclasses);
    if (!m->hole.class_of || !m->here)
        return KANON_E_NOMEM;
    for (uint32_t i = 0; i < block->part.nrows; i++)
        m->hole.class_of[i] = hole[i] - base;
    KN_TRY(kn_boxes_init(&m->star_boxes, space, &m->star));
    KN_TRY(kn_boxes_init(&m->hole_boxes, space, &m->hole));
    for (uint32_t i = 0; i < block->part.nrows; i++)
        m->here[m->hole.class_of[i]] += m->star_boxes.cost[m->star.class_of[i]];
out:
    return rc;
}

static void
close_meeting(meeting *m, kanon_ctx *ctx)
{
    kn_free(ctx, m->hole.class_of);
    kn_free(ctx, m->here);
    kn_boxes_fini(&m->star_boxes, ctx);
    kn_boxes_fini(&m->hole_boxes, ctx);
}

static kanon_status
adopt_groups(kn_partition_block *block, const uint32_t *hole, double pull, bool any)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = kn_cluster_ctx(block->env);
    bool        *adopted = NULL;
    kn_rng       rng;
    meeting      m;

    kn_rng_init(&rng, kn_cluster_seed(block->env), UINT64_C(0x626c61636b) << 24 | block->number);
    KN_TRY(open_meeting(&m, block, hole));
    adopted = KN_NEW_ARRAY(ctx, bool, m.hole.nclasses);
    KN_TRY(KN_HAVE(adopted));
    for (uint32_t c = 0; c < m.hole.nclasses; c++) {
        uint64_t there = (uint64_t) m.hole_boxes.size[c] * m.hole_boxes.cost[c];

        adopted[c] = kn_rng_unit(&rng) < pull && (any || there < m.here[c]);
    }
    for (uint32_t i = 0; i < block->part.nrows; i++)
        if (adopted[m.hole.class_of[i]])
            block->part.class_of[i] = m.star.nclasses + m.hole.class_of[i];
    block->part.nclasses = m.star.nclasses + m.hole.nclasses;
out:
    kn_free(ctx, adopted);
    close_meeting(&m, ctx);
    return rc;
}

static void
move_numbers(kn_partition_block *block, const uint32_t *hole, double pull)
{
    kn_part *part = &block->part;
    uint32_t base, hole_base;
    uint32_t own = local_numbers(part->class_of, part->nrows, &base);
    uint32_t others = local_numbers(hole, part->nrows, &hole_base);

    for (uint32_t i = 0; i < part->nrows; i++) {
        double from = part->class_of[i] - base, to = hole[i] - hole_base;

        part->class_of[i] = (uint32_t) lround(from + pull * (to - from));
    }
    part->nclasses = own > others ? own : others;
}

kanon_status
kn_star_repair(kn_partition_block *block, kn_mending *mender)
{
    bool         left = false;
    kanon_status rc = kn_part_repair(mender, &block->part, &left);

    if (left && kn_cluster_over(block->env))
        block->part.class_of[0] = KN_NO_CLASS; /* no star: it was cut short */
    return rc;
}

static kanon_status
move_block(kn_partition_block *block)
{
    kanon_status    rc = KANON_OK;
    const journey  *j = block->user;
    const uint32_t *hole = j->hole->class_of + block->start[0];
    size_t          star = (size_t) (block->number - j->number) / j->u->blocks.count;
    kn_mending      mender = { block->env, block->pool, block->worker, 0, true };

    if (j->u->options->move == MOVE_LITERAL)
        move_numbers(block, hole, j->u->pull[star]);
    else
        KN_TRY(adopt_groups(block, hole, j->u->pull[star], j->u->options->move == MOVE_ANY));
    KN_TRY(kn_star_repair(block, &mender));
out:
    return rc;
}

/* --- runs of blocks ---------------------------------------------------------------------------------- */

static kanon_status
run_stars(universe *u, kn_partition_block_method method, const void *user, const size_t *which,
          size_t count)
{
    kanon_status           rc = KANON_OK;
    kn_partition_block_run run = { u->env, &u->blocks, method,    u->values,
                                   user,   u->number,  u->moving, count };

    for (size_t i = 0; i < count; i++)
        u->moving[i] = u->stars[which[i]];
    KN_TRY(kn_blocks_run(&run));
    u->number += count * u->blocks.count;
    for (size_t i = 0; i < count; i++) {
        size_t s = which[i];

        u->stars[s] = u->moving[i];
        u->complete[s] = kn_part_left(&u->stars[s]) == 0;
        if (u->complete[s])
            KN_TRY(kn_part_cost(kn_cluster_space(u->env), &u->stars[s], &u->cost[s]));
    }
out:
    return rc;
}

/* New stars in the place of some. */
static kanon_status
make_stars(universe *u, const size_t *which, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < u->stars[which[i]].nrows; r++)
            u->stars[which[i]].class_of[r] = KN_NO_CLASS;
    return run_stars(u, u->options->star, NULL, which, count);
}

static kanon_status
move_stars(universe *u, const size_t *which, size_t count)
{
    journey j = { u, &u->stars[u->hole], u->number };

    for (size_t i = 0; i < count; i++)
        u->pull[i] = kn_rng_unit(&u->rng);
    return run_stars(u, move_block, &j, which, count);
}

/* --- the black hole ---------------------------------------------------------------------------------- */

static void
find_hole(universe *u)
{
    for (size_t s = 0; s < u->options->stars; s++)
        if (u->complete[s] && (!u->complete[u->hole] || u->cost[s] < u->cost[u->hole]))
            u->hole = s;
    if (u->complete[u->hole])
        kn_cluster_note(u->env, kn_space_loss(kn_cluster_space(u->env), u->cost[u->hole]));
}

static double
vectors_apart(const kn_part *a, const kn_part *b)
{
    double sum = 0;

    for (uint32_t i = 0; i < a->nrows; i++) {
        double d = (double) a->class_of[i] - (double) b->class_of[i];

        sum += d * d;
    }
    return sqrt(sum);
}

/* Which classes of b are also classes of a: as many rows, and all of them in one. */
static kanon_status
find_shared(kanon_ctx *ctx, const kn_part *a, const kn_part *b, bool *shared)
{
    kanon_status rc = KANON_OK;
    uint32_t    *sizes = KN_NEW_ARRAY(ctx, uint32_t, a->nclasses);
    uint32_t    *others = KN_NEW_ARRAY(ctx, uint32_t, b->nclasses);
    uint32_t    *twins = KN_NEW_ARRAY(ctx, uint32_t, b->nclasses);

    KN_TRY(KN_HAVE(sizes && others && twins));
    for (uint32_t i = 0; i < a->nrows; i++) {
        uint32_t class = b->class_of[i];

        sizes[a->class_of[i]]++;
        if (others[class]++ == 0)
            twins[class] = a->class_of[i];
        else if (twins[class] != a->class_of[i])
            twins[class] = KN_NO_CLASS;
    }
    for (uint32_t c = 0; c < b->nclasses; c++)
        shared[c] = twins[c] != KN_NO_CLASS && sizes[twins[c]] == others[c];
out:
    kn_free(ctx, sizes);
    kn_free(ctx, others);
    kn_free(ctx, twins);
    return rc;
}

/* The share of the black hole's cost that lies in classes which a star has not. */
static kanon_status
groups_apart(const universe *u, const kn_part *star, double *apart)
{
    kanon_status   rc = KANON_OK;
    const kn_part *hole = &u->stars[u->hole];
    bool          *shared = KN_NEW_ARRAY(u->ctx, bool, hole->nclasses);
    double         all = 0, same = 0;
    kn_boxes       boxes;

    memset(&boxes, 0, sizeof boxes);
    if (!shared)
        return KANON_E_NOMEM;
    KN_TRY(find_shared(u->ctx, star, hole, shared));
    KN_TRY(kn_boxes_init(&boxes, kn_cluster_space(u->env), hole));
    for (size_t c = 0; c < boxes.count; c++) {
        double cost = (double) boxes.size[c] * boxes.cost[c];

        all += cost;
        same += shared[c] ? cost : 0;
    }
    *apart = all > 0 ? 1 - same / all : 0;
out:
    kn_free(u->ctx, shared);
    kn_boxes_fini(&boxes, u->ctx);
    return rc;
}

/* The stars that are too near to the black hole. */
static kanon_status
swallow(universe *u, size_t *which, size_t *count)
{
    kanon_status rc = KANON_OK;
    double       fitness = 0, radius;

    *count = 0;
    for (size_t s = 0; s < u->options->stars; s++)
        fitness += (double) u->cost[s];
    radius = fitness > 0 ? (double) u->cost[u->hole] / fitness : 0;
    for (size_t s = 0; u->options->horizon && s < u->options->stars; s++) {
        double apart;

        if (s == u->hole || !u->complete[s])
            continue;
        if (u->options->move == MOVE_LITERAL)
            apart = vectors_apart(&u->stars[s], &u->stars[u->hole]);
        else
            KN_TRY(groups_apart(u, &u->stars[s], &apart));
        if (apart < radius)
            which[(*count)++] = s;
    }
out:
    return rc;
}

static bool
late(universe *u, size_t done)
{
    return kn_cluster_late(u->env, (double) done / (double) (u->options->iterations + 1), -1);
}

static kanon_status
evolve(universe *u, size_t *which)
{
    kanon_status rc = KANON_OK;
    size_t       count = 0;

    for (size_t s = 0; s < u->options->stars; s++)
        which[count++] = s;
    KN_TRY(make_stars(u, which, count));
    find_hole(u);
    for (size_t i = 0; i < u->options->iterations && !late(u, i + 1); i++) {
        count = 0;
        for (size_t s = 0; s < u->options->stars; s++)
            if (s != u->hole)
                which[count++] = s;
        KN_TRY(move_stars(u, which, count));
        find_hole(u);
        if (kn_cluster_over(u->env))
            break;
        KN_TRY(swallow(u, which, &count));
        KN_TRY(make_stars(u, which, count));
        find_hole(u);
    }
out:
    return rc;
}

/* --- a run ------------------------------------------------------------------------------------------- */

static kanon_status
open_universe(universe *u)
{
    kanon_status    rc = KANON_OK;
    size_t          n = u->options->stars;
    const kn_space *space = kn_cluster_space(u->env);

    kn_rng_init(&u->rng, kn_cluster_seed(u->env), UINT64_C(0x686f6c65));
    KN_TRY(kn_blocks_init(u->env, u->options->block, &u->blocks));
    u->stars = KN_NEW_ARRAY(u->ctx, kn_part, n);
    u->moving = KN_NEW_ARRAY(u->ctx, kn_part, n);
    u->cost = KN_NEW_ARRAY(u->ctx, uint64_t, n);
    u->pull = KN_NEW_ARRAY(u->ctx, double, n);
    u->complete = KN_NEW_ARRAY(u->ctx, bool, n);
    if (!u->stars || !u->moving || !u->cost || !u->pull || !u->complete)
        return KANON_E_NOMEM;
    for (size_t s = 0; s < n; s++) {
        uint32_t *class_of = KN_NEW_ARRAY(u->ctx, uint32_t, space->rows);

        if (!class_of)
            return KANON_E_NOMEM;
        u->stars[s] = (kn_part){ u->blocks.rows, space->rows, class_of, 0 };
    }
out:
    return rc;
}

static void
close_universe(universe *u)
{
    for (size_t s = 0; u->stars && s < u->options->stars; s++)
        kn_free(u->ctx, u->stars[s].class_of);
    kn_free(u->ctx, u->stars);
    kn_free(u->ctx, u->moving);
    kn_free(u->ctx, u->cost);
    kn_free(u->ctx, u->pull);
    kn_free(u->ctx, u->complete);
    kn_blocks_fini(&u->blocks, u->ctx);
}

kanon_status
kn_black_hole(kn_cluster_env *env, const kn_values *values, kn_partition_block_method star,
              kn_partition *out)
{
    kanon_status  rc = KANON_OK;
    const double *v = values->number;
    hole_options  options = { (size_t) v[KN_HOLE_STARS],  (size_t) v[KN_HOLE_ITERATIONS],
                              (unsigned) v[KN_HOLE_MOVE], v[KN_HOLE_HORIZON] < 1,
                              (size_t) v[KN_HOLE_BLOCK],  star };
    universe u = { .env = env, .values = values, .options = &options, .ctx = kn_cluster_ctx(env) };
    size_t  *which = kn_alloc_array(u.ctx, options.stars, sizeof *which);

    if (!which)
        return KANON_E_NOMEM;
    KN_TRY(open_universe(&u));
    KN_TRY(evolve(&u, which));
    for (uint32_t i = 0; i < u.stars[u.hole].nrows; i++)
        out->class_of[u.blocks.rows[i]] = u.stars[u.hole].class_of[i];
    out->nclasses = u.stars[u.hole].nclasses;
out:
    kn_free(u.ctx, which);
    close_universe(&u);
    return rc;
}

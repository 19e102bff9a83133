/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c -- the refinement's schedule: epochs of simulated annealing, in each of which the classes are
 * cut into regions that threads work on apart.
 * Regions are cut along an order drawn by lot, so that what is a border in one epoch lies inside another's
 * region. Their number depends on the table alone and every region has a stream of random
 * numbers of its own: the result is the same for any number of threads. */
#include "cluster/refine.h"

#include <math.h>

#include "cluster/refine_state.h"

/* Box costs per row where nothing is said: 30000 rows take some 20 seconds on two cores then. Larger tables
 * get less for each row, so that all of them together take as the root of their number. */
enum { COSTS_A_ROW = 30000, USUAL_ROWS = 30000 };

enum { EPOCHS_LEAST = 20, EPOCHS_MOST = 300 };

/* Rebuildings that a region shall have time for in an epoch; and how much of all has no heat, at the end. */
enum { REBUILDINGS = 16 };
static const double STILL = 0.03;

/* Stream of random numbers that the regions are drawn from; regions have streams from 1 on. */
enum { STREAM = 0 };

/* Temperatures at the start and the end: in cells lost by every row of a class of k rows, relative to how
 * far points are from their neighbours (Adult: NEAR_USUAL). */
static const double HOT = 0.35, COLD = 0.01, HOT_POWER = -0.25, COLD_POWER = -0.4;
static const double NEAR_USUAL = 0.147;

typedef struct schedule {
    uint64_t costs, spent; /* box costs */
    uint64_t epochs;
    double   hot, cold;
    double   seconds; /* that there were at the start; negative: no limit */
    double   from, until;
} schedule;

/* Mean distance of points from their nearest neighbours, in cells. */
static double
mean_distance(const kn_annealer *s)
{
    const kn_space *space = s->space;
    double          sum = 0, count = 0;
    size_t          step = space->npoints / 4096 + 1;

    for (size_t p = 0; s->near.each && p < space->npoints; p += step) {
        uint32_t near = s->near.of[p * s->near.each];

        if (near == KN_NO_CODE)
            continue;
        sum += (double) kn_space_apart(space, space->ranks + p * space->width,
                                       space->ranks + near * space->width);
        count++;
    }
    return count > 0 ? sum / count / KN_COST_ONE : 0;
}

static schedule
plan(const kn_annealer *s, const kn_refine_options *options)
{
    double   rows = s->rows, each = (double) options->iterations, k = s->k;
    double   scale = mean_distance(s) / NEAR_USUAL * k * KN_COST_ONE;
    schedule plan = { .seconds = kn_cluster_left(s->env),
                      .from = options->from,
                      .until = options->until,
                      .hot = HOT * pow(k, HOT_POWER) * scale,
                      .cold = COLD * pow(k, COLD_POWER) * scale };

    if (options->iterations == 0)
        each = rows > USUAL_ROWS ? COSTS_A_ROW * sqrt(USUAL_ROWS / rows) : COSTS_A_ROW;
    plan.costs = (uint64_t) (each * rows);
    plan.epochs = plan.costs / s->nregions / REBUILDINGS / s->parts / s->k / s->k;
    plan.epochs = plan.epochs < EPOCHS_LEAST ? EPOCHS_LEAST
                : plan.epochs > EPOCHS_MOST  ? EPOCHS_MOST
                                             : plan.epochs;
    return plan;
}

/* How much of the work or of the time is gone, whichever is more. */
static double
gone(const kn_annealer *s, const schedule *plan)
{
    double work = (double) plan->spent / (double) plan->costs;
    double time = plan->seconds > 0 ? 1 - kn_cluster_left(s->env) / plan->seconds : 0;

    return work > time ? work : time;
}

static kanon_status
run_epoch(kn_annealer *s, schedule *plan, kn_rng *rng)
{
    kanon_status rc = KANON_OK;
    uint64_t     before = plan->spent, costs = plan->costs / plan->epochs + 1;

    KN_TRY(kn_annealer_deal(s, rng, costs));
    s->epoch++;
    kn_pool_run(kn_cluster_pool(s->env), s->nregions,
                s->blocks == 1 ? kn_refine_narrow : kn_refine_wide, s);
    for (uint32_t g = 0; g < s->nregions; g++) {
        s->total = (uint64_t) ((int64_t) s->total + s->regions[g].change);
        s->suppressed = (uint64_t) ((int64_t) s->suppressed + s->regions[g].suppressed);
        plan->spent += s->regions[g].spent;
    }
    if (plan->spent == before)
        plan->spent += costs; /* all rows are left alone */
    kn_cluster_spent(s->env, plan->spent - before);
out:
    return rc;
}

/* Anneals, and keeps the best that was there at the end of an epoch. */
static kanon_status
anneal(kn_annealer *s, schedule *plan, uint32_t *best)
{
    kanon_status rc = KANON_OK;
    uint64_t     least = kn_annealer_exact(s), now;
    double       done;
    kn_rng       rng;

    kn_rng_init(&rng, s->seed, STREAM);
    memcpy(best, s->class_of, s->rows * sizeof *best);
    while ((done = gone(s, plan)) < 1) {
        double hot = done / (1 - STILL);

        /* Neighbours that differ in nothing that costs: there is no scale, and no heat. */
        s->heat = hot < 1 && plan->hot > 0 ? plan->hot * pow(plan->cold / plan->hot, hot) : 0;
        if (kn_cluster_late(s->env, plan->from + (plan->until - plan->from) * done,
                            kn_space_loss(s->space, least)))
            break;
        KN_TRY(run_epoch(s, plan, &rng));
        now = kn_annealer_exact(s);
        if (now < least) {
            least = now;
            memcpy(best, s->class_of, s->rows * sizeof *best);
            kn_cluster_note(s->env, kn_space_loss(s->space, least));
        }
    }
out:
    return rc;
}

/* Numbers classes by their first rows. */
static kanon_status
store(const kn_annealer *s, const uint32_t *class_of, kn_partition *out)
{
    size_t    most = (size_t) s->slots * 2;
    uint32_t *number = KN_NEW_ARRAY(s->space->ctx, uint32_t, most);

    if (!number)
        return KANON_E_NOMEM;
    memset(number, 0xff, most * sizeof *number);
    out->nclasses = 0;
    for (uint32_t r = 0; r < s->rows; r++) {
        uint32_t class = class_of[r];

        if (class != KN_NO_CLASS && number[class] == KN_NO_CLASS)
            number[class] = out->nclasses++;
        out->class_of[r] = class == KN_NO_CLASS ? KN_NO_CLASS : number[class];
    }
    kn_free(s->space->ctx, number);
    return KANON_OK;
}

kanon_status
kn_cluster_refine(kn_cluster_env *env, const kn_refine_options *options, kn_partition *partition)
{
    kanon_status rc = KANON_OK;
    kn_annealer *s = NULL;
    uint32_t    *best = NULL;
    schedule     todo;

    if (partition->nclasses == 0)
        return KANON_OK;
    KN_TRY(kn_annealer_new(env, partition, &s));
    s->seed = options->seed;
    best = KN_NEW_ARRAY(s->space->ctx, uint32_t, s->rows);
    KN_TRY(KN_HAVE(best));
    todo = plan(s, options);
    KN_TRY(anneal(s, &todo, best));
    assert(s->total == kn_annealer_recount(s));
    KN_TRY(store(s, best, partition));
out:
    if (s)
        kn_free(s->space->ctx, best);
    kn_annealer_free(s);
    return rc;
}

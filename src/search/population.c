/* SPDX-License-Identifier: Apache-2.0 */
/* population.c -- selection, crossover and replacement of `ga` and `ga-tabu`. */
#include "search/population.h"

static const double SMALLEST_LOSS = 1e-9; /* of the greatest one in the population */

kanon_status
kn_population_init(kn_population *p, kanon_ctx *ctx, size_t n, size_t count)
{
    p->ctx = ctx;
    p->n = n;
    p->count = count;
    p->nodes = kn_alloc_array(ctx, count + 1, n);
    p->children = kn_alloc_array(ctx, count + 1, n);
    p->scores = KN_NEW_ARRAY(ctx, kn_score, count);
    p->wheel = KN_NEW_ARRAY(ctx, double, count);
    return p->nodes && p->children && p->scores && p->wheel ? KANON_OK : kn_fail_nomem(ctx);
}

void
kn_population_fini(kn_population *p)
{
    if (!p->ctx)
        return;
    kn_free(p->ctx, p->nodes);
    kn_free(p->ctx, p->children);
    kn_free(p->ctx, p->scores);
    kn_free(p->ctx, p->wheel);
}

kanon_status
kn_population_first(kn_population *p, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);

    for (size_t i = 0; i < p->count; i++)
        kn_node_random(p->n, l->floor, l->top, kn_env_rng(env), p->nodes + i * p->n);
    return kn_env_check_many(env, p->nodes, p->count, p->scores);
}

/* --- the wheel --------------------------------------------------------------------------------------- */

/* The share of an infeasible node among those: at most 1, and more the higher it lies, since higher is
 * nearer to feasible. How many rows it is short of is not known: counting stopped before. */
static double
infeasible_share(const kn_lattice *l, const uint8_t *node)
{
    unsigned bottom = kn_node_height(l->n, l->floor);

    return (1 + (double) (kn_node_height(l->n, node) - bottom))
         / (1 + (double) (kn_node_height(l->n, l->top) - bottom));
}

void
kn_wheel_fill(const kn_population *p, const kn_lattice *l, double *wheel)
{
    double greatest = 0, least, sum = 0;

    for (size_t i = 0; i < p->count; i++)
        if (p->scores[i].feasible && p->scores[i].loss > greatest)
            greatest = p->scores[i].loss;
    least = greatest > 0 ? 1 / greatest : 1;
    for (size_t i = 0; i < p->count; i++) {
        double smallest = SMALLEST_LOSS * greatest, loss = p->scores[i].loss;

        if (!p->scores[i].feasible)
            sum += least / 2 * infeasible_share(l, p->nodes + i * p->n);
        else if (greatest > 0)
            sum += 1 / (loss > smallest ? loss : smallest);
        else
            sum += 1;
        wheel[i] = sum;
    }
}

size_t
kn_wheel_spin(const double *wheel, size_t count, kn_rng *rng)
{
    double at = kn_rng_unit(rng) * wheel[count - 1];
    size_t low = 0, high = count - 1;

    assert(count > 0);
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (wheel[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* --- children ---------------------------------------------------------------------------------------- */

void
kn_cross_at(size_t n, size_t cut, uint8_t *a, uint8_t *b)
{
    assert(cut <= n);
    for (size_t i = cut; i < n; i++) {
        uint8_t keep = a[i];

        a[i] = b[i];
        b[i] = keep;
    }
}

/* The paper draws a group of candidates from the wheel and makes random pairs of it; since the draws are
 * independent, drawing the two of each pair is the same. */
void
kn_population_breed(kn_population *p, const kn_lattice *l, kn_rng *rng)
{
    kn_wheel_fill(p, l, p->wheel);
    for (size_t i = 0; i < p->count; i += 2) {
        uint8_t *a = p->children + i * p->n, *b = a + p->n;

        memcpy(a, p->nodes + kn_wheel_spin(p->wheel, p->count, rng) * p->n, p->n);
        memcpy(b, p->nodes + kn_wheel_spin(p->wheel, p->count, rng) * p->n, p->n);
        if (p->n > 1)
            kn_cross_at(p->n, 1 + (size_t) kn_rng_below(rng, p->n - 1), a, b);
    }
}

void
kn_population_replace(kn_population *p)
{
    uint8_t *parents = p->nodes;

    p->nodes = p->children;
    p->children = parents;
}

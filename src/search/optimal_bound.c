/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_bound.c -- a lower bound for a box from its clauses, and what it rules out. Each clause that the
 * box's lower corner does not satisfy gets a price; whoever satisfies it may take the price off his cost.
 * For any prices >= 0, the sum of the prices and of each axis's cheapest step is a lower bound (Lagrange).
 * The prices are raised clause by clause to the best value that the others leave, which never lowers the
 * bound; no linear program is solved. A step whose own bound is not below the best loss known is out of
 * the question, which narrows the box. Cost: O(passes * literals * steps). */
#include "search/optimal.h"

/* Costs of the steps at the outlying rows that every node of the box has, less the prices so far. */
static void
set_values(kn_opt_worker *w)
{
    const kn_opt_space *s = &w->o->space;
    double              outlying = (double) w->now->outlying;

    for (size_t r = 0; r < s->rows; r++)
        w->value[r] = s->term[r] + outlying * s->lost[r];
    for (size_t i = 0; i < w->nactive; i++) {
        const kn_opt_active *c = &w->active[i];
        double               price = c->own ? w->own_price[c->clause] : w->price[c->clause];

        for (size_t j = 0; price > 0 && j < c->count; j++) {
            const kn_opt_literal *l = &w->literals[c->start + j];

            for (unsigned step = l->step + 1u; step <= w->hi[l->axis]; step++)
                w->value[s->first[l->axis] + step] -= price;
        }
    }
}

static size_t
live_literals(const kn_opt_worker *w, const kn_clauses *c, size_t clause)
{
    const uint8_t *a = c->levels + clause * c->space->n, *axes = c->axes + clause * c->space->n;
    size_t         live = 0;

    for (size_t j = 0; j < c->naxes[clause]; j++)
        live += a[axes[j]] < w->hi[axes[j]];
    return live;
}

enum { PASSES_HOT = 3 }; /* one in so many passes is over all clauses */
enum { LIVE_MOST = 32 }; /* clauses with more ways than this are counted together */

typedef struct gather {
    size_t count[LIVE_MOST + 1];
    size_t literals;
} gather;

/* Which open clauses have a price or few ways to be satisfied? */
static void
scan(kn_opt_worker *w, const kn_clauses *c, const uint64_t *open, gather *g, uint32_t own)
{
    for (size_t word = 0; word * KN_OPT_WORD < c->used; word++)
        for (uint64_t bits = open[word]; bits; bits &= bits - 1) {
            size_t clause = word * KN_OPT_WORD + (size_t) __builtin_ctzll(bits);
            size_t live = live_literals(w, c, clause);

            if (live > LIVE_MOST)
                live = LIVE_MOST;

            g->count[live]++;
            w->scanned[w->nscanned++] = (kn_opt_scanned){ (uint32_t) clause, (uint16_t) live,
                                                          (uint16_t) own };
        }
}

static void
take(kn_opt_worker *w, const kn_opt_scanned *from, gather *g)
{
    const kn_clauses *c = from->own ? &w->own : &w->o->clauses;
    const uint8_t    *a = c->levels + from->clause * w->o->space.n;
    const uint8_t    *axes = c->axes + from->clause * w->o->space.n;
    kn_opt_active    *to = &w->active[w->nactive++];

    *to = (kn_opt_active){ (uint32_t) g->literals, 0, from->clause, from->own };
    for (size_t j = 0; j < c->naxes[from->clause]; j++)
        if (a[axes[j]] < w->hi[axes[j]])
            w->literals[g->literals++] = (kn_opt_literal){ axes[j], a[axes[j]] };
    to->count = (uint32_t) g->literals - to->start;
}

/* The clauses with the fewest ways first; of those with more, as many as there is room for. */
static void
gather_active(kn_opt_worker *w)
{
    gather g = { { 0 }, 0 };
    size_t start = 0;

    w->nactive = w->nscanned = 0;
    scan(w, &w->o->clauses, w->open, &g, 0);
    scan(w, &w->own, w->own_open, &g, 1);
    for (unsigned live = 0; live <= LIVE_MOST; live++) {
        size_t count = g.count[live];

        g.count[live] = start; /* from here on: where the next one goes */
        start += count;
    }
    for (size_t i = 0; i < w->nscanned; i++)
        w->sorted[g.count[w->scanned[i].live]++] = (uint32_t) i;
    for (size_t i = 0; i < w->nscanned && i < w->o->active_most; i++)
        take(w, &w->scanned[w->sorted[i]], &g);
}

/* The best price of a clause, the others given. Without it, satisfying the clause on axis d costs gap_d
 * more than not doing so; up to the smallest gap, all of the price is gained; between the two smallest
 * nothing is gained or lost. In the middle of that stretch there is most room for the others. */
static void
improve(kn_opt_worker *w, const kn_opt_active *c)
{
    const kn_opt_space *s = &w->o->space;
    double             *price = c->own ? &w->own_price[c->clause] : &w->price[c->clause];
    double              first = 1e300, second = 1e300, change;

    for (size_t j = 0; j < c->count; j++) {
        const kn_opt_literal *l = &w->literals[c->start + j];
        const double         *value = w->value + s->first[l->axis];
        double                low = 1e300, high = 1e300, gap;
        unsigned              step = w->lo[l->axis];

        for (; step <= l->step; step++)
            low = value[step] < low ? value[step] : low;
        for (; step <= w->hi[l->axis]; step++)
            high = value[step] < high ? value[step] : high;
        gap = high - low + *price;
        if (gap < first) {
            second = first;
            first = gap;
        } else if (gap < second) {
            second = gap;
        }
        if (second <= 0 && *price <= 0)
            return;
    }
    if (second > 1e299)
        second = first;
    change = ((first > 0 ? first : 0) + (second > 0 ? second : 0)) / 2 - *price;
    if (change == 0)
        return;
    *price += change;
    for (size_t j = 0; j < c->count; j++) {
        const kn_opt_literal *l = &w->literals[c->start + j];
        double               *value = w->value + s->first[l->axis];

        for (unsigned step = l->step + 1u; step <= w->hi[l->axis]; step++)
            value[step] -= change;
    }
}

static double
dual_value(kn_opt_worker *w)
{
    const kn_opt_space *s = &w->o->space;
    double              sum = s->rest_term + (double) w->now->outlying * s->rest_lost;

    for (size_t d = 0; d < s->n; d++) {
        const double *value = w->value + s->first[d];
        double        least = value[w->lo[d]];

        for (unsigned step = w->lo[d] + 1u; step <= w->hi[d]; step++)
            least = value[step] < least ? value[step] : least;
        w->least[d] = least;
        sum += least;
    }
    for (size_t i = 0; i < w->nactive; i++) {
        const kn_opt_active *c = &w->active[i];

        sum += c->own ? w->own_price[c->clause] : w->price[c->clause];
    }
    return sum;
}

/* Steps that cannot beat the best, from both ends. @return false: an axis has none left */
static bool
narrow(kn_opt_worker *w, double sum)
{
    const kn_opt_space *s = &w->o->space;

    for (size_t d = 0; d < s->n; d++) {
        const double *value = w->value + s->first[d];
        double        others = sum - w->least[d];

        while (!kn_loss_less(others + value[w->hi[d]], w->best)) {
            if (w->hi[d] == w->lo[d])
                return false;
            w->hi[d]--;
        }
        while (!kn_loss_less(others + value[w->lo[d]], w->best))
            kn_opt_raise(w, d, w->lo[d] + 1u);
    }
    return true;
}

static double
price_of(const kn_opt_worker *w, const kn_opt_active *c)
{
    return c->own ? w->own_price[c->clause] : w->price[c->clause];
}

/* A pass over all clauses, or over those that have a price: few of them do, and they are where a second
 * look pays. */
static void
pass_over(kn_opt_worker *w, bool all, size_t *nhot)
{
    if (!all) {
        for (size_t i = 0; i < *nhot; i++)
            improve(w, &w->active[w->sorted[i]]);
        return;
    }
    *nhot = 0;
    for (size_t i = 0; i < w->nactive; i++) {
        improve(w, &w->active[i]);
        if (price_of(w, &w->active[i]) > 0)
            w->sorted[(*nhot)++] = (uint32_t) i;
    }
}

bool
kn_opt_bound(kn_opt_worker *w, unsigned passes)
{
    double sum = 0, before;
    size_t nhot = 0;

    gather_active(w);
    set_values(w);
    for (unsigned pass = 0; pass < passes; pass++) {
        pass_over(w, pass % PASSES_HOT == 0, &nhot);
        before = sum;
        sum = dual_value(w);
        if (!kn_loss_less(sum, w->best))
            break;
        if (pass >= PASSES_HOT && sum - before < 1e-4 * (w->best - sum))
            break;
    }
    w->sum = sum;
    if (sum > w->bound)
        w->bound = sum;
    return kn_loss_less(sum, w->best) && narrow(w, sum);
}

/* Goes through the clauses and satisfies each that is not yet, where that costs least. */
void
kn_opt_cover(kn_opt_worker *w, uint8_t *x)
{
    const kn_opt_space *s = &w->o->space;

    memcpy(x, w->lo, s->n);
    for (size_t i = 0; i < w->nactive; i++) {
        const kn_opt_active  *c = &w->active[i];
        const kn_opt_literal *cheapest = NULL;
        double                least = 1e300;
        bool                  done = false;

        for (size_t j = 0; !done && j < c->count; j++) {
            const kn_opt_literal *l = &w->literals[c->start + j];
            const double         *value = w->value + s->first[l->axis];
            double                cost = value[l->step + 1] - value[x[l->axis]];

            done = x[l->axis] > l->step;
            if (cost < least) {
                least = cost;
                cheapest = l;
            }
        }
        if (!done && cheapest && cheapest->step < w->hi[cheapest->axis])
            x[cheapest->axis] = (uint8_t) (cheapest->step + 1);
    }
}

void
kn_opt_satisfy(const kn_opt_worker *w, const uint8_t *a, uint8_t *x)
{
    const kn_opt_space *s = &w->o->space;
    size_t              cheapest = s->n;
    double              least = 1e300;

    for (size_t d = 0; d < s->n; d++) {
        const double *value = w->value + s->first[d];

        if (a[d] < w->hi[d] && value[a[d] + 1] - value[x[d]] < least) {
            least = value[a[d] + 1] - value[x[d]];
            cheapest = d;
        }
    }
    if (cheapest < s->n)
        x[cheapest] = (uint8_t) (a[cheapest] + 1);
}

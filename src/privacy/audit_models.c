/* SPDX-License-Identifier: Apache-2.0 */
/* audit_models.c -- the privacy models once more, each computed in the plainest way that looks only at what a
 * class has. Cost: O(values of the class), but for the recursive one and the ordered distance, which sort
 * them and look places up (O(values * log)), the hierarchical distance, which climbs from each of them
 * (O(values * levels)), and delta-disclosure, which asks for every value of the column. */
#include "privacy/audit.h"

#include <math.h>

#include "base/sort.h"

/* Equal up to this is equal. */
static const double SAME = 1e-9;
/* A sum of shares that should be 0. */
static const double NOISE = 1e-12;

static double
table_share(const kn_audit_class *c, size_t value)
{
    return (double) c->known->rows[value] / c->table;
}

static double
own_share(const kn_audit_class *c, size_t value)
{
    return (double) c->counts[value] / c->rows;
}

double
kn_audit_distinct(const kn_audit_class *c)
{
    return (double) c->count;
}

/* log n - (1/n) sum of f log f. */
double
kn_audit_entropy(const kn_audit_class *c)
{
    double sum = 0;

    for (size_t i = 0; i < c->count; i++)
        sum += (double) c->list[i].rows * log((double) c->list[i].rows);
    return exp(log(c->rows) - sum / c->rows);
}

static uint64_t
most_frequent(const kn_audit_class *c)
{
    uint64_t most = 0;

    for (size_t i = 0; i < c->count; i++)
        most = c->list[i].rows > most ? c->list[i].rows : most;
    return most;
}

/* The tail begins with the l-th most frequent value, which is the last but l - 1 of the sorted ones. */
double
kn_audit_recursive(const kn_audit_class *c)
{
    uint64_t tail = 0;

    for (size_t i = 0; i < c->count; i++)
        c->numbers[i] = c->list[i].rows;
    kn_sort_u64(c->numbers, c->count);
    for (size_t i = 0; i < c->count && (double) (c->count - i) >= c->second; i++)
        tail += c->numbers[i];
    return tail ? (double) most_frequent(c) / (double) tail : (double) INFINITY;
}

double
kn_audit_alpha(const kn_audit_class *c)
{
    return (double) most_frequent(c) / c->rows;
}

static double
gain(const kn_audit_class *c, bool enhanced)
{
    double most = 0;

    for (size_t i = 0; i < c->count; i++) {
        double p = table_share(c, c->list[i].value), more = own_share(c, c->list[i].value) / p - 1;

        if (enhanced && more > 0 && more > -log(p) + SAME)
            return (double) INFINITY;
        most = more > most ? more : most;
    }
    return most;
}

double
kn_audit_beta(const kn_audit_class *c)
{
    return gain(c, false);
}

double
kn_audit_beta_enhanced(const kn_audit_class *c)
{
    return gain(c, true);
}

double
kn_audit_disclosure(const kn_audit_class *c)
{
    double most = 0;

    for (size_t v = 0; v < c->known->nvalues; v++) {
        double change;

        if (!c->known->rows[v])
            continue;
        if (!c->counts[v])
            return (double) INFINITY;
        change = fabs(log(own_share(c, v)) - log(table_share(c, v)));
        most = change > most ? change : most;
    }
    return most;
}

double
kn_audit_own_k(const kn_audit_class *c)
{
    double most = 1;

    for (size_t i = 0; i < c->count; i++)
        if (c->known->numbers[c->list[i].value] > most)
            most = c->known->numbers[c->list[i].value];
    return c->rows / most;
}

/* --- distances from the whole table -------------------------------------------------------------- */

/* What the class has is compared value by value; what it lacks is the rest of the table. */
double
kn_audit_equal(const kn_audit_class *c)
{
    double sum = 0, rest = 1;

    for (size_t i = 0; i < c->count; i++) {
        sum += fabs(own_share(c, c->list[i].value) - table_share(c, c->list[i].value));
        rest -= table_share(c, c->list[i].value);
    }
    return (sum + (rest > 0 ? rest : 0)) / 2;
}

/* The sum of the places of the table's first rows, so many of them, along the order. */
static double
sum_of_places(const kn_audit_class *c, double rows)
{
    size_t low = 0, high = c->known->nvalues - 1; /* the place where they end */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if ((double) c->index->before[middle + 1] < rows)
            low = middle + 1;
        else
            high = middle;
    }
    return c->index->moment[low] + (rows - (double) c->index->before[low]) * (double) low;
}

/* The cheapest way along a line keeps the order: the least of the class goes to the least of the table. So
 * each value of the class is carried to the part of the table between two quantiles, and what that costs are
 * the places of that part, left and right of its own. */
double
kn_audit_ordered(const kn_audit_class *c)
{
    size_t m = c->known->nvalues;
    double work = 0, from = 0, sum = 0, carried = 0;

    for (size_t i = 0; i < c->count; i++)
        c->numbers[i] = c->index->place[c->list[i].value];
    kn_sort_u64(c->numbers, c->count);
    for (size_t i = 0; i < c->count; i++) {
        size_t place = (size_t) c->numbers[i];
        double at = (double) place, here = (double) c->index->before[place], to, there;

        carried += (double) c->counts[c->known->order[place]];
        to = carried * c->table / c->rows;
        there = sum_of_places(c, to);
        here = here < from ? from : here > to ? to : here;
        if (here > from)
            work += at * (here - from) - (sum_of_places(c, here) - sum);
        if (to > here)
            work += there - sum_of_places(c, here) - at * (to - here);
        from = to;
        sum = there;
    }
    work /= c->table * (double) (m > 1 ? m - 1 : 1);
    return work > NOISE ? work : 0;
}

/* Li, Li and Venkatasubramanian's own computation: at every inner node what some children have too much
 * settles what others have too little, at the height of the node. A child without a row of the class lacks
 * what the table has there, and a node without any has nothing to settle: so only nodes above values of the
 * class are looked at, each through one of those values. */
double
kn_audit_hierarchical(const kn_audit_class *c)
{
    const kanon_hierarchy *h = c->known->hierarchy;
    const double          *shares = c->index->shares; /* of the level below */
    size_t                 count = 0;
    double                *extra = c->scratch, *more = extra + c->width, *less = more + c->width;
    double                *known = less + c->width; /* 0 everywhere, before and after */
    double                 work = 0;

    for (size_t i = 0; i < c->count; i++) {
        uint32_t group = h->levels[0].group_of[c->list[i].value];

        if (known[group] <= 0) {
            known[group] = 1;
            extra[group] = -shares[group];
            c->numbers[count++] = c->list[i].value;
        }
        extra[group] += own_share(c, c->list[i].value);
    }
    for (size_t i = 0; i < count; i++)
        known[h->levels[0].group_of[c->numbers[i]]] = 0;
    for (size_t level = 1; level < h->nlevels; level++) {
        const kn_level *below = &h->levels[level - 1], *here = &h->levels[level];
        const double   *above = shares + below->ngroups;
        size_t          kept = 0;

        for (size_t i = 0; i < count; i++) {
            uint32_t child = below->group_of[c->numbers[i]], parent = here->group_of[c->numbers[i]];

            if (known[parent] <= 0) {
                known[parent] = 1;
                more[parent] = 0;
                less[parent] = above[parent];
                c->numbers[kept++] = c->numbers[i];
            }
            less[parent] -= shares[child];
            if (extra[child] > 0)
                more[parent] += extra[child];
            else
                less[parent] -= extra[child];
        }
        for (size_t i = 0; i < kept; i++) {
            uint32_t group = here->group_of[c->numbers[i]];

            work += (more[group] < less[group] ? more[group] : less[group]) * (double) level
                  / (double) (h->nlevels - 1);
            extra[group] = more[group] - less[group];
            known[group] = 0;
        }
        count = kept;
        shares = above;
    }
    return work > NOISE ? work : 0;
}

/* --- people of a population ---------------------------------------------------------------------- */

double
kn_audit_people(const kn_audit_class *c)
{
    return (double) c->people;
}

double
kn_audit_presence(const kn_audit_class *c)
{
    return c->people ? c->rows / (double) c->people : (double) INFINITY;
}

/* --- models that a program brings along ----------------------------------------------------------- */

double
kn_audit_own(const kn_audit_class *c)
{
    uint32_t        *seen = (uint32_t *) (void *) c->numbers; /* scratch: half of it is enough */
    kanon_class_view view = { .size = sizeof view,
                              .rows = (uint64_t) c->rows,
                              .nvalues = c->known->nvalues,
                              .counts = c->counts,
                              .seen = seen,
                              .nseen = c->count,
                              .table_rows = (uint64_t) c->table,
                              .table_counts = c->known->rows };

    for (size_t i = 0; i < c->count; i++)
        seen[i] = c->list[i].value;
    return c->own->audit(c->own->user, &view);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* t_closeness.c -- how far the values of a class stand from those of the whole table: the earth mover's
 * distance of t-closeness (Li, Li and Venkatasubramanian, "t-Closeness: privacy beyond k-anonymity and
 * l-diversity", 2007) with equal, ordered and hierarchical ground distance.
 * Cost: equal O(values of the class), hierarchical O(levels * values of the class), ordered O(values of the
 * class * log), or O(values of the column) where that is less. */
#include "base/sort.h"
#include "privacy/registry.h"

/* Noise of a sum of shares that should be 0. */
static const double NOISE = 1e-12;
/* A class is small in a column with so many times its values. */
enum { FEW = 16 };

static double
clean(double distance)
{
    return distance < NOISE ? 0 : distance > 1 ? 1 : distance;
}

/* What exceeds the table's share, summed up: half the L1 distance. A class exceeds it only in values that it
 * has. */
static double
equal_distance(const kn_model *m, const kn_class_values *c)
{
    double distance = 0;

    for (size_t i = 0; i < c->nseen; i++) {
        double p = (double) c->counts[c->seen[i]] / (double) c->rows, q = m->share[c->seen[i]];

        distance += p > q ? p - q : 0;
    }
    return clean(distance);
}

/* What passes between neighbours from one place to another, where so much of the class lies before them all:
 * what lies before them of the table only rises, so it is less up to some place and more from there on. */
static double
passing(const kn_model *m, size_t from, size_t to, double ahead)
{
    size_t low = from, high = to;
    double below, above;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->upto[middle] <= ahead)
            low = middle + 1;
        else
            high = middle;
    }
    below = ahead * (double) (low - from) - (m->weight[low] - m->weight[from]);
    above = m->weight[to] - m->weight[low] - ahead * (double) (to - low);
    return (below > 0 ? below : 0) + (above > 0 ? above : 0);
}

/* Few values in a large column: between two of them nothing of the class is added. upto[] holds what lies at
 * a place of the order and before it, weight[] the sum of that over all places before. */
static double
few_along_order(const kn_model *m, const kn_class_values *c)
{
    uint64_t rows = 0;
    size_t   last = m->domain - 1, at = 0;
    double   distance = 0;

    for (size_t i = 0; i < c->nseen; i++)
        c->numbers[i] = m->place[c->seen[i]];
    kn_sort_u64(c->numbers, c->nseen);
    for (size_t i = 0; i < c->nseen; i++) {
        size_t place = (size_t) c->numbers[i];

        distance += passing(m, at, place, (double) rows / (double) c->rows);
        rows += c->counts[m->order[place]];
        at = place;
    }
    return distance + passing(m, at, last, (double) rows / (double) c->rows);
}

/* Neighbours are 1 / (m - 1) apart: what has to pass between each two of them, summed up. */
static double
ordered_distance(const kn_model *m, const kn_class_values *c)
{
    double ahead = 0, distance = 0;

    if (m->domain < 2)
        return 0;
    if (c->nseen < m->domain / FEW)
        return clean(few_along_order(m, c) / (double) (m->domain - 1));
    for (size_t i = 0; i + 1 < m->domain; i++) {
        uint32_t v = m->order[i];

        ahead += (double) c->counts[v] / (double) c->rows - m->share[v];
        distance += ahead < 0 ? -ahead : ahead;
    }
    return clean(distance / (double) (m->domain - 1));
}

/* Two values are level(lowest common ancestor) / height apart. That is the length of the path between
 * them in a tree whose edges have length 1 / (2 * height), and in a tree the earth that passes an edge
 * is the difference of what lies below it. On a level the differences are as much above 0 as below, and a
 * group exceeds the table's share only if the class has rows in it. weight[] holds the table's rows as
 * shares per group, level by level. */
static double
hierarchical_distance(const kn_model *m, const kn_class_values *c)
{
    const kanon_hierarchy *h = m->hierarchy;
    const double          *whole = m->weight;
    double                 distance = 0;

    for (size_t level = 0; level + 1 < h->nlevels; level++) {
        const kn_level *l = &h->levels[level];

        for (size_t i = 0; i < c->nseen; i++)
            c->numbers[l->group_of[c->seen[i]]] = 0;
        for (size_t i = 0; i < c->nseen; i++)
            c->numbers[l->group_of[c->seen[i]]] += c->counts[c->seen[i]];
        for (size_t i = 0; i < c->nseen; i++) {
            uint32_t g = l->group_of[c->seen[i]];
            double   apart = (double) c->numbers[g] / (double) c->rows - whole[g];

            distance += c->numbers[g] && apart > 0 ? apart : 0;
            c->numbers[g] = 0; /* counted once */
        }
        whole += l->ngroups;
    }
    return h->nlevels > 1 ? clean(distance / (double) (h->nlevels - 1)) : 0;
}

static const kn_model_setting t_closeness = {
    KN_VALUE(SHARE, "t-closeness", "F",
             "maximum distance between the sensitive values of a class and of the whole "
             "table, 0 to 1"),
    .kind = { .name = "t-distance",
              .argument = "auto|equal|ordered|hierarchical",
              .type = KANON_VALUE_CHOICE,
              .fallback = "auto",
              .help = "distance between two values; auto: by the column's hierarchy, or by its "
                      "declared type, else equal" },
    .scope = KN_OF_SENSITIVE,
    .idle = "no class is further away than that; use less than 1",
};

#define T_CLOSENESS(distance, need, function, rule)                                                \
    {                                                                                              \
        .name = "t-closeness (" distance " distance)", .key = "t-closeness-" distance,             \
        .promise = "the distribution of the values in every class is within distance t of that "   \
                   "in the whole table",                                                           \
        .leaves = "where a class differs from the table, by up to", .parameter = "t",              \
        .setting = &t_closeness, .kind = distance, .needs = need, .guards = KN_GUARDS_SHARES,      \
        .merge = KN_MERGE_GOOD, .sense = KN_AT_MOST, .reached = function, .audit = rule            \
    }

const kn_model_class kn_model_t_equal = T_CLOSENESS("equal", KN_NEEDS_NOTHING, equal_distance,
                                                    kn_audit_equal);
const kn_model_class kn_model_t_ordered = T_CLOSENESS("ordered", KN_NEEDS_ORDER, ordered_distance,
                                                      kn_audit_ordered);
const kn_model_class kn_model_t_hierarchical = T_CLOSENESS("hierarchical", KN_NEEDS_HIERARCHY,
                                                           hierarchical_distance,
                                                           kn_audit_hierarchical);

/* SPDX-License-Identifier: Apache-2.0 */
/* audit.c -- the values of classes, gathered as (class, value) pairs, and each model computed in the
 * plainest way that looks only at what a class has. Memory: the pairs that occur. Cost: O(1) a row and
 * column; a class and rule O(its values), but for RECURSIVE and ORDERED, which sort them and look places up
 * (O(values log)), and HIERARCHICAL, which climbs from each of them (O(values * levels)). */
#include "transform/audit.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/sort.h"

enum { SLOTS_LEAST = 256 };

/* Equal up to this is equal. */
static const double SAME = 1e-9;
/* A sum of shares that should be 0. */
static const double NOISE = 1e-12;

typedef struct pair {
    uint64_t rows;
    uint32_t class, value;
} pair;

/* The pairs of one column, and where each is. */
typedef struct pairs {
    pair     *list;
    size_t    count, room;
    uint32_t *slots; /* 1 + place in the list; 0: free */
    size_t    mask;
    uint64_t  seed;
    uint32_t *names; /* 1 + value, by the hash of its text; 0: free */
    size_t    names_mask;
    size_t   *start;  /* [classes + 1] after sealing: where a class begins in the list */
    uint64_t *counts; /* [nvalues] scratch of the class at hand */
    uint32_t *place;  /* [nvalues] where a value stands in the order; NULL: there is no order */
    uint64_t *before; /* [nvalues + 1] rows of the table at places before this one */
    double   *moment; /* [nvalues + 1] sum of their places */
    double   *shares; /* of the table, per group, level by level; NULL: there is no hierarchy */
} pairs;

struct kn_audit {
    kanon_ctx            *ctx;
    const kn_audit_rules *rules;
    pairs                *columns; /* [ncolumns] */
    double   *scratch; /* of hierarchies: four numbers for each group of the widest level */
    size_t    width;   /* groups of that level */
    uint64_t *numbers; /* as many as the column with the most values has */
};

/* --- the values of a column --------------------------------------------------------------------------- */

static uint64_t
hash_text(const kn_audit *audit, kn_str text)
{
    return text.len ? kn_hash_seeded(text.ptr, text.len, kn_ctx_hash_seed(audit->ctx)) : 0;
}

static kanon_status
index_values(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    pairs                      *p = &audit->columns[column];
    size_t                      slots = 16;

    while (slots < known->nvalues * 2)
        slots *= 2;
    p->names = KN_NEW_ARRAY(audit->ctx, uint32_t, slots);
    p->slots = KN_NEW_ARRAY(audit->ctx, uint32_t, SLOTS_LEAST);
    p->counts = KN_NEW_ARRAY(audit->ctx, uint64_t, known->nvalues);
    if (!p->names || !p->slots || !p->counts)
        return KANON_E_NOMEM;
    p->mask = SLOTS_LEAST - 1;
    p->names_mask = slots - 1;
    for (uint32_t v = 0; v < known->nvalues; v++) {
        size_t at = (size_t) hash_text(audit, known->values[v]) & p->names_mask;

        if (v == known->missing)
            continue; /* known by its tokens */
        while (p->names[at])
            at = (at + 1) & p->names_mask;
        p->names[at] = v + 1;
    }
    return KANON_OK;
}

uint32_t
kn_audit_value(const kn_audit *audit, size_t column, kn_str cell)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    const pairs                *p = &audit->columns[column];
    size_t                      at = (size_t) hash_text(audit, cell) & p->names_mask;

    for (size_t i = 0; i < audit->rules->nmissing; i++)
        if (kn_str_equal(audit->rules->missing[i], cell))
            return known->missing;
    for (; p->names[at]; at = (at + 1) & p->names_mask)
        if (kn_str_equal(known->values[p->names[at] - 1], cell))
            return p->names[at] - 1;
    return KN_NO_CODE;
}

/* --- making ------------------------------------------------------------------------------------------- */

/* Where values stand in the order, and what of the table stands before each place. */
static kanon_status
index_order(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    pairs                      *p = &audit->columns[column];

    if (!known->order)
        return KANON_OK;
    p->place = KN_NEW_ARRAY(audit->ctx, uint32_t, known->nvalues);
    p->before = KN_NEW_ARRAY(audit->ctx, uint64_t, known->nvalues + 1);
    p->moment = KN_NEW_ARRAY(audit->ctx, double, known->nvalues + 1);
    if (!p->place || !p->before || !p->moment)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < known->nvalues; i++) {
        uint64_t rows = known->rows[known->order[i]];

        p->place[known->order[i]] = (uint32_t) i;
        p->before[i + 1] = p->before[i] + rows;
        p->moment[i + 1] = p->moment[i] + (double) i * (double) rows;
    }
    return KANON_OK;
}

/* The table's share of every group. */
static kanon_status
index_groups(kn_audit *audit, size_t column)
{
    const kn_audit_rule_column *known = &audit->rules->columns[column];
    const kanon_hierarchy      *h = known->hierarchy;
    size_t                      room = 0;
    double                     *shares;

    for (size_t level = 0; h && level < h->nlevels; level++)
        room += h->levels[level].ngroups;
    if (!h)
        return KANON_OK;
    shares = audit->columns[column].shares = KN_NEW_ARRAY(audit->ctx, double, room);
    if (!shares)
        return KANON_E_NOMEM;
    for (size_t level = 0; level < h->nlevels; level++) {
        for (size_t v = 0; v < known->nvalues; v++)
            shares[h->levels[level].group_of[v]] += (double) known->rows[v]
                                                  / (double) audit->rules->rows;
        shares += h->levels[level].ngroups;
    }
    return KANON_OK;
}

static size_t
most_values(const kn_audit_rules *rules)
{
    size_t most = 1;

    for (size_t c = 0; c < rules->ncolumns; c++)
        most = rules->columns[c].nvalues > most ? rules->columns[c].nvalues : most;
    return most;
}

static size_t
widest(const kn_audit_rules *rules)
{
    size_t most = 1;

    for (size_t c = 0; c < rules->ncolumns; c++) {
        const kanon_hierarchy *h = rules->columns[c].hierarchy;

        for (size_t level = 0; h && level < h->nlevels; level++)
            most = h->levels[level].ngroups > most ? h->levels[level].ngroups : most;
    }
    return most;
}

kanon_status
kn_audit_new(kanon_ctx *ctx, const kn_audit_rules *rules, kn_audit **out)
{
    kanon_status rc = KANON_OK;
    kn_audit    *audit = KN_NEW(ctx, kn_audit);

    *out = NULL;
    if (!audit)
        return KANON_E_NOMEM;
    audit->ctx = ctx;
    audit->rules = rules;
    audit->columns = KN_NEW_ARRAY(ctx, pairs, rules->ncolumns);
    audit->width = widest(rules);
    audit->scratch = KN_NEW_ARRAY(ctx, double, 4 * audit->width);
    audit->numbers = KN_NEW_ARRAY(ctx, uint64_t, most_values(rules));
    if (!audit->columns || !audit->scratch || !audit->numbers) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t c = 0; c < rules->ncolumns; c++) {
        audit->columns[c].seed = kn_ctx_hash_seed(ctx);
        KN_TRY(index_values(audit, c));
        KN_TRY(index_order(audit, c));
        KN_TRY(index_groups(audit, c));
    }
    *out = audit;
    audit = NULL; /* moved: the caller owns it now */
out:
    kn_audit_free(audit);
    return rc;
}

void
kn_audit_free(kn_audit *audit)
{
    if (!audit)
        return;
    for (size_t c = 0; audit->columns && c < audit->rules->ncolumns; c++) {
        pairs *p = &audit->columns[c];

        kn_free(audit->ctx, p->list);
        kn_free(audit->ctx, p->slots);
        kn_free(audit->ctx, p->names);
        kn_free(audit->ctx, p->start);
        kn_free(audit->ctx, p->counts);
        kn_free(audit->ctx, p->place);
        kn_free(audit->ctx, p->before);
        kn_free(audit->ctx, p->moment);
        kn_free(audit->ctx, p->shares);
    }
    kn_free(audit->ctx, audit->columns);
    kn_free(audit->ctx, audit->scratch);
    kn_free(audit->ctx, audit->numbers);
    kn_free(audit->ctx, audit);
}

/* --- gathering ---------------------------------------------------------------------------------------- */

static size_t
slot_of(const pairs *p, uint32_t class, uint32_t value)
{
    size_t at = (size_t) kn_hash_word(((uint64_t) class << 32 | value) ^ p->seed) & p->mask;

    while (
        p->slots[at]
        && (p->list[p->slots[at] - 1].class != class || p->list[p->slots[at] - 1].value != value))
        at = (at + 1) & p->mask;
    return at;
}

static kanon_status
widen(kn_audit *audit, pairs *p)
{
    size_t    slots = (p->mask + 1) * 2;
    uint32_t *fresh = KN_NEW_ARRAY(audit->ctx, uint32_t, slots);

    if (!fresh)
        return KANON_E_NOMEM;
    kn_free(audit->ctx, p->slots);
    p->slots = fresh;
    p->mask = slots - 1;
    for (size_t i = 0; i < p->count; i++)
        p->slots[slot_of(p, p->list[i].class, p->list[i].value)] = (uint32_t) i + 1;
    return KANON_OK;
}

static kanon_status
add_pair(kn_audit *audit, pairs *p, uint32_t class, uint32_t value, uint64_t rows)
{
    size_t at = slot_of(p, class, value);
    void  *list = p->list;

    if (p->slots[at]) {
        p->list[p->slots[at] - 1].rows += rows;
        return KANON_OK;
    }
    if (p->count >= UINT32_MAX - 1)
        return kn_fail(audit->ctx, KANON_E_UNSUPPORTED,
                       "more than 2^32 - 2 different values of classes");
    if (kn_grow(audit->ctx, &list, &p->room, p->count + 1, sizeof *p->list) < 0)
        return KANON_E_NOMEM;
    p->list = list;
    p->list[p->count++] = (pair){ rows, class, value };
    p->slots[at] = (uint32_t) p->count;
    return (p->count + 1) * 3 > (p->mask + 1) * 2 ? widen(audit, p) : KANON_OK;
}

kanon_status
kn_audit_add(kn_audit *audit, uint32_t class, const uint32_t *values, uint64_t rows)
{
    kanon_status rc = KANON_OK;

    for (size_t c = 0; c < audit->rules->ncolumns; c++)
        KN_TRY(add_pair(audit, &audit->columns[c], class, values[c], rows));
out:
    return rc;
}

/* Counting sort of the pairs by class. */
static kanon_status
sort_pairs(kn_audit *audit, pairs *p, size_t nclasses)
{
    pair *sorted = KN_NEW_ARRAY(audit->ctx, pair, p->count);

    p->start = KN_NEW_ARRAY(audit->ctx, size_t, nclasses + 2);
    if (!sorted || !p->start) {
        kn_free(audit->ctx, sorted);
        return KANON_E_NOMEM;
    }
    for (size_t i = 0; i < p->count; i++)
        p->start[p->list[i].class + 2]++;
    for (size_t c = 2; c < nclasses + 2; c++)
        p->start[c] += p->start[c - 1];
    for (size_t i = 0; i < p->count; i++)
        sorted[p->start[p->list[i].class + 1]++] = p->list[i];
    kn_free(audit->ctx, p->list);
    p->list = sorted;
    return KANON_OK;
}

kanon_status
kn_audit_seal(kn_audit *audit, size_t nclasses)
{
    kanon_status rc = KANON_OK;

    for (size_t c = 0; c < audit->rules->ncolumns; c++)
        KN_TRY(sort_pairs(audit, &audit->columns[c], nclasses));
out:
    return rc;
}

/* --- the models ---------------------------------------------------------------------------------------- */

/* One class of a column. */
typedef struct view {
    const kn_audit_rule_column *known;
    const pairs                *of;
    const pair                 *list; /* its values */
    size_t                      count;
    const uint64_t             *counts; /* [nvalues] */
    double                      rows, table;
    uint64_t                    people;
    double                     *scratch; /* [4][width] */
    size_t                      width;
    uint64_t                   *numbers;
} view;

static double
table_share(const view *c, size_t value)
{
    return (double) c->known->rows[value] / c->table;
}

static double
own_share(const view *c, size_t value)
{
    return (double) c->counts[value] / c->rows;
}

/* log n - (1/n) sum of f log f. */
static double
entropy(const view *c)
{
    double sum = 0;

    for (size_t i = 0; i < c->count; i++)
        sum += (double) c->list[i].rows * log((double) c->list[i].rows);
    return exp(log(c->rows) - sum / c->rows);
}

static uint64_t
most_frequent(const view *c)
{
    uint64_t most = 0;

    for (size_t i = 0; i < c->count; i++)
        most = c->list[i].rows > most ? c->list[i].rows : most;
    return most;
}

/* The tail begins with the l-th most frequent value, which is the last but l - 1 of the sorted ones. */
static double
recursive(const view *c, double l)
{
    uint64_t tail = 0;

    for (size_t i = 0; i < c->count; i++)
        c->numbers[i] = c->list[i].rows;
    kn_sort_u64(c->numbers, c->count);
    for (size_t i = 0; i < c->count && (double) (c->count - i) >= l; i++)
        tail += c->numbers[i];
    return tail ? (double) most_frequent(c) / (double) tail : (double) INFINITY;
}

/* What the class has is compared value by value; what it lacks is the rest of the table. */
static double
half_distance(const view *c)
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
sum_of_places(const view *c, double rows)
{
    size_t low = 0, high = c->known->nvalues - 1; /* the place where they end */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if ((double) c->of->before[middle + 1] < rows)
            low = middle + 1;
        else
            high = middle;
    }
    return c->of->moment[low] + (rows - (double) c->of->before[low]) * (double) low;
}

/* The cheapest way along a line keeps the order: the least of the class goes to the least of the table. So
 * each value of the class is carried to the part of the table between two quantiles, and what that costs are
 * the places of that part, left and right of its own. */
static double
carry_along_order(const view *c)
{
    size_t m = c->known->nvalues;
    double work = 0, from = 0, sum = 0, carried = 0;

    for (size_t i = 0; i < c->count; i++)
        c->numbers[i] = c->of->place[c->list[i].value];
    kn_sort_u64(c->numbers, c->count);
    for (size_t i = 0; i < c->count; i++) {
        size_t place = (size_t) c->numbers[i];
        double at = (double) place, here = (double) c->of->before[place], to, there;

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
static double
settle_in_tree(const view *c)
{
    const kanon_hierarchy *h = c->known->hierarchy;
    const double          *shares = c->of->shares; /* of the level below */
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

static double
gain(const view *c, bool enhanced)
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

static double
disclosure(const view *c)
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

static double
own_k(const view *c)
{
    double most = 1;

    for (size_t i = 0; i < c->count; i++)
        if (c->known->asks[c->list[i].value] > most)
            most = c->known->asks[c->list[i].value];
    return c->rows / most;
}

static double
reach(const kn_audit_rule *rule, const view *c)
{
    switch (rule->kind) {
    case KN_RULE_DISTINCT:
        return (double) c->count;
    case KN_RULE_ENTROPY:
        return entropy(c);
    case KN_RULE_RECURSIVE:
        return recursive(c, rule->other);
    case KN_RULE_ALPHA:
        return (double) most_frequent(c) / c->rows;
    case KN_RULE_EQUAL:
        return half_distance(c);
    case KN_RULE_ORDERED:
        return carry_along_order(c);
    case KN_RULE_HIERARCHICAL:
        return settle_in_tree(c);
    case KN_RULE_BETA:
        return gain(c, false);
    case KN_RULE_BETA_ENHANCED:
        return gain(c, true);
    case KN_RULE_DISCLOSURE:
        return disclosure(c);
    case KN_RULE_OWN_K:
        return own_k(c);
    case KN_RULE_K_MAP:
        return (double) c->people;
    case KN_RULE_PRESENCE:
        break;
    }
    return c->people ? c->rows / (double) c->people : (double) INFINITY;
}

/* --- judging ------------------------------------------------------------------------------------------- */

static bool
is_least(kn_audit_rule_kind kind)
{
    return kind == KN_RULE_DISTINCT || kind == KN_RULE_ENTROPY || kind == KN_RULE_OWN_K
        || kind == KN_RULE_K_MAP;
}

bool
kn_audit_rule_worse(const kn_audit_rule *rule, double a, double b)
{
    return is_least(rule->kind) ? a < b : a > b;
}

double
kn_audit_rule_bound(const kn_audit_rule *rule, double reached)
{
    return rule->kind == KN_RULE_PRESENCE && reached < rule->other ? rule->other : rule->limit;
}

static bool
is_enough(const kn_audit_rule *rule, double reached)
{
    double slack = SAME * (rule->limit > 1 ? rule->limit : 1);

    if (is_least(rule->kind))
        return reached >= rule->limit - slack;
    if (rule->kind == KN_RULE_RECURSIVE || rule->kind == KN_RULE_DISCLOSURE)
        return reached < rule->limit - slack;
    return reached <= rule->limit + slack
        && (rule->kind != KN_RULE_PRESENCE || reached >= rule->other - SAME);
}

static bool
needs_values(const kn_audit_rule *rule)
{
    return rule->kind != KN_RULE_K_MAP && rule->kind != KN_RULE_PRESENCE;
}

void
kn_audit_judge(kn_audit *audit, uint32_t class, uint64_t rows, uint64_t people, double *reached,
               bool *fails)
{
    for (size_t r = 0; r < audit->rules->nrules; r++) {
        const kn_audit_rule *rule = &audit->rules->rules[r];
        view                 c = { .rows = (double) rows,
                                   .table = (double) audit->rules->rows,
                                   .people = people,
                                   .scratch = audit->scratch,
                                   .width = audit->width,
                                   .numbers = audit->numbers };
        pairs               *p = needs_values(rule) ? &audit->columns[rule->column] : NULL;

        if (p) {
            c.known = &audit->rules->columns[rule->column];
            c.of = p;
            c.list = p->list + p->start[class];
            c.count = p->start[class + 1] - p->start[class];
            c.counts = p->counts;
            for (size_t i = 0; i < c.count; i++)
                p->counts[c.list[i].value] = c.list[i].rows;
        }
        reached[r] = reach(rule, &c);
        fails[r] = !is_enough(rule, reached[r]);
        for (size_t i = 0; p && i < c.count; i++)
            p->counts[c.list[i].value] = 0;
    }
}

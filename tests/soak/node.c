/* SPDX-License-Identifier: Apache-2.0 */
/* node.c -- what a node of the lattice does to a table: classes, suppressed rows, metrics
 * (docs/METRICS.md). */
#include "soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const metric_names[METRICS] = {
    "log",      "precision",        "los", "height", "dm",     "glm", "glm_sum", "gcp",
    "total_il", "total_il_literal", "cm",  "c_avg",  "entropy"
};

int
metric_number(const char *name)
{
    for (int i = 0; i < METRICS; i++)
        if (same(metric_names[i], name))
            return i;
    return -1;
}

/* floor(eta * n), eta as it is written. */
int
suppression_rows(const char *eta, int n)
{
    int64_t share = millionths(eta) / (strchr(eta, '%') ? 100 : 1);

    return (int) (share * n / 1000000);
}

bool
next_node(const problem *p, int *level)
{
    for (int i = p->m - 1; i >= 0; i--) {
        if (level[i] < p->high[i]) {
            level[i]++;
            return true;
        }
        level[i] = p->low[i];
    }
    return false;
}

/* --- classes ------------------------------------------------------------------------------------ */

enum { SLOTS = 1024 };

typedef struct slots {
    uint64_t key[SLOTS];
    int      number[SLOTS]; /* + 1 */
} slots;

static int *
slot(slots *s, uint64_t key)
{
    unsigned at = (unsigned) (key * 0x9e3779b97f4a7c15u >> 54);

    while (s->number[at] && s->key[at] != key)
        at = (at + 1) % SLOTS;
    s->key[at] = key;
    return &s->number[at];
}

static void
people_of(const problem *p, node *x, slots *s)
{
    const job *j = p->job;

    if (!j->asked.k_map && !j->asked.presence)
        return;
    for (int r = 0; r < j->npeople; r++) {
        uint64_t key = 0;
        int     *number;

        for (int i = 0; i < p->m; i++)
            key = key * LEAVES_MOST
                + (uint64_t) p->tree[i]->group[x->level[i]][p->tree[i]->person[r]];
        number = slot(s, key);
        if (*number)
            x->people[*number - 1]++;
        else
            x->somebody_absent = true;
    }
}

void
look(const problem *p, const int *level, node *x)
{
    static slots table;
    int          at = 0, next[ROWS_MOST];

    memset(&table, 0, sizeof table);
    memset(x, 0, sizeof *x);
    memcpy(x->level, level, (size_t) p->m * sizeof *level);
    for (int r = 0; r < p->n; r++) {
        uint64_t key = 0;
        int     *number;

        for (int i = 0; i < p->m; i++)
            key = key * LEAVES_MOST + (uint64_t) p->tree[i]->group[level[i]][p->tree[i]->row[r]];
        number = slot(&table, key);
        if (!*number)
            *number = ++x->nclasses;
        x->of[r] = *number - 1;
        x->size[x->of[r]]++;
    }
    people_of(p, x, &table);
    for (int c = 0; c < x->nclasses; c++) {
        next[c] = x->start[c] = at;
        at += x->size[c];
    }
    for (int r = 0; r < p->n; r++)
        x->rows[next[x->of[r]]++] = r;
    for (int c = 0; c < x->nclasses; c++) {
        x->good[c] = may_be_class(p, x->rows + x->start[c], x->size[c], x->people[c]);
        if (!x->good[c])
            x->outlying += x->size[c];
        else {
            x->released_classes++;
            if (!x->smallest || x->size[c] < x->smallest)
                x->smallest = x->size[c];
        }
    }
    x->feasible = x->outlying <= p->limit && !(p->nobody_absent && x->somebody_absent);
}

/* --- metrics ------------------------------------------------------------------------------------ */

static long double
level_share(const problem *p, const node *x, int i)
{
    return p->tree[i]->height ? (long double) x->level[i] / p->tree[i]->height : 0;
}

static long double
loss_sum(const problem *p, const node *x, int i, int which)
{
    const tree *t = p->tree[i];
    long double sum = x->outlying;

    for (int r = 0; r < p->n; r++)
        if (x->good[x->of[r]])
            sum += t->loss[x->level[i]][t->row[r]][which];
    return sum;
}

static long double
entropy_of(const problem *p, const node *x, int i)
{
    const tree *t = p->tree[i];
    int         joined[LEAVES_MOST] = { 0 };
    long double worst = 0, lost = 0;

    for (int v = 0; v < t->nleaves; v++)
        joined[t->group[x->level[i]][v]] += t->count[v];
    for (int r = 0; r < p->n; r++) {
        int v = t->row[r];

        worst += log2l((long double) p->n / t->count[v]);
        lost += log2l((long double) (x->good[x->of[r]] ? joined[t->group[x->level[i]][v]] : p->n)
                      / t->count[v]);
    }
    return worst > 0 ? lost / worst : 0;
}

long double
attribute_of(const problem *p, const node *x, int i, int which)
{
    if (which == 4)
        return level_share(p, x, i);
    if (p->n == 0)
        return 0;
    return which == 3 ? entropy_of(p, x, i) : loss_sum(p, x, i, which) / p->n;
}

static int
off_majority(const problem *p, const node *x)
{
    int off = 0;

    for (int c = 0; c < x->nclasses && p->label; c++) {
        int count[LEAVES_MOST] = { 0 }, most = 0;

        if (!x->good[c])
            continue;
        for (int i = 0; i < x->size[c]; i++) {
            int now = ++count[p->label[x->rows[x->start[c] + i]]];

            most = now > most ? now : most;
        }
        off += x->size[c] - most;
    }
    return off;
}

static long double
literal(const problem *p, const node *x)
{
    long double sum = (long double) x->outlying * p->m;

    for (int c = 0; c < x->nclasses; c++)
        for (int i = 0; i < p->m && x->good[c]; i++) {
            const tree *t = p->tree[i];
            long double loss = t->loss[x->level[i]][t->row[x->rows[x->start[c]]]][2];

            sum += t->numeric ? loss * x->size[c] : loss;
        }
    return sum / ((long double) p->n * p->m);
}

static long double
mean_of(const problem *p, const node *x, int which)
{
    long double sum = 0;

    for (int i = 0; i < p->m; i++)
        sum += p->weight[i] * attribute_of(p, x, i, which);
    return sum / p->weights;
}

long double
metric_of(const problem *p, const node *x, int metric)
{
    long double n = p->n, s = x->outlying, sum = 0;

    if (metric == M_HEIGHT) {
        for (int i = 0; i < p->m; i++)
            sum += x->level[i];
        return sum;
    }
    if (metric == M_LOG)
        return mean_of(p, x, 4);
    if (p->n == 0)
        return 0;
    switch (metric) {
    case M_PRECISION:
        for (int i = 0; i < p->m; i++)
            sum += p->weight[i] * ((n - s) * level_share(p, x, i) + s) / n;
        return sum / p->weights;
    case M_LOS:
        return s / n;
    case M_DM:
        for (int c = 0; c < x->nclasses; c++)
            sum += x->good[c] ? (long double) x->size[c] * x->size[c] : 0;
        return sum + s * n;
    case M_C_AVG:
        return x->released_classes ? n / ((long double) x->released_classes * p->k) : 0;
    case M_CM:
        return (s + off_majority(p, x)) / n;
    case M_GLM_SUM:
        for (int i = 0; i < p->m; i++)
            sum += loss_sum(p, x, i, 0);
        return sum;
    case M_LITERAL:
        return literal(p, x);
    case M_GLM:
        return mean_of(p, x, 0);
    case M_GCP:
        return mean_of(p, x, 1);
    case M_TOTAL_IL:
        return mean_of(p, x, 2);
    default:
        return mean_of(p, x, 3);
    }
}

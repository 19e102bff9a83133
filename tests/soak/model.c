/* SPDX-License-Identifier: Apache-2.0 */
/* model.c -- the privacy models beyond k, written down once more from docs/PRIVACY.md. */
#include "soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DISTINCT,
    ENTROPY,
    RECURSIVE,
    ALPHA,
    EQUAL,
    ORDERED,
    HIERARCHICAL,
    BETA,
    ENHANCED,
    DELTA,
    OWN_K,
    K_MAP,
    PRESENCE
};

static const long double same_up_to = 1e-9L;

static bool
at_least(long double a, long double b)
{
    return a >= b - same_up_to * fmaxl(1, b);
}

bool
enough(const model *m, long double value)
{
    switch (m->which) {
    case DISTINCT:
    case ENTROPY:
    case OWN_K:
    case K_MAP:
        return at_least(value, m->limit);
    case RECURSIVE:
    case DELTA:
        return value < m->limit - same_up_to * fmaxl(1, m->limit);
    case PRESENCE:
        return value <= m->limit + same_up_to && at_least(value, m->low);
    default:
        return value <= m->limit + same_up_to;
    }
}

/* --- t-closeness -------------------------------------------------------------------------------- */

static long double
ordered(const model *m, const long double *difference)
{
    long double at[LEAVES_MOST] = { 0 }, running = 0, sum = 0;

    for (int v = 0; v < m->nvalues; v++)
        at[m->place[v]] = difference[v];
    for (int i = 0; i < m->nvalues; i++) {
        running += at[i];
        sum += fabsl(running);
    }
    return m->nvalues > 1 ? sum / (m->nvalues - 1) : 0;
}

static long double
hierarchical(const model *m, const int *leaf, const long double *difference)
{
    const tree *t = m->tree;
    long double sum = 0;

    for (int l = 0; l < t->height; l++) {
        long double group[LEAVES_MOST] = { 0 };

        for (int v = 0; v < m->nvalues; v++)
            group[t->group[l][leaf[v]]] += difference[v];
        for (int g = 0; g < t->ngroups[l]; g++)
            sum += fabsl(group[g]);
    }
    return t->height ? sum / (2 * t->height) : 0;
}

/* --- what a class reaches ----------------------------------------------------------------------- */

static long double
recursive(const model *m, const int *counts)
{
    int sorted[LEAVES_MOST], many = 0, tail = 0;

    for (int v = 0; v < m->nvalues; v++)
        if (counts[v]) {
            int at = many++;

            for (; at > 0 && sorted[at - 1] < counts[v]; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = counts[v];
        }
    for (int i = m->l - 1; i < many; i++)
        tail += sorted[i];
    return tail ? (long double) sorted[0] / tail : INFINITY;
}

static long double
compared(const model *m, const int *counts, int count)
{
    long double worst = 0;
    bool        beyond = false;

    for (int v = 0; v < m->nvalues; v++) {
        long double p = (long double) counts[v] / count, q = (long double) m->whole[v] / m->n;

        if (m->which == DELTA)
            worst = counts[v] ? fmaxl(worst, fabsl(logl(p / q))) : INFINITY;
        else if (counts[v] && p > q) {
            worst = fmaxl(worst, (p - q) / q);
            beyond |= m->which == ENHANCED && (p - q) / q > -logl(q) + same_up_to;
        }
    }
    return beyond ? INFINITY : worst;
}

static long double
distance(const model *m, const int *counts, int count)
{
    long double difference[LEAVES_MOST], sum = 0;

    for (int v = 0; v < m->nvalues; v++) {
        difference[v] = (long double) counts[v] / count - (long double) m->whole[v] / m->n;
        sum += fabsl(difference[v]);
    }
    if (m->which == ORDERED)
        return ordered(m, difference);
    return m->which == HIERARCHICAL ? hierarchical(m, m->place, difference) : sum / 2;
}

long double
reached(const model *m, const int *rows, int count, int people)
{
    int         counts[LEAVES_MOST] = { 0 }, kinds = 0, most = 0;
    long double bits = 0;

    if (m->which == K_MAP)
        return people;
    if (m->which == PRESENCE)
        return people ? (long double) count / people : INFINITY;
    if (m->which == OWN_K) {
        for (int i = 0; i < count; i++)
            most = m->value[rows[i]] > most ? m->value[rows[i]] : most;
        return (long double) count / most;
    }
    for (int i = 0; i < count; i++) {
        int now = ++counts[m->value[rows[i]]];

        kinds += now == 1;
        most = now > most ? now : most;
    }
    switch (m->which) {
    case DISTINCT:
        return kinds;
    case ENTROPY:
        for (int v = 0; v < m->nvalues; v++)
            if (counts[v])
                bits -= (long double) counts[v] / count * logl((long double) counts[v] / count);
        return expl(bits);
    case RECURSIVE:
        return recursive(m, counts);
    case ALPHA:
        return (long double) most / count;
    case EQUAL:
    case ORDERED:
    case HIERARCHICAL:
        return distance(m, counts, count);
    default:
        return compared(m, counts, count);
    }
}

bool
may_be_class(const problem *p, const int *rows, int count, int people)
{
    if (count < p->k)
        return false;
    for (int i = 0; i < p->nmodels; i++)
        if (!enough(&p->models[i], reached(&p->models[i], rows, count, people)))
            return false;
    return true;
}

/* --- which models there are --------------------------------------------------------------------- */

typedef struct maker {
    const job *j;
    model     *to;
    int        count;
} maker;

static model *
new_model(maker *k, int at, int which, const char *key, const char *parameter, const char *limit)
{
    model *m = &k->to[k->count++];
    char  *order[LEAVES_MOST];

    memset(m, 0, sizeof *m);
    m->which = which;
    m->key = key;
    m->column = at;
    m->n = k->j->n;
    m->limit = strtold(limit, NULL);
    m->parameter[0] = parameter;
    m->asked[0] = m->limit;
    m->smaller_is_worse = which == DISTINCT || which == ENTROPY || which == OWN_K || which == K_MAP;
    m->monotone = which == DISTINCT || which == K_MAP;
    if (at < 0)
        return m;
    m->value = take((size_t) (k->j->n + 1) * sizeof *m->value);
    m->nvalues = values_of(k->j, at, m->value, order);
    for (int r = 0; r < k->j->n; r++)
        m->whole[m->value[r]]++;
    return m;
}

/* Numbers by their rank, the missing value last. */
static void
put_in_order(const job *j, model *m)
{
    char *order[LEAVES_MOST];

    values_of(j, m->column, m->value, order);
    for (int v = 0; v < m->nvalues; v++) {
        m->place[v] = 0;
        for (int w = 0; w < m->nvalues; w++)
            m->place[v] += order[w] && (!order[v] || millionths(order[w]) < millionths(order[v]));
    }
}

static void
put_in_tree(const job *j, model *m)
{
    char *order[LEAVES_MOST];

    m->tree = tree_of(j, m->column, NULL);
    values_of(j, m->column, m->value, order);
    for (int r = 0; r < j->n; r++)
        m->place[m->value[r]] = m->tree->row[r];
}

static void
t_model(maker *k, int at)
{
    const column *c = &k->j->columns[at];
    const char   *t = c->own_t ? c->own_t : k->j->asked.t;
    bool          equal = k->j->asked.t && k->j->asked.t_distance == T_EQUAL;

    if (!t || same(t, "off"))
        return;
    if (!equal && c->text_given)
        put_in_tree(k->j, new_model(k, at, HIERARCHICAL, "t-closeness-hierarchical", "t", t));
    else if (!equal && c->type)
        put_in_order(k->j, new_model(k, at, ORDERED, "t-closeness-ordered", "t", t));
    else
        new_model(k, at, EQUAL, "t-closeness-equal", "t", t);
}

static void
models_of_column(maker *k, int at)
{
    const asked  *a = &k->j->asked;
    const column *c = &k->j->columns[at];
    const char   *p = c->own_p ? c->own_p : a->p;

    if (a->l && a->l_kind == DISTINCT_L)
        new_model(k, at, DISTINCT, "distinct-l-diversity", "l", a->l);
    if (a->l && a->l_kind == ENTROPY_L)
        new_model(k, at, ENTROPY, "entropy-l-diversity", "l", a->l);
    if (a->l && a->l_kind == RECURSIVE_L) {
        model *m = new_model(k, at, RECURSIVE, "recursive-cl-diversity", "c", a->l_c);

        m->l = atoi(a->l);
        m->parameter[1] = "l";
        m->asked[1] = m->l;
    }
    if (p && !same(p, "off"))
        new_model(k, at, DISTINCT, "p-sensitive", "p", p);
    if (a->alpha)
        new_model(k, at, ALPHA, "alpha-k", "alpha", a->alpha);
    if (a->beta)
        new_model(k, at, a->enhanced ? ENHANCED : BETA,
                  a->enhanced ? "enhanced-beta-likeness" : "beta-likeness", "beta", a->beta);
    if (a->delta)
        new_model(k, at, DELTA, "delta-disclosure", "delta", a->delta);
    t_model(k, at);
}

int
models_of(const job *j, problem *p, model *to)
{
    maker        k = { j, to, 0 };
    const asked *a = &j->asked;

    for (int i = 0; i < j->ncolumns; i++)
        if (j->columns[i].role == SENSITIVE)
            models_of_column(&k, i);
    if (a->entity)
        new_model(&k, a->entity - 1, DISTINCT, "persons", "k", print("%d", j->k));
    if (a->k_column) {
        model *m = new_model(&k, a->k_column - 1, OWN_K, "k-column", "rows per k asked for", "1");

        for (int r = 0; r < j->n; r++) {
            const char *cell = j->columns[a->k_column - 1].cells[r];

            m->value[r] = is_missing(j, cell) ? 1 : atoi(cell);
        }
    }
    if (a->k_map)
        new_model(&k, -1, K_MAP, "k-map", "k", a->k_map);
    if (a->presence) {
        const char *comma = strchr(a->presence, ',');
        model      *m = new_model(&k, -1, PRESENCE, "delta-presence", "max",
                             comma ? comma + 1 : a->presence);

        m->low = comma ? strtold(a->presence, NULL) : 0;
        m->parameter[1] = "min";
        m->asked[1] = m->low;
        if (m->low > 0) {
            p->limit = 0;
            p->nobody_absent = true;
        }
    }
    return k.count;
}

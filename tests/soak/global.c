/* SPDX-License-Identifier: Apache-2.0 */
/* global.c -- judges full-domain recoding: the whole lattice is looked at, the node that was chosen is
 * held against the best there is, its levels are applied to the table again, and the report against
 * that. */
#include "soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lattice {
    const problem *p;
    int            metric;
    long           count, stride[QI_MOST];
    bool          *feasible;
    long double   *loss;
    int           *outlying;
    long           best, feasible_count; /* best: -1 if nothing is feasible */
    long double    least;
    bool           top_feasible;
} lattice;

static long
number_of(const lattice *l, const int *level)
{
    long at = 0;

    for (int i = 0; i < l->p->m; i++)
        at += (level[i] - l->p->low[i]) * l->stride[i];
    return at;
}

static int
level_of(const lattice *l, long at, int i)
{
    return l->p->low[i] + (int) (at / l->stride[i] % (l->p->high[i] - l->p->low[i] + 1));
}

static bool
tie(long double a, long double least)
{
    return a <= least + 1e-12L * fmaxl(1, fabsl(least));
}

static void
enumerate(lattice *l, const problem *p, int metric)
{
    int  level[QI_MOST] = { 0 };
    long at = 0;
    node x;

    l->p = p;
    l->metric = metric;
    l->count = 1;
    for (int i = p->m - 1; i >= 0; i--) {
        l->stride[i] = l->count;
        l->count *= p->high[i] - p->low[i] + 1;
        level[i] = p->low[i];
    }
    l->feasible = take((size_t) l->count * sizeof *l->feasible);
    l->loss = take((size_t) l->count * sizeof *l->loss);
    l->outlying = take((size_t) l->count * sizeof *l->outlying);
    l->best = -1;
    do {
        look(p, level, &x);
        l->feasible[at] = x.feasible;
        l->outlying[at] = x.outlying;
        if (x.feasible) {
            l->loss[at] = metric_of(p, &x, metric);
            if (!l->feasible_count++ || l->loss[at] < l->least)
                l->least = l->loss[at];
        }
        at++;
    } while (next_node(p, level));
    l->top_feasible = x.feasible;
    for (at = 0; at < l->count; at++)
        if (l->feasible[at] && tie(l->loss[at], l->least)
            && (l->best < 0 || l->outlying[at] < l->outlying[l->best]))
            l->best = at;
}

/* --- what a search may say ---------------------------------------------------------------------- */

static bool
grows(const lattice *l)
{
    return l->metric == M_LOG || l->metric == M_HEIGHT || l->p->limit == 0;
}

static int
height_of(const lattice *l, long at)
{
    int sum = 0;

    for (int i = 0; i < l->p->m; i++)
        sum += level_of(l, at, i);
    return sum;
}

/* ola, incognito: the best minimal node or better. samarati: the best of the least height or better. */
static void
classic(const job *j, const lattice *l, long double loss)
{
    bool minimal = !same(j->algorithm, "samarati");
    int  least = 1 << 20;

    for (long at = 0; at < l->count && !minimal; at++)
        if (l->feasible[at] && height_of(l, at) < least)
            least = height_of(l, at);
    for (long at = 0; at < l->count; at++) {
        bool counts = l->feasible[at] && (minimal || height_of(l, at) == least);

        for (int i = 0; i < l->p->m && counts && minimal; i++)
            counts = level_of(l, at, i) == l->p->low[i] || !l->feasible[at - l->stride[i]];
        EXPECT(!counts || loss <= l->loss[at] + 1e-12L * fmaxl(1, l->loss[at]),
               "%s: loss %.12Lg, a node that it must know has %.12Lg", j->algorithm, loss,
               l->loss[at]);
    }
}

static int
single_outlying(const problem *p, int i, int level)
{
    const tree *t = p->tree[i];
    int         rows[LEAVES_MOST] = { 0 }, lost = 0;

    for (int v = 0; v < t->nleaves; v++)
        rows[t->group[level][v]] += t->count[v];
    for (int g = 0; g < t->ngroups[level]; g++)
        lost += rows[g] < p->k ? rows[g] : 0;
    return lost;
}

static void
bounds_of(const problem *p, int *bounds)
{
    for (int i = 0; i < p->m; i++) {
        bounds[i] = p->low[i];
        while (bounds[i] < p->high[i] && single_outlying(p, i, bounds[i]) > p->limit)
            bounds[i]++;
    }
}

/* datafly: the greedy walk from the bounds, or the top where that loses less. */
static void
walk(const job *j, const lattice *l, long found)
{
    const problem *p = l->p;
    int            level[QI_MOST];
    long           end;

    bounds_of(p, level);
    while (!l->feasible[number_of(l, level)]) {
        int most = 0, which = -1;

        for (int i = 0; i < p->m; i++) {
            bool seen[LEAVES_MOST] = { 0 };
            int  count = 0;

            if (level[i] == p->high[i])
                continue;
            for (int r = 0; r < p->n; r++) {
                bool *one = &seen[p->tree[i]->group[level[i]][p->tree[i]->row[r]]];

                count += !*one;
                *one = true;
            }
            if (count > most) {
                most = count;
                which = i;
            }
        }
        EXPECT(which >= 0, "%s gives an answer, its walk has none", j->algorithm);
        level[which]++;
    }
    end = number_of(l, level);
    EXPECT(found == end || found == l->count - 1, "datafly does not end where its walk does");
    EXPECT(l->loss[found] <= l->loss[end] + 1e-12L * fmaxl(1, l->loss[end]),
           "datafly is worse than its walk");
    EXPECT(!grows(l) || found == end || tie(l->loss[end], l->loss[found]),
           "datafly is not at the end of its walk");
}

static void
judge_search(const job *j, const outcome *o, const lattice *l, long found)
{
    const json *search = get(o->report, "search"), *bound = find(search, "lower_bound"), *bounds;
    long double loss = l->loss[found], least = l->least;
    bool        optimal = get(search, "optimal")->type == J_TRUE;
    bool        must = same(j->algorithm, "exhaustive") || same(j->algorithm, "auto")
             || same(j->algorithm, "optimal");

    EXPECT(l->feasible[found], "the released node is not feasible");
    EXPECT(near(get(search, "loss")->number, loss), "search.loss is %.12Lg, expected %.12Lg",
           get(search, "loss")->number, loss);
    if (grows(l) && (same(j->algorithm, "ola") || same(j->algorithm, "incognito")))
        must = true;
    if (same(j->algorithm, "samarati") && l->metric == M_HEIGHT)
        must = true;
    EXPECT(optimal || !must, "%s does not claim the optimum", j->algorithm);
    EXPECT(!optimal || tie(loss, least), "%s is called optimal with %s %.15Lg, the best is %.15Lg",
           j->algorithm, j->metric, loss, least);
    if (same(j->algorithm, "exhaustive") || same(j->algorithm, "auto"))
        EXPECT(found == l->best,
               "of nodes with equal loss %s took another (%ld) than the rule says (%ld)",
               j->algorithm, found, l->best);
    if (bound && bound->type == J_NUMBER)
        EXPECT(bound->number <= least + 1e-9L * fmaxl(1, least),
               "lower bound %.12Lg above the optimum %.12Lg", bound->number, least);
    if (bound && bound->type == J_NUMBER)
        EXPECT(fabsl(get(search, "gap")->number - (loss - bound->number))
                   <= 1e-9L * fmaxl(1, fabsl(loss)),
               "search.gap");
    EXPECT(!l->top_feasible
               || loss <= l->loss[l->count - 1] + 1e-12L * fmaxl(1, l->loss[l->count - 1]),
           "%s is worse than the top of the lattice", j->algorithm);
    if (same(j->algorithm, "ola") || same(j->algorithm, "incognito")
        || same(j->algorithm, "samarati"))
        classic(j, l, loss);
    if (same(j->algorithm, "datafly") && !j->asked.population) /* its values count as well there */
        walk(j, l, found);
    EXPECT(near(get(search, "lattice_nodes")->number, l->count),
           "search.lattice_nodes is %.0Lf, there are %ld", get(search, "lattice_nodes")->number,
           l->count);
    if ((bounds = find(search, "bounds")) && bounds->type == J_MAP) {
        int want[QI_MOST];

        bounds_of(l->p, want);
        for (int i = 0; i < j->m; i++)
            EXPECT(near(get(bounds, j->columns[j->quasi[i]].name)->number, want[i]),
                   "bound of %s is not %d", j->columns[j->quasi[i]].name, want[i]);
    }
}

/* --- the released file -------------------------------------------------------------------------- */

static const char *
label_of(const problem *p, const node *x, int i, int row)
{
    const tree *t = p->tree[i];

    return t->label[x->level[i]][t->group[x->level[i]][t->row[row]]];
}

static bool
reads_star(const problem *p, const node *x, int row)
{
    if (!x->good[x->of[row]])
        return true;
    for (int i = 0; i < p->m; i++) {
        const char *label = label_of(p, x, i, row);

        if (!label || !same(label, "*"))
            return false;
    }
    return true;
}

/* Rows of the class that reads `*` everywhere if the suppressed ones may stay; @return how many are masked.
 * None where presence is hidden: each tells that there is one person more. */
static int
masked_of(const job *j, const problem *p, const node *x, int *rows, int *count)
{
    *count = 0;
    if (!j->mask || !x->outlying || j->asked.presence)
        return 0;
    for (int r = 0; r < p->n; r++)
        if (reads_star(p, x, r))
            rows[(*count)++] = r;
    if (may_be_class(p, rows, *count, j->npeople))
        return x->outlying;
    *count = 0;
    return 0;
}

/* The cell that a row shows in a column; NULL: any. */
static const char *
expected_cell(const job *j, const problem *p, const node *x, int row, int column_number)
{
    const column *c = &j->columns[column_number];

    if (c->role == IDENTIFIER)
        return "*";
    if (c->role != QUASI)
        return c->cells[row];
    if (!x->good[x->of[row]])
        return "*";
    for (int i = 0; i < j->m; i++)
        if (j->quasi[i] == column_number)
            return label_of(p, x, i, row);
    return NULL;
}

static void
one_to_one(const char **labels, const int *groups, int count, int i)
{
    for (int r = 0; r < count; r++)
        for (int s = 0; s < r; s++)
            EXPECT((groups[r] == groups[s]) == same(labels[r], labels[s]),
                   "quasi-identifier %d: label '%s' does not go with one group", i, labels[r]);
}

static void
cells_by_row(const job *j, const outcome *o, const node *x, const int *columns, int ncolumns,
             const int *row, int count)
{
    const problem *p = o->problem;
    int            first = !j->dialect.no_header;

    for (int r = 0; r < count; r++)
        for (int c = 0; c < ncolumns; c++) {
            const char *want = expected_cell(j, p, x, row[r], columns[c]),
                       *cell = o->file.rows[r + first][c];

            EXPECT(!want || same(cell, want), "row %d, column %s reads '%.60s', expected '%.60s'",
                   row[r], j->columns[columns[c]].name, cell, want);
        }
    for (int i = 0; i < p->m; i++) {
        const char *labels[ROWS_MOST];
        int         groups[ROWS_MOST], many = 0, at = 0;
        bool        open = false;

        while (columns[at] != j->quasi[i])
            at++;
        for (int r = 0; r < count; r++)
            if (x->good[x->of[row[r]]]) {
                open |= !label_of(p, x, i, row[r]);
                labels[many] = o->file.rows[r + first][at];
                groups[many++] = p->tree[i]->group[x->level[i]][p->tree[i]->row[row[r]]];
            }
        if (open)
            one_to_one(labels, groups, many, i);
    }
}

typedef struct keyed {
    char *key;
    int   row;
} keyed;

static int
by_key(const void *a, const void *b)
{
    return strcmp(((const keyed *) a)->key, ((const keyed *) b)->key);
}

static char *
joined(const char *const *cells, int count)
{
    size_t bytes = 1, used = 0;
    char  *to;

    for (int i = 0; i < count; i++)
        bytes += strlen(cells[i]) + 1;
    to = take(bytes);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(cells[i]);

        memcpy(to + used, cells[i], length);
        to[used + length] = 30;
        used += length + 1;
    }
    return to;
}

/* Without a column that tells rows apart: the same rows, as a multiset. */
static void
same_rows(const job *j, const outcome *o, const node *x, const int *columns, int ncolumns,
          bool masked, int *row)
{
    const problem *p = o->problem;
    keyed          want[ROWS_MOST], found[ROWS_MOST];
    int            first = !j->dialect.no_header, nwant = 0, nfound = o->file.count - first;

    EXPECT(nfound <= p->n, "%d rows were released, the table has %d", nfound, p->n);
    for (int r = 0; r < p->n; r++)
        if (masked || x->good[x->of[r]]) {
            const char *cells[COLS_MOST];

            for (int c = 0; c < ncolumns; c++) {
                cells[c] = expected_cell(j, p, x, r, columns[c]);
                EXPECT(cells[c], "oracle: a label is not known");
            }
            want[nwant++] = (keyed){ joined(cells, ncolumns), r };
        }
    for (int r = 0; r < nfound; r++)
        found[r] = (keyed){ joined((const char *const *) o->file.rows[r + first], ncolumns), r };
    EXPECT(nwant == nfound, "%d rows in the release, expected %d", nfound, nwant);
    for (int r = 0; r < nwant && j->keep_order; r++)
        EXPECT(same(want[r].key, found[r].key), "row %d is not in the order of the table", r);
    qsort(want, (size_t) nwant, sizeof *want, by_key);
    qsort(found, (size_t) nfound, sizeof *found, by_key);
    for (int r = 0; r < nwant; r++) {
        EXPECT(same(want[r].key, found[r].key), "the release has a row '%.80s', expected '%.80s'",
               found[r].key, want[r].key);
        row[found[r].row] = want[r].row;
    }
}

/* Every class that can be read in the file keeps k and every model. */
static void
classes_of_file(const job *j, const outcome *o, const node *x, const int *columns, int ncolumns,
                const int *row, int count, bool masked)
{
    const problem *p = o->problem;
    int            first = !j->dialect.no_header, at[QI_MOST];
    bool           done[ROWS_MOST] = { 0 };

    for (int i = 0; i < p->m; i++)
        for (int c = 0; c < ncolumns; c++)
            if (columns[c] == j->quasi[i])
                at[i] = c;
    for (int r = 0; r < count; r++) {
        int  rows[ROWS_MOST], many = 0, people;
        bool stars = true;

        if (done[r])
            continue;
        for (int i = 0; i < p->m; i++)
            stars &= same(o->file.rows[r + first][at[i]], "*");
        for (int s = r; s < count; s++) {
            bool alike = !done[s];

            for (int i = 0; i < p->m && alike; i++)
                alike = same(o->file.rows[r + first][at[i]], o->file.rows[s + first][at[i]]);
            if (alike) {
                rows[many++] = row[s];
                done[s] = true;
            }
        }
        people = stars && masked ? j->npeople : x->people[x->of[row[r]]];
        EXPECT(may_be_class(p, rows, many, people),
               "a class of %d rows of the file breaks k or a model", many);
    }
}

static void
judge_file(const job *j, const outcome *o, const node *x, int masked)
{
    const problem *p = o->problem;
    int            columns[COLS_MOST], ncolumns = released_columns(j, columns), row[ROWS_MOST],
                            first = !j->dialect.no_header;
    int count = o->file.count - first;

    EXPECT(count == p->n - x->outlying + masked, "the release has %d rows, expected %d", count,
           p->n - x->outlying + masked);
    if (j->rid >= 0) {
        match_rows(j, o, columns, ncolumns, row);
        for (int r = 0; r < count; r++) {
            EXPECT(masked || x->good[x->of[row[r]]], "row %d should be suppressed", row[r]);
            EXPECT(!j->keep_order || !r || row[r - 1] < row[r],
                   "rows are not in the order of the table");
        }
        cells_by_row(j, o, x, columns, ncolumns, row, count);
    } else
        same_rows(j, o, x, columns, ncolumns, masked > 0, row);
    classes_of_file(j, o, x, columns, ncolumns, row, count, masked > 0);
}

/* --- the report --------------------------------------------------------------------------------- */

static void
judge_columns(const job *j, const outcome *o, const node *x)
{
    static const char *const keys[] = { "glm", "gcp", "total_il", "entropy", "log" };
    const problem           *p = o->problem;
    const json              *e = get(o->report, "attributes")->first,
               *weights = find(get(o->report, "parameters"), "weights");
    bool weighted = false;

    for (int i = 0; i < p->m; i++) {
        weighted |= j->columns[j->quasi[i]].weight != NULL;
        EXPECT(e && same(get(e, "name")->text, j->columns[j->quasi[i]].name),
               "attributes are not in order");
        expect_number(e, "level", x->level[i], "attribute");
        expect_number(e, "height", p->tree[i]->height, "attribute");
        for (int a = 0; a < 5; a++)
            expect_number(e, keys[a], attribute_of(p, x, i, a), j->columns[j->quasi[i]].name);
        e = e->next;
    }
    EXPECT(weighted == (weights && weights->type == J_MAP), "parameters.weights");
    for (int i = 0; i < p->m && weighted; i++)
        expect_number(weights, j->columns[j->quasi[i]].name, p->weight[i], "weights");
}

static int
distinct_tuples(const problem *p)
{
    static node x;
    int         zero[QI_MOST] = { 0 };

    look(p, zero, &x);
    return x.nclasses;
}

static int
persons_of(const problem *p, int *const *rows, const int *sizes, int classes)
{
    int least = 0;

    for (int i = 0; i < p->nmodels; i++)
        for (int c = 0; c < classes && same(p->models[i].key, "persons"); c++) {
            int now = (int) reached(&p->models[i], rows[c], sizes[c], 0);

            least = !least || now < least ? now : least;
        }
    return least;
}

/* Classes as a reader sees them: those with labels of their own, and the one of masked rows. */
static void
judge_classes(const job *j, const outcome *o, node *x, const int *stars, int nstars)
{
    const problem *p = o->problem;
    int           *rows[ROWS_MOST], sizes[ROWS_MOST], people[ROWS_MOST], count = 0;

    for (int c = 0; c < x->nclasses; c++)
        if (x->good[c] && !(nstars && reads_star(p, x, x->rows[x->start[c]]))) {
            rows[count] = x->rows + x->start[c];
            sizes[count] = x->size[c];
            people[count++] = x->people[c];
        }
    judge_models_of_report(j, o, count, rows, sizes, people, stars, nstars);
    judge_sensitive(j, o, count, rows, sizes, stars, nstars);
    if (!nstars)
        judge_risk(get(o->report, "risk"), count, sizes, persons_of(p, rows, sizes, count));
}

static void
judge_report(const job *j, const outcome *o, const lattice *l, node *x, int masked,
             const int *stars, int nstars)
{
    const problem *p = o->problem;
    const json    *report = o->report, *solution = get(report, "solution"),
               *input = get(report, "input"), *e;
    int         zero[QI_MOST] = { 0 }, sizes[ROWS_MOST];
    static node before;

    expect_number(input, "rows", p->n, "input");
    expect_number(input, "columns", j->ncolumns, "input");
    expect_number(input, "distinct_tuples", distinct_tuples(p), "input");
    e = get(input, "quasi")->first;
    for (int i = 0; i < p->m; i++, e = e->next)
        EXPECT(e && same(e->text, j->columns[j->quasi[i]].name), "input.quasi");
    expect_number(get(report, "parameters"), "k", j->k, "parameters");
    expect_number(get(report, "parameters"), "suppression_rows", p->limit, "parameters");
    expect_number(solution, "classes", x->released_classes, "solution");
    expect_number(solution, "suppressed_rows", x->outlying, "solution");
    expect_number(solution, "released_rows", p->n - x->outlying, "solution");
    expect_number(solution, "masked_rows", masked, "solution");
    if (!masked)
        expect_number(solution, "k", x->smallest, "solution");
    for (int i = 0; i < METRICS; i++)
        expect_number(get(report, "metrics"), metric_names[i], metric_of(p, x, i), "metrics");
    judge_columns(j, o, x);
    judge_classes(j, o, x, stars, nstars);
    look(p, zero, &before);
    for (int c = 0; c < before.nclasses; c++)
        sizes[c] = before.size[c];
    judge_risk(get(get(report, "risk"), "before"), before.nclasses, sizes, -1);
    (void) l;
}

static void
judge_empty(const outcome *o)
{
    EXPECT(get(get(o->report, "input"), "rows")->number == 0, "rows of nothing");
    EXPECT(get(get(o->report, "solution"), "released_rows")->number == 0,
           "released rows of nothing");
    for (const json *e = get(o->report, "metrics")->first; e; e = e->next)
        EXPECT(e->number == 0, "metric %s of nothing is %Lg", e->key, e->number);
}

static bool
is_heuristic(const char *name)
{
    return same(name, "kgen") || same(name, "random") || same(name, "datafly") || same(name, "ga")
        || same(name, "tabu") || same(name, "ga-tabu");
}

void
judge_global(const job *j, outcome *o)
{
    problem *p = o->problem;
    lattice  l = { 0 };
    node     x;
    int      level[QI_MOST], stars[ROWS_MOST], nstars, masked;

    if (p->n == 0 && p->nobody_absent) { /* everybody is */
        EXPECT(o->code == 2,
               "nobody of the population is in the table, but the exit status is %d: %.200s",
               o->code, o->said);
        return;
    }
    if (p->n == 0) {
        EXPECT(o->code == 0, "a table without rows: exit status %d", o->code);
        EXPECT(o->file.count == !j->dialect.no_header, "the release of nothing has rows");
        judge_empty(o);
        return;
    }
    enumerate(&l, p, metric_number(j->metric));
    p->nodes = l.count;
    p->feasible = l.feasible_count;
    p->least = l.least;
    if (l.best < 0) {
        EXPECT(o->code == 2, "nothing is feasible, but the exit status is %d: %.200s", o->code,
               o->said);
        return;
    }
    if (o->code == 2) {
        EXPECT(is_heuristic(j->algorithm) && !l.top_feasible, "%ld nodes are feasible, but: %.300s",
               l.feasible_count, o->said);
        p->missed = true;
        return;
    }
    for (int i = 0; i < p->m; i++) {
        const char *name = j->columns[j->quasi[i]].name;
        const json *solution = get(o->report, "solution");

        EXPECT(near(get(get(solution, "heights"), name)->number, p->tree[i]->height),
               "height of %s is %.0Lf, not %d", name, get(get(solution, "heights"), name)->number,
               p->tree[i]->height);
        level[i] = (int) get(get(solution, "levels"), name)->number;
        EXPECT(level[i] >= p->low[i] && level[i] <= p->high[i], "level of %s", name);
    }
    look(p, level, &x);
    judge_search(j, o, &l, number_of(&l, level));
    masked = masked_of(j, p, &x, stars, &nstars);
    judge_file(j, o, &x, masked);
    judge_report(j, o, &l, &x, masked, stars, nstars);
}

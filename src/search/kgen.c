/* kgen.c -- KGEN, the genetic algorithm on the generalization lattice (De Pascale et al., "Real-world
 * K-Anonymity Applications: the KGEN approach"; Algorithm 1, Table 7).
 * Where we depart from the paper, and why (more in docs/algorithms/kgen.md):
 *  - selection: the paper's eq. 3 gives the larger share to the larger loss although loss is minimised;
 *    the share here is (1 - loss) * w. `selection=literal` keeps the paper's wheel.
 *  - the lower bounds count rows, which makes them sound with suppression too.
 *  - an elite: the best node ever seen is the answer (the driver keeps it), and the top node is in the
 *    first population, so there always is one.
 *  - equal nodes are kept once in a population; otherwise it fills with copies.
 *  - nodes decided by monotonicity cost no evaluation; when `stall` generations in a row bring hardly a
 *    new one (2 % of the population) the search ends: a small lattice holds less than max-evaluations.
 * Cost: O(population) nodes a generation, checked in two batches. */
#include "search/kgen.h"

#include "search/search.h"

enum {
    PARAM_POPULATION,
    PARAM_EVALUATIONS,
    PARAM_CROSSOVER,
    PARAM_MUTATION,
    PARAM_HORIZONTAL,
    PARAM_SHARE,
    PARAM_SELECTION,
    PARAM_STALL
};
enum { SELECTION_CORRECTED, SELECTION_LITERAL };
enum { PENALTY_MOST = 10, FRESH_SHARE = 50 };

/* Even the top node has a share, so that every infeasible one can have less. */
static const double FITNESS_LEAST = 1e-3;

typedef struct member {
    uint8_t *node;
    kn_score score;
    unsigned penalty; /* generations survived */
} member;

typedef struct pair {
    size_t a, b;    /* parents */
    size_t minimum; /* index of their minimum among the batch, or SIZE_MAX */
    bool   cross;
} pair;

typedef struct state {
    size_t    n, population;
    double    crossover, mutation, horizontal, share;
    bool      literal;
    uint64_t  stall, idle; /* generations with hardly a new evaluation: allowed, so far */
    uint64_t  fresh;       /* evaluations that make a generation worth its while */
    bool      started;
    double    worst;   /* loss of the top node: the unit of fitness */
    member   *members; /* [2 * population + 2]: parents, then offspring */
    size_t    nmembers;
    uint8_t  *genes; /* the nodes of members */
    pair     *pairs; /* [population / 2 + 1] */
    double   *wheel; /* running sums of shares */
    uint8_t  *batch;
    kn_score *scores;
    size_t   *chosen;
} state;

/* --- operators ------------------------------------------------------------------------------------- */

void
kn_kgen_mutate(const kn_lattice *l, kn_rng *rng, uint8_t *node)
{
    size_t   i = (size_t) kn_rng_below(rng, l->n);
    unsigned others = (unsigned) (l->top[i] - l->floor[i]);
    uint8_t  level;

    if (!others)
        return;
    level = (uint8_t) (l->floor[i] + kn_rng_below(rng, others));
    node[i] = level >= node[i] ? (uint8_t) (level + 1) : level;
}

void
kn_kgen_mutate_horizontally(const kn_lattice *l, double share, kn_rng *rng, size_t *chosen,
                            uint8_t *node)
{
    size_t count = (size_t) (share * (double) l->n);

    if (count < 2)
        count = 2;
    if (count > l->n)
        count = l->n;
    for (size_t i = 0; i < l->n; i++)
        chosen[i] = i;
    for (size_t drawn = 0; drawn < count; drawn++) {
        size_t pick = drawn + (size_t) kn_rng_below(rng, l->n - drawn), i = chosen[pick];

        chosen[pick] = chosen[drawn];
        chosen[drawn] = i;
        if (drawn % 2 == 0)
            node[i] = (uint8_t) (node[i] + kn_rng_below(rng, (uint64_t) (l->top[i] - node[i]) + 1));
        else
            node[i] = (uint8_t) (l->floor[i]
                                 + kn_rng_below(rng, (uint64_t) (node[i] - l->floor[i]) + 1));
    }
}

/* --- selection ------------------------------------------------------------------------------------- */

static double
weight(const member *m)
{
    return m->penalty >= PENALTY_MOST ? 0 : 1 - (double) m->penalty / PENALTY_MOST;
}

static double
fitness(const state *s, const member *m)
{
    double loss = s->worst > 0 ? m->score.loss / s->worst : 0;

    if (s->literal)
        return loss * weight(m);
    return (loss < 1 - FITNESS_LEAST ? 1 - loss : FITNESS_LEAST) * weight(m);
}

/* Fills the roulette wheel. An infeasible node's share is half the smallest share of a feasible one. */
static void
fill_wheel(state *s)
{
    double least = 0, sum = 0;

    for (size_t i = 0; i < s->population; i++) {
        double f = s->members[i].score.feasible ? fitness(s, &s->members[i]) : 0;

        if (f > 0 && (least == 0 || f < least))
            least = f;
    }
    if (least == 0)
        least = 1;
    for (size_t i = 0; i < s->population; i++) {
        const member *m = &s->members[i];

        sum += m->score.feasible ? fitness(s, m) : least / 2 * weight(m);
        s->wheel[i] = sum;
    }
}

static size_t
spin(const state *s, kn_rng *rng)
{
    double total = s->wheel[s->population - 1], at = kn_rng_unit(rng) * total;
    size_t low = 0, high = s->population - 1;

    if (total <= 0) /* everybody has reached the highest penalty */
        return (size_t) kn_rng_below(rng, s->population);
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (s->wheel[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Feasible first, then loss, then suppressed rows; infeasible nodes that were not counted to the end: the
 * higher the nearer to feasible; then levels, and of two copies the older first, which keeps its penalty. */
static int
compare_members(const state *s, const member *a, const member *b)
{
    int order;

    if (a->score.feasible != b->score.feasible)
        return a->score.feasible ? -1 : 1;
    if (a->score.feasible && a->score.loss != b->score.loss)
        return a->score.loss < b->score.loss ? -1 : 1;
    if (a->score.outlying != b->score.outlying)
        return a->score.outlying < b->score.outlying ? -1 : 1;
    if (!a->score.feasible && kn_node_height(s->n, a->node) != kn_node_height(s->n, b->node))
        return kn_node_height(s->n, a->node) > kn_node_height(s->n, b->node) ? -1 : 1;
    order = memcmp(a->node, b->node, s->n);
    return order ? order : (a->penalty < b->penalty) - (a->penalty > b->penalty);
}

/* Sinks one member in a heap whose root is the worst. */
static void
sink(const state *s, member *heap, size_t at, size_t count)
{
    for (;;) {
        size_t child = 2 * at + 1;
        member keep = heap[at];

        if (child >= count)
            return;
        if (child + 1 < count && compare_members(s, &heap[child], &heap[child + 1]) < 0)
            child++;
        if (compare_members(s, &heap[at], &heap[child]) >= 0)
            return;
        heap[at] = heap[child];
        heap[child] = keep;
        at = child;
    }
}

/* Heap sort: in place, no allocation, no context in globals as qsort would need. */
static void
sort_members(const state *s)
{
    size_t count = s->nmembers;

    for (size_t i = count / 2; i-- > 0;)
        sink(s, s->members, i, count);
    while (count > 1) {
        member keep = s->members[0];

        s->members[0] = s->members[--count];
        s->members[count] = keep;
        sink(s, s->members, 0, count);
    }
}

/* Environmental selection: the best `population` different nodes. Copies go behind all others; where there
 * are too few different nodes, they fill up. */
static void
survive(state *s)
{
    size_t kept = 1;

    sort_members(s);
    for (size_t i = 1; i < s->nmembers; i++)
        if (memcmp(s->members[i].node, s->members[kept - 1].node, s->n) != 0) {
            member keep = s->members[kept];

            s->members[kept++] = s->members[i];
            s->members[i] = keep;
        }
    for (size_t i = 0; i < s->population; i++)
        s->members[i].penalty++;
    s->nmembers = s->population;
}

/* --- a generation ---------------------------------------------------------------------------------- */

static uint8_t *
add_offspring(state *s)
{
    member *m = &s->members[s->nmembers++];

    m->penalty = 0;
    return m->node;
}

/* Draws the parents, and collects the minima that the first crossover case must know. */
static size_t
draw_parents(state *s, kn_rng *rng, size_t npairs)
{
    size_t minima = 0;

    fill_wheel(s);
    for (size_t i = 0; i < npairs; i++) {
        pair         *p = &s->pairs[i];
        const member *a, *b;

        p->a = spin(s, rng); /* one statement each: the order of draws is part of the result */
        p->b = spin(s, rng);
        p->cross = kn_rng_unit(rng) < s->crossover;
        p->minimum = SIZE_MAX;
        a = &s->members[p->a];
        b = &s->members[p->b];
        if (p->cross && a->score.feasible && b->score.feasible) {
            kn_node_min(s->n, a->node, b->node, s->batch + minima * s->n);
            p->minimum = minima++;
        }
    }
    return minima;
}

/* The three cases of the paper; without crossover the parents go on as they are. */
static void
cross(state *s, const pair *p, kn_rng *rng)
{
    const member *a = &s->members[p->a], *b = &s->members[p->b];
    uint8_t       minimum[KN_QUASI_MOST];

    kn_node_min(s->n, a->node, b->node, minimum);
    if (!p->cross) {
        memcpy(add_offspring(s), a->node, s->n);
        memcpy(add_offspring(s), b->node, s->n);
    } else if (a->score.feasible && b->score.feasible) {
        if (s->scores[p->minimum].feasible) {
            memcpy(add_offspring(s), minimum, s->n);
        } else {
            kn_node_random(s->n, minimum, a->node, rng, add_offspring(s));
            kn_node_random(s->n, minimum, b->node, rng, add_offspring(s));
        }
    } else if (a->score.feasible || b->score.feasible) {
        kn_node_random(s->n, minimum, (a->score.feasible ? a : b)->node, rng, add_offspring(s));
    } else {
        kn_node_max(s->n, a->node, b->node, add_offspring(s));
    }
}

static void
mutate(state *s, const kn_lattice *l, kn_rng *rng, size_t from)
{
    for (size_t i = from; i < s->nmembers; i++) {
        if (kn_rng_unit(rng) < s->mutation)
            kn_kgen_mutate(l, rng, s->members[i].node);
        if (kn_rng_unit(rng) < s->horizontal)
            kn_kgen_mutate_horizontally(l, s->share, rng, s->chosen, s->members[i].node);
    }
}

/* Scores members from..nmembers-1 in one batch. */
static kanon_status
score_members(state *s, kn_search_env *env, size_t from)
{
    size_t       count = s->nmembers - from;
    kanon_status rc;

    for (size_t i = 0; i < count; i++)
        memcpy(s->batch + i * s->n, s->members[from + i].node, s->n);
    rc = kn_env_check_many(env, s->batch, count, s->scores);
    for (size_t i = 0; i < count; i++)
        s->members[from + i].score = s->scores[i];
    return rc;
}

static kanon_status
first_population(state *s, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    kanon_status      rc;

    s->nmembers = s->population;
    memcpy(s->members[0].node, l->top, s->n);
    for (size_t i = 1; i < s->population; i++)
        kn_node_random(s->n, l->floor, l->top, kn_env_rng(env), s->members[i].node);
    rc = score_members(s, env, 0);
    s->worst = s->members[0].score.loss;
    s->started = true;
    return rc;
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state       *s = self;
    kanon_status rc = KANON_OK;
    kn_rng      *rng = kn_env_rng(env);
    size_t       npairs = (s->population + 1) / 2, minima;
    uint64_t     before = kn_env_evaluations(env);

    if (!s->started)
        return first_population(s, env);
    minima = draw_parents(s, rng, npairs);
    KN_TRY(kn_env_check_many(env, s->batch, minima, s->scores));
    for (size_t i = 0; i < npairs; i++)
        cross(s, &s->pairs[i], rng);
    mutate(s, kn_env_lattice(env), rng, s->population);
    KN_TRY(score_members(s, env, s->population));
    survive(s);
    s->idle = kn_env_evaluations(env) - before >= s->fresh ? 0 : s->idle + 1;
    if (s->idle >= s->stall) {
        kn_env_stopped(env, "stalled");
        *next = KN_STEP_DONE;
    }
out:
    return rc;
}

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state     *s = self;
    kanon_ctx *ctx = kn_env_ctx(env);
    size_t     room;

    s->n = kn_env_lattice(env)->n;
    s->population = (size_t) values->number[PARAM_POPULATION];
    s->crossover = values->number[PARAM_CROSSOVER];
    s->mutation = values->number[PARAM_MUTATION];
    s->horizontal = values->number[PARAM_HORIZONTAL];
    s->share = values->number[PARAM_SHARE];
    s->literal = (int) values->number[PARAM_SELECTION] == SELECTION_LITERAL;
    s->stall = (uint64_t) values->number[PARAM_STALL];
    s->fresh = s->population / FRESH_SHARE + 1;
    room = 2 * s->population + 2;
    s->members = KN_NEW_ARRAY(ctx, member, room);
    s->genes = kn_alloc_array(ctx, room, s->n);
    s->pairs = KN_NEW_ARRAY(ctx, pair, s->population / 2 + 1);
    s->wheel = KN_NEW_ARRAY(ctx, double, s->population);
    s->batch = kn_alloc_array(ctx, room, s->n);
    s->scores = KN_NEW_ARRAY(ctx, kn_score, room);
    s->chosen = KN_NEW_ARRAY(ctx, size_t, s->n);
    if (!s->members || !s->genes || !s->pairs || !s->wheel || !s->batch || !s->scores || !s->chosen)
        return kn_fail_nomem(ctx);
    for (size_t i = 0; i < room; i++)
        s->members[i].node = s->genes + i * s->n;
    return KANON_OK;
}

static void
fini(void *self, kn_search_env *env)
{
    state     *s = self;
    kanon_ctx *ctx = kn_env_ctx(env);

    kn_free(ctx, s->members);
    kn_free(ctx, s->genes);
    kn_free(ctx, s->pairs);
    kn_free(ctx, s->wheel);
    kn_free(ctx, s->batch);
    kn_free(ctx, s->scores);
    kn_free(ctx, s->chosen);
}

static const kanon_param params[] = {
    { "population", "integer", 2, 100000, "100", "nodes in a population" },
    { "max-evaluations", "integer", 1, 1e15, "5000", "nodes checked against the table, at most" },
    { "crossover", "number", 0, 1, "0.9", "probability that two parents are crossed" },
    { "mutation", "number", 0, 1, "0.2", "probability that one level of a child is changed" },
    { "horizontal-mutation", "number", 0, 1, "0.4", "probability that a child changes its path" },
    { "horizontal-share", "number", 0, 1, "0.5",
      "share of the levels that a change of path draws anew" },
    { "selection", "corrected|literal", 0, 0, "corrected",
      "literal: the paper's eq. 3 as printed" },
    { "stall", "integer", 1, 1e9, "30", "stop after so many generations with hardly a new node" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_kgen = {
    { "kgen", "KGEN: a genetic algorithm on the lattice, for many quasi-identifiers",
      "docs/algorithms/kgen.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM | KANON_TRAIT_MONOTONE,
      params },
    sizeof(state),
    init,
    step,
    fini,
};

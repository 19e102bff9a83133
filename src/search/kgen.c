/* SPDX-License-Identifier: Apache-2.0 */
/* kgen.c -- KGEN, the genetic algorithm on the generalization lattice (De Pascale et al., "Real-world
 * K-Anonymity Applications: the KGEN approach"; Algorithm 1, Table 7).
 * Where we depart from the paper, and why (more in docs/algorithms/kgen.md):
 *  - selection: the paper's eq. 3 gives the larger share to the larger loss although loss is minimised;
 *    the share here is (1 - loss) * w. `selection=literal` keeps the paper's wheel.
 *  - the lower bounds count rows, which makes them sound with suppression too.
 *  - an elite: the best node ever seen is the answer (the driver keeps it), and the top node is in the
 *    first population, so there always is one.
 *  - equal nodes are kept once in a population; otherwise it fills with copies.
 *  - `local=on` (off: the paper's) goes down greedily from every new best node, and once more from the whole
 *    population before the end. `tags`, `elite` and `local` exist so that each can be measured by itself.
 *  - nodes decided by monotonicity cost no evaluation; when `stall` generations in a row bring hardly a
 *    new one (2 % of the population) the search ends: a small lattice holds less than max-evaluations.
 * Cost: O(population) nodes a generation, checked in two batches. */
#include "search/kgen.h"

#include "base/sort.h"
#include "search/search.h"

enum {
    PARAM_POPULATION,
    PARAM_EVALUATIONS,
    PARAM_CROSSOVER,
    PARAM_MUTATION,
    PARAM_HORIZONTAL,
    PARAM_SHARE,
    PARAM_SELECTION,
    PARAM_STALL,
    PARAM_TAGS,
    PARAM_ELITE,
    PARAM_LOCAL
};
enum { SELECTION_CORRECTED, SELECTION_LITERAL };
enum { TAGS_ON, TAGS_OFF };
enum { ELITE_ON, ELITE_OFF };
enum { LOCAL_OFF, LOCAL_ON };
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
    bool      literal, elite, local;
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
    kn_rng    order; /* of local: its own, so that it draws nothing from the others */
    uint8_t   best[KN_QUASI_MOST];
    kn_score  best_score; /* of the nodes seen here; local goes down from it */
    bool      fresh_best; /* it has not gone down from it yet */
    bool      swept;      /* it has been through the population */
} state;

/* --- operators ------------------------------------------------------------------------------------- */

void
kn_kgen_mutate(const kn_lattice *l, kn_rng *rng, uint8_t *node)
{
    size_t   i = (size_t) kn_rng_below(rng, l->n);
    unsigned others = (unsigned) (l->top[i] - l->floor[i]);
    uint8_t  level;

    assert(kn_node_below(l->n, l->floor, node) && kn_node_below(l->n, node, l->top));
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

/* The younger first, whatever its worth. */
static int
compare_ages(const state *s, const member *a, const member *b)
{
    if (a->penalty != b->penalty)
        return a->penalty < b->penalty ? -1 : 1;
    return compare_members(s, a, b);
}

static inline bool
better(const member *a, const member *b, const void *s)
{
    return compare_members(s, a, b) < 0;
}

static inline bool
younger(const member *a, const member *b, const void *s)
{
    return compare_ages(s, a, b) < 0;
}

KN_DEFINE_SORT(sort_by_worth, member, better)
KN_DEFINE_SORT(sort_by_age, member, younger)

/* Environmental selection: the best `population` different nodes; without an elite the youngest, of which
 * the best. Copies go behind all others; where there are too few different nodes, they fill up. */
static void
survive(state *s)
{
    size_t kept = 1;

    sort_by_worth(s->members, s->nmembers, s);
    for (size_t i = 1; i < s->nmembers; i++)
        if (memcmp(s->members[i].node, s->members[kept - 1].node, s->n) != 0) {
            member keep = s->members[kept];

            s->members[kept++] = s->members[i];
            s->members[i] = keep;
        }
    if (!s->elite)
        sort_by_age(s->members, kept, s);
    for (size_t i = 0; i < s->population; i++)
        s->members[i].penalty++;
    s->nmembers = s->population;
}

/* --- local search ----------------------------------------------------------------------------------- */

/* Remembers the best node of those that were checked. */
static void
notice(state *s, const uint8_t *node, const kn_score *score)
{
    if (!score->feasible
        || (s->best_score.feasible && !kn_loss_less(score->loss, s->best_score.loss)))
        return;
    memcpy(s->best, node, s->n);
    s->best_score = *score;
    s->fresh_best = true;
}

static void
shuffle_components(state *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->chosen[i] = i;
    for (size_t i = s->n; i > 1; i--) {
        size_t pick = (size_t) kn_rng_below(&s->order, i), keep = s->chosen[i - 1];

        s->chosen[i - 1] = s->chosen[pick];
        s->chosen[pick] = keep;
    }
}

/* Lowers one component after the other, each as far as it pays, until a whole round brings nothing. The
 * next node depends on the last answer, so the checks go one by one. */
static kanon_status
descend(state *s, kn_search_env *env, uint8_t *node, kn_score *score)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    bool              moved = true;

    shuffle_components(s);
    while (moved && kn_env_left(env) > 0) {
        moved = false;
        for (size_t c = 0; c < s->n; c++) {
            size_t i = s->chosen[c];

            while (node[i] > l->floor[i]) {
                kn_score lower;

                node[i]--;
                rc = kn_env_check(env, node, &lower);
                if (rc < 0 || !lower.feasible || !kn_loss_less(lower.loss, score->loss)) {
                    node[i]++;
                    break;
                }
                *score = lower;
                moved = true;
            }
            KN_TRY(rc);
        }
    }
    notice(s, node, score);
out:
    return rc;
}

/* Goes down from the best node if it is a new one; where that leads joins the population. */
static kanon_status
descend_from_best(state *s, kn_search_env *env)
{
    kanon_status rc = KANON_OK;
    member      *m = &s->members[s->nmembers];

    if (!s->local || !s->fresh_best)
        return KANON_OK;
    memcpy(m->node, s->best, s->n);
    m->score = s->best_score;
    m->penalty = 0;
    KN_TRY(descend(s, env, m->node, &m->score));
    s->fresh_best = false;
    s->nmembers++;
out:
    return rc;
}

/* Goes down from every feasible member, the best first; the members themselves stay. */
static kanon_status
descend_from_all(state *s, kn_search_env *env)
{
    kanon_status rc = KANON_OK;

    s->swept = true;
    for (size_t i = 0; i < s->population; i++) {
        kn_score score = s->members[i].score;
        uint8_t  node[KN_QUASI_MOST];

        if (!score.feasible)
            continue;
        memcpy(node, s->members[i].node, s->n);
        KN_TRY(descend(s, env, node, &score));
    }
out:
    return rc;
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
    for (size_t i = 0; i < count; i++) {
        s->members[from + i].score = s->scores[i];
        notice(s, s->members[from + i].node, &s->scores[i]);
    }
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
    if (s->local && !s->swept && kn_env_left(env) <= s->population) {
        rc = descend_from_all(s, env); /* what is left would not do for a whole generation */
        goto out;
    }
    minima = draw_parents(s, rng, npairs);
    KN_TRY(kn_env_check_many(env, s->batch, minima, s->scores));
    for (size_t i = 0; i < minima; i++)
        notice(s, s->batch + i * s->n, &s->scores[i]);
    for (size_t i = 0; i < npairs; i++)
        cross(s, &s->pairs[i], rng);
    mutate(s, kn_env_lattice(env), rng, s->population);
    KN_TRY(score_members(s, env, s->population));
    KN_TRY(descend_from_best(s, env));
    survive(s);
    s->idle = kn_env_evaluations(env) - before >= s->fresh ? 0 : s->idle + 1;
    if (s->idle >= s->stall) {
        if (s->local && !s->swept)
            KN_TRY(descend_from_all(s, env));
        kn_env_stopped(env, "stalled");
        *next = KN_STEP_DONE;
    }
out:
    return rc;
}

/* Seeded by what the search would draw first, without drawing it: the default stays as it is. */
static void
init_order(state *s, const kn_rng *rng)
{
    kn_rng ahead = *rng;

    kn_rng_init(&s->order, kn_rng_next(&ahead), 2);
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
    s->elite = (int) values->number[PARAM_ELITE] == ELITE_ON;
    s->local = (int) values->number[PARAM_LOCAL] == LOCAL_ON;
    if ((int) values->number[PARAM_TAGS] == TAGS_OFF)
        kn_env_plain(env);
    init_order(s, kn_env_rng(env));
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
    { "max-evaluations", "integer", 1, 1e15, "5000", "maximum number of checks" },
    { "crossover", "number", 0, 1, "0.9", "probability that two parents are crossed" },
    { "mutation", "number", 0, 1, "0.2", "probability that one level of a child is changed" },
    { "horizontal-mutation", "number", 0, 1, "0.4",
      "probability of the horizontal mutation of a child" },
    { "horizontal-share", "number", 0, 1, "0.5",
      "share of the levels that a horizontal mutation changes" },
    { "selection", "corrected|literal", 0, 0, "corrected",
      "literal: the paper's equation 3 as printed" },
    { "stall", "integer", 1, 1e9, "30",
      "end after this many generations with hardly any new checks" },
    { "tags", "on|off", 0, 0, "on", "off: also check nodes that monotonicity decides" },
    { "elite", "on|off", 0, 0, "on", "off: the youngest nodes survive, not the best" },
    { "local", "off|on", 0, 0, "off", "on: descend greedily from every new best node" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_kgen = {
    { "kgen", "KGEN: a genetic algorithm on the lattice, for many quasi-identifiers",
      "docs/algorithms/kgen.md", KANON_TRAIT_ANYTIME | KANON_TRAIT_RANDOM, params, "log" },
    sizeof(state),
    init,
    step,
    fini,
};

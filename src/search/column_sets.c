/* SPDX-License-Identifier: Apache-2.0 */
/* column_sets.c -- a beam search over sets of quasi-identifiers. It begins with single columns and with the
 * columns of a release that is known, and adds one column at a time, as long as that keeps more information
 * than before. What a set keeps is found by descent in the part of the lattice where all other columns are at
 * their top: levels go down one by one, and where none can any more, one goes up so that another can go down.
 * Columns that no good set holds get a search of their own that begins with them, so that somebody who needs
 * such a column finds it among the answers. The driver counts the nodes, so the answer depends on their
 * number and not on time or threads.
 * Cost: about columns * beam * 2 checks for every size of a set, and a descent for each set of the beam. */
#include "search/column_sets.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/sort.h"

enum {
    BEAM = 6,
    SIZE_MOST = 16,                      /* columns of a set; nobody reads longer ones */
    ALONE_MOST = KN_COLUMN_SETS_MOST - 1 /* columns that get a search of their own */
};

/* A level that keeps less of a column is as good as `*`, and a set that keeps less of its columns is not
 * worth naming; one that keeps so much more of them than those before it is another answer. */
static const double COLUMN_KEEPS_LEAST = 0.1, SET_KEEPS_LEAST = 0.25, MORE_DETAIL = 0.15;

typedef struct set {
    uint8_t *node; /* the best release of it found */
    kn_score score;
    size_t   size;
    double   before; /* loss of the set that it grew from */
} set;

typedef struct set_list {
    set   *of;
    size_t count, room;
} set_list;

typedef struct state {
    kn_arena  arena;
    set_list  sets;  /* all that have a release and keep more than what they grew from */
    set_list  beam;  /* those that grow next */
    set_list  grown; /* from them */
    uint8_t  *nodes; /* of a batch */
    kn_score *scores;
    size_t    batch_room, scores_room, count;
    uint8_t   coarsest[KN_QUASI_MOST]; /* the highest level that keeps something */
    bool      can[KN_QUASI_MOST];      /* be kept at all */
    bool      tried[KN_QUASI_MOST];    /* has had a search of its own */
    size_t    alone;                   /* columns that had one */
} state;

/* The class as the driver sees it, what is known, and where the answer goes. */
typedef struct sets_search {
    kn_search_class class; /* first */
    const uint8_t  *known; /* levels of a release; NULL: none */
    kn_column_sets *out;
} sets_search;

static const sets_search *
search_of(const kn_search_env *env)
{
    return (const sets_search *) (const void *) kn_env_class(env);
}

/* --- columns of a node --------------------------------------------------------------------------------- */

static bool
keeps(const kn_search_env *env, const uint8_t *node, size_t column)
{
    return node[column] < kn_env_lattice(env)->top[column];
}

/* What a column keeps at a level, of what it holds; suppressed rows apart. */
static double
detail(const kn_search_env *env, size_t column, unsigned level)
{
    const kn_meter *meter = kn_env_meter(env);
    double          all = kn_meter_term(meter, column, kn_env_lattice(env)->top[column]);

    return all > 0 ? 1 - kn_meter_term(meter, column, level) / all : 0;
}

static void
find_coarsest(state *s, const kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);

    for (size_t i = 0; i < l->n; i++)
        for (unsigned level = l->top[i]; level-- > l->floor[i] && !s->can[i];)
            if (detail(env, i, level) >= COLUMN_KEEPS_LEAST) {
                s->coarsest[i] = (uint8_t) level;
                s->can[i] = true;
            }
}

static bool
same_columns(const kn_search_env *env, const uint8_t *a, const uint8_t *b)
{
    for (size_t i = 0; i < kn_env_lattice(env)->n; i++)
        if (keeps(env, a, i) != keeps(env, b, i))
            return false;
    return true;
}

/* --- batches ------------------------------------------------------------------------------------------- */

/* A node of the next batch, to be changed by the caller. */
static kanon_status
add_node(state *s, kn_search_env *env, const uint8_t *like, uint8_t **out)
{
    kanon_status rc = KANON_OK;
    size_t       n = kn_env_lattice(env)->n;
    void        *nodes = s->nodes, *scores = s->scores;

    KN_TRY(kn_grow(kn_env_ctx(env), &nodes, &s->batch_room, s->count + 1, n));
    s->nodes = nodes;
    KN_TRY(kn_grow(kn_env_ctx(env), &scores, &s->scores_room, s->count + 1, sizeof *s->scores));
    s->scores = scores;
    *out = memcpy(s->nodes + n * s->count++, like, n);
out:
    return rc;
}

/* Checks the batch and takes its best node where that is better than what there is. */
static kanon_status
take_best(state *s, kn_search_env *env, set *best, bool *found)
{
    kanon_status rc = KANON_OK;
    size_t       n = kn_env_lattice(env)->n, at = SIZE_MAX;

    *found = false;
    KN_TRY(kn_env_check_many(env, s->nodes, s->count, s->scores));
    for (size_t i = 0; i < s->count; i++)
        if (s->scores[i].feasible
            && kn_loss_less(s->scores[i].loss,
                            at == SIZE_MAX ? best->score.loss : s->scores[at].loss))
            at = i;
    if (at != SIZE_MAX) {
        memcpy(best->node, s->nodes + at * n, n);
        best->score = s->scores[at];
        *found = true;
    }
out:
    s->count = 0;
    return rc;
}

/* --- the best release of a set ------------------------------------------------------------------------- */

/* One column of the set a level down, and with `up` another one a level up. */
static kanon_status
add_moves(state *s, kn_search_env *env, const uint8_t *node, size_t up)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    uint8_t          *moved;

    for (size_t i = 0; i < l->n; i++) {
        if (i == up || !keeps(env, node, i) || node[i] <= l->floor[i])
            continue;
        KN_TRY(add_node(s, env, node, &moved));
        moved[i]--;
        if (up != SIZE_MAX)
            moved[up]++;
    }
out:
    return rc;
}

static kanon_status
descend(state *s, kn_search_env *env, set *best)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    bool              found = true;

    while (found && kn_env_left(env)) {
        KN_TRY(add_moves(s, env, best->node, SIZE_MAX));
        KN_TRY(take_best(s, env, best, &found));
        if (found)
            continue;
        for (size_t i = 0; i < l->n; i++)
            if (keeps(env, best->node, i) && best->node[i] < s->coarsest[i])
                KN_TRY(add_moves(s, env, best->node, i));
        KN_TRY(take_best(s, env, best, &found));
    }
out:
    return rc;
}

/* --- sets ---------------------------------------------------------------------------------------------- */

static bool
is_listed(const set_list *list, const kn_search_env *env, const uint8_t *node)
{
    for (size_t i = 0; i < list->count; i++)
        if (same_columns(env, list->of[i].node, node))
            return true;
    return false;
}

/* The node is copied. */
static kanon_status
add_set(state *s, kn_search_env *env, set_list *list, const set *added)
{
    kanon_status rc = KANON_OK;
    void        *sets = list->of;
    size_t       n = kn_env_lattice(env)->n;
    uint8_t     *node = kn_arena_alloc(&s->arena, n);

    KN_TRY(KN_HAVE(node));
    KN_TRY(kn_grow(kn_env_ctx(env), &sets, &list->room, list->count + 1, sizeof *list->of));
    list->of = sets;
    list->of[list->count] = *added;
    list->of[list->count++].node = memcpy(node, added->node, n);
out:
    return rc;
}

/* Less loss, then fewer columns, then by the levels: no two sets have the same. */
static inline bool
set_before(const set *a, const set *b, const void *env)
{
    if (a->score.loss < b->score.loss || a->score.loss > b->score.loss)
        return a->score.loss < b->score.loss;
    if (a->size != b->size)
        return a->size < b->size;
    return memcmp(a->node, b->node, kn_env_lattice(env)->n) < 0;
}

KN_DEFINE_SORT(sort_sets, set, set_before)

/* --- growing ------------------------------------------------------------------------------------------- */

/* The sets of the beam with one column more each, which has its coarsest level; not yet checked. */
static kanon_status
list_grown(state *s, kn_search_env *env)
{
    kanon_status rc = KANON_OK;
    size_t       n = kn_env_lattice(env)->n;
    uint8_t      node[KN_QUASI_MOST];

    s->grown.count = 0;
    for (size_t b = 0; b < s->beam.count; b++) {
        const set *from = &s->beam.of[b];

        for (size_t i = 0; i < n && from->size < SIZE_MOST; i++) {
            set more = { node, { false, 0, 2 }, from->size + 1, from->score.loss };

            if (!s->can[i] || keeps(env, from->node, i))
                continue;
            memcpy(node, from->node, n);
            node[i] = s->coarsest[i];
            if (!is_listed(&s->sets, env, node) && !is_listed(&s->grown, env, node))
                KN_TRY(add_set(s, env, &s->grown, &more));
        }
    }
out:
    return rc;
}

/* Where the levels of a set leave no room for another column, all of its columns at their coarsest might. */
static void
lift(const state *s, const kn_search_env *env, uint8_t *node)
{
    for (size_t i = 0; i < kn_env_lattice(env)->n; i++)
        if (keeps(env, node, i))
            node[i] = s->coarsest[i];
}

static kanon_status
check_grown(state *s, kn_search_env *env)
{
    kanon_status rc = KANON_OK;
    uint8_t     *node;

    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < s->grown.count; i++)
            if (!s->grown.of[i].score.feasible) {
                if (round)
                    lift(s, env, s->grown.of[i].node);
                KN_TRY(add_node(s, env, s->grown.of[i].node, &node));
            }
        KN_TRY(kn_env_check_many(env, s->nodes, s->count, s->scores));
        s->count = 0;
        for (size_t i = 0, at = 0; i < s->grown.count; i++)
            if (!s->grown.of[i].score.feasible)
                s->grown.of[i].score = s->scores[at++];
    }
out:
    s->count = 0;
    return rc;
}

/* The best of the grown sets become the beam, each with the best release that descent finds for it. All that
 * keep more than what they grew from are possible answers. */
static kanon_status
grow(state *s, kn_search_env *env, size_t most)
{
    kanon_status rc = KANON_OK;
    size_t       count = 0;

    KN_TRY(list_grown(s, env));
    s->beam.count = 0;
    if (!s->grown.count)
        return KANON_OK;
    KN_TRY(check_grown(s, env));
    for (size_t i = 0; i < s->grown.count; i++)
        if (s->grown.of[i].score.feasible)
            s->grown.of[count++] = s->grown.of[i];
    s->grown.count = count;
    if (count)
        sort_sets(s->grown.of, count, env);
    for (size_t i = 0; i < count; i++) {
        set *one = &s->grown.of[i];

        if (s->beam.count < most)
            KN_TRY(descend(s, env, one));
        if (!kn_loss_less(one->score.loss, one->before))
            continue;
        KN_TRY(add_set(s, env, &s->sets, one));
        if (s->beam.count < most)
            KN_TRY(add_set(s, env, &s->beam, one));
    }
out:
    return rc;
}

/* --- where it begins ----------------------------------------------------------------------------------- */

/* The columns of the release that is known: whatever else is found, this was. */
static kanon_status
begin_known(state *s, kn_search_env *env)
{
    kanon_status   rc = KANON_OK;
    const uint8_t *known = search_of(env)->known;
    uint8_t        node[KN_QUASI_MOST], *start;
    set            one = { .node = node, .score = { .loss = 1 } };
    bool           found;

    if (!known)
        return KANON_OK;
    KN_TRY(add_node(s, env, known, &start));
    for (size_t i = 0; i < kn_env_lattice(env)->n; i++) {
        if (!s->can[i] || start[i] > s->coarsest[i])
            start[i] = kn_env_lattice(env)->top[i];
        one.size += keeps(env, start, i);
    }
    KN_TRY(take_best(s, env, &one, &found));
    if (!found || !one.size || one.size > SIZE_MOST)
        return KANON_OK;
    KN_TRY(descend(s, env, &one));
    KN_TRY(add_set(s, env, &s->sets, &one));
    KN_TRY(add_set(s, env, &s->beam, &one));
out:
    return rc;
}

/* Every column alone. */
static kanon_status
begin(state *s, kn_search_env *env)
{
    kanon_status rc = KANON_OK;
    uint8_t      top[KN_QUASI_MOST];

    memcpy(top, kn_env_lattice(env)->top, kn_env_lattice(env)->n);
    find_coarsest(s, env);
    KN_TRY(add_set(s, env, &s->beam, &(set){ .node = top, .score = { .loss = 1 } }));
    KN_TRY(grow(s, env, KN_QUASI_MOST));
    sort_sets(s->beam.of, s->beam.count, env);
    s->beam.count = s->beam.count < BEAM ? s->beam.count : BEAM;
    KN_TRY(begin_known(s, env));
out:
    return rc;
}

static void
cover(const kn_search_env *env, const uint8_t *node, bool *covered)
{
    for (size_t i = 0; i < kn_env_lattice(env)->n; i++)
        covered[i] |= keeps(env, node, i);
}

/* The column that none of the best sets has and that keeps most alone. */
static kanon_status
begin_alone(state *s, kn_search_env *env)
{
    sort_sets(s->sets.of, s->sets.count, env);
    for (size_t i = 0; i < s->sets.count && i < BEAM; i++)
        cover(env, s->sets.of[i].node, s->tried);
    for (size_t i = 0; i < s->sets.count; i++) {
        const set *one = &s->sets.of[i];
        bool       covered[KN_QUASI_MOST] = { false };

        cover(env, one->node, covered);
        for (size_t q = 0; one->size == 1 && q < kn_env_lattice(env)->n; q++)
            if (covered[q] && !s->tried[q]) {
                s->tried[q] = true;
                s->alone++;
                return add_set(s, env, &s->beam, one);
            }
    }
    return KANON_OK;
}

/* --- the answer ---------------------------------------------------------------------------------------- */

static double
weight_of(const kn_search_env *env, const uint8_t *node)
{
    const kn_lattice *l = kn_env_lattice(env);
    double            kept = 0, all = 0;

    for (size_t i = 0; i < l->n; i++) {
        double weight = kn_meter_term(kn_env_meter(env), i, l->top[i]);

        all += weight;
        kept += keeps(env, node, i) ? weight : 0;
    }
    return all > 0 ? kept / all : 0;
}

/* What a set keeps of its own columns. */
static double
kept_by(const kn_search_env *env, const set *one)
{
    double weight = weight_of(env, one->node), kept = 1 - one->score.loss;

    kept = weight > 0 ? kept / weight : 0;
    return kept < 1 - 1e-9 ? kept : 1; /* but for rounding */
}

/* What a set would add to the answers before it: columns that they have count half. 0: it is not worth
 * naming, leaves no column out, or has neither a column that they lack nor clearly more detail than they. */
static double
gain(const kn_search_env *env, const set *one, const bool *covered, double most)
{
    double kept = kept_by(env, one), sum = 0;
    bool   adds = kept >= most + MORE_DETAIL;

    for (size_t i = 0; i < kn_env_lattice(env)->n; i++) {
        double weight = kn_meter_term(kn_env_meter(env), i, kn_env_lattice(env)->top[i]);

        sum += weight * detail(env, i, one->node[i]) * (covered[i] ? 0.5 : 1);
        adds |= keeps(env, one->node, i) && !covered[i];
    }
    return adds && kept >= SET_KEEPS_LEAST && one->size < kn_env_lattice(env)->n ? sum : 0;
}

static void
put_answer(const kn_search_env *env, const set *one, kn_column_set *out)
{
    memcpy(out->levels, one->node, kn_env_lattice(env)->n);
    out->ncolumns = one->size;
    out->kept = kept_by(env, one);
    out->kept_of_all = 1 - one->score.loss;
    out->suppressed = one->score.outlying;
    for (size_t i = 0; i < kn_env_lattice(env)->n; i++)
        out->detail[i] = detail(env, i, one->node[i]);
}

/* The set that keeps most, and then each time the one that adds most; of equals the one that loses less. */
static void
answer(state *s, kn_search_env *env)
{
    kn_column_sets *out = search_of(env)->out;
    bool            covered[KN_QUASI_MOST] = { false };
    double          most = 0;

    if (s->sets.count)
        sort_sets(s->sets.of, s->sets.count, env);
    while (out->count < KN_COLUMN_SETS_MOST) {
        const set *best = NULL;
        double     best_gain = 0;

        for (size_t i = 0; i < s->sets.count && !(best && !out->count); i++) {
            double here = gain(env, &s->sets.of[i], covered, most);

            if (here > best_gain) {
                best = &s->sets.of[i];
                best_gain = here;
            }
        }
        if (!best)
            return;
        put_answer(env, best, &out->sets[out->count++]);
        cover(env, best->node, covered);
        most = kept_by(env, best) > most ? kept_by(env, best) : most;
    }
}

/* --- the class ----------------------------------------------------------------------------------------- */

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state *s = self;

    KN_UNUSED(values); /* the driver keeps the budget */
    kn_arena_init(&s->arena, kn_env_ctx(env));
    return KANON_OK;
}

/* All sets of one size; then the columns that were left out. */
static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    kanon_status rc = KANON_OK;
    state       *s = self;

    if (!s->beam.of)
        KN_TRY(begin(s, env));
    else
        KN_TRY(grow(s, env, s->alone ? 1 : BEAM));
    if (!s->beam.count && s->sets.count && s->alone < ALONE_MOST)
        KN_TRY(begin_alone(s, env));
    if (!s->beam.count)
        *next = KN_STEP_DONE;
out:
    return rc;
}

/* The answer is made here, so that there is one also where the budget ended the search. */
static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    answer(s, env);
    kn_arena_fini(&s->arena);
    kn_free(kn_env_ctx(env), s->sets.of);
    kn_free(kn_env_ctx(env), s->beam.of);
    kn_free(kn_env_ctx(env), s->grown.of);
    kn_free(kn_env_ctx(env), s->nodes);
    kn_free(kn_env_ctx(env), s->scores);
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

kanon_status
kn_column_sets_find(const kn_search_problem *problem, const uint8_t *known,
                    uint64_t most_evaluations, kn_column_sets *out)
{
    sets_search search = { { { "column-sets", "sets of columns to keep", "", KANON_TRAIT_ANYTIME,
                               params, "glm" },
                             sizeof(state),
                             init,
                             step,
                             fini },
                           known,
                           out };
    kn_search_problem p = *problem;
    char              most[32];
    kn_setting        budget = { .key = "max-evaluations", .value = most };
    kn_outcome        found;
    kanon_status      rc;

    memset(out, 0, sizeof *out);
    snprintf(most, sizeof most, "%llu", (unsigned long long) most_evaluations);
    p.metric = &kn_metric_glm;
    p.params = &budget;
    p.nparams = 1;
    rc = kn_search_run(&search.class, &p, &found);
    out->evaluations = found.evaluations;
    out->complete = rc == KANON_OK && strcmp(found.stopped, "complete") == 0;
    return rc;
}

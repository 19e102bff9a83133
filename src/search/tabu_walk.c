/* SPDX-License-Identifier: Apache-2.0 */
/* tabu_walk.c -- tabu walks: neighbours, candidates, the tabu list.
 * A cycle asks for all neighbours that are not tabu, because the draw of candidates has to know which of
 * them are feasible; nodes met before or decided by monotonicity cost nothing, so a walk that stays in
 * its neighbourhood gets cheaper as it goes.
 * Cost of a cycle: (sum of the heights) nodes to look up for each node that a walk stands on, each of
 * them `list` comparisons; memory for one cycle's neighbours of all walks. */
#include "search/tabu_walk.h"

#include "base/keyset.h"

typedef struct walk {
    uint8_t *nodes; /* where it stands: one node, or all candidates */
    size_t   nnodes;
    kn_tabu  tabu;
    uint8_t *best;
    kn_score best_score;
    size_t   first, count; /* its neighbours in this cycle */
} walk;

struct kn_walks {
    kanon_ctx    *ctx;
    size_t        n, count, degree; /* degree: neighbours of a node */
    kn_walk_rules rules;
    uint64_t      now; /* cycles since the start */
    walk         *walks;
    kn_keyset    *seen;  /* neighbours of one walk, where it stands on several nodes */
    uint8_t      *nodes; /* neighbours of all walks */
    kn_score     *scores;
    size_t       *feasible, *infeasible, *chosen;
    size_t        nodes_room, scores_room, feasible_room, infeasible_room;
};

kn_walk_rules
kn_walk_rules_of(const double *values)
{
    kn_walk_rules rules = { { (size_t) values[KN_WALK_CANDIDATES], values[KN_WALK_FEASIBLE_SHARE] },
                            (size_t) values[KN_WALK_LIST],
                            (uint64_t) values[KN_WALK_TENURE],
                            (int) values[KN_WALK_MOVE] == 1 };

    return rules;
}

/* --- the tabu list ----------------------------------------------------------------------------------- */

kanon_status
kn_tabu_init(kn_tabu *tabu, kanon_ctx *ctx, size_t n, size_t room, uint64_t tenure)
{
    tabu->ctx = ctx;
    tabu->n = n;
    tabu->room = room;
    tabu->tenure = tenure;
    tabu->nodes = kn_alloc_array(ctx, room, n);
    tabu->until = KN_NEW_ARRAY(ctx, uint64_t, room);
    return tabu->nodes && tabu->until ? KANON_OK : kn_fail_nomem(ctx);
}

void
kn_tabu_fini(kn_tabu *tabu)
{
    if (!tabu->ctx)
        return;
    kn_free(tabu->ctx, tabu->nodes);
    kn_free(tabu->ctx, tabu->until);
}

void
kn_tabu_clear(kn_tabu *tabu)
{
    tabu->count = tabu->next = 0;
}

void
kn_tabu_add(kn_tabu *tabu, const uint8_t *node, uint64_t now)
{
    if (!tabu->room)
        return;
    memcpy(tabu->nodes + tabu->next * tabu->n, node, tabu->n);
    tabu->until[tabu->next] = now + tabu->tenure;
    tabu->next = (tabu->next + 1) % tabu->room;
    if (tabu->count < tabu->room)
        tabu->count++;
}

bool
kn_tabu_holds(const kn_tabu *tabu, const uint8_t *node, uint64_t now)
{
    for (size_t i = 0; i < tabu->count; i++)
        if (tabu->until[i] >= now && memcmp(tabu->nodes + i * tabu->n, node, tabu->n) == 0)
            return true;
    return false;
}

/* --- neighbours and candidates ----------------------------------------------------------------------- */

size_t
kn_neighbour_count(const kn_lattice *l)
{
    return kn_node_height(l->n, l->top) - kn_node_height(l->n, l->floor);
}

void
kn_neighbours(const kn_lattice *l, const uint8_t *node, uint8_t *out)
{
    for (size_t i = 0; i < l->n; i++)
        for (unsigned level = l->floor[i]; level <= l->top[i]; level++) {
            if (level == node[i])
                continue;
            memcpy(out, node, l->n);
            out[i] = (uint8_t) level;
            out += l->n;
        }
}

size_t
kn_draw_candidates(const kn_draw *how, kn_rng *rng, kn_tabu_side *feasible,
                   kn_tabu_side *infeasible, size_t *chosen)
{
    size_t count = 0;

    assert(how->share >= 0 && how->share <= 1);
    while (count < how->most && feasible->count + infeasible->count > 0) {
        kn_tabu_side *side = feasible;
        size_t        pick, last;

        if (!feasible->count || (infeasible->count && kn_rng_unit(rng) >= how->share))
            side = infeasible;
        pick = (size_t) kn_rng_below(rng, side->count);
        last = --side->count;
        chosen[count] = side->numbers[pick];
        side->numbers[pick] = side->numbers[last];
        side->numbers[last] = chosen[count++];
    }
    return count;
}

/* --- walks ------------------------------------------------------------------------------------------- */

static kanon_status
open_walk(kn_walks *w, walk *one)
{
    one->nodes = kn_alloc_array(w->ctx, w->rules.literal ? w->rules.draw.most : 1, w->n);
    one->best = KN_NEW_ARRAY(w->ctx, uint8_t, w->n);
    if (!one->nodes || !one->best)
        return kn_fail_nomem(w->ctx);
    return kn_tabu_init(&one->tabu, w->ctx, w->n, w->rules.list, w->rules.tenure);
}

kanon_status
kn_walks_new(kn_search_env *env, const kn_walk_rules *rules, size_t count, kn_walks **out)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    kn_walks         *w = KN_NEW(kn_env_ctx(env), kn_walks);

    *out = NULL;
    if (!w)
        return KANON_E_NOMEM;
    w->ctx = kn_env_ctx(env);
    w->n = l->n;
    w->degree = kn_neighbour_count(l);
    w->rules = *rules;
    w->chosen = KN_NEW_ARRAY(w->ctx, size_t, rules->draw.most);
    w->walks = KN_NEW_ARRAY(w->ctx, walk, count);
    KN_TRY(KN_HAVE(w->walks && w->chosen));
    if (rules->literal)
        KN_TRY(kn_keyset_new(w->ctx, w->n, &w->seen));
    while (w->count < count)
        KN_TRY(open_walk(w, &w->walks[w->count++]));
    *out = w;
    w = NULL;
out:
    kn_walks_free(w);
    return rc;
}

void
kn_walks_free(kn_walks *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->count; i++) {
        kn_free(w->ctx, w->walks[i].nodes);
        kn_free(w->ctx, w->walks[i].best);
        kn_tabu_fini(&w->walks[i].tabu);
    }
    kn_keyset_free(w->seen);
    kn_free(w->ctx, w->walks);
    kn_free(w->ctx, w->nodes);
    kn_free(w->ctx, w->scores);
    kn_free(w->ctx, w->feasible);
    kn_free(w->ctx, w->infeasible);
    kn_free(w->ctx, w->chosen);
    kn_free(w->ctx, w);
}

void
kn_walks_start(kn_walks *w, const uint8_t *nodes, const kn_score *scores)
{
    w->now = 0;
    for (size_t i = 0; i < w->count; i++) {
        walk *one = &w->walks[i];

        memcpy(one->nodes, nodes + i * w->n, w->n);
        one->nnodes = 1;
        memcpy(one->best, one->nodes, w->n);
        one->best_score = scores[i];
        kn_tabu_clear(&one->tabu);
        kn_tabu_add(&one->tabu, one->nodes, 0);
    }
}

const uint8_t *
kn_walks_best(const kn_walks *w, size_t i, kn_score *score)
{
    assert(i < w->count);
    *score = w->walks[i].best_score;
    return w->walks[i].best;
}

const uint8_t *
kn_walks_at(const kn_walks *w, size_t i, size_t *count)
{
    assert(i < w->count);
    *count = w->walks[i].nnodes;
    return w->walks[i].nodes;
}

/* Feasible, then less loss; of two infeasible nodes the higher one is the nearer to feasible, as far as is
 * known: their outlying rows were not counted to the end. */
static bool
beats(size_t n, const uint8_t *a, const kn_score *as, const uint8_t *b, const kn_score *bs)
{
    if (as->feasible != bs->feasible)
        return as->feasible;
    if (as->feasible)
        return as->loss < bs->loss;
    return kn_node_height(n, a) > kn_node_height(n, b);
}

/* Appends the neighbours of where a walk stands, without tabu nodes, and each once. */
static kanon_status
gather(kn_walks *w, const kn_lattice *l, walk *one)
{
    kanon_status rc = KANON_OK;
    void        *nodes = w->nodes;
    uint8_t     *from, *to;

    one->count = 0;
    if (!one->nnodes
        || !w->degree) /* a lattice of one node has no neighbours, and no room for them */
        return KANON_OK;
    KN_TRY(kn_grow(w->ctx, &nodes, &w->nodes_room, one->first + one->nnodes * w->degree, w->n));
    w->nodes = nodes;
    from = to = w->nodes + one->first * w->n;
    for (size_t i = 0; i < one->nnodes; i++)
        kn_neighbours(l, one->nodes + i * w->n, from + i * w->degree * w->n);
    if (one->nnodes > 1)
        kn_keyset_clear(w->seen);
    for (size_t i = 0; i < one->nnodes * w->degree; i++, from += w->n) {
        if (kn_tabu_holds(&one->tabu, from, w->now))
            continue;
        if (one->nnodes > 1) {
            size_t before = kn_keyset_count(w->seen), number;

            KN_TRY(kn_keyset_add(w->seen, from, &number));
            if (number < before)
                continue;
        }
        memmove(to, from, w->n);
        to += w->n;
    }
    one->count = (size_t) (to - w->nodes) / w->n - one->first;
out:
    return rc;
}

static kanon_status
reserve(kn_walks *w, size_t total)
{
    kanon_status rc = KANON_OK;
    void        *scores = w->scores, *feasible = w->feasible, *infeasible = w->infeasible;

    KN_TRY(kn_grow(w->ctx, &scores, &w->scores_room, total, sizeof *w->scores));
    w->scores = scores;
    KN_TRY(kn_grow(w->ctx, &feasible, &w->feasible_room, total, sizeof *w->feasible));
    w->feasible = feasible;
    KN_TRY(kn_grow(w->ctx, &infeasible, &w->infeasible_room, total, sizeof *w->infeasible));
    w->infeasible = infeasible;
out:
    return rc;
}

/* Goes to the candidates, or to the best of them; ties go to the one drawn first. Without a candidate a
 * walk stays where it is until its tabu nodes are free again. */
static void
move_to(kn_walks *w, walk *one, size_t ncandidates)
{
    size_t best = 0;

    if (!ncandidates)
        return;
    for (size_t c = 1; !w->rules.literal && c < ncandidates; c++)
        if (beats(w->n, w->nodes + w->chosen[c] * w->n, &w->scores[w->chosen[c]],
                  w->nodes + w->chosen[best] * w->n, &w->scores[w->chosen[best]]))
            best = c;
    one->nnodes = w->rules.literal ? ncandidates : 1;
    for (size_t c = 0; c < one->nnodes; c++) {
        uint8_t *to = one->nodes + c * w->n;

        memcpy(to, w->nodes + w->chosen[w->rules.literal ? c : best] * w->n, w->n);
        kn_tabu_add(&one->tabu, to, w->now);
    }
}

static void
advance(kn_walks *w, walk *one, kn_rng *rng)
{
    kn_tabu_side feasible = { w->feasible, 0 }, infeasible = { w->infeasible, 0 };

    for (size_t i = one->first; i < one->first + one->count; i++) {
        const uint8_t *node = w->nodes + i * w->n;
        kn_tabu_side  *side = w->scores[i].feasible ? &feasible : &infeasible;

        side->numbers[side->count++] = i;
        if (beats(w->n, node, &w->scores[i], one->best, &one->best_score)) {
            memcpy(one->best, node, w->n);
            one->best_score = w->scores[i];
        }
    }
    move_to(w, one, kn_draw_candidates(&w->rules.draw, rng, &feasible, &infeasible, w->chosen));
}

kanon_status
kn_walks_cycle(kn_walks *w, kn_search_env *env)
{
    kanon_status rc = KANON_OK;
    size_t       total = 0;

    w->now++;
    for (size_t i = 0; i < w->count; i++) {
        w->walks[i].first = total;
        KN_TRY(gather(w, kn_env_lattice(env), &w->walks[i]));
        total += w->walks[i].count;
    }
    KN_TRY(reserve(w, total));
    KN_TRY(kn_env_check_many(env, w->nodes, total, w->scores));
    for (size_t i = 0; i < w->count; i++)
        advance(w, &w->walks[i], kn_env_rng(env));
out:
    return rc;
}

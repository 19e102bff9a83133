/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c -- every node of a lattice decided by looks at few. There is a bit for each node that may still
 * be the best. A greedy walk down from the top gives a good loss to beat; what is dearer by its levels
 * alone is closed. Then the highest open node is looked at: if it is infeasible, so is all below it, and
 * it is raised by the level under which most open nodes are, as long as that stays infeasible; if it is
 * feasible, a walk down goes on from there. A few such chains are looked at side by side. Cost: one look a
 * chain link, and the words of the boxes below them. Exact. */
#include "search/cover.h"

enum {
    COLLAPSE_LEAST = 64,   /* open nodes for which copies of the table pay */
    GAIN_LEAST = 3,        /* open nodes that make it worth while to raise an infeasible one */
    WORDS_MOST = 1 << 21,  /* of bits: 16 MiB, and 4 MiB beside them */
    WORDS_A_LOOK = 1 << 10 /* looked through for a lower bound */
};

bool
kn_cover_fits(const kn_lattice *lattice)
{
    return kn_open_words(lattice) <= WORDS_MOST;
}

/* Models that are not monotone may refuse a node above a feasible one. */
static kn_open_above
above(const kn_cover *s, const kn_score *score)
{
    return s->steady && score->feasible ? KN_ABOVE_FEASIBLE : KN_ABOVE_UNKNOWN;
}

static void
close_dear(kn_cover *s, kn_search_env *env)
{
    if (!kn_loss_less(kn_env_best(env), s->closed_at))
        return;
    s->closed_at = kn_env_best(env);
    kn_open_close_dear(&s->open, s->closed_at);
}

kanon_status
kn_cover_init(kn_cover *s, kn_search_env *env)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    kanon_ctx        *ctx = kn_env_ctx(env);
    size_t            room = l->n > KN_COVER_CHAINS ? l->n : KN_COVER_CHAINS;

    s->open.ctx = ctx;
    s->node = KN_NEW_ARRAY(ctx, uint8_t, l->n);
    s->walk = KN_NEW_ARRAY(ctx, uint8_t, l->n);
    s->chains = KN_NEW_ARRAY(ctx, uint8_t, KN_COVER_CHAINS * l->n);
    s->nodes = KN_NEW_ARRAY(ctx, uint8_t, room * l->n);
    s->scores = KN_NEW_ARRAY(ctx, kn_score, room);
    s->raised = KN_NEW_ARRAY(ctx, size_t, room);
    if (!s->node || !s->walk || !s->chains || !s->nodes || !s->scores || !s->raised)
        return kn_fail_nomem(ctx);
    KN_TRY(kn_open_init(&s->open, ctx, l, kn_env_meter(env)));
    s->height = (unsigned) s->open.nheights - 1;
    s->closed_at = 1e300;
    memcpy(s->walk, l->top, l->n);
    KN_TRY(kn_env_check(env, s->walk, &s->walk_score));
    s->steady = kn_privacy_monotone(kn_env_privacy(env));
    kn_open_close(&s->open, l->top, above(s, &s->walk_score));
    s->walking = s->walk_score.feasible;
    close_dear(s, env); /* others may have found a good node */
out:
    return rc;
}

void
kn_cover_fini(kn_cover *s)
{
    kanon_ctx *ctx = s->open.ctx;

    if (!ctx)
        return;
    kn_free(ctx, s->node);
    kn_free(ctx, s->walk);
    kn_free(ctx, s->chains);
    kn_free(ctx, s->nodes);
    kn_free(ctx, s->scores);
    kn_free(ctx, s->raised);
    kn_open_fini(&s->open);
}

/* raised: the quasi-identifier by whose last level an infeasible node became this one; SIZE_MAX: none */
static void
gather(kn_cover *s, const kn_lattice *l, const uint8_t *node, size_t raised)
{
    s->raised[s->count] = raised;
    memcpy(s->nodes + s->count++ * l->n, node, l->n);
}

/* Looks at what was gathered, and closes what that decides. A node that stayed without an answer for want of
 * time ends the search without a proof, whatever is closed here. */
static kanon_status
look(kn_cover *s, kn_search_env *env)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);

    for (size_t at = 0; at < s->count; at += KN_COVER_CHAINS)
        KN_TRY(kn_env_check_many(env, s->nodes + at * l->n,
                                 s->count - at < KN_COVER_CHAINS ? s->count - at : KN_COVER_CHAINS,
                                 s->scores + at));
    for (size_t i = 0; i < s->count; i++) {
        const uint8_t *node = s->nodes + i * l->n;

        if (kn_env_tag(env, node) == KN_TAG_INFEASIBLE)
            kn_open_close_below(&s->open, node, s->raised[i]);
        else /* feasible, or refused by an unsteady model */
            kn_open_close(&s->open, node, above(s, &s->scores[i]));
        if (s->scores[i].feasible && s->steady && !kn_env_monotone(env))
            kn_open_close_lossy(&s->open, node, s->scores[i].outlying, kn_env_best(env));
    }
    close_dear(s, env);
out:
    return rc;
}

/* One step down of each quasi-identifier; the walk goes on where most is gained a suppressed row. */
static kanon_status
walk_on(kn_cover *s, kn_search_env *env)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    const kn_score    here = s->walk_score;
    double            most = -1;
    size_t            best = 0;

    s->count = 0;
    memcpy(s->node, s->walk, l->n);
    for (size_t i = 0; i < l->n; i++) {
        if (s->node[i] == l->floor[i])
            continue;
        s->node[i]--;
        if (kn_open_at(&s->open, s->node))
            gather(s, l, s->node, SIZE_MAX);
        s->node[i]++;
    }
    KN_TRY(look(s, env));
    for (size_t i = 0; i < s->count; i++) {
        const kn_score *score = &s->scores[i];
        double          merit;

        if (!score->feasible || !kn_loss_less(score->loss, here.loss))
            continue;
        merit = (here.loss - score->loss)
              / ((score->outlying > here.outlying ? (double) (score->outlying - here.outlying) : 0)
                 + 0.5);
        if (merit > most) {
            most = merit;
            best = i;
        }
    }
    s->walking = most >= 0;
    if (s->walking) {
        memcpy(s->walk, s->nodes + best * l->n, l->n);
        s->walk_score = s->scores[best];
    }
out:
    return rc;
}

/* Raises an infeasible node by the level under which most nodes are open. What merges many values is less
 * likely to stay infeasible. @return which it was; SIZE_MAX: it is not worth while */
static size_t
raise(const kn_cover *s, kn_search_env *env, uint8_t *node)
{
    const kn_lattice *l = kn_env_lattice(env);
    double            most = 0;
    size_t            best = l->n;

    for (size_t i = 0; i < l->n; i++) {
        uint64_t open;
        double   gain;

        if (node[i] == l->top[i])
            continue;
        gain = 1.0 / (double) kn_env_groups(env, i, node[i]);
        node[i]++;
        open = kn_open_gain(&s->open, node, i);
        gain *= (double) open * (double) kn_env_groups(env, i, node[i]);
        if (open >= GAIN_LEAST && gain > most && kn_env_tag(env, node) != KN_TAG_FEASIBLE) {
            most = gain;
            best = i;
        }
        node[i]--;
    }
    if (best == l->n)
        return SIZE_MAX;
    node[best]++;
    return best;
}

static bool
is_below_gathered(const kn_cover *s, const kn_lattice *l, const uint8_t *node)
{
    for (size_t i = 0; i < s->count; i++)
        if (kn_node_below(l->n, node, s->nodes + i * l->n))
            return true;
    return false;
}

static size_t
most_values(const kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            most = 0;

    for (size_t i = 1; i < l->n; i++)
        if (kn_env_groups(env, i, l->floor[i]) > kn_env_groups(env, most, l->floor[most]))
            most = i;
    return most;
}

/* The quasi-identifier with the most values decides how many tuples there are. A copy of the table for each
 * of its levels pays when many nodes are left. */
static void
collapse(kn_cover *s, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            most = most_values(env);

    s->collapsed = true;
    if (kn_open_below(&s->open, l->top) < COLLAPSE_LEAST)
        return;
    for (unsigned level = l->floor[most] + 1u; level <= l->top[most]; level++) {
        memcpy(s->node, l->floor, l->n);
        s->node[most] = (uint8_t) level;
        kn_env_collapse(env, s->node);
    }
}

/* The chains go on, and new ones begin at the highest open nodes. @return false: nothing is open */
static bool
gather_chains(kn_cover *s, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            word;
    unsigned          bit = 0;
    bool              first = true;

    s->count = 0;
    for (size_t i = 0; i < s->nchains; i++) {
        uint8_t *node = s->chains + i * l->n;
        size_t   raised = raise(s, env, node);

        if (raised != SIZE_MAX && !is_below_gathered(s, l, node))
            gather(s, l, node, raised);
    }
    s->nchains = 0;
    for (;;) {
        word = s->word;
        bit = 0;
        while (s->count < KN_COVER_CHAINS
               && kn_open_next(&s->open, s->height, &word, &bit, s->node)) {
            if (first)
                s->word = word;
            first = false;
            if (!is_below_gathered(s, l, s->node))
                gather(s, l, s->node, SIZE_MAX);
            bit++;
        }
        if (!first || s->count == KN_COVER_CHAINS)
            return true;
        if (s->height == 0)
            return s->count > 0;
        s->height--; /* nothing is open up here */
        s->word = 0;
    }
}

/* What is proven so far: no open node can be better than the cheapest of them. */
static void
tell_bound(kn_cover *s, kn_search_env *env)
{
    double least;

    if ((kn_env_evaluations(env) - s->told_at) * WORDS_A_LOOK < s->open.words)
        return;
    s->told_at = kn_env_evaluations(env);
    least = kn_open_least(&s->open);
    kn_env_raise(env, least < kn_env_best(env) ? least : kn_env_best(env));
}

kanon_status
kn_cover_step(kn_cover *s, kn_search_env *env, kn_step *next)
{
    kanon_status      rc = KANON_OK;
    const kn_lattice *l = kn_env_lattice(env);
    double            least = 1e300;

    if (s->walking)
        return walk_on(s, env);
    tell_bound(s, env);
    if (!s->collapsed)
        collapse(s, env);
    if (!gather_chains(s, env)) {
        kn_env_proven(env);
        *next = KN_STEP_DONE;
        return KANON_OK;
    }
    KN_TRY(look(s, env));
    for (size_t i = 0; i < s->count; i++) {
        const uint8_t *node = s->nodes + i * l->n;

        if (kn_env_tag(env, node) == KN_TAG_INFEASIBLE) {
            memcpy(s->chains + s->nchains++ * l->n, node, l->n);
        } else if (s->scores[i].feasible && kn_loss_less(s->scores[i].loss, least)) {
            least = s->scores[i].loss;
            memcpy(s->walk, node, l->n);
            s->walk_score = s->scores[i];
            s->walking = true;
        }
    }
out:
    return rc;
}

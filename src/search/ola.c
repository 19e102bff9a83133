/* SPDX-License-Identifier: Apache-2.0 */
/* ola.c -- Optimal Lattice Anonymization (El Emam et al., "A globally optimal k-anonymity method for the
 * de-identification of health data", 2009): binary search along strategy paths, with predictive tagging,
 * until all minimal feasible nodes are known; then the best of them.
 * Where we depart from the paper (more in docs/algorithms/ola.md):
 *  - The paper halves sublattices: it goes below each feasible node of the middle height and above each
 *    infeasible one. These sublattices overlap, and a node is asked for again in each. Here each path is
 *    halved by itself, as in Flash (Kohlmayer et al., 2012): from an undecided node of the least height up
 *    through undecided ones. About as many checks, and each node is asked for a few times.
 *  - A number of paths are searched side by side, so that threads have something to do.
 * Cost: a path of length p takes at most log2(p) + 1 checks. Of the nodes between, only blocks that lie
 * across the border between feasible and infeasible ones are looked into. */
#include "search/sweep.h"

enum { PATHS = 32, VISITS = 1024 };
enum { PARAM_EVALUATIONS, PARAM_MOST_NODES };

/* Place p of a path is its start after p moves; a move raises one component by one level. */
typedef struct path {
    uint8_t *start, *moves;
    size_t   from, to; /* places that are undecided: from..to-1 */
} path;

typedef struct state {
    size_t   n;
    unsigned most; /* height of the top */
    kn_scan  scan; /* below its height all is decided */
    path     paths[PATHS];
    size_t   npaths, begun; /* in this round, in all */
    uint8_t *levels;        /* the starts */
    uint8_t *moves;
    kn_sweep sweep;
} state;

static kanon_status
init(void *self, kn_search_env *env, const kn_values *values)
{
    state            *s = self;
    kanon_status      rc = KANON_OK;
    kanon_ctx        *ctx = kn_env_ctx(env);
    const kn_lattice *l = kn_env_lattice(env);
    unsigned          least;
    size_t            longest;

    KN_TRY(kn_sweep_allow(env, "ola", values->number[PARAM_MOST_NODES]));
    KN_TRY(kn_sweep_init(&s->sweep, env, PATHS));
    s->n = l->n;
    s->most = kn_node_height(s->n, l->top);
    least = kn_node_height(s->n, l->floor);
    longest = s->most - least + 1;
    kn_scan_begin(&s->scan, l->floor, l->top, least);
    s->levels = kn_alloc_array(ctx, PATHS, s->n);
    s->moves = kn_alloc_array(ctx, PATHS, longest);
    if (!s->levels || !s->moves)
        return kn_fail_nomem(ctx);
    for (size_t i = 0; i < PATHS; i++) {
        s->paths[i].start = s->levels + i * s->n;
        s->paths[i].moves = s->moves + i * longest;
    }
out:
    return rc;
}

/* Raises one component such that the node stays undecided. @return false if none can be */
static bool
climb(const state *s, kn_search_env *env, size_t turn, uint8_t *node, uint8_t *move)
{
    const kn_lattice *l = kn_env_lattice(env);

    for (size_t j = 0; j < s->n; j++) {
        size_t i = (turn + j) % s->n;

        if (node[i] == l->top[i])
            continue;
        node[i]++;
        if (kn_env_tag(env, node) == KN_TAG_UNKNOWN) {
            *move = (uint8_t) i;
            return true;
        }
        node[i]--;
    }
    return false;
}

/* A path from a node upwards. The components take turns, each path begins with another one, and so the paths
 * spread over the lattice. */
static void
begin_path(state *s, kn_search_env *env)
{
    path   *p = &s->paths[s->npaths++];
    uint8_t node[KN_QUASI_MOST];
    size_t  length = 0, turn = s->begun++;

    memcpy(p->start, s->scan.node, s->n);
    memcpy(node, s->scan.node, s->n);
    while (climb(s, env, turn, node, &p->moves[length]))
        turn = s->begun + p->moves[length++];
    p->from = 0;
    p->to = length + 1;
}

/* Begins paths from undecided nodes of one height: these do not imply each other.
 * @return false: there is none left in the lattice */
static bool
begin_paths(state *s, kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            visits = VISITS;
    kn_scan_state     found = KN_SCAN_FOUND;

    while (s->npaths < PATHS && (found = kn_scan_next(&s->scan, env, &visits)) == KN_SCAN_FOUND)
        begin_path(s, env);
    if (found != KN_SCAN_END)
        return true;
    if (s->scan.height < s->most) {
        kn_scan_begin(&s->scan, l->floor, l->top, s->scan.height + 1);
        return true;
    }
    return s->npaths > 0;
}

/* Halves a path as far as tags decide it, and gathers the middle where they do not. */
static void
halve(state *s, kn_search_env *env, path *p)
{
    while (p->from < p->to) {
        size_t  middle = p->from + (p->to - p->from) / 2;
        uint8_t node[KN_QUASI_MOST];
        kn_tag  tag;

        memcpy(node, p->start, s->n);
        for (size_t i = 0; i < middle; i++)
            node[p->moves[i]]++;
        tag = kn_env_tag(env, node);
        if (tag == KN_TAG_UNKNOWN) {
            kn_sweep_add(&s->sweep, node);
            return;
        }
        if (tag == KN_TAG_FEASIBLE)
            p->to = middle;
        else
            p->from = middle + 1;
    }
}

static kanon_status
step(void *self, kn_search_env *env, kn_step *next)
{
    state *s = self;

    if (!s->npaths && !begin_paths(s, env)) {
        /* All minimal nodes were checked. Where loss grows with the levels, the best is one of them. */
        if (kn_env_monotone(env))
            kn_env_proven(env);
        *next = KN_STEP_DONE;
        return KANON_OK;
    }
    for (size_t i = 0; i < s->npaths; i++)
        halve(s, env, &s->paths[i]);
    if (s->sweep.count == 0)
        s->npaths = 0;
    return kn_sweep_check(&s->sweep, env);
}

static void
fini(void *self, kn_search_env *env)
{
    state *s = self;

    kn_free(kn_env_ctx(env), s->levels);
    kn_free(kn_env_ctx(env), s->moves);
    kn_sweep_fini(&s->sweep, env);
}

static const kanon_param params[] = {
    { "max-evaluations", "integer", 1, 1e15, "1e15", "maximum number of checks" },
    { "max-nodes", "number", 1, 1e15, "1e10",
      "without a limit on time or checks, refuse lattices with more nodes than this" },
    { NULL, NULL, 0, 0, NULL, NULL },
};

const kn_search_class kn_search_ola = {
    { "ola", "OLA: all minimal nodes by bisecting paths, then the best of them",
      "docs/algorithms/ola.md", KANON_TRAIT_EXACT | KANON_TRAIT_ANYTIME | KANON_TRAIT_MONOTONE,
      params, "log" },
    sizeof(state),
    init,
    step,
    fini,
};

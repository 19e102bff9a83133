/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c -- batches of undecided nodes, and how to find such nodes without looking at all the others. */
#include "search/sweep.h"

kanon_status
kn_sweep_allow(kn_search_env *env, const char *name, double most)
{
    const kn_lattice *l = kn_env_lattice(env);
    double            nodes = kn_lattice_nodes(l->n, l->floor, l->top);

    if (nodes <= most || kn_env_limited(env))
        return KANON_OK;
    return kn_fail(kn_env_ctx(env), KANON_E_INVALID,
                   "%s: %.3g nodes are more than max-nodes (%.3g); use --algorithm auto, or "
                   "--time-limit SECONDS for the best node found by then",
                   name, nodes, most);
}

kanon_status
kn_sweep_init(kn_sweep *sweep, kn_search_env *env, size_t room)
{
    sweep->n = kn_env_lattice(env)->n;
    sweep->nodes = kn_alloc_array(kn_env_ctx(env), room, sweep->n);
    sweep->scores = KN_NEW_ARRAY(kn_env_ctx(env), kn_score, room);
    return sweep->nodes && sweep->scores ? KANON_OK : kn_fail_nomem(kn_env_ctx(env));
}

void
kn_sweep_fini(kn_sweep *sweep, kn_search_env *env)
{
    kn_free(kn_env_ctx(env), sweep->nodes);
    kn_free(kn_env_ctx(env), sweep->scores);
}

void
kn_sweep_close(void *state, kn_search_env *env)
{
    kn_sweep_fini(state, env);
}

void
kn_sweep_add(kn_sweep *sweep, const uint8_t *node)
{
    memcpy(sweep->nodes + sweep->count++ * sweep->n, node, sweep->n);
}

kanon_status
kn_sweep_check(kn_sweep *sweep, kn_search_env *env)
{
    sweep->checked = sweep->count;
    sweep->count = 0;
    return kn_env_check_many(env, sweep->nodes, sweep->checked, sweep->scores);
}

/* --- the scan -------------------------------------------------------------------------------------- */

void
kn_scan_begin(kn_scan *scan, const uint8_t *low, const uint8_t *high, unsigned height)
{
    assert(low && high);
    scan->low = low;
    scan->high = high;
    scan->height = height;
    scan->inside = false;
}

static unsigned
smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The nodes that share their first components with the one where the scan stands are a block. All of them lie
 * below their maximum and above their minimum, and if the maximum is infeasible, or the minimum feasible,
 * all of them are. Finds the largest such block and goes to its last node. */
static void
pass_block(kn_scan *scan, kn_search_env *env, kn_tag tag)
{
    const uint8_t *low = scan->low, *high = scan->high;
    size_t         n = kn_env_lattice(env)->n, from = n;
    unsigned       above = 0, room = 0; /* of the components that differ in the block, together */
    uint8_t        end[KN_QUASI_MOST];

    memcpy(end, scan->node, n);
    while (from > 0) {
        unsigned up = above + scan->node[from - 1] - low[from - 1],
                 space = room + high[from - 1] - low[from - 1];

        for (size_t j = from - 1; j < n; j++) {
            unsigned own = (unsigned) (high[j] - low[j]);

            end[j] = tag == KN_TAG_FEASIBLE ? (uint8_t) (high[j] - smaller(own, space - up))
                                            : (uint8_t) (low[j] + smaller(own, up));
        }
        if (from < n && kn_env_tag(env, end) != tag) /* from == n: the node by itself */
            break;
        from--;
        above = up;
        room = space;
    }
    for (size_t j = from; j < n; j++) {
        unsigned own = smaller((unsigned) (high[j] - low[j]), above);

        scan->node[j] = (uint8_t) (low[j] + own);
        above -= own;
    }
}

kn_scan_state
kn_scan_next(kn_scan *scan, kn_search_env *env, size_t *visits)
{
    size_t n = kn_env_lattice(env)->n;

    while (*visits) {
        kn_tag tag;

        --*visits;
        scan->inside = scan->inside
                         ? kn_node_next(n, scan->low, scan->high, scan->node)
                         : kn_node_first(n, scan->low, scan->high, scan->height, scan->node);
        if (!scan->inside)
            return KN_SCAN_END;
        tag = kn_env_tag(env, scan->node);
        if (tag == KN_TAG_UNKNOWN)
            return KN_SCAN_FOUND;
        pass_block(scan, env, tag);
    }
    return KN_SCAN_PAUSED;
}

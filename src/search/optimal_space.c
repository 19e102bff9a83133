/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_space.c -- the lattice as `optimal` sees it: without quasi-identifiers that cannot move, and
 * without levels whose classes on this table are those of the level below, which cost no less. */
#include "search/optimal.h"

/* The levels worth taking of one quasi-identifier. @return how many */
static size_t
steps_of(const kn_search_env *env, size_t quasi, uint8_t *levels)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            count = 1;

    levels[0] = l->floor[quasi];
    for (unsigned level = l->floor[quasi] + 1u; level <= l->top[quasi]; level++)
        if (kn_env_groups(env, quasi, level) < kn_env_groups(env, quasi, levels[count - 1]))
            levels[count++] = (uint8_t) level;
    return count;
}

static void
fill_axis(kn_opt_space *s, const kn_search_env *env, size_t quasi, const uint8_t *levels,
          size_t count)
{
    const kn_meter *meter = kn_env_meter(env);

    s->still[quasi] = levels[0];
    if (count == 1) {
        s->rest_term += kn_meter_term(meter, quasi, levels[0]);
        s->rest_lost += kn_meter_lost(meter, quasi, levels[0]);
        return;
    }
    s->quasi[s->n] = quasi;
    s->first[s->n] = s->rows;
    s->top[s->n++] = (uint8_t) (count - 1);
    for (size_t i = 0; i < count; i++) {
        s->level[s->rows] = levels[i];
        s->term[s->rows] = kn_meter_term(meter, quasi, levels[i]);
        s->lost[s->rows++] = kn_meter_lost(meter, quasi, levels[i]);
    }
}

kanon_status
kn_opt_space_init(kn_opt_space *s, const kn_search_env *env)
{
    const kn_lattice *l = kn_env_lattice(env);
    size_t            most = 0;
    uint8_t           levels[KN_LEVEL_MOST + 1];

    memset(s, 0, sizeof *s);
    s->ctx = kn_env_ctx(env);
    for (size_t i = 0; i < l->n; i++)
        most += (size_t) l->top[i] - l->floor[i] + 1;
    s->quasi = KN_NEW_ARRAY(s->ctx, size_t, l->n);
    s->first = KN_NEW_ARRAY(s->ctx, size_t, l->n);
    s->top = KN_NEW_ARRAY(s->ctx, uint8_t, l->n);
    s->level = KN_NEW_ARRAY(s->ctx, uint8_t, most);
    s->term = KN_NEW_ARRAY(s->ctx, double, most);
    s->lost = KN_NEW_ARRAY(s->ctx, double, most);
    if (!s->quasi || !s->first || !s->top || !s->level || !s->term || !s->lost)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < l->n; i++) {
        size_t count = steps_of(env, i, levels);

        fill_axis(s, env, i, levels, count);
    }
    return KANON_OK;
}

void
kn_opt_space_fini(kn_opt_space *s)
{
    if (!s->ctx)
        return;
    kn_free(s->ctx, s->quasi);
    kn_free(s->ctx, s->first);
    kn_free(s->ctx, s->top);
    kn_free(s->ctx, s->level);
    kn_free(s->ctx, s->term);
    kn_free(s->ctx, s->lost);
}

void
kn_opt_node(const kn_opt_space *s, const uint8_t *x, uint8_t *node)
{
    memcpy(node, s->still, sizeof s->still);
    for (size_t d = 0; d < s->n; d++)
        node[s->quasi[d]] = s->level[s->first[d] + x[d]];
}

double
kn_opt_sum(const kn_opt_space *s, const uint8_t *x, uint64_t outlying)
{
    double term = s->rest_term, lost = s->rest_lost;

    for (size_t d = 0; d < s->n; d++) {
        term += s->term[s->first[d] + x[d]];
        lost += s->lost[s->first[d] + x[d]];
    }
    return term + (double) outlying * lost;
}

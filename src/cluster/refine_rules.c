/* SPDX-License-Identifier: Apache-2.0 */
/* refine_rules.c -- what boxes of narrow lanes cost: which way each column is priced, and bins for columns
 * with more values than a lane can count. In bins a search is nearly exact: numbers of one bin count as
 * equal, categories of one bin are a group of the hierarchy and cost what it costs. */
#include "cluster/refine_rules.h"

typedef enum { NUMBER, FLAT, TABLE, ODD, WAYS } way;

static way
way_of(const kn_space_side *side)
{
    uint32_t n = side->nranks;

    if (side->numeric)
        return side->missing == KN_NO_CODE ? NUMBER : ODD;
    if (!side->table)
        return ODD;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (side->table[a * n + b] != side->table[1])
                return TABLE;
    return FLAT;
}

/* Numbers in bins of neighbours, as many in each; the missing value has one of its own, the last. */
static void
bin_numbers(const kn_space_side *side, kn_refine_rule *rule)
{
    uint32_t most = KN_LANE_MOST - 1, numbers = side->nranks - (side->missing != KN_NO_CODE);

    for (uint32_t r = 0; r < numbers; r++)
        rule->bin_of[r] = (uint32_t) ((uint64_t) r * most / numbers);
    rule->n = most;
    if (side->missing != KN_NO_CODE)
        rule->bin_of[side->missing] = rule->n++;
}

/* Categories by the groups of the lowest level that has few enough of them. */
static void
bin_groups(const kn_space_side *side, kn_refine_rule *rule)
{
    const kanon_hierarchy *h = side->hierarchy;
    size_t                 level = 1;

    while (h->levels[level].ngroups > KN_LANE_MOST)
        level++;
    rule->n = 0;
    for (uint32_t r = 0; r < side->nranks; r++) {
        uint32_t group = h->levels[level].group_of[side->code_of[r]];

        if (r > 0 && group != h->levels[level].group_of[side->code_of[r - 1]])
            rule->n++;
        rule->bin_of[r] = rule->n;
        rule->inside[rule->n] = side->groups[level][group];
    }
    rule->n++;
}

static kanon_status
make_bins(kanon_ctx *ctx, const kn_space_side *side, kn_refine_rule *rule)
{
    rule->bin_of = KN_NEW_ARRAY(ctx, uint32_t, side->nranks);
    rule->rank_of = KN_NEW_ARRAY(ctx, uint32_t, KN_LANE_MOST);
    rule->inside = KN_NEW_ARRAY(ctx, uint32_t, KN_LANE_MOST);
    rule->own = KN_NEW_ARRAY(ctx, uint32_t, KN_LANE_MOST);
    if (!rule->bin_of || !rule->rank_of || !rule->inside || !rule->own)
        return KANON_E_NOMEM;
    if (side->numeric)
        bin_numbers(side, rule);
    else
        bin_groups(side, rule);
    for (uint32_t r = side->nranks; r-- > 0;) {
        rule->rank_of[rule->bin_of[r]] = r;
        if (side->numeric)
            rule->own[rule->bin_of[r]] = side->values[r];
    }
    rule->costs = side->numeric ? rule->own : NULL;
    return KANON_OK;
}

static kanon_status
make_rule(kanon_ctx *ctx, const kn_space *space, size_t quasi, kn_refine_rule *rule)
{
    const kn_space_side *side = &space->sides[quasi];

    rule->quasi = quasi;
    rule->n = side->nranks;
    if (side->nranks > KN_LANE_MOST)
        return make_bins(ctx, side, rule);
    rule->costs = side->numeric ? side->values : side->table;
    rule->whole = side->table && side->nranks > 1 ? side->table[1] : 0;
    return KANON_OK;
}

kanon_status
kn_refine_rules_init(kn_refine_rules *rules, const kn_space *space)
{
    kanon_status rc = KANON_OK;
    size_t       ends[WAYS] = { 0 };

    memset(rules, 0, sizeof *rules);
    rules->space = space;
    for (way w = NUMBER; w < WAYS; w++) {
        for (size_t q = 0; q < space->nquasi; q++)
            if (way_of(&space->sides[q]) == w) {
                KN_TRY(make_rule(space->ctx, space, q, &rules->lane[rules->all]));
                rules->binned = rules->binned || rules->lane[rules->all].bin_of;
                rules->all++;
            }
        ends[w] = rules->all;
    }
    rules->numbers = ends[NUMBER];
    rules->flats = ends[FLAT];
    rules->tables = ends[TABLE];
out:
    if (rc < 0)
        kn_refine_rules_fini(rules);
    return rc;
}

void
kn_refine_rules_fini(kn_refine_rules *rules)
{
    if (!rules->space)
        return;
    for (size_t i = 0; i < KN_COUNT(rules->lane); i++) {
        kn_free(rules->space->ctx, rules->lane[i].bin_of);
        kn_free(rules->space->ctx, rules->lane[i].rank_of);
        kn_free(rules->space->ctx, rules->lane[i].inside);
        kn_free(rules->space->ctx, rules->lane[i].own);
    }
    memset(rules, 0, sizeof *rules);
}

uint32_t
kn_refine_rules_odd(const kn_refine_rules *rules, size_t lane, uint32_t least, uint32_t greatest)
{
    const kn_refine_rule *rule = &rules->lane[lane];
    const kn_space_side  *side = &rules->space->sides[rule->quasi];

    assert(least <= greatest);
    if (side->numeric) {
        if (greatest + 1 == rule->n)
            return least == greatest ? 0 : side->mixed;
        return rule->costs[greatest] - rule->costs[least];
    }
    if (!rule->bin_of)
        return kn_space_side_cell(side, least, greatest);
    return least == greatest
             ? rule->inside[least]
             : kn_space_side_cell(side, rule->rank_of[least], rule->rank_of[greatest]);
}

void
kn_refine_rules_lanes(const kn_refine_rules *rules, const uint32_t *ranks, kn_lane *lanes)
{
    for (size_t i = 0; i < rules->all; i++) {
        uint32_t rank = ranks[rules->lane[i].quasi];

        lanes[i] = (kn_lane) (rules->lane[i].bin_of ? rules->lane[i].bin_of[rank] : rank);
    }
}

uint32_t
kn_refine_rules_cost(const kn_refine_rules *rules, const kn_lane *least, const kn_lane *greatest)
{
    uint32_t cost = 0;

    for (size_t i = 0; i < rules->all; i++) {
        const kn_refine_rule *rule = &rules->lane[i];
        uint32_t              a = (uint32_t) least[i], b = (uint32_t) greatest[i];

        cost += i < rules->numbers ? rule->costs[b] - rule->costs[a]
              : i < rules->flats   ? (a == b ? 0 : rule->whole)
              : i < rules->tables  ? rule->costs[a * rule->n + b]
                                   : kn_refine_rules_odd(rules, i, a, b);
    }
    return cost;
}

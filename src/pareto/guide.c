/* SPDX-License-Identifier: Apache-2.0 */
/* guide.c -- candidates next to the archive: which are ruled out, and which come first. Neighbours of a
 * node: one level up or down in one column, and one up in one column with one down in another. Two things
 * are asked of a candidate. Can it belong to the front? A node between measured ones is bounded by them:
 * raising levels never lowers k, and hardly ever the other measures of privacy (a suppressed row can),
 * while the loss of its levels alone is known without a look at the data. What even that best case would
 * not bring into the archive is left out. Will it? Its values are guessed from a measured neighbour and
 * what the step between them has done elsewhere; the candidate that the archive would dominate by least,
 * or that it would not dominate by most, comes first. */
#include "pareto/guide.h"

#include <math.h>

enum {
    KNOWN_MOST = 8192,   /* measured nodes that are asked for bounds, the newest */
    SCORED_MOST = 4096,  /* candidates that are scored in a round, the newest */
    AGAINST_MOST = 1024, /* archive members that one is held against */
};

/* --- units: counts by their logarithm, cost upwards ----------------------------------------------- */

static double
unit_of(const kn_objective *o, double value)
{
    double v = o->property->info.scale[1] == 'o' ? log(value > 1e-300 ? value : 1e-300) : value;

    return kn_property_rises(o->property) ? -v : v;
}

/* --- life ----------------------------------------------------------------------------------------- */

/* A first guess: what the step does to the collisions of the column alone, as if columns were
 * independent. */
static double
collisions(const kn_front_measurer *lab, size_t quasi, unsigned level, uint64_t *groups)
{
    const kanon_hierarchy *h = lab->problem->scale->hierarchies[quasi];
    const kn_level        *l = &h->levels[level];
    const uint64_t        *rows = lab->problem->scale->value_rows[quasi];
    double                 sum = 0;

    memset(groups, 0, l->ngroups * sizeof *groups);
    for (size_t leaf = 0; leaf < h->ndata; leaf++)
        groups[l->group_of[leaf]] += rows[leaf];
    for (size_t g = 0; g < l->ngroups; g++)
        sum += (double) groups[g] * (double) groups[g];
    return sum > 1 ? log(sum) : 0;
}

static kanon_status
guess_steps(kn_guide *g)
{
    const kn_objectives *o = g->archive->objectives;
    const uint8_t       *top = g->lab->problem->lattice->top;

    for (size_t q = 0; q < g->lab->n; q++) {
        size_t    leaves = g->lab->problem->scale->hierarchies[q]->nleaves;
        uint64_t *groups = KN_NEW_ARRAY(g->lab->ctx, uint64_t, leaves + 1);

        if (!groups)
            return KANON_E_NOMEM;
        for (unsigned level = 0; level < top[q]; level++) {
            double more = collisions(g->lab, q, level + 1, groups)
                        - collisions(g->lab, q, level, groups);

            for (size_t i = 0; i < o->count; i++)
                if (o->items[i].property->info.scale[1] == 'o')
                    g->effects[(g->first[q] + level) * o->count + i] = (kn_step_effect){
                        kn_property_rises(o->items[i].property) ? -more : more, 1
                    };
        }
        kn_free(g->lab->ctx, groups);
    }
    return KANON_OK;
}

kanon_status
kn_guide_init(kn_guide *g, kn_front_measurer *lab, const kn_archive *archive)
{
    kanon_status   rc = KANON_OK;
    const uint8_t *top = lab->problem->lattice->top;
    size_t         steps = 0;

    memset(g, 0, sizeof *g);
    g->lab = lab;
    g->archive = archive;
    g->first = KN_NEW_ARRAY(lab->ctx, size_t, lab->n);
    if (!g->first)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < lab->n; q++) {
        g->first[q] = steps;
        steps += top[q];
    }
    g->effects = KN_NEW_ARRAY(lab->ctx, kn_step_effect, (steps + 1) * archive->objectives->count);
    if (!g->effects)
        return KANON_E_NOMEM;
    KN_TRY(guess_steps(g));
    KN_TRY(kn_keyset_new(lab->ctx, lab->n, &g->met));
    KN_TRY(kn_keyset_new(lab->ctx, lab->n, &g->expanded));
out:
    return rc;
}

void
kn_guide_fini(kn_guide *g)
{
    if (!g->lab)
        return;
    kn_keyset_free(g->met);
    kn_keyset_free(g->expanded);
    kn_free(g->lab->ctx, g->first);
    kn_free(g->lab->ctx, g->effects);
    kn_free(g->lab->ctx, g->open);
    kn_free(g->lab->ctx, g->score);
}

/* --- bounds --------------------------------------------------------------------------------------- */

/* The best that the levels alone leave possible. */
static void
begin_case(const kn_guide *g, const uint8_t *node, kn_point *best)
{
    const kn_objectives *objectives = g->archive->objectives;
    const kn_scale      *scale = g->lab->problem->scale;
    kn_profile           none = { 0 };
    kn_subject           subject = { scale, node, &none };

    if (g->lab->gauge.needs & KN_NEEDS_CELLS)
        kn_gauge_cells(&g->lab->gauge, node, &none.cells, &none.plain);
    for (size_t i = 0; i < objectives->count; i++) {
        const kn_objective      *o = &objectives->items[i];
        const kn_property_class *p = o->property;

        if (p->from_levels)
            best->values[i] = p->value(&subject, NULL);
        else
            best->values[i] = kn_property_rises(p) ? p->most(scale, o->domain) : 0;
    }
}

/* What rises with the levels is at a node no more than at one above it, and no less than at one below. */
static void
narrow(const kn_objectives *objectives, const kn_point *known, bool above, kn_point *best)
{
    for (size_t i = 0; i < objectives->count; i++) {
        const kn_property_class *p = objectives->items[i].property;
        double                   value = known->values[i];
        bool                     at_most = (p->trend == KN_TREND_UP) == above;

        if (p->trend == KN_TREND_NONE || p->from_levels || at_most != kn_property_rises(p))
            continue;
        if (at_most ? value < best->values[i] : value > best->values[i])
            best->values[i] = value;
    }
}

/* Would the archive turn a node away even in the best case? */
static bool
is_excluded(const kn_guide *g, const uint8_t *node)
{
    const kn_objectives *objectives = g->archive->objectives;
    size_t               n = g->lab->n, count = g->lab->count;
    kn_point             best;

    begin_case(g, node, &best);
    for (size_t i = count > KNOWN_MOST ? count - KNOWN_MOST : 0; i < count; i++) {
        const kn_point *known = g->lab->points[i];

        if (kn_node_below(n, node, known->levels))
            narrow(objectives, known, true, &best);
        else if (kn_node_below(n, known->levels, node))
            narrow(objectives, known, false, &best);
    }
    kn_point_place(objectives, &best);
    for (size_t a = 0; a < g->archive->count; a++)
        if (kn_point_covers(objectives, g->archive->points[a], &best))
            return true;
    return false;
}

/* --- guesses -------------------------------------------------------------------------------------- */

static double
effect(const kn_guide *g, size_t quasi, unsigned level, size_t objective)
{
    const kn_step_effect
        *e = &g->effects[(g->first[quasi] + level) * g->archive->objectives->count + objective];

    return e->count > 0 ? e->sum / e->count : 0;
}

static void
learn_step(kn_guide *g, const kn_point *low, const kn_point *high, size_t quasi)
{
    const kn_objectives *o = g->archive->objectives;

    for (size_t i = 0; i < o->count; i++) {
        kn_step_effect *e = &g->effects[(g->first[quasi] + low->levels[quasi]) * o->count + i];

        e->sum += unit_of(&o->items[i], high->values[i]) - unit_of(&o->items[i], low->values[i]);
        e->count++;
    }
}

/* Measured nodes one step apart tell what that step does. */
static void
learn(kn_guide *g)
{
    const uint8_t *top = g->lab->problem->lattice->top;
    uint8_t        node[KN_QUASI_MOST];

    for (; g->learned < g->lab->count; g->learned++) {
        const kn_point *p = g->lab->points[g->learned];
        size_t          other;

        memcpy(node, p->levels, g->lab->n);
        for (size_t q = 0; q < g->lab->n; q++) {
            if (p->levels[q] < top[q]) {
                node[q]++;
                other = kn_front_measurer_find(g->lab, node);
                if (other < g->learned)
                    learn_step(g, p, g->lab->points[other], q);
                node[q]--;
            }
            if (p->levels[q] > 0) {
                node[q]--;
                other = kn_front_measurer_find(g->lab, node);
                if (other < g->learned)
                    learn_step(g, g->lab->points[other], p, q);
                node[q]++;
            }
        }
    }
}

/* Adds what a measured neighbour says, if there is one there. */
static void
ask_neighbour(const kn_guide *g, const uint8_t *node, size_t quasi, bool above, double *units,
              double *said)
{
    const kn_objectives *o = g->archive->objectives;
    size_t               number = kn_front_measurer_find(g->lab, node);

    if (number == SIZE_MAX)
        return;
    for (size_t i = 0; i < o->count; i++) {
        double unit = unit_of(&o->items[i], g->lab->points[number]->values[i]);

        units[i] += above ? unit - effect(g, quasi, node[quasi] - 1u, i)
                          : unit + effect(g, quasi, node[quasi], i);
    }
    ++*said;
}

/* The values of a node in units, from its measured neighbours; false: it has none. */
static bool
guess(const kn_guide *g, const uint8_t *at, double *units)
{
    const kn_objectives *o = g->archive->objectives;
    const uint8_t       *top = g->lab->problem->lattice->top;
    const uint8_t       *low = g->lab->problem->lattice->low;
    uint8_t              node[KN_QUASI_MOST];
    double               said = 0;

    memset(units, 0, o->count * sizeof *units);
    memcpy(node, at, g->lab->n);
    for (size_t q = 0; q < g->lab->n; q++) {
        if (at[q] < top[q]) {
            node[q]++;
            ask_neighbour(g, node, q, true, units, &said);
            node[q]--;
        }
        if (at[q] > low[q]) {
            node[q]--;
            ask_neighbour(g, node, q, false, units, &said);
            node[q]++;
        }
    }
    for (size_t i = 0; i < o->count && said > 0; i++)
        units[i] /= said;
    return said > 0;
}

/* By how much the archive would dominate it, as a share of the archive's extent; negative: it would not. */
static double
score_of(const kn_guide *g, const uint8_t *node)
{
    const kn_objectives *o = g->archive->objectives;
    double               units[KN_OBJECTIVES_MOST], worst = -INFINITY;
    size_t               step = g->archive->count / AGAINST_MOST + 1;

    if (!guess(g, node, units))
        return 1;
    for (size_t a = 0; a < g->archive->count; a += step) {
        double least = INFINITY;

        for (size_t i = 0; i < o->count; i++) {
            double more = (units[i] - unit_of(&o->items[i], g->archive->points[a]->values[i]))
                        / g->ranges[i];

            least = more < least ? more : least;
        }
        worst = least > worst ? least : worst;
    }
    return worst;
}

static void
find_ranges(kn_guide *g)
{
    const kn_objectives *o = g->archive->objectives;

    for (size_t i = 0; i < o->count; i++) {
        double least = INFINITY, most = -INFINITY;

        for (size_t a = 0; a < g->archive->count; a++) {
            double unit = unit_of(&o->items[i], g->archive->points[a]->values[i]);

            least = unit < least ? unit : least;
            most = unit > most ? unit : most;
        }
        g->ranges[i] = most > least ? most - least : 1;
    }
}

/* --- candidates ----------------------------------------------------------------------------------- */

kanon_status
kn_guide_suggest(kn_guide *g, const uint8_t *node)
{
    kanon_status rc = KANON_OK;
    size_t       n = g->lab->n, before = kn_keyset_count(g->met), number;
    void        *open = g->open, *score = g->score;

    if (kn_front_measurer_find(g->lab, node) != SIZE_MAX)
        return KANON_OK;
    KN_TRY(kn_keyset_add(g->met, node, &number));
    if (number < before)
        return KANON_OK;
    if (is_excluded(g, node)) {
        g->ruled_out++;
        return KANON_OK;
    }
    KN_TRY(kn_grow(g->lab->ctx, &open, &g->open_room, (g->nopen + 1) * n, 1));
    g->open = open;
    KN_TRY(kn_grow(g->lab->ctx, &score, &g->score_room, g->nopen + 1, sizeof *g->score));
    g->score = score;
    memcpy(g->open + g->nopen++ * n, node, n);
out:
    return rc;
}

/* One up or down in column i, and one up there with one down in column j. */
static kanon_status
expand(kn_guide *g, const uint8_t *from)
{
    kanon_status   rc = KANON_OK;
    const uint8_t *top = g->lab->problem->lattice->top;
    const uint8_t *low = g->lab->problem->lattice->low;
    size_t         n = g->lab->n;
    uint8_t        node[KN_QUASI_MOST];

    memcpy(node, from, n);
    for (size_t i = 0; i < n; i++) {
        if (from[i] < top[i]) {
            node[i]++;
            KN_TRY(kn_guide_suggest(g, node));
            for (size_t j = 0; j < n; j++)
                if (j != i && from[j] > low[j]) {
                    node[j]--;
                    KN_TRY(kn_guide_suggest(g, node));
                    node[j]++;
                }
            node[i]--;
        }
        if (from[i] > low[i]) {
            node[i]--;
            KN_TRY(kn_guide_suggest(g, node));
            node[i]++;
        }
    }
out:
    return rc;
}

kanon_status
kn_guide_update(kn_guide *g)
{
    kanon_status rc = KANON_OK;

    learn(g);
    find_ranges(g);
    for (size_t a = 0; a < g->archive->count; a++) {
        size_t before = kn_keyset_count(g->expanded), number;

        KN_TRY(kn_keyset_add(g->expanded, g->archive->points[a]->levels, &number));
        if (number == before)
            KN_TRY(expand(g, g->archive->points[a]->levels));
    }
out:
    return rc;
}

static void
drop(kn_guide *g, size_t at)
{
    size_t n = g->lab->n;

    g->nopen--;
    memmove(g->open + at * n, g->open + g->nopen * n, n);
    g->score[at] = g->score[g->nopen];
}

size_t
kn_guide_take(kn_guide *g, uint8_t *nodes, size_t most)
{
    size_t n = g->lab->n, taken = 0, from;

    assert(nodes || !most);
    for (size_t i = g->nopen; i-- > 0;) {
        if (kn_front_measurer_find(g->lab, g->open + i * n) == SIZE_MAX
            && !is_excluded(g, g->open + i * n))
            continue;
        g->ruled_out += kn_front_measurer_find(g->lab, g->open + i * n) == SIZE_MAX;
        drop(g, i);
    }
    from = g->nopen > SCORED_MOST ? g->nopen - SCORED_MOST : 0;
    for (size_t i = from; i < g->nopen; i++)
        g->score[i] = score_of(g, g->open + i * n);
    for (; taken < most && g->nopen > from; taken++) {
        size_t best = from;

        for (size_t i = from; i < g->nopen; i++)
            if (g->score[i] < g->score[best])
                best = i;
        memcpy(nodes + taken * n, g->open + best * n, n);
        drop(g, best);
    }
    return taken;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* front.c -- the registry of ways to find a front, and what `auto` takes. */
#include "pareto/front.h"

static const kn_front_class *const all[] = { &kn_front_exact, &kn_front_pbg_ea };

static const kanon_param none[] = { { NULL, NULL, 0, 0, NULL, NULL } };

static const kanon_algorithm auto_info = {
    "auto", "exact if the lattice allows it, pbg-ea otherwise", "docs/PARETO.md", 0, none, NULL
};

const kn_front_class *
kn_front_at(size_t index)
{
    return index < KN_COUNT(all) ? all[index] : NULL;
}

const kn_front_class *
kn_front_find(const char *name)
{
    for (size_t i = 0; i < KN_COUNT(all); i++)
        if (strcmp(all[i]->info.name, name) == 0)
            return all[i];
    return NULL;
}

const kanon_algorithm *
kanon_front_algorithm_at(size_t index)
{
    if (index == 0)
        return &auto_info;
    return index <= KN_COUNT(all) ? &all[index - 1]->info : NULL;
}

/* Folding costs about 30 ns for a spot and node at the bottom and far less above; 4e9 of them are a matter
 * of seconds. The choice depends on the problem alone, never on the machine. */
static const double WORK_MOST = 4e9, NODES_MOST = 2e7;

const kn_front_class *
kn_front_auto(const kn_front_problem *p, const char **why)
{
    double nodes = kn_lattice_nodes(p->lattice->n, p->lattice->low, p->lattice->top);
    double spots = (double) p->scale->table->nentries;

    if (kn_climb_fits(p)) {
        *why = "exact: k and log both rise with the levels, so one proof per k gives the front";
        return &kn_front_exact;
    }
    if (nodes <= NODES_MOST && nodes * (spots > 1000 ? spots : 1000) <= WORK_MOST) {
        *why = "exact: the lattice is small enough to measure every node";
        return &kn_front_exact;
    }
    *why = "pbg-ea: the lattice is too large to measure every node";
    return &kn_front_pbg_ea;
}

void
kn_point_fill(const kn_front_problem *problem, const uint8_t *levels, const kn_profile *profile,
              kn_point *point)
{
    point->k = profile->k;
    point->suppressed = profile->suppressed;
    point->classes = profile->classes;
    memcpy(point->levels, levels, problem->lattice->n);
    kn_point_place(problem->objectives, point);
}

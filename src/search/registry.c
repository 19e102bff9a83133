/* registry.c -- the lattice searches. A new one: its file, and one line here. */
#include "search/search.h"

static const kn_search_class *const searches[] = {
    &kn_search_kgen,
    &kn_search_exhaustive,
    &kn_search_random,
};

const kn_search_class *
kn_search_at(size_t index)
{
    return index < KN_COUNT(searches) ? searches[index] : NULL;
}

const kn_search_class *
kn_search_find(const char *name)
{
    for (size_t i = 0; i < KN_COUNT(searches); i++)
        if (strcmp(searches[i]->info.name, name) == 0)
            return searches[i];
    return NULL;
}

/* `auto` is no search of its own: it picks one. */
static const kanon_param     no_params[] = { { NULL, NULL, 0, 0, NULL, NULL } };
static const kanon_algorithm automatic = {
    "auto",
    "picks for you: exhaustive where a proof is quick, kgen otherwise",
    "docs/algorithms/auto.md",
    KANON_TRAIT_ANYTIME,
    no_params,
};

const kanon_algorithm *
kanon_algorithm_at(size_t index)
{
    if (index == 0)
        return &automatic;
    return index - 1 < KN_COUNT(searches) ? &searches[index - 1]->info : NULL;
}

/* Exact where that takes about two seconds on one core: so many tuples looked at, and so many nodes, since
 * asking what is known of each costs the more the more nodes there are. */
static const double AUTO_EXACT_WORK = 4e8, AUTO_EXACT_NODES = 2e5;

const kn_search_class *
kn_search_auto(const kn_search_problem *problem, const char **why)
{
    const kn_lattice *l = problem->lattice;
    double            nodes = kn_lattice_nodes(l->n, l->floor, l->top);

    if (nodes <= AUTO_EXACT_NODES && nodes * (double) problem->view->ntuples <= AUTO_EXACT_WORK) {
        *why = "auto chose exhaustive: few enough nodes to prove the best one";
        return &kn_search_exhaustive;
    }
    *why = "auto chose kgen: too many nodes to look at each";
    return &kn_search_kgen;
}

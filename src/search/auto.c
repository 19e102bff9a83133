/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c -- which search suits a problem, and which cannot work with it at all. */
#include "privacy/model.h"
#include "search/search.h"

/* Every node where that takes about two seconds on one core: so many tuples looked at, and so many nodes,
 * since asking what is known of each costs the more the more nodes there are. */
static const double AUTO_EXACT_WORK = 4e8, AUTO_EXACT_NODES = 2e5;

/* A search for a proof is worth a try where its first good answers take a second or two: they come from
 * walks down, and a walk takes a few looks at the table for each level there is. */
static const double AUTO_PROOF_WORK = 2e7;
static const double AUTO_PROOF_SECONDS = 10;

static const kn_search_choice every_node = {
    &kn_search_exhaustive, 0, "auto chose exhaustive: few enough nodes to prove the optimum", ""
};
static const kn_search_choice rugged = {
    &kn_search_kgen, 0,
    "auto chose kgen: too many nodes to check each, and this metric allows no proof", ""
};
static const kn_search_choice large = {
    &kn_search_kgen, 0, "auto chose kgen: too many nodes and rows for a proof in a short time", ""
};

/* With models every node that has enough rows is grouped and judged, which takes about ten times as long as
 * counting. */
static const double AUTO_JUDGED_WORK = 4e7;

static const kn_search_choice judged = { &kn_search_kgen, 0,
                                         "auto chose kgen: too many nodes to check each against "
                                         "the privacy models, and optimal cannot check them",
                                         "" };

static bool
has_models(const kn_search_problem *problem)
{
    return problem->privacy && problem->privacy->nmodels;
}

kanon_status
kn_search_allow(const kn_search_class *search, const kn_search_problem *problem)
{
    const kn_model *unsteady = kn_privacy_unsteady(problem->privacy);
    bool            by_suppression = unsteady && kn_model_monotone(unsteady->class, 0);

    if (search == &kn_search_optimal && problem->privacy->nmodels)
        return kn_fail(problem->ctx, KANON_E_INVALID,
                       "optimal only counts rows and cannot check %s; use --algorithm exhaustive, "
                       "kgen, ga, tabu, ga-tabu or auto",
                       problem->privacy->models[0]->class->name);
    if ((search->info.traits & KANON_TRAIT_MONOTONE) && unsteady)
        return kn_fail(problem->ctx, KANON_E_INVALID,
                       "%s needs a monotone privacy model, and %s%s is not monotone; use "
                       "--algorithm exhaustive, kgen, ga, tabu, ga-tabu or auto%s",
                       search->info.name, by_suppression ? "with suppression " : "",
                       unsteady->class->name, by_suppression ? ", or --suppression 0" : "");
    return KANON_OK;
}

kn_search_choice
kn_search_auto(const kn_search_problem *problem)
{
    const kn_lattice *l = problem->lattice;
    double            tuples = (double) problem->view->ntuples;
    double            nodes = kn_lattice_nodes(l->n, l->floor, l->top);
    double levels = (double) (kn_node_height(l->n, l->top) - kn_node_height(l->n, l->floor));

    if (nodes <= AUTO_EXACT_NODES
        && nodes * tuples <= (has_models(problem) ? AUTO_JUDGED_WORK : AUTO_EXACT_WORK))
        return every_node;
    if (has_models(problem))
        return judged;
    if (!kn_metric_additive(problem->metric))
        return rugged;
    if (levels * tuples > AUTO_PROOF_WORK)
        return large;
    return (kn_search_choice){
        &kn_search_optimal, AUTO_PROOF_SECONDS,
        "auto chose optimal: too many nodes to check each, but maybe not too many to prove the "
        "optimum",
        "auto chose optimal; 10 s were not enough for a proof, so the result depends on the "
        "machine; --param max-evaluations=N makes it reproducible"
    };
}

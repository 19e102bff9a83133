/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c -- which search suits a problem, and which cannot work with it at all. */
#include "privacy/model.h"
#include "search/search.h"

/* All figures are counts, never seconds: the same input gets the same answer on every machine. A look at the
 * data costs about two nanoseconds for each tuple; where models judge the classes, five to ten times that. */

/* Every node, without a budget: so many tuples looked at, and so many nodes, since asking what is known of
 * each costs the more the more nodes there are. */
static const double EXACT_WORK = 4e8, EXACT_NODES = 2e5;

/* A search for a proof by bounds: its first good answers come from walks down, and a walk takes a few looks
 * at the table for each level there is; then what it may take in all, about ten seconds. */
static const double WALK_WORK = 2e7, PROOF_WORK = 4e9;

/* Where kgen is the alternative, every node may take what kgen takes, or about two seconds. Of nodes that
 * monotonicity decides, few are looked at; otherwise most of them are. */
static const double KGEN_LOOKS = 5000, COUNTED_WORK = 1e9, JUDGED_WORK = 2e8;
static const double REACH_STEADY = 1e6, REACH_UNSTEADY = 2; /* nodes; nodes for each look */

static const kn_search_choice every_node = {
    &kn_search_exhaustive, 0, NULL, "auto chose exhaustive: few enough nodes to prove the optimum",
    ""
};
static const kn_search_choice first_every_node = {
    &kn_search_exhaustive, 0, &kn_search_kgen,
    "auto chose exhaustive: the proof takes about as long as a search without one",
    "auto chose kgen: as many checks as it takes were not enough for a proof"
};
static const kn_search_choice by_bounds = {
    &kn_search_optimal, 0, NULL,
    "auto chose optimal: too many nodes to check each, but maybe not too many to prove the optimum",
    "auto chose optimal, whose budget was not enough for a proof; --time-limit SECONDS or --param "
    "max-evaluations=N sets another one"
};
static const kn_search_choice judged = { &kn_search_kgen, 0, NULL,
                                         "auto chose kgen: too many nodes to check enough of them "
                                         "against the privacy models for a proof",
                                         "" };
static const kn_search_choice rugged = {
    &kn_search_kgen, 0, NULL,
    "auto chose kgen: too many nodes to check each, and this metric allows no proof", ""
};
static const kn_search_choice large = {
    &kn_search_kgen, 0, NULL,
    "auto chose kgen: too many nodes and rows for a proof in a short time", ""
};

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

    if ((search->info.traits & KANON_TRAIT_ROWS) && problem->privacy->nmodels)
        return kn_fail(problem->ctx, KANON_E_INVALID,
                       "%s only counts rows and cannot check %s; use --algorithm exhaustive, "
                       "kgen, ga, tabu, ga-tabu or auto",
                       search->info.name, problem->privacy->models[0]->class->name);
    if ((search->info.traits & KANON_TRAIT_MONOTONE) && unsteady)
        return kn_fail(problem->ctx, KANON_E_INVALID,
                       "%s needs a monotone privacy model, and %s%s is not monotone; use "
                       "--algorithm exhaustive, kgen, ga, tabu, ga-tabu or auto%s",
                       search->info.name, by_suppression ? "with suppression " : "",
                       unsteady->class->name, by_suppression ? ", or --suppression 0" : "");
    return KANON_OK;
}

static kn_search_choice
within(kn_search_choice choice, double evaluations)
{
    choice.most_evaluations = (uint64_t) evaluations;
    return choice;
}

kn_search_choice
kn_search_auto(const kn_search_problem *problem)
{
    const kn_lattice *l = problem->lattice;
    bool              models = has_models(problem), additive = kn_metric_additive(problem->metric);
    double            tuples = problem->view->ntuples ? (double) problem->view->ntuples : 1;
    double            nodes = kn_lattice_nodes(l->n, l->floor, l->top);
    double levels = (double) (kn_node_height(l->n, l->top) - kn_node_height(l->n, l->floor));
    double looks = (models ? JUDGED_WORK : COUNTED_WORK) / tuples;

    if (!models && nodes <= EXACT_NODES && nodes * tuples <= EXACT_WORK)
        return every_node;
    if (!models && additive && levels * tuples <= WALK_WORK)
        return within(by_bounds, PROOF_WORK / tuples);
    looks = looks < KGEN_LOOKS ? KGEN_LOOKS : looks;
    if (nodes <= looks)
        return every_node;
    if (nodes <= (!models || kn_privacy_monotone(problem->privacy) ? REACH_STEADY
                                                                   : REACH_UNSTEADY * looks))
        return within(first_every_node, looks);
    return models ? judged : additive ? large : rugged;
}

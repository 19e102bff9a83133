/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c -- every algorithm: a new one is its file, and one line here. */
#include "algorithm/algorithm.h"
#include "base/text.h"

static kanon_status
run_search(const kn_algorithm *self, const kn_search_problem *problem, kn_outcome *out)
{
    return kn_search_run(self->method, problem, out);
}

static kanon_status
run_clusterer(const kn_algorithm *self, const kn_search_problem *problem, kn_outcome *out)
{
    return kn_cluster_run(self->method, problem, out);
}

#define SEARCH(name)                                                                               \
    {                                                                                              \
        &kn_search_##name.info, &kn_recoding_levels, NULL, run_search, &kn_search_##name           \
    }
#define CLUSTERER(name)                                                                            \
    {                                                                                              \
        &kn_cluster_##name.info, &kn_recoding_classes, kn_space_metrics, run_clusterer,            \
            &kn_cluster_##name                                                                     \
    }

/* `auto` is no search of its own: it picks one. */
static const kanon_param     no_params[] = { { NULL, NULL, 0, 0, NULL, NULL } };
static const kanon_algorithm auto_info = {
    "auto",
    "chooses for you: exhaustive or optimal if a proof is in reach, else kgen",
    "docs/algorithms/auto.md",
    KANON_TRAIT_ANYTIME,
    no_params,
    NULL,
};

static const kn_algorithm all[] = {
    { &auto_info, &kn_recoding_levels, NULL, NULL, NULL },
    SEARCH(kgen),
    SEARCH(optimal),
    SEARCH(exhaustive),
    SEARCH(ola),
    SEARCH(incognito),
    SEARCH(samarati),
    SEARCH(datafly),
    SEARCH(random),
    SEARCH(ga),
    SEARCH(tabu),
    SEARCH(ga_tabu),
    CLUSTERER(kab),
    CLUSTERER(mondrian),
    CLUSTERER(k_members),
    CLUSTERER(oka),
    CLUSTERER(ika),
    CLUSTERER(bha),
};

const kn_algorithm *
kn_algorithm_at(size_t index)
{
    return index < KN_COUNT(all) ? &all[index] : NULL;
}

const kn_algorithm *
kn_algorithm_find(const char *name)
{
    for (size_t i = 0; i < KN_COUNT(all); i++)
        if (strcmp(all[i].info->name, name) == 0)
            return &all[i];
    return NULL;
}

const kanon_algorithm *
kanon_algorithm_at(size_t index)
{
    return index < KN_COUNT(all) ? all[index].info : NULL;
}

kn_algorithm
kn_algorithm_of_search(const kn_search_class *search)
{
    return (kn_algorithm){ &search->info, &kn_recoding_levels, NULL, run_search, search };
}

kn_algorithm_choice
kn_algorithm_choose(const kn_algorithm *asked, const kn_search_problem *problem)
{
    kn_search_choice choice;

    if (asked->run)
        return (kn_algorithm_choice){ asked, 0, NULL, "", "" };
    choice = kn_search_auto(problem);
    return (kn_algorithm_choice){ kn_algorithm_find(choice.search->info.name),
                                  choice.most_evaluations,
                                  choice.then ? kn_algorithm_find(choice.then->info.name) : NULL,
                                  choice.why, choice.why_late };
}

kanon_status
kn_algorithm_allow(kanon_ctx *ctx, const kn_algorithm *a, const kn_metric_class *metric)
{
    kanon_status rc;
    kn_text      list;

    for (size_t i = 0; !a->metrics || a->metrics[i]; i++)
        if (!a->metrics || a->metrics[i] == metric)
            return KANON_OK;
    kn_text_init(&list, ctx);
    for (size_t i = 0; a->metrics[i]; i++)
        kn_text_addf(&list, "%s%s",
                     i == 0              ? ""
                     : a->metrics[i + 1] ? ", "
                                         : " or ",
                     a->metrics[i]->info.name);
    rc = kn_text_status(&list);
    if (rc == KANON_OK)
        rc = kn_fail(ctx, KANON_E_INVALID,
                     "metric: %s is local recoding, which cannot minimise %s; use %s (all metrics "
                     "are measured and reported)",
                     a->info->name, metric->info.name, list.ptr);
    kn_text_fini(&list);
    return rc;
}

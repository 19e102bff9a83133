/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c -- the clusterers, and the list of all algorithms. A new clusterer: its file, and one line
 * here. */
#include "cluster/cluster.h"

static const kn_cluster_class *const clusterers[] = {
    &kn_cluster_kab, &kn_cluster_mondrian, &kn_cluster_k_members,
    &kn_cluster_oka, &kn_cluster_ika,      &kn_cluster_bha,
};

const kn_cluster_class *
kn_cluster_at(size_t index)
{
    return index < KN_COUNT(clusterers) ? clusterers[index] : NULL;
}

const kn_cluster_class *
kn_cluster_find(const char *name)
{
    for (size_t i = 0; i < KN_COUNT(clusterers); i++)
        if (strcmp(clusterers[i]->info.name, name) == 0)
            return clusterers[i];
    return NULL;
}

const kanon_algorithm *
kanon_algorithm_at(size_t index)
{
    const kn_cluster_class *clusterer;
    size_t                  nsearches = 0;

    if (index == 0)
        return &kn_algorithm_auto;
    while (kn_search_at(nsearches))
        nsearches++;
    if (index - 1 < nsearches)
        return &kn_search_at(index - 1)->info;
    clusterer = kn_cluster_at(index - 1 - nsearches);
    return clusterer ? &clusterer->info : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* sets.c -- sets of quasi-identifiers that could be kept where all of them together are too many. Their
 * figures are those of full-domain recoding, also in a job with local recoding, which would have to be run
 * for each. */
#include "anonymize/job.h"
#include "search/column_sets.h"

static kanon_status
take_set(const kn_job *job, const kn_column_set *found, kn_arena *arena, kn_kept_set *set)
{
    const kn_learned *learned = job->problem.learned;
    const kn_lattice *lattice = &job->problem.lattice;

    *set = (kn_kept_set){ .columns = kn_arena_alloc(arena, found->ncolumns * sizeof *set->columns),
                          .kept = found->kept,
                          .kept_of_all = found->kept_of_all,
                          .suppressed = found->suppressed };
    if (!set->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < lattice->n; i++) {
        kn_kept_column *column = &set->columns[set->ncolumns];

        if (found->levels[i] == lattice->top[i])
            continue;
        assert(set->ncolumns < found->ncolumns);
        column->name = kn_arena_text(arena,
                                     kn_str_of(learned->names[learned->columns[i].position]));
        column->has_level = true;
        column->level = found->levels[i];
        column->kept = found->detail[i];
        if (!column->name)
            return KANON_E_NOMEM;
        set->ncolumns++;
    }
    return KANON_OK;
}

kanon_status
kn_job_column_sets(const kn_job *job, uint64_t most_evaluations, kn_arena *arena, kn_kept_sets *out)
{
    kanon_status      rc = KANON_OK;
    kn_search_problem p = kn_job_search_problem(job);
    bool              known = job->found.feasible && job->algorithm->recoding->has_levels;
    kn_column_sets   *found = KN_NEW(job->ctx, kn_column_sets);

    *out = (kn_kept_sets){ NULL, 0 };
    KN_TRY(KN_HAVE(found));
    KN_TRY(kn_column_sets_find(&p, known ? job->found.levels : NULL, most_evaluations, found));
    out->of = kn_arena_alloc(arena, (found->count + 1) * sizeof *out->of);
    KN_TRY(KN_HAVE(out->of));
    for (; out->count < found->count; out->count++)
        KN_TRY(take_set(job, &found->sets[out->count], arena, &out->of[out->count]));
out:
    kn_free(job->ctx, found);
    return rc;
}

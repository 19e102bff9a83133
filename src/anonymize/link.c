/* SPDX-License-Identifier: Apache-2.0 */
/* link.c -- which columns the sample of a release has: the quasi-identifiers in their original form, since
 * that is what an attacker knows, and all that are released beside them. */
#include "anonymize/job.h"

enum { FURTHER_MOST = 256 };

/* Columns that are released as they are; not the counts, which are no cells of anybody, nor pseudonyms, which
 * nobody knows of a person. */
static size_t
further_columns(const kn_job *job, size_t *positions)
{
    const kn_learned *learned = job->problem.learned;
    size_t            count = 0;

    for (size_t c = 0; c < learned->ncolumns && count < FURTHER_MOST; c++)
        if (kn_cell_shown(job->fates[c]) && c != learned->count
            && !kn_config_pseudonym(job->problem.config, kn_str_of(learned->names[c])))
            positions[count++] = c;
    return count;
}

kanon_status
kn_job_open_sample(kn_job *job)
{
    const kn_learned *learned = job->problem.learned;
    size_t            nquasi = learned->nquasi, nfurther;

    job->sample.positions = KN_NEW_ARRAY(job->ctx, size_t, nquasi + learned->ncolumns);
    if (!job->sample.positions)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < nquasi; q++)
        job->sample.positions[q] = learned->columns[q].position;
    nfurther = further_columns(job, job->sample.positions + nquasi);
    if (!nfurther || job->problem.config->unlinked)
        return KANON_OK;
    return kn_class_sample_new(job->ctx, nquasi + nfurther, KN_CLASS_SAMPLE_BYTES,
                               job->problem.config->seed, &job->sample.of);
}

kanon_status
kn_job_link(const kn_job *job, kanon_result *r)
{
    kanon_status           rc = KANON_OK;
    const kn_class_sample *sample = job->sample.of;
    kn_linkage             found = { 0 };
    kn_link_plan           plan = { .nquasi = job->problem.learned->nquasi, .k = r->k };
    uint8_t               *sensitive = NULL;
    const char           **names = NULL;

    if (!sample || !sample->rows)
        return KANON_OK;
    plan.nfurther = sample->ncells - plan.nquasi;
    sensitive = KN_NEW_ARRAY(job->ctx, uint8_t, plan.nfurther);
    names = kn_alloc_array(job->ctx, sample->ncells, sizeof *names);
    if (!sensitive || !names) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t i = 0; i < sample->ncells; i++) {
        const kn_result_attribute *a = &r->attributes[job->sample.positions[i]];

        names[i] = a->name;
        if (i >= plan.nquasi)
            sensitive[i - plan.nquasi] = a->role == KN_ROLE_SENSITIVE;
    }
    plan.sensitive = sensitive;
    KN_TRY(kn_linkage_measure(sample, &plan, &found));
    KN_TRY(kn_result_link(&r->linkage, &r->arena, &found, &plan, names));
out:
    kn_linkage_fini(job->ctx, &found);
    kn_free(job->ctx, sensitive);
    kn_free(job->ctx, (void *) names);
    return rc;
}

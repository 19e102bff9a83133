/* SPDX-License-Identifier: Apache-2.0 */
/* release.c -- the stages that write the release (second pass) and count it again as a stranger would. */
#include "anonymize/job.h"
#include "verify/verify.h"

/* What happens to each column, and where the verifier finds the quasi-identifiers and the masked ones. */
static void
plan_columns(kn_job *job, kn_claim *claim, size_t *quasi, size_t *starred)
{
    const kn_learned *learned = job->problem.learned;

    claim->count = SIZE_MAX;
    for (size_t c = 0; c < learned->ncolumns; c++) {
        if (c == learned->count)
            claim->count = claim->ncolumns;
        switch (kn_config_role(job->problem.config, kn_str_of(learned->names[c]))) {
        case KN_ROLE_QUASI:
            job->fates[c] = KN_CELL_GENERALIZE;
            quasi[claim->nquasi++] = claim->ncolumns;
            break;
        case KN_ROLE_IDENTIFIER:
            if (job->problem.config->identifiers == KN_IDENTIFIERS_DROP) {
                job->fates[c] = KN_CELL_LEAVE_OUT;
                continue;
            }
            job->fates[c] = KN_CELL_STAR;
            starred[claim->nstarred++] = claim->ncolumns;
            break;
        default:
            job->fates[c] = KN_CELL_COPY;
        }
        claim->ncolumns++;
    }
    claim->quasi = quasi;
    claim->starred = starred;
}

/* Columns of which only a sketch is known and that are copied: what they give away is watched. */
static kanon_status
watch_columns(kn_job *job, kn_release_plan *plan)
{
    const kn_learned *learned = job->problem.learned;
    size_t           *positions = KN_NEW_ARRAY(job->ctx, size_t, learned->nsketched), count = 0;
    kanon_status      rc = KANON_OK;

    if (!positions)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < learned->nsketched; i++)
        if (job->fates[learned->sketched[i]] == KN_CELL_COPY)
            positions[count++] = learned->sketched[i];
    if (count)
        rc = kn_release_watch_new(job->ctx, positions, count, &job->watch);
    plan->watch = job->watch;
    kn_free(job->ctx, positions);
    return rc;
}

static kanon_status
begin_release(kn_job *job, kn_rows_out *out)
{
    const kn_learned *learned = job->problem.learned;
    size_t            count = 0;

    job->released = KN_NEW_ARRAY(job->ctx, kn_rows_out_column, learned->ncolumns);
    if (!job->released)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < learned->ncolumns; c++)
        if (job->fates[c] != KN_CELL_LEAVE_OUT)
            job->released[count++] = (kn_rows_out_column){ kn_str_of(learned->names[c]), c,
                                                           job->fates[c], learned->places[c] };
    return out->class->begin(out, &learned->dialect, job->released, count);
}

static kanon_status
second_pass(kn_job *job, kn_rows_out *out)
{
    kanon_status      rc = KANON_OK;
    const kn_problem *p = &job->problem;
    kn_rows          *rows = NULL;
    kn_recoder       *recoder = NULL;
    kn_release_plan   plan = { .learned = p->learned,
                               .fates = job->fates,
                               .keep_order = p->config->keep_order };

    kn_hash_secret(&p->learned->secret, "kanon row order 1", p->config->seed, plan.order_key);
    KN_TRY(watch_columns(job, &plan));
    plan.mask_outlying = job->masks;
    KN_TRY(begin_release(job, out));
    KN_TRY(job->recoding->class->recoder(job->recoding, &job->grouping, out, &recoder));
    plan.recoder = recoder;
    plan.witness = job->models.witness;
    KN_TRY(kn_rows_open(p->source, job->ctx, &rows));
    KN_TRY(kn_release_write(rows, &plan, out, &job->counts));
    job->seconds.transform = job->counts.transform_s;
    job->seconds.write = job->counts.write_s;
out:
    if (recoder)
        recoder->free(recoder);
    kn_rows_close(rows);
    return rc;
}

/* The models in terms of the release's columns. places: scratch, one per column. */
static kanon_status
claim_models(kn_job *job, kn_claim *claim, size_t *places)
{
    size_t       place = 0;
    kanon_status rc;

    if (!job->problem.privacy.nmodels)
        return KANON_OK;
    for (size_t c = 0; c < job->problem.learned->ncolumns; c++) {
        places[c] = job->fates[c] == KN_CELL_COPY ? place : SIZE_MAX;
        place += job->fates[c] != KN_CELL_LEAVE_OUT;
    }
    rc = kn_job_make_rules(job, places);
    claim->rules = &job->models.shown.all;
    return rc;
}

kanon_status
kn_job_release(kn_job *job, kn_rows_out *out)
{
    kanon_status    rc = KANON_OK;
    kn_claim        claim = { 0 };
    size_t          ncolumns = job->problem.learned->ncolumns;
    size_t         *places = KN_NEW_ARRAY(job->ctx, size_t, 3 * ncolumns);
    kn_rows_source *back;
    double          start;

    job->fates = KN_NEW_ARRAY(job->ctx, kn_cell_fate, ncolumns);
    if (!places || !job->fates) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    plan_columns(job, &claim, places, places + ncolumns);
    KN_TRY(claim_models(job, &claim, places + 2 * ncolumns));
    KN_TRY(second_pass(job, out));
    start = kn_seconds();
    if (job->models.witness)
        KN_TRY(kn_witness_judge(job->models.witness));
    claim.k = job->problem.privacy.k;
    claim.masked = job->counts.masked > 0;
    claim.rows = job->counts.released + job->counts.masked;
    claim.records = job->counts.records;
    claim.classes = job->measured.after.classes + (job->counts.masked && !job->star_rows);
    KN_TRY(out->class->read_back(out, &back));
    KN_TRY(kn_verify(job->ctx, back, &claim, job->output_hash));
    if (job->counts.released + job->measured.suppressed != job->problem.learned->rows) {
        rc = kn_fail(job->ctx, KANON_E_VERIFY,
                     "rows released and suppressed do not add up to the rows read");
        goto out;
    }
    job->seconds.verify = kn_seconds() - start;
out:
    kn_free(job->ctx, places);
    return rc;
}

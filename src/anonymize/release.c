/* SPDX-License-Identifier: Apache-2.0 */
/* release.c -- the stages that write the release (second pass) and count it again as a stranger would. */
#include "anonymize/job.h"

#include <assert.h>
#include <math.h>

#include "verify/verify.h"

/* What numbers of a column may be. */
static void
claim_number(const kn_number_coding *how, size_t place, kn_shown_numbers *out)
{
    *out = (kn_shown_numbers){
        .place = place,
        .round = how->has_round ? kn_decimal_double(how->round) : 0,
        .top = how->has_top ? kn_decimal_double(how->top) : (double) INFINITY,
        .bottom = how->has_bottom ? kn_decimal_double(how->bottom) : -(double) INFINITY
    };
}

/* What happens to each column, and where the verifier finds the quasi-identifiers and the masked ones. */
static void
plan_columns(kn_job *job, kn_claim *claim, size_t *quasi, size_t *starred,
             kn_shown_numbers *numbers)
{
    const kn_learned   *learned = job->problem.learned;
    const kanon_config *config = job->problem.config;

    claim->count = SIZE_MAX;
    for (size_t c = 0; c < learned->ncolumns; c++) {
        const kn_attribute *attribute = kn_config_attribute(config, kn_str_of(learned->names[c]));

        if (c == learned->count)
            claim->count = claim->ncolumns;
        switch (kn_config_role(config, kn_str_of(learned->names[c]))) {
        case KN_ROLE_QUASI:
            job->fates[c] = KN_CELL_GENERALIZE;
            quasi[claim->nquasi++] = claim->ncolumns;
            break;
        case KN_ROLE_IDENTIFIER:
            if (attribute && attribute->pseudonym) {
                job->fates[c] = KN_CELL_CODE;
                break;
            }
            if (config->identifiers == KN_IDENTIFIERS_DROP) {
                job->fates[c] = KN_CELL_LEAVE_OUT;
                continue;
            }
            job->fates[c] = KN_CELL_STAR;
            starred[claim->nstarred++] = claim->ncolumns;
            break;
        case KN_ROLE_NONE:
            assert(config->others != KN_OTHERS_REFUSE);
            if (config->others == KN_OTHERS_DROP) {
                job->fates[c] = KN_CELL_LEAVE_OUT;
                continue;
            }
            job->fates[c] = KN_CELL_COPY;
            break;
        case KN_ROLE_SENSITIVE:
        case KN_ROLE_INSENSITIVE:
            job->fates[c] = KN_CELL_COPY;
        }
        if (attribute && kn_attribute_coded(attribute)) {
            job->fates[c] = KN_CELL_CODE;
            claim_number(&attribute->coding, claim->ncolumns, &numbers[claim->nnumbers++]);
        }
        claim->ncolumns++;
    }
    claim->quasi = quasi;
    claim->starred = starred;
    claim->numbers = numbers;
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
        if (kn_cell_shown(job->fates[learned->sketched[i]]))
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

/* Rows with a pseudonym of the first such column, which are those of a person. */
static kanon_status
open_links(kn_job *job)
{
    for (size_t c = 0; job->pseudonyms.count && c < job->problem.learned->ncolumns; c++)
        if (strcmp(job->problem.learned->names[c], job->pseudonyms.columns[0].name) == 0)
            return kn_links_new(job->ctx, c, &job->links);
    return KANON_OK;
}

/* Where the release has pseudonyms, and what they were made of. shown: room for all columns of them */
static void
claim_pseudonyms(const kn_job *job, kn_claim *claim, kn_shown_pseudonyms *shown)
{
    const kn_pseudonyms *p = &job->pseudonyms;
    size_t               place = 0;

    claim->pseudonyms = shown;
    for (size_t c = 0; c < job->problem.learned->ncolumns; c++) {
        for (size_t i = 0; i < p->count; i++)
            if (strcmp(job->problem.learned->names[c], p->columns[i].name) == 0)
                shown[claim->npseudonyms++] = (kn_shown_pseudonyms){ place, p->columns[i].read,
                                                                     p->columns[i].made,
                                                                     p->print_key };
        place += job->fates[c] != KN_CELL_LEAVE_OUT;
    }
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
                               .keep_order = p->config->keep_order,
                               .order_key = job->order_key };

    KN_TRY(watch_columns(job, &plan));
    KN_TRY(open_links(job));
    plan.links = job->links;
    KN_TRY(kn_job_open_sample(job));
    plan.sample = job->sample;
    plan.formulas = job->formulas;
    plan.mask_outlying = job->masks;
    KN_TRY(begin_release(job, out));
    KN_TRY(job->recoding->class->recoder(job->recoding, &job->grouping, out, &recoder));
    plan.recoder = recoder;
    plan.row_audit = job->models.row_audit;
    if (p->config->keep_classes)
        KN_TRY(kn_trace_new(job->ctx, p->config->keep_classes, p->learned->records, &job->trace));
    plan.trace = job->trace;
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
        places[c] = kn_cell_shown(job->fates[c]) ? place : SIZE_MAX;
        place += job->fates[c] != KN_CELL_LEAVE_OUT;
    }
    rc = kn_job_make_rules(job, places);
    claim->rules = &job->models.shown.all;
    return rc;
}

/* Labels of a column at the levels that the config allows, as the release writes them. */
static kanon_status
claim_column(const kn_job *job, size_t quasi, kn_shown *shown)
{
    const kanon_hierarchy *h = job->problem.hierarchies[quasi];
    kn_levels              allowed;
    size_t                 count = 0;
    kanon_status rc = kn_level_range(job->ctx, job->problem.attributes[quasi], h, &allowed);

    if (rc < 0)
        return rc;
    for (size_t l = allowed.low; l <= allowed.high; l++)
        count += h->levels[l].ngroups;
    shown->texts = KN_NEW_ARRAY(job->ctx, kn_str, count);
    if (!shown->texts)
        return KANON_E_NOMEM;
    for (size_t l = allowed.low; l <= allowed.high; l++) {
        memcpy(shown->texts + shown->count, h->levels[l].labels,
               h->levels[l].ngroups * sizeof *shown->texts);
        shown->count += h->levels[l].ngroups;
    }
    return KANON_OK;
}

/* What the columns with limited levels may show; free_levels() is due. */
static kanon_status
claim_levels(const kn_job *job, kn_claim *claim, kn_shown **out)
{
    kanon_status rc = KANON_OK;
    size_t       n = job->problem.learned->nquasi;

    *out = KN_NEW_ARRAY(job->ctx, kn_shown, n);
    if (!*out)
        return KANON_E_NOMEM;
    claim->shown = *out;
    for (size_t i = 0; i < n; i++)
        if (kn_levels_limited(&job->problem.attributes[i]->levels)) {
            (*out)[claim->nshown].place = claim->quasi[i];
            KN_TRY(claim_column(job, i, &(*out)[claim->nshown++]));
        }
out:
    return rc;
}

static void
free_levels(kanon_ctx *ctx, kn_shown *shown, size_t count)
{
    for (size_t i = 0; i < count; i++)
        kn_free(ctx, shown[i].texts);
    kn_free(ctx, shown);
}

kanon_status
kn_job_release(kn_job *job, kn_rows_out *out)
{
    kanon_status         rc = KANON_OK;
    kn_claim             claim = { 0 };
    size_t               ncolumns = job->problem.learned->ncolumns;
    size_t              *places = KN_NEW_ARRAY(job->ctx, size_t, 3 * ncolumns);
    kn_shown_numbers    *numbers = KN_NEW_ARRAY(job->ctx, kn_shown_numbers, ncolumns);
    kn_shown_pseudonyms *pseudonyms = KN_NEW_ARRAY(job->ctx, kn_shown_pseudonyms, ncolumns);
    kn_ruled            *ruled = NULL;
    kn_rows_source      *back;
    kn_shown            *shown = NULL;
    double               start;

    job->fates = KN_NEW_ARRAY(job->ctx, kn_cell_fate, ncolumns);
    job->formulas = KN_NEW_ARRAY(job->ctx, uint64_t, ncolumns);
    KN_TRY(KN_HAVE(places && numbers && pseudonyms && job->fates && job->formulas));
    plan_columns(job, &claim, places, places + ncolumns, numbers);
    claim_pseudonyms(job, &claim, pseudonyms);
    claim.missing = job->problem.missing;
    claim.nmissing = job->problem.config->nmissing;
    KN_TRY(claim_models(job, &claim, places + 2 * ncolumns));
    KN_TRY(second_pass(job, out));
    KN_TRY(kn_pseudonyms_check(&job->pseudonyms));
    start = kn_seconds();
    if (job->models.row_audit)
        KN_TRY(kn_row_audit_end(job->models.row_audit));
    claim.k = job->problem.privacy.k;
    claim.masked = job->counts.masked > 0;
    claim.rows = job->counts.released + job->counts.masked;
    claim.records = job->counts.records;
    claim.classes = job->measured.after.classes + (job->counts.masked && !job->star_rows);
    KN_TRY(claim_levels(job, &claim, &shown));
    KN_TRY(kn_job_claim_cells(job, &claim, &ruled));
    KN_TRY(out->class->read_back(out, &back));
    KN_TRY(kn_verify(job->ctx, back, &claim, job->output_hash));
    if (job->trace && claim.nquasi && kn_trace_classes(job->trace) != claim.classes) {
        rc = kn_fail(job->ctx, KANON_E_INTERNAL,
                     "the rows are in %zu classes, but measured are %llu; nothing was released",
                     kn_trace_classes(job->trace), (unsigned long long) claim.classes);
        goto out;
    }
    if (job->counts.released + job->measured.suppressed != job->problem.learned->rows) {
        rc = kn_fail(job->ctx, KANON_E_VERIFY,
                     "rows released and suppressed do not add up to the rows read");
        goto out;
    }
    job->seconds.verify = kn_seconds() - start;
out:
    free_levels(job->ctx, shown, shown ? claim.nshown : 0);
    kn_free(job->ctx, ruled);
    kn_free(job->ctx, places);
    kn_free(job->ctx, numbers);
    kn_free(job->ctx, pseudonyms);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c -- a job under a profile. Before the search, levels at which a quasi-identifier shows more than
 * the profile allows are ruled out, and columns that are copied and show more are refused. The verifier looks
 * at every released cell again. At the end all requirements are judged; where one is not met, nothing is
 * released. */
#include "anonymize/job.h"
#include "table/load.h"

static const kn_profile_table *
profile_of(const kn_job *job)
{
    return kn_config_profile(job->problem.config);
}

static bool
allows(const kn_job *job, const kn_profile_column *column, kn_str cell)
{
    const kn_learned *l = job->problem.learned;

    return kn_is_missing(l->missing, l->nmissing, cell)
        || kn_cell_allowed(column->is.rule, cell, job->profile_year);
}

/* --- columns ------------------------------------------------------------------------------------------ */

static kanon_status
look_at_columns(kn_job *job)
{
    kanon_status        rc = KANON_OK;
    const kn_learned   *learned = job->problem.learned;
    const kanon_config *config = job->problem.config;
    bool                cells = kn_profile_rules_cells(profile_of(job));

    job->profiled = KN_NEW_ARRAY(job->ctx, kn_profile_column, learned->ncolumns);
    KN_TRY(KN_HAVE(job->profiled));
    for (size_t c = 0; c < learned->ncolumns; c++) {
        kn_profile_column  *to = &job->profiled[c];
        kn_str              name = kn_str_of(learned->names[c]);
        const kn_attribute *a = kn_config_attribute(config, name);

        to->name = learned->names[c];
        to->role = kn_config_role(config, name);
        to->hidden = kn_config_hides(config, name) && !(a && a->pseudonym);
        to->decided = to->role == KN_ROLE_QUASI && a && a->has_hierarchy;
        KN_TRY(kn_evidence_learned(learned, c, &to->evidence));
        if (cells && c != learned->count)
            to->is = kn_hipaa_find(&to->evidence);
        job->profile_year = kn_hipaa_year(job->profile_year, &to->evidence);
    }
out:
    return rc;
}

/* --- quasi-identifiers -------------------------------------------------------------------------------- */

static bool
level_is_allowed(const kn_job *job, const kn_profile_column *column, const kn_level *level)
{
    for (size_t g = 0; g < level->ngroups; g++)
        if (!allows(job, column, level->labels[g]))
            return false;
    return true;
}

/* The lowest level that shows no more than the rule allows, and above which none does. */
static kanon_status
raise_level(kn_job *job, size_t quasi)
{
    kn_lattice              *lattice = &job->problem.lattice;
    const kanon_hierarchy   *h = job->problem.hierarchies[quasi];
    const kn_profile_column *column = &job->profiled[job->problem.learned->columns[quasi].position];
    unsigned                 level = lattice->top[quasi] + 1u;

    if (column->is.rule == KN_CELL_ANY)
        return KANON_OK;
    while (level > lattice->low[quasi] && level_is_allowed(job, column, &h->levels[level - 1]))
        level--;
    if (level > lattice->top[quasi])
        return kn_fail(
            job->ctx, KANON_E_INVALID,
            "column '%s' shows more than profile %s allows at each of its levels; remove "
            "its limit of levels, or make it an identifier",
            column->name, profile_of(job)->about.name);
    lattice->low[quasi] = (uint8_t) level;
    return KANON_OK;
}

/* --- columns that are copied -------------------------------------------------------------------------- */

/* Of those values that the job knows: all of a sensitive column, a sample of others. */
static bool
shows_too_much(const kn_job *job, size_t c)
{
    const kn_learned        *l = job->problem.learned;
    const kn_profile_column *column = &job->profiled[c];
    size_t                   place = l->places[c], learned = l->nquasi + l->nsensitive;

    if (place == SIZE_MAX || column->hidden || column->role == KN_ROLE_QUASI
        || column->is.rule == KN_CELL_ANY)
        return false;
    for (uint32_t v = 0; place < learned && v < kn_dict_count(l->columns[place].dict); v++)
        if (v != l->columns[place].missing
            && !allows(job, column, kn_dict_value(l->columns[place].dict, v)))
            return true;
    for (size_t r = 0; place >= learned && r < l->sample.count; r++)
        if (!allows(job, column, kn_sample_cell(&l->sample, r, place - learned)))
            return true;
    return false;
}

/* What to do with a column that is copied, by what may be shown of it. */
static const char *
remedy(kn_cell_rule rule)
{
    switch (rule) {
    case KN_CELL_YEAR:
    case KN_CELL_BIRTH:
        return "quasi, so that it is released as years, or identifier";
    case KN_CELL_AGE:
        return "quasi with hierarchy range:top=90, or identifier";
    case KN_CELL_ZIP3:
        return "quasi with hierarchy pack:postcode-us-hipaa, or identifier";
    case KN_CELL_ANY:
    case KN_CELL_NOTHING:
    case KN_CELL_STATE:
        break;
    }
    return "identifier";
}

static kanon_status
refuse_copies(const kn_job *job)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = job->problem.learned;
    size_t            count = 0;
    kn_text           line;

    kn_text_init(&line, job->ctx);
    for (size_t c = 0; c < learned->ncolumns; c++)
        count += shows_too_much(job, c);
    if (!count)
        goto out;
    kn_fail_at(job->ctx, KANON_E_INVALID, job->problem.source->name, 0,
               "%zu column%s would be released unchanged, which profile %s does not allow; change "
               "%s role%s",
               count, count == 1 ? "" : "s", profile_of(job)->about.name,
               count == 1 ? "its" : "their", count == 1 ? "" : "s");
    for (size_t c = 0; c < learned->ncolumns; c++) {
        if (!shows_too_much(job, c))
            continue;
        line.len = 0;
        kn_text_addf(&line, "%s: (%c); role: %s", learned->names[c], job->profiled[c].is.letter,
                     remedy(job->profiled[c].is.rule));
        KN_TRY(kn_text_status(&line));
        KN_TRY(kn_fail_detail(job->ctx, line.ptr));
    }
    rc = KANON_E_INVALID;
out:
    kn_text_fini(&line);
    return rc;
}

kanon_status
kn_job_open_profile(kn_job *job)
{
    kanon_status rc = KANON_OK;
    kn_problem  *p = &job->problem;

    if (!profile_of(job))
        return KANON_OK;
    KN_TRY(look_at_columns(job));
    KN_TRY(refuse_copies(job));
    for (size_t q = 0; q < p->learned->nquasi; q++)
        KN_TRY(raise_level(job, q));
    KN_TRY(kn_search_floor(job->ctx, &p->scale, &p->privacy, &p->lattice));
out:
    return rc;
}

kanon_status
kn_job_claim_cells(const kn_job *job, kn_claim *claim, kn_ruled **out)
{
    size_t    place = 0, n = job->problem.learned->ncolumns;
    kn_ruled *ruled;

    *out = NULL;
    if (!job->profiled)
        return KANON_OK;
    ruled = *out = KN_NEW_ARRAY(job->ctx, kn_ruled, n);
    if (!ruled)
        return KANON_E_NOMEM;
    for (size_t c = 0; c < n; c++) {
        if (job->fates[c] == KN_CELL_LEAVE_OUT)
            continue;
        if (job->profiled[c].is.rule != KN_CELL_ANY)
            ruled[claim->nruled++] = (kn_ruled){ place, job->profiled[c].is.rule,
                                                 job->profile_year };
        place++;
    }
    claim->ruled = ruled;
    return KANON_OK;
}

/* --- the verdict -------------------------------------------------------------------------------------- */

static void
note_values(const kn_job *job, const kanon_result *r)
{
    for (size_t c = 0; c < job->problem.learned->ncolumns; c++)
        for (size_t s = 0; s < r->nsensitive; s++)
            if (strcmp(r->sensitive[s].name, job->profiled[c].name) == 0)
                job->profiled[c].least = r->sensitive[s].min_distinct;
}

kanon_status
kn_job_judge_profile(const kn_job *job, kanon_result *r)
{
    kn_profile_facts facts = { .columns = job->profiled,
                               .ncolumns = job->problem.learned->ncolumns,
                               .rows = r->released_rows,
                               .crowd = r->crowd,
                               .order = job->problem.config->keep_order ? KN_ORDER_KEPT
                                                                        : KN_ORDER_SHUFFLED,
                               .linkage = &r->linkage };

    kanon_status rc = KANON_OK;

    if (!job->profiled || !job->found.feasible)
        return KANON_OK;
    note_values(job, r);
    KN_TRY(kn_profile_judge(profile_of(job), &facts, &r->arena, &r->profile));
    KN_TRY(kn_profile_find(&r->profile, &r->arena, &r->findings));
out:
    return rc;
}

kanon_status
kn_job_refuse_profile(const kn_job *job, const kanon_result *r)
{
    kanon_status rc = KANON_OK;
    size_t       count = r->profile.counts[KN_NOT_MET];
    kn_text      line;

    if (!r->profile.name || !count)
        return KANON_OK;
    kn_text_init(&line, job->ctx);
    kn_fail_at(job->ctx, KANON_E_INVALID, job->problem.source->name, 0,
               "%zu requirement%s of profile %s %s not met, so nothing is released; change the "
               "settings, or leave out the profile",
               count, count == 1 ? "" : "s", r->profile.name, count == 1 ? "is" : "are");
    for (size_t i = 0; i < r->profile.count; i++) {
        if (r->profile.of[i].status != KN_NOT_MET)
            continue;
        line.len = 0;
        kn_profile_unmet(&r->profile, i, &line);
        KN_TRY(kn_text_status(&line));
        KN_TRY(kn_fail_detail(job->ctx, line.ptr));
    }
    rc = KANON_E_INVALID;
out:
    kn_text_fini(&line);
    return rc;
}

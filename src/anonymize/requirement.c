/* SPDX-License-Identifier: Apache-2.0 */
/* requirement.c -- the models of a job after the search: verdicts, what is reached, rules for the
 * verifier. */
#include "anonymize/requirement.h"

#include "anonymize/job.h"

kanon_status
kn_job_judge(kn_job *job)
{
    kanon_status rc = KANON_OK;
    kn_problem  *p = &job->problem;
    kn_checker  *checker = NULL;

    if (!p->privacy.nmodels && job->recoding->lost == KN_NO_CLASS)
        return KANON_OK;
    job->models.holds = KN_NEW_ARRAY(job->ctx, uint8_t, job->grouping.nids);
    if (!job->models.holds)
        return KANON_E_NOMEM;
    KN_TRY(kn_checker_new(job->ctx, &p->privacy, kn_job_table(job), &checker));
    KN_TRY(kn_checker_judge(checker, job->recoding->levels, &job->grouping, job->models.holds));
out:
    kn_checker_free(checker);
    return rc;
}

kanon_status
kn_job_reach(kn_job *job, const kn_grouping *seen, size_t masked)
{
    kanon_status rc = KANON_OK;
    kn_problem  *p = &job->problem;
    kn_checker  *checker = NULL;

    if (!p->privacy.nmodels)
        return KANON_OK;
    job->models.reached = KN_NEW_ARRAY(job->ctx, double, p->privacy.nmodels);
    if (!job->models.reached)
        return KANON_E_NOMEM;
    KN_TRY(kn_checker_new(job->ctx, &p->privacy, kn_job_table(job), &checker));
    KN_TRY(kn_checker_reached(checker, job->recoding->levels, seen, masked, job->models.reached));
out:
    kn_checker_free(checker);
    return rc;
}

/* --- masked rows ---------------------------------------------------------------------------------------- */

/* Does the release show `*` in every quasi-identifier of this tuple? */
static bool
reads_stars(const kn_job *job, size_t tuple)
{
    return job->recoding->class->reads_star(job->recoding, tuple);
}

static bool
is_released(const kn_job *job, size_t tuple)
{
    return kn_class_holds(&job->problem.privacy, &job->grouping, job->grouping.class_of[tuple]);
}

uint64_t
kn_job_star_rows(const kn_job *job)
{
    const kn_table *table = kn_job_table(job);
    uint64_t        rows = 0;

    for (size_t t = 0; t < table->ntuples; t++)
        rows += is_released(job, t) && reads_stars(job, t) ? table->weights[t] : 0;
    return rows;
}

/* Every row that is suppressed or reads `*` everywhere, by its entry; no more than there is room for.
 * @return how many there are */
static size_t
list_entries(const kn_job *job, uint32_t *entries, size_t room)
{
    const kn_table *table = kn_job_table(job);
    size_t          count = 0;

    for (size_t t = 0; t < table->ntuples; t++) {
        if (is_released(job, t) && !reads_stars(job, t))
            continue;
        for (size_t e = kn_table_first(table, t); e < kn_table_first(table, t + 1); e++)
            for (uint32_t row = 0; row < kn_table_entry_weight(table, e); row++, count++)
                if (count < room)
                    entries[count] = (uint32_t) e;
    }
    return count;
}

kanon_status
kn_job_mask_holds(kn_job *job, bool *holds)
{
    kanon_status rc = KANON_OK;
    size_t       count = (size_t) (job->measured.suppressed + job->star_rows);
    uint32_t    *entries = NULL;
    kn_checker  *checker = NULL;

    *holds = count >= job->problem.privacy.k;
    if (!*holds || !job->problem.privacy.nmodels)
        return KANON_OK;
    entries = kn_realloc_array(job->ctx, NULL, count, sizeof *entries);
    if (!entries)
        return KANON_E_NOMEM;
    KN_TRY(kn_checker_new(job->ctx, &job->problem.privacy, kn_job_table(job), &checker));
    if (list_entries(job, entries, count) != count)
        KN_TRY(kn_fail(job->ctx, KANON_E_INTERNAL,
                       "two counts of the masked rows differ; nothing was released"));
    *holds = kn_checker_holds(checker, entries, count);
out:
    kn_checker_free(checker);
    kn_free(job->ctx, entries);
    return rc;
}

kanon_status
kn_job_join_masked(kn_job *job, kn_grouping *seen, size_t *masked)
{
    const kn_table *table = kn_job_table(job);
    kn_job_models  *m = &job->models;

    *masked = job->grouping.nids;
    m->seen_class_of = KN_NEW_ARRAY(job->ctx, uint32_t, table->ntuples);
    m->seen_sizes = KN_NEW_ARRAY(job->ctx, uint64_t, *masked + 1);
    m->seen_holds = KN_NEW_ARRAY(job->ctx, uint8_t, *masked + 1);
    if (!m->seen_class_of || !m->seen_sizes || !m->seen_holds)
        return KANON_E_NOMEM;
    for (size_t t = 0; t < table->ntuples; t++) {
        bool own = is_released(job, t) && !reads_stars(job, t);

        m->seen_class_of[t] = own ? job->grouping.class_of[t] : (uint32_t) *masked;
        m->seen_sizes[m->seen_class_of[t]] += table->weights[t];
    }
    memset(m->seen_holds, 1, *masked + 1); /* whatever has rows is in the release */
    *seen = (kn_grouping){ .class_of = m->seen_class_of,
                           .sizes = m->seen_sizes,
                           .nids = *masked + 1,
                           .holds = m->seen_holds,
                           .complete = true };
    return KANON_OK;
}

/* --- rules for the verifier ----------------------------------------------------------------------------- */

/* What the rules of a column must know of the original table. */
static kanon_status
describe_column(kn_job *job, kn_job_rules *to, size_t column, kn_audit_rule_column *out)
{
    const kn_learned        *learned = job->problem.learned;
    const kn_learned_column *c = &learned->columns[learned->nquasi + column];
    const kn_table          *table = learned->table;
    uint64_t                *rows = KN_NEW_ARRAY(job->ctx, uint64_t, kn_dict_count(c->dict));

    to->rows[to->nrows++] = rows;
    if (!rows)
        return KANON_E_NOMEM;
    for (size_t e = 0; e < table->nentries; e++)
        rows[kn_codes_at(&table->sensitive[column], e)] += kn_table_entry_weight(table, e);
    out->nvalues = kn_dict_count(c->dict);
    out->values = kn_dict_values(c->dict);
    out->rows = rows;
    out->missing = c->missing;
    return KANON_OK;
}

/* The rule's column, described once for all rules of it. */
static kanon_status
place_rule(kn_job *job, kn_job_rules *to, const kn_model *model, size_t place, kn_audit_rule *rule)
{
    kn_audit_rule_column *column = to->columns;
    kanon_status          rc;

    while (column < to->columns + to->all.ncolumns && column->place != place)
        column++;
    rule->column = (size_t) (column - to->columns);
    if (rule->column == to->all.ncolumns) {
        rc = describe_column(job, to, model->column, column);
        if (rc < 0)
            return rc;
        column->place = place;
        to->all.ncolumns++;
    }
    if (model->order)
        column->order = model->order;
    if (model->hierarchy)
        column->hierarchy = model->hierarchy;
    if (model->class->needs == KN_NEEDS_NUMBERS)
        column->numbers = model->weight;
    return KANON_OK;
}

/* The index-th tuple of the population as it would read in the release. */
static bool
person(void *user, size_t index, kn_str *cells, uint64_t *people)
{
    const kn_job     *job = user;
    const kn_problem *p = &job->problem;
    const kn_table   *table = p->models.population.table;

    if (index >= table->ntuples)
        return false;
    for (size_t i = 0; i < table->nquasi; i++) {
        const kn_level *level = &p->hierarchies[i]->levels[job->recoding->levels[i]];

        cells[i] = level->labels[level->group_of[kn_codes_at(&table->quasi[i], index)]];
    }
    *people = table->weights[index];
    return true;
}

static kanon_status
open_rules(kn_job *job, kn_job_rules *to)
{
    size_t count = job->problem.privacy.nmodels;

    to->rules = KN_NEW_ARRAY(job->ctx, kn_audit_rule, count);
    to->columns = KN_NEW_ARRAY(job->ctx, kn_audit_rule_column, count);
    to->rows = kn_alloc_array(job->ctx, count, sizeof *to->rows);
    if (!to->rules || !to->columns || !to->rows)
        return KANON_E_NOMEM;
    to->all.columns = to->columns;
    to->all.rules = to->rules;
    to->all.rows = job->problem.learned->rows;
    to->all.missing = job->problem.missing;
    to->all.nmissing = job->problem.config->nmissing;
    return KANON_OK;
}

kanon_status
kn_job_make_rules(kn_job *job, const size_t *places)
{
    kanon_status      rc = KANON_OK;
    const kn_privacy *privacy = &job->problem.privacy;
    const kn_learned *learned = job->problem.learned;
    kn_job_models    *m = &job->models;

    KN_TRY(open_rules(job, &m->shown));
    KN_TRY(open_rules(job, &m->hidden));
    for (size_t i = 0; i < privacy->nmodels; i++) {
        const kn_model *model = privacy->models[i];
        kn_job_rules   *to = &m->shown;
        kn_audit_rule   rule = { model->class, 0, model->limit, model->second, model->name };

        if (model->column != KN_NO_COLUMN) {
            size_t input = learned->columns[learned->nquasi + model->column].position;
            size_t place = places[input];

            if (place == SIZE_MAX)
                to = &m->hidden;
            KN_TRY(place_rule(job, to, model, place == SIZE_MAX ? input : place, &rule));
        }
        to->rules[to->all.nrules++] = rule;
    }
    m->shown.all.person = privacy->people ? person : NULL;
    m->shown.all.user = job;
    if (m->hidden.all.nrules)
        KN_TRY(kn_row_audit_new(job->ctx, &m->hidden.all, &m->row_audit));
out:
    return rc;
}

static void
close_rules(kn_job *job, kn_job_rules *rules)
{
    for (size_t i = 0; i < rules->nrows; i++)
        kn_free(job->ctx, rules->rows[i]);
    kn_free(job->ctx, rules->rows);
    kn_free(job->ctx, rules->rules);
    kn_free(job->ctx, rules->columns);
}

void
kn_job_close_models(kn_job *job)
{
    kn_job_models *m = &job->models;

    kn_row_audit_free(m->row_audit);
    close_rules(job, &m->shown);
    close_rules(job, &m->hidden);
    kn_free(job->ctx, m->holds);
    kn_free(job->ctx, m->reached);
    kn_free(job->ctx, m->seen_class_of);
    kn_free(job->ctx, m->seen_sizes);
    kn_free(job->ctx, m->seen_holds);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* jury.c -- judging sets of rows by the whole requirement: enough rows, and every model.
 * The values of a class are counted once per column, for all models that look at it. Cost: O(entries of the
 * classes) per column, and what the models take; without any, a comparison a class. */
#include <math.h>

#include "privacy/model.h"

struct kn_jury {
    kanon_ctx        *ctx;
    const kn_privacy *privacy;
    const kn_table   *table;
    size_t            ncolumns; /* that models look at */
    size_t           *columns;
    kn_histogram     *values;  /* [ncolumns] */
    uint64_t         *numbers; /* scratch of the models */
    kn_by_class       by;
    size_t            room;   /* ids that by has room for */
    kn_workspace     *ws;     /* of table and population together; NULL: there is none */
    uint64_t         *people; /* [ids of ws] of the population, per class */
    uint64_t         *rows;   /* [ids of ws] of the table */
    const uint32_t   *joint;  /* [tuples of both] classes of the last node, or NULL */
    bool              alone;  /* some class of the population holds no row of the table */
};

/* --- making ------------------------------------------------------------------------------------------ */

/* Numbers that a model may need: one for each value or group of a level. */
static size_t
numbers_of(const kn_model *model)
{
    size_t most = model->domain;

    for (size_t level = 0; model->hierarchy && level < model->hierarchy->nlevels; level++)
        if (model->hierarchy->levels[level].ngroups > most)
            most = model->hierarchy->levels[level].ngroups;
    return most;
}

/* The columns that models look at, each once, with a histogram. */
static kanon_status
find_columns(kn_jury *jury)
{
    const kn_privacy *privacy = jury->privacy;
    size_t            numbers = 1;

    jury->columns = KN_NEW_ARRAY(jury->ctx, size_t, privacy->nmodels);
    jury->values = KN_NEW_ARRAY(jury->ctx, kn_histogram, privacy->nmodels);
    if (!jury->columns || !jury->values)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < privacy->nmodels; i++) {
        const kn_model *model = privacy->models[i];
        size_t          at = 0;

        if (numbers_of(model) > numbers)
            numbers = numbers_of(model);
        if (model->column == KN_NO_COLUMN)
            continue;
        while (at < jury->ncolumns && jury->columns[at] != model->column)
            at++;
        if (at < jury->ncolumns)
            continue;
        jury->columns[jury->ncolumns++] = model->column;
        if (kn_histogram_init(&jury->values[at], jury->ctx, model->domain) < 0)
            return KANON_E_NOMEM;
    }
    jury->numbers = KN_NEW_ARRAY(jury->ctx, uint64_t, numbers);
    return jury->numbers ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
find_people(kn_jury *jury)
{
    const kn_view *view;
    size_t         ids;

    if (!jury->privacy->people)
        return KANON_OK;
    view = &jury->privacy->people->view;
    ids = kn_workspace_ids(view, SIZE_MAX);
    jury->people = KN_NEW_ARRAY(jury->ctx, uint64_t, ids);
    jury->rows = KN_NEW_ARRAY(jury->ctx, uint64_t, ids);
    if (!jury->people || !jury->rows)
        return KANON_E_NOMEM;
    return kn_workspace_new(jury->ctx, view, SIZE_MAX, &jury->ws);
}

kanon_status
kn_jury_new(kanon_ctx *ctx, const kn_privacy *privacy, const kn_table *table, kn_jury **out)
{
    kanon_status rc = KANON_OK;
    kn_jury     *jury = KN_NEW(ctx, kn_jury);

    *out = NULL;
    if (!jury)
        return KANON_E_NOMEM;
    *jury = (kn_jury){ .ctx = ctx, .privacy = privacy, .table = table };
    if (privacy->nmodels) {
        KN_TRY(find_columns(jury));
        KN_TRY(find_people(jury));
    }
    *out = jury;
    jury = NULL; /* moved: the caller owns it now */
out:
    kn_jury_free(jury);
    return rc;
}

void
kn_jury_free(kn_jury *jury)
{
    if (!jury)
        return;
    for (size_t i = 0; i < jury->ncolumns; i++)
        kn_histogram_fini(&jury->values[i]);
    kn_by_class_fini(&jury->by);
    kn_workspace_free(jury->ws);
    kn_free(jury->ctx, jury->people);
    kn_free(jury->ctx, jury->rows);
    kn_free(jury->ctx, jury->columns);
    kn_free(jury->ctx, jury->values);
    kn_free(jury->ctx, jury->numbers);
    kn_free(jury->ctx, jury);
}

/* --- one class --------------------------------------------------------------------------------------- */

/* The class as a model sees it; the histograms are filled. */
static kn_class_values
values_for(const kn_jury *jury, const kn_model *model, uint64_t rows, uint64_t people)
{
    kn_class_values values = { .rows = rows, .people = people, .numbers = jury->numbers };

    for (size_t i = 0; i < jury->ncolumns; i++)
        if (jury->columns[i] == model->column) {
            values.counts = jury->values[i].counts;
            values.seen = jury->values[i].seen;
            values.nseen = jury->values[i].nseen;
        }
    return values;
}

static bool
all_hold(const kn_jury *jury, uint64_t rows, uint64_t people)
{
    for (size_t i = 0; i < jury->privacy->nmodels; i++) {
        const kn_model *model = jury->privacy->models[i];
        kn_class_values values = values_for(jury, model, rows, people);

        if (!kn_model_holds(model, &values))
            return false;
    }
    return true;
}

static void
clear_values(kn_jury *jury)
{
    for (size_t i = 0; i < jury->ncolumns; i++)
        kn_histogram_clear(&jury->values[i]);
}

static void
count_entry(kn_histogram *h, uint32_t code, uint64_t rows)
{
    if (!h->counts[code])
        h->seen[h->nseen++] = code;
    h->counts[code] += rows;
}

bool
kn_jury_holds(kn_jury *jury, const uint32_t *entries, size_t count)
{
    bool holds;

    assert(entries && count > 0);
    if (!kn_privacy_enough(jury->privacy, count) || !jury->privacy->nmodels)
        return kn_privacy_enough(jury->privacy, count);
    for (size_t i = 0; i < jury->ncolumns; i++)
        for (size_t e = 0; e < count; e++)
            count_entry(&jury->values[i],
                        kn_codes_at(&jury->table->sensitive[jury->columns[i]], entries[e]), 1);
    holds = all_hold(jury, count, jury->privacy->people ? jury->privacy->people->people : 0);
    clear_values(jury);
    return holds;
}

/* --- a population ------------------------------------------------------------------------------------- */

/* Groups table and population together and counts each side of every class. */
static void
match_people(kn_jury *jury, const uint8_t *levels)
{
    const kn_people *people = jury->privacy->people;
    kn_grouping      joint;

    jury->joint = NULL;
    jury->alone = false;
    if (!jury->ws || !levels)
        return;
    kn_group(jury->ws, levels, &joint);
    memset(jury->people, 0, joint.nids * sizeof *jury->people);
    memset(jury->rows, 0, joint.nids * sizeof *jury->rows);
    for (size_t t = 0; t < people->view.ntuples; t++) {
        uint64_t *side = t < people->ntable ? jury->rows : jury->people;

        side[joint.class_of[t]] += people->view.weights[t];
    }
    for (size_t id = 0; id < joint.nids; id++)
        jury->alone |= jury->people[id] && !jury->rows[id];
    jury->joint = joint.class_of;
}

static uint64_t
people_of(const kn_jury *jury, size_t id)
{
    if (!jury->joint)
        return jury->privacy->people ? jury->privacy->people->people : 0;
    return jury->people[jury->joint[jury->by.order[jury->by.start[id]]]];
}

/* Somebody of the population is certainly not in the table. That breaks a least presence above 0, and no
 * suppression of rows mends it. */
static bool
someone_is_absent(const kn_jury *jury)
{
    for (size_t i = 0; jury->alone && i < jury->privacy->nmodels; i++)
        if (kn_model_forbids_absence(jury->privacy->models[i])
            && !kn_sense_holds(KN_AT_LEAST, 0, jury->privacy->models[i]->second))
            return true;
    return false;
}

/* --- a grouping -------------------------------------------------------------------------------------- */

kanon_status
kn_jury_reserve(kn_jury *jury, size_t nids)
{
    if (!jury->privacy->nmodels
        || (jury->by.start && nids <= jury->room)) /* a table without rows: 0 */
        return KANON_OK;
    kn_by_class_fini(&jury->by);
    jury->room = 0;
    if (kn_by_class_init(&jury->by, jury->ctx, jury->table->ntuples, nids) < 0)
        return KANON_E_NOMEM;
    jury->room = nids;
    return KANON_OK;
}

const kn_by_class *
kn_jury_classes(const kn_jury *jury)
{
    return &jury->by;
}

static void
fill_values(kn_jury *jury, size_t id)
{
    for (size_t i = 0; i < jury->ncolumns; i++)
        kn_histogram_fill(&jury->values[i], jury->table, jury->columns[i], &jury->by, id);
}

static bool
class_holds(kn_jury *jury, const kn_grouping *grouping, size_t id)
{
    bool holds;

    if (!grouping->sizes[id] || !kn_privacy_enough(jury->privacy, grouping->sizes[id]))
        return kn_privacy_enough(jury->privacy, grouping->sizes[id]);
    fill_values(jury, id);
    holds = all_hold(jury, grouping->sizes[id], people_of(jury, id));
    clear_values(jury);
    return holds;
}

/* @return false: more than `most` rows are outlying or somebody is known to be absent, and not all classes
 * were looked at */
static bool
judge(kn_jury *jury, const uint8_t *levels, const kn_grouping *grouping, uint64_t most,
      uint8_t *holds)
{
    uint64_t outlying = 0;
    bool     none;

    if (!jury->privacy->nmodels) {
        for (size_t id = 0; id < grouping->nids; id++)
            holds[id] = kn_privacy_enough(jury->privacy, grouping->sizes[id]);
        return true;
    }
    kn_by_class_sort(&jury->by, grouping, jury->table->ntuples);
    match_people(jury, levels);
    none = someone_is_absent(jury);
    if (none && most != UINT64_MAX) /* also in a table without rows, where nothing is outlying */
        return false;
    for (size_t id = 0; id < grouping->nids; id++) {
        holds[id] = !none && class_holds(jury, grouping, id);
        outlying += holds[id] ? 0 : grouping->sizes[id];
        if (outlying > most)
            return false;
    }
    return true;
}

kanon_status
kn_jury_judge(kn_jury *jury, const uint8_t *levels, kn_grouping *grouping, uint8_t *holds)
{
    kanon_status rc = kn_jury_reserve(jury, grouping->nids);

    if (rc < 0)
        return rc;
    judge(jury, levels, grouping, UINT64_MAX, holds);
    grouping->holds = holds;
    return KANON_OK;
}

bool
kn_jury_judge_within(kn_jury *jury, const uint8_t *levels, kn_grouping *grouping, uint8_t *holds)
{
    if (!judge(jury, levels, grouping, jury->privacy->allowed, holds))
        return false;
    grouping->holds = holds;
    return true;
}

/* --- what is reached --------------------------------------------------------------------------------- */

static void
fold(const kn_jury *jury, uint64_t rows, uint64_t people, double *reached)
{
    for (size_t i = 0; i < jury->privacy->nmodels; i++) {
        const kn_model *model = jury->privacy->models[i];
        kn_class_values values = values_for(jury, model, rows, people);
        double          at = model->class->reached(model, &values);

        if (isnan(reached[i]) || kn_sense_worse(model->class->sense, at, reached[i]))
            reached[i] = at;
    }
}

kanon_status
kn_jury_reached(kn_jury *jury, const uint8_t *levels, const kn_grouping *grouping, size_t anybody,
                double *reached)
{
    kanon_status rc = kn_jury_reserve(jury, grouping->nids);

    for (size_t i = 0; i < jury->privacy->nmodels; i++)
        reached[i] = (double) NAN;
    if (rc < 0 || !jury->privacy->nmodels)
        return rc;
    kn_by_class_sort(&jury->by, grouping, jury->table->ntuples);
    match_people(jury, levels);
    for (size_t id = 0; id < grouping->nids; id++) {
        if (!grouping->sizes[id] || !kn_class_holds(jury->privacy, grouping, id))
            continue;
        fill_values(jury, id);
        fold(jury, grouping->sizes[id],
             id == anybody && jury->privacy->people ? jury->privacy->people->people
                                                    : people_of(jury, id),
             reached);
        clear_values(jury);
    }
    return KANON_OK;
}

void
kn_jury_whole(kn_jury *jury, double *reached)
{
    for (size_t i = 0; i < jury->privacy->nmodels; i++)
        reached[i] = (double) NAN;
    for (size_t i = 0; i < jury->ncolumns; i++)
        for (size_t e = 0; e < jury->table->nentries; e++)
            count_entry(&jury->values[i], kn_codes_at(&jury->table->sensitive[jury->columns[i]], e),
                        kn_table_entry_weight(jury->table, e));
    if (jury->table->rows)
        fold(jury, jury->table->rows, jury->privacy->people ? jury->privacy->people->people : 0,
             reached);
    clear_values(jury);
}

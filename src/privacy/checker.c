/* SPDX-License-Identifier: Apache-2.0 */
/* checker.c -- judging sets of rows by the whole requirement: enough rows, and every model.
 * The values of a class are counted once per column, for all models that look at it. Cost: O(entries of the
 * classes) per column, and what the models take; without any, a comparison a class. */
#include <math.h>

#include "privacy/model.h"

struct kn_checker {
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
find_columns(kn_checker *c)
{
    const kn_privacy *privacy = c->privacy;
    size_t            numbers = 1;

    c->columns = KN_NEW_ARRAY(c->ctx, size_t, privacy->nmodels);
    c->values = KN_NEW_ARRAY(c->ctx, kn_histogram, privacy->nmodels);
    if (!c->columns || !c->values)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < privacy->nmodels; i++) {
        const kn_model *model = privacy->models[i];
        size_t          at = 0;

        if (numbers_of(model) > numbers)
            numbers = numbers_of(model);
        if (model->column == KN_NO_COLUMN)
            continue;
        while (at < c->ncolumns && c->columns[at] != model->column)
            at++;
        if (at < c->ncolumns)
            continue;
        c->columns[c->ncolumns++] = model->column;
        if (kn_histogram_init(&c->values[at], c->ctx, model->domain) < 0)
            return KANON_E_NOMEM;
    }
    c->numbers = KN_NEW_ARRAY(c->ctx, uint64_t, numbers);
    return c->numbers ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
find_people(kn_checker *c)
{
    const kn_view *view;
    size_t         ids;

    if (!c->privacy->people)
        return KANON_OK;
    view = &c->privacy->people->view;
    ids = kn_workspace_ids(view, SIZE_MAX);
    c->people = KN_NEW_ARRAY(c->ctx, uint64_t, ids);
    c->rows = KN_NEW_ARRAY(c->ctx, uint64_t, ids);
    if (!c->people || !c->rows)
        return KANON_E_NOMEM;
    return kn_workspace_new(c->ctx, view, SIZE_MAX, &c->ws);
}

kanon_status
kn_checker_new(kanon_ctx *ctx, const kn_privacy *privacy, const kn_table *table, kn_checker **out)
{
    kanon_status rc = KANON_OK;
    kn_checker  *c = KN_NEW(ctx, kn_checker);

    *out = NULL;
    if (!c)
        return KANON_E_NOMEM;
    *c = (kn_checker){ .ctx = ctx, .privacy = privacy, .table = table };
    if (privacy->nmodels) {
        KN_TRY(find_columns(c));
        KN_TRY(find_people(c));
    }
    *out = c;
    c = NULL; /* moved: the caller owns it now */
out:
    kn_checker_free(c);
    return rc;
}

void
kn_checker_free(kn_checker *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->ncolumns; i++)
        kn_histogram_fini(&c->values[i]);
    kn_by_class_fini(&c->by);
    kn_workspace_free(c->ws);
    kn_free(c->ctx, c->people);
    kn_free(c->ctx, c->rows);
    kn_free(c->ctx, c->columns);
    kn_free(c->ctx, c->values);
    kn_free(c->ctx, c->numbers);
    kn_free(c->ctx, c);
}

/* --- one class --------------------------------------------------------------------------------------- */

/* The class as a model sees it; the histograms are filled. */
static kn_class_values
values_for(const kn_checker *c, const kn_model *model, uint64_t rows, uint64_t people)
{
    kn_class_values values = { .rows = rows, .people = people, .numbers = c->numbers };

    for (size_t i = 0; i < c->ncolumns; i++)
        if (c->columns[i] == model->column) {
            values.counts = c->values[i].counts;
            values.seen = c->values[i].seen;
            values.nseen = c->values[i].nseen;
        }
    return values;
}

static bool
all_hold(const kn_checker *c, uint64_t rows, uint64_t people)
{
    for (size_t i = 0; i < c->privacy->nmodels; i++) {
        const kn_model *model = c->privacy->models[i];
        kn_class_values values = values_for(c, model, rows, people);

        if (!kn_model_holds(model, &values))
            return false;
    }
    return true;
}

static void
clear_values(kn_checker *c)
{
    for (size_t i = 0; i < c->ncolumns; i++)
        kn_histogram_clear(&c->values[i]);
}

static void
count_entry(kn_histogram *h, uint32_t code, uint64_t rows)
{
    if (!h->counts[code])
        h->seen[h->nseen++] = code;
    h->counts[code] += rows;
}

bool
kn_checker_holds(kn_checker *c, const uint32_t *entries, size_t count)
{
    bool holds;

    assert(entries && count > 0);
    if (!kn_privacy_enough(c->privacy, count) || !c->privacy->nmodels)
        return kn_privacy_enough(c->privacy, count);
    for (size_t i = 0; i < c->ncolumns; i++)
        for (size_t e = 0; e < count; e++)
            count_entry(&c->values[i],
                        kn_codes_at(&c->table->sensitive[c->columns[i]], entries[e]), 1);
    holds = all_hold(c, count, c->privacy->people ? c->privacy->people->people : 0);
    clear_values(c);
    return holds;
}

/* --- a population ------------------------------------------------------------------------------------- */

/* Groups table and population together and counts each side of every class. */
static void
match_people(kn_checker *c, const uint8_t *levels)
{
    const kn_people *people = c->privacy->people;
    kn_grouping      joint;

    c->joint = NULL;
    c->alone = false;
    if (!c->ws || !levels)
        return;
    kn_group(c->ws, levels, &joint);
    memset(c->people, 0, joint.nids * sizeof *c->people);
    memset(c->rows, 0, joint.nids * sizeof *c->rows);
    for (size_t t = 0; t < people->view.ntuples; t++) {
        uint64_t *side = t < people->ntable ? c->rows : c->people;

        side[joint.class_of[t]] += people->view.weights[t];
    }
    for (size_t id = 0; id < joint.nids; id++)
        c->alone |= c->people[id] && !c->rows[id];
    c->joint = joint.class_of;
}

static uint64_t
people_of(const kn_checker *c, size_t id)
{
    if (!c->joint)
        return c->privacy->people ? c->privacy->people->people : 0;
    return c->people[c->joint[c->by.order[c->by.start[id]]]];
}

/* Somebody of the population is certainly not in the table. That breaks a least presence above 0, and no
 * suppression of rows mends it. */
static bool
someone_is_absent(const kn_checker *c)
{
    for (size_t i = 0; c->alone && i < c->privacy->nmodels; i++)
        if (kn_model_forbids_absence(c->privacy->models[i])
            && !kn_sense_holds(KN_AT_LEAST, 0, c->privacy->models[i]->second))
            return true;
    return false;
}

/* --- a grouping -------------------------------------------------------------------------------------- */

kanon_status
kn_checker_reserve(kn_checker *c, size_t nids)
{
    if (!c->privacy->nmodels
        || (c->by.start && nids <= c->room)) /* a table without rows: 0 */
        return KANON_OK;
    kn_by_class_fini(&c->by);
    c->room = 0;
    if (kn_by_class_init(&c->by, c->ctx, c->table->ntuples, nids) < 0)
        return KANON_E_NOMEM;
    c->room = nids;
    return KANON_OK;
}

const kn_by_class *
kn_checker_classes(const kn_checker *c)
{
    return &c->by;
}

static void
fill_values(kn_checker *c, size_t id)
{
    for (size_t i = 0; i < c->ncolumns; i++)
        kn_histogram_fill(&c->values[i], c->table, c->columns[i], &c->by, id);
}

static bool
class_holds(kn_checker *c, const kn_grouping *grouping, size_t id)
{
    bool holds;

    if (!grouping->sizes[id] || !kn_privacy_enough(c->privacy, grouping->sizes[id]))
        return kn_privacy_enough(c->privacy, grouping->sizes[id]);
    fill_values(c, id);
    holds = all_hold(c, grouping->sizes[id], people_of(c, id));
    clear_values(c);
    return holds;
}

/* @return false: more than `most` rows are outlying or somebody is known to be absent, and not all classes
 * were looked at */
static bool
judge(kn_checker *c, const uint8_t *levels, const kn_grouping *grouping, uint64_t most,
      uint8_t *holds)
{
    uint64_t outlying = 0;
    bool     none;

    if (!c->privacy->nmodels) {
        for (size_t id = 0; id < grouping->nids; id++)
            holds[id] = kn_privacy_enough(c->privacy, grouping->sizes[id]);
        return true;
    }
    kn_by_class_sort(&c->by, grouping, c->table->ntuples);
    match_people(c, levels);
    none = someone_is_absent(c);
    if (none && most != UINT64_MAX) /* also in a table without rows, where nothing is outlying */
        return false;
    for (size_t id = 0; id < grouping->nids; id++) {
        holds[id] = !none && class_holds(c, grouping, id);
        outlying += holds[id] ? 0 : grouping->sizes[id];
        if (outlying > most)
            return false;
    }
    return true;
}

kanon_status
kn_checker_judge(kn_checker *c, const uint8_t *levels, kn_grouping *grouping, uint8_t *holds)
{
    kanon_status rc = kn_checker_reserve(c, grouping->nids);

    if (rc < 0)
        return rc;
    judge(c, levels, grouping, UINT64_MAX, holds);
    grouping->holds = holds;
    return KANON_OK;
}

bool
kn_checker_judge_within(kn_checker *c, const uint8_t *levels, kn_grouping *grouping, uint8_t *holds)
{
    if (!judge(c, levels, grouping, c->privacy->allowed, holds))
        return false;
    grouping->holds = holds;
    return true;
}

/* --- what is reached --------------------------------------------------------------------------------- */

static void
fold(const kn_checker *c, uint64_t rows, uint64_t people, double *reached)
{
    for (size_t i = 0; i < c->privacy->nmodels; i++) {
        const kn_model *model = c->privacy->models[i];
        kn_class_values values = values_for(c, model, rows, people);
        double          at = model->class->reached(model, &values);

        if (isnan(reached[i]) || kn_sense_worse(model->class->sense, at, reached[i]))
            reached[i] = at;
    }
}

kanon_status
kn_checker_reached(kn_checker *c, const uint8_t *levels, const kn_grouping *grouping,
                   size_t anybody, double *reached)
{
    kanon_status rc = kn_checker_reserve(c, grouping->nids);

    for (size_t i = 0; i < c->privacy->nmodels; i++)
        reached[i] = (double) NAN;
    if (rc < 0 || !c->privacy->nmodels)
        return rc;
    kn_by_class_sort(&c->by, grouping, c->table->ntuples);
    match_people(c, levels);
    for (size_t id = 0; id < grouping->nids; id++) {
        if (!grouping->sizes[id] || !kn_class_holds(c->privacy, grouping, id))
            continue;
        fill_values(c, id);
        fold(c, grouping->sizes[id],
             id == anybody && c->privacy->people ? c->privacy->people->people : people_of(c, id),
             reached);
        clear_values(c);
    }
    return KANON_OK;
}

void
kn_checker_whole(kn_checker *c, double *reached)
{
    for (size_t i = 0; i < c->privacy->nmodels; i++)
        reached[i] = (double) NAN;
    for (size_t i = 0; i < c->ncolumns; i++)
        for (size_t e = 0; e < c->table->nentries; e++)
            count_entry(&c->values[i], kn_codes_at(&c->table->sensitive[c->columns[i]], e),
                        kn_table_entry_weight(c->table, e));
    if (c->table->rows)
        fold(c, c->table->rows, c->privacy->people ? c->privacy->people->people : 0, reached);
    clear_values(c);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* model.c -- what all models share: making them ready for a table, limits, and what they say together. */
#include "privacy/model.h"

#include <math.h>
#include <stdio.h>

#include "base/plain.h"

/* Values that differ by less are equal. Far more than rounding, far less than one row of any table. */
static const double SAME = 1e-9;

void
kn_model_free(kn_model *model)
{
    if (!model)
        return;
    kn_free(model->ctx, model->share);
    kn_free(model->ctx, model->weight);
    kn_free(model->ctx, model->order);
    kn_free(model->ctx, model->place);
    kn_free(model->ctx, model->upto);
    kn_free(model->ctx, model->table_counts);
    kn_free(model->ctx, model);
}

static kanon_status
count_shares(kn_model *model, const kn_table *table)
{
    uint64_t *rows = KN_NEW_ARRAY(model->ctx, uint64_t, model->domain);

    model->share = KN_NEW_ARRAY(model->ctx, double, model->domain);
    if (!rows || !model->share) {
        kn_free(model->ctx, rows);
        return KANON_E_NOMEM;
    }
    for (size_t e = 0; e < table->nentries; e++)
        rows[kn_codes_at(&table->sensitive[model->column], e)] += kn_table_entry_weight(table, e);
    for (size_t v = 0; table->rows && v < model->domain; v++)
        model->share[v] = (double) rows[v] / (double) table->rows;
    model->table_rows = table->rows;
    if (model->class->own)
        model->table_counts = rows; /* moved */
    else
        kn_free(model->ctx, rows);
    return KANON_OK;
}

/* Shares per group, level by level below the top. */
static kanon_status
count_groups(kn_model *model)
{
    const kanon_hierarchy *h = model->hierarchy;
    size_t                 room = 0;
    double                *groups;

    for (size_t level = 0; level + 1 < h->nlevels; level++)
        room += h->levels[level].ngroups;
    groups = model->weight = KN_NEW_ARRAY(model->ctx, double, room);
    if (!groups)
        return KANON_E_NOMEM;
    for (size_t level = 0; level + 1 < h->nlevels; level++) {
        for (size_t v = 0; v < model->domain; v++)
            groups[h->levels[level].group_of[v]] += model->share[v];
        groups += h->levels[level].ngroups;
    }
    return KANON_OK;
}

/* What few_along_order() of t_closeness.c looks up. Summed with more digits, since a column may have
 * millions of values. */
static kanon_status
copy_order(kn_model *model, const uint32_t *order)
{
    long double upto = 0, sum = 0;

    model->order = KN_NEW_ARRAY(model->ctx, uint32_t, model->domain);
    model->place = KN_NEW_ARRAY(model->ctx, uint32_t, model->domain);
    model->upto = KN_NEW_ARRAY(model->ctx, double, model->domain);
    model->weight = KN_NEW_ARRAY(model->ctx, double, model->domain + 1);
    if (!model->order || !model->place || !model->upto || !model->weight)
        return KANON_E_NOMEM;
    memcpy(model->order, order, model->domain * sizeof *model->order);
    for (size_t i = 0; i < model->domain; i++) {
        model->place[order[i]] = (uint32_t) i;
        upto += (long double) model->share[order[i]];
        sum += upto;
        model->upto[i] = (double) upto;
        model->weight[i + 1] = (double) sum;
    }
    return KANON_OK;
}

static kanon_status
copy_values(kn_model *model, const kn_model_spec *spec)
{
    if (spec->order && copy_order(model, spec->order) < 0)
        return KANON_E_NOMEM;
    if (spec->numbers) {
        model->weight = KN_NEW_ARRAY(model->ctx, double, model->domain);
        if (!model->weight)
            return KANON_E_NOMEM;
        memcpy(model->weight, spec->numbers, model->domain * sizeof *model->weight);
    }
    return KANON_OK;
}

kanon_status
kn_model_new(kanon_ctx *ctx, const kn_model_spec *spec, const kn_table *table, kn_model **out)
{
    kanon_status rc = KANON_OK;
    kn_model    *model = KN_NEW(ctx, kn_model);

    *out = NULL;
    if (!model)
        return KANON_E_NOMEM;
    *model = (kn_model){ .ctx = ctx,
                         .class = spec->class,
                         .name = spec->name,
                         .column = spec->column,
                         .domain = spec->column == KN_NO_COLUMN ? 0 : spec->domain,
                         .limit = spec->limit,
                         .second = spec->second,
                         .alone = spec->alone,
                         .hierarchy = spec->hierarchy };
    if (model->column != KN_NO_COLUMN)
        KN_TRY(count_shares(model, table));
    if (model->hierarchy)
        KN_TRY(count_groups(model));
    KN_TRY(copy_values(model, spec));
    *out = model;
    model = NULL; /* moved: the caller owns it now */
out:
    kn_model_free(model);
    return rc;
}

bool
kn_sense_holds(kn_sense sense, double reached, double limit)
{
    double slack = SAME * (limit > 1 ? limit : 1);

    switch (sense) {
    case KN_AT_LEAST:
        return reached >= limit - slack;
    case KN_AT_MOST:
        return reached <= limit + slack;
    case KN_BELOW:
        break;
    }
    return reached < limit - slack;
}

bool
kn_sense_worse(kn_sense sense, double a, double b)
{
    return sense == KN_AT_LEAST ? a < b : a > b;
}

bool
kn_model_monotone(const kn_model_class *class, uint64_t allowed)
{
    return class->merge == KN_MERGE_ANY || (class->merge == KN_MERGE_GOOD && !allowed);
}

bool
kn_model_satisfied(const kn_model *model, double reached)
{
    return kn_sense_holds(model->class->sense, reached, model->limit)
        && (!model->class->both || kn_sense_holds(KN_AT_LEAST, reached, model->second));
}

bool
kn_model_holds(const kn_model *model, const kn_class_values *values)
{
    assert(values->rows > 0);
    return kn_model_satisfied(model, model->class->reached(model, values));
}

bool
kn_model_forbids_absence(const kn_model *model)
{
    return model->class->guards == KN_GUARDS_PRESENCE && model->class->both && model->second > 0;
}

double
kn_model_count_values(const kn_model *model, const kn_class_values *c)
{
    KN_UNUSED(model);
    return (double) c->nseen;
}

/* --- advice ------------------------------------------------------------------------------------------ */

double
kn_model_nearest(const kn_model_class *class, double reached)
{
    bool   whole = class->whole && class->limit != KN_LIMIT_OTHER;
    double scale;

    if (whole || !(reached > 0) || isinf(reached))
        return reached;
    scale = pow(10, 3 - floor(log10(reached)));
    if (class->sense == KN_AT_LEAST)
        return floor(reached * scale + 1e-9) / scale;
    if (class->sense == KN_AT_MOST)
        return ceil(reached * scale - 1e-9) / scale;
    return (floor(reached * scale + 1e-9) + 1) / scale; /* it must be passed */
}

void
kn_model_option(const kn_model *model, const char *name, double value, kn_text *text)
{
    char number[40];

    snprintf(number, sizeof number, "=%.15g", value);
    kn_text_addf(text, "--%s ", name);
    if (model->alone)
        kn_plain_column(text, model->name, number);
    else
        kn_text_addz(text, number + 1);
}

kanon_status
kn_model_advise(const kn_model *model, double reached, kn_text *text)
{
    const kn_model_class *class = model->class;

    if (class->advise)
        return class->advise(model, reached, text);
    if (class->limit == KN_LIMIT_K)
        kn_text_addf(text, "-k %.15g", kn_model_nearest(class, reached));
    else
        kn_model_option(model, class->setting->value.name, kn_model_nearest(class, reached), text);
    return KANON_OK;
}

/* --- all of them ------------------------------------------------------------------------------------- */

const kn_model *
kn_privacy_unsteady(const kn_privacy *privacy)
{
    for (size_t i = 0; i < privacy->nmodels; i++)
        if (!kn_model_monotone(privacy->models[i]->class, privacy->allowed))
            return privacy->models[i];
    return NULL;
}

bool
kn_privacy_monotone(const kn_privacy *privacy)
{
    return !kn_privacy_unsteady(privacy);
}

kanon_status
kn_privacy_allow_local(kanon_ctx *ctx, const kn_privacy *privacy)
{
    for (size_t i = 0; i < privacy->nmodels; i++)
        if (privacy->models[i]->class->setting->scope == KN_OF_POPULATION)
            return kn_fail(ctx, KANON_E_INVALID,
                           "%s counts the people of a population that match a class, but classes "
                           "of local recoding may overlap; use full-domain generalization, such as "
                           "--algorithm exhaustive or kgen",
                           privacy->models[i]->class->name);
    return KANON_OK;
}

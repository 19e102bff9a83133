/* SPDX-License-Identifier: Apache-2.0 */
/* property.c -- the table of properties (Dewri et al. 2010, Sections 4 and 6, and the losses of
 * docs/METRICS.md). All of them are of the release in which rows of classes smaller than k are suppressed,
 * k being as large as the suppression limit allows. */
#include "pareto/property.h"

#include <math.h>

/* --- worst case -------------------------------------------------------------------------------- */

static double
value_k(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(face);
    return (double) s->profile->k;
}

static double
value_l(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(s);
    return (double) face->least;
}

/* --- spread over the rows: sums of a property vector ----------------------------------------------- */

static double
value_s_k(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(face);
    return s->profile->squares;
}

static double
value_s_l(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(s);
    return face->own_value;
}

/* The mean over released rows of 1 / class size. */
static double
value_risk(const kn_subject *s, const kn_value_counts *face)
{
    double released = (double) (s->scale->table->rows - s->profile->suppressed);

    KN_UNUSED(face);
    return released > 0 ? (double) s->profile->classes / released : 0;
}

/* --- losses ------------------------------------------------------------------------------------- */

static double
value_glm(const kn_subject *s, const kn_value_counts *face)
{
    double cells = (double) s->scale->table->rows * kn_scale_weights(s->scale);

    KN_UNUSED(face);
    return cells > 0 ? s->profile->cells / cells : 0;
}

static double
value_glm_sum(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(face);
    return s->profile->plain;
}

static double
value_cm(const kn_subject *s, const kn_value_counts *face)
{
    double rows = (double) s->scale->table->rows;

    return rows > 0 ? (double) (s->profile->suppressed + face->off) / rows : 0;
}

static double
value_dm(const kn_subject *s, const kn_value_counts *face)
{
    KN_UNUSED(face);
    return s->profile->squares + (double) s->profile->suppressed * (double) s->scale->table->rows;
}

static double
value_log(const kn_subject *s, const kn_value_counts *face)
{
    double sum = 0, weights = kn_scale_weights(s->scale);

    KN_UNUSED(face);
    for (size_t i = 0; i < s->scale->table->nquasi; i++) {
        size_t height = s->scale->hierarchies[i]->nlevels - 1;

        if (height)
            sum += (double) s->levels[i] / (double) height * kn_scale_weight(s->scale, i);
    }
    return weights > 0 ? sum / weights : 0;
}

static double
value_los(const kn_subject *s, const kn_value_counts *face)
{
    double rows = (double) s->scale->table->rows;

    KN_UNUSED(face);
    return rows > 0 ? (double) s->profile->suppressed / rows : 0;
}

/* --- upper ends ----------------------------------------------------------------------------------- */

static double
most_rows(const kn_scale *scale, size_t domain)
{
    KN_UNUSED(domain);
    return (double) scale->table->rows;
}

static double
most_values(const kn_scale *scale, size_t domain)
{
    KN_UNUSED(scale);
    return (double) domain;
}

static double
most_squares(const kn_scale *scale, size_t domain)
{
    KN_UNUSED(domain);
    return (double) scale->table->rows * (double) scale->table->rows;
}

static double
most_cells(const kn_scale *scale, size_t domain)
{
    KN_UNUSED(domain);
    return (double) scale->table->rows * (double) scale->table->nquasi;
}

static double
most_one(const kn_scale *scale, size_t domain)
{
    KN_UNUSED(scale);
    KN_UNUSED(domain);
    return 1;
}

/* --- the table -------------------------------------------------------------------------------------- */

static const kn_property_class table[] = {
    { { "k", "max", "integer", "log", 1, NULL,
        "minimum size of an equivalence class: the largest k that the suppression limit allows" },
      0,
      value_k,
      most_rows,
      KN_TREND_UP,
      false },
    { { "l", "max", "integer", "linear", 1, "sensitive",
        "minimum number of distinct sensitive values in a released class" },
      KN_NEEDS_SENSITIVE,
      value_l,
      most_values,
      KN_TREND_UP,
      false },
    { { "glm", "min", "number", "linear", 0.001, NULL,
        "general loss (Iyengar), mean over all cells" },
      KN_NEEDS_CELLS,
      value_glm,
      most_one,
      KN_TREND_UP,
      true },
    { { "glm_sum", "min", "number", "linear", 1, NULL, "general loss, sum over all cells" },
      KN_NEEDS_CELLS,
      value_glm_sum,
      most_cells,
      KN_TREND_UP,
      true },
    { { "cm", "min", "number", "linear", 0.001, "label",
        "share of rows suppressed or without the most frequent label of their class" },
      KN_NEEDS_LABEL,
      value_cm,
      most_one,
      KN_TREND_UP,
      false },
    { { "dm", "min", "integer", "log", 1, NULL,
        "discernibility: squared class sizes, n per suppressed row" },
      0,
      value_dm,
      most_squares,
      KN_TREND_NONE,
      false },
    { { "log", "min", "number", "linear", 0.001, NULL,
        "level of generalization, mean over the quasi-identifiers" },
      0,
      value_log,
      most_one,
      KN_TREND_UP,
      true },
    { { "los", "min", "number", "linear", 0.001, NULL, "share of suppressed rows" },
      0,
      value_los,
      most_one,
      KN_TREND_NONE,
      false },
    { { "s_k", "max", "integer", "log", 1, NULL,
        "class sizes, summed over the released rows: the privacy of all rows, not of the worst" },
      0,
      value_s_k,
      most_squares,
      KN_TREND_UP,
      false },
    { { "s_l", "max", "integer", "log", 1, "sensitive",
        "rows of the same class and sensitive value, summed over the released rows" },
      KN_NEEDS_SENSITIVE,
      value_s_l,
      most_squares,
      KN_TREND_UP,
      false },
    { { "risk", "min", "number", "linear", 0.001, NULL,
        "prosecutor risk, mean over the released rows: classes / rows" },
      0,
      value_risk,
      most_one,
      KN_TREND_DOWN,
      false },
};

const kanon_property *
kanon_property_at(size_t index)
{
    return index < KN_COUNT(table) ? &table[index].info : NULL;
}

const kn_property_class *
kn_property_find(kn_str name)
{
    for (size_t i = 0; i < KN_COUNT(table); i++)
        if (kn_str_equal(name, kn_str_of(table[i].info.name)))
            return &table[i];
    return NULL;
}

/* Twelve decimals of a share, as many digits of a sum: sums of doubles are not sure of more. */
static double
rounded(const kn_property_class *property, double value)
{
    double grain = 1e12, left = value;

    if (property->info.type[0] == 'i')
        return value;
    while (left >= 10) {
        left /= 10;
        grain /= 10;
    }
    return round(value * grain) / grain;
}

void
kn_objectives_value(const kn_objectives *objectives, const kn_subject *subject, const size_t *faces,
                    double *values)
{
    for (size_t i = 0; i < objectives->count; i++) {
        const kn_property_class *property = objectives->items[i].property;
        const kn_value_counts   *face = faces[i] == SIZE_MAX ? NULL
                                                             : &subject->profile->faces[faces[i]];

        values[i] = rounded(property, property->value(subject, face));
    }
}

/* The paper counts K/eps boxes a side; from 0 to K there are floor(K/eps) + 1. All sides but the least. */
double
kn_objectives_bound(const kn_objectives *objectives, const kn_scale *scale)
{
    double boxes[KN_OBJECTIVES_MOST], bound = 1;
    size_t least = 0;

    for (size_t i = 0; i < objectives->count; i++) {
        const kn_objective *o = &objectives->items[i];

        boxes[i] = o->box > 0 ? floor(o->property->most(scale, o->domain) / o->box) + 1 : INFINITY;
        if (boxes[i] < boxes[least])
            least = i;
    }
    for (size_t i = 0; i < objectives->count; i++)
        bound *= i == least ? 1 : boxes[i];
    return bound;
}

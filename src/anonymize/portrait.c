/* SPDX-License-Identifier: Apache-2.0 */
/* portrait.c -- what the columns look like before and after, and who was suppressed. Walks the tuples once
 * per column; memory for a column's dictionary at a time, and what is kept does not grow with the table. */
#include "anonymize/portrait.h"

#include <math.h>

#include "anonymize/portrait_bars.h"
#include "base/plain.h"

/* --- rows per value ------------------------------------------------------------------------------- */

static bool
is_released(const kn_job *job, size_t tuple)
{
    return job->found.feasible
        && kn_class_holds(&job->problem.privacy, &job->grouping, job->grouping.class_of[tuple]);
}

static void
count_rows(kn_portrayed *s)
{
    const kn_table *table = kn_job_table(s->job);
    size_t          nquasi = s->job->problem.learned->nquasi;

    for (size_t t = 0; t < table->ntuples; t++) {
        bool released = is_released(s->job, t);

        if (s->column < nquasi) {
            uint32_t code = kn_codes_at(&table->quasi[s->column], t);

            s->all[code] += table->weights[t];
            s->kept[code] += released ? table->weights[t] : 0;
            continue;
        }
        for (size_t e = kn_table_first(table, t); e < kn_table_first(table, t + 1); e++) {
            uint32_t code = kn_codes_at(&table->sensitive[s->column - nquasi], e);
            uint32_t rows = kn_table_entry_weight(table, e);

            s->all[code] += rows;
            s->kept[code] += released ? rows : 0;
        }
    }
}

/* --- labels --------------------------------------------------------------------------------------- */

static kn_str
value_label(const void *user, size_t index)
{
    const kn_portrayed      *s = user;
    const kn_learned_column *column = &s->job->problem.learned->columns[s->column];

    return index == column->missing ? KN_STR("(missing)")
                                    : kn_dict_value(column->dict, (uint32_t) index);
}

static kn_str
group_label(const void *user, size_t index)
{
    const kn_level *level = user;

    return level->leaves[index] ? level->labels[index] : KN_STR("(missing)");
}

static kn_str
released_label(const void *user, size_t index)
{
    const kn_released_values *values = user;

    return index == values->missing ? KN_STR("(missing)") : values->texts[index];
}

static kn_str
array_label(const void *user, size_t index)
{
    return ((const kn_str *) user)[index];
}

/* --- bars ----------------------------------------------------------------------------------------- */

static kanon_status
bars_of_values(kn_portrayed *s)
{
    kn_bars_source source = { .count = s->count, .rows = s->all, .label = value_label, .user = s };

    return kn_bars_pick(s, &source, &s->out->before);
}

/* Where each group of values stands on the axis: at its least number. */
static void
find_axis(const kn_portrayed *s, const uint32_t *group_of, size_t ngroups, double *axis)
{
    for (size_t g = 0; g < ngroups; g++)
        axis[g] = (double) NAN;
    for (size_t i = 0; s->x && i < s->count; i++)
        if (isfinite(s->x[i]) && !(s->x[i] >= axis[group_of[i]]))
            axis[group_of[i]] = s->x[i];
}

/* The groups of a level: rows of the table, and those that were suppressed. */
static kanon_status
bars_of_level(kn_portrayed *s, size_t index, kn_bars *out)
{
    kanon_status    rc = KANON_OK;
    const kn_level *level = &s->job->problem.hierarchies[s->column]->levels[index];
    uint64_t       *rows = KN_NEW_ARRAY(s->r->ctx, uint64_t, level->ngroups);
    uint64_t       *lost = KN_NEW_ARRAY(s->r->ctx, uint64_t, level->ngroups);
    double         *axis = KN_NEW_ARRAY(s->r->ctx, double, level->ngroups);
    kn_bars_source  source = { .count = level->ngroups,
                               .rows = rows,
                               .lost = lost,
                               .axis = axis,
                               .by_axis = s->x != NULL,
                               .by_share = true,
                               .label = group_label,
                               .user = level };

    KN_TRY(KN_HAVE(rows && lost && axis));
    for (size_t i = 0; i < s->count; i++) {
        rows[level->group_of[i]] += s->all[i];
        lost[level->group_of[i]] += s->all[i] - s->kept[i];
    }
    find_axis(s, level->group_of, level->ngroups, axis);
    KN_TRY(kn_bars_pick(s, &source, out));
out:
    kn_free(s->r->ctx, rows);
    kn_free(s->r->ctx, lost);
    kn_free(s->r->ctx, axis);
    return rc;
}

/* The released values of a quasi-identifier. */
static kanon_status
bars_of_release(kn_portrayed *s)
{
    kanon_status       rc = KANON_OK;
    const kn_recoding *recoding = s->job->recoding;
    kn_released_values values = { 0 };
    double            *axis = NULL;
    kn_bars_source     source = { .label = released_label, .user = &values };

    KN_TRY(recoding->class->values(recoding, &s->job->grouping, s->column, &values));
    if (!values.listed)
        goto out;
    source.count = values.count;
    source.rows = values.rows;
    if (values.value_of) {
        axis = KN_NEW_ARRAY(s->r->ctx, double, values.count);
        KN_TRY(KN_HAVE(axis));
        find_axis(s, values.value_of, values.count, axis);
        source.axis = axis;
        source.by_axis = s->x != NULL;
    }
    KN_TRY(kn_bars_pick(s, &source, &s->out->after));
out:
    kn_free(s->r->ctx, axis);
    kn_released_values_fini(s->r->ctx, &values);
    return rc;
}

static kanon_status
bars_after(kn_portrayed *s)
{
    kn_bars_source source = { .count = s->count, .rows = s->kept, .label = value_label, .user = s };

    if (s->column < s->job->problem.learned->nquasi)
        return bars_of_release(s);
    if (s->out->kind != KN_SCALE_VALUES) /* the bins tell it */
        return KANON_OK;
    return kn_bars_pick(s, &source, &s->out->after);
}

/* --- who was suppressed --------------------------------------------------------------------------- */

/* The released level, or the finest one that fits into the list where that says nothing. */
static size_t
who_level(const kn_portrayed *s)
{
    const kanon_hierarchy *h = s->job->problem.hierarchies[s->column];
    const uint8_t         *levels = s->job->recoding->levels;
    size_t                 level;

    if (levels && h->levels[levels[s->column]].ngroups > 1)
        return levels[s->column];
    for (level = 0; level + 1 < h->nlevels && h->levels[level].ngroups > KN_PORTRAIT_BARS; level++)
        ;
    return level + 1 == h->nlevels && level > 0 ? level - 1 : level;
}

/* Numbers that are released unchanged: neighbouring bins, joined until each has a fair part of the rows. */
static kanon_status
who_bins(kn_portrayed *s)
{
    enum { PARTS = 8 };
    kanon_status   rc = KANON_OK;
    kn_portrait   *p = s->out, joined = *p;
    uint64_t       rows[KN_PORTRAIT_BINS + 2] = { 0 }, lost[KN_PORTRAIT_BINS + 2] = { 0 }, all = 0;
    double         axis[KN_PORTRAIT_BINS + 2];
    kn_bin         bins[KN_PORTRAIT_BINS + 2];
    kn_str         labels[KN_PORTRAIT_BINS + 2];
    size_t         count = 0;
    kn_text        text;
    kn_bars_source source = { .rows = rows, .lost = lost, .axis = axis, .by_axis = true };

    for (size_t i = 0; i < p->nbins; i++)
        all += p->bins[i].before;
    for (size_t i = 0; i < p->nbins; i++) {
        if (!rows[count])
            bins[count] = p->bins[i];
        bins[count].high = p->bins[i].high;
        axis[count] = bins[count].low;
        rows[count] += p->bins[i].before;
        lost[count] += p->bins[i].lost;
        count += rows[count] >= all / PARTS || i + 1 == p->nbins;
    }
    joined.bins = bins;
    joined.nbins = count;
    kn_text_init(&text, s->r->ctx);
    for (size_t i = 0; i < count; i++) {
        const char *kept;

        text.len = 0;
        kn_portrait_bin(&text, &joined, i);
        KN_TRY(kn_text_status(&text));
        kept = kn_arena_text(&s->r->arena, (kn_str){ text.ptr, text.len });
        KN_TRY(KN_HAVE(kept));
        labels[i] = kn_str_of(kept);
    }
    source.count = count;
    source.label = array_label;
    source.user = labels;
    KN_TRY(kn_bars_pick(s, &source, &p->who));
out:
    kn_text_fini(&text);
    return rc;
}

static kanon_status
who_suppressed(kn_portrayed *s)
{
    const kn_problem *p = &s->job->problem;
    kn_bars_source    source = {
           .count = s->count, .rows = s->all, .by_share = true, .label = value_label, .user = s
    };
    uint64_t    *lost;
    kanon_status rc;

    if (s->column < p->learned->nquasi) {
        const uint8_t *levels = s->job->recoding->levels;
        size_t         level = who_level(s);

        s->out->who_note = !levels                    ? "groups of the hierarchy"
                         : level == levels[s->column] ? "groups as released"
                                                      : "groups of a finer level than released";
        return bars_of_level(s, level, &s->out->who);
    }
    s->out->who_note = "values as released";
    if (s->out->kind != KN_SCALE_VALUES)
        return who_bins(s);
    lost = KN_NEW_ARRAY(s->r->ctx, uint64_t, s->count);
    if (!lost)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < s->count; i++)
        lost[i] = s->all[i] - s->kept[i];
    source.lost = lost;
    rc = kn_bars_pick(s, &source, &s->out->who);
    kn_free(s->r->ctx, lost);
    return rc;
}

/* --- for strangers -------------------------------------------------------------------------------- */

/* A column that is released as it is, drawn by somebody who has only the release. */
static kanon_status
portray_outside(const kn_portrayed *inside)
{
    kanon_status rc = KANON_OK;
    kn_portrayed s = *inside;

    if (s.column < s.job->problem.learned->nquasi || inside->out->kind == KN_SCALE_VALUES)
        return KANON_OK;
    s.out = kn_arena_alloc(&s.r->arena, sizeof *s.out);
    if (!s.out)
        return KANON_E_NOMEM;
    memset(s.out, 0, sizeof *s.out);
    s.out->kind = inside->out->kind;
    s.all = s.kept;
    KN_TRY(kn_portrayed_bins(&s));
    if (s.out->kind != KN_SCALE_VALUES)
        KN_TRY(kn_portrayed_after(&s));
    KN_TRY(bars_after(&s));
    inside->out->outside = s.out;
out:
    return rc;
}

/* --- all columns ---------------------------------------------------------------------------------- */

static kanon_status
portray(const kn_job *job, kanon_result *r, size_t column, kn_portrait *out)
{
    kanon_status rc = KANON_OK;
    size_t       count = kn_dict_count(job->problem.learned->columns[column].dict);
    kn_portrayed s = {
        .job = job, .r = r, .column = column, .count = count, .k = r->k, .out = out
    };

    s.k = s.k < 2 ? 2 : s.k; /* with k = 1 nothing is protected, but a report still names nobody */
    s.all = KN_NEW_ARRAY(r->ctx, uint64_t, count);
    s.kept = KN_NEW_ARRAY(r->ctx, uint64_t, count);
    KN_TRY(KN_HAVE(s.all && s.kept));
    count_rows(&s);
    KN_TRY(kn_portrayed_numbers(&s));
    if (out->kind != KN_SCALE_VALUES)
        KN_TRY(kn_portrayed_bins(&s));
    if (out->kind == KN_SCALE_VALUES)
        KN_TRY(bars_of_values(&s));
    if (job->found.feasible) {
        if (out->kind != KN_SCALE_VALUES)
            KN_TRY(kn_portrayed_after(&s));
        KN_TRY(bars_after(&s));
        KN_TRY(portray_outside(&s));
        if (r->suppressed_rows)
            KN_TRY(who_suppressed(&s));
    }
out:
    kn_free(r->ctx, s.all);
    kn_free(r->ctx, s.kept);
    kn_free(r->ctx, s.x);
    return rc;
}

/* Shares of rows in small classes, of the table as it was and of the release. */
static void
expose(const kn_job *job, kanon_result *r)
{
    static const uint64_t sizes[KN_EXPOSURES] = { 2, 3, 5, 10, 11, 20 };
    const kn_table       *table = job->problem.learned->table;
    double                released = (double) r->released_rows;

    for (size_t i = 0; i < KN_EXPOSURES; i++) {
        kn_exposure *e = &r->exposures[i];
        uint64_t     before = 0, after = 0;

        for (size_t t = 0; t < table->ntuples; t++)
            before += table->weights[t] < sizes[i] ? table->weights[t] : 0;
        for (size_t id = 0; job->found.feasible && id < job->grouping.nids; id++)
            if (kn_class_holds(&job->problem.privacy, &job->grouping, id))
                after += job->grouping.sizes[id] < sizes[i] ? job->grouping.sizes[id] : 0;
        *e = (kn_exposure){ sizes[i], r->input_rows ? (double) before / (double) r->input_rows : 0,
                            released > 0 ? (double) after / released : 0 };
    }
}

kanon_status
kn_job_portray(const kn_job *job, kanon_result *r)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = job->problem.learned;

    for (size_t c = 0; c < learned->nquasi + job->problem.nlabels; c++) {
        kn_result_attribute *a = &r->attributes[learned->columns[c].position];

        if (a->role == KN_ROLE_IDENTIFIER || a->dropped)
            continue;
        a->portrait = kn_arena_alloc(&r->arena, sizeof *a->portrait);
        if (!a->portrait)
            return KANON_E_NOMEM;
        memset(a->portrait, 0, sizeof *a->portrait);
        KN_TRY(portray(job, r, c, a->portrait));
    }
    expose(job, r);
out:
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* portrait_bins.c -- numbers and dates of a column as a histogram: round bins over where nearly all rows lie,
 * with ends that are open when few rows lie beyond, so that nobody is recognised by being far out. */
#include <math.h>
#include <stdlib.h>

#include "anonymize/portrait.h"
#include "base/sort.h"

enum { BINS_AIM = 24 };

static const double TAIL = 0.005; /* share of the rows that the ends may hold at each side */

/* --- values as numbers ---------------------------------------------------------------------------- */

static kn_type
type_of(const kn_portrayed *s, const kn_domain *domain)
{
    const kn_problem *p = &s->job->problem;
    kn_type           type;
    uint64_t          odd;

    if (s->column < p->learned->nquasi)
        return p->hierarchies[s->column]->type;
    type = p->attributes[s->column] ? p->attributes[s->column]->type : KN_TYPE_AUTO;
    if (type == KN_TYPE_AUTO)
        type = kn_type_infer(domain);
    return type == KN_TYPE_STRING ? kn_type_guess(domain, &odd) : type;
}

static void
read_numbers(kn_portrayed *s, const kn_domain *domain)
{
    bool whole = true;

    for (size_t i = 0; i < s->count; i++) {
        kn_decimal value;

        s->x[i] = (double) NAN;
        if (i == domain->missing || !kn_decimal_parse(domain->values[i], &value))
            continue;
        s->x[i] = kn_decimal_double(value);
        whole = whole && s->x[i] == floor(s->x[i]);
    }
    s->grain = whole ? 1 : 0;
    s->out->kind = KN_SCALE_NUMBER;
}

static void
read_dates(kn_portrayed *s, const kn_domain *domain)
{
    kn_date_format format;
    bool           ambiguous;

    if (!kn_date_infer(domain, &format, &ambiguous))
        return;
    for (size_t i = 0; i < s->count; i++) {
        kn_date date;

        s->x[i] = (double) NAN;
        if (i != domain->missing && kn_date_parse(domain->values[i], format, &date))
            s->x[i] = 12.0 * date.year + (date.month - 1) + (date.day - 1) / 31.0;
    }
    s->grain = 1 / 31.0;
    s->out->kind = KN_SCALE_MONTH;
}

kanon_status
kn_portrayed_numbers(kn_portrayed *s)
{
    kn_domain domain = kn_learned_domain(s->job->problem.learned, s->column,
                                         s->job->problem.source->name, s->job->problem.config->k);
    kn_type   type = type_of(s, &domain);

    s->out->kind = KN_SCALE_VALUES;
    if (s->count < 3 || (type != KN_TYPE_NUMBER && type != KN_TYPE_DATE))
        return KANON_OK;
    s->x = KN_NEW_ARRAY(s->r->ctx, double, s->count);
    if (!s->x)
        return KANON_E_NOMEM;
    if (type == KN_TYPE_NUMBER)
        read_numbers(s, &domain);
    else
        read_dates(s, &domain);
    return KANON_OK;
}

/* --- bins ----------------------------------------------------------------------------------------- */

typedef struct point {
    double   x;
    uint64_t all, kept;
} point;

static inline bool
left_of(const point *a, const point *b, const void *context)
{
    (void) context;
    return a->x < b->x;
}

KN_DEFINE_SORT(sort_points, point, left_of)

static double
quantile(const point *points, size_t count, uint64_t row)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < count; i++) {
        seen += points[i].all;
        if (seen > row)
            return points[i].x;
    }
    return count ? points[count - 1].x : 0;
}

/* A round width such that about BINS_AIM of them cover the range. */
static double
bin_step(const kn_portrayed *s, double range)
{
    static const double months[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200 };
    double              least = range / BINS_AIM, power, digit;

    if (s->out->kind == KN_SCALE_MONTH) {
        for (size_t i = 0; i < KN_COUNT(months); i++)
            if (months[i] >= least)
                return months[i];
        return 12000;
    }
    power = pow(10, floor(log10(least)));
    digit = least / power;
    digit = digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10;
    return s->grain > 0 && digit * power < 1 ? 1 : digit * power;
}

/* Moves rows from the end bins outwards until the open end holds at least k rows, or nothing at all. */
static void
close_end(kn_bin *bins, size_t *from, size_t *to, uint64_t k, int step, kn_bin *tail)
{
    while (*from < *to && tail->before < k) {
        const kn_bin *end = &bins[step > 0 ? *from : *to - 1];

        if (!tail->before && end->before >= k)
            return;
        tail->before += end->before;
        tail->lost += end->lost;
        if (step > 0)
            ++*from;
        else
            --*to;
    }
}

static kanon_status
keep_bins(kn_portrayed *s, kn_bin *bins, size_t count, kn_bin low, kn_bin high)
{
    kn_portrait *p = s->out;
    size_t       from = 0, to = count;
    double       step = bins[0].high - bins[0].low;

    close_end(bins, &from, &to, s->k, 1, &low);
    close_end(bins, &from, &to, s->k, -1, &high);
    if (from == to) { /* too few rows for a picture */
        p->kind = KN_SCALE_VALUES;
        return KANON_OK;
    }
    p->bins = kn_arena_alloc(&s->r->arena, (to - from + 2) * sizeof *p->bins);
    if (!p->bins)
        return KANON_E_NOMEM;
    if (low.before) {
        p->open_low = true;
        low.high = bins[from].low;
        low.low = low.high - step;
        p->bins[p->nbins++] = low;
    }
    for (size_t i = from; i < to; i++) {
        bins[i].rare = bins[i].before && bins[i].before < s->k;
        p->bins[p->nbins++] = bins[i];
    }
    if (high.before) {
        p->open_high = true;
        high.low = bins[to - 1].high;
        high.high = high.low + step;
        p->bins[p->nbins++] = high;
    }
    return KANON_OK;
}

static kanon_status
fill_bins(kn_portrayed *s, const point *points, size_t count, double from, double to)
{
    double step = bin_step(s, to - from), first = floor(from / step), last = floor(to / step);
    kn_bin bins[2 * BINS_AIM], low = { 0 }, high = { 0 };
    size_t nbins;

    if (!(last - first < 2 * BINS_AIM - 1)) { /* also not when it is no number */
        s->out->kind = KN_SCALE_VALUES;
        return KANON_OK;
    }
    nbins = (size_t) (last - first) + 1;
    memset(bins, 0, sizeof bins);
    for (size_t i = 0; i < nbins; i++) {
        bins[i].low = (first + (double) i) * step;
        bins[i].high = (first + (double) i + 1) * step;
    }
    for (size_t i = 0; i < count; i++) {
        double  at = floor(points[i].x / step) - first;
        kn_bin *bin = at < 0 ? &low : at >= (double) nbins ? &high : &bins[(size_t) at];

        bin->before += points[i].all;
        bin->lost += points[i].all - points[i].kept;
    }
    return keep_bins(s, bins, nbins, low, high);
}

/* Rows at each end that do not stretch the axis: fewer than k of them would be pooled anyway. */
static uint64_t
rows_beyond(const kn_portrayed *s, uint64_t rows)
{
    uint64_t beyond = (uint64_t) (TAIL * (double) rows);

    beyond = beyond < s->k - 1 ? s->k - 1 : beyond;
    return beyond < rows / 4 ? beyond : rows / 4;
}

kanon_status
kn_portrayed_bins(kn_portrayed *s)
{
    kanon_status rc = KANON_OK;
    point       *points = KN_NEW_ARRAY(s->r->ctx, point, s->count);
    size_t       count = 0;
    uint64_t     rows = 0, all = 0, beyond;
    double       low, high;

    if (!points)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < s->count; i++) {
        all += s->all[i];
        if (!isfinite(s->x[i]) || !s->all[i])
            continue;
        rows += s->all[i];
        points[count++] = (point){ s->x[i], s->all[i], s->kept[i] };
    }
    s->out->missing_before = all - rows >= s->k ? all - rows : 0;
    sort_points(points, count, NULL);
    beyond = rows_beyond(s, rows);
    low = quantile(points, count, beyond);
    high = quantile(points, count, rows - 1 - beyond);
    if (count && !(low < high)) {
        low = points[0].x;
        high = points[count - 1].x;
    }
    if (rows < s->k || !(low < high))
        s->out->kind = KN_SCALE_VALUES;
    else
        rc = fill_bins(s, points, count, low, high);
    kn_free(s->r->ctx, points);
    return rc;
}

/* --- after ---------------------------------------------------------------------------------------- */

void
kn_portrayed_spread(kn_portrayed *s, double low, double high, uint64_t rows)
{
    kn_portrait *p = s->out;

    if (!(low <= high)) {
        p->missing_after += (double) rows;
        return;
    }
    high += s->grain;
    for (size_t i = 0; i < p->nbins; i++) {
        kn_bin *bin = &p->bins[i];
        bool    below = i == 0 && p->open_low, above = i + 1 == p->nbins && p->open_high;
        double  from = below || bin->low < low ? low : bin->low;
        double  to = above || bin->high > high ? high : bin->high;

        if (low < high && from < to)
            bin->after += (double) rows * (to - from) / (high - low);
        if (!(low < high) && (below || low >= bin->low) && (above || low < bin->high))
            bin->after += (double) rows;
    }
}

/* Least and greatest value of each group of a level. */
typedef struct extents {
    double *low, *high;
} extents;

static kanon_status
find_extents(const kn_portrayed *s, const kn_level *level, extents *out)
{
    out->low = KN_NEW_ARRAY(s->r->ctx, double, level->ngroups);
    out->high = KN_NEW_ARRAY(s->r->ctx, double, level->ngroups);
    if (!out->low || !out->high)
        return KANON_E_NOMEM;
    for (size_t g = 0; g < level->ngroups; g++) {
        out->low[g] = (double) INFINITY;
        out->high[g] = -(double) INFINITY;
    }
    for (size_t i = 0; i < s->count; i++) {
        size_t g = level->group_of[i];

        if (!isfinite(s->x[i]))
            continue;
        out->low[g] = s->x[i] < out->low[g] ? s->x[i] : out->low[g];
        out->high[g] = s->x[i] > out->high[g] ? s->x[i] : out->high[g];
    }
    return KANON_OK;
}

static void
free_extents(const kn_portrayed *s, extents *e)
{
    kn_free(s->r->ctx, e->low);
    kn_free(s->r->ctx, e->high);
}

/* What is released of a column, while it is spread over the bins. */
typedef struct spreading {
    kn_portrayed *s;
    extents      *levels; /* [levels of the hierarchy] each when it is needed first */
    kanon_status  status;
} spreading;

static void
spread_part(void *user, const kn_released_part *part)
{
    spreading      *p = user;
    kn_portrayed   *s = p->s;
    const kn_level *level;
    extents        *e;
    double          grain = s->grain;

    if (part->level == KN_RECIPE_INTERVAL) {
        s->grain = part->point ? 0 : grain;
        kn_portrayed_spread(s, part->low, part->high, part->rows);
        s->grain = grain;
        return;
    }
    level = &s->job->problem.hierarchies[s->column]->levels[part->level];
    e = &p->levels[part->level];
    if (level->ngroups == 1) { /* one value for all says nothing about where somebody stands */
        s->out->missing_after += (double) part->rows;
        return;
    }
    if (p->status == KANON_OK && !e->low)
        p->status = find_extents(s, level, e);
    if (p->status == KANON_OK)
        kn_portrayed_spread(s, e->low[part->group], e->high[part->group], part->rows);
}

kanon_status
kn_portrayed_after(kn_portrayed *s)
{
    kanon_status       rc = KANON_OK;
    const kn_recoding *recoding = s->job->recoding;
    size_t             nlevels;
    spreading          p = { s, NULL, KANON_OK };

    if (s->column >= s->job->problem.learned->nquasi) { /* released unchanged */
        for (size_t i = 0; i < s->count; i++)
            kn_portrayed_spread(s, s->x[i], s->x[i], s->kept[i]);
        return KANON_OK;
    }
    nlevels = s->job->problem.hierarchies[s->column]->nlevels;
    p.levels = KN_NEW_ARRAY(s->r->ctx, extents, nlevels);
    if (!p.levels)
        return KANON_E_NOMEM;
    KN_TRY(recoding->class->parts(recoding, &s->job->grouping, s->column, spread_part, &p));
    KN_TRY(p.status);
out:
    for (size_t i = 0; i < nlevels; i++)
        free_extents(s, &p.levels[i]);
    kn_free(s->r->ctx, p.levels);
    return rc;
}

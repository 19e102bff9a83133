/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c -- what a release did to pairs of columns: the table of their bins, how strongly they hang together
 * (Cramer's V), and for two numbers their correlations.
 * The two cells of a released row are spread independently of each other, as a reader would.
 * Cost: pairs * distinct rows for the original; for the release, pairs * (distinct rows + distinct pairs of
 * texts * bins^2). */
#include "compare/compare.h"

#include <math.h>

#include "base/sort.h"
#include "hierarchy/build.h"

enum { DIRECT_MOST = 1 << 20, CELLS = (KN_COMPARE_BINS + 1) * (KN_COMPARE_BINS + 1) };

/* Numbers of a column's codes: as they are, and their ranks; NaN where there is none. */
typedef struct scores {
    double *number, *rank;
} scores;

typedef struct pairing {
    kn_compare *compare;
    scores     *scores[2]; /* [columns] of each side; empty for columns of texts */
    double     *counts;    /* [DIRECT_MOST] rows per pair of texts, all zero between uses */
    double      before[CELLS], after[CELLS];
} pairing;

/* --- tables of bins --------------------------------------------------------------------------- */

static void
table_before(pairing *p, size_t a, size_t b)
{
    const kn_compare_side   *s = &p->compare->sides[0];
    const kn_compare_column *ca = &p->compare->columns[a], *cb = &p->compare->columns[b];

    memset(p->before, 0, sizeof p->before);
    for (size_t t = 0; t < s->ntuples; t++)
        p->before[ca->bin_of[kn_codes_at(&s->codes[a], t)] * cb->nbins
                  + cb->bin_of[kn_codes_at(&s->codes[b], t)]] += (double) s->weights[t];
}

static void
add_texts(pairing *p, const kn_compare_column *ca, const kn_compare_column *cb, size_t ta,
          size_t tb, double rows)
{
    for (size_t i = ca->spread_first[ta]; i < ca->spread_first[ta + 1]; i++) {
        double *row = &p->after[ca->spread[i].bin * cb->nbins];
        double  share = rows * ca->spread[i].share;

        for (size_t j = cb->spread_first[tb]; j < cb->spread_first[tb + 1]; j++)
            row[cb->spread[j].bin] += share * cb->spread[j].share;
    }
}

/* Rows with the same two texts are counted first, where there are few pairs of texts. */
static void
table_after(pairing *p, size_t a, size_t b)
{
    const kn_compare_side   *s = &p->compare->sides[1];
    const kn_compare_column *ca = &p->compare->columns[a], *cb = &p->compare->columns[b];
    bool                     direct = ca->ntexts <= DIRECT_MOST / (cb->ntexts ? cb->ntexts : 1);

    memset(p->after, 0, sizeof p->after);
    for (size_t t = 0; t < s->ntuples; t++) {
        size_t ta = kn_codes_at(&s->codes[a], t), tb = kn_codes_at(&s->codes[b], t);

        if (direct)
            p->counts[ta * cb->ntexts + tb] += (double) s->weights[t];
        else
            add_texts(p, ca, cb, ta, tb, (double) s->weights[t]);
    }
    for (size_t i = 0; direct && i < ca->ntexts * cb->ntexts; i++)
        if (p->counts[i] > 0) {
            add_texts(p, ca, cb, i / cb->ntexts, i % cb->ntexts, p->counts[i]);
            p->counts[i] = 0;
        }
}

/* Cramer's V of a table of counts. */
static double
association(const double *table, size_t nrows, size_t ncolumns, double total)
{
    double rows[KN_COMPARE_BINS + 1] = { 0 }, columns[KN_COMPARE_BINS + 1] = { 0 }, sum = 0;
    size_t used_rows = 0, used_columns = 0, least;

    for (size_t i = 0; i < nrows; i++)
        for (size_t j = 0; j < ncolumns; j++) {
            rows[i] += table[i * ncolumns + j];
            columns[j] += table[i * ncolumns + j];
        }
    for (size_t i = 0; i < nrows; i++)
        used_rows += rows[i] > 0;
    for (size_t j = 0; j < ncolumns; j++)
        used_columns += columns[j] > 0;
    least = used_rows < used_columns ? used_rows : used_columns;
    if (least < 2 || total <= 0)
        return (double) NAN;
    for (size_t i = 0; i < nrows; i++)
        for (size_t j = 0; j < ncolumns; j++)
            if (rows[i] > 0 && columns[j] > 0)
                sum += table[i * ncolumns + j] * table[i * ncolumns + j] / (rows[i] * columns[j]);
    sum = (sum - 1) / (double) (least - 1); /* chi-square over n, over its greatest value */
    return sum <= 0 ? 0 : sum >= 1 ? 1 : sqrt(sum);
}

static void
compare_tables(pairing *p, kn_compared_pair *out)
{
    size_t na = p->compare->columns[out->a].nbins, nb = p->compare->columns[out->b].nbins;
    double before = (double) p->compare->sides[0].rows, after = (double) p->compare->sides[1].rows;
    double sum = 0;

    for (size_t i = 0; i < na * nb; i++)
        sum += fabs(p->before[i] / before - p->after[i] / after);
    out->tvd = sum / 2 < 1e-12 ? 0 : sum / 2;
    out->v_before = association(p->before, na, nb, before);
    out->v_after = association(p->after, na, nb, after);
}

/* --- correlations ----------------------------------------------------------------------------- */

static double
number_at(const kn_compare_column *c, size_t side, size_t code)
{
    return side ? c->meanings[code].middle : c->numbers[code];
}

static int
by_number(const void *user, uint32_t a, uint32_t b)
{
    const double *numbers = user;

    return numbers[a] < numbers[b] ? -1 : numbers[a] > numbers[b];
}

/* Ranks of the codes among all cells of the column that are numbers; equal ones, up to the rounding of
 * middles, share theirs. */
static kanon_status
rank_codes(pairing *p, size_t side, size_t column, scores *out)
{
    kn_compare_column *c = &p->compare->columns[column];
    const uint64_t    *rows = side ? c->text_rows : c->rows;
    size_t             n = side ? c->ntexts : c->nvalues, known = 0;
    kn_item           *items = KN_NEW_ARRAY(p->compare->ctx, kn_item, n);
    double             below = 0, same = 1e-9 * (c->max - c->min);
    kanon_status       rc = KANON_OK;

    out->number = kn_compare_array(p->compare, n, sizeof *out->number);
    out->rank = kn_compare_array(p->compare, n, sizeof *out->rank);
    KN_TRY(KN_HAVE(items && out->number && out->rank));
    for (size_t i = 0; i < n; i++) {
        out->number[i] = number_at(c, side, i);
        out->rank[i] = (double) NAN;
        if (!isnan(out->number[i]))
            items[known++] = (kn_item){ 0, (uint32_t) i };
    }
    kn_items_sort(items, known, by_number, out->number);
    for (size_t i = 0, end; i < known; i = end) {
        double together = 0;

        for (end = i;
             end < known && out->number[items[end].code] - out->number[items[i].code] <= same;
             end++)
            together += (double) rows[items[end].code];
        for (size_t j = i; j < end; j++)
            out->rank[items[j].code] = below + together / 2;
        below += together;
    }
out:
    kn_free(p->compare->ctx, items);
    return rc;
}

/* Pearson's correlation over the rows in which both are known; NaN when one does not vary. */
static double
correlation(const kn_compare_side *s, size_t a, size_t b, const double *x, const double *y)
{
    double n = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0, r;

    for (size_t t = 0; t < s->ntuples; t++) {
        double u = x[kn_codes_at(&s->codes[a], t)], v = y[kn_codes_at(&s->codes[b], t)];
        double w = (double) s->weights[t];

        if (!isnan(u) && !isnan(v)) {
            n += w;
            mx += w * u;
            my += w * v;
        }
    }
    if (n <= 0)
        return (double) NAN;
    mx /= n;
    my /= n;
    for (size_t t = 0; t < s->ntuples; t++) {
        double u = x[kn_codes_at(&s->codes[a], t)], v = y[kn_codes_at(&s->codes[b], t)];
        double w = (double) s->weights[t];

        if (!isnan(u) && !isnan(v)) {
            xx += w * (u - mx) * (u - mx);
            yy += w * (v - my) * (v - my);
            xy += w * (u - mx) * (v - my);
        }
    }
    if (xx <= 1e-20 * n * (1 + mx * mx) || yy <= 1e-20 * n * (1 + my * my))
        return (double) NAN;
    r = xy / sqrt(xx * yy);
    return r > 1 ? 1 : r < -1 ? -1 : r;
}

static void
correlate(const pairing *p, kn_compared_pair *out)
{
    double *pearson[2] = { &out->pearson_before, &out->pearson_after };
    double *spearman[2] = { &out->spearman_before, &out->spearman_after };

    for (size_t side = 0; side < 2; side++) {
        const scores *x = &p->scores[side][out->a], *y = &p->scores[side][out->b];

        *pearson[side] = correlation(&p->compare->sides[side], out->a, out->b, x->number,
                                     y->number);
        *spearman[side] = correlation(&p->compare->sides[side], out->a, out->b, x->rank, y->rank);
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static kanon_status
begin(pairing *p, kn_compare *compare)
{
    kanon_status rc = KANON_OK;

    memset(p, 0, sizeof *p);
    p->compare = compare;
    p->counts = KN_NEW_ARRAY(compare->ctx, double, DIRECT_MOST);
    if (!p->counts)
        return KANON_E_NOMEM;
    for (size_t side = 0; side < 2; side++) {
        p->scores[side] = kn_compare_array(compare, compare->ncolumns, sizeof(scores));
        if (!p->scores[side])
            return KANON_E_NOMEM;
        for (size_t i = 0; i < compare->ncolumns; i++)
            if (compare->columns[i].order == KN_TYPE_NUMBER)
                KN_TRY(rank_codes(p, side, i, &p->scores[side][i]));
    }
out:
    return rc;
}

static void
add_shift(double before, double after, double *sum, size_t *count)
{
    if (isnan(before) || isnan(after))
        return;
    *sum += fabs(after - before);
    ++*count;
}

static void
add_up(kanon_comparison *out)
{
    double tvd = 0, pearson = 0, v = 0;
    size_t npearson = 0, nv = 0;

    for (size_t i = 0; i < out->npairs; i++) {
        const kn_compared_pair *pair = &out->pairs[i];

        tvd += pair->tvd;
        add_shift(pair->v_before, pair->v_after, &v, &nv);
        if (pair->numeric)
            add_shift(pair->pearson_before, pair->pearson_after, &pearson, &npearson);
    }
    out->pair_tvd = out->npairs ? tvd / (double) out->npairs : (double) NAN;
    out->pearson_shift = npearson ? pearson / (double) npearson : (double) NAN;
    out->v_shift = nv ? v / (double) nv : (double) NAN;
}

typedef const kn_compared_pair *pair_of;

static bool
changed_more(const pair_of *a, const pair_of *b, const void *context)
{
    (void) context;
    return (*a)->tvd > (*b)->tvd || ((*a)->tvd == (*b)->tvd && *a < *b);
}
KN_DEFINE_SORT(sort_pairs, pair_of, changed_more)

static kanon_status
rank(kanon_comparison *out)
{
    out->worst = kn_arena_alloc(&out->arena, (out->npairs + 1) * sizeof *out->worst);
    if (!out->worst)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < out->npairs; i++)
        out->worst[i] = &out->pairs[i];
    sort_pairs(out->worst, out->npairs, NULL);
    return KANON_OK;
}

kanon_status
kn_compare_pairs(kn_compare *compare, kanon_comparison *out)
{
    kanon_status   rc = KANON_OK;
    pairing        p;
    size_t         n = compare->ncolumns;
    kanon_progress progress = { sizeof progress, "pairs", 0, 0, 0, -1, -1 };

    out->pairs = kn_arena_alloc(&out->arena, (n * (n - 1) / 2 + 1) * sizeof *out->pairs);
    if (!out->pairs)
        return KANON_E_NOMEM;
    KN_TRY(begin(&p, compare));
    for (size_t a = 0; a < n && compare->sides[0].rows && compare->sides[1].rows; a++)
        for (size_t b = a + 1; b < n; b++) {
            kn_compared_pair *pair = &out->pairs[out->npairs++];

            *pair = (kn_compared_pair){ .a = a, .b = b };
            progress.fraction = (double) out->npairs / ((double) n * (double) (n - 1) / 2);
            KN_TRY(kn_progress(compare->ctx, &progress));
            table_before(&p, a, b);
            table_after(&p, a, b);
            compare_tables(&p, pair);
            pair->numeric = compare->columns[a].order == KN_TYPE_NUMBER
                         && compare->columns[b].order == KN_TYPE_NUMBER;
            if (pair->numeric)
                correlate(&p, pair);
        }
    add_up(out);
    KN_TRY(rank(out));
out:
    kn_free(compare->ctx, p.counts);
    return rc;
}

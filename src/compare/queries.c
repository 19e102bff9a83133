/* SPDX-License-Identifier: Apache-2.0 */
/* queries.c -- how well the release answers "how many rows have a in this range and b in that one?".
 * Random questions over one to three of the columns that count for the total; a range is a run of neighbours
 * in a column's order, of at most half its values. A generalized cell counts as the share of its values
 * that the range holds. Cost: questions * distinct rows. */
#include "compare/compare.h"

#include <math.h>

#include "base/rng.h"
#include "hierarchy/build.h"

enum { QUERY_STREAM = 0x71756572 }; /* of the job's seed */

typedef struct range {
    size_t   column;
    uint32_t from, to; /* positions, the last one not included */
} range;

typedef struct asking {
    kn_compare *compare;
    size_t     *columns; /* that are asked about */
    size_t      ncolumns;
    kn_rng      rng;
    range       ranges[KN_QUERY_COLUMNS_MOST];
    size_t      nranges;
    double     *share[KN_QUERY_COLUMNS_MOST]; /* [texts] of a text's values in the range */
    double     *errors;
    uint8_t    *widths; /* columns of each question */
} asking;

static void
draw(asking *a)
{
    size_t most = a->ncolumns < KN_QUERY_COLUMNS_MOST ? a->ncolumns : KN_QUERY_COLUMNS_MOST;

    a->nranges = 1 + (size_t) kn_rng_below(&a->rng, most);
    for (size_t i = 0; i < a->nranges; i++) {
        size_t other = i + (size_t) kn_rng_below(&a->rng, a->ncolumns - i), swap = a->columns[i];
        size_t values, width;

        a->columns[i] = a->columns[other]; /* the first of the list are those drawn */
        a->columns[other] = swap;
        values = a->compare->columns[a->columns[i]].nvalues;
        width = 1 + (size_t) kn_rng_below(&a->rng, (values + 1) / 2);
        a->ranges[i].column = a->columns[i];
        a->ranges[i].from = (uint32_t) kn_rng_below(&a->rng, values - width + 1);
        a->ranges[i].to = a->ranges[i].from + (uint32_t) width;
    }
}

static double
answer_original(const asking *a)
{
    const kn_compare_side *s = &a->compare->sides[0];
    uint64_t               rows = 0;

    for (size_t t = 0; t < s->ntuples; t++) {
        bool in = true;

        for (size_t i = 0; in && i < a->nranges; i++) {
            uint32_t position = kn_codes_at(&s->codes[a->ranges[i].column], t);

            in = position >= a->ranges[i].from && position < a->ranges[i].to;
        }
        rows += in ? s->weights[t] : 0;
    }
    return (double) rows;
}

static double
answer_released(asking *a)
{
    const kn_compare_side *s = &a->compare->sides[1];
    double                 rows = 0;

    for (size_t i = 0; i < a->nranges; i++) {
        const kn_compare_column *c = &a->compare->columns[a->ranges[i].column];

        for (size_t text = 0; text < c->ntexts; text++)
            a->share[i][text] = (double) kn_meaning_within(&c->meanings[text], a->ranges[i].from,
                                                           a->ranges[i].to)
                              / (double) c->meanings[text].count;
    }
    for (size_t t = 0; t < s->ntuples; t++) {
        double share = (double) s->weights[t];

        for (size_t i = 0; share > 0 && i < a->nranges; i++)
            share *= a->share[i][kn_codes_at(&s->codes[a->ranges[i].column], t)];
        rows += share;
    }
    return rows;
}

/* --- statistics ------------------------------------------------------------------------------- */

static int
by_error(const void *user, uint32_t a, uint32_t b)
{
    const double *errors = user;

    return errors[a] < errors[b] ? -1 : errors[a] > errors[b];
}

/* The least error that a share of the questions does not exceed. */
static double
quantile(const double *errors, const kn_item *items, size_t count, unsigned percent)
{
    size_t rank = (count * percent + 99) / 100;

    return errors[items[rank ? rank - 1 : 0].code];
}

/* Of the questions with so many columns; 0: of all. */
static kanon_status
sum_up(const asking *a, size_t width, kn_compared_errors *out)
{
    kanon_status rc = KANON_OK;
    size_t       count = 0;
    kn_item     *items = KN_NEW_ARRAY(a->compare->ctx, kn_item, a->compare->queries);
    double       sum = 0;

    if (!items)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < a->compare->queries; q++)
        if (!width || a->widths[q] == width) {
            items[count++] = (kn_item){ 0, (uint32_t) q };
            sum += a->errors[q];
        }
    out->queries = count;
    if (!count)
        goto out;
    kn_items_sort(items, count, by_error, a->errors);
    out->mean = sum / (double) count;
    out->median = quantile(a->errors, items, count, 50);
    out->p75 = quantile(a->errors, items, count, 75);
    out->p90 = quantile(a->errors, items, count, 90);
    out->p95 = quantile(a->errors, items, count, 95);
    out->max = quantile(a->errors, items, count, 100);
out:
    kn_free(a->compare->ctx, items);
    return rc;
}

/* --- the whole -------------------------------------------------------------------------------- */

static kanon_status
begin(asking *a, const kanon_comparison *out)
{
    kn_compare *compare = a->compare;
    size_t      most = 1;

    a->columns = kn_compare_array(compare, compare->ncolumns, sizeof *a->columns);
    if (!a->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < compare->ncolumns; i++)
        if (out->columns[i].counted) {
            a->columns[a->ncolumns++] = i;
            most = compare->columns[i].ntexts > most ? compare->columns[i].ntexts : most;
        }
    for (size_t i = 0; i < KN_QUERY_COLUMNS_MOST; i++)
        if (!(a->share[i] = kn_compare_array(compare, most, sizeof(double))))
            return KANON_E_NOMEM;
    a->errors = kn_compare_array(compare, compare->queries, sizeof *a->errors);
    a->widths = kn_compare_array(compare, compare->queries, sizeof *a->widths);
    kn_rng_init(&a->rng, compare->config->seed, QUERY_STREAM);
    return a->errors && a->widths ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kn_compare_queries(kn_compare *compare, kanon_comparison *out)
{
    kanon_status   rc = KANON_OK;
    asking         a = { .compare = compare };
    kanon_progress progress = { sizeof progress, "queries", 0, 0, 0, -1, -1 };
    double         floor = (double) compare->sides[0].rows / 1000;

    if (!compare->queries || !compare->sides[0].rows || !compare->sides[1].rows)
        return KANON_OK;
    KN_TRY(begin(&a, out));
    if (!a.ncolumns)
        return KANON_OK;
    floor = floor > 1 ? floor : 1; /* an error of one row in none is not infinite */
    for (uint64_t q = 0; q < compare->queries; q++) {
        double truth;

        progress.fraction = (double) q / (double) compare->queries;
        KN_TRY(kn_progress(compare->ctx, &progress));
        draw(&a);
        truth = answer_original(&a);
        a.errors[q] = fabs(answer_released(&a) - truth) / (truth > floor ? truth : floor);
        a.widths[q] = (uint8_t) a.nranges;
    }
    KN_TRY(sum_up(&a, 0, &out->queries));
    for (size_t i = 0; i < KN_QUERY_COLUMNS_MOST; i++)
        KN_TRY(sum_up(&a, i + 1, &out->by_columns[i]));
out:
    return rc;
}

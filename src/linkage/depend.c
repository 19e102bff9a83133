/* SPDX-License-Identifier: Apache-2.0 */
/* depend.c -- further columns that are a quasi-identifier in another form: a copy of the age, a county that
 * follows from the postcode. Whoever knows the quasi-identifier of a person then knows the column, too, and
 * picks the rows of a class by it: the classes are as small as the column makes them.
 *
 * How strongly y follows from x: rows that agree in x disagree in y so much less often than any two rows do.
 * Within each group of equal x the share of disagreeing pairs is taken, and weighted by its rows less one, so
 * that values of x that occur once, of which nothing can be said, do not count. Where everything is nearly
 * unique, or one value is nearly everywhere, there is too little evidence, and nothing is said. */
#include <assert.h>

#include "linkage/tally.h"

enum {
    ROWS_FEW = 1 << 10, /* that settle most pairs of columns */
    ROWS_MOST = 1 << 15
};

static const double STRONG = 0.95; /* a few postcodes cross a border of counties */
static const double HOPELESS =
    0.85; /* in few rows; those of them that are not are looked at in many */
static const double EVIDENCE = 20; /* disagreements to be expected if they were independent */

typedef struct depender {
    kn_link_view  *view;
    size_t         rows;    /* of all classes that are looked at */
    kn_link_codes *quasi;   /* [nquasi] numbers of their values, per row */
    kn_link_codes  column;  /* the same of a further column */
    uint32_t      *numbers; /* [(nquasi + 1) * rows] of all of them */
    uint32_t      *zero, *pairs, *group_of;
    uint64_t      *groups; /* [rows] sizes */
    kn_link_tally  tally;
} depender;

/* The share of pairs of rows with different numbers. */
static double
disagree(depender *d, const uint32_t *ids, size_t rows)
{
    double same = 0, n = (double) rows;

    memset(d->groups, 0, rows * sizeof *d->groups);
    for (size_t i = 0; i < rows; i++)
        d->groups[ids[i]]++;
    for (size_t i = 0; i < rows; i++)
        same += (double) d->groups[ids[i]] - 1;
    return rows > 1 ? 1 - same / (n * (n - 1)) : 0;
}

/* How strongly y follows from x in the first rows; negative: there is too little evidence. */
static double
strength(depender *d, kn_link_codes x, kn_link_codes y, size_t rows)
{
    uint32_t  npairs = kn_link_number(&d->tally, x, y, rows, d->pairs);
    double    expected = disagree(d, y.of, rows), same = 0, weight = 0;
    uint64_t *sums = d->tally.sums;

    memset(d->groups, 0, rows * sizeof *d->groups);
    memset(sums, 0, npairs * sizeof *sums);
    for (size_t i = 0; i < rows; i++) {
        d->groups[x.of[i]]++;
        sums[d->pairs[i]]++;
        d->group_of[d->pairs[i]] = x.of[i];
    }
    for (uint32_t p = 0; p < npairs; p++) {
        double size = (double) d->groups[d->group_of[p]], n = (double) sums[p];

        same += n * (n - 1) / size;
        weight += n * (size - 1) / size;
    }
    if (weight * expected < EVIDENCE)
        return -1;
    return 1 - (1 - same / weight) / expected;
}

/* The same; most pairs are settled by a few rows. */
static double
follows(depender *d, kn_link_codes x, kn_link_codes y)
{
    double few = d->rows > ROWS_FEW ? strength(d, x, y, ROWS_FEW) : -1;

    return few >= 0 && few < HOPELESS ? few : strength(d, x, y, d->rows);
}

/* Rows of a class adjoin in the sample; here they are far apart, so that the first rows are of many classes.
 * The prime is no divisor of d->rows, which is smaller: every place is filled. */
static kn_link_codes
gather_column(depender *d, unsigned depth, size_t cell, uint32_t *to)
{
    const uint64_t         prime = 2654435761U;
    const kn_class_sample *sample = d->view->sample;
    uint64_t               at = 0;

    for (size_t c = 0; c < sample->nclasses; c++) {
        if (sample->classes[c].records > ROWS_MOST
            || !kn_class_sampled(sample, sample->classes[c].hash, depth))
            continue;
        kn_link_gather(d->view, c, cell, d->view->y);
        for (size_t i = 0; i < sample->classes[c].records; i++)
            to[at++ * prime % d->rows] = d->view->y[i];
    }
    assert(at == d->rows);
    return (kn_link_codes){ to, kn_link_number(&d->tally, (kn_link_codes){ d->zero, 1 },
                                               (kn_link_codes){ to, 0 }, d->rows, to) };
}

/* Classes divided by a cell. */
static kn_link_count
divide(kn_link_view *view, size_t cell)
{
    const kn_class_sample *sample = view->sample;
    kn_link_count          count = { 0 };

    for (size_t c = 0; c < sample->nclasses; c++) {
        kn_link_gather_weights(view, c);
        kn_link_count_groups(view, view->ids, sample->classes[c].records,
                             kn_link_number_column(view, c, cell, view->ids), &count);
    }
    count.alone = kn_link_scaled(view, count.alone, sample->depth);
    count.below = kn_link_scaled(view, count.below, sample->depth);
    return count;
}

/* The dependency of a column on a quasi-identifier, if there is one: whichever of the two is coarser
 * divides the classes. */
static bool
depends(depender *d, size_t column, size_t quasi, kn_linkage *out, kn_dependency *found)
{
    double tells = follows(d, d->column, d->quasi[quasi]);
    double told = follows(d, d->quasi[quasi], d->column);

    if (tells < STRONG && told < STRONG)
        return false;
    *found = (kn_dependency){ .column = column, .quasi = quasi };
    found->kind = told < STRONG ? KN_REFINES : tells < STRONG ? KN_FOLLOWS : KN_COPIES;
    found->strength = told < STRONG ? tells : told;
    found->left = told < STRONG ? divide(d->view, quasi) : out->columns[column];
    return found->left.below > 0;
}

static kanon_status
init_depender(depender *d, unsigned depth)
{
    kanon_ctx *ctx = d->view->ctx;
    size_t     nquasi = d->view->plan->nquasi;

    if (kn_link_tally_init(&d->tally, ctx, d->rows) < 0)
        return KANON_E_NOMEM;
    d->numbers = KN_NEW_ARRAY(ctx, uint32_t, (nquasi + 1) * d->rows);
    d->zero = KN_NEW_ARRAY(ctx, uint32_t, d->rows);
    d->pairs = KN_NEW_ARRAY(ctx, uint32_t, d->rows);
    d->group_of = KN_NEW_ARRAY(ctx, uint32_t, d->rows);
    d->groups = KN_NEW_ARRAY(ctx, uint64_t, d->rows);
    d->quasi = KN_NEW_ARRAY(ctx, kn_link_codes, nquasi);
    if (!d->numbers || !d->zero || !d->pairs || !d->group_of || !d->groups || !d->quasi)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < nquasi; q++)
        d->quasi[q] = gather_column(d, depth, q, d->numbers + (q + 1) * d->rows);
    return KANON_OK;
}

static void
fini_depender(depender *d)
{
    kanon_ctx *ctx = d->view->ctx;

    kn_link_tally_fini(&d->tally);
    kn_free(ctx, d->quasi);
    kn_free(ctx, d->numbers);
    kn_free(ctx, d->zero);
    kn_free(ctx, d->pairs);
    kn_free(ctx, d->group_of);
    kn_free(ctx, d->groups);
}

kanon_status
kn_link_depend(kn_link_view *view, kn_linkage *out)
{
    kanon_status rc = KANON_OK;
    depender     d = { .view = view, .tally.ctx = view->ctx };
    unsigned     depth = kn_link_depth(view, ROWS_MOST, &d.rows);

    if (!view->plan->nquasi || !view->plan->nfurther)
        return KANON_OK;
    KN_TRY(init_depender(&d, depth));
    for (size_t f = 0; f < view->plan->nfurther; f++) {
        kn_dependency *worst = &out->dependencies[out->ndependencies], found;
        bool           any = false;

        if (!out->columns[f].below) /* it divides no class into parts that are too small */
            continue;
        d.column = gather_column(&d, depth, view->plan->nquasi + f, d.numbers);
        for (size_t q = 0; q < view->plan->nquasi; q++)
            if (depends(&d, f, q, out, &found) && (!any || found.left.below > worst->left.below)) {
                *worst = found;
                any = true;
            }
        out->ndependencies += any;
    }
out:
    fini_depender(&d);
    return rc;
}

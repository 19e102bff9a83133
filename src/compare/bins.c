/* SPDX-License-Identifier: Apache-2.0 */
/* bins.c -- values put into at most KN_COMPARE_BINS bins, for tables of two columns and for learning: each
 * value its own where there are few; numbers and dates by rank, so that bins hold similar numbers of rows;
 * of texts the most frequent ones, and one bin for all others. A missing value has a bin of its own.
 * A released text falls into the bins in proportion to the values that it stands for. */
#include "compare/compare.h"

#include "hierarchy/build.h"

/* Dense numbers for bins in order of their values. */
static void
bin_ranks(kn_compare_column *c, size_t most)
{
    uint64_t rows = c->rows_before[c->domain];
    size_t   bins = 0, last = SIZE_MAX;

    for (size_t p = 0; p < c->domain; p++) {
        size_t slot = (size_t) ((double) c->rows_before[p] * (double) most / (double) rows);

        if (slot != last)
            bins++;
        last = slot;
        c->bin_of[p] = (uint32_t) bins - 1;
    }
    c->nbins = bins;
}

/* The most frequent values in order of frequency, ties in order of their texts; the last bin is for the
 * others. */
static kanon_status
bin_frequent(kn_compare *compare, kn_compare_column *c, size_t most)
{
    kn_item *items = KN_NEW_ARRAY(compare->ctx, kn_item, c->domain);

    if (!items)
        return KANON_E_NOMEM;
    for (size_t p = 0; p < c->domain; p++)
        items[p] = (kn_item){ UINT64_MAX - c->rows[p], (uint32_t) p };
    kn_items_sort(items, c->domain, NULL, NULL);
    for (size_t i = 0; i < c->domain; i++)
        c->bin_of[items[i].code] = (uint32_t) (i < most - 1 ? i : most - 1);
    c->nbins = most;
    kn_free(compare->ctx, items);
    return KANON_OK;
}

static kanon_status
bin_values(kn_compare *compare, kn_compare_column *c)
{
    size_t       most = KN_COMPARE_BINS - (c->missing != KN_NO_CODE);
    kanon_status rc = KANON_OK;

    c->bin_of = kn_compare_array(compare, c->nvalues, sizeof *c->bin_of);
    if (!c->bin_of)
        return KANON_E_NOMEM;
    if (c->domain <= most) {
        for (size_t p = 0; p < c->domain; p++)
            c->bin_of[p] = (uint32_t) p;
        c->nbins = c->domain;
    } else if (c->numbers) {
        bin_ranks(c, most);
    } else {
        rc = bin_frequent(compare, c, most);
    }
    if (c->missing != KN_NO_CODE)
        c->bin_of[c->missing] = (uint32_t) c->nbins++;
    return rc;
}

/* counts[bins] of the values of a meaning. Bins of numbers are runs of positions, so long intervals need
 * not be walked value by value. */
static void
count_bins(const kn_compare_column *c, const size_t *ends, const kn_meaning *m, size_t *counts)
{
    memset(counts, 0, c->nbins * sizeof *counts);
    if (m->list || !ends) {
        for (size_t i = 0; i < m->count; i++)
            counts[c->bin_of[m->list ? m->list[i] : m->from + i]]++;
        return;
    }
    for (size_t at = m->from, end = m->from + m->count; at < end;) {
        size_t bin = c->bin_of[at], to = ends[bin] < end ? ends[bin] : end;

        counts[bin] += to - at;
        at = to;
    }
}

static kanon_status
add_spread(kn_compare *compare, kn_compare_column *c, size_t text, const size_t *counts,
           size_t *capacity)
{
    void  *spread = c->spread;
    size_t count = c->spread_first[text];

    if (kn_grow(compare->ctx, &spread, capacity, count + c->nbins, sizeof *c->spread) < 0)
        return KANON_E_NOMEM;
    c->spread = spread;
    for (uint32_t b = 0; b < c->nbins; b++)
        if (counts[b])
            c->spread[count++] = (kn_spread){ b, (double) counts[b]
                                                     / (double) c->meanings[text].count };
    c->spread_first[text + 1] = count;
    return KANON_OK;
}

static kanon_status
spread_texts(kn_compare *compare, kn_compare_column *c)
{
    kanon_status rc = KANON_OK;
    size_t       capacity = 0;
    size_t      *counts = KN_NEW_ARRAY(compare->ctx, size_t, 3 * (KN_COMPARE_BINS + 1));
    size_t      *ends, *all;
    bool         runs = c->numbers || c->nbins == c->nvalues;

    c->spread_first = kn_compare_array(compare, c->ntexts + 1, sizeof *c->spread_first);
    KN_TRY(KN_HAVE(counts && c->spread_first));
    ends = counts + KN_COMPARE_BINS + 1;
    all = ends + KN_COMPARE_BINS + 1;
    for (size_t p = 0; p < c->nvalues; p++) {
        ends[c->bin_of[p]] = p + 1;
        all[c->bin_of[p]]++;
    }
    for (size_t i = 0; i < c->ntexts; i++) {
        const kn_meaning *m = &c->meanings[i];
        bool              any = m->count == c->nvalues;

        if (!any)
            count_bins(c, runs ? ends : NULL, m, counts);
        KN_TRY(add_spread(compare, c, i, any ? all : counts, &capacity));
    }
out:
    kn_free(compare->ctx, counts);
    return rc;
}

kanon_status
kn_compare_bin(kn_compare *compare)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; i < compare->ncolumns; i++) {
        KN_TRY(bin_values(compare, &compare->columns[i]));
        KN_TRY(spread_texts(compare, &compare->columns[i]));
    }
out:
    return rc;
}

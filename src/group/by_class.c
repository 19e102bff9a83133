/* SPDX-License-Identifier: Apache-2.0 */
/* by_class.c -- counting sort of tuples by class, and per-class histograms of sensitive values. */
#include "group/by_class.h"

kanon_status
kn_by_class_init(kn_by_class *by, kanon_ctx *ctx, size_t ntuples, size_t most_ids)
{
    by->ctx = ctx;
    by->nids = 0;
    by->start = kn_alloc_array(ctx, most_ids + 2, sizeof *by->start);
    by->order = kn_alloc_array(ctx, ntuples, sizeof *by->order);
    return by->start && by->order ? KANON_OK : kn_fail_nomem(ctx);
}

void
kn_by_class_fini(kn_by_class *by)
{
    if (!by->ctx)
        return;
    kn_free(by->ctx, by->start);
    kn_free(by->ctx, by->order);
    by->start = NULL;
    by->order = NULL;
}

void
kn_by_class_sort(kn_by_class *by, const kn_grouping *grouping, size_t ntuples)
{
    size_t *next = by->start + 1; /* becomes start when every class has been filled */

    assert(grouping->complete);
    by->nids = grouping->nids;
    memset(by->start, 0, (by->nids + 2) * sizeof *by->start);
    for (size_t t = 0; t < ntuples; t++) {
        assert(grouping->class_of[t] < by->nids);
        by->start[grouping->class_of[t] + 2]++;
    }
    for (size_t id = 1; id < by->nids + 1; id++)
        by->start[id + 1] += by->start[id];
    for (size_t t = 0; t < ntuples; t++)
        by->order[next[grouping->class_of[t]]++] = (uint32_t) t;
}

kanon_status
kn_histogram_init(kn_histogram *h, kanon_ctx *ctx, size_t domain)
{
    h->ctx = ctx;
    h->nseen = 0;
    h->counts = kn_alloc_array(ctx, domain, sizeof *h->counts);
    h->seen = kn_alloc_array(ctx, domain, sizeof *h->seen);
    return h->counts && h->seen ? KANON_OK : kn_fail_nomem(ctx);
}

void
kn_histogram_fini(kn_histogram *h)
{
    if (!h->ctx)
        return;
    kn_free(h->ctx, h->counts);
    kn_free(h->ctx, h->seen);
    h->counts = NULL;
    h->seen = NULL;
}

void
kn_histogram_fill(kn_histogram *h, const kn_table *table, size_t column, const kn_by_class *by,
                  size_t id)
{
    const kn_codes weights = kn_table_entry_weights(table);

    assert(column < table->nsensitive && id < by->nids);
    for (size_t i = by->start[id]; i < by->start[id + 1]; i++) {
        size_t tuple = by->order[i], end = kn_table_first(table, tuple + 1);

        for (size_t e = kn_table_first(table, tuple); e < end; e++) {
            uint32_t code = kn_codes_at(&table->sensitive[column], e);

            if (!h->counts[code])
                h->seen[h->nseen++] = code;
            h->counts[code] += kn_codes_at(&weights, e);
        }
    }
}

void
kn_histogram_clear(kn_histogram *h)
{
    for (size_t i = 0; i < h->nseen; i++)
        h->counts[h->seen[i]] = 0;
    h->nseen = 0;
}

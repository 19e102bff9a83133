/* SPDX-License-Identifier: Apache-2.0 */
/* table.c -- from sealed tuples to narrow columns.
 * The tuples come sorted with the quasi-identifiers first, so equal ones are neighbours and one walk
 * yields tuples, weights and the sensitive entries behind them. Cost: O(tuples * columns). */
#include "table/table.h"

static unsigned
bytes_for(uint64_t domain)
{
    return domain <= 0x100 ? 1 : domain <= 0x10000 ? 2 : 4;
}

/* A weight beyond 32 bits takes several entries; almost never more than one. */
static size_t
pieces(uint64_t weight)
{
    return (size_t) ((weight + UINT32_MAX - 1) / UINT32_MAX);
}

static uint32_t
piece(uint64_t *weight)
{
    uint32_t part = *weight > UINT32_MAX ? UINT32_MAX : (uint32_t) *weight;

    *weight -= part;
    return part;
}

/* How many tuples and entries there will be, and how wide the entries' weights. A heavy tuple is split
 * with all its entries behind the first part, which keeps sums right for every grouping.
 * @return true if entry t simply belongs to tuple t */
static bool
count_tuples(const kn_tuples *tuples, kn_table *table)
{
    uint64_t weight = 0, heaviest = 0;
    bool     one_to_one = true;

    for (size_t i = 0; i < kn_tuples_count(tuples); i++) {
        uint64_t here = kn_tuples_weight(tuples, i);
        size_t   parts = pieces(here);

        table->nentries += parts;
        heaviest = here > heaviest ? here : heaviest;
        one_to_one = one_to_one && parts == 1;
        if (i > 0 && kn_tuples_same(tuples, i - 1, i, table->nquasi)) {
            weight += here;
            one_to_one = false;
            continue;
        }
        table->ntuples += pieces(weight);
        table->distinct++;
        weight = here;
    }
    table->ntuples += pieces(weight);
    table->entry_weights.bytes = bytes_for(heaviest < UINT32_MAX ? heaviest + 1 : UINT32_MAX);
    return one_to_one;
}

static kanon_status
reserve_columns(kn_table *table, const uint32_t *domains)
{
    kanon_ctx *ctx = table->ctx;
    size_t     nquasi = table->nquasi, nsensitive = table->nsensitive;

    table->quasi = KN_NEW_ARRAY(ctx, kn_codes, nquasi);
    table->sensitive = KN_NEW_ARRAY(ctx, kn_codes, nsensitive);
    table->weights = kn_realloc_array(ctx, NULL, table->ntuples, sizeof *table->weights);
    if (!table->quasi || !table->sensitive || !table->weights)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < nquasi + nsensitive; i++) {
        kn_codes *codes = i < nquasi ? &table->quasi[i] : &table->sensitive[i - nquasi];
        size_t    length = i < nquasi ? table->ntuples : table->nentries;

        codes->bytes = bytes_for(domains[i]);
        codes->data = kn_realloc_array(ctx, NULL, length, codes->bytes);
        if (!codes->data)
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

static kanon_status
reserve_entries(kn_table *table)
{
    if (table->nentries >= UINT32_MAX)
        return kn_fail(table->ctx, KANON_E_UNSUPPORTED, "more than 2^32 - 2 distinct rows");
    table->first = KN_NEW_ARRAY(table->ctx, uint32_t, table->ntuples + 1);
    table->entry_weights.data = kn_alloc_array(table->ctx, table->nentries,
                                               table->entry_weights.bytes);
    return table->first && table->entry_weights.data ? KANON_OK : KANON_E_NOMEM;
}

/* Writes the tuples that hold records from..to-1 (equal in the quasi-identifiers). */
static void
fill_tuple(kn_table *table, const kn_tuples *tuples, size_t from, size_t to, size_t *at)
{
    size_t   tuple = at[0], entry = at[1];
    uint64_t weight = 0;

    if (table->first)
        table->first[tuple] = (uint32_t) entry;
    for (size_t r = from; r < to; r++) {
        uint64_t left = kn_tuples_weight(tuples, r);

        weight += left;
        while (table->nsensitive && left) {
            uint32_t part = piece(&left);

            for (size_t s = 0; s < table->nsensitive; s++)
                kn_codes_put(&table->sensitive[s], entry,
                             kn_tuples_code(tuples, r, table->nquasi + s));
            if (table->entry_weights.data)
                kn_codes_put(&table->entry_weights, entry, part);
            entry++;
        }
    }
    for (bool again = true; again; again = weight > 0) {
        for (size_t i = 0; i < table->nquasi; i++)
            kn_codes_put(&table->quasi[i], tuple, kn_tuples_code(tuples, from, i));
        table->weights[tuple++] = piece(&weight);
        if (table->first)
            table->first[tuple] = (uint32_t) entry;
    }
    at[0] = tuple;
    at[1] = entry;
}

kanon_status
kn_table_new(kanon_ctx *ctx, const kn_tuples *tuples, size_t nquasi, size_t nsensitive,
             const uint32_t *domains, kn_table **out)
{
    kanon_status rc = KANON_OK;
    kn_table    *table = KN_NEW(ctx, kn_table);
    size_t       at[2] = { 0, 0 }, count = kn_tuples_count(tuples);
    bool         one_to_one;

    *out = NULL;
    if (!table)
        return KANON_E_NOMEM;
    *table = (kn_table){
        .ctx = ctx, .rows = kn_tuples_rows(tuples), .nquasi = nquasi, .nsensitive = nsensitive
    };
    one_to_one = count_tuples(tuples, table);
    KN_TRY(reserve_columns(table, domains));
    if (nsensitive && !one_to_one)
        KN_TRY(reserve_entries(table));
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && kn_tuples_same(tuples, from, to, nquasi); to++)
            ;
        fill_tuple(table, tuples, from, to, at);
    }
    assert(at[0] == table->ntuples && (!nsensitive || at[1] == table->nentries));
    *out = table;
    table = NULL;
out:
    kn_table_free(table);
    return rc;
}

void
kn_table_free(kn_table *table)
{
    kanon_ctx *ctx;

    if (!table)
        return;
    ctx = table->ctx;
    for (size_t i = 0; table->quasi && i < table->nquasi; i++)
        kn_free(ctx, table->quasi[i].data);
    for (size_t i = 0; table->sensitive && i < table->nsensitive; i++)
        kn_free(ctx, table->sensitive[i].data);
    kn_free(ctx, table->quasi);
    kn_free(ctx, table->sensitive);
    kn_free(ctx, table->weights);
    kn_free(ctx, table->first);
    kn_free(ctx, table->entry_weights.data);
    kn_free(ctx, table);
}

void
kn_table_count(const kn_table *table, size_t quasi, uint64_t *counts, size_t domain)
{
    assert(quasi < table->nquasi);
    memset(counts, 0, domain * sizeof *counts);
    for (size_t t = 0; t < table->ntuples; t++)
        counts[kn_codes_at(&table->quasi[quasi], t)] += table->weights[t];
}

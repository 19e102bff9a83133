/* SPDX-License-Identifier: Apache-2.0 */
/* table.h -- the learned table: distinct quasi-identifier tuples as narrow code columns, with weights
 * and, behind each tuple, the sensitive values that occur with it. Read-only after it was made. */
#ifndef KN_TABLE_H
#define KN_TABLE_H

#include "table/tuples.h"

/** The class of a row that is in none: it is suppressed. */
#define KN_NO_CLASS UINT32_MAX

/** A column of codes in as few bytes as its dictionary needs. */
typedef struct kn_codes {
    unsigned bytes; /* 1, 2 or 4 */
    void    *data;
} kn_codes;

static inline uint32_t
kn_codes_at(const kn_codes *codes, size_t index)
{
    switch (codes->bytes) {
    case 1:
        return ((const uint8_t *) codes->data)[index];
    case 2:
        return ((const uint16_t *) codes->data)[index];
    default:
        return ((const uint32_t *) codes->data)[index];
    }
}

static inline void
kn_codes_put(const kn_codes *codes, size_t index, uint32_t code)
{
    assert(codes->bytes == 4 || code >> 8 * codes->bytes == 0);
    switch (codes->bytes) {
    case 1:
        ((uint8_t *) codes->data)[index] = (uint8_t) code;
        break;
    case 2:
        ((uint16_t *) codes->data)[index] = (uint16_t) code;
        break;
    default:
        ((uint32_t *) codes->data)[index] = code;
    }
}

typedef struct kn_table {
    kanon_ctx *ctx;
    uint64_t   rows;
    size_t     nquasi, nsensitive;
    size_t     ntuples;
    uint64_t   distinct; /* tuples, a split one counted once */
    kn_codes  *quasi;    /* [nquasi], each ntuples long */
    uint32_t
        *weights; /* [ntuples]; a tuple heavier than 2^32 - 1 rows stands there several times */
    /* The sensitive values of tuple t are entries first(t) .. first(t + 1) - 1. */
    size_t    nentries;
    uint32_t *first;         /* [ntuples + 1]; NULL: entry t belongs to tuple t */
    kn_codes *sensitive;     /* [nsensitive], each nentries long */
    kn_codes  entry_weights; /* [nentries] in as few bytes as they need; data NULL: as weights */
} kn_table;

/** Makes a table from sealed tuples whose first nquasi columns are the quasi-identifiers and the
 *  others sensitive. domains[i]: number of codes of column i. */
kanon_status kn_table_new(kanon_ctx *ctx, const kn_tuples *tuples, size_t nquasi, size_t nsensitive,
                          const uint32_t *domains, kn_table **out);
void         kn_table_free(kn_table *table);

static inline size_t
kn_table_first(const kn_table *table, size_t tuple)
{
    assert(tuple <= table->ntuples);
    return table->first ? table->first[tuple] : tuple;
}

static inline uint32_t
kn_table_entry_weight(const kn_table *table, size_t entry)
{
    assert(entry < table->nentries);
    return table->entry_weights.data ? kn_codes_at(&table->entry_weights, entry)
                                     : table->weights[entry];
}

/** The weights of the entries, whichever array holds them. */
static inline kn_codes
kn_table_entry_weights(const kn_table *table)
{
    return table->entry_weights.data ? table->entry_weights
                                     : (kn_codes){ sizeof *table->weights, table->weights };
}

/** A table whose tuples are divided among classes: each tuple of it stands for the rows of one tuple that
 *  are in one class. class_of[rows], rows in the order of the table's entries; less than 2^32 rows.
 *  @param[out] class_of_tuple  [ntuples of out]; the caller frees it, and releases out */
kanon_status kn_table_split(const kn_table *table, const uint32_t *class_of, kn_table **out,
                            uint32_t **class_of_tuple);

/** Rows per code of a quasi-identifier: counts[domain], zeroed here. */
void kn_table_count(const kn_table *table, size_t quasi, uint64_t *counts, size_t domain);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* split.c -- a table whose tuples are divided among classes: rows that look alike but go to different
 * classes become tuples of their own. What is true of a class of tuples can then be asked of any partition
 * of the rows. Cost: O(rows), plus sorting the rows of each tuple that is divided. */
#include "base/sort.h"
#include "table/table.h"

#include <stdlib.h>

/* A row on its way: its class in front, so that sorting brings the classes together. */
typedef struct splitter {
    const kn_table *from;
    const uint32_t *class_of;
    kn_table       *to;
    uint32_t       *class_of_tuple;
    uint64_t       *rows; /* of one tuple: class << 32 | entry */
    size_t          room;
    size_t          tuple, entry; /* written so far */
} splitter;

/* The rows of a tuple in order of class and entry. @return how many */
static kanon_status
gather_rows(splitter *s, size_t tuple, size_t row, size_t *count)
{
    kanon_status rc = KANON_OK;
    size_t       end = kn_table_first(s->from, tuple + 1);
    bool         sorted = true;

    *count = 0;
    for (size_t e = kn_table_first(s->from, tuple); e < end; e++) {
        uint32_t weight = kn_table_entry_weight(s->from, e);
        void    *rows = s->rows;

        KN_TRY(kn_grow(s->from->ctx, &rows, &s->room, *count + weight, sizeof *s->rows));
        s->rows = rows;
        for (uint32_t i = 0; i < weight; i++, row++) {
            s->rows[*count] = (uint64_t) s->class_of[row] << 32 | e;
            sorted = sorted && (!*count || s->rows[*count - 1] <= s->rows[*count]);
            ++*count;
        }
    }
    if (!sorted)
        kn_sort_u64(s->rows, *count);
out:
    return rc;
}

/* Counts or, once there is room, writes the parts of a tuple. */
static void
put_parts(splitter *s, size_t tuple, size_t count, bool write)
{
    kn_table *to = s->to;

    for (size_t i = 0; i < count; i++) {
        bool new_tuple = !i || s->rows[i] >> 32 != s->rows[i - 1] >> 32;
        bool new_entry = new_tuple || s->rows[i] != s->rows[i - 1];

        s->tuple += new_tuple;
        s->entry += new_entry;
        if (!write)
            continue;
        if (new_tuple) {
            for (size_t q = 0; q < to->nquasi; q++)
                kn_codes_put(&to->quasi[q], s->tuple - 1, kn_codes_at(&s->from->quasi[q], tuple));
            s->class_of_tuple[s->tuple - 1] = (uint32_t) (s->rows[i] >> 32);
            if (to->first)
                to->first[s->tuple - 1] = (uint32_t) (s->entry - 1);
        }
        to->weights[s->tuple - 1]++;
        for (size_t c = 0; new_entry && c < to->nsensitive; c++)
            kn_codes_put(&to->sensitive[c], s->entry - 1,
                         kn_codes_at(&s->from->sensitive[c], (uint32_t) s->rows[i]));
        if (to->entry_weights.data)
            kn_codes_put(&to->entry_weights, s->entry - 1,
                         kn_codes_at(&to->entry_weights, s->entry - 1) + 1);
    }
}

static kanon_status
walk(splitter *s, bool write)
{
    kanon_status rc = KANON_OK;
    size_t       count;

    s->tuple = s->entry = 0;
    for (size_t t = 0, row = 0; t < s->from->ntuples; t++, row += count) {
        KN_TRY(gather_rows(s, t, row, &count));
        put_parts(s, t, count, write);
    }
out:
    return rc;
}

static kanon_status
reserve(splitter *s)
{
    const kn_table *from = s->from;
    kn_table       *to = s->to;
    kanon_ctx      *ctx = from->ctx;

    to->ntuples = s->tuple;
    to->nentries = from->nsensitive ? s->entry : s->tuple;
    to->quasi = KN_NEW_ARRAY(ctx, kn_codes, to->nquasi);
    to->sensitive = KN_NEW_ARRAY(ctx, kn_codes, to->nsensitive);
    to->weights = KN_NEW_ARRAY(ctx, uint32_t, to->ntuples);
    s->class_of_tuple = KN_NEW_ARRAY(ctx, uint32_t, to->ntuples);
    if (!to->quasi || !to->sensitive || !to->weights || !s->class_of_tuple)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < to->nquasi + to->nsensitive; i++) {
        bool            quasi = i < to->nquasi;
        const kn_codes *old = quasi ? &from->quasi[i] : &from->sensitive[i - to->nquasi];
        kn_codes       *codes = quasi ? &to->quasi[i] : &to->sensitive[i - to->nquasi];

        codes->bytes = old->bytes;
        codes->data = kn_alloc_array(ctx, quasi ? to->ntuples : to->nentries, codes->bytes);
        if (!codes->data)
            return KANON_E_NOMEM;
    }
    if (!to->nsensitive)
        return KANON_OK;
    to->first = KN_NEW_ARRAY(ctx, uint32_t, to->ntuples + 1);
    to->entry_weights.bytes = kn_table_entry_weights(from).bytes; /* a part weighs no more */
    to->entry_weights.data = kn_alloc_array(ctx, to->nentries, to->entry_weights.bytes);
    if (!to->first || !to->entry_weights.data)
        return KANON_E_NOMEM;
    to->first[to->ntuples] = (uint32_t) to->nentries;
    return KANON_OK;
}

kanon_status
kn_table_split(const kn_table *table, const uint32_t *class_of, kn_table **out,
               uint32_t **class_of_tuple)
{
    kanon_status rc = KANON_OK;
    splitter     s = { table, class_of, KN_NEW(table->ctx, kn_table), NULL, NULL, 0, 0, 0 };

    assert(table->rows < UINT32_MAX);
    *out = NULL;
    *class_of_tuple = NULL;
    if (!s.to)
        return KANON_E_NOMEM;
    s.to->ctx = table->ctx;
    s.to->rows = table->rows;
    s.to->nquasi = table->nquasi;
    s.to->nsensitive = table->nsensitive;
    s.to->distinct = table->distinct;
    KN_TRY(walk(&s, false));
    KN_TRY(reserve(&s));
    KN_TRY(walk(&s, true));
    *out = s.to;
    *class_of_tuple = s.class_of_tuple;
    s.to = NULL;
    s.class_of_tuple = NULL;
out:
    kn_free(table->ctx, s.rows);
    kn_free(table->ctx, s.class_of_tuple);
    kn_table_free(s.to);
    return rc;
}

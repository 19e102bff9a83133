/* SPDX-License-Identifier: Apache-2.0 */
/* learned.c -- a column as `kanon init` would see it, from what the first pass of a job has kept: its
 * dictionary, or the sketch and the sample of a column that nobody learns. */
#include "init/recognise.h"

#include <assert.h>

/* The values that are looked at: at most so many, spread over all. */
enum { VALUES_MOST = 256 };

/* Moves each value once to the front, as in a dictionary: there a filler such as "unknown" in most rows hides
 * nothing. Where so few are left that they tell nothing, the rows do. */
static size_t
each_once(kn_str *values, size_t count)
{
    size_t once = 0;

    for (size_t i = 0; i < count; i++) {
        kn_str value = values[i];
        size_t at = 0;

        while (at < once && !kn_str_equal(values[at], value))
            at++;
        if (at < once)
            continue;
        values[i] = values[once];
        values[once++] = value;
    }
    return once < KN_CELLS_LEAST ? count : once;
}

kanon_status
kn_evidence_look(kanon_ctx *ctx, kn_str *values, size_t count, kn_evidence *out)
{
    kn_domain domain = {
        .column = out->name.ptr, .source = "", .values = values, .missing = KN_NO_CODE
    };
    uint64_t *rows = KN_NEW_ARRAY(ctx, uint64_t, count);
    uint64_t  odd = 0;
    size_t    characters = 0;

    if (!rows)
        return KANON_E_NOMEM;
    domain.count = each_once(values, count);
    for (size_t i = 0; i < domain.count; i++) {
        rows[i] = 1;
        characters += kn_utf8_count(values[i]);
        kn_looks_add(&out->looks, values[i]);
    }
    domain.rows = rows;
    out->type = count ? kn_type_guess(&domain, &odd) : KN_TYPE_STRING;
    out->length = count ? (double) characters / (double) domain.count : 0;
    kn_free(ctx, rows);
    return KANON_OK;
}

kanon_status
kn_evidence_sampled(const kn_sampled *from, size_t column, uint64_t distinct, kn_evidence *out)
{
    kanon_status rc = KANON_OK;
    size_t       rows = from->sample->count, count = 0;
    kn_str      *values = KN_NEW_ARRAY(from->ctx, kn_str, VALUES_MOST);

    if (!values)
        return KANON_E_NOMEM;
    assert(rows <= VALUES_MOST);
    for (size_t row = 0; row < rows; row++) {
        kn_str cell = kn_sample_cell(from->sample, row, column);

        if (cell.len && !kn_is_missing(from->missing, from->nmissing, cell)
            && !kn_str_equal(cell, KN_STR("*")))
            values[count++] = cell;
    }
    KN_TRY(kn_evidence_look(from->ctx, values, count, out));
    if (rows)
        out->filled = (uint64_t) ((double) from->sample->seen * (double) count / (double) rows);
    distinct -= count < rows && distinct; /* the sketch counts the missing one */
    out->distinct = distinct < out->filled ? distinct : out->filled;
out:
    kn_free(from->ctx, values);
    return rc;
}

static kanon_status
from_dictionary(const kn_learned *learned, size_t place, uint64_t distinct, kn_evidence *out)
{
    kanon_status             rc = KANON_OK;
    const kn_learned_column *column = &learned->columns[place];
    uint32_t                 count = kn_dict_count(column->dict), step = count / VALUES_MOST + 1;
    size_t                   looked = 0;
    kn_str                  *values = KN_NEW_ARRAY(learned->ctx, kn_str, VALUES_MOST);

    if (!values)
        return KANON_E_NOMEM;
    for (uint32_t code = 0; code < count; code += step) {
        kn_str value = kn_dict_value(column->dict, code);

        if (code != column->missing && value.len
            && !kn_is_missing(learned->missing, learned->nmissing, value))
            values[looked++] = value;
    }
    KN_TRY(kn_evidence_look(learned->ctx, values, looked, out));
    out->filled = learned->records;
    for (size_t t = 0; t < learned->nmissing && learned->count == SIZE_MAX; t++)
        out->filled -= column->spelled[t];
    distinct -= column->missing != KN_NO_CODE;
    out->distinct = distinct < out->filled ? distinct : out->filled;
out:
    kn_free(learned->ctx, values);
    return rc;
}

kanon_status
kn_evidence_learned(const kn_learned *learned, size_t position, kn_evidence *out)
{
    size_t   place = learned->places[position], count = learned->nquasi + learned->nsensitive;
    uint64_t distinct = kn_learned_values(learned, position);

    *out = (kn_evidence){ .name = kn_str_of(learned->names[position]), .type = KN_TYPE_STRING };
    if (place == SIZE_MAX) /* the counts: no property of anybody */
        return KANON_OK;
    if (place < count)
        return from_dictionary(learned, place, distinct, out);
    return kn_evidence_sampled(&(kn_sampled){ .ctx = learned->ctx,
                                              .sample = &learned->sample,
                                              .missing = learned->missing,
                                              .nmissing = learned->nmissing },
                               place - count, distinct, out);
}

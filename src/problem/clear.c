/* SPDX-License-Identifier: Apache-2.0 */
/* clear.c -- see clear.h. Values are looked at and forgotten: names and counts are all that is kept. */
#include "problem/clear.h"

#include "problem/pseudonym.h"

kanon_status
kn_clear_find(kn_arena *arena, const kanon_config *config, const kn_rows *rows, kn_clear *out)
{
    size_t columns = kn_rows_columns(rows);

    out->count = 0;
    out->columns = kn_arena_alloc(arena, (columns + 1) * sizeof *out->columns);
    if (!out->columns)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < columns; i++) {
        kn_clear_column found = { NULL, i, 0 };

        if (kn_config_role(config, kn_rows_names(rows)[i]) != KN_ROLE_IDENTIFIER)
            continue;
        found.name = kn_arena_text(arena, kn_rows_names(rows)[i]);
        if (!found.name)
            return KANON_E_NOMEM;
        out->columns[out->count++] = found;
    }
    return KANON_OK;
}

/* A cell that hides a part of the value, such as `Ann***`, shows the rest of it. */
void
kn_clear_count(kn_clear *identifiers, const kanon_config *config, const kn_str *cells,
               uint64_t weight)
{
    for (size_t i = 0; i < identifiers->count; i++) {
        kn_str cell = cells[identifiers->columns[i].place];

        if (cell.len && !kn_str_equal(cell, KN_STR("*")) && !kn_config_missing(config, cell)
            && !(kn_pseudonym_shaped(cell)
                 && kn_config_pseudonym(config, kn_str_of(identifiers->columns[i].name))))
            identifiers->columns[i].rows += weight;
    }
}

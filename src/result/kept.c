/* SPDX-License-Identifier: Apache-2.0 */
/* kept.c -- see kept.h. */
#include "result/kept.h"

#include "base/fill.h"
#include "result/describe.h"

void
kn_kept_put(kn_text *text, const kn_kept_set *set, size_t most)
{
    for (size_t i = 0; i < set->ncolumns; i++)
        if (kn_plain_item(text, i, set->ncolumns, most))
            kn_plain_name(text, set->columns[i].name, 0);
    KN_FILL(text, " ({}{}", kn_as_percent(set->kept),
            kn_as_is(set->ncolumns == 1 ? " of its information)" : " of their information)"));
}

static bool
column_has_level(const kn_where *where)
{
    return ((const kn_kept_column *) where->at)->has_level;
}
static const kn_condition leveled = { .holds = column_has_level,
                                      .otherwise = "with local recoding" };

static const kn_field column_fields[] = {
    { "name", KN_AS_TEXT, KN_INSIDE, "name of the column", KN_OF(kn_kept_column, name) },
    { "level", KN_AS_LEVEL, KN_INSIDE, "its generalization level", KN_OF(kn_kept_column, level),
      .given = &leveled },
    { "kept", KN_AS_SHARE, KN_INSIDE, "share of its information that is left in released rows",
      KN_OF(kn_kept_column, kept) },
    KN_FIELDS_END,
};
static const kn_described column_shape = { "kept_column", column_fields };

static const kn_field set_fields[] = {
    { "columns", KN_AS_LIST, KN_INSIDE, "the quasi-identifiers of the set",
      KN_ROWS(kn_kept_set, columns, ncolumns), .shape = &column_shape },
    { "kept", KN_AS_SHARE, KN_INSIDE,
      "share of the information in these columns that is left, suppressed rows counted as lost",
      KN_OF(kn_kept_set, kept) },
    { "kept_of_all", KN_AS_SHARE, KN_INSIDE, "the same of all quasi-identifiers",
      KN_OF(kn_kept_set, kept_of_all) },
    { "suppressed_rows", KN_AS_COUNT, KN_INSIDE, "rows that such a release suppresses",
      KN_OF(kn_kept_set, suppressed) },
    KN_FIELDS_END,
};
const kn_described kn_shape_kept_set = { "kept_set", set_fields };

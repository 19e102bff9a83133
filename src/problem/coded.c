/* SPDX-License-Identifier: Apache-2.0 */
/* coded.c -- numbers are rounded half away from zero, then brought within their bounds; all numbers of a
 * column are written alike, so that two spellings tell nothing. Cost: O(1) a cell. */
#include "problem/coded.h"

#include "encode/scaled.h"
#include "table/mapped.h"

/* Half away from zero. */
static int64_t
round_to(int64_t value, int64_t unit)
{
    int64_t rest = value % unit, size = rest < 0 ? -rest : rest;

    if (size < unit - size)
        return value - rest;
    return value < 0 ? value - rest - unit : value - rest + unit;
}

static int64_t
power_of_ten(unsigned exponent)
{
    int64_t power = 1;

    while (exponent--)
        power *= 10;
    return power;
}

/* The decimals that all numbers of a column are written with. */
static unsigned
decimals_of(const kn_number_coding *how)
{
    unsigned decimals = how->has_round ? how->round.decimals : 0;

    if (how->has_top && how->top.decimals > decimals)
        decimals = how->top.decimals;
    if (how->has_bottom && how->bottom.decimals > decimals)
        decimals = how->bottom.decimals;
    return decimals;
}

/* All of them at the decimals of the finest. */
typedef struct scaled {
    int64_t  value, unit, top, bottom;
    unsigned decimals;
} scaled;

static bool
scale(const kn_number_coding *how, kn_decimal number, scaled *out)
{
    out->decimals = decimals_of(how);
    if (number.decimals > out->decimals)
        out->decimals = number.decimals;
    out->unit = 1;
    out->top = out->bottom = 0;
    return kn_scale_decimal(number, out->decimals, &out->value)
        && (!how->has_round || kn_scale_decimal(how->round, out->decimals, &out->unit))
        && (!how->has_top || kn_scale_decimal(how->top, out->decimals, &out->top))
        && (!how->has_bottom || kn_scale_decimal(how->bottom, out->decimals, &out->bottom));
}

/* What becomes of a number. @return false: it stays as it is written */
static bool
code_number(const kn_number_coding *how, scaled *s)
{
    int64_t value = how->has_round ? round_to(s->value, s->unit) : s->value;
    bool    above = how->has_top && (s->value >= s->top || value >= s->top);
    bool    below = how->has_bottom && (s->value <= s->bottom || value <= s->bottom);

    s->value = above ? s->top : below ? s->bottom : value;
    return how->has_round || above || below;
}

static kanon_status
refuse_cell(const kn_cell_map *map, const kn_rows *rows, const char *why)
{
    return kn_rows_fail(rows, KANON_E_INVALID, "column '%s' is rounded or has bounds, but %s",
                        map->column, why);
}

static kanon_status
code_cell(const kn_cell_map *map, const kn_rows *rows, kn_str *cell, kn_text *room)
{
    const kn_number_coding *how = &((const kn_attribute *) map->what)->coding;
    kn_number_style         style = { .decimals = decimals_of(how) };
    kn_decimal              number;
    scaled                  s;

    if (kn_config_missing(map->config, *cell))
        return KANON_OK;
    if (!kn_decimal_parse(*cell, &number))
        return refuse_cell(map, rows,
                           "a cell is not a number; correct it, or name it with --missing");
    if (kn_maybe_thousands(*cell))
        return refuse_cell(map, rows,
                           "a cell may have a decimal comma or one between thousands; write it "
                           "without");
    if (!scale(how, number, &s))
        return refuse_cell(map, rows, "a number is too large to be computed exactly");
    if (!code_number(how, &s))
        return KANON_OK;
    if (style.decimals && memchr(cell->ptr, ',', cell->len))
        return refuse_cell(map, rows,
                           "has decimal commas; round it to whole numbers, with whole bounds");
    kn_text_add_scaled(room, &style, s.value / power_of_ten(s.decimals - style.decimals));
    *cell = (kn_str){ room->ptr, room->len };
    return kn_text_status(room);
}

/* --- columns --------------------------------------------------------------------------------------- */

static kanon_status
refuse(kanon_ctx *ctx, const kn_attribute *a, const char *why)
{
    return kn_fail_at(ctx, KANON_E_INVALID, a->coding.at.file, a->coding.at.line, "column '%s': %s",
                      a->name, why);
}

static kanon_status
check_column(kanon_ctx *ctx, const kn_attribute *a)
{
    const kn_number_coding *how = &a->coding;
    scaled                  s;

    if (!kn_attribute_coded(a))
        return KANON_OK;
    if (a->role == KN_ROLE_QUASI)
        return refuse(ctx, a,
                      "round, top and bottom are for sensitive and insensitive columns; give a "
                      "quasi-identifier a hierarchy such as range:1000,top=200000");
    if (a->role == KN_ROLE_IDENTIFIER)
        return refuse(ctx, a,
                      "round, top and bottom are for sensitive and insensitive columns; of an "
                      "identifier no number is released");
    if (!scale(how, (kn_decimal){ 0, 0 }, &s))
        return refuse(ctx, a, "round, top or bottom is too large");
    if (how->has_top && how->has_bottom && s.bottom >= s.top)
        return refuse(ctx, a, "bottom is not below top; change one of them");
    return KANON_OK;
}

kanon_status
kn_coded_check(kanon_ctx *ctx, const kanon_config *config)
{
    kanon_status rc = KANON_OK;

    for (size_t i = 0; rc == KANON_OK && i < config->nattributes; i++)
        rc = check_column(ctx, &config->attributes[i]);
    return rc;
}

kanon_status
kn_coded_new(kanon_ctx *ctx, const kanon_config *config, kn_rows_source *of, kn_rows_source **out)
{
    kanon_status rc;
    size_t       count = 0;
    kn_cell_map *maps = KN_NEW_ARRAY(ctx, kn_cell_map, config->nattributes);

    if (!maps)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < config->nattributes; i++)
        if (kn_attribute_coded(&config->attributes[i]))
            maps[count++] = (kn_cell_map){ config->attributes[i].name, code_cell,
                                           &config->attributes[i], config };
    rc = kn_mapped_new(ctx, of, maps, count, out);
    kn_free(ctx, maps);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* params.c -- an algorithm's own settings, checked against its table. */
#include "base/text.h"
#include "search/search.h"

/* Index of a word in "on|off|auto", or -1. */
static int
choice_index(const char *choices, kn_str word)
{
    kn_str rest = kn_str_of(choices), piece;
    int    index = 0;

    while (kn_str_split(&rest, '|', &piece)) {
        if (kn_str_equal(piece, word))
            return index;
        index++;
    }
    return -1;
}

static kanon_status
parse_value(kanon_ctx *ctx, const kanon_param *param, const char *text, double *value)
{
    kn_decimal number;

    if (strchr(param->type, '|')) {
        int index = choice_index(param->type, kn_str_of(text));

        if (index < 0)
            return kn_fail(ctx, KANON_E_INVALID, "param %s: '%s' is not valid; expected one of %s",
                           param->name, text, param->type);
        *value = index;
        return KANON_OK;
    }
    if (!kn_decimal_parse_strict(kn_str_of(text), &number)
        || (strcmp(param->type, "integer") == 0 && number.decimals > 0))
        return kn_fail(ctx, KANON_E_INVALID,
                       "param %s: '%s' is not a %s; expected one from %.15g to %.15g", param->name,
                       text, strcmp(param->type, "integer") == 0 ? "whole number" : param->type,
                       param->min, param->max);
    *value = kn_decimal_double(number);
    if (*value < param->min || *value > param->max)
        return kn_fail(ctx, KANON_E_INVALID,
                       "param %s: %s is out of bounds; expected %.15g to %.15g", param->name, text,
                       param->min, param->max);
    return KANON_OK;
}

static kanon_status
unknown_param(kanon_ctx *ctx, const kanon_algorithm *algorithm, const char *key)
{
    const char *names[64] = { NULL }, *nearest;
    size_t      count = 0;

    for (const kanon_param *p = algorithm->params; p->name && count + 1 < KN_COUNT(names); p++)
        names[count++] = p->name;
    nearest = kn_nearest(key, names);
    if (nearest)
        return kn_fail(ctx, KANON_E_INVALID,
                       "param %s: %s has no such parameter; did you mean '%s'?", key,
                       algorithm->name, nearest);
    return kn_fail(ctx, KANON_E_INVALID,
                   "param %s: %s has no such parameter; `kanon algorithms` lists them", key,
                   algorithm->name);
}

bool
kn_params_know(const kanon_param *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return true;
    return false;
}

kanon_status
kn_params_parse(kanon_ctx *ctx, const kanon_algorithm *algorithm, const kn_setting *params,
                size_t nparams, double *values)
{
    const kanon_param *table = algorithm->params;
    kanon_status       rc;
    size_t             i;

    for (i = 0; table[i].name; i++)
        if ((rc = parse_value(ctx, &table[i], table[i].fallback, &values[i])) < 0)
            return rc;
    for (size_t p = 0; p < nparams; p++) {
        for (i = 0; table[i].name; i++)
            if (strcmp(table[i].name, params[p].key) == 0)
                break;
        if (!table[i].name)
            return unknown_param(ctx, algorithm, params[p].key);
        if ((rc = parse_value(ctx, &table[i], params[p].value, &values[i])) < 0)
            return rc;
    }
    return KANON_OK;
}

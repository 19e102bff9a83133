/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c -- what a config says about single columns: role, type, hierarchy, levels, weight, coding ... */
#include "base/text.h"
#include "config/setter.h"

kanon_status
kn_column_get(const kn_setter *setter, kn_str column, kn_attribute **out)
{
    kanon_config       *config = setter->config;
    void               *attributes = config->attributes, *names = config->names;
    size_t              count = config->nattributes;
    const kn_attribute *there = kn_config_attribute(config, column);
    char               *copy;

    *out = there ? &config->attributes[there - config->attributes] : NULL;
    if (*out)
        return KANON_OK;
    if (column.len == 0)
        return kn_fail_at(config->ctx, KANON_E_INVALID, setter->file, setter->line,
                          "%s: a column name is empty; name a column", setter->name);
    if (count == KN_ATTRIBUTES_MOST)
        return kn_fail_at(config->ctx, KANON_E_INVALID, setter->file, setter->line,
                          "%s: too many columns; the maximum is %d", setter->name,
                          KN_ATTRIBUTES_MOST);
    copy = kn_arena_text(&config->arena, column);
    if (!copy)
        return KANON_E_NOMEM;
    if (kn_grow(config->ctx, &names, &config->names_capacity, count + 1, sizeof *config->names) < 0)
        return KANON_E_NOMEM;
    config->names = names;
    if (kn_grow(config->ctx, &attributes, &config->attributes_capacity, count + 1,
                sizeof *config->attributes)
        < 0)
        return KANON_E_NOMEM;
    config->attributes = attributes;
    config->names[count] = (kn_str){ copy, column.len };
    if (kn_config_note_name(config, count) < 0)
        return KANON_E_NOMEM;
    *out = &config->attributes[count];
    memset(*out, 0, sizeof **out);
    (*out)->name = copy;
    (*out)->weight = 1;
    (*out)->levels = (kn_level_limits){ KN_ANY_LEVEL, KN_ANY_LEVEL, KN_ANY_LEVEL, { NULL, 0 } };
    (*out)->file = setter->file;
    (*out)->line = setter->line;
    config->nattributes++;
    return KANON_OK;
}

/* --- names in lists ---------------------------------------------------------------------------- */

/* Undoes doubled quotes; the copy is in the arena. */
static kanon_status
unquote(const kn_setter *setter, kn_str inner, kn_str *name)
{
    char  *copy = kn_arena_text(&setter->config->arena, inner);
    size_t len = 0;

    if (!copy)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < inner.len; i++) {
        copy[len++] = inner.ptr[i];
        if (inner.ptr[i] == '"')
            i++;
    }
    copy[len] = 0;
    *name = (kn_str){ copy, len };
    return KANON_OK;
}

kanon_status
kn_column_take(const kn_setter *setter, kn_str *rest, char separator, kn_str *name, bool *found)
{
    kn_str text = kn_str_trim(*rest);
    size_t at = 1;

    if (text.len && text.ptr[0] == '"') {
        while (at < text.len
               && (text.ptr[at] != '"' || (at + 1 < text.len && text.ptr[at + 1] == '"')))
            at += text.ptr[at] == '"' ? 2 : 1;
        if (at < text.len) {
            kn_str inner = { text.ptr + 1, at - 1 };
            kn_str tail = kn_str_trim((kn_str){ text.ptr + at + 1, text.len - at - 1 });

            *found = tail.len > 0 && tail.ptr[0] == separator;
            if (tail.len == 0 || *found) {
                *rest = *found ? (kn_str){ tail.ptr + 1, tail.len - 1 } : tail;
                return unquote(setter, inner, name);
            }
        }
    }
    kn_str_split(rest, separator, name);
    *found = rest->ptr != NULL;
    return KANON_OK;
}

/* --- roles ------------------------------------------------------------------------------------- */

/* Within one config file, or on one command line, a column has one role; a later source wins over an
 * earlier one. */
kanon_status
kn_column_role(const kn_setter *setter, kn_str column, kn_role role)
{
    kn_attribute *attribute;
    kanon_status  rc = kn_column_get(setter, column, &attribute);

    if (rc < 0)
        return rc;
    if (attribute->role != KN_ROLE_NONE && attribute->role != role
        && attribute->file == setter->file)
        return kn_fail_at(setter->config->ctx, KANON_E_INVALID, setter->file, setter->line,
                          "column '%s' has two roles, %s and %s; give it one", attribute->name,
                          kn_role_name(attribute->role), kn_role_name(role));
    attribute->role = role;
    attribute->file = setter->file;
    attribute->line = setter->line;
    return KANON_OK;
}

typedef struct word {
    const char *name;
    int         value;
} word;

static bool
find_word(const word *words, kn_str text, int *value)
{
    for (; words->name; words++)
        if (kn_str_equal(kn_str_of(words->name), text)) {
            *value = words->value;
            return true;
        }
    return false;
}

kanon_status
kn_set_role(const kn_setter *setter, kn_str column, kn_str role)
{
    static const word roles[] = {
        { "identifier", KN_ROLE_IDENTIFIER },
        { "quasi", KN_ROLE_QUASI },
        { "sensitive", KN_ROLE_SENSITIVE },
        { "insensitive", KN_ROLE_INSENSITIVE },
        { "qi", KN_ROLE_QUASI },
        { "quasi_identifier", KN_ROLE_QUASI },
        { "quasi-identifier", KN_ROLE_QUASI },
        { "id", KN_ROLE_IDENTIFIER },
        { "identifying", KN_ROLE_IDENTIFIER },
        { NULL, 0 },
    };
    int value;

    if (!find_word(roles, role, &value))
        return kn_setter_refuse(setter, role, "identifier, quasi, sensitive or insensitive");
    return kn_column_role(setter, column, (kn_role) value);
}

/* --- type, hierarchy, weight, grid ------------------------------------------------------------- */

/* More than a ratio that anybody means, and far from what a sum of doubles can hold. */
static const double WEIGHT_MOST = 1e9;

kanon_status
kn_set_type(const kn_setter *setter, kn_str column, kn_str type)
{
    static const word types[] = {
        { "number", KN_TYPE_NUMBER },  { "date", KN_TYPE_DATE },
        { "string", KN_TYPE_STRING },  { "place", KN_TYPE_PLACE },
        { "integer", KN_TYPE_NUMBER }, { "decimal", KN_TYPE_NUMBER },
        { "numeric", KN_TYPE_NUMBER }, { "text", KN_TYPE_STRING },
        { "auto", KN_TYPE_AUTO },      { NULL, 0 },
    };
    kn_attribute *attribute;
    int           value;
    kanon_status  rc;

    if (!find_word(types, type, &value))
        return kn_setter_refuse(setter, type, "number, date, string or place");
    rc = kn_column_get(setter, column, &attribute);
    if (rc == KANON_OK)
        attribute->type = (kn_type) value;
    return rc;
}

kanon_status
kn_set_hierarchy(const kn_setter *setter, kn_str column, kn_str spec)
{
    kanon_config *config = setter->config;
    kn_attribute *attribute;
    kn_hier_spec  parsed;
    kanon_status  rc = kn_column_get(setter, column, &attribute);

    if (rc < 0)
        return rc;
    memset(&parsed, 0, sizeof parsed);
    rc = kn_hier_spec_parse(config->ctx, &config->arena, attribute->name, spec, setter->folder,
                            &parsed);
    if (rc < 0)
        return kn_setter_place(setter, rc);
    attribute->hierarchy = parsed;
    attribute->has_hierarchy = true;
    return KANON_OK;
}

const char *const kn_importance_names[] = { "", "low", "normal", "high", NULL };

/* What each word weighs. */
static const double IMPORTANCE[] = { 1, 1.0 / 3, 1, 3 };

/* Within one source a column is weighed by a number or in words; a later source wins over an earlier one. */
static kanon_status
weigh(const kn_setter *setter, kn_str column, double weight, kn_importance importance)
{
    kn_attribute *attribute;
    kanon_status  rc = kn_column_get(setter, column, &attribute);

    if (rc < 0)
        return rc;
    if (attribute->has_weight && attribute->weight_file == setter->file
        && (attribute->importance == KN_IMPORTANCE_NONE) != (importance == KN_IMPORTANCE_NONE))
        return kn_fail_at(setter->config->ctx, KANON_E_INVALID, setter->file, setter->line,
                          "column '%s' has a weight and an importance; give it one of them",
                          attribute->name);
    attribute->weight = weight;
    attribute->importance = importance;
    attribute->weight_file = setter->file;
    attribute->has_weight = true;
    setter->config->weight_at = (kn_place){ setter->file, setter->line };
    return KANON_OK;
}

kanon_status
kn_set_importance(const kn_setter *setter, kn_str column, kn_str importance)
{
    for (unsigned i = KN_IMPORTANCE_LOW; i <= KN_IMPORTANCE_HIGH; i++)
        if (kn_str_equal(importance, kn_str_of(kn_importance_names[i])))
            return weigh(setter, column, IMPORTANCE[i], (kn_importance) i);
    return kn_setter_refuse(setter, importance, "low, normal or high");
}

kanon_status
kn_set_weight(const kn_setter *setter, kn_str column, kn_str weight)
{
    kn_decimal number;

    if (!kn_decimal_parse_strict(weight, &number) || number.mantissa < 0
        || kn_decimal_double(number) > WEIGHT_MOST)
        return kn_setter_refuse(setter, weight, "a number from 0 to 1e9");
    return weigh(setter, column, kn_decimal_double(number), KN_IMPORTANCE_NONE);
}

kanon_status
kn_set_grid(const kn_setter *setter, kn_str column, kn_str width)
{
    kn_attribute *attribute;
    kn_decimal    number;
    kanon_status  rc;

    if (!kn_decimal_parse_strict(width, &number) || number.mantissa <= 0)
        return kn_setter_refuse(setter, width, "a number above 0, the width of the grid");
    rc = kn_column_get(setter, column, &attribute);
    if (rc < 0)
        return rc;
    attribute->grid = number;
    return KANON_OK;
}

/* --- levels ------------------------------------------------------------------------------------ */

/* Whether the hierarchy has such a level is known when it is made. field: of kn_level_limits */
static kanon_status
set_limit(const kn_setter *setter, kn_str column, kn_str text, size_t field)
{
    kn_attribute *attribute;
    unsigned      level = 0;
    kanon_status  rc;

    for (size_t i = 0; i < text.len && level < KN_ANY_LEVEL; i++)
        level = kn_is_digit(text.ptr[i]) ? level * 10 + (unsigned) (text.ptr[i] - '0')
                                         : KN_ANY_LEVEL;
    if (!text.len || level >= KN_ANY_LEVEL)
        return kn_setter_refuse(setter, text, "a level of the hierarchy, from 0 to 255");
    rc = kn_column_get(setter, column, &attribute);
    if (rc < 0)
        return rc;
    *(unsigned *) ((char *) &attribute->levels + field) = level;
    attribute->levels.at = (kn_place){ setter->file, setter->line };
    return KANON_OK;
}

kanon_status
kn_set_min_level(const kn_setter *setter, kn_str column, kn_str level)
{
    return set_limit(setter, column, level, offsetof(kn_level_limits, min));
}

kanon_status
kn_set_max_level(const kn_setter *setter, kn_str column, kn_str level)
{
    return set_limit(setter, column, level, offsetof(kn_level_limits, max));
}

kanon_status
kn_set_level(const kn_setter *setter, kn_str column, kn_str level)
{
    return set_limit(setter, column, level, offsetof(kn_level_limits, fixed));
}

bool
kn_levels_limited(const kn_level_limits *limits)
{
    return limits->min < KN_ANY_LEVEL || limits->max < KN_ANY_LEVEL || limits->fixed < KN_ANY_LEVEL;
}

/* --- pseudonyms ----------------------------------------------------------------------------------- */

kanon_status
kn_set_pseudonym(const kn_setter *setter, kn_str column)
{
    kn_attribute *attribute;
    kanon_status  rc = kn_column_role(setter, column, KN_ROLE_IDENTIFIER);

    if (rc == KANON_OK)
        rc = kn_column_get(setter, column, &attribute);
    if (rc == KANON_OK)
        attribute->pseudonym = true;
    return rc;
}

kanon_status
kn_set_pseudonym_of(const kn_setter *setter, kn_str column, kn_str value)
{
    kn_attribute *attribute;
    kanon_status  rc;

    if (kn_str_equal(value, KN_STR("true")) || kn_str_equal(value, KN_STR("yes")))
        return kn_set_pseudonym(setter, column);
    if (!kn_str_equal(value, KN_STR("false")) && !kn_str_equal(value, KN_STR("no")))
        return kn_setter_refuse(setter, value, "true or false");
    rc = kn_column_get(setter, column, &attribute);
    if (rc == KANON_OK)
        attribute->pseudonym = false;
    return rc;
}

/* --- coding of numbers --------------------------------------------------------------------------- */

static kanon_status
get_coding(const kn_setter *setter, kn_str column, kn_number_coding **out)
{
    kn_attribute *attribute;
    kanon_status  rc = kn_column_get(setter, column, &attribute);

    if (rc < 0)
        return rc;
    *out = &attribute->coding;
    (*out)->at = (kn_place){ setter->file, setter->line };
    return KANON_OK;
}

kanon_status
kn_set_round(const kn_setter *setter, kn_str column, kn_str unit)
{
    kn_number_coding *coding;
    kn_decimal        number;
    kanon_status      rc;

    if (!kn_decimal_parse_strict(unit, &number) || number.mantissa <= 0)
        return kn_setter_refuse(setter, unit, "a number above 0, the unit to round to");
    rc = get_coding(setter, column, &coding);
    if (rc < 0)
        return rc;
    coding->round = number;
    coding->has_round = true;
    return KANON_OK;
}

static kanon_status
set_bound(const kn_setter *setter, kn_str column, kn_str bound, bool above)
{
    kn_number_coding *coding;
    kn_decimal        number;
    kanon_status      rc;

    if (!kn_decimal_parse_strict(bound, &number))
        return kn_setter_refuse(setter, bound, "a number");
    rc = get_coding(setter, column, &coding);
    if (rc < 0)
        return rc;
    *(above ? &coding->top : &coding->bottom) = number;
    *(above ? &coding->has_top : &coding->has_bottom) = true;
    return KANON_OK;
}

kanon_status
kn_set_top(const kn_setter *setter, kn_str column, kn_str bound)
{
    return set_bound(setter, column, bound, true);
}

kanon_status
kn_set_bottom(const kn_setter *setter, kn_str column, kn_str bound)
{
    return set_bound(setter, column, bound, false);
}

bool
kn_attribute_coded(const kn_attribute *attribute)
{
    return attribute->coding.has_round || attribute->coding.has_top || attribute->coding.has_bottom;
}

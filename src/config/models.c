/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the settings of the privacy models beyond k: text in, checked value in the config out. What
 * there is to set, and what a value asks for, is told by the list of models (privacy/registry.h). */
#include "base/text.h"
#include "config/setter.h"

#include <assert.h>

/* More than any table has rows, and exact as a double. */
#define WHOLE_MOST 4294967295.0
#define NUMBER_MOST 1e9

static const double OFF = -1;

/* What the values of a setting may be. */
static const struct {
    double      most;
    const char *expected;
} bounds[] = {
    [KN_ASKS_COUNT] = { WHOLE_MOST, "a whole number, or off" },
    [KN_ASKS_DEGREE] = { WHOLE_MOST, "a whole number, or off" },
    [KN_ASKS_SHARE] = { 1, "a fraction from 0 to 1, or off" },
    [KN_ASKS_NUMBER] = { NUMBER_MOST, "a number of at least 0, or off" },
    [KN_ASKS_POSITIVE] = { NUMBER_MOST, "a number above 0, or off" },
    [KN_ASKS_RANGE] = { 1, "a fraction from 0 to 1, or two of them: MIN,MAX; or off" },
    [KN_ASKS_COLUMN] = { 0, "the name of a column" },
};

/* --- what is asked for --------------------------------------------------------------------------------- */

void
kn_config_no_models(kanon_config *config)
{
    const kn_model_setting *setting;
    kn_decimal              number;

    config->models = (kn_model_settings){ .population = NULL };
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        kn_asked *asked = &config->models.asked[i];

        asked->value = asked->given = OFF;
        if (setting->other.fallback
            && kn_decimal_parse_strict(kn_str_of(setting->other.fallback), &number))
            asked->other = kn_decimal_double(number);
    }
}

const kn_asked *
kn_config_asked(const kanon_config *config, const kn_model_setting *setting)
{
    return &config->models.asked[kn_model_setting_index(setting)];
}

bool
kn_asked_on(const kn_asked *asked)
{
    return asked->value >= 0 || asked->column;
}

const kn_model_setting *
kn_config_asks(const kanon_config *config, kn_scope scope)
{
    const kn_model_setting *setting;

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++)
        if (setting->scope == scope && kn_asked_on(&config->models.asked[i]))
            return setting;
    return scope == KN_OF_SENSITIVE && config->nown_models ? config->own_models[0]->setting : NULL;
}

const char *
kn_config_entity(const kanon_config *config)
{
    return kn_config_asked(config, &kn_entity_setting)->column;
}

/* --- reading values ------------------------------------------------------------------------------------ */

/* A number of at least 0, or "off". */
static bool
parse_limit(kn_str text, double *out)
{
    kn_decimal number;

    *out = OFF;
    if (kn_str_equal(text, KN_STR("off")))
        return true;
    if (!kn_decimal_parse_strict(text, &number) || number.mantissa < 0)
        return false;
    *out = kn_decimal_double(number);
    return true;
}

/* MAX, or MIN,MAX. */
static bool
parse_range(kn_str text, double *low, double *high)
{
    kn_str first;

    *low = 0;
    kn_str_split(&text, ',', &first);
    if (!parse_limit(first, high))
        return false;
    if (!text.ptr)
        return true;
    *low = *high;
    return *low >= 0 && parse_limit(kn_str_trim(text), high) && *high >= *low;
}

/* A value in the bounds of its setting; "off" is. */
static bool
parse_value(const kn_model_setting *setting, kn_str text, double *low, double *value)
{
    *low = 0;
    if (setting->asks == KN_ASKS_RANGE ? !parse_range(text, low, value) : !parse_limit(text, value))
        return false;
    if (setting->asks == KN_ASKS_COUNT && *value >= 0 && *value <= WHOLE_MOST
        && *value != (double) (uint64_t) *value)
        return false;
    if (setting->asks == KN_ASKS_POSITIVE && *value == 0)
        return false;
    return *value <= bounds[setting->asks].most;
}

/* Does every class satisfy a value that was given? */
static bool
is_idle(const kn_model_setting *setting, const kn_asked *asked)
{
    const kn_model_class *class = kn_model_of_kind(setting, asked->kind);

    switch (setting->asks) {
    case KN_ASKS_COUNT:
    case KN_ASKS_DEGREE: /* every class has one value at least */
        return asked->given < 1 || (asked->given <= 1 && !(class && class->one_asks));
    case KN_ASKS_SHARE:
        return asked->given >= 1;
    case KN_ASKS_RANGE:
        return asked->other <= 0 && asked->given >= 1;
    case KN_ASKS_NUMBER:
    case KN_ASKS_POSITIVE:
    case KN_ASKS_COLUMN:
        break;
    }
    return false;
}

/* Settings come in any order, so a value and its kind both end here. */
static void
settle(const kn_model_setting *setting, kn_asked *asked)
{
    asked->idle = asked->given >= 0 && is_idle(setting, asked);
    asked->value = asked->idle ? OFF : asked->given;
}

/* --- settings ------------------------------------------------------------------------------------------ */

/* The setting whose value, kind or other parameter is set, and what is asked of it. */
static const kn_model_setting *
find_setting(const kn_setter *setter, kn_asked **asked)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++)
        if (strcmp(s->value.name, setter->name) == 0
            || (s->kind.name && strcmp(s->kind.name, setter->name) == 0)
            || (s->other.name && strcmp(s->other.name, setter->name) == 0)) {
            *asked = &setter->config->models.asked[i];
            return s;
        }
    assert(0 && "a setting of the table is one of a model");
    return NULL;
}

kanon_status
kn_set_model_value(const kn_setter *setter, kn_str value)
{
    kn_asked               *asked = NULL;
    const kn_model_setting *setting = find_setting(setter, &asked);
    bool                    column = setting->asks == KN_ASKS_COLUMN;
    double                  low, given;

    if (column ? value.len == 0 : !parse_value(setting, value, &low, &given))
        return kn_setter_refuse(setter, value, bounds[setting->asks].expected);
    asked->at = (kn_place){ setter->file, setter->line };
    if (column) {
        asked->column = kn_arena_text(&setter->config->arena, value);
        return asked->column ? KANON_OK : KANON_E_NOMEM;
    }
    if (setting->asks == KN_ASKS_RANGE)
        asked->other = low;
    asked->given = given;
    settle(setting, asked);
    return KANON_OK;
}

/* "a, b or c" from "a|b|c". */
static kanon_status
refuse_kind(const kn_setter *setter, kn_str value, const char *words)
{
    kn_str       rest = kn_str_of(words), word;
    kn_text      text;
    kanon_status rc;

    kn_text_init(&text, setter->config->ctx);
    while (kn_str_split(&rest, '|', &word)) {
        kn_text_addz(&text, !text.len ? "" : rest.ptr ? ", " : " or ");
        kn_text_add(&text, word);
    }
    rc = kn_text_status(&text);
    if (rc == KANON_OK)
        rc = kn_setter_refuse(setter, value, text.ptr);
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_set_model_kind(const kn_setter *setter, kn_str value)
{
    kn_asked               *asked = NULL;
    const kn_model_setting *setting = find_setting(setter, &asked);
    kn_str                  rest = kn_str_of(setting->kind.argument), word;

    for (size_t i = 0; kn_str_split(&rest, '|', &word); i++) {
        if (!kn_str_equal(word, value))
            continue;
        asked->kind = i;
        asked->has_kind = true;
        settle(setting, asked);
        return KANON_OK;
    }
    return refuse_kind(setter, value, setting->kind.argument);
}

kanon_status
kn_set_model_other(const kn_setter *setter, kn_str value)
{
    kn_asked *asked = NULL;
    double    number;

    find_setting(setter, &asked);
    if (!parse_limit(value, &number) || number <= 0 || number > NUMBER_MOST)
        return kn_setter_refuse(setter, value, "a number above 0");
    asked->other = number;
    asked->has_other = true;
    return KANON_OK;
}

kanon_status
kn_set_population(const kn_setter *setter, kn_str value)
{
    if (value.len == 0)
        return kn_setter_refuse(setter, value, "the name of a file");
    setter->config->models.population = kn_setter_path(setter, value);
    return setter->config->models.population ? KANON_OK : KANON_E_NOMEM;
}

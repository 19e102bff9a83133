/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- the settings of the privacy models beyond k: text in, checked value in the config out. The
 * list of models (privacy/registry.h) says which settings there are and what their values mean. */
#include "base/text.h"
#include "config/setter.h"

static const double OFF = -1;

/* What the values of a setting may be, by what it asks. */
static const char *const expected[] = {
    [KN_ASKS_COUNT] = "a whole number, or off",
    [KN_ASKS_DEGREE] = "a whole number, or off",
    [KN_ASKS_SHARE] = "a fraction from 0 to 1, or off",
    [KN_ASKS_NUMBER] = "a number of at least 0, or off",
    [KN_ASKS_POSITIVE] = "a number above 0, or off",
    [KN_ASKS_RANGE] = "a fraction from 0 to 1, or two of them: MIN,MAX; or off",
    [KN_ASKS_COLUMN] = "the name of a column",
};

/* --- what is asked for --------------------------------------------------------------------------------- */

static void
ask_nothing(kn_asked list[KN_MODEL_COUNT])
{
    const kn_model_setting *setting;
    kn_decimal              number;

    memset(list, 0, KN_MODEL_COUNT * sizeof *list);
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        list[i].value = list[i].given = OFF;
        if (setting->other.fallback
            && kn_decimal_parse_strict(kn_str_of(setting->other.fallback), &number))
            list[i].other = kn_decimal_double(number);
    }
}

void
kn_config_no_models(kanon_config *config)
{
    config->models = (kn_model_settings){ .population = NULL };
    ask_nothing(config->models.asked);
}

const kn_asked *
kn_config_asked(const kanon_config *config, const kn_model_setting *setting)
{
    assert(kn_model_setting_index(setting) < KN_MODEL_COUNT);
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

    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        bool on = kn_asked_on(&config->models.asked[i]);

        for (size_t a = 0; !on && a < config->nattributes; a++) {
            kn_asked asked = kn_config_asked_of(config, setting, &config->attributes[a]);

            on = kn_asked_on(&asked);
        }
        if (setting->scope == scope && on)
            return setting;
    }
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
    if (setting->asks == KN_ASKS_COUNT && *value >= 0 && *value <= KN_ASKS_WHOLE_MOST
        && *value != (double) (uint64_t) *value)
        return false;
    if (setting->value.above_min && *value == setting->value.min)
        return false;
    return *value <= (setting->asks == KN_ASKS_RANGE ? 1 : setting->value.max);
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

/* --- for one column ------------------------------------------------------------------------------------ */

const kn_asked *
kn_attribute_asked(const kn_attribute *attribute, const kn_model_setting *setting)
{
    const kn_asked *own;

    if (!attribute || !attribute->asked)
        return NULL;
    own = &attribute->asked[kn_model_setting_index(setting)];
    return own->has_value || own->has_kind || own->has_other ? own : NULL;
}

kn_asked
kn_config_asked_of(const kanon_config *config, const kn_model_setting *setting,
                   const kn_attribute *attribute)
{
    kn_asked        asked = *kn_config_asked(config, setting);
    const kn_asked *own = kn_attribute_asked(attribute, setting);

    if (!own)
        return asked;
    asked.at = own->at;
    asked.given = own->has_value ? own->given : asked.given;
    asked.kind = own->has_kind ? own->kind : asked.kind;
    asked.other = own->has_other ? own->other : asked.other;
    settle(setting, &asked);
    return asked;
}

/* --- settings ------------------------------------------------------------------------------------------ */

/* The setting whose value, kind or other parameter is set. */
static const kn_model_setting *
find_setting(const kn_setter *setter)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++)
        if (strcmp(s->value.name, setter->name) == 0
            || (s->kind.name && strcmp(s->kind.name, setter->name) == 0)
            || (s->other.name && strcmp(s->other.name, setter->name) == 0))
            return s;
    assert(0 && "a setting of the table is one of a model");
    return NULL;
}

static kanon_status
set_value(const kn_setter *setter, kn_asked *asked, kn_str value)
{
    const kn_model_setting *setting = find_setting(setter);
    bool                    column = setting->asks == KN_ASKS_COLUMN;
    double                  low, given;

    if (column ? value.len == 0 : !parse_value(setting, value, &low, &given))
        return kn_setter_refuse(setter, value, expected[setting->asks]);
    asked->at = (kn_place){ setter->file, setter->line };
    if (column) {
        asked->column = kn_arena_text(&setter->config->arena, value);
        return asked->column ? KANON_OK : KANON_E_NOMEM;
    }
    if (setting->asks == KN_ASKS_RANGE)
        asked->other = low;
    asked->given = given;
    asked->has_value = true;
    settle(setting, asked);
    return KANON_OK;
}

static kanon_status
set_kind(const kn_setter *setter, kn_asked *asked, kn_str value)
{
    unsigned     kind;
    kanon_status rc = kn_set_word(setter, value, &kind);

    if (rc < 0)
        return rc;
    asked->kind = kind;
    asked->has_kind = true;
    settle(find_setting(setter), asked);
    return KANON_OK;
}

static kanon_status
set_other(const kn_setter *setter, kn_asked *asked, kn_str value)
{
    double number;

    if (!parse_limit(value, &number) || number <= 0 || number > KN_ASKS_NUMBER_MOST)
        return kn_setter_refuse(setter, value, "a number above 0");
    asked->other = number;
    asked->has_other = true;
    return KANON_OK;
}

typedef kanon_status set_fn(const kn_setter *setter, kn_asked *asked, kn_str value);

static kanon_status
set_for_all(set_fn *set, const kn_setter *setter, kn_str value)
{
    return set(setter, &setter->config->models.asked[kn_model_setting_index(find_setting(setter))],
               value);
}

static kanon_status
set_for_one(set_fn *set, const kn_setter *setter, kn_str column, kn_str value)
{
    kn_attribute *attribute;
    kn_asked     *asked;
    kanon_status  rc = kn_column_get(setter, column, &attribute);

    if (rc < 0)
        return rc;
    if (!attribute->asked) {
        attribute->asked = kn_arena_alloc(&setter->config->arena,
                                          KN_MODEL_COUNT * sizeof *attribute->asked);
        if (!attribute->asked)
            return KANON_E_NOMEM;
        ask_nothing(attribute->asked);
    }
    asked = &attribute->asked[kn_model_setting_index(find_setting(setter))];
    rc = set(setter, asked, value);
    asked->at = (kn_place){ setter->file, setter->line };
    return rc;
}

kanon_status
kn_set_model_value(const kn_setter *setter, kn_str value)
{
    return set_for_all(set_value, setter, value);
}

kanon_status
kn_set_model_kind(const kn_setter *setter, kn_str value)
{
    return set_for_all(set_kind, setter, value);
}

kanon_status
kn_set_model_other(const kn_setter *setter, kn_str value)
{
    return set_for_all(set_other, setter, value);
}

kanon_status
kn_set_column_value(const kn_setter *setter, kn_str column, kn_str value)
{
    return set_for_one(set_value, setter, column, value);
}

kanon_status
kn_set_column_kind(const kn_setter *setter, kn_str column, kn_str value)
{
    return set_for_one(set_kind, setter, column, value);
}

kanon_status
kn_set_column_other(const kn_setter *setter, kn_str column, kn_str value)
{
    return set_for_one(set_other, setter, column, value);
}

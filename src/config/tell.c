/* SPDX-License-Identifier: Apache-2.0 */
/* tell.c -- a config read back: each setting in the form in which it would be set again. */
#include <stdio.h>

#include "base/json.h"
#include "config/setter.h"

/* --- kinds of values ------------------------------------------------------------------------------- */

static bool
tell_text(const char *value, kn_text *text)
{
    if (value)
        kn_text_addz(text, value);
    return value != NULL;
}

static bool
tell_number(double value, kn_text *text)
{
    kn_json_put_double(text, value);
    return true;
}

static bool
tell_mark(size_t index, char mark, kn_text *text)
{
    char one[2] = { mark, 0 };

    return index == 0 && mark
        && tell_text(mark == '\t'  ? "tab"
                     : mark == ' ' ? "space"
                                   : one,
                     text);
}

/* The index-th of the words in the argument of a setting. */
static bool
tell_word(const kanon_setting *setting, size_t index, kn_text *text)
{
    kn_str rest = kn_str_of(setting->argument), word = { NULL, 0 };

    for (size_t i = 0; i <= index; i++) {
        bool there = kn_str_split(&rest, '|', &word);

        assert(there);
        KN_UNUSED(there);
    }
    kn_text_add(text, word);
    return true;
}

/* --- columns ---------------------------------------------------------------------------------------- */

/* A name as lists and pairs take it: in double quotes where it holds what separates them. */
static void
tell_name(const char *name, kn_text *text)
{
    size_t length = strlen(name);
    bool   quoted = strpbrk(name, ",=\"") != NULL
               || (length && (strchr(" \t", name[0]) || strchr(" \t", name[length - 1])));

    if (quoted)
        kn_text_addz(text, "\"");
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            kn_text_addz(text, "\"");
        kn_text_add(text, (kn_str){ c, 1 });
    }
    if (quoted)
        kn_text_addz(text, "\"");
}

static bool
tell_listed(size_t index, const char *const *items, size_t count, kn_text *text)
{
    if (index >= count)
        return false;
    tell_name(items[index], text);
    return true;
}

static bool
tell_role(const kanon_config *config, kn_role role, size_t index, kn_text *text)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].role == role && index-- == 0) {
            tell_name(config->attributes[i].name, text);
            return true;
        }
    return false;
}

bool
kn_tell_pseudonym(const kanon_config *config, size_t index, kn_text *text)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].pseudonym && index-- == 0) {
            tell_name(config->attributes[i].name, text);
            return true;
        }
    return false;
}

/* The index-th column that a setting says something of, as COLUMN=VALUE. */
static bool
tell_column(const kn_setting_entry *entry, const kanon_config *config, size_t index, kn_text *text)
{
    size_t before = text->len;

    for (size_t i = 0; i < config->nattributes; i++) {
        tell_name(config->attributes[i].name, text);
        kn_text_addz(text, "=");
        if (entry->tell_column(&config->attributes[i], text) && index-- == 0)
            return true;
        text->len = before;
    }
    return false;
}

bool
kn_tell_hierarchy(const kn_attribute *a, kn_text *text)
{
    if (a->has_hierarchy)
        kn_hier_spec_tell(&a->hierarchy, text);
    return a->has_hierarchy;
}

bool
kn_tell_type(const kn_attribute *a, kn_text *text)
{
    return a->type != KN_TYPE_AUTO && tell_text(kn_type_name(a->type), text);
}

bool
kn_tell_weight(const kn_attribute *a, kn_text *text)
{
    return a->has_weight && !a->importance && tell_number(a->weight, text);
}

bool
kn_tell_importance(const kn_attribute *a, kn_text *text)
{
    return a->importance && tell_text(kn_importance_names[a->importance], text);
}

static bool
tell_decimal(kn_decimal number, kn_text *text)
{
    char     digits[64];
    int      count;
    size_t   whole;
    uint64_t size = number.mantissa < 0 ? 0 - (uint64_t) number.mantissa
                                        : (uint64_t) number.mantissa;

    count = snprintf(digits, sizeof digits, "%0*llu", (int) number.decimals + 1,
                     (unsigned long long) size);
    whole = (size_t) count - number.decimals;
    kn_text_addz(text, number.mantissa < 0 ? "-" : "");
    kn_text_add(text, (kn_str){ digits, whole });
    if (number.decimals)
        kn_text_addf(text, ".%s", digits + whole);
    return true;
}

bool
kn_tell_grid(const kn_attribute *a, kn_text *text)
{
    return a->grid.mantissa > 0 && tell_decimal(a->grid, text);
}

bool
kn_tell_round(const kn_attribute *a, kn_text *text)
{
    return a->coding.has_round && tell_decimal(a->coding.round, text);
}

bool
kn_tell_top(const kn_attribute *a, kn_text *text)
{
    return a->coding.has_top && tell_decimal(a->coding.top, text);
}

bool
kn_tell_bottom(const kn_attribute *a, kn_text *text)
{
    return a->coding.has_bottom && tell_decimal(a->coding.bottom, text);
}

static bool
tell_level(unsigned level, kn_text *text)
{
    if (level < KN_ANY_LEVEL)
        kn_text_addf(text, "%u", level);
    return level < KN_ANY_LEVEL;
}

bool
kn_tell_min_level(const kn_attribute *a, kn_text *text)
{
    return tell_level(a->levels.min, text);
}

bool
kn_tell_max_level(const kn_attribute *a, kn_text *text)
{
    return tell_level(a->levels.max, text);
}

bool
kn_tell_level(const kn_attribute *a, kn_text *text)
{
    return tell_level(a->levels.fixed, text);
}

/* --- privacy models --------------------------------------------------------------------------------- */

/* A model that is off has no value; how it is meant (kind, other parameter) has one all the same. */
static bool
tell_asked(const kn_model_setting *setting, const kn_asked *asked, kn_text *text)
{
    if (!kn_asked_on(asked) && !asked->idle)
        return false;
    if (asked->column)
        return tell_text(asked->column, text);
    if (setting->asks == KN_ASKS_RANGE) {
        tell_number(asked->other > 0 ? asked->other : 0, text);
        kn_text_addz(text, ",");
    }
    return tell_number(asked->given, text);
}

/* What of a setting is told. */
typedef enum { TELL_VALUE, TELL_KIND, TELL_OTHER } model_part;

static const kn_model_setting *
find_model(const char *name, model_part *part)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++) {
        const kanon_setting *const parts[] = { &s->value, &s->kind, &s->other };

        for (size_t p = 0; p < KN_COUNT(parts); p++)
            if (parts[p]->name && strcmp(parts[p]->name, name) == 0) {
                *part = (model_part) p;
                return s;
            }
    }
    return NULL;
}

/* What was given for a column alone. */
static bool
tell_own(const kn_model_setting *s, const kn_asked *own, model_part part, kn_text *text)
{
    switch (part) {
    case TELL_VALUE:
        return own->has_value
            && (own->given < 0 ? tell_text("off", text) : tell_number(own->given, text));
    case TELL_KIND:
        return own->has_kind && tell_word(&s->kind, own->kind, text);
    case TELL_OTHER:
        break;
    }
    return own->has_other && tell_number(own->other, text);
}

/* What holds for all columns comes first, then column by column what was given for it. */
static bool
tell_model(const kanon_config *config, const char *name, size_t index, kn_text *text)
{
    model_part              part = TELL_VALUE;
    const kn_model_setting *s = find_model(name, &part);
    size_t                  before = text->len;

    if (!s)
        return false;
    if (part == TELL_VALUE  ? tell_asked(s, kn_config_asked(config, s), text)
        : part == TELL_KIND ? tell_word(&s->kind, kn_config_asked(config, s)->kind, text)
                            : tell_number(kn_config_asked(config, s)->other, text)) {
        if (index-- == 0)
            return true;
        text->len = before;
    }
    for (size_t i = 0; i < config->nattributes; i++) {
        const kn_asked *own = kn_attribute_asked(&config->attributes[i], s);

        if (!own)
            continue;
        tell_name(config->attributes[i].name, text);
        kn_text_addz(text, "=");
        if (tell_own(s, own, part, text) && index-- == 0)
            return true;
        text->len = before;
    }
    return false;
}

/* --- settings with a form of their own -------------------------------------------------------------- */

bool
kn_tell_param(const kanon_config *config, size_t index, kn_text *text)
{
    if (index >= config->nparams)
        return false;
    kn_text_addf(text, "%s=%s", config->params[index].key, config->params[index].value);
    return true;
}

bool
kn_tell_time_limit(const kanon_config *config, size_t index, kn_text *text)
{
    return index == 0 && config->has_time_limit && tell_number(config->time_limit_s, text);
}

bool
kn_tell_report(const kanon_config *config, size_t index, kn_text *text)
{
    return index < config->nreports && tell_text(config->reports[index], text);
}

bool
kn_tell_objectives(const kanon_config *config, size_t index, kn_text *text)
{
    static const char *const usual[] = { "k", "glm" };

    return config->nobjectives ? tell_listed(index, config->objectives, config->nobjectives, text)
                               : tell_listed(index, usual, KN_COUNT(usual), text);
}

bool
kn_tell_boxes(const kanon_config *config, size_t index, kn_text *text)
{
    if (index >= config->nboxes)
        return false;
    kn_text_addf(text, "%s=", config->boxes[index].name);
    return tell_number(config->boxes[index].side, text);
}

bool
kn_tell_knee_k(const kanon_config *config, size_t index, kn_text *text)
{
    if (!index)
        kn_text_addf(text, "%llu-%llu", (unsigned long long) config->knee_k[0],
                     (unsigned long long) config->knee_k[1]);
    return !index;
}

bool
kn_tell_delimiter(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_mark(index, config->delimiter, text);
}

bool
kn_tell_quote(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_mark(index, config->quote ? config->quote : '"', text);
}

bool
kn_tell_no_header(const kanon_config *config, size_t index, kn_text *text)
{
    return index == 0 && tell_text(config->header == KN_HEADER_NO ? "true" : "false", text);
}

bool
kn_tell_missing(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_listed(index, config->missing, config->nmissing, text);
}

/* --- all of them ------------------------------------------------------------------------------------ */

/* The value that a config keeps in one of the forms. */
static bool
tell_kept(const kn_setting_entry *entry, const kanon_config *config, kn_text *text)
{
    const void *field = (const char *) config + entry->field;

    switch (entry->keeps) {
    case KN_KEEPS_WORD:
        return tell_word(&entry->setting, *(const unsigned *) field, text);
    case KN_KEEPS_SWITCH:
        return tell_text(*(const bool *) field ? "true" : "false", text);
    case KN_KEEPS_WHOLE:
        if (entry->has && !entry->setting.fallback
            && !*(const bool *) ((const char *) config + entry->has))
            return false;
        kn_text_addf(text, "%llu", (unsigned long long) *(const uint64_t *) field);
        return true;
    case KN_KEEPS_NUMBER:
        return tell_number(*(const double *) field, text);
    case KN_KEEPS_TEXT:
        return tell_text(*(const char *const *) field, text);
    case KN_KEEPS_ROLE:
    case KN_KEEPS_NOTHING:
        break;
    }
    return false;
}

static bool
tell(const kn_setting_entry *entry, const kanon_config *config, size_t index, kn_text *text)
{
    if (entry->tell)
        return entry->tell(config, index, text);
    if (entry->tell_column)
        return tell_column(entry, config, index, text);
    if (entry->keeps == KN_KEEPS_ROLE)
        return tell_role(config, entry->role, index, text);
    if (entry->keeps == KN_KEEPS_NOTHING)
        return tell_model(config, entry->setting.name, index, text);
    return index == 0 && tell_kept(entry, config, text);
}

bool
kn_setting_tell_at(const kanon_config *config, const char *name, size_t index, kn_text *text)
{
    kn_setting_entry entry;
    size_t           place, end = text->len, told = 0;

    if (!kn_setting_find(kn_str_of(name), &entry, &place))
        return false;
    if (entry.setting.shape != KANON_SHAPE_LIST)
        return tell(&entry, config, index, text);
    for (; !index; told++) {
        kn_text_addz(text, told ? "," : "");
        if (!tell(&entry, config, told, text))
            break;
        end = text->len;
    }
    if (text->ptr)
        text->ptr[text->len = end] = 0;
    return told > 0;
}

void
kn_setting_tell(const kanon_config *config, const char *name, kn_text *text)
{
    kn_setting_entry entry;
    size_t           place, end = text->len;

    if (!kn_setting_find(kn_str_of(name), &entry, &place))
        return;
    for (size_t i = 0;; i++) {
        kn_text_addz(text, i ? ", " : "");
        if (!tell(&entry, config, i, text))
            break;
        end = text->len;
    }
    if (text->ptr)
        text->ptr[text->len = end] = 0;
}

kanon_status
kanon_config_get(kanon_config *config, const char *name, size_t index, const char **out)
{
    kanon_status     rc;
    kn_setting_entry entry;
    size_t           place;
    bool             told;

    if (!config || !name || !out)
        return kn_fail(config ? config->ctx : NULL, KANON_E_INVALID,
                       "kanon_config_get: config, name and out are required");
    *out = NULL;
    if (!kn_setting_find(kn_str_of(name), &entry, &place))
        return kn_fail(config->ctx, KANON_E_INVALID, "unknown setting '%s'", name);
    kn_text_fini(&config->told);
    kn_text_init(&config->told, config->ctx);
    told = tell(&entry, config, index, &config->told);
    rc = kn_text_status(&config->told);
    if (rc == KANON_OK && told)
        *out = config->told.len ? config->told.ptr : "";
    return rc;
}

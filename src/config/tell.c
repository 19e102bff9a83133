/* SPDX-License-Identifier: Apache-2.0 */
/* tell.c -- a config read back: each setting in the form in which it would be set again. */
#include <stdio.h>

#include "base/json.h"
#include "config/setter.h"

/* --- kinds of values ------------------------------------------------------------------------------- */

static bool
tell_text(size_t index, const char *value, kn_text *text)
{
    if (index || !value)
        return false;
    kn_text_addz(text, value);
    return true;
}

static bool
tell_number(size_t index, double value, kn_text *text)
{
    if (index)
        return false;
    kn_json_put_double(text, value);
    return true;
}

static bool
tell_count(size_t index, uint64_t value, kn_text *text)
{
    if (index)
        return false;
    kn_text_addf(text, "%llu", (unsigned long long) value);
    return true;
}

static bool
tell_switch(size_t index, bool value, kn_text *text)
{
    return tell_text(index, value ? "true" : "false", text);
}

static bool
tell_mark(size_t index, char mark, kn_text *text)
{
    char one[2] = { mark, 0 };

    return tell_text(index, mark == '\t' ? "tab" : mark == ' ' ? "space" : one, text);
}

static bool
tell_item(size_t index, const char *const *items, size_t count, kn_text *text)
{
    return index < count && tell_text(0, items[index], text);
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
kn_tell_qi(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_role(config, KN_ROLE_QUASI, index, text);
}

bool
kn_tell_id(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_role(config, KN_ROLE_IDENTIFIER, index, text);
}

bool
kn_tell_sensitive(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_role(config, KN_ROLE_SENSITIVE, index, text);
}

/* The index-th column of which something is known; its name and = are told. */
static const kn_attribute *
tell_column(const kanon_config *config, size_t index, bool (*has)(const kn_attribute *),
            kn_text *text)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (has(&config->attributes[i]) && index-- == 0) {
            tell_name(config->attributes[i].name, text);
            kn_text_addz(text, "=");
            return &config->attributes[i];
        }
    return NULL;
}

static bool
has_hierarchy(const kn_attribute *a)
{
    return a->has_hierarchy;
}

bool
kn_tell_hierarchy(const kanon_config *config, size_t index, kn_text *text)
{
    const kn_attribute *a = tell_column(config, index, has_hierarchy, text);

    if (a)
        kn_hier_spec_tell(&a->hierarchy, text);
    return a != NULL;
}

static bool
has_type(const kn_attribute *a)
{
    return a->type != KN_TYPE_AUTO;
}

bool
kn_tell_type(const kanon_config *config, size_t index, kn_text *text)
{
    const kn_attribute *a = tell_column(config, index, has_type, text);

    return a && tell_text(0, kn_type_name(a->type), text);
}

static bool
has_weight(const kn_attribute *a)
{
    return a->has_weight;
}

bool
kn_tell_weight(const kanon_config *config, size_t index, kn_text *text)
{
    const kn_attribute *a = tell_column(config, index, has_weight, text);

    return a && tell_number(0, a->weight, text);
}

static bool
has_grid(const kn_attribute *a)
{
    return a->grid.mantissa > 0;
}

bool
kn_tell_grid(const kanon_config *config, size_t index, kn_text *text)
{
    char                digits[64];
    int                 count;
    size_t              whole;
    const kn_attribute *a = tell_column(config, index, has_grid, text);

    if (!a)
        return false;
    count = snprintf(digits, sizeof digits, "%0*lld", (int) a->grid.decimals + 1,
                     (long long) a->grid.mantissa);
    whole = (size_t) count - a->grid.decimals;
    kn_text_add(text, (kn_str){ digits, whole });
    if (a->grid.decimals)
        kn_text_addf(text, ".%s", digits + whole);
    return true;
}

bool
kn_tell_label(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->label, text);
}

bool
kn_tell_row_count(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->count, text);
}

/* --- privacy ---------------------------------------------------------------------------------------- */

bool
kn_tell_k(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_count(index, config->k, text);
}

bool
kn_tell_suppression(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_number(index, config->suppression, text);
}

bool
kn_tell_suppressed(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, kn_suppressed_names[config->suppressed], text);
}

bool
kn_tell_identifiers(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, kn_identifiers_names[config->identifiers], text);
}

bool
kn_tell_population(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->models.population, text);
}

/* A model that is off has no value; how it is meant (kind, other parameter) has one all the same. */
static bool
tell_asked(const kn_model_setting *setting, const kn_asked *asked, kn_text *text)
{
    if (!kn_asked_on(asked) && !asked->idle)
        return false;
    if (asked->column)
        return tell_text(0, asked->column, text);
    if (setting->asks == KN_ASKS_RANGE) {
        tell_number(0, asked->other > 0 ? asked->other : 0, text);
        kn_text_addz(text, ",");
        return tell_number(0, asked->given, text);
    }
    return tell_number(0, asked->given, text);
}

bool
kn_tell_model(const kanon_config *config, const char *name, kn_text *text)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++) {
        const kn_asked *asked = kn_config_asked(config, s);
        kn_str          rest, word = { NULL, 0 };

        if (strcmp(s->value.name, name) == 0)
            return tell_asked(s, asked, text);
        if (s->other.name && strcmp(s->other.name, name) == 0)
            return tell_number(0, asked->other, text);
        if (!s->kind.name || strcmp(s->kind.name, name) != 0)
            continue;
        rest = kn_str_of(s->kind.argument);
        for (size_t word_at = 0; rest.ptr && word_at <= asked->kind; word_at++)
            kn_str_split(&rest, '|', &word);
        kn_text_add(text, word);
        return true;
    }
    return false;
}

/* --- search ----------------------------------------------------------------------------------------- */

bool
kn_tell_algorithm(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->algorithm, text);
}

bool
kn_tell_metric(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->metric, text);
}

bool
kn_tell_param(const kanon_config *config, size_t index, kn_text *text)
{
    if (index >= config->nparams)
        return false;
    kn_text_addf(text, "%s=%s", config->params[index].key, config->params[index].value);
    return true;
}

bool
kn_tell_seed(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_count(index, config->seed, text);
}

bool
kn_tell_threads(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_count(index, config->threads, text);
}

bool
kn_tell_time_limit(const kanon_config *config, size_t index, kn_text *text)
{
    return config->has_time_limit && tell_number(index, config->time_limit_s, text);
}

bool
kn_tell_local(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, kn_local_name(config->local), text);
}

bool
kn_tell_snap(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, kn_snap_name(config->snap), text);
}

/* --- output ----------------------------------------------------------------------------------------- */

bool
kn_tell_keep_order(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_switch(index, config->keep_order, text);
}

bool
kn_tell_report(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_item(index, config->reports, config->nreports, text);
}

bool
kn_tell_report_audience(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->audience == KN_AUDIENCE_EXTERNAL ? "external" : "internal",
                     text);
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
    return tell_number(0, config->boxes[index].side, text);
}

bool
kn_tell_wildcard(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_switch(index, config->wildcard, text);
}

/* --- the table -------------------------------------------------------------------------------------- */

bool
kn_tell_delimiter(const kanon_config *config, size_t index, kn_text *text)
{
    return config->delimiter && tell_mark(index, config->delimiter, text);
}

bool
kn_tell_quote(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_mark(index, config->quote ? config->quote : '"', text);
}

bool
kn_tell_header(const kanon_config *config, size_t index, kn_text *text)
{
    static const char *const names[] = {
        [KN_HEADER_AUTO] = "auto", [KN_HEADER_YES] = "yes", [KN_HEADER_NO] = "no"
    };

    return tell_text(index, names[config->header], text);
}

bool
kn_tell_no_header(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_switch(index, config->header == KN_HEADER_NO, text);
}

bool
kn_tell_encoding(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_text(index, config->encoding == KN_ENCODING_LATIN1 ? "latin-1" : "utf-8", text);
}

bool
kn_tell_missing(const kanon_config *config, size_t index, kn_text *text)
{
    return tell_listed(index, config->missing, config->nmissing, text);
}

/* --- all of them ------------------------------------------------------------------------------------ */

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
    told = entry.tell ? entry.tell(config, index, &config->told)
                      : index == 0 && kn_tell_model(config, entry.setting.name, &config->told);
    rc = kn_text_status(&config->told);
    if (rc == KANON_OK && told)
        *out = config->told.len ? config->told.ptr : "";
    return rc;
}

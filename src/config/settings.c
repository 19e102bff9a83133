/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c -- the one table of settings. Options, config keys, help texts, the manual's test and the
 * shell completions are all made from it, so a new setting is a line here and a function in values.c
 * or columns.c. Those of the privacy models stand in their rows (privacy/registry.h). */
#include "base/text.h"
#include "config/setter.h"

#include <assert.h>
#include <stdio.h>

#define TEXT KANON_VALUE_TEXT, 0, 0
#define INTEGER(least, most) KANON_VALUE_INTEGER, least, most
#define NUMBER(least, most) KANON_VALUE_NUMBER, least, most
#define CHOICE KANON_VALUE_CHOICE, 0, 0
#define ON_OFF KANON_VALUE_SWITCH, 0, 0
#define COLUMN KANON_VALUE_COLUMN, 0, 0
#define PATH KANON_VALUE_FILE, 0, 0
#define NAMED KANON_VALUE_NAME, 0, 0

/* What the user reads, the type and the shape; then how a value is taken, a pair, how a list is emptied, and
 * how the value is told again. */
static const kn_setting_entry first[] = {
    { { "qi", "LIST", NULL, "quasi-identifiers: columns that together could identify a person",
        COLUMN, KANON_SHAPE_LIST },
      kn_set_qi,
      NULL,
      NULL,
      kn_tell_qi },
    { { "id", "LIST", NULL, "identifiers: every cell becomes *", COLUMN, KANON_SHAPE_LIST },
      kn_set_id,
      NULL,
      NULL,
      kn_tell_id },
    { { "sensitive", "LIST", NULL, "sensitive columns: released unchanged, with l and t measured",
        COLUMN, KANON_SHAPE_LIST },
      kn_set_sensitive,
      NULL,
      NULL,
      kn_tell_sensitive },
    { { "hierarchy", "COL=SPEC", "auto",
        "hierarchy of a column: FILE, range:5,10,50, mask:right, date:month,year, place:FILE, "
        "order, auto (repeatable)",
        TEXT, KANON_SHAPE_PAIR },
      NULL,
      kn_set_hierarchy,
      NULL,
      kn_tell_hierarchy },
    { { "type", "COL=TYPE", NULL, "number, date, string or place; detected by default (repeatable)",
        TEXT, KANON_SHAPE_PAIR },
      NULL,
      kn_set_type,
      NULL,
      kn_tell_type },
    { { "weight", "COL=W", "1",
        "weight of a quasi-identifier in the information loss: 0 ignores it, 2 counts it twice "
        "(repeatable)",
        NUMBER(0, 1e9), KANON_SHAPE_PAIR },
      NULL,
      kn_set_weight,
      NULL,
      kn_tell_weight },
    { { "label", "COL", NULL, "class column of the metric cm; default: the first sensitive column",
        COLUMN, KANON_SHAPE_VALUE },
      kn_set_label,
      NULL,
      NULL,
      kn_tell_label },
    { { "count", "COL", NULL, "column that says how many rows each row stands for", COLUMN,
        KANON_SHAPE_VALUE },
      kn_set_row_count,
      NULL,
      NULL,
      kn_tell_row_count },

    { { "k", "N", "5", "minimum size of an equivalence class", INTEGER(1, 4294967295.0),
        KANON_SHAPE_VALUE },
      kn_set_k,
      NULL,
      NULL,
      kn_tell_k },
    { { "suppression", "F", "0.01", "maximum share of rows to suppress: a fraction, or 1%",
        NUMBER(0, 1), KANON_SHAPE_VALUE },
      kn_set_suppression,
      NULL,
      NULL,
      kn_tell_suppression },
    { { "suppressed", "drop|mask", "drop",
        "drop suppressed rows, or keep them with * in every quasi-identifier", CHOICE,
        KANON_SHAPE_VALUE },
      kn_set_suppressed,
      NULL,
      NULL,
      kn_tell_suppressed },
    { { "identifiers", "mask|drop", "mask",
        "replace the cells of identifiers by *, or drop the columns", CHOICE, KANON_SHAPE_VALUE },
      kn_set_identifiers,
      NULL,
      NULL,
      kn_tell_identifiers },
};

/* Behind those of the models, which the list of models tells. */
static const kn_setting_entry rest[] = {
    { { "population", "FILE", NULL,
        "table of the population from which the rows were drawn, with the same quasi-identifiers",
        PATH, KANON_SHAPE_VALUE },
      kn_set_population,
      NULL,
      NULL,
      kn_tell_population },

    { { "algorithm", "NAME", "auto", "algorithm; `kanon algorithms` lists them", NAMED,
        KANON_SHAPE_VALUE },
      kn_set_algorithm,
      NULL,
      NULL,
      kn_tell_algorithm },
    { { "metric", "NAME", "log",
        "information loss to minimise; `kanon algorithms` lists them, and the algorithms with "
        "another default",
        NAMED, KANON_SHAPE_VALUE },
      kn_set_metric,
      NULL,
      NULL,
      kn_tell_metric },
    { { "param", "KEY=VALUE", NULL, "parameter of the algorithm (repeatable)", TEXT,
        KANON_SHAPE_PAIR },
      NULL,
      kn_set_param,
      NULL,
      kn_tell_param },
    { { "seed", "N", "1", "the same input, settings and seed give the same release, byte for byte",
        INTEGER(0, 18446744073709551615.0), KANON_SHAPE_VALUE },
      kn_set_seed,
      NULL,
      NULL,
      kn_tell_seed },
    { { "threads", "N", NULL, "number of threads, 0: all cores; does not change the release",
        INTEGER(0, 1024), KANON_SHAPE_VALUE },
      kn_set_threads,
      NULL,
      NULL,
      kn_tell_threads },
    { { "time-limit", "SECONDS", NULL,
        "end the search after this time, with the best result so far; default: 10 if auto chooses "
        "optimal, else none",
        NUMBER(0, 1e9), KANON_SHAPE_VALUE },
      kn_set_time_limit,
      NULL,
      NULL,
      kn_tell_time_limit },

    { { "local", "interval|mean|median|mode", "interval", "local recoding: what a class shows",
        CHOICE, KANON_SHAPE_VALUE },
      kn_set_local,
      NULL,
      NULL,
      kn_tell_local },
    { { "snap", "off|hierarchy|grid", "off",
        "local recoding: widen intervals to groups of the hierarchy or to round numbers; exact "
        "ends are original values",
        CHOICE, KANON_SHAPE_VALUE },
      kn_set_snap,
      NULL,
      NULL,
      kn_tell_snap },
    { { "grid", "COL=WIDTH", NULL,
        "local recoding: widen the intervals of a column to multiples of WIDTH (repeatable)",
        NUMBER(0, 9e18), KANON_SHAPE_PAIR },
      NULL,
      kn_set_grid,
      NULL,
      kn_tell_grid },

    { { "keep-order", NULL, "false",
        "keep the released rows in the order of the input instead of shuffling them", ON_OFF,
        KANON_SHAPE_SWITCH },
      kn_set_keep_order,
      NULL,
      NULL,
      kn_tell_keep_order },
    { { "report", "FILE", NULL, "write a report; FILE ends in .html or .json (repeatable)", PATH,
        KANON_SHAPE_ITEM },
      kn_set_report,
      NULL,
      NULL,
      kn_tell_report },
    { { "report-audience", "internal|external", "internal",
        "external: reports to publish, without seed, original values, small counts and anything "
        "else that helps an attacker",
        CHOICE, KANON_SHAPE_VALUE },
      kn_set_audience,
      NULL,
      NULL,
      kn_tell_report_audience },
    { { "objectives", "LIST", "k,glm",
        "`kanon pareto`: objectives to trade off; l:COL uses that column", NAMED,
        KANON_SHAPE_LIST },
      kn_set_objective,
      NULL,
      kn_clear_objectives,
      kn_tell_objectives },
    { { "boxes", "NAME=SIDE,...", NULL,
        "`kanon pareto`: keep one point per box of these sides; default: 1 for counts, 0.001 for "
        "shares; 0: no boxes",
        NUMBER(0, 9e18), KANON_SHAPE_PAIR },
      NULL,
      kn_set_box,
      NULL,
      kn_tell_boxes },
    { { "wildcard", NULL, "false",
        "`kanon check`: add the interpretation in which a missing value matches anything", ON_OFF,
        KANON_SHAPE_SWITCH },
      kn_set_wildcard,
      NULL,
      NULL,
      kn_tell_wildcard },

    { { "delimiter", "C", NULL, "one character, or tab; detected by default", TEXT,
        KANON_SHAPE_VALUE },
      kn_set_delimiter,
      NULL,
      NULL,
      kn_tell_delimiter },
    { { "quote", "C", "\"", "quote character", TEXT, KANON_SHAPE_VALUE },
      kn_set_quote,
      NULL,
      NULL,
      kn_tell_quote },
    { { "header", "auto|yes|no", "auto", "whether the first line contains the column names", CHOICE,
        KANON_SHAPE_VALUE },
      kn_set_header,
      NULL,
      NULL,
      kn_tell_header },
    { { "no-header", NULL, "false", "same as --header no: the columns are column1, column2 ...",
        ON_OFF, KANON_SHAPE_SWITCH },
      kn_set_no_header,
      NULL,
      NULL,
      kn_tell_no_header },
    { { "encoding", "utf-8|latin-1", "utf-8", "encoding of the table", CHOICE, KANON_SHAPE_VALUE },
      kn_set_encoding,
      NULL,
      NULL,
      kn_tell_encoding },
    { { "missing", "LIST", ",?,NA",
        "cells that mean \"no value\"; replaces the default, so include the empty cell: "
        "',?,NA,k.A.'",
        TEXT, KANON_SHAPE_LIST },
      kn_set_missing,
      NULL,
      kn_clear_missing,
      kn_tell_missing },
};

/* The index-th setting of the models and what it does; NULL past the end, and the index is so much less. */
static const kanon_setting *
model_setting_at(size_t *index, kn_setting_entry *out)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++) {
        const kanon_setting *const    parts[] = { &s->value, &s->kind, &s->other };
        static const kn_setting_entry acts[] = { { .apply = kn_set_model_value },
                                                 { .apply = kn_set_model_kind },
                                                 { .apply = kn_set_model_other } };

        for (size_t p = 0; p < KN_COUNT(parts); p++) {
            if (!parts[p]->name)
                continue;
            if (*index == 0) {
                *out = acts[p];
                out->setting = *parts[p];
                return parts[p];
            }
            --*index;
        }
    }
    return NULL;
}

/* The index-th setting of all and what it does; NULL past the end. */
static const kanon_setting *
setting_at(size_t index, kn_setting_entry *out)
{
    const kn_setting_entry *entry = index < KN_COUNT(first) ? &first[index] : NULL;
    const kanon_setting    *of_model;

    if (!entry) {
        index -= KN_COUNT(first);
        of_model = model_setting_at(&index, out);
        if (of_model)
            return of_model;
        if (index >= KN_COUNT(rest))
            return NULL;
        entry = &rest[index];
    }
    *out = *entry;
    return &entry->setting;
}

const kanon_setting *
kanon_setting_at(size_t index)
{
    kn_setting_entry entry;

    return setting_at(index, &entry);
}

int
kanon_setting_is_model(const kanon_setting *setting)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++)
        if (setting == &s->value || setting == &s->kind || setting == &s->other)
            return 1;
    return strcmp(setting->name, "population") == 0;
}

size_t
kn_setting_count(void)
{
    size_t count = 0;

    while (kanon_setting_at(count))
        count++;
    return count;
}

/* "time_limit" is "time-limit", and a mapping of parameters reads better in the plural. */
static bool
same_name(kn_str word, const char *name)
{
    if (word.len == 6 && memcmp(word.ptr, "params", 6) == 0)
        word.len = 5;
    for (size_t i = 0; i < word.len; i++)
        if (name[i] != (word.ptr[i] == '_' ? '-' : word.ptr[i]))
            return false;
    return name[word.len] == 0;
}

bool
kn_setting_find(kn_str name, kn_setting_entry *out, size_t *index)
{
    for (*index = 0; name.len && setting_at(*index, out); ++*index)
        if (same_name(name, out->setting.name))
            return true;
    return false;
}

const char *
kn_setting_nearest(kn_str name, const char *also)
{
    const char *names[KN_COUNT(first) + KN_MODEL_COUNT * 3 + KN_COUNT(rest) + 2];
    char        word[64];
    size_t      count = 0;

    if (name.len >= sizeof word)
        return NULL;
    for (size_t i = 0; i < name.len; i++)
        word[i] = name.ptr[i] == '_' ? '-' : name.ptr[i];
    word[name.len] = 0;
    for (const kanon_setting *s; (s = kanon_setting_at(count)); count++)
        names[count] = s->name;
    assert(count + 2 <= KN_COUNT(names));
    names[count++] = also;
    names[count] = NULL;
    return kn_nearest(word, names);
}

kanon_status
kn_setter_refuse(const kn_setter *setter, kn_str value, const char *expected)
{
    return kn_fail_at(setter->config->ctx, KANON_E_INVALID, setter->file, setter->line,
                      "%s: '%.*s' is not valid; expected %s", setter->name, KN_ARG(value),
                      expected);
}

kanon_status
kn_setter_place(const kn_setter *setter, kanon_status status)
{
    kanon_ctx *ctx = setter->config->ctx;
    char       message[1500];

    if (status >= 0 || status == KANON_E_NOMEM || !setter->file || kanon_ctx_place(ctx, NULL))
        return status;
    snprintf(message, sizeof message, "%s", kanon_ctx_message(ctx));
    return kn_fail_at(ctx, status, setter->file, setter->line, "%s", message);
}

const char *
kn_setter_path(const kn_setter *setter, kn_str file)
{
    kn_text     path;
    const char *copy = NULL;

    if (!setter->folder || !setter->folder[0] || (file.len && file.ptr[0] == '/'))
        return kn_arena_text(&setter->config->arena, file);
    kn_text_init(&path, setter->config->ctx);
    kn_text_addz(&path, setter->folder);
    if (path.len && path.ptr[path.len - 1] != '/')
        kn_text_addz(&path, "/");
    kn_text_add(&path, file);
    if (kn_text_status(&path) == KANON_OK)
        copy = kn_arena_text(&setter->config->arena, (kn_str){ path.ptr, path.len });
    kn_text_fini(&path);
    return copy;
}

void
kn_setter_for(kn_setter *setter, const kn_setting_entry *entry)
{
    setter->name = entry->setting.name;
    setter->setting = &entry->setting;
}

static kanon_status
apply_list(const kn_setting_entry *entry, const kn_setter *setter, kn_str text)
{
    bool more = true;

    if (entry->clear)
        entry->clear(setter->config);
    while (more) {
        kn_str       item;
        kanon_status rc = kn_column_take(setter, &text, ',', &item, &more);

        if (rc == KANON_OK)
            rc = entry->apply(setter, item);
        if (rc < 0)
            return rc;
    }
    return KANON_OK;
}

static kanon_status
apply_pair(const kn_setting_entry *entry, const kn_setter *setter, kn_str text)
{
    kn_str       whole = text, key;
    bool         found;
    kanon_status rc = kn_column_take(setter, &text, '=', &key, &found);

    if (rc < 0)
        return rc;
    if (!found)
        return kn_setter_refuse(setter, whole, entry->setting.argument);
    return entry->apply_pair(setter, key, kn_str_trim(text));
}

kanon_status
kn_setting_apply(const kn_setting_entry *entry, kn_setter *setter, kn_str text)
{
    kn_setter_for(setter, entry);
    switch (entry->setting.shape) {
    case KANON_SHAPE_LIST:
        return apply_list(entry, setter, text);
    case KANON_SHAPE_PAIR:
        return apply_pair(entry, setter, text);
    case KANON_SHAPE_VALUE:
    case KANON_SHAPE_SWITCH:
    case KANON_SHAPE_ITEM:
        break;
    }
    return entry->apply(setter, text);
}

kanon_status
kanon_config_set(kanon_config *config, const char *name, const char *value)
{
    kn_setter        setter = { config, name, NULL, 0, NULL, NULL };
    kn_setting_entry entry;
    const char      *nearest;
    size_t           index;

    if (!name || !value)
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "kanon_config_set: name and value are required");
    if (kn_setting_find(kn_str_of(name), &entry, &index))
        return kn_setting_apply(&entry, &setter, kn_str_of(value));
    nearest = kn_setting_nearest(kn_str_of(name), NULL);
    if (nearest)
        return kn_fail(config->ctx, KANON_E_INVALID, "unknown setting '%s'; did you mean '%s'?",
                       name, nearest);
    return kn_fail(config->ctx, KANON_E_INVALID, "unknown setting '%s'", name);
}

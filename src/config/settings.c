/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c -- the one table of settings. Options, config keys, help texts, the manual's test and the
 * shell completions are all made from it, so a new setting is a line here that says where the config keeps
 * it, or names functions of values.c, columns.c and tell.c. Those of the privacy models stand in their rows
 * (privacy/registry.h). */
#include "base/text.h"
#include "config/setter.h"

#include <stdio.h>

/* What one value is, its bounds, and whether the lower one is excluded. */
#define TEXT KANON_VALUE_TEXT, 0, 0, 0
#define INTEGER(least, most) KANON_VALUE_INTEGER, least, most, 0
#define NUMBER(least, most) KANON_VALUE_NUMBER, least, most, 0
#define NUMBER_ABOVE(limit, most) KANON_VALUE_NUMBER, limit, most, 1
#define CHOICE KANON_VALUE_CHOICE, 0, 0, 0
#define ON_OFF KANON_VALUE_SWITCH, 0, 0, 0
#define COLUMN KANON_VALUE_COLUMN, 0, 0, 0
#define PATH KANON_VALUE_FILE, 0, 0, 0
#define NAMED KANON_VALUE_NAME, 0, 0, 0

/* Where the config keeps a value, and in which form; KEPT_AT: it also notes where the value was set. */
#define KEPT(form, member) .keeps = KN_KEEPS_##form, .field = offsetof(kanon_config, member)
#define KEPT_AT(form, member)                                                                      \
    .keeps = KN_KEEPS_##form, .field = offsetof(kanon_config, member),                             \
    .at = offsetof(kanon_config, member##_at)
#define ROLE(of) .keeps = KN_KEEPS_ROLE, .role = KN_ROLE_##of
#define OWN(name) .apply = kn_set_##name, .tell = kn_tell_##name

/* What the user reads, the type and the shape; then how the config keeps it, or the functions that know. */
static const kn_setting_entry first[] = {
    { { "qi", "LIST", NULL, "quasi-identifiers: columns that together could identify a person",
        COLUMN, KANON_SHAPE_LIST },
      ROLE(QUASI) },
    { { "id", "LIST", NULL, "identifiers: every cell becomes *", COLUMN, KANON_SHAPE_LIST },
      ROLE(IDENTIFIER) },
    { { "pseudonym", "LIST", NULL,
        "identifiers whose cells become pseudonyms instead of *: equal cells get the same one, so "
        "the rows of a person stay linked",
        COLUMN, KANON_SHAPE_LIST },
      .apply = kn_set_pseudonym,
      .apply_pair = kn_set_pseudonym_of,
      .tell = kn_tell_pseudonym },
    { { "pseudonym-key", "FILE", NULL,
        "file with the secret key of the pseudonyms (32 to 64 hexadecimal digits, chmod 600), the "
        "same for releases that shall be linked; default: a fresh key",
        PATH, KANON_SHAPE_VALUE },
      KEPT(TEXT, pseudonym_key) },
    { { "sensitive", "LIST", NULL, "sensitive columns: released unchanged, with l and t measured",
        COLUMN, KANON_SHAPE_LIST },
      ROLE(SENSITIVE) },
    { { "insensitive", "LIST", NULL,
        "columns that nobody outside knows and that reveal nothing: released unchanged", COLUMN,
        KANON_SHAPE_LIST },
      ROLE(INSENSITIVE) },
    { { "others", "refuse|drop|keep", "refuse",
        "columns without a role: refuse to release anything, drop them, or release them unchanged",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, others) },
    { { "hierarchy", "COL=SPEC", "auto",
        "hierarchy of a column: FILE, range:5,10,50, mask:right, date:month,year, time:hour, "
        "place:FILE, pack:NAME, ip:24,16,8, email, grid:lat,1000, order, auto (repeatable)",
        TEXT, KANON_SHAPE_PAIR },
      .apply_pair = kn_set_hierarchy,
      .tell_column = kn_tell_hierarchy },
    { { "type", "COL=TYPE", NULL, "number, date, string or place; detected by default (repeatable)",
        TEXT, KANON_SHAPE_PAIR },
      .apply_pair = kn_set_type,
      .tell_column = kn_tell_type },
    { { "level", "COL=N", NULL,
        "generalization level of a quasi-identifier, fixed: 0 releases its values (repeatable)",
        INTEGER(0, 255), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_level,
      .tell_column = kn_tell_level },
    { { "min-level", "COL=N", NULL, "lowest level that a quasi-identifier may have (repeatable)",
        INTEGER(0, 255), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_min_level,
      .tell_column = kn_tell_min_level },
    { { "max-level", "COL=N", NULL, "highest level that a quasi-identifier may have (repeatable)",
        INTEGER(0, 255), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_max_level,
      .tell_column = kn_tell_max_level },
    { { "weight", "COL=W", "1",
        "weight of a quasi-identifier in the information loss: 0 ignores it, 2 counts it twice "
        "(repeatable)",
        NUMBER(0, 1e9), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_weight,
      .tell_column = kn_tell_weight },
    { { "importance", "COL=WORD", "normal",
        "the weight in words: low counts a third, normal once, high three times (repeatable)", TEXT,
        KANON_SHAPE_PAIR },
      .apply_pair = kn_set_importance,
      .tell_column = kn_tell_importance },
    { { "round", "COL=N", NULL,
        "round the numbers of a sensitive or insensitive column to multiples of N (repeatable)",
        NUMBER_ABOVE(0, 9e18), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_round,
      .tell_column = kn_tell_round },
    { { "top", "COL=N", NULL, "top coding: numbers of such a column above N become N (repeatable)",
        NUMBER(-9e18, 9e18), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_top,
      .tell_column = kn_tell_top },
    { { "bottom", "COL=N", NULL,
        "bottom coding: numbers of such a column below N become N (repeatable)",
        NUMBER(-9e18, 9e18), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_bottom,
      .tell_column = kn_tell_bottom },
    { { "label", "COL", NULL, "class column of the metric cm; default: the first sensitive column",
        COLUMN, KANON_SHAPE_VALUE },
      KEPT_AT(TEXT, label) },
    { { "count", "COL", NULL, "column that says how many rows each row stands for", COLUMN,
        KANON_SHAPE_VALUE },
      KEPT_AT(TEXT, count) },

    { { "k", "N", "5", "minimum size of an equivalence class", INTEGER(1, 4294967295.0),
        KANON_SHAPE_VALUE },
      KEPT_AT(WHOLE, k),
      .has = offsetof(kanon_config, has_k) },
    { { "profile", "none|hipaa-safe-harbor|hipaa-expert|ema-0070|wp216|puf|suf", "none",
        "law or guideline: sets thresholds, and tells which requirements are met and which a "
        "person "
        "must judge; `kanon profiles` lists them",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, profile),
      .apply = kn_set_profile },
    { { "suppression", "F", "0.01", "maximum share of rows to suppress: a fraction, or 1%",
        NUMBER(0, 1), KANON_SHAPE_VALUE },
      KEPT(NUMBER, suppression),
      .apply = kn_set_suppression },
    { { "suppressed", "drop|mask", "drop",
        "drop suppressed rows, or keep them with * in every quasi-identifier", CHOICE,
        KANON_SHAPE_VALUE },
      KEPT(WORD, suppressed) },
    { { "identifiers", "mask|drop", "mask",
        "replace the cells of identifiers by *, or drop the columns", CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, identifiers) },
    { { "formulas", "keep|quote", "keep",
        "cells that a spreadsheet would run as a formula: keep them, or put an apostrophe before "
        "them (CSV)",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, formulas) },
};

/* Behind those of the models, which the list of models tells. */
static const kn_setting_entry rest[] = {
    { { "population", "FILE", NULL,
        "table of the population from which the rows were drawn, with the same quasi-identifiers",
        PATH, KANON_SHAPE_VALUE },
      KEPT(TEXT, models.population) },

    { { "algorithm", "NAME", "auto", "algorithm; `kanon algorithms` lists them", NAMED,
        KANON_SHAPE_VALUE },
      KEPT_AT(TEXT, algorithm) },
    { { "metric", "NAME", "glm",
        "information loss to minimise; `kanon algorithms` lists them, and the algorithms with "
        "another default",
        NAMED, KANON_SHAPE_VALUE },
      KEPT_AT(TEXT, metric) },
    { { "param", "KEY=VALUE", NULL, "parameter of the algorithm (repeatable)", TEXT,
        KANON_SHAPE_PAIR },
      .apply_pair = kn_set_param,
      .tell = kn_tell_param },
    { { "seed", "N", "1",
        "seed of the searches: the same input, settings and seed give the same released rows",
        INTEGER(0, 18446744073709551615.0), KANON_SHAPE_VALUE },
      KEPT(WHOLE, seed) },
    { { "order-key", "HEX", NULL,
        "secret key of the order of released rows, 32 to 64 hexadecimal digits: with it the "
        "release is the same byte for byte; default: a fresh one, which the internal report "
        "records",
        TEXT, KANON_SHAPE_VALUE },
      KEPT(TEXT, order_key),
      .apply = kn_set_order_key },
    { { "threads", "N", NULL, "number of threads, 0: all cores; does not change the release",
        INTEGER(0, 1024), KANON_SHAPE_VALUE },
      KEPT(WHOLE, threads),
      .apply = kn_set_threads },
    { { "time-limit", "SECONDS", NULL,
        "end the search after this time, with the best result so far; none: no limit, not even "
        "auto's budget for a proof",
        NUMBER(0, 1e9), KANON_SHAPE_VALUE },
      OWN(time_limit) },

    { { "local", "interval|mean|median|mode", "interval", "local recoding: what a class shows",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, local) },
    { { "snap", "off|hierarchy|grid", "grid",
        "where intervals and labels end: on a grid that rare values do not decide, or with local "
        "recoding at groups of the hierarchy; off: at original values, which discloses them",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, snap) },
    { { "intervals", "to|dash", "to",
        "how intervals of numbers are written: 2 to 3, which no spreadsheet takes for a date, or "
        "2-3",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, intervals) },
    { { "grid", "COL=WIDTH", NULL,
        "local recoding: widen the intervals of a column to multiples of WIDTH (repeatable)",
        NUMBER_ABOVE(0, 9e18), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_grid,
      .tell_column = kn_tell_grid },

    { { "keep-order", NULL, "false",
        "keep the released rows in the order of the input instead of shuffling them", ON_OFF,
        KANON_SHAPE_SWITCH },
      KEPT(SWITCH, keep_order) },
    { { "report", "FILE", NULL, "write a report; FILE ends in .html or .json (repeatable)", PATH,
        KANON_SHAPE_ITEM },
      OWN(report) },
    { { "report-audience", "internal|external", "internal",
        "external: reports to publish, without seeds, keys, original values, small counts and "
        "anything else that helps an attacker",
        CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, audience) },
    { { "objectives", "LIST", "k,glm",
        "`kanon pareto`: objectives to trade off; l:COL uses that column", NAMED,
        KANON_SHAPE_LIST },
      .apply = kn_set_objective,
      .clear = kn_clear_objectives,
      .tell = kn_tell_objectives },
    { { "boxes", "NAME=SIDE,...", NULL,
        "`kanon pareto`: keep one point per box of these sides; default: 1 for counts, 0.001 for "
        "shares; 0: no boxes",
        NUMBER(0, 9e18), KANON_SHAPE_PAIR },
      .apply_pair = kn_set_box,
      .tell = kn_tell_boxes },
    { { "knee-k", "MIN-MAX", "2-50", "`kanon pareto`: the k that the proposed point may have", TEXT,
        KANON_SHAPE_VALUE },
      OWN(knee_k) },
    { { "wildcard", NULL, "false",
        "`kanon check`: add the interpretation in which a missing value matches anything", ON_OFF,
        KANON_SHAPE_SWITCH },
      KEPT(SWITCH, wildcard) },

    { { "delimiter", "C", NULL, "one character, or tab; detected by default", TEXT,
        KANON_SHAPE_VALUE },
      OWN(delimiter) },
    { { "quote", "C", "\"", "quote character", TEXT, KANON_SHAPE_VALUE }, OWN(quote) },
    { { "header", "auto|yes|no", "auto", "whether the first line contains the column names", CHOICE,
        KANON_SHAPE_VALUE },
      KEPT(WORD, header),
      .apply = kn_set_header },
    { { "no-header", NULL, "false", "same as --header no: the columns are column1, column2 ...",
        ON_OFF, KANON_SHAPE_SWITCH },
      OWN(no_header) },
    { { "encoding", "auto|utf-8|utf-16|windows-1252|latin-1", "auto",
        "encoding of the table; detected by default", CHOICE, KANON_SHAPE_VALUE },
      KEPT(WORD, encoding),
      .apply = kn_set_encoding },
    { { "skip", "N", NULL,
        "lines above the header to skip; without it, titles above a table are refused",
        INTEGER(0, 1e6), KANON_SHAPE_VALUE },
      KEPT(WHOLE, skip),
      .has = offsetof(kanon_config, has_skip) },
    { { "skip-footer", "N", NULL,
        "lines below the last row to leave out; without it, totals and notes are refused",
        INTEGER(0, 1e6), KANON_SHAPE_VALUE },
      KEPT(WHOLE, skip_footer),
      .has = offsetof(kanon_config, has_skip_footer) },
    { { "duplicate-names", "refuse|rename", "refuse",
        "columns with the same name: refuse the table, or call them NAME, NAME_2 ...", CHOICE,
        KANON_SHAPE_VALUE },
      KEPT(WORD, duplicates) },
    { { "missing", "LIST", ",?,NA",
        "cells that mean \"no value\"; replaces the default, so include the empty cell: "
        "',?,NA,k.A.'",
        TEXT, KANON_SHAPE_LIST },
      OWN(missing),
      .clear = kn_clear_missing },
};

/* The index-th setting of the models and what it does; NULL past the end, and the index is so much less. */
static const kanon_setting *
model_setting_at(size_t *index, kn_setting_entry *out)
{
    const kn_model_setting *s;

    for (size_t i = 0; (s = kn_model_setting_at(i)); i++) {
        const kanon_setting *const    parts[] = { &s->value, &s->kind, &s->other };
        static const kn_setting_entry acts[] = {
            { .apply = kn_set_model_value, .apply_pair = kn_set_column_value },
            { .apply = kn_set_model_kind, .apply_pair = kn_set_column_kind },
            { .apply = kn_set_model_other, .apply_pair = kn_set_column_other }
        };

        for (size_t p = 0; p < KN_COUNT(parts); p++) {
            if (!parts[p]->name)
                continue;
            if (*index == 0) {
                *out = acts[p];
                out->setting = *parts[p];
                if (s->scope != KN_OF_SENSITIVE)
                    out->apply_pair = NULL;
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

bool
kn_setting_of_column(const kn_setting_entry *entry)
{
    return entry->tell_column || (entry->apply && entry->apply_pair);
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
    assert(entry->setting.name);
    setter->name = entry->setting.name;
    setter->setting = &entry->setting;
}

kanon_status
kn_setting_take(const kn_setting_entry *entry, const kn_setter *setter, kn_str value)
{
    return entry->apply ? entry->apply(setter, value) : kn_set_kept(entry, setter, value);
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
            rc = kn_setting_take(entry, setter, item);
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

/* A value for all columns, or COLUMN=VALUE for one. */
static kanon_status
apply_value(const kn_setting_entry *entry, const kn_setter *setter, kn_str text)
{
    kn_str       value = text, column;
    bool         found;
    kanon_status rc;

    if (!entry->apply_pair)
        return kn_setting_take(entry, setter, text);
    rc = kn_column_take(setter, &value, '=', &column, &found);
    if (rc < 0)
        return rc;
    return found ? entry->apply_pair(setter, column, kn_str_trim(value))
                 : kn_setting_take(entry, setter, text);
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
    return apply_value(entry, setter, text);
}

kanon_status
kanon_config_set(kanon_config *config, const char *name, const char *value)
{
    kn_setter        setter = { config, name, NULL, 0, NULL, NULL };
    kn_setting_entry entry;
    const char      *nearest;
    size_t           index;

    if (!config || !name || !value)
        return kn_fail(config ? config->ctx : NULL, KANON_E_INVALID,
                       "kanon_config_set: config, name and value are required");
    if (kn_setting_find(kn_str_of(name), &entry, &index))
        return kn_setting_apply(&entry, &setter, kn_str_of(value));
    nearest = kn_setting_nearest(kn_str_of(name), NULL);
    if (nearest)
        return kn_fail(config->ctx, KANON_E_INVALID, "unknown setting '%s'; did you mean '%s'?",
                       name, nearest);
    return kn_fail(config->ctx, KANON_E_INVALID, "unknown setting '%s'", name);
}

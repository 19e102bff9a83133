/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c -- configured names looked up in a table, with help where they are not there. */
#include "problem/columns.h"

#include "base/text.h"
#include "problem/problem.h"

enum { NAMES_MOST = 12 };

/* Terminated copies of the table's column names, with a NULL behind them. */
static const char **
name_list(kn_arena *arena, const kn_rows *rows)
{
    size_t       count = kn_rows_columns(rows);
    const char **names = kn_arena_alloc(arena, (count + 1) * sizeof *names);

    for (size_t i = 0; names && i < count; i++) {
        names[i] = kn_arena_text(arena, kn_rows_names(rows)[i]);
        if (!names[i])
            return NULL;
    }
    if (names)
        names[count] = NULL;
    return names;
}

/* ", did you mean 'age'?", or the names there are. */
static void
suggest(kn_text *text, const char *const *names, const char *wanted)
{
    const char *nearest = kn_nearest(wanted, names);

    if (nearest) {
        kn_text_addf(text, "; did you mean '%s'?", nearest);
        return;
    }
    kn_text_addz(text, "; expected one of ");
    for (size_t i = 0; i <= NAMES_MOST && names[i]; i++)
        kn_text_addf(text, "%s%s", i ? ", " : "", i < NAMES_MOST ? names[i] : "...");
}

static kanon_status
refuse(const kn_rows *rows, const kn_attribute *attribute)
{
    kanon_ctx   *ctx = rows->ctx;
    kanon_status rc = KANON_E_NOMEM;
    const char **names;
    kn_arena     arena;
    kn_text      text;

    kn_arena_init(&arena, ctx);
    kn_text_init(&text, ctx);
    names = name_list(&arena, rows);
    if (!names)
        goto out;
    suggest(&text, names, attribute->name);
    KN_TRY(kn_text_status(&text));
    if (attribute->file)
        rc = kn_fail_at(ctx, KANON_E_INVALID, attribute->file, attribute->line,
                        "%s has no column '%.100s'%s", rows->name, attribute->name, text.ptr);
    else
        rc = kn_fail_at(ctx, KANON_E_INVALID, rows->name, 0, "no column '%.100s'%s",
                        attribute->name, text.ptr);
out:
    kn_arena_fini(&arena);
    kn_text_fini(&text);
    return rc;
}

kanon_status
kn_column_position(const kn_rows *rows, const kn_attribute *attribute, size_t *out)
{
    *out = kn_rows_find(rows, kn_str_of(attribute->name));
    return *out == SIZE_MAX ? refuse(rows, attribute) : KANON_OK;
}

size_t
kn_count_column(const kanon_config *config, const kn_rows *rows)
{
    return config->count ? kn_rows_find(rows, kn_str_of(config->count)) : SIZE_MAX;
}

kanon_status
kn_count_check(const kanon_config *config, const kn_rows *rows)
{
    const char             *name = config->count, *other = NULL;
    kn_place                at = config->count_at;
    kn_attribute            named = { .name = name, .file = at.file, .line = at.line };
    const kn_model_setting *setting;
    kn_role                 role;
    size_t                  position;

    if (!name)
        return KANON_OK;
    role = kn_config_role(config, kn_str_of(name));
    if (role != KN_ROLE_INSENSITIVE && role != KN_ROLE_NONE)
        return kn_fail_at(rows->ctx, KANON_E_INVALID, at.file, at.line,
                          "count: '%s' has the role %s, expected an insensitive column", name,
                          kn_role_name(role));
    if (config->label && strcmp(config->label, name) == 0)
        other = "label";
    for (size_t i = 0; (setting = kn_model_setting_at(i)); i++) {
        const char *column = config->models.asked[i].column;

        if (column && strcmp(column, name) == 0)
            other = setting->value.name;
    }
    if (other)
        return kn_fail_at(rows->ctx, KANON_E_INVALID, at.file, at.line,
                          "count: '%s' is the column of %s as well, expected another one", name,
                          other);
    return kn_column_position(rows, &named, &position);
}

kanon_status
kn_column_unknown(const kn_problem *problem, const char *setting, const char *name, kn_place at)
{
    kanon_status      rc = KANON_OK;
    const kn_learned *learned = problem->learned;
    kanon_ctx        *ctx = problem->ctx;
    const char      **names = KN_NEW_ARRAY(ctx, const char *, learned->ncolumns + 1);
    kn_text           text;

    if (!names)
        return KANON_E_NOMEM;
    kn_text_init(&text, ctx);
    for (size_t i = 0; i < learned->ncolumns; i++)
        names[i] = learned->names[i];
    suggest(&text, names, name);
    KN_TRY(kn_text_status(&text));
    rc = kn_fail_at(ctx, KANON_E_INVALID, at.file, at.line, "%s: '%.100s' is not a column of %s%s",
                    setting, name, problem->source->name, text.ptr);
out:
    kn_text_fini(&text);
    kn_free(ctx, (void *) names);
    return rc;
}

kanon_status
kn_missing_tokens(kanon_ctx *ctx, const kanon_config *config, kn_str **out)
{
    kn_str *tokens = KN_NEW_ARRAY(ctx, kn_str, config->nmissing);

    *out = tokens;
    if (!tokens)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < config->nmissing; i++)
        tokens[i] = kn_str_of(config->missing[i]);
    return KANON_OK;
}

kanon_status
kn_source_table(kanon_ctx *ctx, const kanon_config *config, const kanon_source *source,
                kn_csv_table *out)
{
    kn_csv_options options;
    kanon_status   rc;

    if (source->size < sizeof *source || !source->name || !source->open || !source->read
        || !source->close)
        return kn_fail(ctx, KANON_E_INVALID,
                       "a source needs its size, a name, open, read and close");
    rc = kn_config_csv(config, &options);
    if (rc == KANON_OK)
        kn_csv_table_init(out, source, &options);
    return rc;
}

kanon_status
kn_sink_check(kanon_ctx *ctx, const kanon_sink *sink)
{
    if (sink->size < sizeof *sink || !sink->name || !sink->begin || !sink->write || !sink->read_back
        || !sink->commit || !sink->abandon)
        return kn_fail(
            ctx, KANON_E_INVALID,
            "a sink needs its size, a name, begin, write, read_back, commit and abandon");
    return KANON_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* config.c -- a config's life and the questions that later stages ask it. */
#include "config/config.h"

#include "base/hash.h"
#include "base/pool.h"
#include "base/text.h"
#include "config/setter.h"
#include "kanon/job.h"

enum { PLACES_LEAST = 32 };

static const char *const default_missing[] = { "", "?", "NA" };

static kanon_status
set_defaults(kanon_config *config)
{
    kn_setter setter = { config, "missing", NULL, 0, NULL, NULL };

    config->k = 5;
    config->suppression = 0.01;
    kn_config_no_models(config);
    config->algorithm = "auto";
    config->seed = 1;
    config->snap = KN_SNAP_GRID;
    config->knee_k[0] = 2;
    config->knee_k[1] = 50;
    for (size_t i = 0; i < KN_COUNT(default_missing); i++)
        if (kn_set_missing(&setter, kn_str_of(default_missing[i])) < 0)
            return KANON_E_NOMEM;
    return KANON_OK;
}

kanon_status
kanon_config_new(kanon_ctx *ctx, kanon_config **out)
{
    kanon_config *config;

    if (!out)
        return kn_fail(ctx, KANON_E_INVALID, "kanon_config_new: out is required");
    *out = NULL;
    config = KN_NEW(ctx, kanon_config);
    if (!config)
        return KANON_E_NOMEM;
    config->ctx = ctx;
    kn_arena_init(&config->arena, ctx);
    kn_text_init(&config->told, ctx);
    if (set_defaults(config) < 0) {
        kanon_config_free(config);
        return KANON_E_NOMEM;
    }
    *out = config;
    return KANON_OK;
}

void
kanon_config_free(kanon_config *config)
{
    if (!config)
        return;
    kn_free(config->ctx, config->missing);
    kn_free(config->ctx, config->attributes);
    kn_free(config->ctx, config->names);
    kn_free(config->ctx, config->places);
    kn_free(config->ctx, config->own_models);
    kn_free(config->ctx, config->algorithms);
    kn_free(config->ctx, config->params);
    kn_free(config->ctx, config->reports);
    kn_text_fini(&config->told);
    kn_arena_fini(&config->arena);
    kn_free(config->ctx, config);
}

const char *
kanon_config_report(const kanon_config *config, size_t index)
{
    return index < config->nreports ? config->reports[index] : NULL;
}

kanon_status
kanon_config_keep_classes(kanon_config *config, unsigned rows)
{
    if (!config)
        return KANON_E_INVALID;
    if (rows & ~(unsigned) (KANON_ROWS_RELEASED | KANON_ROWS_ORIGINAL))
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "rows is %u; use KANON_ROWS_RELEASED, KANON_ROWS_ORIGINAL, both or 0", rows);
    config->keep_classes = rows;
    return KANON_OK;
}

const char *
kanon_config_file(const kanon_config *config, size_t index)
{
    for (size_t i = 0; i < config->nattributes; i++)
        if (config->attributes[i].hierarchy.file && index-- == 0)
            return config->attributes[i].hierarchy.file;
    return index == 0 ? config->models.population : NULL;
}

const char *const kn_local_names[] = { [KN_LOCAL_INTERVAL] = "interval",
                                       [KN_LOCAL_MEAN] = "mean",
                                       [KN_LOCAL_MEDIAN] = "median",
                                       [KN_LOCAL_MODE] = "mode",
                                       NULL };
const char *const kn_snap_names[] = {
    [KN_SNAP_OFF] = "off", [KN_SNAP_HIERARCHY] = "hierarchy", [KN_SNAP_GRID] = "grid", NULL
};
const char *const kn_role_names[] = { [KN_ROLE_NONE] = "none",
                                      [KN_ROLE_IDENTIFIER] = "identifier",
                                      [KN_ROLE_QUASI] = "quasi",
                                      [KN_ROLE_SENSITIVE] = "sensitive",
                                      [KN_ROLE_INSENSITIVE] = "insensitive",
                                      NULL };
const char *const kn_suppressed_names[] = {
    [KN_SUPPRESSED_DROP] = "drop", [KN_SUPPRESSED_MASK] = "mask", NULL
};
const char *const kn_identifiers_names[] = {
    [KN_IDENTIFIERS_MASK] = "mask", [KN_IDENTIFIERS_DROP] = "drop", NULL
};
const char *const kn_others_names[] = {
    [KN_OTHERS_REFUSE] = "refuse", [KN_OTHERS_DROP] = "drop", [KN_OTHERS_KEEP] = "keep", NULL
};
const char *const kn_formulas_names[] = {
    [KN_FORMULAS_KEEP] = "keep", [KN_FORMULAS_QUOTE] = "quote", NULL
};

const char *const kn_intervals_names[] = {
    [KN_INTERVALS_TO] = "to", [KN_INTERVALS_DASH] = "dash", NULL
};

void
kn_config_style(const kanon_config *config, kn_domain *domain)
{
    domain->exact = config->snap == KN_SNAP_OFF;
    domain->dash = config->intervals == KN_INTERVALS_DASH;
}

const char *
kn_local_name(kn_local local)
{
    assert(local < KN_COUNT(kn_local_names) - 1);
    return kn_local_names[local];
}

const char *
kn_snap_name(kn_snap snap)
{
    assert(snap < KN_COUNT(kn_snap_names) - 1);
    return kn_snap_names[snap];
}

const char *
kn_role_name(kn_role role)
{
    assert(role < KN_COUNT(kn_role_names) - 1);
    return kn_role_names[role];
}

const char *
kn_config_metric(const kanon_config *config, const char *own)
{
    return config->metric ? config->metric : own ? own : "glm";
}

/* The place that holds the name, or the free one where it belongs. */
static size_t
find_place(const kanon_config *config, kn_str name)
{
    size_t mask = config->nplaces - 1;
    size_t at = (size_t) kn_hash_seeded(name.ptr, name.len, kn_ctx_hash_seed(config->ctx)) & mask;

    while (config->places[at] && !kn_str_equal(config->names[config->places[at] - 1], name))
        at = (at + 1) & mask;
    return at;
}

unsigned
kn_config_threads(const kanon_config *config)
{
    return config->threads ? (unsigned) config->threads : kn_cores();
}

const kn_attribute *
kn_config_attribute(const kanon_config *config, kn_str name)
{
    uint32_t place = config->nplaces ? config->places[find_place(config, name)] : 0;

    return place ? &config->attributes[place - 1] : NULL;
}

/* Names are looked up for every column of the table, so that a walk over all of them would take the square of
 * the columns. */
kanon_status
kn_config_note_name(kanon_config *config, size_t number)
{
    assert(config->names[number].len > 0);
    if ((number + 1) * 2 > config->nplaces) {
        size_t    nplaces = config->nplaces ? config->nplaces * 2 : PLACES_LEAST;
        uint32_t *places = KN_NEW_ARRAY(config->ctx, uint32_t, nplaces);

        if (!places)
            return KANON_E_NOMEM;
        kn_free(config->ctx, config->places);
        config->places = places;
        config->nplaces = nplaces;
        for (size_t i = 0; i < number; i++)
            places[find_place(config, config->names[i])] = (uint32_t) i + 1;
    }
    config->places[find_place(config, config->names[number])] = (uint32_t) number + 1;
    return KANON_OK;
}

kn_role
kn_config_role(const kanon_config *config, kn_str name)
{
    const kn_attribute *attribute = kn_config_attribute(config, name);

    return attribute ? attribute->role : KN_ROLE_NONE;
}

bool
kn_config_hides(const kanon_config *config, kn_str name)
{
    kn_role role = kn_config_role(config, name);

    return role == KN_ROLE_IDENTIFIER || (role == KN_ROLE_NONE && config->others == KN_OTHERS_DROP);
}

bool
kn_config_missing(const kanon_config *config, kn_str cell)
{
    for (size_t i = 0; i < config->nmissing; i++)
        if (strlen(config->missing[i]) == cell.len
            && (cell.len == 0 || memcmp(config->missing[i], cell.ptr, cell.len) == 0))
            return true;
    return !cell.ptr;
}

kanon_status
kn_config_csv(const kanon_config *config, kn_csv_options *out)
{
    char quote = config->quote ? config->quote : '"';

    memset(out, 0, sizeof *out);
    if (config->delimiter == quote)
        return kn_fail(config->ctx, KANON_E_INVALID,
                       "delimiter and quote are both %c; use two different characters", quote);
    out->delimiter = config->delimiter;
    out->quote = config->quote;
    out->header = config->header;
    out->encoding = config->encoding;
    out->skip = config->skip;
    out->has_skip = config->has_skip;
    out->footer = config->skip_footer;
    out->has_footer = config->has_skip_footer;
    out->duplicates = config->duplicates;
    out->expected = config->names;
    out->nexpected = config->nattributes;
    return KANON_OK;
}

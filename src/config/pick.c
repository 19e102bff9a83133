/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c -- a point of a front becomes a config: the front's own settings, its k, and levels that stand
 * fixed. The front is read as its JSON tells it; whether table and hierarchies are still the same is for
 * the job to say, which has them. */
#include "config/config.h"
#include "config/json_read.h"
#include "config/slurp.h"
#include "kanon/pareto.h"

/* Between the two versions nothing changed that is read here. */
enum { SCHEMA_LEAST = 1, SCHEMA_MOST = 2, COLUMNS_MOST = 255 };
static const kn_slurp_limits front_limits = {
    256 << 20,
    "larger than 256 MiB, the maximum for a front; expected the output of `kanon pareto -o "
    "FRONT.json`",
    "a byte that is not UTF-8; expected the output of `kanon pareto -o FRONT.json`",
};

typedef struct reader {
    kanon_config *config;
    kn_json_in    in;
    kn_text       key, text;
    size_t        wanted;
    kn_pick       pick;
    kn_str        settings;
    bool          found;
    size_t        hierarchies_room, points;
    void         *hierarchies;
} reader;

static bool
is_key(const reader *r, const char *name)
{
    return strcmp(r->key.ptr, name) == 0;
}

/* Text that lives as long as the config. */
static kanon_status
keep(reader *r, const char **out)
{
    kanon_status rc = kn_json_in_string(&r->in, &r->text);

    if (rc < 0)
        return rc;
    *out = kn_arena_text(&r->config->arena, (kn_str){ r->text.ptr, r->text.len });
    return *out ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
read_input(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more;

    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        if (is_key(r, "blake2b"))
            KN_TRY(keep(r, &r->pick.input));
        else
            KN_TRY(kn_json_in_skip(&r->in, NULL));
    }
out:
    return rc;
}

static kanon_status
read_hierarchy(reader *r, kn_pick_column *column)
{
    kanon_status rc = KANON_OK;
    uint64_t     height = 0;
    bool         more;

    memset(column, 0, sizeof *column);
    column->level = UINT32_MAX;
    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        if (is_key(r, "name"))
            KN_TRY(keep(r, &column->name));
        else if (is_key(r, "print"))
            KN_TRY(keep(r, &column->print));
        else if (is_key(r, "height"))
            KN_TRY(kn_json_in_count(&r->in, &height));
        else
            KN_TRY(kn_json_in_skip(&r->in, NULL));
    }
    if (!column->name || !column->print || height > 255)
        return kn_json_in_fail(&r->in, "a hierarchy without name, height or print");
    column->height = (uint32_t) height;
out:
    return rc;
}

static kanon_status
read_hierarchies(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more;

    KN_TRY(kn_json_in_array(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_item(&r->in, &more));
        if (!more)
            break;
        if (r->pick.ncolumns == COLUMNS_MOST)
            return kn_json_in_fail(&r->in, "more than %d hierarchies", COLUMNS_MOST);
        KN_TRY(kn_grow(r->config->ctx, &r->hierarchies, &r->hierarchies_room, r->pick.ncolumns + 1,
                       sizeof *r->pick.columns));
        r->pick.columns = r->hierarchies;
        KN_TRY(read_hierarchy(r, &r->pick.columns[r->pick.ncolumns]));
        r->pick.ncolumns++;
    }
out:
    return rc;
}

/* The levels of the point that is wanted; the hierarchies stand before the front in the file. */
static kanon_status
read_levels(reader *r)
{
    kanon_status rc = KANON_OK;
    uint64_t     level;
    bool         more;

    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        size_t at = 0;

        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        KN_TRY(kn_json_in_count(&r->in, &level));
        while (at < r->pick.ncolumns && strcmp(r->pick.columns[at].name, r->key.ptr) != 0)
            at++;
        if (at == r->pick.ncolumns || level > r->pick.columns[at].height)
            return kn_json_in_fail(&r->in, "a level that none of the hierarchies has");
        r->pick.columns[at].level = (uint32_t) level;
    }
out:
    return rc;
}

static kanon_status
read_point(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more, wanted = r->points + 1 == r->wanted;

    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        if (wanted && is_key(r, "levels"))
            KN_TRY(read_levels(r));
        else if (wanted && is_key(r, "k"))
            KN_TRY(kn_json_in_count(&r->in, &r->pick.k));
        else
            KN_TRY(kn_json_in_skip(&r->in, NULL));
    }
    for (size_t i = 0; wanted && i < r->pick.ncolumns; i++)
        if (r->pick.columns[i].level > r->pick.columns[i].height)
            return kn_json_in_fail(&r->in, "a point without a level for every column");
    r->found |= wanted;
    r->points++;
out:
    return rc;
}

static kanon_status
read_front(reader *r)
{
    kanon_status rc = KANON_OK;
    bool         more;

    KN_TRY(kn_json_in_array(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_item(&r->in, &more));
        if (!more)
            break;
        KN_TRY(read_point(r));
    }
out:
    return rc;
}

static kanon_status
read_all(reader *r)
{
    kanon_status rc = KANON_OK;
    uint64_t     schema = 0;
    bool         more;

    KN_TRY(kn_json_in_object(&r->in));
    for (;;) {
        KN_TRY(kn_json_in_key(&r->in, &r->key, &more));
        if (!more)
            break;
        if (is_key(r, "schema")) {
            KN_TRY(kn_json_in_count(&r->in, &schema));
        } else if (is_key(r, "input")) {
            KN_TRY(read_input(r));
        } else if (is_key(r, "hierarchies")) {
            KN_TRY(read_hierarchies(r));
        } else if (is_key(r, "front")) {
            KN_TRY(read_front(r));
        } else if (is_key(r, "settings")) {
            KN_TRY(kn_json_in_skip(&r->in, &r->settings));
        } else {
            KN_TRY(kn_json_in_skip(&r->in, NULL));
        }
    }
    KN_TRY(kn_json_in_end(&r->in));
    if (schema < SCHEMA_LEAST || schema > SCHEMA_MOST || !r->pick.input || !r->settings.len
        || !r->pick.ncolumns)
        rc = kn_fail_at(r->in.ctx, KANON_E_INVALID, r->in.name, 0,
                        "not a front, or one of another version of kanon; expected the output of "
                        "`kanon pareto -o FRONT.json`");
out:
    return rc;
}

/* The front's settings are a config document; blank lines before it keep its line numbers right. */
static kanon_status
apply_settings(reader *r)
{
    kanon_status  rc = KANON_OK;
    kanon_ctx    *ctx = r->config->ctx;
    kanon_source *source = NULL;
    kn_text       text;
    uint64_t      line = kn_json_in_line(&r->in, (size_t) (r->settings.ptr - r->in.text.ptr));

    kn_text_init(&text, ctx);
    while (--line)
        kn_text_addz(&text, "\n");
    kn_text_add(&text, r->settings);
    KN_TRY(kn_text_status(&text));
    KN_TRY(kanon_source_memory(ctx, r->in.name, text.ptr, text.len, &source));
    KN_TRY(kanon_config_read(r->config, source, NULL));
out:
    kanon_source_free(source);
    kn_text_fini(&text);
    return rc;
}

static kanon_status
keep_pick(reader *r)
{
    kanon_config   *config = r->config;
    kn_pick        *pick = kn_arena_alloc(&config->arena, sizeof *pick);
    size_t          bytes = r->pick.ncolumns * sizeof *r->pick.columns;
    kn_pick_column *columns = kn_arena_alloc(&config->arena, bytes);

    if (!pick || !columns)
        return KANON_E_NOMEM;
    memcpy(columns, r->pick.columns, bytes);
    *pick = r->pick;
    pick->columns = columns;
    pick->number = r->wanted;
    pick->file = kn_arena_text(&config->arena, kn_str_of(r->in.name));
    config->pick = pick;
    if (pick->k)
        config->k = pick->k;
    return pick->file ? KANON_OK : KANON_E_NOMEM;
}

kanon_status
kanon_config_pick(kanon_config *config, const kanon_source *front, size_t pick)
{
    kanon_status rc = KANON_OK;
    reader       r = { .config = config, .wanted = pick };
    kn_text      text;

    if (!front || !pick)
        return kn_fail(config->ctx, KANON_E_INVALID, "a front and a point from 1 are required");
    kn_text_init(&text, config->ctx);
    kn_text_init(&r.key, config->ctx);
    kn_text_init(&r.text, config->ctx);
    KN_TRY(kn_slurp(config->ctx, front, &front_limits, &text));
    kn_json_in_init(&r.in, config->ctx, front->name ? front->name : "front",
                    (kn_str){ text.ptr, text.len });
    KN_TRY(read_all(&r));
    if (!r.found) {
        rc = r.points
               ? kn_fail_at(config->ctx, KANON_E_INVALID, r.in.name, 0,
                            "pick: there is no point %zu; this front has the points 1 to %zu", pick,
                            r.points)
               : kn_fail_at(config->ctx, KANON_E_INVALID, r.in.name, 0,
                            "the front has no points; make it again with `kanon pareto`");
        goto out;
    }
    KN_TRY(apply_settings(&r));
    KN_TRY(keep_pick(&r));
out:
    kn_free(config->ctx, r.hierarchies);
    kn_text_fini(&r.key);
    kn_text_fini(&r.text);
    kn_text_fini(&text);
    return rc;
}

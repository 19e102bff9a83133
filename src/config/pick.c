/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c -- a point of a front becomes a config: the front's own settings, its k, and levels that stand
 * fixed. The front is read as its JSON tells it; whether table and hierarchies are still the same is for
 * the job to say, which has them. */
#include "config/config.h"
#include "config/json_read.h"
#include "config/setter.h"
#include "config/slurp.h"
#include "kanon/pareto.h"

/* Between the two versions nothing changed that is read here. */
enum { SCHEMA_LEAST = 1, SCHEMA_MOST = 2, COLUMNS_MOST = 255, HEIGHT_MOST = 255 };
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
    size_t        wanted; /* point, from 1 */
    uint64_t      schema;
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

typedef kanon_status (*read_fn)(reader *r, void *to);

/* An object; fn reads the value of the key in r->key. */
static kanon_status
each_member(reader *r, read_fn fn, void *to)
{
    kanon_status rc = kn_json_in_object(&r->in);
    bool         more = true;

    while (rc == KANON_OK && more) {
        rc = kn_json_in_key(&r->in, &r->key, &more);
        if (rc == KANON_OK && more)
            rc = fn(r, to);
    }
    return rc;
}

static kanon_status
each_item(reader *r, read_fn fn)
{
    kanon_status rc = kn_json_in_array(&r->in);
    bool         more = true;

    while (rc == KANON_OK && more) {
        rc = kn_json_in_item(&r->in, &more);
        if (rc == KANON_OK && more)
            rc = fn(r, NULL);
    }
    return rc;
}

static kanon_status
read_input(reader *r, void *to)
{
    KN_UNUSED(to);
    return is_key(r, "blake2b") ? keep(r, &r->pick.input) : kn_json_in_skip(&r->in, NULL);
}

static kanon_status
read_column(reader *r, void *to)
{
    kn_pick_column *column = to;
    uint64_t        height = 0;
    kanon_status    rc;

    if (is_key(r, "name"))
        return keep(r, &column->name);
    if (is_key(r, "print"))
        return keep(r, &column->print);
    if (!is_key(r, "height"))
        return kn_json_in_skip(&r->in, NULL);
    rc = kn_json_in_count(&r->in, &height);
    column->height = height > HEIGHT_MOST ? UINT32_MAX : (uint32_t) height;
    return rc;
}

static kanon_status
read_hierarchy(reader *r, void *to)
{
    kanon_status    rc = KANON_OK;
    kn_pick_column *column;

    KN_UNUSED(to);
    if (r->pick.ncolumns == COLUMNS_MOST)
        return kn_json_in_fail(&r->in, "more than %d hierarchies", COLUMNS_MOST);
    KN_TRY(kn_grow(r->config->ctx, &r->hierarchies, &r->hierarchies_room, r->pick.ncolumns + 1,
                   sizeof *r->pick.columns));
    r->pick.columns = r->hierarchies;
    column = &r->pick.columns[r->pick.ncolumns];
    *column = (kn_pick_column){ .level = UINT32_MAX };
    KN_TRY(each_member(r, read_column, column));
    if (!column->name || !column->print || column->height > HEIGHT_MOST)
        return kn_json_in_fail(&r->in, "a hierarchy without name, height or print");
    r->pick.ncolumns++;
out:
    return rc;
}

/* A level of the point that is wanted; the hierarchies stand before the front in the file. */
static kanon_status
read_level(reader *r, void *to)
{
    uint64_t     level;
    size_t       at = 0;
    kanon_status rc = kn_json_in_count(&r->in, &level);

    KN_UNUSED(to);
    if (rc < 0)
        return rc;
    while (at < r->pick.ncolumns && strcmp(r->pick.columns[at].name, r->key.ptr) != 0)
        at++;
    if (at == r->pick.ncolumns || level > r->pick.columns[at].height)
        return kn_json_in_fail(&r->in, "a level that none of the hierarchies has");
    r->pick.columns[at].level = (uint32_t) level;
    return KANON_OK;
}

static kanon_status
read_wanted(reader *r, void *to)
{
    KN_UNUSED(to);
    if (is_key(r, "levels"))
        return each_member(r, read_level, NULL);
    if (is_key(r, "k"))
        return kn_json_in_count(&r->in, &r->pick.k);
    if (is_key(r, "suppressed_rows"))
        return kn_json_in_count(&r->in, &r->pick.suppressed);
    return kn_json_in_skip(&r->in, NULL);
}

static kanon_status
read_point(reader *r, void *to)
{
    kanon_status rc = KANON_OK;

    KN_UNUSED(to);
    if (++r->points != r->wanted)
        return kn_json_in_skip(&r->in, NULL);
    KN_TRY(each_member(r, read_wanted, NULL));
    for (size_t i = 0; i < r->pick.ncolumns; i++)
        if (r->pick.columns[i].level > r->pick.columns[i].height)
            return kn_json_in_fail(&r->in, "a point without a level for every column");
    r->found = true;
out:
    return rc;
}

static kanon_status
read_front(reader *r, void *to)
{
    KN_UNUSED(to);
    if (is_key(r, "schema"))
        return kn_json_in_count(&r->in, &r->schema);
    if (is_key(r, "input"))
        return each_member(r, read_input, NULL);
    if (is_key(r, "hierarchies"))
        return each_item(r, read_hierarchy);
    if (is_key(r, "front"))
        return each_item(r, read_point);
    return kn_json_in_skip(&r->in, is_key(r, "settings") ? &r->settings : NULL);
}

static kanon_status
read_all(reader *r)
{
    kanon_status rc = KANON_OK;

    KN_TRY(each_member(r, read_front, NULL));
    KN_TRY(kn_json_in_end(&r->in));
    if (r->schema < SCHEMA_LEAST || r->schema > SCHEMA_MOST || !r->pick.input || !r->settings.len
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

/* Does the promise of a point depend on a setting? Its k, its columns and their hierarchies are looked at by
 * the job; those that would choose levels have no effect. */
static bool
is_promised(const kanon_setting *setting)
{
    static const char *const names[] = { "suppression", "suppressed", "count",  "missing",
                                         "delimiter",   "quote",      "header", "encoding",
                                         "round",       "top",        "bottom", "skip",
                                         "skip-footer" };
    bool                     found = kanon_setting_is_model(setting);

    for (size_t i = 0; i < KN_COUNT(names); i++)
        found = found || strcmp(setting->name, names[i]) == 0;
    return found;
}

/* Notes what the front's settings are, before those of the user come on top of them. */
static kanon_status
keep_settings(kanon_config *config, kn_pick *pick)
{
    kanon_status rc = KANON_OK;
    size_t       bytes = kn_setting_count() * sizeof *pick->settings;
    kn_text      text;

    kn_text_init(&text, config->ctx);
    pick->settings = kn_arena_alloc(&config->arena, bytes);
    if (!pick->settings)
        return KANON_E_NOMEM;
    for (size_t i = 0; kanon_setting_at(i); i++) {
        const char *name = kanon_setting_at(i)->name, *value;

        if (!is_promised(kanon_setting_at(i)))
            continue;
        text.len = 0;
        kn_setting_tell(config, name, &text);
        KN_TRY(kn_text_status(&text));
        value = kn_arena_text(&config->arena, (kn_str){ text.ptr, text.len });
        if (!value) {
            rc = KANON_E_NOMEM;
            goto out;
        }
        pick->settings[pick->nsettings++] = (kn_setting){ name, value };
    }
out:
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
    return pick->file ? keep_settings(config, pick) : KANON_E_NOMEM;
}

static void
blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

static char *
find(char *text, size_t length, const char *what)
{
    size_t most = strlen(what);

    for (size_t i = 0; i + most <= length; i++)
        if (memcmp(text + i, what, most) == 0)
            return text + i;
    return NULL;
}

/* A page holds its front as JSON: all around it becomes blanks, so that lines keep their numbers. In a text
 * of the JSON, quotes have a backslash before them. */
static void
take_page(kn_text *text)
{
    char *end = text->ptr + text->len, *from, *to;

    if (!text->len || text->ptr[0] != '<')
        return;
    from = find(text->ptr, text->len, "{\"page\":");
    from = from ? find(from, (size_t) (end - from), ",\"front\":") : NULL;
    to = from ? find(from, (size_t) (end - from), "}</script>") : NULL;
    if (!to)
        return;
    from += strlen(",\"front\":");
    blank(text->ptr, from);
    blank(to, end);
}

kanon_status
kanon_config_pick(kanon_config *config, const kanon_source *front, size_t pick)
{
    kanon_status rc = KANON_OK;
    reader       r = { .config = config, .wanted = pick, .pick.suppressed = UINT64_MAX };
    kn_text      text;

    if (!front || !pick)
        return kn_fail(config->ctx, KANON_E_INVALID, "a front and a point from 1 are required");
    kn_text_init(&text, config->ctx);
    kn_text_init(&r.key, config->ctx);
    kn_text_init(&r.text, config->ctx);
    KN_TRY(kn_slurp(config->ctx, front, &front_limits, &text));
    take_page(&text);
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

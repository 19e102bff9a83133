/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c -- what a user asks for in one word: "range:5,10,50", "mask:left", "place:FILE:CITY", or the
 * name of a hierarchy file. */
#include "base/text.h"
#include "hierarchy/moment.h"

static const char *const kind_names[] = {
    [KN_HIER_AUTO] = "auto",
    [KN_HIER_RANGE] = "range",
    [KN_HIER_MASK] = "mask",
    [KN_HIER_DATE] = "date",
    [KN_HIER_PLACE] = "place",
    [KN_HIER_FILE] = "file",
    [KN_HIER_ORDER] = "order",
    [KN_HIER_PACK] = "pack",
    [KN_HIER_TIME] = "time",
    [KN_HIER_IP] = "ip",
    [KN_HIER_EMAIL] = "email",
    [KN_HIER_GRID] = "grid",
    NULL,
};

static bool
find_kind(kn_str name, kn_hier_kind *kind)
{
    for (size_t i = 0; kind_names[i]; i++)
        if (kn_str_equal(name, kn_str_of(kind_names[i]))) {
            *kind = (kn_hier_kind) i;
            return true;
        }
    return false;
}

static bool
looks_like_file(kn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '.' || text.ptr[i] == '/' || text.ptr[i] == '\\')
            return true;
    return false;
}

/* Splits "a,b,c" into items. */
static kanon_status
take_items(kn_arena *arena, kn_str list, kn_hier_spec *out)
{
    size_t count = 1, n = 0;
    kn_str piece;

    for (size_t i = 0; i < list.len; i++)
        count += list.ptr[i] == ',';
    out->items = kn_arena_alloc(arena, count * sizeof *out->items);
    if (!out->items)
        return KANON_E_NOMEM;
    while (kn_str_split(&list, ',', &piece)) {
        out->items[n] = kn_arena_text(arena, piece);
        if (!out->items[n++])
            return KANON_E_NOMEM;
    }
    out->nitems = n;
    return KANON_OK;
}

static kanon_status
take_file(kn_arena *arena, kn_str name, const char *folder, kn_hier_spec *out)
{
    kanon_status rc = KANON_OK;
    kn_text      path;

    kn_text_init(&path, arena->ctx);
    if (name.len && name.ptr[0] != '/' && folder && *folder) {
        kn_text_addz(&path, folder);
        if (path.len && path.ptr[path.len - 1] != '/')
            kn_text_addz(&path, "/");
    }
    kn_text_add(&path, name);
    KN_TRY(kn_text_status(&path));
    out->file = kn_arena_text(arena, (kn_str){ path.ptr, path.len });
    if (!out->file)
        rc = KANON_E_NOMEM;
out:
    kn_text_fini(&path);
    return rc;
}

/* "FILE" or "FILE:COLUMN,COLUMN"; a colon in a folder's name is part of it. */
static kanon_status
take_place(kn_arena *arena, kn_str text, const char *folder, kn_hier_spec *out)
{
    kanon_status rc = KANON_OK;
    kn_str       columns = { NULL, 0 };

    for (size_t i = text.len; i > 0 && text.ptr[i - 1] != '/' && text.ptr[i - 1] != '\\'; i--)
        if (text.ptr[i - 1] == ':') {
            columns = (kn_str){ text.ptr + i, text.len - i };
            text.len = i - 1;
            break;
        }
    KN_TRY(take_file(arena, kn_str_trim(text), folder, out));
    if (columns.len)
        KN_TRY(take_items(arena, columns, out));
out:
    return rc;
}

static kanon_status
fail_kind(kanon_ctx *ctx, const char *column, kn_str name)
{
    char        word[32];
    const char *near = NULL;

    if (name.len && name.len < sizeof word) {
        memcpy(word, name.ptr, name.len);
        word[name.len] = 0;
        near = kn_nearest(word, kind_names);
    }
    if (near)
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s': unknown hierarchy '%.*s'; did you mean '%s'? (write file:NAME "
                       "for a file without a dot in its name)",
                       column, KN_ARG(name), near);
    return kn_fail(
        ctx, KANON_E_INVALID,
        "column '%s': unknown hierarchy '%.*s'; expected a file, or one of auto, range, mask, "
        "date, place, file, order, pack, time, ip, email, grid (write file:NAME for a file without "
        "a dot in its "
        "name)",
        column, KN_ARG(name));
}

static kanon_status
take_side(kanon_ctx *ctx, const char *column, kn_str side, kn_hier_spec *out)
{
    if (kn_str_equal(side, KN_STR("left")))
        out->from_left = true;
    else if (!kn_str_equal(side, KN_STR("right")))
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s': mask:%.*s is not valid; expected mask:right or mask:left",
                       column, KN_ARG(side));
    return KANON_OK;
}

kanon_status
kn_hier_spec_parse(kanon_ctx *ctx, kn_arena *arena, const char *column, kn_str text,
                   const char *folder, kn_hier_spec *out)
{
    kanon_status rc = KANON_OK;
    const char  *colon;
    kn_str       name, rest = { NULL, 0 };

    memset(out, 0, sizeof *out);
    name = text = kn_str_trim(text);
    colon = text.len ? memchr(text.ptr, ':', text.len) : NULL;
    if (colon) {
        name = kn_str_trim((kn_str){ text.ptr, (size_t) (colon - text.ptr) });
        rest = kn_str_trim((kn_str){ colon + 1, text.len - (size_t) (colon - text.ptr) - 1 });
    }
    if (!find_kind(name, &out->kind)) {
        if (!looks_like_file(text))
            return fail_kind(ctx, column, name);
        out->kind = KN_HIER_FILE;
        rest = text;
    }
    if (out->kind == KN_HIER_FILE)
        KN_TRY(take_file(arena, rest, folder, out));
    else if (out->kind == KN_HIER_PLACE)
        KN_TRY(take_place(arena, rest, folder, out));
    else if (out->kind == KN_HIER_MASK && colon)
        KN_TRY(take_side(ctx, column, rest, out));
    else if (colon)
        KN_TRY(take_items(arena, rest, out));
    KN_TRY(kn_hier_spec_check(ctx, column, out));
out:
    return rc;
}

void
kn_hier_spec_tell(const kn_hier_spec *spec, kn_text *text)
{
    assert((size_t) spec->kind < KN_COUNT(kind_names));
    kn_text_addz(text, kind_names[spec->kind]);
    if (spec->file)
        kn_text_addf(text, ":%s", spec->file);
    if (spec->kind == KN_HIER_MASK)
        kn_text_addz(text, spec->from_left ? ":left" : ":right");
    for (size_t i = 0; i < spec->nitems; i++)
        kn_text_addf(text, "%s%s", i ? "," : ":", spec->items[i]);
}

static kanon_status
check_file(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec)
{
    if (spec->file && *spec->file)
        return KANON_OK;
    return kn_fail(ctx, KANON_E_INVALID,
                   "column '%s': hierarchy '%s' needs a file, as in %s:%s.csv", column,
                   kind_names[spec->kind], kind_names[spec->kind],
                   spec->kind == KN_HIER_PLACE ? "places" : "values");
}

kanon_status
kn_hier_spec_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec)
{
    kanon_status rc = KANON_OK;
    kn_widths    widths = { .widths = NULL };
    kn_unit      units[KN_UNITS];
    size_t       bits[KN_LEVELS_MOST];
    size_t       count;

    switch (spec->kind) {
    case KN_HIER_RANGE:
        rc = kn_widths_parse(ctx, column, spec, &widths);
        kn_free(ctx, widths.widths);
        break;
    case KN_HIER_DATE:
    case KN_HIER_TIME:
        rc = kn_units_parse(ctx, column, spec, units, &count);
        break;
    case KN_HIER_ORDER:
        rc = kn_fanout_parse(ctx, column, spec, &count);
        break;
    case KN_HIER_PACK:
        rc = kn_pack_check(ctx, column, spec);
        break;
    case KN_HIER_IP:
        rc = kn_prefixes_parse(ctx, column, spec, bits, &count);
        break;
    case KN_HIER_GRID:
        rc = kn_grid_check(ctx, column, spec);
        break;
    case KN_HIER_PLACE:
    case KN_HIER_FILE:
        rc = check_file(ctx, column, spec);
        break;
    default:
        if (spec->nitems)
            rc = kn_fail(ctx, KANON_E_INVALID,
                         "column '%s': hierarchy '%s' takes no '%.100s'; remove it", column,
                         kind_names[spec->kind], spec->items[0]);
        break;
    }
    return rc;
}

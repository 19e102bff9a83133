/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c -- codes of a known system go the way of that system: I25.11 -> I25.1 -> I25 -> I20-I25 ->
 * I00-I99 -> *. Levels at which nothing changes are left out, so that a column of three-character codes has
 * no level for the fourth. Cost: a hash per value and level. */
#include "hierarchy/pack.h"

#include "hierarchy/paths.h"

#include <stdio.h>

/* --- what was asked for --------------------------------------------------------------------------- */

static kanon_status
fail_name(kanon_ctx *ctx, const char *column, const char *name)
{
    kanon_status rc = KANON_OK;
    kn_text      list;

    kn_text_init(&list, ctx);
    for (size_t i = 0; i < kn_pack_file_count; i++)
        kn_text_addf(&list, "%s%s", i ? ", " : "", kn_pack_files[i].about.name);
    KN_TRY(kn_text_status(&list));
    rc = kn_fail(ctx, KANON_E_INVALID, "column '%s': there is no pack '%.100s'; expected one of %s",
                 column, name, list.ptr);
out:
    kn_text_fini(&list);
    return rc;
}

/* The levels that were named, or all: places in the pack, fine to coarse. */
static kanon_status
choose_levels(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, const kn_pack *pack,
              size_t levels[KN_PACK_LEVELS], size_t *count)
{
    *count = 0;
    for (size_t l = 0; l < pack->nlevels && spec->nitems == 1; l++)
        levels[(*count)++] = l;
    for (size_t i = 1; i < spec->nitems; i++) {
        size_t level = kn_pack_level(pack, spec->items[i]);

        if (level == SIZE_MAX || (*count && level <= levels[*count - 1]))
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': '%.100s' is not a level of pack %s%s; expected levels of: %s", column,
                spec->items[i], pack->about->name, level == SIZE_MAX ? "" : " in this place",
                pack->about->levels);
        levels[(*count)++] = level;
    }
    return KANON_OK;
}

kanon_status
kn_pack_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec)
{
    kanon_status        rc = KANON_OK;
    const kn_pack_file *file = spec->nitems ? kn_pack_named(spec->items[0]) : NULL;
    kn_pack             pack = { .about = NULL };
    size_t              levels[KN_PACK_LEVELS], count;

    if (!file)
        return fail_name(ctx, column, spec->nitems ? spec->items[0] : "");
    if (spec->nitems > 1) {
        KN_TRY(kn_pack_open(ctx, file, &pack));
        KN_TRY(choose_levels(ctx, column, spec, &pack, levels, &count));
    }
out:
    kn_pack_fini(&pack);
    return rc;
}

/* --- values --------------------------------------------------------------------------------------- */

typedef struct codes {
    kn_pack pack;
    size_t  levels[KN_PACK_LEVELS];
    size_t  nlevels;
} codes;

static bool
read_code(const void *user, kn_str value, kn_text *text, size_t *ends)
{
    const codes *c = user;
    kn_pack_code code;
    char         room[2 * KN_PACK_CODE];

    if (!kn_pack_find(&c->pack, value, &code))
        return false;
    for (size_t l = 0; l < c->nlevels; l++) {
        kn_text_add(text, kn_pack_label(&c->pack, &code, c->levels[l], room));
        ends[l] = text->len;
    }
    return true;
}

static kanon_status
fill_pack(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    codes        c = { .nlevels = 0 };
    char         one[64], many[64];
    kn_paths     paths = { .one = one, .many = many, .user = &c, .read = read_code };

    snprintf(one, sizeof one, "a code of pack %s", spec->items[0]);
    snprintf(many, sizeof many, "codes of pack %s", spec->items[0]);
    KN_TRY(kn_pack_open(h->ctx, kn_pack_named(spec->items[0]), &c.pack));
    KN_TRY(choose_levels(h->ctx, domain->column, spec, &c.pack, c.levels, &c.nlevels));
    paths.nlevels = c.nlevels;
    KN_TRY(kn_paths_fill(h, spec, domain, &paths));
out:
    kn_pack_fini(&c.pack);
    return rc;
}

const kn_hier_class kn_hier_pack = {
    .kind = KN_HIER_PACK,
    .name = "pack",
    .summary = "codes of a known system: pack:icd-10 or pack:icd-10,category,chapter",
    .fill = fill_pack,
};

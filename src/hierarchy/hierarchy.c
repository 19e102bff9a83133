/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.c -- a hierarchy as a whole: made by its kind, measured here, read through accessors,
 * written as a file. The list of kinds is here. */
#include "hierarchy/hierarchy.h"

#include "formats/csv.h"
#include "hierarchy/build.h"

#include <inttypes.h>

static const kn_hier_class *const classes[] = {
    [KN_HIER_AUTO] = &kn_hier_auto,   [KN_HIER_RANGE] = &kn_hier_range,
    [KN_HIER_MASK] = &kn_hier_mask,   [KN_HIER_DATE] = &kn_hier_date,
    [KN_HIER_PLACE] = &kn_hier_place, [KN_HIER_FILE] = &kn_hier_file,
    [KN_HIER_ORDER] = &kn_hier_order, [KN_HIER_PACK] = &kn_hier_pack,
    [KN_HIER_TIME] = &kn_hier_time,   [KN_HIER_IP] = &kn_hier_ip,
    [KN_HIER_EMAIL] = &kn_hier_email, [KN_HIER_GRID] = &kn_hier_grid,
};

const kn_hier_class *
kn_hier_class_of(kn_hier_kind kind)
{
    return (size_t) kind < KN_COUNT(classes) ? classes[kind] : NULL;
}

const char *
kn_hier_kind_name(kn_hier_kind kind)
{
    const kn_hier_class *class = kn_hier_class_of(kind);

    return class ? class->name : "unknown";
}

/* --- making ----------------------------------------------------------------------------------- */

static kanon_status
new_hierarchy(kanon_ctx *ctx, kanon_hierarchy **out)
{
    kanon_hierarchy *h = KN_NEW(ctx, kanon_hierarchy);

    *out = h;
    if (!h)
        return KANON_E_NOMEM;
    *h = (kanon_hierarchy){ .ctx = ctx, .missing = KN_NO_CODE };
    kn_arena_init(&h->arena, ctx);
    return KANON_OK;
}

/* A column that is nearly of a type is grouped as text, which is seldom what was meant. */
static void
warn_near_type(kanon_ctx *ctx, const kn_domain *domain)
{
    uint64_t odd;
    kn_type  type = kn_type_guess(domain, &odd);

    kn_warn_short_years(ctx, domain);
    if (kn_mark_find(domain) == KN_MARK_UNITS)
        kn_warn(ctx, KN_FOUND_ODD_VALUES, kn_at_column(domain->column),
                "column '%s': some numbers have a currency or percent sign and others another one "
                "or none, so they are read as text" KN_DO "write all in one unit",
                domain->column);
    else if (kn_mark_find(domain) == KN_MARK_THOUSANDS)
        kn_warn(ctx, KN_FOUND_DECIMAL_COMMA, kn_at_column(domain->column),
                "column '%s': numbers like 1,234 could be thousands or decimals" KN_DO
                "declare type: number to read them as decimals",
                domain->column);
    else if (odd)
        kn_warn(ctx, KN_FOUND_ODD_VALUES, kn_at_column(domain->column),
                "column '%s': all but %" PRIu64 " %s are %ss" KN_DO
                "correct them, list them in --missing, or declare a type",
                domain->column, odd, odd == 1 ? "value" : "values", kn_type_name(type));
}

static kanon_status
check_marks(kanon_ctx *ctx, const kn_domain *domain, kn_type declared)
{
    kn_mark mark = kn_mark_find(domain);

    if (mark == KN_MARK_THOUSANDS && declared == KN_TYPE_AUTO)
        kn_warn(ctx, KN_FOUND_DECIMAL_COMMA, kn_at_column(domain->column),
                "column '%s': numbers like 1,234 are read as decimals" KN_DO
                "declare type: number if they are, or remove the thousands separators",
                domain->column);
    if (mark == KN_MARK_UNITS)
        return kn_fail_at(ctx, KANON_E_INVALID, domain->source, 0,
                          "column '%s': some numbers have a currency or percent sign and others "
                          "another one or none; write all in one unit, or declare type string",
                          domain->column);
    if (mark == KN_MARK_MIXED)
        return kn_fail_at(ctx, KANON_E_INVALID, domain->source, 0,
                          "column '%s': some numbers have a decimal point and others a decimal "
                          "comma%s%s; use one of them, or declare type string",
                          domain->column,
                          domain->joined ? ", counting those of the population " : "",
                          domain->joined ? domain->joined : "");
    return KANON_OK;
}

/* The declared type, else what the kind implies, else what the values look like. */
static kanon_status
settle_type(kanon_ctx *ctx, const kn_hier_spec *spec, const kn_domain *domain, kn_type *type)
{
    static const kn_type implied[] = {
        [KN_HIER_RANGE] = KN_TYPE_NUMBER, [KN_HIER_MASK] = KN_TYPE_STRING,
        [KN_HIER_DATE] = KN_TYPE_DATE,    [KN_HIER_PLACE] = KN_TYPE_PLACE,
        [KN_HIER_ORDER] = KN_TYPE_AUTO,   [KN_HIER_PACK] = KN_TYPE_STRING,
        [KN_HIER_TIME] = KN_TYPE_STRING,  [KN_HIER_IP] = KN_TYPE_STRING,
        [KN_HIER_EMAIL] = KN_TYPE_STRING, [KN_HIER_GRID] = KN_TYPE_NUMBER,
    };
    kn_type of_kind = implied[spec->kind];
    kn_type declared = *type;
    bool    inferred = declared == KN_TYPE_AUTO && of_kind == KN_TYPE_AUTO;

    if (declared == KN_TYPE_AUTO)
        *type = inferred ? kn_type_infer(domain) : of_kind;
    if (inferred && *type == KN_TYPE_STRING && spec->kind != KN_HIER_FILE)
        warn_near_type(ctx, domain);
    if ((spec->kind == KN_HIER_RANGE || spec->kind == KN_HIER_DATE || spec->kind == KN_HIER_GRID)
        && *type != of_kind)
        return kn_fail(ctx, KANON_E_INVALID,
                       "column '%s': hierarchy '%s' needs type %s, but the column has type %s",
                       domain->column, kn_hier_kind_name(spec->kind), kn_type_name(of_kind),
                       kn_type_name(*type));
    return *type == KN_TYPE_NUMBER ? check_marks(ctx, domain, declared) : KANON_OK;
}

static void
count_leaves(kanon_hierarchy *h)
{
    h->domain = h->nleaves - (h->missing != KN_NO_CODE);
    for (size_t l = 0; l < h->nlevels; l++) {
        kn_level *level = &h->levels[l];

        for (uint32_t i = 0; i < h->nleaves; i++)
            if (i != h->missing)
                level->leaves[level->group_of[i]]++;
    }
}

/* The values of numeric leaves, their minimum and maximum over the table. Leaves that only a file
 * knows may be anything; those that are no numbers are left out (*known). */
static kanon_status
read_numbers(kanon_hierarchy *h, const kn_domain *domain, double *values, bool *known)
{
    bool any = false;

    for (uint32_t i = 0; i < h->nleaves; i++) {
        kn_decimal number;
        kn_str     text = h->levels[0].labels[i];

        if (i == h->missing)
            continue;
        known[i] = kn_decimal_parse(text, &number);
        if (!known[i] && i < h->ndata)
            return kn_fail_number(h->ctx, domain, text);
        if (!known[i])
            continue;
        values[i] = kn_decimal_double(number);
        if (i >= h->ndata)
            continue;
        if (!any || values[i] < h->min)
            h->min = values[i];
        if (!any || values[i] > h->max)
            h->max = values[i];
        any = true;
    }
    return KANON_OK;
}

static double
clip(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static void
level_extents(kanon_hierarchy *h, kn_level *level, const double *values, const bool *known)
{
    for (uint32_t g = 0; g < level->ngroups; g++) {
        level->lo[g] = h->max;
        level->hi[g] = h->min;
        if (!level->leaves[g])
            level->lo[g] = level->hi[g] = 0; /* the missing value alone */
    }
    for (uint32_t i = 0; i < h->nleaves; i++) {
        uint32_t g = level->group_of[i];
        double   value = clip(values[i], h->min, h->max);

        if (i == h->missing || !known[i])
            continue;
        if (value < level->lo[g])
            level->lo[g] = value;
        if (value > level->hi[g])
            level->hi[g] = value;
    }
    for (uint32_t g = 0; g < level->ngroups; g++)
        if (level->lo[g] > level->hi[g])
            level->lo[g] = level->hi[g] = h->min; /* no number below it */
}

/* The bounds of a range come from numbers with fewer decimals where not all fit. */
static void
clip_extents(const kanon_hierarchy *h, kn_level *level)
{
    for (uint32_t g = 0; g < level->ngroups; g++)
        if (level->leaves[g]) {
            level->lo[g] = clip(level->lo[g], h->min, h->max);
            level->hi[g] = clip(level->hi[g], h->min, h->max);
        }
}

/* Ranges know their bounds and have set them; everything else spans its values. */
static kanon_status
find_extents(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    double      *values = KN_NEW_ARRAY(h->ctx, double, h->nleaves);
    bool        *known = KN_NEW_ARRAY(h->ctx, bool, h->nleaves);

    if (!values || !known)
        rc = KANON_E_NOMEM;
    else
        rc = read_numbers(h, domain, values, known);
    for (size_t l = 0; rc == KANON_OK && l < h->nlevels; l++)
        if (h->kind != KN_HIER_RANGE || l == 0 || l == h->nlevels - 1)
            level_extents(h, &h->levels[l], values, known);
        else
            clip_extents(h, &h->levels[l]);
    kn_free(h->ctx, values);
    kn_free(h->ctx, known);
    return rc;
}

static kanon_status
finish(kanon_hierarchy *h, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;

    count_leaves(h);
    if (h->type == KN_TYPE_NUMBER)
        KN_TRY(find_extents(h, domain));
    KN_TRY(kn_hierarchy_check(h->ctx, h, domain->column));
out:
    return rc;
}

kanon_status
kn_hierarchy_make(kanon_ctx *ctx, const kn_hier_spec *spec, kn_type type, const kn_domain *domain,
                  kanon_hierarchy **out)
{
    kanon_status     rc = KANON_OK;
    kanon_hierarchy *h = NULL;

    *out = NULL;
    KN_TRY(kn_hier_spec_check(ctx, domain->column, spec));
    KN_TRY(settle_type(ctx, spec, domain, &type));
    KN_TRY(new_hierarchy(ctx, &h));
    h->kind = spec->kind;
    h->type = type;
    h->ndata = h->nleaves = domain->count;
    h->missing = domain->missing;
    KN_TRY(kn_hier_class_of(spec->kind)->fill(h, spec, domain));
    KN_TRY(finish(h, domain));
    *out = h;
    h = NULL;
out:
    kanon_hierarchy_free(h);
    return rc;
}

kanon_status
kn_hierarchy_relabel(kanon_hierarchy *h, const kn_domain *domain)
{
    const kn_hier_class *class = kn_hier_class_of(h->kind);

    assert(domain->count == h->ndata);
    return class->relabel ? class->relabel(h, domain) : KANON_OK;
}

kanon_status
kn_hierarchy_shown(kanon_hierarchy *h, const kn_domain *domain, size_t level, uint8_t *marks)
{
    const kn_hier_class *class = kn_hier_class_of(h->kind);

    assert(domain->count == h->ndata && level < h->nlevels);
    return class->shown ? class->shown(h, domain, level, marks) : KANON_OK;
}

kanon_status
kanon_hierarchy_read(kanon_ctx *ctx, const kanon_source *source, kanon_hierarchy **out)
{
    static const kn_hier_spec spec = { .kind = KN_HIER_FILE };
    kanon_status              rc = KANON_OK;
    kanon_hierarchy          *h = NULL;
    kn_domain                 domain = { .missing = KN_NO_CODE };

    if (!source || !out)
        return kn_fail(ctx, KANON_E_INVALID, "source and out are required");
    *out = NULL;
    KN_TRY(new_hierarchy(ctx, &h));
    h->kind = KN_HIER_FILE;
    KN_TRY(kn_hier_file_fill(h, &spec, source, NULL));
    domain.column = domain.source = source->name;
    KN_TRY(finish(h, &domain));
    *out = h;
    h = NULL;
out:
    kanon_hierarchy_free(h);
    return rc;
}

void
kanon_hierarchy_free(kanon_hierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    kn_arena_fini(&hierarchy->arena);
    kn_free(hierarchy->ctx, hierarchy);
}

/* --- accessors -------------------------------------------------------------------------------- */

size_t
kanon_hierarchy_levels(const kanon_hierarchy *hierarchy)
{
    return hierarchy->nlevels;
}

size_t
kanon_hierarchy_groups(const kanon_hierarchy *hierarchy, size_t level)
{
    return level < hierarchy->nlevels ? hierarchy->levels[level].ngroups : 0;
}

size_t
kanon_hierarchy_values(const kanon_hierarchy *hierarchy)
{
    return hierarchy->nleaves;
}

const char *
kanon_hierarchy_label(const kanon_hierarchy *hierarchy, size_t value, size_t level, size_t *length)
{
    const kn_level *l;
    kn_str          label = { NULL, 0 };

    if (level < hierarchy->nlevels && value < hierarchy->nleaves) {
        l = &hierarchy->levels[level];
        label = l->labels[l->group_of[value]];
    }
    if (length)
        *length = label.len;
    return label.ptr;
}

/* --- writing ---------------------------------------------------------------------------------- */

enum { WRITE_BYTES = 1 << 16 };

static kanon_status
write_lines(kanon_ctx *ctx, const kanon_hierarchy *h, kanon_sink *sink, kn_text *text)
{
    kanon_status rc = KANON_OK;
    /* A lone field is quoted: with a comma in it, it would be read as two. */
    kn_dialect dialect = { .delimiter = ';', .quote = '"', .quote_all = h->nlevels == 1 };

    for (uint32_t leaf = 0; leaf < h->nleaves; leaf++) {
        for (size_t l = 0; l < h->nlevels; l++)
            kn_csv_put_field(text, &dialect, h->levels[l].labels[h->levels[l].group_of[leaf]]);
        kn_csv_put_end(text, &dialect);
        if (text->len < WRITE_BYTES && leaf + 1 < h->nleaves)
            continue;
        KN_TRY(kn_text_status(text));
        KN_TRY(sink->write(sink->user, ctx, text->ptr, text->len));
        text->len = 0;
    }
out:
    return rc;
}

kanon_status
kanon_hierarchy_write(kanon_ctx *ctx, const kanon_hierarchy *hierarchy, kanon_sink *sink)
{
    kanon_status rc = KANON_OK;
    kn_text      text;

    if (!hierarchy || !sink)
        return kn_fail(ctx, KANON_E_INVALID, "hierarchy and sink are required");
    kn_text_init(&text, ctx);
    KN_TRY(sink->begin(sink->user, ctx));
    KN_TRY(write_lines(ctx, hierarchy, sink, &text));
    KN_TRY(sink->commit(sink->user, ctx));
out:
    if (rc < 0)
        sink->abandon(sink->user);
    kn_text_fini(&text);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c -- degrees of latitude or longitude become rows or columns of a grid of at least so many metres:
 * 52.516275 -> [52.51, 52.52) -> [52.5, 52.6) -> *. A side is a round part of a degree (1, 2 or 5 times a
 * power of ten), so that a person can read the label and find the cell on any map; it is never smaller than
 * was asked for. How long a degree of longitude is depends on the latitude, which must be given. */
#include "encode/scaled.h"
#include "hierarchy/build.h"

#include <math.h>

enum { DECIMALS = 6, LATITUDE_MOST = 85, SIDES_MOST = 32, LAT_MOST = 90, LON_MOST = 180 };

/* The shortest degree of latitude (at the equator), so that no cell is too small, and one of longitude. */
static const double  DEGREE_M = 110574.0, EQUATOR_M = 111320.0, PI = 3.14159265358979323846;
static const int64_t UNIT = 1000000; /* a degree; 0.1 m is lost at most */

typedef struct grid {
    const kn_domain *domain;
    kn_item         *items;  /* in order */
    int64_t         *values; /* in the same order, in millionths of a degree */
    size_t           count;
    bool             comma;
    const char      *axis; /* "latitude" or "longitude" */
    int64_t          most; /* degrees */
    double           degree_m;
    int64_t          sides[SIDES_MOST];
    size_t           nsides;
} grid;

/* --- the spec ------------------------------------------------------------------------------------ */

static kanon_status
read_axis(kanon_ctx *ctx, const char *column, const char *axis, grid *g)
{
    kn_decimal latitude = { 0, 0 };

    g->axis = "latitude";
    g->most = LAT_MOST;
    g->degree_m = DEGREE_M;
    if (strcmp(axis, "lat") == 0)
        return KANON_OK;
    if (strncmp(axis, "lon@", 4) != 0 || !kn_decimal_parse_strict(kn_str_of(axis + 4), &latitude)
        || fabs(kn_decimal_double(latitude)) > LATITUDE_MOST)
        return kn_fail(
            ctx, KANON_E_INVALID,
            "column '%s': grid:%.100s is not valid; begin with lat, or with lon@ and the "
            "latitude of the area (-%d to %d), as in grid:lat,100,1000 or "
            "grid:lon@52,100,1000",
            column, axis, LATITUDE_MOST, LATITUDE_MOST);
    g->axis = "longitude";
    g->most = LON_MOST;
    g->degree_m = EQUATOR_M * cos(kn_decimal_double(latitude) * PI / 180);
    return KANON_OK;
}

/* The smallest round part of a degree of that length that is a multiple of the one before it, and more. */
static int64_t
round_side(double least, int64_t before)
{
    static const int64_t steps[] = { 1, 2, 5 };

    for (int64_t power = 1; power <= 1000 * UNIT; power *= 10)
        for (size_t i = 0; i < KN_COUNT(steps); i++) {
            int64_t side = steps[i] * power;

            if ((double) side >= least && (!before || (side > before && side % before == 0)))
                return side;
        }
    return 0;
}

static kanon_status
read_spec(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec, grid *g)
{
    static const char *const usual[] = { "100", "1000", "10000" };
    kanon_status             rc = KANON_OK;
    double                   last = 0;
    size_t                   nsides = spec->nitems > 1 ? spec->nitems - 1 : KN_COUNT(usual);

    KN_TRY(read_axis(ctx, column, spec->nitems ? spec->items[0] : "", g));
    for (size_t i = 0; i < nsides; i++) {
        const char *text = spec->nitems > 1 ? spec->items[1 + i] : usual[i];
        kn_decimal  metres = { 0, 0 };
        int64_t     side = 0, before = i ? g->sides[i - 1] : 0;

        if (i < SIDES_MOST && kn_decimal_parse_strict(kn_str_of(text), &metres)
            && kn_decimal_double(metres) > last)
            side = round_side(kn_decimal_double(metres) / g->degree_m * (double) UNIT, before);
        if (!side || side > g->most * UNIT)
            return kn_fail(
                ctx, KANON_E_INVALID,
                "column '%s': '%.100s' is not a side of a cell here; expected metres from "
                "small to large, as in grid:lat,100,1000",
                column, text);
        g->sides[g->nsides++] = side;
        last = kn_decimal_double(metres);
    }
out:
    return rc;
}

kanon_status
kn_grid_check(kanon_ctx *ctx, const char *column, const kn_hier_spec *spec)
{
    grid g = { .domain = NULL };

    return read_spec(ctx, column, spec, &g);
}

/* --- values -------------------------------------------------------------------------------------- */

static kanon_status
sort_values(kanon_ctx *ctx, grid *g)
{
    for (size_t i = 0; i < g->count; i++) {
        kn_str     text = g->domain->values[g->items[i].code];
        kn_decimal value;
        int64_t    scaled = 0;

        if (!kn_decimal_parse(text, &value) || fabs(kn_decimal_double(value)) > (double) g->most
            || !kn_scale_decimal(value, DECIMALS, &scaled))
            return kn_fail_at(
                ctx, KANON_E_INVALID, kn_domain_source(g->domain, text), 0,
                "column '%s': '%.*s%s' is not a %s in degrees; correct it, or add the "
                "value to --missing",
                g->domain->column, KN_BRIEF(text), g->axis);
        g->items[i].key = kn_key_signed(scaled);
    }
    kn_items_sort(g->items, g->count, kn_tie_text, g->domain);
    g->comma = kn_mark_find(g->domain) != KN_MARK_POINT;
    g->values = KN_NEW_ARRAY(ctx, int64_t, g->count);
    for (size_t i = 0; g->values && i < g->count; i++)
        g->values[i] = (int64_t) (g->items[i].key ^ kn_key_signed(0));
    return KN_HAVE(g->values);
}

static bool
cut(const void *user, size_t level, size_t i)
{
    const grid *g = user;
    int64_t     side = g->sides[level - 1];

    return kn_floor_div(g->values[i], side) != kn_floor_div(g->values[i - 1], side);
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const grid     *g = user;
    int64_t         side = g->sides[level - 1];
    int64_t         low = kn_floor_div(g->values[first], side) * side, high = low + side;
    kn_number_style style = { DECIMALS, g->comma, true, false };

    KN_UNUSED(last);
    for (; style.decimals && side % 10 == 0; style.decimals--) {
        low /= 10;
        high /= 10;
        side /= 10;
    }
    kn_text_add_interval(out, &style, low, high, KN_UPPER_OUTSIDE);
}

static kanon_status
fill_grid(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    grid         g = { .domain = domain };
    kn_runs      runs = { .cut = cut, .label = label, .user = &g };

    KN_TRY(read_spec(h->ctx, domain->column, spec, &g));
    KN_TRY(kn_build_items(h, domain, &g.items, &g.count));
    KN_TRY(sort_values(h->ctx, &g));
    runs.items = g.items;
    runs.count = g.count;
    KN_TRY(kn_build_begin(h, domain, g.nsides + 2));
    for (size_t level = 1; level <= g.nsides; level++)
        KN_TRY(kn_build_runs(h, &runs, level));
    KN_TRY(kn_build_root(h, g.nsides + 1, KN_STR("*")));
out:
    kn_free(h->ctx, g.items);
    kn_free(h->ctx, g.values);
    return rc;
}

const kn_hier_class kn_hier_grid = {
    .kind = KN_HIER_GRID,
    .name = "grid",
    .summary = "degrees in cells of metres: grid:lat,100,1000 or grid:lon@52,100,1000",
    .fill = fill_grid,
};

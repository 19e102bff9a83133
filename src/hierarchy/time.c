/* SPDX-License-Identifier: Apache-2.0 */
/* time.c -- times of day become quarters of an hour, hours, parts of the day: 14:35 -> 14:30-14:44 ->
 * 14:00-14:59 -> afternoon -> *. Of a time stamp the date is dropped, which is the other way to make it
 * coarser than `date`'s. */
#include "hierarchy/moment.h"

typedef struct clocks {
    const kn_domain *domain;
    kn_item         *items; /* sorted by time; the key is the second of the day */
    size_t           count;
    kn_unit          units[KN_UNITS];
    size_t           nunits;
} clocks;

bool
kn_clock_find(kn_str text, int32_t *second)
{
    kn_moment moment;

    if (kn_clock_parse(text, second))
        return true;
    for (unsigned f = 0; f < KN_DATE_FORMATS; f++)
        if (kn_moment_parse(text, (kn_date_format) f, &moment) && moment.second >= 0) {
            *second = moment.second;
            return true;
        }
    return false;
}

static kanon_status
sort_values(kanon_ctx *ctx, clocks *c)
{
    for (size_t i = 0; i < c->count; i++) {
        kn_str  text = c->domain->values[c->items[i].code];
        int32_t second;

        if (!kn_clock_find(text, &second))
            return kn_fail_at(
                ctx, KANON_E_INVALID, kn_domain_source(c->domain, text), 0,
                "column '%s': '%.*s%s' is not a time of day, such as 14:35, 2:35 PM or "
                "2024-03-05 14:35; correct it, or add the value to --missing",
                c->domain->column, KN_BRIEF(text));
        c->items[i].key = (uint64_t) second;
    }
    kn_items_sort(c->items, c->count, kn_tie_text, c->domain);
    return KANON_OK;
}

static kn_moment
moment_at(const clocks *c, size_t i)
{
    return (kn_moment){ { 1970, 1, 1 }, (int32_t) c->items[i].key };
}

static bool
cut(const void *user, size_t level, size_t i)
{
    const clocks *c = user;
    kn_unit       unit = c->units[level - 1];

    return kn_unit_number(moment_at(c, i), unit) != kn_unit_number(moment_at(c, i - 1), unit);
}

static void
label(const void *user, kn_text *out, size_t level, size_t first, size_t last)
{
    const clocks *c = user;

    KN_UNUSED(last);
    kn_unit_label(out, moment_at(c, first), c->units[level - 1], KN_DATE_FORMATS);
}

static kanon_status
fill_time(kanon_hierarchy *h, const kn_hier_spec *spec, const kn_domain *domain)
{
    kanon_status rc = KANON_OK;
    clocks       c = { .domain = domain };
    kn_runs      runs = { .cut = cut, .label = label, .user = &c };

    KN_TRY(kn_units_parse(h->ctx, domain->column, spec, c.units, &c.nunits));
    for (unsigned u = KN_UNIT_QUARTER_HOUR; !spec->nitems && u <= KN_UNIT_PART; u++)
        c.units[c.nunits++] = (kn_unit) u;
    KN_TRY(kn_build_items(h, domain, &c.items, &c.count));
    KN_TRY(sort_values(h->ctx, &c));
    runs.items = c.items;
    runs.count = c.count;
    KN_TRY(kn_build_begin(h, domain, c.nunits + 2));
    for (size_t level = 1; level <= c.nunits; level++)
        KN_TRY(kn_build_runs(h, &runs, level));
    KN_TRY(kn_build_root(h, c.nunits + 1, KN_STR("*")));
out:
    kn_free(h->ctx, c.items);
    return rc;
}

const kn_hier_class kn_hier_time = {
    .kind = KN_HIER_TIME,
    .name = "time",
    .summary = "times of day in hours ...: time or time:quarter-hour,hour,part-of-day",
    .fill = fill_time,
};

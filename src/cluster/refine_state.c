/* SPDX-License-Identifier: Apache-2.0 */
/* refine_state.c -- makes the refinement's picture of a partition, and deals the classes out to regions.
 * Memory: about 60 bytes a row for up to eight columns, and the neighbours. */
#include "cluster/refine_state.h"

#include <math.h>

/* Rows to a region: enough for its inside to be larger than its border, few enough for many threads. */
enum { REGION_ROWS = 7500, REGIONS_MOST = 64 };

/* Columns that the order of an epoch is made from. */
enum { KEYS = 6 };

/* Neighbours of a point: fewer in large tables, for the memory. */
static size_t
neighbours_wanted(size_t npoints)
{
    return npoints <= (1 << 17) ? 64 : npoints <= (1 << 20) ? 32 : 16;
}

/* --- memory --------------------------------------------------------------------------------------- */

/* On a cache line of its own. */
static kanon_status
new_lanes(kanon_ctx *ctx, size_t count, void **raw, kn_lanes **out)
{
    enum { LINE = 64 };
    uintptr_t at;

    *raw = kn_alloc_array(ctx, count + LINE / sizeof(kn_lanes), sizeof(kn_lanes));
    if (!*raw)
        return KANON_E_NOMEM;
    at = ((uintptr_t) *raw + LINE - 1) / LINE * LINE;
    *out = (kn_lanes *) at;
    return KANON_OK;
}

static kanon_status
make_desks(kn_annealer *s)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = s->space->ctx;
    size_t       rows = (size_t) (KN_PARTS_MOST + 1) * s->most;

    if (rows < (size_t) KN_CHOICE * s->k)
        rows = (size_t) KN_CHOICE * s->k;
    s->desks = KN_NEW_ARRAY(ctx, kn_refine_scratch, s->nworkers);
    if (!s->desks)
        return KANON_E_NOMEM;
    for (unsigned i = 0; i < s->nworkers; i++) {
        kn_refine_scratch *d = &s->desks[i];
        uint32_t         **arrays[] = { &d->rows,  &d->to,    &d->old,  &d->least,
                                        &d->costs, &d->sizes, &d->asked };

        d->memory = kn_alloc_array(ctx, rows, KN_COUNT(arrays) * sizeof(uint32_t));
        if (!d->memory)
            return KANON_E_NOMEM;
        for (size_t a = 0; a < KN_COUNT(arrays); a++)
            *arrays[a] = (uint32_t *) d->memory + a * rows;
        KN_TRY(
            new_lanes(ctx, (rows + (KN_PARTS_MOST + 1) * 4) * s->blocks, &d->vectors, &d->boxes));
        d->lanes = d->boxes + (KN_PARTS_MOST + 1) * 4 * s->blocks;
    }
out:
    return rc;
}

static kanon_status
make_arrays(kn_annealer *s)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = s->space->ctx;

    s->size = KN_NEW_ARRAY(ctx, uint32_t, s->slots);
    s->cost = KN_NEW_ARRAY(ctx, uint32_t, s->slots);
    s->members = KN_NEW_ARRAY(ctx, uint32_t, (size_t) s->slots * s->most);
    s->spare = KN_NEW_ARRAY(ctx, uint32_t, s->slots);
    s->place = KN_NEW_ARRAY(ctx, uint32_t, s->rows);
    s->class_of = KN_NEW_ARRAY(ctx, uint32_t, s->rows);
    s->region_of = KN_NEW_ARRAY(ctx, uint16_t, s->rows);
    s->region_rows = KN_NEW_ARRAY(ctx, uint32_t, s->rows);
    s->nregions = s->rows / REGION_ROWS < 1 ? 1 : s->rows / REGION_ROWS;
    if (s->nregions > REGIONS_MOST)
        s->nregions = REGIONS_MOST;
    s->regions = KN_NEW_ARRAY(ctx, kn_region, s->nregions);
    if (!s->size || !s->cost || !s->members || !s->spare || !s->place || !s->class_of
        || !s->region_of || !s->region_rows || !s->regions)
        return KANON_E_NOMEM;
    KN_TRY(new_lanes(ctx, (size_t) s->slots * 4 * s->blocks, &s->raw[1], &s->boxes));
    KN_TRY(make_desks(s));
out:
    return rc;
}

void
kn_annealer_free(kn_annealer *s)
{
    kanon_ctx *ctx;

    if (!s)
        return;
    ctx = s->space->ctx;
    kn_neighbours_fini(ctx, &s->near);
    kn_refine_rules_fini(&s->rules);
    for (unsigned i = 0; s->desks && i < s->nworkers; i++) {
        kn_free(ctx, s->desks[i].memory);
        kn_free(ctx, s->desks[i].vectors);
    }
    kn_free(ctx, s->desks);
    kn_free(ctx, s->raw[0]);
    kn_free(ctx, s->raw[1]);
    kn_free(ctx, s->size);
    kn_free(ctx, s->cost);
    kn_free(ctx, s->members);
    kn_free(ctx, s->spare);
    kn_free(ctx, s->place);
    kn_free(ctx, s->class_of);
    kn_free(ctx, s->region_of);
    kn_free(ctx, s->region_rows);
    kn_free(ctx, s->regions);
    kn_free(ctx, s);
}

/* --- classes ---------------------------------------------------------------------------------------- */

/* The least and greatest of a set, first and second; written without haste, beside the moves. */
static void
extend(const kn_annealer *s, kn_lanes *box, const kn_lane *row)
{
    size_t   n = s->blocks * KN_LANES;
    kn_lane *least = (kn_lane *) box, *greatest = least + 2 * n;

    for (size_t i = 0; i < n; i++) {
        if (row[i] < least[i]) {
            least[n + i] = least[i];
            least[i] = row[i];
        } else if (row[i] < least[n + i]) {
            least[n + i] = row[i];
        }
        if (row[i] > greatest[i]) {
            greatest[n + i] = greatest[i];
            greatest[i] = row[i];
        } else if (row[i] > greatest[n + i]) {
            greatest[n + i] = row[i];
        }
    }
}

void
kn_annealer_rebox(kn_annealer *s, uint32_t class)
{
    kn_lanes *box = s->boxes + (size_t) class * 4 * s->blocks;
    kn_lane  *lanes = (kn_lane *) box;
    size_t    n = s->blocks * KN_LANES;

    for (size_t i = 0; i < 4 * n; i++)
        lanes[i] = i < 2 * n ? KN_LANE_MOST : -1;
    for (uint32_t i = 0; i < s->size[class]; i++)
        extend(s, box,
               (const kn_lane *) (s->lanes + s->members[(size_t) class * s->most + i] * s->blocks));
    s->cost[class] = s->size[class] ? kn_refine_rules_cost(&s->rules, lanes, lanes + 2 * n) : 0;
}

uint64_t
kn_annealer_recount(kn_annealer *s)
{
    uint64_t total = s->fixed + s->suppressed * s->space->whole;

    for (uint32_t c = 0; c < s->slots; c++) {
        kn_annealer_rebox(s, c);
        total += (uint64_t) s->size[c] * s->cost[c];
    }
    return total;
}

static void
take_class(kn_annealer *s, uint32_t number, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        s->class_of[rows[i]] = number;
        s->place[rows[i]] = i;
        s->members[(size_t) number * s->most + i] = rows[i];
    }
    s->size[number] = count;
}

/* What a row costs among these, by the space itself. */
static uint64_t
exact_cost(const kn_space *space, const uint32_t *rows, uint32_t count)
{
    uint32_t least[KN_QUASI_MOST], greatest[KN_QUASI_MOST];

    memset(least, 0xff, space->nquasi * sizeof *least);
    memset(greatest, 0, space->nquasi * sizeof *greatest);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *ranks = kn_space_point(space, rows[i]);

        for (size_t q = 0; q < space->nquasi; q++) {
            least[q] = ranks[q] < least[q] ? ranks[q] : least[q];
            greatest[q] = ranks[q] > greatest[q] ? ranks[q] : greatest[q];
        }
    }
    return count ? kn_space_cost(space, least, greatest) : 0;
}

uint64_t
kn_annealer_exact(const kn_annealer *s)
{
    uint64_t total = s->fixed + s->suppressed * s->space->whole;

    if (!s->rules.binned)
        return s->total;
    for (uint32_t c = 0; c < s->slots; c++)
        total += s->size[c] * exact_cost(s->space, s->members + (size_t) c * s->most, s->size[c]);
    return total;
}

/* A class that could not be cut, and is larger than there is room for: nobody touches it. Its number stays
 * unused, so that it can stand for an empty class. */
static void
leave_class(kn_annealer *s, uint32_t number, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        s->class_of[rows[i]] = s->slots + number;
    s->fixed += count * exact_cost(s->space, rows, count);
}

/* How many classes there may be, and how large. Without models no class needs 2k rows. */
static void
size_up(kn_annealer *s, uint32_t nclasses)
{
    uint64_t mean = nclasses ? s->rows / nclasses : s->rows, most = 2 * (uint64_t) s->k;
    uint64_t slots = s->rows / s->k + 1;

    if (!s->plain) {
        most = most > 4 * mean + 8 ? most : 4 * mean + 8;
        slots = slots < 2 * (uint64_t) nclasses + 16 ? slots : 2 * (uint64_t) nclasses + 16;
    }
    s->most = (uint32_t) (most < s->rows ? most : s->rows);
    s->slots = (uint32_t) (slots > nclasses ? slots : nclasses + 1);
}

static kanon_status
take_partition(kn_annealer *s, const kn_partition *partition)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = s->space->ctx;
    uint32_t    *order = KN_NEW_ARRAY(ctx, uint32_t, s->rows), *ends = NULL, nends = 0;

    if (!order)
        return KANON_E_NOMEM;
    KN_TRY(kn_refine_cut(s->env, &s->rules, partition, order, &ends, &nends));
    size_up(s, nends);
    KN_TRY(make_arrays(s));
    for (uint32_t i = 0, first = 0; i < nends; first = ends[i++])
        if (ends[i] - first <= s->most)
            take_class(s, i, order + first, ends[i] - first);
        else
            leave_class(s, i, order + first, ends[i] - first);
    for (uint32_t i = nends ? ends[nends - 1] : 0; i < s->rows; i++) {
        s->class_of[order[i]] = KN_NO_CLASS;
        s->suppressed++;
    }
    s->total = kn_annealer_recount(s);
out:
    kn_free(ctx, order);
    kn_free(ctx, ends);
    return rc;
}

kanon_status
kn_annealer_new(kn_cluster_env *env, const kn_partition *partition, kn_annealer **out)
{
    kanon_status    rc = KANON_OK;
    const kn_space *space = kn_cluster_space(env);
    kn_annealer    *s = KN_NEW(space->ctx, kn_annealer);

    *out = NULL;
    if (!s)
        return KANON_E_NOMEM;
    s->env = env;
    s->space = space;
    s->rows = space->rows;
    s->k = (uint32_t) kn_cluster_privacy(env)->k;
    s->allowed = kn_cluster_privacy(env)->allowed;
    s->plain = kn_cluster_plain(env);
    s->nworkers = kn_pool_workers(kn_cluster_pool(env));
    s->blocks = (space->nquasi + KN_LANES - 1) / KN_LANES;
    s->parts = 4 + 8 / s->k < KN_PARTS_MOST ? 4 + 8 / s->k : KN_PARTS_MOST;
    for (size_t i = 0, n = KN_COUNT(s->logs); i < n; i++)
        s->logs[i] = (float) -log(((double) i + 0.5) / (double) n);
    KN_TRY(kn_refine_rules_init(&s->rules, space));
    KN_TRY(new_lanes(space->ctx, s->rows * s->blocks, &s->raw[0], &s->lanes));
    for (uint32_t r = 0; r < s->rows; r++)
        kn_refine_rules_lanes(&s->rules, kn_space_point(space, r),
                              (kn_lane *) (s->lanes + (size_t) r * s->blocks));
    KN_TRY(take_partition(s, partition));
    KN_TRY(kn_neighbours_new(env, neighbours_wanted(space->npoints), &s->near));
    *out = s;
    s = NULL;
out:
    kn_annealer_free(s);
    return rc;
}

/* --- regions ------------------------------------------------------------------------------------------- */

static kn_lane
key_of(const kn_annealer *s, uint32_t class, size_t lane)
{
    return ((const kn_lane *) (s->boxes + (size_t) class * 4 * s->blocks))[lane];
}

/* The classes in the order of a few lanes drawn by lot: stable counting sorts, the last one first. */
static kanon_status
order_classes(const kn_annealer *s, kn_rng *rng, uint32_t **order, uint32_t *count)
{
    kanon_ctx *ctx = s->space->ctx;
    uint32_t  *from = KN_NEW_ARRAY(ctx, uint32_t, s->slots),
             *to = KN_NEW_ARRAY(ctx, uint32_t, s->slots);
    uint32_t *starts = KN_NEW_ARRAY(ctx, uint32_t, KN_LANE_MOST + 1), n = 0;
    bool      good = from && to && starts;

    for (uint32_t c = 0; good && c < s->slots; c++)
        if (s->size[c])
            from[n++] = c;
    for (int key = 0; good && key < KEYS; key++) {
        size_t    lane = kn_rng_below(rng, s->rules.all);
        uint32_t  values = s->rules.lane[lane].n, at = 0;
        uint32_t *swap = from;

        memset(starts, 0, values * sizeof *starts);
        for (uint32_t i = 0; i < n; i++)
            starts[key_of(s, from[i], lane)]++;
        for (uint32_t v = 0; v < values; v++) {
            uint32_t here = starts[v];

            starts[v] = at;
            at += here;
        }
        for (uint32_t i = 0; i < n; i++)
            to[starts[key_of(s, from[i], lane)]++] = from[i];
        from = to;
        to = swap;
    }
    *order = from;
    *count = n;
    kn_free(ctx, to);
    kn_free(ctx, starts);
    if (good)
        return KANON_OK;
    kn_free(ctx, from);
    *order = NULL;
    return KANON_E_NOMEM;
}

/* Where the classes are is known; a suppressed row goes with its nearest neighbour that has a class. */
static void
place_rows(kn_annealer *s)
{
    uint32_t at = 0;

    for (uint32_t r = 0; r < s->rows; r++) {
        uint32_t point = s->space->point_of[r];

        if (s->class_of[r] != KN_NO_CLASS)
            continue;
        s->region_of[r] = 0;
        for (size_t i = 0; i < s->near.each; i++) {
            uint32_t near = s->near.of[point * s->near.each + i];
            uint32_t row = near == KN_NO_CODE ? r : s->space->first_row[near];

            if (s->class_of[row] < s->slots) {
                s->region_of[r] = s->region_of[row];
                break;
            }
        }
    }
    for (uint32_t r = 0; r < s->rows; r++)
        if (s->region_of[r] != KN_NOWHERE)
            s->regions[s->region_of[r]].rows++;
    for (uint32_t g = 0; g < s->nregions; g++) {
        s->regions[g].first = at;
        at += s->regions[g].rows;
        s->regions[g].rows = 0;
    }
    for (uint32_t r = 0; r < s->rows; r++)
        if (s->region_of[r] != KN_NOWHERE) {
            kn_region *region = &s->regions[s->region_of[r]];

            s->region_rows[region->first + region->rows++] = r;
        }
}

/* Empty classes, and rows that may still be suppressed, go round. A region may empty all of its classes: its
 * list has room for them, too. */
static void
deal_spare(kn_annealer *s, uint32_t used)
{
    uint32_t *at = s->spare, empty = s->slots - used, number = 0;
    uint64_t  room = s->allowed > s->suppressed ? s->allowed - s->suppressed : 0;

    for (uint32_t g = 0; g < s->nregions; g++) {
        kn_region *region = &s->regions[g];

        region->nspare = empty / s->nregions + (g < empty % s->nregions);
        region->room = room / s->nregions + (g < room % s->nregions);
        region->spare = at;
        for (uint32_t i = 0; i < region->nspare; number++)
            if (!s->size[number])
                at[i++] = number;
        at += region->nspare + region->classes;
    }
}

kanon_status
kn_annealer_deal(kn_annealer *s, kn_rng *rng, uint64_t budget)
{
    uint32_t    *order, count;
    uint64_t     shift = kn_rng_below(rng, s->rows), before = 0, rows = 0;
    kanon_status rc = order_classes(s, rng, &order, &count);

    if (rc < 0)
        return rc;
    memset(s->regions, 0, s->nregions * sizeof *s->regions);
    memset(s->region_of, 0xff, s->rows * sizeof *s->region_of);
    for (uint32_t i = 0; i < count; i++)
        rows += s->size[order[i]];
    for (uint32_t i = 0; i < count; i++) {
        uint16_t region = (uint16_t) ((before + shift) % rows * s->nregions / rows);

        before += s->size[order[i]];
        s->regions[region].classes++;
        for (uint32_t j = 0; j < s->size[order[i]]; j++)
            s->region_of[s->members[(size_t) order[i] * s->most + j]] = region;
    }
    kn_free(s->space->ctx, order);
    place_rows(s);
    deal_spare(s, count);
    for (uint32_t g = 0; g < s->nregions; g++)
        s->regions[g].budget = (uint64_t) ((double) budget * s->regions[g].rows / s->rows);
    return KANON_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* gauge.c -- measuring a node for the objectives of a front. The class sizes give k: rows of the smallest
 * classes are given up as long as the limit allows. The general loss of the whole table at each (column,
 * level) is summed once, so a node costs only its suppressed classes. Sensitive values are counted class
 * by class, each column that matters on its own. Cost a node: O(classes + spots), beside the grouping. */
#include "pareto/gauge.h"

#include "base/keyset.h"

/* Class sizes up to here are counted in an array; the few larger ones are listed. */
enum { EXACT_SIZES = 1 << 16 };

/* --- sensitive values ------------------------------------------------------------------------------- */

/* Which columns the objectives look at, each once. */
static void
find_faces(kn_gauge *g)
{
    for (size_t i = 0; i < g->objectives->count; i++) {
        const kn_objective *o = &g->objectives->items[i];
        size_t              face = 0;

        g->needs |= o->property->needs;
        g->faces[i] = SIZE_MAX;
        if (o->column == SIZE_MAX)
            continue;
        while (face < g->nfaces && g->columns[face] != o->column)
            face++;
        g->faces[i] = face;
        g->columns[face] = o->column;
        g->domains[face] = o->domain;
        if (face == g->nfaces)
            g->nfaces++;
    }
}

static kanon_status
reserve_spots(kn_gauge *g, size_t count)
{
    g->spot_tuple = KN_NEW_ARRAY(g->ctx, uint32_t, count);
    g->spot_mix = KN_NEW_ARRAY(g->ctx, uint32_t, count);
    g->spot_rows = KN_NEW_ARRAY(g->ctx, uint64_t, count);
    return g->spot_tuple && g->spot_mix && g->spot_rows ? KANON_OK : KANON_E_NOMEM;
}

static kanon_status
plain_spots(kn_gauge *g)
{
    kanon_status rc = reserve_spots(g, g->view->ntuples);

    if (rc < 0)
        return rc;
    for (size_t t = 0; t < g->view->ntuples; t++) {
        g->spot_tuple[t] = (uint32_t) t;
        g->spot_rows[t] = g->view->weights[t];
    }
    g->nspots = g->view->ntuples;
    g->nmixes = 1;
    return KANON_OK;
}

static kanon_status
add_mix(kn_gauge *g, const uint32_t *codes, size_t *room)
{
    void        *mixes = g->mixes;
    size_t       from = g->nmixes * g->nfaces;
    kanon_status rc = kn_grow(g->ctx, &mixes, room, from + g->nfaces, sizeof *codes);

    if (rc < 0)
        return rc;
    g->mixes = mixes;
    memcpy(g->mixes + from, codes, g->nfaces * sizeof *codes);
    g->nmixes++;
    return KANON_OK;
}

/* An entry of a tuple is a spot; what the columns of the faces hold there is its mix. */
static kanon_status
mixed_spots(kn_gauge *g)
{
    kanon_status    rc = KANON_OK;
    const kn_table *table = g->scale->table;
    kn_keyset      *seen = NULL;
    uint32_t        codes[KN_OBJECTIVES_MOST] = { 0 };
    size_t          room = 0, mix;

    KN_TRY(reserve_spots(g, table->nentries));
    KN_TRY(kn_keyset_new(g->ctx, g->nfaces * sizeof *codes, &seen));
    for (size_t t = 0; t < table->ntuples; t++)
        for (size_t e = kn_table_first(table, t); e < kn_table_first(table, t + 1); e++) {
            for (size_t f = 0; f < g->nfaces; f++)
                codes[f] = kn_codes_at(&table->sensitive[g->columns[f]], e);
            KN_TRY(kn_keyset_add(seen, codes, &mix));
            if (mix == g->nmixes)
                KN_TRY(add_mix(g, codes, &room));
            g->spot_tuple[g->nspots] = (uint32_t) t;
            g->spot_mix[g->nspots] = (uint32_t) mix;
            g->spot_rows[g->nspots++] = kn_table_entry_weight(table, e);
        }
out:
    kn_keyset_free(seen);
    return rc;
}

/* --- the general loss ------------------------------------------------------------------------------- */

static kanon_status
cells_of(kn_gauge *g, size_t quasi)
{
    const kanon_hierarchy *h = g->scale->hierarchies[quasi];
    const uint64_t        *rows = g->scale->value_rows[quasi];
    double                 weight = kn_scale_weight(g->scale, quasi);

    g->total[quasi] = KN_NEW_ARRAY(g->ctx, double, h->nlevels);
    g->plain[quasi] = KN_NEW_ARRAY(g->ctx, double, h->nlevels);
    g->adds[quasi] = kn_alloc_array(g->ctx, h->nlevels, sizeof *g->adds[quasi]);
    if (!g->total[quasi] || !g->plain[quasi] || !g->adds[quasi])
        return KANON_E_NOMEM;
    for (size_t level = 0; level < h->nlevels; level++) {
        double *adds = g->adds[quasi][level] = KN_NEW_ARRAY(g->ctx, double, h->ndata + 1);

        if (!adds)
            return KANON_E_NOMEM;
        for (size_t leaf = 0; leaf < h->ndata; leaf++) {
            double loss = kn_cell_glm(h, level, (uint32_t) leaf);

            adds[leaf] = 1 - loss;
            g->plain[quasi][level] += loss * (double) rows[leaf];
        }
        g->total[quasi][level] = g->plain[quasi][level] * weight;
    }
    return KANON_OK;
}

static kanon_status
make_cells(kn_gauge *g)
{
    size_t       n = g->view->nquasi;
    kanon_status rc = KANON_OK;

    g->total = kn_alloc_array(g->ctx, n, sizeof *g->total);
    g->plain = kn_alloc_array(g->ctx, n, sizeof *g->plain);
    g->adds = kn_alloc_array(g->ctx, n, sizeof *g->adds);
    if (!g->total || !g->plain || !g->adds)
        return KANON_E_NOMEM;
    for (size_t i = 0; rc == KANON_OK && i < n; i++)
        rc = cells_of(g, i);
    return rc;
}

kanon_status
kn_gauge_init(kn_gauge *g, const kn_front_problem *problem)
{
    kanon_status rc;

    memset(g, 0, sizeof *g);
    g->ctx = problem->ctx;
    g->view = problem->view;
    g->scale = problem->scale;
    g->objectives = problem->objectives;
    g->allowed = problem->allowed;
    find_faces(g);
    rc = g->nfaces ? mixed_spots(g) : plain_spots(g);
    if (rc == KANON_OK && (g->needs & KN_NEEDS_CELLS))
        rc = make_cells(g);
    return rc;
}

void
kn_gauge_fini(kn_gauge *g)
{
    if (!g->ctx)
        return;
    for (size_t i = 0; i < g->view->nquasi; i++) {
        for (size_t level = 0; g->adds && g->adds[i] && level < g->scale->hierarchies[i]->nlevels;
             level++)
            kn_free(g->ctx, g->adds[i][level]);
        if (g->adds)
            kn_free(g->ctx, g->adds[i]);
        if (g->plain)
            kn_free(g->ctx, g->plain[i]);
        if (g->total)
            kn_free(g->ctx, g->total[i]);
    }
    kn_free(g->ctx, g->adds);
    kn_free(g->ctx, g->plain);
    kn_free(g->ctx, g->total);
    kn_free(g->ctx, g->mixes);
    kn_free(g->ctx, g->spot_tuple);
    kn_free(g->ctx, g->spot_mix);
    kn_free(g->ctx, g->spot_rows);
}

void
kn_gauge_cells(const kn_gauge *g, const uint8_t *levels, double *weighted, double *plain)
{
    *weighted = *plain = 0;
    for (size_t i = 0; i < g->view->nquasi; i++) {
        *weighted += g->total[i][levels[i]];
        *plain += g->plain[i][levels[i]];
    }
}

/* --- one thread's memory ------------------------------------------------------------------------------ */

struct kn_gauge_scratch {
    const kn_gauge *gauge;
    size_t          most_ids;
    uint64_t       *sizes;                      /* [EXACT_SIZES + 1] rows in classes of each size */
    uint64_t       *large;                      /* sizes beyond, as they come */
    size_t         *start;                      /* [most_ids + 2] spots of each class */
    uint32_t       *order;                      /* [nspots] */
    uint64_t       *counts[KN_OBJECTIVES_MOST]; /* per face [domain] */
    uint32_t       *seen;                       /* values with a count */
    kn_workspace   *ws;                         /* KN_GAUGE_NODES only: */
    uint32_t       *tuple, *spot_class;
};

/* Groupings by group.c have gaps among their ids. */
static size_t
most_ids(const kn_gauge *g, kn_gauge_use use)
{
    return use == KN_GAUGE_NODES ? kn_workspace_ids(g->view, SIZE_MAX) : g->view->ntuples;
}

static size_t
most_domain(const kn_gauge *g)
{
    size_t most = 1;

    for (size_t f = 0; f < g->nfaces; f++)
        most = g->domains[f] > most ? g->domains[f] : most;
    return most;
}

size_t
kn_gauge_scratch_bytes(const kn_gauge *g, kn_gauge_use use)
{
    size_t bytes = (EXACT_SIZES + 1) * 8 + most_domain(g) * 12;

    if (g->nfaces)
        bytes += most_ids(g, use) * 8 + g->nspots * 4;
    if (use == KN_GAUGE_NODES)
        bytes += kn_workspace_bytes(g->view, SIZE_MAX) + most_ids(g, use) * 4 + g->nspots * 4;
    return bytes;
}

static kanon_status
reserve_faces(kn_gauge_scratch *d)
{
    const kn_gauge *g = d->gauge;

    d->start = KN_NEW_ARRAY(g->ctx, size_t, d->most_ids + 2);
    d->order = KN_NEW_ARRAY(g->ctx, uint32_t, g->nspots);
    d->seen = KN_NEW_ARRAY(g->ctx, uint32_t, most_domain(g));
    if (!d->start || !d->order || !d->seen)
        return KANON_E_NOMEM;
    for (size_t f = 0; f < g->nfaces; f++)
        if (!(d->counts[f] = KN_NEW_ARRAY(g->ctx, uint64_t, g->domains[f])))
            return KANON_E_NOMEM;
    return KANON_OK;
}

kanon_status
kn_gauge_scratch_new(const kn_gauge *g, kn_gauge_use use, kn_gauge_scratch **out)
{
    kanon_status      rc = KANON_OK;
    kn_gauge_scratch *d = KN_NEW(g->ctx, kn_gauge_scratch);
    uint64_t          large;

    *out = NULL;
    if (!d)
        return KANON_E_NOMEM;
    d->gauge = g;
    d->most_ids = most_ids(g, use);
    d->sizes = KN_NEW_ARRAY(g->ctx, uint64_t, EXACT_SIZES + 1);
    large = g->view->rows / EXACT_SIZES;
    if (large > g->view->ntuples)
        large = g->view->ntuples; /* rows may be counts */
    d->large = KN_NEW_ARRAY(g->ctx, uint64_t, (size_t) large + 1);
    if (!d->sizes || !d->large)
        rc = KANON_E_NOMEM;
    if (rc == KANON_OK && g->nfaces)
        rc = reserve_faces(d);
    if (rc == KANON_OK && use == KN_GAUGE_NODES) {
        d->tuple = KN_NEW_ARRAY(g->ctx, uint32_t, d->most_ids);
        d->spot_class = KN_NEW_ARRAY(g->ctx, uint32_t, g->nspots);
        rc = d->tuple && d->spot_class ? kn_workspace_new(g->ctx, g->view, SIZE_MAX, &d->ws)
                                       : KANON_E_NOMEM;
    }
    if (rc < 0) {
        kn_gauge_scratch_free(d);
        return rc;
    }
    *out = d;
    return KANON_OK;
}

void
kn_gauge_scratch_free(kn_gauge_scratch *d)
{
    kanon_ctx *ctx;

    if (!d)
        return;
    ctx = d->gauge->ctx;
    kn_free(ctx, d->sizes);
    kn_free(ctx, d->large);
    kn_free(ctx, d->start);
    kn_free(ctx, d->order);
    kn_free(ctx, d->seen);
    for (size_t f = 0; f < KN_OBJECTIVES_MOST; f++)
        kn_free(ctx, d->counts[f]);
    kn_free(ctx, d->tuple);
    kn_free(ctx, d->spot_class);
    kn_workspace_free(d->ws);
    kn_free(ctx, d);
}

/* --- k ------------------------------------------------------------------------------------------------ */

/* The larger sizes in ascending order; there are few. */
static void
sort_sizes(uint64_t *sizes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t size = sizes[i];
        size_t   at = i;

        for (; at > 0 && sizes[at - 1] > size; at--)
            sizes[at] = sizes[at - 1];
        sizes[at] = size;
    }
}

/* The size of the first class that cannot be given up, smallest first. The largest never is: a release has
 * rows, if the table has. */
static uint64_t
reach(kn_gauge_scratch *d, const kn_classes *c)
{
    uint64_t limit = d->gauge->allowed < EXACT_SIZES ? d->gauge->allowed : EXACT_SIZES, gone = 0;
    uint64_t beyond = UINT64_MAX, greatest = 0, k = 0;
    size_t   nlarge = 0;

    memset(d->sizes, 0, (size_t) (limit + 1) * sizeof *d->sizes);
    for (size_t id = 0; id < c->nids; id++) {
        uint64_t size = c->sizes[id];

        greatest = size > greatest ? size : greatest;
        if (size <= limit)
            d->sizes[size] += size;
        else if (size <= d->gauge->allowed)
            d->large[nlarge++] = size;
        else
            beyond = size < beyond ? size : beyond;
    }
    for (uint64_t size = 1; size <= limit && !k; size++) {
        gone += d->sizes[size];
        if (gone > d->gauge->allowed)
            k = size;
    }
    if (!k)
        sort_sizes(d->large, nlarge);
    for (size_t i = 0; i < nlarge && !k; i++) {
        gone += d->large[i];
        if (gone > d->gauge->allowed)
            k = d->large[i];
    }
    k = k ? k : beyond;
    return k < greatest ? k : greatest;
}

/* --- classes -------------------------------------------------------------------------------------- */

static void
add_lost(const kn_gauge *g, const uint8_t *levels, size_t tuple, double rows, kn_profile *p)
{
    for (size_t i = 0; i < g->view->nquasi; i++) {
        double add = g->adds[i][levels[i]][kn_codes_at(&g->view->codes[i], tuple)] * rows;

        p->plain += add;
        p->cells += add * kn_scale_weight(g->scale, i);
    }
}

static void
sum_classes(const kn_gauge *g, const uint8_t *levels, const kn_classes *c, kn_profile *p)
{
    for (size_t id = 0; id < c->nids; id++) {
        uint64_t size = c->sizes[id];

        if (size >= p->k) {
            p->classes += size > 0;
            p->squares += (double) size * (double) size;
        } else if (size) {
            p->suppressed += size;
            if (g->needs & KN_NEEDS_CELLS)
                add_lost(g, levels, c->tuple[id], (double) size, p);
        }
    }
}

static void
sort_spots(kn_gauge_scratch *d, const kn_classes *c)
{
    size_t *next = d->start + 1; /* becomes start when every class has been filled */

    memset(d->start, 0, (c->nids + 2) * sizeof *d->start);
    for (size_t s = 0; s < c->nspots; s++)
        d->start[c->spot_class[s] + 2]++;
    for (size_t id = 1; id < c->nids + 1; id++)
        d->start[id + 1] += d->start[id];
    for (size_t s = 0; s < c->nspots; s++)
        d->order[next[c->spot_class[s]]++] = (uint32_t) s;
}

static void
fold_class(kn_gauge_scratch *d, const kn_classes *c, size_t id, size_t face, kn_value_counts *out)
{
    uint64_t       *counts = d->counts[face], most = 0;
    const uint32_t *code_of = d->gauge->mixes + face;
    size_t          nfaces = d->gauge->nfaces, nseen = 0;

    for (size_t i = d->start[id]; i < d->start[id + 1]; i++) {
        uint32_t spot = d->order[i], code = code_of[c->spot_mix[spot] * nfaces];

        if (!counts[code])
            d->seen[nseen++] = code;
        counts[code] += c->spot_rows[spot];
    }
    for (size_t i = 0; i < nseen; i++) {
        uint64_t rows = counts[d->seen[i]];

        out->own_value += (double) rows * (double) rows;
        most = rows > most ? rows : most;
        counts[d->seen[i]] = 0;
    }
    out->off += c->sizes[id] - most;
    if (!out->least || nseen < out->least)
        out->least = nseen;
}

void
kn_gauge_scratch_classes(kn_gauge_scratch *d, const uint8_t *levels, const kn_classes *c,
                         kn_profile *p, double *values)
{
    const kn_gauge *g = d->gauge;
    kn_subject      subject;

    memset(p, 0, sizeof *p);
    subject = (kn_subject){ g->scale, levels, p };
    p->k = reach(d, c);
    if (g->needs & KN_NEEDS_CELLS)
        kn_gauge_cells(g, levels, &p->cells, &p->plain);
    sum_classes(g, levels, c, p);
    if (g->nfaces)
        sort_spots(d, c);
    for (size_t id = 0; g->nfaces && id < c->nids; id++)
        for (size_t f = 0; c->sizes[id] && c->sizes[id] >= p->k && f < g->nfaces; f++)
            fold_class(d, c, id, f, &p->faces[f]);
    kn_objectives_value(g->objectives, &subject, g->faces, values);
}

void
kn_gauge_scratch_node(kn_gauge_scratch *d, const uint8_t *levels, kn_profile *p, double *values)
{
    const kn_gauge *g = d->gauge;
    kn_grouping     grouping;
    kn_classes      c = { 0 };

    kn_group(d->ws, levels, &grouping);
    for (size_t t = g->view->ntuples; t-- > 0;)
        d->tuple[grouping.class_of[t]] = (uint32_t) t;
    if (g->nfaces)
        for (size_t s = 0; s < g->nspots; s++)
            d->spot_class[s] = grouping.class_of[g->spot_tuple[s]];
    c = (kn_classes){ grouping.nids, grouping.sizes, d->tuple,    g->nspots,
                      d->spot_class, g->spot_mix,    g->spot_rows };
    kn_gauge_scratch_classes(d, levels, &c, p, values);
}

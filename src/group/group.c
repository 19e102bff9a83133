/* SPDX-License-Identifier: Apache-2.0 */
/* group.c -- grouping tuples at a node.
 * Columns at their top level are left out; the others are combined column by column into a mixed-radix
 * key. A small key space is counted by direct addressing: the key is the class id. A larger one goes
 * through a hash table that gives dense ids. When the radices do not fit into 64 bits, what was combined
 * so far is turned into dense ids first and the rest goes on from there, so any number of columns is
 * exact. Cost: O(tuples * columns below their top) per node, nothing allocated. */
#include "group/group.h"

#include "base/hash.h"

enum {
    DIRECT_PER_TUPLE = 4,   /* key space per tuple up to which clearing the counters pays */
    DIRECT_LEAST = 1 << 12, /* always direct below */
    DIRECT_MOST = 1 << 22   /* 32 MiB of counters */
};

typedef struct slot {
    uint64_t key;
    uint32_t id;
    uint32_t epoch; /* older than the workspace's: free */
} slot;

struct kn_workspace {
    kanon_ctx     *ctx;
    const kn_view *view;
    size_t         most_classes;
    uint64_t      *keys;  /* [ntuples] */
    uint32_t      *ids;   /* [ntuples] */
    uint64_t      *sizes; /* [room] */
    size_t         direct;
    uint32_t      *scaled; /* [most codes of a column]: group * stride, where it fits 32 bits */
    uint64_t      *scaled_wide;
    slot          *slots;
    size_t         nslots;
    uint32_t       epoch;
};

static size_t
direct_limit(const kn_view *view)
{
    size_t limit = view->ntuples > DIRECT_MOST / DIRECT_PER_TUPLE
                     ? DIRECT_MOST
                     : view->ntuples * DIRECT_PER_TUPLE;

    return limit < DIRECT_LEAST ? DIRECT_LEAST : limit;
}

static size_t
class_limit(const kn_view *view, size_t most_classes)
{
    return most_classes < view->ntuples ? most_classes : view->ntuples;
}

static size_t
slot_count(const kn_view *view, size_t most_classes)
{
    size_t need = class_limit(view, most_classes) + 1, slots = 16;

    while (slots < need + need / 2)
        slots *= 2;
    return slots;
}

static size_t
most_codes(const kn_view *view)
{
    size_t most = 1;

    for (size_t i = 0; i < view->nquasi; i++)
        if (view->axes[i].ncodes > most)
            most = view->axes[i].ncodes;
    return most;
}

size_t
kn_workspace_ids(const kn_view *view, size_t most_classes)
{
    size_t room = direct_limit(view), classes = class_limit(view, most_classes) + 1;

    return room > classes ? room : classes;
}

size_t
kn_workspace_bytes(const kn_view *view, size_t most_classes)
{
    return view->ntuples * 12 + kn_workspace_ids(view, most_classes) * 8
         + slot_count(view, most_classes) * sizeof(slot) + most_codes(view) * 12;
}

kanon_status
kn_workspace_new(kanon_ctx *ctx, const kn_view *view, size_t most_classes, kn_workspace **out)
{
    kn_workspace *ws = KN_NEW(ctx, kn_workspace);
    size_t        ids = kn_workspace_ids(view, most_classes);

    *out = NULL;
    if (!ws)
        return KANON_E_NOMEM;
    *ws = (kn_workspace){ .ctx = ctx,
                          .view = view,
                          .most_classes = most_classes,
                          .direct = direct_limit(view),
                          .nslots = slot_count(view, most_classes) };
    ws->keys = kn_realloc_array(ctx, NULL, view->ntuples, sizeof *ws->keys);
    ws->ids = kn_realloc_array(ctx, NULL, view->ntuples, sizeof *ws->ids);
    ws->sizes = kn_realloc_array(ctx, NULL, ids, sizeof *ws->sizes);
    ws->scaled = kn_realloc_array(ctx, NULL, most_codes(view), sizeof *ws->scaled);
    ws->scaled_wide = kn_realloc_array(ctx, NULL, most_codes(view), sizeof *ws->scaled_wide);
    ws->slots = KN_NEW_ARRAY(ctx, slot, ws->nslots);
    if (!ws->keys || !ws->ids || !ws->sizes || !ws->scaled || !ws->scaled_wide || !ws->slots) {
        kn_workspace_free(ws);
        return kn_fail_nomem(ctx);
    }
    *out = ws;
    return KANON_OK;
}

void
kn_workspace_free(kn_workspace *ws)
{
    if (!ws)
        return;
    kn_free(ws->ctx, ws->keys);
    kn_free(ws->ctx, ws->ids);
    kn_free(ws->ctx, ws->sizes);
    kn_free(ws->ctx, ws->scaled);
    kn_free(ws->ctx, ws->scaled_wide);
    kn_free(ws->ctx, ws->slots);
    kn_free(ws->ctx, ws);
}

/* --- keys -------------------------------------------------------------------------------------- */

/* key[t] (+)= table[code[t]] for each width of code; the first column sets, the others add. */
#define ADD_COLUMN(name, code_type, key_type)                                                      \
    static void name(const void *data, const key_type *table, size_t n, key_type *keys, int first) \
    {                                                                                              \
        const code_type *codes = data;                                                             \
        if (first)                                                                                 \
            for (size_t t = 0; t < n; t++)                                                         \
                keys[t] = table[codes[t]];                                                         \
        else                                                                                       \
            for (size_t t = 0; t < n; t++)                                                         \
                keys[t] += table[codes[t]];                                                        \
    }
ADD_COLUMN(add_1_32, uint8_t, uint32_t)
ADD_COLUMN(add_2_32, uint16_t, uint32_t)
ADD_COLUMN(add_4_32, uint32_t, uint32_t)
ADD_COLUMN(add_1_64, uint8_t, uint64_t)
ADD_COLUMN(add_2_64, uint16_t, uint64_t)
ADD_COLUMN(add_4_64, uint32_t, uint64_t)

static void
add_narrow(kn_workspace *ws, size_t column, unsigned level, uint32_t stride, int first)
{
    const kn_axis  *axis = &ws->view->axes[column];
    const kn_codes *codes = &ws->view->codes[column];
    size_t          n = ws->view->ntuples;

    for (size_t c = 0; c < axis->ncodes; c++)
        ws->scaled[c] = axis->maps[level][c] * stride;
    if (codes->bytes == 1)
        add_1_32(codes->data, ws->scaled, n, ws->ids, first);
    else if (codes->bytes == 2)
        add_2_32(codes->data, ws->scaled, n, ws->ids, first);
    else
        add_4_32(codes->data, ws->scaled, n, ws->ids, first);
}

static void
add_wide(kn_workspace *ws, size_t column, unsigned level, uint64_t stride, int first)
{
    const kn_axis  *axis = &ws->view->axes[column];
    const kn_codes *codes = &ws->view->codes[column];
    size_t          n = ws->view->ntuples;

    for (size_t c = 0; c < axis->ncodes; c++)
        ws->scaled_wide[c] = axis->maps[level][c] * stride;
    if (codes->bytes == 1)
        add_1_64(codes->data, ws->scaled_wide, n, ws->keys, first);
    else if (codes->bytes == 2)
        add_2_64(codes->data, ws->scaled_wide, n, ws->keys, first);
    else
        add_4_64(codes->data, ws->scaled_wide, n, ws->keys, first);
}

/* --- hashing to dense ids ------------------------------------------------------------------------ */

/* @return the number of ids, or SIZE_MAX when there are more than most_classes */
static size_t
densify(kn_workspace *ws)
{
    size_t   n = ws->view->ntuples, mask = ws->nslots - 1, ids = 0;
    uint64_t seed = kn_ctx_hash_seed(ws->ctx);

    if (++ws->epoch == 0) { /* wrapped: forget everything once in 2^32 uses */
        memset(ws->slots, 0, ws->nslots * sizeof *ws->slots);
        ws->epoch = 1;
    }
    for (size_t t = 0; t < n; t++) {
        uint64_t key = ws->keys[t];
        size_t   at = (size_t) kn_hash_word(key ^ seed) & mask;

        while (ws->slots[at].epoch == ws->epoch && ws->slots[at].key != key)
            at = (at + 1) & mask;
        if (ws->slots[at].epoch != ws->epoch) {
            if (ids == ws->most_classes)
                return SIZE_MAX;
            ws->slots[at] = (slot){ key, (uint32_t) ids++, ws->epoch };
        }
        ws->ids[t] = ws->slots[at].id;
    }
    return ids;
}

/* --- the check itself ---------------------------------------------------------------------------- */

/* Product of the radices, or 0 when it passes 2^63. */
static uint64_t
key_space(const kn_view *view, const uint8_t *levels)
{
    uint64_t space = 1;

    for (size_t i = 0; i < view->nquasi; i++) {
        uint64_t groups = view->axes[i].ngroups[levels[i]];

        if (groups > 1 && space > (UINT64_C(1) << 63) / groups)
            return 0;
        space *= groups > 1 ? groups : 1;
    }
    return space;
}

static void
direct_ids(kn_workspace *ws, const uint8_t *levels)
{
    uint32_t stride = 1;
    int      first = 1;

    for (size_t i = 0; i < ws->view->nquasi; i++) {
        uint32_t groups = ws->view->axes[i].ngroups[levels[i]];

        if (groups <= 1)
            continue;
        add_narrow(ws, i, levels[i], stride, first);
        stride *= groups;
        first = 0;
    }
    if (first)
        memset(ws->ids, 0, ws->view->ntuples * sizeof *ws->ids);
}

/* @return as densify */
static size_t
hashed_ids(kn_workspace *ws, const uint8_t *levels)
{
    uint64_t space = 1;
    size_t   n = ws->view->ntuples, ids = 0;
    int      first = 1;

    for (size_t i = 0; i < ws->view->nquasi; i++) {
        uint32_t groups = ws->view->axes[i].ngroups[levels[i]];

        if (groups <= 1)
            continue;
        if (space > (UINT64_C(1) << 63) / groups) {
            ids = densify(ws);
            if (ids == SIZE_MAX)
                return ids;
            for (size_t t = 0; t < n; t++)
                ws->keys[t] = ws->ids[t];
            space = ids;
        }
        add_wide(ws, i, levels[i], space, first);
        space *= groups;
        first = 0;
    }
    return densify(ws);
}

void
kn_group(kn_workspace *ws, const uint8_t *levels, kn_grouping *out)
{
    const kn_view *view = ws->view;
    uint64_t       space = key_space(view, levels);
    size_t         ids;

    assert(kn_view_has(ws->view, levels));
    if (space && space <= ws->direct) {
        direct_ids(ws, levels);
        ids = (size_t) space;
    } else {
        ids = hashed_ids(ws, levels);
    }
    out->holds = NULL;
    out->class_of = ws->ids;
    out->sizes = ws->sizes;
    out->complete = ids != SIZE_MAX;
    out->nids = out->complete ? ids : 0;
    if (!out->complete)
        return;
    memset(ws->sizes, 0, ids * sizeof *ws->sizes);
    for (size_t t = 0; t < view->ntuples; t++) {
        assert(ws->ids[t] < ids);
        ws->sizes[ws->ids[t]] += view->weights[t];
    }
}

/* --- axes ---------------------------------------------------------------------------------------- */

kanon_status
kn_axes_new(kanon_ctx *ctx, kanon_hierarchy *const *hierarchies, size_t count, kn_axis **out)
{
    kn_axis *axes = KN_NEW_ARRAY(ctx, kn_axis, count);

    *out = NULL;
    if (!axes)
        return KANON_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const kanon_hierarchy *h = hierarchies[i];
        uint32_t              *ngroups = KN_NEW_ARRAY(ctx, uint32_t, h->nlevels);

        axes[i].nlevels = h->nlevels;
        axes[i].ncodes = h->ndata;
        axes[i].ngroups = ngroups;
        axes[i].maps = kn_alloc_array(ctx, h->nlevels, sizeof *axes[i].maps);
        if (!ngroups || !axes[i].maps) {
            kn_axes_free(ctx, axes, count);
            return kn_fail_nomem(ctx);
        }
        for (size_t level = 0; level < h->nlevels; level++) {
            axes[i].maps[level] = h->levels[level].group_of;
            ngroups[level] = h->levels[level].ngroups;
        }
    }
    *out = axes;
    return KANON_OK;
}

void
kn_axes_free(kanon_ctx *ctx, kn_axis *axes, size_t count)
{
    if (!axes)
        return;
    for (size_t i = 0; i < count; i++) {
        kn_free(ctx, (void *) axes[i].maps);
        kn_free(ctx, (void *) (uintptr_t) axes[i].ngroups);
    }
    kn_free(ctx, axes);
}

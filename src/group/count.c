/* count.c -- counting the outlying rows of a node, block by block, with early abort.
 * The tuples are sorted once by a lead column, in an order in which the groups of each of its levels are
 * neighbours. At a node, a run of tuples in one group of the lead column is a block; no class crosses a
 * block, so each block is counted by itself in a table that fits the cache, and the outlying rows of the
 * blocks done so far are final: when they pass the limit the node is infeasible, whatever comes.
 * Shaped for millions of tuples. Cost: O(tuples seen * columns below their top), most often a small part
 * of the table; memory per thread is bounded by the classes of a feasible node. */
#include "group/count.h"

#include "base/hash.h"

enum {
    CHUNK = 512, /* tuples whose keys are built at a time */
    SLOTS_LEAST = 64,
    DIRECT_PER_TUPLE = 4 /* key space per tuple of a block up to which direct addressing pays */
};

typedef struct slot {
    uint64_t key;
    uint64_t rows; /* 0: free */
} slot;

struct kn_counter {
    kanon_ctx     *ctx;
    const kn_view *view;
    size_t         lead;
    kn_codes      *codes; /* in the new order */
    uint32_t      *weights;
};

struct kn_tally {
    const kn_counter *counter;
    size_t            most_classes;
    slot             *slots; /* also used as plain counters */
    size_t            nslots;
    uint64_t        **scaled; /* [column][code]: group * stride at the node */
    size_t           *used;   /* columns below their top, without the lead */
    size_t            nused;
    uint64_t          space; /* product of their groups */
};

/* --- the order --------------------------------------------------------------------------------------- */

/* Many groups just below the top make many blocks at most nodes. */
static size_t
choose_lead(const kn_view *view)
{
    size_t   best = 0;
    uint64_t best_groups = 0;

    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_axis *axis = &view->axes[i];
        uint64_t       groups = axis->nlevels > 1 ? axis->ngroups[axis->nlevels - 2] : 1;

        if (groups > best_groups) {
            best = i;
            best_groups = groups;
        }
    }
    return best;
}

/* Stable counting sort of codes by their group at one level. */
static void
sort_by_level(const kn_axis *axis, size_t level, const uint32_t *from, uint32_t *to, size_t *starts)
{
    const uint32_t *map = axis->maps[level];

    memset(starts, 0, ((size_t) axis->ngroups[level] + 1) * sizeof *starts);
    for (size_t c = 0; c < axis->ncodes; c++)
        starts[map[from[c]] + 1]++;
    for (size_t g = 0; g < axis->ngroups[level]; g++)
        starts[g + 1] += starts[g];
    for (size_t c = 0; c < axis->ncodes; c++)
        to[starts[map[from[c]]]++] = from[c];
}

/* rank[code]: the groups of every level are runs of ranks. Least significant level first, as in radix
 * sort; the levels nest, so each pass keeps what the one before did. */
static kanon_status
rank_codes(kanon_ctx *ctx, const kn_axis *axis, uint32_t **rank)
{
    kanon_status rc = KANON_E_NOMEM;
    size_t       most = 1;
    uint32_t    *a = KN_NEW_ARRAY(ctx, uint32_t, axis->ncodes),
             *b = KN_NEW_ARRAY(ctx, uint32_t, axis->ncodes);
    size_t *starts = NULL;

    for (size_t level = 0; level < axis->nlevels; level++)
        most = axis->ngroups[level] > most ? axis->ngroups[level] : most;
    starts = KN_NEW_ARRAY(ctx, size_t, most + 1);
    if (!a || !b || !starts)
        goto out;
    for (uint32_t c = 0; c < axis->ncodes; c++)
        a[c] = c;
    for (size_t level = 0; level < axis->nlevels; level++) {
        uint32_t *keep = a;

        sort_by_level(axis, level, a, b, starts);
        a = b;
        b = keep;
    }
    for (uint32_t r = 0; r < axis->ncodes; r++)
        b[a[r]] = r;
    *rank = b;
    b = NULL;
    rc = KANON_OK;
out:
    kn_free(ctx, a);
    kn_free(ctx, b);
    kn_free(ctx, starts);
    return rc;
}

/* Where each tuple goes: counting sort by the rank of its lead code. */
static kanon_status
order_tuples(const kn_counter *c, uint32_t **order)
{
    kanon_status    rc = KANON_OK;
    const kn_view  *view = c->view;
    const kn_codes *lead = &view->codes[c->lead];
    size_t          ncodes = view->axes[c->lead].ncodes;
    uint32_t       *rank = NULL, *to = NULL;
    size_t         *starts = KN_NEW_ARRAY(c->ctx, size_t, ncodes + 1);

    if (!starts)
        return KANON_E_NOMEM;
    KN_TRY(rank_codes(c->ctx, &view->axes[c->lead], &rank));
    to = KN_NEW_ARRAY(c->ctx, uint32_t, view->ntuples);
    if (!to) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    for (size_t t = 0; t < view->ntuples; t++)
        starts[rank[kn_codes_at(lead, t)] + 1]++;
    for (size_t r = 0; r < ncodes; r++)
        starts[r + 1] += starts[r];
    for (size_t t = 0; t < view->ntuples; t++)
        to[t] = (uint32_t) starts[rank[kn_codes_at(lead, t)]]++;
    *order = to;
out:
    kn_free(c->ctx, starts);
    kn_free(c->ctx, rank);
    return rc;
}

static kanon_status
copy_column(const kn_counter *c, const kn_codes *from, const uint32_t *order, kn_codes *to)
{
    size_t n = c->view->ntuples;

    to->bytes = from->bytes;
    to->data = kn_realloc_array(c->ctx, NULL, n, from->bytes);
    if (!to->data)
        return KANON_E_NOMEM;
    if (from->bytes == 1)
        for (size_t t = 0; t < n; t++)
            ((uint8_t *) to->data)[order[t]] = ((const uint8_t *) from->data)[t];
    else if (from->bytes == 2)
        for (size_t t = 0; t < n; t++)
            ((uint16_t *) to->data)[order[t]] = ((const uint16_t *) from->data)[t];
    else
        for (size_t t = 0; t < n; t++)
            ((uint32_t *) to->data)[order[t]] = ((const uint32_t *) from->data)[t];
    return KANON_OK;
}

bool
kn_counter_fits(const kn_view *view, const uint8_t *floor)
{
    uint64_t space = 1;

    for (size_t i = 0; i < view->nquasi; i++) {
        uint64_t groups = view->axes[i].ngroups[floor[i]];

        if (groups && space > (UINT64_C(1) << 63) / groups)
            return false;
        space *= groups ? groups : 1;
    }
    return true;
}

kanon_status
kn_counter_new(kanon_ctx *ctx, const kn_view *view, kn_counter **out)
{
    kanon_status rc = KANON_OK;
    kn_counter  *c = KN_NEW(ctx, kn_counter);
    uint32_t    *order = NULL;

    *out = NULL;
    if (!c)
        return KANON_E_NOMEM;
    c->ctx = ctx;
    c->view = view;
    c->lead = choose_lead(view);
    c->codes = KN_NEW_ARRAY(ctx, kn_codes, view->nquasi);
    c->weights = kn_realloc_array(ctx, NULL, view->ntuples, sizeof *c->weights);
    if (!c->codes || !c->weights) {
        rc = KANON_E_NOMEM;
        goto out;
    }
    KN_TRY(order_tuples(c, &order));
    for (size_t i = 0; i < view->nquasi; i++)
        KN_TRY(copy_column(c, &view->codes[i], order, &c->codes[i]));
    for (size_t t = 0; t < view->ntuples; t++)
        c->weights[order[t]] = view->weights[t];
    *out = c;
    c = NULL;
out:
    kn_free(ctx, order);
    kn_counter_free(c);
    return rc;
}

void
kn_counter_free(kn_counter *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->codes && i < c->view->nquasi; i++)
        kn_free(c->ctx, c->codes[i].data);
    kn_free(c->ctx, c->codes);
    kn_free(c->ctx, c->weights);
    kn_free(c->ctx, c);
}

/* --- scratch ----------------------------------------------------------------------------------------- */

static size_t
slots_for(size_t entries)
{
    size_t slots = SLOTS_LEAST;

    while (slots < entries + entries / 2)
        slots *= 2;
    return slots;
}

static size_t
entries_most(const kn_view *view, size_t most_classes)
{
    return (most_classes < view->ntuples ? most_classes : view->ntuples) + 1;
}

size_t
kn_tally_bytes(const kn_view *view, size_t most_classes)
{
    size_t bytes = slots_for(entries_most(view, most_classes)) * sizeof(slot);

    for (size_t i = 0; i < view->nquasi; i++)
        bytes += view->axes[i].ncodes * sizeof(uint64_t);
    return bytes;
}

kanon_status
kn_tally_new(const kn_counter *counter, size_t most_classes, kn_tally **out)
{
    kanon_ctx     *ctx = counter->ctx;
    const kn_view *view = counter->view;
    kn_tally      *t = KN_NEW(ctx, kn_tally);

    *out = NULL;
    if (!t)
        return KANON_E_NOMEM;
    t->counter = counter;
    t->most_classes = most_classes;
    t->nslots = slots_for(entries_most(view, most_classes));
    t->slots = kn_realloc_array(ctx, NULL, t->nslots, sizeof *t->slots);
    t->scaled = kn_alloc_array(ctx, view->nquasi, sizeof *t->scaled);
    t->used = KN_NEW_ARRAY(ctx, size_t, view->nquasi);
    for (size_t i = 0; t->scaled && i < view->nquasi; i++)
        if (!(t->scaled[i] = KN_NEW_ARRAY(ctx, uint64_t, view->axes[i].ncodes)))
            break;
    if (!t->slots || !t->scaled || !t->used || (view->nquasi && !t->scaled[view->nquasi - 1])) {
        kn_tally_free(t);
        return kn_fail_nomem(ctx);
    }
    *out = t;
    return KANON_OK;
}

void
kn_tally_free(kn_tally *t)
{
    kanon_ctx *ctx;

    if (!t)
        return;
    ctx = t->counter->ctx;
    for (size_t i = 0; t->scaled && i < t->counter->view->nquasi; i++)
        kn_free(ctx, t->scaled[i]);
    kn_free(ctx, t->scaled);
    kn_free(ctx, t->slots);
    kn_free(ctx, t->used);
    kn_free(ctx, t);
}

/* --- keys -------------------------------------------------------------------------------------------- */

/* Which columns make the key within a block, and by how much each of their codes counts. */
static void
scale_columns(kn_tally *t, const uint8_t *levels)
{
    const kn_view *view = t->counter->view;

    t->nused = 0;
    t->space = 1;
    for (size_t i = 0; i < view->nquasi; i++) {
        const kn_axis *axis = &view->axes[i];
        uint32_t       groups = axis->ngroups[levels[i]];

        if (i == t->counter->lead || groups <= 1)
            continue;
        for (size_t c = 0; c < axis->ncodes; c++)
            t->scaled[i][c] = axis->maps[levels[i]][c] * t->space;
        t->space *= groups;
        t->used[t->nused++] = i;
    }
}

static void
build_keys(const kn_tally *t, size_t from, size_t count, uint64_t *keys)
{
    memset(keys, 0, count * sizeof *keys);
    for (size_t u = 0; u < t->nused; u++) {
        const kn_codes *codes = &t->counter->codes[t->used[u]];
        const uint64_t *scaled = t->scaled[t->used[u]];

        if (codes->bytes == 1)
            for (size_t i = 0; i < count; i++)
                keys[i] += scaled[((const uint8_t *) codes->data)[from + i]];
        else if (codes->bytes == 2)
            for (size_t i = 0; i < count; i++)
                keys[i] += scaled[((const uint16_t *) codes->data)[from + i]];
        else
            for (size_t i = 0; i < count; i++)
                keys[i] += scaled[((const uint32_t *) codes->data)[from + i]];
    }
}

/* --- blocks ------------------------------------------------------------------------------------------ */

/* Adds the classes of the first nslots slots. */
static void
add_classes(const kn_tally *t, size_t nslots, uint64_t k, kn_counted *out)
{
    for (size_t s = 0; s < nslots; s++) {
        uint64_t rows = t->slots[s].rows;

        if (rows >= k) {
            out->classes += rows > 0;
            out->squares += (double) rows * (double) rows;
        } else {
            out->outlying += rows;
        }
    }
}

static void
count_directly(kn_tally *t, size_t from, size_t to)
{
    uint64_t keys[CHUNK];

    memset(t->slots, 0, (size_t) t->space * sizeof *t->slots);
    for (size_t at = from; at < to; at += CHUNK) {
        size_t count = to - at < CHUNK ? to - at : CHUNK;

        build_keys(t, at, count, keys);
        for (size_t i = 0; i < count; i++)
            t->slots[keys[i]].rows += t->counter->weights[at + i];
    }
}

/* @return false when there are more than `most` classes */
static bool
count_hashed(kn_tally *t, size_t from, size_t to, size_t nslots, size_t most)
{
    uint64_t keys[CHUNK];
    size_t   mask = nslots - 1, classes = 0;

    memset(t->slots, 0, nslots * sizeof *t->slots);
    for (size_t at = from; at < to; at += CHUNK) {
        size_t count = to - at < CHUNK ? to - at : CHUNK;

        build_keys(t, at, count, keys);
        for (size_t i = 0; i < count; i++) {
            size_t s = (size_t) kn_hash_word(keys[i]) & mask;

            while (t->slots[s].rows && t->slots[s].key != keys[i])
                s = (s + 1) & mask;
            if (!t->slots[s].rows) {
                if (classes++ == most)
                    return false;
                t->slots[s].key = keys[i];
            }
            t->slots[s].rows += t->counter->weights[at + i];
        }
    }
    return true;
}

static bool
count_block(kn_tally *t, size_t from, size_t to, uint64_t k, kn_counted *out)
{
    size_t tuples = to - from, nslots, most = t->most_classes;

    if (t->space <= DIRECT_PER_TUPLE * tuples && t->space <= t->nslots) {
        count_directly(t, from, to);
        add_classes(t, (size_t) t->space, k, out);
        return true;
    }
    nslots = slots_for(tuples < most ? tuples + 1 : most + 1);
    if (nslots > t->nslots)
        nslots = t->nslots;
    if (!count_hashed(t, from, to, nslots, most))
        return false;
    add_classes(t, nslots, k, out);
    return true;
}

/* The end of the block that begins at `from`: where the lead column's group changes. */
static size_t
block_end(const kn_counter *c, const uint32_t *map, size_t from)
{
    const kn_codes *lead = &c->codes[c->lead];
    uint32_t        group = map[kn_codes_at(lead, from)];
    size_t          to = from + 1;

    while (to < c->view->ntuples && map[kn_codes_at(lead, to)] == group)
        to++;
    return to;
}

void
kn_count(kn_tally *t, const uint8_t *levels, uint64_t k, uint64_t allowed, kn_counted *out)
{
    const kn_counter *c = t->counter;
    const kn_axis    *lead = &c->view->axes[c->lead];
    size_t            n = c->view->ntuples;

    memset(out, 0, sizeof *out);
    scale_columns(t, levels);
    for (size_t from = 0, to; from < n; from = to) {
        to = lead->ngroups[levels[c->lead]] > 1 ? block_end(c, lead->maps[levels[c->lead]], from)
                                                : n;
        if (!count_block(t, from, to, k, out) || out->outlying > allowed)
            return;
    }
    out->complete = true;
}

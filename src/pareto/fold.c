/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c -- walking a lattice by folding the table up.
 * At depth d a spot is known by two numbers: its prefix (the settled quasi-identifiers at their levels) and
 * its suffix (the others, with the mix of sensitive values; numbered once for the whole table). Both are
 * dense, so pairs of them are addressed directly where that is small, and hashed otherwise. Levels of one
 * depth are merged in place, finest first. */
#include "pareto/fold.h"

#include "base/hash.h"

enum { DIRECT_PER_SPOT = 4, DIRECT_LEAST = 1 << 12 };

/* --- pairs to numbers -------------------------------------------------------------------------------- */

typedef struct slot {
    uint64_t key;
    uint32_t id, epoch;
} slot;

/* Gives pairs of numbers dense ids in the order of their arrival. */
typedef struct pairing {
    uint32_t *direct; /* [room]: id + 1 */
    size_t    room;
    slot     *slots;
    size_t    nslots;
    uint32_t  epoch, count;
    uint64_t  radix, seed;
    bool      hashed;
} pairing;

static size_t
slots_for(size_t count)
{
    size_t slots = 16;

    while (slots < count + count / 2 + 1)
        slots *= 2;
    return slots;
}

static size_t
direct_room(size_t count)
{
    return count * DIRECT_PER_SPOT + DIRECT_LEAST;
}

static kanon_status
pairing_init(kanon_ctx *ctx, pairing *p, size_t most)
{
    p->room = direct_room(most);
    p->nslots = slots_for(most);
    p->direct = KN_NEW_ARRAY(ctx, uint32_t, p->room);
    p->slots = KN_NEW_ARRAY(ctx, slot, p->nslots);
    return p->direct && p->slots ? KANON_OK : KANON_E_NOMEM;
}

static void
pairing_fini(kanon_ctx *ctx, pairing *p)
{
    kn_free(ctx, p->direct);
    kn_free(ctx, p->slots);
}

/* Pairs (a, b) with a < firsts and b < radix come next, of at most `spots` spots. */
static void
pairing_begin(pairing *p, uint64_t firsts, uint64_t radix, size_t spots)
{
    uint64_t space = firsts * radix; /* both are below 2^32 */

    p->radix = radix;
    p->count = 0;
    p->hashed = space > direct_room(spots);
    if (!p->hashed) {
        memset(p->direct, 0, (size_t) space * sizeof *p->direct);
    } else if (++p->epoch == 0) {
        memset(p->slots, 0, p->nslots * sizeof *p->slots);
        p->epoch = 1;
    }
}

static inline uint32_t
pairing_id(pairing *p, uint32_t a, uint32_t b)
{
    uint64_t key = a * p->radix + b;
    size_t   mask = p->nslots - 1, at;

    if (!p->hashed) {
        if (!p->direct[key])
            p->direct[key] = ++p->count;
        return p->direct[key] - 1;
    }
    at = (size_t) kn_hash_word(key ^ p->seed) & mask;
    while (p->slots[at].epoch == p->epoch && p->slots[at].key != key)
        at = (at + 1) & mask;
    if (p->slots[at].epoch != p->epoch)
        p->slots[at] = (slot){ key, p->count++, p->epoch };
    return p->slots[at].id;
}

/* --- suffixes ------------------------------------------------------------------------------------- */

static unsigned
nlevels(const kn_fold_axes *p, size_t quasi)
{
    return (unsigned) p->top[quasi] - p->low[quasi] + 1;
}

/* Those with few levels first: most nodes differ in the last ones, where spots are fewest. */
static void
choose_order(kn_fold_axes *p)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t at = i;

        for (; at > 0 && nlevels(p, p->order[at - 1]) > nlevels(p, i); at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

kanon_status
kn_fold_axes_init(kn_fold_axes *p, const kn_gauge *gauge, const kn_lattice *lattice)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = gauge->ctx;
    pairing      pairs = { .seed = kn_ctx_hash_seed(gauge->ctx) };

    *p = (kn_fold_axes){ gauge, gauge->view->nquasi, lattice->low, lattice->top, NULL, NULL, NULL };
    p->order = KN_NEW_ARRAY(ctx, size_t, p->n);
    p->nsuffix = KN_NEW_ARRAY(ctx, size_t, p->n + 1);
    p->suffix = kn_alloc_array(ctx, p->n + 1, sizeof *p->suffix);
    KN_TRY(KN_HAVE(p->order && p->nsuffix && p->suffix));
    choose_order(p);
    KN_TRY(pairing_init(ctx, &pairs, gauge->nspots));
    for (size_t d = p->n + 1; d-- > 0;) {
        p->suffix[d] = KN_NEW_ARRAY(ctx, uint32_t, gauge->nspots);
        KN_TRY(KN_HAVE(p->suffix[d]));
        if (d == p->n) {
            memcpy(p->suffix[d], gauge->spot_mix, gauge->nspots * sizeof **p->suffix);
            p->nsuffix[d] = gauge->nmixes;
            continue;
        }
        pairing_begin(&pairs, p->nsuffix[d + 1], gauge->view->axes[p->order[d]].ncodes,
                      gauge->nspots);
        for (size_t s = 0; s < gauge->nspots; s++)
            p->suffix[d][s] = pairing_id(&pairs, p->suffix[d + 1][s],
                                         kn_codes_at(&gauge->view->codes[p->order[d]],
                                                     gauge->spot_tuple[s]));
        p->nsuffix[d] = pairs.count;
    }
out:
    pairing_fini(ctx, &pairs);
    return rc;
}

void
kn_fold_axes_fini(kn_fold_axes *p)
{
    if (!p->gauge)
        return;
    for (size_t d = 0; p->suffix && d <= p->n; d++)
        kn_free(p->gauge->ctx, p->suffix[d]);
    kn_free(p->gauge->ctx, p->suffix);
    kn_free(p->gauge->ctx, p->nsuffix);
    kn_free(p->gauge->ctx, p->order);
}

/* --- layers --------------------------------------------------------------------------------------- */

/* The spots of one depth. */
typedef struct layer {
    size_t    count;
    uint32_t  nup, nprefix;
    uint32_t *up;     /* prefix of the depth before */
    uint32_t *prefix; /* with this depth's quasi-identifier at its level */
    uint32_t *spot;   /* of the table, one of those that it stands for */
    uint32_t *code;   /* of this depth's quasi-identifier there */
    uint32_t *suffix; /* of this depth */
    uint64_t *rows;
} layer;

struct kn_fold {
    const kn_fold_axes *axes;
    layer              *layers; /* [n + 1] */
    pairing             prefixes, spots;
    uint8_t             levels[KN_QUASI_MOST];
    uint64_t           *sizes; /* of the classes */
    uint32_t           *tuple, *mix;
    kn_fold_hear        hear;
    void               *user;
};

size_t
kn_fold_bytes(const kn_fold_axes *p)
{
    size_t spots = p->gauge->nspots;

    return (p->n + 1) * spots * 28 + spots * 16
         + 2 * (direct_room(spots) * 4 + slots_for(spots) * sizeof(slot));
}

static kanon_status
reserve_layer(kanon_ctx *ctx, layer *l, size_t count)
{
    l->up = kn_realloc_array(ctx, NULL, count, sizeof *l->up);
    l->prefix = kn_realloc_array(ctx, NULL, count, sizeof *l->prefix);
    l->spot = kn_realloc_array(ctx, NULL, count, sizeof *l->spot);
    l->code = kn_realloc_array(ctx, NULL, count, sizeof *l->code);
    l->suffix = kn_realloc_array(ctx, NULL, count, sizeof *l->suffix);
    l->rows = kn_realloc_array(ctx, NULL, count, sizeof *l->rows);
    return l->up && l->prefix && l->spot && l->code && l->suffix && l->rows ? KANON_OK
                                                                            : kn_fail_nomem(ctx);
}

kanon_status
kn_fold_new(const kn_fold_axes *axes, kn_fold **out)
{
    kanon_status rc = KANON_OK;
    kanon_ctx   *ctx = axes->gauge->ctx;
    size_t       spots = axes->gauge->nspots;
    kn_fold     *f = KN_NEW(ctx, kn_fold);

    *out = NULL;
    if (!f)
        return KANON_E_NOMEM;
    f->axes = axes;
    f->layers = KN_NEW_ARRAY(ctx, layer, axes->n + 1);
    f->sizes = KN_NEW_ARRAY(ctx, uint64_t, spots);
    f->tuple = KN_NEW_ARRAY(ctx, uint32_t, spots);
    f->mix = KN_NEW_ARRAY(ctx, uint32_t, spots);
    if (!f->layers || !f->sizes || !f->tuple || !f->mix)
        rc = KANON_E_NOMEM;
    for (size_t d = 0; rc == KANON_OK && d <= axes->n; d++)
        rc = reserve_layer(ctx, &f->layers[d], spots);
    if (rc == KANON_OK)
        rc = pairing_init(ctx, &f->prefixes, spots);
    if (rc == KANON_OK)
        rc = pairing_init(ctx, &f->spots, spots);
    if (rc < 0) {
        kn_fold_free(f);
        return rc;
    }
    *out = f;
    return KANON_OK;
}

void
kn_fold_free(kn_fold *f)
{
    kanon_ctx *ctx;

    if (!f)
        return;
    ctx = f->axes->gauge->ctx;
    for (size_t d = 0; f->layers && d <= f->axes->n; d++) {
        kn_free(ctx, f->layers[d].up);
        kn_free(ctx, f->layers[d].prefix);
        kn_free(ctx, f->layers[d].spot);
        kn_free(ctx, f->layers[d].code);
        kn_free(ctx, f->layers[d].suffix);
        kn_free(ctx, f->layers[d].rows);
    }
    kn_free(ctx, f->layers);
    kn_free(ctx, f->sizes);
    kn_free(ctx, f->tuple);
    kn_free(ctx, f->mix);
    pairing_fini(ctx, &f->prefixes);
    pairing_fini(ctx, &f->spots);
    kn_free(ctx, f);
}

/* --- the walk ------------------------------------------------------------------------------------- */

static void
begin_table(kn_fold *f)
{
    const kn_gauge *g = f->axes->gauge;
    layer          *l = &f->layers[0];

    l->count = g->nspots;
    l->nprefix = l->count > 0;
    memset(l->prefix, 0, l->count * sizeof *l->prefix);
    for (size_t s = 0; s < l->count; s++)
        l->spot[s] = (uint32_t) s;
    memcpy(l->rows, g->spot_rows, l->count * sizeof *l->rows);
}

/* The next depth begins with what this one has. */
static void
begin_depth(kn_fold *f, size_t depth)
{
    const kn_fold_axes *p = f->axes;
    const kn_codes     *codes = &p->gauge->view->codes[p->order[depth]];
    const uint32_t     *tuple = p->gauge->spot_tuple, *suffix = p->suffix[depth + 1];
    const layer        *from = &f->layers[depth];
    layer              *to = &f->layers[depth + 1];

    to->count = from->count;
    to->nup = from->nprefix;
    memcpy(to->up, from->prefix, from->count * sizeof *to->up);
    memcpy(to->spot, from->spot, from->count * sizeof *to->spot);
    memcpy(to->rows, from->rows, from->count * sizeof *to->rows);
    for (size_t i = 0; i < from->count; i++) {
        to->code[i] = kn_codes_at(codes, tuple[from->spot[i]]);
        to->suffix[i] = suffix[from->spot[i]];
    }
}

/* The prefixes with this depth's quasi-identifier at a level. */
static void
renumber(kn_fold *f, layer *l, const kn_axis *axis, unsigned level)
{
    const uint32_t *map = axis->maps[level];

    if (axis->ngroups[level] == 1) { /* it tells nothing any more */
        memcpy(l->prefix, l->up, l->count * sizeof *l->prefix);
        l->nprefix = l->nup;
        return;
    }
    pairing_begin(&f->prefixes, l->nup, axis->ngroups[level], l->count);
    for (size_t i = 0; i < l->count; i++)
        l->prefix[i] = pairing_id(&f->prefixes, l->up[i], map[l->code[i]]);
    l->nprefix = f->prefixes.count;
}

/* Raises the quasi-identifier of a depth to a level, in place: a spot is read before its place is written,
 * since there are never more of them afterwards. At level 0 no two are alike. */
static void
raise(kn_fold *f, size_t depth, unsigned level)
{
    const kn_fold_axes *p = f->axes;
    const kn_axis      *axis = &p->gauge->view->axes[p->order[depth]];
    layer              *l = &f->layers[depth + 1];
    size_t              count = l->count;

    renumber(f, l, axis, level);
    if (level == 0 && depth > 0)
        return;
    pairing_begin(&f->spots, l->nprefix, p->nsuffix[depth + 1], count);
    for (size_t i = 0; i < count; i++) {
        uint32_t before = f->spots.count;
        uint32_t at = pairing_id(&f->spots, l->prefix[i], l->suffix[i]);

        if (at < before) {
            l->rows[at] += l->rows[i];
            continue;
        }
        l->up[at] = l->up[i];
        l->prefix[at] = l->prefix[i];
        l->spot[at] = l->spot[i];
        l->code[at] = l->code[i];
        l->suffix[at] = l->suffix[i];
        l->rows[at] = l->rows[i];
    }
    l->count = f->spots.count;
}

static bool
tell_node(kn_fold *f)
{
    const kn_gauge *g = f->axes->gauge;
    const layer    *l = &f->layers[f->axes->n];
    kn_classes      c = { l->nprefix, f->sizes, f->tuple, l->count, l->prefix, f->mix, l->rows };

    memset(f->sizes, 0, l->nprefix * sizeof *f->sizes);
    for (size_t i = 0; i < l->count; i++) {
        f->sizes[l->prefix[i]] += l->rows[i];
        f->tuple[l->prefix[i]] = g->spot_tuple[l->spot[i]];
    }
    if (g->nfaces)
        for (size_t i = 0; i < l->count; i++)
            f->mix[i] = g->spot_mix[l->spot[i]];
    return f->hear(f->user, f->levels, &c);
}

static bool
descend(kn_fold *f, size_t depth)
{
    size_t quasi;

    if (depth == f->axes->n)
        return tell_node(f);
    quasi = f->axes->order[depth];
    begin_depth(f, depth);
    for (unsigned level = f->axes->low[quasi]; level <= f->axes->top[quasi]; level++) {
        raise(f, depth, level);
        f->levels[quasi] = (uint8_t) level;
        if (!descend(f, depth + 1))
            return false;
    }
    return true;
}

bool
kn_fold_walk(kn_fold *f, const uint8_t *prefix, size_t depth, kn_fold_hear hear, void *user)
{
    f->hear = hear;
    f->user = user;
    begin_table(f);
    for (size_t d = 0; d < depth; d++) {
        begin_depth(f, d);
        raise(f, d, prefix[d]);
        f->levels[f->axes->order[d]] = prefix[d];
    }
    return descend(f, depth);
}

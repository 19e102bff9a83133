/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c -- ladders of ancestors, probes made from them, and crowds that are measured by probes.
 * A scan of m members and q columns looks at about m * (q + ancestors) words, in chunks that stay in the
 * first-level cache; with AVX2 a member of eight columns takes some two cycles. Costs are 32-bit sums: 255
 * columns of 2^24 fit. Memory: 4 bytes for each column and member. */
#include "cluster/scan.h"

/* Below that many members the threads would spend their time on waking up. */
enum { THREADS_FROM = 1 << 16, CHUNKS_AN_ITEM = 16 };

/* --- ladders ---------------------------------------------------------------------------------------- */

static kanon_status
add_node(kanon_ctx *ctx, kn_ladder *l, size_t *room, const uint32_t node[3])
{
    if (l->nnodes == *room) {
        uint32_t **arrays[] = { &l->least, &l->greatest, &l->cost, &l->above };
        size_t     more = *room ? *room * 2 : 64;

        for (size_t i = 0; i < KN_COUNT(arrays); i++) {
            uint32_t *moved = kn_realloc_array(ctx, *arrays[i], more, sizeof *moved);

            if (!moved)
                return KANON_E_NOMEM;
            *arrays[i] = moved;
        }
        *room = more;
    }
    l->least[l->nnodes] = node[0];
    l->greatest[l->nnodes] = node[1];
    l->cost[l->nnodes] = node[2];
    l->above[l->nnodes++] = KN_NO_CODE;
    return KANON_OK;
}

/* The interval of ranks that costs no more than `most` together with [least, greatest], which is in it. */
static void
widen(const kn_space_side *side, uint32_t most, uint32_t *least, uint32_t *greatest)
{
    uint32_t low = 0, high = *least, above = side->nranks - 1, below = *greatest;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (kn_space_side_cell(side, middle, *greatest) <= most)
            high = middle;
        else
            low = middle + 1;
    }
    while (below < above) {
        uint32_t middle = below + (above - below + 1) / 2;

        if (kn_space_side_cell(side, *least, middle) <= most)
            below = middle;
        else
            above = middle - 1;
    }
    *least = low;
    *greatest = below;
}

/* The next ancestor of a node as an interval and a cost; false: the node is the top. */
static bool
next_above(const kn_space_side *side, const kn_ladder *l, uint32_t node, uint32_t out[3])
{
    uint32_t least = l->least[node], greatest = l->greatest[node], cost = UINT32_MAX;

    if (least > 0)
        cost = kn_space_side_cell(side, least - 1, greatest);
    if (greatest + 1 < side->nranks) {
        uint32_t right = kn_space_side_cell(side, least, greatest + 1);

        cost = right < cost ? right : cost;
    }
    if (least == 0 && greatest + 1 == side->nranks)
        return false;
    widen(side, cost, &least, &greatest);
    out[0] = least;
    out[1] = greatest;
    out[2] = cost;
    return true;
}

/* Values from left to right: an ancestor that begins further left has been made by the value there. */
static kanon_status
make_ladder(kanon_ctx *ctx, const kn_space_side *side, kn_ladder *l, size_t *deepest)
{
    kanon_status rc = KANON_OK;
    size_t       room = 0;

    for (uint32_t r = 0; r < side->nranks; r++)
        KN_TRY(add_node(ctx, l, &room, (uint32_t[3]){ r, r, 0 }));
    for (uint32_t r = 0; r < side->nranks; r++) {
        uint32_t node = r, next[3];
        size_t   depth = 1;

        for (; l->above[node] == KN_NO_CODE && next_above(side, l, node, next); depth++) {
            uint32_t above = next[0];

            if (above < r) {
                while (l->least[above] != next[0] || l->greatest[above] != next[1])
                    above = l->above[above];
            } else {
                above = l->nnodes;
                KN_TRY(add_node(ctx, l, &room, next));
            }
            l->above[node] = above;
            node = above;
        }
        for (; l->above[node] != KN_NO_CODE; depth++)
            node = l->above[node];
        *deepest = depth > *deepest ? depth : *deepest;
    }
out:
    return rc;
}

kanon_status
kn_scanner_new(kanon_ctx *ctx, const kn_space *space, kn_scanner **out)
{
    kanon_status rc = KANON_OK;
    kn_scanner  *scanner = KN_NEW(ctx, kn_scanner);

    *out = NULL;
    if (!scanner)
        return KANON_E_NOMEM;
    *scanner = (kn_scanner){ .ctx = ctx, .space = space, .deepest = 1 };
    scanner->ladders = KN_NEW_ARRAY(ctx, kn_ladder, space->nquasi);
    KN_TRY(KN_HAVE(scanner->ladders));
    for (size_t q = 0; q < space->nquasi; q++)
        if (!space->sides[q].numeric)
            KN_TRY(make_ladder(ctx, &space->sides[q], &scanner->ladders[q], &scanner->deepest));
    *out = scanner;
    scanner = NULL;
out:
    kn_scanner_free(scanner);
    return rc;
}

void
kn_scanner_free(kn_scanner *scanner)
{
    if (!scanner)
        return;
    for (size_t q = 0; scanner->ladders && q < scanner->space->nquasi; q++) {
        kn_ladder *l = &scanner->ladders[q];

        kn_free(scanner->ctx, l->least);
        kn_free(scanner->ctx, l->greatest);
        kn_free(scanner->ctx, l->cost);
        kn_free(scanner->ctx, l->above);
    }
    kn_free(scanner->ctx, scanner->ladders);
    kn_free(scanner->ctx, scanner);
}

/* --- probes ----------------------------------------------------------------------------------------- */

kanon_status
kn_probe_init(kn_probe *probe, const kn_scanner *scanner)
{
    const kn_space *space = scanner->space;
    kanon_ctx      *ctx = scanner->ctx;
    size_t          room = scanner->deepest + 1;

    memset(probe, 0, sizeof *probe);
    probe->scanner = scanner;
    probe->bases = KN_NEW_ARRAY(ctx, uint32_t, space->nquasi);
    probe->first = KN_NEW_ARRAY(ctx, uint32_t, space->nquasi + 1);
    probe->count = KN_NEW_ARRAY(ctx, uint32_t, space->nquasi);
    probe->terms = kn_alloc_array(ctx, space->nquasi, room * sizeof *probe->terms);
    probe->change = kn_alloc_array(ctx, space->nquasi, 2 * room * sizeof *probe->change);
    probe->least = KN_NEW_ARRAY(ctx, uint32_t, space->width);
    probe->greatest = KN_NEW_ARRAY(ctx, uint32_t, space->width);
    if (!probe->bases || !probe->first || !probe->count || !probe->terms || !probe->change
        || !probe->least || !probe->greatest)
        return KANON_E_NOMEM;
    for (size_t q = 0; q <= space->nquasi; q++)
        probe->first[q] = (uint32_t) (q * room);
    return KANON_OK;
}

void
kn_probe_fini(kn_probe *probe)
{
    kanon_ctx *ctx;

    if (!probe->scanner)
        return;
    ctx = probe->scanner->ctx;
    kn_free(ctx, probe->bases);
    kn_free(ctx, probe->first);
    kn_free(ctx, probe->count);
    kn_free(ctx, probe->terms);
    kn_free(ctx, probe->change);
    kn_free(ctx, probe->least);
    kn_free(ctx, probe->greatest);
}

/* With the missing value among numbers the cell is lost, whoever else comes. */
static uint32_t
number_terms(const kn_space_side *side, uint32_t least, uint32_t greatest, kn_term *term,
             uint32_t *base)
{
    bool missing = greatest == side->missing;

    *base = missing && least != greatest ? side->mixed : 0;
    if (missing && least != greatest)
        return 0;
    if (missing)
        *term = (kn_term){ KN_TERM_MISSING, 0, 0, 0, side->mixed, 0 };
    else
        *term = (kn_term){ side->missing == KN_NO_CODE ? KN_TERM_NUMBER : KN_TERM_PRESENT,
                           0,
                           side->values[least],
                           side->values[greatest],
                           side->mixed,
                           0 };
    return 1;
}

static uint32_t
ladder_terms(const kn_ladder *l, uint32_t least, uint32_t greatest, kn_term *terms, uint32_t *base)
{
    uint32_t node = least, count = 0;

    while (l->greatest[node] < greatest)
        node = l->above[node];
    *base = l->cost[node];
    for (; l->above[node] != KN_NO_CODE; node = l->above[node])
        terms[count++] = (kn_term){ KN_TERM_OUTSIDE,
                                    0,
                                    l->least[node],
                                    l->greatest[node],
                                    l->cost[l->above[node]] - l->cost[node],
                                    0 };
    return count;
}

static void
set_side(kn_probe *probe, size_t q, uint32_t least, uint32_t greatest)
{
    const kn_space_side *side = &probe->scanner->space->sides[q];
    kn_term             *terms = probe->terms + probe->first[q];
    uint32_t             base;

    if (side->numeric)
        probe->count[q] = number_terms(side, least, greatest, terms, &base);
    else
        probe->count[q] = ladder_terms(&probe->scanner->ladders[q], least, greatest, terms, &base);
    for (uint32_t i = 0; i < probe->count[q]; i++)
        terms[i].side = (uint32_t) q;
    probe->base += base - probe->bases[q];
    probe->bases[q] = base;
    probe->least[q] = least;
    probe->greatest[q] = greatest;
}

void
kn_probe_set(kn_probe *probe, const uint32_t *least, const uint32_t *greatest)
{
    for (size_t q = 0; q < probe->scanner->space->nquasi; q++)
        set_side(probe, q, least[q], greatest[q]);
}

/* --- crowds ------------------------------------------------------------------------------------------- */

kanon_status
kn_candidates_init(kn_candidates *crowd, const kn_scanner *scanner, size_t room,
                   kn_candidate_kind kind)
{
    kanon_ctx *ctx = scanner->ctx;
    size_t     nquasi = scanner->space->nquasi;
    size_t     chunks = room / KN_CROWD_CHUNK + 1;

    memset(crowd, 0, sizeof *crowd);
    crowd->scanner = scanner;
    crowd->kind = kind;
    crowd->lo = kn_alloc_array(ctx, nquasi, sizeof *crowd->lo);
    crowd->hi = kn_alloc_array(ctx, nquasi, sizeof *crowd->hi);
    crowd->weight = KN_NEW_ARRAY(ctx, uint32_t, room);
    crowd->id = KN_NEW_ARRAY(ctx, uint32_t, room);
    crowd->apart = KN_NEW_ARRAY(ctx, uint32_t, room);
    crowd->chunk_least = KN_NEW_ARRAY(ctx, uint32_t, chunks);
    crowd->chunk_most = KN_NEW_ARRAY(ctx, uint32_t, chunks);
    if (!crowd->lo || !crowd->hi || !crowd->weight || !crowd->id || !crowd->apart
        || !crowd->chunk_least || !crowd->chunk_most)
        return KANON_E_NOMEM;
    for (size_t q = 0; q < nquasi; q++) {
        crowd->lo[q] = KN_NEW_ARRAY(ctx, uint32_t, room);
        crowd->hi[q] = kind == KN_CANDIDATE_POINTS ? crowd->lo[q]
                                                   : KN_NEW_ARRAY(ctx, uint32_t, room);
        if (!crowd->lo[q] || !crowd->hi[q])
            return KANON_E_NOMEM;
    }
    return KANON_OK;
}

void
kn_candidates_fini(kn_candidates *crowd)
{
    kanon_ctx *ctx;

    if (!crowd->scanner)
        return;
    ctx = crowd->scanner->ctx;
    for (size_t q = 0; q < crowd->scanner->space->nquasi; q++) {
        if (crowd->lo && crowd->hi && crowd->hi[q] != crowd->lo[q])
            kn_free(ctx, crowd->hi[q]);
        if (crowd->lo)
            kn_free(ctx, crowd->lo[q]);
    }
    kn_free(ctx, crowd->lo);
    kn_free(ctx, crowd->hi);
    kn_free(ctx, crowd->weight);
    kn_free(ctx, crowd->id);
    kn_free(ctx, crowd->apart);
    kn_free(ctx, crowd->chunk_least);
    kn_free(ctx, crowd->chunk_most);
}

static uint32_t
coordinate(const kn_space_side *side, uint32_t rank)
{
    if (!side->numeric)
        return rank;
    return rank == side->missing ? UINT32_MAX : side->values[rank];
}

void
kn_candidates_put(kn_candidates *crowd, size_t at, const uint32_t *least, const uint32_t *greatest)
{
    const kn_space *space = crowd->scanner->space;

    for (size_t q = 0; q < space->nquasi; q++) {
        crowd->lo[q][at] = coordinate(&space->sides[q], least[q]);
        if (crowd->kind == KN_CANDIDATE_BOXES)
            crowd->hi[q][at] = coordinate(&space->sides[q], greatest[q]);
    }
}

static void
squeeze(uint32_t *values, const uint32_t *weight, size_t count)
{
    size_t to = 0;

    for (size_t i = 0; i < count; i++)
        if (weight[i])
            values[to++] = values[i];
}

/* A quarter gone: what the next scans save pays for the move. */
bool
kn_candidates_compact(kn_candidates *crowd, size_t *place)
{
    size_t before = 0;

    if (crowd->gone * 4 < crowd->count || crowd->gone == 0)
        return false;
    for (size_t i = 0; place && i < *place; i++)
        before += crowd->weight[i] != 0;
    if (place)
        *place = before;
    for (size_t q = 0; q < crowd->scanner->space->nquasi; q++) {
        squeeze(crowd->lo[q], crowd->weight, crowd->count);
        if (crowd->kind == KN_CANDIDATE_BOXES)
            squeeze(crowd->hi[q], crowd->weight, crowd->count);
    }
    if (crowd->extra)
        squeeze(crowd->extra, crowd->weight, crowd->count);
    squeeze(crowd->id, crowd->weight, crowd->count);
    squeeze(crowd->weight, crowd->weight, crowd->count);
    crowd->count -= crowd->gone;
    crowd->gone = 0;
    return true;
}

/* --- scans ---------------------------------------------------------------------------------------------- */

typedef struct scan {
    kn_candidates       *crowd;
    const kn_probe      *probe;
    const kn_scan_loops *loops;
    /* what changes, where not all is measured anew: */
    const kn_term *terms;
    size_t         nterms;
    uint32_t       base;
} scan;

static size_t
chunk_end(const kn_candidates *crowd, size_t from)
{
    return crowd->count - from < KN_CROWD_CHUNK ? crowd->count : from + KN_CROWD_CHUNK;
}

static void
add_term(const scan *s, const kn_term *term, size_t from, size_t end)
{
    const kn_candidates *c = s->crowd;

    s->loops->add(term, c->lo[term->side] + from, c->hi[term->side] + from, end - from,
                  c->apart + from);
}

static void
end_chunk(const scan *s, size_t from, size_t end)
{
    kn_candidates *c = s->crowd;

    s->loops->span(c->apart + from, c->weight + from, end - from,
                   &c->chunk_least[from / KN_CROWD_CHUNK], &c->chunk_most[from / KN_CROWD_CHUNK]);
}

static void
measure_chunk(const scan *s, size_t from)
{
    const kn_probe *p = s->probe;
    size_t          end = chunk_end(s->crowd, from);

    for (size_t i = from; i < end; i++)
        s->crowd->apart[i] = p->base;
    for (size_t q = 0; q < p->scanner->space->nquasi; q++)
        for (uint32_t t = 0; t < p->count[q]; t++)
            add_term(s, &p->terms[p->first[q] + t], from, end);
    end_chunk(s, from, end);
}

static void
change_chunk(const scan *s, size_t from)
{
    size_t end = chunk_end(s->crowd, from);

    for (size_t i = from; i < end; i++)
        s->crowd->apart[i] += s->base;
    for (size_t t = 0; t < s->nterms; t++)
        add_term(s, &s->terms[t], from, end);
    end_chunk(s, from, end);
}

static void
scan_item(void *user, size_t item, unsigned worker)
{
    const scan *s = user;
    size_t      from = item * CHUNKS_AN_ITEM * KN_CROWD_CHUNK, count = s->crowd->count;
    size_t      most = (size_t) CHUNKS_AN_ITEM * KN_CROWD_CHUNK;
    size_t      end = count - from < most ? count : from + most;

    KN_UNUSED(worker);
    for (; from < end; from += KN_CROWD_CHUNK)
        if (s->terms)
            change_chunk(s, from);
        else
            measure_chunk(s, from);
}

static void
run_scan(scan *s)
{
    size_t most = (size_t) CHUNKS_AN_ITEM * KN_CROWD_CHUNK;
    size_t items = (s->crowd->count + most - 1) / most;

    s->loops = kn_scan_loops_at(0);
    if (s->crowd->pool && s->crowd->count >= THREADS_FROM)
        kn_pool_run(s->crowd->pool, items, scan_item, s);
    else
        for (size_t item = 0; item < items; item++)
            scan_item(s, item, 0);
}

void
kn_candidates_measure(kn_candidates *crowd, const kn_probe *probe)
{
    scan s = { crowd, probe, NULL, NULL, 0, 0 };

    run_scan(&s);
}

/* Takes back what a column adds to every cost. */
static size_t
negate(const kn_probe *probe, size_t q, kn_term *out)
{
    for (uint32_t t = 0; t < probe->count[q]; t++) {
        out[t] = probe->terms[probe->first[q] + t];
        if (out[t].kind == KN_TERM_NUMBER || out[t].kind == KN_TERM_PRESENT)
            out[t].sign = UINT32_MAX;
        else
            out[t].delta = 0 - out[t].delta;
    }
    return probe->count[q];
}

/* Only the columns that change are looked at: the old terms are taken back and the new ones added, in
 * arithmetic that wraps around. */
void
kn_candidates_grow(kn_candidates *crowd, kn_probe *probe, const uint32_t *ranks)
{
    const kn_space *space = crowd->scanner->space;
    uint32_t        base = probe->base;
    kn_term        *change = probe->change;
    scan            s = { crowd, probe, NULL, NULL, 0, 0 };

    for (size_t q = 0; q < space->nquasi; q++) {
        uint32_t least = probe->least[q], greatest = probe->greatest[q];

        if (ranks[q] >= least && ranks[q] <= greatest)
            continue;
        s.nterms += negate(probe, q, change + s.nterms);
        set_side(probe, q, ranks[q] < least ? ranks[q] : least,
                 ranks[q] > greatest ? ranks[q] : greatest);
        memcpy(change + s.nterms, probe->terms + probe->first[q], probe->count[q] * sizeof *change);
        s.nterms += probe->count[q];
        s.terms = change;
    }
    s.base = probe->base - base;
    if (s.terms)
        run_scan(&s);
}

void
kn_candidates_take(kn_candidates *crowd, size_t place, uint32_t rows)
{
    scan   s = { crowd, NULL, kn_scan_loops_at(0), NULL, 0, 0 };
    size_t from = place - place % KN_CROWD_CHUNK;

    assert(place < crowd->count && rows <= crowd->weight[place]);
    crowd->weight[place] -= rows;
    if (crowd->weight[place])
        return;
    crowd->gone++;
    end_chunk(&s, from, chunk_end(crowd, from));
}

size_t
kn_candidates_least(const kn_candidates *crowd)
{
    size_t   best = 0;
    uint32_t least = UINT32_MAX;

    if (crowd->gone == crowd->count)
        return SIZE_MAX;
    for (size_t from = 0; from < crowd->count; from += KN_CROWD_CHUNK)
        if (crowd->chunk_least[from / KN_CROWD_CHUNK] < least) {
            least = crowd->chunk_least[from / KN_CROWD_CHUNK];
            best = from;
        }
    while (crowd->apart[best] != least || !crowd->weight[best])
        best++;
    return best;
}

size_t
kn_candidates_most(const kn_candidates *crowd)
{
    size_t   best = 0;
    uint32_t most = 0;

    if (crowd->gone == crowd->count)
        return SIZE_MAX;
    for (size_t from = 0; from < crowd->count; from += KN_CROWD_CHUNK)
        if (crowd->chunk_most[from / KN_CROWD_CHUNK] > most) {
            most = crowd->chunk_most[from / KN_CROWD_CHUNK];
            best = from;
        }
    while (crowd->apart[best] != most || !crowd->weight[best])
        best++;
    return best;
}

/* --- the nearest few --------------------------------------------------------------------------------- */

static void
sift_down(uint64_t *keys, size_t count, size_t at)
{
    for (;;) {
        size_t   child = 2 * at + 1;
        uint64_t key;

        if (child >= count)
            return;
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[at] >= keys[child])
            return;
        key = keys[at];
        keys[at] = keys[child];
        keys[child] = key;
        at = child;
    }
}

static void
push(kn_near *near, uint64_t key)
{
    size_t at = near->count++;

    for (; at > 0 && near->keys[(at - 1) / 2] < key; at = (at - 1) / 2)
        near->keys[at] = near->keys[(at - 1) / 2];
    near->keys[at] = key;
}

static void
pop(kn_near *near)
{
    near->keys[0] = near->keys[--near->count];
    sift_down(near->keys, near->count, 0);
}

/* A heap with the furthest on top, which leaves when the others are enough. */
void
kn_candidates_nearest(const kn_candidates *crowd, uint64_t rows, kn_near *near)
{
    near->count = 0;
    near->rows = 0;
    for (size_t from = 0; from < crowd->count; from += KN_CROWD_CHUNK) {
        size_t end = chunk_end(crowd, from);

        if (near->rows >= rows
            && (near->count == 0
                || crowd->chunk_least[from / KN_CROWD_CHUNK] >= near->keys[0] >> 32))
            continue;
        for (size_t i = from; i < end; i++) {
            uint64_t key = (uint64_t) crowd->apart[i] << 32 | i;

            if (!crowd->weight[i] || (near->rows >= rows && key > near->keys[0]))
                continue;
            push(near, key);
            near->rows += crowd->weight[i];
            while (near->rows - crowd->weight[kn_near_place(near, 0)] >= rows) {
                near->rows -= crowd->weight[kn_near_place(near, 0)];
                pop(near);
            }
        }
    }
    for (size_t n = near->count; n > 1; n--) {
        uint64_t key = near->keys[0];

        near->keys[0] = near->keys[n - 1];
        near->keys[n - 1] = key;
        sift_down(near->keys, n - 1, 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* optimal_heap.c -- the open boxes, smallest bound first. The boxes lie in chunks and are used again; the
 * heap itself holds bounds and numbers. */
#include "search/optimal.h"

static char *
box_at(const kn_opt *o, uint32_t slot)
{
    return o->heap.chunks[slot / KN_OPT_CHUNK] + slot % KN_OPT_CHUNK * o->stride;
}

static bool
before(const kn_opt_place *a, const kn_opt_place *b)
{
    if (a->bound < b->bound || a->bound > b->bound)
        return a->bound < b->bound;
    return a->number > b->number;
}

/* A free slot; chunks come as they are needed. */
static kanon_status
find_slot(kn_opt *o, uint32_t *slot)
{
    kanon_status rc = KANON_OK;
    kn_opt_heap *h = &o->heap;
    void        *chunks = h->chunks;

    if (h->nunused) {
        *slot = h->unused[--h->nunused];
        return KANON_OK;
    }
    if (h->made == h->nchunks * KN_OPT_CHUNK) {
        KN_TRY(kn_grow(o->ctx, &chunks, &h->chunks_room, h->nchunks + 1, sizeof *h->chunks));
        h->chunks = chunks;
        h->chunks[h->nchunks] = kn_alloc_array(o->ctx, KN_OPT_CHUNK, o->stride);
        if (!h->chunks[h->nchunks])
            return KANON_E_NOMEM;
        h->nchunks++;
    }
    *slot = (uint32_t) h->made++;
out:
    return rc;
}

kanon_status
kn_opt_heap_push(kn_opt *o, const char *box)
{
    kanon_status rc = KANON_OK;
    kn_opt_heap *h = &o->heap;
    void        *places = h->places, *unused = h->unused;
    size_t       at = h->count;
    kn_opt_place new;

    KN_TRY(kn_grow(o->ctx, &places, &h->places_room, h->count + 1, sizeof *h->places));
    h->places = places;
    KN_TRY(kn_grow(o->ctx, &unused, &h->unused_room, h->places_room, sizeof *h->unused));
    h->unused = unused; /* so that taking one out never needs memory */
    KN_TRY(find_slot(o, &new.slot));
    memcpy(box_at(o, new.slot), box, o->stride);
    memcpy(&new.bound, box, sizeof new.bound);
    new.number = h->number++;
    h->count++;
    for (; at > 0 && before(&new, &h->places[(at - 1) / 2]); at = (at - 1) / 2)
        h->places[at] = h->places[(at - 1) / 2];
    h->places[at] = new;
out:
    return rc;
}

double
kn_opt_heap_bound(const kn_opt *o)
{
    return o->heap.places[0].bound;
}

bool
kn_opt_heap_pop(kn_opt *o, char *box)
{
    kn_opt_heap *h = &o->heap;
    size_t       at = 0, child;
    kn_opt_place last;

    assert(box);
    if (!h->count)
        return false;
    memcpy(box, box_at(o, h->places[0].slot), o->stride);
    h->unused[h->nunused++] = h->places[0].slot;
    last = h->places[--h->count];
    while ((child = 2 * at + 1) < h->count) {
        if (child + 1 < h->count && before(&h->places[child + 1], &h->places[child]))
            child++;
        if (!before(&h->places[child], &last))
            break;
        h->places[at] = h->places[child];
        at = child;
    }
    h->places[at] = last;
    return true;
}

void
kn_opt_heap_fini(kn_opt *o)
{
    kn_opt_heap *h = &o->heap;

    for (size_t i = 0; i < h->nchunks; i++)
        kn_free(o->ctx, h->chunks[i]);
    kn_free(o->ctx, h->chunks);
    kn_free(o->ctx, h->places);
    kn_free(o->ctx, h->unused);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* archive.c -- Algorithm 1 of Dewri et al. 2010. Where the paper keeps whichever of two incomparable
 * points of a box came first, KN_KEEP_LEAST has an order (costs one after the other, then the node), of
 * which dominance is a part: so the archive of many nodes does not depend on the order, nor on the
 * threads, in which they came. Cost of an offer: O(points); what dominated last is asked first, which
 * decides most offers at once. */
#include "pareto/archive.h"

#include "base/sort.h"

#include <math.h>

void
kn_archive_init(kn_archive *a, kanon_ctx *ctx, const kn_objectives *objectives, size_t n,
                kn_keep keep)
{
    memset(a, 0, sizeof *a);
    a->ctx = ctx;
    a->objectives = objectives;
    a->n = n;
    a->keep = keep;
}

void
kn_archive_fini(kn_archive *a)
{
    if (!a->ctx)
        return;
    for (size_t i = 0; i < a->count; i++)
        kn_free(a->ctx, a->points[i]);
    for (size_t i = 0; i < a->nspare; i++)
        kn_free(a->ctx, a->spare[i]);
    kn_free(a->ctx, a->points);
    kn_free(a->ctx, a->spare);
    a->points = a->spare = NULL;
    a->count = a->nspare = 0;
}

/* --- one against another --------------------------------------------------------------------------- */

/* A value that is a multiple of the side, but for rounding, lies in the box that begins there. */
void
kn_point_place(const kn_objectives *objectives, kn_point *p)
{
    for (size_t i = 0; i < objectives->count; i++) {
        const kn_objective *o = &objectives->items[i];
        double              box = o->box > 0 ? floor(p->values[i] / o->box + 1e-9) : p->values[i];
        bool                rises = kn_property_rises(o->property);

        p->cost[i] = rises ? -p->values[i] : p->values[i];
        p->box[i] = rises ? -box : box;
    }
}

/* -1: nowhere worse and somewhere better; 1: the other way round; 0: the same; 2: incomparable */
static int
compare(size_t count, const double *a, const double *b)
{
    bool better = false, worse = false;

    for (size_t i = 0; i < count; i++) {
        better |= a[i] < b[i];
        worse |= a[i] > b[i];
    }
    return better && worse ? 2 : better ? -1 : worse ? 1 : 0;
}

bool
kn_point_dominates(const kn_objectives *objectives, const kn_point *a, const kn_point *b)
{
    assert(objectives->count > 0);
    return compare(objectives->count, a->cost, b->cost) == -1;
}

bool
kn_point_boxes(const kn_objectives *objectives, const kn_point *a, const kn_point *b)
{
    int boxes = compare(objectives->count, a->box, b->box);

    return boxes == -1 || (boxes == 0 && kn_point_dominates(objectives, a, b));
}

bool
kn_point_covers(const kn_objectives *objectives, const kn_point *a, const kn_point *b)
{
    int boxes = compare(objectives->count, a->box, b->box);

    return boxes == -1 || boxes == 0;
}

/* Costs one after the other, then fewer suppressed rows, then the node. */
static bool
precedes(const kn_archive *a, const kn_point *p, const kn_point *q)
{
    for (size_t i = 0; i < a->objectives->count; i++)
        if (p->cost[i] != q->cost[i])
            return p->cost[i] < q->cost[i];
    if (p->suppressed != q->suppressed)
        return p->suppressed < q->suppressed;
    return memcmp(p->levels, q->levels, a->n) < 0;
}

/* --- offers ------------------------------------------------------------------------------------------ */

typedef enum { INCOMPARABLE, DOMINATED, DOMINATES } relation;

/* What becomes of a point of the archive when another is offered. */
static relation
meet(const kn_archive *a, const kn_point *old, const kn_point *fresh)
{
    int boxes = compare(a->objectives->count, old->box, fresh->box);

    if (boxes == 2)
        return INCOMPARABLE;
    if (boxes)
        return boxes < 0 ? DOMINATES : DOMINATED;
    if (a->keep == KN_KEEP_LEAST)
        return precedes(a, fresh, old) ? DOMINATED : DOMINATES;
    return kn_point_dominates(a->objectives, fresh, old) ? DOMINATED : DOMINATES;
}

bool
kn_archive_refuses(const kn_archive *a, const kn_point *point)
{
    for (size_t i = 0; i < a->count; i++)
        if (meet(a, a->points[i], point) == DOMINATES)
            return true;
    return false;
}

static kanon_status
insert(kn_archive *a, const kn_point *point)
{
    kanon_status rc = KANON_OK;
    kn_point    *copy = a->nspare ? a->spare[a->nspare - 1] : NULL;
    void        *points = a->points, *spare = a->spare;

    KN_TRY(kn_grow(a->ctx, &points, &a->room, a->count + 1, sizeof *a->points));
    a->points = points;
    KN_TRY(kn_grow(a->ctx, &spare, &a->spare_room, a->count + a->nspare + 2, sizeof *a->spare));
    a->spare = spare; /* every point can be spared without asking for memory */
    if (copy)
        a->nspare--;
    else if (!(copy = KN_NEW(a->ctx, kn_point)))
        return KANON_E_NOMEM;
    *copy = *point;
    a->points[a->count++] = copy;
out:
    return rc;
}

kanon_status
kn_archive_offer(kn_archive *a, const kn_point *point, bool *taken)
{
    size_t kept = 0;

    if (taken)
        *taken = false;
    /* box-dominance is transitive: who turns the point away would have driven out all that it would */
    for (size_t i = 0; i < a->count; i++)
        if (meet(a, a->points[i], point) == DOMINATES) {
            kn_point *first = a->points[i];

            a->points[i] = a->points[i / 2]; /* nearer to the front, to be asked sooner */
            a->points[i / 2] = first;
            return KANON_OK;
        }
    for (size_t i = 0; i < a->count; i++)
        if (meet(a, a->points[i], point) == DOMINATED)
            a->spare[a->nspare++] = a->points[i];
        else
            a->points[kept++] = a->points[i];
    a->count = kept;
    if (taken)
        *taken = true;
    return insert(a, point);
}

/* --- order ---------------------------------------------------------------------------------------- */

static bool
before(kn_point *const *a, kn_point *const *b, const void *context)
{
    const kn_archive *archive = context;
    const kn_point   *p = *a, *q = *b;

    for (size_t i = 0; i < archive->objectives->count; i++)
        if (p->values[i] != q->values[i])
            return p->values[i] < q->values[i];
    return memcmp(p->levels, q->levels, archive->n) < 0;
}

typedef kn_point *point_pointer;
KN_DEFINE_SORT(sort_points, point_pointer, before)

void
kn_archive_sort(kn_archive *a)
{
    sort_points(a->points, a->count, a);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* partition_mend.c -- rows without a class, and classes that may not be: each goes where the cost of all rows
 * grows least. What a class of a rows adds when it joins one of b rows is (a + b) times the cost of a row of
 * both together, less b times what it was; a scan gives the former for all classes at once.
 * Cost: a scan of all classes for each merge. */
#include "cluster/partition.h"

/* The classes as a crowd, and where each stands in it. */
typedef struct merger {
    kn_mending   *mender;
    kn_part      *part;
    kanon_ctx    *ctx;
    kn_boxes      boxes; /* grow with the classes */
    kn_candidates crowd;
    kn_probe      probe;
    uint32_t     *where; /* [classes] place in the crowd */
    uint32_t     *into;  /* [classes] the one that each is part of now; KN_NO_CLASS: suppressed */
    uint32_t     *head;  /* [classes] rows of each as a list; NULL where nobody asks for them */
    uint32_t     *next;  /* [rows] */
    uint32_t     *rows;  /* room for those of one class */
    uint64_t      evaluations;
} merger;

static void
note_places(merger *m)
{
    for (size_t i = 0; i < m->crowd.count; i++)
        m->where[m->crowd.id[i]] = (uint32_t) i;
}

static void
fill_crowd(merger *m)
{
    const kn_boxes *b = &m->boxes;

    m->crowd.pool = m->mender->pool;
    for (size_t c = 0; c < b->count; c++) {
        m->into[c] = (uint32_t) c;
        if (!b->size[c])
            continue;
        kn_candidates_put(&m->crowd, m->crowd.count, b->least + c * b->width,
                          b->greatest + c * b->width);
        m->crowd.id[m->crowd.count] = (uint32_t) c;
        m->crowd.weight[m->crowd.count++] = b->size[c];
    }
    note_places(m);
}

static kanon_status
open_merger(merger *m, kn_mending *mender, kn_part *part)
{
    kanon_status      rc = KANON_OK;
    const kn_scanner *scanner = kn_cluster_scanner(mender->env);
    kanon_ctx        *ctx = scanner->ctx;

    memset(m, 0, sizeof *m);
    m->mender = mender;
    m->part = part;
    m->ctx = ctx;
    KN_TRY(kn_boxes_init(&m->boxes, scanner->space, part));
    KN_TRY(kn_candidates_init(&m->crowd, scanner, part->nclasses, KN_CANDIDATE_BOXES));
    KN_TRY(kn_probe_init(&m->probe, scanner));
    m->where = KN_NEW_ARRAY(ctx, uint32_t, part->nclasses);
    m->into = KN_NEW_ARRAY(ctx, uint32_t, part->nclasses);
    if (!m->where || !m->into)
        return KANON_E_NOMEM;
    fill_crowd(m);
out:
    return rc;
}

static void
close_merger(merger *m)
{
    kn_cluster_spent(m->mender->env, m->evaluations);
    kn_boxes_fini(&m->boxes, m->ctx);
    kn_candidates_fini(&m->crowd);
    kn_probe_fini(&m->probe);
    kn_free(m->ctx, m->where);
    kn_free(m->ctx, m->into);
    kn_free(m->ctx, m->head);
    kn_free(m->ctx, m->next);
    kn_free(m->ctx, m->rows);
}

/* The place of the class that the probe's rows cost least with; *more: what all rows cost more then. */
static size_t
cheapest(merger *m, uint64_t rows, uint64_t *more)
{
    const kn_candidates *c = &m->crowd;
    const uint32_t      *cost = m->boxes.cost;
    size_t               best = SIZE_MAX;

    kn_candidates_measure(&m->crowd, &m->probe);
    m->evaluations += c->count;
    *more = UINT64_MAX;
    for (size_t from = 0; from < c->count; from += KN_CROWD_CHUNK) {
        size_t end = c->count - from < KN_CROWD_CHUNK ? c->count : from + KN_CROWD_CHUNK;

        if (rows * c->chunk_least[from / KN_CROWD_CHUNK] >= *more)
            continue;
        for (size_t i = from; i < end; i++) {
            uint64_t grown = (rows + c->weight[i]) * c->apart[i]
                           - (uint64_t) c->weight[i] * cost[c->id[i]];

            if (c->weight[i] && grown < *more) {
                *more = grown;
                best = i;
            }
        }
    }
    return best;
}

/* A class takes in the rows of the probe's box. */
static void
take_in(merger *m, uint32_t class, uint32_t rows)
{
    kn_boxes *b = &m->boxes;
    uint32_t *least = b->least + class * b->width, *greatest = b->greatest + class * b->width;
    size_t    nquasi = m->probe.scanner->space->nquasi, place = m->where[class];

    for (size_t q = 0; q < nquasi; q++) {
        uint32_t low = m->probe.least[q], high = m->probe.greatest[q];

        least[q] = low < least[q] ? low : least[q];
        greatest[q] = high > greatest[q] ? high : greatest[q];
    }
    b->size[class] += rows;
    b->cost[class] = (uint32_t) kn_space_cost(m->probe.scanner->space, least, greatest);
    kn_candidates_put(&m->crowd, place, least, greatest);
    m->crowd.weight[place] = b->size[class];
}

/* --- classes that may not be ------------------------------------------------------------------------- */

/* Lists the rows of each class, for models that look at them. */
static kanon_status
list_rows(merger *m)
{
    const kn_part *part = m->part;

    if (kn_cluster_plain(m->mender->env))
        return KANON_OK;
    m->head = KN_NEW_ARRAY(m->ctx, uint32_t, part->nclasses);
    m->next = KN_NEW_ARRAY(m->ctx, uint32_t, part->nrows);
    m->rows = KN_NEW_ARRAY(m->ctx, uint32_t, part->nrows);
    if (!m->head || !m->next || !m->rows)
        return KANON_E_NOMEM;
    for (uint32_t c = 0; c < part->nclasses; c++)
        m->head[c] = KN_NO_CODE;
    for (uint32_t i = part->nrows; i-- > 0;) {
        uint32_t class = part->class_of[i];

        if (class == KN_NO_CLASS)
            continue;
        m->next[i] = m->head[class];
        m->head[class] = i;
    }
    return KANON_OK;
}

static bool
may_be(const merger *m, uint32_t class)
{
    const kn_privacy *privacy = kn_cluster_privacy(m->mender->env);
    size_t            count = 0;

    if (!kn_privacy_enough(privacy, m->boxes.size[class]))
        return false;
    if (!m->head)
        return true;
    for (uint32_t i = m->head[class]; i != KN_NO_CODE; i = m->next[i])
        m->rows[count++] = kn_part_row(m->part, i);
    return kn_cluster_holds(m->mender->env, m->mender->worker, m->rows, count);
}

/* The rows of a class come before those of another; the former is the smaller one, mostly. */
static void
join_rows(merger *m, uint32_t class, uint32_t to)
{
    uint32_t last = m->head ? m->head[class] : KN_NO_CODE;

    if (last == KN_NO_CODE)
        return;
    while (m->next[last] != KN_NO_CODE)
        last = m->next[last];
    m->next[last] = m->head[to];
    m->head[to] = m->head[class];
}

static void
leave(merger *m, size_t place)
{
    m->crowd.weight[place] = 0;
    m->crowd.gone++;
    if (kn_candidates_compact(&m->crowd, NULL))
        note_places(m);
}

/* The class that may not be steps out, is joined to the cheapest one, and that is looked at next. */
static void
mend_class(merger *m, uint32_t class)
{
    kn_boxes *b = &m->boxes;

    while (!may_be(m, class) && m->crowd.count - m->crowd.gone > 1) {
        size_t   place = m->where[class];
        uint32_t size = b->size[class], to;
        uint64_t more, lost = size * m->probe.scanner->space->whole;

        m->crowd.weight[place] = 0;
        kn_probe_set(&m->probe, b->least + class * b->width, b->greatest + class * b->width);
        to = m->crowd.id[cheapest(m, size, &more)];
        if (size <= m->mender->allowance && lost < more) {
            m->mender->allowance -= size;
            m->into[class] = KN_NO_CLASS;
            leave(m, place);
            return;
        }
        m->into[class] = to;
        join_rows(m, class, to);
        take_in(m, to, size);
        leave(m, place);
        class = to;
    }
}

static bool
late(const kn_mending *mender)
{
    if (!mender->hurried)
        return false;
    return mender->worker == 0 ? kn_cluster_late(mender->env, -1, -1)
                               : kn_cluster_over(mender->env);
}

/* Rows follow their classes; a class may have gone on after another had joined it. */
static void
apply(merger *m)
{
    kn_part *part = m->part;

    for (uint32_t i = 0; i < part->nrows; i++) {
        uint32_t *class = &part->class_of[i];

        while (*class != KN_NO_CLASS && m->into[*class] != *class)
            *class = m->into[*class];
    }
}

/* One class that may not be is mended no more. */
static bool
last_refused(const merger *m)
{
    for (size_t i = 0; i < m->crowd.count; i++)
        if (m->crowd.weight[i])
            return m->crowd.count - m->crowd.gone == 1 && !may_be(m, m->crowd.id[i]);
    return false;
}

kanon_status
kn_part_repair(kn_mending *mender, kn_part *part, bool *left)
{
    kanon_status rc = KANON_OK;
    merger       m;

    KN_TRY(open_merger(&m, mender, part));
    KN_TRY(list_rows(&m));
    *left = false;
    for (uint32_t c = 0; c < part->nclasses && !(*left = late(mender)); c++)
        if (m.into[c] == c && m.boxes.size[c])
            mend_class(&m, c);
    *left = *left || last_refused(&m);
    apply(&m);
    KN_TRY(kn_part_number(m.ctx, part));
out:
    close_merger(&m);
    return rc;
}

kanon_status
kn_part_dissolve(kn_mending *mender, kn_part *part)
{
    kanon_status rc = KANON_OK;
    merger       m;

    KN_TRY(open_merger(&m, mender, part));
    KN_TRY(list_rows(&m));
    for (uint32_t c = 0; c < part->nclasses; c++)
        if (m.boxes.size[c] && !may_be(&m, c))
            m.into[c] = KN_NO_CLASS;
    apply(&m);
    KN_TRY(kn_part_number(m.ctx, part));
out:
    close_merger(&m);
    return rc;
}

/* --- rows without a class ---------------------------------------------------------------------------- */

/* The rows of one tuple, from..end-1. */
static void
place_tuple(merger *m, uint32_t from, uint32_t end)
{
    const kn_space *space = m->probe.scanner->space;
    const uint32_t *ranks = kn_space_point(space, kn_part_row(m->part, from));
    uint32_t        rows = 0, class;
    uint64_t        more;

    for (uint32_t i = from; i < end; i++)
        rows += m->part->class_of[i] == KN_NO_CLASS;
    if (!rows)
        return;
    kn_probe_set(&m->probe, ranks, ranks);
    class = m->crowd.id[cheapest(m, rows, &more)];
    if (rows <= m->mender->allowance && rows * space->whole < more) {
        m->mender->allowance -= rows;
        return;
    }
    take_in(m, class, rows);
    for (uint32_t i = from; i < end; i++)
        if (m->part->class_of[i] == KN_NO_CLASS)
            m->part->class_of[i] = class;
}

kanon_status
kn_part_place(kn_mending *mender, kn_part *part)
{
    kanon_status    rc = KANON_OK;
    const uint32_t *point_of = kn_cluster_space(mender->env)->point_of;
    merger          m;

    KN_TRY(open_merger(&m, mender, part));
    for (uint32_t from = 0, end; from < part->nrows; from = end) {
        for (end = from + 1; end < part->nrows; end++)
            if (point_of[kn_part_row(part, end)] != point_of[kn_part_row(part, from)])
                break;
        place_tuple(&m, from, end);
    }
out:
    close_merger(&m);
    return rc;
}

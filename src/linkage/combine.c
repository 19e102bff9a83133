/* SPDX-License-Identifier: Apache-2.0 */
/* combine.c -- rows that are alone in their class by two or three further columns, and by all of them. Who is
 * alone by some columns is alone by more of them: a class in which nobody is alone by all is passed over, and
 * one in which everybody is alone by two needs no third. All twos and threes of twelve columns are 286; the
 * rows that they are counted in are limited so that this stays a small part of a job. */
#include <assert.h>

#include "linkage/tally.h"

enum {
    WORK = 8 << 20,      /* rows times combinations */
    ROWS_LEAST = 1 << 15 /* a table of so many rows is counted whole, whatever that takes */
};

typedef struct counts {
    uint64_t one[KN_LINKED_COLUMNS];
    uint64_t two[KN_LINKED_COLUMNS][KN_LINKED_COLUMNS];
    uint64_t three[KN_LINKED_COLUMNS][KN_LINKED_COLUMNS][KN_LINKED_COLUMNS];
} counts;

typedef struct combiner {
    kn_link_view *view;
    const size_t *columns;                    /* further columns */
    size_t        n;                          /* of them that are combined */
    size_t        rows;                       /* of the class at hand */
    uint32_t     *ones;                       /* [n * most] numbers by each column */
    uint32_t      domains[KN_LINKED_COLUMNS]; /* how many there are */
    size_t        most;
    uint32_t     *twos; /* [most] numbers by two columns */
    counts       *alone;
} combiner;

static uint64_t
count_alone(combiner *c, const uint32_t *ids, uint32_t groups)
{
    kn_link_count count = { 0 };

    kn_link_count_groups(c->view, ids, c->rows, groups, &count);
    return count.alone;
}

static kn_link_codes
column(const combiner *c, size_t index)
{
    return (kn_link_codes){ c->ones + index * c->most, c->domains[index] };
}

/* groups: by two columns, in c->twos. */
static void
add_threes(combiner *c, size_t a, size_t b, uint32_t groups)
{
    for (size_t d = b + 1; d < c->n; d++) {
        uint32_t by_three;

        if (groups == c->rows) { /* nobody is left to be told apart */
            c->alone->three[a][b][d] += count_alone(c, c->twos, groups);
            continue;
        }
        by_three = kn_link_number(&c->view->tally, (kn_link_codes){ c->twos, groups }, column(c, d),
                                  c->rows, c->view->ids);
        c->alone->three[a][b][d] += count_alone(c, c->view->ids, by_three);
    }
}

static void
add_class(combiner *c, size_t class)
{
    for (size_t i = 0; i < c->n; i++)
        c->domains[i] = kn_link_number_column(c->view, class, c->view->plan->nquasi + c->columns[i],
                                              c->ones + i * c->most);
    for (size_t a = 0; a < c->n; a++) {
        c->alone->one[a] += count_alone(c, column(c, a).of, c->domains[a]);
        for (size_t b = a + 1; b < c->n; b++) {
            uint32_t groups = kn_link_number(&c->view->tally, column(c, a), column(c, b), c->rows,
                                             c->twos);

            c->alone->two[a][b] += count_alone(c, c->twos, groups);
            add_threes(c, a, b, groups);
        }
    }
}

/* Groups by all columns, from 64-bit hashes. @return how many there are; their numbers are in view->ids */
static uint32_t
number_together(kn_link_view *view, size_t class, const size_t *columns, size_t count)
{
    size_t rows = view->starts[class + 1] - view->starts[class];

    for (size_t i = 0; i < rows; i++) {
        const uint32_t *cells = kn_sampled_row(view->sample, view->order[view->starts[class] + i])
                              + KN_SAMPLE_CELLS + view->plan->nquasi;
        uint64_t hash = count;

        for (size_t f = 0; f < count; f++)
            hash = kn_hash_word(hash ^ cells[columns[f]]) + columns[f];
        view->x[i] = (uint32_t) hash;
        view->y[i] = (uint32_t) (hash >> 32);
    }
    return kn_link_number(&view->tally, (kn_link_codes){ view->x, 0 },
                          (kn_link_codes){ view->y, 0 }, rows, view->ids);
}

/* The set with the most rows alone, of each number of columns; the first of equals. */
static void
consider(kn_link_family *out, const size_t *columns, size_t count, uint64_t alone)
{
    kn_link_set *worst = &out->worst[count - 1];

    if (worst->count && alone <= worst->alone)
        return;
    worst->count = count;
    worst->alone = alone;
    for (size_t i = 0; i < count; i++) { /* ascending, whatever order they were tried in */
        size_t at = i;

        for (; at > 0 && worst->columns[at - 1] > columns[i]; at--)
            worst->columns[at] = worst->columns[at - 1];
        worst->columns[at] = columns[i];
    }
}

static void
find_worst(const combiner *c, unsigned depth, kn_link_family *out)
{
    for (size_t a = 0; a < c->n; a++) {
        consider(out, (size_t[]){ c->columns[a] }, 1, c->alone->one[a]);
        for (size_t b = a + 1; b < c->n; b++) {
            consider(out, (size_t[]){ c->columns[a], c->columns[b] }, 2, c->alone->two[a][b]);
            for (size_t d = b + 1; d < c->n; d++)
                consider(out, (size_t[]){ c->columns[a], c->columns[b], c->columns[d] }, 3,
                         c->alone->three[a][b][d]);
        }
    }
    for (size_t i = 0; i < KN_LINKED_MOST; i++)
        out->worst[i].alone = kn_link_scaled(c->view, out->worst[i].alone, depth);
}

static kanon_status
init_combiner(combiner *c, size_t most)
{
    c->most = most;
    c->ones = KN_NEW_ARRAY(c->view->ctx, uint32_t, c->n * most);
    c->twos = KN_NEW_ARRAY(c->view->ctx, uint32_t, most);
    c->alone = KN_NEW(c->view->ctx, counts);
    return c->ones && c->twos && c->alone ? KANON_OK : KANON_E_NOMEM;
}

static void
fini_combiner(combiner *c)
{
    kn_free(c->view->ctx, c->ones);
    kn_free(c->view->ctx, c->twos);
    kn_free(c->view->ctx, c->alone);
}

kanon_status
kn_link_combine(kn_link_view *view, const size_t *columns, size_t count, kn_link_family *out)
{
    kanon_status           rc = KANON_OK;
    const kn_class_sample *sample = view->sample;
    combiner               c = { .view = view, .columns = columns };
    size_t                 combinations, limit, rows, most = 0;
    unsigned               depth;

    memset(out, 0, sizeof *out);
    out->count = count;
    out->tried = c.n = count < KN_LINKED_COLUMNS ? count : KN_LINKED_COLUMNS;
    if (!count)
        return KANON_OK;
    combinations = c.n + c.n * (c.n - 1) / 2 + c.n * (c.n - 1) * (c.n - 2) / 6;
    limit = WORK / combinations > ROWS_LEAST ? WORK / combinations : ROWS_LEAST;
    depth = kn_link_depth(view, limit, &rows);
    out->exact = rows == sample->nrows;
    for (size_t class = 0; class < sample->nclasses; class ++)
        if (sample->classes[class].records <= limit && sample->classes[class].records > most)
            most = sample->classes[class].records;
    KN_TRY(init_combiner(&c, most));
    for (size_t class = 0; class < sample->nclasses; class ++) {
        const kn_sampled_class *s = &sample->classes[class];
        uint64_t                alone = out->together.alone;
        uint32_t                groups = number_together(view, class, columns, count);

        kn_link_gather_weights(view, class);
        kn_link_count_groups(view, view->ids, s->records, groups, &out->together);
        if (out->together.alone == alone || s->records > limit
            || !kn_class_sampled(sample, s->hash, depth))
            continue;
        c.rows = s->records;
        add_class(&c, class);
    }
    find_worst(&c, depth, out);
    out->together.alone = kn_link_scaled(view, out->together.alone, sample->depth);
    out->together.below = kn_link_scaled(view, out->together.below, sample->depth);
out:
    fini_combiner(&c);
    return rc;
}

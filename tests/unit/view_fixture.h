/* SPDX-License-Identifier: Apache-2.0 */
/* view_fixture.h -- tables of codes made by hand, with nested levels of any shape, and a naive count of their
 * classes that shares no code with src/group: tuples are sorted by their group vectors and compared. */
#ifndef KN_VIEW_FIXTURE_H
#define KN_VIEW_FIXTURE_H

#include <stdlib.h>

#include "base/rng.h"
#include "group/engine.h"
#include "test.h"

enum { VIEW_QUASI_MOST = 255 };

typedef struct view_shape {
    size_t   tuples, quasi;
    uint32_t codes;   /* different ones per column, at most */
    size_t   levels;  /* per column, the top included */
    uint32_t weights; /* 1..this */
    uint32_t labels;  /* 0: none */
    bool     skewed;  /* most tuples have small codes */
} view_shape;

typedef struct view_fixture {
    kn_view    view;
    kn_axis   *axes;
    kn_codes  *codes;
    uint32_t **cells; /* [quasi][tuple], unpacked */
    uint32_t  *weights;
    uint8_t    top[VIEW_QUASI_MOST];
    /* label entries of tuple t: first[t] .. first[t + 1] - 1 */
    uint32_t *first, *labels, *label_weights;
    kn_codes  label_codes;
    kn_labels packed;
} view_fixture;

static void *
view_take(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);

    if (!block)
        FAIL("out of memory");
    return block;
}

/* Each level merges some of the groups of the one before, not always neighbours; the last is one group. */
static void
view_axis(kn_axis *axis, size_t ncodes, size_t nlevels, kn_rng *rng)
{
    const uint32_t **maps = view_take(nlevels, sizeof *maps);
    uint32_t        *ngroups = view_take(nlevels, sizeof *ngroups);

    *axis = (kn_axis){ nlevels, ncodes, maps, ngroups };
    for (size_t level = 0; level < nlevels; level++) {
        uint32_t *map = view_take(ncodes, sizeof *map);
        uint32_t  below = level ? ngroups[level - 1] : (uint32_t) ncodes;
        uint32_t  groups = level == 0           ? below
                         : level + 1 == nlevels ? 1
                         : kn_rng_below(rng, 5) ? below - (uint32_t) kn_rng_below(rng, below / 2 + 1)
                                                : below;
        uint32_t *up = view_take(below, sizeof *up);

        groups = ncodes ? groups : 0;
        for (uint32_t g = 0; g < below; g++) /* every group is hit by one at least */
            up[g] = g < groups ? g : (uint32_t) kn_rng_below(rng, groups);
        for (uint32_t g = below; groups && level && g-- > 1;) { /* in no particular order */
            uint32_t other = (uint32_t) kn_rng_below(rng, g + 1), keep = up[g];

            up[g] = up[other];
            up[other] = keep;
        }
        for (size_t c = 0; c < ncodes; c++)
            map[c] = level ? up[maps[level - 1][c]] : (uint32_t) c;
        maps[level] = map;
        ngroups[level] = groups;
        free(up);
    }
}

static void
view_put(kn_codes *codes, size_t at, uint32_t value)
{
    if (codes->bytes == 1)
        ((uint8_t *) codes->data)[at] = (uint8_t) value;
    else if (codes->bytes == 2)
        ((uint16_t *) codes->data)[at] = (uint16_t) value;
    else
        ((uint32_t *) codes->data)[at] = value;
}

/* A dictionary holds no code that no tuple has: the first tuples take them all in turn. */
static void
view_column(view_fixture *f, size_t quasi, const view_shape *shape, kn_rng *rng)
{
    size_t n = shape->tuples, ncodes = shape->codes < n ? shape->codes : n;

    if (quasi % 4 == 3 && ncodes > 2)
        ncodes = 2; /* some narrow columns among the others */
    view_axis(&f->axes[quasi], ncodes, shape->levels, rng);
    f->top[quasi] = (uint8_t) (shape->levels - 1);
    f->codes[quasi].bytes = ncodes <= 256 ? 1 : ncodes <= 65536 ? 2 : 4;
    f->codes[quasi].data = view_take(n, f->codes[quasi].bytes);
    f->cells[quasi] = view_take(n, sizeof **f->cells);
    for (size_t t = 0; t < n; t++) {
        uint64_t draw = kn_rng_below(rng, ncodes);

        if (shape->skewed)
            draw = draw * kn_rng_below(rng, ncodes) / ncodes * kn_rng_below(rng, ncodes) / ncodes;
        f->cells[quasi][t] = t < ncodes ? (uint32_t) t : (uint32_t) draw;
        view_put(&f->codes[quasi], t, f->cells[quasi][t]);
    }
}

/* The rows of a tuple have one to three labels, of as many bytes as they need. */
static void
view_labels(view_fixture *f, const view_shape *shape, kn_rng *rng)
{
    size_t n = shape->tuples, at = 0;

    f->first = view_take(n + 1, sizeof *f->first);
    f->labels = view_take(3 * n, sizeof *f->labels);
    f->label_weights = view_take(3 * n, sizeof *f->label_weights);
    f->label_codes.bytes = shape->labels <= 256 ? 1 : shape->labels <= 65536 ? 2 : 4;
    f->label_codes.data = view_take(3 * n, f->label_codes.bytes);
    for (size_t t = 0; t < n; t++) {
        uint32_t left = f->weights[t];

        f->first[t] = (uint32_t) at;
        for (int i = 0; i < 3 && left; i++, at++) {
            uint32_t part = i == 2 || kn_rng_below(rng, 2) ? left
                                                           : 1 + (uint32_t) kn_rng_below(rng, left);

            f->labels[at] = (uint32_t) kn_rng_below(rng, shape->labels);
            f->label_weights[at] = part;
            view_put(&f->label_codes, at, f->labels[at]);
            left -= part;
        }
    }
    f->first[n] = (uint32_t) at;
    f->packed = (kn_labels){
        f->first, f->label_codes, { 4, f->label_weights }, NULL, shape->labels
    };
}

__attribute__((unused)) static void
view_random(view_fixture *f, const view_shape *shape, kn_rng *rng)
{
    size_t n = shape->tuples;

    memset(f, 0, sizeof *f);
    f->axes = view_take(shape->quasi, sizeof *f->axes);
    f->codes = view_take(shape->quasi, sizeof *f->codes);
    f->cells = view_take(shape->quasi, sizeof *f->cells);
    f->weights = view_take(n, sizeof *f->weights);
    for (size_t i = 0; i < shape->quasi; i++)
        view_column(f, i, shape, rng);
    f->view = (kn_view){ shape->quasi, n, 0, f->axes, f->codes, f->weights };
    for (size_t t = 0; t < n; t++) {
        f->weights[t] = shape->weights <= 1 ? 1 : 1 + (uint32_t) kn_rng_below(rng, shape->weights);
        f->view.rows += f->weights[t];
    }
    if (shape->labels)
        view_labels(f, shape, rng);
}

__attribute__((unused)) static void
view_close(view_fixture *f)
{
    for (size_t i = 0; i < f->view.nquasi; i++) {
        for (size_t level = 0; level < f->axes[i].nlevels; level++)
            free((void *) (uintptr_t) f->axes[i].maps[level]);
        free((void *) (uintptr_t) f->axes[i].maps);
        free((void *) (uintptr_t) f->axes[i].ngroups);
        free(f->codes[i].data);
        free(f->cells[i]);
    }
    free(f->axes);
    free(f->codes);
    free(f->cells);
    free(f->weights);
    free(f->labels);
    free(f->first);
    free(f->label_weights);
    free(f->label_codes.data);
}

/* --- the naive count --------------------------------------------------------------------------------- */

typedef struct naive_row {
    const uint32_t *groups; /* [quasi] */
    size_t          quasi, tuple;
} naive_row;

static int
naive_compare(const void *one, const void *other)
{
    const naive_row *a = one, *b = other;

    return memcmp(a->groups, b->groups, a->quasi * sizeof *a->groups);
}

typedef struct naive_counted {
    uint64_t outlying, classes, off_label;
    double   squares;
    bool    *is_out; /* [tuples] */
} naive_counted;

/* Rows of a class that have not its most frequent label. */
static uint64_t
naive_off(const view_fixture *f, const naive_row *rows, size_t n, uint64_t size)
{
    uint64_t most = 0;

    for (uint32_t label = 0; f->labels && label < f->packed.domain; label++) {
        uint64_t count = 0;

        for (size_t i = 0; i < n; i++)
            for (size_t e = f->first[rows[i].tuple]; e < f->first[rows[i].tuple + 1]; e++)
                count += f->labels[e] == label ? f->label_weights[e] : 0;
        most = count > most ? count : most;
    }
    return f->labels ? size - most : 0;
}

/** is_out has room for a flag a tuple. */
__attribute__((unused)) static void
naive_count(const view_fixture *f, const uint8_t *levels, uint64_t k, naive_counted *out)
{
    size_t     n = f->view.ntuples, m = f->view.nquasi;
    naive_row *rows = view_take(n, sizeof *rows);
    uint32_t  *groups = view_take(n * m, sizeof *groups);

    out->outlying = out->classes = out->off_label = 0;
    out->squares = 0;
    for (size_t t = 0; t < n; t++) {
        rows[t] = (naive_row){ groups + t * m, m, t };
        for (size_t i = 0; i < m; i++)
            groups[t * m + i] = f->axes[i].maps[levels[i]][f->cells[i][t]];
    }
    qsort(rows, n, sizeof *rows, naive_compare);
    for (size_t from = 0, to; from < n; from = to) {
        uint64_t size = 0;

        for (to = from; to < n && naive_compare(&rows[from], &rows[to]) == 0; to++)
            size += f->weights[rows[to].tuple];
        for (size_t i = from; i < to; i++)
            out->is_out[rows[i].tuple] = size < k;
        if (size < k) {
            out->outlying += size;
            continue;
        }
        out->classes++;
        out->squares += (double) size * (double) size;
        out->off_label += naive_off(f, rows + from, to - from, size);
    }
    free(rows);
    free(groups);
}

#endif

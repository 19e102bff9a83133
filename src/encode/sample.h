/* SPDX-License-Identifier: Apache-2.0 */
/* sample.h -- the beginnings of a few cells of each column, from rows spread evenly over the table: for
 * columns that a job does not learn, so that it can still say what they look like. Bounded memory, and no
 * work for rows that are not taken. The cells never leave the process. */
#ifndef KN_SAMPLE_H
#define KN_SAMPLE_H

#include "base/base.h"

enum { KN_SAMPLE_BYTES = 95 }; /* of a cell that are kept, whole characters */

typedef struct kn_sample {
    size_t   ncolumns, capacity; /* columns, and rows that there is room for */
    size_t   count;              /* rows taken */
    uint64_t seen, next, step;   /* rows seen; the one to take next, and how far apart they are */
    char    *cells;              /* [capacity][ncolumns], one byte for the length each */
} kn_sample;

kanon_status kn_sample_init(kanon_ctx *ctx, size_t ncolumns, kn_sample *sample);
void         kn_sample_fini(kanon_ctx *ctx, kn_sample *sample);

/** Takes a row that is due. columns: positions of the ncolumns cells. */
void kn_sample_take(kn_sample *sample, const kn_str *cells, const size_t *columns);

/** Sees a row. */
static inline void
kn_sample_see(kn_sample *sample, const kn_str *cells, const size_t *columns)
{
    if (sample->seen++ == sample->next)
        kn_sample_take(sample, cells, columns);
}

/** A cell, cut after KN_SAMPLE_BYTES; a null is empty. Borrowed until the next row. */
kn_str kn_sample_cell(const kn_sample *sample, size_t row, size_t column);

#endif

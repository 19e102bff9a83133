/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c -- see sample.h. Every step-th row is taken; when there is no more room, every second one of those
 * goes and the step doubles. */
#include "encode/sample.h"

#include <assert.h>

#include "base/text.h"

enum { SLOT = KN_SAMPLE_BYTES + 1, ROWS_MOST = 256, ROWS_LEAST = 32, BYTES_MOST = 4 << 20 };

kanon_status
kn_sample_init(kanon_ctx *ctx, size_t ncolumns, kn_sample *sample)
{
    size_t rows = ncolumns ? BYTES_MOST / SLOT / ncolumns : ROWS_LEAST;

    rows = rows > ROWS_MOST ? ROWS_MOST : rows < ROWS_LEAST ? ROWS_LEAST : rows;
    *sample = (kn_sample){ .ncolumns = ncolumns, .capacity = rows - rows % 2, .step = 1 };
    sample->cells = kn_alloc_array(ctx, sample->capacity * SLOT, ncolumns);
    return sample->cells ? KANON_OK : KANON_E_NOMEM;
}

void
kn_sample_fini(kanon_ctx *ctx, kn_sample *sample)
{
    kn_free(ctx, sample->cells);
    sample->cells = NULL;
}

static char *
slot(const kn_sample *sample, size_t row, size_t column)
{
    assert(row < sample->capacity && column < sample->ncolumns);
    return sample->cells + (row * sample->ncolumns + column) * SLOT;
}

void
kn_sample_take(kn_sample *sample, const kn_str *cells, const size_t *columns)
{
    size_t row_bytes = sample->ncolumns * SLOT;

    if (sample->count == sample->capacity) {
        for (size_t row = 1; row < sample->capacity / 2; row++)
            memcpy(sample->cells + row * row_bytes, sample->cells + 2 * row * row_bytes, row_bytes);
        sample->count = sample->capacity / 2;
        sample->step *= 2;
    }
    for (size_t c = 0; c < sample->ncolumns; c++) {
        kn_str cell = cells[columns[c]];
        char  *to = slot(sample, sample->count, c);
        size_t len = 0;

        while (cell.ptr && len < cell.len && len + kn_utf8_step(cell, len) <= KN_SAMPLE_BYTES)
            len += kn_utf8_step(cell, len);
        if (len)
            memcpy(to + 1, cell.ptr, len);
        to[0] = (char) len;
    }
    sample->count++;
    sample->next += sample->step;
}

kn_str
kn_sample_cell(const kn_sample *sample, size_t row, size_t column)
{
    const char *from = slot(sample, row, column);

    assert(row < sample->count);
    return (kn_str){ from + 1, (size_t) from[0] };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* csv_help.h -- a CSV text read and written down again in a form that a test can compare: the header,
 * one line per row, warnings and the failure. */
#ifndef KN_CSV_HELP_H
#define KN_CSV_HELP_H

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/csv_tune.h"

/** A source of the "user": gives a few bytes at a time. */
typedef struct drip {
    kanon_source source;
    kn_str       text;
    size_t       most; /* 1..most bytes at a time */
    uint32_t     state;
    size_t       at;
    size_t       fail_after; /* bytes; 0: never */
} drip;

static kanon_status
drip_open(void *user, kanon_ctx *ctx, void **stream)
{
    drip *d = user;

    KN_UNUSED(ctx);
    d->at = 0;
    *stream = d;
    return KANON_OK;
}

static kanon_status
drip_read(void *stream, kanon_ctx *ctx, void *buffer, size_t capacity, size_t *got)
{
    drip  *d = stream;
    size_t count = d->text.len - d->at;

    KN_UNUSED(ctx);
    d->state = d->state * 1664525U + 1013904223U;
    if (count > 1 + (d->state >> 16) % d->most)
        count = 1 + (d->state >> 16) % d->most;
    if (count > capacity)
        count = capacity;
    if (d->fail_after && d->at + count >= d->fail_after)
        return KANON_E_IO;
    if (count)
        memcpy(buffer, d->text.ptr + d->at, count);
    d->at += count;
    *got = count;
    return KANON_OK;
}

static void
drip_close(void *stream)
{
    KN_UNUSED(stream);
}

static uint64_t
drip_length(void *user)
{
    const drip *d = user;

    return d->text.len;
}

__attribute__((unused)) static void
drip_init(drip *d, kn_str text, size_t most)
{
    *d = (drip){ .text = text, .most = most, .state = 1 };
    d->source = (kanon_source){ .size = sizeof d->source,
                                .name = "t.csv",
                                .user = d,
                                .open = drip_open,
                                .read = drip_read,
                                .close = drip_close,
                                .length = drip_length };
}

static void
help_put_cells(kn_text *to, const kn_str *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kn_text_addz(to, i ? "|" : "");
        kn_text_add(to, cells[i]);
    }
    kn_text_addz(to, "\n");
}

/** Reads all rows of an open reader: "LINE: a|b". */
static kanon_status
help_put_rows(kn_text *to, kn_rows *csv)
{
    const kn_str *cells;
    kanon_status  rc;

    for (;;) {
        rc = kn_rows_next(csv, &cells);
        if (rc < 0 || !cells)
            return rc;
        kn_text_addf(to, "%llu: ", (unsigned long long) kn_rows_line(csv));
        help_put_cells(to, cells, kn_rows_columns(csv));
    }
}

/** "#names", the rows, "~warning" for each, "!message" after a failure. */
__attribute__((unused)) static void
help_read(kn_text *to, const kanon_source *source, const kn_csv_options *options,
          const kn_csv_tuning *tuning)
{
    kn_rows     *csv = NULL;
    kanon_status rc = kn_csv_open_tuned(to->ctx, source, options, tuning, &csv);

    if (rc == KANON_OK) {
        kn_text_addz(to, kn_rows_dialect(csv)->header ? "#" : "-");
        help_put_cells(to, kn_rows_names(csv), kn_rows_columns(csv));
        rc = help_put_rows(to, csv);
    }
    for (size_t i = 0; i < kanon_ctx_warning_count(to->ctx); i++)
        kn_text_addf(to, "~%s\n", kanon_ctx_warning(to->ctx, i));
    if (rc < 0)
        kn_text_addf(to, "!%d %s\n", (int) rc, kanon_ctx_message(to->ctx));
    kn_rows_close(csv);
}

#endif

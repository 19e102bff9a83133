/* SPDX-License-Identifier: Apache-2.0 */
/* csv_end.h -- the end of a CSV file: how many lines there are no rows. It takes a pass of its own, so it is
 * asked only where a footer was named or noticed. */
#ifndef KN_CSV_END_H
#define KN_CSV_END_H

#include "formats/csv.h"

enum { KN_FOOTER_MOST = 64 }; /* lines of a footer that is noticed */

typedef struct kn_end_job {
    const kanon_source *source;
    const kn_dialect   *dialect;
    size_t              fields;      /* of a row */
    uint64_t            header_line; /* rows come behind it */
    uint64_t            footer;      /* lines, empty ones aside; 0: as many as look like it */
} kn_end_job;

typedef struct kn_csv_end {
    uint64_t footers;     /* lines at the end that are asked for, or look like totals or notes */
    uint64_t footer_line; /* where they begin; 0: there are none */
    uint64_t row_line;    /* one of those asked for looks like a row; 0: none does */
} kn_csv_end;

kanon_status kn_csv_end_find(kanon_ctx *ctx, const kn_end_job *job, kn_csv_end *out);

#endif

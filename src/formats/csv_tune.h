/* SPDX-License-Identifier: Apache-2.0 */
/* csv_tune.h -- internal settings of the reader, for tests and benchmarks. They never change what is read. */
#ifndef KN_CSV_TUNE_H
#define KN_CSV_TUNE_H

#include "formats/csv.h"
#include "io/input.h"

typedef enum { KN_SCAN_BEST, KN_SCAN_PORTABLE } kn_scan_kind;

/** Zero means: as usual. */
typedef struct kn_csv_tuning {
    kn_ahead     ahead;
    kn_scan_kind scan;
    size_t       step;        /* bytes that the parser is shown at a time */
    size_t       record_most; /* bytes of the longest record that is accepted */
} kn_csv_tuning;

/** kn_csv_open with inner settings. */
kanon_status kn_csv_open_tuned(kanon_ctx *ctx, const kanon_source *source,
                               const kn_csv_options *options, const kn_csv_tuning *tuning,
                               kn_rows **out);

#endif

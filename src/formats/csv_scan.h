/* SPDX-License-Identifier: Apache-2.0 */
/* csv_scan.h -- finds the bytes that matter in CSV text: delimiters, quotes, CR and LF. The parser
 * then hops from one to the next and never looks at the bytes between. */
#ifndef KN_CSV_SCAN_H
#define KN_CSV_SCAN_H

#include "base/base.h"

/** Most bytes of one call: positions and text of a window stay in the first-level cache. */
enum { KN_SCAN_WINDOW = 16384 };
/** Room that `hits` must have: a window of nothing but delimiters, and what is written too far. */
enum { KN_SCAN_ROOM = KN_SCAN_WINDOW + 64 };

typedef struct kn_scan_job {
    const char *bytes;
    size_t      count; /* <= KN_SCAN_WINDOW */
    uint32_t    base;  /* added to every position */
    char        delimiter;
    char        quote;
} kn_scan_job;

typedef struct kn_scan_hits {
    uint32_t *at; /* room for KN_SCAN_ROOM */
    size_t    count;
    bool      odd; /* there is a NUL or a byte past ASCII somewhere */
} kn_scan_hits;

typedef void (*kn_scan_fn)(const kn_scan_job *job, kn_scan_hits *hits);

/** 8 bytes at a time, on any processor. */
void kn_scan_portable(const kn_scan_job *job, kn_scan_hits *hits);
/** The fastest that this processor has; all give the same hits. */
kn_scan_fn kn_scan_best(void);

#endif

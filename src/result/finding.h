/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h -- what a privacy expert would say about a job, each with what to do about it. The job finds, the
 * reports tell. A finding names columns and counts, never a value. */
#ifndef KN_RESULT_FINDING_H
#define KN_RESULT_FINDING_H

#include <stddef.h>

typedef enum {
    KN_FINDING_NOTE,   /* holds for every release of its kind: to know before it is given away */
    KN_FINDING_WARNING /* found in this table or this release: to act on */
} kn_finding_weight;

typedef struct kn_finding {
    const char       *id; /* "repeated-persons"; the same in every version */
    kn_finding_weight weight;
    const char       *column;  /* NULL: of the whole release */
    const char       *what;    /* a sentence */
    const char       *todo;    /* a sentence */
    const char       *section; /* of the HTML report that shows more; NULL: none does */
} kn_finding;

#endif

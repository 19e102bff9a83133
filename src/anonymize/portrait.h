/* SPDX-License-Identifier: Apache-2.0 */
/* portrait.h -- draws the columns of a job for its report: see report/portrait.h. */
#ifndef KN_ANONYMIZE_PORTRAIT_H
#define KN_ANONYMIZE_PORTRAIT_H

#include "anonymize/job.h"
#include "result/portrait.h"

/** A column while it is portrayed: its values, how many rows hold each, and what they are as numbers. */
typedef struct kn_portrayed {
    const kn_job *job;
    kanon_result *r;
    size_t        column;     /* of the learned ones */
    size_t        count;      /* values */
    uint64_t     *all, *kept; /* [count] rows of the table and of the release */
    double       *x;          /* [count] NAN: no number; NULL: categories */
    double        grain;      /* how much of the axis a single value takes */
    uint64_t      k;
    kn_portrait  *out;
} kn_portrayed;

/** Fills in the portraits and the exposures of a result whose columns are gathered. */
kanon_status kn_job_portray(const kn_job *job, kanon_result *r);

/** Reads the values of a column as numbers or months, if they are any. */
kanon_status kn_portrayed_numbers(kn_portrayed *s);
/** Puts rows into bins; kind becomes VALUES where that makes no picture. */
kanon_status kn_portrayed_bins(kn_portrayed *s);
/** Spreads released rows over the bins of the range that they show. NAN: it shows none. */
void kn_portrayed_spread(kn_portrayed *s, double low, double high, uint64_t rows);
/** The same for the whole release. */
kanon_status kn_portrayed_after(kn_portrayed *s);

#endif

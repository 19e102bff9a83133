/* SPDX-License-Identifier: Apache-2.0 */
/* csv_header.h -- guesses whether the first record of a file holds column names. */
#ifndef KN_CSV_HEADER_H
#define KN_CSV_HEADER_H

#include "formats/csv_sniff.h"

typedef enum {
    KN_FIRST_DATA,
    KN_FIRST_NAMES,
    KN_FIRST_UNSURE /* nothing in the sample speaks for either */
} kn_first;

/** The records after the first one, as far as they are looked at. */
typedef struct kn_rest {
    kn_str    text;
    kn_sample is; /* KN_SAMPLE_PART: what the end cuts off says nothing */
    char      delimiter;
    char      quote;
} kn_rest;

/** @param cells of the first record */
kanon_status kn_header_guess(kanon_ctx *ctx, const kn_str *cells, size_t count, const kn_rest *rest,
                             kn_first *out);

/** Whether a cell that is not empty reads as a value rather than as a name: a number or a date. */
bool kn_header_is_value(kn_str cell);

#endif

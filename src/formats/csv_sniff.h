/* SPDX-License-Identifier: Apache-2.0 */
/* csv_sniff.h -- guesses the dialect of a CSV file. */
#ifndef KN_CSV_SNIFF_H
#define KN_CSV_SNIFF_H

#include "formats/csv.h"

enum { KN_SNIFF_BYTES = 65536 };

/** The delimiter among , ; tab | that splits the records of a sample most evenly; ',' where none does.
 *  whole: the sample is all there is, so its last record counts even without a line end. */
typedef enum { KN_SAMPLE_PART, KN_SAMPLE_WHOLE } kn_sample;
char kn_sniff_delimiter(kn_str sample, char quote, kn_sample sample_is);

/** Where the field that starts at `at` ends: a delimiter, a line end or the end of the sample. */
size_t kn_sniff_field_end(kn_str sample, size_t at, char delimiter, char quote);

#endif

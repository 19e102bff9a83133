/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h -- a comparison in words and as a page. Growth failures stay in the text. */
#ifndef KN_REPORT_COMPARE_H
#define KN_REPORT_COMPARE_H

#include "base/text.h"
#include "result/comparison.h"

void kn_compare_text(kn_text *text, const kanon_comparison *comparison);
void kn_compare_html(kn_text *text, const kanon_comparison *comparison);

/** A share that moved by less is not worth a word: a twentieth of a percent. */
#define KN_COMPARE_CHANGED 0.0005

/** How a bin is called in words. */
void kn_compare_bin_name(kn_text *text, const kn_compared_bin *bin);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h -- an explanation in words and as a page. Growth failures stay in the text. */
#ifndef KN_REPORT_EXPLAIN_H
#define KN_REPORT_EXPLAIN_H

#include "base/text.h"
#include "result/explanation.h"

void kn_explain_text(kn_text *text, const kanon_explanation *x);
void kn_explain_html(kn_text *t, const kanon_explanation *x);

/** `all`, or "the 9 of 10 changes of one setting that were computed" where others had no time. */
void kn_explain_tried(kn_text *text, const kanon_explanation *x, const char *all);
/** A difference of shares in percentage points, with its sign: "+1.8". */
void kn_explain_points(kn_text *text, double change);

#endif

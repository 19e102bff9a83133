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
/** A loss with four decimals, or as a whole number where it is one (dm, height); and with a sign. */
void kn_explain_loss(kn_text *text, double value);
void kn_explain_loss_change(kn_text *text, double value);

#endif

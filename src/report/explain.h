/* explain.h -- an explanation in words, in JSON and as a page. Growth failures stay in the text. */
#ifndef KN_REPORT_EXPLAIN_H
#define KN_REPORT_EXPLAIN_H

#include "base/text.h"
#include "report/explanation.h"

void kn_explain_json(kn_text *text, const kanon_explanation *explanation);
void kn_explain_text(kn_text *text, const kanon_explanation *explanation);
void kn_explain_html(kn_text *text, const kanon_explanation *explanation);

/** The change of a setting that lowers the loss most; NULL: none does, or there is no release. */
const kn_change *kn_explain_best(const kanon_explanation *explanation);
/** A loss with four decimals, or as a whole number where it is one (dm, height); and with a sign. */
void kn_explain_loss(kn_text *text, double loss);
void kn_explain_loss_change(kn_text *text, double change);

#endif

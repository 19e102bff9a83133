/* explain.h -- an explanation in words and in JSON. Growth failures stay in the text. */
#ifndef KN_REPORT_EXPLAIN_H
#define KN_REPORT_EXPLAIN_H

#include "base/text.h"
#include "report/explanation.h"

void kn_explain_json(kn_text *text, const kanon_explanation *explanation);
void kn_explain_text(kn_text *text, const kanon_explanation *explanation);

#endif

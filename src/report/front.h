/* SPDX-License-Identifier: Apache-2.0 */
/* front.h -- a front in words, as CSV and as a page. */
#ifndef KN_REPORT_FRONT_H
#define KN_REPORT_FRONT_H

#include "base/json.h"
#include "result/front.h"

/** Failures to grow stay in the text: look at kn_text_status() afterwards. */
void kn_front_csv(kn_text *text, const kanon_front *front);
void kn_front_html(kn_text *text, const kanon_front *front, const kanon_front_options *options);
void kn_front_text(kn_text *text, const kanon_front *front, unsigned width);

/** The page that shows a front, in two parts between which the data goes; made from front_page.html. */
extern const unsigned char kn_front_page[];
extern const size_t        kn_front_page_bytes;

#endif

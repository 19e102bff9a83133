/* SPDX-License-Identifier: Apache-2.0 */
/* report.h -- what a result or a check looks like outside: JSON for programs, text for people.
 * A report formats; everything it tells was computed before. */
#ifndef KN_REPORT_H
#define KN_REPORT_H

#include "base/json.h"
#include "result/check.h"
#include "result/result.h"

/** The verdict that every report opens with, in lines of at most so many columns. */
void kn_report_opening(kn_text *text, const kn_opening *opening, size_t width);
/** Growth failures stay in the text: look at kn_text_status() afterwards. */
void kn_report_text(kn_text *text, const kanon_result *result);
void kn_report_details(kn_text *text, const kanon_result *result);
/** JSON, or one HTML file; the edition is the result's audience. */
void kn_report_json(kn_text *text, const kanon_result *result);
void kn_report_html(kn_text *text, const kanon_result *result);
void kn_check_text(kn_text *text, const kanon_check *check);

/** What a metric is, in a few words; "": there is none of that name. */
const char *kn_report_metric_text(const char *name);

/** A profile and its requirements; nothing where there is none. */
void kn_report_text_profile(kn_text *text, const kn_result_profile *profile);
/** "2 met, 0 not met, 4 for a person" */
void kn_report_profile_counts(kn_text *text, const kn_result_profile *profile);
/** The privacy models beyond k; nothing where there are none. */
void kn_report_text_models(kn_text *text, const kanon_result *result);

#endif

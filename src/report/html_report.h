/* SPDX-License-Identifier: Apache-2.0 */
/* html_report.h -- the sections of a job's HTML report. The external edition holds nothing that helps an
 * attacker: what a section may tell there is decided in the section. */
#ifndef KN_HTML_REPORT_H
#define KN_HTML_REPORT_H

#include "report/html_page.h"
#include "report/report.h"

enum { KN_HTML_NAME_MOST = 80, KN_HTML_VALUE_MOST = 48 };

typedef struct kn_html {
    kn_text            *text;
    const kanon_result *r;
    bool                external;
    bool                released;
} kn_html;

void kn_html_columns(const kn_html *h);
void kn_html_classes(const kn_html *h);
void kn_html_risk(const kn_html *h);
void kn_html_suppression(const kn_html *h);
void kn_html_search(const kn_html *h);
void kn_html_record(const kn_html *h);
void kn_html_findings(const kn_html *h);

/** One row of a list of bars; see kn_html_bars_begin(). A NULL name: what is pooled, in words. */
typedef struct kn_html_bar {
    const char *name, *pooled;
    const char *style;       /* class of the bar */
    double      share, mark; /* see kn_svg_bar() */
    bool        flagged;
} kn_html_bar;

void kn_html_bars_begin(kn_text *text, const char *what);
/** The row up to its number, which the caller writes. */
void kn_html_bar_put(kn_text *text, const kn_html_bar *bar);
void kn_html_bar_end(kn_text *text);
void kn_html_bars_end(kn_text *text);

/** A count for everybody: exact inside, rounded outside, and nothing below k. */
void kn_html_count(const kn_html *h, uint64_t count);
/** A count of suppressed rows, which the release does not show: see kn_public_lost(). */
void kn_html_lost(const kn_html *h, uint64_t count);
/** A share of information lost: exact inside, outside that of the released rows, if there are any. */
void kn_html_loss(const kn_html *h, double loss);
/** Calls of `put` between <dt> and <dd>. */
void kn_html_entry(kn_text *text, const char *title);

#endif

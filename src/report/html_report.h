/* SPDX-License-Identifier: Apache-2.0 */
/* html_report.h -- the sections of a job's HTML report. The external edition holds nothing that helps an
 * attacker: the table of sections in html_report.c says which of them it has, and a section what it tells
 * there. */
#ifndef KN_HTML_REPORT_H
#define KN_HTML_REPORT_H

#include "report/html_page.h"
#include "report/report.h"

typedef struct kn_html {
    kn_text            *text;
    const kanon_result *r;
    bool                external;
    bool                released;
} kn_html;

void kn_html_columns(const kn_html *h);
void kn_html_profile(const kn_html *h);
void kn_html_classes(const kn_html *h);
void kn_html_risk(const kn_html *h);
void kn_html_suppression(const kn_html *h);
void kn_html_search(const kn_html *h);
void kn_html_record(const kn_html *h);

void kn_html_put_count(kn_text *text, const kn_piece *piece);
void kn_html_put_lost(kn_text *text, const kn_piece *piece);
void kn_html_put_loss(kn_text *text, const kn_piece *piece);

/** A count for everybody: exact inside, rounded outside, and nothing below k. */
static inline kn_piece
kn_html_as_count(const kn_html *h, uint64_t count)
{
    return (kn_piece){ .put = kn_html_put_count, .user = h, .count = count };
}

/** A count of suppressed rows, which the release does not show: see kn_public_lost(). */
static inline kn_piece
kn_html_as_lost(const kn_html *h, uint64_t count)
{
    return (kn_piece){ .put = kn_html_put_lost, .user = h, .count = count };
}

/** A share of information lost: exact inside, outside that of the released rows, if there are any. */
static inline kn_piece
kn_html_as_loss(const kn_html *h, double loss)
{
    return (kn_piece){ .put = kn_html_put_loss, .user = h, .number = loss };
}

#endif

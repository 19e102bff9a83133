/* SPDX-License-Identifier: Apache-2.0 */
/* hints.c -- "Possible improvements": what a reader can do next, concluded from the result's own
 * numbers. A hint says what may help; it promises nothing that was not computed. */
#include "anonymize/findings.h"

#include <math.h>

#include "base/fill.h"

enum { NAMES_MOST = 6 };

/* What is in the text becomes advice. remedy NULL: that of the code */
static kanon_status
add(kanon_result *r, kn_text *text, kn_finding_code code, const char *remedy, double figure)
{
    kanon_status rc = kn_text_status(text);

    if (rc == KANON_OK)
        rc = kn_findings_add(&r->findings, &r->arena,
                             (kn_finding){ .code = code,
                                           .place = KN_AT_JOB,
                                           .what = text->ptr,
                                           .remedy = remedy,
                                           .figure = figure });
    text->len = 0;
    return rc;
}

/* One hint for all of them: with many columns it would be the same many times. */
static kanon_status
hint_hidden(kanon_result *r, kn_text *text)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; i < r->nattributes; i++)
        count += kn_result_gone(r, &r->attributes[i]);
    if (!count)
        return KANON_OK;
    for (size_t i = 0; i < r->nattributes; i++)
        if (kn_result_gone(r, &r->attributes[i]) && kn_plain_item(text, named++, count, NAMES_MOST))
            kn_plain_name(text, r->attributes[i].name, 0);
    kn_text_addz(text, count == 1 ? " is lost completely" : " are lost completely");
    return add(r, text, KN_FOUND_LOST_COLUMNS, NULL, (double) count);
}

/* Nearly all of the allowance used. */
static kanon_status
hint_suppression(kanon_result *r, kn_text *text)
{
    bool most = 2 * r->suppressed_rows > r->input_rows; /* more of that would be no help */

    if (!r->suppression_rows || r->suppressed_rows > r->suppression_rows
        || r->suppression_rows - r->suppressed_rows > r->suppression_rows / 10)
        return KANON_OK;
    KN_FILL(text, "Suppressed rows: {} of at most {}{}", kn_as_count(r->suppressed_rows),
            kn_as_count(r->suppression_rows),
            kn_as_is(most ? ", more than half of the table" : ""));
    return add(r, text, KN_FOUND_SUPPRESSION_USED,
               most ? "a lower --suppression keeps more rows but makes the columns coarser" : NULL,
               (double) r->suppressed_rows);
}

static kanon_status
hint_search(kanon_result *r, kn_text *text)
{
    static const struct {
        const char     *stopped;
        kn_finding_code code;
        const char     *what;
    } ends[] = {
        { "max-evaluations", KN_FOUND_SEARCH_LIMITED, "The search ended at its limit of checks" },
        { "cycles", KN_FOUND_SEARCH_CYCLES, "The search ended after its cycles" },
        { "time-limit", KN_FOUND_SEARCH_TIME, "The search ended at its time limit" },
        { "interrupted", KN_FOUND_SEARCH_INTERRUPTED, "You stopped the search" },
    };

    for (size_t i = 0; r->outcome == KANON_FEASIBLE && r->stopped && i < KN_COUNT(ends); i++)
        if (strcmp(r->stopped, ends[i].stopped) == 0) {
            kn_text_addz(text, ends[i].what);
            return add(r, text, ends[i].code, NULL, (double) NAN);
        }
    return KANON_OK;
}

/* A release without rows has other troubles, which a finding tells. */
kanon_status
kn_job_hint(kanon_result *r)
{
    kanon_status rc = KANON_OK;
    kn_text      text;

    if (r->outcome == KANON_INFEASIBLE || !r->released_rows)
        return KANON_OK;
    kn_text_init(&text, r->ctx);
    KN_TRY(hint_hidden(r, &text));
    KN_TRY(hint_suppression(r, &text));
    KN_TRY(hint_search(r, &text));
out:
    kn_text_fini(&text);
    return rc;
}

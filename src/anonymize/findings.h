/* SPDX-License-Identifier: Apache-2.0 */
/* findings.h -- looks at a finished job as a privacy expert would: see base/finding.h. */
#ifndef KN_ANONYMIZE_FINDINGS_H
#define KN_ANONYMIZE_FINDINGS_H

#include "anonymize/job.h"

/** Fills in the findings of a result in which everything else is gathered. */
kanon_status kn_job_find(const kn_job *job, kanon_result *r);

/** Has a column that nothing protects a value for every few rows? Then a finding says so. */
bool kn_is_nearly_unique(const kanon_result *r, const kn_result_attribute *a);

/** Adds what released columns give away beyond the promise of the quasi-identifiers. */
kanon_status kn_job_find_disclosures(const kn_job *job, kanon_result *r);

/** Advises a bound on the share of a value in every class. One option speaks for every sensitive column, so
 *  it is the largest that one of them needs: it can be reached. Columns that it cannot help are named. */
void kn_advise_alpha(const kanon_result *r, kn_text *text);

/** Adds what may make the release better, concluded from the figures of the result. */
kanon_status kn_job_hint(kanon_result *r);

#endif

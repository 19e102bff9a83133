/* SPDX-License-Identifier: Apache-2.0 */
/* findings.h -- looks at a finished job as a privacy expert would: see base/finding.h. */
#ifndef KN_ANONYMIZE_FINDINGS_H
#define KN_ANONYMIZE_FINDINGS_H

#include "anonymize/job.h"

/** Fills in the findings of a result in which everything else is gathered. */
kanon_status kn_job_find(const kn_job *job, kanon_result *r);

/** Adds what may make the release better, concluded from the figures of the result. */
kanon_status kn_job_hint(kanon_result *r);

#endif

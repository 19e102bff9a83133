/* SPDX-License-Identifier: Apache-2.0 */
/* finder.h -- what the rules of findings.c and disclosure.c write their findings with. */
#ifndef KN_ANONYMIZE_FINDER_H
#define KN_ANONYMIZE_FINDER_H

#include "anonymize/job.h"

enum {
    KN_FOUND_ROWS_LEAST = 20, /* of fewer rows nothing is concluded */
    KN_FOUND_NAMED_MOST = 6   /* columns that one sentence names */
};

typedef struct kn_finder {
    const kn_job *job;
    kanon_result *r;
    kn_text       text;   /* of the finding that is being written */
    kn_text       remedy; /* of the same; empty: that of its code */
    size_t        named;  /* bytes at the start of the text that name its columns */
    const char  **names;  /* room for one of each column */
    kanon_status  rc;
} kn_finder;

/** The job and the result outlive the finder. kn_finder_close() even after a failure.
 *  @return what went wrong in between, from kn_finder_close() */
kanon_status kn_finder_open(kn_finder *f, const kn_job *job, kanon_result *r);
kanon_status kn_finder_close(kn_finder *f);
/** What is in the texts becomes a finding, and the texts are empty again. No code has more than 60. */
void kn_finder_add(kn_finder *f, kn_finding_code code, const char *column, double figure);
/** "age", "age and sex", "age, sex and 3 more columns". @param most  names that are written */
void kn_finder_put_names(kn_finder *f, const char *const *names, size_t count, size_t most);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h -- the findings of a result: one list, which the reports print and the tree shows. Whatever
 * advises, warns or explains is put into it by one call; see base/finding.h for what a finding is. */
#ifndef KN_RESULT_FINDING_H
#define KN_RESULT_FINDING_H

#include "base/arena.h"

typedef struct kn_findings {
    kn_finding *of;
    size_t      count, room;
} kn_findings;

/** Copies a finding into the list, its texts into the arena of the result. A finding without a remedy (NULL)
 *  gets that of its code; its severity is always that of its code. */
kanon_status kn_findings_add(kn_findings *list, kn_arena *arena, kn_finding finding);
/** Adds the warnings of a context, but those whose code and place are in the list already: the list then
 *  says the same with what is known by now. */
kanon_status kn_findings_add_warnings(kn_findings *list, kn_arena *arena, const kanon_ctx *ctx);
/** The most severe first; equal ones keep their order. */
void kn_findings_sort(kn_findings *list);
/** The first with a code; NULL: none. */
const kn_finding *kn_findings_find(const kn_findings *list, kn_finding_code code);

extern const char *const kn_severity_names[]; /* by kn_severity; ends with NULL */
extern const char *const kn_place_names[];    /* by kn_place_kind; ends with NULL */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* k_anonymity.c -- every released class has at least k rows (Samarati 2001, Sweeney 2002).
 * Monotone also with suppression: raising a level merges classes, so no row that was safe becomes
 * outlying. Cost: O(classes). */
#include "privacy/privacy.h"

#include <float.h>

uint64_t
kn_privacy_allowed(double fraction, uint64_t rows)
{
    double allowed = fraction * (double) rows * (1 + 4 * DBL_EPSILON);

    return allowed >= (double) rows ? rows : (uint64_t) allowed;
}

size_t
kn_privacy_most_classes(const kn_privacy *privacy, uint64_t rows)
{
    uint64_t most = rows / (privacy->k ? privacy->k : 1);

    most = most > SIZE_MAX - privacy->allowed ? SIZE_MAX : most + privacy->allowed;
    return (size_t) most;
}

void
kn_privacy_judge(const kn_privacy *privacy, const kn_grouping *grouping, kn_verdict *out)
{
    memset(out, 0, sizeof *out);
    for (size_t id = 0; id < grouping->nids; id++) {
        uint64_t size = grouping->sizes[id];

        if (kn_class_holds(privacy, grouping, id)) {
            out->classes += size > 0;
            out->squares += (double) size * (double) size;
        } else {
            out->outlying += size;
        }
    }
}
